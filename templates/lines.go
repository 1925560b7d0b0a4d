package templates

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Lengths in letters.
const (
	width          = 76  // of a line of prose
	lineLength     = 300 // of an order as it is shown
	textLength     = 80  // of a piece of an order
	subjectLength  = 160
	headlineLength = 100
)

// breaks makes one of all kinds of line breaks.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\t", " ")

// clean drops what could change how a text is read: bad UTF-8, control characters but line breaks, and marks that
// turn the direction of writing.
func clean(s string) string {
	if !strings.ContainsFunc(s, suspect) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if suspect(r) {
			return -1
		}
		return r
	}, breaks.Replace(s))
}

// suspect tells whether clean has something to do about a letter.
func suspect(r rune) bool {
	switch {
	case r == '\n', ' ' <= r && r < 0x7f, unicode.IsLetter(r): // most of them
		return false
	}
	return unicode.IsControl(r) || r == utf8.RuneError || r == '\ufeff' || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}

// oneLine is s cleaned and with its line breaks and runs of blanks as one blank.
func oneLine(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// cut shortens s to n letters, the last of them an ellipsis.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return strings.TrimRight(string(r[:n-1]), " ") + "…"
}

// tidy is a text as people get it: cleaned, no blanks at the ends of lines but after "--", no two empty lines in a
// row, none at the ends.
func tidy(s string) string {
	var out []string
	for _, line := range strings.Split(clean(s), "\n") {
		if line != signature {
			line = strings.TrimRight(line, " ")
		}
		if line == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, line)
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}

// signature is the line after which no reader of letters looks for orders.
const signature = "-- "

// wrapper breaks lines, and remembers how: most long lines are the same in every mail, and where one may be broken takes
// many looks at the order forms.
type wrapper struct {
	risky func(string) bool

	mu    sync.Mutex
	known map[string]string
}

// maxWrapped is how many lines a wrapper remembers.
const maxWrapped = 1000

// wrap breaks the lines of a text that are longer than width, but for quoted ones and links, never so that a new line
// is risky.
func (w *wrapper) wrap(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if utf8.RuneCountInString(line) > width && !strings.HasPrefix(line, ">") {
			lines[i] = w.line(line)
		}
	}
	return strings.Join(lines, "\n")
}

func (w *wrapper) line(line string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s, ok := w.known[line]; ok {
		return s
	}
	if w.known == nil || len(w.known) >= maxWrapped {
		w.known = map[string]string{}
	}
	w.known[line] = wrapLine(line, w.risky)
	return w.known[line]
}

func wrapLine(line string, risky func(string) bool) string {
	words := strings.Fields(line)
	var out []string
	for len(words) > 0 {
		n := fitting(words)
		if n < len(words) {
			n = safeBreak(words, n, risky)
		}
		out = append(out, strings.Join(words[:n], " "))
		words = words[n:]
	}
	return strings.Join(out, "\n")
}

// fitting tells how many words fit on a line, one at least.
func fitting(words []string) int {
	length := 0
	for i, w := range words {
		length += utf8.RuneCountInString(w)
		if i > 0 && length > width {
			return i
		}
		length++
	}
	return len(words)
}

// safeBreak moves a break at n back, else forward, to where what follows does not begin like an order.
func safeBreak(words []string, n int, risky func(string) bool) int {
	for i := n; i > n/2; i-- {
		if !risky(nextLine(words[i:])) {
			return i
		}
	}
	for i := n + 1; i < len(words); i++ {
		if !risky(nextLine(words[i:])) {
			return i
		}
	}
	return len(words)
}

func nextLine(words []string) string { return strings.Join(words[:fitting(words)], " ") }

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// quote puts "> " before every line.
func quote(s string) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(clean(s)), "\n", "\n> ")
}
