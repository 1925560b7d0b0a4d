package forum

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

// mybb is MyBB 1.8. It puts a second post within an hour into the first, after a rule, and hides posts of people on an
// ignore list with their text on the page: those are posts like others.
var mybb = &family{
	name:    "mybb",
	posting: mybbPosting,
	themes: []theme{{
		name:  "mybb 1.8",
		known: css(`#posts .post_body, table.tborder td.trow1, #quick_login, #footer #current_time`),
		post:  css(`#posts div.post[id^="post_"]`), not: css(`.deleted_post, .unapproved_post, .deleted_post_hidden`),
		id: spot{attr: "id"}, author: spot{css(`.author_information .largetext`), ""}, authorID: spot{css(`.author_information .largetext a[href]`), "href"},
		subject: spot{css(mybbPermalink), "title"}, permalink: spot{css(mybbPermalink), "href"}, dateOf: mybbDate,
		body: css(`.post_body`), omit: css(`blockquote, .codeblock > .title, .spoiler_header, .spoiler_title, a[href*="attachment.php?aid="]`),
		passing: css(`blockquote cite > span`), edited: css(`.post_edit .edited_post`), attached: css(`a[href*="attachment.php?aid="]`),
		next: spot{css(`.pagination a.pagination_next`), "href"}, canonical: spot{css(`link[rel="canonical"]`), "href"},
		title: spot{css(`.navigation .active`), ""}, mark: spot{css(`.pagination .pagination_current`), ""},
		// A table of one cell with a head and one with the words; the list of what is wrong above a form.
		message: css(`table.tborder:has(td.thead):has(td.trow1):not(:has(td ~ td)):not(:has(.tcat)):not(form table), div.error`), boxes: css(`#quick_login`),
		dates: monthFirst, clock: spot{css(`#current_time`), ""},
	}},
	thread: func(base *url.URL, id string) string {
		return within(base, "showthread.php?tid="+url.QueryEscape(id)+"&mode=linear")
	},
	from: func(base *url.URL, _, post string) string {
		return within(base, "showthread.php?pid="+url.QueryEscape(post)+"&mode=linear")
	},
	threadID: func(u *url.URL) string {
		if id := u.Query().Get("tid"); id != "" {
			return id
		}
		return submatch(mybbThread, u.Path)
	},
}

const mybbPermalink = `.post_head a[href*="pid="], .post_head a[href*="#pid"]`

var mybbThread = regexp.MustCompile(`/thread-(\d+)`)

// mybbDate is the date of a post without its edit note. The title of a relative word says more: it is the whole date behind
// "2 hours ago", and the day alone behind "Yesterday", after which the time follows.
func mybbDate(post *goquery.Selection, _ *goquery.Document) string {
	date := first(post, mybbDated).Clone()
	date.FindMatcher(mybbEdited).Remove()
	relative := first(date, titled)
	if title, ok := relative.Attr("title"); ok {
		relative.SetText(title)
	}
	return fold(date.Text())
}

var (
	mybbDated  = css(`.post_date`)
	mybbEdited = css(`.post_edit`)
	titled     = css(`span[title]`)
)

// submatch is the first group of what a pattern finds, "" for nothing.
func submatch(pattern *regexp.Regexp, in string) string {
	m := pattern.FindStringSubmatch(in)
	if m == nil {
		return ""
	}
	return strings.TrimSpace(m[1])
}

// mybbPosting is how MyBB 1.8 takes replies.
var mybbPosting = &posting{
	login: func(base *url.URL) string { return within(base, "member.php?action=login") },
	form: func(base *url.URL, thread string) string {
		return within(base, "newreply.php?tid="+url.QueryEscape(thread))
	},
	user: "username", password: "password", stay: []field{{"remember", "yes"}},
	subject: "subject", message: "message", send: "submit", plain: "postoptions[disablesmilies]",
	guest: css(`#quick_login`), wrong: css(`.error`),
	post:  queryOf("pid"),
	held:  threadAlone(func(u *url.URL) bool { return u.Query().Get("tid") != "" || mybbThread.MatchString(u.Path) }, queryOf("pid")),
	limit: 20_000, markup: bbcode{}.write,
}
