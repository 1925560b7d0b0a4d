package orders

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	longWord    = 5  // letters by which a first word alone tells an order
	manyWords   = 4  // words that fit a form by which they tell it, however short the first is
	mostWrong   = 3  // slots that may be filled wrongly
	nearestVerb = 40 // words among which a verb after names is looked for
)

// partial is how nearly a line fits a pattern.
type partial struct {
	p     *pattern
	fits  bool      // all of it, but for what is wrong
	wrong []capture // what is wrong, in the order of the words
	off   bool      // the verb is one letter off
	verb  int       // which word that is
	far   int       // how many words fit
}

// better tells whether a is nearer than b. Of equals the first in the grammar stays.
func (a partial) better(b partial) bool {
	if b.p == nil || a.cost() != b.cost() {
		return b.p == nil || a.cost() < b.cost()
	}
	return !a.fits && a.far > b.far
}

// cost orders kinds of partials: what fits but for its slots, or for its verb alone, is nearer than what only begins
// like a form, and that is nearer than what has another verb and wrong slots besides.
func (a partial) cost() int {
	switch {
	case a.fits && !a.off:
		return 2 * len(a.wrong)
	case a.fits && len(a.wrong) == 1:
		return 3
	case !a.off:
		return 2*mostWrong + 1
	case a.fits:
		return 2*mostWrong + len(a.wrong)
	}
	return 4 * mostWrong
}

// nearly returns why a line that fits none of its candidates is unclear, nil when it is prose.
func (g *Grammar) nearly(m *matcher, candidates []int, inBlock bool) *Unclearness {
	m.lenient = true
	var best partial
	for _, i := range g.suspects(&m.line, candidates) {
		p := g.patterns[i]
		if g.forms[p.form].Alone && !inBlock {
			continue
		}
		if part, ok := m.partial(p, inBlock); ok && part.better(best) {
			best = part
		}
	}
	switch {
	case best.p != nil:
		return g.unclear(m, best)
	case inBlock:
		return &Unclearness{Why: WhyBlock, Text: m.line.text}
	}
	return nil
}

// suspects returns the patterns a line may have been meant for: its candidates, and those of words one letter off.
func (g *Grammar) suspects(t *sentence, candidates []int) []int {
	found := appendNear(candidates, g.firsts, t.words[0].fold)
	for _, w := range t.words[1:min(len(t.words), nearestVerb)] {
		found = appendNear(found, g.verbs, w.fold)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// verb is a word that patterns go by.
type verb struct {
	word     string
	letters  int
	patterns []int
}

// appendNear appends the patterns of the verbs that are one letter off a word. Every line of prose comes here, so
// that it looks at lengths first.
func appendNear(found []int, verbs []verb, word string) []int {
	n := letters(word)
	for _, v := range verbs {
		if v.letters >= n-1 && v.letters <= n+1 && nearVerb(word, v.word) {
			found = append(found, v.patterns...)
		}
	}
	return found
}

// partial tells how nearly the line fits a pattern, and whether that is near enough.
func (m *matcher) partial(p *pattern, inBlock bool) (partial, bool) {
	part := partial{p: p}
	var verb *reached
	for wrong := 0; wrong <= mostWrong && !part.fits; wrong++ {
		part.fits = m.match(p, wrong)
		if wrong == 0 {
			part.far = m.far
		}
		if verb == nil {
			verb = m.verb
		}
	}
	switch {
	case part.fits:
		part.wrong = m.wrong()
		part.off = slices.ContainsFunc(part.wrong, func(c capture) bool { return c.why == WhyVerb })
		verb = m.verb
	case verb == nil:
		return part, false
	default:
		part.wrong, part.off, part.verb = verb.lead, verb.off, verb.word
	}
	return part, inBlock || m.isNear(part, verb)
}

// isNear tells whether a line outside blocks is near enough to a pattern to be no prose.
func (m *matcher) isNear(part partial, verb *reached) bool {
	switch {
	case verb == nil:
		return m.leadKnown(part)
	case verb.word > 0:
		return m.leadKnown(part) && (part.fits || isWordy(m.line.words[verb.word].text)) || m.onlyLeadUnknown(part)
	case verb.off:
		return part.p.longVerb(m.line.words[0].fold) || part.fits && len(part.wrong) == 1 && len(m.line.words) >= manyWords
	}
	return letters(m.line.words[0].fold) >= longWord || m.fitsEnough(part) || m.twoWords(part.p)
}

// fitsEnough tells whether so much fits a form that begins with a short word that the line is no prose: all but one
// slot, or several words besides the first. "Give thanks to God" is prose.
func (m *matcher) fitsEnough(part partial) bool {
	if !part.fits {
		return part.far >= manyWords
	}
	fitting := len(m.line.words)
	for _, c := range part.wrong {
		fitting -= len(split(c.arg.Text))
	}
	return len(part.wrong) == 1 || fitting >= manyWords-1
}

// leadKnown tells whether the names before the verb are names, or nearly.
func (m *matcher) leadKnown(part partial) bool {
	for _, c := range part.wrong {
		at := &part.p.nodes[c.node]
		if at.lead && (at.kinds == nil || len(m.meant(part.p, c)) == 0) {
			return false
		}
	}
	return true
}

// onlyLeadUnknown tells whether a line fits a form to the word, but for one name before the verb that is none: "Prcy MOVES
// TO York BY ROAD" says more than prose would.
func (m *matcher) onlyLeadUnknown(part partial) bool {
	return part.fits && len(part.wrong) == 1 && part.wrong[0].why == WhyName && part.p.nodes[part.wrong[0].node].lead && len(m.line.words) >= manyWords
}

// meant returns the names that a wrong one may have been meant for.
func (m *matcher) meant(p *pattern, c capture) []string {
	if c.why != WhyName || c.near != nil {
		return c.near
	}
	return m.names.near(p.nodes[c.node].kinds, nameKey(Fold(c.arg.Text)))
}

// longVerb tells whether a first word is one letter off a word of five letters or more.
func (p *pattern) longVerb(first string) bool {
	for w := range p.first {
		if letters(w) >= longWord && oneOff(first, w) {
			return true
		}
	}
	return false
}

// twoWords tells whether the first two words of the line begin the pattern.
func (m *matcher) twoWords(p *pattern) bool {
	if len(m.line.words) < 2 || !isWordy(m.line.words[1].fold) {
		return false
	}
	for _, first := range p.wordsAt(p.start) {
		if !slices.Contains(p.nodes[first].words, m.line.words[0].fold) {
			continue
		}
		for _, second := range p.wordsAt(p.nodes[first].next[0]) {
			if slices.Contains(p.nodes[second].words, m.line.words[1].fold) {
				return true
			}
		}
	}
	return false
}

// unclear says what is wrong with the nearest form.
func (g *Grammar) unclear(m *matcher, part partial) *Unclearness {
	u := &Unclearness{Why: WhyForm, Form: g.forms[part.p.form].ID, Show: part.p.show}
	for i, c := range part.wrong {
		part.wrong[i].near = m.meant(part.p, c)
	}
	if len(part.wrong) > 0 {
		c := part.wrong[0]
		at := &part.p.nodes[c.node]
		u.Why, u.Text, u.Near, u.Mended = c.why, c.arg.Text, c.near, g.mend(m, part)
		if at.op == opSlot {
			u.Slot, u.Kind = at.slot, at.kind
		}
		return u
	}
	if part.off {
		u.Why, u.Text = WhyVerb, m.line.raw(part.verb, part.verb+1)
		return u
	}
	if part.far < len(m.line.words) {
		u.Text = m.line.raw(part.far, len(m.line.words))
	}
	return u
}

// amiss takes words that the slot does not accept but that stand where it should be filled, as few as go on to the end.
func (m *matcher) amiss(at *node, n, pos int) bool {
	m.left--
	ok := m.several(at, n, pos) || m.misfit(at, n, pos)
	m.left++
	return ok
}

func (m *matcher) misfit(at *node, n, pos int) bool {
	blanks := 0
	for to := pos + 1; to <= min(len(m.line.words), pos+longestValue); to++ {
		if last := m.line.words[to-1]; last.blank && to > pos+1 {
			blanks++
		} else if last.text == "," && at.kinds != nil {
			return false
		}
		if blanks >= m.most(at, pos) {
			return false
		}
		if m.take(at, to, m.fault(at, n, pos, to)) {
			return true
		}
	}
	return false
}

// several takes a list of names where one should stand.
func (m *matcher) several(at *node, n, pos int) bool {
	if at.kinds == nil || at.member {
		return false
	}
	words := m.line.words
	var ids []string
	for to := pos; to < len(words); to++ {
		id, next := m.longestName(at.kinds, to)
		if id == "" {
			return false
		}
		if ids = append(ids, id); len(ids) > 1 {
			fault := capture{node: n, arg: Arg{Text: m.line.raw(pos, next)}, from: pos, to: next, why: WhyName, near: ids[:min(len(ids), nearMost)]}
			if m.take(at, next, fault) {
				return true
			}
		}
		if to = next; to+1 < len(words) && words[to].fold == "," && slices.Contains(ands, words[to+1].fold) {
			to++
		} else if to == len(words) || words[to].fold != "," && !slices.Contains(ands, words[to].fold) {
			return false
		}
	}
	return false
}

// longestName finds the longest name that begins at a word, and where it ends.
func (m *matcher) longestName(kinds []string, pos int) (id string, to int) {
	for to = min(len(m.line.words), pos+m.names.words(kinds)); to > pos; to-- {
		if _, id, choices := m.names.resolve(kinds, nameKey(m.line.fold(pos, to))); id != "" && choices == nil {
			return id, to
		}
	}
	return "", pos
}

// most is how many words from pos on may stand for what a slot should hold. More of them are a sentence, and prose; but a
// number may be cut into groups of figures.
func (m *matcher) most(at *node, pos int) int {
	switch at.kind {
	case kindNumber:
		return max(1, m.figures(pos))
	case kindAddress:
		return 1
	case kindDate, kindDuration:
		return 3
	}
	return max(2, m.names.words(at.kinds))
}

// figures is how many words from pos on hold no letter.
func (m *matcher) figures(pos int) int {
	rest := m.line.words[pos:min(len(m.line.words), pos+longestValue)]
	if n := slices.IndexFunc(rest, func(w span) bool { return strings.ContainsFunc(w.text, unicode.IsLetter) || w.text == "@" }); n >= 0 {
		return n
	}
	return len(rest)
}

// fault says what is wrong with the words in a slot.
func (m *matcher) fault(at *node, n, from, to int) capture {
	c := capture{node: n, arg: Arg{Text: m.line.raw(from, to)}, from: from, to: to, why: WhyName}
	switch at.kind {
	case kindNumber:
		c.why = WhyNumber
	case kindDate:
		c.why = WhyDate
	case kindDuration:
		c.why = WhyDuration
	case kindAddress:
		c.why = WhyAddress
	default:
		if _, _, choices := m.names.resolve(at.kinds, nameKey(m.line.fold(from, to))); choices != nil {
			c.why, c.near = WhyAmbiguous, choices
		}
	}
	return c
}

// nearVerb tells whether a word is one letter off a verb. Of shorter words too many are.
func nearVerb(word, verb string) bool {
	return oneOff(word, verb) && letters(verb) >= 3 && isWordy(word)
}

// isWordy tells whether a word begins with a letter.
func isWordy(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLetter(r)
}

// letters is how many letters a word has.
func letters(word string) int { return utf8.RuneCountInString(word) }
