// Package rulestest holds the promises that every ruleset keeps, as tests. Run plays games, written ones and others drawn
// at random, and looks at each step for what the engine relies on: functions that are pure and come out the same again,
// from a state decoded afresh too; texts in every language for all that can be said; nothing shown to anybody who may not
// know it; holds and going back that leave alone what they must. Game plays one in a ruleset's own tests, order by order,
// as the engine would: what falls due fires in its order, lines are read by the ruleset's grammar.
package rulestest

import (
	"cmp"
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
	fresh bool                    // the state is decoded afresh before every step
	late  time.Time               // when the engine comes to what falls due; zero: at once
	past  time.Time               // of the last thing that happened: nothing happens as of before
	held  time.Time               // since when nothing falls due; zero: things do
	given map[string][]rules.Seat // who gave a line
	said  []string                // the lines of the letter at hand
}

const seed = "a seed for tests"

// Open opens a game.
func Open(t T, r *rules.Ruleset, w rules.World) *Game {
	t.Helper()
	st, ev, err := r.Open(w, seed)
	if err != nil {
		t.Fatalf("opening the game: %v", err)
	}
	g := &Game{State: st, Start: ev, t: t, r: r, w: w, past: w.Start, roles: map[rules.Seat]rules.Role{}, given: map[string][]rules.Seat{}}
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

// env is what the rules may know at an instant.
func (g *Game) env(at time.Time) rules.Env {
	if at.Before(g.past) {
		at = g.past
	}
	g.past = at
	now := at
	if g.late.After(at) {
		now = g.late
	}
	return rules.Env{At: at, Now: now, Zone: g.w.Zone, Dice: g.State.Dice(seed, g.w.Game)}
}

// Until lets happen all that happens by itself before a step at an instant, and returns the events with their instants.
// While the game is held nothing does.
func (g *Game) Until(at time.Time) (happened []Happened) {
	g.t.Helper()
	for range 10_000 {
		g.step()
		d, ok, err := g.State.Next()
		if err != nil {
			g.t.Fatal(err)
		}
		if !ok || !g.held.IsZero() || d.At.After(at) || d.At.Equal(at) && d.After {
			return happened
		}
		e := g.env(d.At)
		ev, err := g.State.Fire(d, e)
		if err != nil {
			g.t.Fatalf("%s at %v: %v", d.Kind, d.At, err)
		}
		if Find(ev, rules.Held) != nil {
			g.held = e.At
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

// Mail rules on a letter of one line that somebody mailed. What falls due before is to be fired by Until.
func (g *Game) Mail(at time.Time, nick, line string) Answer {
	g.t.Helper()
	return g.Line(Step{At: at, By: nick, Line: line})
}

// Post rules on a post of one line.
func (g *Game) Post(at time.Time, nick, line string) Answer {
	g.t.Helper()
	return g.Line(Step{At: at, By: nick, Line: line, Post: true})
}

// Line rules on a line of a letter, and after the last one shows the ruleset the letter as a whole.
func (g *Game) Line(s Step) Answer {
	g.t.Helper()
	a := g.take(s)
	a.Events = append(a.Events, g.read(s)...)
	return a
}

// letter is what the rules may know of the letter that a step is a line of.
func (g *Game) letter(s Step) rules.Env {
	e := g.env(s.At)
	e.By = g.actor(s.By)
	e.Via = map[bool]string{true: "post", false: "mail"}[s.Post]
	e.Letter = &rules.Letter{Arrived: s.At, Lines: g.said}
	return e
}

// read shows the ruleset a letter as a whole, after its last line.
func (g *Game) read(s Step) []rules.Event {
	g.t.Helper()
	if s.Line == "" || s.More {
		return nil
	}
	e := g.letter(s)
	g.said = nil
	ev, err := g.State.Read(*e.Letter, e)
	if err != nil {
		g.t.Fatalf("%s: %v", s, err)
	}
	return ev
}

// take rules on a line of a letter.
func (g *Game) take(s Step) Answer {
	g.t.Helper()
	g.step()
	g.said = append(g.said, s.Line)
	e := g.letter(s)
	names, err := g.State.Names()
	if err != nil {
		g.t.Fatal(err)
	}
	res := g.r.Grammar.Parse(orders.Clean(s.Line), names, false)
	a := Answer{Order: res.Order, Unclear: res.Unclear}
	if res.Unclear != nil {
		a.Verdict = orders.Unclear
	}
	if res.Order == nil {
		return a
	}
	given := asJSON(g.t, []any{res.Order, e.Letter})
	g.given[res.Order.Line] = append(g.given[res.Order.Line], e.By.Seat)
	if a.Events, a.Ruling, err = g.State.Take(*res.Order, e); err != nil {
		g.t.Fatalf("%s: %v", s, err)
	}
	if asJSON(g.t, []any{res.Order, e.Letter}) != given {
		g.t.Errorf("%s: the order or its letter was changed", s)
	}
	return a
}

func (g *Game) actor(nick string) rules.Actor {
	return rules.Actor{Seat: rules.Seat(nick), Role: g.roles[rules.Seat(nick)]}
}

// Control passes on one of the engine's orders that somebody mailed. Like the engine it has nothing for the ruleset when
// a hold is said of a game that is held, or its end of one that is not.
func (g *Game) Control(at time.Time, nick string, c rules.Control) (a Answer) {
	g.t.Helper()
	g.step()
	if held := !g.held.IsZero(); c.Kind == rules.Hold && held || c.Kind == rules.Shift && !held {
		return a
	}
	e := g.env(at)
	e.By = g.actor(nick)
	if c.Sent.IsZero() {
		c.Sent = e.At
	}
	switch c.Kind {
	case rules.Hold:
		g.held = e.At
	case rules.Shift:
		c.By, g.held = e.At.Sub(g.held), time.Time{}
	case rules.Reopen:
		c.Held = !g.held.IsZero()
	}
	var err error
	if a.Events, a.Ruling, err = g.State.Control(c, e); err != nil {
		g.t.Fatalf("%s: %s: %v", nick, c.Kind, err)
	}
	for i := range a.Events {
		a.Events[i].Rule = cmp.Or(a.Events[i].Rule, a.Rule, "E")
	}
	a.Rule = cmp.Or(a.Rule, "E")
	return a
}
