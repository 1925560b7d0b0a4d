package testboard

import (
	"fmt"
	"maps"
	"strings"
	"time"
)

// phpbb30 is phpBB 3.0 with its own theme, prosilver.
var phpbb30 = oldPhpbb("phpbb30", phpbb30Markup)

// subsilver2 is phpBB 3.0 with its theme of tables.
var subsilver2 = oldPhpbb("subsilver2", subsilver2Markup)

func oldPhpbb(name string, m Markup) *Skin {
	s := *phpbb33
	s.Name, s.Markup, s.Date, s.Clock, s.Trash = name, m, phpbb30Date, phpbb30Clock, false
	s.Words = map[string]map[string]string{"ru": {
		"posts": "сообщений", "Page": "Страница", "of": "из", "by": "", "Post subject:": "Заголовок сообщения:", "Posted:": "Добавлено:", "Last edited by": "Последний раз редактировалось", "on": "",
		"edited %d time in total.": "всего редактировалось %d раз.", "All times are": "Часовой пояс:", "Next": "След.", "Previous": "Пред.", "Go to page": "На страницу", "Information": "Информация",
		"Author": "Автор", "Message": "Сообщение", "Post Reply": "Ответить",
	}}
	return &s
}

// phpbb30Clock names the zone without summer time, and says when that is on.
func phpbb30Clock(now time.Time, language string) string {
	unit, summer := "hour", " [ DST ]"
	if language == "ru" {
		unit, summer = "часа", " [ Летнее время ]"
	}
	_, offset := now.Zone()
	if !now.IsDST() {
		summer = ""
	} else {
		offset -= 3600
	}
	if offset == 0 {
		return "UTC" + summer
	}
	return "UTC " + signedHours(offset) + " " + unit + summer
}

// signedHours is an offset in hours: + 3, - 3:30.
func signedHours(offset int) string {
	sign := "+"
	if offset < 0 {
		sign, offset = "-", -offset
	}
	if offset%3600 == 0 {
		return fmt.Sprintf("%s %d", sign, offset/3600)
	}
	return fmt.Sprintf("%s %d:%02d", sign, offset/3600, offset/60%60)
}

func phpbb30Date(t, _ time.Time, language string) string {
	if language == "ru" {
		return russianDate(t)
	}
	return t.Format("Mon Jan 02, 2006 3:04 pm")
}

var (
	russianDays   = []string{"Вс", "Пн", "Вт", "Ср", "Чт", "Пт", "Сб"}
	russianMonths = []string{"Янв", "Фев", "Мар", "Апр", "May", "Июн", "Июл", "Авг", "Сен", "Окт", "Ноя", "Дек"}
)

// russianDate is that of Russian boards, where one month was forgotten.
func russianDate(t time.Time) string {
	return fmt.Sprintf("%s %02d %s, %d %s", russianDays[t.Weekday()], t.Day(), russianMonths[t.Month()-1], t.Year(), t.Format("15:04"))
}

var phpbb30Markup = Markup{
	Tags: spanTags,
	Quote: func(q Quoted) string {
		if q.Name == "" {
			return `<blockquote class="uncited"><div>` + q.Inner + `</div></blockquote>`
		}
		return `<blockquote><div><cite>` + q.Name + ` wrote:</cite>` + q.Inner + `</div></blockquote>`
	},
	Code: func(text string) string {
		return `<dl class="codebox"><dt>Code: <a href="#" onclick="selectCode(this); return false;">Select all</a></dt><dd><code>` + hardSpaced(text, "<br />") + `</code></dd></dl>`
	},
	List: items,
	Link: func(href, text string) string {
		return `<!-- m --><a class="postlink" href="` + href + `">` + shortened(text) + `</a><!-- m -->`
	},
	Smilies: map[string]string{
		":)": `<!-- s:) --><img src="./images/smilies/icon_e_smile.gif" alt=":)" title="Smile" /><!-- s:) -->`,
		"8)": `<!-- s8) --><img src="./images/smilies/icon_cool.gif" alt="8)" title="Cool" /><!-- s8) -->`,
	},
	Break: "<br />",
	Stray: StrayClosed,
}

var subsilver2Markup = func() Markup {
	m := phpbb30Markup
	m.Quote = func(q Quoted) string {
		head := "<b>Quote:</b>"
		if q.Name != "" {
			head = q.Name + " wrote:"
		}
		return `<div class="quotetitle">` + head + `</div><div class="quotecontent">` + q.Inner + `</div>`
	}
	m.Code = func(text string) string {
		return `<div class="codetitle"><b>Code:</b></div><div class="codecontent">` + hardSpaced(text, "<br />") + `</div>`
	}
	return m
}()

// spanTags are the tags of boards that make bold by style.
var spanTags = map[string]func(arg, inner string) string{
	"b": around(`<span style="font-weight: bold">`, `</span>`), "i": around(`<span style="font-style: italic">`, `</span>`), "u": around(`<span style="text-decoration: underline">`, `</span>`),
	"color": withArg(`<span style="color: %s">`, `</span>`), "size": withArg(`<span style="font-size: %s%%; line-height: normal">`, `</span>`),
	"img": func(_, inner string) string {
		return `<img src="` + stripTags.ReplaceAllString(inner, "") + `" alt="Image" />`
	},
}

// struckTags are those tags and one that strikes through, as a board adds it.
func struckTags(html string) map[string]func(arg, inner string) string {
	tags := maps.Clone(spanTags)
	tags["s"] = around(html, `</span>`)
	return tags
}

// hardSpaced keeps the blanks and line ends of a code box.
func hardSpaced(text, lineEnd string) string {
	return strings.NewReplacer("\t", "&nbsp; &nbsp;", "  ", "&nbsp; ", "\n", lineEnd).Replace(text)
}

// shortened is how a long address is shown.
func shortened(text string) string {
	if r := []rune(text); len(r) > 55 && strings.Contains(text, "://") && !strings.ContainsAny(text, " <") {
		return string(r[:39]) + " ... " + string(r[len(r)-10:])
	}
	return text
}
