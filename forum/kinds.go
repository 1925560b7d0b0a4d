package forum

import (
	"github.com/PuerkitoBio/goquery"
)

var (
	replyForm = css(`form[method="post" i] textarea[name="message"], form[method="post" i] textarea[name="req_message"], form[method="post" i] textarea[name="message_html"]`)
	passwords = css(`input[type="password" i]`)
)

// kind tells what a page of a known board is that shows no posts, and what it says.
func (r *reader) kind() (Kind, string) {
	said := ""
	if r.theme.message != nil {
		said = fold(r.doc.FindMatcher(r.theme.message).First().Text())
	}
	switch {
	case r.doc.FindMatcher(replyForm).Length() > 0:
		return Form, said
	case r.asksPassword():
		return Login, said
	case said != "":
		return Message, said
	}
	return Unreadable, ""
}

// asksPassword tells whether the page asks for a password in its content.
func (r *reader) asksPassword() bool {
	fields := r.doc.FindMatcher(passwords)
	if r.theme.boxes != nil {
		fields = fields.FilterFunction(func(_ int, s *goquery.Selection) bool { return s.ClosestMatcher(r.theme.boxes).Length() == 0 })
	}
	return fields.Length() > 0
}

var guards = css(`#challenge-form, [id^="cf-"], [id^="anubis_"]`)

// unknown tells what a page is that no board has made.
func unknown(doc *goquery.Document) Page {
	p := Page{Kind: Challenge, Total: -1, Said: fold(doc.Find("title").First().Text())}
	if doc.FindMatcher(guards).Length() > 0 {
		return p
	}
	return unreadable("nothing in it tells of what kind of board it is")
}
