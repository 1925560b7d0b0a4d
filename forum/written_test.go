package forum

import (
	"slices"
	"strings"
	"testing"
)

// onThread are pages of one post, with BODY where its text stands and SIGNATURE where its writer's signature does.
var onThread = map[string]string{
	"mybb 1.8": `<div id="posts"><div class="post" id="post_5"><div class="author_information"><span class="largetext"><a href="member.php?action=profile&amp;uid=12">Oleg</a></span></div><span class="post_date">03-14-2026, 09:00 AM <span class="post_edit"></span></span>
<div class="post_body" id="pid_5">BODY</div><div class="signature">SIGNATURE</div></div></div>`,
	"smf 2.1": `<body id="smf"><div id="forumposts"><div id="msg5"><div class="post_wrapper"><div class="poster"><h4><a href="?action=profile;u=12">Oleg</a></h4></div><div class="postinfo"><a class="smalltext" href="?msg=5">Mar 14, 2026, 09:00 AM</a></div>
<div class="post"><div class="inner" id="msg_5">BODY</div></div><div class="signature" id="msg_5_signature">SIGNATURE</div></div></div></div>`,
	"smf 2.0": `<form id="quickModForm"><div class="post_wrapper"><div class="poster"><h4><a href="?action=profile;u=12">Oleg</a></h4></div><div class="keyinfo"><div class="smalltext">« <strong>Reply #1 on:</strong> March 14, 2026, 09:00:00 AM »</div></div>
<div class="post"><div class="inner" id="msg_5">BODY</div></div><div class="moderatorbar"><div class="signature" id="msg_5_signature">SIGNATURE</div></div></div></form>`,
	"xenforo 2": `<html id="XF"><article class="message message--post" data-author="Oleg" data-content="post-5"><h4 class="message-name"><a data-user-id="12">Oleg</a></h4><div class="message-attribution"><time datetime="2026-03-14T09:00:00+0000" data-time="1773478800"></time></div>
<article class="message-body"><div class="bbWrapper">BODY</div></article><aside class="message-signature"><div class="bbWrapper">SIGNATURE</div></aside></article>`,
	"xenforo 1": `<html id="XenForo"><ol id="messageList"><li class="message" id="post-5" data-author="Oleg"><div class="messageUserInfo"><a class="username" href="members/oleg.12/">Oleg</a></div><div class="messageContent"><blockquote class="messageText">BODY<div class="messageTextEndMarker">&nbsp;</div></blockquote></div>
<div class="signature messageText">SIGNATURE</div><div class="messageMeta"><abbr class="DateTime" data-time="1773478800">Today</abbr></div></li></ol>`,
	"vbulletin 3": `<html><head><meta name="generator" content="vBulletin 3.8.4"></head><div id="posts"><table id="post5"><tr><td class="thead">03-14-2026, 09:00 AM</td></tr><tr><td><div id="postmenu_5"><a class="bigusername" href="member.php?u=12">Oleg</a></div></td><td class="alt1">
<div id="post_message_5">BODY</div><div>__________________<br>SIGNATURE</div></td></tr></table></div>`,
	"vbulletin 4": `<html id="vbulletin_html"><ol id="posts"><li id="post_5"><span class="postdate"><span class="date">03-14-2026,&nbsp;<span class="time">09:00 AM</span></span></span><div class="username_container"><a class="username" href="member.php/12-Oleg">Oleg</a></div>
<div id="post_message_5"><blockquote class="postcontent restore">BODY</blockquote></div><blockquote class="signature restore">SIGNATURE</blockquote></li></ol>`,
	"vbulletin 5": `<body id="vb-page-body"><ul><li class="b-post" data-node-id="5" data-node-publishdate="1773478800"><div class="b-userinfo"><div class="author"><a href="/member/12-oleg">Oleg</a></div></div>
<div class="js-post__content-text">BODY</div><div class="b-post__signature">SIGNATURE</div></li></ul>`,
}

func TestWhatPeopleWroteOnMyBBSMFXenForoAndVBulletin(t *testing.T) {
	const (
		quote3 = `<div style="margin:20px; margin-top:5px; "><div class="smallfont">Quote:</div><table><tr><td class="alt2"><div>Originally Posted by <strong>Vera</strong></div><div style="font-style:italic">VOTE Oleg</div></td></tr></table></div>`
		quote4 = `<div class="bbcode_container"><div class="bbcode_quote"><div class="bbcode_postedby">Originally Posted by <strong>Vera</strong></div><div class="message">VOTE OlegINNER</div></div></div>`
	)
	for _, c := range []struct {
		name, theme, body string
		lines             []string
	}{
		{"F1 quote in a quote", "mybb 1.8", `<blockquote class="mycode_quote"><cite>Vera Wrote:</cite>a <blockquote class="mycode_quote"><cite>Gleb Wrote:</cite>VOTE</blockquote>b</blockquote>mine`, []string{"mine"}},
		{"F1 quote of an older version", "mybb 1.8", `<blockquote><cite>Vera Wrote:</cite>VOTE</blockquote>mine`, []string{"mine"}},
		{"F1 quote in a quote", "smf 2.1", `before<blockquote class="bbc_standard_quote"><cite>Quote from: Vera</cite>a <blockquote class="bbc_alternate_quote">VOTE</blockquote>b</blockquote>mine`, []string{"before", "mine"}},
		{"F1 quote in a quote", "smf 2.0", `<div class="quoteheader">Quote from: Vera</div><blockquote class="bbc_standard_quote"><div class="quoteheader">Quote from: Gleb</div><blockquote class="bbc_alternate_quote">VOTE</blockquote><div class="quotefooter">x</div>b</blockquote><div class="quotefooter">x</div>mine`, []string{"mine"}},
		{"F1 quote in a quote", "xenforo 2", `<blockquote class="bbCodeBlock bbCodeBlock--quote"><div class="bbCodeBlock-title">Vera said:</div><div class="bbCodeBlock-content">a<blockquote class="bbCodeBlock bbCodeBlock--quote">VOTE</blockquote></div></blockquote>mine`, []string{"mine"}},
		{"F1 quote in a quote", "xenforo 1", `<div class="bbCodeBlock bbCodeQuote"><aside><div class="attribution type">Vera said:</div><blockquote class="quoteContainer"><div class="quote">a<div class="bbCodeBlock bbCodeQuote">VOTE</div></div></blockquote></aside></div>mine`, []string{"mine"}},
		{"F1 quote in a quote", "vbulletin 3", strings.Replace(quote3, "VOTE Oleg", "a"+quote3+"b", 1) + "mine", []string{"mine"}},
		{"F1 quote in a spoiler", "vbulletin 3", `<div style="margin:20px; margin-top:5px"><div class="smallfont">Spoiler: <input type="button" value="Show"></div><div class="alt2"><div>` + quote3 + `mine</div></div></div>`, []string{"mine"}},
		{"F1 quote in a quote", "vbulletin 4", strings.Replace(quote4, "INNER", quote4, 1) + "mine", []string{"mine"}},
		{"F1 quote in a quote", "vbulletin 5", strings.Replace(quote4, "INNER", quote4, 1) + "mine", []string{"mine"}},
		{"F3 code box", "mybb 1.8", `<div class="codeblock"><div class="title">Code:</div><div class="body"><code>A&nbsp;&nbsp;1<br />B</code></div></div>after`, []string{"A 1", "B", "after"}},
		{"F3 code box, in line", "smf 2.1", `a<div class="codeheader"><span class="code">Code</span> <a>Select</a></div><code class="bbc_code">A&nbsp; 1<br>B</code>after`, []string{"a", "A 1", "B", "after"}},
		{"F3 code box, in line", "smf 2.0", `<div class="codeheader">Code: <a href="#">[Select]</a></div><code class="bbc_code">A<br />B</code>after`, []string{"A", "B", "after"}},
		{"F3 code box and spoiler", "xenforo 2", `<div class="bbCodeBlock bbCodeBlock--code"><div class="bbCodeBlock-title">Code:</div><div class="bbCodeBlock-content"><pre><code>A  1
B</code></pre></div></div><div class="bbCodeSpoiler"><button class="bbCodeSpoiler-button"><span>Spoiler: <span>roster</span></span></button><div class="bbCodeSpoiler-content">C</div></div>after`, []string{"A 1", "B", "C", "after"}},
		{"F3 code box and spoiler", "xenforo 1", `<div class="bbCodeBlock bbCodePHP"><div class="type">PHP:</div><pre>A
B</pre></div><div class="bbCodeSpoilerContainer"><button class="bbCodeSpoilerButton"><span>Spoiler: x</span></button><div class="bbCodeSpoilerText">C</div></div>after`, []string{"A", "B", "C", "after"}},
		{"F3 code boxes", "vbulletin 3", `<div style="margin:20px; margin-top:5px"><div class="smallfont">Code:</div><pre class="alt2">A
B</pre></div><div style="margin: 20px; margin-top: 5px"><div class="smallfont">PHP Code:</div><div class="alt2"><code>C</code></div></div>after`, []string{"A", "B", "C", "after"}},
		{"F3 code box", "vbulletin 4", `<div class="bbcode_container"><div class="bbcode_description">Code:</div><pre class="bbcode_code">A
B</pre></div>after`, []string{"A", "B", "after"}},
		{"F4 struck through by style", "mybb 1.8", `a <span style="text-decoration: line-through;" class="mycode_s">VOTE</span> b`, []string{"a b"}},
		{"F4 struck through", "smf 2.0", `a <del>VOTE</del> b`, []string{"a b"}},
		{"F4 struck through by style", "xenforo 1", `a <span style="text-decoration: line-through">VOTE</span> b`, []string{"a b"}},
		{"F4 struck through", "vbulletin 3", `a <strike>VOTE</strike> b`, []string{"a b"}},
		{"F6 word cut by tags", "mybb 1.8", `<span style="font-weight: bold;" class="mycode_b">V</span><span style="font-weight: bold;" class="mycode_b">OTE</span> Oleg`, []string{"VOTE Oleg"}},
		{"F6 word cut by tags", "vbulletin 4", `<b>V</b><font color="red">OTE</font> Oleg`, []string{"VOTE Oleg"}},
		{"F7 tag that was printed", "mybb 1.8", `[b]VOTE Oleg`, []string{"[b]VOTE Oleg"}},
		{"F11 merged post", "mybb 1.8", `VOTE Oleg<br /><hr class="mycode_hr" />VOTE Vera`, []string{"VOTE Oleg", "VOTE Vera"}},
		{"F26 smiley", "smf 2.1", `F Tri (<img src="/Smileys/fugue/cool.png" alt="8&#41;" title="Cool" class="smiley">`, []string{"F Tri (8)"}},
		{"F26 smiley", "mybb 1.8", `F Tri (<img src="/images/smilies/cool.png" alt="Cool" class="smilie smilie_5" />`, []string{"F Tri (Cool"}},
		{"F26 smiley", "xenforo 1", `F Tri (<img src="styles/clear.png" class="mceSmilieSprite mceSmilie6" alt="8)" />`, []string{"F Tri (8)"}},
		{"F27 long link", "vbulletin 3", `<a href="http://files.example/saves/2026/hl2/tourney-17/oleg_save1.gm1" target="_blank">http://files.example/saves/2026/hl2/...leg_save1.gm1</a>`, []string{"http://files.example/saves/2026/hl2/tourney-17/oleg_save1.gm1"}},
		{"F33 name in another colour", "xenforo 2", `<a class="username" data-user-id="1"><span class="username--staff">Magistrate</span></a> says`, []string{"Magistrate says"}},
		{"F47 dice of the board", "xenforo 1", `roll <div class="dice_container"><b>Dice</b> 6</div>after`, []string{"roll", "after"}},
		{"F50 attachment in the text", "mybb 1.8", `see <a href="attachment.php?aid=5">VOTE.txt</a>`, []string{"see"}},
	} {
		t.Run(c.name+", "+c.theme, func(t *testing.T) {
			p := Read(answered("http://b.example/thread", strings.NewReplacer("BODY", c.body, "SIGNATURE", "CLAN RULES YES W4").Replace(onThread[c.theme])), View{})
			if p.Theme != c.theme || len(p.Posts) != 1 || len(p.Problems) > 0 {
				t.Fatalf("a page of %q with %d posts: %q", p.Theme, len(p.Posts), p.Problems)
			}
			if got := p.Posts[0]; got.ID != "5" || got.Author != "Oleg" || got.AuthorID != "12" || !slices.Equal(got.Lines, c.lines) {
				t.Errorf("post %s of %s (%s): %q, wanted %q", got.ID, got.Author, got.AuthorID, got.Lines, c.lines)
			}
			postedAt(t, p, "2026-03-14T09:00:00Z")
			again, err := Lines(p.Board, p.Theme, p.Posts[0].HTML)
			if err != nil || !slices.Equal(again, c.lines) {
				t.Errorf("its HTML is read again as %q (%v)", again, err)
			}
		})
	}
}

func TestF2SignaturesAreNotRead(t *testing.T) {
	for theme, page := range onThread {
		for _, body := range []string{"mine", ""} {
			p := Read(answered("http://b.example/thread", strings.NewReplacer("BODY", body, "SIGNATURE", "CLAN RULES YES W4").Replace(page)), View{})
			if len(p.Posts) != 1 || strings.Join(p.Posts[0].Lines, "|") != body {
				t.Errorf("%s: of %q are read %+v", theme, body, p.Posts)
			}
		}
	}
}

func TestF8EditNotesChangeNoHash(t *testing.T) {
	for theme, note := range map[string][2]string{
		"mybb 1.8":    {`<span class="post_edit"></span>`, `<span class="post_edit"><span class="edited_post">(This post was last modified: 03-14-2026, 09:10 AM by Oleg.)</span></span>`},
		"smf 2.1":     {`<div class="post">`, `<span class="smalltext modified mvisible" id="modified_5">Last Edit: Mar 14, 2026, 09:10 AM by Oleg</span><div class="post">`},
		"smf 2.0":     {`<div class="moderatorbar">`, `<div class="moderatorbar"><div class="smalltext modified" id="modified_5">« <em>Last Edit: March 14, 2026, 09:10:00 AM by Oleg</em> »</div>`},
		"xenforo 2":   {`<aside`, `<div class="message-lastEdit">Last edited: <time datetime="2026-03-14T09:10:00+0000">Today</time></div><aside`},
		"xenforo 1":   {`<div class="signature`, `<div class="editDate">Last edited: <abbr class="DateTime" data-time="1773479400">Today</abbr></div><div class="signature`},
		"vbulletin 3": {`<div>____`, `<div class="smallfont"><hr><em>Last edited by Oleg; 03-14-2026 at <span class="time">09:10 AM</span>.</em></div><div>____`},
		"vbulletin 4": {`<blockquote class="signature`, `<blockquote class="postcontent lastedited">Last edited by Oleg; Today at 09:10 AM.</blockquote><blockquote class="signature`},
		"vbulletin 5": {`<div class="b-post__signature"`, `<div class="b-post__edit">Last edited by Oleg; 03-14-2026, 09:10 AM.</div><div class="b-post__signature"`},
	} {
		plain := strings.NewReplacer("BODY", "mine", "SIGNATURE", "x").Replace(onThread[theme])
		first, later := Read(answered("http://b.example/thread", plain), View{}), Read(answered("http://b.example/thread", strings.Replace(plain, note[0], note[1], 1)), View{})
		if first.Posts[0].Edited || !later.Posts[0].Edited {
			t.Errorf("%s: edited %v without a note, %v with one", theme, first.Posts[0].Edited, later.Posts[0].Edited)
		}
		if first.Posts[0].Hash != later.Posts[0].Hash || strings.Join(later.Posts[0].Lines, "|") != "mine" {
			t.Errorf("%s: the note changed what is read: %q", theme, later.Posts[0].Lines)
		}
		postedAt(t, later, "2026-03-14T09:00:00Z")
	}
}
