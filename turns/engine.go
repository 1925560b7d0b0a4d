// Package turns runs games: it joins letters, orders, rules, log and outbox into one way through.
//
// Its promise: a letter that was read is ruled on once, in the order of arrival within its game, by what its game was
// at that instant, and everybody concerned is told once; a letter that cannot be ruled on is kept and shown to a
// person; what goes wrong in one game stops that game only; and every result can be worked out again from the log.
//
// Handle takes a batch of letters and Tick what falls due, each in one transaction. Both work out, letter by letter
// and due thing by due thing, a cause: the log's entries, the events, and the mails that tell of them. A cause that is
// whole is added to what the transaction will write; one that fails in a rule or a text is dropped whole, its game is
// held, and the next letter goes on. Rows are written in few statements at the end, together with how far the source
// was read. Live states stay in memory from one transaction to the next, and are dropped whenever memory and database
// may differ: after a failure, a transaction that did not commit, or the work of another process.
//
// Before a letter is ruled on, everything due by its arrival fires. A due instant waits until every source that feeds
// its game was read past it, and a letter behind such an instant waits with it (status waiting in the inbox). With one
// source that is the time up to which the letter's own batch was read; so a letter that comes just after a deadline
// waits for the next poll, which is at once.
package turns

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"

	"arroba/ingest"
	"arroba/orders"
	"arroba/rules"
	"arroba/store"
	"arroba/templates"
)

// Config is what an Engine works with.
type Config struct {
	DB       *store.DB
	Rulesets map[string]*rules.Ruleset
	Now      func() time.Time
	Steady   func() time.Duration // a clock that nobody sets, to hold Now against; nil: Now is believed whatever it says
	Log      *slog.Logger
	Operator string // address that alarms go to; "" sends none
	BoardURL string // address of the web board; "" when nobody can reach it
	Mailbox  string // of games that name none
	Sender   string // address that mail is sent from, of games that name none, and of alarms
	Feeds    []Feed
	Forums   []Forum
	Limits   Limits

	MaxAttachment int64 // bytes of an attached file that is kept beside its letter; DefaultMaxAttachment when 0

	Draw func(p rules.Picture, language string) ([]byte, error) // makes a PNG of a picture for a mail; nil: mails have none

	NoHints bool                   // writers of letters without an order are not told so
	NewID   func(time.Time) string // of letters; store.NewID when nil
	NewCode func() string          // that confirms something by mail; drawn at random when nil
	Wake    func()                 // called after a commit that queued something; may be nil

	GameLimits map[string]Limits // of games that have their own
}

// Feed is a source as games know it: what falls due in a game waits for all that feed it.
type Feed struct {
	Name    string
	Address string // the mailbox that it reads; "" when that is not known
	Game    string // the only game that it feeds; "" for all with that mailbox
}

// Forum is a board whose threads games read, and may be posted to.
type Forum struct {
	Name   string              // in the config
	Own    []string            // names and ids of the accounts that we post from: what they write is no letter. None: nothing is posted there
	Limit  int                 // characters of one post; DefaultPostLimit when 0
	Markup func(string) string // what a text becomes there, which may be longer; nil: it stays as it is
}

// DefaultPostLimit is how many characters a post may have on the strictest of the boards.
const DefaultPostLimit = 9000

// Engine runs all games of a database. Its methods are safe for concurrent use; they run one after another.
type Engine struct {
	Config
	kits    map[string]*kit
	alarms  *templates.Texts
	joins   *orders.Grammar // what somebody unknown may order
	cost    int             // of bcrypt
	Metrics Metrics

	mu        sync.Mutex
	live      map[string]*live
	directory *directory // nil when it was not needed yet
	uses      int64
	counts    map[tally]int
	seen      moment // what the clocks showed last
}

// kit is a ruleset with what is compiled from it once.
type kit struct {
	*rules.Ruleset
	grammar *orders.Grammar        // the engine's orders and the ruleset's
	own     map[string]engineOrder // the engine's orders by the IDs of their forms
	texts   *templates.Texts
}

// accepts is the rule under which one of the engine's orders is accepted.
func (k *kit) accepts(o engineOrder) string {
	if o.gm() {
		return cmp.Or(k.IDs.GM, o.Rule)
	}
	return o.Rule
}

// New returns an Engine. The error says which ruleset's forms or texts are at fault.
func New(c Config) (*Engine, error) {
	e := &Engine{Config: c, cost: bcrypt.DefaultCost, kits: map[string]*kit{}, live: map[string]*live{}, counts: map[tally]int{}, Metrics: newMetrics()}
	if e.Log == nil {
		e.Log = slog.New(slog.DiscardHandler)
	}
	if e.NewID == nil {
		e.NewID = store.NewID
	}
	if e.NewCode == nil {
		e.NewCode = newToken
	}
	if e.Wake == nil {
		e.Wake = func() {}
	}
	e.joins = joinGrammar()
	own, grammar := compileOwn()
	var err error
	if e.alarms, err = templates.New(nil); err != nil {
		return nil, err
	}
	for name, r := range c.Rulesets {
		k := &kit{Ruleset: r, own: own}
		if k.grammar, err = orders.Join(grammar, r.Grammar); err != nil {
			return nil, fmt.Errorf("joining the orders of %s with the engine's: %w", name, err)
		}
		if k.texts, err = templates.New(r, k.grammar); err != nil {
			return nil, fmt.Errorf("reading the texts of %s: %w", name, err)
		}
		e.kits[name] = k
	}
	return e, nil
}

// compileOwn makes a grammar of the engine's own orders, and a table to look them up by the IDs of their forms.
func compileOwn() (map[string]engineOrder, *orders.Grammar) {
	own := map[string]engineOrder{}
	var forms []orders.Form
	for _, o := range ownOrders() {
		own[o.ID] = o
		forms = append(forms, o.Form)
	}
	return own, orders.MustGrammar(orders.Spec{Forms: forms})
}

// clock reads the clock, as fine as the database keeps instants: what is ruled on now must come out the same when it is
// played again from there.
func (e *Engine) clock() time.Time { return fine(e.Now()) }

func fine(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// feeds returns the names of the sources that feed a game: its threads, and what reads its mailbox.
func (e *Engine) feeds(g *Game) (names []string) {
	for _, t := range g.Settings.Threads {
		names = append(names, t.Name())
	}
	var named, others []string
	for _, f := range e.Feeds {
		switch {
		case f.Game == g.Name || f.Game == "" && foldAddress(f.Address) == foldAddress(g.Mailbox):
			named = append(named, f.Name)
		case f.Game == "":
			others = append(others, f.Name)
		}
	}
	if len(named) > 0 {
		return append(names, named...)
	}
	return append(names, others...) // none reads its mailbox: letters may come through any
}

// ErrUnknownGame says that there is no game of that name.
var ErrUnknownGame = errors.New("there is no such game")

// View returns what a viewer may see of a game, as JSON: it is encoded while nothing can change the state.
func (e *Engine) View(ctx context.Context, game string, v rules.Viewer) (json.RawMessage, error) {
	var out json.RawMessage
	err := e.look(ctx, game, func(g *live) error {
		view, err := g.state.View(v)
		if err != nil {
			return err
		}
		out, err = json.Marshal(view)
		return err
	})
	return out, err
}

// Pictures returns the drawings of a game that a viewer may see.
func (e *Engine) Pictures(ctx context.Context, game string, v rules.Viewer) ([]rules.Picture, error) {
	var out []rules.Picture
	err := e.look(ctx, game, func(g *live) (err error) {
		v.Now, v.Zone = e.Now(), g.Zone
		out, err = g.state.Pictures(v)
		return err
	})
	return out, err
}

// Texts returns the texts of a ruleset with the engine's.
func (e *Engine) Texts(ruleset string) (*templates.Texts, error) {
	k := e.kits[ruleset]
	if k == nil {
		return nil, fmt.Errorf("the ruleset %q is not built into this program", ruleset)
	}
	return k.texts, nil
}

// Content returns a file that came with a letter, by its hash: what mails to a GM carry.
func (e *Engine) Content(ctx context.Context, hash string) ([]byte, error) {
	return ingest.Content(ctx, e.DB.Read(), hash)
}

// look shows the live state of a game to a function that only reads it.
func (e *Engine) look(ctx context.Context, game string, f func(*live) error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	g, err := e.load(ctx, e.DB.Read(), game)
	if err != nil {
		return err
	}
	if err := f(g); err != nil {
		e.forget(game)
		return fmt.Errorf("looking at the game %s: %w", game, err)
	}
	return nil
}
