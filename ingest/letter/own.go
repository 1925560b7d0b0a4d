package letter

import (
	"fmt"
	"slices"
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
	ended, bold := false, w.marksBold()
	for _, p := range w.runningText() {
		if ended {
			break // what follows a forwarded mail in further parts is the rest of it
		}
		var own []string
		own, ended = ownOf(p)
		if bold {
			withoutStars(own)
		}
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

// runningText returns the lines of the text parts that count. Of an alternative, plain text counts where it is not
// blank, else HTML. So it is of the whole letter, but that HTML which comes first is the letter, and plain text after
// it one more part, mostly a footer, unless it says the same.
func (w *walk) runningText() [][]line {
	var plain []textPart
	alternatives := map[int]bool{} // that have plain text
	for _, p := range w.plain {
		if strings.TrimFunc(p.text, isBlankRune) != "" {
			plain = append(plain, p)
			alternatives[p.alternative] = p.alternative > 0
		}
	}
	var texts [][]line
	for _, p := range w.html {
		if !alternatives[p.alternative] && (len(plain) == 0 || p.at < plain[0].at) {
			if hasTag(p.text) {
				texts = append(texts, htmlLines(p.text))
			} else {
				texts = append(texts, fixedLines(p.text)) // plain text under a wrong label
			}
		}
	}
	said := map[string]bool{}
	for _, lines := range texts {
		for _, l := range lines {
			said[orders.Clean(l.text)] = true
		}
	}
	for _, p := range plain {
		lines := linesOf(p)
		if len(said) == 0 || slices.ContainsFunc(lines, func(l line) bool { return !said[orders.Clean(l.text)] && orders.Clean(l.text) != "" }) {
			texts = append(texts, lines)
		}
	}
	return texts
}

// hasTag tells whether there is any tag, or anything else that only HTML has, in a text.
func hasTag(s string) bool {
	for i := strings.IndexByte(s, '<'); i >= 0 && i+1 < len(s); {
		if c := s[i+1]; isAlnum(rune(c)) || c == '/' || c == '!' {
			return true
		}
		next := strings.IndexByte(s[i+1:], '<')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return strings.IndexByte(s, '&') >= 0
}

// marksBold tells whether asterisks in the plain text are what a program put for bold type: there is HTML beside it,
// and none in that.
func (w *walk) marksBold() bool {
	return len(w.plain) > 0 && len(w.html) > 0 && !slices.ContainsFunc(w.html, func(p textPart) bool { return strings.Contains(p.text, "*") })
}

func withoutStars(lines []string) {
	for i, t := range lines {
		if bullet := strings.HasPrefix(t, "* "); bullet {
			lines[i] = "* " + strings.ReplaceAll(t[2:], "*", "")
		} else {
			lines[i] = strings.ReplaceAll(t, "*", "")
		}
	}
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
	if len(out) == 0 {
		return own
	}
	if len(own) > 0 {
		out = append(out, "")
	}
	return append(out, own...)
}

// ownOf returns the writer's own lines of a text in normal form, blank runs as one "". ended tells that the text ends
// in a mail that was forwarded or replied to without quote marks.
func ownOf(in []line) (out []string, ended bool) {
	c := cutter{in: in, out: make([]string, 0, len(in)), lastQuote: -1}
	for i := range in {
		if in[i].quoted && isMboxFrom(in, i) {
			in[i] = line{text: in[i].text[1:]}
		}
		if in[i].quoted {
			c.lastQuote = i
		} else {
			in[i].text = linkOnce(orders.Clean(in[i].text))
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

// isMboxFrom tells a line of the writer's that begins with "From " and got its ">" in a mailbox file: it stands alone
// among lines without marks.
func isMboxFrom(in []line, i int) bool {
	if !strings.HasPrefix(in[i].text, ">From ") || i+1 < len(in) && in[i+1].quoted {
		return false
	}
	return i == 0 || !in[i-1].quoted && !strings.HasSuffix(in[i-1].text, ":")
}

// linkOnce takes off the links that Outlook puts behind an address or a site: "a@b.example<mailto:a@b.example>".
func linkOnce(t string) string {
	for from, tries := 0, 0; ; tries++ {
		open := strings.IndexByte(t[from:], '<')
		if open < 0 || tries == maxLinks {
			return t
		}
		open += from
		length := strings.IndexByte(t[open:], '>')
		if length < 0 {
			return t
		}
		from = open + length + 1
		_, target, ok := strings.Cut(t[open+1:open+length], ":")
		target = strings.TrimSuffix(strings.TrimPrefix(target, "//"), "/")
		if ok && target != "" && len(target) <= open && strings.EqualFold(t[open-len(target):open], target) {
			t, from = t[:open]+t[from:], open
		}
	}
}

// maxLinks is how many links are looked for in one line.
const maxLinks = 20

// cutter goes through the lines of one text and keeps the writer's own.
type cutter struct {
	in        []line
	out       []string
	lastQuote int  // the last line with a quote mark; -1 for none
	signed    bool // the signature was reached
	ended     bool // a mail forwarded or replied to was reached
	prose     int  // no disclaimer begins above this line
}

// step deals with the line at i and perhaps some that belong to it, and returns how many.
func (c *cutter) step(i int) int {
	t := c.in[i].text
	switch {
	case c.in[i].quoted:
		return 1
	case len(t) < maxLabel && c.isNotesHeader(i):
		c.end()
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
		if strong && (c.lastQuote < i || c.unmarked(i, n)) {
			c.end()
		}
		return n
	}
	switch {
	case isMarker(t):
		c.end()
	case phoneSignatures.begin(trimFront(t, "-_*~([<\"' ")) && c.isAppended(i):
		if i+1 < len(c.in) && strings.HasPrefix(c.in[i+1].text, "http") {
			return 2
		}
	case banners.begin(t) && len(c.out) == 0:
	case i >= c.prose && disclaimers.begin(t):
		if n := c.disclaimer(i); n > 0 {
			return n
		}
		c.out = append(c.out, t)
	default:
		c.out = append(c.out, t)
	}
	return 1
}

// plainStart tells lines that begin no separator and no header block: by far the most.
func plainStart(t string) bool {
	return !strings.ContainsRune("-_=*~<[", rune(t[0])) && strings.IndexByte(t[:min(len(t), 48)], ':') < 0 && !forwardings.begin(t)
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

// armour deals with OpenPGP's lines: the head of a signed text is left out up to its blank line, everything else up
// to its end.
func (c *cutter) armour(i int) int {
	signed := strings.HasPrefix(c.in[i].text, "-----BEGIN PGP SIGNED MESSAGE")
	for n := 1; i+n < len(c.in); n++ {
		t := c.in[i+n].text
		if signed && t == "" {
			c.unescape(i + n)
			return n + 1
		}
		if strings.HasPrefix(t, "-----END ") {
			return n + 1
		}
	}
	return len(c.in) - i
}

// unescape takes off the "- " that stands before every line of a signed text that begins with a dash.
func (c *cutter) unescape(i int) {
	for ; i < len(c.in) && !strings.HasPrefix(c.in[i].text, "-----BEGIN "); i++ {
		if !c.in[i].quoted {
			c.in[i].text = strings.TrimPrefix(c.in[i].text, "- ")
		}
	}
}

// isSeparator tells the line by which programs part a mail replied to or forwarded from the text above it.
func (c *cutter) isSeparator(i int) bool {
	t := c.in[i].text
	words := strings.Trim(t, "-_=*~<>[] ")
	dashed := len(t) > 2 && strings.Trim(t[:2], "-_=*~") == ""
	if forwardings.begin(words) {
		marks := strings.ReplaceAll(t[:strings.Index(t, words)], " ", "")
		return len(marks) > 1 || t[len(t)-1] == ':' || t[0] == '[' && t[len(t)-1] == ']'
	}
	if dashed && strings.HasSuffix(t, "---") && saysWrote(t) { // Zoho
		return true
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
		sure = sure || label == 'f' && strings.IndexByte(t, '@') > 0 || label == 'd' && isDated(t)
		kinds := 0
		for _, is := range seen {
			if is {
				kinds++
			}
		}
		if seen['f'] && (kinds >= 3 && seen['s'] || kinds >= 2 && sure) {
			return true
		}
	}
	return false
}

// maxLabel is how long the name of a field may be in the headers that Notes quotes.
const maxLabel = 16

// isNotesHeader tells the header that Notes quotes, names and values in lines of their own: below a date, "To" stands
// alone, and "Subject" further down.
func (c *cutter) isNotesHeader(i int) bool {
	if headerLabels[strings.ToLower(c.in[i].text)] != 't' {
		return false
	}
	above, below := c.in[max(0, i-4):i], c.in[i+1:min(len(c.in), i+headerBlockLines)]
	return slices.ContainsFunc(above, func(l line) bool { return !l.quoted && isDated(l.text) }) &&
		slices.ContainsFunc(below, func(l line) bool {
			return !l.quoted && len(l.text) < maxLabel && headerLabels[strings.ToLower(l.text)] == 's'
		})
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
	return seen['f'] && len(seen) >= 3 && (seen['s'] || isDated(t) || strings.IndexByte(t, '@') > 0)
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
