package ingest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// rawPiece bounds what of a letter's raw bytes stands in one row. SQLite holds a row twice in memory while it writes
// it, which would be 50 MB for a letter as big as providers allow.
const rawPiece = 1 << 20

// insertMore keeps the raw bytes that do not fit into a letter's own row, of letters that are fresh.
func insertMore(ctx context.Context, tx *sql.Tx, rows []Row, fresh map[string]bool) error {
	for _, r := range rows {
		if len(r.Raw) <= rawPiece || !fresh[r.ID] {
			continue
		}
		ord := 0
		for piece := range slices.Chunk(r.Raw[rawPiece:], rawPiece) {
			ord++
			if _, err := tx.ExecContext(ctx, `INSERT INTO inbox_more (inbox, ord, raw) VALUES ($1, $2, $3)`, r.ID, ord, piece); err != nil {
				return fmt.Errorf("keep the raw bytes of letter %s: %w", r.ID, err)
			}
		}
	}
	return nil
}

var errEnough = errors.New("enough letters")

// withRaw returns the letters that a condition names, with their raw bytes. Once these are most or more it leaves the
// rest out, and says so.
func withRaw(ctx context.Context, q Querier, most int, where string, args ...any) (list []Row, cut bool, err error) {
	size := 0
	err = each(ctx, q, `SELECT `+rowColumns+`, raw FROM inbox `+where, args, func(scan func(...any) error) error {
		if size >= most {
			return errEnough
		}
		var raw []byte
		r, err := scanRow(scan, &raw)
		r.Raw = raw
		list = append(list, r)
		size += len(raw)
		return err
	})
	if cut = errors.Is(err, errEnough); cut {
		err = nil
	}
	size = 0
	for i := 0; i < len(list) && err == nil; i++ {
		if size >= most {
			return list[:i], true, nil
		}
		if len(list[i].Raw) == rawPiece {
			err = addMore(ctx, q, &list[i])
		}
		size += len(list[i].Raw)
	}
	return list, cut, err
}

// addMore adds the raw bytes that did not fit into the letter's own row.
func addMore(ctx context.Context, q Querier, r *Row) error {
	return each(ctx, q, `SELECT raw FROM inbox_more WHERE inbox = $1 ORDER BY ord`, []any{r.ID}, func(scan func(...any) error) error {
		var piece sql.RawBytes
		err := scan(&piece)
		r.Raw = append(r.Raw, piece...)
		return err
	})
}
