package kingmaker

import (
	"slices"

	"arroba/orders"
)

// The words of the rules (section "Words" of the rules): where a unit is, who is allied, what a place is to a faction, and
// how strong somebody is.

// The types of locations.
const (
	city        = "city"
	fortified   = "fortified"
	royal       = "royal"
	nobleCastle = "noble"
	open        = "open"
	unfortified = "unfortified"
)

// where is where a unit or an heir is: ashore or, aboard and with a holder, where the ship or the holder is.
func (s *State) where(name string) Place {
	if n := s.Nobles[name]; n != nil {
		if n.Ship != "" {
			return s.Ships[n.Ship].Place
		}
		return n.Place
	}
	if sh := s.Ships[name]; sh != nil {
		return sh.Place
	}
	h := s.Heirs[name]
	if h.Holder != "" {
		return s.where(h.Holder)
	}
	return h.Place
}

// space is the space of a unit or an heir; at sea the sea zone.
func (s *State) space(name string) string { return s.where(name).Space }

// inPlay tells whether a noble or a ship is of some faction and was not removed.
func (s *State) inPlay(unit string) bool { return s.of(unit) != "" }

// of is the faction of a noble or a ship; "" when it is out of play.
func (s *State) of(unit string) string {
	if n := s.Nobles[unit]; n != nil && !n.Removed {
		return n.Faction
	}
	if sh := s.Ships[unit]; sh != nil && !sh.Removed {
		return sh.Faction
	}
	return ""
}

// allied tells whether some alliance in force has both factions.
func (s *State) allied(f, g string) bool {
	return f != g && slices.ContainsFunc(s.Alliances, func(a *Alliance) bool {
		return a.Status == formed && slices.Contains(a.Members, f) && slices.Contains(a.Members, g)
	})
}

// friends tells whether two factions are the same or allied.
func (s *State) friends(f, g string) bool { return f == g || s.allied(f, g) }

// inside are the nobles inside a location, in the world's order.
func (s *State) inside(location string) (list []string) {
	for _, d := range s.World.Nobles {
		if n := s.Nobles[d.Name]; s.inPlay(d.Name) && n.Ship == "" && n.Location == location {
			list = append(list, d.Name)
		}
	}
	return list
}

// inOpen are the nobles in the open of a space, in the world's order.
func (s *State) inOpen(space string) (list []string) {
	for _, d := range s.World.Nobles {
		if n := s.Nobles[d.Name]; s.inPlay(d.Name) && n.Ship == "" && n.Space == space && n.Location == "" {
			list = append(list, d.Name)
		}
	}
	return list
}

// aboard are the nobles aboard a ship, in the world's order.
func (s *State) aboard(ship string) (list []string) {
	for _, d := range s.World.Nobles {
		if n := s.Nobles[d.Name]; s.inPlay(d.Name) && n.Ship == ship {
			list = append(list, d.Name)
		}
	}
	return list
}

// occupied tells whether a noble of a faction that is neither f nor allied with it is inside a location.
func (s *State) occupied(location, f string) bool {
	for name, n := range s.Nobles { // a search asks this of thousands of places
		if n.Location == location && s.inPlay(name) && !s.friends(f, n.Faction) {
			return true
		}
	}
	return false
}

// class is what a location is to a faction: its column in the matrix.
func (s *State) class(location, f string) class {
	switch s.World.at().locations[location].Type {
	case unfortified:
		return classUnfortified
	case open:
		return classOpen
	}
	switch c := s.Control[location]; {
	case c == "":
		return classNeutral
	case s.friends(f, c):
		return classFriendly
	}
	return classUnfriendly
}

// strength is how strong a noble is where he stands, the limited troops of his items with it where they count.
func (s *State) strength(noble string) int { return s.strengthIn(noble, s.space(noble)) }

// strengthIn is how strong a noble is in a space; in a sea zone, and in "", no limited troops count.
func (s *State) strengthIn(noble, space string) int {
	ix := s.World.at()
	n := ix.nobles[noble].Troops
	for _, i := range s.items(noble) {
		n += ix.items[i].Troops
		for _, l := range ix.items[i].Limited {
			if slices.Contains(ix.areas[l.Area].Spaces, space) {
				n += l.Troops
			}
		}
	}
	return n
}

// potential is how strong a noble could be, with all limited troops.
func (s *State) potential(noble string) int {
	ix := s.World.at()
	n := ix.nobles[noble].Troops
	for _, i := range s.items(noble) {
		n += ix.items[i].Troops
		for _, l := range ix.items[i].Limited {
			n += l.Troops
		}
	}
	return n
}

// items are the items that a noble holds, in the world's order.
func (s *State) items(noble string) (list []string) {
	for _, d := range s.World.Items {
		if s.Holders[d.Name] == noble {
			list = append(list, d.Name)
		}
	}
	return list
}

// group is the army or fleet that a noble or ship is in; nil for none.
func (s *State) group(unit string) *Group {
	for _, g := range s.Groups {
		if slices.Contains(g.Members, unit) {
			return g
		}
	}
	return nil
}

// numbered finds an army or fleet that there is.
func (s *State) numbered(n int64) *Group {
	for _, g := range s.Groups {
		if int64(g.N) == n {
			return g
		}
	}
	return nil
}

// Fits tells whether a place that an order names fits where a unit is: a location fits by its name, its space, an area
// that has the space and, of a port, its sea zones.
func (s *State) fits(at Place, named orders.Arg) bool {
	ix := s.World.at()
	switch {
	case named.ID == at.Space, named.ID == at.Location && at.Location != "":
		return true
	case named.Kind == "area":
		return slices.Contains(ix.areas[named.ID].Spaces, at.Space)
	case at.Location != "":
		return slices.Contains(ix.locations[at.Location].Sea, named.ID)
	}
	return false
}
