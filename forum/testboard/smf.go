package testboard

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// smf20 is SMF 2.0.
var smf20 = &Skin{
	Name: "smf20", Family: "smf", Size: 15, Cookie: "PHPSESSID", Linked: "PHPSESSID",
	Address: smfAddress(15), Ask: smfAsk, Date: smf20Date, Noted: smfNoted, Markup: smf20Markup,
	PastEnd: EndLast, Lost: true, Missing: Missing{Status: http.StatusOK, Template: "login", Said: smfMissing},
	Words: map[string]map[string]string{"ru": {
		"Pages": "Страницы", "Reply #": "Ответ #", "on": "", "Go Down": "Вниз", "Last Edit": "Последнее редактирование", "by": "от", "Guest": "Гость",
	}},
}

func smfAddress(size int) func(thread, page int) string {
	return func(thread, page int) string { return fmt.Sprintf("/index.php?topic=%d.%d", thread, (page-1)*size) }
}

var smfTopic = regexp.MustCompile(`^(\d+)(?:\.(\d+|msg\d+|new))?$`)

func smfAsk(r *http.Request, _ int) *Want {
	q := r.URL.Query()
	if id := numberOf(q.Get("msg")); id > 0 {
		return &Want{Post: id}
	}
	m := smfTopic.FindStringSubmatch(q.Get("topic"))
	if m == nil || q.Has("action") {
		return nil
	}
	w := &Want{Thread: numberOf(m[1]), Start: numberOf(m[2]), Last: m[2] == "new"}
	if msg, ok := strings.CutPrefix(m[2], "msg"); ok {
		w.Post = numberOf(msg)
	}
	return w
}

func smf20Date(t, now time.Time, language string) string {
	clock, today, yesterday, at := t.Format("03:04:05 PM"), "Today", "Yesterday", "at"
	if language == "ru" {
		clock, today, yesterday, at = t.Format("15:04:05"), "Сегодня", "Вчера", "в"
	}
	switch t.Format(time.DateOnly) {
	case now.Format(time.DateOnly):
		return "<strong>" + today + "</strong> " + at + " " + clock
	case now.AddDate(0, 0, -1).Format(time.DateOnly):
		return "<strong>" + yesterday + "</strong> " + at + " " + clock
	}
	month := t.Month().String()
	if language == "ru" {
		month = []string{"Января", "Февраля", "Марта", "Апреля", "Мая", "Июня", "Июля", "Августа", "Сентября", "Октября", "Ноября", "Декабря"}[t.Month()-1]
	}
	return month + t.Format(" 02, 2006, ") + clock
}

// smfNoted: the author leaves no note within 90 seconds.
func smfNoted(e Edit, after time.Duration) bool { return e.Staff || after > 90*time.Second }

var smf20Markup = Markup{
	Tags: map[string]func(arg, inner string) string{
		"b": around("<strong>", "</strong>"), "i": around("<em>", "</em>"), "u": around(`<span class="bbc_u">`, "</span>"), "s": around("<del>", "</del>"),
		"color": withArg(`<span style="color: %s;" class="bbc_color">`, `</span>`), "size": withArg(`<span style="font-size: %s;" class="bbc_size">`, `</span>`),
		"img": func(_, inner string) string {
			return `<img src="` + stripTags.ReplaceAllString(inner, "") + `" alt="" class="bbc_img" />`
		},
	},
	Quote: func(q Quoted) string {
		head := "Quote"
		if q.Name != "" {
			head = "Quote from: " + q.Name
			if q.Post > 0 {
				head = fmt.Sprintf(`<a href="index.php?topic=1.msg%d#msg%d">Quote from: %s on %s</a>`, q.Post, q.Post, q.Name, q.Date)
			}
		}
		return `<div class="quoteheader"><div class="topslice_quote">` + head + `</div></div><blockquote class="bbc_standard_quote">` + q.Inner +
			`</blockquote><div class="quotefooter"><div class="botslice_quote"></div></div>`
	},
	Code: func(text string) string {
		text = strings.NewReplacer("\n", "<br />", "  ", "&nbsp; ", "\t", `<span style="white-space: pre;">`+"\t</span>").Replace(text)
		return `<div class="codeheader">Code: <a href="#" onclick="return smfSelectText(this);" class="codeoperation">[Select]</a></div><code class="bbc_code">` + text + `</code>`
	},
	List: func(list []string, _ bool) string {
		return `<ul class="bbc_list"><li>` + strings.Join(list, "</li><li>") + "</li></ul>"
	},
	Link: func(href, text string) string {
		return `<a href="` + href + `" class="bbc_link" target="_blank">` + text + `</a>`
	},
	Smilies: map[string]string{
		":)": `<img src="/Smileys/default/smiley.gif" alt="&#58;&#41;" title="Smiley" class="smiley" />`,
		"8)": `<img src="/Smileys/default/cool.gif" alt="8&#41;" title="Cool" class="smiley" />`,
	},
	Break: "<br />",
	Stray: StrayClosed,
}
