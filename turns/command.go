package turns

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"arroba/ingest"
	"arroba/ingest/letter"
	"arroba/orders"
	"arroba/outbox"
	"arroba/rules"
	"arroba/templates"
)

// viaCommand is how orders come that are given at the server's command line.
const viaCommand = "command"

// Commanded is what became of orders that were given at the command line, in English.
type Commanded struct {
	Input   int64 // of the game's log
	Lines   []templates.Line
	Answers []string // to questions
	News    []string // what came of it
	Told    int      // mails that tell of it
}

// Refused tells whether something was not accepted.
func (c Commanded) Refused() bool {
	return slices.ContainsFunc(c.Lines, func(l templates.Line) bool { return l.Verdict != orders.Accepted })
}

// Command gives a GM's orders for who runs the server, whose name is who: in the seat of the GM with a nick, the first
// when it is "". They are ruled on as a letter's are, every line of them an order, and logged with the name; the GM in
// whose seat they are given is told of them, and whom else they concern.
//
// They wait for nothing: when something has fallen due that waits for its sources, or a fault holds the game, they are
// given as of the instant before.
func (e *Engine) Command(ctx context.Context, game, who, gm string, lines []string) (out Commanded, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	err = e.write(ctx, func(w *work) error {
		out, err = w.command(game, who, gm, lines)
		return err
	})
	if err != nil {
		return Commanded{}, fmt.Errorf("giving orders in the game %s: %w", game, err)
	}
	return out, nil
}

// What a command may lack.
var (
	ErrNoOrders = errors.New("there is no order in it")
	ErrNoGM     = errors.New("the game has no such GM")
)

// Announces tells whether lines are an announcement, and nothing stands below its end.
func Announces(lines []string) bool {
	_, own := compileOwn()
	pieces := own.Scan(lines)
	return len(pieces) == 1 && len(pieces[0].Text) == len(lines)-2
}

func (w *work) command(game, who, gm string, lines []string) (out Commanded, err error) {
	g, err := w.game(game)
	if err != nil {
		return out, err
	}
	m, err := g.gm(gm)
	if err != nil {
		return out, err
	}
	at, err := w.commandedAt(g)
	if err != nil {
		return out, err
	}
	a := &arrival{seat: m.Seat, entry: ingest.Row{Via: viaCommand, Game: game, Arrived: at}, read: letter.Letter{Lines: inBlock(lines)}}
	a.cover(&g.Game)
	c := w.cause(g)
	c.letter, c.operator = a, who
	reader := *m
	reader.Language, reader.Zone = "en", g.Zone
	before := len(w.items)
	heard, err := c.hear(&reader, at)
	if err == nil && !heard {
		err = ErrNoOrders
	}
	if err != nil {
		return out, err
	}
	return c.commanded(&reader, w.items[before:])
}

// gm returns the GM with a nick, the first when it is "".
func (g *Game) gm(nick string) (*Member, error) {
	for i := range g.Members {
		if m := &g.Members[i]; m.Role == rules.GM && (nick == "" || orders.Fold(m.Nick) == orders.Fold(nick)) {
			return m, nil
		}
	}
	return nil, fmt.Errorf("%w: %q", ErrNoGM, nick)
}

// commandedAt fires what is due, and returns the instant at which orders from the command line are given.
func (w *work) commandedAt(g *live) (at time.Time, err error) {
	if g.Held == "" {
		if _, err := w.fireBefore(g, w.now); err != nil {
			return at, err
		}
	}
	at = w.now
	d, waits, err := g.dueBefore(at)
	if err != nil {
		return at, err
	}
	if waits {
		at = d.At
		if !d.After {
			at = at.Add(-time.Microsecond)
		}
	}
	return g.notBefore(at), nil
}

// inBlock makes every line of a command an order.
func inBlock(lines []string) []string {
	return slices.Concat([]string{"ORDERS"}, lines, []string{"END"})
}

// commanded is what became of the orders, for their giver to read.
func (c *cause) commanded(reader *Member, told []outbox.Item) (out Commanded, err error) {
	out = Commanded{Input: c.own}
	for _, it := range told {
		if it.Via == viaMail {
			out.Told++
		}
	}
	for _, r := range c.ruled {
		out.Lines = append(out.Lines, r.line(r.Reason))
	}
	for _, a := range c.said {
		out.Answers = append(out.Answers, a.text)
	}
	for _, ev := range c.events {
		text, err := c.event(reader, ev)
		if err != nil {
			return out, err
		}
		out.News = append(out.News, text)
	}
	return out, nil
}
