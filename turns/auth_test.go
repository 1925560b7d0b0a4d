package turns

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"arroba/ingest"
	"arroba/ingest/letter"
	"arroba/outbox"
)

// guarded games: Anna has the token k3yofanna and the password Hunter-22, Boris k3yofboris and swordfish.
const (
	byDMARC    = "authentication = \"dmarc\"\nauthserv_id = \"mx.play.example\""
	byToken    = "authentication = \"token\""
	byPassword = "authentication = \"password\""
)

// secretGame opens a game whose members have secrets of the kinds.
func (r *rig) secretGame(name, toml string, kinds ...string) {
	r.Helper()
	text := strings.Join([]string{toml, fmt.Sprintf(toyGame, name, name+"@play.example")}, "\n")
	for _, kind := range kinds {
		for nick, secret := range map[string]string{"Anna": "K3yofanna", "Boris": "k3yofboris"} {
			if kind == "password" {
				secret = map[string]string{"Anna": "Hunter-22", "Boris": "swordfish"}[nick]
			}
			text = strings.Replace(text, fmt.Sprintf("nick = %q\n", nick), fmt.Sprintf("nick = %q\n%s = %q\n", nick, kind, secret), 1)
		}
	}
	f, err := ReadGameFile(name+".toml", []byte(text))
	if err != nil {
		r.Fatal(err)
	}
	r.cost = bcrypt.MinCost
	if err := r.Create(r.Context(), f); err != nil {
		r.Fatal(err)
	}
	r.sent()
}

const (
	mxPass = "Authentication-Results: mx.play.example; dmarc=pass header.from=x.example"
	mxFail = "Authentication-Results: mx.play.example; dmarc=fail header.from=x.example"
)

func TestWhoseLetterItIs(t *testing.T) {
	obeyed := func(seat string) []string { return []string{ingest.Done, seat} }
	asked := []string{ingest.Desk, "", "question anna@x.example"}
	nobody := []string{ingest.Desk, ""}
	const anna, home, eve, lands = "anna@x.example", "anna@home.example", "eve@evil.example", "lands@play.example"
	tests := []struct {
		name, toml     string
		kinds          []string
		from, to, text string
		field          string
		want           []string // status, seat, and who is asked
	}{
		{"none: right", "", nil, anna, lands, "ADD 1", "", obeyed("Anna")},
		{"none: from another address", "", nil, eve, lands, "ADD 1", "", nobody},
		{"none: a token where nobody has one means nothing", "", nil, anna, lands, "TOKEN abc\nADD 1", "", obeyed("Anna")},
		{"none: a right token shows the member from anywhere", "", []string{"token"}, eve, lands, "TOKEN k3yofanna\nADD 1", "", obeyed("Anna")},
		{"none: a wrong token spoils it", "", []string{"token"}, anna, lands, "TOKEN k3yofeve\nADD 1", "", asked},
		{"none: a wrong token from nobody", "", []string{"token"}, eve, lands, "TOKEN k3yofeve\nADD 1", "", nobody},
		{"none: somebody else's password", "", []string{"password"}, anna, lands, "PASSWORD swordfish\nADD 1", "", obeyed("Boris")},

		{"dmarc: right", byDMARC, nil, anna, lands, "ADD 1", mxPass, obeyed("Anna")},
		{"dmarc: wrong", byDMARC, nil, anna, lands, "ADD 1", mxFail, asked},
		{"dmarc: missing", byDMARC, nil, anna, lands, "ADD 1", "X-Any: thing", asked},
		{"dmarc: from another address of his", byDMARC, nil, home, lands, "ADD 1", mxFail, asked},
		{"dmarc: passed for the forger's own domain", byDMARC, nil, anna, lands, "ADD 1", "Authentication-Results: mx.play.example; dmarc=pass header.from=evil.example", asked},
		{"dmarc: from nobody known, passed", byDMARC, nil, eve, lands, "ADD 1", "Authentication-Results: mx.play.example; dmarc=pass header.from=evil.example", nobody},
		{"dmarc: a result that the sender wrote, below ours", byDMARC, nil, anna, lands, "ADD 1", mxFail + "\n" + mxPass, asked},
		{"dmarc: a result in a comment", byDMARC, nil, anna, lands, "ADD 1", "Authentication-Results: mx.play.example; spf=fail (dmarc=pass header.from=x.example)", asked},
		{"dmarc: of a server that has the same beginning", byDMARC, nil, anna, lands, "ADD 1", strings.Replace(mxPass, "mx.play.example", "mx.play.example.evil.example", 1), asked},
		{"dmarc: failed, and a right token", byDMARC, []string{"token"}, anna, lands, "TOKEN K3YOFANNA\nADD 1", mxFail, obeyed("Anna")},
		{"dmarc: passed, and a wrong password", byDMARC, []string{"password"}, anna, lands, "PASSWORD hunter-22\nADD 1", mxPass, asked},

		{"token: right, in the address", byToken, []string{"token"}, anna, "lands+k3yofanna@play.example", "ADD 1", "", obeyed("Anna")},
		{"token: right, in the address in another case", byToken, []string{"token"}, anna, "Lands+K3yOfAnna@Play.example", "ADD 1", "", obeyed("Anna")},
		{"token: right, after the game's name", byToken, []string{"token"}, anna, "lands+lands-k3yofanna@play.example", "ADD 1", "", obeyed("Anna")},
		{"token: right, after the game's name and a stop", byToken, []string{"token"}, anna, "lands+lands.k3yofanna@play.example", "ADD 1", "", obeyed("Anna")},
		{"token: right, on a line", byToken, []string{"token"}, anna, lands, "ADD 1\n- TOKEN k3yofanna.", "", obeyed("Anna")},
		{"token: right, on a Russian line", byToken, []string{"token"}, anna, lands, "ключ k3yofanna\nADD 1", "", obeyed("Anna")},
		{"token: right, after a colon", byToken, []string{"token"}, anna, lands, "Token: k3yofanna\nADD 1", "", obeyed("Anna")},
		{"token: right, in the subject", byToken, []string{"token"}, anna, lands, "ADD 1", "Subject: TOKEN k3yofanna", obeyed("Anna")},
		{"token: right, from nobody's address", byToken, []string{"token"}, eve, "lands+k3yofanna@play.example", "ADD 1", "", obeyed("Anna")},
		{"token: right, delivered to it", byToken, []string{"token"}, anna, lands, "ADD 1", "Delivered-To: lands+k3yofanna@play.example", obeyed("Anna")},
		{"token: wrong, in the address", byToken, []string{"token"}, anna, "lands+k3yofeve@play.example", "ADD 1", "", asked},
		{"token: wrong, on a line", byToken, []string{"token"}, anna, lands, "TOKEN k3yofann\nADD 1", "", asked},
		{"token: missing", byToken, []string{"token"}, anna, lands, "ADD 1", "", asked},
		{"token: missing, +game", byToken, []string{"token"}, anna, "lands+lands@play.example", "ADD 1", "", asked},
		{"token: missing, from another address", byToken, []string{"token"}, eve, lands, "ADD 1", "", nobody},
		{"token: forged From, Boris's token", byToken, []string{"token"}, anna, lands, "TOKEN k3yofboris\nADD 1", "", obeyed("Boris")},
		{"token: two members' tokens", byToken, []string{"token"}, anna, "lands+k3yofanna@play.example", "TOKEN k3yofboris\nADD 1", "", asked},
		{"token: forged result", byToken, []string{"token"}, anna, lands, "ADD 1", mxPass, asked},
		{"token: quoted, not written", byToken, []string{"token"}, anna, lands, "> TOKEN k3yofanna\nADD 1", "", asked},
		{"token: one of another mailbox", byToken, []string{"token"}, anna, "other+k3yofanna@play.example", "ADD 1", "", asked},

		{"password: right", byPassword, []string{"password"}, anna, lands, "PASSWORD Hunter-22\nADD 1", "", obeyed("Anna")},
		{"password: right, in Russian, with a stop", byPassword, []string{"password"}, anna, lands, "ADD 1\nПАРОЛЬ Hunter-22.", "", obeyed("Anna")},
		{"password: right, with a phone's dash and quotes", byPassword, []string{"password"}, anna, lands, "Password “Hunter–22”\nADD 1", "", obeyed("Anna")},
		{"password: right, from another address of his", byPassword, []string{"password"}, home, lands, "PASSWORD Hunter-22\nADD 1", "", obeyed("Anna")},
		{"password: right, from nobody's address", byPassword, []string{"password"}, eve, lands, "PASSWORD Hunter-22\nADD 1", "", obeyed("Anna")},
		{"password: wrong", byPassword, []string{"password"}, anna, lands, "PASSWORD hunter-22\nADD 1", "", asked},
		{"password: wrong, from nobody's address", byPassword, []string{"password"}, eve, lands, "PASSWORD hunter\nADD 1", "", nobody},
		{"password: missing", byPassword, []string{"password"}, anna, lands, "ADD 1", "", asked},
		{"password: a slip of the word", byPassword, []string{"password"}, anna, lands, "PASWORD Hunter-22\nADD 1", "", asked},
		{"password: forged result", byPassword, []string{"password"}, anna, lands, "ADD 1", mxPass, asked},
		{"password: a right one and a wrong one", byPassword, []string{"password"}, anna, lands, "PASSWORD Hunter-22\nPASSWORD x\nADD 1", "", asked},
		{"password: the token instead", byPassword, []string{"token", "password"}, anna, lands, "TOKEN k3yofanna\nADD 1", "", obeyed("Anna")},
		{"password: one's token and another's password", byPassword, []string{"token", "password"}, anna, lands, "TOKEN k3yofanna\nPASSWORD swordfish\nADD 1", "", asked},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.secretGame("lands", tt.toml, tt.kinds...)
			if tt.field == "" {
				tt.field = "X-Any: thing"
			}
			got := r.say(tt.from, tt.to, tt.text, tt.field, "Message-ID: <m@x.example>")
			var questions []string
			for _, it := range r.sent() {
				if it.Kind == outbox.Question {
					questions = append(questions, it.Kind+" "+it.To)
				}
				if it.Via == "mail" && it.To == eve {
					t.Errorf("a stranger's address is written to: %s", it.Kind)
				}
			}
			equal(t, "what became of it", append([]string{got.Status, string(got.Seat)}, questions...), tt.want...)
			if want := int64(len(got.Seat)); (r.sum("lands") != 0) != (want != 0) {
				t.Errorf("sum %d, seat %q", r.sum("lands"), got.Seat)
			}
		})
	}
}

func TestALetterFromAnotherAddressIsAnsweredAtTheOneOnFile(t *testing.T) {
	r := newRig(t)
	r.secretGame("lands", byToken, "token")
	r.say("eve@evil.example", "lands+k3yofanna@play.example", "ADD 1")
	receipt := r.sent()[0]
	if receipt.Kind != outbox.Receipt || receipt.To != "anna@x.example" || !strings.Contains(receipt.Text, "eve@evil.example") {
		t.Errorf("%s to %s\n%s", receipt.Kind, receipt.To, receipt.Text)
	}
	r.say("anna@home.example", "lands+k3yofanna@play.example", "ADD 1")
	if receipt := r.sent()[0]; receipt.To != "anna@home.example" || strings.Contains(receipt.Text, "does not know") {
		t.Errorf("from an address on file: to %s\n%s", receipt.To, receipt.Text)
	}
}

func TestReplyAddresses(t *testing.T) {
	r := newRig(t)
	r.secretGame("lands", byToken, "token")
	r.game("marches", "marches@play.example", "from = \"clerk@play.example\"")
	r.game("moors")
	r.say("anna@x.example", "lands+k3yofanna@play.example", "ADD 1\nTELL Clara")
	tokens := map[string]string{"anna@x.example": "lands+k3yofanna@play.example"}
	for _, m := range r.load("lands").Members {
		if m.Nick == "Clara" || m.Nick == "Gareth" {
			if len(m.token) != 16 {
				t.Errorf("%s has drawn %q", m.Nick, m.token)
			}
			tokens[m.Addresses[0]] = "lands+" + m.token + "@play.example"
		}
	}
	for _, it := range r.sent() {
		if it.Via == "mail" && it.ReplyTo != tokens[it.To] {
			t.Errorf("%s to %s is to be answered at %q, want %q", it.Kind, it.To, it.ReplyTo, tokens[it.To])
		}
	}
	for game, want := range map[string]string{"marches": "marches@play.example", "moors": ""} {
		r.say("anna@x.example", game+"@play.example", "ADD 1")
		for _, it := range r.sent() {
			if it.Via == "mail" && it.ReplyTo != want {
				t.Errorf("%s: to be answered at %q, want %q", game, it.ReplyTo, want)
			}
		}
	}
	// One who has no token yet gets it where he is known, by asking.
	r.say("clara@x.example", "lands@play.example", "ADD 1")
	question := r.sent()[0]
	if question.To != "clara@x.example" || question.ReplyTo != tokens["clara@x.example"] {
		t.Fatalf("%s to %s, to be answered at %q", question.Kind, question.To, question.ReplyTo)
	}
	if got := r.say("clara@x.example", question.ReplyTo, "ADD 1"); got.Status != ingest.Done {
		t.Errorf("the answer to the question is %s", got.Status)
	}
}

func TestATokenFindsTheGame(t *testing.T) {
	open := func(r *rig, name, toml, token string) {
		text := strings.Replace(fmt.Sprintf(toyGame, name, "all@play.example"), "nick = \"Anna\"\n", "nick = \"Anna\"\ntoken = \""+token+"\"\n", 1)
		f, err := ReadGameFile(name, []byte(toml+"\n"+text))
		if err != nil {
			r.Fatal(err)
		}
		if err := r.Create(r.Context(), f); err != nil {
			r.Fatal(err)
		}
	}
	for to, want := range map[string]string{
		"all+k3yofmoors@play.example": "moors", "all+k3yoffens@play.example": "fens", "all+fens-k3yoffens@play.example": "fens",
		"all+moors-2-same.key@play.example": "moors-2", "all+fens.same.key@play.example": "", "all+same.key@play.example": "",
		"all+moors-k3yoffens@play.example": "", "all@play.example": "",
	} {
		r := newRig(t)
		open(r, "moors", byToken, "k3yofmoors")
		open(r, "fens", byToken, "k3yoffens")
		open(r, "moors-2", byToken, "same.key")
		open(r, "moors-3", byToken, "same.key")
		r.say("anna@x.example", to, "ADD 1")
		for _, g := range []string{"moors", "fens", "moors-2", "moors-3"} {
			if got := r.sum(g) == 1; got != (g == want) {
				t.Errorf("%s: %s ruled on it: %v", to, g, got)
			}
		}
	}
	r := newRig(t)
	open(r, "moors", byToken, "k3yofmoors")
	open(r, "fens", byToken, "k3yoffens")
	if got := r.say("eve@evil.example", "all@play.example", "TOKEN k3yoffens\nADD 1"); got.Game != "fens" || got.Seat != "Anna" {
		t.Errorf("a TOKEN line alone: %+v", got)
	}
}

func TestEachGameBelievesItsOwnServer(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"lands", "marches", "moors"} {
		r.game(name, fmt.Sprintf("authentication = \"dmarc\"\nauthserv_id = \"mx.%s.example\"", name))
	}
	for _, name := range []string{"lands", "marches", "moors"} {
		for _, server := range []string{"lands", "marches", "moors"} {
			field := strings.Replace(mxPass, "mx.play.example", "mx."+server+".example", 1)
			got := r.say("anna@x.example", name+"@play.example", "ADD 1", field, fmt.Sprintf("Message-ID: <%s-%s@x.example>", name, server))
			if (got.Status == ingest.Done) != (name == server) {
				t.Errorf("%s with the word of %s's server: %s", name, server, got.Status)
			}
		}
	}
}

func TestABrakeOnGuessing(t *testing.T) {
	r := newRig(t)
	r.Limits.Guesses = 3
	r.secretGame("lands", byPassword, "password")
	guess := func(from, word string) string {
		return r.say(from, "lands@play.example", "PASSWORD "+word+"\nADD 1").Status
	}
	gm := func() int {
		return len(slices.DeleteFunc(r.told(), func(s string) bool { return s != "question gm@lands.example" }))
	}
	for i, want := range []int{0, 0, 1, 0, 0} {
		guess("anna@x.example", fmt.Sprint("guess", i))
		if got := gm(); got != want {
			t.Errorf("after guess %d the GM has %d mails, want %d", i+1, got, want)
		}
	}
	if got := guess("anna@x.example", "Hunter-22"); got != ingest.Desk || r.sum("lands") != 0 {
		t.Errorf("the right one is looked at behind three wrong ones: %s", got)
	}
	if out, err := r.Retry(t.Context(), r.lastLetter()); err != nil || out.Status != ingest.Done {
		t.Errorf("handled again at a person's word it is %s, %v", out.Status, err)
	}
	if got := guess("boris@x.example", "swordfish"); got != ingest.Done {
		t.Errorf("another member's letter is %s", got)
	}
	r.now = r.now.Add(time.Hour)
	if got := guess("anna@x.example", "Hunter-22"); got != ingest.Done {
		t.Errorf("an hour later it is %s", got)
	}
	for range 4 {
		guess("eve@evil.example", "guess")
	}
	if got := guess("mallory@evil.example", "Hunter-22"); got != ingest.Desk {
		t.Errorf("from nobody's address, behind guesses: %s", got)
	}
}

func (r *rig) lastLetter() (id string) {
	r.Helper()
	if err := r.DB.Read().QueryRowContext(r.Context(), `SELECT id FROM inbox ORDER BY arrived DESC LIMIT 1`).Scan(&id); err != nil {
		r.Fatal(err)
	}
	return id
}

func TestTheSameUnprovedLetterIsAskedAboutOnce(t *testing.T) {
	r := newRig(t)
	r.secretGame("lands", byDMARC)
	say := func(fields ...string) Outcome {
		return r.say("anna@x.example", "lands@play.example", "ADD 1", append(fields, "Message-ID: <m@x.example>")...)
	}
	say(mxFail)
	equal(t, "told", r.told(), "question anna@x.example")
	if got := say(mxFail); got.Class != string(letter.Duplicate) {
		t.Errorf("the second one is %s, %s", got.Class, got.Status)
	}
	equal(t, "told of the second", r.told())
	if got := say(mxPass); got.Class != string(letter.Orders) || r.sum("lands") != 1 {
		t.Errorf("the true one is %s, %s", got.Class, got.Status)
	}
	r.sent()
	say(mxFail)
	say(mxPass)
	equal(t, "told of copies", r.told())
	if got := r.sum("lands"); got != 1 {
		t.Errorf("sum %d", got)
	}
}
