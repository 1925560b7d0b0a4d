package kingmaker

import (
	"maps"
	"slices"
	"time"

	"arroba/rules"
	"arroba/rules/rounds"
)

// State is the whole of a game. What stands in the world file and never changes is in World; units and places are kept by
// name. What is unexported is worked out from the rest and may be missing.
type State struct {
	World       *World
	Rounds      rounds.Rounds
	Start       time.Time // when Round 1 begins
	Turn        string    // the faction whose turn it is; "" before the start
	Factions    map[string]*Faction
	Nobles      map[string]*Noble
	Ships       map[string]*Ship
	Heirs       map[string]*Heir
	Holders     map[string]string   // of items: the noble who holds it; no entry: nobody does
	Control     map[string]string   // of locations: the faction that controls it; no entry: none does
	Groups      []*Group            // armies and fleets that there are, by number
	Formed      int                 // number of the last one
	Alliances   []*Alliance         // all there ever were; the number is the place, from 1
	Changes     int                 // of alliances, counted: what came first, if instants are equal
	Truces      []Truce             // in the order in which they began
	Permissions []Permission        // in the order in which they were given
	Asks        map[int][]string    // of kept orders by number: the factions whose confirmation is still awaited
	Combats     []*Combat           // all there ever were; the number is the place, from 1
	Decks       map[string][]string // the entries not yet drawn
	Reminds     *time.Time          // when the GM is next reminded of what awaits his rulings; nil: nothing does

	cache cache
}

// Faction is a side of the game.
type Faction struct {
	Player rules.Seat // "" for none
	Missed int        // turns in a row without an order
	Breaks []Break    // held until its next turn
}

// Break is an alliance to be broken: a certain one or, with a faction, all that hold it too.
type Break struct {
	N    int
	With string
}

// Place is where a unit stands: inside a location or, with none, in the open of a land space; a ship lies in a location or,
// with none, in a sea zone.
type Place struct {
	Space    string // of land, or at sea
	Location string
}

// Noble is a noble of the game.
type Noble struct {
	Faction string // "" out of play
	Place          // ashore; zero aboard
	Ship    string // that he is aboard of
	Moved   bool   // he had an order of movement in an earlier turn of the Round
	Fought  bool   // one of combat
	Defends string // the faction that he defends with until the Round ends
	Removed bool
}

// Ship is a ship of the game.
type Ship struct {
	Faction string
	Place
	Forced  bool
	Moved   bool
	Removed bool
}

// Heir is an heir to the crown. One who is held is where his holder is.
type Heir struct {
	Place
	Holder  string // a noble
	Crowned bool
	Removed bool
}

// What a group is.
const (
	army  = "army"
	fleet = "fleet"
)

// Group is an army or a fleet.
type Group struct {
	N       int
	Kind    string
	Members []string // nobles or ships, as they were named
	Senior  string   // the Senior Officer; "" for none
	Rule    string   // by which he was found
	Among   []string // the nobles among whom he was found; nil: he has to be found anew
	Changed bool     // members have left, and it is not told yet
}

// What became of an alliance.
const (
	proposed = "proposed"
	formed   = "formed"
	failed   = "failed"
	ended    = "ended"
)

// Alliance is one that was proposed (KM-A1).
type Alliance struct {
	Proposer string
	Asked    []string
	Answers  map[string]bool // of those who have answered
	Members  []string        // while it is formed: those left
	Status   string
	Public   bool
	Due      *time.Time // the last instant for answers; nil: the next closing
	Formed   int        // State.Changes when it was formed
}

// Truce keeps two factions from attacking each other (KM-A12a).
type Truce struct {
	Breaker, Former string
	Round           int  // it ends with the beginning of the breaker's turn in this one
	Public          bool // the alliance was
	Began           int  // State.Changes when it began
}

// Permission lets a faction use a location that another controls (KM-5.0).
type Permission struct {
	From, To, Location string
	Kind               string // pass, enter, dock, leave
	Standing           bool
}

// Combat is a battle or a siege that was declared.
type Combat struct {
	Kind      string
	By        string
	Target    string // the faction attacked, or the location
	Space     string
	Attackers []string // as they were named
	Defenders []string
	Attack    int
	Defence   int
	Result    string // "" until it is decided
}

// clone copies what a trial may change. The world stays shared, and so does the past of alliances and combats.
func (s *State) clone() *State {
	c := *s
	c.Factions = cloneAll(s.Factions)
	c.Nobles, c.Ships, c.Heirs = cloneAll(s.Nobles), cloneAll(s.Ships), cloneAll(s.Heirs)
	c.Holders, c.Control, c.Asks, c.Decks = maps.Clone(s.Holders), maps.Clone(s.Control), maps.Clone(s.Asks), maps.Clone(s.Decks)
	c.Groups = nil
	for _, g := range s.Groups {
		again := *g
		again.Members = slices.Clone(g.Members)
		c.Groups = append(c.Groups, &again)
	}
	c.Alliances = nil
	for _, a := range s.Alliances {
		again := *a
		c.Alliances = append(c.Alliances, &again)
	}
	c.Combats, c.Truces, c.Permissions = slices.Clone(s.Combats), slices.Clone(s.Truces), slices.Clone(s.Permissions)
	return &c
}

// cloneAll copies a map and what it points to.
func cloneAll[T any](m map[string]*T) map[string]*T {
	c := make(map[string]*T, len(m))
	for k, v := range m {
		again := *v
		c[k] = &again
	}
	return c
}
