package rulestest

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"arroba/orders"
)

// guideLine is what stands in a guide as a line to write: a keyword, and something that is filled in; it begins with either.
var guideLine = regexp.MustCompile("`(\\p{Lu}{2,} [^`<]*[\\p{Ll}0-9][^`<]*|\\p{Lu}\\p{Ll}[^`<]* \\p{Lu}{3,}[^`<]*)`|(?m:^    (\\p{Lu}{2,} .*)$)")

// Guides holds the lines that chapters of the guides show against a grammar. Chapters are the pages below docs/ with the
// headings of their chapters; apart are lines that are no orders of the ruleset's.
func Guides(t *testing.T, g *orders.Grammar, names orders.Lexicon, chapters map[string]string, apart ...string) {
	t.Helper()
	for page, chapter := range chapters {
		text, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), chapter+"\n")
		rest, _, _ = strings.Cut(rest, "\n## ")
		lines := guideLine.FindAllStringSubmatch(rest, -1)
		if len(lines) < 5 {
			t.Errorf("docs/%s shows %d lines in the chapter %q", page, len(lines), chapter)
		}
		for _, m := range lines {
			line := m[1] + m[2]
			word, _, _ := strings.Cut(line, " ")
			if slices.Contains(apart, line) || slices.Contains([]string{"HELP", "ПОМОЩЬ", "CANCEL", "ОТМЕНА"}, word) {
				continue // the last ones are the engine's
			}
			if g.Parse(line, names, false).Order == nil {
				t.Errorf("docs/%s shows %q, which is no order", page, line)
			}
		}
	}
}
