package turns

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"arroba/ingest"
	"arroba/orders"
	"arroba/outbox"
	"arroba/rules"
)

// A board shows times to the minute, or to the day, and shows posts as they are and not as they were. Where that leaves
// open whether a post came before a deadline or after it, the engine does not guess: its GM rules.

// doubt is why nobody but the GM can tell what a post counts for.
type doubt struct {
	why      string    // the variant of the text
	from, to time.Time // it was written, or changed, between the two; from is zero when nothing tells
	due      time.Time // what fell due between them; zero where that is not the matter
}

// note is something that the receipt of a letter says besides.
type note struct {
	name string
	data map[string]any
}

func (a *arrival) note(name string, data map[string]any) { a.notes = append(a.notes, note{name, data}) }

// seenAt is when a post was seen to say what it says.
func (a *arrival) seenAt() time.Time {
	if a.board() == "" || a.post.Fetched.IsZero() {
		return a.entry.Arrived
	}
	return a.post.Fetched
}

// edits is what a change of a post in a thread does. Posts that are written out by hand stand in the game's first.
func (s Settings) edits(source string) string {
	edits := ""
	for i, t := range s.Threads {
		if t.Name() == source || i == 0 {
			edits = t.Edits
		}
		if t.Name() == source {
			break
		}
	}
	if edits == "" {
		return EditsLast
	}
	return edits
}

// weigh settles a post of which nothing may be carried out. Otherwise it is a letter like any other.
func (c *cause) weigh(m *Member, at time.Time) (settled bool, err error) {
	a := c.letter
	if a.post.Withdrawn {
		return true, c.withdrawn(m, at)
	}
	list, err := c.says(m)
	if err != nil {
		return true, err
	}
	versions, err := c.w.versions(a)
	if err != nil {
		return true, err
	}
	if settled, err := c.mayCount(m, versions, list, at); settled || err != nil || len(list) == 0 {
		return settled, err
	}
	other := slices.IndexFunc(a.games, func(name string) bool { return !strings.EqualFold(name, c.g.Name) })
	switch {
	case other >= 0: // where it reads the thread too, the post was taken for it
		c.barred = refusedWith("E-THREAD", "", rules.Data{"game": a.games[other]})
	case a.board() != "" && !c.g.Forming() && !a.post.Posted.IsZero() && a.post.Version <= 1 && a.post.Posted.Late.Before(c.g.Started):
		c.barred = refused("E-THREAD", "early")
	}
	if tags := strayTags(list); len(tags) > 0 {
		a.note("post-tags", map[string]any{"tags": tags})
	}
	if a.post.Attachments > 0 {
		a.note("post-attached", nil)
	}
	return false, nil
}

// mayCount settles a post whose orders do not count, or not before the GM has ruled.
func (c *cause) mayCount(m *Member, versions []ingest.Row, list []Said, at time.Time) (settled bool, err error) {
	a := c.letter
	switch {
	case len(versions) > 0 && versions[len(versions)-1].Game != c.g.Name:
		return c.doubtful(m, list, doubt{why: "moved", to: a.seenAt()})
	case a.post.Wiki:
		return c.wiki(m, versions, list)
	case a.post.Foreign:
		return c.doubtful(m, list, doubt{why: "foreign", from: a.post.Posted.Early, to: a.post.Posted.Late})
	case len(versions) > 0:
		return c.edited(m, versions, list, at)
	case len(list) == 0 || a.board() == "" || c.tests(): // trying is never too late
		return false, nil
	}
	d := c.span()
	due, parted, err := c.w.dueWithin(c.g, d.from, d.to)
	if d.due = due; err != nil || parted {
		if err != nil {
			return true, err
		}
		return c.doubtful(m, list, d)
	}
	switch before := a.entry.Before; {
	case a.post.Posted.IsZero():
		a.note("post-undated", map[string]any{"at": a.entry.Arrived})
	case !before.IsZero() && before.Sub(a.post.Posted.Late) > longHidden:
		a.note("post-delayed", map[string]any{"posted": a.post.Posted.At, "seen": a.seenAt()})
	}
	return false, nil
}

// longHidden is how long after its time a post may come to be seen without a word: until then it may have come between two
// readings.
const longHidden = time.Hour

// span is within what a post that is read for the first time was written, or last changed.
func (c *cause) span() doubt {
	p := c.letter.post
	seen := c.letter.seenAt()
	d := doubt{why: "straddles", from: p.Posted.Early, to: p.Posted.Late}
	if p.Posted.IsZero() {
		d = doubt{why: "undated", from: c.letter.entry.Before, to: seen}
	}
	if p.Edited && d.to.Before(seen) {
		d.why, d.to = "edited", seen
	}
	if d.to.After(seen) {
		d.to = seen
	}
	return d
}

// dueWithin tells whether something of a game falls due so that what came between two instants may have come before it or
// after. That the game was there is such a thing too.
func (w *work) dueWithin(g *live, from, to time.Time) (at time.Time, found bool, err error) {
	if from.Before(g.Created) && !to.Before(g.Created) {
		return g.Created, true, nil
	}
	parts := func(d rules.Due) bool {
		if d.After {
			return !d.At.Before(from) && d.At.Before(to)
		}
		return d.At.After(from) && !d.At.After(to)
	}
	if d, ok, err := g.next(); err != nil || ok && parts(d) {
		return d.At, err == nil, err
	}
	if g.present.Before(from) {
		return at, false, nil
	}
	p, err := w.past()
	if err != nil {
		return at, false, err
	}
	for last := g.LastInput; ; {
		list, err := LastInputs(p.ctx, p.q, g.Name, last, 50)
		if err != nil || len(list) == 0 {
			return at, false, err
		}
		for _, in := range list {
			if last = in.N - 1; in.Kind != kindDue {
				continue
			}
			entry, err := in.Entry(g.Name)
			if err != nil {
				return at, false, err
			}
			if in.At.Before(from) && entry.Due.At.Before(from) {
				return at, false, nil
			}
			if parts(*entry.Due) {
				return entry.Due.At, true, nil
			}
		}
	}
}

const undecidedNote = "whether it counts is for the GM to say"

// doubtful leaves a post with orders to the GM. One without is nobody's matter.
func (c *cause) doubtful(m *Member, list []Said, d doubt) (bool, error) {
	if len(list) == 0 {
		c.letter.settle(ingest.Done, "it holds no order")
		return true, nil
	}
	return true, c.undecided(m, list, d)
}

// undecided puts a post on the desk, and tells the GMs of it, with what they would write to let it count, and its writer.
func (c *cause) undecided(m *Member, list []Said, d doubt) error {
	a := c.letter
	a.settle(ingest.Desk, undecidedNote)
	data := map[string]any{"nick": m.Nick, "subject": a.read.Subject, "id": a.entry.ID, "link": a.post.Permalink, "why": d.why,
		"text": strings.Join(a.read.Lines, "\n"), "lines": c.behalfOf(m, list), "to": d.to, "from": nil, "due": nil}
	if !d.from.IsZero() {
		data["from"] = d.from
	}
	if !d.due.IsZero() && !d.due.Equal(c.g.Created) {
		data["due"] = d.due
	}
	if err := c.w.tellGMsOf(c.g.Name, "post-undecided", data); err != nil {
		return err
	}
	if to := a.answerTo(m); to != "" && m.Role != rules.GM {
		c.w.ask(c.g, m, to, a, "post-waits", data)
	}
	return nil
}

// behalfOf are the lines by which a GM gives orders of a post; none for those that were only to be tried.
func (c *cause) behalfOf(m *Member, list []Said) []string {
	if len(list) == 0 || c.tests() {
		return nil
	}
	names, err := c.g.names()
	if err != nil {
		return nil
	}
	lines := []string{"ORDERS"}
	if m.Role != rules.GM {
		lines = append(lines, "AS "+m.Nick)
	}
	for _, s := range list {
		lines = append(lines, s.Line)
		if s.Text == "" {
			continue
		}
		lines = append(lines, strings.Split(s.Text, "\n")...)
		if res := c.g.kit.grammar.Parse(s.Line, names, true); res.Order != nil {
			lines = append(lines, c.endLine(res.Order.Form, "en"))
		}
	}
	return append(lines, "END")
}

// wiki settles a post that anybody may edit: nobody can tell whose its orders are. What its writer ordered before stands.
func (c *cause) wiki(m *Member, versions []ingest.Row, list []Said) (bool, error) {
	a := c.letter
	if len(versions) > 0 {
		if same, err := c.sameOrders(m, versions[len(versions)-1], list); same || err != nil {
			return true, err
		}
		s, err := c.standing(versions)
		if err != nil || len(s.kept)+len(s.acted) > 0 || s.over {
			return true, errors.Join(err, c.tellChange(m, "wiki", list))
		}
	}
	if len(list) == 0 {
		a.settle(ingest.Done, "it holds no order")
		return true, nil
	}
	a.settle(ingest.Desk, "anybody may edit it, so its orders are nobody's")
	if to := a.answerTo(m); to != "" {
		c.w.ask(c.g, m, to, a, "post-wiki", map[string]any{"subject": a.read.Subject})
	}
	return true, nil
}

// boardTag is a tag of a board that its page shows as text: it was not closed, or is none there.
var boardTag = regexp.MustCompile(`(?i)\[/?(?:b|i|u|s|url|img|quote|code|size|color|colour|font|center|left|right|list|spoiler|hide|strike|email|\*)(?:=[^\[\]]*)?\]`)

// strayTags are the tags in some lines, each once.
func strayTags(list []Said) (tags []string) {
	seen := map[string]bool{}
	for _, s := range list {
		for _, t := range boardTag.FindAllString(s.Line, -1) {
			if !seen[t] {
				seen[t] = true
				tags = append(tags, t)
			}
		}
	}
	return tags
}

// strangersPost settles the post of an account that nobody in the game has. Where it may be a member's, the GM is told how
// it is written down.
func (w *work) strangersPost(a *arrival, game *Game) error {
	kit := w.e.kits[game.Ruleset]
	if kit == nil || !kit.orderly(a) {
		a.settle(ingest.Done, "the author is no member")
		return nil
	}
	a.settle(ingest.Desk, "the author is no member")
	if a.board() == "" || a.post.AuthorID == "" {
		return nil
	}
	g, err := w.members(game.Name)
	if err != nil {
		return err
	}
	m := g.mayBe(a.post.Author)
	if m == nil || m.onBoard(a.board()) || w.counted(tallyOf(accountTold, g.Name+"/"+accountKey(Account{a.board(), a.post.AuthorID}), w.now, day)) > 0 {
		return nil
	}
	w.tellGMs(g, "post-account", map[string]any{"author": a.post.Author, "board": a.board(), "user": a.post.AuthorID, "nick": m.Nick,
		"game": g.Name, "link": a.post.Permalink, "id": a.entry.ID})
	return nil
}

// accountTold is what counts that a GM was told of an account.
const accountTold = "told of an account"

// orderly tells whether a letter holds what reads like an order, whoever wrote it.
func (k *kit) orderly(a *arrival) bool {
	for _, p := range k.grammar.Scan(append([]string{a.read.Subject}, a.read.Lines...)) {
		if !k.grammar.Parse(p.Line, nil, p.InBlock).Prose() {
			return true
		}
	}
	return false
}

// mayBe is the member whose name on forums, or whose nick, the author of a post has.
func (g *Game) mayBe(author string) *Member {
	for i := range g.Members {
		m := &g.Members[i]
		if !m.Gone.IsZero() {
			continue
		}
		if orders.Fold(m.Nick) == orders.Fold(orders.Clean(author)) {
			return m
		}
		for _, a := range m.Accounts {
			if a.Board == "" && accountName(a.ID) == accountName(author) {
				return m
			}
		}
	}
	return nil
}

// onBoard tells whether a member has an account on a board.
func (m *Member) onBoard(board string) bool {
	for _, a := range m.Accounts {
		if a.Board == board {
			return true
		}
	}
	return false
}

// unreadPage keeps a page of a thread that could not be read, and tells the GMs whose games read the thread, once.
func (w *work) unreadPage(a *arrival, b *book) error {
	a.settle(ingest.Desk, a.fault)
	games, data := b.threads[a.entry.Source], map[string]any{"source": a.entry.Source, "why": a.fault}
	if len(games) == 0 {
		w.alarm("page-unread", data)
		return nil
	}
	a.entry.Game = games[0].Name
	for _, game := range games {
		g, err := w.members(game.Name)
		if err == nil {
			err = w.tellGMsOnce(g, "page-unread", data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tellGMsOnce is tellGMs for what they need not hear twice.
func (w *work) tellGMsOnce(g *live, name string, data map[string]any) error {
	for i := range g.Members {
		m := &g.Members[i]
		if m.Role != rules.GM || m.mail() == "" {
			continue
		}
		it, ok := w.question(g, m, m.mail(), nil, name, data)
		if !ok {
			continue
		}
		told, err := w.toldBefore(it)
		if err != nil {
			return err
		}
		if !told {
			w.items = append(w.items, it)
		}
	}
	return nil
}

// toldBefore tells whether a mail of these words was queued before.
func (w *work) toldBefore(it outbox.Item) (bool, error) {
	for _, o := range w.items {
		if o.To == it.To && o.Game == it.Game && o.Text == it.Text {
			return true, nil
		}
	}
	var n int
	err := w.tx.QueryRowContext(w.ctx, `SELECT COUNT(*) FROM outbox WHERE recipient = $1 AND game = $2 AND body = $3`, it.To, it.Game, it.Text).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("looking for an earlier mail: %w", err)
	}
	return n > 0, nil
}
