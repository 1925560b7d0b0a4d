package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/encoding/htmlindex"

	"arroba/forum"
	"arroba/ingest"
	"arroba/ingest/forumsrc"
	"arroba/outbox/forumsink"
	"arroba/turns"
)

// pollForum is how often a thread is read, when the config does not say.
const pollForum = 10 * time.Minute

// checkForum checks a source that is a board.
func (c *config) checkForum(key string, s sourceConfig) error {
	if u, err := url.Parse(s.URL); err != nil || !slices.Contains([]string{"http", "https"}, u.Scheme) || u.Host == "" {
		return c.at(key+".url", "%q is no address of a board; write that of its front page, as \"https://forum.example.org/\"", s.URL)
	}
	if err := c.oneOf(key+".board", s.Board, forum.Boards()...); err != nil {
		return err
	}
	if _, err := time.LoadLocation(s.TimeZone); err != nil {
		return c.at(key+".timezone", "%v; write the zone in which the board shows times, as \"Europe/Berlin\", or leave it out for what its pages say", err)
	}
	if s.Dates != "" {
		if err := c.oneOf(key+".dates", s.Dates, forum.DayFirst, forum.MonthFirst); err != nil {
			return err
		}
	}
	if _, err := htmlindex.Get(s.Charset); s.Charset != "" && err != nil {
		return c.at(key+".charset", "%q is no charset; write a name as \"windows-1251\", or leave it out for what the board says", s.Charset)
	}
	if s.Poll.Duration < time.Minute {
		return c.at(key+".poll", "%v is too often for a board; write 1m or more, as \"10m\"", s.Poll.Duration)
	}
	if err := s.Selectors.Check(); err != nil {
		name, _, _ := strings.Cut(err.Error(), ":")
		return c.at(key+".selectors."+name, "%s", strings.TrimPrefix(err.Error(), name+": "))
	}
	takes := forum.AccountsOf(s.Board)
	if s.PasswordFile+s.PasswordEnv != "" && !takes.Login {
		return c.at(key+".user", "Arroba cannot log in to a board of the kind %s; leave user and password out: it is read as guests see it%s", s.Board, map[bool]string{true: ", or with key_file"}[takes.Key])
	}
	switch api, withKey := s.readsAPI(), s.KeyFile+s.KeyEnv != ""; {
	case s.Board == "xenforo" && withKey && !api:
		return c.at(key+".url", "with a key a XenForo board is read by its API; write the address of that, as \"https://forum.example.org/api/\", or leave the key out")
	case api && !withKey:
		return c.at(key+".key_file", "is missing; the API of a XenForo board wants a key, which its admin makes. Or write the board's front page as its url")
	}
	return c.checkAccount(key, s.Board, s.Login, s.Key)
}

// checkForumSink checks a sink that posts on a board.
func (c *config) checkForumSink(key string, s sinkConfig) error {
	i := c.forumNamed(s.Source)
	if i < 0 {
		return c.at(key+".source", "%q is no board; write the name of a [[source]] of kind \"forum\"", s.Source)
	}
	for j, other := range c.Sinks {
		if at := fmt.Sprintf("sink.%d", j); at != key && other.Kind == kindForum && other.Source == s.Source {
			return c.at(key+".source", "%s posts there already; one account for a board", at)
		}
	}
	if s.User == "" {
		return c.at(key+".user", "is missing; write the account to post from, whose posts are no orders, with its password_file or password_env, or key_file for the board's API")
	}
	board := c.Sources[i].Board
	switch takes := forum.AccountsOf(board); {
	case !takes.Replies:
		return c.at(key+".source", "boards of the kind %s are read, and cannot be posted to; take the sink out", board)
	case !takes.Login && s.KeyFile+s.KeyEnv == "":
		return c.at(key+".key_file", "is missing; boards of the kind %s are posted to by their API alone", board)
	}
	if c.Sources[i].readsAPI() && s.KeyFile+s.KeyEnv == "" {
		return c.at(key+".key_file", "is missing; the url of the board is that of its API, which wants a key")
	}
	return c.checkAccount(key, board, s.Login, s.Key)
}

// readsAPI tells whether a board is read by an API that has an address of its own.
func (s sourceConfig) readsAPI() bool {
	return s.Board == "xenforo" && strings.HasSuffix(strings.TrimRight(s.URL, "/"), "/api")
}

// checkAccount checks how we show a board who we are.
func (c *config) checkAccount(key, board string, l Login, k Key) error {
	withPassword, withKey := l.PasswordFile+l.PasswordEnv != "", k.KeyFile+k.KeyEnv != ""
	switch {
	case withKey && !forum.AccountsOf(board).Key:
		return c.at(key+".key_file", "boards of the kind %s have no API that Arroba knows; write password_file or password_env", board)
	case l.TokenFile != "":
		return c.at(key+".token_file", "boards know no OAuth2; write password_file, or key_file for the board's API")
	case l.PasswordFile != "" && l.PasswordEnv != "":
		return c.at(key+".password_env", "write password_file or password_env, and not both")
	case k.KeyFile != "" && k.KeyEnv != "":
		return c.at(key+".key_env", "write key_file or key_env, and not both")
	case withPassword && withKey:
		return c.at(key+".password_file", "write a password or a key, and not both")
	case withKey && l.User == "" && board == "discourse":
		return c.at(key+".user", "is missing; write the name of the account that the key is for")
	case l.User == "" && withPassword:
		return c.at(key+".user", "is missing; write the name to log in with")
	case l.User != "" && !withPassword && !withKey:
		return c.at(key+".user", "write password_file or password_env beside it, or key_file for the board's API")
	}
	return nil
}

// forumNamed is the index of the source that is the board of that name, -1 when there is none.
func (c *config) forumNamed(name string) int {
	return slices.IndexFunc(c.Sources, func(s sourceConfig) bool { return s.Kind == kindForum && s.Name == name })
}

// forumSink is the index of the sink that posts on the board of that name, -1 when there is none.
func (c *config) forumSink(name string) int {
	return slices.IndexFunc(c.Sinks, func(s sinkConfig) bool { return s.Kind == kindForum && s.Source == name })
}

// account is what a board knows us by. Secrets are read when they are needed, so that a changed file counts after SIGHUP.
func (c *config) account(key string, l Login, k Key) (a forum.Account, err error) {
	a.User = l.User
	if l.PasswordFile+l.PasswordEnv != "" {
		if a.Password, err = c.password(key, l); err != nil {
			return a, err
		}
	}
	if k.KeyFile+k.KeyEnv != "" {
		a.Key, err = c.secret(key+".key", k.KeyEnv, k.KeyFile)
	}
	return a, err
}

// agent is how we introduce ourselves to boards: who we are and where to write to.
func (c *config) agent() string {
	version := "dev"
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(info.Main.Version, "v") {
		version = info.Main.Version
	}
	return fmt.Sprintf("Arroba/%s (+mailto:%s)", version, c.Operator)
}

// newClient makes what asks all boards.
func (c *config) newClient(now func() time.Time) *forum.Client {
	return &forum.Client{HTTP: &http.Client{}, Agent: c.agent(), Now: now, Pause: c.pause}
}

// newForum makes the board that the i-th source is, as an account sees it.
func (c *config) newForum(i int, client *forum.Client, a forum.Account) (*forum.Board, error) {
	s, key := c.Sources[i], fmt.Sprintf("source.%d", i)
	base, err := url.Parse(s.URL)
	if err != nil {
		return nil, c.at(key+".url", "%v", err)
	}
	if !strings.HasSuffix(base.Path, "/") && !strings.Contains(base.Path[strings.LastIndex(base.Path, "/")+1:], ".") {
		base.Path += "/"
	}
	var zone *time.Location // nil: as its pages say
	if s.TimeZone != "" {
		if zone, err = time.LoadLocation(s.TimeZone); err != nil {
			return nil, c.at(key+".timezone", "%v", err)
		}
	}
	return &forum.Board{Name: s.Name, Address: base, Client: client, Account: a,
		View: forum.View{Board: s.Board, Zone: zone, Dates: s.Dates, Charset: s.Charset, Selectors: s.Selectors}}, nil
}

// forums makes the boards that threads are read on, by their names.
func (c *config) forums(client *forum.Client) (map[string]*forum.Board, error) {
	boards := map[string]*forum.Board{}
	for i, s := range c.Sources {
		if s.Kind != kindForum {
			continue
		}
		a, err := c.account(fmt.Sprintf("source.%d", i), s.Login, s.Key)
		if err != nil {
			return nil, err
		}
		if boards[s.Name], err = c.newForum(i, client, a); err != nil {
			return nil, err
		}
	}
	return boards, nil
}

// newForumSink makes the i-th sink of the config, which posts on a board.
func (c *config) newForumSink(i int, client *forum.Client) (*forumsink.Sink, error) {
	s := c.Sinks[i]
	a, err := c.account(fmt.Sprintf("sink.%d", i), s.Login, s.Key)
	if err != nil {
		return nil, err
	}
	b, err := c.newForum(c.forumNamed(s.Source), client, a)
	if err != nil {
		return nil, err
	}
	return forumsink.New(forumsink.Config{Board: b, Moderated: s.Moderated}), nil
}

// threads is the step that reads the threads of the boards.
func (c *config) threads(e *turns.Engine, log *slog.Logger, boards map[string]*forum.Board) *turns.Threads {
	return &turns.Threads{Engine: e, Open: func(t turns.Thread, since func(context.Context) time.Time) (ingest.Source, time.Duration, error) {
		b := boards[t.Source]
		if b == nil {
			return nil, 0, c.noForum(t)
		}
		src, err := forumsrc.New(forumsrc.Config{Board: b, Thread: t.Thread, Since: since, Now: e.Now, Log: log})
		return src, c.Sources[c.forumNamed(t.Source)].Poll.Duration, err
	}}
}

// noForum says that a thread is of no board of the config.
func (c *config) noForum(t turns.Thread) error {
	return fmt.Errorf("the thread %s is of no board in %s; write a [[source]] of kind \"forum\" with the name %q", t.Name(), c.file, t.Source)
}

// checkThreads refuses a game that reads threads of which the config has no board.
func (c *config) checkThreads(f *turns.GameFile) error {
	boards, err := c.forums(c.newClient(time.Now))
	if err != nil {
		return err
	}
	var errs []error
	for _, t := range f.Settings.Threads {
		b := boards[t.Source]
		if b == nil {
			errs = append(errs, c.noForum(t))
		} else if _, err := b.Thread(t.Thread); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// boardsForGames tells how the engine is to know the boards.
func (c *config) boardsForGames() (list []turns.Forum) {
	for _, s := range c.Sources {
		if s.Kind != kindForum {
			continue
		}
		f := turns.Forum{Name: s.Name}
		if i := c.forumSink(s.Name); i >= 0 {
			for _, own := range []string{c.Sinks[i].User, c.Sinks[i].UserID} {
				if own != "" {
					f.Own = append(f.Own, own)
				}
			}
			b := &forum.Board{View: forum.View{Board: s.Board}}
			f.Limit, f.Markup = cmp.Or(c.Sinks[i].Limit, b.Limit()), b.Markup
		}
		list = append(list, f)
	}
	return list
}

// mailSource is the first source that letters come to by mail, nil for none.
func (c *config) mailSource() sourceConfig {
	for _, s := range c.Sources {
		if s.Kind != kindForum {
			return s
		}
	}
	return sourceConfig{}
}

// mailSink is the first sink that mail goes by.
func (c *config) mailSink() sinkConfig {
	for _, s := range c.Sinks {
		if s.Kind != kindForum {
			return s
		}
	}
	return sinkConfig{}
}
