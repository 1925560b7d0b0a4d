package imapsrc

import (
	"fmt"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/ingest/ingesttest"
	"arroba/mailrig"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// account is a mailbox of its own on a real server.
type account struct {
	cfg    Config
	client *imapclient.Client
}

func (a *account) Put(t *testing.T, raw []byte, arrived time.Time) {
	t.Helper()
	cmd := a.client.Append(a.cfg.Mailbox, int64(len(raw)), &imap.AppendOptions{Time: arrived})
	cmd.Write(raw)
	cmd.Close()
	if _, err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

func (a *account) Open(t *testing.T) ingest.Source {
	src, err := New(a.cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}

// TestDovecot reads from a real Dovecot, in every way to keep the connection private.
func TestDovecot(t *testing.T) {
	rig := mailrig.Start(t, "magistrate")
	for _, way := range []struct {
		tls string
		at  mailrig.Addr
	}{{"tls", rig.IMAPS}, {"starttls", rig.IMAP}, {"none", rig.IMAP}} {
		t.Run(way.tls, func(t *testing.T) {
			n := 0
			ingesttest.Run(t, func(t *testing.T) ingesttest.Place {
				n++
				a := &account{client: rig.Dial(rig.Users[0]), cfg: Config{
					Addr: way.at.String(), TLS: way.tls, RootCAs: rig.CA, User: rig.Users[0],
					Password: func() (string, error) { return mailrig.Password, nil },
					Mailbox:  fmt.Sprintf("%s %d", way.tls, n),
				}}
				t.Cleanup(func() { a.client.Close() })
				if err := a.client.Create(a.cfg.Mailbox, nil).Wait(); err != nil {
					t.Fatal(err)
				}
				return a
			})
		})
	}
}
