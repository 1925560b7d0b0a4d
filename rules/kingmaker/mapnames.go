package kingmaker

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// The names on the map: each stands near what it names, where it covers nothing else.

// box is a rectangle by its upper left corner.
type box struct{ x, y, w, h float64 }

func (b box) meets(o box) bool {
	return b.x < o.x+o.w && o.x < b.x+b.w && b.y < o.y+o.h && o.y < b.y+b.h
}

// label is what is written at a place: lines one below the other.
type label struct {
	at    spot
	lines []labelLine
}

type labelLine struct {
	text, colour string
	size         float64
	bold         bool
}

// letterWidth is how wide a letter is on the average, by its size. A text that is wider is drawn smaller.
const letterWidth = 0.55

func (l label) size() (w, h float64) {
	for _, line := range l.lines {
		w = max(w, letterWidth*line.size*float64(utf8.RuneCountInString(line.text)))
		h += line.size * 1.15
	}
	return w, h
}

// names writes what stands where: first the places with those who are there, then seas and spaces.
func (c *chart) names() {
	units := c.unitsByPlace()
	for _, d := range c.World.Locations {
		if at, ok := c.locations[d.Name]; ok {
			c.put(label{at, append([]labelLine{{c.withCode(d.Name, c.Control[d.Name]), mapInk, 8, d.Type == city}}, units[d.Name]...)})
		}
	}
	for _, d := range c.World.Seas {
		if at, ok := c.seas[d.Name]; ok {
			c.put(label{at, append([]labelLine{{d.Name, mapWater, 9, false}}, units[d.Name]...)})
		}
	}
	for _, d := range c.World.Spaces {
		if at, ok := c.spaces[d.Name]; ok {
			c.put(label{at, append([]labelLine{{d.Name, mapFaint, 6.5, false}}, units[d.Name]...)})
		}
	}
}

// withCode is the name of a place with the letters of who controls it.
func (c *chart) withCode(name, faction string) string {
	if faction == "" {
		return name
	}
	return name + " (" + c.codes[faction] + ")"
}

// unitsByPlace are the lines that tell who stands where, by the name of the place: nobles of one faction in one line, each
// ship in one of its own with who is aboard, and heirs whom nobody holds.
func (c *chart) unitsByPlace() map[string][]labelLine {
	lines := map[string][]labelLine{}
	add := func(place, faction, text string) {
		lines[place] = append(lines[place], labelLine{text, c.colour(faction), 7.5, true})
	}
	nobles := map[string]map[string][]string{}
	for _, d := range c.World.Nobles {
		if n := c.Nobles[d.Name]; c.inPlay(d.Name) && n.Ship == "" {
			place := c.where(d.Name).name()
			if nobles[place] == nil {
				nobles[place] = map[string][]string{}
			}
			nobles[place][n.Faction] = append(nobles[place][n.Faction], c.unitName(d.Name))
		}
	}
	for _, place := range sortedKeys(nobles) {
		for _, f := range c.World.Factions {
			for some := range slices.Chunk(nobles[place][f.Name], 3) {
				add(place, f.Name, c.codes[f.Name]+": "+strings.Join(some, ", "))
			}
		}
	}
	for _, d := range c.World.Ships {
		if c.inPlay(d.Name) {
			text := c.codes[c.of(d.Name)] + " ~ " + c.unitName(d.Name)
			for _, n := range c.aboard(d.Name) {
				text += " + " + c.unitName(n)
			}
			add(c.where(d.Name).name(), c.of(d.Name), text)
		}
	}
	for _, d := range c.World.Heirs {
		if h := c.Heirs[d.Name]; !h.Removed && h.Holder == "" {
			lines[h.Place.name()] = append(lines[h.Place.name()], labelLine{"* " + d.Name, mapInk, 7.5, false})
		}
	}
	return lines
}

// unitName is a noble or ship with the number of its army or fleet, and the heirs whom a noble holds.
func (c *chart) unitName(unit string) string {
	name := unit
	if g := c.group(unit); g != nil {
		name += fmt.Sprintf(" [%d]", g.N)
	}
	for _, d := range c.World.Heirs {
		if h := c.Heirs[d.Name]; h.Holder == unit && !h.Removed {
			name += " * " + d.Name
		}
	}
	return name
}

// put writes a label where it covers nothing: beside its point, above, below, and then ever farther round it. One that is
// far from its point gets a line to it.
func (c *chart) put(l label) {
	w, h := l.size()
	try := func(x, y float64) bool {
		b := box{x, y, w, h}
		if x < 2 || y < 2 || x+w > c.width-2 || y+h > c.height-2 || slices.ContainsFunc(c.taken, b.meets) {
			return false
		}
		c.write(l, b)
		return true
	}
	if try(l.at.x+8, l.at.y-5) || try(l.at.x-8-w, l.at.y-5) || try(l.at.x-w/2, l.at.y+8) || try(l.at.x-w/2, l.at.y-10-h) {
		return
	}
	for far := 14.0; far < c.width; far += 5 {
		for turn := range 16 {
			angle := 2 * math.Pi * float64(turn) / 16
			dx, dy := math.Cos(angle), math.Sin(angle)
			if try(l.at.x+dx*(far+w/2)-w/2, l.at.y+dy*(far+h/2)-h/2) {
				return
			}
		}
	}
	c.grow(h)
	c.write(l, box{max(2, min(l.at.x, c.width-w-2)), c.height - h - 2, w, h})
}

// grow makes room below a map that has none left.
func (c *chart) grow(h float64) { c.height += h + 4 }

func (c *chart) write(l label, b box) {
	c.taken = append(c.taken, b)
	near := spot{max(b.x, min(l.at.x, b.x+b.w)), max(b.y, min(l.at.y, b.y+b.h))}
	if near.far(l.at) > 11 {
		c.Line(mapFaint, 0.5, [2]float64{l.at.x, l.at.y}, [2]float64{near.x, near.y})
	}
	y := b.y
	for _, line := range l.lines {
		y += line.size * 1.15
		c.Text(b.x, y-line.size*0.25, line.size, b.w, line.colour, line.text)
		c.Turned("start", line.bold)
	}
}
