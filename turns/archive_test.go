package turns

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
)

// export writes the game lands into a file.
func (r *rig) export() string {
	r.Helper()
	name := filepath.Join(r.TempDir(), "lands.zip")
	f, err := os.Create(name)
	if err != nil {
		r.Fatal(err)
	}
	if err := errors.Join(r.Engine.Export(r.Context(), "lands", f), f.Close()); err != nil {
		r.Fatal(err)
	}
	return name
}

// bring brings a game back from a file.
func (r *rig) bring(name string) error {
	r.Helper()
	a, err := OpenArchive(name)
	if err != nil {
		return err
	}
	defer a.Close()
	return r.Import(r.Context(), a)
}

const withFile = `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

ADD 32
--b
Content-Type: application/octet-stream
Content-Disposition: attachment; filename=save.gm1
Content-Transfer-Encoding: base64

AAEC/w==
--b--`

func TestAnArchiveBringsAGameBack(t *testing.T) {
	r := played(t)
	r.game("moors", "moors@play.example")
	r.say("anna@x.example", "moors@play.example", "ADD 1\nPRESS TO Boris\nof the moors\nEND PRESS")
	r.n++
	attached := ingest.Message{Key: "INBOX/1/9999", Arrived: r.now, Via: "mail",
		Raw: []byte("From: anna@x.example\nTo: lands@play.example\nMessage-ID: <f@mail.example>\nSubject: file\n" + withFile)}
	big := r.mail("anna@x.example", "lands@play.example", "ADD 64\n\nBye\n-- \n"+strings.Repeat("x", 3<<20))
	desk := r.mail("anna@x.example", "lands@play.example", "Dear all")
	r.take(attached, big, desk)
	r.exec(`UPDATE outbox SET state = 'sent', done = 7 WHERE seq % 2 = 0`)

	name := r.export()
	if b, err := os.ReadFile(name); err != nil || bytes.Contains(b, []byte("moors")) {
		t.Errorf("the archive speaks of another game; %v", err)
	}

	other := newRig(t)
	other.now, other.n = r.now, r.n
	other.game("moors", "moors@play.example")
	other.say("anna@x.example", "moors@play.example", "ADD 5")
	if err := other.bring(name); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(r.encoded("lands"), other.encoded("lands")) {
		t.Error("it stands otherwise")
	}
	if _, err := other.Replay(t.Context(), "lands", func(s string) { t.Error(s) }); err != nil {
		t.Error(err)
	}
	if a, b := r.dump(), other.dump(); a != b {
		t.Errorf("its rows are others:\n%s\n%s", a, b)
	}

	// What came before is known, from whatever source it comes again.
	other.take(attached, big)
	if h, err := other.Handle(t.Context(), "another box", ingestBatch(attached, other.now)); err != nil || h.Letters[0].Class != "duplicate" {
		t.Errorf("%+v, %v", h, err)
	}
	if a, b := r.sum("lands"), other.sum("lands"); a != b {
		t.Errorf("sum %d, want %d: a letter was obeyed twice", b, a)
	}
	// And it goes on: what was undone can still be given again.
	for _, x := range []*rig{r, other} {
		x.now = r.now
		x.gm("REDO 3")
	}
	if a, b := r.sum("lands"), other.sum("lands"); a != b {
		t.Errorf("it went on to %d, and here to %d", b, a)
	}
	if err := other.bring(name); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Errorf("brought back twice: %v", err)
	}
}

// dump is all rows of the game lands, but for the order of the outbox, which is one of all games.
func (r *rig) dump() string {
	r.Helper()
	var b bytes.Buffer
	a := &archiver{ctx: r.Context(), q: r.DB.Read(), game: "lands", zip: zip.NewWriter(io.Discard)}
	for _, t := range tables {
		columns, err := columnsOf(a.ctx, a.q, t.name)
		if err != nil {
			r.Fatal(err)
		}
		columns = slices.DeleteFunc(columns, func(c column) bool { return c.name == "seq" })
		if err := a.rows(&b, columns, `SELECT `+names(columns)+` FROM `+t.name+` WHERE `+t.of+` ORDER BY `+t.order); err != nil {
			r.Fatal(err)
		}
	}
	for _, id := range r.ids() {
		row, err := ingest.Show(r.Context(), r.DB.Read(), id)
		if err != nil {
			r.Fatal(err)
		}
		b.Write(row.Raw)
	}
	return b.String()
}

func (r *rig) ids() []string {
	list, err := (&archiver{ctx: r.Context(), q: r.DB.Read(), game: "lands"}).list(`SELECT id FROM inbox WHERE game = $1 ORDER BY id`)
	if err != nil {
		r.Fatal(err)
	}
	return list
}

// A table that holds something of a game and is not exported would be lost.
func TestEveryTableOfAGameIsExported(t *testing.T) {
	r := newRig(t)
	rows, err := r.DB.Read().QueryContext(t.Context(), `SELECT name FROM sqlite_master WHERE type = 'table'`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	apart := []string{"inbox_more", "attachment", "source", "trouble", "directory", "goose_db_version", "sqlite_sequence"} // files of their own, and what belongs to no game
	n := 0
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		exported := false
		for _, x := range tables {
			exported = exported || x.name == name
		}
		if exported == slices.Contains(apart, name) {
			t.Errorf("the table %s is exported: %v", name, exported)
		}
		n++
	}
	if n < len(tables) {
		t.Errorf("only %d tables", n)
	}
}

// rewritten is an archive with one file changed; when sealed its hash is too.
func rewritten(t *testing.T, name, file string, change func([]byte) []byte, sealed bool) string {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	out := filepath.Join(t.TempDir(), "changed.zip")
	f, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	a := &archiver{zip: zip.NewWriter(f)}
	changed := false
	for _, old := range z.File {
		src, err := old.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(src)
		if err != nil {
			t.Fatal(err)
		}
		if old.Name == archiveSums && sealed {
			continue
		}
		if strings.HasPrefix(old.Name, file) && !changed {
			was := string(b)
			b = change(b)
			changed = was != string(b)
		}
		if old.Name == archiveSums {
			a.sums.Reset()
			a.sums.Write(b)
			continue
		}
		if b == nil {
			continue
		}
		if err := a.file(old.Name, func(w io.Writer) error { _, err := w.Write(b); return err }); err != nil {
			t.Fatal(err)
		}
	}
	if !changed {
		t.Fatalf("%s was not changed", file)
	}
	if err := errors.Join(a.seal(), a.zip.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestAnArchiveThatCannotBeBroughtBack(t *testing.T) {
	replace := func(old, new string) func([]byte) []byte {
		return func(b []byte) []byte { return bytes.Replace(b, []byte(old), []byte(new), 1) }
	}
	tests := []struct {
		name, file string
		change     func([]byte) []byte
		sealed     bool
		says       string
	}{
		{"a letter", "letters/", replace("ADD 1", "ADD 9"), false, "was changed after it was written: letters/"},
		{"a letter that is not there", "letters/", func([]byte) []byte { return nil }, false, "it lacks letters/"},
		{"a letter that is not there, sealed again", "letters/", func([]byte) []byte { return nil }, true, "it lacks letters/"},
		{"the log", "input.jsonl", replace("ADD 8", "ADD 9"), true, "was changed after it was written"},
		{"a snapshot", "snapshot.jsonl", replace(`{"base64":"ey`, `{"base64":"ez`), true, "was changed after it was written"},
		{"another ruleset", archiveHead, replace(`"toy"`, `"chess"`), true, `needs the ruleset "chess"`},
		{"another version of it", archiveHead, replace(`"version":1`, `"version":7`), true, "version 7 of toy"},
		{"another format", archiveHead, replace(`"format":1`, `"format":9`), true, "format 9"},
		{"a row of another game", "member.jsonl", replace(`"game":"lands"`, `"game":"moors"`), true, "a row is of the game moors"},
		{"a text for a number", "outbox.jsonl", replace(`"attempts":0`, `"attempts":"x"`), true, "the column attempts: the archive was changed after it was written: x is not a number"},
		{"a number for a text", "member.jsonl", replace(`"zone":"UTC"`, `"zone":7`), true, "the column zone: the archive was changed after it was written: 7 is not a text"},
		{"a text for bytes", "game.jsonl", replace(`"chain":{"base64":`, `"chain":"x","y":{"base64":`), true, "archive is of another version"},
		{"a number out of range", "turn.jsonl", replace(`"to_n":1`, `"to_n":99999999999999999999`), true, "the column to_n"},
		{"a number that is none of the database's", "turn.jsonl", replace(`"to_n":1`, `"to_n":1.5`), true, "the column to_n"},
		{"nothing", "member.jsonl", replace(`"zone":"UTC"`, `"zone":null`), true, "NOT NULL"},
		{"the number of the last event", "game.jsonl", replace(`"last_n":`, `"last_n":1`), true, "ends at event"},
		{"where the game went back to", "turn.jsonl", replace(`"to_n":1`, `"to_n":77`), true, "input 5: the log has a note"},
		{"what was given again", "turn.jsonl", replace(`"again":"[1]"`, `"again":"[1"`), true, "reading what was given again"},
		{"a name that leads elsewhere", "inbox.jsonl", replace(`"id":"`, `"id":"../../`), true, "it lacks letters/../../"},
		{"a column of another schema", "member.jsonl", replace(`"since":`, `"until":`), true, "archive is of another version"},
	}
	r := played(t)
	good := r.export()
	other := newRig(t)
	for _, tt := range tests {
		bad := rewritten(t, good, tt.file, tt.change, tt.sealed)
		if err := other.bring(bad); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v; want %q", tt.name, err, tt.says)
		}
		for _, x := range tables {
			if n := other.count(`SELECT COUNT(*) FROM ` + x.name); n != 0 {
				t.Errorf("%s: it left %d rows of %s", tt.name, n, x.name)
			}
		}
	}
	if err := other.bring(good); err != nil {
		t.Errorf("untouched: %v", err)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no archive"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{text, text + ".not"} {
		if err := other.bring(name); err == nil {
			t.Errorf("%s was brought back", name)
		}
	}
}

// Keys of letters are the source's own: those of another machine may stand for other letters.
func TestAnArchiveWhoseKeysAreTaken(t *testing.T) {
	r := played(t)
	other := newRig(t)
	other.game("moors", "moors@play.example")
	for range 8 {
		other.say("anna@x.example", "moors@play.example", "ADD 1")
	}
	if err := other.bring(r.export()); err != nil {
		t.Fatal(err)
	}
	if a, b := r.count(`SELECT COUNT(*) FROM inbox WHERE game = 'lands'`), other.count(`SELECT COUNT(*) FROM inbox WHERE game = 'lands'`); a != b {
		t.Errorf("%d letters, want %d", b, a)
	}
	if got := other.sum("moors"); got != 8 {
		t.Errorf("sum %d", got)
	}
}

func TestADueGameFiresWhereItIsBroughtBack(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.anna("BELL a 60")
	other := newRig(t)
	if err := other.bring(r.export()); err != nil {
		t.Fatal(err)
	}
	other.now = r.now.Add(time.Hour)
	if _, err := other.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "events", other.events("lands"), "rang a")
}
