package turns

import (
	"cmp"
	"context"

	"arroba/rules"
	"arroba/templates"
)

// offers are the orders that a member could give now, as lines in his language; what he has to fill in stands in
// angle brackets.
func (g *live) offers(m *Member) ([]string, error) {
	if m.Role == rules.Observer || !m.Gone.IsZero() {
		return nil, nil
	}
	if over, err := g.state.Over(); over || err != nil {
		return nil, err
	}
	list, err := g.state.Offers(m.Viewer())
	if err != nil {
		return nil, err
	}
	lines := make([]string, len(list))
	for i, o := range list {
		args := make(map[string]string, len(o.Args))
		for slot, name := range o.Args {
			args[slot] = g.nick(name)
		}
		lines[i] = g.kit.texts.Slots(m.reader(), g.kit.grammar.Fill(o.Form, m.Language, args))
	}
	return lines, nil
}

// orderForm puts into a mail to a member what he can do now.
func (g *live) orderForm(mail *templates.Mail, m *Member) (err error) {
	mail.Offers, err = g.offers(m)
	mail.OrdersTo = g.ordersTo(m)
	return err
}

// ordersTo is the address that links of a member's orders go to. There is none where it would hold his token: texts of
// mails, and with them the address of his page, are passed on.
func (g *Game) ordersTo(m *Member) string {
	if g.answersProve(m) {
		return ""
	}
	return cmp.Or(g.replyTo(m), g.Sender)
}

// Offer is an order that a member could give now.
type Offer struct {
	Line string // in his language; what he has to fill in stands in angle brackets
	Link string // that opens a letter with it, "" where that would show the member's token
}

// Outlook is what lies before a member.
type Outlook struct {
	Deadline string // the next that waits for him, with the time left; "" for none
	Offers   []Offer
}

// Outlook returns what lies before a member.
func (e *Engine) Outlook(ctx context.Context, game string, seat rules.Seat) (out Outlook, err error) {
	err = e.look(ctx, game, func(g *live) (err error) {
		m := g.seat(seat)
		if m == nil {
			return nil
		}
		if out.Deadline, err = g.nextDeadline(m, g.Paused, e.clock()); err != nil {
			return err
		}
		lines, err := g.offers(m)
		if err != nil {
			return err
		}
		for _, line := range lines {
			o := Offer{Line: line}
			if to := g.ordersTo(m); to != "" {
				if o.Link, err = g.kit.texts.OrderLink(m.reader(), g.Name, to, line); err != nil {
					return err
				}
			}
			out.Offers = append(out.Offers, o)
		}
		return nil
	})
	return out, err
}
