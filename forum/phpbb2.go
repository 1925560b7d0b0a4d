package forum

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// phpbb2 is phpBB 2, whose boards are mostly older than UTF-8. Its pages have a link to the next thread where others have
// one to the next page.
var phpbb2 = &family{
	name:    "phpbb2",
	themes:  []theme{subSilver},
	charset: "windows-1251",
	thread: func(base *url.URL, id string) string {
		return within(base, "viewtopic.php?t="+url.QueryEscape(id)+oldFirst)
	},
	from: func(base *url.URL, _, post string) string {
		return within(base, "viewtopic.php?p="+url.QueryEscape(post)+oldFirst)
	},
	threadID: topicOf("t"),
}

const oldFirst = "&postdays=0&postorder=asc"

// subSilver is the theme of phpBB 2 and of what was made of it: a post is a row with its author and its text, and the row
// behind it has the links to his profile.
var subSilver = theme{
	name:    "subSilver",
	known:   css(`table.forumline, a.maintitle`),
	post:    css(`span.name > a[name#=(^[0-9]+$)]`),
	nearest: css(`tr`),
	id:      spot{css(`span.name > a[name#=(^[0-9]+$)]`), "name"}, author: spot{css(`span.name b`), ""},
	permalink: spot{css(`a[href*="viewtopic.php?p="]`), "href"},
	body:      phpbb2Body,
	omit:      css(`table:has(td.quote), table:has(td.code) span.genmed, span.gensmall, .attachtable, .quotetitle, .quotediv, .spoiltitle`),
	passing:   css(`span.genmed, span.gensmall, .attachtable`),
	attached:  css(`.attachtable`),
	canonical: spot{titleLink, "href"},
	title:     spot{css(`a.maintitle`), ""},
	mark:      spot{css(`span.nav > b`), ""},
	message:   css(`table.forumline:has(th.thHead:not([colspan])) td.row1`),
	clock:     spot{css(`td[align="right"] > span.gensmall`), ""},

	userOf: func(post *goquery.Selection) string {
		return first(post.Next(), profileLink).AttrOr("href", "")
	},
	dateOf: func(post *goquery.Selection, _ *goquery.Document) string {
		date, _ := heading(post)
		return date
	},
	about: func(post *goquery.Selection) string {
		_, subject := heading(post)
		return subject
	},
	nextOf: nextStart,
	editOf: func(post *goquery.Selection) bool {
		return fold(first(post, phpbb2Body).ChildrenMatcher(editNote).Text()) != ""
	},
	unsign: cutSignature,
}

var (
	phpbb2Body  = css(`td[colspan="2"]:has(span.postbody)`) // boxes close the span and open it again
	profileLink = css(`a[href*="mode=viewprofile"]`)
	titleLink   = css(`a.maintitle[href*="viewtopic.php"]`)
	editNote    = css(`span.gensmall`)
	details     = css(`span.postdetails`)
	starts      = css(`a[href*="start="]`)
)

// heading parts what stands above a post, "Posted: … Post subject: …", with hard blanks between the two.
func heading(post *goquery.Selection) (date, subject string) {
	text := post.FindMatcher(details).Last().Text()
	date, subject, _ = strings.Cut(text, "\u00a0")
	_, date, _ = strings.Cut(date, ":")
	_, subject, _ = strings.Cut(subject, ":")
	return date, subject
}

// nextStart is the link to the page that begins next behind this one. Links that somebody wrote in a post are none.
func nextStart(page *goquery.Document, at *url.URL) string {
	here := at
	if u, err := url.Parse(page.FindMatcher(titleLink).AttrOr("href", "")); err == nil && u.Query().Has("t") {
		here = u
	}
	next, least := "", 0
	page.FindMatcher(starts).Each(func(_ int, s *goquery.Selection) {
		href := s.AttrOr("href", "")
		u, err := url.Parse(href)
		if err != nil || u.Query().Get("t") != here.Query().Get("t") || s.ClosestMatcher(phpbb2Body).Length() > 0 {
			return
		}
		if n := startOf(u); n > startOf(here) && (next == "" || n < least) {
			next, least = href, n
		}
	})
	return next
}

func startOf(u *url.URL) int {
	n, _ := strconv.Atoi(u.Query().Get("start"))
	return n
}

// inBox tells whether something in a body stands in a table there.
func inBox(n, body *html.Node) bool {
	for n = n.Parent; n != body; n = n.Parent {
		if n.DataAtom == atom.Td {
			return true
		}
	}
	return false
}

// cutSignature takes the line that phpBB 2 draws above a signature out of a body, and all that is behind it. A line in a box is
// the writer's own.
func cutSignature(body *goquery.Selection) {
	for _, root := range body.Nodes {
		for n := range root.Descendants() {
			if n.Type != html.TextNode || strings.TrimSpace(n.Data) != "_________________" || inBox(n, root) {
				continue
			}
			for at := n; at != root; at = at.Parent {
				for at.NextSibling != nil {
					at.Parent.RemoveChild(at.NextSibling)
				}
			}
			n.Parent.RemoveChild(n)
			return
		}
	}
}
