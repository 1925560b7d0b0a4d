package forum

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/PuerkitoBio/goquery"
)

// punbb is PunBB 1.3 and 1.4. Its addresses may be spoken ones: topic2.html, topic/2/title/, user/3/.
var punbb = &family{
	name: "punbb",
	themes: []theme{{
		name:  "punbb",
		known: css(`#brd-wrap`),
		post:  css(`div.main-topic > div.post`),
		id:    spot{css(`.posthead[id#=(^p[0-9]+$)]`), "id"}, author: spot{css(`.author-ident .username`), ""},
		date: spot{css(`.posthead a.permalink`), ""}, permalink: spot{css(`.posthead a.permalink`), "href"}, subject: spot{css(`.entry-title`), ""},
		body: css(`.entry-content`), omit: css(`.quotebox, blockquote, .sig-content, .lastedit, .attachments`), passing: css(`.sig-content, cite, .attachments`),
		edited: css(`.posthead .post-edit, .lastedit`), attached: css(`.attachments p`),
		next:  spot{css(`link[rel="next"], .paging strong ~ a`), "href"},
		title: spot{css(`.main-title a`), ""}, mark: spot{css(`.paging strong`), ""}, thread: spot{css(`.main-title a.permalink`), "href"},
		message: css(`.main-message, .error-box:not(#req-msg)`), boxes: css(`#brd-head, #brd-about`),

		userOf: func(post *goquery.Selection) string {
			href := first(post, punbbUser).AttrOr("href", "")
			if m := spokenUser.FindStringSubmatch(href); m != nil {
				return m[1]
			}
			return href
		},
		count: func(page *goquery.Document) string {
			return strings.NewReplacer(",", "", ".", "", "\u00a0", "").Replace(first(page.Selection, punbbCount).Text())
		},
	}},
	thread: func(base *url.URL, id string) string { return within(base, "viewtopic.php?id="+url.QueryEscape(id)) },
	from: func(base *url.URL, _, post string) string {
		return within(base, "viewtopic.php?pid="+url.QueryEscape(post))
	},
	threadID: func(u *url.URL) string {
		if m := spokenTopic.FindStringSubmatch(u.Path); m != nil {
			return m[1]
		}
		return topicOf("id")(u)
	},
}

var (
	punbbUser   = css(`.author-ident .username a`)
	punbbCount  = css(`.main-head .item-info`)
	spokenUser  = regexp.MustCompile(`/user[-/]?(\d+)`)
	spokenTopic = regexp.MustCompile(`/topic[-/]?(\d+)`)
)
