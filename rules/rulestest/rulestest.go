package rulestest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"text/template/parse"
	"time"

	"pgregory.net/rapid"

	"arroba/rules"
	"arroba/templates"
)

// Play is a game with what happens in it.
type Play struct {
	Name    string
	World   rules.World
	Steps   []Step // in order of time
	Secrets []Secret
}

// Step is a line that somebody sends, or one of the engine's orders; with neither only time passes.
type Step struct {
	At      time.Time
	By      string
	Line    string
	Post    bool
	More    bool // the letter goes on with the next step
	Control rules.Control
	Late    bool // the engine comes only now to what fell due
}

func (s Step) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s: %s: %s %s", s.At.Format(time.RFC3339), s.By, s.Line, s.Control.Kind))
}

// Secret is something that only few may know, put into a play by its world or a step: whatever somebody else is shown
// must not hold its marker.
type Secret struct {
	Marker string
	Knows  []rules.Seat // besides the GM
}

func (s Secret) knownTo(v rules.Viewer) bool {
	return v.GM || v.Seat != "" && slices.Contains(s.Knows, v.Seat)
}

// Run looks whether a ruleset keeps the promises that the engine relies on: in each of the plays, several times over, and
// in plays that go on from their worlds at random. Reasons are the names of the texts of its refusals and unclear orders
// ("refused HL-33 pair", "unclear which-land").
func Run(t *testing.T, r *rules.Ruleset, reasons []string, plays []Play) {
	t.Helper()
	s := NewSuite(r)
	t.Run("every form can be said and is explained in every language", func(t *testing.T) { forms(t, r) })
	t.Run("every reason has its text", func(t *testing.T) {
		for _, name := range reasons {
			s.need(t, name)
		}
	})
	for _, p := range plays {
		t.Run(p.Name, func(t *testing.T) {
			for range 5 {
				s.Keep(t, p)
			}
		})
		t.Run(p.Name+", and then at random", func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { s.Keep(t, s.random(t, p)) })
		})
	}
}

// languages are those that every text is written in.
var languages = []string{"en", "ru"}

// forms looks at the patterns and help of every form.
func forms(t *testing.T, r *rules.Ruleset) {
	for _, f := range r.Grammar.Forms() {
		for _, lang := range languages {
			if len(f.Say[lang]) == 0 {
				t.Errorf("form %s cannot be said in %s", f.ID, lang)
			}
			if f.Help[lang] == "" {
				t.Errorf("form %s is not explained in %s", f.ID, lang)
			}
		}
		if f.Rule == "" || f.Who == "" {
			t.Errorf("form %s names no rule, or not who may give it", f.ID)
		}
	}
}

// Suite holds a ruleset against its promises.
type Suite struct {
	r     *rules.Ruleset
	texts *templates.Texts
	names map[string]map[string]bool // of the ruleset's own texts, by language
}

// NewSuite reads a ruleset's texts. It panics when they cannot be read.
func NewSuite(r *rules.Ruleset) *Suite {
	texts, err := templates.New(r, r.Grammar)
	if err != nil {
		panic(err)
	}
	s := &Suite{r: r, texts: texts, names: map[string]map[string]bool{}}
	for _, lang := range languages {
		s.names[lang] = map[string]bool{}
		files, err := fs.Glob(r.Texts, lang+"/*.tmpl")
		if err != nil {
			panic(err)
		}
		for _, file := range files {
			b, err := fs.ReadFile(r.Texts, file)
			if err != nil {
				panic(err)
			}
			tree := parse.New(path.Base(file))
			tree.Mode = parse.SkipFuncCheck
			trees := map[string]*parse.Tree{}
			if _, err := tree.Parse(string(b), "", "", trees); err != nil {
				panic(file + ": " + err.Error())
			}
			for name := range trees {
				s.names[lang][name] = true
			}
		}
	}
	return s
}

// need says which languages lack a text of the ruleset's own.
func (s *Suite) need(t T, name string) {
	t.Helper()
	for _, lang := range languages {
		if !s.names[lang][name] {
			t.Errorf("there is no text %q in %s", name, lang)
		}
	}
}

// ReasonText is the name of the text of a ruling that is not an acceptance.
func ReasonText(rule, why string) string {
	if rule == "" {
		return "unclear " + why
	}
	return strings.TrimSpace("refused " + rule + " " + why)
}

// moment is what came of a step, and the state after it.
type moment struct{ what, answer, state string }

// Keep plays one game and looks at every step. Played again it must come out the same, also when the state is decoded
// afresh before every step.
func (s *Suite) Keep(t T, p Play) {
	t.Helper()
	live := s.play(t, p, &watch{Suite: s, T: t, p: p, asked: map[string][]rules.Seat{}}, false)
	for _, fresh := range []bool{true, false} {
		how := map[bool]string{true: "a state decoded afresh", false: "the same play once more"}[fresh]
		for i, m := range s.play(t, p, nil, fresh) {
			if m.answer != live[i].answer {
				t.Fatalf("%s: %s answers otherwise:\n%s\n%s", m.what, how, live[i].answer, m.answer)
			}
			if m.state != live[i].state {
				t.Fatalf("%s: %s plays on otherwise:\n%s\n%s", m.what, how, live[i].state, m.state)
			}
		}
	}
}

// play plays a game, watched or not.
func (s *Suite) play(t T, p Play, w *watch, fresh bool) (moments []moment) {
	t.Helper()
	g := Open(t, s.r, p.World)
	g.fresh = fresh
	came := func(what string, answer any) {
		moments = append(moments, moment{what, asJSON(t, answer), g.Bytes()})
	}
	came("opening", g.Start)
	w.happened("opening", g.Start)
	w.look(g)
	for i, step := range p.Steps {
		if g.late = (time.Time{}); step.Late {
			g.late = step.At
		}
		var due []Happened
		if i == 0 || !p.Steps[i-1].More { // nothing falls due in the midst of a letter
			due = g.Until(step.At)
		}
		came(step.String(), due)
		for _, h := range due {
			w.happened(step.String(), h.Events)
		}
		before := w.bytes(g)
		a := g.do(step)
		w.answered(g, step, a, before)
		more := g.read(step)
		w.happened(step.String(), more)
		a.Events = append(a.Events, more...)
		came(step.String(), a)
		w.look(g)
	}
	w.end()
	return moments
}

// do does what a step says.
func (g *Game) do(s Step) (a Answer) {
	switch {
	case s.Control.Kind != "":
		return g.Control(s.At, s.By, s.Control)
	case s.Line != "":
		return g.take(s)
	}
	return a
}

func asJSON(t T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// readers are those that every text is told.
var readers = []templates.Reader{{Language: "en", Zone: time.UTC}, {Language: "ru", Zone: time.UTC}}

// readable complains of what no reader should see.
func readable(t T, name, text string, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, bad := range []string{"<no value>", "<nil>", "map[", "%!", "{{"} {
		if strings.Contains(text, bad) {
			t.Errorf("%s: %q in %q", name, bad, text)
		}
	}
	if text == "" {
		t.Errorf("%s: the text is empty", name)
	}
}
