package turns

import (
	"strings"
	"testing"
	"time"

	"arroba/ingest"
)

func TestDueThingsFireInOrder(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "BELL d 60\nEARLY o 60\nBELL first 30\nBELL last 90")
	r.sent()
	// A letter at the very instant comes after what fires early, and before what fires after it.
	r.now = r.now.Add(60 * time.Second)
	r.take(r.mail("anna@x.example", "lands@play.example", "ADD 1"))
	equal(t, "at the instant", r.events("lands"), "rang first", "rang o", "added")
	r.now = r.now.Add(time.Second)
	r.take(r.mail("anna@x.example", "lands@play.example", "ADD 1"))
	equal(t, "a second later", r.events("lands"), "rang first", "rang o", "added", "rang d", "added")
	r.now = r.now.Add(time.Hour)
	if _, err := r.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "with nobody writing", r.events("lands"), "rang first", "rang o", "added", "rang d", "added", "rang last")
	if got := r.load("lands").NextDue; !got.IsZero() {
		t.Errorf("something is due at %v", got)
	}
}

func TestWhatFiresBeforeALetterIsOneCause(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "BELL a 60\nBELL b 70")
	r.sent()
	r.now = r.now.Add(time.Hour)
	r.take(r.mail("anna@x.example", "lands@play.example", "NOTE IT"))
	equal(t, "told", r.told(), "copy gm@lands.example", "copy archive@x.example", "copy clara@x.example", "post tavern", "receipt anna@x.example", "copy gm@lands.example")
}

func TestEventsCarryTheirOwnInstant(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "BELL a 60")
	due := r.now.Add(time.Minute)
	r.now = r.now.Add(24 * time.Hour)
	if _, err := r.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := LastInputs(t.Context(), r.DB.Read(), "lands", 99, 1)
	if err != nil || list[0].Kind != kindDue || !list[0].At.Equal(due) {
		t.Errorf("%+v, %v; want one at %v", list, err, due)
	}
}

// read records that a source was read up to an instant and brought some letters.
func (r *rig) read(source string, until time.Time, list ...ingest.Message) {
	r.Helper()
	if _, err := r.Handle(r.Context(), source, ingest.Batch{Messages: list, Until: until}); err != nil {
		r.Fatal(err)
	}
}

func TestADueThingWaitsForEverySource(t *testing.T) {
	r := newRig(t, Feed{Name: "one", Address: "lands@play.example"}, Feed{Name: "two", Address: "lands@play.example"},
		Feed{Name: "elsewhere", Address: "marches@play.example"})
	r.game("lands")
	start := r.now
	r.read("one", start, r.mail("anna@x.example", "lands@play.example", "BELL a 60"))
	due := start.Add(time.Minute)
	tick := func() []string {
		t.Helper()
		behind, err := r.Tick(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return behind
	}
	r.now = start.Add(2 * time.Minute)
	equal(t, "behind", tick(), "lands")
	r.read("one", r.now)
	equal(t, "behind while the other source was not read", tick(), "lands")
	r.read("two", due)
	equal(t, "behind when it was read up to the instant", tick(), "lands")

	// A letter behind the instant waits, one before it does not, whatever source brings it.
	late := r.mail("anna@x.example", "lands@play.example", "ADD 10")
	r.read("one", r.now, late)
	equal(t, "events", r.events("lands"))
	r.now = start.Add(3 * time.Minute)
	early := r.mail("boris@x.example", "lands@play.example", "ADD 1")
	early.Arrived = due
	r.read("two", due.Add(time.Second), early)
	equal(t, "events in order of arrival", r.events("lands"), "added", "rang a", "added")
	equal(t, "behind", tick())
	if n := r.count(`SELECT COUNT(*) FROM inbox WHERE status <> 'done'`); n != 0 {
		t.Errorf("%d letters are not done", n)
	}
}

func TestASourceThatWasNeverReadHoldsNothingElseBack(t *testing.T) {
	r := newRig(t, Feed{Name: "one", Address: "lands@play.example"}, Feed{Name: "elsewhere", Game: "marches"})
	r.game("lands")
	r.read("one", r.now, r.mail("anna@x.example", "lands@play.example", "BELL a 60"))
	r.now = r.now.Add(time.Hour)
	r.read("one", r.now)
	if _, err := r.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "events", r.events("lands"), "rang a")
}

func TestALetterReadLateIsRuledOnAtThePresent(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "BELL a 60")
	r.now = r.now.Add(time.Hour)
	if _, err := r.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	old := r.mail("boris@x.example", "lands@play.example", "ADD 1")
	old.Arrived = noon.Add(30 * time.Second)
	h := r.take(old)
	list, err := Inputs(t.Context(), r.DB.Read(), "lands", h.Letters[0].Input-1, 1)
	if err != nil || !list[0].At.Equal(noon.Add(2*time.Minute)) {
		t.Errorf("ruled on as of %v, %v", list[0].At, err)
	}
}

func TestADueThingThatPanicsHoldsTheGame(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.game("marches")
	r.say("anna@x.example", "lands@play.example", "BELL a 50\nFUSE 60\nBELL b 70")
	r.say("anna@x.example", "marches@play.example", "BELL c 60")
	r.sent()
	r.now = r.now.Add(time.Hour)
	if _, err := r.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "lands", r.events("lands"), "rang a")
	equal(t, "marches", r.events("marches"), "rang c")
	if r.load("lands").Held == "" || r.load("marches").Held != "" {
		t.Error("the wrong game is held")
	}
	told := len(r.told())
	if _, err := r.Tick(t.Context()); err != nil || told == 0 {
		t.Errorf("told %d times, %v", told, err)
	}
	equal(t, "told again", r.told())
}

func TestALetterBehindAFuseWaits(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "FUSE 60")
	r.now = r.now.Add(time.Hour)
	if got := r.say("anna@x.example", "lands@play.example", "ADD 1"); got.Status != ingest.Waiting {
		t.Errorf("status %s: it is not the letter that failed", got.Status)
	}
}

func TestAnotherProcessIsSeen(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	other := rigOn(t, r.DB)
	other.n = 100
	for i := range 3 {
		r.say("anna@x.example", "lands@play.example", "ADD 1")
		other.now = r.now
		other.say("anna@x.example", "lands@play.example", "ADD 10")
		if a, b := r.sum("lands"), other.sum("lands"); a != int64(11*(i+1)) || b != a {
			t.Errorf("sums %d and %d", a, b)
		}
	}
	other.game("marches")
	r.say("anna@x.example", "marches@play.example", "ADD 1")
	if got := r.sum("marches"); got != 1 {
		t.Errorf("a new game is not seen: sum %d", got)
	}
}

func TestManyLettersThatWaitedGoInOrder(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "BOOM")
	var list []ingest.Message
	for range maxWaiting + 100 {
		r.now = r.now.Add(time.Second)
		list = append(list, r.mail("anna@x.example", "lands@play.example", "ADD 1"))
	}
	r.take(list[:maxWaiting]...)
	r.take(list[maxWaiting:]...)
	if _, err := r.Resume(t.Context(), "lands"); err != nil {
		t.Fatal(err)
	}
	if n := r.count(`SELECT COUNT(*) FROM inbox WHERE status = 'waiting'`); n != 100 {
		t.Fatalf("%d letters still wait, want 100", n)
	}
	r.say("anna@x.example", "lands@play.example", "USE lamp") // a stranger to the hundred before it
	if _, err := r.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := r.sum("lands"); got != maxWaiting+100 {
		t.Errorf("sum %d", got)
	}
	if n := r.count(`SELECT COUNT(*) FROM inbox WHERE status = 'waiting'`); n != 0 {
		t.Errorf("%d letters still wait", n)
	}
	if n := r.count(`SELECT COUNT(*) FROM input a, input b WHERE a.game = b.game AND a.n < b.n AND a.at > b.at`); n != 0 {
		t.Errorf("%d pairs of letters out of order", n)
	}
}

// What goes wrong in one of many games that are due at once, a rule or the database, stops that game only.
func TestGamesDueAtOnceDoNotStopEachOther(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"fens", "hills", "lands", "marches"} {
		r.game(name)
		order := "BELL one 60"
		if name == "hills" {
			order = "FUSE 60"
		}
		r.take(r.mail("anna@x.example", name+"@play.example", order))
	}
	r.exec(`CREATE TRIGGER broken BEFORE INSERT ON input WHEN NEW.game = 'fens' BEGIN SELECT RAISE(ABORT, 'broken'); END`)
	r.now = r.now.Add(2 * time.Minute)
	r.take() // read past it
	if _, err := r.Tick(t.Context()); err == nil || !strings.Contains(err.Error(), "fens") || strings.Contains(err.Error(), "lands") {
		t.Errorf("error %v, want one of the game fens alone", err)
	}
	equal(t, "fens", r.events("fens"))
	equal(t, "lands", r.events("lands"), "rang one")
	equal(t, "marches", r.events("marches"), "rang one")
	if r.load("hills").Held == "" {
		t.Error("the game whose rule failed is not held")
	}
	r.exec(`DROP TRIGGER broken`)
	if _, err := r.Tick(t.Context()); err != nil {
		t.Error(err)
	}
	equal(t, "fens, mended", r.events("fens"), "rang one")
}
