package heroeslands

import (
	"fmt"
	"testing"
	"time"

	"arroba/rules"
	"arroba/rules/rulestest"
)

// busyLand is a Land of 10,000 inhabitants with 2,000 open matters: 500 vassal duels, 500 calls, 500 offers and 500 wars with
// rosters, of 500 suzerains each. The last instant of it comes with it.
func busyLand(b *testing.B) (*rulestest.Game, time.Time) {
	b.Helper()
	const lords, each = 10_000, 500
	members := rulestest.Members("gm:Magistrate")
	for i := range lords {
		members = append(members, rules.Member{Seat: rules.Seat(lord(i)), Role: rules.Player})
	}
	g := rulestest.Open(b, ruleset, rulestest.World(crowd(lords), members...))
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	say := func(by, form string, args ...any) {
		if a := g.Mail(at, by, fmt.Sprintf(form, args...)); !a.OK() {
			b.Fatalf("%s: %s was not accepted: %s %s", by, fmt.Sprintf(form, args...), a.Rule, a.Why)
		}
	}
	for i := 0; i < 5*each; i += 5 {
		say(lord(i), "CALL OUT %s FOR 10 @", lord(i+3))
		say(lord(i+4), "SERVE %s", lord(i))
		say(lord(i), "DECLARE WAR ON %s WITH 1", lord(i+5*each))
		say(lord(i), "ROSTER %s", lord(i))
		say(lord(i+5*each), "ROSTER %s", lord(i+5*each+1))
		say(lord(i+10*each), "CHALLENGE %s", lord(i+10*each+2))
	}
	return g, at
}

func lord(i int) string { return fmt.Sprintf("Lord%d", i) }

// Every kind of order in a Land where much is open.
func BenchmarkBusyLand(b *testing.B) {
	g, at := busyLand(b)
	at = at.Add(time.Second)
	for _, c := range []struct{ by, line string }{
		{"Lord7500", "CHALLENGE Lord7503"}, {"Lord7502", "SERVE Lord7500"}, {"Lord7505", "INVITE Lord7508"}, {"Lord0", "ACCEPT VASSALAGE WITH Lord4"},
		{"Lord4", "DECLINE VASSALAGE WITH Lord0"}, {"Lord0", "ANNOUNCE VASSALAGE WITH Lord4"}, {"Lord7510", "RELEASE Lord7511"}, {"Lord7516", "INDEPENDENCE"},
		{"Lord5002", "POSTPONE DUEL BY 3 DAYS"}, {"Lord7513", "CALL OUT Lord7514 FOR FEUD Lord75131 AGAINST Lord75141 AND 5 @"}, {"Lord3", "ACCEPT DUEL"}, {"Lord8", "DECLINE DUEL"},
		{"Lord1", "ASK PROTECTION"}, {"Lord1", "ASK PLAYTHROUGH"}, {"Lord7520", "STAND IN FOR Lord7521"}, {"Lord0", "GIVE 1 @ TO Lord7777"}, {"Lord0", "GIVE FEUD Lord05 TO Lord1"},
		{"Lord7525", "DECLARE WAR ON Lord7530 WITH 2"}, {"Lord0", "ROSTER Lord1"}, {"Lord0", "CLAN RULES YES"}, {"Lord2500", "BUY OUT WITH Lord25005"}, {"Lord0", "BEGIN EARLY ON 2026-01-20"},
		{"Lord2505", "POSTPONE WAR BY 2 WEEKS"}, {"Lord5", "CHANGE STAKE TO 2 FEUDS"}, {"Lord0", "ASSIGN SAVE 1 TO Lord1"}, {"Lord1", "REFUSE SERVICE"}, {"Lord1", "SAVE Lord0_save1 DAYS 3 POINTS 4"},
		{"Lord7535", "JOIN CLAN Wolves"}, {"Magistrate", "RESULT DUEL 6 DRAW"}, {"Magistrate", "RESULT WAR 9 DRAW"}, {"Magistrate", "ANNUL WAR 3"}, {"Magistrate", "ANNUL DUEL 3"},
		{"Magistrate", "SET BEGIN WAR 7 TO 2026-02-11"}, {"Magistrate", "GRANT FEUD New TO Lord7546"}, {"Magistrate", "TAKE FEUD Lord75403 FROM Lord7540"}, {"Magistrate", "CREDIT 5 @ TO Lord7"},
		{"Magistrate", "APPOINT Lord7 MAGISTER"}, {"Magistrate", "CLOSE TOURNEY Spring"}, {"Magistrate", "OVERRIDE FREE Lord7546"}, {"Magistrate", "OVERRIDE IMMUNITY Lord7547 UNTIL 2026-05-01"},
		{"Magistrate", "OVERRIDE WAR IMMUNITY Lord7545 3"}, {"Magistrate", "REGISTER Newcomer"}, {"Magistrate", "GRANT PROPERTY Mill MINE TO Lord0"},
	} {
		b.Run(c.line, func(b *testing.B) { // the first time it may be accepted, then most are refused: both are ruled on
			for b.Loop() {
				g.Until(at)
				g.Mail(at, c.by, c.line)
			}
		})
	}
}

// Ticks in which 500 timers of a kind fire, in the same Land.
func BenchmarkBusyTick(b *testing.B) {
	g, at := busyLand(b)
	for _, c := range []struct {
		name string
		days int
		many int
	}{{"rosters close", 7, 500}, {"calls lapse", 14, 500}, {"offers lapse and duels fall due", 30, 1000}, {"wars begin", 35, 500}, {"wars end", 70, 500}} {
		until := at.Add(day * time.Duration(c.days))
		g.Until(until.Add(-time.Second))
		kept := []byte(g.Bytes())
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				s, err := ruleset.Decode(kept)
				if err != nil {
					b.Fatal(err)
				}
				g.State = s
				g.Until(until.Add(-time.Second)) // what it works out once is not the tick's
				if _, _, err := s.Next(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if n := len(g.Until(until.Add(time.Second))); n != c.many {
					b.Fatalf("%d timers fired", n)
				}
			}
		})
	}
}
