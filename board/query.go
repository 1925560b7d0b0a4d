package board

import (
	"context"
	"fmt"
	"strings"
	"time"

	"arroba/outbox"
	"arroba/rules"
	"arroba/store"
)

// gameRow is what the board reads of a game.
type gameRow struct {
	Name, Ruleset, Title, Language string
	Zone                           *time.Location
	Held                           bool
	Created                        time.Time
}

const gameColumns = `SELECT name, ruleset, title, language, zone, held, created FROM game`

func scanGame(scan func(...any) error) (g gameRow, err error) {
	var zone, held string
	var created int64
	if err := scan(&g.Name, &g.Ruleset, &g.Title, &g.Language, &zone, &held, &created); err != nil {
		return g, err
	}
	g.Held, g.Created = held != "", store.Time(created)
	g.Zone, err = time.LoadLocation(zone)
	return g, err
}

func (b *board) readGame(ctx context.Context, name string) (gameRow, error) {
	g, err := scanGame(b.DB.Read().QueryRowContext(ctx, gameColumns+` WHERE name = $1`, name).Scan)
	return g, found(err, "reading a game")
}

func (b *board) readGames(ctx context.Context) (games []gameRow, err error) {
	rows, err := b.DB.Read().QueryContext(ctx, gameColumns)
	if err != nil {
		return nil, fmt.Errorf("listing the games: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		g, err := scanGame(rows.Scan)
		if err != nil {
			return nil, fmt.Errorf("listing the games: %w", err)
		}
		games = append(games, g)
	}
	return games, rows.Err()
}

// memberRow is what the board reads of a member.
type memberRow struct {
	Game, Nick, Language string
	Viewer               rules.Viewer
	Zone                 *time.Location
}

// readMember finds the member whose own page stands at a link.
func (b *board) readMember(ctx context.Context, link string) (m memberRow, err error) {
	var role, zone string
	err = b.DB.Read().QueryRowContext(ctx, `SELECT game, seat, nick, role, language, zone FROM member WHERE link = $1`, link).
		Scan(&m.Game, &m.Viewer.Seat, &m.Nick, &role, &m.Language, &zone)
	if link == "" || err != nil {
		return m, found(err, "finding whose page it is")
	}
	m.Viewer.GM = rules.Role(role) == rules.GM
	m.Zone, err = time.LoadLocation(zone)
	return m, err
}

// readPosts returns at most n of a game's announcements before a number, the newest first; before 0 is no bound.
func (b *board) readPosts(ctx context.Context, game string, before int64, n int) ([]outbox.Item, error) {
	posts, err := outbox.Posts(ctx, b.DB.Read(), game, n, before)
	if err != nil {
		return nil, fmt.Errorf("reading the announcements: %w", err)
	}
	return posts, nil
}

// paragraphs are the parts of an announcement's text between blank lines.
func paragraphs(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, "\n\n") {
		if part = strings.Trim(part, "\n"); part != "" {
			out = append(out, part)
		}
	}
	return out
}
