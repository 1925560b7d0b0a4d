package turns

import (
	"slices"
	"time"

	"arroba/outbox"
	"arroba/rules"
	"arroba/templates"
)

// eachReminder calls f with every deadline that people are reminded of, and the instants at which they still are to be.
func (g *live) eachReminder(f func(d rules.Deadline, at []time.Time) error) error {
	before := g.Settings.Calendar.Remind
	if len(before) == 0 {
		return nil
	}
	if stands, err := g.stands(); stands || err != nil {
		return err
	}
	list, err := g.state.Waits(rules.Viewer{GM: true})
	if err != nil {
		return err
	}
	for _, d := range list {
		var at []time.Time
		for _, long := range before {
			if t := d.At.Add(-long); t.After(g.Reminded) && t.After(d.Set) {
				at = append(at, t)
			}
		}
		slices.SortFunc(at, time.Time.Compare)
		if len(at) == 0 {
			continue
		}
		if err := f(d, at); err != nil {
			return err
		}
	}
	return nil
}

// nextReminder is the next instant at which somebody may have to be reminded, zero when there is none.
func (g *live) nextReminder() (next time.Time, err error) {
	err = g.eachReminder(func(_ rules.Deadline, at []time.Time) error {
		if next.IsZero() || at[0].Before(next) {
			next = at[0]
		}
		return nil
	})
	return next, err
}

// remind reminds of their deadlines those who have sent nothing yet, as far as can be known: every letter from before the
// instant must have been read. After an outage one reminder stands for all that would have been sent.
func (w *work) remind(g *live) error {
	waits := map[rules.Seat][]rules.Deadline{}
	last := g.Reminded
	err := g.eachReminder(func(d rules.Deadline, at []time.Time) error {
		passed := false
		for _, t := range at {
			seen, err := w.seenPast(g, rules.Due{At: t, After: true})
			if err != nil {
				return err
			}
			if !t.Before(w.now) || !seen {
				break
			}
			if passed = true; t.After(last) {
				last = t
			}
		}
		if !passed || !d.At.After(w.now) {
			return nil
		}
		for _, seat := range d.Waits {
			waits[seat] = append(waits[seat], d)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range g.Members {
		m := &g.Members[i]
		if list := waits[m.Seat]; len(list) > 0 && m.mail() != "" && m.Gone.IsZero() && !m.away(w.now) {
			if err := w.remindOne(g, m, list); err != nil {
				return err
			}
		}
	}
	g.Reminded = last
	return nil
}

// away tells whether a member is on vacation at an instant.
func (m *Member) away(at time.Time) bool { return !at.Before(m.AwayFrom) && at.Before(m.AwayUntil) }

// remindOne sends a member one mail about deadlines. It is worth nothing when the last of them has passed.
func (w *work) remindOne(g *live, m *Member, list []rules.Deadline) error {
	it := w.item(g, outbox.Reminder, m.mail(), g.LastInput)
	it.ReplyTo = g.replyTo(m)
	mail := templates.Mail{Kind: outbox.Reminder, Game: g.Name, Title: g.ownTitle(), To: m.Nick, Link: m.page(w.e.BoardURL)}
	shown := make([]map[string]any, len(list))
	for i, d := range list {
		if d.At.After(it.Expires) {
			it.Expires = d.At
		}
		var err error
		if shown[i], err = g.deadline(m.reader(), d, w.now); err != nil {
			return err
		}
	}
	if err := g.orderForm(&mail, m); err != nil {
		return err
	}
	if err := say(g.kit.texts, m.reader(), &mail, &it, "reminder", map[string]any{"deadlines": shown}); err != nil {
		return faultf("%w", err)
	}
	w.items = append(w.items, it)
	return nil
}
