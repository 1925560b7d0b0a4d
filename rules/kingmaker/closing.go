package kingmaker

import (
	"slices"

	"arroba/orders"
	"arroba/rules"
	"arroba/rules/rounds"
)

// given is an order of the turn that is judged and carried out.
type given struct {
	n     int
	by    string // the faction that gave it
	order orders.Order
	units []unit
}

// members are all nobles or ships that an order is given to.
func (g *given) members() (list []string) {
	for _, u := range g.units {
		list = append(list, u.members()...)
	}
	return list
}

// carry judges an order and carries it out: the factions whose confirmation it takes, and the rule it went by.
func (a *act) carry(f form, g *given) (rule string, asks []string, refused *rules.Ruling) {
	if g.units, refused = a.units(g.order); refused != nil {
		return "", nil, refused
	}
	if r := a.boards(g); r != nil {
		return "", nil, r
	}
	a.inForce(f.kind, g)
	for _, u := range g.units {
		more, r := a.rights(g.by, u, f.kind)
		if r != nil && r.Why == "stranger" && f.verb == verbForm {
			r = no("KM-A6a", "stranger", rules.Data{"unit": u.name, "faction": a.of(u.name), "kind": groupKind(g.order)})
		}
		if r != nil {
			return "", nil, r
		}
		asks = union(asks, more)
	}
	rule, refused = f.carry(a, g)
	return rule, asks, refused
}

// keep tries an order of the turn on a copy of the state, after those that are kept already, and keeps it when nothing
// speaks against it there. Its writer's allies are asked to confirm what it takes of theirs.
func (a *act) keep(f form, o orders.Order) rules.Ruling {
	if r := a.onTurn(); r != nil {
		return *r
	}
	if r := oneUnit(f, o); r != nil {
		return *r
	}
	rule, asks, r := a.try(f, o)
	if r != nil {
		return *r
	}
	if len(asks) > 0 {
		rule = "KM-A4c"
	}
	ru := a.Rounds.Keep(rule, o, a.Env, f.verb, named(o)...)
	a.dropAsks()
	if n := a.Rounds.Last; len(asks) > 0 {
		a.Asks[n] = asks
		a.say("order-pending", "KM-A4c", a.asking(a.secret(append([]string{a.me}, asks...)...), asks), rules.Data{"n": n, "by": a.me, "asks": asks, "line": o.Line})
	}
	a.Rounds.SetPending(len(a.Asks) > 0, a.Env)
	return ru
}

// onTurn looks whether it is the sender's turn (KM-P1).
func (a *act) onTurn() *rules.Ruling {
	switch {
	case a.Turn != a.me:
		return no("KM-P1", "turn", rules.Data{"turn": a.Turn})
	case a.Rounds.Phase.Name != phaseOrders:
		return no("KM-P1", "phase", rules.Data{"turn": a.Turn})
	}
	return nil
}

// oneUnit asks back where a list stands and one unit should.
func oneUnit(f form, o orders.Order) *rules.Ruling {
	if f.kind != movement && f.verb != verbCapture || len(o.Args["units"]) < 2 {
		return nil
	}
	return unclear("one-unit", rules.Data{"form": f.ID})
}

// try judges a new order as at the close, on a copy.
func (a *act) try(f form, o orders.Order) (rule string, asks []string, refused *rules.Ruling) {
	t := begin(a.State.clone(), a.Env)
	t.trial = true
	kept := slices.DeleteFunc(slices.Clone(a.Rounds.Orders), func(k rounds.Order) bool { return replaces(f, o, k) })
	t.stage(kept, false)
	if f.late {
		t.ashore()
		t.stage(kept, true)
	}
	return t.carry(f, &given{by: a.me, order: o})
}

// replaces tells whether an order takes the place of a kept one: of the same verb, with a unit named in both.
func replaces(f form, o orders.Order, k rounds.Order) bool {
	return k.Kind == f.verb && slices.ContainsFunc(named(o), func(u string) bool { return slices.Contains(k.Units, u) })
}

// stage carries out the kept orders of one stage in the order of their numbers. On a trial nobody hears what fails.
func (a *act) stage(kept []rounds.Order, late bool) {
	for _, k := range kept {
		f := formByID[k.Order.Form]
		if f.late != late {
			continue
		}
		g := &given{n: k.N, by: a.factionOf(k.Seat), order: k.Order}
		if _, _, r := a.carry(f, g); r != nil {
			a.say("order-failed", r.Rule, a.secret(g.by), rules.Data{"n": k.N, "line": k.Order.Line, "text": textOf(r), "reason": r.Data})
		}
	}
}

// dropAsks forgets what was asked about orders that are not kept any more.
func (a *act) dropAsks() {
	for n := range a.Asks {
		if !slices.ContainsFunc(a.Rounds.Orders, func(k rounds.Order) bool { return k.N == n }) {
			delete(a.Asks, n)
		}
	}
}

// close closes the phase of the orders: what awaits confirmation is void, movements come before combats, and the next turn
// begins unless combats await the GM.
func (a *act) close(c *rounds.Closing) {
	a.me = a.Turn
	a.say("turn-closed", "KM-P1", a.public(), rules.Data{"round": c.Round, "turn": a.Turn, "by": c.By})
	kept := a.voidPending()
	a.stage(kept, false)
	a.ashore()
	a.stage(kept, true)
	a.declare()
	a.missed(c)
	a.mark()
	a.Rounds.Orders = nil
	a.reportTurn()
	a.closedWindows()
	if a.undecided() {
		a.Rounds.Begin(rounds.Phase{Round: c.Round, Name: phaseRulings}, a.Env)
		a.Reminds = new(a.At.UTC().Add(a.World.Rules.Turn))
		return
	}
	a.nextTurn()
}

// voidPending takes out what is not confirmed, and returns what holds.
func (a *act) voidPending() (kept []rounds.Order) {
	for _, k := range a.Rounds.Orders {
		if _, waits := a.Asks[k.N]; waits {
			a.say("order-void", "KM-A4c", a.secret(a.me), rules.Data{"n": k.N, "line": k.Order.Line})
			continue
		}
		kept = append(kept, k)
	}
	clear(a.Asks)
	return kept
}

// missed counts the turns without an order (nmr).
func (a *act) missed(c *rounds.Closing) {
	f := a.Factions[a.me]
	if !slices.Contains(c.Missing, f.Player) {
		f.Missed = 0
		return
	}
	if c.By == rounds.ByDeadline {
		f.Missed++
		a.say("nmr", "KM-P1", a.public(a.me), rules.Data{"faction": a.me, "count": f.Missed})
	}
}

// inForce remembers who has an order in force in this closing, for the marks.
func (a *act) inForce(k kind, g *given) {
	if k != noKind {
		a.ordered[k] = union(a.ordered[k], g.members())
	}
}

// mark marks who had an order in force, carried out or failed (KM-A5).
func (a *act) mark() {
	for _, u := range a.ordered[movement] {
		if n := a.Nobles[u]; n != nil {
			n.Moved = true
		} else {
			a.Ships[u].Moved = true
		}
	}
	for _, u := range a.ordered[combat] {
		if n := a.Nobles[u]; n != nil {
			n.Fought = true
		}
	}
}
