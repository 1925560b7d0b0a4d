package forum

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// phpbb2Thread is a page of a Russian phpBB 2 that does not say its charset; its title is cut in the middle of an entity.
const phpbb2Thread = `<html dir="ltr"><head><link rel="prev" href="viewtopic.php?t=2&amp;view=previous" /><link rel="next" href="viewtopic.php?t=2&amp;view=next&amp;sid=0123456789abcdef0123456789abcdef" title="View next topic" /><title>b :: View topic - Игра &quot;тест&qu</title></head><body>
<table><tr><td class="bodyline"><table><tr><td align="left" valign="bottom" colspan="2"><a class="maintitle" href="viewtopic.php?t=2&amp;start=15&amp;postdays=0&amp;postorder=asc&amp;highlight=&amp;sid=0123456789abcdef0123456789abcdef">Игра &quot;тест&qu</a><br />
<span class="gensmall"><b>На страницу <a href="viewtopic.php?t=2&amp;postdays=0&amp;postorder=asc&amp;start=0">Пред.</a>&nbsp;&nbsp;<a href="viewtopic.php?t=2&amp;postdays=0&amp;postorder=asc&amp;start=0">1</a>, <b>2</b>, <a href="viewtopic.php?t=2&amp;postdays=0&amp;postorder=asc&amp;start=30&amp;sid=0123456789abcdef0123456789abcdef">3</a> ... <a href="viewtopic.php?t=2&amp;postdays=0&amp;postorder=asc&amp;start=120">9</a>&nbsp;&nbsp;<a href="viewtopic.php?t=2&amp;postdays=0&amp;postorder=asc&amp;start=30">След.</a></b></span></td></tr></table>
<table class="forumline" width="100%"><tr><th class="thLeft">Автор</th><th class="thRight">Сообщение</th></tr>
<tr><td width="150" class="row1"><span class="name"><a name="33"></a><b>Вера</b></span><br /><span class="postdetails">Мастер: 1<br />Зарегистрирован: 30 Ноя 2005</span></td>
<td class="row1"><table width="100%"><tr><td width="100%"><a href="viewtopic.php?p=33&amp;sid=0123456789abcdef0123456789abcdef#33"></a><span class="postdetails">Добавлено: Сб 14 Мар, 2026 15:00<span class="gen">&nbsp;</span>&nbsp; &nbsp;Заголовок сообщения: Ход: два</span></td><td valign="top" nowrap="nowrap">   </td></tr><tr><td colspan="2"><hr /></td></tr>
<tr><td colspan="2"><span class="postbody"></span><table width="90%" align="center"><tr><td><span class="genmed"><b>Глеб писал(а):</b></span></td></tr><tr><td class="quote"></span><table width="90%"><tr><td><span class="genmed"><b>Цитата:</b></span></td></tr><tr><td class="quote">СЛУЖИТЬ Глебу</td></tr></table><span class="postbody">СЛУЖИТЬ Олегу</td></tr></table><span class="postbody">
<br />
<span style="font-weight: bold">СЛУ</span><span style="font-weight: bold">ЖИТЬ</span> Вере <img src="images/smiles/icon_smile.gif" alt="Smile" border="0" />
<br />
</span><table width="90%" align="center"><tr><td><span class="genmed"><b>Код:</b></span></td></tr><tr><td class="code">HL2&nbsp; &nbsp;W4
<br />
_________________
<br />
HL3</td></tr></table><span class="postbody">
<br />
<ul><li>раз<li>два</ul><a href="viewtopic.php?t=2&amp;start=16">здесь</a> [b]конец<br />_________________<br />СЛУЖИТЬ <b>всем</b><br />_________________<br />и себе</span><span class="gensmall"><br /><br />Последний раз редактировалось: Вера (Сб 14 Мар, 2026 15:10), всего редактировалось 1 раз</span></td></tr></table></td></tr>
<tr><td class="row1"><span class="nav"><a href="#top" class="nav">Вернуться к началу</a></span></td><td class="row1"><table><tr><td valign="middle" nowrap="nowrap"><a href="profile.php?mode=viewprofile&amp;u=9&amp;sid=0123456789abcdef0123456789abcdef"></a> <a href="http://evil.example/?mode=viewprofile&amp;u=2"></a></td></tr></table></td></tr>
<tr><td class="spaceRow" colspan="2" height="1"><img src="templates/subSilver/images/spacer.gif" alt="" /></td></tr>
<tr><td width="150" class="row2"><span class="name"><a name="34"></a><b>Админ</b></span><br /><span class="postdetails">Гость</span></td>
<td class="row2"><table width="100%"><tr><td width="100%"><a href="viewtopic.php?p=34#34"></a><span class="postdetails">Добавлено: Сб 14 Мар, 2026 15:01<span class="gen">&nbsp;</span>&nbsp; &nbsp;Заголовок сообщения: </span></td><td></td></tr><tr><td colspan="2"><hr /></td></tr><tr><td colspan="2"><span class="postbody">привет</span><span class="gensmall"></span></td></tr></table></td></tr>
<tr><td class="row2"><span class="nav"><a href="#top" class="nav">Вернуться к началу</a></span></td><td class="row2"><table><tr><td valign="middle" nowrap="nowrap"> </td></tr></table></td></tr>
<tr align="center"><td class="catBottom" colspan="2"><form method="post" action="viewtopic.php?t=2&amp;start=15"></form></td></tr></table>
<table><tr><td align="right"><span class="gensmall">Часовой пояс: GMT + 3</span><br /><span class="nav">На страницу <a href="viewtopic.php?t=2&amp;postdays=0&amp;postorder=asc&amp;start=0">1</a>, <b>2</b>, <a href="viewtopic.php?t=2&amp;postdays=0&amp;postorder=asc&amp;start=30">3</a></span></td></tr><tr><td colspan="3"><span class="nav">Страница <b>2</b> из <b>9</b></span></td></tr></table>
</td></tr></table></body></html>`

func TestPhpBB2(t *testing.T) {
	body, err := charmap.Windows1251.NewEncoder().String(phpbb2Thread)
	if err != nil {
		t.Fatal(err)
	}
	p := Read(answered("http://b.example/viewtopic.php?p=33", body), View{Board: "phpbb2"})
	comparePosts(t, p, []wanted{
		{"33", "Вера", "9", true, []string{"СЛУЖИТЬ Вере Smile", "HL2 W4", "_________________", "HL3", "раз", "два", "здесь [b]конец"}}, // F1, F2, F3, F5, F6, F7, F26, F28
		{"34", "Админ", "", false, []string{"привет"}}, // F33
	})
	if p.Thread != "2" || p.Mark != 2 || p.Total != -1 || p.Title != `Игра "тест&qu` { // F29
		t.Errorf("thread %q %q, page %d, %d posts in all", p.Thread, p.Title, p.Mark, p.Total)
	}
	if p.Next != "http://b.example/viewtopic.php?t=2&postdays=0&postorder=asc&start=30" || p.Address != "http://b.example/viewtopic.php?t=2&start=15&postdays=0&postorder=asc&highlight=" {
		t.Errorf("F42: next %q of %q", p.Next, p.Address)
	}
	if got := p.Posts[0]; got.Subject != "Ход: два" || got.Permalink != "http://b.example/viewtopic.php?p=33#33" {
		t.Errorf("%+v", got)
	}
	page := parsed(t, phpbb2Thread)
	if got := fold(subSilver.dateOf(page.Find(`a[name="33"]`).Closest("tr"), page)); got != "Сб 14 Мар, 2026 15:00" {
		t.Errorf("the date is %q", got)
	}
}

func TestF15PhpBB2PagesEnd(t *testing.T) {
	const page = `<a class="maintitle" href="viewtopic.php?t=2&amp;start=%d">x</a><link rel="next" href="viewtopic.php?t=2&amp;view=next" /><span class="nav">%s</span><table class="forumline"><tr><td><span class="name"><a name="1"></a><b>V</b></span><table><tr><td colspan="2"><span class="postbody">a <a href="viewtopic.php?t=2&amp;start=46">b</a></span></td></tr></table></td></tr></table>`
	const pages = `<a href="viewtopic.php?t=2&amp;start=45">4</a> <a href="viewtopic.php?t=2&amp;start=15">2</a> <a href="viewtopic.php?t=3&amp;start=20">other</a> <a href="viewtopic.php?t=2&amp;start=30">3</a> <a href="viewtopic.php?t=2&amp;start=0">1</a>`
	for start, want := range map[int]string{0: "15", 15: "30", 30: "45", 45: "", 90: ""} {
		p := Read(answered("http://b.example/viewtopic.php?t=2&start=15", fmt.Sprintf(page, start, pages)), View{})
		if want != "" {
			want = "http://b.example/viewtopic.php?t=2&start=" + want
		}
		if p.Kind != Thread || p.Next != want {
			t.Errorf("behind %d comes %q on a page of kind %s", start, p.Next, p.Kind)
		}
	}
}

func TestF8WhatPhpBB2WritesAnewChangesNoHash(t *testing.T) {
	read := func(page string) string {
		return Read(answered("http://b.example/viewtopic.php?p=33", page), View{}).Posts[0].Hash
	}
	first := read(phpbb2Thread)
	for _, change := range [][2]string{{"всего редактировалось 1 раз", "всего редактировалось 2 раз"}, {"СЛУЖИТЬ <b>всем</b>", "new signature"}, {"0123456789abcdef", "fedcba9876543210"}} {
		if page := strings.ReplaceAll(phpbb2Thread, change[0], change[1]); page == phpbb2Thread || read(page) != first {
			t.Errorf("%q for %q changed the hash", change[1], change[0])
		}
	}
	if read(strings.Replace(phpbb2Thread, "СЛУЖИТЬ Олегу", "СЛУЖИТЬ Ивану", 1)) == first {
		t.Error("another quote did not change the hash")
	}
}

func TestPhpBB2PagesWithoutPosts(t *testing.T) {
	const head = `<html><body><span class="maintitle">b</span>`
	for name, c := range map[string]struct {
		html string
		kind Kind
		said string
	}{
		"F21 no topic": {head + `<table class="forumline"><tr><th class="thHead" height="25"><b>Information</b></th></tr><tr><td class="row1"><table><tr><td align="center"><span class="gen">No posts exist for this topic</span></td></tr></table></td></tr></table>`, Message, "No posts exist for this topic"},
		"F21 log in":   {head + `<form action="login.php" method="post"><table class="forumline"><tr><th height="25" class="thHead" nowrap="nowrap">Log in.</th></tr><tr><td class="row1"><input type="password" name="password" /></td></tr></table></form>`, Login, "Log in."},
		"reply form":   {head + `<form action="posting.php" method="post" name="post"><table class="forumline"><tr><th class="thHead" colspan="2" height="25"><b>Post a reply</b></th></tr><tr><td class="row1">Subject</td><td><textarea name="message"></textarea></td></tr></table></form>`, Form, ""},
		"topic review": {head + `<table class="forumline"><tr><th class="thCornerL">Author</th><th class="thCornerR">Message</th></tr><tr><td class="row1"><span class="name"><a name=""></a><b>Vera</b></span></td><td><table><tr><td colspan="2"><span class="postbody">VOTE Oleg</span></td></tr></table></td></tr></table>`, Unreadable, ""},
		"F40 theme":    {head + `<table class="forumline"><tr><td><a id="m1">Vera</a> VOTE Oleg</td></tr></table>`, Unreadable, ""},
	} {
		if p := Read(answered("http://b.example/viewtopic.php?t=1", c.html), View{}); p.Board != "phpbb2" || p.Kind != c.kind || p.Said != c.said || len(p.Posts) > 0 || (c.kind == Unreadable) != (len(p.Problems) > 0) {
			t.Errorf("%s: kind %s of %s, says %q, %d posts, problems %q", name, p.Kind, p.Board, p.Said, len(p.Posts), p.Problems)
		}
	}
}

func TestPhpBB2Addresses(t *testing.T) {
	addressing{phpbb2, "http://b.example/forum/viewtopic.php?t=77&postdays=0&postorder=asc", "http://b.example/forum/viewtopic.php?p=502&postdays=0&postorder=asc", map[string]string{
		"http://b.example/viewtopic.php?t=90&start=15": "90",
		"http://b.example/viewtopic.php?p=502#502":     "",
	}}.test(t)
}
