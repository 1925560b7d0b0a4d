// Package letter reads raw mail (RFC 5322) as people and their programs really write it.
//
// Its promise: whatever bytes come in, Read answers with one Letter, in time linear in their number and within fixed
// limits; it neither fails nor panics. Lines holds what the writer himself wrote and nothing else: what he quoted,
// forwarded or was made to append (signatures, banners, disclaimers) is cut, and so is whatever no reader would see.
// Where it cannot be told who wrote the letter, or where a machine did, no line of it is given out.
//
// How: header.go reads the fields, stepping over what breaks the grammar; address.go finds the one author; mime.go
// walks the parts, and smime.go opens those that are signed in one piece; transfer.go and charset.go turn bytes into
// text, guessing where a label is missing or lies; html.go, with look.go, and flowed.go turn text into lines that know
// whether they are quoted; own.go, with attribution.go and appended.go, keeps the writer's; class.go tells people from
// machines; auth.go reads what our own mail server says of the sender.
package letter

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/mail"
	"strings"
	"time"
	"unsafe"

	"arroba/orders"
)

// Class says what kind of letter it is.
type Class string

// The classes. Read never gives Duplicate: only one who keeps the fingerprints of earlier letters can tell.
const (
	Orders    Class = "orders"     // a person's letter, whether or not it holds orders
	AutoReply Class = "auto-reply" // a machine's, a mailing list's, or our own come back: never answered
	Bounced   Class = "bounce"     // a report that a letter of ours did not arrive
	Duplicate Class = "duplicate"  // the same letter stood earlier
	Spam      Class = "spam"       // going in circles, or not for us (an invitation to a meeting)
	Malformed Class = "malformed"  // no single usable author, nothing readable, or over the limits
)

// What a letter may have when Options say nothing else: as many bytes as the great mail providers accept, and more
// parts and lines than people write.
const (
	DefaultMaxSize  = 25 << 20
	DefaultMaxParts = 200
	DefaultMaxLines = 20000
)

// Limits on what one letter may cost. They lie far above what people send and far below what would hurt.
const (
	maxHeader    = 1 << 20   // bytes of one header
	maxFields    = 2000      // fields of one header
	maxDepth     = 20        // multiparts within each other; real mail has four or five
	maxParams    = 200       // parameters of one field, and addresses
	maxText      = 8 << 20   // bytes of one text; HTML may hold pictures
	maxLine      = 8 << 10   // bytes of one line; a longer one is cut into several
	maxOrderFile = 256 << 10 // bytes of an attached file of orders
	maxReceived  = 50        // stations on the way; more is a loop
)

// Options is what the reader must be told. The zero value is usable.
type Options struct {
	AuthservID string                    // the name of our own mail server in Authentication-Results; "" believes nobody
	Own        func(address string) bool // tells our own addresses: a letter from one of them is our own come back; nil: they are not told
	Domain     string                    // the domain of our Message-IDs; a letter with such a Message-ID is our own; "" for none
	MaxSize    int64                     // bytes a letter may have; DefaultMaxSize when zero
	MaxParts   int                       // MIME parts it may have, attachments among them; DefaultMaxParts when zero
	MaxLines   int                       // lines of the writer's own it may have; DefaultMaxLines when zero
}

// A Limit is one that a letter may be over.
type Limit string

// The limits. Of a letter over one of them nothing is read but its header.
const (
	LimitSize  Limit = "size"
	LimitParts Limit = "parts" // their number, their depth, or the size of one that is text
	LimitLines Limit = "lines"
)

// Letter is what was read of one mail. All text is valid UTF-8 without control characters.
type Letter struct {
	Class         Class
	From          string       // the author's address in lower case; "" when there is no single one
	FromName      string       // his name as he writes it
	MessageID     string       // with its angle brackets, whatever stands between them
	InReplyTo     string       // the first Message-ID of that field
	References    []string     // Message-IDs, the oldest first
	Subject       string       // decoded, in one line
	To            []string     // every address it was sent or delivered to, in lower case
	Lines         []string     // the writer's own lines in normal form (orders.Clean); "" parts paragraphs. Bullets and a closing "\" stay
	Attachments   []Attachment // every part that is no running text
	Authenticated string       // "pass", "fail" or "none" by our own server's word on the From domain
	AuthDomain    string       // the domain that passed
	Over          Limit        // the limit that the letter is over; "" for none
	Problems      []string     // what was wrong, a short sentence each, for the log and the GM
	Date          time.Time    // by the Date field, which anyone may forge; zero when it cannot be read
	Fingerprint   string       // the same for the same letter, whatever way it came: SHA-256 in hex
	Quiet         bool         // asks not to be answered automatically (X-Auto-Response-Suppress)
	Bounce        *Bounce      // set when the class is Bounced
}

// Attachment is one attached file.
type Attachment struct {
	Name   string // without folders; "" when it has none
	Type   string // media type as declared, in lower case
	Data   []byte
	SHA256 string // of Data, in hex
}

// Bounce says what a mail server reports about a letter of ours. What it does not tell is "".
type Bounce struct {
	Recipient string // the address that could not be reached, in lower case
	Action    string // "failed", "delayed", "delivered", "relayed" or "expanded"
	Status    string // "5.1.1"
	Reason    string // in the server's words, on one line
	MessageID string // of our letter
}

// Read reads one mail. The letter shares memory with raw, which must not be changed after: letters of 25 MB are not to
// take twice that.
func Read(raw []byte, o Options) Letter {
	o.MaxSize = cmp.Or(o.MaxSize, DefaultMaxSize)
	o.MaxParts, o.MaxLines = cmp.Or(o.MaxParts, DefaultMaxParts), cmp.Or(o.MaxLines, DefaultMaxLines)
	tooBig := int64(len(raw)) > o.MaxSize
	if tooBig {
		raw = raw[:min(len(raw), maxHeader)]
	}
	h, body, err := readHeader(unixLines(shared(raw)))
	l := Letter{Class: Orders, Authenticated: "none"}
	l.note(err)
	l.readFields(h, o)

	w := walk{maxParts: o.MaxParts, maxLines: o.MaxLines}
	if tooBig {
		w.over = LimitSize
		l.note(fmt.Errorf("the letter is over the limit of %d bytes", o.MaxSize))
	} else {
		w.part(h, body, 0, "")
	}
	own := w.ownLines()
	l.note(w.problems...)
	l.Over = w.over
	l.Attachments = w.attachments
	l.Fingerprint = fingerprint(&l, own, raw)
	l.classify(h, &w, o, err != nil)
	if l.Class == Orders {
		l.Lines = own
	}
	return l
}

// shared returns bytes as text without a copy. They must not be changed after.
func shared(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// note keeps problems, leaving out nil ones.
func (l *Letter) note(errs ...error) {
	for _, err := range errs {
		if err != nil {
			l.Problems = append(l.Problems, err.Error())
		}
	}
}

// readFields takes over what stands in the header.
func (l *Letter) readFields(h header, o Options) {
	from, err := author(h)
	l.note(err)
	l.From, l.FromName = from.addr, from.name
	l.MessageID = messageID(h.get("Message-ID"))
	l.References = messageIDs(h.get("References"))
	if ids := messageIDs(h.get("In-Reply-To")); len(ids) > 0 {
		l.InReplyTo = ids[0]
	}
	l.Subject = orders.Clean(decodeWords(h.get("Subject")))
	l.To = recipients(h)
	l.Date = readDate(h.get("Date"))
	l.Authenticated, l.AuthDomain = authenticate(h, o.AuthservID, l.From)
	suppress := strings.TrimSpace(h.get("X-Auto-Response-Suppress"))
	l.Quiet = suppress != "" && !strings.EqualFold(suppress, "none")
}

// fingerprint is taken over what makes a letter this letter: Message-ID, author and own text, or subject and
// attachments where there is no own text. A letter without a Message-ID is its bytes.
func fingerprint(l *Letter, own []string, raw []byte) string {
	h := sha256.New()
	if l.MessageID == "" {
		h.Write(raw)
		return hex.EncodeToString(h.Sum(nil))
	}
	buf := make([]byte, 0, 2048)
	add := func(s string) { buf = append(append(buf, s...), '\n') }
	add(l.MessageID)
	add(l.From)
	for _, line := range own {
		if line != "" {
			add(line)
		}
	}
	if len(own) == 0 {
		add(l.Subject)
		for _, a := range l.Attachments {
			add(a.SHA256)
		}
	}
	h.Write(buf)
	return hex.EncodeToString(h.Sum(nil))
}

// messageID takes the field as it stands: ids that break the grammar are kept whole.
func messageID(v string) string {
	return orders.Clean(decodeRaw(v))
}

// messageIDs takes the ids of a References or In-Reply-To field.
func messageIDs(v string) []string {
	var ids []string
	for v != "" {
		open := strings.IndexByte(v, '<')
		if open < 0 {
			break
		}
		end := strings.IndexByte(v[open:], '>')
		if end < 0 {
			break
		}
		ids = append(ids, orders.Clean(decodeRaw(v[open:open+end+1])))
		v = v[open+end+1:]
	}
	return ids
}

// readDate reads the Date field, and gives no time where it cannot.
func readDate(v string) time.Time {
	if v == "" {
		return time.Time{}
	}
	if t, err := time.Parse("Mon, _2 Jan 2006 15:04:05 -0700", v); err == nil { // nearly always
		return t
	}
	if t, err := mail.ParseDate(v); err == nil {
		return t
	}
	for _, layout := range []string{time.RFC3339, time.ANSIC, time.UnixDate, "2006-01-02 15:04:05 -0700"} {
		if t, err := time.Parse(layout, v); err == nil {
			return t
		}
	}
	return time.Time{}
}
