package turns

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"arroba/orders"
	"arroba/rules"
)

// backOrders are those that take a game back, and those that give again what was taken back.
func backOrders() []engineOrder {
	return []engineOrder{
		{Form: form(formRollback, "E-ROLLBACK", forGM, "ROLLBACK TO (ROUND#round|EVENT#event) <n:number>", "ОТКАТ К (РАУНДУ#round|СОБЫТИЮ#event) <n:number>",
			"Takes the game back to where a round began, or to just after an event; what was ordered since is undone.",
			"Возвращает игру к началу раунда или к тому, что было сразу после события; всё приказанное с тех пор отменяется."),
			settle: (*cause).settleRollback, control: reopening, events: rolledBack, do: (*cause).rollback, answer: (*cause).tellUndone},
		{Form: form(formRedo, "E-REDO", forGM, "REDO ALL#all || REDO <n:number>,*", "ВЕРНУТЬ ВСЁ#all || ВЕРНУТЬ <n:number>,*",
			"Gives again, as they were, letters that a rollback took back: all of them, or those with these numbers.",
			"Отдаёт снова, какими они были, письма, отменённые откатом: все или с этими номерами."),
			settle: (*cause).settleRedo, answer: (*cause).tellRedone},
	}
}

// back is what a letter takes back and gives again.
type back struct {
	turns   []turn  // its ROLLBACKs and REDOs
	undone  []Again // what these ROLLBACKs took back
	redoing []Again // what the REDO at hand is to give again
	given   []Again // what it gave
	trouble error   // that stood in the way of settling an order
}

// point is a place in a game's log: an input, and how many of its lines were ruled on by then.
type point struct {
	n    int64
	line int
}

// whole is the line of a point after all of an input.
const whole = math.MaxInt32

func (p point) before(o point) bool { return p.n < o.n || p.n == o.n && p.line < o.line }

// turn is a ROLLBACK or a REDO of the log.
type turn struct {
	at    point   // just after the order
	to    point   // of a ROLLBACK: where it went back to
	again []int64 // of a REDO: the inputs that it gave again
}

// stretch is a stretch of the log: what came after a point, up to another.
type stretch struct{ after, to point }

// way is the stretches of the log that made a state what it is, oldest first: its history without what was undone.
type way []stretch

// wayTo returns the way to a point, given all turns up to there.
func wayTo(turns []turn, to point) (w way) {
	for _, t := range slices.Backward(turns) {
		if t.again == nil && !to.before(t.at) {
			w = append(w, stretch{t.at, to})
			to = t.to
		}
	}
	w = append(w, stretch{to: to})
	slices.Reverse(w)
	return w
}

// holds tells whether what was ruled on just before a point is in force.
func (w way) holds(p point) bool {
	return slices.ContainsFunc(w, func(s stretch) bool { return s.after.before(p) && !s.to.before(p) })
}

// but returns stretches of the way that hold all of it that another way does not go.
func (w way) but(o way) (list []stretch) {
	for _, s := range w {
		for _, common := range o {
			if common.after == s.after && s.after.before(common.to) {
				s.after = common.to
			}
		}
		if s.after.before(s.to) {
			list = append(list, s)
		}
	}
	return list
}

// past is where the log of a game is read from.
type past struct {
	ctx context.Context
	q   Queryer
}

// past is the log as this transaction sees it, with what it has not written yet.
func (w *work) past() (past, error) {
	return past{w.ctx, w.tx}, errors.Join(w.writeInputs(), w.writeSnapshots(), w.writeTurns())
}

// turns returns the turns of a game, in their order.
func (p past) turns(game string) (list []turn, err error) {
	rows, err := p.q.QueryContext(p.ctx, `SELECT n, line, to_n, to_line, again FROM turn WHERE game = $1 ORDER BY n, line`, game)
	if err != nil {
		return nil, fmt.Errorf("reading what was taken back: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var t turn
		var again string
		if err := rows.Scan(&t.at.n, &t.at.line, &t.to.n, &t.to.line, &again); err != nil {
			return nil, fmt.Errorf("reading what was taken back: %w", err)
		}
		if again != "" {
			if err := json.Unmarshal([]byte(again), &t.again); err != nil {
				return nil, fmt.Errorf("reading what was given again: %w", err)
			}
		}
		list = append(list, t)
	}
	return list, rows.Err()
}

// turnsIn are the turns of a letter of the log.
func turnsIn(n int64, body LetterBody) (list []turn) {
	for i, r := range body.Orders {
		if r.Order == nil || r.Verdict != orders.Accepted || body.Test {
			continue
		}
		t := turn{at: point{n, i + 1}}
		switch r.Order.Form {
		case formRollback:
			t.to = goesTo(*r.Order)
		case formRedo:
			t.again = []int64{}
			for _, a := range r.Again {
				t.again = append(t.again, a.N)
			}
		default:
			continue
		}
		list = append(list, t)
	}
	return list
}

// turned is a turn with the game that it belongs to.
type turned struct {
	game string
	turn
}

func (w *work) writeTurns() error {
	var rows [][]any
	for _, t := range w.turns {
		again := ""
		if t.again != nil {
			b, err := json.Marshal(t.again)
			if err != nil {
				return err
			}
			again = string(b)
		}
		rows = append(rows, []any{t.game, t.at.n, t.at.line, t.to.n, t.to.line, again})
	}
	w.turns = nil
	return w.insert(`turn (game, n, line, to_n, to_line, again)`, rows)
}

// input returns one input of a game.
func (p past) input(game string, n int64) (*Input, error) {
	list, err := Inputs(p.ctx, p.q, game, n-1, 1)
	if err == nil && (len(list) == 0 || list[0].N != n) {
		err = faultf("the log lacks input %d", n)
	}
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

// then returns the game as it was at a point: played again from the last snapshot before it.
func (g *live) then(p past, at point) (*live, error) {
	then := &live{Game: g.Game, kit: g.kit}
	if then.LastInput = at.n; at.line < whole {
		then.LastInput--
	}
	n, err := then.restore(p, then.LastInput)
	if err == nil {
		err = then.replay(p, n)
	}
	if err == nil && 0 < at.line && at.line < whole {
		err = then.playInto(p, at.n, func(line, _ int) (bool, error) { return line == at.line, nil })
	}
	if err != nil {
		return nil, fmt.Errorf("going back to input %d: %w", at.n, err)
	}
	return then, nil
}

// playInto plays an input again, a letter only to the line after which enough says so.
func (g *live) playInto(p past, n int64, enough func(line, events int) (bool, error)) error {
	in, err := p.input(g.Name, n)
	if err != nil {
		return err
	}
	if in.Kind != kindLetter {
		return g.again(p, in)
	}
	_, err = g.letterAgain(p, in, enough)
	return err
}

// pointWhere returns the point in an input after the line, or the whole, that makes enough true, and the last event up to
// there. Enough is shown the game's state after each line, and the last event so far.
func (g *live) pointWhere(p past, n int64, enough func(then *live, last int64) (bool, error)) (at point, last int64, err error) {
	at = point{n, whole}
	if last, err = p.lastEvent(g.Name, n); n == 0 || err != nil {
		return at, last, err
	}
	before, err := p.lastEvent(g.Name, n-1)
	if err != nil {
		return at, last, err
	}
	then, err := g.then(p, point{n, 0})
	if err != nil {
		return at, last, err
	}
	err = then.playInto(p, n, func(line, events int) (bool, error) {
		ok, err := enough(then, before+int64(events))
		if ok {
			at.line, last = line, before+int64(events)
		}
		return ok, err
	})
	return at, last, err
}

// lastEvent is the number of the last event up to an input.
func (p past) lastEvent(game string, n int64) (last int64, err error) {
	err = p.q.QueryRowContext(p.ctx, `SELECT last_n FROM input WHERE game = $1 AND n = $2`, game, n).Scan(&last)
	if err != nil {
		return 0, fmt.Errorf("looking for the events of input %d: %w", n, err)
	}
	return last, nil
}

// after returns the point just after an event: after the whole order or due thing that it came of, and the last event that
// did.
func (g *live) after(p past, event int64) (at point, last int64, err error) {
	var n int64
	err = p.q.QueryRowContext(p.ctx, `SELECT MIN(n) FROM input WHERE game = $1 AND last_n >= $2`, g.Name, event).Scan(&n)
	if err != nil {
		return at, 0, fmt.Errorf("looking for event %d: %w", event, err)
	}
	return g.pointWhere(p, n, func(_ *live, last int64) (bool, error) { return last >= event, nil })
}

// lastRound returns the highest round of those that a game has reached on a way: one that is over is in none any more.
func (g *live) lastRound(p past, w way) (last int64, err error) {
	now, err := g.state.Round()
	last = int64(now)
	for _, s := range w {
		to := s.to.n
		if s.to.line < whole {
			to--
		}
		var n int64
		if err == nil {
			err = p.q.QueryRowContext(p.ctx, `SELECT COALESCE(MAX(round), 0) FROM input WHERE game = $1 AND n BETWEEN $2 AND $3`, g.Name, s.after.n, to).Scan(&n)
		}
		last = max(last, n)
	}
	return last, err
}

// began returns the point at which a round began, on the way to where the game stands, and the last event up to there;
// false when it did not.
func (g *live) began(p past, w way, round int64) (at point, last int64, found bool, err error) {
	for _, s := range w {
		for from := s.after.n; ; from++ {
			var n *int64
			err := p.q.QueryRowContext(p.ctx, `SELECT MIN(n) FROM input WHERE game = $1 AND n BETWEEN $2 AND $3 AND round >= $4`,
				g.Name, from, s.to.n, round).Scan(&n)
			if err != nil {
				return at, 0, false, fmt.Errorf("looking for round %d: %w", round, err)
			}
			if n == nil {
				break
			}
			at, last, err = g.pointWhere(p, *n, func(then *live, _ int64) (bool, error) {
				now, err := then.state.Round()
				return int64(now) >= round, err
			})
			if err != nil || w.holds(at) {
				return at, last, err == nil, err
			}
			from = *n
		}
	}
	return at, 0, false, nil
}

// settleRollback finds the point that is meant, and writes it into the order with how many letters are undone.
func (c *cause) settleRollback(_ *Member, o *orders.Order, _ rules.Env) *rules.Ruling {
	refusal, err := c.findPoint(o)
	c.trouble = errors.Join(c.trouble, err)
	return refusal
}

func (c *cause) findPoint(o *orders.Order) (*rules.Ruling, error) {
	p, turns, err := c.pastAndTurns()
	if err != nil {
		return nil, err
	}
	now := wayTo(turns, c.here())
	n := o.N("n")
	var to point
	var event int64
	if o.Is("event") {
		if n < 1 || n > c.g.LastN {
			return refusedWith("E-ROLLBACK", "event", rules.Data{"last": c.g.LastN}), nil
		}
		to, event, err = c.g.after(p, n)
	} else {
		if !c.g.kit.HasRounds() {
			return refused("E-ROLLBACK", "rounds"), nil
		}
		last, err := c.g.lastRound(p, now)
		if err != nil {
			return nil, err
		}
		found := false
		if n >= 1 && n <= last {
			if to, event, found, err = c.g.began(p, now, n); err != nil {
				return nil, err
			}
		}
		if !found {
			return refusedWith("E-ROLLBACK", "round", rules.Data{"last": last}), nil
		}
	}
	if err != nil {
		return nil, err
	}
	undone, err := c.undoneBy(p, now, wayTo(turns, to))
	if err != nil {
		return nil, err
	}
	c.undone = append(c.undone, undone...)
	o.Args["input"] = []orders.Arg{{N: to.n}}
	o.Args["line"] = []orders.Arg{{N: int64(to.line)}}
	o.Args["to"] = []orders.Arg{{N: event}}
	o.Args["undone"] = []orders.Arg{{N: int64(letters(undone))}}
	for _, m := range c.g.Members {
		if m.Role != rules.GM {
			o.Args["members"] = append(o.Args["members"], orders.Arg{Text: string(m.Seat), Kind: "member", ID: string(m.Seat)})
		}
	}
	if !c.paused().since.IsZero() {
		o.Tags = append(o.Tags, "held")
	}
	return nil, nil
}

// here is the point that the game stands at: after the lines of this letter that were ruled on.
func (c *cause) here() point { return point{c.last + 1, len(c.ruled)} }

// pastAndTurns are what has been played of the game, and its turns so far.
func (c *cause) pastAndTurns() (past, []turn, error) {
	p, err := c.w.past()
	if err != nil {
		return p, nil, err
	}
	turns, err := c.turnsSoFar(p)
	return p, turns, err
}

// turnsSoFar are the turns of the game with those of this letter.
func (c *cause) turnsSoFar(p past) ([]turn, error) {
	list, err := p.turns(c.g.Name)
	return append(list, c.turns...), err
}

// goesTo is the point that a ROLLBACK goes back to.
func goesTo(o orders.Order) point { return point{o.N("input"), int(o.N("line"))} }

func reopening(o orders.Order, env rules.Env) rules.Control {
	return rules.Control{Kind: rules.Reopen, At: env.Now, Held: o.Is("held")}
}

// wentBack is the type of the event that a game was taken back: what happened after the event "to" and before it is
// undone.
const wentBack = "rolled-back"

// rolledBack tells everybody.
func rolledBack(o orders.Order, _ rules.Env) []rules.Event {
	what := "round"
	if o.Is("event") {
		what = "event"
	}
	ev := rules.Event{Type: wentBack, Rule: "E-ROLLBACK", To: rules.Audience{Tavern: true, GM: true, Copies: true},
		Data: rules.Data{what: o.N("n"), "to": o.N("to"), "undone": o.N("undone")}}
	for _, id := range o.IDs("members") {
		ev.To.Members = append(ev.To.Members, rules.Seat(id))
	}
	return []rules.Event{ev}
}

// rollback keeps that the game went back.
func (c *cause) rollback(_ *Member, o *orders.Order) {
	at := c.here()
	at.line++
	c.turns = append(c.turns, turn{at: at, to: goesTo(*o)})
	if p := c.paused(); !p.since.IsZero() {
		c.pause = &pause{c.at, p.why}
	}
	g, come := c.g, c.at
	c.after = append(c.after, func() error {
		g.present = come
		return nil
	})
}

// Again is what of a letter a rollback took back, or what became of it when it was given again.
type Again struct {
	N      int64        `json:"n"` // its input
	By     rules.Actor  `json:"by"`
	Via    string       `json:"via"`
	Letter rules.Letter `json:"letter"`
	Read   bool         `json:"read,omitempty"` // what the letter as a whole means to the ruleset is among it
	Orders []Ruled      `json:"orders"`
	Back   []TakenBack  `json:"back,omitempty"` // of no letter but a change of a post: what it took back
}

// redoable tells whether an order acted on what a rollback takes back: the engine's own do not, but for what they do to
// a member's orders.
func (k *kit) redoable(o *orders.Order) bool {
	own, ok := k.own[o.Form]
	return !ok || own.control != nil && !own.gm()
}

// takenBack returns what of a letter is gone, with nothing when that is nothing, and without what its post says no more.
// What it had given again comes after its own orders.
func (g *live) takenBack(in *Input, body LetterBody, gone func(point) bool, edited map[int64][]string) (list []Again) {
	own := Again{N: in.N, By: rules.Actor{Seat: in.Seat, Role: body.Role}, Via: body.Via, Letter: body.Letter, Read: gone(point{in.N, whole})}
	var given []Again
	for i, r := range body.Orders {
		if r.Verdict != orders.Accepted || !gone(point{in.N, i + 1}) {
			continue
		}
		for _, a := range r.Again {
			a.Orders = slices.DeleteFunc(slices.Clone(a.Orders), func(r Ruled) bool { return slices.Contains(edited[a.N], r.Line) })
			given = append(given, a)
		}
		if g.kit.redoable(r.Order) && !slices.Contains(edited[in.N], r.Line) {
			if r.By == nil {
				r.By = &own.By
			}
			own.Orders = append(own.Orders, r)
		}
	}
	if len(own.Orders) > 0 || own.Read && len(body.Orders) == 0 {
		list = append(list, own)
	}
	return append(list, given...)
}

// undoneBy returns what was in force on one way and is not on another, letter by letter.
func (c *cause) undoneBy(p past, was, now way) (list []Again, err error) {
	edited, err := p.edited(c.g.Name)
	if err != nil {
		return nil, err
	}
	gone := func(at point) bool { return was.holds(at) && !now.holds(at) }
	for _, s := range was.but(now) {
		err := p.letters(c.g.Name, s, func(in *Input, body LetterBody) error {
			list = append(list, c.g.takenBack(in, body, gone, edited)...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(c.ruled) > 0 { // this letter's own, before the order
		in := &Input{N: c.last + 1, Seat: c.letter.seat}
		list = append(list, c.g.takenBack(in, LetterBody{Orders: c.ruled}, gone, edited)...)
	}
	return list, nil
}

// letters shows the letters of a stretch of the log that were no TEST.
func (p past) letters(game string, s stretch, f func(*Input, LetterBody) error) error {
	n := s.after.n
	if s.after.line < whole {
		n--
	}
	for {
		list, err := Inputs(p.ctx, p.q, game, n, 500)
		if err != nil {
			return err
		}
		for i := range list {
			in := &list[i]
			if in.N > s.to.n {
				return nil
			}
			if n = in.N; in.Kind != kindLetter {
				continue
			}
			body, err := in.DecodeLetter()
			if err == nil && !body.Test {
				err = f(in, body)
			}
			if err != nil {
				return err
			}
		}
		if len(list) == 0 {
			return nil
		}
	}
}

// letters counts the letters that a list is of.
func letters(list []Again) int {
	seen := map[int64]bool{}
	for _, a := range list {
		seen[a.N] = true
	}
	return len(seen)
}

// settleRedo looks whether the letters may be given again, and writes their numbers into the order.
func (c *cause) settleRedo(_ *Member, o *orders.Order, _ rules.Env) *rules.Ruling {
	refusal, err := c.findUndone(o)
	c.trouble = errors.Join(c.trouble, err)
	return refusal
}

func (c *cause) findUndone(o *orders.Order) (*rules.Ruling, error) {
	p, turns, err := c.pastAndTurns()
	if err != nil {
		return nil, err
	}
	u := &undone{g: c.g, past: p, turns: turns, now: wayTo(turns, c.here()), last: c.g.LastInput}
	if u.edited, err = p.edited(c.g.Name); err != nil {
		return nil, err
	}
	var list []int64
	if o.Is("all") {
		if list, err = u.all(); err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return refused("E-REDO", "nothing"), nil
		}
	}
	for _, a := range o.Args["n"] {
		list = append(list, a.N)
	}
	if list, err = u.withBacks(list); err != nil {
		return nil, err
	}
	slices.Sort(list)
	list = slices.Compact(list)
	c.redoing = nil
	for _, n := range list {
		a, err := u.letter(n)
		if err != nil {
			return nil, err
		}
		if a == nil {
			return refusedWith("E-REDO", "", rules.Data{"n": n}), nil
		}
		c.redoing = append(c.redoing, *a)
	}
	o.Args = map[string][]orders.Arg{}
	for _, n := range list {
		o.Args["n"] = append(o.Args["n"], orders.Arg{Kind: "number", N: n})
	}
	return nil, nil
}

// undone is what rollbacks took back and nobody gave again.
type undone struct {
	g     *live
	past  past
	turns []turn
	now   way
	last  int64 // input of the log

	edited map[int64][]string // lines of letters that their posts say no more
}

func (u *undone) gone(p point) bool { return !u.now.holds(p) }

// given tells whether a letter was given again, and that is in force.
func (u *undone) given(n int64) bool {
	return slices.ContainsFunc(u.turns, func(t turn) bool { return slices.Contains(t.again, n) && u.now.holds(t.at) })
}

// letter returns what of a letter can be given again, nil for nothing.
func (u *undone) letter(n int64) (*Again, error) {
	if n < 1 || n > u.last || u.given(n) {
		return nil, nil
	}
	in, err := u.past.input(u.g.Name, n)
	if err == nil && in.Kind == kindBack {
		return u.back(in)
	}
	if err != nil || in.Kind != kindLetter {
		return nil, err
	}
	body, err := in.DecodeLetter()
	if err != nil || body.Test {
		return nil, err
	}
	if list := u.g.takenBack(in, body, u.gone, u.edited); len(list) > 0 && list[0].N == n {
		return &list[0], nil
	}
	return nil, nil
}

// back returns what of the orders that a change of a post took back is in force again, nil for nothing.
func (u *undone) back(in *Input) (*Again, error) {
	body, err := in.DecodeBack()
	if err != nil || !u.gone(point{in.N, whole}) {
		return nil, err
	}
	a := &Again{N: in.N, By: rules.Actor{Seat: in.Seat}, Via: viaPost}
	for _, o := range body.Orders {
		if u.now.holds(o.at()) {
			a.Back = append(a.Back, o)
		}
	}
	if a.Back == nil {
		return nil, nil
	}
	return a, nil
}

// withBacks adds to letters that are changed posts what each change took back, where that can be given again.
func (u *undone) withBacks(list []int64) ([]int64, error) {
	backs, err := u.past.backs(u.g.Name)
	if err != nil {
		return nil, err
	}
	for i := range backs {
		in := &backs[i]
		if !slices.Contains(list, in.N+1) {
			continue
		}
		next, err := u.past.input(u.g.Name, in.N+1)
		if err != nil || next.Inbox != in.Inbox {
			return list, err
		}
		if a, err := u.letter(in.N); err != nil {
			return nil, err
		} else if a != nil {
			list = append(list, in.N)
		}
	}
	return list, nil
}

// all returns the letters that REDO ALL means: all that came after the point that the last rollback went back to, and
// what REDO had given again after it. What an earlier rollback had taken back before stays so.
func (u *undone) all() (list []int64, err error) {
	var since point
	for _, t := range u.turns {
		if t.again == nil {
			since = t.to
		}
	}
	if since == (point{}) {
		return nil, nil
	}
	add := func(n int64) error {
		a, err := u.letter(n)
		if a != nil {
			list = append(list, n)
		}
		return err
	}
	err = u.past.letters(u.g.Name, stretch{since, point{u.last, whole}}, func(in *Input, _ LetterBody) error { return add(in.N) })
	backs, bad := u.past.backs(u.g.Name)
	err = errors.Join(err, bad)
	for i := range backs {
		if backs[i].N > since.n {
			err = errors.Join(err, add(backs[i].N))
		}
	}
	for _, t := range u.turns {
		if since.before(t.at) {
			for _, n := range t.again {
				err = errors.Join(err, add(n))
			}
		}
	}
	return list, err
}

// redo gives letters again, each for its writer, as part of the GM's own.
func (c *cause) redo(m *Member, env rules.Env) (all []rules.Event, err error) {
	at := c.here()
	at.line++
	t := turn{at: at, again: []int64{}}
	ruled, behalfOf, said := c.ruled, c.behalf, c.said
	defer func() { c.ruled, c.behalf, c.said = ruled, behalfOf, said }()
	var given []Again
	for _, a := range c.redoing {
		ev, err := c.redoOne(m, &a, env)
		if err != nil {
			return nil, fmt.Errorf("giving letter %d again: %w", a.N, err)
		}
		all = append(all, ev...)
		given = append(given, a)
		t.again = append(t.again, a.N)
	}
	c.given = given
	c.turns = append(c.turns, t)
	return all, nil
}

// redoOne gives a letter again, line by line, read as the game stands now.
func (c *cause) redoOne(m *Member, a *Again, env rules.Env) (all []rules.Event, err error) {
	if env.Letter != nil {
		a.Letter.Arrived = env.Letter.Arrived // it means the phase of now
	}
	if a.Back != nil {
		return c.backOnceMore(a, env)
	}
	env.Via, env.Letter = a.Via, &a.Letter
	was := a.Orders
	c.ruled = nil
	for _, r := range was {
		by := *r.By
		by.GM = env.By.Seat
		c.behalf = behalf{member: c.g.seat(by.Seat)}
		p := orders.Piece{Line: r.Line, InBlock: true}
		if r.Order.Text != "" {
			p.Text = strings.Split(r.Order.Text, "\n")
		}
		res, err := c.understand(p, m)
		if err != nil {
			return nil, err
		}
		ev, err := c.rule(p.Line, res, m, env)
		if err != nil {
			return nil, err
		}
		c.ruled[len(c.ruled)-1].By = &by // of an unclear line too
		all = append(all, ev...)
	}
	a.Orders = c.ruled
	a.By.GM = env.By.Seat
	if !a.Read {
		return all, nil
	}
	env.By = a.By
	ev, err := c.g.state.Read(a.Letter, env)
	return append(all, ev...), err
}

// backOnceMore takes orders back that a change of a post had taken back before.
func (c *cause) backOnceMore(a *Again, env rules.Env) (all []rules.Event, err error) {
	list := a.Back
	a.Back = nil
	for _, o := range list {
		ev, ru, err := c.g.takeBack(o, env.At, env.Now)
		if err != nil {
			return nil, err
		}
		if ru.OK() {
			all, a.Back = append(all, ev...), append(a.Back, o)
		}
	}
	return all, nil
}

// giveAgain plays again what was given again.
func (g *live) giveAgain(p past, a Again, env rules.Env) (all []rules.Event, err error) {
	if a.Back != nil {
		return g.backAgain(a.Back, env.At, env.Now)
	}
	env.Via, env.Letter = a.Via, &a.Letter
	for _, r := range a.Orders {
		ev, err := g.lineAgain(p, r, env)
		if err != nil {
			return nil, err
		}
		all = append(all, ev...)
	}
	if !a.Read {
		return all, nil
	}
	env.By = a.By
	ev, err := g.state.Read(a.Letter, env)
	return append(all, ev...), err
}

// shown are letters as texts list them: the lines that a member may see, at most maxListed.
func (c *cause) shown(list []Again, m *Member, line func(Ruled) (any, error)) (map[string]any, error) {
	var letters []map[string]any
	left, more := maxListed, 0
	for _, a := range list {
		var lines []any
		for _, r := range a.Orders {
			if m != nil && (r.By == nil || r.By.Seat != m.Seat) {
				continue
			}
			if left--; left < 0 {
				more++
				continue
			}
			l, err := line(r)
			if err != nil {
				return nil, err
			}
			lines = append(lines, l)
		}
		if len(lines) > 0 || m == nil && left > 0 && a.Back == nil {
			letters = append(letters, map[string]any{"n": a.N, "nick": c.g.seat(a.By.Seat).Nick, "lines": lines})
		}
	}
	return map[string]any{"letters": letters, "more": more}, nil
}

func onlyLine(r Ruled) (any, error) { return r.Line, nil }

// tellUndone lists to the GM what his ROLLBACK undid.
func (c *cause) tellUndone(m *Member, _ orders.Order) (string, error) {
	data, err := c.shown(c.undone, nil, onlyLine)
	if err != nil {
		return "", err
	}
	return c.say(m, "back undone all", data)
}

// tellRedone lists to the GM what came of his REDO.
func (c *cause) tellRedone(m *Member, _ orders.Order) (string, error) {
	data, err := c.shown(c.given, nil, func(r Ruled) (any, error) { return r.line(r.Reason), nil })
	if err != nil {
		return "", err
	}
	return c.say(m, "back redone", data)
}

// undoneOf lists to a member what a ROLLBACK undid of his, to another GM all of it; "" for nothing. What the same letter
// gave again stands there instead, lest he send it once more.
func (t *telling) undoneOf(m *Member) (string, error) {
	if m.Role == rules.GM && len(t.undone) > 0 {
		return t.tellUndone(m, orders.Order{})
	}
	again := t.regiven(m)
	left := slices.DeleteFunc(slices.Clone(t.undone), func(a Again) bool {
		return slices.ContainsFunc(again, func(b Again) bool { return a.N == b.N })
	})
	data, err := t.shown(left, m, onlyLine)
	if err != nil || len(data["letters"].([]map[string]any)) == 0 {
		return "", err
	}
	return t.say(m, "back undone", data)
}

// regiven is what of a member's was given again by the letter.
func (t *telling) regiven(m *Member) (list []Again) {
	for _, r := range t.ruled {
		for _, a := range r.Again {
			if slices.ContainsFunc(a.Orders, func(r Ruled) bool { return r.By != nil && r.By.Seat == m.Seat }) {
				list = append(list, a)
			}
		}
	}
	return list
}

// givenAgain lists to a member what came of his orders that were given again; "" for none.
func (t *telling) givenAgain(m *Member) (string, error) {
	list := t.regiven(m)
	if len(list) == 0 {
		return "", nil
	}
	data, err := t.shown(list, m, func(r Ruled) (any, error) {
		reason, err := t.g.reason(m, r)
		return r.line(reason), err
	})
	if err != nil {
		return "", err
	}
	return t.say(m, "back given", data)
}
