package turns

import (
	"cmp"
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

// register sends a member his register: how the game stands, as far as he may see it, and what falls due.
func (w *work) register(g *live, m *Member, due time.Time) error {
	view, err := g.view(m)
	if err != nil {
		return err
	}
	waits, err := g.state.Waits(m.Viewer())
	if err != nil {
		return err
	}
	shown := make([]map[string]any, len(waits))
	for i, d := range waits {
		if shown[i], err = g.deadline(m.reader(), d, w.now); err != nil {
			return err
		}
	}
	it := w.item(g, outbox.Copy, m.mail(), g.LastInput)
	it.Date, it.ReplyTo = due.Truncate(time.Second), g.replyTo(m)
	mail := templates.Mail{Kind: outbox.Copy, Game: g.Name, Title: g.ownTitle(), To: m.Nick, Link: m.page(w.e.BoardURL)}
	since := due.In(g.Zone).AddDate(0, -1, 0).UTC().Format(time.RFC3339) // as instants stand in the view
	data := map[string]any{"since": since, "nick": m.Nick, "seat": g.nick(string(m.Seat)), "role": string(m.Role), "due": due, "view": g.nicked(view), "deadlines": shown}
	if err := say(g.kit.texts, m.reader(), &mail, &it, "register", data); err != nil {
		return faultf("%w", err)
	}
	w.items = append(w.items, it)
	return nil
}
