package forum

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// vbulletin is vBulletin 5, 4 and 3. Version 5 shows three clocks for a post, of which only the one in an attribute is
// right. Version 3 has no classes in what people wrote: boxes are known by their style.
var vbulletin = &family{
	name: "vbulletin",
	themes: []theme{{
		name:  "vbulletin 5",
		known: css(`body#vb-page-body`),
		post:  css(`li.b-post[data-node-id]`), not: css(`.b-post--deleted, .b-post--unapproved`),
		id: spot{attr: "data-node-id"}, author: spot{css(`.b-userinfo .author`), ""}, authorID: spot{css(`.b-userinfo .author a[href]`), "href"},
		dateOf: func(post *goquery.Selection, _ *goquery.Document) string {
			return unixDate(post.AttrOr("data-node-publishdate", ""))
		},
		subject: spot{css(`.b-post__title`), ""}, permalink: spot{css(`a.b-post__count`), "href"},
		body: css(`.js-post__content-text`), omit: css(`.bbcode_description, .b-post__edit, .b-post__signature`), cut: outWith(`.bbcode_quote`, `.bbcode_container`),
		edited: css(`.b-post__edit`), attached: css(`.b-post-attachments__item`),
		next: spot{css(`a.js-pagenav-next-button[href]:not(.h-disabled)`), "href"}, canonical: spot{css(`link[rel="canonical"]`), "href"},
		title: spot{css(`h1.main-title, .b-main-title, .js-topic-title`), ""}, message: css(`.standard_error, .b-error, #error-message`),
		boxes: css(`#idLoginIframeContainer, .js-login-form-main-container, #header`),
	}, {
		name:  "vbulletin 4",
		known: css(`html#vbulletin_html`),
		post:  css(`#posts > li[id^="post_"]`), not: css(`.postbitdeleted, .postbitignored`),
		id: spot{attr: "id"}, author: spot{css(`.username_container .username`), ""}, authorID: spot{css(`.username_container a.username`), "href"},
		date: spot{css(`.postdate .date`), ""}, subject: spot{css(`.postbody .title`), ""}, permalink: spot{css(`a.postcounter`), "href"},
		body: css(`div[id^="post_message_"] blockquote.postcontent`), omit: css(`.bbcode_description, .lastedited`), cut: outWith(`.bbcode_quote`, `.bbcode_container`),
		edited: css(`.lastedited`), attached: css(`.attachments li`),
		next: spot{css(`.pagination a[rel="next"]`), "href"}, canonical: spot{css(`link[rel="canonical"]`), "href"}, thread: vbulletinThread,
		title: spot{css(`.threadtitle`), ""}, mark: spot{css(`.pagination .selected`), ""}, total: spot{css(`.pagination .selected a[title]`), "title"},
		message: css(`.standard_error`), boxes: css(`#navbar_loginform`),
		dates: monthFirst, clock: spot{css(`.footer_time, #footer_time`), ""},
	}, {
		name:  "vbulletin 3",
		known: css(`meta[name="generator" i][content^="vBulletin 3" i]`),
		post:  css(`#posts table[id^="post"]:has(div[id^="post_message_"])`),
		id:    spot{attr: "id"}, author: spot{css(`.bigusername, div[id^="postmenu_"]:not(:has(.bigusername))`), ""}, authorID: spot{css(`a.bigusername`), "href"},
		date: spot{css(`td.thead`), ""}, subject: spot{css(`td.alt1 > div.smallfont > strong`), ""}, permalink: spot{css(`a[id^="postcount"]`), "href"},
		body: css(`div[id^="post_message_"]`), omit: css(`div[style*="margin:20px"] > div.smallfont, div[style*="margin: 20px"] > div.smallfont`),
		cut:    outWith(`td.alt2`, `div[style*="margin:20px"], div[style*="margin: 20px"]`),
		edited: css(`td.alt1 div.smallfont > em`), attached: css(`fieldset a[href*="attachment.php"]:not(:has(img))`),
		next: spot{css(`.pagenav a[rel="next"]`), "href"}, canonical: spot{css(`link[rel="canonical"]`), "href"}, thread: vbulletinThread,
		title: spot{css(`td.navbar strong`), ""}, mark: spot{css(`.pagenav td.alt2 strong`), ""}, total: spot{css(`.pagenav td.alt2 [title]`), "title"},
		message: css(`td.panelsurround`), boxes: css(`#navbar_loginform, form:has(#navbar_password)`),
		dates: monthFirst, clock: spot{css(`div.smallfont[align="center"]:has(span.time), div.smallfont[align="center"]:contains("GMT")`), ""},
	}},
	thread: func(base *url.URL, id string) string {
		return within(base, "showthread.php?t="+url.QueryEscape(id)+"&mode=linear")
	},
	first: vbulletinFirst,
	from: func(base *url.URL, _, post string) string {
		return within(base, "showthread.php?p="+url.QueryEscape(post)+"&mode=linear")
	},
	threadID: func(u *url.URL) string {
		for _, field := range []string{"t", "threadid"} {
			if id := u.Query().Get(field); id != "" {
				return id
			}
		}
		return submatch(vbulletinSlug, u.RequestURI())
	},
}

// vbulletinThread is in forms around the posts: to search in the thread, to go to a page, to rate it, to answer quickly.
var vbulletinThread = spot{css(`input[name="searchthreadid"], form.pagination input[name="t"], form[action*="threadrate.php"] input[name="t"], #qrform input[name="t"]`), "value"}

// vbulletinSlug are addresses like showthread.php/2211-Title/page3, threads/2211-Title, node/2211 and forum/games/2211-title.
var vbulletinSlug = regexp.MustCompile(`(?:showthread\.php[/?]|/threads/|/node/|^/(?:[^/?]+/)+)(\d+)(?:-[^/?&]*)?(?:[/?&#]|$)`)

// vbulletinFirst is the first page of a thread of version 5, whose address is not made of its number.
func vbulletinFirst(u *url.URL) string {
	if !vbulletin5Path.MatchString(u.Path) {
		return ""
	}
	first := *u
	first.Path, first.RawPath, first.RawQuery, first.Fragment = vbulletinPage.ReplaceAllString(u.Path, ""), "", "", ""
	return first.String()
}

var (
	vbulletin5Path = regexp.MustCompile(`/node/\d+|/forum/(?:[^/.]+/)*\d+-[^/]*(?:/page\d+)?$`)
	vbulletinPage  = regexp.MustCompile(`/page\d+$`)
)

// outWith takes out of a body everything of a kind, each with the nearest of the boxes around it.
func outWith(kind, box string) func(body *goquery.Selection) {
	inner, outer := css(kind), css(box)
	return func(body *goquery.Selection) {
		body.FindMatcher(inner).Each(func(_ int, s *goquery.Selection) {
			if around := s.ClosestMatcher(outer); around.Length() > 0 {
				s = around
			}
			s.Remove()
		})
	}
}

// unixDate is an instant that a theme keeps as seconds since 1970, written out; "" when it is no such number.
func unixDate(s string) string {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	if err != nil || n <= 0 {
		return ""
	}
	return time.Unix(n, 0).UTC().Format(time.RFC3339)
}
