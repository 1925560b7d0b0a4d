package turns

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"arroba/orders"
	"arroba/rules"
	"arroba/templates"
)

// longestNick is how many bytes a nick may have.
const longestNick = 100

// goodNick tells whether a name, as orders.Clean leaves it, can be a nick.
func goodNick(s string) bool {
	return s != "" && len(s) <= longestNick && !strings.ContainsAny(s, ",:;@<>") && !everybody(s)
}

// everybody tells whether a name begins with a word that says in PRESS to whom, or how. A letter to "ALL BUT Boris" must
// not go to somebody who calls himself so.
func everybody(nick string) bool {
	word, _, _ := strings.Cut(orders.Clean(nick), " ")
	return slices.ContainsFunc([]string{"ALL", "ВСЕМ", "ANONYMOUS", "АНОНИМНО"}, func(w string) bool { return orders.Fold(w) == orders.Fold(word) })
}

// called returns the member whose nick or seat a name is, nil for none. Nicks go before seats.
func (g *Game) called(name string) *Member {
	for _, of := range []func(*Member) string{func(m *Member) string { return m.Nick }, func(m *Member) string { return string(m.Seat) }} {
		for i := range g.Members {
			if orders.Fold(of(&g.Members[i])) == orders.Fold(name) {
				return &g.Members[i]
			}
		}
	}
	return nil
}

// readNicks reads what members are called from them as they are now.
func (g *live) readNicks() {
	g.nicks, g.renamed = &orders.Names{}, map[string]string{}
	for _, m := range g.Members {
		g.nicks.Add(string(m.Seat), m.Nick)
		if m.Nick != string(m.Seat) {
			g.renamed[string(m.Seat)] = m.Nick
		}
	}
}

// newNicks are the nicks of seats that have a new holder; nil when there are none.
func (g *live) newNicks() map[string]rules.Seat {
	if g.nicks == nil {
		g.readNicks()
	}
	var nicks map[string]rules.Seat
	for seat, nick := range g.renamed {
		if nicks == nil {
			nicks = map[string]rules.Seat{}
		}
		nicks[nick] = rules.Seat(seat)
	}
	return nicks
}

// names is what orders may name now: what the ruleset says, and the members. Who took over a seat is known by his nick
// wherever the ruleset knows the seat.
func (g *live) names() (orders.Lexicon, error) {
	names, err := g.state.Names()
	if err != nil {
		return nil, err
	}
	if g.nicks == nil {
		g.readNicks()
	}
	all := make(orders.Lexicon, len(names)+1)
	maps.Copy(all, names)
	if len(g.renamed) > 0 {
		for kind, list := range names {
			all[kind] = g.withNicks(list)
		}
	}
	all["member"] = g.nicks
	return all, nil
}

// withNicks is a list of names with the nicks of those seats that it holds, be it under another name, as that of a GM's office.
func (g *live) withNicks(list *orders.Names) *orders.Names {
	nicks := map[string][]string{}
	for seat, nick := range g.renamed {
		switch ids := list.Find(seat); {
		case slices.Contains(ids, seat):
			nicks[seat] = append(nicks[seat], nick)
		case len(ids) == 1:
			nicks[ids[0]] = append(nicks[ids[0]], nick)
		}
	}
	if len(nicks) == 0 {
		return list
	}
	return list.With(nicks)
}

// nickInUse tells whether a name means somebody in the game already, or something else where a ruleset has the seat
// that it would be the nick of.
func (g *live) nickInUse(nick string, seat *Member) bool {
	if m := g.called(nick); m != nil && (m.Seat != seat.Seat || seat.Gone.IsZero() && orders.Fold(m.Nick) == orders.Fold(nick)) {
		return true
	}
	names, err := g.state.Names()
	if err != nil {
		return false // the next line finds it
	}
	for _, list := range names {
		other := func(id string) bool { return id != string(seat.Seat) }
		if slices.Contains(list.Find(string(seat.Seat)), string(seat.Seat)) && slices.ContainsFunc(list.Find(nick), other) {
			return true
		}
	}
	return false
}

// unclear is why a line is unclear, with nicks among what it may have meant.
func (g *live) unclear(u orders.Unclearness) orders.Unclearness {
	u.Mended = slices.Clone(u.Mended)
	for _, seat := range u.Near {
		for i, line := range u.Mended {
			u.Mended[i] = strings.ReplaceAll(line, seat, g.nick(seat))
		}
	}
	u.Near = g.nicked(u.Near).([]string)
	return u
}

// nick is the nick of a seat that has a new holder; any other name stays.
func (g *live) nick(name string) string {
	if g.nicks == nil {
		g.readNicks()
	}
	return cmp.Or(g.renamed[name], name)
}

// forPeople is the data of a text with the nick of whoever took over a seat wherever the seat's name stands alone. The log and
// everything that programs read keep the seat.
func (g *live) forPeople(data rules.Data) rules.Data {
	if g.nicks == nil {
		g.readNicks()
	}
	if len(g.renamed) == 0 {
		return data
	}
	shown := make(rules.Data, len(data))
	for k, v := range data {
		if k != "text" { // somebody's own words
			v = g.nicked(v)
		}
		shown[k] = v
	}
	return shown
}

func (g *live) nicked(v any) any {
	switch v := v.(type) {
	case string:
		return g.nick(v)
	case rules.Seat:
		return g.nick(string(v))
	case []string:
		list := make([]string, len(v))
		for i, x := range v {
			list[i] = g.nick(x)
		}
		return list
	case []any:
		list := make([]any, len(v))
		for i, x := range v {
			list[i] = g.nicked(x)
		}
		return list
	case map[string]any:
		shown := make(map[string]any, len(v))
		for k, x := range v {
			if k != "text" {
				x = g.nicked(x)
			}
			shown[g.nick(k)] = x
		}
		return shown
	}
	return v
}

// eventText is what happened, as people read it. That a seat has a new holder names it as it was.
func (g *live) eventText(r templates.Reader, typ string, at time.Time, data rules.Data) (string, error) {
	return g.kit.texts.Event(r, typ, at, g.eventData(typ, data))
}

// eventHeadline is what happened in a few words.
func (g *live) eventHeadline(r templates.Reader, typ string, at time.Time, data rules.Data) (string, error) {
	return g.kit.texts.Headline(r, typ, at, g.eventData(typ, data))
}

func (g *live) eventData(typ string, data rules.Data) rules.Data {
	if typ == memberReplaced {
		return data
	}
	return g.forPeople(data)
}

// EventText is what happened in a game, as people read it.
func (e *Engine) EventText(ctx context.Context, game string, r templates.Reader, typ string, at time.Time, data rules.Data) (s string, err error) {
	err = e.look(ctx, game, func(g *live) error {
		s, err = g.eventText(r, typ, at, data)
		return err
	})
	return s, err
}

// EventHeadline says in a few words what happened, for a reader.
func (e *Engine) EventHeadline(ctx context.Context, game string, r templates.Reader, typ string, at time.Time, data rules.Data) (s string, err error) {
	err = e.look(ctx, game, func(g *live) error {
		s, err = g.eventHeadline(r, typ, at, data)
		return err
	})
	return s, err
}
