package turns

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"arroba/rules"
	"arroba/worlds"
)

// Check opens a game from its file in memory and throws it away. The error names file, line, key and remedy.
func (e *Engine) Check(f *GameFile) error {
	g, err := e.found(f)
	if err == nil {
		_, err = g.open(f, g.Created)
	}
	return err
}

// Create opens a game: its row, its members, the opening's events and what tells of them, in one transaction.
func (e *Engine) Create(ctx context.Context, f *GameFile) error {
	g, err := e.found(f)
	if err != nil {
		return err
	}
	produced, err := g.open(f, g.Created)
	if err != nil {
		return err
	}
	err = e.enter(ctx, f, g, func(w *work) error { return w.begin(f, g, produced) })
	if err == nil {
		e.Log.Info("a game was opened", "game", g.Name, "ruleset", g.Ruleset)
	}
	return err
}

// enter writes a new game and its members, and what else belongs to its beginning, in one transaction.
func (e *Engine) enter(ctx context.Context, f *GameFile, g *live, then func(*work) error) error {
	if err := g.lock(e.cost); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.write(ctx, func(w *work) error {
		if err := w.enter(f, g); err != nil {
			return err
		}
		return then(w)
	})
}

// found makes a game of a file, which is not opened yet.
func (e *Engine) found(f *GameFile) (*live, error) {
	k := e.kits[f.Ruleset]
	if k == nil {
		return nil, f.at("ruleset", "%q is not known; write one of %s", f.Ruleset, e.rulesetNames())
	}
	if err := f.checkScopes(k); err != nil {
		return nil, err
	}
	g := &live{kit: k, state: k.Unopened(), Game: Game{
		Name: f.Name, Ruleset: f.Ruleset, Title: f.Title, Language: f.Language, Zone: f.Zone,
		Mailbox: cmp.Or(f.Mailbox, e.Mailbox), Sender: cmp.Or(f.Sender, f.Mailbox, e.Sender, e.Mailbox), Created: e.clock(),
		Settings: f.Settings, LastInput: -1, Members: slices.Clone(f.Members), Copies: f.Copies, seed: cmp.Or(f.Seed, rand.Text()), chain: []byte{},
	}}
	g.Settings.Calendar = g.Settings.Calendar.Over(k.Keeps)
	if c := g.Settings.Calendar; c.Days != nil && !c.Says() {
		return nil, f.at("calendar.at", "is missing; write the time of day of deadlines, as \"20:00\"")
	}
	if g.Mailbox == "" {
		return nil, f.at("mailbox", "is missing; write the address that letters come to")
	}
	for i := range g.Members {
		g.Members[i].Link = newLink()
	}
	return g, nil
}

// open begins the ruleset's part of a game with the members there are.
func (g *live) open(f *GameFile, at time.Time) ([]rules.Event, error) {
	world := rules.World{Game: g.Name, Start: at, Zone: g.Zone, Calendar: g.Settings.Calendar, Decode: f.world, File: f.besides}
	for _, m := range g.Members {
		world.Members = append(world.Members, rules.Member{Seat: m.Seat, Role: m.Role})
	}
	state, produced, err := g.kit.Open(world, g.seed)
	if err != nil {
		return nil, f.worldError(err)
	}
	g.state, g.Started, g.Version = state, at, g.kit.Version
	return append([]rules.Event{seedCommitted(g.seed)}, produced...), nil
}

// seedCommitted publishes the hash of the secret seed, so that everybody can check every draw once the seed is shown.
func seedCommitted(seed string) rules.Event {
	sum := sha256.Sum256([]byte(seed))
	return rules.Event{Type: "seed-committed", Rule: "E-SEED", To: rules.Audience{Tavern: true, GM: true, Copies: true},
		Data: rules.Data{"hash": hex.EncodeToString(sum[:])}}
}

// seedShown lets everybody check them.
func seedShown(seed string) rules.Event {
	return rules.Event{Type: "seed-shown", Rule: "E-SEED", To: rules.Audience{Tavern: true, GM: true, Copies: true},
		Data: rules.Data{"seed": seed}}
}

// enter writes a new game with its members.
func (w *work) enter(f *GameFile, g *live) error {
	var n int
	if err := w.tx.QueryRowContext(w.ctx, `SELECT COUNT(*) FROM game WHERE LOWER(name) = $1`, strings.ToLower(g.Name)).Scan(&n); err != nil {
		return fmt.Errorf("looking for a game of that name: %w", err)
	}
	if n > 0 {
		return f.at("name", "a game called %q is there already; write another name", g.Name)
	}
	w.games[g.Name] = g
	return insertGame(w.ctx, w.tx, g)
}

// begin logs the opening of a game, and tells of it.
func (w *work) begin(f *GameFile, g *live, produced []rules.Event) error {
	state, err := g.state.Encode()
	if err != nil {
		return err
	}
	sum := sha256.Sum256(state)
	body, err := plain(OpenBody{hex.EncodeToString(sum[:])})
	if err != nil {
		return err
	}
	c := w.cause(g)
	c.opening = true
	if err := c.add(Input{Kind: kindOpen, At: g.Started, Body: body}, produced); err != nil {
		return err
	}
	if err := c.commit(); err != nil {
		return f.at("world", "the opening cannot be told: %v", err)
	}
	w.keepState(g, state)
	return nil
}

// besides reads a file that [world] names; its path is relative to the game's file.
func (f *GameFile) besides(name string) ([]byte, error) {
	if !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%q leaves the folder of %s; name a file beside it", name, f.name)
	}
	if data, ok := f.kept[name]; ok {
		return data, nil
	}
	if f.kept == nil {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(f.name), name))
		if !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	data, err := worlds.Files.ReadFile(name)
	if err != nil && f.kept != nil {
		return nil, fmt.Errorf("%q is not kept: [world] of %s did not name it when the game was created", name, f.name)
	}
	return data, err
}

// leadingKey is the path of a key at the beginning of a ruleset's complaint about [world].
var leadingKey = regexp.MustCompile(`^(?:world\.)?([^:]+): `)

// furtherKey is the path of a further key that the complaint is about.
var furtherKey = regexp.MustCompile(`\((world\.[^()]+)\)`)

func (e *Engine) rulesetNames() string {
	var names []string
	for name := range e.kits {
		names = append(names, fmt.Sprintf("%q", name))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
