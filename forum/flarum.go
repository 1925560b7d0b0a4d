package forum

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"time"
)

// flarum is Flarum, by its JSON.
var flarum = &family{
	name:    "flarum",
	posting: flarumPosting,
	charset: "utf-8",
	themes: []theme{{
		name:     "json",
		omit:     css(`blockquote, summary, [data-fof-upload-download-uuid], .Poll`),
		attached: css(`[data-fof-upload-download-uuid]`),
	}},
	data: readFlarum,
	keys: flarumKeys,
	thread: func(base *url.URL, id string) string {
		return within(base, "api/posts?"+url.Values{"filter[discussion]": {id}, "sort": {"number"}, "page[limit]": {"50"}}.Encode())
	},
	threadID: func(u *url.URL) string {
		if id := u.Query().Get("filter[discussion]"); id != "" {
			return id
		}
		if m := flarumDiscussion.FindStringSubmatch(u.Path); m != nil {
			return m[1]
		}
		return ""
	},
}

// flarumDiscussion is the path of a discussion, for people and of the API.
var flarumDiscussion = regexp.MustCompile(`/(?:d|api/discussions)/(\d+)(?:[-/]|$)`)

type flarumPosts struct {
	Links struct {
		Next string `json:"next"`
	} `json:"links"`
	Data     []flarumPost     `json:"data"`
	Included []flarumIncluded `json:"included"`
}

type flarumPost struct {
	Type       string `json:"type"`
	ID         string `json:"id"`
	Attributes struct {
		Number      int       `json:"number"`
		Created     time.Time `json:"createdAt"`
		ContentType string    `json:"contentType"`
		ContentHTML *string   `json:"contentHtml"`
		Edited      string    `json:"editedAt"`
		Hidden      bool      `json:"isHidden"`
	} `json:"attributes"`
	Relationships struct {
		User       flarumRelation `json:"user"`
		Discussion flarumRelation `json:"discussion"`
	} `json:"relationships"`
}

type flarumRelation struct {
	Data struct {
		ID string `json:"id"`
	} `json:"data"`
}

type flarumIncluded struct {
	Type       string `json:"type"`
	ID         string `json:"id"`
	Attributes struct {
		Username string `json:"username"`
		Title    string `json:"title"`
	} `json:"attributes"`
}

type flarumErrors struct {
	Errors []struct {
		Status string `json:"status"`
		Code   string `json:"code"`
		Detail string `json:"detail"`
	} `json:"errors"`
}

func readFlarum(f *family, a Answer, text string) (Page, bool) {
	var errors flarumErrors
	if err := json.Unmarshal([]byte(text), &errors); err == nil && len(errors.Errors) > 0 && errors.Errors[0].Status != "" {
		e := errors.Errors[0]
		return saidJSON(e.Status == "401" || e.Code == "not_authenticated", e.Status+" "+e.Code+" "+e.Detail), true
	}
	var kinds struct {
		Data []struct {
			Type string `json:"type"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(text), &kinds); err != nil || kinds.Data == nil || len(kinds.Data) > 0 && kinds.Data[0].Type != "posts" {
		return Page{}, false
	}
	if len(kinds.Data) == 0 { // so it answers for a discussion that does not exist, and past the end of one
		return saidJSON(false, "There are no posts."), true
	}
	var list flarumPosts
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return unreadable("its JSON is not that of posts of Flarum: " + err.Error()), true
	}
	return list.page(f, a), true
}

func (list flarumPosts) page(f *family, a Answer) Page {
	d := newData(f, a, "/api/")
	d.page.Next = list.Links.Next
	names := map[string]string{}
	for _, i := range list.Included {
		switch i.Type {
		case "users":
			names[i.ID] = i.Attributes.Username
		case "discussions":
			d.page.Title = fold(i.Attributes.Title)
		}
	}
	for _, p := range list.Data {
		if d.page.Thread == "" {
			d.page.Thread = p.Relationships.Discussion.Data.ID
		}
		if p.Type == "posts" && p.Attributes.ContentType == "" {
			d.broken("a post does not say of what type it is")
		}
		if p.Type != "posts" || p.Attributes.ContentType != "comment" || p.Attributes.Hidden {
			continue
		}
		user := p.Relationships.User.Data.ID
		post := Post{ID: p.ID, Author: names[user], AuthorID: user, Edited: p.Attributes.Edited != ""}
		if !p.Attributes.Created.IsZero() {
			post.Posted = exactly(p.Attributes.Created)
		}
		post.Permalink = fmt.Sprintf("%s/d/%s/%d", d.root, d.page.Thread, p.Attributes.Number)
		d.add(post, p.Attributes.ContentHTML)
	}
	return d.done()
}

// flarumPosting is the API of Flarum.
var flarumPosting = &posting{api: flarumReply, limit: 30_000, markup: markdown{}.write}
