package turns

import (
	"context"
	"fmt"
	"time"

	"arroba/ingest"
	"arroba/rules"
)

// Overview is a game as who runs the server may want to see it.
type Overview struct {
	*Game
	Deadlines []rules.Deadline // that a GM may know of
	Unread    error            // why the state cannot be read; nil when it can
	Reads     []Read
	Letters   map[string]int     // that are not done, by status
	Troubles  map[string]Trouble // by folded address
}

// Read is a source that feeds a game, and up to when it was read.
type Read struct {
	Source string
	Until  time.Time // zero: never
}

// Overview looks at a game, even one that cannot be played.
func (e *Engine) Overview(ctx context.Context, game string) (*Overview, error) {
	q := e.DB.Read()
	g, err := LoadGame(ctx, q, game)
	if err != nil {
		return nil, err
	}
	o := &Overview{Game: g}
	o.Unread = e.look(ctx, game, func(l *live) error {
		o.Deadlines, err = l.state.Waits(rules.Viewer{GM: true})
		for i := range o.Deadlines {
			o.Deadlines[i].Data = l.forPeople(o.Deadlines[i].Data)
		}
		return err
	})
	for _, name := range e.feeds(g) {
		_, until, err := ingest.Load(ctx, q, name)
		if err != nil {
			return nil, err
		}
		o.Reads = append(o.Reads, Read{name, until})
	}
	if o.Letters, err = ingest.Unsettled(ctx, q, game); err != nil {
		return nil, err
	}
	if o.Troubles, err = Troubles(ctx, q, game, e.clock()); err != nil {
		return nil, fmt.Errorf("looking at the game %s: %w", game, err)
	}
	return o, nil
}
