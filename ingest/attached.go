package ingest

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"arroba/store"
)

// Attached is a file that came with a letter.
type Attached struct {
	Inbox string // ID of the letter
	Ord   int    // place in it, from 1
	Name  string // as its writer called it, which may be anything; "" when he did not
	Size  int64
	Hash  string // SHA-256 of Data, in hex
	Kept  bool   // its bytes are kept; those of a file over the limit stand only in the letter
	Data  []byte
}

// Attach keeps the files of letters, each content once whoever sent it.
func Attach(ctx context.Context, tx *sql.Tx, files []Attached) error {
	for some := range slices.Chunk(files, rowsAtOnce) {
		var args []any
		for _, f := range some {
			args = append(args, f.Inbox, f.Ord, store.Text(f.Name), f.Size, f.Hash)
		}
		query := `INSERT INTO attached (inbox, ord, name, size, hash) VALUES ` + values(len(some), make([]string, 5)) + ` ON CONFLICT DO NOTHING`
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			return fmt.Errorf("keep the files of letters: %w", err)
		}
	}
	for _, f := range files {
		if !f.Kept {
			continue
		}
		if err := Keep(ctx, tx, f.Hash, f.Data); err != nil {
			return fmt.Errorf("keep a file of a letter: %w", err)
		}
	}
	return nil
}

// Keep keeps a content under its hash, once.
func Keep(ctx context.Context, tx *sql.Tx, hash string, data []byte) error {
	if data == nil {
		data = []byte{}
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO attachment (hash, data) VALUES ($1, $2) ON CONFLICT DO NOTHING`, hash, data)
	return err
}

// AttachedTo returns the files of a letter in their order, with their bytes if they are wanted.
func AttachedTo(ctx context.Context, q Querier, inbox string, bytes bool) ([]Attached, error) {
	data := "NULL"
	if bytes {
		data = "a.data"
	}
	var out []Attached
	query := `SELECT f.inbox, f.ord, f.name, f.size, f.hash, a.hash IS NOT NULL, ` + data + ` FROM attached f
		LEFT JOIN attachment a ON a.hash = f.hash WHERE f.inbox = $1 ORDER BY f.ord`
	err := each(ctx, q, query, []any{inbox}, func(scan func(...any) error) error {
		var f Attached
		err := scan(&f.Inbox, &f.Ord, &f.Name, &f.Size, &f.Hash, &f.Kept, &f.Data)
		out = append(out, f)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the files of letter %s: %w", inbox, err)
	}
	return out, nil
}

// Content returns the bytes of a kept file by its hash. The error is sql.ErrNoRows when there is none.
func Content(ctx context.Context, q Querier, hash string) ([]byte, error) {
	var data []byte
	found := false
	err := each(ctx, q, `SELECT data FROM attachment WHERE hash = $1`, []any{hash}, func(scan func(...any) error) error {
		found = true
		return scan(&data)
	})
	if err == nil && !found {
		err = sql.ErrNoRows
	}
	if err != nil {
		return nil, fmt.Errorf("read the kept file %s: %w", hash, err)
	}
	return data, nil
}
