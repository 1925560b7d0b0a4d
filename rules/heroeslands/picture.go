package heroeslands

import (
	"cmp"
	"slices"
	"strconv"

	"arroba/rules"
	drawing "arroba/rules/canvas"
)

// What the pictures have in common: one palette, one width, which a telephone shows whole, and small texts of which none
// is too small to read there.

// The palette. Shields and fields have the tinctures of the ranks.
const (
	inkDark  = "#25211b"
	inkFaint = "#6f6656"
	goldLine = "#a08a5c"
	parch    = "#f3ecdb"
	parchRim = "#c9b98f"
	crimson  = "#a02333"
	azure    = "#2c5984"
	hairline = "#e2d8bf"
)

var tinctures = [King + 1]string{Landless: "#a39a88", Knight: "#6f6a60", Baron: "#7a1f2b", Count: "#3c6b48", Marquis: "#2c5984", Duke: "#643a75", King: "#a67c12"}

var ranksRussian = [King + 1]string{"без земли", "рыцарь", "барон", "граф", "маркиз", "герцог", "король"}

const (
	margin    = 10.0
	pageWidth = 300.0
	inner     = pageWidth - 2*margin
)

// pictures draws for each Land who serves whom, whose home is where, and when its wars and duels are; for the GM
// besides, how the treasury fared. All but the treasury is public.
func pictures(s *State, v rules.Viewer) []rules.Picture {
	var list []rules.Picture
	for _, land := range s.Lands {
		t := &tree{s: s, land: land}
		for _, nick := range t.heads() {
			t.put(nick, 0)
		}
		if t.rows > 0 {
			list = append(list, t.picture(), s.feudMap(land))
		}
		if p, ok := s.timeLine(land, v, s.matters(land)); ok {
			list = append(list, p)
		}
	}
	if v.GM {
		if p, ok := s.ledgerChart(v); ok {
			list = append(list, p)
		}
	}
	return list
}

// canvas is what the pictures are drawn on.
type canvas struct{ drawing.Canvas }

// shield is that of a rank, 16 points wide and high.
func (c *canvas) shield(x, y float64, rank Rank) {
	c.Area(tinctures[rank], "", 0, [2]float64{x, y}, [2]float64{x + 16, y}, [2]float64{x + 16, y + 9}, [2]float64{x + 13, y + 13},
		[2]float64{x + 8, y + 16.5}, [2]float64{x + 3, y + 13}, [2]float64{x, y + 9})
}

// flag is what lords with many vassals fly.
func (c *canvas) flag(x, y float64) {
	c.Line(inkDark, 1, [2]float64{x, y}, [2]float64{x, y + 14})
	c.Area(crimson, "", 0, [2]float64{x, y}, [2]float64{x + 10, y + 3.5}, [2]float64{x, y + 7})
}

// lock is a padlock: who has it is not to be challenged.
func (c *canvas) lock(x, y float64) {
	c.Line(azure, 1.3, [2]float64{x + 2, y + 6}, [2]float64{x + 2, y + 3}, [2]float64{x + 3.5, y + 1}, [2]float64{x + 6.5, y + 1}, [2]float64{x + 8, y + 3}, [2]float64{x + 8, y + 6})
	c.Area(azure, "", 0, [2]float64{x, y + 6}, [2]float64{x + 10, y + 6}, [2]float64{x + 10, y + 13}, [2]float64{x, y + 13})
}

// peace is two swords crossed, points down: on who has them no war is to be declared.
func (c *canvas) peace(x, y float64) {
	for _, side := range []float64{-1, 1} {
		at := func(across, down float64) [2]float64 { return [2]float64{x + 6.5 + side*across, y + down} }
		c.Line(azure, 1.4, at(6, 0), at(-5.5, 13))
		c.Line(azure, 1.4, at(6.5, 4.5), at(1.5, 0.5))
	}
}

// ranksLegend explains the colours of the ranks in rows below y, and returns where they end.
func (c *canvas) ranksLegend(x, y float64) float64 {
	for r := Knight; r <= King; r++ {
		col, row := float64((r-1)%3), float64((r-1)/3)
		at, top := x+col*72, y+row*15
		c.Box(at, top, 9, 9, tinctures[r], "")
		c.Say(at+13, top+8, 9, 56, inkFaint, r.String(), ranksRussian[r])
	}
	return y + 30
}

// lordsOf are the lords of a Land, the highest first, then by nick.
func (s *State) lordsOf(land string) []string {
	list := slices.DeleteFunc(slices.Clone(s.nicks()), func(n string) bool { return s.in(land, n).Rank == Landless })
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(s.in(land, b).Rank, s.in(land, a).Rank) })
	return list
}

func count(n int) string { return strconv.Itoa(n) }
