package forum

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

const invision4Page = `<!DOCTYPE html><html lang="ru-RU"><head><meta charset="utf-8"><title>Spring war - Page 2 - Tables</title>
<link rel="canonical" href="https://forum.example/topic/44-spring-war/page/2/" /></head>
<body class="ipsApp ipsApp_front ipsJS_none ipsClearfix" data-pageapp="forums">
<div id="elUserSignIn_menu" class="ipsMenu"><form method="post" action="https://forum.example/login/"><input type="password" name="password"></form></div>
<h1 class="ipsType_pageTitle ipsContained_container"><span class="ipsType_break">Spring war</span></h1>
<ul class="ipsPagination" data-pages="3"><li class="ipsPagination_page"><a href="https://forum.example/topic/44-spring-war/">1</a></li>
<li class="ipsPagination_page ipsPagination_active"><a href="https://forum.example/topic/44-spring-war/page/2/">2</a></li>
<li class="ipsPagination_next"><a href="https://forum.example/topic/44-spring-war/page/3/" rel="next">Next</a></li></ul>
<article id="elComment_700" class="cPost ipsComment">
<aside class="cAuthorPane"><h3 class="cAuthorPane_author"><strong><a href="https://forum.example/profile/12-oleg/" class="ipsType_break">Олег</a></strong> <span class="ipsPip" title="x"></span></h3></aside>
<div class="ipsComment_meta"><a href="https://forum.example/topic/44-spring-war/?do=findComment&amp;comment=700"><time datetime="2026-03-13T21:30:00Z" data-short="14 ч">14 часов назад</time></a></div>
<div data-role="commentContent" class="ipsType_richText">
<blockquote class="ipsQuote" data-ipsquote-username="Борис"><div class="ipsQuote_citation">1 час назад, Борис сказал:</div><div class="ipsQuote_contents"><p>СДАЮСЬ</p></div></blockquote>
<p>ВЫЗОВ Борис <img alt="😀" class="ipsEmoji" src="x.png"></p>
<div class="ipsSpoiler" data-ipsspoiler=""><div class="ipsSpoiler_header"><span>Скрытый текст</span></div><div class="ipsSpoiler_contents"><p>ЗАЛОГ HL3</p></div></div>
<p><s>ГОТОВ</s> <span style="text-decoration:line-through;">ЖДУ</span></p>
<p><a class="ipsAttachLink" href="https://forum.example/applications/core/interface/file/attachment.php?id=5">orders.txt</a></p>
<span class="ipsType_reset" data-excludequote><strong>Изменено <time datetime="2026-03-13T21:40:00Z">13 часов назад</time> пользователем Олег</strong></span>
</div><div data-role="memberSignature"><div class="ipsType_richText"><p>ГОТОВ</p></div></div></article>
<article id="elComment_701" class="cPost ipsComment">
<aside class="cAuthorPane"><h3 class="cAuthorPane_author"><strong>Гость Магистр</strong></h3></aside>
<div class="ipsComment_meta"><a href="https://forum.example/topic/44-spring-war/?do=findComment&amp;comment=701"><time datetime="2026-03-13T22:00:01Z">x</time></a></div>
<div data-role="commentContent" class="ipsType_richText"><p>ПОСТАНОВЛЕНИЕ всё отменить</p></div></article>
<article id="elComment_702" class="cPost ipsComment ipsModerated"><h3 class="cAuthorPane_author">Gleb</h3><div class="ipsComment_meta"><time datetime="2026-03-13T22:00:01Z">x</time></div><div data-role="commentContent"><p>ГОТОВ</p></div></article>
</body></html>`

func TestInvision4(t *testing.T) {
	p := Read(answered("https://forum.example/topic/44-spring-war/page/2/", invision4Page), View{})
	comparePosts(t, p, []wanted{
		{"700", "Олег", "12", true, []string{"ВЫЗОВ Борис 😀", "ЗАЛОГ HL3"}},
		{"701", "Гость Магистр", "", false, []string{"ПОСТАНОВЛЕНИЕ всё отменить"}},
	})
	if p.Board != "invision" || p.Thread != "44" || p.Title != "Spring war" || p.Mark != 2 || p.Next != "https://forum.example/topic/44-spring-war/page/3/" {
		t.Errorf("%+v", p)
	}
	post := p.Posts[0]
	if want := time.Date(2026, 3, 13, 21, 30, 0, 0, time.UTC); !post.Posted.At.Equal(want) || post.Permalink != "https://forum.example/topic/44-spring-war/?do=findComment&comment=700" || post.Attachments != 1 {
		t.Errorf("%+v", post)
	}
	last := strings.Replace(invision4Page, `"ipsPagination_next"`, `"ipsPagination_next ipsPagination_inactive"`, 1)
	if next := Read(answered("https://forum.example/topic/44-spring-war/page/2/", last), View{}).Next; next != "" {
		t.Errorf("the last page has a next one: %s", next)
	}
}

func TestF45AnInvisionPageReadLaterIsNoOther(t *testing.T) {
	first := Read(answered("https://forum.example/topic/44/", invision4Page), View{})
	later := Read(answered("https://forum.example/topic/44/", strings.NewReplacer("14 часов назад", "15 часов назад", "13 часов назад", "14 часов назад", "1 час назад", "2 часа назад").Replace(invision4Page)), View{})
	if first.Posts[0].Hash != later.Posts[0].Hash {
		t.Error("a post has another hash an hour later")
	}
	edited := Read(answered("https://forum.example/topic/44/", strings.Replace(invision4Page, "СДАЮСЬ", "НЕ СДАЮСЬ", 1)), View{})
	if first.Posts[0].Hash == edited.Posts[0].Hash {
		t.Error("another quote has the same hash")
	}
}

// invision2Page is a page of Invision Power Board 2 in Russian.
const invision2Page = `<html xml:lang="en" lang="en"><head><meta http-equiv="content-type" content="text/html; charset=windows-1251" /><title>Война -> Весна</title></head><body>
<div id="ipbwrapper">
<div id="userlinksguest"><p class="pcen"><b>Здравствуйте, гость</b> ( <a href="https://forum.example/index.php?s=0123456789abcdef0123456789abcdef&amp;act=Login&amp;CODE=00">Вход</a> )</p></div>
<table class="ipbtable" cellspacing="0"><tr><td style="padding-left:0px" width="60%"><span class="pagelink"><a href="javascript:;" title="Переход">3 страниц</a></span>&nbsp;<span class="pagelink"><a href="https://forum.example/index.php?s=0123456789abcdef0123456789abcdef&amp;showtopic=31&amp;st=0">1</a></span>&nbsp;<span class="pagecurrent">2</span>&nbsp;<span class="pagelink"><a href="https://forum.example/index.php?s=0123456789abcdef0123456789abcdef&amp;showtopic=31&amp;st=40">3</a></span>&nbsp;<span class="pagelink"><a title="Следующая" href="https://forum.example/index.php?s=0123456789abcdef0123456789abcdef&amp;showtopic=31&amp;st=40">&gt;</a></span></td></tr></table>
<div class="borderwrap"><div class="maintitle"><p>&nbsp;<b>Весенняя война</b>, второй круг</p></div>
<table class='ipbtable' cellspacing="1"><tr><td valign="middle" class="row2" width="1%"><a name="entry501"></a><div class="popmenubutton-new-out"><span class="normalname"><a href='https://forum.example/index.php?s=0123456789abcdef0123456789abcdef&amp;showuser=7'>Олег</a></span></div></td>
<td class="row2" valign="top" width="99%"><div style="float: left;"><span class="postdetails"> <img src='to_post_off.gif' alt='сообщение' border='0' /> 13.3.2026, 23:30</span></div><div align="right"><span class="postdetails">Сообщение <a title="Показать ссылку" href="#" onclick="link_to_post(501); return false;">#21</a></span></div></td></tr>
<tr><td valign="top" class="post2"><span class="postdetails">Группа: Участники<br />Сообщений: 120<br />Регистрация: 3.4.2005<br /></span></td>
<td width="100%" valign="top" class="post2" id="post-main-501"><!-- THE POST 501 -->
<div class="postcolor" id="post-501"><!--quoteo(post=500:date=Mar 13 2026, 20:00:name=Борис)--><div class='quotetop'>Цитата(Борис @ 13.3.2026, 20:00) <a href="index.php?act=findpost&amp;pid=500">*</a></div><div class='quotemain'><!--quotec-->СДАЮСЬ<!--QuoteEnd--></div><!--QuoteEEnd--><br />
ВЫЗОВ Борис <!--emo&:)--><img src='http://forum.example/style_emoticons/default/smile.gif' border='0' style='vertical-align:middle' alt='smile.gif' /><!--endemo--><br />
<div class='codetop'>Код</div><div class='codemain'>ЗАЛОГ&nbsp;&nbsp;HL3</div>
<br /><br /><span class='edit'>Сообщение отредактировал <b>Олег</b> - 13.3.2026, 23:41</span></div>
<br /><br />--------------------<br /><div class="signature">ГОТОВ</div></td></tr></table>
<table class='ipbtable' cellspacing="1"><tr><td valign="middle" class="row2" width="1%"><a name="entry502"></a><div><span class="unreg">Магистр</span></div></td>
<td class="row2" valign="top" width="99%"><div style="float: left;"><span class="postdetails"> <img src='to_post_off.gif' alt='сообщение' border='0' /> Сегодня, 0:15</span></div></td></tr>
<tr><td valign="top" class="post1"><span class="postdetails">Гости</span></td>
<td width="100%" valign="top" class="post1" id="post-main-502"><div class="postcolor" id="post-502">ГОТОВ<!--IBF.ATTACHMENT_502--><br /><br /><strong><span class='edit'>Прикрепленные файлы</span></strong></div></td></tr></table>
</div></div></body></html>`

func TestInvision2InRussian(t *testing.T) {
	p := Read(answered("https://forum.example/index.php?showtopic=31&st=20", invision2Page), View{})
	comparePosts(t, p, []wanted{
		{"501", "Олег", "7", true, []string{"ВЫЗОВ Борис smile.gif", "ЗАЛОГ HL3"}},
		{"502", "Магистр", "", false, []string{"ГОТОВ"}},
	})
	if p.Board != "invision" || p.Theme != "2" || p.Thread != "31" || p.Mark != 2 || p.Next != "https://forum.example/index.php?showtopic=31&st=40" {
		t.Errorf("%+v", p)
	}
}

// invision1Page is a page of Invision Board 1.
const invision1Page = `<html><head><title>Wars</title></head><body><div id="ipbwrapper"><div>Pages: (3) <a href="http://forum.example/index.php?showtopic=31&amp;st=0">1</a> <b>[2]</b> <a href="http://forum.example/index.php?showtopic=31&amp;st=30">3</a></div>
<div class="tableborder"><div class="maintitle"><b>Spring war</b></div>
<table width='100%' border='0' cellspacing='1' cellpadding='3'><tr><td valign='middle' class='row4' width="1%"><a name='entry77'></a><span class='normalname'><a href='http://forum.example/index.php?showuser=4'>Oleg</a></span></td>
<td class='row4' valign='top' width="99%"><div align='left' class='row4'><img src='to_post_off.gif' alt='post' border='0'> <span class='postdetails'><b><a href='#'>Posted:</a></b> Mar 13 2026, 09:30 PM</span></div></td></tr>
<tr><td valign='top' class='post1'><span class='postdetails'>Group: Members</span></td><td width='100%' valign='top' class='post1'><!-- THE POST 77 --><span class='postcolor'>
</span><table border='0' align='center' width='95%' cellpadding='3' cellspacing='1'><tr><td><b>QUOTE</b> (Boris @ Mar 13 2026, 08:00 PM)</td></tr><tr><td id='QUOTE'>YIELD</td></tr></table><span class='postcolor'>
CHALLENGE Boris</span><br><br>--------------------<br><div class='signature'>READY</div><!-- THE POST --></td></tr></table></div></div></body></html>`

func TestInvision1(t *testing.T) {
	p := Read(answered("http://forum.example/index.php?showtopic=31&st=15", invision1Page), View{})
	comparePosts(t, p, []wanted{{"77", "Oleg", "4", false, []string{"CHALLENGE Boris"}}})
	if p.Theme != "1" || p.Thread != "31" || p.Next != "http://forum.example/index.php?showtopic=31&st=30" {
		t.Errorf("%+v", p)
	}
	attached := strings.Replace(strings.ReplaceAll(strings.ReplaceAll(invision1Page, "<span class='postcolor'>", "<div class='postcolor'>"), "</span><table border", "</div><table border"),
		"CHALLENGE Boris</span>", "CHALLENGE Boris<br><strong><span class='edit'>Attached File ( Number of downloads: 2 )</span></strong><br><a href='index.php?act=Attach&amp;id=77'>READY.zip</a></div>", 1)
	p = Read(answered("http://forum.example/index.php?showtopic=31&st=15", attached), View{})
	comparePosts(t, p, []wanted{{"77", "Oleg", "4", false, []string{"CHALLENGE Boris"}}})
	if p.Posts[0].Attachments != 1 {
		t.Errorf("%+v", p.Posts[0])
	}
}

const invision3Page = `<!DOCTYPE html><html xml:lang="en" lang="en"><head><title>Spring war - Wars</title></head><body id="ipboard_body"><div id="ipbwrapper">
<div id="inline_login_form"><form action="x" method="post"><input type="password" name="ips_password"></form></div>
<h1 class="ipsType_pagetitle">Spring war</h1><ul class="pagination left"><li class="page active">1</li><li class="page"><a href="http://forum.example/topic/31-spring-war/page-2">2</a></li><li class="next"><a href="http://forum.example/topic/31-spring-war/page-2" rel="next">Next</a></li></ul>
<div class="post_block hentry clear clearfix" id="post_id_901"><div class="post_wrap"><h3 class="row2"><span class="post_id right"><a href="http://forum.example/topic/31-spring-war/#entry901" rel="bookmark">#1</a></span>
<span class="author vcard"><a class="url fn name" href="http://forum.example/user/4-oleg/">Oleg</a></span></h3><div class="post_body"><p class="posted_info">Posted <abbr class="published" title="2026-03-13T21:30:00+00:00">13 March 2026 - 09:30 PM</abbr></p>
<div class="post entry-content"><p class="citation">Boris, on 13 March 2026 - 08:00 PM, said:</p><div class="blockquote"><div class="quote"><p>YIELD</p></div></div><p>CHALLENGE Boris<br />at noon</p>
<p class="edit"><strong>Edited by Oleg, 13 March 2026 - 09:35 PM.</strong></p></div><div class="signature"><p>READY</p></div></div></div></div></div></body></html>`

func TestInvision3(t *testing.T) {
	p := Read(answered("http://forum.example/topic/31-spring-war/", invision3Page), View{})
	comparePosts(t, p, []wanted{{"901", "Oleg", "4", true, []string{"CHALLENGE Boris", "at noon"}}})
	if p.Thread != "31" || p.Mark != 1 || p.Next != "http://forum.example/topic/31-spring-war/page-2" || !p.Posts[0].Posted.At.Equal(time.Date(2026, 3, 13, 21, 30, 0, 0, time.UTC)) {
		t.Errorf("%+v", p)
	}
}

func TestF21InvisionSaysSomethingElse(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		want Kind
	}{
		"4, an error":  {`<body class="ipsApp ipsApp_front"><div id="elUserSignIn_menu"><form><input type="password"></form></div><section id="elError"><div id="elErrorMessage">Sorry, we could not find that!</div></section>`, Message},
		"4, a log-in":  {`<body class="ipsApp ipsApp_front"><form method="post"><input type="password" name="password"></form>`, Login},
		"4, no post":   {`<body class="ipsApp ipsApp_front"><article id="topicPost_1"><div class="words">READY</div></article>`, Unreadable},
		"2, an error":  {`<body><div id="ipbwrapper"><div class="errorwrap"><h4>Сообщение форума</h4><p>Тема не найдена.</p></div></div>`, Message},
		"2, a log-in":  {`<body><div id="ipbwrapper"><div class="errorwrap"><p>Вы не авторизованы.</p></div><form method="post"><input type="password" name="PassWord"></form></div>`, Login},
		"2, redirects": {`<body><div id="ipbwrapper"><div id="redirectwrap"><h4>Спасибо</h4></div></div>`, Message},
	} {
		p := Read(answered("https://forum.example/index.php", c.page), View{})
		if p.Kind != c.want || p.Board != "invision" || p.Kind == Message && p.Said == "" {
			t.Errorf("%s: %s of %q, says %q", name, p.Kind, p.Board, p.Said)
		}
	}
}

// ask is what a family makes of addresses.
func TestAddressesOfFamiliesWithoutForms(t *testing.T) {
	for _, c := range []struct{ board, base, thread, first, post, from string }{
		{"invision", "https://forum.example/", "31", "https://forum.example/index.php?mode=linear&showtopic=31", "501", "https://forum.example/index.php?p=501&showtopic=31&view=findpost"},
		{"nodebb", "https://forum.example/", "31", "https://forum.example/topic/31?sort=oldest_to_newest", "501", "https://forum.example/post/501?sort=oldest_to_newest"},
		{"discourse", "https://forum.example/talk/", "31", "https://forum.example/talk/t/31.json", "501", ""},
		{"flarum", "https://forum.example/", "31", "https://forum.example/api/posts?filter%5Bdiscussion%5D=31&page%5Blimit%5D=50&sort=number", "501", ""},
		{"boardgamegeek", "https://boardgamegeek.com/", "31", "https://boardgamegeek.com/xmlapi2/thread?count=500&id=31", "501", "https://boardgamegeek.com/xmlapi2/thread?count=500&id=31&minarticleid=501"},
	} {
		base, err := url.Parse(c.base)
		if err != nil {
			t.Fatal(err)
		}
		b := &Board{Name: "square", Address: base, View: View{Board: c.board}}
		first, err := b.Thread(c.thread)
		if err != nil || first != c.first {
			t.Errorf("%s: the thread is at %s (%v), wanted %s", c.board, first, err, c.first)
		}
		if again, err := b.Thread(first); again != c.first {
			t.Errorf("%s: the thread named by its address is at %s (%v), wanted %s", c.board, again, err, c.first)
		}
		if from := b.From(c.thread, c.post); from != c.from {
			t.Errorf("%s: the post is at %s, wanted %s", c.board, from, c.from)
		}
	}
	for address, want := range map[string]string{
		"https://forum.example/topic/318-wars-of-the-roses/page/4/":    "318",
		"https://forum.example/index.php?/topic/318-wars/":             "318",
		"https://forum.example/index.php?showtopic=318&st=20":          "318",
		"https://forum.example/index.php?s=&showtopic=318&view=getnew": "318",
	} {
		if got := invision.threadOf(address); got != want {
			t.Errorf("%s is of thread %q", address, got)
		}
	}
	for address, want := range map[string]string{
		"https://forum.example/t/31.json": "31", "https://forum.example/t/spring-war/31": "31", "https://forum.example/t/spring-war/31/7": "31", "https://forum.example/t/31/7": "31",
		"https://forum.example/t/31/posts.json?post_ids[]=5": "31", "https://forum.example/t/-/31": "31", "https://forum.example/t/2026-war/31.json": "31", "https://forum.example/u/31": "",
	} {
		if got := discourse.threadOf(address); got != want {
			t.Errorf("%s is of thread %q", address, got)
		}
	}
	for address, want := range map[string]string{"https://forum.example/d/55-round-3/7": "55", "https://forum.example/d/55": "55", "https://forum.example/api/discussions/55": "55", "https://forum.example/u/55": ""} {
		if got := flarum.threadOf(address); got != want {
			t.Errorf("%s is of thread %q", address, got)
		}
	}
	for address, want := range map[string]string{"https://boardgamegeek.com/thread/31/spring-war": "31", "https://boardgamegeek.com/thread/31/article/501#501": "31", "https://boardgamegeek.com/thread/31": "31"} {
		if got := boardgamegeek.threadOf(address); got != want {
			t.Errorf("%s is of thread %q", address, got)
		}
	}
}
