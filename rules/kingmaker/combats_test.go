package kingmaker

import "testing"

func TestCombats(t *testing.T) {
	for _, s := range []script{
		{"KM-P6 whom one may battle", gathered, `
			d0+13h Anna: Aske BATTLE Red IN Birkrigg => refused KM-P6 self
			d0+13h Anna: Aske BATTLE Blue IN Oxlea => refused KM-P2 attacker
			d0+13h Anna: Tern BATTLE Blue IN Gullness => refused KM-P2 attacker-ship
			d0+13h Anna: Ayton BATTLE Blue IN Gullness => refused KM-P6
			d0+13h Anna: Bolam BATTLE Green IN Birkrigg => refused KM-P3 stranger
			d0+13h Anna: Aske BATTLE Blue IN Birkby => KM-P6
			d0+13h Anna: Aske BATTLE Green IN Birkrigg => KM-P6
			? orders.0.line = "Aske BATTLE Green IN Birkrigg"
			d0+13h Anna: READY => KM-P1
			d0+14h
			! turn-closed battle-declared
			@ battle-declared attackers = ["Aske"]
			@ battle-declared defenders = ["Carnaby"]
			@ battle-declared attack = 150
			@ battle-declared defence = 30
			@ battle-declared rule = KM-P6
			? phase = "rulings"
			? deadline = null
			? combats.0.result = ""
			d0+14h Boris: Bolam MOVES TO Oxlea => refused KM-P1 turn
			d0+14h Anna: Ayton MOVES TO Oxlea => refused KM-P1 phase
			d0+14h Gareth: PROCESS NOW => refused KM-P9 no-close
			d1+13h1s
			! rulings-awaited
			@ rulings-awaited to = gm
			d1+14h Gareth: RESULT OF SIEGE 1 HOLDS => refused KM-P9 combat
			d1+14h Gareth: RESULT OF BATTLE 2 DRAW => refused KM-P9 combat
			d1+14h Anna: RESULT OF BATTLE 1 ATTACKER => refused KM-P8 gm
			d1+14h Gareth: RESULT OF BATTLE 1 ATTACKER KILLED Carnaby, Aske => KM-P8
			! combat-decided removed removed turn-began
			@ combat-decided result = "attacker"
			@ combat-decided killed = ["Carnaby","Aske"]
			? nobles.Aske.removed = true
			? nobles.Aske.strength = 0
			? phase = "orders"
			d1+14h Gareth: RESULT OF BATTLE 1 DRAW => refused KM-P9 combat
		`},
		{"KM-A12b allies defend with whom they defend", gathered, `
			d0 Boris: ALLY WITH Green => KM-A1
			d0 Clara: CONFIRM ALLIANCE => KM-A2a
			d0+13h Clara: Carnaby DEFENDS WITH Blue => KM-A12b
			? nobles.Carnaby.defends = "Blue"
			d0+13h Anna: Aske BATTLE Blue IN Birkrigg => KM-P6
			+ READY => KM-P1
			d0+14h
			! turn-closed battle-declared alliance-public
			@ battle-declared defenders = ["Bolam","Carnaby"]
			@ battle-declared defence = 70
			d0+14h Gareth: ИТОГ БИТВЫ 1 НИЧЬЯ => KM-P8
			! combat-decided turn-began
			d0+14h Boris: READY => KM-P1
			d0+15h Clara: READY => KM-P1
			d0+16h
			? nobles.Carnaby.defends = ""
		`},
		{"KM-A9, A12a allies and former allies", gathered, allied + `
			d0+13h Anna: Aske BATTLE Blue IN Birkrigg => refused KM-A9
			d0+13h Anna: BREAK ALLIANCE => KM-A10
			d0+13h Anna: Aske BATTLE Blue IN Birkrigg => refused KM-A12a
			d0+13h Gareth: PLACE Ayton AT Mirefold => KM-P8
			d0+13h Anna: Ayton BESIEGE Mirehold => refused KM-A12a
			d0+13h Gareth: PLACE Bewick AT Mirefold => KM-P8
			d0+13h Anna: Ayton BESIEGE Mirehold => KM-5.7
			d0+13h Anna: READY => KM-P1
			d0+14h Gareth: RESULT OF SIEGE 1 HOLDS => KM-P8
			d0+14h Boris: Bolam BATTLE Red IN Birkrigg => refused KM-A12a
			d0+14h Boris: READY => KM-P1
			d0+15h Clara: READY => KM-P1
			d0+16h Anna: Aske BATTLE Blue IN Birkrigg => KM-P6
		`},
		{"KM-A12b the breaker's nobles who defend with a new ally may be attacked", gathered, allied + `
			d0+13h Boris: BREAK ALLIANCE => KM-A10
			d0+13h Anna: READY => KM-P1
			d0+14h Boris: ALLY WITH Green => KM-A1
			d0+14h Clara: CONFIRM ALLIANCE => KM-A2a
			d0+14h Boris: Bolam DEFENDS WITH Green => KM-A12b
			d0+14h Boris: READY => KM-P1
			d0+15h Clara: READY => KM-P1
			d0+16h Boris: Bolam DEFENDS WITH Green => KM-A12b
			d0+16h Anna: Aske BATTLE Blue IN Birkrigg => refused KM-A12a
			d0+16h Anna: Aske BATTLE Green IN Birkrigg => KM-P6
			+ READY => KM-P1
			d0+17h
			@ battle-declared defenders = ["Bolam","Carnaby"]
		`},
		{"KM-1.7 to KM-5.7 what may be besieged", theMarch, `
			d0+13h Anna: Aske BESIEGE Hazelburgh => refused KM-P2 attacker
			d0+13h Anna: Aske BESIEGE Crag => refused KM-P2 besieger-inside
			d0+13h Gareth: PLACE Aske AT Upmoor => KM-P8
			d0+13h Anna: Aske BESIEGE Crag => refused KM-1.7
			d0+13h Gareth: PLACE Aske AT Hazeldene => KM-P8
			d0+13h Anna: Aske BESIEGE Hazelburgh => KM-4.7
			d0+13h Gareth: PLACE Ayton AT Birkrigg => KM-P8
			d0+13h Anna: Ayton BESIEGE Birkby => refused KM-2.7
			d0+13h Gareth: PLACE Carnaby AT Birkby => KM-P8
			d0+13h Anna: Ayton BESIEGE Birkby => KM-2.7
			d0+13h Gareth: PLACE Ayton AT Oxlea => KM-P8
			d0+13h Anna: Ayton BESIEGE Oxton => refused KM-3.7
			d0+13h Gareth: PLACE Carnaby AT Oxton => KM-P8
			d0+13h Anna: Ayton BESIEGE Oxton => KM-3.7
			+ READY => KM-P1
			d0+14h
			! turn-closed siege-laid siege-laid
			@ siege-laid location = "Hazelburgh"
			@ siege-laid attack = 250
			@ siege-laid defence = 200
			@ siege-laid defenders = []
			? combats.1.defence = 230
			? combats.1.defenders = ["Carnaby"]
			d0+14h Gareth: RESULT OF SIEGE 2 FALLS => KM-P8
			! combat-decided placed placed
			? nobles.Carnaby.location = ""
			? nobles.Ayton.location = "Oxton"
			? locations.Oxton.controller = ""
			d0+14h Gareth: RESULT OF SIEGE 1 FALLS => KM-P8
			! combat-decided control-changed placed turn-began
			? locations.Hazelburgh.controller = "Red"
			? nobles.Aske.location = "Hazelburgh"
		`},
		{"a place that falls takes in those for whom there is room", at(`name = "Hazelburgh", space = "Hazeldene", type = "fortified"`, `name = "Hazelburgh", space = "Hazeldene", type = "fortified", capacity = 60`, `troops = 100, at = "Crag"`, `troops = 100, at = "Hazeldene"`, `troops = 50, at = "Gullhaven"`, `troops = 50, at = "Hazeldene"`), `
			d0+13h Anna: Aske, Ayton BESIEGE Hazelburgh => KM-4.7
			+ READY => KM-P1
			d0+14h
			@ siege-laid attack = 300
			d0+14h Gareth: ИТОГ ОСАДЫ 1 ПАЛА => KM-P8
			! combat-decided control-changed placed turn-began
			? locations.Hazelburgh.inside = ["Ayton"]
		`},
		{"besiegers come from another castle of the space too", at(`{ name = "Hazelburgh", space = "Hazeldene", type = "fortified"`, `{ name = "Cragside", space = "Hazeldene", type = "noble", controller = "Red" }, { name = "Hazelburgh", space = "Hazeldene", type = "fortified"`, `troops = 100, at = "Crag"`, `troops = 100, at = "Cragside"`), `
			d0+13h Anna: Aske BESIEGES Hazelburgh => KM-4.7
			+ READY => KM-P1
			d0+14h Gareth: RESULT OF SIEGE 1 FALLS => KM-P8
			? locations.Hazelburgh.inside = ["Aske"]
			? locations.Cragside.inside = []
		`},
		{"an attack that stands no longer at the close", theMarch, `
			d0+13h Gareth: PLACE Aske AT Birkrigg => KM-P8
			d0+13h Anna: Aske BATTLE Blue IN Birkrigg => KM-P6
			d0+13h Gareth: PLACE Bolam AT Oxlea => KM-P8
			d0+13h Anna: READY => KM-P1
			d0+14h
			! turn-closed order-failed turn-began
			@ order-failed rule = KM-P6
			@ order-failed to = gm,Anna
			? nobles.Aske.fought = true
		`},
		{"the house rules decide at the close", swap(gathered, `odds = ["bad weather", "2-1"]`, "odds = [\"2-1\"]\nrules = { combat = \"odds\", siege = \"strength\" }"), `
			d0+13h Gareth: PLACE Ayton AT Hazeldene => KM-P8
			d0+13h Anna: Aske BATTLE Blue IN Birkrigg => KM-P6
			+ Ayton BESIEGE Hazelburgh => KM-4.7
			+ READY => KM-P1
			d0+14h
			! turn-closed battle-declared siege-laid combat-decided combat-decided turn-began
			@ combat-decided result = "attacker"
			@ combat-decided odds = "2-1"
			@ combat-decided rule = KM-P6
			? combats.1.result = "holds"
		`},
		{"chance is drawn among several odds", swap(gathered, `odds = [`, "rules = { combat = \"odds\" }\nodds = ["), `
			d0+13h Anna: Aske BATTLE Blue IN Birkrigg => KM-P6
			+ READY => KM-P1
			d0+14h
			! turn-closed battle-declared draw combat-decided turn-began
			@ draw purpose = "odds:1"
			@ draw of = 2
			@ draw rule = KM-P6
		`},
		{"in Russian", gathered, `
			d0+13h Anna: Аск АТАКУЕТ Синие В Биркригг => KM-P6
			d0+13h Anna: Аск ОСАЖДАЕТ Уайкпорт => refused KM-P2 attacker
			d0+13h Boris: Бьюик ЗАЩИЩАЕТ Зелёные => refused KM-A12b
		`},
	} {
		s.run(t)
	}
}

// What comes of a battle by its odds, at the very edge too.
func TestDecided(t *testing.T) {
	for _, c := range []struct {
		odds            string
		attack, defence int
		want            string
	}{
		{"2-1", 200, 100, attackerWins}, {"2-1", 199, 100, drawn}, {"2-1", 100, 200, defenderWins}, {"2-1", 100, 199, drawn},
		{"3-2", 150, 100, attackerWins}, {"3-2", 149, 100, drawn}, {"5-4", 125, 100, attackerWins}, {"1-1", 100, 100, drawn},
		{"1-1", 101, 100, attackerWins}, {"2-1", 5, 0, attackerWins}, {"2-1", 0, 0, drawn}, {badWeather, 1000, 1, noResult},
	} {
		if got := decided(c.odds, c.attack, c.defence); got != c.want {
			t.Errorf("%s with %d against %d: %s", c.odds, c.attack, c.defence, got)
		}
	}
}
