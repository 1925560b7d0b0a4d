package testboard

import (
	"fmt"
	"net/http"
	"path"
	"strconv"
	"time"
)

// phpbb33 is phpBB 3.3 with its own theme, prosilver.
var phpbb33 = &Skin{
	Name: "phpbb33", Family: "phpbb", Size: 10, Cookie: "phpbb3_sid", Linked: "sid",
	Address: phpbbAddress, Ask: phpbbAsk, Date: phpbbDate, Noted: phpbbNoted, Markup: phpbbMarkup,
	Serve: phpbbServe, PastEnd: EndLast, Lost: true, Trash: true, Missing: Missing{Said: "The requested topic does not exist."},
	Words: map[string]map[string]string{"de": {
		"posts": "Beiträge", "by": "von", "Last edited by": "Zuletzt geändert von", "on": "am", "edited %d time in total.": "insgesamt %d-mal geändert.", "Reason:": "Grund:",
		"All times are": "Alle Zeiten sind", "Post Reply": "Antworten", "Next": "Nächste", "Previous": "Vorherige", "Information": "Information",
	}},
}

func phpbbAddress(thread, page int) string {
	if page > 1 {
		return fmt.Sprintf("/viewtopic.php?t=%d&start=%d", thread, (page-1)*10)
	}
	return fmt.Sprintf("/viewtopic.php?t=%d", thread)
}

func phpbbAsk(r *http.Request, _ int) *Want {
	q := r.URL.Query()
	if path.Base(r.URL.Path) != "viewtopic.php" {
		return nil
	}
	w := &Want{Thread: numberOf(q.Get("t")), Post: numberOf(q.Get("p")), Start: numberOf(q.Get("start")), Forced: q.Get("sd") == "a", Newest: q.Get("sd") == "d"}
	if q.Has("st") && q.Get("st") != "0" {
		w.Filters = 1
	}
	return w
}

// numberOf is a number out of an address, 0 for none.
func numberOf(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func phpbbDate(t, now time.Time, language string) string {
	ago := now.Sub(t)
	if language == "de" {
		if ago >= 0 && ago < time.Hour {
			return fmt.Sprintf("vor %d Minuten", int(ago.Minutes()))
		}
		days, months := []string{"So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"}, []string{"Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"}
		return fmt.Sprintf("%s %d %s %d, %s", days[t.Weekday()], t.Day(), months[t.Month()-1], t.Year(), t.Format("15:04"))
	}
	if ago >= 0 && ago < time.Hour {
		return fmt.Sprintf("%d minutes ago", int(ago.Minutes()))
	}
	return t.Format("Mon Jan 02, 2006 3:04 pm")
}

// phpbbNoted: an edit of the last post by its author leaves no note, a moderator's only with a reason.
func phpbbNoted(e Edit, _ time.Duration) bool {
	if e.Staff {
		return e.Reason != ""
	}
	return !e.Last
}

var phpbbMarkup = Markup{
	Tags: map[string]func(arg, inner string) string{
		"b": around(`<strong class="text-strong">`, `</strong>`), "i": around(`<em class="text-italics">`, `</em>`),
		"u": around(`<span style="text-decoration:underline">`, `</span>`), "color": withArg(`<span style="color:%s">`, `</span>`), "size": withArg(`<span style="font-size:%s%%;line-height:116%%">`, `</span>`),
		"img": func(_, inner string) string {
			return `<img src="` + stripTags.ReplaceAllString(inner, "") + `" class="postimage" alt="Image">`
		},
	},
	Quote: func(q Quoted) string {
		head := ""
		if q.Name != "" {
			head = "<cite>" + q.Name + " wrote:</cite>"
			if q.Post > 0 {
				head = fmt.Sprintf(`<cite><a href="%s">%s</a> wrote: <a href="%s" aria-label="View quoted post" data-post-id="%d"></a><span class="responsive-hide">%s</span></cite>`,
					escaped(q.Page.Link(fmt.Sprintf("./memberlist.php?mode=viewprofile&u=%d", q.User))), q.Name, escaped(q.Page.Link(fmt.Sprintf("./viewtopic.php?p=%d#p%d", q.Post, q.Post))), q.Post, q.Date)
			}
		}
		if head == "" {
			return `<blockquote class="uncited"><div>` + q.Inner + `</div></blockquote>` + "\n"
		}
		return `<blockquote><div>` + head + q.Inner + `</div></blockquote>` + "\n"
	},
	Code: func(text string) string {
		return `<div class="codebox"><p>Code: <a href="#">Select all</a></p><pre><code>` + text + `</code></pre></div>` + "\n"
	},
	List: items,
	Link: func(href, text string) string {
		return `<a href="` + href + `" class="postlink">` + text + `</a>`
	},
	Smilies: map[string]string{
		":)": `<img class="smilies" src="./images/smilies/icon_e_smile.gif" width="15" height="17" alt=":)" title="Smile">`,
		"8)": `<img class="smilies" src="./images/smilies/icon_cool.gif" width="15" height="17" alt="8)" title="Cool">`,
		":D": `<img class="smilies" src="./images/smilies/icon_e_biggrin.gif" width="15" height="17" alt=":D" title="Very Happy">`,
	},
	Emoji: func(r string) string {
		return `<img alt="` + r + `" class="emoji smilies" draggable="false" src="//cdn.forum.example/emoji/1f3b2.svg">`
	},
	Stray: StrayClosed,
}
