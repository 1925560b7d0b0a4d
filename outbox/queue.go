package outbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"arroba/store"
)

// rest is what the column item holds.
type rest struct {
	From       string   `json:"from,omitempty"`
	FromName   string   `json:"from_name,omitempty"`
	ReplyTo    string   `json:"reply_to,omitempty"`
	InReplyTo  string   `json:"in_reply_to,omitempty"`
	References []string `json:"references,omitempty"`
	Auto       string   `json:"auto,omitempty"`
	Envelope   string   `json:"envelope,omitempty"`
	Files      []File   `json:"files,omitempty"`
	Resent     string   `json:"resent,omitempty"`
	Marker     string   `json:"marker,omitempty"`
	Known      string   `json:"known,omitempty"`
	Part       string   `json:"part,omitempty"`
}

const columns = `id, lane, seq, game, input, via, kind, recipient, message_id, subject, body, item, date, state, attempts, next_at, expires, created, done, receipt, error`

const (
	width = 21 // columns
	chunk = 25 // rows of one INSERT: SQLite finds a placeholder by looking through all of them
)

// Queue puts items into the outbox, in the transaction of what caused them, and completes them in place: what their
// fields say Queue gives when it is missing. Items of one lane are sent in the order they are queued in. After the
// commit, wake the Sender.
func Queue(ctx context.Context, tx *sql.Tx, now time.Time, items []Item) error {
	var seq int64
	if err := tx.QueryRowContext(ctx, `SELECT COALESCE(MAX(seq), 0) FROM outbox`).Scan(&seq); err != nil {
		return fmt.Errorf("queue items: %w", err)
	}
	for i := range items {
		seq++
		complete(&items[i], seq, now)
	}
	for part := range slices.Chunk(items, chunk) {
		if err := insert(ctx, tx, now, part); err != nil {
			return fmt.Errorf("queue %d items: %w", len(items), err)
		}
	}
	return nil
}

func complete(it *Item, seq int64, now time.Time) {
	it.Seq = seq
	it.Subject, it.Text = store.Text(it.Subject), store.Text(it.Text)
	if it.ID == "" {
		it.ID = store.NewID(now)
	}
	if it.Lane == "" {
		it.Lane = it.Via + ":" + it.To
	}
	if it.Date.IsZero() {
		it.Date = now
	}
	it.Date = it.Date.UTC().Truncate(time.Second)
	if it.MessageID == "" {
		_, domain, _ := strings.Cut(it.From, "@")
		it.MessageID = it.ID + "@" + domain
	}
	if it.State == "" {
		it.State = Due
	}
}

func insert(ctx context.Context, tx *sql.Tx, now time.Time, items []Item) error {
	var q strings.Builder
	q.WriteString(`INSERT INTO outbox (` + columns + `) VALUES `)
	args := make([]any, 0, len(items)*width)
	for i, it := range items {
		other, err := json.Marshal(rest{it.From, it.FromName, it.ReplyTo, it.InReplyTo, it.References, it.Auto, it.Envelope, it.Files, it.Resent, it.Marker, it.Known, it.Part})
		if err != nil {
			return fmt.Errorf("encode item %s: %w", it.ID, err)
		}
		var done int64
		if it.State != Due {
			done = store.Micro(now)
		}
		if i > 0 {
			q.WriteByte(',')
		}
		placeholders(&q, len(args))
		args = append(args, it.ID, it.Lane, it.Seq, it.Game, it.Input, it.Via, it.Kind, it.To, it.MessageID,
			it.Subject, it.Text, string(other), store.Micro(it.Date), it.State, 0, store.Micro(now),
			store.Micro(it.Expires), store.Micro(now), done, "", "")
	}
	_, err := tx.ExecContext(ctx, q.String(), args...)
	return err
}

// placeholders writes those of one row, the first one after n.
func placeholders(q *strings.Builder, n int) {
	for c := range width {
		q.WriteByte("(,"[min(c, 1)])
		q.WriteByte('$')
		q.WriteString(strconv.Itoa(n + c + 1))
	}
	q.WriteByte(')')
}

// Queryer is a transaction or a pool.
type Queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Posts returns a game's posts, newest first, and the number of the first of them: at most limit of those numbered below
// before, or of all when before is 0. Posts are numbered from 1 within their game, so that numbers tell nothing of what
// was sent besides.
func Posts(ctx context.Context, q Queryer, game string, limit int, before int64) ([]Item, int64, error) {
	last, err := countPosts(ctx, q, game)
	if err != nil {
		return nil, 0, err
	}
	if before > 0 {
		last = min(last, before-1)
	}
	skipped := max(last-int64(limit), 0)
	list, err := items(ctx, q, `game = $1 AND via = 'post' ORDER BY seq LIMIT $2 OFFSET $3`, game, last-skipped, skipped)
	slices.Reverse(list)
	return list, last, err
}

func countPosts(ctx context.Context, q Queryer, game string) (n int64, err error) {
	rows, err := q.QueryContext(ctx, `SELECT COUNT(*) FROM outbox WHERE game = $1 AND via = 'post'`, game)
	if err != nil {
		return 0, fmt.Errorf("count the posts of %s: %w", game, err)
	}
	defer rows.Close()
	if rows.Next() {
		err = rows.Scan(&n)
	}
	return n, errors.Join(err, rows.Err())
}

// OfInputs returns what a game's inputs numbered above after, up to and including last, caused, in the order it was
// queued in.
func OfInputs(ctx context.Context, q Queryer, game string, after, last int64) ([]Item, error) {
	return items(ctx, q, `game = $1 AND input > $2 AND input <= $3 ORDER BY seq`, game, after, last)
}

// To returns the last mails of a game to an address, oldest first, at most limit.
func To(ctx context.Context, q Queryer, game, address string, limit int) ([]Item, error) {
	list, err := items(ctx, q, `recipient = $1 AND game = $2 AND via = 'mail' ORDER BY seq DESC LIMIT $3`, address, game, limit)
	slices.Reverse(list)
	return list, err
}

// LastTo returns the last mails of a game to any of some addresses, newest first, at most limit. Those that repeat others
// are left out, and those that are not worth sending any more.
func LastTo(ctx context.Context, q Queryer, game string, addresses []string, now time.Time, limit int) ([]Item, error) {
	if len(addresses) == 0 || limit <= 0 {
		return nil, nil
	}
	in := make([]string, len(addresses))
	args := []any{game, Expired, store.Micro(now), limit}
	for i, a := range addresses {
		args = append(args, a)
		in[i] = "$" + strconv.Itoa(len(args))
	}
	return items(ctx, q, `recipient IN (`+strings.Join(in, ",")+`) AND game = $1 AND via = 'mail' AND state <> $2 AND (expires = 0 OR expires > $3)
		AND item NOT LIKE '%"resent":%' ORDER BY seq DESC LIMIT $4`, args...)
}

// ByID returns the item with an id, false when there is none.
func ByID(ctx context.Context, q Queryer, id string) (Item, bool, error) {
	return first(items(ctx, q, `id = $1`, id))
}

// ByMessageID returns the item with one of these Message-IDs (without angle brackets) that was queued last, false
// when there is none: the letter that an answer answers.
func ByMessageID(ctx context.Context, q Queryer, ids ...string) (Item, bool, error) {
	if len(ids) == 0 {
		return Item{}, false, nil
	}
	in := make([]string, len(ids))
	args := make([]any, len(ids))
	for i, id := range ids {
		in[i], args[i] = "$"+strconv.Itoa(i+1), id
	}
	return first(items(ctx, q, `message_id IN (`+strings.Join(in, ",")+`) ORDER BY seq DESC LIMIT 1`, args...))
}

// Counts returns how many items are in each state but sent: those are all that ever were, and would take longer to count
// every day.
func Counts(ctx context.Context, q Queryer) (map[string]int64, error) {
	rows, err := q.QueryContext(ctx, `SELECT 'due', COUNT(*) FROM outbox WHERE state = 'due'
		UNION ALL SELECT state, COUNT(*) FROM outbox WHERE state IN ('failed', 'expired') GROUP BY state`)
	if err != nil {
		return nil, fmt.Errorf("count the outbox: %w", err)
	}
	defer rows.Close()
	counts := map[string]int64{Due: 0, Failed: 0, Expired: 0}
	for rows.Next() {
		var state string
		var n int64
		if err := rows.Scan(&state, &n); err != nil {
			return nil, fmt.Errorf("count the outbox: %w", err)
		}
		counts[state] = n
	}
	return counts, rows.Err()
}

func first(list []Item, err error) (Item, bool, error) {
	if err != nil || len(list) == 0 {
		return Item{}, false, err
	}
	return list[0], true, nil
}

// Carrying returns the items of a game that carry files.
func Carrying(ctx context.Context, q Queryer, game string) ([]Item, error) {
	return items(ctx, q, `game = $1 AND item LIKE '%"files":%' ORDER BY seq`, game)
}

func items(ctx context.Context, q Queryer, where string, args ...any) ([]Item, error) {
	rows, err := q.QueryContext(ctx, `SELECT `+columns+` FROM outbox WHERE `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("read the outbox: %w", err)
	}
	defer rows.Close()
	var list []Item
	for rows.Next() {
		it, err := scan(rows)
		if err != nil {
			return nil, fmt.Errorf("read the outbox: %w", err)
		}
		list = append(list, it)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the outbox: %w", err)
	}
	return list, nil
}

func scan(rows *sql.Rows) (Item, error) {
	var it Item
	var other, failure string
	var date, next, expires, created, done int64
	err := rows.Scan(&it.ID, &it.Lane, &it.Seq, &it.Game, &it.Input, &it.Via, &it.Kind, &it.To, &it.MessageID,
		&it.Subject, &it.Text, &other, &date, &it.State, &it.Attempts, &next, &expires, &created, &done, &it.Receipt, &failure)
	if err != nil {
		return Item{}, err
	}
	var r rest
	if err := json.Unmarshal([]byte(other), &r); err != nil {
		return Item{}, fmt.Errorf("item %s: %w", it.ID, err)
	}
	it.From, it.FromName, it.ReplyTo, it.InReplyTo, it.References, it.Auto, it.Envelope, it.Files, it.Resent = r.From, r.FromName, r.ReplyTo, r.InReplyTo, r.References, r.Auto, r.Envelope, r.Files, r.Resent
	it.Marker, it.Known, it.Part = r.Marker, r.Known, r.Part
	it.Date, it.Expires = store.Time(date), store.Time(expires)
	return it, nil
}
