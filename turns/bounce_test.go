package turns

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/outbox"
)

// mailTo returns the last mail that was queued to an address.
func (r *rig) mailTo(address string) outbox.Item {
	r.Helper()
	var last outbox.Item
	for _, it := range r.sent() {
		if it.To == address {
			last = it
		}
	}
	if last.ID == "" {
		r.Fatalf("nothing was sent to %s", address)
	}
	return last
}

// report is a delivery report as mail servers write it.
func report(id, recipient, action, status string) string {
	return fmt.Sprintf("--r\n\nIt did not arrive.\nADD 1\n\n--r\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n"+
		"Final-Recipient: rfc822; %[1]s\nAction: %[2]s\nStatus: %[3]s\nDiagnostic-Code: smtp; 550 %[3]s no such user\n\n--r\nContent-Type: message/rfc822\n\n"+
		"From: lands@play.example\nTo: %[1]s\nMessage-ID: <%[4]s>\n\nADD 1\n\n--r--", recipient, action, status, id)
}

// bounce hands a report to the engine.
func (r *rig) bounce(to, text string, fields ...string) Outcome {
	r.Helper()
	return r.say("MAILER-DAEMON@mx.example", to, text, append([]string{"Return-Path: <>", "Subject: failure notice", fmt.Sprintf("Message-ID: <b%d@mx.example>", r.n)}, fields...)...)
}

const dsn = "Content-Type: multipart/report; report-type=delivery-status; boundary=r"

func TestABounceIsTiedToItsMail(t *testing.T) {
	for name, tt := range map[string]struct {
		to     func(it outbox.Item) string
		text   func(it outbox.Item) string
		fields []string
		hard   int
		status string
	}{
		"a report with our mail in it": {text: func(it outbox.Item) string { return report(it.MessageID, it.To, "failed", "5.1.1") }, fields: []string{dsn}, hard: 1, status: "5.1.1"},
		"a report of a delay":          {text: func(it outbox.Item) string { return report(it.MessageID, it.To, "delayed", "4.4.1") }, fields: []string{dsn}, status: "4.4.1"},
		"a mailbox that is full":       {text: func(it outbox.Item) string { return report(it.MessageID, it.To, "failed", "5.2.2") }, fields: []string{dsn}, status: "5.2.2"},
		"a mail taken for spam":        {text: func(it outbox.Item) string { return report(it.MessageID, it.To, "failed", "5.7.1") }, fields: []string{dsn}, status: "5.7.1"},
		"qmail's": {text: func(it outbox.Item) string {
			return "Hi. This is the qmail-send program at mx.example.\n\n<" + it.To + ">:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nMessage-ID: <" + it.MessageID + ">\n\nADD 1\n"
		}, hard: 1, status: "5.1.1"},
		"one to the envelope address that names nothing else": {to: func(it outbox.Item) string { return outbox.VERP(it) },
			text: func(it outbox.Item) string {
				return report("unknown@mx.example", "other@mx.example", "failed", "5.1.1")
			}, fields: []string{dsn}, hard: 1, status: "5.1.1"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.game("lands")
			r.say("anna@x.example", "lands@play.example", "TELL Boris")
			it := r.mailTo("boris@x.example")
			to := "lands@play.example"
			if tt.to != nil {
				to = tt.to(it)
			}
			if got := r.bounce(to, tt.text(it), tt.fields...); got.Status != ingest.Done || got.Class != "bounce" || got.Game != "lands" || got.Input != 0 {
				t.Errorf("the bounce became %+v", got)
			}
			var status, reason string
			var hard int
			err := r.DB.Read().QueryRowContext(t.Context(), `SELECT hard, status, reason FROM bounce WHERE item = $1 AND addr = 'boris@x.example'`, it.ID).Scan(&hard, &status, &reason)
			if err != nil || hard != tt.hard || status != tt.status || reason == "" {
				t.Errorf("kept hard %d, %q, %q, %v; want %d, %q", hard, status, reason, err, tt.hard, tt.status)
			}
			if sum := r.sum("lands"); sum != 0 {
				t.Errorf("orders in a bounce were obeyed: sum %d", sum)
			}
			var want []string
			if tt.hard == 1 {
				want = []string{"question gm@lands.example"}
			}
			equal(t, "told", r.told(), want...)
		})
	}
}

func TestAForgedBounceIsNotBelieved(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "ADD 1")
	var post outbox.Item
	for _, it := range r.sent() {
		if it.Via == viaPost {
			post = it
		}
	}
	for _, id := range []string{"nothing@play.example", "game.lands@play.example", post.MessageID} {
		r.bounce("lands@play.example", report(id, "boris@x.example", "failed", "5.1.1"), dsn)
	}
	if n := r.count(`SELECT COUNT(*) FROM bounce`); n != 0 {
		t.Errorf("%d forged bounces were kept", n)
	}
	equal(t, "told", r.told())
	if got := r.bounce("lands+b-nothing@play.example", report("nothing@x", "boris@x.example", "failed", "5.1.1"), dsn); got.Status != ingest.Done {
		t.Errorf("it became %+v", got)
	}
}

// TestTheGMIsToldOnceOfAnAddress holds that a member whose mail comes back is shown to the GM once, in WHO as long as it
// lasts, and to nobody else.
func TestTheGMIsToldOnceOfAnAddress(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	soft := func() []string {
		r.say("anna@x.example", "lands@play.example", "TELL Boris")
		it := r.mailTo("boris@x.example")
		r.bounce("lands@play.example", report(it.MessageID, it.To, "failed", "4.2.2"), dsn)
		return r.told()
	}
	equal(t, "told at first", soft())
	equal(t, "told at the second", soft())
	equal(t, "told at the third", soft(), "question gm@lands.example")
	equal(t, "told at the fourth", soft())
	who := func(from string) string {
		r.say(from, "lands@play.example", "WHO")
		return r.mailTo(from).Text
	}
	if text := who("gm@lands.example"); !strings.Contains(text, "Boris, player; mail to him comes back") || strings.Contains(text, "Anna, player;") {
		t.Errorf("the GM reads\n%s", text)
	}
	if text := who("anna@x.example"); strings.Contains(text, "comes back") {
		t.Errorf("a player reads\n%s", text)
	}
	r.now = r.now.Add(8 * 24 * time.Hour)
	if text := who("gm@lands.example"); strings.Contains(text, "comes back") {
		t.Errorf("a week later the GM still reads\n%s", text)
	}
}

func TestWhatComesBackFromTheGMAndOfAlarms(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "ADD 1")
	it := r.mailTo("gm@lands.example")
	r.bounce("lands@play.example", report(it.MessageID, it.To, "failed", "5.1.1"), dsn)
	alarm := r.mailTo("ops@x.example")
	if !strings.Contains(alarm.Text, "Gareth") {
		t.Errorf("the operator reads\n%s", alarm.Text)
	}
	r.bounce("arroba@x.example", report(alarm.MessageID, alarm.To, "failed", "5.1.1"), dsn)
	equal(t, "told of an alarm that came back", r.told())
}

func TestARefusedMailIsABounce(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "TELL Boris")
	it := r.mailTo("boris@x.example")
	r.Refused(t.Context(), it, errors.New(`MAIL FROM:<lands@play.example>: 550 "5.7.1 not from you"`))
	equal(t, "told when it is we who are refused", r.told())
	r.Refused(t.Context(), it, errors.New(`RCPT TO:<boris@x.example>: 550 "5.1.1 no such user"`))
	if text := r.mailTo("gm@lands.example").Text; !strings.Contains(text, "no such user") || !strings.Contains(text, "Boris at boris@x.example") {
		t.Errorf("the GM reads\n%s", text)
	}
}

// TestMachinesAreNotAnswered holds the gate for every kind of mail that no person sent, and every answer that a letter
// of the same words brings when a person wrote it.
func TestMachinesAreNotAnswered(t *testing.T) {
	words := map[string]string{"orders": "ADD 1", "a refused order": "ADD 0", "an unclear line": "ORDERS\nnonsense\nEND", "no order": "I am away.",
		"another game": "GAME nowhere\nADD 1", "too many lines": strings.Repeat("line\n", 30)}
	machines := map[string][]string{
		"no return path": {"Return-Path: <>"}, "Postfix's null sender": {"Return-Path: MAILER-DAEMON"}, "Auto-Submitted": {"Auto-Submitted: auto-replied (vacation)"},
		"bulk": {"Precedence: bulk"}, "a list": {"List-Id: <x.example>"}, "our own loop": {"X-Arroba-Loop: lands@play.example"}, "its subject": {"Subject: Automatic reply: orders"},
	}
	for what, text := range words {
		r := newRig(t)
		r.Limits.Lines = 20
		r.game("lands")
		r.say("anna@x.example", "lands@play.example", text, "Subject: hello", "Message-ID: <p@x.example>")
		if list := r.told(); len(list) == 0 || !strings.HasSuffix(list[0], "anna@x.example") && !strings.HasSuffix(list[len(list)-1], "anna@x.example") {
			t.Errorf("a person who sends %s has no answer: %v", what, list)
		}
		for who, fields := range machines {
			r.say("anna@x.example", "lands@play.example", text, append(fields, "Message-ID: <"+strings.ReplaceAll(who, " ", "")+"@x.example>")...)
			for _, it := range r.told() {
				if strings.HasSuffix(it, "anna@x.example") {
					t.Errorf("%s that sends %s has %s", who, what, it)
				}
			}
		}
	}
}

func TestAMemberWithAMachinesAddressIsNotAnswered(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.exec(`UPDATE address SET addr = 'no-reply@x.example', shown = 'no-reply@x.example' WHERE addr = 'boris@x.example'`)
	r.say("anna@x.example", "lands@play.example", "TELL Boris")
	equal(t, "told", r.told(), "receipt anna@x.example", "results boris@x.example")
	r.say("no-reply@x.example", "lands@play.example", "NAME lamp")
	equal(t, "told", r.told())
}

// TestTwoRobotsComeToAnEnd plays a program that answers every mail of ours, says nothing of being one, and whose answers
// are orders or nonsense.
func TestTwoRobotsComeToAnEnd(t *testing.T) {
	for _, answer := range []string{"NAME lamp", "ADD 0", "TELL Anna", "Thank you for your mail."} {
		r := newRig(t)
		r.Limits = Limits{AnswersHour: 5, AnswersDay: 12, ErrorsHour: 3, Letters: 20}
		r.game("lands")
		r.say("anna@x.example", "lands@play.example", answer)
		mails := 0
		for round := 0; ; round++ {
			if round > 500 {
				t.Fatalf("%q: %d mails and no end", answer, mails)
			}
			var answers []outbox.Item
			for _, it := range r.sent() {
				if it.To == "anna@x.example" {
					answers = append(answers, it)
				}
			}
			if len(answers) == 0 {
				break
			}
			for range answers {
				mails++
				r.now = r.now.Add(10 * time.Minute)
				r.take(r.mail("anna@x.example", "lands@play.example", answer))
			}
		}
		if mails > 12+1 {
			t.Errorf("%q: %d mails went to it", answer, mails)
		}
	}
}

func TestBrakes(t *testing.T) {
	r := newRig(t)
	r.Limits = Limits{AnswersHour: 3, AnswersDay: 5, ErrorsHour: 2}
	r.GameLimits = map[string]Limits{"marches": {AnswersHour: 1}}
	r.game("lands")
	r.game("marches")
	say := func(game, text string) []string {
		r.say("anna@x.example", game+"@play.example", text)
		return r.told()
	}
	receipt, gm := "receipt anna@x.example", "question gm@lands.example"
	equal(t, "an error", say("lands", "ADD 0"), receipt)
	equal(t, "another", say("lands", "ADD 0"), receipt)
	equal(t, "one too many: the GM is told", say("lands", "ADD 0"), gm)
	equal(t, "and then no more", say("lands", "ADD 0"))
	equal(t, "what is done is answered", say("lands", "NAME a"), receipt)
	equal(t, "up to the hour's limit", say("lands", "NAME b"))
	r.now = r.now.Add(time.Hour)
	equal(t, "an hour later", append(say("lands", "NAME c"), say("lands", "NAME d")...), receipt, receipt)
	equal(t, "up to the day's limit", say("lands", "NAME e"))
	r.now = r.now.Add(24 * time.Hour)
	equal(t, "a day later", say("lands", "NAME f"), receipt)
	equal(t, "a game of its own limit", append(say("marches", "NAME g"), say("marches", "NAME h")...), "question gm@marches.example")
	if n := r.count(`SELECT COUNT(*) FROM input WHERE kind = 'letter'`); n != 12 {
		t.Errorf("%d letters were ruled on, want all 12", n)
	}
}

func TestABrakeRemembersAfterARestart(t *testing.T) {
	r := newRig(t)
	r.Limits.AnswersHour = 2
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "NAME a")
	r.say("anna@x.example", "lands@play.example", "NAME b")
	r.sent()
	again := rigOn(t, r.DB)
	again.now, again.n, again.seq, again.Limits = r.now, r.n, r.seq, r.Limits
	again.say("anna@x.example", "lands@play.example", "NAME c")
	equal(t, "told", again.told(), "question gm@lands.example")
}

// TestAFailureIsNotCounted holds that a batch whose transaction fails again and again does not use up its writers' share.
func TestAFailureIsNotCounted(t *testing.T) {
	r := newRig(t)
	r.Limits = Limits{Letters: 2, AnswersHour: 2}
	r.game("lands")
	crash := errors.New("the disk is full")
	b := ingest.Batch{Messages: []ingest.Message{r.mail("anna@x.example", "lands@play.example", "ADD 1")}, Next: "x", Until: r.now}
	for range 5 {
		if err := r.write(t.Context(), func(w *work) error { w.handle("box", b); return crash }); !errors.Is(err, crash) {
			t.Fatal(err)
		}
	}
	if h, err := r.Handle(t.Context(), "box", b); err != nil || h.Letters[0].Status != ingest.Done {
		t.Errorf("%+v, %v", h, err)
	}
	if list := r.told(); list[0] != "receipt anna@x.example" {
		t.Errorf("told %v", list)
	}
}
