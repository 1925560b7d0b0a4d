// Package templates holds the engine's texts for people, in English and Russian, and the frame of every mail.
//
// A ruleset brings its own texts (rules.Ruleset.Texts); New joins both. A text that is missing, or that fails on its
// data, is an error at once, so that it is found before anything commits.
package templates

import (
	"errors"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// Texts are the texts of one ruleset and the engine, in every language. They are safe for concurrent use.
type Texts struct{}

// New compiles the texts of a ruleset. The error names the file and what is wrong.
func New(r *rules.Ruleset) (*Texts, error) { return nil, errors.New("not built") }

// Reader is whom a text is for.
type Reader struct {
	Language string // "en" or "ru"
	Zone     *time.Location
}

// Event returns what happened in a sentence or more: the template named like the event's type. Data has the event's
// fields as JSON gives them back (numbers as float64 or int64, times as RFC 3339 text or time.Time).
func (t *Texts) Event(r Reader, typ string, at time.Time, data rules.Data) (string, error) {
	return "", errors.New("not built")
}

// Headline returns what happened in a few words, for subjects and lists: "<type> headline".
func (t *Texts) Headline(r Reader, typ string, at time.Time, data rules.Data) (string, error) {
	return "", errors.New("not built")
}

// Reason returns why an order was refused or is unclear, in one sentence that says what would have been allowed:
// "refused <rule> <why>" or "refused <rule>", "unclear <why>". It does not repeat the rule's id: the frame shows it.
func (t *Texts) Reason(r Reader, ru rules.Ruling) (string, error) { return "", errors.New("not built") }

// Unclear returns what was expected of a line that was not understood, with the nearest form as an example.
func (t *Texts) Unclear(r Reader, u orders.Unclearness) (string, error) {
	return "", errors.New("not built")
}

// Help returns the answer to HELP: all forms that the role may use, or one verb's.
func (t *Texts) Help(r Reader, g *orders.Grammar, who []string, verb string) (string, error) {
	return "", errors.New("not built")
}

// Line is one order in a receipt.
type Line struct {
	Line    string
	Verdict orders.Verdict
	Rule    string
	Reason  string
}

// Mail is what a mail to one person holds.
type Mail struct {
	Kind    string   // an outbox kind
	Game    string   // the game's name, for the tag in the subject
	Title   string   // the game's title
	To      string   // the reader's nick, "" for a copy address
	Why     string   // the subject's matter: a headline or the subject of the letter it answers
	Answers bool     // the subject is that of the letter it answers, after "Re: "
	Lines   []Line   // receipt: orders in the order they were sent, at most 200
	More    int      // receipt: orders beyond those
	Said    []string // answers to HELP, STATUS and their like
	News    []string // what happened, from Texts.Event
	Link    string   // address of the member's own page, "" for none
}

// Mail renders a mail in the frame of its kind: its subject without line breaks, its text with lines ended by \n.
func (t *Texts) Mail(r Reader, m Mail) (subject, text string, err error) {
	return "", "", errors.New("not built")
}

// Say renders one of the engine's own texts by its name.
func (t *Texts) Say(r Reader, name string, data any) (string, error) {
	return "", errors.New("not built")
}
