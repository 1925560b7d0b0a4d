package kingmaker

import "arroba/rules"

// What is reported when a turn or a Round is over: where everybody stands, and to the GM what waits for whom.

// place of a unit as reports have it: the noble or ship, where it is, and the ship that it is aboard of.
func (s *State) standing(unit string) rules.Data {
	d := rules.Data{"unit": unit, "place": s.where(unit).name(), "ship": ""}
	if n := s.Nobles[unit]; n != nil {
		d["ship"] = n.Ship
	}
	return d
}

// forces are a faction's nobles and ships with where they stand, in the world's order.
func (s *State) forces(f string) []rules.Data {
	list := []rules.Data{}
	for _, d := range s.World.Nobles {
		if s.of(d.Name) == f {
			list = append(list, s.standing(d.Name))
		}
	}
	for _, d := range s.World.Ships {
		if s.of(d.Name) == f {
			list = append(list, s.standing(d.Name))
		}
	}
	return list
}

// holdings are the locations that a faction controls, in the world's order.
func (s *State) holdings(f string) []string {
	held := []string{}
	for _, l := range s.World.Locations {
		if s.Control[l.Name] == f {
			held = append(held, l.Name)
		}
	}
	return held
}

// reportTurn tells everybody where the faction stands whose turn is over.
func (a *act) reportTurn() {
	a.say("positions", "KM-P1", a.public(), rules.Data{"faction": a.Turn, "forces": a.forces(a.Turn)})
}

// reportRound tells everybody how a Round has ended.
func (a *act) reportRound(round int) {
	factions := []rules.Data{}
	for _, d := range a.World.Factions {
		if forces, held := a.forces(d.Name), a.holdings(d.Name); len(forces)+len(held) > 0 {
			factions = append(factions, rules.Data{"faction": d.Name, "forces": forces, "holds": held})
		}
	}
	a.say("round-over", "KM-P1", a.public(), rules.Data{"round": round, "factions": factions})
}

// reportSituation tells the GM, when a turn begins, who is to order and what waits for whom.
func (a *act) reportSituation(round int) {
	proposals, breaks := []rules.Data{}, []rules.Data{}
	for i, x := range a.Alliances {
		if x.Status != proposed {
			continue
		}
		var waits []string
		for _, f := range x.Asked {
			if _, answered := x.Answers[f]; !answered {
				waits = append(waits, f)
			}
		}
		proposals = append(proposals, rules.Data{"n": i + 1, "proposer": x.Proposer, "waits": waits})
	}
	for _, d := range a.World.Factions {
		if len(a.Factions[d.Name].Breaks) > 0 {
			breaks = append(breaks, rules.Data{"faction": d.Name, "count": len(a.Factions[d.Name].Breaks)})
		}
	}
	f := a.Factions[a.Turn]
	a.say("situation", "KM-P1", rules.Audience{GM: true}, rules.Data{"round": round, "turn": a.Turn, "player": string(f.Player), "deadline": *a.Rounds.Deadline,
		"missed": f.Missed, "forces": a.forces(a.Turn), "next": a.following(), "proposals": proposals, "breaks": breaks})
}

// following are the factions that have their turns after this one in the Round.
func (s *State) following() []string {
	list := []string{}
	after := false
	for _, f := range s.playing() {
		if after {
			list = append(list, f)
		}
		after = after || f == s.Turn
	}
	return list
}
