package turns

import (
	"strings"
	"testing"
	"time"

	"arroba/rules"
)

// mailed returns the texts of the mails to an address since the last call, in one.
func (r *rig) mailed(to string) string {
	r.Helper()
	var all []string
	for _, it := range r.sent() {
		if it.To == to {
			all = append(all, it.Subject, it.Text)
		}
	}
	return strings.Join(strings.Fields(strings.Join(all, " ")), " ")
}

func (r *rig) has(text string, all ...string) {
	r.Helper()
	for _, want := range all {
		if !strings.Contains(text, want) {
			r.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

// TestAnUnreadSourceHoldsTheGame: a deadline whose letters cannot be read is not decided, and after the game's grace a
// person must look; what came meanwhile is in time.
func TestAnUnreadSourceHoldsTheGame(t *testing.T) {
	r := newRig(t, Feed{Name: "post", Address: "lands@play.example"}, Feed{Name: "second", Address: "lands@play.example"})
	r.game("lands")
	r.read("second", r.now, r.mail("anna@x.example", "lands@play.example", "PHASE 3600"))
	r.sent()
	deadline := noon.Add(time.Hour)
	r.now = deadline.Add(24 * time.Hour)
	r.read("second", r.now)
	r.pass(0)
	equal(t, "within the grace", r.events("lands"))
	meanwhile := r.mail("boris@x.example", "lands@play.example", "ADD 1")
	meanwhile.Arrived = deadline.Add(10 * time.Hour)
	r.read("second", r.now, meanwhile)
	r.pass(time.Second)
	equal(t, "after it", r.events("lands"), "held")
	in, ev := r.lastInput()
	if in.Kind != kindPause || !ev[0].At.Equal(deadline) || ev[0].Rule != "E-HOLD" || string(ev[0].Data) != `{"due":"2026-03-01T13:00:00Z","why":"unread"}` {
		t.Errorf("%s %+v", in.Kind, ev[0])
	}
	items := r.sent()
	r.seq -= int64(len(items))
	r.has(r.mailed("gm@lands.example"), "the game is held: letters cannot be read", "can be read again", "post", "> RESUME")
	for _, it := range items {
		switch it.To {
		case "ops@x.example":
			r.has(it.Text, "post", "> RESUME")
		case "anna@x.example":
			r.has(strings.Join(strings.Fields(it.Text), " "), "cannot be read yet", "are in time")
			if strings.Contains(it.Text, "post,") {
				t.Errorf("players hear of our sources: %s", it.Text)
			}
		}
	}
	r.pass(time.Second)
	equal(t, "what waited is taken", r.events("lands"), "held", "added")
	r.sent()
	r.pass(48 * time.Hour)
	equal(t, "it is told once", r.told())
	r.replays()

	// The GM's letter comes by the source that works; the other one is read an hour later.
	resume := r.mail("gm@lands.example", "lands@play.example", "RESUME")
	r.read("second", r.now, resume)
	r.pass(time.Second)
	equal(t, "nothing is decided before all was read", r.events("lands"), "held", "added", "resumed")
	early := r.mail("clara@x.example", "lands@play.example", "READY")
	early.Arrived = deadline.Add(-time.Minute)
	late := r.mail("anna@x.example", "lands@play.example", "READY")
	late.Arrived = r.now.Add(-time.Hour)
	r.pass(time.Hour)
	r.read("post", r.now, early, late)
	r.read("second", r.now)
	r.pass(time.Second)
	equal(t, "then it is", r.events("lands"), "held", "added", "resumed", "closed")
	if _, ev := r.lastInput(); !strings.Contains(string(ev[0].Data), `"ready":["Clara","Anna"]`) {
		t.Errorf("%s", ev[0].Data)
	}
	r.replays()
}

func TestTheGraceIsTheGames(t *testing.T) {
	r := newRig(t, Feed{Name: "post", Address: "lands@play.example"})
	r.kits["toy"].Keeps = rules.Calendar{Grace: time.Hour}
	r.game("lands")
	r.read("post", r.now, r.mail("anna@x.example", "lands@play.example", "PHASE 3600"))
	r.pass(2 * time.Hour)
	equal(t, "events", r.events("lands"))
	r.pass(time.Second)
	equal(t, "events", r.events("lands"), "held")
}

// steady is a rig whose engine holds its clock against another one.
func steady(t *testing.T) (r *rig, run func(wall, steady time.Duration)) {
	r = newRig(t)
	var ran time.Duration
	r.Steady = func() time.Duration { return ran }
	r.game("lands")
	r.order("anna@x.example", "PHASE 3600\nBELL a 60")
	r.sent()
	return r, func(wall, steady time.Duration) {
		ran += steady
		r.pass(wall)
	}
}

func TestAClockThatJumpsAheadHoldsWhatWouldFallDue(t *testing.T) {
	r, run := steady(t)
	r.game("marches") // in which nothing falls due
	r.sent()
	run(10*time.Minute, 10*time.Minute)
	equal(t, "before", r.events("lands"), "rang a")
	run(3*time.Hour, time.Second)
	equal(t, "the phase is not closed", r.events("lands"), "rang a", "held")
	in, ev := r.lastInput()
	if want := noon.Add(11*time.Minute + time.Second); !in.At.Equal(want) || !strings.Contains(string(ev[0].Data), `"why":"clock"`) {
		t.Errorf("held as of %v, want %v: %s", in.At, want, ev[0].Data)
	}
	if !r.load("marches").Paused.IsZero() {
		t.Error("a game in which nothing falls due is held")
	}
	items := r.sent()
	r.seq -= int64(len(items))
	if n := r.count(`SELECT COUNT(*) FROM outbox WHERE recipient = 'ops@x.example'`); n != 1 {
		t.Errorf("the operator has %d mails", n)
	}
	r.has(r.mailed("ops@x.example"), "jumped ahead by 3 hours", "were to fall due in between are held, and their Game Masters told: lands")
	r.seq -= int64(len(items))
	r.has(r.mailed("gm@lands.example"), "The clock of the server jumped ahead", "> RESUME")

	// The clock is set right, and the GM lets the game go on half an hour after the jump.
	r.now = noon.Add(41 * time.Minute)
	run(0, 30*time.Minute-time.Second)
	equal(t, "resumed", []string{r.order(gmOfLands, "RESUME")}, "accepted E-RESUME")
	if got, want := r.due(), time.Hour+time.Minute+30*time.Minute+59*time.Second; got != want {
		t.Errorf("due %v after noon, want %v", got, want)
	}
	r.replays()
}

func TestALetterAtTheJumpFiresNothing(t *testing.T) {
	r, run := steady(t)
	run(time.Second, time.Second)
	r.now = r.now.Add(3 * time.Hour)
	r.take(r.mail("anna@x.example", "lands@play.example", "ADD 1"))
	equal(t, "events", r.events("lands"), "held", "added")
}

func TestAnOutageIsNoJump(t *testing.T) {
	r, run := steady(t)
	run(time.Second, time.Second)
	run(3*time.Hour+30*time.Minute, 3*time.Hour+29*time.Minute)
	equal(t, "events", r.events("lands"), "rang a", "closed")
}

func TestAClockThatIsSetBackFiresNothingTwice(t *testing.T) {
	r, run := steady(t)
	run(time.Second, time.Second)
	run(2*time.Hour, 2*time.Hour) // closed at 13:01, and the next phase closes at 15:01
	equal(t, "before", r.events("lands"), "rang a", "closed")
	due := r.due()
	r.sent()
	run(-90*time.Minute, time.Second)
	r.has(r.mailed("ops@x.example"), "the clock was set back", "by 1 hour, 30 minutes")
	r.order("anna@x.example", "BELL b 5\nEARLY e 0") // are rung after what happened already
	run(time.Minute, time.Minute)
	equal(t, "while it comes back", r.events("lands"), "rang a", "closed")
	if r.due() > due {
		t.Errorf("due %v after noon", r.due())
	}
	run(2*time.Hour, 2*time.Hour)
	equal(t, "when it is back", r.events("lands"), "rang a", "closed", "rang e", "rang b")
	if n := r.count(`SELECT COUNT(*) FROM input a, input b WHERE a.game = b.game AND a.n < b.n AND a.at > b.at`); n != 0 {
		t.Errorf("%d pairs of inputs out of order", n)
	}
	r.replays()
}

func TestTheSeedIsShownWhenTheGameEnds(t *testing.T) {
	r := newRig(t)
	r.game("lands", `seed = "open sesame"`)
	r.order("anna@x.example", "BELL a 600")
	r.sent()
	r.order("anna@x.example", "TEST\nADD 1000000")
	if text := r.mailed("anna@x.example"); strings.Contains(text, "sesame") {
		t.Errorf("a test shows the seed: %s", text)
	}
	r.order("anna@x.example", "ADD 1000000\nNOTE IT")
	in, ev := r.lastInput()
	last := ev[len(ev)-1]
	if last.Type != "seed-shown" || last.Rule != "E-SEED" || string(last.Data) != `{"seed":"open sesame"}` || strings.Join(last.Audience, " ") != "tavern gm copies" {
		t.Errorf("%s %+v", in.Kind, ev)
	}
	if due := r.load("lands").NextDue; !due.IsZero() {
		t.Errorf("something is due at %v in a game that is over", due)
	}
	r.order("anna@x.example", "ADD 1")
	r.pass(time.Hour)
	equal(t, "once", r.events("lands"), "added", "noted", "seed-shown", "added")
	r.replays()
}
