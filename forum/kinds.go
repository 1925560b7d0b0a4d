package forum

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

var (
	replyForm = css(`form[method="post" i] textarea[name="message"], form[method="post" i] textarea[name="req_message"], form[method="post" i] textarea[name="message_html"]`)
	passwords = css(`input[type="password" i]`)

	// reviews are lists of a thread's last posts under a form: they lack what posts have, and are read in their thread.
	reviews = css(`#topicreview, #postreview, #topic-review, #recent, #collapseobj_threadreview`)
)

// kind tells what a page of a known board is that shows no posts, and what it says.
func (r *reader) kind() (Kind, string) {
	said := ""
	if r.theme.message != nil {
		said = words(r.doc.FindMatcher(r.theme.message).First())
	}
	asks := r.asks()
	switch {
	case r.doc.FindMatcher(replyForm).Length() > 0:
		return Form, said
	case asks.Length() > 0:
		if said == "" {
			said = words(asks.Closest("form"))
		}
		return Login, said
	case said != "":
		return Message, said
	}
	return Unreadable, ""
}

// words are what an element says, in one line.
func words(s *goquery.Selection) string { return strings.Join(theme{}.lines(s), " ") }

// asks are the fields in the page's content that want a password.
func (r *reader) asks() *goquery.Selection {
	fields := r.doc.FindMatcher(passwords)
	if r.theme.boxes != nil {
		fields = fields.FilterFunction(func(_ int, s *goquery.Selection) bool { return s.ClosestMatcher(r.theme.boxes).Length() == 0 })
	}
	return fields.First()
}

var (
	guards = css(`[id^="challenge-"], [id^="cf-"], [id^="anubis_"], #px-captcha, #sec-if-cpt-container, #ddg-captcha, #link-ddg, #turnstile-wrapper, #trk_jschal_js, ` +
		`.cf-turnstile, .h-captcha, .g-recaptcha, .ray_id, ` +
		`script[src*="/cdn-cgi/challenge-platform/"], script[src*="challenges.cloudflare.com"], script[src*="/.within.website/"], script[src*="captcha-delivery.com"], script[src*="awswaf.com"], script[src*="/.well-known/ddos-guard/"], ` +
		`script[src$="/aes.js"], script[src*="/aes.min.js"], script[src*="_Incapsula_Resource"], iframe[src*="_Incapsula_Resource"]`)

	// guarding are titles of pages of guards, in the languages in which they were seen.
	guarding = regexp.MustCompile(`(?i)just a moment|attention required|not a (ro)?bot\b|are you (a )?(ro)?bot|are you (a )?human|you are being redirected|^hold on\b|client challenge|challenge validation|pardon our interruption|request (rejected|unsuccessful)|captcha|robot or human|` +
		`(checking|verifying) (your|the|that you|browser)\b|(verify|verifying|confirm|prove) (that )?you('re| are)|(human|bot|browser|security|ddos) (verification|check|checkpoint|protection)|` +
		`verification required|ddos-guard|ddos protection|one moment,? please|please wait|access denied|access to this page has been denied|firewall|` +
		`nur einen moment|einen moment bitte|kein (ro)?bot|un instant|un momento|um momento|een ogenblik|even geduld|chwileczkę|bir dakika|vänta ett ögonblick|okamžik|` +
		`n'êtes pas un robot|no eres un (ro)?bot|não é um robô|nie jesteś robotem|` +
		`проверка (вашего )?браузера|проверяем|вы не (ро)?бот|не робот|один момент|подождите|минуточку|зачекайте|доступ (запрещен|запрещён|ограничен)|защита от ddos|` +
		`しばらくお待ちください|请稍候|請稍候|잠시만 기다`)
)

// unknown tells what a page is that no board has made, or not the one that it should be of.
func unknown(doc *goquery.Document, a Answer, v View) Page {
	if v.Board != "" {
		if f, _ := recognise(doc, View{}); f != nil {
			return unreadable(fmt.Sprintf("it is a page of %s, and the board is said to be %q", f.name, v.Board))
		}
	}
	title := fold(doc.Find("title").First().Text())
	said := title
	if said == "" {
		said = words(doc.Find("body"))
	}
	p := Page{Total: -1, Said: said}
	asks := doc.FindMatcher(passwords).Length() > 0
	switch {
	case doc.FindMatcher(guards).Length() > 0 || guarding.MatchString(straight.Replace(title)):
		p.Kind = Challenge
	case doc.FindMatcher(replyForm).Length() > 0:
		p.Kind = Form
	case asks || a.Status == http.StatusUnauthorized || unauthorized.MatchString(said):
		p.Kind = Login
	default:
		return unreadable("nothing in it tells of what kind of board it is")
	}
	return p
}

var unauthorized = regexp.MustCompile(`(?i)^(error )?(401\b|unauthori[sz]ed\b)`)

var straight = strings.NewReplacer("’", "'", "ʼ", "'")

// data tells whether a text is JSON or XML, with an error when it is JSON that breaks off. XML is read once, by its family.
func data(text string) (bool, error) {
	text = strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["):
		var all json.RawMessage
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			return true, fmt.Errorf("its JSON is broken or breaks off: %w", err)
		}
		return true, nil
	}
	return isXML(text), nil
}

// xmlDecoder reads XML that was made UTF-8 before, whatever it says of itself.
func xmlDecoder(text string) *xml.Decoder {
	d := xml.NewDecoder(strings.NewReader(strings.Map(forXML, text)))
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	return d
}

// forXML leaves out the control characters that people paste into posts and XML does not allow.
func forXML(r rune) rune {
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == '\ufffe' || r == '\uffff' {
		return -1
	}
	return r
}

// xmlRoots are the elements that XML which is no page begins with when it does not say that it is XML.
var xmlRoots = []string{"thread", "threads", "articles", "errors", "error", "message"}

// isXML tells XML from HTML, which may begin with a declaration of XML too.
func isXML(text string) bool {
	for z := html.NewTokenizer(strings.NewReader(text)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return strings.HasPrefix(text, "<?xml")
		case html.DoctypeToken:
			return false
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			return string(name) != "html" && strings.HasPrefix(text, "<?xml") || slices.Contains(xmlRoots, string(name))
		}
	}
}

// deepest is how deep elements may be nested in a page that was made shallow: well below what parsing gives up at.
const deepest = 400

// tooDeep tells of a page with elements nested so deep that it cannot be parsed. Its posts stay unread, but a walk goes on to the
// next page: what stands around the posts is read of the page without its deepest elements.
func tooDeep(a Answer, v View, text string) Page {
	flat, depth := shallow(text)
	p := unreadable(fmt.Sprintf("elements are nested %d deep on the page, and more than 512 cannot be read", depth))
	doc, err := parse(flat)
	if err != nil {
		return p
	}
	if r := newReader(doc, a, v); r != nil {
		r.posts() // what people wrote goes off the page
		around := r.frame()
		around.Kind, around.Thread, around.Next, around.Problems = p.Kind, r.thread(around), r.next(), p.Problems
		return around
	}
	return p
}

// void are the elements without an end tag, siblings those that end where the next of their kind begins.
var (
	void     = strings.Fields("area base br col embed hr img input link meta param source track wbr")
	siblings = strings.Fields("p li dt dd tr td th option")
)

// shallow is a page without the tags of elements that are nested deeper than deepest, and how deep they were.
func shallow(text string) (flat string, depth int) {
	var b strings.Builder
	var open []string
	opened := map[string]int{} // how often each stands in open
	z := html.NewTokenizer(strings.NewReader(text))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return b.String(), depth
		}
		raw := string(z.Raw())
		if kind != html.StartTagToken && kind != html.EndTagToken {
			b.WriteString(raw)
			continue
		}
		tag, _ := z.TagName()
		name, level := string(tag), len(open)
		switch {
		case slices.Contains(void, name):
		case kind == html.StartTagToken:
			if slices.Contains(siblings, name) && level > 0 && open[level-1] == name {
				open = open[:level-1]
				opened[name]--
			}
			open = append(open, name)
			opened[name]++
			level = len(open)
			depth = max(depth, level)
		case opened[name] > 0:
			for closed := ""; closed != name; level = len(open) + 1 {
				closed = open[len(open)-1]
				open = open[:len(open)-1]
				opened[closed]--
			}
		}
		if level <= deepest {
			b.WriteString(raw)
		}
	}
}
