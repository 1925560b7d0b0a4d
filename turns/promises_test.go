package turns

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
)

func TestInstantsFinerThanTheDatabaseKeeps(t *testing.T) {
	r := newRig(t)
	r.now = r.now.Add(123456789 * time.Nanosecond)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "BELL a 60\nADD 1")
	r.now = r.now.Add(time.Hour + 987*time.Nanosecond)
	r.say("anna@x.example", "lands@play.example", "ADD 2\nBELL b 60")
	r.now = r.now.Add(time.Hour)
	if _, err := r.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := r.encoded("lands")
	r.forget("lands")
	if !slices.Equal(before, r.encoded("lands")) {
		t.Error("played again it comes out otherwise")
	}
}

func TestALetterToTwoMailboxesIsForBothGames(t *testing.T) {
	r := newRig(t, Feed{Name: "one", Address: "Lands@play.example"}, Feed{Name: "two", Address: "marches@play.example"})
	r.game("lands")
	r.game("marches")
	for _, from := range []string{"anna@x.example", "Anna@X.Example"} {
		m := r.mail(from, "LANDS@play.example, Marches <MARCHES@Play.example>", "ADD 1")
		r.read("one", r.now, m)
		r.read("two", r.now, m)
		r.now = r.now.Add(time.Minute)
	}
	if a, b := r.sum("lands"), r.sum("marches"); a != 2 || b != 2 {
		t.Errorf("sums %d and %d, want 2 and 2", a, b)
	}
}

func TestALetterToTwoGamesThatCameOnceIsAskedAbout(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.game("marches")
	r.say("anna@x.example", "lands@play.example, marches@play.example", "ADD 1")
	equal(t, "told", r.told(), "question anna@x.example")
	if a, b := r.sum("lands"), r.sum("marches"); a != 0 || b != 0 {
		t.Errorf("sums %d and %d", a, b)
	}
	r.say("anna@x.example", "lands@play.example, marches@play.example", "GAME marches\nADD 1")
	if a, b := r.sum("lands"), r.sum("marches"); a != 0 || b != 1 {
		t.Errorf("with a GAME line: sums %d and %d", a, b)
	}
}

func TestAClockThatStepsBackFiresNothingUnread(t *testing.T) {
	r := newRig(t, Feed{Name: "one", Address: "lands@play.example"})
	r.game("lands")
	start := r.now
	r.read("one", start, r.mail("anna@x.example", "lands@play.example", "BELL a 600"))
	r.now = start.Add(9 * time.Minute) // the clock runs ahead, and is set right
	r.read("one", r.now)
	r.read("one", r.now.Add(time.Hour))
	r.now = start.Add(2 * time.Minute)
	r.read("one", r.now)
	r.now = start.Add(11 * time.Minute)
	behind, err := r.Tick(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "behind", behind, "lands")
	equal(t, "events before the source is read", r.events("lands"))
	r.read("one", r.now)
	if _, err := r.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "events", r.events("lands"), "rang a")
}

func TestALetterFromTheFutureIsOfNow(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	m := r.mail("anna@x.example", "lands@play.example", "BELL a 60")
	m.Arrived = r.now.AddDate(1, 0, 0)
	r.take(m)
	r.now = r.now.Add(61 * time.Second)
	if _, err := r.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "events", r.events("lands"), "rang a")
}

func TestEverythingOfALogIsSealed(t *testing.T) {
	for name, change := range map[string]string{
		"the writer":     `UPDATE input SET seat = 'Boris' WHERE n = 2`,
		"the instant":    `UPDATE input SET at = at + 1 WHERE n = 2`,
		"the kind":       `UPDATE input SET kind = 'due' WHERE n = 2`,
		"the letter":     `UPDATE input SET inbox = 'another' WHERE n = 2`,
		"the end":        `DELETE FROM input WHERE n = 3`,
		"the end, twice": `DELETE FROM input WHERE n > 1`,
		"the opening":    `UPDATE snapshot SET state = REPLACE(state, '0', '1'), hash = x'00' WHERE n = 0`,
	} {
		r := newRig(t)
		r.game("lands")
		for range 3 {
			r.say("anna@x.example", "lands@play.example", "ADD 1")
		}
		if err := CheckChain(t.Context(), r.DB.Read(), "lands"); err != nil {
			t.Fatalf("unchanged: %v", err)
		}
		r.exec(change)
		if err := CheckChain(t.Context(), r.DB.Read(), "lands"); err == nil {
			t.Errorf("%s was changed and nobody saw it", name)
		}
	}
}

func TestAPanicOfTheEngineLeavesNothing(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	b := ingest.Batch{Messages: []ingest.Message{r.mail("anna@x.example", "lands@play.example", "ADD 10")}, Next: "x", Until: r.now}
	err := r.write(t.Context(), func(w *work) error {
		if _, err := w.handle("box", b); err != nil {
			return err
		}
		panic("a mistake")
	})
	if err == nil || !strings.Contains(err.Error(), "a mistake") {
		t.Fatal(err)
	}
	if _, err := r.Handle(t.Context(), "box", b); err != nil || r.sum("lands") != 10 {
		t.Errorf("sum %d, %v", r.sum("lands"), err)
	}
}

func TestTheGMWritesFromTheGamesOwnMailbox(t *testing.T) {
	r := newRig(t)
	r.game("lands", "gm@lands.example")
	r.say("GM@lands.example", "gm@lands.example", "ADD 3")
	var own string
	for _, it := range r.sent() {
		if it.Kind == "receipt" {
			own = it.Text
		}
	}
	if r.sum("lands") != 3 || own == "" {
		t.Fatalf("sum %d, the receipt is %q", r.sum("lands"), own)
	}
	got := r.say("gm@lands.example", "gm@lands.example", own, "Auto-Submitted: auto-replied", "Subject: [lands] Re: letter")
	if got.Class != "auto-reply" || got.Status != ingest.Done {
		t.Errorf("our own mail come back is %+v", got)
	}
}

func TestAMessageIDOfAnotherWriterIsAnotherLetter(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	for i, from := range []string{"anna@x.example", "boris@x.example", "anna@home.example", "anna@x.example"} {
		r.say(from, "lands@play.example", "ADD 1", "Message-ID: <m@x.example>")
		if want := min(int64(i+1), 3); r.sum("lands") != want {
			t.Errorf("letter %d: sum %d, want %d", i, r.sum("lands"), want)
		}
	}
}

func TestAMailboxThatMoves(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	var list []ingest.Message
	for range 5 {
		list = append(list, r.mail("anna@x.example", "lands@play.example", "ADD 1"))
	}
	r.take(list...)
	for i := range list { // a new UIDVALIDITY, UIDs from 1
		list[i].Key = strings.Replace(list[len(list)-1-i].Key, "INBOX/1/", "INBOX/2/", 1)
	}
	r.take(list...)
	r.read("another server", r.now, list...)
	if got := r.sum("lands"); got != 5 {
		t.Errorf("sum %d, want 5", got)
	}
}

func TestResumeSaysWhatBecameOfTheLetters(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	failed := r.say("anna@x.example", "lands@play.example", "ADD 1\nBOOM")
	var told string
	for _, it := range r.sent() {
		told += it.Text
	}
	if strings.Count(told, "arroba inbox retry "+failed.Inbox) != 2 || strings.Contains(told, "ADD 1") {
		t.Errorf("told\n%s", told)
	}
	r.say("boris@x.example", "lands@play.example", "ADD 10")
	r.say("boris@x.example", "lands@play.example", "BOOM 1")
	got, err := r.Resume(t.Context(), "lands")
	if err != nil || got.Ruled != 2 || got.Held != "" || len(got.Failed) != 1 || got.Failed[0].ID != failed.Inbox {
		t.Errorf("%+v, %v", got, err)
	}
	r.say("boris@x.example", "lands@play.example", "BOOM")
	r.say("anna@x.example", "lands@play.example", "BOOM")
	if got, err = r.Resume(t.Context(), "lands"); err != nil || got.Held == "" || len(got.Failed) != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSeveralSourcesOneOfThemDown(t *testing.T) {
	r := newRig(t, Feed{Name: "one", Address: "lands@play.example"}, Feed{Name: "two", Address: "lands@play.example"})
	r.game("lands")
	start := r.now
	r.read("one", start, r.mail("anna@x.example", "lands@play.example", "BELL a 60"))
	r.read("two", start)
	for i := range 3 { // two is down
		r.now = start.Add(time.Duration(i+2) * time.Minute)
		r.read("one", r.now, r.mail("anna@x.example", "lands@play.example", "ADD 1"), r.mail("boris@x.example", "lands@play.example", "NAME lamp"))
		if _, err := r.Tick(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "events while it is down", r.events("lands"))
	if n := r.count(`SELECT COUNT(*) FROM inbox WHERE status = 'waiting'`); n != 6 {
		t.Errorf("%d letters wait, want 6", n)
	}
	early := r.mail("clara@x.example", "lands@play.example", "TELL Anna")
	early.Arrived = start.Add(30 * time.Second)
	r.read("two", r.now, early)
	equal(t, "events", r.events("lands"), "told", "rang a", "added", "added", "added")
}

func TestAnAddressInAnyCase(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("Anna <ANNA@X.Example>", "Lands@PLAY.example", "ADD 1")
	equal(t, "told", r.told()[:1], "receipt anna@x.example")
	if r.sum("lands") != 1 {
		t.Error("not found")
	}
}

func TestAnEndlessLetter(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", strings.Repeat("ADD 1\nSPOIL the party\n", 5000))
	if got := r.sum("lands"); got != 5000 {
		t.Errorf("sum %d", got)
	}
	items := r.sent()
	if n := strings.Count(items[0].Text, "\nVerdict: "); n > 200 || !strings.Contains(items[0].Text, "9800") {
		t.Errorf("the receipt lists %d lines:\n%s", n, items[0].Text[len(items[0].Text)-600:])
	}
}

func TestACancelledContextLeavesNothing(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	b := ingest.Batch{Messages: []ingest.Message{r.mail("anna@x.example", "lands@play.example", "ADD 10")}, Next: "x", Until: r.now}
	ctx, cancel := context.WithCancel(t.Context())
	err := r.write(ctx, func(w *work) error {
		if _, err := w.handle("box", b); err != nil {
			return err
		}
		cancel()
		return nil
	})
	if err == nil || r.sum("lands") != 0 || r.load("lands").Held != "" {
		t.Fatalf("sum %d, held %q, %v", r.sum("lands"), r.load("lands").Held, err)
	}
	cancelled, stop := context.WithCancel(t.Context())
	stop()
	if _, err := r.Handle(cancelled, "box", b); err == nil {
		t.Fatal("handled")
	}
	if _, err := r.Handle(t.Context(), "box", b); err != nil || r.sum("lands") != 10 {
		t.Errorf("sum %d, %v", r.sum("lands"), err)
	}
}
func TestWhatNobodyMayReadStandsNowhere(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "TELL Boris\nPRESS TO Boris\nThe moonstone.\nEND PRESS\nAS Boris\nADD 1", "Subject: the moonstone")
	for _, it := range r.sent() {
		knows := strings.Contains(it.Text+it.Subject, "moonstone") || strings.Contains(it.Text, "a secret.")
		if knows && it.To != "boris@x.example" && it.To != "anna@x.example" {
			t.Errorf("%s to %s: %s\n%s", it.Kind, it.To, it.Subject, it.Text)
		}
	}
	for _, from := range []string{"clara@x.example", "gm@lands.example"} {
		r.say(from, "lands@play.example", "HISTORY\nSTATUS\nWHO\nDEADLINE\nHELP")
		for _, it := range r.sent() {
			if strings.Contains(it.Text, "moonstone") || strings.Contains(it.Text, "a secret.") || strings.Contains(it.Text, "@x.example") {
				t.Errorf("%s reads\n%s", it.To, it.Text)
			}
		}
	}
}

func TestAddressTagAndGameLineAgainstEachOther(t *testing.T) {
	r := newRig(t)
	r.game("moors", "all@play.example")
	r.game("marches", "all@play.example")
	r.say("anna@x.example", "all@play.example", "[moors]\nADD 1")
	equal(t, "nothing tells", r.told())
	r.say("anna@x.example", "all+moors@play.example, all@play.example", "ADD 1", "Subject: [marches] x")
	if a, b := r.sum("moors"), r.sum("marches"); a != 1 || b != 0 {
		t.Errorf("+game and a tag: %d %d", a, b)
	}
	r.sent()
	r.say("anna@x.example", "all+moors@play.example", "GAME marches\nADD 1")
	equal(t, "+game against GAME", r.told(), "question anna@x.example")
	r.say("anna@x.example", "all@play.example", "GAME moors\nGAME marches\nADD 1")
	equal(t, "two GAME lines", r.told(), "question anna@x.example")
	r.say("anna@x.example", "all@play.example", "GAME moors\nGAME moors\nADD 1", "Subject: [moors] [marches]")
	if a, b := r.sum("moors"), r.sum("marches"); a != 2 || b != 0 {
		t.Errorf("the first tag: %d %d", a, b)
	}
}

func TestResumeKeepsTheOrderAcrossDueInstants(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "BELL a 120")
	r.say("anna@x.example", "lands@play.example", "BOOM")
	r.say("anna@x.example", "lands@play.example", "TELL Boris") // at the bell's instant: 12:01 + 2 min
	r.say("anna@x.example", "lands@play.example", "NOTE IT")
	r.now = r.now.Add(time.Hour)
	if _, err := r.Resume(t.Context(), "lands"); err != nil {
		t.Fatal(err)
	}
	equal(t, "events", r.events("lands"), "told", "rang a", "noted")
}
