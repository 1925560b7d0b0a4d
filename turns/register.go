package turns

import (
	"cmp"
	"context"
	"time"

	"arroba/outbox"
	"arroba/rules"
	"arroba/templates"
)

// Who gets the monthly register of a game whose ruleset has one.
const (
	RegisterGM  = "gm" // when nothing is said
	RegisterAll = "all"
	RegisterOff = "off"
)

// mostRegistered is up to how many members all of them get the register: for each it is made anew.
const mostRegistered = 500

// registers tells whether a game sends registers: the ruleset has the text, and nobody has turned it off.
func (g *live) registers() bool {
	return g.kit.texts.Tells("register") && cmp.Or(g.Settings.Register, RegisterGM) != RegisterOff
}

// nextRegister is the first of a month, at the hour of the digests, that comes after an instant by the game's clock.
func nextRegister(after time.Time, zone *time.Location) time.Time {
	year, month, _ := after.In(zone).Date()
	first := func(month time.Month) time.Time {
		return digestHour.Next(time.Date(year, month, 1, 0, 0, 0, 0, zone).Add(-time.Second), zone)
	}
	if at := first(month); at.After(after) {
		return at
	}
	return first(month + 1)
}

// awaitRegister sets when the next register is due.
func (g *live) awaitRegister(now time.Time) {
	switch {
	case !g.registers():
		g.RegisterDue = time.Time{}
	case g.RegisterDue.IsZero():
		g.RegisterDue = nextRegister(now, g.Zone)
	}
}

// sendRegister sends the register that is due, once every letter from before it was read. After an outage one stands for
// those of all months that have gone by.
func (w *work) sendRegister(g *live) error {
	due := g.RegisterDue
	if due.IsZero() || w.now.Before(due) || !g.registers() {
		return nil
	}
	seen, err := w.seenPast(g, rules.Due{At: due})
	if err != nil || !seen {
		return err
	}
	all := g.Settings.Register == RegisterAll && len(g.Members) <= mostRegistered
	for i := range g.Members {
		m := &g.Members[i]
		if (all || m.Role == rules.GM) && m.mail() != "" && m.Gone.IsZero() {
			if err := w.register(g, m, due); err != nil {
				return err
			}
		}
	}
	g.RegisterDue = nextRegister(w.now, g.Zone)
	return nil
}

// register sends a member his register.
func (w *work) register(g *live, m *Member, due time.Time) error {
	data, err := g.registerFor(m, due, w.now)
	if err != nil {
		return err
	}
	it := w.item(g, outbox.Copy, m.mail(), g.LastInput)
	it.Date, it.ReplyTo = due.Truncate(time.Second), g.replyTo(m)
	mail := templates.Mail{Kind: outbox.Copy, Game: g.Name, Title: g.ownTitle(), To: m.Nick, Link: m.page(w.e.BoardURL)}
	if err := say(g.kit.texts, m.reader(), &mail, &it, "register", data); err != nil {
		return faultf("%w", err)
	}
	w.items = append(w.items, it)
	return nil
}

// registerFor is what the text "register" is made of: how the game stands, as far as a member may see it, and what falls
// due.
func (g *live) registerFor(m *Member, at, now time.Time) (map[string]any, error) {
	view, err := g.view(m)
	if err != nil {
		return nil, err
	}
	waits, err := g.state.Waits(m.Viewer())
	if err != nil {
		return nil, err
	}
	shown := make([]map[string]any, len(waits))
	for i, d := range waits {
		if shown[i], err = g.deadline(m.reader(), d, now); err != nil {
			return nil, err
		}
	}
	since := at.In(g.Zone).AddDate(0, -1, 0).UTC().Format(time.RFC3339) // as instants stand in the view
	return map[string]any{"since": since, "nick": m.Nick, "seat": g.nick(string(m.Seat)), "role": string(m.Role), "due": at, "view": g.nicked(view), "deadlines": shown}, nil
}

// Register returns the register of a game as it stands now, for a seat or, without one, for everybody; "" when its ruleset
// has none.
func (e *Engine) Register(ctx context.Context, game string, seat rules.Seat) (text string, err error) {
	err = e.look(ctx, game, func(g *live) error {
		m := g.seat(seat)
		if m == nil {
			m = &Member{Language: g.Language, Zone: g.Zone}
		}
		if !g.kit.texts.Tells("register") || g.Forming() {
			return nil
		}
		now := e.clock()
		data, err := g.registerFor(m, now, now)
		if err == nil {
			text, err = g.kit.texts.Say(m.reader(), "register", data)
		}
		return err
	})
	return text, err
}
