package forumsrc

import (
	"maps"
	"slices"
	"time"
)

// wholeAfter is how long old pages are left alone.
const wholeAfter = 24 * time.Hour

// begin is the page to begin a walk with: the last but one, the first with posts since an instant, or the first that
// could not be read the last time. Once a day it is the thread's first: not every board counts its posts.
func (c *cursor) begin(now, since time.Time) int {
	rests := c.rests(now)
	if len(c.latest) == 0 || !rests && (c.whole || c.all > 0 && now.Unix()-c.all > int64(wholeAfter/time.Second)) {
		return 0
	}
	first := max(len(c.latest)-2, 0)
	if !since.IsZero() {
		if i := slices.IndexFunc(c.latest, func(t int64) bool { return t >= since.Unix() }); i >= 0 {
			first = min(first, i)
		}
	}
	if c.broken >= 0 && !rests {
		first = min(first, c.broken)
	}
	return first
}

// The time between two readings of old pages of which one stays broken: doubled from the first on.
const (
	firstRest = time.Minute
	lastRest  = time.Hour
)

// rests tells whether old pages are left alone for now: a long thread is not walked through at every turn.
func (c *cursor) rests(now time.Time) bool {
	return c.failed > 0 && now.Sub(time.Unix(c.tried, 0)) < min(firstRest<<min(c.failed-1, 10), lastRest)
}

// owes tells whether older pages than those of the walk must be read before anything can be said of the thread.
func (c *cursor) owes() bool {
	return c.walk.first > 0 && (c.whole || c.broken >= 0 && c.broken < c.walk.first)
}

// onPage is the smallest id on a page, 0 when nothing is known of it.
func (c *cursor) onPage(page int) (id uint64) {
	for n, p := range c.posts {
		if p.live() && p.page == page && (id == 0 || n < id) {
			id = n
		}
	}
	return id
}

// oldest is the smallest id of all.
func (c *cursor) oldest() (id uint64) {
	for n := range c.posts {
		if id == 0 || n < id {
			id = n
		}
	}
	return id
}

// set begins a walk.
func (c *cursor) set(w *walk) {
	w.total, w.broken = -1, -1
	for h := range c.told {
		c.told[h] = false
	}
	c.again(w)
}

// again begins a round of a walk.
func (c *cursor) again(w *walk) {
	c.walk = w
	for _, p := range c.posts {
		p.seen = false
	}
}

// tally counts the posts of the thread: those seen on this walk, and those before the page that it began with. Ids is a
// digest of the ids that were seen, as far as the round before knew, and most the greatest of them.
func (c *cursor) tally() (count int64, ids, most uint64) {
	for id, p := range c.posts {
		if p.live() && (p.seen || p.page < c.walk.first) {
			count++
		}
		if p.seen {
			most = max(most, id)
		}
	}
	return count, c.digest(c.walk.max), most
}

// digest is one number for the ids that were seen on this walk, up to the greatest of those that count.
func (c *cursor) digest(most uint64) (sum uint64) {
	for id, p := range c.posts {
		if p.seen && id <= most {
			x := id * 0x9E3779B97F4A7C15
			x ^= x >> 29
			sum += x * 0xBF58476D1CE4E5B9
		}
	}
	return sum
}

// missing returns the posts that the walk should have come by and did not, in order.
func (c *cursor) missing() []uint64 {
	var list []uint64
	for id, p := range c.posts {
		if p.live() && !p.seen && p.page >= c.walk.first {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}

// lost tells whether so many posts are missing that something else may be wrong: all that were known, or many at once.
func (c *cursor) lost() bool {
	left, gone := 0, 0
	for _, p := range c.posts {
		switch {
		case !p.live() || p.fresh || p.page < c.walk.first:
		case p.seen:
			left++
		default:
			gone++
		}
	}
	return gone > 0 && left == 0 || gone > max(left, many)
}

// many is how many posts may go at once.
const many = 5

// settle ends a walk that was complete.
func (c *cursor) settle() {
	if c.walk.first == 0 {
		c.all = c.walk.began
	}
	c.read, c.latest = c.walk.began, c.latest[:min(c.walk.page, len(c.latest))]
	c.whole, c.doubt, c.broken, c.failed = false, false, -1, 0
	for _, p := range c.posts {
		p.fresh = false
	}
	maps.DeleteFunc(c.told, func(_ uint64, met bool) bool { return !met })
	c.walk = nil
}
