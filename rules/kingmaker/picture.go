package kingmaker

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"arroba/rules"
	"arroba/rules/canvas"
)

// The map: land, seas, roads, towns and castles by their kind, and who stands where. It can be read in print without
// colours: a faction has its letters besides.

// The palette.
const (
	mapInk    = "#25211b"
	mapFaint  = "#7a6f5b"
	mapSea    = "#dbe7ea"
	mapCoast  = "#8fa9ad"
	mapLand   = "#f4ecd8"
	mapBorder = "#e0d3b4"
	mapRoad   = "#b08d57"
	mapWater  = "#3f6b7a"
	mapNobody = "#ffffff"
)

// factionColours are those of the factions, in the order of the Round; further ones begin anew.
var factionColours = []string{"#a02333", "#2c5984", "#3c6b48", "#8a6410", "#643a75", "#1f7a78", "#7a4a2a", "#4a4f58"}

// chart is a map being drawn.
type chart struct {
	canvas.Canvas
	*State
	*atlas
	only  map[string]bool // the spaces that are drawn; nil: all
	codes map[string]string
	taken []box // where something stands that names must not cover
}

// pictures is the map of the whole world, where the world file has coordinates. All on it is public.
func pictures(s *State, _ rules.Viewer) []rules.Picture {
	if p, ok := s.drawMap("map", nil); ok {
		return []rules.Picture{p}
	}
	return nil
}

// changesMap are the events after which the map looks different, with the data that names what has moved or changed.
var changesMap = map[string][]string{"moved": {"from", "to"}, "embarked": {"port"}, "disembarked": {"to"}, "placed": {"at"}, "ship-forced": {"port"},
	"control-changed": {"location"}, "battle-declared": {"space"}, "siege-laid": {"location"}, "heir-captured": {"noble"}}

// shows is the part of the map where events have changed something.
func shows(s *State, _ rules.Viewer, events []rules.Event) []rules.Picture {
	only := map[string]bool{}
	for _, ev := range events {
		for _, key := range changesMap[ev.Type] {
			if name, _ := ev.Data[key].(string); name != "" {
				s.around(name, only)
			}
		}
	}
	if len(only) == 0 {
		return nil
	}
	if p, ok := s.drawMap("map-changes", only); ok {
		return []rules.Picture{p}
	}
	return nil
}

// around adds the space of a place or noble, and the spaces beside it.
func (s *State) around(name string, only map[string]bool) {
	ix := s.World.at()
	if s.Nobles[name] != nil {
		name = s.space(name)
	}
	name = s.World.spaceOf(name)
	switch {
	case ix.seas[name] != nil:
		only[name] = true
		for _, l := range s.World.Locations {
			if slices.Contains(l.Sea, name) {
				only[l.Space] = true
			}
		}
	case ix.spaces[name] != nil:
		only[name] = true
		for _, n := range ix.adjacent.neighbours(name) {
			only[n] = true
		}
	}
}

// drawMap draws the map, of some spaces alone when there are any; false where the world file has no coordinates.
func (s *State) drawMap(name string, only map[string]bool) (rules.Picture, bool) {
	at := newAtlas(s.World, only)
	if at == nil {
		return rules.Picture{}, false
	}
	c := &chart{State: s, atlas: at, only: only, codes: s.codes()}
	c.land()
	c.roads()
	c.places()
	c.names()
	bottom := c.legend(c.height + 8)
	sea := canvas.Canvas{}
	sea.Area(mapSea, "", 0, [2]float64{0, 0}, [2]float64{c.width, 0}, [2]float64{c.width, bottom}, [2]float64{0, bottom})
	return rules.Picture{
		Name:  name,
		Title: map[string]string{"en": "The map", "ru": "Карта"},
		Width: c.width, Height: bottom,
		Shapes: append(sea.Shapes, c.Shapes...),
	}, true
}

// codes are the letters by which factions are told apart without colours: their initials, with a number where several have
// the same.
func (s *State) codes() map[string]string {
	codes, used := map[string]string{}, map[string]int{}
	for _, d := range s.World.Factions {
		var code strings.Builder
		for _, w := range strings.Fields(d.Name) {
			r, _ := utf8.DecodeRuneInString(w)
			code.WriteRune(unicode.ToUpper(r))
		}
		base := code.String()
		if used[base]++; used[base] > 1 {
			base = fmt.Sprint(base, used[base])
		}
		codes[d.Name] = base
	}
	return codes
}

// colour is that of a faction; "" for nobody's.
func (s *State) colour(faction string) string {
	i, ok := s.World.at().factions[faction]
	if !ok {
		return mapNobody
	}
	return factionColours[i%len(factionColours)]
}

// land draws the spaces: first the coast round all of them, then each on its own.
func (c *chart) land() {
	for _, name := range c.order() {
		c.Area("", mapCoast, 5, points(c.cell(name))...)
	}
	for _, name := range c.order() {
		c.Area(mapLand, mapBorder, 0.8, points(c.cell(name))...)
	}
}

func points(outline []spot) (list [][2]float64) {
	for _, p := range outline {
		list = append(list, [2]float64{p.x, p.y})
	}
	return list
}

// roads draws each road from space to space, through the locations that stand on it.
func (c *chart) roads() {
	for _, d := range c.World.Roads {
		var way [][2]float64
		for _, space := range d.Spaces {
			if at, ok := c.onRoad(d, space); ok {
				way = append(way, [2]float64{at.x, at.y})
				continue
			}
			c.road(way)
			way = nil
		}
		c.road(way)
	}
}

func (c *chart) road(way [][2]float64) {
	if len(way) > 1 {
		c.Line(mapRoad, 2.4, way...)
		c.Line(mapLand, 0.8, way...)
	}
}

// onRoad is where a road goes in a space: to its location there, else through the middle.
func (c *chart) onRoad(d RoadData, space string) (spot, bool) {
	for _, l := range d.Through {
		if c.World.at().locations[l].Space == space {
			p, ok := c.locations[l]
			return p, ok
		}
	}
	p, ok := c.spaces[space]
	return p, ok
}

// places draws the towns and castles.
func (c *chart) places() {
	for _, d := range c.World.Locations {
		if at, ok := c.locations[d.Name]; ok {
			c.symbol(d.Type, at, c.colour(c.Control[d.Name]), d.Cathedral)
			c.taken = append(c.taken, box{at.x - 6, at.y - 7, 12, 13})
		}
	}
}

// symbol draws the sign of a kind of location.
func (c *chart) symbol(kind string, at spot, fill string, cathedral bool) {
	x, y := at.x, at.y
	p := func(pairs ...float64) (list [][2]float64) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, [2]float64{x + pairs[i], y + pairs[i+1]})
		}
		return list
	}
	switch kind {
	case city: // walls with two towers
		c.Area(fill, mapInk, 1, p(-6, 5, -6, -5, -3, -5, -3, -2, 3, -2, 3, -5, 6, -5, 6, 5)...)
	case fortified: // walls with battlements
		c.Area(fill, mapInk, 1, p(-5, 4, -5, -4, -3, -4, -3, -2, -1, -2, -1, -4, 1, -4, 1, -2, 3, -2, 3, -4, 5, -4, 5, 4)...)
	case royal: // a keep with a flag
		c.Area(fill, mapInk, 1, p(-3.5, 5, -3.5, -3, 3.5, -3, 3.5, 5)...)
		c.Line(mapInk, 1, p(0, -3, 0, -8)...)
		c.Area(mapInk, "", 0, p(0, -8, 4, -6.5, 0, -5)...)
	case nobleCastle: // a keep
		c.Area(fill, mapInk, 1, p(-3.5, 4, -3.5, -4, 3.5, -4, 3.5, 4)...)
	case open: // a house with a fence
		c.Area(fill, mapInk, 1, p(-4, 4, -4, -1, 0, -4, 4, -1, 4, 4)...)
		c.Line(mapInk, 1, p(-6, 5, 6, 5)...)
	default: // a house
		c.Area(fill, mapInk, 1, p(-3.5, 4, -3.5, -1, 0, -4, 3.5, -1, 3.5, 4)...)
	}
	if cathedral {
		c.Line(mapInk, 1.4, p(0, -4, 0, -11)...)
		c.Line(mapInk, 1.4, p(-2.5, -8.5, 2.5, -8.5)...)
	}
}

// legend explains signs and factions below the map, and returns where it ends.
func (c *chart) legend(y float64) float64 {
	x := 14.0
	next := func(w float64) {
		if x += w; x > c.width-110 {
			x, y = 14, y+18
		}
	}
	for _, k := range []struct{ kind, en, ru string }{{city, "city", "город"}, {fortified, "fortified town", "укреплённый город"}, {royal, "royal castle", "королевский замок"},
		{nobleCastle, "noble castle", "замок лорда"}, {open, "open town", "открытый город"}, {unfortified, "unfortified town", "неукреплённый город"}} {
		c.symbol(k.kind, spot{x + 6, y + 4}, mapNobody, false)
		c.Say(x+16, y+8, 9, 100, mapInk, k.en, k.ru)
		next(120)
	}
	c.symbol(city, spot{x + 6, y + 4}, mapNobody, true)
	c.Say(x+16, y+8, 9, 100, mapInk, "with a cathedral", "с собором")
	x, y = 14, y+20
	c.Say(x, y+8, 9, c.width-28, mapFaint, "* heir    ~ ship    + aboard    [1] army or fleet 1    (R) controlled by", "* наследник    ~ корабль    + на борту    [1] армия или флот 1    (R) кто держит")
	y += 18
	for _, d := range c.World.Factions {
		c.Box(x, y, 9, 9, c.colour(d.Name), mapInk)
		c.Text(x+14, y+8, 9, 100, mapInk, c.codes[d.Name]+"  "+d.Name)
		next(120)
	}
	return y + 24
}
