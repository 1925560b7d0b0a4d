package turns

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"arroba/ingest"
	"arroba/outbox"
	"arroba/rules"
)

// address book of a transaction: which games there are, and who the writers of its letters are.
type book struct {
	games   []Game
	writers map[string][]place // by sender: mail addresses, or accounts on forums
	keys    map[string][]key   // by game, nil when not read yet
	seen    map[ingest.Print]string

	senders map[string][]string // of the batch, by the way their letters came
	stale   bool                // members changed since writers and keys were read
}

// byName returns a game by its name in any case.
func (b *book) byName(name string) *Game {
	i := slices.IndexFunc(b.games, func(g Game) bool { return strings.EqualFold(g.Name, name) })
	if i < 0 {
		return nil
	}
	return &b.games[i]
}

// byAddress returns the game that letters to an address are for, nil when the address does not tell: a mailbox of its
// own, or a shared one with +game, +token or both.
func (b *book) byAddress(address string) *Game {
	var shared []*Game
	for i := range b.games {
		g := &b.games[i]
		if foldAddress(g.Mailbox) == address {
			shared = append(shared, g)
		} else if ext, ok := extension(address, g.Mailbox); ok && strings.EqualFold(g.Name, ext) {
			return g
		}
	}
	if len(shared) == 1 {
		return shared[0]
	}
	return b.byExtension(address)
}

var tag = regexp.MustCompile(`\[([^\[\]]+)\]`)

// bySubject returns the game that a [game] in the subject names.
func (b *book) bySubject(subject string) *Game {
	for _, m := range tag.FindAllStringSubmatch(subject, -1) {
		if g := b.byName(strings.TrimSpace(m[1])); g != nil {
			return g
		}
	}
	return nil
}

// find finds the game of a letter by the address it came to, its subject, a GAME line, the thread it was posted in,
// the mails it answers, its token, and the only game of its writer, in that order; nil when nothing tells. Doubtful is
// true when a GAME line names no game, or another than what came before it says, or the address tells of several: then
// nothing may be carried out.
func (w *work) find(a *arrival, b *book) (g *Game, doubtful bool, err error) {
	if err := w.readKeys(b); err != nil {
		return nil, false, err
	}
	addressed := b.addressed(a, w.e.Feeds)
	other := func(g *Game) bool { return len(addressed) > 0 && !slices.Contains(addressed, g) }
	if len(addressed) == 1 {
		g = addressed[0]
	} else if g = b.bySubject(a.read.Subject); other(g) {
		g = nil
	}
	for _, name := range a.games {
		named := b.byName(name)
		if named == nil || g != nil && g != named || other(named) {
			return cmp.Or(g, first(addressed)), true, nil
		}
		g = named
	}
	if g == nil && len(addressed) > 0 {
		return addressed[0], true, nil
	}
	if g == nil {
		g = b.bySource(w.e.Feeds, a.entry.Source)
	}
	if g == nil {
		if g, err = w.byThread(a, b); err != nil {
			return nil, false, err
		}
	}
	if g == nil {
		g = b.byToken(a)
	}
	if places := b.writers[a.entry.Sender]; g == nil && len(places) == 1 {
		g = b.byName(places[0].game)
	}
	return g, false, nil
}

// addressed returns the games that the addresses of a letter tell, one unless it was sent to several: those of the
// mailbox that it was read from, else any; of these, those that its writer is a member of, if there are such.
func (b *book) addressed(a *arrival, feeds []Feed) []*Game {
	own := ""
	if i := slices.IndexFunc(feeds, func(f Feed) bool { return f.Name == a.entry.Source }); i >= 0 {
		own = foldAddress(feeds[i].Address)
	}
	var all []*Game
	for _, to := range a.read.To {
		if g := b.byAddress(foldAddress(to)); g != nil && !slices.Contains(all, g) {
			all = append(all, g)
		}
	}
	if g := b.byAddress(own); g != nil && len(all) == 0 {
		all = []*Game{g}
	}
	all = preferred(all, func(g *Game) bool { return foldAddress(g.Mailbox) == own })
	return preferred(all, func(g *Game) bool { return b.writer(a, g.Name) != "" })
}

// preferred are those of some games that something holds for, or all when it holds for none.
func preferred(list []*Game, holds func(*Game) bool) []*Game {
	var some []*Game
	for _, g := range list {
		if holds(g) {
			some = append(some, g)
		}
	}
	if some == nil {
		return list
	}
	return some
}

// bySource returns the game of a source that feeds only one.
func (b *book) bySource(feeds []Feed, source string) *Game {
	for _, f := range feeds {
		if f.Name == source && f.Game != "" {
			return b.byName(f.Game)
		}
	}
	return nil
}

// byThread returns the game of the mail of ours that a letter answers.
func (w *work) byThread(a *arrival, b *book) (*Game, error) {
	var ids []string
	for _, id := range append([]string{a.read.InReplyTo}, a.read.References...) {
		if id = bare(id); id != "" && len(ids) < maxReferences {
			ids = append(ids, id)
		}
	}
	it, ok, err := outbox.ByMessageID(w.ctx, w.tx, ids...)
	if err != nil || !ok {
		return nil, err
	}
	return b.byName(it.Game), nil
}

// writer returns the seat of a letter's writer in a game, "" when he is nobody known there.
func (b *book) writer(a *arrival, game string) rules.Seat {
	for _, p := range b.writers[a.entry.Sender] {
		if p.game == game {
			return p.seat
		}
	}
	return ""
}
