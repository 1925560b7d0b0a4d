package turns

import (
	"slices"
	"strings"
	"testing"

	"arroba/ingest"
	"arroba/outbox"
)

// TestTheLastReadyClosesWithItsLetter: not before the orders further down in it are kept, and before anything later; and
// a TEST of it shows nothing of what would come out.
func TestTheLastReadyClosesWithItsLetter(t *testing.T) {
	r := inRounds(t, "2026-03-01T12:00:00Z", "at = \"20:00\"")
	r.order("anna@x.example", "SEND 4 TO Ford\nREADY")
	r.sent()
	equal(t, "tried", []string{r.order("boris@x.example", "TEST\nREADY\nSEND 5 TO Ford")}, "accepted E-TEST, accepted E-READY, accepted MU-1")
	for _, it := range r.sent() {
		if strings.Contains(it.Text, "takes Ford") || strings.Contains(it.Text, "is over") {
			t.Errorf("a TEST shows what comes out:\n%s", it.Text)
		}
	}
	equal(t, "nothing happened", r.events("lands"))
	h := r.take(r.arrives(r.now, "boris@x.example", "READY\nSEND 5 TO Ford"), r.arrives(r.now, "anna@x.example", "SEND 9 TO Ford"))
	equal(t, "said", slices.Concat(r.verdicts(h.Letters[0]), r.verdicts(h.Letters[1])), "accepted E-READY", "accepted MU-1", "accepted MU-1")
	equal(t, "events", r.events("lands"), "round-closed", "place-taken", "round-began")
	if said := r.sent(); !strings.Contains(said[len(said)-1].Text, "for round 2") {
		t.Errorf("what came later counts for the round that closed:\n%s", said[len(said)-1].Text)
	}
	r.replays()
}

// TestOneMailForALetterAndWhatItLetsHappen: the writer's receipt tells what came of it, and nobody has two mails. The
// receipt's number is the letter's.
func TestOneMailForALetterAndWhatItLetsHappen(t *testing.T) {
	r := inRounds(t, "2026-03-01T12:00:00Z", "at = \"20:00\"")
	r.order("anna@x.example", "READY")
	r.sent()
	r.order("boris@x.example", "SEND 5 TO Ford\nREADY")
	mails := map[string]int{}
	for _, it := range r.sent() {
		mails[it.Via+" "+it.To]++
		if it.Kind == outbox.Receipt && (!strings.Contains(it.Text, "takes Ford") || !strings.Contains(it.Text, "Receipt 2-")) {
			t.Errorf("the receipt does not tell what came of the letter:\n%s", it.Text)
		}
	}
	for to, n := range mails {
		if n != 1 {
			t.Errorf("%d to %s", n, to)
		}
	}
	if len(mails) < 3 {
		t.Errorf("mails: %v", mails)
	}
	r.replays()
}

// TestAFaultInWhatALetterLetsHappen: the letter is done and logged, and the game held.
func TestAFaultInWhatALetterLetsHappen(t *testing.T) {
	r := newRig(t)
	r.game("toy")
	r.sent()
	o := r.say("anna@x.example", "toy@play.example", "ADD 1\nSQUIB")
	if g := r.load("toy"); o.Status != ingest.Done || g.LastInput != 1 || !strings.Contains(g.Held, "the fuse burnt down") {
		t.Errorf("%s, input %d, held: %s", o.Status, g.LastInput, g.Held)
	}
	if told := r.told(); !slices.Contains(told, "receipt anna@x.example") || !slices.Contains(told, "question gm@toy.example") {
		t.Errorf("told: %v", told)
	}
}
