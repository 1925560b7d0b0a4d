package forum

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

const xenforo1Thread = `<!DOCTYPE html><html id="XenForo" lang="en-US" dir="LTR" class="Public NoJs LoggedOut"><head><meta charset="utf-8" /><base href="http://b.example/forum/" />
<title>Spring war | Page 2 | The Board</title><link rel="canonical" href="http://b.example/forum/threads/spring-war.412/page-2" /></head><body>
<div id="loginBar"><form action="login/login" method="post"><input type="text" name="login" /><input type="password" name="password" /></form></div>
<div class="titleBar"><h1>Spring war</h1></div>
<div class="PageNav" data-page="2" data-range="2" data-start="2" data-end="3" data-last="3" data-sentinel="{{sentinel}}" data-baseurl="threads/spring-war.412/page-{{sentinel}}"><span class="pageNavHeader">Page 2 of 3</span>
<nav><a href="threads/spring-war.412/" class="text">&lt; Prev</a> <a href="threads/spring-war.412/" class="" rel="start">1</a> <a href="threads/spring-war.412/page-2" class="currentPage ">2</a> <a href="threads/spring-war.412/page-3" class="">3</a> <a href="threads/spring-war.412/page-3" class="text">Next &gt;</a></nav></div>
<form action="inline-mod/post/switch" method="post"><ol class="messageList" id="messageList">
<li id="post-5210" class="message staff" data-author="Magistrate"><div class="messageUserInfo"><div class="messageUserBlock"><div class="avatarHolder"><a href="members/magistrate.1/" class="avatar Av1s"><img src="a.jpg" alt="Magistrate" /></a></div><h3 class="userText"><a href="members/magistrate.1/" class="username" dir="auto"><span class="style3">Magistrate</span></a></h3></div></div>
<div class="messageInfo primaryContent"><div class="messageContent"><article><blockquote class="messageText SelectQuoteContainer ugc baseHtml">Round two. <img src="styles/default/xenforo/clear.png" class="mceSmilieSprite mceSmilie1" alt=":)" title="Smile    :)" />
<div class="messageTextEndMarker">&nbsp;</div></blockquote></article></div>
<div class="messageMeta ToggleTriggerAnchor"><div class="privateControls"><span class="item muted"><span class="authorEnd"><a href="members/magistrate.1/" class="username author">Magistrate</a>,</span> <a href="threads/spring-war.412/page-2#post-5210" title="Permalink" class="datePermalink"><span class="DateTime" title="Oct 30, 2025 at 10:48 PM">Oct 30, 2025</span></a></span></div></div></div></li>
<li id="post-5213" class="message" data-author="Oleg"><div class="messageUserInfo"><h3 class="userText"><a href="members/oleg.v2.12/" class="username">Oleg</a></h3></div>
<div class="messageInfo primaryContent"><div class="messageContent"><article><blockquote class="messageText SelectQuoteContainer ugc baseHtml"><div class="bbCodeBlock bbCodeQuote" data-author="Magistrate"><aside><div class="attribution type">Magistrate said: <a href="goto/post?id=5210#post-5210" class="AttributionLink">&uarr;</a></div><blockquote class="quoteContainer"><div class="quote">RELEASE Vera HL3</div><div class="quoteExpand">Click to expand...</div></blockquote></aside></div>CHALLENGE Boris HL3<br />
<div class="ToggleTriggerAnchor bbCodeSpoilerContainer"><button type="button" class="button bbCodeSpoilerButton ToggleTrigger Tooltip JsOnly"><span>Spoiler: <span class="SpoilerTitle">roster</span></span></button><div class="SpoilerTarget bbCodeSpoilerText">ROSTER Vera</div></div>
<div class="bbCodeBlock bbCodeCode"><div class="type">Code:</div><pre>SERVE Oleg
  HL3</pre></div><div class="dice_container"><strong>Dice</strong> GIVE 6 @</div>
<div class="messageTextEndMarker">&nbsp;</div></blockquote></article></div>
<div class="editDate">Last edited: <abbr class="DateTime" data-time="1773444900">Today</abbr></div>
<div class="baseHtml signature messageText ugc"><aside>GIVE 500 @ TO Oleg</aside></div>
<div class="messageMeta ToggleTriggerAnchor"><div class="privateControls"><a href="threads/spring-war.412/page-2#post-5213" class="datePermalink"><abbr class="DateTime" data-time="1773444605" data-diff="45395" data-datestring="Mar 13, 2026" data-timestring="11:30 PM">Mar 13, 2026 at 11:30 PM</abbr></a></div></div></div></li>
<li id="post-5214" class="message deleted" data-author="Gleb"><div class="messageContent"><blockquote class="messageText">VOTE Oleg</blockquote></div></li>
<li id="post-5215" class="message" data-author="Vera"><div class="messageUserInfo"><h3 class="userText"><span class="username guest">Vera</span></h3></div><div class="messageContent"><blockquote class="messageText">hello</blockquote></div>
<div class="attachedFiles"><ul class="attachmentList"><li class="attachment"><a href="attachments/a-txt.1/">a.txt</a></li></ul></div><div class="messageMeta"><a href="posts/5215/permalink" class="datePermalink"><abbr class="DateTime" data-time="1773450000">Today</abbr></a></div></li>
</ol></form><form action="threads/spring-war.412/add-reply" method="post"><textarea name="message"></textarea></form></body></html>`

func TestXenForo1(t *testing.T) {
	p := Read(answered("http://b.example/forum/threads/spring-war.412/page-2", xenforo1Thread), View{})
	comparePosts(t, p, []wanted{
		{"5210", "Magistrate", "1", false, []string{"Round two. :)"}},
		{"5213", "Oleg", "12", true, []string{"CHALLENGE Boris HL3", "ROSTER Vera", "SERVE Oleg", "HL3"}}, // F1, F2, F3
		{"5215", "Vera", "", false, []string{"hello"}},
	})
	postedAt(t, p, "2025-10-30T22:48:00Z", "2026-03-13T23:30:05Z", "2026-03-14T01:00:00Z")
	if p.Theme != "xenforo 1" || p.Thread != "412" || p.Title != "Spring war" || p.Mark != 2 || p.Next != "http://b.example/forum/threads/spring-war.412/page-3" {
		t.Errorf("the page is %q of thread %q %q, page %d, next %q", p.Theme, p.Thread, p.Title, p.Mark, p.Next)
	}
	if got := p.Posts[1]; !got.Posted.At.Equal(time.Unix(1773444605, 0)) || got.Permalink != "http://b.example/forum/threads/spring-war.412/page-2#post-5213" {
		t.Errorf("post 5213 was made %s and stands at %q", got.Posted.At, got.Permalink)
	}
	if p.Posts[2].Attachments != 1 {
		t.Errorf("F50: post 5215 has %d attachments", p.Posts[2].Attachments)
	}
}

func TestXenForo1NextPage(t *testing.T) {
	for nav, want := range map[string]string{
		`<div class="PageNav" data-page="2" data-last="3" data-sentinel="{{sentinel}}" data-baseurl="threads/spring-war.412/page-{{sentinel}}"></div>`:                           "http://b.example/forum/threads/spring-war.412/page-3",
		`<div class="PageNav" data-page="2" data-last="3"></div>`:                                                                                                                "http://b.example/forum/threads/spring-war.412/page-3",
		`<div class="PageNav" data-page="3" data-last="3" data-sentinel="x" data-baseurl="threads/spring-war.412/page-x"><nav><a class="currentPage" href="a">3</a></nav></div>`: "",
		``: "",
	} {
		start, end := strings.Index(xenforo1Thread, `<div class="PageNav"`), strings.Index(xenforo1Thread, `<form action="inline-mod`)
		page := xenforo1Thread[:start] + nav + xenforo1Thread[end:]
		if p := Read(answered("http://b.example/forum/threads/spring-war.412/page-2", page), View{}); p.Next != want {
			t.Errorf("%s leads to %q, wanted %q", nav, p.Next, want)
		}
	}
}

const xenforo2Thread = `<!DOCTYPE html><html id="XF" lang="ru-RU" data-template="thread_view" data-content-key="thread-412" data-csrf="1,2"><head><title>Война | Форум</title>
<link rel="canonical" href="https://b.example/threads/vojna.412/" /></head><body><h1 class="p-title-value"><span class="label">HL3</span> Война</h1>
<div class="blockMessage blockMessage--important blockMessage--iconic js-browserWarning" style="display: none">You are using an out of date browser.</div>
<article class="message message--post js-post" data-author="Oleg" data-content="post-11" id="js-post-11"><h4 class="message-name"><a href="/members/12/" class="username" data-user-id="12">Oleg</a></h4>
<header class="message-attribution"><a href="/threads/vojna.412/post-11" rel="nofollow"><time class="u-dt" datetime="2026-03-13T18:00:00+0100" title="13 Мар 2026 в 18:00">13 Мар 2026</time></a></header>
<article class="message-body js-selectToQuote"><div class="bbWrapper">СЛУЖИТЬ <span class="bbCodeInlineSpoiler">Vera</span><br />
<div class="bbCodeBlock bbCodeBlock--expandable bbCodeBlock--code"><div class="bbCodeBlock-title">Код:</div><div class="bbCodeBlock-content"><pre><code>ROSTER Vera</code></pre></div><div class="bbCodeBlock-expandLink"><a>Нажмите, чтобы раскрыть...</a></div></div>
<div class="bbCodeBlock bbCodeBlock--unfurl js-unfurl fauxBlockLink" data-url="https://x.example/"><h3>GIVE 5 @ TO Boris</h3></div></div></article>
<aside class="message-signature"><div class="bbWrapper">GIVE 500 @ TO Oleg</div></aside>
<section class="message-attachments"><ul class="attachmentList"><li class="file file--linked"><a href="/attachments/1/">a.txt</a></li></ul></section></article>
<article class="message message--post is-ignored js-post" data-author="Fool" data-content="post-12"><span class="username" dir="auto" data-user-id="13"></span><div class="message-userDetails"><a class="username" data-user-id="13">Fool</a></div><div class="message-attribution"><time datetime="2026-03-13T18:05:00+0100" data-time="1773421500"></time></div><article class="message-body"><div class="bbWrapper">VOTE Oleg</div></article></article>
<article class="message message--post js-post" data-author="Guest" data-content="post-13"><h4 class="message-name"><span class="username" dir="auto" data-user-id="0">Guest</span></h4><div class="message-attribution"><time datetime="2026-03-13T18:06:00+0100" data-time="1773421560"></time></div><article class="message-body"><div class="bbWrapper">hello</div></article></article>
<div class="message message--deleted message--post js-post" data-author="Gleb" data-content="post-14">This message has been deleted.</div>
</body></html>`

func TestXenForo2(t *testing.T) {
	p := Read(answered("https://b.example/posts/11/", xenforo2Thread), View{})
	comparePosts(t, p, []wanted{
		{"11", "Oleg", "12", false, []string{"СЛУЖИТЬ Vera", "ROSTER Vera"}},
		{"12", "Fool", "13", false, []string{"VOTE Oleg"}}, // F18
		{"13", "Guest", "", false, []string{"hello"}},
	})
	postedAt(t, p, "2026-03-13T17:00:00Z", "2026-03-13T17:05:00Z")
	if p.Thread != "412" || p.Title != "HL3 Война" || p.Next != "" || p.Posts[0].Permalink != "https://b.example/threads/vojna.412/post-11" || p.Posts[0].Attachments != 1 {
		t.Errorf("thread %q %q, next %q, %+v", p.Thread, p.Title, p.Next, p.Posts[0])
	}
}

func TestF45XenForoPreviewsOfLinksChangeNothing(t *testing.T) {
	loaded := strings.Replace(xenforo2Thread, `<h3>GIVE 5 @ TO Boris</h3>`, `<h3>Another title</h3><div class="contentRow-snippet">Text</div>`, 1)
	first, later := Read(answered("https://b.example/threads/412/", xenforo2Thread), View{}), Read(answered("https://b.example/threads/412/", loaded), View{})
	if first.Posts[0].Hash != later.Posts[0].Hash {
		t.Error("a preview that was loaded later changed the hash")
	}
}

func TestXenForoPagesWithoutPosts(t *testing.T) {
	const head = `<html id="XF" data-template="error"><body><div class="blockMessage blockMessage--important js-browserWarning" style="display: none">You are using an out of date browser.</div>`
	for name, c := range map[string]struct {
		html string
		kind Kind
		said string
	}{
		"F21 XenForo 2, no thread": {head + `<div class="p-body-pageContent"><div class="blockMessage">The requested thread could not be found.</div></div>`, Message, "The requested thread could not be found."},
		"F21 XenForo 2, login":     {head + `<div class="blockMessage">You must be logged-in to do that.</div><form action="/login/login" method="post"><input name="login"><input type="password" name="password"></form>`, Login, "You must be logged-in to do that."},
		"F40 XenForo 2, theme":     {head + `<section class="card">VOTE Oleg</section>`, Unreadable, ""},
		"F21 XenForo 1, no thread": {`<html id="XenForo"><body><div id="loginBar"><input type="password"></div><div class="errorOverlay"><div class="baseHtml">The requested thread could not be found.</div></div>`, Message, "The requested thread could not be found."},
		"F40 XenForo 1, theme":     {`<html id="XenForo"><body><div id="loginBar"><input type="password"></div><ol><li class="card">VOTE Oleg</li></ol>`, Unreadable, ""},
		"XenForo 1, reply form":    {`<html id="XenForo"><body><form method="post" action="threads/x.1/add-reply"><textarea name="message_html"></textarea></form>`, Form, ""},
	} {
		if p := Read(answered("http://b.example/threads/412/", c.html), View{}); p.Kind != c.kind || p.Said != c.said || len(p.Posts) > 0 {
			t.Errorf("%s: kind %s, says %q, %d posts", name, p.Kind, p.Said, len(p.Posts))
		}
	}
}

func TestXenForoAddresses(t *testing.T) {
	base := &url.URL{Scheme: "http", Host: "b.example", Path: "/forum/"}
	plain := &url.URL{Scheme: "http", Host: "b.example", Path: "/forum/index.php"}
	rest := &url.URL{Scheme: "http", Host: "b.example", Path: "/forum/api/"}
	for got, want := range map[string]string{
		xenforo.thread(rest, "412"):        "http://b.example/forum/api/threads/412/posts",
		xenforo.from(rest, "412", "5213"):  "",
		xenforoAddress(rest, "api/posts/"): "http://b.example/forum/api/posts/",
		xenforo.thread(base, "412"):        "http://b.example/forum/threads/412/",
		xenforo.thread(plain, "412"):       "http://b.example/forum/index.php?threads/412/",
		xenforo.from(base, "412", "5213"):  "http://b.example/forum/posts/5213/",
	} {
		if got != want {
			t.Errorf("asks for %s, wanted %s", got, want)
		}
	}
	for address, want := range map[string]string{
		"http://b.example/threads/spring-war.412/page-2":           "412",
		"http://b.example/threads/hl3.v2.412/#post-1":              "412",
		"http://b.example/threads/412/":                            "412",
		"http://b.example/index.php?threads/spring-war.412/page-2": "412",
		"http://b.example/posts/5213/":                             "",
		"http://b.example/threads/2026/page-1,204":                 "2026",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := xenforo.threadID(u); got != want {
			t.Errorf("%s is of thread %q, wanted %q", address, got, want)
		}
	}
}

func TestXenForoREST(t *testing.T) {
	const answer = `{"posts": [
{"post_id": 11, "thread_id": 412, "username": "Oleg", "user_id": 12, "post_date": 1773444605, "last_edit_date": 1773444900, "message_state": "visible", "attach_count": 1, "view_url": "https://b.example/threads/412/post-11", "Thread": {"title": "Spring war"},
 "message": "[QUOTE=\"Vera, post: 10, member: 16\"]\nACCEPT DUEL D1 [QUOTE]VOTE[/QUOTE][/QUOTE]\n[B]SERVE[/B] Vera [S]VOTE Gleb[/S] <3\n[CODE]ROSTER [b]Vera\nGleb[/CODE]\n[SPOILER=\"x\"]VOTE Boris[/SPOILER][LIST]\n[*]one\n[*]two\n[/LIST][IMG]https://x.example/GIVE.png[/IMG][foo]bar"},
{"post_id": 12, "thread_id": 412, "username": "Gleb", "user_id": 15, "post_date": 1773444700, "message_state": "deleted", "message": "VOTE Oleg"},
{"post_id": 13, "thread_id": 412, "username": "Guest", "user_id": 0, "post_date": 1773444800, "last_edit_date": 0, "message_state": "visible", "message": "x", "message_parsed": "<div class=\"bbWrapper\"><blockquote class=\"bbCodeBlock bbCodeBlock--quote\">VOTE Oleg</blockquote>hello</div>"}
], "pagination": {"current_page": 1, "last_page": 2, "per_page": 20, "shown": 3, "total": 23}}`
	p := Read(answered("https://b.example/api/threads/412/posts?page=1", answer), View{})
	comparePosts(t, p, []wanted{
		{"11", "Oleg", "12", true, []string{"SERVE Vera <3", "ROSTER [b]Vera", "Gleb", "VOTE Boris", "one", "two", "[foo]bar"}},
		{"13", "Guest", "", false, []string{"hello"}},
	})
	postedAt(t, p, "2026-03-13T23:30:05Z", "2026-03-13T23:33:20Z")
	if p.Board != "xenforo" || p.Thread != "412" || p.Title != "Spring war" || p.Mark != 1 || p.Total != 23 || p.Next != "https://b.example/api/threads/412/posts?page=2" || p.Posts[0].Attachments != 1 {
		t.Errorf("%q, thread %q %q, page %d, %d posts, next %q", p.Board, p.Thread, p.Title, p.Mark, p.Total, p.Next)
	}
	last := strings.Replace(answer, `"current_page": 1`, `"current_page": 2`, 1)
	if p := Read(answered("https://b.example/api/threads/412/posts?page=2", last), View{}); p.Next != "" {
		t.Errorf("the last page leads to %q", p.Next)
	}
}

func TestXenForoRESTErrors(t *testing.T) {
	for answer, want := range map[string]Kind{
		`{"errors": [{"code": "api_key_not_found", "message": "API key not found"}]}`:                                               Login,
		`{"errors": [{"code": "requested_thread_not_found", "message": "The requested thread could not be found.", "params": []}]}`: Message,
		`{"posts": [{"post_id": "eleven"}], "pagination": {"current_page": 1}}`:                                                     Unreadable,
		`{"posts": [{"post_id": 11, "message"`:                                                                                      Unreadable,
	} {
		if p := Read(answered("https://b.example/api/threads/412/posts", answer), View{}); p.Kind != want || len(p.Posts) > 0 {
			t.Errorf("%s is a %s, wanted %s", answer, p.Kind, want)
		}
	}
}
