package heroeslands

import (
	"slices"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// offices are the offices in the order in which they are looked at (HL-46).
var offices = []string{"krt", "magister", "junior"}

// officeOf returns the office an order names, "" when none.
func officeOf(o orders.Order) string {
	for _, f := range offices {
		if o.Is(f) {
			return f
		}
	}
	return ""
}

// farYear is the first year that no date may name: a date must stay one that can be written when it is moved.
const farYear = 9000

// until returns the date of an order, nil when it names none. It must not be past (HL-87).
func (a *act) until(o orders.Order) (*time.Time, *rules.Ruling) {
	if !o.Has("date") {
		return nil, nil
	}
	t := o.Arg("date").Date.In(a.Env.Zone, time.Time{}).UTC()
	switch {
	case t.Year() >= farYear:
		return nil, unclear("far-date", nil)
	case t.Before(a.At):
		return nil, no("HL-87", "", rules.Data{"date": t})
	}
	return &t, nil
}

func appoint(a *act, o orders.Order) (string, *rules.Ruling) {
	nick, office := o.ID("nick"), officeOf(o)
	until, r := a.until(o)
	if r != nil {
		return "", r
	}
	if until == nil && office == "krt" {
		until = new(addMonths(a.At, a.Env.Zone, a.Settings.KRTMonths))
	}
	a.cancelOffice(nick, office)
	a.Inhabitants[nick].Offices[office] = Office{Until: until}
	if until != nil {
		a.schedule(officeTimer(nick, office, *until))
	}
	a.say("office-begun", "HL-46", a.tavern(nick), rules.Data{"nick": nick, "office": office, "until": instant(until)})
	return "HL-46", nil
}

func dismiss(a *act, o orders.Order) (string, *rules.Ruling) {
	nick, office := o.ID("nick"), officeOf(o)
	held := a.Inhabitants[nick].Offices
	if _, ok := held[office]; office != "" && !ok {
		return "", no("HL-82", "office", rules.Data{"nick": nick, "office": office})
	}
	if len(held) == 0 {
		return "", no("HL-82", "no-office", rules.Data{"nick": nick})
	}
	for _, f := range offices {
		if _, ok := held[f]; ok && (office == "" || office == f) {
			a.endOffice(nick, f)
		}
	}
	return "HL-46", nil
}

// endOffice ends a term now.
func (a *act) endOffice(nick, office string) {
	a.cancelOffice(nick, office)
	delete(a.Inhabitants[nick].Offices, office)
	a.say("office-ended", "HL-46", a.tavern(nick), rules.Data{"nick": nick, "office": office, "until": a.At.UTC()})
}

// cancelOffice takes away the timer of a term, if it has one.
func (a *act) cancelOffice(nick, office string) {
	if until := a.Inhabitants[nick].Offices[office].Until; until != nil {
		a.cancel(officeTimer(nick, office, *until))
	}
}

func joinClan(a *act, o orders.Order) (string, *rules.Ruling) {
	p, clan := a.Inhabitants[a.me], o.ID("clan")
	if p.Clan == clan {
		return "", no("HL-88", "clan", rules.Data{"clan": clan})
	}
	for _, land := range a.Lands {
		if l := a.suzerain(land, a.me); l != "" {
			return "", no("HL-07", "clan", rules.Data{"land": land, "suzerain": l})
		}
	}
	for _, land := range a.Lands {
		if d := a.challenged(land, a.me, vassalage); d != nil {
			return "", no("HL-44", "clan", rules.Data{"duel": d.ID, "land": land})
		}
	}
	if p.Clan != "" {
		a.leave(p)
	}
	p.Clan = clan
	a.say("clan-joined", "HL-07", a.tavern(a.me), rules.Data{"nick": a.me, "clan": clan})
	return "HL-07", nil
}

func leaveClan(a *act, o orders.Order) (string, *rules.Ruling) {
	p := a.Inhabitants[a.me]
	if p.Clan == "" {
		return "", no("HL-82", "clan", nil)
	}
	a.leave(p)
	return "HL-07", nil
}

// leave takes the writer out of his clan.
func (a *act) leave(p *Inhabitant) {
	a.say("clan-left", "HL-07", a.tavern(a.me), rules.Data{"nick": a.me, "clan": p.Clan})
	p.Clan = ""
}

// newNick returns the nick of a new inhabitant.
func (a *act) newNick(o orders.Order) (string, *rules.Ruling) {
	nick := o.Arg("new").Text
	if badNewName(nick) {
		return "", unclear("new-nick", rules.Data{"nick": nick})
	}
	return nick, nil
}

// newcomer is the new inhabitant of REGISTER, who becomes a member if he has an address.
func newcomer(o orders.Order) (rules.Newcomer, bool) {
	return rules.Newcomer{Nick: o.Arg("new").Text, Address: o.Arg("address").Text}, o.Form == registering
}

const registering = "register"

func register(a *act, o orders.Order) (string, *rules.Ruling) {
	nick, r := a.newNick(o)
	if r != nil {
		return "", r
	}
	address := o.Arg("address").Text
	switch {
	case a.taken(nick) || slices.Contains(a.Taken, nick):
		return "", no("HL-88", "nick", rules.Data{"nick": nick})
	case slices.Contains(a.Taken, address):
		return "", no("HL-88", "address", rules.Data{"address": address})
	}
	p := a.newInhabitant()
	p.Race, p.Continent = a.spelled(o.Arg("race").Text, o.Arg("continent").Text)
	if p.Continent == "" {
		p.Continent = a.raceContinent(p.Race)
	}
	a.Inhabitants[nick] = p
	a.cache.nicks = nil
	a.addName("nick", nick)
	a.say("inhabitant-registered", "HL-47", a.tavern(), rules.Data{"nick": nick})
	return "HL-47", nil
}

// spelled returns a race and a continent as the game spells them already, or else as they are written, so that the case of a
// letter makes no new ones.
func (s *State) spelled(race, continent string) (string, string) {
	races, continents := &orders.Names{}, &orders.Names{}
	for _, r := range sorted(s.Races) {
		races.Add(r)
		continents.Add(s.Races[r])
	}
	for _, n := range s.nicks() {
		races.Add(s.Inhabitants[n].Race)
		continents.Add(s.Inhabitants[n].Continent)
	}
	known := func(names *orders.Names, name string) string {
		if ids := names.Find(name); len(ids) > 0 {
			return ids[0]
		}
		return name
	}
	return known(races, race), known(continents, continent)
}

// taken tells whether a member or an inhabitant has a nick, or one that reads alike.
func (s *State) taken(nick string) bool {
	alike := func(m string) bool { return orders.Fold(m) == orders.Fold(nick) }
	names := s.names()
	return len(names["nick"].Find(nick)) > 0 || len(names[magistrate].Find(nick)) > 0 || slices.ContainsFunc(s.Members, alike)
}

// newInhabitant returns one who owns nothing.
func (s *State) newInhabitant() *Inhabitant {
	p := &Inhabitant{Offices: map[string]Office{}, In: map[string]*Standing{}}
	for _, land := range s.Lands {
		p.In[land] = &Standing{}
	}
	return p
}

// instant returns a time for data, null when there is none.
func instant(t *time.Time) any {
	if t == nil {
		return nil
	}
	return *t
}

// orNull returns a name for data, null when there is none.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

var peopleForms = []form{
	{do: joinClan, Form: orders.Form{ID: "join-clan", Rule: "HL-07", Who: forPlayer, Say: say{
		"en": {"JOIN CLAN <clan>"},
		"ru": {"ВСТУПИТЬ В КЛАН <clan>"},
	}, Help: help{
		"en": "You join a clan; vassals cannot.",
		"ru": "Вы вступаете в клан; вассалу нельзя.",
	}}},
	{do: leaveClan, Form: orders.Form{ID: "leave-clan", Rule: "HL-07", Who: forPlayer, Say: say{
		"en": {"LEAVE CLAN"},
		"ru": {"ПОКИНУТЬ КЛАН"},
	}, Help: help{
		"en": "You leave your clan.",
		"ru": "Вы покидаете свой клан.",
	}}},
	{do: appoint, asks: asking((*act).until), Form: orders.Form{ID: "appoint", Rule: "HL-46", Who: forGM, Say: say{
		"en": {"APPOINT <nick> $OFFICE [UNTIL <date>]"},
		"ru": {"НАЗНАЧИТЬ <nick> $OFFICE [ДО <date>]"},
	}, Help: help{
		"en": "Puts someone into an office; the Round Table's term has an end when none is given.",
		"ru": "Назначает на должность; срок в Круглом столе ограничен, если не указан иной.",
	}}},
	{do: dismiss, Form: orders.Form{ID: "dismiss", Rule: "HL-46", Who: forGM, Say: say{
		"en": {"DISMISS <nick> [FROM $OFFICE]"},
		"ru": {"СНЯТЬ <nick> [С $OFFICE]"},
	}, Help: help{
		"en": "Ends someone's term in an office, or in all he holds.",
		"ru": "Снимает с должности или со всех сразу.",
	}}},
	{do: register, asks: asking((*act).newNick), Form: orders.Form{ID: registering, Rule: "HL-47", Who: forGM, Say: say{
		"en": {"REGISTER <new:title> [<address>] [RACE <race:title>] [CONTINENT <continent:title>]"},
		"ru": {"ЗАРЕГИСТРИРОВАТЬ <new:title> [<address>] [РАСА <race:title>] [КОНТИНЕНТ <continent:title>]"},
	}, Help: help{
		"en": "Enters a new inhabitant, who owns nothing; with a mail address he becomes a member of the game and is written to.",
		"ru": "Вносит нового жителя, у которого ничего нет; с почтовым адресом он становится участником игры, и ему об этом пишут.",
	}}},
}
