package dirsink_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"arroba/outbox"
	"arroba/outbox/dirsink"
	"arroba/outbox/outboxtest"
)

func TestConformance(t *testing.T) {
	outboxtest.Run(t, func(t *testing.T) outboxtest.Rig {
		dir := filepath.Join(t.TempDir(), "new", "out")
		sink, err := dirsink.New(dir)
		if err != nil {
			t.Fatal(err)
		}
		return outboxtest.Rig{Sink: sink, Arrived: func() [][]byte { return read(t, dir) }}
	})
}

// read returns the files of a folder by name, hidden ones too.
func read(t *testing.T, dir string) (mails [][]byte) {
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		mails = append(mails, raw)
	}
	return mails
}

func TestSentAgainReplacesItself(t *testing.T) {
	dir := t.TempDir()
	sink, err := dirsink.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	it := outboxtest.Mail()
	for range 2 {
		path, err := sink.Send(t.Context(), it)
		if want := filepath.Join(dir, "20260105T101112Z-"+it.ID+".eml"); err != nil || path != want {
			t.Errorf("sent to %s, %v; want %s", path, err, want)
		}
	}
	if n := len(read(t, dir)); n != 1 {
		t.Errorf("%d files, want 1", n)
	}
}

func TestFolderGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	sink, err := dirsink.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := sink.Send(t.Context(), outboxtest.Mail()); !errors.Is(err, outbox.ErrDown) {
		t.Errorf("got %v, want ErrDown", err)
	}
}
