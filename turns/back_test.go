package turns

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/rules"
)

func (r *rig) gm(text string) Outcome {
	r.Helper()
	return r.say("gm@lands.example", "lands@play.example", text)
}

func (r *rig) anna(text string) Outcome {
	r.Helper()
	return r.say("anna@x.example", "lands@play.example", text)
}

// same complains when the game reads otherwise from the database than it stands in memory, or its log is broken.
func (r *rig) same(game string) {
	r.Helper()
	before := r.encoded(game)
	if _, err := r.Replay(r.Context(), game, nil); err != nil {
		r.Error(err)
	}
	r.forget(game)
	if after := r.encoded(game); !bytes.Equal(before, after) {
		r.Errorf("read afresh it is another state:\n%s\n%s", before, after)
	}
	r.exec(`DELETE FROM snapshot WHERE game = $1 AND n > 0`, game)
	r.forget(game)
	if after := r.encoded(game); !bytes.Equal(before, after) {
		r.Errorf("played again from the opening it is another state:\n%s\n%s", before, after)
	}
	if err := CheckChain(r.Context(), r.DB.Read(), game); err != nil {
		r.Error(err)
	}
	if _, err := r.Replay(r.Context(), game, func(said string) { r.Error(said) }); err != nil {
		r.Error(err)
	}
}

// Of the letters, each adds a power of two: the sum tells which are in force. Event 1 is the opening's.
func TestRollback(t *testing.T) {
	tests := []struct {
		name    string
		letters []string // from Anna, from the GM where they begin with a GM's word
		want    []string // verdicts of the last one
		sum     int64
	}{
		{"to the middle of a letter", []string{"ADD 1\nADD 2\nADD 4", "ADD 8", "ROLLBACK TO EVENT 3"}, []string{"accepted E-ROLLBACK"}, 3},
		{"in Russian", []string{"ADD 1", "ADD 2", "ОТКАТ К СОБЫТИЮ 2"}, []string{"accepted E-ROLLBACK"}, 1},
		{"to the end", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 3"}, []string{"accepted E-ROLLBACK"}, 3},
		{"to the opening", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 1"}, []string{"accepted E-ROLLBACK"}, 0},
		{"lines without events do not count", []string{"NAME lamp\nADD 1\nNAME oil\nADD 2", "ADD 4", "ROLLBACK TO EVENT 2"}, []string{"accepted E-ROLLBACK"}, 1},
		{"twice, further back", []string{"ADD 1", "ADD 2", "ADD 4", "ROLLBACK TO EVENT 3", "ADD 8", "ROLLBACK TO EVENT 2"}, []string{"accepted E-ROLLBACK"}, 1},
		{"over a rollback, to after it", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2", "ADD 4", "ADD 8", "ROLLBACK TO EVENT 5"}, []string{"accepted E-ROLLBACK"}, 5},
		{"to a rollback", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2\nAS Anna\nADD 16", "ADD 4", "ROLLBACK TO EVENT 4"}, []string{"accepted E-ROLLBACK"}, 1},
		{"to what was undone", []string{"ADD 1", "ADD 2", "ADD 4", "ROLLBACK TO EVENT 2", "ADD 8", "ROLLBACK TO EVENT 3"}, []string{"accepted E-ROLLBACK"}, 3},
		{"orders after it act on the earlier state", []string{"NAME lamp", "ADD 1", "ADD 2", "ROLLBACK TO EVENT 2\nAS Anna\nADD 4\nUSE lamp"},
			[]string{"accepted E-ROLLBACK", "accepted E-AS", "accepted T-1", "accepted T-5"}, 5},
		{"and cannot name what was not yet", []string{"ADD 1", "NAME lamp", "ROLLBACK TO EVENT 2\nAS Anna\nUSE lamp"},
			[]string{"accepted E-ROLLBACK", "accepted E-AS", "unclear"}, 1},
		{"orders before it in the same letter", []string{"ADD 1", "AS Anna\nADD 2\nAS Gareth\nROLLBACK TO EVENT 2"},
			[]string{"accepted E-AS", "accepted T-1", "accepted E-AS", "accepted E-ROLLBACK"}, 1},
		{"twice in one letter", []string{"ADD 1", "ADD 2", "ADD 4", "ROLLBACK TO EVENT 3\nAS Anna\nADD 8\nAS Gareth\nROLLBACK TO EVENT 2"},
			[]string{"accepted E-ROLLBACK", "accepted E-AS", "accepted T-1", "accepted E-AS", "accepted E-ROLLBACK"}, 1},
		{"too far on", []string{"ADD 1", "ROLLBACK TO EVENT 3"}, []string{"refused E-ROLLBACK"}, 1},
		{"to nothing", []string{"ADD 1", "ROLLBACK TO EVENT 0"}, []string{"refused E-ROLLBACK"}, 1},
		{"to an event of the same letter", []string{"ADD 1", "AS Anna\nADD 2\nAS Gareth\nROLLBACK TO EVENT 3"},
			[]string{"accepted E-AS", "accepted T-1", "accepted E-AS", "refused E-ROLLBACK"}, 3},
		{"by a player", []string{"ADD 1", "ADD 2\nROLLBACK TO EVENT 2"}, []string{"accepted T-1", "refused T-8"}, 3},
		{"a test of it", []string{"ADD 1", "ADD 2", "TEST\nROLLBACK TO EVENT 2"}, []string{"accepted E-TEST", "accepted E-ROLLBACK"}, 3},
		{"a round", []string{"ADD 1\nTURN OVER\nADD 2", "ADD 4", "TURN OVER", "ADD 8", "ROLLBACK TO ROUND 2"}, []string{"accepted E-ROLLBACK"}, 1},
		{"the first round", []string{"ADD 1\nTURN OVER\nADD 2", "ADD 4", "ОТКАТ К РАУНДУ 1"}, []string{"accepted E-ROLLBACK"}, 0},
		{"a round that began twice", []string{"TURN OVER", "ADD 1", "TURN OVER", "ADD 2", "ROLLBACK TO ROUND 2\nAS Anna\nADD 4\nTURN OVER", "ADD 8", "ROLLBACK TO ROUND 3"},
			[]string{"accepted E-ROLLBACK"}, 4},
		{"a round that is to come", []string{"TURN OVER", "ADD 1", "ROLLBACK TO ROUND 3"}, []string{"refused E-ROLLBACK"}, 1},
		{"a round that was undone", []string{"TURN OVER", "TURN OVER", "ADD 1", "ROLLBACK TO ROUND 2", "ROLLBACK TO ROUND 3"}, []string{"refused E-ROLLBACK"}, 0},
		{"all again", []string{"ADD 1", "ADD 2\nADD 0", "ADD 4", "ROLLBACK TO EVENT 2", "REDO ALL"}, []string{"accepted E-REDO"}, 7},
		{"one again", []string{"ADD 1", "ADD 2", "ADD 4", "ROLLBACK TO EVENT 2", "ВЕРНУТЬ 3"}, []string{"accepted E-REDO"}, 5},
		{"several again, one named twice", []string{"ADD 1", "ADD 2", "ADD 4", "ROLLBACK TO EVENT 1", "REDO 3, 1, 3"}, []string{"accepted E-REDO"}, 5},
		{"half a letter again", []string{"ADD 1\nADD 2\nADD 4", "ROLLBACK TO EVENT 3", "REDO ALL"}, []string{"accepted E-REDO"}, 7},
		{"nothing again", []string{"ADD 1", "ВЕРНУТЬ ВСЁ"}, []string{"refused E-REDO"}, 1},
		{"what is in force", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2", "REDO 1"}, []string{"refused E-REDO"}, 1},
		{"one of two not", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2", "REDO 1, 2"}, []string{"refused E-REDO"}, 1},
		{"what never was", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2", "REDO 9"}, []string{"refused E-REDO"}, 1},
		{"twice again", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2", "REDO ALL", "REDO 2"}, []string{"refused E-REDO"}, 3},
		{"all twice again in one letter", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2", "REDO ALL\nREDO ALL"}, []string{"accepted E-REDO", "refused E-REDO"}, 3},
		{"all of two rollbacks in a row", []string{"ADD 1", "ADD 2", "ADD 4", "ROLLBACK TO EVENT 3", "ADD 8", "ROLLBACK TO EVENT 2", "REDO ALL"}, []string{"accepted E-REDO"}, 15},
		{"not what an earlier rollback took back before", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2", "ADD 4", "ADD 8", "ROLLBACK TO EVENT 5", "REDO ALL"}, []string{"accepted E-REDO"}, 13},
		{"but by its number", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2", "ADD 4", "ADD 8", "ROLLBACK TO EVENT 5", "REDO 2"}, []string{"accepted E-REDO"}, 7},
		{"what was given again and undone again", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2", "REDO ALL", "ADD 4", "ROLLBACK TO EVENT 4", "REDO ALL"}, []string{"accepted E-REDO"}, 7},
		{"rollback and again in one letter", []string{"ADD 1", "ADD 2", "ADD 4", "ROLLBACK TO EVENT 2\nREDO 3\nROLLBACK TO EVENT 4\nREDO ALL"},
			[]string{"accepted E-ROLLBACK", "accepted E-REDO", "accepted E-ROLLBACK", "refused E-REDO"}, 7},
		{"a GM's orders on a member's behalf", []string{"ADD 1", "AS Anna\nADD 2", "ROLLBACK TO EVENT 2", "REDO ALL"}, []string{"accepted E-REDO"}, 3},
		{"a test of it", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2", "TEST\nREDO ALL"}, []string{"accepted E-TEST", "accepted E-REDO"}, 1},
		{"what a test tried", []string{"ADD 1", "TEST\nADD 2", "ROLLBACK TO EVENT 1", "REDO 2"}, []string{"refused E-REDO"}, 0},
		{"questions and press are not given again", []string{"ADD 1", "STATUS\nPRESS TO Boris\nADD 2\nEND PRESS\nLANGUAGE en", "ROLLBACK TO EVENT 2", "REDO ALL"}, []string{"refused E-REDO"}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.game("lands")
			var last Outcome
			for i, l := range tt.letters {
				word := strings.Fields(l)[0]
				if slices.Contains([]string{"ROLLBACK", "REDO", "AS", "ОТКАТ", "ВЕРНУТЬ"}, word) || strings.HasPrefix(l, "TEST\nR") {
					last = r.gm(l)
				} else {
					last = r.anna(l)
				}
				if i < len(tt.letters)-1 {
					for _, v := range r.verdicts(last) {
						if v == "unclear" {
							t.Fatalf("%q is unclear", l)
						}
					}
				}
			}
			equal(t, "verdicts", r.verdicts(last), tt.want...)
			if got := r.sum("lands"); got != tt.sum {
				t.Errorf("sum %d, want %d", got, tt.sum)
			}
			if n, want := r.count(`SELECT COUNT(*) FROM turn`), r.turned(); n != want {
				t.Errorf("%d turns are kept, and the log has %d", n, want)
			}
			r.same("lands")
		})
	}
}

// turned counts the ROLLBACKs and REDOs of the log that were no test.
func (r *rig) turned() (n int) {
	r.Helper()
	list, err := Inputs(r.Context(), r.DB.Read(), "lands", 0, 1000)
	if err != nil {
		r.Fatal(err)
	}
	for i := range list {
		body, err := list[i].DecodeLetter()
		if err != nil {
			r.Fatal(err)
		}
		for _, o := range body.Orders {
			if o.Verdict == "accepted" && (o.Rule == "E-ROLLBACK" || o.Rule == "E-REDO") && !body.Test {
				n++
			}
		}
	}
	return n
}

// What had fallen due since falls due again, at once, at the present.
func TestDueThingsUndoneFallDueAgain(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.anna("BELL a 60\nADD 1")
	r.now = r.now.Add(time.Hour)
	r.anna("ADD 2")
	equal(t, "events", r.events("lands"), "added", "rang a", "added")
	r.gm("ROLLBACK TO EVENT 2")
	r.now = r.now.Add(time.Second)
	if _, err := r.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "events", r.events("lands"), "added", "rang a", "added", "rolled-back", "rang a")
	if in, _ := r.lastInput(); !in.At.Equal(r.now.Add(-time.Second)) {
		t.Errorf("it fell due again as of %v, and the game went back at %v", in.At, r.now.Add(-time.Second))
	}
	r.forget("lands")
	r.gm("REDO ALL")
	equal(t, "events", r.events("lands"), "added", "rang a", "added", "rolled-back", "rang a", "added")
	r.same("lands")
}

func TestEverybodyIsToldWhatIsUndone(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.anna("ADD 1")
	r.anna("ADD 2\nTELL Boris\nADD 0\nSTATUS")
	r.say("boris@x.example", "lands@play.example", "NAME lamp")
	r.gm("AS Clara\nADD 4")
	r.sent()
	r.gm("ROLLBACK TO EVENT 2")
	told := map[string]string{}
	for _, it := range r.sent() {
		if it.Via == "mail" {
			told[it.To] += it.Text + "\x00"
		}
	}
	for to, has := range map[string][]string{
		"anna@x.example":    {"letter no. 2:\n> ADD 2\n> TELL Boris\n", "3 letters"},
		"boris@x.example":   {"письма № 3:\n> NAME lamp\n", "3 письма"},
		"clara@x.example":   {"letter no. 4:\n> ADD 4\n"},
		"gm@lands.example":  {"> REDO ALL\n", "> REDO 2\nLetter no. 2, by Anna:\n> ADD 2\n> TELL Boris\n", "> REDO 3\nLetter no. 3, by Boris:\n> NAME lamp\n", "> REDO 4\nLetter no. 4, by Gareth:\n> ADD 4\n"},
		"archive@x.example": {"just after event", "3 letters"},
	} {
		for _, s := range has {
			if strings.Count(told[to], "\x00") != 1 || !strings.Contains(told[to], s) {
				t.Errorf("%s reads no %q:\n%s", to, s, told[to])
			}
		}
		if strings.Contains(told[to], "ADD 0") || strings.Contains(told[to], "STATUS") || to != "gm@lands.example" && to != "anna@x.example" && strings.Contains(told[to], "TELL Boris") {
			t.Errorf("%s reads too much:\n%s", to, told[to])
		}
	}
	r.gm("REDO ALL")
	for _, it := range r.sent() {
		want := map[string]string{
			"anna@x.example":   "letter no. 2:\n\n> ADD 2\nVerdict: accepted (T-1).\n\n> TELL Boris\nVerdict: accepted (T-2).\n",
			"gm@lands.example": "Letter no. 4, by Gareth:\n\n> ADD 4\nVerdict: accepted (T-1).\n",
			"boris@x.example":  "письма № 3:\n\n> NAME lamp\nВердикт: принято (T-5).\n",
		}[it.To]
		if !strings.Contains(it.Text, want) {
			t.Errorf("%s reads no %q:\n%s", it.To, want, it.Text)
		}
	}
	for _, by := range []string{`"by":"Anna","n":2,"sum":3`, `"by":"Clara","n":4,"sum":7`} {
		if n := r.count(`SELECT COUNT(*) FROM input WHERE n = 6 AND events LIKE $1`, "%"+by+"%"); n != 1 {
			t.Errorf("the log has no %s", by)
		}
	}
	r.same("lands")
}

// What cannot be given again as things stand comes to its writer with the reason.
func TestWhatIsGivenAgainIsRuledOnAnew(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.anna("NAME lamp")
	r.anna("USE lamp\nADD 1")
	r.gm("ROLLBACK TO EVENT 1")
	r.sent()
	r.gm("REDO 2")
	for _, it := range r.sent() {
		if it.Via == "mail" && it.To != "archive@x.example" && it.To != "clara@x.example" && it.To != "boris@x.example" &&
			(!strings.Contains(it.Text, "> USE lamp\nVerdict: unclear") || !strings.Contains(it.Text, "> ADD 1\nVerdict: accepted")) {
			t.Errorf("%s reads\n%s", it.To, it.Text)
		}
	}
	in, _ := r.lastInput()
	e, err := in.Entry("lands")
	if err != nil || len(e.Orders) != 3 || e.Orders[1].For != "Anna" || e.Orders[1].Verdict != "unclear" || e.Orders[2].For != "Anna" {
		t.Errorf("the log shows %+v, %v", e.Orders, err)
	}
	r.same("lands")
}

func TestARollbackInAPausedGame(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.anna("ADD 1")
	r.anna("ADD 2")
	r.exec(`UPDATE game SET paused = 1, pause_why = 'snow'`)
	r.forget("lands")
	r.gm("TEST\nROLLBACK TO EVENT 2")
	if got := r.load("lands"); !got.Paused.Before(noon) {
		t.Errorf("a test changed it: %v", got.Paused)
	}
	r.gm("ROLLBACK TO EVENT 2")
	if got := r.load("lands"); !got.Paused.Equal(r.now) || got.PauseWhy != "snow" {
		t.Errorf("paused since %v for %q, want now", got.Paused, got.PauseWhy)
	}
	in, _ := r.lastInput()
	body, err := in.DecodeLetter()
	if err != nil || !body.Orders[0].Order.Is("held") {
		t.Errorf("the log does not say that the game is held: %+v, %v", body, err)
	}
}

// A ROLLBACK is never played again just to read the game: its snapshot is written with it.
func TestASnapshotIsWrittenRightAfterARollback(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.anna("ADD 1")
	r.anna("ADD 2")
	o := r.gm("ROLLBACK TO EVENT 2")
	if n := r.count(`SELECT MAX(n) FROM snapshot`); int64(n) != o.Input {
		t.Errorf("the last snapshot is after input %d, want %d", n, o.Input)
	}
	r.exec(`DELETE FROM snapshot WHERE n > 0`)
	r.exec(`UPDATE input SET events = REPLACE(events, 'Anna', 'Anya') WHERE n = 1`)
	r.forget("lands")
	if err := r.look(t.Context(), "lands", func(*live) error { return nil }); err == nil {
		t.Error("the log was changed, and nobody saw it")
	}
}

// Letters of one batch before the ROLLBACK are not written yet when it looks for them.
func TestARollbackOfItsOwnBatch(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	a, b := r.mail("anna@x.example", "lands@play.example", "ADD 1"), r.mail("anna@x.example", "lands@play.example", "ADD 2")
	c, d := r.mail("gm@lands.example", "lands@play.example", "ROLLBACK TO EVENT 2"), r.mail("anna@x.example", "lands@play.example", "ADD 4")
	e := r.mail("gm@lands.example", "lands@play.example", "REDO ALL")
	r.take(a, b, c, d, e)
	if got := r.sum("lands"); got != 7 {
		t.Errorf("sum %d, want 7", got)
	}
	r.same("lands")
}

func TestACrashInARollbackLeavesNothing(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.anna("ADD 1")
	r.anna("ADD 2")
	letter := r.mail("gm@lands.example", "lands@play.example", "ROLLBACK TO EVENT 2")
	err := r.write(t.Context(), func(w *work) error {
		if _, err := w.handle("box", ingestBatch(letter, r.now)); err != nil {
			return err
		}
		return fmt.Errorf("the power is gone")
	})
	if err == nil || r.sum("lands") != 3 || r.count(`SELECT COUNT(*) FROM turn`) != 0 {
		t.Fatalf("%v, sum %d, turns %d", err, r.sum("lands"), r.count(`SELECT COUNT(*) FROM turn`))
	}
	r.take(letter)
	if r.sum("lands") != 1 || r.count(`SELECT COUNT(*) FROM turn`) != 1 {
		t.Errorf("sum %d", r.sum("lands"))
	}
	r.same("lands")
}

// A fault in a letter after its ROLLBACK leaves the game as it was.
func TestAFaultAfterARollback(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.anna("ADD 1")
	r.anna("ADD 2")
	r.gm("ROLLBACK TO EVENT 2\nAS Anna\nBOOM")
	if got := r.load("lands"); got.Held == "" {
		t.Error("the game is not held")
	}
	if _, err := r.Resume(t.Context(), "lands"); err != nil {
		t.Fatal(err)
	}
	if r.sum("lands") != 3 || r.count(`SELECT COUNT(*) FROM turn`) != 0 {
		t.Errorf("sum %d", r.sum("lands"))
	}
	r.same("lands")
}

// The dice count on: what was drawn is not drawn again.
func TestTheDiceCountOnAfterARollback(t *testing.T) {
	earlier, later := openToy(t), openToy(t)
	d := later.Dice("dawn", "lands")
	first := d.Draw(0, "duel", 6)
	later.Restore(earlier)
	if again := later.Dice("dawn", "lands").Draw(0, "duel", 6); again.Counter <= first.Counter {
		t.Errorf("drew %+v and then %+v", first, again)
	}
}

func openToy(t *testing.T) *rules.State {
	t.Helper()
	st, _, err := toyRules().Open(rules.World{Decode: func(any) error { return nil }}, "dawn")
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func ingestBatch(m ingest.Message, until time.Time) ingest.Batch {
	return ingest.Batch{Messages: []ingest.Message{m}, Next: "x", Until: until}
}

// TestWhatIsGivenAgainIsNotAskedFor: in one mail of a rollback and a REDO, a member reads of his orders once.
func TestWhatIsGivenAgainIsNotAskedFor(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "ADD 1")
	r.say("anna@x.example", "lands@play.example", "ADD 2")
	r.sent()
	r.say("gm@lands.example", "lands@play.example", "ROLLBACK TO EVENT 1\nREDO 1")
	for _, it := range r.sent() {
		if it.To != "anna@x.example" {
			continue
		}
		undone, again, _ := strings.Cut(it.Text, "has given orders of yours again")
		if strings.Contains(undone, "> ADD 1") || !strings.Contains(undone, "> ADD 2") || !strings.Contains(again, "> ADD 1") {
			t.Errorf("%s", it.Text)
		}
	}
}
