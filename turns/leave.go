package turns

import (
	"fmt"
	"slices"

	"arroba/ingest"
	"arroba/orders"
	"arroba/rules"
)

// mayLeave refuses LEAVE GAME from all but players. Before the game begins, an observer too may decline to be in it.
func mayLeave(c *cause, m *Member, o *orders.Order, _ rules.Env) *rules.Ruling {
	if m.Role != rules.Player && !(m.Role == rules.Observer && c.g.Forming()) {
		return refused("E-LEAVE", "")
	}
	if !m.Gone.IsZero() {
		return refused("E-LEAVE", "gone")
	}
	if list, err := waiting(c.w.ctx, c.w.tx, c.g.Name); err == nil { // after an error the transaction will not commit either
		for _, who := range list[:min(len(list), maxWaitersNamed)] {
			setArg(o, "waiting", who.String())
		}
	}
	return nil
}

// maxWaitersNamed is how many of those who wait for a seat are named to the GM when one is left.
const maxWaitersNamed = 20

func setArg(o *orders.Order, slot, text string) {
	if o.Args == nil {
		o.Args = map[string][]orders.Arg{}
	}
	o.Args[slot] = append(o.Args[slot], orders.Arg{Text: text})
}

// left tells the GM that a seat waits for somebody else, and who waits for one.
func left(o orders.Order, env rules.Env) []rules.Event {
	data := rules.Data{"member": string(env.By.Seat)}
	var list []string
	for _, arg := range o.Args["waiting"] {
		list = append(list, arg.Text)
	}
	if list != nil {
		data["waiting"] = list
	}
	return []rules.Event{{Type: "left", Rule: "E-LEAVE", To: rules.Audience{GM: true}, Data: data}}
}

// leave makes a seat wait for somebody else. Who had it is told what came of this letter, and nothing after it.
func (c *cause) leave(m *Member, _ *orders.Order) {
	own := c.g.seat(m.Seat)
	own.Gone = c.letter.entry.Arrived
	c.left = c.behalf.member == nil
	c.dismiss(own.Seat)
	if g, w, was := c.g, c.w, *own; g.Forming() { // nothing is logged yet, so no event tells the GM
		c.after = append(c.after, func() error {
			named := slices.IndexFunc(g.Members, func(m Member) bool { return m.Seat == was.Seat }) < g.Settings.Join.Named
			w.tellGMs(g, "declined", map[string]any{"nick": was.Nick, "named": named})
			return w.vacate(g, was.Seat)
		})
		return
	}
	c.changed = append(c.changed, own.Seat)
}

// leaves tells whether the member left with the letter that is told of.
func (t *telling) leaves(m *Member) bool {
	return t.letter != nil && !m.Gone.IsZero() && m.Gone.Equal(t.letter.entry.Arrived)
}

// noMember is what becomes of a letter whose writer has left the game, or lost his seat, before it was ruled on.
const noMember = "the writer is no member any more"

// dismiss drops what the holder of a seat was asked, and puts his letters that wait on the desk, once the letter stands:
// he has the seat no more, and they are not those of who has it next.
func (c *cause) dismiss(seat rules.Seat) {
	w, game := c.w, c.g.Name
	c.after = append(c.after, func() error {
		if _, err := w.tx.ExecContext(w.ctx, `DELETE FROM pending WHERE game = $1 AND seat = $2`, game, string(seat)); err != nil {
			return fmt.Errorf("dropping the questions to %s: %w", seat, err)
		}
		w.dismissed[place{game, seat}] = true
		return ingest.Dismiss(w.ctx, w.tx, game, string(seat), noMember)
	})
}

// memberReplaced is the type of the event that a seat has a new holder.
const memberReplaced = "member-replaced"

// successor is the nick of the new holder that an order names.
func successor(o orders.Order) string { return orders.Clean(o.Arg("nick").Text) }

// mayReplace refuses a new holder of a seat who could be taken for somebody else.
func (c *cause) mayReplace(_ *Member, o *orders.Order, _ rules.Env) *rules.Ruling {
	seat, nick, address := c.g.seat(rules.Seat(o.ID("member"))), successor(*o), o.Arg("address").Text
	switch {
	case !goodNick(nick):
		return refused("E-REPLACE", "nick")
	case !goodAddress(address):
		return refused("E-REPLACE", "address")
	case c.g.nickInUse(nick, seat), c.g.taken(address), c.w.ours(address):
		return refused("E-REPLACE", "")
	}
	return nil
}

// replaced makes it known that a seat has a new holder.
func replaced(o orders.Order, _ rules.Env) []rules.Event {
	return []rules.Event{{Type: memberReplaced, To: rules.Audience{Tavern: true, GM: true, Copies: true},
		Data: rules.Data{"member": o.ID("member"), "nick": successor(o)}}}
}

// replace gives a seat to somebody else. Of the old holder nothing is left but the seat's name; he is told once.
func (c *cause) replace(_ *Member, o *orders.Order) {
	g, w, own := c.g, c.w, c.g.seat(rules.Seat(o.ID("member")))
	was := *own
	*own = Member{Seat: was.Seat, Nick: successor(*o), Role: was.Role, Language: g.Language, Zone: g.Zone, Link: newLink(),
		Addresses: []string{o.Arg("address").Text}, Since: c.lastN + int64(c.produced)}
	if account := (Account{ID: own.Nick}); !g.hasAccount(account) {
		own.Accounts = []Account{account}
	}
	if g.Settings.secretive() { // a token serves where a password is asked for: it stands in the address that he answers to
		own.token = newToken()
	}
	g.nicks = nil
	c.changed = append(c.changed, own.Seat)
	c.dismiss(own.Seat)
	was.token = ""
	if was.Seat == c.letter.seat && c.operator == "" {
		c.handOver(was)
	}
	c.after = append(c.after, func() error {
		if to := was.mail(); to != "" {
			w.ask(g, &was, to, nil, "replaced", map[string]any{"title": g.Title, "nick": successor(*o)})
		}
		m := g.seat(was.Seat)
		if err := w.stopWaiting(g.Name, m.mail()); err != nil {
			return err
		}
		w.ask(g, m, m.mail(), nil, "welcome-seat", map[string]any{"title": g.Title, "nick": m.Nick, "member": was.Nick, "role": string(m.Role),
			"link": m.page(w.e.BoardURL), "authentication": g.Settings.Authentication})
		return nil
	})
}

// handOver lets a GM who gives his own seat away order nothing more. His receipt is still his: it holds nothing of the new
// holder's.
func (c *cause) handOver(was Member) {
	was.Gone = c.letter.entry.Arrived
	c.left, c.former = true, &was
}

// hasAccount tells whether an account on forums is somebody's.
func (g *Game) hasAccount(a Account) bool {
	for _, m := range g.Members {
		for _, own := range m.Accounts {
			if own == a {
				return true
			}
		}
	}
	return false
}

// newPage gives a member's own page another address.
func (c *cause) newPage(m *Member, _ *orders.Order) {
	c.g.seat(m.Seat).Link = newLink()
	c.changed = append(c.changed, m.Seat)
}

// newPageTold says in the receipt that the old address of a member's page leads nowhere any more.
func (c *cause) newPageTold(m *Member, _ orders.Order) (string, error) {
	return c.say(m, "link-new", nil)
}
