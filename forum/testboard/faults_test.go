package testboard

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"arroba/forum"
)

func TestFaultsChangeWhatAPageIs(t *testing.T) {
	for _, c := range []struct {
		fault  Fault
		status int // 0 for any
		kind   forum.Kind
		not    []string // skins that have no such thing
	}{
		{Challenge, 200, forum.Challenge, nil},
		{ProofOfWork, 200, forum.Challenge, nil},
		{AskLogin, 0, forum.Login, []string{"punbb14", "vbulletin5", "boardgamegeek"}},
		{Closed, 200, forum.Message, nil},
		{Banned, 200, forum.Message, nil},
		{Down, 503, forum.Unreadable, nil},
		{TooMany("120"), 429, forum.Unreadable, nil},
		{Renamed, 200, forum.Unreadable, []string{"boardgamegeek"}},
		{TooDeep, 200, forum.Unreadable, nil},
		{Modified, 200, forum.Thread, nil},
		{NoCharset, 200, forum.Thread, nil},
		{SaysCharset("utf-8"), 200, forum.Thread, nil},
		{SaysCharset("iso-8859-1"), 200, forum.Thread, nil},
	} {
		for _, s := range Skins() {
			if slices.Contains(c.not, s.Name) {
				continue
			}
			t.Run(c.fault.Name+"/"+s.Name, func(t *testing.T) {
				v := visit(t, s)
				v.b.Fail(c.fault.Times(1))
				page := s.Address(v.thread, 1)
				got := v.get(page)
				if got.StatusCode != c.status && c.status != 0 || got.kind(s.Family) != c.kind {
					t.Errorf("it answers %d with a %s, want %d with a %s:\n%s", got.StatusCode, got.kind(s.Family), c.status, c.kind, got.text)
				}
				if got := v.get(page); got.StatusCode != 200 || got.kind(s.Family) != forum.Thread {
					t.Errorf("when it is over, it answers %d with a %s", got.StatusCode, got.kind(s.Family))
				}
			})
		}
	}
}

func TestCutsLoseTheAnswerAndNotAlwaysThePost(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		posts int
	}{{CutBefore, 2}, {CutAfter, 3}, {CutAnswer, 3}} {
		t.Run(c.fault.Name, func(t *testing.T) {
			v := visit(t, phpbb33)
			phpbbIn(v)
			address, form := v.fill(v.get("/posting.php?mode=reply&t=1"), "#postform", phpbbSays("Hear ye!"))
			v.later(2 * time.Second)
			v.b.Fail(c.fault.On(Posting))
			resp, err := v.http.PostForm(address, form)
			if err == nil {
				_, err = io.ReadAll(resp.Body)
				resp.Body.Close()
			}
			if err == nil {
				t.Error("there is an answer")
			}
			v.wantPosts(c.posts)
		})
	}
}

func TestRobotsAreServedAndFail(t *testing.T) {
	v := visit(t, phpbb33)
	if got := v.get("/robots.txt"); got.StatusCode != http.StatusNotFound {
		t.Errorf("robots.txt answers %d, want 404", got.StatusCode)
	}
	v.b.Fail(Challenge)
	v.b.Robots("User-agent: *\nCrawl-delay: 7\n")
	if got := v.get("/robots.txt"); !strings.Contains(got.text, "Crawl-delay: 7") {
		t.Errorf("robots.txt is %q", got.text)
	}
	v.b.Clear()
	v.b.Fail(RobotsError)
	if got := v.get("/robots.txt"); got.StatusCode != http.StatusInternalServerError {
		t.Errorf("robots.txt answers %d, want 500", got.StatusCode)
	}
}

func TestSlowAnswersComeWhenTheyAreLetGo(t *testing.T) {
	v := visit(t, phpbb33)
	waited := atomic.Bool{}
	v.b.Fail(Slow(func() { waited.Store(true) }).Times(1))
	if got := v.get("/viewtopic.php?t=1"); got.kind("") != forum.Thread || !waited.Load() {
		t.Error("a slow answer did not wait, or was none")
	}
}

func TestPostsGoBetweenTwoPageReads(t *testing.T) {
	b, thread, want := boardWith(phpbb33)
	v := visit(t, phpbb33)
	reads := 0
	b.Before = func(r *http.Request) {
		if reads++; reads == 2 {
			b.Delete(1)
		}
	}
	v.server.Config.Handler = b
	first, second := v.get(phpbb33.Address(thread, 1)), v.get(phpbb33.Address(thread, 2))
	if strings.Contains(first.text, `id="p11"`) || strings.Contains(second.text, `id="p11"`) {
		t.Error("the post that slipped to page 1 is on a page that was read")
	}
	if !strings.Contains(second.text, `id="p12"`) {
		t.Errorf("page 2 has not moved up; the thread had %d posts", len(want))
	}
}

func TestCountersPagesAndOrderGoWrong(t *testing.T) {
	b, thread, _ := boardWith(phpbb33)
	v := visit(t, phpbb33)
	v.server.Config.Handler = b
	b.Miscount(3)
	total := len(b.of(thread))
	if got := v.get(phpbb33.Address(thread, 1)); !strings.Contains(got.doc.Find(".pagination").First().Text(), "29 posts") || total != 26 {
		t.Errorf("%d posts are counted as %q", total, got.doc.Find(".pagination").First().Text())
	}
	b.Size = 13
	b.EmptyEnd()
	if got := v.get("/viewtopic.php?t=1&start=26"); got.doc.Find("div.post").Length() != 0 {
		t.Error("the page after the last full one has posts")
	}
	b.Newest = true
	if got := v.get("/viewtopic.php?t=1").doc.Find("div.post").First().AttrOr("id", ""); got != "p26" {
		t.Errorf("newest first, the first post is %s", got)
	}
	if got := v.get("/viewtopic.php?t=1&st=0&sk=t&sd=a").doc.Find("div.post").First().AttrOr("id", ""); got != "p1" {
		t.Errorf("with its order forced, the first post is %s", got)
	}
}

func TestRequestsAreLogged(t *testing.T) {
	v := visit(t, phpbb33)
	r, err := http.NewRequest(http.MethodGet, v.server.URL+"/viewtopic.php?t=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("User-Agent", "Arroba (gm@example.org)")
	v.send(r)
	log := v.b.Log()
	if len(log) != 1 || log[0].Method != "GET" || log[0].Address != "/viewtopic.php?t=1" || log[0].Agent != "Arroba (gm@example.org)" || !log[0].At.Equal(*v.now) {
		t.Errorf("the log is %+v", log)
	}
}

func TestMovedThreadsSendOn(t *testing.T) {
	v := visit(t, phpbb33)
	to := v.b.AddThread("Elsewhere")
	v.b.Move(v.thread, to)
	got := v.get("/viewtopic.php?t=1")
	if got.StatusCode != http.StatusMovedPermanently || got.Header.Get("Location") != "/viewtopic.php?t=2" {
		t.Errorf("a moved thread answers %d to %q", got.StatusCode, got.Header.Get("Location"))
	}
}
