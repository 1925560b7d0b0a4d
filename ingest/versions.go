package ingest

import (
	"context"
	"fmt"

	"arroba/store"
)

// PostVersions returns the posts with an id in a thread, or in any thread whose name begins alike, without their raw bytes,
// in the order they were read: the versions of one post. Those that only came twice are left out.
func PostVersions(ctx context.Context, q Querier, source, prefix, post string) ([]Row, error) {
	var out []Row
	err := each(ctx, q, `SELECT `+rowColumns+` FROM inbox WHERE via = 'post' AND message_id = $1 AND class <> 'duplicate'
		AND (source = $2 OR $3 <> '' AND SUBSTR(source, 1, LENGTH($3)) = $3) ORDER BY taken, arrived, ukey`,
		[]any{store.Text(post), source, prefix}, func(scan func(...any) error) error {
			r, err := scanRow(scan)
			out = append(out, r)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("look for the versions of post %s: %w", post, err)
	}
	return out, nil
}

// LastPost returns the greatest id of the posts of a thread, which is that of the newest; "" when there is none.
func LastPost(ctx context.Context, q Querier, source string) (id string, err error) {
	err = each(ctx, q, `SELECT message_id FROM inbox WHERE source = $1 AND via = 'post' AND message_id <> '' ORDER BY LENGTH(message_id) DESC, message_id DESC LIMIT 1`,
		[]any{source}, func(scan func(...any) error) error { return scan(&id) })
	if err != nil {
		return "", fmt.Errorf("look for the last post of %s: %w", source, err)
	}
	return id, nil
}
