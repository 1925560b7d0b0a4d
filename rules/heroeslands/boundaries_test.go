package heroeslands

import (
	"testing"

	"arroba/rules/rulestest"
)

// Every deadline, bar and immunity includes its last instant: the same order then and a second later.
func TestBoundaryInstants(t *testing.T) {
	world := `
[world]
lands = ["HL3"]
[world.inhabitants.Oleg]
gold = 3000
feuds = { HL3 = 8 }
property = [ { name = "Mill", kind = "mine" } ]
[world.inhabitants.Ivan]
gold = 600
feuds = { HL3 = 2 }
suzerain = { HL3 = "Oleg" }
[world.inhabitants.Boris]
gold = 100
feuds = { HL3 = 3 }
[world.inhabitants.Karl]
gold = 2000
feuds = { HL3 = 5 }
[world.inhabitants.Vera]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Karl" }
[world.inhabitants.Anna]
feuds = { HL3 = 1 }
`
	const war = "d0 Oleg: DECLARE WAR ON Karl WITH 1 => HL-48"
	for _, c := range []struct{ name, before, at, late, line, then, after string }{
		{"HL-03 an offer", "d0 Boris: SERVE Oleg => HL-03", "d30", "d30+1s", "Oleg: ACCEPT VASSALAGE WITH Boris", "HL-03", "refused HL-82"},
		{"HL-06 a window", "d0 Magistrate: OVERRIDE VASSAL Anna OF Karl => HL-30\nd0 Magistrate: OVERRIDE VASSAL Boris OF Karl => HL-30\nd1 Magistrate: TAKE FEUD Karl5 FROM Karl => HL-01", "d8", "d8+1s", "Karl: RELEASE Anna", "HL-29", "refused HL-25"},
		{"HL-12 a claim", "d0 Magistrate: CLOSE TOURNEY Spring => HL-09\n+ PLACE 1 Ivan DAYS 3 POINTS 4 => HL-10", "d7", "d7+1s", "Oleg: CLAIM BONUS IN Spring FOR Ivan 1", "HL-09", "refused HL-12"},
		{"HL-15 a call", "d0 Karl: CALL OUT Ivan FOR 10 @ => HL-34", "d14", "d14+1s", "Oleg: STAND IN FOR Ivan", "HL-15", "refused HL-82"},
		{"HL-38 an immunity", "d0 Magistrate: OVERRIDE IMMUNITY Boris UNTIL 2026-01-05T00:00:00Z => HL-38", "d4", "d4+1s", "Oleg: CHALLENGE Boris", "refused HL-38", "HL-32"},
		{"HL-41 a bar", "d0 Ivan: CHALLENGE Oleg => HL-40\nd0 Magistrate: RESULT DUEL WINNER Oleg => HL-31", "2026-07-01T00:00:00Z", "2026-07-01T00:00:01Z", "Ivan: CHALLENGE Oleg", "refused HL-41", "HL-40"},
		{"HL-43 putting a duel off", "d0 Oleg: CHALLENGE Boris => HL-32", "d30", "d30+1s", "Boris: POSTPONE DUEL BY 3 DAYS", "HL-43", "refused HL-43"},
		{"HL-46 an office", "d0 Magistrate: APPOINT Boris MAGISTER UNTIL 2026-01-05T00:00:00Z => HL-46", "d4", "d4+1s", "Oleg: CHALLENGE Boris", "refused HL-46", "HL-32"},
		{"HL-54 a buy-out", war + "\nd1 Karl: CHANGE STAKE TO 2 FEUDS => HL-63\nd1 Oleg: CHANGE STAKE TO 2 FEUDS => HL-63", "d21", "d21+1s", "Karl: BUY OUT", "HL-54", "refused HL-54"},
		{"HL-55 clan rules", war, "d7", "d7+1s", "Karl: CLAN RULES YES", "HL-55", "refused HL-55"},
		{"HL-56 a roster", war, "d7", "d7+1s", "Karl: ROSTER Vera", "HL-56", "refused HL-56"},
		{"HL-57 the beginning binds what arrives at it", war, "d34+23h59m59s", "d35", "Boris: CALL OUT Karl FOR 1 @", "HL-34", "refused HL-57"},
		{"HL-61 putting a war off", war, "d28", "d28+1s", "Karl: POSTPONE WAR BY 1 WEEK", "HL-60", "refused HL-61"},
		{"HL-63 a stake, until the war begins", war, "d34+23h59m59s", "d35", "Karl: CHANGE STAKE TO 2 FEUDS", "HL-63", "refused HL-63"},
		{"HL-65 property", war + "\nd8 Magistrate: ISSUE SAVES => HL-64", "d15", "d15+1s", "Oleg: INSERT Mill INTO SAVE 1", "HL-65", "refused HL-65"},
		{"HL-69 a save, from the beginning", war, "d34+23h59m59s", "d35", "Vera: SAVE Karl_save1 DAYS 3 POINTS 4", "refused HL-69", "HL-68"},
		{"HL-69 a save, to the end", war, "d70", "d70+1s", "Vera: SAVE Karl_save1 DAYS 3 POINTS 4", "HL-68", "refused HL-69"},
	} {
		for when, want := range map[string]string{c.at: c.then, c.late: c.after} {
			s := rulestest.Script{Name: c.name + " " + when, World: world, Play: c.before + "\n" + when + " " + c.line + " => " + want, IDs: true}
			written().Run(t, s)
		}
	}
}
