package forum

import (
	"net/url"
	"regexp"

	"github.com/PuerkitoBio/goquery"
)

// nodebb is NodeBB.
var nodebb = &family{
	name:    "nodebb",
	charset: "utf-8",
	themes: []theme{{
		name:  "html",
		known: css(`[component="post"], [component="topic"], body[class*="page-status-"], script[src*="nodebb.min.js"]`),
		post:  css(`[component="post"][data-pid]`), not: css(`.deleted`),
		id:       spot{attr: "data-pid"},
		author:   spot{attr: "data-username"},
		authorID: spot{attr: "data-uid"},
		dateOf: func(post *goquery.Selection, _ *goquery.Document) string {
			milliseconds := post.AttrOr("data-timestamp", "")
			return unixDate(milliseconds[:max(0, len(milliseconds)-3)])
		},

		permalink: spot{css(`a.permalink, a.post-index, a.timeago, a:has(.timeago)`), "href"},
		body:      css(`[component="post/content"]`),
		omit:      css(`blockquote, summary, [component="post/parent"], [component="poll"], .poll-view, .card.link-preview, [component="link-preview"]`),
		edited:    css(`[component="post/editor"][data-editor]:not([data-editor=""])`),
		next:      spot{css(`link[rel="next"], li.next:not(.disabled) a`), "href"},
		canonical: spot{css(`link[rel="canonical"]`), "href"},
		title:     spot{css(`[component="topic/title"]`), ""},
		mark:      spot{css(`[component="pagination"] li.page.active a, .pagination li.page.active a`), ""},
		thread:    spot{css(`[component="topic"]`), "data-tid"},
		message:   css(`body[class*="page-status-4"] #content, body[class*="page-status-5"] #content, #content .alert-danger`),
	}},
	thread: func(base *url.URL, id string) string {
		return within(base, "topic/"+url.PathEscape(id)+"?sort=oldest_to_newest")
	},
	from: func(base *url.URL, _, post string) string {
		return within(base, "post/"+url.PathEscape(post)+"?sort=oldest_to_newest")
	},
	threadID: func(u *url.URL) string {
		if m := nodebbTopic.FindStringSubmatch(u.Path); m != nil {
			return m[1]
		}
		return ""
	},
}

// nodebbTopic is the path of a topic.
var nodebbTopic = regexp.MustCompile(`/topic/(\d+)(?:/|$)`)
