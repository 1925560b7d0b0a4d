package forum

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// Read understands an answer. It never fails: what cannot be understood is a page of kind Unreadable with its Problems.
func Read(a Answer, v View) Page {
	if a.URL == "" {
		a.URL = a.Asked
	}
	text, err := decode(a, v)
	if err != nil {
		return unreadable(err.Error())
	}
	for _, f := range families {
		if f.data == nil {
			continue
		}
		if p, ok := f.data(a, v, text); ok {
			p.Board = f.name
			return p
		}
	}
	return readHTML(a, v, text)
}

func unreadable(why string) Page { return Page{Kind: Unreadable, Total: -1, Problems: []string{why}} }

func readHTML(a Answer, v View, text string) Page {
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return unreadable("the page cannot be parsed: " + err.Error())
	}
	doc := goquery.NewDocumentFromNode(root)
	f, t := recognise(doc, v)
	if f == nil {
		return unknown(doc)
	}
	r := &reader{doc: doc, theme: t.with(v.Selectors), family: f, view: v, at: a.At}
	if r.address, err = url.Parse(a.URL); err != nil {
		r.address = &url.URL{}
	}
	return r.page()
}

// recognise finds the family and the theme of a page, nil when nothing knows it.
func recognise(doc *goquery.Document, v View) (*family, *theme) {
	for _, f := range families {
		if v.Board != "" && v.Board != f.name {
			continue
		}
		for i := range f.themes {
			if doc.FindMatcher(f.themes[i].known).Length() > 0 {
				return f, &f.themes[i]
			}
		}
	}
	return nil, nil
}

// reader reads one page of HTML.
type reader struct {
	doc     *goquery.Document
	family  *family
	theme   theme
	view    View
	at      time.Time // Date of the answer
	address *url.URL
	base    *url.URL // that its links count from; nil until the first link is read
}

func (r *reader) page() Page {
	p := Page{Board: r.family.name, Theme: r.theme.name, Total: -1}
	var dates []string
	for _, s := range r.posts() {
		post, date, problems := r.post(s)
		p.Posts, dates = append(p.Posts, post), append(dates, date)
		p.Problems = append(p.Problems, problems...)
	}
	r.date(&p, dates)
	p.Title = fold(r.text(r.doc.Selection, r.theme.title))
	p.Address = r.link(r.text(r.doc.Selection, r.theme.canonical))
	p.Mark, p.Total = number(r.text(r.doc.Selection, r.theme.mark), 0), number(r.text(r.doc.Selection, r.theme.total), -1)
	p.Thread = r.thread(p)
	if len(p.Posts) > 0 {
		p.Kind, p.Next = Thread, r.next()
		return p
	}
	p.Kind, p.Said = r.kind()
	if p.Kind == Unreadable {
		p.Problems = append(p.Problems, fmt.Sprintf("it is a page of %s, and none of its selectors finds anything: its theme may have been changed", r.family.name))
	}
	return p
}

// thread is the thread that a page is of by what stands on it, or else by the address that it has: the address of a post
// does not tell, or tells what was asked for.
func (r *reader) thread(p Page) string {
	if id := digits.FindString(r.text(r.doc.Selection, r.theme.thread)); id != "" {
		return id
	}
	if r.family.threadID == nil {
		return ""
	}
	links := []string{p.Address, r.address.String()}
	if len(p.Posts) > 0 {
		links = []string{p.Address, p.Posts[0].Permalink, r.address.String()}
	}
	for _, link := range links {
		u, err := url.Parse(link)
		if err != nil {
			continue
		}
		if id := r.family.threadID(u); id != "" {
			return id
		}
	}
	return ""
}

// posts returns the elements of the posts, without those to skip.
func (r *reader) posts() []*goquery.Selection {
	if r.theme.post == nil {
		return nil
	}
	var list []*goquery.Selection
	seen := map[*html.Node]bool{}
	r.doc.FindMatcher(r.theme.post).Each(func(_ int, s *goquery.Selection) {
		if r.theme.nearest != nil {
			s = s.ClosestMatcher(r.theme.nearest)
		}
		if s.Length() == 0 || seen[s.Get(0)] || r.theme.not != nil && s.IsMatcher(r.theme.not) {
			return
		}
		seen[s.Get(0)] = true
		list = append(list, s)
	})
	return list
}

var digits = regexp.MustCompile(`\d+`)

// post reads one post, all but its date, which is returned as it stands there. Problems are what could not be told of it.
func (r *reader) post(s *goquery.Selection) (p Post, date string, problems []string) {
	if r.theme.idOf != nil {
		p.ID = r.theme.idOf(s)
	} else {
		p.ID = digits.FindString(r.text(s, r.theme.id))
	}
	p.Author = fold(r.text(s, r.theme.author))
	p.AuthorID = userID(r.text(s, r.theme.authorID))
	p.Subject = fold(r.text(s, r.theme.subject))
	p.Permalink = r.link(r.text(s, r.theme.permalink))
	p.Edited = r.theme.editOf != nil && r.theme.editOf(s) || r.theme.edited != nil && s.FindMatcher(r.theme.edited).Length() > 0
	if r.theme.attached != nil {
		p.Attachments = s.FindMatcher(r.theme.attached).Length()
	}
	date = r.text(s, r.theme.date)
	if r.theme.dateOf != nil {
		date = r.theme.dateOf(s, r.doc)
	}
	body := s.FindMatcher(r.theme.body).First()
	r.stripSessions(body)
	p.HTML, _ = body.Html()
	p.Hash = r.theme.hash(body)
	p.Lines = r.theme.lines(body)
	if p.Author == "" {
		problems = append(problems, fmt.Sprintf("post %s: it has no author", p.ID))
	}
	if body.Length() == 0 {
		problems = append(problems, fmt.Sprintf("post %s: its text is not where this board keeps it", p.ID))
	}
	return p, date, problems
}

// text returns what stands at a spot, "" when nothing does.
func (r *reader) text(in *goquery.Selection, s spot) string {
	if s == (spot{}) {
		return ""
	}
	if s.at != nil {
		in = in.FindMatcher(s.at).First()
	}
	if s.attr != "" {
		return in.AttrOr(s.attr, "")
	}
	return in.Text()
}

var profile = regexp.MustCompile(`(?:^|[/?&;])(?:(?:u|uid|userid|user_id|id|showuser)=|members/[^/]*\.|(?:u|user|users|member|members|profile|uid)[/-]|member\.php[/?])(\d+)`)

// userID is the number of a user in the link to his profile, or the text itself when that is a number. Nobody has the number
// 0: boards write it for guests.
func userID(s string) string {
	id := ""
	if m := profile.FindStringSubmatch(s); m != nil {
		id = m[1]
	} else if s = strings.TrimSpace(s); digits.FindString(s) == s {
		id = s
	}
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}

// link is an address on the page, whole where the page's own is known, and without session ids; "" for none.
func (r *reader) link(href string) string {
	if href = strings.TrimSpace(href); href == "" || *r.address == (url.URL{}) {
		return WithoutSession(href)
	}
	if r.base == nil {
		r.base = r.address
		if base, err := r.address.Parse(r.doc.FindMatcher(baseElement).AttrOr("href", "")); err == nil {
			r.base = base
		}
	}
	u, err := r.base.Parse(href)
	if err != nil {
		return ""
	}
	return WithoutSession(u.String())
}

var baseElement = css(`base[href]`)

func (r *reader) next() string {
	if r.theme.nextOf != nil {
		return r.link(r.theme.nextOf(r.doc, r.address))
	}
	return r.link(r.text(r.doc.Selection, r.theme.next))
}

var session = regexp.MustCompile(`(^|[?&;])(?:sid|PHPSESSID|s)=[0-9A-Za-z,-]*`)

// WithoutSession takes the id of a session out of an address.
func WithoutSession(address string) string {
	before, after, ok := strings.Cut(address, "?")
	if !ok {
		return address
	}
	after, fragment, hash := strings.Cut(after, "#")
	after = strings.TrimLeft(session.ReplaceAllString("&"+after, "$1"), "&;")
	after = strings.NewReplacer("&&", "&", ";;", ";").Replace(strings.TrimRight(after, "&;"))
	if after != "" {
		before += "?" + after
	}
	if hash {
		before += "#" + fragment
	}
	return before
}

var sessioned = css(`[href*="sid="], [href*="PHPSESSID="], [href*="s="], [src*="sid="], [src*="PHPSESSID="]`)

// stripSessions takes the ids of sessions out of the links in a body that lead to the board itself.
func (r *reader) stripSessions(body *goquery.Selection) {
	body.FindMatcher(sessioned).Each(func(_ int, s *goquery.Selection) {
		for _, attr := range []string{"href", "src"} {
			address, ok := s.Attr(attr)
			if u, err := url.Parse(address); ok && err == nil && (u.Host == "" || u.Host == r.address.Host) {
				s.SetAttr(attr, WithoutSession(address))
			}
		}
	})
}

// hash is that of a body without what changes by itself.
func (t theme) hash(body *goquery.Selection) string {
	if t.passing != nil {
		body = body.Clone()
		body.FindMatcher(t.passing).Remove()
	}
	text, _ := body.Html()
	return hashOf(text)
}

// hashOf is the hash of a body, whatever blanks its source has.
func hashOf(body string) string {
	sum := sha256.Sum256([]byte(fold(body)))
	return hex.EncodeToString(sum[:8])
}

// fold makes one line of a text, its blanks single ones.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// grouped is a number as people write it: 1204, 1,204, 1.204, 1 204.
var grouped = regexp.MustCompile(`\d{1,3}(?:[,.\x{2019}\x{a0}\x{202f}]\d{3})+\b|\d+`)

// number is the last number in a text, or what to take for none.
func number(s string, none int) int {
	all := grouped.FindAllString(s, -1)
	if len(all) == 0 {
		return none
	}
	n := 0
	for _, c := range all[len(all)-1] {
		if c < '0' || '9' < c {
			continue
		}
		if n = n*10 + int(c-'0'); n > 1<<40 {
			return none
		}
	}
	return n
}
