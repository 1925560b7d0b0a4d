package heroeslands

import (
	"cmp"
	"slices"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// act is one change being made to the state: an order, or what happens by itself. It gathers the events, and remembers
// whose feuds and vassals were moved, so that follow can work out what comes of it when all moves are done.
type act struct {
	*State
	rules.Env
	me     string // on whose behalf
	events []rules.Event
	feuds  map[string]map[string]bool // by Land: whose feuds changed
	bonds  map[string]map[string]bool // by Land: suzerains who lost or gained vassals
}

func begin(s *State, e rules.Env) *act {
	return &act{State: s, Env: e, me: string(e.By.Seat), feuds: map[string]map[string]bool{}, bonds: map[string]map[string]bool{}}
}

// take rules on an order.
func take(s *State, o orders.Order, e rules.Env) (*State, []rules.Event, rules.Ruling) {
	f := formByID[o.Form]
	a := begin(s, e)
	if r := a.wrongRole(f); r != nil {
		if asked := f.asksBack(a, o); asked != nil {
			r = asked
		}
		return s, nil, *r
	}
	rule, r := f.do(a, o)
	if r != nil {
		return s, nil, *r
	}
	a.follow()
	return s, a.events, rules.Accept(rule)
}

// wrongRole refuses an order that belongs to another role (HL-81).
func (a *act) wrongRole(f form) *rules.Ruling {
	role, who := a.By.Role, f.Who
	switch {
	case f.presenter && (role == rules.GM || a.me == a.Presenter):
	case f.presenter:
		return no("HL-81", "presenter", nil)
	case role == rules.Observer:
		return no("HL-81", "observer", nil)
	case who == forPlayer && role != rules.Player:
		return no("HL-81", "player", nil)
	case who == forGM && role != rules.GM:
		return no("HL-81", "gm", nil)
	case who == forPlayer && a.Inhabitants[a.me] == nil:
		return no("HL-81", "", nil)
	}
	return nil
}

// may tells of the orders that the presenter gives as well as the Magistrate.
func may(s *State, v rules.Viewer, form string) bool {
	return formByID[form].presenter && v.Seat != "" && s.Presenter == string(v.Seat)
}

// control takes the engine's order to move all that falls due, after a hold. Dates that the Magistrate named stay.
// There is nothing to cancel or to close in a game without rounds.
func control(s *State, c rules.Control, e rules.Env) (*State, []rules.Event, rules.Ruling) {
	switch c.Kind {
	case rules.Shift:
		s.shift(c.By)
	case rules.Hold, rules.Reopen: // no round gets its length anew
	default:
		return s, nil, *no("HL-82", "", nil)
	}
	return s, nil, rules.Accept("")
}

// say adds an event.
func (a *act) say(typ, rule string, to rules.Audience, d rules.Data) {
	a.events = append(a.events, rules.Event{Type: typ, Rule: rule, To: to, Data: d})
}

// tavern is everybody, with those who are told by mail.
func (a *act) tavern(nicks ...string) rules.Audience {
	to := a.only(nicks...)
	to.Tavern, to.GM, to.Copies = true, true, true
	return to
}

// gm is the Magistrate, with those who are told by mail.
func (a *act) gm(nicks ...string) rules.Audience {
	to := a.only(nicks...)
	to.GM = true
	return to
}

// only is those who are told by mail, each once; a GM among them is told as the Magistrate.
func (a *act) only(nicks ...string) rules.Audience {
	var to rules.Audience
	for _, n := range nicks {
		switch {
		case n == "" || slices.Contains(to.Members, rules.Seat(n)):
		case n == magistrate || slices.Contains(a.GMs, n):
			to.GM = true
		default:
			to.Members = append(to.Members, rules.Seat(n))
		}
	}
	return to
}

// mark remembers that a person was touched in a Land.
func mark(m map[string]map[string]bool, land, nick string) {
	if m[land] == nil {
		m[land] = map[string]bool{}
	}
	m[land][nick] = true
}

// follow works out what comes of the moves of an act, Land by Land, in the fixed steps.
func (a *act) follow() {
	for _, land := range a.Lands {
		if moved := sorted(a.feuds[land]); len(moved) > 0 {
			was := a.rerank(land, moved)
			a.freeRisen(land, moved, was)
			a.windowsByRank(land, moved, was)
		}
		if len(a.bonds[land]) == 0 && len(a.feuds[land]) == 0 {
			continue
		}
		suzerains := sorted(a.bonds[land])
		a.closeMetWindows(land, union(suzerains, sorted(a.feuds[land])))
		a.flyFlags(land, suzerains)
		a.lapseDuels(land)
	}
}

// rerank works ranks out anew (step 1) and returns those that were.
func (a *act) rerank(land string, moved []string) map[string]Rank {
	was := map[string]Rank{}
	for _, n := range moved {
		st := a.in(land, n)
		was[n] = st.Rank
		st.Rank = a.Settings.rankOf(len(st.Feuds))
		if st.Rank != was[n] {
			a.say("rank-changed", "HL-01", a.tavern(n), rules.Data{
				"nick": n, "land": land, "from": was[n].String(), "to": st.Rank.String()})
		}
	}
	return was
}

// freeRisen frees vassals who are landless (step 2) or of higher rank than their suzerain (step 3), and tells those
// whose rank has become equal (step 4).
func (a *act) freeRisen(land string, moved []string, was map[string]Rank) {
	var vassals []string
	for _, n := range moved {
		if a.suzerain(land, n) != "" {
			vassals = append(vassals, n)
		}
		vassals = union(vassals, a.in(land, n).Vassals)
	}
	vassals = union(vassals, nil)
	for _, v := range vassals {
		if a.in(land, v).Rank == Landless {
			a.free(land, v, "landless")
		}
	}
	for _, v := range vassals {
		if l := a.suzerain(land, v); l != "" && a.in(land, v).Rank > a.in(land, l).Rank {
			a.free(land, v, "higher-rank")
		}
	}
	before := func(n string) Rank {
		if r, ok := was[n]; ok {
			return r
		}
		return a.in(land, n).Rank
	}
	for _, v := range vassals {
		l := a.suzerain(land, v)
		if l != "" && a.in(land, v).Rank == a.in(land, l).Rank && before(v) != before(l) {
			a.say("equal-rank", "HL-28", a.gm(l, v), rules.Data{"land": land, "suzerain": l, "vassal": v})
		}
	}
}

// windowsByRank opens windows for those who fell and lifts those of the risen (step 5).
func (a *act) windowsByRank(land string, moved []string, was map[string]Rank) {
	for _, n := range moved {
		st := a.in(land, n)
		keep := a.Settings.Keep[st.Rank]
		switch {
		case st.Rank < was[n] && !within(len(st.Vassals), keep):
			w := Window{Opened: a.At.UTC(), Due: a.At.UTC().Add(7 * day), Allowed: keep}
			st.Windows = append(st.Windows, w)
			a.say("window-opened", "HL-06", a.gm(n), rules.Data{
				"suzerain": n, "land": land, "due": w.Due, "allowed": keep})
			a.schedule(windowTimer(land, n, w))
		case st.Rank > was[n]:
			for i := range st.Windows {
				if w := &st.Windows[i]; keep == noLimit || w.Allowed != noLimit && w.Allowed < keep {
					w.Allowed = keep
				}
			}
		}
	}
}

// closeMetWindows closes the windows of those who have no more vassals than allowed (step 6).
func (a *act) closeMetWindows(land string, nicks []string) {
	for _, n := range nicks {
		st := a.in(land, n)
		var left []Window
		for _, w := range st.Windows {
			if !within(len(st.Vassals), w.Allowed) {
				left = append(left, w)
				continue
			}
			a.windowClosed(land, n, w, true)
		}
		st.Windows = left
	}
}

// windowClosed tells of a window that is closed.
func (a *act) windowClosed(land, nick string, w Window, met bool) {
	allowed := any(w.Allowed)
	if w.Allowed == noLimit {
		allowed = nil
	}
	a.say("window-closed", "HL-06", a.gm(nick), rules.Data{
		"suzerain": nick, "land": land, "due": w.Due, "allowed": allowed, "met": met})
	a.cancel(windowTimer(land, nick, w))
}

// flyFlags hoists and strikes flags (step 7).
func (a *act) flyFlags(land string, nicks []string) {
	for _, n := range nicks {
		st := a.in(land, n)
		fly := len(st.Vassals) >= flagVassals
		if fly == st.Flag {
			continue
		}
		st.Flag = fly
		typ := "flag-lost"
		if fly {
			typ = "flag-gained"
		}
		a.say(typ, "HL-08", a.tavern(n), rules.Data{"nick": n, "land": land})
	}
}

// flagVassals is how many vassals the flag needs (HL-08).
const flagVassals = 4

// lapseDuels ends the independence duels whose vassalage is over (step 8).
func (a *act) lapseDuels(land string) {
	for _, d := range a.Duels {
		if d.Status == open && d.Land == land && d.Kind == independence && a.suzerain(land, d.Initiator) != d.Target {
			a.endDuel(d, lapsed)
			a.say("duel-lapsed", "HL-40", a.tavern(d.Initiator, d.Target), duelData(d, nil))
		}
	}
}

// union merges two lists of names into one in order, each name once.
func union(a, b []string) []string {
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}

// addMonths steps months in the calendar of a zone, the day clamped to the month's last.
func addMonths(t time.Time, zone *time.Location, months int) time.Time {
	l := t.In(zone)
	first := time.Date(l.Year(), l.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	d := orders.Date{Year: first.Year(), Month: int(first.Month()), Day: min(l.Day(), last),
		Hour: l.Hour(), Min: l.Minute(), Sec: l.Second(), HasTime: true}
	return d.In(zone, time.Time{}).Add(time.Duration(l.Nanosecond())).UTC()
}

// byService orders vassals: by when their service began, then by nick.
func (s *State) byService(land string) func(a, b string) int {
	return func(a, b string) int {
		return cmp.Or(s.in(land, a).Since.Compare(s.in(land, b).Since), cmp.Compare(a, b))
	}
}
