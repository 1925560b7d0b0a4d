package ingest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"arroba/store"
)

// What became of a letter.
const (
	Done    = "done"
	Waiting = "waiting" // its game is held, or a due instant before it cannot fire yet
	Desk    = "desk"    // for a person to read
	Failed  = "failed"  // it could not be read, or a rule failed on it
)

// Entry is a row of the inbox: a letter that came, with what became of it.
type Entry struct {
	ID, Source, Key string
	Fingerprint     string
	Arrived, Taken  time.Time
	Via             string // mail or post
	Class           string // a letter.Class
	Sender, Subject string
	MessageID       string
	Game            string // "" when none was found
	Seat            string // "" when the writer is nobody known, or did not prove who he is
	Status          string
	Note            string // why, for desk and failed
	Raw             []byte // nil where a query leaves it out
}

// Queryer is a transaction or a pool.
type Queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

const (
	columns = `id, source, ukey, fingerprint, arrived, taken, via, class, sender, subject, message_id, game, seat, status, note`
	width   = 16 // with raw
	chunk   = 500
)

// Insert keeps new letters.
func Insert(ctx context.Context, tx *sql.Tx, list []Entry) error {
	for len(list) > 0 {
		part := list[:min(len(list), chunk)]
		list = list[len(part):]
		var q strings.Builder
		q.WriteString(`INSERT INTO inbox (` + columns + `, raw) VALUES `)
		args := make([]any, 0, len(part)*width)
		for i := range part {
			if i > 0 {
				q.WriteByte(',')
			}
			for c := range width {
				q.WriteByte("(,"[min(c, 1)])
				q.WriteByte('$')
				q.WriteString(strconv.Itoa(len(args) + c + 1))
			}
			q.WriteByte(')')
			args = append(args, part[i].values()...)
		}
		if _, err := tx.ExecContext(ctx, q.String(), args...); err != nil {
			return fmt.Errorf("keeping %d letters: %w", len(part), err)
		}
	}
	return nil
}

func (e *Entry) values() []any {
	raw := e.Raw
	if raw == nil {
		raw = []byte{}
	}
	return []any{e.ID, e.Source, e.Key, e.Fingerprint, store.Micro(e.Arrived), store.Micro(e.Taken), e.Via, e.Class,
		store.Text(e.Sender), store.Text(e.Subject), store.Text(e.MessageID), e.Game, e.Seat, e.Status, store.Text(e.Note), raw}
}

// Settle records what became of a letter that was kept earlier.
func Settle(ctx context.Context, tx *sql.Tx, e Entry) error {
	_, err := tx.ExecContext(ctx, `UPDATE inbox SET class = $1, game = $2, seat = $3, status = $4, note = $5 WHERE id = $6`,
		e.Class, e.Game, e.Seat, e.Status, store.Text(e.Note), e.ID)
	if err != nil {
		return fmt.Errorf("recording what became of the letter %s: %w", e.ID, err)
	}
	return nil
}

// Statuses returns what became of a source's letters of these keys, as far as they were kept already.
func Statuses(ctx context.Context, q Queryer, source string, keys []string) (map[string]string, error) {
	found := map[string]string{}
	return found, inChunks(ctx, q, `SELECT ukey, status FROM inbox WHERE source = $1 AND ukey IN (`, keys, []any{source},
		func(rows *sql.Rows) error {
			var key, status string
			err := rows.Scan(&key, &status)
			found[key] = status
			return err
		})
}

// Print is a letter's fingerprint in a game.
type Print struct{ Game, Fingerprint string }

// Known returns which fingerprints belong to letters that were kept already and whose writer was known.
func Known(ctx context.Context, q Queryer, fingerprints []string) (map[Print]bool, error) {
	found := map[Print]bool{}
	return found, inChunks(ctx, q, `SELECT game, fingerprint FROM inbox WHERE seat <> '' AND fingerprint IN (`, fingerprints, nil,
		func(rows *sql.Rows) error {
			var p Print
			err := rows.Scan(&p.Game, &p.Fingerprint)
			found[p] = true
			return err
		})
}

// inChunks runs a query that ends in "IN (" for a list, in parts that every database takes.
func inChunks(ctx context.Context, q Queryer, query string, list []string, before []any, scan func(*sql.Rows) error) error {
	for len(list) > 0 {
		part := list[:min(len(list), chunk)]
		list = list[len(part):]
		in := make([]string, len(part))
		args := append([]any{}, before...)
		for i, s := range part {
			args = append(args, s)
			in[i] = "$" + strconv.Itoa(len(args))
		}
		if err := each(ctx, q, query+strings.Join(in, ",")+`)`, args, scan); err != nil {
			return err
		}
	}
	return nil
}

func each(ctx context.Context, q Queryer, query string, args []any, scan func(*sql.Rows) error) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("reading the inbox: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return fmt.Errorf("reading the inbox: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading the inbox: %w", err)
	}
	return nil
}

// WaitingOf returns the waiting letters of a game with their bytes, in order of arrival, at most limit.
func WaitingOf(ctx context.Context, q Queryer, game string, limit int) ([]Entry, error) {
	return entries(ctx, q, true, `game = $1 AND status = $2 ORDER BY arrived, ukey LIMIT $3`, game, Waiting, limit)
}

// GamesWaiting returns the games that have waiting letters.
func GamesWaiting(ctx context.Context, q Queryer) ([]string, error) {
	var games []string
	err := each(ctx, q, `SELECT DISTINCT game FROM inbox WHERE status = $1`, []any{Waiting}, func(rows *sql.Rows) error {
		var g string
		err := rows.Scan(&g)
		games = append(games, g)
		return err
	})
	return games, err
}

// List returns letters without their bytes, the newest first, at most limit: all, or those of a status.
func List(ctx context.Context, q Queryer, status string, limit int) ([]Entry, error) {
	return entries(ctx, q, false, `(status = $1 OR $1 = '') ORDER BY taken DESC, id DESC LIMIT $2`, status, limit)
}

// Find returns a letter with its bytes; false when there is none of that id.
func Find(ctx context.Context, q Queryer, id string) (Entry, bool, error) {
	list, err := entries(ctx, q, true, `id = $1`, id)
	if err != nil || len(list) == 0 {
		return Entry{}, false, err
	}
	return list[0], true, nil
}

func entries(ctx context.Context, q Queryer, withRaw bool, where string, args ...any) ([]Entry, error) {
	what := columns
	if withRaw {
		what += `, raw`
	}
	var list []Entry
	err := each(ctx, q, `SELECT `+what+` FROM inbox WHERE `+where, args, func(rows *sql.Rows) error {
		var e Entry
		var arrived, taken int64
		into := []any{&e.ID, &e.Source, &e.Key, &e.Fingerprint, &arrived, &taken, &e.Via, &e.Class, &e.Sender, &e.Subject,
			&e.MessageID, &e.Game, &e.Seat, &e.Status, &e.Note}
		if withRaw {
			into = append(into, &e.Raw)
		}
		err := rows.Scan(into...)
		e.Arrived, e.Taken = store.Time(arrived), store.Time(taken)
		list = append(list, e)
		return err
	})
	return list, err
}

// Position returns how far a source was read: its cursor, and up to when everything that came has been seen.
func Position(ctx context.Context, q Queryer, source string) (Cursor, time.Time, error) {
	var at Cursor
	var until int64
	err := q.QueryRowContext(ctx, `SELECT cursor, until FROM source WHERE name = $1`, source).Scan(&at, &until)
	if errors.Is(err, sql.ErrNoRows) {
		return "", time.Time{}, nil
	}
	if err != nil {
		return "", time.Time{}, fmt.Errorf("looking how far %s was read: %w", source, err)
	}
	return at, store.Time(until), nil
}

// Advance records how far a source was read, in the transaction of what came of its letters.
func Advance(ctx context.Context, tx *sql.Tx, source string, at Cursor, until time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO source (name, cursor, until) VALUES ($1, $2, $3)
		ON CONFLICT (name) DO UPDATE SET cursor = excluded.cursor, until = excluded.until`, source, string(at), store.Micro(until))
	if err != nil {
		return fmt.Errorf("recording how far %s was read: %w", source, err)
	}
	return nil
}
