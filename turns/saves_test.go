package turns

import (
	"strings"
	"testing"
	"time"
)

// atWar opens a game in which Anna and Boris are at war, each playing save 1 of a side.
func atWar(t *testing.T) *rig {
	t.Helper()
	r := newRig(t)
	f, err := ReadGameFile("lands.toml", []byte(`name = "lands"
ruleset = "heroeslands"
gm = { nick = "Judge", email = "gm@lands.example" }
mailbox = "lands@play.example"
[[member]]
nick = "Anna"
email = "anna@x.example"
[[member]]
nick = "Boris"
email = "boris@x.example"
[world]
lands = ["HL3"]
[world.inhabitants.Anna]
feuds = { HL3 = 5 }
[world.inhabitants.Boris]
feuds = { HL3 = 5 }
[world.inhabitants.Foma]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Anna" }
[world.inhabitants.Yerema]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Boris" }
`))
	if err == nil {
		err = r.Create(t.Context(), f)
	}
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "war", r.verdicts(r.anna("DECLARE WAR ON Boris WITH 1\nROSTER Anna")), "accepted HL-48", "accepted HL-56")
	equal(t, "his roster", r.verdicts(r.say("boris@x.example", "lands@play.example", "ROSTER Boris")), "accepted HL-56")
	r.pass(36 * 24 * time.Hour)
	r.sent()
	return r
}

// filed is a letter with files.
func (r *rig) filed(from, subject, text string, names ...string) Outcome {
	r.Helper()
	body := "--b\nContent-Type: text/plain; charset=utf-8\n\n" + text + "\n"
	for _, name := range names {
		body += "--b\nContent-Type: application/octet-stream; name=\"" + name + "\"\nContent-Disposition: attachment; filename=\"" + name + "\"\n\nbytes of " + name + "\n"
	}
	return r.say(from, "lands@play.example", body+"--b--", "Subject: "+subject, "MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=b")
}

// A save's title may stand in its file or in the subject. What such a letter says without figures is asked back, and comes out
// the same when the log is played again.
func TestSavesByFileAndSubject(t *testing.T) {
	r := atWar(t)
	for _, tt := range []struct {
		name, subject, text string
		files               []string
		verdicts            []string
	}{
		{"figures, and the title in the file", "my turn", "DAYS 31 POINTS 500", []string{"Anna_save1.gm1"}, []string{"accepted HL-68"}},
		{"figures, and the title in the subject", "[lands] Anna save №1 - Anna", "DAYS 30 POINTS 500", nil, []string{"accepted HL-68"}},
		{"all in the subject", "SAVE Anna_save1 DAYS 30 POINTS 499", "", []string{"Anna_save1.gm1"}, []string{"accepted HL-68"}},
		{"a subject that answers", "Re: Anna_save1", "DAYS 30 POINTS 500", nil, []string{"unclear"}},
		{"a file without figures", "letter", "Here it is at last.", []string{"Anna_save1.gm1"}, []string{"unclear"}},
		{"a subject without figures, after an order", "Anna_save1 - Anna", "GIVE 1 @ TO Foma", nil, []string{"refused HL-85", "unclear"}},
		{"tried", "letter", "TEST", []string{"Anna_save1.gm1"}, []string{"accepted E-TEST", "unclear"}},
		{"two titles", "letter", "DAYS 30 POINTS 500", []string{"Anna_save1.gm1", "Anna_save2.gm1"}, []string{"unclear"}},
	} {
		equal(t, tt.name, r.verdicts(r.filed("anna@x.example", tt.subject, tt.text, tt.files...)), tt.verdicts...)
	}
	if out := r.filed("anna@x.example", "Re: Anna_save1", "Thank you.", "map.png"); out.Input != 0 {
		t.Errorf("thanks and a picture say something: %v", r.verdicts(out))
	}
	r.same("lands")
}

// Who mails a save is told what was read of it; the Magistrate has both of a pair side by side when the second comes, and
// nobody else hears of either.
func TestBothSavesOfAPair(t *testing.T) {
	r := atWar(t)
	r.filed("anna@x.example", "letter", "SAVE Anna_save1 DAYS 31 POINTS 500", "Anna_save1.gm1")
	r.sent()
	r.filed("anna@x.example", "letter", "SAVE Anna_save1 DAYS 30 POINTS 502", "Anna_save1.gm1")
	receipt := unwrapped(r.sent()[0].Text)
	r.has(receipt, "save 1 of Anna, played against Boris; 30 days, 502 points; the file Anna_save1.gm1 with the SHA-256 ", "It replaces the one of ")
	equal(t, "Boris", r.verdicts(r.filed("boris@x.example", "letter", "DAYS 32 POINTS 7", "Boris_save1.gm1")), "accepted HL-68")
	for _, it := range r.sent() {
		text := unwrapped(it.Text)
		both := strings.Contains(text, "502 points") && strings.Contains(text, "7 points")
		if is := it.To == "gm@lands.example"; both != is {
			t.Errorf("%s hears of both: %v\n%s", it.To, both, it.Text)
		}
		if it.To == "gm@lands.example" {
			r.has(text, "Attacker Anna: 30 days, 502 points; Anna_save1.gm1, ", "Defender Boris: 32 days, 7 points; Boris_save1.gm1, ", "RESULT PAIR 1 WAR 1 WINNER Anna")
		}
	}
	r.gm("STATUS")
	r.has(unwrapped(r.sent()[0].Text), "War 1, pair 1", "Attacker Anna: 30 days", "Defender Boris: 32 days")
	r.same("lands")
}

// unwrapped is a text of a mail in one line.
func unwrapped(text string) string { return strings.Join(strings.Fields(text), " ") }
