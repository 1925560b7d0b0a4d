package heroeslands

import (
	"maps"
	"slices"

	"arroba/orders"
	"arroba/rules"
)

// moveFeud takes a feud from its owner, or out of nothing, and gives it to another one. What it is about, if anything, is
// told with it.
func (a *act) moveFeud(land, feud, from, to, reason, rule string, about rules.Data) {
	keep := func(f string) bool { return f != feud }
	owners := a.feudOwners(land)
	if from == magistrate {
		a.Store[land] = filter(a.Store[land], keep)
	} else {
		a.remember(land, from)
		st := a.in(land, from)
		st.Feuds = filter(st.Feuds, keep)
		delete(owners, feud)
		mark(a.feuds, land, from)
	}
	if to == magistrate {
		a.Store[land] = append(a.Store[land], feud)
	} else {
		a.remember(land, to)
		st := a.in(land, to)
		st.Feuds = append(st.Feuds, feud)
		owners[feud] = to
		mark(a.feuds, land, to)
	}
	d := rules.Data{"land": land, "feud": feud, "from": from, "to": to, "reason": reason}
	maps.Copy(d, about)
	a.say("feud-moved", rule, a.tavern(from, to), d)
}

func filter(list []string, keep func(string) bool) []string {
	return slices.DeleteFunc(list, func(s string) bool { return !keep(s) })
}

// landOfFeud finds the Land of an order about a feud.
func (a *act) landOfFeud(o orders.Order) (string, *rules.Ruling) {
	return a.land(o, func(land string) bool { return a.owner(land, o.ID("feud")) != "" })
}

// grantedFeud finds which feud, known or new, an order grants in which Land.
func (a *act) grantedFeud(o orders.Order) (g struct{ land, feud string }, r *rules.Ruling) {
	if g.feud, r = a.newName(o.Arg("feud").Text, "feud"); r == nil {
		g.land, r = a.land(o, func(land string) bool { return a.owner(land, g.feud) != "" })
	}
	return g, r
}

func giveFeud(a *act, o orders.Order) (string, *rules.Ruling) {
	feud, to := o.ID("feud"), o.ID("nick")
	land, r := a.landOfFeud(o)
	if r = first(r, a.notOneself(to)); r != nil {
		return "", r
	}
	if a.owner(land, feud) != a.me {
		return "", no("HL-86", "feud-not-yours", rules.Data{"feud": feud, "land": land})
	}
	if a.Settings.FeudGifts != "anyone" && a.suzerain(land, to) != a.me {
		return "", no("HL-76", "", rules.Data{"nick": to, "land": land})
	}
	a.moveFeud(land, feud, a.me, to, "gift", "HL-76", nil)
	return "HL-76", nil
}

func grantFeud(a *act, o orders.Order) (string, *rules.Ruling) {
	granted, r := a.grantedFeud(o)
	if r != nil {
		return "", r
	}
	land, feud := granted.land, granted.feud
	if owner := a.owner(land, feud); owner != "" && owner != magistrate {
		return "", no("HL-86", "feud-owned", rules.Data{"feud": feud, "land": land, "owner": owner})
	}
	a.addName("feud", feud)
	a.moveFeud(land, feud, magistrate, o.ID("nick"), "grant", "HL-01", nil)
	return "HL-01", nil
}

func takeFeud(a *act, o orders.Order) (string, *rules.Ruling) {
	feud, from := o.ID("feud"), o.ID("nick")
	land, r := a.landOfFeud(o)
	if r != nil {
		return "", r
	}
	if a.owner(land, feud) != from {
		return "", no("HL-86", "feud-not-his", rules.Data{"feud": feud, "land": land, "nick": from})
	}
	a.moveFeud(land, feud, from, magistrate, "taken", "HL-01", nil)
	return "HL-01", nil
}

var feudForms = []form{
	{do: giveFeud, asks: asking((*act).landOfFeud), Form: orders.Form{ID: "give-feud", Rule: "HL-76", Who: forPlayer, Say: say{
		"en": {"GIVE FEUD <feud> $L TO <nick>"},
		"ru": {"ПЕРЕДАТЬ ФЕОД <feud> $L ИГРОКУ <nick>"},
	}, Help: help{
		"en": "You give a feud to a vassal of yours.",
		"ru": "Вы передаёте феод своему вассалу.",
	}}},
	{do: grantFeud, asks: asking((*act).grantedFeud), Form: orders.Form{ID: "grant-feud", Rule: "HL-01", Who: forGM, Say: say{
		"en": {"GRANT FEUD <feud:title> $L TO <nick>"},
		"ru": {"ДАТЬ ФЕОД <feud:title> $L ИГРОКУ <nick>"},
	}, Help: help{
		"en": "Gives a feud from the store, or a new one.",
		"ru": "Выдаёт феод из запаса или новый.",
	}}},
	{do: takeFeud, asks: asking((*act).landOfFeud), Form: orders.Form{ID: "take-feud", Rule: "HL-01", Who: forGM, Say: say{
		"en": {"TAKE FEUD <feud> $L FROM <nick>"},
		"ru": {"ЗАБРАТЬ ФЕОД <feud> $L У <nick>"},
	}, Help: help{
		"en": "Takes a feud into the store.",
		"ru": "Забирает феод в запас.",
	}}},
}
