package forum

import (
	"strings"
	"testing"
)

func TestF41SelectorsOfAConfigAreChecked(t *testing.T) {
	for name, c := range map[string]struct {
		view View
		want string // of the error, "" for none
	}{
		"nothing":          {View{}, ""},
		"good":             {View{Board: "phpbb", Selectors: Selectors{"post": "div.talk, li.talk", "not": ".gone"}}, ""},
		"does not compile": {View{Selectors: Selectors{"post": "div:has(> p)"}}, `post: "div:has(> p)" is no selector`},
		"unknown":          {View{Selectors: Selectors{"posts": "div"}}, "posts: there is no such selector; write one of post, "},
		"no such board":    {View{Board: "phpbb3"}, `there is no kind of board "phpbb3"; write one of phpbb, `},
		"no such charset":  {View{Charset: "cp-1251"}, `there is no charset "cp-1251"`},
	} {
		switch err := c.view.Check(); {
		case err == nil && c.want != "":
			t.Errorf("%s: no error, wanted %q", name, c.want)
		case err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, wanted %q", name, err, c.want)
		}
	}
}

func TestF40SelectorsOfAConfigReadAChangedTheme(t *testing.T) {
	const page = `<html><body>%BODY%<h2><a href="./viewtopic.php?t=90">War</a></h2>
<article class="talk" data-n="71"><b class="who"><a href="./memberlist.php?mode=viewprofile&amp;u=9">Vera</a></b><i class="when">2026-03-14T11:00:00Z</i><div class="said">HOLD<div class="cited">VOTE Oleg</div><p class="changed">changed</p></div></article>
<article class="talk gone" data-n="72"><b class="who">Gleb</b><div class="said">VOTE Oleg</div></article>
<a class="on" href="./viewtopic.php?t=90&amp;start=10">more</a></body></html>`
	selectors := Selectors{"post": "article.talk", "not": ".gone", "author": ".who", "author_id": ".who a", "date": ".when", "body": ".said", "omit": ".cited, .changed", "edited": ".changed", "next": "a.on"}
	view := View{Board: "phpbb", Selectors: selectors}
	for name, mark := range map[string]string{"with the board's mark": `<body id="phpbb">`, "without": ""} {
		text := strings.Replace(page, "%BODY%", mark, 1)
		if p := Read(answered("http://b.example/viewtopic.php?t=90", text), View{Board: "phpbb"}); p.Kind != Unreadable || len(p.Posts) > 0 {
			t.Errorf("%s: without selectors it is a page of kind %s with %d posts", name, p.Kind, len(p.Posts))
		}
		text = strings.ReplaceAll(text, `data-n="`, `id="p`)
		p := Read(answered("http://b.example/viewtopic.php?t=90", text), view)
		if p.Kind != Thread || len(p.Posts) != 1 || p.Next != "http://b.example/viewtopic.php?t=90&start=10" || p.Thread != "90" {
			t.Fatalf("%s: kind %s, %d posts of thread %q, next %q, problems %q", name, p.Kind, len(p.Posts), p.Thread, p.Next, p.Problems)
		}
		if got := p.Posts[0]; got.ID != "71" || got.Author != "Vera" || got.AuthorID != "9" || !got.Edited || strings.Join(got.Lines, "|") != "HOLD" || got.Posted.IsZero() {
			t.Errorf("%s: read %+v", name, got)
		}
	}
}

// TestBoardsThatShowNoUserIDs: a theme has them somewhere, or says that it has none.
func TestBoardsThatShowNoUserIDs(t *testing.T) {
	for _, f := range families {
		for _, th := range f.themes {
			if reads := f.data != nil || th.authorID.at != nil || th.authorID.attr != "" || th.userOf != nil; !reads && !th.names {
				t.Errorf("%s, %s: nothing tells where it shows the ids of users", f.name, th.name)
			}
		}
	}
	if !NamesAlone("boardgamegeek", "xml") || NamesAlone("phpbb", "prosilver") || NamesAlone("nothing", "") {
		t.Error("BoardGameGeek alone knows users by their names alone")
	}
}
