package turns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"arroba/ingest"
	"arroba/rules"
	"arroba/store"
)

// maxFirings is how many due things one transaction fires; the rest fire in the next.
const maxFirings = 1000

// fireBefore fires everything due before whatever comes at an instant, as one cause. Behind is true when something
// must still wait: for a source that was not read past it, or for the next transaction.
func (w *work) fireBefore(g *live, at time.Time) (behind bool, err error) {
	c := w.cause(g)
	err = guarded(func() error {
		behind, err = c.fireAll(at)
		return err
	})
	if len(c.inputs) > 0 {
		if told := guarded(c.commit); told != nil {
			return false, told
		}
	}
	return behind, err
}

// atOnce fires what the orders of a letter let happen at its own instant, as part of the same cause: whoever hears of
// both has one mail.
func (c *cause) atOnce(at time.Time) error {
	g, paused, present := c.g, c.g.Paused, c.g.present
	g.Paused, g.present = c.paused().since, at // as the letter leaves it
	err := guarded(func() error {
		_, err := c.fireAll(at)
		return err
	})
	g.Paused, g.present = paused, present
	return err
}

func (c *cause) fireAll(at time.Time) (behind bool, err error) {
	var last rules.Due
	for {
		d, ok, err := c.g.dueBefore(at)
		if err != nil || !ok || !c.paused().since.IsZero() || c.w.now.Before(c.g.present) {
			return false, err // a clock that was set back first comes to where it was
		}
		if len(c.inputs) > 0 && d == last {
			return false, faultf("%s %s of %s fires without end", d.Kind, d.ID, d.At.Format(time.RFC3339))
		}
		seen, err := c.w.seenPast(c.g, d)
		if err != nil {
			return false, err
		}
		if !seen || c.w.fired >= maxFirings {
			return true, nil
		}
		if err := c.fire(d); err != nil {
			return false, fmt.Errorf("%s %s, due at %s: %w", d.Kind, d.ID, d.At.Format(time.RFC3339), err)
		}
		last = d
		c.w.fired++
	}
}

// fire lets something happen at its own instant, or now when something later has happened already, as after a rollback.
func (c *cause) fire(d rules.Due) error {
	at := c.g.notBefore(d.At)
	body := DueBody{Due: d, Now: c.w.late(at)}
	produced, err := c.g.ending(func() ([]rules.Event, error) {
		return c.g.state.Fire(d, c.g.env(at, body.Now, rules.Actor{}, "", nil))
	})
	if err != nil {
		return err
	}
	for _, ev := range produced {
		if ev.Type == rules.Held {
			why, _ := ev.Data["reason"].(string)
			c.pause = &pause{at, why}
		}
	}
	b, err := plain(body)
	if err != nil {
		return faultf("%w", err)
	}
	return c.add(Input{Kind: kindDue, At: at, Body: b}, produced)
}

// seenPast tells whether every source that feeds a game was read past a due instant: whatever came before it has then
// been ruled on.
func (w *work) seenPast(g *live, d rules.Due) (bool, error) {
	for _, name := range w.e.feeds(&g.Game) {
		until, err := w.readUntil(name)
		if err != nil {
			return false, err
		}
		if until.Before(d.At) || until.Equal(d.At) && d.After {
			return false, nil
		}
	}
	return true, nil
}

// defaultGrace is how long a due thing waits for sources in games that do not say.
const defaultGrace = 24 * time.Hour

// overGrace pauses a game in which something has waited for its sources for too long: as of when it fell due, so that
// what comes before the game goes on is in time.
func (w *work) overGrace(g *live) error {
	d, ok, err := g.dueBefore(w.now)
	if err != nil || !ok || w.now.Sub(d.At) <= cmp.Or(g.Settings.Calendar.Grace, defaultGrace) {
		return err
	}
	seen, err := w.seenPast(g, d)
	if err != nil || seen {
		return err
	}
	var unread []string
	for _, name := range w.e.feeds(&g.Game) {
		if until, err := w.readUntil(name); err != nil {
			return err
		} else if !until.After(d.At) {
			unread = append(unread, name)
		}
	}
	return w.pause(g, d.At, pauseUnread, rules.Data{"due": d.At.UTC()}, map[string]any{"sources": unread})
}

// saveRead records how far a source was read. No source was read into the future: a time of then was told by a clock
// that has been set back since, and must let nothing fire that letters may yet come before.
func (w *work) saveRead(source string, b ingest.Batch) error {
	_, err := w.tx.ExecContext(w.ctx, `UPDATE source SET until = 0 WHERE name = $1 AND until > $2`, source, store.Micro(w.now))
	if err != nil {
		return fmt.Errorf("looking how far %s was read: %w", source, err)
	}
	if b.Until.After(w.now) {
		b.Until = w.now
	}
	return ingest.Save(w.ctx, w.tx, source, b.Next, b.Until)
}

func (w *work) readUntil(source string) (time.Time, error) {
	if t, ok := w.until[source]; ok {
		return t, nil
	}
	_, t, err := ingest.Load(w.ctx, w.tx, source)
	if err != nil {
		return t, err
	}
	if t.After(w.now) {
		t = time.Time{}
	}
	w.until[source] = t
	return t, nil
}

// Tick brings every game up to date in which something has fallen due or letters wait that may go on. What fails in one
// game stops no other; the error joins what failed. It returns the games whose due instants wait for their sources:
// those should be read at once.
func (e *Engine) Tick(ctx context.Context) (behind []string, err error) {
	if err := e.watched(ctx); err != nil {
		return nil, err
	}
	names, err := e.overdue(ctx)
	if err != nil {
		return nil, err
	}
	for some := range slices.Chunk(names, gamesAtOnce) {
		left, waiting := e.tickTogether(ctx, some)
		behind = append(behind, waiting...)
		for _, name := range left {
			waits, failed := e.tick(ctx, name)
			if failed != nil {
				err = errors.Join(err, fmt.Errorf("bringing the game %s up to date: %w", name, failed))
			} else if waits {
				behind = append(behind, name)
			}
		}
	}
	return behind, err
}

// overdue returns the games to look at: where something falls due, a digest or a register does, or letters wait. Each is looked for by
// its own index, so that games which are idle cost nothing.
func (e *Engine) overdue(ctx context.Context) ([]string, error) {
	rows, err := e.DB.Read().QueryContext(ctx, `SELECT name FROM (
		SELECT name, next_due FROM game WHERE held = '' AND next_due <= $1 UNION
		SELECT name, next_due FROM game WHERE held = '' AND digest_due > 0 AND digest_due <= $1 UNION
		SELECT name, next_due FROM game WHERE held = '' AND register_due > 0 AND register_due <= $1 UNION
		SELECT name, next_due FROM game WHERE held = '' AND name IN (SELECT game FROM inbox WHERE status = $2)
		) AS some ORDER BY next_due, name`,
		store.Micro(e.Now()), ingest.Waiting)
	if err != nil {
		return nil, fmt.Errorf("looking for what falls due: %w", err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("looking for what falls due: %w", err)
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// gamesAtOnce is how many games one transaction brings up to date when many are due: to commit costs as much as a game.
const gamesAtOnce = 16

// tickTogether brings several games up to date in one transaction. Left are those that have to be looked at alone: where
// more than one transaction fires is due, or all of them when the transaction failed, for that was one game's doing, and
// the others must go on. Waiting are those whose due instants wait for their sources.
func (e *Engine) tickTogether(ctx context.Context, names []string) (left, waiting []string) {
	if len(names) < 2 {
		return names, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	err := e.write(ctx, func(w *work) error {
		for _, name := range names {
			more, waits, err := w.bringUpAndLook(name)
			if err != nil {
				return err
			}
			if more {
				left = append(left, name)
			} else if waits {
				waiting = append(waiting, name)
			}
		}
		return nil
	})
	if err != nil {
		return names, nil
	}
	return left, waiting
}

// tick brings one game up to date, in as many transactions as that takes. Waits is true when a due instant is passed
// that has to wait for a source.
func (e *Engine) tick(ctx context.Context, name string) (waits bool, err error) {
	for more := true; more && err == nil; {
		more, waits, err = e.tickOnce(ctx, name)
	}
	return waits, err
}

func (e *Engine) tickOnce(ctx context.Context, name string) (more, waits bool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	err = e.write(ctx, func(w *work) (err error) {
		more, waits, err = w.bringUpAndLook(name)
		return err
	})
	return more, waits, err
}

// bringUpAndLook brings a game up to date, and tells whether there is more for another transaction, or a due instant that
// waits for a source.
func (w *work) bringUpAndLook(name string) (more, waits bool, err error) {
	err = w.bringUp(name)
	g := w.games[name]
	waits = g != nil && g.state != nil && g.Held == "" && w.overdue(g)
	return w.fired >= maxFirings || w.crowded[name], waits, err
}

// overdue tells whether something in a game should have happened by now.
func (w *work) overdue(g *live) bool {
	at, err := g.nextDue()
	return err == nil && !at.IsZero() && at.Before(w.now)
}

// nextDue is when something falls due, or somebody is reminded, next; zero when neither is.
func (g *live) nextDue() (time.Time, error) {
	d, ok, err := g.next()
	if err != nil {
		return time.Time{}, err
	}
	at, err := g.nextReminder()
	if ok && (at.IsZero() || d.At.Before(at)) {
		at = d.At
	}
	return at, err
}

// bringUp handles the letters of a game that waited, and fires what is due by now.
func (w *work) bringUp(name string) error {
	entries, more, err := ingest.WaitingOf(w.ctx, w.tx, name, maxWaiting)
	if err != nil {
		return err
	}
	w.crowded[name] = more
	waited := make([]*arrival, len(entries))
	for i, entry := range entries {
		waited[i] = again(entry)
	}
	inOrder(waited)
	for _, a := range waited {
		if err := w.ruleOn(a); err != nil {
			return err
		}
		if a.entry.Status == ingest.Waiting {
			w.crowded[name] = false
			break // and so do those that came after it
		}
		w.letters = append(w.letters, a)
	}
	g, err := w.game(name)
	if isFault(err) {
		return w.holdUnread(name, err)
	}
	if err != nil || g.Held != "" || g.state == nil || w.crowded[name] {
		return err
	}
	_, err = w.fireBefore(g, w.now)
	for _, then := range []func(*live) error{w.overGrace, w.remind, func(g *live) error { return w.sendDigests(g, w.now) }, w.sendRegister} {
		if err == nil && g.state != nil {
			err = guarded(func() error { return then(g) })
		}
	}
	return w.heldBy(g, nil, err)
}
