package turns

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"arroba/forum"
	"arroba/ingest"
	"arroba/outbox"
)

const (
	firstDelay = time.Second // after the first failed poll; doubled after each one more
	lastDelay  = 5 * time.Minute
	loginDelay = 15 * time.Minute // after a refused log-in: more tries would lock the account
	stopDelay  = time.Hour        // after what a person must see to
	guardDelay = 24 * time.Hour   // after a guard that wants to see a person: it is not to be worn down
	alarmAfter = 2 * time.Minute  // of an outage, before the operator is told
	markDelay  = time.Hour        // after letters could not be marked as done
	markMost   = 500              // letters that are marked at once
)

// Reader is the step that reads one source: poll, handle, mark as done. The fields are set before the first call.
type Reader struct {
	Engine *Engine
	Name   string // of the source, as in Feed
	Source ingest.Source
	Every  time.Duration // between polls when nothing hints at letters; a minute when 0
	Least  time.Duration // between polls whatever hurries them
	Thread bool          // it is a thread, whose games' GMs hear when a person must see to it

	once  sync.Once
	hurry chan struct{}

	markAgain time.Time // not before; letters could not be marked
	failed    int       // batches in a row that the engine failed on

	mu       sync.Mutex
	lastRead time.Time      // of the last good poll
	err      error          // of the last poll
	trouble  outbox.Trouble // as it is kept
}

// Health is how a source does.
type Health struct {
	Name     string
	LastRead time.Time // of the last good poll; zero: never
	Down     time.Time // since when it cannot be read; zero: it can
	Err      error
}

// Health returns how the source does.
func (r *Reader) Health() Health {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Health{r.Name, r.lastRead, r.trouble.Since, r.err}
}

func (r *Reader) init() {
	r.once.Do(func() { r.hurry = make(chan struct{}, 1) })
}

// Hurry makes Run poll at once. A source that cannot be read keeps its delays.
func (r *Reader) Hurry() {
	r.init()
	select {
	case r.hurry <- struct{}{}:
	default:
	}
}

// Once reads all that the source has now, and returns how many letters that were. A source that is to be left alone is.
func (r *Reader) Once(ctx context.Context) (int, error) {
	r.init()
	if rests, err := r.rests(ctx); rests || err != nil {
		return 0, err
	}
	total := 0
	for {
		n, more, err := r.batch(ctx)
		total += n
		if ctx.Err() != nil {
			return total, ctx.Err()
		}
		r.note(ctx, err)
		if err == nil && !more {
			r.markRest(ctx)
		}
		if err != nil || !more {
			return total, err
		}
	}
}

// batch reads one batch. What it brought is committed before anything changes where it came from.
func (r *Reader) batch(ctx context.Context) (n int, more bool, err error) {
	at, _, err := ingest.Load(ctx, r.Engine.DB.Read(), r.Name)
	if err != nil {
		return 0, false, err
	}
	b, err := r.Source.Poll(ctx, at)
	if err != nil {
		return 0, false, fmt.Errorf("reading %s: %w", r.Name, err)
	}
	h, err := r.handle(ctx, at, b)
	if err != nil {
		return 0, false, err
	}
	r.mark(ctx, h.Done)
	return len(b.Messages), b.More, nil
}

// mark marks letters where they came from, and keeps that they are. What cannot be marked is tried again later.
func (r *Reader) mark(ctx context.Context, keys []string) {
	m, ok := r.Source.(ingest.Marker)
	if !ok || len(keys) == 0 {
		return
	}
	err := m.Mark(ctx, keys)
	if err == nil {
		err = r.Engine.DB.Write(ctx, func(tx *sql.Tx) error { return ingest.Marked(ctx, tx, r.Name, keys) })
	}
	if err != nil {
		r.markAgain = r.Engine.Now().Add(markDelay)
		r.Engine.Log.Warn("letters that are done could not be marked", "source", r.Name, "letters", len(keys), "error", err)
	}
}

// markRest marks letters that were done before: that a crash or a refusal kept from being marked, that waited, or that
// a person has settled.
func (r *Reader) markRest(ctx context.Context) {
	if _, ok := r.Source.(ingest.Marker); !ok || r.Engine.Now().Before(r.markAgain) {
		return
	}
	keys, err := ingest.Unmarked(ctx, r.Engine.DB.Read(), r.Name, markMost)
	if err != nil {
		r.Engine.Log.Warn("letters to mark could not be found", "source", r.Name, "error", err)
		return
	}
	r.mark(ctx, keys)
}

// what is the source's name among the troubles.
func (r *Reader) what() string { return "source " + r.Name }

// rests tells whether the source is to be left alone, and takes up how it did when it was last read, by whatever program.
func (r *Reader) rests(ctx context.Context) (bool, error) {
	t, err := outbox.LoadTrouble(ctx, r.Engine.DB, r.what())
	if err != nil {
		return false, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trouble = t
	if r.err == nil && t.Why != "" {
		r.err = errors.New(t.Why)
	}
	return r.Engine.Now().Before(t.Until), nil
}

// note keeps how the source does, and tells of an outage once when it begins and once when it ends.
func (r *Reader) note(ctx context.Context, err error) {
	now := r.Engine.Now().UTC()
	var login *ingest.AuthError
	var stop *ingest.StopError
	refused, stopped := errors.As(err, &login), errors.As(err, &stop)

	r.mu.Lock()
	was := r.trouble
	is := outbox.Trouble{}
	if err == nil {
		r.lastRead = now
	} else {
		is = was
		is.Tries++
		if is.Since.IsZero() {
			is.Since = now
		}
		is.Why, is.Until = err.Error(), r.untouched(now, err)
	}
	alarm := err != nil && !was.Told && (refused || stopped || now.Sub(is.Since) >= max(alarmAfter, r.Every))
	gms := r.Thread && (alarm && (refused || stopped) || err == nil && was.ToldGMs)
	is.Told, is.ToldGMs = is.Told || alarm, err != nil && (is.ToldGMs || gms)
	r.trouble, r.err = is, err
	r.mu.Unlock()

	log := r.Engine.Log.With("source", r.Name)
	switch {
	case err != nil && was.Since.IsZero():
		log.Error("a source cannot be read", "error", err)
	case err == nil && !was.Since.IsZero():
		log.Info("a source can be read again", "down_since", was.Since)
	}
	switch {
	case alarm && stopped:
		r.Engine.Alarm(ctx, "source-stopped", map[string]any{"source": r.Name, "kind": stop.Kind, "why": err.Error()})
	case alarm && refused:
		r.Engine.Alarm(ctx, "login-refused", map[string]any{"source": r.Name, "why": err.Error()})
	case alarm:
		r.Engine.Alarm(ctx, "source-down", map[string]any{"source": r.Name, "since": is.Since, "why": err.Error()})
	case err == nil && was.Told:
		r.Engine.Alarm(ctx, "source-up", map[string]any{"source": r.Name, "since": was.Since})
	}
	if gms {
		r.tellGMs(ctx, was.Since, err)
	}
	if is != was {
		if failed := outbox.KeepTrouble(ctx, r.Engine.DB, r.what(), is); failed != nil {
			log.Error("how a source does cannot be kept", "error", failed)
		}
	}
}

// untouched is until when a board is not asked again for a thread, whatever is started or hurried meanwhile; the zero time
// when it may be.
func (r *Reader) untouched(now time.Time, err error) time.Time {
	var login *ingest.AuthError
	var stop *ingest.StopError
	var busy *forum.ThrottledError
	switch {
	case !r.Thread || errors.As(err, &stop) && stop.Kind == noBoard:
		return time.Time{}
	case errors.As(err, &login): // boards count tries
		return now.Add(min(loginDelay<<min(r.trouble.Tries, 10), guardDelay)).Truncate(time.Microsecond)
	case errors.As(err, &stop), errors.As(err, &busy):
		return now.Add(r.delay(err)).Truncate(time.Microsecond)
	}
	return time.Time{}
}

// tellGMs tells the GMs of the games that read a thread that a person must see to it, or that it is read again.
func (r *Reader) tellGMs(ctx context.Context, since time.Time, err error) {
	text, data := "thread-up", map[string]any{"source": r.Name, "since": since}
	if err != nil {
		kind := "login"
		var stop *ingest.StopError
		if errors.As(err, &stop) {
			kind = stop.Kind
		}
		text, data = "thread-stopped", map[string]any{"source": r.Name, "kind": kind, "why": err.Error()}
	}
	if failed := r.Engine.tellReaders(ctx, r.Name, text, data); failed != nil {
		r.Engine.Log.Error("GMs cannot be told of a thread", "source", r.Name, "error", failed)
	}
}

// Run reads the source until ctx ends: when something hints at letters, when a deadline needs it, and every so often,
// for hints are not the truth. After failures it waits longer and longer.
func (r *Reader) Run(ctx context.Context) error {
	r.init()
	for {
		_, err := r.Once(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.pause(ctx, err); err != nil {
			return err
		}
	}
}

// pause waits between two polls.
func (r *Reader) pause(ctx context.Context, failed error) error {
	sleep(ctx, r.Least)
	d := time.Duration(0)
	if failed != nil {
		r.mu.Lock()
		d = r.delay(failed)
		r.mu.Unlock()
	}
	if failed != nil && (!r.Thread || d < r.Every) {
		sleep(ctx, d-r.Least)
	} else {
		r.rest(ctx) // a board that is left alone stays so for longer, unless a person has it tried again
	}
	return ctx.Err()
}

// delay is how long to leave a source alone that failed. Call with the lock held.
func (r *Reader) delay(err error) time.Duration {
	var login *ingest.AuthError
	var stop *ingest.StopError
	var busy *forum.ThrottledError
	switch {
	case errors.As(err, &login):
		return loginDelay
	case errors.As(err, &stop) && stop.Kind == "challenge":
		return guardDelay
	case errors.As(err, &stop):
		return stopDelay
	case errors.As(err, &busy):
		return max(busy.Until.Sub(r.Engine.Now()), firstDelay)
	}
	d := min(firstDelay<<min(max(r.trouble.Tries-1, 0), 20), lastDelay)
	return d/2 + rand.N(d/2+1) // so that many do not come back at the same moment
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// rest waits for the next poll: until it is time, or until something hints at letters. A source whose hints fail is
// polled as often as the rest.
func (r *Reader) rest(ctx context.Context) {
	every := r.Every
	if every == 0 {
		every = time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, every)
	hint, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		if w, ok := r.Source.(ingest.Waiter); ok && w.Wait(ctx) == nil {
			close(hint)
		}
	}()
	select {
	case <-ctx.Done():
	case <-r.hurry:
	case <-hint:
	}
	cancel()
	<-ended
}

// Alarm tells the operator one of the engine's texts.
func (e *Engine) Alarm(ctx context.Context, name string, data map[string]any) {
	it, err := e.alarmItem(e.Now().UTC(), name, data)
	if err == nil {
		err = e.queue(ctx, it)
	}
	if err != nil {
		e.Log.Error("an alarm cannot be told", "text", name, "error", err)
	}
}

// Tell sends the operator a mail of these words.
func (e *Engine) Tell(ctx context.Context, subject, text string) {
	it := e.operatorItem(e.Now().UTC())
	it.Subject, it.Text = subject, text
	if err := e.queue(ctx, it); err != nil {
		e.Log.Error("the operator cannot be told", "subject", subject, "error", err)
	}
}

// queue queues an item of no game. Without an operator it has nowhere to go.
func (e *Engine) queue(ctx context.Context, it outbox.Item) error {
	if it.To == "" {
		return nil
	}
	err := e.DB.Write(ctx, func(tx *sql.Tx) error {
		return outbox.Queue(ctx, tx, e.Now().UTC(), []outbox.Item{it})
	})
	if err == nil {
		e.Wake()
	}
	return err
}
