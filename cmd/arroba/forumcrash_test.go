package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"modernc.org/sqlite"
	"pgregory.net/rapid"

	"arroba/forum/testboard"
	"arroba/ingest"
	"arroba/outbox"
	"arroba/rules/all"
)

// tb is what a test fails by.
type tb interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// square is a board with a thread in which a game is played, and the daemon that reads there and posts. The daemon can be
// cut off before any step that shows outside of it, as a request, a commit or a mail: whatever it does from then on has no
// effect, and it is thrown away. Nothing here sleeps: pauses move the clock on.
type square struct {
	tb
	*testboard.Board
	folder          string
	config          *config
	daemon          *daemon
	ada, bo, herald testboard.User
	thread          int
	mails           []outbox.Item // that went out
	kill            int           // before which step of this daemon, counted from 1; 0 for never
	kills           int           // that came about
	lossy           bool          // announcements may be missing that the GM is told of
	between         func()        // what happens between two passes; may be nil

	mu    sync.Mutex
	now   time.Time
	steps []string // of this daemon
	dead  bool
	cut   context.CancelFunc
}

// venue is a board that is posted to, and how.
type venue struct {
	name string
	skin string
	key  bool // by the key of an API
}

var venues = []venue{
	{"phpbb33", "phpbb33", false}, {"smf21", "smf21", false}, {"mybb18", "mybb18", false}, {"fluxbb15", "fluxbb15", false},
	{"xenforo2 by form", "xenforo2", false}, {"xenforo2 by key", "xenforo2", true}, {"discourse", "discourse", true}, {"flarum", "flarum", true},
}

var crashNoon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const duelGame = `name = "lands"
ruleset = "heroeslands"
gm = { nick = "Mag", email = "gm@lands.example" }
[tavern]
source = "tavern"
thread = 1
[[member]]
nick = "Ada"
email = "ada@example.org"
forum = { board = "tavern", id = "2" }
[[member]]
nick = "Bo"
email = "bo@example.org"
forum = { board = "tavern", id = "3" }
[world]
lands = ["HL3"]
[world.inhabitants.Ada]
gold = 1000
feuds = { HL3 = 5 }
[world.inhabitants.Bo]
feuds = { HL3 = 3 }
`

// newSquare lays out a board and a config in an empty folder. The database is one that begun made, or a new one.
func newSquare(t tb, folder string, v venue, database []byte) *square {
	t.Helper()
	s := &square{tb: t, folder: folder, now: crashNoon}
	skin := testboard.SkinNamed(v.skin)
	s.Board = testboard.New(skin, s.clock)
	s.ada = s.AddUser(testboard.User{Name: "Ada"})
	s.bo = s.AddUser(testboard.User{Name: "Bo"})
	s.herald = s.AddUser(testboard.User{Name: "Herald", Password: "tabard", Key: "key-1"})
	s.thread = s.AddThread("Lands")
	s.Post(s.thread, s.bo.ID, "We meet here.")
	secret, login := "tabard", `password_file = "secret"`
	if v.key {
		secret, login = "key-1", `key_file = "secret"`
	}
	s.write("secret", secret)
	s.write("arroba.toml", fmt.Sprintf(`operator = "op@example.org"
[[source]]
name = "in"
kind = "folder"
folder = "in"
address = "mag@lands.example"
[[source]]
name = "tavern"
kind = "forum"
url = "https://board.example/"
board = "%s"
[[sink]]
name = "out"
kind = "folder"
folder = "out"
from = "mag@lands.example"
[[sink]]
name = "herald"
kind = "forum"
source = "tavern"
user = "Herald"
user_id = "%d"
%s
`, skin.Family, s.herald.ID, login))
	if database != nil {
		s.write("arroba.db", string(database))
	}
	var err error
	if s.config, err = readConfig(filepath.Join(folder, "arroba.toml"), nothing); err != nil {
		t.Fatalf("%v", err)
	}
	return s
}

func (s *square) write(name, text string) {
	s.Helper()
	if err := os.WriteFile(filepath.Join(s.folder, name), []byte(text), 0o600); err != nil {
		s.Fatalf("%v", err)
	}
}

// begun is the database of a game that was opened at an instant: what it announces is not sent yet.
func begun(t *testing.T, game string, at time.Time) []byte {
	t.Helper()
	s := newSquare(t, t.TempDir(), venues[0], nil)
	s.now = at
	s.write("lands.toml", game)
	s.open()
	f, err := readGame(filepath.Join(s.folder, "lands.toml"))
	if err == nil {
		err = s.daemon.engine.Create(t.Context(), f)
	}
	if err = errors.Join(err, s.daemon.close()); err != nil {
		t.Fatal(err)
	}
	database, err := os.ReadFile(s.config.path(s.config.Database))
	if err != nil {
		t.Fatal(err)
	}
	return database
}

func (s *square) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *square) later(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

// step tells whether the daemon lives to do the next thing that shows outside of it.
func (s *square) step(what string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.dead {
		s.steps = append(s.steps, what)
		s.dead = s.kill == len(s.steps)
	}
	if s.dead && s.cut != nil {
		s.cut()
	}
	return !s.dead
}

var errKilled = errors.New("the daemon was killed")

// committing holds the squares whose databases are open, by path: their commits are steps.
var committing = struct {
	sync.Mutex
	once sync.Once
	by   map[string]*square
}{by: map[string]*square{}}

// watchCommits makes the commits to the square's database steps, as long as it is open.
func (s *square) watchCommits(path string) {
	committing.once.Do(func() {
		sqlite.RegisterConnectionHook(func(c sqlite.ExecQuerierContext, source string) error {
			committing.Lock()
			defer committing.Unlock()
			for path, s := range committing.by {
				if strings.Contains(source, path) && !strings.Contains(source, "query_only") {
					c.(sqlite.HookRegisterer).RegisterCommitHook(func() int32 {
						if s.step("commit") {
							return 0
						}
						return 1 // it is rolled back
					})
				}
			}
			return nil
		})
	})
	committing.Lock()
	defer committing.Unlock()
	committing.by[path] = s
}

// open starts a daemon as the config wants it, with the clock, the wire and the post office of the square.
func (s *square) open() {
	s.Helper()
	s.steps, s.dead, s.cut = nil, false, nil
	s.watchCommits(s.config.path(s.config.Database))
	d, err := s.config.open(context.Background(), slog.New(slog.DiscardHandler))
	if err != nil {
		s.Fatalf("%v", err)
	}
	d.now, d.engine.Now, d.engine.Steady, d.sender.Now, d.client.Now = s.clock, s.clock, nil, s.clock, s.clock
	d.client.HTTP.Transport, d.client.Sleep = s, func(ctx context.Context, pause time.Duration) error {
		s.later(pause)
		return ctx.Err()
	}
	d.readers[0].Source = silent{s}
	d.sender.Workers = 1
	route := d.sender.Route
	d.sender.Route = func(it outbox.Item) (outbox.Sink, error) {
		if it.Via == "mail" {
			return office{s}, nil
		}
		return route(it)
	}
	s.daemon = d
}

// silent is a mailbox to which nobody writes.
type silent struct{ *square }

func (s silent) Poll(context.Context, ingest.Cursor) (ingest.Batch, error) {
	return ingest.Batch{Next: "x", Until: s.clock()}, nil
}

// office takes mail.
type office struct{ *square }

func (o office) Send(_ context.Context, it outbox.Item) (string, error) {
	if !o.step("mail to " + it.To) {
		return "", errKilled
	}
	o.mails = append(o.mails, it)
	return "taken", nil
}

// RoundTrip is the wire to the board.
func (s *square) RoundTrip(r *http.Request) (*http.Response, error) {
	if !s.step(r.Method + " " + r.URL.RequestURI()) {
		return nil, errKilled
	}
	asked := r.Clone(r.Context())
	asked.RequestURI, asked.Host = r.URL.RequestURI(), r.URL.Host
	answer := httptest.NewRecorder()
	if s.serve(answer, asked) {
		return answer.Result(), nil
	}
	if answer.Body.Len() == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	broken := answer.Result()
	broken.Body = io.NopCloser(io.MultiReader(broken.Body, failing{}))
	return broken, nil
}

// serve tells whether the board has answered to the end.
func (s *square) serve(w http.ResponseWriter, r *http.Request) (ended bool) {
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			panic(p)
		}
	}()
	s.Board.ServeHTTP(w, r)
	return true
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// pass lets the daemon do one pass; a killed one is thrown away. It tells whether it got through.
func (s *square) pass() (through bool) {
	s.Helper()
	if s.daemon == nil {
		s.open()
	}
	ctx, cut := context.WithCancel(context.Background())
	defer cut()
	s.mu.Lock()
	s.cut = cut
	s.mu.Unlock()
	err := s.daemon.once(ctx)
	s.mu.Lock()
	dead := s.dead
	s.mu.Unlock()
	if dead {
		s.kills++
		s.shut()
		return false
	}
	return err == nil
}

// shut throws the daemon away.
func (s *square) shut() {
	if s.daemon != nil {
		_ = s.daemon.close() // whatever it says: it is dead
		s.daemon, s.kill = nil, 0
	}
}

const mostPasses = 300

// settle lets daemons go on until nothing is to be done any more.
func (s *square) settle() {
	s.Helper()
	for quiet, n := 0, 0; quiet < 2; n++ {
		if n == mostPasses {
			s.Fatalf("it does not come to rest:\n%s", s.items("state = 'due'"))
		}
		s.later(20 * time.Minute)
		if s.between != nil {
			s.between()
		}
		// A thread or a poster that rests, for up to a day after each guard, has more to do.
		if s.pass() && s.items("state = 'due'") == "" && s.rows(`SELECT what FROM trouble`) == "" {
			quiet++
		} else {
			quiet = 0
		}
	}
}

// rows are the rows of a query, a line each.
func (s *square) rows(query string, args ...any) string {
	s.Helper()
	rows, err := s.daemon.db.Read().Query(query, args...)
	if err != nil {
		s.Fatalf("%v", err)
	}
	defer rows.Close()
	var b strings.Builder
	for rows.Next() {
		var line sql.NullString
		if err := rows.Scan(&line); err != nil {
			s.Fatalf("%v", err)
		}
		b.WriteString(line.String + "\n")
	}
	return b.String()
}

func (s *square) items(where string) string {
	return s.rows(`SELECT state || ' ' || kind || ' to ' || recipient || ': ' || subject || ' ' || error FROM outbox WHERE via <> 'post' AND ` + where + ` ORDER BY seq`)
}

var markers = regexp.MustCompile(`\blands-\d+-[0-9a-z]{6}(-\d+)?`)

// account says what came of it all: what was logged, what was queued, and what stands in the thread, in words that know no
// ids. It fails where a promise is broken.
func (s *square) account() string {
	s.Helper()
	var b strings.Builder
	b.WriteString(s.rows(`SELECT kind || ' of ' || seat || ': ' || body || ' ' || events FROM input ORDER BY n`))
	b.WriteString(s.items(`kind <> 'alarm' AND subject NOT LIKE '%the thread%'`))
	b.WriteString(strings.Join(s.announced(), "\n---\n"))
	s.onceEach()
	return instants.ReplaceAllString(b.String(), "")
}

// letters is what became of the posts of others than ourselves.
func (s *square) letters() string {
	return s.rows(`SELECT sender || ' ' || status || ': ' || note FROM inbox WHERE sender <> 'Herald' ORDER BY message_id, taken, ukey`)
}

// instants are those that depend on when a daemon came to something.
var instants = regexp.MustCompile(`,?"(now|seen|taken)":"[^"]*"`)

// announced is what the herald has posted, part by part where the board made one post of several, without markers.
func (s *square) announced() (list []string) {
	for _, p := range s.Posts(s.thread) {
		if p.Author == s.herald.ID {
			for _, part := range strings.Split(p.Text, "\n[hr]\n") {
				list = append(list, markers.ReplaceAllString(part, "<marker>"))
			}
		}
	}
	return list
}

// onceEach holds that every announcement stands in the thread once, that no mail went out with another Message-ID than its
// own, and that none is missing.
func (s *square) onceEach() {
	s.Helper()
	items, err := outbox.Since(context.Background(), s.daemon.db.Read(), 0)
	if err != nil {
		s.Fatalf("%v", err)
	}
	stand := map[string]int{}
	for _, p := range s.Posts(s.thread) {
		if p.Author == s.herald.ID && !p.Deleted {
			for _, m := range markers.FindAllString(p.Text, -1) {
				stand[m]++
			}
		}
	}
	sent, told := map[string]int{}, ""
	for _, m := range s.mails {
		sent[m.MessageID]++
		if m.To == "gm@lands.example" {
			told += m.Text
		}
	}
	for _, it := range items {
		switch {
		case it.Via == "forum" && s.lossy && it.State == outbox.Failed && stand[it.Marker] == 0 && strings.Contains(told, it.Marker):
		case it.Via == "forum" && (stand[it.Marker] != 1 || it.State != outbox.Sent):
			s.Errorf("%s (%s) stands %d times in the thread", it.Marker, it.State, stand[it.Marker])
		case it.Via == "mail" && sent[it.MessageID] == 0:
			s.Errorf("the %s to %s (%s) did not go out", it.Kind, it.To, it.State)
		case it.Via == "mail" && sent[it.MessageID] > 1+s.kills:
			s.Errorf("the %s to %s went out %d times", it.Kind, it.To, sent[it.MessageID])
		}
		delete(stand, it.Marker)
		delete(sent, it.MessageID)
	}
	if len(stand)+len(sent) > 0 {
		s.Errorf("of nobody's making: %v, %v", stand, sent)
	}
	if n := s.rows(`SELECT inbox || ' ' || COUNT(*) FROM input WHERE kind = 'letter' GROUP BY inbox HAVING COUNT(*) > 1`); n != "" {
		s.Errorf("obeyed more than once: %s", n)
	}
}

// every tells how many steps lie between two kills: fewer beside the real servers, and all are tried with ARROBA_LONG=1.
func every(n int) int {
	switch {
	case os.Getenv("ARROBA_LONG") == "1":
		return 1
	case os.Getenv("ARROBA_REAL") == "1":
		return max(n/6, 1)
	}
	return n
}

// differs is the first line in which two accounts differ, with those around it.
func differs(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d is\n%s\nwant\n%s", i, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d:\n%s\nwant\n%s", len(g), len(w), got, want)
}

// TestF36KilledAnywhereFromPostToReply: a player writes an order in the thread, it is ruled on, he has his receipt, and the
// thread the announcement; wherever between the daemon is killed, once.
func TestF36KilledAnywhereFromPostToReply(t *testing.T) {
	database := begun(t, duelGame, crashNoon)
	for i, v := range venues {
		t.Run(v.name, func(t *testing.T) {
			play := func(kill int) (account string, steps []string) {
				s := newSquare(t, t.TempDir(), v, database)
				defer s.shut()
				s.later(time.Minute)
				s.Post(s.thread, s.ada.ID, "CHALLENGE Bo\nSTATUS")
				s.later(time.Minute)
				s.kill = kill
				s.pass()
				steps = s.steps
				s.settle()
				return s.account() + s.letters(), steps
			}
			want, steps := play(0)
			if n := len(regexp.MustCompile(`<marker>`).FindAllString(want, -1)); n != 2 || !strings.Contains(want, "receipt to ada") {
				t.Fatalf("%d announcements:\n%s", n, want)
			}
			for n := 1; n <= len(steps); n++ {
				if n%every(12) != i%every(12) && !(n > 1 && strings.HasPrefix(steps[n-2], "POST")) {
					continue
				}
				if got, _ := play(n); got != want {
					t.Errorf("killed before step %d, %s: %s", n, steps[n-1], differs(got, want))
				}
			}
		})
	}
}

// TestF36KilledAgainAndAgain: each daemon gets a step further than the one before, as far as it, or less far.
func TestF36KilledAgainAndAgain(t *testing.T) {
	database := begun(t, duelGame, crashNoon)
	play := func(t *testing.T, v venue, kills []int) string {
		s := newSquare(t, t.TempDir(), v, database)
		defer s.shut()
		s.Post(s.thread, s.ada.ID, "CHALLENGE Bo\nSTATUS")
		for _, n := range kills {
			s.later(7 * time.Minute)
			s.kill = n
			s.pass()
		}
		if s.settle(); kills != nil && s.kills < 3 {
			t.Errorf("killed %d times", s.kills)
		}
		return s.account() + s.letters()
	}
	var further, less []int
	for n := range 40 {
		further, less = append(further, n+1), append(less, 40-n)
	}
	for i, v := range venues {
		t.Run(v.name, func(t *testing.T) {
			want := play(t, v, nil)
			for n, kills := range [][]int{further, slices.Repeat([]int{5, 14}, 8), less} {
				if n%every(3) != i%every(3) {
					continue
				}
				if got := play(t, v, kills); got != want {
					t.Errorf("killed at %v: %s", kills, differs(got, want))
				}
			}
		})
	}
}

// trouble is what a board, or somebody on it, does meanwhile.
type trouble struct {
	name string
	do   func(s *square)
	lost bool // an announcement may fail to appear, if the GM is told
}

// nth is a fault that meets the n-th request, counted from 1, of those it could meet.
func nth(n int, f testboard.Fault, meets func(r *http.Request) bool) testboard.Fault {
	return f.Times(1).On(func(r *http.Request) bool {
		if meets(r) {
			n--
		}
		return n == 0 && meets(r)
	})
}

// replying tells a reply from a log-in.
func replying(r *http.Request) bool {
	return testboard.Posting(r) && !strings.Contains(r.URL.RequestURI(), "login") && !strings.Contains(r.URL.Path, "member.php")
}

var serverError = testboard.Fault{Change: func(x *testboard.Exchange) {
	x.Status = http.StatusBadGateway
	x.Header.Del("Location")
	x.Body.Reset()
}}

func slow(s *square) testboard.Fault { return testboard.Slow(func() { s.later(3 * time.Hour) }) }

var troubles = []trouble{
	{"F36 answers to replies are lost", func(s *square) { s.Fail(testboard.CutAfter.Times(3).On(replying)) }, false},
	{"F36 replies are lost", func(s *square) { s.Fail(testboard.CutBefore.Times(3).On(replying)) }, false},
	{"F36 an answer breaks off", func(s *square) { s.Fail(nth(2, testboard.CutAnswer, replying)) }, false},
	{"F36 server error after the reply was stored", func(s *square) { s.Fail(serverError.Times(2).On(replying)) }, false},
	{"server errors", func(s *square) { s.Fail(testboard.Status(500).Times(4)) }, false},
	{"busy", func(s *square) { s.Fail(testboard.TooMany("300").Times(2)) }, false},
	{"guards", func(s *square) { s.Fail(testboard.Challenge.Times(2)) }, false},
	{"closed", func(s *square) { s.Fail(testboard.Closed.Times(3)) }, false},
	{"F38 flood", func(s *square) { s.Flood = 3 * time.Minute }, false},
	{"F37 session lost before the first reply", func(s *square) { s.Fail(nth(1, testboard.Slow(s.LogOut), testboard.Posting)) }, false},
	{"F37 session lost before the second reply", func(s *square) { s.Fail(nth(1, testboard.Slow(s.LogOut), replying)) }, false},
	{"F37 log-in takes hours", func(s *square) { s.Fail(nth(1, slow(s), testboard.Posting)) }, false},
	{"F37 form takes hours", func(s *square) { s.Fail(nth(4, slow(s), testboard.Reading)) }, false},
	{"F37 a later form takes hours", func(s *square) { s.Fail(nth(5, slow(s), testboard.Reading)) }, false},
	{"somebody else is faster", func(s *square) {
		s.Fail(nth(4, testboard.Slow(func() { s.Post(s.thread, s.bo.ID, "Me first.") }), testboard.Reading))
	}, false},
	{"F16 a post on the first page goes while the others are read", func(s *square) {
		s.Size = 3
		s.Fail(nth(2, testboard.Slow(func() { s.Delete(1) }), testboard.Reading))
	}, false},
	{"F38 posts wait for a moderator", func(s *square) {
		s.Moderate, s.config.Sinks[1].Moderated = true, true
		s.between = s.approve
	}, true},
}

func (s *square) approve() {
	for _, p := range s.Posts(s.thread) {
		if p.Waiting {
			s.Approve(p.ID)
		}
	}
}

// TestF36F37F38KilledOnABoardInTrouble: the same on a board that does not do as it should meanwhile, without a kill and with one.
func TestF36F37F38KilledOnABoardInTrouble(t *testing.T) {
	database := begun(t, duelGame, crashNoon)
	for i, v := range venues {
		t.Run(v.name, func(t *testing.T) {
			play := func(tr trouble, kill int) string {
				s := newSquare(t, t.TempDir(), v, database)
				defer s.shut()
				for n := range 6 {
					s.Post(s.thread, s.bo.ID, fmt.Sprintf("Hello, for the %d. time.", n+1))
				}
				s.lossy = tr.lost
				tr.do(s)
				s.later(time.Minute)
				s.Post(s.thread, s.ada.ID, "CHALLENGE Bo\nSTATUS")
				s.later(time.Minute)
				s.kill = kill
				s.pass()
				s.settle()
				return s.account()
			}
			want := play(trouble{do: func(*square) {}}, 0)
			for j, tr := range troubles {
				if (i+j)%every(6) != 0 {
					continue
				}
				t.Run(tr.name, func(t *testing.T) {
					for n := range 50 {
						if n != (7*i+5*j)%50 && every(50) > 1 {
							continue
						}
						if got := play(tr, n); got != want && !tr.lost {
							t.Errorf("killed before step %d: %s", n, differs(got, want))
						}
					}
				})
			}
		})
	}
}

const musterGame = `name = "lands"
ruleset = "muster"
gm = { nick = "Mag", email = "gm@lands.example" }
[tavern]
source = "tavern"
thread = 1
[[member]]
nick = "Ada"
email = "ada@example.org"
forum = { board = "tavern", id = "2" }
[[member]]
nick = "Bo"
email = "bo@example.org"
forum = { board = "tavern", id = "3" }
[world]
rounds = 9
places = [{ name = "Ford", worth = 3 }, { name = "Mill", worth = 2 }]
[calendar]
at = "20:00"
least = "6h"
`

// deed is something that somebody does in the thread, and the steps before which daemons are killed after it.
type deed struct {
	what  string // "post", "edit", "delete", "restore", or "night" when a deadline passes
	bo    bool
	which int // of the posts that there are
	text  string
	kills []int
}

func drawDeed(t *rapid.T) deed {
	return deed{
		what:  rapid.SampledFrom([]string{"post", "post", "post", "edit", "edit", "delete", "restore", "night"}).Draw(t, "what"),
		bo:    rapid.Bool().Draw(t, "bo"),
		which: rapid.IntRange(0, 9).Draw(t, "which"),
		text:  rapid.SampledFrom([]string{"SEND 5 TO Ford", "SEND 4 TO Mill\nSEND 3 TO Ford", "SPY ON Mill", "WATCHWORD oak", "SEND 50 TO Ford", "Hello.", "SEND 2 TO Mil"}).Draw(t, "text"),
		kills: rapid.SliceOfN(rapid.IntRange(1, 30), 0, 3).Draw(t, "kills"),
	}
}

// live lets deeds be done, an hour apart, with the daemon reading after each.
func (s *square) live(deeds []deed, killed bool) {
	at := s.clock()
	for _, d := range deeds {
		at = at.Add(time.Hour)
		if d.what == "night" {
			at = time.Date(at.Year(), at.Month(), at.Day()+1, 10, 0, 0, 0, time.UTC)
		}
		for at.Hour() > 17 && at.Hour() < 22 { // nothing is done near a deadline
			at = at.Add(time.Hour)
		}
		s.later(at.Sub(s.clock()))
		s.pass()
		s.later(10 * time.Minute)
		s.do(d)
		for _, n := range d.kills {
			if s.later(time.Minute); killed {
				s.kill = n
			}
			s.pass()
			s.kill = 0
		}
		for range 2 {
			s.later(time.Minute)
			s.pass()
		}
		if took := s.clock().Sub(at); took > 50*time.Minute {
			s.Fatalf("an hour is too short: %s", took)
		}
	}
	s.later(at.Add(time.Hour).Sub(s.clock()))
	s.settle()
}

func (s *square) do(d deed) {
	user := s.ada.ID
	if d.bo {
		user = s.bo.ID
	}
	var own []testboard.Post
	for _, p := range s.Posts(s.thread) {
		if p.Author == user {
			own = append(own, p)
		}
	}
	switch {
	case d.what == "post" || len(own) == 0:
		s.Post(s.thread, user, d.text)
	case d.what == "edit":
		s.Edit(own[d.which%len(own)].ID, user, d.text, "")
	case d.what == "delete":
		s.Delete(own[d.which%len(own)].ID)
	case d.what == "restore":
		s.Restore(own[d.which%len(own)].ID)
	}
}

// TestF9F17F36KillsChangeNothing: whatever members do in the thread, and wherever daemons are killed meanwhile, the log and
// the thread are in the end what they are without kills.
func TestF9F17F36KillsChangeNothing(t *testing.T) {
	known := all.Rulesets
	all.Rulesets = playable()
	t.Cleanup(func() { all.Rulesets = known })
	database := begun(t, musterGame, crashNoon)
	fewer(t, 10)
	rapid.Check(t, func(rt *rapid.T) {
		v := rapid.SampledFrom(venues).Draw(rt, "board")
		size := rapid.SampledFrom([]int{0, 3}).Draw(rt, "posts on a page")
		deeds := rapid.SliceOfN(rapid.Custom(drawDeed), 1, 8).Draw(rt, "deeds")
		live := func(killed bool) string {
			folder, err := os.MkdirTemp(t.TempDir(), "")
			if err != nil {
				rt.Fatalf("%v", err)
			}
			s := newSquare(rt, folder, v, database)
			defer s.shut()
			s.Size = size
			s.live(deeds, killed)
			return hours.ReplaceAllString(s.account()+s.letters(), "$1")
		}
		if want, got := live(false), live(true); got != want {
			rt.Errorf("%s", differs(got, want))
		}
	})
}

// hours are what is alike of instants with kills and without.
var hours = regexp.MustCompile(`(20\d\d-\d\d-\d\dT\d\d):\d\d:\d\d(\.\d+)?Z`)

// fewer lets rapid check less often than it does by itself, unless the long way is asked for.
func fewer(t *testing.T, checks int) {
	f := flag.Lookup("rapid.checks")
	before := f.Value.String()
	if every(2) > 1 {
		_ = f.Value.Set(fmt.Sprint(checks))
		t.Cleanup(func() { _ = f.Value.Set(before) })
	}
}

// passOnce does one pass of the daemon of arroba.toml, in a process of its own that the board kills. It waits for nothing.
func passOnce() error {
	ctx := context.Background()
	d, err := openDaemon(ctx, "arroba.toml")
	if err != nil {
		return err
	}
	defer d.close()
	d.client.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return d.once(ctx)
}

// TestF36ProcessKilledAtAnyRequest: a program of its own with a config of boards is killed by the system before the board
// has seen a request, or when it has done what was asked.
func TestF36ProcessKilledAtAnyRequest(t *testing.T) {
	began := time.Now().Add(-time.Hour)
	database := begun(t, duelGame, began)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range venues {
		if i%every(4) != 3 && every(4) > 1 { // FluxBB guards nothing, Flarum has an API
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			for n, more := 1, true; more; n += every(4) {
				more = (&victim{square: newSquare(t, t.TempDir(), v, database), self: self, at: n, heard: n%2 == 0}).play(t, began)
			}
		})
	}
}

// victim is a square whose board kills the process that asks.
type victim struct {
	*square
	self    string
	at      int // at which request
	heard   bool
	mu      sync.Mutex
	asked   int
	process *os.Process
	gone    chan struct{} // closed when it is
}

// play tells whether it came to the kill.
func (v *victim) play(t *testing.T, began time.Time) (killed bool) {
	defer v.shut()
	v.square.now = began.Add(20 * time.Minute)
	v.Post(v.thread, v.ada.ID, "CHALLENGE Bo\nSTATUS")
	v.Before = func(*http.Request) { v.later(3 * time.Second) }
	fault := testboard.Fault{Meets: v.meets, Instead: v.strike}
	if v.heard {
		fault.Instead, fault.Change = nil, v.strike
	}
	v.Fail(fault)
	server := httptest.NewServer(v.Board)
	defer server.Close()
	text, err := os.ReadFile(filepath.Join(v.folder, "arroba.toml"))
	if err != nil {
		t.Fatal(err)
	}
	v.write("arroba.toml", strings.Replace(string(text), "https://board.example", server.URL, 1))
	for _, f := range []string{"in", "out"} {
		if err := os.Mkdir(filepath.Join(v.folder, f), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for run := range 9 {
		ended := v.run(t)
		killed = killed || !ended
		if !v.again() && ended && run > 0 {
			break
		}
	}
	v.delivered()
	v.open()
	v.kills = 1
	account := v.account()
	if strings.Count(account, "<marker>") != 2 || strings.Count(account, "receipt to ada") != 1 || strings.Count(account, "letter of Ada") != 1 {
		t.Errorf("killed at request %d (heard %v): %s", v.at, v.heard, account)
	}
	return killed
}

func (v *victim) meets(r *http.Request) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.asked++
	return v.asked == v.at
}

// run lets a process do one pass, and tells whether it came to its end.
func (v *victim) run(t *testing.T) (ended bool) {
	t.Helper()
	var out bytes.Buffer
	c := exec.Command(v.self)
	c.Dir, c.Env, c.Stderr = v.folder, append(os.Environ(), "ARROBA_PASS_ONCE=1"), &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	v.mu.Lock()
	v.process, v.gone = c.Process, make(chan struct{})
	v.mu.Unlock()
	err := c.Wait()
	close(v.gone)
	if err != nil && c.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("%v\n%s", err, &out)
	}
	return err == nil
}

// strike kills the process that asks. Nothing is answered before it is gone.
func (v *victim) strike(*testboard.Exchange) {
	v.mu.Lock()
	process, gone := v.process, v.gone
	v.mu.Unlock()
	if err := process.Kill(); err != nil {
		v.Errorf("%v", err)
	}
	<-gone
	panic(http.ErrAbortHandler)
}

// again makes what was under way due again, so that nobody has to wait for it, and tells whether there is anything.
func (v *victim) again() bool {
	v.Helper()
	v.open()
	err := v.daemon.db.Write(context.Background(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`UPDATE outbox SET next_at = 0 WHERE state = 'due'`)
		return err
	})
	if err != nil {
		v.Fatalf("%v", err)
	}
	defer v.shut()
	return v.items("state = 'due'") != ""
}

// delivered reads which mails went out.
func (v *victim) delivered() {
	v.Helper()
	files, err := filepath.Glob(filepath.Join(v.folder, "out", "*.eml"))
	for _, f := range files {
		raw, failed := os.ReadFile(f)
		err = errors.Join(err, failed)
		if m := regexp.MustCompile(`(?m)^Message-ID: <(.*)>`).FindSubmatch(raw); m != nil {
			v.mails = append(v.mails, outbox.Item{MessageID: string(m[1])})
		}
	}
	if err != nil {
		v.Fatalf("%v", err)
	}
}
