package turns

import (
	"encoding/json"
	"slices"
	"strings"

	"arroba/orders"
	"arroba/outbox"
	"arroba/rules"
	"arroba/templates"
)

// questions are the orders that are answered inside the receipt.
func questions() []engineOrder {
	return []engineOrder{
		{Form: alone(form("e-help", "E-HELP", forMember, "HELP [<verb:word>] || HELP <verb:word> <verb:word>", "ПОМОЩЬ [<verb:word>] || ПОМОЩЬ <verb:word> <verb:word>",
			"Lists the orders you may give, or tells more about those that begin with a word.",
			"Перечисляет приказы, которые вы можете отдать, или рассказывает о тех, что начинаются с данного слова.")), answer: (*cause).help},
		{Form: form("e-status", "E-STATUS", forMember, "STATUS", "СТАТУС", "Shows your own position, and of the others what is public.",
			"Показывает ваше положение, а о других то, что известно всем."), answer: (*cause).status},
		{Form: form("e-history", "E-HISTORY", forMember, "HISTORY [<n:number>]", "ИСТОРИЯ [<n:number>]", "Lists the last events you may know of, 20 when no number is given.",
			"Перечисляет последние события, о которых вам можно знать: 20, если число не указано."), settle: historyLength, answer: (*cause).history},
		{Form: alone(form("e-who", "E-WHO", forMember, "WHO", "КТО", "Lists the members of the game.", "Перечисляет участников игры.")), answer: (*cause).who},
		{Form: form("e-deadline", "E-DEADLINE", forMember, "DEADLINE", "СРОК", "Tells the deadlines that you may know of, and the time left.", "Называет сроки, о которых вам можно знать, и оставшееся время."), answer: (*cause).deadlines},
	}
}

const (
	historyDefault = 20
	historyMost    = 1000
)

func historyLength(_ *cause, _ *Member, o *orders.Order, _ rules.Env) *rules.Ruling {
	if n := o.N("n"); !o.Has("n") || n >= 1 && n <= historyMost {
		return nil
	}
	return refused("E-HISTORY", "")
}

// say renders an answer.
func (c *cause) say(m *Member, name string, data any) (string, error) {
	s, err := c.g.kit.texts.Say(m.reader(), name, data)
	if err != nil {
		return "", faultf("%w", err)
	}
	return s, nil
}

// help lists what the asker can do now, then the ruleset's orders and then the engine's, or tells more about some.
func (c *cause) help(m *Member, o orders.Order) (string, error) {
	k, h := c.g.kit, templates.Help{Who: []string{string(m.Role), forMember}}
	for _, a := range o.Args["verb"] {
		h.Verb = strings.TrimSpace(h.Verb + " " + a.Text)
	}
	h.Forms = slices.Clone(k.grammar.Forms())
	slices.SortStableFunc(h.Forms, func(a, b orders.Form) int { return k.rankOfForm(a) - k.rankOfForm(b) })
	var err error
	if h.Also, err = c.also(m, h); err != nil {
		return "", err
	}
	if h.Names, err = c.g.names(); err != nil {
		return "", err
	}
	if h.Offers, err = c.g.offers(m); err != nil {
		return "", err
	}
	s, all, err := k.texts.Help(m.reader(), k.grammar, string(m.Seat), h)
	if err != nil {
		return "", faultf("%w", err)
	}
	c.helped = c.helped || all && c.behalf.member == nil
	return s, nil
}

// also are the forms of other roles whose orders the asker may give.
func (c *cause) also(m *Member, h templates.Help) (ids []string, err error) {
	for _, f := range h.Forms {
		if slices.Contains(h.Who, f.Who) {
			continue
		}
		may, err := c.g.state.May(m.Viewer(), f.ID)
		if err != nil {
			return nil, err
		}
		if may {
			ids = append(ids, f.ID)
		}
	}
	return ids, nil
}

// rankOfForm puts a ruleset's orders before the engine's.
func (k *kit) rankOfForm(f orders.Form) int {
	if _, own := k.own[f.ID]; own {
		return 1
	}
	return 0
}

// view is what a member may see of the game, as JSON gives it back.
func (g *live) view(m *Member) (map[string]any, error) {
	v, err := g.state.View(m.Viewer())
	if err != nil {
		return nil, err
	}
	var out map[string]any
	b, err := plain(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		return nil, faultf("reading the game's view: %w", err)
	}
	return out, nil
}

func (c *cause) status(m *Member, _ orders.Order) (string, error) {
	if c.g.Forming() {
		return c.say(m, "status-forming", map[string]any{"nick": m.Nick, "role": string(m.Role)})
	}
	v, err := c.g.view(m)
	if err != nil {
		return "", err
	}
	parts := []string{"", ""}
	if parts[0], err = c.say(m, "status", map[string]any{"nick": m.Nick, "seat": c.g.nick(string(m.Seat)), "role": string(m.Role), "view": c.g.nicked(v)}); err != nil {
		return "", err
	}
	kept, err := c.g.state.Kept(m.Viewer())
	if err != nil {
		return "", err
	}
	if len(kept) > 0 && (m.Role == rules.GM || m.Seat != c.letter.seat) { // his own stand in the receipt
		if parts[1], err = c.say(m, "in force", kept); err != nil {
			return "", err
		}
	}
	waits, err := c.g.state.Waits(m.Viewer())
	if err != nil {
		return "", err
	}
	if len(waits) > 0 || !c.paused().since.IsZero() {
		when, err := c.deadlines(m, orders.Order{})
		if err != nil {
			return "", err
		}
		parts = append(parts, when)
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n\n"), nil
}

func (c *cause) who(m *Member, _ orders.Order) (string, error) {
	var lost map[rules.Seat]bool // for the GM's eyes
	if m.Role == rules.GM {
		var err error
		if lost, err = c.w.lost(&c.g.Game); err != nil {
			return "", err
		}
	}
	list := make([]map[string]any, len(c.g.Members))
	for i, m := range c.g.Members {
		list[i] = map[string]any{"nick": m.Nick, "seat": string(m.Seat), "role": string(m.Role), "lost": lost[m.Seat], "gone": !m.Gone.IsZero()}
		if m.AwayUntil.After(c.w.now) {
			list[i]["from"], list[i]["until"] = m.AwayFrom, m.AwayUntil
		}
	}
	return c.say(m, "who", map[string]any{"members": list, "copies": c.g.Settings.PressCopies})
}

// history lists the last events whose audience holds the asker or the Tavern, oldest first, and which of them are undone.
func (c *cause) history(m *Member, o orders.Order) (string, error) {
	n := historyDefault
	if o.Has("n") {
		n = int(o.N("n"))
	}
	undone, t := map[int64]bool{}, newTide()
	events, err := c.w.lastEvents(c.g, n, func(ev Event) bool {
		undone[ev.N] = t.undone(ev)
		return mayKnow(ev, m)
	})
	if err != nil {
		return "", err
	}
	list := make([]map[string]any, len(events))
	for i, ev := range events {
		text, err := c.event(m, ev)
		if err != nil {
			return "", err
		}
		list[len(events)-1-i] = map[string]any{"n": ev.N, "at": ev.At, "text": text, "undone": undone[ev.N]}
	}
	return c.say(m, "history", list)
}

// event is what happened, as a member reads it.
func (c *cause) event(m *Member, ev Event) (string, error) {
	var data rules.Data
	if err := json.Unmarshal(ev.Data, &data); err != nil {
		return "", faultf("reading event %d: %w", ev.N, err)
	}
	text, err := c.g.eventText(m.reader(), ev.Type, ev.At, data)
	if err != nil {
		return "", faultf("%w", err)
	}
	return text, nil
}

// mayKnow tells whether an event's audience holds a member or the Tavern.
func mayKnow(ev Event, m *Member) bool {
	return slices.Contains(ev.Audience, "tavern") || meantFor(ev, m)
}

// meantFor tells whether an event's audience holds a member. Letters to who had his seat before him are not his to read.
func meantFor(ev Event, m *Member) bool {
	if ev.Type == outbox.Press && ev.N <= m.Since {
		return false
	}
	return slices.ContainsFunc(ev.Audience, func(who string) bool {
		return who == memberPrefix+string(m.Seat) || who == "gm" && m.Role == rules.GM
	})
}

// lastEvents returns the last n events that fit, newest first. What this transaction has not written yet counts too.
func (w *work) lastEvents(g *live, n int, fits func(Event) bool) ([]Event, error) {
	if err := w.writeInputs(); err != nil {
		return nil, err
	}
	var found []Event
	for last := g.LastInput; last >= 0 && len(found) < n; {
		list, err := LastInputs(w.ctx, w.tx, g.Name, last, 100)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			break
		}
		for _, in := range list {
			events, err := in.DecodeEvents()
			if err != nil {
				return nil, faultf("%w", err)
			}
			for i := len(events) - 1; i >= 0 && len(found) < n; i-- {
				if fits(events[i]) {
					found = append(found, events[i])
				}
			}
			last = in.N - 1
		}
	}
	return found, nil
}
