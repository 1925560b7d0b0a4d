package imapsrc

import (
	"fmt"
	"net"
	"os"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/ingest/ingesttest"
	"arroba/ingest/letter"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// realServer is the account that ARROBA_IMAP, ARROBA_IMAP_USER and ARROBA_IMAP_PASSWORD name. It is used without TLS,
// so the server should be on this machine.
func realServer(t testing.TB) Config {
	t.Helper()
	addr := os.Getenv("ARROBA_IMAP")
	if addr == "" {
		t.Skip("ARROBA_IMAP names no server")
	}
	return Config{Addr: addr, TLS: "none", User: os.Getenv("ARROBA_IMAP_USER"),
		Password: func() (string, error) { return os.Getenv("ARROBA_IMAP_PASSWORD"), nil }}
}

// account is a mailbox of its own on the real server.
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

func TestConformanceOfRealServer(t *testing.T) {
	base := realServer(t)
	n := 0
	ingesttest.Run(t, func(t *testing.T) ingesttest.Place {
		conn, err := net.Dial("tcp", base.Addr)
		if err != nil {
			t.Fatal(err)
		}
		client := imapclient.New(conn, nil)
		password, _ := base.Password()
		if err := client.Login(base.User, password).Wait(); err != nil {
			t.Fatal(err)
		}
		n++
		cfg := base
		cfg.Mailbox = fmt.Sprintf("arroba-test-%d-%d", os.Getpid(), n)
		if err := client.Create(cfg.Mailbox, nil).Wait(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			client.Delete(cfg.Mailbox).Wait()
			conn.Close()
		})
		return &account{cfg, client}
	})
}

// BenchmarkRealServer reads the account's INBOX, each letter into its writer's own lines.
func BenchmarkRealServer(b *testing.B) {
	cfg := realServer(b)
	cfg.Done = DoneKeep
	n, lines := 0, 0
	start := time.Now()
	for b.Loop() {
		src, err := New(cfg)
		if err != nil {
			b.Fatal(err)
		}
		for at, more := ingest.Cursor(""), true; more; {
			batch, err := src.Poll(b.Context(), at)
			if err != nil {
				b.Fatal(err)
			}
			for _, m := range batch.Messages {
				lines += len(letter.Read(m.Raw, letter.Options{}).Lines)
			}
			n += len(batch.Messages)
			at, more = batch.Next, batch.More
		}
		src.Close()
	}
	if lines == 0 {
		b.Fatal("no lines")
	}
	b.ReportMetric(float64(n)/time.Since(start).Seconds(), "letters/s")
	b.ReportMetric(float64(n)/float64(b.N), "letters/op")
}
