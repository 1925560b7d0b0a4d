package turns

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"arroba/orders"
	"arroba/outbox"
	"arroba/rules"
	"arroba/store"
)

// work is what one transaction does: it gathers rows, and flush writes them in few statements.
type work struct {
	e   *Engine
	ctx context.Context
	tx  *sql.Tx
	now time.Time // the clock, read once

	games     map[string]*live     // touched so far; state nil after a fault
	until     map[string]time.Time // up to when each source was read
	crowded   map[string]bool      // games with more waiting letters than one transaction takes up
	letters   []*arrival           // to be written
	inputs    []logged
	snapshots []snapshot
	turns     []turned
	counts    map[tally]int // to be added to the engine's
	items     []outbox.Item
	drawn     []outbox.File  // pictures that they carry
	book      *book          // of writers, nil when no letter asked for it
	dismissed map[place]bool // seats whose holder changed: letters that waited were the former one's
	failed    error          // of the database, where nothing could return it
	fired     int            // due things
	held      int            // games
	verdicts  map[orders.Verdict]int
}

// logged is an input with the game whose log it belongs to.
type logged struct {
	game string
	Input
}

type snapshot struct {
	game  string
	n     int64
	state []byte
	hash  []byte
}

// game returns the live game of a name, the same one throughout the transaction.
func (w *work) game(name string) (*live, error) {
	if g := w.games[name]; g != nil {
		return g, nil
	}
	g, err := w.e.load(w.ctx, w.tx, name)
	if err != nil {
		return nil, err
	}
	w.games[name] = g
	return g, nil
}

// cause gathers what one cause does to a game: a letter and what its orders let happen at once, or what fired before it. Nothing of it counts until commit.
type cause struct {
	w      *work
	g      *live
	inputs []Input
	events []Event
	lastN  int64
	last   int64
	chain  []byte
	own    int64 // the input that the letter is

	letter   *arrival // of a letter: with what became of its lines and what was answered
	operator string   // gave the orders at the command line; "" for a letter
	ruled    []Ruled
	said     []answer

	to      string   // address of the receipt
	besides []string // addresses that get the receipt too
	left    bool     // its writer has left the game: he orders nothing more
	former  *Member  // he, when somebody else has his seat now; else nil
	resent  int64    // letters that are to be sent once more

	produced int // events of its lines so far

	barred  *rules.Ruling       // what all its lines get; nil for each its own
	done    []Said              // lines of it that were carried out before
	behalf  behalf              // of the lines that follow an AS
	opening bool                // it is the opening of the game: every member is welcomed
	helped  bool                // HELP was answered with what can be done now
	tried   bool                // TEST: it is tried on a copy, and nothing comes of it
	at      time.Time           // as of when it is ruled on
	pause   *pause              // how the game stands still after it; nil: as before
	changed []rules.Seat        // members who changed
	after   []func() error      // what else comes of the letter, once all of it stands
	pressed map[rules.Seat]*int // letters of members that were passed on today, once counted

	back
}

// answer is what one of the engine's questions was answered.
type answer struct {
	line, text string
}

// cause begins a cause in a game.
func (w *work) cause(g *live) *cause {
	return &cause{w: w, g: g, lastN: g.LastN, last: g.LastInput, chain: g.chain}
}

// add appends an input with its events, numbering and chaining both.
func (c *cause) add(in Input, produced []rules.Event) error {
	events, err := numbered(produced, c.lastN, in.At)
	if err != nil {
		return faultf("%w", err)
	}
	if in.Events, err = plain(events); err != nil {
		return faultf("%w", err)
	}
	if in.round, err = c.g.state.Round(); err != nil {
		return err
	}
	c.last++
	in.N, in.Chain = c.last, in.chained(c.chain)
	c.lastN += int64(len(events))
	in.lastN = c.lastN
	c.chain = in.Chain
	c.inputs = append(c.inputs, in)
	c.events = append(c.events, events...)
	return nil
}

// commit renders what tells of the cause and adds everything to the transaction. After an error nothing was added.
func (c *cause) commit() error {
	t, err := c.telling()
	if err != nil {
		return faultf("telling of it: %w", err)
	}
	items, err := t.tell()
	if err != nil {
		return faultf("telling of it: %w", err)
	}
	g := c.g
	var state []byte
	if len(c.turns) > 0 {
		if state, err = g.state.Encode(); err != nil {
			return faultf("%w", err)
		}
	}
	for _, seat := range c.changed {
		if err := c.w.changed(g, seat); err != nil {
			return err
		}
	}
	g.LastN, g.LastInput, g.chain = c.lastN, c.last, c.chain
	if n := len(c.inputs); n > 0 && c.inputs[n-1].Kind == kindDue {
		g.present = c.inputs[n-1].At
	}
	if c.pause != nil {
		g.Paused, g.PauseWhy = c.pause.since, c.pause.why
	}
	if c.last > 0 {
		g.awaitDigest(t.events, t.data)
	}
	for _, in := range c.inputs {
		c.w.inputs = append(c.w.inputs, logged{g.Name, in})
		g.since += len(in.Body) + len(in.Events)
	}
	c.w.items, c.w.drawn = append(c.w.items, items...), append(c.w.drawn, t.drawn.kept...)
	for _, r := range c.ruled {
		c.w.verdicts[r.Verdict]++
	}
	for _, f := range c.after {
		if err := f(); err != nil {
			return err
		}
	}
	for _, t := range c.turns {
		c.w.turns = append(c.w.turns, turned{g.Name, t})
	}
	if state != nil { // so that nobody plays a ROLLBACK again just to read the game
		c.w.keepState(g, state)
	}
	return nil
}

// settle brings up to date what follows from a game's state: when something falls due next, and whether a snapshot is
// worth while.
func (w *work) settle(g *live) error {
	if g.state == nil {
		return nil
	}
	var err error
	if g.NextDue, err = g.nextDue(); err != nil {
		return err
	}
	g.awaitRegister(w.now)
	if g.since > max(g.kept, minSnapshot) {
		return w.snapshot(g)
	}
	return nil
}

// minSnapshot is how many bytes of log are played again sooner than a snapshot is written.
const minSnapshot = 256 << 10

// onTime is how late the engine may come to something without its being late.
const onTime = time.Minute

// late is when the engine has come to something, zero when it came on time.
func (w *work) late(at time.Time) (now time.Time) {
	if w.now.Sub(at) > onTime {
		now = w.now
	}
	return now
}

// flush writes everything that was gathered.
func (w *work) flush() error {
	if w.failed != nil {
		return w.failed
	}
	for name, g := range w.games {
		if err := w.settle(g); isFault(err) {
			if err := w.hold(g, nil, err); err != nil {
				return err
			}
		} else if err != nil {
			return fmt.Errorf("settling the game %s: %w", name, err)
		}
	}
	for _, write := range []func() error{w.writeLetters, w.writeInputs, w.writeSnapshots, w.writeTurns, w.writeGames, w.writeDrawn} {
		if err := write(); err != nil {
			return err
		}
	}
	if len(w.items) == 0 {
		return nil
	}
	return outbox.Queue(w.ctx, w.tx, w.now, w.items)
}

func (w *work) writeInputs() error {
	rows := make([][]any, len(w.inputs))
	for i, in := range w.inputs {
		rows[i] = []any{in.game, in.N, in.Kind, store.Micro(in.At), in.Inbox, string(in.Seat), in.lastN, in.round, string(in.Body), string(in.Events), in.Chain}
	}
	w.inputs = nil
	return w.insert(`input (game, n, kind, at, inbox, seat, last_n, round, body, events, chain)`, rows)
}

func (w *work) writeSnapshots() error {
	rows := make([][]any, len(w.snapshots))
	for i, s := range w.snapshots {
		rows[i] = []any{s.game, s.n, s.state, s.hash}
	}
	w.snapshots = nil
	return w.insert(`snapshot (game, n, state, hash)`, rows)
}

func (w *work) writeGames() error {
	for _, g := range w.games {
		due := sql.NullInt64{Int64: store.Micro(g.NextDue), Valid: !g.NextDue.IsZero()}
		_, err := w.tx.ExecContext(w.ctx, `UPDATE game SET last_n = $1, last_input = $2, chain = $3, next_due = $4, held = $5,
			paused = $6, pause_why = $7, reminded = $8, digested = $9, digest_due = $10, register_due = $11, version = $12, started = $13 WHERE name = $14`,
			g.LastN, g.LastInput, g.chain, due, store.Text(g.Held), microOr(g.Paused), store.Text(g.PauseWhy), microOr(g.Reminded), g.Digested, microOr(g.DigestDue), microOr(g.RegisterDue),
			g.Version, microOr(g.Started), g.Name)
		if err != nil {
			return fmt.Errorf("writing the game %s: %w", g.Name, err)
		}
	}
	return nil
}

// maxPlaceholders lies below what databases take in one statement.
const maxPlaceholders = 400

// insert writes rows of one table in as few statements as may be.
func (w *work) insert(into string, rows [][]any) error {
	for len(rows) > 0 {
		part := rows[:min(len(rows), maxPlaceholders/len(rows[0]))]
		rows = rows[len(part):]
		var q strings.Builder
		args := make([]any, 0, len(part)*len(part[0]))
		q.WriteString("INSERT INTO " + into + " VALUES ")
		for i, row := range part {
			if i > 0 {
				q.WriteByte(',')
			}
			writeRow(&q, len(args), len(row))
			args = append(args, row...)
		}
		if _, err := w.tx.ExecContext(w.ctx, q.String(), args...); err != nil {
			table, _, _ := strings.Cut(into, " ")
			return fmt.Errorf("writing %d rows of %s: %w", len(part), table, err)
		}
	}
	return nil
}

// writeRow writes the placeholders of one row, the first one after n.
func writeRow(q *strings.Builder, n, columns int) {
	for c := range columns {
		fmt.Fprintf(q, "%c$%d", "(,"[min(c, 1)], n+c+1)
	}
	q.WriteByte(')')
}

// snapshot keeps the state of a game as it is.
func (w *work) snapshot(g *live) error {
	b, err := g.state.Encode()
	if err != nil {
		return faultf("%w", err)
	}
	w.keepState(g, b)
	return nil
}

// keepState is snapshot for a state that is encoded already.
func (w *work) keepState(g *live, b []byte) {
	sum := sha256.Sum256(b)
	w.snapshots = append(w.snapshots, snapshot{game: g.Name, n: g.LastInput, state: b, hash: sum[:]})
	g.since, g.kept = 0, len(b)
}

// write runs one transaction, and drops from memory what it touched when it did not commit. Call with the lock held.
func (e *Engine) write(ctx context.Context, f func(*work) error) error {
	w := &work{e: e, ctx: ctx, now: e.clock(), games: map[string]*live{}, crowded: map[string]bool{}, until: map[string]time.Time{}, dismissed: map[place]bool{}, counts: map[tally]int{}, verdicts: map[orders.Verdict]int{}}
	err := e.DB.Write(ctx, func(tx *sql.Tx) error {
		w.tx = tx
		return guarded(func() error {
			if err := f(w); err != nil {
				return err
			}
			return w.flush()
		})
	})
	var p *rules.PanicError
	if errors.As(err, &p) {
		e.Log.Error("a transaction failed", "error", err, "stack", p.Stack)
	}
	for name, g := range w.games {
		if err != nil || g.state == nil {
			e.forget(name)
		} else {
			e.keep(g)
		}
	}
	if err == nil {
		e.Metrics.count(w)
		e.keepCounts(w)
		if len(w.items) > 0 {
			e.Wake()
		}
	}
	return err
}
