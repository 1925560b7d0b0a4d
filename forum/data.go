package forum

import (
	"fmt"
	"net/url"
	"strings"
)

// dataPage gathers a page out of an answer of JSON or XML.
type dataPage struct {
	page  Page
	theme theme
	root  string // of the board, without a slash at the end
	host  string
}

// newData begins a page of a family that is read as data. The board's root is its address before a part of the path.
func newData(f *family, a Answer, before string) *dataPage {
	d := &dataPage{theme: f.themes[0], page: Page{Board: f.name, Theme: f.themes[0].name, Kind: Thread, Total: -1}}
	d.page.Thread = f.threadOf(a.URL)
	if u, err := url.Parse(a.URL); err == nil && u.Host != "" {
		path, _, _ := strings.Cut(u.Path, before)
		d.host, d.root = u.Host, u.Scheme+"://"+u.Host+strings.TrimRight(path, "/")
	}
	return d
}

// add puts a post with a body of HTML on the page. A body that is nil was not shown.
func (d *dataPage) add(p Post, body *string) {
	if number(p.ID, 0) == 0 {
		d.broken("a post has no id")
		return
	}
	problem := func(what string) { d.page.Problems = append(d.page.Problems, fmt.Sprintf("post %s: %s", p.ID, what)) }
	if body == nil {
		problem("its text is not where this board keeps it")
	} else if content, err := bodyOf(*body); err != nil {
		d.broken("post " + p.ID + ": elements are nested deeper than 512 in it, which cannot be read")
	} else {
		if d.theme.attached != nil {
			p.Attachments = content.FindMatcher(d.theme.attached).Length()
		}
		d.theme.fill(&p, content, d.host)
	}
	if p.Author == "" {
		problem("it has no author")
	}
	if p.Posted.IsZero() {
		problem("it has no date that can be read")
	}
	d.page.Posts = append(d.page.Posts, p)
}

// broken says why the page is unreadable.
func (d *dataPage) broken(why string) {
	d.page.Kind = Unreadable
	d.page.Problems = append(d.page.Problems, why)
}

// done is the page: what is unreadable gives no posts.
func (d *dataPage) done() Page {
	if d.page.Kind != Thread {
		d.page.Posts = nil
	}
	return d.page
}
