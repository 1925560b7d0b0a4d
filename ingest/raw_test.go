package ingest

import (
	"bytes"
	"database/sql"
	"testing"
)

// Raw bytes come back whole, whatever their size, and once.
func TestRawWhole(t *testing.T) {
	db := openStore(t)
	var rows []Row
	for n, size := range []int{0, 1, rawPiece - 1, rawPiece, rawPiece + 1, 2 * rawPiece, 3*rawPiece + 17} {
		r := row(n)
		r.Status, r.Raw = Waiting, make([]byte, size)
		for i := range r.Raw {
			r.Raw[i] = byte(i*7 + i>>8*31 + i>>20)
		}
		rows = append(rows, r)
	}
	for range 2 { // a letter that comes again changes nothing
		write(t, db, func(tx *sql.Tx) error {
			_, err := Insert(t.Context(), tx, rows)
			return err
		})
	}
	waiting, _, err := WaitingOf(t.Context(), db.Read(), "lands", 100)
	if err != nil || len(waiting) != len(rows) {
		t.Fatalf("%d letters wait: %v", len(waiting), err)
	}
	for i, want := range rows {
		got, err := Show(t.Context(), db.Read(), want.ID)
		if err != nil || !bytes.Equal(got.Raw, want.Raw) {
			t.Errorf("a letter of %d bytes is shown with %d: %v", len(want.Raw), len(got.Raw), err)
		}
		if late := waiting[len(rows)-1-i]; late.ID != want.ID || !bytes.Equal(late.Raw, want.Raw) {
			t.Errorf("a letter of %d bytes waits as %s with %d", len(want.Raw), late.ID, len(late.Raw))
		}
	}
}
