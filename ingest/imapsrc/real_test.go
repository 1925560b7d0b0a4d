package imapsrc

import (
	"os"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/ingest/letter"
)

// BenchmarkMailbox reads the mailbox that the environment names, each letter into its writer's lines, as often as it
// is told to, and reports letters a second. A second connection may help, as in the daemon.
func BenchmarkMailbox(b *testing.B) {
	addr, user, password := os.Getenv("ARROBA_BENCH_IMAP"), os.Getenv("ARROBA_BENCH_USER"), os.Getenv("ARROBA_BENCH_PASSWORD")
	if addr == "" {
		b.Skip("ARROBA_BENCH_IMAP names no server")
	}
	n, lines := 0, 0
	start := time.Now()
	for b.Loop() {
		src, err := New(Config{Addr: addr, TLS: "none", User: user, Done: DoneKeep, Password: func() (string, error) { return password, nil }})
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
