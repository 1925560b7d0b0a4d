package forumsrc

import (
	"fmt"
	"testing"
	"time"

	"arroba/forum"
	"arroba/ingest"
)

// TestAPageFullOfTroubleIsToldShortly: of a hundred thousand complaints those of each kind are told once, and so they are on the
// next page that has as many, whatever people wrote.
func TestAPageFullOfTroubleIsToldShortly(t *testing.T) {
	p := phpbb(t)
	r := &reading{Source: p.open(t), c: &cursor{told: map[uint64]bool{}}}
	for n := range 2 {
		page := forum.Page{Problems: []string{fmt.Sprintf("older: post %d, %d, %d; are the dates right?", n, 2*n, 3*n), "older: post 5; are the dates right?"}}
		for i := range 50_000 {
			page.Problems = append(page.Problems, fmt.Sprintf("post %d: its date %q cannot be read", i, fmt.Sprintf("the \"%c\" day", 'a'+i%20)),
				fmt.Sprintf("a post has no id, so that nothing can be told of it: %q", fmt.Sprintf("\"word%c", 'a'+i%20)))
		}
		r.complain("http://board.example/", page, forum.Answer{Asked: "http://board.example/", At: time.Unix(int64(n), 0)})
	}
	if len(r.found) != 3 {
		t.Errorf("%d complaints are told, wanted one of each kind", len(r.found))
	}
}

// TestManyPostsOnOnePage: as many posts as a page can hold are taken up in batches.
func TestManyPostsOnOnePage(t *testing.T) {
	p := phpbb(t)
	r := &reading{Source: p.open(t), c: &cursor{posts: map[uint64]*post{}, told: map[uint64]bool{}, read: 1 << 40}}
	r.c.walk = &walk{}
	var page forum.Page
	for i := range 20_000 {
		at := time.Unix(int64(i), 0)
		page.Posts = append(page.Posts, forum.Post{ID: fmt.Sprint(20_000 - i), Author: "Anna", Hash: "0123456789abcdef", Posted: forum.Instant{At: at, Early: at, Late: at}})
	}
	total, whole := 0, false
	for !whole {
		r.found, r.size = nil, 0
		_, whole = r.posts(page, forum.Answer{At: time.Unix(1, 0)})
		total += len(r.found)
		if len(r.found) > ingest.MaxLetters {
			t.Fatalf("%d letters in a batch", len(r.found))
		}
	}
	if total != len(page.Posts) {
		t.Errorf("%d posts were brought", total)
	}
}
