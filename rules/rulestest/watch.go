package rulestest

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"arroba/rules"
)

// watch looks at a play as it goes on. A nil one does not look.
type watch struct {
	*Suite
	T
	p      Play
	events []told // with what they said when they happened
	found  map[string]bool
	seen   string                  // the state that was looked at last
	asked  map[string][]rules.Seat // of a kept order: whose word it waits for, who know it therefore
}

type told struct {
	events []rules.Event
	was    string
}

func (w *watch) bytes(g *Game) string {
	if w == nil {
		return ""
	}
	return g.Bytes()
}

// happened looks at events: each has an audience, a rule, texts that can be told, and no secret for anybody else.
func (w *watch) happened(what string, ev []rules.Event) {
	if w == nil || len(ev) == 0 {
		return
	}
	w.Helper()
	w.events = append(w.events, told{ev, asJSON(w, ev)})
	for _, e := range ev {
		if to := e.To; !to.Tavern && !to.GM && !to.Copies && len(to.Members) == 0 {
			w.Fatalf("%s: nobody may learn of %s", what, e.Type)
		}
		if e.Rule == "" {
			w.Errorf("%s: %s names no rule", what, e.Type)
		}
		if line, ok := e.Data["line"].(string); ok && len(e.To.Asked) > 0 {
			w.asked[line] = append(w.asked[line], e.To.Asked...)
		}
		data := throughJSON(w, e.Data)
		all := asJSON(w, e.Data)
		for _, r := range readers {
			text, err := w.texts.Event(r, e.Type, w.p.World.Start, data)
			readable(w, what, text, err)
			head, err := w.texts.Headline(r, e.Type, w.p.World.Start, data)
			readable(w, what, head, err)
			all += text + head
		}
		for _, secret := range w.secrets(all) {
			if to := e.To; to.Tavern || to.Copies || slices.ContainsFunc(to.Members, func(s rules.Seat) bool { return !slices.Contains(secret.Knows, s) }) {
				w.Errorf("%s: %s tells %q to others than %v", what, e.Type, secret.Marker, secret.Knows)
			}
		}
	}
}

func throughJSON(t T, data rules.Data) (back rules.Data) {
	t.Helper()
	if err := json.Unmarshal([]byte(asJSON(t, data)), &back); err != nil {
		t.Fatal(err)
	}
	return back
}

// secrets returns those whose marker stands in a text.
func (w *watch) secrets(text string) (list []Secret) {
	for _, s := range w.p.Secrets {
		if strings.Contains(text, s.Marker) {
			list = append(list, s)
			if w.found == nil {
				w.found = map[string]bool{}
			}
			w.found[s.Marker] = true
		}
	}
	return list
}

// answered looks at what became of an order: one that was not accepted changes nothing, tells nothing and has its reason.
func (w *watch) answered(g *Game, step Step, a Answer, before string) {
	if w == nil {
		return
	}
	w.Helper()
	what := step.String()
	w.happened(what, a.Events)
	if a.Verdict == "" || a.Order == nil && step.Control.Kind == "" {
		return // only time passed, or it was no order
	}
	if kind := step.Control.Kind; !a.OK() && (kind == rules.Hold || kind == rules.Shift || kind == rules.Reopen) {
		w.Errorf("%s: it was refused, and is the engine's to say", what)
	}
	if !a.OK() || a.Why != "" {
		for _, r := range readers {
			text, err := w.texts.Reason(r, a.Ruling)
			readable(w, what, text, err)
		}
	}
	if a.OK() {
		return
	}
	if g.Bytes() != before {
		w.Fatalf("%s: it was not accepted (%s %s), and changed the state", what, a.Rule, a.Why)
	}
	if len(a.Events) > 0 {
		w.Fatalf("%s: it was not accepted (%s %s), and made events %v", what, a.Rule, a.Why, Types(a.Events))
	}
}

// look looks at a state as everybody sees it, when it is another than before. To look changes nothing.
func (w *watch) look(g *Game) {
	if w == nil {
		return
	}
	w.Helper()
	before := g.Bytes()
	if before == w.seen {
		return
	}
	w.seen = before
	kept := w.must(g.State.Kept(rules.Viewer{GM: true}))
	for _, v := range w.viewers() {
		view := w.shown(g, v)
		for _, secret := range w.secrets(view) {
			if !secret.knownTo(v) {
				w.Errorf("%s is shown %q", who(v), secret.Marker)
			}
		}
		for _, k := range kept {
			if !v.GM && !slices.Contains(g.given[k.Line], v.Seat) && !slices.Contains(w.asked[k.Line], v.Seat) && strings.Contains(view, k.Line) {
				w.Errorf("%s is shown the kept order %q of somebody else", who(v), k.Line)
			}
		}
	}
	w.proposed(g)
	if g.Bytes() != before {
		w.Fatalf("the state was changed by looking at it")
	}
	w.controlled(g)
}

func (w *watch) must(list []rules.Kept, err error) []rules.Kept {
	if err != nil {
		w.Fatal(err)
	}
	return list
}

// viewers are all who may look: nobody in particular, each member, the GM.
func (w *watch) viewers() []rules.Viewer {
	list := []rules.Viewer{{}, {GM: true}}
	for _, m := range w.p.World.Members {
		list = append(list, rules.Viewer{Seat: m.Seat, GM: m.Role == rules.GM})
	}
	return list
}

// who names a viewer.
func who(v rules.Viewer) string {
	switch {
	case v.GM:
		return "the GM"
	case v.Seat == "":
		return "everybody"
	}
	return string(v.Seat)
}

// shown is all that a viewer is shown, in one text.
func (w *watch) shown(g *Game, v rules.Viewer) string {
	view, err := g.State.View(v)
	if err != nil {
		w.Fatal(err)
	}
	pictures, err := g.State.Pictures(v)
	if err != nil {
		w.Fatal(err)
	}
	for _, p := range pictures {
		if p.Name == "" || p.Width <= 0 || p.Height <= 0 {
			w.Errorf("picture %q of %v by %v has no name or no size", p.Name, p.Width, p.Height)
		}
	}
	kept := w.must(g.State.Kept(v))
	return asJSON(w, []any{view, pictures, kept}) + w.deadlines(g, v) + w.offers(g, v)
}

// deadlines tells a viewer of his deadlines.
func (w *watch) deadlines(g *Game, v rules.Viewer) string {
	list, err := g.State.Waits(v)
	if err != nil {
		w.Fatal(err)
	}
	all := asJSON(w, list)
	for i, d := range list {
		if i > 0 && d.At.Before(list[i-1].At) {
			w.Errorf("the deadline %s comes before one that is later", d.Kind)
		}
		data := throughJSON(w, d.Data)
		if data == nil {
			data = rules.Data{}
		}
		data["at"] = d.At
		for _, r := range readers {
			text, err := w.texts.Say(r, "deadline "+d.Kind, map[string]any(data))
			readable(w, "deadline "+d.Kind, text, err)
			all += text
		}
	}
	return all
}

// offers writes what a viewer could order.
func (w *watch) offers(g *Game, v rules.Viewer) (all string) {
	list, err := g.State.Offers(v)
	if err != nil {
		w.Fatal(err)
	}
	for _, o := range list {
		for _, lang := range languages {
			line := w.r.Grammar.Fill(o.Form, lang, o.Args)
			if line == "" {
				w.Errorf("there is no form %q to be offered", o.Form)
			}
			for slot, text := range o.Args {
				if !strings.Contains(line, text) {
					w.Errorf("%q: the form %s has no place for %s, %q", line, o.Form, slot, text)
				}
			}
			all += line + "\n"
		}
	}
	return all
}

// proposed looks whether a secret could be proposed to whoever writes something like it.
func (w *watch) proposed(g *Game) {
	names, err := g.State.Names()
	if err != nil {
		w.Fatal(err)
	}
	for kind, list := range names {
		for _, s := range w.p.Secrets {
			if !list.Quiet && slices.ContainsFunc(list.IDs(), func(id string) bool { return strings.Contains(id, s.Marker) }) {
				w.Errorf("anybody may be asked whether he meant the %s %q", kind, s.Marker)
			}
		}
	}
}

// hold is how long a game is held to see what comes of it.
const hold = 5 * time.Hour

// controlled looks at what the engine's holds and going back do, on copies of a state: a hold that is over at once changes
// nothing; one that lasts moves what falls due by no more than its length and leaves the orders; and so does a phase that
// is begun anew.
func (w *watch) controlled(g *Game) {
	if !g.held.IsZero() {
		return
	}
	before := w.standing(g)
	c := g.copy()
	c.Control(g.past, "", rules.Control{Kind: rules.Hold})
	c.Control(g.past, "", rules.Control{Kind: rules.Shift})
	if after := w.standing(c); after != before {
		w.Errorf("a hold of no length changed something:\n%s\n%s", before, after)
	}
	next, ok, err := g.State.Next()
	if err != nil {
		w.Fatal(err)
	}
	c = g.copy()
	c.Control(g.past, "", rules.Control{Kind: rules.Hold})
	c.Control(g.past.Add(hold), "", rules.Control{Kind: rules.Shift})
	later, still, err := c.State.Next()
	if err != nil {
		w.Fatal(err)
	}
	if ok != still || ok && (later.At.Before(next.At) || later.At.After(next.At.Add(hold))) {
		w.Errorf("%s falls due at %v, and at %v after a hold of %v", next.Kind, next.At, later.At, hold)
	}
	kept := asJSON(w, w.must(g.State.Kept(rules.Viewer{GM: true})))
	c = g.copy()
	c.Control(g.past.Add(hold), "", rules.Control{Kind: rules.Reopen})
	if now := asJSON(w, w.must(c.State.Kept(rules.Viewer{GM: true}))); now != kept {
		w.Errorf("a phase that is begun anew changed the kept orders:\n%s\n%s", kept, now)
	}
}

// standing is what the GM sees and what falls due next.
func (w *watch) standing(g *Game) string {
	view, err := g.State.View(rules.Viewer{GM: true})
	if err != nil {
		w.Fatal(err)
	}
	next, _, err := g.State.Next()
	if err != nil {
		w.Fatal(err)
	}
	return asJSON(w, []any{view, next})
}

// copy returns the game as it stands, to try something.
func (g *Game) copy() *Game {
	c := *g
	c.fresh = true
	c.step()
	c.fresh = false
	return &c
}

// end looks back: what was told stays as it was told, and every secret was there to be found.
func (w *watch) end() {
	if w == nil {
		return
	}
	for _, t := range w.events {
		if now := asJSON(w, t.events); now != t.was {
			w.Errorf("what was told was changed later:\n%s\n%s", t.was, now)
		}
	}
	for _, s := range w.p.Secrets {
		if !w.found[s.Marker] {
			w.Errorf("nothing secret was found: %q is shown to nobody, not even the GM", s.Marker)
		}
	}
}
