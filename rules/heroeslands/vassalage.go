package heroeslands

import (
	"maps"
	"slices"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// Vassalages: how they begin of one's own will (HL-03), how they end (HL-25 to HL-30), and what stands in their way.

// freed names the rule by which a vassal is free.
var freed = map[string]string{
	"released": "HL-25", "landless": "HL-26", "duel": "HL-27", "equal-rank": "HL-28", "higher-rank": "HL-28",
	"rank-lost": "HL-29", "window-missed": "HL-06", "override": "HL-30",
}

// bind makes someone a vassal.
func (a *act) bind(land, lord, vassal, kind, rule string) {
	a.remember(land, vassal)
	st := a.in(land, vassal)
	st.Suzerain, st.Since = lord, a.At.UTC()
	ls := a.in(land, lord)
	ls.Vassals = append(ls.Vassals, vassal)
	slices.SortFunc(ls.Vassals, a.byService(land))
	mark(a.bonds, land, lord)
	a.say("vassalage-begun", rule, a.tavern(lord, vassal), rules.Data{
		"land": land, "suzerain": lord, "vassal": vassal, "kind": kind})
}

// free ends a vassalage.
func (a *act) free(land, vassal, reason string) {
	a.remember(land, vassal)
	st := a.in(land, vassal)
	lord := st.Suzerain
	st.Suzerain = ""
	ls := a.in(land, lord)
	ls.Vassals = slices.DeleteFunc(ls.Vassals, func(v string) bool { return v == vassal })
	mark(a.bonds, land, lord)
	a.say("vassal-freed", freed[reason], a.tavern(lord, vassal), rules.Data{
		"land": land, "suzerain": lord, "vassal": vassal, "reason": reason})
}

// The rules about gaining a vassal, a function each; nil when the rule allows it.

func (a *act) needsCount(land, lord string) *rules.Ruling {
	if r := a.in(land, lord).Rank; r < Count {
		return no("HL-01", "", rules.Data{"nick": lord, "rank": r.String()})
	}
	return nil
}

func (a *act) needsLower(land, lord, vassal string) *rules.Ruling {
	lr, vr := a.in(land, lord).Rank, a.in(land, vassal).Rank
	switch {
	case vr == Landless:
		return no("HL-02", "landless", rules.Data{"nick": vassal, "land": land})
	case vr >= lr:
		return no("HL-02", "rank", rules.Data{
			"nick": vassal, "rank": vr.String(), "suzerain": lord, "suzerain_rank": lr.String()})
	}
	return nil
}

func (a *act) needsPlace(land, lord, vassal string) *rules.Ruling {
	ls := a.in(land, lord)
	if places := a.Settings.Capacity[ls.Rank]; !within(len(ls.Vassals)+1, places) {
		return no("HL-04", "place", rules.Data{"nick": lord, "rank": ls.Rank.String(), "places": places})
	}
	own, home := a.raceContinent(a.Inhabitants[lord].Race), a.Inhabitants[vassal].Continent
	if a.Settings.bindsContinent(ls.Rank) && own != "" && home != "" && own != home {
		return no("HL-04", "continent", rules.Data{"nick": vassal, "home": home, "suzerain": lord, "continent": own})
	}
	return nil
}

func (a *act) needsNoClan(vassal string) *rules.Ruling {
	if clan := a.Inhabitants[vassal].Clan; clan != "" {
		return no("HL-07", "vassal", rules.Data{"nick": vassal, "clan": clan})
	}
	return nil
}

func (a *act) needsFree(land, vassal string) *rules.Ruling {
	if l := a.suzerain(land, vassal); l != "" {
		return no("HL-39", "", rules.Data{"nick": vassal, "land": land, "suzerain": l})
	}
	return nil
}

func (a *act) needsUnchallenged(land, vassal string) *rules.Ruling {
	if d := a.challenged(land, vassal, vassalage); d != nil {
		return no("HL-44", "service", rules.Data{"nick": vassal, "duel": d.ID, "land": land})
	}
	return nil
}

// mayEnter looks whether a voluntary vassalage may be agreed on or announced.
func (a *act) mayEnter(land, lord, vassal string) *rules.Ruling {
	return first(
		a.needsFree(land, vassal),
		a.needsNoClan(vassal),
		a.needsUnchallenged(land, vassal),
		a.needsCount(land, lord),
		a.needsLower(land, lord, vassal),
		a.needsPlace(land, lord, vassal),
	)
}

// raceContinent returns the continent of a race, "" when unknown.
func (s *State) raceContinent(race string) string {
	if c, ok := s.Races[race]; ok {
		return c
	}
	return race
}

// notOneself refuses an order to oneself (HL-83).
func (a *act) notOneself(nick string) *rules.Ruling {
	if nick == a.me {
		return no("HL-83", "", nil)
	}
	return nil
}

// notPosted refuses in a post what belongs in a mail (HL-03).
func (a *act) notPosted() *rules.Ruling {
	if a.Via == "post" {
		return no("HL-03", "post", nil)
	}
	return nil
}

// offer returns the open offer of a vassalage, nil when there is none.
func (s *State) offer(land, lord, vassal string) *Offer {
	for _, f := range s.Offers {
		if f.Land == land && f.Suzerain == lord && f.Vassal == vassal {
			return f
		}
	}
	return nil
}

// offerWith returns the open offer between the writer and someone, whoever would be whose vassal; the one that the
// writer has still to answer first.
func (a *act) offerWith(land, nick string) *Offer {
	one, two := a.offer(land, nick, a.me), a.offer(land, a.me, nick)
	if one == nil || two != nil && slices.Contains(one.Consents, a.me) {
		return two
	}
	return one
}

// dropOffers ends the open offers of which something holds.
func (s *State) dropOffers(of func(*Offer) bool) {
	s.Offers = slices.DeleteFunc(s.Offers, func(f *Offer) bool {
		if !of(f) {
			return false
		}
		s.cancel(offerTimer(f))
		return true
	})
}

// offerData says in an event which offer it is about, and what else is to be told.
func offerData(f *Offer, more rules.Data) rules.Data {
	data := rules.Data{"land": f.Land, "suzerain": f.Suzerain, "vassal": f.Vassal}
	maps.Copy(data, more)
	return data
}

// other returns the other one of a pair.
func other(me, one, two string) string {
	if me == one {
		return two
	}
	return one
}

// consent gives the writer's consent to a vassalage, opening the offer or completing it.
func (a *act) consent(land, lord, vassal string) (string, *rules.Ruling) {
	f := a.offer(land, lord, vassal)
	if r := first(a.notPosted(), a.mayConsent(f, land, lord, vassal)); r != nil {
		return "", r
	}
	if f != nil {
		f.Consents = append(f.Consents, a.me)
		a.say("vassalage-agreed", "HL-03", a.only(lord, vassal), offerData(f, rules.Data{"by": a.me, "lapses": f.Lapses}))
		return "HL-03", nil
	}
	f = &Offer{Land: land, Suzerain: lord, Vassal: vassal, Consents: []string{a.me},
		Lapses: a.At.UTC().Add(day * time.Duration(a.Settings.OfferDays))}
	a.Offers = append(a.Offers, f)
	a.schedule(offerTimer(f))
	a.say("vassalage-offered", "HL-03", a.only(other(a.me, lord, vassal)), offerData(f, rules.Data{"by": a.me, "lapses": f.Lapses}))
	return "HL-03", nil
}

// mayConsent looks whether the writer may consent to a vassalage, of which there may be an offer already.
func (a *act) mayConsent(f *Offer, land, lord, vassal string) *rules.Ruling {
	return first(a.notServing(land, lord, vassal), a.notConsented(f), a.mayEnter(land, lord, vassal))
}

// mayAnnounce looks whether the writer may announce a vassalage that he has an offer of.
func (a *act) mayAnnounce(f *Offer) *rules.Ruling {
	return first(a.notAnnounced(f), a.mayEnter(f.Land, f.Suzerain, f.Vassal))
}

// notServing refuses consent to a vassalage that there is already (HL-88).
func (a *act) notServing(land, lord, vassal string) *rules.Ruling {
	if a.suzerain(land, vassal) == lord {
		return no("HL-88", "serves", rules.Data{"nick": vassal, "land": land, "suzerain": lord})
	}
	return nil
}

// notConsented refuses to consent again (HL-88).
func (a *act) notConsented(f *Offer) *rules.Ruling {
	switch {
	case f == nil || !slices.Contains(f.Consents, a.me):
		return nil
	case len(f.Consents) == 2:
		return no("HL-88", "agreed", rules.Data{"nick": other(a.me, f.Suzerain, f.Vassal), "land": f.Land})
	}
	return no("HL-88", "consent", rules.Data{"nick": other(a.me, f.Suzerain, f.Vassal), "land": f.Land})
}

// notAnnounced refuses to announce again (HL-88).
func (a *act) notAnnounced(f *Offer) *rules.Ruling {
	if !slices.Contains(f.Announced, a.me) {
		return nil
	}
	return no("HL-88", "announced", rules.Data{"nick": other(a.me, f.Suzerain, f.Vassal), "land": f.Land})
}

func serve(a *act, o orders.Order) (string, *rules.Ruling) {
	lord := o.ID("nick")
	land, r := a.namedLand(o)
	if r = first(r, a.notOneself(lord)); r != nil {
		return "", r
	}
	return a.consent(land, lord, a.me)
}

func invite(a *act, o orders.Order) (string, *rules.Ruling) {
	vassal := o.ID("nick")
	land, r := a.namedLand(o)
	if r = first(r, a.notOneself(vassal)); r != nil {
		return "", r
	}
	return a.consent(land, a.me, vassal)
}

// landOfOffer finds the Land of an order about an offer with someone.
func (a *act) landOfOffer(o orders.Order) (string, *rules.Ruling) {
	return a.land(o, func(land string) bool { return a.offerWith(land, o.ID("nick")) != nil })
}

func noOffer(land, nick string) *rules.Ruling {
	return no("HL-82", "offer", rules.Data{"nick": nick, "land": land})
}

func acceptVassalage(a *act, o orders.Order) (string, *rules.Ruling) {
	nick := o.ID("nick")
	land, r := a.landOfOffer(o)
	if r = first(r, a.notOneself(nick)); r != nil {
		return "", r
	}
	f := a.offerWith(land, nick)
	if f == nil {
		return "", noOffer(land, nick)
	}
	return a.consent(land, f.Suzerain, f.Vassal)
}

func declineVassalage(a *act, o orders.Order) (string, *rules.Ruling) {
	nick := o.ID("nick")
	land, r := a.landOfOffer(o)
	if r = first(r, a.notOneself(nick)); r != nil {
		return "", r
	}
	f := a.offerWith(land, nick)
	if f == nil {
		return "", noOffer(land, nick)
	}
	if r := a.notPosted(); r != nil {
		return "", r
	}
	a.dropOffers(func(x *Offer) bool { return x == f })
	a.say("vassalage-declined", "HL-03", a.only(nick), offerData(f, rules.Data{"by": a.me}))
	return "HL-03", nil
}

func announceVassalage(a *act, o orders.Order) (string, *rules.Ruling) {
	nick := o.ID("nick")
	land, r := a.landOfOffer(o)
	if r = first(r, a.notOneself(nick)); r != nil {
		return "", r
	}
	f := a.offerWith(land, nick)
	if f == nil || len(f.Consents) < 2 {
		return "", no("HL-03", "consents", rules.Data{"nick": nick, "land": land})
	}
	if r := a.mayAnnounce(f); r != nil {
		return "", r
	}
	f.Announced = append(f.Announced, a.me)
	a.say("vassalage-announced", "HL-03", a.tavern(nick), offerData(f, rules.Data{"by": a.me, "second": len(f.Announced) == 2}))
	if len(f.Announced) == 2 {
		a.dropOffers(func(x *Offer) bool { return x.Land == land && x.Vassal == f.Vassal })
		a.bind(land, f.Suzerain, f.Vassal, "voluntary", "HL-03")
	}
	return "HL-03", nil
}

// landOfVassals finds the Land in which all whom an order names serve the writer.
func (a *act) landOfVassals(o orders.Order) (string, *rules.Ruling) {
	return a.land(o, func(land string) bool {
		return !slices.ContainsFunc(o.IDs("nick"), func(v string) bool { return a.suzerain(land, v) != a.me })
	})
}

func release(a *act, o orders.Order) (string, *rules.Ruling) {
	vassals := o.IDs("nick")
	land, r := a.landOfVassals(o)
	if r = first(r, a.mayRelease(land, vassals)); r != nil {
		return "", r
	}
	reason := "released"
	if len(a.in(land, a.me).Windows) > 0 {
		reason = "rank-lost"
	}
	for _, v := range vassals {
		a.free(land, v, reason)
	}
	return freed[reason], nil
}

// mayRelease looks whether all named are the writer's vassals, each named once (HL-25), and none his vassal's (HL-80).
func (a *act) mayRelease(land string, vassals []string) *rules.Ruling {
	if land == "" {
		return nil
	}
	for _, v := range vassals {
		if l := a.suzerain(land, v); l != "" && l != a.me && a.suzerain(land, l) == a.me {
			return no("HL-80", "release", rules.Data{"nick": v, "suzerain": l})
		}
	}
	for i, v := range vassals {
		if a.suzerain(land, v) != a.me {
			return no("HL-25", "stranger", rules.Data{"nick": v, "land": land})
		}
		if slices.Contains(vassals[:i], v) {
			return no("HL-25", "twice", rules.Data{"nick": v})
		}
	}
	return nil
}

// servesIn tells whether the writer serves the lord whom an order names, or any if it names none.
func (a *act) servesIn(land string, o orders.Order) bool {
	l := a.suzerain(land, a.me)
	return l != "" && (!o.Has("nick") || l == o.ID("nick"))
}

// landOfService finds the Land in which the writer serves.
func (a *act) landOfService(o orders.Order) (string, *rules.Ruling) {
	return a.land(o, func(land string) bool { return a.servesIn(land, o) })
}

func becomeIndependent(a *act, o orders.Order) (string, *rules.Ruling) {
	land, r := a.landOfService(o)
	if r != nil {
		return "", r
	}
	if !a.servesIn(land, o) {
		return "", no("HL-82", "vassalage", rules.Data{"land": land, "nick": orNull(o.ID("nick"))})
	}
	st := a.in(land, a.me)
	if lr := a.in(land, st.Suzerain).Rank; st.Rank != lr {
		return "", no("HL-28", "", rules.Data{
			"suzerain": st.Suzerain, "rank": st.Rank.String(), "suzerain_rank": lr.String()})
	}
	a.free(land, a.me, "equal-rank")
	return "HL-28", nil
}

// overrideVassal makes someone a vassal by the Magistrate's word, whatever else the rules say (HL-30).
func overrideVassal(a *act, o orders.Order) (string, *rules.Ruling) {
	vassal, lord := o.ID("nick"), o.ID("lord")
	land, r := a.namedLand(o)
	if r != nil {
		return "", r
	}
	if vassal == lord {
		return "", no("HL-83", "override", rules.Data{"nick": vassal})
	}
	vs, ls := a.in(land, vassal), a.in(land, lord)
	if vs.Rank == Landless {
		return "", no("HL-02", "landless", rules.Data{"nick": vassal, "land": land})
	}
	if vs.Rank > ls.Rank {
		return "", no("HL-02", "higher", rules.Data{
			"nick": vassal, "rank": vs.Rank.String(), "suzerain": lord, "suzerain_rank": ls.Rank.String()})
	}
	for l := ls.Suzerain; l != ""; l = a.suzerain(land, l) {
		if l == vassal {
			return "", no("HL-80", "override", rules.Data{"nick": vassal, "suzerain": lord})
		}
	}
	if vs.Suzerain != "" {
		a.free(land, vassal, "override")
	}
	a.bind(land, lord, vassal, "override", "HL-30")
	return "HL-30", nil
}

func overrideFree(a *act, o orders.Order) (string, *rules.Ruling) {
	nick := o.ID("nick")
	land, r := a.namedLand(o)
	if r != nil {
		return "", r
	}
	if a.suzerain(land, nick) == "" {
		return "", no("HL-82", "not-vassal", rules.Data{"nick": nick, "land": land})
	}
	a.free(land, nick, "override")
	return "HL-30", nil
}

var vassalageForms = []form{
	{do: serve, asks: asking((*act).namedLand), Form: orders.Form{ID: "serve", Rule: "HL-03", Who: forPlayer, Say: say{
		"en": {"SERVE <nick> $L", "OFFER VASSALAGE TO <nick> $L"},
		"ru": {"СЛУЖИТЬ <nick> $L", "ПРЕДЛОЖИТЬ ВАССАЛИТЕТ <nick> $L"},
	}, Help: help{
		"en": "You consent to become this lord's vassal; only he is told.",
		"ru": "Вы согласны стать вассалом этого лорда; узнает об этом только он.",
	}}},
	{do: invite, asks: asking((*act).namedLand), Form: orders.Form{ID: "invite", Rule: "HL-03", Who: forPlayer, Say: say{
		"en": {"INVITE <nick> $L", "TAKE <nick> AS VASSAL $L"},
		"ru": {"ПРИГЛАСИТЬ <nick> $L", "ВЗЯТЬ <nick> В ВАССАЛЫ $L"},
	}, Help: help{
		"en": "You consent to take this lord as your vassal; only he is told.",
		"ru": "Вы согласны взять этого лорда в вассалы; узнает об этом только он.",
	}}},
	{do: acceptVassalage, asks: asking((*act).landOfOffer), Form: orders.Form{ID: "accept-vassalage", Rule: "HL-03", Who: forPlayer, Say: say{
		"en": {"ACCEPT VASSALAGE WITH <nick> $L"},
		"ru": {"ПРИНЯТЬ ВАССАЛИТЕТ С <nick> $L"},
	}, Help: help{
		"en": "You consent to the vassalage that the other has offered.",
		"ru": "Вы соглашаетесь на предложенный вам вассалитет.",
	}}},
	{do: declineVassalage, asks: asking((*act).landOfOffer), Form: orders.Form{ID: "decline-vassalage", Rule: "HL-03", Who: forPlayer, Say: say{
		"en": {"DECLINE VASSALAGE WITH <nick> $L"},
		"ru": {"ОТКЛОНИТЬ ВАССАЛИТЕТ С <nick> $L"},
	}, Help: help{
		"en": "You end an offer of vassalage, whoever of the two made it.",
		"ru": "Вы отказываетесь от вассалитета, кто бы из двоих его ни предложил.",
	}}},
	{do: announceVassalage, asks: asking((*act).landOfOffer), Form: orders.Form{ID: "announce-vassalage", Rule: "HL-03", Who: forPlayer, Say: say{
		"en": {"ANNOUNCE VASSALAGE WITH <nick> $L"},
		"ru": {"ОБЪЯВИТЬ ВАССАЛИТЕТ С <nick> $L"},
	}, Help: help{
		"en": "You announce an agreed vassalage in the Tavern; it begins when both of you have.",
		"ru": "Вы объявляете в Таверне о согласованном вассалитете; он начнётся, когда объявят оба.",
	}}},
	{do: release, asks: asking((*act).landOfVassals), Form: orders.Form{ID: "release", Rule: "HL-25", Who: forPlayer, Say: say{
		"en": {"RELEASE <nick>,* $L"},
		"ru": {"ОТПУСТИТЬ <nick>,* $L"},
	}, Help: help{
		"en": "You release vassals of yours.",
		"ru": "Вы отпускаете своих вассалов.",
	}}},
	{do: becomeIndependent, asks: asking((*act).landOfService), Form: orders.Form{ID: "independence", Rule: "HL-28", Who: forPlayer, Say: say{
		"en": {"INDEPENDENCE [FROM <nick>] $L"},
		"ru": {"НЕЗАВИСИМОСТЬ [ОТ <nick>] $L"},
	}, Help: help{
		"en": "You leave your suzerain, if he is of your own rank.",
		"ru": "Вы уходите от сюзерена, равного вам титулом.",
	}}},
	{do: overrideVassal, asks: asking((*act).namedLand), Form: orders.Form{ID: "override-vassal", Rule: "HL-30", Who: forGM, Say: say{
		"en": {"OVERRIDE VASSAL <nick> OF <lord:nick> $L"},
		"ru": {"РЕШЕНИЕ ВАССАЛ <nick> У <lord:nick> $L"},
	}, Help: help{
		"en": "Makes someone a vassal, whatever else the rules say.",
		"ru": "Делает игрока вассалом, что бы ни говорили остальные правила.",
	}}},
	{do: overrideFree, asks: asking((*act).namedLand), Form: orders.Form{ID: "override-free", Rule: "HL-30", Who: forGM, Say: say{
		"en": {"OVERRIDE FREE <nick> $L"},
		"ru": {"РЕШЕНИЕ СВОБОДЕН <nick> $L"},
	}, Help: help{
		"en": "Frees a vassal, whatever the rules say.",
		"ru": "Освобождает вассала, что бы ни говорили правила.",
	}}},
}
