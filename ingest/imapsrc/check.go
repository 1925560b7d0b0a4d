package imapsrc

import (
	"context"
	"fmt"
)

// Check connects, logs in and selects the mailbox, and returns how many letters it holds. It reads none of them.
func (s *Source) Check(ctx context.Context) (letters int, err error) {
	ctx, cancel, err := s.enter(ctx)
	if err != nil {
		return 0, err
	}
	defer s.leave()
	defer cancel()
	in, err := s.current(ctx)
	if err != nil {
		return 0, fmt.Errorf("read %s at %s: %w", s.cfg.Mailbox, s.cfg.Addr, err)
	}
	return int(in.count), nil
}
