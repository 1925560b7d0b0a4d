package kingmaker

import (
	"arroba/orders"
	"arroba/rules"
)

// Boarding ships and leaving them (EMBARKS, DISEMBARKS).

const (
	verbEmbark    = "embarks"
	verbDisembark = "disembarks"
)

var boardForms = []form{
	{carry: (*act).board, kind: movement, verb: verbEmbark, Form: orders.Form{ID: "embark", Rule: "KM-1.5", Who: forPlayer, Say: say{
		"en": {"{ <units:noble> },* EMBARKS ON <ship>", "EMBARK { <units:noble> },* ON <ship>"},
		"ru": {"{ <units:noble> },* САДИТСЯ НА <ship>"},
	}, Help: help{
		"en": "A noble boards a ship that lies in a port of his space. One noble to a line.",
		"ru": "Лорд садится на корабль, который стоит в порту его области. В строке — один лорд.",
	}}},
	{carry: (*act).land, kind: movement, verb: verbDisembark, Form: orders.Form{ID: "disembark", Rule: "KM-1.6", Who: forPlayer, Say: say{
		"en": {"{ <units:noble> },* DISEMBARKS [FROM <ship>] [INTO <into:place>]", "DISEMBARK { <units:noble> },* [FROM <ship>] [INTO <into:place>]"},
		"ru": {"{ <units:noble> },* ВЫСАЖИВАЕТСЯ [С <ship>] [В <into:place>]"},
	}, Help: help{
		"en": "A noble leaves a ship that lies in a port, for the open ground beside it or, with INTO, into the port. One noble to a line.",
		"ru": "Лорд сходит с корабля, который стоит в порту: в открытое поле рядом или, если порт назван, в сам порт. В строке — один лорд.",
	}}},
}

var boardReasons = []reason{
	{"KM-P3", "ship", []string{"ship", "faction"}},           // the ship is a stranger's, or out of play ("")
	{"KM-P2", "no-port", []string{"unit", "ship", "space"}},  // the ship lies in no port of the noble's space
	{"KM-P2", "ashore", []string{"unit"}},                    // the noble is aboard no ship
	{"KM-P2", "other-ship", []string{"unit", "ship"}},        // he is aboard another than the one named
	{"KM-P2", "at-sea", []string{"unit", "ship"}},            // it lies in no port
	{"KM-P2", "other-port", []string{"ship", "place", "to"}}, // INTO names another place than the port
}

// boards looks whether a ship that an order names to board is of the noble's faction or an ally's (KM-P3).
func (a *act) boards(g *given) *rules.Ruling {
	ship := g.order.ID("ship")
	if g.order.Form != "embark" || a.of(g.units[0].name) == "" {
		return nil // who is not in play is refused for that
	}
	if f := a.of(ship); f == "" || !a.friends(a.of(g.units[0].name), f) {
		return no("KM-P3", "ship", rules.Data{"ship": ship, "faction": f})
	}
	return nil
}

// board judges how a noble boards a ship, and lets him.
func (a *act) board(g *given) (string, *rules.Ruling) {
	noble, ship := g.units[0].name, g.order.ID("ship")
	n, port := a.Nobles[noble], a.Ships[ship].Place
	switch {
	case port.Location == "" || port.Space != a.space(noble):
		return "", no("KM-P2", "no-port", rules.Data{"unit": noble, "ship": ship, "space": a.space(noble)})
	case n.Ship != "":
		return "", no("KM-P5", "aboard", rules.Data{"unit": noble, "ship": n.Ship})
	case a.journeys[noble]:
		return "", no("KM-P5", "moved", rules.Data{"unit": noble})
	}
	rule, r := a.may(embark, port.Location, a.of(ship), a.strengthIn(noble, ""), a.berths(ship))
	if r != nil {
		return "", r
	}
	n.Ship, n.Place = ship, Place{}
	a.journeys[noble] = true
	a.alone(g.units[0])
	a.say("embarked", rule, a.public(), rules.Data{"noble": noble, "ship": ship, "port": port.Location})
	a.together(g.by, a.of(noble), a.of(ship))
	a.used(port.Location, a.of(noble), a.of(ship))
	a.regroup()
	return rule, nil
}

// berths is how many more troops go aboard a ship; limited ones do not count there.
func (s *State) berths(ship string) int {
	room := s.World.at().ships[ship].Capacity
	for _, n := range s.aboard(ship) {
		room -= s.strengthIn(n, "")
	}
	return room
}

// land judges how a noble leaves a ship, and lets him.
func (a *act) land(g *given) (string, *rules.Ruling) {
	noble := g.units[0].name
	ship := a.Nobles[noble].Ship
	if r := a.lands(noble, g.order); r != nil {
		return "", r
	}
	port := a.Ships[ship].Place
	to, do := Place{Space: port.Space}, disembarkOpen
	if g.order.Has("into") {
		to, do = port, disembarkInside
	}
	rule, r := a.admits(do, port.Location, []string{noble})
	if r != nil {
		return "", r
	}
	a.journeys[noble] = true
	a.alone(g.units[0])
	a.goAshore(noble, to, rule, false)
	a.together(g.by, a.of(noble))
	a.used(to.Location, a.of(noble))
	a.regroup()
	return rule, nil
}

// lands looks whether a noble is aboard the ship that an order names, and it in the port that it names (KM-P2).
func (a *act) lands(noble string, o orders.Order) *rules.Ruling {
	ship := a.Nobles[noble].Ship
	if ship == "" {
		return no("KM-P2", "ashore", rules.Data{"unit": noble})
	}
	port := a.Ships[ship].Location
	switch {
	case o.Has("ship") && o.ID("ship") != ship:
		return no("KM-P2", "other-ship", rules.Data{"unit": noble, "ship": ship})
	case port == "":
		return no("KM-P2", "at-sea", rules.Data{"unit": noble, "ship": ship})
	case o.Has("into") && o.ID("into") != port:
		return no("KM-P2", "other-port", rules.Data{"ship": ship, "place": port, "to": o.ID("into")})
	}
	return nil
}

// goAshore takes a noble off his ship; auto: nobody has ordered it.
func (a *act) goAshore(noble string, to Place, rule string, auto bool) {
	n := a.Nobles[noble]
	ship := n.Ship
	n.Ship, n.Place = "", to
	a.say("disembarked", rule, a.public(), rules.Data{"noble": noble, "ship": ship, "to": to.name(), "auto": auto})
}

// ashore puts whoever is still aboard a ship that entered a port in this closing into the open ground beside it.
func (a *act) ashore() {
	for _, ship := range a.docked {
		port := a.Ships[ship].Place
		for _, n := range a.aboard(ship) {
			rule, _ := a.may(disembarkOpen, port.Location, a.of(n), 0, 0)
			a.goAshore(n, Place{Space: port.Space}, rule, true)
		}
	}
	a.regroup()
}
