package testboard

import (
	"fmt"
	"net/http"
	"regexp"
	"time"
)

// nodebb is NodeBB 3, with pages.
var nodebb = &Skin{
	Name: "nodebb", Family: "nodebb", Size: 20, Cookie: "express.sid",
	Address: func(thread, page int) string {
		if page > 1 {
			return fmt.Sprintf("/topic/%d/topic?page=%d", thread, page)
		}
		return fmt.Sprintf("/topic/%d/topic", thread)
	},
	Ask: func(r *http.Request, _ int) *Want {
		q := r.URL.Query()
		oldest := q.Get("sort") == "oldest_to_newest"
		if m := nodebbTopic.FindStringSubmatch(r.URL.Path); m != nil {
			return &Want{Thread: numberOf(m[1]), Page: numberOf(q.Get("page")), Forced: oldest}
		}
		if m := nodebbPost.FindStringSubmatch(r.URL.Path); m != nil {
			return &Want{Post: numberOf(m[1]), Forced: oldest}
		}
		return nil
	},
	Date: func(t, _ time.Time, _ string) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") },
	Markup: Markup{
		Markdown: true, Code: func(text string) string { return "<pre><code>" + text + "\n</code></pre>\n" }, List: items,
		Link: func(href, text string) string {
			return `<a href="` + href + `" rel="nofollow ugc">` + text + `</a>`
		},
		Emoji: func(r string) string {
			return `<img src="/assets/plugins/nodebb-plugin-emoji/emoji/android/x.png" class="not-responsive emoji emoji-android" style="height:23px" title="` + r + `" alt="` + r + `" />`
		},
		Mention: func(u User) string {
			return fmt.Sprintf(`<a class="plugin-mentions-user plugin-mentions-a" href="/user/%d" aria-label="Profile: %[2]s">@<bdi>%[2]s</bdi></a>`, u.ID, escaped(u.Name))
		},
		Break: "<br />\n",
	},
	PastEnd: EndLast, Trash: true, Missing: Missing{Said: "You seem to have stumbled upon a page that does not exist."},
}

var (
	nodebbTopic = regexp.MustCompile(`^/topic/(\d+)(?:/|$)`)
	nodebbPost  = regexp.MustCompile(`^/post/(\d+)$`)
)
