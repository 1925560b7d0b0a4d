package turns

import (
	"slices"
	"time"

	"arroba/orders"
	"arroba/rules"
	"arroba/templates"
)

// farthest is how far ahead a deadline may be set: farther is a slip of the pen.
const farthest = 10 * 365 * 24 * time.Hour

// deadlineMoved is the deadline that EXTEND and DEADLINE move, zero when there is none.
func (c *cause) deadlineMoved() time.Time {
	list, err := c.g.state.Waits(rules.Viewer{GM: true})
	if err != nil {
		panic(err) // the game is held for it, as for every rule that fails
	}
	return first(list).At
}

func (c *cause) extending(_ *Member, o *orders.Order, env rules.Env) *rules.Ruling {
	by := lasting(*o)
	if by <= 0 || by > farthest || c.deadlineMoved().Add(by).Sub(env.At) > farthest {
		return refused("E-EXTEND", "")
	}
	return nil
}

// lasting is the length of time that an order names.
func lasting(o orders.Order) time.Duration {
	return time.Duration(o.Arg("duration").Secs) * time.Second
}

func extended(o orders.Order, _ rules.Env) rules.Control {
	return rules.Control{Kind: rules.SetDeadline, By: lasting(o)}
}

// dating writes into the order which instant its date is: without a time of day it takes that of the deadline it moves.
func (c *cause) dating(_ *Member, o *orders.Order, env rules.Env) *rules.Ruling {
	at := o.Arg("date").Date.In(env.Zone, c.deadlineMoved())
	switch {
	case !at.After(env.At):
		return refused(c.g.kit.IDs.Past, "past")
	case at.Sub(env.At) > farthest:
		return refused("E-DEADLINE", "")
	}
	settled, _ := orders.ParseDate(at.UTC().Format(time.RFC3339))
	o.Args["date"][0].Date = &settled
	return nil
}

func dated(o orders.Order, env rules.Env) rules.Control {
	return rules.Control{Kind: rules.SetDeadline, At: o.Arg("date").Date.In(env.Zone, time.Time{}).UTC()}
}

// processing lets PROCESS NOW close no other phase than the GM meant.
func (c *cause) processing(m *Member, o *orders.Order, env rules.Env) *rules.Ruling {
	if env.Letter != nil && env.Letter.Arrived.Before(c.g.present) {
		return refused(c.g.kit.IDs.Nothing, "earlier")
	}
	return c.whileRunning(m, o, env)
}

// deadlines answers DEADLINE in the game's zone, which its players share.
func (c *cause) deadlines(m *Member, _ orders.Order) (string, error) {
	list, err := c.g.state.Waits(m.Viewer())
	if err != nil {
		return "", err
	}
	return c.g.sayDeadlines(templates.Reader{Language: m.Language, Zone: c.g.Zone}, list, c.paused().since, c.w.now)
}

// nextDeadline says by when a member must do something next and how long that is, on his own clock; of deadlines that
// wait for others the next, "" when there is none. Held is since when the game stands still, zero when it does not.
func (g *live) nextDeadline(m *Member, held, now time.Time) (string, error) {
	list, err := g.state.Waits(m.Viewer())
	if err != nil || len(list) == 0 {
		return "", err
	}
	i := slices.IndexFunc(list, func(d rules.Deadline) bool { return slices.Contains(d.Waits, m.Seat) })
	i = max(i, 0)
	return g.sayDeadlines(m.reader(), list[i:i+1], held, now)
}

// sayDeadlines says when deadlines are and how long that is, or since when the game is held.
func (g *live) sayDeadlines(r templates.Reader, list []rules.Deadline, held, now time.Time) (string, error) {
	shown := make([]map[string]any, len(list))
	for i, d := range list {
		var err error
		if shown[i], err = g.deadline(r, d, now); err != nil {
			return "", err
		}
	}
	data := map[string]any{"deadlines": shown}
	if !held.IsZero() {
		data["held"] = held
	}
	s, err := g.kit.texts.Say(r, "deadlines", data)
	if err != nil {
		return "", faultf("%w", err)
	}
	return s, nil
}

// deadline is a deadline as the text "when" shows it.
func (g *live) deadline(r templates.Reader, d rules.Deadline, now time.Time) (map[string]any, error) {
	d.Data = g.forPeople(d.Data)
	text, err := g.kit.texts.Deadline(r, d)
	if err != nil {
		return nil, faultf("%w", err)
	}
	return map[string]any{"text": text, "at": d.At, "utc": d.At.UTC().Format("2006-01-02 15:04:05 UTC"), "left": d.At.Sub(now)}, nil
}
