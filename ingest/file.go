package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// DefaultMaxSize is how many bytes a letter may have: what the great mail providers accept.
const DefaultMaxSize = 25 << 20

// The bounds of a batch from files.
const (
	MaxLetters = 500
	MaxBytes   = 16 << 20
)

// headerSize is how much is read of a letter that is too big.
const headerSize = 64 << 10

// TooBig is the Fault of a letter of a size that is over a limit.
func TooBig(size, limit int64) string {
	return fmt.Sprintf("too big: %.1f MB, the limit is %.1f MB", float64(size)/(1<<20), float64(limit)/(1<<20))
}

// Header is the part of a letter up to and with its first empty line, at most 64 KB; all of them where there is none.
func Header(raw []byte) []byte {
	raw = raw[:min(len(raw), headerSize)]
	for _, end := range []string{"\r\n\r\n", "\n\n"} {
		if i := bytes.Index(raw, []byte(end)); i >= 0 {
			raw = raw[:i+len(end)]
		}
	}
	return raw
}

// ReadFile reads the letter in a file that was listed with this info. It is not ok when the file is not any more what
// it was then, or changed while it was read.
func ReadFile(root *os.Root, name string, info fs.FileInfo, key string, maxSize int64) (m Message, ok bool) {
	m = Message{Key: key, Arrived: info.ModTime().UTC(), Via: "mail", Size: info.Size()}
	in, err := root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return m, false
	}
	if err != nil {
		m.Fault = fmt.Sprintf("%v: let the file be read by this program's user, and touch it to have it read again", err)
		return m, true
	}
	defer in.Close()
	if now, err := in.Stat(); err != nil || !os.SameFile(now, info) {
		return m, false
	}
	limit := m.Size
	if limit > maxSize {
		limit = min(headerSize, m.Size)
		m.Fault, m.Limit = TooBig(m.Size, maxSize), maxSize
	}
	raw := make([]byte, limit)
	n, err := io.ReadFull(in, raw)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		m.Fault = err.Error()
		return m, true
	}
	if m.Raw = raw[:n]; m.Fault != "" {
		m.Raw = Header(m.Raw)
	}
	after, err := in.Stat()
	unchanged := err == nil && after.Size() == m.Size && after.ModTime().Equal(info.ModTime())
	return m, unchanged && int64(n) == limit
}

// File is a letter in a folder, as it was listed.
type File struct {
	Path string // below the folder
	Key  string
	Info fs.FileInfo
}

// ReadFiles makes a batch of the listed files that were not handled yet, in their order, without its Until. Next knows
// them and those of the files that were handled. Gone is true when a file was not any more what it was listed as: it is
// left out.
func ReadFiles(ctx context.Context, root *os.Root, files []File, handled Seen, maxSize int64) (b Batch, gone bool, err error) {
	kept := Seen{}
	for _, f := range files {
		if handled.Has(f.Key) {
			kept.Add(f.Key)
		}
	}
	var size int64
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return Batch{}, false, err
		}
		if kept.Has(f.Key) {
			continue
		}
		if f.Info.Size() <= maxSize {
			size += f.Info.Size()
		}
		if n := len(b.Messages); n == MaxLetters || n > 0 && size > MaxBytes {
			b.More = true
			break
		}
		m, ok := ReadFile(root, f.Path, f.Info, f.Key, maxSize)
		if !ok {
			gone = true
			continue
		}
		b.Messages = append(b.Messages, m)
		kept.Add(m.Key)
	}
	b.Next = kept.Cursor()
	return b, gone, nil
}
