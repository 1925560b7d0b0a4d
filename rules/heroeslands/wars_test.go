package heroeslands

import (
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/rules"
	"arroba/rules/rulestest"
	"arroba/templates"
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
			d35 Lazar: CHALLENGE Karl FOR VASSALAGE OF Vera => refused HL-57
			d35 Petra: CHALLENGE Karl => refused HL-57
			d35 Karl: CHALLENGE Vera => refused HL-57
			d35 Lazar: CHALLENGE Vera => refused HL-39`},
	} {
		s.run(t)
	}
}

func TestWarMode(t *testing.T) {
	for _, s := range []script{
		{"HL-55 both say yes and are on the rosters", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 1 => HL-48
			d0 Karl: CLAN RULES YES => HL-55
			! clan-rules-said
			@ clan-rules-said to = gm,Oleg
			@ clan-rules-said rule = HL-55
			@ clan-rules-said by = "Karl"
			@ clan-rules-said consent = true
			d1 Oleg: ROSTER Oleg => HL-56
			d1 Karl: ROSTER Karl => HL-56
			d2 Oleg: CLAN RULES NO WAR 1 => HL-55
			d7 Oleg: CLAN RULES YES IN WAR 1 => HL-55
			? wars.0.attacker.clan_rules = true
			d7+1s Oleg: CLAN RULES NO => refused HL-55 late
			! war-mode rosters-closed
			@ war-mode rule = HL-55
			@ war-mode to = tavern,gm,copies,Oleg,Karl
			@ war-mode mode = "clan"
			@ rosters-closed filled = []
			? wars.0.mode = "clan"`},
		{"HL-55 not when one is not on his roster", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 1 => HL-48
			d0 Karl: CLAN RULES YES => HL-55
			d0 Oleg: CLAN RULES YES => HL-55
			d1 Oleg: ROSTER Oleg => HL-56
			d7+1s
			! rosters-closed
			? wars.0.mode = "feudal"`},
		{"HL-55 nor when one takes his yes back", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 3 => HL-48
			d0 Karl: CLAN RULES YES => HL-55
			d0 Oleg: CLAN RULES YES => HL-55
			d0 Oleg: CLAN RULES NO => HL-55
			d0 Boris: CLAN RULES YES => refused HL-82 no-war
			d7+1s
			! rosters-closed
			? wars.0.mode = "feudal"`},
		{"HL-55 five fight by clan rules, HL-49", twoCamps + `
[world.inhabitants.Magda]
suzerain = { HL3 = "Oleg" }
feuds = { HL3 = 1 }
[world.inhabitants.Rita]
suzerain = { HL3 = "Oleg" }
feuds = { HL3 = 1 }
[world.inhabitants.Sara]
suzerain = { HL3 = "Karl" }
feuds = { HL3 = 1 }
[world.inhabitants.Tina]
suzerain = { HL3 = "Karl" }
feuds = { HL3 = 1 }
`, `
			d0 Oleg: DECLARE WAR ON Karl WITH 5 => HL-48
			@ war-declared mode = "clan"
			d0 Karl: CLAN RULES YES => refused HL-55 five
			d7+1s
			! rosters-closed
			@ rosters-closed attacker = ["Ivan","Boris","Magda","Rita","Oleg"]`},
	} {
		s.run(t)
	}
}

func TestWarBegins(t *testing.T) {
	for _, s := range []script{
		{"HL-59 earlier by consent of both for the same instant; the rosters close with it", twoCamps, `
			d0+10h Oleg: DECLARE WAR ON Karl WITH 1 => HL-48
			d1 Karl: BEGIN EARLY ON 2026-01-06 => HL-59
			! begin-proposed
			@ begin-proposed rule = HL-59
			@ begin-proposed to = gm,Oleg
			@ begin-proposed begin = "2026-01-06T10:00:00Z"
			@ begin-proposed by = "Karl"
			? wars.0.defender.begin_early = "2026-01-06T10:00:00Z"
			d1 Oleg: BEGIN EARLY ON 2026-01-06 10:00:01 => HL-59
			! begin-proposed
			d2 Oleg: BEGIN EARLY ON 06.01.2026 10:00 WAR 1 => HL-59
			! begin-set
			@ begin-set rule = HL-59
			@ begin-set to = tavern,gm,copies,Oleg,Karl
			@ begin-set begin = "2026-01-06T10:00:00Z"
			? wars.0.attacker.begin_early = null
			? wars.0.defender.begin_early = null
			? wars.0.end = "2026-02-10T10:00:00Z"
			d5+10h Oleg: ROSTER Boris => refused HL-56 begun
			! rosters-closed war-begun
			@ rosters-closed filled = ["Ivan","Petra"]
			d5+10h Oleg: BEGIN EARLY ON 2026-01-07 => refused HL-59 begun
			d9
			! -`},
		{"HL-59 later than now and earlier than it stands", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 1 => HL-48
			d1 Oleg: BEGIN EARLY ON 2026-01-02 => refused HL-59 past
			d1 Oleg: BEGIN EARLY ON 2026-01-02 00:00:01 => HL-59
			d1+1s Karl: BEGIN EARLY ON 2026-01-02 00:00:01 => refused HL-59 past
			d1 Oleg: BEGIN EARLY ON 2026-02-05 => refused HL-59 late
			d1 Oleg: BEGIN EARLY ON 2026-02-04 23:59:59 => HL-59
			d1 Ivan: BEGIN EARLY ON 2026-02-04 => refused HL-82 no-war`},
		{"HL-60 the defender postpones for 500 @ per begun fortnight", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 1 => HL-48
			d28 Karl: POSTPONE WAR BY 15 DAYS => HL-60
			! rosters-closed war-postponed gold-moved
			@ war-postponed rule = HL-60
			@ war-postponed to = tavern,gm,copies,Oleg
			@ war-postponed days = 15
			@ war-postponed fine = 1000
			@ war-postponed begin = "2026-02-20T00:00:00Z"
			@ gold-moved rule = HL-60
			@ gold-moved to = gm,Karl
			@ gold-moved reason = "postponement"
			? wars.0.postponed_days = 15
			? inhabitants.Karl.gold = 2000
			? magistrate.gold = 1000
			d28 Karl: POSTPONE WAR BY 1 DAY => refused HL-61 twice
			d50
			@ war-begun end = "2026-03-27T00:00:00Z"
			d50 Karl: POSTPONE WAR BY 1 DAY => refused HL-61 begun
			d50 Karl: POSTPONE WAR BY 57 DAYS => refused HL-60 days`},
		{"HL-60 by 1 to 56 days, HL-61 until day 28, HL-85 for what he has", twoCamps, `
			d0 Karl: DECLARE WAR ON Oleg WITH 1 => HL-48
			d0 Karl: POSTPONE WAR BY 1 DAY => refused HL-60 attacker
			d0 Oleg: POSTPONE WAR 1 BY 0 DAYS => refused HL-60 days
			d0 Oleg: POSTPONE WAR BY -1 DAYS => refused HL-60 days
			d0 Oleg: POSTPONE WAR BY 57 DAYS => refused HL-60 days
			d0 Oleg: POSTPONE WAR BY 9 WEEKS => refused HL-60 days
			d0 Oleg: POSTPONE WAR BY 99999999999999999999 WEEKS => refused HL-60 days
			d0 Oleg: POSTPONE WAR BY 29 DAYS => refused HL-85
			d28+1s Oleg: POSTPONE WAR BY 4 WEEKS => refused HL-61 late
			d28 Karl: POSTPONE WAR 2 BY 1 DAY => refused HL-82 war`},
		{"HL-60 four weeks are two fortnights", twoCamps, `
			d0 Karl: DECLARE WAR ON Oleg WITH 1 => HL-48
			d0 Oleg: POSTPONE WAR BY 4 WEEKS => HL-60
			@ war-postponed days = 28
			@ war-postponed fine = 1000
			? inhabitants.Oleg.gold = 0`},
		{"HL-58 the Magistrate sets it, from day 35 to day 49, and days granted stay", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 1 => HL-48
			d0 Oleg: SET BEGIN TO 2026-02-10 => refused HL-81 gm
			d0 Magistrate: SET BEGIN TO 2026-02-04 23:59:59 => refused HL-58 bounds
			d0 Magistrate: SET BEGIN TO 2026-02-19 00:00:01 => refused HL-58 bounds
			d0 Magistrate: SET BEGIN WAR 1 TO 2026-02-19 => HL-58
			! begin-set
			@ begin-set rule = HL-58
			@ begin-set to = tavern,gm,copies,Oleg,Karl
			@ begin-set begin = "2026-02-19T00:00:00Z"
			d1 Karl: POSTPONE WAR BY 10 DAYS => HL-60
			d40 Magistrate: SET BEGIN FOR WAR 1 TO 2026-02-09 => refused HL-58 past
			d40 Magistrate: SET BEGIN FOR WAR 1 TO 2026-02-10 => HL-58
			@ begin-set begin = "2026-02-20T00:00:00Z"
			d50 Magistrate: SET BEGIN TO 2026-02-21 => refused HL-58 begun
			! war-begun
			d50 Magistrate: SET BEGIN WAR 2 TO 2026-02-21 => refused HL-82 war`},
	} {
		s.run(t)
	}
}

func TestStakesOfWars(t *testing.T) {
	for _, s := range []script{
		{"HL-63 changed when both propose the same", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 2 => HL-48
			d1 Oleg: CHANGE STAKE TO 4 FEUDS => HL-63
			! stake-proposed
			@ stake-proposed rule = HL-63
			@ stake-proposed to = gm,Karl
			@ stake-proposed kind = "feuds"
			@ stake-proposed amount = 4
			@ stake-proposed by = "Oleg"
			? wars.0.attacker.stake = {"kind":"feuds","amount":4}
			? wars.0.stake = {"kind":"feuds","amount":2}
			d1 Karl: CHANGE STAKE TO 4000 @ => HL-63
			! stake-proposed
			d1 Oleg: CHANGE STAKE TO 4000@ => HL-63
			! stake-changed
			@ stake-changed rule = HL-63
			@ stake-changed to = tavern,gm,copies,Oleg,Karl
			@ stake-changed kind = "gold"
			@ stake-changed amount = 4000
			? wars.0.stake = {"kind":"gold","amount":4000}
			? wars.0.attacker.stake = null
			? wars.0.defender.stake = null`},
		{"HL-63 and HL-62 multiples, until it begins", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 2 => HL-48
			d0 Oleg: CHANGE STAKE TO 3 FEUDS => refused HL-63 multiple
			d0 Oleg: CHANGE STAKE TO 0 FEUDS => refused HL-63 multiple
			d0 Oleg: CHANGE STAKE TO -2 FEUDS => refused HL-63 multiple
			d0 Oleg: CHANGE STAKE TO 1001 @ => refused HL-63 multiple
			d0 Oleg: CHANGE STAKE TO 500 @ => refused HL-62
			d0 Oleg: CHANGE STAKE TO 1500 @ => refused HL-62
			d0 Oleg: CHANGE STAKE TO 1000 ARROBAS => HL-63
			d0 Oleg: CHANGE STAKE TO 1000000000 @ => HL-63
			d0 Oleg: CHANGE STAKE TO 1000001000 @ => refused HL-63 multiple
			d0 Oleg: CHANGE STAKE TO 1000000000 FEUDS WAR 1 => HL-63
			d0 Oleg: CHANGE STAKE TO 1000000002 FEUDS => refused HL-63 multiple
			d0 Boris: CHANGE STAKE TO 2 FEUDS => refused HL-82 no-war
			d35 Karl: CHANGE STAKE TO 1000000000 FEUDS => refused HL-63 begun`},
		{"HL-62 feuds without a price", twoCamps + "[world.rules]\nfeud_price = 0\n", `
			d0 Oleg: DECLARE WAR ON Karl WITH 2 => HL-48
			d0 Oleg: CHANGE STAKE TO 1000 @ => refused HL-62 no-price
			d0 Oleg: CHANGE STAKE TO 1001 @ => refused HL-63 multiple
			d0 Oleg: CHANGE STAKE TO 4 FEUDS => HL-63`},
	} {
		s.run(t)
	}
}

func TestBuyingOut(t *testing.T) {
	for _, s := range []script{
		{"HL-54 for half of the stake, the last feuds first, HL-78 the payer is immune", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 3 => HL-48
			d1 Oleg: CHANGE STAKE TO 9 FEUDS => HL-63
			d1 Karl: CHANGE STAKE TO 9 FEUDS => HL-63
			d1 Oleg: BUY OUT => refused HL-54 attacker
			d21 Karl: BUY OUT => HL-54
			! rosters-closed war-bought-out feud-moved feud-moved feud-moved feud-moved war-immunity rank-changed rank-changed vassal-freed
			@ war-bought-out rule = HL-54
			@ war-bought-out to = tavern,gm,copies,Oleg,Karl
			@ war-bought-out kind = "feuds"
			@ war-bought-out amount = 4
			@ feud-moved feud = "Karl8"
			@ feud-moved from = "Karl"
			@ feud-moved to = tavern,gm,copies,Karl,Oleg
			@ feud-moved rule = HL-54
			@ feud-moved reason = "buy-out"
			@ war-immunity rule = HL-78
			@ war-immunity to = tavern,gm,copies,Karl
			@ war-immunity tourneys = 4
			? inhabitants.Oleg.feuds.HL3.8 = "Karl5"
			? wars.0.status = "bought-out"
			? wars.0.closed = "2026-01-22T00:00:00Z"
			? inhabitants.Karl.war_immunity.HL3 = 4
			d21 Oleg: DECLARE WAR ON Karl WITH 1 => refused HL-78
			d21 Karl: DECLARE WAR ON Oleg WITH 1 => HL-48
			d21 Karl: BUY OUT WAR 1 => refused HL-82 war`},
		{"HL-54 with the feuds he names, all his own", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 3 => HL-48
			d1 Karl: BUY OUT WITH Karl1, Karl2 => refused HL-54 count
			d1 Karl: BUY OUT WITH Oleg1 => refused HL-86 feud-not-yours
			d1 Karl: BUY OUT WAR 1 WITH Karl2 => HL-54
			@ feud-moved feud = "Karl2"
			? inhabitants.Karl.feuds.HL3.1 = "Karl3"`},
		{"HL-54 until day 21, and half of one is nothing", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 1 => HL-48
			d0 Karl: BUY OUT => refused HL-54 half
			d0 Lazar: BUY OUT => refused HL-82 no-war
			d21+1s Karl: BUY OUT => refused HL-54 late`},
		{"HL-54 before it begins, HL-86 no feud twice", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 2 => HL-48
			d0 Oleg: CHANGE STAKE TO 4 FEUDS => HL-63
			d0 Karl: CHANGE STAKE TO 4 FEUDS => HL-63
			d0 Karl: BUY OUT WITH Karl1, Karl1 => refused HL-86 feud-twice
			d0 Oleg: BEGIN EARLY ON 2026-01-06 => HL-59
			d0 Karl: BEGIN EARLY ON 2026-01-06 => HL-59
			d5 Karl: BUY OUT => refused HL-54 begun`},
		{"HL-54 HL-85 in @", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 1 => HL-48
			d0 Oleg: CHANGE STAKE TO 6500 @ => HL-63
			d0 Karl: CHANGE STAKE TO 6500 @ => HL-63
			d0 Karl: BUY OUT => refused HL-85
			d0 Karl: BUY OUT WITH Karl1 => refused HL-54 gold
			d0 Magistrate: CREDIT 250 TO Karl => HL-18
			d0 Karl: BUY OUT => HL-54
			! war-bought-out gold-moved war-immunity
			@ war-bought-out kind = "gold"
			@ war-bought-out amount = 3250
			@ gold-moved to = gm,Karl,Oleg
			@ gold-moved rule = HL-54
			@ gold-moved reason = "buy-out"
			? inhabitants.Karl.gold = 0
			? inhabitants.Oleg.gold = 4250`},
		{"HL-54 with what he has", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 1 => HL-48
			d0 Oleg: CHANGE STAKE TO 18 FEUDS => HL-63
			d0 Karl: CHANGE STAKE TO 18 FEUDS => HL-63
			d0 Karl: BUY OUT => refused HL-54 few`},
	} {
		s.run(t)
	}
}

func TestWarsEndedOtherwise(t *testing.T) {
	for _, s := range []script{
		{"HL-30 annulled: no immunity, no costs", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 1 => HL-48
			d1 Oleg: ANNUL WAR 1 => refused HL-81 gm
			d1 Magistrate: ANNUL WAR 2 => refused HL-82 war
			d1 Magistrate: ANNUL WAR 1 => HL-30
			! war-annulled
			@ war-annulled rule = HL-30
			@ war-annulled to = tavern,gm,copies,Oleg,Karl
			? wars.0.status = "annulled"
			? wars.0.closed = "2026-01-02T00:00:00Z"
			d1 Magistrate: ANNUL WAR 1 => refused HL-82 war
			d90
			! -`},
		{"HL-30 a begun one too, and HL-57 binds nobody any more", twoCamps, `
			d0 Oleg: DECLARE WAR ON Vera WITH 1 => HL-48
			d35 Anna: CHALLENGE Vera => refused HL-57
			d35 Magistrate: ANNUL WAR 1 => HL-30
			d35 Anna: CHALLENGE Vera => HL-40`},
		{"HL-23 nobody on a roster can decline", twoCamps, `
			d0 Oleg: DECLARE WAR ON Karl WITH 2 => HL-48
			d0 Boris: REFUSE SERVICE => refused HL-82 no-war
			d0 Oleg: ROSTER Boris, Oleg => HL-56
			d0 Boris: REFUSE SERVICE => refused HL-23 service
			d0 Oleg: REFUSE SERVICE WAR 1 => refused HL-23 service
			d0 Ivan: REFUSE SERVICE => refused HL-82 no-war
			d0 Karl: REFUSE SERVICE => refused HL-82 no-war`},
	} {
		s.run(t)
	}
}

// What a suzerain is offered in a war answers the other side, and would be accepted.
func TestWarOffers(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(twoCamps, theCast...))
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	roster := "ROSTER Ivan, Boris WAR 1"
	for _, step := range []struct {
		by, line string
		want     []string // offered to Oleg about the war
	}{
		{"Oleg", "DECLARE WAR ON Karl WITH 2", []string{roster}},
		{"Karl", "CHANGE STAKE TO 4 FEUDS", []string{"CHANGE STAKE TO 4 FEUDS WAR 1", roster}},
		{"Karl", "CHANGE STAKE TO 1000 @", []string{"CHANGE STAKE TO 1000 @ WAR 1", roster}},
		{"Oleg", "CHANGE STAKE TO 1000 @ WAR 1", []string{roster}},
		{"Karl", "CLAN RULES YES", []string{"CLAN RULES YES WAR 1", roster}},
		{"Oleg", "CLAN RULES YES WAR 1", []string{roster}},
		{"Oleg", roster, nil},
	} {
		if a := g.Mail(at, step.by, step.line); !a.OK() {
			t.Fatalf("%s: %+v", step.line, a.Ruling)
		}
		got := slices.DeleteFunc(offered(t, g, rules.Viewer{Seat: "Oleg"}), func(line string) bool { return !strings.Contains(line, "WAR") })
		if !slices.Equal(got, step.want) {
			t.Errorf("after %q he is offered %q, want %q", step.line, got, step.want)
		}
	}
}

// The rosters wait for those who have named none, and nobody learns who else has not; the beginning waits for nobody.
func TestWarDeadlines(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(twoCamps, theCast...))
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	begins := "02-06T00:00:00 war-begins []"
	for _, step := range []struct {
		at       time.Time
		by, line string
		want     map[string][]string
	}{
		{at, "Oleg", "DECLARE WAR ON Karl WITH 1", map[string][]string{
			"Magistrate": {"01-09T00:00:00 rosters [Oleg Karl]", begins}, "Oleg": {"01-09T00:00:00 rosters [Oleg]", begins},
			"Karl": {"01-09T00:00:00 rosters [Karl]", begins}, "Boris": nil, "": nil}},
		{at, "Oleg", "ROSTER Boris", map[string][]string{
			"Magistrate": {"01-09T00:00:00 rosters [Karl]", begins}, "Oleg": {"01-09T00:00:00 rosters []", begins}, "Boris": {begins}, "Ivan": nil}},
		{at.Add(8 * day), "Karl", "POSTPONE WAR BY 1 DAY", map[string][]string{
			"Magistrate": {"02-07T00:00:00 war-begins []"}, "Petra": {"02-07T00:00:00 war-begins []"}, "Vera": nil}},
	} {
		g.Until(step.at)
		if a := g.Mail(step.at, step.by, step.line); !a.OK() {
			t.Fatalf("%s: %+v", step.line, a.Ruling)
		}
		for nick, want := range step.want {
			if got := seenDeadlines(t, g, nick); !slices.Equal(got, want) {
				t.Errorf("after %q %q sees %q, want %q", step.line, nick, got, want)
			}
		}
	}
}

// STATUS tells of open wars what the asker may know: rosters once they are closed, before that and proposals only those
// who are in them.
func TestStatusOfWars(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(twoCamps, theCast...))
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for _, o := range [][2]string{{"Oleg", "DECLARE WAR ON Karl WITH 1"}, {"Oleg", "ROSTER Boris"}, {"Oleg", "CLAN RULES YES"},
		{"Karl", "CHANGE STAKE TO 2 FEUDS"}, {"Karl", "BEGIN EARLY ON 2026-02-01"}, {"Karl", "POSTPONE WAR BY 1 DAY"}} {
		if a := g.Mail(at, o[0], o[1]); !a.OK() {
			t.Fatalf("%s: %+v", o[1], a.Ruling)
		}
	}
	x := texts(t)
	status := func(r templates.Reader, nick string) string {
		v, err := g.State.View(rules.Viewer{Seat: rules.Seat(nick), GM: nick == "Magistrate"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := x.Say(r, "status wars", map[string]any(throughJSON(t, rules.Data{"seat": nick, "view": v})))
		if err != nil {
			t.Fatal(err)
		}
		noOrders(t, x, r, nick+"'s status", got)
		return got
	}
	const war = "Open wars:\n\nNo. 1 in HL3: Oleg against Karl, 1 participant on each side, for 1 feud; it begins on Saturday, 7 February 2026, 00:00 (UTC), 1 day having been added."
	terms := " Oleg says yes to clan rules. Karl proposes to begin on Sunday, 1 February 2026, 00:00 (UTC). Karl proposes another stake: 2 feuds."
	for nick, want := range map[string]string{
		"Lazar": war, "Boris": war + " For Oleg fights: Boris.", "Karl": war + terms,
		"Oleg": war + " For Oleg fights: Boris." + terms,
	} {
		if got := status(english, nick); got != want {
			t.Errorf("%s is told\n%s\nwant\n%s", nick, got, want)
		}
	}
	if got := status(russian, "Boris"); got != "Открытые войны:\n\n№ 1, Земля HL3: Oleg — Karl; с каждой стороны 1 участник; ставка — 1 феод; начало: суббота, 7 февраля 2026 г., 00:00 (UTC), уже с отсрочкой на 1 день. Сражается за сюзерена Oleg: Boris." {
		t.Error(got)
	}
	g.Until(at.Add(40 * day))
	if got := status(english, "Lazar"); !strings.HasSuffix(got, "for 1 feud; it has begun and ends on Saturday, 14 March 2026, 00:00 (UTC), 1 day having been added. For Oleg fights: Boris. For Karl fights: Petra.") {
		t.Error(got)
	}
	if a := g.Mail(at.Add(40*day), "Magistrate", "ANNUL WAR 1"); !a.OK() || status(english, "Oleg") != "" {
		t.Errorf("%+v %s", a, status(english, "Oleg"))
	}
}

// A hold of the game moves what is reckoned from the declaration, and what falls due, but no date that the Magistrate named.
func TestWarsHeld(t *testing.T) {
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	opened := func(lines ...[2]string) *rulestest.Game {
		g := rulestest.Open(t, ruleset, rulestest.World(twoCamps, theCast...))
		for _, o := range append([][2]string{{"Oleg", "DECLARE WAR ON Karl WITH 3"}}, lines...) {
			if a := g.Mail(at, o[0], o[1]); !a.OK() {
				t.Fatalf("%s: %+v", o[1], a.Ruling)
			}
		}
		if _, ru, err := g.State.Control(rules.Control{Kind: rules.Shift, By: 2 * day}, rules.Env{At: at, Zone: time.UTC}); err != nil || !ru.OK() {
			t.Fatal(err)
		}
		return g
	}
	timers := func(g *rulestest.Game) (list []string) {
		for _, h := range g.Until(at.Add(60 * day)) {
			list = append(list, h.Due.Kind+h.Due.At.Format(" 01-02"))
		}
		return list
	}
	if got := timers(opened()); !slices.Equal(got, []string{"rosters-close 01-11", "war-begins 02-08"}) {
		t.Errorf("they fired as %v", got)
	}
	if got := timers(opened([2]string{"Magistrate", "SET BEGIN TO 2026-02-10"})); !slices.Equal(got, []string{"rosters-close 01-11", "war-begins 02-10"}) {
		t.Errorf("with a date that the Magistrate named they fired as %v", got)
	}
	for _, c := range []struct {
		at   time.Time
		by   string
		line string
		want string
	}{
		{at.Add(23 * day), "Karl", "BUY OUT", "HL-54"},
		{at.Add(23*day + time.Second), "Karl", "BUY OUT", "refused HL-54 late"},
		{at.Add(30 * day), "Karl", "POSTPONE WAR BY 1 DAY", "HL-60"},
		{at.Add(30*day + time.Second), "Karl", "POSTPONE WAR BY 1 DAY", "refused HL-61 late"},
		{at.Add(9 * day), "Karl", "CLAN RULES YES", "HL-55"},
		{at, "Magistrate", "SET BEGIN TO 2026-02-07", "refused HL-58 bounds"},
		{at, "Magistrate", "SET BEGIN TO 2026-02-22", "HL-58"},
	} {
		g := opened()
		g.Until(c.at)
		if got := rulestest.Verdict(g.Mail(c.at, c.by, c.line)); got != c.want {
			t.Errorf("%s %s: it was %s, want %s", c.at, c.line, got, c.want)
		}
	}
}

// The forms in Russian.
func TestWarFormsInRussian(t *testing.T) {
	script{"HL-48 to HL-63", twoCamps, `
		d0 Oleg: ОБЪЯВИТЬ ВОЙНУ Karl УЧАСТНИКОВ 2 => HL-48
		d0 Karl: СОСТАВ Vera, Petra В ВОЙНЕ 1 => HL-56
		d0 Vera: ОТКАЗАТЬСЯ ОТ СЛУЖБЫ => refused HL-23 service
		d0 Karl: КЛАНОВЫЕ ПРАВИЛА НЕТ => HL-55
		? wars.0.defender.clan_rules = false
		d0 Oleg: КЛАНОВЫЕ ПРАВИЛА ДА ВОЙНА 1 => HL-55
		? wars.0.attacker.clan_rules = true
		d0 Oleg: НАЧАТЬ РАНЬШЕ 01.02.2026 10:30 => HL-59
		d0 Oleg: ИЗМЕНИТЬ СТАВКУ НА 2 ФЕОДА => HL-63
		d0 Oleg: ИЗМЕНИТЬ СТАВКУ НА 1000 арроб В ВОЙНЕ 1 => HL-63
		? wars.0.attacker.stake = {"kind":"gold","amount":1000}
		d0 Karl: ОТЛОЖИТЬ ВОЙНУ НА 1 НЕДЕЛЮ => HL-60
		? wars.0.postponed_days = 7
		d0 Magistrate: НАЧАЛО ВОЙНЫ 1 06.02.2026 => HL-58
		d0 Magistrate: НАЧАЛО ВОЙНЫ 2026-02-07 12:00 => HL-58
		? wars.0.begin = "2026-02-14T12:00:00Z"
		d0 Karl: ОТКУПИТЬСЯ ВОЙНА 1 ФЕОДОМ Karl3 => HL-54
		d0 Karl: ОБЪЯВИТЬ ВОЙНУ Oleg УЧАСТНИКОВ 1 => HL-48
		d0 Magistrate: ОТМЕНИТЬ ВОЙНУ 2 => HL-30`}.run(t)
}
