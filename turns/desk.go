package turns

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"arroba/ingest"
	"arroba/store"
)

// Retry handles a letter on the desk, or one that failed, once more, as it would be handled if it came now; it is
// judged by when it came. A rule that failed is never tried again by itself: this is a person's word that it may be.
// What was carried out is not carried out again.
func (e *Engine) Retry(ctx context.Context, id string) (Outcome, error) {
	var out Outcome
	err := e.onDesk(ctx, id, func(w *work, row ingest.Row) error {
		a, err := w.retry(row)
		if err == nil {
			out = a.outcome()
		}
		return err
	})
	if err != nil {
		return out, fmt.Errorf("handling the letter %s again: %w", id, err)
	}
	return out, nil
}

func (w *work) retry(row ingest.Row) (*arrival, error) {
	if strings.HasPrefix(row.Fingerprint, lostPrint) {
		return nil, fmt.Errorf("only its header is here (%s): let its writer send it again", row.Note)
	}
	book, err := w.openBook()
	if err != nil {
		return nil, err
	}
	a := again(row)
	a.retried, a.seat, a.entry.Seat, a.entry.Game, a.entry.Status, a.entry.Note = true, "", "", "", "", ""
	a.parse(w.options(book))
	if err := w.meet([]*arrival{a}, book); err != nil {
		return nil, err
	}
	if err := w.sort(a, book); err != nil {
		return nil, err
	}
	if err := w.ruleOn(a); err != nil {
		return nil, err
	}
	_, err = w.tx.ExecContext(w.ctx, `UPDATE inbox SET fingerprint = $1, sender = $2, subject = $3, message_id = $4 WHERE id = $5`,
		a.entry.Fingerprint, store.Text(a.entry.Sender), store.Text(a.entry.Subject), store.Text(a.entry.MessageID), row.ID)
	if err != nil {
		return nil, err
	}
	if err := ingest.Update(w.ctx, w.tx, []ingest.Row{a.entry}); err != nil {
		return nil, err
	}
	return a, w.writeAttached([]*arrival{a})
}

// Drop settles a letter that waits on the desk, failed, or waits for its game: nothing will come of it. Its bytes stay.
func (e *Engine) Drop(ctx context.Context, id, why string) error {
	err := e.onDesk(ctx, id, func(w *work, row ingest.Row) error {
		row.Status, row.Note = ingest.Done, "dropped"
		if why != "" {
			row.Note += ": " + why
		}
		return ingest.Update(w.ctx, w.tx, []ingest.Row{row})
	})
	if err != nil {
		return fmt.Errorf("dropping the letter %s: %w", id, err)
	}
	return nil
}

// ErrNoLetter says that there is no letter of that id.
var ErrNoLetter = errors.New("there is no such letter")

// onDesk runs a transaction on a letter that nothing came of yet.
func (e *Engine) onDesk(ctx context.Context, id string, f func(*work, ingest.Row) error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.write(ctx, func(w *work) error {
		row, err := ingest.Show(ctx, w.tx, id)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNoLetter
		}
		if err != nil {
			return err
		}
		if row.Status == ingest.Done {
			return fmt.Errorf("it is done already")
		}
		var carried int
		if err := w.tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM input WHERE inbox = $1`, id).Scan(&carried); err != nil {
			return err
		}
		if carried > 0 {
			return fmt.Errorf("its orders were carried out already")
		}
		return f(w, row)
	})
}
