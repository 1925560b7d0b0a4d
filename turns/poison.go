package turns

import (
	"context"

	"arroba/ingest"
)

// poisonTries is how often a batch may fail before its letters are handled one by one.
const poisonTries = 3

// handle hands a batch to the engine. Where one letter makes the engine fail, whatever the reason, the others must go
// on: a batch that failed three times is handled letter by letter, and a letter that fails alone is set aside.
func (r *Reader) handle(ctx context.Context, at ingest.Cursor, b ingest.Batch) (Handled, error) {
	h, err := r.Engine.Handle(ctx, r.Name, b)
	if err == nil {
		r.failed = 0
		return h, nil
	}
	if r.failed++; r.failed < poisonTries || ctx.Err() != nil {
		return h, err
	}
	r.Engine.Log.Error("a batch failed again and again, and is handled letter by letter", "source", r.Name, "letters", len(b.Messages), "error", err)
	// What fails without a letter is no letter's fault: nothing is set aside then.
	if _, err := r.Engine.Handle(ctx, r.Name, ingest.Batch{Next: at}); err != nil {
		return h, err
	}
	return r.handleEach(ctx, at, b)
}

func (r *Reader) handleEach(ctx context.Context, at ingest.Cursor, b ingest.Batch) (all Handled, err error) {
	for _, m := range b.Messages {
		h, err := r.Engine.Handle(ctx, r.Name, ingest.Batch{Messages: []ingest.Message{m}, Next: at})
		if err != nil && ctx.Err() == nil {
			err = r.Engine.setAside(ctx, r.Name, m, err)
		}
		if err != nil {
			return all, err
		}
		all.Letters, all.Done = append(all.Letters, h.Letters...), append(all.Done, h.Done...)
	}
	h, err := r.Engine.Handle(ctx, r.Name, ingest.Batch{Next: b.Next, Until: b.Until})
	if err != nil {
		return all, err
	}
	r.failed = 0
	all.Letters = append(all.Letters, h.Letters...)
	return all, nil
}

// setAside keeps a letter that makes the engine fail, as it came, and tells the operator.
func (e *Engine) setAside(ctx context.Context, source string, m ingest.Message, why error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.Log.Error("a letter is set aside", "source", source, "key", m.Key, "error", why)
	return e.write(ctx, func(w *work) error {
		book, err := w.openBook()
		if err != nil {
			return err
		}
		a := arrive(e.NewID(w.now), source, m, w.now, w.options(book))
		a.settle(ingest.Failed, why.Error())
		w.letters = append(w.letters, a)
		w.alarm("quarantined", a.shown())
		return nil
	})
}
