package orders

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns the spelling by which names and keywords are compared: NFC, lower case, ё as е, runs of blanks as one,
// and letters that look alike in Latin and Cyrillic as one letter.
func Fold(s string) string {
	if isCleanASCII(s) {
		return strings.ToLower(s)
	}
	if isClean(s) {
		return strings.Map(foldRune, s)
	}
	folded := strings.Map(foldRune, norm.NFC.String(strings.ToValidUTF8(s, "\uFFFD")))
	return norm.NFC.String(strings.Join(strings.Fields(folded), " "))
}

// foldRune goes through the upper case, so that ς and σ are one letter.
func foldRune(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		return r
	}
	return alike(unicode.ToLower(unicode.ToUpper(r)))
}

// alike returns the Latin letter that a letter may be taken for, in lower or in upper case: ТРОН and TPOH are one
// word, so т and t are one letter.
func alike(r rune) rune {
	switch r {
	case 'а':
		return 'a'
	case 'в':
		return 'b'
	case 'е', 'ё', 'ë':
		return 'e'
	case 'к':
		return 'k'
	case 'м':
		return 'm'
	case 'н', 'һ':
		return 'h'
	case 'о':
		return 'o'
	case 'р':
		return 'p'
	case 'с':
		return 'c'
	case 'т':
		return 't'
	case 'у':
		return 'y'
	case 'х':
		return 'x'
	case 'і':
		return 'i'
	case 'ї':
		return 'ï'
	case 'ј':
		return 'j'
	case 'ѕ':
		return 's'
	}
	return r
}

// Clean returns a line in the normal form that every reader of letters makes: NFC, every kind of blank as one blank,
// trimmed, control and format characters dropped, curly quotes, long dashes and ellipses in ASCII, full-width ASCII
// in ASCII. Bullets stay: Scan takes them off.
func Clean(s string) string {
	if isClean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	blank := true // a blank here would be the first or a second one
	for _, r := range s {
		switch r = plain(r); {
		case r == dropped:
		case r == '…':
			b.WriteString("...")
			blank = false
		case r != ' ':
			b.WriteRune(r)
			blank = false
		case !blank:
			b.WriteByte(' ')
			blank = true
		}
	}
	return norm.NFC.String(strings.TrimSuffix(b.String(), " "))
}

// isClean tells whether s is of printable ASCII and Russian letters and in normal form already, as nearly all lines
// are that come here a second time.
func isClean(s string) bool {
	if isCleanASCII(s) {
		return true
	}
	blank := true
	for _, r := range s {
		if r < ' ' || r >= 0x7f && r < 'Ѐ' || r > 'џ' || r == ' ' && blank {
			return false
		}
		blank = r == ' '
	}
	return s == "" || !blank
}

// isCleanASCII tells whether s is of printable ASCII and in normal form already. Every line of prose is asked several
// times.
func isCleanASCII(s string) bool {
	last := byte(' ')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c-' ' >= 0x7f-' ' || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return s == "" || last != ' '
}

const dropped = -1

// plain returns what stands for a character in the normal form.
func plain(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case r < 0x7f && r >= ' ':
		return r
	case unicode.In(r, unicode.Cc, unicode.Cf):
		return dropped
	case 0xff01 <= r && r <= 0xff5e:
		return r - 0xff01 + '!'
	}
	switch r {
	case '“', '”', '„', '‟', '«', '»', '″', '〝', '〞':
		return '"'
	case '‘', '’', '‚', '‛', '‹', '›', '′', 'ʼ':
		return '\''
	case '‐', '‑', '‒', '–', '—', '―', '−', '⸺', '⸻', '﹘', '﹣':
		return '-'
	}
	return r
}
