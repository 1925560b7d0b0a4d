package turns

import (
	"strings"
	"testing"
	"time"
)

func TestHelpBeginsWithWhatOneCanDo(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "NAME ladder")
	r.sent()
	r.say("anna@x.example", "lands@play.example", "HELP")
	text := r.sent()[0].Text
	at := -1
	for _, s := range []string{"What you can do now:\n\n> USE ladder", "These are the orders you may give", "For every player:\n\n> ADD <n>", "For everybody in the game:\n\n> HELP", "mailto:"} {
		i := strings.Index(text, s)
		if i <= at {
			t.Errorf("%q is missing, or stands too early in\n%s", s, text)
		}
		at = i
	}
	if strings.Count(text, "What you can do now") != 1 {
		t.Errorf("it is told twice what can be done:\n%s", text)
	}
	r.say("anna@x.example", "lands@play.example", "HELP TELL")
	if text := r.sent()[0].Text; !strings.Contains(text, "For example:\n> TELL Boris\n") || strings.Contains(text, "one a line.\n") || !strings.Contains(text, "What you can do now") {
		t.Errorf("of one verb:\n%s", text)
	}
}

func TestAReceiptSaysHowMuchTimeIsLeft(t *testing.T) {
	r := newRig(t)
	r.muster()
	r.sent()
	r.now = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	r.say("clara@x.example", "lands@play.example", "SEND 2 TO Ford\nSTATUS")
	text := r.sent()[0].Text
	for _, s := range []string{"Your orders now in force:\n\n> ", "SEND 2 TO Ford\n", "Time left: 1 day, 3 hours.", "2026-03-03 12:00:00 UTC", "What you can do now:\n\n> SEND <n> TO Ford\n"} {
		if !strings.Contains(text, s) {
			t.Errorf("%q is missing in\n%s", s, text)
		}
	}
	if strings.Contains(text, "Anna") || strings.Count(text, "> SEND 4 TO Ford") > 0 {
		t.Errorf("it tells of others:\n%s", text)
	}
	r.say("gm@lands.example", "lands@play.example", "STATUS\nHOLD\nSTATUS")
	text = r.sent()[0].Text
	for _, s := range []string{"Orders in force:\n\n> ", "SEND 2 TO Ford\n", "SEND 4 TO Ford\n", "The game is held since"} {
		if !strings.Contains(text, s) {
			t.Errorf("%q is missing in\n%s", s, text)
		}
	}
}

// Who may give orders of another role finds them in HELP, and nobody else does.
func TestHelpTellsThePresenterOfHisOrders(t *testing.T) {
	r := newRig(t)
	f, err := ReadGameFile("lands.toml", []byte(`name = "lands"
ruleset = "heroeslands"
gm = { nick = "Judge", email = "gm@lands.example" }
mailbox = "lands@play.example"
[[member]]
nick = "Anna"
email = "anna@x.example"
[[member]]
nick = "Olga"
email = "olga@x.example"
role = "observer"
[world]
lands = ["HL3"]
presenter = "Olga"
`))
	if err == nil {
		err = r.Create(t.Context(), f)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.sent()
	for from, has := range map[string]bool{"olga@x.example": true, "anna@x.example": false, "gm@lands.example": true} {
		for _, line := range []string{"HELP", "HELP PLACE"} {
			r.say(from, "lands@play.example", line)
			text := r.sent()[0].Text
			if strings.Contains(text, "> PLACE <place> <nick>") != has {
				t.Errorf("%s, %s:\n%s", from, line, text)
			}
			if from == "olga@x.example" && (strings.Contains(text, "CREDIT") || strings.Contains(text, "SERVE")) {
				t.Errorf("she is told of more:\n%s", text)
			}
		}
	}
}
