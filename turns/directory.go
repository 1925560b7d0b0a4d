package turns

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"arroba/orders"
)

// directory is the games as letters are looked up in it: what seldom changes about them. The engine keeps it in memory
// from one batch to the next, so that a letter costs the same however many games there are.
type directory struct {
	version  int64              // counts the games that were added to the database, by whichever program
	names    map[string]*Game   // in lower case
	boxes    map[string][]*Game // by mailbox, in the order they were opened
	threads  map[string][]*Game // by thread of a forum that they read
	own      map[string]bool    // mailboxes and addresses that mail is sent from
	authserv string             // by whose word mail is first judged
	open     *orders.Names      // those that take new members; nil when none does
}

// openDirectory returns the directory, read afresh when it was changed since. Call with the lock held.
func (e *Engine) openDirectory(ctx context.Context, q Queryer) (*directory, error) {
	var version int64
	if err := q.QueryRowContext(ctx, `SELECT version FROM directory`).Scan(&version); err != nil {
		return nil, fmt.Errorf("looking whether the games have changed: %w", err)
	}
	if e.directory != nil && e.directory.version == version {
		return e.directory, nil
	}
	list, err := listGames(ctx, q)
	if err != nil {
		return nil, err
	}
	d := &directory{version: version, names: map[string]*Game{}, boxes: map[string][]*Game{}, threads: map[string][]*Game{}, own: map[string]bool{}}
	for _, g := range list {
		d.add(&Game{Name: g.Name, Ruleset: g.Ruleset, Title: g.Title, Language: g.Language, Zone: g.Zone,
			Mailbox: g.Mailbox, Sender: g.Sender, Created: g.Created, Settings: g.Settings})
	}
	e.directory = d
	return d, nil
}

// listed counts a change of what the directory has of games, in the transaction that makes it.
func listed(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, `UPDATE directory SET version = version + 1`); err != nil {
		return fmt.Errorf("counting the changes of games: %w", err)
	}
	return nil
}

func (d *directory) add(g *Game) {
	box := foldAddress(g.Mailbox)
	d.names[strings.ToLower(g.Name)] = g
	d.boxes[box] = append(d.boxes[box], g)
	d.own[box], d.own[foldAddress(g.Sender)] = true, true
	for _, t := range g.Settings.Threads {
		d.threads[t.Name()] = append(d.threads[t.Name()], g)
	}
	if g.Settings.Join.Open {
		if d.open == nil {
			d.open = &orders.Names{}
		}
		d.open.Add(g.Name, g.Title)
	}
	if g.Settings.AuthservID != "" {
		d.authserv = g.Settings.AuthservID
	}
}

// byName returns a game by its name in any case, nil when there is none.
func (d *directory) byName(name string) *Game { return d.names[strings.ToLower(name)] }

// parted is an address as one of a mailbox of ours: the mailbox, and what stands after it and a +.
type parted struct {
	box, ext string
	games    []*Game // of that mailbox
}

// parts returns the ways to read an address as one of a mailbox of ours.
func (d *directory) parts(address string) (list []parted) {
	local, domain, _ := strings.Cut(address, "@")
	for i, c := range local {
		box := local[:i] + "@" + domain
		if games := d.boxes[box]; c == '+' && i+1 < len(local) && len(games) > 0 {
			list = append(list, parted{box, local[i+1:], games})
		}
	}
	return list
}
