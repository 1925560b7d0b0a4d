package heroeslands

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"arroba/orders"
)

// guideLine is what stands in a guide as a line to write: capitals, and something that is filled in.
var guideLine = regexp.MustCompile("`(\\p{Lu}{2,} [^`<]*[\\p{Ll}0-9][^`<]*)`|(?m:^    (\\p{Lu}{2,} .*)$)")

// TestGuidesShowOrders holds the lines that the chapters of the Lands show against the grammar.
func TestGuidesShowOrders(t *testing.T) {
	names := orders.Lexicon{}
	for _, kind := range []string{"land", "nick", magistrate, "clan", "feud", "item", "tourney"} {
		names[kind] = &orders.Names{}
	}
	names["land"].Add("HL3")
	for _, nick := range []string{"Olga", "Ivan", "Oleg", "Boris", "Иван", "Олег", "Борис"} {
		names["nick"].Add(nick)
	}
	names["item"].Add("Boots")
	names["item"].Add("Сапоги")
	names["tourney"].Add("Spring")
	for page, chapter := range map[string]string{"PLAYERS.md": "## The Heroes Lands\n", "PLAYERS.ru.md": "## Земли Героев\n",
		"GM.md": "## The Magistrate's desk\n", "GM.ru.md": "## Стол Магистрата\n"} {
		text, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), chapter)
		rest, _, _ = strings.Cut(rest, "\n## ")
		lines := guideLine.FindAllStringSubmatch(rest, -1)
		if len(lines) < 5 {
			t.Errorf("docs/%s shows %d lines in the chapter %q", page, len(lines), chapter)
		}
		for _, m := range lines {
			line := m[1] + m[2]
			if strings.HasPrefix(line, "HELP ") || strings.HasPrefix(line, "ПОМОЩЬ ") {
				continue // the engine's
			}
			if textGrammar.Parse(line, names, false).Order == nil {
				t.Errorf("docs/%s shows %q, which is no order", page, line)
			}
		}
	}
}
