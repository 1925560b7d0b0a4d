package imapsrc

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"arroba/ingest"

	"github.com/emersion/go-imap/v2"
)

// cursor is how far the mailbox was read.
type cursor struct {
	Validity uint32   `json:"validity"`
	Last     imap.UID `json:"last"`          // every UID up to this one was brought, is due or is gone
	Due      []due    `json:"due,omitempty"` // in the order of UIDs
	// With FirstNew: letters that arrived before Since and have UIDs up to Old are left alone. Old is 0 until the
	// mailbox is read again under another UIDVALIDITY.
	Since int64    `json:"since,omitempty"` // Unix seconds
	Old   imap.UID `json:"old,omitempty"`
}

// due is a letter that could not be read yet.
type due struct {
	UID     imap.UID `json:"uid"`
	Arrived int64    `json:"arrived"` // Unix seconds; 0: not known
	Tries   int      `json:"tries"`
	Next    int64    `json:"next"` // when to try again, Unix seconds
}

func parseCursor(at ingest.Cursor) (cursor, error) {
	var c cursor
	if at == "" {
		return c, nil
	}
	if err := json.Unmarshal([]byte(at), &c); err != nil {
		return c, fmt.Errorf("the stored cursor %q is damaged: %w", at, err)
	}
	return c, nil
}

func (c cursor) String() ingest.Cursor {
	b, err := json.Marshal(c)
	if err != nil {
		panic(err) // numbers only
	}
	return ingest.Cursor(b)
}

// until is the time up to which everything was seen, when a search that began at at left nothing unread. It is zero
// when a letter is due of which nobody knows when it arrived.
func (c cursor) until(at time.Time) time.Time {
	t := at.Add(-skew)
	for _, d := range c.Due {
		if d.Arrived == 0 {
			return time.Time{}
		}
		if before := time.Unix(d.Arrived, 0).Add(-time.Second); before.Before(t) {
			t = before
		}
	}
	return t
}

// skip tells whether a letter is from before the first start.
func (c cursor) skip(uid imap.UID, arrived time.Time) bool {
	return uid <= c.Old && arrived.Unix() < c.Since
}

// failed notes that a letter could not be read, and returns how often that was so. The arrival is zero when it is not
// known.
func (c *cursor) failed(uid imap.UID, arrived, next time.Time) int {
	i, known := c.find(uid)
	if !known {
		c.Due = slices.Insert(c.Due, i, due{UID: uid})
	}
	if !arrived.IsZero() {
		c.Due[i].Arrived = arrived.Unix()
	}
	c.Due[i].Tries++
	c.Due[i].Next = next.Unix()
	return c.Due[i].Tries
}

// settled notes that a letter is due no more.
func (c *cursor) settled(uid imap.UID) {
	if i, known := c.find(uid); known {
		c.Due = slices.Delete(c.Due, i, i+1)
	}
}

func (c *cursor) find(uid imap.UID) (int, bool) {
	return slices.BinarySearchFunc(c.Due, uid, func(d due, uid imap.UID) int { return int(int64(d.UID) - int64(uid)) })
}

// key is the lasting name of a letter: "INBOX/1700000000/42".
func (s *Source) key(validity uint32, uid imap.UID) string {
	return fmt.Sprintf("%s/%d/%d", s.cfg.Mailbox, validity, uid)
}

// parseKey reads what key wrote for this mailbox.
func (s *Source) parseKey(key string) (validity uint32, uid imap.UID, ok bool) {
	rest, ok := strings.CutPrefix(key, s.cfg.Mailbox+"/")
	v, u, ok2 := strings.Cut(rest, "/")
	n, err := strconv.ParseUint(v, 10, 32)
	m, err2 := strconv.ParseUint(u, 10, 32)
	return uint32(n), imap.UID(m), ok && ok2 && err == nil && err2 == nil
}

// plan is what the last search found and was not read yet. It goes with the cursor that has the same UIDVALIDITY and
// last UID, and is searched for again otherwise.
type plan struct {
	validity uint32
	last     imap.UID
	uids     imap.UIDSet
	at       time.Time // when the search began
}

func (p plan) fits(c cursor) bool {
	return len(p.uids) > 0 && p.validity == c.Validity && p.last == c.Last
}

// first returns the first n UIDs.
func (p plan) first(n int) []imap.UID {
	var out []imap.UID
	for _, r := range p.uids {
		for uid := r.Start; uid <= r.Stop && len(out) < n; uid++ {
			out = append(out, uid)
		}
	}
	return out
}

// read takes off the UIDs up to last.
func (p *plan) read(last imap.UID) {
	p.last = last
	for len(p.uids) > 0 && p.uids[0].Stop <= last {
		p.uids = p.uids[1:]
	}
	if len(p.uids) > 0 && p.uids[0].Start <= last {
		p.uids[0].Start = last + 1
	}
}
