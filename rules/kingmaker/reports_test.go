package kingmaker

import (
	"slices"
	"testing"

	"arroba/rules"
	"arroba/rules/rounds"
)

func TestReports(t *testing.T) {
	script{"positions, the Round's end, and the GM's situation", theMarch, `
		d0+12h
		@ situation turn = "Red"
		@ situation to = gm
		@ situation player = "Anna"
		@ situation next = ["Blue","Green"]
		@ situation forces = [{"unit":"Aske","place":"Crag","ship":""},{"unit":"Ayton","place":"Gullhaven","ship":""},{"unit":"Tern","place":"Gullhaven","ship":""},{"unit":"Auk","place":"Cold Sea","ship":""}]
		d0+13h Anna: ALLY WITH Blue, Green => KM-A1
		d0+13h Clara: CONFIRM ALLIANCE => KM-A2a
		d0+13h Anna: Ayton EMBARKS ON Tern => KM-2.5
		+ READY => KM-P1
		d0+14h
		@ positions to = tavern,gm,copies
		@ positions faction = "Red"
		@ positions forces = [{"unit":"Aske","place":"Crag","ship":""},{"unit":"Ayton","place":"Gullhaven","ship":"Tern"},{"unit":"Tern","place":"Gullhaven","ship":""},{"unit":"Auk","place":"Cold Sea","ship":""}]
		@ situation proposals = [{"n":1,"proposer":"Red","waits":["Blue"]}]
		@ situation next = ["Green"]
		d0+14h Boris: READY => KM-P1
		d0+15h Clara: READY => KM-P1
		d0+16h
		@ round-over round = 1
		@ round-over to = tavern,gm,copies
		! turn-closed round-began turn-began
	`}.run(t)
}

// What others may see of an alliance, before and after its members act together.
func TestOutsidersSeeNoAlliance(t *testing.T) {
	s := opened(t, theMarch)
	s.Alliances = []*Alliance{{Proposer: "Red", Asked: []string{"Blue", "Green"}, Answers: map[string]bool{"Blue": true, "Green": false}, Members: []string{"Red", "Blue"}, Status: formed}}
	for _, c := range []struct {
		who    viewer
		public bool
		want   int // alliances seen
		asked  int // factions asked that are seen
		knows  int // answers that are seen
	}{
		{viewer{}, false, 0, 0, 0}, {viewer{f: "Grey"}, false, 0, 0, 0}, {viewer{f: "Green"}, false, 1, 2, 1}, {viewer{f: "Blue"}, false, 1, 2, 1},
		{viewer{f: "Red"}, false, 1, 2, 2}, {viewer{gm: true}, false, 1, 2, 2},
		{viewer{}, true, 1, 0, 0}, {viewer{f: "Grey"}, true, 1, 0, 0},
	} {
		s.Alliances[0].Public = c.public
		seen := s.viewAlliances(c.who)
		if len(seen) != c.want || len(seen) > 0 && (len(seen[0].Asked) != c.asked || len(seen[0].Answers) != c.knows) {
			t.Errorf("%+v sees %+v", c, seen)
		}
	}
}

// The orders that letters offer to be filled in.
func TestOffers(t *testing.T) {
	lines := func(s *State, who string) (list []string) {
		for _, o := range offers(s, rules.Viewer{Seat: rules.Seat(who), GM: who == "Gareth"}) {
			list = append(list, ruleset.Grammar.Fill(o.Form, "en", o.Args))
		}
		return list
	}
	s := opened(t, theMarch)
	s.Turn, s.Rounds.Phase.Name = "Red", phaseOrders
	s.Alliances = []*Alliance{{Proposer: "Green", Asked: []string{"Red", "Blue"}, Status: proposed}}
	s.Asks = map[int][]string{4: {"Blue"}}
	s.Rounds.Orders = []rounds.Order{{N: 4, Seat: "Anna", Kind: verbMove, Units: []string{"Tern"}}}
	s.Nobles["Ayton"].Moved = true
	s.Combats = []*Combat{{Kind: siege}}
	for who, want := range map[string][]string{
		"Anna":   {"CONFIRM ALLIANCE 1", "REFUSE ALLIANCE 1", "Aske MOVES TO <to>", "Auk MOVES TO <to>"},
		"Boris":  {"CONFIRM ALLIANCE 1", "REFUSE ALLIANCE 1", "CONFIRM ORDER 4", "REFUSE ORDER 4"},
		"Clara":  nil,
		"Gareth": {"RESULT OF SIEGE 1 FALLS"},
	} {
		if got := lines(s, who); !slices.Equal(got, want) {
			t.Errorf("%s is offered %q", who, got)
		}
	}
}
