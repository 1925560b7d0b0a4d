package imapsrc

import (
	"bytes"
	"io"
	"log"
	"log/slog"
	"net"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/ingest/ingesttest"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
)

// post is a mailbox on a real server in memory.
type post struct {
	addr string
	user *imapmemserver.User
	cfg  Config
}

func newPost(t testing.TB, caps ...imap.Cap) *post {
	t.Helper()
	user := imapmemserver.NewUser("magistrate", "secret")
	if err := user.Create("INBOX", nil); err != nil {
		t.Fatal(err)
	}
	mem := imapmemserver.New()
	mem.AddUser(user)
	set := imap.CapSet{imap.CapIMAP4rev1: {}}
	for _, c := range caps {
		set[c] = struct{}{}
	}
	server := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return mem.NewSession(), nil, nil
		},
		Caps:         set,
		InsecureAuth: true,
		Logger:       log.New(io.Discard, "", 0),
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(ln)
	t.Cleanup(func() { server.Close() })
	return &post{addr: ln.Addr().String(), user: user}
}

type literalReader struct{ *bytes.Reader }

func (r literalReader) Size() int64 { return r.Reader.Size() }

func (p *post) Put(t *testing.T, raw []byte, arrived time.Time) {
	t.Helper()
	if _, err := p.user.Append("INBOX", literalReader{bytes.NewReader(raw)}, &imap.AppendOptions{Time: arrived}); err != nil {
		t.Fatal(err)
	}
}

func (p *post) Open(t *testing.T) ingest.Source { return p.open(t, p.cfg) }

func (p *post) open(t testing.TB, cfg Config) *Source {
	t.Helper()
	cfg.Addr, cfg.TLS = p.addr, "none"
	return open(t, cfg)
}

func open(t testing.TB, cfg Config) *Source {
	t.Helper()
	cfg.User = "magistrate"
	if cfg.Password == nil {
		cfg.Password = func() (string, error) { return "secret", nil }
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	src, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}

func TestConformance(t *testing.T) {
	all := []imap.Cap{imap.CapIdle, imap.CapUIDPlus, imap.CapMove, imap.CapESearch}
	for name, test := range map[string]struct {
		caps []imap.Cap
		cfg  Config
	}{
		"flag":            {all, Config{}},
		"move":            {all, Config{Done: DoneMove, MoveTo: "Done"}},
		"move by copying": {[]imap.Cap{imap.CapUIDPlus}, Config{Done: DoneMove, MoveTo: "Done", Idle: 100 * time.Millisecond}},
		"keep":            {all, Config{Done: DoneKeep}},
		"old server":      {nil, Config{Idle: 100 * time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			ingesttest.Run(t, func(t *testing.T) ingesttest.Place {
				p := newPost(t, test.caps...)
				if err := p.user.Create("Done", nil); err != nil {
					t.Fatal(err)
				}
				p.cfg = test.cfg
				return p
			})
		})
	}
}
