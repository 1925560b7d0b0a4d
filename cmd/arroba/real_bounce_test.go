package main

import (
	"io"
	"net"
	"strings"
	"testing"

	gosmtp "github.com/emersion/go-smtp"

	"arroba/mailrig"
	"arroba/store"
)

// nobody is a mail server behind Postfix that knows none of its recipients.
type nobody struct{}

func (nobody) NewSession(*gosmtp.Conn) (gosmtp.Session, error) { return nobody{}, nil }
func (nobody) Mail(string, *gosmtp.MailOptions) error          { return nil }
func (nobody) Data(io.Reader) error                            { return nil }
func (nobody) Reset()                                          {}
func (nobody) Logout() error                                   { return nil }
func (nobody) Rcpt(string, *gosmtp.RcptOptions) error {
	return &gosmtp.SMTPError{Code: 550, EnhancedCode: gosmtp.EnhancedCode{5, 1, 1}, Message: "nobody lives here"}
}

// Mail that does not arrive by a real Postfix: refused at once, or taken and brought back to the mailbox of the game,
// with an envelope address for each mail or without. The GM is told of its recipient in every case, and nobody else.
func TestRealBounce(t *testing.T) {
	for name, tt := range map[string]struct {
		sink, boris, says string
		bounce            bool
	}{
		"refused at once":                       {"", "boris@far.example", "Recipient address rejected", false},
		"come back to its own envelope address": {"verp = true\n", "boris@work.example", "nobody lives here", true},
		"come back and known by its Message-ID": {"", "boris@work.example", "nobody lives here", true},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			server := gosmtp.NewServer(nobody{})
			server.LMTP, server.Domain = true, "work.example"
			go server.Serve(l)
			t.Cleanup(func() { server.Close() })
			h := newHouseWith(t, mailrig.Options{Routes: map[string]string{"boris@work.example": "lmtp:inet:" + l.Addr().String()}}, ways{"tls", "tls"})
			h.write("lands.toml", strings.ReplaceAll(realGame, "boris@work.example", tt.boris))
			h.change("[[sink]]\n", "[[sink]]\n"+tt.sink)
			h.create()
			h.serve()
			h.post("oleg@example.org", "My orders", "", "CHALLENGE Boris")
			notice := h.told("aldous@keep.example", "[lands] mail to Boris comes back")
			if words := text(notice); !strings.Contains(words, "Boris at "+tt.boris) || !strings.Contains(words, tt.says) {
				t.Errorf("the GM reads\n%s", words)
			}
			h.post("oleg@example.org", "Again", "", "WHO")
			if words := text(h.told("oleg@example.org", "[lands] Re: Again")); strings.Contains(words, "comes back") {
				t.Errorf("a player reads\n%s", words)
			}
			h.stop()
			if tt.bounce {
				checkBounce(t, h, tt.sink != "")
			}
		})
	}
}

// checkBounce looks at the one bounce in the inbox.
func checkBounce(t *testing.T, h *house, own bool) {
	t.Helper()
	db, err := store.Open(t.Context(), h.path("arroba.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var sender, note, raw string
	err = db.Read().QueryRow(`SELECT sender, note, raw FROM inbox WHERE class = 'bounce'`).Scan(&sender, &note, &raw)
	if err != nil || !strings.HasPrefix(sender, "mailer-daemon@") || !strings.HasSuffix(note, " to boris@work.example") {
		t.Errorf("the bounce from %s is kept: %s, %v", sender, note, err)
	}
	if strings.Contains(raw, "magistrate+b-") != own {
		t.Errorf("it came to another address than it should:\n%s", raw)
	}
}
