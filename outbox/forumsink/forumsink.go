// Package forumsink posts to threads of a forum board, each item exactly once.
//
// Its promise: an item stands in its thread once, or somebody is told why not. A board has no transaction, and an answer
// can be lost after the post was stored. So every post has a marker, a word of its own on a line of its own, and before
// every attempt the thread is searched for it, from the last post that was known when the item was queued to the end. What
// waits for a moderator nobody can see: it is never sent again, and told of when it has not shown after a day.
package forumsink

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"arroba/forum"
	"arroba/outbox"
)

// Config says where to post.
type Config struct {
	Board     *forum.Board // with the account that posts, by the name or id that its posts show
	Moderated bool         // posts of this account wait for a moderator, as far as is known
}

// Sink is an outbox.Sink of the items for the threads of one board.
type Sink struct {
	board *forum.Board

	turn sync.Mutex // one item at a time: boards count the time between two posts
	mu   sync.Mutex
	held map[string]bool // threads in which posts wait for a moderator, "" for all
	idle map[string]int  // attempts of an item of which nothing was sent
}

const (
	shortWait = time.Minute      // where a board does not say how long
	longWait  = time.Hour        // and longer: it may have no end
	guardWait = 24 * time.Hour   // after a page that wants to see a person
	lookEvery = 30 * time.Minute // for what waits for a moderator
	lookFor   = 24 * time.Hour
)

// New returns a sink.
func New(c Config) *Sink {
	return &Sink{board: c.Board, held: map[string]bool{"": c.Moderated}, idle: map[string]int{}}
}

// String names the sink.
func (s *Sink) String() string { return "forum " + s.board.Name }

// Send posts an item. The receipt is the id of the post.
func (s *Sink) Send(ctx context.Context, it outbox.Item) (receipt string, err error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	_, thread, ok := strings.Cut(it.To, "/")
	if !ok || it.Marker == "" {
		return "", fmt.Errorf("%w: an item for a forum needs a thread and a marker", outbox.ErrPermanent)
	}
	d := &delivery{sink: s, it: it, thread: thread}
	receipt, err = d.send(ctx)
	if err == nil || d.sent || errors.Is(err, outbox.ErrPermanent) {
		s.forget(it.ID)
	} else {
		s.nothingSent(it)
	}
	return receipt, err
}

// delivery is one attempt.
type delivery struct {
	sink     *Sink
	it       outbox.Item
	thread   string // its id, once it was read; before that what the config names
	sent     bool   // a reply of this attempt may have been stored
	loggedIn bool
	renewed  bool // the form was got afresh
}

func (d *delivery) send(ctx context.Context) (string, error) {
	post, err := d.find(ctx)
	if strings.HasPrefix(d.it.Receipt, string(forum.Queued)+" ") { // before a restart, maybe
		d.sink.hold(d.thread)
	}
	if err != nil || post != "" {
		return post, err
	}
	if d.it.Receipt != "" {
		return d.look()
	}
	if d.sink.mayHaveBeenSent(d.it) && d.sink.isHeld(d.thread) {
		return d.handOver("unclear", errors.New("it may wait for a moderator since the last attempt"))
	}
	for {
		r, err := d.sink.board.Reply(ctx, d.thread, d.it.Subject, d.text())
		if err != nil {
			return "", d.sink.fault(err)
		}
		if post, done, err := d.outcome(ctx, r); done {
			return post, err
		}
		if post, err := d.find(ctx); err != nil || post != "" {
			return post, err
		}
	}
}

// text is the item in the markup of the board, with the marker on a line of its own.
func (d *delivery) text() string {
	text := strings.TrimSpace(d.it.Text)
	if d.it.Part != "" {
		text = "(" + d.it.Part + ")\n\n" + text
	}
	return d.sink.board.Markup(text) + "\n\n" + d.it.Marker
}

// outcome deals with the answer to a reply. It is not done when another is to be sent, after another search.
func (d *delivery) outcome(ctx context.Context, r forum.Reply) (post string, done bool, err error) {
	switch r.Outcome {
	case forum.Posted:
		d.sent = true
		if r.Post != "" {
			return r.Post, true, nil
		}
		if post, err = d.find(ctx); err != nil || post == "" { // it was taken, and is not sent again whatever is seen
			post, err = d.handOver("posted", fmt.Errorf("%s has taken the post, which does not show yet", d.sink.board.Name))
		}
	case forum.Queued:
		d.sent = true
		d.sink.hold(d.thread)
		post, err = d.handOver(string(forum.Queued), fmt.Errorf("%s says: %s", d.sink.board.Name, cmp.Or(r.Said, "the post waits for a moderator")))
	case forum.Refused:
		err = fmt.Errorf("%s does not take it: %s: %w", d.sink.board.Name, r.Said, outbox.ErrPermanent)
	case forum.Wait:
		err = d.wait(r)
	case forum.Again:
		if !d.renewed {
			d.renewed = true
			return "", false, nil
		}
		err = fmt.Errorf("%s has refused its own form twice: %s: %w", d.sink.board.Name, r.Said, outbox.ErrDown)
	case forum.LogIn:
		if err = d.logIn(ctx, r.Said); err == nil {
			return "", false, nil
		}
	default:
		d.sent = true
		if r.Held {
			d.sink.hold(d.thread)
		}
		post, err = d.settle(ctx, r)
	}
	return post, true, err
}

// wait puts off an item that came too soon. Waits of an hour and more count as attempts: they may never end.
func (d *delivery) wait(r forum.Reply) error {
	err := fmt.Errorf("%s wants a pause: %s", d.sink.board.Name, r.Said)
	if r.Wait >= longWait {
		return err
	}
	return &outbox.LaterError{At: d.sink.now().Add(max(r.Wait, shortWait)), Err: err}
}

// settle looks for a post that may have been stored. Where posts wait for a moderator nobody can see it, so that it counts
// as handed over.
func (d *delivery) settle(ctx context.Context, r forum.Reply) (string, error) {
	post, err := d.find(ctx)
	if err == nil && post != "" {
		return post, nil
	}
	why := fmt.Errorf("%s left it unclear whether it took the post: %s", d.sink.board.Name, cmp.Or(r.Said, string(r.Outcome)))
	if d.sink.isHeld(d.thread) {
		return d.handOver("unclear", why)
	}
	return "", errors.Join(fmt.Errorf("%w: %w", why, outbox.ErrUnsure), err)
}

func (d *delivery) logIn(ctx context.Context, said string) error {
	if d.loggedIn {
		return fmt.Errorf("%s asks to log in again right after it: %s: %w", d.sink.board.Name, said, outbox.ErrDown)
	}
	d.loggedIn = true
	if err := d.sink.board.Login(ctx); err != nil {
		return d.sink.fault(err)
	}
	return nil
}

// handOver makes of an item one that is looked for alone.
func (d *delivery) handOver(how string, why error) (string, error) {
	now := d.sink.now()
	return "", &outbox.LaterError{At: now.Add(lookEvery), Receipt: how + " " + now.UTC().Format(time.RFC3339), Err: why}
}

// look is for an item that was handed over and does not show yet. A day later somebody must see to it.
func (d *delivery) look() (string, error) {
	how, when, _ := strings.Cut(d.it.Receipt, " ")
	since, err := time.Parse(time.RFC3339, when)
	now := d.sink.now()
	why := fmt.Errorf("the post was handed over to %s at %s (%s) and does not show in the thread", d.sink.board.Name, when, how)
	if err != nil || now.Sub(since) >= lookFor {
		return "", fmt.Errorf("%w; a moderator may not have let it pass. It is not sent again: look at the board: %w", why, outbox.ErrPermanent)
	}
	return "", &outbox.LaterError{At: now.Add(lookEvery), Receipt: d.it.Receipt, Err: why}
}

func (s *Sink) now() time.Time { return s.board.Client.Now() }

func (s *Sink) hold(thread string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[thread] = true
}

func (s *Sink) isHeld(thread string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held[""] || s.held[thread]
}

// nothingSent notes of an item that all attempts up to this one have sent nothing.
func (s *Sink) nothingSent(it outbox.Item) {
	if s.mayHaveBeenSent(it) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle[it.ID] = it.Attempts
}

func (s *Sink) forget(item string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.idle, item)
}

// mayHaveBeenSent tells whether there were attempts before this one whose end is not known here.
func (s *Sink) mayHaveBeenSent(it outbox.Item) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return it.Attempts > s.idle[it.ID]+1
}

// fault says what an error means of which is known that nothing was sent.
func (s *Sink) fault(err error) error {
	var throttled *forum.ThrottledError
	var page *forum.PageError
	switch {
	case errors.As(err, &throttled) && throttled.Status == tooMany:
		return &outbox.LaterError{At: throttled.Until, Err: err}
	case errors.As(err, &page) && !page.Closed && page.Kind != forum.Challenge:
		return err
	}
	if at := s.untouched(err); !at.IsZero() {
		err = &outbox.LaterError{At: at, Err: err}
	}
	return fmt.Errorf("%w: %w", err, outbox.ErrDown)
}

// untouched is until when the board is to be left alone after an error, the zero time when nothing asks for that.
func (s *Sink) untouched(err error) time.Time {
	var throttled *forum.ThrottledError
	var page *forum.PageError
	var login *forum.LoginError
	var robots *forum.RobotsError
	var elsewhere *forum.ElsewhereError
	switch {
	case errors.As(err, &throttled):
		return throttled.Until
	case errors.As(err, &page) && page.Kind == forum.Challenge: // it is not to be worn down
		return s.now().Add(guardWait)
	case errors.As(err, &page), errors.As(err, &login), errors.As(err, &robots), errors.As(err, &elsewhere): // a person must see to it
		return s.now().Add(longWait)
	}
	return time.Time{}
}

const tooMany = 429 // of HTTP
