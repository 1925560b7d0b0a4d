package testboard

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
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
