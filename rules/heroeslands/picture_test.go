package heroeslands

import (
	"fmt"
	"strings"
	"testing"

	"arroba/rules"
	"arroba/rules/rulestest"
)

// Two hundred lords, every one in the picture of the Land, and nothing outside of it.
func TestPicture(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(crowd(200), theCast...))
	pictures, err := g.State.Pictures(rules.Viewer{})
	if err != nil || len(pictures) != 1 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	p := pictures[0]
	if p.Name != "tree-HL3" || p.Title["en"] == "" || p.Title["ru"] == "" {
		t.Errorf("it is called %q, %v", p.Name, p.Title)
	}
	seen := map[string]bool{}
	for _, s := range p.Shapes {
		seen[s.Text] = true
		for _, at := range s.Points {
			if at[0] < 0 || at[1] < 0 || at[0] > p.Width || at[1] > p.Height {
				t.Fatalf("%v is outside of %v by %v", at, p.Width, p.Height)
			}
		}
	}
	for i := range 200 {
		if nick := fmt.Sprintf("Lord%d", i); !seen[nick] {
			t.Errorf("%s is not in it", nick)
		}
	}
	if seen["Anna"] {
		t.Error("the landless are in it")
	}
}

// crowd is a world of so many lords in one Land: of every five, the first is a count with a vassal.
func crowd(lords int) string {
	var b strings.Builder
	b.WriteString("[world]\nlands = [\"HL3\"]\n")
	for i := range lords {
		fmt.Fprintf(&b, "[world.inhabitants.Lord%d]\ngold = 5000\n", i)
		switch i % 5 {
		case 0:
			b.WriteString("feuds = { HL3 = 5 }\n")
		case 1:
			fmt.Fprintf(&b, "feuds = { HL3 = 1 }\nsuzerain = { HL3 = \"Lord%d\" }\n", i-i%5)
		default:
			b.WriteString("feuds = { HL3 = 3 }\n")
		}
	}
	return b.String()
}
