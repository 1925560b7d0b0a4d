package turns

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"arroba/orders"
	"arroba/rules"
)

const (
	historyDefault = 20
	historyMost    = 1000
)

func historyLength(o orders.Order) (string, bool) {
	n := o.N("n")
	return "", !o.Has("n") || n >= 1 && n <= historyMost
}

// give rules on the lines of a letter, one by one, and returns the events.
func (c *cause) give(m *Member, env rules.Env) ([]rules.Event, error) {
	var all []rules.Event
	for _, p := range c.pieces() {
		ev, err := c.line(p, m, env)
		if err != nil {
			return nil, err
		}
		all = append(all, ev...)
	}
	if len(c.ruled) > 0 {
		return all, nil
	}
	return c.subject(m, env)
}

// subject tries the subject as one line, where the body has nothing. Half an order in it counts only when the body is
// blank: subjects of prose often begin like one.
func (c *cause) subject(m *Member, env rules.Env) ([]rules.Event, error) {
	pieces := c.g.kit.grammar.Scan([]string{orderSubject(c.letter.read.Subject, &c.g.Game)})
	if len(pieces) == 0 {
		return nil, nil
	}
	res, err := c.parse(pieces[0])
	if err != nil || res.Prose() || res.Unclear != nil && !c.letter.blank() {
		return nil, err
	}
	return c.rule(pieces[0].Line, res, m, env)
}

func (c *cause) line(p orders.Piece, m *Member, env rules.Env) ([]rules.Event, error) {
	res, err := c.parse(p)
	if err != nil || res.Prose() {
		return nil, err
	}
	if res.Unclear != nil && res.Unclear.Form == formAs && m.Role != rules.GM && !p.InBlock {
		return nil, nil // others write "as" in prose
	}
	return c.rule(p.Line, res, m, env)
}

// parse reads a line with the names as they stand now: the order before may have brought one.
func (c *cause) parse(p orders.Piece) (orders.Result, error) {
	names, err := c.g.names()
	if err != nil {
		return orders.Result{}, err
	}
	res := c.g.kit.grammar.Parse(p.Line, names, p.InBlock)
	if o := res.Order; o != nil {
		o.Text = strings.Join(p.Text, "\n")
		if p.NoEnd {
			res = orders.Result{Unclear: &orders.Unclearness{Why: orders.WhyEnd, Form: o.Form, Show: c.endLine(o.Form)}}
		}
	}
	return res, nil
}

// endLine is the line that ends the long text after a form, in the writer's language.
func (c *cause) endLine(form string) string {
	forms := c.g.kit.grammar.Forms()
	i := slices.IndexFunc(forms, func(f orders.Form) bool { return f.ID == form })
	return cmp.Or(forms[i].End[c.g.seat(c.letter.seat).Language], forms[i].End["en"])
}

// rule rules on a line that is an order or unclear, and keeps the verdict for the receipt.
func (c *cause) rule(line string, res orders.Result, m *Member, env rules.Env) (ev []rules.Event, err error) {
	r := Ruled{Line: line, Order: res.Order, Unclear: res.Unclear, Verdict: orders.Unclear}
	if res.Order != nil {
		ru := c.behalf.ruling
		if ru == nil || res.Order.Form == formAs {
			ru = &rules.Ruling{}
			r.By, ev, *ru, err = c.take(m, res.Order, env)
		}
		if err != nil {
			return nil, fmt.Errorf("order %d of the letter: %w", len(c.ruled)+1, err) // its text may be secret
		}
		r.Verdict, r.Rule, r.Why, r.Data = ru.Verdict, ru.Rule, ru.Why, ru.Data
	} else if res.Unclear.Form == formAs {
		c.behalf = behalf{ruling: &rules.Ruling{Verdict: orders.Unclear, Why: "as"}}
	}
	if r.Reason, err = c.g.reason(m, r); err != nil {
		return nil, faultf("order %d of the letter: %w", len(c.ruled)+1, err)
	}
	c.ruled = append(c.ruled, r)
	return ev, nil
}

// reason is why a line was refused or is unclear, as a member reads it.
func (g *live) reason(m *Member, r Ruled) (string, error) {
	if r.Unclear != nil {
		return g.kit.texts.Unclear(m.reader(), *r.Unclear)
	}
	return g.kit.texts.Reason(m.reader(), rules.Ruling{Verdict: r.Verdict, Rule: r.Rule, Why: r.Why, Data: r.Data})
}

// take carries an order out: it answers the engine's questions, does what the engine does itself, and passes
// everything else on. By is who gave it when that is not the writer in his own name.
func (c *cause) take(m *Member, o *orders.Order, env rules.Env) (by *rules.Actor, ev []rules.Event, ru rules.Ruling, err error) {
	if o.Form == formAs {
		return nil, nil, c.as(m, *o), nil
	}
	if c.behalf.member != nil {
		m = c.behalf.of(m)
		env.By = rules.Actor{Seat: m.Seat, Role: m.Role, GM: env.By.Seat}
		by = &env.By
	}
	if refusal := c.refusal(m, *o); refusal != nil {
		return by, nil, *refusal, nil
	}
	own := engineOrders[o.Form]
	if own.answer != nil {
		s, err := own.answer(c, m, *o)
		if err != nil {
			return by, nil, rules.Ruling{}, err
		}
		c.said = append(c.said, answer{o.Line, s})
	}
	if own.do != nil {
		own.do(c, m, o)
	}
	ev, ru, err = c.g.give(*o, env)
	return by, ev, ru, err
}

// refusal returns why the engine refuses an order of its own, nil when it does not.
func (c *cause) refusal(m *Member, o orders.Order) *rules.Ruling {
	own := engineOrders[o.Form]
	refuse := func(rule, why string) *rules.Ruling {
		ru := rules.Refuse(rule, why, nil)
		return &ru
	}
	switch {
	case own.gm && m.Role != rules.GM:
		return refuse(c.g.kit.IDs.Role, "gm")
	case own.later:
		return refuse(own.rule, "later")
	case o.Form == formTest && !(c.tried && len(c.ruled) == 0):
		return refuse(own.rule, "")
	}
	if own.check != nil {
		if why, ok := own.check(o); !ok {
			return refuse(own.rule, why)
		}
	}
	if o.Form == formPress {
		switch to := c.addressees(m, o); {
		case len(to) == 0:
			return refuse(own.rule, "")
		case slices.Contains(to, m.Seat):
			return refuse(own.rule, "self")
		}
	}
	return nil
}

func knownLanguage(o orders.Order) (string, bool) { return "", languageOf(o) != "" }

// languageOf is the language that an order names, "" for one that is not known.
func languageOf(o orders.Order) string {
	for known, names := range map[string][]string{"en": {"en", "English", "английский"}, "ru": {"ru", "Russian", "русский"}} {
		for _, name := range names {
			if orders.Fold(o.Arg("language").Text) == orders.Fold(name) {
				return known
			}
		}
	}
	return ""
}

// language changes what language a member is written to in, from this letter's receipt on.
func (c *cause) language(m *Member, o *orders.Order) {
	c.g.seat(m.Seat).Language = languageOf(*o)
	c.changed = append(c.changed, m.Seat)
}

// say renders an answer.
func (c *cause) say(m *Member, name string, data any) (string, error) {
	s, err := c.g.kit.texts.Say(m.reader(), name, data)
	if err != nil {
		return "", faultf("%w", err)
	}
	return s, nil
}

func (c *cause) help(m *Member, o orders.Order) (string, error) {
	var words []string
	for _, a := range o.Args["verb"] {
		words = append(words, a.Text)
	}
	s, err := c.g.kit.texts.Help(m.reader(), c.g.kit.grammar,
		[]string{string(m.Role), "member"}, strings.Join(words, " "))
	if err != nil {
		return "", faultf("%w", err)
	}
	return s, nil
}

// view is what a member may see of the game, as JSON gives it back.
func (c *cause) view(m *Member) (map[string]any, error) {
	v, err := c.g.state.View(m.Viewer())
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
	v, err := c.view(m)
	if err != nil {
		return "", err
	}
	return c.say(m, "status", map[string]any{"nick": string(m.Seat), "role": string(m.Role), "view": v})
}

func (c *cause) deadline(m *Member, _ orders.Order) (string, error) {
	v, err := c.view(m)
	if err != nil {
		return "", err
	}
	if s, ok := v["deadline"].(string); ok {
		if at, err := time.Parse(time.RFC3339, s); err == nil {
			return c.say(m, "deadline", map[string]any{"deadline": at, "utc": at.UTC().Format("2006-01-02 15:04:05 UTC")})
		}
	}
	return c.say(m, "no-deadline", nil)
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
		list[i] = map[string]any{"nick": m.Nick, "role": string(m.Role), "lost": lost[m.Seat]}
	}
	return c.say(m, "who", list)
}

// history lists the last events whose audience holds the asker or the Tavern, oldest first.
func (c *cause) history(m *Member, o orders.Order) (string, error) {
	n := historyDefault
	if o.Has("n") {
		n = int(o.N("n"))
	}
	events, err := c.w.lastEvents(c.g, n, func(ev Event) bool { return mayKnow(ev, m) })
	if err != nil {
		return "", err
	}
	list := make([]map[string]any, len(events))
	for i, ev := range events {
		text, err := c.event(m, ev)
		if err != nil {
			return "", err
		}
		list[len(events)-1-i] = map[string]any{"n": ev.N, "at": ev.At, "text": text}
	}
	return c.say(m, "history", list)
}

// event is what happened, as a member reads it.
func (c *cause) event(m *Member, ev Event) (string, error) {
	var data rules.Data
	if err := json.Unmarshal(ev.Data, &data); err != nil {
		return "", faultf("reading event %d: %w", ev.N, err)
	}
	text, err := c.g.kit.texts.Event(m.reader(), ev.Type, ev.At, data)
	if err != nil {
		return "", faultf("%w", err)
	}
	return text, nil
}

// mayKnow tells whether an event's audience holds a member.
func mayKnow(ev Event, m *Member) bool {
	for _, who := range ev.Audience {
		if who == "tavern" || who == memberPrefix+string(m.Seat) || who == "gm" && m.Role == rules.GM {
			return true
		}
	}
	return false
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
