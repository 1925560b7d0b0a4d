package heroeslands

import (
	"cmp"
	"slices"

	"arroba/orders"
	"arroba/rules"
)

// How a war ends (HL-67, HL-70 to HL-78): the pairs are decided, then the war, and then everything changes hands.

// warCosts are paid to the treasury after a war, in @ (HL-77).
const warCosts = 500

// decision is what became of a pair, under a rule.
type decision struct{ result, rule string }

// decide decides a pair: by an opened box, else by the Magistrate's result, else by the saves.
func (p *Pair) decide() decision {
	a, d := slices.Contains(p.Opened, p.Attacker), slices.Contains(p.Opened, p.Defender)
	switch {
	case a && d:
		return decision{drawn, "HL-67"}
	case a:
		return decision{byDefender, "HL-67"}
	case d:
		return decision{byAttacker, "HL-67"}
	case p.Result != "":
		return decision{p.Result, "HL-70"}
	}
	return p.bySaves()
}

// bySaves decides a pair by its saves: one that is missing loses, then fewer days win, then more points.
func (p *Pair) bySaves() decision {
	a, d := p.AttackerSave, p.DefenderSave
	switch {
	case a == nil && d == nil:
		return decision{drawn, "HL-69"}
	case d == nil:
		return decision{byAttacker, "HL-69"}
	case a == nil:
		return decision{byDefender, "HL-69"}
	}
	switch better := cmp.Or(cmp.Compare(d.Days, a.Days), cmp.Compare(a.Points, d.Points)); {
	case better > 0:
		return decision{byAttacker, "HL-70"}
	case better < 0:
		return decision{byDefender, "HL-70"}
	}
	return decision{drawn, "HL-70"}
}

// winner is who fought and won a decided pair, "" when nobody did.
func (p *Pair) winner() string {
	switch p.Result {
	case byAttacker:
		return p.Attacker
	case byDefender:
		return p.Defender
	}
	return ""
}

// won is how many pairs went to a side.
func (w *War) won(result string) (n int) {
	for _, p := range w.Pairs {
		if p.Result == result {
			n++
		}
	}
	return n
}

// outcome is the result of a war whose pairs are decided (HL-71).
func (w *War) outcome() string {
	switch a, d := w.won(byAttacker), w.won(byDefender); {
	case a > d:
		return byAttacker
	case d > a:
		return byDefender
	}
	return w.byFirstSaves()
}

// byFirstSaves is the result of a war in which both won as many pairs: that of the pair whose save the attacker's side sent in
// first, if it was drawn that of the defender's first among the others, and so on. A side with none left is skipped.
func (w *War) byFirstSaves() string {
	looked := map[*Pair]bool{}
	for attackers := true; ; attackers = !attackers {
		p := w.firstSave(attackers, looked)
		if p == nil {
			attackers = !attackers
			p = w.firstSave(attackers, looked)
		}
		if p == nil {
			return drawn
		}
		if p.Result != drawn {
			return p.Result
		}
		looked[p] = true
	}
}

// firstSave is the pair of the save that a side sent in first, of those not yet looked at; nil when it sent none.
func (w *War) firstSave(attackers bool, looked map[*Pair]bool) (first *Pair) {
	var best *Save
	for i := range w.Pairs {
		p := &w.Pairs[i]
		if s := *p.half(attackers).save; s != nil && !looked[p] && (best == nil || s.Order < best.Order) {
			first, best = p, s
		}
	}
	return first
}

// settle ends a war with what its pairs come to, or with the Magistrate's result.
func (a *act) settle(w *War, result string) {
	for i := range w.Pairs {
		p := &w.Pairs[i]
		v := p.decide()
		p.Result = v.result
		a.say("pair-decided", v.rule, a.tavern(p.Attacker, p.Defender), warData(w, rules.Data{
			"save": i + 1, "result": v.result, "winner": orNull(p.winner())}))
	}
	w.Result = cmp.Or(result, w.outcome())
	winner, loser := w.parties()
	if winner != nil {
		w.Winner = winner.Suzerain
	}
	a.endWar(w, ended)
	a.say("war-ended", "HL-71", a.tavern(w.people()...), warData(w, rules.Data{"result": w.Result, "winner": orNull(w.Winner),
		"attacker": w.won(byAttacker), "defender": w.won(byDefender), "decided": result != ""}))
	if winner != nil {
		for i := range w.Pairs {
			a.payUnit(w, &w.Pairs[i], winner, loser)
		}
	}
	a.settleProperty(w, winner)
	pays := w.Attacker.Suzerain
	if loser != nil {
		pays = loser.Suzerain
	}
	a.pay(pays, magistrate, warCosts, "costs", "HL-77", warData(w, nil))
	for _, nick := range w.suzerains() {
		a.immuneAfterWar(w.Land, nick)
	}
}

// parties are the sides that won and lost a war, nil after a draw.
func (w *War) parties() (winner, loser *Side) {
	switch w.Result {
	case byAttacker:
		return &w.Attacker, &w.Defender
	case byDefender:
		return &w.Defender, &w.Attacker
	}
	return nil, nil
}

// payUnit moves what a pair is worth (HL-72, HL-73): to who fought for the winner's side unless he lost, else to the suzerain;
// from who fought for the loser's side if he lost, else from the suzerain. Feuds that the participant has not the suzerain
// gives, and an @ stake is the suzerain's alone.
func (a *act) payUnit(w *War, p *Pair, winner, loser *Side) {
	attackerWon := winner == &w.Attacker
	lost, won := byAttacker, byDefender // of the pair, as results: for the winner's side
	if attackerWon {
		lost, won = byDefender, byAttacker
	}
	to, from := winner.Suzerain, loser.Suzerain
	if nick := *p.half(attackerWon).nick; nick != "" && p.Result != lost {
		to = nick
	}
	unit := w.Stake.Amount / int64(w.Participants)
	if w.Stake.Kind == inGold {
		a.pay(from, to, unit, "war-stake", "HL-72", warData(w, nil))
		return
	}
	if nick := *p.half(!attackerWon).nick; nick != "" && p.Result == won {
		from = nick
	}
	for range unit {
		a.payFeud(w, from, loser.Suzerain, to)
	}
}

// payFeud moves the last feud of somebody, or of his suzerain when he has none left (HL-73).
func (a *act) payFeud(w *War, from, suzerain, to string) {
	if len(a.in(w.Land, from).Feuds) == 0 {
		from = suzerain
	}
	feuds := a.in(w.Land, from).Feuds
	if len(feuds) == 0 {
		a.say("feud-missing", "HL-73", a.gm(), warData(w, rules.Data{"from": from, "to": to}))
		return
	}
	a.moveFeud(w.Land, feuds[len(feuds)-1], from, to, "war-stake", "HL-72", warData(w, nil))
}

// settleProperty gives the lost side's property in a war to the suzerain who won it, and the rest back (HL-75).
func (a *act) settleProperty(w *War, winner *Side) {
	var left []string
	for i := range w.Pairs {
		for _, attacker := range []bool{true, false} {
			items := *w.Pairs[i].half(attacker).property
			if winner == nil || attacker == (winner == &w.Attacker) {
				left = append(left, items...)
				continue
			}
			for _, item := range items {
				a.moveItem(item, winner.Suzerain, "war", "HL-75", warData(w, nil))
			}
		}
	}
	a.returnWarItems(w, left)
}

// begunWar finds the begun war that an order of the Magistrate's means.
func (a *act) begunWar(o orders.Order) (*War, *rules.Ruling) {
	w, r := a.anyWar(o)
	if r == nil && w.Status != begun {
		return nil, no("HL-82", "not-begun", rules.Data{"war": w.ID, "begin": w.Begin})
	}
	return w, r
}

// openBox notes who opened the opponent's box (HL-67).
func openBox(a *act, o orders.Order) (string, *rules.Ruling) {
	w, r := a.begunWar(o)
	if r != nil {
		return "", r
	}
	nick := o.ID("nick")
	i := slices.IndexFunc(w.Pairs, func(p Pair) bool { return p.Attacker == nick || p.Defender == nick })
	if i < 0 {
		return "", no("HL-82", "plays", rules.Data{"war": w.ID, "nick": nick})
	}
	p := &w.Pairs[i]
	if slices.Contains(p.Opened, nick) {
		return "", no("HL-88", "box", rules.Data{"war": w.ID, "nick": nick})
	}
	p.Opened = append(p.Opened, nick)
	a.say("box-opened", "HL-67", a.gm(append([]string{p.Attacker, p.Defender}, w.suzerains()...)...), warData(w, rules.Data{"save": i + 1, "nick": nick}))
	return "HL-67", nil
}

// resultPair notes how a pair ended by the Magistrate's word. It is told when the war is over, as that of all pairs.
func resultPair(a *act, o orders.Order) (string, *rules.Ruling) {
	w, r := a.begunWar(o)
	if r != nil {
		return "", r
	}
	n, winner := o.N("pair"), o.ID("winner")
	if !w.hasSave(n) {
		return "", no("HL-82", "pair", rules.Data{"war": w.ID, "n": n})
	}
	p := &w.Pairs[n-1]
	switch winner {
	case "":
		p.Result = drawn
	case p.Attacker:
		p.Result = byAttacker
	case p.Defender:
		p.Result = byDefender
	default:
		return "", no("HL-82", "in-pair", rules.Data{"war": w.ID, "n": n, "nick": winner})
	}
	return "HL-70", nil
}

// resultWar ends a war with the Magistrate's result (HL-71).
func resultWar(a *act, o orders.Order) (string, *rules.Ruling) {
	w, r := a.begunWar(o)
	if r != nil {
		return "", r
	}
	result := drawn
	switch o.ID("winner") {
	case "":
	case w.Attacker.Suzerain:
		result = byAttacker
	case w.Defender.Suzerain:
		result = byDefender
	default:
		return "", no("HL-82", "war-lord", rules.Data{"war": w.ID, "nick": o.ID("winner")})
	}
	a.settle(w, result)
	return "HL-71", nil
}

var resultReasons = []reason{
	{"HL-82", "not-begun", []string{"war", "begin"}},   // the war has not begun
	{"HL-82", "plays", []string{"war", "nick"}},        // nick plays no save in it
	{"HL-82", "pair", []string{"war", "n"}},            // it has no such pair
	{"HL-82", "in-pair", []string{"war", "n", "nick"}}, // nick is not in that pair
	{"HL-82", "war-lord", []string{"war", "nick"}},     // nick is no suzerain of it
	{"HL-88", "box", []string{"war", "nick"}},          // it was said already
}

var resultForms = []form{
	{do: openBox, asks: asking((*act).anyWar), Form: orders.Form{ID: "box-opened", Rule: "HL-67", Who: forGM, Say: say{
		"en": {"BOX OPENED BY <nick> $W"},
		"ru": {"ОТКРЫЛ ЯЩИК <nick> $W"},
	}, Help: help{
		"en": "Says that someone opened the opponent's box: that loses the pair; if both did, it is drawn.",
		"ru": "Сообщает, что игрок открыл ящик соперника: пара проиграна; если открыли оба, она сыграна вничью.",
	}}},
	{do: resultPair, asks: asking((*act).anyWar), Form: orders.Form{ID: "result-pair", Rule: "HL-70", Who: forGM, Say: say{
		"en": {"RESULT PAIR <pair:number> $W WINNER <winner:nick>", "RESULT PAIR <pair:number> $W DRAW"},
		"ru": {"ИТОГ ПАРЫ <pair:number> $W ПОБЕДА <winner:nick>", "ИТОГ ПАРЫ <pair:number> $W НИЧЬЯ"},
	}, Help: help{
		"en": "Decides a pair of a war that has begun, whatever its saves say; an opened box goes before it.",
		"ru": "Решает пару начавшейся войны, что бы ни говорили сейвы; открытый ящик важнее.",
	}}},
	{do: resultWar, asks: asking((*act).anyWar), Form: orders.Form{ID: "result-war", Rule: "HL-71", Who: forGM, Say: say{
		"en": {"RESULT WAR [<war:number>] WINNER <winner:nick>", "RESULT WAR [<war:number>] DRAW"},
		"ru": {"ИТОГ ВОЙНЫ [<war:number>] ПОБЕДА <winner:nick>", "ИТОГ ВОЙНЫ [<war:number>] НИЧЬЯ"},
	}, Help: help{
		"en": "Ends a war that has begun with this result, its pairs as they stand.",
		"ru": "Заканчивает начавшуюся войну с этим итогом; пары остаются как есть.",
	}}},
}
