package turns

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/outbox"
	"arroba/store"
)

// TestTwoDaemonsOnOneMailbox holds that two programs which read the same mailbox at once, into one database, carry every
// letter out once and answer it once.
func TestTwoDaemonsOnOneMailbox(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "arroba.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	one := rigOn(t, db)
	one.game("lands")
	two := rigOn(t, db)
	var letters []ingest.Message
	for range 60 {
		letters = append(letters, one.mail("anna@x.example", "lands@play.example", "ADD 1"))
	}
	var wg sync.WaitGroup
	for _, r := range []*rig{one, two} {
		wg.Go(func() {
			for i := 0; i < len(letters); i += 7 {
				b := ingest.Batch{Messages: letters[i:min(i+7, len(letters))], Next: ingest.Cursor(fmt.Sprint(i)), Until: r.now}
				if _, err := r.Handle(t.Context(), "box", b); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	receipts := 0
	for _, it := range one.sent() {
		if it.Kind == outbox.Receipt {
			receipts++
		}
	}
	if a, b := one.sum("lands"), two.sum("lands"); a != 60 || b != 60 || receipts != 60 {
		t.Errorf("sums %d and %d, %d receipts; want 60 each", a, b, receipts)
	}
}

// TestClockJumps holds that arrival decides, whatever our own clock does: nothing fires twice when it goes back, nothing
// is late that came in time when it goes forward, and no letter comes from the future.
func TestClockJumps(t *testing.T) {
	r := newRig(t, Feed{Name: "box", Address: "lands@play.example"})
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "BELL a 600")
	begun := r.now
	take := func(arrived, until time.Time, text string) {
		t.Helper()
		m := r.mail("boris@x.example", "lands@play.example", text)
		m.Arrived = arrived
		if _, err := r.Handle(t.Context(), "box", ingest.Batch{Messages: []ingest.Message{m}, Next: "x", Until: until}); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	r.now = begun.Add(24 * time.Hour) // forward by a day, while letters from before the bell are being fetched
	take(begun.Add(5*time.Minute), begun.Add(6*time.Minute), "ADD 1")
	equal(t, "a letter in time", r.events("lands"), "added")
	take(begun.Add(20*time.Minute), begun.Add(21*time.Minute), "ADD 2")
	equal(t, "one after the bell", r.events("lands"), "added", "rang a", "added")
	r.now = begun.Add(-time.Hour) // and back
	take(begun.Add(30*time.Minute), begun.Add(-time.Hour), "ADD 3")
	equal(t, "one from our future", r.events("lands"), "added", "rang a", "added", "added")
	r.now = begun.Add(48 * time.Hour)
	take(begun.Add(47*time.Hour), r.now, "ADD 4")
	equal(t, "in the end", r.events("lands"), "added", "rang a", "added", "added", "added")
	if r.sum("lands") != 10 {
		t.Errorf("sum %d", r.sum("lands"))
	}
}
