package heroeslands

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"arroba/rules"
	"arroba/rules/rulestest"
)

func TestPromises(t *testing.T) {
	var reasons []string
	for _, r := range refusals {
		reasons = append(reasons, rulestest.ReasonText(r.rule, r.why))
	}
	secrets := []rulestest.Secret{{Marker: "Mill", Knows: []rules.Seat{"Oleg"}}}
	world := rulestest.World(playground, theCast...)
	rulestest.Run(t, ruleset, reasons, []rulestest.Play{{Name: "a world in which much can happen", World: world}})
	t.Run("what somebody owns is his to know", func(t *testing.T) {
		at := world.Start
		written().Keep(t, rulestest.Play{World: world, Secrets: secrets, Steps: []rulestest.Step{
			{At: at, By: "Boris", Line: "CHALLENGE Ivan"}, {At: at, By: "Boris", Line: "CONFISCATE Mill FROM Oleg"}, {At: at, By: "Magistrate", Line: "CREDIT 5 TO Oleg"}}})
	})
}

// Every reason that the code gives stands in the table, and the table has no other.
func TestRefusalsListed(t *testing.T) {
	listed := map[string][]string{}
	for _, r := range refusals {
		name := rulestest.ReasonText(r.rule, r.why)
		if _, twice := listed[name]; twice {
			t.Errorf("%q stands twice", name)
		}
		listed[name] = r.keys
	}
	given := map[string]bool{}
	for _, c := range calls(t) {
		given[c.name] = true
		keys, ok := listed[c.name]
		if !ok {
			t.Errorf("%q is given and not listed", c.name)
		}
		slices.Sort(keys)
		slices.Sort(c.keys)
		if !slices.Equal(keys, c.keys) {
			t.Errorf("%q is listed with %v and given with %v", c.name, keys, c.keys)
		}
	}
	for name := range listed {
		if !given[name] && name != "refused HL-87" { // the engine gives it
			t.Errorf("%q is listed and never given", name)
		}
	}
	if !given["refused HL-33 pair"] {
		t.Error("the calls were not found")
	}
}

type call struct {
	name string
	keys []string
}

// calls finds the calls of no and unclear in the package.
func calls(t *testing.T) (cs []call) {
	files, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				switch id, _ := c.Fun.(*ast.Ident); {
				case id == nil:
				case id.Name == "no":
					cs = append(cs, call{rulestest.ReasonText(literal(c.Args[0]), literal(c.Args[1])), keysOf(c.Args[2])})
				case id.Name == "unclear":
					cs = append(cs, call{rulestest.ReasonText("", literal(c.Args[0])), keysOf(c.Args[1])})
				}
			}
			return true
		})
	}
	return cs
}

func literal(e ast.Expr) string {
	s, err := strconv.Unquote(e.(*ast.BasicLit).Value)
	if err != nil {
		panic(err)
	}
	return s
}

func keysOf(e ast.Expr) (keys []string) {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for _, el := range lit.Elts {
		keys = append(keys, literal(el.(*ast.KeyValueExpr).Key))
	}
	return keys
}

// A world in which much can happen, for orders drawn at random.
const playground = `
[world]
lands = ["HL3"]
[world.magistrate]
gold = 1000
[world.rules]
offer_days = 3
duel_days = 4
[world.inhabitants.Oleg]
gold = 3000
feuds = { HL3 = ["A", "B", "C", "D", "E", "F", "G", "H"] }
property = [ { name = "Mill", kind = "mine" } ]
[world.inhabitants.Boris]
gold = 2000
feuds = { HL3 = ["I", "J", "K"] }
property = [ { name = "Boots", kind = "artifact", level = 1 } ]
[world.inhabitants.Ivan]
feuds = { HL3 = ["L"] }
suzerain = { HL3 = "Oleg" }
[world.inhabitants.Anna]
gold = 1500
feuds = { HL3 = ["M", "N", "O", "P", "Q"] }
suzerain = { HL3 = "Oleg" }
[world.inhabitants.Karl]
feuds = { HL3 = 16 }
[world.inhabitants.Vera]
feuds = { HL3 = ["R"] }
suzerain = { HL3 = "Anna" }
`

// line is one order of somebody's.
type line struct{ by, text string }

// random draws a few orders that belong together, some of them left out.
func random(t *rapid.T) (lines []line) {
	pick := func(list ...string) string { return rapid.SampledFrom(list).Draw(t, "pick") }
	feuds := map[string]string{"Oleg": "ABCDEFGH", "Boris": "IJK", "Ivan": "L", "Anna": "MNOPQ", "Vera": "R", "Karl": "ST"}
	owner := pick("Oleg", "Oleg", "Boris", "Ivan", "Anna", "Vera", "Karl")
	feud := pick(strings.Split(feuds[owner], "")...)
	lord, man := pick("Oleg", "Oleg", "Anna", "Karl"), pick("Boris", "Boris", "Ivan", "Anna", "Vera")
	item, num := pick("Mill", "Boots"), pick("0", "1", "2", "7", "500")
	for _, l := range rapid.SampledFrom([][]line{
		{{lord, "CHALLENGE " + man}, {man, "INSERT " + item + " INTO DUEL"}, {man, "POSTPONE DUEL BY " + num + " DAYS"}, {"Magistrate", "RESULT DUEL WINNER " + pick(lord, man)}},
		{{lord, "CHALLENGE " + man}, {man, "INSERT Mill INTO DUEL"}, {"Magistrate", "RESULT DUEL " + pick("1", "2") + " DRAW"}},
		{{lord, "CHALLENGE " + man}, {"Magistrate", "ANNUL DUEL " + pick("1", "2", "3")}},
		{{"Ivan", "CHALLENGE Oleg FOR INDEPENDENCE"}, {"Magistrate", "RESULT DUEL WINNER " + pick("Ivan", "Oleg")}},
		{{"Vera", "CHALLENGE Anna"}, {"Anna", "RELEASE Vera"}},
		{{man, "SERVE " + lord}, {lord, "ACCEPT VASSALAGE WITH " + man}, {lord, "ANNOUNCE VASSALAGE WITH " + man}, {man, "ANNOUNCE VASSALAGE WITH " + lord}},
		{{lord, "INVITE " + man}, {man, pick("ACCEPT", "DECLINE") + " VASSALAGE WITH " + lord}},
		{{lord, "RELEASE " + man}, {man, "INDEPENDENCE"}},
		{{"Magistrate", "OVERRIDE VASSAL " + man + " OF " + lord}, {lord, "GIVE FEUD " + feud + " TO " + man}},
		{{"Magistrate", "OVERRIDE VASSAL Boris OF Oleg"}, {"Magistrate", "OVERRIDE VASSAL Vera OF Oleg"}, {"Magistrate", "OVERRIDE FREE " + man}},
		{{"Magistrate", "TAKE FEUD " + feud + " FROM " + owner}, {"Magistrate", "GRANT FEUD " + feud + " TO " + man}},
		{{"Magistrate", "TAKE FEUD A FROM Oleg"}, {"Magistrate", "TAKE FEUD B FROM Oleg"}, {"Magistrate", "TAKE FEUD C FROM Oleg"}, {"Magistrate", "TAKE FEUD D FROM Oleg"}, {"Magistrate", "TAKE FEUD E FROM Oleg"}, {"Magistrate", "TAKE FEUD F FROM Oleg"}},
		{{"Magistrate", "CREDIT " + num + " TO " + man}, {"Magistrate", "DEBIT 1500 FROM " + lord}, {lord, "GIVE " + num + " @ TO " + man}},
		{{"Magistrate", "APPOINT " + man + " MAGISTER UNTIL 2026-01-20"}, {"Magistrate", "DISMISS " + man}},
		{{"Magistrate", "OVERRIDE IMMUNITY " + man + " UNTIL 2026-02-01"}, {"Magistrate", "OVERRIDE IMMUNITY " + man + " NONE"}},
		{{pick("Oleg", "Boris"), "GIVE PROPERTY " + item + " TO " + man}, {"Magistrate", "CONFISCATE " + item + " FROM " + man}, {"Magistrate", "GRANT PROPERTY " + item + " TO " + lord}},
	}).Draw(t, "orders") {
		if rapid.IntRange(0, 4).Draw(t, "left out") > 0 {
			lines = append(lines, l)
		}
	}
	return lines
}

// Whatever is ordered, the promises hold, no gold is made or lost, and the state makes sense.
func TestRandomOrders(t *testing.T) {
	world := rulestest.World(playground, theCast...)
	rapid.Check(t, func(t *rapid.T) {
		g := rulestest.Open(t, ruleset, world)
		at := world.Start
		var steps []rulestest.Step
		for range rapid.IntRange(1, 12).Draw(t, "doings") {
			for _, l := range random(t) {
				at = at.Add(time.Duration(rapid.IntRange(0, 48).Draw(t, "hours")) * time.Hour)
				steps = append(steps, rulestest.Step{At: at, By: l.by, Line: l.text})
				g.Until(at)
				g.Mail(at, l.by, l.text)
				sound(t, g)
			}
		}
		steps = append(steps, rulestest.Step{At: at.AddDate(2, 0, 0)})
		written().Keep(t, rulestest.Play{World: world, Steps: steps})
	})
}

func seen(t rulestest.T, g *rulestest.Game) view {
	v, err := g.State.View(rules.Viewer{GM: true})
	if err != nil {
		t.Fatal(err)
	}
	return v.(view)
}

// sound looks whether everything in a state fits together.
func sound(t rulestest.T, g *rulestest.Game) {
	v := seen(t, g)
	balanced(t, v)
	soundLands(t, v)
	soundWars(t, v)
	settings := Settings{Feuds: PerRank{0, 1, 3, 5, 8, 12, 16}}
	held := map[string]int64{}
	for _, d := range v.Duels {
		switch {
		case d.Status == open && d.Kind == vassalage:
			held[d.Initiator] += vassalageFine
		case d.Status == open && d.Kind == independence && *v.Inhabitants[d.Initiator].Suzerain[d.Land] != d.Target:
			t.Fatalf("duel %d for independence goes on without the vassalage", d.ID)
		}
		for _, i := range *d.Property {
			if is := v.Property[i].Held; d.Status == open && (is == nil || *is != fmt.Sprintf("duel %d", d.ID)) {
				t.Fatalf("%s is not held for duel %d", i, d.ID)
			}
		}
	}
	for nick, p := range v.Inhabitants {
		if p.Held != held[nick] {
			t.Fatalf("%s has %d held, and duels that need %d", nick, p.Held, held[nick])
		}
		for land, l := range p.Suzerain {
			if rank := settings.rankOf(len(p.Feuds[land])); p.Rank[land] != rank.String() {
				t.Fatalf("%s is %s by %d feuds", nick, p.Rank[land], len(p.Feuds[land]))
			}
			if l == nil {
				continue
			}
			if p.Rank[land] == "landless" {
				t.Fatalf("%s serves %s without land", nick, *l)
			}
			if !slices.Contains(v.Inhabitants[*l].Vassals[land], nick) {
				t.Fatalf("%s serves %s, who does not know", nick, *l)
			}
		}
		for land, vassals := range p.Vassals {
			if p.Flag[land] != (len(vassals) >= flagVassals) {
				t.Fatalf("%s flies a flag: %v, with %d vassals", nick, p.Flag[land], len(vassals))
			}
			for _, w := range p.Windows[land] {
				if within(len(vassals), w.Allowed) {
					t.Fatalf("a window of %s is met and open", nick)
				}
			}
		}
	}
}
