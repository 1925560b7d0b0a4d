package testboard

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"arroba/forum"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// boardWith is a board of a skin with a thread of many posts, and what should be read of it.
func boardWith(s *Skin) (b *Board, thread int, want []forum.Post) {
	now := noon.Add(-90 * 24 * time.Hour)
	b = New(s, func() time.Time { return now })
	gm := b.AddUser(User{Name: "Gwen", Admin: true, Title: "Board owner"})
	alice := b.AddUser(User{Name: "Alice", Signature: "VOTE: nobody"})
	bob := b.AddUser(User{Name: "Bob Roth"})
	ivan := b.AddUser(User{Name: "Иван"})
	thread = b.AddThread(`Lands <3> & "seas"`)
	text := func(bbcode, markdown string) string {
		if s.Markup.Markdown {
			return markdown
		}
		return bbcode
	}
	say := func(u User, text string, lines ...string) int {
		now = now.Add(31*time.Hour + 7*time.Minute)
		id := b.Post(thread, u.ID, text)
		want = append(want, forum.Post{ID: fmt.Sprint(id), Author: u.Name, Lines: lines, Posted: forum.Instant{At: now}})
		return id
	}
	say(gm, text("[b]Round 1 begins.[/b]\n\nDeadline: Sunday.", "**Round 1 begins.**\n\nDeadline: Sunday."), "Round 1 begins.", "Deadline: Sunday.")
	first := say(alice, "ORDERS: A Vie - Gal\nF Tri H\n5 < 6 & \"so\"", "ORDERS: A Vie - Gal", "F Tri H", `5 < 6 & "so"`)
	say(bob, text("[quote=\"Alice\"]ORDERS: A Vie - Gal[/quote]\nThanks.", "> ORDERS: A Vie - Gal\n\nThanks."), "Thanks.")
	say(ivan, "Привет! ход: А Вен - Гал", "Привет! ход: А Вен - Гал")
	say(gm, text("[code]A  1\nB  2[/code]after", "```\nA  1\nB  2\n```\nafter"), "A 1", "B 2", "after")
	say(bob, text("[b]V[/b][b]OTE[/b]: Alice", "**V**OTE: Alice"), "VOTE: Alice")
	for i := range 2 * b.size() {
		line := fmt.Sprintf("Filler %d.", i)
		say(alice, line, line)
	}
	gone := say(bob, "I go.", "I go.")
	b.Delete(gone)
	want = want[:len(want)-1]
	b.Edit(first, alice.ID, "ORDERS: A Vie - Boh", "")
	want[1].Lines = []string{"ORDERS: A Vie - Boh"}
	b.Add(Post{Thread: thread, Author: bob.ID, Text: "I wait.", Waiting: true})
	b.Now = func() time.Time { return now.Add(time.Hour) }
	return b, thread, want
}

// get asks for a page as a browser does that keeps its cookies.
func get(t *testing.T, c *http.Client, address string) forum.Answer {
	t.Helper()
	resp, err := c.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	at, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		t.Fatal(err)
	}
	return forum.Answer{Asked: address, URL: resp.Request.URL.String(), Status: resp.StatusCode, Header: resp.Header, At: at, Body: body}
}

func TestEachSkinIsReadBackAsItWasPosted(t *testing.T) {
	for _, s := range Skins() {
		t.Run(s.Name, func(t *testing.T) { readBack(t, s, time.UTC) })
	}
}

func TestEachSkinIsReadBackInItsZone(t *testing.T) {
	york, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Skins() {
		t.Run(s.Name, func(t *testing.T) { readBack(t, s, york) })
	}
}

// readBack reads a thread of a board in a zone, which covers a change of summer time, from its first page to its last.
func readBack(t *testing.T, s *Skin, zone *time.Location) {
	t.Parallel()
	b, thread, want := boardWith(s)
	b.Zone = zone
	server := httptest.NewServer(b)
	defer server.Close()
	var got []forum.Post
	next := server.URL + s.Address(thread, 1)
	pages := 0
	for ; next != "" && pages < 20; pages++ {
		p := forum.Read(get(t, server.Client(), next), forum.View{Board: s.Family, Zone: zone})
		if p.Kind != forum.Thread || p.Board != s.Family || len(p.Problems) > 0 {
			t.Fatalf("%s: it is a %s of %s: %q", next, p.Kind, p.Board, p.Problems)
		}
		got, next = append(got, p.Posts...), p.Next
	}
	if pages < 2 && s.Size < len(want) {
		t.Errorf("%d pages were read, want more", pages)
	}
	if len(got) != len(want) {
		t.Fatalf("%d posts were read, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.ID != w.ID || g.Author != w.Author || !slices.Equal(g.Lines, w.Lines) {
			t.Errorf("read %s by %s %q, want %s by %s %q", g.ID, g.Author, g.Lines, w.ID, w.Author, w.Lines)
		}
		if at := w.Posted.At; at.Before(g.Posted.Early) || at.After(g.Posted.Late) {
			t.Errorf("post %s is read as of %v to %v, want %v", g.ID, g.Posted.Early, g.Posted.Late, at)
		}
	}
}

func TestMissingThreadsShowNoPosts(t *testing.T) {
	for _, s := range Skins() {
		t.Run(s.Name, func(t *testing.T) {
			b, _, _ := boardWith(s)
			server := httptest.NewServer(b)
			defer server.Close()
			p := forum.Read(get(t, server.Client(), server.URL+s.Address(99, 1)), forum.View{Board: s.Family})
			if p.Kind == forum.Thread || len(p.Posts) > 0 {
				t.Errorf("it is a %s with %d posts", p.Kind, len(p.Posts))
			}
		})
	}
}

func TestTheAddressOfAPostShowsItsPage(t *testing.T) {
	for _, s := range Skins() {
		t.Run(s.Name, func(t *testing.T) {
			b, thread, want := boardWith(s)
			server := httptest.NewServer(b)
			defer server.Close()
			at, err := url.Parse(server.URL + "/")
			if err != nil {
				t.Fatal(err)
			}
			board := forum.Board{Address: at, View: forum.View{Board: s.Family}}
			last := want[len(want)-1].ID
			address := board.From(fmt.Sprint(thread), last)
			if address == "" {
				t.Skip("posts of this board have no addresses of their own")
			}
			p := forum.Read(get(t, server.Client(), address), board.View)
			if !slices.ContainsFunc(p.Posts, func(p forum.Post) bool { return p.ID == last }) {
				t.Errorf("%s is a %s without post %s", address, p.Kind, last)
			}
		})
	}
}

func TestF15PastTheEndThereIsNothingNew(t *testing.T) {
	for _, s := range Skins() {
		t.Run(s.Name, func(t *testing.T) {
			b, thread, want := boardWith(s)
			server := httptest.NewServer(b)
			defer server.Close()
			p := forum.Read(get(t, server.Client(), server.URL+s.Address(thread, 9)), forum.View{Board: s.Family})
			for _, post := range p.Posts {
				if !slices.ContainsFunc(want, func(w forum.Post) bool { return w.ID == post.ID }) {
					t.Errorf("page 9 has post %s", post.ID)
				}
			}
			if p.Kind == forum.Unreadable {
				t.Errorf("page 9 is unreadable: %q", p.Problems)
			}
		})
	}
}

func TestF28CharsetsThatAreToldWrongAreReadBack(t *testing.T) {
	for _, s := range Skins() {
		if s.Charset == "" {
			continue
		}
		for _, c := range []struct {
			fault      Fault
			configured string
		}{{Fault{Name: "none"}, ""}, {SaysCharset("utf-8"), ""}, {SaysCharset("iso-8859-1"), s.Charset}, {NoCharset, s.Charset}} {
			t.Run(s.Name+"/"+c.fault.Name, func(t *testing.T) {
				b, thread, _ := boardWith(s)
				b.Fail(c.fault)
				server := httptest.NewServer(b)
				defer server.Close()
				p := forum.Read(get(t, server.Client(), server.URL+s.Address(thread, 1)), forum.View{Board: s.Family, Charset: c.configured})
				if len(p.Posts) < 4 || p.Posts[3].Author != "Иван" || p.Posts[3].Lines[0] != "Привет! ход: А Вен - Гал" {
					t.Errorf("the posts are %+v", p.Posts)
				}
			})
		}
	}
}

func TestManyPostAndReadAtOnce(t *testing.T) {
	b, thread, want := boardWith(phpbb33)
	server := httptest.NewServer(b)
	defer server.Close()
	before := len(b.Posts(thread))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 10 {
				id := b.Post(thread, 2, "More.")
				b.Edit(id, 2, "More and more.", "")
				resp, err := server.Client().Get(server.URL + phpbb33.Address(thread, 9))
				if err != nil {
					t.Error(err)
					return
				}
				resp.Body.Close()
				b.Delete(id)
			}
		})
	}
	all.Wait()
	if got := len(b.Posts(thread)); got != before+40 || len(b.of(thread)) != len(want) {
		t.Errorf("the thread has %d posts, %d of them public; want %d and %d", got, len(b.of(thread)), before+40, len(want))
	}
}
