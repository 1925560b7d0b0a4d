package kingmaker

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"arroba/orders"
	"arroba/rules"
)

// Battles and sieges: who may attack whom, who defends, and what comes of it.

// What a combat is.
const (
	battle = "battle"
	siege  = "siege"
)

// How a combat ends.
const (
	attackerWins = "attacker"
	defenderWins = "defender"
	drawn        = "draw"
	noResult     = "none" // bad weather
	falls        = "falls"
	holds        = "holds"
)

const verbFight = "fight" // BATTLE and BESIEGE count as one

var combatForms = []form{
	{carry: (*act).battle, kind: combat, verb: verbFight, late: true, Form: orders.Form{ID: "battle", Rule: "KM-P6", Who: forPlayer, Say: say{
		"en": {"$UNITS BATTLE <faction> IN <in:place>", "BATTLE <faction> IN <in:place> WITH $UNITS"},
		"ru": {"$UNITS АТАКУЕТ <faction> В <in:place>"},
	}, Help: help{
		"en": "Nobles attack a faction's nobles in the open ground of the space where they stand.",
		"ru": "Лорды нападают на лордов другой стороны в открытом поле той области, где стоят.",
	}}},
	{carry: (*act).besiege, kind: combat, verb: verbFight, late: true, Form: orders.Form{ID: "besiege", Rule: "KM-5.7", Who: forPlayer, Say: say{
		"en": {"$UNITS BESIEGE <location>", "BESIEGE <location> WITH $UNITS"},
		"ru": {"$UNITS ОСАЖДАЕТ <location>"},
	}, Help: help{
		"en": "Nobles besiege a town or castle of the space where they stand.",
		"ru": "Лорды осаждают город или замок той области, где стоят.",
	}}},
}

var combatReasons = []reason{
	{"KM-P2", "attacker", []string{"unit", "place", "space"}}, // an attacker is not ashore in that space
	{"KM-P2", "besieger-inside", []string{"unit", "place"}},   // a besieger is inside
	{"KM-P2", "attacker-ship", []string{"unit"}},              // ships do not attack
	{"KM-P6", "self", []string{"faction"}},                    // one's own faction
	{"KM-P6", "", []string{"faction", "space"}},               // nobody of it is in the open there
	{"KM-A9", "", []string{"faction", "attacker"}},            // it is allied with an attacker's
	{"KM-A12a", "", []string{"faction", "attacker", "round"}}, // there is a truce between it and an attacker's
}

// attackers looks whether all attackers are ashore in a space (KM-P2).
func (a *act) attackers(g *given, space, place string) *rules.Ruling {
	for _, m := range g.members() {
		n := a.Nobles[m]
		switch {
		case n == nil:
			return no("KM-P2", "attacker-ship", rules.Data{"unit": m})
		case n.Ship != "" || n.Space != space:
			return no("KM-P2", "attacker", rules.Data{"unit": m, "place": place, "space": a.space(m)})
		}
	}
	return nil
}

// battle judges an attack on a faction's nobles in the open.
func (a *act) battle(g *given) (string, *rules.Ruling) {
	f, space := g.order.ID("faction"), a.World.place(g.order.ID("in")).Space
	if r := a.attackers(g, space, g.order.ID("in")); r != nil {
		return "", r
	}
	if f == g.by {
		return "", no("KM-P6", "self", rules.Data{"faction": f})
	}
	by := a.factions(g.members())
	if r := first(a.noAlly(f, by), a.noTruce(f, by, func(string) bool { return false })); r != nil {
		return "", r
	}
	if !slices.ContainsFunc(a.inOpen(space), func(n string) bool { return a.of(n) == f }) {
		return "", no("KM-P6", "", rules.Data{"faction": f, "space": space})
	}
	a.fights = append(a.fights, fight{battle, f, space, "KM-P6", g})
	return "KM-P6", nil
}

// besiege judges a siege.
func (a *act) besiege(g *given) (string, *rules.Ruling) {
	l := g.order.ID("location")
	space := a.World.at().locations[l].Space
	if r := a.attackers(g, space, l); r != nil {
		return "", r
	}
	for _, m := range g.members() {
		if a.Nobles[m].Location == l {
			return "", no("KM-P2", "besieger-inside", rules.Data{"unit": m, "place": l})
		}
	}
	by := a.factions(g.members())
	rule, closed := a.may(besiege, l, by[0], 0, 0)
	if closed != nil && a.class(l, by[0]) == classFriendly {
		return "", closed
	}
	for _, n := range a.inside(l) {
		if r := a.noAlly(a.of(n), by); r != nil {
			return "", r
		}
	}
	for _, n := range a.inside(l) {
		if r := a.noTruce(a.of(n), by, func(attacker string) bool { return a.exposed(n, attacker, a.Nobles[n].Defends) }); r != nil {
			return "", r
		}
	}
	if closed != nil {
		return "", closed
	}
	a.fights = append(a.fights, fight{siege, l, space, rule, g})
	return rule, nil
}

// noAlly refuses an attack on a faction that is allied with an attacker's (KM-A9).
func (a *act) noAlly(f string, by []string) *rules.Ruling {
	for _, attacker := range by {
		if a.allied(f, attacker) {
			return no("KM-A9", "", rules.Data{"faction": f, "attacker": attacker})
		}
	}
	return nil
}

// noTruce refuses an attack on a faction that has a truce with an attacker's (KM-A12a), unless it is exposed to him.
func (a *act) noTruce(f string, by []string, exposed func(attacker string) bool) *rules.Ruling {
	for _, attacker := range by {
		if t := a.truce(f, attacker); t != nil && !exposed(attacker) {
			return no("KM-A12a", "", rules.Data{"faction": f, "attacker": attacker, "round": t.Round})
		}
	}
	return nil
}

// exposed tells whether a noble may be attacked in spite of the truce between his faction and an attacker's: it has broken
// with the attacker's, and he defends with a faction that it has allied with since (KM-A12b).
func (s *State) exposed(noble, attacker, with string) bool {
	f := s.of(noble)
	t := s.truce(f, attacker)
	if with == "" || s.Nobles[noble].Defends != with || t == nil || t.Breaker != f {
		return false
	}
	return slices.ContainsFunc(s.Alliances, func(x *Alliance) bool {
		return x.Status == formed && x.Formed > t.Began && slices.Contains(x.Members, f) && slices.Contains(x.Members, with)
	})
}

// fight is an attack that holds in this closing and is still to be declared.
type fight struct {
	kind, target, space, rule string
	*given
}

// declare declares the battles and sieges whose orders held in this closing, and decides those that house rules decide.
func (a *act) declare() {
	before := len(a.Combats)
	for _, f := range a.fights {
		a.declareFight(f)
	}
	for n := before + 1; n <= len(a.Combats); n++ {
		a.decideByRule(n)
	}
	a.regroup()
}

func (a *act) declareFight(f fight) {
	c := &Combat{Kind: f.kind, By: f.by, Target: f.target, Space: f.space, Attackers: f.members(), Defenders: a.defenders(f)}
	for _, n := range c.Attackers {
		c.Attack += a.strength(n)
	}
	for _, n := range c.Defenders {
		c.Defence += a.strength(n)
	}
	if f.kind == siege {
		c.Defence += a.garrison(f.target)
	}
	a.Combats = append(a.Combats, c)
	data := rules.Data{"n": len(a.Combats), "by": f.by, "attackers": c.Attackers, "defenders": list(c.Defenders), "attack": c.Attack, "defence": c.Defence}
	if f.kind == siege {
		data["location"], data["garrison"] = f.target, a.garrison(f.target)
		a.say("siege-laid", f.rule, a.public(), data)
	} else {
		data["against"], data["space"] = f.target, f.space
		a.say("battle-declared", f.rule, a.public(), data)
	}
	a.together(append([]string{f.by}, a.factions(c.Attackers)...)...)
	for _, n := range c.Defenders {
		if with := a.Nobles[n].Defends; with != "" {
			a.together(a.of(n), with)
		}
	}
	for _, u := range f.units {
		a.alone(u)
	}
}

// defenders are who defends: against a battle the faction's nobles in the open there, with those who defend with it as
// allies and whom no alliance or truce keeps from the attackers; against a siege all who are inside.
func (a *act) defenders(f fight) (list []string) {
	if f.kind == siege {
		return a.inside(f.target)
	}
	by := a.factions(f.members())
	for _, n := range a.inOpen(f.space) {
		with := a.Nobles[n].Defends == f.target && a.allied(a.of(n), f.target) && a.noAlly(a.of(n), by) == nil &&
			a.noTruce(a.of(n), by, func(attacker string) bool { return a.exposed(n, attacker, f.target) }) == nil
		if a.of(n) == f.target || with && !slices.Contains(by, a.of(n)) {
			list = append(list, n)
		}
	}
	return list
}

// garrison is the strength of a location's own troops; in an open town there are some only when somebody is inside.
func (s *State) garrison(location string) int {
	l := s.World.at().locations[location]
	if l.Type == open && len(s.inside(location)) == 0 {
		return 0
	}
	return or(l.Garrison, sizes[l.Type].garrison)
}

// decideByRule decides a combat where a house rule does.
func (a *act) decideByRule(n int) {
	c := a.Combats[n-1]
	switch {
	case c.Kind == battle && a.World.Rules.Odds:
		text := a.World.Odds[0]
		if of := len(a.World.Odds); of > 1 {
			text = a.World.Odds[a.draw(fmt.Sprintf("odds:%d", n), "KM-P6", of)]
		}
		a.conclude(n, "KM-P6", decided(text, c.Attack, c.Defence), nil, text)
	case c.Kind == siege && a.World.Rules.Strength && c.Attack >= c.Defence:
		a.conclude(n, "KM-P6", falls, nil, "")
	case c.Kind == siege && a.World.Rules.Strength:
		a.conclude(n, "KM-P6", holds, nil, "")
	}
}

// ratio is how odds are written: the larger side wins when it is at least as many times as large.
var ratio = regexp.MustCompile(`^([1-9][0-9]{0,2})-([1-9][0-9]{0,2})$`)

// badWeather is what may stand among odds in the place of a ratio: nobody wins.
const badWeather = "bad weather"

// decided is what comes of a battle by some odds.
func decided(odds string, attack, defence int) string {
	m := ratio.FindStringSubmatch(odds)
	if m == nil {
		return noResult
	}
	p, _ := strconv.Atoi(m[1])
	q, _ := strconv.Atoi(m[2])
	switch {
	case attack > defence && attack*q >= defence*p:
		return attackerWins
	case defence > attack && defence*q >= attack*p:
		return defenderWins
	}
	return drawn
}

// conclude enters what came of a combat, and does what follows from it.
func (a *act) conclude(n int, rule, result string, killed []string, odds string) {
	c := a.Combats[n-1]
	c.Result = result
	a.say("combat-decided", rule, a.public(), rules.Data{"n": n, "kind": c.Kind, "result": result, "killed": list(killed), "odds": odds, "by": c.By, "target": c.Target})
	for _, k := range killed {
		a.remove(k)
	}
	if result == falls {
		a.fall(c)
	}
	a.regroup()
}

// fall lets a besieged location fall: it changes hands, who is inside is put out, and the besiegers go in while there is
// room for them.
func (a *act) fall(c *Combat) {
	l := c.Target
	if t := a.World.at().locations[l].Type; t != unfortified && t != open {
		a.setControl(l, c.By)
	}
	for _, n := range a.inside(l) {
		if !a.friends(c.By, a.of(n)) {
			a.put(n, Place{Space: c.Space})
		}
	}
	for _, n := range c.Attackers {
		if x := a.Nobles[n]; a.inPlay(n) && x.Ship == "" && x.Space == c.Space && x.Location != l && a.strength(n) <= a.room(l) {
			a.put(n, a.World.place(l))
		}
	}
}

// put puts a noble somewhere, by what came of a combat.
func (a *act) put(noble string, to Place) {
	a.Nobles[noble].Place = to
	a.say("placed", "KM-P8", a.public(), rules.Data{"unit": noble, "at": to.name(), "place": to.name(), "with": ""})
}
