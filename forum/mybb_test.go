package forum

import (
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

const mybbThreadPage = `<html xml:lang="en" lang="en"><head><title>Spring war</title><link rel="canonical" href="http://b.example/thread-7.html" /></head><body><div id="container">
<div class="modal" id="quick_login" style="display: none;"><form method="post" action="http://b.example/member.php"><table class="tborder"><tr><td class="thead" colspan="2">Login</td></tr><tr><td class="trow1"><input name="quick_password" type="password" /></td></tr></table></form></div>
<div class="navigation"><a href="http://b.example/index.php">Board</a><br /><span class="active">Spring war</span></div>
<div class="pagination"><span class="pages">Pages (2):</span> <span class="pagination_current">1</span> <a href="thread-7-page-2.html" class="pagination_page">2</a> <a href="thread-7-page-2.html" class="pagination_next">Next &raquo;</a></div>
<table class="tborder tfixed clear"><tr><td class="thead">Spring war</td></tr><tr><td id="posts_container"><div id="posts">
<div class="post classic " style="" id="post_31"><div class="post_author"><div class="author_information"><strong><span class="largetext"><a href="http://b.example/user-12.html"><span style="color: green;"><strong><em>Oleg</em></strong></span></a></span></strong><br /><span class="smalltext">Member</span></div></div>
<div class="post_content"><div class="post_head"><div class="float_right"><strong><a href="thread-7-post-31.html#pid31" title="RE: Spring war">#1</a></strong></div><span class="post_date"><span title="14-03-2026">Today</span>, 11:40 AM <span class="post_edit" id="edited_by_31"><span class="edited_post">(This post was last modified: <span title="14-03-2026, 11:50 AM">10 minutes ago</span> by <a href="user-12.html">Oleg</a>.)</span></span></span></div>
<div class="post_body scaleimages" id="pid_31"><blockquote class="mycode_quote"><cite><span> (<span title="14-03-2026, 11:30 AM">30 minutes ago</span>)</span>Vera Wrote: <a href="thread-7-post-30.html#pid30" class="quick_jump"></a></cite><blockquote class="mycode_quote"><cite>Gleb Wrote:</cite>VOTE Oleg</blockquote>ACCEPT DUEL D1</blockquote>SERVE <span style="font-weight: bold;" class="mycode_b">V</span><span style="font-weight: bold;" class="mycode_b">era</span> W4 <img src="http://b.example/images/smilies/cool.png" alt="Cool" title="Cool" class="smilie smilie_5" /><br />
<div class="codeblock phpcodeblock"><div class="title">PHP Code:</div><div class="body"><div dir="ltr"><code>ROSTER&nbsp;Vera<br />Gleb&nbsp;W4</code></div></div></div><span style="text-decoration: line-through;" class="mycode_s">VOTE Gleb</span>[b]end<br />
<hr class="mycode_hr" />
second part</div>
<fieldset><legend><strong>Attached Files</strong></legend><a href="attachment.php?aid=5" target="_blank">orders.txt</a> (Size: 1 KB / Downloads: 0)<br /></fieldset>
<div class="signature scaleimages">CLAN RULES YES W4</div></div></div>
<div class="ignored_post" id="ignored_post_32">The contents of this message are hidden because Fool is on your ignore list.</div>
<div class="post " style="display: none;" id="post_32"><div class="author_information"><strong><span class="largetext"><a href="http://b.example/user-13.html">Fool</a></span></strong></div><div class="post_head"><a href="thread-7-post-32.html#pid32" title="RE: Spring war">#2</a><span class="post_date"><span title="14-03-2026, 11:58 AM">2 minutes ago</span> <span class="post_edit" id="edited_by_32"></span></span></div><div class="post_body" id="pid_32">VOTE Vera</div></div>
<div class="post unapproved_post" id="post_33"><div class="author_information"><span class="largetext">Gleb</span></div><div class="post_body">VOTE Oleg</div></div>
<div class="post deleted_post" id="post_34"><div class="author_information"><span class="largetext">Gleb</span></div><div class="post_body">VOTE Boris</div></div>
<div class="post deleted_post_hidden" id="post_35"><em>This post has been deleted.</em></div>
<div class="post " id="post_36"><div class="author_information"><strong><span class="largetext">Admin</span></strong></div><div class="post_head"><span class="post_date">13-03-2026, 09:00 PM <span class="post_edit" id="edited_by_36"></span></span></div><div class="post_body" id="pid_36">hello</div></div>
</div></td></tr></table></div><div id="footer"><span id="current_time"><strong>Current time:</strong> 14-03-2026, 12:00 PM</span></div></body></html>`

func TestMyBB(t *testing.T) {
	p := Read(answered("http://b.example/showthread.php?pid=31", mybbThreadPage), View{})
	comparePosts(t, p, []wanted{
		{"31", "Oleg", "12", true, []string{"SERVE Vera W4 Cool", "ROSTER Vera", "Gleb W4", "[b]end", "second part"}}, // F1 to F7
		{"32", "Fool", "13", false, []string{"VOTE Vera"}},                                                            // F18
		{"36", "Admin", "", false, []string{"hello"}},                                                                 // F33
	})
	if p.Thread != "7" || p.Title != "Spring war" || p.Mark != 1 || p.Next != "http://b.example/thread-7-page-2.html" {
		t.Errorf("thread %q %q, page %d, next %q", p.Thread, p.Title, p.Mark, p.Next)
	}
	if got := p.Posts[0]; got.Subject != "RE: Spring war" || got.Permalink != "http://b.example/thread-7-post-31.html#pid31" || got.Attachments != 1 {
		t.Errorf("%+v", got)
	}
}

func TestMyBBDate(t *testing.T) {
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(mybbThreadPage))
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"#post_31": "14-03-2026, 11:40 AM", "#post_32": "14-03-2026, 11:58 AM", "#post_36": "13-03-2026, 09:00 PM"} {
		if got := mybbDate(doc.Find(id), doc); got != want {
			t.Errorf("%s: %q, wanted %q", id, got, want)
		}
	}
}

func TestF12TheClockOfMyBBTellsTheOrderOfDayAndMonth(t *testing.T) {
	read := func(page string) Page { return Read(answered("http://b.example/thread-7.html", page), View{}) }
	postedAt(t, read(mybbThreadPage), "2026-03-14T11:40:00Z", "2026-03-14T11:58:00Z", "2026-03-13T21:00:00Z")
	american := strings.NewReplacer("14-03-2026", "03-14-2026", "13-03-2026", "03-04-2026", "12:00 PM", "08:00 AM", "11:40 AM", "07:40 AM", "11:58 AM", "07:58 AM").Replace(mybbThreadPage)
	postedAt(t, read(american), "2026-03-14T11:40:00Z", "2026-03-14T11:58:00Z", "2026-03-05T01:00:00Z")
	european := strings.NewReplacer("14-03-2026", "14-03-2026", "13-03-2026", "04-03-2026").Replace(mybbThreadPage)
	postedAt(t, read(european), "2026-03-14T11:40:00Z", "2026-03-14T11:58:00Z", "2026-03-04T21:00:00Z")
}

func TestF8QuoteDatesOfMyBBChangeNothing(t *testing.T) {
	read := func(date, text string) Page {
		page := strings.Replace(mybbThreadPage, `<span title="14-03-2026, 11:30 AM">30 minutes ago</span>`, date, 1)
		return Read(answered("http://b.example/thread-7.html", strings.Replace(page, "ACCEPT DUEL D1", text, 1)), View{})
	}
	first := read(`<span title="14-03-2026, 11:30 AM">30 minutes ago</span>`, "ACCEPT DUEL D1")
	if later := read(`<span title="14-03-2026">Yesterday</span>, 11:30 AM`, "ACCEPT DUEL D1"); later.Posts[0].Hash != first.Posts[0].Hash {
		t.Error("the date of a quote changed the hash")
	}
	if other := read(`<span title="14-03-2026, 11:30 AM">30 minutes ago</span>`, "ACCEPT DUEL D2"); other.Posts[0].Hash == first.Posts[0].Hash {
		t.Error("another quote did not change the hash")
	}
}

func TestMyBBPagesWithoutPosts(t *testing.T) {
	const head = `<html><body><div id="container"><div id="quick_login"><input type="password" name="quick_password" /></div><div id="content"><div class="wrapper"><div class="navigation"><span class="active">Board Message</span></div>`
	for name, c := range map[string]struct {
		html string
		kind Kind
		said string
	}{
		"F21 no thread":    {head + `<table class="tborder"><tr><td class="thead"><strong>Board</strong></td></tr><tr><td class="trow1">The specified thread does not exist.</td></tr></table>`, Message, "Board The specified thread does not exist."},
		"redirect":         {`<html><head><meta http-equiv="refresh" content="2;URL=showthread.php?tid=1&amp;pid=9#pid9" /></head><body><div><table class="tborder"><tr><td class="thead"><strong>Board</strong></td></tr><tr><td class="trow1" align="center"><p>Thank you, your reply has been posted.</p></td></tr><tr><td class="trow2" align="right"><a href="x">Click here</a></td></tr></table></div></body></html>`, Message, "Board Thank you, your reply has been posted. Click here"},
		"F21 login":        {head + `<table class="tborder"><tr><td class="thead">Board</td></tr><tr><td class="trow1">You are not logged in.<form action="member.php" method="post"><table class="tborder"><tr><td class="trow2"><input type="password" name="password" /></td></tr></table></form></td></tr></table>`, Login, "Board You are not logged in."},
		"F40 theme":        {head + `<div class="card">VOTE Oleg</div>`, Unreadable, ""},
		"F37 form refused": {head + `<div class="error"><p>Please correct the following errors:</p><ul><li>The message is too short.</li></ul></div><form method="post" action="newreply.php"><textarea name="message"></textarea><table class="tborder"><tr><td class="thead">Smilies</td></tr><tr><td class="trow1">:)</td></tr></table></form>`, Form, "Please correct the following errors: The message is too short."},
		"reply form":       {head + `<form method="post" action="newreply.php"><textarea name="message"></textarea><table class="tborder"><tr><td class="thead">Smilies</td></tr><tr><td class="trow1">:)</td></tr></table></form><table class="tborder"><tr><td class="thead">Thread Review (Newest First)</td></tr><tr><td class="tcat">Posted by Vera</td></tr><tr><td class="trow1">VOTE Oleg</td></tr></table>`, Form, ""},
		"F17 only deleted": {head + `<div id="posts"><div class="post deleted_post_hidden" id="post_1"><em>This post has been deleted.</em></div></div>`, Unreadable, ""},
	} {
		if p := Read(answered("http://b.example/showthread.php?tid=1", c.html), View{}); p.Board != "mybb" || p.Kind != c.kind || p.Said != c.said || len(p.Posts) > 0 {
			t.Errorf("%s: %q, kind %s, says %q, %d posts", name, p.Board, p.Kind, p.Said, len(p.Posts))
		}
	}
}

func TestMyBBAddresses(t *testing.T) {
	base := &url.URL{Scheme: "http", Host: "b.example", Path: "/forum/"}
	if got := mybb.thread(base, "7"); got != "http://b.example/forum/showthread.php?tid=7&mode=linear" {
		t.Errorf("F43: the thread is asked for by %s", got)
	}
	if got := mybb.from(base, "7", "31"); got != "http://b.example/forum/showthread.php?pid=31&mode=linear" {
		t.Errorf("the post is asked for by %s", got)
	}
	for address, want := range map[string]string{
		"http://b.example/showthread.php?tid=7&page=2": "7", "http://b.example/thread-7-page-2.html": "7", "http://b.example/showthread.php?pid=31": "", "http://b.example/forum/thread-7-post-31.html": "7",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := mybb.threadID(u); got != want {
			t.Errorf("%s is of thread %q, wanted %q", address, got, want)
		}
	}
}
