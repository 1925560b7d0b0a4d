package testboard

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// discourse is Discourse, its JSON alone.
var discourse = &Skin{
	Name: "discourse", Family: "discourse", Size: 20, Cookie: "_forum_session",
	Address: func(thread, _ int) string { return fmt.Sprintf("/t/%d.json", thread) },
	Ask: func(r *http.Request, _ int) *Want {
		m := discourseTopic.FindStringSubmatch(r.URL.Path)
		if m == nil {
			return nil
		}
		w := &Want{Thread: numberOf(m[1]), Forced: true}
		if m[2] != "" {
			w.Only = []int{}
			for _, id := range r.URL.Query()["post_ids[]"] {
				w.Only = append(w.Only, numberOf(id))
			}
		}
		return w
	},
	Date:  func(t, _ time.Time, _ string) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") },
	Noted: func(_ Edit, after time.Duration) bool { return after > 300*time.Second },
	Markup: Markup{
		Markdown: true, Code: func(text string) string { return `<pre><code class="lang-auto">` + text + "\n</code></pre>\n" }, List: items,
		Quote: func(q Quoted) string {
			return fmt.Sprintf("<aside class=\"quote no-group\" data-username=\"%s\" data-post=\"%d\"><div class=\"title\"><div class=\"quote-controls\"></div> %s:</div>\n<blockquote>\n%s</blockquote></aside>\n", q.Name, q.Post, q.Name, q.Inner)
		},
		Link: func(href, text string) string {
			if text == href {
				return `<a href="` + href + `" class="inline-onebox" rel="noopener nofollow ugc">A page of another site</a>`
			}
			return `<a href="` + href + `" rel="noopener nofollow ugc">` + text + `</a>`
		},
		Emoji: func(r string) string {
			return `<img src="/images/emoji/twitter/x.png?v=12" title="` + r + `" class="emoji" alt="` + r + `" loading="lazy" width="20" height="20">`
		},
		Mention: func(u User) string {
			return fmt.Sprintf(`<a class="mention" href="/u/%d">@%s</a>`, u.ID, escaped(u.Name))
		},
	},
	Write: writeDiscourse, Serve: discourseServe,
	Missing: Missing{Said: "The requested URL or resource could not be found."},
}

var discourseTopic = regexp.MustCompile(`^/t/(?:[^/]+/)?(\d+)(?:\.json|(/posts\.json))$`)

// fields are those of an object of JSON.
type fields map[string]any

func writeDiscourse(p *Page) (string, []byte, error) {
	const kind = "application/json; charset=utf-8"
	if p.Said != "" {
		b, err := json.Marshal(fields{"errors": []string{p.Said}, "error_type": cmp.Or(p.Code, "not_found")})
		return kind, b, err
	}
	posts := []fields{}
	for _, s := range p.Posts {
		post := fields{
			"id": s.ID, "name": "", "username": s.Author.Name, "user_id": s.Author.ID, "created_at": s.Date, "updated_at": s.Date, "cooked": s.Body, "post_number": s.Number, "post_type": 1,
			"version": 1, "topic_id": p.Thread.ID, "topic_slug": "topic", "hidden": false, "deleted_at": nil, "user_deleted": false, "wiki": s.Wiki,
		}
		if s.Note != nil {
			post["version"], post["updated_at"] = 1+s.Note.Count, s.Note.Date
		}
		posts = append(posts, post)
	}
	topic := fields{"id": p.Thread.ID, "post_stream": fields{"posts": posts}}
	if !strings.Contains(p.Asked, "/posts.json") {
		topic = fields{
			"id": p.Thread.ID, "title": p.Thread.Title, "slug": "topic", "posts_count": p.Total, "chunk_size": p.Size, "closed": p.Thread.Locked,
			"post_stream": fields{"posts": posts, "stream": p.All},
		}
	}
	b, err := json.Marshal(topic)
	return kind, b, err
}
