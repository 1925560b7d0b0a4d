// Package forumsrc reads the posts of a thread on a forum board.
//
// Its promise: every version of every post that stands in the thread when it is read is brought once, and that a post is
// gone is said only after the whole thread was read with no fault between, twice where the board's own count does not
// prove it. A page that is no readable page of this thread changes nothing; it is brought as a letter with a fault, once.
//
// How: the thread is walked by the pages' own next links, from the pages that may have changed on: the last two, all since
// the game's phase began, and the whole thread the first time, and when posts seem to be missing. Versions are told apart
// by the hash of the body, whatever the board says of edits. What is known, a dozen bytes a post, and how far a walk has
// come are in the cursor, so a walk goes on after a restart and a thread of any length is read in bounded batches.
package forumsrc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"arroba/forum"
	"arroba/ingest"
)

// Config says which thread to read, and how.
type Config struct {
	Board    *forum.Board
	Thread   string                          // its id, or an address on the board
	Since    func(context.Context) time.Time // posts from then on are looked at each time; nil for the newest alone
	MaxPages int                             // of the thread; 2000 when 0
	Now      func() time.Time                // time.Now when nil
	Log      *slog.Logger                    // nil: nothing is logged
}

// The bounds of a batch beside ingest.MaxLetters and ingest.MaxBytes.
const batchPages = 20

// skew is how much later than its time a post may be there to be read.
const skew = 10 * time.Second

// Source is a thread.
type Source struct{ cfg Config }

// New returns a source for the thread. The error says that its board has no such address.
func New(cfg Config) (*Source, error) {
	if _, err := cfg.Board.Thread(cfg.Thread); err != nil {
		return nil, err
	}
	cfg.MaxPages = cmp.Or(cfg.MaxPages, 2000)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Source{cfg}, nil
}

// Poll reads some pages, and returns the versions of posts that are new. There is more until a walk through the thread
// has come to its end.
func (s *Source) Poll(ctx context.Context, at ingest.Cursor) (ingest.Batch, error) {
	c, err := decode(at)
	if err != nil {
		return ingest.Batch{}, s.wrap(err)
	}
	r := &reading{Source: s, c: c}
	ended, err := r.walk(ctx)
	if ctx.Err() != nil {
		return ingest.Batch{}, s.wrap(ctx.Err())
	}
	if err != nil && !r.went {
		return ingest.Batch{}, s.wrap(err) // else the next Poll meets it again
	}
	slices.SortStableFunc(r.found, func(a, b found) int { return cmp.Or(a.Arrived.Compare(b.Arrived), cmp.Compare(a.id, b.id)) })
	b := ingest.Batch{Until: r.until, More: !ended}
	for _, f := range r.found {
		b.Messages = append(b.Messages, f.Message)
	}
	b.Next = c.encode()
	return b, nil
}

func (s *Source) wrap(err error) error {
	return fmt.Errorf("thread %s of %s: %w", s.cfg.Thread, s.cfg.Board.Name, err)
}

// reading is what one Poll does.
type reading struct {
	*Source
	c     *cursor
	found []found
	size  int
	pages int
	went  bool // a page was taken up that the cursor has now
	until time.Time
}

// found is a message of a post.
type found struct {
	ingest.Message
	id uint64
}

// full tells whether a message of that many bytes must wait for the next batch.
func (r *reading) full(size int) bool {
	n := len(r.found)
	return n >= ingest.MaxLetters || n > 0 && r.size+size > ingest.MaxBytes
}

func (r *reading) bring(id uint64, m ingest.Message) {
	m.Via, m.Size = "post", int64(len(m.Raw))
	r.size += len(m.Raw)
	r.found = append(r.found, found{m, id})
}

// thread is the id or address by which the board is asked for the thread.
func (r *reading) thread() string { return cmp.Or(r.c.thread, r.cfg.Thread) }

// ask asks for a page. An error says that it is none that anything could be told from.
func (r *reading) ask(ctx context.Context, address string) (forum.Page, forum.Answer, error) {
	r.pages++
	b := r.cfg.Board
	p, a, err := b.Fetch(ctx, address)
	if err == nil && p.Kind == forum.Login && b.Account.User != "" {
		if err := b.Login(ctx); err != nil {
			return p, a, refusal(err)
		}
		p, a, err = b.Fetch(ctx, address)
	}
	var robots *forum.RobotsError
	var elsewhere *forum.ElsewhereError
	switch {
	case errors.As(err, &robots):
		return p, a, &ingest.StopError{Kind: "robots", Err: err}
	case errors.As(err, &elsewhere):
		return p, a, &ingest.StopError{Kind: "moved", Err: err}
	case errors.Is(err, forum.ErrTooBig):
		return forum.Page{Kind: forum.Unreadable, Total: -1, Problems: []string{err.Error()}}, a, nil
	case err != nil:
		return p, a, err
	}
	switch said := strings.TrimSpace(p.Said); p.Kind {
	case forum.Challenge:
		return p, a, &ingest.StopError{Kind: "challenge", Err: fmt.Errorf("in place of %s a guard wants to see a person (%q); ask the board's admin to let this program in", address, said)}
	case forum.Login:
		if b.Account.User != "" {
			return p, a, &ingest.AuthError{Err: fmt.Errorf("%s is shown to members only, and the board does not know us as %s", address, b.Account.User)}
		}
		return p, a, &ingest.StopError{Kind: "login", Err: fmt.Errorf("%s asks for a name and a password: there is no such thread, or guests may not read it; write user and password_file beside the source", address)}
	case forum.Form:
		return p, a, fmt.Errorf("in place of %s the board shows a form to write in", address)
	}
	return p, a, nil
}

// refusal is an error of logging in, as one of the account when the board said so.
func refusal(err error) error {
	var refused *forum.LoginError
	if errors.As(err, &refused) {
		return &ingest.AuthError{Err: err}
	}
	return err
}
