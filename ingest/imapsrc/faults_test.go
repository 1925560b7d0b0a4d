package imapsrc

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"arroba/ingest"

	"github.com/emersion/go-imap/v2"
)

// clock is a clock that the test moves.
type clock struct{ offset atomic.Int64 }

func (c *clock) Now() time.Time          { return time.Now().Add(time.Duration(c.offset.Load())) }
func (c *clock) advance(d time.Duration) { c.offset.Add(int64(d)) }

func (s *scripted) open(t testing.TB, cfg Config) *Source {
	t.Helper()
	cfg.Addr, cfg.TLS = s.addr, "none"
	if cfg.Silence == 0 {
		cfg.Silence = 20 * time.Second
	}
	return open(t, cfg)
}

// reader polls a source for ever and keeps what it brought.
type reader struct {
	*Source
	clock *clock
	at    ingest.Cursor
	until time.Time
	all   []ingest.Message
	errs  []error
}

func (s *scripted) reader(t testing.TB, cfg Config) *reader {
	r := &reader{clock: &clock{}}
	cfg.Now = r.clock.Now
	r.Source = s.open(t, cfg)
	return r
}

// rounds polls until there is nothing more at once, as often as told, with two minutes between.
func (r *reader) rounds(t testing.TB, n int) {
	t.Helper()
	for range n {
		r.clock.advance(2 * time.Minute)
		for more := true; more; {
			b, err := r.Poll(t.Context(), r.at)
			if err != nil {
				r.errs = append(r.errs, err)
				break
			}
			r.all = append(r.all, b.Messages...)
			r.at, r.until, more = b.Next, b.Until, b.More
		}
	}
}

// want fails unless these letters were brought whole and once, and these faults.
func (r *reader) want(t testing.TB, uids, faults []imap.UID) {
	t.Helper()
	var got, gotFaults []imap.UID
	for _, m := range r.all {
		_, uid, ok := r.parseKey(m.Key)
		switch {
		case !ok:
			t.Errorf("key %q", m.Key)
		case m.Fault != "":
			gotFaults = append(gotFaults, uid)
		case string(m.Raw) != letterText(uid):
			t.Errorf("letter %d came as %q", uid, m.Raw)
		default:
			got = append(got, uid)
		}
	}
	slices.Sort(got)
	slices.Sort(gotFaults)
	if !slices.Equal(got, uids) {
		t.Errorf("letters %v, want %v", got, uids)
	}
	if !slices.Equal(gotFaults, faults) {
		t.Errorf("faults %v, want %v", gotFaults, faults)
	}
}

func upTo(n imap.UID, but ...imap.UID) []imap.UID {
	var out []imap.UID
	for uid := imap.UID(1); uid <= n; uid++ {
		if !slices.Contains(but, uid) {
			out = append(out, uid)
		}
	}
	return out
}

// P-01: a literal that is cut is no letter, wherever it is cut and however the connection ends.
func TestCutLiteral(t *testing.T) {
	whole := len(letterText(2))
	for _, cut := range []int{0, 1, strings.Index(letterText(2), "\r\n") + 2, whole - 1, whole, whole + 1} {
		for _, reset := range []bool{false, true} {
			t.Run(fmt.Sprint(cut, reset), func(t *testing.T) {
				var cuts atomic.Int32
				s := newScripted(t, 3, func(c *line) bool {
					if !c.bodies() || cuts.Add(1) > 4 {
						return false
					}
					answer := c.bodyAnswer(scriptedLetter{uid: 2, raw: letterText(2)})
					start := strings.Index(answer, "}\r\n") + 3
					c.send("%s%s", c.bodyAnswer(scriptedLetter{uid: 1, raw: letterText(1)}), answer[:start+cut])
					if reset {
						c.Conn.(*net.TCPConn).SetLinger(0)
					}
					return c.hangUp()
				})
				r := s.reader(t, Config{})
				r.rounds(t, 3)
				r.want(t, upTo(3), nil)
			})
		}
	}
}

// P-02: answers are matched by UID; what does not come is due.
func TestAnswersOutOfOrder(t *testing.T) {
	s := newScripted(t, 5, func(c *line) bool {
		if !c.bodies() {
			return false
		}
		letters := c.asked()
		slices.Reverse(letters)
		for _, l := range letters {
			c.send("* %d FETCH (FLAGS (\\Seen))\r\n* %d FETCH (UID %d FLAGS ())\r\n", l.uid, l.uid+9, l.uid+9)
			if l.uid == 3 {
				c.send("* 3 FETCH (BODY[] {%d}\r\n%s UID 3)\r\n", len(l.raw), l.raw)
			} else {
				c.send("%s", c.bodyAnswer(l))
			}
		}
		return c.ok()
	})
	r := s.reader(t, Config{})
	r.rounds(t, 1)
	r.want(t, upTo(5, 3), nil)
	if !r.until.Equal(arrived(3).Add(-time.Second)) {
		t.Errorf("read up to %v while a letter of %v is due", r.until, arrived(3))
	}
	r.rounds(t, 3)
	r.want(t, upTo(5, 3), []imap.UID{3})
	if r.until.Before(arrived(9)) {
		t.Errorf("read up to %v when nothing is due", r.until)
	}
}

// P-03: one letter that the server words so that the library gives up does not keep the others back.
func TestOneBadLetter(t *testing.T) {
	bad := map[string]func(c *line, l scriptedLetter) string{
		"unknown attribute": func(c *line, l scriptedLetter) string {
			return fmt.Sprintf("* %d FETCH (UID %d X-GM-MSGID 17 BODY[] {3}\r\nabc)\r\n", l.uid, l.uid)
		},
		"vanished": func(*line, scriptedLetter) string { return "* VANISHED 41\r\n" },
		"garbage":  func(*line, scriptedLetter) string { return "* 25 FETCH (UID 25 ENVELOPE (\"\"\"\"))\r\n" },
		"no":       nil,
	}
	for name, answer := range bad {
		t.Run(name, func(t *testing.T) {
			s := newScripted(t, 50, func(c *line) bool {
				if !c.bodies() || !slices.ContainsFunc(c.asked(), func(l scriptedLetter) bool { return l.uid == 25 }) {
					return false
				}
				if answer == nil {
					c.send("%s NO [SERVERBUG] internal error\r\n", c.tag)
					return true
				}
				for _, l := range c.asked() {
					if l.uid == 25 {
						c.send("%s", answer(c, l))
					} else {
						c.send("%s", c.bodyAnswer(l))
					}
				}
				return c.ok()
			})
			r := s.reader(t, Config{})
			r.rounds(t, 2)
			r.want(t, upTo(50, 25), nil)
			r.rounds(t, 2)
			r.want(t, upTo(50, 25), []imap.UID{25})
			fault := r.all[len(r.all)-1]
			if !fault.Arrived.Equal(arrived(25)) || !bytes.Contains(fault.Raw, []byte("From: oleg@example.org")) {
				t.Errorf("fault of %v with header %q", fault.Arrived, fault.Raw)
			}
			if len(r.errs) > 0 {
				t.Errorf("polls failed: %v", r.errs)
			}
		})
	}
}

// P-03: a date that cannot be read costs the letter its date only.
func TestBadDate(t *testing.T) {
	s := newScripted(t, 20, func(c *line) bool {
		if !c.lists() || !strings.Contains(c.text, "INTERNALDATE") {
			return false
		}
		for _, l := range c.asked() {
			answer := c.listAnswer(l)
			if l.uid == 8 {
				answer = strings.Replace(answer, "01-Mar-2026", "00-Jan-0000", 1)
			}
			c.send("%s", answer)
		}
		return c.ok()
	})
	r := s.reader(t, Config{})
	began := r.clock.Now()
	r.rounds(t, 1)
	r.want(t, upTo(20), nil)
	for _, m := range r.all {
		_, uid, _ := r.parseKey(m.Key)
		if uid == 8 && m.Arrived.Before(began) || uid != 8 && !m.Arrived.Equal(arrived(uid)) {
			t.Errorf("letter %d arrived at %v", uid, m.Arrived)
		}
	}
}

// P-04: nothing where a letter should be is no empty letter.
func TestEmptyBody(t *testing.T) {
	for _, body := range []string{"NIL", `""`, "{0}\r\n"} {
		t.Run(body, func(t *testing.T) {
			var times atomic.Int32
			s := newScripted(t, 3, func(c *line) bool {
				if !c.bodies() {
					return false
				}
				for _, l := range c.asked() {
					if l.uid == 2 && times.Add(1) < 3 {
						c.send("* 2 FETCH (UID 2 BODY[] %s)\r\n", body)
					} else {
						c.send("%s", c.bodyAnswer(l))
					}
				}
				return c.ok()
			})
			r := s.reader(t, Config{})
			r.rounds(t, 1)
			r.want(t, []imap.UID{1, 3}, nil)
			r.rounds(t, 2)
			r.want(t, upTo(3), nil)
		})
	}
}

// steps are the points at which a server can fall silent in a poll.
var steps = map[string]func(c *line) bool{
	"greeting": func(c *line) bool { return c.tag == "" },
	"login":    func(c *line) bool { return c.is("LOGIN") },
	"select":   func(c *line) bool { return c.is("SELECT") },
	"search":   func(c *line) bool { return c.is("UID SEARCH") },
	"list":     func(c *line) bool { return c.lists() },
	"fetch":    func(c *line) bool { return c.bodies() },
	"literal": func(c *line) bool {
		if !c.bodies() {
			return false
		}
		c.send("* 1 FETCH (UID 1 BODY[] {1000}\r\nFrom: oleg")
		return true
	},
}

// P-05: no silence of the server is waited out for ever, and it loses nothing.
func TestSilence(t *testing.T) {
	for name, at := range steps {
		t.Run(name, func(t *testing.T) {
			var talks atomic.Bool
			s := newScripted(t, 3, func(c *line) bool { return !talks.Load() && at(c) && c.silent() })
			r := s.reader(t, Config{Silence: 100 * time.Millisecond})
			r.rounds(t, 1)
			if len(r.errs) != 1 {
				t.Errorf("errors: %v", r.errs)
			}
			talks.Store(true)
			r.rounds(t, 3)
			r.want(t, upTo(3), nil)
		})
	}
}

// P-05: whatever is going on ends at once with its context, and with the source.
func TestShutdown(t *testing.T) {
	for name, at := range steps {
		for _, how := range []string{"cancel", "close"} {
			t.Run(name+" "+how, func(t *testing.T) {
				reached := make(chan struct{})
				var once sync.Once
				s := newScripted(t, 3, func(c *line) bool {
					if !at(c) {
						return false
					}
					once.Do(func() { close(reached) })
					return c.silent()
				})
				src := s.open(t, Config{Silence: time.Hour})
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				failed := make(chan error)
				go func() {
					_, err := src.Poll(ctx, "")
					failed <- err
				}()
				<-reached
				if how == "cancel" {
					cancel()
				} else {
					src.Close()
				}
				if err := <-failed; err == nil || errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("Poll: %v", err)
				}
			})
		}
	}
}

// P-05: TLS that stalls, or is none.
func TestStalledTLS(t *testing.T) {
	for _, mode := range []string{"tls", "starttls"} {
		t.Run(mode, func(t *testing.T) {
			s := newScripted(t, 1, func(c *line) bool {
				if c.is("STARTTLS") {
					c.ok()
					return c.silent()
				}
				return mode == "tls" && c.silent()
			})
			src := s.open(t, Config{})
			src.cfg.TLS, src.cfg.Silence = mode, 100*time.Millisecond
			if _, err := src.Poll(t.Context(), ""); err == nil {
				t.Error("no error")
			}
		})
	}
}

// P-07: another UIDVALIDITY means that the UIDs name other letters.
func TestUIDValidity(t *testing.T) {
	var logged bytes.Buffer
	s := newScripted(t, 4, nil)
	r := s.reader(t, Config{Log: slog.New(slog.NewTextHandler(&logged, nil))})
	r.rounds(t, 1)
	old := r.at
	s.change(func() { s.validity, s.letters = 8, s.letters[1:3] }) // in the middle of a session
	r.rounds(t, 2)
	s.change(func() { s.validity = 7 }) // and back again, on another connection
	s.drop()
	r.rounds(t, 2)
	want := []string{"7/1", "7/2", "7/3", "7/4", "8/2", "8/3", "7/2", "7/3"}
	var got []string
	for _, m := range r.all {
		got = append(got, strings.TrimPrefix(m.Key, "INBOX/"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("keys %v, want %v", got, want)
	}
	if n := strings.Count(logged.String(), "UIDVALIDITY"); n != 2 {
		t.Errorf("%d log lines, want one a change:\n%s", n, &logged)
	}
	if old == r.at {
		t.Error("the cursor did not change")
	}
}

// P-07: a mailbox without UIDVALIDITY is refused with words that help.
func TestNoUIDValidity(t *testing.T) {
	s := newScripted(t, 1, nil)
	s.change(func() { s.validity = 0 })
	_, err := s.open(t, Config{}).Poll(t.Context(), "")
	if err == nil || !strings.Contains(err.Error(), "UIDVALIDITY") {
		t.Errorf("Poll: %v", err)
	}
}

// P-08: letters that are expunged after they were found are gone, not due; so is a last letter that n:* brings up.
func TestExpunged(t *testing.T) {
	s := newScripted(t, 6, nil)
	script := func(c *line) bool {
		s.change(func() {
			if c.lists() {
				s.letters = slices.DeleteFunc(s.letters, func(l scriptedLetter) bool { return l.uid == 2 })
			}
			if c.bodies() {
				s.letters = slices.DeleteFunc(s.letters, func(l scriptedLetter) bool { return l.uid == 4 })
			}
		})
		return false
	}
	s.change(func() { s.script = script })
	r := s.reader(t, Config{})
	r.rounds(t, 4)
	r.want(t, upTo(6, 2, 4), nil)
	if strings.Contains(string(r.at), "due") {
		t.Errorf("cursor %s", r.at)
	}
}

// P-08: a server may show letters to a connection only after it told of them; a poll that misses one must not say that
// it has seen everything.
func TestStaleView(t *testing.T) {
	s := newScripted(t, 1, nil)
	r := s.reader(t, Config{})
	r.rounds(t, 1)
	fresh := false
	s.change(func() {
		s.add(2)
		s.script = func(c *line) bool {
			if c.is("UID SEARCH") && !fresh {
				c.send("* SEARCH\r\n")
				return c.ok()
			}
			fresh = fresh || c.is("NOOP") || c.is("SELECT")
			return false
		}
	})
	r.clock.advance(-2 * time.Minute) // so that the mailbox is not selected anew
	r.rounds(t, 1)
	r.want(t, upTo(2), nil)
}

// P-08: the first start may leave alone what is there, and goes on doing so under another UIDVALIDITY.
func TestFirstNew(t *testing.T) {
	s := newScripted(t, 3, nil)
	r := s.reader(t, Config{First: FirstNew})
	start := time.Date(2026, 3, 1, 12, 0, 30, 0, time.UTC)
	r.clock.advance(start.Sub(r.clock.Now()) - 2*time.Minute)
	r.rounds(t, 1)
	r.want(t, nil, nil)
	s.change(func() { s.add(40) })
	r.clock.advance(-2 * time.Minute)
	r.rounds(t, 1)
	r.want(t, []imap.UID{40}, nil)
	s.change(func() { s.validity = 8 })
	r.rounds(t, 2)
	r.want(t, []imap.UID{40, 40}, nil)
	s.change(func() { s.letters = append([]scriptedLetter{}, s.letters...); s.add(50) })
	r.rounds(t, 1)
	r.want(t, []imap.UID{40, 40, 50}, nil)
}

// P-09: Wait tells of a letter whatever the server does with IDLE.
func TestWait(t *testing.T) {
	exists := func(c *line) { c.change(func() { c.add(2); c.send("* 2 EXISTS\r\n") }) }
	tests := map[string]struct {
		caps   string
		cfg    Config
		after  time.Duration // of the last poll
		script func(c *line) bool
		err    bool // Wait fails, and the next poll brings the letter
	}{
		"told": {script: func(c *line) bool {
			if c.is("IDLE") {
				c.send("+ idling\r\n")
				exists(c)
			}
			return c.is("IDLE")
		}},
		"told before IDLE": {script: func(c *line) bool {
			if c.is("UID SEARCH") && c.count("UID SEARCH") == 2 {
				c.send("* SEARCH\r\n")
				exists(c)
				return c.ok()
			}
			return false
		}},
		"came before IDLE, not told": {cfg: Config{Idle: 50 * time.Millisecond}, script: func(c *line) bool {
			if c.is("IDLE") && c.count("IDLE") == 1 {
				c.change(func() { c.add(2) })
			}
			return false
		}},
		"no IDLE": {caps: "IMAP4rev1", cfg: Config{Idle: 200 * time.Millisecond}, script: func(c *line) bool {
			if c.is("UID SEARCH") && c.count("UID SEARCH") == 4 {
				c.change(func() { c.add(2) })
			}
			return false
		}},
		"IDLE refused": {cfg: Config{Idle: 200 * time.Millisecond}, script: func(c *line) bool {
			if c.is("IDLE") {
				if c.count("IDLE") == 2 {
					c.change(func() { c.add(2) })
				}
				c.send("%s NO not now\r\n", c.tag)
			}
			return c.is("IDLE")
		}},
		"dropped": {err: true, script: func(c *line) bool {
			if c.is("IDLE") {
				c.send("+ idling\r\n* BYE idle for too long\r\n")
				c.change(func() { c.add(2) })
				return c.hangUp()
			}
			return false
		}},
		"dropped after a while": {after: 2 * lasting, script: func(c *line) bool {
			if c.is("IDLE") {
				c.send("+ idling\r\n")
				c.change(func() { c.add(2) })
				return c.hangUp()
			}
			return false
		}},
		"half open": {err: true, cfg: Config{Idle: 50 * time.Millisecond, Silence: 100 * time.Millisecond}, script: func(c *line) bool {
			if c.is("IDLE") {
				c.send("+ idling\r\n")
				c.change(func() { c.add(2) })
				return c.silent()
			}
			return false
		}},
		"silent before +": {err: true, cfg: Config{Silence: 100 * time.Millisecond}, script: func(c *line) bool {
			if c.is("IDLE") {
				c.change(func() { c.add(2) })
				return c.silent()
			}
			return false
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newScripted(t, 1, nil)
			if test.caps != "" {
				s.change(func() { s.caps = test.caps })
			}
			r := s.reader(t, test.cfg)
			r.rounds(t, 1)
			r.want(t, upTo(1), nil)
			s.change(func() { s.script = test.script })
			r.clock.advance(test.after)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := r.Wait(ctx); (err != nil) != test.err || ctx.Err() != nil {
				t.Errorf("Wait: %v", err)
			}
			s.change(func() { s.script = nil })
			r.rounds(t, 1)
			r.want(t, upTo(2), nil)
		})
	}
}

// Poll and Mark do not wait for the end of a Wait.
func TestWaitGivesWay(t *testing.T) {
	s := newScripted(t, 1, nil)
	r := s.reader(t, Config{})
	r.rounds(t, 1)
	idling := make(chan struct{}, 1)
	s.change(func() {
		s.script = func(c *line) bool {
			if c.is("IDLE") {
				idling <- struct{}{}
			}
			return false
		}
	})
	done := make(chan error)
	go func() { done <- r.Wait(t.Context()) }()
	<-idling
	r.rounds(t, 1)
	if err := <-done; err != nil {
		t.Errorf("Wait: %v", err)
	}
}

// P-10: a letter that is too big is a fault with its header, and costs no more than that.
func TestTooBig(t *testing.T) {
	huge := func(announced string) func(c *line) bool {
		return func(c *line) bool {
			if !c.bodies() || !slices.ContainsFunc(c.asked(), func(l scriptedLetter) bool { return l.uid == 2 }) {
				return false
			}
			c.send("* 2 FETCH (UID 2 BODY[] {%s}\r\n", announced)
			for buf := make([]byte, 64<<10); ; {
				if _, err := c.Write(buf); err != nil {
					return true
				}
			}
		}
	}
	tests := map[string]struct {
		size   int // as told
		script func(c *line) bool
	}{
		"told":         {size: 200 << 20},
		"lie":          {script: huge("200000000")},
		"huge literal": {script: huge("9000000000000")},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newScripted(t, 3, test.script)
			s.change(func() { s.letters[1].size = test.size })
			r := s.reader(t, Config{})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r.rounds(t, 1)
			runtime.ReadMemStats(&after)
			r.want(t, []imap.UID{1, 3}, []imap.UID{2})
			i := slices.IndexFunc(r.all, func(m ingest.Message) bool { return m.Fault != "" })
			if m := r.all[i]; !strings.HasPrefix(m.Fault, "too big") || m.Limit != 25<<20 || !bytes.HasPrefix(m.Raw, []byte("From: oleg@example.org")) {
				t.Errorf("fault %q with header %q", m.Fault, m.Raw)
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 60<<20 {
				t.Errorf("%d MB were allocated", grown>>20)
			}
		})
	}
}

// P-10: a line without end is cut off, whether it was asked for or not.
func TestEndlessLine(t *testing.T) {
	var sent atomic.Int64
	s := newScripted(t, 2, func(c *line) bool {
		if !c.lists() || c.n > 1 {
			return false
		}
		c.send("* 1 FETCH (UID 1 ENVELOPE (\"")
		for buf := bytes.Repeat([]byte("a"), 64<<10); ; {
			n, err := c.Write(buf)
			if sent.Add(int64(n)); err != nil {
				return true
			}
		}
	})
	r := s.reader(t, Config{})
	r.rounds(t, 1)
	r.want(t, upTo(2), nil)
	if n := sent.Load(); n > 20<<20 {
		t.Errorf("%d MB were taken", n>>20)
	}
}

// A big letter is fetched piece by piece.
func TestPieces(t *testing.T) {
	s := newScripted(t, 2, nil)
	for _, size := range []int{2*pieceSize + 1, 3 * pieceSize, 4*pieceSize - 1} {
		raw := letterText(3) + strings.Repeat("a", size)
		s.change(func() { s.letters = append(s.letters[:2:2], scriptedLetter{uid: 3, raw: raw[:size]}) })
		b, err := s.open(t, Config{}).Poll(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if len(b.Messages) != 3 || string(b.Messages[2].Raw) != raw[:size] {
			t.Errorf("a letter of %d bytes did not come whole", size)
		}
	}
	if s.count("UID FETCH 3 (UID BODY.PEEK[]<1048576.524288>)") == 0 {
		t.Error("it was not fetched in pieces")
	}
}

// P-15: a refused log-in is told from a server that is busy.
func TestLogin(t *testing.T) {
	tests := map[string]bool{ // answer: for good
		"NO [AUTHENTICATIONFAILED] Authentication failed":    true,
		"NO [AUTHORIZATIONFAILED] not you":                   true,
		"NO [ALERT] Invalid credentials (Failure)":           true,
		"NO LOGIN failed.":                                   true,
		"BAD Plaintext authentication not allowed":           true,
		"NO [UNAVAILABLE] Temporary authentication failure.": false,
		"NO [INUSE] busy":                                    false,
		"NO [LIMIT] limit":                                   false,
		"NO [ALERT] Too many simultaneous connections.":      false,
		"NO Temporary failure, try again later":              false,
	}
	for answer, want := range tests {
		t.Run(answer, func(t *testing.T) {
			s := newScripted(t, 1, func(c *line) bool {
				if c.is("LOGIN") {
					c.send("%s %s\r\n", c.tag, answer)
				}
				return c.is("LOGIN")
			})
			_, err := s.open(t, Config{}).Poll(t.Context(), "")
			var auth *ingest.AuthError
			if got := errors.As(err, &auth); err == nil || got != want {
				t.Errorf("refused for good: %v, want %v (%v)", got, want, err)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the password is in the error: %v", err)
			}
			if n := s.count("LOGIN"); n != 1 {
				t.Errorf("%d log-ins", n)
			}
		})
	}
}

// Tokens are sent by the mechanism that the server has, and their refusal is a refusal.
func TestToken(t *testing.T) {
	for mechanism, caps := range map[string]string{"XOAUTH2": "IMAP4rev1 AUTH=XOAUTH2 SASL-IR", "OAUTHBEARER": "IMAP4rev1 AUTH=OAUTHBEARER SASL-IR"} {
		for _, good := range []bool{true, false} {
			t.Run(fmt.Sprint(mechanism, good), func(t *testing.T) {
				var sent atomic.Value
				s := newScripted(t, 2, func(c *line) bool {
					if !c.is("AUTHENTICATE") {
						return false
					}
					sent.Store(c.text)
					if good {
						return c.ok()
					}
					c.send("+ eyJzdGF0dXMiOiJpbnZhbGlkX3Rva2VuIn0=\r\n")
					io.ReadFull(c, make([]byte, 2))
					c.send("%s NO [AUTHENTICATIONFAILED] bad token\r\n", c.tag)
					return true
				})
				s.change(func() { s.caps = caps })
				r := s.reader(t, Config{Token: func(context.Context) (string, error) { return "t0k3n", nil }})
				r.rounds(t, 1)
				if text, _ := sent.Load().(string); !strings.HasPrefix(text, "AUTHENTICATE "+mechanism) {
					t.Errorf("sent %q", text)
				}
				if good {
					r.want(t, upTo(2), nil)
					return
				}
				var auth *ingest.AuthError
				if len(r.errs) != 1 || !errors.As(r.errs[0], &auth) {
					t.Errorf("errors: %v", r.errs)
				}
			})
		}
	}
}

// P-17: marks are set as far as the server allows, and never at the price of a letter.
func TestMark(t *testing.T) {
	tests := map[string]struct {
		flags string
		cfg   Config
		caps  string
		no    string // command that is refused
		want  []string
		never string
	}{
		"all allowed":    {flags: `\Seen \*`, want: []string{`UID STORE 1:2 +FLAGS.SILENT (\Seen $ArrobaDone)`}},
		"keyword known":  {flags: `\Seen $arrobadone`, want: []string{`UID STORE 1:2 +FLAGS.SILENT (\Seen $ArrobaDone)`}},
		"no keywords":    {flags: `\Seen \Deleted`, want: []string{`UID STORE 1:2 +FLAGS.SILENT (\Seen)`}},
		"read-only":      {flags: ``, never: "UID STORE"},
		"over quota":     {flags: `\Seen \*`, no: "UID STORE", want: []string{"UID STORE 1:2"}},
		"move":           {flags: `\Seen \*`, cfg: Config{Done: DoneMove, MoveTo: "Done"}, want: []string{"UID MOVE 1:2 \"Done\""}},
		"move read-only": {flags: ``, cfg: Config{Done: DoneMove, MoveTo: "Done"}, never: "UID MOVE"},
		"no MOVE": {flags: `\Seen \*`, caps: "IMAP4rev1 UIDPLUS", cfg: Config{Done: DoneMove, MoveTo: "Done"},
			want: []string{"UID COPY 1:2 \"Done\"", `UID STORE 1:2 +FLAGS.SILENT (\Deleted)`, "UID EXPUNGE 1:2"}},
		"copy refused": {flags: `\Seen \*`, caps: "IMAP4rev1 UIDPLUS", cfg: Config{Done: DoneMove, MoveTo: "Done"},
			no: "UID COPY", want: []string{"UID COPY 1:2 \"Done\""}, never: "UID EXPUNGE"},
		"no UIDPLUS": {flags: `\Seen \*`, caps: "IMAP4rev1", cfg: Config{Done: DoneMove, MoveTo: "Done"},
			want: []string{`UID STORE 1:2 +FLAGS.SILENT (\Seen $ArrobaDone)`}, never: "EXPUNGE"},
		"keep": {flags: `\Seen \*`, cfg: Config{Done: DoneKeep}, never: "UID STORE"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := newScripted(t, 2, func(c *line) bool {
				if test.no != "" && c.is(test.no) {
					c.send("%s NO [OVERQUOTA] no\r\n", c.tag)
					return true
				}
				return false
			})
			s.change(func() { s.flags, s.caps = test.flags, cmp.Or(test.caps, s.caps) })
			r := s.reader(t, test.cfg)
			r.rounds(t, 1)
			keys := []string{r.all[0].Key, r.all[1].Key, "INBOX/6/2", "Other/7/2", "INBOX/7/x"}
			for range 2 {
				if err := r.Mark(t.Context(), keys); err != nil {
					t.Errorf("Mark: %v", err)
				}
			}
			for _, command := range test.want {
				if s.count(command) == 0 {
					t.Errorf("no %q in %q", command, s.log)
				}
			}
			if test.never != "" && s.count(test.never) > 0 {
				t.Errorf("%q in %q", test.never, s.log)
			}
		})
	}
}

// A backlog is read over two connections where the server allows it, and over one where it does not.
func TestBacklog(t *testing.T) {
	for _, refuse := range []bool{false, true} {
		s := newScripted(t, 1700, func(c *line) bool {
			if refuse && c.n > 1 && c.is("LOGIN") {
				c.send("%s NO [LIMIT] too many connections\r\n", c.tag)
				return true
			}
			return false
		})
		r := s.reader(t, Config{})
		r.rounds(t, 1)
		r.want(t, upTo(1700), nil)
		if n := s.count("LOGIN"); n != 2 {
			t.Errorf("refused %v: %d log-ins", refuse, n)
		}
		if len(r.errs) > 0 {
			t.Errorf("errors: %v", r.errs)
		}
	}
}

// A server on which nothing can be read is an end to polls that bring letters, but not to polls.
func TestNothingReadable(t *testing.T) {
	s := newScripted(t, 150, func(c *line) bool { return c.bodies() && c.hangUp() })
	r := s.reader(t, Config{})
	r.rounds(t, 1)
	if n := strings.Count(string(r.at), `"uid"`); n != maxDue || len(r.all) != 0 {
		t.Errorf("%d letters due, %d messages", n, len(r.all))
	}
	s.change(func() { s.script = nil })
	r.rounds(t, 20)
	r.want(t, upTo(150), nil)
}

func TestConfig(t *testing.T) {
	good := Config{Addr: "mail.example.org:993", Password: func() (string, error) { return "", nil }}
	if _, err := New(good); err != nil {
		t.Errorf("New: %v", err)
	}
	for name, spoil := range map[string]func(c *Config){
		"port":     func(c *Config) { c.Addr = "mail.example.org" },
		"TLS":      func(c *Config) { c.TLS = "ssl" },
		"done":     func(c *Config) { c.Done = "delete" },
		"move":     func(c *Config) { c.Done = DoneMove },
		"first":    func(c *Config) { c.First = "some" },
		"password": func(c *Config) { c.Password = nil },
	} {
		cfg := good
		spoil(&cfg)
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	src, err := New(good)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := src.Poll(t.Context(), "{"); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("Poll with a damaged cursor: %v", err)
	}
}
