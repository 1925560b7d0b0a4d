package kingmaker

import (
	"maps"
	"slices"
)

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

	adjacent *graph              // spaces of land, one beside the other
	byRoad   *graph              // spaces of land, the next ones along roads
	bySea    *graph              // sea zones
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
		items:   byName(w.Items, func(d *ItemData) string { return d.Name }),
		through: map[string][]string{}, within: map[string][]string{},
	}
	land, water := slices.Collect(maps.Keys(ix.spaces)), slices.Collect(maps.Keys(ix.seas))
	ix.adjacent, ix.byRoad, ix.bySea = newGraph(land), newGraph(land), newGraph(water)
	for i, f := range w.Factions {
		ix.factions[f.Name] = i
	}
	for _, s := range w.Spaces {
		for _, other := range s.Adjacent {
			ix.adjacent.join(s.Name, other)
		}
	}
	for _, s := range w.Seas {
		for _, other := range s.Adjacent {
			ix.bySea.join(s.Name, other)
		}
	}
	for _, l := range w.Locations {
		ix.within[l.Space] = append(ix.within[l.Space], l.Name)
	}
	for _, r := range w.Roads {
		for i := 1; i < len(r.Spaces); i++ {
			ix.byRoad.join(r.Spaces[i-1], r.Spaces[i])
			ix.adjacent.join(r.Spaces[i-1], r.Spaces[i])
		}
		for _, l := range r.Through {
			add(ix.through, ix.locations[l].Space, l)
		}
	}
	for _, g := range []*graph{ix.adjacent, ix.byRoad, ix.bySea} {
		g.sort()
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

// add puts a name into a list, once.
func add(of map[string][]string, at, name string) {
	if !slices.Contains(of[at], name) {
		of[at] = append(of[at], name)
	}
}
