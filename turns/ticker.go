package turns

import (
	"context"
	"time"
)

// Ticker is the step that lets fall due what is due, in every game. The fields are set before the first call.
type Ticker struct {
	Engine  *Engine
	Readers []*Reader     // hurried when a due instant waits for them
	Threads *Threads      // so are theirs; may be nil
	Every   time.Duration // between looks; a second when 0
}

// Once brings every game up to date. What waits for a source is left, and its readers are hurried.
func (t *Ticker) Once(ctx context.Context) error {
	behind, err := t.Engine.Tick(ctx)
	for _, game := range behind {
		t.hurry(ctx, game)
	}
	return err
}

func (t *Ticker) hurry(ctx context.Context, name string) {
	g, err := LoadGame(ctx, t.Engine.DB.Read(), name)
	if err != nil {
		t.Engine.Log.Error("the sources of a game cannot be hurried", "game", name, "error", err)
		return
	}
	for _, feed := range t.Engine.feeds(g) {
		for _, r := range t.Readers {
			if r.Name == feed {
				r.Hurry()
			}
		}
		if t.Threads != nil {
			t.Threads.Hurry(feed)
		}
	}
}

// Run does Once again and again until ctx ends. Errors are logged once until they end.
func (t *Ticker) Run(ctx context.Context) error {
	every := t.Every
	if every == 0 {
		every = time.Second
	}
	failing := false
	for {
		err := t.Once(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !failing {
			t.Engine.Log.Error("what falls due cannot be looked after", "error", err)
		}
		failing = err != nil
		sleep(ctx, every)
	}
}
