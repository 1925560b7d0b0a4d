package forum

import (
	"strings"
	"testing"
)

// fluxbbThread is a page of FluxBB in French, as a member sees it.
const fluxbbThread = `<html xml:lang="fr" lang="fr"><head><title>Printemps (Page 2) / Jeux / Forum</title><link rel="canonical" href="viewtopic.php?id=7&amp;p=2" title="Page 2" /><link rel="prev" href="viewtopic.php?id=7" /><link rel="next" href="viewtopic.php?id=7&amp;p=3" title="Page 3" /></head><body>
<div id="punviewtopic" class="pun"><div class="punwrap"><div id="brdheader" class="block"><form action="login.php?action=in" method="post"><input type="password" name="req_password" /></form></div><div id="brdmain">
<div class="linkst"><div class="inbox crumbsplus"><ol class="crumbs"><li><a href="index.php">Index</a></li><li><span>»&#160;</span><a href="viewforum.php?id=1">Jeux</a></li><li><span>»&#160;</span><strong><a href="viewtopic.php?id=7">Printemps</a></strong></li></ol><div class="pagepost"><p class="pagelink conl"><span class="pages-label">Pages : </span><a rel="prev" class="item1" href="viewtopic.php?id=7">Précédent</a> <a href="viewtopic.php?id=7">1</a> <strong>2</strong> <a href="viewtopic.php?id=7&amp;p=3">3</a> <a rel="next" href="viewtopic.php?id=7&amp;p=3">Suivant</a></p></div></div></div>
<div id="p52" class="blockpost rowodd blockpost1"><h2><span><span class="conr">#26</span> <a href="viewtopic.php?pid=52#p52">Aujourd'hui 11:00:05</a></span></h2><div class="box"><div class="inbox"><div class="postbody"><div class="postleft"><dl><dt><strong><a href="profile.php?id=9"><span style="color: red">Vera</span></a></strong></dt><dd class="usertitle"><strong>Membre</strong></dd><dd class="usercontacts"><span class="email"><a href="misc.php?email=9">E-mail</a></span></dd></dl></div>
<div class="postright"><h3>Re : Printemps</h3><div class="postmsg">
<div class="quotebox"><cite>Gleb a écrit :</cite><blockquote><div><div class="quotebox"><blockquote><div><p>VOTE Oleg</p></div></blockquote></div><p>HOLD W1</p></div></blockquote></div><p><strong>HO</strong><strong>LD</strong> W2 <img src="http://b.example/img/smilies/smile.png" width="15" height="15" alt="smile" /><br /><span class="bbs">VOTE Gleb</span><del>VOTE Ivan</del><span class="bbu">HOLD</span> W3</p><div class="codebox"><pre><code>A  Vie
HOLD</code></pre></div><ul><li><p>un</p></li><li><p>deux</p><ul><li><p>trois</p></li></ul></li></ul><h5>Fin</h5><p><span class="postimg"><img src="x.png" alt="x.png" /></span></p>
<p class="postedit"><em>Dernière modification par Gwen (Aujourd'hui 11:10:00)</em></p>
</div><div class="postsignature postmsg"><hr /><p>VOTE nobody</p></div></div></div></div><div class="inbox"><div class="postfoot clearb"><div class="postfootright"><ul><li class="postedit"><span><a href="edit.php?id=52">Modifier</a></span></li></ul></div></div></div></div></div>
<div id="p53" class="blockpost roweven"><h2><span><span class="conr">#27</span> <a href="viewtopic.php?pid=53#p53">Hier 23:59:59</a></span></h2><div class="box"><div class="inbox"><div class="postbody"><div class="postleft"><dl><dt><strong>Admin</strong></dt><dd class="usertitle"><strong>Invité</strong></dd></dl></div><div class="postright"><h3>Re : Printemps</h3><div class="postmsg">
<p>salut</p>
</div></div></div></div><div class="inbox"><div class="postfoot clearb"><div class="postfootright"><ul><li class="postedit"><span><a href="edit.php?id=53">Modifier</a></span></li></ul></div></div></div></div></div>
<div id="quickpost" class="blockform"><form id="quickpostform" method="post" action="post.php?tid=7"><textarea name="req_message"></textarea></form></div>
</div></div></div></body></html>`

func TestFluxBB(t *testing.T) {
	p := Read(answered("http://b.example/viewtopic.php?pid=52", fluxbbThread), View{})
	comparePosts(t, p, []wanted{
		{"52", "Vera", "9", true, []string{"HOLD W2 smile", "HOLD W3", "A Vie", "HOLD", "un", "deux", "trois", "Fin"}}, // F1 to F6, F26
		{"53", "Admin", "", false, []string{"salut"}},                                                                  // F33
	})
	if p.Thread != "7" || p.Title != "Printemps" || p.Mark != 2 || p.Total != -1 || p.Next != "http://b.example/viewtopic.php?id=7&p=3" || p.Address != "http://b.example/viewtopic.php?id=7&p=2" {
		t.Errorf("thread %q %q, page %d, %d posts in all, next %q of %q", p.Thread, p.Title, p.Mark, p.Total, p.Next, p.Address)
	}
	if got := p.Posts[0]; got.Subject != "Re : Printemps" || got.Permalink != "http://b.example/viewtopic.php?pid=52#p52" {
		t.Errorf("%+v", got)
	}
}

func TestPunBB12IsReadAsFluxBB(t *testing.T) {
	const page = `<div id="punviewtopic" class="pun"><p class="pagelink conl">Pages: <strong>1</strong>&nbsp;<a href="viewtopic.php?id=7&amp;p=2">2</a></p>
<div id="p5" class="blockpost rowodd firstpost"><h2><span><span class="conr">#1&nbsp;</span><a href="viewtopic.php?pid=5#p5">2006-03-14 11:00:00</a></span></h2><div class="box"><div class="inbox"><div class="postleft"><dl><dt><strong><a href="profile.php?id=9">Vera</a></strong></dt></dl></div><div class="postright"><h3>Spring</h3><div class="postmsg"><blockquote><div class="incqbox"><h4>Gleb wrote:</h4><p>VOTE Oleg</p></div></blockquote><p>HOLD</p><div class="codebox"><div class="incqbox"><h4>Code:</h4><div class="scrollbox"><pre>A Vie</pre></div></div></div></div><div class="postsignature"><hr />VOTE nobody</div></div></div></div></div></div>`
	p := Read(answered("http://b.example/viewtopic.php?id=7", page), View{})
	comparePosts(t, p, []wanted{{"5", "Vera", "9", false, []string{"HOLD", "A Vie"}}})
	if p.Thread != "7" || p.Next != "http://b.example/viewtopic.php?id=7&p=2" {
		t.Errorf("thread %q, next %q", p.Thread, p.Next)
	}
}

func TestF15FluxBBPagesEnd(t *testing.T) {
	last := strings.NewReplacer(`<link rel="next" href="viewtopic.php?id=7&amp;p=3" title="Page 3" />`, "", ` <a href="viewtopic.php?id=7&amp;p=3">3</a> <a rel="next" href="viewtopic.php?id=7&amp;p=3">Suivant</a>`, "").Replace(fluxbbThread)
	if p := Read(answered("http://b.example/viewtopic.php?id=7&p=2", last), View{}); p.Next != "" {
		t.Errorf("behind the last page comes %q", p.Next)
	}
}

func TestF8TheEditNoteOfFluxBBChangesNoHash(t *testing.T) {
	read := func(page string) string {
		return Read(answered("http://b.example/viewtopic.php?pid=52", page), View{}).Posts[0].Hash
	}
	first := read(fluxbbThread)
	if read(strings.Replace(fluxbbThread, "(Aujourd'hui 11:10:00)", "(Hier 11:10:00)", 1)) != first {
		t.Error("the day of an edit changed the hash")
	}
	if read(strings.Replace(fluxbbThread, "HOLD W1", "HOLD W9", 1)) == first {
		t.Error("another quote did not change the hash")
	}
}

func TestFluxBBPagesWithoutPosts(t *testing.T) {
	const errors = `<div id="posterror" class="block"><h2><span>Post errors</span></h2><div class="box"><div class="inbox error-info"><p>Correct this:</p><ul class="error-list"><li><strong>[b] was found without a matching [/b]</strong></li></ul></div></div></div>`
	const review = `<div id="postreview"><div class="blockpost"><div class="box"><div class="postleft"><dl><dt><strong>Vera</strong></dt></dl></div><div class="postright"><div class="postmsg"><p>VOTE Oleg</p></div></div></div></div></div>`
	for name, c := range map[string]struct {
		html string
		kind Kind
		said string
	}{
		"F21 no topic": {`<div id="punviewtopic" class="pun"><div id="msg" class="block"><h2><span>Info</span></h2><div class="box"><div class="inbox"><p>Bad request.</p></div></div></div></div>`, Message, "Bad request."},
		"posted":       {`<div id="punredirect" class="pun"><div class="block"><h2>Redirecting</h2><div class="box"><div class="inbox"><p>Post entered.</p></div></div></div></div>`, Message, "Post entered."},
		"F21 closed":   {`<div id="punmaint" class="pun"><div class="block"><h2>Maintenance</h2><div class="box"><div class="inbox"><p>Back soon.</p></div></div></div></div>`, Message, "Back soon."},
		"F21 log in":   {`<div id="punlogin" class="pun">` + strings.ReplaceAll(errors, "[b] was found without a matching [/b]", "Wrong.") + `<form id="login" method="post" action="login.php?action=in"><input type="password" name="req_password" /></form></div>`, Login, "Correct this: Wrong."},
		"reply form":   {`<div id="punpost" class="pun"><form id="post" method="post" action="post.php"><textarea name="req_message"></textarea></form>` + review + `</div>`, Form, ""},
		"F7 refused":   {`<div id="punpost" class="pun">` + errors + `<form id="post" method="post" action="post.php"><textarea name="req_message">[b]x</textarea></form>` + review + `</div>`, Form, "Correct this: [b] was found without a matching [/b]"},
		"preview":      {`<div id="punpost" class="pun"><div id="postpreview" class="blockpost"><h2><span>Post preview</span></h2><div class="box"><div class="postright"><div class="postmsg"><p>VOTE Oleg</p></div></div></div></div><form id="post" method="post" action="post.php"><textarea name="req_message"></textarea></form></div>`, Form, ""},
		"F40 theme":    {`<div id="punviewtopic" class="pun"><div id="m1" class="card">VOTE Oleg</div></div>`, Unreadable, ""},
	} {
		if p := Read(answered("http://b.example/viewtopic.php?id=7", c.html), View{}); p.Board != "fluxbb" || p.Kind != c.kind || p.Said != c.said || len(p.Posts) > 0 || (c.kind == Unreadable) != (len(p.Problems) > 0) {
			t.Errorf("%s: kind %s of %s, says %q, %d posts, problems %q", name, p.Kind, p.Board, p.Said, len(p.Posts), p.Problems)
		}
	}
}

func TestFluxBBAddresses(t *testing.T) {
	addressing{fluxbb, "http://b.example/forum/viewtopic.php?id=77", "http://b.example/forum/viewtopic.php?pid=502", map[string]string{
		"http://b.example/viewtopic.php?id=90&p=2":    "90",
		"http://b.example/viewtopic.php?pid=502#p502": "",
		"http://b.example/viewforum.php?id=3":         "",
		"http://b.example/profile.php?id=3":           "",
	}}.test(t)
}
