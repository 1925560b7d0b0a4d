package kingmaker

import (
	"slices"

	"arroba/orders"
	"arroba/rules"
)

// act is one change being made to the state: an order, or what happens by itself. It gathers the events.
type act struct {
	*State
	rules.Env
	me     string // the faction of whom it is done for; "" for none
	events []rules.Event

	trial    bool              // an order is tried on a copy: chance is left out, and nobody is told
	journeys map[string]bool   // units that have moved, embarked or disembarked in this closing
	docked   []string          // ships that entered a port by MOVES in this closing, in that order
	ordered  map[kind][]string // who has had an order in force in this closing
	fights   []fight           // the attacks that hold
	known    int               // the highest number of an army or fleet that orders may name: it was there before
}

func begin(s *State, e rules.Env) *act {
	a := &act{State: s, Env: e, journeys: map[string]bool{}, ordered: map[kind][]string{}, known: s.Formed}
	a.me = s.factionOf(e.By.Seat)
	return a
}

// factionOf is the faction that a seat plays.
func (s *State) factionOf(seat rules.Seat) string {
	for _, f := range s.World.Factions {
		if seat != "" && s.Factions[f.Name].Player == seat {
			return f.Name
		}
	}
	return ""
}

// take rules on an order: one of the turn is tried and kept, all others act at once.
func take(s *State, o orders.Order, e rules.Env) (*State, []rules.Event, rules.Ruling) {
	f, a := formByID[o.Form], begin(s, e)
	if r := a.wrongRole(f); r != nil {
		return s, nil, *r
	}
	if f.carry != nil {
		return s, a.events, a.keep(f, o)
	}
	rule, r := f.do(a, o)
	if r != nil {
		return s, nil, *r
	}
	return s, a.events, rules.Accept(rule)
}

// wrongRole refuses an order that belongs to another role (KM-P8).
func (a *act) wrongRole(f form) *rules.Ruling {
	switch {
	case f.Who == forGM && a.By.Role != rules.GM:
		return no("KM-P8", "gm", nil)
	case f.Who == forPlayer && a.me == "":
		return no("KM-P8", "player", nil)
	}
	return nil
}

// say adds an event, unless it is a trial.
func (a *act) say(typ, rule string, to rules.Audience, d rules.Data) {
	if !a.trial {
		a.events = append(a.events, rules.Event{Type: typ, Rule: rule, To: to, Data: d})
	}
}

// public is everybody, with the players of the factions that are told by mail.
func (s *State) public(factions ...string) rules.Audience {
	to := s.secret(factions...)
	to.Tavern, to.Copies = true, true
	return to
}

// secret is the GM, with the players of some factions.
func (s *State) secret(factions ...string) rules.Audience {
	to := rules.Audience{GM: true}
	for _, f := range factions {
		if p := s.player(f); p != "" && !slices.Contains(to.Members, p) {
			to.Members = append(to.Members, p)
		}
	}
	return to
}

// asking is an audience in which the players of some factions are asked something.
func (s *State) asking(to rules.Audience, factions []string) rules.Audience {
	for _, f := range factions {
		if p := s.player(f); p != "" {
			to.Asked = append(to.Asked, p)
		}
	}
	return to
}

// player is who plays a faction; "" for nobody.
func (s *State) player(f string) rules.Seat {
	if s.Factions[f] == nil {
		return ""
	}
	return s.Factions[f].Player
}
