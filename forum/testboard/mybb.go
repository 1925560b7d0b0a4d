package testboard

import (
	"fmt"
	"net/http"
	"path"
	"strings"
	"time"
)

// mybb18 is MyBB 1.8.
var mybb18 = &Skin{
	Name: "mybb18", Family: "mybb", Size: 10, Cookie: "sid",
	Address: func(thread, page int) string {
		if page > 1 {
			return fmt.Sprintf("/showthread.php?tid=%d&page=%d", thread, page)
		}
		return fmt.Sprintf("/showthread.php?tid=%d", thread)
	},
	Ask: func(r *http.Request, _ int) *Want {
		q := r.URL.Query()
		if path.Base(r.URL.Path) != "showthread.php" {
			return nil
		}
		return &Want{Thread: numberOf(q.Get("tid")), Post: numberOf(q.Get("pid")), Page: numberOf(q.Get("page")), Forced: q.Get("mode") == "linear"}
	},
	Date: mybbDate, Markup: mybbMarkup, Merge: time.Hour, Serve: mybbServe, Key: mybbKey,
	PastEnd: EndFirst, Lost: true, Trash: true, Missing: Missing{Status: http.StatusOK, Said: "The specified thread does not exist."},
}

// mybbDate is HTML: what is relative has a title.
func mybbDate(t, now time.Time, _ string) string {
	full, ago := t.Format("01-02-2006, 03:04 PM"), now.Sub(t)
	titled := func(title, text string) string { return `<span title="` + title + `">` + text + `</span>` }
	switch {
	case ago >= 0 && ago < time.Minute:
		return titled(full, "Less than 1 minute ago")
	case ago >= 0 && ago < time.Hour:
		return titled(full, fmt.Sprintf("%d minutes ago", int(ago.Minutes())))
	case ago >= 0 && ago < 12*time.Hour:
		return titled(full, fmt.Sprintf("%d hours ago", int(ago.Hours())))
	case t.Format(time.DateOnly) == now.Format(time.DateOnly):
		return titled(t.Format("01-02-2006"), "Today") + t.Format(", 03:04 PM")
	case t.Format(time.DateOnly) == now.AddDate(0, 0, -1).Format(time.DateOnly):
		return titled(t.Format("01-02-2006"), "Yesterday") + t.Format(", 03:04 PM")
	}
	return full
}

var mybbMarkup = Markup{
	Tags: map[string]func(arg, inner string) string{
		"b": around(`<span style="font-weight: bold;" class="mycode_b">`, `</span>`), "i": around(`<span style="font-style: italic;" class="mycode_i">`, `</span>`),
		"u": around(`<span style="text-decoration: underline;" class="mycode_u">`, `</span>`), "s": around(`<span style="text-decoration: line-through;" class="mycode_s">`, `</span>`),
		"color": withArg(`<span style="color: %s;" class="mycode_color">`, `</span>`), "size": withArg(`<span style="font-size: %spt;" class="mycode_size">`, `</span>`),
		"img": func(_, inner string) string {
			return `<img src="` + stripTags.ReplaceAllString(inner, "") + `" loading="lazy" alt="[Image: x.png]" class="mycode_img" />`
		},
	},
	Quote: func(q Quoted) string {
		cite := "<cite>Quote:</cite>"
		if q.Name != "" {
			cite = "<cite>" + q.Name + " Wrote:</cite>"
			if q.Post > 0 {
				cite = fmt.Sprintf(`<cite><span> (%s)</span>%s Wrote:  <a href="/showthread.php?pid=%d#pid%d" class="quick_jump"></a></cite>`, q.Date, q.Name, q.Post, q.Post)
			}
		}
		return `<blockquote class="mycode_quote">` + cite + q.Inner + `</blockquote>`
	},
	Code: func(text string) string {
		text = strings.NewReplacer("\n", "<br />\n", "  ", "&nbsp;&nbsp;", "\t", "&nbsp;&nbsp;&nbsp;&nbsp;").Replace(text)
		return `<div class="codeblock"><div class="title">Code:</div><div class="body" dir="ltr"><code>` + text + `</code></div></div>`
	},
	List: func(list []string, ordered bool) string {
		tag := "ul"
		if ordered {
			tag = "ol"
		}
		return "<" + tag + ` class="mycode_list"><li>` + strings.Join(list, "</li>\n<li>") + "</li>\n</" + tag + ">"
	},
	Link: func(href, text string) string {
		if len(text) > 55 && text == href {
			text = text[:40] + "..." + text[len(text)-10:]
		}
		return `<a href="` + href + `" target="_blank" rel="noopener" class="mycode_url">` + text + `</a>`
	},
	Smilies: map[string]string{
		":)": `<img src="/images/smilies/smile.png" alt="Smile" title="Smile" class="smilie smilie_1" />`,
		":D": `<img src="/images/smilies/biggrin.png" alt="Big Grin" title="Big Grin" class="smilie smilie_4" />`,
	},
	Break: "<br />\n", Stray: StrayPrinted,
	Around: func(html string) string { return strings.ReplaceAll(html, "[hr]", `<hr class="mycode_hr" />`) },
}

// mybbServe answers member.php and newreply.php.
func mybbServe(x *Exchange) bool {
	switch path.Base(x.R.URL.Path) {
	case "member.php":
		mybbLogin(x)
	case "newreply.php":
		mybbReply(x)
	default:
		return false
	}
	return true
}

func mybbKey(x *Exchange) string { return x.signed("post key")[:32] }

func mybbMismatch(x *Exchange) bool {
	if x.Form.Get("my_post_key") == mybbKey(x) {
		return false
	}
	x.Message(http.StatusOK, "Authorization code mismatch. Are you accessing this function correctly? Please go back and try again.")
	return true
}

func mybbRedirect(x *Exchange, said, to string) {
	p := x.newPage(x)
	p.Said, p.Onward = said, to
	x.Page(http.StatusOK, "redirect", p)
}

func mybbLogin(x *Exchange) {
	f := Form{}
	if x.R.Method == http.MethodPost && x.Form.Get("action") == "do_login" {
		name, password := x.Form.Get("username"), x.Form.Get("password")
		if x.Form.Has("quick_login") {
			name, password = x.Form.Get("quick_username"), x.Form.Get("quick_password")
		}
		if mybbMismatch(x) {
			return
		}
		if x.logIn(name, password) {
			mybbRedirect(x, "You have successfully been logged in.<br />You will now be taken back to where you came from.", "index.php")
			return
		}
		f.Error = "The username/password combination you entered is invalid. Please try again."
		f.Subject = name
	}
	f.Hidden = []Field{{"action", "do_login"}, {"url", ""}, {"my_post_key", mybbKey(x)}}
	x.Page(http.StatusOK, "login", x.form("Login", f))
}

func mybbReply(x *Exchange) {
	thread := numberOf(x.R.URL.Query().Get("tid"))
	if thread == 0 {
		thread = numberOf(x.Form.Get("tid"))
	}
	t, ok := x.topic(thread)
	switch {
	case !ok:
		x.Message(http.StatusOK, "The specified thread does not exist.")
		return
	case x.User.ID == 0:
		x.Message(http.StatusOK, "You are either not logged in or do not have permission to view this page.")
		return
	case x.User.Banned:
		x.Message(http.StatusOK, "I'm sorry, but you are banned. You may not post, read threads, or access the forum.")
		return
	case t.Locked && !x.User.Staff():
		x.Message(http.StatusOK, "You may not reply to this thread because it has been closed by a moderator.")
		return
	}
	f := Form{Subject: "RE: " + t.Title, Text: x.Form.Get("message")}
	if x.R.Method != http.MethodPost || x.Form.Get("action") != "do_newreply" || x.Form.Has("previewpost") {
		mybbForm(x, t, f)
		return
	}
	if mybbMismatch(x) {
		return
	}
	f.Subject = x.Form.Get("subject")
	m := x.reply(sending{thread: thread, subject: f.Subject, text: f.Text, plain: x.Form.Has("postoptions[disablesmilies]"), form: x.Form.Get("posthash")})
	switch m.verdict {
	case stored:
		mybbRedirect(x, "Thank you, your reply has been posted.<br />You will now be taken to your post.", fmt.Sprintf("showthread.php?tid=%d&pid=%d#pid%d", thread, m.post, m.post))
		return
	case queued:
		mybbRedirect(x, "Thank you, your reply has been posted.<br />The administrator has specified that all new posts require moderation. You will now be returned to the thread.", fmt.Sprintf("showthread.php?tid=%d", thread))
		return
	case already:
		x.Message(http.StatusOK, "You have already posted this reply to the specified thread. Please visit the thread to see your reply.")
		return
	case tooSoon:
		f.Error = fmt.Sprintf("You are trying to post too quickly after posting a previous message. Please wait %d more second(s).", int(m.wait.Seconds()))
	case empty:
		f.Error = "The message is missing. Please enter a message."
	case tooLong:
		f.Error = fmt.Sprintf("The message is too long. Please enter a message less than %d characters.", x.Limit)
	}
	mybbForm(x, t, f)
}

func mybbForm(x *Exchange, t Thread, f Form) {
	f.Action, f.Review = fmt.Sprintf("newreply.php?tid=%d&processed=1", t.ID), x.review(t.ID)
	f.Hidden = []Field{{"action", "do_newreply"}, {"replyto", "0"}, {"posthash", x.fresh()[:32]}, {"attachmentaid", ""}, {"attachmentact", ""}, {"quoted_ids", ""}, {"tid", fmt.Sprint(t.ID)}}
	p := x.form(t.Title, f)
	p.Thread = t
	x.Page(http.StatusOK, "form", p)
}
