package forumsrc

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"arroba/forum/testboard"
)

// change lets somebody do something in the thread.
func (p *place) change(t *rapid.T) {
	p.pass(time.Duration(rapid.IntRange(1, 90).Draw(t, "seconds")) * time.Second)
	posts := p.Posts(p.thread)
	what := rapid.SampledFrom([]string{"post", "post", "posts", "edit", "edit", "delete", "restore", "wait", "approve"}).Draw(t, "what")
	if len(posts) == 0 {
		what = "posts"
	}
	some := func() testboard.Post { return posts[rapid.IntRange(0, len(posts)-1).Draw(t, "which")] }
	switch what {
	case "post":
		p.Post(p.thread, p.user.ID, "ADD 1")
	case "posts":
		for n := range rapid.IntRange(1, 12).Draw(t, "n") {
			p.Post(p.thread, p.user.ID, fmt.Sprint("ADD ", n))
		}
	case "edit":
		p.EditSilently(some().ID, fmt.Sprint("ADD ", rapid.IntRange(1, 3).Draw(t, "text")))
	case "delete":
		if post := some(); !post.Waiting {
			p.Delete(post.ID)
		}
	case "restore":
		p.Restore(some().ID)
	case "wait":
		p.Add(testboard.Post{Thread: p.thread, Author: p.user.ID, Text: "ADD 9", Waiting: true})
	case "approve":
		p.Approve(some().ID)
	}
}

// TestWhatIsToldIsWhatStands: whatever people do in a thread, while its pages are read too, and wherever the reading is
// broken off and begun again, in the end the posts have been told as they stand, each version once.
func TestWhatIsToldIsWhatStands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newPlace(t, testboard.SkinNamed(rapid.SampledFrom([]string{"phpbb33", "fluxbb15", "mybb18", "smf20", "discourse"}).Draw(t, "board")), 3)
		p.Post(p.thread, p.user.ID, "We play here.")
		busy := true
		p.meet = func(_ string, body []byte) []byte {
			if busy && rapid.IntRange(0, 3).Draw(t, "meanwhile") == 0 {
				p.change(t)
			}
			return body
		}
		for range rapid.IntRange(1, 5).Draw(t, "readings") {
			for range rapid.IntRange(0, 4).Draw(t, "changes") {
				p.change(t)
			}
			for range rapid.IntRange(1, 4).Draw(t, "batches") {
				b, err := p.open(t).Poll(context.Background(), p.at)
				if err == nil && rapid.IntRange(0, 4).Draw(t, "lost") > 0 { // else it was not committed
					p.take(t, b)
				}
			}
		}
		busy = false
		if len(p.stands()) == 0 { // a board without a post shows no thread
			p.say(1)
		}
		p.pass(25 * time.Hour)
		for range 3 { // a great loss is believed the second time
			p.poll(t)
		}
		if _, complete := p.poll(t); !complete {
			t.Error("a quiet thread is not read whole")
		}
		p.agrees(t)
	})
}
