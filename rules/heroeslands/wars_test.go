package heroeslands

import (
	"testing"
)

// Oleg, a count, has Boris and Ivan as vassals; Karl, a marquis, has Vera and Petra. Anna serves Vera, Lazar nobody.
const twoCamps = `
[world]
lands = ["HL3"]
[world.inhabitants.Oleg]
gold = 1000
feuds = { HL3 = 5 }
[world.inhabitants.Boris]
feuds = { HL3 = 2 }
suzerain = { HL3 = "Oleg" }
since = { HL3 = 2025-02-01T00:00:00Z }
[world.inhabitants.Ivan]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Oleg" }
since = { HL3 = 2025-01-01T00:00:00Z }
[world.inhabitants.Karl]
gold = 3000
feuds = { HL3 = 8 }
[world.inhabitants.Vera]
feuds = { HL3 = 5 }
suzerain = { HL3 = "Karl" }
[world.inhabitants.Petra]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Karl" }
[world.inhabitants.Anna]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Vera" }
[world.inhabitants.Lazar]
feuds = { HL3 = 5 }
`

func TestWarsDeclared(t *testing.T) {
	for _, s := range []script{
		{"HL-48 a suzerain declares war on another", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 2 PARTICIPANTS => HL-48
			! war-declared
			@ war-declared rule = HL-48
			@ war-declared to = tavern,gm,copies,Karl
			@ war-declared war = 1
			@ war-declared land = "HL3"
			@ war-declared attacker = "Oleg"
			@ war-declared defender = "Karl"
			@ war-declared participants = 2
			@ war-declared mode = "feudal"
			@ war-declared begin = "2026-02-05T00:00:00Z"
			? wars.0.status = "declared"
			? wars.0.end = "2026-03-12T00:00:00Z"
			? wars.0.stake = {"kind":"feuds","amount":2}
			? wars.0.pairs = []
			? wars.0.attacker.roster = []
			? wars.0.rosters_closed = null`},
		{"HL-48 neither without vassals nor between suzerain and vassal, HL-83 nor on oneself", twoCamps, `
			d0 Lazar: DECLARE WAR ON Karl WITH 1 => refused HL-48 own
			d0 Oleg: DECLARE WAR ON Lazar WITH 1 => refused HL-48 target
			d0 Karl: DECLARE WAR ON Vera WITH 9 => refused HL-48 vassal
			d0 Vera: DECLARE WAR ON Karl WITH 1 => refused HL-48 suzerain
			d0 Oleg: DECLARE WAR ON Oleg WITH 9 => refused HL-83
			d0 Magistrate: DECLARE WAR ON Karl WITH 1 => refused HL-81 player`},
		{"HL-49 with 1 to 5, HL-50 with no more than either has", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 0 => refused HL-49
			d0 Oleg: DECLARE WAR ON Karl WITH -1 => refused HL-49
			d0 Oleg: DECLARE WAR ON Karl WITH 99999999999999999999 => refused HL-49
			d0 Oleg: DECLARE WAR ON Karl WITH 6 => refused HL-49
			d0 Oleg: DECLARE WAR ON Karl WITH 5 => refused HL-50 own
			d0 Oleg: DECLARE WAR ON Vera WITH 3 => refused HL-50 target
			d0 Oleg: DECLARE WAR ON Vera WITH 2 => HL-48`},
		{"HL-79 not twice against the same, whoever declared; HL-50 without those on other rosters", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 1 => HL-48
			d0 Karl: DECLARE WAR ON Oleg WITH 1 => refused HL-79 war
			d0 Oleg: DECLARE WAR ON Karl WITH 6 => refused HL-49
			d1 Oleg: ROSTER Boris => HL-56
			d1 Oleg: DECLARE WAR ON Vera WITH 2 => HL-48
			d2 Vera: ROSTER Vera, Anna IN WAR 2 => HL-56
			d2 Karl: ROSTER Vera => refused HL-79 roster`},
	} {
		s.run(t)
	}
}

func TestRosters(t *testing.T) {
	for _, s := range []script{
		{"HL-56 named within 7 days, again and again, then closed", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 2 => HL-48
			d1 Oleg: ROSTER Oleg, Boris => HL-56
			! roster-named
			@ roster-named rule = HL-56
			@ roster-named to = gm,Oleg,Boris
			@ roster-named suzerain = "Oleg"
			@ roster-named roster = ["Oleg","Boris"]
			d7 Oleg: ROSTER Ivan, Oleg FOR WAR 1 => HL-56
			! roster-named
			d7+1s Oleg: ROSTER Boris, Oleg => refused HL-56 late
			! rosters-closed
			@ rosters-closed rule = HL-56
			@ rosters-closed to = tavern,gm,copies,Oleg,Ivan,Karl,Petra,Vera
			@ rosters-closed attacker = ["Ivan","Oleg"]
			@ rosters-closed defender = ["Petra","Vera"]
			@ rosters-closed filled = ["Petra","Vera"]
			? wars.0.rosters_closed = "2026-01-08T00:00:00Z"
			? wars.0.pairs.0.attacker = "Ivan"
			? wars.0.pairs.1.defender = "Vera"`},
		{"HL-23 HL-50 HL-80 HL-56 HL-79 in that order", twoCamps, `
			d0 Oleg: ROSTER Boris => refused HL-82 no-war
			d0 Karl: DECLARE WAR ON Oleg WITH 2 => HL-48
			d0 Karl: ROSTER Vera, Petra => HL-56
			d0 Vera: ROSTER Vera, Petra => refused HL-23
			d0 Vera: ROSTER Vera WAR 1 => refused HL-23
			d0 Boris: ROSTER Boris, Oleg => refused HL-82 no-war
			d0 Boris: ROSTER Boris, Oleg IN WAR 1 => refused HL-82 war
			d0 Karl: ROSTER Anna => refused HL-50 count
			d0 Karl: ROSTER Lazar, Anna => refused HL-80 roster
			d0 Karl: ROSTER Lazar, Vera => refused HL-56 stranger
			d0 Karl: ROSTER Oleg, Vera => refused HL-56 stranger
			d0 Karl: ROSTER Vera, Vera => refused HL-56 twice
			d0 Vera: DECLARE WAR ON Oleg WITH 1 => HL-48
			d0 Vera: ROSTER Anna, Vera => refused HL-50 count
			d0 Vera: ROSTER Vera => refused HL-79 roster
			d0 Oleg: ROSTER Boris => unclear which-war
			d0 Magistrate: ROSTER Boris => refused HL-81 player`},
		{"HL-56 the suzerain comes last, HL-50 and a place that nobody can fill stays empty", twoCamps, `
			d0 Oleg: DECLARE WAR ON Vera WITH 2 => HL-48
			d1 Vera: RELEASE Anna => HL-25
			d7+1s
			@ rosters-closed defender = ["Vera",null]
			@ rosters-closed filled = ["Ivan","Boris","Vera"]
			@ rosters-closed to = tavern,gm,copies,Oleg,Ivan,Boris,Vera
			? wars.0.pairs.1.defender = null`},
		{"HL-56 who is of the side no more is struck, and again when the war begins", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 2 => HL-48
			d1 Karl: ROSTER Petra, Karl => HL-56
			d2 Karl: RELEASE Petra => HL-25
			d7+1s
			@ rosters-closed defender = ["Vera","Karl"]
			@ rosters-closed filled = ["Ivan","Boris","Vera"]
			d8 Oleg: RELEASE Ivan => HL-25
			d35
			! war-begun
			@ war-begun rule = HL-58
			@ war-begun to = tavern,gm,copies,Oleg,Boris,Karl,Vera
			@ war-begun attacker = ["Oleg","Boris"]
			@ war-begun defender = ["Vera","Karl"]
			@ war-begun filled = ["Oleg"]
			@ war-begun end = "2026-03-12T00:00:00Z"
			? wars.0.status = "begun"
			? wars.0.pairs.0.attacker = "Oleg"`},
		{"HL-57 it binds suzerains and participants from its beginning", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 1 => HL-48
			d34 Oleg: CHALLENGE Karl => refused HL-33 pair
			d35 Lazar: CHALLENGE Karl => refused HL-57
			d35 Petra: CHALLENGE Karl => refused HL-57
			d35 Karl: CHALLENGE Vera => refused HL-57
			d35 Lazar: CHALLENGE Vera => refused HL-39`},
	} {
		s.run(t)
	}
}
