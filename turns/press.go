package turns

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"arroba/orders"
	"arroba/outbox"
	"arroba/rules"
)

// pressOrders are the letters and announcements that are passed on.
func pressOrders() []engineOrder {
	return []engineOrder{
		{Form: ending(form(formPress, "E-PRESS", forMember,
			"PRESS TO <members:member>,* || PRESS TO ALL#all [BUT <members:member>,*] || PRESS ANONYMOUS#anonymous TO <members:member>,* || PRESS ANONYMOUS#anonymous TO ALL#all [BUT <members:member>,*]",
			"ПИСЬМО <members:member>,* || ПИСЬМО ВСЕМ#all [КРОМЕ <members:member>,*] || ПИСЬМО АНОНИМНО#anonymous <members:member>,* || ПИСЬМО АНОНИМНО#anonymous ВСЕМ#all [КРОМЕ <members:member>,*]",
			"Passes a text on to other members, and to nobody else.", "Передаёт текст другим участникам и никому больше."), "END PRESS", "КОНЕЦ ПИСЬМА"),
			settle: (*cause).address, events: pressed, answer: (*cause).pressCopied},
		{Form: ending(form("e-broadcast", "E-BROADCAST", forGM, "BROADCAST", "ОБЪЯВЛЕНИЕ",
			"Announces a text to everybody, in the Tavern too.", "Объявляет текст всем, в том числе в таверне."), "END BROADCAST", "КОНЕЦ ОБЪЯВЛЕНИЯ"),
			settle: (*cause).broadcast, events: announced("broadcast")},
		{Form: form("e-ruling", "E-RULING", forGM, "RULING <text:text>", "ПОСТАНОВЛЕНИЕ <text:text>",
			"Tells everybody how you have ruled on a question.", "Сообщает всем, как вы решили спорный вопрос."),
			settle: (*cause).announce, events: announced("ruling")},
	}
}

// addressees are whom a letter from a member goes to. ALL is players and GMs but the writer.
func (c *cause) addressees(m *Member, o orders.Order) []rules.Seat {
	var named, all []rules.Seat
	for _, id := range o.IDs("members") {
		if seat := rules.Seat(id); !slices.Contains(named, seat) {
			named = append(named, seat)
		}
	}
	if !o.Is("all") {
		return named
	}
	for _, other := range c.g.Members {
		if other.Seat != m.Seat && other.Role != rules.Observer && other.Gone.IsZero() && !slices.Contains(named, other.Seat) {
			all = append(all, other.Seat)
		}
	}
	return all
}

// address looks whether a letter may be passed on, and writes its addressees into the order, so that it goes to the same
// ones whenever it is played again, whoever is a member then.
func (c *cause) address(m *Member, o *orders.Order, env rules.Env) *rules.Ruling {
	to := c.addressees(m, *o)
	switch {
	case o.Is("anonymous") && !c.g.Settings.AnonymousPress:
		return refused("E-PRESS", "anonymous")
	case strings.TrimSpace(o.Text) == "":
		return refused("E-PRESS", "empty")
	case len(to) == 0:
		return refused("E-PRESS", "nobody")
	case slices.Contains(to, m.Seat):
		return refused("E-PRESS", "self")
	case slices.ContainsFunc(to, func(seat rules.Seat) bool { return !c.g.seat(seat).Gone.IsZero() }):
		return refused("E-PRESS", "gone")
	}
	if limit := c.w.e.limits(c.g.Name).PressDay; limit > 0 && m.Role != rules.GM {
		today := c.pressedBy(m.Seat, env.At.Truncate(day))
		if *today >= limit {
			ru := rules.Refuse("E-PRESS", "limit", rules.Data{"limit": limit})
			return &ru
		}
		*today++
	}
	addressTo(o, to)
	if c.g.Settings.PressCopies {
		o.Tags = append(o.Tags, "copied")
	}
	return nil
}

// addressTo writes into an order whom it goes to.
func addressTo(o *orders.Order, to []rules.Seat) {
	var args []orders.Arg
	for _, seat := range to {
		args = append(args, orders.Arg{Text: string(seat), Kind: "member", ID: string(seat)})
	}
	if o.Args == nil {
		o.Args = map[string][]orders.Arg{}
	}
	o.Args["members"] = args
}

// addressed is what addressTo wrote.
func addressed(o orders.Order) (to []rules.Seat) {
	for _, id := range o.IDs("members") {
		to = append(to, rules.Seat(id))
	}
	return to
}

// pressed is the letter as an event: it is known to those whom it goes to, to the GM where the game says so, and to
// nobody else. One without a name does not say to whom ALL is either: that would name who is missing among them.
func pressed(o orders.Order, env rules.Env) []rules.Event {
	data := rules.Data{"from": string(env.By.Seat), "to": o.IDs("members"), "text": o.Text}
	if o.Is("anonymous") {
		delete(data, "from")
		data["anonymous"] = true
		if o.Is("all") {
			delete(data, "to")
		}
	}
	if o.Is("copied") {
		data["copied"] = true
	}
	return []rules.Event{{Type: outbox.Press, Rule: "E-PRESS", Data: data, To: rules.Audience{GM: o.Is("copied"), Members: addressed(o)}}}
}

// pressCopied tells the writer of a letter that the GM has a copy, where he has.
func (c *cause) pressCopied(m *Member, _ orders.Order) (string, error) {
	if !c.g.Settings.PressCopies {
		return "", nil
	}
	return c.say(m, "press-copied", nil)
}

// pressedBy counts the letters of a member that were passed on since an instant. The count is to be raised by those of
// the letter at hand.
func (c *cause) pressedBy(seat rules.Seat, since time.Time) *int {
	if n := c.pressed[seat]; n != nil {
		return n
	}
	n, err := c.w.pressedSince(c.g, seat, since)
	if err != nil { // the transaction will not commit either
		c.w.e.Log.Error("earlier letters of a member could not be counted", "game", c.g.Name, "error", err)
	}
	if c.pressed == nil {
		c.pressed = map[rules.Seat]*int{}
	}
	c.pressed[seat] = &n
	return &n
}

// pressedSince counts in the log, newest first, until a page of it is older.
func (w *work) pressedSince(g *live, seat rules.Seat, since time.Time) (n int, err error) {
	if err := w.writeInputs(); err != nil {
		return 0, err
	}
	for last := g.LastInput; last > 0; {
		list, err := LastInputs(w.ctx, w.tx, g.Name, last, 100)
		if err != nil || len(list) == 0 {
			return n, err
		}
		older := true
		for i := range list {
			if in := &list[i]; !in.At.Before(since) {
				older = false
				passed, err := in.pressedBy(seat)
				if err != nil {
					return n, err
				}
				n += passed
			}
			last = list[i].N - 1
		}
		if older {
			break
		}
	}
	return n, nil
}

// pressedBy counts the letters of a member in an input that were passed on.
func (in *Input) pressedBy(seat rules.Seat) (n int, err error) {
	if in.Kind != kindLetter || !bytes.Contains(in.Body, []byte(`"`+formPress+`"`)) {
		return 0, nil
	}
	body, err := in.DecodeLetter()
	if err != nil || body.Test {
		return 0, err
	}
	for _, r := range body.Orders {
		by := in.Seat
		if r.By != nil {
			by = r.By.Seat
		}
		if by == seat && r.Verdict == orders.Accepted && r.Order.Form == formPress {
			n++
		}
	}
	return n, nil
}

func (c *cause) broadcast(m *Member, o *orders.Order, env rules.Env) *rules.Ruling {
	if strings.TrimSpace(o.Text) == "" {
		return refused("E-BROADCAST", "")
	}
	return c.announce(m, o, env)
}

// announce writes into an announcement who is to be mailed it: everybody who is a member now.
func (c *cause) announce(_ *Member, o *orders.Order, _ rules.Env) *rules.Ruling {
	var to []rules.Seat
	for _, m := range c.g.Members {
		to = append(to, m.Seat)
	}
	addressTo(o, to)
	return nil
}

// announcement is the text of an announcement: of the lines below it, or of the one it stands on.
func announcement(o orders.Order) string {
	return cmp.Or(o.Text, strings.TrimLeft(o.Arg("text").Text, ": "))
}

// announced is an announcement as an event of a type: everybody may know it, and every member is mailed it.
func announced(typ string) func(orders.Order, rules.Env) []rules.Event {
	return func(o orders.Order, _ rules.Env) []rules.Event {
		return []rules.Event{{Type: typ, Rule: "E-" + strings.ToUpper(typ), Data: rules.Data{"text": announcement(o)},
			To: rules.Audience{Tavern: true, GM: true, Copies: true, Members: addressed(o)}}}
	}
}
