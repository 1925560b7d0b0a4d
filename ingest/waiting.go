package ingest

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"

	"arroba/store"
)

// Statuses returns what became of a source's letters with these keys, of those that are in the inbox already.
func Statuses(ctx context.Context, q Querier, source string, keys []string) (map[string]string, error) {
	found := map[string]string{}
	for some := range slices.Chunk(keys, rowsAtOnce) {
		query := `SELECT ukey, status FROM inbox WHERE ukey IN ` + values(1, make([]string, len(some))) +
			` AND source = $` + strconv.Itoa(len(some)+1)
		err := each(ctx, q, query, append(anys(some), source), func(scan func(...any) error) error {
			var key, status string
			err := scan(&key, &status)
			found[key] = status
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("look for letters that are in the inbox: %w", err)
		}
	}
	return found, nil
}

// GamesWaiting returns the games that have waiting letters, in order of name.
func GamesWaiting(ctx context.Context, q Querier) ([]string, error) {
	var games []string
	err := each(ctx, q, `SELECT DISTINCT game FROM inbox WHERE status = $1`, []any{Waiting}, func(scan func(...any) error) error {
		var game string
		err := scan(&game)
		games = append(games, game)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for letters that wait: %w", err)
	}
	slices.Sort(games)
	return games, nil
}

// maxWaitingBytes is about how many bytes of letters WaitingOf returns together, but for the first letter.
const maxWaitingBytes = 16 << 20

// WaitingOf returns the letters of a game that wait, with their raw bytes, in the order they arrived: at most limit, and
// fewer when they are large. More tells that others may wait behind them.
func WaitingOf(ctx context.Context, q Querier, game string, limit int) (list []Row, more bool, err error) {
	list, more, err = withRaw(ctx, q, maxWaitingBytes, `WHERE status = $1 AND game = $2 ORDER BY arrived, ukey LIMIT $3`, Waiting, game, limit)
	if err != nil {
		return nil, false, fmt.Errorf("read the letters of %s that wait: %w", game, err)
	}
	return list, more || len(list) == limit, nil
}

// Unsettled counts the letters of a game that are not done, by status.
func Unsettled(ctx context.Context, q Querier, game string) (map[string]int, error) {
	counts := map[string]int{}
	err := each(ctx, q, `SELECT status, COUNT(*) FROM inbox WHERE game = $1 AND status <> $2 GROUP BY status`, []any{game, Done}, func(scan func(...any) error) error {
		var status string
		var n int
		err := scan(&status, &n)
		counts[status] = n
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("counting the letters of %s: %w", game, err)
	}
	return counts, nil
}

// Dismiss puts the letters of a seat that wait on the desk, and notes why: nobody sits there who wrote them.
func Dismiss(ctx context.Context, tx *sql.Tx, game, seat, note string) error {
	_, err := tx.ExecContext(ctx, `UPDATE inbox SET status = $1, note = $2 WHERE status = $3 AND game = $4 AND seat = $5`, Desk, store.Text(note), Waiting, game, seat)
	if err != nil {
		return fmt.Errorf("putting the letters of %s that wait on the desk: %w", seat, err)
	}
	return nil
}
