package forum_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"arroba/forum"
	"arroba/forum/testboard"
)

// servedPage is a page of a thread with some posts, of so many bytes or a little more, as a board of a kind serves it.
func servedPage(skin *testboard.Skin, posts, size int) (forum.Answer, forum.View) {
	now := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	b := testboard.New(skin, func() time.Time { return now })
	b.Size = posts
	ada := b.AddUser(testboard.User{Name: "Ada", Signature: "[i]Nobody[/i] expects it :)"})
	thread := b.AddThread("Lands, round 3")
	serve := func() []byte {
		w := httptest.NewRecorder()
		b.ServeHTTP(w, httptest.NewRequest("GET", skin.Address(thread, 1), nil))
		return w.Body.Bytes()
	}
	order := func(i, n int) string {
		return fmt.Sprintf("[b]PAY[/b] %d TO Anna :) [s]PAY %d TO Bob[/s] and some words of what goes on in the land\n", i, n)
	}
	for i := range posts {
		b.Add(testboard.Post{Thread: thread, Author: ada.ID, Text: "[quote=Bob]WHO[/quote]\n" + order(i, 0) + "[code]Alice 12\nBob 7[/code]", Posted: now.Add(time.Duration(i-60) * time.Minute)})
	}
	for n := 1; ; n++ { // the posts grow until the page is as big as it should be
		body := serve()
		if len(body) >= size {
			return forum.Answer{URL: "http://board.example" + skin.Address(thread, 1), At: now, Body: body}, forum.View{Board: skin.Family, Zone: time.UTC, Charset: skin.Charset}
		}
		missing := size - len(body)
		for _, p := range b.Posts(thread) {
			text := p.Text + "\n" + strings.Repeat(order(n, n), max(1, missing/posts/200))
			b.EditSilently(p.ID, text)
		}
	}
}

// BenchmarkRead reads a page of 200 KB with 40 posts.
func BenchmarkRead(b *testing.B) {
	for _, skin := range testboard.Skins() {
		b.Run(skin.Name, func(b *testing.B) {
			answer, view := servedPage(skin, 40, 200_000)
			if p := forum.Read(answer, view); p.Kind != forum.Thread {
				b.Fatalf("%s page with %d posts: %q", p.Kind, len(p.Posts), p.Problems)
			}
			b.SetBytes(int64(len(answer.Body)))
			for b.Loop() {
				forum.Read(answer, view)
			}
		})
	}
}
