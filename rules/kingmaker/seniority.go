package kingmaker

import (
	"fmt"
	"slices"

	"arroba/rules"
)

// The Senior Officer of a joint army or fleet (KM-A7).

// command finds the Senior Officer of a joint army or fleet, when its nobles are not those among whom he was found.
func (a *act) command(g *Group) {
	among := a.nobles(g)
	if !a.joint(g) {
		g.Senior, g.Rule, g.Among = "", "", nil
		return
	}
	if g.Among != nil && slices.Equal(among, g.Among) {
		return
	}
	c := a.senior(g.Kind, among)
	g.Senior, g.Rule, g.Among = a.pick(c.nobles, fmt.Sprintf("senior:%d", g.N), c.rule), c.rule, list(among)
	if g.Senior == "" {
		return
	}
	a.say("senior-officer", c.rule, a.public(), rules.Data{"n": g.N, "kind": g.Kind, "noble": g.Senior, "faction": a.of(g.Senior)})
	a.say("seniority", c.rule, rules.Audience{GM: true}, rules.Data{"n": g.N, "kind": g.Kind, "noble": g.Senior, "among": among, "steps": c.steps})
}

// nobles are those of an army, or aboard a fleet's ships, in the world's order.
func (s *State) nobles(g *Group) (list []string) {
	for _, d := range s.World.Nobles {
		if slices.Contains(g.Members, d.Name) || s.inPlay(d.Name) && slices.Contains(g.Members, s.Nobles[d.Name].Ship) {
			list = append(list, d.Name)
		}
	}
	return list
}

// pick takes one of several nobles by chance, the only one without. A trial leaves chance out and takes the first.
func (a *act) pick(nobles []string, purpose, rule string) string {
	switch {
	case len(nobles) == 0:
		return ""
	case len(nobles) == 1 || a.trial:
		return nobles[0]
	}
	return nobles[a.draw(purpose, rule, len(nobles))]
}

// draw draws one of several by chance, and tells of it.
func (a *act) draw(purpose, rule string, of int) int {
	d := a.Dice.Draw(a.Rounds.Phase.Round, purpose, uint64(of))
	a.say("draw", rule, a.public(), rules.Data{"purpose": d.Purpose, "counter": d.Counter, "value": d.Value, "of": d.Of, "round": a.Rounds.Phase.Round})
	return int(d.Value)
}

// choice is how a Senior Officer is found: those among whom chance decides, if they are several, the rule, and for the GM
// what each step found on the way there: its "step" and the noble or faction "found", "" for none.
type choice struct {
	nobles []string
	rule   string
	steps  []rules.Data
}

// senior finds who commands among the nobles of an army or fleet: the steps of KM-A7, one after the other. The first ones
// find a noble, the later ones a faction, whose strongest noble it is.
func (s *State) senior(kind string, among []string) (c choice) {
	if len(among) == 0 {
		return c // nobody (KM-A6c)
	}
	factions := s.factions(among)
	found := func(step, who string) bool {
		c.steps = append(c.steps, rules.Data{"step": step, "found": who})
		c.rule = "KM-A7." + step
		return who != ""
	}
	for _, step := range []struct{ name, noble string }{
		{"i", s.crownHolder(among)},
		{"ii", s.firstHolder(s.offices(kind), among)},
		{"iii", s.firstHolder(s.World.Seniority.Sees, among)},
		{"iv", greatest(among, s.potential)},
	} {
		if found(step.name, step.noble) {
			c.nobles = []string{step.noble}
			return c
		}
	}
	for _, step := range []struct{ name, faction string }{
		{"v", greatest(factions, func(f string) int { return s.potentials(s.ofFaction(among, f)) })},
		{"vi", s.seniorFaction(kind, factions)},
	} {
		if found(step.name, step.faction) {
			c.nobles = s.strongest(s.ofFaction(among, step.faction))
			return c
		}
	}
	found("vii", "")
	c.nobles = among
	return c
}

// seniorFaction is the faction that wins by steps i to iv, each taken as a whole with all its nobles anywhere (KM-A7.vi).
func (s *State) seniorFaction(kind string, factions []string) string {
	all := s.ofFactions(factions)
	for _, holder := range []string{s.crownHolder(all), s.firstHolder(s.offices(kind), all), s.firstHolder(s.World.Seniority.Sees, all)} {
		if holder != "" {
			return s.of(holder)
		}
	}
	return greatest(factions, func(f string) int { return s.potentials(s.ofFaction(all, f)) })
}

// crownHolder is the noble of some who holds the only crowned heir that they hold; "" when they hold none, or several.
func (s *State) crownHolder(nobles []string) (holder string) {
	n := 0
	for _, h := range s.Heirs {
		if h.Crowned && !h.Removed && slices.Contains(nobles, h.Holder) {
			holder, n = h.Holder, n+1
		}
	}
	if n != 1 {
		return ""
	}
	return holder
}

// offices are those that count for an army or a fleet, the highest first.
func (s *State) offices(kind string) []string {
	if kind == fleet {
		return s.World.Seniority.Fleet
	}
	return s.World.Seniority.Army
}

// firstHolder is the noble of some who holds the first item of a list that any of them holds.
func (s *State) firstHolder(items, nobles []string) string {
	for _, i := range items {
		if h := s.Holders[i]; slices.Contains(nobles, h) {
			return h
		}
	}
	return ""
}

// greatest is the one of some who has more than every other; "" when several have as much.
func greatest(of []string, much func(string) int) (found string) {
	most, several := 0, false
	for i, x := range of {
		switch n := much(x); {
		case i == 0 || n > most:
			found, most, several = x, n, false
		case n == most:
			several = true
		}
	}
	if several {
		return ""
	}
	return found
}

// strongest are the nobles of some who have the greatest potential.
func (s *State) strongest(nobles []string) (best []string) {
	most := -1
	for _, n := range nobles {
		switch p := s.potential(n); {
		case p > most:
			best, most = []string{n}, p
		case p == most:
			best = append(best, n)
		}
	}
	return best
}

// potentials is the sum of the potentials of some nobles.
func (s *State) potentials(nobles []string) (sum int) {
	for _, n := range nobles {
		sum += s.potential(n)
	}
	return sum
}

// ofFaction are the nobles of some who are a faction's.
func (s *State) ofFaction(nobles []string, f string) []string {
	return slices.DeleteFunc(slices.Clone(nobles), func(n string) bool { return s.of(n) != f })
}

// ofFactions are all nobles of some factions, in the world's order.
func (s *State) ofFactions(factions []string) (list []string) {
	for _, d := range s.World.Nobles {
		if slices.Contains(factions, s.of(d.Name)) {
			list = append(list, d.Name)
		}
	}
	return list
}
