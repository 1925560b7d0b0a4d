package testboard

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// flarum is Flarum, its JSON alone.
var flarum = &Skin{
	Name: "flarum", Family: "flarum", Size: 50, Cookie: "flarum_session",
	Address: func(thread, page int) string { return flarumAddress(thread, (page-1)*50) },
	Ask: func(r *http.Request, _ int) *Want {
		if r.URL.Path != "/api/posts" {
			return nil
		}
		q := r.URL.Query()
		return &Want{Thread: numberOf(q.Get("filter[discussion]")), Start: numberOf(q.Get("page[offset]")), Forced: q.Get("sort") == "number"}
	},
	Date: func(t, _ time.Time, _ string) string { return t.UTC().Format("2006-01-02T15:04:05-07:00") },
	Markup: Markup{
		Markdown: true, Code: func(text string) string { return "<pre><code>" + text + "</code></pre>\n" }, List: items,
		Link: func(href, text string) string {
			return `<a href="` + href + `" rel="ugc noopener nofollow">` + text + `</a>`
		},
		Emoji: func(r string) string {
			return `<img alt="` + r + `" class="emoji" draggable="false" loading="lazy" src="//cdn.forum.example/1f3b2.svg">`
		},
		Mention: func(u User) string {
			return fmt.Sprintf(`<a href="/u/%d" class="UserMention">@%s</a>`, u.ID, escaped(u.Name))
		},
	},
	Write: writeFlarum, Serve: flarumServe,
	Missing: Missing{Said: "not_found"},
}

func flarumAddress(thread, offset int) string {
	q := url.Values{"filter[discussion]": {strconv.Itoa(thread)}, "sort": {"number"}, "page[limit]": {"50"}}
	if offset > 0 {
		q.Set("page[offset]", strconv.Itoa(offset))
	}
	return "/api/posts?" + q.Encode()
}

func writeFlarum(p *Page) (string, []byte, error) {
	const kind = "application/vnd.api+json"
	if p.Said != "" {
		e := fields{"status": "404", "code": p.Said}
		if p.Code == "not_logged_in" {
			e = fields{"status": "401", "code": "not_authenticated"}
		}
		b, err := json.Marshal(fields{"errors": []fields{e}})
		return kind, b, err
	}
	related := func(kind string, id int) fields {
		return fields{"data": fields{"type": kind, "id": strconv.Itoa(id)}}
	}
	data, users := []fields{}, map[int]bool{}
	included := []fields{{"type": "discussions", "id": strconv.Itoa(p.Thread.ID), "attributes": fields{"title": p.Thread.Title}}}
	for _, s := range p.Posts {
		attributes := fields{"number": s.Number, "createdAt": s.Date, "contentType": "comment", "contentHtml": s.Body, "renderFailed": false}
		if s.Note != nil {
			attributes["editedAt"] = s.Note.Date
		}
		data = append(data, fields{
			"type": "posts", "id": strconv.Itoa(s.ID), "attributes": attributes,
			"relationships": fields{"user": related("users", s.Author.ID), "discussion": related("discussions", p.Thread.ID)},
		})
		if !users[s.Author.ID] {
			users[s.Author.ID] = true
			included = append(included, fields{"type": "users", "id": strconv.Itoa(s.Author.ID), "attributes": fields{"username": s.Author.Name, "displayName": s.Author.Name}})
		}
	}
	links := fields{"first": p.Base + flarumAddress(p.Thread.ID, 0)[1:]}
	if p.Next() > 0 {
		links["next"] = p.Base + flarumAddress(p.Thread.ID, p.Start(p.Next()))[1:]
	}
	b, err := json.Marshal(fields{"links": links, "data": data, "included": included})
	return kind, b, err
}
