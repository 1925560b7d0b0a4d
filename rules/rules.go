// Package rules says what a ruleset is: a struct of pure functions over a state that is plain data.
//
// Its promise to the engine: the same arguments give the same results on any machine in any year; a refusal leaves
// the state as it was; a rule that panics becomes an error and stops nothing but its game. Its promise to a ruleset:
// the engine serialises everything, so a function owns the state it is given and may change it in place.
//
// New erases the state's type, so that the engine holds every ruleset alike. There is no receiver and no init: a
// ruleset has nowhere to keep anything but its state. The one list of rulesets is in rules/all.
package rules

import (
	"io/fs"
	"time"

	"arroba/orders"
)

// Seat is a member's place in a game. It keeps the nick of whoever sat in it first and is what rules speak of.
type Seat string

// Role is what a member is in a game.
type Role string

// The roles. A game may have several GMs.
const (
	Player   Role = "player"
	GM       Role = "gm"
	Observer Role = "observer"
)

// Rules describes a ruleset to New. S is its state: plain data that survives JSON (unexported fields may cache what
// can be worked out from the rest).
//
// All functions are deterministic: the same arguments give the same results, on any machine, in any year.
// Take, Read, Control and Fire own the state they are given and may change it in place; a refusal leaves it as it was.
type Rules[S any] struct {
	Name    string
	Version int // raised whenever an old game would come out otherwise
	Grammar *orders.Grammar
	IDs     EngineIDs // under which ids the engine's own orders are refused here
	Keeps   Calendar  // how games of it keep time where [calendar] says nothing
	Texts   fs.FS     // en/*.tmpl, ru/*.tmpl: every event, refusal and form in every language
	// and, if it wants one, board.html: what the web board shows of a View (html/template, see templates.BoardPages)

	Open    func(World, *Dice) (S, []Event, error)          // from [world]; errors carry the key's path, the engine adds file and line
	Names   func(S) orders.Lexicon                          // what orders may name now
	Take    func(S, orders.Order, Env) (S, []Event, Ruling) // an order has come: carry it out, or keep it for its round
	Read    func(S, Letter, Env) (S, []Event)               // a letter as a whole; may be nil
	Implied func(S, Letter, Actor, []string) []string       // lines that a letter says by its subject and its files besides those of its text, of which the forms are given; ruled on after them; may be nil
	Brings  func(orders.Order) (Newcomer, bool)             // whom an order brings into the game when it is accepted; may be nil: nobody
	Control func(S, Control, Env) (S, []Event, Ruling)      // the engine's orders that touch the state; may be nil
	Next    func(S) (Due, bool)                             // what happens by itself next, and when
	Fire    func(S, Due, Env) (S, []Event)
	Round   func(S) int                        // the round that the game stands in, from 1; nil: it has none
	Waits   func(S, Viewer) []Deadline         // the deadlines that a viewer may know of, the next first; may be nil: there are none
	Kept    func(S, Viewer) []Kept             // his orders that are not resolved yet, a GM's view all; may be nil: there are none
	Offers  func(S, Viewer) []Offer            // orders that he could give now, the likeliest first; may be nil: nothing is offered
	May     func(S, Viewer, string) bool       // whether he may give the orders of a form that is another role's; may be nil: he may not
	View    func(S, Viewer) any                // what one viewer may see; JSON, and the source of every page and picture
	Picture func(S, Viewer) []Picture          // maps, boards, trees; may be nil
	Shows   func(S, Viewer, []Event) []Picture // the part of the pictures that events have changed, for the letters that tell of them; may be nil
	Over    func(S) bool                       // may be nil: never
}

// EngineIDs are the rule ids under which the engine refuses its own orders in a game of this ruleset.
type EngineIDs struct {
	Role    string // the order belongs to another role
	Nothing string // there is nothing of the kind to act on
	Past    string // a date that is past
	GM      string // under which those of a GM are accepted, where the ruleset's page has an id of its own for them; "" for the engine's
}

// World is what a game opens with.
type World struct {
	Game     string // the game's name
	Start    time.Time
	Zone     *time.Location
	Members  []Member
	Calendar Calendar                          // of the game: [calendar], over Rules.Keeps
	Decode   func(into any) error              // decodes the [world] table strictly into toml-tagged Go; unknown keys are errors
	File     func(name string) ([]byte, error) // reads a world file that [world] names
}

// Member is a member at the opening of a game.
type Member struct {
	Seat Seat
	Role Role
}

// Newcomer is somebody whom an order brings into the game. With an address he becomes a member, a player: the engine gives
// him a seat of the name of his nick.
type Newcomer struct {
	Nick, Address string
}

// Env is what a rule may know of the world besides its state.
type Env struct {
	At     time.Time // of a letter its arrival, of a due thing its own instant, neither before what happened last
	Now    time.Time // when the engine came to it: At, or later after an outage. Rounds are not burnt by reckoning from it
	Zone   *time.Location
	Dice   *Dice
	By     Actor
	Via    string   // "mail", "post", or "command" when a GM's order was given at the server's command line
	Letter *Letter  // that the order stood in; nil where there is none
	Taken  []string // of the nick and the address of whom the order brings into the game: what is not to be had
}

// Actor is who gave an order.
type Actor struct {
	Seat Seat // on whose behalf: the writer's own unless a GM said AS
	Role Role // of that seat
	GM   Seat // the GM who said AS; "" otherwise
}

// Letter is a letter as a whole.
type Letter struct {
	Arrived     time.Time // Env.At is later when the letter was read late
	Subject     string    // without tags and its writer's nick, as an order may stand in it; "" of one that answers or forwards
	Lines       []string
	Attachments []Attachment
	Nicks       map[string]Seat // those of seats that have a new holder: names that stand in files and subjects may be theirs
}

// Attachment is a file that came with a letter.
type Attachment struct {
	Name string
	Size int
	Hash string // SHA-256 of its bytes, in hex
}

// Data are the facts of an event or a ruling, by name. Values survive JSON; times are time.Time in UTC.
type Data map[string]any

// Event is one fact that the rules produced. The engine numbers it and adds its instant, which is Env.At.
type Event struct {
	Type string
	Rule string
	To   Audience
	Data Data
}

// Audience says who may learn of an event. An empty one is a fault that the conformance suite catches.
type Audience struct {
	Tavern, GM, Copies bool
	Members            []Seat
	Asked              []Seat // those of Members whom it asks something: the mail that tells them is a question
}

// Ruling is what became of an order, with the rule it went by.
type Ruling struct {
	Verdict orders.Verdict
	Rule    string
	Why     string // the variant of the rule's text: "" for the only one, of an accepted order for none
	Data    Data   // for the text
}

// Accept says that an order was carried out or kept, under a rule. With a Why its receipt says besides what became of
// it (kept for which round, which order it replaces): the template "accepted <rule> <why>" or "accepted <why>".
func Accept(rule string) Ruling { return Ruling{Verdict: orders.Accepted, Rule: rule} }

// Refuse says that an order was understood and is against a rule. The text is the ruleset's template
// "refused <rule> <why>", or "refused <rule>" when why is "".
func Refuse(rule, why string, data Data) Ruling {
	return Ruling{Verdict: orders.Refused, Rule: rule, Why: why, Data: data}
}

// Unclear says that an order could not be understood in the state as it is (which Land, which of several duels).
// The text is the ruleset's template "unclear <why>". Where the data has the "slot" of the form that is open and, as
// strings, the "choices" for it, the receipt shows the line with each of them, ready to send.
func Unclear(why string, data Data) Ruling {
	return Ruling{Verdict: orders.Unclear, Why: why, Data: data}
}

// OK tells whether the order was accepted.
func (r Ruling) OK() bool { return r.Verdict == orders.Accepted }

// Control is one of the engine's orders that a ruleset with rounds or timers must know of.
type Control struct {
	Kind string        // one of the constants below
	N    int           // Cancel: the order's number, 0 for all
	At   time.Time     // SetDeadline: the new one; zero when By moves it
	By   time.Duration // SetDeadline: by how much the present one moves; Shift: by how much everything that falls due does
	Sent time.Time     // when the letter that says so arrived: Ready, Wait, Close and SetDeadline mean the phase of then
	Held bool          // Reopen: whether the game is held
}

// The kinds of controls. Without Control a ruleset refuses those that act on a phase, and has nothing to do for Hold,
// Shift and Reopen.
const (
	Ready       = "ready"
	Wait        = "wait"
	Cancel      = "cancel"
	Close       = "close"    // resolve now
	SetDeadline = "deadline" // the ruleset emits "deadline-set" with the new one as "deadline"
	Hold        = "hold"     // nothing falls due from now on; orders are taken
	Shift       = "shift"    // the hold is over, and everything that falls due moves by its length, but no date that a GM named
	Reopen      = "reopen"   // the state is an earlier one again: the phase it stands in has its full length from now
)

// Held is the type of the event that holds a game until the GM's RESUME: the engine emits it, and a ruleset may, from
// Fire, when a person must look before it goes on. Its data has the "reason".
const Held = "held"

// Deadline is an instant by which somebody may or must do something.
type Deadline struct {
	At    time.Time
	Kind  string    // the template "deadline <kind>" says what it is, in a sentence
	Data  Data      // for the text
	Waits []Seat    // who has something to do by then and has not: they are reminded
	Set   time.Time // when it was set: nobody is reminded as of before
}

// Kept is an order that waits for its round.
type Kept struct {
	N    int
	Line string // in normal form, as it was given
}

// Offer is an order that somebody could give now: a form, with the names that fill its slots. What stays open is shown
// as the form shows it.
type Offer struct {
	Form string
	Args map[string]string // by slot; a slot that is not there stays open
}

// Due is something that happens by itself.
type Due struct {
	At    time.Time
	Kind  string
	ID    string
	After bool // fires after whatever arrives at its instant, before anything later; otherwise before what arrives then
}

// Viewer is who looks: nobody in particular (what the Tavern may know), a seat, or a GM, who sees everything.
type Viewer struct {
	Seat Seat
	GM   bool

	Now  time.Time      // when he looks at a picture; zero for what does not depend on it
	Zone *time.Location // of the dates in a picture; nil for UTC
}

// Picture is a drawing in plain shapes; x goes right and y down, both in points.
type Picture struct {
	Name   string            // for addresses: "tree-HL3"
	Title  map[string]string // by language
	Width  float64
	Height float64
	Shapes []Shape
}

// Shape is one stroke of a picture: a line through Points, closed and filled when Fill is set, or a text at the first
// point. Colours are "#rrggbb", "" for none.
type Shape struct {
	Points [][2]float64
	Closed bool
	Stroke string
	Fill   string
	Width  float64 // of the stroke
	Text   string
	Words  map[string]string // the text by language, where it depends on it; a language that is not there has Text
	Size   float64           // of the text, in points
	Align  string            // of the text: start, middle, end
	Fit    float64           // of the text: the width that it gets smaller to keep to; 0 for none
	Bold   bool
	Link   string // the element's anchor name, "" for none
}

// In is the text of a shape in a language.
func (s Shape) In(lang string) string {
	if t := s.Words[lang]; t != "" {
		return t
	}
	return s.Text
}
