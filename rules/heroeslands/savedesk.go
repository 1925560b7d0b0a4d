package heroeslands

import (
	"slices"
	"strconv"

	"arroba/rules"
)

// What those in a war, and the Magistrate, have still to do about its saves.

// saveDeadline is a deadline of a war's saves, as far as it concerns a viewer: none, or one.
func (s *State) saveDeadline(t timer, v rules.Viewer) []rules.Deadline {
	w := s.war(int64(t.num))
	d := rules.Deadline{At: t.at, Set: w.Begin, Data: warData(w, nil)}
	nick := string(v.Seat)
	switch {
	case t.kind == warEnds && (v.GM || w.involves(nick)):
		d.Kind = "war-ends"
		for _, n := range w.missing() {
			if v.GM || n == nick { // who has sent his save is his own matter
				d.Waits = append(d.Waits, rules.Seat(n))
			}
		}
		if side := w.fields(nick); side != nil && len(d.Waits) > 0 && !v.GM {
			d.Data["title"] = saveTitle(side, slices.Index(side.Roster, nick))
		}
	case t.kind == propertyCloses && (v.GM || w.sideOf(nick) != nil):
		d.Kind, d.Set = "property", *w.SavesIssued
	case t.kind == savesOverdue && v.GM:
		d.Kind, d.Set, d.Waits = "saves", *w.SavesIssued, seats(s.GMs...)
	default:
		return nil
	}
	return []rules.Deadline{d}
}

// missing are those whose saves have not come, pair by pair.
func (w *War) missing() (nicks []string) {
	for i := range w.Pairs {
		for _, attacker := range []bool{true, false} {
			if h := w.Pairs[i].half(attacker); *h.nick != "" && *h.save == nil {
				nicks = append(nicks, *h.nick)
			}
		}
	}
	return nicks
}

// pairResults are what the Magistrate may say of pairs whose saves have both come, and then what he has to do for the saves
// of wars.
func (o *offering) pairResults() {
	wars := o.openWars()
	for _, w := range wars {
		for i := range w.Pairs {
			p := &w.Pairs[i]
			if w.Status == begun && p.AttackerSave != nil && p.DefenderSave != nil && p.Result == "" && len(p.Opened) == 0 {
				pairs := []string{"pair", strconv.Itoa(i + 1), "war", strconv.Itoa(w.ID)}
				if winner := p.likely(); winner != "" {
					pairs = append(pairs, "winner", winner)
				}
				o.add("result-pair", pairs...)
			}
		}
	}
	for _, w := range wars {
		switch {
		case w.RostersClosed != nil && w.SavesIssued == nil:
			o.add("issue-saves", "war", strconv.Itoa(w.ID))
		case w.SavesIssued != nil && w.SavesSent == nil:
			o.add("send-saves", "war", strconv.Itoa(w.ID))
		}
	}
}

// likely is who has won a pair by its saves, "" when it is drawn.
func (p *Pair) likely() string {
	decided := *p
	decided.Result = p.bySaves().result
	return decided.winner()
}

// saves are those that the viewer has still to send in wars that go on.
func (o *offering) saves() {
	for _, w := range o.warsOf(o.me) {
		if side := w.fields(o.me); w.Status == begun && side != nil && slices.Contains(w.missing(), o.me) {
			o.add("save", "title", saveTitle(side, slices.Index(side.Roster, o.me)), "land", w.Land)
		}
	}
}
