package turns

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"arroba/orders"
	"arroba/rules"
)

// give rules on the lines of a letter, one by one, and returns the events.
func (c *cause) give(m *Member, env rules.Env) (all []rules.Event, err error) {
	err = c.eachLine(m, func(line string, res orders.Result) error {
		if c.wasDone(line, res) {
			return nil
		}
		ev, err := c.rule(line, res, m, env)
		all = append(all, ev...)
		return err
	})
	return all, err
}

// wasDone tells whether a line of a post was carried out when the post said less, and counts it off.
func (c *cause) wasDone(line string, res orders.Result) bool {
	s := Said{Line: line}
	if res.Order != nil {
		s.Text = res.Order.Text
	}
	i := slices.Index(c.done, s)
	if i >= 0 {
		c.done = slices.Delete(c.done, i, i+1)
	}
	return i >= 0
}

// eachLine calls f for the lines of a letter that are orders or nearly orders, each read as the game stands then; after them
// for those that it says by its subject and its files.
func (c *cause) eachLine(m *Member, f func(line string, res orders.Result) error) error {
	var forms []string
	each := func(line string, res orders.Result) error {
		forms = append(forms, res.Form())
		return f(line, res)
	}
	for _, p := range c.pieces() {
		res, err := c.understand(p, m)
		if err == nil && !res.Prose() {
			err = each(p.Line, res)
		}
		if err != nil {
			return err
		}
	}
	if len(forms) == 0 {
		if err := c.subject(m, each); err != nil {
			return err
		}
	}
	return c.implied(m, forms, f)
}

// implied calls f for the lines that the ruleset reads from the subject and the files of a letter, besides those of these
// forms. On a board files have no names, a subject is the thread's, and what was struck out is not known: a post there says
// nothing but its lines.
func (c *cause) implied(m *Member, forms []string, f func(line string, res orders.Result) error) error {
	if c.letter.board() != "" {
		return nil
	}
	lines, err := c.g.state.Implied(c.letter.forRules(c.g), rules.Actor{Seat: m.Seat, Role: m.Role}, forms)
	if err != nil {
		return err
	}
	for _, line := range lines {
		res, err := c.parse(orders.Piece{Line: line}, m)
		if err == nil && !res.Prose() {
			err = f(line, res)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// subject tries the subject as one line, where the body has nothing. Half an order in it counts only when the body is
// blank: subjects of prose often begin like one.
func (c *cause) subject(m *Member, f func(line string, res orders.Result) error) error {
	pieces := c.g.kit.grammar.Scan([]string{orderSubject(c.letter.read.Subject, &c.g.Game)})
	if len(pieces) == 0 {
		return nil
	}
	res, err := c.parse(pieces[0], m)
	if err != nil || res.Prose() || res.Unclear != nil && !c.letter.blank() {
		return err
	}
	return f(pieces[0].Line, res)
}

// understand reads a line as its writer may have meant it.
func (c *cause) understand(p orders.Piece, m *Member) (orders.Result, error) {
	res, err := c.parse(p, m)
	if res.Unclear != nil && res.Unclear.Form == formAs && m.Role != rules.GM && !p.InBlock {
		return orders.Result{}, err // others write "as" in prose
	}
	if err == nil && c.letter.post != nil && res.Prose() {
		return c.tagged(p, m)
	}
	return res, err
}

// tagged reads a line of a post that would be an order but for tags of the board in it. Whether they were to take something
// out of it, as the one that strikes through does, nobody can tell, so it is unclear.
func (c *cause) tagged(p orders.Piece, m *Member) (orders.Result, error) {
	bare := p
	bare.Line = orders.Clean(boardTag.ReplaceAllString(p.Line, ""))
	if bare.Line == p.Line {
		return orders.Result{}, nil
	}
	res, err := c.parse(bare, m)
	if res.Order != nil {
		res = orders.Result{Unclear: &orders.Unclearness{Why: orders.WhyForm, Form: res.Order.Form, Mended: []string{bare.Line}}}
	}
	return res, err
}

// parse reads a line with the names as they stand now: the order before may have brought one.
func (c *cause) parse(p orders.Piece, m *Member) (orders.Result, error) {
	names, err := c.g.names()
	if err != nil {
		return orders.Result{}, err
	}
	res := c.g.kit.grammar.Parse(p.Line, names, p.InBlock)
	if o := res.Order; o != nil {
		o.Text = strings.Join(p.Text, "\n")
		if p.NoEnd {
			res = orders.Result{Unclear: &orders.Unclearness{Why: orders.WhyEnd, Form: o.Form, Show: c.endLine(o.Form, m.Language)}}
		}
	}
	return res, nil
}

// endLine is the line that ends the long text after a form, in a language.
func (c *cause) endLine(form, language string) string {
	forms := c.g.kit.grammar.Forms()
	i := slices.IndexFunc(forms, func(f orders.Form) bool { return f.ID == form })
	return cmp.Or(forms[i].End[language], forms[i].End["en"])
}

// rule rules on a line that is an order or unclear, and keeps the verdict for the receipt.
func (c *cause) rule(line string, res orders.Result, m *Member, env rules.Env) (ev []rules.Event, err error) {
	r := Ruled{Line: line, Order: res.Order, Unclear: res.Unclear, Verdict: orders.Unclear}
	if res.Order != nil {
		ru := c.behalf.ruling
		if c.barred != nil {
			ru = c.barred
		} else if ru == nil || res.Order.Form == formAs {
			ru = &rules.Ruling{}
			r.By, ev, *ru, err = c.take(m, res.Order, env)
		}
		if err != nil {
			return nil, fmt.Errorf("order %d of the letter: %w", len(c.ruled)+1, err) // its text may be secret
		}
		r.Verdict, r.Rule, r.Why, r.Data = ru.Verdict, ru.Rule, ru.Why, ru.Data
		r.Again, c.given = c.given, nil
	} else if res.Unclear.Form == formAs {
		c.behalf = behalf{ruling: &rules.Ruling{Verdict: orders.Unclear, Why: "as"}}
	}
	if r.Reason, err = c.g.reason(m, r); err != nil {
		return nil, faultf("order %d of the letter: %w", len(c.ruled)+1, err)
	}
	c.ruled = append(c.ruled, r)
	c.produced += len(ev)
	return ev, nil
}

// reason is why a line was refused or is unclear, as a member reads it.
func (g *live) reason(m *Member, r Ruled) (string, error) {
	if r.Unclear != nil {
		return g.kit.texts.Unclear(m.reader(), g.unclear(*r.Unclear))
	}
	s, err := g.kit.texts.Reason(m.reader(), rules.Ruling{Verdict: r.Verdict, Rule: r.Rule, Why: r.Why, Data: g.forPeople(r.Data)})
	if err != nil || r.Verdict != orders.Unclear {
		return s, err
	}
	lines, err := g.completed(r)
	if err != nil || len(lines) == 0 {
		return s, err
	}
	ready, err := g.kit.texts.Say(m.reader(), "ready", map[string]any{"mended": lines})
	return s + " " + ready, err
}

// completed is the line of an unclear order with each of the choices that the ruleset named for what it leaves open.
func (g *live) completed(r Ruled) ([]string, error) {
	slot, _ := r.Data["slot"].(string)
	choices, _ := r.Data["choices"].([]string)
	if len(choices) == 0 {
		return nil, nil
	}
	names, err := g.names()
	if err != nil {
		return nil, err
	}
	return g.kit.grammar.Complete(*r.Order, names, slot, choices), nil
}

// take carries an order out: it answers the engine's questions, does what the engine does itself, and passes
// everything else on. By is who gave it when that is not the writer in his own name.
func (c *cause) take(m *Member, o *orders.Order, env rules.Env) (by *rules.Actor, ev []rules.Event, ru rules.Ruling, err error) {
	if c.left {
		return nil, nil, *refused("E-LEAVE", "gone"), nil
	}
	if o.Form == formAs {
		return nil, nil, c.as(m, *o), nil
	}
	if c.behalf.member != nil {
		m = c.behalf.of(m)
		env.By = rules.Actor{Seat: m.Seat, Role: m.Role, GM: env.By.Seat}
		by = &env.By
	}
	if refusal := c.refusal(m, o, env); c.trouble != nil {
		return by, nil, ru, c.trouble
	} else if refusal != nil {
		return by, nil, *refusal, nil
	}
	env.Taken = c.taken(*o)
	if ev, ru, err = c.g.give(past{c.w.ctx, c.w.tx}, *o, env); err != nil || !ru.OK() {
		return by, ev, ru, err
	}
	if o.Form == formRedo {
		if ev, err = c.redo(m, env); err != nil {
			return by, nil, ru, err
		}
	}
	c.enter(*o, len(ev))
	own := c.g.kit.own[o.Form]
	if own.do != nil {
		own.do(c, m, o)
	}
	if own.answer != nil {
		s, err := own.answer(c, m, *o)
		if err != nil {
			return by, nil, rules.Ruling{}, err
		}
		if s != "" {
			c.said = append(c.said, answer{o.Line, s})
		}
	}
	return by, ev, ru, nil
}

// refusal returns why the engine refuses an order of its own, nil when it does not.
func (c *cause) refusal(m *Member, o *orders.Order, env rules.Env) *rules.Ruling {
	own, ok := c.g.kit.own[o.Form]
	switch {
	case c.g.Forming() && !slices.Contains(early, o.Form):
		return refused("E-START", "forming")
	case !ok:
		return nil
	case own.gm() && m.Role != rules.GM:
		return refused(c.g.kit.IDs.Role, "gm")
	case own.settle != nil:
		return own.settle(c, m, o, env)
	}
	return nil
}

// refused is a refusal of the engine's.
func refused(rule, why string) *rules.Ruling { return refusedWith(rule, why, nil) }

// refusedWith is a refusal of the engine's with data for its text.
func refusedWith(rule, why string, data rules.Data) *rules.Ruling {
	ru := rules.Refuse(rule, why, data)
	return &ru
}
