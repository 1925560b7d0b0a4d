package orders

import "errors"

// Grammar is a compiled set of forms. It is immutable and safe for concurrent use.
type Grammar struct {
	forms []Form
}

// Spec is what a grammar is made of.
type Spec struct {
	Forms []Form
	Parts map[string]map[string]string // by language, then name: patterns that $NAME stands for
	Same  map[string][]string          // literal words that are the same: "DAYS": {"DAY"}, "ДНЕЙ": {"ДЕНЬ", "ДНЯ"}
}

// NewGrammar compiles a spec. The error names form and pattern that cannot be read, or an ID used twice.
func NewGrammar(s Spec) (*Grammar, error) { return nil, errors.New("not built") }

// MustGrammar is NewGrammar for grammars written in code: it panics with the error.
func MustGrammar(s Spec) *Grammar { panic("not built") }

// Join makes one grammar of several, the forms of the first ones first: the engine's orders and a ruleset's.
// An ID used twice is an error.
func Join(gs ...*Grammar) (*Grammar, error) { return nil, errors.New("not built") }

// Forms returns the forms in their order, for HELP.
func (g *Grammar) Forms() []Form { return g.forms }

// Show returns a form's first pattern in a language as people read it ("CHALLENGE <lord> [IN <land>]"), parts put in,
// kinds and tags left off. A form without that language is shown in English.
func (g *Grammar) Show(id, lang string) string { return "" }

// Parse matches one line (a Piece's Line). A line that fits no form is unclear when it is nearly an order (its first
// word is, or is one letter off, the first word of a form, of five letters or more; or its first two words begin a
// form; or it begins with a name and goes on with a form's verb, or nearly), or when it stands in a block; otherwise
// it is prose.
func (g *Grammar) Parse(line string, names Lexicon, inBlock bool) Result { return Result{} }

// Piece is one line of a letter that may be an order, in normal form: bullet or number before it and full stop or
// semicolon after it taken off, lines continued by a backslash joined by one blank.
type Piece struct {
	Line    string
	InBlock bool
	Text    []string // the lines of the long text that follows a form with an end line
	NoEnd   bool     // the end line is missing
}

// Scan cuts the writer's lines (of a letter already cleaned) into pieces. Lines that only steer (ORDERS, END and
// their like) are no pieces; with a block, only lines in blocks are. Long texts stay with the line they follow.
func (g *Grammar) Scan(lines []string) []Piece { return nil }
