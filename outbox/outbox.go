// Package outbox keeps what is to be told and tells it: mail, forum posts, files.
//
// Its promise: an item queued in the transaction that caused it is sent once, in order for each recipient, with equal
// bytes and the same Message-ID on every attempt. The sender claims an item by writing the next attempt's time before
// the network is touched, holds no transaction open while it is, and records the outcome after. A crash between the
// two repeats one item at most, with the Message-ID it had.
package outbox

import (
	"context"
	"errors"
	"time"
)

// The kinds of items, first the one that names a mail that holds several things.
const (
	Receipt  = "receipt"
	Question = "question"
	Press    = "press"
	Results  = "results"
	Reminder = "reminder"
	Copy     = "copy"
	Alarm    = "alarm" // to the operator
)

// Item is one mail to one recipient, or one post. All of it is fixed when it is queued.
type Item struct {
	ID         string
	Lane       string // items of a lane are sent in order
	Game       string // "" for alarms
	Input      int64  // of the game's log, that caused it
	Via        string // "mail" or "post"
	Kind       string
	To         string // address, or "tavern"
	Subject    string
	Text       string    // plain text, UTF-8, lines ended by \n
	Date       time.Time // of the Date field
	Expires    time.Time // not worth sending after; zero: always is
	From       string    // address
	FromName   string
	MessageID  string   // without angle brackets
	InReplyTo  string   // without angle brackets, "" when it answers nothing
	References []string // oldest first, without angle brackets
	Auto       string   // Auto-Submitted: auto-replied or auto-generated
	Envelope   string   // address that bounces come back to; From when ""

	Attempts int // made before this one
}

// Sink is where items go. The receipt is what the world answered. An error is temporary, and the item tried again
// later, unless it is Permanent or Unsure.
type Sink interface {
	Send(ctx context.Context, it Item) (receipt string, err error)
}

// ErrPermanent marks an error that no later attempt can mend: the recipient does not exist.
var ErrPermanent = errors.New("permanent failure")

// ErrUnsure marks an error after which the item may have been taken: it is tried again, the same to the byte, but not
// often.
var ErrUnsure = errors.New("unknown outcome")
