package heroeslands

import (
	"slices"
	"time"

	"arroba/rules"
)

// deadlines returns those by which something is to be done, as far as they concern a viewer, the next first. A GM sees
// all. What ends by itself (an immunity, a bar, a term of office) leaves nobody anything to do by then.
func deadlines(s *State, v rules.Viewer) (list []rules.Deadline) {
	concerns := func(nicks ...string) bool {
		return v.GM || v.Seat != "" && slices.Contains(nicks, string(v.Seat))
	}
	ts := s.timers()
	for i, t := range ts {
		switch t.kind {
		case windowEnds: // two falls at one instant are one deadline
			if concerns(t.nick) && (i == 0 || ts[i-1].compare(t) != 0) {
				list = append(list, s.windowDeadline(t))
			}
		case offerLapses:
			if concerns(t.offer.Suzerain, t.offer.Vassal) {
				list = append(list, s.offerDeadline(t.offer))
			}
		case callLapses:
			if d := s.duel(int64(t.num)); concerns(d.Initiator, d.Target, s.suzerain(d.Land, d.Target)) {
				list = append(list, s.callDeadline(d))
			}
		case warEnds, propertyCloses, savesOverdue:
			list = append(list, s.saveDeadline(t, v)...)
		case duelDue:
			if d := s.duel(int64(t.num)); concerns(d.Initiator, d.Target, d.StandIn) {
				list = append(list, s.duelDeadline(d))
			}
		case rostersClose:
			list = append(list, rostersDeadline(s.war(int64(t.num)), v)...)
		case warBegins:
			if w := s.war(int64(t.num)); v.GM || w.involves(string(v.Seat)) {
				list = append(list, beginDeadline(w))
			}
		case claimsEnd:
			list = append(list, s.claimDeadlines(s.Tourneys[t.num-1], concerns)...)
		}
	}
	return list
}

// windowDeadline is that of a fallen suzerain's window (HL-06). A window that is open is not met, so he has to release
// somebody; of those that end together the strictest counts.
func (s *State) windowDeadline(t timer) rules.Deadline {
	var strictest Window
	for _, w := range s.in(t.land, t.nick).Windows {
		if w.Due.Equal(t.at) && (strictest.Due.IsZero() || w.Allowed < strictest.Allowed) {
			strictest = w
		}
	}
	return rules.Deadline{At: t.at, Kind: "window", Set: strictest.Opened, Waits: seats(t.nick),
		Data: rules.Data{"suzerain": t.nick, "land": t.land, "allowed": strictest.Allowed}}
}

// offerDeadline is that of an offer (HL-03): it waits for the consent of one, and then for whoever has not announced it.
func (s *State) offerDeadline(f *Offer) rules.Deadline {
	kind, done := "consent", f.Consents
	if len(f.Consents) == 2 {
		kind, done = "announcement", f.Announced
	}
	missing := slices.DeleteFunc([]string{f.Vassal, f.Suzerain}, func(n string) bool { return slices.Contains(done, n) })
	made := f.Lapses.Add(-day * time.Duration(s.Settings.OfferDays))
	return rules.Deadline{At: f.Lapses, Kind: kind, Set: made, Waits: seats(missing...),
		Data: offerData(f, rules.Data{"missing": missing})}
}

// duelDeadline is that of an open duel (HL-43): the two are to fight it, and the Magistrate is to enter its result.
func (s *State) duelDeadline(d *Duel) rules.Deadline {
	return rules.Deadline{At: d.Due, Kind: "duel", Set: d.Set, Data: duelData(d, nil),
		Waits: seats(union([]string{d.Initiator, d.fighter()}, s.GMs)...)}
}

// seats are the seats of nicks.
func seats(nicks ...string) (list []rules.Seat) {
	for _, n := range nicks {
		list = append(list, rules.Seat(n))
	}
	return list
}
