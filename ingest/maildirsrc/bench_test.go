package maildirsrc

import (
	"fmt"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/ingest/ingesttest"
)

// BenchmarkRead reads a Maildir of 5,000 letters, batch by batch; a letter is an operation.
func BenchmarkRead(b *testing.B) {
	const letters = 5000
	dir := empty(b)
	for n := range letters {
		put(b, dir, fmt.Sprintf("cur/%d.host:2,S", n), ingesttest.Letter(n, 2300), noon.Add(time.Duration(n)*time.Second))
	}
	src, err := New(Config{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for read := 0; read < b.N; {
		for at := ingest.Cursor(""); ; {
			batch, err := src.Poll(b.Context(), at)
			if err != nil {
				b.Fatal(err)
			}
			read += len(batch.Messages)
			if at = batch.Next; !batch.More {
				break
			}
		}
	}
}

// BenchmarkIdle polls a Maildir of 5,000 letters that were all handled.
func BenchmarkIdle(b *testing.B) {
	dir := empty(b)
	for n := range 5000 {
		put(b, dir, fmt.Sprintf("cur/%d.host:2,S", n), []byte("x"), noon)
	}
	src, err := New(Config{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	at := ingest.Cursor("")
	for more := true; more; {
		batch, err := src.Poll(b.Context(), at)
		if err != nil {
			b.Fatal(err)
		}
		at, more = batch.Next, batch.More
	}
	for b.Loop() {
		if _, err := src.Poll(b.Context(), at); err != nil {
			b.Fatal(err)
		}
	}
}
