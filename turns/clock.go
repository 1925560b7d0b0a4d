package turns

import (
	"context"
	"fmt"
	"time"

	"arroba/store"
)

// moment is what two clocks show at once: the one that people set, and one that nobody does.
type moment struct {
	wall   time.Time
	steady time.Duration
}

// jump is by how much the clocks may come apart before somebody must look.
const jump = 5 * time.Minute

// watchClock holds the clock against the steady one. Where it was set ahead, games in which something would fall due for
// that are paused as of before, and where it was set back, nothing happens until it has come to where it was; the
// operator is told of both. An outage moves both clocks and is none of this. Call with the lock held.
func (e *Engine) watchClock(ctx context.Context) error {
	if e.Steady == nil {
		return nil
	}
	before, now := e.seen, moment{e.clock(), e.Steady()}
	if e.seen = now; before.wall.IsZero() {
		return nil
	}
	right := before.wall.Add(now.steady - before.steady).Truncate(time.Microsecond)
	by := now.wall.Sub(right)
	data := map[string]any{"was": right, "is": now.wall, "by": by.Abs()}
	switch {
	case by > jump:
		paused, err := e.jumped(ctx, right, now.wall)
		if err != nil {
			e.seen = before // so that it is looked at again
			return fmt.Errorf("pausing games for a clock that jumped from %s to %s: %w", right, now.wall, err)
		}
		data["games"], data["more"] = paused[:min(len(paused), maxNamed)], max(len(paused)-maxNamed, 0)
		e.Alarm(ctx, "clock-ahead", data)
	case by < -jump:
		e.Alarm(ctx, "clock-back", data)
	}
	return nil
}

// maxNamed is how many games an alarm names; the rest are counted.
const maxNamed = 50

// jumped pauses the games in which something falls due between what the clock should show and what it does, and returns
// their names.
func (e *Engine) jumped(ctx context.Context, right, wall time.Time) (paused []string, err error) {
	names, err := e.dueBy(ctx, wall)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		err := e.write(ctx, func(w *work) error {
			w.now = right
			return w.pauseIfDue(name, wall)
		})
		if err != nil {
			return nil, err
		}
		if g := e.live[name]; g != nil && !g.Paused.IsZero() {
			paused = append(paused, name)
		}
	}
	return paused, nil
}

// dueBy returns the games in which something falls due up to an instant.
func (e *Engine) dueBy(ctx context.Context, at time.Time) (names []string, err error) {
	rows, err := e.DB.Read().QueryContext(ctx, `SELECT name FROM game WHERE held = '' AND next_due <= $1 ORDER BY name`, store.Micro(at))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// pauseIfDue fires what is due by now, and pauses a game in which more would be by an instant.
func (w *work) pauseIfDue(name string, wall time.Time) error {
	g, err := w.game(name)
	if isFault(err) {
		return w.holdUnread(name, err)
	}
	if err != nil {
		return err
	}
	if _, err := w.fireBefore(g, w.now); err != nil {
		return w.heldBy(g, nil, err)
	}
	if _, due, err := g.dueBefore(wall); err != nil || !due {
		return w.heldBy(g, nil, err)
	}
	return w.pause(g, w.now, pauseClock, map[string]any{"is": wall}, nil)
}

func (e *Engine) watched(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.watchClock(ctx)
}
