package forum

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

const geekPage = `<?xml version="1.0" encoding="utf-8"?><thread id="31" numarticles="3" link="https://boardgamegeek.com/thread/31" termsofuse="https://boardgamegeek.com/xmlapi/termsofuse"><subject>Spring war</subject><articles>
<article id="501" username="oleg" link="https://boardgamegeek.com/thread/31/article/501#501" postdate="2026-03-13T16:45:00-05:00" editdate="2026-03-13T16:50:00-05:00" numedits="1">
<subject>Spring war</subject><body>&lt;div class=&#039;quote&#039;&gt;&lt;div class=&#039;quotetitle&#039;&gt;&lt;p&gt;&lt;b&gt;boris wrote:&lt;/b&gt;&lt;/p&gt;&lt;/div&gt;&lt;div class=&#039;quotebody&#039;&gt;YIELD&lt;/div&gt;&lt;/div&gt;CHALLENGE Boris&lt;br/&gt;&lt;b&gt;PLEDGE&lt;/b&gt; HL3 &amp;amp; HL4&lt;/div&gt;&lt;br/&gt;HL5` + "\x03" + ` STAYS&lt;br/&gt;&lt;s&gt;READY&lt;/s&gt;</body></article>
<article id="507" username="Борис" link="https://boardgamegeek.com/thread/31/article/507#507" postdate="2026-03-13T17:00:00-05:00" editdate="2026-03-13T17:00:00-05:00" numedits="0"><subject>Re: Spring&nbsp;war</subject><body>READY</body></article>
</articles></thread>`

func TestBoardGameGeek(t *testing.T) {
	p := Read(answered("https://boardgamegeek.com/xmlapi2/thread?id=31&count=2", geekPage), View{})
	comparePosts(t, p, []wanted{
		{"501", "oleg", "", true, []string{"CHALLENGE Boris", "PLEDGE HL3 & HL4", "HL5 STAYS"}},
		{"507", "Борис", "", false, []string{"READY"}},
	})
	if p.Board != "boardgamegeek" || p.Thread != "31" || p.Title != "Spring war" || len(p.Problems) > 0 {
		t.Errorf("%+v", p)
	}
	if want := time.Date(2026, 3, 13, 21, 45, 0, 0, time.UTC); !p.Posts[0].Posted.At.Equal(want) || p.Posts[0].Permalink != "https://boardgamegeek.com/thread/31/article/501#501" || p.Posts[1].Subject != "Re: Spring war" {
		t.Errorf("%+v", p.Posts)
	}
}

func TestBoardGameGeekHasANextPage(t *testing.T) {
	const api = "https://boardgamegeek.com/xmlapi2/thread?id=31"
	whole := strings.Replace(geekPage, `numarticles="3"`, `numarticles="2"`, 1)
	for _, c := range []struct{ address, page, next string }{
		{api, geekPage, api + "&minarticleid=508"},
		{api, whole, ""},
		{api + "&count=2", geekPage, "https://boardgamegeek.com/xmlapi2/thread?count=2&id=31&minarticleid=508"},
		{api + "&count=2", whole, ""},
		{api + "&count=500", geekPage, ""},
		{api + "&minarticleid=500", geekPage, ""},
		{api + "&count=2&minarticleid=500", geekPage, "https://boardgamegeek.com/xmlapi2/thread?count=2&id=31&minarticleid=508"},
		{api + "&count=3&minarticleid=500", geekPage, ""},
	} {
		if p := Read(answered(c.address, c.page), View{}); p.Next != c.next {
			t.Errorf("%s: the next page is %q, wanted %q", c.address, p.Next, c.next)
		}
	}
}

func TestF28BoardGameGeekInAnotherCharset(t *testing.T) {
	page := strings.Replace(geekPage, "utf-8", "windows-1251", 1)
	a := answered("https://boardgamegeek.com/xmlapi2/thread?id=31", strings.Replace(page, "Борис", "\xc1\xee\xf0\xe8\xf1", 1))
	if p := Read(a, View{}); p.Kind != Thread || p.Posts[1].Author != "Борис" {
		t.Errorf("%s %q, %+v", p.Kind, p.Problems, p.Posts)
	}
}

func TestBoardGameGeekIsShownItsKey(t *testing.T) {
	b := &Board{View: View{Board: "boardgamegeek"}, Account: Account{Key: "secret"}}
	if got := b.keys().Get("Authorization"); got != "Bearer secret" {
		t.Errorf("Authorization is %q", got)
	}
	b.Account.Key = ""
	if len(b.keys()) > 0 {
		t.Errorf("a guest is known by %v", b.keys())
	}
}

func TestF21BoardGameGeekSaysSomethingElse(t *testing.T) {
	for _, c := range []struct {
		body   string
		status int
		want   Kind
	}{
		{`<?xml version="1.0"?><error message="Thread not found" />`, 200, Message},
		{`<errors><error><message>Invalid object</message></error></errors>`, 200, Message},
		{`<?xml version="1.0"?><error message="401 Unauthorized" />`, 0, Login},
		{`Unauthorized`, 401, Login},
		{`Unauthorized`, 0, Login},
		{`<html><head><title>401 Authorization Required</title></head><body></body></html>`, 0, Login},
		{`<?xml version="1.0"?><thread id="31" numarticles="0"><subject></subject><articles></articles></thread>`, 200, Message},
		{geekPage[:len(geekPage)-40], 200, Unreadable},
		{`<?xml version="1.0"?><rss><channel></channel></rss>`, 200, Unreadable},
		{`<?xml version="1.0"?><thread id="31" numarticles="1"><articles><article username="oleg"><body>READY</body></article></articles></thread>`, 200, Unreadable},
	} {
		a := answered("https://boardgamegeek.com/xmlapi2/thread?id=31", c.body)
		a.Status, a.Header = c.status, http.Header{}
		if p := Read(a, View{}); p.Kind != c.want || len(p.Posts) > 0 {
			t.Errorf("%s: %s, says %q, %q", c.body, p.Kind, p.Said, p.Problems)
		}
	}
}
