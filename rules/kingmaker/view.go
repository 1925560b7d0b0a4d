package kingmaker

import (
	"slices"
	"time"

	"arroba/rules"
)

// The state as it is shown. A GM sees all of it; everybody else what is public and what his faction may know.

type view struct {
	Ruleset     string                  `json:"ruleset"`
	Round       int                     `json:"round"`
	Turn        string                  `json:"turn"`
	Phase       string                  `json:"phase"`
	Deadline    *time.Time              `json:"deadline"`
	Ready       bool                    `json:"ready"`
	Factions    map[string]viewFaction  `json:"factions"`
	Nobles      map[string]viewNoble    `json:"nobles"`
	Ships       map[string]viewShip     `json:"ships"`
	Heirs       map[string]viewHeir     `json:"heirs"`
	Locations   map[string]viewLocation `json:"locations"`
	Groups      []viewGroup             `json:"groups"`
	Alliances   []viewAlliance          `json:"alliances"`
	Truces      []viewTruce             `json:"truces"`
	Permissions []viewPermission        `json:"permissions"`
	Orders      []viewOrder             `json:"orders"`
	Combats     []viewCombat            `json:"combats"`
	Decks       map[string][]string     `json:"decks,omitempty"` // the GM's: nobody else knows what comes
}

type viewFaction struct {
	Player string `json:"player"`
	Missed int    `json:"nmr"`
}

type viewNoble struct {
	Faction   string   `json:"faction"`
	Space     string   `json:"space"`
	Location  string   `json:"location"`
	Ship      string   `json:"ship"`
	Group     *int     `json:"group"`
	Moved     bool     `json:"moved"`
	Fought    bool     `json:"fought"`
	Defends   string   `json:"defends"` // known to his faction and the GM
	Items     []string `json:"items"`
	Strength  int      `json:"strength"`
	Potential int      `json:"potential"`
	Removed   bool     `json:"removed"`
}

type viewShip struct {
	Faction    string   `json:"faction"`
	At         string   `json:"at"`
	Forced     bool     `json:"forced"`
	Group      *int     `json:"group"`
	Moved      bool     `json:"moved"`
	Passengers []string `json:"passengers"`
	Removed    bool     `json:"removed"`
}

type viewHeir struct {
	Space    string `json:"space"`
	Location string `json:"location"`
	Holder   string `json:"holder"`
	Crowned  bool   `json:"crowned"`
	Removed  bool   `json:"removed"`
}

type viewLocation struct {
	Type       string   `json:"type"`
	Controller string   `json:"controller"`
	Inside     []string `json:"inside"`
}

type viewGroup struct {
	N       int      `json:"n"`
	Kind    string   `json:"kind"`
	Members []string `json:"members"`
	Joint   bool     `json:"joint"`
	Senior  string   `json:"senior"`
	Rule    string   `json:"rule"`
}

type viewAlliance struct {
	N        int               `json:"n"`
	Proposer string            `json:"proposer"`
	Asked    []string          `json:"asked"`
	Answers  map[string]string `json:"answers"`
	Members  []string          `json:"members"`
	Status   string            `json:"status"`
	Public   bool              `json:"public"`
	Due      *time.Time        `json:"due"`
}

type viewTruce struct {
	Factions []string `json:"factions"`
	Breaker  string   `json:"breaker"`
	Round    int      `json:"round"`
}

type viewPermission struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Location string `json:"location"`
	Kind     string `json:"kind"`
	Standing bool   `json:"standing"`
}

type viewOrder struct {
	N      int      `json:"n"`
	By     string   `json:"by"`
	Line   string   `json:"line"`
	Status string   `json:"status"` // kept, pending
	Asks   []string `json:"asks"`
}

type viewCombat struct {
	N         int      `json:"n"`
	Kind      string   `json:"kind"`
	By        string   `json:"by"`
	Target    string   `json:"target"`
	Attackers []string `json:"attackers"`
	Defenders []string `json:"defenders"`
	Attack    int      `json:"attack"`
	Defence   int      `json:"defence"`
	Result    string   `json:"result"`
}

// viewer is who looks at a state: the GM, a faction, or with neither the public.
type viewer struct {
	gm bool
	f  string
}

// knows tells whether a viewer may know what these factions and the GM know.
func (v viewer) knows(factions ...string) bool {
	return v.gm || v.f != "" && slices.Contains(factions, v.f)
}

func (s *State) view(who rules.Viewer) view {
	v := viewer{who.GM, s.factionOf(who.Seat)}
	r := &s.Rounds
	shown := view{Ruleset: "kingmaker", Round: r.Phase.Round, Turn: s.Turn, Phase: r.Phase.Name,
		Factions: map[string]viewFaction{}, Ships: map[string]viewShip{}, Nobles: map[string]viewNoble{}, Heirs: map[string]viewHeir{}, Locations: map[string]viewLocation{},
		Groups: []viewGroup{}, Combats: []viewCombat{}}
	if !r.Held() {
		shown.Deadline = r.Deadline
	}
	shown.Ready = s.Turn != "" && v.knows(s.Turn) && r.IsReady(s.player(s.Turn))
	for f, x := range s.Factions {
		shown.Factions[f] = viewFaction{string(x.Player), x.Missed}
	}
	for name := range s.Nobles {
		shown.Nobles[name] = s.viewNoble(name, v)
	}
	for name := range s.Ships {
		shown.Ships[name] = s.viewShip(name)
	}
	for name, h := range s.Heirs {
		at := s.where(name)
		if n := s.Nobles[h.Holder]; n != nil && n.Ship != "" {
			at.Location = "" // he is aboard
		}
		shown.Heirs[name] = viewHeir{at.Space, at.Location, h.Holder, h.Crowned, h.Removed}
	}
	for _, l := range s.World.Locations {
		shown.Locations[l.Name] = viewLocation{l.Type, s.Control[l.Name], list(s.inside(l.Name))}
	}
	for _, g := range s.Groups {
		shown.Groups = append(shown.Groups, viewGroup{g.N, g.Kind, g.Members, s.joint(g), g.Senior, g.Rule})
	}
	for i, c := range s.Combats {
		shown.Combats = append(shown.Combats, viewCombat{i + 1, c.Kind, c.By, c.Target, c.Attackers, list(c.Defenders), c.Attack, c.Defence, c.Result})
	}
	shown.Alliances, shown.Truces, shown.Permissions, shown.Orders = s.viewAlliances(v), s.viewTruces(v), s.viewPermissions(v), s.viewOrders(v)
	if v.gm {
		shown.Decks = s.Decks
	}
	return shown
}

func (s *State) viewNoble(name string, v viewer) viewNoble {
	n, at := s.Nobles[name], s.where(name)
	shown := viewNoble{Faction: n.Faction, Space: at.Space, Location: at.Location, Ship: n.Ship, Group: s.groupNumber(name), Moved: n.Moved, Fought: n.Fought,
		Items: list(s.items(name)), Potential: s.potential(name), Removed: n.Removed}
	if n.Ship != "" {
		shown.Location = ""
	}
	if v.knows(n.Faction) {
		shown.Defends = n.Defends
	}
	if s.inPlay(name) {
		shown.Strength = s.strength(name)
	}
	return shown
}

func (s *State) viewShip(name string) viewShip {
	sh := s.Ships[name]
	at := sh.Location
	if at == "" {
		at = sh.Space
	}
	return viewShip{sh.Faction, at, sh.Forced, s.groupNumber(name), sh.Moved, list(s.aboard(name)), sh.Removed}
}

func (s *State) groupNumber(unit string) *int {
	if g := s.group(unit); g != nil {
		return &g.N
	}
	return nil
}

// viewAlliances are the alliances that a viewer may know of (KM-A2b). Who was asked hears no answer but his own.
func (s *State) viewAlliances(v viewer) []viewAlliance {
	shown := []viewAlliance{}
	for i, a := range s.Alliances {
		inside := v.knows(append([]string{a.Proposer}, a.Members...)...)
		if !inside && !v.knows(a.Asked...) {
			if a.Public { // who proposed it, who was asked and who said no is still nobody else's to know
				shown = append(shown, viewAlliance{N: i + 1, Asked: []string{}, Answers: map[string]string{}, Members: list(a.Members), Status: a.Status, Public: true})
			}
			continue
		}
		x := viewAlliance{N: i + 1, Proposer: a.Proposer, Asked: a.Asked, Answers: map[string]string{}, Members: list(a.Members), Status: a.Status, Public: a.Public, Due: a.Due}
		for f, yes := range a.Answers {
			if inside && (v.gm || v.f == a.Proposer) || v.knows(f) {
				x.Answers[f] = answers[yes]
			}
		}
		shown = append(shown, x)
	}
	return shown
}

// answers are the words for a yes and a no.
var answers = map[bool]string{true: "yes", false: "no"}

func (s *State) viewTruces(v viewer) []viewTruce {
	shown := []viewTruce{}
	for _, t := range s.Truces {
		if t.Public || v.knows(t.Breaker, t.Former) {
			shown = append(shown, viewTruce{[]string{t.Breaker, t.Former}, t.Breaker, t.Round})
		}
	}
	return shown
}

func (s *State) viewPermissions(v viewer) []viewPermission {
	shown := []viewPermission{}
	for _, p := range s.Permissions {
		if v.knows(p.From, p.To) {
			shown = append(shown, viewPermission(p))
		}
	}
	return shown
}

// viewOrders are the kept orders of a viewer's own faction, and those that await its confirmation.
func (s *State) viewOrders(v viewer) []viewOrder {
	shown := []viewOrder{}
	for _, k := range s.Rounds.Orders {
		by, asks := s.factionOf(k.Seat), s.Asks[k.N]
		if !v.knows(append([]string{by}, asks...)...) {
			continue
		}
		x := viewOrder{k.N, by, k.Order.Line, "kept", list(asks)}
		if len(asks) > 0 {
			x.Status = "pending"
		}
		shown = append(shown, x)
	}
	return shown
}

// list is a list that JSON writes as [] when it is empty.
func list(of []string) []string {
	if of == nil {
		return []string{}
	}
	return of
}
