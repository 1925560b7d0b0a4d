package turns

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"arroba/ingest"
	"arroba/orders"
	"arroba/outbox"
	"arroba/rules"
	"arroba/store"
)

// Somebody unknown may ask for a seat in a game that is open, and for nothing else. He is asked to confirm it, at the
// address that his letter says it is from: whoever forges an address makes us write there once a day, a mail that holds
// nothing of his. Only who has confirmed is told of to others.

// joinGrammar reads the one order that is taken from somebody unknown.
func joinGrammar() *orders.Grammar {
	f := alone(form("e-join", "E-JOIN", "", "JOIN [<game:game>]", "ВСТУПИТЬ [<game:game>]", "", ""))
	return orders.MustGrammar(orders.Spec{Forms: []orders.Form{f}})
}

// joining is what a letter with JOIN asks for.
type joining struct {
	Game     string `json:"-"` // "" when it names none
	Name     string `json:"name"`
	Language string `json:"language"`
	Wishes   string `json:"wishes,omitempty"` // what else he wrote
}

// Waiter is somebody who waits for a seat in a game.
type Waiter struct {
	Address  string
	Since    time.Time
	Name     string
	Language string
	Wishes   string
}

// String is who waits in a few words, without a word of what he wishes.
func (who Waiter) String() string {
	if who.Name == "" {
		return who.Address
	}
	return who.Name + " at " + who.Address
}

const (
	maxWishes    = 1000 // bytes
	maxNick      = 40   // bytes of a nick that is made of a name
	maxStrangers = 200  // who are asked in a game and a day
	strangersDay = "questions to strangers a day"
)

// wantsToJoin reads JOIN in a letter, nil when there is none. The subject counts when the text has none.
func (e *Engine) wantsToJoin(a *arrival, b *book) *joining {
	if a.entry.Via != viaMail || b.open == nil {
		return nil
	}
	var found *joining
	var rest []string
	for _, line := range a.read.Lines {
		if o := e.joinOrder(line, b.open); o != nil && found == nil {
			found = o
		} else {
			rest = append(rest, line)
		}
	}
	if found == nil {
		found = e.joinOrder(orderSubject(a.read.Subject, &Game{}), b.open)
	}
	if found != nil {
		found.Name, found.Wishes = orders.Clean(a.read.FromName), cutBytes(strings.TrimSpace(strings.Join(rest, "\n")), maxWishes)
	}
	return found
}

func (e *Engine) joinOrder(line string, open *orders.Names) *joining {
	for _, p := range e.joins.Scan([]string{line}) {
		o := e.joins.Parse(p.Line, orders.Lexicon{"game": open}, false).Order
		if o == nil {
			continue
		}
		j := &joining{Game: o.ID("game"), Language: "en"}
		if strings.HasPrefix(orders.Fold(o.Line), orders.Fold("ВСТУПИТЬ")) {
			j.Language = "ru"
		}
		return j
	}
	return nil
}

// cutBytes is a text of at most so many bytes, cut between characters.
func cutBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return strings.TrimSpace(s[:most])
}

// byJoin returns the open game that a letter asks to join by its name. It is doubtful whether the letter is for that one
// when a member of another says more in it, which may be orders there.
func (w *work) byJoin(a *arrival, b *book) (g *Game, doubtful bool) {
	j := w.e.wantsToJoin(a, b)
	if j == nil || j.Game == "" {
		return nil, false
	}
	return b.byName(j.Game), j.Wishes != "" && len(b.places(a)) > 0
}

// stranger settles a letter of nobody known to its game: only JOIN is answered, and only in a game that is open.
func (w *work) stranger(a *arrival, b *book, game *Game) error {
	a.settle(ingest.Desk, "the writer is no member")
	j := w.e.wantsToJoin(a, b)
	if j == nil || !game.Settings.Join.Open || j.Game != "" && j.Game != game.Name {
		return nil
	}
	g, err := w.members(game.Name)
	switch {
	case err != nil:
		return err
	case a.read.Authenticated == "fail":
		a.settle(ingest.Desk, "he asks for a seat, and his mail server disowns the letter")
		return nil
	case g.taken(a.entry.Sender) || w.ours(a.entry.Sender):
		a.settle(ingest.Desk, "he asks for a seat, and his address is in use")
		return nil
	}
	if asked, err := w.askedToday(a.entry.Sender); asked || err != nil {
		a.settle(ingest.Desk, "he asks for a seat, and was written to today already")
		return err
	}
	if w.counted(tallyOf(strangersDay, game.Name, w.now, day)) >= maxStrangers {
		a.settle(ingest.Desk, "he asks for a seat, as too many did today")
		return nil
	}
	a.settle(ingest.Done, "he was asked to confirm that he joins")
	return w.await(g, pending{what: pendingJoin, asked: a.entry.Sender, body: j}, a, j.reader(g), "confirm-join",
		map[string]any{"title": g.Title, "full": g.freeSeat() == nil})
}

// askedToday tells whether an address had a question of any game within a day.
func (w *work) askedToday(address string) (bool, error) {
	if slices.ContainsFunc(w.items, func(it outbox.Item) bool { return it.To == address && it.Kind == outbox.Question }) {
		return true, nil
	}
	var n int
	err := w.tx.QueryRowContext(w.ctx, `SELECT COUNT(*) FROM outbox WHERE recipient = $1 AND kind = $2 AND created > $3`,
		address, outbox.Question, store.Micro(w.now.Add(-day))).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("looking for an earlier question: %w", err)
	}
	return n > 0, nil
}

// reader is who asks, as the texts need him. He has no name there: what he wrote is told to nobody before he confirms.
func (j *joining) reader(g *live) *Member { return &Member{Language: j.Language, Zone: g.Zone} }

// joinConfirmed gives somebody a seat, or a place on the waiting list, who has confirmed that he wants one.
func (w *work) joinConfirmed(g *live, q *pending, a *arrival) error {
	var j joining
	if err := q.decode(&j); err != nil {
		return err
	}
	data := map[string]any{"title": g.Title}
	switch {
	case !g.Settings.Join.Open:
		w.ask(g, j.reader(g), q.asked, a, "join-closed", data)
		return nil
	case g.taken(q.asked):
		return nil
	case g.freeSeat() != nil:
		a.joins = true
		return w.seated(g, Waiter{Address: q.asked, Name: j.Name, Language: j.Language, Wishes: j.Wishes}, a)
	}
	return w.wait(g, Waiter{Address: q.asked, Since: w.now, Name: j.Name, Language: j.Language, Wishes: j.Wishes}, a)
}

// freeSeat returns the seat that the next one gets who joins: a member without a seat of his own while the game still
// gathers its players, nil when there is none.
func (g *Game) freeSeat() *Member {
	players := g.players()
	for _, m := range players {
		if m.free() {
			return m
		}
	}
	if g.Forming() && int64(len(players)) < g.Settings.Join.Seats {
		return &Member{Role: rules.Player, Zone: g.Zone}
	}
	return nil
}

// seated gives somebody the next free seat, and tells him and the GMs.
func (w *work) seated(g *live, who Waiter, a *arrival) error {
	m := g.freeSeat()
	if m.Seat == "" {
		m.Nick = g.newNick(who)
		m.Seat, m.Link, m.Accounts = rules.Seat(m.Nick), newLink(), []Account{{ID: m.Nick}}
		g.Members = append(g.Members, *m)
		m = &g.Members[len(g.Members)-1]
		g.nicks = nil
	}
	m.Addresses, m.Language, m.Since = []string{who.Address}, who.Language, g.LastN
	if g.Settings.secretive() && m.token == "" && m.password == "" {
		m.token = newToken()
	}
	if err := w.changed(g, m.Seat); err != nil {
		return err
	}
	data := g.invitation(m, w.e.BoardURL)
	data["forming"] = g.Forming()
	w.ask(g, m, who.Address, a, "joined", data)
	w.tellGMs(g, "member-joined", map[string]any{"nick": m.Nick, "address": who.Address, "name": who.Name, "text": who.Wishes,
		"left": len(g.emptySeats()) + g.unnamedSeats(), "forming": g.Forming(), "game": g.Name})
	return nil
}

// unnamedSeats is how many may join besides those who have a name already.
func (g *Game) unnamedSeats() int {
	if !g.Forming() {
		return 0
	}
	return max(int(g.Settings.Join.Seats)-len(g.players()), 0)
}

// newNick makes a nick of how somebody calls himself: one that a game.toml could name, and nobody has.
func (g *Game) newNick(who Waiter) string {
	name := nickOf(who.Name)
	if name == "" || everybody(name) {
		name = map[string]string{"en": "Player", "ru": "Игрок"}[who.Language]
	}
	nick := name
	for n := 2; g.named(nick); n++ {
		nick = fmt.Sprintf("%s %d", name, n)
	}
	return nick
}

// nickOf keeps of a name what can stand in a nick. A mail address is none.
func nickOf(name string) string {
	if strings.Contains(name, "@") {
		return ""
	}
	clean := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" -'.", r) {
			return r
		}
		return ' '
	}, name)
	clean = strings.TrimLeft(orders.Clean(cutBytes(orders.Clean(clean), maxNick)), "-'. ")
	return strings.TrimRight(clean, "-'. ")
}

// named tells whether a nick is somebody's, or reads like what orders call somebody else.
func (g *Game) named(nick string) bool {
	folded := orders.Fold(nick)
	return slices.Contains([]string{orders.Fold("BUT"), orders.Fold("КРОМЕ")}, folded) ||
		slices.ContainsFunc(g.Members, func(m Member) bool { return orders.Fold(m.Nick) == folded || orders.Fold(string(m.Seat)) == folded })
}

// wait puts somebody on the waiting list of a game, and tells him and the GMs.
func (w *work) wait(g *live, who Waiter, a *arrival) error {
	list, err := waiting(w.ctx, w.tx, g.Name)
	if err != nil {
		return err
	}
	r := &Member{Language: who.Language, Zone: g.Zone}
	place := slices.IndexFunc(list, func(o Waiter) bool { return o.Address == who.Address })
	if most := g.Settings.Join.Waiting; place < 0 && most != nil && int64(len(list)) >= *most {
		w.ask(g, r, who.Address, a, "join-full", map[string]any{"title": g.Title})
		return nil
	}
	known := place >= 0
	if !known {
		place = len(list)
	}
	_, err = w.tx.ExecContext(w.ctx, `INSERT INTO waiting (game, addr, since, name, language, wishes) VALUES ($1,$2,$3,$4,$5,$6)
		ON CONFLICT (game, addr) DO UPDATE SET name = excluded.name, language = excluded.language, wishes = excluded.wishes`,
		g.Name, who.Address, store.Micro(who.Since), store.Text(who.Name), who.Language, store.Text(who.Wishes))
	if err != nil {
		return fmt.Errorf("keeping who waits for a seat in %s: %w", g.Name, err)
	}
	w.ask(g, r, who.Address, a, "join-waits", map[string]any{"title": g.Title, "n": place + 1})
	if !known {
		w.tellGMs(g, "member-waits", map[string]any{"address": who.Address, "name": who.Name, "text": who.Wishes, "n": place + 1, "game": g.Name})
	}
	return nil
}

// Waiting returns who waits for a seat in a game, the first one first; ErrUnknownGame when there is no such game.
func (e *Engine) Waiting(ctx context.Context, game string) ([]Waiter, error) {
	if _, err := LoadGame(ctx, e.DB.Read(), game); err != nil {
		return nil, err
	}
	return waiting(ctx, e.DB.Read(), game)
}

func waiting(ctx context.Context, q Queryer, game string) ([]Waiter, error) {
	rows, err := q.QueryContext(ctx, `SELECT addr, since, name, language, wishes FROM waiting WHERE game = $1 ORDER BY since, addr`, game)
	if err != nil {
		return nil, fmt.Errorf("reading who waits for a seat in %s: %w", game, err)
	}
	defer rows.Close()
	var list []Waiter
	for rows.Next() {
		var who Waiter
		var since int64
		if err := rows.Scan(&who.Address, &since, &who.Name, &who.Language, &who.Wishes); err != nil {
			return nil, fmt.Errorf("reading who waits for a seat in %s: %w", game, err)
		}
		who.Since = store.Time(since)
		list = append(list, who)
	}
	return list, rows.Err()
}

// stopWaiting takes an address off the waiting list of a game.
func (w *work) stopWaiting(game, address string) error {
	_, err := w.tx.ExecContext(w.ctx, `DELETE FROM waiting WHERE game = $1 AND addr = $2`, game, foldAddress(address))
	if err != nil {
		return fmt.Errorf("taking %s off the waiting list of %s: %w", address, game, err)
	}
	return nil
}

// seatWaiting gives the free seats of a game that gathers its players to those who wait for one.
func (w *work) seatWaiting(g *live) error {
	list, err := waiting(w.ctx, w.tx, g.Name)
	for _, who := range list {
		if err != nil || g.freeSeat() == nil {
			return err
		}
		if err = w.stopWaiting(g.Name, who.Address); err == nil && !g.taken(who.Address) {
			err = w.seated(g, who, nil)
		}
	}
	return err
}

// vacate makes the seat free again of one who has left a game that gathers its players: of a member whom the game's
// file names the name stays, another's seat goes with him. Who waits for a seat gets it.
func (w *work) vacate(g *live, seat rules.Seat) error {
	i := slices.IndexFunc(g.Members, func(m Member) bool { return m.Seat == seat })
	if m := &g.Members[i]; i < g.Settings.Join.Named {
		*m = Member{Seat: m.Seat, Nick: m.Nick, Role: m.Role, Language: g.Language, Zone: g.Zone, Link: newLink(), Accounts: []Account{{ID: m.Nick}}}
		if err := w.changed(g, seat); err != nil {
			return err
		}
		return w.seatWaiting(g)
	}
	for _, table := range []string{"member", "address"} {
		if _, err := w.tx.ExecContext(w.ctx, `DELETE FROM `+table+` WHERE game = $1 AND seat = $2`, g.Name, string(seat)); err != nil {
			return fmt.Errorf("taking %s out of %s: %w", seat, g.Name, err)
		}
	}
	g.Members = slices.Delete(g.Members, i, i+1)
	if err := w.peopleChanged(g); err != nil {
		return err
	}
	return w.seatWaiting(g)
}
