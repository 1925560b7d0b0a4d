package forumsrc

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"arroba/forum"
	"arroba/forum/testboard"
	"arroba/ingest"
	"arroba/ingest/ingesttest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// place is a test board with a thread, a clock, and what a reader of the thread has been brought.
type place struct {
	*testboard.Board
	thread int
	moved  int // where its posts are now, 0 for there
	user   testboard.User
	since  time.Time
	at     ingest.Cursor
	until  time.Time
	got    map[string]ingest.Message // by key
	order  []string
	faults []string
	asked  []string
	meet   func(address string, body []byte) []byte // sees every answer; may be nil

	mu  sync.Mutex
	now time.Time
}

// tb is what a test fails by.
type tb interface {
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func newPlace(t tb, skin *testboard.Skin, size int) *place {
	t.Helper()
	p := &place{now: noon, got: map[string]ingest.Message{}}
	p.Board = testboard.New(skin, p.clock)
	p.Size = size
	p.user = p.AddUser(testboard.User{Name: "Oleg"})
	p.thread = p.AddThread("Lands")
	return p
}

func (p *place) clock() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

func (p *place) pass(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = p.now.Add(d)
}

// say writes posts a minute apart, and returns the id of the last.
func (p *place) say(n int) (id int) {
	for range n {
		p.pass(time.Minute)
		id = p.Post(p.thread, p.user.ID, fmt.Sprintf("CHALLENGE Boris %d", len(p.Posts(p.thread))+1))
	}
	return id
}

// RoundTrip asks the board without a network.
func (p *place) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path != "/robots.txt" {
		p.asked = append(p.asked, r.URL.RequestURI())
	}
	rec := httptest.NewRecorder()
	p.ServeHTTP(rec, r)
	if p.meet != nil {
		body := p.meet(r.URL.RequestURI(), rec.Body.Bytes())
		rec.Body = bytes.NewBuffer(slices.Clone(body))
	}
	resp := rec.Result()
	resp.Request = r
	return resp, nil
}

// open returns a source for the thread, as after a restart.
func (p *place) open(t tb) *Source {
	t.Helper()
	base, err := url.Parse("https://board.example/")
	if err != nil {
		t.Fatal(err)
	}
	client := &forum.Client{HTTP: &http.Client{Transport: p}, Agent: "Arroba/test", Now: p.clock, Sleep: func(ctx context.Context, d time.Duration) error {
		p.pass(d)
		return ctx.Err()
	}}
	src, err := New(Config{
		Board:  &forum.Board{Name: "tavern", Address: base, View: forum.View{Board: p.Skin.Family}, Client: client},
		Thread: strconv.Itoa(p.thread), Now: p.clock, Since: func(context.Context) time.Time { return p.since },
	})
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// take keeps what a batch brought, and fails on what it may not bring.
func (p *place) take(t tb, b ingest.Batch) {
	t.Helper()
	size := 0
	for _, m := range b.Messages {
		size += len(m.Raw)
		if old, ok := p.got[m.Key]; ok {
			t.Errorf("%s was brought twice: %q, %q", m.Key, old.Raw, m.Raw)
		}
		if m.Via != "post" || m.Size != int64(len(m.Raw)) || m.Arrived.IsZero() {
			t.Errorf("%s: via %q, size %d, arrived %v", m.Key, m.Via, m.Size, m.Arrived)
		}
		p.got[m.Key] = m
		if m.Fault != "" {
			p.faults = append(p.faults, m.Fault)
			continue
		}
		p.order = append(p.order, m.Key)
	}
	if len(b.Messages) > ingest.MaxLetters || size > ingest.MaxBytes || b.More && !b.Until.IsZero() {
		t.Errorf("a batch of %d letters, %d bytes, more %v, until %v", len(b.Messages), size, b.More, b.Until)
	}
	p.at = b.Next
	if b.Until.After(p.until) {
		p.until = b.Until
	}
}

// poll reads until there is no more at once, with a new source each time, and returns the keys that came, and whether
// the reading was complete.
func (p *place) poll(t tb) (keys []string, complete bool) {
	t.Helper()
	p.asked = nil
	before := len(p.order)
	for range 500 {
		b, err := p.open(t).Poll(context.Background(), p.at)
		if err != nil {
			t.Fatal(err)
		}
		p.take(t, b)
		if !b.More {
			p.pass(10 * time.Minute)
			return p.order[before:], !b.Until.IsZero()
		}
	}
	t.Fatal("the source does not come to an end")
	return nil, false
}

func (p *place) record(t tb, key string) forum.Record {
	t.Helper()
	r, err := forum.ReadRecord(p.got[key].Raw)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// told is what the thread holds by what was brought: lines by id.
func (p *place) told(t tb) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, key := range p.order {
		if r := p.record(t, key); r.Withdrawn {
			delete(list, r.ID)
		} else {
			list[r.ID] = strings.Join(r.Lines, "|")
		}
	}
	return list
}

// stands is what the thread holds.
func (p *place) stands() map[string]string {
	list := map[string]string{}
	for _, post := range p.Posts(cmp.Or(p.moved, p.thread)) {
		if !post.Deleted && !post.Waiting {
			list[strconv.Itoa(post.ID)] = strings.ReplaceAll(post.Text, "\n", "|")
		}
	}
	return list
}

func (p *place) agrees(t tb) {
	t.Helper()
	told, stands := p.told(t), p.stands()
	for id, text := range stands {
		if told[id] != text {
			t.Errorf("post %s is %q, was told as %q", id, text, told[id])
		}
	}
	for id, text := range told {
		if _, ok := stands[id]; !ok {
			t.Errorf("post %s is told as %q, and is not there", id, text)
		}
	}
}

func (p *place) want(t tb, keys []string, want ...string) {
	t.Helper()
	short := []string{}
	for _, k := range keys {
		k, _, _ = strings.Cut(k, "-")
		short = append(short, k)
	}
	if !slices.Equal(short, want) {
		t.Errorf("brought %v, want %v", short, want)
	}
}

// thread is a place of posts as every source is tested in. It has an opening post: without one a board shows no thread.
type thread struct{ *place }

func (p thread) Put(t *testing.T, raw []byte, arrived time.Time) {
	p.Add(testboard.Post{Thread: p.thread, Author: p.user.ID, Text: string(raw), Posted: arrived, NoSmilies: true})
}

func (p thread) Open(t *testing.T) ingest.Source { return p.open(t) }

func (p thread) Text(t *testing.T, m ingest.Message) []byte {
	t.Helper()
	r, err := forum.ReadRecord(m.Raw)
	if err != nil || r.Version != 1 || r.Withdrawn {
		t.Errorf("%s: version %d, withdrawn %v, %v", m.Key, r.Version, r.Withdrawn, err)
	}
	if r.ID == "1" {
		return nil
	}
	text := strings.Join(r.Lines, "\r\n") + "\r\n" // without empty lines, of which a letter has one
	return []byte(strings.Replace(text, "CHALLENGE", "\r\nCHALLENGE", 1))
}

func TestConformance(t *testing.T) {
	ingesttest.Run(t, func(t *testing.T) ingesttest.Place {
		p := newPlace(t, testboard.Skins()[0], 40)
		p.Post(p.thread, p.user.ID, "We play here.")
		p.pass(time.Hour)
		return thread{p}
	})
}

func phpbb(t *testing.T) *place { return newPlace(t, testboard.Skins()[0], 10) }

func TestAThreadIsReadOnce(t *testing.T) {
	p := phpbb(t)
	p.say(35)
	p.pass(time.Minute)
	keys, complete := p.poll(t)
	if len(keys) != 35 || !complete || len(p.asked) != 4 {
		t.Errorf("%d posts by %d pages, complete %v: %v", len(keys), len(p.asked), complete, p.asked)
	}
	p.agrees(t)
	if !p.until.Before(p.clock()) || p.until.Before(noon.Add(35*time.Minute-10*time.Second)) {
		t.Errorf("read until %v, begun at %v", p.until, noon.Add(35*time.Minute))
	}
	first, last := p.got[p.order[0]], p.got[p.order[34]]
	if !first.Arrived.Equal(noon.Add(time.Minute)) || !last.Arrived.Equal(noon.Add(35*time.Minute)) {
		t.Errorf("they arrived from %v to %v", first.Arrived, last.Arrived)
	}
	if keys, complete := p.poll(t); len(keys) != 0 || !complete || len(p.asked) != 2 {
		t.Errorf("again: %v, complete %v, %v", keys, complete, p.asked)
	}
	p.say(1)
	keys, _ = p.poll(t)
	p.want(t, keys, "36/1")
	if n := len(p.at); n > 36*18 {
		t.Errorf("the cursor has %d bytes", n)
	}
}

func TestScenarios(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(t *testing.T, p *place)
	}{
		{"F8 edited without a note", func(t *testing.T, p *place) {
			p.EditSilently(34, "CHALLENGE Igor")
			keys, _ := p.poll(t)
			p.want(t, keys, "34/2")
			p.EditSilently(34, "CHALLENGE Boris 34")
			keys, _ = p.poll(t)
			p.want(t, keys, "34/3") // an older text again is a new version
			if m := p.got[keys[0]]; m.Arrived.Before(noon.Add(36*time.Minute)) || p.record(t, keys[0]).Posted.At.After(noon.Add(34*time.Minute)) {
				t.Errorf("the edit arrived at %v", m.Arrived)
			}
		}},
		{"F8 edited on an old page since the phase began", func(t *testing.T, p *place) {
			p.EditSilently(12, "CHALLENGE Igor")
			keys, _ := p.poll(t)
			p.want(t, keys)
			p.since = noon.Add(13 * time.Minute)
			keys, _ = p.poll(t)
			p.want(t, keys, "12/2")
		}},
		{"F11 two posts made one", func(t *testing.T, p *place) {
			p.EditSilently(35, "CHALLENGE Boris 35\n[hr]\nMUSTER")
			keys, _ := p.poll(t)
			p.want(t, keys, "35/2")
		}},
		{"F29 a title cut short inside an entity", func(t *testing.T, p *place) {
			p.meet = func(address string, body []byte) []byte {
				return bytes.ReplaceAll(body, []byte("Lands"), []byte("Lands &am"))
			}
			keys, complete := p.poll(t)
			p.want(t, keys)
			if !complete {
				t.Error("the thread was not known by another title")
			}
		}},
		{"F44 more posts between two looks than a feed holds", func(t *testing.T, p *place) {
			p.say(16)
			keys, _ := p.poll(t)
			if len(keys) != 16 {
				t.Errorf("%d posts were brought, want 16", len(keys))
			}
		}},
		{"F15 a page past the end", func(t *testing.T, p *place) {
			p.meet = func(address string, body []byte) []byte { // the last page leads on to itself
				return bytes.ReplaceAll(body, []byte(`Page <strong>4</strong>`), []byte(`<li class="next"><a rel="next" href="`+address+`">Next</a></li>`))
			}
			p.say(1)
			keys, _ := p.poll(t)
			p.want(t, keys, "36/1")
		}},
		{"F16 a deletion while the pages are read", func(t *testing.T, p *place) {
			p.at, p.got, p.order = "", map[string]ingest.Message{}, nil
			deleted := false
			p.meet = func(address string, body []byte) []byte {
				if !deleted && strings.Contains(address, "start=10") {
					p.Delete(3) // the first of the third page is on the second now
					deleted = true
				}
				return body
			}
			if _, complete := p.poll(t); !complete {
				t.Error("the reading was not complete")
			}
		}},
		{"F17 deleted", func(t *testing.T, p *place) {
			p.Delete(33)
			keys, complete := p.poll(t)
			p.want(t, keys, "33/2")
			if r := p.record(t, keys[0]); !r.Withdrawn || !complete {
				t.Errorf("%+v", r)
			}
			p.Restore(33)
			keys, _ = p.poll(t)
			p.want(t, keys, "33/3")
		}},
		{"F17 deleted on an old page", func(t *testing.T, p *place) {
			p.Delete(5)
			keys, _ := p.poll(t)
			p.want(t, keys, "5/2")
		}},
		{"F17 deleted while another came", func(t *testing.T, p *place) {
			p.Delete(5)
			p.say(1)
			keys, _ := p.poll(t)
			slices.Sort(keys)
			p.want(t, keys, "36/1", "5/2")
		}},
		{"F17 nothing is withdrawn by a reading that broke off", func(t *testing.T, p *place) {
			p.Delete(5)
			p.Fail(testboard.Fault{Meets: func(r *http.Request) bool { return strings.Contains(r.URL.RawQuery, "start=20") }, Change: deep})
			keys, complete := p.poll(t)
			p.want(t, keys)
			if complete {
				t.Error("it was complete")
			}
			p.Clear()
			keys, _ = p.poll(t)
			p.want(t, keys, "5/2")
		}},
		{"F19 a post that waits for a moderator", func(t *testing.T, p *place) {
			p.pass(time.Minute)
			id := p.Add(testboard.Post{Thread: p.thread, Author: p.user.ID, Text: "MUSTER", Waiting: true})
			p.pass(time.Hour)
			p.say(1)
			keys, _ := p.poll(t)
			p.want(t, keys, "37/1")
			p.pass(time.Hour)
			p.Approve(id)
			keys, _ = p.poll(t)
			p.want(t, keys, "36/1")
			if r := p.record(t, keys[0]); r.Foreign || !p.got[keys[0]].Arrived.Equal(r.Posted.At) {
				t.Errorf("%+v", r)
			}
		}},
		{"F20 a counter out of step", func(t *testing.T, p *place) {
			p.Miscount(1)
			p.say(1)
			keys, complete := p.poll(t)
			p.want(t, keys, "36/1")
			if !complete {
				t.Error("it was not complete")
			}
			if p.poll(t); len(p.asked) != 2 {
				t.Errorf("the next reading asked for %v", p.asked)
			}
		}},
		{"F22 the post to begin with is gone", func(t *testing.T, p *place) {
			p.Delete(21)
			p.say(1)
			keys, _ := p.poll(t)
			slices.Sort(keys)
			p.want(t, keys, "21/2", "36/1")
		}},
		{"F31 a post on two pages", func(t *testing.T, p *place) {
			p.say(5) // 40: the next begins a page
			p.meet = func(address string, body []byte) []byte {
				if strings.Contains(address, "start=30") {
					p.meet = nil
					p.Restore(p.Add(testboard.Post{Thread: p.thread, Author: p.user.ID, Text: "NOTHING"}))
				}
				return body
			}
			p.poll(t)
			p.poll(t)
		}},
		{"F34 the thread was moved", func(t *testing.T, p *place) {
			to := p.AddThread("Lands, second hall")
			p.Move(p.thread, to)
			p.moved = to
			p.Post(to, p.user.ID, "MUSTER")
			keys, complete := p.poll(t)
			p.want(t, keys, "36/1")
			if !complete {
				t.Error("it was not complete")
			}
			c, err := decode(p.at)
			if err != nil || c.thread != strconv.Itoa(to) {
				t.Errorf("the thread is now %q, %v", c.thread, err)
			}
		}},
		{"F39 a page that is too deep", func(t *testing.T, p *place) {
			p.at, p.got, p.order = "", map[string]ingest.Message{}, nil
			p.Fail(testboard.Fault{Meets: func(r *http.Request) bool { return strings.Contains(r.URL.RawQuery, "start=20") }, Change: deep})
			keys, complete := p.poll(t)
			if len(keys) != 25 || complete || len(p.faults) != 1 {
				t.Errorf("%d posts, complete %v, faults %q", len(keys), complete, p.faults)
			}
			p.poll(t)
			if len(p.faults) != 1 {
				t.Errorf("faults %q", p.faults)
			}
			p.Clear()
			if keys, complete := p.poll(t); len(keys) != 10 || !complete {
				t.Errorf("%d posts, complete %v", len(keys), complete)
			}
		}},
		{"F39 an old page that stays broken", func(t *testing.T, p *place) {
			p.say(115)
			p.pass(25 * time.Hour) // the whole thread is to be read again
			p.Fail(testboard.Fault{Meets: func(r *http.Request) bool { return strings.Contains(r.URL.RawQuery, "start=20") }, Change: deep})
			asked := 0
			for range 36 { // six hours
				p.pass(10 * time.Minute)
				id := p.say(1)
				keys, complete := p.poll(t)
				asked += len(p.asked)
				if !slices.ContainsFunc(keys, func(key string) bool { return strings.HasPrefix(key, fmt.Sprintf("%d/1-", id)) }) || complete {
					t.Fatalf("post %d: %d posts, complete %v", id, len(keys), complete)
				}
			}
			if asked > 400 {
				t.Errorf("%d pages were asked for within six hours", asked)
			}
			p.Clear()
			p.pass(time.Hour)
			if _, complete := p.poll(t); !complete {
				t.Error("it was not complete when all could be read")
			}
		}},
		{"F40 a theme that was changed", func(t *testing.T, p *place) {
			p.meet = func(_ string, body []byte) []byte { return bytes.ReplaceAll(body, []byte(`id="p`), []byte(`id="q`)) }
			p.say(1)
			keys, complete := p.poll(t)
			p.want(t, keys)
			if complete || len(p.faults) != 2 {
				t.Errorf("complete %v, faults %q", complete, p.faults)
			}
			p.poll(t)
			p.meet = nil
			if len(p.faults) != 2 {
				t.Errorf("faults %q", p.faults)
			}
			keys, _ = p.poll(t)
			p.want(t, keys, "36/1")
		}},
		{"F40 texts that are not found", func(t *testing.T, p *place) {
			p.meet = func(_ string, body []byte) []byte { return bytes.ReplaceAll(body, []byte(`class="content"`), nil) }
			keys, complete := p.poll(t)
			p.want(t, keys)
			if complete || len(p.faults) == 0 {
				t.Errorf("complete %v, faults %q", complete, p.faults)
			}
			p.meet = nil
			keys, complete = p.poll(t)
			p.want(t, keys)
			if !complete {
				t.Error("it was not complete")
			}
		}},
		{"F40 a link to the next page that is not found", func(t *testing.T, p *place) {
			p.meet = func(_ string, body []byte) []byte { return bytes.ReplaceAll(body, []byte(`rel="next"`), nil) }
			keys, complete := p.poll(t)
			p.want(t, keys)
			if complete || len(p.faults) == 0 {
				t.Errorf("complete %v, faults %q", complete, p.faults)
			}
			p.meet = nil
			keys, complete = p.poll(t)
			p.want(t, keys)
			if !complete {
				t.Error("it was not complete")
			}
		}},
		{"F42 session ids in links", func(t *testing.T, p *place) {
			if strings.Contains(string(p.got[p.order[0]].Raw), "sid=") {
				t.Errorf("%s", p.got[p.order[0]].Raw)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := phpbb(t)
			p.say(35)
			p.poll(t)
			c.test(t, p)
			p.agrees(t)
		})
	}
}

// deep nests a page deeper than any parser follows.
func deep(x *testboard.Exchange) {
	body := bytes.Replace(x.Body.Bytes(), []byte("<body"), []byte("<div>"+strings.Repeat("<div>", 600)+"<body"), 1)
	body = slices.Clone(body)
	x.Body.Reset()
	x.Body.Write(body)
}

func TestEveryKindOfBoardIsWalked(t *testing.T) {
	for _, skin := range testboard.Skins() {
		t.Run(skin.Name, func(t *testing.T) {
			p := newPlace(t, skin, 0)
			p.say(70)
			keys, complete := p.poll(t)
			if len(keys) != 70 || !complete || len(p.faults) > 0 {
				t.Fatalf("%d posts, complete %v, faults %q", len(keys), complete, p.faults)
			}
			p.say(1)
			keys, complete = p.poll(t)
			p.want(t, keys, "71/1")
			if !complete {
				t.Error("it was not complete")
			}
			p.agrees(t)
		})
	}
}

func TestAPageOfRemarksAloneIsPassed(t *testing.T) {
	p := newPlace(t, testboard.SkinNamed("flarum"), 10)
	p.meet = func(address string, body []byte) []byte {
		if strings.Contains(address, "offset%5D=10") {
			return bytes.ReplaceAll(body, []byte(`"contentType":"comment"`), []byte(`"contentType":"discussionRenamed"`))
		}
		return body
	}
	p.say(30)
	keys, complete := p.poll(t)
	if len(keys) != 20 || !complete || len(p.faults) > 0 {
		t.Errorf("%d posts, complete %v, faults %q", len(keys), complete, p.faults)
	}
}

func TestF34AMergedThreadIsForeign(t *testing.T) {
	p := phpbb(t)
	other := p.AddThread("Another game")
	p.say(10)
	for range 3 {
		p.Post(other, p.user.ID, "CHALLENGE Igor")
	}
	p.say(10)
	p.poll(t)
	p.Move(other, p.thread)
	keys, _ := p.poll(t)
	p.want(t, keys, "11/1", "12/1", "13/1")
	for _, key := range keys {
		if !p.record(t, key).Foreign {
			t.Errorf("%s is not marked", key)
		}
	}
}

func TestF17AllAtOnce(t *testing.T) {
	p := phpbb(t)
	p.say(12)
	p.poll(t)
	for id := 1; id <= 12; id++ {
		p.Delete(id)
	}
	p.say(1)
	keys, complete := p.poll(t)
	p.want(t, keys, "13/1")
	if complete {
		t.Error("one reading proved that all posts are gone")
	}
	keys, complete = p.poll(t)
	if len(keys) != 12 || !complete {
		t.Errorf("then %d are gone, complete %v", len(keys), complete)
	}
	p.agrees(t)
}

// page answers with a page of another kind.
func page(status int, html string) testboard.Fault {
	return testboard.Fault{Instead: func(x *testboard.Exchange) {
		x.Status = status
		x.Header.Set("Content-Type", "text/html; charset=utf-8")
		x.Body.WriteString(html)
	}}
}

func TestF21PagesOfAnotherKind(t *testing.T) {
	var stop *ingest.StopError
	for _, c := range []struct {
		name, html string
		status     int
		stops      string
	}{
		{"F21 a guard", `<html><head><title>Just a moment...</title></head><body><div id="challenge-form"></div></body></html>`, 503, "challenge"},
		{"F21 a log-in", `<html><body id="phpbb"><div id="page-body"><form><input type="password" name="password"></form></div></body></html>`, 200, "login"},
		{"F21 a board that is closed", `<html><body id="phpbb"><div id="message" class="panel"><div class="inner"><h2 class="message-title">Information</h2><p>The board is closed.</p></div></div></body></html>`, 200, "closed"},
		{"a server in trouble", `no`, 502, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := phpbb(t)
			p.say(12)
			p.poll(t)
			p.Fail(page(c.status, c.html))
			_, err := p.open(t).Poll(t.Context(), p.at)
			if err == nil || errors.As(err, &stop) != (c.stops != "") || c.stops != "" && stop.Kind != c.stops {
				t.Errorf("%v", err)
			}
			p.Clear()
			p.pass(2 * time.Hour)
			keys, complete := p.poll(t)
			p.want(t, keys)
			if !complete {
				t.Error("it was not complete")
			}
		})
	}
	p := phpbb(t)
	p.Robots("User-agent: *\nDisallow: /\n")
	if _, err := p.open(t).Poll(t.Context(), ""); !errors.As(err, &stop) || stop.Kind != "robots" {
		t.Errorf("%v", err)
	}
}

func TestADamagedCursorIsAnError(t *testing.T) {
	p := phpbb(t)
	p.say(12)
	p.poll(t)
	for _, at := range []ingest.Cursor{"%", "AA", p.at[:len(p.at)/2], p.at[:8]} {
		if _, err := p.open(t).Poll(t.Context(), at); err == nil {
			t.Errorf("%.20q is taken", at)
		}
	}
	for i := range p.at { // one letter is another
		wrong := []byte(p.at)
		if wrong[i]++; wrong[i] == 'A'+26 || wrong[i] == ':' {
			wrong[i] = 'A'
		}
		if _, err := decode(ingest.Cursor(wrong)); err == nil {
			t.Fatalf("with another letter at %d it is taken", i)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.open(t).Poll(ended, p.at); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
}
