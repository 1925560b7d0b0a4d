package turns

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

const gmOfLands = "gm@lands.example"

// order lets somebody write to the game lands, a minute after the last letter, and returns what became of it.
func (r *rig) order(from, text string) string {
	r.Helper()
	return strings.Join(r.verdicts(r.say(from, "lands@play.example", text)), ", ")
}

// pass lets time pass and everything due fire.
func (r *rig) pass(d time.Duration) {
	r.Helper()
	r.now = r.now.Add(d)
	if _, err := r.Tick(r.Context()); err != nil {
		r.Fatal(err)
	}
}

// lastInput returns the last input of the game lands with its events.
func (r *rig) lastInput() (Input, []Event) {
	r.Helper()
	list, err := LastInputs(r.Context(), r.DB.Read(), "lands", 1e9, 1)
	if err != nil {
		r.Fatal(err)
	}
	events, err := list[0].DecodeEvents()
	if err != nil {
		r.Fatal(err)
	}
	return list[0], events
}

// replays looks that the log plays on to the state in memory.
func (r *rig) replays() {
	r.Helper()
	before := r.encoded("lands")
	r.forget("lands")
	if after := r.encoded("lands"); !bytes.Equal(before, after) {
		r.Errorf("played again:\n%s\nwant\n%s", after, before)
	}
}

// due is when something falls due next in the game lands, counted from noon.
func (r *rig) due() time.Duration { return r.load("lands").NextDue.Sub(noon) }

func TestHoldAndResume(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	equal(t, "nothing to resume", []string{r.order(gmOfLands, "RESUME")}, "refused T-9")
	equal(t, "opening", []string{r.order("anna@x.example", "PHASE 3600\nBELL a 600\nEARLY b 900")}, "accepted T-5, accepted T-5, accepted T-5")
	r.sent()
	equal(t, "hold", []string{r.order(gmOfLands, "HOLD the snow is deep")}, "accepted E-HOLD")
	equal(t, "told", r.told(), "receipt gm@lands.example", "results anna@x.example", "results boris@x.example", "results clara@x.example", "copy archive@x.example", "post tavern")
	_, ev := r.lastInput()
	if ev[0].Type != "held" || ev[0].Rule != "E-HOLD" || string(ev[0].Data) != `{"reason":"the snow is deep"}` ||
		strings.Join(ev[0].Audience, " ") != "tavern gm copies member:Anna member:Boris member:Clara" {
		t.Errorf("%+v", ev[0])
	}
	if g := r.load("lands"); !g.NextDue.IsZero() || g.Paused != noon.Add(3*time.Minute) || g.PauseWhy != "the snow is deep" {
		t.Errorf("due %v, paused %v for %q", g.NextDue, g.Paused, g.PauseWhy)
	}
	r.pass(2 * time.Hour)
	equal(t, "while held", r.events("lands"), "held")
	equal(t, "orders are taken, and what means the running time is refused", []string{r.order("anna@x.example", "ADD 1\nREADY\nWAIT")}, "accepted T-1, refused T-9, refused T-9")
	equal(t, "of the GM's", []string{r.order(gmOfLands, "HOLD\nPROCESS NOW")}, "refused T-9, refused T-9")
	equal(t, "resume", []string{r.order(gmOfLands, "RESUME")}, "accepted E-RESUME")
	_, ev = r.lastInput()
	if ev[0].Type != "resumed" || ev[0].Rule != "E-RESUME" || string(ev[0].Data) != `{"since":"2026-03-01T12:03:00Z"}` {
		t.Errorf("%+v", ev[0])
	}
	// Held from 12:03 to 14:06: what was due at 12:12 is due at 14:15.
	if got := r.due(); got != 2*time.Hour+15*time.Minute {
		t.Errorf("due %v after noon", got)
	}
	r.pass(10 * time.Minute)
	equal(t, "after it", r.events("lands"), "held", "added", "resumed", "rang a")
	r.replays()
	if got := r.order(gmOfLands, "HOLD\nRESUME\nHOLD\nHOLD"); got != "accepted E-HOLD, accepted E-RESUME, accepted E-HOLD, refused T-9" {
		t.Error(got)
	}
	r.replays()
}

func TestATriedHoldHoldsNothing(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.order("anna@x.example", "BELL a 600")
	equal(t, "tried", []string{r.order(gmOfLands, "TEST\nHOLD\nHOLD")}, "accepted E-TEST, accepted E-HOLD, refused T-9")
	r.pass(time.Hour)
	equal(t, "events", r.events("lands"), "rang a")
}

func TestAHoldThatCannotBeToldHoldsNothing(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say(gmOfLands, "lands@play.example", "HOLD\nAS Anna\nSPOIL")
	if g := r.load("lands"); g.Held == "" || !g.Paused.IsZero() {
		t.Errorf("held %q, paused %v: nothing of the letter was carried out", g.Held, g.Paused)
	}
}

// TestALetterFromBeforeTheHold: a letter that came before the hold and is read after it is ruled on as of the hold.
func TestALetterFromBeforeTheHold(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.order(gmOfLands, "HOLD")
	m := r.mail(gmOfLands, "lands@play.example", "RESUME")
	m.Arrived = noon
	r.take(m)
	if in, _ := r.lastInput(); !in.At.Equal(noon.Add(time.Minute)) || !r.load("lands").Paused.IsZero() {
		t.Errorf("resumed as of %v", in.At)
	}
	r.replays()
}

func TestTheRulesetHolds(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.order("anna@x.example", "SNARE 60\nBELL a 60\nBELL b 120")
	r.pass(24 * time.Hour)
	equal(t, "nothing falls due behind it", r.events("lands"), "held")
	if g := r.load("lands"); g.Paused != noon.Add(2*time.Minute) || g.PauseWhy != "a snare" {
		t.Errorf("paused %v for %q", g.Paused, g.PauseWhy)
	}
	r.order(gmOfLands, "RESUME")
	r.pass(2 * time.Minute)
	equal(t, "it goes on", r.events("lands"), "held", "resumed", "rang a", "rang b")
	r.replays()
}

func TestTheDeadlineIsMoved(t *testing.T) {
	r := newRig(t)
	r.game("lands", `timezone = "Europe/Berlin"`)
	for _, order := range []string{"EXTEND 12h", "DEADLINE 2026-03-05", "PROCESS NOW"} {
		equal(t, order+" without one", []string{r.order(gmOfLands, order)}, "refused T-9")
	}
	r.order("anna@x.example", "PHASE 3600") // it was at 12:04: 14:04 in Berlin
	for _, tt := range []struct {
		order, verdict string
		want           time.Time
	}{
		{"EXTEND 90m", "accepted E-EXTEND", noon.Add(64*time.Minute + 90*time.Minute)},
		{"EXTEND 0h", "refused E-EXTEND", noon.Add(154 * time.Minute)},
		{"EXTEND 4000d", "refused E-EXTEND", noon.Add(154 * time.Minute)},
		{"DEADLINE 2026-03-05", "accepted E-DEADLINE", time.Date(2026, 3, 5, 14, 34, 0, 0, time.UTC)},
		{"DEADLINE 2026-03-29", "accepted E-DEADLINE", time.Date(2026, 3, 29, 13, 34, 0, 0, time.UTC)}, // summer time has begun
		{"DEADLINE 29.03.2026 02:30", "accepted E-DEADLINE", time.Date(2026, 3, 29, 1, 30, 0, 0, time.UTC)},
		{"DEADLINE 2026-03-06 10:30", "accepted E-DEADLINE", time.Date(2026, 3, 6, 9, 30, 0, 0, time.UTC)},
		{"DEADLINE 2026-03-06T10:30:00Z", "accepted E-DEADLINE", time.Date(2026, 3, 6, 10, 30, 0, 0, time.UTC)},
		{"DEADLINE 2026-03-01 13:00", "refused T-7", time.Date(2026, 3, 6, 10, 30, 0, 0, time.UTC)},
		{"DEADLINE 2025-03-01", "refused T-7", time.Date(2026, 3, 6, 10, 30, 0, 0, time.UTC)},
		{"DEADLINE 9999-12-31 23:59", "refused E-DEADLINE", time.Date(2026, 3, 6, 10, 30, 0, 0, time.UTC)},
	} {
		equal(t, tt.order, []string{r.order(gmOfLands, tt.order)}, tt.verdict)
		if got := r.load("lands").NextDue; !got.Equal(tt.want) {
			t.Errorf("%s: due %v, want %v", tt.order, got, tt.want)
		}
		if _, ev := r.lastInput(); strings.HasPrefix(tt.verdict, "accepted") && (len(ev) != 1 || ev[0].Type != "deadline-set" || ev[0].Rule != strings.Fields(tt.verdict)[1]) {
			t.Errorf("%s: %+v", tt.order, ev)
		}
	}
	r.replays()
}

func TestProcessNowMeansThePhaseOfThen(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.order("anna@x.example", "PHASE 3600")
	early := r.mail(gmOfLands, "lands@play.example", "PROCESS NOW")
	r.pass(2 * time.Hour)
	equal(t, "the deadline came first", r.events("lands"), "closed")
	h := r.take(early)
	equal(t, "read late", r.verdicts(h.Letters[0]), "refused T-9")
	if text := r.sent(); !strings.Contains(text[len(text)-1].Text, "Something happened in the game") {
		t.Errorf("%s", text[len(text)-1].Text)
	}
	equal(t, "in time", []string{r.order(gmOfLands, "PROCESS NOW")}, "accepted E-PROCESS")
	equal(t, "events", r.events("lands"), "closed", "closed")
	r.replays()
}

// TestWhatFiresLateKnowsIt: the ruleset reckons from when the engine came to it, and does again when the log is played.
func TestWhatFiresLateKnowsIt(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.order("anna@x.example", "PHASE 3600") // closes at 13:01
	r.pass(time.Hour + time.Second)
	_, ev := r.lastInput()
	if !strings.Contains(string(ev[0].Data), `"now":"2026-03-01T13:01:00Z"`) {
		t.Errorf("on time: %s", ev[0].Data)
	}
	r.pass(3*time.Hour + 30*time.Minute) // the next at 14:01
	equal(t, "one round is lost, none is burnt", r.events("lands"), "closed", "closed")
	if _, ev := r.lastInput(); !strings.Contains(string(ev[0].Data), `"now":"2026-03-01T16:31:01Z"`) {
		t.Errorf("late: %s", ev[0].Data)
	}
	if got := r.due(); got != 5*time.Hour+time.Minute {
		t.Errorf("due %v after noon", got)
	}
	r.replays()
}

func TestDeadlineTellsTheTimeLeft(t *testing.T) {
	r := newRig(t)
	r.game("lands", `timezone = "Europe/Berlin"`)
	answer := func(from string) string {
		t.Helper()
		r.sent()
		r.order(from, "DEADLINE")
		items := r.sent()
		return items[len(items)-1].Text
	}
	has := func(from, want string) {
		t.Helper()
		if got := answer(from); !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
	has("anna@x.example", "There is no deadline now.")
	r.order("anna@x.example", "PHASE 86400")
	has("anna@x.example", "Phase 1 closes. When: Monday, 2 March 2026, 13:02 (Europe/Berlin), which is 2026-03-02 12:02:00 UTC. Time left: 23 hours, 59 minutes.")
	has("boris@x.example", "Когда: понедельник, 2 марта 2026 г., 13:02 (Europe/Berlin), то есть 2026-03-02 12:02:00 UTC. Осталось: 23 часа, 58 минут.")
	r.order(gmOfLands, "HOLD")
	has("anna@x.example", "The game is held since Sunday, 1 March 2026, 13:05 (Europe/Berlin).")
}

func TestTheGMsOrdersMayHaveARuleOfTheirOwn(t *testing.T) {
	r := newRig(t)
	r.kits["toy"].IDs.GM = "T-GM"
	r.game("lands")
	equal(t, "of a GM", []string{r.order(gmOfLands, "HOLD\nWHO\nAS Gareth\nRESUME")}, "accepted T-GM, accepted E-WHO, accepted T-GM, accepted T-GM")
	if _, ev := r.lastInput(); ev[0].Rule != "T-GM" {
		t.Errorf("%+v", ev[0])
	}
	r.replays()
}
