package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"log/slog"

	"arroba/forum"
	"arroba/forum/testboard"
	"arroba/ingest"
	"arroba/turns"
)

// tavern is a test board, a config that reads a thread of it, and a game.
type tavern struct {
	*testboard.Board
	thread   int
	oleg, gm testboard.User
	bot      int
	config   *config
	folder   string
}

func newTavern(t *testing.T, game string) *tavern {
	t.Helper()
	v := &tavern{folder: t.TempDir()}
	v.Board = testboard.New(testboard.Skins()[0], time.Now)
	v.oleg = v.AddUser(testboard.User{Name: "Oleg"})
	v.gm = v.AddUser(testboard.User{Name: "Magistrate", Admin: true})
	v.bot = v.AddUser(testboard.User{Name: "Herald", Password: "secret"}).ID
	v.thread = v.AddThread("Heroes' Lands")
	server := httptest.NewServer(v.Board)
	t.Cleanup(server.Close)
	v.write(t, "arroba.toml", fmt.Sprintf(`operator = "op@example.org"
games = ["lands.toml"]
[[source]]
name = "in"
kind = "folder"
folder = "in"
address = "gm@example.org"
[[source]]
name = "tavern"
kind = "forum"
url = "%s/"
board = "phpbb"
[[sink]]
name = "out"
kind = "folder"
folder = "out"
from = "gm@example.org"
`, server.URL))
	v.write(t, "lands.toml", fmt.Sprintf(game, v.thread, v.oleg.ID))
	for _, f := range []string{"in", "out"} {
		if err := os.Mkdir(filepath.Join(v.folder, f), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if v.config, err = readConfig(filepath.Join(v.folder, "arroba.toml"), func(string) string { return "" }); err != nil {
		t.Fatal(err)
	}
	v.config.pause = time.Millisecond
	return v
}

func (v *tavern) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(v.folder, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

const tavernGame = `name = "lands"
ruleset = "heroeslands"
gm = { nick = "Magistrate", email = "magistrate@example.org" }
[[thread]]
source = "tavern"
thread = %d
[[member]]
nick = "Oleg"
email = "oleg@example.org"
forum = { board = "tavern", id = "%d" }
[[member]]
nick = "Boris"
email = "boris@example.org"
forum = "Boris"
[world]
lands = ["HL3"]
`

// open opens the daemon with the game begun.
func (v *tavern) open(t *testing.T) *daemon {
	t.Helper()
	d, err := v.config.open(t.Context(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.close() })
	f, err := readGame(filepath.Join(v.folder, "lands.toml"))
	if err == nil {
		err = v.config.checkThreads(f)
	}
	if err == nil {
		err = d.engine.Create(t.Context(), f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestTheDaemonReadsThreads(t *testing.T) {
	v := newTavern(t, tavernGame)
	d := v.open(t)
	once := func() []ingest.Row {
		t.Helper()
		if err := d.once(t.Context()); err != nil {
			t.Fatal(err)
		}
		list, err := ingest.List(t.Context(), d.db.Read(), "", "", 100)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	v.Add(testboard.Post{Thread: v.thread, Author: v.oleg.ID, Text: "STATUS", Posted: time.Now().Add(time.Second)})
	v.Add(testboard.Post{Thread: v.thread, Text: "STATUS", Posted: time.Now().Add(2 * time.Second)})
	rows := once()
	if len(rows) != 2 || len(once()) != 2 {
		t.Fatalf("%d letters: %+v", len(rows), rows)
	}
	for _, r := range rows {
		if r.Via != "post" || r.Game != "lands" || r.Source != "tavern/1" || (r.Seat == "Oleg") != (r.Sender == "Oleg") {
			t.Errorf("%+v", r)
		}
	}
	found := false
	for _, s := range d.health() {
		found = found || s.Name == "tavern/1" && s.Read != nil && s.Until != nil
	}
	if !found {
		t.Errorf("the health is %+v", d.health())
	}
	rec := httptest.NewRecorder()
	d.metrics().ServeHTTP(rec, httptest.NewRequest("GET", "/metrics", nil))
	if !strings.Contains(rec.Body.String(), `arroba_source_up{source="tavern/1"} 1`) {
		t.Error("the metrics do not list the thread")
	}
	for _, a := range v.Log() {
		if !regexp.MustCompile(`^Arroba/\S+ \(\+mailto:op@example.org\)$`).MatchString(a.Agent) {
			t.Errorf("we called ourselves %q", a.Agent)
		}
	}
}

func TestCheckShowsWhatIsUnderstoodOfThreads(t *testing.T) {
	t.Parallel() // it waits, as boards like it
	v := newTavern(t, "forum_names = true\n"+tavernGame)
	v.Post(v.thread, v.oleg.ID, "CHALLENGE Boris")
	v.Post(v.thread, v.gm.ID, "So be it.")
	v.Post(v.thread, 0, "Who are you?")
	var out bytes.Buffer
	k := &checker{out: &out}
	k.everything(t.Context(), v.config)
	want := func(patterns ...string) {
		t.Helper()
		for _, p := range patterns {
			if !regexp.MustCompile(p).MatchString(out.String()) {
				t.Errorf("nothing says %s:\n%s", p, &out)
			}
		}
	}
	if k.faults > 0 {
		t.Errorf("%d faults", k.faults)
	}
	want(`ok +source tavern +http://\S+, a board of the kind phpbb, is read as a guest every 10m`,
		`ok +thread tavern/1 +"Heroes' Lands" on phpbb \(prosilver.*\): looked at page 1, posts: 3 of 3`,
		`note +thread tavern/1 +posts from .* to .*, shown to the second; times without a zone are taken for UTC`,
		`Oleg is Oleg, by his id 2 \(posts: 1\)`, `Magistrate is nobody known \(posts: 1\); if he is a member: forum = \{ board = "tavern", id = "3" \}`,
		`Guest is nobody known, and the board shows no id of his`, `forum_names lets whoever has a member's name`,
		`Magistrate has no account on a board, so none of his posts is a GM's`)

	v.write(t, "herald", "secret")
	v.Post(v.thread, v.bot, "The game is open.")
	v.config.Sinks = append(v.config.Sinks, sinkConfig{Name: "herald", Kind: kindForum, Source: "tavern", Login: Login{User: "Herald", PasswordFile: "herald"}})
	out.Reset()
	k.everything(t.Context(), v.config)
	want(`Herald is the account that Arroba posts from \(posts: 1\)`)

	v.Fail(testboard.Closed)
	out.Reset()
	k.everything(t.Context(), v.config)
	want(`FAULT +thread tavern/1 .*currently closed.*check the url`)
	if k.faults != 1 {
		t.Errorf("%d faults", k.faults)
	}
}

// TestCheckLooksAtAThreadsEnds: its first pages and its last, where that can be found, and it says what it has seen.
func TestCheckLooksAtAThreadsEnds(t *testing.T) {
	for _, skin := range testboard.Skins() {
		t.Run(skin.Name, func(t *testing.T) {
			now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
			b := testboard.New(skin, func() time.Time { return now })
			b.Size = 3
			oleg, thread := b.AddUser(testboard.User{Name: "Oleg"}), b.AddThread("Heroes' Lands")
			newest := 0
			for range 17 {
				now = now.Add(2 * time.Hour)
				newest = b.Post(thread, oleg.ID, "Hello again.")
			}
			server := httptest.NewServer(b)
			defer server.Close()
			at, err := url.Parse(server.URL + "/")
			if err != nil {
				t.Fatal(err)
			}
			client := &forum.Client{HTTP: server.Client(), Pause: time.Microsecond, Now: func() time.Time { return now }, Sleep: func(context.Context, time.Duration) error { return nil }}
			board := &forum.Board{Name: "tavern", Address: at, Client: client, View: forum.View{Board: skin.Family}}
			for _, known := range []string{"", fmt.Sprint(newest)} {
				s, err := look(t.Context(), board, fmt.Sprint(thread), known)
				if err != nil {
					t.Fatal(err)
				}
				text, end := s.count(), s.posts[fmt.Sprint(newest)]
				if len(s.posts) < 6 || !strings.HasPrefix(text, "looked at page 1") || end == strings.Contains(text, "there are more behind them") {
					t.Errorf("known %q: the last is seen: %v; %s", known, end, text)
				}
				if known != "" && board.From(fmt.Sprint(thread), known) != "" && !end {
					t.Errorf("known %q: the last page was not looked at: %s", known, text)
				}
			}
		})
	}
}

func TestForumNotes(t *testing.T) {
	v := newTavern(t, tavernGame)
	v.config.Sinks = append(v.config.Sinks, sinkConfig{Name: "herald", Kind: kindForum, Source: "tavern", UserID: "9", Login: Login{User: "Herald"}})
	for _, c := range []struct{ game, want string }{
		{strings.Replace(tavernGame, `source = "tavern"`, `source = "market"`, 1), `the thread market/1 is of no board in .*arroba.toml`},
		{tavernGame, `Boris has the forum name "Boris", which proves nothing on a board`},
		{strings.Replace(tavernGame, `board = "tavern"`, `board = "market"`, 1), `Oleg has an account on market, and no \[\[source\]\]`},
		{strings.Replace(tavernGame, `email = "magistrate@example.org"`, `email = "magistrate@example.org", forum = { board = "tavern", id = "9" }`, 1), `Magistrate has the account that Arroba posts from on tavern`},
	} {
		text := fmt.Sprintf(c.game, v.thread, v.oleg.ID)
		f, err := turns.ReadGameFile("lands.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(v.config.forumNotes(f), "\n"); !regexp.MustCompile(c.want).MatchString(notes) {
			t.Errorf("nothing says %s:\n%s", c.want, notes)
		}
	}
}

// TestTheTavernIsPosted: what the Tavern may know stands in the thread once, from an account of its own whose posts are no
// letters.
func TestTheTavernIsPosted(t *testing.T) {
	t.Parallel() // it waits, as boards like it
	v := newTavern(t, strings.Replace(tavernGame, "[[thread]]", "[tavern]", 1))
	v.write(t, "secret", "secret\n")
	v.config.Sinks = append(v.config.Sinks, sinkConfig{Name: "herald", Kind: kindForum, Source: "tavern", Login: Login{User: "Herald", PasswordFile: "secret"}})
	v.Post(v.thread, v.gm.ID, "Here we play.")
	var out bytes.Buffer
	k := &checker{out: &out}
	if k.everything(t.Context(), v.config); !strings.Contains(out.String(), "logged in to tavern as Herald") {
		t.Errorf("check says:\n%s", &out)
	}
	if n := len(v.Posts(v.thread)); n != 1 {
		t.Fatalf("check has posted: %d posts", n)
	}
	d := v.open(t)
	for range 3 {
		if err := d.once(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	posts := v.Posts(v.thread)
	if len(posts) != 2 || posts[1].Author != v.bot || !strings.Contains(posts[1].Text, "lands-0-") {
		t.Errorf("%d posts: %+v", len(posts), posts)
	}
	rows, err := ingest.List(t.Context(), d.db.Read(), "", "", 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Sender == "Herald" && (r.Status != ingest.Done || r.Seat != "") {
			t.Errorf("our own post is %+v", r)
		}
	}
}

func TestCheckSaysOfABoardWithoutIDsThatNamesCount(t *testing.T) {
	c := &config{Sources: []sourceConfig{{Name: "bgg", Kind: kindForum, Board: "boardgamegeek"}}}
	for names, want := range map[string][]string{
		"":                     {"bgg shows no ids of its users: no post there counts unless the game says forum_names = true", "Magistrate has no account on a board, so none of his posts is a GM's; rule by mail"},
		"forum_names = true\n": {"Magistrate has no account on a board, so none of his posts is a GM's; rule by mail"},
	} {
		f, err := turns.ReadGameFile("lands.toml", []byte(names+strings.ReplaceAll(fmt.Sprintf(tavernGame, 42, 7), `"tavern"`, `"bgg"`)))
		if err != nil {
			t.Fatal(err)
		}
		got := c.forumNotes(f)
		if len(got) != len(want) {
			t.Fatalf("%q: %q", names, got)
		}
		for i := range want {
			if !strings.HasPrefix(got[i], want[i]) {
				t.Errorf("%q: %q, want %q", names, got[i], want[i])
			}
		}
	}
}
