package turns

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/outbox"
)

const openLands = "[join]\nopen = true\nseats = 3\nwaiting = 1\n"

// askedBy returns the code of the only mail that was queued since the last call, which asks an address to confirm.
func (r *rig) askedBy(address string) string {
	r.Helper()
	mails := r.sent()
	if len(mails) != 1 || mails[0].To != address || mails[0].Kind != outbox.Question {
		r.Fatalf("not asked: %v", mails)
	}
	code := codes.FindString(mails[0].Subject)
	if code == "" || !strings.Contains(mails[0].Text, code) {
		r.Fatalf("no code in %q\n%s", mails[0].Subject, mails[0].Text)
	}
	return code
}

// joins lets somebody ask for a seat and confirm it, and returns what was told of it.
func (r *rig) joins(from, text string) []outbox.Item {
	r.Helper()
	r.say(from, "lands@play.example", text)
	code := r.askedBy(regexp.MustCompile(`[^<\s]+@[^>\s]+`).FindString(from))
	r.say(from, "lands@play.example", "Yes.", "Subject: Re: "+code)
	return r.sent()
}

func TestAStrangerJoinsAGameThatGathersItsPlayers(t *testing.T) {
	r := newRig(t)
	r.gather(formingGame + openLands)
	r.sent()

	mails := r.joins("Кира Птица <kira@x.example>", "Здравствуйте!\nВСТУПИТЬ Lands\nЛюблю воевать.\nHOLD")
	if len(mails) != 2 || mails[0].To != "kira@x.example" || mails[1].To != "gm@x.example" {
		t.Fatalf("told %v", mails)
	}
	if !strings.Contains(mails[0].Text, "ваше имя в ней — Boris") {
		t.Errorf("she takes the seat that is free, under its name:\n%s", mails[0].Text)
	}
	if !strings.Contains(mails[1].Text, "> Здравствуйте!\n> Люблю воевать.\n> HOLD") || !strings.Contains(mails[1].Text, "kira@x.example") {
		t.Errorf("the GM reads her wishes:\n%s", mails[1].Text)
	}

	// The next one has a seat of his own; the waiting list takes one more.
	mails = r.joins(`"Dan, <b>the</b> Anna" <dan@x.example>`, "JOIN")
	if len(mails) != 2 || !strings.Contains(mails[0].Text, "as Dan b the b Anna.") {
		t.Errorf("told %v", mails)
	}
	for _, tt := range []struct{ name, want string }{{"eve", "number 1"}, {"fay", "waiting list is full"}} {
		mails = r.joins(tt.name+"@x.example", "JOIN lands")
		if len(mails) == 0 || !strings.Contains(strings.Join(strings.Fields(mails[len(mails)-1].Text), " "), tt.want) {
			t.Errorf("%s: %v", tt.name, mails)
		}
	}
	list, err := r.Waiting(t.Context(), "lands")
	if err != nil || len(list) != 1 || list[0].Address != "eve@x.example" {
		t.Errorf("waiting: %v, %v", list, err)
	}
	if r.sent(); len(r.load("lands").Members) != 5 {
		t.Errorf("%d members", len(r.load("lands").Members))
	}

	// All begin to play, and the new ones' orders count.
	if err := r.Start(t.Context(), "lands", false); err != nil {
		t.Fatal(err)
	}
	for i, from := range []string{"kira@x.example", "dan@x.example"} {
		if out := r.say(from, "lands@play.example", "ADD 1"); out.Input != int64(i+1) {
			t.Errorf("%s: %+v", from, out)
		}
	}
	if g := r.load("lands"); g.Members[4].Seat != "Dan b the b Anna" || g.seat("Boris").Language != "ru" {
		t.Errorf("%+v", g.Members)
	}
}

func TestJOINIsAnsweredWhereTheGameIsOpenAndNowhereElse(t *testing.T) {
	const eve, lands = "Eve <eve@x.example>", "lands@play.example"
	asked := []string{"question eve@x.example"}
	tests := []struct {
		name, from, to, text string
		fields               []string
		want                 []string
	}{
		{"by the name in the line", eve, "post@play.example", "JOIN LANDS", nil, asked},
		{"in Russian, with a bullet", eve, "post@play.example", "- Вступить lands.", nil, asked},
		{"by the address", eve, lands, "Hello.\nJOIN", nil, asked},
		{"by the tag", eve, "post@play.example", "join", []string{"Subject: [lands] hello"}, asked},
		{"in the subject", eve, lands, "I like wars.", []string{"Subject: JOIN lands"}, asked},
		{"a name that is no game's", eve, lands, "JOIN sands", nil, nil},
		{"prose", eve, lands, "Join us for dinner, or join lands some day.", nil, nil},
		{"an answer", eve, lands, "Well.", []string{"Subject: Re: JOIN lands"}, nil},
		{"a closed game", eve, "shut@play.example", "JOIN shut", nil, nil},
		{"an open game, at a closed one's address", eve, "shut@play.example", "JOIN lands", nil, nil},
		{"another order", eve, lands, "ADD 1\nHELP", nil, nil},
		{"a machine", eve, lands, "JOIN lands", []string{"Auto-Submitted: auto-replied"}, nil},
		{"an address that gets copies", "archive@x.example", lands, "JOIN lands", nil, nil},
		{"quoted", eve, lands, "> JOIN lands", nil, nil},
		{"a member elsewhere", "gm@shut.example", "post@play.example", "JOIN lands", nil, []string{"question gm@shut.example"}},
		{"a member of the game: it is prose, and he has a hint", "anna@x.example", lands, "JOIN lands", nil, []string{"question anna@x.example"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.game("shut")
			r.openGame("lands")
			r.say(tt.from, tt.to, tt.text, tt.fields...)
			equal(t, "told", r.told(), tt.want...)
		})
	}
}

// openGame opens a game that takes new members, with a seat that nobody sits in.
func (r *rig) openGame(name string) {
	r.Helper()
	f, err := ReadGameFile(name+".toml", []byte(fmt.Sprintf(toyGame, name, name+"@play.example")+openLands[:len("[join]\nopen = true\n")]+"[[member]]\nnick = \"Dora\"\n"))
	if err == nil {
		err = r.Create(r.Context(), f)
	}
	if err != nil {
		r.Fatal(err)
	}
	r.sent()
}

func TestAStrangerMakesUsWriteToNobodyElseAndOnceADay(t *testing.T) {
	r := newRig(t)
	r.openGame("lands")
	r.say("Buy at http://spam.example <eve@x.example>", "lands@play.example", "JOIN lands\nBuy at http://spam.example!", "Subject: http://spam.example", "Reply-To: victim@x.example")
	mails := r.sent()
	if len(mails) != 1 || mails[0].To != "eve@x.example" || strings.Contains(mails[0].Subject+mails[0].Text, "spam") {
		t.Fatalf("told %v", mails)
	}
	code := codes.FindString(mails[0].Subject)
	for range 3 {
		r.say("eve@x.example", "lands@play.example", "JOIN lands, please")
		r.say("eve@x.example", "lands@play.example", "JOIN lands")
	}
	equal(t, "asked again on that day", r.told())

	// Whoever does not read that mailbox confirms nothing.
	r.say("eve@x.example", "lands@play.example", "Yes.", "Subject: confirm-aaaaaaaaaaaaaaaa")
	r.say("mallory@x.example", "lands@play.example", "Yes.", "Subject: Re: "+code)
	equal(t, "told others", r.told())
	if r.load("lands").seat("Dora").mail() != "" {
		t.Error("a seat was taken")
	}

	r.now = r.now.Add(25 * time.Hour)
	r.say("eve@x.example", "lands@play.example", "JOIN lands")
	second := r.askedBy("eve@x.example")
	r.say("eve@x.example", "lands@play.example", "No.", "Subject: Re: "+second)
	equal(t, "who says no hears nothing more", r.told())
	r.now = r.now.Add(25 * time.Hour)
	if mails := r.joins("eve@x.example", "JOIN lands"); len(mails) != 2 || !strings.Contains(mails[0].Text, "as Dora") {
		t.Errorf("told %v", mails)
	}
	r.say("eve@x.example", "lands@play.example", "ADD 2")
	if r.sum("lands") != 2 {
		t.Error("the new member's order did not count")
	}
}

func TestWhoJoinsCanProveHisLetters(t *testing.T) {
	for _, auth := range []string{AuthToken, AuthPassword} {
		r := newRig(t)
		f, err := ReadGameFile("lands.toml", []byte("authentication = \""+auth+"\"\n"+fmt.Sprintf(toyGame, "lands", "lands@play.example")+
			"[join]\nopen = true\n[[member]]\nnick = \"Dora\"\n"))
		if err == nil {
			err = r.Create(t.Context(), f)
		}
		if err != nil {
			t.Fatal(err)
		}
		r.sent()
		mails := r.joins("eve@x.example", "JOIN lands")
		r.say("eve@x.example", mails[0].ReplyTo, "ADD 2")
		if r.sum("lands") != 2 {
			t.Errorf("%s: an answer to %q did not count", auth, mails[0].ReplyTo)
		}
	}
}

func TestNicksAreMadeOfNames(t *testing.T) {
	g := Game{Members: []Member{{Nick: "Anna", Seat: "Anna"}, {Nick: "Player", Seat: "South"}}}
	for name, want := range map[string]string{
		"Kira Bird": "Kira Bird", "ANNA": "ANNA 2", "Аnnа": "Аnnа 2", "": "Player 2", "eve@x.example": "Player 2", "<<>>": "Player 2",
		"South": "South 2", "All": "Player 2", "Кира, из Минска": "Кира из Минска", "-Bob-": "Bob", "x\ny": "x y",
		strings.Repeat("я", 50): strings.Repeat("я", 20),
	} {
		if got := g.newNick(Waiter{Name: name, Language: "en"}); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestWishesAreCutBetweenCharacters(t *testing.T) {
	if got := cutBytes(strings.Repeat("я", 501), maxWishes); got != strings.Repeat("я", 500) {
		t.Errorf("%d bytes", len(got))
	}
	if got := cutBytes("x"+strings.Repeat("я", 500), maxWishes); got != "x"+strings.Repeat("я", 499) {
		t.Errorf("%d bytes", len(got))
	}
}

func TestAnObserverAsksAndWritesAndOrdersNothing(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	f, err := ReadGameFile("o.toml", []byte(strings.Replace(fmt.Sprintf(toyGame, "other", "other@play.example"), "[world]", "[[member]]\nnick = \"Olaf\"\nemail = [\"olaf@x.example\", \"olaf@home.example\"]\nrole = \"observer\"\n[world]", 1)))
	if err == nil {
		err = r.Create(t.Context(), f)
	}
	if err != nil {
		t.Fatal(err)
	}
	if told := r.told(); !slices.Contains(told, "results olaf@x.example") {
		t.Errorf("welcomed: %v", told)
	}
	for line, want := range map[string]string{"STATUS": "You are Olaf, observer", "WHO": "Olaf, observer", "HISTORY": "SHA-256", "HELP": "PRESS", "DEADLINE": "accepted",
		"LANGUAGE en": "accepted", "HOLD": "refused (T-8)", "PRESS TO Anna\nhello\nEND PRESS": "accepted"} {
		r.say("olaf@home.example", "other@play.example", line)
		mails := r.sent()
		if len(mails) == 0 || mails[0].To != "olaf@home.example" || !strings.Contains(strings.Join(strings.Fields(mails[0].Text), " "), want) {
			t.Errorf("%q: %v", line, mails)
		}
	}
	r.say("anna@x.example", "other@play.example", "PRESS TO ALL\nhello\nEND PRESS\nADD 1")
	if told := r.told(); slices.ContainsFunc(told, func(s string) bool { return strings.Contains(s, "olaf") }) {
		t.Errorf("ALL means observers too: %v", told)
	}
}

func TestJoiningIsOpenedAndClosedWhileTheGameGoesOn(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("eve@x.example", "lands@play.example", "JOIN lands")
	equal(t, "a closed game", r.told())
	set := func(pairs ...string) {
		t.Helper()
		if _, err := r.Set(t.Context(), "lands", "root", settings(pairs...)); err != nil {
			t.Fatal(err)
		}
		r.sent()
	}
	set("join.open=true", "join.waiting=0")
	if mails := r.joins("eve@x.example", "JOIN lands"); len(mails) != 1 || !strings.Contains(mails[0].Text, "waiting list is full") {
		t.Errorf("told %v", mails)
	}
	set("join.waiting=2")
	r.say("fay@x.example", "lands@play.example", "JOIN lands")
	code := r.askedBy("fay@x.example")
	set("join.open=false")
	r.say("fay@x.example", "lands@play.example", code)
	if mails := r.sent(); len(mails) != 1 || !strings.Contains(mails[0].Text, "takes no new members any") {
		t.Errorf("told %v", mails)
	}
}

func TestWhoLeavesBeforeTheGameBeginsMakesRoom(t *testing.T) {
	r := newRig(t)
	r.gather(formingGame + openLands)
	r.sent()
	r.joins("Kira <kira@x.example>", "JOIN lands") // Boris's seat
	r.joins("Dan <dan@x.example>", "JOIN lands")   // one of his own
	r.joins("Eve <eve@x.example>", "JOIN lands")   // waits
	r.say("dan@x.example", "lands@play.example", "LEAVE GAME")
	equal(t, "told", r.told(), "receipt dan@x.example", "question gm@x.example", "question eve@x.example", "question gm@x.example")
	r.say("anna@home.example", "lands@play.example", "LEAVE GAME")
	equal(t, "told", r.told(), "receipt anna@home.example", "question gm@x.example")
	var got []string
	for _, m := range r.load("lands").players() {
		got = append(got, string(m.Seat)+" "+m.Nick+" "+strings.Join(m.Addresses, ","))
	}
	equal(t, "players", got, "Anna Anna ", "Boris Boris kira@x.example", "Eve Eve eve@x.example")
	for _, from := range []string{"dan@x.example", "anna@x.example"} {
		if out := r.say(from, "lands@play.example", "STATUS"); out.Status != "desk" || len(r.sent()) != 0 {
			t.Errorf("%s is heard still: %+v", from, out)
		}
	}
	if list, err := r.Waiting(t.Context(), "lands"); err != nil || len(list) != 0 {
		t.Errorf("%v still wait: %v", list, err)
	}
}

func TestMoreSeatsGoToThoseWhoWait(t *testing.T) {
	r := newRig(t)
	r.gather(formingGame + openLands)
	r.sent()
	for _, from := range []string{"Kira <kira@x.example>", "Dan <dan@x.example>", "Eve <eve@x.example>"} {
		r.joins(from, "JOIN lands") // two sit down, and Eve waits
	}
	if _, err := r.Set(t.Context(), "lands", "root", settings("join.seats=4")); err != nil {
		t.Fatal(err)
	}
	equal(t, "told", r.told(), "question eve@x.example", "question gm@x.example")
	if list, err := r.Waiting(t.Context(), "lands"); err != nil || len(list) != 0 {
		t.Errorf("%v still wait: %v", list, err)
	}
}

func TestTheGMHearsWhoWaitsWhenASeatIsLeft(t *testing.T) {
	r := newRig(t)
	r.openGame("lands")
	r.joins("Dora <dora@x.example>", "JOIN lands")
	r.joins("Fay <fay@x.example>", "JOIN lands\nI like wars.")
	r.say("anna@x.example", "lands@play.example", "LEAVE GAME")
	for _, it := range r.sent() {
		if it.To == "gm@lands.example" != strings.Contains(it.Text, "> Fay at fay@x.example") {
			t.Errorf("%s reads\n%s", it.To, it.Text)
		}
	}
	r.say("gm@lands.example", "lands@play.example", "REPLACE Anna BY Fay fay@x.example")
	if list, err := r.Waiting(t.Context(), "lands"); err != nil || len(list) != 0 {
		t.Errorf("%v still wait: %v", list, err)
	}
	r.say("fay@x.example", "lands@play.example", "ADD 1")
	if r.sum("lands") != 1 || !r.sameAgain("lands") {
		t.Error("the successor's order does not count, or played again it comes out otherwise")
	}
}

func TestNobodyCallsHimselfLikeTheWordsOfPRESS(t *testing.T) {
	for _, name := range []string{"All but Boris", "ALL", "Всем кроме Boris", "Анонимно Boris", "Anonymous"} {
		r := newRig(t)
		r.gather(formingGame + openLands)
		r.sent()
		r.joins("kira@x.example", "JOIN")
		r.joins(`"`+name+`" <eve@x.example>`, "JOIN")
		if nick := r.load("lands").Members[4].Nick; nick != "Player" {
			t.Errorf("%s is called %q", name, nick)
		}
		if err := r.Start(t.Context(), "lands", false); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"PRESS TO ALL BUT Boris\nhello\nEND PRESS", "ПИСЬМО ВСЕМ КРОМЕ Boris\nhello\nКОНЕЦ ПИСЬМА"} {
			r.sent()
			r.say("anna@x.example", "lands@play.example", line)
			equal(t, name, r.told(), "receipt anna@x.example", "press gm@x.example", "press eve@x.example")
		}
	}
}

func TestOrdersOfAMemberElsewhereAreNotTakenForWishes(t *testing.T) {
	for text, want := range map[string]string{
		"JOIN lands":                         "please confirm that you join",
		"JOIN lands\nADD 1":                  "which game",
		"ADD 1\nJOIN lands":                  "which game",
		"GAME lands\nJOIN lands\nI am Boris": "please confirm that you join",
	} {
		r := newRig(t)
		r.game("marches", "post@play.example")
		r.gather(strings.Replace(formingGame, "lands@play.example", "post@play.example", 1) + openLands)
		r.exec(`UPDATE member SET language = 'en'`)
		r.sent()
		r.say("boris@x.example", "post@play.example", text)
		if mails := r.sent(); len(mails) != 1 || mails[0].To != "boris@x.example" || !strings.Contains(strings.ToLower(mails[0].Subject+mails[0].Text), want) {
			t.Errorf("%q: %+v", text, mails)
		}
	}
}

func TestWhoeverConfirmsMayOrderInTheSameLetter(t *testing.T) {
	for _, auth := range []string{"none", "token"} {
		r := newRig(t)
		r.gather("authentication = \"" + auth + "\"\n" + formingGame + openLands)
		r.sent()
		r.say("Kira <kira@x.example>", "lands@play.example", "JOIN lands")
		code := r.askedBy("kira@x.example")
		for range 2 { // it comes by two roads
			if out := r.say("kira@x.example", "lands@play.example", "YES\nWHO\n"+code, "Message-ID: <yes@x>"); out.Status != "done" {
				t.Errorf("%s: %+v", auth, out)
			}
		}
		want := []string{"question kira@x.example", "question gm@x.example", "receipt kira@x.example"}
		if auth == "token" { // which she learns only now
			want = want[:2]
		}
		equal(t, auth, r.told(), want...)
	}
}
