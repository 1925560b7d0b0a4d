package turns

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/outbox"
)

// post hands a member's post to the engine, a while later.
func (r *rig) post(author, text string) Outcome {
	r.Helper()
	r.now, r.n = r.now.Add(time.Minute), r.n+1
	raw := fmt.Sprintf("Author: %s\nSubject: post\nPost-ID: %d\n\n%s\n", author, r.n, text)
	h := r.take(ingest.Message{Key: fmt.Sprintf("post/%d", r.n), Arrived: r.now, Via: "post", Raw: []byte(raw)})
	return h.Letters[len(h.Letters)-1]
}

// last returns the last input of a game.
func (r *rig) last(game string) Input {
	r.Helper()
	list, err := LastInputs(r.Context(), r.DB.Read(), game, r.load(game).LastInput, 1)
	if err != nil {
		r.Fatal(err)
	}
	return list[0]
}

// sameAgain tells whether a game comes out as it is when it is played again.
func (r *rig) sameAgain(game string) bool {
	before := r.encoded(game)
	r.forget(game)
	return slices.Equal(before, r.encoded(game))
}

func TestAnnouncements(t *testing.T) {
	everybody := []string{"receipt gm@lands.example", "results anna@x.example", "results boris@x.example", "results clara@x.example",
		"results olga@x.example", "copy archive@x.example", "post tavern"}
	for letter, want := range map[string]string{
		"BROADCAST\nThe moonstone is found.\nADD 5\nEND BROADCAST":       "broadcast",
		"ОБЪЯВЛЕНИЕ:\nThe moonstone is found.\nADD 5\nКонец объявления.": "broadcast",
		"RULING The moonstone is found.":                                 "ruling",
		"постановление: The moonstone is found":                          "ruling",
	} {
		t.Run(letter, func(t *testing.T) {
			r := newRig(t)
			r.game("lands")
			r.exec(`INSERT INTO member (game, seat, nick, role, language, zone, link, ord) VALUES ('lands', 'Olga', 'Olga', 'observer', 'en', 'UTC', 'olga', 9)`)
			r.exec(`INSERT INTO address (game, seat, via, addr, shown, ord) VALUES ('lands', 'Olga', 'mail', 'olga@x.example', 'olga@x.example', 0)`)
			r.forget("lands")
			equal(t, "verdicts", r.verdicts(r.say("gm@lands.example", "lands@play.example", letter)), "accepted E-"+strings.ToUpper(want))
			var told []string
			for _, it := range r.sent() {
				kind := it.Kind
				if it.Via == viaPost {
					kind = "post"
				}
				told = append(told, kind+" "+it.To)
				if !strings.Contains(it.Text, "\n> The moonstone is found") {
					t.Errorf("%s to %s reads\n%s", it.Kind, it.To, it.Text)
				}
			}
			equal(t, "told", told, everybody...)
			equal(t, "events", r.events("lands"), want)
			r.exec(`UPDATE member SET role = 'player' WHERE seat = 'Olga'`)
			if !r.sameAgain("lands") || r.sum("lands") != 0 {
				t.Error("played again it comes out otherwise")
			}
			if l := r.last("lands"); strings.Contains(string(l.Body), `"lines":["BROADCAST`) || strings.Count(string(l.Body), "ADD 5") > 1 {
				t.Errorf("rules are shown the text: %s", l.Body)
			}
		})
	}
}

// Of a letter without a name nobody learns who wrote it, however much else its writer says in the same letter.
func TestAnonymousPressNamesNobody(t *testing.T) {
	tests := []struct {
		name, settings, letter string
		told                   []string
	}{
		{"to some", "", "PRESS ANONYMOUS TO Boris, Gareth\nmoonstone\nEND PRESS", []string{"gm@lands.example", "boris@x.example"}},
		{"to all", "", "ADD 5\nПИСЬМО АНОНИМНО ВСЕМ\nmoonstone\nКОНЕЦ ПИСЬМА\nTELL Boris", []string{"gm@lands.example", "boris@x.example", "clara@x.example"}},
		{"to all but one", "", "PRESS ANONYMOUS TO ALL BUT Clara\nmoonstone\nEND PRESS\nADD 5", []string{"gm@lands.example", "boris@x.example"}},
		{"with copies", "press_copies = true", "NOTE IT\nPRESS ANONYMOUS TO Clara\nmoonstone\nEND PRESS\nADD 5", []string{"gm@lands.example", "clara@x.example"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.game("lands", `anonymous_press = true`, tt.settings)
			letter := r.mail("anna@x.example", "lands@play.example", "", "Message-ID: <x@x.example>", "Subject: mine", "Content-Type: multipart/mixed; boundary=b")
			letter.Raw = append(letter.Raw, []byte("--b\nContent-Type: text/plain; charset=utf-8\n\n"+tt.letter+
				"\n\n--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=anna.txt\n\nAnna\n--b--\n")...)
			o := r.take(letter).Letters[0]
			for _, v := range r.verdicts(o) {
				if !strings.HasPrefix(v, "accepted") {
					t.Errorf("verdict %s", v)
				}
			}
			var told []string
			for _, it := range r.sent() {
				if !strings.Contains(it.Text, "moonstone") {
					continue
				}
				told = append(told, it.To)
				if it.Kind != outbox.Press || len(it.Files) > 0 || strings.Contains(strings.ToLower(it.Subject+it.Text+it.ReplyTo+it.From+it.FromName), "anna") {
					t.Errorf("a %s to %s names her:\n%s\n%s", it.Kind, it.To, it.Subject, it.Text)
				}
			}
			equal(t, "told", told, tt.told...)
			if in := r.last("lands"); strings.Contains(string(in.Events), `"to":["`) == strings.Contains(tt.name, "all") { // who is missing among all would be she
				t.Errorf("%s", in.Events)
			}
			for _, from := range tt.told {
				r.say(from, "lands@play.example", "HISTORY 1000")
				text := r.sent()[0].Text
				_, after, _ := strings.Cut(text, "moonstone")
				before := text[:len(text)-len(after)]
				if before = before[strings.LastIndex(strings.TrimSuffix(before, "> moonstone"), "\n\n")+1:]; !strings.Contains(before, "moonstone") || strings.Contains(before, "Anna") {
					t.Errorf("the history of %s reads\n%s", from, text)
				}
			}
			r.say("anna@x.example", "lands@play.example", "HISTORY 1000")
			if text := r.sent()[0].Text; strings.Contains(text, "moonstone") {
				t.Errorf("her own history reads\n%s", text)
			}
			if !r.sameAgain("lands") {
				t.Error("played again it comes out otherwise")
			}
		})
	}
}

func TestPressCopies(t *testing.T) {
	r := newRig(t)
	r.game("lands", `press_copies = true`)
	r.say("anna@x.example", "lands@play.example", "PRESS TO Boris\nmoonstone\nEND PRESS")
	var told []string
	for _, it := range r.sent() {
		told = append(told, it.Kind+" "+it.To)
		if !strings.Contains(it.Text, "a copy of every letter") && !strings.Contains(it.Text, "получает копию каждого") {
			t.Errorf("%s is not told of the copies:\n%s", it.To, it.Text)
		}
	}
	equal(t, "told", told, "receipt anna@x.example", "press gm@lands.example", "press boris@x.example")
	if !r.sameAgain("lands") {
		t.Error("played again it comes out otherwise")
	}
	r.say("gm@lands.example", "lands@play.example", "PRESS TO Boris\nmoonstone\nEND PRESS")
	equal(t, "the GM's own", r.told(), "receipt gm@lands.example", "press boris@x.example")
}

// What is passed on is kept for those whom it goes to: a ruleset that publishes letters never sees it.
func TestRulesAreNotShownPress(t *testing.T) {
	r := newRig(t)
	r.game("lands", `anonymous_press = true`)
	r.say("anna@x.example", "lands@play.example", "Dear all,\nADD 5\nPRESS ANONYMOUS TO Boris\nmoonstone\nEND PRESS\nPRES TO Clara:\nmoonstone\nEND PRESS\nYours\nPRESS TO Clara\nmoonstone")
	last := r.last("lands")
	body, err := last.DecodeLetter()
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "lines", slices.DeleteFunc(body.Letter.Lines, func(s string) bool { return s == "" }), "Dear all,", "ADD 5", "Yours")
}

func TestPressDay(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	letter := func(n int) string { return strings.Repeat("PRESS TO Boris, Clara\nmoonstone\nEND PRESS\n", n) }
	const accepted, refused = "accepted E-PRESS", "refused E-PRESS"
	r.Limits.PressDay = 3
	equal(t, "the first", r.verdicts(r.say("anna@x.example", "lands@play.example", letter(2))), accepted, accepted)
	equal(t, "a test", r.verdicts(r.say("anna@x.example", "lands@play.example", "TEST\n"+letter(2))), "accepted E-TEST", accepted, refused)
	r.sent()
	for range 40 { // they are found behind many others
		r.say("boris@x.example", "lands@play.example", "ADD 1\nADD 1\nADD 1")
	}
	r.forget("lands")
	equal(t, "on her behalf", r.verdicts(r.say("gm@lands.example", "lands@play.example", "AS Anna\n"+letter(1))), "accepted E-AS", accepted)
	r.sent()
	equal(t, "over it", r.verdicts(r.say("anna@x.example", "lands@play.example", letter(1))), refused)
	if text := r.sent()[0].Text; !strings.Contains(text, "3 letters a day") {
		t.Errorf("told is\n%s", text)
	}
	equal(t, "another's", r.verdicts(r.say("clara@x.example", "lands@play.example", "PRESS TO Boris\nx\nEND PRESS")), accepted)
	equal(t, "the GM's", r.verdicts(r.say("gm@lands.example", "lands@play.example", letter(4))), accepted, accepted, accepted, accepted)
	r.now = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC).Add(-time.Minute)
	equal(t, "a day later", r.verdicts(r.say("anna@x.example", "lands@play.example", letter(1))), accepted)
}
