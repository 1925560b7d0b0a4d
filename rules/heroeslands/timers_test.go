package heroeslands

import (
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // the zones, wherever the test runs

	"arroba/rules"
	"arroba/rules/rulestest"
)

const timed = `
[world]
lands = ["HL3"]
[world.inhabitants.Oleg]
gold = 3000
feuds = { HL3 = 5 }
offices = { krt = 2026-02-01T00:00:00Z }
[world.inhabitants.Boris]
feuds = { HL3 = 3 }
immunity = { HL3 = 2026-02-01T00:00:00Z }
independence_bar = { HL3 = 2026-02-01T00:00:00Z }
[world.inhabitants.Ivan]
feuds = { HL3 = 1 }
`

// What falls due at one instant fires in the order of the rules' table, and each of it lets a letter of its instant
// come first.
func TestTimersInOrder(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(timed, theCast...))
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for who, line := range map[string]string{"Boris": "SERVE Oleg", "Oleg": "CHALLENGE Ivan"} {
		if a := g.Mail(at, who, line); !a.OK() {
			t.Fatalf("%s: %+v", line, a)
		}
	}
	for _, line := range []string{"OVERRIDE IMMUNITY Anna UNTIL 2026-02-01T00:00:00Z", "APPOINT Anna MAGISTER UNTIL 2026-02-01T00:00:00Z"} {
		if a := g.Mail(at, "Magistrate", line); !a.OK() {
			t.Fatalf("%s: %+v", line, a)
		}
	}
	due := at.Add(30 * day)
	if h := g.Until(due); len(h) > 0 {
		t.Errorf("%v came before the letters of its instant", h[0].Due)
	}
	var kinds []string
	for _, h := range g.Until(due.Add(time.Second)) {
		if !h.Due.At.Equal(due) || !h.Due.After {
			t.Errorf("%+v", h.Due)
		}
		kinds = append(kinds, h.Due.Kind)
	}
	// the ends of what somebody holds are of one sort: Anna's, Boris's, Oleg's
	if want := []string{"offer", "duel-due", "immunity", "office", "immunity", "bar", "office"}; !slices.Equal(kinds, want) {
		t.Errorf("they fired as %v", kinds)
	}
}

// After a hold everything moves but the dates that the Magistrate named.
func TestShift(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(timed, theCast...))
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	g.Mail(at, "Boris", "SERVE Oleg")
	g.Mail(at, "Oleg", "CHALLENGE Ivan")
	g.Mail(at, "Magistrate", "OVERRIDE IMMUNITY Anna UNTIL 2026-02-01T00:00:00Z")
	if _, ok, err := g.State.Next(); !ok || err != nil {
		t.Fatal(err)
	}
	_, ru, err := g.State.Control(rules.Control{Kind: "shift", By: 10 * time.Hour}, rules.Env{At: at, Zone: time.UTC})
	if err != nil || !ru.OK() {
		t.Fatalf("%+v %v", ru, err)
	}
	var moved []string
	for _, h := range g.Until(at.Add(60 * day)) {
		moved = append(moved, h.Due.Kind+" "+h.Due.At.Format("02T15"))
	}
	want := []string{"immunity 01T00", "office 01T00", "offer 01T10", "duel-due 01T10", "immunity 01T10", "bar 01T10"}
	if !slices.Equal(moved, want) {
		t.Errorf("they fired as %v", moved)
	}
	for _, kind := range []string{"cancel", "ready", "wait", "close", "deadline"} {
		before := g.Bytes()
		_, ru, err := g.State.Control(rules.Control{Kind: kind}, rules.Env{At: at, Zone: time.UTC})
		if err != nil || ru.OK() || ru.Rule != "HL-82" || g.Bytes() != before {
			t.Errorf("%s: %+v %v", kind, ru, err)
		}
	}
	if _, ru, err := g.State.Control(rules.Control{Kind: "reopen"}, rules.Env{}); err != nil || !ru.OK() {
		t.Errorf("reopen: %+v %v", ru, err)
	}
}

// Months are steps in the calendar of the game's zone, the day clamped.
func TestAddMonths(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from   string
		zone   *time.Location
		months int
		want   string
	}{
		{"2026-08-31T10:00:00Z", time.UTC, 6, "2027-02-28T10:00:00Z"},
		{"2027-08-31T10:00:00Z", time.UTC, 6, "2028-02-29T10:00:00Z"},
		{"2026-12-31T23:30:00Z", time.UTC, 2, "2027-02-28T23:30:00Z"},
		{"2026-12-31T23:30:00Z", berlin, 1, "2027-01-31T23:30:00Z"}, // 1 January in Berlin
		{"2026-01-15T10:00:00Z", berlin, 6, "2026-07-15T09:00:00Z"}, // at the same time by the clocks
		{"2026-01-31T10:00:00.5Z", time.UTC, 1, "2026-02-28T10:00:00.5Z"},
	} {
		from, _ := time.Parse(time.RFC3339, c.from)
		if got := addMonths(from, c.zone, c.months).Format(time.RFC3339Nano); got != c.want {
			t.Errorf("%s and %d months in %s are %s, want %s", c.from, c.months, c.zone, got, c.want)
		}
	}
}
