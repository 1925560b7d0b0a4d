package kingmaker

import "slices"

// index finds what a world has by its name, and who neighbours whom.
type index struct {
	factions  map[string]int // the place in the order of the Round
	spaces    map[string]*SpaceData
	seas      map[string]*SeaData
	locations map[string]*LocationData
	areas     map[string]*AreaData
	nobles    map[string]*NobleData
	ships     map[string]*ShipData
	heirs     map[string]*HeirData
	items     map[string]*ItemData

	adjacent map[string][]string // of spaces of land: those beside it, in the order of the names
	byRoad   map[string][]string // of spaces of land: the next ones along roads, in the order of the names
	bySea    map[string][]string // of sea zones: those beside it, in the order of the names
	through  map[string][]string // of spaces: the locations that roads go through in it
	within   map[string][]string // of spaces: its locations, in the world's order
}

// at returns the index, made when it is first asked for.
func (w *World) at() *index {
	if w.index == nil {
		w.index = newIndex(w)
	}
	return w.index
}

func newIndex(w *World) *index {
	ix := &index{
		factions: map[string]int{},
		spaces:   byName(w.Spaces, func(d *SpaceData) string { return d.Name }),
		seas:     byName(w.Seas, func(d *SeaData) string { return d.Name }), locations: byName(w.Locations, func(d *LocationData) string { return d.Name }),
		areas: byName(w.Areas, func(d *AreaData) string { return d.Name }), nobles: byName(w.Nobles, func(d *NobleData) string { return d.Name }),
		ships: byName(w.Ships, func(d *ShipData) string { return d.Name }), heirs: byName(w.Heirs, func(d *HeirData) string { return d.Name }),
		items:    byName(w.Items, func(d *ItemData) string { return d.Name }),
		adjacent: map[string][]string{}, byRoad: map[string][]string{}, bySea: map[string][]string{}, through: map[string][]string{}, within: map[string][]string{},
	}
	for i, f := range w.Factions {
		ix.factions[f.Name] = i
	}
	for _, s := range w.Spaces {
		for _, other := range s.Adjacent {
			join(ix.adjacent, s.Name, other)
		}
	}
	for _, s := range w.Seas {
		for _, other := range s.Adjacent {
			join(ix.bySea, s.Name, other)
		}
	}
	for _, l := range w.Locations {
		ix.within[l.Space] = append(ix.within[l.Space], l.Name)
	}
	for _, r := range w.Roads {
		for i := 1; i < len(r.Spaces); i++ {
			join(ix.byRoad, r.Spaces[i-1], r.Spaces[i])
			join(ix.adjacent, r.Spaces[i-1], r.Spaces[i])
		}
		for _, l := range r.Through {
			add(ix.through, ix.locations[l].Space, l)
		}
	}
	for _, of := range []map[string][]string{ix.adjacent, ix.byRoad, ix.bySea} {
		for _, list := range of {
			slices.Sort(list)
		}
	}
	return ix
}

func byName[T any](list []T, name func(*T) string) map[string]*T {
	m := make(map[string]*T, len(list))
	for i := range list {
		m[name(&list[i])] = &list[i]
	}
	return m
}

// join makes two places neighbours, both ways.
func join(of map[string][]string, a, b string) {
	add(of, a, b)
	add(of, b, a)
}

// add puts a name into a list, once.
func add(of map[string][]string, at, name string) {
	if !slices.Contains(of[at], name) {
		of[at] = append(of[at], name)
	}
}
