package heroeslands

import (
	"slices"
	"strconv"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// Ordinary duels (HL-15, HL-16, HL-19, HL-20, HL-34): called, taken up by the one called out or by his suzerain, declined.

// fighter returns who fights for the side that was challenged or called out: his suzerain when he stood in.
func (d *Duel) fighter() string {
	if d.StandIn != "" {
		return d.StandIn
	}
	return d.Target
}

// data shows a stake in events.
func (st *Stake) data() rules.Data {
	return rules.Data{"initiator_feud": orNull(st.InitiatorFeud), "target_feud": orNull(st.TargetFeud),
		"stand_in_feud": orNull(st.StandInFeud), "gold": st.Gold}
}

func callOut(a *act, o orders.Order) (string, *rules.Ruling) {
	target, stake := o.ID("nick"), &Stake{InitiatorFeud: o.ID("mine"), TargetFeud: o.ID("his"), Gold: o.N("amount")}
	land, r := a.namedLand(o)
	if r == nil && o.Has("amount") {
		r = bounded(stake.Gold, 1, mostAmount)
	}
	if r = first(r, a.notOneself(target)); r != nil {
		return "", r
	}
	if r := first(a.notAtWar(land, a.me, target), a.ownsFeud(land, a.me, stake.InitiatorFeud), a.ownsFeud(land, target, stake.TargetFeud), a.canPay(stake.Gold)); r != nil {
		return "", r
	}
	now := a.At.UTC()
	d := &Duel{ID: len(a.Duels) + 1, Kind: ordinary, Land: land, Initiator: a.me, Target: target, Status: called,
		Declared: now, Set: now, Due: now.Add(day * time.Duration(a.Settings.CalloutDays)), Stake: stake}
	a.Duels = append(a.Duels, d)
	a.schedule(duelTimer(d))
	a.say("duel-called", "HL-34", a.tavern(target, a.suzerain(land, target)), duelData(d, rules.Data{"stake": stake.data(), "due": d.Due}))
	return "HL-34", nil
}

// ownsFeud looks whether a feud, if one is named, is somebody's (HL-86).
func (a *act) ownsFeud(land, nick, feud string) *rules.Ruling {
	switch {
	case feud == "" || a.owner(land, feud) == nick:
		return nil
	case nick == a.me:
		return no("HL-86", "feud-not-yours", rules.Data{"feud": feud, "land": land})
	}
	return no("HL-86", "feud-not-his", rules.Data{"feud": feud, "land": land, "nick": nick})
}

// calledDuel finds the called duel that an order means: the one it names if its writer has to do with it, else the only one
// against somebody.
func (a *act) calledDuel(o orders.Order, against string) (*Duel, *rules.Ruling) {
	if !o.Has("duel") {
		return a.onlyDuel(func(d *Duel) bool { return d.Status == called && d.Target == against })
	}
	d := a.duel(o.N("duel"))
	if d == nil || d.Status != called || d.Target != against {
		return nil, no("HL-82", "call", rules.Data{"duel": o.N("duel")})
	}
	return d, nil
}

// answeredDuel finds the called duel that one who takes it up or declines it means. The initiator can do neither (HL-34).
func (a *act) answeredDuel(o orders.Order) (*Duel, *rules.Ruling) {
	if d := a.duel(o.N("duel")); o.Has("duel") && d != nil && d.Status == called && d.Initiator == a.me {
		return nil, no("HL-34", "", rules.Data{"duel": d.ID, "target": d.Target})
	}
	return a.calledDuel(o, a.me)
}

func acceptDuel(a *act, o orders.Order) (string, *rules.Ruling) {
	d, r := a.answeredDuel(o)
	if r != nil {
		return "", r
	}
	if r := first(a.notAtWar(d.Land, a.me), a.ownsFeud(d.Land, a.me, d.Stake.TargetFeud), a.canPay(d.Stake.Gold)); r != nil {
		return "", r
	}
	a.takeUp(d)
	a.say("duel-accepted", "HL-34", a.tavern(d.Initiator), duelData(d, rules.Data{"by": a.me, "due": d.Due}))
	return "HL-34", nil
}

// takeUp opens a duel that was called.
func (a *act) takeUp(d *Duel) {
	a.cancel(duelTimer(d))
	d.Status, d.Set, d.Due = open, a.At.UTC(), a.At.UTC().Add(day*time.Duration(a.Settings.DuelDays))
	a.schedule(duelTimer(d))
}

func declineDuel(a *act, o orders.Order) (string, *rules.Ruling) {
	d, r := a.answeredDuel(o)
	if r != nil {
		return "", r
	}
	a.endDuel(d, declined)
	a.say("duel-declined", "HL-34", a.tavern(d.Initiator), duelData(d, rules.Data{"by": a.me}))
	return "HL-34", nil
}

// lapseCall ends a call that nobody took up.
func (a *act) lapseCall(d *Duel) {
	a.endDuel(d, lapsed)
	a.say("duel-lapsed", "HL-34", a.tavern(d.Initiator, d.Target), duelData(d, nil))
}

// callAgainst finds the called duel against the writer.
func (a *act) callAgainst(o orders.Order) (*Duel, *rules.Ruling) { return a.calledDuel(o, a.me) }

func askProtection(a *act, o orders.Order) (string, *rules.Ruling) {
	d, r := a.callAgainst(o)
	if r != nil {
		return "", r
	}
	lord := a.suzerain(d.Land, a.me)
	switch {
	case lord == "":
		return "", no("HL-19", "nobody", rules.Data{"land": d.Land})
	case lord == d.Initiator:
		return "", no("HL-19", "challenger", rules.Data{"suzerain": lord})
	case a.sameClan(lord, d.Initiator):
		return "", no("HL-19", "clan", rules.Data{"suzerain": lord, "initiator": d.Initiator, "clan": a.Inhabitants[lord].Clan})
	}
	a.say("protection-asked", "HL-19", a.only(lord), duelData(d, rules.Data{"suzerain": lord, "vassal": a.me}))
	return "HL-19", nil
}

func (a *act) sameClan(one, other string) bool {
	clan := a.Inhabitants[one].Clan
	return clan != "" && clan == a.Inhabitants[other].Clan
}

// callToVassal finds the called duel against a vassal whom an order names.
func (a *act) callToVassal(o orders.Order) (*Duel, *rules.Ruling) {
	return a.calledDuel(o, o.ID("vassal"))
}

func declineProtection(a *act, o orders.Order) (string, *rules.Ruling) {
	vassal := o.ID("vassal")
	d, r := a.callToVassal(o)
	if r = first(unclearOnly(r), a.notOneself(vassal), r); r != nil {
		return "", r
	}
	if a.suzerain(d.Land, vassal) != a.me {
		return "", no("HL-19", "stranger", rules.Data{"nick": vassal, "land": d.Land})
	}
	a.say("protection-declined", "HL-19", a.only(vassal), duelData(d, rules.Data{"suzerain": a.me, "vassal": vassal}))
	return "HL-19", nil
}

// unclearOnly returns a ruling if it asks back, which goes before every refusal.
func unclearOnly(r *rules.Ruling) *rules.Ruling {
	if r != nil && r.Verdict == orders.Unclear {
		return r
	}
	return nil
}

func standIn(a *act, o orders.Order) (string, *rules.Ruling) {
	vassal, feud := o.ID("vassal"), o.ID("feud")
	d, r := a.callToVassal(o)
	if r = first(unclearOnly(r), a.notOneself(vassal), r); r != nil {
		return "", r
	}
	if r := first(a.notAgainstOneself(d), a.mayStandIn(d), a.stakesFeud(d, feud), a.notAtWar(d.Land, a.me), a.canPay(d.Stake.Gold)); r != nil {
		return "", r
	}
	d.StandIn, d.Stake.StandInFeud = a.me, feud
	a.takeUp(d)
	a.say("duel-stood-in", "HL-15", a.tavern(d.Initiator, d.Target), duelData(d, rules.Data{
		"suzerain": a.me, "vassal": vassal, "stake": d.Stake.data(), "due": d.Due}))
	return "HL-15", nil
}

// notAgainstOneself refuses to stand in for somebody whom the writer called out himself (HL-83).
func (a *act) notAgainstOneself(d *Duel) *rules.Ruling {
	if d.Initiator == a.me {
		return no("HL-83", "stand-in", rules.Data{"nick": d.Target, "duel": d.ID})
	}
	return nil
}

// mayStandIn looks whether a called duel is against the writer's own vassal (HL-80, HL-15), and not from his clan (HL-15).
func (a *act) mayStandIn(d *Duel) *rules.Ruling {
	lord := a.suzerain(d.Land, d.Target)
	switch {
	case lord == a.me && a.sameClan(a.me, d.Initiator):
		return no("HL-15", "clan", rules.Data{"initiator": d.Initiator, "clan": a.Inhabitants[a.me].Clan})
	case lord == a.me:
		return nil
	case a.suzerain(d.Land, lord) == a.me:
		return no("HL-80", "protect", rules.Data{"nick": d.Target, "suzerain": lord})
	}
	return no("HL-15", "stranger", rules.Data{"nick": d.Target, "land": d.Land})
}

// stakesFeud looks whether one who stands in stakes a feud of his own where one is staked, and none where none is (HL-16).
func (a *act) stakesFeud(d *Duel, feud string) *rules.Ruling {
	switch staked := d.Stake.TargetFeud != ""; {
	case !staked && feud != "":
		return no("HL-16", "none", rules.Data{"duel": d.ID})
	case staked && feud == "":
		return no("HL-16", "", rules.Data{"duel": d.ID, "nick": d.Target, "land": d.Land})
	case staked && a.owner(d.Land, feud) != a.me:
		return no("HL-16", "foreign", rules.Data{"feud": feud, "land": d.Land})
	}
	return nil
}

// closeOrdinary does what the result of an ordinary duel brings: the loser gives his feud and the @ (HL-34); one who stood in
// wins the feud for himself and the @ for his vassal, and both are his loss (HL-16).
func (a *act) closeOrdinary(d *Duel) {
	rule := "HL-34"
	if d.StandIn != "" {
		rule = "HL-16"
	}
	a.duelClosed(d, rule, false)
	feud := d.Stake.TargetFeud
	if d.StandIn != "" {
		feud = d.Stake.StandInFeud
	}
	switch d.Result {
	case byInitiator:
		a.giveStake(d, rule, feud, d.fighter(), d.Initiator, d.Initiator)
	case byTarget:
		a.giveStake(d, rule, d.Stake.InitiatorFeud, d.Initiator, d.fighter(), d.Target)
	}
}

// giveStake passes the loser's stake on: his feud, if he still has it, to one, and the @, into debt if need be, to another.
func (a *act) giveStake(d *Duel, rule, feud, loser, winner, paid string) {
	switch {
	case feud == "":
	case a.owner(d.Land, feud) == loser:
		a.moveFeud(d.Land, feud, loser, winner, "stake", rule, duelData(d, nil))
	default:
		a.say("feud-missing", "HL-34", a.gm(), duelData(d, rules.Data{"from": loser, "to": winner, "feud": feud}))
	}
	if d.Stake.Gold > 0 {
		a.pay(loser, paid, d.Stake.Gold, "stake", rule, duelData(d, nil))
	}
}

func askPlaythrough(a *act, o orders.Order) (string, *rules.Ruling) {
	land, r := a.landOfService(o)
	if r != nil {
		return "", r
	}
	lord := a.suzerain(land, a.me)
	if lord == "" {
		return "", no("HL-20", "nobody", rules.Data{"land": land})
	}
	t := a.latestTourney(land)
	if t == nil {
		return "", no("HL-20", "tourney", rules.Data{"land": land})
	}
	a.say("playthrough-asked", "HL-20", a.only(lord), rules.Data{"land": land, "tourney": t.Name, "vassal": a.me})
	return "HL-20", nil
}

// latestTourney returns the tourney of a Land that was closed last, nil when none was.
func (s *State) latestTourney(land string) *Tourney {
	for _, t := range slices.Backward(s.Tourneys) {
		if t.Land == land {
			return t
		}
	}
	return nil
}

// callDeadline is that of a called duel: the one called out takes it up or declines it, or his suzerain stands in.
func (s *State) callDeadline(d *Duel) rules.Deadline {
	return rules.Deadline{At: d.Due, Kind: "call", Set: d.Set, Data: duelData(d, nil), Waits: seats(d.Target)}
}

// calls are the answers to duels that the viewer, or a vassal of his, was called out to.
func (o *offering) calls() {
	for _, d := range o.Duels {
		if d.Status != called {
			continue
		}
		id := strconv.Itoa(d.ID)
		switch lord := o.suzerain(d.Land, d.Target); {
		case d.Target == o.me:
			o.add("accept-duel", "duel", id)
			o.add("decline-duel", "duel", id)
			if lord != "" && lord != d.Initiator && !o.sameClan(lord, d.Initiator) {
				o.add("ask-protection", "duel", id)
			}
		case lord == o.me && d.Initiator != o.me && o.mayStandIn(d) == nil && d.Stake.TargetFeud == "":
			o.add("stand-in", "vassal", d.Target, "duel", id)
		case lord == o.me && d.Initiator != o.me && o.mayStandIn(d) == nil && len(o.in(d.Land, o.me).Feuds) > 0:
			o.add("stand-in", "vassal", d.Target, "duel", id, "feud", o.in(d.Land, o.me).Feuds[0])
		}
	}
}

var calloutReasons = []reason{
	{"HL-15", "clan", []string{"initiator", "clan"}},             // the writer is of the challenger's clan
	{"HL-15", "stranger", []string{"nick", "land"}},              // he is not the writer's vassal
	{"HL-16", "", []string{"duel", "nick", "land"}},              // a feud is staked, and the writer names none of his own
	{"HL-16", "foreign", []string{"feud", "land"}},               // the feud is not the writer's
	{"HL-16", "none", []string{"duel"}},                          // no feud is staked, and the writer names one
	{"HL-19", "nobody", []string{"land"}},                        // the writer has no suzerain
	{"HL-19", "challenger", []string{"suzerain"}},                // his suzerain is the challenger
	{"HL-19", "clan", []string{"suzerain", "initiator", "clan"}}, // his suzerain is of the challenger's clan
	{"HL-19", "stranger", []string{"nick", "land"}},              // he is not the writer's vassal
	{"HL-20", "nobody", []string{"land"}},                        // the writer has no suzerain
	{"HL-20", "tourney", []string{"land"}},                       // no tourney was closed
	{"HL-34", "", []string{"duel", "target"}},                    // the one called out alone takes it up or declines
	{"HL-80", "protect", []string{"nick", "suzerain"}},           // he is the writer's vassal's vassal
	{"HL-83", "stand-in", []string{"nick", "duel"}},              // the writer called him out
	{"HL-82", "call", []string{"duel"}},                          // no such called duel against the one it should be against
}

var calloutForms = []form{
	{do: callOut, asks: asking((*act).namedLand), Form: orders.Form{ID: "call-out", Rule: "HL-34", Who: forPlayer, Say: say{
		"en": {"CALL OUT <nick> $L FOR FEUD <mine:feud> AGAINST <his:feud> [AND <amount:number> @]", "CALL OUT <nick> $L FOR <amount:number> @"},
		"ru": {"ДУЭЛЬ С <nick> $L НА ФЕОД <mine:feud> ПРОТИВ <his:feud> [И <amount:number> @]", "ДУЭЛЬ С <nick> $L НА <amount:number> @"},
	}, Help: help{
		"en": "You call someone out to an ordinary duel: each of you stakes a feud, @, or both.",
		"ru": "Вы вызываете игрока на обычную дуэль: каждый ставит феод, @ или то и другое.",
	}}},
	{do: acceptDuel, asks: asking((*act).answeredDuel), Form: orders.Form{ID: "accept-duel", Rule: "HL-34", Who: forPlayer, Say: say{
		"en": {"ACCEPT DUEL [<duel:number>]"},
		"ru": {"ПРИНЯТЬ ДУЭЛЬ [<duel:number>]"},
	}, Help: help{
		"en": "You take up an ordinary duel that you are called out to.",
		"ru": "Вы принимаете обычную дуэль, на которую вас вызвали.",
	}}},
	{do: declineDuel, asks: asking((*act).answeredDuel), Form: orders.Form{ID: "decline-duel", Rule: "HL-34", Who: forPlayer, Say: say{
		"en": {"DECLINE DUEL [<duel:number>]"},
		"ru": {"ОТКЛОНИТЬ ДУЭЛЬ [<duel:number>]"},
	}, Help: help{
		"en": "You decline an ordinary duel that you are called out to.",
		"ru": "Вы отказываетесь от обычной дуэли, на которую вас вызвали.",
	}}},
	{do: askProtection, asks: asking((*act).callAgainst), Form: orders.Form{ID: "ask-protection", Rule: "HL-19", Who: forPlayer, Say: say{
		"en": {"ASK PROTECTION $D"},
		"ru": {"ПРОШУ ЗАЩИТЫ $D"},
	}, Help: help{
		"en": "You ask your suzerain to fight an ordinary duel for you; only he is told.",
		"ru": "Вы просите сюзерена сыграть обычную дуэль за вас; узнает об этом только он.",
	}}},
	{do: standIn, asks: asking((*act).callToVassal), Form: orders.Form{ID: "stand-in", Rule: "HL-15", Who: forPlayer, Say: say{
		"en": {"STAND IN FOR <vassal:nick> $D [WITH FEUD <feud>]"},
		"ru": {"ЗАСТУПИТЬСЯ ЗА <vassal:nick> $D [ФЕОДОМ <feud>]"},
	}, Help: help{
		"en": "You fight an ordinary duel for your vassal. Where a feud is staked, you stake one of yours.",
		"ru": "Вы играете обычную дуэль за своего вассала. Если в ней поставлен феод, вы ставите свой.",
	}}},
	{do: declineProtection, asks: asking((*act).callToVassal), Form: orders.Form{ID: "decline-protection", Rule: "HL-19", Who: forPlayer, Say: say{
		"en": {"DECLINE PROTECTION TO <vassal:nick> $D"},
		"ru": {"ОТКАЗАТЬ В ЗАЩИТЕ <vassal:nick> $D"},
	}, Help: help{
		"en": "You tell a vassal that you do not fight for him; he may still take the duel up.",
		"ru": "Вы отказываете вассалу в защите; сам он ещё может принять дуэль.",
	}}},
	{do: askPlaythrough, asks: asking((*act).landOfService), Form: orders.Form{ID: "ask-playthrough", Rule: "HL-20", Who: forPlayer, Say: say{
		"en": {"ASK PLAYTHROUGH $L"},
		"ru": {"ПРОШУ ПРОХОЖДЕНИЕ $L"},
	}, Help: help{
		"en": "You ask your suzerain for his playthrough of the Land's latest tourney.",
		"ru": "Вы просите у сюзерена прохождение последнего турнира Земли.",
	}}},
}
