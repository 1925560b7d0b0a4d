package orders

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// Names is one list of things that orders may name, indexed by folded spelling. The zero value is an empty list.
// It is not safe for concurrent change.
type Names struct {
	Quiet bool // its names are not for everybody to know, and are never proposed for one like them

	byKey map[string][]string // a folded spelling's IDs, sorted
	keys  map[string][]string // an ID's folded spellings, its own first
	words int                 // how many words the longest spelling ever added has
	under *Names              // the list that this one adds spellings to; nil for none
}

// Add puts a name in: its ID, which is also how people read it and a spelling of its own, and other spellings.
// It returns the ID of another name that folds alike, or "".
func (n *Names) Add(id string, spellings ...string) (clash string) {
	if n.byKey == nil {
		n.byKey, n.keys = map[string][]string{}, map[string][]string{}
	}
	own := nameKey(Fold(id))
	for _, other := range n.byKey[own] {
		if other != id && n.keys[other][0] == own {
			clash = other
			break
		}
	}
	n.index(id, own)
	for _, s := range spellings {
		n.index(id, nameKey(Fold(s)))
	}
	return clash
}

func (n *Names) index(id, key string) {
	ids := n.byKey[key]
	at, found := slices.BinarySearch(ids, id)
	if found || key == "" {
		return
	}
	n.byKey[key] = slices.Insert(ids, at, id)
	n.keys[id] = append(n.keys[id], key)
	n.words = max(n.words, len(split(key)))
}

// Remove takes a name out with all its spellings; it does nothing when there is none.
func (n *Names) Remove(id string) {
	for _, key := range n.keys[id] {
		ids := slices.DeleteFunc(n.byKey[key], func(other string) bool { return other == id })
		if n.byKey[key] = ids; len(ids) == 0 {
			delete(n.byKey, key)
		}
	}
	delete(n.keys, id)
}

// first returns the first of the names but one, "" when there is none that everybody may know.
func (n *Names) first(but string) (first string) {
	if n == nil || n.Quiet {
		return ""
	}
	if n.under != nil {
		return n.under.first(but)
	}
	for id := range n.keys {
		if id != but && (first == "" || id < first) {
			first = id
		}
	}
	return first
}

// IDs returns all names, in order.
func (n *Names) IDs() []string {
	if n.under != nil {
		return n.under.IDs()
	}
	return slices.Sorted(maps.Keys(n.keys))
}

// Find returns the IDs whose spelling this is, in order: none, one, or several that share an alias.
func (n *Names) Find(text string) []string { return slices.Clone(n.find(nameKey(Fold(text)))) }

func (n *Names) find(key string) []string {
	if n == nil {
		return nil
	}
	ids := n.byKey[key]
	if n.under == nil {
		return ids
	}
	all := append(slices.Clone(n.under.find(key)), ids...)
	slices.Sort(all)
	return slices.Compact(all)
}

// With returns a list that is what this one is, now and after it changes, and has further spellings of some of its names,
// by ID. This one does not know them.
func (n *Names) With(spellings map[string][]string) *Names {
	more := &Names{under: n, Quiet: n.Quiet}
	for id, list := range spellings {
		if more.byKey == nil {
			more.byKey, more.keys = map[string][]string{}, map[string][]string{}
		}
		for _, s := range list {
			more.index(id, nameKey(Fold(s)))
		}
	}
	return more
}

// longest is how many words the longest spelling has.
func (n *Names) longest() int {
	if n == nil {
		return 0
	}
	return max(n.words, n.under.longest())
}

// nameKey takes off what people put round a name: a pair of quotes, and the full stop that ends the line.
func nameKey(folded string) string {
	if len(folded) > 2 && folded[0] == '"' && folded[len(folded)-1] == '"' {
		folded = strings.TrimSpace(folded[1 : len(folded)-1])
	}
	if s := strings.TrimRight(folded, ".; "); s != "" {
		return s
	}
	return folded
}

// Near returns at most five IDs whose spelling is nearly this (one letter off, two from eight letters on), best first.
func (n *Names) Near(text string) []string { return near(nameKey(Fold(text)), n) }

const (
	nearMost = 5 // how many names are proposed
	nearTwo  = 8 // from so many letters on two may be off
)

// near looks through several lists at once.
func near(key string, lists ...*Names) []string {
	type hit struct {
		id  string
		off int
	}
	best := map[string]int{}
	want, buf := []rune(key), []rune(nil)
	for i := 0; i < len(lists); i++ {
		n := lists[i]
		if n == nil || n.Quiet {
			continue
		}
		lists = append(lists, n.under)
		for k, ids := range n.byKey {
			if len(k) > len(key)+8 || len(key) > len(k)+8 { // two letters of four bytes
				continue
			}
			buf = appendRunes(buf[:0], k)
			off, ok := distance(want, buf, allowed(len(buf)))
			for _, id := range ids {
				if old, known := best[id]; ok && (!known || off < old) {
					best[id] = off
				}
			}
		}
	}
	var hits []hit
	for id, off := range best {
		hits = append(hits, hit{id, off})
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(a.id, b.id)) })
	var ids []string
	for _, h := range hits[:min(len(hits), nearMost)] {
		ids = append(ids, h.id)
	}
	return ids
}

// allowed is how many letters may be off in a word. Of words of one letter nothing would be left.
func allowed(letters int) int {
	switch {
	case letters < 2:
		return 0
	case letters < nearTwo:
		return 1
	}
	return 2
}

func appendRunes(to []rune, s string) []rune {
	for _, r := range s {
		to = append(to, r)
	}
	return to
}

// distance returns how many letters are added, left out, changed, or exchanged with their neighbour between a and b,
// and false when more than most.
func distance(a, b []rune, most int) (int, bool) {
	for off := 0; off <= most; off++ {
		if within(a, b, off) {
			return off, true
		}
	}
	return 0, false
}

// within tries the four edits where the two differ first; off is at most two, so that it branches little.
func within(a, b []rune, off int) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	switch {
	case len(a) > len(b)+off || len(b) > len(a)+off:
		return false
	case len(a) == 0 || len(b) == 0:
		return true
	case off == 0:
		return false
	}
	return within(a[1:], b[1:], off-1) || within(a[1:], b, off-1) || within(a, b[1:], off-1) ||
		len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] && within(a[2:], b[2:], off-1)
}

// oneOff tells whether a word is exactly one letter off another.
func oneOff(a, b string) bool {
	for a != "" && b != "" {
		r, n := utf8.DecodeRuneInString(a)
		if s, _ := utf8.DecodeRuneInString(b); r != s {
			break
		}
		a, b = a[n:], b[n:]
	}
	for a != "" && b != "" {
		r, n := utf8.DecodeLastRuneInString(a)
		if s, _ := utf8.DecodeLastRuneInString(b); r != s {
			break
		}
		a, b = a[:len(a)-n], b[:len(b)-n]
	}
	switch x, y := utf8.RuneCountInString(a), utf8.RuneCountInString(b); {
	case x == 2 && y == 2:
		_, n := utf8.DecodeRuneInString(a)
		return b == a[n:]+a[:n]
	default:
		return max(x, y) == 1
	}
}

// Lexicon holds the lists by kind ("nick", "land"). A kind without a list has no names.
type Lexicon map[string]*Names

// resolve finds a folded spelling in several lists: one name with the list it stands in, or the choices.
func (l Lexicon) resolve(kinds []string, key string) (kind, id string, choices []string) {
	for _, k := range kinds {
		for _, found := range l[k].find(key) {
			switch {
			case id == "":
				kind, id = k, found
			case found != id && !slices.Contains(choices, found):
				if choices == nil {
					choices = []string{id}
				}
				choices = append(choices, found)
			}
		}
	}
	return kind, id, choices
}

// words is how many words the longest name of several lists has.
func (l Lexicon) words(kinds []string) int {
	most := 0
	for _, k := range kinds {
		most = max(most, l[k].longest())
	}
	return most
}

func (l Lexicon) near(kinds []string, key string) []string {
	lists := make([]*Names, len(kinds))
	for i, k := range kinds {
		lists[i] = l[k]
	}
	return near(key, lists...)
}
