package kingmaker

import (
	"slices"
	"strconv"

	"arroba/rules"
)

// mostOffers is how many orders are offered to anybody at once.
const mostOffers = 16

// offers returns orders that a viewer could give now, the form that his letters bring: what answers a question first, then
// in his own turn a line for each unit that may still be ordered.
func offers(s *State, v rules.Viewer) (list []rules.Offer) {
	a := begin(s, rules.Env{By: rules.Actor{Seat: v.Seat}})
	add := func(form string, pairs ...string) {
		o := rules.Offer{Form: form, Args: map[string]string{}}
		for i := 0; i < len(pairs); i += 2 {
			o.Args[pairs[i]] = pairs[i+1]
		}
		list = append(list, o)
	}
	switch {
	case v.GM:
		for i, c := range s.Combats {
			if c.Result == "" {
				add("result-"+c.Kind, "n", strconv.Itoa(i+1))
			}
		}
	case a.me != "":
		a.offerAnswers(add)
		if s.Turn == a.me && s.Rounds.Phase.Name == phaseOrders {
			a.offerJourneys(add)
		}
	}
	return list[:min(len(list), mostOffers)]
}

// offerAnswers offers what answers a question that waits for the viewer.
func (a *act) offerAnswers(add func(string, ...string)) {
	for i, x := range a.Alliances {
		if _, answered := x.Answers[a.me]; x.Status == proposed && slices.Contains(x.Asked, a.me) && !answered {
			add("confirm-alliance", "n", strconv.Itoa(i+1))
			add("refuse-alliance", "n", strconv.Itoa(i+1))
		}
	}
	for _, k := range a.Rounds.Orders {
		if slices.Contains(a.Asks[k.N], a.me) {
			add("confirm-order", "n", strconv.Itoa(k.N))
			add("refuse-order", "n", strconv.Itoa(k.N))
		}
	}
}

// offerJourneys offers a journey to each of the viewer's units that has had none in this Round and no order yet.
func (a *act) offerJourneys(add func(string, ...string)) {
	var ordered []string
	for _, k := range a.Rounds.Orders {
		ordered = append(ordered, k.Units...)
	}
	free := func(u string) bool {
		return a.of(u) == a.me && a.group(u) == nil && !a.marked(u, movement) && !slices.Contains(ordered, u)
	}
	for _, g := range a.Groups {
		if asks, r := a.rights(a.me, unit{g.name(), g}, movement); r == nil && asks == nil && !slices.Contains(ordered, g.name()) {
			add("move", "units", g.name())
		}
	}
	for _, d := range a.World.Nobles {
		switch n := a.Nobles[d.Name]; {
		case !free(d.Name):
		case n.Ship == "":
			add("move", "units", d.Name)
		case a.Ships[n.Ship].Location != "":
			add("disembark", "units", d.Name)
		}
	}
	for _, d := range a.World.Ships {
		if free(d.Name) {
			add("move", "units", d.Name)
		}
	}
}
