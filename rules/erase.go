package rules

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"runtime/debug"

	"arroba/orders"
)

// Ruleset is a Rules with the type of its state erased.
type Ruleset struct {
	Name    string
	Version int
	Grammar *orders.Grammar
	IDs     EngineIDs
	Keeps   Calendar
	Texts   fs.FS
	Brings  func(orders.Order) (Newcomer, bool)

	open   func(World, *Dice) (any, []Event, error)
	decode func([]byte) (any, error)
	ops    ops
}

// ops are a ruleset's functions over an erased state.
type ops struct {
	names   func(any) orders.Lexicon
	take    func(any, orders.Order, Env) (any, []Event, Ruling)
	read    func(any, Letter, Env) (any, []Event)
	implied func(any, Letter, Actor, []string) []string
	control func(any, Control, Env) (any, []Event, Ruling)
	next    func(any) (Due, bool)
	fire    func(any, Due, Env) (any, []Event)
	round   func(any) int // nil: the game has none
	waits   func(any, Viewer) []Deadline
	kept    func(any, Viewer) []Kept
	offers  func(any, Viewer) []Offer
	may     func(any, Viewer, string) bool
	view    func(any, Viewer) any
	picture func(any, Viewer) []Picture
	shows   func(any, Viewer, []Event) []Picture
	over    func(any) bool
}

// New erases the type of a ruleset's state.
func New[S any](r Rules[S]) *Ruleset {
	if r.Brings == nil {
		r.Brings = func(orders.Order) (Newcomer, bool) { return Newcomer{}, false }
	}
	return &Ruleset{
		Name: r.Name, Version: r.Version, Grammar: r.Grammar, IDs: r.IDs, Keeps: r.Keeps, Texts: r.Texts, Brings: r.Brings,
		open: func(w World, d *Dice) (any, []Event, error) { return r.Open(w, d) },
		decode: func(b []byte) (any, error) {
			var s S
			err := json.Unmarshal(b, &s)
			return s, err
		},
		ops: ops{
			names: func(s any) orders.Lexicon { return r.Names(s.(S)) },
			take:  func(s any, o orders.Order, e Env) (any, []Event, Ruling) { return r.Take(s.(S), o, e) },
			read: func(s any, l Letter, e Env) (any, []Event) {
				if r.Read == nil {
					return s, nil
				}
				return r.Read(s.(S), l, e)
			},
			implied: func(s any, l Letter, by Actor, forms []string) []string {
				if r.Implied == nil {
					return nil
				}
				return r.Implied(s.(S), l, by, forms)
			},
			control: func(s any, c Control, e Env) (any, []Event, Ruling) {
				switch {
				case r.Control != nil:
					return r.Control(s.(S), c, e)
				case c.Kind == Hold, c.Kind == Shift, c.Kind == Reopen:
					return s, nil, Accept("")
				}
				return s, nil, Refuse(r.IDs.Nothing, "", nil)
			},
			next:    func(s any) (Due, bool) { return r.Next(s.(S)) },
			fire:    func(s any, d Due, e Env) (any, []Event) { return r.Fire(s.(S), d, e) },
			round:   round(r),
			waits:   perhaps[S](r.Waits),
			kept:    perhaps[S](r.Kept),
			offers:  perhaps[S](r.Offers),
			may:     func(s any, v Viewer, form string) bool { return r.May != nil && r.May(s.(S), v, form) },
			view:    func(s any, v Viewer) any { return r.View(s.(S), v) },
			picture: perhaps[S](r.Picture),
			shows: func(s any, v Viewer, ev []Event) []Picture {
				if r.Shows == nil {
					return nil
				}
				return r.Shows(s.(S), v, ev)
			},
			over: func(s any) bool { return r.Over != nil && r.Over(s.(S)) },
		},
	}
}

// perhaps erases the state's type of a function that may be nil and then has nothing to show.
func perhaps[S, T any](f func(S, Viewer) []T) func(any, Viewer) []T {
	return func(s any, v Viewer) []T {
		if f == nil {
			return nil
		}
		return f(s.(S), v)
	}
}

// round erases the state's type of Round; nil stays nil.
func round[S any](r Rules[S]) func(any) int {
	if r.Round == nil {
		return nil
	}
	return func(s any) int { return r.Round(s.(S)) }
}

// PanicError is what a rule's panic became. A game whose rule failed is held and never tried again by itself.
type PanicError struct {
	Value any
	Stack string
}

func (e *PanicError) Error() string { return fmt.Sprintf("a rule failed: %v", e.Value) }

// guard turns a panic of a rule into an error.
func guard(err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{Value: v, Stack: string(debug.Stack())}
	}
}

// State is the live state of a game. After an error it is worth nothing and must be read afresh.
type State struct {
	ops      ops
	s        any
	counters map[string]uint64
}

// stored is how a state is kept: with the counters of its dice.
type stored struct {
	State    json.RawMessage   `json:"state"`
	Counters map[string]uint64 `json:"counters,omitempty"`
}

// Open begins a game with a seed. The events are those of the opening.
func (r *Ruleset) Open(w World, seed string) (st *State, ev []Event, err error) {
	defer guard(&err)
	counters := map[string]uint64{}
	s, ev, err := r.open(w, NewDice(seed, w.Game, counters))
	if err != nil {
		return nil, nil, err
	}
	return &State{ops: r.ops, s: s, counters: counters}, ev, nil
}

// Unopened is the state of a game that has not begun: it names nothing, takes nothing, and nothing falls due in it.
func (r *Ruleset) Unopened() *State {
	nothing := Refuse(r.IDs.Nothing, "", nil)
	return &State{counters: map[string]uint64{}, ops: ops{
		names:   func(any) orders.Lexicon { return nil },
		take:    func(s any, _ orders.Order, _ Env) (any, []Event, Ruling) { return s, nil, nothing },
		read:    func(s any, _ Letter, _ Env) (any, []Event) { return s, nil },
		implied: func(any, Letter, Actor, []string) []string { return nil },
		control: func(s any, _ Control, _ Env) (any, []Event, Ruling) { return s, nil, nothing },
		next:    func(any) (Due, bool) { return Due{}, false },
		fire:    func(s any, _ Due, _ Env) (any, []Event) { return s, nil },
		waits:   func(any, Viewer) []Deadline { return nil },
		kept:    func(any, Viewer) []Kept { return nil },
		offers:  func(any, Viewer) []Offer { return nil },
		may:     func(any, Viewer, string) bool { return false },
		view:    func(any, Viewer) any { return map[string]any{} },
		picture: func(any, Viewer) []Picture { return nil },
		shows:   func(any, Viewer, []Event) []Picture { return nil },
		over:    func(any) bool { return false },
	}}
}

// Decode reads a state that Encode wrote.
func (r *Ruleset) Decode(b []byte) (*State, error) {
	var in stored
	if err := json.Unmarshal(b, &in); err != nil {
		return nil, fmt.Errorf("reading a kept state of %s: %w", r.Name, err)
	}
	s, err := r.decode(in.State)
	if err != nil {
		return nil, fmt.Errorf("reading a kept state of %s: %w", r.Name, err)
	}
	if in.Counters == nil {
		in.Counters = map[string]uint64{}
	}
	return &State{ops: r.ops, s: s, counters: in.Counters}, nil
}

// Encode writes a state: equal states give equal bytes.
func (s *State) Encode() ([]byte, error) {
	b, err := json.Marshal(s.s)
	if err != nil {
		return nil, fmt.Errorf("writing a state: %w", err)
	}
	return json.Marshal(stored{State: b, Counters: s.counters})
}

// Restore makes this state what an earlier one of the same game was. The dice count on: no draw is made twice.
func (s *State) Restore(earlier *State) { s.s = earlier.s }

// Dice returns the dice of the state's game, which count on in it.
func (s *State) Dice(seed, game string) *Dice { return NewDice(seed, game, s.counters) }

// Names returns what orders may name now.
func (s *State) Names() (l orders.Lexicon, err error) {
	defer guard(&err)
	return s.ops.names(s.s), nil
}

// Take rules on an order.
func (s *State) Take(o orders.Order, e Env) (ev []Event, ru Ruling, err error) {
	defer guard(&err)
	s.s, ev, ru = s.ops.take(s.s, o, e)
	return ev, ru, nil
}

// Read shows the ruleset a letter as a whole.
func (s *State) Read(l Letter, e Env) (ev []Event, err error) {
	defer guard(&err)
	s.s, ev = s.ops.read(s.s, l, e)
	return ev, nil
}

// Implied returns the lines that a letter says by its subject and its files, besides those of its text, of which the forms are given.
func (s *State) Implied(l Letter, by Actor, forms []string) (lines []string, err error) {
	defer guard(&err)
	return s.ops.implied(s.s, l, by, forms), nil
}

// Control passes one of the engine's orders on.
func (s *State) Control(c Control, e Env) (ev []Event, ru Ruling, err error) {
	defer guard(&err)
	s.s, ev, ru = s.ops.control(s.s, c, e)
	return ev, ru, nil
}

// Next tells what happens by itself next; false when nothing does.
func (s *State) Next() (d Due, ok bool, err error) {
	defer guard(&err)
	d, ok = s.ops.next(s.s)
	return d, ok, nil
}

// Fire makes happen what Next told.
func (s *State) Fire(d Due, e Env) (ev []Event, err error) {
	defer guard(&err)
	s.s, ev = s.ops.fire(s.s, d, e)
	return ev, nil
}

// HasRounds tells whether games of the ruleset have rounds.
func (r *Ruleset) HasRounds() bool { return r.ops.round != nil }

// Round returns the round that the game stands in, 0 when it has none.
func (s *State) Round() (n int, err error) {
	defer guard(&err)
	if s.ops.round == nil {
		return 0, nil
	}
	return s.ops.round(s.s), nil
}

// Waits returns the deadlines that a viewer may know of, the next first.
func (s *State) Waits(v Viewer) (list []Deadline, err error) {
	defer guard(&err)
	return s.ops.waits(s.s, v), nil
}

// Kept returns the orders that wait for their round: a seat's own, or all of them for a GM.
func (s *State) Kept(v Viewer) (list []Kept, err error) {
	defer guard(&err)
	return s.ops.kept(s.s, v), nil
}

// Offers returns orders that a viewer could give now.
func (s *State) Offers(v Viewer) (list []Offer, err error) {
	defer guard(&err)
	return s.ops.offers(s.s, v), nil
}

// May tells whether a viewer may give the orders of a form that is another role's.
func (s *State) May(v Viewer, form string) (may bool, err error) {
	defer guard(&err)
	return s.ops.may(s.s, v, form), nil
}

// View returns what a viewer may see, ready for JSON.
func (s *State) View(v Viewer) (out any, err error) {
	defer guard(&err)
	return s.ops.view(s.s, v), nil
}

// Pictures returns the drawings that a viewer may see.
func (s *State) Pictures(v Viewer) (p []Picture, err error) {
	defer guard(&err)
	return s.ops.picture(s.s, v), nil
}

// Shows returns the part of the drawings that events have changed, as far as a viewer may see it.
func (s *State) Shows(v Viewer, ev []Event) (p []Picture, err error) {
	defer guard(&err)
	return s.ops.shows(s.s, v, ev), nil
}

// Over tells whether the game has ended.
func (s *State) Over() (over bool, err error) {
	defer guard(&err)
	return s.ops.over(s.s), nil
}
