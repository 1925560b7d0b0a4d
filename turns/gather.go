package turns

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"arroba/rules"
	"arroba/templates"
)

// Gather begins a game that gathers its players before it is opened: its row and its members are there, those who have
// an address are invited, and JOIN is taken where the game says so. No rule knows of it until Start. What it opens
// with is kept beside it, for the file may be changed or lost until then.
func (e *Engine) Gather(ctx context.Context, f *GameFile) error {
	g, err := e.found(f)
	if err != nil {
		return err
	}
	kept, err := f.openingFiles()
	if err != nil {
		return err
	}
	err = e.enter(ctx, f, g, func(w *work) error {
		if err := w.keepOpening(g.Name, kept); err != nil {
			return err
		}
		nicks := w.inviteAll(g, nil)
		w.tellGMs(g, "game-forming", map[string]any{"game": g.Name, "invited": nicks, "open": g.Settings.Join.Open,
			"players": len(g.players()), "seats": g.Settings.Join.Seats})
		return nil
	})
	if err == nil {
		e.Log.Info("a game gathers its players", "game", g.Name, "ruleset", g.Ruleset)
	}
	return err
}

// Start opens a game that has gathered its players, with the members there are now. Seats that nobody sits in are an
// EmptySeats error, unless it is to begin anyway.
func (e *Engine) Start(ctx context.Context, name string, anyway bool) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	err := e.write(ctx, func(w *work) error {
		g, err := w.formingGame(name)
		if err != nil {
			return err
		}
		if empty := g.emptySeats(); len(empty) > 0 && !anyway {
			return EmptySeats(empty)
		}
		f, err := w.opening(name)
		if err != nil {
			return err
		}
		produced, err := g.open(f, w.now)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrOpening, err)
		}
		return w.begin(f, g, produced)
	})
	if err != nil {
		return fmt.Errorf("starting the game %s: %w", name, err)
	}
	e.Log.Info("a game was opened", "game", name)
	return nil
}

// ErrOpening says that the ruleset does not open a game with the [world] that is kept for it, and these members.
var ErrOpening = errors.New("it cannot be opened")

// NewWorld gives a game that gathers its players the [world] of another file to open with.
func (e *Engine) NewWorld(ctx context.Context, name string, f *GameFile) error {
	kept, err := f.openingFiles()
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	err = e.write(ctx, func(w *work) error {
		g, err := w.formingGame(name)
		if err != nil {
			return err
		}
		if f.Ruleset != g.Ruleset {
			return f.at("ruleset", "the game is one of %q", g.Ruleset)
		}
		if _, err := w.tx.ExecContext(ctx, `DELETE FROM opening WHERE game = $1`, g.Name); err != nil {
			return err
		}
		return w.keepOpening(g.Name, kept)
	})
	if err != nil {
		return fmt.Errorf("changing what the game %s opens with: %w", name, err)
	}
	return nil
}

// EmptySeats names the players who have no address, so that nobody can play for them.
type EmptySeats []string

func (s EmptySeats) Error() string { return "nobody sits in " + strings.Join(s, ", ") }

// Invite writes to the members of a game that gathers its players who have not answered yet, and returns their nicks.
func (e *Engine) Invite(ctx context.Context, name string) (nicks []string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	err = e.write(ctx, func(w *work) error {
		g, err := w.formingGame(name)
		if err != nil {
			return err
		}
		answered, err := w.answered(name)
		nicks = w.inviteAll(g, answered)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("inviting to the game %s: %w", name, err)
	}
	return nicks, nil
}

// early are the orders that are taken while a game gathers its players.
var early = []string{"e-help", "e-status", "e-who", "e-language", "e-address", "e-leave", "e-resend", "e-link", "e-replace", formTest}

// formingGame returns a game that gathers its players.
func (w *work) formingGame(name string) (*live, error) {
	g, err := w.game(name)
	switch {
	case err != nil:
		return nil, err
	case !g.Forming():
		return nil, fmt.Errorf("it has begun already, on %s", g.Started.In(g.Zone).Format("2006-01-02 15:04 MST"))
	case g.Held != "":
		return nil, fmt.Errorf("it is held: %s", g.Held)
	}
	return g, nil
}

// answered are the seats that a letter came from.
func (w *work) answered(game string) (map[rules.Seat]bool, error) {
	rows, err := w.tx.QueryContext(w.ctx, `SELECT DISTINCT seat FROM inbox WHERE game = $1 AND seat <> ''`, game)
	if err != nil {
		return nil, fmt.Errorf("looking who has answered: %w", err)
	}
	defer rows.Close()
	seats := map[rules.Seat]bool{}
	for rows.Next() {
		var s rules.Seat
		if err := rows.Scan(&s); err != nil {
			return nil, fmt.Errorf("looking who has answered: %w", err)
		}
		seats[s] = true
	}
	return seats, rows.Err()
}

// inviteAll invites those whom the game's file named and who have not answered, and returns their nicks.
func (w *work) inviteAll(g *live, answered map[rules.Seat]bool) []string {
	nicks := []string{}
	for i := range g.Members[:min(g.Settings.Join.Named, len(g.Members))] {
		m := &g.Members[i]
		if m.Role == rules.GM || m.mail() == "" || answered[m.Seat] {
			continue
		}
		w.ask(g, m, m.mail(), nil, "invitation", g.invitation(m, w.e.BoardURL))
		nicks = append(nicks, m.Nick)
	}
	return nicks
}

// invitation is what a member is told of a game that he is in.
func (g *live) invitation(m *Member, board string) map[string]any {
	var gms []string
	for _, o := range g.Members {
		if o.Role == rules.GM {
			gms = append(gms, o.Nick)
		}
	}
	return map[string]any{"title": g.Title, "nick": m.Nick, "role": string(m.Role), "gms": gms, "link": m.page(board),
		"authentication": g.Settings.Authentication, "copied": g.Settings.PressCopies}
}

// page is the address of the member's own page, "" when there is no board, or he has left.
func (m *Member) page(board string) string {
	if board == "" || !m.Gone.IsZero() {
		return ""
	}
	return strings.TrimSuffix(board, "/") + "/m/" + m.Link
}

// welcome puts into a mail what a member is told when the game begins.
func (t *telling) welcome(mail *templates.Mail, m *Member) (err error) {
	if mail.Why, err = t.say(m, "welcome headline", nil); err != nil {
		return err
	}
	data := t.g.invitation(m, t.w.e.BoardURL)
	waits, err := t.g.state.Waits(m.Viewer())
	if err != nil {
		return err
	}
	if len(waits) > 0 {
		data["deadline"] = waits[0].At
	}
	s, err := t.say(m, "welcome", data)
	mail.Said, mail.Link = append(mail.Said, s), m.page(t.w.e.BoardURL)
	return err
}

// players are the seats of players.
func (g *Game) players() (list []*Member) {
	for i := range g.Members {
		if g.Members[i].Role == rules.Player {
			list = append(list, &g.Members[i])
		}
	}
	return list
}

// free tells whether nobody sits in a seat, and nobody ever did: a seat that was left waits for the GM's REPLACE.
func (m *Member) free() bool {
	own := slices.ContainsFunc(m.Accounts, func(a Account) bool { return a != Account{ID: m.Nick} })
	return m.Role == rules.Player && len(m.Addresses) == 0 && !own && m.Gone.IsZero()
}

// emptySeats are the nicks of players whose seats are free.
func (g *Game) emptySeats() (nicks []string) {
	for _, m := range g.players() {
		if m.free() {
			nicks = append(nicks, m.Nick)
		}
	}
	return nicks
}

// openingFile is a file that a game opens with.
type openingFile struct {
	name string
	data []byte
}

// maxOpening is how many bytes a file may have that [world] names.
const maxOpening = 16 << 20

// openingFiles are what a game that gathers its players keeps of its file, and the files beside it that texts of
// [world] name.
func (f *GameFile) openingFiles() ([]openingFile, error) {
	list := []openingFile{{f.name, f.worldText()}}
	for _, name := range f.worldNames {
		if !filepath.IsLocal(name) {
			continue
		}
		info, err := os.Stat(filepath.Join(filepath.Dir(f.name), name))
		if err != nil || !info.Mode().IsRegular() {
			continue // a text that names no file
		}
		if info.Size() > maxOpening {
			return nil, f.at("world", "the file %q has more than %d MB", name, maxOpening>>20)
		}
		data, err := f.besides(name)
		if err != nil {
			return nil, f.at("world", "%v", err)
		}
		list = append(list, openingFile{name, data})
	}
	return list, nil
}

// worldText is game.toml with nothing left but [world], each line where it stands. What is left out is in the game's
// rows, and no secret stays.
func (f *GameFile) worldText() []byte {
	owner := map[int]bool{} // by line on which a key begins: whether it is the world's
	for key, line := range f.lines {
		top, _, _ := strings.Cut(key, ".")
		owner[line] = top == "world"
	}
	lines := bytes.SplitAfter(f.text, []byte("\n"))
	world := false
	for i := range lines {
		if is, begins := owner[i+1]; begins {
			world = is
		}
		if !world {
			lines[i] = []byte("\n")
		}
	}
	return bytes.Join(lines, nil)
}

// textsIn are all texts in a value of TOML, in the order of their keys.
func textsIn(v any) (list []string) {
	switch v := v.(type) {
	case string:
		list = []string{v}
	case []any:
		for _, item := range v {
			list = append(list, textsIn(item)...)
		}
	case map[string]any:
		for _, item := range v {
			list = append(list, textsIn(item)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (w *work) keepOpening(game string, files []openingFile) error {
	rows := make([][]any, len(files))
	for i, f := range files {
		rows[i] = []any{game, i, f.name, f.data}
	}
	return w.insert(`opening (game, ord, name, data)`, rows)
}

// opening reads what keepOpening kept.
func (w *work) opening(game string) (*GameFile, error) {
	rows, err := w.tx.QueryContext(w.ctx, `SELECT name, data FROM opening WHERE game = $1 ORDER BY ord`, game)
	if err != nil {
		return nil, fmt.Errorf("reading what it opens with: %w", err)
	}
	defer rows.Close()
	var f *GameFile
	for rows.Next() {
		var o openingFile
		if err := rows.Scan(&o.name, &o.data); err != nil {
			return nil, fmt.Errorf("reading what it opens with: %w", err)
		}
		if f == nil {
			f = &GameFile{name: o.name, text: o.data, lines: indexLines(o.data), kept: map[string][]byte{}, worldKeys: worldKeys(o.data)}
		} else {
			f.kept[o.name] = o.data
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading what it opens with: %w", err)
	}
	if f == nil {
		return nil, fmt.Errorf("what it opens with is not kept")
	}
	return f, nil
}
