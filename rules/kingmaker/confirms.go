package kingmaker

import (
	"slices"

	"arroba/orders"
	"arroba/rules"
	"arroba/rules/rounds"
)

// Answers to orders that take an ally's units (CONFIRM ORDER, REFUSE ORDER, KM-A4c).

var confirmForms = []form{
	{do: confirmOrder, Form: orders.Form{ID: "confirm-order", Rule: "KM-A4c", Who: forPlayer, Say: say{
		"en": {"CONFIRM ORDER <n:number>"},
		"ru": {"ПОДТВЕРДИТЬ ПРИКАЗ <n:number>"},
	}, Help: help{
		"en": "You let your ally's order to a unit of yours count.",
		"ru": "Вы подтверждаете приказ союзника Вашему отряду.",
	}}},
	{do: refuseOrder, Form: orders.Form{ID: "refuse-order", Rule: "KM-A4c", Who: forPlayer, Say: say{
		"en": {"REFUSE ORDER <n:number>"},
		"ru": {"ОТКЛОНИТЬ ПРИКАЗ <n:number>"},
	}, Help: help{
		"en": "You drop your ally's order to a unit of yours.",
		"ru": "Вы отклоняете приказ союзника Вашему отряду.",
	}}},
}

var confirmReasons = []reason{
	{"KM-A4c", "", []string{"n"}}, // no order of that number waits for the writer
}

// asked looks whether an order waits for the writer's answer. What waits for others is as unknown to him as what does not.
func (a *act) asked(o orders.Order) (n int, refused *rules.Ruling) {
	n = int(o.N("n"))
	if !slices.Contains(a.Asks[n], a.me) {
		return 0, no("KM-A4c", "", rules.Data{"n": o.N("n")})
	}
	return n, nil
}

func confirmOrder(a *act, o orders.Order) (string, *rules.Ruling) {
	n, r := a.asked(o)
	if r != nil {
		return "", r
	}
	if a.Asks[n] = slices.DeleteFunc(slices.Clone(a.Asks[n]), func(f string) bool { return f == a.me }); len(a.Asks[n]) == 0 {
		delete(a.Asks, n)
	}
	a.answered("order-confirmed", n)
	a.Rounds.SetPending(len(a.Asks) > 0, a.Env)
	return "KM-A4c", nil
}

func refuseOrder(a *act, o orders.Order) (string, *rules.Ruling) {
	n, r := a.asked(o)
	if r != nil {
		return "", r
	}
	a.answered("order-declined", n)
	a.Rounds.Orders = slices.DeleteFunc(slices.Clone(a.Rounds.Orders), func(k rounds.Order) bool { return k.N == n })
	delete(a.Asks, n)
	a.Rounds.SetPending(len(a.Asks) > 0, a.Env)
	return "KM-A4c", nil
}

// answered tells who gave an order, and who answered, of the answer.
func (a *act) answered(typ string, n int) {
	i := slices.IndexFunc(a.Rounds.Orders, func(k rounds.Order) bool { return k.N == n })
	k := a.Rounds.Orders[i]
	a.say(typ, "KM-A4c", a.secret(a.factionOf(k.Seat), a.me), rules.Data{"n": n, "faction": a.me, "line": k.Order.Line, "awaited": len(a.Asks[n]) > 0})
}
