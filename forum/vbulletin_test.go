package forum

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// answered is a page as a server gave it at noon of 14 March 2026.
func answered(address, page string) Answer {
	return Answer{URL: address, At: time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC), Body: []byte(page)}
}

// wanted is what a test expects of a post.
type wanted struct {
	id, author, authorID string
	edited               bool
	lines                []string
}

func comparePosts(t *testing.T, p Page, want []wanted) {
	t.Helper()
	if p.Kind != Thread {
		t.Fatalf("it is a page of kind %s: %v", p.Kind, p.Problems)
	}
	if len(p.Posts) != len(want) {
		t.Fatalf("%d posts, wanted %d", len(p.Posts), len(want))
	}
	for i, w := range want {
		got := p.Posts[i]
		if got.ID != w.id || got.Author != w.author || got.AuthorID != w.authorID || got.Edited != w.edited {
			t.Errorf("post %q of %q (%q), edited %v; wanted %+v", got.ID, got.Author, got.AuthorID, got.Edited, w)
		}
		if !slices.Equal(got.Lines, w.lines) {
			t.Errorf("post %s: lines %q, wanted %q", got.ID, got.Lines, w.lines)
		}
	}
}

const vbulletin3Thread = `<html dir="ltr" lang="en"><head>
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />
<meta name="generator" content="vBulletin 3.8.7" />
<title>Spring war - Page 2 - The Board</title></head><body>
<table class="tborder" cellpadding="6"><tr><td class="alt1" width="100%"><table><tr><td><span class="navbar"><a href="forumdisplay.php?f=4">Wars</a></span></td></tr>
<tr><td class="navbar" style="font-size:10pt; padding-top:1px" colspan="3"><a href="showthread.php?t=77&amp;page=2"><img class="inlineimg" src="images/misc/navbits_finallink.gif" alt="Reload this Page" border="0" /></a> <strong>Spring war</strong></td></tr></table></td>
<td class="alt2" nowrap="nowrap"><form action="login.php?do=login" method="post"><input type="text" class="bginput" name="vb_login_username" id="navbar_username" /><input type="password" class="bginput" name="vb_login_password" id="navbar_password" size="10" /></form></td></tr></table>
<div class="pagenav" align="right"><table class="tborder"><tr><td class="vbmenu_control">Page 2 of 3</td>
<td class="alt1"><a rel="prev" class="smallfont" href="showthread.php?s=0123456789abcdef0123456789abcdef&amp;t=77" title="Prev Page - Results 1 to 10 of 1,025">&lt;</a></td>
<td class="alt2"><span class="smallfont" title="Showing results 11 to 20 of 1,025"><strong>2</strong></span></td>
<td class="alt1"><a rel="next" class="smallfont" href="showthread.php?s=0123456789abcdef0123456789abcdef&amp;t=77&amp;page=3" title="Next Page - Results 21 to 25 of 1,025">&gt;</a></td></tr></table></div>
<table class="tborder"><tr><td class="vbmenu_popup"><form action="search.php?do=process" method="post"><input type="hidden" name="searchthreadid" value="77" /></form></td></tr></table>
<div id="posts">
<div align="center"><div class="page"><div id="edit501" style="padding:0px 0px 6px 0px">
<table class="tborder" id="post501" cellpadding="6" cellspacing="0" border="0" width="100%" align="center">
<tr><td class="thead" style="font-weight:normal"><a name="post501"><img class="inlineimg" src="images/statusicon/post_old.gif" alt="Old" border="0" /></a>
03-13-2026, 09:30 PM</td><td class="thead" style="font-weight:normal" align="right">&nbsp;#<a href="showpost.php?p=501&amp;postcount=11" target="new" rel="nofollow" id="postcount501" name="11"><strong>11</strong></a></td></tr>
<tr valign="top"><td class="alt2" width="175"><div id="postmenu_501"><a class="bigusername" href="member.php?u=1"><font color="red">Magistrate</font></a></div><div class="smallfont">Administrator</div></td>
<td class="alt1" id="td_post_501"><div class="smallfont"><img class="inlineimg" src="images/icons/icon1.gif" alt="Default" border="0" /><strong>Round two</strong></div><hr size="1" />
<div id="post_message_501">Round two begins. <img src="images/smilies/smile.gif" border="0" alt="" title="Smile" class="inlineimg" /></div></td></tr>
</table></div></div></div>
<div align="center"><div class="page"><div id="edit502">
<table class="tborder" id="post502"><tr><td class="thead">03-14-2026, 07:12 AM</td><td class="thead">#<a href="showpost.php?p=502&amp;postcount=12" id="postcount502" name="12"><strong>12</strong></a></td></tr>
<tr valign="top"><td class="alt2"><div id="postmenu_502"><a class="bigusername" href="member.php?s=0123456789abcdef0123456789abcdef&amp;u=12">Oleg</a></div></td>
<td class="alt1" id="td_post_502"><div id="post_message_502"><div style="margin:20px; margin-top:5px; ">
	<div class="smallfont" style="margin-bottom:2px">Quote:</div>
	<table cellpadding="6" cellspacing="0" border="0" width="100%"><tr><td class="alt2" style="border:1px inset">
			<div>Originally Posted by <strong>Vera</strong> <a href="showthread.php?p=500#post500" rel="nofollow"><img class="inlineimg" src="images/buttons/viewpost.gif" border="0" alt="View Post" /></a></div>
			<div style="font-style:italic">ACCEPT DUEL D1</div>
	</td></tr></table>
</div>SERVE <b>Vera</b> W4<br />
<div style="margin:20px; margin-top:5px">
	<div class="smallfont" style="margin-bottom:2px">Code:</div>
	<pre class="alt2" dir="ltr" style="margin: 0px; padding: 6px; border: 1px inset; width: 640px; height: 34px; text-align: left; overflow: auto">ROSTER Vera
  Gleb W4</pre>
</div>
<div style="margin:20px; margin-top:5px"><div class="smallfont" style="margin-bottom:2px">Spoiler: <input type="button" value="Show" /></div>
<div class="alt2" style="margin: 0px; padding: 6px; border: 1px inset;"><div>VOTE Gleb<div style="margin:20px; margin-top:5px; "><div class="smallfont">Quote:</div><table><tr><td class="alt2"><div>Originally Posted by <strong>Gleb</strong></div><div style="font-style:italic">VOTE Oleg</div></td></tr></table></div></div></div></div>
<img src="http://x.example/a.gif" border="0" alt="order" /></div>
<div>__________________<br />CLAN RULES YES W4</div>
<div class="smallfont"><hr size="1" style="color:#D1D1E1" /><em>Last edited by Oleg; 03-14-2026 at <span class="time">07:20 AM</span>.</em></div></td></tr></table></div></div></div>
<div align="center"><table class="tborder" id="post503"><tr><td class="thead">03-14-2026, 07:30 AM</td></tr><tr><td class="alt1"><span class="bigusername">Fool</span> This message is hidden because <strong>Fool</strong> is on your ignore list.</td></tr></table></div>
<div align="center"><table class="tborder" id="post504"><tr><td class="thead">03-14-2026, 07:41 AM</td><td class="thead">#<a href="showpost.php?p=504&amp;postcount=13" id="postcount504"><strong>13</strong></a></td></tr>
<tr><td class="alt2"><div id="postmenu_504">Admin</div></td><td class="alt1"><div id="post_message_504">GIVE 5 @ TO Oleg</div>
<div style="padding:6px"><fieldset class="fieldset"><legend>Attached Files</legend><table><tr><td><img class="inlineimg" src="images/attach/txt.gif" alt="File Type: txt" /></td><td><a href="attachment.php?attachmentid=9&amp;d=1">orders.txt</a> (1 KB)</td></tr></table></fieldset></div></td></tr></table></div>
<div id="lastpost"></div></div>
<form action="newreply.php?do=postreply&amp;t=77" method="post" id="qrform"><textarea name="message"></textarea><input type="hidden" name="t" value="77" /></form>
<div class="smallfont" align="center">All times are GMT -4. The time now is <span class="time">08:00 AM</span>.</div>
</body></html>`

func TestVBulletin3(t *testing.T) {
	p := Read(answered("http://b.example/showthread.php?p=502", vbulletin3Thread), View{})
	comparePosts(t, p, []wanted{
		{"501", "Magistrate", "1", false, []string{"Round two begins."}},
		{"502", "Oleg", "12", true, []string{"SERVE Vera W4", "ROSTER Vera", "Gleb W4", "VOTE Gleb"}}, // F1, F2, F3
		{"504", "Admin", "", false, []string{"GIVE 5 @ TO Oleg"}},                                     // F33: a guest has no id
	})
	if p.Board != "vbulletin" || p.Theme != "vbulletin 3" || p.Thread != "77" || p.Title != "Spring war" || p.Mark != 2 || p.Total != 1025 {
		t.Errorf("the page is %q %q of thread %q %q, page %d, %d posts", p.Board, p.Theme, p.Thread, p.Title, p.Mark, p.Total)
	}
	if p.Next != "http://b.example/showthread.php?t=77&page=3" {
		t.Errorf("the next page is %q", p.Next)
	}
	if got := p.Posts[0]; got.Subject != "Round two" || got.Permalink != "http://b.example/showpost.php?p=501&postcount=11" {
		t.Errorf("post 501 has the subject %q and stands at %q", got.Subject, got.Permalink)
	}
	if got := p.Posts[2].Attachments; got != 1 {
		t.Errorf("F50: post 504 has %d attachments", got)
	}
}

const vbulletin5Thread = `<!DOCTYPE html><html lang="en"><head><base href="https://b.example/board/" /><title>Spring war - The Board</title>
<link rel="canonical" href="https://b.example/board/forum/wars/88-spring-war/page2" /></head>
<body id="vb-page-body" class="l-desktop page60 vb-page"><div id="header"><div id="idLoginIframeContainer"><form id="idLoginForm"><input type="password" name="password" /></form></div></div>
<h1 class="main-title js-main-title hide-on-editmode">Spring war</h1>
<div class="conversation-content-widget"><div class="pagenav-container"><a class="js-pagenav-button js-pagenav-prev-button" rel="prev" data-page="1" href="forum/wars/88-spring-war">Previous</a>
<a class="js-pagenav-button js-pagenav-next-button" rel="next" data-page="3" href="forum/wars/88-spring-war/page3">Next</a></div>
<ul class="conversation-list list-container h-clearfix thread-view">
<li class="b-post b-post--thread js-post h-clearfix" data-node-id="901" data-node-publishdate="1773438300" itemscope="itemscope"><div class="b-post__sidebar"><div class="b-userinfo"><div class="author h-text-size--14"><strong><a href="https://b.example/board/member/12-oleg" data-vbnamecard="12">Oleg</a></strong></div></div></div>
<div class="b-post__body"><h2 class="b-post__title js-post-title">Round two</h2><div class="b-post__timestamp"><time itemprop="dateCreated" datetime="2026-03-13T16:45:00">03-13-2026, 05:45 PM</time></div><a class="b-post__count js-show-post-link" href="https://b.example/board/forum/wars/88-spring-war/page2#post901">#11</a>
<div class="b-post__content js-post__content"><div class="js-post__content-text restore h-wordwrap" itemprop="text"><div class="bbcode_container"><div class="bbcode_quote"><div class="quote_container"><div class="bbcode_quote_container vb-icon"></div><div class="bbcode_postedby">Originally posted by <strong>Vera</strong></div><div class="message">ACCEPT DUEL D1</div></div></div></div>SERVE Vera W4<br />
<div class="bbcode_container"><div class="bbcode_description">Code:</div><pre class="bbcode_code">ROSTER Vera
Gleb W4</pre></div></div></div>
<div class="b-post__edit">Last edited by <a href="#">Oleg</a>; <span>03-13-2026, 05:50 PM</span>.</div><div class="b-post__signature">CLAN RULES YES W4</div></div></li>
<li class="b-post b-post--deleted js-post" data-node-id="902" data-node-publishdate="1773438400"><div class="b-userinfo"><div class="author">Gleb</div></div><div class="js-post__content-text">VOTE Oleg</div></li>
<li class="b-post js-post" data-node-id="903" data-node-publishdate="1773438500"><div class="b-userinfo"><div class="author"><strong>Guest</strong></div></div><a class="b-post__count" href="forum/wars/88-spring-war/page2#post903">#12</a><div class="js-post__content-text restore">hello</div></li>
</ul></div></body></html>`

func TestVBulletin5(t *testing.T) {
	p := Read(answered("https://b.example/board/forum/wars/88-spring-war/page2", vbulletin5Thread), View{})
	comparePosts(t, p, []wanted{
		{"901", "Oleg", "12", true, []string{"SERVE Vera W4", "ROSTER Vera", "Gleb W4"}},
		{"903", "Guest", "", false, []string{"hello"}},
	})
	if p.Theme != "vbulletin 5" || p.Thread != "88" || p.Title != "Spring war" || p.Next != "https://b.example/board/forum/wars/88-spring-war/page3" {
		t.Errorf("the page is %q of thread %q %q, next %q", p.Theme, p.Thread, p.Title, p.Next)
	}
	if got := p.Posts[1].Permalink; got != "https://b.example/board/forum/wars/88-spring-war/page2#post903" {
		t.Errorf("post 903 stands at %q", got)
	}
}

func TestF13VBulletin5ShowsThreeClocks(t *testing.T) {
	p := Read(answered("https://b.example/board/forum/wars/88-spring-war/page2", vbulletin5Thread), View{})
	if want := time.Unix(1773438300, 0).UTC(); !p.Posts[0].Posted.At.Equal(want) {
		t.Errorf("posted %s, wanted %s", p.Posts[0].Posted.At, want)
	}
}

// postedAt compares when posts were made with instants of RFC 3339, "" for one that cannot be told.
func postedAt(t *testing.T, p Page, want ...string) {
	t.Helper()
	for i, w := range want {
		got := ""
		if at := p.Posts[i].Posted; !at.IsZero() {
			got = at.At.UTC().Format(time.RFC3339)
		}
		if got != w {
			t.Errorf("post %s was made %s, wanted %s; %q", p.Posts[i].ID, got, w, p.Problems)
		}
	}
}

func TestF12DatesOfVBulletin(t *testing.T) {
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	page := func(dates ...string) string {
		s := vbulletin3Thread
		for i, shown := range []string{"03-13-2026, 09:30 PM", "03-14-2026, 07:12 AM"} {
			s = strings.Replace(s, shown, dates[i], 1)
		}
		return s
	}
	for name, c := range map[string]struct {
		page string
		zone *time.Location
		want []string
	}{
		"as the page says":       {vbulletin3Thread, nil, []string{"2026-03-14T01:30:00Z", "2026-03-14T11:12:00Z"}},
		"of a zone":              {vbulletin3Thread, newYork, []string{"2026-03-14T01:30:00Z", "2026-03-14T11:12:00Z"}},
		"in winter time":         {page("01-02-2026, 09:30 PM", "Today, 12:01 AM"), newYork, []string{"2026-01-03T02:30:00Z", "2026-03-14T04:01:00Z"}},
		"year first":             {page("2016-02-01, 02:21", "Yesterday, 23:59"), newYork, []string{"2016-02-01T07:21:00Z", "2026-03-14T03:59:00Z"}},
		"in words":               {page("December 25th, 2009, 06:00 AM", "February 3rd, 2026, 12:00 PM"), newYork, []string{"2009-12-25T11:00:00Z", "2026-02-03T17:00:00Z"}},
		"of another time format": {page("Today", "someday"), newYork, []string{"2026-03-14T04:00:00Z", ""}}, // F14
	} {
		t.Run(name, func(t *testing.T) {
			postedAt(t, Read(answered("http://b.example/showthread.php?t=77", c.page), View{Zone: c.zone}), c.want...)
		})
	}
}

func TestVBulletinAddresses(t *testing.T) {
	base := &url.URL{Scheme: "http", Host: "b.example", Path: "/forum/"}
	if got := vbulletin.thread(base, "77"); got != "http://b.example/forum/showthread.php?t=77&mode=linear" {
		t.Errorf("F43: the thread is asked for by %s", got)
	}
	if got := vbulletin.from(base, "77", "502"); got != "http://b.example/forum/showthread.php?p=502&mode=linear" {
		t.Errorf("the post is asked for by %s", got)
	}
	b := &Board{Address: base, View: View{Board: "vbulletin"}}
	for address, want := range map[string]string{
		"http://b.example/forum/wars/88-spring-war/page3?x=1#post9": "http://b.example/forum/wars/88-spring-war",
		"http://b.example/node/88":                                  "http://b.example/node/88",
		"http://b.example/forum/showthread.php?t=77&page=3":         "http://b.example/forum/showthread.php?t=77&mode=linear",
		"http://b.example/forum/showthread.php/77-War/page3":        "http://b.example/forum/showthread.php?t=77&mode=linear",
	} {
		if got, err := b.Thread(address); err != nil || got != want {
			t.Errorf("%s begins at %s (%v), wanted %s", address, got, err, want)
		}
	}
	for address, want := range map[string]string{
		"http://b.example/showthread.php?t=77&page=2":                   "77",
		"http://b.example/showthread.php?threadid=77":                   "77",
		"http://b.example/showthread.php?2211-Feudal-war/page3":         "2211",
		"http://b.example/showthread.php/2211-Feudal-war/page3?p=1":     "2211",
		"http://b.example/threads/2211-Feudal-war":                      "2211",
		"https://b.example/board/forum/wars/88-spring-war/page3#post9":  "88",
		"https://b.example/board/node/88":                               "88",
		"http://b.example/showthread.php?p=502":                         "",
		"https://b.example/board/forum/wars/88-spring-war?view=stream":  "88",
		"http://b.example/archive/index.php":                            "",
		"http://b.example/showthread.php?s=0123456789abcdef&t=77&pp=40": "77",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := vbulletin.threadID(u); got != want {
			t.Errorf("%s is of thread %q, wanted %q", address, got, want)
		}
	}
}

func TestVBulletinPagesWithoutPosts(t *testing.T) {
	const head3 = `<html><head><meta name="generator" content="vBulletin 3.8.7" /></head><body><form action="login.php?do=login" method="post"><input name="vb_login_username" id="navbar_username" /><input type="password" name="vb_login_password" id="navbar_password" /></form>`
	const head4 = `<html id="vbulletin_html"><body><form id="navbar_loginform" action="login.php?do=login" method="post"><input type="password" name="vb_login_password" /></form>`
	for name, c := range map[string]struct {
		html string
		kind Kind
		said string
	}{
		"F21 vBulletin 3, no thread":    {head3 + `<table class="tborder"><tr><td class="tcat">vBulletin Message</td></tr><tr><td class="panelsurround"><div class="panel"><div style="margin:10px">Invalid Thread specified.</div></div></td></tr></table>`, Message, "Invalid Thread specified."},
		"F21 vBulletin 3, login":        {head3 + `<form action="login.php?do=login" method="post"><table><tr><td class="panelsurround">You are not logged in.<input type="password" name="vb_login_password" size="50" /></td></tr></table></form>`, Login, "You are not logged in."},
		"F40 vBulletin 3, theme":        {head3 + `<div class="card">VOTE Oleg</div>`, Unreadable, ""},
		"F21 vBulletin 4, no thread":    {head4 + `<div class="standard_error"><h2 class="blockhead">vBulletin Message</h2><div class="blockbody">Invalid Thread specified.</div></div>`, Message, "vBulletin Message Invalid Thread specified."},
		"F40 vBulletin 4, theme":        {head4 + `<ol class="cards"><li>VOTE Oleg</li></ol>`, Unreadable, ""},
		"vBulletin 4, reply form":       {head4 + `<form action="newreply.php?do=postreply&amp;t=1" method="post"><textarea name="message"></textarea></form><ol id="posts_review"><li>VOTE Oleg</li></ol>`, Form, ""},
		"F40 vBulletin 5, renamed list": {`<html><body id="vb-page-body"><ul><li class="card" data-id="5">VOTE Oleg</li></ul>`, Unreadable, ""},
	} {
		if p := Read(answered("http://b.example/showthread.php?t=1", c.html), View{}); p.Kind != c.kind || p.Said != c.said || len(p.Posts) > 0 {
			t.Errorf("%s: kind %s, says %q, %d posts", name, p.Kind, p.Said, len(p.Posts))
		}
	}
}
