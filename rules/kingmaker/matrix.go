package kingmaker

import "arroba/rules"

// The decision matrix (KM-1 to KM-5): what each kind of location does to each action.

// class is what a location is to a faction, a column of the matrix.
type class int

const (
	classFriendly class = iota
	classUnfortified
	classOpen
	classNeutral
	classUnfriendly
)

// action is a row of the matrix.
type action int

const (
	define          action = iota // CONTROL
	passByRoad                    // a noble, through it
	nobleEnters                   // by MOVES
	shipEnters                    //
	shipLeaves                    // forced in or not
	embark                        //
	disembarkInside               // into the port
	disembarkOpen                 // into the open ground beside it
	besiege                       //
)

// needs are what an action takes at a location.
type needs int

const (
	always       needs = 0
	never        needs = 1 << iota
	notOccupied        // by anybody but the faction and its allies
	onlyOccupied       //
	pass               // the controller's permission of that kind
	enter              //
	dock               //
	leave              //
	capacity           // of the location, for who enters
	shipCapacity       // of the ship, for who boards
)

// cell is what one class does to one action, and the rule that says so.
type cell struct {
	rule string
	needs
}

// matrix has a row for every action and a cell for every class: Friendly, Unfortified, Open, Neutral, Unfriendly.
var matrix = [...][5]cell{
	define:          {{"KM-1.0", always}, {"KM-2.0", never}, {"KM-3.0", never}, {"KM-4.0", always}, {"KM-5.0", always}},
	passByRoad:      {{"KM-1.1", always}, {"KM-2.1", notOccupied}, {"KM-3.1", notOccupied}, {"KM-4.1", never}, {"KM-5.1", pass}},
	nobleEnters:     {{"KM-1.2", capacity}, {"KM-2.2", notOccupied | capacity}, {"KM-3.2", notOccupied | capacity}, {"KM-4.2", never}, {"KM-5.2", enter | capacity}},
	shipEnters:      {{"KM-1.3", always}, {"KM-2.3", notOccupied}, {"KM-3.3", notOccupied}, {"KM-4.3", never}, {"KM-5.3", dock}},
	shipLeaves:      {{"KM-1.4", always}, {"KM-2.4", always}, {"KM-3.5", always}, {"KM-4.5", always}, {"KM-5.5", leave}},
	embark:          {{"KM-1.5", shipCapacity}, {"KM-2.5", shipCapacity}, {"KM-3.4", shipCapacity}, {"KM-4.4", never}, {"KM-5.4", leave | shipCapacity}},
	disembarkInside: {{"KM-1.6", capacity}, {"KM-2.6", notOccupied | capacity}, {"KM-3.6", notOccupied | capacity}, {"KM-4.6", never}, {"KM-5.6", enter | capacity}},
	disembarkOpen:   {{"KM-1.6", always}, {"KM-2.6", always}, {"KM-3.6", always}, {"KM-4.6", always}, {"KM-5.6", always}},
	besiege:         {{"KM-1.7", never}, {"KM-2.7", onlyOccupied}, {"KM-3.7", onlyOccupied}, {"KM-4.7", always}, {"KM-5.7", always}},
}

// permissionFor are the kinds of permissions that the matrix asks for.
var permissionFor = map[needs]string{pass: "pass", enter: "enter", dock: "dock", leave: "leave"}

// may looks whether a location lets a faction's unit do something: the rule of its class, and what is against it. load is
// the strength that goes in or aboard, room how much there still is; both count only where the class looks at them.
func (s *State) may(do action, location, f string, load, room int) (rule string, refused *rules.Ruling) {
	cl := s.class(location, f)
	c := matrix[do][cl]
	refuse := func(why string, more ...any) (string, *rules.Ruling) {
		data := rules.Data{"location": location, "faction": f, "class": cl.String()}
		for i := 0; i < len(more); i += 2 {
			data[more[i].(string)] = more[i+1]
		}
		return c.rule, no(c.rule, why, data)
	}
	switch {
	case c.needs&never != 0:
		return refuse("")
	case c.needs&notOccupied != 0 && s.barred(do, location, f):
		return refuse("occupied")
	case c.needs&onlyOccupied != 0 && !s.occupied(location, f):
		return refuse("")
	}
	for bit, kind := range permissionFor {
		if c.needs&bit != 0 && !s.permitted(f, location, kind) {
			return refuse("permission", "controller", s.Control[location], "kind", kind)
		}
	}
	if c.needs&(capacity|shipCapacity) != 0 && load > room {
		return refuse("capacity", "load", load, "room", room)
	}
	return c.rule, nil
}

// barred tells whether who is inside a location keeps a faction out: others than itself and its allies, and where the
// house rule says so anybody keeps a ship out.
func (s *State) barred(do action, location, f string) bool {
	if s.World.Rules.StrictOccupied && do == shipEnters {
		return len(s.inside(location)) > 0
	}
	return s.occupied(location, f)
}

// permitted tells whether the controller of a location has given a faction a permission there.
func (s *State) permitted(f, location, kind string) bool {
	for _, p := range s.Permissions {
		if p.To == f && p.Location == location && p.Kind == kind && p.From == s.Control[location] {
			return true
		}
	}
	return false
}

// String is the name of a class, as texts and data have it.
func (c class) String() string {
	return [...]string{"friendly", "unfortified", "open", "neutral", "unfriendly"}[c]
}
