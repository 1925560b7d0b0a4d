package testboard

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// sending is a reply that somebody sends.
type sending struct {
	thread  int
	subject string
	text    string
	plain   bool   // without smilies
	seen    int    // the last post that the form has shown; 0 when the board does not look
	form    string // by which the board knows a form that was sent; "" when it does not
}

// verdict is what the board makes of it.
type verdict int

const (
	stored verdict = iota
	queued
	noThread
	noRight // a guest
	barred
	locked
	tooSoon
	empty
	tooLong
	malformed
	newer   // posts were made in the meantime
	already // this form was sent before
)

// made is what became of a reply.
type made struct {
	verdict
	post  int
	wait  time.Duration // until the next is taken
	newer []Shown
	stray string // the tag without a partner
}

// reply takes a reply, or does not.
func (x *Exchange) reply(s sending) made {
	x.mu.Lock()
	defer x.mu.Unlock()
	s.text = strings.TrimSpace(strings.ReplaceAll(s.text, "\r\n", "\n"))
	switch {
	case s.thread < 1 || s.thread > len(x.threads):
		return made{verdict: noThread}
	case x.User.ID == 0:
		return made{verdict: noRight}
	case x.User.Banned:
		return made{verdict: barred}
	case x.thread(s.thread).Locked && !x.User.Staff():
		return made{verdict: locked}
	case s.form != "" && x.sent[s.form]:
		return made{verdict: already}
	}
	if wait := x.floodWait(); wait > 0 {
		return made{verdict: tooSoon, wait: wait}
	}
	if s.text == "" {
		return made{verdict: empty}
	}
	if x.Limit > 0 && utf8.RuneCountInString(s.text) > x.Limit {
		return made{verdict: tooLong}
	}
	if x.Skin.Markup.Stray == StrayRefused {
		if stray := x.Skin.Markup.unmatched(s.text); stray != "" {
			return made{verdict: malformed, stray: stray}
		}
	}
	if s.seen > 0 {
		if list := x.since(s.thread, s.seen); len(list) > 0 {
			return made{verdict: newer, newer: list}
		}
	}
	if s.form != "" {
		x.sent[s.form] = true
	}
	return x.store(s)
}

// store stores a reply: as a post of its own, or at the end of the writer's last one where the board merges.
func (x *Exchange) store(s sending) made {
	all := x.of(s.thread)
	wait := (x.Moderate || x.User.New) && !x.User.Staff()
	if n := len(all); x.Skin.Merge > 0 && !wait && n > 0 && all[n-1].Author == x.User.ID && x.Now().Sub(all[n-1].Posted) < x.Skin.Merge {
		last := all[n-1]
		last.Text += "\n[hr]\n" + s.text
		last.Edits = append(last.Edits, Edit{By: x.User.ID, At: x.Now(), Last: true, Shown: true})
		return made{post: last.ID}
	}
	id := x.add(Post{Thread: s.thread, Author: x.User.ID, Subject: s.subject, Text: s.text, NoSmilies: s.plain, Waiting: wait})
	if wait {
		return made{verdict: queued, post: id}
	}
	return made{post: id}
}

// floodWait is how long the user has to wait for his next post.
func (x *Exchange) floodWait() time.Duration {
	if x.User.Staff() {
		return 0
	}
	var last time.Time
	for _, p := range x.posts {
		if p.Author == x.User.ID && p.Posted.After(last) {
			last = p.Posted
		}
	}
	return max(0, last.Add(x.Flood).Sub(x.Now()))
}

// since are the public posts of a thread behind one of them.
func (x *Exchange) since(thread, post int) []Shown {
	var list []Shown
	p := x.newPage(x)
	for i, m := range x.of(thread) {
		if m.ID > post {
			list = append(list, x.show(p, m, i+1))
		}
	}
	return list
}

// review are the last public posts of a thread, newest first.
func (x *Exchange) review(thread int) []Shown {
	x.mu.Lock()
	defer x.mu.Unlock()
	list := x.since(thread, 0)
	list = list[max(0, len(list)-10):]
	slices.Reverse(list)
	return list
}

// lastPost is the id of the last public post of a thread, 0 when it has none.
func (x *Exchange) lastPost(thread int) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	all := x.of(thread)
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].ID
}

// topic returns a thread, false when there is none.
func (x *Exchange) topic(id int) (Thread, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if id < 1 || id > len(x.threads) {
		return Thread{}, false
	}
	return *x.thread(id), true
}

// logIn begins a session of a user, given his name and password; false when they do not fit.
func (x *Exchange) logIn(name, password string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	u := x.named(name)
	if u == nil || password == "" || u.Password != password {
		return false
	}
	delete(x.sessions, x.session.id) // a log-in begins a session of its own
	x.session = &session{id: x.random()[:32], user: u.ID, fields: map[string]string{}}
	x.sessions[x.session.id] = x.session
	x.User, x.shown = *u, ""
	x.Header.Del("Set-Cookie")
	x.setCookie()
	return true
}

// logOut ends the session.
func (x *Exchange) logOut() {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.sessions, x.session.id)
}

// keyed makes the request one of the user who has a key for the API; false when nobody has.
func (x *Exchange) keyed(key string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, u := range x.users {
		if key != "" && u.Key == key && !u.Gone {
			x.User = *u
			return true
		}
	}
	return false
}

// field keeps a hidden field of the session that is made at its first use: its value, by what it is for.
func (x *Exchange) field(name string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.session.fields[name] == "" {
		x.session.fields[name] = x.random()
	}
	return x.session.fields[name]
}

// drop forgets a hidden field, so that the next form has another.
func (x *Exchange) drop(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.session.fields, name)
}

// fresh is a word that no form had before.
func (x *Exchange) fresh() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.random()
}

// count is a number that no form had before.
func (x *Exchange) count() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.serial++
	return strconv.Itoa(3_000_000 + x.serial)
}

// signed is a token that nobody else can make: of some words and the session.
func (x *Exchange) signed(words ...any) string {
	sum := sha1.Sum(fmt.Append([]byte("testboard "+x.session.id), words...))
	return hex.EncodeToString(sum[:])
}

// referred tells whether the request says that it comes from a page of the board, one of some path when path is given.
func (x *Exchange) referred(path string) bool {
	u, err := url.Parse(x.R.Referer())
	return err == nil && u.Host == x.R.Host && strings.HasPrefix(strings.TrimPrefix(u.Path, "/"), path)
}

// form is a page with a form in it.
func (x *Exchange) form(title string, f Form) *Page {
	p := x.newPage(x)
	p.Thread.Title, p.Form = title, &f
	return p
}

// member returns a user by his id, false when there is none.
func (x *Exchange) member(id int) (User, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if id < 2 || id > len(x.users)+1 {
		return User{}, false
	}
	return *x.user(id), true
}

// public is a post as a page shows it, false when there is none that everybody sees.
func (x *Exchange) public(id int) (Shown, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if id < 1 || id > len(x.posts) || x.post(id).Deleted || x.post(id).Waiting {
		return Shown{}, false
	}
	return x.show(x.newPage(x), x.post(id), 0), true
}

// showPost is a post as a page shows it, public or not.
func (x *Exchange) showPost(id int) Shown {
	x.mu.Lock()
	defer x.mu.Unlock()
	p := x.post(id)
	return x.show(x.newPage(x), p, len(x.of(p.Thread)))
}
