package forum

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// polite is a client with a clock that its pauses alone move on.
type polite struct {
	*Client
	mu     sync.Mutex
	now    time.Time
	pauses []time.Duration
}

func newPolite() *polite {
	p := &polite{now: time.Date(2026, 3, 14, 20, 0, 0, 0, time.UTC)}
	p.Client = &Client{HTTP: &http.Client{}, Agent: "Arroba/1 (+gm@lands.example)",
		Now: func() time.Time { p.mu.Lock(); defer p.mu.Unlock(); return p.now },
		Sleep: func(ctx context.Context, d time.Duration) error {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.now, p.pauses = p.now.Add(d), append(p.pauses, d)
			return ctx.Err()
		}}
	return p
}

func (p *polite) later(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = p.now.Add(d)
}

// site serves answers by path, and notes what it is asked for. It has no robots.txt unless it is given one.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

func serve(t *testing.T, pages map[string]http.HandlerFunc) *site {
	s := &site{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.RequestURI())
		s.mu.Unlock()
		if page := pages[r.URL.Path]; page != nil {
			page(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(text)) }
}

func status(code int, fields ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(fields); i += 2 {
			w.Header().Set(fields[i], fields[i+1])
		}
		w.WriteHeader(code)
	}
}

func TestRobotsAreAskedFirst(t *testing.T) {
	for _, c := range []struct {
		about, robots, path string
		forbidden           bool
	}{
		{"nothing said", "", "/viewtopic.php?t=1", false},
		{"all forbidden", "User-agent: *\nDisallow: /\n", "/viewtopic.php?t=1", true},
		{"a folder", "User-agent: *\nDisallow: /private\n", "/viewtopic.php?t=1", false},
		{"a folder, in it", "User-agent: *\nDisallow: /private\n", "/private/viewtopic.php?t=1", true},
		{"by query", "User-agent: *\nDisallow: /*?sid=\n", "/viewtopic.php?sid=1", true},
		{"another agent", "User-agent: Greedy\nDisallow: /\n", "/viewtopic.php?t=1", false},
		{"us alone", "User-agent: *\nDisallow: /\n\nUser-agent: arroba\nAllow: /\n", "/viewtopic.php?t=1", false},
		{"us by name", "User-agent: *\nDisallow:\n\nUser-agent: Arroba\nDisallow: /\n", "/viewtopic.php?t=1", true},
		{"the longest rule counts", "User-agent: *\nDisallow: /\nAllow: /viewtopic.php\n", "/viewtopic.php?t=1", false},
		{"lines that nobody can read", "Disallow: /x\nCrawl-delay: often\n\ufeffwhat?\nUser-agent: *\nCrawl-delay: soon\nDisallow: /\n", "/viewtopic.php?t=1", true},
		{"a page of HTML", "<!DOCTYPE html><html><body>User-agent: * Disallow: /</body></html>", "/viewtopic.php?t=1", false},
		{"a byte order mark", "\ufeffUser-agent: *\r\nDisallow: /\r\n", "/viewtopic.php?t=1", true},
	} {
		t.Run(c.about, func(t *testing.T) {
			s := serve(t, map[string]http.HandlerFunc{"/robots.txt": says(c.robots)})
			_, err := newPolite().Get(t.Context(), s.URL+c.path)
			var robots *RobotsError
			if errors.As(err, &robots) != c.forbidden || err != nil != c.forbidden {
				t.Errorf("got %v, forbidden must be %v", err, c.forbidden)
			}
			want := []string{"/robots.txt", c.path}
			if c.forbidden {
				want = want[:1]
			}
			if !slices.Equal(s.asked, want) {
				t.Errorf("asked for %q, want %q", s.asked, want)
			}
		})
	}
}

func TestRobotsThatCannotBeHad(t *testing.T) {
	for code, readable := range map[int]bool{404: true, 403: true, 401: true, 410: true, 500: false, 503: false, 429: false} {
		s := serve(t, map[string]http.HandlerFunc{"/robots.txt": status(code), "/page": says("page")})
		_, err := newPolite().Get(t.Context(), s.URL+"/page")
		var robots *RobotsError
		if err == nil != readable || errors.As(err, &robots) {
			t.Errorf("robots.txt answers %d: %v; want it readable: %v, and never a lasting error", code, err, readable)
		}
		if readable != slices.Contains(s.asked, "/page") {
			t.Errorf("robots.txt answers %d: asked for %q", code, s.asked)
		}
	}
}

func TestRobotsAreKeptForADay(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/robots.txt": says("User-agent: *\nDisallow: /x\n"), "/page": says("page")})
	p := newPolite()
	for _, after := range []time.Duration{0, 23 * time.Hour, 2 * time.Hour} {
		p.later(after)
		if _, err := p.Get(t.Context(), s.URL+"/page"); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"/robots.txt", "/page", "/page", "/robots.txt", "/page"}; !slices.Equal(s.asked, want) {
		t.Errorf("asked for %q, want %q", s.asked, want)
	}
}

func TestAHostHasAPauseAfterEachAnswer(t *testing.T) {
	for _, c := range []struct {
		about, robots string
		from, to      time.Duration
	}{
		{"by itself", "", 2 * time.Second, 5 * time.Second},
		{"as it asks", "User-agent: *\nCrawl-delay: 20\n", 20 * time.Second, 20 * time.Second},
		{"it asks for less", "User-agent: *\nCrawl-delay: 1\n", 2 * time.Second, 5 * time.Second},
	} {
		s := serve(t, map[string]http.HandlerFunc{"/robots.txt": says(c.robots)})
		p := newPolite()
		for range 6 {
			if _, err := p.Get(t.Context(), s.URL+"/page"); err != nil {
				t.Fatal(err)
			}
		}
		if len(p.pauses) != 6 {
			t.Fatalf("%s: %d pauses, want one after robots.txt and one after each page but the last", c.about, len(p.pauses))
		}
		for _, d := range p.pauses[1:] {
			if d < c.from || d > c.to+time.Millisecond {
				t.Errorf("%s: a pause of %s, want %s to %s", c.about, d, c.from, c.to)
			}
		}
		if len(slices.Compact(slices.Sorted(slices.Values(p.pauses[1:])))) == 1 && c.from != c.to {
			t.Errorf("%s: all pauses are equal", c.about)
		}
	}
}

func TestOneRequestAtATimeForAHost(t *testing.T) {
	var running, most atomic.Int32
	s := serve(t, map[string]http.HandlerFunc{"/page": func(http.ResponseWriter, *http.Request) {
		if n := running.Add(1); n > most.Load() {
			most.Store(n)
		}
		time.Sleep(time.Millisecond)
		running.Add(-1)
	}})
	p := newPolite()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { p.Get(t.Context(), s.URL+"/page") })
	}
	wg.Wait()
	if most.Load() != 1 {
		t.Errorf("%d requests at once", most.Load())
	}
}

func TestABusyHostIsLeftAlone(t *testing.T) {
	code := http.StatusServiceUnavailable
	var fields []string
	s := serve(t, map[string]http.HandlerFunc{"/page": func(w http.ResponseWriter, r *http.Request) { status(code, fields...)(w, r) }})
	p := newPolite()
	ask := func() (*ThrottledError, error) {
		_, err := p.Get(t.Context(), s.URL+"/page")
		var e *ThrottledError
		errors.As(err, &e)
		return e, err
	}
	var left []time.Duration
	for range 13 {
		e, err := ask()
		if e == nil || e.Status != code {
			t.Fatalf("got %v, want the answer %d", err, code)
		}
		d := e.Until.Sub(p.Now())
		left = append(left, d)
		if d > time.Minute {
			if again, err := ask(); again == nil || again.Status != 0 || !again.Until.Equal(e.Until) {
				t.Fatalf("asked again within %s: %v", d, err)
			}
			p.later(d)
		}
	}
	for i := 1; i < len(left); i++ {
		if left[i] != min(2*left[i-1], time.Hour) {
			t.Fatalf("left alone for %v, want twice as long each time up to an hour", left)
		}
	}
	code = http.StatusOK
	if _, err := ask(); err != nil {
		t.Fatal(err)
	}
	code = http.StatusTooManyRequests
	for _, c := range []struct {
		after string
		want  time.Duration
	}{
		{"", left[0]}, {"7200", 2 * time.Hour}, {" 90 ", 90 * time.Second}, {"soon", left[0]}, {"-1", left[0]}, {"1", left[0]},
	} {
		code, fields = http.StatusTooManyRequests, []string{"Retry-After", c.after}
		if e, err := ask(); e == nil || e.Until.Sub(p.Now()) != c.want {
			t.Errorf("Retry-After %q: %v at %s, want to leave it alone for %s", c.after, err, p.Now(), c.want)
		}
		code = http.StatusOK
		p.later(2 * time.Hour)
		ask()
	}
	at := p.Now().Add(3 * time.Hour).Truncate(time.Second)
	code, fields = http.StatusTooManyRequests, []string{"Retry-After", at.Format(http.TimeFormat)}
	if e, err := ask(); e == nil || !e.Until.Equal(at) {
		t.Errorf("Retry-After as a date: %v, want %s", err, at)
	}
}

func TestRedirectsAreFollowedOnTheSameHost(t *testing.T) {
	other := serve(t, map[string]http.HandlerFunc{"/page": says("elsewhere")})
	s := serve(t, map[string]http.HandlerFunc{
		"/old": status(301, "Location", "/new?t=2"), "/new": says("here"), "/round": status(302, "Location", "round"),
		"/away": status(302, "Location", strings.Replace(other.URL, "127.0.0.1", "localhost", 1)+"/page"),
	})
	p := newPolite()
	a, err := p.Get(t.Context(), s.URL+"/old")
	if err != nil || string(a.Body) != "here" || a.Asked != s.URL+"/old" || a.URL != s.URL+"/new?t=2" {
		t.Errorf("a moved thread: %+v, %v", a, err)
	}
	var away *ElsewhereError
	if _, err := p.Get(t.Context(), s.URL+"/away"); !errors.As(err, &away) || len(other.asked) > 0 {
		t.Errorf("sent to another host: %v, which was asked for %q", err, other.asked)
	}
	if _, err := p.Get(t.Context(), s.URL+"/round"); err == nil {
		t.Error("a page that sends to itself was read")
	}
}

func TestWhatASiteLearnsOfUs(t *testing.T) {
	var agent string
	s := serve(t, map[string]http.HandlerFunc{"/page": func(_ http.ResponseWriter, r *http.Request) { agent = r.UserAgent() }})
	if _, err := newPolite().Get(t.Context(), s.URL+"/page"); err != nil || agent != "Arroba/1 (+gm@lands.example)" {
		t.Errorf("User-Agent %q, %v", agent, err)
	}
}

func TestAPageThatIsTooBigIsToldAndKept(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/page": func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, MaxPage+1)) }})
	a, err := newPolite().Get(t.Context(), s.URL+"/page")
	if !errors.Is(err, ErrTooBig) || len(a.Body) != MaxPage {
		t.Errorf("%d bytes, %v", len(a.Body), err)
	}
}

func TestABoardKeepsItsCookiesToItself(t *testing.T) {
	var seen []string
	s := serve(t, map[string]http.HandlerFunc{"/page": func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("Cookie"))
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "1"})
	}})
	u, _ := url.Parse(s.URL)
	p := newPolite()
	one, other := &Board{Address: u, Client: p.Client}, &Board{Address: u, Client: p.Client}
	for _, b := range []*Board{one, one, other} {
		if _, _, err := b.Fetch(t.Context(), s.URL+"/page"); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"", "sid=1", ""}; !slices.Equal(seen, want) {
		t.Errorf("cookies %q, want %q", seen, want)
	}
}

func TestF21AGuardThatAnswersAsABusyBoardIsAChallenge(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"/page": func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		w.Write([]byte(`<html><title>Just a moment...</title><form id="challenge-form"></form></html>`))
	}, "/busy": status(503)})
	u, _ := url.Parse(s.URL)
	b := &Board{Address: u, Client: newPolite().Client}
	if p, _, err := b.Fetch(t.Context(), s.URL+"/page"); err != nil || p.Kind != Challenge {
		t.Errorf("kind %q, %v", p.Kind, err)
	}
	if _, _, err := b.Fetch(t.Context(), s.URL+"/busy"); err == nil {
		t.Error("a busy board is no page")
	}
}

func TestAStoppedRequestEnds(t *testing.T) {
	s := serve(t, nil)
	p := newPolite()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Get(ctx, s.URL+"/page"); !errors.Is(err, context.Canceled) || len(s.asked) > 0 {
		t.Errorf("got %v, asked for %q", err, s.asked)
	}
}
