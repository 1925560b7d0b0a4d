package testboard

import (
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// vbulletin3 is vBulletin 3.8, which has no classes in what people wrote.
var vbulletin3 = &Skin{
	Name: "vbulletin3", Family: "vbulletin", Size: 10, Cookie: "bbsessionhash", Linked: "s",
	Address: func(thread, page int) string {
		if page > 1 {
			return fmt.Sprintf("/showthread.php?t=%d&page=%d", thread, page)
		}
		return fmt.Sprintf("/showthread.php?t=%d", thread)
	},
	Ask: vbulletinAsk, Date: vbulletinDate, Noted: vbulletinNoted, Markup: vbulletinMarkup,
	PastEnd: EndRedirect, Trash: true, Missing: Missing{Status: http.StatusOK, Said: "No Thread specified."},
}

// vbulletin4 is vBulletin 4.2.
var vbulletin4 = &Skin{
	Name: "vbulletin4", Family: "vbulletin", Size: 10, Cookie: "bb_sessionhash", Linked: "s",
	Address: func(thread, page int) string {
		if page > 1 {
			return fmt.Sprintf("/showthread.php/%d-Thread/page%d", thread, page)
		}
		return fmt.Sprintf("/showthread.php/%d-Thread", thread)
	},
	Ask: vbulletinAsk, Date: vbulletinDate, Noted: vbulletinNoted, Markup: boxed(vbulletinMarkup),
	PastEnd: EndRedirect, Trash: true, Missing: Missing{Status: http.StatusOK, Said: "Invalid Thread specified."},
}

// vbulletin5 is vBulletin 5.
var vbulletin5 = &Skin{
	Name: "vbulletin5", Family: "vbulletin", Size: 10, Cookie: "bbsessionhash",
	Address: func(thread, page int) string {
		if page > 1 {
			return fmt.Sprintf("/forum/games/%d-thread/page%d", thread, page)
		}
		return fmt.Sprintf("/forum/games/%d-thread", thread)
	},
	Ask: vbulletinAsk, Date: vbulletinDate, Noted: vbulletinNoted, Markup: boxed(vbulletinMarkup),
	PastEnd: EndRedirect, Trash: true, Missing: Missing{Said: "The page you requested could not be found."},
}

var vbulletinPath = regexp.MustCompile(`^/(?:showthread\.php|forum/games)/(\d+)-[^/]*(?:/page(\d+))?$`)

func vbulletinAsk(r *http.Request, _ int) *Want {
	q := r.URL.Query()
	if m := vbulletinPath.FindStringSubmatch(r.URL.Path); m != nil {
		return &Want{Thread: numberOf(m[1]), Page: numberOf(m[2]), Post: numberOf(q.Get("p")), Forced: q.Get("mode") == "linear"}
	}
	if path.Base(r.URL.Path) != "showthread.php" {
		return nil
	}
	return &Want{Thread: numberOf(q.Get("t")), Post: numberOf(q.Get("p")), Page: numberOf(q.Get("page")), Forced: q.Get("mode") == "linear"}
}

func vbulletinDate(t, now time.Time, _ string) string {
	day := t.Format("01-02-2006")
	switch t.Format(time.DateOnly) {
	case now.Format(time.DateOnly):
		day = "Today"
	case now.AddDate(0, 0, -1).Format(time.DateOnly):
		day = "Yesterday"
	}
	return day + t.Format(", 03:04 PM")
}

// vbulletinNoted: authors leave no trace for about two minutes, moderators never but with a reason.
func vbulletinNoted(e Edit, after time.Duration) bool {
	if e.Staff {
		return e.Reason != ""
	}
	return after > 2*time.Minute
}

var vbulletinMarkup = Markup{
	Tags: map[string]func(arg, inner string) string{
		"b": around("<b>", "</b>"), "i": around("<i>", "</i>"), "u": around("<u>", "</u>"),
		"color": withArg(`<font color="%s">`, `</font>`), "size": withArg(`<font size="%s">`, `</font>`),
		"img": func(_, inner string) string {
			return `<img src="` + stripTags.ReplaceAllString(inner, "") + `" border="0" alt="" />`
		},
	},
	Quote: func(q Quoted) string {
		return `<div style="margin:20px; margin-top:5px; ">` + "\n" + `<div class="smallfont" style="margin-bottom:2px">Quote:</div>` + "\n" +
			`<table cellpadding="6" cellspacing="0" border="0" width="100%">` + "\n<tr>\n" + `<td class="alt2" style="border:1px inset">` + "\n" + vbulletinOrigin(q, "<div>", "images/buttons/viewpost.gif") +
			`<div style="font-style:italic">` + q.Inner + "</div>\n</td>\n</tr>\n</table>\n</div>"
	},
	Code: func(text string) string {
		return `<div style="margin:20px; margin-top:5px">` + "\n" + `<div class="smallfont" style="margin-bottom:2px">Code:</div>` + "\n" +
			`<pre class="alt2" dir="ltr" style="margin: 0px; padding: 6px; border: 1px inset; width: 640px; height: 50px; text-align: left; overflow: auto">` + text + "</pre>\n</div>"
	},
	List: items,
	Link: func(href, text string) string {
		if text == href && len(text) > 55 {
			text = text[:36] + "..." + text[len(text)-14:]
		}
		return `<a href="` + href + `" target="_blank">` + text + `</a>`
	},
	Smilies: map[string]string{
		":)": `<img src="images/smilies/smile.gif" border="0" alt="" title="Smile" class="inlineimg" />`,
		":D": `<img src="images/smilies/biggrin.gif" border="0" alt="" title="Big Grin" class="inlineimg" />`,
	},
	Break: "<br />\n",
	Stray: StrayPrinted,
}

// boxed is the markup of versions 4 and 5: quotes and code stand in boxes with classes.
func boxed(m Markup) Markup {
	m.Quote = func(q Quoted) string {
		return `<div class="bbcode_container">` + "\n" + `<div class="bbcode_quote">` + "\n" + `<div class="quote_container">` + "\n" + `<div class="bbcode_quote_container"></div>` + "\n" +
			vbulletinOrigin(q, `<div class="bbcode_postedby"><img src="images/misc/quote_icon.png" alt="Quote" /> `, "images/buttons/viewpost-right.png") +
			`<div class="message">` + q.Inner + "</div>\n</div>\n</div>\n</div>"
	}
	m.Code = func(text string) string {
		return `<div class="bbcode_container">` + "\n" + `<div class="bbcode_description">Code:</div>` + "\n" + `<pre class="bbcode_code" style="height:72px;">` + text + "</pre>\n</div>"
	}
	return m
}

// vbulletinOrigin tells whom a quote is of.
func vbulletinOrigin(q Quoted, open, image string) string {
	if q.Name == "" {
		return ""
	}
	link := ""
	if q.Post > 0 {
		id := strconv.Itoa(q.Post)
		link = ` <a href="showthread.php?p=` + id + `#post` + id + `" rel="nofollow"><img class="inlineimg" src="` + image + `" border="0" alt="View Post" /></a>`
	}
	return open + `Originally Posted by <strong>` + strings.TrimSpace(q.Name) + `</strong>` + link + "</div>\n"
}
