package rulestest

import (
	"strings"
	"time"

	"pgregory.net/rapid"

	"arroba/orders"
	"arroba/rules"
)

// random draws a play that goes on where another ends: orders made of the grammar and of what may be named, words of the
// engine's, and time that passes.
func (s *Suite) random(t *rapid.T, p Play) Play {
	g := Open(t, s.r, p.World)
	at := p.World.Start
	steps := append([]Step{}, p.Steps...)
	for _, step := range p.Steps {
		at = step.At
		g.Until(at)
		g.do(step)
		g.read(step)
	}
	for range rapid.IntRange(1, 25).Draw(t, "steps") {
		at = at.Add(time.Duration(rapid.SampledFrom([]int{0, 0, 1, 7, 24, 60}).Draw(t, "hours")) * time.Hour)
		g.Until(at)
		step := s.draw(t, g, at)
		step.Late = rapid.IntRange(0, 9).Draw(t, "late") == 0
		g.do(step)
		g.read(step)
		steps = append(steps, step)
	}
	p.Steps = steps
	return p
}

// controls are the engine's orders, those of rounds the likeliest.
var controls = []string{rules.Ready, rules.Ready, rules.Ready, rules.Wait, rules.Cancel, rules.Cancel, rules.Close, rules.SetDeadline, rules.SetDeadline,
	rules.Hold, rules.Shift, rules.Shift, rules.Reopen}

func (s *Suite) draw(t *rapid.T, g *Game, at time.Time) Step {
	step := Step{At: at, By: string(rapid.SampledFrom(g.w.Members).Draw(t, "member").Seat), Post: rapid.IntRange(0, 5).Draw(t, "post") == 0}
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
	case 1, 2:
		c := rules.Control{Kind: rapid.SampledFrom(controls).Draw(t, "control"), N: rapid.IntRange(0, 5).Draw(t, "n")}
		if c.Kind == rules.SetDeadline {
			c.By = time.Duration(rapid.IntRange(-20, 60).Draw(t, "by")) * time.Hour
		}
		step.Control = c
	default:
		step.Line = s.line(t, g, at)
	}
	return step
}

// line draws a line that fits a form.
func (s *Suite) line(t *rapid.T, g *Game, at time.Time) string {
	names, err := g.State.Names()
	if err != nil {
		t.Fatal(err)
	}
	form := rapid.SampledFrom(s.r.Grammar.Forms()).Draw(t, "form").ID
	lang := rapid.SampledFrom(languages).Draw(t, "language")
	args := map[string]string{}
	for _, slot := range s.r.Grammar.Slots(form, lang) {
		if slot.Optional && rapid.Bool().Draw(t, "left out") {
			continue
		}
		if text := value(t, slot.Kind, names, at); text != "" {
			args[slot.Name] = text
		}
	}
	return s.r.Grammar.Fill(form, lang, args)
}

// value draws what fills a slot, "" when there is nothing.
func value(t *rapid.T, kind string, names orders.Lexicon, at time.Time) string {
	switch kind {
	case "number":
		return rapid.SampledFrom([]string{"0", "1", "2", "3", "5", "7", "12", "500", "-1"}).Draw(t, "number")
	case "date":
		return at.AddDate(0, 0, rapid.IntRange(-3, 90).Draw(t, "days")).Format("2006-01-02")
	case "duration":
		return rapid.SampledFrom([]string{"90m", "36h", "2d"}).Draw(t, "duration")
	case "address":
		return "somebody@example.org"
	case "word", "title", "text":
		return rapid.SampledFrom([]string{"heron", "kestrel", "цапля"}).Draw(t, "word")
	}
	var all []string
	for one := range strings.SplitSeq(kind, "|") {
		if list := names[one]; list != nil {
			all = append(all, list.IDs()...)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return rapid.SampledFrom(all).Draw(t, kind)
}
