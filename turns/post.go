package turns

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"arroba/forum"
	"arroba/ingest/letter"
	"arroba/orders"
	"arroba/rules"
)

// A post is a letter that stands in a thread. The thread tells its game, the account of its author its writer; a name on
// a page proves nothing, for anybody can take one.

// readPost reads a post as it is kept, as a letter. Its fingerprint is that of its text, so that what a board shows
// otherwise without the writer's doing is known for the same.
func readPost(raw []byte) (*forum.Record, letter.Letter) {
	l := letter.Letter{Class: letter.Malformed, Authenticated: "pass"}
	r, err := forum.ReadRecord(raw)
	switch {
	case err != nil:
		l.Problems = []string{err.Error()}
		return nil, l
	case r.Author == "" && !r.Withdrawn:
		l.Problems = []string{"the post has no author"}
		return nil, l
	}
	l.Class, l.From, l.MessageID, l.Subject = letter.Orders, r.Author, r.ID, orders.Clean(r.Subject)
	l.Lines = cleaned(r.Lines[min(max(r.Added, 0), len(r.Lines)):])
	sum := sha256.Sum256([]byte(strings.Join([]string{"post", r.Source, r.ID, r.Author, l.Subject, fmt.Sprint(r.Withdrawn), fmt.Sprint(r.Added), strings.Join(l.Lines, "\n")}, "\x00")))
	l.Fingerprint = hex.EncodeToString(sum[:])
	return &r, l
}

func cleaned(lines []string) (list []string) {
	for _, line := range lines {
		list = append(list, orders.Clean(line))
	}
	return list
}

// board is the forum that a post stands on, "" for one that somebody wrote out by hand.
func (a *arrival) board() string {
	if a.post == nil || a.post.Board == "" {
		return ""
	}
	name, _, _ := strings.Cut(a.entry.Source, "/")
	return name
}

// accountName is the spelling in which names of accounts are compared: accents may be written in two ways, and nothing
// else is alike.
func accountName(s string) string { return norm.NFC.String(s) }

// The keys of a book under which writers of posts are found.
func accountKey(a Account) string { return "account " + a.Board + "/" + a.ID }

const (
	namedKey  = "name "         // of those that count for what is written out by hand
	calledKey = "name on pages" // of those that count for posts on boards where a game says so: a GM's never does
)

// writerKeys are the keys under which a letter's writer may stand in the book of a game, the strongest first.
func (a *arrival) writerKeys(g *Game) (keys []string) {
	switch {
	case a.entry.Via != viaPost:
		return []string{a.entry.Sender}
	case a.post == nil:
		return nil
	case a.board() == "":
		return []string{namedKey + accountName(a.post.Author)}
	}
	if a.post.AuthorID != "" {
		keys = append(keys, accountKey(Account{a.board(), a.post.AuthorID}))
	}
	registered := a.post.AuthorID != "" || forum.NamesAlone(a.post.Board, a.post.Theme)
	if registered && g != nil && g.Settings.ForumNames {
		keys = append(keys, calledKey+accountName(a.post.Author))
	}
	return keys
}

// accountsOf returns the seats of the authors of posts, by the keys of a book.
func accountsOf(ctx context.Context, q Queryer, posts []*forum.Record) (map[string][]place, error) {
	found := map[string][]place{}
	var words []string
	for _, p := range posts {
		words = append(words, p.AuthorID, accountName(p.Author))
	}
	slices.Sort(words)
	for some := range slices.Chunk(slices.Compact(words), maxPlaceholders) {
		in, args := placeholders(some, viaForum)
		rows, err := q.QueryContext(ctx, `SELECT address.board, address.addr, member.game, member.seat, member.role FROM address JOIN member ON member.game = address.game AND member.seat = address.seat
			WHERE address.via = $1 AND address.addr IN (`+in+`) AND member.gone = 0 ORDER BY address.game`, args...)
		if err != nil {
			return nil, fmt.Errorf("looking for the writers of posts: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			var a Account
			var p place
			var role rules.Role
			if err := rows.Scan(&a.Board, &a.ID, &p.game, &p.seat, &role); err != nil {
				return nil, fmt.Errorf("looking for the writers of posts: %w", err)
			}
			keys := []string{accountKey(a)}
			if a.Board == "" {
				keys = []string{namedKey + a.ID}
				if role != rules.GM {
					keys = append(keys, calledKey+a.ID)
				}
			}
			for _, key := range keys {
				found[key] = append(found[key], p)
			}
		}
		if err := rows.Err(); err != nil {
			return nil, fmt.Errorf("looking for the writers of posts: %w", err)
		}
	}
	return found, nil
}

// ours tells whether a post was written from an account that we post from.
func (a *arrival) ours(forums []Forum) bool {
	board := a.board()
	return board != "" && slices.ContainsFunc(forums, func(f Forum) bool {
		return f.Name == board && slices.ContainsFunc(f.Own, func(own string) bool {
			return own == a.post.AuthorID && own != "" || accountName(own) == accountName(a.post.Author)
		})
	})
}

// findByThread finds the game of a post among those that read its thread: the one that a GAME line or the subject names,
// the only one, the one that its author is a member of. A GAME line that names another game does not make it that one's:
// whoever rules on the post refuses it.
func (b *book) findByThread(games []*Game, a *arrival) (g *Game, doubtful bool) {
	elsewhere := false
	for _, name := range a.games {
		named := b.byName(name)
		switch {
		case named == nil || !slices.Contains(games, named):
			elsewhere = true
		case g != nil && g != named:
			doubtful = true
		default:
			g = named
		}
	}
	if tagged := b.bySubject(a.read.Subject); g == nil && slices.Contains(games, tagged) {
		g = tagged
	}
	if len(games) == 1 {
		g = games[0]
	}
	if g != nil {
		return g, doubtful
	}
	his := preferred(games, func(g *Game) bool { return b.writer(a, g.Name) != "" })
	return his[0], doubtful || len(his) > 1 && b.writer(a, his[0].Name) != "" && !elsewhere
}

// isHistory tells whether a post was made before its game was there.
func (a *arrival) isHistory(g *Game) bool {
	return a.board() != "" && !a.post.Posted.IsZero() && a.post.Version <= 1 && a.post.Posted.Late.Before(g.Created)
}

// postedAt is when a post counts as written: the earliest instant that its board lets it have been; of one that was
// changed or taken back, or whose date cannot be told, when it was seen so. Zero for what is no post of a board.
func (a *arrival) postedAt() (at time.Time) {
	switch {
	case a.board() == "":
		return at
	case a.post.Version > 1 || a.post.Withdrawn || a.post.Posted.IsZero():
		return a.post.Fetched
	}
	return a.post.Posted.Early
}
