package kingmaker

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arroba/orders"
	"arroba/rules"
)

// unit is who an order is given to: a noble, a ship, or an army or fleet.
type unit struct {
	name  string // "Percy", "Army 1"
	group *Group // nil for a noble or ship
}

// members are the nobles or ships of a unit.
func (u unit) members() []string {
	if u.group != nil {
		return u.group.Members
	}
	return []string{u.name}
}

// name is how an army or fleet is called in data and texts.
func (g *Group) name() string {
	if g.Kind == fleet {
		return fmt.Sprintf("Fleet %d", g.N)
	}
	return fmt.Sprintf("Army %d", g.N)
}

// units are the units that an order names; refused when an army or fleet is none of those that there
// were before this closing.
func (a *act) units(o orders.Order) (list []unit, refused *rules.Ruling) {
	for _, arg := range o.Args["units"] {
		if arg.Kind != "group" {
			list = append(list, unit{name: arg.ID})
			continue
		}
		n, kind := groupNamed(arg.Text)
		g := a.numbered(n)
		if g == nil || g.Kind != kind || g.N > a.known {
			return nil, no("KM-P3", "group", rules.Data{"unit": arg.Text, "n": n})
		}
		list = append(list, unit{g.name(), g})
	}
	return list, nil
}

// groupNamed reads the name of an army or fleet.
func groupNamed(text string) (n int64, kind string) {
	digits := strings.TrimLeft(text, strings.TrimRight(text, "0123456789"))
	if i := strings.IndexAny(text, "0123456789"); i >= 0 {
		digits = text[i:]
	}
	n, _ = strconv.ParseInt(digits, 10, 64)
	if word := orders.Fold(text); strings.HasPrefix(word, orders.Fold("fleet")) || strings.HasPrefix(word, orders.Fold("флот")) {
		return n, fleet
	}
	return n, army
}

// named are the names of the units that an order names, those of armies and fleets in their own spelling: by them it
// replaces another.
func named(o orders.Order) (names []string) {
	for _, arg := range o.Args["units"] {
		if arg.Kind != "group" {
			names = append(names, arg.ID)
			continue
		}
		n, kind := groupNamed(arg.Text)
		names = append(names, (&Group{N: int(n), Kind: kind}).name())
	}
	return names
}

// rights looks whose orders a unit takes (section 9 of the rules, "Whose orders, exactly"): the factions that must confirm
// the order, and what is against it.
func (a *act) rights(by string, u unit, k kind) (asks []string, refused *rules.Ruling) {
	if u.group == nil {
		return a.rightsOver(by, u.name, k, true)
	}
	if g := u.group; g.Senior != "" {
		if f := a.of(g.Senior); f != by {
			return nil, no("KM-A6d", "", rules.Data{"unit": u.name, "n": g.N, "senior": g.Senior, "faction": f})
		}
		for _, m := range g.Members {
			if a.marked(m, k) {
				return nil, no("KM-A5", "", rules.Data{"unit": m, "kind": string(k)})
			}
		}
		return nil, nil
	}
	for _, m := range u.group.Members {
		more, r := a.rightsOver(by, m, k, false)
		if r != nil {
			return nil, r
		}
		asks = union(asks, more)
	}
	return asks, nil
}

// rightsOver looks whose orders a noble or ship takes; alone: as it is itself, not as a member of its army or fleet.
func (a *act) rightsOver(by, u string, k kind, alone bool) (asks []string, refused *rules.Ruling) {
	f := a.of(u)
	if f == "" {
		return nil, no("KM-P3", "", rules.Data{"unit": u})
	}
	if g := a.group(u); alone && k != noKind && g != nil && g.Senior != "" {
		data := rules.Data{"unit": u, "n": g.N, "senior": g.Senior, "faction": f, "kind": string(k)}
		switch {
		case f != by:
			return nil, no("KM-A6d", "member", data)
		case a.marked(u, k):
			return nil, no("KM-A5", "", data)
		case a.of(g.Senior) != by && (a.marked(u, movement) || a.marked(u, combat)):
			return nil, no("KM-A8", "", data)
		}
		return nil, nil
	}
	data := rules.Data{"unit": u, "faction": f, "kind": string(k), "space": a.space(u)}
	switch {
	case f == by && a.marked(u, k):
		return nil, no("KM-A5", "", data)
	case f == by:
		return nil, nil
	case !a.allied(f, by):
		return nil, no("KM-P3", "stranger", data)
	case !a.present(by, a.space(u)):
		return nil, no("KM-A4a", "", data)
	case a.marked(u, k):
		return nil, no("KM-A4b", "", data)
	}
	return []string{f}, nil
}

// marked tells whether a noble or ship had an order of a kind in an earlier turn of the Round.
func (s *State) marked(u string, k kind) bool {
	if n := s.Nobles[u]; n != nil {
		return k == movement && n.Moved || k == combat && n.Fought
	}
	return k == movement && s.Ships[u].Moved
}

// present tells whether a faction has a noble or a ship in a space.
func (s *State) present(f, space string) bool {
	for u := range s.Nobles {
		if s.of(u) == f && s.space(u) == space {
			return true
		}
	}
	for u := range s.Ships {
		if s.of(u) == f && s.space(u) == space {
			return true
		}
	}
	return false
}

// union merges two lists, each name once, in the order in which they come.
func union(a, b []string) []string {
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}
