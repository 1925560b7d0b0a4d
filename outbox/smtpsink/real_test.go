package smtpsink_test

import (
	"bytes"
	"testing"

	"arroba/mailrig"
	"arroba/outbox"
	"arroba/outbox/outboxtest"
	"arroba/outbox/smtpsink"
)

// TestPostfix sends through a real Postfix, reads the mails back from a real Dovecot and compares.
func TestPostfix(t *testing.T) {
	rig := mailrig.Start(t, "magistrate", "oleg@example.org")
	sent := 0
	for _, c := range []struct {
		at   mailrig.Addr
		mode string
	}{{rig.Submission, smtpsink.StartTLS}, {rig.SMTPS, smtpsink.TLS}} {
		cfg := smtpsink.Config{Port: c.at.Port, TLS: c.mode, RootCAs: rig.CA, User: rig.Users[0], Password: mailrig.Password}
		sink := newSink(t, cfg)
		it := outboxtest.Mail()
		it.From = rig.Users[0]
		for _, text := range []string{"Борис вызван.\n", ".\n..\nFrom me\n"} {
			it.Text = text
			if _, err := sink.Send(t.Context(), it); err != nil {
				t.Fatalf("%s: %v", c.mode, err)
			}
			sent++
			want, err := outbox.Render(it)
			if err != nil {
				t.Fatal(err)
			}
			if got := rig.Mails("oleg@example.org", sent)[sent-1]; !bytes.HasSuffix(got, want) {
				t.Errorf("%s: sent\n%s\narrived\n%s", c.mode, want, got)
			}
		}
		it.To = "nobody@example.org"
		_, err := sink.Send(t.Context(), it)
		failed(t, c.mode+": unknown user", err, outbox.ErrPermanent, "550")
		if err := sink.Check(t.Context()); err != nil {
			t.Errorf("%s: check: %v", c.mode, err)
		}
		cfg.Password = "wrong"
		fails(t, c.mode+": wrong password", newSink(t, cfg), outbox.ErrDown, "log-in refused", "user and password of [[sink]] post")
		cfg.User = ""
		fails(t, c.mode+": no log-in", newSink(t, cfg), nil, "if it wants a log-in")
	}
}
