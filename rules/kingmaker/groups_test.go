package kingmaker

import (
	"slices"
	"testing"
)

// gathered is theMarch with Aske, Bolam and Carnaby in Birkrigg, Red and Blue allied.
var gathered = at(`troops = 100, at = "Crag"`, `troops = 100, at = "Birkrigg"`)

// army is the joint army 1 of Aske and Bolam, formed in Red's first turn, after which it is Blue's.
const joint = allied + `
	d0+13h Anna: Aske, Bolam FORM ARMY IN Birkrigg => KM-A4c
	d0+13h Boris: CONFIRM ORDER 1 => KM-A4c
	d0+13h Anna: READY => KM-P1
	d0+14h
	! turn-closed group-formed alliance-public senior-officer turn-began
`

func TestGroups(t *testing.T) {
	for _, s := range []script{
		{"KM-A6a an army of one's own", at(`troops = 50, at = "Gullhaven"`, `troops = 50, at = "Upmoor"`), `
			d0+13h Anna: Aske FORM ARMY IN Crag => refused KM-A6a few
			d0+13h Anna: Aske, Aske FORM ARMY IN Crag => refused KM-A6a few
			d0+13h Anna: Aske, Ayton FORM ARMY IN Hazeldene => refused KM-P2 not-here
			d0+13h Anna: Aske, Tern FORM ARMY IN Upmoor => refused KM-P2 no-noble
			d0+13h Anna: Aske, Ayton FORM FLEET IN Upmoor => refused KM-P2 no-ship
			d0+13h Anna: Aske, Bolam FORM ARMY IN Upmoor => refused KM-A6a stranger
			d0+13h Anna: Aske & Ayton FORM ARMY IN Upmoor => KM-A6a
			d0+13h Anna: ARMY 1 MOVES TO Hazeldene => refused KM-P3 group
			d0+13h Anna: FORM ARMY OF Aske, Ayton IN Crag => KM-A6a
			? orders.0.n = 2
			d0+13h Anna: READY => KM-P1
			d0+14h
			! turn-closed group-formed turn-began
			@ group-formed joint = false
			@ group-formed members = ["Aske","Ayton"]
			? groups = [{"n":1,"kind":"army","members":["Aske","Ayton"],"joint":false,"senior":"","rule":""}]
			? nobles.Aske.group = 1
			d0+14h Boris: READY => KM-P1
			d0+15h Clara: READY => KM-P1
			d0+16h Anna: FLEET 1 MOVES TO Hazeldene => refused KM-P3 group
			d0+16h Anna: ARMY 1 MOVES TO Hazeldene => KM-P4
			d0+16h Anna: READY => KM-P1
			d0+17h
			! turn-closed moved turn-began
			@ moved unit = "Army 1"
			@ moved from = "Crag"
			? nobles.Ayton.space = "Hazeldene"
			? nobles.Ayton.moved = true
		`},
		{"KM-A6a allies form a joint one, and its Senior Officer commands it", gathered, joint + `
			? groups.0.joint = true
			? groups.0.senior = "Aske"
			? groups.0.rule = "KM-A7.ii"
			d0+14h Boris: ARMY 1 MOVES TO Oxlea => refused KM-A6d
			d0+14h Boris: Aske MOVES TO Oxlea => refused KM-A6d member
			d0+14h Boris: Bolam MOVES TO Oxlea => KM-P4
			+ READY => KM-P1
			d0+15h
			! turn-closed moved group-changed turn-began
			@ group-changed members = []
			? groups = []
		`},
		{"KM-A8 a member alone, unless he has had orders", gathered, joint + `
			d0+14h Boris: READY => KM-P1
			d0+15h Clara: READY => KM-P1
			d0+16h Anna: ARMY 1 MOVES TO Oxlea => KM-P4
			+ READY => KM-P1
			d0+17h Boris: Bolam MOVES TO Kingsmead => refused KM-A5
			d0+17h Boris: Bolam BATTLE Green IN Oxlea => refused KM-A8
		`},
		{"KM-A6b, A10 who breaks leaves joint armies", gathered, joint + `
			d0+14h Boris: BREAK ALLIANCE => KM-A10
			! alliance-broken truce-began group-changed
			? groups = []
			? nobles.Bolam.group = null
		`},
		{"KM-A6b a member put elsewhere has left", at(`troops = 100, at = "Crag"`, `troops = 100, at = "Birkrigg"`, `troops = 50, at = "Gullhaven"`, `troops = 50, at = "Birkrigg"`), allied + `
			d0+13h Anna: Aske, Bolam, Ayton FORM ARMY IN Birkrigg => KM-A4c
			d0+13h Boris: CONFIRM ORDER 1 => KM-A4c
			d0+13h Anna: READY => KM-P1
			d0+14h
			d0+14h Gareth: PLACE Aske AT Crag => KM-P8
			! placed group-changed senior-officer
			@ group-changed members = ["Bolam","Ayton"]
			@ senior-officer noble = "Ayton"
			@ senior-officer rule = KM-A7.iv
			d0+14h Gareth: SENIOR OFFICER Bolam => KM-P8
			@ senior-officer rule = KM-P8
			? groups.0.senior = "Bolam"
			d0+14h Gareth: SENIOR OFFICER Aske OF ARMY 1 => refused KM-P8 no-member
			d0+14h Gareth: SENIOR OFFICER Aske => refused KM-P8 no-member
			d0+14h Gareth: SENIOR OFFICER Bolam OF FLEET 1 => refused KM-P9 group
			d0+14h Gareth: СТАРШИЙ Ayton АРМИИ 1 => KM-P8
			d0+14h Gareth: REMOVE Ayton => KM-P8
			! removed group-changed
			? groups = []
		`},
		{"KM-A6c a joint fleet has no Senior Officer without passengers", at(`capacity = 100, at = "Wykeport"`, `capacity = 100, at = "Gullhaven"`, `capacity = 40, at = "Cold Sea"`, `capacity = 40, at = "Gullhaven"`), allied + `
			d0+13h Anna: Tern, Bittern FORM FLEET IN Gullhaven => KM-A4c
			d0+13h Boris: CONFIRM ORDER 1 => KM-A4c
			d0+13h Anna: READY => KM-P1
			d0+14h
			! turn-closed group-formed alliance-public turn-began
			? groups.0.senior = ""
			d0+14h Boris: FLEET 1 MOVES TO Gull Bay => KM-A4c
			d0+14h Boris: READY => KM-P1
			d0+14h Anna: CONFIRM ORDER 2 => KM-A4c
			d0+15h
			! turn-closed moved turn-began
			@ moved unit = "Fleet 1"
			? ships.Tern.at = "Gull Bay"
			d0+15h Clara: READY => KM-P1
			d0+16h Anna: FLEET 1 MOVES TO Gullhaven => KM-A4c
			d0+16h Boris: CONFIRM ORDER 3 => KM-A4c
			d0+16h Anna: READY => KM-P1
			d0+17h Boris: READY => KM-P1
			d0+18h Clara: READY => KM-P1
			d0+19h Anna: Ayton EMBARKS ON Tern => KM-2.5
			+ READY => KM-P1
			d0+20h
			! turn-closed embarked senior-officer turn-began
			@ senior-officer noble = "Ayton"
			@ senior-officer rule = KM-A7.iv
			d0+20h Boris: FLEET 1 MOVES TO Cold Sea => refused KM-A6d
		`},
		{"in Russian", at(`troops = 50, at = "Gullhaven"`, `troops = 50, at = "Upmoor"`), `
			d0+13h Anna: Аск, Ayton ОБРАЗУЮТ АРМИЮ В Crag => KM-A6a
			+ READY => KM-P1
			d0+14h Boris: READY => KM-P1
			d0+15h Clara: READY => KM-P1
			d0+16h Anna: АРМИЯ 1 ИДЁТ В Hazeldene => KM-P4
			d0+16h Anna: Армия 1 ОСАЖДАЕТ Hazelburgh => KM-4.7
			? orders.1.line = "Армия 1 ОСАЖДАЕТ Hazelburgh"
		`},
	} {
		s.run(t)
	}
}

// Who commands a joint army or fleet, and by which step of KM-A7. Aske and Ayton are Red's, Bewick and Bolam Blue's.
func TestSeniority(t *testing.T) {
	all := []string{"Aske", "Ayton", "Bewick", "Bolam"}
	for _, c := range []struct {
		name    string
		kind    string
		among   []string
		prepare func(*State)
		rule    string
		nobles  []string
	}{
		{"nobody", fleet, nil, func(*State) {}, "", nil},
		{"the holder of the one crowned heir", army, all, func(s *State) { s.crownFor("Edmund", "Bolam") }, "KM-A7.i", []string{"Bolam"}},
		{"two crowned heirs decide nothing", army, all, func(s *State) { s.crownFor("Edmund", "Bolam"); s.crownFor("Rosamund", "Ayton") }, "KM-A7.ii", []string{"Aske"}},
		{"an heir without a crown decides nothing", army, all, func(s *State) { s.Heirs["Edmund"].Holder = "Bolam" }, "KM-A7.ii", []string{"Aske"}},
		{"a crowned heir of somebody else's decides nothing", army, all, func(s *State) { s.crownFor("Edmund", "Clavering") }, "KM-A7.ii", []string{"Aske"}},
		{"the higher office", army, all, func(s *State) { s.Holders["Marshal of England"] = "Bewick" }, "KM-A7.ii", []string{"Bewick"}},
		{"an office that does not count for a fleet", fleet, all, func(s *State) { s.Holders["Marshal of England"] = "Bewick" }, "KM-A7.iv", []string{"Aske"}},
		{"the higher see", army, all, func(s *State) { s.without(); s.Holders["Bishop of Durham"] = "Ayton" }, "KM-A7.iii", []string{"Ayton"}},
		{"the greatest potential", army, all, func(s *State) { s.without() }, "KM-A7.iv", []string{"Aske"}},
		{"limited troops count for it", army, []string{"Ayton", "Bewick"}, func(s *State) { s.without(); s.World.Items[1].Troops = 0; s.Holders["Town of Hazelburgh"] = "Ayton" }, "KM-A7.iv", []string{"Bewick"}},
		{"the faction with the greatest sum", army, []string{"Aske", "Bewick", "Bolam"}, func(s *State) { s.without(); s.troops("Bewick", 100); s.troops("Bolam", 1) }, "KM-A7.v", []string{"Bewick"}},
		{"the faction's strongest noble by chance", army, []string{"Aske", "Ayton", "Bewick", "Bolam"}, func(s *State) { s.without(); s.troops("Bewick", 100); s.troops("Bolam", 100) }, "KM-A7.v", []string{"Bewick", "Bolam"}},
		{"the crown of the whole faction", army, []string{"Aske", "Bewick"}, func(s *State) { s.without(); s.troops("Bewick", 100); s.crownFor("Edmund", "Bolam") }, "KM-A7.vi", []string{"Bewick"}},
		{"an office of the whole faction", army, []string{"Aske", "Bewick"}, func(s *State) { s.without(); s.troops("Bewick", 100); s.Holders["Marshal of England"] = "Ayton" }, "KM-A7.vi", []string{"Aske"}},
		{"the potential of the whole faction", army, []string{"Aske", "Bewick"}, func(s *State) { s.without(); s.troops("Bewick", 100) }, "KM-A7.vi", []string{"Aske"}},
		{"anybody by chance", army, []string{"Aske", "Bewick"}, func(s *State) { s.without(); s.troops("Bewick", 100); s.troops("Bolam", 50) }, "KM-A7.vii", []string{"Aske", "Bewick"}},
	} {
		t.Run(c.rule+" "+c.name, func(t *testing.T) {
			s := opened(t, theMarch)
			c.prepare(s)
			got := s.senior(c.kind, c.among)
			if got.rule != c.rule || !slices.Equal(got.nobles, c.nobles) {
				t.Errorf("it is %s %v", got.rule, got.nobles)
			}
			if c.rule != "" && "KM-A7."+got.steps[len(got.steps)-1]["step"].(string) != c.rule {
				t.Errorf("the steps told are %v", got.steps)
			}
		})
	}
}

func (s *State) crownFor(heir, holder string) {
	s.Heirs[heir].Crowned, s.Heirs[heir].Holder = true, holder
}

// without takes all items away.
func (s *State) without() { s.Holders = map[string]string{} }

func (s *State) troops(noble string, n int) { s.World.at().nobles[noble].Troops = n }
