package main

import (
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/mailrig"
	"arroba/store"
)

// TestPostfixPipe has a real Postfix hand letters to 'arroba receive', which tells it by exit codes what to do.
func TestPostfixPipe(t *testing.T) {
	dir, err := os.MkdirTemp("", "pipe") // not t.TempDir: Postfix's user must get there
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	pipe := mailrig.Options{
		Routes: map[string]string{"mag@lands.example": "arroba:"},
		Services: `arroba unix - n n - 1 pipe flags=q user=mail null_sender=
  argv=` + dir + `/arroba receive -c ` + dir + `/arroba.toml --from=${sender} --to=${original_recipient}`,
	}
	rig := mailrig.StartWith(t, pipe, "mag", "ada@example.org")
	config := strings.NewReplacer(`kind = "lmtp"`, `kind = "pipe"`, `listen = "./lmtp"`, "max_size = 20000").Replace(lmtpConfig)
	files := map[string]string{"arroba.toml": "database = \"state/arroba.db\"\n" + config, "lands.toml": lmtpGame}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	copySelf(t, filepath.Join(dir, "arroba"))
	letter := func(n int, more string) []byte {
		return fmt.Appendf(nil, "From: ada@example.org\r\nTo: mag@lands.example\r\nSubject: %d\r\nMessage-ID: <%d@example.org>\r\n\r\nSTATUS\r\n%s", n, n, more)
	}

	// Without the database's folder it is to come again, and does.
	if err := rig.Post("ada@example.org", "mag+lands@lands.example", letter(1, "")); err != nil {
		t.Fatal(err)
	}
	awaitTrue(t, "Postfix puts the letter off", func() bool {
		return strings.Contains(rig.Log(), "status=deferred (temporary failure. Command output: arroba: open the database")
	})
	if err := os.Mkdir(filepath.Join(dir, "state"), 0o700); err != nil {
		t.Fatal(err)
	}
	if code := run(t.Context(), []string{"game", "create", "-c", filepath.Join(dir, "arroba.toml"), filepath.Join(dir, "lands.toml")}, nothing, nil, os.Stderr, os.Stderr); code != 0 {
		t.Fatal("no game")
	}
	chownAll(t, dir, "mail")
	db, err := store.Open(t.Context(), filepath.Join(dir, "state", "arroba.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	awaitTrue(t, "the letter is taken", func() bool { return len(inboxOf(t, db.Read())) == 1 })
	row := inboxOf(t, db.Read())[0]
	if row.Status != ingest.Done || row.Game != "lands" || row.Source != "door" {
		t.Errorf("the letter: %+v", row)
	}
	row, err = ingest.Show(t.Context(), db.Read(), row.ID)
	if err != nil || !strings.HasPrefix(string(row.Raw), "Delivered-To: mag+lands@lands.example\nReturn-Path: <ada@example.org>\n") {
		t.Errorf("the letter as it came: %q, %v", row.Raw, err)
	}

	// One that is too big goes back to its writer, who reads why.
	if err := rig.Post("ada@example.org", "mag@lands.example", letter(2, strings.Repeat("too big\r\n", 5000))); err != nil {
		t.Fatal(err)
	}
	if mails := rig.Mails("ada@example.org", 1); !strings.Contains(string(mails[0]), "the letter is too big") {
		t.Errorf("the writer reads\n%s", mails[0])
	}
}

func inboxOf(t *testing.T, db *sql.DB) []ingest.Row {
	t.Helper()
	rows, err := ingest.List(t.Context(), db, "", "", 10)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func awaitTrue(t *testing.T, what string, is func() bool) {
	t.Helper()
	for limit := time.Now().Add(comeLimit); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("not within %v: %s", comeLimit, what)
		}
	}
}

// copySelf copies this program, which is arroba under that name, to where everybody may run it.
func copySelf(t *testing.T, to string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err == nil {
		err = os.WriteFile(to, program, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// chownAll gives a folder with all in it to a user.
func chownAll(t *testing.T, dir, name string) {
	t.Helper()
	u, err := user.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(path, uid, gid)
	})
	if err != nil {
		t.Fatal(err)
	}
}
