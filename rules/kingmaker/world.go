package kingmaker

import (
	"time"
)

// World is what a world file says and what never changes afterwards. Lists keep their order, which is that of the Round for
// factions and that of every list of units.
type World struct {
	Start     time.Time
	Rules     Settings
	Limits    Limits
	Factions  []FactionData
	Spaces    []SpaceData
	Seas      []SeaData
	Locations []LocationData
	Roads     []RoadData
	Areas     []AreaData
	Nobles    []NobleData
	Ships     []ShipData
	Heirs     []HeirData
	Items     []ItemData
	Decks     []DeckData
	Odds      []string
	Seniority Seniority

	index *index // worked out from the rest when it is first asked for
}

// Settings are the house rules of a game.
type Settings struct {
	Turn           time.Duration // the length of the phase orders
	Window         time.Duration // to answer an alliance question; 0: until the end of the next closing
	Odds           bool          // battles are decided by odds
	Strength       bool          // sieges are decided by strength
	StrictOccupied bool          // any occupant bars a port, even one's own
}

// Limits are how far one journey goes, in steps.
type Limits struct {
	Road    int `toml:"road"` // 0: no limit
	OffRoad int `toml:"offroad"`
	Ship    int `toml:"ship"`
}

// FactionData is a side of the game as the world file has it.
type FactionData struct {
	Name    string   `toml:"name"`
	Player  string   `toml:"player"`
	Aliases []string `toml:"aliases"`
}

// SpaceData is a space of land.
type SpaceData struct {
	Name     string   `toml:"name"`
	Adjacent []string `toml:"adjacent"`
	Aliases  []string `toml:"aliases"`
	Point
}

// SeaData is a sea zone.
type SeaData struct {
	Name     string   `toml:"name"`
	Adjacent []string `toml:"adjacent"`
	Aliases  []string `toml:"aliases"`
	Point
}

// Point is where something is drawn on the map, in degrees; nil when the file does not say.
type Point struct {
	Lat *float64 `toml:"lat"`
	Lon *float64 `toml:"lon"`
}

// LocationData is a town or castle.
type LocationData struct {
	Name       string   `toml:"name"`
	Space      string   `toml:"space"`
	Type       string   `toml:"type"`
	Controller string   `toml:"controller"`
	Sea        []string `toml:"sea"` // the sea zones it touches: a port has some
	Garrison   *int     `toml:"garrison"`
	Capacity   *int     `toml:"capacity"`
	Cathedral  bool     `toml:"cathedral"`
	Aliases    []string `toml:"aliases"`
	Point
}

// RoadData is a road through spaces, one after the other.
type RoadData struct {
	Name    string   `toml:"name"`
	Spaces  []string `toml:"spaces"`
	Through []string `toml:"through"` // the locations that stand on it
}

// AreaData is a part of the land.
type AreaData struct {
	Name    string   `toml:"name"`
	Spaces  []string `toml:"spaces"`
	Aliases []string `toml:"aliases"`
}

// NobleData is a noble.
type NobleData struct {
	Name    string   `toml:"name"`
	Title   string   `toml:"title"`
	Troops  int      `toml:"troops"`
	Faction string   `toml:"faction"`
	At      string   `toml:"at"`
	Seat    []string `toml:"seat"` // his castles
	Votes   Votes    `toml:"votes"`
	Aliases []string `toml:"aliases"`
}

// ShipData is a ship.
type ShipData struct {
	Name     string   `toml:"name"`
	Capacity int      `toml:"capacity"`
	Faction  string   `toml:"faction"`
	At       string   `toml:"at"`
	Forced   bool     `toml:"forced"`
	Aliases  []string `toml:"aliases"`
}

// HeirData is an heir to the crown.
type HeirData struct {
	Name    string   `toml:"name"`
	House   string   `toml:"house"`
	Rank    int      `toml:"rank"`
	At      string   `toml:"at"`
	Holder  string   `toml:"holder"`
	Crowned bool     `toml:"crowned"`
	Aliases []string `toml:"aliases"`
}

// ItemData is a crown item.
type ItemData struct {
	Name     string        `toml:"name"`
	Kind     string        `toml:"kind"` // title, office, bishopric, mercenary, town
	Troops   int           `toml:"troops"`
	Limited  []LimitedData `toml:"limited"`
	Votes    Votes         `toml:"votes"`
	Holder   string        `toml:"holder"`
	Location string        `toml:"location"`
	Aliases  []string      `toml:"aliases"`
}

// LimitedData are troops that count in one area only.
type LimitedData struct {
	Area   string `toml:"area"`
	Troops int    `toml:"troops"`
}

// Votes are the votes in parliament that somebody has.
type Votes struct {
	Lords   int `toml:"lords"`
	Commons int `toml:"commons"`
}

// DeckData is a deck of cards.
type DeckData struct {
	Name    string   `toml:"name"`
	Entries []string `toml:"entries"`
	Aliases []string `toml:"aliases"`
}

// Seniority are the items by which Senior Officers are found (KM-A7), the highest first.
type Seniority struct {
	Army  []string `toml:"army"`
	Fleet []string `toml:"fleet"`
	Sees  []string `toml:"sees"`
}
