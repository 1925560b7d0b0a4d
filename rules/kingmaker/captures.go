package kingmaker

import (
	"arroba/orders"
	"arroba/rules"
)

// Heirs: who takes them, and where they go (CAPTURES, KM-P7).

const verbCapture = "captures"

var captureForms = []form{
	{carry: (*act).capture, verb: verbCapture, Form: orders.Form{ID: "capture", Rule: "KM-P7", Who: forPlayer, Say: say{
		"en": {"{ <units:noble> },* CAPTURES <heir>", "CAPTURE <heir> WITH { <units:noble> },*"},
		"ru": {"{ <units:noble> },* ЗАХВАТЫВАЕТ <heir>"},
	}, Help: help{
		"en": "A noble takes an heir whom nobody holds, where both are; the heir then goes where the noble goes. One noble to a line.",
		"ru": "Лорд берёт под свою руку наследника, который рядом и ничей; дальше наследник следует за лордом. В строке — один лорд.",
	}}},
}

var captureReasons = []reason{
	{"KM-P7", "held", []string{"heir", "holder"}},                       // somebody holds the heir
	{"KM-P7", "gone", []string{"heir"}},                                 // the heir is out of the game
	{"KM-P7", "elsewhere", []string{"heir", "unit", "place", "stands"}}, // the two are not in one place
	{"KM-P7", "aboard", []string{"heir", "unit", "ship"}},               // the noble is aboard a ship
}

// capture judges how a noble takes an heir, and lets him.
func (a *act) capture(g *given) (string, *rules.Ruling) {
	noble, heir := g.units[0].name, g.order.ID("heir")
	n, h := a.Nobles[noble], a.Heirs[heir]
	switch {
	case h.Removed:
		return "", no("KM-P7", "gone", rules.Data{"heir": heir})
	case h.Holder != "":
		return "", no("KM-P7", "held", rules.Data{"heir": heir, "holder": h.Holder})
	case n.Ship != "":
		return "", no("KM-P7", "aboard", rules.Data{"heir": heir, "unit": noble, "ship": n.Ship})
	case n.Place != h.Place:
		return "", no("KM-P7", "elsewhere", rules.Data{"heir": heir, "unit": noble, "place": h.Place.name(), "stands": n.Place.name()})
	}
	a.hold(heir, noble)
	a.say("heir-captured", "KM-P7", a.public(), rules.Data{"heir": heir, "noble": noble})
	a.together(g.by, a.of(noble))
	a.regroup()
	return "KM-P7", nil
}

// hold makes a noble the holder of an heir, who is where he is from then on.
func (a *act) hold(heir, noble string) {
	h := a.Heirs[heir]
	h.Holder, h.Place = noble, Place{}
}
