package outbox

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"arroba/store"
)

const (
	firstDelay  = time.Minute // after the first failed attempt; doubled after each one more
	lastDelay   = 6 * time.Hour
	maxAttempts = 28               // about five days
	unsureDelay = 30 * time.Minute // after an attempt that may have gone through
	maxUnsure   = 5
	restLimit   = 5 * time.Minute // of a sink that is down

	sendLimit   = 5 * time.Minute  // of one attempt
	threadLimit = 30 * time.Minute // of one to post in a thread: it is searched first, at the pace that boards allow
	grace       = 2 * time.Second  // for an attempt under way when all is to stop
	recordLimit = 2 * time.Second  // for recording its outcome then
	pollEvery   = 5 * time.Second  // for what falls due, and what other programs queued
)

// Sender sends what is due. The fields are set before the first call and not changed after.
//
// Each worker claims the first unsent item of a lane, sends it, records the outcome and looks for the next; a lane is
// therefore one worker's at a time, and a slow recipient costs one worker. While an item is under way it stays due
// with a time that lies behind every attempt's end, so that a crash repeats it and nothing else does.
type Sender struct {
	DB      *store.DB
	Route   func(Item) (Sink, error)                               // where an item goes; an error is told and the item kept
	Content func(ctx context.Context, hash string) ([]byte, error) // of a file that a mail carries; may be nil where none does
	Now     func() time.Time
	Log     *slog.Logger
	Alarm   func(ctx context.Context, subject, text string) // tells the operator; no transaction is open; may be nil
	Refused func(ctx context.Context, it Item, cause error) // is told of a mail that was refused for good, and of a post on a forum that was given up; may be nil
	Workers int                                             // 4 when 0

	once   sync.Once
	wake   chan struct{}
	mu     sync.Mutex
	flying map[string]bool // ids under way, whatever the clock says

	troubles sync.Mutex         // held until what is in outages is kept: who looks meanwhile would find the older state
	outages  map[string]Trouble // of sinks that were asked, by name
}

func (s *Sender) init() {
	s.once.Do(func() {
		s.wake = make(chan struct{}, 1)
		s.flying = map[string]bool{}
		s.outages = map[string]Trouble{}
		if s.Workers == 0 {
			s.Workers = 4
		}
	})
}

// Wake makes Run look at once whether something is due: call it after the commit of what was queued.
func (s *Sender) Wake() {
	s.init()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Once sends what is due now, and what comes due in its lanes meanwhile, and says how many items were sent. What
// could not be sent is recorded and no error; an error is of the database or the context.
func (s *Sender) Once(ctx context.Context) (sent int, err error) {
	s.init()
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range s.Workers {
		wg.Go(func() {
			n, e := s.drain(ctx)
			mu.Lock()
			defer mu.Unlock()
			sent += n
			err = cmp.Or(err, e)
		})
	}
	wg.Wait()
	return sent, err
}

// Run sends what is due until the context is done. It returns within five seconds after: what is under way then is
// ended or cut off, and its outcome recorded.
func (s *Sender) Run(ctx context.Context) error {
	s.init()
	var wg sync.WaitGroup
	for range s.Workers {
		wg.Go(func() { s.work(ctx) })
	}
	wg.Wait()
	return ctx.Err()
}

func (s *Sender) work(ctx context.Context) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if _, err := s.drain(ctx); err != nil && ctx.Err() == nil {
			s.Log.Error("outbox: cannot use the database, will try again", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case <-tick.C:
		}
	}
}

// drain sends until nothing is due that nobody else has claimed.
func (s *Sender) drain(ctx context.Context) (sent int, err error) {
	for ctx.Err() == nil {
		it, sink, found, err := s.claim(ctx)
		if err != nil {
			return sent, err
		}
		if !found {
			return sent, nil
		}
		s.Wake() // there may be more, for another worker
		ok, err := s.attempt(ctx, it, sink)
		s.land(it.ID)
		if err != nil {
			return sent, err
		}
		if ok {
			sent++
		}
	}
	return sent, ctx.Err()
}

// due selects the items that stand first in their lanes and may be tried now.
const due = `state = 'due' AND next_at <= $1
	AND seq IN (SELECT MIN(seq) FROM outbox WHERE state = 'due' GROUP BY lane) ORDER BY seq LIMIT $2`

// claim takes an item, with its next attempt's time written. Items that are not to be sent any more, or whose sink
// rests, are put aside on the way.
func (s *Sender) claim(ctx context.Context) (it Item, sink Sink, found bool, err error) {
	for {
		now := s.Now()
		list, err := items(ctx, s.DB.Read(), due, store.Micro(now), s.Workers+1) // the others may be about to claim theirs
		if err != nil {
			return it, nil, false, err
		}
		aside := false
		for _, it := range list {
			if !s.take(it.ID) {
				continue
			}
			sink, claimed, moved, err := s.claimOne(ctx, it, now)
			if claimed {
				it.Attempts++
				return it, sink, true, nil
			}
			s.land(it.ID)
			if err != nil {
				return it, nil, false, err
			}
			aside = aside || moved
		}
		if !aside {
			return it, nil, false, nil
		}
	}
}

// claimOne claims an item, or moves it out of the way.
func (s *Sender) claimOne(ctx context.Context, it Item, now time.Time) (sink Sink, claimed, moved bool, err error) {
	if !it.Expires.IsZero() && !it.Expires.After(now) {
		err = s.finish(ctx, it, now, Expired, "", "")
		return nil, false, err == nil, err
	}
	sink, err = s.Route(it)
	if err != nil {
		sink = noWay{it.Via, err}
	}
	until, err := s.resting(ctx, sink, now)
	if err != nil {
		return nil, false, false, err
	}
	if !until.IsZero() {
		moved, err = s.update(ctx, `UPDATE outbox SET next_at = $1 WHERE id = $2 AND state = 'due' AND attempts = $3`,
			store.Micro(until), it.ID, it.Attempts)
		return nil, false, moved, err
	}
	claimed, err = s.update(ctx, `UPDATE outbox SET next_at = $1, attempts = attempts + 1 WHERE id = $2 AND state = 'due' AND attempts = $3 AND next_at <= $4`,
		store.Micro(now.Add(limit(it)+time.Minute)), it.ID, it.Attempts, store.Micro(now))
	return sink, claimed, false, err
}

// limit is how long an attempt may take.
func limit(it Item) time.Duration {
	if it.Via == "forum" {
		return threadLimit
	}
	return sendLimit
}

// noWay is the sink of items that have none.
type noWay struct {
	via string
	err error
}

func (n noWay) String() string { return "the way for " + n.via }

func (n noWay) Send(context.Context, Item) (string, error) {
	return "", fmt.Errorf("%w: %w", ErrDown, n.err)
}

// attempt sends a claimed item and records the outcome. Its error is the database's.
func (s *Sender) attempt(ctx context.Context, it Item, sink Sink) (sent bool, err error) {
	receipt, sendErr := s.send(ctx, it, sink)
	stopped := ctx.Err() != nil
	// Whatever came of it is recorded, even when all is to stop.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordLimit)
	defer cancel()
	now := s.Now()
	permanent, unsure, down := errors.Is(sendErr, ErrPermanent), errors.Is(sendErr, ErrUnsure), errors.Is(sendErr, ErrDown)
	var later *LaterError
	handed := errors.As(sendErr, &later) && later.Receipt != ""
	switch {
	case sendErr != nil && stopped && !permanent && !unsure && !handed: // cut off by us, which says nothing of the sink
		return false, s.again(ctx, it, now, 1, sendErr)
	case down:
		return false, s.again(ctx, it, s.goDown(ctx, sink, now, sendErr), 1, sendErr)
	}
	s.comeUp(ctx, sink)
	log := s.Log.With("item", it.ID, "kind", it.Kind, "game", it.Game, "attempt", it.Attempts)
	switch {
	case sendErr == nil:
		log.Info("outbox: sent", "receipt", receipt)
		return true, s.finish(ctx, it, now, Sent, receipt, "")
	case later != nil:
		log.Info("outbox: to be looked at again", "because", sendErr, "next", later.At, "receipt", later.Receipt)
		return false, s.later(ctx, it, later)
	case permanent, unsure && it.Attempts >= maxUnsure, it.Attempts >= maxAttempts:
		return false, s.fail(ctx, it, now, sendErr)
	}
	next := now.Add(delay(it.Attempts, unsure))
	log.Warn("outbox: not sent, will try again", "error", sendErr, "next", next)
	return false, s.again(ctx, it, next, 0, sendErr)
}

// again puts an item back until next, with some attempts not counted.
func (s *Sender) again(ctx context.Context, it Item, next time.Time, uncounted int, cause error) error {
	_, err := s.update(ctx, `UPDATE outbox SET next_at = $1, attempts = attempts - $2, error = $3 WHERE id = $4 AND state = 'due'`,
		store.Micro(next), uncounted, store.Text(cause.Error()), it.ID)
	return err
}

// later puts an item back until it is to be looked at again; one that was handed over goes into a lane of its own.
func (s *Sender) later(ctx context.Context, it Item, e *LaterError) error {
	lane := it.Lane
	if e.Receipt != "" {
		lane = it.ID
	}
	_, err := s.update(ctx, `UPDATE outbox SET next_at = $1, attempts = attempts - 1, lane = $2, receipt = $3, error = $4 WHERE id = $5 AND state = 'due'`,
		store.Micro(e.At), lane, store.Text(cmp.Or(e.Receipt, it.Receipt)), store.Text(e.Error()), it.ID)
	return err
}

// send calls the sink. When the context ends it has a few seconds more: a letter half sent is worth finishing.
func (s *Sender) send(ctx context.Context, it Item, sink Sink) (receipt string, err error) {
	own, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit(it))
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-own.Done():
		case <-time.After(grace):
			cancel()
		}
	})
	defer stop()
	defer func() {
		if p := recover(); p != nil {
			s.Log.Error("outbox: the sink panicked", "item", it.ID, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("%w: the sink panicked: %v", ErrUnsure, p)
		}
	}()
	if it.Files, err = s.fetch(own, it.Files); err != nil {
		return "", err
	}
	return sink.Send(own, it)
}

// fetch reads the files that a mail carries.
func (s *Sender) fetch(ctx context.Context, files []File) ([]File, error) {
	full := slices.Clone(files)
	for i, f := range full {
		var err error
		if full[i].Data, err = s.Content(ctx, f.Hash); err != nil {
			return nil, fmt.Errorf("fetch the attached file %q: %w", f.Name, err)
		}
	}
	return full, nil
}

// delay is how long to wait after a number of attempts, with up to a fifth more or less so that what failed together
// does not come back together.
func delay(attempts int, unsure bool) time.Duration {
	d, n := firstDelay, attempts-1
	if unsure {
		d = unsureDelay
	}
	for ; n > 0 && d < lastDelay; n-- {
		d *= 2
	}
	return spread(min(d, lastDelay))
}

func spread(d time.Duration) time.Duration {
	return d - d/5 + rand.N(2*d/5)
}

// fail gives an item up and tells the operator.
func (s *Sender) fail(ctx context.Context, it Item, now time.Time, cause error) error {
	if err := s.finish(ctx, it, now, Failed, "", cause.Error()); err != nil {
		return err
	}
	s.Log.Error("outbox: given up", "item", it.ID, "kind", it.Kind, "game", it.Game, "attempts", it.Attempts, "error", cause)
	if s.Refused != nil && (it.Via == "mail" && errors.Is(cause, ErrPermanent) || it.Via == "forum") {
		s.Refused(ctx, it, cause)
	}
	if it.Kind != Alarm { // an alarm about an alarm would not arrive either
		s.alarm(ctx, "Not delivered: "+it.Kind+" to "+it.To,
			fmt.Sprintf("The %s of %s to %s (%q) was given up after %d attempts:\n\n%v\n\nIt is kept in the outbox as %s.",
				it.Kind, it.Date.Format(time.RFC3339), it.To, it.Subject, it.Attempts, cause, it.ID))
	}
	return nil
}

func (s *Sender) finish(ctx context.Context, it Item, now time.Time, state, receipt, failure string) error {
	_, err := s.update(ctx, `UPDATE outbox SET state = $1, receipt = $2, error = $3, done = $4 WHERE id = $5 AND state = 'due'`,
		state, store.Text(receipt), store.Text(failure), store.Micro(now), it.ID)
	return err
}

func (s *Sender) update(ctx context.Context, query string, args ...any) (changed bool, err error) {
	err = s.DB.Write(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, query, args...)
		if err != nil {
			return err
		}
		n, err := r.RowsAffected()
		changed = n == 1
		return err
	})
	if err != nil {
		return false, fmt.Errorf("record in the outbox: %w", err)
	}
	return changed, nil
}

// goDown lets a sink rest, longer after each try, or as long as it asks for, and says until when. An outage is told once.
func (s *Sender) goDown(ctx context.Context, sink Sink, now time.Time, cause error) (until time.Time) {
	what := name(sink)
	s.troubles.Lock()
	defer s.troubles.Unlock()
	o := s.outages[what]
	known := !o.Since.IsZero()
	if !known {
		o.Since = now
	}
	o.Tries++
	o.Why, o.Told = cause.Error(), true
	// Truncated as the database does: an item put aside until then would else seem due a moment before.
	o.Until = now.Add(spread(min(firstDelay<<min(o.Tries-1, 8), restLimit))).Truncate(time.Microsecond)
	var later *LaterError
	if errors.As(cause, &later) && later.At.After(o.Until) {
		o.Until = later.At.Truncate(time.Microsecond)
	}
	s.outages[what] = o
	if !known {
		s.Log.Error("outbox: a sink does not work, will try again", "sink", what, "error", cause)
		s.alarm(ctx, what+" does not work", fmt.Sprintf("%s does not work:\n\n%v\n\nNothing is lost: what is to be sent is kept, and tried again every few minutes, or when the server wants it.", what, cause))
	}
	s.keep(ctx, what, o)
	return o.Until
}

// comeUp ends an outage, if there was one.
func (s *Sender) comeUp(ctx context.Context, sink Sink) {
	what := name(sink)
	s.troubles.Lock()
	defer s.troubles.Unlock()
	was := !s.outages[what].Since.IsZero()
	s.outages[what] = Trouble{}
	if was {
		s.Log.Info("outbox: the sink works again", "sink", what)
		s.alarm(ctx, what+" works again", what+" works again.")
		s.keep(ctx, what, Trouble{})
	}
}

func (s *Sender) keep(ctx context.Context, what string, t Trouble) {
	if err := KeepTrouble(ctx, s.DB, what, t); err != nil {
		s.Log.Error("outbox: an outage cannot be kept", "sink", what, "error", err)
	}
}

// resting says until when a sink rests, the zero time when it does not.
func (s *Sender) resting(ctx context.Context, sink Sink, now time.Time) (time.Time, error) {
	what := name(sink)
	s.troubles.Lock()
	defer s.troubles.Unlock()
	o, asked := s.outages[what]
	if !asked || o.Until.After(now) { // another program may have let it be tried again
		var err error
		if o, err = LoadTrouble(ctx, s.DB, what); err != nil {
			return time.Time{}, err
		}
		s.outages[what] = o
	}
	if o.Until.After(now) {
		return o.Until, nil
	}
	return time.Time{}, nil
}

func (s *Sender) alarm(ctx context.Context, subject, text string) {
	if s.Alarm != nil {
		s.Alarm(ctx, subject, text)
	}
}

// take marks an item as under way in this program, false when it is already.
func (s *Sender) take(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flying[id] {
		return false
	}
	s.flying[id] = true
	return true
}

func (s *Sender) land(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.flying, id)
}

func name(sink Sink) string {
	if n, ok := sink.(fmt.Stringer); ok {
		return n.String()
	}
	return fmt.Sprintf("%T", sink)
}
