package heroeslands

import (
	"encoding/json"
	"slices"

	"arroba/rules"
)

// What a letter shows of the pictures is small, whatever the size of the game.
const (
	showsLords = 40 // lords of a tree
	showsMost  = 4  // pictures
)

// The events after which a tree, or the row of a war or a duel on a time line, looks different. All of them are public.
var (
	changesTree = []string{"rank-changed", "vassalage-begun", "vassal-freed", "flag-gained", "flag-lost", "feud-moved", "immunity-begun", "war-immunity"}
	changesWar  = []string{"war-declared", "rosters-closed", "begin-set", "war-postponed", "war-bought-out", "war-begun", "war-ended", "war-annulled"}
	changesDuel = []string{"duel-declared", "duel-called", "duel-accepted", "duel-declined", "duel-stood-in", "duel-postponed", "duel-closed", "duel-lapsed", "duel-annulled"}
)

// shows draws what events have changed: the groups of the suzerains concerned as they are now, and the times of the wars
// and duels.
func shows(s *State, v rules.Viewer, events []rules.Event) (list []rules.Picture) {
	for _, land := range s.Lands {
		if about := s.lordsIn(land, events); len(about) > 0 {
			heads := s.headsOf(land, about)
			t := &tree{s: s, land: land, only: s.nearest(land, about, heads)}
			for _, nick := range heads {
				t.put(nick, 0)
			}
			list = append(list, t.picture())
		}
		if p, ok := s.timeLine(land, v, s.mattersOf(land, events)); ok {
			list = append(list, p)
		}
	}
	return list[:min(len(list), showsMost)]
}

// lordsIn are the lords whom events in a Land are about.
func (s *State) lordsIn(land string, events []rules.Event) []string {
	about := map[string]bool{}
	for _, ev := range events {
		if !slices.Contains(changesTree, ev.Type) || ev.Data["land"] != land {
			continue
		}
		for _, key := range []string{"nick", "suzerain", "vassal", "from", "to"} {
			nick, _ := ev.Data[key].(string)
			if p := s.Inhabitants[nick]; p == nil || p.In[land].Rank == Landless {
				continue
			}
			about[nick] = true
		}
	}
	return sorted(about)
}

// headsOf are the heads of the groups that lords belong to.
func (s *State) headsOf(land string, lords []string) []string {
	heads := map[string]bool{}
	for _, nick := range lords {
		chain := s.above(land, nick)
		heads[chain[len(chain)-1]] = true
	}
	return sorted(heads)
}

// above are somebody, his suzerain, the suzerain's, and so on.
func (s *State) above(land, nick string) (chain []string) {
	for nick != "" && len(chain) < len(s.Inhabitants) {
		chain = append(chain, nick)
		nick = s.suzerain(land, nick)
	}
	return chain
}

// nearest are those of some groups that a letter has place for: first the lords it is about with the suzerains above
// them, then the others from the top of each group on.
func (s *State) nearest(land string, about, heads []string) map[string]bool {
	drawn := map[string]bool{}
	for _, nick := range about {
		chain := slices.DeleteFunc(s.above(land, nick), func(n string) bool { return drawn[n] })
		if len(drawn)+len(chain) <= showsLords {
			for _, n := range chain {
				drawn[n] = true
			}
		}
	}
	var fill func(nick string)
	fill = func(nick string) {
		if len(drawn) == showsLords && !drawn[nick] {
			return
		}
		drawn[nick] = true
		for _, v := range s.in(land, nick).Vassals {
			fill(v)
		}
	}
	for _, nick := range heads {
		fill(nick)
	}
	return drawn
}

// mattersOf are the wars and duels of a Land whose dates events have changed.
func (s *State) mattersOf(land string, events []rules.Event) (list []matter) {
	wars, duels := map[int64]bool{}, map[int64]bool{}
	for _, ev := range events {
		if id := number(ev.Data["war"]); slices.Contains(changesWar, ev.Type) && !wars[id] {
			wars[id] = true
			if w := s.war(id); w != nil && w.Land == land {
				list = append(list, w.matter())
			}
		}
		if id := number(ev.Data["duel"]); slices.Contains(changesDuel, ev.Type) && !duels[id] {
			duels[id] = true
			if d := s.duel(id); d != nil && d.Land == land {
				list = append(list, d.matter())
			}
		}
	}
	return list
}

// number is a whole number in an event's data, which may have been through JSON.
func number(v any) int64 {
	switch n := v.(type) {
	case int:
		return int64(n)
	case int64:
		return n
	case float64:
		return int64(n)
	case json.Number:
		i, _ := n.Int64() // 0, which no war or duel has, for what is none
		return i
	}
	return 0
}
