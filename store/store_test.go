package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"arroba/store"
)

func open(t testing.TB, name string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func addSource(ctx context.Context, tx *sql.Tx, name string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO source (name, cursor, until) VALUES ($1, '', 0)`, name)
	return err
}

func sources(t testing.TB, db *store.DB) int {
	t.Helper()
	var n int
	if err := db.Read().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM source`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// both runs a test on a file and in memory.
func both(t *testing.T, f func(t *testing.T, name string)) {
	t.Run("file", func(t *testing.T) { f(t, filepath.Join(t.TempDir(), "a ?#%.db")) })
	t.Run("memory", func(t *testing.T) { f(t, ":memory:") })
}

func TestWriteCommitsOrRollsBack(t *testing.T) {
	both(t, func(t *testing.T, name string) {
		db, ctx := open(t, name), t.Context()
		if err := db.Write(ctx, func(tx *sql.Tx) error { return addSource(ctx, tx, "kept") }); err != nil {
			t.Fatal(err)
		}
		no := errors.New("no")
		err := db.Write(ctx, func(tx *sql.Tx) error {
			if err := addSource(ctx, tx, "undone"); err != nil {
				return err
			}
			return no
		})
		if !errors.Is(err, no) {
			t.Errorf("Write returned %v, want the error of its function", err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("Write swallowed a panic")
				}
			}()
			db.Write(ctx, func(tx *sql.Tx) error {
				addSource(ctx, tx, "undone too")
				panic("boo")
			})
		}()
		if n := sources(t, db); n != 1 {
			t.Errorf("%d rows, want the one committed", n)
		}
	})
}

func TestReadersAndWriters(t *testing.T) {
	both(t, func(t *testing.T, name string) {
		db, ctx := open(t, name), t.Context()
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				for i := range 25 {
					err := db.Write(ctx, func(tx *sql.Tx) error {
						return addSource(ctx, tx, string(rune('a'+w))+string(rune('a'+i)))
					})
					if err != nil {
						t.Error(err)
					}
					var n int
					if err := db.Read().QueryRowContext(ctx, `SELECT COUNT(*) FROM source`).Scan(&n); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if n := sources(t, db); n != 100 {
			t.Errorf("%d rows, want 100", n)
		}
	})
}

func TestReadPoolCannotWrite(t *testing.T) {
	both(t, func(t *testing.T, name string) {
		db := open(t, name)
		if _, err := db.Read().ExecContext(t.Context(), `DELETE FROM source`); err == nil {
			t.Error("the pool for reading wrote")
		}
	})
}

func TestReadInsideWriteDoesNotHang(t *testing.T) {
	t.Parallel() // waits out the five seconds
	db, ctx := open(t, ":memory:"), t.Context()
	err := db.Write(ctx, func(tx *sql.Tx) error {
		if err := addSource(ctx, tx, "x"); err != nil {
			return err
		}
		var n int
		return db.Read().QueryRowContext(ctx, `SELECT COUNT(*) FROM source`).Scan(&n)
	})
	if err == nil || !strings.Contains(err.Error(), "locked") {
		t.Errorf("got %v, want a complaint of a lock", err)
	}
}

func TestMemoryOutlivesCancelledWork(t *testing.T) {
	db := open(t, ":memory:")
	ctx, cancel := context.WithCancel(t.Context())
	db.Write(ctx, func(tx *sql.Tx) error { cancel(); return addSource(ctx, tx, "x") })
	ctx = t.Context()
	if err := db.Write(ctx, func(tx *sql.Tx) error { return addSource(ctx, tx, "y") }); err != nil {
		t.Fatal(err)
	}
	if n := sources(t, db); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
}

func TestMemoriesAreApart(t *testing.T) {
	a, b, ctx := open(t, ":memory:"), open(t, ":memory:"), t.Context()
	if err := a.Write(ctx, func(tx *sql.Tx) error { return addSource(ctx, tx, "x") }); err != nil {
		t.Fatal(err)
	}
	if n := sources(t, b); n != 0 {
		t.Errorf("one database in memory shows %d rows of another", n)
	}
}

func TestFileIsPrivateAndReopens(t *testing.T) {
	name, ctx := filepath.Join(t.TempDir(), "x.db"), t.Context()
	db, err := store.Open(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Write(ctx, func(tx *sql.Tx) error { return addSource(ctx, tx, "x") }); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(name + "*")
	if len(files) != 3 {
		t.Errorf("files %q, want the database, its log and its index", files)
	}
	for _, f := range files {
		if info, err := os.Stat(f); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v; want 0600", f, info.Mode(), err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if n := sources(t, open(t, name)); n != 1 {
		t.Errorf("%d rows after reopening, want 1", n)
	}
}

func TestTwoOpenAtOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.db")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			db, err := store.Open(t.Context(), name)
			if err != nil {
				t.Error(err)
				return
			}
			db.Close()
		})
	}
	wg.Wait()
}

func TestPragmas(t *testing.T) {
	db, ctx := open(t, filepath.Join(t.TempDir(), "x.db")), t.Context()
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000"} {
		var got string
		err := db.Write(ctx, func(tx *sql.Tx) error { return tx.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&got) })
		if err != nil || got != want {
			t.Errorf("%s is %s, %v; want %s", pragma, got, err, want)
		}
	}
}

func TestOpenErrorsSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	noDB := filepath.Join(dir, "letter.txt")
	if err := os.WriteFile(noDB, bytes.Repeat([]byte("Dear Magistrate, "), 100), 0o600); err != nil {
		t.Fatal(err)
	}
	newer := filepath.Join(dir, "newer.db")
	db, err := store.Open(t.Context(), newer)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	for _, c := range []struct{ about, name, want string }{
		{"not a database", noDB, "is no SQLite database; give another path"},
		{"no folder", filepath.Join(dir, "none", "x.db"), "no such file or directory"},
		{"a folder", dir, "is a directory"},
		{"newer schema", newer, "use the newer program"},
	} {
		db, err := store.Open(t.Context(), c.name)
		if err == nil {
			db.Close()
			t.Errorf("%s: opened", c.about)
			continue
		}
		if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s: %v; want %q and the path", c.about, err, c.want)
		}
	}
	if _, err := os.Stat(noDB); err != nil {
		t.Error("the file that is no database is gone")
	}
}

func TestLockedByAnotherProgram(t *testing.T) {
	t.Parallel() // waits out the five seconds
	name, ctx := filepath.Join(t.TempDir(), "x.db"), t.Context()
	a, b := open(t, name), open(t, name)
	err := a.Write(ctx, func(tx *sql.Tx) error {
		return b.Write(ctx, func(tx *sql.Tx) error { return nil })
	})
	if err == nil || !strings.Contains(err.Error(), "another program kept the database locked") {
		t.Errorf("got %v", err)
	}
}

func TestNothingOnStdout(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, errOut := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = w, w
	_, err = store.Open(t.Context(), filepath.Join(t.TempDir(), "x.db"))
	os.Stdout, os.Stderr = out, errOut
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	if said, _ := io.ReadAll(r); len(said) != 0 {
		t.Errorf("Open said %q", said)
	}
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"":                      "",
		"Ёлка\n":                "Ёлка\n",
		"a\x00b":                "ab",
		"a\xffb\xd0":            "ab",
		"\xed\xa0\x80surrogate": "surrogate",
	} {
		if got := store.Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMicro(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 30, 0, 123456789, time.FixedZone("", 3600))
	if got := store.Time(store.Micro(at)); !got.Equal(at.Truncate(time.Microsecond)) || got.Location() != time.UTC {
		t.Errorf("%v came back as %v", at, got)
	}
	if store.Micro(time.Time{}) != 0 || !store.Time(0).IsZero() {
		t.Error("the zero time is not 0 both ways")
	}
}

func TestNewID(t *testing.T) {
	at := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	form := regexp.MustCompile(`^[0-9a-z]{26}$`)
	var ids []string
	seen := map[string]bool{}
	for i := range 1000 {
		id := store.NewID(at.Add(time.Duration(i) * time.Microsecond))
		if !form.MatchString(id) {
			t.Fatalf("id %q", id)
		}
		ids = append(ids, id)
		seen[store.NewID(at)] = true
	}
	if !slices.IsSorted(ids) {
		t.Error("ids do not sort by time")
	}
	if len(seen) != 1000 {
		t.Errorf("%d different ids of one instant, want 1000", len(seen))
	}
}

func BenchmarkOpenInMemory(b *testing.B) {
	for b.Loop() {
		db, err := store.Open(b.Context(), ":memory:")
		if err != nil {
			b.Fatal(err)
		}
		db.Close()
	}
}
