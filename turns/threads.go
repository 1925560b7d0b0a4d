package turns

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"arroba/ingest"
	"arroba/store"
)

const (
	threadEvery = 10 * time.Minute // between two readings of a thread, when nothing else is said
	threadLeast = 30 * time.Second // whatever hurries them
	lookEvery   = 10 * time.Second // whether games have come, ended, or read other threads now
	sinceMost   = 60 * 24 * time.Hour
)

// Threads is the step that reads the threads of forums: with a Reader for each that a game reads which goes on. Games may
// come, change and end while it runs. The fields are set before the first call.
type Threads struct {
	Engine *Engine

	// Open returns the source of a thread, and how often it is read. Posts since the instant that since tells may still be
	// changed by their writers.
	Open func(t Thread, since func(context.Context) time.Time) (ingest.Source, time.Duration, error)

	mu      sync.Mutex
	readers map[string]*Reader // by the name of the thread
}

// update makes readers for threads that have none, and drops those of threads that no game reads any more.
func (t *Threads) update(ctx context.Context) error {
	read, err := t.Engine.threads(ctx)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.readers == nil {
		t.readers = map[string]*Reader{}
	}
	for name := range t.readers {
		if _, ok := read[name]; !ok {
			delete(t.readers, name)
		}
	}
	for name, th := range read {
		if t.readers[name] == nil {
			t.readers[name] = t.open(th)
		}
	}
	return nil
}

// open makes the reader of a thread. Where there is none to be had, it says so whenever it is asked.
func (t *Threads) open(th Thread) *Reader {
	name := th.Name()
	src, every, err := t.Open(th, func(ctx context.Context) time.Time { return t.Engine.phaseBegan(ctx, name) })
	if err != nil {
		src = unopened{err}
	}
	return &Reader{Engine: t.Engine, Name: name, Source: src, Every: cmp.Or(every, threadEvery), Least: threadLeast, Thread: true}
}

// noBoard is what stops a thread of no board in the config.
const noBoard = "config"

// unopened is the source of a thread that the config has no forum for.
type unopened struct{ err error }

func (u unopened) Poll(context.Context, ingest.Cursor) (ingest.Batch, error) {
	return ingest.Batch{}, &ingest.StopError{Kind: noBoard, Err: u.err}
}

// list returns the readers, by name.
func (t *Threads) list() []*Reader {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []*Reader
	for _, r := range t.readers {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *Reader) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// Health tells how each thread does.
func (t *Threads) Health() (list []Health) {
	for _, r := range t.list() {
		list = append(list, r.Health())
	}
	return list
}

// Hurry makes Run read a thread soon, if there is one of that name.
func (t *Threads) Hurry(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.readers[name]; r != nil {
		r.Hurry()
	}
}

// Once reads all that the threads have now.
func (t *Threads) Once(ctx context.Context) error {
	if err := t.update(ctx); err != nil {
		return err
	}
	var errs []error
	for _, r := range t.list() {
		if _, err := r.Once(ctx); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Run reads the threads until ctx ends.
func (t *Threads) Run(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	running := map[*Reader]context.CancelFunc{}
	for {
		if err := t.update(ctx); err != nil && ctx.Err() == nil {
			t.Engine.Log.Error("the threads that games read cannot be found", "error", err)
		}
		list := t.list()
		for r, stop := range running {
			if !slices.Contains(list, r) {
				stop()
				delete(running, r)
			}
		}
		for _, r := range list {
			if running[r] != nil {
				continue
			}
			mine, stop := context.WithCancel(ctx)
			running[r] = stop
			all.Go(func() {
				defer stop()
				_ = r.Run(mine) // it ends with its context only
			})
		}
		sleep(ctx, lookEvery)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// threads returns the threads of the games that are not over, by name.
func (e *Engine) threads(ctx context.Context) (map[string]Thread, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d, err := e.openDirectory(ctx, e.DB.Read())
	if err != nil {
		return nil, err
	}
	read := map[string]Thread{}
	for name, games := range d.threads {
		for _, g := range games {
			if e.isOver(ctx, g.Name) {
				continue
			}
			for _, t := range g.Settings.Threads {
				if t.Name() == name {
					read[name] = t
				}
			}
		}
	}
	return read, ctx.Err()
}

// isOver tells whether a game has ended. One that cannot be looked at has not. Call with the lock held.
func (e *Engine) isOver(ctx context.Context, name string) bool {
	g, err := e.load(ctx, e.DB.Read(), name)
	if err != nil || g.state == nil || g.Forming() {
		return false
	}
	over, err := g.state.Over()
	return over && err == nil
}

// phaseBegan is since when posts of a thread may still be changed by their writers with some effect: since the last thing
// that fell due in the games that read it, or since they were opened.
func (e *Engine) phaseBegan(ctx context.Context, thread string) time.Time {
	began, now := time.Time{}, e.Now()
	e.mu.Lock()
	d, err := e.openDirectory(ctx, e.DB.Read())
	e.mu.Unlock()
	if err != nil {
		return began // the newest pages are looked at all the same
	}
	for _, g := range d.threads[thread] {
		var at sql.NullInt64
		err := e.DB.Read().QueryRowContext(ctx, `SELECT MAX(at) FROM input WHERE game = $1 AND kind IN ($2, $3)`, g.Name, kindDue, kindOpen).Scan(&at)
		if err == nil && at.Valid && (began.IsZero() || store.Time(at.Int64).Before(began)) {
			began = store.Time(at.Int64)
		}
	}
	if earliest := now.Add(-sinceMost); !began.IsZero() && began.Before(earliest) {
		return earliest
	}
	return began
}

// tellReaders sends one of the engine's texts to the GMs of the games that read a thread.
func (e *Engine) tellReaders(ctx context.Context, thread, text string, data map[string]any) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	err := e.write(ctx, func(w *work) error {
		d, err := e.openDirectory(ctx, w.tx)
		if err != nil {
			return err
		}
		for _, g := range d.threads[thread] {
			if err := w.tellGMsOf(g.Name, text, data); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("telling the GMs who read %s: %w", thread, err)
	}
	return nil
}
