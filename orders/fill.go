package orders

import (
	"maps"
	"slices"
	"strings"
)

// Slot is what is to be filled in a form.
type Slot struct {
	Name, Kind string
	Optional   bool // it stands in a part that may be left out
}

// Slots returns the slots of a form's first pattern in a language, in their order; of a choice those of its first
// branch.
func (g *Grammar) Slots(id, lang string) []Slot {
	if all := g.of(id, lang); len(all) > 0 {
		return slotsOf(all[0].expr, false, nil)
	}
	return nil
}

func slotsOf(e expr, optional bool, found []Slot) []Slot {
	kids := e.kids
	switch e.is {
	case isSlot:
		return append(found, Slot{e.text, e.kind, optional})
	case isOpt:
		optional = true
	case isAlt:
		kids = kids[:1]
	}
	for _, k := range kids {
		found = slotsOf(k, optional, found)
	}
	return found
}

// Fill writes a form as a line in a language, with what args has for its slots. A slot that stays open is written as
// Show does; what may be left out is, unless something in it is filled. Of the form's patterns it takes the first that
// has a place for all args.
func (g *Grammar) Fill(id, lang string, args map[string]string) string {
	all := g.of(id, lang)
	if len(all) == 0 {
		return ""
	}
	i := slices.IndexFunc(all, func(p *pattern) bool { return p.expr.places(args) == len(args) })
	return fill(all[max(i, 0)].expr, args)
}

// places counts the args that have a slot in e.
func (e expr) places(args map[string]string) int {
	found := map[string]bool{}
	var walk func(expr)
	walk = func(e expr) {
		if _, ok := args[e.text]; ok && e.is == isSlot {
			found[e.text] = true
		}
		for _, k := range e.kids {
			walk(k)
		}
	}
	walk(e)
	return len(found)
}

func fill(e expr, args map[string]string) string {
	switch e.is {
	case isWord:
		return e.text
	case isSlot:
		if text, ok := args[e.text]; ok {
			return text
		}
		return show(e)
	case isOpt:
		if e.kids[0].places(args) == 0 {
			return ""
		}
	case isAlt:
		best := e.kids[0]
		for _, k := range e.kids[1:] {
			if k.places(args) > best.places(args) {
				best = k
			}
		}
		return fill(best, args)
	}
	var b strings.Builder
	for _, k := range e.kids {
		text := fill(k, args)
		if b.Len() > 0 && text != "" && text[0] != ',' && text[0] != ':' {
			b.WriteByte(' ')
		}
		b.WriteString(text)
	}
	return b.String()
}

// longestMend is how long a line may be, in bytes, for it to be written anew.
const longestMend = 300

// mend writes a line that fits a form but for some words with those words put right: one line for each of the names
// that were meant, at most so many as names are proposed. There is none unless what comes of it is an order of that
// form.
func (g *Grammar) mend(m *matcher, part partial) (lines []string) {
	text := m.line.text
	if !part.fits || len(text) > longestMend {
		return nil
	}
	begun, at := []string{""}, 0
	for _, c := range part.wrong {
		var longer []string
		from, to := m.line.words[c.from].from, m.line.words[c.to-1].to
		for _, line := range begun {
			for _, right := range m.right(part.p, c) {
				longer = append(longer, line+text[at:from]+right)
			}
		}
		begun, at = longer[:min(len(longer), nearMost)], to
	}
	again := g.matchers.Get().(*matcher)
	defer g.release(again)
	again.names = m.names
	for _, line := range begun {
		again.line.read(line + text[at:])
		if o, _ := g.exact(again); o != nil && o.Form == g.forms[part.p.form].ID {
			lines = append(lines, again.line.text)
		}
	}
	return lines
}

// Complete writes the line of an order anew for each of what may stand in a slot that it leaves open, at most so many as
// names are proposed, where the form has an optional part for it. There is none unless what comes of it is the same order
// with that slot filled.
func (g *Grammar) Complete(o Order, names Lexicon, slot string, choices []string) (lines []string) {
	if len(o.Line) > longestMend || len(choices) == 0 {
		return nil
	}
	m := g.matchers.Get().(*matcher)
	defer g.release(m)
	m.names = names
	words := appendWords(nil, o.Line)
	for _, p := range g.patterns {
		if g.forms[p.form].ID != o.Form {
			continue
		}
		part, ok := p.expr.option(slot)
		if !ok {
			continue
		}
		for i := len(words) - 1; i >= 0; i-- {
			at := words[i].to
			for _, choice := range choices[:min(len(choices), nearMost)] {
				line := o.Line[:at] + " " + fill(part, map[string]string{slot: choice}) + o.Line[at:]
				m.line.read(line)
				if with, _ := g.exact(m); with != nil && with.adds(slot, o) {
					lines = append(lines, line)
				} else if len(lines) == 0 {
					break // here none fits, for where one does they all do
				}
			}
			if len(lines) > 0 {
				return lines
			}
		}
	}
	return nil
}

// option returns the smallest part of e that may be left out and has a place for a slot.
func (e expr) option(slot string) (part expr, ok bool) {
	for _, k := range e.kids {
		if part, ok = k.option(slot); ok {
			return part, true
		}
	}
	if e.is == isOpt && e.places(map[string]string{slot: ""}) == 1 {
		return e.kids[0], true
	}
	return expr{}, false
}

// adds tells whether an order is another with a slot filled and nothing else.
func (o *Order) adds(slot string, to Order) bool {
	rest := maps.Clone(o.Args)
	delete(rest, slot)
	same := func(a, b Arg) bool { return a.Text == b.Text && a.Kind == b.Kind }
	return o.Form == to.Form && o.Has(slot) && slices.Equal(o.Tags, to.Tags) &&
		maps.EqualFunc(rest, to.Args, func(a, b []Arg) bool { return slices.EqualFunc(a, b, same) })
}

// right returns what may stand in the place of wrong words.
func (m *matcher) right(p *pattern, c capture) []string {
	if c.why != WhyVerb {
		return c.near
	}
	at := &p.nodes[c.node]
	i := slices.IndexFunc(at.words, func(v string) bool { return nearVerb(m.line.words[c.from].fold, v) })
	return at.said[i : i+1]
}

// Example is a form filled with names of the game, but not with one of them; "" when it has nothing to be filled, or
// something that no example can be given of.
func (g *Grammar) Example(id, lang string, names Lexicon, but string) string {
	args := map[string]string{}
	for _, s := range g.Slots(id, lang) {
		if s.Optional {
			continue
		}
		if args[s.Name] = example(s.Kind, names, but); args[s.Name] == "" {
			return ""
		}
	}
	if len(args) == 0 {
		return ""
	}
	return g.Fill(id, lang, args)
}

func example(kind string, names Lexicon, but string) string {
	switch kind {
	case kindNumber:
		return "2"
	case kindDate:
		return "2026-03-01"
	case kindDuration:
		return "36h"
	case kindAddress:
		return "name@example.org"
	}
	for one := range strings.SplitSeq(kind, "|") {
		if first := names[one].first(but); first != "" {
			return first
		}
	}
	return ""
}
