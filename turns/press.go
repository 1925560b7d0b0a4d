package turns

import (
	"slices"
	"strings"

	"arroba/orders"
	"arroba/outbox"
	"arroba/rules"
)

// goodPress tells whether a game passes such a letter on: none does without its writer's name.
func goodPress(o orders.Order) (string, bool) {
	if o.Is("anonymous") {
		return "anonymous", false
	}
	return "", strings.TrimSpace(o.Text) != ""
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
		if other.Seat != m.Seat && other.Role != rules.Observer && !slices.Contains(named, other.Seat) {
			all = append(all, other.Seat)
		}
	}
	return all
}

// address writes the addressees of a letter into its order, so that it goes to the same ones whenever it is played
// again, whoever is a member then.
func (c *cause) address(m *Member, o *orders.Order) {
	var to []orders.Arg
	for _, seat := range c.addressees(m, *o) {
		to = append(to, orders.Arg{Text: string(seat), Kind: "member", ID: string(seat)})
	}
	o.Args, o.Tags = map[string][]orders.Arg{"members": to}, nil
}

// pressed is the letter as an event: it is known to those whom it goes to, and to nobody else.
func pressed(o orders.Order, by rules.Actor) []rules.Event {
	ev := rules.Event{Type: outbox.Press, Rule: "E-PRESS", Data: rules.Data{"from": string(by.Seat), "to": o.IDs("members"), "text": o.Text}}
	for _, id := range o.IDs("members") {
		ev.To.Members = append(ev.To.Members, rules.Seat(id))
	}
	return []rules.Event{ev}
}
