package turns

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"arroba/ingest"
	"arroba/orders"
	"arroba/outbox"
	"arroba/rules"
	"arroba/rules/heroeslands"
	"arroba/rules/rounds/roundstest"
	"arroba/store"
)

// The toy is a ruleset with one of everything that the engine must cope with.
type toy struct {
	Sum    int64
	Timers []rules.Due
	Words  []string
	Phase  toyPhase
	Held   bool
	Turns  int
}

const toyTexts = `
{{define "added"}}{{.by}} adds {{number .n}}, which makes {{number .sum}}.{{end}}{{define "added headline"}}{{.by}} adds {{number .n}}{{end}}
{{define "told"}}{{.by}} tells {{.to}} a secret.{{end}}{{define "told headline"}}a secret of {{.by}}{{end}}
{{define "noted"}}For the desk: {{.by}}.{{end}}{{define "noted headline"}}a note{{end}}
{{define "rang"}}The bell {{.id}} rings.{{end}}{{define "rang headline"}}bell {{.id}}{{end}}
{{define "drew"}}{{.purpose}}: {{.value}}.{{end}}{{define "drew headline"}}a draw{{end}}
{{define "named"}}There is a {{.word}} now.{{end}}{{define "named headline"}}{{.word}}{{end}}
{{define "bad"}}{{.nothing}}{{end}}{{define "bad headline"}}bad{{end}}
{{define "closed"}}Phase {{number .n}} is closed by {{.by}}; ready: {{list .ready}}.{{end}}{{define "closed headline"}}phase {{number .n}}{{end}}
{{define "deadline phase"}}Phase {{number .n}} closes.{{end}}
{{define "refused T-1"}}Not below 1.{{end}}{{define "refused T-8"}}Not yours.{{end}}{{define "refused T-9"}}There is nothing.{{end}}
`

func toyRules() *rules.Ruleset {
	form := func(id, en string) orders.Form {
		return orders.Form{ID: id, Who: "player", Say: map[string][]string{"en": {en}, "ru": {en}}}
	}
	grammar := orders.MustGrammar(orders.Spec{Forms: []orders.Form{
		form("add", "ADD <n:number>"), form("tell", "TELL <to:nick>"), form("note", "NOTE IT"), form("bell", "BELL <id:word> <n:number>"),
		form("early", "EARLY <id:word> <n:number>"), form("fuse", "FUSE <n:number>"), form("squib", "SQUIB"), form("boom", "BOOM"), form("name", "NAME <w:word>"),
		form("use", "USE <w:thing>"), form("bad", "SPOIL"), form("turn", "TURN OVER"), form("draw", "DRAW <n:number>"),
		form("phase", "PHASE <n:number>"), form("second", "SECOND <n:number>"), form("snare", "SNARE <n:number>"),
	}})
	texts := fstest.MapFS{"en/toy.tmpl": {Data: []byte(toyTexts)}, "ru/toy.tmpl": {Data: []byte(toyTexts)}}
	return rules.New(rules.Rules[*toy]{
		Name: "toy", Version: 1, Grammar: grammar, Texts: texts, IDs: rules.EngineIDs{Role: "T-8", Nothing: "T-9", Past: "T-7"},
		Open: func(w rules.World, _ *rules.Dice) (*toy, []rules.Event, error) {
			var world struct {
				Sum int64 `toml:"sum"`
			}
			if err := w.Decode(&world); err != nil {
				return nil, nil, err
			}
			if world.Sum < 0 {
				return nil, nil, fmt.Errorf("sum: must not be below 0")
			}
			return &toy{Sum: world.Sum}, nil, nil
		},
		Names: func(s *toy) orders.Lexicon {
			nicks, things := &orders.Names{}, &orders.Names{}
			for _, n := range []string{"Anna", "Boris", "Clara"} {
				nicks.Add(n)
			}
			for _, w := range s.Words {
				things.Add(w)
			}
			return orders.Lexicon{"nick": nicks, "thing": things}
		},
		Take: toyTake,
		Next: func(s *toy) (rules.Due, bool) {
			if len(s.Timers) == 0 {
				return rules.Due{}, false
			}
			return s.Timers[0], true
		},
		Fire:    toyFire,
		Control: toyControl,
		Waits:   toyWaits,
		Offers:  toyOffers,
		Over:    func(s *toy) bool { return s.Sum >= toyOver },
		Round:   func(s *toy) int { return s.Turns + 1 },
		View:    func(s *toy, v rules.Viewer) any { return map[string]any{"sum": s.Sum, "words": s.Words} },
	})
}

// toyOffers are for members, once there is a word to use.
func toyOffers(s *toy, v rules.Viewer) (list []rules.Offer) {
	if v.Seat != "" && len(s.Words) > 0 {
		list = []rules.Offer{{Form: "use", Args: map[string]string{"w": s.Words[0]}}, {Form: "add"}}
	}
	return list
}

func toyTake(s *toy, o orders.Order, e rules.Env) (*toy, []rules.Event, rules.Ruling) {
	by := string(e.By.Seat)
	timer := func(kind string, after bool) {
		s.add(rules.Due{At: e.At.Add(time.Duration(o.N("n")) * time.Second), Kind: kind, ID: o.Arg("id").Text, After: after})
	}
	switch o.Form {
	case "add":
		if o.N("n") < 1 {
			return s, nil, rules.Refuse("T-1", "", nil)
		}
		s.Sum += o.N("n")
		return s, []rules.Event{{Type: "added", Rule: "T-1", To: rules.Audience{Tavern: true, GM: true, Copies: true},
			Data: rules.Data{"by": by, "n": o.N("n"), "sum": s.Sum}}}, rules.Accept("T-1")
	case "tell":
		return s, []rules.Event{{Type: "told", Rule: "T-2", To: rules.Audience{Members: []rules.Seat{rules.Seat(o.ID("to"))}},
			Data: rules.Data{"by": by, "to": o.ID("to")}}}, rules.Accept("T-2")
	case "note":
		return s, []rules.Event{{Type: "noted", Rule: "T-3", To: rules.Audience{GM: true}, Data: rules.Data{"by": by}}}, rules.Accept("T-3")
	case "bell":
		timer("bell", true)
	case "early":
		timer("bell", false)
	case "fuse":
		timer("fuse", true)
	case "squib":
		timer("fuse", false)
	case "snare":
		timer("snare", true)
	case "second":
		timer("second", true)
	case "phase":
		s.Phase = toyPhase{N: 1, Began: e.At, Set: e.At, Length: time.Duration(o.N("n")) * time.Second}
		timer("phase", true)
	case "boom":
		s.Sum = -1
		panic("boom")
	case "name":
		s.Words = append(s.Words, o.Arg("w").Text)
	case "draw":
		d := e.Dice.Draw(s.Turns, "a card for "+by, uint64(o.N("n")))
		return s, []rules.Event{{Type: "drew", Rule: "T-3", To: rules.Audience{Tavern: true, GM: true},
			Data: rules.Data{"round": s.Turns, "purpose": d.Purpose, "counter": d.Counter, "of": d.Of, "value": d.Value}}}, rules.Accept("T-3")
	case "turn":
		s.Turns++
	case "bad":
		s.Sum++
		return s, []rules.Event{{Type: "bad", Rule: "T-6", To: rules.Audience{Tavern: true}}}, rules.Accept("T-6")
	}
	return s, nil, rules.Accept("T-5")
}

// rig is an engine on a database in memory, with a clock that the test turns.
type rig struct {
	testing.TB
	*Engine
	now time.Time
	n   int
	seq int64
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const toyGame = `name = "%s"
ruleset = "toy"
gm = { nick = "Gareth", email = "gm@%[1]s.example" }
copies = ["archive@x.example", "clara@x.example"]
mailbox = "%[2]s"
[[member]]
nick = "Anna"
email = ["anna@x.example", "anna@home.example"]
[[member]]
nick = "Boris"
email = ["boris@x.example"]
language = "ru"
timezone = "Europe/Moscow"
[[member]]
nick = "Clara"
email = ["clara@x.example"]
[world]
sum = 0
`

func newRig(t testing.TB, feeds ...Feed) *rig {
	t.Helper()
	db, err := store.Open(t.Context(), ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return rigOn(t, db, feeds...)
}

func rigOn(t testing.TB, db *store.DB, feeds ...Feed) *rig {
	t.Helper()
	r := &rig{TB: t, now: noon}
	e, err := New(Config{DB: db, Rulesets: map[string]*rules.Ruleset{"toy": toyRules(), "heroeslands": heroeslands.Ruleset(), "muster": roundstest.Ruleset()}, Now: func() time.Time { return r.now },
		Log: slog.New(slog.NewTextHandler(testWriter{t}, nil)), Operator: "ops@x.example", BoardURL: "https://board.example",
		Sender: "arroba@x.example", Feeds: feeds})
	if err != nil {
		t.Fatal(err)
	}
	r.Engine = e
	return r
}

type testWriter struct{ t testing.TB }

func (w testWriter) Write(b []byte) (int, error) {
	w.t.Log(strings.TrimSuffix(string(b), "\n"))
	return len(b), nil
}

// game opens a game; its mailbox is its own unless one is given.
func (r *rig) game(name string, more ...string) {
	r.Helper()
	mailbox := name + "@play.example"
	if len(more) > 0 && strings.Contains(more[0], "@") {
		mailbox, more = more[0], more[1:]
	}
	f, err := ReadGameFile(name+".toml", []byte(strings.Join(more, "\n")+"\n"+fmt.Sprintf(toyGame, name, mailbox)))
	if err != nil {
		r.Fatal(err)
	}
	if err := r.Create(r.Context(), f); err != nil {
		r.Fatal(err)
	}
	r.sent()
}

// mail is a letter that arrives now.
func (r *rig) mail(from, to, text string, fields ...string) ingest.Message {
	r.n++
	key := fmt.Sprintf("INBOX/1/%04d", r.n)
	raw := fmt.Sprintf("From: %s\nTo: %s\nMessage-ID: <%d@mail.example>\nSubject: letter\n", from, to, r.n)
	if len(fields) > 0 {
		raw = fmt.Sprintf("From: %s\nTo: %s\n%s\n", from, to, strings.Join(fields, "\n"))
	}
	return ingest.Message{Key: key, Arrived: r.now, Via: "mail", Raw: []byte(raw + "\n" + text + "\n")}
}

// take hands letters to the engine as a batch of the source "box" that was read up to now.
func (r *rig) take(list ...ingest.Message) Handled {
	r.Helper()
	h, err := r.Handle(r.Context(), "box", ingest.Batch{Messages: list, Next: ingest.Cursor(fmt.Sprint(r.n)), Until: r.now})
	if err != nil {
		r.Fatal(err)
	}
	return h
}

// say hands one letter to the engine, a while later, and returns what became of it.
func (r *rig) say(from, to, text string, fields ...string) Outcome {
	r.Helper()
	r.now = r.now.Add(time.Minute)
	h := r.take(r.mail(from, to, text, fields...))
	return h.Letters[len(h.Letters)-1]
}

// sent returns what was queued since the last call.
func (r *rig) sent() []outbox.Item {
	r.Helper()
	items, err := outbox.Since(r.Context(), r.DB.Read(), r.seq)
	if err != nil {
		r.Fatal(err)
	}
	for _, it := range items {
		r.seq = it.Seq
	}
	return items
}

// told lists what was queued since the last call as "kind to".
func (r *rig) told() []string {
	r.Helper()
	var list []string
	for _, it := range r.sent() {
		kind := it.Kind
		if it.Via == "post" {
			kind = "post"
		}
		list = append(list, kind+" "+it.To)
	}
	return list
}

// sum is the toy's sum as the engine sees it.
func (r *rig) sum(game string) int64 {
	r.Helper()
	b, err := r.View(r.Context(), game, rules.Viewer{GM: true})
	if err != nil {
		r.Fatal(err)
	}
	var v struct {
		Sum int64 `json:"sum"`
	}
	if err := json.Unmarshal(b, &v); err != nil {
		r.Fatal(err)
	}
	return v.Sum
}

// events lists the types of a game's events after the opening's.
func (r *rig) events(game string) []string {
	r.Helper()
	list, err := Inputs(r.Context(), r.DB.Read(), game, 0, 1000)
	if err != nil {
		r.Fatal(err)
	}
	types := []string{}
	for _, in := range list {
		events, err := in.DecodeEvents()
		if err != nil {
			r.Fatal(err)
		}
		for _, ev := range events {
			name := ev.Type
			if ev.Type == "rang" {
				name += " " + strings.Trim(string(ev.Data)[len(`{"id":`):], `"}`)
			}
			types = append(types, name)
		}
	}
	return types
}

func (r *rig) load(game string) *Game {
	r.Helper()
	g, err := LoadGame(r.Context(), r.DB.Read(), game)
	if err != nil {
		r.Fatal(err)
	}
	return g
}

func (r *rig) count(query string, args ...any) (n int) {
	r.Helper()
	if err := r.DB.Read().QueryRowContext(r.Context(), query, args...).Scan(&n); err != nil {
		r.Fatal(err)
	}
	return n
}

func (r *rig) exec(query string, args ...any) {
	r.Helper()
	err := r.DB.Write(r.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(context.Background(), query, args...)
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, what string, got []T, want ...T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}
