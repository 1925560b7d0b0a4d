package forumsrc

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"arroba/forum"
	"arroba/ingest"
)

const (
	maxRounds = 5 // through the same pages, until they hold the same posts twice
	maxFailed = 2 // pages in a row that cannot be read
	tries     = 3 // of pages to begin with, before the thread's first
)

// walk goes on through the thread until it has come to the end, or the batch is full.
func (r *reading) walk(ctx context.Context) (ended bool, err error) {
	for {
		w := r.c.walk
		switch {
		case w != nil && w.next == "":
			if ended, more, err := r.end(ctx); ended || more || err != nil {
				return ended, err
			}
			continue
		case r.pages >= batchPages || r.full(0):
			return false, nil
		case w == nil || r.elsewhere(w):
			err = r.start(ctx)
		default:
			err = r.step(ctx)
		}
		if err != nil {
			return false, err
		}
	}
}

// elsewhere tells whether a walk began on another host than the board's: the config has had another address since.
func (r *reading) elsewhere(w *walk) bool {
	u, err := url.Parse(w.start)
	return err != nil || u.Host != r.cfg.Board.Address.Host
}

// start begins a walk with the page that holds the first post to look at again; when that cannot be found, with the
// page before it, and in the end with the thread's first.
func (r *reading) start(ctx context.Context) error {
	var since time.Time
	if r.cfg.Since != nil {
		since = r.cfg.Since(ctx)
	}
	began := r.cfg.Now()
	first := r.c.begin(began, since)
	for range tries {
		id := r.c.onPage(first)
		if first <= 0 || id == 0 {
			break
		}
		address := r.from(id)
		if address == "" {
			break
		}
		p, a, err := r.ask(ctx, address)
		if err != nil {
			return err
		}
		if p.Kind == forum.Thread && r.ours(p) && holds(p, id) {
			r.c.set(&walk{began: began.Unix(), first: first, page: first, start: address})
			return r.take(ctx, address, p, a)
		}
		first--
	}
	return r.startWhole(ctx, began)
}

// startWhole begins a walk with the thread's first page.
func (r *reading) startWhole(ctx context.Context, began time.Time) error {
	address, err := r.cfg.Board.Thread(r.thread())
	if err != nil {
		return err
	}
	p, a, err := r.ask(ctx, address)
	if err != nil {
		return err
	}
	if p.Kind == forum.Message {
		return &ingest.StopError{Kind: "closed", Err: fmt.Errorf("in place of %s the board says: %q", address, p.Said)}
	}
	w := &walk{began: began.Unix(), start: address}
	if p.Kind == forum.Thread && !r.ours(p) {
		if forum.WithoutSession(a.URL) == forum.WithoutSession(address) && !r.knows(p) {
			return &ingest.StopError{Kind: "thread", Err: fmt.Errorf("%s answers with another thread, %s", address, r.threadOf(p))}
		}
		r.c.thread, w.moved = r.threadOf(p), true
		r.cfg.Log.Warn("a thread has moved and is followed", "forum", r.cfg.Board.Name, "thread", r.cfg.Thread, "to", r.c.thread)
	}
	r.c.set(w)
	return r.take(ctx, address, p, a)
}

// step asks for the next page of the walk.
func (r *reading) step(ctx context.Context) error {
	address := r.c.walk.next
	p, a, err := r.ask(ctx, address)
	if err != nil {
		return err
	}
	return r.take(ctx, address, p, a)
}

// take takes up a page of the walk, and finds out where it goes on.
func (r *reading) take(ctx context.Context, address string, p forum.Page, a forum.Answer) error {
	w := r.c.walk
	r.went = true
	w.began = min(w.began, a.At.Unix())
	if why := r.wrong(p); why != "" {
		r.pass(address, p, a, why)
		return nil
	}
	if total := int64(p.Total); total >= 0 || w.pages == 0 {
		w.shifts = w.shifts || w.pages > 0 && total != w.total
		w.total = total
	}
	news, whole := r.posts(p, a)
	r.complain(address, p, a)
	if !whole {
		w.next = address // the rest of its posts comes in the next batch
		return nil
	}
	w.pages++
	w.failed = 0
	next := p.Next
	switch {
	case !news && len(p.Posts) > 0: // past the end some boards show another page; one of remarks alone has no posts
		next = ""
	case next != "" && !sameHost(next, address):
		r.fault(address, a, "its link to the next page leads to another host: "+next)
		r.failed(w)
		next = ""
	case w.page-w.first >= r.cfg.MaxPages:
		r.fault("pages", a, fmt.Sprintf("the thread has more than %d pages; what is behind them is not read", r.cfg.MaxPages))
		r.failed(w)
		next = ""
	}
	w.last, w.next = address, next
	if news {
		w.page++
	}
	return nil
}

// wrong says why a page cannot be taken up, "" when it can.
func (r *reading) wrong(p forum.Page) string {
	if p.Kind == forum.Message {
		return fmt.Sprintf("the board says: %q", p.Said)
	}
	if p.Kind != forum.Thread {
		return strings.Join(append(p.Problems, "it cannot be read"), "; ")
	}
	for _, post := range p.Posts {
		if _, err := strconv.ParseUint(post.ID, 10, 64); err != nil {
			return fmt.Sprintf("a post on it has the id %q, which is no number: the board may have changed its pages", post.ID)
		}
		if post.Hash == "" {
			return fmt.Sprintf("the text of post %s is not where the board keeps it: the board may have changed its pages", post.ID)
		}
	}
	if !r.ours(p) {
		return "it is a page of another thread, " + r.threadOf(p)
	}
	return ""
}

// pass goes past a page that cannot be read. An empty page at the end is none, when all posts have been found.
func (r *reading) pass(address string, p forum.Page, a forum.Answer, why string) {
	w := r.c.walk
	if count, _, _ := r.c.tally(); w.pages > 0 && w.failed == 0 && len(p.Posts) == 0 && w.total >= 0 && w.total-r.c.off == count {
		w.next = ""
		return
	}
	r.fault(address, a, why)
	r.failed(w)
	w.failed++
	before := w.last
	w.last, w.next = address, ""
	w.page++
	switch id := r.c.onPage(w.page); {
	case w.failed >= maxFailed:
	case p.Next != "" && sameHost(p.Next, address):
		w.next = p.Next
	case id != 0 && r.from(id) != "":
		w.next = r.from(id)
	case p.Kind == forum.Unreadable:
		w.next = beyond(before, address)
	}
}

func (r *reading) failed(w *walk) {
	if w.broken < 0 {
		w.broken = w.page
	}
}

var digits = regexp.MustCompile(`\d+`)

// beyond guesses the address of the page after one that cannot be read: addresses that differ in one number only are
// counted on. What is found there is looked at like every page. It is "" when nothing can be told.
func beyond(before, address string) string {
	a, b := digits.FindAllStringIndex(before, -1), digits.FindAllStringIndex(address, -1)
	if len(a) != len(b) || digits.ReplaceAllString(before, "#") != digits.ReplaceAllString(address, "#") {
		return ""
	}
	next := ""
	for i := range a {
		old, now := before[a[i][0]:a[i][1]], address[b[i][0]:b[i][1]]
		if old == now {
			continue
		}
		m, err1 := strconv.Atoi(old)
		n, err2 := strconv.Atoi(now)
		if next != "" || err1 != nil || err2 != nil || n <= m {
			return ""
		}
		next = address[:b[i][0]] + strconv.Itoa(2*n-m) + address[b[i][1]:]
	}
	return next
}

// end decides what a walk that has come to its end has shown. More is true when there is something to be brought in the
// next batch; when nothing is returned the walk goes on.
func (r *reading) end(ctx context.Context) (ended, more bool, err error) {
	c, w := r.c, r.c.walk
	count, ids, most := c.tally()
	wrong := w.total - c.off - count
	agreed := w.total >= 0 && wrong == 0 && !w.shifts
	stable := agreed || w.pages <= 1 || w.round > 0 && ids == w.ids
	switch {
	case w.broken >= 0 || c.owes():
		return r.giveUp("")
	case w.first > 0 && !agreed && (w.total >= 0 && wrong != 0 || stable && len(c.missing()) > 0):
		// Something is gone, or counted otherwise: only the whole thread can tell.
		if c.whole = true; c.rests(r.cfg.Now()) {
			return r.giveUp("")
		}
		return false, false, r.startWhole(ctx, time.Unix(w.began, 0))
	case !stable && w.round+1 >= maxRounds:
		return r.giveUp("its posts change faster than they can be read")
	case !stable:
		again := *w
		again.round, again.ids, again.max = w.round+1, c.digest(most), most
		again.page, again.next, again.last, again.pages, again.failed, again.shifts = w.first, w.start, "", 0, 0, false
		c.again(&again)
		return false, false, nil
	case w.total >= 0 && max(wrong, -wrong) > tolerated+count/50:
		r.fault("total", forum.Answer{Asked: w.start, At: time.Unix(w.began, 0).UTC()},
			fmt.Sprintf("the board counts %d posts in the thread, and %d are found: its pages may have been changed", w.total, count))
		return r.giveUp("")
	}
	return r.conclude(ctx)
}

// tolerated is by how many posts a board's count may be out of step.
const tolerated = 3

// giveUp ends a walk that shows nothing for certain.
func (r *reading) giveUp(why string) (ended, more bool, err error) {
	c := r.c
	if why != "" {
		r.cfg.Log.Warn("a thread could not be read whole", "forum", r.cfg.Board.Name, "thread", r.cfg.Thread, "why", why)
	}
	if !c.owes() {
		c.broken = max(c.walk.broken, 0)
		c.failed, c.tried = c.failed+1, c.walk.began
	}
	c.walk = nil
	return true, false, nil
}

// conclude ends a walk that was complete: what it did not come by is gone.
func (r *reading) conclude(ctx context.Context) (ended, more bool, err error) {
	c, w := r.c, r.c.walk
	if missing := c.missing(); len(missing) > 0 {
		there, err := r.stillThere(ctx, missing)
		if err != nil {
			return false, false, err
		}
		if there != 0 {
			r.fault("next", forum.Answer{Asked: w.start, At: time.Unix(w.began, 0).UTC()},
				fmt.Sprintf("post %d is in the thread, and its pages do not lead to it: the board may have changed its links", there))
			return r.giveUp("")
		}
		if c.lost() && !c.doubt {
			c.doubt = true
			defer func() { c.failed = 0 }() // the next one does
			return r.giveUp("most of its posts are gone, which one reading does not prove")
		}
		for _, id := range missing {
			if r.full(0) {
				return false, true, nil
			}
			r.withdraw(id)
		}
	}
	c.off = 0
	if w.total >= 0 {
		count, _, _ := c.tally()
		c.off = w.total - count
	}
	c.settle()
	r.until = time.Unix(c.read, 0).UTC().Add(-skew)
	return true, false, nil
}

// looked is how many posts are looked for by their own links before they are called gone.
const looked = 3

// stillThere returns one of the posts that a walk did not come by, and that the board shows all the same; 0 for none.
func (r *reading) stillThere(ctx context.Context, missing []uint64) (uint64, error) {
	n := len(missing)
	some := slices.Compact([]uint64{missing[0], missing[n/2], missing[n-1]})
	for _, id := range some[:min(len(some), looked)] {
		address := r.from(id)
		if address == "" {
			return 0, nil
		}
		p, _, err := r.ask(ctx, address)
		if err != nil {
			return 0, err
		}
		if p.Kind == forum.Thread && r.ours(p) && holds(p, id) {
			return id, nil
		}
	}
	return 0, nil
}

// from is the address of the page that holds a post, "" where the board has none.
func (r *reading) from(id uint64) string {
	address, _, _ := strings.Cut(r.cfg.Board.From(r.cfg.Board.ThreadID(r.thread()), strconv.FormatUint(id, 10)), "#")
	return address
}

// threadOf is the id of the thread that a page is of, "" when it does not tell.
func (r *reading) threadOf(p forum.Page) string {
	if p.Thread != "" || p.Address == "" {
		return p.Thread
	}
	return r.cfg.Board.ThreadID(p.Address)
}

// ours tells whether a page is of the thread, as far as it tells.
func (r *reading) ours(p forum.Page) bool {
	is, want := r.threadOf(p), r.cfg.Board.ThreadID(r.thread())
	return is == "" || want == "" || is == want
}

// knows tells whether there is a post on a page that was read before.
func (r *reading) knows(p forum.Page) bool {
	return slices.ContainsFunc(p.Posts, func(post forum.Post) bool {
		id, err := strconv.ParseUint(post.ID, 10, 64)
		return err == nil && r.c.posts[id] != nil
	})
}

func holds(p forum.Page, id uint64) bool {
	want := strconv.FormatUint(id, 10)
	return slices.ContainsFunc(p.Posts, func(post forum.Post) bool { return post.ID == want })
}

func sameHost(a, b string) bool {
	u, err := url.Parse(a)
	if err != nil {
		return false
	}
	v, err := url.Parse(b)
	return err == nil && strings.EqualFold(u.Hostname(), v.Hostname())
}
