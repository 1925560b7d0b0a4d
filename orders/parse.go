package orders

import (
	"slices"
	"strings"
	"unicode"
)

// span is one word of a line. A comma, colon, ampersand, hyphen or @ is a word of its own, and so is what follows a
// digit: "5@", "e2-e4" and "10 дней" need no more blanks than people put. Slots take the line's own text from their
// first word to their last, so nothing is lost by cutting so fine.
type span struct {
	text       string
	from, to   int
	blank      bool // a blank stands before it
	fold       string
	fromF, toF int // in the folded line
}

// split cuts a clean line into words.
func split(line string) []span { return appendWords(make([]span, 0, strings.Count(line, " ")+4), line) }

// appendWords appends the words of a clean line.
func appendWords(words []span, line string) []span {
	begin, blank := -1, false
	var last rune
	for i, r := range line {
		sign := isSign(r)
		if begin >= 0 && (r == ' ' || sign || '0' <= last && last <= '9' && unicode.IsLetter(r)) {
			words = append(words, span{text: line[begin:i], from: begin, to: i, blank: blank})
			begin, blank = -1, false
		}
		switch {
		case r == ' ':
			blank = true
		case sign:
			words = append(words, span{text: line[i : i+1], from: i, to: i + 1, blank: blank})
			blank = false
		case begin < 0:
			begin = i
		}
		last = r
	}
	if begin >= 0 {
		words = append(words, span{text: line[begin:], from: begin, to: len(line), blank: blank})
	}
	return words
}

// isSign tells whether a character is a word of its own.
func isSign(r rune) bool {
	switch r {
	case ',', ':', '@', '&', '-':
		return true
	}
	return false
}

// sentence is a line ready to be matched.
type sentence struct {
	text   string
	folded string
	words  []span
}

func newSentence(line string) *sentence {
	t := &sentence{}
	t.read(line)
	return t
}

// read makes it the sentence of a line.
func (t *sentence) read(line string) {
	t.text, t.words = line, appendWords(t.words[:0], line)
	if isCleanASCII(line) { // the usual case, in which every letter keeps its place
		t.folded = strings.ToLower(line)
		for i := range t.words {
			w := &t.words[i]
			w.fromF, w.toF, w.fold = w.from, w.to, t.folded[w.from:w.to]
		}
		return
	}
	folded := make([]byte, 0, len(line))
	for i := range t.words {
		w := &t.words[i]
		if w.blank && i > 0 {
			folded = append(folded, ' ')
		}
		w.fromF = len(folded)
		folded = append(folded, Fold(w.text)...)
		w.toF = len(folded)
	}
	t.folded = string(folded)
	for i := range t.words {
		t.words[i].fold = t.fold(i, i+1)
	}
}

// raw and fold return the words from one up to another, as written and folded.
func (t *sentence) raw(from, to int) string  { return t.text[t.words[from].from:t.words[to-1].to] }
func (t *sentence) fold(from, to int) string { return t.folded[t.words[from].fromF:t.words[to-1].toF] }

// Parse matches one line (a Piece's Line). A line that fits no form is unclear when it is nearly an order (its first
// word is, or is one letter off, the first word of a form, of five letters or more; or its first two words, or all of
// it but for what should fill slots, are a form's; or it begins with a name and goes on with a form's verb, or
// nearly), or when it stands in a block; otherwise it is prose.
func (g *Grammar) Parse(line string, names Lexicon, inBlock bool) Result {
	m := g.matchers.Get().(*matcher)
	defer g.release(m)
	m.line.read(Clean(line))
	m.names = names
	if len(m.line.words) == 0 {
		return Result{}
	}
	o, candidates := g.exact(m)
	if o != nil {
		return Result{Order: o}
	}
	return Result{Unclear: g.nearly(m, candidates, inBlock)}
}

// exact returns the order that a line is, nil when it is none, and the patterns it was held against.
func (g *Grammar) exact(m *matcher) (*Order, []int) {
	candidates := g.candidates(&m.line)
	for _, i := range candidates {
		p := g.patterns[i]
		if m.match(p, 0) {
			return m.order(g.forms[p.form].ID), candidates
		}
	}
	return nil, candidates
}

// release gives a matcher back for the next line, unless a very long one has made it big. What it holds of letters
// must not stay in memory.
func (g *Grammar) release(m *matcher) {
	if cap(m.line.words) > 1000 {
		return
	}
	clear(m.line.words)
	clear(m.got[:cap(m.got)])
	*m = matcher{line: sentence{words: m.line.words[:0]}, failed: m.failed[:0], got: m.got[:0]}
	g.matchers.Put(m)
}

// candidates returns the patterns that a line can fit, by the words it has, in the grammar's order.
func (g *Grammar) candidates(t *sentence) []int {
	found := append(slices.Clone(g.bare), g.byFirst[t.words[0].fold]...)
	for _, w := range t.words[1:] {
		found = append(found, g.byVerb[w.fold]...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// What a line may be cut into: bounds that keep a line of a million words from being tried word by word.
const (
	longestTitle = 64 // words of a title
	longestValue = 32 // words of a number, date, duration or address
)

// matcher matches one line with one pattern after another.
type matcher struct {
	line  sentence
	names Lexicon

	p       *pattern
	lenient bool      // verbs may be one letter off, slots be filled wrongly
	left    int       // how many slots more may be
	got     []capture // on the way here
	failed  []uint64  // by node, word and left: no way leads to the end from there
	far     int       // how many words fitted
	verb    *reached  // how the verb was first reached
}

// capture is what a node took.
type capture struct {
	node     int
	arg      Arg
	from, to int      // with why: which words
	why      string   // what is wrong with it
	near     []string // with WhyAmbiguous: the choices
}

// reached tells how a verb was reached.
type reached struct {
	word int
	off  bool      // it is one letter off
	lead []capture // what was wrong before it
}

// match tells whether the line fits a pattern, with at most so many slots filled wrongly.
func (m *matcher) match(p *pattern, wrong int) bool {
	m.p, m.left, m.far, m.got, m.verb = p, wrong, 0, m.got[:0], nil
	size := len(p.nodes) * (len(m.line.words) + 1) * (wrong + 1)
	m.failed = slices.Grow(m.failed[:0], size/64+1)[:size/64+1]
	clear(m.failed)
	return m.from(p.start, 0)
}

// from tells whether the words from pos on fit the pattern from node n on. What failed once is not tried again, so
// that the work is bounded by nodes times words times spans.
func (m *matcher) from(n, pos int) bool {
	m.far = max(m.far, pos)
	at := &m.p.nodes[n]
	words := m.line.words
	if at.op == opEnd {
		return pos == len(words)
	}
	bit := (m.left*len(m.p.nodes)+n)*(len(words)+1) + pos
	if m.failed[bit/64]&(1<<(bit%64)) != 0 {
		return false
	}
	if m.node(at, n, pos) {
		return true
	}
	m.failed[bit/64] |= 1 << (bit % 64)
	return false
}

func (m *matcher) node(at *node, n, pos int) bool {
	words := m.line.words
	switch {
	case at.op == opSplit:
		for _, next := range at.next {
			if m.from(next, pos) {
				return true
			}
		}
		return false
	case pos == len(words):
		return false
	case at.op == opWord:
		word := words[pos].fold
		exact := slices.Contains(at.words, word)
		if !exact && !(m.lenient && at.verb && slices.ContainsFunc(at.words, func(v string) bool { return nearVerb(word, v) })) {
			return false
		}
		return m.take(at, pos+1, m.word(at, n, pos, !exact))
	}
	return m.slot(at, n, pos)
}

// word is the capture of a literal word.
func (m *matcher) word(at *node, n, pos int, off bool) capture {
	if at.verb && m.verb == nil {
		m.verb = &reached{word: pos, off: off, lead: m.wrong()}
	}
	c := capture{node: n}
	if off {
		c.why, c.arg.Text, c.from, c.to = WhyVerb, m.line.raw(pos, pos+1), pos, pos+1
	}
	return c
}

// take goes on behind a capture.
func (m *matcher) take(at *node, to int, c capture) bool {
	m.got = append(m.got, c)
	if m.from(at.next[0], to) {
		return true
	}
	m.got = m.got[:len(m.got)-1]
	return false
}

// wrong returns the captures with something wrong, first ones first.
func (m *matcher) wrong() []capture {
	var w []capture
	for _, c := range m.got {
		if c.why != "" {
			w = append(w, c)
		}
	}
	return w
}

// slot tries every span that the slot's kind accepts, then, when allowed, those it may have been meant to accept.
func (m *matcher) slot(at *node, n, pos int) bool {
	var ok bool
	switch {
	case at.looks != nil:
		ok = m.likely(at, n, pos)
	case at.kind == kindText, at.kind == kindTitle:
		return m.free(at, n, pos)
	case at.kind == kindWord:
		to := m.run(pos)
		return to > pos && m.take(at, to, capture{node: n, arg: Arg{Text: m.line.raw(pos, to), Kind: kindWord}})
	case builtIn(at.kind):
		ok = m.value(at, n, pos)
	default:
		ok = m.name(at, n, pos)
	}
	return ok || m.left > 0 && m.amiss(at, n, pos)
}

// run returns where the run of words without a blank, comma, colon or @ ends that begins at pos.
func (m *matcher) run(pos int) int {
	to := pos
	for ; to < len(m.line.words); to++ {
		w := &m.line.words[to]
		if to > pos && w.blank || w.text == "," || w.text == ":" || w.text == "@" {
			break
		}
	}
	return to
}

// free takes text, as little as leads to the end: keywords after it are found first.
func (m *matcher) free(at *node, n, pos int) bool {
	words := m.line.words
	to, last := pos+1, len(words)
	switch {
	case at.kind == kindTitle:
		last = min(last, pos+longestTitle)
	case m.p.nodes[at.next[0]].op == opEnd:
		to = last
	}
	for ; to <= last; to++ {
		if at.stop[words[to-1].fold] {
			return false
		}
		if m.take(at, to, capture{node: n, arg: Arg{Text: m.line.raw(pos, to), Kind: at.kind}}) {
			return true
		}
	}
	return false
}

// value takes a number, date, duration or address, the longest that goes on to the end. It may have one blank inside.
func (m *matcher) value(at *node, n, pos int) bool {
	for to := min(len(m.line.words), pos+longestValue); to > pos; to-- {
		raw := m.line.raw(pos, to)
		if arg, ok := readValue(at.kind, raw); ok && m.take(at, to, capture{node: n, arg: arg}) {
			return true
		}
	}
	return false
}

// likely takes what has the looks of a kind, the longest that goes on to the end.
func (m *matcher) likely(at *node, n, pos int) bool {
	for to := min(len(m.line.words), pos+longestValue); to > pos; to-- {
		arg := Arg{Text: m.line.raw(pos, to), Kind: at.kind}
		if at.looks.MatchString(m.line.fold(pos, to)) && m.take(at, to, capture{node: n, arg: arg}) {
			return true
		}
	}
	return false
}

// name takes a name of the lexicon, the longest that goes on to the end.
func (m *matcher) name(at *node, n, pos int) bool {
	for to := min(len(m.line.words), pos+m.names.words(at.kinds)); to > pos; to-- {
		kind, id, choices := m.names.resolve(at.kinds, nameKey(m.line.fold(pos, to)))
		if id == "" || choices != nil {
			continue
		}
		if m.take(at, to, capture{node: n, arg: Arg{Text: m.line.raw(pos, to), Kind: kind, ID: id}}) {
			return true
		}
	}
	return false
}

// order makes an order of what was captured.
func (m *matcher) order(form string) *Order {
	o := &Order{Form: form, Line: m.line.text}
	for _, c := range m.got {
		at := &m.p.nodes[c.node]
		switch {
		case at.op == opSlot:
			if o.Args == nil {
				o.Args = map[string][]Arg{}
			}
			o.Args[at.slot] = append(o.Args[at.slot], c.arg)
		case at.tag != "" && !slices.Contains(o.Tags, at.tag):
			o.Tags = append(o.Tags, at.tag)
		}
	}
	return o
}
