package heroeslands

import (
	"testing"

	"arroba/orders"
	"arroba/templates"
)

// BenchmarkReceipt is a receipt of one order with what came of it, as most letters bring.
func BenchmarkReceipt(b *testing.B) {
	x, err := templates.New(Ruleset(), textGrammar)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		news, err := x.Event(english, "duel-declared", textsAt, sample)
		if err != nil {
			b.Fatal(err)
		}
		m := templates.Mail{Kind: "receipt", Game: "lands", Title: "The Lands", To: "Oleg", Why: "Challenge", Answers: true,
			Lines: []templates.Line{{Line: "CHALLENGE Boris", Verdict: orders.Accepted, Rule: "HL-32"}}, News: []string{news}}
		if _, _, err = x.Mail(english, m); err != nil {
			b.Fatal(err)
		}
	}
}
