package heroeslands

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// Vassal duels (HL-31 to HL-46): challenged, postponed, fed with property, closed with a result, or ended without one.

// The amounts of duels, in @.
const (
	vassalageFine    = 1000 // half to the rival, half to the treasury (HL-36)
	independenceFine = 500  // to the suzerain (HL-41)
)

// halfYear is the length of immunities and bars, in months.
const halfYear = 6

// mostItems is how many items of a kind go into one duel (HL-37), mostLevel up to which level.
var mostItems = map[string]int{"mine": 3, "artifact": 1, "unit": 5}

const mostLevel = 2

// vassalKinds are the purposes of vassal duels.
var vassalKinds = []string{vassalage, independence}

func challenge(a *act, o orders.Order) (string, *rules.Ruling) {
	lord := o.ID("lord")
	land, r := a.namedLand(o)
	if r = first(r, a.notOneself(lord)); r != nil {
		return "", r
	}
	if !o.Is(vassalage) && a.suzerain(land, a.me) == lord {
		return a.challengeSuzerain(land, lord)
	}
	return a.challengeLord(land, lord, o.ID("stake"))
}

// landUnder finds the Land in which the writer serves the lord whom an order names.
func (a *act) landUnder(o orders.Order) (string, *rules.Ruling) {
	return a.land(o, func(land string) bool { return a.suzerain(land, a.me) == o.ID("lord") })
}

func challengeForIndependence(a *act, o orders.Order) (string, *rules.Ruling) {
	lord := o.ID("lord")
	land, r := a.landUnder(o)
	if r = first(r, a.notOneself(lord)); r != nil {
		return "", r
	}
	return a.challengeSuzerain(land, lord)
}

// challengeLord opens a duel for vassalage.
func (a *act) challengeLord(land, lord, stake string) (string, *rules.Ruling) {
	if r := a.mayChallengeLord(land, lord, stake); r != nil {
		return "", r
	}
	d := a.openDuel(vassalage, land, lord)
	if a.Settings.DuelCover {
		d.Cover = vassalageFine
		a.hold(d)
	}
	return "HL-32", nil
}

// challengeSuzerain opens a duel for independence.
func (a *act) challengeSuzerain(land, lord string) (string, *rules.Ruling) {
	if r := a.mayChallengeSuzerain(land, lord); r != nil {
		return "", r
	}
	a.openDuel(independence, land, lord)
	return "HL-40", nil
}

// mayChallengeLord looks whether the writer may challenge a lord for vassalage, the stake being the one named, if any.
func (a *act) mayChallengeLord(land, lord, stake string) *rules.Ruling {
	return first(
		a.notAtWar(land, a.me, lord),
		a.stakesNoThird(lord, stake),
		a.needsFree(land, lord),
		a.notInClan(lord),
		a.ranksAllow(land, lord),
		a.notInOffice(lord),
		a.notImmune(land, lord),
		a.notChallenged(land, lord),
		a.needsPlace(land, a.me, lord),
		a.hasCover(),
	)
}

// mayChallengeSuzerain looks whether the writer may challenge a lord for independence.
func (a *act) mayChallengeSuzerain(land, lord string) *rules.Ruling {
	return first(
		a.notAtWar(land, a.me, lord),
		a.isSuzerain(land, lord),
		a.notInOffice(lord),
		a.notBarred(land),
		a.notChallenged(land, lord),
	)
}

// The rules about challenges, a function each; nil when the rule allows it.

func (a *act) stakesNoThird(lord, stake string) *rules.Ruling {
	if stake != "" && stake != lord {
		return no("HL-45", "", rules.Data{"nick": stake, "target": lord})
	}
	return nil
}

func (a *act) notInClan(lord string) *rules.Ruling {
	if clan := a.Inhabitants[lord].Clan; clan != "" {
		return no("HL-32", "", rules.Data{"nick": lord, "clan": clan})
	}
	return nil
}

func (a *act) ranksAllow(land, lord string) *rules.Ruling {
	own, his := a.in(land, a.me).Rank, a.in(land, lord).Rank
	switch {
	case len(challenges[own]) == 0:
		return no("HL-33", "challenger", rules.Data{"rank": own.String(), "land": land})
	case his == Landless:
		return no("HL-33", "landless", rules.Data{"nick": lord, "land": land})
	case !mayChallenge(own, his):
		var allowed []string
		for _, r := range challenges[own] {
			allowed = append(allowed, r.String())
		}
		return no("HL-33", "pair", rules.Data{
			"nick": lord, "rank": his.String(), "own_rank": own.String(), "allowed": allowed})
	}
	return nil
}

func (a *act) notInOffice(lord string) *rules.Ruling {
	held := a.Inhabitants[lord].Offices
	for _, office := range offices {
		if term, ok := held[office]; ok {
			return no("HL-46", "", rules.Data{"nick": lord, "office": office, "until": instant(term.Until)})
		}
	}
	return nil
}

func (a *act) notImmune(land, lord string) *rules.Ruling {
	if im := a.in(land, lord).Immunity; im != nil {
		return no("HL-38", "", rules.Data{"nick": lord, "land": land, "until": im.Until})
	}
	return nil
}

func (a *act) notChallenged(land, lord string) *rules.Ruling {
	if d := a.challenged(land, lord, vassalKinds...); d != nil {
		return no("HL-44", "challenge", rules.Data{"nick": lord, "duel": d.ID, "land": land})
	}
	return nil
}

func (a *act) hasCover() *rules.Ruling {
	if gold := a.Inhabitants[a.me].Gold; a.Settings.DuelCover && gold < vassalageFine {
		return no("HL-36", "", rules.Data{"amount": vassalageFine, "gold": gold})
	}
	return nil
}

func (a *act) isSuzerain(land, lord string) *rules.Ruling {
	if a.suzerain(land, a.me) != lord {
		return no("HL-40", "suzerain", rules.Data{"nick": lord, "land": land})
	}
	return nil
}

func (a *act) notBarred(land string) *rules.Ruling {
	if bar := a.in(land, a.me).Bar; bar != nil {
		return no("HL-41", "", rules.Data{"until": *bar})
	}
	return nil
}

// openDuel opens a vassal duel of the writer's.
func (a *act) openDuel(kind, land, target string) *Duel {
	now := a.At.UTC()
	d := &Duel{ID: len(a.Duels) + 1, Kind: kind, Land: land, Initiator: a.me, Target: target, Status: open,
		Declared: now, Set: now, Due: now.Add(day * time.Duration(a.Settings.DuelDays))}
	a.Duels = append(a.Duels, d)
	a.schedule(duelTimer(d))
	a.say("duel-declared", "HL-42", a.tavern(target), duelData(d, rules.Data{"due": d.Due}))
	return d
}

// duelData says in an event which duel it is about, so that a text can name who fights whom; more is added to it.
func duelData(d *Duel, more rules.Data) rules.Data {
	data := rules.Data{"duel": d.ID, "kind": d.Kind, "land": d.Land, "initiator": d.Initiator, "target": d.Target}
	maps.Copy(data, more)
	return data
}

// endDuel takes a duel off the open ones; what is held for it stays to be dealt with.
func (a *act) endDuel(d *Duel, status string) {
	a.cancel(duelTimer(d))
	now := a.At.UTC()
	d.Status, d.Closed = status, &now
}

// ownVassalDuel finds the vassal duel that an order of one who fights in it means.
func (a *act) ownVassalDuel(o orders.Order) (*Duel, *rules.Ruling) {
	mine := func(d *Duel) bool {
		return d.Status == open && slices.Contains(vassalKinds, d.Kind) && (d.Target == a.me || d.Initiator == a.me)
	}
	if o.Has("duel") {
		d := a.duel(o.N("duel"))
		if d == nil || !mine(d) {
			return nil, no("HL-82", "duel", rules.Data{"duel": o.N("duel")})
		}
		return d, nil
	}
	if a.duels(func(d *Duel) bool { return mine(d) && d.Target == a.me }) != nil {
		return a.onlyDuel(func(d *Duel) bool { return mine(d) && d.Target == a.me })
	}
	return a.onlyDuel(mine)
}

// openDuelOf returns the open duel that an order of the Magistrate's names by its id.
func (a *act) openDuelOf(o orders.Order) (*Duel, *rules.Ruling) {
	d := a.duel(o.N("duel"))
	if d == nil || d.Status != open {
		return nil, no("HL-82", "not-open", rules.Data{"duel": o.N("duel")})
	}
	return d, nil
}

// onlyDuel returns the only duel of which something holds: with none it refuses, with several it asks back.
func (a *act) onlyDuel(of func(*Duel) bool) (*Duel, *rules.Ruling) {
	ds := a.duels(of)
	switch len(ds) {
	case 0:
		return nil, no("HL-82", "no-duel", nil)
	case 1:
		return ds[0], nil
	}
	var ids []string
	for _, d := range ds {
		ids = append(ids, strconv.Itoa(d.ID))
	}
	return nil, unclear("which-duel", rules.Data{"slot": "duel", "choices": ids})
}

// duels returns the duels of which something holds.
func (s *State) duels(of func(*Duel) bool) (ds []*Duel) {
	for _, d := range s.Duels {
		if of(d) {
			ds = append(ds, d)
		}
	}
	return ds
}

func postponeDuel(a *act, o orders.Order) (string, *rules.Ruling) {
	d, r := a.ownVassalDuel(o)
	if r != nil {
		return "", r
	}
	due, r := a.newDue(d, o)
	if r != nil {
		return "", r
	}
	a.cancel(duelTimer(d))
	d.Due, d.Set, d.Postponed, d.Reminded = due, a.At.UTC(), true, false
	a.schedule(duelTimer(d))
	a.say("duel-postponed", "HL-43", a.tavern(d.Initiator), duelData(d, rules.Data{"due": due, "by": a.me}))
	return "HL-43", nil
}

// newDue returns the instant to which the challenged moves a duel, or why he may not (HL-43).
func (a *act) newDue(d *Duel, o orders.Order) (time.Time, *rules.Ruling) {
	latest := addMonths(d.Due, a.Env.Zone, 1)
	var due time.Time
	switch n := o.N("days"); {
	case o.Has("date"):
		due = o.Arg("date").Date.In(a.Env.Zone, d.Due.In(a.Env.Zone)).UTC()
	case n < 1:
		due = d.Due
	case n > 366: // a month has fewer days, whatever the calendar
		due = latest.Add(day)
	default:
		due = d.Due.Add(day * time.Duration(n))
	}
	var r *rules.Ruling
	switch {
	case d.Initiator == a.me:
		r = no("HL-43", "initiator", rules.Data{"duel": d.ID})
	case d.Postponed:
		r = no("HL-43", "twice", rules.Data{"duel": d.ID})
	case d.Reminded: // the instant itself may be over and the duel not yet due, while the game is held
		r = no("HL-43", "late", rules.Data{"duel": d.ID, "due": d.Due})
	case !due.After(d.Due):
		r = no("HL-43", "earlier", rules.Data{"duel": d.ID, "due": d.Due})
	case due.After(latest):
		r = no("HL-43", "month", rules.Data{"duel": d.ID, "latest": latest})
	}
	return due, r
}

func insertIntoDuel(a *act, o orders.Order) (string, *rules.Ruling) {
	d, r := a.ownVassalDuel(o)
	if r != nil {
		return "", r
	}
	items := o.IDs("item")
	if r := first(a.takesProperty(d), a.withinLimits(d, items), a.ownFreeItems(items)); r != nil {
		return "", r
	}
	for _, i := range items {
		a.Items[i].Duel = d.ID
	}
	d.Property = union(d.Property, items)
	slices.Sort(items)
	a.say("property-inserted", "HL-37", a.gm(a.me), duelData(d, rules.Data{"items": items, "owner": a.me}))
	return "HL-37", nil
}

// takesProperty looks whether the writer may put property into a duel at all.
func (a *act) takesProperty(d *Duel) *rules.Ruling {
	switch {
	case d.Kind == independence:
		return no("HL-40", "property", rules.Data{"duel": d.ID})
	case d.Initiator == a.me:
		return no("HL-37", "initiator", rules.Data{"duel": d.ID})
	}
	return nil
}

// withinLimits looks at kinds and levels of what would be in a duel.
func (a *act) withinLimits(d *Duel, items []string) *rules.Ruling {
	switch why, item := a.overLimits(union(d.Property, items)); why {
	case "limit":
		return no("HL-37", "limit", rules.Data{"duel": d.ID})
	case "level":
		return no("HL-37", "level", rules.Data{"item": item, "level": a.Items[item].Level, "most": mostLevel})
	}
	return nil
}

// overLimits tells why there would be too much in a duel, or in a save of a war: too many items of a kind, or one of too
// high a level; "" when there would not.
func (s *State) overLimits(items []string) (why, item string) {
	count := map[string]int{}
	for _, name := range items {
		i := s.Items[name]
		if count[i.Kind]++; count[i.Kind] > mostItems[i.Kind] {
			return "limit", name
		}
		if i.Level > mostLevel {
			return "level", name
		}
	}
	return "", ""
}

// resultDuel closes a duel with the result that the Magistrate gives.
func resultDuel(a *act, o orders.Order) (string, *rules.Ruling) {
	d, r := a.duelWithResult(o)
	if r != nil {
		return "", r
	}
	winner := o.ID("winner")
	a.endDuel(d, closed)
	d.Result, d.Winner = drawn, winner
	switch winner {
	case d.Initiator:
		d.Result = byInitiator
	case d.fighter():
		d.Result = byTarget
	}
	switch d.Kind {
	case vassalage:
		a.closeVassalage(d)
	case independence:
		a.closeIndependence(d)
	case ordinary:
		a.closeOrdinary(d)
		return "HL-34", nil
	}
	return "HL-31", nil
}

// duelWithResult finds the open duel of a result; without an id the only one, with a winner the only one he fights in.
func (a *act) duelWithResult(o orders.Order) (*Duel, *rules.Ruling) {
	winner := o.ID("winner")
	fights := func(d *Duel) bool { return winner == "" || d.Initiator == winner || d.fighter() == winner }
	if !o.Has("duel") {
		return a.onlyDuel(func(d *Duel) bool { return d.Status == open && fights(d) })
	}
	d, r := a.openDuelOf(o)
	if r == nil && !fights(d) {
		r = no("HL-82", "fighter", rules.Data{"nick": winner, "duel": d.ID})
	}
	return d, r
}

// duelClosed tells of a result.
func (a *act) duelClosed(d *Duel, rule string, void bool) {
	var loser any
	if d.Winner != "" {
		loser = other(d.Winner, d.Initiator, d.fighter())
	}
	a.say("duel-closed", rule, a.tavern(d.Initiator, d.Target, d.StandIn), duelData(d, rules.Data{
		"result": d.Result, "winner": orNull(d.Winner), "loser": loser, "void": void}))
}

// closeVassalage does what the result of a duel for vassalage brings (HL-36 to HL-38).
func (a *act) closeVassalage(d *Duel) {
	if d.Result == byInitiator {
		void := first(
			a.needsCount(d.Land, d.Initiator),
			a.needsLower(d.Land, d.Initiator, d.Target),
			a.needsNoClan(d.Target),
			a.needsFree(d.Land, d.Target),
			a.needsPlace(d.Land, d.Initiator, d.Target),
		) != nil
		a.duelClosed(d, "HL-36", void)
		a.returnCover(d)
		if void {
			a.returnItems(d)
			return
		}
		a.bind(d.Land, d.Initiator, d.Target, "duel", "HL-36")
		for _, i := range d.Property {
			a.moveItem(i, d.Initiator, "duel", "HL-37", duelData(d, nil))
		}
		return
	}
	a.duelClosed(d, "HL-36", false)
	a.releaseCover(d)
	a.pay(d.Initiator, d.Target, vassalageFine/2, "fine", "HL-36", duelData(d, nil))
	a.pay(d.Initiator, magistrate, vassalageFine/2, "fine", "HL-36", duelData(d, nil))
	a.returnItems(d)
	a.upheld(d.Land, d.Target)
}

// closeIndependence does what the result of a duel for independence brings (HL-27, HL-38, HL-41).
func (a *act) closeIndependence(d *Duel) {
	a.duelClosed(d, "HL-41", false)
	if d.Result == byTarget {
		a.pay(d.Initiator, d.Target, independenceFine, "fine", "HL-41", duelData(d, nil))
		until := addMonths(a.At, a.Env.Zone, halfYear)
		a.in(d.Land, d.Initiator).Bar = &until
		a.schedule(barTimer(d.Land, d.Initiator, until))
		return
	}
	a.free(d.Land, d.Initiator, "duel")
	a.upheld(d.Land, d.Initiator)
}

// upheld makes one who upheld his independence immune for half a year (HL-38); a later end that he has already stays.
func (a *act) upheld(land, nick string) {
	until := addMonths(a.At, a.Env.Zone, halfYear)
	if im := a.in(land, nick).Immunity; im == nil || im.Until.Before(until) {
		a.setImmunity(land, nick, &Immunity{Until: until})
	}
}

// setImmunity makes someone immune, or with nil no longer so.
func (a *act) setImmunity(land, nick string, im *Immunity) {
	st := a.in(land, nick)
	old := st.Immunity
	st.Immunity = im
	if old != nil {
		a.cancel(immunityTimer(land, nick, old))
	}
	switch {
	case im != nil:
		a.schedule(immunityTimer(land, nick, im))
		a.say("immunity-begun", "HL-38", a.tavern(nick), rules.Data{"nick": nick, "land": land, "until": im.Until})
	case old != nil:
		a.say("immunity-ended", "HL-38", a.gm(nick), rules.Data{"nick": nick, "land": land, "until": old.Until})
	}
}

func annulDuel(a *act, o orders.Order) (string, *rules.Ruling) {
	d := a.duel(o.N("duel"))
	if d == nil || d.Status != open && d.Status != called {
		return "", no("HL-82", "not-open", rules.Data{"duel": o.N("duel")})
	}
	a.endDuel(d, annulled)
	a.say("duel-annulled", "HL-30", a.tavern(d.Initiator, d.Target), duelData(d, nil))
	a.returnCover(d)
	a.returnItems(d)
	return "HL-30", nil
}

func overrideImmunity(a *act, o orders.Order) (string, *rules.Ruling) {
	land, r := a.namedLand(o)
	if r != nil {
		return "", r
	}
	until, r := a.until(o)
	switch {
	case r != nil:
		return "", r
	case until == nil:
		a.setImmunity(land, o.ID("nick"), nil)
	default:
		a.setImmunity(land, o.ID("nick"), &Immunity{Until: *until, Named: true})
	}
	return "HL-38", nil
}

// immunityAsks asks for the Land, then for another date.
func immunityAsks(a *act, o orders.Order) *rules.Ruling {
	return first(asking((*act).namedLand)(a, o), asking((*act).until)(a, o))
}

var duelForms = []form{
	{do: challenge, asks: asking((*act).namedLand), Form: orders.Form{ID: "challenge", Rule: "HL-32", Who: forPlayer, Say: say{
		"en": {"CHALLENGE <lord:nick> $L [FOR VASSALAGE#vassalage [OF <stake:nick>]]"},
		"ru": {"ВЫЗВАТЬ|ВЫЗОВ <lord:nick> $L [ЗА ВАССАЛИТЕТ#vassalage [<stake:nick>]]"},
	}, Help: help{
		"en": "You challenge a lord: if you win, he becomes your vassal; otherwise you pay 1000 @. Your own suzerain you challenge for your independence.",
		"ru": "Вы вызываете лорда на дуэль: победите — он станет вашим вассалом, иначе заплатите 1000 @. Своего сюзерена вы вызываете за независимость.",
	}}},
	{do: challengeForIndependence, asks: asking((*act).landUnder), Form: orders.Form{ID: "challenge-independence", Rule: "HL-40", Who: forPlayer, Say: say{
		"en": {"CHALLENGE <lord:nick> $L FOR INDEPENDENCE"},
		"ru": {"ВЫЗВАТЬ|ВЫЗОВ <lord:nick> $L ЗА НЕЗАВИСИМОСТЬ"},
	}, Help: help{
		"en": "You challenge your suzerain: a victory or a draw makes you free, a defeat costs 500 @.",
		"ru": "Вы вызываете своего сюзерена: победа или ничья освободит вас, поражение стоит 500 @.",
	}}},
	{do: postponeDuel, asks: asking((*act).ownVassalDuel), Form: orders.Form{ID: "postpone-duel", Rule: "HL-43", Who: forPlayer, Say: say{
		"en": {"POSTPONE DUEL [<duel:number>] TO <date>", "POSTPONE DUEL [<duel:number>] BY <days:number> DAYS"},
		"ru": {"ОТЛОЖИТЬ ДУЭЛЬ [<duel:number>] ДО <date>", "ОТЛОЖИТЬ ДУЭЛЬ [<duel:number>] НА <days:number> ДНЕЙ"},
	}, Help: help{
		"en": "If you are the one challenged, you may put the duel off once, by a calendar month at most.",
		"ru": "Если вызвали вас, вы можете один раз отложить дуэль, не больше чем на календарный месяц.",
	}}},
	{do: insertIntoDuel, asks: asking((*act).ownVassalDuel), Form: orders.Form{ID: "insert-duel", Rule: "HL-37", Who: forPlayer, Say: say{
		"en": {"INSERT <item>,* INTO DUEL [<duel:number>]"},
		"ru": {"ВСТАВИТЬ <item>,* В ДУЭЛЬ [<duel:number>]"},
	}, Help: help{
		"en": "If you are challenged for vassalage, you may have property of yours put into your starting save.",
		"ru": "Если вас вызвали за вассалитет, вы можете вложить своё имущество в стартовый сейв.",
	}}},
	{do: resultDuel, asks: asking((*act).duelWithResult), Form: orders.Form{ID: "result-duel", Rule: "HL-31", Who: forGM, Say: say{
		"en": {"RESULT DUEL [<duel:number>] WINNER <winner:nick>", "RESULT DUEL [<duel:number>] DRAW"},
		"ru": {"ИТОГ ДУЭЛИ [<duel:number>] ПОБЕДА <winner:nick>", "ИТОГ ДУЭЛИ [<duel:number>] НИЧЬЯ"},
	}, Help: help{
		"en": "Closes a duel with its result.",
		"ru": "Закрывает дуэль с её итогом.",
	}}},
	{do: annulDuel, Form: orders.Form{ID: "annul-duel", Rule: "HL-30", Who: forGM, Say: say{
		"en": {"ANNUL DUEL <duel:number>"},
		"ru": {"ОТМЕНИТЬ ДУЭЛЬ <duel:number>"},
	}, Help: help{
		"en": "Ends a duel as if nobody had been challenged; what is held for it is returned.",
		"ru": "Отменяет дуэль, как будто её не было; всё, что для неё удержано, возвращается.",
	}}},
	{do: overrideImmunity, asks: immunityAsks, Form: orders.Form{ID: "override-immunity", Rule: "HL-38", Who: forGM, Say: say{
		"en": {"OVERRIDE IMMUNITY <nick> $L UNTIL <date>", "OVERRIDE IMMUNITY <nick> $L NONE"},
		"ru": {"РЕШЕНИЕ ЗАЩИТА <nick> $L ДО <date>", "РЕШЕНИЕ ЗАЩИТА <nick> $L НЕТ"},
	}, Help: help{
		"en": "Sets until when someone cannot be challenged for vassalage.",
		"ru": "Устанавливает, до какого времени игрока нельзя вызвать за вассалитет.",
	}}},
}
