package forum

import (
	"strings"
	"testing"
)

// punbbThread is a page of PunBB 1.4 with addresses that speak.
const punbbThread = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8" /><title>Spring (Page 2) — Games — Forum</title><link rel="prev" href="http://b.example/topic/7/spring/" /><link rel="next" href="http://b.example/topic/7/spring/page/3/" title="Page 3" /></head><body>
<div id="brd-wrap" class="brd"><div id="brd-viewtopic" class="brd-page paged-page"><div id="brd-head"><form method="post" action="login.php"><input type="password" name="req_password" /></form></div><div id="brd-main">
<h1 class="main-title"><a class="permalink" href="http://b.example/topic/7/spring/" rel="bookmark">Spring</a> <small>(Page 2 of 42)</small></h1>
<div id="brd-pagepost-top" class="main-pagepost gen-content"><p class="paging"><span class="pages">Pages</span> <a class="first-item" href="http://b.example/topic/7/spring/">Previous</a> <a href="http://b.example/topic/7/spring/">1</a> <strong>2</strong> <a href="http://b.example/topic/7/spring/page/3/">3</a> <span>…</span> <a href="http://b.example/topic/7/spring/page/42/">42</a> <a href="http://b.example/topic/7/spring/page/3/">Next</a></p></div>
<div class="main-head"><h2 class="hn"><span><span class="item-info">Posts: 26 to 50 of 1,059</span></span></h2></div>
<div id="forum1" class="main-content main-topic">
<div class="post odd firstpost replypost"><div id="p52" class="posthead"><h3 class="hn post-ident"><span class="post-num">26</span> <span class="post-byline"><span>Reply by </span><a href="http://b.example/user/9/">Vera</a></span> <span class="post-link"><a class="permalink" rel="bookmark" href="http://b.example/post/52/#p52">Today 11:00:05</a></span> <span class="post-edit">(edited by Vera Today 11:10:00)</span></h3></div>
<div class="postbody"><div class="post-author"><ul class="author-ident"><li class="useravatar"><img src="x.png" alt="Vera" /></li><li class="username"><a title="Go to Vera's profile" href="http://b.example/user/9/">Vera</a></li><li class="usertitle"><span>Member</span></li></ul></div><div class="post-entry"><h4 id="pc52" class="entry-title hn">Re: Spring</h4><div class="entry-content">
<div class="quotebox"><cite>Gleb wrote:</cite><blockquote><div class="quotebox"><blockquote><p>VOTE Oleg</p></blockquote></div><p>HOLD W1</p></blockquote></div><p>[s]VOTE[/s] <strong>HO</strong><strong>LD</strong> W2 <img src="http://b.example/img/smilies/smile.png" alt="smile" /></p><div class="codebox"><pre><code>A  Vie
HOLD</code></pre></div>
<div class="sig-content"><span class="sig-line"></span>VOTE nobody</div></div></div></div></div>
<div class="post even replypost"><div id="p53" class="posthead"><h3 class="hn post-ident"><span class="post-link"><a class="permalink" href="http://b.example/post/53/#p53">Yesterday 23:59:59</a></span></h3></div><div class="postbody"><div class="post-author"><ul class="author-ident"><li class="username"><strong>Admin</strong></li><li class="usertitle"><span>Guest</span></li></ul></div><div class="post-entry"><h4 id="pc53" class="entry-title hn">Re: Spring</h4><div class="entry-content"><p>hello</p>
<p class="lastedit"><em>Last edited by Admin (Today 11:10:00)</em></p>
<div class="attachments"><strong id="attach53">Post attachments</strong><p><a href="download.php?id=1">VOTE.txt</a>&nbsp;1kb, 3 downloads</p></div></div></div></div></div>
</div><div id="brd-qpost"><form method="post" action="post.php?tid=7"><textarea name="req_message"></textarea></form></div></div></div></div></body></html>`

func TestPunBB(t *testing.T) {
	p := Read(answered("http://b.example/post/52/", punbbThread), View{})
	comparePosts(t, p, []wanted{
		{"52", "Vera", "9", true, []string{"[s]VOTE[/s] HOLD W2 smile", "A Vie", "HOLD"}}, // F1, F2, F3, F6, F7, F26
		{"53", "Admin", "", true, []string{"hello"}},                                      // F33
	})
	if p.Thread != "7" || p.Title != "Spring" || p.Mark != 2 || p.Total != 1059 || p.Next != "http://b.example/topic/7/spring/page/3/" {
		t.Errorf("thread %q %q, page %d, %d posts in all, next %q", p.Thread, p.Title, p.Mark, p.Total, p.Next)
	}
	if got := p.Posts[0]; got.Subject != "Re: Spring" || got.Permalink != "http://b.example/post/52/#p52" {
		t.Errorf("%+v", got)
	}
	if got := p.Posts[1].Attachments; got != 1 {
		t.Errorf("F50: %d attachments, wanted 1", got)
	}
	changed := Read(answered("http://b.example/post/52/", strings.Replace(punbbThread, "VOTE nobody", "VOTE all", 1)), View{})
	if changed.Posts[0].Hash != p.Posts[0].Hash {
		t.Error("F8: another signature changed the hash")
	}
}

func TestPunBBPagesWithoutPosts(t *testing.T) {
	const head = `<div id="brd-wrap" class="brd"><div id="brd-main">`
	const review = `<div id="topic-review" class="main-content main-frm"><div class="post firstpost"><div class="posthead"><h3><a class="permalink" href="viewtopic.php?pid=61#p61">Today 14:16:33</a></h3></div><div class="postbody"><div class="entry-content"><p>VOTE Oleg</p></div></div></div></div>`
	for name, c := range map[string]struct {
		html string
		kind Kind
		said string
	}{
		"F21 no topic": {head + `<div class="main-head"><h2>Forum message</h2></div><div class="main-content main-message"><p>Bad request.</p></div>`, Message, "Bad request."},
		"F21 log in":   {head + `<div class="ct-box error-box"><h2>Warning!</h2><ul><li>Wrong.</li></ul></div><form method="post" action="login.php"><input type="password" name="req_password" /></form>`, Login, "Warning! Wrong."},
		"F37 token":    {head + `<div id="req-msg" class="req-warn ct-box error-box"><p>Fill in.</p></div><div class="ct-box error-box"><ul><li>Unable to confirm security token.</li></ul></div><form method="post" action="post.php"><textarea name="req_message"></textarea></form>` + review, Form, "Unable to confirm security token."},
		"preview":      {head + `<div id="post-preview" class="main-content main-frm"><div class="post singlepost"><div class="postbody"><div class="entry-content"><p>VOTE Oleg</p></div></div></div></div><form method="post" action="post.php"><textarea name="req_message"></textarea></form>`, Form, ""},
		"F40 theme":    {head + `<div class="card">VOTE Oleg</div>`, Unreadable, ""},
	} {
		if p := Read(answered("http://b.example/viewtopic.php?id=7", c.html), View{}); p.Board != "punbb" || p.Kind != c.kind || p.Said != c.said || len(p.Posts) > 0 || (c.kind == Unreadable) != (len(p.Problems) > 0) {
			t.Errorf("%s: kind %s of %s, says %q, %d posts, problems %q", name, p.Kind, p.Board, p.Said, len(p.Posts), p.Problems)
		}
	}
}

func TestPunBBAddresses(t *testing.T) {
	addressing{punbb, "http://b.example/forum/viewtopic.php?id=77", "http://b.example/forum/viewtopic.php?pid=502", map[string]string{
		"http://b.example/viewtopic.php?id=90&p=2":       "90",
		"http://b.example/viewtopic.php?pid=502#p502":    "",
		"http://b.example/forum/topic90-spring-p2.html":  "90",
		"http://b.example/forum/topic/90/spring/page/2/": "90",
		"http://b.example/forum/post/502/#p502":          "",
		"http://b.example/viewforum.php?id=3":            "",
	}}.test(t)
}
