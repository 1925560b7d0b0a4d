package heroeslands

import (
	"slices"
	"strconv"

	"arroba/rules"
)

const (
	mostOffers   = 8   // orders that are offered to anybody
	mostOfferees = 2   // lords who are proposed for one kind of order in a Land
	mostAsked    = 100 // lords among whom they are looked for: a game may have many thousands
)

// offers returns orders that a viewer could give now: what answers something open first, then what he may begin.
func offers(s *State, v rules.Viewer) []rules.Offer {
	o := &offering{act: begin(s, rules.Env{By: rules.Actor{Seat: v.Seat}})}
	switch {
	case v.GM:
		o.results()
		o.pairResults()
	case s.Inhabitants[o.me] != nil:
		o.answers()
		o.saves()
		o.wages()
		o.bonuses()
		for _, land := range s.Lands {
			o.ways(land)
		}
		for _, land := range s.Lands {
			o.begins(land)
		}
	}
	return o.list[:min(len(o.list), mostOffers)]
}

// offering gathers offers. It only asks the rules, and changes nothing.
type offering struct {
	*act
	list []rules.Offer
}

// add offers an order; the slots and what fills them stand in pairs, and the Land is left out where there is only one.
func (o *offering) add(form string, pairs ...string) {
	args := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] != "land" || len(o.Lands) > 1 {
			args[pairs[i]] = pairs[i+1]
		}
	}
	o.list = append(o.list, rules.Offer{Form: form, Args: args})
}

// results are what the Magistrate has to say of open duels, of those that are due first.
func (o *offering) results() {
	for _, due := range []bool{true, false} {
		for _, d := range o.Duels {
			if d.Status == open && d.Reminded == due {
				o.add("result-duel", "duel", strconv.Itoa(d.ID))
			}
		}
	}
}

// answers are those to offers of vassalage, and to challenges.
func (o *offering) answers() {
	for _, f := range o.Offers {
		if o.me != f.Suzerain && o.me != f.Vassal {
			continue
		}
		with := other(o.me, f.Suzerain, f.Vassal)
		switch {
		case o.offerWith(f.Land, with) != f:
		case len(f.Consents) == 2:
			if o.mayAnnounce(f) == nil {
				o.add("announce-vassalage", "nick", with, "land", f.Land)
			}
		case !slices.Contains(f.Consents, o.me):
			if o.mayConsent(f, f.Land, f.Suzerain, f.Vassal) == nil {
				o.add("accept-vassalage", "nick", with, "land", f.Land)
			}
			o.add("decline-vassalage", "nick", with, "land", f.Land)
		}
	}
	for _, d := range o.Duels {
		if d.Status == open && d.Target == o.me && d.Kind != ordinary {
			o.challengedIn(d)
		}
	}
	o.calls()
}

// challengedIn is what the challenged may do about a duel.
func (o *offering) challengedIn(d *Duel) {
	id := strconv.Itoa(d.ID)
	if !d.Postponed && !d.Reminded {
		o.add("postpone-duel", "duel", id, "days", "7")
	}
	if o.takesProperty(d) != nil {
		return
	}
	for _, name := range sorted(o.Items) {
		if o.Items[name].Owner == o.me && first(o.withinLimits(d, []string{name}), o.ownFreeItems([]string{name})) == nil {
			o.add("insert-duel", "duel", id, "item", name)
			return
		}
	}
}

// ways are those out of what binds the viewer in a Land: from his suzerain, and from vassals whom he must release.
func (o *offering) ways(land string) {
	st := o.in(land, o.me)
	if len(st.Windows) > 0 && len(st.Vassals) > 0 {
		o.add("release", "land", land)
	}
	if st.Suzerain == "" {
		return
	}
	if st.Rank == o.in(land, st.Suzerain).Rank {
		o.add("independence", "land", land)
	}
	if o.mayChallengeSuzerain(land, st.Suzerain) == nil {
		o.add("challenge-independence", "lord", st.Suzerain, "land", land)
	}
}

// begins are challenges for vassalage and consents to it, with some whom they may be about.
func (o *offering) begins(land string) {
	own := o.in(land, o.me)
	place := within(len(own.Vassals)+1, o.Settings.Capacity[own.Rank])
	left := map[string]int{}
	if place && o.hasCover() == nil && len(challenges[own.Rank]) > 0 {
		left["challenge"] = mostOfferees
	}
	if place && own.Rank >= Count {
		left["invite"] = mostOfferees
	}
	if own.Rank > Landless && own.Suzerain == "" && o.Inhabitants[o.me].Clan == "" {
		left["serve"] = mostOfferees
	}
	propose := func(form, slot, nick string, refused *rules.Ruling) {
		if refused == nil {
			left[form]--
			o.add(form, slot, nick, "land", land)
		}
	}
	for _, n := range o.nicks()[:min(len(o.nicks()), mostAsked)] {
		if n == o.me {
			continue
		}
		his := o.in(land, n)
		free := his.Suzerain == "" && o.Inhabitants[n].Clan == "" // cheaper to ask than what else the rules say
		if left["challenge"] > 0 && free && mayChallenge(own.Rank, his.Rank) {
			propose("challenge", "lord", n, o.mayChallengeLord(land, n, ""))
		}
		if left["invite"] > 0 && free && his.Rank < own.Rank && o.offerWith(land, n) == nil {
			propose("invite", "nick", n, o.mayConsent(nil, land, o.me, n))
		}
		if left["serve"] > 0 && his.Rank >= Count && his.Rank > own.Rank && o.offerWith(land, n) == nil {
			propose("serve", "nick", n, o.mayConsent(nil, land, n, o.me))
		}
		if left["challenge"] <= 0 && left["invite"] <= 0 && left["serve"] <= 0 {
			break
		}
	}
}
