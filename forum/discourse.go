package forum

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// discourse is Discourse, by its JSON.
var discourse = &family{
	name:    "discourse",
	posting: discoursePosting,
	charset: "utf-8",
	themes: []theme{{
		name:     "json",
		omit:     css(`aside.quote, aside.onebox, blockquote, summary, .chat-transcript, .poll, .lightbox .meta, a.attachment, .codeblock-button-wrapper`),
		attached: css(`a.attachment, .poll`),
		cut:      showAddresses,
	}},
	data: readDiscourse,
	keys: discourseKeys,
	thread: func(base *url.URL, id string) string {
		return within(base, "t/"+url.PathEscape(id)+".json")
	},
	threadID: func(u *url.URL) string {
		if m := discourseTopic.FindStringSubmatch(u.Path); m != nil {
			return m[1]
		}
		return ""
	},
}

// discourseTopic is the path of a topic: with or without its title, with or without the number of a post.
var discourseTopic = regexp.MustCompile(`/t/(?:[^/]*[^/\d][^/]*/)?(\d+)(?:[/.]|$)`)

// discourseChunk is how many posts Discourse gives at once.
const discourseChunk = 20

// showAddresses puts the address of a link in place of the title of the page that it leads to, which the board fetched.
func showAddresses(body *goquery.Selection) {
	body.Find("a.inline-onebox").Each(func(_ int, s *goquery.Selection) { s.SetText(s.AttrOr("href", "")) })
}

type topicJSON struct {
	ID         int64  `json:"id"`
	Title      string `json:"title"`
	Slug       string `json:"slug"`
	Mega       bool   `json:"isMegaTopic"` // so long that the ids of its posts are not told
	PostStream *struct {
		Posts  []postJSON `json:"posts"`
		Stream []int64    `json:"stream"`
	} `json:"post_stream"`
	Errors    []string `json:"errors"`
	ErrorType string   `json:"error_type"`
}

type postJSON struct {
	ID          int64      `json:"id"`
	Number      int        `json:"post_number"`
	Topic       int64      `json:"topic_id"`
	Slug        string     `json:"topic_slug"`
	Username    string     `json:"username"`
	UserID      *int64     `json:"user_id"`
	Created     time.Time  `json:"created_at"`
	Version     int        `json:"version"`
	Cooked      *string    `json:"cooked"`
	Type        int        `json:"post_type"`
	Hidden      bool       `json:"hidden"`
	Deleted     *time.Time `json:"deleted_at"`
	UserDeleted bool       `json:"user_deleted"`
	Wiki        bool       `json:"wiki"`
}

// public tells whether it is a post that everybody sees, and no remark of the board.
func (p postJSON) public() bool {
	return p.Type == 1 && !p.Hidden && p.Deleted == nil && !p.UserDeleted
}

func readDiscourse(f *family, a Answer, text string) (Page, bool) {
	var all struct {
		PostStream json.RawMessage `json:"post_stream"`
	}
	var topic topicJSON
	_ = json.Unmarshal([]byte(text), &all) // what is no object has no posts
	if err := json.Unmarshal([]byte(text), &topic); err != nil {
		return unreadable("its JSON is not that of a topic of Discourse: " + err.Error()), all.PostStream != nil
	}
	if topic.PostStream == nil {
		return saidJSON(topic.ErrorType == "not_logged_in", strings.Join(topic.Errors, " ")), len(topic.Errors) > 0
	}
	return topic.page(f, a), true
}

// saidJSON is the page of an error that came as data.
func saidJSON(login bool, said string) Page {
	p := Page{Kind: Message, Total: -1, Said: fold(said)}
	if login {
		p.Kind = Login
	}
	return p
}

func (topic topicJSON) page(f *family, a Answer) Page {
	d := newData(f, a, "/t/")
	d.page.Title = fold(topic.Title)
	if topic.ID > 0 {
		d.page.Thread = strconv.FormatInt(topic.ID, 10)
	}
	for _, p := range topic.PostStream.Posts {
		if d.page.Thread == "" && p.Topic > 0 {
			d.page.Thread = strconv.FormatInt(p.Topic, 10)
		}
		if p.Type == 0 {
			d.broken("a post does not say of what type it is")
		}
		if !p.public() {
			continue
		}
		post := Post{ID: strconv.FormatInt(p.ID, 10), Author: p.Username, Edited: p.Version > 1, Wiki: p.Wiki}
		if p.UserID != nil {
			post.AuthorID = strconv.FormatInt(*p.UserID, 10)
		}
		if !p.Created.IsZero() {
			post.Posted = exactly(p.Created)
		}
		slug := topic.Slug
		if slug == "" {
			slug = p.Slug
		}
		if slug == "" {
			slug = "-"
		}
		post.Permalink = fmt.Sprintf("%s/t/%s/%s/%d", d.root, slug, d.page.Thread, p.Number)
		d.add(post, p.Cooked)
	}
	d.page.Next = topic.next(a, d)
	return d.done()
}

// next is the address of the posts that come after those of an answer. The first answer lists the ids of all posts; those that
// still have to be asked for are handed on in the fragment, which no server sees.
func (topic topicJSON) next(a Answer, d *dataPage) string {
	posts := topic.PostStream.Posts
	if len(posts) == 0 || d.page.Thread == "" {
		return ""
	}
	asked, err := url.Parse(a.Asked)
	if err != nil {
		asked = &url.URL{}
	}
	last := posts[len(posts)-1]
	rest := fmt.Sprintf("%s/t/%s/posts.json?", d.root, d.page.Thread)
	if topic.Mega || asked.Query().Get("asc") == "true" {
		if len(posts) < discourseChunk {
			return ""
		}
		return rest + url.Values{"asc": {"true"}, "post_number": {strconv.Itoa(last.Number)}}.Encode()
	}
	var ids []string
	for _, id := range topic.PostStream.Stream[slices.Index(topic.PostStream.Stream, last.ID)+1:] {
		ids = append(ids, strconv.FormatInt(id, 10))
	}
	if topic.PostStream.Stream == nil && asked.Fragment != "" {
		ids = strings.Split(asked.Fragment, ",")
	}
	if len(ids) == 0 {
		return ""
	}
	now := min(len(ids), discourseChunk)
	next := rest + url.Values{"post_ids[]": ids[:now]}.Encode()
	if now < len(ids) {
		next += "#" + strings.Join(ids[now:], ",")
	}
	return next
}

// discoursePosting is the API of Discourse.
var discoursePosting = &posting{api: discourseReply, limit: 20_000, markup: markdown{}.write}
