package orders

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// pattern is a compiled pattern: a graph of nodes in which every path from start to end is a way to say the form.
type pattern struct {
	form  int
	lang  string
	show  string
	expr  expr
	nodes []node
	start int

	first map[string]bool // the words it may begin with
	verbs map[string]bool // the words that may follow the name it begins with
	bare  bool            // it may have no literal word
}

type op byte

const (
	opEnd   op = iota
	opWord     // one of words
	opSlot     // what kind accepts
	opSplit    // any of the branches, the first that leads to the end
)

type node struct {
	op    op
	words []string // folded
	said  []string // the same as they are spelled
	tag   string
	comma bool // a word that only parts the members of a list
	verb  bool // the word that the form goes by
	lead  bool // a slot before the verb

	slot   string
	kind   string
	kinds  []string        // the lists of the lexicon, nil for a built-in kind and for one told by its looks
	looks  *regexp.Regexp  // of a kind that is told by them
	member bool            // it stands in a list
	stop   map[string]bool // words at which a title ends

	next []int
}

// The kinds that are no lists of the lexicon.
const (
	kindNumber   = "number"
	kindDate     = "date"
	kindDuration = "duration"
	kindAddress  = "address"
	kindWord     = "word"
	kindTitle    = "title"
	kindText     = "text"
)

func builtIn(kind string) bool {
	switch kind {
	case kindNumber, kindDate, kindDuration, kindAddress, kindWord, kindTitle, kindText:
		return true
	}
	return false
}

// expr is a pattern as read: a tree.
type expr struct {
	is   exprKind
	text string // of a word, as written; of a slot its name
	tag  string
	kind string
	kids []expr
}

type exprKind byte

const (
	isWord exprKind = iota
	isSlot
	isSeq
	isAlt
	isOpt
	isList
)

// reader reads a pattern into an expr.
type reader struct {
	rest  string
	parts map[string]string
	depth int // of parts within parts
}

func compile(text string, parts map[string]string, same map[string][]string, looks map[string]*regexp.Regexp) (*pattern, error) {
	e, err := readPattern(text, parts, 0)
	if err != nil {
		return nil, err
	}
	c := compiler{same: same, looks: looks}
	end := c.add(node{op: opEnd})
	p := &pattern{show: show(e), expr: e}
	p.start = c.emit(e, end)
	p.nodes = c.nodes
	return p, p.study()
}

// readPattern reads a whole pattern. Outside brackets a stroke stands between single items.
func readPattern(text string, parts map[string]string, depth int) (expr, error) {
	if depth > 8 {
		return expr{}, fmt.Errorf("parts go round in a circle")
	}
	r := &reader{rest: text, parts: parts, depth: depth}
	seq := expr{is: isSeq}
	for {
		gap := r.blanks()
		if r.rest == "" {
			break
		}
		if r.rest[0] == '|' {
			r.rest = r.rest[1:]
			if gap || len(seq.kids) == 0 || r.blanks() {
				return expr{}, fmt.Errorf("outside brackets | stands between single words, without blanks: use ( | )")
			}
			item, err := r.item()
			if err != nil {
				return expr{}, err
			}
			last := &seq.kids[len(seq.kids)-1]
			if last.is == isAlt {
				last.kids = append(last.kids, item)
			} else {
				*last = expr{is: isAlt, kids: []expr{*last, item}}
			}
			continue
		}
		item, err := r.item()
		if err != nil {
			return expr{}, err
		}
		seq.kids = append(seq.kids, item)
	}
	if len(seq.kids) == 0 {
		return expr{}, fmt.Errorf("it is empty")
	}
	return seq, nil
}

// blanks skips blanks and tells whether there were any.
func (r *reader) blanks() bool {
	rest := strings.TrimLeft(r.rest, " \t\n")
	some := len(rest) < len(r.rest)
	r.rest = rest
	return some
}

// inside reads what stands in brackets up to the closing one: sequences parted by strokes.
func (r *reader) inside(closing byte) (expr, error) {
	alt := expr{is: isAlt}
	seq := expr{is: isSeq}
	for {
		r.blanks()
		if r.rest == "" {
			return expr{}, fmt.Errorf("a %q is missing", closing)
		}
		if c := r.rest[0]; c == '|' || c == closing {
			r.rest = r.rest[1:]
			if len(seq.kids) == 0 {
				return expr{}, fmt.Errorf("nothing stands before a %q", c)
			}
			alt.kids = append(alt.kids, seq)
			seq = expr{is: isSeq}
			if c == '|' {
				continue
			}
			if len(alt.kids) == 1 {
				return alt.kids[0], nil
			}
			return alt, nil
		}
		item, err := r.item()
		if err != nil {
			return expr{}, err
		}
		seq.kids = append(seq.kids, item)
	}
}

func (r *reader) item() (expr, error) {
	if r.rest == "" {
		return expr{}, fmt.Errorf("it ends with |")
	}
	c := r.rest[0]
	switch c {
	case '[', '(', '{':
		r.rest = r.rest[1:]
		e, err := r.inside(map[byte]byte{'[': ']', '(': ')', '{': '}'}[c])
		switch {
		case err != nil || c == '(':
			return e, err
		case c == '[':
			return expr{is: isOpt, kids: []expr{e}}, nil
		case !r.star():
			return expr{}, fmt.Errorf("{ } needs ,* after it")
		}
		return expr{is: isList, kids: []expr{e}}, nil
	case '<':
		return r.slot()
	case '$':
		name, rest := cut(r.rest[1:], func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' })
		part, known := r.parts[name]
		if !known {
			return expr{}, fmt.Errorf("there is no part $%s", name)
		}
		r.rest = rest
		return readPattern(part, r.parts, r.depth+1)
	case ']', ')', '}', '>', '|', '#', '*':
		return expr{}, fmt.Errorf("%q stands where a word should", c)
	}
	return r.word()
}

// word reads a literal word, of which a comma, colon or @ is one, and its tag.
func (r *reader) word() (expr, error) {
	text, rest := cut(r.rest, endsWord)
	if text == "" {
		text, rest = rest[:1], rest[1:]
		if strings.HasPrefix(rest, "#") {
			var tag string
			tag, rest = cut(rest, endsWord)
			text += tag
		}
	}
	r.rest = rest
	word, tag, tagged := strings.Cut(text, "#")
	if word == "" || tagged && tag == "" {
		return expr{}, fmt.Errorf("%q is neither a word nor a word with a tag", text)
	}
	return expr{is: isWord, text: word, tag: tag}, nil
}

func endsWord(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("[](){}<>|$,:@", c) }

func (r *reader) slot() (expr, error) {
	body, rest, closed := strings.Cut(r.rest[1:], ">")
	name, kind, hasKind := strings.Cut(body, ":")
	if !hasKind {
		kind = name
	}
	if !closed || name == "" || slices.Contains(strings.Split(kind, "|"), "") || strings.ContainsAny(body, "<[](){} ") {
		return expr{}, fmt.Errorf("<%s is no slot", body)
	}
	r.rest = rest
	e := expr{is: isSlot, text: name, kind: kind}
	if r.star() {
		return expr{is: isList, kids: []expr{e}}, nil
	}
	return e, nil
}

// star reads the sign of a list.
func (r *reader) star() bool {
	rest, ok := strings.CutPrefix(r.rest, ",*")
	r.rest = rest
	return ok
}

func cut(s string, at func(rune) bool) (before, rest string) {
	if i := strings.IndexFunc(s, at); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// show writes a pattern as people read it.
func show(e expr) string {
	switch e.is {
	case isWord:
		return e.text
	case isSlot:
		return "<" + e.text + ">"
	case isOpt:
		return "[" + show(e.kids[0]) + "]"
	case isList:
		one := show(e.kids[0])
		return one + "[, " + one + "…]"
	case isAlt:
		var kids []string
		stroke := "|"
		for _, k := range e.kids {
			text := show(k)
			if slices.Contains(kids, text) {
				continue // two kinds of one slot
			}
			if strings.Contains(text, " ") {
				stroke = " | "
			}
			kids = append(kids, text)
		}
		return strings.Join(kids, stroke)
	}
	var b strings.Builder
	for i, k := range e.kids {
		text := show(k)
		if k.is == isAlt && strings.Contains(text, " ") && len(e.kids) > 1 {
			text = "(" + text + ")"
		}
		if i > 0 && text != "," && text != ":" && !strings.HasPrefix(text, "[:") && !strings.HasPrefix(text, "[,") {
			b.WriteByte(' ')
		}
		b.WriteString(text)
	}
	return b.String()
}

// compiler turns an expr into nodes, from the end to the beginning.
type compiler struct {
	nodes  []node
	same   map[string][]string
	looks  map[string]*regexp.Regexp
	inList bool
}

func (c *compiler) add(n node) int {
	c.nodes = append(c.nodes, n)
	return len(c.nodes) - 1
}

// emit adds the nodes of e, after which next comes, and returns where they begin.
func (c *compiler) emit(e expr, next int) int {
	switch e.is {
	case isWord:
		return c.word(e, next)
	case isSlot:
		n := node{op: opSlot, slot: e.text, kind: e.kind, member: c.inList, looks: c.looks[e.kind], next: []int{next}}
		if !builtIn(e.kind) && n.looks == nil {
			n.kinds = strings.Split(e.kind, "|")
		}
		return c.add(n)
	case isOpt:
		return c.add(node{op: opSplit, next: []int{c.emit(e.kids[0], next), next}})
	case isAlt:
		n := node{op: opSplit}
		for _, k := range e.kids {
			n.next = append(n.next, c.emit(k, next))
		}
		return c.add(n)
	case isList:
		return c.list(e.kids[0], next)
	}
	for i := len(e.kids) - 1; i >= 0; i-- {
		next = c.emit(e.kids[i], next)
	}
	return next
}

// list adds one member, and after it a loop: a comma or a word for "and", and another member.
func (c *compiler) list(member expr, next int) int {
	loop := c.add(node{op: opSplit})
	outer := c.inList
	c.inList = true
	begin := c.emit(member, loop)
	c.inList = outer
	and := c.add(node{op: opWord, words: ands, comma: true, next: []int{begin}})
	after := c.add(node{op: opSplit, next: []int{and, begin}})
	comma := c.add(node{op: opWord, words: []string{","}, comma: true, next: []int{after}})
	c.nodes[loop].next = []int{comma, and, next}
	return begin
}

// ands are the words that part the members of a list, folded.
var ands = []string{"and", "&", "и"}

// word adds a literal word with all that are the same; some of them may be several words.
func (c *compiler) word(e expr, next int) int {
	spellings := append([]string{e.text}, c.same[Fold(e.text)]...)
	one := node{op: opWord, tag: e.tag, next: []int{next}}
	branches := []int{}
	for _, s := range spellings {
		said := split(Clean(s))
		words := fold(said)
		if len(words) == 1 {
			if !slices.Contains(one.words, words[0]) {
				one.words, one.said = append(one.words, words[0]), append(one.said, said[0].text)
			}
			continue
		}
		at := next
		for i := len(words) - 1; i >= 0; i-- {
			n := node{op: opWord, words: words[i : i+1], said: []string{said[i].text}, next: []int{at}}
			if i == 0 {
				n.tag = e.tag
			}
			at = c.add(n)
		}
		branches = append(branches, at)
	}
	if len(one.words) > 0 {
		branches = append([]int{c.add(one)}, branches...)
	}
	if len(branches) == 1 {
		return branches[0]
	}
	return c.add(node{op: opSplit, next: branches})
}

func fold(words []span) []string {
	var folded []string
	for _, w := range words {
		folded = append(folded, Fold(w.text))
	}
	return folded
}

// study finds the words by which a pattern is looked up, and where titles end.
func (p *pattern) study() error {
	p.first, p.verbs = map[string]bool{}, map[string]bool{}
	seen := map[[2]int]bool{}
	var err error
	var walk func(n, slots int)
	walk = func(n, slots int) {
		if seen[[2]int{n, slots}] {
			return
		}
		seen[[2]int{n, slots}] = true
		switch at := &p.nodes[n]; {
		case at.op == opEnd && slots == 0:
			err = fmt.Errorf("it may be empty")
		case at.op == opEnd:
			p.bare = true
		case at.op == opWord && !at.comma:
			at.verb = true
			for _, w := range at.words {
				if slots == 0 {
					p.first[w] = true
				} else {
					p.verbs[w] = true
				}
			}
		case at.op == opSlot && (at.kind == kindText || at.kind == kindTitle || at.kind == kindWord):
			err = fmt.Errorf("<%s> stands before any literal word and would take whatever is written", at.slot)
		case at.op == opSlot:
			at.lead = true
			walk(at.next[0], 1)
		default:
			for _, next := range at.next {
				walk(next, slots)
			}
		}
	}
	walk(p.start, 0)
	for i := range p.nodes {
		if n := &p.nodes[i]; n.kind == kindTitle {
			n.stop = map[string]bool{}
			for _, w := range p.wordsAt(n.next[0]) {
				for _, word := range p.nodes[w].words {
					n.stop[word] = true
				}
			}
		}
	}
	return err
}

// wordsAt returns the literal words that may stand next at a node.
func (p *pattern) wordsAt(n int) []int {
	var found []int
	seen := map[int]bool{}
	var walk func(int)
	walk = func(n int) {
		if seen[n] {
			return
		}
		seen[n] = true
		switch p.nodes[n].op {
		case opWord:
			found = append(found, n)
		case opSplit:
			for _, next := range p.nodes[n].next {
				walk(next)
			}
		}
	}
	walk(n)
	return found
}
