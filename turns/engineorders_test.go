package turns

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// verdicts lists what became of the orders of a letter, as "verdict rule".
func (r *rig) verdicts(o Outcome) []string {
	r.Helper()
	list, err := Inputs(r.Context(), r.DB.Read(), o.Game, o.Input-1, 1)
	if err != nil || o.Input == 0 {
		r.Fatalf("%+v became no input: %v", o, err)
	}
	body, err := list[0].DecodeLetter()
	if err != nil {
		r.Fatal(err)
	}
	var out []string
	for _, l := range body.Orders {
		out = append(out, strings.TrimSpace(string(l.Verdict)+" "+l.Rule))
	}
	return out
}

func TestTheTextOfARefusedLetterIsNoOrder(t *testing.T) {
	tests := []struct{ letter, player, gm string }{
		{"PRESS ANONYMOUS TO ALL BUT Boris, Clara:\nADD 5\nEND PRESS.", "refused E-PRESS", "refused E-PRESS"},
		{"ПИСЬМО АНОНИМНО Boris\nADD 5\nКОНЕЦ ПИСЬМА", "refused E-PRESS", "refused E-PRESS"},
		{"PRESS TO Boris\nADD 5", "unclear", "unclear"},
		{"PRESS TO Zed\nADD 5\nEND PRESS", "unclear", "unclear"},
		{"PRES TO Boris\nADD 5\nEND PRESS", "unclear", "unclear"},
		{"BROADCAST\n\nEND BROADCAST", "refused T-8", "refused E-BROADCAST"},
		{"BROADCAST\nADD 5", "unclear", "unclear"},
		{"EXTEND 36h", "refused T-8", "refused T-9"},
		{"ПРОДЛИТЬ НА 2d", "refused T-8", "refused T-9"},
		{"DEADLINE 2026-05-01 10:30", "refused T-8", "refused T-9"},
		{"PROCESS NOW", "refused T-8", "refused T-9"},
		{"ROLLBACK TO ROUND 3", "refused T-8", "refused E-ROLLBACK"},
		{"ОТКАТ К СОБЫТИЮ 7", "refused T-8", "refused E-ROLLBACK"},
		{"REDO 1, 2", "refused T-8", "refused E-REDO"},
		{"LANGUAGE fr", "refused E-LANGUAGE", "refused E-LANGUAGE"},
		{"LANGUAGE English", "accepted E-LANGUAGE", "accepted E-LANGUAGE"},
	}
	r := newRig(t)
	r.game("lands")
	for _, tt := range tests {
		for from, want := range map[string]string{"anna@x.example": tt.player, "gm@lands.example": tt.gm} {
			r.sent()
			got := r.verdicts(r.say(from, "lands@play.example", tt.letter+"\n"))
			equal(t, fmt.Sprintf("%q from %s", tt.letter, from), got, want)
			if told := r.told(); len(told) != 1 || told[0] != "receipt "+from {
				t.Errorf("%q from %s: told %q", tt.letter, from, told)
			}
		}
	}
	if got := r.sum("lands"); got != 0 {
		t.Errorf("sum %d: a text was taken for orders", got)
	}
}

func TestOnlyAloneOnTheLine(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	for _, prose := range []string{"Test it first.", "Resume of the week", "Leave game and go", "Resend it please", "As promised.", "As Zed", "As you know"} {
		if got := r.say("anna@x.example", "lands@play.example", prose); got.Input != 0 {
			t.Errorf("%q is taken for %q", prose, r.verdicts(got))
		}
	}
}

func TestTestCarriesNothingOut(t *testing.T) {
	tests := []struct {
		letter string
		want   []string
		learn  string
	}{
		{"TEST\nADD 5\nADD 0\nTELL Boris", []string{"accepted E-TEST", "accepted T-1", "refused T-1", "accepted T-2"}, "Anna adds 5"},
		{"\nПРОБА.\nNAME lamp\nUSE lamp", []string{"accepted E-TEST", "accepted T-5", "accepted T-5"}, ""},
		{"test\n\nHello\nORDERS\nADD 5\nEND\nADD 7", []string{"accepted E-TEST", "accepted T-1"}, "Anna adds 5"},
		{"ORDERS\nTEST\nADD 5\nEND", []string{"accepted E-TEST", "accepted T-1"}, "Anna adds 5"},
		{"GAME lands\nTEST\nLANGUAGE ru\nBELL x 60", []string{"accepted E-TEST", "accepted E-LANGUAGE", "accepted T-5"}, ""},
		{"TEST\nTEST\nADD 5", []string{"accepted E-TEST", "refused E-TEST", "accepted T-1"}, "Anna adds 5"},
		{"TEST", []string{"accepted E-TEST"}, ""},
	}
	for _, tt := range tests {
		r := newRig(t)
		r.game("lands")
		before := r.encoded("lands")
		got := r.say("anna@x.example", "lands@play.example", tt.letter)
		equal(t, tt.letter, r.verdicts(got), tt.want...)
		items := r.sent()
		if len(items) != 1 || items[0].Kind != "receipt" || !strings.Contains(items[0].Text, "nothing of it was carried out") || !strings.Contains(items[0].Text, tt.learn) {
			t.Errorf("%q: told %+v", tt.letter, items)
		}
		if strings.Contains(items[0].Text, "tells Boris") {
			t.Errorf("%q: she learns what she would not:\n%s", tt.letter, items[0].Text)
		}
		equal(t, tt.letter+": events", r.events("lands"))
		for _, when := range []string{"in memory", "played again"} {
			if !slices.Equal(before, r.encoded("lands")) || r.load("lands").seat("Anna").Language != "en" {
				t.Errorf("%q changed the game %s", tt.letter, when)
			}
			r.forget("lands")
		}
	}
}

func TestTestStandsOnTheFirstLine(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	equal(t, "after an order", r.verdicts(r.say("anna@x.example", "lands@play.example", "ADD 5\nTEST")), "accepted T-1", "refused E-TEST")
}

func TestAs(t *testing.T) {
	tests := []struct {
		name, from, letter string
		want               []string
		by                 string // who added, by the events
	}{
		{"a GM for a player", "gm@lands.example", "AS Anna\nADD 1\nAS Gareth\nADD 2\nОТ ИМЕНИ boris\nADD 4",
			[]string{"accepted E-AS", "accepted T-1", "accepted E-AS", "accepted T-1", "accepted E-AS", "accepted T-1"}, "Anna Gareth Boris"},
		{"a GM's order is not the player's", "gm@lands.example", "AS Anna\nHOLD", []string{"accepted E-AS", "refused T-8"}, ""},
		{"a player", "anna@x.example", "ADD 1\nAS Boris\nADD 2\nAS Anna\nADD 4", []string{"accepted T-1", "refused T-8", "refused T-8", "refused T-8", "refused T-8"}, "Anna"},
		{"an unknown name", "gm@lands.example", "AS Ana\nADD 2\nAS Boris\nADD 4", []string{"unclear", "unclear", "accepted E-AS", "accepted T-1"}, "Boris"},
		{"an unknown name in a block, from the GM", "gm@lands.example", "ORDERS\nAS Zed\nADD 2\nAS gareth\nADD 4\nEND", []string{"unclear", "unclear", "accepted E-AS", "accepted T-1"}, "Gareth"},
		{"a test", "gm@lands.example", "TEST\nAS Anna\nADD 5", []string{"accepted E-TEST", "accepted E-AS", "accepted T-1"}, ""},
		{"an announcement is the GM's own", "gm@lands.example", "AS Anna\nBROADCAST\nADD 5\nEND BROADCAST\nRULING No\nAS Gareth\nRULING Yes",
			[]string{"accepted E-AS", "refused T-8", "refused T-8", "accepted E-AS", "accepted E-RULING"}, ""},
		{"an unknown name in a block", "anna@x.example", "ORDERS\nADD 1\nAS Zed\nADD 2", []string{"accepted T-1", "unclear", "unclear"}, "Anna"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.game("lands")
			equal(t, "verdicts", r.verdicts(r.say(tt.from, "lands@play.example", tt.letter)), tt.want...)
			var by []string
			list, err := Inputs(t.Context(), r.DB.Read(), "lands", 0, 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, in := range list {
				for _, name := range []string{"Anna", "Gareth", "Boris"} {
					if strings.Contains(string(in.Events), `"by":"`+name+`"`) {
						by = append(by, name)
					}
				}
			}
			want := strings.Fields(tt.by)
			slices.Sort(want)
			slices.Sort(by)
			equal(t, "by", by, want...)
			before := r.encoded("lands")
			r.forget("lands")
			if !slices.Equal(before, r.encoded("lands")) {
				t.Error("played again it comes out otherwise")
			}
		})
	}
}

func TestWhoIsActedForIsToldInOneMail(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("gm@lands.example", "lands@play.example", "AS Boris\nNAME lamp\nTELL Boris\nADD 0\nAS Anna\nSTATUS")
	told := map[string]string{}
	for _, it := range r.sent() {
		told[it.Kind+" "+it.To] += it.Text + "\x00"
	}
	boris := told["results boris@x.example"]
	if strings.Count(boris, "\x00") != 1 || !strings.Contains(boris, "> NAME lamp\n") || !strings.Contains(boris, "от вашего имени") && !strings.Contains(boris, "От вашего имени") ||
		!strings.Contains(boris, "a secret") || strings.Contains(boris, "STATUS") {
		t.Errorf("Boris reads\n%s", boris)
	}
	if !strings.Contains(told["receipt gm@lands.example"], "You are Anna") {
		t.Errorf("the GM reads\n%s", told["receipt gm@lands.example"])
	}
	if len(told) != 3 {
		t.Errorf("told %d: %v", len(told), told)
	}
}

func TestLanguageCountsFromThisReceiptOn(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	equal(t, "verdicts", r.verdicts(r.say("anna@x.example", "lands@play.example", "ЯЗЫК RU\nADD 0")), "accepted E-LANGUAGE", "refused T-1")
	if text := r.sent()[0].Text; !strings.Contains(text, "Вердикт: принято") {
		t.Errorf("the receipt reads\n%s", text)
	}
	if got := r.load("lands").seat("Anna").Language; got != "ru" {
		t.Errorf("kept is %q", got)
	}
	r.say("gm@lands.example", "lands@play.example", "AS Boris\nLANGUAGE en")
	if g := r.load("lands"); g.seat("Boris").Language != "en" || g.seat("Gareth").Language != "en" || g.seat("Anna").Language != "ru" {
		t.Error("the wrong member's language changed")
	}
}

// What happened is not hidden below a long answer.
func TestWhatHappenedStandsBeforeAnswers(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	for letter, want := range map[string][]string{
		"WHO\nADD 5":       {"What happened:", "Anna adds 5", "\n> WHO\n", "Members"},
		"WHO":              {"Verdict", "Members"},
		"TEST\nWHO\nADD 5": {"Members", "nothing of it was carried out", "This is what you would learn:", "Anna adds 5"},
	} {
		r.sent()
		r.say("anna@x.example", "lands@play.example", letter)
		text := r.sent()[0].Text
		rest := text
		for _, s := range want {
			_, after, ok := strings.Cut(rest, s)
			if !ok {
				t.Errorf("%q lacks %q, in this order:\n%s", letter, s, text)
				break
			}
			rest = after
		}
	}
}

func TestMissingEndNamesTheLine(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	for from, end := range map[string]string{"anna@x.example": "END PRESS", "boris@x.example": "КОНЕЦ ПИСЬМА"} {
		r.sent()
		r.say(from, "lands@play.example", "PRESS TO Clara\nADD 5")
		if text := r.sent()[0].Text; !strings.Contains(text, end) {
			t.Errorf("%s reads\n%s", from, text)
		}
	}
}

func TestPressGoesToThoseNamedAndNobodyElse(t *testing.T) {
	const text = "The moonstone:\nADD 5\n"
	tests := []struct {
		name, from, letter, verdict string
		told                        []string
	}{
		{"one", "anna@x.example", "PRESS TO Boris\n" + text + "END PRESS", "accepted E-PRESS", []string{"press boris@x.example"}},
		{"named twice, in Russian", "anna@x.example", "ПИСЬМО clara, boris и BORIS:\n" + text + "Конец письма.", "accepted E-PRESS",
			[]string{"press boris@x.example", "press clara@x.example"}},
		{"all", "anna@x.example", "PRESS TO ALL\n" + text + "END PRESS", "accepted E-PRESS",
			[]string{"press gm@lands.example", "press boris@x.example", "press clara@x.example"}},
		{"all but some", "gm@lands.example", "PRESS TO ALL BUT Boris, Clara\n" + text + "END PRESS", "accepted E-PRESS", []string{"press anna@x.example"}},
		{"all but all", "gm@lands.example", "PRESS TO ALL BUT Anna, Boris, Clara\n" + text + "END PRESS", "refused E-PRESS", nil},
		{"to oneself", "anna@x.example", "PRESS TO Boris, Anna\n" + text + "END PRESS", "refused E-PRESS", nil},
		{"on a member's behalf", "gm@lands.example", "AS Anna\nPRESS TO Boris\n" + text + "END PRESS", "accepted E-AS accepted E-PRESS",
			[]string{"press boris@x.example", "results anna@x.example"}},
		{"from a post, by mail all the same", "post Anna", "PRESS TO Boris\n" + text + "END PRESS", "accepted E-PRESS", []string{"press boris@x.example"}},
		{"quoted lines are not passed on", "anna@x.example", "PRESS TO Boris\n" + text + "> ADD 7 says a rubystone\n>> and more of the rubystone\nEND PRESS", "accepted E-PRESS", []string{"press boris@x.example"}},
		{"a test", "anna@x.example", "TEST\nPRESS TO Boris\n" + text + "END PRESS", "accepted E-TEST accepted E-PRESS", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.game("lands")
			send := func() Outcome { return r.say(tt.from, "lands@play.example", tt.letter) }
			if who, posted := strings.CutPrefix(tt.from, "post "); posted {
				send = func() Outcome { return r.post(who, tt.letter) }
			}
			got := r.verdicts(send())
			equal(t, "verdicts", []string{strings.Join(got, " ")}, tt.verdict)
			var told []string
			for _, it := range r.sent() {
				if it.Kind != "receipt" {
					told = append(told, it.Kind+" "+it.To)
				}
				if knows := strings.Contains(it.Text, "moonstone"); knows != (it.Kind == "press") || strings.Contains(it.Text, "rubystone") {
					t.Errorf("%s to %s knows the text: %v\n%s", it.Kind, it.To, knows, it.Text)
				}
			}
			equal(t, "told", told, tt.told...)
			before := r.encoded("lands")
			r.exec(`UPDATE member SET role = 'observer' WHERE seat = 'Clara'`) // whom it went to stays
			r.forget("lands")
			if !slices.Equal(before, r.encoded("lands")) || r.sum("lands") != 0 {
				t.Error("played again it comes out otherwise")
			}
			for from, reads := range map[string]bool{"boris@x.example": slices.Contains(tt.told, "press boris@x.example"), "gm@lands.example": slices.Contains(tt.told, "press gm@lands.example")} {
				r.sent()
				r.say(from, "lands@play.example", "HISTORY 1000")
				if got := strings.Contains(r.sent()[0].Text, "moonstone"); got != reads {
					t.Errorf("the history of %s tells it: %v", from, got)
				}
			}
		})
	}
}
