package kingmaker

import (
	"regexp"
	"slices"

	"arroba/orders"
	"arroba/rules"
)

// Who may give an order.
const (
	forPlayer = "player"
	forGM     = "gm"
)

// kind is what an order is to marks and confirmations (KM-A5).
type kind string

const (
	movement kind = "movement"
	combat   kind = "combat"
	noKind   kind = ""
)

// form is a kind of order. One of the turn has carry, which judges it and carries it out, on a trial and at the close alike;
// of all others do rules on arrival: it returns the rule an order was accepted under, or why it was not. Both change nothing
// before they know that nothing speaks against the order.
type form struct {
	orders.Form
	do func(*act, orders.Order) (rule string, refused *rules.Ruling)

	carry func(*act, *given) (rule string, refused *rules.Ruling)
	kind  kind   // of an order of the turn
	verb  string // of an order of the turn: one replaces a kept one of the same verb that shares a unit
	late  bool   // it belongs to the combat stage
}

type (
	say  = map[string][]string
	help = map[string]string
)

// forms are all orders, in the order in which HELP shows them.
var forms = slices.Concat(moveForms, boardForms, captureForms, groupForms, combatForms, allianceForms, confirmForms, permissionForms, defendForms, deskForms, tableForms)

// formByID finds a form.
var formByID = byFormID(forms)

func byFormID(list []form) map[string]form {
	m := map[string]form{}
	for _, f := range list {
		m[f.ID] = f
	}
	return m
}

// group is how an army or a fleet is named: by its number.
var group = regexp.MustCompile(`^(?:` + orders.Fold("army") + `|` + orders.Fold("fleet") + `|` + orders.Fold("арми") + `[яиюей]{1,2}|` + orders.Fold("флот") + `[ауе]?|` + orders.Fold("флотом") + `) ?[0-9]{1,9}$`)

// grammar compiles the forms. A unit is a noble, a ship, or an army or fleet by its number.
func grammar() *orders.Grammar {
	spec := orders.Spec{
		Parts: map[string]map[string]string{
			"en": {
				"U":     "(<units:noble|ship> | <units:group>)",
				"UNITS": "{ (<units:noble|ship> | <units:group>) },*",
				"FROM":  "[FROM <origin:place>]",
				"IN":    "[IN <within:place|area>]",
				"WAY":   "[BY#road ROAD | OFF#offroad ROAD]",
			},
			"ru": {
				"U":     "(<units:noble|ship> | <units:group>)",
				"UNITS": "{ (<units:noble|ship> | <units:group>) },*",
				"FROM":  "[ИЗ <origin:place>]",
				"IN":    "[В ОБЛАСТИ <within:place|area>]",
				"WAY":   "[ПО#road ДОРОГЕ | БЕЗ#offroad ДОРОГИ]",
			},
		},
		Looks: map[string]*regexp.Regexp{"group": group},
		Same: map[string][]string{
			"MOVES": {"MOVE"}, "EMBARKS": {"EMBARK"}, "DISEMBARKS": {"DISEMBARK"}, "CAPTURES": {"CAPTURE"},
			"BATTLE": {"BATTLES"}, "BESIEGE": {"BESIEGES"}, "DEFEND": {"DEFENDS"},
			"ИДЁТ": {"ИДУТ", "ПЛЫВЁТ", "ПЛЫВУТ"}, "САДИТСЯ": {"САДЯТСЯ"}, "ВЫСАЖИВАЕТСЯ": {"ВЫСАЖИВАЮТСЯ"}, "ЗАХВАТЫВАЕТ": {"ЗАХВАТЫВАЮТ"},
			"ОБРАЗУЮТ": {"ОБРАЗУЕТ"}, "АТАКУЕТ": {"АТАКУЮТ"}, "ОСАЖДАЕТ": {"ОСАЖДАЮТ"}, "ЗАЩИЩАЕТ": {"ЗАЩИЩАЮТ"},
		},
	}
	for _, f := range forms {
		spec.Forms = append(spec.Forms, f.Form)
	}
	return orders.MustGrammar(spec)
}
