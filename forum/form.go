package forum

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/text/encoding"
)

// form is a form as a browser would send it: all its fields with their values, without its buttons.
type form struct {
	page    string // address of the page that it stands on
	action  string
	charset string
	fields  []field
	boxes   []field // that are not ticked
	buttons []field
	limits  map[string]int // characters of a field
}

type field struct{ name, value string }

// form finds the form that has a field, nil when there is none.
func (s *shown) form(name string) *form {
	if name == "" {
		return nil
	}
	var found *goquery.Selection
	s.doc.Find("form").EachWithBreak(func(_ int, f *goquery.Selection) bool {
		if strings.EqualFold(f.AttrOr("method", ""), "post") && f.ClosestMatcher(reviews).Length() == 0 && slices.ContainsFunc(f.Find("input, textarea").Nodes, func(n *html.Node) bool {
			return attribute(n, "name") == name || attribute(n, "name") == name+"_html"
		}) {
			found = f
		}
		return found == nil
	})
	if found == nil {
		return nil
	}
	f := &form{page: s.URL, charset: s.charset, limits: map[string]int{}}
	if label := strings.Fields(found.AttrOr("accept-charset", "")); len(label) > 0 {
		f.charset = label[0]
	}
	f.action = s.address(found.AttrOr("action", ""))
	found.Find("input, textarea, select, button").Each(func(_ int, e *goquery.Selection) { f.add(e) })
	return f
}

// address is where a link of the page leads.
func (s *shown) address(href string) string {
	base, err := url.Parse(s.URL)
	if err != nil {
		return ""
	}
	if at, ok := s.doc.Find("base[href]").First().Attr("href"); ok {
		if u, err := base.Parse(at); err == nil {
			base = u
		}
	}
	to, err := base.Parse(strings.TrimSpace(href))
	if err != nil {
		return ""
	}
	to.Fragment = ""
	return to.String()
}

func (f *form) add(e *goquery.Selection) {
	name := e.AttrOr("name", "")
	if _, off := e.Attr("disabled"); off || name == "" {
		return
	}
	if n, err := strconv.Atoi(e.AttrOr("maxlength", "")); err == nil && n > 0 {
		f.limits[name] = n
	}
	one := field{name, e.AttrOr("value", "")}
	switch kind := strings.ToLower(e.AttrOr("type", "")); goquery.NodeName(e) {
	case "textarea":
		f.fields = append(f.fields, field{name, e.Text()})
	case "select":
		if chosen := e.Find("option[selected]").AddSelection(e.Find("option")).First(); chosen.Length() > 0 {
			f.fields = append(f.fields, field{name, chosen.AttrOr("value", chosen.Text())})
		} else {
			f.boxes = append(f.boxes, field{name, ""})
		}
	case "button":
		f.buttons = append(f.buttons, one)
	default:
		switch kind {
		case "submit", "image", "button", "reset":
			f.buttons = append(f.buttons, one)
		case "file":
		case "checkbox", "radio":
			if _, ticked := e.Attr("checked"); !ticked {
				f.boxes = append(f.boxes, field{name, e.AttrOr("value", "on")})
			} else {
				f.fields = append(f.fields, field{name, e.AttrOr("value", "on")})
			}
		default:
			f.fields = append(f.fields, one)
		}
	}
}

// has tells whether the form has a field, filled or not.
func (f *form) has(name string) bool {
	named := func(one field) bool { return one.name == name }
	return slices.ContainsFunc(f.fields, named) || slices.ContainsFunc(f.boxes, named)
}

// get is the value of a field.
func (f *form) get(name string) string {
	for _, one := range f.fields {
		if one.name == name {
			return one.value
		}
	}
	return ""
}

// set fills a field.
func (f *form) set(name, value string) {
	f.drop(name)
	f.fields = append(f.fields, field{name, value})
}

func (f *form) drop(name string) {
	f.fields = slices.DeleteFunc(f.fields, func(one field) bool { return one.name == name })
}

// tick ticks a box.
func (f *form) tick(name string) {
	for _, box := range f.boxes {
		if box.name == name {
			f.set(name, box.value)
			return
		}
	}
}

// press chooses the button that sends the form, the first one for "".
func (f *form) press(name string) {
	for _, button := range f.buttons {
		if name == "" || button.name == name {
			f.set(button.name, button.value)
			return
		}
	}
}

// reply fills in a reply. Boards measure lines that end in CRLF.
func (f *form) reply(p *posting, subject, text string) {
	f.drop(p.message + "_html")
	f.set(p.message, strings.ReplaceAll(text, "\n", "\r\n"))
	if subject != "" && p.subject != "" && f.has(p.subject) {
		f.set(p.subject, f.cut(p.subject, fold(subject)))
	}
	if p.plain != "" {
		f.tick(p.plain)
	}
	f.press(p.send)
}

// cut makes a value short enough for its field.
func (f *form) cut(name, value string) string {
	limit := f.limits[name]
	if limit == 0 || utf8.RuneCountInString(value) <= limit {
		return value
	}
	return string([]rune(value)[:limit-1]) + "…"
}

// encode writes the form as a browser sends it: in the charset of its page, and what that lacks as numbers of characters.
func (f *form) encode() string {
	put := func(s string) string { return s }
	if enc, name := lookup(f.charset); enc != nil && name != "utf-8" {
		put = func(s string) string {
			out, err := encoding.HTMLEscapeUnsupported(enc.NewEncoder()).String(s)
			if err != nil {
				return s
			}
			return out
		}
	}
	parts := make([]string, len(f.fields))
	for i, one := range f.fields {
		parts[i] = url.QueryEscape(put(one.name)) + "=" + url.QueryEscape(put(one.value))
	}
	return strings.Join(parts, "&")
}
