package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"arroba/rules"
	"arroba/rules/all"
	"arroba/rules/rounds/roundstest"
	"arroba/turns"
)

var update = flag.Bool("update", false, "write what came out as what is wanted")

// TestScenarios plays every scenario and compares what came of it, texts left out, with the file beside it.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/scenarios/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no scenarios", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var o outcome
			out := played(t, file)
			if err := json.Unmarshal(out, &o); err != nil {
				t.Fatal(err)
			}
			if again := played(t, file); !bytes.Equal(out, again) {
				t.Error("a second run gives other bytes")
			}
			golden := strings.TrimSuffix(file, ".txtar") + ".want"
			got := summary(o)
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// summary is an outcome without texts and state, a line a fact.
func summary(o outcome) string {
	var b strings.Builder
	for _, s := range o.Steps {
		by := "nobody"
		if s.By != nil {
			by = *s.By
		}
		fmt.Fprintf(&b, "%s by %s\n", s.ID, by)
		for _, r := range s.Orders {
			fmt.Fprintf(&b, "  %s %s: %s\n", r.Verdict, r.Rule, r.Line)
		}
		for _, e := range s.Events {
			fmt.Fprintf(&b, "  %s %s %s -> %s %s\n", e.At.Format("01-02T15:04:05"), e.Type, e.Rule, strings.Join(e.Audience, ","), e.Data)
		}
		for _, t := range s.Out {
			fmt.Fprintf(&b, "  %s %s %s", t.Via, t.Kind, t.To)
			if t.Via == "mail" && !t.At.Equal(s.At) {
				fmt.Fprintf(&b, " at %s", t.At.Format("01-02T15:04:05"))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// simulated runs the command and returns its standard output, or what it said of its failure.
func simulated(t *testing.T, code int, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	got := run(t.Context(), append([]string{"simulate"}, args...), func(string) string { return "" }, strings.NewReader(""), &out, &errs)
	if got != code {
		t.Fatalf("exit %d, want %d: %s", got, code, errs.String())
	}
	if code != 0 {
		return errs.Bytes()
	}
	return out.Bytes()
}

// played is a scenario's outcome. The ruleset of the tests of rounds is known to it besides those of the program.
func played(t *testing.T, file string) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := simulate(t.Context(), playable(), &out, file, true); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// playable are the rulesets of scenarios: those that are built in, and one for tests.
func playable() map[string]*rules.Ruleset {
	known := maps.Clone(all.Rulesets)
	known["muster"] = roundstest.Ruleset()
	return known
}

func TestSimulateJSONHasItsKeysInOrder(t *testing.T) {
	out := string(simulated(t, 0, "--json", "testdata/scenarios/duel.txtar"))
	for _, shape := range []string{
		`^\{"game":"north","steps":\[\{"id":"call","at":"2026-02-02T08:00:00Z","by":"Ximena","orders":\[\{"line":"challenge федор for vassalage","verdict":"accepted","rule":"HL-32","reason":""\}\],"events":\[\{"n":`,
		`\{"n":\d+,"type":"duel-declared","at":"2026-02-02T08:00:00Z","rule":"HL-42","audience":\["tavern","gm","copies","member:Фёдор"\],"data":\{"`,
		`"out":\[\{"at":"2026-02-02T08:00:00Z","to":"ximena@work.example","via":"mail","kind":"receipt","subject":"\[north\] Re: To arms","text":"`,
		`\{"at":"2026-02-02T08:00:00Z","to":"tavern","via":"post","text":"`,
		`\{"id":"early","at":"2026-03-04T08:00:00Z","by":null,"orders":\[\],"events":\[\],"out":\[\]\}`,
		`\],"state":\{"lands":\["HL2"\],`,
	} {
		if !regexp.MustCompile(shape).MatchString(out) {
			t.Errorf("no match for %s in\n%s", shape, out)
		}
	}
}

func TestSimulateAsAPlay(t *testing.T) {
	out := string(simulated(t, 0, "testdata/scenarios/duel.txtar"))
	for _, want := range []string{
		"Monday, 2 February 2026", "Ximena writes: To arms", "accepted  challenge федор for vassalage (HL-32)", "receipt  [north] Re: To arms",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the play does not say %q:\n%s", want, out)
		}
	}
}

// TestDeadlinesAreSaid looks at what the mails of a scenario say of deadlines, to whom they are told and to whom not.
func TestDeadlinesAreSaid(t *testing.T) {
	var o outcome
	if err := json.Unmarshal(played(t, "testdata/scenarios/reminders.txtar"), &o); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, s := range o.Steps {
		for _, m := range s.Out {
			texts[s.ID+" "+m.Kind+" "+m.To] += strings.Join(strings.Fields(m.Text), " ")
		}
	}
	for mail, want := range map[string]string{
		"02 receipt agnes@fens.example":   "The offer that Глеб serve Agnes in HL3 lapses unless Agnes consents. When: Tuesday, 5 May 2026, 13:00 (Europe/Moscow), which is 2026-05-05 10:00:00 UTC. Time left: 3 days.",
		"03 receipt hugh@fens.example":    "There is no deadline now.",
		"04 receipt warden@fens.example":  "The offer that Глеб serve Agnes in HL3 lapses unless Agnes consents.",
		"07 reminder gleb@fens.example":   "Согласованный вассалитет в Земле HL3 (сюзерен — Agnes, вассал — Глеб) не состоится, если до этого срока о нём не объявит Глеб. Когда: вторник, 5 мая 2026 г., 13:00",
		"07 receipt gleb@fens.example":    "не объявит Глеб. Когда: вторник, 5 мая 2026 г., 13:00 (Europe/Moscow), то есть 2026-05-05 10:00:00 UTC. Осталось: 22 часа.",
		"08 receipt hugh@fens.example":    "Duel 1 (Hugh against Agnes, HL3) falls due: it is to be fought by then, and the Magistrate to have its result. When: Friday, 15 May 2026, 15:00",
		"09 receipt sten@fens.example":    "There is no deadline now.",
		"11 receipt agnes@fens.example":   "Agnes has to release all vassals in HL3; if not, they are free then anyway. When: Sunday, 17 May 2026, 15:00",
		"12 reminder warden@fens.example": "Duel 1 (Hugh against Agnes, HL3) falls due",
		"12 reminder hugh@fens.example":   "Duel 1 (Hugh against Agnes, HL3) falls due",
		"12 reminder agnes@fens.example":  "Agnes has to release all vassals in HL3",
	} {
		if !strings.Contains(texts[mail], want) {
			t.Errorf("%s does not say %q:\n%s", mail, want, texts[mail])
		}
	}
	for mail, text := range texts {
		if !strings.Contains(mail, "agnes@") && !strings.Contains(mail, "warden@") && strings.Contains(text, "has to release") {
			t.Errorf("%s tells of somebody else's window:\n%s", mail, text)
		}
	}
}

// TestUnclearOrdersComeBackReady looks at receipts of orders that leave open which Land or which duel they mean.
func TestUnclearOrdersComeBackReady(t *testing.T) {
	var o outcome
	if err := json.Unmarshal(played(t, "testdata/scenarios/several.txtar"), &o); err != nil {
		t.Fatal(err)
	}
	reasons := map[string]string{}
	for _, s := range o.Steps {
		for _, r := range s.Orders {
			reasons[r.Line] = r.Reason
		}
	}
	for line, want := range map[string]string{
		"CHALLENGE Wanda FOR VASSALAGE": "Please name the Land, one of HL2 and HL3, for example IN HL2. Ready to send:\n> CHALLENGE Wanda IN HL2 FOR VASSALAGE\n> CHALLENGE Wanda IN HL3 FOR VASSALAGE",
		"ОТЛОЖИТЬ ДУЭЛЬ НА 5 ДНЕЙ":      "Речь может идти о нескольких дуэлях. Добавьте номер, один из этих: 1 и 2, например ДУЭЛЬ 1. Можно отправить так:\n> ОТЛОЖИТЬ ДУЭЛЬ 1 НА 5 ДНЕЙ\n> ОТЛОЖИТЬ ДУЭЛЬ 2 НА 5 ДНЕЙ",
		"ВСТАВИТЬ Лодка В ДУЭЛЬ":        "Речь может идти о нескольких дуэлях. Добавьте номер, один из этих: 1 и 2, например ДУЭЛЬ 1. Можно отправить так:\n> ВСТАВИТЬ Лодка В ДУЭЛЬ 1\n> ВСТАВИТЬ Лодка В ДУЭЛЬ 2",
		"RESULT DUEL DRAW":              "Several duels may be meant. Please add its number, one of 1 and 2, for example DUEL 1. Ready to send:\n> RESULT DUEL 1 DRAW\n> RESULT DUEL 2 DRAW",
	} {
		if got := reasons[line]; got != want {
			t.Errorf("%s\n got %q\nwant %q", line, got, want)
		}
	}
}

func TestMalformedScenarios(t *testing.T) {
	game := "-- game.toml --\nname = \"x\"\nruleset = \"heroeslands\"\ngm = { nick = \"J\", email = \"j@x.example\" }\n[world]\nlands = [\"HL2\"]\n"
	for text, want := range map[string]string{
		"":                                     "the first file must be game.toml",
		"-- 01 2026-01-01T00:00:00Z tick --\n": "the first file must be game.toml",
		game + "sum = 1\n":                     "game.toml:6: world.sum: this key is not known here",
		game + "[world.inhabitants.A]\nfeuds = { HL2 = [\"Fen\"] }\n[world.inhabitants.B]\nfeuds = { HL2 = [\n\"Moor\",\n\"Fen\"] }\n": "game.toml:11: world.inhabitants.B.feuds.HL2[1]: the feud \"Fen\" stands twice in HL2; A has it already (world.inhabitants.A.feuds.HL2[0], line 7)",
		strings.Replace(game, "name", "nmae", 1):                                          "game.toml:1: nmae: this key is not known here",
		strings.Replace(game, "HL2", "", 1):                                               "game.toml:",
		game + "-- 01 --\n":                                                               "step 01: write its header as",
		game + "-- 01 yesterday tick --\n":                                                "step 01: \"yesterday\" is no time",
		game + "-- 01 2026-01-01T00:00:00Z fax --\n":                                      "step 01: \"fax\" is no kind of step",
		game + "-- 01 2026-01-01T00:00:00Z tick --\n-- 01 2026-01-02T00:00:00Z tick --\n": "step 01: the id is used twice",
		game + "-- 01 2026-01-02T00:00:00Z tick --\n-- 02 2026-01-01T00:00:00Z tick --\n": "step 02: 2026-01-01T00:00:00Z is earlier",
		game + "-- 01 2026-01-01T00:00:00Z mail --\nhello\n":                              "step 01: the mail has no fields",
		game + "-- 01 2026-01-01T00:00:00Z post --\nSubject: hello\n\n":                   "step 01: the post has no author",
	} {
		file := filepath.Join(t.TempDir(), "s.txtar")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := string(simulated(t, 2, "--json", file)); !strings.Contains(got, want) || !strings.Contains(got, "s.txtar") {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	if got := string(simulated(t, 2, "nowhere.txtar")); !strings.Contains(got, "nowhere.txtar") {
		t.Error(got)
	}
}

// TestSimulateHaltsWhereSomethingFallsDue: what falls due between two steps is told at its own instant, and its rules
// see the engine come in time.
func TestSimulateHaltsWhereSomethingFallsDue(t *testing.T) {
	file := "testdata/scenarios/duel.txtar"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := readScenario(file, data)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlay(t.Context(), s, all.Rulesets)
	if err != nil {
		t.Fatal(err)
	}
	defer p.db.Close()
	told := map[time.Time]bool{}
	for _, st := range s.steps {
		sc, err := p.step(t.Context(), st)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range sc.Out {
			told[it.At] = true
		}
	}
	inputs, err := turns.Inputs(t.Context(), p.db.Read(), p.game, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	due := 0
	for _, in := range inputs {
		if in.Kind != "due" {
			continue
		}
		due++
		if strings.Contains(string(in.Body), `"Now"`) || !told[in.At] {
			t.Errorf("%s at %s: told then: %v", in.Body, in.At, told[in.At])
		}
	}
	if due == 0 {
		t.Error("nothing fell due")
	}
}
