package kingmaker

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"arroba/rules"
)

// What a world file must keep to. Every fault names its key.

// itemKinds are the kinds of crown items.
var itemKinds = []string{"title", "office", "bishopric", "mercenary", "town"}

// check looks for what the file names and does not have, for names that stand twice, and for what cannot be.
func (o *opener) check() {
	o.names()
	o.factions()
	o.lands()
	o.limits()
	if o.err == nil { // what follows is looked up by names
		each(o.World.Nobles, "noble", o.noble)
		each(o.World.Ships, "ship", o.ship)
		each(o.World.Heirs, "heir", o.heir)
		each(o.World.Items, "item", o.item)
		o.seniority()
	}
	for i, d := range o.World.Decks {
		if len(d.Entries) == 0 {
			o.fail(fmt.Sprintf("world.deck[%d].entries", i), "the deck %q is empty", d.Name)
		}
	}
	o.odds()
}

// seniority looks whether there are the items by which the file lets Senior Officers be found.
func (o *opener) seniority() {
	if o.f.Seniority == nil {
		return // the usual ones need not all be in a world
	}
	items := o.World.at().items
	for _, l := range []struct {
		key   string
		names []string
	}{{"army", o.f.Seniority.Army}, {"fleet", o.f.Seniority.Fleet}, {"sees", o.f.Seniority.Sees}} {
		for i, name := range l.names {
			known(o, fmt.Sprintf("world.seniority.%s[%d]", l.key, i), name, "item", items)
		}
	}
}

// registry keeps the names of one list that must all be different: where each stands.
type registry map[string]string

// enter puts a name into a list.
func (o *opener) enter(r registry, path, name string) {
	before, twice := r[name]
	switch {
	case strings.TrimSpace(name) == "" || strings.Join(strings.Fields(name), " ") != name:
		o.fail(path+".name", "%q cannot be a name: it must have at least one letter, and single blanks only between words", name)
	case twice:
		o.fail(path+".name", "%q stands twice: (%s.name) has it already", name, before)
	}
	r[name] = path
}

// names looks whether each list has every name once. Nobles, ships and heirs share one list, and so do all places.
func (o *opener) names() {
	w := o.World
	units, places, factions, items, decks, areas := registry{}, registry{}, registry{}, registry{}, registry{}, registry{}
	each(w.Factions, "faction", func(path string, d FactionData) { o.enter(factions, path, d.Name) })
	each(w.Spaces, "space", func(path string, d SpaceData) { o.enter(places, path, d.Name) })
	each(w.Seas, "sea", func(path string, d SeaData) { o.enter(places, path, d.Name) })
	each(w.Locations, "location", func(path string, d LocationData) { o.enter(places, path, d.Name) })
	each(w.Areas, "area", func(path string, d AreaData) { o.enter(areas, path, d.Name) })
	each(w.Nobles, "noble", func(path string, d NobleData) { o.enter(units, path, d.Name) })
	each(w.Ships, "ship", func(path string, d ShipData) { o.enter(units, path, d.Name) })
	each(w.Heirs, "heir", func(path string, d HeirData) { o.enter(units, path, d.Name) })
	each(w.Items, "item", func(path string, d ItemData) { o.enter(items, path, d.Name) })
	each(w.Decks, "deck", func(path string, d DeckData) { o.enter(decks, path, d.Name) })
}

// each visits a list of the file with the paths of its members.
func each[T any](list []T, key string, visit func(path string, d T)) {
	for i, d := range list {
		visit(fmt.Sprintf("world.%s[%d]", key, i), d)
	}
}

// factions looks whether those who play factions are members of the game, each of one.
func (o *opener) factions() {
	playing := map[string]string{}
	each(o.World.Factions, "faction", func(path string, d FactionData) {
		if d.Player == "" {
			return
		}
		isPlayer := func(m rules.Member) bool { return string(m.Seat) == d.Player && m.Role == rules.Player }
		if len(o.in.Members) > 0 && !slices.ContainsFunc(o.in.Members, isPlayer) {
			o.fail(path+".player", "%q is no player of this game; write the nick of a [[member]], or leave it out", d.Player)
		}
		if before := playing[d.Player]; before != "" {
			o.fail(path+".player", "%q plays (%s.player) already; a player has one faction", d.Player, before)
		}
		playing[d.Player] = path
	})
}

// known looks whether the file has what a key names.
func known[T any](o *opener, path, name, what string, in map[string]T) bool {
	if _, ok := in[name]; ok {
		return true
	}
	o.fail(path, "there is no %s %q", what, name)
	return false
}

// lands looks at spaces, seas, locations, roads and areas.
func (o *opener) lands() {
	w := o.World
	spaces, seas, locations := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, d := range w.Spaces {
		spaces[d.Name] = true
	}
	for _, d := range w.Seas {
		seas[d.Name] = true
	}
	for _, d := range w.Locations {
		locations[d.Name] = true
	}
	each(w.Spaces, "space", func(path string, d SpaceData) {
		o.beside(path, d.Name, d.Adjacent, "space", spaces)
		o.point(path, d.Point)
	})
	each(w.Seas, "sea", func(path string, d SeaData) { o.beside(path, d.Name, d.Adjacent, "sea", seas); o.point(path, d.Point) })
	each(w.Locations, "location", func(path string, d LocationData) {
		known(o, path+".space", d.Space, "space", spaces)
		for i, s := range d.Sea {
			known(o, fmt.Sprintf("%s.sea[%d]", path, i), s, "sea", seas)
		}
		o.location(path, d)
		o.point(path, d.Point)
	})
	each(w.Roads, "road", func(path string, d RoadData) {
		if len(d.Spaces) < 2 {
			o.fail(path+".spaces", "a road leads through two spaces or more")
		}
		for i, s := range d.Spaces {
			known(o, fmt.Sprintf("%s.spaces[%d]", path, i), s, "space", spaces)
		}
		for i, l := range d.Through {
			if at := fmt.Sprintf("%s.through[%d]", path, i); known(o, at, l, "location", locations) {
				o.onRoad(at, d, l)
			}
		}
	})
	each(w.Areas, "area", func(path string, d AreaData) {
		for i, s := range d.Spaces {
			known(o, fmt.Sprintf("%s.spaces[%d]", path, i), s, "space", spaces)
		}
	})
}

// beside looks at the neighbours of a space or sea.
func (o *opener) beside(path, name string, adjacent []string, what string, there map[string]bool) {
	for i, other := range adjacent {
		at := fmt.Sprintf("%s.adjacent[%d]", path, i)
		if known(o, at, other, what, there) && other == name {
			o.fail(at, "%q is not beside itself", name)
		}
	}
}

// onRoad looks whether a road goes through the space of a location on it.
func (o *opener) onRoad(path string, d RoadData, location string) {
	for _, l := range o.World.Locations {
		if l.Name == location && !slices.Contains(d.Spaces, l.Space) {
			o.fail(path, "%q lies in %q, which is none of the road's spaces", location, l.Space)
		}
	}
}

// location looks at what a town or castle has of its own.
func (o *opener) location(path string, d LocationData) {
	if _, ok := sizes[d.Type]; !ok {
		o.fail(path+".type", "%q is no type of location; write one of %s", d.Type, strings.Join(slices.Sorted(maps.Keys(sizes)), ", "))
	}
	o.number(path+".garrison", or(d.Garrison, 0))
	o.number(path+".capacity", or(d.Capacity, 0))
	if d.Controller == "" {
		return
	}
	o.faction(path+".controller", d.Controller)
	if d.Type == open || d.Type == unfortified {
		o.fail(path+".controller", "nobody controls a town of the type %q; leave the controller out", d.Type)
	}
}

// point looks at the place of something on the map.
func (o *opener) point(path string, p Point) {
	switch {
	case (p.Lat == nil) != (p.Lon == nil):
		o.fail(path, "lat and lon go together, and one of them is missing")
	case p.Lat != nil && (*p.Lat < -90 || *p.Lat > 90):
		o.fail(path+".lat", "a latitude lies between -90 and 90 degrees")
	case p.Lon != nil && (*p.Lon < -180 || *p.Lon > 180):
		o.fail(path+".lon", "a longitude lies between -180 and 180 degrees")
	}
}

// most is how much anything that is counted may be.
const most = 1_000_000

// number looks at a number of troops or steps.
func (o *opener) number(path string, n int) {
	if n < 0 || n > most {
		o.fail(path, "a whole number from 0 to %d is needed, not %d", most, n)
	}
}

func (o *opener) faction(path, name string) {
	if name != "" && !slices.ContainsFunc(o.World.Factions, func(d FactionData) bool { return d.Name == name }) {
		o.fail(path, "there is no faction %q", name)
	}
}

func (o *opener) limits() {
	o.number("world.limits.road", o.World.Limits.Road)
	o.number("world.limits.offroad", o.World.Limits.OffRoad)
	o.number("world.limits.ship", o.World.Limits.Ship)
}

func (o *opener) noble(path string, d NobleData) {
	o.number(path+".troops", d.Troops)
	o.number(path+".votes.lords", d.Votes.Lords)
	o.number(path+".votes.commons", d.Votes.Commons)
	o.faction(path+".faction", d.Faction)
	ix := o.World.at()
	for i, l := range d.Seat {
		known(o, fmt.Sprintf("%s.seat[%d]", path, i), l, "location", ix.locations)
	}
	switch {
	case ix.ships[d.At] != nil, o.land(d.At):
	case d.At == "" && d.Faction == "":
	case d.At == "":
		o.fail(path+".at", "where %q stands is needed: a location, a space, or a ship", d.Name)
	case ix.seas[d.At] != nil:
		o.fail(path+".at", "%q is a sea, and a noble is there only aboard a ship", d.At)
	default:
		o.fail(path+".at", "there is no location, space or ship %q", d.At)
	}
}

// land tells whether a place is a location or a space of land.
func (o *opener) land(name string) bool {
	ix := o.World.at()
	return ix.locations[name] != nil || ix.spaces[name] != nil
}

func (o *opener) ship(path string, d ShipData) {
	o.number(path+".capacity", d.Capacity)
	o.faction(path+".faction", d.Faction)
	ix := o.World.at()
	switch {
	case ix.seas[d.At] != nil, o.port(d.At):
	case d.At == "" && d.Faction == "":
	case d.At == "":
		o.fail(path+".at", "where %q lies is needed: a port or a sea", d.Name)
	default:
		o.fail(path+".at", "%q is no port and no sea; a port is a location that has sea", d.At)
	}
	if d.Forced && !o.port(d.At) {
		o.fail(path+".forced", "a ship is forced into a port only, and %q is at sea", d.Name)
	}
}

func (o *opener) heir(path string, d HeirData) {
	switch ix := o.World.at(); {
	case d.Holder != "" && ix.nobles[d.Holder] == nil:
		o.fail(path+".holder", "there is no noble %q", d.Holder)
	case d.Holder != "" && ix.nobles[d.Holder].Faction == "":
		o.fail(path+".holder", "%q is out of play and holds nobody", d.Holder)
	case d.Holder == "" && !o.land(d.At):
		o.fail(path+".at", "there is no location or space %q; an heir without a holder stands in one", d.At)
	}
}

func (o *opener) item(path string, d ItemData) {
	ix := o.World.at()
	o.number(path+".troops", d.Troops)
	if d.Kind != "" && !slices.Contains(itemKinds, d.Kind) {
		o.fail(path+".kind", "%q is no kind of item; write one of %s", d.Kind, strings.Join(itemKinds, ", "))
	}
	for i, l := range d.Limited {
		known(o, fmt.Sprintf("%s.limited[%d].area", path, i), l.Area, "area", ix.areas)
		o.number(fmt.Sprintf("%s.limited[%d].troops", path, i), l.Troops)
	}
	if d.Holder != "" {
		known(o, path+".holder", d.Holder, "noble", ix.nobles)
	}
	if d.Location == "" || !known(o, path+".location", d.Location, "location", ix.locations) {
		return
	}
	if t := ix.locations[d.Location].Type; t == open || t == unfortified {
		o.fail(path+".location", "nobody controls %q, a town of the type %q, so no item gives it", d.Location, t)
	}
}

// odds looks at what battles are decided by.
func (o *opener) odds() {
	for i, text := range o.World.Odds {
		if text != badWeather && !ratio.MatchString(text) {
			o.fail(fmt.Sprintf("world.odds[%d]", i), `%q is no odds; write "3-2", or %q`, text, badWeather)
		}
	}
	if o.World.Rules.Odds && len(o.World.Odds) == 0 {
		o.fail("world.odds", `battles are decided by odds, and there are none; write odds = ["2-1", "3-1"]`)
	}
}
