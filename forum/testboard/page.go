package testboard

import (
	"html/template"
	"net/url"
	"slices"
	"time"
)

// Page is what a template is given.
type Page struct {
	Board    string    // its title
	Base     string    // its address, with a slash at the end
	Now      time.Time // in the board's zone
	Language string
	Charset  string
	Viewer   User   // ID 0 for a guest
	Asked    string // path and query of the request
	Session  string // to show in links
	Key      string // the skin's token

	Thread Thread
	Posts  []Shown
	All    []int // ids of all posts of the thread that the viewer sees
	First  int   // number of posts before the first on this page
	Number int   // of the page, from 1
	Pages  int
	Size   int
	Total  int // as the board counts

	Said   string // in a message
	Code   string // what is wrong, where the board names it in no language
	Onward string // address that a message sends to after some seconds
	Form   *Form  // of a form or a log-in page

	skin *Skin
}

// Shown is a post as a page shows it.
type Shown struct {
	Post
	Number    int       // in its thread, from 1
	Author    User      // ID 0 for a guest or a deleted user
	At        time.Time // posted, in the board's zone
	Date      string    // posted, as the board writes it
	Body      template.HTML
	Signature template.HTML
	Note      *Note // that it was edited
	Ignored   bool  // the viewer does not want to see the author's posts
}

// Note is the note of the last edit that is shown.
type Note struct {
	By     User
	At     time.Time
	Date   string
	Count  int
	Reason string
}

// Form is what a form holds.
type Form struct {
	Action  string
	Hidden  []Field
	Subject string
	Text    string
	Error   string
	Newer   []Shown // posts that were made since the form was shown
	Review  []Shown // the thread's last posts, newest first
}

// Field is a field of a form.
type Field struct{ Name, Value string }

// Link is an address of the board as pages link it: with the session where the board shows one.
func (p *Page) Link(address string) string {
	if p.Session == "" || p.skin.Linked == "" {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if u.RawQuery != "" {
		u.RawQuery += "&"
	}
	u.RawQuery += p.skin.Linked + "=" + p.Session
	return u.String()
}

// Say is a word of the board in its language, given in English.
func (p *Page) Say(english string) string {
	if s := p.skin.Words[p.Language][english]; s != "" {
		return s
	}
	return english
}

// Start is the number of posts before a page's first.
func (p *Page) Start(page int) int { return (page - 1) * p.Size }

// Numbers are the numbers of all pages.
func (p *Page) Numbers() []int {
	list := make([]int, p.Pages)
	for i := range list {
		list[i] = i + 1
	}
	return list
}

// Next is the number of the next page, 0 on the last one.
func (p *Page) Next() int {
	if p.Number < p.Pages {
		return p.Number + 1
	}
	return 0
}

// Previous is the number of the page before, 0 on the first one.
func (p *Page) Previous() int { return p.Number - 1 }

// Date writes an instant as the board does.
func (p *Page) Date(t time.Time) string {
	return p.skin.Date(t.In(p.Now.Location()), p.Now, p.Language)
}

// Clock is what the board says of its zone.
func (p *Page) Clock() string { return p.skin.Clock(p.Now, p.Language) }

// newPage is a page without posts.
func (b *Board) newPage(x *Exchange) *Page {
	zone := b.Zone
	if zone == nil {
		zone = time.UTC
	}
	p := &Page{
		Board: b.Title, Base: "http://" + x.R.Host + "/", Now: b.Now().In(zone), Language: b.Language, Charset: b.Skin.Charset,
		Viewer: x.User, Asked: x.R.RequestURI, Session: x.shown, Number: 1, Pages: 1, Size: b.size(), skin: b.Skin,
	}
	if p.Language == "" {
		p.Language = "en"
	}
	if b.Skin.Key != nil && x.session != nil {
		p.Key = b.Skin.Key(x)
	}
	if p.Charset == "" {
		p.Charset = "utf-8"
	}
	return p
}

func (b *Board) size() int {
	if b.Size > 0 {
		return b.Size
	}
	return b.Skin.Size
}

// noPage says why there is no page of a thread.
type noPage int

const (
	found noPage = iota
	missing
	moved
	pastEnd
	redirectEnd
)

// threadPage makes the page of a thread that is wanted, or says why there is none.
func (b *Board) threadPage(x *Exchange, want Want) (*Page, noPage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.newPage(x)
	if want.Post > 0 && want.Thread == 0 && want.Post <= len(b.posts) {
		want.Thread = b.post(want.Post).Thread
	}
	if want.Thread < 1 || want.Thread > len(b.threads) {
		return p, missing
	}
	p.Thread = *b.thread(want.Thread)
	if p.Thread.Moved > 0 {
		return p, moved
	}
	all := b.visible(p.Thread.ID, x.User)
	for _, post := range all {
		p.All = append(p.All, post.ID)
	}
	p.Total = len(all) + b.miscount
	if want.Only != nil {
		for _, id := range want.Only {
			if i := slices.Index(p.All, id); i >= 0 {
				p.Posts = append(p.Posts, b.show(p, all[i], i+1))
			}
		}
		return p, found
	}
	order := slices.Clone(all)
	newest := want.Newest || b.Newest && !want.Forced
	if newest {
		slices.Reverse(order)
	}
	if want.Filters > 0 {
		order = nil
	}
	if none := b.turn(p, order, want); none != found {
		return p, none
	}
	for i := p.First; i < min(len(order), p.First+p.Size); i++ {
		number := i + 1
		if newest {
			number = len(order) - i
		}
		p.Posts = append(p.Posts, b.show(p, order[i], number))
	}
	return p, found
}

// turn turns to the page that is wanted.
func (b *Board) turn(p *Page, order []*Post, want Want) noPage {
	p.Pages = max(1, (len(order)+p.Size-1)/p.Size)
	if b.ending && len(order) > 0 && len(order)%p.Size == 0 {
		p.Pages++
	}
	switch i := slices.IndexFunc(order, func(post *Post) bool { return post.ID == want.Post }); {
	case i >= 0:
		p.Number = i/p.Size + 1
	case want.Post > 0 && !b.Skin.Lost:
		return missing
	case want.Last:
		p.Number = p.Pages
	case want.Page > 0:
		p.Number = want.Page
	default:
		p.Number = want.Start/p.Size + 1
	}
	if p.Number > p.Pages {
		switch b.Skin.PastEnd {
		case EndLast:
			p.Number = p.Pages
		case EndFirst:
			p.Number = 1
		case EndMessage:
			return pastEnd
		case EndRedirect:
			return redirectEnd
		}
	}
	p.First = p.Start(p.Number)
	return found
}

// visible are the posts of a thread that somebody sees: staff sees those that wait, and deleted ones where the board keeps them.
func (b *Board) visible(thread int, viewer User) []*Post {
	var list []*Post
	for _, p := range b.posts {
		staff := viewer.Staff() && (!p.Deleted || b.Skin.Trash)
		if p.Thread == thread && (!p.Deleted && !p.Waiting || staff) {
			list = append(list, p)
		}
	}
	return list
}

// show makes of a post what a page shows.
func (b *Board) show(p *Page, post *Post, number int) Shown {
	s := Shown{Post: post.copy(), Number: number, At: post.Posted.In(p.Now.Location()), Date: p.Date(post.Posted)}
	s.Author = b.author(post.Author, post.Name)
	s.Ignored = b.foes[[2]int{p.Viewer.ID, post.Author}]
	markup := b.Skin.Markup
	if post.NoSmilies {
		markup.Smilies = nil
	}
	s.Body = markup.html(post.Text, b, p)
	if s.Author.Signature != "" {
		s.Signature = b.Skin.Markup.html(s.Author.Signature, b, p)
	}
	for _, e := range post.Edits {
		if !e.Shown {
			continue
		}
		count := 1
		if s.Note != nil {
			count = s.Note.Count + 1
		}
		s.Note = &Note{By: b.author(e.By, ""), At: e.At.In(p.Now.Location()), Date: p.Date(e.At), Count: count, Reason: e.Reason}
	}
	return s
}

func (b *Board) author(id int, name string) User {
	if id == 0 {
		return User{Name: name}
	}
	return *b.user(id)
}
