package orders

import (
	"strings"
	"unicode/utf8"
)

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
func (g *Grammar) Scan(lines []string) []Piece {
	var pieces, inside []Piece
	inBlock, blocks := false, false
	for i := 0; i < len(lines); {
		switch steer(lines[i]) {
		case begins:
			inBlock, blocks = true, true
			i++
			continue
		case ends:
			inBlock = false
			i++
			continue
		}
		if g.isEnd(lines[i]) { // of no text
			i++
			continue
		}
		line, next := g.logical(lines, i)
		p := Piece{Line: g.strip(line), InBlock: inBlock}
		i = next
		if ends := g.longText(p.Line, lines[i:]); ends != nil {
			p.Line = strings.TrimRight(p.Line, " :")
			p.Text, p.NoEnd, i = textUpTo(lines, i, ends)
		}
		switch {
		case p.Line == "":
		case inBlock:
			inside = append(inside, p)
		default:
			pieces = append(pieces, p)
		}
	}
	if blocks {
		return inside
	}
	return pieces
}

type steering byte

const (
	begins steering = iota + 1
	ends
)

// steer tells whether a line begins or ends a block.
func steer(line string) steering {
	switch closed(line) {
	case Fold("ORDERS"), Fold("ПРИКАЗЫ"):
		return begins
	case Fold("END"), Fold("КОНЕЦ"):
		return ends
	}
	return 0
}

// closed returns a line without the colon or stop after it, folded.
func closed(line string) string {
	line = strings.TrimSpace(line)
	if len(line) > 64 { // no line that steers is so long
		return line
	}
	return Fold(strings.TrimRight(line, " .:;"))
}

// logical joins lines that are continued by a backslash. It returns where the next one begins.
func (g *Grammar) logical(lines []string, i int) (string, int) {
	line, more := strings.CutSuffix(strings.TrimSpace(lines[i]), `\`)
	i++
	var b strings.Builder
	b.WriteString(strings.TrimSpace(line))
	for more && i < len(lines) && steer(lines[i]) == 0 && !g.isEnd(lines[i]) {
		line, more = strings.CutSuffix(strings.TrimSpace(lines[i]), `\`)
		b.WriteString(" ")
		b.WriteString(strings.TrimSpace(line))
		i++
	}
	return strings.TrimSpace(b.String()), i
}

// isEnd tells whether a line ends the long text of some form.
func (g *Grammar) isEnd(line string) bool { return g.ends[closed(line)] }

// longText returns the end lines of the form that a line begins, nil when no long text follows it. A line that only
// looks like such a beginning is one when an end line comes before the next beginning: a slip in it must not turn the
// text into orders.
func (g *Grammar) longText(line string, rest []string) map[string]string {
	if ends := g.opens(line, false); ends != nil {
		return ends
	}
	ends := g.opens(line, true)
	for i := 0; ends != nil && i < len(rest) && g.opens(g.strip(rest[i]), false) == nil; i++ {
		if g.isEnd(rest[i]) {
			return ends
		}
	}
	return nil
}

// opens returns the end lines of the form with a long text that a line begins. When lenient, a first word that is
// nearly the form's will do.
func (g *Grammar) opens(line string, lenient bool) map[string]string {
	first, _ := cut(line, func(r rune) bool { return r == ' ' || isSign(r) })
	first = Fold(first)
	for _, i := range g.long {
		p := g.patterns[i]
		if lenient && (p.first[first] || p.longVerb(first)) || p.first[first] && p.opens(newSentence(line)) {
			return g.forms[p.form].End
		}
	}
	return nil
}

// opens tells whether a line begins with the pattern's literal words up to its first slot, or has just these.
func (p *pattern) opens(t *sentence) bool {
	seen := map[[2]int]bool{}
	var from func(n, pos int) bool
	from = func(n, pos int) bool {
		if seen[[2]int{n, pos}] {
			return false
		}
		seen[[2]int{n, pos}] = true
		at := &p.nodes[n]
		switch at.op {
		case opEnd:
			return pos == len(t.words) || pos == len(t.words)-1 && t.words[pos].text == ":"
		case opSlot:
			return pos < len(t.words)
		case opWord:
			if pos == len(t.words) {
				return false
			}
			for _, w := range at.words {
				if w == t.words[pos].fold {
					return from(at.next[0], pos+1)
				}
			}
			return false
		}
		for _, next := range at.next {
			if from(next, pos) {
				return true
			}
		}
		return false
	}
	return from(p.start, 0)
}

// textUpTo returns the lines from i up to an end line, whether that is missing, and where the next line begins.
func textUpTo(lines []string, i int, ends map[string]string) (text []string, noEnd bool, next int) {
	for ; i < len(lines); i++ {
		folded := closed(lines[i])
		for _, end := range ends {
			if folded == Fold(end) {
				return text, false, i + 1
			}
		}
		text = append(text, lines[i])
	}
	return text, true, i
}

// strip takes one bullet or number off before a line, and full stops and semicolons after it.
func (g *Grammar) strip(line string) string {
	line = strings.TrimSpace(line)
	if rest := afterBullet(line); rest != line {
		if trimmed := strings.TrimLeft(rest, " "); rest == "" || trimmed != rest || g.begins(rest) {
			line = trimmed
		}
	}
	return strings.TrimRight(line, ".; ")
}

// begins tells whether a line begins with a form's first word: only then a bullet may touch it, for "2.Guards" may be
// a name and "-5" is a number.
func (g *Grammar) begins(line string) bool {
	words := split(line)
	return len(words) > 0 && isWordy(words[0].text) && g.byFirst[Fold(words[0].text)] != nil
}

// afterBullet returns what follows a bullet or number, or the line when there is none.
func afterBullet(line string) string {
	first, size := utf8.DecodeRuneInString(line)
	switch first {
	case '-', '*', '•', '·', '‣', '◦', '▪', '–', '—', '+':
		return line[size:]
	}
	digits := strings.TrimLeft(line, "0123456789")
	if n := len(line) - len(digits); n == 0 || n > 3 || digits == "" || digits[0] != '.' && digits[0] != ')' {
		return line
	}
	return digits[1:]
}
