package letter

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

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
		if c.in[i+n-1].quoted || t == "" || n == 2 && !mayGoOn(joined) {
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
		case n > 1 && !addressed && len(c.in[i].text) < 45 && !hasYear(c.in[i].text):
			return 0, false // a sentence of the writer's above another's attribution
		case dated && wrote && addressed, dated && (wrote || addressed) && beginsAttribution(joined):
			return n, true
		case (wrote || addressed || dated && beginsAttribution(joined)) && c.quoteFollows(i+n):
			return n, false
		}
	}
	return 0, false
}

// mayGoOn tells whether a line may be the first of a broken attribution.
func mayGoOn(t string) bool {
	return beginsAttribution(t) || isDated(t) && (strings.IndexByte(t, '@') > 0 || saysWrote(t))
}

// hasYear looks for a number of four digits that is a year.
func hasYear(t string) bool {
	return strings.Contains(t, "20") && yearNumber.MatchString(t)
}

var yearNumber = regexp.MustCompile(`\b20\d\d(\b|г|年)`)

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
	if strings.HasPrefix(rest, "年") || strings.HasPrefix(rest, "년") {
		return true
	}
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

// unmarked tells an attribution of n lines with an address, below which the text goes on without quote marks: so do
// programs that never put any, and marks further down are those of older mails.
func (c *cutter) unmarked(i, n int) bool {
	if c.quoteFollows(i + n) {
		return false
	}
	return slices.ContainsFunc(c.in[i:i+n], func(l line) bool { return strings.IndexByte(l.text, '@') > 0 })
}
