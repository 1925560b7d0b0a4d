package heroeslands

import "testing"

// Two versions of the game, so that orders must say which where it is not clear.
const twoLands = `
[world]
lands = ["HL3", "HL4"]
[world.inhabitants.Oleg]
gold = 3000
feuds = { HL3 = 5, HL4 = 8 }
[world.inhabitants.Boris]
feuds = { HL3 = 3, HL4 = ["Fen", "Dale"] }
suzerain = { HL4 = "Oleg" }
[world.inhabitants.Ivan]
feuds = { HL3 = ["Fen"], HL4 = 1 }
suzerain = { HL4 = "Oleg" }
[world.inhabitants.Karl]
feuds = { HL4 = 16 }
`

const lords = `
[world]
lands = ["HL3"]
[world.races]
wizard = "Tower"
[world.inhabitants.Oleg]
feuds = { HL3 = 8 }
[world.inhabitants.Ivan]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Oleg" }
[world.inhabitants.Anna]
feuds = { HL3 = 4 }
suzerain = { HL3 = "Oleg" }
since = { HL3 = 2025-06-01T00:00:00Z }
[world.inhabitants.Boris]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Oleg" }
[world.inhabitants.Karl]
feuds = { HL3 = 16 }
[world.inhabitants.Vera]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Anna" }
[world.inhabitants.Lazar]
feuds = { HL3 = 2 }
race = "wizard"
`

func TestVassalages(t *testing.T) {
	for _, s := range []script{
		{"HL-03 two consents, two announcements", people, `
			d1 Ivan posts: SERVE Oleg => refused HL-03 post
			d1 Ivan: SERVE Oleg => HL-03
			! vassalage-offered
			@ vassalage-offered to = Oleg
			@ vassalage-offered by = "Ivan"
			@ vassalage-offered lapses = "2026-02-01T00:00:00Z"
			? offers.0.consents = ["Ivan"]
			? offers.0.announced = []
			? offers.0.lapses = "2026-02-01T00:00:00Z"
			d1 Ivan: SERVE Oleg => refused HL-88 consent
			d1 Ivan: ACCEPT VASSALAGE WITH Oleg => refused HL-88 consent
			d2 Oleg posts: ANNOUNCE VASSALAGE WITH Ivan => refused HL-03 consents
			d2 Boris: ANNOUNCE VASSALAGE WITH Karl => refused HL-03 consents
			d2 Oleg posts: ACCEPT VASSALAGE WITH Ivan => refused HL-03 post
			d2 Oleg: ACCEPT VASSALAGE WITH Boris => refused HL-82 offer
			d2 Oleg: ACCEPT VASSALAGE WITH Ivan => HL-03
			! vassalage-agreed
			@ vassalage-agreed to = Oleg,Ivan
			d3 Oleg posts: ANNOUNCE VASSALAGE WITH Ivan => HL-03
			! vassalage-announced
			@ vassalage-announced to = tavern,gm,copies,Ivan
			@ vassalage-announced by = "Oleg"
			d3 Oleg: ANNOUNCE VASSALAGE WITH Ivan => refused HL-88 announced
			d3 Ivan: SERVE Karl => HL-03
			d4 Ivan: ОБЪЯВИТЬ ВАССАЛИТЕТ С Oleg => HL-03
			! vassalage-announced vassalage-begun
			@ vassalage-announced second = true
			@ vassalage-begun kind = "voluntary"
			@ vassalage-begun rule = HL-03
			? offers = []
			? inhabitants.Ivan.suzerain.HL3 = "Oleg"
			d4 Ivan: SERVE Oleg => refused HL-88 serves
			d4 Oleg: INVITE Ivan => refused HL-88 serves
			d4 Oleg posts: INVITE Ivan => refused HL-03 post
			d4 Oleg: ANNOUNCE VASSALAGE WITH Ivan => refused HL-03 consents
			d4 Karl: INVITE Ivan => refused HL-39
		`},
		{"HL-03 an invitation, completed by service", people, `
			d1 Oleg: TAKE Ivan AS VASSAL => HL-03
			@ vassalage-offered to = Ivan
			d1 Oleg: ПРИГЛАСИТЬ Ivan => refused HL-88 consent
			d2 Ivan: СЛУЖИТЬ Oleg => HL-03
			! vassalage-agreed
			? offers.0.consents = ["Oleg","Ivan"]
			d2 Ivan: ACCEPT VASSALAGE WITH Oleg => refused HL-88 agreed
		`},
		{"HL-03 declined by either side, by mail", people, `
			d1 Oleg: INVITE Ivan => HL-03
			d1 Ivan posts: DECLINE VASSALAGE WITH Oleg => refused HL-03 post
			d1 Ivan: DECLINE VASSALAGE WITH Karl => refused HL-82 offer
			d1 Ivan: ОТКЛОНИТЬ ВАССАЛИТЕТ С Oleg => HL-03
			! vassalage-declined
			@ vassalage-declined to = Oleg
			? offers = []
			d2 Oleg: INVITE Ivan => HL-03
			d2 Oleg: DECLINE VASSALAGE WITH Ivan => HL-03
			@ vassalage-declined to = Ivan
		`},
		{"HL-03 an offer lapses, its last instant included", people, `
			d1 Oleg: INVITE Ivan => HL-03
			d2 Karl: INVITE Vera => refused HL-07 vassal
			d31 Ivan: ACCEPT VASSALAGE WITH Oleg => HL-03
			! vassalage-agreed
			d31+1s Oleg: ANNOUNCE VASSALAGE WITH Ivan => refused HL-03 consents
			! offer-lapsed
			@ offer-lapsed to = Oleg,Ivan
		`},
		{"HL-44 challenged for vassalage he enters no voluntary one", people, `
			d1 Ivan: SERVE Karl => HL-03
			d1 Karl: ACCEPT VASSALAGE WITH Ivan => HL-03
			d1 Karl: ANNOUNCE VASSALAGE WITH Ivan => HL-03
			d1 Oleg: CHALLENGE Ivan => HL-32
			d1 Ivan: ANNOUNCE VASSALAGE WITH Karl => refused HL-44 service
			d2 Magistrate: RESULT DUEL 1 WINNER Ivan => HL-31
			d2 Ivan: ANNOUNCE VASSALAGE WITH Karl => HL-03
			@ vassalage-begun suzerain = "Karl"
		`},
		{"HL-01 HL-02 HL-07 who may be whose", people, `
			d1 Ivan: SERVE Boris => refused HL-01
			d1 Lazar: SERVE Oleg => refused HL-02 landless
			d1 Karl: SERVE Oleg => refused HL-02 rank
			d1 Oleg: INVITE Karl => refused HL-02 rank
			d1 Vera: SERVE Oleg => refused HL-07 vassal
			d1 Ivan: SERVE Ivan => refused HL-83
			d1 Ivan: OFFER VASSALAGE TO Karl => HL-03
			d1 Ivan: ПРЕДЛОЖИТЬ ВАССАЛИТЕТ Oleg => HL-03
		`},
		{"HL-04 home continents bind counts and marquises", `
[world]
lands = ["HL3"]
[world.races]
wizard = "Tower"
[world.inhabitants.Oleg]
race = "wizard"
gold = 1000
feuds = { HL3 = 8 }
[world.inhabitants.Ivan]
continent = "Castle"
feuds = { HL3 = 3 }
[world.inhabitants.Boris]
race = "Tower"
feuds = { HL3 = 1 }
[world.inhabitants.Anna]
feuds = { HL3 = 1 }
`, `
			d1 Ivan: SERVE Oleg => refused HL-04 continent
			d1 Oleg: CHALLENGE Ivan => refused HL-04 continent
			d1 Boris: SERVE Oleg => HL-03
			d1 Anna: SERVE Oleg => HL-03
			d1 Magistrate: GRANT FEUD A TO Oleg => HL-01
			d1 Magistrate: GRANT FEUD B TO Oleg => HL-01
			d1 Magistrate: GRANT FEUD C TO Oleg => HL-01
			d1 Magistrate: GRANT FEUD D TO Oleg => HL-01
			? inhabitants.Oleg.rank.HL3 = "duke"
			d1 Ivan: SERVE Oleg => HL-03
		`},
		{"HL-25 HL-80 releases", lords, `
			d1 Oleg: RELEASE Vera => refused HL-80 release
			d1 Oleg: RELEASE Karl => refused HL-25 stranger
			d1 Oleg: RELEASE Ivan, Ivan => refused HL-25 twice
			d1 Oleg: RELEASE Ivan, Karl, Vera => refused HL-80 release
			d1 Lazar: RELEASE Ivan => refused HL-25 stranger
			? inhabitants.Oleg.vassals.HL3 = ["Anna","Boris","Ivan"]
			d1 Oleg: ОТПУСТИТЬ Ivan, Boris => HL-25
			! vassal-freed vassal-freed
			@ vassal-freed vassal = "Ivan"
			@ vassal-freed rule = HL-25
			@ vassal-freed to = tavern,gm,copies,Oleg,Ivan
			? inhabitants.Oleg.vassals.HL3 = ["Anna"]
			d1 Oleg: RELEASE Anna => HL-25
			? inhabitants.Anna.vassals.HL3 = ["Vera"]
		`},
		{"HL-26 who loses his last feud is free", lords, `
			d1 Magistrate: TAKE FEUD Ivan1 FROM Ivan => HL-01
			! feud-moved rank-changed vassal-freed
			@ rank-changed to = tavern,gm,copies,Ivan
			@ rank-changed from = "knight"
			@ vassal-freed reason = "landless"
			@ vassal-freed rule = HL-26
			@ feud-moved to = tavern,gm,copies,Ivan
			@ feud-moved reason = "taken"
		`},
		{"HL-28 HL-35 equal and higher ranks", lords, `
			d1 Anna: INDEPENDENCE => refused HL-28
			d1 Karl: INDEPENDENCE => refused HL-82 vassalage
			d1 Anna: INDEPENDENCE FROM Karl => refused HL-82 vassalage
			d1 Magistrate: GRANT FEUD E TO Anna => HL-01
			! feud-moved rank-changed
			d1 Magistrate: GRANT FEUD F TO Anna => HL-01
			! feud-moved
			d1 Magistrate: GRANT FEUD G TO Anna => HL-01
			d1 Magistrate: GRANT FEUD H TO Anna => HL-01
			! feud-moved rank-changed equal-rank
			@ equal-rank to = gm,Oleg,Anna
			d1 Magistrate: TAKE FEUD H FROM Anna => HL-01
			d1 Anna: INDEPENDENCE => refused HL-28
			d1 Magistrate: GRANT FEUD H TO Anna => HL-01
			d2 Anna: НЕЗАВИСИМОСТЬ ОТ Oleg => HL-28
			@ vassal-freed reason = "equal-rank"
		`},
		{"HL-28 of higher rank he is free at once, HL-35 but a suzerain's rise frees nobody", lords, `
			d1 Magistrate: TAKE FEUD Oleg8 FROM Oleg => HL-01
			d1 Magistrate: TAKE FEUD Oleg7 FROM Oleg => HL-01
			d1 Magistrate: TAKE FEUD Oleg6 FROM Oleg => HL-01
			d1 Magistrate: TAKE FEUD Oleg5 FROM Oleg => HL-01
			@ equal-rank vassal = "Anna"
			d1 Magistrate: TAKE FEUD Oleg4 FROM Oleg => HL-01
			d1 Magistrate: TAKE FEUD Oleg3 FROM Oleg => HL-01
			! feud-moved rank-changed vassal-freed equal-rank equal-rank window-opened window-closed
		`},
		{"HL-30 the Magistrate's word", lords, `
			d1 Magistrate: OVERRIDE VASSAL Oleg OF Oleg => refused HL-83 override
			d1 Magistrate: OVERRIDE VASSAL Karl OF Oleg => refused HL-02 higher
			d1 Magistrate: TAKE FEUD Vera1 FROM Vera => HL-01
			d1 Magistrate: OVERRIDE VASSAL Vera OF Karl => refused HL-02 landless
			d1 Magistrate: GRANT FEUD Vera1 TO Vera => HL-01
			d1 Magistrate: OVERRIDE VASSAL Vera OF Ivan => HL-30
			! vassalage-begun
			d1 Magistrate: OVERRIDE VASSAL Ivan OF Vera => refused HL-80 override
			d1 Magistrate: OVERRIDE VASSAL Boris OF Vera => HL-30
			! vassal-freed vassalage-begun
			@ vassal-freed reason = "override"
			@ vassalage-begun kind = "override"
			d1 Magistrate: РЕШЕНИЕ СВОБОДЕН Boris => HL-30
			d1 Magistrate: OVERRIDE FREE Boris => refused HL-82 not-vassal
			d1 Magistrate: РЕШЕНИЕ ВАССАЛ Boris У Karl => HL-30
		`},
		{"HL-08 the flag flies from the fourth vassal on", lords, `
			? inhabitants.Oleg.flag.HL3 = false
			d1 Magistrate: OVERRIDE VASSAL Lazar OF Oleg => HL-30
			! vassalage-begun flag-gained
			@ flag-gained to = tavern,gm,copies,Oleg
			? inhabitants.Oleg.flag.HL3 = true
			d1 Oleg: RELEASE Ivan => HL-25
			! vassal-freed flag-lost
		`},
	} {
		s.run(t)
	}
}

// HL-05 and HL-06: Oleg is a marquis with three vassals; at count he may keep three, at baron two, at knight none.
func TestWindows(t *testing.T) {
	const fall = `
			d1 Magistrate: TAKE FEUD A FROM Oleg => HL-01
			! feud-moved rank-changed
			d1 Magistrate: TAKE FEUD B FROM Oleg => HL-01
			d1 Magistrate: TAKE FEUD C FROM Oleg => HL-01
			d1 Magistrate: TAKE FEUD D FROM Oleg => HL-01
			! feud-moved rank-changed window-opened
			@ window-opened to = gm,Oleg
			@ window-opened allowed = 2
			@ window-opened due = "2026-01-09T00:00:00Z"
`
	const world = `
[world]
lands = ["HL3"]
[world.inhabitants.Oleg]
feuds = { HL3 = ["A", "B", "C", "D", "E", "F", "G", "H"] }
[world.inhabitants.Ivan]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Oleg" }
[world.inhabitants.Anna]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Oleg" }
[world.inhabitants.Boris]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Oleg" }
`
	for _, s := range []script{
		{"HL-06 a window missed frees all", world, fall + `
			? inhabitants.Oleg.windows.HL3 = [{"opened":"2026-01-02T00:00:00Z","due":"2026-01-09T00:00:00Z","allowed":2}]
			d8
			! -
			d8+1s
			! vassal-freed vassal-freed vassal-freed window-closed
			@ vassal-freed vassal = "Anna"
			@ vassal-freed rule = HL-06
			@ vassal-freed reason = "window-missed"
			@ window-closed met = false
			? inhabitants.Oleg.windows.HL3 = []
		`},
		{"HL-29 a release in the window meets it, at its last instant too", world, fall + `
			d8 Oleg: RELEASE Ivan => HL-29
			! vassal-freed window-closed
			@ vassal-freed reason = "rank-lost"
			@ vassal-freed rule = HL-29
			@ window-closed met = true
			d8 Oleg: RELEASE Anna => HL-25
			d9
			! -
		`},
		{"HL-06 vassals lost in any way count", world, fall + `
			d2 Magistrate: TAKE FEUD Ivan1 FROM Ivan => HL-01
			! feud-moved rank-changed vassal-freed window-closed
		`},
		{"HL-06 a further fall opens a further window", world, fall + `
			d2 Magistrate: TAKE FEUD E FROM Oleg => HL-01
			d2 Magistrate: TAKE FEUD F FROM Oleg => HL-01
			! feud-moved rank-changed equal-rank equal-rank equal-rank window-opened
			@ window-opened allowed = 0
			d3 Oleg: RELEASE Ivan => HL-29
			! vassal-freed window-closed
			@ window-closed allowed = 2
			d9
			! -
			d9+1s
			! vassal-freed vassal-freed window-closed
		`},
		{"HL-06 the first window missed closes the others", world, fall + `
			d2 Magistrate: TAKE FEUD E FROM Oleg => HL-01
			d2 Magistrate: TAKE FEUD F FROM Oleg => HL-01
			d8+1s
			! vassal-freed vassal-freed vassal-freed window-closed window-closed
			d10
			! -
		`},
		{"HL-06 a rise lifts what is allowed", world, fall + `
			d2 Magistrate: GRANT FEUD D TO Oleg => HL-01
			! feud-moved rank-changed window-closed
			@ window-closed allowed = 3
			@ window-closed met = true
			d9
			! -
		`},
	} {
		s.run(t)
	}
}

func TestLands(t *testing.T) {
	for _, s := range []script{
		{"L left out means the only Land in which it exists", twoLands, `
			d1 Oleg: CHALLENGE Boris => unclear which-land
			d1 Oleg: CHALLENGE Boris IN 3 => HL-32
			d1 Ivan: CHALLENGE Oleg FOR INDEPENDENCE => HL-40
			? duels.1.land = "HL4"
			d1 Karl: CHALLENGE Ivan FOR INDEPENDENCE => unclear which-land
			d1 Oleg: RELEASE Boris => HL-25
			d1 Oleg: RELEASE Karl => unclear which-land
			d1 Ivan: INDEPENDENCE => refused HL-28
			d1 Boris: INDEPENDENCE => unclear which-land
			d1 Ivan: SERVE Oleg => unclear which-land
			d1 Ivan: SERVE Oleg VERSION HMM3 => HL-03
			d1 Ivan: СЛУЖИТЬ Oleg В HOMM3 => refused HL-88 consent
			d1 Oleg: ACCEPT VASSALAGE WITH Ivan => HL-03
			d1 Oleg: ACCEPT VASSALAGE WITH Ivan IN HL4 => refused HL-82 offer
			d1 Magistrate: TAKE FEUD Dale FROM Boris => HL-01
			d1 Magistrate: TAKE FEUD Fen FROM Boris => unclear which-land
			d1 Magistrate: TAKE FEUD Fen IN HL4 FROM Boris => HL-01
			d1 Magistrate: GRANT FEUD Glen TO Boris => unclear which-land
			d1 Magistrate: GRANT FEUD Glen VERSION 4 TO Boris => HL-01
			d1 Magistrate: GRANT FEUD Dale TO Boris => HL-01
			@ feud-moved land = "HL4"
			d1 Magistrate: OVERRIDE FREE Ivan => unclear which-land
			d1 Magistrate: OVERRIDE IMMUNITY Ivan NONE => unclear which-land
			d1 Karl: CHALLENGE Oleg IN HL5 => unclear
		`},
	} {
		s.run(t)
	}
}
