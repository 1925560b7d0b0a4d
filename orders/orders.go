// Package orders is the order language: what a line of a letter says, whatever game it is written for.
//
// Its promise: a line that is an order is found however people write it, a line that is nearly one is answered with
// what was expected, and everything else is prose and left alone. Nothing is ever corrected silently.
//
// A ruleset describes its orders as data: Forms, each with patterns in English and Russian, joined into a Grammar.
// Names that may stand in a pattern's slots come from a Lexicon that the ruleset keeps. Scan cuts a letter into
// pieces (blocks, continued lines, long texts such as press), and Grammar.Parse matches one piece by backtracking
// over its words: literal words by their folded spelling, slots by every span of words that the slot's kind accepts.
// Of a line that fits no form, Parse tells whether it is prose or unclear, and in the latter case the nearest form.
//
// The package knows no mail, no game, no clock.
package orders

// Verdict is what became of an order.
type Verdict string

// The three verdicts. Unclear is said of a line that was not understood.
const (
	Accepted Verdict = "accepted"
	Refused  Verdict = "refused"
	Unclear  Verdict = "unclear"
)

// Order is a line that was understood. It is plain data and survives JSON, since it is kept in a game's log.
type Order struct {
	Form string           `json:"form"`           // the ID of the form it fits
	Line string           `json:"line"`           // the line in normal form, as the writer put it
	Args map[string][]Arg `json:"args,omitempty"` // by slot; a list or a repeated group has several
	Tags []string         `json:"tags,omitempty"` // the tags of literal words that were matched, as "independence"
	Text string           `json:"text,omitempty"` // what stood between the form's line and its end line (press)
}

// Arg is what filled a slot. Which fields are set depends on the slot's kind.
type Arg struct {
	Text string `json:"text"`           // as written
	Kind string `json:"kind,omitempty"` // the list of the lexicon it was found in, or the built-in kind
	ID   string `json:"id,omitempty"`   // of a name: its ID in the lexicon
	N    int64  `json:"n,omitempty"`    // of a number; one too large for int64 is the largest or smallest int64
	Date *Date  `json:"date,omitempty"` // of a date
	Secs int64  `json:"secs,omitempty"` // of a duration, in seconds
}

// Unclearness says why a line was not understood. It is data: a text for people is made of it elsewhere, in their
// language.
type Unclearness struct {
	Why  string   `json:"why"`            // one of the Why constants
	Form string   `json:"form,omitempty"` // the ID of the nearest form
	Show string   `json:"show,omitempty"` // that form's pattern as people read it, in the language of the line
	Slot string   `json:"slot,omitempty"` // the slot that could not be filled
	Kind string   `json:"kind,omitempty"` // the kind of that slot
	Text string   `json:"text,omitempty"` // what stood there
	Near []string `json:"near,omitempty"` // names it may have meant (did you mean), or the choices of an ambiguous one

	Mended []string `json:"mended,omitempty"` // the line as it may have been meant, each of them an order of that form
}

// Why a line is unclear.
const (
	WhyForm      = "form"      // it begins like Form but does not go on like it
	WhyVerb      = "verb"      // its first word is nearly Form's
	WhyName      = "name"      // Text is no name of the kind Slot wants; Near may hold some like it
	WhyAmbiguous = "ambiguous" // Text may be any of Near
	WhyNumber    = "number"    // Text should be a number
	WhyDate      = "date"      // Text should be a date
	WhyDuration  = "duration"  // Text should be a duration
	WhyAddress   = "address"   // Text should be a mail address
	WhyBlock     = "block"     // it stands in a block of orders and fits no form
	WhyEnd       = "end"       // a long text lacks its end line (Show holds that line)
)

// Form is one kind of order.
type Form struct {
	ID    string
	Rule  string              // the rule it goes by, as HELP shows it
	Who   string              // who may give it, in the ruleset's own words ("player", "gm"); HELP groups by it
	Say   map[string][]string // by language ("en", "ru"): patterns, the first one is shown to people
	Help  map[string]string   // by language: one sentence of what it does
	End   map[string]string   // by language: the line that ends the long text after it ("END PRESS"); nil for most forms
	Alone bool                // prose unless it is the whole line and fits exactly (HELP-like words people also write in prose)
}

/*
A pattern is made of

	WORD            a literal word, matched without regard to case, ё and look-alike letters
	WORD#tag        the same; the order gets the tag
	A|B             either: outside brackets between single words, without blanks; inside [ ], ( ) and { } between
	                all that stands up to the next stroke or bracket, so that [BY ROAD|OFF ROAD] is two ways of two words
	[ … ]           may be left out
	( … )           grouping
	<slot>          a slot whose kind is its name
	<slot:kind>     a slot of another kind; kinds are lists of the lexicon ("nick") or several ("noble|ship"), or
	                number, date, duration, address, word (one word, anything), title (words up to the next literal),
	                text (the rest of the line, but for literal words that the pattern has after it), or one of Spec.Looks
	<slot:kind>,*   a list of one or more, parted by commas (or "and", "&", "и")
	{ … },*         a group of slots and words repeated one or more times, parted likewise; its slots get one Arg each
	                time, so that Args of slots that may not be left out belong together by their index
	$NAME           the pattern of that name in Spec.Parts for the language, put in

A comma, colon, hyphen, ampersand or the sign @ is a word of its own, in a pattern and in a line, with blanks round it
or without, and so are letters after a digit: <n:number> @ takes "5@" and "5 @", <from:square>-<to:square> "e2-e4".
A pattern must not begin with a word, title or text: it would take every line.
*/
type Pattern = string

// Result is what Parse makes of a line: exactly one of Order and Unclear is set, or neither for prose.
type Result struct {
	Order   *Order
	Unclear *Unclearness
}

// Prose tells whether the line is neither an order nor nearly one.
func (r Result) Prose() bool { return r.Order == nil && r.Unclear == nil }

// Form returns the form that the line fits, or is nearest to; "" of prose, and of a line of a block that is near none.
func (r Result) Form() string {
	switch {
	case r.Order != nil:
		return r.Order.Form
	case r.Unclear != nil:
		return r.Unclear.Form
	}
	return ""
}
