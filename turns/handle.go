package turns

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"arroba/ingest"
	"arroba/ingest/letter"
	"arroba/rules"
)

// Handled is what became of a batch.
type Handled struct {
	Letters []Outcome // of the batch and of letters that waited, in the order they were looked at
	Done    []string  // keys of the batch's letters to mark as done where they came from
}

// Handle takes a batch of letters from a source: keeps them, rules on them, queues what tells of it, and records how
// far the source was read, in one transaction. After an error nothing of it happened.
func (e *Engine) Handle(ctx context.Context, source string, b ingest.Batch) (Handled, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var h Handled
	if err := e.watchClock(ctx); err != nil {
		return h, err
	}
	err := e.write(ctx, func(w *work) (err error) {
		h, err = w.handle(source, b)
		return err
	})
	if err != nil {
		return Handled{}, fmt.Errorf("handling %d letters from %s: %w", len(b.Messages), source, err)
	}
	return h, nil
}

func (w *work) handle(source string, b ingest.Batch) (h Handled, err error) {
	_, before, err := ingest.Load(w.ctx, w.tx, source)
	if err != nil {
		return h, err
	}
	if err := w.saveRead(source, b); err != nil {
		return h, err
	}
	book, err := w.openBook()
	if err != nil {
		return h, err
	}
	var fresh []*arrival
	if fresh, h.Done, err = w.arrivals(source, b.Messages, book); err != nil {
		return h, err
	}
	for _, a := range fresh {
		if a.board() != "" {
			a.entry.Before = before
		}
	}
	if err := w.meet(fresh, book); err != nil {
		return h, err
	}
	waited, err := w.waiting()
	if err != nil {
		return h, err
	}
	all := append(waited, fresh...)
	inOrder(all)
	for _, a := range all {
		if err := w.sort(a, book); err != nil {
			return h, err
		}
		if err := w.ruleOn(a); err != nil {
			return h, err
		}
		w.letters = append(w.letters, a)
		h.Letters = append(h.Letters, a.outcome())
		if !a.stored && a.entry.Status != ingest.Desk {
			h.Done = append(h.Done, a.entry.Key)
		}
	}
	return h, nil
}

// arrivals reads the messages that did not come before. Done are the keys of those that did and are done.
func (w *work) arrivals(source string, list []ingest.Message, b *book) (fresh []*arrival, done []string, err error) {
	known, err := ingest.Statuses(w.ctx, w.tx, source, keys(list))
	if err != nil {
		return nil, nil, err
	}
	options := w.options(b)
	for _, m := range list {
		if status, ok := known[m.Key]; !ok {
			fresh = append(fresh, arrive(w.e.NewID(w.now), source, m, w.now, options))
			known[m.Key] = ""
		} else if status != "" && status != ingest.Desk {
			done = append(done, m.Key)
		}
	}
	return fresh, done, nil
}

func keys(list []ingest.Message) []string {
	out := make([]string, len(list))
	for i, m := range list {
		out[i] = m.Key
	}
	return out
}

func (w *work) openBook() (*book, error) {
	d, err := w.e.openDirectory(w.ctx, w.tx)
	w.book = &book{directory: d, writers: map[string][]place{}, keys: map[string][]key{}}
	return w.book, err
}

// options tells the reader of letters who we are. An address of ours that is a member's too (a GM who writes from the
// game's mailbox) is not ours: his letters are letters.
func (w *work) options(b *book) letter.Options {
	return letter.Options{MaxSize: w.e.Limits.Size, MaxParts: w.e.Limits.Parts, MaxLines: w.e.Limits.Lines, AuthservID: b.authserv,
		Own: func(address string) bool {
			address = foldAddress(address)
			if !b.own[address] {
				return false
			}
			found, err := seatsOf(w.ctx, w.tx, []string{address})
			w.failed = errors.Join(w.failed, err)
			return len(found[address]) == 0
		}}
}

// waiting returns the letters that waited in games that go on.
func (w *work) waiting() ([]*arrival, error) {
	games, err := ingest.GamesWaiting(w.ctx, w.tx)
	if err != nil {
		return nil, err
	}
	var list []*arrival
	for _, name := range games {
		var held string
		err := w.tx.QueryRowContext(w.ctx, `SELECT held FROM game WHERE name = $1`, name).Scan(&held)
		if errors.Is(err, sql.ErrNoRows) || held != "" {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("looking whether %s is held: %w", name, err)
		}
		entries, more, err := ingest.WaitingOf(w.ctx, w.tx, name, maxWaiting)
		if err != nil {
			return nil, err
		}
		w.crowded[name] = more
		for _, e := range entries {
			list = append(list, again(e))
		}
	}
	return list, nil
}

// maxWaiting is how many letters of a game that waited one transaction takes up. Those behind them wait on.
const maxWaiting = 500

// meet looks up all senders of new letters, and the letters like theirs, at once.
func (w *work) meet(list []*arrival, b *book) error {
	prints := make([]string, len(list))
	for i, a := range list {
		if a.entry.Via == viaPost && a.post != nil {
			b.posts = append(b.posts, a.post)
		} else if a.entry.Via != viaPost {
			b.senders = append(b.senders, a.entry.Sender)
		}
		prints[i] = a.entry.Fingerprint
	}
	if err := w.findWriters(b); err != nil {
		return err
	}
	var err error
	b.seen, err = ingest.Known(w.ctx, w.tx, prints)
	return err
}

// findWriters looks all senders up at once.
func (w *work) findWriters(b *book) error {
	clear(b.writers)
	mails, err := seatsOf(w.ctx, w.tx, b.senders)
	if err != nil {
		return err
	}
	posts, err := accountsOf(w.ctx, w.tx, b.posts)
	maps.Copy(b.writers, mails)
	maps.Copy(b.writers, posts)
	return err
}

// sort finds game and writer of a new letter and settles one that nothing may be carried out of. One that is left has no
// status yet. Members who changed through the letters before it are known as they are now.
func (w *work) sort(a *arrival, b *book) error {
	if a.stored && !a.retried {
		return nil
	}
	if err := w.refresh(b); err != nil {
		return err
	}
	switch class := a.read.Class; {
	case a.entry.Via == viaPost && a.fault != "":
		return w.unreadPage(a, b)
	case a.post != nil && a.post.Withdrawn:
		return w.sortWithdrawn(a)
	case class == letter.Malformed || a.fault != "":
		return w.unread(a, b)
	case class == letter.Bounced:
		return w.bounced(a)
	case class == letter.Orders && a.forBounces():
		a.entry.Class = string(letter.AutoReply)
		a.settle(ingest.Done, "it came to an address for bounces, where no person writes")
		return nil
	case a.ours(w.e.Forums):
		a.settle(ingest.Done, "it is a post of ours")
		return nil
	case class == letter.Orders:
	default:
		a.settle(ingest.Done, a.problems())
		return nil
	}
	if err := w.takeAnswer(a); err != nil || a.entry.Status != "" {
		return err
	}
	if err := w.refresh(b); err != nil { // by his answer he may have become a member
		return err
	}
	return w.identify(a, b)
}

// refresh looks the senders up again when members have changed.
func (w *work) refresh(b *book) error {
	if !b.stale {
		return nil
	}
	b.stale, b.keys = false, map[string][]key{}
	return w.findWriters(b)
}

// identify finds game and writer of a person's letter.
func (w *work) identify(a *arrival, b *book) error {
	game, doubtful, err := w.find(a, b)
	if err != nil {
		return err
	}
	var p proof
	if game != nil {
		a.entry.Game = game.Name
		if a.isHistory(game) {
			a.settle(ingest.Done, "it was posted before the game was there")
			return nil
		}
		if p, err = w.prove(a, b, game); err != nil {
			return err
		}
	}
	if p.good() {
		a.seat, a.entry.Seat = p.seat, string(p.seat)
	}
	if a.post != nil && !a.retried {
		if again, err := w.readAgain(a); again || err != nil {
			return err
		}
	}
	switch {
	case a.post == nil && a.copied(b.seen, p.seat, p.good()):
		return nil
	case a.answers && !p.good():
		a.settle(ingest.Done, answersOurs)
		return nil
	case game != nil && p.seat == "" && a.board() != "":
		return w.strangersPost(a, game)
	case game != nil && p.seat == "":
		return w.stranger(a, b, game)
	case game != nil && !p.good():
		return w.refuse(a, game, p)
	case doubtful:
		a.settle(ingest.Desk, "it is not clear which game it is for")
		return w.askWhichGame(a, b)
	case game == nil:
		a.settle(ingest.Desk, "no game was found")
		return nil
	}
	_, err = w.tooMany(a, game)
	return err
}

// ruleOn rules on a letter that nothing speaks against, after everything due by its arrival has fired. Faults of the
// game hold it; only errors of the database are returned.
func (w *work) ruleOn(a *arrival) error {
	if a.entry.Status != "" && a.entry.Status != ingest.Waiting {
		return nil
	}
	g, err := w.game(a.entry.Game)
	if isFault(err) {
		a.settle(ingest.Waiting, "")
		return w.holdUnread(a.entry.Game, err)
	}
	if err != nil {
		return err
	}
	if g.Held != "" || g.state == nil || w.crowded[g.Name] && !a.stored {
		a.settle(ingest.Waiting, "")
		return nil
	}
	behind, err := w.fireBefore(g, a.entry.Arrived)
	if err != nil || behind {
		a.settle(ingest.Waiting, "")
		return w.heldBy(g, nil, err)
	}
	if a.stored {
		a.parse(letter.Options{})
	}
	return w.heldBy(g, a, guarded(func() error { return w.carryOut(g, a) }))
}

// heldBy holds a game for a fault and passes every other error on. The letter, if any, is what the fault came of.
func (w *work) heldBy(g *live, a *arrival, err error) error {
	if !isFault(err) {
		return err
	}
	if a != nil {
		a.settle(ingest.Failed, err.Error())
	}
	return w.hold(g, a, err)
}

// carryOut rules on the orders of a letter, one by one, each as the game stands after the one before.
func (w *work) carryOut(g *live, a *arrival) error {
	at := g.notBefore(a.entry.Arrived)
	m := g.seat(a.seat)
	if m == nil || !m.Gone.IsZero() || a.stored && w.dismissed[place{g.Name, a.seat}] {
		a.settle(ingest.Desk, noMember)
		return nil
	}
	a.cover(&g.Game)
	c := w.cause(g)
	c.letter, c.to = a, a.answerTo(m)
	if a.post != nil {
		if settled, err := c.weigh(m, at); settled || err != nil {
			return err
		}
	}
	heard, err := c.hear(m, at)
	if err != nil || heard {
		return err
	}
	if a.answers {
		if a.joins { // who wrote it was nobody yet
			a.seat, a.entry.Seat = "", ""
		}
		a.settle(ingest.Done, answersOurs)
		return nil
	}
	a.settle(ingest.Desk, "it holds no order")
	if a.post != nil && a.post.Attachments == 0 { // talk, which whoever is concerned reads in the thread
		a.settle(ingest.Done, "it holds no order")
	}
	return w.hint(g, m, a)
}

// hear rules on the letter as of an instant, and logs it. Heard is false when it says nothing to the game.
func (c *cause) hear(m *Member, at time.Time) (heard bool, err error) {
	a := c.letter
	body := LetterBody{Barred: c.barred != nil, Done: slices.Clone(c.done), Via: a.entry.Via, Who: c.operator, Role: m.Role, Letter: a.forRules(c.g)}
	env := c.g.env(at, c.w.late(at), rules.Actor{Seat: a.seat, Role: m.Role}, a.entry.Via, &body.Letter)
	var produced []rules.Event
	if body.Test = c.tests(); body.Test {
		err = c.try(m, env, body.Letter)
	} else {
		produced, err = c.g.ending(func() ([]rules.Event, error) { return c.play(m, env, body.Letter) })
	}
	if err != nil || len(c.ruled) == 0 && len(produced) == 0 {
		return false, err
	}
	return true, c.finish(at, body, produced)
}

// finish logs a letter that was ruled on, with what its orders let happen at once, and settles it. A fault in what
// happens holds the game; the letter is done.
func (c *cause) finish(at time.Time, body LetterBody, produced []rules.Event) (err error) {
	a := c.letter
	body.Orders, body.Now = c.ruled, c.w.late(at)
	in := Input{Kind: kindLetter, At: at, Inbox: a.entry.ID, Seat: a.seat}
	if in.Body, err = plain(body); err != nil {
		return faultf("%w", err)
	}
	var broke error
	if !c.g.Forming() { // else there is no log yet: it begins with the opening
		if err := c.add(in, produced); err != nil {
			return err
		}
		if c.own = c.last; !body.Test {
			broke = c.atOnce(at)
		}
	}
	if err := c.commit(); err != nil {
		return err
	}
	a.input = c.own
	a.settle(ingest.Done, "")
	if m := c.g.seat(a.seat); a.board() != "" && c.to == "" && m != nil {
		if err := c.w.tellGMsOnce(c.g, "no-address", map[string]any{"nick": m.Nick}); err != nil {
			return err
		}
	}
	return c.w.heldBy(c.g, nil, broke)
}

// play rules on a letter line by line, shows it to the ruleset as a whole, and returns the events.
func (c *cause) play(m *Member, env rules.Env, letter rules.Letter) ([]rules.Event, error) {
	c.at = env.At
	produced, err := c.give(m, env)
	if err != nil {
		return nil, err
	}
	if c.barred != nil {
		return produced, nil
	}
	more, err := c.g.state.Read(letter, env)
	return append(produced, more...), err
}

// writeLetters writes the rows of the inbox.
func (w *work) writeLetters() error {
	var fresh, settled []ingest.Row
	for _, a := range w.letters {
		switch {
		case !a.stored:
			fresh = append(fresh, a.entry)
		case a.entry.Status != ingest.Waiting:
			settled = append(settled, a.entry)
		}
	}
	if err := ingest.Update(w.ctx, w.tx, settled); err != nil {
		return err
	}
	if _, err := ingest.Insert(w.ctx, w.tx, fresh); err != nil {
		return err
	}
	return w.writeAttached(w.letters)
}
