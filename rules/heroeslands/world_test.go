package heroeslands

import (
	"strings"
	"testing"
	"time"

	"arroba/rules"
	"arroba/rules/rulestest"
)

// everything is a world file that says all that can be said.
const everything = `
[world]
lands = ["HL3", "HL4"]
presenter = "Petra"
clans = ["Wolves", "Bears"]
[world.magistrate]
gold = -5
feuds = { HL3 = ["Waste"] }
property = [ { name = "Quarry", kind = "mine" } ]
[world.races]
wizard = "Tower"
[world.ranks]
knight = 1
baron = 2
count = 3
marquis = 4
duke = 5
king = 6
[world.capacity]
count = 1
king = 9
[world.keep]
baron = 1
[world.bonus]
HL2 = 15
HL3 = 10
[world.rules]
offer_days = 3
callout_days = 4
duel_days = 5
duel_cover = false
continent_rule = "marquis"
krt_months = 6
begin_day = 40
feud_price = 300
feud_gifts = "anyone"
[world.inhabitants.Oleg]
gold = 2000
race = "wizard"
clan = "Foxes"
offices = { krt = 2026-05-01T00:00:00Z, magister = true, junior = 2025-05-01T00:00:00Z }
feuds = { HL3 = ["Ashford", "Brook", "Cray"], HL4 = 2 }
property = [ { name = "Sawmill", kind = "mine" }, { name = "Boots", kind = "artifact", level = 1 }, { name = "Pikemen", kind = "unit", level = 9 } ]
[world.inhabitants.Boris]
race = "dwarf"
feuds = { HL3 = 1 }
suzerain = { HL3 = "Oleg" }
since = { HL3 = 2025-06-01T00:00:00Z }
immunity = { HL3 = 2026-02-01T00:00:00Z, HL4 = 2025-12-31T23:59:59Z }
independence_bar = { HL3 = 2026-02-01 }
war_immunity = { HL3 = 2 }
[world.inhabitants.Ivan]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Oleg" }
`

func TestWorld(t *testing.T) {
	script{"everything that can be said", everything, `
		? lands = ["HL3","HL4"]
		? presenter = "Petra"
		? magistrate = {"gold":-5,"feuds":{"HL3":["Waste"],"HL4":[]},"property":["Quarry"]}
		? inhabitants.Oleg = {"gold":2000,"held":0,"race":"wizard","continent":"Tower","clan":"Foxes","offices":{"krt":"2026-05-01T00:00:00Z","magister":null},"feuds":{"HL3":["Ashford","Brook","Cray"],"HL4":["Oleg1","Oleg2"]},"rank":{"HL3":"count","HL4":"baron"},"suzerain":{"HL3":null,"HL4":null},"vassals":{"HL3":["Boris","Ivan"],"HL4":[]},"flag":{"HL3":false,"HL4":false},"immunity":{"HL3":null,"HL4":null},"independence_bar":{"HL3":null,"HL4":null},"war_immunity":{"HL3":0,"HL4":0},"windows":{"HL3":[],"HL4":[]},"property":["Boots","Pikemen","Sawmill"]}
		? inhabitants.Boris.continent = "dwarf"
		? inhabitants.Boris.immunity = {"HL3":"2026-02-01T00:00:00Z","HL4":null}
		? inhabitants.Boris.independence_bar.HL3 = "2026-02-01T00:00:00Z"
		? inhabitants.Boris.war_immunity.HL3 = 2
		? property.Pikemen = {"kind":"unit","level":9,"owner":"Oleg","held":null}
		? property.Quarry = {"kind":"mine","level":0,"owner":"magistrate","held":null}
		? inhabitants.Anna.rank.HL3 = "landless"
		? offers = []
		? duels = []
		? tourneys = []
		? wars = []
		d1 Ivan: JOIN CLAN Foxes => refused HL-07 clan
		d1 Oleg: JOIN CLAN Bears => HL-07
	`}.run(t)
	script{"the presenter is the GM when left out", "[world]\nlands = [\"HL3\"]\n", `
		? presenter = "Magistrate"
	`}.run(t)
}

// A table that is given replaces the default table, rules key by key.
func TestWorldSettings(t *testing.T) {
	s := opened(t, everything)
	want := Settings{
		Feuds:    PerRank{noLimit, 1, 2, 3, 4, 5, 6},
		Capacity: PerRank{0, 0, 0, 1, noLimit, noLimit, 9},
		Keep:     PerRank{0, noLimit, 1, noLimit, noLimit, noLimit, noLimit},
	}
	want.Feuds[Landless] = 0
	if s.Settings.Feuds != want.Feuds || s.Settings.Capacity != want.Capacity || s.Settings.Keep != want.Keep {
		t.Errorf("ranks %v, capacity %v, keep %v", s.Settings.Feuds, s.Settings.Capacity, s.Settings.Keep)
	}
	if _, ok := s.Settings.Bonus["HL4"]; ok || s.Settings.Bonus["HL3"] != 10 {
		t.Errorf("bonus %v", s.Settings.Bonus)
	}
	d := opened(t, "[world]\nlands = [\"HL3\"]\n[world.rules]\nduel_days = 5\n").Settings
	if d.DuelDays != 5 || d.OfferDays != 30 || d.KRTMonths != 4 || d.Feuds != (PerRank{0, 1, 3, 5, 8, 12, 16}) || !d.DuelCover {
		t.Errorf("settings %+v", d)
	}
}

func opened(t *testing.T, file string) *State {
	t.Helper()
	s, _, err := openWorld(rulestest.World(file, theCast...), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWorldMalformed(t *testing.T) {
	lands := "[world]\nlands = [\"HL3\"]\n"
	oleg := lands + "[world.inhabitants.Oleg]\n"
	for _, c := range []struct{ name, world, want string }{
		{"no Land", "[world]\n", "world.lands"},
		{"a Land twice", "[world]\nlands = [\"HL3\", \"HL3\"]\n", "twice"},
		{"Lands that read alike", "[world]\nlands = [\"HL3\", \"hl3\"]\n", "world.lands"},
		{"an unknown key", lands + "colour = 1\n", "strict mode"},
		{"an unknown rule", lands + "[world.rules]\nfoo = 1\n", "strict mode"},
		{"an unknown rank", lands + "[world.ranks]\nlandless = 1\n", "strict mode"},
		{"an unknown Land of feuds", oleg + "feuds = { HL4 = 1 }\n", `world.inhabitants.Oleg.feuds.HL4: "HL4"`},
		{"an unknown Land in store", lands + "[world.magistrate]\nfeuds = { HL4 = [\"A\"] }\n", "world.magistrate.feuds.HL4"},
		{"an unknown Land of an immunity", oleg + "immunity = { HL4 = 2027-01-01T00:00:00Z }\n", "world.inhabitants.Oleg.immunity.HL4"},
		{"an unknown Land of a bar", oleg + "independence_bar = { HL4 = 2027-01-01T00:00:00Z }\n", "independence_bar.HL4"},
		{"an unknown Land of a war immunity", oleg + "war_immunity = { HL4 = 1 }\n", "war_immunity.HL4"},
		{"an unknown Land of service", oleg + "feuds = { HL3 = 1 }\nsince = { HL4 = 2025-01-01T00:00:00Z }\n", "since"},
		{"an unknown Land of a suzerain", oleg + "suzerain = { HL4 = \"Anna\" }\n", "suzerain"},
		{"an unknown suzerain", oleg + "feuds = { HL3 = 1 }\nsuzerain = { HL3 = \"Nobody\" }\n", "world.inhabitants.Oleg.suzerain.HL3"},
		{"a feud twice in one list", oleg + "feuds = { HL3 = [\"A\", \"A\"] }\n", "twice"},
		{"a feud of two lords", oleg + "feuds = { HL3 = [\"A\"] }\n[world.inhabitants.Anna]\nfeuds = { HL3 = [\"A\"] }\n", "world.inhabitants.Oleg.feuds.HL3[0]: the feud \"A\" stands twice in HL3; Anna has it already (world.inhabitants.Anna.feuds.HL3[0])"},
		{"a feud in store and owned", oleg + "feuds = { HL3 = [\"A\"] }\n[world.magistrate]\nfeuds = { HL3 = [\"A\"] }\n", "twice"},
		{"a feud named like a numbered one", oleg + "feuds = { HL3 = 2 }\n[world.inhabitants.Anna]\nfeuds = { HL3 = [\"Oleg2\"] }\n", "twice"},
		{"feuds that read alike", oleg + "feuds = { HL3 = [\"Fen\", \"fen\"] }\n", "world.feuds"},
		{"an item twice", oleg + "property = [ { name = \"A\", kind = \"mine\" }, { name = \"A\", kind = \"mine\" } ]\n", "world.inhabitants.Oleg.property[1].name"},
		{"an item of two owners", oleg + "property = [ { name = \"A\", kind = \"mine\" } ]\n[world.magistrate]\nproperty = [ { name = \"A\", kind = \"mine\" } ]\n", "(world.magistrate.property[0].name)"},
		{"gold that is not whole", oleg + "gold = 1.5\n", "world.inhabitants.Oleg.gold"},
		{"gold that is a text", oleg + "gold = \"5\"\n", `world.inhabitants.Oleg.gold: a whole number of @ is needed, below 0 for a debt, not "5"`},
		{"gold that is written as a fraction", oleg + "gold = 5.0\n", "not 5.0"},
		{"treasury that is not whole", lands + "[world.magistrate]\ngold = 1.5\n", "world.magistrate.gold"},
		{"a part of a feud", oleg + "feuds = { HL3 = 1.5 }\n", "world.inhabitants.Oleg.feuds.HL3"},
		{"a negative number of feuds", oleg + "feuds = { HL3 = -1 }\n", "world.inhabitants.Oleg.feuds.HL3"},
		{"a feud that is a number", oleg + "feuds = { HL3 = [1] }\n", "world.inhabitants.Oleg.feuds.HL3"},
		{"a negative war immunity", oleg + "war_immunity = { HL3 = -1 }\n", "war_immunity"},
		{"a negative rank", lands + "[world.keep]\nbaron = -1\n", "world.keep.baron"},
		{"a negative number of places", lands + "[world.capacity]\ncount = -1\n", "world.capacity.count"},
		{"an unknown Land of a bonus", lands + "[world.bonus]\nHL2 = 15\nHL33 = 10\n", `world.bonus.HL33: "HL33" is none of the Lands`},
		{"a negative bonus", lands + "[world.bonus]\nHL3 = -1\n", "world.bonus.HL3"},
		{"negative days", lands + "[world.rules]\nduel_days = -1\n", "world.rules.duel_days"},
		{"a beginning too early", lands + "[world.rules]\nbegin_day = 34\n", "world.rules.begin_day"},
		{"a beginning too late", lands + "[world.rules]\nbegin_day = 50\n", "world.rules.begin_day"},
		{"an unknown continent rule", lands + "[world.rules]\ncontinent_rule = \"all\"\n", "world.rules.continent_rule"},
		{"unknown feud gifts", lands + "[world.rules]\nfeud_gifts = \"nobody\"\n", "world.rules.feud_gifts"},
		{"an unknown kind of item", oleg + "property = [ { name = \"A\", kind = \"spell\", level = 1 } ]\n", "world.inhabitants.Oleg.property[0].kind"},
		{"no level of an artifact", oleg + "property = [ { name = \"A\", kind = \"artifact\" } ]\n", "world.inhabitants.Oleg.property[0].level"},
		{"a level too low", oleg + "property = [ { name = \"A\", kind = \"unit\", level = 0 } ]\n", "world.inhabitants.Oleg.property[0].level"},
		{"a level too high", oleg + "property = [ { name = \"A\", kind = \"unit\", level = 10 } ]\n", "world.inhabitants.Oleg.property[0].level"},
		{"a mine's level too high", oleg + "property = [ { name = \"A\", kind = \"mine\", level = 10 } ]\n", "world.inhabitants.Oleg.property[0].level"},
		{"ranks that do not rise", lands + "[world.ranks]\nknight = 1\nbaron = 3\ncount = 3\n", "world.ranks.count"},
		{"a rank for nothing", lands + "[world.ranks]\nknight = 0\n", "world.ranks.knight"},
		{"a presenter who is no member", "[world]\nlands = [\"HL3\"]\npresenter = \"Nobody\"\n", "world.presenter"},
		{"an unknown office", oleg + "offices = { king = true }\n", "world.inhabitants.Oleg.offices.king"},
		{"an office until no date", oleg + "offices = { krt = 4 }\n", "world.inhabitants.Oleg.offices.krt"},
		{"an immunity for ever", oleg + "immunity = { HL3 = 9999-12-31T23:59:59-12:00 }\n", "world.inhabitants.Oleg.immunity.HL3"},
		{"an immunity until no date", oleg + "immunity = { HL3 = \"soon\" }\n", "world.inhabitants.Oleg.immunity.HL3"},
		{"a landless vassal", oleg + "suzerain = { HL3 = \"Anna\" }\n[world.inhabitants.Anna]\nfeuds = { HL3 = 5 }\n", "no feud"},
		{"a vassal in a clan", oleg + "clan = \"Wolves\"\nfeuds = { HL3 = 1 }\nsuzerain = { HL3 = \"Anna\" }\n[world.inhabitants.Anna]\nfeuds = { HL3 = 5 }\n", "clan"},
		{"a vassal of higher rank", oleg + "feuds = { HL3 = 8 }\nsuzerain = { HL3 = \"Anna\" }\n[world.inhabitants.Anna]\nfeuds = { HL3 = 5 }\n", "higher rank"},
		{"a vassal of himself", oleg + "feuds = { HL3 = 8 }\nsuzerain = { HL3 = \"Oleg\" }\n", "serve himself"},
		{"vassals in a ring", oleg + "feuds = { HL3 = 5 }\nsuzerain = { HL3 = \"Anna\" }\n[world.inhabitants.Anna]\nfeuds = { HL3 = 5 }\nsuzerain = { HL3 = \"Oleg\" }\n", "serve himself"},
		{"nicks that read alike", lands + "[world.inhabitants.oleg]\n", "read alike"},
		{"a nick without letters", lands + "[world.inhabitants.\" \"]\n", "cannot be a name"},
		{"the treasury's name as a nick", lands + "[world.inhabitants.magistrate]\n", "world.inhabitants.magistrate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := openWorld(rulestest.World(c.world, theCast...), nil)
			if err == nil {
				t.Fatal("the world was taken")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error does not say %q: %v", c.want, err)
			}
		})
	}
}

// A vassal of equal rank is taken as he stands, and flags fly from the start without an event.
func TestWorldAsItStands(t *testing.T) {
	world := "[world]\nlands = [\"HL3\"]\n[world.inhabitants.Oleg]\nfeuds = { HL3 = 1 }\n"
	for _, n := range []string{"A1", "B1", "C1", "D1"} {
		world += "[world.inhabitants." + n + "]\nfeuds = { HL3 = [\"" + n + "x\"] }\nsuzerain = { HL3 = \"Oleg\" }\n"
	}
	g := rulestest.Open(t, ruleset, rulestest.World(world, theCast...))
	if len(g.Start) > 0 {
		t.Errorf("the opening had events: %v", rulestest.Types(g.Start))
	}
	script{"flags fly", world, "? inhabitants.Oleg.flag.HL3 = true\n"}.run(t)
}

// A local date in a world file is read in the game's zone.
func TestWorldZone(t *testing.T) {
	zone := time.FixedZone("east", 3*60*60)
	w := rulestest.World("[world]\nlands = [\"HL3\"]\n[world.inhabitants.Oleg]\nimmunity = { HL3 = 2027-01-01 }\n", theCast...)
	w.Zone = zone
	s, _, err := openWorld(w, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.in("HL3", "Oleg").Immunity.Until; !got.Equal(time.Date(2026, 12, 31, 21, 0, 0, 0, time.UTC)) {
		t.Errorf("the immunity lasts until %v", got)
	}
}

// What others may not know is left out of their views.
func TestView(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(everything, theCast...))
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	if a := g.Mail(at, "Anna", "SERVE Oleg IN HL3"); a.OK() {
		t.Fatal("the landless served")
	}
	g.Mail(at, "Magistrate", "GRANT FEUD Fen IN HL4 TO Anna")
	g.Mail(at, "Magistrate", "GRANT FEUD Fen IN HL3 TO Anna")
	if a := g.Mail(at, "Anna", "SERVE Oleg IN HL3"); a.Rule != "HL-04" {
		t.Fatalf("%+v", a.Ruling)
	}
	g.Mail(at, "Oleg", "RELEASE Boris, Ivan IN HL3")
	if a := g.Mail(at, "Anna", "SERVE Oleg IN HL3"); !a.OK() {
		t.Fatalf("%+v", a.Ruling)
	}
	for _, c := range []struct {
		who   rules.Viewer
		gold  string // whose gold is seen
		offer int
		items int
	}{
		{rules.Viewer{}, "", 0, 0},
		{rules.Viewer{Seat: "Boris"}, "Boris", 0, 0},
		{rules.Viewer{Seat: "Anna"}, "Anna", 1, 0},
		{rules.Viewer{Seat: "Oleg"}, "Oleg", 1, 3},
		{rules.Viewer{Seat: "Petra"}, "Petra", 0, 0},
	} {
		out, err := g.State.View(c.who)
		if err != nil {
			t.Fatal(err)
		}
		v := rulestest.Plain(t, out)
		for nick, p := range v["inhabitants"].(map[string]any) {
			for _, key := range []string{"gold", "held", "property", "independence_bar", "windows"} {
				if _, seen := p.(map[string]any)[key]; seen != (nick == c.gold) {
					t.Errorf("%q sees %s of %s: %v", c.who.Seat, key, nick, seen)
				}
			}
			if p.(map[string]any)["rank"] == nil {
				t.Errorf("%q does not see the rank of %s", c.who.Seat, nick)
			}
		}
		if n := len(v["offers"].([]any)); n != c.offer {
			t.Errorf("%q sees %d offers", c.who.Seat, n)
		}
		if n := len(v["property"].(map[string]any)); n != c.items {
			t.Errorf("%q sees %d items", c.who.Seat, n)
		}
		if _, seen := v["magistrate"].(map[string]any)["gold"]; seen {
			t.Errorf("%q sees the treasury", c.who.Seat)
		}
	}
}
