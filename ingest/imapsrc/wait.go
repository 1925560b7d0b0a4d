package imapsrc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// lasting is how long a connection has lasted that did not fail from the beginning.
const lasting = 10 * time.Second

// Wait returns nil when letters may have come that no Poll has seen, and when somebody else needs the connection. It
// uses IDLE, which it ends and begins again before servers and address translators lose patience, and NOOP where the
// server has no IDLE.
func (s *Source) Wait(ctx context.Context) error {
	ctx, cancel, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer s.leave()
	defer cancel()
	if s.ahead != nil || s.seen == 0 && s.main == nil {
		return nil // there is something to be polled at once
	}
	in, err := s.current(ctx)
	for err == nil {
		var come bool
		if come, err = s.watch(ctx, in); come {
			return nil
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("wait for letters in %s at %s: %w", s.cfg.Mailbox, s.cfg.Addr, err)
}

// watch searches once, and then listens for a while. Letters that come between the two are told while it listens.
func (s *Source) watch(ctx context.Context, in *session) (come bool, err error) {
	if in.validity != s.plan.validity {
		return true, nil
	}
	select {
	case <-in.exists:
	default:
	}
	uids, err := in.search(ctx, imap.UIDSet{{Start: s.seen + 1}})
	if err != nil || highest(uids) > s.seen {
		return err == nil, err
	}
	idle, err := in.idle(ctx)
	var no *imap.Error
	if err != nil && !errors.As(err, &no) {
		return false, err
	}
	err = nil
	pause := s.cfg.Idle
	if idle == nil {
		pause /= 10
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-in.exists:
		come = true
	case <-s.poke:
		come = true
	case <-timer.C:
	case <-in.client.Closed():
		// Letters may have come since, and a poll tells whether the server is there. One that hangs up at once is
		// left to the caller's patience.
		if come = s.cfg.Now().Sub(in.selected) > lasting; !come {
			err = errors.New("the server closed the connection")
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	if idle == nil {
		return come, err
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	stopErr := in.do(stop, headerSize, func(*imapclient.Client) error {
		if err := idle.Close(); err != nil {
			return err
		}
		return idle.Wait()
	})
	if err == nil && !come {
		err = stopErr
	}
	return come, err
}

// idle begins an IDLE. It returns nil without an error when the server has none.
func (s *session) idle(ctx context.Context) (*imapclient.IdleCommand, error) {
	var idle *imapclient.IdleCommand
	err := s.do(ctx, headerSize, func(c *imapclient.Client) error {
		if caps := c.Caps(); !caps.Has(imap.CapIdle) && !caps.Has(imap.CapIMAP4rev2) {
			return nil
		}
		var err error
		idle, err = c.Idle()
		return err
	})
	return idle, err
}
