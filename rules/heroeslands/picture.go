package heroeslands

import (
	"cmp"
	"slices"
	"strconv"

	"arroba/rules"
)

// Measures of the tree, in points.
const (
	treeMargin = 10.0
	treeRow    = 30.0 // from one lord to the next
	treeStep   = 26.0 // how far vassals stand in
	treeWidth  = 210.0
	treeHeight = 22.0
)

// tinctures colour the shields by rank.
var tinctures = [King + 1]string{Knight: "#6f6a60", Baron: "#7a1f2b", Count: "#3c6b48", Marquis: "#2c5984", Duke: "#643a75", King: "#a67c12"}

// pictures draws for each Land who serves whom. All of it is public, so everybody sees the same.
func pictures(s *State, _ rules.Viewer) []rules.Picture {
	var list []rules.Picture
	for _, land := range s.Lands {
		t := &tree{s: s, land: land}
		for _, nick := range t.heads() {
			t.put(nick, 0)
		}
		if t.rows > 0 {
			list = append(list, t.picture())
		}
	}
	return list
}

// tree is a drawing that grows lord by lord: each on a row of his own, vassals under their suzerain and further in, so
// that it stays as narrow as a telephone.
type tree struct {
	s      *State
	land   string
	rows   int
	deep   int
	shapes []rules.Shape
}

// heads are the lords who serve nobody, the highest first, then by nick.
func (t *tree) heads() []string {
	var list []string
	for _, nick := range t.s.nicks() {
		if st := t.s.in(t.land, nick); st.Suzerain == "" && st.Rank > Landless {
			list = append(list, nick)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(t.s.in(t.land, b).Rank, t.s.in(t.land, a).Rank) })
	return list
}

// put draws a lord and everybody under him, and returns the height of his middle.
func (t *tree) put(nick string, depth int) float64 {
	st := t.s.in(t.land, nick)
	x, y := treeMargin+float64(depth)*treeStep, treeMargin+float64(t.rows)*treeRow
	t.rows++
	t.deep = max(t.deep, depth)
	t.lord(nick, st, x, y)
	for _, v := range st.Vassals {
		at := t.put(v, depth+1)
		t.shapes = append(t.shapes, rules.Shape{Points: [][2]float64{{x + 14, y + treeHeight}, {x + 14, at}, {x + treeStep, at}}, Stroke: "#a08a5c", Width: 1.2})
	}
	return y + treeHeight/2
}

// lord draws a lord: his shield in the colour of his rank with the number of his feuds, his name, his flag.
func (t *tree) lord(nick string, st *Standing, x, y float64) {
	right := x + treeWidth
	t.shapes = append(t.shapes,
		rules.Shape{Points: [][2]float64{{x, y}, {right, y}, {right, y + treeHeight}, {x, y + treeHeight}}, Closed: true, Fill: "#f3ecdb", Stroke: "#c9b98f", Width: 0.8},
		rules.Shape{Points: [][2]float64{{x + 6, y + 3}, {x + 22, y + 3}, {x + 22, y + 12}, {x + 19, y + 16}, {x + 14, y + 19.5}, {x + 9, y + 16}, {x + 6, y + 12}}, Closed: true, Fill: tinctures[st.Rank]},
		rules.Shape{Points: [][2]float64{{x + 14, y + 13}}, Text: strconv.Itoa(len(st.Feuds)), Size: 8.5, Align: "middle", Bold: true, Fill: "#ffffff", Fit: 13},
		rules.Shape{Points: [][2]float64{{x + 29, y + 15}}, Text: nick, Size: 11, Bold: true, Fill: "#25211b", Fit: treeWidth - 54, Link: t.land + "-" + nick},
	)
	if st.Flag {
		t.shapes = append(t.shapes,
			rules.Shape{Points: [][2]float64{{right - 16, y + 4}, {right - 16, y + 18}}, Stroke: "#25211b", Width: 1},
			rules.Shape{Points: [][2]float64{{right - 16, y + 4}, {right - 6, y + 7.5}, {right - 16, y + 11}}, Closed: true, Fill: "#a02333"})
	}
}

func (t *tree) picture() rules.Picture {
	return rules.Picture{
		Name:   "tree-" + t.land,
		Title:  map[string]string{"en": "Who serves whom in " + t.land, "ru": "Кто кому служит, " + t.land},
		Width:  2*treeMargin + treeWidth + float64(t.deep)*treeStep,
		Height: 2*treeMargin + float64(t.rows)*treeRow - (treeRow - treeHeight),
		Shapes: t.shapes,
	}
}
