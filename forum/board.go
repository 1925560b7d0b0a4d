package forum

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"
)

// Board is one board, as a guest sees it or with an account. The fields are set before the first call.
type Board struct {
	Name    string // in the config
	Address *url.URL
	View    View // with its family named
	Client  *Client
	Account Account

	once     sync.Once
	jar      http.CookieJar // of this account on this board
	entry    sync.Mutex
	failures int       // to log in, one after the other
	noLogin  time.Time // no try before it
	noEntry  string    // what the board said to the last one
}

// cookies keeps those of this account.
func (b *Board) cookies() http.CookieJar {
	b.once.Do(func() { b.jar, _ = cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List}) })
	return b.jar
}

func (b *Board) get(ctx context.Context, address string) (Answer, error) {
	address, err := b.own(address)
	if err != nil {
		return Answer{}, err
	}
	return b.Client.get(ctx, b.cookies(), request{address: address, header: b.keys(), robots: true})
}

// own is an address of the board, as it may be asked with what shows who we are. One on another host is none, whatever page
// leads there; a board that is reached by https is reached by nothing else.
func (b *Board) own(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("%q is no address: %w", address, err)
	}
	if b.Address.Scheme == "https" && u.Scheme == "http" {
		u.Scheme = "https"
	}
	if hostOf(u) != hostOf(b.Address) {
		return "", &ElsewhereError{b.Address.String(), WithoutSession(address)}
	}
	return u.String(), nil
}

// Account is how we show a board who we are; the zero value is a guest.
type Account struct {
	User     string
	Password string
	Key      string // of its API, where it has one
}

// Fetch asks for a page and reads it. A guard before the board often answers as if the board were busy: its page is no
// error.
func (b *Board) Fetch(ctx context.Context, address string) (Page, Answer, error) {
	a, err := b.get(ctx, address)
	var throttled *ThrottledError
	if err != nil && !(errors.As(err, &throttled) && len(a.Body) > 0) {
		return Page{}, a, err
	}
	p := Read(a, b.View)
	if err != nil && p.Kind != Challenge {
		return Page{}, a, err
	}
	return p, a, nil
}

// Thread is the address of a thread's first page, given its id or an address of one of its pages on this board.
func (b *Board) Thread(id string) (string, error) {
	f := familyNamed(b.View.Board)
	if f == nil || f.thread == nil {
		return "", fmt.Errorf("%s: threads of a %s board cannot be asked for", b.Name, b.View.Board)
	}
	if strings.Contains(id, "://") {
		u, err := url.Parse(id)
		if err != nil || u.Host != b.Address.Host {
			return "", fmt.Errorf("%s is no address on %s", id, b.Address)
		}
		if f.first != nil {
			if first := f.first(u); first != "" {
				return first, nil
			}
		}
		address := id
		if id = b.ThreadID(id); id == "" {
			return address, nil
		}
	}
	return f.thread(b.Address, id), nil
}

// ThreadID is the id of a thread, given that or an address of one of its pages; "" when the address does not tell.
func (b *Board) ThreadID(thread string) string {
	f := familyNamed(b.View.Board)
	u, err := url.Parse(thread)
	if err != nil || !strings.Contains(thread, "://") {
		return thread
	}
	if f == nil || f.threadID == nil {
		return ""
	}
	return f.threadID(u)
}

// From is the address of the page of a thread that holds a post, "" where the board has none.
func (b *Board) From(thread, post string) string {
	f := familyNamed(b.View.Board)
	if f == nil || f.from == nil {
		return ""
	}
	return f.from(b.Address, thread, post)
}
