package turns

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/orders"
	"arroba/outbox"
)

func TestTelling(t *testing.T) {
	tests := []struct {
		name, from, text string
		want             []string
	}{
		{"public: receipt, GM, copies, Tavern", "anna@x.example", "ADD 1",
			[]string{"receipt anna@x.example", "copy gm@lands.example", "copy archive@x.example", "copy clara@x.example", "post tavern"}},
		{"private: receipt and whom it names", "anna@x.example", "TELL Boris",
			[]string{"receipt anna@x.example", "results boris@x.example"}},
		{"the receipt goes where the letter came from", "anna@home.example", "TELL Anna", []string{"receipt anna@home.example"}},
		{"results go to the first address", "boris@x.example", "TELL Anna", []string{"receipt boris@x.example", "results anna@x.example"}},
		{"an address that is both has one mail", "anna@x.example", "TELL Clara\nADD 2",
			[]string{"receipt anna@x.example", "results clara@x.example", "copy gm@lands.example", "copy archive@x.example", "post tavern"}},
		{"the GM writes: his copy is his receipt", "gm@lands.example", "NOTE IT", []string{"receipt gm@lands.example"}},
		{"refused: a receipt and nothing else", "anna@x.example", "ADD 0", []string{"receipt anna@x.example"}},
		{"a question is answered in the receipt", "anna@x.example", "HELP\nWHO\nSTATUS\nHISTORY\nDEADLINE", []string{"receipt anna@x.example"}},
		{"nothing to act on", "anna@x.example", "CANCEL ALL\nREADY", []string{"receipt anna@x.example"}},
		{"prose is left for the GM, its writer has a hint", "anna@x.example", "What a fine day.", []string{"question anna@x.example"}},
		{"nobody known is not answered", "eve@x.example", "ADD 1", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.game("lands")
			r.say(tt.from, "lands@play.example", tt.text)
			equal(t, "told", r.told(), tt.want...)
		})
	}
}

func TestAMailHoldsEverythingThatMayBeKnown(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "TELL Boris\nADD 5\nNOTE IT", "Subject: my orders", "Message-ID: <m1@x.example>",
		"References: <root@x.example>")
	for _, it := range r.sent() {
		secret, public, note := strings.Contains(it.Text, "a secret"), strings.Contains(it.Text, "adds 5"), strings.Contains(it.Text, "For the desk")
		wantSecret, wantNote := it.To == "boris@x.example", it.To == "gm@lands.example"
		if secret != wantSecret || note != wantNote || !public {
			t.Errorf("%s %s: secret %v, note %v, public %v\n%s", it.Kind, it.To, secret, note, public, it.Text)
		}
		switch it.Kind {
		case outbox.Receipt:
			if it.InReplyTo != "m1@x.example" || !slices.Equal(it.References, []string{"root@x.example", "m1@x.example"}) || it.Auto != "auto-replied" {
				t.Errorf("the receipt answers %q %q %s", it.InReplyTo, it.References, it.Auto)
			}
			if it.Subject != "[lands] Re: my orders" || !strings.Contains(it.Text, "https://board.example/m/") {
				t.Errorf("the receipt says %q\n%s", it.Subject, it.Text)
			}
		default:
			if it.Via == "mail" && (it.InReplyTo != "" || it.Auto != "auto-generated" || strings.Contains(it.Text, "/m/")) {
				t.Errorf("%s %s answers %q, %s\n%s", it.Kind, it.To, it.InReplyTo, it.Auto, it.Text)
			}
		}
		if it.Via == "post" && it.State != outbox.Sent {
			t.Errorf("the post is %s, but the board's page is the Tavern", it.State)
		}
		if it.Via == "mail" && it.From != "lands@play.example" {
			t.Errorf("%s comes from %s", it.To, it.From)
		}
	}
}

func TestAReceiptListsAtMost200(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", strings.Repeat("ADD 1\n", 250))
	if got := r.sum("lands"); got != 250 {
		t.Errorf("%d orders were ruled on, want 250", got)
	}
	receipt := r.sent()[0]
	if n := strings.Count(receipt.Text, "> ADD 1"); n != 200 {
		t.Errorf("the receipt lists %d orders", n)
	}
}

func TestNamesStandAsTheOrderBeforeLeftThem(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	got := r.say("anna@x.example", "lands@play.example", "NAME lamp\nUSE lamp\nUSE lantern")
	in, err := Inputs(t.Context(), r.DB.Read(), "lands", got.Input-1, 1)
	if err != nil {
		t.Fatal(err)
	}
	body, err := in[0].DecodeLetter()
	if err != nil {
		t.Fatal(err)
	}
	var verdicts []orders.Verdict
	for _, o := range body.Orders {
		verdicts = append(verdicts, o.Verdict)
	}
	equal(t, "verdicts", verdicts, orders.Accepted, orders.Accepted, orders.Unclear)
}

func TestSubjectIsTriedWhenTheBodyHasNothing(t *testing.T) {
	for subject, want := range map[string]int64{
		"ADD 5": 5, "[lands] ADD 5 - Anna": 5, "ADD 5 (-)": 5, "ADD 5 *NM*": 5, "Re: ADD 5": 0, "Отв: ADD 5": 0, "letter": 0,
	} {
		r := newRig(t)
		r.game("lands")
		r.say("anna@x.example", "lands@play.example", "Greetings.", "Subject: "+subject)
		if got := r.sum("lands"); got != want {
			t.Errorf("%q: sum %d, want %d", subject, got, want)
		}
	}
}

func TestHalfAnOrderInASubject(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "Greetings.", "Subject: SPOIL the party")
	equal(t, "with a body", r.told(), "question anna@x.example")
	r.say("anna@x.example", "lands@play.example", "", "Subject: SPOIL the party")
	equal(t, "without", r.told(), "receipt anna@x.example")
}

func TestTheSameLetterActsOnce(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	m := r.mail("anna@x.example", "lands@play.example", "ADD 1")
	again, other := m, m
	again.Key = "Archive/9/1"
	other.Key, other.Raw = "INBOX/1/9", []byte(strings.Replace(string(m.Raw), "ADD 1", "ADD 10", 1))
	r.take(m, again)
	h := r.take(m)
	equal(t, "keys to mark", h.Done, m.Key)
	again.Key = "Archive/9/2"
	r.take(again)
	if got := r.sum("lands"); got != 1 {
		t.Errorf("sum %d after the same letter four times, want 1", got)
	}
	r.take(other)
	if got := r.sum("lands"); got != 11 {
		t.Errorf("sum %d after another text under the same Message-ID, want 11", got)
	}
}

func TestALetterToTwoGamesActsInBoth(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.game("marches")
	m := r.mail("anna@x.example", "lands@play.example", "ADD 1")
	r.take(m)
	m.Key, m.Raw = "INBOX/2/1", []byte(strings.Replace(string(m.Raw), "lands@", "marches@", 1))
	r.take(m)
	if a, b := r.sum("lands"), r.sum("marches"); a != 1 || b != 1 {
		t.Errorf("sums %d and %d, want 1 and 1", a, b)
	}
}

func TestLettersInOrderOfArrival(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	late, early := r.mail("anna@x.example", "lands@play.example", "USE lamp"), r.mail("anna@x.example", "lands@play.example", "NAME lamp")
	early.Arrived = r.now.Add(-time.Hour)
	h := r.take(late, early)
	equal(t, "order", []string{h.Letters[0].Key, h.Letters[1].Key}, early.Key, late.Key)
}

func TestWhoIsNotObeyed(t *testing.T) {
	dmarc := "authentication = \"dmarc\"\nauthserv_id = \"mx.play.example\""
	tests := []struct {
		name, toml, from string
		fields           []string
		status           string
		sum              int64
		told             []string
	}{
		{"nobody known", "", "eve@x.example", nil, ingest.Desk, 0, nil},
		{"an automatic reply", "", "anna@x.example", []string{"Auto-Submitted: auto-replied", "Subject: away"}, ingest.Done, 0, nil},
		{"no author", "", "", nil, ingest.Failed, 0, []string{"question gm@lands.example"}},
		{"two authors", "", "anna@x.example, boris@x.example", nil, ingest.Failed, 0, []string{"question gm@lands.example"}},
		{"dmarc passed", dmarc, "anna@x.example", []string{"Authentication-Results: mx.play.example; dmarc=pass header.from=x.example"}, ingest.Done, 1, nil},
		{"dmarc failed", dmarc, "anna@home.example", []string{"Authentication-Results: mx.play.example; dmarc=fail header.from=home.example"}, ingest.Desk, 0, []string{"question anna@x.example"}},
		{"dmarc of another server", dmarc, "anna@x.example", []string{"Authentication-Results: mx.evil.example; dmarc=pass header.from=x.example"}, ingest.Desk, 0, []string{"question anna@x.example"}},
		{"no word of dmarc", dmarc, "anna@x.example", nil, ingest.Desk, 0, []string{"question anna@x.example"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.game("lands", tt.toml)
			got := r.say(tt.from, "lands@play.example", "ADD 1", append(tt.fields, "X-Any: thing")...)
			if got.Status != tt.status || r.sum("lands") != tt.sum {
				t.Errorf("status %s, sum %d; want %s, %d", got.Status, r.sum("lands"), tt.status, tt.sum)
			}
			if tt.sum == 0 {
				equal(t, "told", r.told(), tt.told...)
			}
			if n := r.count(`SELECT COUNT(*) FROM inbox WHERE LENGTH(raw) > 0`); n != 1 {
				t.Errorf("%d letters are kept with their bytes", n)
			}
		})
	}
}

func TestAForgedLetterDoesNotMakeTheTrueOneACopy(t *testing.T) {
	r := newRig(t)
	r.game("lands", "authentication = \"dmarc\"\nauthserv_id = \"mx.play.example\"")
	r.say("anna@x.example", "lands@play.example", "ADD 1", "Message-ID: <m@x.example>")
	r.say("anna@x.example", "lands@play.example", "ADD 1", "Message-ID: <m@x.example>",
		"Authentication-Results: mx.play.example; dmarc=pass header.from=x.example")
	if got := r.sum("lands"); got != 1 {
		t.Errorf("sum %d, want 1", got)
	}
}

func TestLettersThatCannotBeReadAreKeptAndShown(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.take(ingest.Message{Key: "INBOX/1/7", Arrived: r.now, Via: "mail", Fault: "too big: 210 MB, limit 25 MB"})
	equal(t, "no game is known", r.told(), "alarm ops@x.example")
	if n := r.count(`SELECT COUNT(*) FROM inbox WHERE status = 'failed' AND note LIKE 'too big%'`); n != 1 {
		t.Errorf("%d letters kept as failed", n)
	}
}

func TestDeskLettersStayUnread(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	h := r.take(r.mail("anna@x.example", "lands@play.example", "Good day."), r.mail("anna@x.example", "lands@play.example", "ADD 1"))
	equal(t, "keys to mark", h.Done, "INBOX/1/0002")
}

func TestAHintADay(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	m := []ingest.Message{r.mail("anna@x.example", "lands@play.example", "Good day."), r.mail("anna@x.example", "lands@play.example", "And night.")}
	r.take(m...)
	equal(t, "for two letters at once", r.told(), "question anna@x.example")
	r.now = r.now.Add(23 * time.Hour)
	r.say("anna@x.example", "lands@play.example", "Good day again.")
	equal(t, "within a day", r.told())
	r.say("boris@x.example", "lands@play.example", "Good day.", "X-Auto-Response-Suppress: All")
	equal(t, "where none is wanted", r.told())
	r.now = r.now.Add(2 * time.Hour)
	r.say("anna@x.example", "lands@play.example", "Good morning.")
	equal(t, "after a day", r.told(), "question anna@x.example")
}

func TestFindingTheGame(t *testing.T) {
	tests := []struct {
		name, from, to, text string
		fields               []string
		want                 string // the game whose sum rises
		told                 []string
	}{
		{"its own mailbox", "anna@x.example", "lands@play.example", "ADD 1", nil, "lands", nil},
		{"+game", "anna@x.example", "all+marches@play.example", "ADD 1", nil, "marches", nil},
		{"the mailbox before the subject", "anna@x.example", "lands@play.example", "ADD 1", []string{"Subject: [moors] orders"}, "lands", nil},
		{"the subject", "anna@x.example", "all@play.example", "ADD 1", []string{"Subject: Re: [MOORS] orders"}, "moors", nil},
		{"an unknown tag means nothing", "anna@x.example", "lands@play.example", "ADD 1", []string{"Subject: [urgent] orders"}, "lands", nil},
		{"a GAME line", "anna@x.example", "all@play.example", "GAME moors\nADD 1", nil, "moors", nil},
		{"ИГРА", "anna@x.example", "all@play.example", "ADD 1\nИГРА marches", nil, "marches", nil},
		{"a GAME line that names none", "anna@x.example", "lands@play.example", "GAME fens\nADD 1", nil, "", []string{"question anna@x.example"}},
		{"a GAME line against the address", "anna@x.example", "lands@play.example", "GAME moors\nADD 1", nil, "", []string{"question anna@x.example"}},
		{"the only game", "gm@moors.example", "all@play.example", "ADD 1", nil, "moors", nil},
		{"nothing tells", "anna@x.example", "all@play.example", "ADD 1", nil, "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.game("lands")
			r.game("moors", "all@play.example")
			r.game("marches", "all@play.example")
			r.say(tt.from, tt.to, tt.text, append(tt.fields, "X-Any: thing")...)
			for _, g := range []string{"lands", "moors", "marches"} {
				if got := r.sum(g) == 1; got != (g == tt.want) {
					t.Errorf("%s ruled on it: %v", g, got)
				}
			}
			if tt.want == "" {
				equal(t, "told", r.told(), tt.told...)
			}
		})
	}
}

func TestAnAnswerBelongsToTheGameOfTheMailItAnswers(t *testing.T) {
	r := newRig(t)
	r.game("moors", "all@play.example")
	r.game("marches", "all@play.example")
	r.say("anna@x.example", "all@play.example", "GAME marches\nTELL Boris")
	for _, it := range r.sent() {
		if it.To == "boris@x.example" {
			r.say("boris@x.example", "all@play.example", "ADD 3", "In-Reply-To: <"+it.MessageID+">")
		}
	}
	if got := r.sum("marches"); got != 3 {
		t.Errorf("sum %d, want 3", got)
	}
}

func TestAPanicHoldsThatGameOnly(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.game("marches")
	r.say("anna@x.example", "lands@play.example", "ADD 1")
	r.sent()
	h := r.take(
		r.mail("anna@x.example", "lands@play.example", "ADD 10\nBOOM"),
		r.mail("boris@x.example", "lands@play.example", "ADD 100"),
		r.mail("anna@x.example", "marches@play.example", "ADD 7"))
	equal(t, "statuses", []string{h.Letters[0].Status, h.Letters[1].Status, h.Letters[2].Status}, ingest.Failed, ingest.Waiting, ingest.Done)
	equal(t, "told", r.told(), "question gm@lands.example", "alarm ops@x.example", "receipt anna@x.example", "copy gm@marches.example",
		"copy archive@x.example", "copy clara@x.example", "post tavern")
	if r.load("lands").Held == "" || r.load("marches").Held != "" {
		t.Fatal("the wrong game is held")
	}
	if got := r.sum("lands"); got != 1 {
		t.Errorf("sum %d: the failed letter left something behind", got)
	}
	r.say("anna@x.example", "lands@play.example", "ADD 1000")
	equal(t, "told once", r.told())

	if _, err := r.Resume(t.Context(), "lands"); err != nil {
		t.Fatal(err)
	}
	if got := r.sum("lands"); got != 1101 || r.load("lands").Held != "" {
		t.Errorf("sum %d after what waited, want 1101; held: %q", got, r.load("lands").Held)
	}
	if n := r.count(`SELECT COUNT(*) FROM inbox WHERE status = 'failed'`); n != 1 {
		t.Errorf("%d letters are failed, want the one", n)
	}
}

func TestATextThatFailsHoldsTheGame(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	if got := r.say("anna@x.example", "lands@play.example", "SPOIL"); got.Status != ingest.Failed {
		t.Errorf("status %s", got.Status)
	}
	if r.load("lands").Held == "" || r.sum("lands") != 0 || len(r.events("lands")) != 0 {
		t.Error("something of it was kept")
	}
}

func TestATransactionThatDoesNotCommitLeavesNothing(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "ADD 1")
	r.sent()
	crash := errors.New("the power failed")
	b := ingest.Batch{Messages: []ingest.Message{r.mail("anna@x.example", "lands@play.example", "ADD 10")}, Next: "x", Until: r.now}
	err := r.write(t.Context(), func(w *work) error {
		if _, err := w.handle("box", b); err != nil {
			return err
		}
		if err := w.flush(); err != nil {
			return err
		}
		return crash
	})
	if !errors.Is(err, crash) {
		t.Fatal(err)
	}
	equal(t, "told", r.told())
	if at, _, _ := ingest.Load(t.Context(), r.DB.Read(), "box"); at == "x" || r.sum("lands") != 1 {
		t.Errorf("cursor %q, sum %d", at, r.sum("lands"))
	}
	if _, err := r.Handle(t.Context(), "box", b); err != nil {
		t.Fatal(err)
	}
	if got := r.sum("lands"); got != 11 {
		t.Errorf("sum %d after the second try, want 11", got)
	}
}

func TestPostsThatAreReadAgain(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	post := func(key, text string, more ...string) []Outcome {
		head := "Author: Anna\nPost-ID: 17\nSubject: (-)\n" + strings.Join(more, "\n")
		return r.take(ingest.Message{Key: key, Arrived: r.now, Via: "post", Raw: []byte(strings.TrimRight(head, "\n") + "\n\n" + text + "\n")}).Letters
	}
	post("a", "ADD 1")
	r.sent()
	post("b", "ADD 1")
	equal(t, "told of a second reading", r.told())
	post("c", "ADD 5")
	equal(t, "told of an edit", r.told(), "question gm@lands.example", "question anna@x.example")
	post("d", "ADD 1", "Withdrawn: yes")
	equal(t, "told of a withdrawal", r.told(), "question gm@lands.example")
	if got := r.sum("lands"); got != 1 {
		t.Errorf("sum %d, want 1", got)
	}
}

func TestSecretsAndGameLinesGoNowhere(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "PASSWORD hunter2\nКЛЮЧ sesame\nADD 1\nGAME lands")
	for _, it := range r.sent() {
		if strings.Contains(it.Text, "hunter2") || strings.Contains(it.Text, "sesame") {
			t.Errorf("%s to %s tells a secret", it.Kind, it.To)
		}
	}
	if n := r.count(`SELECT COUNT(*) FROM input WHERE body LIKE '%hunter2%' OR body LIKE '%sesame%'`); n != 0 {
		t.Error("the log tells a secret")
	}
}

func TestHistoryShowsWhatOneMayKnow(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "TELL Boris\nADD 1")
	r.sent()
	for from, secret := range map[string]bool{"boris@x.example": true, "clara@x.example": false, "gm@lands.example": false} {
		r.say(from, "lands@play.example", "HISTORY 5")
		text := r.sent()[0].Text
		if strings.Contains(text, "tells Boris") != secret || !strings.Contains(text, "adds 1") {
			t.Errorf("%s reads\n%s", from, text)
		}
	}
	r.say("anna@x.example", "lands@play.example", "HISTORY 0\nHISTORY 1001")
	if text := r.sent()[0].Text; strings.Count(text, "E-HISTORY") != 2 {
		t.Errorf("HISTORY out of bounds:\n%s", text)
	}
}

func TestBrakesLimitAnswersNotLines(t *testing.T) {
	r := newRig(t)
	r.Limits.AnswersHour = 3
	r.game("lands")
	for range 5 {
		r.say("anna@x.example", "lands@play.example", "NAME lamp")
	}
	r.say("boris@x.example", "lands@play.example", "NAME lamp")
	equal(t, "told", r.told(), "receipt anna@x.example", "receipt anna@x.example", "receipt anna@x.example", "question gm@lands.example", "receipt boris@x.example")
	if n := r.count(`SELECT COUNT(*) FROM input WHERE kind = 'letter'`); n != 6 {
		t.Errorf("%d letters were ruled on, want 6", n)
	}
	r.now = r.now.Add(time.Hour)
	r.say("anna@x.example", "lands@play.example", "NAME lamp")
	equal(t, "an hour later", r.told(), "receipt anna@x.example")
}
