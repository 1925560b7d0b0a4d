package heroeslands

import "time"

// Tourneys and wars as they are shown.

type viewTourney struct {
	Name        string           `json:"name"`
	Land        string           `json:"land"`
	Common      bool             `json:"common"`
	Closed      time.Time        `json:"closed"`
	ClaimsUntil time.Time        `json:"claims_until"`
	Best        []string         `json:"best"`
	Paid        map[string]int64 `json:"paid"`   // a viewer sees his own, the GM all
	Shared      map[string]int64 `json:"shared"` // likewise
	Results     []viewPlace      `json:"results"`
}

type viewPlace struct {
	Place    int64   `json:"place"`
	Nick     string  `json:"nick"`
	Days     int64   `json:"days"`
	Points   int64   `json:"points"`
	Gold     int64   `json:"gold"`
	Suzerain *string `json:"suzerain"`
	Feuds    int     `json:"feuds"`
	Paid     *bool   `json:"paid,omitempty"`
}

type viewWar struct {
	ID            int          `json:"id"`
	Land          string       `json:"land"`
	Status        string       `json:"status"`
	Mode          string       `json:"mode"`
	Participants  int          `json:"participants"`
	Declared      time.Time    `json:"declared"`
	Begin         time.Time    `json:"begin"`
	End           time.Time    `json:"end"`
	PostponedDays int          `json:"postponed_days"`
	Stake         viewWarStake `json:"stake"`
	RostersClosed *time.Time   `json:"rosters_closed"`
	*viewWarSaves
	Attacker viewSide   `json:"attacker"`
	Defender viewSide   `json:"defender"`
	Pairs    []viewPair `json:"pairs"`
	Result   *string    `json:"result"`
	Winner   *string    `json:"winner"`
	Closed   *time.Time `json:"closed"`
}

type viewWarStake struct {
	Kind   string `json:"kind"`
	Amount int64  `json:"amount"`
}

// viewWarSaves is what those in a war and the GM know of its saves.
type viewWarSaves struct {
	Issued *time.Time `json:"saves_issued"`
	Sent   *time.Time `json:"saves_sent"`
}

type viewSide struct {
	Suzerain string     `json:"suzerain"`
	Roster   *[]*string `json:"roster,omitempty"` // public once it is closed, before that its own people's
	*viewTerms
}

// viewTerms is what the suzerains of a war and the GM know.
type viewTerms struct {
	ClanRules  *bool         `json:"clan_rules"`
	BeginEarly *time.Time    `json:"begin_early"`
	Stake      *viewWarStake `json:"stake"`
}

type viewPair struct {
	Save     int     `json:"save"`
	Attacker *string `json:"attacker"`
	Defender *string `json:"defender"`
	*viewAttackerSave
	*viewDefenderSave
	*viewAttackerProperty
	*viewDefenderProperty
	*viewOpened
	Result *string `json:"result"`
}

// A save is its sender's to see, property that of the suzerain who put it in and of its owners; what was opened the pair and
// the suzerains know. The GM sees all.
type (
	viewAttackerSave struct {
		Save *viewSave `json:"attacker_save"`
	}
	viewDefenderSave struct {
		Save *viewSave `json:"defender_save"`
	}
	viewAttackerProperty struct {
		Items []string `json:"attacker_property"`
	}
	viewDefenderProperty struct {
		Items []string `json:"defender_property"`
	}
	viewOpened struct {
		Opened []string `json:"opened"`
	}
)

type viewSave struct {
	Received time.Time `json:"received"`
	Days     int64     `json:"days"`
	Points   int64     `json:"points"`
}

func viewOfTourney(t *Tourney, sees func(...string) bool) viewTourney {
	v := viewTourney{Name: t.Name, Land: t.Land, Common: t.Common, Closed: t.Closed, ClaimsUntil: t.ClaimsUntil,
		Best: list(t.Best), Paid: map[string]int64{}, Shared: map[string]int64{}, Results: []viewPlace{}}
	for nick, n := range t.Paid {
		if sees(nick) {
			v.Paid[nick], v.Shared[nick] = n, t.Shared[nick]
		}
	}
	for _, r := range t.Results {
		p := viewPlace{Place: r.Place, Nick: r.Nick, Days: r.Days, Points: r.Points, Gold: r.Gold, Suzerain: orNil(r.Suzerain), Feuds: r.Feuds}
		if sees(r.Suzerain) {
			p.Paid = &r.Paid
		}
		v.Results = append(v.Results, p)
	}
	return v
}

func (s *State) viewOfWar(w *War, sees func(...string) bool) viewWar {
	v := viewWar{ID: w.ID, Land: w.Land, Status: w.Status, Mode: w.Mode, Participants: w.Participants, Declared: w.Declared,
		Begin: w.Begin, End: w.end(), PostponedDays: w.Postponed, Stake: viewWarStake(w.Stake), RostersClosed: w.RostersClosed,
		Attacker: viewOfSide(w, &w.Attacker, sees), Defender: viewOfSide(w, &w.Defender, sees), Pairs: []viewPair{},
		Result: orNil(w.Result), Winner: orNil(w.Winner), Closed: w.Closed}
	if sees(w.people()...) {
		v.viewWarSaves = &viewWarSaves{w.SavesIssued, w.SavesSent}
	}
	for i := range w.Pairs {
		v.Pairs = append(v.Pairs, s.viewOfPair(w, i, sees))
	}
	return v
}

// viewSaves are both saves of a pair, with the Magistrate's result if he gave one.
type viewSaves struct {
	War    int     `json:"war"`
	Save   int     `json:"save"`
	Saves  []any   `json:"saves"`
	Result *string `json:"result"`
}

// viewOfSaves are the pairs of wars being fought for which a save has come.
func (s *State) viewOfSaves() (list []viewSaves) {
	for _, w := range s.openWars() {
		for i := range w.Pairs {
			if p := &w.Pairs[i]; p.AttackerSave != nil || p.DefenderSave != nil {
				list = append(list, viewSaves{w.ID, i + 1, p.bothSaves(), orNil(p.Result)})
			}
		}
	}
	return list
}

// people are the suzerains and participants of a war.
func (w *War) people() (list []string) {
	for _, side := range w.sides() {
		list = append(append(list, side.Suzerain), filter(append([]string(nil), side.Roster...), func(n string) bool { return n != "" })...)
	}
	return list
}

func viewOfSide(w *War, side *Side, sees func(...string) bool) viewSide {
	v := viewSide{Suzerain: side.Suzerain}
	if w.RostersClosed != nil || sees(append([]string{side.Suzerain}, side.Roster...)...) {
		v.Roster = new(places(side.Roster))
	}
	if sees(w.Attacker.Suzerain, w.Defender.Suzerain) {
		v.viewTerms = &viewTerms{ClanRules: side.ClanRules, BeginEarly: side.BeginEarly, Stake: (*viewWarStake)(side.Stake)}
	}
	return v
}

// places are those of a roster, nil an empty one.
func places(roster []string) []*string {
	list := []*string{}
	for _, n := range roster {
		list = append(list, orNil(n))
	}
	return list
}

func (s *State) viewOfPair(w *War, i int, sees func(...string) bool) viewPair {
	p := &w.Pairs[i]
	v := viewPair{Save: i + 1, Attacker: orNil(p.Attacker), Defender: orNil(p.Defender)}
	if w.Closed != nil || sees() {
		v.Result = orNil(p.Result)
	}
	if sees(p.Attacker) {
		v.viewAttackerSave = &viewAttackerSave{p.AttackerSave.view()}
	}
	if sees(p.Defender) {
		v.viewDefenderSave = &viewDefenderSave{p.DefenderSave.view()}
	}
	if sees(s.knowItems(w.Attacker.Suzerain, p.AttackerProperty)...) {
		v.viewAttackerProperty = &viewAttackerProperty{list(p.AttackerProperty)}
	}
	if sees(s.knowItems(w.Defender.Suzerain, p.DefenderProperty)...) {
		v.viewDefenderProperty = &viewDefenderProperty{list(p.DefenderProperty)}
	}
	if sees(p.Attacker, p.Defender, w.Attacker.Suzerain, w.Defender.Suzerain) {
		v.viewOpened = &viewOpened{list(p.Opened)}
	}
	return v
}

// knowItems are those who know what a suzerain put into a save: he and the owners.
func (s *State) knowItems(suzerain string, items []string) []string {
	who := []string{suzerain}
	for _, i := range items {
		who = append(who, s.Items[i].Owner)
	}
	return who
}

// view shows a save, nil when there is none.
func (s *Save) view() *viewSave {
	if s == nil {
		return nil
	}
	return &viewSave{s.Received, s.Days, s.Points}
}
