package heroeslands

import (
	"slices"

	"arroba/orders"
	"arroba/rules"
)

// The stake of a war (HL-54, HL-62, HL-63): changed by consent of both, and paid by half to be out of the war.

func changeStake(a *act, o orders.Order) (string, *rules.Ruling) {
	w, r := a.suzerainsWar(o)
	if r != nil {
		return "", r
	}
	stake := stakeOf(o)
	if r := a.mayStake(w, stake); r != nil {
		return "", r
	}
	mine, his := w.sideOf(a.me), w.against(a.me)
	data := warData(w, rules.Data{"kind": stake.Kind, "amount": stake.Amount, "by": a.me})
	if his.Stake == nil || *his.Stake != stake {
		mine.Stake = &stake
		a.say("stake-proposed", "HL-63", a.gm(his.Suzerain), data)
		return "HL-63", nil
	}
	mine.Stake, his.Stake = nil, nil
	w.Stake = stake
	a.say("stake-changed", "HL-63", a.suzerains(w), data)
	return "HL-63", nil
}

// stakeOf returns the stake that an order names.
func stakeOf(o orders.Order) WarStake {
	if o.Has("price") {
		return WarStake{Kind: inGold, Amount: o.N("price")}
	}
	return WarStake{Kind: inFeuds, Amount: o.N("feuds")}
}

// mayStake looks whether both may agree on a stake (HL-62, HL-63).
func (a *act) mayStake(w *War, stake WarStake) *rules.Ruling {
	n, price := int64(w.Participants), int64(w.Participants)*a.Settings.FeudPrice
	switch {
	case w.Status == begun:
		return no("HL-63", "begun", rules.Data{"war": w.ID})
	case stake.Amount < 1 || stake.Amount > mostAmount || stake.Amount%n != 0:
		return no("HL-63", "multiple", rules.Data{"participants": n, "most": mostAmount})
	case stake.Kind == inGold && price == 0:
		return no("HL-62", "no-price", nil)
	case stake.Kind == inGold && stake.Amount%price != 0:
		return no("HL-62", "", rules.Data{"amount": price})
	}
	return nil
}

// buyOut ends a war for half of the stake (HL-54).
func buyOut(a *act, o orders.Order) (string, *rules.Ruling) {
	w, r := a.suzerainsWar(o)
	if r != nil {
		return "", r
	}
	feuds, r := a.price(w, o.IDs("feud"))
	if r != nil {
		return "", r
	}
	attacker, half := w.Attacker.Suzerain, w.Stake.Amount/2
	a.endWar(w, boughtOut)
	a.say("war-bought-out", "HL-54", a.suzerains(w), warData(w, rules.Data{"kind": w.Stake.Kind, "amount": half}))
	for _, f := range feuds {
		a.moveFeud(w.Land, f, a.me, attacker, "buy-out", "HL-54", warData(w, nil))
	}
	if w.Stake.Kind == inGold {
		a.pay(a.me, attacker, half, "buy-out", "HL-54", warData(w, nil))
	}
	a.returnWarItems(w, w.items())
	a.immuneAfterWar(w.Land, a.me)
	return "HL-54", nil
}

// price returns the feuds with which the writer buys himself out: those he names, or his last ones, none of an @ stake. Or
// why he cannot.
func (a *act) price(w *War, named []string) ([]string, *rules.Ruling) {
	if r := first(a.mayBuyOut(w, named)); r != nil {
		return nil, r
	}
	half := w.Stake.Amount / 2
	if w.Stake.Kind == inGold {
		return nil, a.canPay(half)
	}
	if len(named) > 0 {
		return named, a.ownFeuds(w.Land, named)
	}
	last := slices.Clone(a.in(w.Land, a.me).Feuds)
	slices.Reverse(last)
	return last[:half], nil
}

// mayBuyOut looks whether the writer may buy himself out of a war at all, and with so many feuds (HL-54).
func (a *act) mayBuyOut(w *War, named []string) *rules.Ruling {
	half, until := w.Stake.Amount/2, w.since(buyOutDays)
	owned := int64(len(a.in(w.Land, a.me).Feuds))
	switch {
	case w.Attacker.Suzerain == a.me:
		return no("HL-54", "attacker", rules.Data{"war": w.ID})
	case w.Status == begun:
		return no("HL-54", "begun", rules.Data{"war": w.ID})
	case a.At.After(until):
		return no("HL-54", "late", rules.Data{"war": w.ID, "until": until})
	case half == 0:
		return no("HL-54", "half", rules.Data{"war": w.ID})
	case w.Stake.Kind == inGold && len(named) > 0:
		return no("HL-54", "gold", rules.Data{"war": w.ID, "amount": half})
	case w.Stake.Kind == inFeuds && len(named) > 0 && int64(len(named)) != half:
		return no("HL-54", "count", rules.Data{"war": w.ID, "amount": half, "n": len(named)})
	case w.Stake.Kind == inFeuds && owned < half:
		return no("HL-54", "few", rules.Data{"war": w.ID, "amount": half, "n": owned})
	}
	return nil
}

// ownFeuds looks whether all named are the writer's, and named once (HL-86).
func (a *act) ownFeuds(land string, feuds []string) *rules.Ruling {
	for i, f := range feuds {
		if a.owner(land, f) != a.me {
			return no("HL-86", "feud-not-yours", rules.Data{"feud": f, "land": land})
		}
		if slices.Contains(feuds[:i], f) {
			return no("HL-86", "feud-twice", rules.Data{"feud": f})
		}
	}
	return nil
}

var stakeReasons = []reason{
	{"HL-54", "attacker", []string{"war"}},                  // the writer is the attacker
	{"HL-54", "begun", []string{"war"}},                     // it has begun
	{"HL-54", "late", []string{"war", "until"}},             // only until then
	{"HL-54", "half", []string{"war"}},                      // half of the stake is nothing
	{"HL-54", "gold", []string{"war", "amount"}},            // feuds named, and it is about @
	{"HL-54", "count", []string{"war", "amount", "n"}},      // n feuds named instead of amount
	{"HL-54", "few", []string{"war", "amount", "n"}},        // he owns only n
	{"HL-62", "", []string{"amount"}},                       // @: no multiple of the price of a feud for each pair
	{"HL-62", "no-price", nil},                              // @: feuds have no price in this game
	{"HL-63", "begun", []string{"war"}},                     // it has begun
	{"HL-63", "multiple", []string{"participants", "most"}}, // no multiple of the participants, or too much
	{"HL-86", "feud-twice", []string{"feud"}},               // named twice
}

var stakeForms = []form{
	{do: buyOut, asks: asking((*act).suzerainsWar), Form: orders.Form{ID: "buy-out", Rule: "HL-54", Who: forPlayer, Say: say{
		"en": {"BUY OUT $W [WITH <feud>,*]"},
		"ru": {"ОТКУПИТЬСЯ $W [ФЕОДАМИ <feud>,*]"},
	}, Help: help{
		"en": "If war was declared on you, you may buy yourself out within 21 days, for half of the stake.",
		"ru": "Если войну объявили вам, вы можете в течение 21 дня откупиться за половину ставки.",
	}}},
	{do: changeStake, asks: asking((*act).suzerainsWar), Form: orders.Form{ID: "change-stake", Rule: "HL-63", Who: forPlayer, Say: say{
		"en": {"CHANGE STAKE TO <feuds:number> FEUDS $W", "CHANGE STAKE TO <price:number> @ $W"},
		"ru": {"ИЗМЕНИТЬ СТАВКУ НА <feuds:number> ФЕОДОВ $W", "ИЗМЕНИТЬ СТАВКУ НА <price:number> @ $W"},
	}, Help: help{
		"en": "You propose another stake of a war; if the other suzerain proposes the same, it is set.",
		"ru": "Вы предлагаете другую ставку войны; если другой сюзерен предложит ту же, она принята.",
	}}},
}
