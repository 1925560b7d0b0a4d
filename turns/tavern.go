package turns

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
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
	parts := cutPosts(post.Text, w.e.takes(t.Source, g.Name))
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

// onlyRead tells whether there is no account to post from on a forum.
func (e *Engine) onlyRead(forum string) bool {
	return slices.ContainsFunc(e.Forums, func(f Forum) bool { return f.Name == forum && len(f.Own) == 0 })
}

// takes returns whether a forum takes a text as one post of a game, beside what stands round it: the marker, and which
// part it is. What counts is the text as it is written there.
func (e *Engine) takes(forum, game string) func(text string) bool {
	limit, markup := DefaultPostLimit, func(text string) string { return text }
	for _, f := range e.Forums {
		if f.Name == forum {
			limit = cmp.Or(f.Limit, limit)
			if f.Markup != nil {
				markup = f.Markup
			}
		}
	}
	limit = max(limit-len(game)-postFrame, postFrame)
	return func(text string) bool {
		return utf8.RuneCountInString(text) <= limit && utf8.RuneCountInString(markup(text)) <= limit
	}
}

// postFrame is the room for the marker, but for the name of the game in it, and the part.
const postFrame = 80

// cutPosts cuts a text at its lines into parts that are taken, and a line that is too long alone at its blanks where it
// has some.
func cutPosts(text string, taken func(string) bool) (parts []string) {
	lines := slices.Collect(strings.Lines(text))
	for len(lines) > 0 {
		n := most(len(lines), func(n int) bool { return taken(strings.Join(lines[:n], "")) })
		part := strings.Join(lines[:n], "")
		if lines = lines[n:]; n == 0 {
			part, lines[0] = headOf(lines[0], taken)
		}
		if part = strings.Trim(part, "\n"); part != "" {
			parts = append(parts, part+"\n")
		}
	}
	return parts
}

// headOf cuts off as much of a line as is taken, one character at least.
func headOf(line string, taken func(string) bool) (head, rest string) {
	runes := []rune(line)
	n := max(1, most(len(runes), func(n int) bool { return taken(string(runes[:n])) }))
	head = string(runes[:n])
	if i := strings.LastIndexByte(head, ' '); i > 0 {
		head = head[:i]
	}
	return head, strings.TrimPrefix(line[len(head):], " ")
}

// most is the greatest number up to a limit for which something holds that holds for all smaller ones.
func most(limit int, holds func(int) bool) int {
	n := 1
	for n <= limit && holds(n) {
		n *= 2
	}
	low, high := n/2, min(n, limit+1)
	return low + sort.Search(high-low-1, func(i int) bool { return !holds(low + i + 1) })
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
