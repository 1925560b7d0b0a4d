package turns

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"arroba/forum"
	"arroba/ingest"
	"arroba/ingest/letter"
	"arroba/orders"
	"arroba/rules"
)

// A post may be changed, or go, after it was read. What it ordered and waits for its round is taken back, and what it says
// now is a new letter; what was carried out stays, and a GM is told.

// BackBody is what the log keeps of orders that were taken back because the post that gave them says so no more.
type BackBody struct {
	Orders []TakenBack `json:"orders"`
	Undone []TakenBack `json:"undone,omitempty"` // that a ROLLBACK had undone already: no REDO gives them again
	Now    time.Time   `json:"now,omitzero"`     // when the engine came to it, of a post that was read late
}

// TakenBack is an order that waited for its round and was taken back.
type TakenBack struct {
	By     rules.Actor `json:"by"`
	N      int         `json:"n"` // its number; 0 for a READY
	Line   string      `json:"line"`
	Letter int64       `json:"letter"` // the input of the letter that it stood in
	Input  int64       `json:"input"`  // that gave it: the letter, or a REDO
	Order  int         `json:"order"`  // which of that input's orders
}

// at is the point of the log at which it was given.
func (o TakenBack) at() point { return point{o.Input, o.Order} }

// versions returns the versions of a post that were read before it, in their order, whatever game they were for.
func (w *work) versions(a *arrival) ([]ingest.Row, error) {
	prefix := ""
	if board := a.board(); board != "" {
		prefix = board + "/"
	}
	list, err := ingest.PostVersions(w.ctx, w.tx, a.entry.Source, prefix, a.read.MessageID)
	if err != nil || a.read.MessageID == "" {
		return nil, err
	}
	for _, other := range w.letters { // not written yet
		if other.post != nil && other.post.ID == a.post.ID && !other.stored && other.board() == a.board() && other.entry.Class != string(letter.Duplicate) {
			list = append(list, other.entry)
		}
	}
	return slices.DeleteFunc(list, func(r ingest.Row) bool {
		return r.ID == a.entry.ID || cmp.Or(r.Taken.Compare(a.entry.Taken), r.Arrived.Compare(a.entry.Arrived), cmp.Compare(r.Key, a.entry.Key)) > 0
	}), nil
}

// readAgain settles a post that says what it said when it was read last.
func (w *work) readAgain(a *arrival) (bool, error) {
	list, err := w.versions(a)
	if err != nil || len(list) == 0 || list[len(list)-1].Fingerprint != a.entry.Fingerprint || list[len(list)-1].Game != a.entry.Game {
		return false, err
	}
	a.entry.Class = string(letter.Duplicate)
	a.settle(ingest.Done, "the same post was read before")
	return true, nil
}

// sortWithdrawn finds out whose a post was that is gone. Nothing but what was read of it before tells.
func (w *work) sortWithdrawn(a *arrival) error {
	list, err := w.versions(a)
	switch {
	case err != nil:
		return err
	case len(list) == 0:
		a.settle(ingest.Done, "it went before it was read")
		return nil
	}
	last := list[len(list)-1]
	a.entry.Game, a.entry.Seat, a.seat = last.Game, last.Seat, rules.Seat(last.Seat)
	if same, err := w.readAgain(a); same || err != nil {
		return err
	}
	if a.seat == "" {
		a.settle(ingest.Done, "the post of nobody known is gone")
	}
	return nil
}

// Said is a line of a letter that is an order, or nearly one, with the text below it.
type Said struct {
	Line string `json:"line"`
	Text string `json:"text,omitempty"`
}

// says returns the orders of the letter as it reads now, carrying none out.
func (c *cause) says(m *Member) (list []Said, err error) {
	err = c.eachLine(m, func(line string, res orders.Result) error {
		s := Said{Line: line}
		if res.Order != nil {
			s.Text = res.Order.Text
		}
		list = append(list, s)
		return nil
	})
	return list, err
}

// saidBefore returns the orders of an earlier version of a post.
func (c *cause) saidBefore(m *Member, row ingest.Row) ([]Said, error) {
	row, err := c.w.withBytes(row)
	if err != nil {
		return nil, err
	}
	old := again(row)
	old.parse(letter.Options{})
	if old.post != nil && old.post.Added > 0 { // all that stood there by then
		old.post.Added = 0
		old.read.Lines = cleaned(old.post.Lines)
		old.steer()
	}
	old.cover(&c.g.Game)
	before := c.w.cause(c.g)
	before.letter = old
	return before.says(m)
}

// withBytes returns a row with its raw bytes.
func (w *work) withBytes(row ingest.Row) (ingest.Row, error) {
	for _, a := range w.letters {
		if a.entry.ID == row.ID {
			return a.entry, nil
		}
	}
	return ingest.Show(w.ctx, w.tx, row.ID)
}

// standing is what stands of the orders that earlier versions of a post gave.
type standing struct {
	kept   []TakenBack // they wait for their round
	acted  []Said      // they were carried out at once
	undone []TakenBack // a ROLLBACK undid them, and nobody gave them again
	over   bool        // others waited, and their round is over or something took their place
}

// standing finds what stands of earlier versions of the post.
func (c *cause) standing(versions []ingest.Row) (s standing, err error) {
	p, turns, err := c.pastAndTurns()
	if err != nil {
		return s, err
	}
	now := wayTo(turns, c.here())
	for _, v := range versions {
		if v.Game != c.g.Name {
			continue
		}
		n, err := p.inputOf(c.g.Name, v.ID)
		if err != nil {
			return s, err
		}
		if n == 0 {
			continue
		}
		in, err := p.input(c.g.Name, n)
		if err != nil {
			return s, err
		}
		body, err := in.DecodeLetter()
		if err != nil {
			return s, err
		}
		if body.Test {
			continue
		}
		again := false
		for _, t := range turns {
			if slices.Contains(t.again, n) && now.holds(t.at) {
				again = true
				err = errors.Join(err, c.standsAgain(&s, p, t.at, n))
			}
		}
		for i, r := range body.Orders {
			o := TakenBack{By: rules.Actor{Seat: in.Seat, Role: body.Role}, Line: r.Line, Letter: n, Input: n, Order: i + 1}
			switch {
			case now.holds(o.at()):
				err = errors.Join(err, c.stands(&s, r, o))
			case !again && r.Verdict == orders.Accepted && c.g.kit.redoable(r.Order):
				s.undone = append(s.undone, o)
			}
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// inputOf returns the input that a letter of the inbox is in a game's log, 0 when it is none.
func (p past) inputOf(game, inbox string) (n int64, err error) {
	err = p.q.QueryRowContext(p.ctx, `SELECT COALESCE(MAX(n), 0) FROM input WHERE inbox = $1 AND inbox <> '' AND game = $2 AND kind = $3`, inbox, game, kindLetter).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("looking for the letter %s in the log: %w", inbox, err)
	}
	return n, nil
}

// stands adds an order of the log to what stands.
func (c *cause) stands(s *standing, r Ruled, o TakenBack) error {
	if r.Verdict != orders.Accepted {
		return nil
	}
	if r.By != nil {
		o.By = *r.By
	}
	own, engines := c.g.kit.own[r.Order.Form]
	number, _ := r.Data["n"].(float64)
	switch {
	case r.Why == "kept":
		o.N = int(number)
		kept, err := c.g.state.Kept(rules.Viewer{Seat: o.By.Seat})
		if slices.ContainsFunc(kept, func(k rules.Kept) bool { return k.N == o.N }) {
			s.kept = append(s.kept, o)
		} else {
			s.over = true
		}
		return err
	case r.Order.Form == formReady:
		s.kept = append(s.kept, o)
	case !engines || own.do != nil || own.events != nil:
		s.acted = append(s.acted, Said{r.Line, r.Order.Text})
	}
	return nil
}

// standsAgain adds what a REDO gave again of a letter.
func (c *cause) standsAgain(s *standing, p past, at point, n int64) error {
	in, err := p.input(c.g.Name, at.n)
	if err != nil {
		return err
	}
	body, err := in.DecodeLetter()
	if err != nil {
		return err
	}
	for _, a := range body.Orders[at.line-1].Again {
		for _, r := range a.Orders {
			if a.N == n {
				err = errors.Join(err, c.stands(s, r, TakenBack{By: a.By, Line: r.Line, Letter: n, Input: at.n, Order: at.line}))
			}
		}
	}
	return err
}

// withdrawn rules on a post that is gone.
func (c *cause) withdrawn(m *Member, at time.Time) error {
	a := c.letter
	a.settle(ingest.Done, "the post is gone")
	versions, err := c.w.versions(a)
	if err != nil {
		return err
	}
	s, err := c.standing(versions)
	if err != nil {
		return err
	}
	a.read.Subject = versions[len(versions)-1].Subject // a post that is gone has none
	his, err := c.isHis(m, versions[len(versions)-1])
	if err != nil {
		return err
	}
	if his && c.g.Settings.edits(a.entry.Source) == EditsLast {
		back, err := c.takeBack(s, at)
		if err = errors.Join(err, c.tellBack(m, back)); err != nil || len(back) > 0 {
			return err
		}
	}
	if s.over { // unless something took their place
		if _, s.over, err = c.w.dueWithin(c.g, versions[0].Taken, a.seenAt()); err != nil {
			return err
		}
	}
	switch {
	case len(s.kept)+len(s.acted) > 0 || s.over:
		return c.tellChange(m, "withdrawn", nil)
	case undecidedOn(versions):
		return c.tellChange(m, "open", nil)
	}
	return nil
}

// undecidedOn tells whether a GM was to decide on one of some versions of a post. He may have let it count.
func undecidedOn(versions []ingest.Row) bool {
	return slices.ContainsFunc(versions, func(r ingest.Row) bool { return r.Note == undecidedNote })
}

// isHis tells whether a post stands by an account that is a member's now: his seat may have been another's then, whose
// posts are none of his.
func (c *cause) isHis(m *Member, row ingest.Row) (bool, error) {
	row, err := c.w.withBytes(row)
	if err != nil {
		return false, err
	}
	post := again(row)
	if post.parse(letter.Options{}); post.post == nil {
		return false, nil
	}
	found, err := accountsOf(c.w.ctx, c.w.tx, []*forum.Record{post.post})
	for _, key := range post.writerKeys(&c.g.Game) {
		if slices.Contains(found[key], place{c.g.Name, m.Seat}) {
			return true, err
		}
	}
	return false, err
}

// sameOrders settles a post that orders what it did when it was read last.
func (c *cause) sameOrders(m *Member, last ingest.Row, list []Said) (bool, error) {
	before, err := c.saidBefore(m, last)
	if err != nil || !slices.Equal(before, list) {
		return false, err
	}
	c.letter.settle(ingest.Done, "its orders are what they were")
	return true, nil
}

// without is a list less what another one has.
func without(list, less []Said) (left []Said) {
	less = slices.Clone(less)
	for _, s := range list {
		if i := slices.Index(less, s); i >= 0 {
			less = slices.Delete(less, i, i+1)
		} else {
			left = append(left, s)
		}
	}
	return left
}

func saidLines(list []Said) (lines []string) {
	for _, s := range list {
		lines = append(lines, s.Line)
	}
	return lines
}

// edited rules on a post that was read before and says something else now, as the game's rule for edits has it. Settled
// is false when what it says now is a letter like any other: then what it said before is taken back already.
func (c *cause) edited(m *Member, versions []ingest.Row, list []Said, at time.Time) (settled bool, err error) {
	a, last := c.letter, versions[len(versions)-1]
	if a.post.Added == 0 {
		if same, err := c.sameOrders(m, last, list); same || err != nil {
			return true, err
		}
	}
	s, err := c.standing(versions)
	if err != nil {
		return true, err
	}
	known := versions[0].Taken // a post is of the round that it was first read in, however often it changes
	if a.post.Added > 0 {
		known = last.Taken
	}
	due, late, err := c.w.dueWithin(c.g, known, a.seenAt())
	fresh, dropped := without(list, s.acted), without(s.acted, list)
	switch edits := c.g.Settings.edits(a.entry.Source); {
	case err != nil:
		return true, err
	case a.post.Added > 0 && late:
		return true, c.undecided(m, list, doubt{why: "changed", from: last.Taken, to: a.seenAt(), due: due})
	case a.post.Added > 0:
		return false, nil
	case edits == EditsFirst:
		return true, c.tellChange(m, "first", list)
	case edits == EditsAsk:
		return true, c.undecided(m, list, doubt{why: "ask", from: last.Taken, to: a.seenAt()})
	case last.Seat != "" && last.Seat != a.entry.Seat:
		return true, c.undecided(m, list, doubt{why: "author", from: last.Taken, to: a.seenAt()})
	case late:
		return true, c.tellChange(m, "late", list)
	case len(list) > 0 && undecidedOn(versions):
		return true, c.undecided(m, list, doubt{why: "open", from: last.Taken, to: a.seenAt()})
	case len(s.kept) == 0 && len(dropped) > 0:
		return true, c.tellChange(m, "acted", fresh)
	}
	back, err := c.takeBack(s, at)
	if err != nil || len(fresh) == 0 {
		a.settle(ingest.Done, "it holds no further order")
		return true, errors.Join(err, c.tellBack(m, back))
	}
	if len(back) > 0 {
		a.note("post-replaced", map[string]any{"lines": backLines(back)})
	}
	if len(s.acted) > 0 && !c.tests() {
		c.done = s.acted
		a.note("post-stays", map[string]any{"lines": saidLines(s.acted)})
	}
	return false, nil
}

// takeBack takes back what of a post waits for its round, and logs it. It returns the orders that were. Those that a
// ROLLBACK undid are not to be given again either.
func (c *cause) takeBack(s standing, at time.Time) ([]TakenBack, error) {
	body := BackBody{Undone: s.undone, Now: c.w.late(at)}
	var all []rules.Event
	for _, o := range s.kept {
		ev, ru, err := c.g.takeBack(o, at, body.Now)
		if err != nil {
			return nil, err
		}
		if ru.OK() {
			all, body.Orders = append(all, ev...), append(body.Orders, o)
		}
	}
	if len(body.Orders)+len(body.Undone) == 0 {
		return nil, nil
	}
	in := Input{Kind: kindBack, At: at, Inbox: c.letter.entry.ID, Seat: c.letter.seat}
	var err error
	if in.Body, err = plain(body); err != nil {
		return nil, faultf("%w", err)
	}
	return body.Orders, c.add(in, all)
}

// takeBack lets the ruleset take one order back.
func (g *live) takeBack(o TakenBack, at, now time.Time) ([]rules.Event, rules.Ruling, error) {
	what := rules.Control{Kind: rules.Cancel, N: o.N, Sent: at}
	if o.N == 0 {
		what.Kind = rules.Wait
	}
	return g.state.Control(what, g.env(at, now, o.By, viaPost, nil))
}

// DecodeBack returns what the log keeps of orders that were taken back.
func (in *Input) DecodeBack() (body BackBody, err error) {
	if err := json.Unmarshal(in.Body, &body); err != nil {
		return body, fmt.Errorf("reading what input %d took back: %w", in.N, err)
	}
	return body, nil
}

// backAgain plays again that orders were taken back.
func (g *live) backAgain(list []TakenBack, at, now time.Time) (all []rules.Event, err error) {
	for _, o := range list {
		ev, ru, err := g.takeBack(o, at, now)
		if err == nil && !ru.OK() {
			err = fmt.Errorf("order %d cannot be taken back any more", o.N)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, ev...)
	}
	return all, nil
}

// backs returns the inputs of a game by which orders were taken back, in their order.
func (p past) backs(game string) ([]Input, error) {
	return inputs(p.ctx, p.q, `game = $1 AND kind = $2 ORDER BY n`, game, kindBack)
}

// edited are the lines of a game's letters that their posts say no more: what a ROLLBACK undoes of them is not given again.
func (p past) edited(game string) (map[int64][]string, error) {
	list, err := p.backs(game)
	if err != nil {
		return nil, err
	}
	edited := map[int64][]string{}
	for i := range list {
		body, err := list[i].DecodeBack()
		if err != nil {
			return nil, err
		}
		for _, o := range append(body.Orders, body.Undone...) {
			edited[o.Letter] = append(edited[o.Letter], o.Line)
		}
	}
	return edited, nil
}

func backLines(list []TakenBack) (lines []string) {
	for _, o := range list {
		lines = append(lines, o.Line)
	}
	return lines
}

// tellBack commits that orders were taken back, if any were, and nothing took their place, and tells the member.
func (c *cause) tellBack(m *Member, back []TakenBack) error {
	if len(c.inputs) == 0 {
		return nil
	}
	a := c.letter
	a.input = c.last
	broke := c.atOnce(c.inputs[len(c.inputs)-1].At)
	if err := c.commit(); err != nil {
		return err
	}
	if len(back) == 0 {
		return c.w.heldBy(c.g, nil, broke)
	}
	data := map[string]any{"subject": a.read.Subject, "lines": backLines(back), "gone": a.post.Withdrawn}
	for i := range c.g.Members {
		his := func(o TakenBack) bool { return o.By.Seat == c.g.Members[i].Seat }
		if o := &c.g.Members[i]; o.mail() != "" && (o.Seat == m.Seat || slices.ContainsFunc(back, his)) {
			c.w.ask(c.g, o, o.mail(), nil, "post-taken-back", data)
		}
	}
	return c.w.heldBy(c.g, nil, broke)
}

// tellChange leaves a change of a post without effect, and tells the GMs why: its orders were carried out, a deadline has
// come between, the game takes what posts say first, or anybody may have made it. They hear how they let orders of it count
// all the same, and its writer hears that they do not.
func (c *cause) tellChange(m *Member, why string, list []Said) error {
	a := c.letter
	note := "the post was changed after its orders were carried out"
	switch why {
	case "withdrawn":
		note = "the post is gone, and its orders were carried out"
	case "open":
		note = "the post is gone that the GM was to decide on"
	case "late":
		note = "the post was changed after a deadline: what it said before counts"
	case "first":
		note = "the post was changed: what it said first counts"
	case "wiki":
		note = "anybody may edit the post now: what it said before counts"
	}
	a.settle(ingest.Desk, note)
	data := map[string]any{"from": m.Nick, "subject": a.read.Subject, "why": why, "id": a.entry.ID, "arrived": a.entry.Arrived,
		"text": strings.Join(a.read.Lines, "\n"), "link": a.post.Permalink, "lines": c.behalfOf(m, list)}
	if err := c.w.tellGMsOf(c.g.Name, "post-changed", data); err != nil {
		return err
	}
	if to := a.answerTo(m); to != "" && m.Role != rules.GM && !a.post.Withdrawn {
		c.w.ask(c.g, m, to, a, "post-void", data)
	}
	return nil
}
