package heroeslands

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"arroba/rules"
	"arroba/rules/rulestest"
)

// offered lists what somebody is offered, as lines.
func offered(t *testing.T, g *rulestest.Game, v rules.Viewer) (lines []string) {
	t.Helper()
	list, err := g.State.Offers(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range list {
		lines = append(lines, ruleset.Grammar.Fill(o.Form, "en", o.Args))
	}
	return lines
}

func TestOffers(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(playground, theCast...))
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for _, step := range []struct {
		by, line string
		who      string
		want     []string
	}{
		{"", "", "Oleg", []string{"CHALLENGE Boris", "INVITE Boris", "SERVE Karl"}},
		{"", "", "Vera", []string{"CHALLENGE Anna FOR INDEPENDENCE"}},
		{"", "", "Petra", nil}, // she owns nothing
		{"", "", "Olga", nil},  // she is no inhabitant
		{"Boris", "SERVE Oleg", "Oleg", []string{"ACCEPT VASSALAGE WITH Boris", "DECLINE VASSALAGE WITH Boris", "CHALLENGE Boris", "SERVE Karl"}},
		{"Oleg", "ACCEPT VASSALAGE WITH Boris", "Oleg", []string{"ANNOUNCE VASSALAGE WITH Boris", "CHALLENGE Boris", "SERVE Karl"}},
		{"Oleg", "ANNOUNCE VASSALAGE WITH Boris", "Boris", []string{"ANNOUNCE VASSALAGE WITH Oleg", "SERVE Anna", "SERVE Karl"}},
		{"Oleg", "CHALLENGE Boris", "Boris", []string{"POSTPONE DUEL 1 BY 7 DAYS", "INSERT Boots INTO DUEL 1"}},
		{"Boris", "POSTPONE DUEL 1 BY 7 DAYS", "Boris", []string{"INSERT Boots INTO DUEL 1"}},
		{"Boris", "INSERT Boots INTO DUEL 1", "Boris", nil},
		{"", "", "Magistrate", []string{"RESULT DUEL 1 WINNER <winner>"}},
	} {
		if step.line != "" && !g.Mail(at, step.by, step.line).OK() {
			t.Fatalf("%s: %s was not accepted", step.by, step.line)
		}
		if got := offered(t, g, rules.Viewer{Seat: rules.Seat(step.who), GM: step.who == "Magistrate"}); !slices.Equal(got, step.want) {
			t.Errorf("after %q %s is offered\n%s\nwant\n%s", step.line, step.who, strings.Join(got, "\n"), strings.Join(step.want, "\n"))
		}
	}
}

// Whatever happened, every order that is offered would be accepted.
func TestOffersAreAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		world := rulestest.World(strings.Replace(playground, `["HL3"]`, rapid.SampledFrom([]string{`["HL3"]`, `["HL3", "HL5"]`}).Draw(t, "lands"), 1), theCast...)
		g := rulestest.Open(t, ruleset, world)
		at := world.Start
		open := func(seat rules.Seat, o rules.Offer, slot string) string {
			v := seen(t, g)
			switch {
			case o.Form == "result-duel" && slot == "winner":
				for _, d := range v.Duels {
					if o.Args["duel"] == strconv.Itoa(d.ID) {
						return rapid.SampledFrom([]string{d.Initiator, d.Target}).Draw(t, "winner")
					}
				}
			case o.Form == "release":
				land := o.Args["land"]
				if land == "" {
					land = "HL3"
				}
				return v.Inhabitants[string(seat)].Vassals[land][0]
			}
			t.Fatalf("%s leaves %s open", o.Form, slot)
			return ""
		}
		for range rapid.IntRange(0, 10).Draw(t, "doings") {
			for _, l := range random(t) {
				at = at.Add(time.Duration(rapid.IntRange(0, 48).Draw(t, "hours")) * time.Hour)
				g.Until(at)
				g.Mail(at, l.by, l.text)
			}
		}
		if g.Offered(at, open) == 0 {
			t.Fatal("nobody is offered anything")
		}
	})
}
