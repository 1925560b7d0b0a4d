// Package forum reads threads of forum boards and posts replies to them, board by board.
//
// Its promise: what Read gives as a writer's lines he wrote himself, in this post, and did not take back: no quote, no
// signature, no struck-through text, nothing that the board added. A page that is not a readable thread gives no post and
// is told apart, never taken for a thread without posts. Reading depends on nothing but the bytes of the answer, its Date
// and how the board was configured.
//
// How: charset.go turns bytes into text; a family (a file each: phpbb.go, smf.go, …) holds the selectors of its themes and
// its few oddities, and is recognised by itself; read.go finds posts and says what kind of page it is; lines.go renders
// what people wrote; dates.go reads what boards write for instants. A board's pages are asked for by a Client, which is
// polite, and replies go out by the forms and APIs of reply.go. A post that was read is kept as a Record.
package forum

import (
	"net/http"
	"time"
)

// Kind says what a page is.
type Kind string

// The kinds. Only a page of kind Thread changes anything.
const (
	Thread     Kind = "thread"     // at least one post; of data also a page of the board's own remarks alone
	Login      Kind = "login"      // it asks for a name and a password
	Message    Kind = "message"    // the board says something: no such thread, closed, posted
	Form       Kind = "form"       // to write a reply in
	Challenge  Kind = "challenge"  // a guard before the board wants to see a person
	Unreadable Kind = "unreadable" // broken, or of a shape that nothing here knows
)

// Answer is what a server answered to a request for a page.
type Answer struct {
	Asked  string      // the address that was asked for
	URL    string      // the address that answered, after redirects; Asked when ""
	Status int         // of HTTP; 0 for a file
	Header http.Header // Content-Type is looked at; may be nil
	At     time.Time   // the answer's Date: "today" and "ago" count from it
	Body   []byte
}

// View is how a board shows itself to us: what a page does not tell.
type View struct {
	Board     string         // the family that it must be; "" recognises it
	Zone      *time.Location // in which it shows times; when nil that of the page's own clock, and UTC where it shows none
	Dates     string         // DayFirst or MonthFirst: of dates in digits; "" for what the page makes certain
	Charset   string         // that its pages are in, whatever they say; "" for what they say
	Selectors Selectors      // that stand in for those of the theme
}

// Page is what was understood of an answer.
type Page struct {
	Board    string // the family: phpbb, smf, …; "" when nothing knows it
	Theme    string // of the family, in its own words
	Kind     Kind
	Thread   string         // id of the thread, "" when the page does not tell
	Title    string         // of the thread
	Posts    []Post         // in the page's order
	Next     string         // address of the next page, "" on the last one
	Mark     int            // number of the page as it shows, 0 when it does not
	Total    int            // posts of the thread as it shows, -1 when it does not
	Zone     *time.Location // of its own clock, as far as that is needed and it shows one; else nil
	Address  string         // its own address as it gives it (canonical), "" when it does not; without session ids
	Said     string         // by a page of kind Message, Login or Form with an error: the board's words, in one line
	Problems []string
}

// Post is one post as a page shows it. Text is valid UTF-8.
type Post struct {
	ID          string // the board's own: with board it is the key
	Author      string // name as shown
	AuthorID    string // by which the board knows its user, "" for guests and boards that do not show it
	Posted      Instant
	Edited      bool // the board says so; a hint and no proof
	Permalink   string
	Subject     string
	Lines       []string // the writer's own text, one entry a line, as a program reads them: no blank ones
	HTML        string   // of the body, with quotes, as it was read: Lines are made of it
	Hash        string   // of the body with its quotes: 16 hex digits; another one means that it was changed. "" when the body was not where the board keeps it: then nothing can be told
	Attachments int      // files and polls that hang on it and are not read
	Wiki        bool     // anybody may edit it
}

// Instant is a time as precisely as a board shows it: it lies from Early to Late, both included. At is the one that is
// printed. The zero value says that nothing can be told.
type Instant struct{ At, Early, Late time.Time }

// IsZero tells whether nothing can be told.
func (i Instant) IsZero() bool { return i.At.IsZero() }

// exactly is an instant that is shown to the second.
func exactly(t time.Time) Instant { return spanning(t, time.Second) }

// spanning is an instant of which the board shows the beginning of a span: a minute, a day.
func spanning(t time.Time, span time.Duration) Instant {
	t = t.UTC().Truncate(time.Second)
	return Instant{At: t, Early: t, Late: t.Add(span - time.Nanosecond).Truncate(time.Second)}
}
