package turns

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
)

const musterGame = `name = "lands"
ruleset = "muster"
timezone = "Europe/Berlin"
gm = { nick = "Gareth", email = "gm@lands.example" }
mailbox = "lands@play.example"
[[member]]
nick = "Anna"
email = "anna@x.example"
[[member]]
nick = "Boris"
email = "boris@x.example"
[world]
rounds = 9
places = [{ name = "Ford", worth = 3 }]
[calendar]
%s
`

// inRounds opens a game in rounds at an instant.
func inRounds(t *testing.T, at, calendar string, feeds ...Feed) *rig {
	t.Helper()
	r := newRig(t, feeds...)
	r.now = instant(t, at)
	f, err := ReadGameFile("lands.toml", fmt.Appendf(nil, musterGame, calendar))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Create(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	r.sent()
	return r
}

func instant(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at.UTC()
}

// at sets the clock and lets everything due fire.
func (r *rig) at(s string) {
	r.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		r.Fatal(err)
	}
	r.pass(at.UTC().Sub(r.now))
}

// arrives is a letter that came at an instant.
func (r *rig) arrives(at time.Time, from, text string) ingest.Message {
	m := r.mail(from, "lands@play.example", text)
	m.Arrived = at
	return m
}

// TestDeadlinesKeepTheWallClock: deadlines at 20:00 in Berlin, over both changes of the clocks; a letter at the deadline's
// own instant is in time, one a microsecond later is not.
func TestDeadlinesKeepTheWallClock(t *testing.T) {
	for _, tt := range []struct{ opened, first, second string }{
		{"2026-03-28T12:00:00Z", "2026-03-28T19:00:00Z", "2026-03-29T18:00:00Z"}, // 23 hours
		{"2026-10-24T12:00:00Z", "2026-10-24T18:00:00Z", "2026-10-25T19:00:00Z"}, // 25 hours
	} {
		r := inRounds(t, tt.opened, "at = \"20:00\"\nleast = \"6h\"\nremind = [\"25h\", \"1h\"]")
		first, second := instant(t, tt.first), instant(t, tt.second)
		r.now = first
		r.take(r.arrives(first, "anna@x.example", "SEND 5 TO Ford"))
		equal(t, "at the deadline", r.events("lands"))
		r.now = first.Add(time.Microsecond)
		r.take(r.arrives(r.now, "boris@x.example", "SEND 9 TO Ford"))
		equal(t, "after it", r.events("lands"), "round-closed", "place-taken", "round-began")
		if got := r.load("lands").NextDue; !got.Equal(second.Add(-time.Hour)) {
			t.Errorf("reminded next at %v, want an hour before %v: the day before is over", got, second)
		}
		r.sent()
		r.now = second.Add(-time.Hour + time.Second)
		r.pass(0)
		equal(t, "reminded", r.remindedTo(), "anna@x.example")
		r.now = second
		r.pass(time.Second)
		if _, ev := r.lastInput(); !strings.Contains(string(ev[1].Data), `"nick":"Boris"`) || !ev[0].At.Equal(second) {
			t.Errorf("closed at %v, taken by %s", ev[0].At, ev[1].Data)
		}
		r.replays()
	}
}

func (r *rig) remindedTo() (list []string) {
	r.Helper()
	for _, s := range r.remindedOf() {
		list = append(list, strings.Fields(s)[0])
	}
	return list
}

// TestAnOutageOfThreeRoundsLosesOne: what came before the deadline is in time, what came after it counts for the next
// round, which has its full length from when the engine is there again.
func TestAnOutageOfThreeRoundsLosesOne(t *testing.T) {
	r := inRounds(t, "2026-03-01T12:00:00Z", "at = \"20:00\"\nleast = \"12h\"\nremind = [\"2h\"]", Feed{Name: "box", Address: "lands@play.example"})
	r.now = instant(t, "2026-03-04T12:00:00Z") // deadlines of the 2nd and the 3rd have passed
	in := instant(t, "2026-03-02T18:59:00Z")
	late := instant(t, "2026-03-03T19:30:00Z")
	r.sent()
	r.take(r.arrives(in, "anna@x.example", "SEND 1 TO Ford"), r.arrives(late, "boris@x.example", "SEND 2 TO Ford"))
	r.pass(time.Second)
	equal(t, "events", r.events("lands"), "round-closed", "place-taken", "round-began")
	if got := r.load("lands").NextDue; !got.Equal(instant(t, "2026-03-05T17:00:00Z")) {
		t.Errorf("next at %v: the round has less than its length", got)
	}
	_, ev := r.lastInput()
	if len(ev) != 0 {
		t.Errorf("Boris's letter is kept for the next round: %+v", ev)
	}
	equal(t, "nobody is reminded of what is over", r.remindedTo())
	r.now = instant(t, "2026-03-05T19:00:00Z")
	r.read("box", r.now.Add(time.Second))
	r.now = r.now.Add(2 * time.Second)
	r.read("box", r.now)
	r.pass(0)
	equal(t, "reminded", r.remindedTo())
	if _, ev := r.lastInput(); !strings.Contains(string(ev[1].Data), `"nick":"Boris"`) {
		t.Errorf("%+v", ev)
	}
	r.replays()
}

// TestTooManyMissingWaitForTheGM: the round is held at its deadline, and RESUME closes it.
func TestTooManyMissingWaitForTheGM(t *testing.T) {
	r := inRounds(t, "2026-03-01T12:00:00Z", "at = \"20:00\"\nmax_missing = 1")
	r.at("2026-03-02T20:00:00Z")
	equal(t, "events", r.events("lands"), "held")
	if g := r.load("lands"); !g.Paused.Equal(instant(t, "2026-03-02T19:00:00Z")) {
		t.Errorf("paused %v", g.Paused)
	}
	r.at("2026-03-04T12:00:00Z")
	r.order("boris@x.example", "SEND 2 TO Ford")
	r.order(gmOfLands, "RESUME")
	r.pass(time.Second)
	equal(t, "events", r.events("lands"), "held", "resumed", "round-closed", "place-taken", "round-began")
	if _, ev := r.lastInput(); !strings.Contains(string(ev[0].Data), `"missing":["Anna"]`) {
		t.Errorf("%s", ev[0].Data)
	}
	r.replays()
}

// TestTheGMMovesARound: a letter of the GM's holds a round, lets it go on and moves its deadline, and PROCESS NOW closes
// the round that it means.
func TestTheGMMovesARound(t *testing.T) {
	r := inRounds(t, "2026-03-01T12:00:00Z", "at = \"20:00\"")
	equal(t, "held", []string{r.order(gmOfLands, "HOLD")}, "accepted E-HOLD")
	r.at("2026-03-04T12:00:00Z")
	equal(t, "moved", []string{r.order(gmOfLands, "EXTEND 1d\nRESUME\nDEADLINE 2026-03-06\nEXTEND 1h")},
		"refused MU-N, accepted E-RESUME, accepted E-DEADLINE, accepted E-EXTEND")
	if got := r.load("lands").NextDue; !got.Equal(instant(t, "2026-03-06T20:00:00Z")) {
		t.Errorf("due %v", got)
	}
	equal(t, "closed", []string{r.order(gmOfLands, "PROCESS NOW")}, "accepted E-PROCESS")
	early := r.arrives(r.now.Add(-time.Minute), gmOfLands, "PROCESS NOW")
	h := r.take(early)
	equal(t, "an earlier round is meant", r.verdicts(h.Letters[0]), "refused MU-N")
	equal(t, "events", r.events("lands"), "held", "resumed", "deadline-set", "deadline-set", "round-closed", "round-began")
	r.replays()
}

// TestTheSeedIsShownInRounds: the last round ends the game.
func TestTheSeedIsShownInRounds(t *testing.T) {
	r := inRounds(t, "2026-03-01T12:00:00Z", "at = \"20:00\"")
	for range 9 {
		r.order(gmOfLands, "PROCESS NOW")
	}
	_, ev := r.lastInput()
	if last := ev[len(ev)-1]; last.Type != "seed-shown" {
		t.Errorf("%+v", ev)
	}
	if due := r.load("lands").NextDue; !due.IsZero() {
		t.Errorf("due %v", due)
	}
	equal(t, "over", []string{r.order(gmOfLands, "PROCESS NOW\nDEADLINE")}, "refused MU-N, accepted E-DEADLINE")
	r.replays()
}

// TestAGameThatIsOverIsTakenBackByRound: it is in no round any more, and those that it came to are known all the same.
func TestAGameThatIsOverIsTakenBackByRound(t *testing.T) {
	r := inRounds(t, "2026-03-01T12:00:00Z", "at = \"20:00\"")
	for range 9 {
		r.order(gmOfLands, "PROCESS NOW")
	}
	equal(t, "too far on", []string{r.order(gmOfLands, "ROLLBACK TO ROUND 10")}, "refused E-ROLLBACK")
	equal(t, "taken back", []string{r.order(gmOfLands, "ROLLBACK TO ROUND 8")}, "accepted E-ROLLBACK")
	equal(t, "one that was undone", []string{r.order(gmOfLands, "ROLLBACK TO ROUND 9")}, "refused E-ROLLBACK")
	r.order(gmOfLands, "PROCESS NOW")
	r.order(gmOfLands, "PROCESS NOW")
	if _, ev := r.lastInput(); ev[len(ev)-1].Type != "seed-shown" {
		t.Errorf("%+v", ev)
	}
	r.same("lands")
}

// TestALetterThatIsReadLateKnowsIt: what it begins is reckoned from when it was read, and again when the log is played.
func TestALetterThatIsReadLateKnowsIt(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.order("anna@x.example", "PHASE 86400")
	m := r.arrives(noon.Add(2*time.Hour), gmOfLands, "PROCESS NOW")
	r.now = noon.Add(20 * time.Hour)
	r.take(m)
	in, ev := r.lastInput()
	if !in.At.Equal(noon.Add(2*time.Hour)) || !strings.Contains(string(ev[0].Data), `"now":"2026-03-02T08:00:00Z"`) {
		t.Errorf("as of %v: %s", in.At, ev[0].Data)
	}
	r.replays()
}
