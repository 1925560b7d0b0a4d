package turns

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"arroba/ingest"
)

// heard is a test in which rapid hears of what fails.
type heard struct {
	testing.TB
	rt *rapid.T
}

func (h heard) Helper()                      {}
func (h heard) Log(args ...any)              { h.rt.Log(args...) }
func (h heard) Error(args ...any)            { h.rt.Error(args...) }
func (h heard) Errorf(f string, args ...any) { h.rt.Errorf(f, args...) }
func (h heard) Fatal(args ...any)            { h.rt.Fatal(args...) }
func (h heard) Fatalf(f string, args ...any) { h.rt.Fatalf(f, args...) }

// history is a game called lands to which everything happens that can.
type history struct {
	*rig
	rt     *rapid.T
	ruled  string            // its ruleset
	seats  map[string]string // by address, of whoever may have it one day
	nicks  []string          // of players
	secret int               // how many secrets there are
	seen   []ingest.Message
	log    []string  // of what was done
	read   time.Time // up to when letters were read
}

const historyMembers = `name = "lands"
timezone = "Europe/Berlin"
gm = { nick = "Gareth", email = "gm@lands.example" }
copies = ["archive@x.example", { email = "daily@x.example", digest = true }]
mailbox = "lands@play.example"
anonymous_press = true
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
`

func newHistory(t *testing.T, rt *rapid.T, ruleset string) *history {
	h := &history{rig: newRig(heard{t, rt}, Feed{Name: "box", Address: "lands@play.example"}), rt: rt, ruled: ruleset,
		seats: map[string]string{gmOfLands: "Gareth", "anna@x.example": "Anna", "boris@x.example": "Boris", "clara@x.example": "Clara"},
		nicks: []string{"Anna", "Boris", "Clara"}}
	text := historyMembers + "[calendar]\ngrace = \"12h\"\nremind = [\"24h\", \"2h\"]\n"
	if ruleset == "muster" {
		text += h.one("at = \"02:30\"\nleast = \"6h\"\n", "ready_delay = \"1h\"\n", "max_missing = 2\n", "") +
			"[world]\nrounds = 30\nlasts = \"1d\"\n[[world.places]]\nname = \"Ford\"\nworth = 2\n[[world.places]]\nname = \"Hill\"\nworth = 1\n"
	} else {
		text += "[world]\nlands = [\"HL3\"]\n"
		for i, nick := range h.nicks {
			text += fmt.Sprintf("[world.inhabitants.%s]\ngold = 5000\nfeuds = { HL3 = %d }\n", nick, 1+3*i)
		}
	}
	h.now = time.Date(2026, 3, 27, 12, 0, 0, 0, time.UTC)
	f, err := ReadGameFile("lands.toml", []byte("ruleset = \""+ruleset+"\"\n"+text))
	if err == nil {
		err = h.Create(h.Context(), f)
	}
	if err != nil {
		h.Fatal(err)
	}
	h.read = h.now
	return h
}

func (h *history) one(of ...string) string { return rapid.SampledFrom(of).Draw(h.rt, "one") }

func (h *history) num(least, most int) int {
	return rapid.IntRange(least, max(least, most)).Draw(h.rt, "n")
}

func (h *history) nick() string { return h.one(h.nicks...) }

// marker is a word that nobody may read but a seat and the GM, or that stands where the seat may read it.
func (h *history) marker(seat string) string {
	h.secret++
	return fmt.Sprintf("zq%sx%d", strings.ToLower(seat), h.secret)
}

// gmLine is one of the GM's.
func (h *history) gmLine() string {
	g := h.load("lands")
	switch h.num(0, 17) {
	case 0, 1:
		return fmt.Sprintf("ROLLBACK TO EVENT %d", h.num(max(1, int(g.LastN)-h.num(0, 40)), int(g.LastN)))
	case 2:
		return fmt.Sprintf("ROLLBACK TO ROUND %d", h.num(1, 4))
	case 3, 4:
		return fmt.Sprintf("REDO %d", h.num(1, int(g.LastInput)))
	case 5:
		return fmt.Sprintf("REDO %d, %d", h.num(1, int(g.LastInput)), h.num(1, int(g.LastInput)))
	case 6:
		return "REDO ALL"
	case 7:
		return h.one("HOLD", "HOLD for snow")
	case 8, 9:
		return "RESUME"
	case 10:
		return h.one("EXTEND 90m", "EXTEND 36h", "EXTEND 2d", "DEADLINE 2026-03-29 02:30", "DEADLINE 2026-04-03")
	case 11:
		return "PROCESS NOW"
	case 12, 13:
		seat := h.nick()
		return "AS " + seat + "\n" + h.line(seat) + "\nAS Gareth"
	case 14:
		return h.one("BROADCAST\nsnow\nEND BROADCAST", "RULING snow is snow", "WHO", "HISTORY 5", "STATUS")
	case 15:
		nick := h.nick()
		h.secret++
		next := fmt.Sprintf("new%d@x.example", h.secret)
		h.seats[next] = nick
		return fmt.Sprintf("REPLACE %s BY Nova%d %s", nick, h.secret, next)
	case 16:
		if h.ruled == "muster" {
			return "AWARD 1 TO " + h.nick()
		}
		return fmt.Sprintf("CREDIT %d TO %s", h.num(1, 90), h.nick())
	}
	if h.ruled == "muster" {
		return "AWARD 2 TO " + h.nick()
	}
	return fmt.Sprintf("RESULT DUEL %d WINNER %s", h.num(1, 6), h.nick())
}

// line is one of a player's.
func (h *history) line(seat string) string {
	switch h.num(0, 9) {
	case 0:
		return h.one("READY", "WAIT", "CANCEL ALL", "STATUS", "CANCEL 3", "DEADLINE", "HISTORY 9", "WHO")
	case 1:
		to := h.nick()
		return fmt.Sprintf("PRESS %sTO %s\n%s\nEND PRESS", h.one("", "ANONYMOUS "), to, h.marker(seat)+" "+h.marker(to))
	case 2:
		return h.one("VACATION 2026-04-01 TO 2026-04-09", "LANGUAGE ru", "LANGUAGE en", "READY", "RESEND 2", "READY")
	}
	if h.ruled == "muster" {
		return h.one(fmt.Sprintf("SEND %d TO %s", h.num(1, 8), h.one("Ford", "Hill")), "SPY ON Ford", "READY", "READY", "WATCHWORD "+h.marker(seat))
	}
	return h.one("CHALLENGE "+h.nick(), "ACCEPT VASSALAGE WITH "+h.nick(), "SERVE "+h.nick(), fmt.Sprintf("GIVE %d TO %s", h.num(1, 50), h.nick()),
		"INDEPENDENCE", "POSTPONE DUEL BY 3 DAYS", "INVITE "+h.nick(), "DECLINE VASSALAGE WITH "+h.nick())
}

// letter is one that came some time before now.
func (h *history) letter() ingest.Message {
	from := gmOfLands
	if h.num(0, 2) > 0 {
		var all []string
		for a := range h.seats {
			all = append(all, a)
		}
		slices.Sort(all)
		from = h.one(all...)
	}
	var lines []string
	if h.num(0, 12) == 0 {
		lines = append(lines, "TEST")
	}
	for range h.num(1, 4) {
		if from == gmOfLands {
			lines = append(lines, h.gmLine())
		} else {
			lines = append(lines, h.line(h.seats[from]))
		}
	}
	if from != gmOfLands && h.num(0, 40) == 0 {
		lines = append(lines, "LEAVE GAME")
	}
	m := h.mail(from, "lands@play.example", strings.Join(lines, "\n"))
	if lag := h.num(0, 300); lag < 200 {
		m.Arrived = h.now.Add(-time.Duration(lag) * time.Minute)
		if m.Arrived.Before(h.read) {
			m.Arrived = h.read
		}
	}
	h.log = append(h.log, fmt.Sprintf("%s (came %s) %s: %s", h.now.Format(time.RFC3339), m.Arrived.Format("15:04"), from, strings.Join(lines, " / ")))
	return m
}

// step lets something happen.
func (h *history) step() {
	switch h.num(0, 12) {
	case 12:
		h.now = h.now.Add(-time.Duration(h.num(1, 30*60)) * time.Minute)
		h.log = append(h.log, h.now.Format(time.RFC3339)+" the clock is set back")
		h.read = h.now
	case 0, 1, 2, 3, 4, 5:
		var batch []ingest.Message
		for range h.num(1, 3) {
			batch = append(batch, h.letter())
		}
		h.seen = append(h.seen, batch...)
		h.take(batch...)
		h.read = h.now
	case 6, 7:
		h.now = h.now.Add(time.Duration(h.num(1, 30*60)) * time.Minute)
		h.log = append(h.log, h.now.Format(time.RFC3339)+" read and tick")
		h.take()
		h.read = h.now
		h.pass(0)
	case 8:
		h.now = h.now.Add(time.Duration(h.num(1, 200)) * time.Minute)
		h.log = append(h.log, h.now.Format(time.RFC3339)+" tick")
		h.pass(0)
	case 9:
		h.now = h.now.Add(time.Duration(h.num(1, 5*24)) * time.Hour)
		h.log = append(h.log, h.now.Format(time.RFC3339)+" outage")
	case 10:
		h.restart()
	case 11:
		h.log = append(h.log, "set")
		if _, err := h.Set(h.Context(), "lands", "ops", []Setting{{"title", fmt.Sprint("Title ", h.num(0, 1e6))}}); err != nil && !strings.Contains(err.Error(), "already") {
			h.Fatal(err)
		}
	}
	if g := h.load("lands"); g.Held != "" {
		h.Fatalf("it is held for %s", g.Held)
	}
	h.secrets()
}

// restart goes on with another engine on the same database.
func (h *history) restart() {
	h.log = append(h.log, "restart")
	before := h.encoded("lands")
	next := rigOn(h.TB, h.DB, h.Feeds...)
	next.now, next.n, next.seq = h.now, h.n, h.seq
	h.rig = next
	if after := h.encoded("lands"); !bytes.Equal(before, after) {
		h.Errorf("another engine reads another state:\n%s\n%s", before, after)
	}
}

// secrets looks that nobody was sent a word that he may not know.
func (h *history) secrets() {
	for _, it := range h.sent() {
		seat := h.seats[it.To]
		if seat == "Gareth" {
			continue
		}
		for _, word := range strings.Fields(it.Text) {
			if rest, ok := strings.CutPrefix(word, "zq"); ok && !strings.HasPrefix(rest, strings.ToLower(seat)+"x") && !strings.Contains(it.Text, "zq"+strings.ToLower(seat)+"x") {
				h.Errorf("%s was sent %s:\n%s", it.To, word, it.Text)
			}
		}
	}
}

// check looks at the whole log.
func (h *history) check() {
	list, err := Inputs(h.Context(), h.DB.Read(), "lands", -1, 100000)
	if err != nil {
		h.Fatal(err)
	}
	var n, last int64
	var come time.Time
	fired := map[string]bool{}
	paused := false
	round := 0.0
	for i := range list {
		in := &list[i]
		events, err := in.DecodeEvents()
		if err != nil || in.N != int64(i) {
			h.Fatalf("input %d is %d, %v", i, in.N, err)
		}
		if in.Kind != kindSet {
			if in.At.Before(come) {
				h.Errorf("input %d is of %v, and the game had come to %v", in.N, in.At, come)
			}
			if in.Kind == kindDue || in.Kind == kindPause {
				come = in.At
			}
		}
		if in.Kind == kindDue {
			if paused {
				h.Errorf("input %d: something fired while the game was paused", in.N)
			}
			if what := string(in.Body[:bytes.Index(append(in.Body, []byte(`,"now"`)...), []byte(`,"now"`))]); fired[what] && h.ruled != "muster" {
				h.Errorf("input %d: %s fired twice", in.N, what)
			} else {
				fired[what] = true
			}
		}
		for _, ev := range events {
			if n++; ev.N != n {
				h.Errorf("event %d has number %d", n, ev.N)
			}
			switch ev.Type {
			case "held":
				paused = true
			case "resumed":
				paused = false
			case "rolled-back":
				clear(fired)
				round = 0
				come = in.At
			case "round-closed":
				var d struct{ Round float64 }
				if err := json.Unmarshal(ev.Data, &d); err != nil || round != 0 && d.Round != round+1 {
					h.Errorf("input %d: round %v was closed after %v, %v", in.N, d.Round, round, err)
				}
				round = d.Round
			}
		}
		last = in.N
	}
	if g := h.load("lands"); g.LastN != n || g.LastInput != last || g.Paused.IsZero() == paused {
		h.Errorf("the game stands at %d, %d, paused %v; the log at %d, %d, %v", g.LastN, g.LastInput, g.Paused, n, last, paused)
	}
	h.moves()
	h.same("lands")
}

// moves takes the game to another machine.
func (h *history) moves() {
	dir, err := os.MkdirTemp("", "history")
	if err != nil {
		h.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "lands.zip")
	f, err := os.Create(name)
	if err != nil {
		h.Fatal(err)
	}
	if err := errors.Join(h.Engine.Export(h.Context(), "lands", f), f.Close()); err != nil {
		h.Fatal(err)
	}
	other := newRig(h.TB, h.Feeds...)
	defer other.DB.Close()
	other.now, other.n = h.now, h.n
	if err := other.bring(name); err != nil {
		h.Fatal(err)
	}
	if !bytes.Equal(h.encoded("lands"), other.encoded("lands")) {
		h.Error("brought back it stands otherwise")
	}
	if a, b := h.dump(), other.dump(); a != b {
		h.Error("brought back it has other rows")
	}
	if _, err := other.Replay(h.Context(), "lands", nil); err != nil {
		h.Error(err)
	}
	for i, m := range h.seen {
		if h.count(`SELECT COUNT(*) FROM inbox WHERE ukey = $1 AND status = 'done'`, m.Key) == 0 {
			continue // nobody's, when it came
		}
		m.Key = fmt.Sprint("moved/", i)
		for _, o := range other.take(m).Letters {
			if o.Key == m.Key && o.Input > 0 {
				h.Errorf("letter %d was obeyed twice: %+v", i, o)
			}
		}
	}
}

// histories is how many games are played at random; -rapid.checks does not make it more.
const histories = 8

// historyOf plays games in which everything happens that can, and looks for what always holds: the log plays again to the
// same events, snapshots and state, byte by byte, in this engine and another, and on another machine; numbers and times
// rise; nothing falls due in a game that is paused, nor twice; and nobody is sent what he may not know.
func historyOf(t *testing.T, ruleset string) {
	games, failing := 0, false
	rapid.Check(t, func(rt *rapid.T) {
		if games++; games > histories && !failing {
			return
		}
		h := newHistory(t, rt, ruleset)
		defer h.DB.Close()
		defer func() {
			if rt.Failed() {
				failing = true
				rt.Log(strings.Join(h.log, "\n"))
			}
		}()
		for range h.num(5, 40) {
			h.now = h.now.Add(time.Duration(h.num(1, 400)) * time.Minute)
			h.step()
		}
		h.check()
	})
}

func TestHistoriesOfRounds(t *testing.T)         { historyOf(t, "muster") }
func TestHistoriesOfTheHeroesLands(t *testing.T) { historyOf(t, "heroeslands") }
