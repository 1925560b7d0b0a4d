// Package mboxsrc reads letters from an mbox, the one file that a mail server appends to.
//
// Its promise: every letter in the file is brought whole, and nothing is ever written to the file, beside it or into
// its locks. Whatever happens to the file (it is cut, emptied, put aside for a new one, rewritten by a mail program),
// every letter that is still in it comes.
//
// How it is kept. The cursor is how many bytes of the file were read, with a hash of the first and the last of them.
// Where that does not fit the file any more, or no letter begins there, the file is read again from its beginning, and
// the inbox knows the letters by their keys. A key is a hash of the letter and its From_ line, without the fields in
// which mail programs keep their notes (Status and the like), so it lasts: two letters that are equal to the byte,
// their second of arrival too, are one letter. It arrived at the date of its From_ line.
//
// A letter begins with a From_ line that has a date, after a blank line; Content-Length is not looked at. Lines that
// were quoted as ">From " are given back without the >. The last letter may be half written: it waits for the next
// poll unless its text ends with a blank line in a file that has rested for a moment, or the file has rested for a minute.
// While a lock file stands beside the file, reading waits, and fails when it does not go; one that has stood for ten
// minutes was forgotten.
package mboxsrc

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"arroba/ingest"
)

const (
	skew      = 10 * time.Second // a letter may come this much after its From_ line's date
	settle    = time.Second      // a file this young may still be written to
	rested    = time.Minute      // a file this old is not
	lockWait  = 3 * time.Second  // for a lock file to go
	lockPause = 50 * time.Millisecond
	lockLimit = 10 * time.Minute // of a lock file's age; an older one was forgotten
	window    = 4 << 10          // bytes of each end of what was read that the cursor knows
)

// Config says which file to read, and how.
type Config struct {
	File    string
	Zone    *time.Location   // of From_ lines, which mail servers write without one; the machine's when nil
	MaxSize int64            // of a letter, in bytes; 25 MB when 0
	Now     func() time.Time // time.Now when nil
}

// Source is an mbox. Each Poll opens the file anew, so it needs no closing. A file that is not there is empty: mail
// servers make it with the first letter.
type Source struct {
	cfg      Config
	patience time.Duration // with a lock file
}

// New returns a source for the file.
func New(cfg Config) (*Source, error) {
	if cfg.File == "" {
		return nil, errors.New("the mbox source names no file")
	}
	cfg.MaxSize = cmp.Or(cfg.MaxSize, ingest.DefaultMaxSize)
	if cfg.Zone == nil {
		cfg.Zone = time.Local
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Source{cfg, lockWait}, nil
}

// Poll returns the next letters, in the order of the file.
func (s *Source) Poll(ctx context.Context, at ingest.Cursor) (ingest.Batch, error) {
	b, err := s.poll(ctx, at)
	if err != nil {
		return ingest.Batch{}, fmt.Errorf("read the mbox %s: %w", s.cfg.File, err)
	}
	return b, nil
}

func (s *Source) poll(ctx context.Context, at ingest.Cursor) (b ingest.Batch, err error) {
	offset, sum, err := parseCursor(at)
	if err != nil {
		return b, err
	}
	if err := s.awaitLock(ctx); err != nil {
		return b, err
	}
	began := s.cfg.Now()
	f, info, err := s.open()
	if err != nil {
		return b, err
	}
	if f == nil {
		return ingest.Batch{Until: began.Add(-skew)}, nil
	}
	defer f.Close()
	before, err := summary(f, info.Size(), info.Size())
	if err != nil {
		return b, err
	}
	if known, err := summary(f, info.Size(), offset); err != nil {
		return b, err
	} else if known != sum {
		offset = 0
	}
	b, offset, err = s.read(ctx, f, info, offset)
	if errors.As(err, new(errNoLetter)) && offset > 0 {
		b, offset, err = s.read(ctx, f, info, 0)
	}
	if err != nil {
		return b, err
	}
	if after, err := summary(f, info.Size(), info.Size()); err != nil || after != before {
		return b, cmp.Or(err, errors.New("it was rewritten while it was read"))
	}
	if sum, err = summary(f, info.Size(), offset); err != nil {
		return b, err
	}
	b.Next = ingest.Cursor(fmt.Sprintf("%d %s", offset, sum))
	if offset == info.Size() {
		b.Until = began.Add(-skew)
	}
	return b, nil
}

// read reads from an offset on what the file held when it was opened, and returns how far it got.
func (s *Source) read(ctx context.Context, f *os.File, info fs.FileInfo, from int64) (b ingest.Batch, offset int64, err error) {
	offset = from
	part := io.NewSectionReader(f, from, info.Size()-from)
	letters := newSplitter(reader{ctx, part}, s.cfg.Zone, s.cfg.MaxSize)
	size := 0
	for {
		l, err := letters.letter()
		switch {
		case err == io.EOF:
			return b, info.Size(), ctx.Err() // what follows the last letter are blank lines
		case err != nil:
			return b, from, err
		case from+l.end == info.Size() && !s.whole(l, info):
			return b, offset, nil
		}
		size += len(l.raw)
		if n := len(b.Messages); n == ingest.MaxLetters || n > 0 && size > ingest.MaxBytes {
			b.More = true
			return b, offset, nil
		}
		m := ingest.Message{Key: l.key(), Arrived: l.arrived, Raw: l.raw, Via: "mail", Size: l.size}
		if l.size > s.cfg.MaxSize {
			m.Fault, m.Limit = ingest.TooBig(l.size, s.cfg.MaxSize), s.cfg.MaxSize
		}
		b.Messages = append(b.Messages, m)
		offset = from + l.end
	}
}

// whole tells whether the last letter of the file is written to its end. A time to come is another clock's.
func (s *Source) whole(l letter, info fs.FileInfo) bool {
	age := s.cfg.Now().Sub(info.ModTime())
	return age < 0 || age >= rested || l.whole && age >= settle
}

// reader reads until ctx ends.
type reader struct {
	ctx context.Context
	io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// open opens the file. It is nil when it is not there and its folder is.
func (s *Source) open() (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(s.cfg.File) // before it is opened: opening a pipe would wait for its writer
	if errors.Is(err, fs.ErrNotExist) {
		_, err := os.Stat(filepath.Dir(s.cfg.File))
		return nil, nil, err
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no plain file")
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := os.Open(s.cfg.File)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// awaitLock waits for the lock file to go.
func (s *Source) awaitLock(ctx context.Context) error {
	for range s.patience / lockPause {
		if !s.locked() {
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPause):
		}
	}
	return fmt.Errorf("another program holds it locked; remove %s.lock if none does", s.cfg.File)
}

func (s *Source) locked() bool {
	info, err := os.Lstat(s.cfg.File + ".lock")
	return err == nil && s.cfg.Now().Sub(info.ModTime()) < lockLimit
}

// Check tells how many bytes the file has, or what is wrong with it; not there when no letter ever came.
func (s *Source) Check() (size int64, there bool, err error) {
	f, info, err := s.open()
	if err != nil || f == nil {
		return 0, false, err
	}
	defer f.Close()
	if _, err := newSplitter(f, s.cfg.Zone, s.cfg.MaxSize).letter(); err != nil && err != io.EOF {
		return 0, true, fmt.Errorf("it is no mbox: %w", err)
	}
	return info.Size(), true, nil
}

// summary is a hash of the first and the last bytes before an offset, "" at the beginning and past the file's end.
func summary(f io.ReaderAt, size, offset int64) (string, error) {
	if offset == 0 || offset > size {
		return "", nil
	}
	n := min(offset, window)
	h := sha256.New()
	for _, at := range []int64{0, offset - n} {
		part := make([]byte, n)
		if _, err := f.ReadAt(part, at); err != nil && err != io.EOF {
			return "", err
		}
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// parseCursor reads a cursor: an offset and what stands before it.
func parseCursor(at ingest.Cursor) (offset int64, sum string, err error) {
	if at == "" {
		return 0, "", nil
	}
	before, sum, _ := strings.Cut(string(at), " ")
	if offset, err = strconv.ParseInt(before, 10, 64); err != nil || offset < 0 {
		return 0, "", fmt.Errorf("the stored cursor %q is damaged", at)
	}
	return offset, sum, nil
}
