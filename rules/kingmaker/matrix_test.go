package kingmaker

import (
	"fmt"
	"testing"

	"arroba/orders"
	"arroba/rules"
)

// TestMatrix walks every cell of the decision matrix: each action at a place of each class, with what may be asked for
// there and without. A column is a class, a line in it a state of affairs: "free" with nobody inside and no permission,
// "occupied" with a stranger inside, "permitted" with every permission, "full" with more troops than there is room for.
func TestMatrix(t *testing.T) {
	const yes, no, occupied, permission, full = "yes", "no", "occupied", "permission", "capacity"
	for _, row := range []struct {
		do   action
		name string
		rule [5]string
		want [5]map[string]string // by class, then state of affairs; a state that is not there is as "free"
	}{
		{define, "define", [5]string{"KM-1.0", "KM-2.0", "KM-3.0", "KM-4.0", "KM-5.0"},
			[5]map[string]string{{"free": yes}, {"free": no}, {"free": no}, {"free": yes}, {"free": yes}}},
		{passByRoad, "pass by road", [5]string{"KM-1.1", "KM-2.1", "KM-3.1", "KM-4.1", "KM-5.1"},
			[5]map[string]string{{"free": yes}, {"free": yes, "occupied": occupied}, {"free": yes, "occupied": occupied}, {"free": no}, {"free": permission, "permitted": yes}}},
		{nobleEnters, "noble enters", [5]string{"KM-1.2", "KM-2.2", "KM-3.2", "KM-4.2", "KM-5.2"},
			[5]map[string]string{{"free": yes, "full": full}, {"free": yes, "occupied": occupied, "full": full}, {"free": yes, "occupied": occupied, "full": full},
				{"free": no}, {"free": permission, "permitted": yes}}},
		{shipEnters, "ship enters", [5]string{"KM-1.3", "KM-2.3", "KM-3.3", "KM-4.3", "KM-5.3"},
			[5]map[string]string{{"free": yes}, {"free": yes, "occupied": occupied}, {"free": yes, "occupied": occupied}, {"free": no}, {"free": permission, "permitted": yes}}},
		{shipLeaves, "ship leaves", [5]string{"KM-1.4", "KM-2.4", "KM-3.5", "KM-4.5", "KM-5.5"},
			[5]map[string]string{{"free": yes}, {"free": yes}, {"free": yes}, {"free": yes}, {"free": permission, "permitted": yes}}},
		{embark, "embark", [5]string{"KM-1.5", "KM-2.5", "KM-3.4", "KM-4.4", "KM-5.4"},
			[5]map[string]string{{"free": yes, "full": full}, {"free": yes, "full": full}, {"free": yes, "full": full}, {"free": no}, {"free": permission, "permitted": yes}}},
		{disembarkInside, "disembark inside", [5]string{"KM-1.6", "KM-2.6", "KM-3.6", "KM-4.6", "KM-5.6"},
			[5]map[string]string{{"free": yes, "full": full}, {"free": yes, "occupied": occupied, "full": full}, {"free": yes, "occupied": occupied, "full": full},
				{"free": no}, {"free": permission, "permitted": yes}}},
		{disembarkOpen, "disembark into the open", [5]string{"KM-1.6", "KM-2.6", "KM-3.6", "KM-4.6", "KM-5.6"},
			[5]map[string]string{{"free": yes}, {"free": yes}, {"free": yes}, {"free": yes}, {"free": yes}}},
		{besiege, "besiege", [5]string{"KM-1.7", "KM-2.7", "KM-3.7", "KM-4.7", "KM-5.7"},
			[5]map[string]string{{"free": no}, {"free": no, "occupied": yes}, {"free": no, "occupied": yes}, {"free": yes}, {"free": yes}}},
	} {
		for class, places := range map[class]string{
			classFriendly: "Crag", classUnfortified: "Birkby", classOpen: "Oxton", classNeutral: "Thornkeep", classUnfriendly: "Wykeport"} {
			for _, affairs := range []string{"free", "occupied", "permitted", "full"} {
				want, ok := row.want[class][affairs]
				if !ok {
					want = row.want[class]["free"]
				}
				t.Run(fmt.Sprintf("%s %s, %s, %s", row.rule[class], row.name, class, affairs), func(t *testing.T) {
					s := opened(t, theMarch)
					load := 10
					switch affairs {
					case "occupied":
						s.Nobles["Carnaby"].Place = s.World.place(places)
					case "permitted":
						for _, k := range permissionKinds {
							s.Permissions = append(s.Permissions, Permission{From: s.Control[places], To: "Red", Location: places, Kind: k})
						}
					case "full":
						load = 1000
					}
					rule, r := s.may(row.do, places, "Red", load, 10)
					if rule != row.rule[class] || r != nil && r.Rule != rule {
						t.Errorf("the rule is %s: %+v", rule, r)
					}
					if got := cellSays(r); got != want {
						t.Errorf("the table says %s", got)
					}
				})
			}
		}
	}
}

// cellSays is what a ruling of the matrix comes to.
func cellSays(r *rules.Ruling) string {
	switch {
	case r == nil:
		return "yes"
	case r.Why == "":
		return "no"
	}
	return r.Why
}

// Every word of the rules that a place or its neighbourhood is judged by.
func TestWords(t *testing.T) {
	s := opened(t, theMarch)
	s.Alliances = []*Alliance{{Proposer: "Red", Members: []string{"Red", "Blue"}, Status: formed}}
	for _, c := range []struct {
		what string
		got  any
		want any
	}{
		{"allied", s.allied("Red", "Blue"), true},
		{"allied, the other way", s.allied("Blue", "Red"), true},
		{"allied with oneself", s.allied("Red", "Red"), false},
		{"not allied", s.allied("Red", "Green"), false},
		{"an ally's place is friendly", s.class("Wykeport", "Red"), classFriendly},
		{"a stranger's is not", s.class("Wykeport", "Green"), classUnfriendly},
		{"nobody's is neutral", s.class("Thornkeep", "Red"), classNeutral},
		{"in the open, in the world's order", fmt.Sprint(s.inOpen("Birkrigg")), "[Bolam Carnaby]"},
		{"a stranger inside", s.occupied("Mead City", "Red"), true},
		{"its own inside", s.occupied("Mead City", "Green"), false},
		{"troops", s.strength("Bewick"), 60},
		{"with limited troops where they count", s.strength("Aske"), 250},
		{"at sea, none", s.strengthIn("Aske", "Gull Bay"), 150},
		{"potential", s.potential("Aske"), 250},
		{"a place fits by its name", s.fits(s.where("Aske"), orders.Arg{ID: "Crag"}), true},
		{"by its space", s.fits(s.where("Aske"), orders.Arg{ID: "Upmoor"}), true},
		{"by an area", s.fits(s.where("Aske"), orders.Arg{ID: "the Uplands", Kind: "area"}), true},
		{"by a port's sea", s.fits(s.where("Bittern"), orders.Arg{ID: "Cold Sea"}), true},
		{"not by another's name", s.fits(s.where("Aske"), orders.Arg{ID: "Oxton"}), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v", c.what, c.got)
		}
	}
}
