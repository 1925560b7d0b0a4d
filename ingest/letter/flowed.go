package letter

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// line is one line of text; quoted says that it is somebody else's by its marks.
type line struct {
	text   string
	quoted bool
}

// fixedLines cuts text at its line ends.
func fixedLines(s string) []line {
	lines := make([]line, 0, 1+strings.Count(s, "\n"))
	eachLine(s, func(t string) { lines = append(lines, line{t, isQuoted(t)}) })
	return lines
}

var unicodeLineEnds = strings.NewReplacer("\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// eachLine calls do for every line of s, whatever ends it; overlong ones are cut.
func eachLine(s string, do func(string)) {
	if !isASCII(s) {
		s = unicodeLineEnds.Replace(s)
	}
	odd := hasOddEnds(s)
	for s != "" {
		t, size := firstLine(s, odd)
		end := len(t)
		for len(t) > maxLine {
			cut := maxLine
			for !utf8.RuneStart(t[cut]) {
				cut--
			}
			do(t[:cut])
			t = t[cut:]
		}
		do(t)
		s = s[end+size:]
	}
}

// hasOddEnds tells whether lines end in anything but LF or CR LF.
func hasOddEnds(s string) bool {
	if strings.IndexByte(s, '\f') >= 0 || strings.IndexByte(s, '\v') >= 0 {
		return true
	}
	for {
		cr := strings.IndexByte(s, '\r')
		if cr < 0 {
			return false
		}
		if cr+1 == len(s) || s[cr+1] != '\n' {
			return true
		}
		s = s[cr+2:]
	}
}

// firstLine returns the first line of s and how long its end is.
func firstLine(s string, odd bool) (t string, size int) {
	if !odd {
		end := strings.IndexByte(s, '\n')
		if end < 0 {
			return s, 0
		}
		t = strings.TrimSuffix(s[:end], "\r")
		return t, end + 1 - len(t)
	}
	end := strings.IndexAny(s, "\n\r\f\v")
	switch {
	case end < 0:
		return s, 0
	case strings.HasPrefix(s[end:], "\r\n"):
		return s[:end], 2
	}
	return s[:end], 1
}

// trimFront is strings.TrimLeft for a few ASCII characters. It is asked of every line, and that makes a set each time.
func trimFront(t, cut string) string {
	for t != "" && strings.IndexByte(cut, t[0]) >= 0 {
		t = t[1:]
	}
	return t
}

// isQuoted knows quote marks: ">", "|" with a blank, and a writer's initials before ">" ("AK> ") as The Bat! and
// FidoNet's programs put them. "York>Hull" is no quote.
func isQuoted(t string) bool {
	t = trimFront(t, " \t")
	if t != "" && t[0] >= utf8.RuneSelf {
		t = strings.TrimLeftFunc(t, isBlankRune)
	}
	if t == "" {
		return false
	}
	if t[0] == '>' || t[0] == '|' && (len(t) == 1 || t[1] == ' ' || t[1] == '>') && !isTableRow(t) {
		return true
	}
	gt := strings.IndexByte(t[:min(len(t), 10)], '>')
	if gt <= 0 || utf8.RuneCountInString(t[:gt]) > 4 {
		return false
	}
	if gt+1 < len(t) && t[gt+1] != ' ' && t[gt+1] != '>' {
		return false
	}
	first, size := utf8.DecodeRuneInString(t)
	if size == gt {
		return unicode.IsLetter(first)
	}
	return !strings.ContainsFunc(t[:gt], func(r rune) bool { return !unicode.IsUpper(r) })
}

// isTableRow tells whether a line that begins with a stroke is a row of a table drawn with strokes: "| York | city |".
func isTableRow(t string) bool {
	t = strings.TrimRight(t, " \t\r\n")
	return strings.HasSuffix(t, "|") && strings.Count(t, "|") > 2
}

// flowedLines joins what format=flowed (RFC 3676) broke softly, within one depth of quoting. The signature mark is
// never joined, and a line that only looks quoted, by its stuffing blank, is not.
func flowedLines(s string, delSp bool) []line {
	var lines []line
	var open strings.Builder
	depth, flowing := 0, false
	flush := func() {
		if flowing {
			lines = append(lines, line{open.String(), depth > 0})
		}
		open.Reset()
		flowing = false
	}
	eachLine(s, func(t string) {
		d := 0
		for d < len(t) && t[d] == '>' {
			d++
		}
		t = strings.TrimPrefix(t[d:], " ")
		if d != depth || t == "-- " || open.Len() > maxLine {
			flush()
		}
		depth = d
		soft := strings.HasSuffix(t, " ") && t != "-- "
		if soft && delSp {
			t = t[:len(t)-1]
		}
		open.WriteString(t)
		flowing = true
		if !soft {
			flush()
		}
	})
	flush()
	return lines
}
