package turns

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"arroba/ingest"
	"arroba/outbox"
	"arroba/rules"
	"arroba/store"
	"arroba/templates"
)

// hold stops a game for a fault: it is written into its row, its GMs and the operator are told once, and its state,
// which the fault may have spoiled, is dropped. The letter, if any, is what it came of.
func (w *work) hold(g *live, a *arrival, cause error) error {
	g.state = nil
	if err := g.loadPeople(w.ctx, w.tx); err != nil { // what the fault cut short may have changed them
		return err
	}
	g.Held = cause.Error()
	w.held++
	attrs := []any{"game", g.Name, "error", cause}
	var p *rules.PanicError
	if errors.As(cause, &p) {
		attrs = append(attrs, "stack", p.Stack)
	}
	w.e.Log.Error("a game is held", attrs...)
	data := map[string]any{"game": g.Name, "why": cause.Error()}
	if a != nil {
		data["id"] = a.entry.ID
	}
	w.tellGMs(g, "game-held", data)
	w.alarm("game-held", data)
	return nil
}

// holdUnread holds a game that cannot even be read.
func (w *work) holdUnread(name string, cause error) error {
	game, err := LoadGame(w.ctx, w.tx, name)
	if err != nil {
		return err
	}
	g := &live{Game: *game, kit: w.e.kits[game.Ruleset]}
	w.games[name] = g
	if g.Held != "" {
		return nil
	}
	return w.hold(g, nil, cause)
}

// Resumed is how a game stands after Resume.
type Resumed struct {
	Ruled  int          // letters that waited and were ruled on
	Held   string       // why the game is held again, "" when it goes on
	Failed []ingest.Row // its letters that failed, without their bytes: they are not tried again by themselves
}

// Resume takes the hold off a game and handles what waited. What fell due meanwhile fires.
func (e *Engine) Resume(ctx context.Context, game string) (r Resumed, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.forget(game)
	err = e.write(ctx, func(w *work) error {
		res, err := w.tx.ExecContext(ctx, `UPDATE game SET held = '' WHERE name = $1`, game)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(fmt.Errorf("%w: %s", ErrUnknownGame, game), err)
		}
		if err := w.bringUp(game); err != nil {
			return err
		}
		r.Ruled, r.Held = len(w.letters), w.games[game].Held
		return nil
	})
	if err == nil {
		r.Failed, err = ingest.List(ctx, e.DB.Read(), ingest.Failed, game, maxListed)
	}
	if err != nil {
		return r, fmt.Errorf("letting the game %s go on: %w", game, err)
	}
	return r, nil
}

// tellGMs sends one of the engine's texts to every GM of a game.
func (w *work) tellGMs(g *live, name string, data map[string]any) {
	for i := range g.Members {
		if m := &g.Members[i]; m.Role == rules.GM && len(m.Addresses) > 0 {
			w.ask(g, m, first(m.Addresses), nil, name, data)
		}
	}
}

// ask sends one of the engine's texts to a member, as an answer to a letter if one is given. A text that fails is
// logged, not told: what it would have told of stands.
func (w *work) ask(g *live, m *Member, to string, answers *arrival, name string, data map[string]any) {
	if answers != nil && !w.mayAnswer(answers, g.Name, to, true) {
		return
	}
	if it, ok := w.question(g, m, to, answers, name, data); ok {
		w.items = append(w.items, it)
	}
}

// question is one of the engine's texts as a mail to a member, false when it cannot be told.
func (w *work) question(g *live, m *Member, to string, answers *arrival, name string, data map[string]any) (outbox.Item, bool) {
	texts := w.e.alarms
	if g.kit != nil {
		texts = g.kit.texts
	}
	r := m.reader()
	mail := templates.Mail{Kind: outbox.Question, Game: g.Name, Title: g.ownTitle(), To: m.Nick}
	it := w.item(g, outbox.Question, to, g.LastInput)
	it.ReplyTo = g.replyTo(m)
	if answers != nil {
		mail.Why, mail.Answers = answers.read.Subject, answers.read.Subject != ""
		answers.thread(&it)
	}
	if err := say(texts, r, &mail, &it, name, data); err != nil {
		w.e.Log.Error("a question cannot be asked", "game", g.Name, "text", name, "error", err)
		return it, false
	}
	return it, true
}

// say renders one of the engine's texts into a mail.
func say(texts *templates.Texts, r templates.Reader, m *templates.Mail, it *outbox.Item, name string, data map[string]any) error {
	s, err := texts.Say(r, name, data)
	if err != nil {
		return err
	}
	m.Said = []string{s}
	if m.Why == "" {
		if m.Why, err = texts.Say(r, name+" headline", data); err != nil {
			return err
		}
	}
	it.Subject, it.Text, err = texts.Mail(r, *m)
	return err
}

// alarm tells the operator, in English and UTC.
func (w *work) alarm(name string, data map[string]any) {
	it, err := w.e.alarmItem(w.now, name, data)
	if err != nil {
		w.e.Log.Error("an alarm cannot be told", "text", name, "error", err)
	} else if it.To != "" {
		w.items = append(w.items, it)
	}
}

func (e *Engine) alarmItem(now time.Time, name string, data map[string]any) (outbox.Item, error) {
	it := e.operatorItem(now)
	m := templates.Mail{Kind: outbox.Alarm}
	err := say(e.alarms, templates.Reader{Language: "en", Zone: time.UTC}, &m, &it, name, data)
	return it, err
}

// operatorItem is a mail to the operator without its text.
func (e *Engine) operatorItem(now time.Time) outbox.Item {
	return outbox.Item{Via: viaMail, Kind: outbox.Alarm, To: e.Operator, From: cmp.Or(e.Sender, e.Operator), FromName: "Arroba",
		Date: now, Auto: "auto-generated"}
}

// showUnread shows a letter that cannot be read to the GMs of its game, or to the operator when no game is known.
func (w *work) showUnread(a *arrival, b *book) error {
	game, _, err := w.find(a, b)
	if err != nil {
		return err
	}
	if game != nil {
		a.entry.Game = game.Name
		keys, err := w.keysOf(game.Name, b)
		if err != nil {
			return err
		}
		a.hideTokens(keys)
	}
	data := a.shown()
	if a.copied(b.seen, "", false) {
		return nil
	}
	if game == nil {
		w.alarm("letter-unread", data)
		return nil
	}
	return w.tellGMsOf(game.Name, "letter-unread", data)
}

// tellGMsOf is tellGMs for a game that need not be in memory, nor be playable.
func (w *work) tellGMsOf(name, text string, data map[string]any) error {
	g, err := w.members(name)
	if err != nil {
		return err
	}
	w.tellGMs(g, text, data)
	return nil
}

// members returns a game with its members, whether or not its state can be read.
func (w *work) members(name string) (*live, error) {
	if g := w.games[name]; g != nil {
		return g, nil
	}
	game, err := LoadGame(w.ctx, w.tx, name)
	if err != nil {
		return nil, err
	}
	return &live{Game: *game, kit: w.e.kits[game.Ruleset]}, nil
}

// askWhichGame asks a member which game he means. Nobody known is asked nothing.
func (w *work) askWhichGame(a *arrival, b *book) error {
	places := b.places(a)
	if a.seat != "" { // he has shown himself
		places = []place{{a.entry.Game, a.seat}}
	}
	if len(places) == 0 {
		return nil
	}
	names := make([]string, len(places))
	for i, p := range places {
		names[i] = p.game
	}
	g, err := w.members(places[0].game)
	if err != nil {
		return err
	}
	if m := g.seat(places[0].seat); m != nil && m.mail() != "" {
		w.ask(g, m, a.answerTo(m), a, "which-game", map[string]any{"subject": a.read.Subject, "games": names})
	}
	return nil
}

// hint tells the writer of a letter without an order what orders look like, at most once a day: a question of any kind
// counts, but an invitation is none.
func (w *work) hint(g *live, m *Member, a *arrival) error {
	to := a.answerTo(m)
	hung := a.board() != "" && a.post.Attachments > 0 // chat is welcome in a thread, but orders may hang on it
	if w.e.NoHints || a.entry.Via != viaMail && !hung || a.read.Quiet || to == "" {
		return nil
	}
	if slices.ContainsFunc(w.items, func(it outbox.Item) bool { return it.To == to && it.Kind == outbox.Question }) {
		return nil
	}
	text, answers := "letter-hint", ""
	if g.Forming() {
		text, answers = "letter-forming", ` AND item LIKE '%"auto":"auto-replied"%'`
	}
	if hung {
		text = "post-hint"
	}
	var n int
	err := w.tx.QueryRowContext(w.ctx, `SELECT COUNT(*) FROM outbox WHERE game = $1 AND recipient = $2 AND kind = $3 AND created > $4`+answers,
		g.Name, to, outbox.Question, store.Micro(w.now.Add(-24*time.Hour))).Scan(&n)
	if err != nil {
		return fmt.Errorf("looking for an earlier hint: %w", err)
	}
	if n == 0 {
		w.ask(g, m, to, a, text, map[string]any{"subject": a.read.Subject})
	}
	return nil
}

// mail is the address that results go to, "" when there is none, or he has left.
func (m *Member) mail() string {
	if !m.Gone.IsZero() {
		return ""
	}
	return first(m.Addresses)
}
