package ingest

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// Unmarked returns the keys of letters of a source that nobody need look at any more and that are not known to be
// marked where they came from, at most limit: marking comes after the commit, so a crash may have come between.
func Unmarked(ctx context.Context, q Querier, source string, limit int) ([]string, error) {
	var keys []string
	err := each(ctx, q, `SELECT ukey FROM inbox WHERE source = $1 AND marked = 0 AND status IN ('done', 'failed') LIMIT $2`,
		[]any{source, limit}, func(scan func(...any) error) error {
			var key string
			err := scan(&key)
			keys = append(keys, key)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("look for letters to mark: %w", err)
	}
	return keys, nil
}

// Marked keeps that letters were marked where they came from.
func Marked(ctx context.Context, tx *sql.Tx, source string, keys []string) error {
	for some := range slices.Chunk(keys, 10*rowsAtOnce) {
		_, err := tx.ExecContext(ctx, `UPDATE inbox SET marked = 1 WHERE source = $1 AND ukey IN `+valuesAfter(1, len(some)), append([]any{source}, anys(some)...)...)
		if err != nil {
			return fmt.Errorf("keep that letters were marked: %w", err)
		}
	}
	return nil
}

// valuesAfter returns a list of placeholders, the first one after n.
func valuesAfter(n, count int) string {
	list := "("
	for i := range count {
		if i > 0 {
			list += ","
		}
		list += fmt.Sprintf("$%d", n+i+1)
	}
	return list + ")"
}
