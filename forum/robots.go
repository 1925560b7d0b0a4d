package forum

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/temoto/robotstxt"
)

// robots is what a host lets programs read, as it said at a time.
type robots struct {
	group *robotstxt.Group // of our agent; nil allows all
	at    time.Time
}

const robotsAge = 24 * time.Hour // no longer are they kept

// allowed asks a host, whose turn is the caller's, whether a page may be read. A host that cannot tell is not read.
func (c *Client) allowed(ctx context.Context, h *host, page *url.URL) error {
	if h.robots == nil || c.Now().Sub(h.robots.at) >= robotsAge {
		r, err := c.readRobots(ctx, h, page)
		if err != nil {
			return err
		}
		h.robots, h.delay = r, 0
		if r.group != nil {
			h.delay = r.group.CrawlDelay
		}
	}
	if g := h.robots.group; g != nil && !g.Test(page.RequestURI()) {
		return &RobotsError{page.String()}
	}
	return nil
}

// readRobots follows redirects to other hosts too: what is asked for is this host's will, wherever it keeps it. They have their
// own pauses, and must be hosts of the open net, which what stands beside us is not.
func (c *Client) readRobots(ctx context.Context, h *host, page *url.URL) (*robots, error) {
	at := &url.URL{Scheme: page.Scheme, Host: page.Host, Path: "/robots.txt"}
	var a Answer
	for range maxRedirect {
		var err error
		if a, err = c.askRobots(ctx, h, at); err != nil && !errors.Is(err, ErrTooBig) {
			return nil, err
		}
		if at = a.redirect(); at == nil || hostOf(at) != h.name && !open(at) {
			break
		}
	}
	r := &robots{at: c.Now()}
	if a.Status >= 400 || at != nil { // it has none
		return r, nil
	}
	data, err := robotstxt.FromBytes(readable(a.Body))
	if err != nil {
		return nil, fmt.Errorf("reading the robots.txt of %s: %w", h.name, err)
	}
	r.group = data.FindGroup(c.Agent)
	return r, nil
}

// askRobots asks for a robots.txt that a host whose turn is the caller's has there. Another host that is being asked for
// something now is not waited for: it may wait for this one.
func (c *Client) askRobots(ctx context.Context, h *host, at *url.URL) (Answer, error) {
	if there := c.host(hostOf(at)); there != h {
		select {
		case there.turn <- struct{}{}:
			defer there.leave()
			h = there
		default:
			return Answer{}, &ThrottledError{Host: there.name, Until: c.Now().Add(c.least())}
		}
	}
	r := request{method: http.MethodGet, address: at.String()}
	if err := c.wait(ctx, h, r); err != nil {
		return Answer{}, err
	}
	return c.send(ctx, h, nil, r)
}

// open tells whether an address can be one that everybody reaches: of a web server with a name in the open net.
func open(u *url.URL) bool {
	host := hostOf(u)
	_, err := netip.ParseAddr(host)
	return (u.Scheme == "http" || u.Scheme == "https") && strings.Contains(host, ".") && !strings.Contains(host, ":") && err != nil
}

// readable leaves of a robots.txt what its parser can read: one line that it cannot would cost all others. A page of
// HTML has none.
func readable(raw []byte) []byte {
	var kept strings.Builder
	began := false
	for line := range strings.Lines(strings.ToValidUTF8(strings.TrimPrefix(string(raw), "\ufeff"), "")) {
		rule, _, _ := strings.Cut(line, "#")
		field, value, _ := strings.Cut(rule, ":")
		field, value = strings.ToLower(strings.TrimSpace(field)), strings.TrimSpace(value)
		switch field {
		case "user-agent":
			began = true
		case "allow", "disallow":
		case "crawl-delay":
			if f, err := strconv.ParseFloat(value, 64); err != nil || !(f >= 0 && f <= robotsAge.Seconds()) {
				continue
			}
		default:
			continue
		}
		if began {
			kept.WriteString(field + ": " + value + "\n")
		}
	}
	return []byte(kept.String())
}
