package heroeslands

import (
	"slices"

	"arroba/orders"
	"arroba/rules"
)

// The rosters of a war and its mode (HL-50, HL-55, HL-56): named, closed and filled.

func nameRoster(a *act, o orders.Order) (string, *rules.Ruling) {
	w, side, r := a.ownWar(o)
	if r != nil {
		return "", r
	}
	roster := o.IDs("nick")
	if r := a.mayField(w, side, roster); r != nil {
		return "", r
	}
	a.retime(w, func() { side.Roster = roster })
	a.say("roster-named", "HL-56", a.gm(roster...), warData(w, rules.Data{"suzerain": a.me, "roster": rosterData(roster)}))
	return "HL-56", nil
}

// mayField looks whether a suzerain may name a roster.
func (a *act) mayField(w *War, side *Side, roster []string) *rules.Ruling {
	switch {
	case w.Status == begun:
		return no("HL-56", "begun", rules.Data{"war": w.ID})
	case w.RostersClosed != nil:
		return no("HL-56", "late", rules.Data{"war": w.ID})
	}
	if len(roster) != w.Participants {
		return no("HL-50", "count", rules.Data{"war": w.ID, "n": len(roster), "participants": w.Participants})
	}
	for _, n := range roster {
		if l := a.suzerain(w.Land, n); l != "" && l != a.me && n != a.me && a.suzerain(w.Land, l) == a.me {
			return no("HL-80", "roster", rules.Data{"nick": n, "suzerain": l})
		}
	}
	for i, n := range roster {
		if !a.serves(w, side, n) {
			return no("HL-56", "stranger", rules.Data{"nick": n, "land": w.Land})
		}
		if slices.Contains(roster[:i], n) {
			return no("HL-56", "twice", rules.Data{"nick": n})
		}
	}
	for _, n := range roster {
		if v := a.rosteredIn(w.Land, n, w); v != nil {
			return no("HL-79", "roster", rules.Data{"nick": n, "war": v.ID})
		}
	}
	return nil
}

// serves tells whether somebody may fight on a side: its suzerain and his vassals, the opponent never.
func (a *act) serves(w *War, side *Side, nick string) bool {
	return nick == side.Suzerain || a.suzerain(w.Land, nick) == side.Suzerain && w.sideOf(nick) == nil
}

// closeRosters fills and closes the rosters of a war, settles its mode and pairs them (HL-55, HL-56).
func (a *act) closeRosters(w *War) {
	now := a.At.UTC()
	a.retime(w, func() { w.RostersClosed = &now })
	w.Pairs = make([]Pair, w.Participants)
	filled := a.refill(w)
	if w.Mode == feudal && w.wantsClanRules() {
		w.Mode = byClan
		a.say("war-mode", "HL-55", a.suzerains(w), warData(w, rules.Data{"mode": w.Mode}))
	}
	a.say("rosters-closed", "HL-56", a.participants(w), warData(w, rules.Data{
		"attacker": rosterData(w.Attacker.Roster), "defender": rosterData(w.Defender.Roster), "filled": list(filled)}))
}

// wantsClanRules tells whether both suzerains said yes to clan rules and fight themselves (HL-55).
func (w *War) wantsClanRules() bool {
	for _, side := range w.sides() {
		if side.ClanRules == nil || !*side.ClanRules || !slices.Contains(side.Roster, side.Suzerain) {
			return false
		}
	}
	return true
}

// refill strikes from the closed rosters whoever is of a side no longer, fills empty places and pairs the sides anew. It
// returns whom it put in.
func (a *act) refill(w *War) (filled []string) {
	a.retime(w, func() {
		for _, side := range w.sides() {
			a.strike(w, side)
		}
		for _, side := range w.sides() {
			filled = append(filled, a.fill(w, side)...)
		}
	})
	for i := range w.Pairs {
		w.Pairs[i].Attacker, w.Pairs[i].Defender = w.Attacker.Roster[i], w.Defender.Roster[i]
	}
	return filled
}

// strike empties the places of those who are neither suzerain nor vassals of a side any more.
func (a *act) strike(w *War, side *Side) {
	roster := make([]string, w.Participants)
	for i, n := range side.Roster {
		if n != "" && a.serves(w, side, n) {
			roster[i] = n
		}
	}
	side.Roster = roster
}

// fill puts into the empty places of a side whom it has left, and returns them.
func (a *act) fill(w *War, side *Side) (filled []string) {
	left := a.reserve(w, side)
	for i, n := range side.Roster {
		if n == "" && len(left) > 0 {
			side.Roster[i], left = left[0], left[1:]
			filled = append(filled, side.Roster[i])
		}
	}
	return filled
}

// reserve returns whom a side could still field: its vassals in order of service, then its suzerain. Those on a roster of
// another open war are passed over.
func (a *act) reserve(w *War, side *Side) (left []string) {
	for _, n := range append(slices.Clone(a.in(w.Land, side.Suzerain).Vassals), side.Suzerain) {
		if a.serves(w, side, n) && !slices.Contains(side.Roster, n) && a.rosteredIn(w.Land, n, w) == nil {
			left = append(left, n)
		}
	}
	return left
}

// sayClanRules takes what a suzerain says to clan rules; his last word counts (HL-55).
func sayClanRules(a *act, o orders.Order) (string, *rules.Ruling) {
	w, r := a.suzerainsWar(o)
	if r != nil {
		return "", r
	}
	switch {
	case w.Participants == mostParticipants:
		return "", no("HL-55", "five", rules.Data{"war": w.ID})
	case w.RostersClosed != nil: // they close after seven days, or when the war begins
		return "", no("HL-55", "late", rules.Data{"war": w.ID})
	}
	yes := o.Is("yes")
	w.sideOf(a.me).ClanRules = &yes
	a.say("clan-rules-said", "HL-55", a.gm(w.against(a.me).Suzerain), warData(w, rules.Data{"by": a.me, "consent": yes, "rosters_due": w.RostersDue}))
	return "HL-55", nil
}

// refuseService is always refused: nobody on a roster can decline (HL-23).
func refuseService(a *act, o orders.Order) (string, *rules.Ruling) {
	w, r := a.rosterWar(o)
	if r != nil {
		return "", r
	}
	return "", no("HL-23", "service", rules.Data{"war": w.ID, "suzerain": w.fields(a.me).Suzerain})
}

// rostersDeadline is that of the rosters of a war (HL-56). Its suzerains know of it; who has named none is known to himself
// and the Magistrate alone.
func rostersDeadline(w *War, v rules.Viewer) []rules.Deadline {
	if !v.GM && w.sideOf(string(v.Seat)) == nil {
		return nil
	}
	d := rules.Deadline{At: w.RostersDue, Kind: "rosters", Set: w.Declared, Data: warData(w, nil)}
	for _, side := range w.sides() {
		if len(side.Roster) == 0 && (v.GM || side.Suzerain == string(v.Seat)) {
			d.Waits = append(d.Waits, rules.Seat(side.Suzerain))
		}
	}
	return []rules.Deadline{d}
}

// rosterData shows a roster in an event, null an empty place.
func rosterData(roster []string) []any {
	data := []any{}
	for _, n := range roster {
		data = append(data, orNull(n))
	}
	return data
}

var rosterReasons = []reason{
	{"HL-23", "service", []string{"war", "suzerain"}},        // nobody on a roster can decline
	{"HL-55", "five", []string{"war"}},                       // with so many a war goes by clan rules anyway
	{"HL-55", "late", []string{"war"}},                       // the rosters are closed
	{"HL-50", "count", []string{"war", "n", "participants"}}, // not as many as are to fight
	{"HL-56", "begun", []string{"war"}},                      // the war has begun
	{"HL-56", "late", []string{"war"}},                       // the rosters are closed, and the war is to begin
	{"HL-56", "stranger", []string{"nick", "land"}},          // neither the writer nor his vassal
	{"HL-56", "twice", []string{"nick"}},                     // named twice
	{"HL-79", "roster", []string{"nick", "war"}},             // nick is on a roster of another open war
	{"HL-80", "roster", []string{"nick", "suzerain"}},        // he is the writer's vassal's vassal
}

var rosterForms = []form{
	{do: nameRoster, asks: ownWarAsks, Form: orders.Form{ID: "roster", Rule: "HL-56", Who: forPlayer, Say: say{
		"en": {"ROSTER <nick>,* $W"},
		"ru": {"СОСТАВ <nick>,* $W"},
	}, Help: help{
		"en": "You name who fights for you in a war, in the order of the saves: vassals of yours, or yourself.",
		"ru": "Вы называете, кто сражается за вас в войне, по порядку сейвов: ваших вассалов или себя.",
	}}},
	{do: sayClanRules, asks: asking((*act).suzerainsWar), Form: orders.Form{ID: "clan-rules", Rule: "HL-55", Who: forPlayer, Say: say{
		"en": {"CLAN RULES (YES#yes | NO) $W"},
		"ru": {"КЛАНОВЫЕ ПРАВИЛА (ДА#yes | НЕТ) $W"},
	}, Help: help{
		"en": "You say whether a war with fewer than 5 participants is to go by clan rules; it takes both suzerains, each on his own roster.",
		"ru": "Вы говорите, идти ли войне с числом участников меньше 5 по клановым правилам; нужны оба сюзерена, и оба в своих составах.",
	}}},
	{do: refuseService, asks: asking((*act).rosterWar), Form: orders.Form{ID: "refuse-service", Rule: "HL-23", Who: forPlayer, Say: say{
		"en": {"REFUSE SERVICE $W"},
		"ru": {"ОТКАЗАТЬСЯ ОТ СЛУЖБЫ $W"},
	}, Help: help{
		"en": "Nobody on a roster can decline; this is always refused.",
		"ru": "Отказаться от места в составе нельзя; в этом всегда будет отказано.",
	}}},
}
