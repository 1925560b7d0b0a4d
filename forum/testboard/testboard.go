// Package testboard is a forum board of our own, in memory, to test against and to show games on.
//
// Its promise: what was set up or posted stands on its pages exactly as a board of the chosen kind shows it, and it takes
// replies, refuses them and fails as that board does. It imports nothing of ours and knows no game; its clock is a func.
//
// How: a Board holds users, threads and posts (testboard.go) and is an http.Handler (serve.go), which logs all requests. A
// Skin (skin.go) is one kind of board and theme: which page an address is of, how a page looks (page.go), how people's
// BBCode or Markdown becomes HTML (markup.go, markdown.go), how dates are written, and, where replies are taken, the forms or
// the API, which all judge a reply by posting.go. A Fault (faults.go) is something that goes wrong, to be switched on.
//
// # Adding a skin
//
// A skin is a Go file, a folder skins/<name>/ of html/template files, and a line in Skins. The file holds a Skin value with
// Address and Ask (the page that a request is for, nil when it is for none), Date, Markup, and what its board does with pages
// past the end, missing threads and deleted posts. The templates are "thread", which is given a *Page with Posts, and
// "message", with Said; a board that asks guests to log in when a thread is missing has "login" too, one that takes replies
// "form". Write a link of the board as {{.Link "./viewtopic.php?t=2"}}: it gets a session id when there is one to show. A
// date that is HTML is written {{raw .Date}}. A board of JSON or XML has Write in place of templates. Forms and APIs are
// Serve, which answers the requests that are no thread pages: it shows forms with their hidden fields, hands what is sent to
// Exchange.reply, and says in the board's words and ways what became of it. phpbb.go and phpbbpost.go with skins/phpbb33 are
// the example. The tests of this package go through Skins by themselves.
package testboard

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Board is one board. The exported fields are set before it is served and not changed then; everything else is safe for
// concurrent use.
type Board struct {
	Title    string
	Skin     *Skin
	Now      func() time.Time
	Zone     *time.Location // in which it shows times; UTC when nil
	Language string         // of its own words and dates, "en" when ""; a skin knows some
	Size     int            // posts on a page; the skin's when 0
	Members  bool           // guests are asked to log in before they may read a thread
	Newest   bool           // pages run backwards unless the address forces the order, as an account may have set it

	Flood    time.Duration // between two posts of a user
	Moderate bool          // posts of everybody but staff wait for a moderator
	Limit    int           // characters of a post; 0 for no limit
	Alone    int           // replies that one user may write in a row where the board looks at that; 0 for any number

	Before func(r *http.Request) // called before every request is answered, outside of all locks; may be nil

	mu       sync.Mutex
	users    []*User
	threads  []*Thread
	posts    []*Post // by id, from 1
	foes     map[[2]int]bool
	sessions map[string]*session
	sent     map[string]bool // forms that were sent, where the board knows them again
	serial   int             // of sessions and tokens
	faults   []*Fault
	asked    []Asked
	robots   string
	miscount int
	ending   bool // a full last page is followed by an empty one
}

// User is somebody with an account.
type User struct {
	ID        int // from 2, as phpBB numbers them
	Name      string
	Password  string
	Key       string // for the API of a board that has one
	Title     string
	Signature string // in the board's markup
	Admin     bool
	Moderator bool
	Banned    bool
	New       bool // his posts wait for a moderator
	Gone      bool // the account was deleted
	Joined    time.Time
}

// Staff tells whether he sees and does more than others.
func (u User) Staff() bool { return u.Admin || u.Moderator }

// Thread is a topic.
type Thread struct {
	ID     int
	Title  string
	Locked bool
	Moved  int // id of the thread that it was moved to or merged into; 0 for none
}

// Post is one post, as it was written.
type Post struct {
	ID          int
	Thread      int
	Author      int    // 0 for a guest, and for a deleted user
	Name        string // of an author without an account
	Subject     string
	Text        string // in the board's markup
	Posted      time.Time
	Edits       []Edit
	Deleted     bool
	Waiting     bool // for a moderator's approval
	Wiki        bool
	NoSmilies   bool     // its writer wants them as text
	Attachments []string // names of files
}

// Edit is one change of a post.
type Edit struct {
	By     int
	At     time.Time
	Reason string
	Last   bool // it was the last post of its thread when it was edited
	Staff  bool // somebody edited another's post
	Shown  bool // the page tells of it
}

// New returns an empty board.
func New(skin *Skin, now func() time.Time) *Board {
	return &Board{Title: "The Tavern", Skin: skin, Now: now, foes: map[[2]int]bool{}, sessions: map[string]*session{}, sent: map[string]bool{}}
}

// AddUser gives an account to somebody and returns it with its id.
func (b *Board) AddUser(u User) User {
	b.mu.Lock()
	defer b.mu.Unlock()
	u.ID = len(b.users) + 2
	u.Joined = b.Now()
	b.users = append(b.users, &u)
	return u
}

// Rename gives a user another name: on all his posts, while quotes keep the old one.
func (b *Board) Rename(user int, name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.user(user).Name = name
}

// Change changes an account in place.
func (b *Board) Change(user int, change func(*User)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(b.user(user))
}

// DeleteUser deletes an account. The posts keep the name, which is free again.
func (b *Board) DeleteUser(user int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	u := b.user(user)
	u.Gone = true
	for _, p := range b.posts {
		if p.Author == user {
			p.Author, p.Name = 0, u.Name
		}
	}
}

// Ignore makes a user a foe of another, who then sees his posts folded up.
func (b *Board) Ignore(viewer, foe int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.foes[[2]int{viewer, foe}] = true
}

// AddThread opens a thread and returns its id.
func (b *Board) AddThread(title string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := &Thread{ID: len(b.threads) + 1, Title: title}
	b.threads = append(b.threads, t)
	return t.ID
}

// Lock closes a thread to replies.
func (b *Board) Lock(thread int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.thread(thread).Locked = true
}

// Move moves all posts of a thread to another; the old address sends there. A thread that is moved to an empty one was
// moved, one to another's posts was merged.
func (b *Board) Move(thread, to int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.thread(thread).Moved = b.thread(to).ID
	for _, p := range b.posts {
		if p.Thread == thread {
			p.Thread = to
		}
	}
}

// Split moves one post to another thread.
func (b *Board) Split(post, to int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.post(post).Thread = b.thread(to).ID
}

// Post writes a post now and returns its id; an author of 0 is a guest.
func (b *Board) Post(thread, author int, text string) int {
	return b.Add(Post{Thread: thread, Author: author, Text: text})
}

// Add adds a post as it is given, with its own id, and returns that. A post that has no time is posted now.
func (b *Board) Add(p Post) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.add(p)
}

func (b *Board) add(p Post) int {
	t := b.thread(p.Thread)
	p.ID = len(b.posts) + 1
	if p.Posted.IsZero() {
		p.Posted = b.Now()
	}
	if p.Author == 0 && p.Name == "" {
		p.Name = "Guest"
	}
	if p.Subject == "" {
		p.Subject = t.Title
		if len(b.of(t.ID)) > 0 {
			p.Subject = "Re: " + t.Title
		}
	}
	p.Text = strings.ReplaceAll(p.Text, "\r\n", "\n")
	b.posts = append(b.posts, &p)
	return p.ID
}

// Edit changes the text of a post. Whether the page tells of it the board decides by who edits, when, and what he gives as reason.
func (b *Board) Edit(post, by int, text, reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.post(post)
	all := b.of(p.Thread)
	e := Edit{By: by, At: b.Now(), Reason: reason, Last: all[len(all)-1] == p, Staff: by != p.Author}
	e.Shown = b.Skin.Noted == nil || b.Skin.Noted(e, e.At.Sub(p.Posted))
	p.Text = text
	p.Edits = append(p.Edits, e)
}

// EditSilently changes the text of a post without a trace.
func (b *Board) EditSilently(post int, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.post(post).Text = text
}

// Delete takes a post out of its thread.
func (b *Board) Delete(post int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.post(post).Deleted = true
}

// Restore brings a deleted post back.
func (b *Board) Restore(post int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.post(post).Deleted = false
}

// Approve makes a waiting post public.
func (b *Board) Approve(post int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.post(post).Waiting = false
}

// Miscount puts the counters of threads out of step by n.
func (b *Board) Miscount(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.miscount = n
}

// EmptyEnd makes the board count a page too many where the last one is full.
func (b *Board) EmptyEnd() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ending = true
}

// Posts returns all posts of a thread in their order, deleted and waiting ones too.
func (b *Board) Posts(thread int) []Post {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []Post
	for _, p := range b.posts {
		if p.Thread == thread {
			list = append(list, p.copy())
		}
	}
	return list
}

func (p *Post) copy() Post {
	c := *p
	c.Edits = slices.Clone(p.Edits)
	return c
}

// of returns the posts of a thread that are public.
func (b *Board) of(thread int) []*Post {
	var list []*Post
	for _, p := range b.posts {
		if p.Thread == thread && !p.Deleted && !p.Waiting {
			list = append(list, p)
		}
	}
	return list
}

func (b *Board) user(id int) *User {
	if id < 2 || id > len(b.users)+1 {
		panic(fmt.Sprintf("testboard: there is no user %d", id))
	}
	return b.users[id-2]
}

func (b *Board) thread(id int) *Thread {
	if id < 1 || id > len(b.threads) {
		panic(fmt.Sprintf("testboard: there is no thread %d", id))
	}
	return b.threads[id-1]
}

func (b *Board) post(id int) *Post {
	if id < 1 || id > len(b.posts) {
		panic(fmt.Sprintf("testboard: there is no post %d", id))
	}
	return b.posts[id-1]
}

// named finds a user by his name, in any case of letters; nil when nobody has it.
func (b *Board) named(name string) *User {
	for _, u := range b.users {
		if !u.Gone && strings.EqualFold(u.Name, strings.TrimSpace(name)) {
			return u
		}
	}
	return nil
}
