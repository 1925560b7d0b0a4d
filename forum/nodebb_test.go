package forum

import (
	"strings"
	"testing"
	"time"
)

const nodebbPage = `<!DOCTYPE html><html lang="en-GB"><head><meta charset="UTF-8"><title>Spring war | Tables</title>
<link rel="canonical" href="https://forum.example/topic/12/spring-war?page=2" /><link rel="prev" href="https://forum.example/topic/12/spring-war?page=1" /></head>
<body class="page-topic page-topic-12 page-topic-spring-war template-topic page-status-200 user-guest"><div id="content">
<h1 component="post/header"><span component="topic/title">Spring war</span></h1>
<ul component="topic" class="posts" data-tid="12" data-cid="5">
<li component="post" class="topic-owner-post" data-index="20" data-pid="301" data-uid="7" data-timestamp="1773438300123" data-username="Олег" data-userslug="олег" itemprop="comment">
<a component="post/anchor" data-index="20" id="20"></a><small><a href="/user/олег" itemprop="author" data-username="Олег" data-uid="7">Oleg the Great</a></small>
<a class="permalink" href="/post/301"><span class="timeago" title="2026-03-13T21:45:00.123Z"></span></a>
<i component="post/edit-indicator" class="fa fa-pencil-square"></i><small data-editor="олег" component="post/editor" class="hidden">last edited by Олег <span class="timeago" title="3/13/2026"></span></small>
<div class="content" component="post/content" itemprop="text"><blockquote><p><a href="/user/boris">@boris</a> <a href="/post/300">said</a>:</p><blockquote><p>READY</p></blockquote><p>YIELD</p></blockquote>
<p dir="auto"><a class="plugin-mentions-user plugin-mentions-a" href="/user/boris">@boris</a> CHALLENGE you <img src="/assets/plugins/emoji/1f600.png" class="not-responsive emoji emoji-android emoji--grinning" title=":grinning:" alt="😀" /><br />
PLEDGE HL3</p><pre><code>HL1   MOVES
HL2   STAYS</code></pre></div>
<div component="post/signature" class="post-signature"><p>READY</p></div></li>
<li component="topic/event" data-topic-event-id="9"><span>Magistrate pinned this topic</span></li>
<li component="post" class="deleted" data-index="21" data-pid="302" data-uid="8" data-timestamp="1773438400000" data-username="boris"><div component="post/content">This post is deleted!</div></li>
<li component="post" class="" data-index="22" data-pid="303" data-uid="0" data-timestamp="1773438500000" data-username="Magistrate"><small data-editor="" component="post/editor" class="hidden"></small>
<a class="permalink" href="/post/303"><span class="timeago"></span></a><div class="content" component="post/content"><p dir="auto"><del>READY</del> RULING all is void</p></div></li></ul>
<div component="pagination"><ul class="pagination"><li class="page"><a href="?page=1">1</a></li><li class="page active"><a href="?page=2">2</a></li><li class="next disabled"><a href="#">Next</a></li></ul></div>
</div></body></html>`

func TestNodeBB(t *testing.T) {
	p := Read(answered("https://forum.example/topic/12/spring-war?page=2", nodebbPage), View{})
	comparePosts(t, p, []wanted{
		{"301", "Олег", "7", true, []string{"@boris CHALLENGE you 😀", "PLEDGE HL3", "HL1 MOVES", "HL2 STAYS"}},
		{"303", "Magistrate", "", false, []string{"RULING all is void"}},
	})
	if p.Board != "nodebb" || p.Thread != "12" || p.Title != "Spring war" || p.Mark != 2 || p.Next != "" || len(p.Problems) > 0 {
		t.Errorf("%+v", p)
	}
	if want := time.Unix(1773438300, 0).UTC(); !p.Posts[0].Posted.At.Equal(want) || p.Posts[0].Permalink != "https://forum.example/post/301" {
		t.Errorf("%+v", p.Posts[0])
	}
	for old, link := range map[string]string{
		`<li class="next disabled"><a href="#">`: `<li class="next"><a href="?page=3">`,
		`<link rel="prev"`:                       `<link rel="next" href="https://forum.example/topic/12/spring-war?page=3" /><link rel="prev"`,
	} {
		p := Read(answered("https://forum.example/topic/12/spring-war?page=2", strings.Replace(nodebbPage, old, link, 1)), View{})
		if !strings.HasSuffix(p.Next, "?page=3") {
			t.Errorf("with %s the next page is %q", link, p.Next)
		}
	}
}

func TestF21NodeBBSaysSomethingElse(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		want Kind
	}{
		"not found": {`<body class="page-404 page-status-404"><div id="content"><div class="alert alert-danger"><strong>Not Found</strong><p>This page does not exist.</p></div></div>`, Message},
		"a log-in":  {`<body class="page-login page-status-200"><div id="content"><form method="post" id="login-form"><input type="password" name="password"></form></div>`, Login},
		"no posts":  {`<body class="page-topic page-status-200"><div id="content"><div class="entry" data-pid="5">READY</div></div>`, Unreadable},
	} {
		if p := Read(answered("https://forum.example/topic/12", c.page), View{}); p.Kind != c.want || p.Board != "nodebb" {
			t.Errorf("%s: %s of %q", name, p.Kind, p.Board)
		}
	}
}
