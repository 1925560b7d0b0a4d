package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"arroba/forum"
	"arroba/ingest"
	"arroba/rules"
	"arroba/store"
	"arroba/turns"
)

// forum tries whether a board can be read at all. What its threads hold is shown with the games that read them.
func (k *checker) forum(_ context.Context, c *config, i int) {
	s := c.Sources[i]
	a, err := c.account(fmt.Sprintf("source.%d", i), s.Login, s.Key)
	if err == nil {
		k.boards[s.Name], err = c.newForum(i, k.client, a)
	}
	as := "as a guest"
	switch {
	case a.Key != "":
		as = "with a key"
	case s.User != "":
		as = "as " + s.User
	}
	k.say("source "+s.Name, fmt.Sprintf("%s, a board of the kind %s, is read %s every %v; its threads follow with their games", s.URL, s.Board, as, s.Poll.Duration), err)
}

// poster tries whether an account that posts can log in.
func (k *checker) poster(ctx context.Context, c *config, i int) {
	s := c.Sinks[i]
	what := "sink " + s.Name
	a, err := c.account(fmt.Sprintf("sink.%d", i), s.Login, s.Key)
	if err != nil {
		k.say(what, "", err)
		return
	}
	b, err := c.newForum(c.forumNamed(s.Source), k.client, a)
	if err != nil {
		k.say(what, "", err)
		return
	}
	if a.Key != "" {
		k.say(what, fmt.Sprintf("posts on %s by its API; whether the key is good shows with the first post", s.Source), nil)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	err = b.Login(ctx)
	k.say(what, fmt.Sprintf("logged in to %s as %s; nothing was posted", s.Source, s.User), remedy(err, "if it is right there, the kind of the board may be another, or it cannot be posted to"))
	if err == nil {
		k.good = append(k.good, "forum "+s.Source)
	}
}

// forumNotes says what a game's threads and accounts leave open.
func (c *config) forumNotes(f *turns.GameFile) []string {
	var notes []string
	read := map[string]bool{}
	for _, t := range f.Settings.Threads {
		if c.forumNamed(t.Source) < 0 {
			notes = append(notes, c.noForum(t).Error())
		}
		read[t.Source] = true
		if t.Tavern && c.forumSink(t.Source) < 0 {
			notes = append(notes, fmt.Sprintf("its Tavern is the thread %s, and no [[sink]] of kind \"forum\" posts there: what is public stands on the web board only", t.Name()))
		}
	}
	if len(read) == 0 {
		return notes
	}
	numbered := "" // a board that is read and shows ids
	for _, name := range slices.Sorted(maps.Keys(read)) {
		if i := c.forumNamed(name); i >= 0 && forum.AccountsOf(c.Sources[i].Board).IDs {
			numbered = cmp.Or(numbered, name)
		} else if i >= 0 && !f.Settings.ForumNames {
			notes = append(notes, name+" shows no ids of its users: no post there counts unless the game says forum_names = true")
		}
	}
	if f.Settings.ForumNames && numbered != "" {
		notes = append(notes, "forum_names lets whoever has a member's name on a board order for him: names can be changed, and registered again when they are free; write the numeric ids, as forum = { board = \"…\", id = \"…\" }")
	}
	for _, m := range f.Members {
		for _, a := range m.Accounts {
			switch {
			case a.Board == "" && !f.Settings.ForumNames && numbered != "":
				notes = append(notes, fmt.Sprintf("%s has the forum name %q, which proves nothing on a board; write forum = { board = \"%s\", id = \"…\" } with the number in the link to his profile", m.Nick, a.ID, numbered))
			case a.Board != "" && c.forumNamed(a.Board) < 0:
				notes = append(notes, fmt.Sprintf("%s has an account on %s, and no [[source]] of kind \"forum\" has that name", m.Nick, a.Board))
			case a.Board != "" && c.postsFrom(a.Board, a.ID):
				notes = append(notes, fmt.Sprintf("%s has the account that Arroba posts from on %s: what it writes is never obeyed; make an account of its own for the posts", m.Nick, a.Board))
			}
		}
		if m.Role == rules.GM && !slices.ContainsFunc(m.Accounts, func(a turns.Account) bool { return a.Board != "" }) {
			remedy := "; rule by mail: a name alone makes nobody a GM"
			if numbered != "" {
				remedy = fmt.Sprintf("; write forum = { board = \"%s\", id = \"…\" }, or rule by mail", numbered)
			}
			notes = append(notes, m.Nick+" has no account on a board, so none of his posts is a GM's"+remedy)
		}
	}
	return notes
}

// postsFrom tells whether Arroba posts on a board from the account with that name or id.
func (c *config) postsFrom(board, account string) bool {
	i := c.forumSink(board)
	return i >= 0 && account != "" && slices.Contains([]string{c.Sinks[i].User, c.Sinks[i].UserID}, account)
}

// seen is what was understood of a thread.
type seen struct {
	forum.Page                 // the last that was looked at
	zone        *time.Location // of the board's own clock, as its pages show; nil when they do not
	first, last time.Time      // of its posts
	span        time.Duration
	undated     int
	posts       map[string]bool    // by id
	pages       []string           // that were looked at, in words
	authors     map[string]*author // by name and id
	problems    []string
}

type author struct {
	name, id string
	posts    int
}

// checkPages is how many of a thread's first pages are looked at, and how many may be after its newest known post.
const checkPages = 2

// look reads the first pages of a thread and its last. Newest is the last post of it that is known, "" for none.
func look(ctx context.Context, b *forum.Board, thread, newest string) (*seen, error) {
	address, err := b.Thread(thread)
	if err != nil {
		return nil, err
	}
	s := &seen{posts: map[string]bool{}, authors: map[string]*author{}}
	at := []string{address}
	for n := 1; address != "" && n <= checkPages; n++ {
		p, err := s.fetch(ctx, b, address)
		if err != nil {
			return nil, err
		}
		s.add(p, fmt.Sprint("page ", n))
		address = p.Next
		at = append(at, address)
	}
	if address == "" {
		return s, nil
	}
	ends := []string{lastAddress(at, s.Total, len(s.posts)/checkPages)}
	if newest != "" {
		ends = append(ends, b.From(b.ThreadID(thread), newest))
	}
	for _, end := range ends {
		for n := 0; n <= checkPages && end != "" && s.Next != ""; n++ {
			p, err := s.fetch(ctx, b, end)
			if err != nil || p.Thread != s.Thread || !s.add(p, fmt.Sprint("page ", cmp.Or(p.Mark, -1))) {
				break
			}
			end = p.Next
		}
	}
	return s, nil
}

// fetch asks for a page of a thread.
func (s *seen) fetch(ctx context.Context, b *forum.Board, address string) (forum.Page, error) {
	p, _, err := b.Fetch(ctx, address)
	if err == nil && p.Kind == forum.Login && b.Account.Password != "" {
		if err = b.Login(ctx); err == nil {
			p, _, err = b.Fetch(ctx, address)
		}
	}
	if err == nil && p.Kind != forum.Thread {
		err = fmt.Errorf("%s is a page of the kind %q in place of a thread%s", address, p.Kind, said(p))
	}
	return p, err
}

var number = regexp.MustCompile(`\d+`)

// lastAddress works out where a thread's last page should be, from the addresses of its first three and how many posts it
// has in all and on a page: for addresses that grow by the same number. "" when they do not; what is there is looked at.
func lastAddress(at []string, total, size int) string {
	if len(at) < 3 || total < 0 || size < 1 {
		return ""
	}
	a, b := number.FindAllStringIndex(at[1], -1), number.FindAllStringIndex(at[2], -1)
	if len(a) != len(b) {
		return ""
	}
	for i := range a {
		old, _ := strconv.Atoi(at[1][a[i][0]:a[i][1]])
		now, _ := strconv.Atoi(at[2][b[i][0]:b[i][1]])
		if step := now - old; step > 0 && step <= size {
			last := now + ((total-1)/size-2)*step
			return at[2][:b[i][0]] + strconv.Itoa(last) + at[2][b[i][1]:]
		}
	}
	return ""
}

// said is what a page that is no thread says.
func said(p forum.Page) string {
	switch words := strings.Join(append([]string{p.Said}, p.Problems...), "; "); {
	case strings.Trim(words, "; ") == "":
		return ""
	default:
		return ": " + strings.Trim(words, "; ")
	}
}

// add takes up a page, and tells whether there was anything new on it.
func (s *seen) add(p forum.Page, called string) bool {
	before := len(s.posts)
	s.Page = p
	s.zone = cmp.Or(p.Zone, s.zone)
	for _, text := range p.Problems {
		if !slices.Contains(s.problems, text) {
			s.problems = append(s.problems, text)
		}
	}
	for _, post := range p.Posts {
		if s.posts[post.ID] {
			continue
		}
		s.posts[post.ID] = true
		key := post.Author + "\x00" + post.AuthorID
		if s.authors[key] == nil {
			s.authors[key] = &author{name: post.Author, id: post.AuthorID}
		}
		s.authors[key].posts++
		at := post.Posted
		if at.IsZero() {
			s.undated++
			continue
		}
		if s.first.IsZero() || at.At.Before(s.first) {
			s.first = at.At
		}
		if at.At.After(s.last) {
			s.last = at.At
		}
		s.span = max(s.span, at.Late.Sub(at.Early))
	}
	if len(s.posts) > before {
		s.pages = append(s.pages, strings.Replace(called, "page -1", "a page behind them", 1))
	}
	return len(s.posts) > before
}

// clock says in which zone times are read that name none, and why.
func (s *seen) clock(b *forum.Board) string {
	switch {
	case b.View.Zone != nil:
		return fmt.Sprintf("times without a zone are taken for %s, as the config has it", b.View.Zone)
	case s.zone != nil:
		return fmt.Sprintf("times without a zone are taken for %s, as the board's own clock shows; if it keeps summer time, write its timezone", s.zone)
	}
	return "times without a zone are taken for UTC, for the board shows none; write its timezone if it has another"
}

// precision is how precisely dates are shown, in words.
func (s *seen) precision() string {
	switch {
	case s.span < time.Second:
		return "to the second"
	case s.span < time.Minute:
		return "to the minute"
	case s.span < time.Hour:
		return "to the hour"
	}
	return "to the day"
}

// thread shows what is understood of a thread of a game.
func (k *checker) thread(ctx context.Context, c *config, db *store.DB, f *turns.GameFile, t turns.Thread) {
	what := "thread " + t.Name()
	b := k.boards[t.Source]
	if b == nil {
		k.say(what, "", c.noForum(t))
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 2*checkLimit)
	defer cancel()
	newest, err := ingest.LastPost(ctx, db.Read(), t.Name())
	if err != nil {
		k.say(what, "", err)
		return
	}
	s, err := look(ctx, b, t.Thread, newest)
	if err != nil {
		k.say(what, "", threadRemedy(err))
		return
	}
	k.say(what, fmt.Sprintf("%q on %s (%s): %s", s.Title, s.Board, s.Theme, s.count()), nil)
	k.good = append(k.good, "source "+t.Name())
	if !s.first.IsZero() {
		k.warn(what, fmt.Sprintf("posts from %s to %s, shown %s; %s", s.first.In(f.Zone).Format(minutes), s.last.In(f.Zone).Format(minutes), s.precision(), s.clock(b)))
	}
	if s.undated > 0 {
		k.warn(what, fmt.Sprintf("the dates of %d posts cannot be read: they count from when they are seen; check the timezone of the source, or tell us what is shown there", s.undated))
	}
	for _, text := range slices.Concat(s.known(c, f, t.Source), s.problems) {
		k.warn(what, text)
	}
}

func (s *seen) count() string {
	text := fmt.Sprintf("looked at %s, posts: %d", strings.Join(s.pages, ", "), len(s.posts))
	if s.Total >= 0 {
		text += fmt.Sprintf(" of %d", s.Total)
	}
	switch {
	case s.Next != "":
		text += "; there are more behind them, which 'arroba serve' reads"
	case s.Total > len(s.posts):
		text += "; the last one is among them"
	}
	return text
}

// known says which of the writers in a thread are members, and by what.
func (s *seen) known(c *config, f *turns.GameFile, source string) (notes []string) {
	ids := !forum.NamesAlone(s.Board, s.Theme)
	for _, key := range slices.Sorted(maps.Keys(s.authors)) {
		a := s.authors[key]
		nick, how := member(f, source, a)
		switch {
		case c.postsFrom(source, a.name) || c.postsFrom(source, a.id):
			notes = append(notes, fmt.Sprintf("%s is the account that Arroba posts from (posts: %d)", a.name, a.posts))
		case nick != "":
			notes = append(notes, fmt.Sprintf("%s is %s, by his %s (posts: %d)", a.name, nick, how, a.posts))
		case a.id != "":
			notes = append(notes, fmt.Sprintf("%s is nobody known (posts: %d); if he is a member: forum = { board = \"%s\", id = \"%s\" }", a.name, a.posts, source, a.id))
		case !ids:
			notes = append(notes, fmt.Sprintf("%s is nobody known (posts: %d); if he is a member: forum = %q, with forum_names = true", a.name, a.posts, a.name))
		default:
			notes = append(notes, fmt.Sprintf("%s is nobody known, and the board shows no id of his: a guest, or a user who is gone (posts: %d)", a.name, a.posts))
		}
	}
	return notes
}

// member is who an author is in a game, and by what he is known.
func member(f *turns.GameFile, source string, a *author) (nick, how string) {
	for _, m := range f.Members {
		for _, account := range m.Accounts {
			switch {
			case account.Board == source && account.ID == a.id && a.id != "":
				return m.Nick, "id " + a.id
			case account.Board == "" && account.ID == a.name && f.Settings.ForumNames && m.Role != rules.GM:
				return m.Nick, "name"
			}
		}
	}
	return "", ""
}

// threadRemedy adds what to do about a thread that cannot be read.
func threadRemedy(err error) error {
	var robots *forum.RobotsError
	var elsewhere *forum.ElsewhereError
	var busy *forum.ThrottledError
	if errors.As(err, &robots) || errors.As(err, &elsewhere) || errors.As(err, &busy) {
		return err // it says so itself
	}
	return remedy(err, "check the url and the kind of the board, and the number of the thread; where guests may not read it, write user and password_file beside the source")
}
