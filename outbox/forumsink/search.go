package forumsink

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"arroba/forum"
)

const (
	mostPages = 5000
	mostWalks = 5 // until two of them see the same posts
)

// errElsewhere says that a walk cannot begin at the post that is known, but must at the first.
var errElsewhere = errors.New("the thread cannot be read from the last known post on")

// find returns the id of the item's post in its thread, "" when it is not there. An error says that the thread could not
// be read whole, so that nothing may be sent.
func (d *delivery) find(ctx context.Context) (string, error) {
	if from := d.from(); from != "" {
		post, err := d.search(ctx, from, d.it.Known)
		var robots *forum.RobotsError
		if !errors.Is(err, errElsewhere) && !errors.As(err, &robots) {
			return post, err
		}
	}
	first, err := d.sink.board.Thread(d.thread)
	if err != nil {
		return "", d.sink.fault(err)
	}
	return d.search(ctx, first, "")
}

// from is the address of the last known post, "" where there is none to begin at.
func (d *delivery) from() string {
	thread := d.sink.board.ThreadID(d.thread)
	if d.it.Known == "" || thread == "" {
		return ""
	}
	return d.sink.board.From(thread, d.it.Known)
}

// search walks a thread from a page on. A thread of several pages is walked until two walks see the same posts: what is
// deleted meanwhile shifts others over the pages' edges.
func (d *delivery) search(ctx context.Context, address, known string) (string, error) {
	var before []string
	for range mostWalks {
		w := walk{delivery: d, known: known, total: -1, seen: map[string]bool{}}
		found, err := w.pages(ctx, address)
		if err != nil || found != "" || w.count == 1 || slices.Equal(w.ids, before) {
			return found, err
		}
		before = w.ids
	}
	return "", errors.New("the thread changes while it is searched; it is tried again later")
}

// walk is one way through a thread.
type walk struct {
	*delivery
	known string
	count int // of pages
	total int // posts of the thread as its pages show, -1 where they do not
	ids   []string
	seen  map[string]bool
}

func (w *walk) pages(ctx context.Context, address string) (found string, err error) {
	for w.count < mostPages {
		p, err := w.page(ctx, address)
		if err != nil {
			return "", err
		}
		if found := w.take(p); found != "" {
			return found, nil
		}
		if err := w.check(p); err != nil {
			return "", err
		}
		fresh := w.note(p)
		if p.Next == "" || fresh == 0 {
			return "", nil
		}
		address = p.Next
	}
	return "", fmt.Errorf("the thread has more than %d pages", mostPages)
}

// page reads a page of the thread, after a log-in if guests may not.
func (w *walk) page(ctx context.Context, address string) (forum.Page, error) {
	board := w.sink.board
	p, _, err := board.Fetch(ctx, address)
	if err == nil && p.Kind == forum.Login {
		if err := w.logIn(ctx, p.Said); err != nil {
			return p, err
		}
		p, _, err = board.Fetch(ctx, address)
	}
	switch {
	case err != nil:
		return p, w.sink.fault(err)
	case p.Kind == forum.Thread:
		return p, nil
	case w.known != "" && p.Kind != forum.Challenge && p.Kind != forum.Login:
		return p, errElsewhere // the post may be gone, or nothing stand on a last page: the whole thread's total tells
	case w.count > 0 && w.total == len(w.ids):
		return forum.Page{Kind: forum.Thread, Total: w.total}, nil // full pages are all, and the board counted one more
	case p.Kind == forum.Challenge, p.Kind == forum.Login:
		return p, w.sink.fault(fmt.Errorf("the thread cannot be searched: %w", &forum.PageError{Address: address, Kind: p.Kind, Said: p.Said, Closed: true}))
	}
	return p, fmt.Errorf("the thread cannot be searched: %s is no page of it: %s", address, strings.Join(append(p.Problems, p.Said), "; "))
}

// take looks through a page.
func (w *walk) take(p forum.Page) (found string) {
	for _, post := range p.Posts {
		if w.own(post) && post.ID != "" && slices.ContainsFunc(post.Lines, w.marked) {
			return post.ID
		}
	}
	return ""
}

// own tells whether a post is of the account that posts. Boards know names in any case of letters.
func (w *walk) own(post forum.Post) bool {
	user := w.sink.board.Account.User
	return user != "" && (post.AuthorID == user || strings.EqualFold(post.Author, user))
}

var words = regexp.MustCompile(`[\pL\d-]+`)

// marked tells whether the item's marker stands in a line.
func (w *walk) marked(line string) bool {
	return slices.Contains(words.FindAllString(line, -1), w.it.Marker)
}

// check tells whether a page can have been understood: whose the posts are, and what ours say.
func (w *walk) check(p forum.Page) error {
	for _, post := range p.Posts {
		if post.ID == "" || post.Author == "" || w.own(post) && post.HTML == "" {
			return fmt.Errorf("the thread cannot be searched: a post cannot be read: %s", strings.Join(p.Problems, "; "))
		}
	}
	if w.known == "" {
		return nil
	}
	has := slices.ContainsFunc(p.Posts, func(post forum.Post) bool { return post.ID == w.known })
	moved := p.Thread != "" && p.Thread != w.sink.board.ThreadID(w.thread)
	if w.count == 0 && !has || moved || backwards(p.Posts) {
		return errElsewhere
	}
	return nil
}

// backwards tells whether a page shows the newest posts first: then the way from a post on leads away from the end.
func backwards(posts []forum.Post) bool {
	falls, rises := 0, 0
	for i := 1; i < len(posts); i++ {
		if a, b := posts[i-1].ID, posts[i].ID; len(a) > len(b) || len(a) == len(b) && a > b {
			falls++
		} else {
			rises++
		}
	}
	return falls > rises
}

// note remembers a page, and the thread that it is of: a thread may have been moved. It returns how many posts are new.
func (w *walk) note(p forum.Page) (fresh int) {
	w.count++
	w.total = max(w.total, p.Total)
	if p.Thread != "" {
		w.thread = p.Thread
	}
	for _, post := range p.Posts {
		if !w.seen[post.ID] {
			w.seen[post.ID] = true
			w.ids = append(w.ids, post.ID)
			fresh++
		}
	}
	return fresh
}
