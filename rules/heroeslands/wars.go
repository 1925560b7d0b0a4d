package heroeslands

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// Feudal wars (HL-47 to HL-80): declared, put off, bought out of; who is in which.

// warLength is how long a war lasts from its beginning (HL-58).
const warLength = 35 * day

// end returns when a war ends.
func (w *War) end() time.Time { return w.Begin.Add(warLength) }

// isOpen tells whether a war is declared or begun.
func (w *War) isOpen() bool { return w.Status == declared || w.Status == begun }

// sides returns both sides.
func (w *War) sides() []*Side { return []*Side{&w.Attacker, &w.Defender} }

// sideOf returns the side whose suzerain somebody is, nil when he is neither.
func (w *War) sideOf(nick string) *Side {
	for _, side := range w.sides() {
		if side.Suzerain == nick {
			return side
		}
	}
	return nil
}

// fields returns the side on whose roster somebody stands, nil when on neither.
func (w *War) fields(nick string) *Side {
	for _, side := range w.sides() {
		if nick != "" && slices.Contains(side.Roster, nick) {
			return side
		}
	}
	return nil
}

// involves tells whether somebody is a suzerain of a war or on one of its rosters.
func (w *War) involves(nick string) bool { return w.sideOf(nick) != nil || w.fields(nick) != nil }

// war returns a war by its id, nil when there is none.
func (s *State) war(id int64) *War {
	if id < 1 || id > int64(len(s.Wars)) {
		return nil
	}
	return s.Wars[id-1]
}

// wars returns the open wars of a Land of which something holds, all Lands' when it is "".
func (s *State) wars(land string, of func(*War) bool) (list []*War) {
	for _, w := range s.Wars {
		if w.isOpen() && (land == "" || w.Land == land) && of(w) {
			list = append(list, w)
		}
	}
	return list
}

// rosteredIn returns another open war of the Land on whose rosters somebody stands, nil when there is none (HL-79).
func (s *State) rosteredIn(land, nick string, but *War) *War {
	for _, w := range s.wars(land, func(w *War) bool { return w != but && w.fields(nick) != nil }) {
		return w
	}
	return nil
}

// atWar returns the begun war of a Land that binds somebody as suzerain or participant, nil when none does (HL-57).
func (s *State) atWar(land, nick string) *War {
	for _, w := range s.wars(land, func(w *War) bool { return w.Status == begun && w.involves(nick) }) {
		return w
	}
	return nil
}

// notAtWar refuses what a war keeps those in it from, between its beginning and its end (HL-57).
func (a *act) notAtWar(land string, nicks ...string) *rules.Ruling {
	for _, n := range nicks {
		if w := a.atWar(land, n); w != nil {
			return no("HL-57", "", rules.Data{"nick": n, "land": land, "war": w.ID, "until": w.end()})
		}
	}
	return nil
}

// ownWar finds the open war that an order of one of its suzerains means. One who only stands on a roster is refused by
// HL-23.
func (a *act) ownWar(o orders.Order) (*War, *Side, *rules.Ruling) {
	w, r := a.warOf(o, func(w *War) bool { return w.sideOf(a.me) != nil })
	if r == nil {
		return w, w.sideOf(a.me), nil
	}
	if r.Verdict == orders.Refused {
		if w, _ := a.warOf(o, func(w *War) bool { return w.fields(a.me) != nil }); w != nil {
			return nil, nil, no("HL-23", "", rules.Data{"war": w.ID, "suzerain": w.fields(a.me).Suzerain})
		}
	}
	return nil, nil, r
}

// anyWar finds the open war that an order of the Magistrate means.
func (a *act) anyWar(o orders.Order) (*War, *rules.Ruling) {
	return a.warOf(o, func(*War) bool { return true })
}

// warOf finds the open war that an order names by its id, or the only one of which something holds; with none it refuses,
// with several it asks back.
func (a *act) warOf(o orders.Order, of func(*War) bool) (*War, *rules.Ruling) {
	if o.Has("war") {
		w := a.war(o.N("war"))
		if w == nil || !w.isOpen() || !of(w) {
			return nil, no("HL-82", "war", rules.Data{"war": o.N("war")})
		}
		return w, nil
	}
	list := a.wars("", of)
	switch len(list) {
	case 0:
		return nil, no("HL-82", "no-war", nil)
	case 1:
		return list[0], nil
	}
	var ids []string
	for _, w := range list {
		ids = append(ids, strconv.Itoa(w.ID))
	}
	return nil, unclear("which-war", rules.Data{"slot": "war", "choices": ids})
}

// warData says in an event which war it is about, so that a text can name who fights whom; more is added to it.
func warData(w *War, more rules.Data) rules.Data {
	data := rules.Data{"war": w.ID, "land": w.Land, "attacker": w.Attacker.Suzerain, "defender": w.Defender.Suzerain}
	maps.Copy(data, more)
	return data
}

var warReasons = []reason{
	{"HL-23", "", []string{"war", "suzerain"}},              // only the suzerain does that; the writer is on his roster
	{"HL-57", "", []string{"nick", "land", "war", "until"}}, // a war that goes on keeps nick from it
	{"HL-82", "war", []string{"war"}},                       // no such open war of the writer's
	{"HL-82", "no-war", nil},                                // none that the order could mean
	{"", "which-war", []string{"slot", "choices"}},          // the ids it may mean
}

var warForms = []form{}
