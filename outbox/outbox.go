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

// The states of a queued item.
const (
	Due     = "due"
	Sent    = "sent"
	Failed  = "failed"  // given up, or refused for good
	Expired = "expired" // not worth sending any more
)

// Item is one mail to one recipient, or one post. All of it is fixed when it is queued.
type Item struct {
	ID         string // Queue makes one when ""
	Lane       string // items of a lane are sent in order; via and recipient when ""
	Game       string // "" for alarms
	Input      int64  // of the game's log, that caused it
	Via        string // "mail"; "post" on the web board; "forum" in a thread of a forum
	Kind       string
	To         string // address; "tavern"; or the thread: the forum's name in the config, a slash, and its id
	Subject    string
	Text       string    // plain text, UTF-8, lines ended by \n
	Date       time.Time // of the Date field, to the second; when it is queued when zero
	Expires    time.Time // not worth sending after; zero: always is
	From       string    // address
	FromName   string
	ReplyTo    string   // address that answers go to; From when ""
	MessageID  string   // without angle brackets; the ID at From's domain when ""
	InReplyTo  string   // without angle brackets, "" when it answers nothing
	References []string // oldest first, without angle brackets
	Auto       string   // Auto-Submitted: auto-replied or auto-generated
	Envelope   string   // address that bounces come back to; From when ""
	Files      []File   // attached to a mail
	Resent     string   // ID of the item that this one repeats, "" for none
	Marker     string   // of a post on a forum: the word by which it is known there; letters, digits and hyphens
	Known      string   // of a post on a forum: id of the last post of the thread that was known when it was queued, "" for none
	Part       string   // of a text in several posts: "1/3"; "" for a whole one

	Receipt  string // what the world answered when it was sent; while it is due that of a LaterError: it was handed over then
	State    string // Due when ""; Sent for a post that the web board shows and nothing else has to be told
	Attempts int    // made before this one
	Seq      int64  // order within everything; Queue gives it
}

// File is a file that a mail carries. The outbox keeps its name and hash; its bytes are fetched when it is sent.
type File struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
	Type string `json:"type,omitempty"` // of a picture that the mail shows; "" for a file that it only carries
	Data []byte `json:"-"`
}

// Sink is where items go. The receipt is what the world answered. An error concerns the item alone and is temporary,
// so that the item is tried again later, unless it is one of ErrPermanent, ErrUnsure, ErrDown or a LaterError.
//
// A Sink that has a method String is called so in the log and in alarms. One Sink may be asked by several goroutines
// at once; Send returns soon after its context is done.
type Sink interface {
	Send(ctx context.Context, it Item) (receipt string, err error)
}

// ErrPermanent marks an error that no later attempt can mend: the recipient does not exist.
var ErrPermanent = errors.New("permanent failure")

// ErrUnsure marks an error after which the item may have been taken: it is tried again, the same to the byte, but not
// often.
var ErrUnsure = errors.New("unknown outcome")

// ErrDown marks an error of the sink itself, whatever the item: it cannot be reached, or refuses to let us in. It is
// told once, the sink rests a while, and the attempt does not count against the item.
var ErrDown = errors.New("out of reach")

// A LaterError says when to try again, and the attempt does not count against the item. With a receipt the item was handed
// over, and what will come of it shows later: the next attempt, which is given the receipt, looks for that. Meanwhile
// the item keeps no other of its lane back.
type LaterError struct {
	At      time.Time
	Receipt string
	Err     error
}

func (e *LaterError) Error() string { return e.Err.Error() }
func (e *LaterError) Unwrap() error { return e.Err }
