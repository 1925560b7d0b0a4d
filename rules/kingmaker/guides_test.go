package kingmaker

import (
	"testing"

	"arroba/orders"
	"arroba/rules/rulestest"
)

// TestGuidesShowOrders holds the lines that the chapters of the Wars of the Roses show against the grammar.
func TestGuidesShowOrders(t *testing.T) {
	names := orders.Lexicon{}
	for kind, list := range map[string][]string{
		"faction": {"Blue", "Green", "Red Rose", "Синие", "Зелёные", "Алая роза"}, "noble": {"Percy", "Neville", "Roos", "Перси", "Невилл", "Рос"}, "ship": {"Swan"},
		"heir": {"Henry VI", "Генрих VI"}, "place": {"York", "Hull", "Alnwick", "Dublin", "Holderness", "Йорк", "Гулль", "Дублин", "Алник"},
		"location": {"York", "Hull", "Йорк", "Гулль"}, "area": {"the North"}, "item": {"Marshal of England"}, "deck": {"events"},
	} {
		names[kind] = &orders.Names{}
		for _, name := range list {
			names[kind].Add(name)
		}
	}
	rulestest.Guides(t, grammar(), names, map[string]string{"PLAYERS.md": "## Kingmaker, the Wars of the Roses", "PLAYERS.ru.md": "## Kingmaker, Войны роз",
		"GM.md": "## The Game Master's desk in Kingmaker", "GM.ru.md": "## Стол Мастера в Kingmaker"}, "ARMY 1", "АРМИЯ 1")
}
