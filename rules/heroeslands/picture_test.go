package heroeslands

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"arroba/rules"
	"arroba/rules/rulestest"
)

// Two hundred lords, every one in the pictures of the Land, and nothing outside of them.
func TestPictures(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(crowd(200), theCast...))
	list := picturesOf(t, g, rules.Viewer{})
	for _, name := range []string{"tree-HL3", "map-HL3"} {
		p, ok := list[name]
		if !ok || p.Title["en"] == "" || p.Title["ru"] == "" {
			t.Fatalf("%s is called %v", name, p.Title)
		}
		inside(t, p)
		seen := wordsOf(p, "en")
		for i := range 200 {
			if nick := fmt.Sprintf("Lord%d", i); !seen[nick] {
				t.Errorf("%s is not in %s", nick, name)
			}
		}
		if seen["Anna"] {
			t.Error("the landless are in it")
		}
		if !wordsOf(p, "ru")["граф"] || !seen["count"] {
			t.Error("it does not say what its colours mean")
		}
	}
	if len(list) != 2 {
		t.Errorf("%d pictures, want 2: nothing is open, and the treasury is the GM's", len(list))
	}
}

func picturesOf(t *testing.T, g *rulestest.Game, v rules.Viewer) map[string]rules.Picture {
	t.Helper()
	list, err := g.State.Pictures(v)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]rules.Picture{}
	for _, p := range list {
		by[p.Name] = p
	}
	return by
}

// inside fails where something of a picture lies outside of it.
func inside(t *testing.T, p rules.Picture) {
	t.Helper()
	for _, s := range p.Shapes {
		for _, at := range s.Points {
			if at[0] < 0 || at[1] < 0 || at[0] > p.Width || at[1] > p.Height {
				t.Fatalf("%s: %q at %v is outside of %v by %v", p.Name, s.Text, at, p.Width, p.Height)
			}
		}
	}
}

// wordsOf are the texts of a picture in a language.
func wordsOf(p rules.Picture, lang string) map[string]bool {
	seen := map[string]bool{}
	for _, s := range p.Shapes {
		seen[s.In(lang)] = true
	}
	return seen
}

// The time line: open matters before those that are over, with their dates in the game's zone, and nothing that is private.
func TestTimeLine(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(twoCamps, theCast...))
	at := rulestest.Instant(t, "d0")
	g.Mail(at, "Oleg", "DECLARE WAR ON Karl WITH 2 PARTICIPANTS")
	g.Mail(at, "Oleg", "ROSTER Ivan, Boris")
	g.Mail(at, "Magistrate", "CREDIT 2000 TO Lazar")
	g.Mail(at, "Vera", "RELEASE Anna IN HL3")
	g.Mail(at, "Lazar", "CHALLENGE Anna")
	g.Mail(at, "Magistrate", "ANNUL DUEL 1")
	moscow := time.FixedZone("", 3*3600)
	p, ok := picturesOf(t, g, rules.Viewer{Now: at.AddDate(0, 0, 10), Zone: moscow})["times-HL3"]
	if !ok {
		t.Fatal("there is none")
	}
	inside(t, p)
	var en, ru []string
	for _, s := range p.Shapes {
		if len(s.Words) > 0 {
			en, ru = append(en, s.Text), append(ru, s.In("ru"))
		}
	}
	if want := "War 1: Oleg – Karl|declared 1 Jan  ·  rosters 8 Jan  ·  begins 5 Feb  ·  ends 12 Mar|Duel 1: Lazar – Anna, vassalage|declared 1 Jan  ·  annulled 1 Jan"; strings.Join(en, "|") != want {
		t.Errorf("it says\n%s\nwant\n%s", strings.Join(en, "|"), want)
	}
	if !strings.Contains(strings.Join(ru, "|"), "Война 1: Oleg – Karl|объявлена 1 янв  ·  составы 8 янв  ·  начало 5 фев  ·  конец 12 мар") {
		t.Errorf("in Russian it says %q", ru)
	}
	if strings.Contains(strings.Join(en, "|"), "Ivan") {
		t.Error("it tells of a roster")
	}
	late := 0
	for _, s := range p.Shapes {
		if s.Stroke == crimson {
			late++
		}
	}
	if late != 2 {
		t.Errorf("the present is marked on %d bars, want 2", late)
	}
}

// The treasury's picture is the GM's alone.
func TestLedgerPicture(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(twoCamps, theCast...))
	at := rulestest.Instant(t, "d0")
	for i := range 30 {
		g.Mail(at.AddDate(0, 0, i), "Magistrate", "CREDIT 50 TO Boris")
		g.Mail(at.AddDate(0, 0, i), "Magistrate", "DEBIT 20 FROM Karl")
	}
	p, ok := picturesOf(t, g, rules.Viewer{GM: true, Seat: "Magistrate"})["ledger"]
	if seen := wordsOf(p, "ru"); !ok || !seen["-900 @"] || !seen["зачисления"] || !seen["-1500 @"] || !seen["+600 @"] {
		t.Errorf("the GM sees %v, %v", ok, seen)
	}
	inside(t, p)
	for _, v := range []rules.Viewer{{}, {Seat: "Boris"}} {
		if _, ok := picturesOf(t, g, v)["ledger"]; ok {
			t.Errorf("%+v sees the treasury", v)
		}
	}
}

// Entries closer together than can be seen are one point, with the last balance, however many there are.
func TestLedgerPictureIsBounded(t *testing.T) {
	s := &State{}
	for i := range 5000 {
		s.Book.Entries = append(s.Book.Entries, Entry{At: rulestest.Instant(t, "d0").Add(time.Duration(i) * time.Hour), From: "Oleg", To: magistrate, Amount: 1, Reason: "debit"})
	}
	p, ok := s.ledgerChart(rules.Viewer{GM: true})
	if !ok || !wordsOf(p, "en")["5000 @"] || len(p.Shapes) < 200 || len(p.Shapes) > 320 {
		t.Errorf("%v, %d shapes", ok, len(p.Shapes))
	}
	inside(t, p)
}

// A letter shows the groups and the rows that its events have changed, and nothing else, however large the Land is.
func TestShows(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(twoCamps, theCast...))
	at := rulestest.Instant(t, "d0")
	shown := func(by, line string) map[string]rules.Picture {
		t.Helper()
		events := g.Mail(at, by, line).Events
		for _, ev := range events { // as the engine has read them from its log
			for k, v := range ev.Data {
				if n, ok := v.(int); ok {
					ev.Data[k] = float64(n)
				}
			}
		}
		list, err := g.State.Shows(rules.Viewer{}, events)
		if err != nil {
			t.Fatal(err)
		}
		parts := map[string]rules.Picture{}
		for _, p := range list {
			inside(t, p)
			parts[p.Name] = p
		}
		return parts
	}
	if list := shown("Oleg", "GIVE 1 @ TO Boris"); len(list) != 0 {
		t.Errorf("a gift shows %v", list)
	}
	if list := shown("Oleg", "DECLARE WAR ON Karl WITH 2 PARTICIPANTS"); len(list) != 1 || !wordsOf(list["times-HL3"], "en")["War 1: Oleg – Karl"] {
		t.Errorf("a war shows %v", list)
	}
	if list := shown("Oleg", "ROSTER Ivan, Boris"); len(list) != 0 {
		t.Errorf("a roster shows %v", list)
	}
	shown("Magistrate", "CREDIT 2000 TO Lazar")
	shown("Vera", "RELEASE Anna IN HL3")
	if list := shown("Lazar", "CHALLENGE Anna IN HL3"); len(list) != 1 || wordsOf(list["times-HL3"], "en")["War 1: Oleg – Karl"] {
		t.Errorf("a duel shows %v", list)
	}
	list := shown("Oleg", "RELEASE Ivan IN HL3")
	seen := wordsOf(list["tree-HL3"], "en")
	if len(list) != 1 || !seen["Oleg"] || !seen["Ivan"] || !seen["Boris"] || seen["Karl"] || seen["Lazar"] {
		t.Errorf("a release shows %v", seen)
	}
}

func TestShowsIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("[world]\nlands = [\"HL3\"]\n[world.inhabitants.Oleg]\nfeuds = { HL3 = 16 }\n")
	for i := range 300 {
		fmt.Fprintf(&b, "[world.inhabitants.Lord%d]\nfeuds = { HL3 = 1 }\nsuzerain = { HL3 = \"Oleg\" }\n", i)
	}
	g := rulestest.Open(t, ruleset, rulestest.World(b.String(), theCast...))
	list, err := g.State.Shows(rules.Viewer{}, []rules.Event{{Type: "flag-gained", Data: rules.Data{"nick": "Lord299", "land": "HL3"}}})
	if err != nil || len(list) != 1 {
		t.Fatalf("%d pictures, %v", len(list), err)
	}
	if seen := wordsOf(list[0], "en"); !seen["and 261 more"] || !seen["Oleg"] || !seen["Lord299"] || seen["Lord298"] {
		t.Errorf("it shows %v", seen)
	}
	if len(list[0].Shapes) > 400 {
		t.Errorf("it has %d shapes", len(list[0].Shapes))
	}
}

// crowd is a world of so many lords in one Land: of every five, the first is a count with a vassal.
func crowd(lords int) string {
	var b strings.Builder
	b.WriteString("[world]\nlands = [\"HL3\"]\n")
	for i := range lords {
		fmt.Fprintf(&b, "[world.inhabitants.Lord%d]\ngold = 5000\n", i)
		switch i % 5 {
		case 0:
			b.WriteString("feuds = { HL3 = 5 }\n")
		case 1:
			fmt.Fprintf(&b, "feuds = { HL3 = 1 }\nsuzerain = { HL3 = \"Lord%d\" }\n", i-i%5)
		default:
			b.WriteString("feuds = { HL3 = 3 }\n")
		}
	}
	return b.String()
}
