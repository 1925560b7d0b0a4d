package kingmaker

import (
	"slices"
	"strconv"

	"arroba/orders"
	"arroba/rules"
)

// Alliances (KM-A1 to A3, A10 to A12): asked for and answered in secret, made public by what their members do together,
// broken, and followed by a truce.

var allianceForms = []form{
	{do: ally, Form: orders.Form{ID: "ally", Rule: "KM-A1", Who: forPlayer, Say: say{
		"en": {"ALLY WITH <faction>,*"},
		"ru": {"СОЮЗ С <faction>,*"},
	}, Help: help{
		"en": "You propose an alliance. Only those asked and the Game Master are told.",
		"ru": "Вы предлагаете союз. Об этом узнают лишь те, кому он предложен, и Мастер.",
	}}},
	{do: answerAlliance(true), Form: orders.Form{ID: "confirm-alliance", Rule: "KM-A3", Who: forPlayer, Say: say{
		"en": {"CONFIRM ALLIANCE [<n:number> | WITH <faction>]"},
		"ru": {"ПОДТВЕРДИТЬ СОЮЗ [<n:number> | С <faction>]"},
	}, Help: help{
		"en": "You agree to an alliance that is proposed to you.",
		"ru": "Вы соглашаетесь на предложенный вам союз.",
	}}},
	{do: answerAlliance(false), Form: orders.Form{ID: "refuse-alliance", Rule: "KM-A3", Who: forPlayer, Say: say{
		"en": {"REFUSE ALLIANCE [<n:number> | WITH <faction>]"},
		"ru": {"ОТКЛОНИТЬ СОЮЗ [<n:number> | С <faction>]"},
	}, Help: help{
		"en": "You do not agree to an alliance that is proposed to you.",
		"ru": "Вы не соглашаетесь на предложенный вам союз.",
	}}},
	{do: breakAlliance, Form: orders.Form{ID: "break-alliance", Rule: "KM-A10", Who: forPlayer, Say: say{
		"en": {"BREAK ALLIANCE [WITH <faction>]"},
		"ru": {"РАЗОРВАТЬ СОЮЗ [С <faction>]"},
	}, Help: help{
		"en": "You leave an alliance, at once in your own turn, otherwise when your next one begins; CANCEL ALL takes that back.",
		"ru": "Вы выходите из союза: в свой ход — сразу, иначе с началом своего следующего хода; до тех пор ОТМЕНА ВСЁ это отменяет.",
	}}},
}

var allianceReasons = []reason{
	{"KM-A1", "self", []string{"faction"}},              // one's own faction
	{"KM-A1", "allied", []string{"faction"}},            // one is allied with it already
	{"KM-A1", "open", []string{"faction", "n"}},         // a proposal between the two is open
	{"KM-A1", "no-player", []string{"faction"}},         // nobody plays it
	{"KM-A3", "", []string{"n", "faction"}},             // no such question waits for the writer
	{"KM-A10", "", []string{"faction"}},                 // there is no such alliance
	{"", "which-alliance", []string{"slot", "choices"}}, // several questions wait for the writer
	{"", "which-ally", []string{"slot", "choices"}},     // the writer is in several alliances
}

// ally proposes an alliance (KM-A1).
func ally(a *act, o orders.Order) (string, *rules.Ruling) {
	asked := union(nil, o.IDs("faction"))
	for _, f := range asked {
		if r := a.mayAsk(f); r != nil {
			return "", r
		}
	}
	x := &Alliance{Proposer: a.me, Asked: asked, Answers: map[string]bool{}, Status: proposed}
	if w := a.World.Rules.Window; w > 0 {
		x.Due = new(a.At.UTC().Add(w))
	}
	a.Alliances = append(a.Alliances, x)
	data := rules.Data{"n": len(a.Alliances), "proposer": a.me, "asked": asked, "due": nil}
	if x.Due != nil {
		data["due"] = *x.Due
	}
	a.say("alliance-proposed", "KM-A2a", a.asking(a.secret(append([]string{a.me}, asked...)...), asked), data)
	return "KM-A1", nil
}

// mayAsk looks whether the writer may propose an alliance to a faction.
func (a *act) mayAsk(f string) *rules.Ruling {
	switch {
	case f == a.me:
		return no("KM-A1", "self", rules.Data{"faction": f})
	case a.allied(a.me, f):
		return no("KM-A1", "allied", rules.Data{"faction": f})
	case a.player(f) == "":
		return no("KM-A1", "no-player", rules.Data{"faction": f})
	}
	for i, x := range a.Alliances {
		if x.Status == proposed && (x.Proposer == a.me && slices.Contains(x.Asked, f) || x.Proposer == f && slices.Contains(x.Asked, a.me)) {
			return no("KM-A1", "open", rules.Data{"faction": f, "n": i + 1})
		}
	}
	return nil
}

// answerAlliance answers a proposal with yes or no.
func answerAlliance(yes bool) func(*act, orders.Order) (string, *rules.Ruling) {
	return func(a *act, o orders.Order) (string, *rules.Ruling) {
		n, r := a.proposal(o)
		if r != nil {
			return "", r
		}
		x := a.Alliances[n-1]
		x.Answers = with(x.Answers, a.me, yes)
		a.say("alliance-answered", "KM-A2a", a.secret(x.Proposer, a.me), rules.Data{"n": n, "proposer": x.Proposer, "faction": a.me, "answer": answers[yes]})
		if len(x.Answers) == len(x.Asked) {
			a.settle(n)
		}
		return "KM-A2a", nil
	}
}

// with is a map with one entry more; the old one may be shared.
func with(m map[string]bool, key string, v bool) map[string]bool {
	again := map[string]bool{key: v}
	for k, x := range m {
		again[k] = x
	}
	return again
}

// proposal finds the question that an answer is about: of those that wait for the writer the one of a number, the one of a
// proposer, or the only one.
func (a *act) proposal(o orders.Order) (n int, refused *rules.Ruling) {
	var open []string
	for i, x := range a.Alliances {
		_, answered := x.Answers[a.me]
		meant := !o.Has("n") && !o.Has("faction") || o.Has("n") && o.N("n") == int64(i+1) || o.Has("faction") && o.ID("faction") == x.Proposer
		if x.Status == proposed && slices.Contains(x.Asked, a.me) && !answered && meant {
			n = i + 1
			open = append(open, strconv.Itoa(n))
		}
	}
	switch len(open) {
	case 0:
		return 0, no("KM-A3", "", rules.Data{"n": o.N("n"), "faction": o.ID("faction")})
	case 1:
		return n, nil
	}
	return 0, unclear("which-alliance", rules.Data{"slot": "n", "choices": open})
}

// settle settles a proposal: the proposer and those who confirmed are allied from now on (KM-A3).
func (a *act) settle(n int) {
	x := a.Alliances[n-1]
	members := []string{x.Proposer}
	for _, f := range x.Asked {
		if x.Answers[f] {
			members = append(members, f)
		}
	}
	if len(members) == 1 {
		x.Status = failed
		a.say("alliance-failed", "KM-A3", a.secret(x.Proposer), rules.Data{"n": n, "proposer": x.Proposer, "asked": x.Asked})
		return
	}
	a.Changes++
	x.Status, x.Members, x.Formed = formed, members, a.Changes
	a.say("alliance-formed", "KM-A2b", a.secret(members...), rules.Data{"n": n, "members": members})
}

// windows are the ends of the windows for answers. Who answers at that very instant is in time.
func (s *State) windows() (list []rules.Due) {
	for i, x := range s.Alliances {
		if x.Status == proposed && x.Due != nil {
			list = append(list, rules.Due{At: *x.Due, Kind: dueWindow, ID: strconv.Itoa(i + 1), After: true})
		}
	}
	return list
}

// settleWindow settles the proposal whose window ends.
func (a *act) settleWindow(id string) {
	n, _ := strconv.Atoi(id)
	a.settle(n)
}

// closedWindows settles the proposals whose window ends with this closing.
func (a *act) closedWindows() {
	for i, x := range a.Alliances {
		if x.Status == proposed && x.Due == nil {
			a.settle(i + 1)
		}
	}
}

// together announces the alliances in force that hold two of these factions, whose units have acted together (KM-A2c).
func (a *act) together(factions ...string) {
	for i, x := range a.Alliances {
		n := 0
		for _, m := range x.Members {
			if slices.Contains(factions, m) {
				n++
			}
		}
		if x.Status == formed && !x.Public && n > 1 {
			x.Public = true
			a.say("alliance-public", "KM-A2c", a.public(x.Members...), rules.Data{"n": i + 1, "members": x.Members})
		}
	}
}

// breakAlliance leaves alliances: at once in the writer's own turn, otherwise when his next one begins (KM-A10).
func breakAlliance(a *act, o orders.Order) (string, *rules.Ruling) {
	b, r := a.breaks(o)
	if r != nil {
		return "", r
	}
	if a.Turn == a.me {
		a.carryBreak(b, a.Rounds.Phase.Round)
		return "KM-A10", nil
	}
	f := a.Factions[a.me]
	if !slices.Contains(f.Breaks, b) {
		f.Breaks = append(slices.Clone(f.Breaks), b)
	}
	a.say("break-held", "KM-A10", a.secret(a.me), rules.Data{"faction": a.me, "with": a.brokenWith(b)})
	return "KM-A10", nil
}

// breaks finds what the writer breaks: all alliances with a faction, or his only one.
func (a *act) breaks(o orders.Order) (b Break, refused *rules.Ruling) {
	if f := o.ID("faction"); f != "" {
		if !a.allied(a.me, f) {
			return b, no("KM-A10", "", rules.Data{"faction": f})
		}
		return Break{With: f}, nil
	}
	var mine []int
	var allies []string
	for i, x := range a.Alliances {
		if x.Status == formed && slices.Contains(x.Members, a.me) {
			mine = append(mine, i+1)
			allies = union(allies, others(x.Members, a.me))
		}
	}
	switch len(mine) {
	case 0:
		return b, no("KM-A10", "", rules.Data{"faction": ""})
	case 1:
		return Break{N: mine[0]}, nil
	}
	return b, unclear("which-ally", rules.Data{"slot": "faction", "choices": allies})
}

// others are all members but one.
func others(members []string, f string) []string {
	return slices.DeleteFunc(slices.Clone(members), func(m string) bool { return m == f })
}

// meant are the numbers of the alliances that a break of the faction's is about now.
func (a *act) meant(b Break) (list []int) {
	for i, x := range a.Alliances {
		if x.Status == formed && slices.Contains(x.Members, a.me) && (b.N == i+1 || b.With != "" && slices.Contains(x.Members, b.With)) {
			list = append(list, i+1)
		}
	}
	return list
}

// brokenWith are the factions that a break is from.
func (a *act) brokenWith(b Break) (list []string) {
	for _, n := range a.meant(b) {
		list = union(list, others(a.Alliances[n-1].Members, a.me))
	}
	return list
}

// carryBreak breaks alliances in a Round. Who is no ally any more after all of them has a truce with the breaker.
func (a *act) carryBreak(b Break, round int) {
	list := a.meant(b)
	var quit []*Alliance
	for _, n := range list {
		x := *a.Alliances[n-1] // as it was
		quit = append(quit, &x)
		a.quit(n)
	}
	var begun []string // who was in two of them has one truce
	for i, x := range quit {
		former := others(x.Members, a.me)
		a.sayBroken(list[i], x, former)
		for _, f := range former {
			if !a.allied(a.me, f) && !slices.Contains(begun, f) {
				a.beginTruce(f, round+1, slices.ContainsFunc(quit, func(q *Alliance) bool { return q.Public && slices.Contains(q.Members, f) }))
				begun = append(begun, f)
			}
		}
	}
	a.partFrom(a.me)
	a.regroup()
}

// quit takes the breaker out of an alliance; one member alone is none.
func (a *act) quit(n int) {
	x := a.Alliances[n-1]
	x.Members = others(x.Members, a.me)
	if len(x.Members) < 2 {
		x.Status, x.Members = ended, nil
	}
}

func (a *act) sayBroken(n int, was *Alliance, former []string) {
	to := a.secret(was.Members...)
	if was.Public {
		to = a.public(was.Members...)
	}
	a.say("alliance-broken", "KM-A10", to, rules.Data{"n": n, "breaker": a.me, "former": former, "standing": list(a.Alliances[n-1].Members)})
}

// beginTruce begins the truce between the breaker and a former ally (KM-A12a); one that is there already lasts on.
func (a *act) beginTruce(f string, until int, public bool) {
	a.Changes++
	a.Truces = slices.DeleteFunc(slices.Clone(a.Truces), func(t Truce) bool { return t.Breaker == a.me && t.Former == f })
	t := Truce{Breaker: a.me, Former: f, Round: until, Public: public, Began: a.Changes}
	a.Truces = append(a.Truces, t)
	a.sayTruce("truce-began", t)
}

func (a *act) sayTruce(typ string, t Truce) {
	to := a.secret(t.Breaker, t.Former)
	if t.Public {
		to = a.public(t.Breaker, t.Former)
	}
	a.say(typ, "KM-A12a", to, rules.Data{"factions": []string{t.Breaker, t.Former}, "breaker": t.Breaker, "round": t.Round})
}

// endTruces ends the truces that last until the turn that begins now: the breaker's own, in its Round. One whose breaker
// has no turns any more ends with its Round.
func (a *act) endTruces(round int) {
	a.Truces = slices.DeleteFunc(slices.Clone(a.Truces), func(t Truce) bool {
		over := t.Breaker == a.Turn && t.Round <= round || t.Round < round
		if over {
			a.sayTruce("truce-ended", t)
		}
		return over
	})
}

// truce is the truce between two factions that are not allied; nil for none.
func (s *State) truce(f, g string) *Truce {
	for i, t := range s.Truces {
		if (t.Breaker == f && t.Former == g || t.Breaker == g && t.Former == f) && !s.allied(f, g) {
			return &s.Truces[i]
		}
	}
	return nil
}

// breakHeld carries out the breaks that the faction whose turn begins has held.
func (a *act) breakHeld(round int) {
	f := a.Factions[a.me]
	for _, b := range f.Breaks {
		a.carryBreak(b, round)
	}
	f.Breaks = nil
}

// takeBackBreaks takes back the breaks that the writer holds, and tells whether there were any.
func (a *act) takeBackBreaks() bool {
	f := a.Factions[a.me]
	if f == nil || f.Breaks == nil {
		return false
	}
	f.Breaks = nil
	return true
}
