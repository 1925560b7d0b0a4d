package turns

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// maxAccounts is how many accounts a member may have on file.
const maxAccounts = 20

// ParseAccount reads an account as people write it: the forum, a colon and the id there, or a name alone.
func ParseAccount(s string) (Account, error) {
	s = strings.TrimSpace(s)
	board, id, named := strings.Cut(s, ":")
	switch {
	case s == "" || named && (!goodName(board) || strings.TrimSpace(id) == ""):
		return Account{}, fmt.Errorf("%q is no account; write the name of the forum source, a colon and the number of the user there, as phpbb:17, or a name", s)
	case named:
		return Account{board, strings.TrimSpace(id)}, nil
	}
	return Account{ID: s}, nil
}

// String is the account as ParseAccount reads it.
func (a Account) String() string {
	if a.Board == "" {
		return a.ID
	}
	return a.Board + ":" + a.ID
}

// same tells whether two accounts are one.
func (a Account) same(o Account) bool {
	return a.Board == o.Board && accountName(a.ID) == accountName(o.ID)
}

// AddAccount writes an account on forums down as a member's, named by nick or seat: posts from it are his from then on.
func (e *Engine) AddAccount(ctx context.Context, game, member string, a Account) error {
	return e.onMember(ctx, game, member, func(w *work, g *live, m *Member) error {
		for _, o := range g.Members {
			switch {
			case !o.Gone.IsZero() || !slices.ContainsFunc(o.Accounts, a.same):
			case o.Seat == m.Seat:
				return fmt.Errorf("%s has the account %s already", m.Nick, a)
			default:
				return fmt.Errorf("%s is an account of %s; a post from it could be either's", a, o.Nick)
			}
		}
		if len(m.Accounts) >= maxAccounts {
			return fmt.Errorf("%s has %d accounts already, and no more are kept", m.Nick, maxAccounts)
		}
		m.Accounts = append(slices.Clone(m.Accounts), a)
		return w.changed(g, m.Seat)
	})
}

// RemoveAccount takes an account on forums off the file of a member, named by nick or seat.
func (e *Engine) RemoveAccount(ctx context.Context, game, member string, a Account) error {
	return e.onMember(ctx, game, member, func(w *work, g *live, m *Member) error {
		left := slices.DeleteFunc(slices.Clone(m.Accounts), a.same)
		if len(left) == len(m.Accounts) {
			return fmt.Errorf("%s is no account of %s; those on file are %v", a, m.Nick, m.Accounts)
		}
		m.Accounts = left
		return w.changed(g, m.Seat)
	})
}
