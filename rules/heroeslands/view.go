package heroeslands

import (
	"slices"
	"time"

	"arroba/rules"
)

// The state as it is shown. A GM sees all of it; to everybody else the keys of what he may not know are left out.

type view struct {
	Lands       []string                `json:"lands"`
	Presenter   string                  `json:"presenter"`
	Magistrate  viewMagistrate          `json:"magistrate"`
	Inhabitants map[string]viewLandsman `json:"inhabitants"`
	Property    map[string]viewItem     `json:"property"`
	Offers      []viewOffer             `json:"offers"`
	Duels       []viewDuel              `json:"duels"`
	Tourneys    []viewTourney           `json:"tourneys"`
	Wars        []viewWar               `json:"wars"`
	Saves       []viewSaves             `json:"saves,omitempty"` // the GM's: what came in wars being fought, side by side
	Ledger      *viewLedger             `json:"ledger,omitempty"`
}

type viewMagistrate struct {
	Gold     *int64              `json:"gold,omitempty"`
	Feuds    map[string][]string `json:"feuds"`
	Property *[]string           `json:"property,omitempty"`
}

type viewLandsman struct {
	*viewPrivate
	Race        string                `json:"race"`
	Continent   string                `json:"continent"`
	Clan        string                `json:"clan"`
	Offices     map[string]*time.Time `json:"offices"`
	Feuds       map[string][]string   `json:"feuds"`
	Rank        map[string]string     `json:"rank"`
	Suzerain    map[string]*string    `json:"suzerain"`
	Vassals     map[string][]string   `json:"vassals"`
	Flag        map[string]bool       `json:"flag"`
	Immunity    map[string]*time.Time `json:"immunity"`
	WarImmunity map[string]int        `json:"war_immunity"`
}

// viewPrivate is what only an inhabitant himself and the GM see of him.
type viewPrivate struct {
	Gold            int64                   `json:"gold"`
	Held            int64                   `json:"held"`
	IndependenceBar map[string]*time.Time   `json:"independence_bar"`
	Windows         map[string][]viewWindow `json:"windows"`
	Property        []string                `json:"property"`
}

type viewWindow struct {
	Opened  time.Time `json:"opened"`
	Due     time.Time `json:"due"`
	Allowed int       `json:"allowed"`
}

type viewItem struct {
	Kind  string  `json:"kind"`
	Level int     `json:"level"`
	Owner string  `json:"owner"`
	Held  *string `json:"held"`
}

type viewOffer struct {
	Land      string    `json:"land"`
	Suzerain  string    `json:"suzerain"`
	Vassal    string    `json:"vassal"`
	Consents  []string  `json:"consents"`
	Announced []string  `json:"announced"`
	Lapses    time.Time `json:"lapses"`
}

type viewDuel struct {
	ID        int        `json:"id"`
	Kind      string     `json:"kind"`
	Land      string     `json:"land"`
	Initiator string     `json:"initiator"`
	Target    string     `json:"target"`
	StandIn   *string    `json:"stand_in"`
	Status    string     `json:"status"`
	Declared  time.Time  `json:"declared"`
	Due       time.Time  `json:"due"`
	Postponed bool       `json:"postponed"`
	Property  *[]string  `json:"property,omitempty"`
	Stake     *viewStake `json:"stake"`
	Result    *string    `json:"result"`
	Winner    *string    `json:"winner"`
	Closed    *time.Time `json:"closed"`
}

type viewStake struct {
	InitiatorFeud *string `json:"initiator_feud"`
	TargetFeud    *string `json:"target_feud"`
	StandInFeud   *string `json:"stand_in_feud"`
	Gold          int64   `json:"gold"`
}

// view shows the state to a viewer.
func (s *State) view(who rules.Viewer) view {
	sees := func(nicks ...string) bool {
		return who.GM || who.Seat != "" && slices.Contains(nicks, string(who.Seat))
	}
	v := view{
		Lands: s.Lands, Presenter: s.Presenter,
		Magistrate:  viewMagistrate{Feuds: s.Store},
		Inhabitants: map[string]viewLandsman{},
		Property:    map[string]viewItem{},
		Offers:      []viewOffer{}, Duels: []viewDuel{}, Tourneys: []viewTourney{}, Wars: []viewWar{},
	}
	owned := map[string][]string{}
	for _, name := range sorted(s.Items) {
		i := s.Items[name]
		owned[i.Owner] = append(owned[i.Owner], name)
		if sees(i.Owner) {
			v.Property[name] = viewItem{Kind: i.Kind, Level: i.Level, Owner: i.Owner, Held: orNil(i.heldFor())}
		}
	}
	if who.GM {
		v.Magistrate.Gold, v.Magistrate.Property = &s.Treasury, new(list(owned[magistrate]))
		v.Ledger, v.Saves = s.ledger(), s.viewOfSaves()
	}
	for nick, p := range s.Inhabitants {
		l := viewOf(p)
		if sees(nick) {
			l.viewPrivate = privateOf(p, owned[nick])
		}
		v.Inhabitants[nick] = l
	}
	for _, f := range s.Offers {
		if sees(f.Suzerain, f.Vassal) {
			v.Offers = append(v.Offers, viewOffer{f.Land, f.Suzerain, f.Vassal, list(f.Consents), list(f.Announced), f.Lapses})
		}
	}
	for _, d := range s.Duels {
		v.Duels = append(v.Duels, viewOfDuel(d, sees(d.Target)))
	}
	for _, t := range s.Tourneys {
		v.Tourneys = append(v.Tourneys, viewOfTourney(t, sees))
	}
	for _, w := range s.Wars {
		v.Wars = append(v.Wars, s.viewOfWar(w, sees))
	}
	return v
}

// viewOfDuel shows a duel, with its property or without.
func viewOfDuel(d *Duel, property bool) viewDuel {
	v := viewDuel{ID: d.ID, Kind: d.Kind, Land: d.Land, Initiator: d.Initiator, Target: d.Target,
		StandIn: orNil(d.StandIn), Status: d.Status, Declared: d.Declared, Due: d.Due, Postponed: d.Postponed,
		Result: orNil(d.Result), Winner: orNil(d.Winner), Closed: d.Closed}
	if property {
		v.Property = new(list(d.Property))
	}
	if st := d.Stake; st != nil {
		v.Stake = &viewStake{orNil(st.InitiatorFeud), orNil(st.TargetFeud), orNil(st.StandInFeud), st.Gold}
	}
	return v
}

// viewOf shows what everybody may know of an inhabitant.
func viewOf(p *Inhabitant) viewLandsman {
	l := viewLandsman{
		Race: p.Race, Continent: p.Continent, Clan: p.Clan,
		Offices: map[string]*time.Time{}, Feuds: map[string][]string{}, Rank: map[string]string{},
		Suzerain: map[string]*string{}, Vassals: map[string][]string{}, Flag: map[string]bool{},
		Immunity: map[string]*time.Time{}, WarImmunity: map[string]int{},
	}
	for office, term := range p.Offices {
		l.Offices[office] = term.Until
	}
	for land, st := range p.In {
		l.Feuds[land] = list(st.Feuds)
		l.Rank[land] = st.Rank.String()
		l.Suzerain[land] = orNil(st.Suzerain)
		l.Vassals[land] = list(st.Vassals)
		l.Flag[land] = st.Flag
		l.Immunity[land] = nil
		if st.Immunity != nil {
			l.Immunity[land] = &st.Immunity.Until
		}
		l.WarImmunity[land] = st.WarImmune
	}
	return l
}

// privateOf shows the rest.
func privateOf(p *Inhabitant, items []string) *viewPrivate {
	v := &viewPrivate{Gold: p.Gold, Held: p.Held, Property: list(items),
		IndependenceBar: map[string]*time.Time{}, Windows: map[string][]viewWindow{}}
	for land, st := range p.In {
		v.IndependenceBar[land] = st.Bar
		v.Windows[land] = []viewWindow{}
		for _, w := range st.Windows {
			v.Windows[land] = append(v.Windows[land], viewWindow(w))
		}
	}
	return v
}

// list returns a list that JSON shows as [] when empty.
func list(l []string) []string {
	if l == nil {
		return []string{}
	}
	return l
}

// orNil returns a name, nil when there is none.
func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
