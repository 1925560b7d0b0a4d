package turns

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

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
	Now    time.Time   `json:"now,omitzero"` // when the engine came to it, of a post that was read late
}

// TakenBack is an order that waited for its round and was taken back.
type TakenBack struct {
	By   rules.Actor `json:"by"`
	N    int         `json:"n"` // its number; 0 for a READY
	Line string      `json:"line"`
}

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
	kept  []TakenBack // they wait for their round
	acted []Said      // they were carried out at once
	over  bool        // others did, and their round is over or something took their place; or it was ruled on in a game where all is over at once
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
		s.over = s.over || !c.g.kit.HasRounds()
		for i, r := range body.Orders {
			if now.holds(point{n, i + 1}) {
				err = errors.Join(err, c.stands(&s, r, rules.Actor{Seat: in.Seat, Role: body.Role}))
			}
		}
		for _, t := range turns {
			if err == nil && slices.Contains(t.again, n) && now.holds(t.at) {
				err = c.standsAgain(&s, p, t.at, n)
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
func (c *cause) stands(s *standing, r Ruled, by rules.Actor) error {
	if r.Verdict != orders.Accepted {
		return nil
	}
	if r.By != nil {
		by = *r.By
	}
	own, engines := c.g.kit.own[r.Order.Form]
	number, _ := r.Data["n"].(float64)
	switch {
	case r.Why == "kept":
		kept, err := c.g.state.Kept(rules.Viewer{Seat: by.Seat})
		if slices.ContainsFunc(kept, func(k rules.Kept) bool { return k.N == int(number) }) {
			s.kept = append(s.kept, TakenBack{by, int(number), r.Line})
		} else {
			s.over = true
		}
		return err
	case r.Order.Form == formReady:
		s.kept = append(s.kept, TakenBack{By: by, Line: r.Line})
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
				err = errors.Join(err, c.stands(s, r, a.By))
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
	if c.g.Settings.edits(a.entry.Source) == EditsLast {
		if back, err := c.takeBack(s.kept, at); err != nil || len(back) > 0 {
			return errors.Join(err, c.tellBack(m, back))
		}
	}
	if s.over && c.g.kit.HasRounds() { // else something took their place
		if _, s.over, err = c.w.dueWithin(c.g, versions[0].Taken, a.seenAt()); err != nil {
			return err
		}
	}
	switch open := slices.ContainsFunc(versions, func(r ingest.Row) bool { return r.Note == undecidedNote }); {
	case len(s.kept)+len(s.acted) > 0 || s.over:
		return c.tellChange(m, "withdrawn")
	case open:
		return c.tellChange(m, "open")
	}
	return nil
}

// edited rules on a post that was read before and says something else now, as the game's rule for edits has it. Settled
// is false when what it says now is a letter like any other: then what it said before is taken back already.
func (c *cause) edited(m *Member, versions []ingest.Row, list []Said, at time.Time) (settled bool, err error) {
	a, last := c.letter, versions[len(versions)-1]
	if a.post.Added == 0 {
		before, err := c.saidBefore(m, last)
		if err != nil || slices.Equal(before, list) {
			a.settle(ingest.Done, "its orders are what they were")
			return true, err
		}
	}
	s, err := c.standing(versions)
	if err != nil {
		return true, err
	}
	if a.post.Added > 0 {
		s = standing{}
	}
	due, late, err := c.w.dueWithin(c.g, last.Taken, a.seenAt())
	switch edits := c.g.Settings.edits(a.entry.Source); {
	case err != nil:
		return true, err
	case a.post.Added > 0 && late:
		return true, c.undecided(m, list, doubt{why: "changed", from: last.Taken, to: a.seenAt(), due: due})
	case a.post.Added > 0:
		return false, nil
	case edits == EditsFirst:
		return true, c.tellChange(m, "first")
	case edits == EditsAsk:
		return true, c.undecided(m, list, doubt{why: "ask", from: last.Taken, to: a.seenAt()})
	case last.Seat != "" && last.Seat != a.entry.Seat:
		return true, c.undecided(m, list, doubt{why: "author", from: last.Taken, to: a.seenAt()})
	case late:
		return true, c.tellChange(m, "late")
	case len(s.kept) == 0 && (len(s.acted) > 0 || !c.g.kit.HasRounds() && s.over):
		return true, c.tellChange(m, "acted")
	case c.tests():
		return false, nil
	}
	c.done = s.acted
	back, err := c.takeBack(s.kept, at)
	if err != nil || !slices.ContainsFunc(list, func(o Said) bool { return !slices.Contains(s.acted, o) }) {
		a.settle(ingest.Done, "it holds no further order")
		return true, errors.Join(err, c.tellBack(m, back))
	}
	if len(back) > 0 {
		a.note("post-replaced", map[string]any{"lines": backLines(back)})
	}
	return false, nil
}

// takeBack takes orders back, and logs it. It returns those that were.
func (c *cause) takeBack(list []TakenBack, at time.Time) ([]TakenBack, error) {
	body := BackBody{Now: c.w.late(at)}
	var all []rules.Event
	for _, o := range list {
		ev, ru, err := c.g.takeBack(o, at, body.Now)
		if err != nil {
			return nil, err
		}
		if ru.OK() {
			all, body.Orders = append(all, ev...), append(body.Orders, o)
		}
	}
	if len(body.Orders) == 0 {
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

// backAgain plays again that orders were taken back.
func (g *live) backAgain(in *Input) (all []rules.Event, err error) {
	var body BackBody
	if err := json.Unmarshal(in.Body, &body); err != nil {
		return nil, err
	}
	for _, o := range body.Orders {
		ev, ru, err := g.takeBack(o, in.At, body.Now)
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

func backLines(list []TakenBack) (lines []string) {
	for _, o := range list {
		lines = append(lines, o.Line)
	}
	return lines
}

// tellBack commits that orders were taken back and nothing took their place, and tells the member.
func (c *cause) tellBack(m *Member, back []TakenBack) error {
	if len(back) == 0 {
		return nil
	}
	a := c.letter
	a.input = c.last
	broke := c.atOnce(c.inputs[len(c.inputs)-1].At)
	if err := c.commit(); err != nil {
		return err
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
// come between, or the game takes what posts say first.
func (c *cause) tellChange(m *Member, why string) error {
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
	}
	a.settle(ingest.Desk, note)
	return c.w.tellGMsOf(c.g.Name, "post-changed", map[string]any{"from": m.Nick, "subject": a.read.Subject, "why": why,
		"id": a.entry.ID, "arrived": a.entry.Arrived, "text": strings.Join(a.read.Lines, "\n"), "link": a.post.Permalink})
}
