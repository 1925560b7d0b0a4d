package turns

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"arroba/ingest"
	"arroba/outbox"
	"arroba/store"
)

// What the Tavern may know stands on the web board. Where a game names a thread of a forum for it, it is posted there too,
// in as many posts as the board's limit asks for. Each has a marker, a word of its own by which it is found in the thread
// again before anything is sent a second time.

// tavern is the thread in which a game's Tavern is, false when it has none.
func (s Settings) tavern() (Thread, bool) {
	for _, t := range s.Threads {
		if t.Tavern {
			return t, true
		}
	}
	return Thread{}, false
}

// onForum returns the posts of the Tavern's thread that say what a post of the web board does.
func (w *work) onForum(g *Game, post outbox.Item) ([]outbox.Item, error) {
	t, ok := g.Settings.tavern()
	if !ok || w.e.onlyRead(t.Source) {
		return nil, nil
	}
	known, err := ingest.LastPost(w.ctx, w.tx, t.Name())
	if err != nil {
		return nil, err
	}
	parts := cutPosts(post.Text, max(w.e.postLimit(t.Source)-postFrame, postFrame))
	items := make([]outbox.Item, len(parts))
	for i, text := range parts {
		it := outbox.Item{ID: store.NewID(w.now), Game: g.Name, Input: post.Input, Via: viaForum, Kind: post.Kind, To: t.Name(), Subject: post.Subject,
			Text: text, Date: post.Date, Known: known}
		part := ""
		if len(parts) > 1 {
			part = fmt.Sprint(i + 1)
			it.Part = fmt.Sprintf("%d/%d", i+1, len(parts))
		}
		it.Marker = marker(it, part)
		items[i] = it
	}
	return items, nil
}

// marker is the word by which a post is known: of the game, the input, the item, and the part where there are several.
func marker(it outbox.Item, part string) string {
	words := []string{strings.ReplaceAll(it.Game, "_", "-"), fmt.Sprint(it.Input), strings.ToLower(it.ID[len(it.ID)-6:])}
	if part != "" {
		words = append(words, part)
	}
	return strings.Join(words, "-")
}

// postFrame is the room for what a post has besides its text: the marker, the part, the box that keeps blanks, and what
// is escaped.
const postFrame = 500

// onlyRead tells whether there is no account to post from on a forum.
func (e *Engine) onlyRead(forum string) bool {
	return slices.ContainsFunc(e.Forums, func(f Forum) bool { return f.Name == forum && len(f.Own) == 0 })
}

// postLimit is how many characters a post on a forum may have.
func (e *Engine) postLimit(forum string) int {
	for _, f := range e.Forums {
		if f.Name == forum && f.Limit > 0 {
			return f.Limit
		}
	}
	return DefaultPostLimit
}

// cutPosts cuts a text at its lines into parts of at most so many characters, and a longer line at its blanks where it has
// some.
func cutPosts(text string, most int) (parts []string) {
	var part strings.Builder
	size := 0
	flush := func() {
		if s := strings.Trim(part.String(), "\n"); s != "" {
			parts = append(parts, s+"\n")
		}
		part.Reset()
		size = 0
	}
	for line := range strings.Lines(text) {
		for n := utf8.RuneCountInString(line); n > most; n = utf8.RuneCountInString(line) {
			flush()
			head := string([]rune(line)[:most])
			if i := strings.LastIndexByte(head, ' '); i > 0 {
				head = head[:i]
			}
			parts = append(parts, head+"\n")
			line = strings.TrimPrefix(line[len(head):], " ")
		}
		if n := utf8.RuneCountInString(line); size+n > most {
			flush()
		}
		part.WriteString(line)
		size += utf8.RuneCountInString(line)
	}
	flush()
	return parts
}

// notPosted tells the GMs of a game what its forum did not take.
func (e *Engine) notPosted(ctx context.Context, it outbox.Item, why string) {
	err := e.write(ctx, func(w *work) error {
		return w.tellGMsOf(it.Game, "post-refused", map[string]any{"thread": it.To, "subject": it.Subject, "part": it.Part, "marker": it.Marker, "why": why, "text": it.Text})
	})
	if err != nil {
		e.Log.Error("the GM cannot be told of a post that was given up", "item", it.ID, "error", err)
	}
}
