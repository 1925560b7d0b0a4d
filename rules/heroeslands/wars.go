package heroeslands

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
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

// against returns the side against a suzerain of a war.
func (w *War) against(suzerain string) *Side {
	if w.Attacker.Suzerain == suzerain {
		return &w.Defender
	}
	return &w.Attacker
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

// openWars returns all open wars.
func (s *State) openWars() []*War {
	return slices.DeleteFunc(slices.Clone(s.Wars), func(w *War) bool { return !w.isOpen() })
}

// warsOf returns the open wars that involve somebody, in order of their ids. They are looked for once and then kept up by
// retime, for there may be many wars.
func (s *State) warsOf(nick string) []*War {
	if s.cache.wars == nil {
		s.cache.wars = map[string][]*War{}
		for _, w := range s.Wars {
			s.indexWar(w)
		}
	}
	return s.cache.wars[nick]
}

// indexWar notes who is in a war, as long as it is open.
func (s *State) indexWar(w *War) {
	if s.cache.wars == nil || !w.isOpen() {
		return
	}
	for _, n := range union(w.people(), nil) {
		s.cache.wars[n] = append(s.cache.wars[n], w)
		slices.SortFunc(s.cache.wars[n], func(v, w *War) int { return cmp.Compare(v.ID, w.ID) })
	}
}

// unindexWar forgets who is in a war.
func (s *State) unindexWar(w *War) {
	s.warsOf("") // so that what changes in between is not noted twice
	for _, n := range w.people() {
		if of := s.cache.wars[n]; of != nil {
			s.cache.wars[n] = slices.DeleteFunc(of, func(v *War) bool { return v == w })
		}
	}
}

// rosteredIn returns another open war of the Land on whose rosters somebody stands, nil when there is none (HL-79).
func (s *State) rosteredIn(land, nick string, but *War) *War {
	for _, w := range s.warsOf(nick) {
		if w != but && w.Land == land && w.fields(nick) != nil {
			return w
		}
	}
	return nil
}

// atWar returns the begun war of a Land that binds somebody as suzerain or participant, nil when none does (HL-57).
func (s *State) atWar(land, nick string) *War {
	for _, w := range s.warsOf(nick) {
		if w.Status == begun && w.Land == land {
			return w
		}
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

// ownWar finds the open war that an order of one of its suzerains means, and his side. One who only stands on a roster is
// refused by HL-23.
func (a *act) ownWar(o orders.Order) (*War, *Side, *rules.Ruling) {
	w, r := a.suzerainsWar(o)
	if r == nil {
		return w, w.sideOf(a.me), nil
	}
	if r.Verdict == orders.Refused {
		switch w, r := a.rosterWar(o); {
		case w != nil:
			return nil, nil, no("HL-23", "", rules.Data{"war": w.ID, "suzerain": w.fields(a.me).Suzerain})
		case r.Verdict == orders.Unclear:
			return nil, nil, r
		}
	}
	return nil, nil, r
}

// ownWarAsks asks which war is meant, as ownWar does.
func ownWarAsks(a *act, o orders.Order) *rules.Ruling {
	_, _, r := a.ownWar(o)
	return r
}

// suzerainsWar finds the open war that an order of one of its suzerains means.
func (a *act) suzerainsWar(o orders.Order) (*War, *rules.Ruling) {
	return warOf(o, a.warsOf(a.me), func(w *War) bool { return w.sideOf(a.me) != nil })
}

// rosterWar finds the open war on whose rosters the writer stands that an order means.
func (a *act) rosterWar(o orders.Order) (*War, *rules.Ruling) {
	return warOf(o, a.warsOf(a.me), func(w *War) bool { return w.fields(a.me) != nil })
}

// anyWar finds the open war that an order of the Magistrate means.
func (a *act) anyWar(o orders.Order) (*War, *rules.Ruling) {
	return warOf(o, a.openWars(), func(*War) bool { return true })
}

// warOf finds among wars the one that an order names by its id, or the only one of which something holds; with none it
// refuses, with several it asks back.
func warOf(o orders.Order, wars []*War, of func(*War) bool) (*War, *rules.Ruling) {
	var found []*War
	var ids []string
	for _, w := range wars {
		if of(w) && (!o.Has("war") || o.N("war") == int64(w.ID)) {
			found = append(found, w)
			ids = append(ids, strconv.Itoa(w.ID))
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, unclear("which-war", rules.Data{"slot": "war", "choices": ids})
	case o.Has("war"):
		return nil, no("HL-82", "war", rules.Data{"war": o.N("war")})
	}
	return nil, no("HL-82", "no-war", nil)
}

// warData says in an event which war it is about, so that a text can name who fights whom; more is added to it.
func warData(w *War, more rules.Data) rules.Data {
	attacker, defender := w.Attacker.Suzerain, w.Defender.Suzerain
	data := rules.Data{"war": w.ID, "land": w.Land, "attacker": attacker, "defender": defender, "suzerains": []string{attacker, defender}}
	maps.Copy(data, more)
	return data
}

// since returns the instant so many days after the declaration, holds of the game not counted.
func (w *War) since(days int) time.Time { return w.Declared.Add(w.Shifted + time.Duration(days)*day) }

// suzerains tells everybody, and both suzerains by mail.
func (a *act) suzerains(w *War) rules.Audience {
	return a.tavern(w.Attacker.Suzerain, w.Defender.Suzerain)
}

// participants tells everybody, and by mail both suzerains and all who fight.
func (a *act) participants(w *War) rules.Audience { return a.tavern(w.people()...) }

// declareWar declares war on another suzerain (HL-48).
func declareWar(a *act, o orders.Order) (string, *rules.Ruling) {
	lord, n := o.ID("lord"), o.N("participants")
	land, r := a.namedLand(o)
	if r = first(r, a.notOneself(lord)); r != nil {
		return "", r
	}
	if r := a.mayDeclare(land, lord, n); r != nil {
		return "", r
	}
	now := a.At.UTC()
	w := &War{ID: len(a.Wars) + 1, Land: land, Mode: feudal, Participants: int(n), Declared: now,
		RostersDue: now.Add(rosterDays * day), Begin: now.Add(day * time.Duration(a.Settings.BeginDay)),
		Stake: WarStake{Kind: inFeuds, Amount: n}, Attacker: Side{Suzerain: a.me}, Defender: Side{Suzerain: lord}}
	if n == mostParticipants {
		w.Mode = byClan
	}
	a.retime(w, func() {
		w.Status = declared
		a.Wars = append(a.Wars, w)
	})
	a.say("war-declared", "HL-48", a.tavern(lord), warData(w, rules.Data{"participants": w.Participants, "mode": w.Mode,
		"begin": w.Begin, "rosters_due": w.RostersDue, "buy_out_until": w.since(buyOutDays), "postpone_until": w.since(postponeDays)}))
	return "HL-48", nil
}

// The days after a declaration until when something may be done: rosters named, the defender buy himself out, and
// postpone the beginning (HL-54, HL-56, HL-61); and those on which the Magistrate may set the beginning (HL-58).
const (
	rosterDays   = 7
	buyOutDays   = 21
	postponeDays = 28
	firstBegin   = 35
	lastBegin    = 49
)

// mostParticipants is how many may fight on a side; with so many a war goes by clan rules (HL-49, HL-55).
const mostParticipants = 5

// mayDeclare looks whether the writer may declare war on a lord, with so many participants.
func (a *act) mayDeclare(land, lord string, n int64) *rules.Ruling {
	return first(a.betweenSuzerains(land, lord), fits(n), a.noWarBetween(land, lord), a.notWarImmune(land, lord), a.haveForce(land, lord, n))
}

// betweenSuzerains refuses a war of one or against one without vassals, and one between suzerain and vassal (HL-48).
func (a *act) betweenSuzerains(land, lord string) *rules.Ruling {
	own, his := a.in(land, a.me), a.in(land, lord)
	switch {
	case len(own.Vassals) == 0:
		return no("HL-48", "own", rules.Data{"land": land})
	case his.Suzerain == a.me:
		return no("HL-48", "vassal", rules.Data{"nick": lord, "land": land})
	case own.Suzerain == lord:
		return no("HL-48", "suzerain", rules.Data{"nick": lord, "land": land})
	case len(his.Vassals) == 0:
		return no("HL-48", "target", rules.Data{"nick": lord, "land": land})
	}
	return nil
}

// fits refuses a number of participants out of bounds (HL-49).
func fits(n int64) *rules.Ruling {
	if n < 1 || n > mostParticipants {
		return no("HL-49", "", rules.Data{"n": n, "most": mostParticipants})
	}
	return nil
}

// noWarBetween refuses a second war of the same two (HL-79).
func (a *act) noWarBetween(land, lord string) *rules.Ruling {
	for _, w := range a.warsOf(a.me) {
		if w.Land == land && w.sideOf(a.me) != nil && w.sideOf(lord) != nil {
			return no("HL-79", "war", rules.Data{"nick": lord, "land": land, "war": w.ID})
		}
	}
	return nil
}

// notWarImmune refuses a war on one who is immune against it (HL-78).
func (a *act) notWarImmune(land, lord string) *rules.Ruling {
	if n := a.in(land, lord).WarImmune; n > 0 {
		return no("HL-78", "", rules.Data{"nick": lord, "land": land, "tourneys": n})
	}
	return nil
}

// haveForce refuses more participants than either side has (HL-50). How many the other side has is not told: who stands on
// rosters that are not closed is its own affair.
func (a *act) haveForce(land, lord string, n int64) *rules.Ruling {
	if own := a.force(land, a.me, n); own < n {
		return no("HL-50", "own", rules.Data{"land": land, "n": n, "most": own})
	}
	if a.force(land, lord, n) < n {
		return no("HL-50", "target", rules.Data{"nick": lord, "land": land, "n": n})
	}
	return nil
}

// force counts whom a suzerain could field, himself and his vassals but those on a roster of an open war (HL-50); it stops
// at enough, for a king may have many vassals.
func (a *act) force(land, lord string, enough int64) (n int64) {
	for _, nick := range append([]string{lord}, a.in(land, lord).Vassals...) {
		if n < enough && a.rosteredIn(land, nick, nil) == nil {
			n++
		}
	}
	return n
}

// beginWar begins a war (HL-58): rosters that are open are closed, and who has left a side since is struck.
func (a *act) beginWar(w *War) {
	var filled []string
	if w.RostersClosed == nil {
		a.closeRosters(w)
	} else {
		filled = a.refill(w)
	}
	a.retime(w, func() { w.Status = begun })
	a.say("war-begun", "HL-58", a.participants(w), warData(w, rules.Data{"begin": w.Begin, "end": w.end(), "mode": w.Mode, "filled": list(filled),
		"attacker": rosterData(w.Attacker.Roster), "defender": rosterData(w.Defender.Roster)}))
}

// endWar takes a war off the open ones; what is held for it stays to be dealt with.
func (a *act) endWar(w *War, status string) {
	now := a.At.UTC()
	a.retime(w, func() { w.Status, w.Closed = status, &now })
}

// returnWarItems frees what is held for some saves of a war, and tells the owners (HL-75).
func (a *act) returnWarItems(w *War, items []string) {
	of := map[string][]string{}
	for _, i := range union(items, nil) {
		a.Items[i].War = 0
		of[a.Items[i].Owner] = append(of[a.Items[i].Owner], i)
	}
	for _, owner := range sorted(of) {
		a.say("property-returned", "HL-75", a.gm(owner), warData(w, rules.Data{"items": of[owner], "owner": owner}))
	}
}

// items are what was put into the saves of a war, by either side.
func (w *War) items() (items []string) {
	for _, p := range w.Pairs {
		items = append(append(items, p.AttackerProperty...), p.DefenderProperty...)
	}
	return items
}

// warTourneys is how many Common Tourneys a war makes immune for (HL-78).
const warTourneys = 4

// immuneAfterWar makes one immune against declarations of war; more tourneys that he is immune for already stay (HL-78).
func (a *act) immuneAfterWar(land, nick string) {
	st := a.in(land, nick)
	st.WarImmune = max(st.WarImmune, warTourneys)
	a.warImmunity(land, nick)
}

// annulWar ends a war as if it had not been declared (HL-30).
func annulWar(a *act, o orders.Order) (string, *rules.Ruling) {
	w, r := a.anyWar(o)
	if r != nil {
		return "", r
	}
	a.endWar(w, annulled)
	a.say("war-annulled", "HL-30", a.suzerains(w), warData(w, nil))
	a.returnWarItems(w, w.items())
	return "HL-30", nil
}

// wages are what a suzerain may say about his declared wars: answers to the other side, and a roster where he has named none.
func (o *offering) wages() {
	for _, w := range o.warsOf(o.me) {
		side, id := w.sideOf(o.me), strconv.Itoa(w.ID)
		if side == nil || w.Status != declared {
			continue
		}
		his := w.against(o.me)
		if st := his.Stake; st != nil {
			slot := map[string]string{inFeuds: "feuds", inGold: "price"}[st.Kind]
			o.add("change-stake", slot, strconv.FormatInt(st.Amount, 10), "war", id)
		}
		if w.RostersClosed != nil {
			continue
		}
		if w.Mode == feudal && side.ClanRules == nil && his.ClanRules != nil && *his.ClanRules {
			o.add("clan-rules", "war", id)
		}
		if left := o.reserve(w, side); len(side.Roster) == 0 && len(left) >= w.Participants {
			o.add("roster", "nick", strings.Join(left[:w.Participants], ", "), "war", id)
		}
	}
}

var warReasons = []reason{
	{"HL-23", "", []string{"war", "suzerain"}},              // only the suzerain does that; the writer is on his roster
	{"HL-48", "own", []string{"land"}},                      // the writer has no vassals
	{"HL-48", "vassal", []string{"nick", "land"}},           // nick is his vassal
	{"HL-48", "suzerain", []string{"nick", "land"}},         // nick is his suzerain
	{"HL-48", "target", []string{"nick", "land"}},           // nick has no vassals
	{"HL-49", "", []string{"n", "most"}},                    // not so many participants
	{"HL-50", "own", []string{"land", "n", "most"}},         // the writer has only so many to field
	{"HL-50", "target", []string{"nick", "land", "n"}},      // nick has not so many
	{"HL-57", "", []string{"nick", "land", "war", "until"}}, // a war that goes on keeps nick from it
	{"HL-78", "", []string{"nick", "land", "tourneys"}},     // nick is immune
	{"HL-79", "war", []string{"nick", "land", "war"}},       // there is a war with nick already
	{"HL-82", "war", []string{"war"}},                       // no such open war of the writer's
	{"HL-82", "no-war", nil},                                // none that the order could mean
	{"", "which-war", []string{"slot", "choices"}},          // the ids it may mean
}

var warForms = []form{
	{do: declareWar, asks: asking((*act).namedLand), Form: orders.Form{ID: "declare-war", Rule: "HL-48", Who: forPlayer, Say: say{
		"en": {"DECLARE WAR ON <lord:nick> $L WITH <participants:number> [PARTICIPANTS]"},
		"ru": {"ОБЪЯВИТЬ ВОЙНУ <lord:nick> $L УЧАСТНИКОВ <participants:number>"},
	}, Help: help{
		"en": "You, a suzerain, declare war on another suzerain, with 1 to 5 participants on each side.",
		"ru": "Вы, сюзерен, объявляете войну другому сюзерену; с каждой стороны от 1 до 5 участников.",
	}}},
	{do: annulWar, Form: orders.Form{ID: "annul-war", Rule: "HL-30", Who: forGM, Say: say{
		"en": {"ANNUL WAR <war:number>"},
		"ru": {"ОТМЕНИТЬ ВОЙНУ <war:number>"},
	}, Help: help{
		"en": "Ends a war as if it had not been declared; what is held for it is returned.",
		"ru": "Отменяет войну, как будто её не объявляли; всё, что для неё удержано, возвращается.",
	}}},
}
