package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"arroba/forum"
	"arroba/forum/testboard"
	"arroba/ingest"
	"arroba/ingest/forumsrc"
	"arroba/outbox/forumsink"
	"arroba/rules"
	"arroba/turns"
)

const (
	tavernName     = "tavern" // of the board, as the story's game has it
	tavernPassword = "demo"   // of every account: the board keeps out nobody
	herald         = "Herald" // the account that announcements are posted from
)

// tavernBoard is a forum on loopback, in memory, in the shape of a phpBB: its one thread is the Tavern of the demo's game.
type tavernBoard struct {
	*testboard.Board
	server *http.Server
	client *forum.Client
	url    *url.URL
	thread int
	users  map[string]int // by name
	posts  map[string]int // by the names that the story has for them
}

// openTavern opens the board. Its accounts have their ids in the order of the game's members, from 2.
func openTavern(game *turns.GameFile, c *clock) (*tavernBoard, error) {
	v := &tavernBoard{Board: testboard.New(testboard.SkinNamed("phpbb33"), c.now), users: map[string]int{}, posts: map[string]int{}}
	v.client = &forum.Client{HTTP: &http.Client{}, Agent: "Arroba/demo (+mailto:" + game.Mailbox + ")", Now: c.now, Pause: time.Nanosecond, Sleep: c.sleep}
	for _, m := range game.Members {
		u := testboard.User{Name: m.Nick, Password: tavernPassword}
		if m.Role == rules.GM {
			u.Title, u.Admin = "The Magistrate", true
		}
		v.users[m.Nick] = v.AddUser(u).ID
	}
	v.users[herald] = v.AddUser(testboard.User{Name: herald, Title: "Arroba", Password: tavernPassword}).ID
	v.thread = v.AddThread(game.Title)
	v.Add(testboard.Post{Thread: v.thread, Author: v.users[game.Members[0].Nick], Posted: c.now().Add(-24 * time.Hour),
		Text: "Be welcome, all of you. What you order here counts like what you order by mail."})
	v.server = &http.Server{Handler: v.Board, ReadHeaderTimeout: 10 * time.Second}
	addr, err := listen(v.server.Serve)
	if err != nil {
		return nil, fmt.Errorf("opening the Tavern: %w", err)
	}
	v.url = &url.URL{Scheme: "http", Host: addr, Path: "/"}
	return v, nil
}

// Close closes the board, as the last one who speaks to it.
func (v *tavernBoard) Close() error {
	v.client.HTTP.CloseIdleConnections()
	return v.server.Close()
}

// address is that of the thread.
func (v *tavernBoard) address() string {
	return v.url.Scheme + "://" + v.url.Host + v.Skin.Address(v.thread, 1)
}

// as is the board as an account sees it; a guest has no name.
func (v *tavernBoard) as(user string) *forum.Board {
	b := &forum.Board{Name: tavernName, Address: v.url, View: forum.View{Board: v.Skin.Family, Zone: time.UTC}, Client: v.client}
	if user != "" {
		b.Account = forum.Account{User: user, Password: tavernPassword}
	}
	return b
}

// readBy makes the step that reads the thread.
func (v *tavernBoard) readBy(e *turns.Engine) *turns.Threads {
	return &turns.Threads{Engine: e, Open: func(t turns.Thread, since func(context.Context) time.Time) (ingest.Source, time.Duration, error) {
		src, err := forumsrc.New(forumsrc.Config{Board: v.as(""), Thread: t.Thread, Since: since, Now: e.Now, Log: e.Log})
		return src, 0, err
	}}
}

func (v *tavernBoard) sink() *forumsink.Sink {
	return forumsink.New(forumsink.Config{Board: v.as(herald)})
}

// play does what a step of the story says: writes a post, or writes one anew that was there before.
func (v *tavernBoard) play(st step) error {
	name, author := cmp.Or(head(st.Text, "Post-ID"), "step-"+st.ID), v.users[head(st.Text, "Author")]
	if author == 0 {
		return fmt.Errorf("%q has no account in the Tavern", head(st.Text, "Author"))
	}
	_, body, _ := bytes.Cut(st.Text, []byte("\n\n"))
	text := v.quote(head(st.Text, "Quotes")) + string(body)
	if s := head(st.Text, "Signature"); s != "" {
		v.Change(author, func(u *testboard.User) { u.Signature = s })
	}
	if post := v.posts[name]; post > 0 {
		v.Edit(post, author, text, "")
		return nil
	}
	v.posts[name] = v.Add(testboard.Post{Thread: v.thread, Author: author, Subject: head(st.Text, "Subject"), Text: text})
	return nil
}

// quote quotes a post of the story, as the board's button does.
func (v *tavernBoard) quote(name string) string {
	for _, p := range v.Posts(v.thread) {
		if name == "" || p.ID != v.posts[name] {
			continue
		}
		for user, id := range v.users {
			if id == p.Author {
				return fmt.Sprintf("[quote=%s post_id=%d time=%d user_id=%d]%s[/quote]\n", user, p.ID, p.Posted.Unix(), id, strings.TrimSpace(p.Text))
			}
		}
	}
	return ""
}

// postIn writes a post into the thread of a running demo, as a browser would.
func postIn(ctx context.Context, thread, author, text string) error {
	u, err := url.Parse(thread)
	if err != nil || u.Host == "" {
		return fmt.Errorf("%q is no address of a thread; write the one that the demo named", thread)
	}
	b := &forum.Board{Name: tavernName, Address: &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/"}, View: forum.View{Board: "phpbb"},
		Client:  &forum.Client{HTTP: &http.Client{}, Agent: "Arroba/demo", Now: time.Now, Pause: time.Nanosecond},
		Account: forum.Account{User: author, Password: tavernPassword}}
	if err := b.Login(ctx); err != nil {
		return err
	}
	r, err := b.Reply(ctx, thread, "", text)
	if err == nil && r.Outcome != forum.Posted {
		err = fmt.Errorf("the board does not take it: %s", cmp.Or(r.Said, string(r.Outcome)))
	}
	return err
}
