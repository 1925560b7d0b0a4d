// Package dirsrc reads letters from the .eml files of a folder.
//
// Its promise: every file that is put there and not written to any more is brought whole, once for each content it
// has. A file's name is read as bytes that mean nothing; what is no plain file, and what leads out of the folder, is
// left alone.
//
// How it is kept. A letter's key is made of the file's name, size and time, and the letter arrived at the file's time.
// The cursor holds a short hash of the key of every handled file that is still in the folder, because files may come
// with any time and in any order; with Move it stays short, as files that are done go to the folder "done" inside.
// Files written to a moment ago, or while they are read, wait for the next poll.
package dirsrc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"arroba/ingest"
)

const doneFolder = "done"

const (
	settle = time.Second      // a file this young may still be written to
	skew   = 10 * time.Second // a file may come this much after its time
)

// Config says which folder to read, and how.
type Config struct {
	Dir     string
	Move    bool             // done letters go to Dir/done; otherwise they stay
	MaxSize int64            // of a letter, in bytes; 25 MB when 0
	Now     func() time.Time // time.Now when nil
}

// Source is a folder. Each of its methods opens the folder anew, so it needs no closing and a folder that is mounted
// later is found then.
type Source struct{ cfg Config }

// New returns a source for the folder.
func New(cfg Config) (*Source, error) {
	if cfg.Dir == "" {
		return nil, errors.New("the folder source names no folder")
	}
	cfg.MaxSize = cmp.Or(cfg.MaxSize, ingest.DefaultMaxSize)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Source{cfg}, nil
}

// file is a letter in the folder.
type file struct {
	name string
	info fs.FileInfo
}

// key is the lasting name of a file with this content.
func (f file) key() string {
	return fmt.Sprintf("%s/%d/%d", url.PathEscape(f.name), f.info.Size(), f.info.ModTime().UnixNano())
}

// Poll returns the next letters: those of which the cursor does not know, the oldest first.
func (s *Source) Poll(ctx context.Context, at ingest.Cursor) (ingest.Batch, error) {
	b, err := s.poll(ctx, at)
	if err != nil {
		return ingest.Batch{}, fmt.Errorf("read the folder %s: %w", s.cfg.Dir, err)
	}
	return b, nil
}

func (s *Source) poll(ctx context.Context, at ingest.Cursor) (ingest.Batch, error) {
	handled, err := ingest.ParseSeen(at)
	if err != nil {
		return ingest.Batch{}, err
	}
	began := s.cfg.Now()
	root, err := os.OpenRoot(s.cfg.Dir)
	if err != nil {
		return ingest.Batch{}, err
	}
	defer root.Close()
	files, err := list(root)
	if err != nil {
		return ingest.Batch{}, err
	}
	var listed []ingest.File
	for _, f := range files {
		if age := began.Sub(f.info.ModTime()); age >= settle || age < 0 || handled.Has(f.key()) {
			listed = append(listed, ingest.File{Path: f.name, Key: f.key(), Info: f.info})
		}
	}
	// A file that is not what it was a moment ago comes under another key.
	b, _, err := ingest.ReadFiles(ctx, root, listed, handled, s.cfg.MaxSize)
	if err == nil && !b.More {
		b.Until = began.Add(-skew)
	}
	return b, err
}

// list returns the letters in the folder, the oldest first.
func list(root *os.Root) ([]file, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || strings.HasPrefix(name, ".") || !strings.EqualFold(filepath.Ext(name), ".eml") {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, info})
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(a.info.ModTime().Compare(b.info.ModTime()), strings.Compare(a.name, b.name))
	})
	return files, nil
}

// Mark moves the files of these letters to the folder "done" when the configuration says so. A file that has been
// written to since is another letter and stays.
func (s *Source) Mark(ctx context.Context, keys []string) error {
	if !s.cfg.Move || len(keys) == 0 {
		return nil
	}
	root, err := os.OpenRoot(s.cfg.Dir)
	if err != nil {
		return fmt.Errorf("move done letters: %w", err)
	}
	defer root.Close()
	if err := root.Mkdir(doneFolder, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("move done letters: %w", err)
	}
	for _, key := range keys {
		if err := ctx.Err(); err != nil {
			return err
		}
		escaped, _, _ := strings.Cut(key, "/")
		name, err := url.PathUnescape(escaped)
		if err != nil || name == "" {
			continue
		}
		info, err := root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() || (file{name, info}).key() != key {
			continue // it is done already, or not ours
		}
		if err := root.Rename(name, free(root, name)); err != nil {
			return fmt.Errorf("move done letters: %w", err)
		}
	}
	return nil
}

// free is a name in the folder for done letters that nothing has yet.
func free(root *os.Root, name string) string {
	to := filepath.Join(doneFolder, name)
	for n := 1; ; n++ {
		if _, err := root.Lstat(to); err != nil {
			return to
		}
		to = filepath.Join(doneFolder, fmt.Sprintf("%d.%s", n, name))
	}
}
