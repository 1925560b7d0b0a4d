package heroeslands

import (
	"slices"
	"sort"
	"time"
)

// State is the whole of a game. Lands, inhabitants and items are kept by name; every Land has its entry in every
// per-Land map. What is unexported is worked out from the rest and may be missing.
type State struct {
	GMs         []string
	Members     []string // the nicks of all members at the opening
	Presenter   string
	Lands       []string
	Clans       []string
	Races       map[string]string // race to continent
	Settings    Settings
	Treasury    int64
	Opening     int64               // the opening balance: the counter-account of what the game opened with
	Book        Book                // of the treasury
	Store       map[string][]string // feuds nobody owns, by Land
	Inhabitants map[string]*Inhabitant
	Items       map[string]*Item
	Offers      []*Offer   // open ones, in order of opening
	Duels       []*Duel    // all there ever were; the id is the place, from 1
	Tourneys    []*Tourney // all that were closed, in that order
	Placing     *Placing   // the one that the letter at hand has closed; nil between letters
	Wars        []*War     // all there ever were; the id is the place, from 1

	cache cache
}

// Inhabitant is one who may own feuds. Gold and Held add up to what is his.
type Inhabitant struct {
	Gold      int64 // may be negative: a debt
	Held      int64
	Race      string
	Continent string // home, "" when unknown
	Clan      string
	Offices   map[string]Office
	In        map[string]*Standing // by Land
}

// Standing is what an inhabitant is in one Land.
type Standing struct {
	Feuds     []string // in order of gaining
	Rank      Rank
	Suzerain  string
	Since     time.Time // of the service
	Vassals   []string  // in order of service, then nick
	Flag      bool
	Immunity  *Immunity
	Bar       *time.Time // until when he may not challenge for independence
	WarImmune int        // Common Tourneys still to be closed
	Windows   []Window
}

// Immunity keeps one from being challenged for vassalage, its last instant included.
type Immunity struct {
	Until time.Time
	Named bool // by the Magistrate: it does not move when the game was held
}

// Window is the time in which a fallen suzerain releases vassals.
type Window struct {
	Opened, Due time.Time
	Allowed     int // vassals he may keep; noLimit after a rise
}

// Office is a term of office.
type Office struct {
	Until *time.Time // nil without end
}

// Item is a piece of property.
type Item struct {
	Kind  string // mine, artifact, unit
	Level int    // 0 of a mine
	Owner string // a nick or "magistrate"
	Duel  int    // that it is held for, 0 when for none
	War   int    // likewise
}

// Offer is a voluntary vassalage that has not begun.
type Offer struct {
	Land, Suzerain, Vassal string
	Consents, Announced    []string
	Lapses                 time.Time
}

// Duel is a duel between two, for vassalage, for independence, or an ordinary one for a stake.
type Duel struct {
	ID        int
	Kind      string // vassalage, independence or ordinary
	Land      string
	Initiator string
	Target    string
	StandIn   string // of an ordinary one: the suzerain who fights instead of the target
	Status    string // called (ordinary only), open, closed, declined, lapsed, annulled
	Declared  time.Time
	Due       time.Time // of a called one: when the call lapses
	Set       time.Time // when Due was set: at the challenge, or when it was postponed
	Reminded  bool      // that it is due
	Postponed bool
	Property  []string // put into it, in order of name; held while it is open
	Cover     int64    // of the initiator's, held until the result
	Stake     *Stake   // of an ordinary one
	Result    string
	Winner    string
	Closed    *time.Time
}

// Stake is what an ordinary duel is fought for: a feud of each side or none, and the same @ of both.
type Stake struct {
	InitiatorFeud, TargetFeud, StandInFeud string
	Gold                                   int64
}

// The kinds, states and results of duels.
const (
	vassalage    = "vassalage"
	independence = "independence"
	ordinary     = "ordinary"

	called   = "called"
	open     = "open"
	closed   = "closed"
	declined = "declined"
	lapsed   = "lapsed"
	annulled = "annulled"

	byInitiator = "initiator"
	byTarget    = "target"
	drawn       = "draw"
)

// Tourney is a closed tourney of a Land.
type Tourney struct {
	Name, Land   string
	Common       bool
	Closed       time.Time
	ClaimsUntil  time.Time
	Over         bool // the time for claims
	Results      []Place
	Best         []string         // suzerains whose vassals did best, in order of nick; none with fewer than two suzerains
	Paid, Shared map[string]int64 // to suzerains who claimed, and by them to vassals
}

// Place is what somebody reached in a tourney, with his suzerain ("" for none) and the number of his feuds in the Land as
// they were at the closing.
type Place struct {
	Place              int64
	Nick               string
	Days, Points, Gold int64
	Suzerain           string
	Feuds              int
	Paid               bool
}

// War is a feudal war. Its instants move with a hold of the game, but a beginning that the Magistrate named.
type War struct {
	ID            int
	Land          string
	Status        string // declared, begun, ended, bought-out, annulled
	Mode          string // feudal, clan
	Participants  int
	Declared      time.Time
	Shifted       time.Duration // by holds since it was declared
	RostersDue    time.Time
	RostersClosed *time.Time
	Begin         time.Time
	BeginNamed    bool // by the Magistrate
	Postponed     int  // days
	Stake         WarStake
	SavesIssued   *time.Time
	SavesSent     *time.Time
	PropertyDue   time.Time // once the saves are issued; zero when over
	SavesDue      time.Time // likewise
	Attacker      Side
	Defender      Side
	Pairs         []Pair // the k-th plays save k; none until the rosters close
	Received      int    // saves so far
	Result        string // attacker, defender, draw
	Winner        string // a suzerain
	Closed        *time.Time
}

// WarStake is what a war is fought for.
type WarStake struct {
	Kind   string // feuds, gold
	Amount int64  // in feuds or @
}

// Side is one side of a war. Its proposals are nil once both agreed.
type Side struct {
	Suzerain   string
	Roster     []string // none until named or filled; "" is an empty place
	ClanRules  *bool    // what he last said
	BeginEarly *time.Time
	Stake      *WarStake
}

// Pair is what is played with one save.
type Pair struct {
	Attacker, Defender                 string // "" for an empty place
	AttackerSave, DefenderSave         *Save
	AttackerProperty, DefenderProperty []string // in order of name
	Opened                             []string // who opened the opponent's box, in order of telling
	Result                             string   // attacker, defender, draw
}

// Save is a victorious save as it was mailed.
type Save struct {
	Received     time.Time
	Order        int // of receipt, among all saves of the war
	Days, Points int64
	Name, Hash   string // of the file that came with it, if one did
}

// The states, modes and results of wars.
const (
	declared  = "declared"
	begun     = "begun"
	ended     = "ended"
	boughtOut = "bought-out"

	feudal = "feudal"
	byClan = "clan"

	inFeuds = "feuds"
	inGold  = "gold"

	byAttacker = "attacker"
	byDefender = "defender"
)

// magistrate is the owner of the treasury and of what is in store.
const magistrate = "magistrate"

// day is the length of a day: steps of time are taken in these, months in the calendar.
const day = 24 * time.Hour

// nicks returns all inhabitants in order.
func (s *State) nicks() []string {
	if s.cache.nicks == nil {
		s.cache.nicks = sorted(s.Inhabitants)
	}
	return s.cache.nicks
}

// in returns what an inhabitant is in a Land.
func (s *State) in(land, nick string) *Standing { return s.Inhabitants[nick].In[land] }

// suzerain returns whom someone serves in a Land, "" when nobody. One who is no inhabitant serves nobody.
func (s *State) suzerain(land, nick string) string {
	if s.Inhabitants[nick] == nil {
		return ""
	}
	return s.in(land, nick).Suzerain
}

// owner returns who owns a feud, "" when nobody has heard of it.
func (s *State) owner(land, feud string) string {
	if slices.Contains(s.Store[land], feud) {
		return magistrate
	}
	return s.feudOwners(land)[feud]
}

// duel returns a duel by its id, nil when there is none.
func (s *State) duel(id int64) *Duel {
	if id < 1 || id > int64(len(s.Duels)) {
		return nil
	}
	return s.Duels[id-1]
}

// challenged returns the open vassal duel in which someone is the challenged in a Land, nil when there is none.
func (s *State) challenged(land, nick string, kinds ...string) *Duel {
	for _, d := range s.Duels {
		if d.Status == open && d.Land == land && d.Target == nick && slices.Contains(kinds, d.Kind) {
			return d
		}
	}
	return nil
}

// sorted returns the keys of a map in order.
func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
