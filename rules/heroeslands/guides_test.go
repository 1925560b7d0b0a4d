package heroeslands

import (
	"testing"

	"arroba/orders"
	"arroba/rules/rulestest"
)

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
	rulestest.Guides(t, textGrammar, names, map[string]string{"PLAYERS.md": "## The Heroes Lands", "PLAYERS.ru.md": "## Земли Героев",
		"GM.md": "## The Magistrate's desk", "GM.ru.md": "## Стол Магистрата"})
}
