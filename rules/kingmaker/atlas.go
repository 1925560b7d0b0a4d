package kingmaker

import (
	"cmp"
	"math"
	"slices"
)

// Where everything lies on the drawn map. What the world file gives no coordinates for lies amidst what it neighbours.

// spot is a point of the map, in points; y goes down.
type spot struct{ x, y float64 }

func (a spot) far(b spot) float64 { return math.Hypot(a.x-b.x, a.y-b.y) }

// atlas is where the places of a world lie.
type atlas struct {
	spaces, seas, locations map[string]spot
	islands                 map[string]bool // spaces without neighbours
	reach                   float64         // half of what lies between neighbours, about: the size of a space
	width, height           float64
}

const (
	atlasWidth = 700.0 // of a large map
	atlasEdge  = 46.0  // that names beside the outermost places need
	largeMap   = 30    // spaces from which a map is large
)

// newAtlas lays a world's places out, those of some spaces alone when there are any; nil when it has no coordinates.
func newAtlas(w *World, only map[string]bool) *atlas {
	deg := degrees(w)
	if len(deg) == 0 {
		return nil
	}
	shown := map[string]spot{}
	for name, p := range deg {
		if only == nil || only[name] || only[w.spaceOf(name)] {
			shown[name] = p
		}
	}
	if len(shown) == 0 {
		return nil
	}
	width := atlasWidth
	if len(only) > 0 || len(w.Spaces) < largeMap {
		width = 440
	}
	return project(w, shown, width)
}

// spaceOf is the space of a location; another place is its own.
func (w *World) spaceOf(place string) string {
	if l := w.at().locations[place]; l != nil {
		return l.Space
	}
	return place
}

// degrees are the coordinates of all places that have some or lie amidst such, x to the east and y to the south.
func degrees(w *World) map[string]spot {
	deg := map[string]spot{}
	put := func(name string, p Point) {
		if p.Lat != nil && p.Lon != nil {
			deg[name] = spot{*p.Lon, -*p.Lat}
		}
	}
	for _, d := range w.Locations {
		put(d.Name, d.Point)
	}
	for _, d := range w.Spaces {
		put(d.Name, d.Point)
		if _, ok := deg[d.Name]; !ok {
			amidst(deg, d.Name, w.at().within[d.Name])
		}
	}
	for _, d := range w.Seas {
		put(d.Name, d.Point)
	}
	ix := w.at()
	for range len(w.Spaces) {
		before := len(deg)
		for _, d := range w.Spaces {
			amidst(deg, d.Name, ix.adjacent.neighbours(d.Name))
		}
		if len(deg) == before {
			break
		}
	}
	for _, d := range w.Locations {
		amidst(deg, d.Name, []string{d.Space})
	}
	for _, d := range w.Seas {
		var shores []string
		for _, l := range w.Locations {
			if slices.Contains(l.Sea, d.Name) {
				shores = append(shores, l.Name)
			}
		}
		amidst(deg, d.Name, shores)
		amidst(deg, d.Name, ix.bySea.neighbours(d.Name))
	}
	return deg
}

// neighbours are the neighbours of a place, the first by name first.
func (g *graph) neighbours(name string) (list []string) {
	for _, i := range g.next[g.ids[name]] {
		list = append(list, g.names[i])
	}
	return list
}

// amidst puts what has no place yet amidst some others that have.
func amidst(deg map[string]spot, name string, others []string) {
	if _, ok := deg[name]; ok {
		return
	}
	var sum spot
	n := 0.0
	for _, o := range others {
		if p, ok := deg[o]; ok {
			sum.x, sum.y, n = sum.x+p.x, sum.y+p.y, n+1
		}
	}
	if n > 0 {
		deg[name] = spot{sum.x / n, sum.y / n}
	}
}

// project turns degrees into points of a map of some width: a degree of longitude is as long as it is in the middle of it.
func project(w *World, deg map[string]spot, width float64) *atlas {
	lo, hi := spot{math.Inf(1), math.Inf(1)}, spot{math.Inf(-1), math.Inf(-1)}
	for _, p := range deg {
		lo = spot{min(lo.x, p.x), min(lo.y, p.y)}
		hi = spot{max(hi.x, p.x), max(hi.y, p.y)}
	}
	squeeze := max(math.Cos((lo.y+hi.y)/2*math.Pi/180), 0.1)
	span := max((hi.x-lo.x)*squeeze, (hi.y-lo.y)*0.7, 0.01)
	scale := (width - 2*atlasEdge) / span
	a := &atlas{spaces: map[string]spot{}, seas: map[string]spot{}, locations: map[string]spot{}, islands: map[string]bool{}, width: width, height: (hi.y-lo.y)*scale + 2*atlasEdge}
	left := (width - (hi.x-lo.x)*squeeze*scale) / 2
	ix := w.at()
	for name, p := range deg {
		at := spot{left + (p.x-lo.x)*squeeze*scale, atlasEdge + (p.y-lo.y)*scale}
		switch {
		case ix.locations[name] != nil:
			a.locations[name] = at
		case ix.spaces[name] != nil:
			a.spaces[name] = at
		default:
			a.seas[name] = at
		}
	}
	a.reach = a.usualReach(ix.adjacent)
	for name := range a.spaces {
		if len(ix.adjacent.neighbours(name)) == 0 {
			a.islands[name] = true
		}
	}
	return a
}

// usualReach is half of the usual distance between spaces that neighbour each other, and a bit more.
func (a *atlas) usualReach(g *graph) float64 {
	var far []float64
	for name, p := range a.spaces {
		for _, other := range g.neighbours(name) {
			if q, ok := a.spaces[other]; ok && p.far(q) > 0 {
				far = append(far, p.far(q))
			}
		}
	}
	if len(far) == 0 {
		return 60
	}
	slices.Sort(far)
	return min(max(far[len(far)*3/4]*0.72, 20), a.width/3)
}

// cell is the outline of a space: what is nearer to it than to any other space, and not too far from it.
func (a *atlas) cell(name string) []spot {
	at, reach := a.spaces[name], a.reach
	if a.islands[name] {
		reach *= 0.5
	}
	outline := make([]spot, 16)
	for i := range outline {
		turn := 2 * math.Pi * float64(i) / float64(len(outline))
		outline[i] = spot{at.x + reach*math.Cos(turn), at.y + reach*math.Sin(turn)}
	}
	for _, other := range a.order() {
		if p := a.spaces[other]; other != name && p.far(at) > 0 && p.far(at) < 2*a.reach {
			outline = nearer(outline, at, p)
		}
	}
	for i, p := range outline { // it ends where the map does
		outline[i] = spot{min(max(p.x, 3), a.width-3), min(max(p.y, 3), a.height-3)}
	}
	return outline
}

// order are the spaces by name, so that pictures come out alike.
func (a *atlas) order() []string { return sortedKeys(a.spaces) }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, cmp.Compare[string])
	return keys
}

// nearer cuts off an outline what is nearer to another point than to one.
func nearer(outline []spot, to, than spot) (rest []spot) {
	side := func(p spot) float64 { return p.far(than) - p.far(to) }
	for i, p := range outline {
		q := outline[(i+1)%len(outline)]
		sp, sq := side(p), side(q)
		if sp >= 0 {
			rest = append(rest, p)
		}
		if (sp >= 0) != (sq >= 0) {
			rest = append(rest, cross(p, q, to, than))
		}
	}
	return rest
}

// cross is where a line crosses what lies in the middle between two points.
func cross(p, q, a, b spot) spot {
	nx, ny := b.x-a.x, b.y-a.y
	c := nx*(a.x+b.x)/2 + ny*(a.y+b.y)/2
	t := (c - nx*p.x - ny*p.y) / (nx*(q.x-p.x) + ny*(q.y-p.y))
	return spot{p.x + t*(q.x-p.x), p.y + t*(q.y-p.y)}
}
