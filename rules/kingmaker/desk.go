package kingmaker

import (
	"slices"

	"arroba/orders"
	"arroba/rules"
)

// The GM's desk: what happens in the world, results, and corrections.

var deskForms = []form{
	{do: forceShip, Form: orders.Form{ID: "force", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"[EVENT] FORCE <ship> INTO <port:place>"},
		"ru": {"[СОБЫТИЕ] ЗАГНАТЬ <ship> В <port:place>"},
	}, Help: help{
		"en": "Weather forces a ship into a port, whatever it is to its faction.",
		"ru": "Непогода загоняет корабль в порт, чей бы тот ни был.",
	}}},
	{do: event, Form: orders.Form{ID: "event", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"EVENT <text>"},
		"ru": {"СОБЫТИЕ <text>"},
	}, Help: help{
		"en": "Posts what happens in the world.",
		"ru": "Объявляет о событии в мире.",
	}}},
	{do: resultOf(battle), Form: orders.Form{ID: "result-battle", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"RESULT OF BATTLE <n:number> (ATTACKER#attacker | DEFENDER#defender | DRAW#draw) [KILLED <killed:noble>,*]"},
		"ru": {"ИТОГ БИТВЫ <n:number> (НАПАДЕНИЕ#attacker | ЗАЩИТА#defender | НИЧЬЯ#draw) [ПОГИБЛИ <killed:noble>,*]"},
	}, Help: help{
		"en": "Enters the result of a battle, and who was killed.",
		"ru": "Вносит итог битвы и имена погибших.",
	}}},
	{do: resultOf(siege), Form: orders.Form{ID: "result-siege", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"RESULT OF SIEGE <n:number> (FALLS#falls | HOLDS#holds) [KILLED <killed:noble>,*]"},
		"ru": {"ИТОГ ОСАДЫ <n:number> (ПАЛА#falls | УСТОЯЛА#holds) [ПОГИБЛИ <killed:noble>,*]"},
	}, Help: help{
		"en": "Enters the result of a siege, and who was killed.",
		"ru": "Вносит итог осады и имена погибших.",
	}}},
	{do: appoint, Form: orders.Form{ID: "senior-officer", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"SENIOR OFFICER <noble> [OF ARMY#army <n:number> | OF FLEET#fleet <n:number>]"},
		"ru": {"СТАРШИЙ <noble> [АРМИИ#army <n:number> | ФЛОТА#fleet <n:number>]"},
	}, Help: help{
		"en": "Replaces the Senior Officer of a joint army or fleet, until its members change.",
		"ru": "Заменяет старшего военачальника совместной армии или флота, пока не сменится состав.",
	}}},
	{do: controlBy, Form: orders.Form{ID: "control", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"CONTROL <location> BY (NOBODY#nobody | <faction>)"},
		"ru": {"ВЛАСТЬ <location> (НИ#nobody У КОГО | У <faction>)"},
	}, Help: help{
		"en": "Sets who controls a place.",
		"ru": "Определяет, кто держит место.",
	}}},
	{do: crown(true), Form: orders.Form{ID: "crown", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"CROWN <heir>"},
		"ru": {"КОРОНОВАТЬ <heir>"},
	}, Help: help{
		"en": "The heir is a crowned monarch from now on.",
		"ru": "Отныне наследник — коронованный монарх.",
	}}},
	{do: crown(false), Form: orders.Form{ID: "uncrown", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"UNCROWN <heir>"},
		"ru": {"РАЗВЕНЧАТЬ <heir>"},
	}, Help: help{
		"en": "The heir is a crowned monarch no longer.",
		"ru": "Наследник больше не коронованный монарх.",
	}}},
	{do: award, Form: orders.Form{ID: "award", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"AWARD <item> TO <noble>"},
		"ru": {"ПОЖАЛОВАТЬ <item> КОМУ <noble>"},
	}, Help: help{
		"en": "A noble gets an item; with a place his faction gets control of it.",
		"ru": "Лорд получает пожалование; с местом его сторона получает и власть над ним.",
	}}},
	{do: enlist, Form: orders.Form{ID: "award-unit", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"AWARD <unit:noble|ship> TO <faction>"},
		"ru": {"ПОЖАЛОВАТЬ <unit:noble|ship> КОМУ <faction>"},
	}, Help: help{
		"en": "A noble or ship is a faction's from now on.",
		"ru": "Лорд или корабль отныне принадлежит стороне.",
	}}},
	{do: takeItem, Form: orders.Form{ID: "take", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"TAKE <item> FROM <noble>"},
		"ru": {"ОТНЯТЬ <item> У <noble>"},
	}, Help: help{
		"en": "A noble loses an item; with a place its control ends.",
		"ru": "Лорд теряет пожалование; с местом кончается и власть над ним.",
	}}},
	{do: placeWith, Form: orders.Form{ID: "place-with", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"PLACE <heir> WITH <noble>"},
		"ru": {"ПОМЕСТИТЬ <heir> С <noble>"},
	}, Help: help{
		"en": "Gives an heir into a noble's hands.",
		"ru": "Передаёт наследника лорду.",
	}}},
	{do: placeAt, Form: orders.Form{ID: "place", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"PLACE <unit:noble|ship|heir> AT <at:place|ship>"},
		"ru": {"ПОМЕСТИТЬ <unit:noble|ship|heir> В <at:place|ship>"},
	}, Help: help{
		"en": "Puts a noble, ship or heir somewhere, a noble aboard a ship too, whatever the rules of movement say.",
		"ru": "Ставит лорда, корабль или наследника на место, лорда — и на корабль, что бы ни говорили правила движения.",
	}}},
	{do: removeUnit, Form: orders.Form{ID: "remove", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"REMOVE <unit:noble|ship|heir>"},
		"ru": {"УБРАТЬ <unit:noble|ship|heir>"},
	}, Help: help{
		"en": "Takes a noble, ship or heir out of the game.",
		"ru": "Выводит лорда, корабль или наследника из игры.",
	}}},
	{do: drawCard, Form: orders.Form{ID: "draw", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"DRAW <deck>"},
		"ru": {"ТЯНУТЬ <deck>"},
	}, Help: help{
		"en": "Draws one of the entries of a deck that are left.",
		"ru": "Вытягивает одну из карт, которые остались в колоде.",
	}}},
	{do: reshuffle, Form: orders.Form{ID: "reshuffle", Rule: "KM-P8", Who: forGM, Say: say{
		"en": {"RESHUFFLE <deck>"},
		"ru": {"ПЕРЕТАСОВАТЬ <deck>"},
	}, Help: help{
		"en": "Puts all entries back into a deck.",
		"ru": "Возвращает в колоду все карты.",
	}}},
}

var deskReasons = []reason{
	{"KM-P2", "port", []string{"place"}},                 // not a port
	{"KM-P2", "noble-at-sea", []string{"unit", "place"}}, // nobles and heirs stand on land
	{"KM-P2", "ship-on-land", []string{"unit", "place"}}, // ships lie in a port or at sea
	{"KM-P2", "only-nobles", []string{"unit", "place"}},  // nobles go aboard ships
	{"KM-P2", "sinks", []string{"unit", "aboard"}},       // a ship at sea with nobles aboard is not removed
	{"KM-P3", "gone", []string{"unit"}},                  // it is out of the game
	{"KM-P8", "no-member", []string{"unit", "n"}},        // not in that army or fleet
	{"KM-P8", "not-joint", []string{"n"}},                // an army or fleet of one faction
	{"KM-P9", "combat", []string{"n", "kind"}},           // no such combat waits for a ruling
	{"KM-P9", "group", []string{"n", "kind"}},            // no such army or fleet
	{"KM-P9", "item", []string{"item", "unit"}},          // the noble does not hold the item
	{"KM-P9", "deck", []string{"deck"}},                  // nothing is left in the deck
	{"KM-P9", "uncrowned", []string{"heir"}},             // no crowned monarch
}

// done accepts what the GM enters.
const done = "KM-P8"

func forceShip(a *act, o orders.Order) (string, *rules.Ruling) {
	ship, port := o.ID("ship"), o.ID("port")
	switch {
	case !a.port(port):
		return "", no("KM-P2", "port", rules.Data{"place": port})
	case !a.inPlay(ship):
		return "", no("KM-P3", "", rules.Data{"unit": ship})
	}
	sh := a.Ships[ship]
	sh.Place, sh.Forced = a.World.place(port), true
	a.say("ship-forced", done, a.public(sh.Faction), rules.Data{"ship": ship, "port": port})
	a.regroup()
	return done, nil
}

func event(a *act, o orders.Order) (string, *rules.Ruling) {
	a.say("gm-event", done, a.public(), rules.Data{"text": o.Arg("text").Text})
	return done, nil
}

// resultOf enters the result of a combat. The last one ends the phase of rulings.
func resultOf(kind string) func(*act, orders.Order) (string, *rules.Ruling) {
	return func(a *act, o orders.Order) (string, *rules.Ruling) {
		n := o.N("n")
		if n < 1 || n > int64(len(a.Combats)) || a.Combats[n-1].Kind != kind || a.Combats[n-1].Result != "" {
			return "", no("KM-P9", "combat", rules.Data{"n": n, "kind": kind})
		}
		killed := union(nil, o.IDs("killed"))
		for _, k := range killed {
			if r := a.there(k); r != nil {
				return "", r
			}
		}
		a.conclude(int(n), done, o.Tags[0], killed, "")
		if a.Rounds.Phase.Name == phaseRulings && !a.undecided() {
			a.nextTurn()
		}
		return done, nil
	}
}

// there looks whether a noble, ship or heir has not been removed.
func (a *act) there(unit string) *rules.Ruling {
	n, sh, h := a.Nobles[unit], a.Ships[unit], a.Heirs[unit]
	if n != nil && n.Removed || sh != nil && sh.Removed || h != nil && h.Removed {
		return no("KM-P3", "gone", rules.Data{"unit": unit})
	}
	return nil
}

// appoint replaces the Senior Officer of a joint army or fleet.
func appoint(a *act, o orders.Order) (string, *rules.Ruling) {
	noble := o.ID("noble")
	g, r := a.commandedBy(noble, o)
	if r != nil {
		return "", r
	}
	among := a.nobles(g)
	switch {
	case !slices.Contains(among, noble):
		return "", no("KM-P8", "no-member", rules.Data{"unit": noble, "n": g.N})
	case !a.joint(g):
		return "", no("KM-P8", "not-joint", rules.Data{"n": g.N})
	}
	g.Senior, g.Rule, g.Among = noble, done, among
	a.say("senior-officer", done, a.public(), rules.Data{"n": g.N, "kind": g.Kind, "noble": noble, "faction": a.of(noble)})
	return done, nil
}

// commandedBy finds the army or fleet of an order about its Senior Officer: the one of the number, else the noble's own.
func (a *act) commandedBy(noble string, o orders.Order) (*Group, *rules.Ruling) {
	if !o.Has("n") {
		for _, g := range a.Groups {
			if slices.Contains(a.nobles(g), noble) {
				return g, nil
			}
		}
		return nil, no("KM-P8", "no-member", rules.Data{"unit": noble, "n": 0})
	}
	kind := groupKind(o)
	if g := a.numbered(o.N("n")); g != nil && g.Kind == kind {
		return g, nil
	}
	return nil, no("KM-P9", "group", rules.Data{"n": o.N("n"), "kind": kind})
}

// controlBy sets who controls a location.
func controlBy(a *act, o orders.Order) (string, *rules.Ruling) {
	l, f := o.ID("location"), o.ID("faction")
	if _, r := a.may(define, l, f, 0, 0); r != nil {
		return "", r
	}
	a.setControl(l, f)
	return done, nil
}

func crown(yes bool) func(*act, orders.Order) (string, *rules.Ruling) {
	return func(a *act, o orders.Order) (string, *rules.Ruling) {
		heir := o.ID("heir")
		if r := a.there(heir); r != nil {
			return "", r
		}
		h := a.Heirs[heir]
		if !yes && !h.Crowned {
			return "", no("KM-P9", "uncrowned", rules.Data{"heir": heir})
		}
		h.Crowned = yes
		a.say(map[bool]string{true: "crowned", false: "uncrowned"}[yes], done, a.public(), rules.Data{"heir": heir})
		return done, nil
	}
}

// award gives an item to a noble, and control of a place with it (KM-0.2).
func award(a *act, o orders.Order) (string, *rules.Ruling) {
	item, noble := o.ID("item"), o.ID("noble")
	if !a.inPlay(noble) {
		return "", no("KM-P3", "", rules.Data{"unit": noble})
	}
	l := a.World.at().items[item].Location
	if l != "" {
		if _, r := a.may(define, l, a.of(noble), 0, 0); r != nil {
			return "", r
		}
	}
	a.Holders[item] = noble
	a.say("awarded", done, a.public(), rules.Data{"item": item, "to": noble})
	if l != "" {
		a.setControl(l, a.of(noble))
	}
	return done, nil
}

// enlist gives a noble or ship to a faction. It leaves an army or fleet of others than its new allies.
func enlist(a *act, o orders.Order) (string, *rules.Ruling) {
	u, f := o.ID("unit"), o.ID("faction")
	if r := a.there(u); r != nil {
		return "", r
	}
	if n := a.Nobles[u]; n != nil {
		n.Faction, n.Defends = f, ""
	} else {
		a.Ships[u].Faction = f
	}
	if g := a.group(u); g != nil && slices.ContainsFunc(a.factions(g.Members), func(other string) bool { return !a.friends(f, other) }) {
		a.leave(u)
	}
	a.say("awarded", done, a.public(f), rules.Data{"item": u, "to": f})
	a.regroup()
	return done, nil
}

// takeItem takes an item away, and control of a place with it.
func takeItem(a *act, o orders.Order) (string, *rules.Ruling) {
	item, noble := o.ID("item"), o.ID("noble")
	if a.Holders[item] != noble {
		return "", no("KM-P9", "item", rules.Data{"item": item, "unit": noble})
	}
	a.say("taken", done, a.public(), rules.Data{"item": item, "from": noble})
	a.dropItem(item)
	return done, nil
}

// dropItem makes an item nobody's. With a place its control ends.
func (a *act) dropItem(item string) {
	delete(a.Holders, item)
	if l := a.World.at().items[item].Location; l != "" {
		a.setControl(l, "")
	}
}

func placeWith(a *act, o orders.Order) (string, *rules.Ruling) {
	heir, noble := o.ID("heir"), o.ID("noble")
	if r := a.there(heir); r != nil {
		return "", r
	}
	if !a.inPlay(noble) {
		return "", no("KM-P3", "", rules.Data{"unit": noble})
	}
	a.hold(heir, noble)
	at := a.where(noble)
	a.say("placed", done, a.public(), rules.Data{"unit": heir, "at": at.name(), "place": at.name(), "with": noble})
	return done, nil
}

func placeAt(a *act, o orders.Order) (string, *rules.Ruling) {
	u, at := o.ID("unit"), o.ID("at")
	if o.Arg("at").Kind == "ship" {
		return a.placeAboard(u, at)
	}
	_, sea := a.World.at().seas[at]
	ship := a.Ships[u] != nil
	switch {
	case !ship && sea:
		return "", no("KM-P2", "noble-at-sea", rules.Data{"unit": u, "place": at})
	case ship && !sea && !a.port(at):
		return "", no("KM-P2", "ship-on-land", rules.Data{"unit": u, "place": at})
	}
	if r := a.there(u); r != nil {
		return "", r
	}
	to := a.World.place(at)
	switch {
	case ship:
		a.Ships[u].Place, a.Ships[u].Forced = to, false
	case a.Nobles[u] != nil:
		a.Nobles[u].Ship, a.Nobles[u].Place = "", to
	default:
		a.Heirs[u].Holder, a.Heirs[u].Place = "", to
	}
	a.say("placed", done, a.public(), rules.Data{"unit": u, "at": at, "place": at, "with": ""})
	a.regroup()
	return done, nil
}

// placeAboard puts a noble aboard a ship.
func (a *act) placeAboard(noble, ship string) (string, *rules.Ruling) {
	switch {
	case a.Nobles[noble] == nil:
		return "", no("KM-P2", "only-nobles", rules.Data{"unit": noble, "place": ship})
	case !a.inPlay(ship):
		return "", no("KM-P3", "", rules.Data{"unit": ship})
	}
	if r := a.there(noble); r != nil {
		return "", r
	}
	a.Nobles[noble].Ship, a.Nobles[noble].Place = ship, Place{}
	a.say("placed", done, a.public(), rules.Data{"unit": noble, "at": ship, "place": ship, "with": ""})
	a.regroup()
	return done, nil
}

func removeUnit(a *act, o orders.Order) (string, *rules.Ruling) {
	u := o.ID("unit")
	if r := a.there(u); r != nil {
		return "", r
	}
	if sh := a.Ships[u]; sh != nil && sh.Location == "" && len(a.aboard(u)) > 0 {
		return "", no("KM-P2", "sinks", rules.Data{"unit": u, "aboard": a.aboard(u)})
	}
	a.remove(u)
	a.regroup()
	return done, nil
}

// remove takes a noble, ship or heir out of the game. A noble's items are nobody's then, an heir whom he held stays where
// he stood; who is aboard a ship in a port goes ashore.
func (a *act) remove(u string) {
	switch n, sh := a.Nobles[u], a.Ships[u]; {
	case n != nil:
		at := a.where(u)
		for _, h := range a.Heirs {
			if h.Holder == u {
				h.Holder, h.Place = "", at
			}
		}
		a.say("removed", done, a.public(n.Faction), rules.Data{"unit": u, "items": list(a.items(u))})
		for _, i := range a.items(u) {
			a.dropItem(i)
		}
		n.Removed, n.Ship, n.Place, n.Defends = true, "", Place{}, ""
	case sh != nil:
		for _, m := range a.aboard(u) {
			rule, _ := a.may(disembarkOpen, sh.Location, a.of(m), 0, 0)
			a.goAshore(m, Place{Space: sh.Space}, rule, true)
		}
		a.say("removed", done, a.public(sh.Faction), rules.Data{"unit": u, "items": nil})
		sh.Removed, sh.Place = true, Place{}
	default:
		h := a.Heirs[u]
		h.Removed, h.Holder, h.Place = true, "", Place{}
		a.say("removed", done, a.public(), rules.Data{"unit": u, "items": nil})
	}
}

// drawCard draws one of the entries of a deck that are left.
func drawCard(a *act, o orders.Order) (string, *rules.Ruling) {
	deck := o.ID("deck")
	left := a.Decks[deck]
	if len(left) == 0 {
		return "", no("KM-P9", "deck", rules.Data{"deck": deck})
	}
	i := 0
	if len(left) > 1 {
		i = a.draw("deck:"+deck, done, len(left))
	}
	a.Decks[deck] = slices.Delete(slices.Clone(left), i, i+1)
	a.say("drawn", done, a.public(), rules.Data{"deck": deck, "entry": left[i], "left": len(left) - 1})
	return done, nil
}

func reshuffle(a *act, o orders.Order) (string, *rules.Ruling) {
	deck := o.ID("deck")
	i := slices.IndexFunc(a.World.Decks, func(d DeckData) bool { return d.Name == deck })
	a.Decks[deck] = slices.Clone(a.World.Decks[i].Entries)
	a.say("reshuffled", done, a.public(), rules.Data{"deck": deck})
	return done, nil
}
