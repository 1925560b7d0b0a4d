package turns

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"arroba/ingest"
	"arroba/outbox"
)

// hall is threads whose sources the test fills.
type hall struct {
	*Threads
	boxes map[string]*box
	since map[string]func(context.Context) time.Time
}

func newHall(r *rig) *hall {
	h := &hall{boxes: map[string]*box{}, since: map[string]func(context.Context) time.Time{}}
	h.Threads = &Threads{Engine: r.Engine, Open: func(t Thread, since func(context.Context) time.Time) (ingest.Source, time.Duration, error) {
		if t.Source != "tavern" {
			return nil, 0, errors.New("there is no [[source]] of that name")
		}
		h.since[t.Name()] = since
		if h.boxes[t.Name()] == nil {
			h.boxes[t.Name()] = &box{}
		}
		return h.boxes[t.Name()], 0, nil
	}}
	return h
}

func (h *hall) names() (list []string) {
	for _, health := range h.Health() {
		list = append(list, health.Name)
	}
	return list
}

const readsThread = `thread = [{ source = "tavern", thread = 42 }]`

func TestThreadsOfGamesComeAndGo(t *testing.T) {
	r := newRig(t)
	h := newHall(r)
	once := func() {
		t.Helper()
		if err := h.Once(t.Context()); err != nil {
			t.Error(err)
		}
	}
	once()
	equal(t, "without a game", h.names())
	r.game("lands", readsThread)
	r.game("marches", `thread = [{ source = "tavern", thread = 42 }, { source = "tavern", thread = 7 }]`)
	once()
	equal(t, "with two games", h.names(), "tavern/42", "tavern/7")
	once()
	if n := h.boxes["tavern/42"].polls; n != 2 {
		t.Errorf("a thread of two games was polled %d times in two passes", n)
	}
	r.say("anna@x.example", "marches@play.example", "ADD 1000000")
	once()
	equal(t, "when one is over", h.names(), "tavern/42")
	r.say("anna@x.example", "lands@play.example", "ADD 1000000")
	once()
	equal(t, "when both are over", h.names())
}

func TestThePhaseOfAThread(t *testing.T) {
	r := newRig(t)
	h := newHall(r)
	r.game("lands", readsThread)
	if err := h.Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	since := func() time.Duration { return h.since["tavern/42"](t.Context()).Sub(noon) }
	if d := since(); d != 0 {
		t.Errorf("it began %v after the opening", d)
	}
	r.say("anna@x.example", "lands@play.example", "BELL a 60")
	r.read("box", r.now.Add(2*time.Minute))
	r.read("tavern/42", r.now.Add(2*time.Minute))
	r.now = r.now.Add(2 * time.Minute)
	if _, err := r.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.read("box", r.now)
	r.read("tavern/42", r.now)
	if _, err := r.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d := since(); d != 2*time.Minute {
		t.Errorf("after something fell due it began at %v", d)
	}
	r.now = r.now.Add(sinceMost + time.Hour)
	if d := since(); d < 30*time.Minute {
		t.Errorf("a thread is read again from long ago on: %v", d)
	}
}

// TestF21GMsHearOfAThreadThatStops: once when a person must see to it, and once when it goes on.
func TestF21GMsHearOfAThreadThatStops(t *testing.T) {
	r := newRig(t)
	h := newHall(r)
	r.game("lands", readsThread)
	if err := h.Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	b := h.boxes["tavern/42"]
	b.err = &ingest.StopError{Kind: "challenge", Err: errors.New("a guard wants to see a person")}
	for i := range 3 {
		r.now = r.now.Add(time.Minute)
		if err := h.Once(t.Context()); (err == nil) != (i > 0) {
			t.Errorf("pass %d: %v", i, err)
		}
	}
	items := r.sent()
	if len(items) != 2 {
		t.Fatalf("%d mails", len(items))
	}
	for _, it := range items {
		if !strings.Contains(it.Text, "guard page wants to see a person") || !strings.Contains(it.Text, "a guard wants to see a person") {
			t.Errorf("%s is told: %s", it.To, it.Text)
		}
	}
	b.err = nil
	r.now = r.now.Add(guardDelay)
	for range 2 {
		if err := h.Once(t.Context()); err != nil {
			t.Error(err)
		}
	}
	equal(t, "told", r.told(), "alarm ops@x.example", "question gm@lands.example")
}

// TestF21AStopHoldsAcrossPrograms: programs that run for one pass tell of a stop once between them, and leave the board
// alone as long as one that goes on does.
func TestF21AStopHoldsAcrossPrograms(t *testing.T) {
	stop := func(kind string) error { return &ingest.StopError{Kind: kind, Err: errors.New("no")} }
	for _, c := range []struct {
		name string
		err  error
		wait time.Duration
	}{
		{"a guard", stop("challenge"), guardDelay},
		{"a closed board", stop("closed"), stopDelay},
		{"a refused log-in", &ingest.AuthError{Err: errors.New("wrong password")}, loginDelay},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.game("lands", readsThread)
			var polls int
			pass := func(after time.Duration, err error) {
				t.Helper()
				r.now = r.now.Add(after)
				h := newHall(r)
				h.boxes["tavern/42"] = &box{err: err}
				_ = h.Once(t.Context()) // what it returns is the first one's alone
				polls = h.boxes["tavern/42"].polls
				if health := h.Health()[0]; (health.Err == nil) != (err == nil) || health.Down.IsZero() != (err == nil) {
					t.Errorf("its health is %+v", health)
				}
			}
			pass(0, c.err)
			equal(t, "told at first", r.told(), "alarm ops@x.example", "question gm@lands.example")
			for _, after := range []time.Duration{time.Second, c.wait / 2, c.wait/2 - 2*time.Second} {
				if pass(after, c.err); polls != 0 {
					t.Fatalf("the board was asked again %v before it should be", after)
				}
			}
			if pass(time.Second, c.err); polls != 1 {
				t.Error("it was not asked again when it was time")
			}
			equal(t, "told again", r.told())
			if err := outbox.TryAgain(t.Context(), r.DB, "source tavern/42"); err != nil {
				t.Fatal(err)
			}
			if pass(time.Second, nil); polls != 1 {
				t.Error("it was not asked when a person wanted it")
			}
			equal(t, "told when it goes on", r.told(), "alarm ops@x.example", "question gm@lands.example")
			pass(time.Second, c.err)
			equal(t, "told of another", r.told(), "alarm ops@x.example", "question gm@lands.example")
		})
	}
}

// TestAnOutageIsToldOnceAcrossPrograms: when it has lasted, whoever sees it.
func TestAnOutageIsToldOnceAcrossPrograms(t *testing.T) {
	r := newRig(t)
	pass := func(after time.Duration, err error) {
		r.now = r.now.Add(after)
		_, _ = (&Reader{Engine: r.Engine, Name: "box", Source: &box{err: err}}).Once(t.Context())
	}
	down := errors.New("no route to host")
	pass(0, down)
	equal(t, "told at once", r.told())
	pass(10*time.Minute, down)
	equal(t, "told when it lasts", r.told(), "alarm ops@x.example")
	pass(10*time.Minute, down)
	equal(t, "told again", r.told())
	pass(10*time.Minute, nil)
	equal(t, "told at its end", r.told(), "alarm ops@x.example")
}

func TestAThreadWithoutItsForumIsAnAlarm(t *testing.T) {
	r := newRig(t)
	h := newHall(r)
	r.game("lands", `thread = [{ source = "market", thread = 42 }]`)
	var stop *ingest.StopError
	if err := h.Once(t.Context()); !errors.As(err, &stop) || stop.Kind != "config" {
		t.Errorf("%v", err)
	}
	equal(t, "told", r.told(), "alarm ops@x.example", "question gm@lands.example")
}

func TestDelaysOfThreads(t *testing.T) {
	r := newRig(t)
	reader := &Reader{Engine: r.Engine, Name: "tavern/42"}
	for kind, want := range map[string]time.Duration{"challenge": guardDelay, "closed": stopDelay} {
		if d := reader.delay(&ingest.StopError{Kind: kind, Err: errors.New("no")}); d != want {
			t.Errorf("after %s it waits %v", kind, d)
		}
	}
}

// TestAThreadIsHurriedWithinReason: what hurries it over and over reads it every half minute.
func TestAThreadIsHurriedWithinReason(t *testing.T) {
	r := newRig(t)
	h := newHall(r)
	r.game("lands", readsThread)
	if err := h.update(t.Context()); err != nil {
		t.Fatal(err)
	}
	reader := h.list()[0]
	if reader.Least != threadLeast || reader.Every != threadEvery {
		t.Errorf("it is read every %v, at least %v apart", reader.Every, reader.Least)
	}
	ticker := &Ticker{Engine: r.Engine, Threads: h.Threads}
	reader.init()
	ticker.hurry(t.Context(), "lands")
	if len(reader.hurry) != 1 {
		t.Error("a game that is behind does not hurry its thread")
	}
	<-reader.hurry
	synctest.Test(t, func(t *testing.T) {
		b := &box{}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		defer cancel()
		bare := &Reader{Engine: r.Engine, Name: "none", Source: b, Every: time.Hour, Least: threadLeast}
		bare.init()
		for ctx.Err() == nil {
			bare.Hurry()
			b.polls++
			if err := bare.pause(ctx, nil); err != nil {
				break
			}
		}
		if b.polls > 21 {
			t.Errorf("it was read %d times in ten minutes", b.polls)
		}
	})
}
