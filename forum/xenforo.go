package forum

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

// xenforo is XenForo 2 and 1, and the REST of 2. Posts of people on an ignore list stand on the page with their text and are posts like others.
var xenforo = &family{
	name:    "xenforo",
	posting: xenforoPosting,
	themes: []theme{{
		name:  "xenforo 2",
		known: css(`html#XF`),
		post:  css(`article.message--post[data-content^="post-"]`), not: css(`.message--deleted, .is-deleted, .is-moderated`),
		id: spot{attr: "data-content"}, author: spot{attr: "data-author"}, authorID: spot{css(`.message-name [data-user-id], .message-userDetails [data-user-id]`), "data-user-id"},
		dateOf: func(post *goquery.Selection, _ *goquery.Document) string {
			at := first(post, xenforoTime)
			if date := unixDate(at.AttrOr("data-time", "")); date != "" {
				return date
			}
			return at.AttrOr("datetime", "")
		},
		permalink: spot{css(`.message-attribution a[href*="post-"], .message-attribution a[href*="/posts/"]`), "href"},
		body:      css(`.message-body .bbWrapper`),
		omit: css(`.bbCodeBlock--quote, .bbCodeBlock-title, .bbCodeBlock-expandLink, .bbCodeBlock-shrinkLink, .bbCodeSpoiler-button, ` +
			`.bbCodeBlock--unfurl, .bbCodeBlock--embed, .dice_container`),
		passing: css(`.bbCodeBlock--unfurl`), edited: css(`.message-lastEdit`), attached: css(`.message-attachments li`),
		next: spot{css(`a.pageNav-jump--next`), "href"}, canonical: spot{css(`link[rel="canonical"]`), "href"},
		thread: spot{css(`html[data-content-key^="thread-"]`), "data-content-key"},
		title:  spot{css(`.p-title-value`), ""}, mark: spot{css(`.pageNav-page--current`), ""},
		// A warning of old browsers stands on every page.
		message: css(`.blockMessage:not(.js-browserWarning):not(.u-noJsOnly)`),
	}, {
		name:  "xenforo 1",
		known: css(`html#XenForo`),
		post:  css(`#messageList > li.message[id^="post-"]`), not: css(`.deleted, .moderated`),
		id: spot{attr: "id"}, author: spot{attr: "data-author"}, authorID: spot{css(`.messageUserInfo a[href*="members/"]`), "href"},
		dateOf:    xenforoDate,
		permalink: spot{css(`.messageMeta a.datePermalink, .messageMeta a.hashPermalink, .messageMeta a[href*="posts/"]`), "href"},
		body:      css(`.messageContent blockquote.messageText`),
		omit:      css(`.bbCodeQuote, .messageTextEndMarker, .dice_container, .bbCodeBlock > .type, .bbCodeSpoilerButton, .editDate, .attachedFiles`),
		edited:    css(`.editDate`), attached: css(`.attachedFiles .attachment`),
		nextOf: xenforoNext, canonical: spot{css(`link[rel="canonical"]`), "href"},
		title: spot{css(`.titleBar h1`), ""}, mark: spot{css(`.PageNav`), "data-page"},
		message: css(`.errorPanel, .errorOverlay, .messageBody`), boxes: css(`#loginBar`),
		clock: spot{css(`.messageMeta abbr.DateTime[data-time]`), ""}, now: spot{css(`.messageMeta abbr.DateTime[data-time]`), "data-time"},
	}},
	data: readXenForo,
	keys: xenforoKeys,
	thread: func(base *url.URL, id string) string {
		if xenforoREST(base) {
			return within(base, "threads/"+url.PathEscape(id)+"/posts")
		}
		return xenforoAddress(base, "threads/"+url.PathEscape(id)+"/")
	},
	from: func(base *url.URL, _, post string) string {
		if xenforoREST(base) {
			return ""
		}
		return xenforoAddress(base, "posts/"+url.PathEscape(post)+"/")
	},
	threadID: func(u *url.URL) string {
		return submatch(xenforoThread, u.RequestURI())
	},
}

var xenforoThread = regexp.MustCompile(`[/?]threads/(?:[^/?#]*\.)?(\d+)(?:[/?#]|$)`)

// xenforoREST tells whether a board is read by its REST: its address is that of the API.
func xenforoREST(base *url.URL) bool { return strings.HasSuffix(base.Path, "/api/") }

// xenforoAddress is an address of a board; one whose own ends in index.php has its pages behind a question mark.
func xenforoAddress(base *url.URL, rest string) string {
	switch {
	case xenforoREST(base):
		rest = strings.TrimPrefix(rest, "api/")
	case strings.HasSuffix(base.Path, "/index.php"):
		rest = "index.php?" + rest
	}
	return within(base, rest)
}

var (
	xenforoTime   = css(`.message-attribution time[datetime]`)
	xenforo1Time  = css(`.messageMeta .DateTime`)
	xenforo1Pages = css(`.PageNav`)
)

// xenforoDate is the date of a post of XenForo 1: recent ones have the instant, old ones their local time in a title.
func xenforoDate(post *goquery.Selection, _ *goquery.Document) string {
	at := first(post, xenforo1Time)
	if date := unixDate(at.AttrOr("data-time", "")); date != "" {
		return date
	}
	return at.AttrOr("title", at.Text())
}

// xenforoNext is the page after the one that XenForo 1 marks: the first link behind the mark, or else what its script would make of
// the address that it gives for all pages.
func xenforoNext(page *goquery.Document, at *url.URL) string {
	nav := first(page.Selection, xenforo1Pages)
	now, last := number(nav.AttrOr("data-page", ""), 0), number(nav.AttrOr("data-last", ""), 0)
	if now >= last {
		return ""
	}
	if href := nav.Find("a.currentPage ~ a[href]").First().AttrOr("href", ""); href != "" {
		return href
	}
	next := strconv.Itoa(now + 1)
	if pattern, mark := nav.AttrOr("data-baseurl", ""), nav.AttrOr("data-sentinel", ""); mark != "" && strings.Contains(pattern, mark) {
		return strings.ReplaceAll(pattern, mark, next)
	}
	return strings.TrimSuffix(xenforoPage.ReplaceAllString(at.Path, ""), "/") + "/page-" + next
}

var xenforoPage = regexp.MustCompile(`/page-\d+$`)

// xenforoPosting is how XenForo 2 takes replies: by its API where there is a key, else by its form.
var xenforoPosting = &posting{
	login: func(base *url.URL) string { return xenforoAddress(base, "login/") },
	form: func(base *url.URL, thread string) string {
		return xenforoAddress(base, "threads/"+url.PathEscape(thread)+"/reply")
	},
	user: "login", password: "password", stay: []field{{"remember", "1"}},
	message: "message",
	guest:   css(`html[data-logged-in="false"]`), wrong: css(`.blockMessage--error`),
	post:  func(u *url.URL) string { return submatch(xenforoPost, u.RequestURI()+"#"+u.Fragment) },
	held:  func(u *url.URL) bool { return u.Query().Has("pending_approval") },
	api:   xenforoReply,
	limit: 7_000, markup: bbcode{smilies: true}.write,
}

var xenforoPost = regexp.MustCompile(`(?:/posts/|[/#]post-)(\d+)`)
