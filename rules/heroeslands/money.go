package heroeslands

import (
	"maps"

	"arroba/orders"
	"arroba/rules"
)

// mostAmount is the largest number that an order may name (HL-84).
const mostAmount = 1_000_000_000

// pay moves gold, into debt if need be. What it is about, if anything, is told with it.
func (a *act) pay(from, to string, amount int64, reason, rule string, about rules.Data) {
	move(a.purse(from), a.purse(to), amount)
	a.enter(from, to, amount, reason, rule, about)
	d := rules.Data{"from": from, "to": to, "amount": amount, "reason": reason}
	maps.Copy(d, about)
	a.say("gold-moved", rule, a.gm(from, to), d)
}

// hold sets the cover of a duel aside.
func (a *act) hold(d *Duel) {
	move(a.purse(d.Initiator), a.held(d.Initiator), d.Cover)
	a.say("gold-held", "HL-36", a.gm(d.Initiator), duelData(d, rules.Data{"nick": d.Initiator, "amount": d.Cover}))
}

// releaseCover makes what was held for a duel spendable again, for the fine is paid from it.
func (a *act) releaseCover(d *Duel) {
	move(a.held(d.Initiator), a.purse(d.Initiator), d.Cover)
	d.Cover = 0
}

// returnCover gives back what was held for a duel.
func (a *act) returnCover(d *Duel) {
	amount := d.Cover
	if amount == 0 {
		return
	}
	a.releaseCover(d)
	a.say("gold-returned", "HL-36", a.gm(d.Initiator), duelData(d, rules.Data{"nick": d.Initiator, "amount": amount}))
}

// bounded refuses a number out of bounds (HL-84).
func bounded(n, least, most int64) *rules.Ruling {
	if n < least || n > most {
		return no("HL-84", "", rules.Data{"n": n, "least": least, "most": most})
	}
	return nil
}

// canPay refuses a payment of one's own choice beyond what one has (HL-85).
func (a *act) canPay(amount int64) *rules.Ruling {
	if gold := a.Inhabitants[a.me].Gold; gold < amount {
		return no("HL-85", "", rules.Data{"amount": amount, "gold": gold})
	}
	return nil
}

func giveGold(a *act, o orders.Order) (string, *rules.Ruling) {
	n, to := o.N("amount"), o.ID("nick")
	if r := first(bounded(n, 1, mostAmount), a.notOneself(to), a.canPay(n)); r != nil {
		return "", r
	}
	a.pay(a.me, to, n, "gift", "HL-18", nil)
	return "HL-18", nil
}

func credit(a *act, o orders.Order) (string, *rules.Ruling) {
	n := o.N("amount")
	if r := bounded(n, 1, mostAmount); r != nil {
		return "", r
	}
	a.pay(magistrate, o.ID("nick"), n, "credit", "HL-18", nil)
	return "HL-18", nil
}

func debit(a *act, o orders.Order) (string, *rules.Ruling) {
	n := o.N("amount")
	if r := bounded(n, 1, mostAmount); r != nil {
		return "", r
	}
	a.pay(o.ID("nick"), magistrate, n, "debit", "HL-18", nil)
	return "HL-18", nil
}

var moneyForms = []form{
	{do: giveGold, Form: orders.Form{ID: "give-gold", Rule: "HL-18", Who: forPlayer, Say: say{
		"en": {"GIVE <amount:number> [@] TO <nick:nick|magistrate>"},
		"ru": {"ПЕРЕДАТЬ <amount:number> [@] ИГРОКУ <nick:nick|magistrate>"},
	}, Help: help{
		"en": "You give @ to someone, or to the treasury.",
		"ru": "Вы передаёте @ игроку или в казну.",
	}}},
	{do: credit, Form: orders.Form{ID: "credit", Rule: "HL-18", Who: forGM, Say: say{
		"en": {"CREDIT <amount:number> [@] TO <nick>"},
		"ru": {"НАЧИСЛИТЬ <amount:number> [@] ИГРОКУ <nick>"},
	}, Help: help{
		"en": "Pays @ from the treasury.",
		"ru": "Выплачивает @ из казны.",
	}}},
	{do: debit, Form: orders.Form{ID: "debit", Rule: "HL-18", Who: forGM, Say: say{
		"en": {"DEBIT <amount:number> [@] FROM <nick>"},
		"ru": {"СПИСАТЬ <amount:number> [@] У <nick>"},
	}, Help: help{
		"en": "Takes @ into the treasury, into debt if need be.",
		"ru": "Списывает @ в казну, хотя бы и в долг.",
	}}},
}
