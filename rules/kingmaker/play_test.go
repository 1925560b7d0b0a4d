package kingmaker

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"arroba/rules"
	"arroba/rules/rulestest"
)

// What must hold in every game, whatever is ordered: an order that was accepted is carried out if nobody else does anything;
// nobody stands in two places or two armies; nobody enters where there is no room; and marks stay for the Round.
func TestPlay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rulestest.Open(t, ruleset, stage().World(theMarch))
		at := rulestest.Instant(t, "d0+13h")
		allied := rapid.Bool().Draw(t, "allied")
		if allied {
			g.Mail(at, "Anna", "ALLY WITH Blue")
			g.Mail(at, "Boris", "CONFIRM ALLIANCE")
		}
		deal(t, g, at)
		for turn := range 6 {
			who := []string{"Anna", "Boris", "Clara"}[turn%3]
			at = at.Add(time.Hour)
			g.Until(at)
			if rapid.IntRange(0, 9).Draw(t, "break") == 0 {
				g.Mail(at, who, "BREAK ALLIANCE")
			}
			var loose, fights bool // what was built on an order that is replaced may fail, or a fight before whom others move
			for range rapid.IntRange(1, 6).Draw(t, "orders") {
				a := g.Mail(at, who, order(t, who))
				if a.Order == nil || !a.OK() {
					continue
				}
				late := formByID[a.Order.Form].late
				loose = loose || a.Data["replaced"] != nil || fights && !late
				fights = fights || late
			}
			confirmAll(g, at)
			g.Control(at, who, rules.Control{Kind: rules.Ready})
			for _, h := range g.Until(at.Add(time.Minute)) {
				if failed := rulestest.Find(h.Events, "order-failed"); failed != nil && !loose {
					t.Fatalf("an order that was accepted has failed: %v", failed.Data)
				}
				roomy(t, h.Events)
			}
			sound(t, viewOf(t, g))
			decide(g, at.Add(2*time.Minute), t)
			sound(t, viewOf(t, g))
		}
	})
}

// deal puts nobles and ships where something can happen.
func deal(t *rapid.T, g *rulestest.Game, at time.Time) {
	for _, n := range []string{"Aske", "Ayton", "Bewick", "Bolam", "Clavering", "Carnaby"} {
		g.Mail(at, "Gareth", "PLACE "+n+" AT "+pick(t, "Birkrigg", "Oxlea", "Gullness", "Sandwyke", "Thornrigg", "Mirefold", "Oxton", "Birkby", "Gullhaven"))
	}
	for _, s := range []string{"Tern", "Auk", "Bittern"} {
		g.Mail(at, "Gareth", "PLACE "+s+" AT "+pick(t, "Gullhaven", "Wykeport", "Cold Sea", "Gull Bay"))
	}
}

func pick(t *rapid.T, list ...string) string { return rapid.SampledFrom(list).Draw(t, "pick") }

// order is an order that somebody could give.
func order(t *rapid.T, who string) string {
	nobles := map[string][]string{"Anna": {"Aske", "Ayton", "Bolam"}, "Boris": {"Bewick", "Bolam", "Aske"}, "Clara": {"Clavering", "Carnaby"}}[who]
	ships := map[string][]string{"Anna": {"Tern", "Auk"}, "Boris": {"Bittern"}, "Clara": {"Bittern"}}[who]
	n, m, ship := pick(t, nobles...), pick(t, nobles...), pick(t, ships...)
	land := pick(t, "Birkrigg", "Oxlea", "Gullness", "Sandwyke", "Thornrigg", "Mirefold", "Upmoor", "Oxton", "Birkby", "Gullhaven", "Mirehold", "Wykeport", "Thornkeep", "Mead City")
	foe := pick(t, "Red", "Blue", "Green")
	switch pick(t, "move", "sail", "embark", "land", "form", "army", "battle", "siege", "capture", "permit", "defend") {
	case "move":
		return fmt.Sprintf("%s MOVES TO %s", n, land)
	case "sail":
		return fmt.Sprintf("%s MOVES TO %s", ship, pick(t, "Gullhaven", "Wykeport", "Cold Sea", "Gull Bay"))
	case "embark":
		return fmt.Sprintf("%s EMBARKS ON %s", n, ship)
	case "land":
		return n + pick(t, " DISEMBARKS", " DISEMBARKS INTO Gullhaven", " DISEMBARKS INTO Wykeport")
	case "form":
		return fmt.Sprintf("%s, %s FORM ARMY IN %s", n, m, land)
	case "army":
		return pick(t, "ARMY 1", "ARMY 2") + pick(t, " MOVES TO Oxlea", " MOVES TO Birkrigg", " BESIEGES Thornkeep")
	case "battle":
		return fmt.Sprintf("%s BATTLES %s IN %s", n, foe, land)
	case "siege":
		return fmt.Sprintf("%s BESIEGES %s", n, land)
	case "capture":
		return n + " CAPTURES Rosamund"
	case "permit":
		return fmt.Sprintf("PERMIT %s ALL AT %s", foe, land)
	}
	return fmt.Sprintf("%s DEFENDS WITH %s", n, foe)
}

// confirmAll lets everybody confirm what waits for him.
func confirmAll(g *rulestest.Game, at time.Time) {
	for n := 1; n < 60; n++ {
		for _, who := range []string{"Anna", "Boris", "Clara"} {
			g.Mail(at, who, fmt.Sprintf("CONFIRM ORDER %d", n))
		}
	}
}

// decide gives every combat its result.
func decide(g *rulestest.Game, at time.Time, t *rapid.T) {
	for n := 1; n < 30; n++ {
		g.Mail(at, "Gareth", fmt.Sprintf("RESULT OF SIEGE %d %s", n, pick(t, "FALLS", "HOLDS")))
		g.Mail(at, "Gareth", fmt.Sprintf("RESULT OF BATTLE %d ATTACKER", n))
	}
}

func viewOf(t *rapid.T, g *rulestest.Game) view {
	v, err := g.State.View(rules.Viewer{GM: true})
	if err != nil {
		t.Fatal(err)
	}
	return v.(view)
}

// roomy looks whether those who went somewhere by orders went where they could be.
func roomy(t *rapid.T, events []rules.Event) {
	for _, ev := range events {
		if ev.Type == "moved" && ev.Data["from"] == ev.Data["to"] {
			t.Fatalf("somebody moved to where he was: %v", ev.Data)
		}
	}
}

// sound looks whether everything in a state fits together.
func sound(t *rapid.T, v view) {
	in := map[string]int{}
	for _, g := range v.Groups {
		var space string
		for _, m := range g.Members {
			in[m]++
			at := v.Nobles[m].Space
			if g.Kind == fleet {
				at = v.Ships[m].At
			} else if v.Nobles[m].Ship != "" || v.Nobles[m].Removed {
				t.Fatalf("%s is in army %d", m, g.N)
			}
			if g.Kind == army && space != "" && at != space {
				t.Fatalf("army %d stands in %s and %s", g.N, space, at)
			}
			space = at
		}
		switch {
		case len(g.Members) < 2:
			t.Fatalf("%s %d is of %v", g.Kind, g.N, g.Members)
		case g.Senior != "" && !g.Joint, g.Kind == army && g.Joint && !slices.Contains(g.Members, g.Senior):
			t.Fatalf("%s %d of %v is under %q", g.Kind, g.N, g.Members, g.Senior)
		}
	}
	for name, n := range in {
		if n > 1 {
			t.Fatalf("%s is in %d armies or fleets", name, n)
		}
	}
	for name, n := range v.Nobles {
		if !n.Removed && n.Faction != "" && n.Space == "" {
			t.Fatalf("%s is nowhere", name)
		}
		if n.Location != "" && n.Ship == "" && !slices.Contains(v.Locations[n.Location].Inside, name) {
			t.Fatalf("%s is not inside %s", name, n.Location)
		}
	}
	for name, l := range v.Locations {
		if (l.Type == open || l.Type == unfortified) && l.Controller != "" {
			t.Fatalf("%s is controlled by %s", name, l.Controller)
		}
	}
}
