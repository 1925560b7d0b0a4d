package heroeslands

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"arroba/rules/rulestest"
)

// A world of two Lands with wars, tourneys and calls to come, for orders drawn at random.
const warground = `
[world]
lands = ["HL3", "HL4"]
presenter = "Petra"
[world.magistrate]
gold = 1000
[world.rules]
callout_days = 5
[world.inhabitants.Oleg]
gold = 3000
feuds = { HL3 = ["A", "B", "C", "D", "E", "F", "G", "H"], HL4 = 5 }
property = [ { name = "Mill", kind = "mine" }, { name = "Pikemen", kind = "unit", level = 2 } ]
[world.inhabitants.Ivan]
gold = 300
feuds = { HL3 = ["L", "M"], HL4 = 1 }
suzerain = { HL3 = "Oleg", HL4 = "Oleg" }
[world.inhabitants.Boris]
feuds = { HL3 = ["I"] }
suzerain = { HL3 = "Oleg" }
property = [ { name = "Boots", kind = "artifact", level = 1 } ]
[world.inhabitants.Karl]
gold = 800
feuds = { HL3 = ["N", "O", "P", "Q", "R"], HL4 = 5 }
property = [ { name = "Bow", kind = "artifact", level = 2 } ]
[world.inhabitants.Vera]
feuds = { HL3 = ["S"], HL4 = 2 }
suzerain = { HL3 = "Karl", HL4 = "Karl" }
[world.inhabitants.Anna]
gold = 500
feuds = { HL3 = ["T", "U", "V", "W", "X"] }
[world.inhabitants.Lazar]
feuds = { HL3 = ["Y", "Z"] }
suzerain = { HL3 = "Anna" }
`

// warlike draws the orders of a piece of war, of a tourney or of an ordinary duel, some of them left out.
func warlike(t *rapid.T) (lines []line) {
	pick := func(list ...string) string { return rapid.SampledFrom(list).Draw(t, "pick") }
	men := map[string][]string{"Oleg": {"Ivan", "Boris"}, "Karl": {"Vera"}, "Anna": {"Lazar"}}
	attacker, defender := pick("Oleg", "Oleg", "Karl"), pick("Karl", "Anna", "Oleg")
	land, num, war := pick("HL3", "HL3", "HL4"), pick("1", "1", "2", "3"), " WAR "+pick("1", "1", "1", "2", "3")
	man, other := pick(men[attacker]...), pick(men[defender]...)
	for _, l := range rapid.SampledFrom([][]line{
		{{attacker, "DECLARE WAR ON " + defender + " IN " + land + " WITH " + num}, {attacker, "ROSTER " + man + war}, {defender, "ROSTER " + defender + ", " + other + war}},
		{{attacker, "DECLARE WAR ON " + defender + " IN HL3 WITH 2"}, {defender, "CLAN RULES YES" + war}, {attacker, "CLAN RULES YES" + war}, {attacker, "ROSTER " + attacker + ", " + man + war}},
		{{attacker, "CHANGE STAKE TO 2 FEUDS" + war}, {defender, "CHANGE STAKE TO 2 FEUDS" + war}, {defender, "CHANGE STAKE TO 1000 @" + war}, {attacker, "CHANGE STAKE TO 1000 @" + war}},
		{{attacker, "BEGIN EARLY ON 2026-01-20" + war}, {defender, "BEGIN EARLY ON 2026-01-20" + war}, {defender, "POSTPONE WAR " + num + " BY 3 WEEKS"}},
		{{"Magistrate", "ISSUE SAVES" + war}, {attacker, "INSERT Mill, Pikemen INTO SAVE 1" + war}, {"Boris", "GIVE PROPERTY Boots TO Oleg"}, {defender, "INSERT Bow INTO SAVE 1" + war}, {"Magistrate", "SEND SAVES" + war}},
		{{attacker, "ASSIGN SAVE 1 TO " + man + war}, {"Magistrate", "SET BEGIN" + war + " TO 2026-02-10"}, {"Magistrate", "TAKE FEUD L FROM Ivan"}},
		{{defender, "BUY OUT" + war}, {"Magistrate", "ANNUL WAR " + num}},
		{{"Ivan", "SAVE Oleg_save" + num + " DAYS 30 POINTS 500"}, {"Vera", "SAVE Karl_save" + num + " DAYS 30 POINTS 600"}, {"Lazar", "SAVE Anna_save1 DAYS 29 POINTS 1"}, {"Magistrate", "BOX OPENED BY " + other + war}},
		{{"Magistrate", "RESULT PAIR 1" + war + " WINNER " + pick(man, other)}, {"Magistrate", "RESULT WAR " + num + " " + pick("WINNER "+attacker, "WINNER "+defender, "DRAW")}},
		{{"Petra", "CLOSE TOURNEY " + pick("Spring", "Spring", "Summer") + " IN " + land + "\nPLACE 1 Ivan DAYS 30 POINTS 5\nPLACE 2 Vera DAYS 31 POINTS 5"}, {"Oleg", "CLAIM BONUS IN Spring FOR Ivan 1"}, {"Oleg", "TRANSFER PRIZE OF Spring 20 @ TO Ivan"}},
		{{"Karl", "CALL OUT Ivan IN HL3 FOR FEUD N AGAINST L AND 50 @"}, {"Ivan", "ASK PROTECTION"}, {"Oleg", "STAND IN FOR Ivan WITH FEUD H"}, {"Magistrate", "RESULT DUEL WINNER " + pick("Oleg", "Karl")}},
		{{other, "CALL OUT " + man + " IN HL3 FOR 10 @"}, {man, pick("ACCEPT", "DECLINE") + " DUEL"}, {"Magistrate", "RESULT DUEL DRAW"}},
		{{"Oleg", "CHALLENGE Anna IN HL3 FOR VASSALAGE"}, {"Anna", "RELEASE Lazar IN HL3"}, {"Magistrate", "RESULT DUEL WINNER Oleg"}},
		{{attacker, "RELEASE " + man + " IN " + land}, {"Magistrate", "OVERRIDE VASSAL " + man + " OF " + attacker + " IN HL3"}, {"Magistrate", "OVERRIDE WAR IMMUNITY " + defender + " IN HL3 " + num}},
	}).Draw(t, "orders") {
		if rapid.IntRange(0, 5).Draw(t, "left out") > 0 {
			lines = append(lines, l)
		}
	}
	return lines
}

// Whatever is ordered in wars, tourneys and duels of two Lands, the state makes sense after every order and every timer.
func TestRandomWars(t *testing.T) {
	world := rulestest.World(warground, theCast...)
	rapid.Check(t, func(t *rapid.T) {
		g := rulestest.Open(t, ruleset, world)
		at := world.Start
		var steps []rulestest.Step
		for range rapid.IntRange(1, 14).Draw(t, "doings") {
			for _, l := range warlike(t) {
				at = at.Add(time.Duration(rapid.SampledFrom([]int{0, 1, 5, 24, 7 * 24}).Draw(t, "hours")) * time.Hour)
				g.Until(at)
				sameTimers(t, g)
				text := strings.Split(l.text, "\n")
				for n, order := range text {
					step := rulestest.Step{At: at, By: l.by, Line: order, More: n < len(text)-1}
					steps = append(steps, step)
					g.Line(step)
				}
				sound(t, g)
				sameTimers(t, g)
			}
		}
		if rapid.IntRange(0, 9).Draw(t, "kept") == 0 { // dear, and other plays are held against the promises too
			written().Keep(t, rulestest.Play{World: world, Steps: append(steps, rulestest.Step{At: at.AddDate(1, 0, 0)})})
		}
		g.Until(at.AddDate(1, 0, 0))
		sound(t, g)
		for _, w := range seen(t, g).Wars {
			if w.Closed == nil {
				t.Fatalf("war %d is %s a year later", w.ID, w.Status)
			}
		}
	})
}

// sameTimers looks whether what is kept of timers is what they come to when they are looked for afresh.
func sameTimers(t rulestest.T, g *rulestest.Game) {
	afresh, err := ruleset.Decode([]byte(g.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	a, _, errA := g.State.Next()
	b, _, errB := afresh.Next()
	if errA != nil || errB != nil || a != b {
		t.Fatalf("next is %+v, and %+v afresh (%v, %v)", a, b, errA, errB)
	}
}

// soundWars looks at who and what is in open wars: nobody is on the rosters of two in a Land, and all that was put into a
// save is held for its war.
func soundWars(t rulestest.T, v view) {
	busy := map[string]int{}
	for _, w := range v.Wars {
		isOpen := w.Status == declared || w.Status == begun
		if isOpen != (w.Closed == nil) || (w.Winner != nil) != (w.Result != nil && *w.Result != drawn) {
			t.Fatalf("war %d is %s, closed %v, with result %v and winner %v", w.ID, w.Status, w.Closed, w.Result, w.Winner)
		}
		if !isOpen {
			continue
		}
		for _, side := range []viewSide{w.Attacker, w.Defender} {
			for _, n := range *side.Roster {
				if n == nil {
					continue
				}
				if other := busy[w.Land+*n]; other != 0 {
					t.Fatalf("%s is on the rosters of wars %d and %d", *n, other, w.ID)
				}
				busy[w.Land+*n] = w.ID
			}
		}
		for _, p := range w.Pairs {
			for _, i := range slices.Concat(p.viewAttackerProperty.Items, p.viewDefenderProperty.Items) {
				if is := v.Property[i].Held; is == nil || *is != fmt.Sprintf("war %d", w.ID) {
					t.Fatalf("%s is not held for war %d", i, w.ID)
				}
			}
		}
	}
	inUse := map[string]bool{}
	for _, w := range v.Wars {
		inUse[fmt.Sprintf("war %d", w.ID)] = w.Closed == nil
	}
	for _, d := range v.Duels {
		inUse[fmt.Sprintf("duel %d", d.ID)] = d.Status == open
	}
	for name, i := range v.Property {
		if i.Held != nil && !inUse[*i.Held] {
			t.Fatalf("%s is held for %s, which is over", name, *i.Held)
		}
	}
}

// soundLands looks whether each feud of a Land is owned once, and vassals and suzerains know of each other.
func soundLands(t rulestest.T, v view) {
	owner := map[string]string{}
	own := func(land, nick string, feuds []string) {
		for _, f := range feuds {
			if had := owner[land+" "+f]; had != "" {
				t.Fatalf("%s of %s is of %s and of %s", f, land, had, nick)
			}
			owner[land+" "+f] = nick
		}
	}
	for _, land := range v.Lands {
		own(land, magistrate, v.Magistrate.Feuds[land])
		for nick, p := range v.Inhabitants {
			own(land, nick, p.Feuds[land])
			for n, vassal := range p.Vassals[land] {
				if l := v.Inhabitants[vassal].Suzerain[land]; l == nil || *l != nick || slices.Contains(p.Vassals[land][:n], vassal) {
					t.Fatalf("%s of %s has %s twice, or not at all", nick, land, strings.Join(p.Vassals[land], ", "))
				}
			}
		}
	}
}
