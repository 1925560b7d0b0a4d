package turns

import (
	"context"
	"fmt"
	"slices"

	"arroba/orders"
	"arroba/rules"
)

// maxAddresses is how many a member may have on file.
const maxAddresses = 20

// addressFree refuses an address that cannot be the member's.
func (c *cause) addressFree(m *Member, o *orders.Order, _ rules.Env) *rules.Ruling {
	switch address := o.Arg("address").Text; {
	case !goodAddress(address):
		return refused("E-ADDRESS", "")
	case m.has(address):
		return nil
	case c.g.taken(address) || c.w.ours(address):
		return refused("E-ADDRESS", "taken")
	case len(m.Addresses) >= maxAddresses:
		return refused("E-ADDRESS", "many")
	}
	return nil
}

// taken tells whether an address is in use in a game: a member's, one that gets copies, or the game's own.
func (g *Game) taken(address string) bool {
	_, extended := extension(foldAddress(address), g.Mailbox)
	return extended || foldAddress(address) == foldAddress(g.Mailbox) || foldAddress(address) == foldAddress(g.Sender) ||
		slices.ContainsFunc(g.Members, func(m Member) bool { return m.Gone.IsZero() && m.has(address) }) ||
		slices.ContainsFunc(g.Copies, func(c CopyTo) bool { return foldAddress(c.Address) == foldAddress(address) })
}

// ours tells whether an address is one that this program reads or writes from: mail from there is our own come back.
func (w *work) ours(address string) bool {
	own := []string{w.e.Mailbox, w.e.Sender, w.e.Operator}
	if w.book == nil { // orders from the command line look nobody up
		if _, err := w.openBook(); err != nil {
			w.failed = err // nothing will come of it
			return true
		}
	}
	return w.book.own[foldAddress(address)] ||
		slices.ContainsFunc(own, func(a string) bool { return foldAddress(a) == foldAddress(address) })
}

// readdress puts an address first. Where mail is believed for its From alone, the address that the member had must
// confirm a new one, or else anybody could take his seat; the GM's word does that too.
func (c *cause) readdress(m *Member, o *orders.Order) {
	address, own, w, g, a := o.Arg("address").Text, c.g.seat(m.Seat), c.w, c.g, c.letter
	behalf := c.behalf.member != nil
	old := first(own.Addresses)
	if !behalf {
		old = c.to
	}
	if g.Settings.Authentication == AuthNone && !behalf && old != "" && !own.has(address) {
		c.after = append(c.after, func() error {
			return w.await(g, pending{what: pendingAddress, seat: own.Seat, asked: old, body: address}, a, g.seat(own.Seat), "confirm-address", map[string]any{"address": address})
		})
		return
	}
	own.putFirst(address)
	c.changed = append(c.changed, own.Seat)
	switch {
	case !behalf:
		c.besides = append(c.besides, old, address)
	case old != "":
		c.after = append(c.after, func() error {
			w.ask(g, g.seat(own.Seat), old, nil, "address-changed", map[string]any{"address": address})
			return nil
		})
	}
}

// readdressed says in the receipt whether an address counts already.
func (c *cause) readdressed(m *Member, o orders.Order) (string, error) {
	address := o.Arg("address").Text
	name := "address-waits"
	if foldAddress(first(c.g.seat(m.Seat).Addresses)) == foldAddress(address) {
		name = "address-changed"
	}
	return c.say(m, name, map[string]any{"address": address})
}

// putFirst adds an address, or moves it to the front. The list is a new one: a TEST works on a copy of the member.
func (m *Member) putFirst(address string) {
	list := []string{address}
	for _, a := range m.Addresses {
		if foldAddress(a) != foldAddress(address) {
			list = append(list, a)
		}
	}
	m.Addresses = list
}

// addressConfirmed puts an address first that the old one has confirmed, and tells both.
func (w *work) addressConfirmed(g *live, q *pending, a *arrival) error {
	var address string
	if err := q.decode(&address); err != nil {
		return err
	}
	m := g.seat(q.seat)
	if m == nil || !m.Gone.IsZero() || !m.has(q.asked) { // he is not the one any more who was asked
		return nil
	}
	data := map[string]any{"address": address}
	if !m.has(address) && g.taken(address) {
		w.ask(g, m, a.answerTo(m), a, "address-lost", data)
		return nil
	}
	old := a.answerTo(m)
	m.putFirst(address)
	if err := w.changed(g, m.Seat); err != nil {
		return err
	}
	w.ask(g, m, old, a, "address-changed", data)
	w.ask(g, m, address, nil, "address-changed", data)
	return nil
}

// RemoveAddress takes an address off the file of a member, named by nick or seat. His last one stays: he could be told
// nothing any more.
func (e *Engine) RemoveAddress(ctx context.Context, game, member, address string) error {
	return e.onMember(ctx, game, member, func(w *work, g *live, m *Member) error {
		left := slices.DeleteFunc(slices.Clone(m.Addresses), func(a string) bool { return foldAddress(a) == foldAddress(address) })
		switch {
		case len(left) == len(m.Addresses):
			return fmt.Errorf("%s is no address of %s; those on file are %v", address, m.Nick, m.Addresses)
		case len(left) == 0:
			return fmt.Errorf("%s is the only address of %s; give him another one first", address, m.Nick)
		}
		m.Addresses = left
		return w.changed(g, m.Seat)
	})
}

// onMember runs a transaction on a member of a game, named by nick or seat.
func (e *Engine) onMember(ctx context.Context, game, member string, f func(*work, *live, *Member) error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.write(ctx, func(w *work) error {
		g, err := w.members(game)
		if err != nil {
			return err
		}
		m := g.called(member)
		if m == nil {
			return fmt.Errorf("nobody in %s is called %q", game, member)
		}
		return f(w, g, m)
	})
}
