package turns

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const formingGame = `name = "lands"
ruleset = "toy"
gm = { nick = "Gareth", email = "gm@x.example", password = "sesame" }
mailbox = "lands@play.example"
[[member]]
nick = "Anna"
email = ["anna@x.example", "anna@home.example"]
[[member]]
nick = "Boris"
[[member]]
nick = "Olaf"
email = "olaf@x.example"
role = "observer"
language = "ru"
[world]
sum = 3
`

// gather begins a game that gathers its players.
func (r *rig) gather(text string) {
	r.Helper()
	f, err := ReadGameFile("lands.toml", []byte(text))
	if err == nil {
		err = r.Gather(r.Context(), f)
	}
	if err != nil {
		r.Fatal(err)
	}
}

func TestAGameGathersItsPlayersAndBegins(t *testing.T) {
	r := newRig(t)
	r.gather(formingGame)
	mails := r.sent()
	if len(mails) != 3 || mails[0].To != "anna@x.example" || mails[1].To != "olaf@x.example" || mails[2].To != "gm@x.example" {
		t.Fatalf("told %v", mails)
	}
	if !strings.Contains(mails[0].Text, "> LEAVE GAME") || !strings.Contains(mails[1].Text, "> УЙТИ ИЗ ИГРЫ") || mails[0].Kind != "question" {
		t.Errorf("invited:\n%s\n%s", mails[0].Text, mails[1].Text)
	}

	// Letters of members get plain answers, and nothing is carried out of them.
	for _, line := range []string{"ADD 1", "CANCEL ALL", "PRESS TO Gareth\nhello\nEND PRESS", "HISTORY", "DEADLINE", "TEST\nADD 1"} {
		if out := r.say("anna@x.example", "lands@play.example", line); out.Status != "done" || out.Input != 0 {
			t.Errorf("%q: %+v", line, out)
		}
		if got := r.sent(); len(got) != 1 || !strings.Contains(got[0].Text, "refused (E-START). The game has not begun.") {
			t.Errorf("%q: %v", line, got)
		}
	}
	for line, want := range map[string]string{"HELP": "LANGUAGE", "STATUS": "The game has not begun", "WHO": "Boris, player", "LANGUAGE en": "accepted"} {
		r.say("anna@x.example", "lands@play.example", line)
		if got := r.sent(); len(got) != 1 || !strings.Contains(got[0].Text, want) {
			t.Errorf("%q: %v", line, got)
		}
	}
	if out := r.say("anna@x.example", "lands@play.example", "I shall play."); out.Status != "desk" {
		t.Errorf("prose: %+v", out)
	}
	if got := r.sent(); len(got) != 1 || got[0].Kind != "question" || !strings.Contains(got[0].Text, "It has not begun") {
		t.Errorf("prose: %v", got)
	}
	if err := r.CheckLog(t.Context(), "lands"); err != nil {
		t.Error(err)
	}
	if _, err := r.Tick(t.Context()); err != nil {
		t.Error(err)
	}

	// Who has not answered is invited again.
	if nicks, err := r.Invite(t.Context(), "lands"); err != nil || !slices.Equal(nicks, []string{"Olaf"}) {
		t.Errorf("invited again: %v, %v", nicks, err)
	}
	r.sent()

	var empty EmptySeats
	if err := r.Start(t.Context(), "lands", false); !errors.As(err, &empty) || !slices.Equal(empty, []string{"Boris"}) {
		t.Errorf("started with an empty seat: %v", err)
	}
	if err := r.Start(t.Context(), "lands", true); err != nil {
		t.Fatal(err)
	}
	for _, it := range r.sent() {
		if it.Via == "mail" && (!strings.Contains(it.Text, "SHA-256") || !strings.Contains(it.Text, "/m/")) {
			t.Errorf("%s:\n%s", it.To, it.Text)
		}
	}
	if got := r.sum("lands"); got != 3 {
		t.Errorf("the world has %d", got)
	}
	for i, want := range []string{"it has begun already", "it has begun already"} {
		_, err := r.Invite(t.Context(), "lands")
		if i == 1 {
			err = r.Start(t.Context(), "lands", true)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if out := r.say("anna@x.example", "lands@play.example", "ADD 1"); out.Input != 1 {
		t.Errorf("the first input is %d", out.Input)
	}
	if err := r.CheckLog(t.Context(), "lands"); err != nil {
		t.Error(err)
	}
}

func TestWhatAGameOpensWithIsKept(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "lands.toml")
	if err := os.WriteFile(filepath.Join(dir, "map.txt"), []byte("a map"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(formingGame, "sum = 3", "sum = -3\nmaps = [\"map.txt\", \"none.txt\", \"../secret\"]\n[[world.more]]\nname = \"map.txt\"\n[join]\nseats = 5", 1)
	f, err := ReadGameFile(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	kept, err := f.openingFiles()
	if err != nil || len(kept) != 2 || kept[1].name != "map.txt" || string(kept[1].data) != "a map" {
		t.Fatalf("%q, %v", kept, err)
	}
	want := strings.Repeat("\n", 14) + text[strings.Index(text, "[world]"):strings.Index(text, "[join]")]
	if got := strings.TrimRight(string(kept[0].data), "\n"); got != strings.TrimRight(want, "\n") {
		t.Errorf("%q\nwant %q", got, want)
	}

	r := newRig(t)
	r.gather(strings.Replace(formingGame, "sum = 3", "sum = -3", 1))
	if err := r.Start(t.Context(), "lands", true); err == nil || !strings.Contains(err.Error(), "lands.toml:16: world.sum: must not be below 0") {
		t.Errorf("%v", err)
	}
	if n := r.count(`SELECT COUNT(*) FROM opening WHERE CAST(data AS TEXT) LIKE '%sesame%' OR CAST(data AS TEXT) LIKE '%x.example%'`); n != 0 {
		t.Error("a secret is kept")
	}
	if n := r.count(`SELECT COUNT(*) FROM game WHERE started <> 0`) + r.count(`SELECT COUNT(*) FROM input`); n != 0 {
		t.Error("a start that failed left something behind")
	}

	// Its file can be mended.
	for text, want := range map[string]string{strings.Replace(formingGame, "toy", "muster", 1): `ruleset: the game is one of "toy"`, strings.Replace(formingGame, "sum = 3", "sum = 8", 1): ""} {
		f, err := ReadGameFile("new.toml", []byte(text))
		if err == nil {
			err = r.NewWorld(t.Context(), "lands", f)
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := r.Start(t.Context(), "lands", true); err != nil || r.sum("lands") != 8 {
		t.Errorf("with a new [world]: %v, %d", err, r.sum("lands"))
	}
	f, err = ReadGameFile("new.toml", []byte(formingGame))
	if err == nil {
		err = r.NewWorld(t.Context(), "lands", f)
	}
	if err == nil || !strings.Contains(err.Error(), "has begun already") {
		t.Errorf("after its beginning: %v", err)
	}
}
