package ingest

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"arroba/store"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 123000, time.UTC)

func openStore(t *testing.T) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func write(t *testing.T, db *store.DB, f func(tx *sql.Tx) error) {
	t.Helper()
	if err := db.Write(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

func row(n int) Row {
	return Row{
		ID: fmt.Sprintf("id%04d", n), Source: "mail", Key: fmt.Sprintf("INBOX/7/%d", n), Fingerprint: fmt.Sprint("print", n),
		Arrived: noon.Add(time.Duration(-n) * time.Second), Taken: noon, Via: "mail", Class: "orders",
		Sender: "oleg@example.org", Subject: "Приказ", MessageID: "<1@example.org>", Game: "lands", Seat: "Oleg",
		Status: Done, Raw: []byte("raw\x00bytes\xff"),
	}
}

func TestInsertOnce(t *testing.T) {
	db := openStore(t)
	var rows []Row
	for n := range 250 {
		rows = append(rows, row(n))
	}
	again := row(17)
	again.ID = "another"
	rows = append(rows, again)
	write(t, db, func(tx *sql.Tx) error {
		fresh, err := Insert(t.Context(), tx, rows)
		if len(fresh) != 250 || fresh["another"] || !fresh["id0249"] {
			t.Errorf("%d letters are fresh", len(fresh))
		}
		return err
	})
	elsewhere := row(18)
	elsewhere.ID, elsewhere.Source = "elsewhere", "folder"
	write(t, db, func(tx *sql.Tx) error {
		fresh, err := Insert(t.Context(), tx, []Row{row(17), elsewhere})
		if want := map[string]bool{"elsewhere": true}; !reflect.DeepEqual(fresh, want) {
			t.Errorf("fresh: %v, want %v", fresh, want)
		}
		return err
	})
	got, err := Show(t.Context(), db.Read(), "id0017")
	if err != nil || !reflect.DeepEqual(got, row(17)) {
		t.Errorf("Show: %v\n got %+v\nwant %+v", err, got, row(17))
	}
	if _, err := Show(t.Context(), db.Read(), "nothing"); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("Show of nothing: %v", err)
	}
}

func TestInsertUnclean(t *testing.T) {
	db := openStore(t)
	r := row(1)
	r.Subject, r.Sender, r.Key, r.MessageID, r.Note = "a\x00b\xff", "\xffo@x\x00", "k\x00\xff", "\x00", "\xff"
	r.Raw, r.Status = nil, Failed
	write(t, db, func(tx *sql.Tx) error { _, err := Insert(t.Context(), tx, []Row{r}); return err })
	got, err := Show(t.Context(), db.Read(), r.ID)
	if err != nil || bytes.ContainsRune([]byte(got.Subject+got.Sender+got.Key), 0) || len(got.Raw) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestKnown(t *testing.T) {
	db := openStore(t)
	first, second, other, copied, forged := row(1), row(2), row(3), row(0), row(5)
	forged.Seat = ""
	second.Fingerprint, other.Fingerprint, copied.Fingerprint = "print1", "print1", "print1"
	other.Game, copied.Class = "kings", "duplicate"
	write(t, db, func(tx *sql.Tx) error {
		if _, err := Insert(t.Context(), tx, []Row{copied, second, first, other, row(4), forged}); err != nil {
			return err
		}
		known, err := Known(t.Context(), tx, []string{"print1", "print4", "print5", "print9"})
		want := map[Print]string{{"lands", "print1", "Oleg"}: "id0001", {"kings", "print1", "Oleg"}: "id0003", {"lands", "print4", "Oleg"}: "id0004",
			{"lands", "print5", ""}: "id0005"}
		if !reflect.DeepEqual(known, want) {
			t.Errorf("known %v, want %v", known, want)
		}
		return err
	})
}

func TestListAndUpdate(t *testing.T) {
	db := openStore(t)
	var rows []Row
	for n := range 130 {
		r := row(n)
		r.Status = Waiting
		rows = append(rows, r)
	}
	rows[5].Game = "kings"
	write(t, db, func(tx *sql.Tx) error { _, err := Insert(t.Context(), tx, rows); return err })
	ids := func(status, game string, limit int) []string {
		t.Helper()
		list, err := List(t.Context(), db.Read(), status, game, limit)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, r := range list {
			if r.Raw != nil {
				t.Errorf("%s: raw bytes in a list", r.ID)
			}
			out = append(out, r.ID)
		}
		return out
	}
	if got, want := ids(Waiting, "", 3), []string{"id0000", "id0001", "id0002"}; !reflect.DeepEqual(got, want) {
		t.Errorf("the newest are %v, want %v", got, want)
	}
	if got, want := ids(Waiting, "kings", 10), []string{"id0005"}; !reflect.DeepEqual(got, want) {
		t.Errorf("of one game: %v, want %v", got, want)
	}
	if got := ids("", "", 200); len(got) != len(rows) {
		t.Errorf("%d in any state, want %d", len(got), len(rows))
	}
	for i := range rows {
		rows[i].Status, rows[i].Note, rows[i].Seat, rows[i].Class, rows[i].Game = Desk, "why "+rows[i].ID, "", "malformed", "lands"
		rows[i].Subject = "is not written"
	}
	write(t, db, func(tx *sql.Tx) error { return Update(t.Context(), tx, rows[:120]) })
	if got := ids(Waiting, "", 100); len(got) != 10 {
		t.Errorf("%d still wait, want 10", len(got))
	}
	got, err := Show(t.Context(), db.Read(), "id0005")
	want := row(5)
	want.Status, want.Note, want.Seat, want.Class = Desk, "why id0005", "", "malformed"
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n got %+v\nwant %+v", err, got, want)
	}
}

func TestCursor(t *testing.T) {
	db := openStore(t)
	check := func(wantAt Cursor, want time.Time) {
		t.Helper()
		at, until, err := Load(t.Context(), db.Read(), "mail")
		if err != nil || at != wantAt || !until.Equal(want) {
			t.Errorf("cursor %q until %v (%v), want %q until %v", at, until, err, wantAt, want)
		}
	}
	save := func(at Cursor, until time.Time) {
		t.Helper()
		write(t, db, func(tx *sql.Tx) error { return Save(t.Context(), tx, "mail", at, until) })
	}
	check("", time.Time{})
	save("one", noon)
	check("one", noon)
	save("two", time.Time{})
	check("two", noon)
	save("three", noon.Add(-time.Hour))
	check("three", noon)
	save("four", noon.Add(time.Hour))
	check("four", noon.Add(time.Hour))
}
