package turns

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"arroba/rules"
	"arroba/store"
)

const (
	viaMail  = "mail"
	viaForum = "forum" // accounts on forums, in the table of addresses, and posts that are sent to them
	viaPost  = "post"  // letters that came as posts
)

const gameColumns = `name, ruleset, title, version, zone, language, seed, mailbox, sender, settings, created, started, last_n, last_input, chain, next_due, held, paused, pause_why, reminded, digested, digest_due, register_due, people`

// ListGames returns all games with their members, in the order they were opened.
func ListGames(ctx context.Context, q Queryer) ([]Game, error) {
	list, err := listGames(ctx, q)
	for i := range list {
		if err == nil {
			err = list[i].loadMembers(ctx, q)
		}
		if err == nil {
			err = list[i].loadAddresses(ctx, q)
		}
	}
	return list, err
}

// SomeGames returns so many games without their members, in the order they were opened, after skipping some.
func SomeGames(ctx context.Context, q Queryer, limit, skip int) ([]Game, error) {
	return games(ctx, q, `ORDER BY created, name LIMIT $1 OFFSET $2`, limit, skip)
}

// listGames is ListGames without the members.
func listGames(ctx context.Context, q Queryer) ([]Game, error) {
	return games(ctx, q, `ORDER BY created, name`)
}

func games(ctx context.Context, q Queryer, which string, args ...any) ([]Game, error) {
	rows, err := q.QueryContext(ctx, `SELECT `+gameColumns+` FROM game `+which, args...)
	if err != nil {
		return nil, fmt.Errorf("listing the games: %w", err)
	}
	defer rows.Close()
	var list []Game
	for rows.Next() {
		g, err := scanGame(rows.Scan)
		if err != nil {
			return nil, fmt.Errorf("listing the games: %w", err)
		}
		list = append(list, *g)
	}
	return list, rows.Err()
}

// LoadGame returns a game with its members; ErrUnknownGame when there is none of that name.
func LoadGame(ctx context.Context, q Queryer, name string) (*Game, error) {
	row := q.QueryRowContext(ctx, `SELECT `+gameColumns+` FROM game WHERE name = $1`, name)
	g, err := scanGame(row.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: %s", ErrUnknownGame, name)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the game %s: %w", name, err)
	}
	if err := g.loadMembers(ctx, q); err != nil {
		return nil, fmt.Errorf("reading the members of %s: %w", name, err)
	}
	if err := g.loadAddresses(ctx, q); err != nil {
		return nil, fmt.Errorf("reading the addresses of %s: %w", name, err)
	}
	return g, nil
}

func scanGame(scan func(...any) error) (*Game, error) {
	var g Game
	var zone string
	var settings []byte
	var created, started, paused, reminded, digestDue, registerDue int64
	var due sql.NullInt64
	err := scan(&g.Name, &g.Ruleset, &g.Title, &g.Version, &zone, &g.Language, &g.seed, &g.Mailbox, &g.Sender, &settings,
		&created, &started, &g.LastN, &g.LastInput, &g.chain, &due, &g.Held, &paused, &g.PauseWhy, &reminded, &g.Digested, &digestDue, &registerDue, &g.people)
	if err != nil {
		return nil, err
	}
	g.chain = append([]byte{}, g.chain...) // never NULL
	g.Created, g.Started = store.Time(created), timeOr(started)
	g.Paused, g.Reminded, g.DigestDue, g.RegisterDue = timeOr(paused), timeOr(reminded), timeOr(digestDue), timeOr(registerDue)
	if due.Valid {
		g.NextDue = store.Time(due.Int64)
	}
	if g.Zone, err = time.LoadLocation(zone); err != nil {
		return nil, err
	}
	return &g, json.Unmarshal(settings, &g.Settings)
}

// timeOr is an instant of the database, zero for 0.
func timeOr(micro int64) (t time.Time) {
	if micro != 0 {
		t = store.Time(micro)
	}
	return t
}

// microOr is an instant for the database, 0 for zero.
func microOr(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return store.Micro(t)
}

const memberColumns = `game, seat, nick, role, language, zone, link, ord, token, password, away_from, away_until, taken, gone, since`

func (g *Game) loadMembers(ctx context.Context, q Queryer) error {
	rows, err := q.QueryContext(ctx, `SELECT seat, nick, role, language, zone, link, token, password, away_from, away_until, taken, gone, since FROM member WHERE game = $1 ORDER BY ord`, g.Name)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var m Member
		var zone, taken string
		var from, until, gone int64
		if err := rows.Scan(&m.Seat, &m.Nick, &m.Role, &m.Language, &zone, &m.Link, &m.token, &m.password, &from, &until, &taken, &gone, &m.Since); err != nil {
			return err
		}
		if taken != "" {
			if err := json.Unmarshal([]byte(taken), &m.taken); err != nil {
				return err
			}
		}
		m.AwayFrom, m.AwayUntil, m.Gone = timeOr(from), timeOr(until), timeOr(gone)
		if m.Zone, err = time.LoadLocation(zone); err != nil {
			return err
		}
		g.Members = append(g.Members, m)
	}
	return rows.Err()
}

func (g *Game) loadAddresses(ctx context.Context, q Queryer) error {
	rows, err := q.QueryContext(ctx, `SELECT seat, via, shown, scope, digest, board FROM address WHERE game = $1 ORDER BY ord`, g.Name)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var seat rules.Seat
		var via, shown, scope, board string
		var digest bool
		if err := rows.Scan(&seat, &via, &shown, &scope, &digest, &board); err != nil {
			return err
		}
		switch m := g.seat(seat); {
		case seat == "":
			to := CopyTo{Address: shown, Digest: digest}
			if scope != "" {
				if err := json.Unmarshal([]byte(scope), &to.Scope); err != nil {
					return err
				}
			}
			g.Copies = append(g.Copies, to)
		case m != nil && via == viaMail:
			m.Addresses = append(m.Addresses, shown)
		case m != nil:
			m.Accounts = append(m.Accounts, Account{board, shown})
		}
	}
	return rows.Err()
}

// MemberByLink returns the game and the member whose own page a link is; ErrUnknownGame when it is nobody's.
func MemberByLink(ctx context.Context, q Queryer, link string) (*Game, *Member, error) {
	var name string
	var seat rules.Seat
	err := q.QueryRowContext(ctx, `SELECT game, seat FROM member WHERE link = $1 AND gone = 0`, link).Scan(&name, &seat)
	if errors.Is(err, sql.ErrNoRows) || link == "" {
		return nil, nil, ErrUnknownGame
	}
	if err != nil {
		return nil, nil, fmt.Errorf("looking for a member's page: %w", err)
	}
	g, err := LoadGame(ctx, q, name)
	if err != nil {
		return nil, nil, err
	}
	return g, g.seat(seat), nil
}

// place is a seat in a game.
type place struct {
	game string
	seat rules.Seat
}

// seatsOf returns the seats of senders by their mail addresses, folded. Who left a game is nobody in it.
func seatsOf(ctx context.Context, q Queryer, senders []string) (map[string][]place, error) {
	found := map[string][]place{}
	if len(senders) == 0 {
		return found, nil
	}
	in, args := placeholders(senders, viaMail)
	rows, err := q.QueryContext(ctx, `SELECT address.addr, address.game, address.seat FROM address JOIN member ON member.game = address.game AND member.seat = address.seat
		WHERE address.via = $1 AND address.addr IN (`+in+`) AND member.gone = 0 ORDER BY address.game`, args...)
	if err != nil {
		return nil, fmt.Errorf("looking for the writers: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var addr string
		var p place
		if err := rows.Scan(&addr, &p.game, &p.seat); err != nil {
			return nil, fmt.Errorf("looking for the writers: %w", err)
		}
		found[addr] = append(found[addr], p)
	}
	return found, rows.Err()
}

// placeholders returns "$2,$3,…" for a list that follows other arguments, and all of them.
func placeholders(list []string, before ...any) (string, []any) {
	var b strings.Builder
	args := before
	for i, s := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		args = append(args, s)
		fmt.Fprintf(&b, "$%d", len(args))
	}
	return b.String(), args
}

// changed writes a member that was changed, so that all that follows finds him as he is now.
func (w *work) changed(g *live, seat rules.Seat) error {
	if err := writeMember(w.ctx, w.tx, &g.Game, g.seat(seat)); err != nil {
		return fmt.Errorf("in the game %s: %w", g.Name, err)
	}
	return w.peopleChanged(g)
}

// peopleChanged lets everybody who has the members of a game in memory see that they changed.
func (w *work) peopleChanged(g *live) error {
	if _, err := w.tx.ExecContext(w.ctx, `UPDATE game SET people = people + 1 WHERE name = $1`, g.Name); err != nil {
		return fmt.Errorf("counting the changes of members of %s: %w", g.Name, err)
	}
	g.people++
	g.nicks = nil
	if w.book != nil {
		w.book.stale = true
	}
	return nil
}

// loadPeople reads members and addresses afresh.
func (g *live) loadPeople(ctx context.Context, q Queryer) error {
	g.Members, g.Copies, g.nicks = nil, nil, nil
	if err := g.loadMembers(ctx, q); err != nil {
		return fmt.Errorf("reading the members of %s: %w", g.Name, err)
	}
	if err := g.loadAddresses(ctx, q); err != nil {
		return fmt.Errorf("reading the addresses of %s: %w", g.Name, err)
	}
	return nil
}

// insertGame writes a new game with its members and addresses.
func insertGame(ctx context.Context, tx *sql.Tx, g *live) error {
	settings, err := plain(g.Settings)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO game (`+gameColumns+`) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,0,'',0,0,0,0,0)`,
		g.Name, g.Ruleset, store.Text(g.Title), g.Version, g.Zone.String(), g.Language, g.seed, g.Mailbox, g.Sender, string(settings),
		store.Micro(g.Created), microOr(g.Started), g.LastN, g.LastInput, []byte{}, nil, "")
	if err == nil {
		err = listed(ctx, tx)
	}
	if err != nil {
		return fmt.Errorf("writing the game: %w", err)
	}
	for i := range g.Members {
		if err := writeMember(ctx, tx, &g.Game, &g.Members[i]); err != nil {
			return err
		}
	}
	for i, c := range g.Copies {
		if err := insertCopyTo(ctx, tx, g.Name, c, i); err != nil {
			return err
		}
	}
	return nil
}

// writeMember writes a member as he is now, new or known, with his addresses.
func writeMember(ctx context.Context, tx *sql.Tx, g *Game, m *Member) error {
	ord := slices.IndexFunc(g.Members, func(o Member) bool { return o.Seat == m.Seat })
	taken := ""
	if len(m.taken) > 0 {
		b, err := plain(m.taken)
		if err != nil {
			return err
		}
		taken = string(b)
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO member (`+memberColumns+`) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)
		ON CONFLICT (game, seat) DO UPDATE SET nick = excluded.nick, role = excluded.role, language = excluded.language, zone = excluded.zone,
		link = excluded.link, token = excluded.token, password = excluded.password, away_from = excluded.away_from,
		away_until = excluded.away_until, taken = excluded.taken, gone = excluded.gone, since = excluded.since`,
		g.Name, string(m.Seat), m.Nick, string(m.Role), m.Language, m.Zone.String(), m.Link, ord, m.token, m.password,
		microOr(m.AwayFrom), microOr(m.AwayUntil), taken, microOr(m.Gone), m.Since)
	if err != nil {
		return fmt.Errorf("writing the member %s: %w", m.Nick, err)
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM address WHERE game = $1 AND seat = $2`, g.Name, string(m.Seat)); err != nil {
		return fmt.Errorf("writing the addresses of %s: %w", m.Nick, err)
	}
	for j, a := range m.Addresses {
		if err := insertAddress(ctx, tx, g.Name, m.Seat, viaMail, foldAddress(a), Account{ID: a}, j); err != nil {
			return err
		}
	}
	for j, a := range m.Accounts {
		if err := insertAddress(ctx, tx, g.Name, m.Seat, viaForum, accountName(a.ID), a, j); err != nil {
			return err
		}
	}
	return nil
}

func insertCopyTo(ctx context.Context, tx *sql.Tx, game string, c CopyTo, ord int) error {
	scope := ""
	if c.Scope != nil {
		b, err := plain(c.Scope)
		if err != nil {
			return err
		}
		scope = string(b)
	}
	digest := 0
	if c.Digest {
		digest = 1
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO address (game, seat, via, addr, shown, ord, scope, digest) VALUES ($1,'',$2,$3,$4,$5,$6,$7) ON CONFLICT DO NOTHING`,
		game, viaMail, foldAddress(c.Address), c.Address, ord, scope, digest)
	if err != nil {
		return fmt.Errorf("writing the address %s: %w", c.Address, err)
	}
	return nil
}

func insertAddress(ctx context.Context, tx *sql.Tx, game string, seat rules.Seat, via, addr string, shown Account, ord int) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO address (game, seat, via, addr, shown, board, ord) VALUES ($1,$2,$3,$4,$5,$6,$7) ON CONFLICT DO NOTHING`,
		game, string(seat), via, addr, shown.ID, shown.Board, ord)
	if err != nil {
		return fmt.Errorf("writing the address %s: %w", shown.ID, err)
	}
	return nil
}

// newLink returns the secret part of the address of a member's page.
func newLink() string { return strings.ToLower(rand.Text()) }
