package kingmaker

import "slices"

// graph is a map of places that neighbour each other. Places are numbered in the order of their names, so that the lower
// number is the first by name.
type graph struct {
	names []string
	ids   map[string]int
	next  [][]int // the neighbours of each place, the first by name first
}

// newGraph makes a graph of places without neighbours.
func newGraph(names []string) *graph {
	g := &graph{names: slices.Sorted(slices.Values(names)), ids: make(map[string]int, len(names)), next: make([][]int, len(names))}
	for i, name := range g.names {
		g.ids[name] = i
	}
	return g
}

// join makes two places neighbours, both ways.
func (g *graph) join(a, b string) {
	i, j := g.ids[a], g.ids[b]
	g.next[i], g.next[j] = append(g.next[i], j), append(g.next[j], i)
}

// sort puts the neighbours into order, each once.
func (g *graph) sort() {
	for i, list := range g.next {
		slices.Sort(list)
		g.next[i] = slices.Compact(list)
	}
}

// unlimited is a journey of as many steps as it takes.
const unlimited = -1

// route is the shortest way from one of some places to one of others, both ends included, in at most so many steps; of
// equal ones the first by the names of its places, compared one by one. free tells of a place between the ends whether the
// way may go through it; nil: through all. There is none when it returns nil.
func (g *graph) route(from, to []string, most int, free func(string) bool) []string {
	dist := g.distances(from, to, most, free)
	at := -1
	for _, name := range from {
		if i := g.ids[name]; dist[i] >= 0 && (at < 0 || dist[i] < dist[at] || dist[i] == dist[at] && i < at) {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	way := []string{g.names[at]}
	for dist[at] > 0 {
		at = g.next[at][slices.IndexFunc(g.next[at], func(n int) bool { return dist[n] == dist[at]-1 })]
		way = append(way, g.names[at])
	}
	return way
}

// What distances say of a place that has none.
const (
	unseen = -1
	shut   = -2
)

// distances are the steps from each place to the nearest goal, as far as a way from the start has to look.
func (g *graph) distances(from, to []string, most int, free func(string) bool) []int {
	dist := make([]int, len(g.names))
	for i := range dist {
		dist[i] = unseen
	}
	starts := make(map[int]bool, len(from))
	for _, name := range from {
		starts[g.ids[name]] = true
	}
	var queue []int
	for _, name := range to {
		if i := g.ids[name]; dist[i] == unseen {
			dist[i] = 0
			queue = append(queue, i)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		switch {
		case starts[i]:
			most = dist[i] // ways as long as this one count, longer ones do not
			continue
		case most != unlimited && dist[i] >= most:
			continue
		}
		for _, n := range g.next[i] {
			switch {
			case dist[n] != unseen:
			case !starts[n] && free != nil && !free(g.names[n]):
				dist[n] = shut
			default:
				dist[n] = dist[i] + 1
				queue = append(queue, n)
			}
		}
	}
	return dist
}
