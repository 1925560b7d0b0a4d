package forum

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

// smf is Simple Machines Forum 2.1 and 2.0. A name is a link to a profile beside other links, and plain text for guests.
var smf = &family{
	name:    "smf",
	posting: smfPosting,
	themes: []theme{{
		name:  "smf 2.1",
		known: css(`body#smf`),
		post:  css(`#forumposts div[id^="msg"]:has(.post_wrapper)`), not: css(`.approvebg`),
		id: spot{attr: "id"}, author: spot{css(smfAuthor), ""}, authorID: spot{css(`.poster h4 a[href*="action=profile"]`), "href"},
		date: spot{css(`.postinfo a.smalltext`), ""}, subject: spot{css(`.subject_title a`), ""}, permalink: spot{css(`.postinfo a.smalltext`), "href"},
		body: css(`.post .inner`), omit: css(`blockquote, .codeheader, .spoiler_head, .sp-head, .attached`),
		passing: css(`blockquote > cite`), edited: css(`.modified.mvisible`), attached: css(`.attachments .attached`),
		next:      spot{css(`.pagelinks a.nav_page:has(.next_page), link[rel="next"]`), "href"},
		canonical: spot{css(`link[rel="canonical"]`), "href"},
		title:     spot{css(`#top_subject`), ""}, mark: spot{css(`.pagelinks .current_page`), ""},
		message: css(`#fatal_error, #errors:not([style*="none"]) #error_list, #frmLogin .error`), boxes: css(`#guest_form`),
		clock: spot{css(`#upper_section time[datetime], .user time[datetime]`), ""}, now: spot{css(`#upper_section time[datetime], .user time[datetime]`), "datetime"},
	}, {
		name:  "smf 2.0",
		known: css(`#quickModForm .post_wrapper, script:contains("smf_theme_url")`),
		post:  css(`#quickModForm .post_wrapper`), not: css(`.approvebg .post_wrapper`),
		id: spot{css(`.post div[id^="msg_"]`), "id"}, author: spot{css(smfAuthor), ""}, authorID: spot{css(`.poster h4 a[href*="action=profile"]`), "href"},
		dateOf: smfDate, subject: spot{css(`.keyinfo [id^="subject_"] a`), ""}, permalink: spot{css(`.keyinfo [id^="subject_"] a`), "href"},
		body: css(`.post div[id^="msg_"]`), omit: css(`.quoteheader, .quotefooter, blockquote, .codeheader, .spoiler_head, .sp-head, .sp-foot`),
		passing: css(`.quoteheader`), edited: css(`[id^="modified_"] em`), attached: css(`.attachments a[href*="action=dlattach"]:not(:has(img))`),
		next: spot{css(`.pagelinks strong ~ a.navPages`), "href"}, canonical: spot{css(`link[rel="canonical"]`), "href"},
		title: spot{css(`.navigate_section li.last a`), ""}, mark: spot{css(`.pagelinks > strong`), ""},
		message: css(`#fatal_error, #errors:not([style*="none"]) #error_list, #frmLogin .error`), boxes: css(`#guest_form`),
	}},
	thread: func(base *url.URL, id string) string {
		return within(base, "index.php?topic="+url.QueryEscape(id)+".0")
	},
	from: func(base *url.URL, thread, post string) string {
		return within(base, "index.php?topic="+url.QueryEscape(thread)+".msg"+url.QueryEscape(post))
	},
	// Fields of addresses are parted by semicolons, which net/url does not take.
	threadID: func(u *url.URL) string { return submatch(smfTopic, u.RequestURI()) },
}

const smfAuthor = `.poster h4 a[href*="action=profile"], .poster h4:not(:has(a[href*="action=profile"]))`

var smfTopic = regexp.MustCompile(`[/?&;]topic[=,](\d+)`)

// smfDate is the date in a line like « Reply #3 on: March 01, 2026, 06:00:00 PM »: what follows its first words, which are strong.
func smfDate(post *goquery.Selection, _ *goquery.Document) string {
	line := first(post, smfDated)
	text := line.Text()
	if _, after, ok := strings.Cut(text, first(line, strong).Text()); ok {
		text = after
	}
	if _, after, ok := strings.Cut(text, "on:"); ok {
		text = after
	}
	text, _, _ = strings.Cut(text, "»")
	return fold(text)
}

var (
	smfDated = css(`.keyinfo .smalltext`)
	strong   = css(`strong`)
)

// smfPosting is how SMF 2.1 takes replies. It names no post, and a form says before that its posts wait for a moderator.
var smfPosting = &posting{
	login: func(base *url.URL) string { return within(base, "index.php?action=login") },
	form: func(base *url.URL, thread string) string {
		return within(base, "index.php?action=post;topic="+url.QueryEscape(thread)+".0")
	},
	user: "user", password: "passwrd", stay: []field{{"cookielength", "-1"}},
	subject: "subject", message: "message", send: "post", plain: "ns", newest: "last_msg", waits: "not_approved",
	guest: css(`a[href*="action=login"], #guest_form`), wrong: css(`#error_list, #frmLogin .error, .login .error, .login .errorbox`), code: "error_",
	post:  func(u *url.URL) string { return submatch(smfPost, u.RequestURI()) },
	limit: 10_000, markup: bbcode{}.write,
}

var smfPost = regexp.MustCompile(`[/?&;]topic[=,]\d+\.msg(\d+)`)
