// Package ingest brings letters in: sources (mailboxes, folders, threads), the inbox they are kept in, and how far
// each source was read.
//
// Its promise: a source may bring a letter twice and never loses one. A letter's raw bytes are committed together
// with what came of it, before anything changes on the server it came from. How far a source was read is kept in the
// same transaction, so a crash at any point reads some letters again, which the inbox knows by their keys.
package ingest

import (
	"context"
	"time"
)

// Message is one letter as a source found it.
type Message struct {
	Key     string    // the source's own key, the same whenever it finds the letter again: "INBOX/1700000000/42"
	Arrived time.Time // INTERNALDATE, a file's time, a post's time, of a later version of a post when it was seen; zero: the moment it is taken
	Raw     []byte    // RFC 5322 bytes; with Fault at most the header, so that the writer is known
	Via     string    // "mail" or "post"; Raw of a post is a forum.Record, or with Fault the page that could not be read
	Size    int64     // as the server tells it
	Fault   string    // why the bytes are not here ("too big: 210 MB, limit 25 MB"); such a letter is told, never lost
	Limit   int64     // of bytes, that the letter is over; 0 when its fault is another
}

// Cursor is how far a source was read, in its own words; "" is the beginning.
type Cursor string

// Batch is what one Poll brought.
type Batch struct {
	Messages []Message
	Next     Cursor    // to be kept with what came of the messages
	Until    time.Time // everything that the source took in up to then has been seen; zero when this is not known
	More     bool      // there is more to be had at once
}

// Source is where letters come from. It keeps nothing that matters: all it needs to go on is in the cursor.
// Poll returns soon after ctx ends. A batch is bounded (500 letters, 16 MB) whatever the source holds.
type Source interface {
	Poll(ctx context.Context, at Cursor) (Batch, error)
}

// A Marker is a Source that can mark letters as done where they came from. It is called after the commit, and may be
// called again for the same keys; a failure loses nothing.
type Marker interface {
	Mark(ctx context.Context, keys []string) error
}

// A Waiter is a Source that can tell that something may have come. Wait returns nil at once then, and the error of
// ctx when that ends. It is a hint: polling is the truth.
type Waiter interface {
	Wait(ctx context.Context) error
}

// A StopError says that a source cannot be read before a person has done something: what was met in place of letters (a
// guard that wants to see a person, a board that is closed, a thread that is not there). Trying again soon is no use.
type StopError struct {
	Kind string // a word for it, as "challenge" or "closed"
	Err  error
}

func (e *StopError) Error() string { return e.Err.Error() }
func (e *StopError) Unwrap() error { return e.Err }

// An AuthError is a source's refusal of our name and password: trying again soon would only lock us out.
type AuthError struct{ Err error }

func (e *AuthError) Error() string { return e.Err.Error() }
func (e *AuthError) Unwrap() error { return e.Err }
