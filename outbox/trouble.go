package outbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"arroba/store"
)

// Trouble is that something does not work, a source or a sink. It is kept, so that it is told once however often the
// program is started meanwhile, and no server is asked again sooner than it should be. The zero value is none.
type Trouble struct {
	Since   time.Time
	Until   time.Time // it is left alone until then; zero: it is not
	Tries   int       // without success, in a row
	Told    bool      // the operator knows
	ToldGMs bool      // and so do the GMs of the games that read it
	Why     string    // the last error
}

// LoadTrouble returns the trouble with something, the zero value when it works.
func LoadTrouble(ctx context.Context, db *store.DB, what string) (t Trouble, err error) {
	var since, until int64
	err = db.Read().QueryRowContext(ctx, `SELECT since, until, tries, told, told_gms, why FROM trouble WHERE what = $1`, what).
		Scan(&since, &until, &t.Tries, &t.Told, &t.ToldGMs, &t.Why)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Trouble{}, nil
	case err != nil:
		return Trouble{}, fmt.Errorf("load how %s did: %w", what, err)
	}
	t.Since, t.Until = store.Time(since), store.Time(until)
	return t, nil
}

// KeepTrouble keeps the trouble with something; the zero value ends it.
func KeepTrouble(ctx context.Context, db *store.DB, what string, t Trouble) error {
	err := db.Write(ctx, func(tx *sql.Tx) error {
		if t.Since.IsZero() {
			_, err := tx.ExecContext(ctx, `DELETE FROM trouble WHERE what = $1`, what)
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO trouble (what, since, until, tries, told, told_gms, why) VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (what) DO UPDATE SET since = excluded.since, until = excluded.until, tries = excluded.tries, told = excluded.told,
			told_gms = excluded.told_gms, why = excluded.why`,
			what, store.Micro(t.Since), store.Micro(t.Until), t.Tries, flag(t.Told), flag(t.ToldGMs), store.Text(t.Why))
		return err
	})
	if err != nil {
		return fmt.Errorf("keep how %s does: %w", what, err)
	}
	return nil
}

// TryAgain lets something be tried at once that is left alone, and what was put aside until then: somebody has seen that it
// works.
func TryAgain(ctx context.Context, db *store.DB, what string) error {
	t, err := LoadTrouble(ctx, db, what)
	if err != nil || t.Until.IsZero() {
		return err
	}
	err = db.Write(ctx, func(tx *sql.Tx) error {
		until := store.Micro(t.Until)
		if _, err := tx.ExecContext(ctx, `UPDATE outbox SET next_at = 0 WHERE state = 'due' AND next_at = $1`, until); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE trouble SET until = 0 WHERE what = $1 AND until = $2`, what, until)
		return err
	})
	if err != nil {
		return fmt.Errorf("let %s be tried again: %w", what, err)
	}
	return nil
}

func flag(on bool) int {
	if on {
		return 1
	}
	return 0
}
