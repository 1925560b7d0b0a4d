package kingmaker

import (
	"fmt"
	"slices"
	"time"

	"arroba/orders"
	"arroba/rules"
	"arroba/rules/rounds"
)

// worldFile is the [world] table.
type worldFile struct {
	Start     time.Time      `toml:"start"`
	Rules     worldRules     `toml:"rules"`
	Limits    worldLimits    `toml:"limits"`
	Faction   []FactionData  `toml:"faction"`
	Space     []SpaceData    `toml:"space"`
	Sea       []SeaData      `toml:"sea"`
	Location  []LocationData `toml:"location"`
	Road      []RoadData     `toml:"road"`
	Area      []AreaData     `toml:"area"`
	Noble     []NobleData    `toml:"noble"`
	Ship      []ShipData     `toml:"ship"`
	Heir      []HeirData     `toml:"heir"`
	Item      []ItemData     `toml:"item"`
	Deck      []DeckData     `toml:"deck"`
	Odds      []string       `toml:"odds"`
	Seniority *Seniority     `toml:"seniority"`
}

type worldRules struct {
	Turn                string `toml:"turn"`
	AllianceWindow      string `toml:"alliance_window"`
	Combat              string `toml:"combat"`
	Siege               string `toml:"siege"`
	StrictOccupiedPorts bool   `toml:"strict_occupied_ports"`
}

type worldLimits struct {
	Road    *int `toml:"road"`
	OffRoad *int `toml:"offroad"`
	Ship    *int `toml:"ship"`
}

// seniority is the order of offices and sees where the world has none of its own (KM-A7.ii, iii). The forum's text names
// the Marshal again for fleets, and means the Admiral.
var seniority = Seniority{
	Army:  []string{"Chancellor of England", "Marshal of England", "Warden of the Northern Marches", "Treasurer of England"},
	Fleet: []string{"Chancellor of England", "Admiral of England", "Warden of the Cinque Ports", "Treasurer of England"},
	Sees:  []string{"Archbishop of Canterbury", "Archbishop of York", "Bishop of Westminster", "Bishop of Durham", "Bishop of Carlisle"},
}

// size is what a location of a type has where the world file says nothing of it.
type size struct{ garrison, capacity int }

// sizes are the types of locations.
var sizes = map[string]size{
	city: {300, 600}, fortified: {200, 400}, royal: {200, 300}, nobleCastle: {100, 200}, open: {200, 300}, unfortified: {0, 300},
}

// fault is an error in the world file, with the path of the key it is about.
type fault struct {
	path, what string
}

func (f *fault) Error() string { return f.path + ": " + f.what }

// opener makes a state of a world file. It works on after a fault; the first is the error.
type opener struct {
	*State
	f      worldFile
	in     rules.World
	err    error
	faults []*fault // all of them
}

// openWorld begins a game: the first turn begins at its start.
func openWorld(in rules.World, _ *rules.Dice) (*State, []rules.Event, error) {
	o := &opener{in: in, State: &State{World: &World{}, Rounds: rounds.New(in)}}
	if err := in.Decode(&o.f); err != nil {
		return nil, nil, err
	}
	o.world()
	if o.err == nil {
		o.check()
	}
	if o.err == nil {
		o.position()
	}
	return o.State, nil, o.err
}

// fail records a fault at a key.
func (o *opener) fail(path, format string, args ...any) {
	f := &fault{path: path, what: fmt.Sprintf(format, args...)}
	if o.faults = append(o.faults, f); o.err == nil {
		o.err = f
	}
}

// world takes the file over, with what it leaves out.
func (o *opener) world() {
	f, w := &o.f, o.World
	*w = World{Start: f.Start, Factions: f.Faction, Spaces: f.Space, Seas: f.Sea, Locations: f.Location, Roads: f.Road, Areas: f.Area,
		Nobles: f.Noble, Ships: f.Ship, Heirs: f.Heir, Items: f.Item, Decks: f.Deck, Odds: f.Odds, Seniority: seniority}
	if w.Start.IsZero() && len(o.in.Members) > 0 {
		o.fail("world.start", `the instant at which Round 1 begins is needed, as start = "2026-03-01T12:00:00Z"`)
	}
	if f.Seniority != nil {
		w.Seniority = *f.Seniority
	}
	w.Limits = Limits{Road: or(f.Limits.Road, 0), OffRoad: or(f.Limits.OffRoad, 2), Ship: or(f.Limits.Ship, 3)}
	w.Rules = Settings{
		Turn:           o.duration("world.rules.turn", f.Rules.Turn, 24*time.Hour),
		StrictOccupied: f.Rules.StrictOccupiedPorts,
		Odds:           o.choice("world.rules.combat", f.Rules.Combat, "gm", "odds") == 1,
		Strength:       o.choice("world.rules.siege", f.Rules.Siege, "gm", "strength") == 1,
	}
	if f.Rules.AllianceWindow != "deadline" {
		w.Rules.Window = o.duration("world.rules.alliance_window", f.Rules.AllianceWindow, 24*time.Hour)
	}
}

func or(n *int, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return *n
}

func (o *opener) duration(path, text string, otherwise time.Duration) time.Duration {
	if text == "" {
		return otherwise
	}
	d, ok := orders.ParseDuration(text)
	if !ok || d <= 0 {
		o.fail(path, `%q is no length of time; write one as "36h", "90m" or "2d"`, text)
	}
	return d
}

// choice returns which of several words a key has; the first when it is left out.
func (o *opener) choice(path, text string, words ...string) int {
	if text == "" {
		return 0
	}
	i := slices.Index(words, text)
	if i < 0 {
		o.fail(path, "%q is none of %v", text, words)
	}
	return i
}

// position puts everything where the file has it.
func (o *opener) position() {
	s, w := o.State, o.World
	s.Start = w.Start.UTC()
	s.Factions, s.Nobles, s.Ships, s.Heirs = map[string]*Faction{}, map[string]*Noble{}, map[string]*Ship{}, map[string]*Heir{}
	s.Holders, s.Control, s.Asks, s.Decks = map[string]string{}, map[string]string{}, map[int][]string{}, map[string][]string{}
	for _, f := range w.Factions {
		s.Factions[f.Name] = &Faction{Player: rules.Seat(f.Player)}
	}
	for _, l := range w.Locations {
		if l.Controller != "" {
			s.Control[l.Name] = l.Controller
		}
	}
	for _, d := range w.Ships {
		s.Ships[d.Name] = &Ship{Faction: d.Faction, Place: w.place(d.At), Forced: d.Forced}
	}
	for _, d := range w.Nobles {
		n := &Noble{Faction: d.Faction, Place: w.place(d.At)}
		if s.Ships[d.At] != nil {
			n.Ship, n.Place = d.At, Place{}
		}
		s.Nobles[d.Name] = n
	}
	for _, d := range w.Heirs {
		s.Heirs[d.Name] = &Heir{Place: w.place(d.At), Holder: d.Holder, Crowned: d.Crowned}
	}
	for _, d := range w.Items {
		if d.Holder == "" {
			continue
		}
		s.Holders[d.Name] = d.Holder
		if f := s.of(d.Holder); d.Location != "" && f != "" && s.Control[d.Location] == "" {
			s.Control[d.Location] = f // KM-0.2
		}
	}
	for _, d := range w.Decks {
		s.Decks[d.Name] = slices.Clone(d.Entries)
	}
}

// place is where the name of a space, a sea zone or a location puts a unit.
func (w *World) place(name string) Place {
	if l := w.at().locations[name]; l != nil {
		return Place{Space: l.Space, Location: name}
	}
	return Place{Space: name}
}
