// Package rulestest holds the promises that every ruleset keeps, as tests: Run plays games and looks at each step for
// what the engine relies on. Game plays one in a ruleset's own tests, order by order, as the engine would: what falls
// due fires in its order, lines are read by the ruleset's grammar.
package rulestest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"arroba/orders"
	"arroba/rules"
)

// World builds what a game opens with from a file with a [world] table, read strictly. The game starts when 2026 does,
// in UTC; the test may change that.
func World(file string, members ...rules.Member) rules.World {
	return rules.World{
		Game:    "test",
		Start:   time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Zone:    time.UTC,
		Members: members,
		Decode:  func(into any) error { return decodeWorld(file, into) },
		File:    func(name string) ([]byte, error) { return nil, fmt.Errorf("there is no world file %q", name) },
	}
}

// decodeWorld decodes the [world] table of a file.
func decodeWorld(file string, into any) error {
	doc := reflect.New(reflect.StructOf([]reflect.StructField{
		{Name: "World", Type: reflect.TypeOf(into), Tag: `toml:"world"`},
	}))
	doc.Elem().Field(0).Set(reflect.ValueOf(into))
	return toml.NewDecoder(strings.NewReader(file)).DisallowUnknownFields().Decode(doc.Interface())
}

// Members makes members of nicks: "Oleg", or with another role than player "gm:Anna", "observer:Olga".
func Members(nicks ...string) (ms []rules.Member) {
	for _, n := range nicks {
		m := rules.Member{Seat: rules.Seat(n), Role: rules.Player}
		if role, nick, ok := strings.Cut(n, ":"); ok {
			m = rules.Member{Seat: rules.Seat(nick), Role: rules.Role(role)}
		}
		ms = append(ms, m)
	}
	return ms
}

// T is what a test is told by: a testing.T, a testing.B, a rapid.T.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Game is a game being played in a test. Every fault of the ruleset ends the test.
type Game struct {
	State *rules.State
	Start []rules.Event // those of the opening

	t     T
	r     *rules.Ruleset
	w     rules.World
	roles map[rules.Seat]rules.Role
	fresh bool // the state is decoded afresh before every step
}

const seed = "a seed for tests"

// Open opens a game.
func Open(t T, r *rules.Ruleset, w rules.World) *Game {
	t.Helper()
	st, ev, err := r.Open(w, seed)
	if err != nil {
		t.Fatalf("opening the game: %v", err)
	}
	g := &Game{State: st, Start: ev, t: t, r: r, w: w, roles: map[rules.Seat]rules.Role{}}
	for _, m := range w.Members {
		g.roles[m.Seat] = m.Role
	}
	return g
}

// Bytes returns the state as it is kept.
func (g *Game) Bytes() string {
	g.t.Helper()
	b, err := g.State.Encode()
	if err != nil {
		g.t.Fatal(err)
	}
	return string(b)
}

// step begins a step.
func (g *Game) step() {
	if !g.fresh {
		return
	}
	st, err := g.r.Decode([]byte(g.Bytes()))
	if err != nil {
		g.t.Fatal(err)
	}
	g.State = st
}

func (g *Game) env(at time.Time) rules.Env {
	return rules.Env{At: at, Zone: g.w.Zone, Dice: g.State.Dice(seed, g.w.Game)}
}

// Until lets happen all that happens by itself before a step at an instant, and returns the events with their instants.
func (g *Game) Until(at time.Time) (happened []Happened) {
	g.t.Helper()
	for range 10_000 {
		g.step()
		d, ok, err := g.State.Next()
		if err != nil {
			g.t.Fatal(err)
		}
		if !ok || d.At.After(at) || d.At.Equal(at) && d.After {
			return happened
		}
		ev, err := g.State.Fire(d, g.env(d.At))
		if err != nil {
			g.t.Fatalf("%s at %v: %v", d.Kind, d.At, err)
		}
		happened = append(happened, Happened{d, ev})
	}
	g.t.Fatalf("something falls due again and again before %v", at)
	return nil
}

// Happened is what happened by itself.
type Happened struct {
	Due    rules.Due
	Events []rules.Event
}

// Answer is what became of a line. Of a line that was not understood Ruling holds the verdict and Unclear the reason.
type Answer struct {
	rules.Ruling
	Order   *orders.Order
	Unclear *orders.Unclearness
	Events  []rules.Event
}

// Prose tells whether the line was no order.
func (a Answer) Prose() bool { return a.Order == nil && a.Unclear == nil }

// Event returns the first event of a type, nil when there is none.
func (a Answer) Event(typ string) *rules.Event { return Find(a.Events, typ) }

// Find returns the first event of a type, nil when there is none.
func Find(ev []rules.Event, typ string) *rules.Event {
	i := slices.IndexFunc(ev, func(e rules.Event) bool { return e.Type == typ })
	if i < 0 {
		return nil
	}
	return &ev[i]
}

// Types returns the types of events.
func Types(ev []rules.Event) (types []string) {
	for _, e := range ev {
		types = append(types, e.Type)
	}
	return types
}

// Mail rules on a line that somebody mailed. What falls due before is to be fired by Until.
func (g *Game) Mail(at time.Time, nick, line string) Answer { return g.take(at, nick, line, "mail") }

// Post rules on a line that somebody posted.
func (g *Game) Post(at time.Time, nick, line string) Answer { return g.take(at, nick, line, "post") }

func (g *Game) take(at time.Time, nick, line, via string) Answer {
	g.t.Helper()
	g.step()
	names, err := g.State.Names()
	if err != nil {
		g.t.Fatal(err)
	}
	res := g.r.Grammar.Parse(orders.Clean(line), names, false)
	a := Answer{Order: res.Order, Unclear: res.Unclear}
	if res.Unclear != nil {
		a.Verdict = orders.Unclear
	}
	if res.Order == nil {
		return a
	}
	e := g.env(at)
	e.By = rules.Actor{Seat: rules.Seat(nick), Role: g.roles[rules.Seat(nick)]}
	e.Via = via
	e.Letter = &rules.Letter{Lines: []string{line}}
	a.Events, a.Ruling, err = g.State.Take(*res.Order, e)
	if err != nil {
		g.t.Fatalf("%s: %q: %v", nick, line, err)
	}
	return a
}
