package dirsrc

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/ingest/ingesttest"
)

// folder is a place whose files have names in no order.
type folder struct {
	cfg Config
	n   int
}

func (f *folder) Put(t *testing.T, raw []byte, arrived time.Time) {
	t.Helper()
	f.n++
	put(t, f.cfg.Dir, fmt.Sprintf("%d letter.eml", f.n*7919%10007), raw, arrived)
}

func (f *folder) Open(t *testing.T) ingest.Source { return open(t, f.cfg) }

func put(t *testing.T, dir, name string, raw []byte, at time.Time) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, cfg Config) *Source {
	t.Helper()
	src, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func TestConformance(t *testing.T) {
	for name, move := range map[string]bool{"keep": false, "move": true} {
		t.Run(name, func(t *testing.T) {
			ingesttest.Run(t, func(t *testing.T) ingesttest.Place {
				return &folder{cfg: Config{Dir: t.TempDir(), Move: move}}
			})
		})
	}
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func poll(t *testing.T, src *Source, at ingest.Cursor) ingest.Batch {
	t.Helper()
	b, err := src.Poll(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// names returns the names of the files that came.
func names(b ingest.Batch) []string {
	var out []string
	for _, m := range b.Messages {
		name, _, _ := strings.Cut(m.Key, "/")
		out = append(out, name)
	}
	return out
}

func want(t *testing.T, b ingest.Batch, want ...string) {
	t.Helper()
	if got := names(b); !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

// What is no letter of this folder is left alone, and odd names are only names.
func TestWhatIsRead(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	put(t, outside, "secret.eml", []byte("secret"), noon)
	put(t, dir, "b.EML", []byte("b"), noon.Add(time.Minute))
	put(t, dir, "a\xff/../\n%2f.eml"[:2]+" %2f?.eml", []byte("a"), noon)
	for _, name := range []string{"c.tmp", "c.eml.tmp", "c.txt", ".c.eml", "eml"} {
		put(t, dir, name, []byte("no"), noon)
	}
	for name, err := range map[string]error{
		"link":   os.Symlink(filepath.Join(outside, "secret.eml"), filepath.Join(dir, "link.eml")),
		"inside": os.Symlink("b.EML", filepath.Join(dir, "inside.eml")),
		"folder": os.Mkdir(filepath.Join(dir, "folder.eml"), 0o700),
		"pipe":   syscall.Mkfifo(filepath.Join(dir, "pipe.eml"), 0o600),
	} {
		if err != nil {
			t.Fatal(name, err)
		}
	}
	src := open(t, Config{Dir: dir, Move: true})
	b := poll(t, src, "")
	want(t, b, "a%FF%20%252f%3F.eml", "b.EML")
	if err := src.Mark(t.Context(), []string{b.Messages[0].Key, "..%2f" + filepath.Base(outside) + "%2fsecret.eml/6/1", "%zz/1/1"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "done", "a\xff %2f?.eml")); err != nil {
		t.Error(err)
	}
	want(t, poll(t, src, b.Next))
}

// A file that may still be written to waits, and a file written to again is another letter.
func TestFilesBeingWritten(t *testing.T) {
	dir := t.TempDir()
	now := noon
	src := open(t, Config{Dir: dir, Move: true, Now: func() time.Time { return now }})
	put(t, dir, "a.eml", []byte("half"), noon.Add(-500*time.Millisecond))
	put(t, dir, "future.eml", []byte("from a clock that is ahead"), noon.Add(time.Hour))
	b := poll(t, src, "")
	want(t, b, "future.eml")
	if !b.Until.Equal(noon.Add(-skew)) {
		t.Errorf("until %v", b.Until)
	}
	now = now.Add(time.Second)
	b = poll(t, src, b.Next)
	want(t, b, "a.eml")
	old := b.Messages[0].Key
	put(t, dir, "a.eml", []byte("whole"), noon.Add(-time.Minute))
	if err := src.Mark(t.Context(), []string{old}); err != nil {
		t.Fatal(err)
	}
	b = poll(t, src, b.Next)
	want(t, b, "a.eml")
	if string(b.Messages[0].Raw) != "whole" {
		t.Errorf("read %q", b.Messages[0].Raw)
	}
}

// A file that is done does not replace one of the same name that was done before.
func TestDoneNames(t *testing.T) {
	dir := t.TempDir()
	src := open(t, Config{Dir: dir, Move: true})
	at := ingest.Cursor("")
	for i := range 3 {
		put(t, dir, "a.eml", []byte{byte('0' + i)}, noon)
		b := poll(t, src, at)
		if i > 0 { // the same name, size and time: the same letter to the source
			b = poll(t, src, "")
		}
		want(t, b, "a.eml")
		if err := src.Mark(t.Context(), []string{b.Messages[0].Key}); err != nil {
			t.Fatal(err)
		}
		at = b.Next
	}
	for i, name := range []string{"a.eml", "1.a.eml", "2.a.eml"} {
		if got, err := os.ReadFile(filepath.Join(dir, "done", name)); err != nil || string(got) != fmt.Sprint(i) {
			t.Errorf("%s holds %q (%v), want %d", name, got, err, i)
		}
	}
}

// What cannot be read is told.
func TestFaults(t *testing.T) {
	dir := t.TempDir()
	raw := ingesttest.Letter(1, 5000)
	put(t, dir, "big.eml", raw, noon)
	put(t, dir, "endless.eml", bytes.Repeat([]byte("a"), 100_000), noon.Add(time.Second))
	put(t, dir, "empty.eml", nil, noon.Add(2*time.Second))
	b := poll(t, open(t, Config{Dir: dir, MaxSize: 1000}), "")
	want(t, b, "big.eml", "endless.eml", "empty.eml")
	head, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	if m := b.Messages[0]; !strings.HasPrefix(m.Fault, "too big") || m.Limit == 0 || !bytes.Equal(m.Raw, append(head, "\r\n\r\n"...)) {
		t.Errorf("fault %q with %d bytes", m.Fault, len(m.Raw))
	}
	if m := b.Messages[1]; m.Fault == "" || len(m.Raw) != 64<<10 {
		t.Errorf("fault %q with %d bytes", m.Fault, len(m.Raw))
	}
	if os.Getuid() != 0 { // root may read everything
		put(t, dir, "closed.eml", raw, noon)
		os.Chmod(filepath.Join(dir, "closed.eml"), 0)
		b := poll(t, open(t, Config{Dir: dir}), b.Next)
		if len(b.Messages) != 1 || !strings.Contains(b.Messages[0].Fault, "touch") {
			t.Errorf("%+v", b.Messages)
		}
	}
}

func TestErrors(t *testing.T) {
	if _, err := New(Config{}); err == nil {
		t.Error("New without a folder: no error")
	}
	missing := open(t, Config{Dir: filepath.Join(t.TempDir(), "missing"), Move: true})
	if _, err := missing.Poll(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("Poll of a folder that is not there: %v", err)
	}
	if err := missing.Mark(t.Context(), []string{"a.eml/1/1"}); err == nil {
		t.Error("Mark in a folder that is not there: no error")
	}
	if _, err := open(t, Config{Dir: t.TempDir()}).Poll(t.Context(), "damaged!"); err == nil {
		t.Error("Poll with a damaged cursor: no error")
	}
}
