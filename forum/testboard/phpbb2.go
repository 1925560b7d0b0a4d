package testboard

import (
	"fmt"
	"net/http"
	"path"
	"time"
)

// phpbb2 is phpBB 2 with its own theme, subSilver, in windows-1251.
var phpbb2 = &Skin{
	Name: "phpbb2", Family: "phpbb2", Size: 15, Charset: "windows-1251", Cookie: "phpbb2mysql_sid", Linked: "sid",
	Address: phpbb2Address, Ask: phpbb2Ask, Date: phpbb2Date, Clock: phpbb2Clock, Markup: phpbb2Markup,
	Noted:   func(e Edit, _ time.Duration) bool { return !e.Staff && !e.Last },
	Serve:   phpbb2Serve,
	PastEnd: EndMessage, Missing: Missing{Status: http.StatusOK, Said: "The topic or post you requested does not exist"},
	Words: map[string]map[string]string{"ru": {
		"Posted:": "Добавлено:", "Post subject:": "Заголовок сообщения:", "Goto page": "На страницу", "Next": "След.", "Previous": "Пред.", "Page": "Страница", "of": "из", "Author": "Автор", "Message": "Сообщение",
		"Joined:": "Зарегистрирован:", "All times are": "Часовой пояс:", "Last edited by %s on %s; edited %d time in total": "Последний раз редактировалось: %s (%s), всего редактировалось %d раз",
		"Information": "Информация", "Log in": "Вход",
	}},
}

func phpbb2Address(thread, page int) string {
	return fmt.Sprintf("/viewtopic.php?t=%d&start=%d", thread, (page-1)*15)
}

func phpbb2Ask(r *http.Request, _ int) *Want {
	q := r.URL.Query()
	if path.Base(r.URL.Path) != "viewtopic.php" {
		return nil
	}
	w := &Want{Thread: numberOf(q.Get("t")), Post: numberOf(q.Get("p")), Start: numberOf(q.Get("start")), Forced: q.Get("postorder") == "asc", Newest: q.Get("postorder") == "desc"}
	w.Filters = min(1, numberOf(q.Get("postdays")))
	return w
}

func phpbb2Date(t, _ time.Time, language string) string {
	if language == "ru" {
		return russianDate(t)
	}
	return t.Format("Mon Jan 02, 2006 3:04 pm")
}

func phpbb2Clock(now time.Time, _ string) string {
	_, offset := now.Zone()
	if offset == 0 {
		return "GMT"
	}
	return "GMT " + signedHours(offset) + " Hours"
}

// phpbb2Serve answers to guests who want to reply. Nobody can log in or post here.
func phpbb2Serve(x *Exchange) bool {
	switch path.Base(x.R.URL.Path) {
	case "posting.php":
		x.Redirect(http.StatusFound, "/login.php?redirect="+x.R.URL.RequestURI()[1:])
	case "login.php":
		x.Page(http.StatusOK, "login", x.form("Log in", Form{Action: "login.php", Hidden: []Field{{"redirect", x.R.URL.Query().Get("redirect")}}}))
	default:
		return false
	}
	return true
}

var phpbb2Markup = Markup{
	Tags: struckTags(`<span style="text-decoration: line-through">`),
	Quote: func(q Quoted) string {
		head := "Quote:"
		if q.Name != "" {
			head = q.Name + " wrote:"
		}
		return phpbb2Box(head, "quote", q.Inner)
	},
	Code: func(text string) string { return phpbb2Box("Code:", "code", hardSpaced(text, "\n<br />\n")) },
	List: items,
	Link: func(href, text string) string {
		return `<a href="` + href + `" target="_blank" class="postlink">` + text + `</a>`
	},
	Smilies: map[string]string{
		":)": `<img src="images/smiles/icon_smile.gif" alt="Smile" border="0" />`,
		"8)": `<img src="images/smiles/icon_cool.gif" alt="Cool" border="0" />`,
	},
	Break: "\n<br />\n",
	Stray: StrayPrinted,
}

// phpbb2Box is a box of a quote or of code. It closes the element that a text is in, and opens it again.
func phpbb2Box(head, class, inner string) string {
	return `</span><table width="90%" cellspacing="1" cellpadding="3" border="0" align="center"><tr> 	  <td><span class="genmed"><b>` + head + `</b></span></td>	</tr>	<tr>	  <td class="` + class + `">` +
		inner + `</td>	</tr></table><span class="postbody">`
}
