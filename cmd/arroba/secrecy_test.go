package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/board"
	"arroba/ingest"
	"arroba/outbox"
	"arroba/rules"
	"arroba/templates"
	"arroba/turns"
)

// TestSecrets plays every scenario with secrets planted in it, and looks at all that anybody receives: mails, the
// Tavern's posts, pages, feeds and pictures of the board, answers to every question after every step, and the log. What
// one may not know by the audience of an event stands in none of it. More scenarios are looked for in the folders that
// ARROBA_SCENARIOS lists; of these, what cannot be played is skipped.
func TestSecrets(t *testing.T) {
	own, err := filepath.Glob("testdata/scenarios/*.txtar")
	if err != nil || len(own) == 0 {
		t.Fatal("no scenarios", err)
	}
	for _, file := range own {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			w := playWatched(t, file)
			if w.heard == 0 && w.planted > 0 {
				t.Error("no planted letter arrived where it should: the test would prove nothing")
			}
		})
	}
	for _, dir := range filepath.SplitList(os.Getenv("ARROBA_SCENARIOS")) {
		more, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range more {
			t.Run(filepath.Base(dir)+"/"+filepath.Base(file), func(t *testing.T) { playWatched(t, file) })
		}
	}
}

// watch is a play that is looked at from everywhere.
type watch struct {
	*play
	t       *testing.T
	pages   http.Handler
	log     bytes.Buffer
	public  corpus             // what everybody may know
	members map[string]*corpus // what a member may know besides, by seat
	copies  corpus             // and those who get copies
	people  map[string]turns.Member
	tokens  map[string]string // planted, by nick
	secrets []secret
	inside  []secret // what stands in the position now and is not for everybody
	shown   int64    // the last input of the log that was looked at
	sent    int64    // the last item of the outbox

	planted, heard int
	posted         int // what was queued for threads of forums
}

// corpus is a heap of texts, as plainly writes them.
type corpus struct{ strings.Builder }

func (c *corpus) add(text string) { c.WriteString(plainly(text) + "\n") }

// secret is a text that somebody may not know.
type secret struct {
	what, text string
	always     bool // nobody may: it never stands in what anybody receives
}

// viewer is somebody who receives something: what he may know is what everybody may, and these.
type viewer struct {
	name  string
	known []*corpus
	gm    bool
	own   string // his token and page, which may stand in his mail
}

// playWatched plays a scenario with secrets in it.
func playWatched(t *testing.T, file string) *watch {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	w := &watch{t: t, members: map[string]*corpus{}, people: map[string]turns.Member{}, tokens: map[string]string{}, shown: -1}
	giveUp := func(err error) {
		if strings.HasPrefix(file, "testdata") {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	s, err := readScenario(file, w.plantTokens(data))
	if err != nil {
		giveUp(err)
	}
	s.game.Seed = "zqx-seed-of-this-game"
	w.hide("the seed", s.game.Seed, false)
	if w.play, err = newPlay(t.Context(), s, playable()); err != nil {
		giveUp(err)
	}
	defer w.db.Close()
	w.engine.Log = slog.New(slog.NewTextHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w.engine.BoardURL, w.engine.Operator = "https://board.example", "operator@ops.example"
	w.pages, err = board.New(board.Config{DB: w.db, Games: w.engine, Rulesets: playable(), URL: w.engine.BoardURL, Log: w.engine.Log,
		Now: func() time.Time { return w.clock }})
	if err != nil {
		t.Fatal(err)
	}
	w.public.add(s.game.Name + "\n" + s.game.Title)
	w.lookAround()
	for i, st := range s.steps {
		if st.Kind == "mail" {
			st.Text = w.plantProse(st)
		}
		if _, err := w.step(t.Context(), st); err != nil {
			giveUp(err)
		}
		w.plant(i)
		w.lookAround()
	}
	inTavern := func(th turns.Thread) bool { return th.Tavern }
	if w.posted == 0 && slices.ContainsFunc(w.load().Settings.Threads, inTavern) {
		t.Error("nothing was queued for the thread that is the Tavern: the test would prove nothing of it")
	}
	return w
}

var memberTable = regexp.MustCompile(`(?m)^\[\[member\]\]\n(nick = "([^"]*)"\n)?`)

// plantTokens gives members a token that the scenario gives none.
func (w *watch) plantTokens(data []byte) []byte {
	if bytes.Contains(data, []byte("\ntoken = ")) {
		return data
	}
	return memberTable.ReplaceAllFunc(data, func(m []byte) []byte {
		nick := string(memberTable.FindSubmatch(m)[2])
		if nick == "" {
			return m
		}
		w.tokens[nick] = fmt.Sprintf("zqxtoken%02d", len(w.tokens))
		w.hide("the token of "+nick, w.tokens[nick], true)
		return fmt.Appendf(nil, "%stoken = %q\n", m, w.tokens[nick])
	})
}

func (w *watch) hide(what, text string, always bool) {
	if text = plainly(text); text != "" {
		w.secrets = append(w.secrets, secret{what, text, always})
	}
}

// plantProse adds to a letter the token of its writer and a line that is no order.
func (w *watch) plantProse(st step) []byte {
	if head(st.Text, "Content-Type")+head(st.Text, "Content-Transfer-Encoding") != "" {
		return st.Text
	}
	prose := "Zqxprose" + st.ID + " is what only the judge may read."
	w.hide("prose of step "+st.ID, prose, false)
	tail := prose + "\n"
	for seat, m := range w.people {
		for _, a := range m.Addresses {
			if !strings.Contains(strings.ToLower(head(st.Text, "From")), strings.ToLower(a)) {
				continue
			}
			w.mayKnow(seat, string(st.Text)+prose)
			if w.tokens[m.Nick] != "" {
				tail += "TOKEN " + w.tokens[m.Nick] + "\n"
			}
		}
	}
	return append(bytes.TrimRight(st.Text, "\n"), "\n\n"+tail...)
}

// mayKnow keeps what a member may know.
func (w *watch) mayKnow(seat, text string) {
	if w.members[seat] == nil {
		w.members[seat] = &corpus{}
	}
	w.members[seat].add(text)
}

// plant has one member write to another, to himself, which is refused, and what is not understood; and everybody ask
// whatever can be asked.
func (w *watch) plant(i int) {
	g := w.load()
	var writers []turns.Member
	for _, m := range g.Members {
		if len(m.Addresses) > 0 && m.Gone.IsZero() {
			writers = append(writers, m)
		}
	}
	from, to := writers[i%len(writers)], writers[(i+1)%len(writers)]
	marks := [3]string{fmt.Sprintf("zqxpress%02d is for one pair of eyes.", i), fmt.Sprintf("zqxrefused%02d", i), fmt.Sprintf("zqxunclear%02d", i)}
	token := ""
	if t := w.tokens[from.Nick]; t != "" {
		token = "TOKEN " + t + "\n"
	}
	text := fmt.Sprintf("PRESS TO %s\n%s\n%sEND PRESS\nPRESS TO %s\n%s\nEND PRESS\nSTATSU %s\n", to.Nick, marks[0], token, from.Nick, marks[1], marks[2])
	if word := wordOf[g.Ruleset]; word != "" {
		text = fmt.Sprintf(word+"\n", i) + text
		w.hide("the order of "+from.Nick, text[:strings.IndexByte(text, '\n')], false)
	}
	for _, m := range marks {
		w.hide("what "+from.Nick+" wrote", m, false)
	}
	w.mayKnow(string(from.Seat), text)
	if from.Seat != to.Seat {
		w.planted++
		w.say(from, fmt.Sprintf("secret-%d", i), text)
	}
	for _, m := range writers {
		w.say(m, fmt.Sprintf("ask-%d-%s", i, m.Addresses[0]), "STATUS\nHISTORY 999\nWHO\nDEADLINE\nHELP\nHELP PRESS\n")
	}
}

// wordOf is an order that is nobody's but its giver's, by ruleset.
var wordOf = map[string]string{"muster": "WATCHWORD zqxword%02d"}

// say brings a letter of a member.
func (w *watch) say(m turns.Member, id, text string) {
	if token := w.tokens[m.Nick]; token != "" {
		text += "TOKEN " + token + "\n"
	}
	raw := "From: " + m.Addresses[0] + "\nSubject: questions\n\n" + text
	st := step{ID: id, At: w.clock, Kind: "mail", Text: []byte(raw)}
	if _, err := w.engine.Handle(w.t.Context(), "scenario", ingest.Batch{Messages: []ingest.Message{st.message(w.mailbox)}}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watch) load() *turns.Game {
	g, err := turns.LoadGame(w.t.Context(), w.db.Read(), w.game)
	if err != nil {
		w.t.Fatal(err)
	}
	return g
}

// lookAround takes in what the log has since the last time, and looks at all that was sent and can be seen.
func (w *watch) lookAround() {
	g := w.load()
	before := w.people
	w.people = map[string]turns.Member{}
	for _, m := range g.Members {
		w.people[string(m.Seat)] = m
		if !strings.Contains(fmt.Sprint(w.secrets), m.Link) {
			w.hide("the page of "+m.Nick, m.Link, true)
		}
		if was, known := before[string(m.Seat)]; known && was.Since != m.Since { // somebody else, who may not read what was his
			delete(w.members, string(m.Seat))
			w.shown = -1
		}
	}
	w.learn(g)
	w.lookInside(g)
	w.mails(g, before)
	w.look("everybody's board", viewer{name: "everybody"}, "/g/", "/", "/healthz", "/g/"+g.Name)
	for _, m := range g.Members {
		if !m.Gone.IsZero() {
			continue
		}
		w.look("the page of "+m.Nick, w.viewer(m), "/m/", "/m/"+m.Link)
	}
	w.check("the log", viewer{name: "everybody"}, w.log.String())
	w.log.Reset()
}

// lookInside takes in what everybody may see of the position, and what a GM alone sees.
func (w *watch) lookInside(g *turns.Game) {
	see := func(v rules.Viewer) []byte {
		b, err := w.engine.View(w.t.Context(), w.game, v)
		if err != nil {
			w.t.Fatal(err)
		}
		return b
	}
	w.public.add(string(see(rules.Viewer{})))
	for _, m := range g.Members {
		w.public.add(m.Nick)
		w.mayKnow(string(m.Seat), string(see(m.Viewer())))
	}
	w.inside = nil
	values := longValue.FindAllString(string(see(rules.Viewer{GM: true})), -1)
	slices.Sort(values)
	for _, value := range slices.Compact(values) {
		if len(value) < len(":1234,") {
			continue
		}
		w.inside = append(w.inside, secret{what: "the position: " + value, text: plainly(strings.Trim(value, `":,}]`))})
	}
}

// longValue is a number or a name that stands nowhere by chance, as round numbers do in rules.
var longValue = regexp.MustCompile(`:\d+[1-9]\d{0,2}[,}\]]|"\p{Lu}[\p{L} ]{7,}"`)

func (w *watch) viewer(m turns.Member) viewer {
	w.mayKnow(string(m.Seat), "")
	return viewer{name: m.Nick, known: []*corpus{w.members[string(m.Seat)]}, gm: m.Role == rules.GM, own: plainly(m.Link)}
}

// learn reads the events since the last time: who may know what.
func (w *watch) learn(g *turns.Game) {
	inputs, err := turns.Inputs(w.t.Context(), w.db.Read(), w.game, w.shown, 10000)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, in := range inputs {
		w.shown = in.N
		w.learnOrders(in)
		events, err := in.DecodeEvents()
		if err != nil {
			w.t.Fatal(err)
		}
		for _, ev := range events {
			w.learnEvent(g, ev)
		}
	}
}

// learnOrders keeps that the orders of a letter are for him alone in whose name they were given, while they wait for
// their round and after it.
func (w *watch) learnOrders(in turns.Input) {
	if in.Kind != "letter" {
		return
	}
	body, err := in.DecodeLetter()
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range body.Orders {
		seat := string(in.Seat)
		if r.By != nil {
			seat = string(r.By.Seat)
		}
		w.mayKnow(seat, r.Line)
		if r.Order != nil && r.Order.N("n") > 0 && len(r.Line) > 10 {
			w.hide("an order of "+seat, r.Line, false)
		}
	}
}

func (w *watch) learnEvent(g *turns.Game, ev turns.Event) {
	var data rules.Data
	if err := json.Unmarshal(ev.Data, &data); err != nil {
		w.t.Fatal(err)
	}
	texts := w.tellings(g, ev, data)
	for _, text := range texts {
		w.hide(fmt.Sprintf("the event %d, %s, of %s", ev.N, ev.Type, strings.Join(ev.Audience, ", ")), text, false)
	}
	for _, s := range longTexts(map[string]any(data)) {
		w.hide(fmt.Sprintf("%q of the event %d, %s, of %s", s, ev.N, ev.Type, strings.Join(ev.Audience, ", ")), s, false)
	}
	all := strings.Join(append(texts, string(ev.Data)), "\n") + "\n" + strings.Join(longTexts(map[string]any(data)), "\n")
	for _, who := range ev.Audience {
		switch seat, isMember := strings.CutPrefix(who, "member:"); {
		case who == "tavern":
			w.public.add(all)
		case who == "copies":
			w.copies.add(all)
		case isMember:
			if ev.Type != outbox.Press || ev.N > w.people[seat].Since {
				w.mayKnow(seat, all)
			}
		default:
			for _, m := range g.Members {
				if m.Role == rules.GM {
					w.mayKnow(string(m.Seat), all)
				}
			}
		}
	}
}

// tellings are the event as anybody in the game would read it.
func (w *watch) tellings(g *turns.Game, ev turns.Event, data rules.Data) []string {
	readers := []templates.Reader{{Language: g.Language, Zone: g.Zone}}
	for _, m := range g.Members {
		readers = append(readers, templates.Reader{Language: m.Language, Zone: m.Zone})
	}
	var texts []string
	for _, r := range readers {
		text, err := w.engine.EventText(w.t.Context(), g.Name, r, ev.Type, ev.At, data)
		if err != nil {
			w.t.Fatal(err)
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// longTexts are the texts in an event's data that are too long to stand somewhere by chance. Of instants, letters arrive
// at some.
func longTexts(v any) (list []string) {
	switch v := v.(type) {
	case string:
		if _, err := time.Parse(time.RFC3339, v); err != nil && len([]rune(v)) >= 8 {
			list = append(list, v)
		}
	case []any:
		for _, x := range v {
			list = append(list, longTexts(x)...)
		}
	case map[string]any:
		for _, x := range v {
			list = append(list, longTexts(x)...)
		}
	}
	return list
}

// mails looks at what was sent since the last time. An address may have changed hands with the last letter: what went
// there was for either.
func (w *watch) mails(g *turns.Game, before map[string]turns.Member) {
	items, err := outbox.Since(w.t.Context(), w.db.Read(), w.sent)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, it := range items {
		w.sent = it.Seq
		v := viewer{name: it.To}
		for _, people := range []map[string]turns.Member{before, w.people} {
			for _, m := range people {
				if slices.ContainsFunc(m.Addresses, func(a string) bool { return strings.EqualFold(a, it.To) }) {
					own := w.viewer(m)
					v.known, v.gm, v.own = append(v.known, own.known...), v.gm || own.gm, own.own
				}
			}
		}
		if slices.ContainsFunc(g.Copies, func(c turns.CopyTo) bool { return strings.EqualFold(c.Address, it.To) }) {
			v.known = append(v.known, &w.copies)
		}
		names := ""
		for _, f := range it.Files {
			names += f.Name + "\n"
		}
		if it.Via == "forum" { // everybody reads it
			w.posted++
		}
		text := it.Subject + "\n" + it.Text + "\n" + it.Marker + "\n" + it.FromName + "\n" + names + strings.Join(it.References, "\n")
		if it.Kind == outbox.Press && strings.Contains(text, "zqxpress") {
			w.heard++
		}
		w.check("the "+it.Kind+" to "+it.To, v, text)
	}
}

// byLot are the ids of a feed: hexadecimal digits, in which any number may stand.
var byLot = regexp.MustCompile(`urn:uuid:[0-9a-f-]+`)

var link = regexp.MustCompile(`(?:href|src)="(/[^"#]*)`)

// look reads pages, and those that they lead to within a part of the board.
func (w *watch) look(what string, v viewer, within string, paths ...string) {
	for i := 0; i < len(paths); i++ {
		r := httptest.NewRecorder()
		w.pages.ServeHTTP(r, httptest.NewRequestWithContext(w.t.Context(), "GET", paths[i], nil))
		if r.Code != http.StatusOK {
			w.t.Fatalf("%s: %s: %d", what, paths[i], r.Code)
		}
		for _, m := range link.FindAllStringSubmatch(r.Body.String(), -1) {
			if path := html.UnescapeString(m[1]); !slices.Contains(paths, path) && strings.HasPrefix(path, within) {
				paths = append(paths, path)
			}
		}
		w.check(what+", "+paths[i], v, byLot.ReplaceAllString(r.Body.String(), ""))
	}
}

// check looks whether a text that somebody received holds what he may not know.
func (w *watch) check(where string, v viewer, text string) {
	w.t.Helper()
	text = plainly(text)
	for _, s := range slices.Concat(w.secrets, w.inside) {
		if !strings.Contains(text, s.text) || s.text == v.own || !s.always && w.known(v, s) {
			continue
		}
		w.t.Errorf("%s, which %s reads, tells %s:\n%s", where, v.name, s.what, around(text, s.text))
	}
}

func (w *watch) known(v viewer, s secret) bool {
	// A GM sees the whole position and every letter; what he may not know are events that are not for him.
	if v.gm && !strings.HasPrefix(s.what, "the event") && !strings.Contains(s.text, "zqxpress") && !strings.HasPrefix(s.what, "the seed") {
		return true
	}
	return strings.Contains(w.public.String(), s.text) ||
		slices.ContainsFunc(v.known, func(c *corpus) bool { return strings.Contains(c.String(), s.text) })
}

func around(text, part string) string {
	i := strings.Index(text, part)
	return text[max(i-100, 0):min(i+len(part)+100, len(text))]
}

var markup = regexp.MustCompile(`<[^<>]*>`)

// plainly is a text in one line without markup, quotes of mails, and what writers of HTML and JSON escape.
func plainly(s string) string {
	s = html.UnescapeString(markup.ReplaceAllString(s, " "))
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\n> ", "\n"), `\n`, "\n")
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}
