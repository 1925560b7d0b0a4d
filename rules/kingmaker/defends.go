package kingmaker

import (
	"arroba/orders"
	"arroba/rules"
)

// Defending with an ally (DEFEND, KM-A12b).

var defendForms = []form{
	{do: defend, Form: orders.Form{ID: "defend", Rule: "KM-A12b", Who: forPlayer, Say: say{
		"en": {"{ (<units:noble|ship> | <units:group>) },* DEFEND WITH <faction> [IN <in:place>]", "DEFEND WITH <faction> [IN <in:place>] WITH $UNITS"},
		"ru": {"{ (<units:noble|ship> | <units:group>) },* ЗАЩИЩАЕТ <faction> [В <in:place>]"},
	}, Help: help{
		"en": "Your nobles defend with an ally who is attacked where they stand, until the Round ends.",
		"ru": "Ваши лорды защищаются вместе с союзником, если на него нападут там, где они стоят, — до конца Раунда.",
	}}},
}

var defendReasons = []reason{
	{"KM-A12b", "", []string{"faction"}},                    // no ally
	{"KM-A12b", "ship", []string{"unit"}},                   // nobles defend, ships do not
	{"KM-P3", "not-yours", []string{"unit"}},                // the noble is another faction's
	{"KM-P2", "defend", []string{"unit", "place", "space"}}, // the noble is not where the order says
}

// defend makes nobles of one's own defend with an ally where they stand.
func defend(a *act, o orders.Order) (string, *rules.Ruling) {
	units, r := a.units(o)
	if r != nil {
		return "", r
	}
	ally := o.ID("faction")
	nobles := (&given{units: units}).members()
	for _, n := range nobles {
		if r := a.defends(n, ally, o); r != nil {
			return "", r
		}
	}
	for _, n := range nobles {
		a.Nobles[n].Defends = ally
	}
	return "KM-A12b", nil
}

// defends looks whether a noble may defend with an ally.
func (a *act) defends(noble, ally string, o orders.Order) *rules.Ruling {
	switch f := a.of(noble); {
	case f == "":
		return no("KM-P3", "", rules.Data{"unit": noble})
	case f != a.me:
		return no("KM-P3", "not-yours", rules.Data{"unit": noble})
	case a.Nobles[noble] == nil:
		return no("KM-A12b", "ship", rules.Data{"unit": noble})
	case o.Has("in") && a.space(noble) != a.World.place(o.ID("in")).Space:
		return no("KM-P2", "defend", rules.Data{"unit": noble, "place": o.ID("in"), "space": a.space(noble)})
	case !a.allied(a.me, ally):
		return no("KM-A12b", "", rules.Data{"faction": ally})
	}
	return nil
}
