package forumsrc

import (
	"context"
	"testing"
	"time"

	"arroba/forum/testboard"
)

// TestF11TheAddedPartIsALetterOfItsOwn: MyBB puts a second post into the first, without a new id.
func TestF11TheAddedPartIsALetterOfItsOwn(t *testing.T) {
	p := newPlace(t, testboard.SkinNamed("mybb18"), 10)
	id := p.Post(p.thread, p.user.ID, "CHALLENGE Boris\nat noon")
	p.poll(t)
	seen := p.until.Add(skew)
	p.EditSilently(id, "CHALLENGE Boris\nat noon\n[hr]\nMUSTER")
	keys, _ := p.poll(t)
	p.want(t, keys, "1/2")
	r := p.record(t, keys[0])
	if r.Added != 2 || len(r.Lines) != 3 || r.Lines[r.Added] != "MUSTER" {
		t.Errorf("from line %d of %q on it is new", r.Added, r.Lines)
	}
	if m := p.got[keys[0]]; !m.Arrived.After(seen) || !r.Posted.Early.Equal(seen) || !r.Posted.Late.Equal(m.Arrived) {
		t.Errorf("it arrived at %v, was made from %v to %v; last seen without at %v", m.Arrived, r.Posted.Early, r.Posted.Late, seen)
	}
	p.EditSilently(id, "CHALLENGE Igor\n[hr]\nMUSTER")
	if keys, _ = p.poll(t); len(keys) != 1 || p.record(t, keys[0]).Added != 0 {
		t.Errorf("a change is taken for an addition: %v", keys)
	}
}

// TestAPageOverTheBoundsIsBroughtInParts: what does not fit into a batch comes in the next, however long a page is.
func TestAPageOverTheBoundsIsBroughtInParts(t *testing.T) {
	p := newPlace(t, testboard.Skins()[0], 1200)
	for range 1100 {
		p.Post(p.thread, p.user.ID, "ADD 1")
	}
	p.pass(time.Minute)
	keys, complete := p.poll(t) // which holds the bounds of each batch
	if len(keys) != 1100 || !complete {
		t.Errorf("%d posts, complete %v", len(keys), complete)
	}
	p.agrees(t)
}

// TestABrokenReadingBringsWhatItHas: an error on the way loses nothing that was read before it, and is told then.
func TestABrokenReadingBringsWhatItHas(t *testing.T) {
	p := phpbb(t)
	p.say(35)
	p.Fail(testboard.Down.On(testboard.At("start=10")).Times(1))
	b, err := p.open(t).Poll(context.Background(), "")
	if err != nil || len(b.Messages) != 10 || !b.More {
		t.Fatalf("%d posts, more %v, %v", len(b.Messages), b.More, err)
	}
	p.take(t, b)
	p.Clear()
	p.Fail(testboard.Down)
	if _, err := p.open(t).Poll(context.Background(), p.at); err == nil {
		t.Error("a server in trouble is no error")
	}
	p.Clear()
	p.pass(2 * time.Hour)
	if keys, complete := p.poll(t); len(keys) != 25 || !complete {
		t.Errorf("%d posts, complete %v", len(keys), complete)
	}
	p.agrees(t)
}
