package forumsrc

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"arroba/forum"
	"arroba/ingest"
)

// posts takes up the posts of a page. News is true when one of them was not seen on this walk; whole is false when some
// are left for the next batch.
func (r *reading) posts(p forum.Page, a forum.Answer) (news, whole bool) {
	c, w := r.c, r.c.walk
	foreign := r.foreign(p)
	for _, post := range p.Posts {
		id, err := strconv.ParseUint(post.ID, 10, 64)
		if err != nil {
			continue // wrong has looked at all of them
		}
		known := c.posts[id]
		if known != nil && known.seen {
			continue
		}
		if known == nil || known.page >= w.first {
			news = true
		}
		w.shifts = w.shifts || !post.Posted.IsZero() && post.Posted.Late.Unix() >= w.began
		if !r.post(id, p, a, post, foreign[id]) {
			return true, false
		}
		c.posts[id].seen, c.posts[id].page = true, w.page
	}
	for len(c.latest) <= w.page {
		c.latest = append(c.latest, 0)
	}
	c.latest[w.page] = latest(p)
	return news, true
}

// post brings a post when there is a new version of it. It is false when the batch is full.
func (r *reading) post(id uint64, p forum.Page, a forum.Answer, shown forum.Post, foreign bool) bool {
	known, now := r.c.posts[id], hashed(shown.Hash)
	if known != nil && known.live() && known.hash == now {
		return true
	}
	rec := forum.Record{Post: shown, Board: p.Board, Theme: p.Theme, Source: r.cfg.Board.Name, Thread: r.thread(), Fetched: a.At, Version: 1, Foreign: foreign}
	arrived := shown.Posted.At
	if known != nil {
		arrived = a.At
		rec.Version, rec.Foreign = known.version+1, known.foreign
		if rec.Added = r.added(rec, known); rec.Added > 0 {
			rec.Posted = forum.Instant{At: a.At, Early: time.Unix(r.c.read, 0).UTC(), Late: a.At}
		}
	}
	if arrived.IsZero() {
		arrived = a.At
	}
	raw := rec.Encode()
	if r.full(len(raw)) {
		return false
	}
	r.c.posts[id] = &post{hash: now, version: rec.Version, foreign: rec.Foreign, fresh: known == nil}
	r.bring(id, ingest.Message{Key: key(id, rec.Version, now), Arrived: arrived, Raw: raw})
	return true
}

// added is the first line that the board put into a post that stood there already.
func (r *reading) added(rec forum.Record, known *post) int {
	if known.gone {
		return 0
	}
	return rec.AddedTo(fmt.Sprintf("%016x", known.hash))
}

// withdraw brings that a post is gone.
func (r *reading) withdraw(id uint64) {
	p, now := r.c.posts[id], r.cfg.Now().UTC().Truncate(time.Second)
	p.version++
	p.gone = true
	rec := forum.Record{
		Post:   forum.Post{ID: strconv.FormatUint(id, 10), Hash: fmt.Sprintf("%016x", p.hash)},
		Source: r.cfg.Board.Name, Board: r.cfg.Board.View.Board, Thread: r.thread(), Fetched: now, Version: p.version, Withdrawn: true, Foreign: p.foreign,
	}
	r.bring(id, ingest.Message{Key: key(id, p.version, p.hash), Arrived: now, Raw: rec.Encode()})
}

// key is of one version of a post.
func key(id uint64, version int, hash uint64) string {
	return fmt.Sprintf("%d/%d-%08x", id, version, hash>>32)
}

// hashed is the hash of a body as a number.
func hashed(s string) uint64 {
	if n, err := strconv.ParseUint(s, 16, 64); err == nil && len(s) == 16 {
		return n
	}
	return digest(s)
}

func digest(s string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, s)
	return h.Sum64()
}

// foreign returns the posts of a page that have come with another thread which was merged into this one: those that are
// older than the last complete reading and were not there then. One alone that is called like the thread has waited for
// a moderator, unless it is older than all that is known.
func (r *reading) foreign(p forum.Page) map[uint64]bool {
	c := r.c
	if c.read == 0 {
		return nil
	}
	late, strange, oldest := map[uint64]bool{}, c.walk.moved, c.oldest()
	for _, post := range p.Posts {
		id, err := strconv.ParseUint(post.ID, 10, 64)
		if err != nil || c.posts[id] != nil || post.Posted.IsZero() || post.Posted.Late.Unix() >= c.read {
			continue
		}
		late[id] = true
		strange = strange || post.Subject != "" && p.Title != "" && !strings.Contains(post.Subject, p.Title) && !strings.Contains(p.Title, subject(post.Subject)) ||
			id < oldest
	}
	if len(late) == 1 && !strange {
		return nil
	}
	return late
}

var replies = regexp.MustCompile(`(?i)^(?:(?:re|aw|sv|на|отв(?:ет)?)(?:\[\d+\])?:\s*)+`)

// subject is the subject of a post without what says that it is a reply.
func subject(s string) string { return strings.TrimSpace(replies.ReplaceAllString(s, "")) }

// latest is the time of the newest post of a page, 0 when none can be told.
func latest(p forum.Page) (t int64) {
	for _, post := range p.Posts {
		if !post.Posted.IsZero() {
			t = max(t, post.Posted.Late.Unix())
		}
	}
	return t
}

// fault brings a page that cannot be read, or what is wrong with the thread, once for each key as long as it stays so.
func (r *reading) fault(about string, a forum.Answer, why string) {
	h := digest(about)
	if _, told := r.c.told[h]; !told && r.full(len(a.Body)) {
		return // it is met again
	} else if r.c.told[h] = true; told {
		return
	}
	key := fmt.Sprintf("page/%x-%d", h, a.At.Unix())
	r.cfg.Log.Error("a page of a thread cannot be read", "forum", r.cfg.Board.Name, "thread", r.cfg.Thread, "page", a.Asked, "why", why)
	r.bring(0, ingest.Message{Key: key, Arrived: a.At, Raw: slices.Clone(a.Body), Fault: fmt.Sprintf("%s: %s", forum.WithoutSession(cmp.Or(a.URL, a.Asked)), why)})
}

// varying is what differs between two complaints of the same thing: what is quoted, and numbers, however many.
var varying = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\d+(?:, \d+)*`)

// complain brings what is wrong with a page that can be read, once for each kind of thing.
func (r *reading) complain(address string, p forum.Page, a forum.Answer) {
	seen := map[string]bool{}
	for _, problem := range p.Problems {
		kind := varying.ReplaceAllString(problem, "#")
		if !seen[kind] {
			r.fault("problem "+kind, a, problem)
		}
		seen[kind] = true
	}
}
