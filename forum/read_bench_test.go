package forum_test

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"arroba/forum"
	"arroba/forum/testboard"
)

// servedPage is a page of a thread with some posts, of so many bytes or a few less, as a board of a kind serves it; it is
// bigger when the posts alone are.
func servedPage(skin *testboard.Skin, posts, size int) (forum.Answer, forum.View) {
	now := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	b := testboard.New(skin, func() time.Time { return now })
	b.Size = posts
	ada := b.AddUser(testboard.User{Name: "Ada", Signature: "[i]Nobody[/i] expects it :)"})
	thread := b.AddThread("Lands, round 3")
	for i := range posts {
		b.Add(testboard.Post{Thread: thread, Author: ada.ID, Posted: now.Add(time.Duration(i-60) * time.Minute)})
	}
	serve := func(lines int) []byte { // so many, dealt out to the posts
		for i, p := range b.Posts(thread) {
			var text strings.Builder
			text.WriteString("[quote=Bob]WHO[/quote]\n[code]Alice 12\nBob 7[/code]\n")
			for n := i; n < lines; n += posts {
				fmt.Fprintf(&text, "[b]PAY[/b] %d TO Anna :) [s]PAY %d TO Bob[/s] and some words of what goes on in the land\n", i, n)
			}
			b.EditSilently(p.ID, text.String())
		}
		w := httptest.NewRecorder()
		b.ServeHTTP(w, httptest.NewRequest("GET", skin.Address(thread, 1), nil))
		return w.Body.Bytes()
	}
	tooMany := sort.Search(size/100, func(lines int) bool { return len(serve(lines)) > size })
	body := serve(max(0, tooMany-1))
	return forum.Answer{URL: "http://board.example" + skin.Address(thread, 1), At: now, Body: body}, forum.View{Board: skin.Family, Zone: time.UTC, Charset: skin.Charset}
}

// BenchmarkRead reads a page of 200 KB with 40 posts, and in the same run lets x/net/html parse it, and tear it into its
// tokens; the ratios are how many pages this package reads in the time in which each of these does one. All are medians.
func BenchmarkRead(b *testing.B) {
	for _, skin := range testboard.Skins() {
		b.Run(skin.Name, func(b *testing.B) {
			answer, view := servedPage(skin, 40, 200_000)
			if p := forum.Read(answer, view); p.Kind != forum.Thread || len(p.Posts) != 40 {
				b.Fatalf("%s page with %d posts: %q", p.Kind, len(p.Posts), p.Problems)
			}
			var milliseconds, parsing, tearing []float64
			for b.Loop() {
				start := time.Now()
				forum.Read(answer, view)
				took := time.Since(start).Seconds()
				milliseconds = append(milliseconds, took*1000)
				if skin.Write != nil { // it is no HTML
					continue
				}
				start = time.Now()
				if _, err := html.Parse(bytes.NewReader(answer.Body)); err != nil {
					b.Fatal(err)
				}
				parsing = append(parsing, time.Since(start).Seconds()/took)
				start = time.Now()
				for z := html.NewTokenizer(bytes.NewReader(answer.Body)); z.Next() != html.ErrorToken; {
				}
				tearing = append(tearing, time.Since(start).Seconds()/took)
			}
			b.ReportMetric(median(milliseconds), "ms/page")
			if len(parsing) > 0 {
				b.ReportMetric(median(parsing), "x-html.Parse")
				b.ReportMetric(median(tearing), "x-tokenizer")
			}
		})
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
