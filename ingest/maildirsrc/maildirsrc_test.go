package maildirsrc

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/ingest/ingesttest"
)

// maildir is a place whose letters stand in both folders, with names in no order.
type maildir struct {
	cfg Config
	n   int
}

func (m *maildir) Put(t *testing.T, raw []byte, arrived time.Time) {
	t.Helper()
	m.n++
	name := fmt.Sprintf("%d.M1P2.host", m.n*7919%10007)
	if m.n%2 == 0 {
		put(t, m.cfg.Dir, "new/"+name, raw, arrived)
	} else {
		put(t, m.cfg.Dir, "cur/"+name+",S=9:2,RS", raw, arrived)
	}
}

func (m *maildir) Open(t *testing.T) ingest.Source { return open(t, m.cfg) }

// empty makes an empty Maildir.
func empty(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, folder := range []string{"tmp", "new", "cur"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// put delivers a letter as mail servers do: whole in tmp, then renamed.
func put(t testing.TB, dir, name string, raw []byte, at time.Time) {
	t.Helper()
	tmp := filepath.Join(dir, "tmp", "letter")
	if err := os.WriteFile(tmp, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(tmp, at, at); err != nil {
		t.Fatal(err)
	}
	rename(t, tmp, filepath.Join(dir, name))
}

func rename(t testing.TB, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
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
	for _, done := range []string{"keep", "flag", "move"} {
		t.Run(done, func(t *testing.T) {
			ingesttest.Run(t, func(t *testing.T) ingesttest.Place {
				return &maildir{cfg: Config{Dir: empty(t), Done: done, MoveTo: "Processed"}}
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

func want(t *testing.T, b ingest.Batch, want ...string) {
	t.Helper()
	var got []string
	for _, m := range b.Messages {
		got = append(got, m.Key)
	}
	if !slices.Equal(got, want) {
		t.Errorf("letters %q, want %q", got, want)
	}
}

// files lists a folder of a Maildir.
func files(t *testing.T, dir, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, folder))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A letter that moves or gets flags is the same letter, and other programs' flags are kept.
func TestFlagsChange(t *testing.T) {
	dir := empty(t)
	src := open(t, Config{Dir: dir, Done: "flag"})
	put(t, dir, "new/1.host", []byte("one"), noon)
	put(t, dir, "new/2.host", []byte("two"), noon.Add(time.Second))
	b := poll(t, src, "")
	want(t, b, "1.host/3", "2.host/3")
	if !b.Messages[1].Arrived.Equal(noon.Add(time.Second)) {
		t.Errorf("arrived %v", b.Messages[1].Arrived)
	}
	keys := []string{b.Messages[0].Key, b.Messages[1].Key}
	rename(t, filepath.Join(dir, "new/1.host"), filepath.Join(dir, "cur/1.host:2,TF"))
	b = poll(t, src, b.Next)
	want(t, b)
	for range 2 {
		if err := src.Mark(t.Context(), keys); err != nil {
			t.Fatal(err)
		}
		if got := files(t, dir, "cur"); !slices.Equal(got, []string{"1.host:2,FST", "2.host:2,S"}) {
			t.Errorf("cur holds %q", got)
		}
	}
	want(t, poll(t, src, b.Next))
	want(t, poll(t, src, ""), keys...)
}

// Letters that somebody has read are letters, and a letter in both folders is one.
func TestReadLetters(t *testing.T) {
	dir := empty(t)
	put(t, dir, "cur/1.host:2,S", []byte("one"), noon)
	if err := os.Link(filepath.Join(dir, "cur/1.host:2,S"), filepath.Join(dir, "new/1.host")); err != nil {
		t.Fatal(err)
	}
	want(t, poll(t, open(t, Config{Dir: dir}), ""), "1.host/3")
}

// Done letters go to another folder of the Maildir, which is made; one whose place is taken stays.
func TestMove(t *testing.T) {
	dir := empty(t)
	src := open(t, Config{Dir: dir, Done: "move", MoveTo: ".Processed"})
	put(t, dir, "new/1.host", []byte("one"), noon)
	put(t, dir, "cur/2.host:2,R", []byte("two"), noon)
	put(t, dir, "new/3.host", []byte("desk"), noon)
	b := poll(t, src, "")
	want(t, b, "1.host/3", "2.host/3", "3.host/4")
	mark := func() {
		t.Helper()
		if err := src.Mark(t.Context(), []string{b.Messages[0].Key, b.Messages[1].Key}); err != nil {
			t.Fatal(err)
		}
	}
	mark()
	if got := files(t, dir, ".Processed/cur"); !slices.Equal(got, []string{"1.host:2,S", "2.host:2,RS"}) {
		t.Errorf("moved %q", got)
	}
	put(t, dir, "new/1.host", []byte("ONE"), noon)
	mark()
	if got := files(t, dir, "new"); !slices.Equal(got, []string{"1.host", "3.host"}) {
		t.Errorf("new holds %q", got)
	}
}

// What is no letter is left alone, odd names are only names, and nothing outside is read or moved.
func TestWhatIsRead(t *testing.T) {
	dir, outside := empty(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "new/a\xff %2f?", []byte("a"), noon)
	put(t, dir, "cur/b:2,", []byte("b"), noon.Add(time.Second))
	put(t, dir, "cur/c:weird:2,S", []byte("c"), noon.Add(2*time.Second))
	put(t, dir, "new/.hidden", []byte("no"), noon)
	put(t, dir, "tmp/half", []byte("no"), noon)
	for what, err := range map[string]error{
		"link":   os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "new/link")),
		"folder": os.Mkdir(filepath.Join(dir, "cur/folder"), 0o700),
	} {
		if err != nil {
			t.Fatal(what, err)
		}
	}
	src := open(t, Config{Dir: dir, Done: "flag"})
	b := poll(t, src, "")
	want(t, b, "a%FF%20%252f%3F/1", "b/1", "c/1")
	if err := src.Mark(t.Context(), []string{b.Messages[0].Key, b.Messages[2].Key, "..%2fsecret/6", "%zz"}); err != nil {
		t.Fatal(err)
	}
	if got := files(t, dir, "cur"); !slices.Equal(got, []string{"a\xff %2f?:2,S", "b:2,", "c:2,S", "folder"}) {
		t.Errorf("cur holds %q", got)
	}
	away := empty(t)
	if err := os.Remove(filepath.Join(away, "cur")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(away, "cur")); err != nil {
		t.Fatal(err)
	}
	if b, err := open(t, Config{Dir: away}).Poll(t.Context(), ""); err == nil {
		t.Errorf("a folder outside was read: %+v", b)
	}
}

func TestTooBig(t *testing.T) {
	dir := empty(t)
	put(t, dir, "new/1.host", ingesttest.Letter(1, 5000), noon)
	m := poll(t, open(t, Config{Dir: dir, MaxSize: 1000}), "").Messages[0]
	if !strings.HasPrefix(m.Fault, "too big") || !strings.HasSuffix(string(m.Raw), "<1@example.org>\r\n\r\n") {
		t.Errorf("fault %q with %q", m.Fault, m.Raw)
	}
}

func TestErrors(t *testing.T) {
	for _, cfg := range []Config{
		{}, {Dir: "a", Done: "delete"}, {Dir: "a", Done: "move"}, {Dir: "a", Done: "move", MoveTo: "../b"}, {Dir: "a", Done: "move", MoveTo: "."},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("New(%+v): no error", cfg)
		}
	}
	for _, dir := range []string{filepath.Join(t.TempDir(), "missing"), t.TempDir()} {
		src := open(t, Config{Dir: dir, Done: "flag"})
		if _, err := src.Poll(t.Context(), ""); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("Poll of what is no Maildir: %v", err)
		}
		if err := src.Mark(t.Context(), []string{"1.host/3"}); err == nil {
			t.Error("Mark in what is no Maildir: no error")
		}
		if _, err := src.Check(); err == nil {
			t.Error("Check of what is no Maildir: no error")
		}
	}
	if _, err := open(t, Config{Dir: empty(t)}).Poll(t.Context(), "damaged!"); err == nil {
		t.Error("Poll with a damaged cursor: no error")
	}
}
