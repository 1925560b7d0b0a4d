package heroeslands

import "slices"

// Rank is what the number of feuds makes of an inhabitant in a Land.
type Rank int

// The ranks, rising.
const (
	Landless Rank = iota
	Knight
	Baron
	Count
	Marquis
	Duke
	King
)

var rankNames = []string{"landless", "knight", "baron", "count", "marquis", "duke", "king"}

func (r Rank) String() string { return rankNames[r] }

// noLimit stands for a number of places without limit, and for a rank that cannot be reached.
const noLimit = -1

// PerRank is a number for each rank.
type PerRank [King + 1]int

// Settings are the numbers of the rules that a game may set.
type Settings struct {
	Feuds         PerRank // needed for a rank; noLimit: the rank does not exist
	Capacity      PerRank // places for vassals
	Keep          PerRank // vassals that may be kept after a fall to the rank
	Bonus         map[string]int64
	OfferDays     int
	CalloutDays   int
	DuelDays      int
	DuelCover     bool
	ContinentRule string // count-marquis, marquis, off
	KRTMonths     int
	BeginDay      int
	FeudPrice     int64
	FeudGifts     string // vassals, anyone
}

// rankOf returns the rank that so many feuds give (HL-01).
func (s *Settings) rankOf(feuds int) Rank {
	rank := Landless
	for r := Knight; r <= King; r++ {
		if need := s.Feuds[r]; need != noLimit && feuds >= need {
			rank = r
		}
	}
	return rank
}

// within tells whether a number keeps to a limit.
func within(n, limit int) bool { return limit == noLimit || n <= limit }

// challenges holds whom a rank may challenge for vassalage (HL-33).
var challenges = map[Rank][]Rank{
	King:    {Duke, Marquis, Count},
	Duke:    {Marquis, Count, Baron},
	Marquis: {Count, Baron, Knight},
	Count:   {Baron, Knight},
}

// mayChallenge tells whether a rank may challenge another.
func mayChallenge(from, to Rank) bool { return slices.Contains(challenges[from], to) }

// bindsContinent tells whether suzerains of a rank gain only vassals of their own continent (HL-04).
func (s *Settings) bindsContinent(r Rank) bool {
	switch s.ContinentRule {
	case "count-marquis":
		return r == Count || r == Marquis
	case "marquis":
		return r == Marquis
	}
	return false
}
