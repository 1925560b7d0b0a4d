package turns

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"arroba/forum"
	"arroba/ingest"
	"arroba/outbox"
	"arroba/rules"
)

// book is the address book of a transaction: which games there are, and who the writers of its letters are.
type book struct {
	*directory
	writers map[string][]place // by the keys of writers: mail addresses, or accounts on forums
	keys    map[string][]key   // by game, of those that were asked for
	seen    map[ingest.Print]string

	senders []string        // of the batch's mails
	posts   []*forum.Record // of the batch
	stale   bool            // members changed since writers and keys were read
}

// byAddress returns the game that letters to an address are for, nil when the address does not tell: a mailbox of its
// own, or a shared one with +game, +token or both.
func (w *work) byAddress(address string, b *book) (*Game, error) {
	parts := b.parts(address)
	for _, p := range parts {
		if g := b.byName(p.ext); g != nil && foldAddress(g.Mailbox) == p.box {
			return g, nil
		}
	}
	if own := b.boxes[address]; len(own) == 1 {
		return own[0], nil
	}
	return w.byExtension(parts, b)
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
// the mails it answers, its token, a JOIN line, and the only game of its writer, in that order; nil when nothing tells. Doubtful is
// true when a GAME line names no game, or another than what came before it says, or the address tells of several: then
// nothing may be carried out.
func (w *work) find(a *arrival, b *book) (g *Game, doubtful bool, err error) {
	if games := b.threads[a.entry.Source]; len(games) > 0 {
		g, doubtful = b.findByThread(games, a)
		return g, doubtful, nil
	}
	if a.board() != "" {
		return nil, false, nil // in a thread that no game reads, or reads any more
	}
	addressed, err := w.addressed(a, b)
	if err != nil {
		return nil, false, err
	}
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
		if g, err = w.byToken(a, b); err != nil {
			return nil, false, err
		}
	}
	if g == nil {
		if g, doubtful = w.byJoin(a, b); doubtful {
			return nil, true, nil
		}
	}
	if places := b.places(a); g == nil && len(places) == 1 {
		g = b.byName(places[0].game)
	}
	return g, false, nil
}

// addressed returns the games that the addresses of a letter tell, one unless it was sent to several: those of the
// mailbox that it was read from, else any; of these, those that its writer is a member of, if there are such.
func (w *work) addressed(a *arrival, b *book) ([]*Game, error) {
	own := ""
	if i := slices.IndexFunc(w.e.Feeds, func(f Feed) bool { return f.Name == a.entry.Source }); i >= 0 {
		own = foldAddress(w.e.Feeds[i].Address)
	}
	var all []*Game
	for _, to := range a.read.To {
		g, err := w.byAddress(foldAddress(to), b)
		if err != nil {
			return nil, err
		}
		if g != nil && !slices.Contains(all, g) {
			all = append(all, g)
		}
	}
	if len(all) == 0 {
		g, err := w.byAddress(own, b)
		if err != nil {
			return nil, err
		}
		if g != nil {
			all = []*Game{g}
		}
	}
	all = preferred(all, func(g *Game) bool { return foldAddress(g.Mailbox) == own })
	return preferred(all, func(g *Game) bool { return b.writer(a, g.Name) != "" }), nil
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
	for _, key := range a.writerKeys(b.byName(game)) {
		for _, p := range b.writers[key] {
			if p.game == game {
				return p.seat
			}
		}
	}
	return ""
}

// places returns the seats of a letter's writer, whatever the game.
func (b *book) places(a *arrival) (list []place) {
	for _, key := range a.writerKeys(nil) {
		list = append(list, b.writers[key]...)
	}
	return list
}
