package kingmaker

import (
	"slices"
	"time"

	"arroba/rules"
	"arroba/rules/rounds"
)

// The phases of a turn.
const (
	phaseOrders  = "orders"
	phaseRulings = "rulings"
)

// What falls due by itself, besides the closing of the phase.
const (
	dueStart   = "start"
	dueWindow  = "window"
	dueRulings = "rulings"
)

// next tells what happens by itself next. Of several at one instant, windows for answers come before the closing.
func next(s *State) (rules.Due, bool) {
	var list []rules.Due
	if d, ok := s.Rounds.Next(); ok {
		list = append(list, d)
	}
	if !s.Rounds.Held() {
		list = slices.Concat(s.windows(), list)
		if s.Turn == "" && len(s.playing()) > 0 {
			list = append(list, rules.Due{At: s.Start, Kind: dueStart})
		}
		if s.Reminds != nil {
			list = append(list, rules.Due{At: *s.Reminds, Kind: dueRulings, After: true})
		}
	}
	if len(list) == 0 {
		return rules.Due{}, false
	}
	return slices.MinFunc(list, func(a, b rules.Due) int { return a.At.Compare(b.At) }), true
}

// fire does what falls due.
func fire(s *State, d rules.Due, e rules.Env) (*State, []rules.Event) {
	a := begin(s, e)
	switch d.Kind {
	case dueStart:
		a.nextTurn()
	case dueWindow:
		a.settleWindow(d.ID)
	case dueRulings:
		a.remindOfRulings()
	default:
		c, ev := s.Rounds.Fire(d, e)
		if c == nil {
			return s, ev
		}
		a.close(c)
	}
	return s, a.events
}

// playing are the factions that have a player, in the order of the Round.
func (s *State) playing() (list []string) {
	for _, f := range s.World.Factions {
		if s.player(f.Name) != "" {
			list = append(list, f.Name)
		}
	}
	return list
}

// nextTurn begins the turn of the next faction, and with the first one a Round.
func (a *act) nextTurn() {
	a.Reminds = nil
	order := a.playing()
	at := slices.Index(order, a.Turn) + 1
	round := a.Rounds.Phase.Round
	if a.Turn == "" || at == len(order) {
		if a.Turn != "" {
			a.reportRound(round)
		}
		at = 0
		round++
		a.newRound(round)
	}
	a.Turn, a.me = order[at], order[at]
	a.endTruces(round)
	a.breakHeld(round)
	a.Rounds.Begin(rounds.Phase{Round: round, Name: phaseOrders, Awaits: []rules.Seat{a.player(a.Turn)}, Lasts: a.World.Rules.Turn}, a.Env)
	a.say("turn-began", "KM-P1", a.public(a.Turn), rules.Data{"round": round, "turn": a.Turn, "deadline": *a.Rounds.Deadline})
	a.reportSituation(round)
}

// newRound begins a Round: marks are cleared, and permissions that do not stand end.
func (a *act) newRound(n int) {
	for _, x := range a.Nobles {
		x.Moved, x.Fought, x.Defends = false, false, ""
	}
	for _, x := range a.Ships {
		x.Moved = false
	}
	a.endRoundPermissions()
	a.say("round-began", "KM-P1", a.public(), rules.Data{"round": n})
}

// remindOfRulings reminds the GM of the combats that await him.
func (a *act) remindOfRulings() {
	var open []int
	for i, c := range a.Combats {
		if c.Result == "" {
			open = append(open, i+1)
		}
	}
	a.say("rulings-awaited", "KM-P1", rules.Audience{GM: true}, rules.Data{"round": a.Rounds.Phase.Round, "combats": open})
	a.Reminds = new(a.Reminds.Add(a.World.Rules.Turn))
}

// undecided tells whether some combat awaits the GM.
func (s *State) undecided() bool {
	return slices.ContainsFunc(s.Combats, func(c *Combat) bool { return c.Result == "" })
}

// control does what the engine's orders want of the phase.
func control(s *State, c rules.Control, e rules.Env) (*State, []rules.Event, rules.Ruling) {
	a := begin(s, e)
	if c.Kind == rules.Ready && s.Turn != "" && a.me != s.Turn {
		return s, nil, *no("KM-P1", "ready", rules.Data{"turn": s.Turn})
	}
	broke := c.Kind == rules.Cancel && c.N == 0 && a.takeBackBreaks()
	ev, ru := s.Rounds.Control(c, e, ids)
	switch {
	case c.Kind == rules.Shift:
		s.shift(c.By)
	case c.Kind == rules.Cancel && ru.OK():
		a.dropAsks()
		s.Rounds.SetPending(len(s.Asks) > 0, e)
	case broke:
		ru = rules.Accept("")
	case (c.Kind == rules.Ready || c.Kind == rules.Wait) && ru.OK():
		ru.Rule = "KM-P1"
	}
	return s, ev, ru
}

// shift moves what falls due besides the phase.
func (s *State) shift(by time.Duration) {
	if s.Turn == "" {
		s.Start = s.Start.Add(by)
	}
	if s.Reminds != nil {
		s.Reminds = new(s.Reminds.Add(by))
	}
	for _, a := range s.Alliances {
		if a.Status == proposed && a.Due != nil {
			a.Due = new(a.Due.Add(by))
		}
	}
}
