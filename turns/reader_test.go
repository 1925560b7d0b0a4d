package turns

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"arroba/ingest"
)

// box is a source that the test fills.
type box struct {
	batches []ingest.Batch
	err     error
	polls   int
	marked  []string
	refuses error // what marking is answered
	hint    chan struct{}
}

func (b *box) Poll(_ context.Context, at ingest.Cursor) (ingest.Batch, error) {
	b.polls++
	if b.err != nil {
		return ingest.Batch{}, b.err
	}
	if len(b.batches) == 0 {
		return ingest.Batch{Next: at}, nil
	}
	next := b.batches[0]
	b.batches = b.batches[1:]
	next.More = len(b.batches) > 0
	return next, nil
}

func (b *box) Mark(_ context.Context, keys []string) error {
	if b.refuses == nil {
		b.marked = append(b.marked, keys...)
	}
	return b.refuses
}

func (b *box) Wait(ctx context.Context) error {
	select {
	case <-b.hint:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestReaderReadsAllAndMarksAfterwards(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	one, two := r.mail("anna@x.example", "lands@play.example", "ADD 1"), r.mail("anna@x.example", "lands@play.example", "ADD 2")
	b := &box{batches: []ingest.Batch{{Messages: []ingest.Message{one}, Next: "1"}, {Messages: []ingest.Message{two}, Next: "2"}}}
	reader := &Reader{Engine: r.Engine, Name: "box", Source: b}
	n, err := reader.Once(t.Context())
	if err != nil || n != 2 || r.sum("lands") != 3 {
		t.Errorf("%d letters, sum %d, %v", n, r.sum("lands"), err)
	}
	equal(t, "marked", b.marked, one.Key, two.Key)
	if at, _, err := ingest.Load(t.Context(), r.DB.Read(), "box"); at != "2" || err != nil {
		t.Errorf("read up to %q, %v", at, err)
	}
	if h := reader.Health(); !h.LastRead.Equal(r.now) || h.Err != nil {
		t.Errorf("health %+v", h)
	}
}

// TestLettersAreMarkedLater holds that a letter whose mark was refused, or that a person settled, is marked in the end,
// once; and that a server which refuses is left alone for a while.
func TestLettersAreMarkedLater(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	done, desk := r.mail("anna@x.example", "lands@play.example", "ADD 1"), r.mail("eve@x.example", "lands@play.example", "ADD 2")
	b := &box{batches: []ingest.Batch{{Messages: []ingest.Message{done, desk}, Next: "1"}}, refuses: errors.New("over quota")}
	reader := &Reader{Engine: r.Engine, Name: "box", Source: b}
	once := func() {
		if _, err := reader.Once(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	once()
	b.refuses = nil
	once()
	equal(t, "marked soon after the refusal", b.marked)
	r.now = r.now.Add(2 * markDelay)
	once()
	equal(t, "marked later", b.marked, done.Key)
	list, err := ingest.List(t.Context(), r.DB.Read(), ingest.Desk, "", 1)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if err := r.Drop(t.Context(), list[0].ID, ""); err != nil {
		t.Fatal(err)
	}
	once()
	once()
	equal(t, "marked when it was settled", b.marked, done.Key, desk.Key)
}

func TestAnOutageIsToldOnceAndItsEndOnce(t *testing.T) {
	r := newRig(t)
	b := &box{err: errors.New("no route to host")}
	reader := &Reader{Engine: r.Engine, Name: "box", Source: b}
	poll := func() { reader.Once(t.Context()) }
	poll()
	equal(t, "at once", r.told())
	for range 5 {
		r.now = r.now.Add(time.Minute)
		poll()
	}
	equal(t, "after some minutes", r.told(), "alarm ops@x.example")
	if h := reader.Health(); !h.Down.Equal(noon) || h.Err == nil {
		t.Errorf("health %+v", h)
	}
	b.err = nil
	poll()
	poll()
	equal(t, "at its end", r.told(), "alarm ops@x.example")
	b.err = errors.New("again")
	poll()
	b.err = nil
	poll()
	equal(t, "a short one", r.told())
}

func TestARefusedLoginIsToldAtOnceAndLeftAlone(t *testing.T) {
	r := newRig(t)
	b := &box{err: &ingest.AuthError{Err: errors.New("wrong password")}}
	reader := &Reader{Engine: r.Engine, Name: "box", Source: b}
	_, err := reader.Once(t.Context())
	equal(t, "told", r.told(), "alarm ops@x.example")
	if d := reader.delay(err); d < 10*time.Minute {
		t.Errorf("it is tried again after %v", d)
	}
	reader.Once(t.Context())
	equal(t, "told again", r.told())
}

func TestDelaysGrow(t *testing.T) {
	reader := &Reader{}
	last := time.Duration(0)
	for reader.trouble.Tries = 1; reader.trouble.Tries < 40; reader.trouble.Tries++ {
		d := reader.delay(errors.New("no"))
		if d < last/4 || d > lastDelay || reader.trouble.Tries > 12 && d < lastDelay/2 {
			t.Errorf("after %d tries %v, before it %v", reader.trouble.Tries, d, last)
		}
		last = d
	}
}

func TestRunPollsOnHintsAndWhenHurried(t *testing.T) {
	r := newRig(t)
	synctest.Test(t, func(t *testing.T) {
		b := &box{hint: make(chan struct{})}
		reader := &Reader{Engine: r.Engine, Name: "box", Source: b, Every: time.Hour}
		reader.init()
		ctx, cancel := context.WithCancel(context.Background())
		rested := make(chan struct{})
		rest := func() {
			go func() { reader.rest(ctx); rested <- struct{}{} }()
			synctest.Wait()
		}
		begin := time.Now()
		rest()
		b.hint <- struct{}{}
		<-rested
		rest()
		reader.Hurry()
		<-rested
		if waited := time.Since(begin); waited != 0 {
			t.Errorf("hints took %v", waited)
		}
		rest()
		<-rested
		if waited := time.Since(begin); waited != time.Hour {
			t.Errorf("without a hint it rested %v", waited)
		}
		rest()
		cancel()
		<-rested
	})
}

func TestTickerHurriesTheReadersOfAGameThatIsBehind(t *testing.T) {
	r := newRig(t, Feed{Name: "box", Address: "lands@play.example"}, Feed{Name: "other", Game: "marches"})
	r.game("lands")
	r.read("box", r.now, r.mail("anna@x.example", "lands@play.example", "BELL a 60"))
	box, other := &Reader{Engine: r.Engine, Name: "box"}, &Reader{Engine: r.Engine, Name: "other"}
	box.init()
	other.init()
	ticker := &Ticker{Engine: r.Engine, Readers: []*Reader{box, other}}
	r.now = r.now.Add(time.Hour)
	if err := ticker.Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(box.hurry) != 1 || len(other.hurry) != 0 {
		t.Errorf("hurried: %d and %d", len(box.hurry), len(other.hurry))
	}
	r.read("box", r.now)
	if err := ticker.Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "events", r.events("lands"), "rang a")
}
