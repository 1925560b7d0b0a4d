package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"arroba/rules"
	"arroba/turns"
)

// TestTheYear plays the year of the sample world by post and forum, and holds how it ends against what was reckoned by hand.
func TestTheYear(t *testing.T) {
	t.Parallel() // its daemon waits for its post office
	th, out := playedTale(t, yearStory)
	theLandsAtTheYearsEnd(t, th)
	whatWasNotCarriedOut(t, th)
	for _, want := range []string{
		"JANUARY 2026 =", "DECEMBER 2026 =",
		"  10.   Всеволод writes: “Засиделись мы за зиму.”\n        refused  ВЫЗВАТЬ Wymond В HL3 ЗА ВАССАЛИТЕТ (HL-04)\n",
		"- (to Maud) Rohese offers to serve you in HL3\n",
		"  26.   It falls due:\n        - pair 1 of war 1: Любава\n        - war 1: Ратибор wins\n",
		"A machine's mail (auto-reply): it is kept, not obeyed and not answered.",
		"The same letter came before: it is not obeyed twice.",
		"Nothing is carried out: it holds no order.",
		"Ready to send: CHALLENGE\n          Thurstan IN HL3\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the chronicle lacks %q", want)
		}
	}
}

// playedTale plays a whole tale by post and forum, and returns what was told of it.
func playedTale(t *testing.T, tale tale) (*theatre, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	th, err := openTheatre(t.Context(), &out, tale)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(th.close)
	for _, st := range th.story.steps {
		if err := th.play(t.Context(), st); err != nil {
			t.Fatalf("scene %s: %v", st.ID, err)
		}
	}
	return th, &out
}

func theLandsAtTheYearsEnd(t *testing.T, th *theatre) {
	t.Helper()
	raw, err := th.engine.View(t.Context(), th.story.game.Name, rules.Viewer{GM: true})
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Magistrate  struct{ Gold int64 }
		Ledger      struct{ Opening int64 }
		Inhabitants map[string]struct {
			Gold, Held int64
			Rank       map[string]string
			Vassals    map[string][]string
			Property   []string
		}
		Wars []struct{ Status, Mode, Result, Winner string }
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	if n := len(v.Inhabitants); n != 41 {
		t.Errorf("there are %d lords, and there were forty before Fabian came", n)
	}
	// Bonuses of 80, 30, 30, 160, 60, 40, 120, 20, 20 and 40, and a credit of 100, were paid out; two fines of 500, three
	// times the costs of a war, postponements of 500 and 1000, and a debit of 200 came in.
	if v.Magistrate.Gold != 20000-600-100+1000+1500+1500+200 {
		t.Errorf("the treasury holds %d @", v.Magistrate.Gold)
	}
	sum := v.Ledger.Opening + v.Magistrate.Gold
	purses := map[string]int64{
		"Maud": 3000 + 80 - 40 + 20 - 500 + 40, "Godric": 4000 - 1000 + 30 + 20 - 20, "Ратибор": 2500 + 30 + 40, "Leofric": 1800 - 500,
		"Gervase": 600 + 500, "Kenelm": 200 + 100, "Wymond": 900 - 100, "Aveline": 1500 + 500, "Милана": 200 - 500,
		"Святогор": 5000 + 160 - 60, "Sunniva": 2200 + 60 - 500 - 500 - 200, "Emeric": 1900 - 1000, "Гостомысл": 350 + 500,
		"Добрыня": 2600 - 500, "Isolde": 2000 + 120 - 1000, "Fulk": 120 + 20, "Osbern": 450 + 50, "Thurstan": 1100 + 500, "Fabian": 100,
	}
	for nick, p := range v.Inhabitants {
		sum += p.Gold + p.Held
		if want, ok := purses[nick]; ok && p.Gold != want {
			t.Errorf("%s has %d @, and should have %d", nick, p.Gold, want)
		}
	}
	if sum != 0 {
		t.Errorf("all accounts together are %d @", sum)
	}
	for _, c := range []struct {
		land, nick, rank string
		vassals          []string
	}{
		{"HL2", "Добрыня", "count", []string{"Merewen", "Пересвет", "Всеволод"}}, // who released two in time
		{"HL3", "Godric", "duke", []string{"Osbern", "Hawise", "Kenelm", "Fulk", "Fabian"}},
		{"HL3", "Maud", "marquis", []string{"Jocelin", "Cecily", "Rohese"}},
		{"HL3", "Любава", "count", nil},
		{"HL3", "Gervase", "count", []string{"Thurstan"}},
		{"HL4", "Святогор", "king", []string{"Осляба", "Велена", "Ярина", "Радмила"}},
		{"HL4", "Sunniva", "count", nil}, // who did not
		{"HL4", "Hamon", "landless", nil},
		{"HL4", "Велена", "count", nil},
	} {
		p := v.Inhabitants[c.nick]
		if p.Rank[c.land] != c.rank || !slices.Equal(p.Vassals[c.land], c.vassals) {
			t.Errorf("in %s %s is %s, with %q", c.land, c.nick, p.Rank[c.land], p.Vassals[c.land])
		}
	}
	for nick, want := range map[string][]string{
		"Всеволод": {"Лучники", "Соляная копь"},
		"Ратибор":  {"Longbowmen", "Silver Mine", "Перо жар-птицы", "Серный рудник"},
		"Святогор": {"Crystal Cave", "Горняки", "Каменоломня", "Секира Горы"},
		"Sunniva":  {}, "Jocelin": {"Sawmill"}, "Гостомысл": {"Мельница"}, "Wymond": {"Old Quarry"},
	} {
		if got := v.Inhabitants[nick].Property; !slices.Equal(got, want) {
			t.Errorf("%s has %q, and should have %q", nick, got, want)
		}
	}
	type war struct{ Status, Mode, Result, Winner string }
	wars := []war{{"ended", "feudal", "attacker", "Ратибор"}, {"ended", "feudal", "attacker", "Святогор"}, {"bought-out", "feudal", "", ""},
		{"ended", "clan", "draw", ""}, {"annulled", "feudal", "", ""}, {"begun", "feudal", "", ""}}
	var got []war
	for _, w := range v.Wars {
		got = append(got, war(w))
	}
	if !reflect.DeepEqual(got, wars) {
		t.Errorf("the wars are %v", got)
	}
}

// whatWasNotCarriedOut holds the refusals of the year against what was written to be refused.
func whatWasNotCarriedOut(t *testing.T, th *theatre) {
	t.Helper()
	inputs, err := turns.Inputs(t.Context(), th.db.Read(), th.story.game.Name, -1, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, in := range inputs {
		if in.Kind != "letter" {
			continue
		}
		body, err := in.DecodeLetter()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range body.Orders {
			if r.Verdict != "accepted" {
				got = append(got, string(in.Seat)+" "+string(r.Verdict)+" "+r.Rule)
			}
		}
	}
	want := []string{"Всеволод refused HL-04", "Leofric refused HL-46", "Godric refused HL-12", "Leofric refused HL-50", "Fulk refused HL-57",
		"Hamon refused HL-23", "Merewen refused HL-68", "Godric refused HL-78", "Hawise refused HL-07", "Gervase refused HL-36",
		"Gervase unclear ", "Ратибор refused HL-76", "Святогор refused HL-09"}
	if !slices.Equal(got, want) {
		t.Errorf("not carried out: %q", got)
	}
}
