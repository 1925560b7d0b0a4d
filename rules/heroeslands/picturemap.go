package heroeslands

import (
	"hash/fnv"
	"slices"

	"arroba/rules"
)

// Measures of the feud map, in points.
const (
	fieldSize = 8.0
	fieldStep = 10.0
	fieldsRow = 12 // fields side by side
	fieldsAll = 36 // fields of one lord that are drawn
	halfWidth = 124.0
)

// feudMap draws the continents of a Land as islands: on each the lords who are at home there, each with his feuds as
// fields in the colour of his rank. Lords whose home is unknown, and what nobody owns, stand apart below.
func (s *State) feudMap(land string) rules.Picture {
	homes := map[string][]string{}
	for _, nick := range s.lordsOf(land) {
		home := s.Inhabitants[nick].Continent
		homes[home] = append(homes[home], nick)
	}
	m := &feudMap{s: s, land: land, y: margin}
	for _, continent := range sorted(homes) {
		if continent != "" {
			m.island(continent, homes[continent])
		}
	}
	if lords := homes[""]; len(lords) > 0 {
		m.apart("home unknown", "родина неизвестна", len(lords))
		m.lords(lords)
	}
	if feuds := s.Store[land]; len(feuds) > 0 {
		m.apart("in the Magistrate's store", "в запасе Магистрата", len(feuds))
		m.fields(margin+8, m.y, len(feuds), "", 26)
		m.y += fieldStep*float64((min(len(feuds), 3*26)+25)/26) + 8
	}
	end := m.ranksLegend(margin+8, m.y+2)
	return rules.Picture{
		Name:   "map-" + land,
		Title:  map[string]string{"en": "The feuds of " + land + " by continent", "ru": "Феоды по континентам, " + land},
		Width:  pageWidth,
		Height: end + margin/2,
		Shapes: m.Shapes,
	}
}

// feudMap is a drawing that grows downwards.
type feudMap struct {
	canvas
	s    *State
	land string
	y    float64
}

// island draws a continent around its lords: the coast is drawn first, for it lies below them.
func (m *feudMap) island(name string, lords []string) {
	top := m.y
	over := &feudMap{s: m.s, land: m.land, y: top + 20}
	over.Text(pageWidth/2, top+17, 12, inner-60, inkDark, name)
	over.Turned("middle", true)
	over.y += 6
	over.lords(lords)
	height := over.y - top + 4
	m.Area("", "#cfdcdc", 5, coast(name, margin, top, inner, height)...)
	m.Area(parch, goldLine, 1.2, coast(name, margin, top, inner, height)...)
	m.Shapes = append(m.Shapes, over.Shapes...)
	m.y = top + height + 12
}

// apart writes the heading of what lies on no continent.
func (m *feudMap) apart(en, ru string, n int) {
	m.Line(hairline, 1, [2]float64{margin, m.y + 2}, [2]float64{pageWidth - margin, m.y + 2})
	m.Say(margin+8, m.y+16, 10, inner-16, inkFaint, en+" ("+count(n)+")", ru+" ("+count(n)+")")
	m.Turned("start", true)
	m.y += 24
}

// lords draws lords two by two.
func (m *feudMap) lords(lords []string) {
	for pair := range slices.Chunk(lords, 2) {
		tall := 0.0
		for i, nick := range pair {
			st := m.s.in(m.land, nick)
			x := margin + 12 + float64(i)*(halfWidth+8)
			m.Text(x, m.y+8, 10, halfWidth, inkDark, nick)
			m.Turned("start", st.Rank >= Count)
			rows := m.fields(x, m.y+12, len(st.Feuds), tinctures[st.Rank], fieldsRow)
			tall = max(tall, 12+fieldStep*float64(rows)+6)
		}
		m.y += tall
	}
}

// fields draws so many feuds, hollow without a colour, and returns on how many rows.
func (m *feudMap) fields(x, y float64, n int, colour string, row int) int {
	shown := min(n, 3*row)
	for i := range shown {
		stroke := ""
		if colour == "" {
			stroke = goldLine
		}
		m.Box(x+float64(i%row)*fieldStep, y+float64(i/row)*fieldStep, fieldSize, fieldSize, colour, stroke)
	}
	if n > shown { // the last field gives its place to the number of those that have none
		m.Shapes = m.Shapes[:len(m.Shapes)-1]
		m.Text(x+float64(row)*fieldStep, y+2*fieldStep+fieldSize, 8, 30, inkFaint, "+"+count(n-shown+1))
		m.Turned("end", false)
	}
	return (shown + row - 1) / row
}

// coast is the outline of an island in a box. Its bays depend on its name, so it has the same shape in every picture.
func coast(name string, x, y, w, h float64) (points [][2]float64) {
	sum := fnv.New64a()
	sum.Write([]byte(name)) // never fails
	seed := sum.Sum64()
	bay := func() float64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return float64(seed>>33) / (1 << 31) * 5
	}
	across, down := max(int(w/14), 2), max(int(h/14), 2)
	const round = 9.0 // corners are cut
	for i := range across {
		points = append(points, [2]float64{x + round + (w-2*round)*float64(i)/float64(across-1), y + bay()})
	}
	for i := range down {
		points = append(points, [2]float64{x + w - bay(), y + round + (h-2*round)*float64(i)/float64(down-1)})
	}
	for i := range across {
		points = append(points, [2]float64{x + w - round - (w-2*round)*float64(i)/float64(across-1), y + h - bay()})
	}
	for i := range down {
		points = append(points, [2]float64{x + bay(), y + h - round - (h-2*round)*float64(i)/float64(down-1)})
	}
	return points
}
