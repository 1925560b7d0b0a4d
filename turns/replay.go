package turns

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"arroba/ingest"
	"arroba/ingest/letter"
	"arroba/orders"
	"arroba/rules"
)

// Replayed is how much of a game was played again.
type Replayed struct {
	Inputs, Events, Snapshots int64
}

// Difference is the first thing that came out otherwise when a game was played again.
type Difference struct {
	Input    int64  // of the log
	Was, Now string // what the log has, and what came now
}

func (d *Difference) Error() string {
	return fmt.Sprintf("input %d: the log has %s, and now comes %s", d.Input, d.Was, d.Now)
}

// Replay plays every input of a game's log again, from the state that it was opened with, and compares all of it byte
// by byte: the chain of hashes, the events, the snapshots on the way, and the state in which the game stands. The error
// is a *Difference, or says what of the log was changed after it was written.
//
// Raw, if it is not nil, hears of the letters that today's reader reads otherwise than the log has them.
func (e *Engine) Replay(ctx context.Context, game string, raw func(said string)) (r Replayed, err error) {
	tx, err := e.DB.Read().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return r, fmt.Errorf("reading the game %s: %w", game, err)
	}
	defer tx.Rollback()
	g, err := e.known(ctx, tx, game)
	if err != nil {
		return r, err
	}
	if g.Forming() {
		return r, fmt.Errorf("the game %s has not begun: there is nothing to play again", game)
	}
	p := past{ctx, tx}
	if err := g.checkOpening(ctx, tx); err != nil {
		return r, err
	}
	if _, err := g.restore(p, 0); err != nil {
		return r, fmt.Errorf("reading the opening of %s: %w", game, err)
	}
	s := &replaying{Replayed: &r, e: e, g: g, p: p, raw: raw}
	if err := guarded(s.all); err != nil {
		return r, fmt.Errorf("playing %s again: %w", game, err)
	}
	noted, err := p.turns(game)
	if err = errors.Join(err, g.checkEnd(&s.last), compareTurns(noted, s.turns)); err != nil {
		return r, err
	}
	stands, err := e.stands(ctx, tx, game, s.last.Chain)
	if err != nil {
		return r, err
	}
	return r, s.compare(stands, "the state in which the game stands")
}

// stands is the state of a game after its whole log, as the engine has it in memory, or reads it.
func (e *Engine) stands(ctx context.Context, tx *sql.Tx, game string, chain []byte) ([]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if g := e.live[game]; g != nil && bytes.Equal(g.chain, chain) {
		return g.state.Encode()
	}
	g, err := e.read(ctx, tx, game)
	if err != nil {
		return nil, err
	}
	return g.state.Encode()
}

// replaying is a game that is being played again.
type replaying struct {
	*Replayed
	e     *Engine
	g     *live
	p     past
	last  Input  // that was played
	turns []turn // that were
	raw   func(string)

	snapshot int64  // the next one, 0 when it was not looked for yet, -1 when there is none
	state    []byte // of it
}

// all plays the log page after page. While one is played, what the next one holds is decoded.
func (s *replaying) all() error {
	s.last.N = -1
	page := s.page(s.last.N)
	for {
		list, err := page()
		if err != nil || len(list) == 0 {
			return err
		}
		page = s.page(list[len(list)-1].N)
		for i := range list {
			if err := s.one(&list[i]); err != nil {
				return err
			}
		}
	}
}

// page reads the inputs after one, and returns them once they are decoded.
func (s *replaying) page(after int64) func() ([]Input, error) {
	list, err := Inputs(s.p.ctx, s.p.q, s.g.Name, after, 500)
	decoded := make(chan struct{})
	go func() {
		defer close(decoded)
		for i := range list {
			list[i].decodeAhead()
		}
	}()
	return func() ([]Input, error) {
		<-decoded
		return list, err
	}
}

// one plays one input, and compares what comes of it.
func (s *replaying) one(in *Input) error {
	if err := in.check(s.last.N+1, s.last.Chain); err != nil {
		return err
	}
	s.last = *in
	if in.N == 0 {
		return s.opened(in)
	}
	if s.raw != nil && in.Kind == kindLetter && in.Inbox != "" {
		if err := s.reread(in); err != nil {
			return err
		}
	}
	produced, err := s.g.playAgain(s.p, in)
	if err != nil {
		return fmt.Errorf("input %d: %w", in.N, err)
	}
	if err := in.compare(produced); err != nil {
		return err
	}
	if round, err := s.g.state.Round(); err != nil || round != in.round {
		return errors.Join(err, &Difference{in.N, fmt.Sprintf("round %d after it", in.round), fmt.Sprintf("round %d", round)})
	}
	if in.Kind == kindLetter {
		body, err := in.DecodeLetter()
		if err != nil {
			return err
		}
		s.turns = append(s.turns, turnsIn(in.N, body)...)
	}
	s.Inputs++
	s.Events += int64(len(produced))
	if err := s.next(); err != nil || s.snapshot != in.N {
		return err
	}
	s.Snapshots++
	state := s.state
	s.snapshot = 0
	return s.compare(state, "the snapshot after it")
}

// opened looks at the opening, which was not played: its seed is the one that was promised.
func (s *replaying) opened(in *Input) error {
	events, err := in.DecodeEvents()
	s.Events += int64(len(events))
	promise, perr := numbered([]rules.Event{seedCommitted(s.g.seed)}, 0, in.At)
	if err = errors.Join(err, perr); err != nil {
		return err
	}
	for _, ev := range events {
		if ev.Type == promise[0].Type && !bytes.Equal(ev.Data, promise[0].Data) {
			return errors.New("the seed of the game is not the one whose hash it published at its opening")
		}
	}
	return nil
}

// compareTurns compares what is noted of the ROLLBACKs and REDOs of a log, to find what they mean, with themselves.
func compareTurns(noted, are []turn) error {
	same := func(a, b turn) bool { return a.at == b.at && a.to == b.to && slices.Equal(a.again, b.again) }
	for i := range max(len(noted), len(are)) {
		switch {
		case i >= len(noted) || i < len(are) && are[i].at.before(noted[i].at):
			return &Difference{are[i].at.n, "no note that the game was turned back", "one"}
		case i >= len(are) || !same(noted[i], are[i]):
			return &Difference{noted[i].at.n, "a note that the game was turned back", "another, or none"}
		}
	}
	return nil
}

// checkTurns looks whether the ROLLBACKs and REDOs of a game's log are noted as they are.
func (p past) checkTurns(game string) error {
	noted, err := p.turns(game)
	if err != nil {
		return err
	}
	var are []turn
	err = p.letters(game, stretch{to: point{math.MaxInt64, whole}}, func(in *Input, body LetterBody) error {
		are = append(are, turnsIn(in.N, body)...)
		return nil
	})
	return errors.Join(err, compareTurns(noted, are))
}

// next finds the next snapshot.
func (s *replaying) next() error {
	if s.snapshot != 0 {
		return nil
	}
	var hash []byte
	err := s.p.q.QueryRowContext(s.p.ctx, `SELECT n, state, hash FROM snapshot WHERE game = $1 AND n >= $2 ORDER BY n LIMIT 1`, s.g.Name, s.last.N).
		Scan(&s.snapshot, &s.state, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		s.snapshot = -1
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the snapshots: %w", err)
	}
	if sum := sha256.Sum256(s.state); !bytes.Equal(sum[:], hash) {
		return fmt.Errorf("the snapshot after input %d was changed after it was written", s.snapshot)
	}
	return nil
}

// compare compares a state with the one that came.
func (s *replaying) compare(was []byte, what string) error {
	now, err := s.g.state.Encode()
	if err != nil {
		return err
	}
	if bytes.Equal(was, now) {
		return nil
	}
	i := 0
	for i < min(len(was), len(now)) && was[i] == now[i] {
		i++
	}
	return &Difference{s.last.N, fmt.Sprintf("%s with %q from byte %d on", what, excerpt(was, i), i), fmt.Sprintf("%q", excerpt(now, i))}
}

// excerpt is a piece of a text round a byte.
func excerpt(b []byte, at int) []byte { return b[max(at-20, 0):min(at+60, len(b))] }

// compare compares the events of an input, as the log has them, with those that came now.
func (in *Input) compare(produced []rules.Event) error {
	now, err := numbered(produced, in.lastN-int64(len(produced)), in.At)
	if err != nil {
		return err
	}
	if b, err := plain(now); err != nil || bytes.Equal(b, in.Events) {
		return err
	}
	was, err := in.DecodeEvents()
	if err != nil {
		return err
	}
	if len(was) > 0 {
		if now, err = numbered(produced, was[0].N-1, in.At); err != nil {
			return err
		}
	}
	for i := range max(len(was), len(now)) {
		if a, b := nthEvent(was, i), nthEvent(now, i); a != b {
			return &Difference{in.N, a, b}
		}
	}
	return &Difference{in.N, "its events written otherwise", "the same"}
}

func nthEvent(list []Event, i int) string {
	if i >= len(list) {
		return "no further event"
	}
	b, err := plain(list[i])
	if err != nil {
		return err.Error()
	}
	return "the event " + string(b)
}

// reread reads the kept bytes of a letter, and tells where its orders come out otherwise than the log has them.
func (s *replaying) reread(in *Input) error {
	row, err := ingest.Show(s.p.ctx, s.p.q, in.Inbox)
	if errors.Is(err, sql.ErrNoRows) {
		s.raw(fmt.Sprintf("input %d: its letter %s is not kept", in.N, in.Inbox))
		return nil
	}
	if err != nil {
		return err
	}
	body, err := in.DecodeLetter()
	if err != nil {
		return err
	}
	a := again(row)
	a.seat = in.Seat
	a.parse(letter.Options{AuthservID: s.g.Settings.AuthservID})
	a.cover(&s.g.Game)
	if s.readAs(s.g, a, body, nil) == nil {
		return nil // with the names as they stood before the letter; its own orders may have brought some
	}
	trial, err := s.g.copy()
	if err != nil {
		return err
	}
	env := trial.env(in.At, body.Now, rules.Actor{Seat: in.Seat, Role: body.Role}, body.Via, &body.Letter)
	differs := s.readAs(trial, a, body, func(r Ruled) error {
		_, err := trial.lineAgain(s.p, r, env)
		return err
	})
	if differs != nil {
		s.raw(fmt.Sprintf("input %d, letter %s: %v", in.N, in.Inbox, differs))
	}
	return nil
}

// readAs tells how a letter is read otherwise than the log has its lines, nil when it is read alike. After each line
// play, unless it is nil, brings the game to where the next was read.
func (s *replaying) readAs(g *live, a *arrival, was LetterBody, play func(Ruled) error) error {
	c := &cause{w: &work{e: s.e, ctx: s.p.ctx}, g: g, letter: a, done: slices.Clone(was.Done)}
	c.tried = c.tests()
	left := was.Orders
	err := c.eachLine(g.seat(a.seat), func(line string, res orders.Result) error {
		if c.wasDone(line, res) {
			return nil
		}
		if len(left) == 0 {
			return fmt.Errorf("the log has no further line, and today's reader finds %s", described(line, res.Order, res.Unclear))
		}
		r := left[0]
		left = left[1:]
		if line != r.Line || !c.readAlike(r, res) {
			return fmt.Errorf("the log has %s, and today's reader finds %s", described(r.Line, r.Order, r.Unclear), described(line, res.Order, res.Unclear))
		}
		if play == nil {
			return nil
		}
		return play(r)
	})
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("the log has %s, and today's reader finds no further line", described(left[0].Line, left[0].Order, left[0].Unclear))
	}
	return err
}

// readAlike tells whether a line reads as the log has it. What the engine wrote into its own orders is not compared.
func (c *cause) readAlike(was Ruled, now orders.Result) bool {
	if was.Order == nil || now.Order == nil {
		return was.Order == nil && now.Order == nil
	}
	if own, ok := c.g.kit.own[was.Order.Form]; ok && own.settle != nil {
		return was.Order.Form == now.Order.Form && was.Order.Text == now.Order.Text
	}
	a, err := json.Marshal(was.Order)
	b, err2 := json.Marshal(now.Order)
	return err == nil && err2 == nil && bytes.Equal(a, b)
}

// described is what a line was read as.
func described(line string, o *orders.Order, u *orders.Unclearness) string {
	switch {
	case o != nil:
		return fmt.Sprintf("the order %s in %q", o.Form, line)
	case u != nil:
		return fmt.Sprintf("the unclear line %q", line)
	}
	return fmt.Sprintf("the line %q", line)
}
