package turns

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"arroba/rules"
)

func TestLeaveIsRuledOn(t *testing.T) {
	tests := []struct{ name, from, letter, want string }{
		{"a player", "anna@x.example", "LEAVE GAME", "accepted E-LEAVE"},
		{"in Russian", "boris@x.example", "Уйти из игры.", "accepted E-LEAVE"},
		{"a GM", "gm@lands.example", "LEAVE GAME", "refused E-LEAVE"},
		{"an observer", "clara@x.example", "LEAVE GAME", "refused E-LEAVE"},
		{"on behalf", "gm@lands.example", "AS Anna\nLEAVE GAME\nADD 5\nLEAVE GAME", "accepted E-AS accepted E-LEAVE accepted T-1 refused E-LEAVE"},
		{"nothing after it", "anna@x.example", "ADD 1\nLEAVE GAME\nADD 5\nWHO", "accepted T-1 accepted E-LEAVE refused E-LEAVE refused E-LEAVE"},
		{"a test", "anna@x.example", "TEST\nLEAVE GAME\nADD 5", "accepted E-TEST accepted E-LEAVE refused E-LEAVE"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.game("lands")
			r.exec(`UPDATE member SET role = 'observer' WHERE seat = 'Clara'`)
			r.forget("lands")
			equal(t, "verdicts", []string{strings.Join(r.verdicts(r.say(tt.from, "lands@play.example", tt.letter)), " ")}, tt.want)
			gone := slices.ContainsFunc(r.load("lands").Members, func(m Member) bool { return !m.Gone.IsZero() })
			if want := strings.Contains(tt.want, "accepted E-LEAVE") && tt.name != "a test"; gone != want {
				t.Errorf("somebody is gone: %v", gone)
			}
		})
	}
}

func TestWhoHasLeftHearsNothingMoreAndIsNobody(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	link := r.load("lands").seat("Anna").Link
	first := r.mail("anna@x.example", "lands@play.example", "LEAVE GAME")
	second := r.mail("anna@home.example", "lands@play.example", "ADD 5")
	h := r.take(first, second)
	items := r.sent()
	var told []string
	for _, it := range items {
		told = append(told, it.Kind+" "+it.To)
	}
	equal(t, "told", told, "receipt anna@x.example", "copy gm@lands.example")
	if !strings.Contains(items[1].Text, "\n> REPLACE Anna BY nick name@example.org\n") || strings.Contains(items[0].Text, "/m/") {
		t.Errorf("told\n%s\n%s", items[0].Text, items[1].Text)
	}
	if got := h.Letters[1]; got.Seat != "" || got.Status != "desk" || r.sum("lands") != 0 {
		t.Errorf("the letter after it is %+v", got)
	}
	if _, _, err := MemberByLink(t.Context(), r.DB.Read(), link); err == nil {
		t.Error("her page is still there")
	}
	r.say("boris@x.example", "lands@play.example", "ADD 1\nTELL Anna")
	r.say("boris@x.example", "lands@play.example", "ПИСЬМО ВСЕМ\nhello\nКОНЕЦ ПИСЬМА\nПИСЬМО Anna\nhello\nКОНЕЦ ПИСЬМА")
	for _, it := range r.sent() {
		if strings.HasPrefix(it.To, "anna@") {
			t.Errorf("she is told\n%s", it.Text)
		}
		if it.Kind == "receipt" && strings.Contains(it.Text, "E-PRESS") && !strings.Contains(it.Text, "отказано (E-PRESS)") {
			t.Errorf("a letter to nobody is taken:\n%s", it.Text)
		}
	}
	r.say("clara@x.example", "lands@play.example", "WHO")
	if text := r.sent()[0].Text; !strings.Contains(text, "Anna, player; has left") {
		t.Errorf("WHO says\n%s", text)
	}
	r.say("gm@lands.example", "lands@play.example", "AS Boris\nLEAVE GAME")
	equal(t, "who is made to leave is told", r.told(), "receipt gm@lands.example", "results boris@x.example")
}

func TestTheTokenOfWhoHasLeftProvesNothing(t *testing.T) {
	r := newRig(t)
	r.game("lands", `authentication = "token"`)
	r.exec(`UPDATE member SET token = 'annasecrettoken' WHERE seat = 'Anna'`)
	r.say("anna@x.example", "lands@play.example", "TOKEN annasecrettoken\nLEAVE GAME")
	r.sent()
	for _, text := range []string{"ADD 5", "TOKEN annasecrettoken\nADD 5"} {
		if out := r.say("anna@x.example", "lands@play.example", text); out.Seat != "" || out.Status != "desk" {
			t.Errorf("%q is %+v", text, out)
		}
	}
	if told := r.told(); len(told) > 0 {
		t.Errorf("told %v", told)
	}
}

func TestReplaceIsRuledOn(t *testing.T) {
	tests := []struct{ line, want string }{
		{"REPLACE Anna BY Dora Dee dora@x.example", "accepted E-REPLACE"},
		{"ЗАМЕНИТЬ Anna НА Дора <dora@x.example>", "accepted E-REPLACE"},
		{"REPLACE Clara BY Dora dora@x.example", "accepted E-REPLACE"}, // an address of hers gets copies: those stay
		{"REPLACE Zed BY Dora dora@x.example", "unclear"},
		{"REPLACE Anna BY boris dora@x.example", "refused E-REPLACE"},
		{"REPLACE Anna BY Gareth dora@x.example", "refused E-REPLACE"},
		{"REPLACE Anna BY Anna dora@x.example", "refused E-REPLACE"},
		{"REPLACE Anna BY all dora@x.example", "refused E-REPLACE"},
		{"REPLACE Anna BY Всем dora@x.example", "refused E-REPLACE"},
		{"REPLACE Anna BY all but Boris dora@x.example", "refused E-REPLACE"},
		{"REPLACE Anna BY Do@ra dora@x.example", "refused E-REPLACE"},
		{"REPLACE Anna BY Dora: dora@x.example", "refused E-REPLACE"},
		{"REPLACE Anna BY Dora Boris@X.example", "refused E-REPLACE"},
		{"REPLACE Anna BY Dora anna@x.example", "refused E-REPLACE"},
		{"REPLACE Anna BY Dora archive@x.example", "refused E-REPLACE"},
		{"REPLACE Anna BY Dora lands@play.example", "refused E-REPLACE"},
		{"REPLACE Anna BY Dora dora", "unclear"},
		{"TEST\nREPLACE Anna BY Dora dora@x.example\nAS Dora\nADD 1", "accepted E-TEST accepted E-REPLACE accepted E-AS accepted T-1"},
	}
	for _, tt := range tests {
		r := newRig(t)
		r.game("lands")
		equal(t, tt.line, []string{strings.Join(r.verdicts(r.say("gm@lands.example", "lands@play.example", tt.line)), " ")}, tt.want)
		if replaced := r.load("lands").seat("Anna").Nick != "Anna" || r.load("lands").seat("Clara").Nick != "Clara"; replaced != (tt.want == "accepted E-REPLACE") {
			t.Errorf("%q: replaced %v", tt.line, replaced)
		}
		if told := r.told(); strings.HasPrefix(tt.line, "TEST") && len(told) != 1 {
			t.Errorf("%q: told %v", tt.line, told)
		}
	}
}

func TestTheSuccessor(t *testing.T) {
	for _, auth := range []string{"none", "token", "password"} {
		t.Run(auth, func(t *testing.T) {
			r := newRig(t)
			r.game("lands", `authentication = "`+auth+`"`)
			r.exec(`UPDATE member SET token = LOWER(seat) || 'secrettoken'`)
			token := map[string]string{"gm@lands.example": "gareth", "anna@x.example": "anna", "boris@x.example": "boris", "clara@x.example": "clara"}
			say := func(from, text string) Outcome {
				t.Helper()
				if auth != "none" {
					text = "TOKEN " + token[from] + "secrettoken\n" + text
				}
				return r.say(from, "lands@play.example", text)
			}
			old := *r.load("lands").seat("Anna")
			say("boris@x.example", "PRESS TO Anna\nthe moonstone\nEND PRESS\nTELL Anna")
			say("anna@x.example", "ADDRESS anna@new.example\nADD 5\nVACATION 2026-05-01 TO 2026-05-09")
			r.sent()
			out := say("gm@lands.example", "PRESS TO Anna\nthe sunstone\nEND PRESS\nREPLACE Anna BY Dora dora@x.example")
			equal(t, "verdicts", r.verdicts(out), "accepted E-PRESS", "accepted E-REPLACE")
			g := r.load("lands")
			dora := g.seat("Anna")
			if dora.Nick != "Dora" || dora.Link == old.Link || len(dora.Addresses) != 1 || !dora.AwayUntil.IsZero() || (dora.token != "") != (auth != "none") || dora.token == old.token && auth != "none" {
				t.Fatalf("she is %+v", dora)
			}
			if n := r.count(`SELECT COUNT(*) FROM pending`); n != 0 {
				t.Error("what Anna was asked still waits")
			}
			var welcome, bye int
			for _, it := range r.sent() {
				if strings.Contains(it.Text, "moonstone") || strings.Contains(it.Text, "sunstone") && it.To == "dora@x.example" {
					t.Errorf("%s reads\n%s", it.To, it.Text)
				}
				switch {
				case strings.HasPrefix(it.To, "anna@"):
					bye++
				case it.To == "dora@x.example":
					welcome++
					if !strings.Contains(it.Text, "/m/"+dora.Link) || auth != "none" && (strings.Contains(it.Text, dora.token) || !strings.Contains(it.ReplyTo, dora.token)) {
						t.Errorf("%+v\n%s", it, it.Text)
					}
				}
			}
			if welcome != 1 || bye != 1 {
				t.Errorf("welcomed %d times, told Anna %d times", welcome, bye)
			}
			token["dora@x.example"] = ""
			if auth != "none" {
				r.exec(`UPDATE member SET token = 'secrettoken' WHERE seat = 'Anna'`)
			}
			for from, seat := range map[string]string{"dora@x.example": "Anna", "anna@x.example": ""} {
				if out := say(from, "ADD 7 "); string(out.Seat) != seat {
					t.Errorf("a letter from %s is %+v", from, out)
				}
			}
			r.sent()
			say("dora@x.example", "HISTORY")
			if text := r.sent()[0].Text; strings.Contains(text, "stone") || !strings.Contains(text, "Boris tells Dora a secret") || !strings.Contains(text, "Dora adds 5") ||
				!strings.Contains(text, "Dora plays from now on in place of Anna") || !strings.HasPrefix(text, "Dora, your letter") {
				t.Errorf("she reads\n%s", text)
			}
			say("dora@x.example", "RESEND 100")
			for _, it := range r.sent() {
				if strings.Contains(it.Text, "stone") || it.To != "dora@x.example" {
					t.Errorf("%s is sent\n%s", it.To, it.Text)
				}
			}
			say("boris@x.example", "TELL Dora\nTELL Anna\nPRESS TO dora\nwelcome\nEND PRESS")
			items := r.sent()
			if len(items) != 2 || items[1].To != "dora@x.example" || strings.Count(items[1].Text, "Boris tells Dora") != 2 || !strings.Contains(items[1].Text, "to Dora") {
				t.Errorf("told %+v", items)
			}
			list, err := LastInputs(t.Context(), r.DB.Read(), "lands", 1000, 1)
			if err != nil || !strings.Contains(string(list[0].Events), `"to":"Anna"`) || strings.Contains(string(list[0].Events), "Dora") {
				t.Errorf("the log says %s, %v", list[0].Events, err)
			}
			before := r.encoded("lands")
			r.forget("lands")
			if !slices.Equal(before, r.encoded("lands")) {
				t.Error("played again it comes out otherwise")
			}
			equal(t, "the old nick is free no more", r.verdicts(say("gm@lands.example", "REPLACE Boris BY Anna x@x.example\nREPLACE Boris BY Dora x@x.example\nREPLACE Dora BY Anna y@x.example")),
				"refused E-REPLACE", "refused E-REPLACE", "accepted E-REPLACE")
		})
	}
}

// A ruleset's own texts look a seat up by its name.
func TestTheSuccessorsStatus(t *testing.T) {
	r := newRig(t)
	f, err := ReadGameFile("hl.toml", []byte(`name = "hl"
ruleset = "heroeslands"
gm = { nick = "Judge", email = "judge@hl.example" }
mailbox = "hl@play.example"
[[member]]
nick = "Ximena"
email = "ximena@hl.example"
[world]
lands = ["HL2"]
[world.inhabitants.Ximena]
gold = 123
feuds = { HL2 = 6 }
`))
	if err == nil {
		err = r.Create(t.Context(), f)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.say("judge@hl.example", "hl@play.example", "REPLACE Ximena BY Zoe zoe@hl.example")
	r.sent()
	r.say("zoe@hl.example", "hl@play.example", "STATUS\nWHO")
	if text := r.sent()[0].Text; !strings.Contains(text, "123 @ free") || !strings.Contains(text, "Zoe, player; has the seat of Ximena") {
		t.Errorf("she reads\n%s", text)
	}
}

func TestASeatThatWaitsIsTakenUp(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "LEAVE GAME")
	r.sent()
	r.say("gm@lands.example", "lands@play.example", "REPLACE Anna BY Anna anna@x.example") // she has thought better of it
	for _, told := range r.told() {
		if strings.HasPrefix(told, "question anna@") && told != "question anna@x.example" {
			t.Errorf("told %s", told)
		}
	}
	if out := r.say("anna@x.example", "lands@play.example", "ADD 5"); out.Seat != "Anna" || r.sum("lands") != 5 {
		t.Errorf("her letter is %+v", out)
	}
}

func TestResend(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	lands := "lands@play.example"
	for _, line := range []string{"RESEND 0", "RESEND 101", "RESEND 60\nRESEND 41"} {
		got := r.verdicts(r.say("anna@x.example", lands, line))
		equal(t, line, got[len(got)-1:], "refused E-RESEND")
	}
	r.say("boris@x.example", lands, "PRESS TO Anna\nthe moonstone\nEND PRESS")
	r.say("anna@home.example", lands, "ADD 1", "Message-ID: <m1@x>", "Subject: first")
	r.exec(`UPDATE outbox SET expires = 1 WHERE recipient = 'anna@x.example' AND kind = 'receipt' AND subject LIKE '%letter%'`)
	was := r.sent()
	r.say("anna@x.example", lands, "RESEND 2")
	now := r.sent()
	if len(now) != 3 || now[0].Kind != "receipt" || !strings.Contains(now[0].Text, "2 letters are sent") {
		t.Fatalf("told %+v", now)
	}
	find := func(kind, to string) int {
		for i := len(was) - 1; i >= 0; i-- {
			if was[i].Kind == kind && was[i].To == to {
				return i
			}
		}
		t.Fatalf("no %s to %s", kind, to)
		return 0
	}
	for i, old := range []int{find("press", "anna@x.example"), find("receipt", "anna@home.example")} {
		o, n := was[old], now[i+1]
		if n.Kind != o.Kind || n.Subject != o.Subject || n.Text != o.Text || n.MessageID == o.MessageID || n.Resent != o.ID || n.To != "anna@x.example" || n.InReplyTo != o.InReplyTo {
			t.Errorf("%+v\nagain:\n%+v", o, n)
		}
	}
	// What was sent once more does not count; the receipt of the order does.
	r.say("anna@x.example", lands, "ПОВТОРИ")
	if now := r.sent(); len(now) != 2 || !strings.Contains(now[1].Text, "2 letters are sent") {
		t.Errorf("told %+v", now)
	}
	r.say("clara@x.example", lands, "TEST\nRESEND 5")
	if now := r.sent(); len(now) != 1 {
		t.Errorf("a test sends %d", len(now))
	}
}

func TestNothingIsSentAgainToWhoLeft(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("boris@x.example", "lands@play.example", "PRESS TO Anna\nthe moonstone\nEND PRESS")
	r.say("anna@x.example", "lands@play.example", "LEAVE GAME")
	r.told()
	equal(t, "verdicts", r.verdicts(r.say("gm@lands.example", "lands@play.example", "AS Anna\nRESEND 2")), "accepted E-AS", "refused E-RESEND")
	equal(t, "told", r.told(), "receipt gm@lands.example")
}

func TestLinkNew(t *testing.T) {
	for _, line := range []string{"LINK NEW", "НОВАЯ ССЫЛКА"} {
		r := newRig(t)
		r.game("lands")
		old := r.load("lands").seat("Anna").Link
		equal(t, line, r.verdicts(r.say("anna@x.example", "lands@play.example", line)), "accepted E-LINK")
		link := r.load("lands").seat("Anna").Link
		if text := r.sent()[0].Text; link == old || !strings.Contains(text, "/m/"+link) || strings.Contains(text, old) {
			t.Errorf("%s: from %s to %s\n%s", line, old, link, text)
		}
		if _, _, err := MemberByLink(t.Context(), r.DB.Read(), old); err == nil {
			t.Error("the old page is still there")
		}
		if _, m, err := MemberByLink(t.Context(), r.DB.Read(), link); err != nil || m.Seat != "Anna" {
			t.Errorf("the new page: %v", err)
		}
	}
}

func TestSeatsChangeHandsBeforeTheGameBegins(t *testing.T) {
	r := newRig(t)
	r.gather(formingGame)
	r.sent()
	r.say("anna@x.example", "lands@play.example", "LEAVE GAME")
	items := r.sent()
	if len(items) != 2 || items[0].To != "anna@x.example" || items[1].To != "gm@x.example" || !strings.Contains(items[1].Text, "> REPLACE Anna BY") {
		t.Fatalf("told %+v", items)
	}
	r.say("olaf@x.example", "lands@play.example", "Уйти из игры")
	equal(t, "an invited observer declines", r.told(), "receipt olaf@x.example", "question gm@x.example")
	r.say("gm@x.example", "lands@play.example", "REPLACE Anna BY Dora dora@x.example")
	equal(t, "told", r.told(), "receipt gm@x.example", "question dora@x.example")
	if err := r.Start(t.Context(), "lands", true); err != nil {
		t.Fatal(err)
	}
	r.sent()
	if out := r.say("dora@x.example", "lands@play.example", "ADD 5"); out.Seat != "Anna" || r.sum("lands") != 8 {
		t.Errorf("her letter is %+v", out)
	}
}

func TestLettersThatWaitAreNotThoseOfWhoTakesTheSeat(t *testing.T) {
	for _, how := range []string{"a letter", "a command"} {
		t.Run(how, func(t *testing.T) {
			r := newRig(t)
			r.game("lands")
			r.game("other")
			r.exec(`UPDATE game SET held = 'a fault' WHERE name = 'lands'`)
			if how == "a letter" {
				r.say("gm@lands.example", "lands@play.example", "REPLACE Anna BY Dora dora@x.example")
			}
			late := r.say("anna@x.example", "lands@play.example", "ADD 5")
			if late.Status != "waiting" {
				t.Fatalf("%+v", late)
			}
			if how == "a command" {
				r.command("lands", "REPLACE Anna BY Dora other@play.example", "REPLACE Anna BY Dora dora@x.example")
			}
			if _, err := r.Resume(t.Context(), "lands"); err != nil {
				t.Fatal(err)
			}
			if n := r.count(`SELECT COUNT(*) FROM inbox WHERE id = $1 AND status = 'desk' AND note = $2`, late.Inbox, noMember); n != 1 || r.sum("lands") != 0 {
				t.Errorf("on the desk: %d; the sum is %d", n, r.sum("lands"))
			}
			equal(t, "her addresses", r.load("lands").seat("Anna").Addresses, "dora@x.example")
			for _, it := range r.sent() {
				if it.Kind == "receipt" && it.To == "dora@x.example" {
					t.Errorf("she has a receipt of a letter that is not hers:\n%s", it.Text)
				}
			}
		})
	}
}

func TestAGMWhoGivesHisSeatAwayLearnsNothingOfTheNewHolder(t *testing.T) {
	r := newRig(t)
	r.game("lands", `authentication = "token"`)
	r.exec(`UPDATE member SET token = LOWER(seat) || 'secrettoken'`)
	out := r.say("gm@lands.example", "lands@play.example", "TOKEN garethsecrettoken\nREPLACE Gareth BY Dora dora@x.example\nLINK NEW\nAS Anna\nADD 5")
	equal(t, "verdicts", r.verdicts(out), "accepted E-REPLACE", "refused E-LEAVE", "refused E-LEAVE", "refused E-LEAVE")
	dora := r.load("lands").seat("Gareth")
	for _, it := range r.sent() {
		if it.To == "gm@lands.example" && (strings.Contains(it.Text, dora.Link) || strings.Contains(it.ReplyTo+it.Text, dora.token) || !strings.Contains(it.Text, "Gareth,")) {
			t.Errorf("he is told, to answer at %s,\n%s", it.ReplyTo, it.Text)
		}
	}
	r.say("dora@x.example", "lands@play.example", "TOKEN "+dora.token+"\nAS Anna\nADD 5")
	if r.sum("lands") != 5 {
		t.Errorf("the new GM's orders make %d", r.sum("lands"))
	}
}

func TestSoManyLettersAreSentOnceMoreInADay(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	for i, want := range []string{"accepted", "accepted", "accepted", "refused"} {
		r.say("anna@x.example", "lands@play.example", "TEST\nRESEND 100")
		equal(t, fmt.Sprint("letter ", i+1), r.verdicts(r.say("anna@x.example", "lands@play.example", "RESEND 100")), want+" E-RESEND")
	}
	equal(t, "another member's", r.verdicts(r.say("boris@x.example", "lands@play.example", "RESEND 100")), "accepted E-RESEND")
	r.now = r.now.Add(day)
	equal(t, "the next day", r.verdicts(r.say("anna@x.example", "lands@play.example", "RESEND 100")), "accepted E-RESEND")
}

// What is a GM's by his office is known by the nick of whoever took it over.
func TestTheSuccessorsOffice(t *testing.T) {
	r := feudal(t)
	r.gm("CREDIT 9 @ TO Anna")
	equal(t, "replaced", r.verdicts(r.gm("REPLACE Judge BY Zoe zoe@hl.example")), "accepted E-REPLACE")
	equal(t, "given", r.verdicts(r.anna("GIVE 1 @ TO Zoe\nGIVE 1 @ TO Judge\nGIVE 1 @ TO MAGISTRATE\nGIVE FEUD Fen TO Zoe")),
		"accepted HL-18", "accepted HL-18", "accepted HL-18", "unclear")
	r.same("lands")
}

// TestLettersKnowSuccessors: the rules may find a successor's nick where no order names it, as in the name of a file.
func TestLettersKnowSuccessors(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	nicks := func() (got map[string]rules.Seat) {
		err := r.look(r.Context(), "lands", func(g *live) error {
			a := arrival{}
			got = a.forRules(g).Nicks
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := nicks(); got != nil {
		t.Errorf("with nobody replaced a letter knows %v", got)
	}
	r.order("gm@lands.example", "REPLACE Anna BY Nina nina@x.example")
	if got := nicks(); len(got) != 1 || got["Nina"] != "Anna" {
		t.Errorf("a letter knows %v", got)
	}
}
