package forum

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// prosilver is a page of a phpBB board.
func prosilver(content string) string {
	return `<!DOCTYPE html><html><head><title>The pyramid</title></head><body id="phpbb">` + content + `</body></html>`
}

// prosilverPost is a post on it.
func prosilverPost(id int, text string) string {
	return fmt.Sprintf(`<div id="p%d" class="post"><dl class="postprofile"><dt><a class="username" href="./memberlist.php?mode=viewprofile&amp;u=12">Oleg</a></dt></dl>
<div class="postbody"><h3><a href="./viewtopic.php?p=%d&amp;sid=0123456789abcdef0123456789abcdef#p%d">Re: The pyramid</a></h3>
<p class="author"><time datetime="2026-05-05T10:00:00+00:00">Tue</time></p><div class="content">%s</div></div></div>`, id, id, id, text)
}

func read(body string) Page {
	return Read(Answer{Asked: "http://forum.example/viewtopic.php?t=90", At: time.Date(2026, 5, 5, 12, 0, 0, 0, time.UTC), Body: []byte(body)}, View{})
}

func TestF21PagesAreToldApart(t *testing.T) {
	const (
		reply = `<form method="post" action="posting.php"><textarea name="message"></textarea></form>`
		login = `<form method="post" action="ucp.php"><input name="username"><input type="password" name="password"></form>`
		block = `<div id="message"><p>The requested topic does not exist.</p></div>`
	)
	for _, c := range []struct {
		name, page string
		want       Kind
	}{
		{"posts and a quick reply", prosilver(prosilverPost(1, "READY") + reply), Thread},
		{"posts and a login form in the header", prosilver(login + prosilverPost(1, "READY")), Thread},
		{"a reply form", prosilver(reply), Form},
		{"a reply form with an error", prosilver(`<p class="error">You cannot make another post so soon.</p>` + reply), Form},
		{"a reply form with the last posts under it", prosilver(reply + `<div id="topicreview">` + prosilverPost(1, "READY") + `</div>`), Form},
		{"a reply form that asks guests for a password", prosilver(reply + login), Form},
		{"a login page", prosilver(login), Login},
		{"a login page with a message", prosilver(block + login), Login},
		{"a message", prosilver(block), Message},
		{"a theme that was changed", prosilver(strings.ReplaceAll(prosilverPost(1, "READY"), `class="post"`, `class="talk"`)), Unreadable},
		{"a board without anything", prosilver(""), Unreadable},
		{"a page of no board", `<html><title>Welcome to nginx!</title><body>It works</body></html>`, Unreadable},
		{"a login page of no board", `<html><title>Portal</title><body>` + login + `</body></html>`, Login},
		{"JSON of no board", `{"status":"ok"}`, Unreadable},
		{"JSON that breaks off", `{"data":[{"type":"posts"`, Unreadable},
		{"XML that breaks off", `<?xml version="1.0"?><thread id="1"><articles>`, Unreadable},
		{"XML without a declaration that breaks off", `<thread id="1"><articles>`, Unreadable},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := read(c.page)
			if p.Kind != c.want {
				t.Errorf("it is %s: %q", p.Kind, p.Problems)
			}
			if c.want != Thread && len(p.Posts) > 0 {
				t.Errorf("it gives posts: %+v", p.Posts)
			}
			if c.want == Unreadable && len(p.Problems) == 0 {
				t.Error("nothing says why")
			}
		})
	}
}

func TestF21GuardsAreKnown(t *testing.T) {
	for _, page := range []string{
		`<title>Just a moment...</title><body><div class="main-wrapper"></div>`,
		`<title>Attention Required! | Cloudflare</title>`,
		`<title>forum.example</title><body><div id="cf-wrapper"></div>`,
		`<title>forum.example</title><form id="challenge-form" action="/"></form>`,
		`<title>Making sure you&#39;re not a bot!</title>`,
		`<title>Making sure you’re not a bot!</title>`,
		`<title>Es wird sichergestellt, dass Sie kein Bot sind</title>`,
		`<title>Foro</title><script id="anubis_challenge" type="application/json">{}</script>`,
		`<title>Checking your browser before accessing forum.example</title>`,
		`<title>Проверка браузера</title>`,
		`<title>Один момент…</title>`,
		`<title>DDOS-GUARD</title>`,
		`<title>Sucuri WebSite Firewall - Access Denied</title>`,
		`<title>Vercel Security Checkpoint</title>`,
		`<title>Human Verification</title>`,
		`<title>Are you a human?</title>`,
		`<title>Checking browser</title>`,
		`<title>You are being redirected...</title>`,
		`<title>Client Challenge</title>`,
		`<title>Nur einen Moment…</title>`,
		`<title>しばらくお待ちください...</title>`,
		`<title>Nous vérifions que vous n’êtes pas un robot !</title>`,
		`<html><head></head><body><div id="link-ddg"><a href="https://ddos-guard.net/">DDoS-Guard</a></div></body></html>`,
		`<title>One moment, please...</title>`,
		`<html><body><script type="text/javascript" src="/aes.js" ></script><script>document.cookie="__test="+1</script></body></html>`,
		`<html><body><iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=23">Request unsuccessful.</iframe></body></html>`,
		`<title>forum.example</title><body><div class="cf-turnstile" data-sitekey="x"></div>`,
	} {
		if p := read(page); p.Kind != Challenge {
			t.Errorf("%s is %s", page, p.Kind)
		}
	}
	if p := read(prosilver(`<div id="cf-footer"></div>` + prosilverPost(1, "READY"))); p.Kind != Thread {
		t.Errorf("a thread with a guard's element is %s", p.Kind)
	}
	if p := read(`<html><title>Just a moment of glory</title><body id="phpbb"><div id="message">No such topic</div></body></html>`); p.Kind != Message {
		t.Errorf("a board's page with a title like a guard's is %s", p.Kind)
	}
}

func TestF39OfAPageThatIsTooDeepTheNextIsKnown(t *testing.T) {
	deep := strings.Repeat(`<blockquote><div><cite>Gleb wrote:</cite>`, 300) + "me too" + strings.Repeat(`</div></blockquote>`, 300)
	page := prosilver(`<h2 class="topic-title">The pyramid</h2>` + prosilverPost(1, deep) + prosilverPost(2, "READY") +
		`<div class="pagination"><ul><li class="next"><a rel="next" href="./viewtopic.php?t=90&amp;start=15">Next</a></li></ul></div>`)
	p := read(page)
	if p.Kind != Unreadable || len(p.Posts) > 0 || p.Board != "phpbb" || p.Thread != "90" {
		t.Errorf("%+v", p)
	}
	if want := "http://forum.example/viewtopic.php?t=90&start=15"; p.Next != want {
		t.Errorf("the next page is %q, wanted %q", p.Next, want)
	}
	if len(p.Problems) != 1 || !strings.Contains(p.Problems[0], "60") || !strings.Contains(p.Problems[0], "512") {
		t.Errorf("%q tells of no depth", p.Problems)
	}
}

func TestF40WhatIsNotFoundIsAnAlarm(t *testing.T) {
	post := prosilverPost(1, "READY")
	for name, c := range map[string]struct{ old, new, want string }{
		"date":   {"2026-05-05T10:00:00+00:00", "soon", "date"},
		"author": {`class="username"`, `class="who"`, "author"},
		"text":   {`class="content"`, `class="words"`, "text"},
	} {
		p := read(prosilver(strings.Replace(post, c.old, c.new, 1)))
		if p.Kind != Thread || len(p.Posts) != 1 || !slices.ContainsFunc(p.Problems, func(s string) bool { return strings.Contains(s, c.want) }) {
			t.Errorf("%s: %s with %d posts, %q", name, p.Kind, len(p.Posts), p.Problems)
		}
	}
	p := read(prosilver(strings.Replace(post, `id="p1"`, `id="post"`, 1)))
	if p.Kind != Unreadable || len(p.Problems) == 0 {
		t.Errorf("a post without an id: %s, %q", p.Kind, p.Problems)
	}
	if p := read(prosilver(strings.Replace(post, `class="content"`, `class="words"`, 1))); p.Posts[0].Hash != "" {
		t.Error("a text that was not found has a hash")
	}
}

func TestF41SelectorsThatDoNotCompileAreRefused(t *testing.T) {
	for text, ok := range map[string]bool{
		`div.post:has(.body)`: true, `.post:not(.deleted, .waiting), [id^="p" i]`: true,
		`div:has(> .body)`: false, `:is(.a, .b)`: false, `:where(.a)`: false, `div[`: false, ``: false,
	} {
		if err := (View{Board: "phpbb", Selectors: Selectors{"post": text}}).Check(); (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "post") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, v := range []View{{Board: "slashcode"}, {Charset: "klingon"}, {Selectors: Selectors{"posts": ".post"}}} {
		if v.Check() == nil {
			t.Errorf("%+v is taken", v)
		}
	}
}

func TestF42SessionsAreTakenOutOfAddresses(t *testing.T) {
	const id = "0123456789abcdef0123456789abcdef"
	for address, want := range map[string]string{
		"http://forum.example/viewtopic.php?t=90&sid=" + id:                    "http://forum.example/viewtopic.php?t=90",
		"http://forum.example/viewtopic.php?sid=" + id + "&t=90#p5":            "http://forum.example/viewtopic.php?t=90#p5",
		"http://forum.example/viewtopic.php?sid=" + id:                         "http://forum.example/viewtopic.php",
		"http://forum.example/index.php?PHPSESSID=abc123&topic=2.0":            "http://forum.example/index.php?topic=2.0",
		"http://forum.example/index.php?PHPSESSID=abc123;topic=2.0;all":        "http://forum.example/index.php?topic=2.0;all",
		"http://forum.example/index.php?topic=2.15;PHPSESSID=abc123#msg7":      "http://forum.example/index.php?topic=2.15#msg7",
		"http://forum.example/showthread.php?s=" + id + "&t=5&page=2":          "http://forum.example/showthread.php?t=5&page=2",
		"http://forum.example/index.php?s=&showtopic=5":                        "http://forum.example/index.php?showtopic=5",
		"http://forum.example/search?s=dragons&t=5":                            "http://forum.example/search?s=dragons&t=5",
		"http://forum.example/viewtopic.php?t=90&start=15&wasid=1":             "http://forum.example/viewtopic.php?t=90&start=15&wasid=1",
		"http://forum.example/topic/5":                                         "http://forum.example/topic/5",
		"http://forum.example/viewtopic.php?f=2&t=90&st=0&sk=t&sd=a&sid=" + id: "http://forum.example/viewtopic.php?f=2&t=90&st=0&sk=t&sd=a",
	} {
		if got := WithoutSession(address); got != want {
			t.Errorf("%s becomes %s, wanted %s", address, got, want)
		}
	}
}

func TestF42TheFirstVisitReadsTheSameAsTheSecond(t *testing.T) {
	const attachment = `READY <img src="./download/file.php?id=1&amp;sid=0123456789abcdef0123456789abcdef"> <a href="./viewtopic.php?t=8&amp;sid=0123456789abcdef0123456789abcdef">there</a>`
	first := read(prosilver(prosilverPost(1, attachment)))
	second := read(strings.ReplaceAll(prosilver(prosilverPost(1, attachment)), "&amp;sid=0123456789abcdef0123456789abcdef", ""))
	if first.Posts[0].Hash != second.Posts[0].Hash || first.Posts[0].HTML != second.Posts[0].HTML {
		t.Errorf("the first visit reads\n%q\nthe second\n%q", first.Posts[0].HTML, second.Posts[0].HTML)
	}
	if got := first.Posts[0].Permalink; got != "http://forum.example/viewtopic.php?p=1#p1" {
		t.Errorf("the permalink is %s", got)
	}
}

func TestAHashTellsWhatWasWrittenFromWhatTheBoardWrites(t *testing.T) {
	hash := func(body string) string { return read(prosilver(prosilverPost(1, body))).Posts[0].Hash }
	plain := hash(`READY <time datetime="2026-05-05T10:00:00Z">an hour ago</time>`)
	for _, same := range []string{"READY\n\n <time title='x' datetime=\"2026-05-05T10:00:00Z\">2 hours ago</time>", `READY <script>token = 17</script><time datetime="2026-05-05T10:00:00Z"></time>`} {
		if hash(same) != plain {
			t.Errorf("%s has another hash", same)
		}
	}
	seen := map[string]string{plain: "plain"}
	for _, other := range []string{"READY", "ready", "<s>READY</s>", `<span style="text-decoration:line-through">READY</span>`, `<span class="bbs">READY</span>`, "<blockquote>READY</blockquote>", "<blockquote>WAIT</blockquote>",
		`<img alt="8)">`, `<img alt=":)">`, `<a href="http://a.example/">http://a...</a>`, `<a href="http://b.example/">http://a...</a>`} {
		h := hash(other)
		if seen[h] != "" {
			t.Errorf("%s has the hash of %s", other, seen[h])
		}
		seen[h] = other
	}
}
