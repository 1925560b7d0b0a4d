package imapsrc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"arroba/ingest"

	"github.com/emersion/go-imap/v2"
)

var errRenewed = errors.New("the mailbox got another UIDVALIDITY while it was read")

// read returns the batch that follows at.
func (s *Source) read(ctx context.Context, at ingest.Cursor) (ingest.Batch, error) {
	cur, err := parseCursor(at)
	if err != nil {
		return ingest.Batch{}, err
	}
	in, err := s.current(ctx)
	if err != nil {
		return ingest.Batch{}, err
	}
	if err := s.meet(ctx, in, &cur); err != nil {
		return ingest.Batch{}, err
	}
	var b ingest.Batch
	if !s.plan.fits(cur) || len(cur.Due) >= maxDue {
		if err := s.search(ctx, in, cur); err != nil {
			return ingest.Batch{}, err
		}
		if err := s.retry(ctx, &cur, &b); err != nil {
			return ingest.Batch{}, err
		}
	}
	if len(cur.Due) < maxDue {
		if err := s.readNew(ctx, &cur, &b); err != nil {
			return ingest.Batch{}, err
		}
		b.More = len(s.plan.uids) > 0
	} else {
		s.cfg.Log.Warn("too many letters cannot be read: new ones wait", "mailbox", s.cfg.Mailbox, "due", len(cur.Due))
	}
	if len(s.plan.uids) == 0 {
		b.Until = cur.until(s.plan.at)
	}
	b.Next = cur.String()
	return b, nil
}

// meet brings the cursor and the mailbox together: a first start, or a mailbox whose UIDs mean other letters now.
func (s *Source) meet(ctx context.Context, in *session, cur *cursor) error {
	if cur.Validity == in.validity {
		return nil
	}
	first := cur.Validity == 0
	next := cursor{Validity: in.validity, Since: cur.Since}
	if !first {
		s.cfg.Log.Warn("the mailbox has another UIDVALIDITY: it is read again from the beginning",
			"mailbox", s.cfg.Mailbox, "was", cur.Validity, "is", in.validity)
	}
	if s.cfg.First == FirstNew && (first || cur.Since != 0) {
		newest := in.next - 1
		if in.next == 0 {
			uids, err := in.search(ctx, imap.UIDSet{{Start: 1}})
			if err != nil {
				return err
			}
			newest = highest(uids)
		}
		if first {
			next.Since, next.Last = s.cfg.Now().Unix(), newest
		} else {
			next.Old = newest
		}
	}
	*cur, s.seen = next, 0
	return nil
}

// search makes a new plan.
func (s *Source) search(ctx context.Context, in *session, cur cursor) error {
	began := s.cfg.Now()
	select {
	case <-in.exists:
	default:
	}
	uids, err := in.search(ctx, imap.UIDSet{{Start: cur.Last + 1}})
	if err != nil {
		return fmt.Errorf("search: %w", err)
	}
	s.plan = plan{cur.Validity, cur.Last, uids, began}
	s.plan.read(cur.Last) // "n:*" also finds the last letter when there is none from n on
	s.seen = max(cur.Last, highest(uids))
	return nil
}

func highest(uids imap.UIDSet) imap.UID {
	if len(uids) == 0 {
		return 0
	}
	return uids[len(uids)-1].Stop
}

// retry tries letters that are due from before, each alone.
func (s *Source) retry(ctx context.Context, cur *cursor, b *ingest.Batch) error {
	now := s.cfg.Now().Unix()
	tried := 0
	for _, d := range slices.Clone(cur.Due) {
		if d.Next > now || tried == 8 {
			continue
		}
		tried++
		seen := s.plan.at
		if d.Arrived != 0 {
			seen = time.Unix(d.Arrived, 0)
		}
		h, err := s.readOne(ctx, *cur, d.UID, seen)
		if err != nil {
			return err
		}
		s.accept(ctx, cur, h, b)
	}
	return nil
}

// readNew brings the next letters of the plan, fewer of them when the server fails with many.
func (s *Source) readNew(ctx context.Context, cur *cursor, b *ingest.Batch) error {
	for uids := s.plan.first(s.step); len(uids) > 0; uids = uids[:s.step] {
		h, err := haul{}, error(nil)
		if len(uids) == 1 {
			if h, err = s.readOne(ctx, *cur, uids[0], s.plan.at); err != nil {
				return err
			}
		} else {
			in, err := s.same(ctx, *cur)
			if err != nil {
				return err
			}
			if h, err = s.attempt(ctx, in, *cur, uids, true, s.plan.at); err != nil {
				if ctx.Err() != nil {
					return err
				}
				s.step = len(uids) / 2
				if isTimeout(err) {
					return err
				}
				s.cfg.Log.Debug("asking for fewer letters at once", "mailbox", s.cfg.Mailbox, "letters", s.step, "err", err)
				continue
			}
		}
		s.step = min(2*s.step, maxLetters)
		s.accept(ctx, cur, h, b)
		cur.Last = h.last
		s.plan.read(h.last)
		return nil
	}
	return nil
}

func isTimeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout() || errors.Is(err, context.DeadlineExceeded)
}

// same returns the main session, which must have the mailbox that the cursor means.
func (s *Source) same(ctx context.Context, cur cursor) (*session, error) {
	in, err := s.current(ctx)
	if err == nil && in.validity != cur.Validity {
		err = errRenewed
	}
	return in, err
}

// readOne reads one letter that stands alone, which may take a second try on a new connection. When the server fails
// with its date, the letter is taken to have arrived at seen. The error is the connection's, never the letter's.
func (s *Source) readOne(ctx context.Context, cur cursor, uid imap.UID, seen time.Time) (haul, error) {
	var why error
	var arrived time.Time
	for try := range 3 {
		in, err := s.same(ctx, cur)
		if err != nil {
			return haul{}, err
		}
		var undated *listError
		if try == 2 && !errors.As(why, &undated) {
			break
		}
		h, err := s.attempt(ctx, in, cur, []imap.UID{uid}, try < 2, seen)
		if err == nil {
			return h, nil
		}
		if ctx.Err() != nil {
			return haul{}, ctx.Err()
		}
		why = err
		if told := h.heads[uid].arrived; try < 2 && !told.IsZero() {
			arrived = told
		}
		var big *tooBig
		if isTimeout(err) || errors.As(err, &big) {
			break
		}
	}
	return haul{failed: []failure{{head{uid: uid, arrived: arrived}, why}}, last: uid}, nil
}

// accept adds what was brought to the batch. Letters that failed are due, or are brought as faults after three tries.
func (s *Source) accept(ctx context.Context, cur *cursor, h haul, b *ingest.Batch) {
	b.Messages = append(b.Messages, h.messages...)
	for _, uid := range h.settled {
		cur.settled(uid)
	}
	for _, f := range h.failed {
		var big *tooBig
		tries := cur.failed(f.uid, f.arrived, s.cfg.Now().Add(s.cfg.Retry))
		if tries < maxTries && !errors.As(f.why, &big) {
			s.cfg.Log.Info("a letter could not be read", "mailbox", s.cfg.Mailbox, "uid", f.uid, "try", tries, "err", f.why)
			continue
		}
		cur.settled(f.uid)
		why := fmt.Sprintf("the server did not give it in %d tries: %v", tries, f.why)
		var limit int64
		if big != nil {
			why, limit = big.Error(), big.limit
		}
		arrived := f.arrived
		if arrived.IsZero() {
			arrived = s.plan.at
		}
		m := ingest.Message{Key: s.key(cur.Validity, f.uid), Arrived: arrived.UTC(), Via: "mail", Size: f.size, Fault: why, Limit: limit}
		if in, err := s.same(ctx, *cur); err == nil {
			m.Raw, _ = in.header(ctx, f.uid)
		}
		b.Messages = append(b.Messages, m)
	}
}
