package forumsrc

import (
	"fmt"
	"testing"
	"time"

	"arroba/forum"
	"arroba/forum/testboard"
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

// TestAnHourOfPolls counts what a board is asked for in an hour in which it is read every ten minutes, and every half minute
// for a deadline: by its pace, and no more than the two last pages each time.
func TestAnHourOfPolls(t *testing.T) {
	for _, c := range []struct {
		about string
		every time.Duration
		fault *testboard.Fault
		most  int
	}{
		{"quiet", 10 * time.Minute, nil, 6 * 2},
		{"hurried", 30 * time.Second, nil, 120 * 2},
		{"busy", 10 * time.Minute, &testboard.Down, 6},
		{"busy and hurried", 30 * time.Second, &testboard.Down, 10},
	} {
		t.Run(c.about, func(t *testing.T) {
			p := phpbb(t)
			p.say(35)
			p.pass(time.Minute)
			p.poll(t)
			if c.fault != nil {
				p.Fail(*c.fault)
			}
			src, before, end := p.open(t), len(p.Log()), p.clock().Add(time.Hour)
			for p.clock().Before(end) {
				b, err := src.Poll(t.Context(), p.at)
				if err == nil {
					p.take(t, b)
				} else if c.fault == nil {
					t.Fatal(err)
				}
				p.pass(c.every)
			}
			asked := p.Log()[before:]
			if len(asked) == 0 || len(asked) > c.most+1 { // and robots.txt
				t.Errorf("%d requests in an hour, wanted at most %d", len(asked), c.most)
			}
			for i := 1; i < len(asked); i++ {
				if gap := asked[i].At.Sub(asked[i-1].At); gap < 2*time.Second {
					t.Errorf("%s and %s are %v apart", asked[i-1].Address, asked[i].Address, gap)
				}
			}
		})
	}
}
