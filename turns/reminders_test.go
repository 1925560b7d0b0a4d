package turns

import (
	"strings"
	"testing"
	"time"

	"arroba/outbox"
)

// remindedOf lists the reminders that were queued since the last call, with when and for how long they are worth sending.
func (r *rig) remindedOf() (list []string) {
	r.Helper()
	for _, it := range r.sent() {
		if it.Kind == outbox.Reminder {
			list = append(list, it.To+" "+it.Date.Sub(noon).String()+" "+it.Expires.Sub(noon).String())
		}
	}
	return list
}

// running is a game in which a phase of 48 hours began at noon.
func running(t *testing.T, feeds ...Feed) *rig {
	t.Helper()
	r := newRig(t, feeds...)
	r.game("lands")
	g := r.load("lands")
	g.Settings.Calendar.Remind = []time.Duration{24 * time.Hour, 2 * time.Hour}
	settings, err := plain(g.Settings)
	if err != nil {
		t.Fatal(err)
	}
	r.exec(`UPDATE game SET settings = $1`, string(settings))
	r.forget("lands")
	r.take(r.mail("anna@x.example", "lands@play.example", "PHASE 172800"))
	r.sent()
	return r
}

func TestRemindersGoToThoseWhoHaveSentNothing(t *testing.T) {
	r := running(t)
	if got := r.due(); got != 24*time.Hour {
		t.Fatalf("due %v after noon, want the reminder", got)
	}
	r.order("anna@x.example", "READY")
	r.pass(24*time.Hour - 2*time.Minute)
	equal(t, "before it", r.remindedOf())
	r.pass(2 * time.Minute)
	equal(t, "a day before", r.remindedOf(), "boris@x.example 24h1m0s 48h0m0s", "clara@x.example 24h1m0s 48h0m0s")
	r.pass(time.Minute)
	equal(t, "once", r.remindedOf())
	r.order("clara@x.example", "READY")
	r.pass(21*time.Hour + 59*time.Minute)
	items := r.sent()
	last := items[len(items)-1]
	if text := strings.Join(strings.Fields(last.Text), " "); last.To != "boris@x.example" || !strings.Contains(text, "Phase 1 closes. Когда: вторник, 3 марта 2026 г., 15:00 (Europe/Moscow), то есть 2026-03-03 12:00:00 UTC. Осталось: 1 час, 58 минут.") {
		t.Errorf("to %s: %s", last.To, last.Text)
	}
	if got := r.due(); got != 48*time.Hour {
		t.Errorf("due %v after noon, want the deadline", got)
	}
	r.pass(2 * time.Hour)
	equal(t, "none after it", r.remindedOf())
	r.replays()
}

func TestRemindersOfSeveralDeadlinesAreOneMail(t *testing.T) {
	r := running(t)
	r.order("anna@x.example", "SECOND 172740") // a second deadline at the same instant
	r.sent()
	r.pass(25 * time.Hour)
	items := r.sent()
	if len(items) != 3 {
		t.Fatalf("%d mails", len(items))
	}
	if n := strings.Count(items[0].Text, "When:"); n != 2 {
		t.Errorf("%d deadlines in\n%s", n, items[0].Text)
	}
}

func TestWhoIsNotReminded(t *testing.T) {
	for name, c := range map[string]struct {
		letters []string // from whom, and what
		pass    []time.Duration
		want    []string
	}{
		"while the game is held":          {[]string{gmOfLands, "HOLD"}, []time.Duration{25 * time.Hour}, nil},
		"who is on vacation":              {[]string{"boris@x.example", "VACATION 2026-03-01 TO 2026-03-03", "clara@x.example", "VACATION 2026-03-01 TO 2026-03-03"}, []time.Duration{25 * time.Hour}, []string{"anna@x.example"}},
		"whose seat is free":              {[]string{"gone", "Boris", "gone", "Clara"}, []time.Duration{25 * time.Hour}, []string{"anna@x.example"}},
		"of instants before it was set":   {[]string{gmOfLands, "DEADLINE 2026-03-02 11:00"}, []time.Duration{time.Hour}, nil},
		"only the latest after an outage": {nil, []time.Duration{47 * time.Hour}, []string{"anna@x.example", "boris@x.example", "clara@x.example"}},
		"none after the deadline":         {nil, []time.Duration{49 * time.Hour}, nil},
		"again when it is moved":          {nil, []time.Duration{25 * time.Hour, 0, 24 * time.Hour}, []string{"anna@x.example", "boris@x.example", "clara@x.example"}},
		"not of time that is over":        {nil, []time.Duration{25 * time.Hour, 0, time.Hour}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := running(t)
			for i := 0; i < len(c.letters); i += 2 {
				if c.letters[i] != "gone" {
					r.order(c.letters[i], c.letters[i+1])
					continue
				}
				r.exec(`UPDATE member SET gone = 1 WHERE seat = $1`, c.letters[i+1])
				r.forget("lands")
			}
			for _, d := range c.pass {
				r.sent()
				if r.pass(d); d == 0 {
					r.order(gmOfLands, "EXTEND 24h")
				}
			}
			var got []string
			for _, s := range r.remindedOf() {
				got = append(got, strings.Fields(s)[0])
			}
			equal(t, "reminded", got, c.want...)
		})
	}
}

func TestAReminderWaitsForWhatMayHaveCome(t *testing.T) {
	r := running(t, Feed{Name: "box", Address: "lands@play.example"})
	r.pass(24*time.Hour + time.Minute)
	equal(t, "before the mailbox was read", r.remindedOf())
	m := r.mail("boris@x.example", "lands@play.example", "READY")
	m.Arrived = noon.Add(23 * time.Hour)
	r.take(m)
	r.pass(time.Second)
	equal(t, "after", r.remindedOf(), "anna@x.example 24h1m1s 48h0m0s", "clara@x.example 24h1m1s 48h0m0s")
}

func TestAnotherProcessRemindsNobodyAgain(t *testing.T) {
	r := running(t)
	r.pass(time.Hour)
	other := rigOn(t, r.DB)
	other.now = r.now.Add(24 * time.Hour)
	other.pass(0)
	equal(t, "reminded", other.remindedOf(), "anna@x.example 25h0m0s 48h0m0s", "boris@x.example 25h0m0s 48h0m0s", "clara@x.example 25h0m0s 48h0m0s")
	r.remindedOf()
	r.pass(24 * time.Hour)
	equal(t, "again", r.remindedOf())
}

// TestNobodyIsRemindedOfADeadlineThatWaits: it has passed, though nothing is decided before everything is read.
func TestNobodyIsRemindedOfADeadlineThatWaits(t *testing.T) {
	r := running(t, Feed{Name: "box", Address: "lands@play.example"})
	r.now = noon.Add(25 * time.Hour)
	r.read("box", r.now)
	r.pass(24 * time.Hour)
	equal(t, "reminded", r.remindedOf())
	equal(t, "events", r.events("lands"))
}
