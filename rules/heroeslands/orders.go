package heroeslands

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

// form is a kind of order with the function that rules on it: it returns the rule an order was accepted under, or why
// it was not. It changes nothing before it knows that nothing speaks against the order.
type form struct {
	orders.Form
	do   func(*act, orders.Order) (rule string, refused *rules.Ruling)
	asks func(*act, orders.Order) *rules.Ruling // finds what the order leaves open, as do does; nil when that is nothing

	presenter bool // the presenter gives it as well as the Magistrate
}

// asksBack tells what is unclear about an order of one who may not give it, for that is said before whose order it is.
func (f form) asksBack(a *act, o orders.Order) *rules.Ruling {
	if f.asks == nil {
		return nil
	}
	if r := f.asks(a, o); r != nil && r.Verdict == orders.Unclear {
		return r
	}
	return nil
}

// asking makes of what finds something just the asking.
func asking[T any](find func(*act, orders.Order) (T, *rules.Ruling)) func(*act, orders.Order) *rules.Ruling {
	return func(a *act, o orders.Order) *rules.Ruling {
		_, r := find(a, o)
		return r
	}
}

type (
	say  = map[string][]string
	help = map[string]string
)

// forms are all orders, in the order in which HELP shows them.
var forms = slices.Concat(duelForms, calloutForms, vassalageForms, tourneyForms, warForms, rosterForms, beginForms, stakeForms, saveForms, moneyForms, feudForms, propertyForms, peopleForms)

// formByID finds a form.
var formByID = byID(forms)

func byID(list []form) map[string]form {
	m := map[string]form{}
	for _, f := range list {
		m[f.ID] = f
	}
	return m
}

// grammar compiles the forms.
func grammar() *orders.Grammar {
	spec := orders.Spec{
		Parts: map[string]map[string]string{
			"en": {
				"L":      "[IN <land> | VERSION <land>]",
				"D":      "[[IN | OF] DUEL <duel:number>]",
				"W":      "[[IN | OF | FOR] WAR <war:number>]",
				"OFFICE": "(JUNIOR#junior MAGISTER | MAGISTER#magister | ROUND#krt TABLE | KRT#krt)",
			},
			"ru": {
				"L":      "[В <land> | ВЕРСИЯ <land>]",
				"D":      "[[В] ДУЭЛЬ <duel:number>]",
				"W":      "[[В] ВОЙНА <war:number>]",
				"OFFICE": "(МЛАДШИЙ#junior МАГИСТР | МАГИСТР#magister | КРУГЛЫЙ#krt СТОЛ | KRT#krt)",
			},
		},
		Looks: map[string]*regexp.Regexp{"save": saveLooks},
		Same: map[string][]string{
			"@":            {"ARROBA", "ARROBAS", "АРРОБА", "АРРОБЫ", "АРРОБЕ", "АРРОБУ", "АРРОБОЙ", "АРРОБ", "АРРОБАМ", "АРРОБАМИ", "АРРОБАХ"},
			"DAYS":         {"DAY"},
			"ДНЕЙ":         {"ДЕНЬ", "ДНЯ", "ДНЮ", "ДНЁМ", "ДНЕ", "ДНИ", "ДНЯМ", "ДНЯМИ", "ДНЯХ"},
			"ФЕОД":         {"ФЕОДА", "ФЕОДУ", "ФЕОДОМ", "ФЕОДЕ", "ФЕОДЫ", "ФЕОДОВ", "ФЕОДАМ", "ФЕОДАМИ", "ФЕОДАХ"},
			"FEUD":         {"FEUDS"},
			"ДУЭЛЬ":        {"ДУЭЛИ"},
			"ВОЙНА":        {"ВОЙНЕ", "ВОЙНУ", "ВОЙНЫ"},
			"WEEKS":        {"WEEK"},
			"PARTICIPANTS": {"PARTICIPANT"},
			"НЕДЕЛЬ":       {"НЕДЕЛЯ", "НЕДЕЛИ", "НЕДЕЛЕ", "НЕДЕЛЮ", "НЕДЕЛЕЙ", "НЕДЕЛЯМ", "НЕДЕЛЯМИ", "НЕДЕЛЯХ"},
			"POINTS":       {"POINT"},
			"ОЧКОВ":        {"ОЧКО", "ОЧКА", "ОЧКУ", "ОЧКОМ", "ОЧКЕ", "ОЧКИ", "ОЧКАМ", "ОЧКАМИ", "ОЧКАХ"},
			"ВАССАЛЫ":      {"ВАССАЛ"},
			// offices, in the cases that people write them in
			"МЛАДШИЙ": {"МЛАДШЕГО", "МЛАДШИМ"}, "МАГИСТР": {"МАГИСТРА", "МАГИСТРОМ"}, "КРУГЛЫЙ": {"КРУГЛОГО"}, "СТОЛ": {"СТОЛА"},
		},
	}
	for _, f := range forms {
		spec.Forms = append(spec.Forms, f.Form)
	}
	return orders.MustGrammar(spec)
}

// namedLand finds the Land of an order that must name it where there are several.
func (a *act) namedLand(o orders.Order) (string, *rules.Ruling) { return a.land(o, nil) }

// land finds the Land that an order means: the one it names, else the only one of the game, else the only one in which
// what it speaks of exists. With exists nil it must be named where there are several.
func (a *act) land(o orders.Order, exists func(land string) bool) (string, *rules.Ruling) {
	if o.Has("land") {
		return o.ID("land"), nil
	}
	if len(a.Lands) == 1 {
		return a.Lands[0], nil
	}
	var found []string
	for _, land := range a.Lands {
		if exists != nil && exists(land) {
			found = append(found, land)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	if len(found) == 0 {
		found = slices.Clone(a.Lands)
	}
	return "", unclear("which-land", rules.Data{"slot": "land", "choices": found})
}
