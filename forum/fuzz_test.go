package forum_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"arroba/forum"
	"arroba/forum/testboard"
)

// FuzzRead reads any bytes as a page of any board: it never panics, gives posts of threads alone, and valid text.
func FuzzRead(f *testing.F) {
	for _, skin := range testboard.Skins() {
		answer, view := servedPage(skin, 2, 0)
		f.Add(answer.Body, view.Board, view.Charset)
	}
	f.Add([]byte(`<body id="phpbb"><div class="post" id="p1"><p class="author">» Today, 10:15</p><div class="content"><s>WHO</s></div></div>`), "", "")
	f.Add([]byte(strings.Repeat("<div>", 600)), "smf", "windows-1251")
	f.Add([]byte(`{"post_stream":{"posts":[{"id":1,"username":"ada","cooked":"<p>WHO</p>","created_at":"2026-11-30T14:00:00Z"}]}}`), "discourse", "")
	f.Add([]byte(`<?xml version="1.0"?><thread id="1"><articles><article id="2" username="ada"><body>WHO</body></article></articles></thread>`), "boardgamegeek", "")
	f.Fuzz(func(t *testing.T, body []byte, board, charset string) {
		a := forum.Answer{URL: "http://board.example/viewtopic.php?t=1", At: time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC), Body: body}
		p := forum.Read(a, forum.View{Board: board, Charset: charset})
		if len(p.Posts) > 0 && p.Kind != forum.Thread || len(p.Posts) == 0 && p.Kind == forum.Thread {
			t.Errorf("a page of kind %q with %d posts", p.Kind, len(p.Posts))
		}
		if p.Kind == forum.Unreadable && len(p.Problems) == 0 {
			t.Error("nothing says why it is unreadable")
		}
		texts := append([]string{p.Title, p.Thread, p.Next, p.Address, p.Said}, p.Problems...)
		for _, post := range p.Posts {
			texts = append(texts, post.ID, post.Author, post.AuthorID, post.Subject, post.Permalink, post.HTML, post.Hash)
			texts = append(texts, post.Lines...)
			if post.ID == "" {
				t.Error("a post without an id")
			}
			if post.Posted.Early.After(post.Posted.Late) || !post.Posted.IsZero() && (post.Posted.At.Before(post.Posted.Early) || post.Posted.At.After(post.Posted.Late)) {
				t.Errorf("%v is not from %v to %v", post.Posted.At, post.Posted.Early, post.Posted.Late)
			}
			for _, line := range post.Lines {
				if line == "" || strings.ContainsAny(line, "\r\n") {
					t.Errorf("%q is no line", line)
				}
			}
		}
		for _, text := range texts {
			if !utf8.ValidString(text) {
				t.Errorf("%q is not valid UTF-8", text)
			}
		}
	})
}
