package turns

import (
	"cmp"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/ingest"
	"arroba/outbox"
	"arroba/store"
)

// idle adds games that are like the game lands, in which nobody writes and nothing falls due. Their rows are those of
// lands but for what has to differ.
func (r *rig) idle(n int) {
	r.Helper()
	const game = `'idle'||i`
	for _, table := range []struct {
		name    string
		differs map[string]string
	}{
		{"game", map[string]string{"name": game, "mailbox": game + `||'@play.example'`}},
		{"member", map[string]string{"game": game, "link": "link||i", "token": "'token'||ord||'of'||i"}},
		{"address", map[string]string{"game": game, "addr": "i||addr", "shown": "i||shown"}},
		{"input", map[string]string{"game": game}},
		{"snapshot", map[string]string{"game": game}},
		{"outbox", map[string]string{"id": "id||i", "game": game, "seq": "seq+i*100000", "lane": game, "state": "'sent'", "attempts": "1", "done": "1"}},
	} {
		columns := r.columns(table.name)
		values := slices.Clone(columns)
		for i, column := range columns {
			values[i] = cmp.Or(table.differs[column], column)
		}
		of := "game"
		if table.name == "game" {
			of = "name"
		}
		r.exec(fmt.Sprintf("WITH RECURSIVE many(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM many WHERE i < %d) INSERT INTO %s (%s) SELECT %s FROM %s, many WHERE %s = 'lands'",
			n, table.name, strings.Join(columns, ", "), strings.Join(values, ", "), table.name, of))
	}
	r.exec(`UPDATE directory SET version = version + 1`)
}

// columns are the names of a table's columns, in order.
func (r *rig) columns(table string) []string {
	r.Helper()
	rows, err := r.DB.Read().QueryContext(r.Context(), "SELECT * FROM "+table+" LIMIT 0")
	if err != nil {
		r.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		r.Fatal(err)
	}
	return names
}

// BenchmarkLetterAmongGames measures what a letter costs, a transaction each, with 1 game in the database and with
// 10,000, turn by turn in one run. The ratio is that of the latter to the former.
func BenchmarkLetterAmongGames(b *testing.B) {
	few := fileRig(b, func(r *rig) { r.game("lands") })
	many := fileRig(b, func(r *rig) { r.game("lands"); r.idle(9999) })
	var spent [2]time.Duration
	for _, r := range []*rig{few, many} { // the games are read once
		r.say("anna@x.example", "lands@play.example", "ADD 1")
	}
	letters := 0
	for b.Loop() {
		for i, r := range []*rig{few, many} {
			m := r.mail("anna@x.example", "lands@play.example", "ADD 3\nTELL Boris")
			begin := time.Now()
			if _, err := r.Handle(b.Context(), "box", ingest.Batch{Messages: []ingest.Message{m}, Until: r.now}); err != nil {
				b.Fatal(err)
			}
			spent[i] += time.Since(begin)
		}
		letters++
	}
	b.ReportMetric(float64(letters)/spent[0].Seconds(), "letters/s-among-1")
	b.ReportMetric(float64(letters)/spent[1].Seconds(), "letters/s-among-10000")
	b.ReportMetric(spent[1].Seconds()/spent[0].Seconds(), "ratio")
}

// BenchmarkIdle measures one look at what falls due and at the letters that wait, with 1 game and with 10,000 in which
// nothing does.
func BenchmarkIdle(b *testing.B) {
	for _, n := range []int{1, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := fileRig(b, func(r *rig) { r.game("lands"); r.idle(n - 1) })
			for b.Loop() {
				if _, err := r.Tick(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestGamesOfOtherPrograms holds that a program finds the games, and what shows their members, that another one adds to
// the database while it runs.
func TestGamesOfOtherPrograms(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "arroba.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	one, two := rigOn(t, db), rigOn(t, db)
	one.game("lands")
	if out := one.say("anna@x.example", "lands@play.example", "ADD 1"); out.Game != "lands" {
		t.Fatalf("%+v", out)
	}
	two.game("marches", "play@play.example", `authentication = "token"`)
	two.game("moors", "play@play.example", `authentication = "token"`)
	one.n, two.n = 100, 200
	token := func(game string) string { return two.load(game).seat("Anna").token }
	for _, c := range []struct{ to, text, game, seat string }{
		{"play+moors@play.example", "TOKEN " + token("moors") + "\nADD 1", "moors", "Anna"},
		{"play+" + token("marches") + "@play.example", "ADD 1", "marches", "Anna"},
		{"play+moors-" + token("moors") + "@play.example", "ADD 1", "moors", "Anna"},
		{"play@play.example", "TOKEN " + token("marches") + "\nADD 1", "marches", "Anna"},
		{"play@play.example", "GAME marches\nADD 1", "marches", ""},
		{"lands@play.example", "ADD 1", "lands", "Anna"},
	} {
		if out := one.say("anna@x.example", c.to, c.text); out.Game != c.game || string(out.Seat) != c.seat {
			t.Errorf("to %s, %q: %+v, want %s of %s", c.to, c.text, out, c.seat, c.game)
		}
	}
	if _, err := two.Set(t.Context(), "lands", "root", []Setting{{Key: "authentication", Value: "token"}}); err != nil {
		t.Fatal(err)
	}
	if out := one.say("anna@x.example", "lands@play.example", "ADD 2"); out.Input != 0 {
		t.Errorf("believed without the token that the game wants by now: %+v", out)
	}
	if out := one.say("play@play.example", "lands@play.example", "ADD 1"); out.Class != "auto-reply" {
		t.Errorf("mail of our own come back: %+v", out)
	}
}

// muster is a game of the ruleset of that name, with its orders of a round given.
const muster = `name = "lands"
ruleset = "muster"
mailbox = "lands@play.example"
gm = { nick = "Gareth", email = "gm@lands.example" }
[[member]]
nick = "Anna"
email = "anna@x.example"
[[member]]
nick = "Boris"
email = "boris@x.example"
language = "ru"
[[member]]
nick = "Clara"
email = "clara@x.example"
[world]
rounds = 5
places = [{ name = "Ford", worth = 3 }, { name = "Mill", worth = 2 }]
`

// muster opens that game.
func (r *rig) muster() {
	r.Helper()
	f, err := ReadGameFile("lands.toml", []byte(muster))
	if err == nil {
		err = r.Create(r.Context(), f)
	}
	if err != nil {
		r.Fatal(err)
	}
	for _, who := range []string{"anna", "boris", "clara"} {
		r.say(who+"@x.example", "lands@play.example", "SEND 4 TO Ford\nSEND 3 TO Mill")
	}
}

// BenchmarkDeadlines measures games a second that are resolved, with their mail queued, when the deadline of a thousand
// is the same minute and none of them is in memory, against bare transactions of the same rows in the same run.
func BenchmarkDeadlines(b *testing.B) {
	const games = 1000
	var resolving, bare time.Duration
	resolved := 0
	for b.Loop() {
		b.StopTimer()
		open := func(r *rig) { r.muster(); r.idle(games - 1) }
		r, other := fileRig(b, open), fileRig(b, open)
		r.forget("lands")
		r.now = r.load("lands").NextDue.Add(time.Second)
		b.StartTimer()
		begin := time.Now()
		names, err := r.overdue(b.Context())
		resolving += time.Since(begin)
		if err != nil || len(names) != games {
			b.Fatal(len(names), err)
		}
		for some := range slices.Chunk(names, gamesAtOnce) {
			var rows work
			begin := time.Now()
			err := r.write(b.Context(), func(w *work) error {
				for _, name := range some {
					if _, _, err := w.bringUpAndLook(name); err != nil {
						return err
					}
				}
				rows = *w
				return nil
			})
			resolving += time.Since(begin)
			if err != nil {
				b.Fatal(err)
			}
			for _, name := range some {
				own := rows.of(name)
				begin = time.Now()
				if err := other.DB.Write(b.Context(), func(tx *sql.Tx) error { return own.bareDue(tx) }); err != nil {
					b.Fatal(err)
				}
				bare += time.Since(begin)
			}
		}
		resolved += games
		if n := r.count(`SELECT COUNT(*) FROM outbox WHERE via = 'mail' AND state = 'due'`); n < 3*games {
			b.Fatalf("%d mails queued", n)
		}
	}
	b.ReportMetric(float64(resolved)/resolving.Seconds(), "games/s")
	b.ReportMetric(float64(resolved)/bare.Seconds(), "bare/s")
	b.ReportMetric(bare.Seconds()/resolving.Seconds(), "ratio")
}

// of is what a transaction writes of one game.
func (w work) of(name string) work {
	all := w
	w.items, w.inputs, w.games = nil, nil, map[string]*live{name: all.games[name]}
	for _, it := range all.items {
		if it.Game == name {
			w.items = append(w.items, it)
		}
	}
	for _, in := range all.inputs {
		if in.game == name {
			w.inputs = append(w.inputs, in)
		}
	}
	return w
}

// bareDue writes the rows of a transaction that no letter caused, and does nothing else.
func (w work) bareDue(tx *sql.Tx) error {
	w.tx = tx
	for i := range w.items {
		w.items[i].ID, w.items[i].MessageID = "", ""
	}
	for _, write := range []func() error{w.writeInputs, w.writeTurns, w.writeGames} {
		if err := write(); err != nil {
			return err
		}
	}
	return outbox.Queue(w.ctx, tx, w.now, w.items)
}
