package testboard

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// Skin is one kind of board and theme. Fields that may be left out say what happens then.
type Skin struct {
	Name   string // and of its folder of templates
	Family string // as configs name it
	Size   int    // posts on a page

	Charset string // of its pages; "" for UTF-8
	Cookie  string // that holds the session; "sid" when ""
	Linked  string // parameter of links that holds the session on the first visit, "" when the board does not do that

	Address func(thread, page int) string                           // of a page of a thread, from the board's root; pages count from 1
	Ask     func(r *http.Request, size int) *Want                   // what page of which thread a request is for, nil for none
	Date    func(t, now time.Time, language string) string          // both in the zone of the board
	Clock   func(now time.Time, language string) string             // what its pages say of their zone; nil: nothing
	Noted   func(e Edit, after time.Duration) bool                  // whether an edit leaves a note; nil: always
	Markup  Markup                                                  // how texts become HTML
	Merge   time.Duration                                           // a reply within it goes into the writer's own last post; 0: never
	Words   map[string]map[string]string                            // by language: the board's own words, by the English ones
	Write   func(p *Page) (contentType string, b []byte, err error) // the page of a thread, or of a message when Said is set, in place of templates
	Serve   func(x *Exchange) bool                                  // answers requests that are not for a thread page; false: neither
	Key     func(x *Exchange) string                                // a token that every page shows; nil: none does

	PastEnd End  // what a page past the end is
	Lost    bool // the permalink of a deleted post shows a page without it, and not a message
	Trash   bool // moderators see deleted posts
	Missing Missing
}

// End is what a board answers when it is asked for a page past the end of a thread.
type End int

// What a page past the end is.
const (
	EndLast     End = iota // the last page
	EndFirst               // the first page
	EndMessage             // a message that there is nothing
	EndRedirect            // it sends to the last page
)

// Missing is what a board answers for a thread that is not there.
type Missing struct {
	Status   int    // 404 when 0
	Template string // "message" when ""
	Said     string
}

// Want is the page that a request is for. Start and Page are two ways to say which; the first page when both are 0.
type Want struct {
	Thread  int
	Post    int   // the page that holds this post, of any thread when Thread is 0
	Start   int   // number of posts before the page's first
	Page    int   // from 1
	Last    bool  // the last page
	Only    []int // these posts and no page
	Forced  bool  // oldest first, whatever was set
	Newest  bool  // newest first
	Filters int   // how many parameters hide posts; the page is then empty
}

// Skins are all kinds of boards and themes.
func Skins() []*Skin {
	return []*Skin{
		phpbb33,
		phpbb30,
		subsilver2,
		phpbb2,
		fluxbb15,
		punbb14,
		mybb18,
		smf20,
		smf21,
		xenforo1,
		xenforo2,
		vbulletin3,
		vbulletin4,
		vbulletin5,
		invision4,
		invision2,
		nodebb,
		discourse,
		flarum,
		boardgamegeek,
	}
}

// SkinNamed returns a skin by its name, nil when there is none.
func SkinNamed(name string) *Skin {
	for _, s := range Skins() {
		if s.Name == name {
			return s
		}
	}
	return nil
}

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

//go:embed skins
var folders embed.FS

// templates are those of all skins, by the names of their folders.
var templates = sync.OnceValue(func() map[string]*template.Template {
	list, err := folders.ReadDir("skins")
	if err != nil {
		panic("testboard: " + err.Error())
	}
	all := map[string]*template.Template{}
	for _, folder := range list {
		t := template.New(folder.Name()).Funcs(template.FuncMap{"add": func(a, b int) int { return a + b }, "mod": func(a, b int) int { return a % b }, "raw": func(s string) template.HTML { return template.HTML(s) }})
		all[folder.Name()] = template.Must(t.ParseFS(folders, "skins/"+folder.Name()+"/*.html"))
	}
	return all
})

// render writes a page by one of the skin's templates.
func (p *Page) render(name string) ([]byte, error) {
	t := templates()[p.skin.Name]
	if t == nil {
		return nil, fmt.Errorf("%s: it has no templates", p.skin.Name)
	}
	var out bytes.Buffer
	err := t.ExecuteTemplate(&out, name, p)
	return out.Bytes(), err
}

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

// threadPage fills the page that is wanted. Where there is none it says why: gone, or past the end.
type noPage int

const (
	found noPage = iota
	missing
	moved
	pastEnd
	redirectEnd
)

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
	newest := want.Newest || b.Newest && !want.Forced
	order := slices.Clone(all)
	if newest {
		slices.Reverse(order)
	}
	if want.Filters > 0 {
		order = nil
	}
	p.Total = len(all) + b.miscount
	p.Pages = max(1, (len(order)+p.Size-1)/p.Size)
	if b.ending && len(order) > 0 && len(order)%p.Size == 0 {
		p.Pages++
	}
	if want.Only != nil {
		for _, id := range want.Only {
			if i := slices.Index(p.All, id); i >= 0 {
				p.Posts = append(p.Posts, b.show(p, all[i], i+1))
			}
		}
		return p, found
	}
	switch i := slices.IndexFunc(order, func(post *Post) bool { return post.ID == want.Post }); {
	case i >= 0:
		p.Number = i/p.Size + 1
	case want.Post > 0 && !b.Skin.Lost:
		return p, missing
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
			return p, pastEnd
		case EndRedirect:
			return p, redirectEnd
		}
	}
	p.First = p.Start(p.Number)
	for i := p.First; i < min(len(order), p.First+p.Size); i++ {
		number := i + 1
		if newest {
			number = len(order) - i
		}
		p.Posts = append(p.Posts, b.show(p, order[i], number))
	}
	return p, found
}

// visible are the posts of a thread that somebody sees.
func (b *Board) visible(thread int, viewer User) []*Post {
	var list []*Post
	for _, p := range b.posts {
		hidden := p.Deleted && !b.Skin.Trash || p.Waiting || p.Deleted
		if p.Thread == thread && (!hidden || viewer.Staff() && (p.Waiting || b.Skin.Trash)) {
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
