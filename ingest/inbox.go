package ingest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"arroba/store"
)

// The states of a letter in the inbox.
const (
	Done    = "done"
	Waiting = "waiting" // its game is held
	Desk    = "desk"    // for a person to read
	Failed  = "failed"  // for the operator
)

// Row is a letter in the inbox.
type Row struct {
	ID          string
	Source      string // name of the source
	Key         string // Message.Key
	Fingerprint string
	Arrived     time.Time
	Taken       time.Time
	Before      time.Time // of a post: up to when its thread had been read before; zero when it had not
	Via         string
	Class       string // orders, auto-reply, bounce, duplicate, spam, malformed
	Sender      string
	Subject     string
	MessageID   string
	Game        string // "" when none was found
	Seat        string // "" when the writer is nobody known
	Status      string // Done, Waiting, Desk or Failed
	Note        string // why, for Desk and Failed
	Raw         []byte
}

// A Querier is a *sql.Tx, or the pool for reading.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// rowsAtOnce bounds a statement, 25 rows of 17 columns: SQLite looks every $n up by name, so long statements cost the
// square of their length.
const rowsAtOnce = 25

const rowColumns = `id, source, ukey, fingerprint, arrived, taken, read_before, via, class, sender, subject, message_id, game, seat, status, note`

// Insert puts letters into the inbox, and returns the IDs of those that were not in it under their source and key.
func Insert(ctx context.Context, tx *sql.Tx, rows []Row) (fresh map[string]bool, err error) {
	fresh = make(map[string]bool, len(rows))
	for some := range slices.Chunk(rows, rowsAtOnce) {
		var args []any
		for _, r := range some {
			raw := r.Raw[:min(len(r.Raw), rawPiece)]
			if raw == nil {
				raw = []byte{}
			}
			args = append(args, r.ID, r.Source, store.Text(r.Key), r.Fingerprint, store.Micro(r.Arrived), store.Micro(r.Taken), store.Micro(r.Before),
				r.Via, r.Class, store.Text(r.Sender), store.Text(r.Subject), store.Text(r.MessageID), r.Game, r.Seat, r.Status,
				store.Text(r.Note), raw)
		}
		query := `INSERT INTO inbox (` + rowColumns + `, raw) VALUES ` + values(len(some), make([]string, 17)) +
			` ON CONFLICT (source, ukey) DO NOTHING RETURNING id`
		err := each(ctx, tx, query, args, func(scan func(...any) error) error {
			var id string
			err := scan(&id)
			fresh[id] = true
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("put letters into the inbox: %w", err)
		}
	}
	return fresh, insertMore(ctx, tx, rows, fresh)
}

// Update writes what became of letters: class, game, seat, status and note, by ID.
func Update(ctx context.Context, tx *sql.Tx, rows []Row) error {
	for some := range slices.Chunk(rows, rowsAtOnce) {
		var args []any
		for _, r := range some {
			args = append(args, r.ID, r.Class, r.Game, r.Seat, r.Status, store.Text(r.Note))
		}
		query := `WITH v (id, class, game, seat, status, note) AS (VALUES ` +
			values(len(some), slices.Repeat([]string{"TEXT"}, 6)) + `)
			UPDATE inbox SET class = v.class, game = v.game, seat = v.seat, status = v.status, note = v.note
			FROM v WHERE inbox.id = v.id`
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			return fmt.Errorf("update letters in the inbox: %w", err)
		}
	}
	return nil
}

// Print is a fingerprint in a game, by a writer: one letter may be for two games, and acts once in each. Letters of
// nobody known have no seat: a forged one must not make the true one that comes after it a copy.
type Print struct{ Game, Fingerprint, Seat string }

// Known returns, of letters with these fingerprints, the ID of the first that came in each game by each writer,
// whatever its source.
func Known(ctx context.Context, q Querier, fingerprints []string) (map[Print]string, error) {
	known := map[Print]string{}
	for some := range slices.Chunk(fingerprints, rowsAtOnce) {
		query := `SELECT game, fingerprint, seat, MIN(id) FROM inbox WHERE fingerprint IN ` + values(1, make([]string, len(some))) +
			` AND class <> 'duplicate' GROUP BY game, fingerprint, seat`
		err := each(ctx, q, query, anys(some), func(scan func(...any) error) error {
			var p Print
			var id string
			err := scan(&p.Game, &p.Fingerprint, &p.Seat, &id)
			known[p] = id
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("look for letters that came before: %w", err)
		}
	}
	return known, nil
}

// List returns letters without their raw bytes, the newest first, at most limit: those in a state, or all when status
// is ""; of one game, or of all when game is "".
func List(ctx context.Context, q Querier, status, game string, limit int) ([]Row, error) {
	var out []Row
	err := each(ctx, q, `SELECT `+rowColumns+` FROM inbox WHERE ($1 = '' OR status = $1) AND ($2 = '' OR game = $2)
		ORDER BY arrived DESC, id DESC LIMIT $3`, []any{status, game, limit}, func(scan func(...any) error) error {
		r, err := scanRow(scan)
		out = append(out, r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list letters: %w", err)
	}
	return out, nil
}

// Show returns one letter with its raw bytes. The error is sql.ErrNoRows when there is none with that ID.
func Show(ctx context.Context, q Querier, id string) (Row, error) {
	list, _, err := withRaw(ctx, q, 1, `WHERE id = $1`, id)
	if err == nil && len(list) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return Row{}, fmt.Errorf("letter %s: %w", id, err)
	}
	return list[0], nil
}

func scanRow(scan func(...any) error, more ...any) (Row, error) {
	var r Row
	var arrived, taken, before int64
	err := scan(append([]any{&r.ID, &r.Source, &r.Key, &r.Fingerprint, &arrived, &taken, &before, &r.Via, &r.Class, &r.Sender,
		&r.Subject, &r.MessageID, &r.Game, &r.Seat, &r.Status, &r.Note}, more...)...)
	r.Arrived, r.Taken, r.Before = store.Time(arrived), store.Time(taken), store.Time(before)
	return r, err
}

// Load returns how far a source was read: "" and the zero time when it never was.
func Load(ctx context.Context, q Querier, source string) (at Cursor, until time.Time, err error) {
	err = each(ctx, q, `SELECT cursor, until FROM source WHERE name = $1`, []any{source}, func(scan func(...any) error) error {
		var us int64
		err := scan(&at, &us)
		until = store.Time(us)
		return err
	})
	if err != nil {
		err = fmt.Errorf("load how far %s was read: %w", source, err)
	}
	return at, until, err
}

// Save keeps how far a source was read. A time that is zero or before the one kept leaves that as it is.
func Save(ctx context.Context, tx *sql.Tx, source string, at Cursor, until time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO source (name, cursor, until) VALUES ($1, $2, $3)
		ON CONFLICT (name) DO UPDATE SET cursor = excluded.cursor,
		until = CASE WHEN excluded.until > source.until THEN excluded.until ELSE source.until END`,
		source, string(at), store.Micro(until))
	if err != nil {
		return fmt.Errorf("save how far %s was read: %w", source, err)
	}
	return nil
}

// values returns n lists of placeholders, numbered through, with a cast where a type is given: VALUES lists that are
// no rows to insert need one.
func values(n int, types []string) string {
	var b strings.Builder
	for row := range n {
		if row > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('(')
		for i, typ := range types {
			if i > 0 {
				b.WriteByte(',')
			}
			if typ == "" {
				fmt.Fprintf(&b, "$%d", row*len(types)+i+1)
			} else {
				fmt.Fprintf(&b, "CAST($%d AS %s)", row*len(types)+i+1, typ)
			}
		}
		b.WriteByte(')')
	}
	return b.String()
}

func anys(in []string) []any {
	out := make([]any, len(in))
	for i, s := range in {
		out[i] = s
	}
	return out
}

// each calls f for every row of a query, and closes it.
func each(ctx context.Context, q Querier, query string, args []any, f func(scan func(...any) error) error) (err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := f(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
