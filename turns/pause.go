package turns

import (
	"maps"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// pause is how a game stands still until a GM's RESUME: nothing falls due, and orders are taken.
type pause struct {
	since time.Time // zero: it does not
	why   string    // "" when no reason was given
}

// paused is how the game stands still, as the orders before this one left it.
func (c *cause) paused() pause {
	if c.pause != nil {
		return *c.pause
	}
	return pause{c.g.Paused, c.g.PauseWhy}
}

// whileRunning refuses what has no meaning while the game stands still.
func (c *cause) whileRunning(*Member, *orders.Order, rules.Env) *rules.Ruling {
	if c.paused().since.IsZero() {
		return nil
	}
	return refused(c.g.kit.IDs.Nothing, "held")
}

func (c *cause) holding(m *Member, o *orders.Order, env rules.Env) *rules.Ruling {
	c.tellAll(o)
	return c.whileRunning(m, o, env)
}

// tellAll writes into an order who is to be mailed of it: whoever is a player now.
func (c *cause) tellAll(o *orders.Order) {
	for _, seat := range c.g.playerSeats() {
		set(o, "players", orders.Arg{Text: string(seat), Kind: "member", ID: string(seat)})
	}
}

func (g *Game) playerSeats() (list []rules.Seat) {
	for _, m := range g.Members {
		if m.Role == rules.Player {
			list = append(list, m.Seat)
		}
	}
	return list
}

// set adds to an order what only the engine knew when it was given.
func set(o *orders.Order, name string, a orders.Arg) {
	if o.Args == nil {
		o.Args = map[string][]orders.Arg{}
	}
	o.Args[name] = append(o.Args[name], a)
}

// toAll is the audience of what everybody may know and every player is mailed.
func toAll(o orders.Order) rules.Audience {
	to := rules.Audience{Tavern: true, GM: true, Copies: true}
	for _, seat := range o.IDs("players") {
		to.Members = append(to.Members, rules.Seat(seat))
	}
	return to
}

func heldEvents(o orders.Order, _ rules.Env) []rules.Event {
	return []rules.Event{{Type: rules.Held, To: toAll(o), Data: rules.Data{"reason": o.Arg("reason").Text}}}
}

func (c *cause) hold(_ *Member, o *orders.Order) { c.pause = &pause{c.at, o.Arg("reason").Text} }

// resuming writes into the order since when the game stood still.
func (c *cause) resuming(_ *Member, o *orders.Order, _ rules.Env) *rules.Ruling {
	since := c.paused().since
	if since.IsZero() {
		return refused(c.g.kit.IDs.Nothing, "running")
	}
	set(o, "since", orders.Arg{Text: since.UTC().Format(time.RFC3339Nano)})
	c.tellAll(o)
	return nil
}

// since is what resuming wrote.
func since(o orders.Order) time.Time {
	at, _ := time.Parse(time.RFC3339Nano, o.Arg("since").Text)
	return at
}

func shifting(o orders.Order, env rules.Env) rules.Control {
	return rules.Control{Kind: rules.Shift, By: env.At.Sub(since(o))}
}

func resumedEvents(o orders.Order, _ rules.Env) []rules.Event {
	return []rules.Event{{Type: "resumed", To: toAll(o), Data: rules.Data{"since": since(o)}}}
}

func (c *cause) resume(*Member, *orders.Order) { c.pause = &pause{} }

// halt lets a game stand still, as the engine did.
func (g *live) halt(body PauseBody, at time.Time) ([]rules.Event, error) {
	ev, _, err := g.state.Control(rules.Control{Kind: rules.Hold, Sent: at}, g.env(at, at, rules.Actor{}, "", nil))
	held := rules.Event{Type: rules.Held, Rule: "E-HOLD", Data: body.Data,
		To: rules.Audience{Tavern: true, GM: true, Copies: true, Members: body.Players}}
	return append([]rules.Event{held}, ev...), err
}

// pause makes a game stand still as of an instant, because only a person can tell how it is to go on. Everybody hears why
// by the text "held <why>"; its GMs and the operator besides what there is to do, by the text "pause <why>".
func (w *work) pause(g *live, at time.Time, why string, known rules.Data, besides map[string]any) error {
	at = g.notBefore(at)
	known["why"] = why
	body := PauseBody{Players: g.playerSeats(), Data: known}
	c := w.cause(g)
	err := guarded(func() error {
		produced, err := g.halt(body, at)
		if err != nil {
			return err
		}
		b, err := plain(body)
		if err != nil {
			return faultf("%w", err)
		}
		if err := c.add(Input{Kind: kindPause, At: at, Body: b}, produced); err != nil {
			return err
		}
		c.pause = &pause{at, pauseReasons[why]}
		return c.commit()
	})
	if err != nil {
		return w.heldBy(g, nil, err)
	}
	g.present = at
	data := map[string]any{"game": g.Name, "at": at}
	maps.Copy(data, known)
	maps.Copy(data, besides)
	w.tellGMs(g, "pause "+why, data)
	if why == pauseUnread { // of a jump the operator hears once for all games
		w.alarm("pause "+why, data)
	}
	return nil
}

// Why the engine makes a game stand still.
const (
	pauseUnread = "unread" // a source was not read past a due instant for longer than the game's grace
	pauseClock  = "clock"  // the clock jumped over a due instant
)

// pauseReasons are for who runs the server.
var pauseReasons = map[string]string{
	pauseUnread: "letters that may have come before a deadline cannot be read",
	pauseClock:  "the server's clock jumped over a deadline",
}
