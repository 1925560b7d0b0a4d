package imapsrc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"time"

	"arroba/ingest"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// haul is what one attempt brought. Every UID up to last is in one of the three, but for letters left alone.
type haul struct {
	messages []ingest.Message
	settled  []imap.UID // brought, or gone from the mailbox
	failed   []failure
	last     imap.UID
	heads    map[imap.UID]head // as far as they are known, also with an error
}

// failure is a letter that the server has and did not give.
type failure struct {
	head
	why error
}

// head is what the server tells about a letter besides its text.
type head struct {
	uid     imap.UID
	size    int64
	arrived time.Time // zero when it is not known
}

// listError is a failure to learn the sizes and dates of letters.
type listError struct{ error }

func (e *listError) Unwrap() error { return e.error }

// tooBig is the fault of a letter above the limit.
type tooBig struct{ size, limit int64 }

func (e *tooBig) Error() string {
	return fmt.Sprintf("too big: %.1f MB, the limit is %.1f MB", float64(e.size)/(1<<20), float64(e.limit)/(1<<20))
}

// attempt reads the letters with these UIDs, which ascend, or as many of the first as fit into a batch. An error
// means that nothing was read.
func (s *Source) attempt(ctx context.Context, in *session, cur cursor, uids []imap.UID, dated bool, seen time.Time) (haul, error) {
	heads, err := in.list(ctx, uids, dated, seen)
	if err != nil {
		return haul{}, &listError{fmt.Errorf("ask for sizes and dates: %w", err)}
	}
	h := haul{heads: heads}
	var letters, whole, missing []head
	var sum int64
	for i, uid := range uids {
		letter, here := heads[uid]
		size := letter.size
		if size > s.cfg.MaxSize {
			size = headerSize
		}
		if sum += size; sum > maxBytes && i > 0 {
			break
		}
		h.last = uid
		switch {
		case !here:
			missing = append(missing, head{uid: uid})
		case cur.skip(uid, letter.arrived):
			h.settled = append(h.settled, uid)
		case letter.size > s.cfg.MaxSize:
			h.failed = append(h.failed, failure{letter, &tooBig{letter.size, s.cfg.MaxSize}})
		case letter.size > 2*pieceSize:
			letters = append(letters, letter)
		default:
			letters, whole = append(letters, letter), append(whole, letter)
		}
	}
	bodies, err := s.bodies(ctx, in, whole, len(uids) == maxLetters)
	if err != nil {
		return haul{heads: heads}, err
	}
	h.messages = make([]ingest.Message, 0, len(letters))
	for _, letter := range letters {
		raw := bodies[letter.uid]
		if letter.size > 2*pieceSize {
			if raw, err = in.pieces(ctx, letter, s.cfg.MaxSize); err != nil {
				return haul{heads: heads}, err
			}
		}
		if len(raw) == 0 {
			missing = append(missing, letter)
			continue
		}
		h.settled = append(h.settled, letter.uid)
		h.messages = append(h.messages, ingest.Message{
			Key: s.key(cur.Validity, letter.uid), Arrived: letter.arrived.UTC(), Raw: raw, Via: "mail", Size: letter.size,
		})
	}
	return h, in.sortMissing(ctx, missing, &h)
}

// sortMissing tells the letters that the server did not give from those that are no longer there.
func (s *session) sortMissing(ctx context.Context, missing []head, h *haul) error {
	if len(missing) == 0 {
		return nil
	}
	var set imap.UIDSet
	for _, letter := range missing {
		set.AddNum(letter.uid)
	}
	there, err := s.search(ctx, set)
	if err != nil {
		return fmt.Errorf("search for letters that did not come: %w", err)
	}
	for _, letter := range missing {
		if there.Contains(letter.uid) {
			h.failed = append(h.failed, failure{letter, errors.New("the answer was empty or did not come")})
		} else {
			h.settled = append(h.settled, letter.uid)
		}
	}
	return nil
}

// bodies fetches whole letters, of a backlog over two connections.
func (s *Source) bodies(ctx context.Context, in *session, letters []head, backlog bool) (map[imap.UID][]byte, error) {
	if len(letters) == 0 {
		return map[imap.UID][]byte{}, nil
	}
	other := s.helper(ctx, in, backlog && len(letters) > maxLetters/2)
	if other == nil {
		return in.bodies(ctx, letters, s.cfg.MaxSize)
	}
	half := len(letters) / 2
	var theirs map[imap.UID][]byte
	done := make(chan error, 1)
	go func() {
		var err error
		theirs, err = other.bodies(ctx, letters[half:], s.cfg.MaxSize)
		done <- err
	}()
	ours, err := in.bodies(ctx, letters[:half], s.cfg.MaxSize)
	if err = errors.Join(err, <-done); err != nil {
		return nil, err
	}
	maps.Copy(ours, theirs)
	return ours, nil
}

// helper returns the second connection, or nil when there is no need for one or the server does not want it.
func (s *Source) helper(ctx context.Context, in *session, needed bool) *session {
	if !needed || s.single {
		return nil
	}
	other, err := s.connect(ctx, &s.second)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		s.single = true
		s.cfg.Log.Info("reading over one connection only", "mailbox", s.cfg.Mailbox, "err", err)
		return nil
	}
	if other.validity != in.validity {
		s.second = other.shut()
		return nil
	}
	return other
}

// search returns which of the UIDs are in the mailbox. A server may answer a SEARCH from what it told this connection
// before, and tell of new letters after it only; a NOOP that was answered before it brings the connection up to date.
func (s *session) search(ctx context.Context, uids imap.UIDSet) (imap.UIDSet, error) {
	var found imap.UIDSet
	err := s.do(ctx, 1<<20+16*int64(s.count), func(c *imapclient.Client) error {
		var options *imap.SearchOptions
		if caps := c.Caps(); caps.Has(imap.CapESearch) || caps.Has(imap.CapIMAP4rev2) {
			options = &imap.SearchOptions{ReturnAll: true}
		}
		if err := c.Noop().Wait(); err != nil {
			return err
		}
		data, err := c.UIDSearch(&imap.SearchCriteria{UID: []imap.UIDSet{uids}}, options).Wait()
		if err == nil {
			found, _ = data.All.(imap.UIDSet)
		}
		return err
	})
	return found, err
}

// list asks for the sizes and dates of letters; without dates they have arrived at seen.
func (s *session) list(ctx context.Context, uids []imap.UID, dated bool, seen time.Time) (map[imap.UID]head, error) {
	heads := make(map[imap.UID]head, len(uids))
	err := s.do(ctx, 512*int64(len(uids)), func(c *imapclient.Client) error {
		cmd := c.Fetch(imap.UIDSetNum(uids...), &imap.FetchOptions{UID: true, RFC822Size: true, InternalDate: dated})
		for m := cmd.Next(); m != nil; m = cmd.Next() {
			letter, sized := head{arrived: seen}, false
			for item := m.Next(); item != nil; item = m.Next() {
				switch item := item.(type) {
				case imapclient.FetchItemDataUID:
					letter.uid = item.UID
				case imapclient.FetchItemDataRFC822Size:
					letter.size, sized = item.Size, true
				case imapclient.FetchItemDataInternalDate:
					letter.arrived = item.Time
				}
			}
			if sized {
				heads[letter.uid] = letter
			}
		}
		return cmd.Close()
	})
	return heads, err
}

// bodies fetches whole letters with one command. Those that the server does not give are not in the map.
func (s *session) bodies(ctx context.Context, letters []head, maxSize int64) (map[imap.UID][]byte, error) {
	var set imap.UIDSet
	var budget int64
	for _, letter := range letters {
		set.AddNum(letter.uid)
		budget += letter.size + 256
	}
	if len(letters) == 1 {
		budget = maxSize
	}
	return s.fetch(ctx, set, len(letters), &imap.FetchItemBodySection{Peek: true}, budget)
}

// pieces fetches a big letter piece by piece.
func (s *session) pieces(ctx context.Context, letter head, maxSize int64) ([]byte, error) {
	raw := make([]byte, 0, letter.size) // at most maxSize
	for {
		section := &imap.FetchItemBodySection{Peek: true, Partial: &imap.SectionPartial{Offset: int64(len(raw)), Size: pieceSize}}
		got, err := s.fetch(ctx, imap.UIDSetNum(letter.uid), 1, section, pieceSize)
		if err != nil {
			return nil, err
		}
		piece := got[letter.uid]
		raw = append(raw, piece...)
		if int64(len(raw)) > maxSize {
			return nil, &tooBig{int64(len(raw)), maxSize}
		}
		if len(piece) < pieceSize {
			return raw, nil
		}
	}
}

// header fetches the header of a letter, at most 64 kB of it.
func (s *session) header(ctx context.Context, uid imap.UID) ([]byte, error) {
	section := &imap.FetchItemBodySection{
		Peek: true, Specifier: imap.PartSpecifierHeader, Partial: &imap.SectionPartial{Size: headerSize},
	}
	got, err := s.fetch(ctx, imap.UIDSetNum(uid), 1, section, headerSize)
	return got[uid], err
}

// fetch fetches one section of n letters. It returns nothing with an error: a connection that was cut ends a literal
// as if it were complete, and only the end of the command tells.
func (s *session) fetch(ctx context.Context, set imap.UIDSet, n int, section *imap.FetchItemBodySection, budget int64) (map[imap.UID][]byte, error) {
	got := make(map[imap.UID][]byte, n)
	err := s.do(ctx, budget, func(c *imapclient.Client) error {
		cmd := c.Fetch(set, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{section}})
		var bad error
		for m := cmd.Next(); m != nil; m = cmd.Next() {
			uid, raw, err := s.literal(m, max(budget, headerSize))
			if err != nil {
				bad = err
				<-c.Closed()
			}
			got[uid] = raw
		}
		if err := cmd.Close(); bad == nil {
			bad = err
		}
		return bad
	})
	if err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	return got, nil
}

// literal reads the UID and the one section of an answer. A literal that ends with an error must not be read again, as
// the library will, before its reading goroutine has ended: the two would read the connection at once.
func (s *session) literal(m *imapclient.FetchMessageData, limit int64) (uid imap.UID, raw []byte, err error) {
	for item := m.Next(); item != nil; item = m.Next() {
		switch item := item.(type) {
		case imapclient.FetchItemDataUID:
			uid = item.UID
		case imapclient.FetchItemDataBodySection:
			if item.Literal == nil {
				continue
			}
			if item.Literal.Size() > limit {
				s.kill()
				io.Copy(io.Discard, item.Literal)
				return uid, nil, &tooBig{item.Literal.Size(), limit}
			}
			raw = make([]byte, item.Literal.Size())
			if n, err := io.ReadFull(item.Literal, raw); err != nil {
				return uid, nil, fmt.Errorf("the letter was cut after %d of %d bytes: %w", n, len(raw), err)
			}
		}
	}
	return uid, raw, nil
}
