package imapsrc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// done is the keyword of letters that need nobody's attention any more.
const done imap.Flag = "$ArrobaDone"

// Mark flags or moves letters that are done, as the configuration says, as far as the server allows it: in a mailbox
// that is read-only it does nothing. Keys of another UIDVALIDITY are left alone, for their UIDs name other letters.
func (s *Source) Mark(ctx context.Context, keys []string) error {
	if s.cfg.Done == DoneKeep || len(keys) == 0 {
		return nil
	}
	ctx, cancel, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer s.leave()
	defer cancel()
	in, err := s.current(ctx)
	if err != nil {
		return err
	}
	var uids []imap.UID
	for _, key := range keys {
		if validity, uid, ok := s.parseKey(key); ok && validity == in.validity {
			uids = append(uids, uid)
		}
	}
	for some := range slices.Chunk(uids, maxLetters) {
		if err := s.mark(ctx, in, imap.UIDSetNum(some...)); err != nil {
			return fmt.Errorf("mark letters in %s at %s: %w", s.cfg.Mailbox, s.cfg.Addr, err)
		}
	}
	return nil
}

// mark marks one set of letters. A server's NO is logged once and then obeyed, as long as the connection lasts.
func (s *Source) mark(ctx context.Context, in *session, set imap.UIDSet) error {
	flags := in.allowed()
	if in.noMarks || len(flags) == 0 {
		return nil
	}
	if s.cfg.Done == DoneMove { // to move letters that were moved before is an answer that not every server words well
		var err error
		if set, err = in.search(ctx, set); err != nil || len(set) == 0 {
			return err
		}
	}
	err := in.do(ctx, 256*maxLetters, func(c *imapclient.Client) error {
		caps := c.Caps()
		switch {
		case s.cfg.Done == DoneMove && caps.Has(imap.CapMove):
			_, err := c.Move(set, s.cfg.MoveTo).Wait()
			return err
		case s.cfg.Done == DoneMove && caps.Has(imap.CapUIDPlus):
			return copyAway(c, set, s.cfg.MoveTo)
		default:
			return store(c, set, flags...)
		}
	})
	var answer *imap.Error
	if errors.As(err, &answer) {
		in.noMarks = true
		s.cfg.Log.Warn("the server refuses to mark letters as done; they are read once all the same",
			"mailbox", s.cfg.Mailbox, "err", err)
		return nil
	}
	return err
}

func store(c *imapclient.Client, set imap.UIDSet, flags ...imap.Flag) error {
	return c.Store(set, &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: flags}, nil).Close()
}

// copyAway moves letters where the server has no MOVE. The library would send all three commands at once, and so
// delete letters that could not be copied.
func copyAway(c *imapclient.Client, set imap.UIDSet, to string) error {
	if _, err := c.Copy(set, to).Wait(); err != nil {
		return err
	}
	if err := store(c, set, imap.FlagDeleted); err != nil {
		return err
	}
	return c.UIDExpunge(set).Close()
}

// allowed returns those of our flags that may be set. A server that lists none at all is a read-only mailbox.
func (s *session) allowed() []imap.Flag {
	has := func(flag imap.Flag) bool {
		return slices.ContainsFunc(s.flags, func(f imap.Flag) bool { return strings.EqualFold(string(f), string(flag)) })
	}
	var out []imap.Flag
	if has(imap.FlagSeen) || has(imap.FlagWildcard) {
		out = append(out, imap.FlagSeen)
	}
	if has(done) || has(imap.FlagWildcard) {
		out = append(out, done)
	}
	return out
}
