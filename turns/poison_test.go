package turns

import (
	"strings"
	"testing"

	"arroba/ingest"
)

// TestPoisonBlocksNothing holds that a letter on which the engine fails in a way that no rule explains is set aside
// after three tries, with its bytes, and that the others go on; and that it can be handled again when that is mended.
func TestPoisonBlocksNothing(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.exec(`CREATE TRIGGER poison BEFORE INSERT ON input WHEN NEW.body LIKE '%lamp%' BEGIN SELECT RAISE(ABORT, 'poison'); END`)
	letters := []ingest.Message{
		r.mail("anna@x.example", "lands@play.example", "ADD 1"), r.mail("boris@x.example", "lands@play.example", "ADD 10\nNAME lamp"),
		r.mail("clara@x.example", "lands@play.example", "ADD 100"),
	}
	b := &box{}
	reader := &Reader{Engine: r.Engine, Name: "box", Source: b}
	once := func() error {
		b.batches = []ingest.Batch{{Messages: letters, Next: "1", Until: r.now}}
		_, err := reader.Once(t.Context())
		return err
	}
	for try := range poisonTries - 1 {
		if err := once(); err == nil || r.sum("lands") != 0 {
			t.Fatalf("try %d: %v, sum %d", try, err, r.sum("lands"))
		}
	}
	equal(t, "told so far", r.told())
	if err := once(); err != nil || r.sum("lands") != 101 {
		t.Fatalf("at last: %v, sum %d", err, r.sum("lands"))
	}
	alarms := 0
	for _, it := range r.sent() {
		if it.Kind == "alarm" {
			alarms++
			if !strings.Contains(it.Text, "boris@x.example") || !strings.Contains(it.Text, "poison") {
				t.Errorf("the operator reads\n%s", it.Text)
			}
		}
	}
	list, err := ingest.List(t.Context(), r.DB.Read(), ingest.Failed, "", 9)
	if err != nil || len(list) != 1 || alarms != 1 {
		t.Fatalf("%d letters failed, %d alarms, %v", len(list), alarms, err)
	}
	if err := once(); err != nil {
		t.Errorf("the batch once more: %v", err)
	}
	equal(t, "told again", r.told())
	r.exec(`DROP TRIGGER poison`)
	if o, err := r.Retry(t.Context(), list[0].ID); err != nil || o.Status != ingest.Done || r.sum("lands") != 111 {
		t.Errorf("retried: %+v, %v, sum %d", o, err, r.sum("lands"))
	}
}

// TestAFaultOfNoLetterSetsNoneAside holds that letters are not blamed for a database that fails whatever they are.
func TestAFaultOfNoLetterSetsNoneAside(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.exec(`CREATE TRIGGER down BEFORE INSERT ON source BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`)
	b := &box{}
	reader := &Reader{Engine: r.Engine, Name: "box", Source: b}
	letter := r.mail("anna@x.example", "lands@play.example", "ADD 1")
	for range 2 * poisonTries {
		b.batches = []ingest.Batch{{Messages: []ingest.Message{letter}, Next: "1"}}
		if _, err := reader.Once(t.Context()); err == nil {
			t.Fatal("it did not fail")
		}
	}
	if n := r.count(`SELECT COUNT(*) FROM inbox`); n != 0 {
		t.Errorf("%d letters were set aside", n)
	}
	r.exec(`DROP TRIGGER down`)
	b.batches = []ingest.Batch{{Messages: []ingest.Message{letter}, Next: "1"}}
	if _, err := reader.Once(t.Context()); err != nil || r.sum("lands") != 1 {
		t.Errorf("%v, sum %d", err, r.sum("lands"))
	}
}

// TestAPanicOutsideOfTheRulesIsAnError holds that such a mistake stops no other work, and leaves nothing half done.
func TestAPanicOutsideOfTheRulesIsAnError(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "ADD 1")
	err := r.write(t.Context(), func(w *work) error {
		g, err := w.game("lands")
		if err != nil {
			return err
		}
		g.LastN = 1000
		panic("a mistake")
	})
	if err == nil || r.load("lands").LastN == 1000 {
		t.Errorf("%v, event %d", err, r.load("lands").LastN)
	}
	r.say("anna@x.example", "lands@play.example", "ADD 1")
	if r.sum("lands") != 2 {
		t.Errorf("sum %d", r.sum("lands"))
	}
}
