package board

import (
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/rules"
	"arroba/rules/heroeslands"
	"arroba/store"
	"arroba/turns"
)

var _ Games = (*turns.Engine)(nil)

// opened is a game whose every private fact is a mark that can be looked for.
const opened = `
name = "lands"
title = "Земли Героев"
ruleset = "heroeslands"
timezone = "Europe/Moscow"
language = "ru"
seed = "MARK-seed"
gm = { nick = "Магистр", email = "mark-gm@lands.example" }
copies = ["mark-copies@lands.example"]
mailbox = "mark-mailbox@lands.example"
[[member]]
nick = "Олег"
email = ["mark-oleg@example.org"]
[[member]]
nick = "Борис"
email = ["mark-boris@example.org"]
[world]
lands = ["HL3", "HL2"]
[world.magistrate]
gold = 770001
property = [ { name = "MARK-quarry", kind = "mine" } ]
[world.inhabitants."Олег"]
gold = 770002
feuds = { HL3 = ["Ашфорд", "Брод", "Вязы", "Гать", "Дуб"], HL2 = ["Ельник"] }
property = [ { name = "MARK-boots", kind = "artifact", level = 1 } ]
independence_bar = { HL2 = 2026-07-07T07:07:07Z }
[world.inhabitants."Борис"]
gold = -770003
feuds = { HL3 = ["Жито"] }
suzerain = { HL3 = "Олег" }
property = [ { name = "MARK-pikes", kind = "unit", level = 1 } ]
`

// A real game of the real engine: on public pages nothing private, on a member's own page what is his and no more, on
// the GM's page everything.
func TestRealGameKeepsSecrets(t *testing.T) {
	ruleset := heroeslands.Ruleset()
	f := newFixture(t)
	engine, err := turns.New(turns.Config{DB: f.db, Rulesets: map[string]*rules.Ruleset{ruleset.Name: ruleset}, Now: func() time.Time { return now }, Mailbox: "gm@lands.example"})
	if err != nil {
		t.Fatal(err)
	}
	file, err := turns.ReadGameFile("game.toml", []byte(opened))
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Create(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	f = onEngine(t, f.db, engine, ruleset)

	marks := []string{"MARK-seed", "mark-gm", "mark-copies", "mark-mailbox", "mark-oleg", "mark-boris", "770001", "770002", "770003", "MARK-quarry", "MARK-boots", "MARK-pikes"}
	seen := func(path string) (found []string) {
		page := f.ok(path)
		for _, m := range marks {
			if strings.Contains(page, m) {
				found = append(found, m)
			}
		}
		return found
	}
	public := []string{"/", "/g/lands", "/g/lands/register", "/g/lands/tavern.atom"}
	pictures, err := engine.Pictures(t.Context(), "lands", rules.Viewer{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pictures {
		public = append(public, "/g/lands/"+p.Name+".svg")
	}
	for _, path := range public {
		if found := seen(path); len(found) > 0 {
			t.Errorf("%s tells %v", path, found)
		}
	}
	if page := f.ok("/g/lands"); !strings.Contains(page, "Ашфорд") || !strings.Contains(page, "Борис") || !strings.Contains(page, "граф") || !strings.Contains(page, "Таверна") {
		t.Errorf("the public page lacks lords:\n%s", page)
	}

	g, err := turns.LoadGame(t.Context(), f.db.Read(), "lands")
	if err != nil {
		t.Fatal(err)
	}
	own := map[string][]string{"Олег": {"770002", "MARK-boots"}, "Борис": {"mark-mailbox", "770003", "MARK-pikes"}, "Магистр": {"770001", "770002", "770003", "MARK-boots", "MARK-pikes"}}
	for _, m := range g.Members {
		if found := seen("/m/" + m.Link); !slices.Equal(found, own[m.Nick]) {
			t.Errorf("%s sees %v on his page, want %v", m.Nick, found, own[m.Nick])
		}
		for _, mark := range seen("/m/" + m.Link + "/register") {
			if !slices.Contains(own[m.Nick], mark) {
				t.Errorf("%s sees %s in his register", m.Nick, mark)
			}
		}
		if strings.Contains(f.ok("/m/"+m.Link+"/register"), "770001") != (m.Role == rules.GM) {
			t.Errorf("the treasury in the register of %s", m.Nick)
		}
		if page := f.ok("/m/" + m.Link); strings.Contains(page, `<a href="mailto:mark-mailbox`) != (m.Nick == "Борис") || strings.Contains(page, "ВЫЗВАТЬ Олег В HL3 ЗА НЕЗАВИСИМОСТЬ</a>") != (m.Nick == "Борис") {
			t.Errorf("what %s can do now is not on his page:\n%s", m.Nick, page)
		}
	}
}

func TestAGameThatGathersItsPlayersHasItsPages(t *testing.T) {
	ruleset := heroeslands.Ruleset()
	f := newFixture(t)
	engine, err := turns.New(turns.Config{DB: f.db, Rulesets: map[string]*rules.Ruleset{ruleset.Name: ruleset}, Now: func() time.Time { return now }, Mailbox: "gm@lands.example"})
	if err != nil {
		t.Fatal(err)
	}
	file, err := turns.ReadGameFile("game.toml", []byte(opened))
	if err == nil {
		err = engine.Gather(t.Context(), file)
	}
	if err != nil {
		t.Fatal(err)
	}
	f = onEngine(t, f.db, engine, ruleset)
	g, err := turns.LoadGame(t.Context(), f.db.Read(), "lands")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"/": "собирает участников", "/g/lands": "Она ещё не началась", "/m/" + g.Members[1].Link: "ещё не началась", "/g/lands/tavern.atom": "<feed"} {
		if page := f.ok(path); !strings.Contains(page, want) {
			t.Errorf("%s does not say %q:\n%s", path, want, page)
		}
	}
}

// onEngine is a board over the real engine.
func onEngine(t *testing.T, db *store.DB, e *turns.Engine, r *rules.Ruleset) *fixture {
	t.Helper()
	f := newFixture(t, func(c *Config) { c.DB, c.Games, c.Rulesets = db, e, map[string]*rules.Ruleset{r.Name: r} })
	f.db = db
	return f
}
