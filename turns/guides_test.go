package turns

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"arroba/rules/all"
)

// guide is a page of docs.
func guide(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// beginning is what an order begins with, up to what its writer fills in.
var beginning = regexp.MustCompile(`^[^<\[(#]+`)

// Every order of the engine stands in the guides, in both languages.
func TestGuidesNameEveryOrder(t *testing.T) {
	for lang, pages := range map[string][2]string{"en": {"PLAYERS.md", "GM.md"}, "ru": {"PLAYERS.ru.md", "GM.ru.md"}} {
		players, gms := guide(t, pages[0]), guide(t, pages[1])
		for _, o := range ownOrders() {
			page, text := pages[0], players
			if o.gm() {
				page, text = pages[1], gms
			}
			for _, say := range o.Say[lang] {
				if words := strings.TrimSpace(beginning.FindString(say)); !strings.Contains(text, "`"+words) {
					t.Errorf("docs/%s does not tell of %s", page, words)
				}
			}
		}
	}
}

// The game's file of the guide can be read, and names every key that there is.
func TestGuideHasAGoodGameFileWithEveryKey(t *testing.T) {
	_, rest, _ := strings.Cut(guide(t, "GM.md"), "```toml\n")
	text, _, _ := strings.Cut(rest, "```")
	f, err := ReadGameFile("GM.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	e, err := New(Config{DB: r.DB, Rulesets: all.Rulesets, Now: r.Now, Mailbox: f.Mailbox, Sender: f.Sender})
	if err == nil {
		err = e.Check(f)
	}
	if err != nil {
		t.Error(err)
	}
	for _, table := range []any{gameTable{}, tavernTable{}, threadTable{}, joinTable{}, calendarTable{}, memberTable{}} {
		for i := range reflect.TypeOf(table).NumField() {
			key := reflect.TypeOf(table).Field(i).Tag.Get("toml")
			if !regexp.MustCompile(`(?m)^(` + key + ` +=|\[+` + key + `\])|\[` + key + `\]`).MatchString(text) {
				t.Errorf("docs/GM.md does not tell of %s", key)
			}
		}
	}
}
