package forum

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// phpbb32Thread is a page of phpBB 3.2 before it had time elements, in German, as a moderator sees it.
const phpbb32Thread = `<!DOCTYPE html><html dir="ltr" lang="de"><head><meta charset="utf-8" /><title>Frühling - Brett</title><link rel="canonical" href="http://b.example/forum/viewtopic.php?t=90&amp;start=10"></head>
<body id="phpbb" class="nojs notouch section-viewtopic ltr"><div id="wrap" class="wrap"><div id="page-header"><div class="navbar"><form action="./ucp.php?mode=login" method="post"><input type="password" name="password" /></form></div></div>
<div id="page-body" class="page-body" role="main"><h2 class="topic-title"><a href="./viewtopic.php?f=3&amp;t=90&amp;start=10&amp;sid=0123456789abcdef0123456789abcdef">Frühling</a></h2>
<div class="action-bar bar-top"><div class="pagination"><a href="#unread">Erster ungelesener Beitrag</a> &bull; 23 Beiträge<ul><li class="arrow previous"><a class="button" href="./viewtopic.php?f=3&amp;t=90" rel="prev">Vorherige</a></li><li><a class="button" href="./viewtopic.php?f=3&amp;t=90">1</a></li><li class="active"><span>2</span></li><li><a class="button" href="./viewtopic.php?f=3&amp;t=90&amp;start=20">3</a></li><li class="arrow next"><a class="button" href="./viewtopic.php?f=3&amp;t=90&amp;start=20&amp;sid=0123456789abcdef0123456789abcdef" rel="next">Nächste</a></li></ul></div></div>
<form method="post" action="./viewtopic.php?t=90" class="topic_poll"><div class="panel"><div class="content"><h2 class="poll-title">VOTE Vera?</h2><p class="author">Die Umfrage endet nie</p><dl><dt><label>VOTE Gleb</label></dt></dl></div></div></form>
<div id="p901" class="post has-profile bg2 online"><div class="inner"><dl class="postprofile" id="profile901"><dt class="has-profile-rank has-avatar"><div class="avatar-container"><a href="./memberlist.php?mode=viewprofile&amp;u=2" class="avatar"><img class="avatar" src="./a.png" alt="Avatar" /></a></div><a href="./memberlist.php?mode=viewprofile&amp;u=2" style="color: #AA0000;" class="username-coloured">Gwen</a></dt><dd class="profile-custom-field"><strong>Clan:</strong> HOLD W4</dd></dl>
<div class="postbody"><div id="post_content901"><h3 class="first"><img src="./images/icons/fire.gif" alt="" /> <a href="#p901">Runde 2</a></h3><p class="author"><a href="./viewtopic.php?p=901&amp;sid=0123456789abcdef0123456789abcdef#p901"><img src="x.gif" alt="Beitrag" /></a><span class="responsive-hide">von <strong><a href="./memberlist.php?mode=viewprofile&amp;u=2" style="color: #AA0000;" class="username-coloured">Gwen</a></strong> &raquo; </span>Sa 14. Mär 2026, 11:00 </p>
<div class="content">A » B<ul><li>Vera<ul><li>W4</li></ul></li><li>Gleb</li></ul><table><tr><td>MO</td><td>VES</td></tr></table><dl class="codebox"><dt>Spoiler: <a href="#" onclick="show(this)">roster</a></dt><dd>HOLD W5</dd></dl><details class="spoiler"><summary class="spoiler-header">Spoiler</summary><div class="spoiler-body">HOLD W6</div></details><div><div><span onclick="toggle(this)">Spoiler: <a href="#">zeigen</a></span></div><div style="display: none;">HOLD W7</div></div></div>
<div class="notice"><br /><br />Zuletzt als neu markiert von Gwen am Sa 14. Mär 2026, 11:30.</div><div id="list_thanks901"><div class="notice"><dl><dt>Danke von 3</dt></dl></div></div></div></div></div></div>
<div id="p902" class="post has-profile bg1 reported"><div class="inner"><dl class="postprofile" id="profile902"><dt><strong><span class="username">Gwen</span></strong></dt></dl>
<div class="postbody"><div id="post_content902"><h3><a href="#p902">Re: Frühling</a></h3><p class="author"><span class="responsive-hide">von <strong><span class="username">Gwen</span></strong> &raquo; </span>Sa 14. Mär 2026, 11:05 </p><p class="post-notice reported"><a href="./mcp.php?i=reports&amp;p=902"><strong>Dieser Beitrag wurde gemeldet</strong></a></p>
<div class="content"><blockquote cite="./viewtopic.php?p=901&amp;sid=0123456789abcdef0123456789abcdef#p901"><div><cite><a href="./memberlist.php?mode=viewprofile&amp;u=2">Gwen</a> hat geschrieben: <a href="./viewtopic.php?p=901#p901">↑</a><span class="responsive-hide">Sa 14. Mär 2026, 11:00</span></cite><blockquote class="uncited"><div>VOTE Vera</div></blockquote>HOLD W1</div></blockquote>ACCEPT <strong class="text-strong">D</strong><strong class="text-strong">1</strong><br>
<span style="text-decoration:line-through">VOTE Gleb</span><s>VOTE Ivan</s>F Tri (<img class="smilies" src="./images/smilies/icon_cool.gif" alt="8)" title="Cool"><br>
<a href="http://far.example/a/very/long/path/to/some/page/of/no/interest?x=1" class="postlink">http://far.example/a/very/long/path/to/ ... interest?x=1</a><div class="inline-attachment"><dl class="file"><dt><a class="postlink" href="./download/file.php?id=4">VOTE.txt</a></dt><dd>(10 KiB) 3-mal heruntergeladen</dd></dl></div><div class="codebox"><p>Code: <a href="#">Alles auswählen</a></p><pre><code>A  Vie
HOLD</code></pre></div></div>
<dl class="attachbox"><dt>Dateianhänge</dt><dd><dl class="file"><dt><a class="postlink" href="./download/file.php?id=5">b.txt</a></dt></dl></dd></dl>
<div class="notice">Zuletzt geändert von Gwen am Sa 14. Mär 2026, 11:31, insgesamt 1-mal geändert.<br /><strong>Grund:</strong> <em>VOTE Vera</em></div>
<div id="sig902" class="signature">VOTE nobody</div></div></div></div></div>
<div id="p903" class="post has-profile bg2 deleted"><div class="inner"><dl class="postprofile" style="display: none;"><dt><a class="username" href="./memberlist.php?mode=viewprofile&amp;u=9">Vera</a></dt></dl><div class="postbody"><div class="ignore" id="post_hidden903"><strong>Gwen</strong> hat den Beitrag von <strong>Vera</strong> gelöscht.</div><div id="post_content903" style="display: none;"><p class="author">von <strong>Vera</strong> &raquo; Sa 14. Mär 2026, 11:06</p><div class="content">VOTE Gwen</div></div></div></div></div>
<div id="p904" class="post has-profile bg1"><div class="inner"><dl class="postprofile"><dt><a class="username" href="./memberlist.php?mode=viewprofile&amp;u=9">Vera</a></dt></dl><div class="postbody"><div id="post_content904"><p class="author">von <strong>Vera</strong> &raquo; Sa 14. Mär 2026, 11:07</p><form method="post" class="mcp_approve" action="./mcp.php?i=queue"><p class="post-notice unapproved"><strong>Noch nicht freigegeben</strong><input type="submit" name="action[approve]" value="Freigeben" /></p></form><div class="content">VOTE Gwen</div></div></div></div></div>
<div id="p905" class="post has-profile bg2"><div class="inner"><dl class="postprofile" style="display: none;"><dt><a class="username" href="./memberlist.php?mode=viewprofile&amp;u=9">Vera</a></dt></dl><div class="postbody"><div class="ignore" id="post_hidden905"><strong><a href="./memberlist.php?mode=viewprofile&amp;u=9" class="username">Vera</a></strong>, die du ignorierst, hat diesen Beitrag verfasst.</div><div id="post_content905" style="display: none;"><p class="author"><span class="responsive-hide">von <strong><a href="./memberlist.php?mode=viewprofile&amp;u=9" class="username">Vera</a></strong> &raquo; </span>Sa 14. Mär 2026, 11:08 </p><div class="content">HOLD</div></div></div></div></div>
<form method="post" action="./posting.php?mode=reply&amp;t=90" id="qr_postform"><textarea name="message"></textarea></form>
</div><div id="page-footer"><ul id="nav-footer"><li class="rightside">Alle Zeiten sind UTC+01:00</li></ul></div></div></body></html>`

func TestPhpBB3(t *testing.T) {
	p := Read(answered("http://b.example/forum/viewtopic.php?p=902", phpbb32Thread), View{})
	comparePosts(t, p, []wanted{
		{"901", "Gwen", "2", false, []string{"A » B", "Vera", "W4", "Gleb", "MO VES", "HOLD W5", "HOLD W6", "HOLD W7"}},                                       // F3, F50
		{"902", "Gwen", "", true, []string{"ACCEPT D1", "F Tri (8)", "http://far.example/a/very/long/path/to/some/page/of/no/interest?x=1", "A Vie", "HOLD"}}, // F1, F2, F4, F6, F26, F27, F33
		{"905", "Vera", "9", false, []string{"HOLD"}}, // F18, F19
	})
	if p.Theme != "prosilver" || p.Thread != "90" || p.Title != "Frühling" || p.Mark != 2 || p.Total != 23 {
		t.Errorf("%s: thread %q %q, page %d, %d posts in all", p.Theme, p.Thread, p.Title, p.Mark, p.Total)
	}
	if p.Next != "http://b.example/forum/viewtopic.php?f=3&t=90&start=20" || p.Address != "http://b.example/forum/viewtopic.php?t=90&start=10" {
		t.Errorf("F42: next %q of %q", p.Next, p.Address)
	}
	if got := p.Posts[0]; got.Permalink != "http://b.example/forum/viewtopic.php?p=901#p901" || got.Subject != "Runde 2" || got.Attachments != 0 {
		t.Errorf("%+v", got)
	}
	if got := p.Posts[1].Attachments; got != 2 {
		t.Errorf("F50: %d attachments, wanted 2", got)
	}
}

func TestPhpBB3Dates(t *testing.T) {
	for name, c := range map[string]struct{ author, want string }{
		"3.3":            {`<p class="author">by <strong>Vera</strong> &raquo; <time datetime="2026-03-14T10:00:00+00:00">vor 13 Minuten</time></p>`, "2026-03-14T10:00:00+00:00"},
		"3.2":            {`<p class="author"><span class="responsive-hide">by <strong>Vera</strong> &raquo; </span>Sat Mar 14, 2026 11:00 am </p>`, "Sat Mar 14, 2026 11:00 am"},
		"3.0":            {`<p class="author"><a href="#p1"><img alt="Post" /></a>by <strong>V » era</strong> &raquo; Sat Mar 14, 2026 11:00 am </p>`, "Sat Mar 14, 2026 11:00 am"},
		"from the right": {`<p class="author"><span class="responsive-hide">بواسطة <strong>Vera</strong> &laquo; </span>14 مارس 2026, 11:00 </p>`, "14 مارس 2026, 11:00"},
		"no guillemet":   {`<p class="author">Sat Mar 14, 2026 11:00 am</p>`, "Sat Mar 14, 2026 11:00 am"},
	} {
		post := parsed(t, `<div class="post" id="p1">`+c.author+`</div>`)
		if got := fold(prosilver3.dateOf(post.Find(".post"), post)); got != c.want {
			t.Errorf("%s: %q, wanted %q", name, got, c.want)
		}
	}
}

// phpbb30Page is the list of pages of a phpBB 3.0 thread.
const phpbb30Page = `<body id="phpbb" class="section-viewtopic ltr"><div id="page-body"><h2><a href="./viewtopic.php?f=7&amp;t=640&amp;start=%d&amp;sid=0123456789abcdef0123456789abcdef">Tourney</a></h2><div class="pagination">%s</div>
<div id="p88" class="post bg2"><div class="postbody"><h3><a href="#p88">Re: Tourney</a></h3><p class="author"><a href="./viewtopic.php?p=88#p88"><img alt="Post" /></a>by <strong><a href="./memberlist.php?mode=viewprofile&amp;u=9">Vera</a></strong> &raquo; Sat Mar 14, 2026 11:00 am </p>
<p class="rules">%s</p><div class="content">READY</div></div><dl class="postprofile"><dt><a href="./memberlist.php?mode=viewprofile&amp;u=9"><img alt="User avatar" /></a><br /><a href="./memberlist.php?mode=viewprofile&amp;u=9">Vera</a></dt></dl></div></div></body>`

func TestPhpBB30Pages(t *testing.T) {
	for name, c := range map[string]struct {
		start       int
		pages, next string
		mark, total int
	}{
		"only page": {0, `2 posts &bull; Page <strong>1</strong> of <strong>1</strong>`, "", 1, 2},
		"middle":    {15, `33 posts &bull; <a href="#" onclick="jumpto(); return false;">Page <strong>2</strong> of <strong>3</strong></a> &bull; <span><a href="./viewtopic.php?f=7&amp;t=640">1</a><span class="page-sep">, </span><strong>2</strong><span class="page-sep">, </span><a href="./viewtopic.php?f=7&amp;t=640&amp;start=30">3</a></span>`, "http://b.example/viewtopic.php?f=7&t=640&start=30", 2, 33},
		"last":      {30, `33 сообщения &bull; <a href="#" onclick="jumpto(); return false;">Страница <strong>3</strong> из <strong>3</strong></a> &bull; <span><a href="./viewtopic.php?f=7&amp;t=640">1</a>, <a href="./viewtopic.php?f=7&amp;t=640&amp;start=15">2</a>, <strong>3</strong></span>`, "", 3, 33},
	} {
		p := Read(answered("http://b.example/viewtopic.php?p=88", fmt.Sprintf(phpbb30Page, c.start, c.pages, "")), View{})
		comparePosts(t, p, []wanted{{"88", "Vera", "9", false, []string{"READY"}}})
		if p.Next != c.next || p.Mark != c.mark || p.Total != c.total || p.Thread != "640" || p.Title != "Tourney" {
			t.Errorf("%s: next %q, page %d, %d posts in all, thread %q %q", name, p.Next, p.Mark, p.Total, p.Thread, p.Title)
		}
	}
	waiting := Read(answered("http://b.example/viewtopic.php?p=88", fmt.Sprintf(phpbb30Page, 0, "", `<a href="./mcp.php?i=queue&amp;mode=approve_details&amp;p=88">not approved</a>`)), View{})
	if len(waiting.Posts) > 0 {
		t.Error("F19: a post that waits for a moderator is read")
	}
}

// subsilver2Thread is a page of phpBB 3 with tables; the first post is by a deleted user.
const subsilver2Thread = `<html dir="ltr" lang="en-gb"><head><title>Board - View topic - Tourney</title></head><body class="ltr"><a name="top"></a>
<div id="wrapheader"><div id="datebar"><table><tr><td class="gensmall" align="right">It is currently Sat Mar 14, 2026 12:00 pm<br /></td></tr></table></div></div><div id="wrapcentre">
<div id="pageheader"><h2><a class="titles" href="./viewtopic.php?f=7&amp;t=640&amp;start=15&amp;sid=0123456789abcdef0123456789abcdef">Tourney</a></h2></div>
<div id="pagecontent"><table width="100%" cellspacing="1"><tr><td class="nav" nowrap="nowrap">&nbsp;Page <strong>2</strong> of <strong>3</strong><br /></td><td class="gensmall" nowrap="nowrap">&nbsp;[ 33 posts ]&nbsp;</td>
<td class="gensmall" width="100%" align="right" nowrap="nowrap"><b><a href="#" onclick="jumpto(); return false;">Go to page</a> <a href="./viewtopic.php?f=7&amp;t=640">Previous</a>&nbsp;&nbsp;<a href="./viewtopic.php?f=7&amp;t=640">1</a><span class="page-sep">, </span><strong>2</strong><span class="page-sep">, </span><a href="./viewtopic.php?f=7&amp;t=640&amp;start=30">3</a>&nbsp;&nbsp;<a href="./viewtopic.php?f=7&amp;t=640&amp;start=30">Next</a></b></td></tr></table>
<table class="tablebg" width="100%" cellspacing="1"><tr><td class="cat"><table><tr><td class="nav">&nbsp;<a href="./viewtopic.php?f=7&amp;t=640&amp;start=15&amp;view=print">Print view</a></td><td class="nav" align="right"><a href="./viewtopic.php?f=7&amp;t=640&amp;view=previous">Previous topic</a> | <a href="./viewtopic.php?f=7&amp;t=640&amp;view=next">Next topic</a>&nbsp;</td></tr></table></td></tr></table>
<table class="tablebg" width="100%" cellspacing="1"><tr><th>Author</th><th>Message</th></tr>
<tr class="row1"><td align="center" valign="middle"><a name="p71"></a><b class="postauthor">Gleb</b></td><td width="100%" height="25"><table width="100%" cellspacing="0"><tr><td class="gensmall" width="100%"><div style="float: left;">&nbsp;<b>Post subject:</b> Re: Tourney</div><div style="float: right;"><a href="./viewtopic.php?p=71&amp;sid=0123456789abcdef0123456789abcdef#p71"><img alt="Post" /></a><b>Posted:</b> Sat Mar 14, 2026 11:00 am&nbsp;</div></td></tr></table></td></tr>
<tr class="row1"><td valign="top" class="profile"><table><tr><td class="postdetails">VOTE rank</td></tr></table></td><td valign="top"><table width="100%" cellspacing="5"><tr><td><div class="postbody"><div class="quotetitle">Vera wrote:</div><div class="quotecontent"><div class="quotetitle"><b>Quote:</b></div><div class="quotecontent">VOTE Oleg</div>HOLD W1</div><br /><span style="font-weight: bold">SAVE</span> 2<br /><div class="codetitle"><b>Code:</b></div><div class="codecontent">DAYS 40<br />&nbsp; &nbsp; POINTS 9100</div></div>
<br clear="all" /><br /><table class="tablebg" width="100%" cellspacing="1"><tr><td class="row3"><b class="genmed">Attachments: </b></td></tr><tr><td class="row2"><span class="gensmall"><a href="./download/file.php?id=4">VOTE.txt</a></span></td></tr><tr><td class="row1"><span class="gensmall"><a href="./download/file.php?id=5">b.txt</a></span></td></tr></table>
<div class="postbody"><br />_________________<br />VOTE nobody</div><span class="gensmall"><br /><br />Last bumped by <a href="./memberlist.php?mode=viewprofile&amp;u=2">Gwen</a> on Sat Mar 14, 2026 11:10 am.</span></td></tr></table></td></tr>
<tr class="row1"><td class="profile"><strong><a href="#wrapheader">Top</a></strong></td><td><div class="gensmall" style="float: left;">&nbsp;&nbsp;</div><div class="gensmall" style="float: right;"><a href="./posting.php?mode=quote&amp;p=71"><img alt="Reply with quote" /></a>&nbsp;</div></td></tr></table>
<table class="tablebg" width="100%" cellspacing="1"><tr class="row2"><td align="center" valign="middle"><a name="unread"></a><a name="p72"></a><b class="postauthor" style="color: #AA0000">Gwen</b></td><td><table><tr><td class="gensmall" width="100%"><div style="float: left;">&nbsp;<b>Заголовок сообщения:</b> Ход</div><div style="float: right;"><a href="./viewtopic.php?p=72#p72"><img alt="Post" /></a><b>Добавлено:</b> 14 мар 2026, 11:01&nbsp;</div></td></tr></table></td></tr>
<tr class="row2"><td valign="top" class="profile"></td><td valign="top"><table><tr><td><div class="postbody">READY</div><br /><br /><span class="gensmall">Last edited by <a href="./memberlist.php?mode=viewprofile&amp;u=3">Oleg</a> on Sat Mar 14, 2026 11:20 am, edited 1 time in total.</span></td></tr></table></td></tr>
<tr class="row2"><td class="profile"></td><td><div class="gensmall" style="float: left;">&nbsp;<a href="./memberlist.php?mode=viewprofile&amp;u=2"><img alt="Profile" /></a> <a href="./ucp.php?i=pm&amp;mode=compose&amp;u=2"><img alt="Send private message" /></a>&nbsp;</div></td></tr></table>
<table class="tablebg" width="100%" cellspacing="1"><tr class="row1"><td align="center"><a name="p73"></a><b class="postauthor">Vera</b></td><td><table><tr><td class="gensmall"><div><b>Posted:</b> Sat Mar 14, 2026 11:02 am</div></td></tr></table></td></tr><tr class="row1"><td class="profile"></td><td><table><tr><td><table><tr><td class="gensmall"><span class="postapprove"><a href="./mcp.php?i=queue&amp;p=73">This post is waiting for approval</a></span></td></tr></table><div class="postbody">VOTE Gwen</div></td></tr></table></td></tr></table>
<table class="tablebg" width="100%" cellspacing="1"><tr class="row2"><td class="gensmall" colspan="2" height="25" align="center"><a name="p74"></a><strong>Gwen</strong> deleted the post by <strong>Vera</strong> on Sat Mar 14, 2026 11:03 am.</td></tr></table>
</div><p class="datetime">All times are UTC </p></div></body></html>`

func TestSubsilver2(t *testing.T) {
	p := Read(answered("http://b.example/viewtopic.php?p=72", subsilver2Thread), View{})
	comparePosts(t, p, []wanted{
		{"71", "Gleb", "", false, []string{"SAVE 2", "DAYS 40", "POINTS 9100"}}, // F1, F2, F3
		{"72", "Gwen", "2", true, []string{"READY"}},                            // F18, F19
	})
	if p.Theme != "subsilver2" || p.Thread != "640" || p.Title != "Tourney" || p.Mark != 2 || p.Total != 33 || p.Next != "http://b.example/viewtopic.php?f=7&t=640&start=30" {
		t.Errorf("%s: thread %q %q, page %d, %d posts in all, next %q", p.Theme, p.Thread, p.Title, p.Mark, p.Total, p.Next)
	}
	if got := p.Posts[0]; got.Subject != "Re: Tourney" || got.Permalink != "http://b.example/viewtopic.php?p=71#p71" || got.Attachments != 2 {
		t.Errorf("%+v", got)
	}
	page := parsed(t, subsilver2Thread)
	for id, want := range map[string]string{"p71": "Sat Mar 14, 2026 11:00 am", "p72": "14 мар 2026, 11:01"} {
		post := page.Find(`a[name="` + id + `"]`).Closest("table")
		if got := fold(subsilver2.dateOf(post, page)); got != want {
			t.Errorf("%s is of %q, wanted %q", id, got, want)
		}
	}
	last := strings.Replace(subsilver2Thread, `<strong>2</strong><span class="page-sep">, </span><a href="./viewtopic.php?f=7&amp;t=640&amp;start=30">3</a>&nbsp;&nbsp;<a href="./viewtopic.php?f=7&amp;t=640&amp;start=30">Next</a>`, `<a href="./viewtopic.php?f=7&amp;t=640&amp;start=15">2</a>, <strong>3</strong>`, 1)
	if p := Read(answered("http://b.example/viewtopic.php?p=72", last), View{}); p.Next != "" {
		t.Errorf("F15: behind the last page comes %q", p.Next)
	}
}

func TestF18AFoesHiddenTextIsMissedLoudly(t *testing.T) {
	page := strings.Replace(subsilver2Thread, `<strong>Gwen</strong> deleted the post by <strong>Vera</strong> on Sat Mar 14, 2026 11:03 am.`, `This post was made by <b>Vera</b> who is currently on your ignore list.`, 1)
	p := Read(answered("http://b.example/viewtopic.php?p=72", page), View{})
	if len(p.Posts) != 3 || p.Posts[2].ID != "74" || p.Posts[2].Hash != "" || !strings.Contains(strings.Join(p.Problems, "\n"), "post 74: its text is not where this board keeps it") {
		t.Errorf("%d posts, problems %q", len(p.Posts), p.Problems)
	}
}

func TestF8WhatPhpBBWritesAnewChangesNoHash(t *testing.T) {
	first := Read(answered("http://b.example/viewtopic.php?p=902", phpbb32Thread), View{}).Posts[1].Hash
	for _, change := range [][2]string{
		{"0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"},
		{`<span class="responsive-hide">Sa 14. Mär 2026, 11:00</span></cite>`, `<span class="responsive-hide">Gestern, 11:00</span></cite>`},
		{"3-mal heruntergeladen", "4-mal heruntergeladen"},
		{"Code: <a href=\"#\">Alles auswählen</a>", "Code: <a href=\"#\">Select all</a>"},
		{"hat geschrieben:", "wrote:"},
		{"insgesamt 1-mal geändert", "insgesamt 2-mal geändert"},
		{"VOTE nobody", "VOTE everybody"},
	} {
		page := strings.ReplaceAll(phpbb32Thread, change[0], change[1])
		if page == phpbb32Thread {
			t.Fatalf("%q is not on the page", change[0])
		}
		if got := Read(answered("http://b.example/viewtopic.php?p=902", page), View{}).Posts[1].Hash; got != first {
			t.Errorf("%q for %q changed the hash", change[1], change[0])
		}
	}
	for _, word := range []string{"HOLD W1", "ACCEPT", "VOTE Gleb</span>", "A  Vie"} {
		page := strings.Replace(phpbb32Thread, word, "NEW "+word, 1)
		if got := Read(answered("http://b.example/viewtopic.php?p=902", page), View{}).Posts[1].Hash; got == first {
			t.Errorf("another %q did not change the hash", word)
		}
	}
}

func TestPhpBBPagesWithoutPosts(t *testing.T) {
	const head = `<html><body id="phpbb"><div id="page-header"><form method="post" action="./ucp.php?mode=login"><input type="password" name="password" /></form></div><div id="page-body">`
	const tables = `<html><body class="ltr"><div id="wrapcentre">`
	const review = `<div id="topicreview"><div class="post bg2"><div class="postbody" id="pr39"><p class="author">by <strong>Vera</strong> &raquo; Sat Mar 14, 2026 11:00 am</p><div class="content">VOTE Oleg</div></div></div></div>`
	for name, c := range map[string]struct {
		html string
		kind Kind
		said string
	}{
		"F21 no topic":             {head + `<div class="panel" id="message"><div class="inner"><h2 class="message-title">Information</h2><p>The requested topic does not exist.</p></div></div>`, Message, "Information The requested topic does not exist."},
		"F21 log in":               {head + `<form action="./ucp.php?mode=login" method="post" id="login"><h2>Log in first.</h2><div class="error">Wrong password.</div><input type="password" name="password" /></form>`, Login, "Wrong password."},
		"reply form":               {head + `<form id="postform" method="post" action="./posting.php"><textarea name="message" id="message">typed</textarea>` + review + `</form>`, Form, ""},
		"F38 flood":                {head + `<form id="postform" method="post" action="./posting.php"><p class="error">You cannot make another post so soon after your last.</p><textarea name="message" id="message">typed</textarea>` + review + `</form>`, Form, "You cannot make another post so soon after your last."},
		"preview of 3.0":           {head + `<div id="preview" class="post bg2"><div class="inner"><div class="postbody"><h3>Preview</h3><div class="content">VOTE Oleg</div></div></div></div><form id="postform" method="post" action="./posting.php"><textarea name="message"></textarea></form>`, Form, ""},
		"F40 theme":                {head + `<div id="m1" class="card"><div class="talk">VOTE Oleg</div></div>`, Unreadable, ""},
		"F21 subsilver2, no topic": {tables + `<table class="tablebg" width="100%" cellspacing="1"><tr><th>Information</th></tr><tr><td class="row1" align="center"><br /><p class="gen">The requested topic does not exist.</p><br /></td></tr></table>`, Message, "The requested topic does not exist."},
		"F21 subsilver2, log in":   {tables + `<form method="post" action="./ucp.php"><table class="tablebg"><tr><th>Login</th></tr><tr><td class="row2"><span class="error">Wrong password.</span><input type="password" name="password" /></td></tr></table></form>`, Login, "Wrong password."},
		"subsilver2, reply form":   {tables + `<form method="post" action="./posting.php" name="postform"><textarea name="message"></textarea></form><table class="tablebg"><tr class="row1"><td rowspan="2"><a name="pr39"></a><b class="postauthor">Vera</b></td><td><div class="postbody">VOTE Oleg</div></td></tr></table>`, Form, ""},
		"F40 subsilver2, theme":    {tables + `<table class="cards"><tr><td>VOTE Oleg</td></tr></table>`, Unreadable, ""},
	} {
		if p := Read(answered("http://b.example/viewtopic.php?t=1", c.html), View{}); p.Board != "phpbb" || p.Kind != c.kind || p.Said != c.said || len(p.Posts) > 0 || (c.kind == Unreadable) != (len(p.Problems) > 0) {
			t.Errorf("%s: kind %s of %s, says %q, %d posts, problems %q", name, p.Kind, p.Board, p.Said, len(p.Posts), p.Problems)
		}
	}
}

// addressing is what a family makes of addresses.
type addressing struct {
	family       *family
	thread, from string            // of thread 77 and its post 502 on a board at http://b.example/forum/
	ids          map[string]string // threads by addresses
}

func (a addressing) test(t *testing.T) {
	t.Helper()
	base := &url.URL{Scheme: "http", Host: "b.example", Path: "/forum/"}
	if got := a.family.thread(base, "77"); got != a.thread {
		t.Errorf("F43: the thread is asked for by %s", got)
	}
	if got := a.family.from(base, "77", "502"); got != a.from {
		t.Errorf("F43: the post is asked for by %s", got)
	}
	for address, want := range a.ids {
		if got := a.family.threadOf(address); got != want {
			t.Errorf("%s is of thread %q, wanted %q", address, got, want)
		}
	}
}

func TestPhpBBAddresses(t *testing.T) {
	addressing{phpbb, "http://b.example/forum/viewtopic.php?t=77&st=0&sk=t&sd=a", "http://b.example/forum/viewtopic.php?p=502&st=0&sk=t&sd=a", map[string]string{
		"http://b.example/viewtopic.php?f=3&t=90&start=10": "90",
		"http://b.example/viewtopic.php?p=502#p502":        "",
		"http://b.example/viewforum.php?f=3&t=90":          "",
		"./viewtopic.php?t=90":                             "90",
	}}.test(t)
}

func TestPhpBBIsReadAsOfTheClockOfItsTimeElement(t *testing.T) {
	page := strings.Replace(phpbb32Thread, "&raquo; </span>Sa 14. Mär 2026, 11:00 ", `&raquo; </span><time datetime="2026-03-14T10:00:00+00:00">vor 2 Stunden</time> `, 1)
	p := Read(answered("http://b.example/viewtopic.php?p=902", page), View{})
	if want := time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC); !p.Posts[0].Posted.At.Equal(want) {
		t.Errorf("F14: posted %s, wanted %s", p.Posts[0].Posted.At, want)
	}
}

func parsed(t *testing.T, page string) *goquery.Document {
	t.Helper()
	doc, err := parse(page)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
