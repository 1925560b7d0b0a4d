package turns

import (
	"cmp"
	"fmt"
	"slices"

	"arroba/orders"
	"arroba/outbox"
	"arroba/rules"
	"arroba/store"
)

// resendMost is how many letters one letter may have sent once more.
const resendMost = 100

// resendWanted is how many letters an order asks for.
func resendWanted(o orders.Order) int64 {
	if o.Has("n") {
		return o.N("n")
	}
	return 1
}

// resendDay is how many letters a member may have sent once more in a day, so that nobody who writes in his name can
// bury him under them; resentDay is what counts them.
const (
	resendDay = 3 * resendMost
	resentDay = "letters sent once more a day"
)

func resendLength(c *cause, m *Member, o *orders.Order, env rules.Env) *rules.Ruling {
	n := resendWanted(*o)
	if n < 1 || n > resendMost || c.resent+n > resendMost {
		return refused("E-RESEND", "")
	}
	if !m.Gone.IsZero() { // the GM asks in the name of a seat whose mail goes nowhere
		return refused("E-RESEND", "gone")
	}
	today := tallyOf(resentDay, c.g.Name+"/"+string(m.Seat), env.At, day)
	if c.w.e.counts[today]+c.w.counts[today]+int(n) > resendDay {
		return refused("E-RESEND", "day")
	}
	c.resent += n
	if !c.tried {
		c.w.counts[today] += int(n)
	}
	return nil
}

// resend sends the last letters to a member once more, and says how many there are. What this letter itself causes is
// none of them.
func (c *cause) resend(m *Member, o orders.Order) (string, error) {
	own, w, g := c.g.seat(m.Seat), c.w, c.g
	to := own.mail()
	if c.behalf.member == nil {
		to = cmp.Or(c.to, to)
	}
	list, err := w.lastMail(g, own, int(resendWanted(o)))
	if err != nil {
		return "", err
	}
	c.after = append(c.after, func() error {
		for _, it := range list {
			again := w.item(g, it.Kind, to, g.LastInput)
			again.Subject, again.Text, again.Files, again.Expires = it.Subject, it.Text, it.Files, it.Expires
			again.InReplyTo, again.References, again.Resent = it.InReplyTo, it.References, it.ID
			again.ReplyTo = g.replyTo(own)
			w.items = append(w.items, again)
		}
		return nil
	})
	return c.say(m, "resent", map[string]any{"n": len(list)})
}

// lastMail returns the last letters to a member, oldest first: none that was sent once more, and no reminder whose time is
// over. Those that this transaction has not written yet count too.
func (w *work) lastMail(g *live, m *Member, n int) ([]outbox.Item, error) {
	var list []outbox.Item
	for i := len(w.items) - 1; i >= 0 && len(list) < n; i-- {
		it := &w.items[i]
		if it.Game != g.Name || it.Via != viaMail || it.Resent != "" || !m.has(it.To) || !it.Expires.IsZero() && !it.Expires.After(w.now) {
			continue
		}
		if it.ID == "" {
			it.ID = store.NewID(w.now)
		}
		list = append(list, *it)
	}
	kept, err := outbox.LastTo(w.ctx, w.tx, g.Name, m.Addresses, w.now, n-len(list))
	if err != nil {
		return nil, fmt.Errorf("looking for the letters to %s: %w", m.Nick, err)
	}
	list = append(list, kept...)
	slices.Reverse(list)
	return list, nil
}
