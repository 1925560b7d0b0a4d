package kingmaker

import (
	"slices"

	"arroba/orders"
	"arroba/rules"
)

// Armies and fleets (FORM, KM-A6): how they are formed, who leaves them, and when they need a new Senior Officer.

const verbForm = "form"

var groupForms = []form{
	{carry: (*act).form, verb: verbForm, Form: orders.Form{ID: "form", Rule: "KM-A6a", Who: forPlayer, Say: say{
		"en": {"$UNITS FORM (ARMY#army | FLEET#fleet) IN <in:place>", "FORM (ARMY#army | FLEET#fleet) OF $UNITS IN <in:place>"},
		"ru": {"$UNITS ОБРАЗУЮТ (АРМИЮ#army | ФЛОТ#fleet) В <in:place>"},
	}, Help: help{
		"en": "Two or more nobles become an army, or ships a fleet; an ally's may join with his word.",
		"ru": "Два лорда или больше образуют армию, корабли — флот; союзные входят в них с согласия союзника.",
	}}},
}

var groupReasons = []reason{
	{"KM-P2", "not-here", []string{"unit", "place", "space"}},   // a unit that is to join is elsewhere, or aboard
	{"KM-P2", "no-noble", []string{"unit"}},                     // an army is of nobles
	{"KM-P2", "no-ship", []string{"unit"}},                      // a fleet is of ships
	{"KM-A6a", "few", []string{"kind"}},                         // it takes two or more
	{"KM-A6a", "stranger", []string{"unit", "faction", "kind"}}, // somebody's unit who is not allied with all others'
	{"KM-A6a", "own", []string{"kind"}},                         // none of the units is the sender's
}

// form judges how units form an army or a fleet, and lets them.
func (a *act) form(g *given) (string, *rules.Ruling) {
	kind := groupKind(g.order)
	members := union(nil, g.members())
	space := a.World.place(g.order.ID("in")).Space
	for _, m := range members {
		if r := a.joins(m, kind, space, g.order.ID("in")); r != nil {
			return "", r
		}
	}
	factions := a.factions(members)
	switch {
	case len(members) < 2:
		return "", no("KM-A6a", "few", rules.Data{"kind": kind})
	case !slices.Contains(factions, g.by):
		return "", no("KM-A6a", "own", rules.Data{"kind": kind})
	}
	for _, m := range members {
		if slices.ContainsFunc(factions, func(f string) bool { return !a.friends(f, a.of(m)) }) {
			return "", no("KM-A6a", "stranger", rules.Data{"unit": m, "faction": a.of(m), "kind": kind})
		}
	}
	for _, m := range members {
		a.leave(m)
	}
	a.Formed++
	n := &Group{N: a.Formed, Kind: kind, Members: members}
	a.Groups = append(a.Groups, n)
	a.say("group-formed", "KM-A6a", a.public(), rules.Data{"n": n.N, "kind": kind, "members": members, "joint": a.joint(n)})
	a.together(append([]string{g.by}, factions...)...)
	a.regroup()
	return "KM-A6a", nil
}

// groupKind is what an order calls what it is about: a fleet where it says so.
func groupKind(o orders.Order) string {
	if o.Is("fleet") {
		return fleet
	}
	return army
}

// joins looks whether a unit stands where an army or fleet is to be formed, and is of its kind (KM-P2).
func (a *act) joins(unit, kind, space, place string) *rules.Ruling {
	n := a.Nobles[unit]
	switch {
	case kind == army && n == nil:
		return no("KM-P2", "no-noble", rules.Data{"unit": unit})
	case kind == fleet && n != nil:
		return no("KM-P2", "no-ship", rules.Data{"unit": unit})
	case a.space(unit) != space || n != nil && n.Ship != "":
		return no("KM-P2", "not-here", rules.Data{"unit": unit, "place": place, "space": a.space(unit)})
	}
	return nil
}

// joint tells whether an army's nobles, or a fleet's ships, are of two or more factions.
func (s *State) joint(g *Group) bool { return len(s.factions(g.Members)) > 1 }

// leave takes a unit out of its army or fleet.
func (s *State) leave(unit string) {
	if g := s.group(unit); g != nil {
		g.Members = slices.DeleteFunc(slices.Clone(g.Members), func(m string) bool { return m == unit })
		g.Changed = true
	}
}

// alone takes a noble or ship that was ordered for itself out of its army or fleet (KM-A8).
func (s *State) alone(u unit) {
	if u.group == nil {
		s.leave(u.name)
	}
}

// partFrom takes the units of a faction out of the armies and fleets that it shares with somebody who is no ally any more
// (KM-A10).
func (s *State) partFrom(f string) {
	for _, g := range s.Groups {
		if !slices.ContainsFunc(s.factions(g.Members), func(other string) bool { return !s.friends(f, other) }) {
			continue
		}
		for _, m := range slices.Clone(g.Members) {
			if s.of(m) == f {
				s.leave(m)
			}
		}
	}
}

// regroup looks at all armies and fleets after something has happened to their members: who is not where the others are
// has left, one member alone is none any more, and who commands is found anew where members or passengers have changed.
func (a *act) regroup() {
	for _, g := range a.Groups {
		a.stray(g)
		if len(g.Members) < 2 {
			g.Members, g.Changed = nil, true
		}
		if g.Changed {
			a.say("group-changed", "KM-A6b", a.public(), rules.Data{"n": g.N, "kind": g.Kind, "members": list(g.Members)})
			g.Changed = false
			g.Among = nil
		}
		if g.Members != nil {
			a.command(g)
		}
	}
	a.Groups = slices.DeleteFunc(a.Groups, func(g *Group) bool { return g.Members == nil })
}

// stray takes out of an army or fleet who is not where most of the others are; of as many, where the first is.
func (a *act) stray(g *Group) {
	count := map[string]int{}
	for _, m := range g.Members {
		if a.stands(m) {
			count[a.space(m)]++
		}
	}
	var here string
	for _, m := range g.Members {
		if s := a.space(m); a.stands(m) && count[s] > count[here] {
			here = s
		}
	}
	for _, m := range slices.Clone(g.Members) {
		if !a.stands(m) || a.space(m) != here {
			a.leave(m)
		}
	}
}

// stands tells whether a unit may be in an army or fleet at all: in play, and ashore if it is a noble.
func (s *State) stands(unit string) bool {
	return s.inPlay(unit) && (s.Nobles[unit] == nil || s.Nobles[unit].Ship == "")
}
