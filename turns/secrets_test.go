package turns

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"arroba/ingest"
	"arroba/outbox"
	"arroba/rules"
)

// everything returns all that the database holds, a line a row with its table's name, but for the raw letters and the
// tokens of members, which are kept on purpose.
func (r *rig) everything() []string {
	r.Helper()
	var lines []string
	for _, table := range []string{"game", "member", "address", "inbox", "attached", "source", "input", "snapshot", "outbox"} {
		rows, err := r.DB.Read().QueryContext(r.Context(), "SELECT * FROM "+table)
		if err != nil {
			r.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			r.Fatal(err)
		}
		for rows.Next() {
			cells := make([]any, len(columns))
			for i := range cells {
				cells[i] = new([]byte)
			}
			if err := rows.Scan(cells...); err != nil {
				r.Fatal(err)
			}
			for i, c := range columns {
				if !(table == "inbox" && c == "raw" || table == "member" && c == "token") {
					lines = append(lines, fmt.Sprintf("%s.%s: %s", table, c, *cells[i].(*[]byte)))
				}
			}
		}
		if err := rows.Close(); err != nil {
			r.Fatal(err)
		}
	}
	return lines
}

func TestSecretsAreToldToNobody(t *testing.T) {
	const pass, wrong, token, annas = "Marker-Pw-1", "Marker-Pw-2", "marker-tk-1", "marker-tk-9"
	letters := []struct{ name, to, text, subject string }{
		{"right lines", "lands", "PASSWORD " + pass + "\nTOKEN " + token + "\nADD 1", "orders"},
		{"in the address", "lands+" + token, "ADD 1\nSPOILED", "orders"},
		{"in the subject", "lands", "ADD 1", "PASSWORD " + pass},
		{"in an answer's subject", "lands", "PASSWORD " + pass + "\nADD 1", "Re: [lands] Token: " + token},
		{"in a sentence of the subject", "lands", "PASSWORD " + pass + "\nADD 1", "my password is " + pass},
		{"wrong ones", "lands", "PASSWORD " + wrong + "\nADD 1", "пароль " + wrong},
		{"a wrong address", "lands+" + wrong, "ADD 1", "orders"},
		{"slips", "lands+" + token, "PASWORD " + pass + "\nPASSWORD: " + pass + "\nTOKNE " + token + "\nпарол " + pass + "\nADD 1", "PASWORD " + pass},
		{"a wrong slip", "lands+" + token, "PASSWRD=" + wrong + "\nADD 0", "orders"},
		{"in a block", "lands+" + token, "ORDERS\nPASWORD " + wrong + "\n1. PASSSWORD " + pass + "\nADD 1\nEND", "orders"},
		{"several words", "lands+" + token, "PASSWORD my " + wrong + " phrase\nADD 1", "orders"},
		{"in a sentence", "lands+" + token, "My password is " + pass + " as you know.\nADD 1", "orders"},
		{"in an order", "lands+" + token, "NAME " + token + "\nUSE " + annas + "\nNAME x" + annas, "ADD " + annas},
		{"an address of a member", "lands+" + token, "Write me at lands+" + annas + "@play.example\nHELP " + annas, "lands+" + annas + "@play.example"},
		{"none at all", "lands+" + token, "Good day, TOKEN " + token, "hint"},
		{"the wrong game", "lands+" + token, "GAME marches\nPASSWORD " + pass + "\nADD 1", "token " + token},
		{"from a stranger", "lands", "PASSWORD " + wrong + "\nADD 1", "password " + wrong},
		{"a token in a stranger's subject", "lands", "Hello", "about " + token},
		{"a token in the subject of a letter that is not proved", "lands", "ADD 1", "about " + annas},
		{"two writers", "lands", "ADD 1", "about " + annas},
		{"a rule that fails", "lands+" + token, "PASSWORD " + pass + "\nBOOM", "password " + pass},
	}
	var log bytes.Buffer
	r := newRig(t)
	r.Engine.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	text := byPassword + "\n" + fmt.Sprintf(toyGame, "lands", "lands@play.example")
	text = strings.Replace(text, "nick = \"Boris\"\n", "nick = \"Boris\"\ntoken = \""+token+"\"\npassword = \""+pass+"\"\n", 1)
	text = strings.Replace(text, "nick = \"Anna\"\n", "nick = \"Anna\"\ntoken = \""+annas+"\"\npassword = \"other\"\n", 1)
	f, err := ReadGameFile("lands.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Create(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, l := range letters {
		for _, v := range []rules.Viewer{{GM: true}, {Seat: "Anna"}, {}} {
			view, err := r.View(t.Context(), "lands", v)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, "view: "+string(view))
		}
		from := "boris@x.example"
		switch {
		case strings.Contains(l.name, "stranger"):
			from = "eve@evil.example"
		case l.name == "two writers":
			from = "anna@x.example, boris@x.example"
		}
		r.say(from, l.to+"@play.example", l.text, "Subject: "+l.subject)
	}
	all = slices.Concat(all, r.everything(), strings.Split(log.String(), "\n"))
	for _, line := range all {
		if strings.Contains(strings.ToLower(line), "marker-") {
			t.Errorf("it is told: %.300s", line)
		}
	}
	// The test sees what it should: every letter is kept as it came, and most were obeyed.
	if n := r.count(`SELECT COUNT(*) FROM inbox WHERE INSTR(LOWER(CAST(raw AS TEXT)), 'marker-') > 0`); n != len(letters) {
		t.Errorf("%d letters are kept as they came, want %d", n, len(letters))
	}
	if n := r.count(`SELECT COUNT(*) FROM input WHERE kind = 'letter'`); n < 10 {
		t.Errorf("only %d letters were ruled on", n)
	}
}

func TestSteeringLines(t *testing.T) {
	for line, want := range map[string]string{ // what it is, or how it is passed on
		"PASSWORD hunter": "password hunter", "password: hunter": "password hunter", "Пароль = hunter;": "password hunter",
		"- TOKEN AbC": "token abc", "1. ключ abc.": "token abc", "GAME lands.": "game lands", "игра lands": "game lands",
		"PASSWORD": "PASSWORD", "GAME: lands": "GAME: lands", "GAME of thrones": "GAME of thrones",
		"Token of my friendship": "Token of my friendship", "Password: my secret phrase": "Password: ***", "PASWORD hunter": "PASWORD ***",
		"* tokn abc": "* tokn ***", "Passwords are dull things": "Passwords are dull things", "ключи замка": "ключи замка", "": "",
		"CHALLENGE Boris": "CHALLENGE Boris", "The token: abc": "The token: abc",
	} {
		a := arrival{}
		a.read.Lines = []string{line}
		a.steer()
		var got string
		switch {
		case len(a.games) > 0:
			got = "game " + a.games[0]
		case len(a.secrets) > 0:
			got = a.secrets[0].kind + " " + a.secrets[0].word
		case len(a.read.Lines) == 1:
			got = a.read.Lines[0]
		}
		if got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
	if got := Masked([]string{"PASSWORD hunter", "ADD 1", "PASWORD hunter"}); !slices.Equal(got, []string{"ADD 1", "PASWORD ***"}) {
		t.Errorf("masked %q", got)
	}
}

func TestPasswordsAreKeptHashed(t *testing.T) {
	r := newRig(t)
	r.secretGame("lands", byPassword, "password")
	if n := r.count(`SELECT COUNT(*) FROM member WHERE password LIKE '$2a$%'`); n != 2 {
		t.Errorf("%d passwords are kept as bcrypt's hash, want 2", n)
	}
	for password, want := range map[string][]string{"Hunter-22": nil, "other": {"Anna's password in t.toml is not the one in the game; the game's counts"}} {
		text := strings.Replace(fmt.Sprintf(toyGame, "lands", "lands@play.example"), "nick = \"Anna\"\n", "nick = \"Anna\"\npassword = \""+password+"\"\n", 1)
		f, err := ReadGameFile("t.toml", []byte(byPassword+"\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "differences", f.Differences(r.load("lands")), want...)
	}
}

func TestAttachedFilesAreKept(t *testing.T) {
	r := newRig(t)
	r.MaxAttachment = 10
	r.game("lands")
	file := func(name, data string) string {
		return "--b\nContent-Type: application/octet-stream; name=\"" + name + "\"\nContent-Disposition: attachment\n\n" + data + "\n"
	}
	send := func(from, text string) Outcome {
		return r.say(from, "lands@play.example", "--b\n\n"+text+"\n"+file("Oleg_save1.gm1", "castle")+file("again.gm1", "castle")+file("big.gm1", "far too big a castle")+"--b--",
			"Content-Type: multipart/mixed; boundary=b")
	}
	got := send("anna@x.example", "ADD 1")
	files, err := ingest.AttachedTo(t.Context(), r.DB.Read(), got.Inbox, true)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, f := range files {
		kept = append(kept, fmt.Sprintf("%d %s %d %q", f.Ord, f.Name, f.Size, f.Data))
	}
	equal(t, "files", kept, `1 Oleg_save1.gm1 6 "castle"`, `2 again.gm1 6 "castle"`, `3 big.gm1 20 ""`)
	for _, it := range r.sent() {
		if told := strings.Contains(it.Text, "Oleg_save1.gm1"); told != (it.To == "gm@lands.example") {
			t.Errorf("%s to %s tells of the files: %v", it.Kind, it.To, told)
		}
		if it.Kind == outbox.Copy && it.To == "gm@lands.example" && !strings.Contains(it.Text, "arroba inbox save "+got.Inbox) {
			t.Errorf("the GM reads\n%s", it.Text)
		}
		var carried []string
		for _, f := range it.Files {
			data, err := r.Content(t.Context(), f.Hash)
			carried = append(carried, fmt.Sprintf("%s %q %v", f.Name, data, err))
		}
		if it.To == "gm@lands.example" { // ten bytes are carried at most
			equal(t, "the GM's files", carried, `Oleg_save1.gm1 "castle" <nil>`)
		} else {
			equal(t, "files to "+it.To, carried)
		}
	}
	send("boris@x.example", "ADD 1")
	send("eve@evil.example", "ADD 1")
	if a, b := r.count(`SELECT COUNT(*) FROM attachment`), r.count(`SELECT COUNT(*) FROM attached`); a != 1 || b != 6 {
		t.Errorf("%d contents of %d files are kept, want 1 of 6: those of strangers are not", a, b)
	}
}
