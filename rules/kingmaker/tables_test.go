package kingmaker

import (
	"strings"
	"testing"

	"arroba/orders"
	"arroba/rules"
)

// Tables as GMs paste them, and what they do.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		name, form, text string
		want             string // of the refusal; "" when it is carried out
		faults           []string
		then             func(*State) bool
	}{
		{"strokes, a ruler, a new town and a changed one", "world-locations", "| Name | Space | Type | Controller | Garrison | Sea |\n|---|---|---|---|---|---|\n| Newby | Upmoor | fortified | Red | 250 | |\n| Crag | Upmoor | noble | Blue | | |\n", "", nil,
			func(s *State) bool {
				return s.Control["Newby"] == "Red" && s.Control["Crag"] == "Blue" && s.garrison("Newby") == 250 && s.World.at().locations["Newby"].Space == "Upmoor"
			}},
		{"semicolons", "world-locations", "name; capacity; lat; lon\nOxton;999;53,5;-1.2\n", "", nil,
			func(s *State) bool { return s.room("Oxton") == 999 && *s.World.at().locations["Oxton"].Lat == 53.5 }},
		{"a new port", "world-locations", "name | space | type | sea\nSeaton | Sandwyke | open | Cold Sea, Gull Bay", "", nil,
			func(s *State) bool { return s.port("Seaton") && len(s.World.at().locations["Seaton"].Sea) == 2 }},
		{"items", "world-items", "name | kind | troops | area | area troops | lords | commons | holder\nEarl of Wyke | title | 30 | | | 1 | 2 | Bolam\nBishop of Durham | | 30 | the Uplands | 40 | | |", "", nil,
			func(s *State) bool {
				return s.Holders["Earl of Wyke"] == "Bolam" && s.strength("Bolam") == 70 && s.World.at().items["Bishop of Durham"].Limited[0].Troops == 40
			}},
		{"an item that is a place", "world-items", "name | kind | location | holder\nCastle of Thorn | town | Thornkeep | Bewick", "", nil,
			func(s *State) bool { return s.Control["Thornkeep"] == "Blue" }},
		{"nothing", "world-locations", "\n", "empty", nil, nil},
		{"headings alone", "world-locations", "name | space", "empty", nil, nil},
		{"a heading that is none", "world-locations", "name | walls\nCrag | 3", "heading", nil, nil},
		{"no names", "world-locations", "space | type\nUpmoor | open", "no-name", nil, nil},
		{"rows that do not hold, and nothing is done", "world-locations", "name | space | type | garrison\nNewby | Upmoor | fortified | 250\nOldby | Nowhere | fortified | x\nCrag | Oxlea | noble | -5\nCrag | | |\nA | b | c | d | e", "rows",
			[]string{"2 garrison a whole number", "2 space there is no space", "3 space it is \"Upmoor\"", "3 garrison a whole number from 0", "4 name row 3 is about it", "5 name the row has 5 cells"}, nil},
		{"a controller of an open town", "world-locations", "name | controller\nOxton | Red", "rows", []string{"1 controller nobody controls"}, nil},
		{"a holder out of play", "world-items", "name | holder\nBishop of Durham | Delaval", "rows", []string{"1 holder no noble"}, nil},
		{"a kind that is none", "world-items", "name | kind\nKeeper | keeper", "rows", []string{"1 kind \"keeper\" is no kind"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := opened(t, theMarch)
			was := len(s.World.Locations) + len(s.World.Items)
			e := rules.Env{At: s.Start, By: rules.Actor{Seat: "Gareth", Role: rules.GM}}
			s, ev, r := take(s, orders.Order{Form: c.form, Line: "WORLD", Text: c.text}, e)
			if c.want == "" {
				if !r.OK() || len(ev) == 0 || ev[0].Type != "world-changed" || !c.then(s) {
					t.Errorf("it is %+v", r)
				}
				return
			}
			if r.OK() || r.Why != c.want || len(s.World.Locations)+len(s.World.Items) != was || len(ev) > 0 {
				t.Fatalf("it is %+v, with %d places and items", r, len(s.World.Locations)+len(s.World.Items))
			}
			faults, _ := r.Data["faults"].([]rules.Data)
			if len(faults) != len(c.faults) {
				t.Fatalf("the faults are %v", faults)
			}
			for i, want := range c.faults {
				row, rest, _ := strings.Cut(want, " ")
				column, what, _ := strings.Cut(rest, " ")
				if f := faults[i]; row != string(rune('0'+f["row"].(int))) || column != f["column"] || !strings.HasPrefix(f["what"].(string), what) {
					t.Errorf("fault %d is %v, want %s", i, f, want)
				}
			}
		})
	}
}

// Only a GM changes the world.
func TestTablesAreTheGMs(t *testing.T) {
	s := opened(t, theMarch)
	_, _, r := take(s, orders.Order{Form: "world-items", Text: "name\nX"}, rules.Env{By: rules.Actor{Seat: "Anna", Role: rules.Player}})
	if r.Rule != "KM-P8" {
		t.Errorf("it is %+v", r)
	}
}
