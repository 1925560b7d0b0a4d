package turns

import (
	"slices"

	"arroba/orders"
	"arroba/rules"
)

// taken returns what is not to be had of the nick and the address of whom an order brings into the game: what is somebody
// else's, or nobody's to have. Only refusals come of it, and those are not played again.
func (c *cause) taken(o orders.Order) (list []string) {
	n, ok := c.g.kit.Brings(o)
	if !ok {
		return nil
	}
	seat := rules.Seat(n.Nick)
	if m := c.g.called(n.Nick); m != nil && m.Seat != seat || !goodNick(n.Nick) {
		list = append(list, n.Nick)
	}
	if n.Address == "" {
		return list
	}
	own := c.g.seat(seat) // of one who was brought in before, which a ROLLBACK took back
	if !goodAddress(n.Address) || (own == nil || !own.has(n.Address)) && c.g.taken(n.Address) || c.w.ours(n.Address) {
		list = append(list, n.Address)
	}
	return list
}

// enter gives a seat to whom an accepted order brings into the game, and writes to him. The order has produced so many
// events.
func (c *cause) enter(o orders.Order, produced int) {
	n, ok := c.g.kit.Brings(o)
	if !ok || n.Address == "" {
		return
	}
	g, w := c.g, c.w
	own := g.seat(rules.Seat(n.Nick))
	if own != nil && own.has(n.Address) && own.Gone.IsZero() {
		return // a ROLLBACK took the order back, but not him
	}
	m := Member{Seat: rules.Seat(n.Nick), Nick: n.Nick, Role: rules.Player, Language: g.Language, Zone: g.Zone, Link: newLink(),
		Addresses: []string{n.Address}, Since: c.lastN + int64(c.produced+produced)}
	if g.Settings.secretive() {
		m.token = newToken()
	}
	if own == nil {
		if account := (Account{ID: m.Nick}); !g.hasAccount(account) {
			m.Accounts = []Account{account}
		}
		g.Members = append(slices.Clip(g.Members), m)
	} else {
		m.Accounts = own.Accounts
		*own = m
		c.dismiss(m.Seat)
	}
	g.nicks = nil
	c.changed = append(c.changed, m.Seat)
	c.after = append(c.after, func() error {
		m := g.seat(m.Seat)
		data := g.invitation(m, w.e.BoardURL)
		data["forming"] = false
		w.ask(g, m, m.mail(), nil, "joined", data)
		return w.stopWaiting(g.Name, m.mail())
	})
}
