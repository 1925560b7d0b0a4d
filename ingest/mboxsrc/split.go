package mboxsrc

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"arroba/ingest"
)

// letter is one letter of the file.
type letter struct {
	from    string    // its From_ line, without the line's end
	arrived time.Time // by the From_ line
	raw     []byte    // unquoted, without the blank line that ends it; of one that is too big, the header
	size    int64     // of raw, or what it would be
	blank   int       // bytes of the blank line that it ended with, 0 when it did not
	whole   bool      // it ended with a blank line that is not its header's
	end     int64     // offset in what is split of what follows it
}

// splitter cuts an mbox into letters. A letter begins with a From_ line at the beginning or after a blank line.
type splitter struct {
	r       *bufio.Reader
	zone    *time.Location
	maxSize int64
	offset  int64  // of what was read
	next    string // the From_ line of the letter to come, "" before the first
	begins  int64  // offset of that line
}

var fromMark = []byte("From ")

const longestLine = 64 << 10 // that is looked at as one; From_ lines and fields are shorter

func newSplitter(r io.Reader, zone *time.Location, maxSize int64) *splitter {
	return &splitter{r: bufio.NewReaderSize(r, longestLine), zone: zone, maxSize: maxSize}
}

// errNoLetter says that something else stands where a letter should begin.
type errNoLetter struct{ line string }

func (e errNoLetter) Error() string { return fmt.Sprintf("%q is not how a letter begins", e.line) }

// letter returns the next letter, io.EOF after the last, or errNoLetter at the beginning.
func (s *splitter) letter() (l letter, err error) {
	if s.next == "" {
		if err := s.first(); err != nil {
			return l, err
		}
	}
	l.from = s.next
	l.arrived, _ = fromDate(l.from, s.zone)
	s.next = ""
	whole := true // the fragment before ended its line
	header := true
	for {
		at := s.offset
		part, err := s.fragment()
		if len(part) == 0 && err == io.EOF {
			break
		}
		if err != nil && err != io.EOF {
			return l, err
		}
		if l.blank > 0 && whole && bytes.HasPrefix(part, fromMark) {
			line := string(chomp(part))
			if _, ok := fromDate(line, s.zone); ok {
				s.next, s.begins = line, at
				break
			}
		}
		l.blank = 0
		if whole && len(chomp(part)) == 0 {
			l.blank = len(part)
		}
		l.whole = !header && l.blank > 0
		header = header && l.blank == 0
		if whole && !header {
			part = unquoted(part)
		}
		whole = bytes.HasSuffix(part, []byte("\n"))
		l.size += int64(len(part))
		if l.size <= s.maxSize+2 { // and the blank line
			l.raw = append(l.raw, part...)
		}
		if err == io.EOF {
			break
		}
	}
	l.end = s.offset
	if s.next != "" {
		l.end = s.begins
	}
	l.trim()
	if l.size > s.maxSize {
		l.raw = ingest.Header(l.raw)
	}
	return l, nil
}

// first finds the From_ line of the first letter, over blank lines.
func (s *splitter) first() error {
	for {
		at := s.offset
		part, err := s.fragment()
		line := string(chomp(part))
		switch _, isFrom := fromDate(line, s.zone); {
		case isFrom:
			s.next, s.begins = line, at
			return nil
		case line != "":
			return errNoLetter{line[:min(len(line), 60)]}
		case err != nil:
			return err
		}
	}
}

// fragment returns the next line with its end, or the next part of a very long one.
func (s *splitter) fragment() ([]byte, error) {
	part, err := s.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		err = nil
	}
	s.offset += int64(len(part))
	return part, err
}

// trim takes the blank line off that ends a letter.
func (l *letter) trim() {
	if l.size == int64(len(l.raw)) {
		l.raw = l.raw[:len(l.raw)-l.blank]
	}
	l.size -= int64(l.blank)
}

// volatile are fields that mail programs rewrite in the file.
var volatile = []string{"status:", "x-status:", "x-keywords:", "x-uid:", "x-imap:", "x-imapbase:", "content-length:", "lines:"}

// key is the lasting name of the letter: a hash of its From_ line and all of it that mail programs leave alone.
func (l *letter) key() string {
	h := sha256.New()
	io.WriteString(h, l.from+"\n")
	head := ingest.Header(l.raw)
	for line := range bytes.Lines(head) {
		if !isVolatile(line) {
			h.Write(line)
		}
	}
	h.Write(bytes.TrimRight(l.raw[len(head):], "\r\n")) // how many blank lines part letters may change
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func isVolatile(line []byte) bool {
	for _, name := range volatile {
		if len(line) >= len(name) && strings.EqualFold(string(line[:len(name)]), name) {
			return true
		}
	}
	return false
}

// unquoted takes one > off a line that would begin with "From " without it and others.
func unquoted(line []byte) []byte {
	if rest := bytes.TrimLeft(line, ">"); len(rest) < len(line) && bytes.HasPrefix(rest, fromMark) {
		return line[1:]
	}
	return line
}

// chomp is a line without its end.
func chomp(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

// layouts are how the date of a From_ line is written, with single blanks.
var layouts = []string{
	time.ANSIC, "Mon Jan _2 15:04:05 2006 -0700", "Mon Jan _2 15:04:05 -0700 2006", "Mon Jan _2 15:04 2006",
	time.UnixDate, "Mon Jan _2 15:04:05 2006 MST",
}

// fromDate reads the date of a From_ line ("From oleg@example.org Sun Mar  1 12:00:00 2026"), in the file's zone where
// the line names none that is known. It is not ok when the line is no From_ line.
func fromDate(line string, zone *time.Location) (at time.Time, ok bool) {
	rest, is := strings.CutPrefix(line, string(fromMark))
	if !is || len(rest) > 500 {
		return at, false
	}
	words := strings.Fields(rest)
	for skip := 1; skip < len(words) && skip <= 4; skip++ { // senders may hold blanks
		date := strings.Join(words[skip:], " ")
		for _, layout := range layouts {
			if at, err := time.ParseInLocation(layout, date, zone); err == nil {
				return known(at, zone).UTC(), true
			}
		}
	}
	return at, false
}

// known is a time as it was parsed, in a zone instead of one whose abbreviation told nothing.
func known(at time.Time, zone *time.Location) time.Time {
	if name, offset := at.Zone(); offset != 0 || name == "UTC" || name == "GMT" || at.Location() == zone {
		return at
	}
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, zone)
}
