package turns

import (
	"slices"
	"strings"
	"testing"
)

// feudal opens a game of a ruleset whose GM brings new members in, with more keys of its file.
func feudal(t *testing.T, more ...string) *rig {
	t.Helper()
	r := newRig(t)
	f, err := ReadGameFile("lands.toml", []byte(strings.Join(more, "\n")+`
name = "lands"
ruleset = "heroeslands"
gm = { nick = "Judge", email = "gm@lands.example" }
mailbox = "lands@play.example"
copies = ["paper@x.example"]
[[member]]
nick = "Anna"
email = ["anna@x.example", "anna@home.example"]
[[member]]
nick = "Boris"
email = "boris@x.example"
[world]
lands = ["HL3"]
`))
	if err == nil {
		err = r.Create(t.Context(), f)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.sent()
	return r
}

// The GM's order brings somebody in: he is written to at once, his letters count, and nobody else learns of his address.
func TestTheGMBringsSomebodyIn(t *testing.T) {
	r := feudal(t)
	out := r.gm("TEST\nREGISTER Foma foma@x.example")
	equal(t, "tried", r.verdicts(out), "accepted E-TEST", "accepted HL-47")
	if len(r.load("lands").Members) != 3 {
		t.Error("a test gave a seat")
	}
	r.sent()
	out = r.gm("REGISTER Foma the Great foma@x.example RACE bear\nGRANT FEUD Fen TO Foma the Great\nAS Foma the Great\nJOIN CLAN Nobody")
	equal(t, "ordered", r.verdicts(out), "accepted HL-47", "accepted HL-01", "accepted E-AS", "unclear")
	var kinds []string
	for _, it := range r.sent() {
		kinds = append(kinds, it.Kind+" "+it.To)
		if strings.Contains(it.Text+it.Subject, "foma@") && it.To != "gm@lands.example" && it.To != "foma@x.example" {
			t.Errorf("%s learns of his address:\n%s", it.To, it.Text)
		}
		if it.To == "foma@x.example" && it.Kind == "question" && !strings.Contains(it.Text, "as Foma the Great.") {
			t.Errorf("he is welcomed:\n%s", it.Text)
		}
	}
	for _, want := range []string{"question foma@x.example", "results foma@x.example", "receipt gm@lands.example"} {
		if !slices.Contains(kinds, want) {
			t.Errorf("%s is missing among %v", want, kinds)
		}
	}
	out = r.say("foma@x.example", "lands@play.example", "GIVE FEUD Fen TO Foma the Great\nWHO")
	equal(t, "he orders", r.verdicts(out), "refused HL-83", "accepted E-WHO")
	r.same("lands")
}

// Of what is somebody else's nobody is made, and nothing is done.
func TestWhoIsBroughtInNeedsANickAndAnAddressOfHisOwn(t *testing.T) {
	r := feudal(t)
	r.gm("REPLACE Boris BY Zoran zoran@x.example")
	for _, tt := range []struct{ line, verdict string }{
		{"REGISTER Foma anna@x.example", "refused HL-88"},
		{"REGISTER Foma ANNA@home.example", "refused HL-88"},
		{"REGISTER Foma gm@lands.example", "refused HL-88"},
		{"REGISTER Foma paper@x.example", "refused HL-88"},
		{"REGISTER Foma arroba@x.example", "refused HL-88"}, // that mail is sent from
		{"REGISTER Foma lands@play.example", "refused HL-88"},
		{"REGISTER Anna foma@x.example", "refused HL-88"},
		{"REGISTER Zoran foma@x.example", "refused HL-88"},
		{"REGISTER Zoran", "refused HL-88"},
		{"REGISTER All Foma foma@x.example", "refused HL-88"},
		{"REGISTER Foma", "accepted HL-47"},
		{"REGISTER Foma foma@x.example", "refused HL-88"},
		{"REGISTER Yerema boris@x.example", "accepted HL-47"}, // whose seat Zoran has now
	} {
		before := len(r.load("lands").Members)
		out := r.gm(tt.line)
		equal(t, tt.line, r.verdicts(out), tt.verdict)
		if now := len(r.load("lands").Members); now != before && !strings.Contains(tt.line, "Yerema") {
			t.Errorf("%s gave a seat", tt.line)
		}
	}
	out := r.say("anna@x.example", "lands@play.example", "REGISTER Foma zoran@x.example")
	equal(t, "a player's", r.verdicts(out), "refused HL-81")
	r.same("lands")
}

// Who was brought in stays a member when the order is taken back, for members are no part of the position; given again, it
// makes nobody else of him. With another address his seat is somebody else's.
func TestBroughtInTakenBackAndGivenAgain(t *testing.T) {
	r := feudal(t)
	r.gm("CREDIT 1 @ TO Anna")
	r.gm("REGISTER Foma foma@x.example")
	link := r.load("lands").seat("Foma").Link
	r.gm("ROLLBACK TO EVENT 2")
	out := r.say("foma@x.example", "lands@play.example", "GIVE 1 @ TO Anna")
	equal(t, "he is no inhabitant", r.verdicts(out), "refused HL-81")
	r.sent()
	equal(t, "again", r.verdicts(r.gm("REDO ALL")), "accepted E-REDO")
	if told := r.told(); slices.Contains(told, "question foma@x.example") || r.load("lands").seat("Foma").Link != link {
		t.Errorf("he was made anew: %v", told)
	}
	out = r.say("foma@x.example", "lands@play.example", "GIVE 1 @ TO Anna")
	equal(t, "he is one again", r.verdicts(out), "refused HL-85")

	equal(t, "with another address", r.verdicts(r.gm("ROLLBACK TO EVENT 2\nREGISTER Foma fomin@x.example")), "accepted E-ROLLBACK", "accepted HL-47")
	if told := r.told(); !slices.Contains(told, "question fomin@x.example") {
		t.Errorf("told %v", told)
	}
	if out := r.say("foma@x.example", "lands@play.example", "GIVE 1 @ TO Anna"); out.Seat != "" || out.Input != 0 {
		t.Errorf("the first one orders: %+v", out)
	}
	out = r.say("fomin@x.example", "lands@play.example", "GIVE 1 @ TO Anna")
	equal(t, "the second", r.verdicts(out), "refused HL-85")
	r.same("lands")
}
