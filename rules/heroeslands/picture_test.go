package heroeslands

import (
	"slices"
	"testing"

	"arroba/rules"
	"arroba/rules/rulestest"
)

// Vassals stand under their suzerain and further in, in order of service; heads stand highest first; the landless stand
// nowhere. Strangers and the GM see the same.
func TestTree(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(`
[world]
lands = ["HL3", "HL4"]
[world.inhabitants.Oleg]
feuds = { HL3 = 5 }
[world.inhabitants.Boris]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Oleg" }
since = { HL3 = 2025-06-01T00:00:00Z }
[world.inhabitants.Anna]
feuds = { HL3 = 3 }
suzerain = { HL3 = "Oleg" }
since = { HL3 = 2025-07-01T00:00:00Z }
[world.inhabitants.Vera]
feuds = { HL3 = 8 }
[world.inhabitants.Karl]
`, theCast...))
	pictures, err := g.State.Pictures(rules.Viewer{})
	if err != nil {
		t.Fatal(err)
	}
	if len(pictures) != 1 || pictures[0].Name != "tree-HL3" {
		t.Fatalf("%d pictures, want the tree of the only Land with lords", len(pictures))
	}
	type place struct {
		nick string
		x    float64
	}
	var got []place
	for _, s := range pictures[0].Shapes {
		if s.Link != "" {
			got = append(got, place{s.Text, s.Points[0][0] - treeMargin - 29})
		}
		for _, p := range s.Points {
			if p[0] < 0 || p[0] > pictures[0].Width || p[1] < 0 || p[1] > pictures[0].Height {
				t.Errorf("%v stands outside of the picture", p)
			}
		}
	}
	want := []place{{"Vera", 0}, {"Oleg", 0}, {"Boris", treeStep}, {"Anna", treeStep}}
	if !slices.Equal(got, want) {
		t.Errorf("the tree is %v, want %v", got, want)
	}
}
