package forumsink

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"arroba/forum"
	"arroba/forum/testboard"
	"arroba/outbox"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// place is a test board with a thread, and a clock that pauses move on.
type place struct {
	*testboard.Board
	t      *testing.T
	skin   *testboard.Skin
	mu     sync.Mutex
	now    time.Time
	server *httptest.Server
	herald testboard.User
	alice  testboard.User
	thread int
	config Config // its Moderated goes for every sink
	sink   *Sink
	wire   *wire
}

// taken are the skins that replies can be sent to.
func taken() (list []*testboard.Skin) {
	for _, s := range testboard.Skins() {
		b := forum.Board{View: forum.View{Board: s.Family}}
		if s.Serve != nil && b.Limit() > 0 {
			list = append(list, s)
		}
	}
	return list
}

func open(t *testing.T, skin *testboard.Skin) *place {
	p := &place{t: t, skin: skin, now: noon}
	p.Board = testboard.New(skin, p.clock)
	p.alice = p.AddUser(testboard.User{Name: "Alice", Password: "rabbit hole"})
	p.herald = p.AddUser(testboard.User{Name: "Herald", Password: "tabard & trumpet", Key: "key-1"})
	p.thread = p.AddThread("Lands")
	p.Post(p.thread, p.alice.ID, "Round 1 begins.")
	p.later(2 * time.Hour)
	p.Post(p.thread, p.alice.ID, "Round 1 goes on.")
	p.later(2 * time.Hour)
	p.server = httptest.NewServer(p.Board)
	t.Cleanup(p.server.Close)
	p.restart()
	return p
}

func (p *place) clock() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

func (p *place) later(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = p.now.Add(d)
}

// restart makes a new sink, which remembers nothing.
func (p *place) restart() {
	p.wire = &wire{transport: &http.Transport{DisableKeepAlives: true}}
	at, err := url.Parse(p.server.URL + "/")
	if err != nil {
		p.t.Fatal(err)
	}
	client := &forum.Client{HTTP: &http.Client{Transport: p.wire}, Agent: "Arroba/test (+gm@lands.example)", Now: p.clock, Sleep: func(ctx context.Context, d time.Duration) error {
		p.later(d)
		return ctx.Err()
	}}
	p.config.Board = &forum.Board{Name: "square", Address: at, View: forum.View{Board: p.skin.Family}, Client: client,
		Account: forum.Account{User: p.herald.Name, Password: p.herald.Password, Key: p.key()}}
	p.sink = New(p.config)
}

// key is that of the account, where the board is spoken to by its API.
func (p *place) key() string {
	if p.skin.Write != nil {
		return p.herald.Key
	}
	return ""
}

// wire is a way to the board that breaks at a request, for good.
type wire struct {
	transport http.RoundTripper
	breaks    int // at which request, counted from 1; 0 for never
	heard     bool
	n         int
}

var errBroken = errors.New("the wire is broken")

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.n++
	if w.breaks > 0 && w.n >= w.breaks {
		if w.n == w.breaks && w.heard {
			if resp, err := w.transport.RoundTrip(r); err == nil {
				resp.Body.Close()
			}
		}
		return nil, errBroken
	}
	return w.transport.RoundTrip(r)
}

const marker = "lands-17-9qhdye"

func (p *place) item() outbox.Item {
	known := ""
	for _, post := range p.Posts(p.thread) {
		known = fmt.Sprint(post.ID)
	}
	return outbox.Item{ID: "0s3t27t25008sdtfb9qhdye59c", Game: "lands", Via: "forum", To: fmt.Sprintf("square/%d", p.thread), Subject: "Round 2",
		Text: "Boris has challenged Oleg.\n\nThe answer is due on [b]12 January[/b] :)\n", Date: p.clock(), Marker: marker, Known: known}
}

// end is what became of an item.
type end struct {
	receipt string
	told    error // given up
	tries   int
}

// deliver sends an item as outbox.Sender does, until it is sent or given up.
func (p *place) deliver(it *outbox.Item) end {
	p.t.Helper()
	for tries := 1; tries < 100; tries++ {
		it.Attempts++
		receipt, err := p.sink.Send(p.t.Context(), *it)
		if e, ok := p.record(it, receipt, err); ok {
			e.tries = tries
			return e
		}
	}
	p.t.Fatal("the item comes to no end")
	return end{}
}

// record does with an outcome what outbox.Sender does; ok is whether it is the end.
func (p *place) record(it *outbox.Item, receipt string, err error) (end, bool) {
	var later *outbox.LaterError
	unsure := errors.Is(err, outbox.ErrUnsure)
	switch {
	case err == nil:
		return end{receipt: receipt}, true
	case errors.Is(err, outbox.ErrDown):
		it.Attempts--
		p.later(5 * time.Minute)
	case errors.As(err, &later):
		it.Attempts--
		if later.Receipt != "" {
			it.Receipt = later.Receipt
		}
		p.later(later.At.Sub(p.clock()))
	case errors.Is(err, outbox.ErrPermanent), unsure && it.Attempts >= 5, it.Attempts >= 28:
		return end{told: err}, true
	default:
		p.later(30 * time.Minute)
	}
	return end{}, false
}

// stored are the posts with the marker, those that wait for a moderator too.
func (p *place) stored() (list []testboard.Post) {
	for _, post := range p.Posts(p.thread) {
		if strings.Contains(post.Text, marker) {
			list = append(list, post)
		}
	}
	return list
}

func eachSkin(t *testing.T, test func(t *testing.T, p *place)) {
	for _, s := range taken() {
		t.Run(s.Name, func(t *testing.T) { test(t, open(t, s)) })
	}
}

func TestAnItemIsPosted(t *testing.T) {
	eachSkin(t, func(t *testing.T, p *place) {
		it := p.item()
		got := p.deliver(&it)
		posts := p.stored()
		if got.told != nil || len(posts) != 1 || got.receipt != fmt.Sprint(posts[0].ID) || got.tries != 1 {
			t.Fatalf("got %+v, posts %+v", got, posts)
		}
		if posts[0].Author != p.herald.ID || !strings.HasSuffix(posts[0].Text, "\n\n"+marker) {
			t.Errorf("posted %+v", posts[0])
		}
		p.restart()
		if again := p.deliver(&it); again.receipt != got.receipt || len(p.stored()) != 1 {
			t.Errorf("sent again: %+v, posts %+v", again, p.stored())
		}
	})
}

func TestF36KilledBetweenAnyTwoSteps(t *testing.T) {
	eachSkin(t, func(t *testing.T, p *place) {
		for _, moderated := range []bool{false, true} {
			for _, heard := range []bool{false, true} {
				for n := 1; ; n++ {
					p := open(t, p.skin)
					p.Moderate = moderated
					p.config.Moderated = moderated
					p.restart()
					p.wire.breaks, p.wire.heard = n, heard
					it := p.item()
					it.Attempts++
					if _, err := p.sink.Send(t.Context(), it); err == nil {
						break // the wire was not needed that long
					}
					if p.wire.n < n {
						break // handed over
					}
					p.restart()
					p.later(time.Minute)
					got := p.deliver(&it)
					posts := p.stored()
					switch {
					case len(posts) == 1 && (moderated || got.told == nil):
					case len(posts) == 0 && moderated && got.told != nil:
					default:
						t.Fatalf("moderated %v, killed at request %d (heard %v): %+v, posts %+v", moderated, n, heard, got, posts)
					}
				}
			}
		}
	})
}

func TestF36F37Faults(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault testboard.Fault
		count int
	}{
		{"F36 cut before", testboard.CutBefore, 1},
		{"F36 cut after it was stored", testboard.CutAfter, 1},
		{"F36 answer cut in its middle", testboard.CutAnswer, 1},
		{"F36 server error after it was stored", testboard.Fault{Change: func(x *testboard.Exchange) { x.Status = 502; x.Header.Del("Location"); x.Body.Reset() }}, 1},
		{"server error", testboard.Status(500), 2},
		{"busy", testboard.TooMany("90"), 2},
		{"challenge", testboard.Challenge, 1},
		{"closed", testboard.Closed, 1},
		{"F37 login page", testboard.AskLogin, 1},
		{"page that breaks off", testboard.BrokenOff, 1},
		{"theme with other names", testboard.Renamed, 1},
		{"page nested too deep", testboard.TooDeep, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachSkin(t, func(t *testing.T, p *place) {
				for name, on := range map[string]func(*http.Request) bool{"posting": testboard.Posting, "reading": testboard.Reading} {
					for skip := range 4 {
						p := open(t, p.skin)
						n := 0
						fault := c.fault.Times(c.count).On(func(r *http.Request) bool {
							if on(r) {
								n++
							}
							return on(r) && n > skip
						})
						p.Fail(fault)
						it := p.item()
						got := p.deliver(&it)
						if got.told != nil || len(p.stored()) != 1 {
							t.Errorf("%s, after %d requests: %+v, posts %+v", name, skip, got, p.stored())
						}
					}
				}
			})
		})
	}
}

func TestF38WhatIsQueuedIsSentOnce(t *testing.T) {
	eachSkin(t, func(t *testing.T, p *place) {
		for _, c := range []struct {
			name     string
			approved bool
		}{{"let pass", true}, {"kept back", false}} {
			p := open(t, p.skin)
			p.Moderate = true
			it := p.item()
			it.Attempts++
			receipt, err := p.sink.Send(t.Context(), it)
			var later *outbox.LaterError
			if !errors.As(err, &later) {
				if p.stored()[0].Waiting {
					t.Errorf("%s: the post waits, and the sink says %q, %v", c.name, receipt, err)
				}
				continue // the board knows no moderation
			}
			if later.Receipt == "" {
				t.Errorf("%s: it was not handed over", c.name)
			}
			p.record(&it, receipt, err)
			p.restart()
			if c.approved {
				p.Approve(p.stored()[0].ID)
			}
			began := p.clock()
			got := p.deliver(&it)
			posts := p.stored()
			if len(posts) != 1 || c.approved != (got.told == nil) {
				t.Errorf("%s: %+v, posts %+v", c.name, got, posts)
			}
			if waited := p.clock().Sub(began); !c.approved && (waited < 20*time.Hour || waited > 25*time.Hour) {
				t.Errorf("%s: told after %s, want a day", c.name, waited)
			}
		}
	})
}

func TestF38ARestartForgetsNoModerator(t *testing.T) {
	eachSkin(t, func(t *testing.T, p *place) {
		p.Moderate = true
		it := p.item()
		it.Attempts++
		receipt, err := p.sink.Send(t.Context(), it)
		p.record(&it, receipt, err)
		if !strings.HasPrefix(it.Receipt, "queued ") {
			return // the board knows no moderation
		}
		p.restart()
		it.Attempts++
		_, err = p.sink.Send(t.Context(), it)
		p.record(&it, "", err)
		other := p.item()
		other.ID, other.Marker, other.Attempts = "another", "another-one", 2 // the first of which was cut off
		var later *outbox.LaterError
		if _, err := p.sink.Send(t.Context(), other); !errors.As(err, &later) || later.Receipt == "" || len(p.Posts(p.thread)) != 3 {
			t.Errorf("%v, posts %+v", err, p.Posts(p.thread))
		}
	})
}

func TestF38WhereAPostMayWaitItIsNotSentAgain(t *testing.T) {
	eachSkin(t, func(t *testing.T, p *place) {
		p.Moderate, p.config.Moderated = true, true
		p.restart()
		p.Fail(testboard.CutAfter.Times(1).On(func(r *http.Request) bool { return testboard.Posting(r) && replying(r) }))
		it := p.item()
		got := p.deliver(&it)
		if posts := p.stored(); len(posts) != 1 || posts[0].Waiting != (got.told != nil) {
			t.Errorf("%+v, posts %+v", got, posts)
		}
	})
}

// replying tells a reply from a log-in.
func replying(r *http.Request) bool {
	return !strings.Contains(r.URL.RequestURI(), "login") && !strings.Contains(r.URL.Path, "member.php")
}

func TestF38OtherAnswers(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(p *place)
		posted int
		told   bool
	}{
		{"flood", func(p *place) { p.Flood = 40 * time.Second; p.Post(p.thread, p.herald.ID, "Hear ye!") }, 1, false},
		{"a long flood limit", func(p *place) { p.Flood = 30 * time.Minute; p.Post(p.thread, p.herald.ID, "Hear ye!") }, 1, false},
		{"locked", func(p *place) { p.Lock(p.thread) }, 0, true},
		{"banned", func(p *place) { p.Change(p.herald.ID, func(u *testboard.User) { u.Banned = true }) }, 0, true},
		{"too long", func(p *place) { p.Limit = 20 }, 0, true},
		{"session over", func(p *place) {
			p.later(time.Hour)
			other := p.item()
			other.Marker = "another-one"
			p.deliver(&other)
			p.later(2 * time.Hour)
			p.LogOut()
		}, 1, false},
		{"F37 form shown a while before", func(p *place) {
			slow := testboard.Slow(func() { p.later(3 * time.Hour) })
			p.Fail(slow.Times(1).On(func(r *http.Request) bool { return testboard.Posting(r) && replying(r) }))
		}, 1, false},
		{"somebody else is faster", func(p *place) {
			p.Fail(testboard.Slow(func() { p.Post(p.thread, p.alice.ID, "Me first.") }).Times(1).On(func(r *http.Request) bool {
				return !testboard.Posting(r) && replying(r) && !strings.Contains(r.URL.Path, "robots")
			}))
		}, 1, false},
		{"a new post of ours within the hour", func(p *place) { p.Post(p.thread, p.herald.ID, "Hear ye!") }, 1, false},
		{"the last known post is gone", func(p *place) { p.Delete(2) }, 1, false},
		{"many pages since", func(p *place) {
			for i := range 45 {
				p.Post(p.thread, p.alice.ID, fmt.Sprintf("Post %d.", i))
			}
		}, 1, false},
		{"F20 an empty last page", func(p *place) {
			for i := len(p.Posts(p.thread)); i < p.skin.Size; i++ {
				p.Post(p.thread, p.alice.ID, fmt.Sprintf("Post %d.", i))
			}
			if p.skin.Family == "phpbb" { // it shows a total
				p.EmptyEnd()
			}
		}, 1, false},
		{"the thread has moved", func(p *place) { p.Move(p.thread, p.AddThread("Elsewhere")); p.thread = 2 }, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachSkin(t, func(t *testing.T, p *place) {
				it := p.item()
				c.change(p)
				got := p.deliver(&it)
				if posts := p.stored(); len(posts) != c.posted || c.told != (got.told != nil) {
					t.Errorf("%+v, posts %+v", got, posts)
				}
			})
		})
	}
}

func TestF11APostThatWasMergedIsFound(t *testing.T) {
	eachSkin(t, func(t *testing.T, p *place) {
		p.Post(p.thread, p.herald.ID, "Hear ye!")
		it := p.item()
		first := p.deliver(&it)
		p.restart()
		if again := p.deliver(&it); first.receipt == "" || again.receipt != first.receipt || len(p.stored()) != 1 {
			t.Errorf("%+v, and again %+v, posts %+v", first, again, p.stored())
		}
	})
}

func TestF32F33OnlyOurOwnPostCounts(t *testing.T) {
	eachSkin(t, func(t *testing.T, p *place) {
		it := p.item()
		p.Post(p.thread, p.alice.ID, "I know what comes: "+marker)
		p.Add(testboard.Post{Thread: p.thread, Name: "HeraId", Text: marker})
		got := p.deliver(&it)
		if got.told != nil || len(p.stored()) != 3 || p.stored()[2].Author != p.herald.ID {
			t.Errorf("%+v, posts %+v", got, p.stored())
		}
	})
}

func TestAMarkerIsAWholeWord(t *testing.T) {
	eachSkin(t, func(t *testing.T, p *place) {
		it := p.item()
		p.Post(p.thread, p.herald.ID, marker+"-2")
		if p.skin.Merge > 0 {
			p.later(2 * p.skin.Merge)
		}
		if got := p.deliver(&it); got.told != nil || len(p.stored()) != 2 {
			t.Errorf("%+v, posts %+v", got, p.stored())
		}
	})
}

func TestAWrongPasswordIsToldAndNotTriedOften(t *testing.T) {
	eachSkin(t, func(t *testing.T, p *place) {
		if p.key() != "" {
			t.Skip("a key and no password")
		}
		p.config.Board.Account.Password = "wrong"
		it := p.item()
		it.Attempts++
		began := p.clock()
		for p.clock().Sub(began) < 24*time.Hour {
			_, err := p.sink.Send(t.Context(), it)
			if !errors.Is(err, outbox.ErrDown) {
				t.Fatalf("got %v, want ErrDown", err)
			}
			p.later(20 * time.Minute)
		}
		tries := 0
		for _, asked := range p.Log() {
			if asked.Method == http.MethodPost {
				tries++
			}
		}
		if tries < 2 || tries > 8 {
			t.Errorf("%d tries to log in within a day", tries)
		}
	})
}
