package kingmaker

import (
	"slices"

	"arroba/orders"
	"arroba/rules"
)

// Journeys of nobles, armies, ships and fleets (MOVES).

const verbMove = "moves"

var moveForms = []form{
	{carry: (*act).move, kind: movement, verb: verbMove, Form: orders.Form{ID: "move", Rule: "KM-P4", Who: forPlayer, Say: say{
		"en": {"$UNITS MOVES $FROM TO <to:place> $IN $WAY", "MOVE $UNITS $FROM TO <to:place> $IN $WAY"},
		"ru": {"$UNITS ИДЁТ $FROM В <to:place> $IN $WAY"},
	}, Help: help{
		"en": "A noble, an army, a ship or a fleet of yours goes somewhere, by road if there is a free one. One unit to a line.",
		"ru": "Ваш лорд, армия, корабль или флот отправляется в путь — по дороге, если она свободна. В строке — один отряд.",
	}}},
}

var moveReasons = []reason{
	{"KM-P2", "from", []string{"unit", "place", "space", "location"}}, // the unit is not where FROM says
	{"KM-P2", "nowhere", []string{"unit"}},                            // it is in play and stands nowhere yet
	{"KM-P2", "in", []string{"to", "in"}},                             // the goal is not where IN says
	{"KM-P2", "there", []string{"unit", "to"}},                        // the unit is there already
	{"KM-P2", "sea", []string{"unit", "to"}},                          // nobles do not go to sea zones
	{"KM-P2", "land", []string{"unit", "to"}},                         // ships do not go to land
	{"KM-P5", "moved", []string{"unit"}},                              // it has had its journey in this turn
	{"KM-P5", "aboard", []string{"unit", "ship"}},                     // a noble aboard goes where his ship goes
	{"KM-P4", "road", []string{"unit", "from", "to", "steps"}},        // no road within the limit
	{"KM-P4", "offroad", []string{"unit", "from", "to", "steps"}},     // too far off road
	{"KM-P4", "way", []string{"unit", "from", "to", "steps"}},         // neither by road nor off road
	{"KM-P4", "sea", []string{"unit", "from", "to", "steps"}},         // too far at sea
}

// journey is where a unit goes, and how.
type journey struct {
	unit    unit
	members []string
	of      []string // their factions
	to      Place
	mode    string
	through []string // the locations passed
	rule    string   // of the last thing on the map that let it
}

// How a journey is made.
const (
	byRoad  = "road"
	offRoad = "offroad"
	within  = "within"
	atSea   = "sea"
)

// move judges a journey and makes it.
func (a *act) move(g *given) (string, *rules.Ruling) {
	j := &journey{unit: g.units[0], to: a.World.place(g.order.ID("to")), rule: "KM-P4"}
	j.members = j.unit.members()
	j.of = a.factions(j.members)
	if r := first(a.setsOut(j, g.order), a.free(j)); r != nil {
		return "", r
	}
	judge := a.march
	if a.Ships[j.members[0]] != nil {
		judge = a.sail
	}
	if r := judge(j, g.order); r != nil {
		return "", r
	}
	a.travel(g, j)
	return j.rule, nil
}

// setsOut looks whether a unit is where the order says, and its goal another place (KM-P2).
func (a *act) setsOut(j *journey, o orders.Order) *rules.Ruling {
	to := o.ID("to")
	there := true
	for _, m := range j.members {
		at := a.where(m)
		there = there && at == j.to
		if at.Space == "" {
			return no("KM-P2", "nowhere", rules.Data{"unit": m})
		}
		if o.Has("origin") && !a.fits(at, o.Arg("origin")) {
			return no("KM-P2", "from", rules.Data{"unit": m, "place": o.ID("origin"), "space": at.Space, "location": at.Location})
		}
	}
	_, sea := a.World.at().seas[j.to.Space]
	ship := a.Ships[j.members[0]] != nil
	switch {
	case o.Has("within") && !a.fits(j.to, o.Arg("within")):
		return no("KM-P2", "in", rules.Data{"to": to, "in": o.ID("within")})
	case there:
		return no("KM-P2", "there", rules.Data{"unit": j.unit.name, "to": to})
	case sea && !ship:
		return no("KM-P2", "sea", rules.Data{"unit": j.unit.name, "to": to})
	case ship && !sea && !a.port(j.to.Location):
		return no("KM-P2", "land", rules.Data{"unit": j.unit.name, "to": to})
	}
	return nil
}

// port tells whether a location touches the sea.
func (s *State) port(location string) bool {
	l := s.World.at().locations[location]
	return l != nil && len(l.Sea) > 0
}

// free looks whether a unit has its journey of this turn still before it (KM-P5).
func (a *act) free(j *journey) *rules.Ruling {
	for _, m := range j.members {
		if n := a.Nobles[m]; n != nil && n.Ship != "" {
			return no("KM-P5", "aboard", rules.Data{"unit": m, "ship": n.Ship})
		}
		if a.journeys[m] {
			return no("KM-P5", "moved", rules.Data{"unit": m})
		}
	}
	return nil
}

// march judges the way of nobles: by road or off road, and then into the location that they go to.
func (a *act) march(j *journey, o orders.Order) *rules.Ruling {
	from := a.space(j.members[0])
	if from == j.to.Space {
		j.mode = within
	} else if r := a.way(j, from, o); r != nil {
		return r
	}
	if j.to.Location == "" {
		return nil
	}
	return a.enters(j)
}

// way finds the way of nobles between two spaces (KM-P4): by road, and off road where no road is free.
func (a *act) way(j *journey, from string, o orders.Order) *rules.Ruling {
	ix, limits := a.World.at(), a.World.Limits
	steps := limits.Road
	if steps == 0 {
		steps = unlimited
	}
	data := rules.Data{"unit": j.unit.name, "from": from, "to": j.to.Space, "steps": limits.Road}
	if !o.Is("offroad") {
		open := func(space string) bool { return a.stopped(j, space) == nil }
		if way := ix.byRoad.route([]string{from}, []string{j.to.Space}, steps, open); way != nil {
			a.pass(j, way)
			return nil
		}
		if o.Is("road") {
			return a.whoStops(j, from, steps, no("KM-P4", "road", data))
		}
	}
	if ix.adjacent.route([]string{from}, []string{j.to.Space}, limits.OffRoad, nil) != nil {
		j.mode = offRoad
		return nil
	}
	data["steps"] = limits.OffRoad
	if o.Is("offroad") {
		return no("KM-P4", "offroad", data)
	}
	return a.whoStops(j, from, steps, no("KM-P4", "way", data))
}

// stopped is the first refusal of a location on the road in a space, for any faction of the unit's nobles.
func (a *act) stopped(j *journey, space string) *rules.Ruling {
	for _, l := range a.World.at().through[space] {
		for _, f := range j.of {
			if _, r := a.may(passByRoad, l, f, 0, 0); r != nil {
				return r
			}
		}
	}
	return nil
}

// whoStops is the refusal of the first place that does not let a unit pass on the shortest road; otherwise when there is
// no road at all.
func (a *act) whoStops(j *journey, from string, steps int, otherwise *rules.Ruling) *rules.Ruling {
	way := a.World.at().byRoad.route([]string{from}, []string{j.to.Space}, steps, nil)
	if way == nil {
		return otherwise
	}
	for _, space := range way[1 : len(way)-1] {
		if r := a.stopped(j, space); r != nil {
			return r
		}
	}
	return otherwise
}

// pass notes the locations that a unit passes by road, and by which rule the last one let it.
func (a *act) pass(j *journey, way []string) {
	j.mode = byRoad
	for _, space := range way[1 : len(way)-1] {
		j.through = append(j.through, a.World.at().through[space]...)
	}
	if len(j.through) > 0 {
		j.rule, _ = a.may(passByRoad, j.through[len(j.through)-1], a.of(j.members[0]), 0, 0)
	}
}

// enters judges whether nobles may enter the location that they go to.
func (a *act) enters(j *journey) *rules.Ruling {
	var coming []string
	for _, m := range j.members {
		if a.where(m) != j.to {
			coming = append(coming, m)
		}
	}
	rule, r := a.admits(nobleEnters, j.to.Location, coming)
	j.rule = rule
	return r
}

// admits judges whether a location takes nobles in, by every faction of theirs and by the room inside: the rule is that of
// the first one's faction.
func (a *act) admits(do action, location string, coming []string) (rule string, refused *rules.Ruling) {
	load := 0
	for _, n := range coming {
		load += a.strengthIn(n, a.World.at().locations[location].Space)
	}
	for i, f := range a.factions(coming) {
		under, r := a.may(do, location, f, load, a.room(location))
		if r != nil {
			return under, r
		}
		if i == 0 {
			rule = under
		}
	}
	return rule, nil
}

// room is how many more troops go into a location.
func (s *State) room(location string) int {
	l := s.World.at().locations[location]
	room := or(l.Capacity, sizes[l.Type].capacity)
	for _, n := range s.inside(location) {
		room -= s.strength(n)
	}
	return room
}

// factions are those of some units, each once, in their order.
func (s *State) factions(units []string) (list []string) {
	for _, u := range units {
		if f := s.of(u); !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// sail judges the way of ships: out of their ports, over the sea, and into the port that they go to.
func (a *act) sail(j *journey, _ orders.Order) *rules.Ruling {
	j.mode = atSea
	for i := len(j.members) - 1; i >= 0; i-- { // the rule is to be that of the first
		if r := a.leaves(j, j.members[i]); r != nil {
			return r
		}
	}
	for _, m := range j.members {
		if at := a.where(m); !a.reaches(at, j.to) {
			return no("KM-P4", "sea", rules.Data{"unit": m, "from": at.name(), "to": j.to.name(), "steps": a.World.Limits.Ship})
		}
	}
	if j.to.Location == "" {
		return nil
	}
	for i, f := range j.of {
		rule, r := a.may(shipEnters, j.to.Location, f, 0, 0)
		if r != nil {
			return r
		}
		if i == 0 {
			j.rule = rule
		}
	}
	return nil
}

// leaves judges whether a ship may leave the port that it lies in.
func (a *act) leaves(j *journey, ship string) *rules.Ruling {
	port := a.Ships[ship].Location
	if port == "" {
		return nil
	}
	rule, r := a.may(shipLeaves, port, a.of(ship), 0, 0)
	j.rule = rule
	return r
}

// reaches tells whether a ship comes from one place to another by as many sea zones as it may enter.
func (a *act) reaches(from, to Place) bool {
	ix := a.World.at()
	zones := func(p Place) []string {
		if p.Location != "" {
			return ix.locations[p.Location].Sea
		}
		return []string{p.Space}
	}
	steps := a.World.Limits.Ship
	if from.Location != "" {
		steps-- // into the first zone
	}
	return steps >= 0 && ix.bySea.route(zones(from), zones(to), steps, nil) != nil
}

// name is what a place is called: the location, else the space.
func (p Place) name() string {
	if p.Location != "" {
		return p.Location
	}
	return p.Space
}

// travel makes a journey that nothing speaks against.
func (a *act) travel(g *given, j *journey) {
	from := a.where(j.members[0])
	used := slices.Clone(j.through)
	for _, m := range j.members {
		a.journeys[m] = true
		if sh := a.Ships[m]; sh != nil {
			used = append(used, sh.Location)
			sh.Place, sh.Forced = j.to, false
			if j.to.Location != "" {
				a.docked = append(a.docked, m)
			}
		} else {
			a.Nobles[m].Place = j.to
		}
	}
	a.alone(j.unit)
	a.say("moved", j.rule, a.public(), rules.Data{"unit": j.unit.name, "from": from.name(), "to": j.to.name(), "mode": j.mode, "through": list(j.through)})
	a.together(append([]string{g.by}, j.of...)...)
	for _, l := range append(used, j.to.Location) {
		a.used(l, j.of...)
	}
	a.regroup()
}

// used announces the alliances that some units have made use of at a location: with who controls it or, in a town that nobody
// controls, with who is inside (KM-A2c).
func (a *act) used(location string, factions ...string) {
	if location == "" {
		return
	}
	hosts := []string{a.Control[location]}
	if t := a.World.at().locations[location].Type; t == unfortified || t == open {
		hosts = a.factions(a.inside(location))
	}
	for _, f := range factions {
		for _, h := range hosts {
			a.together(f, h)
		}
	}
}
