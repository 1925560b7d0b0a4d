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
	s := scanner{g: g, lines: lines}
	var pieces, inside []Piece
	inBlock, blocks := false, false
	for s.at < len(lines) {
		switch s.g.steer(lines[s.at]) {
		case stepIn:
			inBlock, blocks = true, true
			s.at++
			continue
		case stepOut:
			inBlock = false
			s.at++
			continue
		case endText: // of no text
			s.at++
			continue
		}
		p := s.piece()
		p.InBlock = inBlock
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

// WithoutTexts returns the writer's lines without long texts, the lines that they follow, and their end lines.
func (g *Grammar) WithoutTexts(lines []string) []string {
	s := scanner{g: g, lines: lines}
	var kept []string
	for s.at < len(lines) {
		from := s.at
		switch g.steer(lines[from]) {
		case endText:
			s.at++
			continue
		case 0:
			if s.piece().Text != nil {
				continue
			}
		default:
			s.at++
		}
		kept = append(kept, lines[from:s.at]...)
	}
	return kept
}

// steering is what a line that is no order does.
type steering byte

const (
	stepIn  steering = iota + 1 // a block begins
	stepOut                     // a block ends
	endText                     // a long text ends
)

// steer tells what a line that is no order does.
func (g *Grammar) steer(line string) steering {
	if len(line) > longestSteering {
		return 0
	}
	return g.steering[closed(line)]
}

const longestSteering = 100 // bytes; no line that steers comes near it

// closed returns a line without the colon or stop after it, folded.
func closed(line string) string { return Fold(strings.TrimRight(line, " .:;")) }

// steers maps the folded lines that steer to what they do.
func steers(forms []Form) map[string]steering {
	m := map[string]steering{
		Fold("ORDERS"): stepIn, Fold("ПРИКАЗЫ"): stepIn,
		Fold("END"): stepOut, Fold("КОНЕЦ"): stepOut,
	}
	for _, f := range forms {
		for _, end := range f.End {
			m[Fold(end)] = endText
		}
	}
	return m
}

// scanner goes through a letter.
type scanner struct {
	g     *Grammar
	lines []string
	at    int

	bound int // the first line from at on that ends a long text or surely begins one, once looked for
}

// piece takes the next piece.
func (s *scanner) piece() Piece {
	p := Piece{Line: s.g.strip(s.logical())}
	if ends := s.longText(p.Line); ends != nil {
		p.Line = strings.TrimRight(p.Line, " :")
		p.Text, p.NoEnd = s.text(ends)
	}
	return p
}

// logical takes a line and joins those to it that it is continued by.
func (s *scanner) logical() string {
	line, more := strings.CutSuffix(strings.TrimSpace(s.lines[s.at]), `\`)
	s.at++
	if !more {
		return line
	}
	parts := []string{strings.TrimSpace(line)}
	for more && s.at < len(s.lines) && s.g.steer(s.lines[s.at]) == 0 {
		line, more = strings.CutSuffix(strings.TrimSpace(s.lines[s.at]), `\`)
		parts = append(parts, strings.TrimSpace(line))
		s.at++
	}
	return strings.TrimSpace(strings.Join(parts, " "))
}

// longText returns the end lines of the form that a line begins, nil when no long text follows it. A line that only
// looks like such a beginning is one when its end line comes before the next beginning: a slip in it must not turn
// the text into orders.
func (s *scanner) longText(line string) map[string]string {
	ends, sure := s.g.opens(line)
	if ends == nil || sure {
		return ends
	}
	for s.bound = max(s.bound, s.at); s.bound < len(s.lines); s.bound++ {
		bound := s.lines[s.bound]
		if s.g.steer(bound) == endText {
			if isEnd(bound, ends) {
				return ends
			}
			return nil
		}
		if _, sure := s.g.opens(s.g.strip(bound)); sure {
			return nil
		}
	}
	return nil
}

// opens returns the end lines of the form with a long text that a line begins, and whether it surely does; otherwise
// its first word is the form's, or nearly.
func (g *Grammar) opens(line string) (ends map[string]string, sure bool) {
	first, _ := cut(line, func(r rune) bool { return r == ' ' || isSign(r) })
	first = Fold(first)
	for _, i := range g.long {
		p := g.patterns[i]
		switch {
		case p.first[first] && p.opens(newSentence(line)):
			return g.forms[p.form].End, true
		case ends == nil && (p.first[first] || p.longVerb(first)):
			ends = g.forms[p.form].End
		}
	}
	return ends, false
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

// text takes the lines up to an end line, and tells whether that is missing.
func (s *scanner) text(ends map[string]string) (text []string, noEnd bool) {
	for ; s.at < len(s.lines); s.at++ {
		if isEnd(s.lines[s.at], ends) {
			s.at++
			return text, false
		}
		text = append(text, s.lines[s.at])
	}
	return text, true
}

// isEnd tells whether a line is one of a form's end lines.
func isEnd(line string, ends map[string]string) bool {
	if len(line) > longestSteering {
		return false
	}
	folded := closed(line)
	for _, end := range ends {
		if folded == Fold(end) {
			return true
		}
	}
	return false
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
