package turns

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"arroba/orders"
	"arroba/rules"
	"arroba/store"
)

// maxLive is how many games stay in memory; the one not used for longest goes first.
const maxLive = 64

// live is a game in memory with its state.
type live struct {
	Game
	kit     *kit
	state   *rules.State
	present time.Time // of the last input that is no letter and no setting, or takes the game back: nothing happens as of before
	since   int       // bytes of log since the last snapshot
	kept    int       // bytes of the last snapshot
	used    int64

	nicks   *orders.Names     // of the members; nil when not asked for yet, or when members changed since
	renamed map[string]string // nicks of those who took over a seat, by seat; read with nicks
}

// load returns a game as the database has it, from memory when nothing was added since. Call with the lock held.
func (e *Engine) load(ctx context.Context, q Queryer, name string) (*live, error) {
	if g := e.live[name]; g != nil && !g.Forming() {
		var chain []byte
		var held string
		var people, reminded, digested, digestDue, registerDue int64
		err := q.QueryRowContext(ctx, `SELECT chain, held, people, reminded, digested, digest_due, register_due FROM game WHERE name = $1`, name).
			Scan(&chain, &held, &people, &reminded, &digested, &digestDue, &registerDue)
		if err == nil && people != g.people {
			g.people, err = people, g.loadPeople(ctx, q)
		}
		if err == nil && bytes.Equal(chain, g.chain) {
			g.Held, g.Reminded, g.Digested, g.DigestDue, g.RegisterDue = held, timeOr(reminded), digested, timeOr(digestDue), timeOr(registerDue)
			e.keep(g)
			return g, nil
		}
		e.forget(name)
	}
	g, err := e.read(ctx, q, name)
	if err != nil {
		return nil, err
	}
	e.keep(g)
	return g, nil
}

// keep puts a game into memory, and another one out when there are too many.
func (e *Engine) keep(g *live) {
	e.uses++
	g.used = e.uses
	e.live[g.Name] = g
	if len(e.live) <= maxLive {
		return
	}
	oldest := g
	for _, other := range e.live {
		if other.used < oldest.used {
			oldest = other
		}
	}
	delete(e.live, oldest.Name)
}

// forget drops a game from memory, so that it is read afresh.
func (e *Engine) forget(name string) { delete(e.live, name) }

// read makes a live game from the database: the last snapshot, and every input since played again.
func (e *Engine) read(ctx context.Context, q Queryer, name string) (*live, error) {
	g, err := e.known(ctx, q, name)
	if err != nil {
		return nil, err
	}
	if g.Forming() {
		g.state = g.kit.Unopened()
		return g, nil
	}
	p := past{ctx, q}
	n, err := g.restore(p, g.LastInput)
	if err != nil {
		return nil, fmt.Errorf("reading the game %s: %w", name, err)
	}
	if err := g.replay(p, n); err != nil {
		return nil, fmt.Errorf("reading the game %s: %w", name, err)
	}
	var present sql.NullInt64
	err = q.QueryRowContext(ctx, `SELECT MAX(at) FROM input WHERE game = $1
		AND (kind NOT IN ($2, $3, $4) OR n IN (SELECT n FROM turn WHERE game = $1 AND again = ''))`, name, kindLetter, kindSet, kindBack).Scan(&present)
	if present.Valid {
		g.present = store.Time(present.Int64)
	}
	return g, err
}

// known returns a game without its state, when this program has the rules that it was opened under.
func (e *Engine) known(ctx context.Context, q Queryer, name string) (*live, error) {
	game, err := LoadGame(ctx, q, name)
	if err != nil {
		return nil, err
	}
	g := &live{Game: *game, kit: e.kits[game.Ruleset]}
	if g.kit == nil {
		return nil, faultf("the game %s needs the ruleset %q, which is not built into this program", name, game.Ruleset)
	}
	if !g.Forming() && g.kit.Version != g.Version {
		return nil, faultf("the game %s was opened under version %d of %s, and this program has version %d: run it with the program it was opened with", name, g.Version, g.Ruleset, g.kit.Version)
	}
	return g, nil
}

// restore decodes the last snapshot up to an input, and returns the input after which it was taken.
func (g *live) restore(p past, last int64) (int64, error) {
	var n int64
	var state, hash []byte
	err := p.q.QueryRowContext(p.ctx, `SELECT n, state, hash FROM snapshot WHERE game = $1 AND n <= $2 ORDER BY n DESC LIMIT 1`, g.Name, last).Scan(&n, &state, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, faultf("it has no snapshot")
	}
	if err != nil {
		return 0, err
	}
	if sum := sha256.Sum256(state); !bytes.Equal(sum[:], hash) {
		return 0, faultf("its snapshot after input %d was changed after it was written", n)
	}
	g.kept = len(state)
	if g.state, err = g.kit.Decode(state); err != nil {
		return 0, faultf("%w", err)
	}
	return n, nil
}

// copy returns a game of its own that stands as this one does. Nothing that is done to it changes this one.
func (g *live) copy() (*live, error) {
	c := *g
	if c.state = g.kit.Unopened(); !g.Forming() {
		state, err := g.state.Encode()
		if err != nil {
			return nil, err
		}
		if c.state, err = g.kit.Decode(state); err != nil {
			return nil, err
		}
	}
	c.nicks, c.Members, c.Copies = nil, slices.Clone(g.Members), slices.Clone(g.Copies)
	for i := range c.Members {
		m := &c.Members[i]
		m.Addresses, m.Accounts = slices.Clone(m.Addresses), slices.Clone(m.Accounts)
	}
	return &c, nil
}

// replay plays the inputs after n again. The log must be unbroken, and the events must come out as it has them.
func (g *live) replay(p past, n int64) error {
	var before []byte
	for at := n; at <= g.LastInput; {
		list, err := Inputs(p.ctx, p.q, g.Name, at-1, int(min(g.LastInput-at+1, 500)))
		if err != nil {
			return err
		}
		if len(list) == 0 || list[0].N != at {
			return faultf("its log lacks input %d of %d", at, g.LastInput)
		}
		for i := range list {
			in := &list[i]
			if in.N > n {
				if err := in.check(at, before); err != nil {
					return faultf("%w", err)
				}
				if err := g.again(p, in); err != nil {
					return faultf("playing input %d again: %w", in.N, err)
				}
				g.since += len(in.Body) + len(in.Events)
			}
			at, before = in.N+1, in.Chain
		}
	}
	return nil
}

// again plays one input of the log, of which the same events must come.
func (g *live) again(p past, in *Input) error {
	produced, err := g.playAgain(p, in)
	if err == nil && in.compare(produced) != nil { // which might tell a secret
		err = errors.New("other events come of it than the log has: the rules have changed, or the log was")
	}
	return err
}

// playAgain plays one input of the log, and returns the events that come of it now.
func (g *live) playAgain(p past, in *Input) ([]rules.Event, error) {
	return g.ending(func() ([]rules.Event, error) { return g.inputAgain(p, in) })
}

// inputAgain plays an input of any kind.
func (g *live) inputAgain(p past, in *Input) ([]rules.Event, error) {
	switch in.Kind {
	case kindDue:
		var body DueBody
		if err := json.Unmarshal(in.Body, &body); err != nil {
			return nil, err
		}
		return g.state.Fire(body.Due, g.env(in.At, body.Now, rules.Actor{}, "", nil))
	case kindPause:
		var body PauseBody
		if err := json.Unmarshal(in.Body, &body); err != nil {
			return nil, err
		}
		return g.halt(body, in.At)
	case kindSet:
		return in.setAgain()
	case kindBack:
		body, err := in.DecodeBack()
		if err != nil {
			return nil, err
		}
		return g.backAgain(body.Orders, in.At, body.Now)
	case kindLetter:
		return g.letterAgain(p, in, nil)
	}
	return nil, nil
}

// ending plays something, and shows the game's seed when it has ended by that.
func (g *live) ending(play func() ([]rules.Event, error)) ([]rules.Event, error) {
	before, err := g.state.Over()
	if err != nil {
		return nil, err
	}
	ev, err := play()
	if err != nil || before {
		return ev, err
	}
	over, err := g.state.Over()
	if over {
		ev = append(ev, seedShown(g.seed))
	}
	return ev, err
}

// letterAgain plays a letter again, only to the line after which enough says so; nil never does.
func (g *live) letterAgain(p past, in *Input, enough func(line, events int) (bool, error)) ([]rules.Event, error) {
	body, err := in.DecodeLetter()
	if err != nil {
		return nil, err
	}
	if body.Test || body.Barred {
		return nil, nil
	}
	env := g.env(in.At, body.Now, rules.Actor{Seat: in.Seat, Role: body.Role}, body.Via, &body.Letter)
	writer := env.By
	var all []rules.Event
	for i, r := range body.Orders {
		env.By = writer
		ev, err := g.lineAgain(p, r, env)
		if err != nil {
			return nil, err
		}
		all = append(all, ev...)
		if enough == nil {
			continue
		}
		if ok, err := enough(i+1, len(all)); ok || err != nil {
			return all, err
		}
	}
	env.By = writer
	ev, err := g.state.Read(body.Letter, env)
	return append(all, ev...), err
}

// lineAgain plays one line of a letter again.
func (g *live) lineAgain(p past, r Ruled, env rules.Env) ([]rules.Event, error) {
	if r.Verdict != orders.Accepted {
		return nil, nil
	}
	asked := env
	if r.By != nil {
		env.By = *r.By
	}
	all, _, err := g.give(p, *r.Order, env)
	for _, a := range r.Again {
		if err != nil {
			return nil, err
		}
		var ev []rules.Event
		ev, err = g.giveAgain(p, a, asked)
		all = append(all, ev...)
	}
	return all, err
}

// give passes an order on: the engine's to Control or to nobody, the ruleset's to Take. A ROLLBACK makes the state the
// earlier one.
func (g *live) give(p past, o orders.Order, env rules.Env) ([]rules.Event, rules.Ruling, error) {
	own, ok := g.kit.own[o.Form]
	if !ok {
		return g.state.Take(o, env)
	}
	ru := rules.Accept("")
	var ev []rules.Event
	state := g.state
	if o.Form == formRollback {
		then, err := g.then(p, goesTo(o))
		if err != nil {
			return nil, ru, err
		}
		state = then.state
	}
	if own.control != nil {
		c := own.control(o, env)
		if c.Sent = env.At; env.Letter != nil {
			c.Sent = env.Letter.Arrived
		}
		var err error
		if ev, ru, err = state.Control(c, env); err != nil || !ru.OK() {
			return nil, ru, err
		}
	}
	if o.Form == formRollback {
		g.state.Restore(state)
	}
	ru.Rule = cmp.Or(ru.Rule, g.kit.accepts(own))
	if own.events != nil {
		ev = append(own.events(o, env), ev...)
	}
	for i := range ev {
		ev[i].Rule = cmp.Or(ev[i].Rule, ru.Rule)
	}
	return ev, ru, nil
}

// env is what the rules may know at an instant that the engine came to at another; zero: at that one.
func (g *live) env(at, now time.Time, by rules.Actor, via string, l *rules.Letter) rules.Env {
	if now.IsZero() {
		now = at
	}
	return rules.Env{At: at.UTC(), Now: now.UTC(), Zone: g.Zone, Dice: g.state.Dice(g.seed, g.Name), By: by, Via: via, Letter: l}
}

// notBefore is an instant, or the later one that the game has come to: nothing happens before what happened already.
func (g *live) notBefore(at time.Time) time.Time {
	for _, come := range []time.Time{g.present, g.Paused} {
		if at.Before(come) {
			at = come
		}
	}
	return at
}

// stands tells whether nothing falls due, because the game is paused or over.
func (g *live) stands() (bool, error) {
	if !g.Paused.IsZero() {
		return true, nil
	}
	return g.state.Over()
}

// next is what falls due next.
func (g *live) next() (d rules.Due, ok bool, err error) {
	if stands, err := g.stands(); stands || err != nil {
		return d, false, err
	}
	return g.state.Next()
}

// dueBefore tells what falls due next, if it must fire before whatever comes at an instant.
func (g *live) dueBefore(at time.Time) (rules.Due, bool, error) {
	d, ok, err := g.next()
	if err != nil || !ok {
		return d, false, err
	}
	return d, d.At.Before(at) || d.At.Equal(at) && !d.After, nil
}
