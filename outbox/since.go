package outbox

import "context"

// Since returns everything that was queued after a Seq, in order.
func Since(ctx context.Context, q Queryer, seq int64) ([]Item, error) {
	return items(ctx, q, `seq > $1 ORDER BY seq`, seq)
}
