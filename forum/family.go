package forum

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"golang.org/x/text/encoding/htmlindex"
)

// family is one kind of board software.
type family struct {
	name     string                                                   // as configs and JSON have it
	themes   []theme                                                  // of its HTML pages; the first that knows a page reads it
	charset  string                                                   // of pages that do not say; "" for windows-1252
	data     func(f *family, a Answer, text string) (p Page, ok bool) // reads its JSON or XML; ok is false when it is another's; nil: it has none
	thread   func(base *url.URL, id string) string                    // address of a thread's first page, with its order forced
	first    func(address *url.URL) string                            // address of the first page of the thread that an address is of, where an id alone does not lead there; "" or nil: what thread makes of the id
	from     func(base *url.URL, thread, post string) string          // address of the page of a thread that holds a post; nil where there is none
	threadID func(address *url.URL) string                            // the thread that an address is of, "" when it does not tell
	keys     func(a Account) http.Header                              // by which its API knows us, with every request; nil where it has none
	posting  *posting                                                 // how replies go to it; nil where none do
}

// families are all kinds of boards that can be read. Of HTML pages the first theme that knows one reads it.
var families = []*family{phpbb, phpbb2, fluxbb, punbb, smf, mybb, xenforo, vbulletin, invision, nodebb, discourse, flarum, boardgamegeek}

func familyNamed(name string) *family {
	for _, f := range families {
		if f.name == name {
			return f
		}
	}
	return nil
}

// themeNamed is a theme by the names of its family and its own, one without selectors when there is none.
func themeNamed(board, name string) theme {
	if f := familyNamed(board); f != nil {
		for _, t := range f.themes {
			if t.name == name {
				return t
			}
		}
	}
	return theme{}
}

// NamesAlone tells whether a theme shows no ids of the board's users, so that a name is all that tells whose a post is, and
// guests have none.
func NamesAlone(board, theme string) bool { return themeNamed(board, theme).names }

// threadOf is the thread that an address is of, "" when it does not tell.
func (f *family) threadOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || f.threadID == nil {
		return ""
	}
	return f.threadID(u)
}

// Boards returns the names of the families.
func Boards() []string {
	names := make([]string, len(families))
	for i, f := range families {
		names[i] = f.name
	}
	return names
}

// Accounts is how a kind of board knows accounts, and what they are good for.
type Accounts struct {
	Login   bool // by name and password: to read what guests may not
	Key     bool // by a key of its API, to read too
	Replies bool // they can post
	IDs     bool // some theme shows ids of its users
}

// AccountsOf tells of the boards of a family.
func AccountsOf(board string) (a Accounts) {
	if f := familyNamed(board); f != nil {
		a = Accounts{Login: f.posting != nil && f.posting.login != nil, Key: f.keys != nil, Replies: f.posting != nil, IDs: slices.ContainsFunc(f.themes, func(t theme) bool { return !t.names })}
	}
	return a
}

// theme is one look of a board: where its pages keep what. A selector that is nil stands for what it does not show. Those
// of a post are looked up inside the post, those of a body inside the body.
type theme struct {
	name  string
	known goquery.Matcher // a page is of this theme when it has this; nil: it is read of data alone
	names bool            // it shows no ids of users, and nobody but users has a name there

	post    goquery.Matcher
	nearest goquery.Matcher // the post is the nearest of these around what post finds; nil: it is what post finds
	not     goquery.Matcher // posts to skip

	id, author, authorID, date, subject, permalink spot

	body     goquery.Matcher // of a post; the first one counts
	omit     goquery.Matcher // inside the body: quotes, edit notes, labels
	passing  goquery.Matcher // inside the body: what changes by itself, like the date of a quote; the hash is made without
	edited   goquery.Matcher // inside the post
	attached goquery.Matcher // inside the post

	next, canonical, title, mark, total spot            // of the page
	thread                              spot            // of the page: where its id stands, or a link to it, when no other address on it tells
	message                             goquery.Matcher // the block of a page of kind Message
	boxes                               goquery.Matcher // log-in boxes that stand on every page

	dates order // of day and month in dates of digits
	clock spot  // of the page: what it says of the time by the board's clock: "All times are UTC+1", "Current time: …"; never inside a post
	now   spot  // of the page: the instant that clock shows, where the page has it; else it is the answer's Date

	// Oddities that no selector can say. Each may be nil.
	dateOf func(post *goquery.Selection, page *goquery.Document) string // what the date reads, in place of date
	idOf   func(post *goquery.Selection) string
	userOf func(post *goquery.Selection) string // link to the author's profile, in place of authorID
	about  func(post *goquery.Selection) string // its subject
	nextOf func(page *goquery.Document, at *url.URL) string
	count  func(page *goquery.Document) string // a text whose last number is the total
	cut    func(body *goquery.Selection)       // takes out of the body what omit cannot
	trim   func(lines []string) []string       // of the body's lines, the writer's
	editOf func(post *goquery.Selection) bool
	unsign func(body *goquery.Selection) // cuts the signature off a body that was taken out of its page, where it stands among the writer's lines
}

// spot is where a page keeps a text: an attribute of the first element that is found, or its text when attr is "". A spot
// without a selector is the element itself.
type spot struct {
	at   goquery.Matcher
	attr string
}

// order is how a theme writes dates of digits.
type order int

const (
	undecided order = iota // as the page itself shows, else it stays untold
	monthFirst
	dayFirst
)

// The orders of day and month in dates of digits, in the words of configs.
const (
	DayFirst   = "day-first"
	MonthFirst = "month-first"
)

// orderNamed is an order by its word.
func orderNamed(word string) order {
	return map[string]order{DayFirst: dayFirst, MonthFirst: monthFirst}[word]
}

// css compiles a selector. One that does not compile is a mistake in this package.
func css(selector string) goquery.Matcher { return cascadia.MustCompile(selector) }

// Selectors stand in for those of a theme, for boards whose theme was changed: by the names of selectorKeys.
type Selectors map[string]string

// Check returns an error that says what is wrong with a view: a family that is not there, a charset that nobody knows, or
// a selector that nothing can be looked up with.
func (v View) Check() error {
	if v.Board != "" && familyNamed(v.Board) == nil {
		return fmt.Errorf("there is no kind of board %q; write one of %s", v.Board, strings.Join(Boards(), ", "))
	}
	if v.Dates != "" && orderNamed(v.Dates) == undecided {
		return fmt.Errorf("%q is no order of dates; write %s or %s", v.Dates, DayFirst, MonthFirst)
	}
	if v.Charset != "" {
		if _, err := htmlindex.Get(v.Charset); err != nil {
			return fmt.Errorf("there is no charset %q; write one as windows-1251", v.Charset)
		}
	}
	return v.Selectors.Check()
}

// selectorKeys are the selectors that a config may give.
var selectorKeys = []string{"post", "not", "id", "author", "author_id", "date", "body", "omit", "edited", "next", "message"}

// Check returns an error that names the first selector that is unknown, or that nothing can be looked up with: cascadia
// would find nothing by it, without an error.
func (s Selectors) Check() error {
	for key, text := range s {
		if !slices.Contains(selectorKeys, key) {
			return fmt.Errorf("%s: there is no such selector; write one of %s", key, strings.Join(selectorKeys, ", "))
		}
		if _, err := cascadia.ParseGroup(text); err != nil {
			return fmt.Errorf("%s: %q is no selector: %w", key, text, err)
		}
	}
	return nil
}

// with is the theme with selectors of a config in place of its own.
func (t theme) with(s Selectors) theme {
	for key, text := range s {
		m, err := cascadia.Compile(text)
		if err != nil { // Check has said so
			continue
		}
		switch key {
		case "post":
			t.post, t.nearest = m, nil
		case "not":
			t.not = m
		case "id":
			t.id.at = m
		case "author":
			t.author.at = m
		case "author_id":
			t.authorID.at, t.userOf = m, nil
		case "date":
			t.date.at, t.dateOf = m, nil
		case "body":
			t.body = m
		case "omit":
			t.omit = m
		case "edited":
			t.edited = m
		case "next":
			t.next, t.nextOf = spot{m, "href"}, nil
		case "message":
			t.message = m
		}
	}
	return t
}
