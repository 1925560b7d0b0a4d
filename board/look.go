package board

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"arroba/outbox"
	"arroba/rules"
	"arroba/templates"
	"arroba/turns"
)

// look is who looks at which game.
type look struct {
	game   *turns.Game
	member *turns.Member // on his own page; nil on public pages
	base   string        // address of the page that is looked at
}

// public is the look of everybody at the game that an address names.
func (b *board) public(ctx context.Context, r *http.Request) (look, error) {
	g, err := turns.LoadGame(ctx, b.DB.Read(), r.PathValue("game"))
	if err != nil {
		return look{}, found(err)
	}
	return look{game: g, base: address("g", g.Name)}, nil
}

// own is the look of the member whose secret link stands in an address.
func (b *board) own(ctx context.Context, r *http.Request) (look, error) {
	link := r.PathValue("link")
	g, m, err := turns.MemberByLink(ctx, b.DB.Read(), link)
	if err != nil {
		return look{}, found(err)
	}
	return look{game: g, member: m, base: address("m", link)}, nil
}

// viewer is what may be seen.
func (l look) viewer() rules.Viewer {
	if l.member == nil {
		return rules.Viewer{}
	}
	return l.member.Viewer()
}

// reader is in which language and on which clock.
func (l look) reader() templates.Reader {
	if l.member == nil {
		return templates.Reader{Language: l.game.Language, Zone: l.game.Zone}
	}
	return templates.Reader{Language: l.member.Language, Zone: l.member.Zone}
}

// cache is for how long an answer may be kept, and by whom.
func (l look) cache() string {
	if l.member == nil {
		return cachePublic
	}
	return cachePrivate
}

// found turns "no such game" into "no such page".
func found(err error) error {
	if errors.Is(err, turns.ErrUnknownGame) {
		return errMissing
	}
	return err
}

// post is one of a game's announcements with its number among them.
type post struct {
	outbox.Item
	N int64
}

// readPosts returns at most n of a game's announcements before a number, the newest first; before 0 is no bound.
func (b *board) readPosts(ctx context.Context, game string, before int64, n int) ([]post, error) {
	items, number, err := outbox.Posts(ctx, b.DB.Read(), game, n, before)
	if err != nil {
		return nil, fmt.Errorf("reading the announcements: %w", err)
	}
	posts := make([]post, len(items))
	for i, it := range items {
		posts[i] = post{it, number - int64(i)}
	}
	return posts, nil
}

// paragraphs are the parts of an announcement's text between blank lines.
func paragraphs(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, "\n\n") {
		if part = strings.Trim(part, "\n"); part != "" {
			out = append(out, part)
		}
	}
	return out
}
