package turns

import (
	"slices"
	"strings"

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
			settle: (*cause).address, events: pressed},
		endingLater(later("e-broadcast", "E-BROADCAST", forGM, "BROADCAST", "ОБЪЯВЛЕНИЕ"), "END BROADCAST", "КОНЕЦ ОБЪЯВЛЕНИЯ"),
		later("e-ruling", "E-RULING", forGM, "RULING <text:text>", "ПОСТАНОВЛЕНИЕ <text:text>"),
	}
}

func endingLater(o engineOrder, en, ru string) engineOrder { o.Form = ending(o.Form, en, ru); return o }

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
		if other.Seat != m.Seat && other.Role != rules.Observer && !slices.Contains(named, other.Seat) {
			all = append(all, other.Seat)
		}
	}
	return all
}

// address looks whether a letter may be passed on, and writes its addressees into the order, so that it goes to the same
// ones whenever it is played again, whoever is a member then.
func (c *cause) address(m *Member, o *orders.Order, _ rules.Env) *rules.Ruling {
	to := c.addressees(m, *o)
	switch {
	case o.Is("anonymous"):
		return refused("E-PRESS", "anonymous")
	case strings.TrimSpace(o.Text) == "", len(to) == 0:
		return refused("E-PRESS", "")
	case slices.Contains(to, m.Seat):
		return refused("E-PRESS", "self")
	}
	var args []orders.Arg
	for _, seat := range to {
		args = append(args, orders.Arg{Text: string(seat), Kind: "member", ID: string(seat)})
	}
	o.Args, o.Tags = map[string][]orders.Arg{"members": args}, nil
	return nil
}

// pressed is the letter as an event: it is known to those whom it goes to, and to nobody else.
func pressed(o orders.Order, env rules.Env) []rules.Event {
	ev := rules.Event{Type: outbox.Press, Rule: "E-PRESS", Data: rules.Data{"from": string(env.By.Seat), "to": o.IDs("members"), "text": o.Text}}
	for _, id := range o.IDs("members") {
		ev.To.Members = append(ev.To.Members, rules.Seat(id))
	}
	return []rules.Event{ev}
}
