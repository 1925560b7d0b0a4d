package forum

import (
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

const smf20Thread = `<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />
<script type="text/javascript"><!-- // --><![CDATA[
	var smf_theme_url = "http://b.example/Themes/default";
// ]]></script><title>Весенняя война</title><link rel="canonical" href="http://b.example/index.php?topic=2.15" /><link rel="next" href="http://b.example/index.php/topic,2.0/prev_next,next.html" /></head><body>
<form id="guest_form" action="http://b.example/index.php?action=login2" method="post"><input type="text" name="user" /><input type="password" name="passwrd" /></form>
<div class="navigate_section"><ul><li><a href="http://b.example/index.php"><span>Форум</span></a> &#187; </li><li class="last"><a href="http://b.example/index.php?topic=2.0"><span>Весенняя война</span></a></li></ul></div>
<div class="pagesection"><div class="pagelinks floatleft">Страницы: <a class="navPages" href="http://b.example/index.php?PHPSESSID=0123456789abcdef&amp;topic=2.0">1</a> [<strong>2</strong>] <a class="navPages" href="http://b.example/index.php?PHPSESSID=0123456789abcdef&amp;topic=2.30">3</a>   &nbsp;&nbsp;<a href="#lastPost"><strong>Вниз</strong></a></div></div>
<div id="forumposts"><form action="http://b.example/index.php?action=quickmod2;topic=2.15" method="post" name="quickModForm" id="quickModForm">
<div class="windowbg"><span class="topslice"><span></span></span><div class="post_wrapper"><div class="poster"><h4><img src="http://b.example/Themes/default/images/useroff.gif" alt="Оффлайн" /> <a href="http://b.example/index.php?PHPSESSID=0123456789abcdef&amp;action=profile;u=12" title="Просмотр профиля Oleg">Oleg</a></h4><ul class="reset smalltext" id="msg_31_extra_info"><li class="postgroup">Новичок</li></ul></div>
<div class="postarea"><div class="flow_hidden"><div class="keyinfo"><div class="messageicon"><img src="xx.gif" alt="" /></div><h5 id="subject_31"><a href="http://b.example/index.php?topic=2.msg31#msg31" rel="nofollow">Re: Весенняя война</a></h5><div class="smalltext">&#171; <strong>Ответ #15 :</strong> Марта 13, 2026, 18:00:00 &#187;</div><div id="msg_31_quick_mod"></div></div></div>
<div class="post"><div class="inner" id="msg_31"><div class="quoteheader"><div class="topslice_quote"><a href="http://b.example/index.php?topic=2.msg30#msg30">Цитата: Vera от Сегодня в 10:00:00</a></div></div><blockquote class="bbc_standard_quote">ACCEPT DUEL D1</blockquote><div class="quotefooter"><div class="botslice_quote"></div></div>SERVE Vera W4 <img src="http://b.example/Smileys/default/cool.gif" alt="8&#41;" title="Cool" class="smiley" /><br /><div class="codeheader">Код: <a href="#" class="codeoperation">[Выделить]</a></div><code class="bbc_code">ROSTER&nbsp; Vera<br />Gleb W4</code>end <del>VOTE Oleg</del></div></div></div>
<div class="moderatorbar"><div class="smalltext modified" id="modified_31">&#171; <em>Последнее редактирование: Марта 13, 2026, 18:10:00 от Oleg</em> &#187;</div><div class="smalltext reportlinks"></div><div class="signature" id="msg_31_signature">CLAN RULES YES W4</div></div></div><span class="botslice"><span></span></span></div>
<div class="approvebg"><div class="post_wrapper"><div class="poster"><h4>Gleb</h4></div><div class="keyinfo"><div class="smalltext">&#171; <strong>Ответ #16 :</strong> <strong>Сегодня</strong> в 10:00:00 &#187;</div></div><div class="post"><div class="inner" id="msg_32">VOTE Oleg</div></div></div></div>
<div class="windowbg2"><div class="post_wrapper"><div class="poster"><h4>Vera</h4><ul class="reset smalltext"><li>Гость</li></ul></div><div class="keyinfo"><h5 id="subject_33"><a href="http://b.example/index.php?topic=2.msg33#msg33">Re: Весенняя война</a></h5><div class="smalltext">&#171; <strong>Ответ #17 :</strong> <strong>Сегодня</strong> в 10:05:01 &#187;</div></div>
<div id="msg_33_ignored_prompt">Вы игнорируете этого пользователя.</div><div class="post"><div class="inner" id="msg_33">hello</div></div><div id="msg_33_footer" class="attachments smalltext"><a href="http://b.example/index.php?action=dlattach;topic=2.0;attach=1"><img src="clip.gif" alt="*" />&nbsp;a.txt</a> <a href="http://b.example/index.php?action=dlattach;topic=2.0;attach=1">a.txt</a></div><div class="moderatorbar"><div class="smalltext modified" id="modified_33"></div></div></div></div>
</form></div></body></html>`

func TestSMF20(t *testing.T) {
	p := Read(answered("http://b.example/index.php?topic=2.msg31", smf20Thread), View{})
	comparePosts(t, p, []wanted{
		{"31", "Oleg", "12", true, []string{"SERVE Vera W4 8)", "ROSTER Vera", "Gleb W4", "end"}}, // F1 to F4, F26
		{"33", "Vera", "", false, []string{"hello"}},
	})
	postedAt(t, p, "2026-03-13T18:00:00Z", "2026-03-14T10:05:01Z")
	if p.Theme != "smf 2.0" || p.Thread != "2" || p.Title != "Весенняя война" || p.Mark != 2 || p.Next != "http://b.example/index.php?topic=2.30" {
		t.Errorf("the page is %q of thread %q %q, page %d, next %q", p.Theme, p.Thread, p.Title, p.Mark, p.Next)
	}
	if got := p.Posts[0]; got.Subject != "Re: Весенняя война" || got.Permalink != "http://b.example/index.php?topic=2.msg31#msg31" || p.Posts[1].Attachments != 1 {
		t.Errorf("%+v, %d attachments", got, p.Posts[1].Attachments)
	}
}

func TestSMF20Date(t *testing.T) {
	for line, want := range map[string]string{
		`« <strong>Reply #3 on:</strong> March 01, 2026, 06:00:00 PM »`:           "March 01, 2026, 06:00:00 PM",
		`« <strong> on:</strong> March 01, 2026, 06:00:00 PM »`:                   "March 01, 2026, 06:00:00 PM",
		`« <strong>Reply #3 on:</strong> <strong>Today</strong> at 12:00:01 AM »`: "Today at 12:00:01 AM",
		`« <strong>Ответ #3 :</strong> 01 Марта 2026, 18:00:00 »`:                 "01 Марта 2026, 18:00:00",
		`« on: March 01, 2026, 06:00:00 PM »`:                                     "March 01, 2026, 06:00:00 PM",
	} {
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(`<div class="keyinfo"><div class="smalltext">` + line + `</div></div>`))
		if err != nil {
			t.Fatal(err)
		}
		if got := smfDate(doc.Selection, doc); got != want {
			t.Errorf("%s: %q, wanted %q", line, got, want)
		}
	}
}

func TestF8QuoteDatesOfSMFChangeNothing(t *testing.T) {
	for name, read := range map[string]func(date string) Page{
		"2.0": func(date string) Page {
			return Read(answered("http://b.example/index.php?topic=2.0", strings.Replace(smf20Thread, "Сегодня в 10:00:00</a>", date+"</a>", 1)), View{})
		},
		"2.1": func(date string) Page {
			return Read(answered("http://b.example/index.php?topic=2.0", `<body id="smf"><div id="forumposts"><div id="msg5"><div class="post_wrapper"><div class="poster"><h4>Oleg</h4></div><div class="post"><div class="inner">`+
				`<blockquote class="bbc_standard_quote"><cite>Quote from: Vera on `+date+`</cite>A Vie - Gal</blockquote>SERVE Vera</div></div></div></div></div>`), View{})
		},
	} {
		first, later := read("Today at 10:00 AM"), read("Mar 14, 2026, 10:00 AM")
		if first.Posts[0].Hash != later.Posts[0].Hash {
			t.Errorf("%s: the date of a quote changed the hash", name)
		}
	}
}

func TestSMFPagesWithoutPosts(t *testing.T) {
	const head20 = `<html><head><script>var smf_theme_url = "x";</script></head><body><form id="guest_form" action="?action=login2" method="post"><input type="password" name="passwrd" /></form>`
	for name, c := range map[string]struct {
		html string
		kind Kind
		said string
	}{
		"F21 SMF 2.0, message": {head20 + `<div id="fatal_error"><h3 class="catbg">An Error Has Occurred!</h3><div class="padding">The topic is missing.</div></div>`, Message, "An Error Has Occurred! The topic is missing."},
		"F21 SMF 2.0, login":   {head20 + `<form action="?action=login2" id="frmLogin" method="post"><p class="error">Password incorrect</p><input name="user"><input type="password" name="passwrd"></form>`, Login, "Password incorrect"},
		"F40 SMF 2.0, theme":   {head20 + `<div class="card">VOTE Oleg</div>`, Unreadable, ""},
		"SMF 2.0, reply form":  {head20 + `<form action="?action=post2" method="post" id="postmodify"><div id="errors" style="display: none"><div id="error_list"></div></div><textarea name="message"></textarea></form><div id="recent"><div class="post_wrapper"><div class="list_posts" id="msg_5">VOTE Oleg</div></div></div>`, Form, ""},
		"F40 SMF 2.1, theme":   {`<body id="smf"><div class="card">VOTE Oleg</div>`, Unreadable, ""},
	} {
		if p := Read(answered("http://b.example/index.php?topic=2.0", c.html), View{}); p.Kind != c.kind || p.Said != c.said || len(p.Posts) > 0 {
			t.Errorf("%s: kind %s, says %q, %d posts", name, p.Kind, p.Said, len(p.Posts))
		}
	}
}

func TestSMF21NamesOfGuests(t *testing.T) {
	p := Read(answered("http://b.example/index.php?topic=2.0", `<body id="smf"><div id="forumposts"><div class="windowbg" id="msg5"><div class="post_wrapper"><div class="poster"><h4>Admin</h4></div>
<div class="post"><div class="inner" id="msg_5">hello</div></div></div></div><div class="approvebg" id="msg6"><div class="post_wrapper"><h4>Vera</h4><div class="post"><div class="inner">VOTE</div></div></div></div></div>`), View{})
	comparePosts(t, p, []wanted{{"5", "Admin", "", false, []string{"hello"}}}) // F19, F33
}

func TestF12TheClockOfSMF21TellsItsZone(t *testing.T) {
	p := Read(answered("http://b.example/index.php?topic=2.0", `<body id="smf"><div id="upper_section"><div class="user"><time datetime="2026-03-14T12:00:00Z">14 März 2026, 13:00</time></div></div><div id="forumposts">`+
		`<div id="msg5"><div class="post_wrapper"><div class="poster"><h4>Oleg</h4></div><div class="postinfo"><a class="smalltext" href="?msg=5">13 März 2026, 00:30</a></div><div class="post"><div class="inner">hello</div></div></div></div></div>`), View{})
	postedAt(t, p, "2026-03-12T23:30:00Z")
}

func TestSMFAddresses(t *testing.T) {
	base := &url.URL{Scheme: "http", Host: "b.example", Path: "/forum/"}
	if got := smf.thread(base, "2"); got != "http://b.example/forum/index.php?topic=2.0" {
		t.Errorf("the thread is asked for by %s", got)
	}
	if got := smf.from(base, "2", "31"); got != "http://b.example/forum/index.php?topic=2.msg31" {
		t.Errorf("the post is asked for by %s", got)
	}
	for address, want := range map[string]string{
		"http://b.example/index.php?topic=2.15":                            "2",
		"http://b.example/index.php?PHPSESSID=abc&topic=2.msg31;boardseen": "2",
		"http://b.example/index.php/topic,2.0.html":                        "2",
		"http://b.example/index.php?action=post;topic=2.0":                 "2",
		"http://b.example/index.php?msg=31":                                "",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := smf.threadID(u); got != want {
			t.Errorf("%s is of thread %q, wanted %q", address, got, want)
		}
	}
}
