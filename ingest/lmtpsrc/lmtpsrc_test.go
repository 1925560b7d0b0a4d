package lmtpsrc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"arroba/ingest"
)

const raw = "From: oleg@example.org\r\nSubject: orders\r\n\r\nCHALLENGE Boris\r\n.\r\n..two\r\n"

// kept keeps what a server took.
type kept struct {
	mu   sync.Mutex
	list []ingest.Message
	err  error
}

func (k *kept) take(_ context.Context, m ingest.Message) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err == nil {
		k.list = append(k.list, m)
	}
	return k.err
}

func (k *kept) all() []ingest.Message {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.list
}

// serve runs a server on a socket until the test ends, or until stop is called.
func serve(t *testing.T, cfg Config) (socket string, s *Server, stop func() error) {
	t.Helper()
	cfg.Listen = filepath.Join(t.TempDir(), "lmtp")
	cfg.Address = "gm@lands.example"
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.listen()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.serve(ctx, l) }()
	stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { stop() })
	return cfg.Listen, s, stop
}

// talk is a connection on which each line of a dialogue can be looked at.
func talk(t *testing.T, socket string) *textproto.Conn {
	t.Helper()
	c, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	c.SetDeadline(time.Now().Add(30 * time.Second))
	conn := textproto.NewConn(c)
	t.Cleanup(func() { conn.Close() })
	if _, _, err := conn.ReadResponse(220); err != nil {
		t.Fatal(err)
	}
	say(t, conn, "LHLO mx.example", 250)
	return conn
}

func say(t *testing.T, c *textproto.Conn, line string, code int) string {
	t.Helper()
	if err := c.PrintfLine("%s", line); err != nil {
		t.Fatal(err)
	}
	return hear(t, c, code)
}

func hear(t *testing.T, c *textproto.Conn, code int) string {
	t.Helper()
	got, text, err := c.ReadResponse(0)
	if err != nil && got == 0 {
		t.Fatal(err)
	}
	if got != code {
		t.Errorf("%d %s, want %d", got, text, code)
	}
	return text
}

// send writes a letter after DATA.
func send(t *testing.T, c *textproto.Conn, raw string) {
	t.Helper()
	say(t, c, "DATA", 354)
	w := c.DotWriter()
	if _, err := w.Write([]byte(raw)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Each recipient gets a copy that says whom it is for, and an answer; others than the mailbox are refused.
func TestDelivery(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	k := &kept{}
	socket, s, _ := serve(t, Config{Take: k.take, MaxSize: 1 << 20, Now: func() time.Time { return now }})
	c := talk(t, socket)
	if text := say(t, c, "LHLO mx.example", 250); !strings.Contains(text, "SIZE 1048576") {
		t.Errorf("no size limit in %q", text)
	}
	say(t, c, "MAIL FROM:<oleg@example.org>", 250)
	say(t, c, "RCPT TO:<gm@lands.example>", 250)
	if text := say(t, c, "RCPT TO:<nobody@lands.example>", 550); !strings.HasPrefix(text, "5.1.1") {
		t.Errorf("answer %q", text)
	}
	say(t, c, "RCPT TO:<gm@elsewhere.example>", 550)
	say(t, c, "RCPT TO:<GM+Lands@lands.example>", 250)
	send(t, c, raw)
	hear(t, c, 250)
	hear(t, c, 250)
	say(t, c, "MAIL FROM:<>", 250)
	say(t, c, "RCPT TO:<gm@lands.example>", 250)
	send(t, c, raw)
	hear(t, c, 250)
	say(t, c, "QUIT", 221)
	want := []string{
		"Return-Path: <oleg@example.org>\r\nDelivered-To: gm@lands.example\r\n" + raw,
		"Return-Path: <oleg@example.org>\r\nDelivered-To: GM+Lands@lands.example\r\n" + raw,
		"Return-Path: <>\r\nDelivered-To: gm@lands.example\r\n" + raw,
	}
	got := k.all()
	if len(got) != len(want) {
		t.Fatalf("%d letters, want %d", len(got), len(want))
	}
	keys := map[string]bool{}
	for i, m := range got {
		if string(m.Raw) != want[i] {
			t.Errorf("letter %d: %q, want %q", i, m.Raw, want[i])
		}
		if m.Via != "mail" || !m.Arrived.IsZero() || m.Fault != "" || m.Size != int64(len(m.Raw)) {
			t.Errorf("letter %d: %+v", i, m)
		}
		keys[m.Key] = true
	}
	if len(keys) != len(want) {
		t.Errorf("keys %v", keys)
	}
	if taken, err := s.Health(); !taken.Equal(now) || err != nil {
		t.Errorf("taken %v, %v", taken, err)
	}
}

// What cannot be kept now may come again, what is too big may not, and what breaks off is no letter.
func TestTrouble(t *testing.T) {
	k := &kept{err: errors.New("the disk is full")}
	socket, s, _ := serve(t, Config{Take: k.take, MaxSize: 1000})
	envelope := func(c *textproto.Conn) {
		t.Helper()
		say(t, c, "MAIL FROM:<oleg@example.org>", 250)
		say(t, c, "RCPT TO:<gm@lands.example>", 250)
	}
	c := talk(t, socket)
	envelope(c)
	send(t, c, raw)
	if text := hear(t, c, 451); strings.Contains(text, "disk") {
		t.Errorf("the answer tells of our inside: %q", text)
	}
	if _, err := s.Health(); err == nil {
		t.Error("no trouble is told")
	}
	k.mu.Lock()
	k.err = nil
	k.mu.Unlock()
	say(t, c, "MAIL FROM:<oleg@example.org> SIZE=1001", 552)
	envelope(c)
	send(t, c, strings.Repeat("too big\r\n", 200))
	hear(t, c, 552)

	broken := talk(t, socket)
	envelope(broken)
	say(t, broken, "DATA", 354)
	if err := broken.PrintfLine("From: oleg@example.org"); err != nil {
		t.Fatal(err)
	}
	broken.Close()

	envelope(c)
	send(t, c, raw)
	hear(t, c, 250)
	if got := k.all(); len(got) != 1 {
		t.Errorf("%d letters were taken", len(got))
	}
	if _, err := s.Health(); err != nil {
		t.Errorf("trouble is told after it ended: %v", err)
	}
	say(t, c, "EHLO mx.example", 500)
}

// The end comes soon, whatever connections there are, and a letter that is being taken is finished first.
func TestStop(t *testing.T) {
	begun, goOn, done := make(chan bool), make(chan bool), false
	socket, _, stop := serve(t, Config{Take: func(ctx context.Context, _ ingest.Message) error {
		close(begun)
		<-goOn
		done = ctx.Err() == nil
		return nil
	}})
	talk(t, socket) // does nothing
	half := talk(t, socket)
	c := talk(t, socket)
	for _, c := range []*textproto.Conn{half, c} {
		say(t, c, "MAIL FROM:<oleg@example.org>", 250)
		say(t, c, "RCPT TO:<gm@lands.example>", 250)
	}
	send(t, c, raw)
	<-begun
	go func() { goOn <- true }()
	if err := stop(); !errors.Is(err, context.Canceled) {
		t.Errorf("Run: %v", err)
	}
	if !done {
		t.Error("the letter was broken off")
	}
	if _, err := os.Lstat(socket); err == nil {
		t.Error("the socket is still there")
	}
	if _, err := net.Dial("unix", socket); err == nil {
		t.Error("it still listens")
	}
}

// A client library delivers as well as a dialogue by hand.
func TestClient(t *testing.T) {
	k := &kept{}
	socket, _, _ := serve(t, Config{Take: k.take})
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	c := smtp.NewClientLMTP(conn)
	defer c.Close()
	for n := range 3 {
		if err := c.Mail("oleg@example.org", nil); err != nil {
			t.Fatal(err)
		}
		if err := c.Rcpt("gm+lands@lands.example", nil); err != nil {
			t.Fatal(err)
		}
		w, err := c.Data()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(w, "Subject: %d\r\n\r\n%s", n, strings.Repeat("x", 100_000))
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := k.all(); len(got) != 3 {
		t.Errorf("%d letters", len(got))
	}
}

func TestCheckListen(t *testing.T) {
	for listen, want := range map[string]string{
		"127.0.0.1:2400":      "",
		"[::1]:2400":          "",
		"localhost:2400":      "",
		"/run/arroba/lmtp":    "",
		"run/lmtp":            "",
		"":                    "is no address",
		"2400":                "is no address",
		":2400":               "other machines could deliver",
		"0.0.0.0:2400":        "other machines could deliver",
		"192.168.1.7:2400":    "other machines could deliver",
		"mail.example.org:24": `write an address of this machine alone, as "127.0.0.1:24"`,
		"127.0.0.1:lmtp":      "is no port",
		"127.0.0.1:70000":     "is no port",
	} {
		err := CheckListen(listen)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", listen, err, want)
		}
		if _, newErr := New(Config{Listen: listen}); (newErr == nil) != (err == nil) {
			t.Errorf("New with %q: %v", listen, newErr)
		}
	}
}

// A socket that a crash has left is replaced, one in use is not, and what is no socket is left alone.
func TestListen(t *testing.T) {
	k := &kept{}
	socket, s, stop := serve(t, Config{Take: k.take})
	if answers, err := s.Check(); !answers || err != nil {
		t.Errorf("Check of a running server: %v, %v", answers, err)
	}
	if err := s.Run(t.Context()); err == nil {
		t.Error("a second server listens at the same address")
	}
	if answers, _ := s.Check(); !answers {
		t.Error("the second server has taken the first one's socket away")
	}
	stop()
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
	if answers, err := s.Check(); answers || err != nil {
		t.Errorf("Check of a socket that was left: %v, %v", answers, err)
	}
	if err := os.WriteFile(socket, []byte("a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Check(); err == nil {
		t.Error("Check where a file stands: no error")
	}
	if b, err := os.ReadFile(socket); err != nil || string(b) != "a file" {
		t.Errorf("the file holds %q, %v", b, err)
	}
}
