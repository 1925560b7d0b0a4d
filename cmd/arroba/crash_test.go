package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"modernc.org/sqlite"

	"arroba/ingest"
	"arroba/outbox"
)

// The points at which the daemon is killed: most of them in the middle of a transaction, by a trigger of the database.
var deaths = map[string]string{
	"a letter is kept":      "AFTER INSERT ON inbox",
	"its orders are logged": "AFTER INSERT ON input",
	"its answer is queued":  "AFTER INSERT ON outbox",
	"all is committed":      "",
	"the letter is marked":  "",
	"the answer is claimed": "AFTER UPDATE OF attempts ON outbox WHEN NEW.kind = 'receipt'",
	"the answer is out":     "AFTER UPDATE OF state ON outbox WHEN NEW.kind = 'receipt'",
	"everything is done":    "",
}

func die() {
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// dieAt does one pass of the daemon of arroba.toml and is killed at a point. It runs in a process of its own.
func dieAt(point string) error {
	err := sqlite.RegisterScalarFunction("die", 0, func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
		die()
		return nil, nil
	})
	if err != nil {
		return err
	}
	ctx := context.Background()
	d, err := openDaemon(ctx, "arroba.toml")
	if err != nil {
		return err
	}
	if trigger := deaths[point]; trigger != "" {
		err := d.db.Write(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, "CREATE TEMP TRIGGER death "+trigger+" BEGIN SELECT die(); END")
			return err
		})
		if err != nil {
			return err
		}
	}
	d.readers[0].Source = &mortal{d.readers[0].Source, point}
	if err := d.once(ctx); err != nil {
		return err
	}
	die()
	return nil
}

func openDaemon(ctx context.Context, file string) (*daemon, error) {
	c, err := readConfig(file, os.Getenv)
	if err != nil {
		return nil, err
	}
	return c.open(ctx, slog.New(slog.DiscardHandler))
}

// mortal is a source that is killed before or after it marks letters.
type mortal struct {
	ingest.Source
	point string
}

func (m *mortal) Mark(ctx context.Context, keys []string) error {
	if m.point == "all is committed" {
		die()
	}
	err := m.Source.(ingest.Marker).Mark(ctx, keys)
	if m.point == "the letter is marked" {
		die()
	}
	return err
}

// TestKilledAtAnyPoint kills the daemon at every point of its way, lets it start again, and holds that the orders were
// carried out once, and that everybody had one mail.
func TestKilledAtAnyPoint(t *testing.T) {
	var want string
	for point := range deaths {
		t.Run(point, func(t *testing.T) {
			dir := t.TempDir()
			layOut(t, dir)
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			victim := exec.Command(self)
			victim.Dir, victim.Env = dir, append(os.Environ(), "ARROBA_DIE_AT="+point)
			if out, err := victim.CombinedOutput(); victim.ProcessState == nil || victim.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("it was not killed: %v\n%s", err, out)
			}
			for range 2 {
				goOn(t, dir)
			}
			got := afterwards(t, dir)
			if want == "" {
				want = got
			}
			if got != want || !strings.Contains(got, "1 letters, 1 inputs") {
				t.Errorf("killed when %s:\n%s\nkilled elsewhere:\n%s", point, got, want)
			}
		})
	}
}

// layOut writes a config, opens its game, sends what the opening tells, and puts a letter into the mailbox.
func layOut(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"arroba.toml": "operator = \"op@example.org\"\n[[source]]\nname = \"in\"\nkind = \"folder\"\naddress = \"mag@lands.example\"\nfolder = \"in\"\n" +
			"[[sink]]\nname = \"out\"\nkind = \"folder\"\nfrom = \"mag@lands.example\"\nfolder = \"out\"\n",
		"lands.toml": "name = \"lands\"\nruleset = \"heroeslands\"\ngm = { nick = \"Mag\", email = \"gm@lands.example\" }\n" +
			"[[member]]\nnick = \"Ada\"\nemail = [\"ada@example.org\"]\n[[member]]\nnick = \"Bo\"\nemail = [\"bo@example.org\"]\n" +
			"[world]\nlands = [\"HL3\"]\n[world.inhabitants.Ada]\ngold = 1000\nfeuds = { HL3 = 5 }\n[world.inhabitants.Bo]\nfeuds = { HL3 = 3 }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	if code := run(t.Context(), []string{"game", "create", "-c", filepath.Join(dir, "arroba.toml"), filepath.Join(dir, "lands.toml")}, os.Getenv, nil, os.Stderr, os.Stderr); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	goOn(t, dir)
	letter := filepath.Join(dir, "in", "1.eml")
	if err := os.WriteFile(letter, []byte("From: ada@example.org\nTo: mag@lands.example\nSubject: A challenge\nMessage-ID: <1@example.org>\n\nCHALLENGE Bo\nSTATUS\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(letter, old, old); err != nil {
		t.Fatal(err)
	}
}

// goOn does one pass of the daemon. For the sender it is so late that what was under way is tried again.
func goOn(t *testing.T, dir string) {
	t.Helper()
	d, err := openDaemon(t.Context(), filepath.Join(dir, "arroba.toml"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	d.sender.Now = func() time.Time { return time.Now().Add(time.Hour) }
	if err := d.once(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// afterwards says what is there in the end: letters and inputs, and what mail went to whom.
func afterwards(t *testing.T, dir string) string {
	t.Helper()
	d, err := openDaemon(t.Context(), filepath.Join(dir, "arroba.toml"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	var b strings.Builder
	var letters, inputs int
	for query, into := range map[string]*int{`SELECT COUNT(*) FROM inbox WHERE status = 'done'`: &letters, `SELECT COUNT(*) FROM input WHERE kind = 'letter'`: &inputs} {
		if err := d.db.Read().QueryRowContext(t.Context(), query).Scan(into); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Fprintf(&b, "%d letters, %d inputs\n", letters, inputs)
	items, err := outbox.Since(t.Context(), d.db.Read(), 0)
	if err != nil {
		t.Fatal(err)
	}
	mails := 0
	for _, it := range items {
		fmt.Fprintf(&b, "%s of %s to %s: %s\n", it.State, it.Kind, it.To, it.Subject)
		if it.Via == "mail" {
			mails++
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "out", "*.eml"))
	if err != nil || len(files) != mails {
		t.Errorf("%d mails went out, %d were queued, %v", len(files), mails, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "in", "done", "1.eml")); err != nil {
		t.Errorf("the letter was not marked: %v", err)
	}
	return b.String()
}
