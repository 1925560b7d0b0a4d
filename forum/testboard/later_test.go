package testboard

import (
	"fmt"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"arroba/forum"
)

// readAll reads a thread from its first page to its last.
func readAll(t *testing.T, s *Skin, server *httptest.Server, thread int) (posts []forum.Post) {
	t.Helper()
	next := server.URL + s.Address(thread, 1)
	for pages := 0; next != "" && pages < 20; pages++ {
		p := forum.Read(get(t, server.Client(), next), forum.View{Board: s.Family})
		if p.Kind != forum.Thread {
			t.Fatalf("%s: it is a %s: %q", next, p.Kind, p.Problems)
		}
		posts, next = append(posts, p.Posts...), p.Next
	}
	return posts
}

func TestF8AThreadReadLaterIsNoOther(t *testing.T) {
	for _, s := range Skins() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			b, thread, _ := boardWith(s)
			user := b.Posts(thread)[1].Author
			if s.Markup.Markdown {
				b.Post(thread, user, "> ORDERS: A Vie - Gal\n\nSee https://files.example/a and :)")
			} else {
				quoted := b.Post(thread, user, "ORDERS: A Vie - Gal")
				b.Post(thread, user, fmt.Sprintf("[quote=\"Alice\" pid=%d]ORDERS: A Vie - Gal[/quote]See https://files.example/a and :)", quoted))
			}
			now := b.Now()
			var passed atomic.Int64
			b.Now = func() time.Time { return now.Add(time.Duration(passed.Load())) }
			server := httptest.NewServer(b)
			defer server.Close()
			first := readAll(t, s, server, thread)
			for _, later := range []time.Duration{10 * time.Minute, 5 * time.Hour, 26 * time.Hour, 400 * 24 * time.Hour} {
				passed.Store(int64(later))
				again := readAll(t, s, server, thread)
				if len(again) != len(first) {
					t.Fatalf("%d posts after %s, %d before", len(again), later, len(first))
				}
				for i, p := range again {
					was := first[i]
					if p.ID != was.ID || p.Hash != was.Hash || p.AuthorID != was.AuthorID || p.Edited != was.Edited {
						t.Errorf("post %s after %s: %q, it was %q", p.ID, later, p.HTML, was.HTML)
					}
					if p.Posted.Early.After(was.Posted.Late) || was.Posted.Early.After(p.Posted.Late) {
						t.Errorf("post %s after %s was made %v to %v, it was %v to %v", p.ID, later, p.Posted.Early, p.Posted.Late, was.Posted.Early, was.Posted.Late)
					}
				}
			}
		})
	}
}
