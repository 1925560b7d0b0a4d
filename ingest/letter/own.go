package letter

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"arroba/orders"
)

// ownLines puts together what the writer himself wrote: the running text, plain if there is any and HTML otherwise,
// and then the attached files of orders.
func (w *walk) ownLines() []string {
	if w.over != "" {
		return nil
	}
	var out []string
	ended := false
	for _, p := range w.runningText() {
		if ended {
			break // what follows a forwarded mail in further parts is the rest of it
		}
		var own []string
		own, ended = ownOf(p)
		out = appendParagraph(out, own)
	}
	for _, p := range w.files {
		own, _ := ownOf(linesOf(p))
		out = appendParagraph(out, own)
	}
	if len(out) > w.maxLines {
		w.exceed(LimitLines, fmt.Errorf("the letter has more than %d lines", w.maxLines))
		return nil
	}
	return out
}

// runningText returns the lines of the text parts that count: all of text/plain if any is not blank, else HTML's.
func (w *walk) runningText() [][]line {
	var texts [][]line
	for _, p := range w.plain {
		if strings.TrimFunc(p.text, isBlankRune) != "" {
			texts = append(texts, linesOf(p))
		}
	}
	if len(texts) > 0 {
		return texts
	}
	for _, p := range w.html {
		texts = append(texts, htmlLines(p.text))
	}
	return texts
}

func isBlankRune(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.IsControl(r)
}

func linesOf(p textPart) []line {
	if p.flowed {
		return flowedLines(p.text, p.delSp)
	}
	return fixedLines(p.text)
}

func appendParagraph(out, own []string) []string {
	if len(out) > 0 && len(own) > 0 {
		out = append(out, "")
	}
	return append(out, own...)
}

// ownOf returns the writer's own lines of a text in normal form, blank runs as one "". ended tells that the text ends
// in a mail that was forwarded or replied to without quote marks.
func ownOf(in []line) (out []string, ended bool) {
	c := cutter{in: in, out: make([]string, 0, len(in)), lastQuote: -1}
	for i := range in {
		if in[i].quoted {
			c.lastQuote = i
		} else {
			in[i].text = orders.Clean(in[i].text)
		}
	}
	for i := 0; i < len(in) && !c.signed && !c.ended; {
		i += c.step(i)
	}
	for len(c.out) > 0 && c.out[len(c.out)-1] == "" {
		c.out = c.out[:len(c.out)-1]
	}
	return c.out, c.ended
}

// cutter goes through the lines of one text and keeps the writer's own.
type cutter struct {
	in        []line
	out       []string
	lastQuote int  // the last line with a quote mark; -1 for none
	signed    bool // the signature was reached
	ended     bool // a mail forwarded or replied to was reached
}

// step deals with the line at i and perhaps some that belong to it, and returns how many.
func (c *cutter) step(i int) int {
	t := c.in[i].text
	switch {
	case c.in[i].quoted:
		return 1
	case t == "":
		c.keepBlank()
		return 1
	case t == "--":
		c.signed = true
		return 1
	case plainStart(t):
	case strings.HasPrefix(t, "-----BEGIN "):
		return c.armour(i)
	case c.isSeparator(i) || c.isHeaderBlock(i):
		c.end()
		return 1
	}
	if n, strong := c.attribution(i); n > 0 {
		if strong && c.lastQuote < i {
			c.end()
		}
		return n
	}
	switch {
	case isMarker(t):
		c.end()
	case phoneSignatures.begin(t) && len(t) < 200, banners.begin(t):
	case disclaimers.begin(t) && c.isDisclaimer(i):
		return c.paragraph(i)
	default:
		c.out = append(c.out, t)
	}
	return 1
}

// plainStart tells lines that begin no separator and no header block: by far the most.
func plainStart(t string) bool {
	return !strings.ContainsRune("-_=*~", rune(t[0])) && strings.IndexByte(t[:min(len(t), 48)], ':') < 0 && !forwardings.begin(t)
}

func (c *cutter) keepBlank() {
	if len(c.out) > 0 && c.out[len(c.out)-1] != "" {
		c.out = append(c.out, "")
	}
}

// end ends the writer's own text, and takes back the rule that stood above what follows.
func (c *cutter) end() {
	c.ended = true
	for len(c.out) > 0 && strings.Trim(c.out[len(c.out)-1], "-_=* ") == "" {
		c.out = c.out[:len(c.out)-1]
	}
}

// paragraph returns how many lines there are from i to the next blank line; a short first line stands alone.
func (c *cutter) paragraph(i int) int {
	if len(c.in[i].text) < 50 {
		return 1
	}
	n := 1
	for i+n < len(c.in) && !c.in[i+n].quoted && c.in[i+n].text != "" {
		n++
	}
	return n
}

// armour deals with OpenPGP's lines: the head of a signed text is left out up to its blank line, everything else up
// to its end.
func (c *cutter) armour(i int) int {
	signed := strings.HasPrefix(c.in[i].text, "-----BEGIN PGP SIGNED MESSAGE")
	for n := 1; i+n < len(c.in); n++ {
		t := c.in[i+n].text
		if signed && t == "" || strings.HasPrefix(t, "-----END ") {
			return n + 1
		}
	}
	return len(c.in) - i
}

// isSeparator tells the line by which programs part a mail replied to or forwarded from the text above it.
func (c *cutter) isSeparator(i int) bool {
	t := c.in[i].text
	dashed := len(t) > 2 && strings.Trim(t[:2], "-_=*~") == ""
	if forwardings.begin(strings.Trim(t, "-_=*~ ")) {
		return dashed || t[len(t)-1] == ':'
	}
	return dashed && len(t) >= 10 && c.isHeaderBlock(i+1)
}

// headerBlockLines is how many lines below its first a quoted header may go on.
const headerBlockLines = 12

// isHeaderBlock tells whether the header of a mail, as programs quote it, begins at i, or below a blank line: From
// and others, in whatever language the program speaks.
func (c *cutter) isHeaderBlock(i int) bool {
	if i < len(c.in) && c.in[i].text == "" {
		i++
	}
	if i >= len(c.in) || c.in[i].quoted || headerLabel(c.in[i].text) == 0 {
		return false
	}
	if headerInOneLine(c.in[i].text) {
		return true
	}
	seen := map[byte]bool{}
	sure := false
	for n, odd := i, 0; n < len(c.in) && n < i+headerBlockLines && odd < 3; n++ {
		t := c.in[n].text
		label := headerLabel(t)
		if label == 0 && t != "" {
			odd++
			continue
		}
		seen[label] = label != 0
		sure = sure || label == 'f' && strings.IndexByte(t, '@') > 0 || label == 'd' && strings.ContainsAny(t, "0123456789")
		kinds := 0
		for _, is := range seen {
			if is {
				kinds++
			}
		}
		if seen['f'] && (kinds >= 3 || kinds == 2 && sure) {
			return true
		}
	}
	return false
}

// headerInOneLine tells a quoted header whose lines a program has joined ("From: a Sent: b To: c Subject: d").
func headerInOneLine(t string) bool {
	seen := map[byte]bool{}
	for _, w := range strings.Fields(t) {
		if w[len(w)-1] == ':' {
			seen[headerLabel(w)] = true
		}
	}
	delete(seen, 0)
	return seen['f'] && len(seen) >= 3
}

// headerLabel tells which field of a quoted header a line is: 'f' From, 'd' Date, 't' To, 's' Subject, 'c' another,
// 0 for none.
func headerLabel(t string) byte {
	t = strings.TrimLeft(t, "*_ ")
	colon := strings.IndexByte(t, ':')
	if colon <= 0 || colon > 40 {
		return 0
	}
	return headerLabels[strings.ToLower(strings.Trim(t[:colon], "*_ "))]
}

// attributionLines is how many lines an attribution may be broken into.
const attributionLines = 3

// attribution returns how many lines from i on say who wrote what is quoted below, 0 for none. strong ones are
// unmistakable: a mail follows, even where no quote marks do.
func (c *cutter) attribution(i int) (n int, strong bool) {
	if hasInlineAttribution(c.in[i].text) {
		return 1, true
	}
	if !c.colonAhead(i) {
		return 0, false
	}
	joined := ""
	for n = 1; n <= attributionLines && i+n <= len(c.in); n++ {
		t := c.in[i+n-1].text
		if c.in[i+n-1].quoted || t == "" || n == 2 && !beginsAttribution(joined) {
			return 0, false
		}
		if n > 1 {
			joined += " "
		}
		joined += t
		if t[len(t)-1] != ':' || len(joined) > 500 {
			continue
		}
		wrote := saysWrote(joined)
		dated := isDated(joined)
		addressed := strings.IndexByte(joined, '@') > 0
		switch {
		case dated && wrote && addressed, dated && (wrote || addressed) && beginsAttribution(joined):
			return n, true
		case (wrote || addressed || dated && beginsAttribution(joined)) && c.quoteFollows(i+n):
			return n, false
		}
	}
	return 0, false
}

// isDated looks for a year, a time or a date: two numbers with a sign between them, or one of four digits.
func isDated(t string) bool {
	run, before := 0, false // digits in a row, and whether a number and a sign stand before them
	for i := 0; i < len(t); i++ {
		switch c := t[i]; {
		case c >= '0' && c <= '9':
			if run++; run == 4 || before {
				return true
			}
		case run > 0 && strings.IndexByte(":./-h", c) >= 0:
			run, before = 0, true
		default:
			run, before = 0, false
		}
	}
	return false
}

// hasInlineAttribution tells an attribution with the quoted text behind it in the same line, as Yahoo's telephone
// program writes.
func hasInlineAttribution(t string) bool {
	at := strings.IndexByte(t[:min(len(t), 400)], '@')
	if at < 0 {
		return false
	}
	end := strings.Index(t[at:], ": ")
	return end >= 0 && saysWrote(t[at:at+end]) && beginsAttribution(t) && isDated(t[:at])
}

// colonAhead tells whether one of the lines that an attribution beginning at i may take ends in a colon.
func (c *cutter) colonAhead(i int) bool {
	for _, l := range c.in[i:min(len(c.in), i+attributionLines)] {
		if strings.HasSuffix(l.text, ":") {
			return true
		}
	}
	return false
}

// quoteFollows tells whether the next line that is not blank is quoted.
func (c *cutter) quoteFollows(i int) bool {
	for i < len(c.in) && !c.in[i].quoted && c.in[i].text == "" {
		i++
	}
	return i < len(c.in) && c.in[i].quoted
}

// saysWrote looks for one of the words that mean "wrote".
func saysWrote(t string) bool {
	for _, w := range strings.FieldsFunc(strings.ToLower(t), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) {
		if wroteWords[w] {
			return true
		}
	}
	return false
}

// beginsAttribution tells whether a line begins like an attribution that may be broken: by a date, a weekday or the
// word before one.
func beginsAttribution(t string) bool {
	word, _, _ := strings.Cut(t, " ")
	word = strings.ToLower(strings.Trim(word, ".,:;*_"))
	return attributionStarts[word] || isDateLike(t) || strings.IndexByte(t, '@') > 0 && saysWrote(t)
}

// isDateLike tells "05.01.2026", "2026-01-05", "5/1/26" and "5 янв" at the beginning of a line from a bullet.
func isDateLike(t string) bool {
	digits := 0
	for digits < len(t) && t[digits] >= '0' && t[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > 4 || digits+1 >= len(t) {
		return false
	}
	rest := t[digits:]
	switch rest[0] {
	case '.', '/', '-':
		return rest[1] >= '0' && rest[1] <= '9'
	case ' ':
		month, _, _ := strings.Cut(rest[1:], " ")
		month = strings.ToLower(strings.Trim(month, ".,"))
		return len([]rune(month)) >= 3 && monthStarts[string([]rune(month)[:3])]
	}
	return false
}

// isMarker knows the line of our own mails that asks to answer above it, in any wording.
func isMarker(t string) bool {
	if len(t) > 200 {
		return false
	}
	i := strings.Index(t, "this line")
	if i > 0 {
		low := strings.ToLower(t)
		return strings.Contains(low, "above this line") && (strings.Contains(low, "reply") || strings.Contains(low, "write") || strings.Contains(low, "answer") || strings.Contains(low, "type"))
	}
	if isASCII(t) || !strings.Contains(t, "выше эт") {
		return false
	}
	return strings.Contains(t, "выше этой линии") || strings.Contains(t, "выше этой строки") || strings.Contains(t, "выше этой черты")
}

// isDisclaimer tells a lawyer's or a scanner's paragraph from a sentence that begins like one.
func (c *cutter) isDisclaimer(i int) bool {
	for n := i; n < min(len(c.in), i+4) && c.in[n].text != ""; n++ {
		low := strings.ToLower(c.in[n].text)
		for _, w := range disclaimerWords {
			if strings.Contains(low, w) {
				return true
			}
		}
	}
	return false
}

// WithoutBullet returns a line without the one bullet or number that stands before it ("- ", "* ", "1. ", "2) ").
// A sign that touches a digit ("-5") is no bullet.
func WithoutBullet(t string) string {
	rest := t
	if digits := len(t) - len(strings.TrimLeft(t, "0123456789")); digits > 0 && digits <= 3 && digits < len(t) && (t[digits] == '.' || t[digits] == ')') {
		rest = t[digits+1:]
	} else {
		r, size := utf8.DecodeRuneInString(t)
		if strings.ContainsRune("-*+•·‣◦▪●○■§", r) {
			rest = t[size:]
		}
	}
	trimmed := strings.TrimLeft(rest, " ")
	if first, _ := utf8.DecodeRuneInString(trimmed); trimmed == rest && !unicode.IsLetter(first) {
		return t
	}
	return trimmed
}
