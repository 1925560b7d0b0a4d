package forum

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// invision is Invision Community, Invision Power Board before.
var invision = &family{
	name: "invision",
	themes: []theme{{
		name:  "4",
		known: css(`body.ipsApp, [data-role="commentContent"]`),
		post:  css(`article[id^="elComment_"]`), not: css(`.ipsModerated, .ipsEntry--moderated`),
		id:       spot{attr: "id"},
		author:   spot{css(`.cAuthorPane_author, .ipsEntry__username`), ""},
		authorID: spot{css(`.cAuthorPane_author a[href*="profile/"], .ipsEntry__username a[href*="profile/"]`), "href"},
		dateOf:   commentDate,

		permalink: spot{css(`a[href*="findComment"]`), "href"},
		body:      css(`[data-role="commentContent"]`),
		omit:      css(`blockquote, .ipsQuote, .ipsSpoiler_header, summary, [data-excludequote], .ipsAttachLink, .ipsEmbedded, .ipsEmbeddedOther, [data-role="poll"]`),
		passing:   css(`.ipsQuote_citation`),
		edited:    css(`[data-excludequote]`),
		attached:  css(`.ipsAttachLink`),
		next:      spot{css(`li.ipsPagination_next:not(.ipsPagination_inactive) a, li.ipsPagination__next:not([class*="inactive"]) a`), "href"},
		canonical: spot{css(`link[rel="canonical"]`), "href"},
		title:     spot{css(`h1.ipsType_pageTitle, h1.ipsPageHeader__title`), ""},
		mark:      spot{css(`.ipsPagination_page.ipsPagination_active, .ipsPagination__page--active`), ""},
		message:   css(`#elError, .ipsMessage`),
		boxes:     css(`#elUserSignIn_menu`),
	}, {
		name:  "3",
		known: css(`body#ipboard_body, div.post_block[id^="post_id_"]`),
		post:  css(`div.post_block[id^="post_id_"]`), not: css(`.moderated`),
		id:       spot{attr: "id"},
		author:   spot{css(`.author.vcard .name, .author.vcard, .author`), ""},
		authorID: spot{css(`.author a[href*="user/"], .author a[href*="showuser="]`), "href"},
		date:     spot{css(`abbr.published[title], .posted_info abbr[title]`), "title"},

		permalink: spot{css(`.post_id a, a[rel="bookmark"]`), "href"},
		body:      css(`.post.entry-content, .entry-content`),
		omit:      css(`blockquote, .blockquote, .citation, .bbc_spoiler_show, p.edit, span.edit, .attachment_list, [id^="attach_wrap"]`),
		edited:    css(`p.edit, :not(strong) > span.edit`),
		attached:  css(`[id^="attach_wrap"] li`),
		next:      spot{css(`.pagination li.next a`), "href"},
		canonical: spot{css(`link[rel="canonical"]`), "href"},
		title:     spot{css(`h1.ipsType_pagetitle, .maintitle h1`), ""},
		mark:      spot{css(`.pagination li.page.active`), ""},
		message:   css(`#content .message, .redirector`),
		boxes:     css(`#inline_login_form, #login_form_popup`),
	}, {
		name:     "1",
		known:    css(`span.postcolor, div.postcolor:not([id])`),
		post:     css(`.postcolor`),
		nearest:  css(`table:has(.normalname, .unreg)`),
		idOf:     entryID,
		author:   spot{css(`.normalname, .unreg`), ""},
		authorID: spot{css(`.normalname a`), "href"},
		dateOf:   entryDate,

		body:     css(`td:has(.postcolor)`), // boxes close it and open it again
		omit:     css(`table:has(td#QUOTE), table:has(td#CODE) tr:first-child, span.edit, .signature, a[href*="act=Attach"]`),
		passing:  css(`.signature`),
		cut:      cutDashes,
		edited:   css(`:not(strong) > span.edit`),
		attached: css(`strong > span.edit`),
		nextOf:   nextEntries,
		title:    spot{css(`.maintitle b`), ""},
		message:  css(`.tableborder > .tablepad`),
	}, {
		name:     "2",
		known:    css(`#ipbwrapper, div.postcolor`),
		post:     css(`div.postcolor`),
		nearest:  css(`table:has(.normalname, .bigusername, .unreg)`),
		idOf:     entryID,
		author:   spot{css(`.normalname, .bigusername, .unreg`), ""},
		authorID: spot{css(`.normalname a, .bigusername a`), "href"},
		dateOf:   entryDate,

		permalink: spot{css(`a[href*="findpost"], a[href*="#entry"]`), "href"},
		body:      css(`div.postcolor`),
		omit:      css(`.quotetop, .quotemain, .post-block.quote, .codetop, .spoilertop, .block-title, span.edit, p.edit, .signature, a[href*="act=attach" i]`),
		passing:   css(`.quotetop`),
		edited:    css(`p.edit, :not(strong) > span.edit`),
		attached:  css(`strong > span.edit`),
		nextOf:    nextEntries,
		title:     spot{css(`.maintitle b, .topictitle`), ""},
		mark:      spot{css(`span.pagecurrent`), ""},
		message:   css(`.errorwrap, #redirectwrap, .redirectwrap, .tableborder > .tablepad`),
	}},
	thread: func(base *url.URL, id string) string {
		return within(base, "index.php?"+url.Values{"showtopic": {id}, "mode": {"linear"}}.Encode())
	},
	from: func(base *url.URL, thread, post string) string {
		return within(base, "index.php?"+url.Values{"showtopic": {thread}, "view": {"findpost"}, "p": {post}}.Encode())
	},
	threadID: func(u *url.URL) string {
		if id := digits.FindString(u.Query().Get("showtopic")); id != "" {
			return id
		}
		if m := topicPath.FindStringSubmatch(u.Path + "?" + u.RawQuery); m != nil {
			return m[1]
		}
		return ""
	},
}

// topicPath is a topic in an address with words: /topic/318-wars-of-the-roses/ and /index.php?/topic/318-wars-of-the-roses/.
var topicPath = regexp.MustCompile(`/topic/(\d+)`)

// commentDate is the first instant of a post of Invision 4 and 5 that does not stand in its text.
func commentDate(post *goquery.Selection, _ *goquery.Document) string {
	times := post.FindMatcher(commentTime)
	if times.Length() == 0 {
		times = post.FindMatcher(instants).FilterFunction(func(_ int, s *goquery.Selection) bool {
			return s.ClosestMatcher(commentBody).Length() == 0
		})
	}
	return times.First().AttrOr("datetime", "")
}

// entryID is the id of a post of Invision 1 to 3: on its text, or else on the anchor above.
func entryID(post *goquery.Selection) string {
	id := first(post, entryText).AttrOr("id", "")
	if id == "" {
		id = first(post, entryAnchor).AttrOr("name", "")
	}
	return postID(id)
}

// entryDate is the first small print of a post, without the link and the words before the date.
func entryDate(post *goquery.Selection, _ *goquery.Document) string {
	small := first(post, details)
	bare := small.Clone()
	bare.FindMatcher(noDate).Remove()
	if date := fold(bare.Text()); date != "" {
		return date
	}
	return small.Text()
}

var (
	commentTime = css(`.ipsComment_meta time[datetime]`)
	commentBody = css(`[data-role="commentContent"]`)
	instants    = css(`time[datetime]`)
	entryText   = css(`.postcolor[id^="post-"]`)
	entryAnchor = css(`a[name^="entry"]`)
	noDate      = css(`a, b, img`)
)

// cutDashes takes the line above a signature out: of Invision 1, which keeps it beside the text.
func cutDashes(body *goquery.Selection) {
	for _, n := range body.Find(".signature").Nodes {
		for n = n.PrevSibling; n != nil; n = n.PrevSibling {
			if n.Type == html.TextNode && strings.Trim(n.Data, "- \n") == "" && strings.Contains(n.Data, "----") {
				n.Data = ""
				break
			}
		}
	}
}

var current = regexp.MustCompile(`^\[\d+\]$`)

// nextEntries is the link behind the number of this page, which Invision 1 writes in bold and brackets.
func nextEntries(page *goquery.Document, _ *url.URL) string {
	if link := page.Find(`span.pagecurrent ~ span.pagelink a[href]`).First(); link.Length() > 0 {
		return link.AttrOr("href", "")
	}
	here := page.Find("b").FilterFunction(func(_ int, s *goquery.Selection) bool { return current.MatchString(strings.TrimSpace(s.Text())) }).First()
	return here.NextAllFiltered(`a[href*="st="]`).First().AttrOr("href", "")
}
