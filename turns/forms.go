package turns

import (
	"strings"

	"arroba/orders"
	"arroba/rules"
)

// engineOrder is one of the orders that every ruleset has: its form, and what the engine does about it. What is nil is
// left out. All but answer and do must come out the same whenever the order is played again from the log.
type engineOrder struct {
	orders.Form
	settle  func(*cause, *Member, *orders.Order, rules.Env) *rules.Ruling // says why it may not be, and writes into the order what only the engine knows now
	control func(orders.Order, rules.Env) rules.Control                   // what the ruleset is to do
	events  func(orders.Order, rules.Env) []rules.Event                   // that it causes by itself, before the ruleset's
	do      func(*cause, *Member, *orders.Order)                          // what it changes in the game besides the state; what else comes of it is gathered in the cause, for a TEST drops both
	answer  func(*cause, *Member, orders.Order) (text string, err error)  // what the receipt answers
}

// gm tells whether only the GM may give it.
func (o engineOrder) gm() bool { return o.Who == forGM }

// Who may give an engine's order, in the words that HELP groups by. Others than members give none.
const (
	forMember = "member"
	forGM     = "gm"
)

// The forms that decide how the rest of a letter is taken.
const (
	formAs    = "e-as"
	formTest  = "e-test"
	formPress = "e-press"

	formReady    = "e-ready"
	formRollback = "e-rollback"
	formRedo     = "e-redo"
)

// ownOrders are the engine's own orders, in the order in which HELP shows them.
func ownOrders() (all []engineOrder) {
	for _, topic := range [][]engineOrder{questions(), roundOrders(), peopleOrders(), pressOrders(), deskOrders(), backOrders()} {
		all = append(all, topic...)
	}
	return all
}

// form is an order of the engine without what it does: two strokes part its patterns.
func form(id, rule, who, en, ru, helpEn, helpRu string) orders.Form {
	return orders.Form{ID: id, Rule: rule, Who: who,
		Say:  map[string][]string{"en": strings.Split(en, " || "), "ru": strings.Split(ru, " || ")},
		Help: map[string]string{"en": helpEn, "ru": helpRu}}
}

// alone makes a form prose unless it is the whole line.
func alone(f orders.Form) orders.Form {
	f.Alone = true
	return f
}

// ending gives a form a long text with its end lines.
func ending(f orders.Form, en, ru string) orders.Form {
	f.End = map[string]string{"en": en, "ru": ru}
	return f
}
