package testboard

import (
	"cmp"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markup is how a board makes HTML of what people write: BBCode, or Markdown. What is nil it does not know, and shows as
// it was written.
type Markup struct {
	Markdown bool
	Tags     map[string]func(arg, inner string) string // of BBCode, by their names in small letters; inner is HTML
	Quote    func(q Quoted) string
	Code     func(text string) string // text is escaped
	List     func(items []string, ordered bool) string
	Link     func(href, text string) string // both are escaped; text is href for an address that stands alone
	Smilies  map[string]string              // HTML by what is written
	Emoji    func(r string) string          // HTML of an emoji; nil: the character
	Mention  func(u User) string            // of "@name" of a user
	Break    string                         // at the end of a line; "<br>\n" when ""
	Stray    Stray
	Around   func(html string) string // of the whole text; nil: as it is
}

// Stray is what becomes of a tag that is never closed.
type Stray int

// What becomes of it.
const (
	StrayClosed  Stray = iota // it is closed where it must end
	StrayPrinted              // it is text
	StrayRefused              // the post is not taken; where it stands in spite of that, it is text
)

// Quoted is a quote. Post and User are what the quote says of itself, and prove nothing.
type Quoted struct {
	Name  string
	Post  int
	User  int
	Date  string // of the post
	Inner string // HTML
	Page  *Page
}

func (m Markup) html(text string, b *Board, p *Page) template.HTML {
	var out string
	if m.Markdown {
		out = m.markdown(text, b, p)
	} else {
		r := &bbcode{m: m, b: b, p: p, tokens: m.tokens(text)}
		out, _ = r.until("")
	}
	if m.Around != nil {
		out = m.Around(out)
	}
	return template.HTML(out)
}

// Unmatched returns the first tag of a text that is never closed, or closed and never opened; "" when all is well.
func (m Markup) unmatched(text string) string {
	r := &bbcode{m: m, p: &Page{}, tokens: m.tokens(text)}
	r.until("")
	return r.stray
}

// token is a piece of BBCode: a tag when name is set, the text of a code box when code is, else text.
type token struct {
	raw, name, arg string
	closing, code  bool
}

var tag = regexp.MustCompile(`\[(/?)([A-Za-z*]+)(?:[= ]([^\]]*))?\]`)

func (m Markup) tokens(text string) []token {
	var list []token
	for text != "" {
		at := tag.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		if at[0] > 0 {
			list = append(list, token{raw: text[:at[0]]})
		}
		t := token{raw: text[at[0]:at[1]], name: strings.ToLower(text[at[4]:at[5]]), closing: at[2] != at[3]}
		if at[6] >= 0 {
			t.arg = text[at[6]:at[7]]
		}
		text = text[at[1]:]
		if t.name == "code" && !t.closing && m.Code != nil {
			if end := strings.Index(strings.ToLower(text), "[/code]"); end >= 0 {
				list = append(list, token{raw: text[:end], code: true})
				text = strings.TrimPrefix(text[end+len("[/code]"):], "\n")
				continue
			}
		}
		if !m.knows(t.name) || m.Code != nil && t.name == "code" {
			t = token{raw: t.raw}
		}
		list = append(list, t)
	}
	if text != "" {
		list = append(list, token{raw: text})
	}
	return list
}

func (m Markup) knows(name string) bool {
	switch name {
	case "quote":
		return m.Quote != nil
	case "list", "*":
		return m.List != nil
	case "url":
		return m.Link != nil
	}
	return m.Tags[name] != nil
}

// bbcode reads the tokens of a text.
type bbcode struct {
	m      Markup
	b      *Board
	p      *Page
	tokens []token
	open   []string // tags that are open
	stray  string   // the first tag without its partner
}

// until renders up to the end of a tag, or of the text; ended tells whether the tag was closed.
func (r *bbcode) until(name string) (out string, ended bool) {
	var w strings.Builder
	for len(r.tokens) > 0 {
		t := r.tokens[0]
		switch {
		case t.code:
			r.tokens = r.tokens[1:]
			w.WriteString(r.m.Code(escaped(strings.Trim(t.raw, "\n"))))
		case t.name == "":
			r.tokens = r.tokens[1:]
			w.WriteString(r.m.text(t.raw, r.b))
		case t.closing && t.name == name:
			r.tokens = r.tokens[1:]
			return w.String(), true
		case name == "*" && (t.name == "*" || t.closing && t.name == "list"):
			return w.String(), true
		case t.closing && slices.Contains(r.open, t.name):
			return w.String(), false
		case t.closing:
			r.tokens = r.tokens[1:]
			r.miss("/" + t.name)
			w.WriteString(escaped(t.raw))
		default:
			r.tokens = r.tokens[1:]
			w.WriteString(r.tag(t))
		}
	}
	return w.String(), name == ""
}

func (r *bbcode) miss(name string) { r.stray = cmp.Or(r.stray, name) }

// tag renders what an opened tag holds.
func (r *bbcode) tag(t token) string {
	if t.name == "list" {
		return r.list(t)
	}
	r.open = append(r.open, t.name)
	inner, ended := r.until(t.name)
	r.open = r.open[:len(r.open)-1]
	if !ended {
		r.miss(t.name)
		if r.m.Stray != StrayClosed {
			return escaped(t.raw) + inner
		}
	}
	switch t.name {
	case "quote":
		r.swallow()
		return r.m.Quote(r.quoted(t, inner))
	case "url":
		href := t.arg
		if href == "" {
			href = strings.TrimSpace(stripTags.ReplaceAllString(inner, ""))
			return r.m.Link(href, href)
		}
		return r.m.Link(escaped(strings.Trim(href, `'"`)), stripLinks.ReplaceAllString(inner, "$1"))
	}
	return r.m.Tags[t.name](strings.Trim(t.arg, `'"`), inner)
}

var (
	stripTags  = regexp.MustCompile(`<[^>]*>`)
	stripLinks = regexp.MustCompile(`<a [^>]*>(.*?)</a>`)
)

// swallow takes away the line end behind a block.
func (r *bbcode) swallow() {
	if len(r.tokens) > 0 && r.tokens[0].name == "" && !r.tokens[0].code {
		r.tokens[0].raw = strings.TrimPrefix(r.tokens[0].raw, "\n")
	}
}

func (r *bbcode) list(t token) string {
	r.open = append(r.open, "list")
	defer func() { r.open = r.open[:len(r.open)-1] }()
	var items []string
	for len(r.tokens) > 0 {
		next := r.tokens[0]
		r.tokens = r.tokens[1:]
		if next.name == "list" && next.closing {
			r.swallow()
			break
		}
		if next.name != "*" { // what stands before the first item is lost, as on boards
			continue
		}
		item, _ := r.until("*")
		items = append(items, strings.TrimSuffix(strings.TrimSpace(item), strings.TrimSpace(r.m.lineEnd())))
	}
	return r.m.List(items, t.arg != "")
}

var (
	quotePost = regexp.MustCompile(`(?i)(?:post_id=|pid=|msg=?|post: ?)['"]?(\d+)`)
	quoteUser = regexp.MustCompile(`(?i)(?:user_id=|member: ?)['"]?(\d+)`)
	quoteName = regexp.MustCompile(`(?i)^(?:author=|name=)?(?:"([^",]*)|'([^',]*)|([^\s,;\]]+(?: [^\s=,;\]]+)*))(?:[\s"',;]|$)`)
)

// quoted reads the argument of a quote, in the ways of all boards.
func (r *bbcode) quoted(t token, inner string) Quoted {
	q := Quoted{Inner: inner, Page: r.p}
	if m := quotePost.FindStringSubmatch(t.arg); m != nil {
		q.Post, _ = strconv.Atoi(m[1])
	}
	if m := quoteUser.FindStringSubmatch(t.arg); m != nil {
		q.User, _ = strconv.Atoi(m[1])
	}
	if m := quoteName.FindStringSubmatch(t.arg); m != nil {
		q.Name = escaped(cmp.Or(m[1], m[2], m[3]))
	}
	if r.b != nil && q.Post > 0 && q.Post <= len(r.b.posts) {
		q.Date = r.p.Date(r.b.posts[q.Post-1].Posted)
	}
	return q
}

func (m Markup) lineEnd() string { return cmp.Or(m.Break, "<br>\n") }

var address = regexp.MustCompile(`https?://[^\s<>"\[\]]+[^\s<>"\[\].,;:!?)]`)

// text renders text without tags: line ends, addresses, smilies, emoji.
func (m Markup) text(s string, b *Board) string {
	var w strings.Builder
	for s != "" {
		at := address.FindStringIndex(s)
		if at == nil || m.Link == nil {
			break
		}
		w.WriteString(m.plain(s[:at[0]], b))
		href := escaped(s[at[0]:at[1]])
		w.WriteString(m.Link(href, href))
		s = s[at[1]:]
	}
	w.WriteString(m.plain(s, b))
	return w.String()
}

func (m Markup) plain(s string, b *Board) string {
	var w strings.Builder
	before := ' '
	for i := 0; i < len(s); {
		if html, n := m.smiley(s[i:], before); n > 0 {
			w.WriteString(html)
			i += n
			before = ' '
			continue
		}
		if user, n := m.mention(s[i:], before, b); n > 0 {
			w.WriteString(m.Mention(user))
			i += n
			before = 'x'
			continue
		}
		c, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == '\n':
			w.WriteString(m.lineEnd())
		case m.Emoji != nil && (c >= 0x1F300 && c < 0x1FB00):
			w.WriteString(m.Emoji(string(c)))
		case letter(s[i]): // nothing begins inside a word
			for i+n < len(s) && letter(s[i+n]) {
				n++
			}
			w.WriteString(s[i : i+n])
		default:
			w.WriteString(escaped(s[i : i+n]))
		}
		before = c
		i += n
	}
	return w.String()
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// smiley finds the longest smiley that a text begins with; words touch none.
func (m Markup) smiley(s string, before rune) (html string, n int) {
	if unicode.IsLetter(before) || unicode.IsDigit(before) {
		return "", 0
	}
	for text, h := range m.Smilies {
		if len(text) > n && strings.HasPrefix(s, text) {
			if next, _ := utf8.DecodeRuneInString(s[len(text):]); !unicode.IsLetter(next) && !unicode.IsDigit(next) {
				html, n = h, len(text)
			}
		}
	}
	return html, n
}

// mention finds "@name" of a user at the beginning of a text.
func (m Markup) mention(s string, before rune, b *Board) (u User, n int) {
	if m.Mention == nil || b == nil || s[0] != '@' || unicode.IsLetter(before) || unicode.IsDigit(before) {
		return u, 0
	}
	for _, user := range b.users {
		if name := user.Name; !user.Gone && len(s) > len(name) && len(name)+1 > n && strings.EqualFold(s[1:1+len(name)], name) {
			u, n = *user, len(name)+1
		}
	}
	return u, n
}

// around makes a tag of HTML around what it holds.
func around(before, after string) func(arg, inner string) string {
	return func(_, inner string) string { return before + inner + after }
}

// withArg makes a tag of HTML with its argument in it, as %s.
func withArg(before, after string) func(arg, inner string) string {
	return func(arg, inner string) string {
		return fmt.Sprintf(before, escaped(arg)) + inner + after
	}
}

// items is a list of HTML.
func items(list []string, ordered bool) string {
	tag := "ul"
	if ordered {
		tag = "ol"
	}
	return "<" + tag + "><li>" + strings.Join(list, "</li><li>") + "</li></" + tag + ">"
}

// escaped is text for an attribute.
func escaped(s string) string { return template.HTMLEscapeString(s) }
