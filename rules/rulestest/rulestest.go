package rulestest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"text/template/parse"
	"time"

	"arroba/rules"
)

// Play is a game with what happens in it, for Run.
type Play struct {
	Name  string
	World rules.World
	Steps []Step // in order of time
}

// Step is a line that somebody sends; with no line only time passes.
type Step struct {
	At   time.Time
	By   string
	Line string
	Post bool
}

// Run looks whether a ruleset keeps the promises that the engine relies on. Reasons are the names of the texts of its
// refusals and unclear orders ("refused HL-33 pair", "unclear which-land").
func Run(t *testing.T, r *rules.Ruleset, reasons []string, plays []Play) {
	t.Helper()
	texts := Texts(r)
	t.Run("every form can be said and is explained in every language", func(t *testing.T) { forms(t, r) })
	t.Run("every reason has its text", func(t *testing.T) {
		for _, name := range reasons {
			texts.need(t, name)
		}
	})
	for _, p := range plays {
		t.Run(p.Name, func(t *testing.T) { Keep(t, r, texts, p) })
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

// TextNames are the names of a ruleset's texts, by language.
type TextNames map[string]map[string]bool

// Texts reads the names of all texts of a ruleset. It panics when they cannot be read.
func Texts(r *rules.Ruleset) TextNames {
	names := TextNames{}
	for _, lang := range languages {
		names[lang] = map[string]bool{}
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
				names[lang][name] = true
			}
		}
	}
	return names
}

// need says which languages lack a text.
func (n TextNames) need(t T, name string) {
	t.Helper()
	for _, lang := range languages {
		if !n[lang][name] {
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

// Keep plays one game and looks at every step: events have an audience and texts, a refusal changes nothing and has its
// text, a state decoded afresh plays on to the same bytes, and so does the same game once more.
func Keep(t T, r *rules.Ruleset, texts TextNames, p Play) {
	t.Helper()
	live := Open(t, r, p.World)
	fresh := Open(t, r, p.World)
	fresh.fresh = true
	same(t, "opening", live, fresh, live.Start, fresh.Start)
	for _, s := range p.Steps {
		what := fmt.Sprintf("%s: %s: %s", s.At.Format(time.RFC3339), s.By, s.Line)
		due, dueFresh := live.Until(s.At), fresh.Until(s.At)
		for _, h := range due {
			look(t, texts, what, h.Events)
		}
		same(t, what, live, fresh, due, dueFresh)
		if s.Line == "" {
			continue
		}
		before := live.Bytes()
		via := map[bool]string{true: "post", false: "mail"}[s.Post]
		a, b := live.take(s.At, s.By, s.Line, via), fresh.take(s.At, s.By, s.Line, via)
		look(t, texts, what, a.Events)
		if a.Order != nil && !a.OK() {
			texts.need(t, ReasonText(a.Rule, a.Why))
			if live.Bytes() != before {
				t.Fatalf("%s: it was not accepted (%s %s), and changed the state", what, a.Rule, a.Why)
			}
			if len(a.Events) > 0 {
				t.Fatalf("%s: it was not accepted (%s %s), and made events %v", what, a.Rule, a.Why, Types(a.Events))
			}
		}
		same(t, what, live, fresh, a, b)
	}
	views(t, live)
}

// look looks at events.
func look(t T, texts TextNames, what string, ev []rules.Event) {
	t.Helper()
	for _, e := range ev {
		if to := e.To; !to.Tavern && !to.GM && !to.Copies && len(to.Members) == 0 {
			t.Fatalf("%s: nobody may learn of %s", what, e.Type)
		}
		if e.Rule == "" {
			t.Errorf("%s: %s names no rule", what, e.Type)
		}
		texts.need(t, e.Type)
		texts.need(t, e.Type+" headline")
	}
}

// same looks whether two games stand alike and had the same answers.
func same(t T, what string, live, fresh *Game, a, b any) {
	t.Helper()
	if x, y := asJSON(t, a), asJSON(t, b); x != y {
		t.Fatalf("%s: a state decoded afresh answers otherwise:\n%s\n%s", what, x, y)
	}
	if x, y := live.Bytes(), fresh.Bytes(); x != y {
		t.Fatalf("%s: a state decoded afresh plays on otherwise:\n%s\n%s", what, x, y)
	}
}

func asJSON(t T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// views looks whether every viewer's view is JSON.
func views(t T, g *Game) {
	t.Helper()
	viewers := []rules.Viewer{{}, {GM: true}}
	for _, m := range g.w.Members {
		viewers = append(viewers, rules.Viewer{Seat: m.Seat})
	}
	for _, v := range viewers {
		out, err := g.State.View(v)
		if err != nil {
			t.Fatal(err)
		}
		asJSON(t, out)
		pictures, err := g.State.Pictures(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pictures {
			if p.Name == "" || p.Width <= 0 || p.Height <= 0 {
				t.Errorf("picture %q of %v by %v has no name or no size", p.Name, p.Width, p.Height)
			}
		}
	}
}
