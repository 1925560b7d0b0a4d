package heroeslands

import (
	"slices"
	"testing"
	"time"

	"arroba/rules"
	"arroba/rules/rulestest"
)

// balanced looks whether all accounts together are zero, and whether the treasury is what its book says.
func balanced(t rulestest.T, v view) {
	t.Helper()
	sum := v.Ledger.Opening + *v.Magistrate.Gold
	for _, p := range v.Inhabitants {
		sum += p.Gold + p.Held
	}
	if sum != 0 {
		t.Fatalf("all accounts together are %d @", sum)
	}
	balance := v.Ledger.Balance
	for _, e := range v.Ledger.Entries {
		if e.From == magistrate {
			balance -= e.Amount
		} else {
			balance += e.Amount
		}
		if e.Balance != balance {
			t.Fatalf("after %+v the balance is %d", e, balance)
		}
	}
	if balance != *v.Magistrate.Gold {
		t.Fatalf("by its book the treasury has %d @, and it has %d", balance, *v.Magistrate.Gold)
	}
}

func TestLedger(t *testing.T) {
	people := `
[world]
lands = ["HL3"]
[world.magistrate]
gold = 100
[world.inhabitants.Oleg]
gold = 1500
feuds = { HL3 = 5 }
[world.inhabitants.Boris]
gold = -30
feuds = { HL3 = 3 }
`
	for _, s := range []script{
		{"the opening stands on the other side", people, `
			d0
			? ledger.opening = -1570
			? ledger.balance = 100
			? ledger.until = null
			? ledger.entries = []`},
		{"HL-36 a fine is in the book, what is held and what others pay each other are not", people, `
			d1 Oleg: CHALLENGE Boris => HL-32
			d2 Oleg: GIVE 20 @ TO Boris => HL-18
			? ledger.entries = []
			d3 Magistrate: RESULT DUEL DRAW => HL-31
			? ledger.entries = [{"at":"2026-01-04T00:00:00Z","from":"Oleg","to":"magistrate","amount":500,"balance":600,"reason":"fine","rule":"HL-36","duel":1}]`},
		{"what is older than a year is folded by the next movement, what is a year old is not", people, `
			2026-01-05T12:00:00Z Magistrate: CREDIT 70 TO Boris => HL-18
			2026-01-05T12:00:01Z Oleg: GIVE 5 @ TO MAGISTRATE => HL-18
			2027-01-05T12:00:01Z Oleg: GIVE 1 @ TO Boris => HL-18
			? ledger.balance = 100
			2027-01-05T12:00:01Z Magistrate: DEBIT 9 FROM Oleg => HL-18
			? ledger.balance = 30
			? ledger.until = "2026-01-05T12:00:00Z"
			? ledger.entries.0.amount = 5
			? ledger.entries.0.balance = 35
			? ledger.entries.1.balance = 44
			? ledger.opening = -1570`},
	} {
		s.run(t)
	}
}

// Nobody but the GM sees the book.
func TestLedgerIsTheMagistrates(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(playground, theCast...))
	g.Mail(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), "Magistrate", "DEBIT 9 FROM Oleg")
	for _, who := range []rules.Viewer{{}, {Seat: "Oleg"}, {GM: true}} {
		v, err := g.State.View(who)
		if err != nil {
			t.Fatal(err)
		}
		if l := v.(view).Ledger; (l != nil) != who.GM || who.GM && !slices.ContainsFunc(l.Entries, func(e viewEntry) bool { return e.From == "Oleg" }) {
			t.Errorf("%+v sees %+v", who, l)
		}
	}
}
