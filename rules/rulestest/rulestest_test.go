package rulestest

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// tally is the state of a ruleset for the suite's own tests. The order COUNT counts, REFUSE is refused.
type tally struct {
	N      int
	Secret string // of Oleg's
	Line   string // of the last COUNT, which is kept
	Counts []int
	hidden int
}

// faults are the ways in which that ruleset may break its promises.
type faults struct {
	nobody   bool // an event without an audience
	ruleless bool // an event without a rule
	leaves   bool // a refusal that changes the state
	tells    bool // a refusal with an event
	hides    bool // a state with more in it than is kept
	chance   bool // other answers the second time
	scrawls  bool // a letter that is changed
	looks    bool // a view that changes the state
	shows    bool // a view that shows a secret
	blabs    bool // an event that tells one
	proposes bool // names that hold one
	peeks    bool // a view that shows orders of others
	borrows  bool // an event that holds a piece of the state
	holds    bool // a hold that changes something
}

var chances int

func tallying(f faults, texts string) *rules.Ruleset {
	return rules.New(rules.Rules[*tally]{
		Name: "tally",
		Grammar: orders.MustGrammar(orders.Spec{Forms: []orders.Form{
			{ID: "count", Rule: "T-1", Who: "player", Say: map[string][]string{"en": {"COUNT"}, "ru": {"СЧИТАТЬ"}}, Help: map[string]string{"en": "Counts.", "ru": "Считает."}},
			{ID: "refuse", Rule: "T-2", Who: "player", Say: map[string][]string{"en": {"REFUSE"}, "ru": {"ОТКАЗ"}}, Help: map[string]string{"en": "Is refused.", "ru": "Отклоняется."}},
		}}),
		Texts: fstest.MapFS{"en/all.tmpl": {Data: []byte(texts)}, "ru/all.tmpl": {Data: []byte(texts)}},
		Open: func(rules.World, *rules.Dice) (*tally, []rules.Event, error) {
			return &tally{Secret: "weasel", Counts: []int{0}}, nil, nil
		},
		Names: func(s *tally) orders.Lexicon {
			secrets := &orders.Names{Quiet: !f.proposes}
			secrets.Add(s.Secret)
			return orders.Lexicon{"secret": secrets}
		},
		Take: func(s *tally, o orders.Order, e rules.Env) (*tally, []rules.Event, rules.Ruling) {
			counted := rules.Event{Type: "counted", Rule: "T-1", To: rules.Audience{GM: !f.nobody}, Data: rules.Data{"n": s.N}}
			if f.ruleless {
				counted.Rule = ""
			}
			if o.Form == "refuse" {
				var ev []rules.Event
				if f.leaves {
					s.N++
				}
				if f.tells {
					ev = append(ev, counted)
				}
				return s, ev, rules.Refuse("T-2", "", nil)
			}
			s.N++
			s.Counts[0]++
			s.Line = o.Line
			if f.scrawls {
				e.Letter.Lines[0] = "mine"
			}
			if f.blabs {
				counted.Data["secret"], counted.To.Members = s.Secret, []rules.Seat{"Boris"}
			}
			if f.borrows {
				counted.Data["counts"] = s.Counts
			}
			if f.hides {
				s.hidden++
				counted.Data["n"] = s.hidden
			}
			if f.chance {
				chances++
				s.N = chances
			}
			return s, []rules.Event{counted}, rules.Accept("T-1")
		},
		Next: func(s *tally) (rules.Due, bool) {
			return rules.Due{At: time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC), Kind: "reset", After: true}, s.N == 2
		},
		Fire: func(s *tally, _ rules.Due, _ rules.Env) (*tally, []rules.Event) {
			s.N = 100
			return s, []rules.Event{{Type: "counted", Rule: "T-1", To: rules.Audience{GM: true}, Data: rules.Data{"n": s.N}}}
		},
		Control: func(s *tally, c rules.Control, _ rules.Env) (*tally, []rules.Event, rules.Ruling) {
			if f.holds {
				s.Counts[0]--
			}
			return s, nil, rules.Accept("")
		},
		Kept: func(s *tally, v rules.Viewer) (list []rules.Kept) {
			if v.GM && s.Line != "" {
				list = append(list, rules.Kept{N: 1, Line: s.Line})
			}
			return list
		},
		View: func(s *tally, v rules.Viewer) any {
			if f.looks {
				s.N++
			}
			view := map[string]any{"n": s.N, "counts": s.Counts}
			if v.GM || f.shows {
				view["secret"] = s.Secret
			}
			if f.peeks {
				view["last"] = s.Line
			}
			return view
		},
	})
}

// recorder hears what a test would be told.
type recorder struct{ said []string }

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatal(args ...any) { r.Fatalf("%s", fmt.Sprint(args...)) }

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	panic(r)
}

// kept holds a ruleset against the promises and returns the complaints.
func kept(r *rules.Ruleset) (said string) {
	rec := &recorder{}
	defer func() {
		if v := recover(); v != nil && v != rec {
			panic(v)
		}
		said = strings.Join(rec.said, "\n")
	}()
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	NewSuite(r).Keep(rec, Play{World: World("[world]\n", Members("Oleg", "Boris")...), Secrets: []Secret{{"weasel", []rules.Seat{"Oleg"}}}, Steps: []Step{
		{At: day(1), By: "Oleg", Line: "REFUSE"}, {At: day(2), By: "Oleg", Line: "COUNT"},
		{At: day(2), By: "Oleg", Line: "COUNT"}, {At: day(3), By: "Oleg", Line: "good morning"}, {At: day(4)},
	}})
	return ""
}

const allTexts = `{{define "counted"}}Counted: {{number .n}}.{{end}}{{define "counted headline"}}counted{{end}}{{define "refused T-2"}}No.{{end}}`

func TestKeep(t *testing.T) {
	for _, c := range []struct {
		name  string
		f     faults
		texts string
		want  string // in the complaint, "" for none
	}{
		{"a good ruleset", faults{}, allTexts, ""},
		{"nobody is told", faults{nobody: true}, allTexts, "nobody may learn of counted"},
		{"no rule", faults{ruleless: true}, allTexts, "names no rule"},
		{"a refusal that changes", faults{leaves: true}, allTexts, "changed the state"},
		{"a refusal that tells", faults{tells: true}, allTexts, "made events"},
		{"a state that is not kept", faults{hides: true}, allTexts, "answers otherwise"},
		{"chance", faults{chance: true}, allTexts, "plays on otherwise"},
		{"a letter that is changed", faults{scrawls: true}, allTexts, "the order or its letter was changed"},
		{"a view that changes the state", faults{looks: true}, allTexts, "changed by looking"},
		{"a view that shows a secret", faults{shows: true}, allTexts, `Boris is shown "weasel"`},
		{"an event that tells a secret", faults{blabs: true}, allTexts, `counted tells "weasel" to others than [Oleg]`},
		{"names that hold a secret", faults{proposes: true}, allTexts, `whether he meant the secret "weasel"`},
		{"a view of others' orders", faults{peeks: true}, allTexts, `is shown the kept order "COUNT" of somebody else`},
		{"an event that holds a piece of the state", faults{borrows: true}, allTexts, "changed later"},
		{"a hold that changes something", faults{holds: true}, allTexts, "a hold of no length"},
		{"no text of an event", faults{}, `{{define "counted headline"}}x{{end}}{{define "refused T-2"}}No.{{end}}`, `no text "counted" in "ru"`},
		{"no headline", faults{}, `{{define "counted"}}x{{end}}{{define "refused T-2"}}No.{{end}}`, `no text "counted headline"`},
		{"no text of a refusal", faults{}, `{{define "counted"}}x{{end}}{{define "counted headline"}}x{{end}}`, `no text "refused T-2"`},
		{"a text that fails on its data", faults{}, strings.Replace(allTexts, ".n", ".m", 1), `no entry for key "m"`},
		{"a text that shows what nobody reads", faults{}, strings.Replace(allTexts, "{{number .n}}", "{{.}}", 1), `"map["`},
	} {
		t.Run(c.name, func(t *testing.T) {
			said := kept(tallying(c.f, c.texts))
			if c.want == "" && said != "" || !strings.Contains(said, c.want) {
				t.Errorf("it was said: %s", said)
			}
		})
	}
}

func TestRun(t *testing.T) {
	Run(t, tallying(faults{}, allTexts), []string{"refused T-2"}, []Play{{Name: "nothing happens", World: World("[world]\n", Members("Oleg")...)}})
}

func TestWorldIsStrict(t *testing.T) {
	var into struct {
		Lands []string `toml:"lands"`
	}
	if err := World("[world]\nlands = [\"A\"]\n").Decode(&into); err != nil || len(into.Lands) != 1 {
		t.Errorf("%v %v", into, err)
	}
	if err := World("[world]\nlands = [\"A\"]\nseas = 1\n").Decode(&into); err == nil {
		t.Error("an unknown key was taken")
	}
}
