package heroeslands

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"arroba/orders"
	"arroba/rules"
)

// Tourneys (HL-09 to HL-13): closed, placed, claimed for, and the prize passed on. A closed Common Tourney counts down
// immunities against declarations of war (HL-78).

const (
	claimDays   = 7  // HL-12
	mostWarFree = 99 // tourneys of a war immunity that the Magistrate may set (HL-84)
)

// Placing is the tourney that the letter at hand has closed: its further lines tell the places, and the next letter's do
// not. Was holds those whose suzerain or feuds changed since, as they were at the closing.
type Placing struct {
	Tourney int    // place in State.Tourneys
	Line    string // that closed it
	Was     map[string]Holding
}

// Holding is what counts of somebody at the closing of a tourney.
type Holding struct {
	Suzerain string
	Feuds    int
}

// holding is what counts of somebody now.
func (s *State) holding(land, nick string) Holding {
	st := s.in(land, nick)
	return Holding{st.Suzerain, len(st.Feuds)}
}

// atClosing is what counted of somebody when the tourney at hand was closed.
func (s *State) atClosing(t *Tourney, nick string) Holding {
	if was, changed := s.Placing.Was[nick]; changed {
		return was
	}
	return s.holding(t.Land, nick)
}

// remember keeps what counts of somebody in the tourney at hand before it changes.
func (s *State) remember(land, nick string) {
	p := s.Placing
	if p == nil || s.Tourneys[p.Tourney].Land != land {
		return
	}
	if _, known := p.Was[nick]; !known {
		p.Was[nick] = s.holding(land, nick)
	}
}

// read ends a letter, and with it the naming of places.
func read(s *State, _ rules.Letter, _ rules.Env) (*State, []rules.Event) {
	s.Placing = nil
	return s, nil
}

// tourney finds the tourney of a name.
func (s *State) tourney(name string) *Tourney {
	i := slices.IndexFunc(s.Tourneys, func(t *Tourney) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return s.Tourneys[i]
}

// badTourney tells that a tourney cannot have that name: orders name it by one word.
func badTourney(name string) bool {
	return badName(name) || utf8.RuneCountInString(name) > 60 || strings.ContainsAny(name, " @,;:") ||
		!strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// newTourney finds which tourney an order closes, in which Land.
func (a *act) newTourney(o orders.Order) (t struct{ land, name string }, r *rules.Ruling) {
	if t.name = o.Arg("new").Text; badTourney(t.name) {
		return t, unclear("new-tourney", rules.Data{"name": t.name})
	}
	t.land, r = a.namedLand(o)
	return t, r
}

func closeTourney(a *act, o orders.Order) (string, *rules.Ruling) {
	n, r := a.newTourney(o)
	if r != nil {
		return "", r
	}
	if known := a.names()["tourney"].Find(n.name); len(known) > 0 {
		return "", no("HL-88", "tourney", rules.Data{"tourney": known[0]})
	}
	now := a.At.UTC()
	t := &Tourney{Name: n.name, Land: n.land, Common: !o.Is("other"), Closed: now, ClaimsUntil: now.Add(claimDays * day),
		Paid: map[string]int64{}, Shared: map[string]int64{}}
	a.Placing = &Placing{Tourney: len(a.Tourneys), Line: o.Line, Was: map[string]Holding{}}
	a.Tourneys = append(a.Tourneys, t)
	a.addName("tourney", t.Name)
	a.schedule(a.claimTimer(a.Placing.Tourney))
	a.say("tourney-closed", "HL-09", a.tavern(), rules.Data{"tourney": t.Name, "land": t.Land, "common": t.Common,
		"bonus": a.rate(t), "until": t.ClaimsUntil})
	if t.Common {
		a.countDown(t.Land)
	}
	return "HL-09", nil
}

// countDown takes a tourney off the immunities against declarations of war in a Land (HL-78).
func (a *act) countDown(land string) {
	for _, n := range a.nicks() {
		if left := a.in(land, n).WarImmune; left > 0 {
			a.in(land, n).WarImmune--
			if left == 1 {
				a.warImmunity(land, n)
			}
		}
	}
}

// warImmunity tells how long somebody is immune against declarations of war.
func (a *act) warImmunity(land, nick string) {
	a.say("war-immunity", "HL-78", a.tavern(nick), rules.Data{"nick": nick, "land": land, "tourneys": a.in(land, nick).WarImmune})
}

func place(a *act, o orders.Order) (string, *rules.Ruling) {
	p := Place{Place: o.N("place"), Nick: o.ID("nick"), Days: o.N("days"), Points: o.N("points"), Gold: o.N("gold")}
	r := first(bounded(p.Place, 1, mostAmount), bounded(p.Days, 1, mostAmount), bounded(p.Points, 0, mostAmount), bounded(p.Gold, 0, mostAmount))
	if r != nil {
		return "", r
	}
	if a.Placing == nil || !a.Tourneys[a.Placing.Tourney].Closed.Equal(a.At) || a.strays(o) {
		return "", no("HL-82", "placing", nil)
	}
	t := a.Tourneys[a.Placing.Tourney]
	if slices.ContainsFunc(t.Results, func(old Place) bool { return old.Nick == p.Nick }) {
		return "", no("HL-88", "placed", rules.Data{"nick": p.Nick, "tourney": t.Name})
	}
	h := a.atClosing(t, p.Nick)
	p.Suzerain, p.Feuds = h.Suzerain, h.Feuds
	t.Results = append(t.Results, p)
	t.Best = t.best()
	a.say("placed", "HL-10", a.tavern(p.Nick), rules.Data{"tourney": t.Name, "land": t.Land, "place": p.Place, "nick": p.Nick,
		"days": p.Days, "points": p.Points, "gold": p.Gold})
	return "HL-10", nil
}

// strays tells whether a line of the letter at hand stands below another that was to close a tourney and did not, and so
// names a place in that one.
func (a *act) strays(o orders.Order) bool {
	if a.Letter == nil {
		return false
	}
	closer, found := "", false
	word, _, _ := strings.Cut(o.Line, " ")
	for _, p := range closers().Scan(a.Letter.Lines) {
		line := orders.Clean(p.Line)
		switch {
		case line == o.Line && closer == a.Placing.Line:
			return false
		case line == o.Line:
			found = true
		case strings.HasPrefix(line, word): // another place
		case !closers().Parse(line, nil, false).Prose():
			closer = line
		}
	}
	return found
}

// closers reads lines that are to close a tourney, or nearly do.
var closers = sync.OnceValue(func() *orders.Grammar {
	return orders.MustGrammar(orders.Spec{Forms: []orders.Form{{ID: "close", Say: say{
		"en": {"CLOSE TOURNEY <rest:text>"},
		"ru": {"ЗАКРЫТЬ ТУРНИР <rest:text>"},
	}}}})
})

// best returns the suzerains of the vassals who did best (HL-10). With fewer than two suzerains there are none.
func (t *Tourney) best() (suzerains []string) {
	var best *Place
	var all []string
	for i := range t.Results {
		switch p := &t.Results[i]; {
		case p.Suzerain == "":
		case best == nil || p.compare(best) < 0:
			best, suzerains, all = p, []string{p.Suzerain}, append(all, p.Suzerain)
		case p.compare(best) == 0:
			suzerains, all = append(suzerains, p.Suzerain), append(all, p.Suzerain)
		default:
			all = append(all, p.Suzerain)
		}
	}
	if len(union(all, nil)) < 2 {
		return nil
	}
	return union(suzerains, nil)
}

// compare orders results, better ones first: fewer days, then more points, then more gold.
func (p *Place) compare(q *Place) int {
	return cmp.Or(cmp.Compare(p.Days, q.Days), cmp.Compare(q.Points, p.Points), cmp.Compare(q.Gold, p.Gold))
}

// rate is what a suzerain is paid for a feud of his vassals in a tourney, 0 when nothing (HL-09).
func (s *State) rate(t *Tourney) int64 {
	if !t.Common {
		return 0
	}
	return s.Settings.Bonus[t.Land]
}

// vassals are the places of those who served a suzerain at the closing.
func (t *Tourney) vassals(suzerain string) (list []*Place) {
	for i := range t.Results {
		if t.Results[i].Suzerain == suzerain {
			list = append(list, &t.Results[i])
		}
	}
	return list
}

// unpaid are those of them whom nothing was paid for yet.
func (t *Tourney) unpaid(suzerain string) []*Place {
	return slices.DeleteFunc(t.vassals(suzerain), func(p *Place) bool { return p.Paid })
}

// bounds looks at all numbers that fill a slot (HL-84).
func bounds(o orders.Order, slot string, least, most int64) *rules.Ruling {
	for _, arg := range o.Args[slot] {
		if r := bounded(arg.N, least, most); r != nil {
			return r
		}
	}
	return nil
}

func claimBonus(a *act, o orders.Order) (string, *rules.Ruling) {
	t := a.tourney(o.ID("tourney"))
	if r := first(bounds(o, "place", 1, mostAmount), a.hasBonus(t)); r != nil {
		return "", r
	}
	claimed, others := a.claimed(t, o)
	switch {
	case t.Over && a.arrived().After(t.ClaimsUntil):
		return "", no("HL-12", "late", rules.Data{"tourney": t.Name, "until": t.ClaimsUntil})
	case len(claimed) == 0:
		return "", no("HL-12", "nobody", rules.Data{"tourney": t.Name})
	}
	rate, amount, vassals := a.rate(t), int64(0), []string{}
	doubled := slices.Contains(t.Best, a.me)
	rule := "HL-09"
	if doubled {
		rate, rule = 2*rate, "HL-11"
	}
	for _, p := range claimed {
		p.Paid = true
		amount += rate * int64(p.Feuds)
		vassals = append(vassals, p.Nick)
	}
	t.Paid[a.me] += amount
	a.say("bonus-paid", rule, a.gm(a.Presenter, a.me), rules.Data{"tourney": t.Name, "land": t.Land, "suzerain": a.me,
		"amount": amount, "doubled": doubled, "vassals": vassals, "unpaid": others})
	a.pay(magistrate, a.me, amount, "bonus", "HL-09", rules.Data{"tourney": t.Name})
	return "HL-09", nil
}

// arrived is when the letter at hand arrived: one that was read late is judged by that.
func (a *act) arrived() time.Time {
	if a.Letter == nil {
		return a.At
	}
	return a.Letter.Arrived
}

// hasBonus looks whether there is a bonus for the writer in a tourney (HL-09).
func (a *act) hasBonus(t *Tourney) *rules.Ruling {
	switch {
	case len(t.vassals(a.me)) == 0:
		return no("HL-09", "vassals", rules.Data{"tourney": t.Name, "land": t.Land})
	case !t.Common:
		return no("HL-09", "other", rules.Data{"tourney": t.Name})
	case a.rate(t) == 0:
		return no("HL-09", "rate", rules.Data{"land": t.Land})
	}
	return nil
}

// claimed are the places that a claim is paid for, each once, and the nicks of those named for whom nothing is paid.
func (a *act) claimed(t *Tourney, o orders.Order) (paid []*Place, others []string) {
	others = []string{}
	for i, nick := range o.IDs("vassal") {
		n := o.Args["place"][i].N
		at := slices.IndexFunc(t.Results, func(p Place) bool { return p.Nick == nick && p.Place == n && p.Suzerain == a.me && !p.Paid })
		switch {
		case at < 0:
			others = append(others, nick)
		case !slices.Contains(paid, &t.Results[at]):
			paid = append(paid, &t.Results[at])
		}
	}
	return paid, others
}

func transferPrize(a *act, o orders.Order) (string, *rules.Ruling) {
	t, n, to := a.tourney(o.ID("tourney")), o.N("amount"), o.ID("nick")
	if r := first(bounded(n, 1, mostAmount), a.notOneself(to), a.hasPrize(t, n, to), a.canPay(n)); r != nil {
		return "", r
	}
	t.Shared[a.me] += n
	a.pay(a.me, to, n, "prize", "HL-13", rules.Data{"tourney": t.Name})
	return "HL-13", nil
}

// hasPrize looks whether the writer may pass so much of a prize on to somebody (HL-13).
func (a *act) hasPrize(t *Tourney, n int64, to string) *rules.Ruling {
	switch left := t.Paid[a.me] - t.Shared[a.me]; {
	case a.suzerain(t.Land, to) != a.me:
		return no("HL-13", "vassal", rules.Data{"nick": to, "land": t.Land})
	case n > left:
		return no("HL-13", "more", rules.Data{"tourney": t.Name, "amount": t.Paid[a.me], "left": left})
	}
	return nil
}

func overrideWarImmunity(a *act, o orders.Order) (string, *rules.Ruling) {
	land, r := a.namedLand(o)
	if r = first(r, bounded(o.N("tourneys"), 0, mostWarFree)); r != nil {
		return "", r
	}
	a.in(land, o.ID("nick")).WarImmune = int(o.N("tourneys"))
	a.warImmunity(land, o.ID("nick"))
	return "HL-78", nil
}

// claimTimer is when the claims of a tourney end. Nothing happens then but that later ones are lost.
func (s *State) claimTimer(i int) timer {
	t := s.Tourneys[i]
	return timer{at: t.ClaimsUntil, kind: claimsEnd, num: i + 1, land: t.Land}
}

// claimTimers are those of all tourneys that may still be claimed for.
func (s *State) claimTimers() (ts []timer) {
	for i, t := range s.Tourneys {
		if !t.Over {
			ts = append(ts, s.claimTimer(i))
		}
	}
	return ts
}

// shift moves the end of the claims, unless it is over.
func (t *Tourney) shift(by time.Duration) {
	if !t.Over {
		t.ClaimsUntil = t.ClaimsUntil.Add(by)
	}
}

// claimDeadlines are those of the suzerains who have vassals to claim for in a tourney (HL-12), one for each: what others
// have claimed is nobody's business.
func (s *State) claimDeadlines(t *Tourney, concerns func(...string) bool) (list []rules.Deadline) {
	if s.rate(t) == 0 {
		return nil
	}
	for _, n := range t.suzerains() {
		unpaid := t.unpaid(n)
		if len(unpaid) == 0 || !concerns(n) {
			continue
		}
		var vassals []string
		for _, p := range unpaid {
			vassals = append(vassals, p.Nick)
		}
		list = append(list, rules.Deadline{At: t.ClaimsUntil, Kind: "claim", Set: t.Closed, Waits: seats(n),
			Data: rules.Data{"tourney": t.Name, "land": t.Land, "suzerain": n, "vassals": vassals}})
	}
	return list
}

// suzerains are those whose vassals took part, in order.
func (t *Tourney) suzerains() (list []string) {
	for _, p := range t.Results {
		if p.Suzerain != "" {
			list = append(list, p.Suzerain)
		}
	}
	return union(list, nil)
}

// bonuses are claims that the viewer may still make, and prizes that he may pass on.
func (o *offering) bonuses() {
	for _, t := range o.Tourneys {
		if t.Over {
			continue
		}
		if pairs := t.unpaid(o.me); len(pairs) > 0 && o.rate(t) > 0 {
			o.claim(t, pairs)
		}
		if vassals := o.in(t.Land, o.me).Vassals; len(vassals) > 0 && min(o.Inhabitants[o.me].Gold, t.Paid[o.me]-t.Shared[o.me]) > 0 {
			o.add("transfer-prize", "tourney", t.Name, "nick", vassals[0])
		}
	}
}

// claim offers a claim with all vassals and their places filled in.
func (o *offering) claim(t *Tourney, pairs []*Place) {
	var vassals strings.Builder
	for i, p := range pairs {
		if i > 0 {
			vassals.WriteString(" " + strconv.FormatInt(pairs[i-1].Place, 10) + ", ")
		}
		vassals.WriteString(p.Nick)
	}
	o.add("claim-bonus", "tourney", t.Name, "vassal", vassals.String(), "place", strconv.FormatInt(pairs[len(pairs)-1].Place, 10))
}

var tourneyReasons = []reason{
	{"HL-09", "vassals", []string{"tourney", "land"}},        // no vassal of the writer's took part
	{"HL-09", "other", []string{"tourney"}},                  // it is no Common Tourney
	{"HL-09", "rate", []string{"land"}},                      // the game pays no bonus in the Land
	{"HL-12", "late", []string{"tourney", "until"}},          // the claims are over
	{"HL-12", "nobody", []string{"tourney"}},                 // nobody named is to be paid for
	{"HL-13", "vassal", []string{"nick", "land"}},            // he is not the writer's vassal in the Land
	{"HL-13", "more", []string{"tourney", "amount", "left"}}, // of the amount received so much is left
	{"HL-81", "presenter", nil},                              // the order is the Magistrate's and the presenter's
	{"HL-82", "placing", nil},                                // PLACE without CLOSE TOURNEY before it in the letter
	{"HL-88", "tourney", []string{"tourney"}},                // it is closed already
	{"HL-88", "placed", []string{"nick", "tourney"}},         // he has a place already
	{"", "new-tourney", []string{"name"}},                    // no tourney can have that name
}

var tourneyForms = []form{
	{do: claimBonus, Form: orders.Form{ID: "claim-bonus", Rule: "HL-09", Who: forPlayer, Say: say{
		"en": {"CLAIM BONUS IN <tourney> FOR {<vassal:nick> <place:number>},*"},
		"ru": {"БОНУС ЗА <tourney> ВАССАЛЫ {<vassal:nick> <place:number>},*"},
	}, Help: help{
		"en": "You claim your bonus for a closed Common Tourney, within 7 days, naming your vassals with the places they took.",
		"ru": "Вы требуете бонус за закрытый общий турнир, в течение 7 дней, и называете своих вассалов с занятыми местами.",
	}}},
	{do: transferPrize, Form: orders.Form{ID: "transfer-prize", Rule: "HL-13", Who: forPlayer, Say: say{
		"en": {"TRANSFER PRIZE OF <tourney> <amount:number> [@] TO <nick>"},
		"ru": {"ПЕРЕДАТЬ ПРИЗ <tourney> <amount:number> [@] ИГРОКУ <nick>"},
	}, Help: help{
		"en": "You pass on to a vassal of the Land some of the bonus that you received for a tourney.",
		"ru": "Вы передаёте вассалу этой Земли часть бонуса, полученного за турнир.",
	}}},
	{do: closeTourney, asks: asking((*act).newTourney), presenter: true, Form: orders.Form{ID: "close-tourney", Rule: "HL-09", Who: forGM, Say: say{
		"en": {"CLOSE TOURNEY <new:word> $L [OTHER#other]"},
		"ru": {"ЗАКРЫТЬ ТУРНИР <new:word> $L [ДРУГОЙ#other]"},
	}, Help: help{
		"en": "Closes a tourney: a Common one, or another one that no bonus is paid for. The lines below it, in the same letter, tell the places. The presenter may do it too.",
		"ru": "Закрывает турнир: общий или другой, за который бонуса нет. Следующие строки того же письма называют места. Это может и ведущий турниров.",
	}}},
	{do: place, presenter: true, Form: orders.Form{ID: "place", Rule: "HL-10", Who: forGM, Say: say{
		"en": {"PLACE <place:number> <nick> DAYS <days:number> POINTS <points:number> [GOLD <gold:number>]"},
		"ru": {"МЕСТО <place:number> <nick> ДНЕЙ <days:number> ОЧКОВ <points:number> [ЗОЛОТА <gold:number>]"},
	}, Help: help{
		"en": "Tells who took a place in the tourney that the same letter closes, with his days, points and gold.",
		"ru": "Называет, кто занял место в турнире, закрытом этим же письмом, с его днями, очками и золотом.",
	}}},
	{do: overrideWarImmunity, asks: asking((*act).namedLand), Form: orders.Form{ID: "override-war-immunity", Rule: "HL-78", Who: forGM, Say: say{
		"en": {"OVERRIDE WAR IMMUNITY <nick> $L <tourneys:number>"},
		"ru": {"РЕШЕНИЕ ВОЕННАЯ ЗАЩИТА <nick> $L <tourneys:number>"},
	}, Help: help{
		"en": "Sets how many Common Tourneys of the Land must still be closed before war may be declared on someone; 0 for none.",
		"ru": "Устанавливает, сколько общих турниров Земли ещё должно быть закрыто, прежде чем игроку можно объявить войну; 0 — ни одного.",
	}}},
}
