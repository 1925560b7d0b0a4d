package kingmaker

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"arroba/orders"
	"arroba/rules"
	"arroba/rules/rulestest"
	"arroba/worlds"
)

// england is the map that comes with the program, with all its nobles and ships in the hands of one faction.
func england(b *testing.B) *rulestest.Game {
	b.Helper()
	text, err := worlds.Files.ReadFile("england.toml")
	if err != nil {
		b.Fatal(err)
	}
	w := rulestest.World("", rulestest.Members("gm:Gareth", "Anna", "Boris")...)
	w.Decode = func(into any) error {
		if err := toml.NewDecoder(strings.NewReader(string(text))).DisallowUnknownFields().Decode(into); err != nil {
			return err
		}
		f := into.(*worldFile)
		f.Start = w.Start
		f.Faction = []FactionData{{Name: "Red Rose", Player: "Anna"}, {Name: "White Rose", Player: "Boris"}}
		for i := range f.Noble {
			f.Noble[i].Faction, f.Noble[i].At = "Red Rose", f.Space[3*i%len(f.Space)].Name
		}
		for i := range f.Ship {
			f.Ship[i].Faction, f.Ship[i].At = "Red Rose", f.Sea[i%len(f.Sea)].Name
		}
		return nil
	}
	return rulestest.Open(b, ruleset, w)
}

// decoded is the state of a game that is played through the seam.
func decoded(b *testing.B, g *rulestest.Game) *State {
	b.Helper()
	var kept struct{ State *State }
	if err := json.Unmarshal([]byte(g.Bytes()), &kept); err != nil {
		b.Fatal(err)
	}
	return kept.State
}

// BenchmarkTurn closes a turn in which 25 nobles and 12 ships have orders, on the map of England.
func BenchmarkTurn(b *testing.B) {
	g := england(b)
	at := rulestest.Instant(b, "d0+1h")
	g.Until(at)
	first := decoded(b, g)
	nobles, ships := 0, 0
	for _, d := range first.World.Nobles {
		if to := neighbour(first.World.at().adjacent, first.space(d.Name)); nobles < 25 && to != "" {
			if a := g.Mail(at, "Anna", fmt.Sprintf("%s MOVES TO %s", d.Name, to)); a.OK() {
				nobles++
			}
		}
	}
	for _, d := range first.World.Ships {
		if to := neighbour(first.World.at().bySea, first.space(d.Name)); ships < 12 && to != "" {
			if a := g.Mail(at, "Anna", fmt.Sprintf("%s MOVES TO %s", d.Name, to)); a.OK() {
				ships++
			}
		}
	}
	if nobles < 25 || ships < 12 {
		b.Fatalf("only %d nobles and %d ships have orders", nobles, ships)
	}
	kept := decoded(b, g)
	kept.World.at()
	due, _ := next(kept)
	b.ResetTimer()
	for b.Loop() {
		s := kept.clone()
		if _, ev := fire(s, rules.Due{At: due.At, Kind: due.Kind, ID: due.ID}, rules.Env{At: due.At, Now: due.At, Dice: rules.NewDice("seed", "bench", nil)}); len(ev) < nobles+ships {
			b.Fatal(rulestest.Types(ev))
		}
	}
}

// neighbour is the first neighbour of a place; "" for none.
func neighbour(g *graph, name string) string {
	if list := g.next[g.ids[name]]; len(list) > 0 {
		return g.names[list[0]]
	}
	return ""
}

// BenchmarkOrderOnALargeMap tries an order that leads across a map of 5,000 spaces and 20,000 roads, with a location on
// every second space.
func BenchmarkOrderOnALargeMap(b *testing.B) {
	const side, wide = 50, 100
	var f strings.Builder
	name := func(x, y int) string { return fmt.Sprintf("S%d-%d", x, y) }
	f.WriteString("[world]\nstart = \"2026-01-01T12:00:00Z\"\nfaction = [ { name = \"Red\", player = \"Anna\" }, { name = \"Blue\", player = \"Boris\" } ]\nspace = [\n")
	for y := range side {
		for x := range wide {
			fmt.Fprintf(&f, "{ name = %q },\n", name(x, y))
		}
	}
	f.WriteString("]\nlocation = [\n")
	for y := range side {
		for x := 0; x < wide; x += 2 {
			fmt.Fprintf(&f, "{ name = \"L%d-%d\", space = %q, type = \"open\" },\n", x, y, name(x, y))
		}
	}
	f.WriteString("]\nroad = [\n")
	roads := 0
	for y := range side {
		for x := range wide {
			for _, to := range [][2]int{{x + 1, y}, {x, y + 1}, {x + 1, y + 1}, {x + 2, y + 1}} {
				if to[0] < wide && to[1] < side {
					through := ""
					if x%2 == 0 {
						through = fmt.Sprintf(", through = [\"L%d-%d\"]", x, y)
					}
					fmt.Fprintf(&f, "{ name = \"R%d\", spaces = [%q, %q]%s },\n", roads, name(x, y), name(to[0], to[1]), through)
					roads++
				}
			}
		}
	}
	f.WriteString("]\nnoble = [\n")
	for i := range 25 {
		fmt.Fprintf(&f, "{ name = \"N%d\", faction = \"Red\", at = %q },\n", i, name(0, i%side))
	}
	f.WriteString("]\n")
	s := opened(b, f.String())
	s.World.at()
	e := rules.Env{At: s.Start, Now: s.Start, Dice: rules.NewDice("seed", "bench", nil)}
	begin(s, e).nextTurn()
	e.By, e.At = rules.Actor{Seat: "Anna", Role: rules.Player}, s.Start
	res := ruleset.Grammar.Parse(orders.Clean("N0 MOVES TO "+name(wide-1, side-1)), s.names(), false)
	if res.Order == nil {
		b.Fatal(res.Unclear)
	}
	b.ReportMetric(float64(roads), "roads")
	b.ResetTimer()
	for b.Loop() {
		if _, _, r := take(s, *res.Order, e); !r.OK() {
			b.Fatal(r)
		}
	}
}
