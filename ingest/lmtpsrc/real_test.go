package lmtpsrc

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/mailrig"
)

// A real Postfix delivers: it is told to come again, does, and delivers to both of a letter's recipients.
func TestPostfix(t *testing.T) {
	took := make(chan string, 10)
	failures := 1
	s, err := New(Config{Listen: "127.0.0.1:0", Address: "gm@lands.example", MaxSize: 1 << 20, Take: func(_ context.Context, m ingest.Message) error {
		if failures > 0 {
			failures--
			return errors.New("the database is busy")
		}
		took <- string(m.Raw)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.listen()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.serve(ctx, l) }()
	defer func() {
		stop()
		<-ended
	}()
	rig := mailrig.StartWith(t, mailrig.Options{Routes: map[string]string{"gm@lands.example": "lmtp:inet:127.0.0.1:" + port(l)}}, "gm", "oleg@example.org")
	letter := "From: oleg@example.org\r\nTo: gm@lands.example\r\nSubject: Ünicode\r\n\r\n.CHALLENGE Boris\r\n" + strings.Repeat("Вызов ", 500) + "\r\n"
	if err := rig.Post("oleg@example.org", "gm+lands@lands.example", []byte(letter)); err != nil {
		t.Fatal(err)
	}
	got := await(t, took)
	for _, want := range []string{"Return-Path: <oleg@example.org>\r\nDelivered-To: gm+lands@lands.example\r\nReceived: ", "\r\n\r\n.CHALLENGE Boris\r\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got[:min(len(got), 400)], want)
		}
	}
	if !strings.HasPrefix(got, "Return-Path") {
		t.Errorf("begins with %q", got[:20])
	}
	if !strings.Contains(rig.Log(), "451 4.3.0") {
		t.Error("Postfix was not told to come again")
	}
	// What is too big is refused for good, and its writer hears of it.
	if err := rig.Post("oleg@example.org", "gm@lands.example", []byte("Subject: big\r\n\r\n"+strings.Repeat(strings.Repeat("x", 70)+"\r\n", 20_000))); err != nil {
		t.Fatal(err)
	}
	if mails := rig.Mails("oleg@example.org", 1); !strings.Contains(string(mails[0]), "message size") && !strings.Contains(string(mails[0]), "5.3.4") {
		t.Errorf("the writer hears\n%s", mails[0])
	}
}

func port(l net.Listener) string {
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

func await(t *testing.T, took chan string) string {
	t.Helper()
	select {
	case got := <-took:
		return got
	case <-time.After(20 * time.Second):
		t.Fatal("no letter came")
	}
	return ""
}
