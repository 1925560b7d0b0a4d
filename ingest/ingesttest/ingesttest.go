// Package ingesttest holds what every source of letters must keep, as one test suite for all of them.
//
// The suite knows a source by its seam only: it puts letters into a Place, reads them through sources that are thrown
// away and opened again at every point, and compares what came with what was put.
package ingesttest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
)

// Bounds of a batch.
const (
	MaxLetters = 500
	MaxBytes   = 16 << 20
)

// Place is somewhere that letters can be put and read from.
type Place interface {
	// Put puts a letter there that arrived at that time, which is given in whole seconds.
	Put(t *testing.T, raw []byte, arrived time.Time)
	// Open returns a new source for the place, as after a restart. Its place closes it if it needs that.
	Open(t *testing.T) ingest.Source
}

// Posts is a Place whose source brings records of posts, not the bytes that were put.
type Posts interface {
	Place
	// Text returns the letter as it was put, read out of what came of it; nil for a post that an empty place has.
	Text(t *testing.T, m ingest.Message) []byte
}

// Letter returns the nth test letter of about that many bytes, with long lines when it is large.
func Letter(n, size int) []byte {
	head := fmt.Sprintf("From: oleg@example.org\r\nTo: magistrate@example.org\r\nSubject: orders %d\r\n"+
		"Message-ID: <%d@example.org>\r\n\r\nCHALLENGE Boris\r\n", n, n)
	line := "I say it once more, and mean it.\r\n"
	if size >= 1<<20 {
		line = strings.Repeat("I say it once more, and mean it, ", 28) + line
	}
	return []byte(head + strings.Repeat(line, max(0, size-len(head))/len(line)))
}

// Run runs the suite. New makes an empty place.
func Run(t *testing.T, place func(t *testing.T) Place) {
	tests := []struct {
		name string
		test func(t *testing.T, p Place)
	}{
		{"empty", testEmpty},
		{"whole", testWhole},
		{"bounds", testBounds},
		{"resume", testResume},
		{"later", testLater},
		{"ended", testEnded},
		{"broken off", testBrokenOff},
		{"mark", testMark},
		{"wait", testWait},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.test(t, place(t)) })
	}
}

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func put(t *testing.T, p Place, from, to, size int) {
	t.Helper()
	for n := from; n < to; n++ {
		p.Put(t, Letter(n, size), start.Add(time.Duration(n)*time.Second))
	}
}

// poll polls once, within a time after which the source counts as stuck, and returns the letters as they were put.
func poll(t *testing.T, p Place, src ingest.Source, at ingest.Cursor) ingest.Batch {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	b, err := src.Poll(ctx, at)
	if err != nil {
		t.Fatalf("Poll(%q): %v", at, err)
	}
	return read(t, p, b)
}

// read fails on what no batch may bring, and returns the batch with the letters as they were put.
func read(t *testing.T, p Place, b ingest.Batch) ingest.Batch {
	t.Helper()
	posts, ok := p.(Posts)
	via, size := "mail", 0
	if ok {
		via = "post"
	}
	var letters []ingest.Message
	for _, m := range b.Messages {
		size += len(m.Raw)
		if m.Via != via || m.Fault != "" || m.Size != int64(len(m.Raw)) {
			t.Errorf("letter %s: via %q, fault %q, size %d", m.Key, m.Via, m.Fault, m.Size)
		}
		if ok {
			m.Raw = posts.Text(t, m)
		}
		if m.Raw != nil {
			letters = append(letters, m)
		}
	}
	if len(b.Messages) > MaxLetters || size > MaxBytes {
		t.Errorf("a batch of %d letters and %d bytes", len(b.Messages), size)
	}
	if b.More && !b.Until.IsZero() {
		t.Errorf("read up to %v while there is more", b.Until)
	}
	b.Messages = letters
	return b
}

// drain polls until there is no more at once, and returns the batches.
func drain(t *testing.T, p Place, src ingest.Source, at ingest.Cursor) []ingest.Batch {
	t.Helper()
	var out []ingest.Batch
	for {
		b := poll(t, p, src, at)
		out = append(out, b)
		if at = b.Next; !b.More {
			return out
		}
	}
}

// seen collects letters by key and fails on one that changed.
type seen map[string]ingest.Message

func (s seen) add(t *testing.T, batches ...ingest.Batch) {
	t.Helper()
	for _, b := range batches {
		for _, m := range b.Messages {
			if old, ok := s[m.Key]; ok && !bytes.Equal(old.Raw, m.Raw) {
				t.Errorf("key %q means two letters", m.Key)
			}
			s[m.Key] = m
		}
	}
}

// want fails unless exactly the letters from 0 to n were seen, whole.
func (s seen) want(t *testing.T, n, size int) {
	t.Helper()
	found := map[string]ingest.Message{}
	for _, m := range s {
		found[string(m.Raw)] = m
	}
	for i := range n {
		m, ok := found[string(Letter(i, size))]
		switch arrived := start.Add(time.Duration(i) * time.Second); {
		case !ok:
			t.Errorf("letter %d was lost", i)
		case !m.Arrived.Equal(arrived):
			t.Errorf("letter %d arrived at %v, want %v", i, m.Arrived, arrived)
		}
	}
	if len(s) != n {
		t.Errorf("%d letters, want %d", len(s), n)
	}
}

func testEmpty(t *testing.T, p Place) {
	b := poll(t, p, p.Open(t), "")
	if len(b.Messages) != 0 || b.More {
		t.Errorf("an empty place brought %d letters, more: %v", len(b.Messages), b.More)
	}
	if b.Until.IsZero() || b.Until.After(time.Now()) {
		t.Errorf("an empty place was read up to %v", b.Until)
	}
}

func testWhole(t *testing.T, p Place) {
	put(t, p, 0, 7, 2300)
	got := seen{}
	batches := drain(t, p, p.Open(t), "")
	got.add(t, batches...)
	got.want(t, 7, 2300)
	if last := batches[len(batches)-1]; last.Until.IsZero() || last.Until.After(time.Now()) {
		t.Errorf("read up to %v", last.Until)
	}
}

// testBounds has letters that are too big for one batch together, and stand apart so that no page of posts holds two.
func testBounds(t *testing.T, p Place) {
	for n := range 1013 {
		size := 400
		if n == 100 || n == 200 || n == 300 {
			size = 6 << 20
		}
		put(t, p, n, n+1, size)
	}
	n := 0
	for _, b := range drain(t, p, p.Open(t), "") {
		n += len(b.Messages)
	}
	if n != 1013 {
		t.Errorf("%d letters, want 1013", n)
	}
}

func testResume(t *testing.T, p Place) {
	put(t, p, 0, 1010, 200)
	batches := drain(t, p, p.Open(t), "")
	before := seen{}
	for _, b := range batches {
		before.add(t, b)
		all := seen{}
		for _, m := range before {
			all[m.Key] = m
		}
		all.add(t, drain(t, p, p.Open(t), b.Next)...)
		all.want(t, 1010, 200)
	}
	// A batch that was not committed comes again.
	src := p.Open(t)
	again := seen{}
	again.add(t, poll(t, p, src, ""), poll(t, p, src, batches[0].Next), poll(t, p, src, ""))
	again.add(t, drain(t, p, src, batches[0].Next)...)
	again.want(t, 1010, 200)
}

func testLater(t *testing.T, p Place) {
	src := p.Open(t)
	at := poll(t, p, src, "").Next
	got := seen{}
	for n := range 5 {
		put(t, p, n, n+1, 300)
		b := poll(t, p, src, at)
		if len(b.Messages) != 1 {
			t.Errorf("poll after letter %d brought %d letters", n, len(b.Messages))
		}
		got.add(t, b)
		at = b.Next
	}
	got.want(t, 5, 300)
}

func testEnded(t *testing.T, p Place) {
	put(t, p, 0, 3, 300)
	src := p.Open(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := src.Poll(ended, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("Poll with an ended context: %v", err)
	}
	got := seen{}
	got.add(t, drain(t, p, src, "")...)
	got.want(t, 3, 300)
}

// testBrokenOff ends polls at many points on their way.
func testBrokenOff(t *testing.T, p Place) {
	put(t, p, 0, 600, 1000)
	src := p.Open(t)
	got, at := seen{}, ingest.Cursor("")
	for pause := 10 * time.Microsecond; ; pause = pause * 5 / 4 {
		ctx, cancel := context.WithTimeout(t.Context(), pause)
		b, err := src.Poll(ctx, at)
		cancel()
		if err != nil {
			if pause > time.Minute {
				t.Fatal(err)
			}
			continue
		}
		got.add(t, read(t, p, b))
		if at = b.Next; !b.More {
			break
		}
	}
	got.want(t, 600, 1000)
}

func testMark(t *testing.T, p Place) {
	src := p.Open(t)
	marker, ok := src.(ingest.Marker)
	if !ok {
		t.Skip("the source does not mark letters")
	}
	put(t, p, 0, 6, 300)
	b := poll(t, p, src, "")
	got := seen{}
	var keys []string
	for i, m := range b.Messages {
		if i%2 == 0 {
			keys = append(keys, m.Key)
		}
	}
	keys = append(keys, "of another source", "")
	for range 2 {
		if err := marker.Mark(t.Context(), keys); err != nil {
			t.Fatal("Mark:", err)
		}
	}
	put(t, p, 6, 8, 300)
	got.add(t, b)
	got.add(t, drain(t, p, src, b.Next)...)
	got.want(t, 8, 300)

	// What was not marked is still there for one who reads from the beginning.
	again := seen{}
	again.add(t, drain(t, p, p.Open(t), "")...)
	for i, m := range b.Messages {
		if _, there := again[m.Key]; i%2 == 1 && !there {
			t.Errorf("letter %s was not marked and is gone", m.Key)
		}
	}
}

func testWait(t *testing.T, p Place) {
	src := p.Open(t)
	waiter, ok := src.(ingest.Waiter)
	if !ok {
		t.Skip("the source does not wait")
	}
	at := poll(t, p, src, "").Next
	for n := range 3 {
		done := make(chan error, 1)
		go func() { done <- waiter.Wait(t.Context()) }()
		put(t, p, n, n+1, 300)
		select {
		case err := <-done:
			if err != nil {
				t.Fatal("Wait:", err)
			}
		case <-time.After(time.Minute):
			t.Fatal("Wait did not see a letter")
		}
		b := poll(t, p, src, at)
		if len(b.Messages) != 1 {
			t.Errorf("after Wait: %d letters", len(b.Messages))
		}
		at = b.Next
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := waiter.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Wait until the end of its context: %v", err)
	}
}
