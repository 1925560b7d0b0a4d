package turns

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"arroba/orders"
	"arroba/rules"
	"arroba/templates"
)

// engineOrder is one of the orders that every ruleset has: a question, which is answered inside the receipt, or
// something that the ruleset's Control acts on.
type engineOrder struct {
	rule    string
	check   func(orders.Order) (why string, ok bool) // nil: always good
	answer  func(*cause, *Member, orders.Order) (string, error)
	control func(orders.Order) rules.Control
}

// engineOrders are the engine's own orders by the IDs of their forms.
var engineOrders = map[string]engineOrder{
	"e-help":       {rule: "E-HELP", answer: (*cause).help},
	"e-status":     {rule: "E-STATUS", answer: (*cause).status},
	"e-history":    {rule: "E-HISTORY", check: historyLength, answer: (*cause).history},
	"e-who":        {rule: "E-WHO", answer: (*cause).who},
	"e-deadline":   {rule: "E-DEADLINE", answer: (*cause).deadline},
	"e-cancel":     {rule: "E-CANCEL", control: func(o orders.Order) rules.Control { return rules.Control{Kind: "cancel", N: int(o.N("n"))} }},
	"e-cancel-all": {rule: "E-CANCEL", control: func(orders.Order) rules.Control { return rules.Control{Kind: "cancel"} }},
	"e-ready":      {rule: "E-READY", control: func(orders.Order) rules.Control { return rules.Control{Kind: "ready"} }},
	"e-wait":       {rule: "E-WAIT", control: func(orders.Order) rules.Control { return rules.Control{Kind: "wait"} }},
}

// engineGrammar is the forms of the engine's own orders.
func engineGrammar() *orders.Grammar {
	form := func(id, en, ru, helpEn, helpRu string, alone bool) orders.Form {
		return orders.Form{ID: id, Rule: engineOrders[id].rule, Who: "member", Alone: alone,
			Say:  map[string][]string{"en": strings.Split(en, " || "), "ru": strings.Split(ru, " || ")},
			Help: map[string]string{"en": helpEn, "ru": helpRu}}
	}
	return orders.MustGrammar(orders.Spec{Forms: []orders.Form{
		form("e-help", "HELP [<verb:word>] || HELP <verb:word> <verb:word>", "ПОМОЩЬ [<verb:word>] || ПОМОЩЬ <verb:word> <verb:word>",
			"Lists the orders you may give, or tells more about those that begin with a word.",
			"Перечисляет приказы, которые вы можете отдать, или рассказывает о тех, что начинаются с данного слова.", true),
		form("e-status", "STATUS", "СТАТУС", "Shows your own position, and of the others what is public.",
			"Показывает ваше положение, а о других то, что известно всем.", false),
		form("e-history", "HISTORY [<n:number>]", "ИСТОРИЯ [<n:number>]", "Lists the last events you may know of, 20 when no number is given.",
			"Перечисляет последние события, о которых вам можно знать: 20, если число не указано.", false),
		form("e-who", "WHO", "КТО", "Lists the members of the game.", "Перечисляет участников игры.", true),
		form("e-deadline", "DEADLINE", "СРОК", "Tells when the game's next deadline is.", "Говорит, когда в игре ближайший срок.", false),
		form("e-cancel", "CANCEL <n:number>", "ОТМЕНА <n:number>", "Takes back one of your orders that was not carried out yet.",
			"Отменяет один ваш приказ, который ещё не исполнен.", false),
		form("e-cancel-all", "CANCEL ALL", "ОТМЕНА ВСЁ", "Takes back all your orders that were not carried out yet.",
			"Отменяет все ваши приказы, которые ещё не исполнены.", false),
		form("e-ready", "READY", "ГОТОВ", "Says that you have given all your orders of this round.",
			"Сообщает, что вы отдали все приказы этого раунда.", true),
		form("e-wait", "WAIT", "ЖДУ", "Takes READY back.", "Отменяет слово ГОТОВ.", true),
	}})
}

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
	for _, p := range c.g.kit.grammar.Scan(c.letter.read.Lines) {
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
	return c.rule(p.Line, res, m, env)
}

// parse reads a line with the names as they stand now: the order before may have brought one.
func (c *cause) parse(p orders.Piece) (orders.Result, error) {
	names, err := c.g.state.Names()
	if err != nil {
		return orders.Result{}, err
	}
	return c.g.kit.grammar.Parse(p.Line, names, p.InBlock), nil
}

// rule rules on a line that is an order or unclear, and keeps the verdict for the receipt.
func (c *cause) rule(line string, res orders.Result, m *Member, env rules.Env) (ev []rules.Event, err error) {
	r := Ruled{Line: line, Order: res.Order, Unclear: res.Unclear, Verdict: orders.Unclear}
	reader := templates.Reader{Language: m.Language, Zone: m.Zone}
	if res.Unclear != nil {
		if r.Reason, err = c.g.kit.texts.Unclear(reader, *res.Unclear); err != nil {
			return nil, faultf("%w", err)
		}
		c.ruled = append(c.ruled, r)
		return nil, nil
	}
	ev, ru, err := c.take(m, *res.Order, env)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", line, err)
	}
	r.Verdict, r.Rule, r.Why, r.Data = ru.Verdict, ru.Rule, ru.Why, ru.Data
	if r.Reason, err = c.g.kit.texts.Reason(reader, ru); err != nil {
		return nil, faultf("%q: %w", line, err)
	}
	c.ruled = append(c.ruled, r)
	return ev, nil
}

// take carries an order out: it answers the engine's questions and passes everything else on.
func (c *cause) take(m *Member, o orders.Order, env rules.Env) ([]rules.Event, rules.Ruling, error) {
	own := engineOrders[o.Form]
	if own.check != nil {
		if why, ok := own.check(o); !ok {
			return nil, rules.Refuse(own.rule, why, nil), nil
		}
	}
	if own.answer != nil {
		s, err := own.answer(c, m, o)
		if err != nil {
			return nil, rules.Ruling{}, err
		}
		c.said = append(c.said, answer{o.Line, s})
	}
	return c.g.give(o, env)
}

// say renders an answer.
func (c *cause) say(m *Member, name string, data any) (string, error) {
	s, err := c.g.kit.texts.Say(templates.Reader{Language: m.Language, Zone: m.Zone}, name, data)
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
	s, err := c.g.kit.texts.Help(templates.Reader{Language: m.Language, Zone: m.Zone}, c.g.kit.grammar,
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
	list := make([]map[string]any, len(c.g.Members))
	for i, m := range c.g.Members {
		list[i] = map[string]any{"nick": m.Nick, "role": string(m.Role)}
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
		var data rules.Data
		if err := json.Unmarshal(ev.Data, &data); err != nil {
			return "", faultf("reading event %d: %w", ev.N, err)
		}
		text, err := c.g.kit.texts.Event(templates.Reader{Language: m.Language, Zone: m.Zone}, ev.Type, ev.At, data)
		if err != nil {
			return "", faultf("%w", err)
		}
		list[len(events)-1-i] = map[string]any{"n": ev.N, "at": ev.At, "text": text}
	}
	return c.say(m, "history", list)
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
