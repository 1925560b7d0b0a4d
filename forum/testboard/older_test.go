package testboard

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/forum"
)

// older are the skins of phpBB and of the boards that were made of PunBB, with the languages that they know.
var older = []struct {
	skin     *Skin
	language string
}{
	{phpbb33, "en"}, {phpbb33, "de"}, {phpbb30, "en"}, {phpbb30, "ru"}, {subsilver2, "en"}, {subsilver2, "ru"}, {phpbb2, "en"}, {phpbb2, "ru"}, {fluxbb15, "en"}, {punbb14, "en"},
}

func TestWhoWroteAndWhatBecameOfIt(t *testing.T) {
	moscow, err := time.LoadLocation("Europe/Moscow")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range older {
		t.Run(o.skin.Name+" "+o.language, func(t *testing.T) {
			t.Parallel()
			now := noon
			b := New(o.skin, func() time.Time { return now })
			b.Language, b.Zone = o.language, moscow
			gm, vera := b.AddUser(User{Name: "Gwen", Admin: true}), b.AddUser(User{Name: "Вера", Signature: "VOTE: [b]all[/b]"})
			old := b.AddUser(User{Name: "Old"})
			thread := b.AddThread("Война: лето")
			post := func(author int, name, text string) string {
				now = now.Add(45 * time.Minute)
				return fmt.Sprint(b.Add(Post{Thread: thread, Author: author, Name: name, Text: text}))
			}
			orders := []string{
				post(gm.ID, "", "[list][*]one[*]two[/list]"),
				post(0, "Gwen", "RESULT: I win"),
				post(old.ID, "", "HOLD"),
				post(vera.ID, "", "[quote=\"Gwen\"][quote]RESULT: lost[/quote]ORDER: none[/quote]СЛУЖИТЬ"),
				post(gm.ID, "", "end"),
			}
			b.DeleteUser(old.ID)
			now = now.Add(time.Hour)
			b.Edit(4, vera.ID, "[quote=\"Gwen\"]ORDER: none[/quote]СЛУЖИТЬ\nдва", "")
			server := httptest.NewServer(b)
			defer server.Close()
			p := forum.Read(get(t, server.Client(), server.URL+o.skin.Address(thread, 1)), forum.View{Zone: moscow})
			if p.Kind != forum.Thread || p.Board != o.skin.Family || p.Thread != fmt.Sprint(thread) || p.Title != "Война: лето" || len(p.Problems) > 0 || len(p.Posts) != len(orders) {
				t.Fatalf("a page of %s, kind %s, thread %q %q, %d posts, problems %q", p.Board, p.Kind, p.Thread, p.Title, len(p.Posts), p.Problems)
			}
			for i, w := range []struct {
				author, id string
				edited     bool
				lines      []string
			}{
				{"Gwen", fmt.Sprint(gm.ID), false, []string{"one", "two"}},
				{"Gwen", "", false, []string{"RESULT: I win"}}, // F33
				{"Old", "", false, []string{"HOLD"}},           // F23
				{"Вера", fmt.Sprint(vera.ID), true, []string{"СЛУЖИТЬ", "два"}},
				{"Gwen", fmt.Sprint(gm.ID), false, []string{"end"}},
			} {
				got := p.Posts[i]
				if got.ID != orders[i] || got.Author != w.author || got.AuthorID != w.id || got.Edited != w.edited || !slices.Equal(got.Lines, w.lines) {
					t.Errorf("read %s by %s (%q), edited %v: %q; wanted %s %+v", got.ID, got.Author, got.AuthorID, got.Edited, got.Lines, orders[i], w)
				}
				if at := noon.Add(time.Duration(i+1) * 45 * time.Minute); at.Before(got.Posted.Early) || at.After(got.Posted.Late) {
					t.Errorf("post %s is read as of %v to %v, wanted %v", got.ID, got.Posted.Early, got.Posted.Late, at)
				}
				if strings.Contains(got.Permalink, "sid=") || !strings.HasPrefix(got.Permalink, server.URL) {
					t.Errorf("F42: the link of post %s is %q", got.ID, got.Permalink)
				}
			}
		})
	}
}

func TestPagesOfOlderBoards(t *testing.T) {
	for _, o := range older {
		t.Run(o.skin.Name+" "+o.language, func(t *testing.T) {
			t.Parallel()
			b, thread, want := boardWith(o.skin)
			b.Language = o.language
			b.Newest = o.skin.Family == "phpbb" || o.skin.Family == "phpbb2"
			server := httptest.NewServer(b)
			defer server.Close()
			base, err := url.Parse(server.URL + "/")
			if err != nil {
				t.Fatal(err)
			}
			board := forum.Board{Address: base, View: forum.View{Board: o.skin.Family}}
			read := func(address string) forum.Page {
				return forum.Read(get(t, server.Client(), address), board.View)
			}
			first, err := board.Thread(fmt.Sprint(thread))
			if err != nil {
				t.Fatal(err)
			}
			p := read(first)
			if len(p.Posts) == 0 || p.Posts[0].ID != want[0].ID || p.Next == "" {
				t.Errorf("F43: %s begins with another post than the first: kind %s, %d posts, next %q", first, p.Kind, len(p.Posts), p.Next)
			}
			if p.Total > 0 && p.Total != len(want) {
				t.Errorf("%d posts in all, wanted %d", p.Total, len(want))
			}
			last := want[len(want)-1]
			p = read(board.From(fmt.Sprint(thread), last.ID))
			if len(p.Posts) == 0 || p.Posts[len(p.Posts)-1].ID != last.ID || p.Next != "" || p.Thread != fmt.Sprint(thread) {
				t.Errorf("the page of post %s: kind %s, %d posts of thread %q, next %q", last.ID, p.Kind, len(p.Posts), p.Thread, p.Next)
			}
			b.Delete(len(want)) // F22
			gone := want[len(want)-1]
			for _, post := range read(board.From(fmt.Sprint(thread), gone.ID)).Posts {
				if post.ID == gone.ID {
					t.Errorf("F22: the deleted post %s is read", gone.ID)
				}
			}
			known := map[string]bool{} // F15
			for next, pages := first, 0; next != ""; pages++ {
				p := read(next)
				for _, post := range p.Posts {
					known[post.ID] = true
				}
				if next = p.Next; pages > 10 {
					t.Fatal("F15: the thread does not end")
				}
			}
			for _, post := range read(server.URL + o.skin.Address(thread, 99)).Posts {
				if !known[post.ID] {
					t.Errorf("F15: the page past the end shows post %s", post.ID)
				}
			}
		})
	}
}

func TestF18WhatIsSeenOfAFoe(t *testing.T) {
	for _, c := range []struct {
		skin  *Skin
		shown bool // the text is on the page, folded up
	}{{phpbb33, true}, {phpbb30, false}, {subsilver2, false}} {
		t.Run(c.skin.Name, func(t *testing.T) {
			b := New(c.skin, func() time.Time { return noon })
			gm, foe := b.AddUser(User{Name: "Gwen"}), b.AddUser(User{Name: "Fool"})
			thread := b.AddThread("War")
			b.Post(thread, foe.ID, "HOLD")
			b.Ignore(gm.ID, foe.ID)
			b.sessions = map[string]*session{"gwen": {id: "gwen", user: gm.ID, fields: map[string]string{}}}
			r := httptest.NewRequest("GET", c.skin.Address(thread, 1), nil)
			r.AddCookie(&http.Cookie{Name: b.Skin.Cookie, Value: "gwen"})
			w := httptest.NewRecorder()
			b.ServeHTTP(w, r)
			p := forum.Read(forum.Answer{Asked: "http://forum.example" + c.skin.Address(thread, 1), At: noon, Body: w.Body.Bytes()}, forum.View{})
			if len(p.Posts) != 1 || p.Posts[0].ID != "1" {
				t.Fatalf("%d posts on a page of kind %s", len(p.Posts), p.Kind)
			}
			if got := p.Posts[0]; c.shown != (len(p.Problems) == 0) || c.shown != (got.Hash != "") || c.shown != slices.Equal(got.Lines, []string{"HOLD"}) {
				t.Errorf("lines %q, hash %q, problems %q", got.Lines, got.Hash, p.Problems)
			}
		})
	}
}
