package forum

import (
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// phpbb is phpBB 3. Ids are looked for with their digits: a preview has an id that begins like a post's.
var phpbb = &family{
	name:    "phpbb",
	posting: phpbbPosting,
	themes:  []theme{prosilver3, subsilver2},
	thread: func(base *url.URL, id string) string {
		return within(base, "viewtopic.php?t="+url.QueryEscape(id)+oldestFirst)
	},
	from: func(base *url.URL, _, post string) string {
		return within(base, "viewtopic.php?p="+url.QueryEscape(post)+oldestFirst)
	},
	threadID: topicOf("t"),
}

// oldestFirst forces all posts in the order of their time, whatever an account prefers.
const oldestFirst = "&st=0&sk=t&sd=a"

// prosilver3 is prosilver, the theme of phpBB 3.0 to 3.3 and of what was made of it. Since 3.2.9 dates stand in time elements, before
// that behind the author's name.
var prosilver3 = theme{
	name:  "prosilver",
	known: css(`body#phpbb`),
	post:  css(`div.post[id#=(^p[0-9]+$)]`),
	not:   css(`.deleted, .unapproved, .post:has(.post-notice.unapproved), .post:has(p.rules a[href*="i=queue"])`),
	id:    spot{attr: "id"}, author: spot{css(`.postprofile [class^="username"], p.author strong`), ""},
	authorID: spot{css(`.postprofile a[class^="username"], p.author strong a`), "href"},
	subject:  spot{css(`.postbody h3 a`), ""}, permalink: spot{css(`p.author > a[href*="viewtopic.php"], .postbody h3 a[href*="viewtopic.php"]`), "href"},
	body:      css(`.postbody .content`),
	omit:      css(`blockquote, .codebox > p, dl.codebox > dt, .attachbox, .inline-attachment, ` + spoilerLabels),
	passing:   css(`cite, .codebox > p, dl.codebox > dt, .attachbox, .inline-attachment`),
	attached:  css(`dl.file, dl.thumbnail`),
	next:      spot{css(`.pagination li.next a[rel="next"], .pagination strong ~ a:not([href^="#"])`), "href"},
	canonical: spot{css(`link[rel="canonical"], #page-body h2 > a[href*="viewtopic.php"]`), "href"},
	title:     spot{css(`h2.topic-title, #page-body h2`), ""},
	mark:      spot{css(`.pagination li.active, .pagination strong`), ""},
	message:   css(`div#message, p.error, div.error`),
	boxes:     css(`#page-header, #page-footer`),
	clock:     spot{css(`#page-footer li.rightside`), ""},

	dateOf: func(post *goquery.Selection, _ *goquery.Document) string {
		if at, ok := first(post, clockElement).Attr("datetime"); ok {
			return at
		}
		text := first(post, byline).Text()
		if i := strings.LastIndexAny(text, "»«"); i >= 0 { // the other one where people write from the right
			return text[i+len("»"):]
		}
		return text
	},
	editOf: func(post *goquery.Selection) bool {
		notes := post.FindMatcher(editNotes)
		return notes.FilterFunction(func(_ int, s *goquery.Selection) bool { return !leadsWithBreak(s) }).Length() > 0
	},
	count: func(page *goquery.Document) string {
		return digits.FindString(first(page.Selection, pagination).Text())
	},
}

// spoilerLabels are what the spoilers that phpBB boards add to themselves show of a hidden text.
const spoilerLabels = `summary, .spoiltitle, .spoiler-header, [onclick]:has(a[href="#"])`

var (
	clockElement = css(`p.author time[datetime]`)
	byline       = css(`p.author`)
	pagination   = css(`.pagination`)
	editNotes    = css(`.postbody > .notice:not(.post_deleted_msg), [id^="post_content"] > .notice:not(.post_deleted_msg)`)
)

// leadsWithBreak tells whether the first thing in an element is a line break, as in the note that a topic was bumped, which
// otherwise looks like one that a post was edited.
func leadsWithBreak(s *goquery.Selection) bool {
	for c := s.Get(0).FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode || strings.TrimSpace(c.Data) != "" {
			return c.Data == "br"
		}
	}
	return false
}

// subsilver2 is the theme of tables that phpBB 3.0 and 3.1 have beside prosilver. A post is a table; a moderator's view of a
// deleted one names who deleted it and who wrote it, a foe's names the foe and hides his text.
var subsilver2 = theme{
	name:    "subsilver2",
	known:   css(`#wrapcentre, table.tablebg div.postbody`),
	post:    css(`table.tablebg a[name#=(^p[0-9]+$)]`),
	nearest: css(`table`),
	not:     css(`table:has(span.postapprove), table:has(td.gensmall[colspan="2"] strong ~ strong)`),
	id:      spot{css(`a[name#=(^p[0-9]+$)]`), "name"}, author: spot{css(`b.postauthor`), ""},
	authorID:  spot{css(`div.gensmall > a[href*="mode=viewprofile"], b.postauthor a`), "href"},
	permalink: spot{css(`td.gensmall a[href*="viewtopic.php"][href*="p="]`), "href"},
	body:      css(`div.postbody`),
	omit:      css(`.quotetitle, .quotecontent, .codetitle, .attachtitle, .attachcontent, blockquote, ` + spoilerLabels),
	passing:   css(`.quotetitle, .codetitle, .attachtitle, .attachcontent`),
	attached:  css(`.attachcontent, td table.tablebg:has(b.genmed) td.row1, td table.tablebg:has(b.genmed) td.row2`),
	next:      spot{css(`td.gensmall strong ~ a[href*="start="], td.nav strong ~ a[href*="start="]`), "href"},
	canonical: spot{css(`link[rel="canonical"], a.titles[href*="viewtopic.php"]`), "href"},
	title:     spot{css(`a.titles, #pageheader h2`), ""},
	mark:      spot{css(`td.nav strong`), ""},
	message:   css(`table.tablebg td.row1 > p.gen, .error`),
	boxes:     css(`#wrapheader, #wrapfooter`),
	clock:     spot{css(`p.datetime`), ""},

	about: func(post *goquery.Selection) string { return behind(post.FindMatcher(headings).First()) },
	dateOf: func(post *goquery.Selection, _ *goquery.Document) string {
		return behind(post.FindMatcher(headings).Last())
	},
	editOf: func(post *goquery.Selection) bool {
		notes := post.FindMatcher(smallNotes)
		return notes.FilterFunction(func(_ int, s *goquery.Selection) bool { return !leadsWithBreak(s) }).Length() > 0
	},
	count: func(page *goquery.Document) string { return inBrackets.FindString(page.FindMatcher(counts).Text()) },
}

var (
	headings   = css(`table.tablebg > tbody > tr > td > table td.gensmall b`) // "Post subject:" and "Posted:"
	smallNotes = css(`div.postbody ~ span.gensmall:not(.error), div.postbody ~ table td.row3 > span.gensmall`)
	counts     = css(`td.gensmall[nowrap]`)
	inBrackets = regexp.MustCompile(`\[\s*\d+`)
)

// behind is the text behind an element in the same parent.
func behind(s *goquery.Selection) string {
	if s.Length() == 0 {
		return ""
	}
	var b strings.Builder
	for n := s.Get(0).NextSibling; n != nil; n = n.NextSibling {
		b.WriteString(goquery.NewDocumentFromNode(n).Text())
	}
	return b.String()
}

// topicOf makes a function that reads the id of a thread out of a parameter of the addresses of threads.
func topicOf(parameter string) func(*url.URL) string {
	return func(u *url.URL) string {
		if path.Base(u.Path) != "viewtopic.php" {
			return ""
		}
		return digits.FindString(u.Query().Get(parameter))
	}
}

// within is an address under that of a board.
func within(base *url.URL, rest string) string {
	u, err := base.Parse(rest)
	if err != nil {
		return ""
	}
	return u.String()
}

// phpbbPosting is how phpBB 3 takes replies.
var phpbbPosting = &posting{
	login: func(base *url.URL) string { return within(base, "ucp.php?mode=login") },
	form: func(base *url.URL, thread string) string {
		return within(base, "posting.php?mode=reply&t="+url.QueryEscape(thread))
	},
	user: "username", password: "password", stay: []field{{"autologin", "on"}},
	subject: "subject", message: "message", send: "post", plain: "disable_smilies", newest: "topic_cur_post_id",
	guest: css(`a[href*="ucp.php?mode=login"]`), wrong: css(`#postform .error, #login .error`),
	post:  queryOf("p"),
	held:  threadAlone(func(u *url.URL) bool { return u.Query().Get("t") != "" || u.Query().Get("f") != "" }, queryOf("p")),
	limit: 30_000, markup: bbcode{}.write,
}
