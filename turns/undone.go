package turns

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"arroba/orders"
	"arroba/outbox"
	"arroba/rules"
)

// outlasting are the types of events that no rollback undoes: what was said is said, and people are no part of the position.
var outlasting = []string{outbox.Press, "broadcast", "ruling", "vacation", memberReplaced, "left", "setting-changed", rules.Held, "resumed",
	"seed-shown"}

// tide tells which events a rollback has undone, if it is shown all that go back, newest first.
type tide struct {
	to int64 // the last event that the rollback at hand left in force
}

func newTide() *tide { return &tide{math.MaxInt64} }

// undone tells whether an event is.
func (t *tide) undone(ev Event) bool {
	if ev.N > t.to {
		return !slices.Contains(outlasting, ev.Type)
	}
	var data struct{ To int64 }
	if ev.Type == wentBack && json.Unmarshal(ev.Data, &data) == nil {
		t.to = data.To
	}
	return false
}

// Undone knows what of a game's log rollbacks have undone.
type Undone struct {
	kit   *kit // nil when its ruleset is not built into this program: then no lines are marked
	way   way
	backs []Event // newest first
}

// Undone reads which rollbacks a game has had.
func (e *Engine) Undone(ctx context.Context, g *Game) (*Undone, error) {
	p := past{ctx, e.DB.Read()}
	turns, err := p.turns(g.Name)
	if err != nil {
		return nil, err
	}
	u := &Undone{kit: e.kits[g.Ruleset], way: wayTo(turns, point{math.MaxInt64, whole})}
	var last int64
	for _, t := range slices.Backward(turns) {
		if t.again != nil || t.at.n == last {
			continue
		}
		last = t.at.n
		in, err := p.input(g.Name, last)
		if err != nil {
			return nil, err
		}
		events, err := in.DecodeEvents()
		if err != nil {
			return nil, err
		}
		slices.Reverse(events)
		u.backs = append(u.backs, slices.DeleteFunc(events, func(ev Event) bool { return ev.Type != wentBack })...)
	}
	return u, nil
}

// Mark notes in an entry of the log what of it is undone.
func (u *Undone) Mark(entry *Entry) {
	for i := range entry.Orders {
		l := &entry.Orders[i]
		l.Undone = u.kit != nil && l.order != nil && l.Verdict == orders.Accepted && !entry.Test && u.kit.redoable(l.order) && !u.way.holds(l.at)
	}
	for _, ev := range entry.Events {
		if u.undone(ev) {
			entry.Undone = append(entry.Undone, ev.N)
		}
	}
}

func (u *Undone) undone(ev Event) bool {
	t := newTide()
	for _, back := range u.backs {
		if back.N > ev.N {
			t.undone(back)
		}
	}
	return t.undone(ev)
}
