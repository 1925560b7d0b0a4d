package board

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/rules/heroeslands"
	"arroba/rules/rulestest"
)

// What a war, an offer, a window and the treasury keep from others stands on no page and in no picture of theirs: each
// mark is seen by those who are named with it, and by nobody else.
func TestPagesKeepTheSecretsOfAWar(t *testing.T) {
	f := sample(t)
	everybody := []string{"Магистр", "Олег Рыжий", "Жанна", "Ольга", "Цветана"}
	for i, nick := range everybody {
		role := "player"
		if nick == "Магистр" {
			role = "gm"
		}
		f.member("lands", nick, role, fmt.Sprint("link", i))
	}
	w := rulestest.World(strings.Replace(sampleWorld, `immunity = {`, `independence_bar = { HL2 = 2026-07-07T07:07:07Z }
immunity = {`, 1), rulestest.Members("gm:Магистр", "Олег Рыжий", "Жанна", "Ольга", "Цветана")...)
	w.Start = now.AddDate(0, 0, -60)
	g := rulestest.Open(t, heroeslands.Ruleset(), w)
	say := func(at time.Time, nick, line string) {
		t.Helper()
		if a := g.Mail(at, nick, line); !a.Ruling.OK() {
			t.Fatalf("%s: %s: %+v", nick, line, a)
		}
	}
	say(now.AddDate(0, 0, -2), "Олег Рыжий", "DECLARE WAR ON Ольга IN HL3 WITH 2")
	say(now.AddDate(0, 0, -2), "Олег Рыжий", "ROSTER Жанна, Борис")
	say(now.AddDate(0, 0, -2), "Цветана", "SERVE Олег Рыжий IN HL2")
	say(now.AddDate(0, 0, -1), "Магистр", "CREDIT 7707 TO Жанна")
	f.engine.state = g.State

	marks := map[string][]string{
		`<span class="aside">Жанна, Борис</span>`: {"Магистр", "Олег Рыжий", "Жанна"},
		`<td class="name" data-label="vassal`:     {"Магистр", "Олег Рыжий", "Цветана"},
		`<h2 id="treasury">`:                      {"Магистр"},
		"7707":                                    {"Магистр"},
		"8707 @":                                  {"Магистр", "Жанна"},
		"2026-07-07T07":                           {},
	}
	for i, nick := range append(everybody, "") {
		base := fmt.Sprint("/m/link", i)
		if nick == "" {
			base = "/g/lands"
		}
		page := f.ok(base)
		for _, picture := range []string{"tree-HL3", "map-HL3", "times-HL3"} {
			page += f.ok(base + "/" + picture + ".svg")
		}
		for mark, who := range marks {
			if strings.Contains(strings.ToLower(page), strings.ToLower(mark)) != slices.Contains(who, nick) {
				t.Errorf("%s on the page of %q: %v", mark, nick, !slices.Contains(who, nick))
			}
		}
		if code := f.get(base + "/ledger.svg").Code; (code == http.StatusOK) != (nick == "Магистр") {
			t.Errorf("the picture of the treasury for %q: %d", nick, code)
		}
	}
}
