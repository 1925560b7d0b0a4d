package kingmaker

import (
	"strings"
	"sync"
	"testing"

	"arroba/rules"
	"arroba/rules/rulestest"
)

var ruleset = Ruleset()

// theCast are the members of the games in tests.
var theCast = rulestest.Members("gm:Gareth", "observer:Olga", "Anna", "Boris", "Clara", "Dora")

// stage is where the scripts are played.
var stage = sync.OnceValue(func() *rulestest.Stage {
	return &rulestest.Stage{Suite: rulestest.NewSuite(ruleset), Cast: theCast, Apart: []string{"positions", "round-over", "situation", "seniority"}}
})

// script is a game in a test, in the manner of rulestest.Script.
type script struct{ name, world, play string }

func (s script) run(t *testing.T) {
	t.Helper()
	stage().Run(t, rulestest.Script{Name: s.name, World: s.world, Play: s.play})
}

// opened is the state at the opening of a world.
func opened(t testing.TB, file string) *State {
	t.Helper()
	w := stage().World(file)
	s, _, err := openWorld(w, &rules.Dice{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// theMarch is an invented world with a place of every kind: a road from north to south with a branch to the west, two
// ports, two seas, and three factions with players besides one without. Round 1 begins on day 0 at noon.
//
//	Upmoor -- Hazeldene -- Birkrigg -- Oxlea -- Kingsmead -- Sandwyke       the North Way
//	(Crag)    Hazelburgh   Birkby      Oxton    Mead City    Wykeport ~ Cold Sea
//	                          |                                             |
//	                       Thornrigg (Thornkeep) -- Gullness (Gullhaven) ~ Gull Bay
//	                          |
//	                       Mirefold (Mirehold), no road; Oxlea beside it
const theMarch = `
[world]
start = "2026-01-01T12:00:00Z"
faction = [
  { name = "Red", player = "Anna", aliases = ["Красные"] }, { name = "Blue", player = "Boris", aliases = ["Синие"] },
  { name = "Green", player = "Clara", aliases = ["Зелёные"] }, { name = "Grey" },
]
space = [
  { name = "Upmoor" }, { name = "Hazeldene" }, { name = "Birkrigg", aliases = ["Биркригг"] }, { name = "Oxlea" }, { name = "Kingsmead" },
  { name = "Sandwyke" }, { name = "Thornrigg" }, { name = "Gullness" }, { name = "Mirefold", adjacent = ["Thornrigg", "Oxlea"] },
]
sea = [ { name = "Cold Sea", adjacent = ["Gull Bay"], aliases = ["Холодное море"] }, { name = "Gull Bay" } ]
location = [
  { name = "Crag", space = "Upmoor", type = "noble", controller = "Red", lat = 55.2, lon = -1.7 },
  { name = "Hazelburgh", space = "Hazeldene", type = "fortified", lat = 54.6, lon = -1.4 },
  { name = "Birkby", space = "Birkrigg", type = "unfortified", lat = 54.0, lon = -1.5 },
  { name = "Oxton", space = "Oxlea", type = "open", lat = 53.5, lon = -1.3 },
  { name = "Mead City", space = "Kingsmead", type = "city", controller = "Green", cathedral = true, lat = 53.0, lon = -1.1 },
  { name = "Wykeport", space = "Sandwyke", type = "fortified", controller = "Blue", sea = ["Cold Sea"], lat = 52.6, lon = -0.3, aliases = ["Уайкпорт"] },
  { name = "Thornkeep", space = "Thornrigg", type = "royal", lat = 53.9, lon = -2.3 },
  { name = "Gullhaven", space = "Gullness", type = "unfortified", sea = ["Gull Bay"], lat = 53.8, lon = -3.1 },
  { name = "Mirehold", space = "Mirefold", type = "noble", controller = "Blue", lat = 53.3, lon = -2.1 },
]
road = [
  { name = "North Way", spaces = ["Upmoor", "Hazeldene", "Birkrigg", "Oxlea", "Kingsmead", "Sandwyke"], through = ["Hazelburgh", "Birkby", "Oxton", "Mead City"] },
  { name = "Gull Way", spaces = ["Birkrigg", "Thornrigg", "Gullness"], through = ["Thornkeep"] },
]
area = [ { name = "the Uplands", spaces = ["Upmoor", "Hazeldene"] } ]
noble = [
  { name = "Aske", faction = "Red", troops = 100, at = "Crag", aliases = ["Аск"] },
  { name = "Ayton", faction = "Red", troops = 50, at = "Gullhaven" },
  { name = "Bewick", faction = "Blue", troops = 60, at = "Mirehold", aliases = ["Бьюик"] },
  { name = "Bolam", faction = "Blue", troops = 40, at = "Birkrigg" },
  { name = "Clavering", faction = "Green", troops = 80, at = "Mead City" },
  { name = "Carnaby", faction = "Green", troops = 30, at = "Birkrigg" },
  { name = "Delaval", troops = 20, at = "Oxlea" },
]
ship = [
  { name = "Tern", faction = "Red", capacity = 150, at = "Gullhaven", aliases = ["Крачка"] },
  { name = "Auk", faction = "Red", capacity = 40, at = "Cold Sea" },
  { name = "Bittern", faction = "Blue", capacity = 100, at = "Wykeport" },
]
heir = [ { name = "Edmund", house = "Mead", at = "Mead City" }, { name = "Rosamund", house = "Crag", at = "Birkrigg" } ]
item = [
  { name = "Marshal of England", kind = "office", troops = 100 },
  { name = "Warden of the Northern Marches", kind = "office", troops = 50, limited = [ { area = "the Uplands", troops = 100 } ], holder = "Aske" },
  { name = "Bishop of Durham", kind = "bishopric", troops = 30 },
  { name = "Town of Hazelburgh", kind = "town", location = "Hazelburgh" },
]
deck = [ { name = "events", entries = ["Plague in Oxton", "Storm at sea", "Parliament"] } ]
odds = ["bad weather", "2-1"]
`

// swap changes a world: pairs of an old text, which must be there, and the new one.
func swap(world string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(world, pairs[i]) {
			panic("the world has no " + pairs[i])
		}
		world = strings.Replace(world, pairs[i], pairs[i+1], 1)
	}
	return world
}
