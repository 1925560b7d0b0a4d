package heroeslands

import (
	"slices"

	"arroba/rules"
)

// Measures of the tree, in points.
const (
	treeRow    = 30.0 // from one lord to the next
	treeStep   = 26.0 // how far vassals stand in
	treeWidth  = 210.0
	treeHeight = 22.0
)

// tree is a drawing that grows lord by lord: each on a row of his own, vassals under their suzerain and further in, so
// that it stays as narrow as a telephone.
type tree struct {
	canvas
	s    *State
	land string
	only map[string]bool // lords that are drawn; nil for all
	rows int
	left int // lords that are not
	deep int
}

// heads are the lords who serve nobody, the highest first, then by nick.
func (t *tree) heads() []string {
	return slices.DeleteFunc(t.s.lordsOf(t.land), func(n string) bool { return t.s.in(t.land, n).Suzerain != "" })
}

// put draws a lord and everybody under him, and returns the height of his middle; false when he is not to be.
func (t *tree) put(nick string, depth int) (float64, bool) {
	if t.only != nil && !t.only[nick] {
		t.left += t.under(nick)
		return 0, false
	}
	st := t.s.in(t.land, nick)
	x, y := margin+float64(depth)*treeStep, margin+float64(t.rows)*treeRow
	t.rows++
	t.deep = max(t.deep, depth)
	t.lord(nick, st, x, y)
	for _, v := range st.Vassals {
		if at, ok := t.put(v, depth+1); ok {
			t.Line(goldLine, 1.2, [2]float64{x + 14, y + treeHeight}, [2]float64{x + 14, at}, [2]float64{x + treeStep, at})
		}
	}
	return y + treeHeight/2, true
}

// under counts a lord and everybody under him.
func (t *tree) under(nick string) int {
	n := 1
	for _, v := range t.s.in(t.land, nick).Vassals {
		n += t.under(v)
	}
	return n
}

// lord draws a lord: his shield in the colour of his rank with the number of his feuds, his name, his flag, a lock
// where he is not to be challenged, and crossed swords where no war is to be declared on him.
func (t *tree) lord(nick string, st *Standing, x, y float64) {
	right := x + treeWidth
	t.Box(x, y, treeWidth, treeHeight, parch, parchRim)
	t.shield(x+6, y+3, st.Rank)
	t.Text(x+14, y+13, 8.5, 13, "#ffffff", count(len(st.Feuds)))
	t.Turned("middle", true)
	t.Add(rules.Shape{Points: [][2]float64{{x + 29, y + 15}}, Text: nick, Size: 11, Bold: true, Fill: inkDark, Fit: treeWidth - 86, Link: t.land + "-" + nick})
	if st.Flag {
		t.flag(right-16, y+4)
	}
	if st.Immunity != nil {
		t.lock(right-32, y+4)
	}
	if st.WarImmune > 0 {
		t.peace(right-51, y+4)
	}
}

// picture ends the drawing with what its signs mean.
func (t *tree) picture() rules.Picture {
	y := margin + float64(t.rows)*treeRow
	if t.left > 0 {
		t.Say(margin, y+6, 9, treeWidth, inkFaint, "and "+count(t.left)+" more", "и ещё "+count(t.left))
		y += 16
	}
	y = t.ranksLegend(margin, y+2)
	t.flag(margin+2, y)
	t.Say(margin+16, y+10, 9, 80, inkFaint, "flies a flag", "имеет флаг")
	t.lock(margin+100, y)
	t.Say(margin+114, y+10, 9, treeWidth-114, inkFaint, "not to be challenged", "вызывать нельзя")
	t.peace(margin+2, y+18)
	t.Say(margin+20, y+28, 9, treeWidth-20, inkFaint, "no war may be declared", "войну объявлять нельзя")
	return rules.Picture{
		Name:   "tree-" + t.land,
		Title:  map[string]string{"en": "Who serves whom in " + t.land, "ru": "Кто кому служит, " + t.land},
		Width:  2*margin + treeWidth + float64(t.deep)*treeStep,
		Height: y + 32 + margin,
		Shapes: t.Shapes,
	}
}
