package heroeslands

import (
	"fmt"
	"io"
	"testing"
	"time"

	"arroba/draw"
	"arroba/rules"
	"arroba/rules/rulestest"
)

// A Land of 10,000 inhabitants: reading an order's line, ruling on it, and asking what falls due next.
func BenchmarkOrders(b *testing.B) {
	const lords = 10_000
	members := rulestest.Members("gm:Magistrate")
	for i := range lords {
		members = append(members, rules.Member{Seat: rules.Seat(fmt.Sprintf("Lord%d", i)), Role: rules.Player})
	}
	g := rulestest.Open(b, ruleset, rulestest.World(crowd(lords), members...))
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	g.Mail(at, "Lord0", "GIVE 1 @ TO Lord1")
	n := 0
	for _, c := range []struct {
		name  string
		lines func(i int) (by, line string)
	}{
		{"GIVE", func(i int) (string, string) { return fmt.Sprintf("Lord%d", i%1000), "GIVE 1 @ TO Lord7777" }},
		{"refused", func(i int) (string, string) { return "Lord3", fmt.Sprintf("CHALLENGE Lord%d", i%1000) }},
		{"another role's", func(int) (string, string) { return "Lord3", "CREDIT 5 TO Lord4" }},
		{"CHALLENGE and ANNUL", func(i int) (string, string) {
			n++
			if n%2 == 1 {
				return "Lord0", "CHALLENGE Lord3"
			}
			return "Magistrate", fmt.Sprintf("ANNUL DUEL %d", n/2)
		}},
		{"GRANT FEUD", func(i int) (string, string) {
			n++
			return "Magistrate", fmt.Sprintf("GRANT FEUD New %d TO Lord%d", n, i%lords)
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				by, line := c.lines(i)
				g.Until(at)
				g.Mail(at, by, line)
			}
		})
	}
}

// Opening the same Land, and reading its state afresh.
func BenchmarkOpen(b *testing.B) {
	w := rulestest.World(crowd(10_000))
	for b.Loop() {
		rulestest.Open(b, ruleset, w)
	}
}

// The pictures of a Land of 40 lords, and what a letter shows of them: working out the shapes, and drawing them.
func BenchmarkPictures(b *testing.B) {
	g := rulestest.Open(b, ruleset, rulestest.World(crowd(40), rulestest.Members("gm:Magistrate", "Lord0", "Lord2")...))
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	g.Mail(at, "Magistrate", "CREDIT 20 TO Lord0")
	events := g.Mail(at, "Lord0", "CHALLENGE Lord2").Events
	events = append(events, rules.Event{Type: "flag-gained", Data: rules.Data{"nick": "Lord0", "land": "HL3"}})
	pen, err := draw.NewPen()
	if err != nil {
		b.Fatal(err)
	}
	list, err := g.State.Pictures(rules.Viewer{GM: true, Now: at})
	if err != nil {
		b.Fatal(err)
	}
	shown, err := g.State.Shows(rules.Viewer{Now: at}, events)
	if err != nil {
		b.Fatal(err)
	}
	for i := range shown {
		shown[i].Name += " in a mail"
	}
	b.Run("shapes", func(b *testing.B) {
		for b.Loop() {
			if _, err := g.State.Pictures(rules.Viewer{GM: true, Now: at}); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, p := range append(list, shown...) {
		b.Run(p.Name+".svg", func(b *testing.B) {
			for b.Loop() {
				if err := pen.SVG(io.Discard, p, "ru"); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(p.Name+".png", func(b *testing.B) {
			for b.Loop() {
				if err := pen.PNG(io.Discard, p, "ru"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
