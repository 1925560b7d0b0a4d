package kingmaker

import (
	"os"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"arroba/rules"
	"arroba/rules/rulestest"
)

// Each fault of a world file is refused, with the key that it is about.
func TestWorldFaults(t *testing.T) {
	for _, c := range []struct {
		name, world, want string
	}{
		{"no start", swap(theMarch, `start = "2026-01-01T12:00:00Z"`, ``), "world.start: the instant"},
		{"a name twice among units", swap(theMarch, `name = "Edmund"`, `name = "Aske"`), `world.heir[0].name: "Aske" stands twice: (world.noble[0].name)`},
		{"a name twice among places", swap(theMarch, `name = "Gull Bay" }`, `name = "Crag" }`), `world.location[0].name: "Crag" stands twice`},
		{"no name", swap(theMarch, `name = "Auk"`, `name = " "`), "world.ship[1].name: \" \" cannot be a name"},
		{"a player who is no member", swap(theMarch, `player = "Clara"`, `player = "Zoe"`), `world.faction[2].player: "Zoe" is no player`},
		{"a GM who plays", swap(theMarch, `player = "Clara"`, `player = "Gareth"`), `world.faction[2].player: "Gareth" is no player`},
		{"a player of two factions", swap(theMarch, `player = "Clara"`, `player = "Anna"`), `world.faction[2].player: "Anna" plays (world.faction[0].player)`},
		{"a neighbour who is not there", swap(theMarch, `adjacent = ["Thornrigg", "Oxlea"]`, `adjacent = ["Thornrigg", "Oxley"]`), `world.space[8].adjacent[1]: there is no space "Oxley"`},
		{"a space beside itself", swap(theMarch, `adjacent = ["Thornrigg", "Oxlea"]`, `adjacent = ["Mirefold"]`), `is not beside itself`},
		{"a land that neighbours a sea", swap(theMarch, `adjacent = ["Gull Bay"]`, `adjacent = ["Crag"]`), `world.sea[0].adjacent[0]: there is no sea "Crag"`},
		{"a location nowhere", swap(theMarch, `space = "Kingsmead"`, `space = "Kingsmoor"`), `world.location[4].space: there is no space "Kingsmoor"`},
		{"a type that is none", swap(theMarch, `type = "royal"`, `type = "regal"`), `world.location[6].type: "regal" is no type`},
		{"a port of no sea", swap(theMarch, `sea = ["Cold Sea"]`, `sea = ["Warm Sea"]`), `world.location[5].sea[0]: there is no sea "Warm Sea"`},
		{"an open town with a controller", swap(theMarch, `type = "open"`, `type = "open", controller = "Red"`), `world.location[3].controller: nobody controls`},
		{"a controller who is none", swap(theMarch, `controller = "Green"`, `controller = "Pink"`), `world.location[4].controller: there is no faction "Pink"`},
		{"a capacity below nothing", swap(theMarch, `type = "royal"`, `type = "royal", capacity = -1`), `world.location[6].capacity: a whole number from 0`},
		{"a latitude alone", swap(theMarch, `lat = 55.2, lon = -1.7`, `lat = 55.2`), `world.location[0]: lat and lon go together`},
		{"off the globe", swap(theMarch, `lat = 55.2, lon = -1.7`, `lat = 95.2, lon = -1.7`), `world.location[0].lat: a latitude`},
		{"a road to nowhere", swap(theMarch, `spaces = ["Birkrigg", "Thornrigg", "Gullness"]`, `spaces = ["Birkrigg"]`), `world.road[1].spaces: a road leads`},
		{"a road past a place that is elsewhere", swap(theMarch, `through = ["Thornkeep"]`, `through = ["Crag"]`), `world.road[1].through[0]: "Crag" lies in "Upmoor"`},
		{"an area of no space", swap(theMarch, `spaces = ["Upmoor", "Hazeldene"] }`, `spaces = ["Upmoor", "Nowhere"] }`), `world.area[0].spaces[1]: there is no space`},
		{"a noble nowhere", swap(theMarch, `troops = 60, at = "Mirehold"`, `troops = 60`), `world.noble[2].at: where "Bewick" stands`},
		{"a noble at sea", swap(theMarch, `troops = 60, at = "Mirehold"`, `troops = 60, at = "Cold Sea"`), `world.noble[2].at: "Cold Sea" is a sea`},
		{"a noble somewhere that is not there", swap(theMarch, `troops = 60, at = "Mirehold"`, `troops = 60, at = "Mirkhold"`), `there is no location, space or ship "Mirkhold"`},
		{"a noble of nobody's", swap(theMarch, `name = "Bewick", faction = "Blue"`, `name = "Bewick", faction = "Bleu"`), `world.noble[2].faction: there is no faction "Bleu"`},
		{"troops below nothing", swap(theMarch, `troops = 60`, `troops = -60`), `world.noble[2].troops: a whole number`},
		{"a ship on land", swap(theMarch, `capacity = 40, at = "Cold Sea"`, `capacity = 40, at = "Crag"`), `world.ship[1].at: "Crag" is no port`},
		{"a ship forced at sea", swap(theMarch, `capacity = 40, at = "Cold Sea"`, `capacity = 40, at = "Cold Sea", forced = true`), `world.ship[1].forced`},
		{"an heir nowhere", swap(theMarch, `house = "Crag", at = "Birkrigg"`, `house = "Crag"`), `world.heir[1].at: there is no location`},
		{"an heir held by nobody known", swap(theMarch, `house = "Crag", at = "Birkrigg"`, `house = "Crag", holder = "Zoe"`), `world.heir[1].holder: there is no noble "Zoe"`},
		{"an heir held by who is out of play", swap(theMarch, `house = "Crag", at = "Birkrigg"`, `house = "Crag", holder = "Delaval"`), `"Delaval" is out of play`},
		{"an item of no kind", swap(theMarch, `kind = "bishopric"`, `kind = "bishop"`), `world.item[2].kind: "bishop" is no kind`},
		{"limited troops of no area", swap(theMarch, `{ area = "the Uplands"`, `{ area = "the Downs"`), `world.item[1].limited[0].area: there is no area`},
		{"an item of a place that is not there", swap(theMarch, `location = "Hazelburgh"`, `location = "Hazelborough"`), `world.item[3].location: there is no location`},
		{"an item of a place that nobody controls", swap(theMarch, `location = "Hazelburgh"`, `location = "Oxton"`), `world.item[3].location: nobody controls "Oxton"`},
		{"an empty deck", swap(theMarch, `entries = ["Plague in Oxton", "Storm at sea", "Parliament"]`, `entries = []`), `world.deck[0].entries`},
		{"odds that are none", swap(theMarch, `"2-1"]`, `"two to one"]`), `world.odds[1]: "two to one" is no odds`},
		{"no odds to decide by", swap(theMarch, `odds = ["bad weather", "2-1"]`, `rules = { combat = "odds" }`), `world.odds: battles are decided`},
		{"a length of time that is none", swap(theMarch, `odds = [`, "rules = { turn = \"soon\" }\nodds = ["), `world.rules.turn: "soon" is no length`},
		{"a rule that is none", swap(theMarch, `odds = [`, "rules = { combat = \"dice\" }\nodds = ["), `world.rules.combat: "dice" is none of`},
		{"an office that is none", swap(theMarch, `odds = [`, "seniority = { army = [\"Marshal of England\", \"Keeper of the Geese\"] }\nodds = ["), `world.seniority.army[1]: there is no item "Keeper of the Geese"`},
		{"a limit below nothing", swap(theMarch, `odds = [`, "limits = { ship = -1 }\nodds = ["), `world.limits.ship: a whole number`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := openWorld(stage().World(c.world), &rules.Dice{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("it says %v", err)
			}
		})
	}
}

// The positions that a world file may give.
func TestPosition(t *testing.T) {
	script{"where everything is at the opening", swap(theMarch, `{ name = "Ayton", faction = "Red", troops = 50, at = "Gullhaven" }`, `{ name = "Ayton", faction = "Red", troops = 50, at = "Auk" }`,
		`location = "Hazelburgh"`, `location = "Hazelburgh", holder = "Bewick"`, `house = "Crag", at = "Birkrigg"`, `house = "Crag", holder = "Ayton", crowned = true`), `
		d0
		? round = 0
		? turn = ""
		? phase = ""
		? deadline = null
		? nobles.Ayton.ship = "Auk"
		? nobles.Ayton.space = "Cold Sea"
		? ships.Auk.passengers = ["Ayton"]
		? heirs.Rosamund.holder = "Ayton"
		? heirs.Rosamund.space = "Cold Sea"
		? heirs.Rosamund.crowned = true
		? locations.Hazelburgh.controller = "Blue"
		? nobles.Delaval.faction = ""
		? nobles.Delaval.strength = 0
		d0+11h59m59s
		? round = 0
		d0+12h
		? round = 1
		? turn = "Red"
		? deadline = "2026-01-02T12:00:00Z"
	`}.run(t)
}

// The map that comes with the program is good.
func TestEngland(t *testing.T) {
	text, err := os.ReadFile("../../worlds/england.toml")
	if err != nil {
		t.Fatal(err)
	}
	w := rulestest.World("")
	w.Decode = func(into any) error {
		return toml.NewDecoder(strings.NewReader(string(text))).DisallowUnknownFields().Decode(into)
	}
	s, _, err := openWorld(w, &rules.Dice{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.World.Nobles) < 25 || len(s.World.Locations) < 60 {
		t.Errorf("it has %d nobles and %d locations", len(s.World.Nobles), len(s.World.Locations))
	}
}
