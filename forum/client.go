package forum

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Client asks boards for pages, politely: what robots.txt says goes, a host is asked one thing at a time with a pause
// after it, and one that is busy is left alone. All who speak to the same hosts share one.
type Client struct {
	HTTP  *http.Client                                     // how hosts are reached, and how long an answer may take: a minute when it does not say
	Agent string                                           // User-Agent: "Arroba/<version> (+<address to write to>)"
	Pause time.Duration                                    // after an answer of a host, at least; up to two and a half times as long. 2 s when 0
	Now   func() time.Time                                 // of answers that tell no Date, and for pauses
	Sleep func(ctx context.Context, d time.Duration) error // nil for that of the machine
	mu    sync.Mutex
	hosts map[string]*host
}

// MaxPage is how many bytes a page may have.
const MaxPage = 8 << 20

const (
	shortPause  = 2 * time.Second
	timeLimit   = time.Minute    // of one answer
	longPause   = time.Hour      // of a host that is busy, unless it asks for more itself
	longestWish = 24 * time.Hour // that a host is left alone because it asks for it: nobody means years
	patience    = time.Minute    // a longer wait for a busy host is left to the caller
	maxRedirect = 10
)

// A RobotsError says that a host does not want a page to be read by programs.
type RobotsError struct{ Address string }

func (e *RobotsError) Error() string {
	return e.Address + " is forbidden by the board's robots.txt; its admin can allow it for the agent Arroba"
}

// A ThrottledError says that a host has too much to do, and is not asked before Until.
type ThrottledError struct {
	Host   string
	Until  time.Time
	Status int // that it answered; 0 when it was not asked, because of an earlier answer
}

func (e *ThrottledError) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("%s is left alone until %s", e.Host, e.Until.UTC().Format(time.RFC3339))
	}
	return fmt.Sprintf("%s answered %d %s, and is left alone until %s", e.Host, e.Status, http.StatusText(e.Status), e.Until.UTC().Format(time.RFC3339))
}

// An ElsewhereError says that a page has gone to another host, where we do not follow.
type ElsewhereError struct{ Asked, To string }

func (e *ElsewhereError) Error() string {
	return fmt.Sprintf("%s sends to another host, %s; when the board has moved, write its new address in the config", e.Asked, e.To)
}

// ErrTooBig is a page of more bytes than any thread has. The answer holds the first of them.
var ErrTooBig = fmt.Errorf("the page has more than %d MB", MaxPage>>20)

// Get asks for a page and follows redirects on the same host. An error is one of the above or says that there was no
// answer; with a ThrottledError or ErrTooBig comes what was answered.
func (c *Client) Get(ctx context.Context, address string) (Answer, error) {
	return c.get(ctx, nil, request{address: address, robots: true})
}

func (c *Client) get(ctx context.Context, jar http.CookieJar, r request) (Answer, error) {
	asked := r.address
	r.method = http.MethodGet
	for range maxRedirect {
		a, err := c.do(ctx, jar, r)
		a.Asked = asked
		to := a.redirect()
		if err != nil || to == nil {
			return a, err
		}
		from, _ := url.Parse(r.address)
		if hostOf(from) != hostOf(to) {
			return a, &ElsewhereError{WithoutSession(asked), WithoutSession(to.String())}
		}
		if from.Scheme == "https" && to.Scheme != "https" { // who we are is not told where everybody hears it
			jar, r.header = nil, nil
		}
		r.address = to.String()
	}
	return Answer{}, fmt.Errorf("%s sends round in circles", asked)
}

// hostOf is the host that an address is of, as a key: its port is told only where it is not the usual one.
func hostOf(u *url.URL) string {
	name := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if port := u.Port(); port != "" && !(u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443") {
		return net.JoinHostPort(name, port)
	}
	return name
}

// redirect is where an answer sends to, nil for nowhere.
func (a Answer) redirect() *url.URL {
	if a.Status < 300 || a.Status > 399 || a.Header.Get("Location") == "" {
		return nil
	}
	from, err := url.Parse(a.URL)
	if err != nil {
		return nil
	}
	to, err := from.Parse(a.Header.Get("Location"))
	if err != nil {
		return nil
	}
	return to
}

// request is one question to a host.
type request struct {
	method  string
	address string
	header  http.Header
	body    []byte
	robots  bool      // it reads, as robots do; forms are filled in for a person
	after   time.Time // not before
}

// do asks one thing and follows no redirect.
func (c *Client) do(ctx context.Context, jar http.CookieJar, r request) (Answer, error) {
	u, err := url.Parse(r.address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return Answer{}, fmt.Errorf("%q is no address of a page", r.address)
	}
	h := c.host(hostOf(u))
	if err := h.take(ctx); err != nil {
		return Answer{}, &unsentError{fmt.Errorf("waiting to ask for %s: %w", r.address, err)}
	}
	defer h.leave()
	if r.robots {
		if err := c.allowed(ctx, h, u); err != nil {
			return Answer{}, err
		}
	}
	if err := c.wait(ctx, h, r); err != nil {
		return Answer{}, &unsentError{err}
	}
	return c.send(ctx, h, jar, r)
}

// send asks a host whose turn it is, and reckons when it may be asked again.
func (c *Client) send(ctx context.Context, h *host, jar http.CookieJar, r request) (Answer, error) {
	a, err := c.exchange(ctx, jar, r)
	now := c.Now()
	h.free = now.Add(c.pause())
	if r.robots {
		h.free = later(h.free, now.Add(h.delay))
	}
	if a.Status == http.StatusTooManyRequests || a.Status >= 500 {
		h.busy = min(2*max(h.busy, c.least()), longPause)
		h.until = later(now.Add(h.busy), retryAfter(a.Header.Get("Retry-After"), now))
		if h.until.Sub(now) > longestWish {
			h.until = now.Add(longestWish)
		}
		return a, &ThrottledError{h.name, h.until, a.Status}
	}
	if a.Status != 0 {
		h.busy, h.until = 0, time.Time{}
	}
	return a, err
}

// exchange sends a request and reads its answer.
func (c *Client) exchange(ctx context.Context, jar http.CookieJar, r request) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, r.address, bytes.NewReader(r.body))
	if err != nil {
		return Answer{}, fmt.Errorf("asking for %s: %w", r.address, err)
	}
	for name, values := range r.header {
		req.Header[name] = values
	}
	req.Header.Set("User-Agent", c.Agent)
	client := *c.HTTP
	client.Jar, client.Timeout = jar, cmp.Or(c.HTTP.Timeout, timeLimit)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	if err != nil {
		return Answer{}, fmt.Errorf("asking for %s: %w", r.address, err)
	}
	defer resp.Body.Close()
	at, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil || !sane(at) { // the clock of a host may never have been set
		at = c.Now()
	}
	a := Answer{Asked: r.address, URL: r.address, Status: resp.StatusCode, Header: resp.Header, At: at.UTC()}
	if a.Body, err = io.ReadAll(io.LimitReader(resp.Body, MaxPage+1)); err != nil {
		return a, fmt.Errorf("reading %s: %w", r.address, err)
	}
	if len(a.Body) > MaxPage {
		a.Body = a.Body[:MaxPage]
		return a, fmt.Errorf("reading %s: %w", r.address, ErrTooBig)
	}
	return a, nil
}

// unsentError is of a request whose turn did not come.
type unsentError struct{ err error }

func (e *unsentError) Error() string { return e.err.Error() }
func (e *unsentError) Unwrap() error { return e.err }

// unsent tells of an error of do whether nothing of the request can have reached the host.
func unsent(err error) bool {
	var before *unsentError
	var op *net.OpError
	return errors.As(err, &before) || errors.As(err, &op) && op.Op == "dial"
}

// host is what is known of a host.
type host struct {
	name   string
	turn   chan struct{} // holds one while somebody asks; the rest is his
	free   time.Time     // may be asked from then on
	until  time.Time     // is busy until then
	busy   time.Duration // how long it was left alone last, 0 when it is not busy
	robots *robots
	delay  time.Duration // between two pages that are read, as its robots.txt asks
}

func (c *Client) host(name string) *host {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.hosts[name]
	if h == nil {
		h = &host{name: name, turn: make(chan struct{}, 1)}
		if c.hosts == nil {
			c.hosts = map[string]*host{}
		}
		c.hosts[name] = h
	}
	return h
}

func (h *host) take(ctx context.Context) error {
	select {
	case h.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *host) leave() { <-h.turn }

// wait waits until a host may be asked. One that is busy for long is not waited for.
func (c *Client) wait(ctx context.Context, h *host, r request) error {
	now := c.Now()
	if h.until.Sub(now) > patience {
		return &ThrottledError{Host: h.name, Until: h.until}
	}
	if d := later(later(h.free, h.until), r.after).Sub(now); d > 0 {
		if err := c.sleep(ctx, d); err != nil {
			return fmt.Errorf("waiting to ask for %s: %w", r.address, err)
		}
	}
	return ctx.Err()
}

func (c *Client) sleep(ctx context.Context, d time.Duration) error {
	if c.Sleep != nil {
		return c.Sleep(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Client) least() time.Duration { return cmp.Or(c.Pause, shortPause) }

func (c *Client) pause() time.Duration { return c.least() + rand.N(c.least()*3/2+1) }

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// retryAfter reads how long a host wants to be left alone: seconds, or a date. The zero time is no wish.
func retryAfter(s string, now time.Time) time.Time {
	if n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 31); err == nil {
		return now.Add(time.Duration(n) * time.Second)
	}
	t, err := http.ParseTime(strings.TrimSpace(s))
	if err != nil {
		return time.Time{}
	}
	return t
}
