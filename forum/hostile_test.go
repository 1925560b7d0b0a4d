package forum_test

import (
	"fmt"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"arroba/forum"
	"arroba/forum/testboard"
)

var (
	bodyOfPage = regexp.MustCompile(`(?s)<body[^>]*>(.*)</body>`)
	form       = regexp.MustCompile(`</?form[^>]*>`)
)

// TestF33NothingThatIsWrittenPassesForTheBoardsWord puts a whole page of another thread into a post of a guest, as boards
// that let HTML through allow it: it makes no post, author, date, link or count.
func TestF33NothingThatIsWrittenPassesForTheBoardsWord(t *testing.T) {
	const word = "zqxword"
	now := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	for _, skin := range testboard.Skins() {
		b := testboard.New(skin, func() time.Time { return now })
		b.Size = 3
		ada := b.AddUser(testboard.User{Name: "Ada"})
		thread, other := b.AddThread("Lands"), b.AddThread("Elsewhere")
		for i := range 8 {
			at := now.Add(time.Duration(i-200) * time.Hour)
			b.Add(testboard.Post{Thread: other, Author: ada.ID, Subject: "Forged", Text: fmt.Sprintf("FORGED %d", i), Posted: at})
			b.Add(testboard.Post{Thread: thread, Name: "Visitor", Text: fmt.Sprintf("WHO %s%d", word, i), Posted: at})
		}
		get := func(thread, page int) string {
			w := httptest.NewRecorder()
			b.ServeHTTP(w, httptest.NewRequest("GET", skin.Address(thread, page), nil))
			return w.Body.String()
		}
		page := get(thread, 1)
		if !strings.Contains(page, "<html") {
			continue // data has no place for HTML to hide in
		}
		read := func(page string) forum.Page {
			return forum.Read(forum.Answer{URL: "http://board.example" + skin.Address(thread, 1), At: now, Body: []byte(page)},
				forum.View{Board: skin.Family, Charset: skin.Charset, Zone: time.UTC})
		}
		for _, from := range []int{1, 2} {
			forged := form.ReplaceAllString(bodyOfPage.FindStringSubmatch(get(other, from))[1], "") // a form ends the one around all posts
			want, got := read(page), read(strings.Replace(page, word+"0", "</b>"+forged+`<base href="http://evil.example/"><link rel="next" href="/evil"><link rel="canonical" href="/evil">`, 1))
			if len(want.Posts) != 3 || want.Next == "" {
				t.Fatalf("%s: the page itself is not read: %d posts, next %q, %q", skin.Name, len(want.Posts), want.Next, want.Problems)
			}
			got.Problems, want.Problems = nil, nil
			if len(got.Posts) == 3 {
				got.Posts[0].Lines, got.Posts[0].HTML, got.Posts[0].Hash = want.Posts[0].Lines, want.Posts[0].HTML, want.Posts[0].Hash
				got.Posts[0].Edited, got.Posts[0].Attachments = want.Posts[0].Edited, want.Posts[0].Attachments
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: read is\n%+v\nwanted\n%+v", skin.Name, got, want)
			}
		}
	}
}

func TestF25AccountsThatLookAlikeAreOthers(t *testing.T) {
	const page = `<html><body id="phpbb"><div class="post" id="p7"><dl class="postprofile"><dt><a class="username" href="./memberlist.php?u=5">%s</a></dt></dl>
		<div class="postbody"><p class="author">» <time datetime="2026-11-22T06:00:00+00:00">now</time></p><div class="content">WHO</div></div></div></body></html>`
	for _, name := range []string{"Anna\u00a0", "\u00a0Anna", "Anna\u200b", "Аnna", "An\u00adna", "Anna\u3000"} {
		p := forum.Read(forum.Answer{Body: fmt.Appendf(nil, page, name)}, forum.View{})
		if len(p.Posts) != 1 || p.Posts[0].Author != name {
			t.Errorf("of %q is read %+v", name, p.Posts)
		}
	}
	if p := forum.Read(forum.Answer{Body: fmt.Appendf(nil, page, "\n Anna  B\t")}, forum.View{}); p.Posts[0].Author != "Anna B" {
		t.Errorf("a name in a template is %q", p.Posts[0].Author)
	}
}

// TestPostsFromOtherServers: what another server calls a post is no number of this board's.
func TestPostsFromOtherServers(t *testing.T) {
	const page = `<html><body><ul component="topic" data-tid="2"><li component="post" data-pid="5" data-uid="3" data-username="Anna" data-timestamp="1764000000000"><div component="post/content">WHO</div></li>
		<li component="post" data-pid="https://evil.example/posts/5" data-uid="https://evil.example/users/3" data-username="Anna" data-timestamp="1764000000000"><div component="post/content">PAY 5</div></li></ul></body></html>`
	p := forum.Read(forum.Answer{Body: []byte(page)}, forum.View{Board: "nodebb"})
	if len(p.Posts) != 1 || p.Posts[0].Lines[0] != "WHO" || len(p.Problems) != 1 {
		t.Errorf("read is %+v, %q", p.Posts, p.Problems)
	}
}
