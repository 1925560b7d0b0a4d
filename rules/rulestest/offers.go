package rulestest

import (
	"maps"
	"regexp"
	"time"

	"arroba/rules"
)

// Offered looks whether every order that the game offers its members at an instant would be accepted, in every language,
// and returns how many there were. What an offer leaves open is filled by fill.
func (g *Game) Offered(at time.Time, fill func(seat rules.Seat, o rules.Offer, slot string) string) (n int) {
	g.t.Helper()
	for _, m := range g.w.Members {
		offers, err := g.State.Offers(rules.Viewer{Seat: m.Seat, GM: m.Role == rules.GM})
		if err != nil {
			g.t.Fatal(err)
		}
		if m.Role == rules.Observer {
			continue // the engine does not ask for them
		}
		for _, o := range offers {
			g.offered(at, m.Seat, o, fill)
		}
		n += len(offers)
	}
	return n
}

var openSlot = regexp.MustCompile(`<([a-z_]+)>`)

// offered tries an offer on a copy of the game.
func (g *Game) offered(at time.Time, seat rules.Seat, o rules.Offer, fill func(rules.Seat, rules.Offer, string) string) {
	g.t.Helper()
	st, err := g.r.Decode([]byte(g.Bytes()))
	if err != nil {
		g.t.Fatal(err)
	}
	names, err := st.Names()
	if err != nil {
		g.t.Fatal(err)
	}
	args, line := maps.Clone(o.Args), ""
	for _, lang := range languages {
		for _, open := range openSlot.FindAllStringSubmatch(g.r.Grammar.Fill(o.Form, lang, args), -1) {
			args[open[1]] = fill(seat, o, open[1])
		}
		line = g.r.Grammar.Fill(o.Form, lang, args)
		if order := g.r.Grammar.Parse(line, names, false).Order; order == nil || order.Form != o.Form {
			g.t.Fatalf("%s is offered %q, and it is no order of the form %s", seat, line, o.Form)
		}
	}
	trial := *g
	trial.State = st
	if a := trial.Mail(at, string(seat), line); !a.OK() {
		g.t.Fatalf("%s is offered %q, and it is not accepted: %s %s", seat, line, a.Rule, a.Why)
	}
}
