package testboard

import (
	"fmt"
	"net/http"
	"path"
	"regexp"
	"time"
)

// invision4 is Invision Community 4.
var invision4 = &Skin{
	Name: "invision4", Family: "invision", Size: 25, Cookie: "ips4_IPSSessionFront",
	Address: func(thread, page int) string {
		if page > 1 {
			return fmt.Sprintf("/topic/%d-topic/page/%d/", thread, page)
		}
		return fmt.Sprintf("/topic/%d-topic/", thread)
	},
	Ask: func(r *http.Request, _ int) *Want {
		q := r.URL.Query()
		if m := invisionPath.FindStringSubmatch(r.URL.Path); m != nil {
			return &Want{Thread: numberOf(m[1]), Page: numberOf(m[2]), Post: numberOf(q.Get("comment"))}
		}
		return invisionAsk(r, 25)
	},
	Date: invisionDate, Markup: invisionMarkup,
	PastEnd: EndRedirect, Trash: true, Missing: Missing{Said: "We could not locate the item you are trying to view."},
}

// invision2 is Invision Power Board 2, as it still runs on Russian boards.
var invision2 = &Skin{
	Name: "invision2", Family: "invision", Size: 15, Charset: "windows-1251", Cookie: "ipb_session", Linked: "s",
	Address: func(thread, page int) string {
		if page > 1 {
			return fmt.Sprintf("/index.php?showtopic=%d&st=%d", thread, (page-1)*15)
		}
		return fmt.Sprintf("/index.php?showtopic=%d", thread)
	},
	Ask: invisionAsk, Date: invisionDate, Markup: ipbMarkup,
	PastEnd: EndLast, Missing: Missing{Status: http.StatusOK, Said: "Sorry, the link that brought you to this page seems to be out of date or broken."},
	Words: map[string]map[string]string{"ru": {
		"Group:": "Группа:", "Members": "Участники", "Post": "Сообщение", "Pages": "страниц", "Next page": "Следующая страница", "Board Message": "Сообщение форума",
		"This post has been edited by": "Сообщение отредактировал", "Log In": "Вход",
	}},
}

var invisionPath = regexp.MustCompile(`^/topic/(\d+)-[^/]*(?:/page/(\d+))?/?$`)

func invisionAsk(r *http.Request, _ int) *Want {
	q := r.URL.Query()
	if path.Base(r.URL.Path) != "index.php" || !q.Has("showtopic") {
		return nil
	}
	return &Want{Thread: numberOf(q.Get("showtopic")), Start: numberOf(q.Get("st")), Post: numberOf(q.Get("p")), Forced: q.Get("mode") == "linear"}
}

func invisionDate(t, now time.Time, language string) string {
	clock, day := t.Format("03:04 PM"), t.Format("Jan 2 2006")
	today, yesterday := "Today", "Yesterday"
	if language == "ru" {
		clock, day, today, yesterday = t.Format("15:04"), t.Format("2.1.2006"), "Сегодня", "Вчера"
	}
	switch t.Format(time.DateOnly) {
	case now.Format(time.DateOnly):
		day = today
	case now.AddDate(0, 0, -1).Format(time.DateOnly):
		day = yesterday
	}
	return day + ", " + clock
}

var invisionMarkup = Markup{
	Tags: map[string]func(arg, inner string) string{
		"b": around("<strong>", "</strong>"), "i": around("<em>", "</em>"), "u": around("<u>", "</u>"), "s": around("<s>", "</s>"),
		"spoiler": around(`<div class="ipsSpoiler" data-ipsspoiler=""><div class="ipsSpoiler_header"><span>Spoiler</span></div><div class="ipsSpoiler_contents ipsClearfix" data-gramm="false"><p>`, `</p></div></div>`),
	},
	Quote: func(q Quoted) string {
		return fmt.Sprintf(`</p><blockquote class="ipsQuote" data-ipsquote="" data-ipsquote-contentapp="forums" data-ipsquote-contentcommentid="%d" data-ipsquote-username="%s"><div class="ipsQuote_citation">On %s, %s said:</div><div class="ipsQuote_contents ipsClearfix"><p>%s</p></div></blockquote><p>`,
			q.Post, q.Name, q.Date, q.Name, q.Inner)
	},
	Code: func(text string) string { return `</p><pre class="ipsCode">` + text + `</pre><p>` },
	List: items,
	Link: func(href, text string) string {
		return `<a href="` + href + `" rel="external nofollow">` + text + `</a>`
	},
	Smilies: map[string]string{
		":)": `<img alt=":)" data-emoticon="" height="20" src="/uploads/emoticons/default_smile.png" title=":)" width="20">`,
		"8)": `<img alt="8)" data-emoticon="" height="20" src="/uploads/emoticons/default_cool.png" title="8)" width="20">`,
	},
	Emoji: func(r string) string { return `<span class="ipsEmoji">` + r + `</span>` },
	Mention: func(u User) string {
		return fmt.Sprintf(`<a contenteditable="false" data-ipshover="" data-mentionid="%d" href="/profile/%d-user/" rel="">@%s</a>`, u.ID, u.ID, escaped(u.Name))
	},
	Around: func(html string) string { return "<p>" + html + "</p>" },
}

var ipbMarkup = Markup{
	Tags: map[string]func(arg, inner string) string{
		"b": around("<b>", "</b>"), "i": around("<i>", "</i>"), "u": around("<u>", "</u>"), "s": around(`<span style="text-decoration:line-through">`, `</span>`),
		"color": withArg(`<!--coloro--><span style="color:%s"><!--/coloro-->`, `<!--colorc--></span><!--/colorc-->`),
	},
	Quote: func(q Quoted) string {
		head := "QUOTE"
		if q.Name != "" {
			head = fmt.Sprintf(`QUOTE(%s @ %s) <a href="index.php?act=findpost&amp;pid=%d"><img src="style_images/1/post_snapback.gif" alt="*" border="0" /></a>`, q.Name, q.Date, q.Post)
		}
		return `<!--quoteo--><div class='quotetop'>` + head + `</div><div class='quotemain'><!--quotec-->` + q.Inner + `<!--QuoteEnd--></div><!--QuoteEEnd-->`
	},
	Code: func(text string) string {
		return `<!--c1--><div class='codetop'>CODE</div><div class='codemain'><!--ec1--><pre>` + text + `</pre><!--c2--></div><!--ec2-->`
	},
	List: items,
	Link: func(href, text string) string {
		return `<a href="` + href + `" target="_blank">` + text + `</a>`
	},
	Smilies: map[string]string{
		":)": `<!--emo&:)--><img src='style_emoticons/default/smile.gif' border='0' style='vertical-align:middle' alt=':)' /><!--endemo-->`,
		"8)": `<!--emo&8)--><img src='style_emoticons/default/cool.gif' border='0' style='vertical-align:middle' alt='8)' /><!--endemo-->`,
	},
	Break: "<br />",
	Stray: StrayPrinted,
}
