package imapsrc

import (
	"bufio"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
)

// scripted is an IMAP server that answers well unless its script answers first.
type scripted struct {
	addr string

	mu       sync.Mutex
	validity uint32
	letters  []scriptedLetter // by UID
	caps     string
	flags    string // PERMANENTFLAGS
	script   func(c *line) (done bool)
	log      []string // the commands that came, without tags
	conns    []net.Conn
}

type scriptedLetter struct {
	uid  imap.UID
	raw  string
	size int // len(raw) when 0
}

// line is a command that came, and how to answer it.
type line struct {
	*scripted
	net.Conn
	n    int    // of this connection, from 1
	tag  string // "" for the greeting
	text string // "UID FETCH 1:3 (UID BODY.PEEK[])"
}

func (c *line) send(format string, args ...any) { fmt.Fprintf(c.Conn, format, args...) }

func (c *line) is(prefix string) bool { return strings.HasPrefix(c.text, prefix) }
func (c *line) lists() bool           { return c.is("UID FETCH") && strings.Contains(c.text, "RFC822.SIZE") }
func (c *line) bodies() bool          { return c.is("UID FETCH") && strings.Contains(c.text, "BODY.PEEK[]") }

// silent waits until the other side gives up.
func (c *line) silent() bool {
	for buf := make([]byte, 1024); ; {
		if _, err := c.Conn.Read(buf); err != nil {
			return true
		}
	}
}

func (c *line) hangUp() bool { c.Conn.Close(); return true }

func (c *line) ok() bool { c.send("%s OK done\r\n", c.tag); return true }

// asked returns the letters that a UID command names.
func (c *line) asked() []scriptedLetter {
	var out []scriptedLetter
	words := strings.Fields(c.text)
	set := words[2]
	for i, w := range words {
		if w == "UID" && i > 0 && i+1 < len(words) {
			set = words[i+1]
		}
	}
	for _, part := range strings.Split(set, ",") {
		from, to, ranged := strings.Cut(part, ":")
		lo, _ := strconv.ParseUint(from, 10, 32)
		hi, err := strconv.ParseUint(to, 10, 32)
		if !ranged {
			hi = lo
		} else if err != nil { // "n:*" means at least the last letter
			hi = 1 << 32
			if n := len(c.letters); n > 0 {
				lo = min(lo, uint64(c.letters[n-1].uid))
			}
		}
		for _, l := range c.letters {
			if uint64(l.uid) >= lo && uint64(l.uid) <= hi {
				out = append(out, l)
			}
		}
	}
	return out
}

func (c *line) listAnswer(l scriptedLetter) string {
	size := l.size
	if size == 0 {
		size = len(l.raw)
	}
	date := ""
	if strings.Contains(c.text, "INTERNALDATE") {
		date = ` INTERNALDATE "` + arrived(l.uid).Format("02-Jan-2006 15:04:05 -0700") + `"`
	}
	return fmt.Sprintf("* %d FETCH (UID %d RFC822.SIZE %d%s)\r\n", l.uid, l.uid, size, date)
}

func (c *line) bodyAnswer(l scriptedLetter) string {
	section, raw := "BODY[]", l.raw
	if strings.Contains(c.text, "[HEADER]") {
		section, raw = "BODY[HEADER]<0>", raw[:strings.Index(raw, "\r\n\r\n")+4]
	} else if _, partial, ok := strings.Cut(c.text, "BODY.PEEK[]<"); ok {
		var offset, n int
		fmt.Sscanf(partial, "%d.%d>", &offset, &n)
		section, raw = fmt.Sprintf("BODY[]<%d>", offset), raw[min(offset, len(raw)):min(offset+n, len(raw))]
	}
	return fmt.Sprintf("* %d FETCH (UID %d %s {%d}\r\n%s)\r\n", l.uid, l.uid, section, len(raw), raw)
}

func arrived(uid imap.UID) time.Time {
	return time.Date(2026, 3, 1, 12, 0, int(uid), 0, time.UTC)
}

// answer answers well.
func (c *line) answer() {
	switch {
	case c.tag == "":
		c.send("* OK [CAPABILITY %s] ready\r\n", c.caps)
		return
	case c.is("CAPABILITY"):
		c.send("* CAPABILITY %s\r\n", c.caps)
	case c.is("SELECT"), c.is("EXAMINE"):
		next := imap.UID(1)
		if n := len(c.letters); n > 0 {
			next = c.letters[n-1].uid + 1
		}
		c.send("* FLAGS (\\Seen)\r\n* OK [PERMANENTFLAGS (%s)] flags\r\n* %d EXISTS\r\n", c.flags, len(c.letters))
		c.send("* OK [UIDVALIDITY %d] valid\r\n* OK [UIDNEXT %d] next\r\n", c.validity, next)
	case c.is("UID SEARCH"):
		c.send("* SEARCH")
		for _, l := range c.asked() {
			c.send(" %d", l.uid)
		}
		c.send("\r\n")
	case c.lists():
		for _, l := range c.asked() {
			c.send("%s", c.listAnswer(l))
		}
	case c.is("UID FETCH"):
		for _, l := range c.asked() {
			c.send("%s", c.bodyAnswer(l))
		}
	case c.is("IDLE"):
		c.send("+ idling\r\n")
		return
	case c.is("LOGOUT"):
		c.send("* BYE\r\n")
	}
	c.ok()
}

func newScripted(t testing.TB, letters int, script func(c *line) bool) *scripted {
	t.Helper()
	s := &scripted{validity: 7, script: script, flags: `\Seen \*`, caps: "IMAP4rev1 UIDPLUS MOVE IDLE"}
	for n := range letters {
		s.add(imap.UID(n + 1))
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = ln.Addr().String()
	go func() {
		for n := 1; ; n++ {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.conns = append(s.conns, conn)
			s.mu.Unlock()
			go s.serve(conn, n)
		}
	}()
	t.Cleanup(func() { ln.Close(); s.drop() })
	return s
}

// drop closes all connections.
func (s *scripted) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, conn := range s.conns {
		conn.Close()
	}
}

func letterText(uid imap.UID) string {
	return fmt.Sprintf("From: oleg@example.org\r\nSubject: %d\r\n\r\nCHALLENGE Boris %d\r\n", uid, uid)
}

func (s *scripted) add(uid imap.UID) {
	s.letters = append(s.letters, scriptedLetter{uid: uid, raw: letterText(uid)})
}

// change changes the server's data.
func (s *scripted) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// count counts the commands that came and begin so.
func (s *scripted) count(prefix string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, text := range s.log {
		if strings.HasPrefix(text, prefix) {
			n++
		}
	}
	return n
}

func (s *scripted) serve(conn net.Conn, n int) {
	defer conn.Close()
	in := bufio.NewScanner(conn)
	c := &line{scripted: s, Conn: conn, n: n}
	for {
		s.mu.Lock()
		s.log = append(s.log, c.text)
		script := s.script
		s.mu.Unlock()
		if script == nil || !script(c) {
			s.mu.Lock()
			c.answer()
			s.mu.Unlock()
		}
		if !in.Scan() {
			return
		}
		tag, text, _ := strings.Cut(in.Text(), " ")
		if tag == "DONE" {
			c.text = tag
			continue // with the tag of the IDLE
		}
		c.tag, c.text = tag, text
	}
}
