package mboxsrc

import (
	"bytes"
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

// mbox is a place that a mail server appends to.
type mbox struct{ cfg Config }

func (m *mbox) Put(t *testing.T, raw []byte, arrived time.Time) {
	t.Helper()
	add(t, m.cfg.File, delivered(arrived, raw))
}

func (m *mbox) Open(t *testing.T) ingest.Source { return open(t, m.cfg) }

// delivered is a letter as a mail server writes it.
func delivered(at time.Time, raw []byte) string {
	return at.Format("From oleg@example.org Mon Jan _2 15:04:05 2006\n") + string(raw) + "\n"
}

// add appends to a file, which then looks old.
func add(t *testing.T, file, text string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	age(t, file, noon)
}

// write replaces what a file holds.
func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.Truncate(file, 0); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	add(t, file, text)
}

func age(t *testing.T, file string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(file, at, at); err != nil {
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
	ingesttest.Run(t, func(t *testing.T) ingesttest.Place {
		return &mbox{Config{File: filepath.Join(t.TempDir(), "gm"), Zone: time.UTC}}
	})
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
		got = append(got, string(m.Raw))
	}
	if !slices.Equal(got, want) {
		t.Errorf("letters %q, want %q", got, want)
	}
}

func TestSplitting(t *testing.T) {
	const from = "From a@b.c Sun Mar  1 12:00:00 2026\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"none", "", nil},
		{"blank lines only", "\n\n", nil},
		{"one", from + "S: 1\n\nx\n\n", []string{"S: 1\n\nx\n"}},
		{"two", from + "S: 1\n\nx\n\n" + from + "S: 2\n\ny\n\n", []string{"S: 1\n\nx\n", "S: 2\n\ny\n"}},
		{"no blank line at the end", from + "S: 1\n\nx", []string{"S: 1\n\nx"}},
		{"no body", from + "S: 1\n\n" + from + "S: 2\n\n", []string{"S: 1\n", "S: 2\n"}},
		{"nothing at all", from + "\n" + from + "\n", []string{"", ""}},
		{"more blank lines", "\n" + from + "S: 1\n\nx\n\n\n" + from + "S: 2\n\ny\n\n", []string{"S: 1\n\nx\n\n", "S: 2\n\ny\n"}},
		{"CRLF", strings.ReplaceAll(from+"S: 1\n\nx\n\n"+from+"S: 2\n\ny\n\n", "\n", "\r\n"), []string{"S: 1\r\n\r\nx\r\n", "S: 2\r\n\r\ny\r\n"}},
		{"quoted", from + "S: 1\n\n>From here\n>>From there\n> From\n>Fro\n\n", []string{"S: 1\n\nFrom here\n>From there\n> From\n>Fro\n"}},
		{"fields are not quoted", from + ">From a\nS: 1\n\nx\n\n", []string{">From a\nS: 1\n\nx\n"}},
		{"From in the text", from + "S: 1\n\nx\n" + from + "y\n\nFrom here on\n\n", []string{"S: 1\n\nx\n" + from + "y\n\nFrom here on\n"}},
		{"Content-Length lies", from + "Content-Length: 9999\n\nx\n\n" + from + "S: 2\n\ny\n\n", []string{"Content-Length: 9999\n\nx\n", "S: 2\n\ny\n"}},
		{"a long line", from + "S: 1\n\n" + strings.Repeat("x", 3*longestLine) + "\n\n" + from + "S: 2\n\n\n", []string{"S: 1\n\n" + strings.Repeat("x", 3*longestLine) + "\n", "S: 2\n\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "gm")
			write(t, file, c.text)
			b := poll(t, open(t, Config{File: file, Zone: time.UTC}), "")
			want(t, b, c.want...)
			for _, m := range b.Messages {
				if m.Size != int64(len(m.Raw)) || !m.Arrived.Equal(noon) {
					t.Errorf("size %d of %d, arrived %v", m.Size, len(m.Raw), m.Arrived)
				}
			}
			if b.Until.IsZero() {
				t.Error("it was not read to the end")
			}
		})
	}
}

func TestFromLines(t *testing.T) {
	minsk := time.FixedZone("+03", 3*60*60)
	for line, want := range map[string]string{
		"From a@b.c Sun Mar  1 15:00:00 2026":         "12:00",
		"From a@b.c  Sun Mar 1 15:00:00 2026":         "12:00",
		"From MAILER-DAEMON Sun Mar  1 15:00:00 2026": "12:00",
		`From "a b"@b.c Sun Mar  1 15:00:00 2026`:     "12:00",
		"From a@b.c Sun Mar  1 15:00 2026":            "12:00",
		"From a@b.c Sun Mar  1 15:00:00 2026 +0100":   "14:00",
		"From a@b.c Sun Mar  1 15:00:00 +0100 2026":   "14:00",
		"From a@b.c Sun Mar  1 15:00:00 UTC 2026":     "15:00",
		"From a@b.c Sun Mar  1 15:00:00 GMT 2026":     "15:00",
		"From a@b.c Sun Mar  1 15:00:00 XYZ 2026":     "12:00",
		"From a@b.c":                                "",
		"From Sun Mar  1 15:00:00 2026":             "",
		"From ":                                     "",
		"From here on I write nothing":              "",
		"From a@b.c Sun Mar 32 15:00:00 2026":       "",
		">From a@b.c Sun Mar  1 15:00:00 2026":      "",
		"From: a@b.c Sun Mar  1 15:00:00 2026":      "",
		"From a b c d e f Sun Mar  1 15:00:00 2026": "",
		"From " + strings.Repeat("a", 600) + "@b.c Sun Mar  1 15:00:00 2026": "",
	} {
		got := ""
		if at, ok := fromDate(line, minsk); ok {
			got = at.Format("15:04")
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// A letter that may still be being written waits, and nothing is said of the time since it came.
func TestHalfWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gm")
	now := noon
	src := open(t, Config{File: file, Zone: time.UTC, Now: func() time.Time { return now }})
	first, second := delivered(noon, []byte("S: 1\n\nx\n")), delivered(noon, []byte("S: 2\n\ny\n"))
	at := ingest.Cursor("")
	for _, step := range []struct {
		name, text string
		passed     time.Duration // since it was written
		want       []string
		all        bool
	}{
		{"a whole one of just now", first, 0, nil, false},
		{"it rested", first, time.Second, []string{"S: 1\n\nx\n"}, true},
		{"a half one behind it", first + second[:len(second)-3], time.Second, nil, false},
		{"without its blank line", first + second[:len(second)-1], 59 * time.Second, nil, false},
		{"it rested long", first + second[:len(second)-1], time.Minute, []string{"S: 2\n\ny\n"}, true},
		{"the blank line comes later", first + second, time.Second, nil, true},
		{"a third", first + second + strings.ReplaceAll(second, "2\n", "3\n"), time.Second, []string{"S: 3\n\ny\n"}, true},
	} {
		write(t, file, step.text)
		age(t, file, now)
		now = now.Add(step.passed)
		b := poll(t, src, at)
		t.Log(step.name)
		want(t, b, step.want...)
		if step.all != b.Until.Equal(now.Add(-skew)) {
			t.Errorf("read up to %v", b.Until)
		}
		at = b.Next
	}
}

// Whatever became of the file, what is in it comes, under the keys it had.
func TestChangedFiles(t *testing.T) {
	letter := func(n int) string {
		return delivered(noon.Add(time.Duration(n)*time.Second), fmt.Appendf(nil, "Subject: %d\nStatus: O\n\nx\n", n))
	}
	before := letter(1) + letter(2) + letter(3)
	keys := func(b ingest.Batch) (keys []string) {
		for _, m := range b.Messages {
			keys = append(keys, m.Key)
		}
		return keys
	}
	for _, c := range []struct {
		name, text string
		want       []int // letters, of 1 to 4
	}{
		{"nothing", before, nil},
		{"one more", before + letter(4), []int{4}},
		{"cut", letter(1), []int{1}},
		{"emptied", "", nil},
		{"a new file", letter(4), []int{4}},
		{"a longer new file", letter(4) + letter(3) + letter(2) + letter(1), []int{4, 3, 2, 1}},
		{"one taken out", letter(1) + letter(3) + letter(4), []int{1, 3, 4}},
		{"the first taken out", letter(2) + letter(3) + letter(4), []int{2, 3, 4}},
		{"notes written in", strings.ReplaceAll(before, "Status: O", "Status: RO\nX-Keywords: done"), []int{1, 2, 3}},
		{"a blank line more", letter(1) + "\n" + letter(2) + letter(3), []int{1, 2, 3}},
		{"more of the last one", before + "and more\n\n" + letter(4), []int{1, 2, 0, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "gm")
			src := open(t, Config{File: file, Zone: time.UTC})
			write(t, file, before+letter(4))
			known := keys(poll(t, src, ""))
			write(t, file, before)
			at := poll(t, src, "").Next
			write(t, file, c.text)
			b := poll(t, src, at)
			got := keys(b)
			if len(got) != len(c.want) {
				t.Fatalf("%d letters, want %v", len(got), c.want)
			}
			for i, n := range c.want {
				if n > 0 && got[i] != known[n-1] || n == 0 && slices.Contains(known, got[i]) {
					t.Errorf("letter %d of %v has another key", i, c.want)
				}
			}
			if b.Until.IsZero() {
				t.Error("it was not read to the end")
			}
			want(t, poll(t, src, b.Next))
		})
	}
}

// Reading waits for a lock file, fails when it stays, and does not mind one that was forgotten.
func TestLocks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gm")
	src := open(t, Config{File: file, Zone: time.UTC})
	src.patience = 2 * lockPause
	write(t, file, delivered(noon, []byte("S: 1\n\nx\n")))
	add(t, file+".lock", "1")
	age(t, file+".lock", time.Now())
	if _, err := src.Poll(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "gm.lock") {
		t.Errorf("Poll of a locked file: %v", err)
	}
	src.patience = time.Minute
	done := make(chan ingest.Batch)
	go func() {
		b, _ := src.Poll(t.Context(), "")
		done <- b
	}()
	if err := os.Remove(file + ".lock"); err != nil {
		t.Fatal(err)
	}
	want(t, <-done, "S: 1\n\nx\n")
	add(t, file+".lock", "1")
	age(t, file+".lock", time.Now().Add(-lockLimit))
	want(t, poll(t, src, ""), "S: 1\n\nx\n")
}

func TestTooBig(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gm")
	for n, size := range []int{5000, 1000, 100} {
		write(t, filepath.Join(filepath.Dir(file), "one"), delivered(noon, ingesttest.Letter(n, size)))
		add(t, file, delivered(noon, ingesttest.Letter(n, size)))
	}
	b := poll(t, open(t, Config{File: file, Zone: time.UTC, MaxSize: int64(len(ingesttest.Letter(1, 1000)))}), "")
	if len(b.Messages) != 3 {
		t.Fatalf("%d letters", len(b.Messages))
	}
	if m := b.Messages[0]; !strings.HasPrefix(m.Fault, "too big") || m.Limit == 0 || m.Size != int64(len(ingesttest.Letter(0, 5000))) || !bytes.HasSuffix(m.Raw, []byte("<0@example.org>\r\n\r\n")) {
		t.Errorf("fault %q, size %d, with %q", m.Fault, m.Size, m.Raw)
	}
	if m := b.Messages[1]; m.Fault != "" || !bytes.Equal(m.Raw, ingesttest.Letter(1, 1000)) {
		t.Errorf("a letter of just the limit: fault %q", m.Fault)
	}
}

func TestErrors(t *testing.T) {
	if _, err := New(Config{}); err == nil {
		t.Error("New without a file: no error")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "text"), "This is no mbox.\n")
	for _, name := range []string{"text", "", "missing/gm"} {
		src := open(t, Config{File: filepath.Join(dir, name)})
		if _, err := src.Poll(t.Context(), ""); err == nil {
			t.Errorf("Poll of %q: no error", name)
		}
		if _, _, err := src.Check(); err == nil {
			t.Errorf("Check of %q: no error", name)
		}
	}
	src := open(t, Config{File: filepath.Join(dir, "gm")})
	if _, there, err := src.Check(); there || err != nil {
		t.Errorf("a file that is not there yet: %v, %v", there, err)
	}
	for _, at := range []ingest.Cursor{"damaged", "-1 aa", "1.5 aa"} {
		if _, err := src.Poll(t.Context(), at); err == nil {
			t.Errorf("Poll with the cursor %q: no error", at)
		}
	}
}

// FuzzSplit splits anything, and what it split once more from each letter's end.
func FuzzSplit(f *testing.F) {
	const from = "From a@b.c Sun Mar  1 12:00:00 2026\n"
	for _, text := range []string{
		"", from, from + "S: 1\n\nx\n\n" + from + "S: 2\n\n>From y\n\n", "\r\n" + from + "\n\n\n" + from, from + "S: 1\r\n\r\nx\r\n\r\n" + from,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all := split(t, text, 0)
		for i, l := range all {
			if l.end <= 0 || l.end > int64(len(text)) || i > 0 && l.end <= all[i-1].end {
				t.Fatalf("letter %d ends at %d of %d", i, l.end, len(text))
			}
			if l.size != int64(len(l.raw)) || l.size > l.end {
				t.Fatalf("letter %d: size %d of %d", i, l.size, len(l.raw))
			}
			rest := split(t, text, l.end)
			if len(rest) != len(all)-i-1 {
				t.Fatalf("%d letters after the %dth of %d", len(rest), i, len(all))
			}
			for j, r := range rest {
				if same := all[i+1+j]; r.key() != same.key() || !bytes.Equal(r.raw, same.raw) || r.end+l.end != same.end {
					t.Fatalf("letter %d is another one when reading begins after letter %d", i+1+j, i)
				}
			}
		}
		// What a mail server delivers comes back as it was.
		raw := strings.ReplaceAll("S: 1\n\n"+text, "\r", "")
		if !strings.HasSuffix(raw, "\n") {
			raw += "\n"
		}
		quoted := "S: 1\n\n" + quote(strings.TrimPrefix(raw, "S: 1\n\n"))
		again := split(t, from+quoted+"\n"+from+quoted+"\n", 0)
		if len(again) != 2 || string(again[0].raw) != raw || string(again[1].raw) != raw {
			t.Fatalf("%d letters, the first %q, want twice %q", len(again), again[0].raw, raw)
		}
	})
}

// quote quotes a body as mboxrd does.
func quote(body string) string {
	var b strings.Builder
	for line := range strings.Lines(body) {
		if strings.HasPrefix(strings.TrimLeft(line, ">"), "From ") {
			b.WriteByte('>')
		}
		b.WriteString(line)
	}
	return b.String()
}

func split(t *testing.T, text string, from int64) (all []letter) {
	s := newSplitter(strings.NewReader(text[from:]), time.UTC, 1<<20)
	for {
		l, err := s.letter()
		if err != nil {
			return all
		}
		all = append(all, l)
		if len(all) > len(text) {
			t.Fatal("letters without end")
		}
	}
}
