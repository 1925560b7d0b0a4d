// Package maildirsrc reads letters from a Maildir.
//
// Its promise: every letter in new/ and cur/ is brought whole, once, whatever mail programs do meanwhile: a letter that
// moves from one to the other or gets other flags is the same letter. What leads out of the Maildir is left alone, and
// nothing in tmp/ is looked at.
//
// How it is kept. A letter's key is the unique part of its file's name, before the colon, with its size, and it
// arrived at the file's time. Whether somebody has looked at a letter does not matter: the cursor holds a short hash
// of the key of every handled letter that is still there; with Done "move" it stays short. Letters get to new/ by one
// rename when they are whole, so none has to be waited for. A letter that is renamed while the folders are read may hide
// from a poll; the next one finds it, and this one says nothing of up to when everything was seen.
package maildirsrc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"arroba/ingest"
)

const skew = 10 * time.Second // a letter may come this much after its file's time

// Config says which Maildir to read, and what becomes of letters that are done.
type Config struct {
	Dir     string           // the Maildir: the folder that holds new and cur
	Done    string           // "flag" (moved to cur and marked as seen), "move" (to MoveTo), or "keep"
	MoveTo  string           // a Maildir folder inside this one, "Processed" for Dir/.Processed; made when it is not there
	MaxSize int64            // of a letter, in bytes; 25 MB when 0
	Now     func() time.Time // time.Now when nil
}

// Source is a Maildir. Each of its methods opens it anew, so it needs no closing, and a Maildir that is mounted later
// is found then.
type Source struct{ cfg Config }

// New returns a source for the Maildir.
func New(cfg Config) (*Source, error) {
	if cfg.Dir == "" {
		return nil, errors.New("the Maildir source names no folder")
	}
	cfg.Done = cmp.Or(cfg.Done, "keep")
	if !slices.Contains([]string{"flag", "move", "keep"}, cfg.Done) {
		return nil, fmt.Errorf("done letters are to %q; it is flag, move or keep", cfg.Done)
	}
	cfg.MoveTo = strings.TrimPrefix(cfg.MoveTo, ".")
	if cfg.Done == "move" && (cfg.MoveTo == "" || strings.ContainsAny(cfg.MoveTo, "/\\\x00")) {
		return nil, fmt.Errorf("done letters are to go to %q, which names no folder inside the Maildir; write one without slashes, as \"Processed\"", cfg.MoveTo)
	}
	cfg.MaxSize = cmp.Or(cfg.MaxSize, ingest.DefaultMaxSize)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Source{cfg}, nil
}

// file is a letter in the Maildir.
type file struct {
	folder string // new or cur
	name   string
	info   fs.FileInfo
}

func (f file) path() string { return path.Join(f.folder, f.name) }

// key is the lasting name of a letter.
func (f file) key() string {
	unique, _, _ := strings.Cut(f.name, ":")
	return fmt.Sprintf("%s/%d", url.PathEscape(unique), f.info.Size())
}

// Poll returns the next letters: those of which the cursor does not know, the oldest first.
func (s *Source) Poll(ctx context.Context, at ingest.Cursor) (ingest.Batch, error) {
	b, err := s.poll(ctx, at)
	if err != nil {
		return ingest.Batch{}, fmt.Errorf("read the Maildir %s: %w", s.cfg.Dir, err)
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
	files, still, err := list(root)
	if err != nil {
		return ingest.Batch{}, err
	}
	listed := make([]ingest.File, len(files))
	for i, f := range files {
		listed[i] = ingest.File{Path: f.path(), Key: f.key(), Info: f.info}
	}
	// A file that is gone has another name by now.
	b, gone, err := ingest.ReadFiles(ctx, root, listed, handled, s.cfg.MaxSize)
	if err == nil && still && !gone && !b.More {
		b.Until = began.Add(-skew)
	}
	return b, err
}

// list returns the letters, the oldest first. Still is true when no letter came, went or got another name meanwhile.
func list(root *os.Root) (files []file, still bool, err error) {
	before, err := times(root)
	if err != nil {
		return nil, false, err
	}
	for _, folder := range folders { // new first: a letter moves from there to cur
		more, err := listFolder(root, folder)
		if err != nil {
			return nil, false, err
		}
		files = append(files, more...)
	}
	after, err := times(root)
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(a.info.ModTime().Compare(b.info.ModTime()), strings.Compare(a.name, b.name))
	})
	return files, before == after, err
}

// folders are those that letters stand in.
var folders = [2]string{"new", "cur"}

// times are when the folders last changed.
func times(root *os.Root) (at [2]time.Time, err error) {
	for i, folder := range folders {
		info, err := root.Stat(folder)
		if err != nil {
			return at, err
		}
		at[i] = info.ModTime()
	}
	return at, nil
}

func listFolder(root *os.Root, folder string) (files []file, err error) {
	in, err := root.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	dir, err := in.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		info, err := in.Lstat(e.Name())
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
			continue // it has another name by now, and the folder another time
		}
		if err != nil {
			return nil, err
		}
		files = append(files, file{folder, e.Name(), info})
	}
	return files, nil
}

// Mark marks these letters as seen in cur, or moves them to another folder, as the configuration says.
func (s *Source) Mark(ctx context.Context, keys []string) error {
	if s.cfg.Done == "keep" || len(keys) == 0 {
		return nil
	}
	if err := s.mark(ctx, keys); err != nil {
		return fmt.Errorf("mark done letters in the Maildir %s: %w", s.cfg.Dir, err)
	}
	return nil
}

func (s *Source) mark(ctx context.Context, keys []string) error {
	root, err := os.OpenRoot(s.cfg.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	to := "."
	if s.cfg.Done == "move" {
		to = "." + s.cfg.MoveTo
		if err := makeFolder(root, to); err != nil {
			return err
		}
	}
	files, _, err := list(root)
	if err != nil {
		return err
	}
	done := ingest.Seen{}
	for _, key := range keys {
		done.Add(key)
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !done.Has(f.key()) {
			continue
		}
		if err := f.moveTo(root, path.Join(to, "cur")); err != nil {
			return err
		}
	}
	return nil
}

// moveTo puts the letter into a folder cur, marked as seen. One that is not where it was is done by somebody else, and
// one whose place is taken stays.
func (f file) moveTo(root *os.Root, cur string) error {
	name := seen(f.name)
	to := path.Join(cur, name)
	if to == f.path() {
		return nil
	}
	if _, err := root.Lstat(to); err == nil {
		return nil
	}
	if err := root.Rename(f.path(), to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// seen is a file's name with the flag S among its others, which stand in order.
func seen(name string) string {
	unique, info, _ := strings.Cut(name, ":")
	flags, known := strings.CutPrefix(info, "2,")
	if !known {
		flags = ""
	}
	if strings.Contains(flags, "S") {
		return name
	}
	letters := append([]byte(flags), 'S')
	slices.Sort(letters)
	return unique + ":2," + string(letters)
}

// makeFolder makes a Maildir folder inside the Maildir, where it is not there yet.
func makeFolder(root *os.Root, name string) error {
	for _, dir := range []string{"", "tmp", "new", "cur"} {
		if err := root.Mkdir(path.Join(name, dir), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	mark, err := root.OpenFile(path.Join(name, "maildirfolder"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return mark.Close()
}

// Check tells how many letters there are, or what is wrong with the Maildir.
func (s *Source) Check() (letters int, err error) {
	root, err := os.OpenRoot(s.cfg.Dir)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	files, _, err := list(root)
	return len(files), err
}
