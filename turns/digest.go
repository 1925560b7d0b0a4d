package turns

import (
	"encoding/json"
	"slices"
	"time"

	"arroba/outbox"
	"arroba/rules"
	"arroba/templates"
)

// digestHour is when digests are sent, by the clock of the game's zone.
var digestHour = rules.Calendar{At: &rules.Clock{Hour: 7}}

// digested tells whether the daily mail to an address has an event in it: what it wants, but for what reaches a member
// there at once.
func (g *Game) digested(c *CopyTo, ev Event, data rules.Data) bool {
	return c.Digest && c.wants(ev, data) && !slices.ContainsFunc(g.Members, func(m Member) bool {
		return foldAddress(m.mail()) == foldAddress(c.Address) && meantFor(ev, &m)
	})
}

// awaitDigest sets when the next digests are due, once something has happened that stands in one. What the opening tells
// is told at once.
func (g *Game) awaitDigest(events []Event, data []rules.Data) {
	for i, ev := range events {
		if g.DigestDue.IsZero() && slices.ContainsFunc(g.Copies, func(c CopyTo) bool { return g.digested(&c, ev, data[i]) }) {
			g.DigestDue = digestHour.Next(ev.At, g.Zone)
		}
	}
	if g.DigestDue.IsZero() {
		g.Digested = g.LastInput
	}
}

// sendDigests sends the digests that are due by an instant, each with what happened before its own.
func (w *work) sendDigests(g *live, by time.Time) error {
	for !g.DigestDue.IsZero() && !g.DigestDue.After(by) {
		if err := w.sendDigest(g); err != nil {
			return err
		}
	}
	return nil
}

// sendDigest sends the digests that are due next, and finds out when the ones after them are.
func (w *work) sendDigest(g *live) error {
	if err := w.writeInputs(); err != nil {
		return err
	}
	due := g.DigestDue
	told, rest, err := w.undigested(g, due)
	if err != nil {
		return err
	}
	for i := range g.Copies {
		if err := w.digest(g, &g.Copies[i], due, told); err != nil {
			return err
		}
	}
	g.DigestDue = time.Time{}
	g.awaitDigest(rest.events, rest.data)
	if !g.DigestDue.IsZero() && !g.DigestDue.After(due) { // what was ruled on later may be of before
		g.DigestDue = digestHour.Next(due, g.Zone)
	}
	return nil
}

// dayNews is events with their data as JSON gives it back.
type dayNews struct {
	events []Event
	data   []rules.Data
}

// undigested returns what happened since the last digests: up to an instant, and after it. Digested becomes the last
// input of the former.
func (w *work) undigested(g *live, due time.Time) (told, rest dayNews, err error) {
	into := &told
	for n := g.Digested; ; {
		list, err := Inputs(w.ctx, w.tx, g.Name, n, 500)
		if err != nil || len(list) == 0 {
			return told, rest, err
		}
		for _, in := range list {
			n = in.N
			if in.At.After(due) {
				into = &rest
			}
			if into == &told {
				g.Digested = n
			}
			if err := into.add(&in); err != nil {
				return told, rest, faultf("%w", err)
			}
		}
	}
}

func (d *dayNews) add(in *Input) error {
	events, err := in.DecodeEvents()
	if err != nil {
		return err
	}
	for _, ev := range events {
		var data rules.Data
		if err := json.Unmarshal(ev.Data, &data); err != nil {
			return err
		}
		d.events, d.data = append(d.events, ev), append(d.data, data)
	}
	return nil
}

// digest sends the digest of an address, if there is anything in it.
func (w *work) digest(g *live, c *CopyTo, due time.Time, news dayNews) error {
	r := templates.Reader{Language: g.Language, Zone: g.Zone}
	var list []map[string]any
	for i, ev := range news.events {
		if !g.digested(c, ev, news.data[i]) {
			continue
		}
		text, err := g.eventText(r, ev.Type, ev.At, news.data[i])
		if err != nil {
			return faultf("%w", err)
		}
		list = append(list, map[string]any{"at": ev.At, "text": text})
	}
	if list == nil {
		return nil
	}
	it := w.item(g, outbox.Copy, c.Address, g.LastInput)
	it.Date, it.ReplyTo = due.Truncate(time.Second), g.replyTo(nil)
	mail := templates.Mail{Kind: outbox.Copy, Game: g.Name, Title: g.ownTitle()}
	if err := say(g.kit.texts, r, &mail, &it, "digest", map[string]any{"due": due, "events": list}); err != nil {
		return faultf("%w", err)
	}
	w.items = append(w.items, it)
	return nil
}
