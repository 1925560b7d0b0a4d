package turns

import (
	"slices"
	"strings"

	"arroba/orders"
	"arroba/rules"
	"arroba/templates"
)

// deskOrders are those that decide how the rest of a letter is taken.
func deskOrders() []engineOrder {
	return []engineOrder{
		{Form: alone(form(formTest, "E-TEST", forMember, "TEST", "ПРОБА", "On the first line of a letter: tries its orders, shows what would come of them, and carries nothing out.",
			"В первой строке письма: примеряет его приказы, показывает, что из них вышло бы, и ничего не исполняет.")), settle: testFirst},
		{Form: form(formAs, "E-AS", forGM, "AS <member:member>", "ОТ ИМЕНИ <member:member>", "The orders that follow are given on a member's behalf; AS and your own nick ends it.",
			"Следующие приказы отдаются от имени участника; ОТ ИМЕНИ и ваше собственное имя это прекращает.")},
	}
}

// testFirst lets TEST stand nowhere but on the first line.
func testFirst(c *cause, _ *Member, _ *orders.Order, _ rules.Env) *rules.Ruling {
	if c.tried && len(c.ruled) == 0 {
		return nil
	}
	return refused("E-TEST", "")
}

// behalf is how the lines that follow an AS are taken.
type behalf struct {
	member *Member       // on whose behalf; nil for the writer himself
	ruling *rules.Ruling // what all of them get, because the AS was refused or unclear; nil for each its own
}

// as rules on AS.
func (c *cause) as(m *Member, o orders.Order) rules.Ruling {
	c.behalf = behalf{}
	if refusal := c.refusal(m, &o, rules.Env{}); refusal != nil {
		c.behalf.ruling = refusal
		if refusal.Why == "gm" {
			c.behalf.ruling = refused(refusal.Rule, "behalf")
		}
		return *refusal
	}
	if named := c.g.seat(rules.Seat(o.ID("member"))); named.Seat != m.Seat {
		c.behalf.member = named
	}
	return rules.Accept(c.g.kit.accepts(c.g.kit.own[formAs]))
}

// of is the member whose behalf it is, with the writer's language and clock: it is the writer who reads the answers.
func (b behalf) of(writer *Member) *Member {
	m := *b.member
	m.Language, m.Zone = writer.Language, writer.Zone
	return &m
}

// inName tells whether an order was given in a member's name by somebody else: a GM, or for a GM who runs the server.
func (t *telling) inName(m *Member, r Ruled) bool {
	return r.By != nil && r.By.Seat == m.Seat || t.operator != "" && t.letter.seat == m.Seat
}

// onBehalf says which orders of the letter were given in a member's name, "" when none was.
func (t *telling) onBehalf(m *Member) (string, error) {
	var lines []templates.Line
	for _, r := range t.ruled {
		if !t.inName(m, r) {
			continue
		}
		reason, err := t.g.reason(m, r)
		if err != nil {
			return "", err
		}
		lines = append(lines, r.line(reason))
	}
	if len(lines) == 0 {
		return "", nil
	}
	lines = lines[:min(len(lines), maxListed)]
	if m.Seat == t.letter.seat {
		return t.say(m, "commanded", map[string]any{"who": t.operator, "lines": lines})
	}
	return t.say(m, "on-behalf", lines)
}

// pieces are the lines of the letter that may be orders. TEST may stand above a block.
func (c *cause) pieces() []orders.Piece {
	pieces := c.g.kit.grammar.Scan(c.letter.read.Lines)
	first := c.firstPiece()
	if c.tried && (len(pieces) == 0 || pieces[0].Line != first.Line) {
		pieces = slices.Insert(pieces, 0, first)
	}
	return pieces
}

// firstPiece is the first line of the letter that is not blank, as a piece.
func (c *cause) firstPiece() orders.Piece {
	for _, line := range c.letter.read.Lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if p := c.g.kit.grammar.Scan([]string{line}); len(p) > 0 {
			return p[0]
		}
	}
	return orders.Piece{}
}

// tests tells whether the letter begins with TEST.
func (c *cause) tests() bool {
	res := c.g.kit.grammar.Parse(c.firstPiece().Line, nil, false)
	return res.Order != nil && res.Order.Form == formTest
}

// try plays a letter on a copy of the game, as a cause of its own, and says what its writer would learn. Whatever else
// that cause gathers is dropped with it.
func (c *cause) try(m *Member, env rules.Env, letter rules.Letter) error {
	g, err := c.g.copy()
	if err != nil {
		return faultf("%w", err)
	}
	trial := c.w.cause(g)
	trial.letter, trial.operator, trial.to, trial.tried, trial.barred = c.letter, c.operator, c.to, true, c.barred
	env.Dice = g.state.Dice(g.seed, g.Name)
	produced, err := trial.play(g.seat(m.Seat), env, letter)
	if err != nil {
		return err
	}
	c.ruled, c.said, c.helped, c.tried = trial.ruled, trial.said, trial.helped, true
	events, err := numbered(produced, c.lastN, env.At)
	if err != nil {
		return faultf("%w", err)
	}
	var texts []string
	for _, ev := range events {
		if mayKnow(ev, m) {
			s, err := c.event(m, ev)
			if err != nil {
				return err
			}
			texts = append(texts, s)
		}
	}
	s, err := c.say(m, "tested", texts)
	c.said = append(c.said, answer{c.ruled[0].Line, s})
	return err
}
