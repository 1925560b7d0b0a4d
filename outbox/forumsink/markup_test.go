package forumsink

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"arroba/forum"
)

// TestF26WhatPlayersWroteHasNoEffect posts what would mean something to a board, and reads it back: the same words, and
// nothing of what they would have done.
func TestF26WhatPlayersWroteHasNoEffect(t *testing.T) {
	for _, line := range []string{
		"[b]bold[/b] and [i]more[/i]", "[quote=Alice]I yield[/quote]", `[quote="Alice" post_id=1 time=5 user_id=2]I yield[/quote]`, "[code]x[/code]", "[/code] out", "[s]SERVE[/s]", "[b never closed",
		"[url=http://evil.example]here[/url]", "[img]http://evil.example/x.png[/img]", "[*] item", "[list][*]a[/list]", "[[b]]", "[/i][/b]",
		"see http://evil.example/a?b=c now", "see www.evil.example now", "evil.example", "write to eve@evil.example",
		"@Alice look", "@Alice", "#hashtag", "F Tri (8) supports", "8) :) ;) :D :-P :smile: :lol: <3", "at 12:30", "a/b:c",
		"**bold** and *this*", "_under_ __score__", "`code` ``x``", "~~struck~~", "# heading", "#heading", "> quote", "- item", "+ item", "* item", "1. item", "12) item", "---", "===", "* * *", "![x](http://evil.example/x.png)", "[x](http://evil.example)", "[x]: http://evil.example",
		"<b>tag</b> <script>x</script> <!-- gone -->", "&lt;b&gt; &amp; &#91;", "a & b", `back\slash \*`, "```", "~~~", "```go", "| a | b |", "x^2", "/me dances", "5 < 6 > 4", `"quoted" 'so'`, "Борис: вызов [b]принят[/b]", "🎲 dice",
	} {
		for _, skin := range taken() {
			t.Run(skin.Name+"/"+line, func(t *testing.T) {
				p := open(t, skin)
				post, html := p.postAndRead("before", line, "after")
				want := []string{"before", fold(line), "after"}
				if got := withoutMarker(post.Lines); !slices.Equal(got, want) {
					t.Errorf("got %q, want %q, in\n%s\nas\n%s", got, want, html, p.stored()[0].Text)
				}
				for _, effect := range []string{"<blockquote", "<script", "href=", "<img", "<h1", "<li", "<hr", "<code", "<s>", "<del", "<strong", "<table", "mention", "class=\"codebox"} {
					if strings.Contains(html, effect) && (effect != "<img" || !strings.Contains(html, `class="emoji`)) { // a picture of the character is the character
						t.Errorf("%q has an effect in\n%s\nas\n%s", effect, html, p.stored()[0].Text)
					}
				}
			})
		}
	}
}

// postAndRead posts lines and returns the post as the board shows it, and its HTML without the marker.
func (p *place) postAndRead(lines ...string) (forum.Post, string) {
	p.t.Helper()
	it := p.item()
	it.Text = strings.Join(lines, "\n") + "\n"
	if got := p.deliver(&it); got.told != nil {
		p.t.Fatalf("%v", got.told)
	}
	address, err := p.config.Board.Thread(fmt.Sprint(p.thread))
	if err != nil {
		p.t.Fatal(err)
	}
	page, _, err := p.config.Board.Fetch(p.t.Context(), address)
	if err != nil || len(page.Posts) == 0 {
		p.t.Fatalf("%+v, %v", page, err)
	}
	post := page.Posts[len(page.Posts)-1]
	return post, post.HTML
}

// withoutMarker are the lines without the marker, and without what has no width.
func withoutMarker(lines []string) []string {
	var list []string
	for _, line := range lines {
		if line = fold(strings.ReplaceAll(line, "\u200b", "")); line != marker {
			list = append(list, line)
		}
	}
	return list
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestTablesGoIntoACodeBox(t *testing.T) {
	eachSkin(t, func(t *testing.T, p *place) {
		post, html := p.postAndRead("The standings are", "", "Name    Wins  Lost", "------  ----  ----", "Boris      3     1", "Oleg [b]   2     2", "", "and so on")
		blanks := strings.NewReplacer("\u00a0", " ", "&nbsp;", " ").Replace(html)
		for _, want := range []string{"Boris      3     1", "Oleg [b]   2"} {
			if !strings.Contains(blanks, want) || !strings.Contains(html, "code") {
				t.Errorf("no %q in a box in\n%s", want, html)
			}
		}
		if got := withoutMarker(post.Lines); len(got) != 6 || got[3] != "Boris 3 1" || got[0] != "The standings are" || got[5] != "and so on" {
			t.Errorf("lines %q in\n%s", got, html)
		}
	})
}

func TestABoxIsNotLeftByWhatStandsInIt(t *testing.T) {
	eachSkin(t, func(t *testing.T, p *place) {
		post, html := p.postAndRead("Name    Word", "Boris   [/code][b]x[/b]", "Oleg    ``` **y**", "end")
		if strings.Contains(html, "<strong") || strings.Contains(html, "bold") {
			t.Errorf("a player's words have an effect:\n%s", html)
		}
		if got := withoutMarker(post.Lines); len(got) != 4 || got[1] != "Boris [/code][b]x[/b]" || got[2] != "Oleg ``` **y**" {
			t.Errorf("lines %q in\n%s", got, html)
		}
	})
}
