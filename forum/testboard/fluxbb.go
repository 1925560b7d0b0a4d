package testboard

import (
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strings"
	"time"
)

// fluxbb15 is FluxBB 1.5.
var fluxbb15 = &Skin{
	Name: "fluxbb15", Family: "fluxbb", Size: 10, Cookie: "flux_cookie",
	Address: func(thread, page int) string {
		if page > 1 {
			return fmt.Sprintf("/viewtopic.php?id=%d&p=%d", thread, page)
		}
		return fmt.Sprintf("/viewtopic.php?id=%d", thread)
	},
	Ask: func(r *http.Request, _ int) *Want {
		q := r.URL.Query()
		if path.Base(r.URL.Path) != "viewtopic.php" {
			return nil
		}
		return &Want{Thread: numberOf(q.Get("id")), Post: numberOf(q.Get("pid")), Page: numberOf(q.Get("p"))}
	},
	Date:   fluxbbDate,
	Noted:  func(e Edit, _ time.Duration) bool { return !e.Staff },
	Markup: fluxbbMarkup, Serve: fluxbbServe,
	PastEnd: EndFirst, Missing: Missing{Said: "Bad request. The link you followed is incorrect or outdated."},
}

func fluxbbDate(t, now time.Time, _ string) string {
	switch day := t.Format(time.DateOnly); day {
	case now.Format(time.DateOnly):
		return "Today " + t.Format(time.TimeOnly)
	case now.AddDate(0, 0, -1).Format(time.DateOnly):
		return "Yesterday " + t.Format(time.TimeOnly)
	}
	return t.Format(time.DateTime)
}

var fluxbbMarkup = Markup{
	Tags: map[string]func(arg, inner string) string{
		"b": around("<strong>", "</strong>"), "i": around("<em>", "</em>"), "em": around("<em>", "</em>"), "u": around(`<span class="bbu">`, "</span>"), "s": around(`<span class="bbs">`, "</span>"),
		"del": around("<del>", "</del>"), "ins": around("<ins>", "</ins>"), "h": around("</p><h5>", "</h5><p>"), "color": withArg(`<span style="color: %s">`, "</span>"),
		"img": func(_, inner string) string {
			return `<span class="postimg"><img src="` + stripTags.ReplaceAllString(inner, "") + `" alt="" /></span>`
		},
	},
	Quote: func(q Quoted) string {
		cite := ""
		if q.Name != "" {
			cite = "<cite>" + q.Name + " wrote:</cite>"
		}
		return `</p><div class="quotebox">` + cite + `<blockquote><div>` + paragraphs(q.Inner) + `</div></blockquote></div><p>`
	},
	Code: func(text string) string {
		return `</p><div class="codebox"><pre><code>` + text + `</code></pre></div><p>`
	},
	List: func(list []string, ordered bool) string {
		for i, s := range list {
			list[i] = "<p>" + s + "</p>"
		}
		return "</p>" + items(list, ordered) + "<p>"
	},
	Link: func(href, text string) string {
		if len(text) > 55 && text == href {
			text = text[:39] + " … " + text[len(text)-10:]
		}
		return `<a href="` + href + `" rel="nofollow">` + text + `</a>`
	},
	Smilies: map[string]string{
		":)": `<img src="/img/smilies/smile.png" width="15" height="15" alt="smile" />`,
		":D": `<img src="/img/smilies/big_smile.png" width="15" height="15" alt="big_smile" />`,
	},
	Break: "<br />", Stray: StrayRefused, Around: paragraphs,
}

var (
	emptyLine = regexp.MustCompile(`(?:<br />){2,}`)
	besides   = regexp.MustCompile(`(?:<br />)*(</?p>)(?:<br />)*`)
)

// paragraphs makes paragraphs of text with line ends in it.
func paragraphs(html string) string {
	html = "<p>" + emptyLine.ReplaceAllString(html, "</p><p>") + "</p>"
	return strings.ReplaceAll(besides.ReplaceAllString(html, "$1"), "<p></p>", "")
}

// fluxbbServe answers login.php and post.php.
func fluxbbServe(x *Exchange) bool {
	switch path.Base(x.R.URL.Path) {
	case "login.php":
		fluxbbLogin(x)
	case "post.php":
		fluxbbReply(x, numberOf(x.R.URL.Query().Get("tid")))
	default:
		return false
	}
	return true
}

func fluxbbLogin(x *Exchange) {
	f := Form{Subject: x.Form.Get("req_username")}
	switch {
	case x.R.Method != http.MethodPost || !x.Form.Has("form_sent"):
	case x.Form.Get("csrf_token") != x.signed("login"):
		x.Message(http.StatusForbidden, "Bad CSRF hash. You were referred to this page from an unauthorized source.")
		return
	case !x.logIn(x.Form.Get("req_username"), x.Form.Get("req_password")):
		f.Error = "Wrong username and/or password."
	default:
		fluxbbRedirect(x, "Logged in successfully. Redirecting …", x.Form.Get("redirect_url"))
		return
	}
	f.Hidden = []Field{{"form_sent", "1"}, {"redirect_url", x.newPage(x).Base + "index.php"}, {"csrf_token", x.signed("login")}}
	x.Page(http.StatusOK, "login", x.form("Login", f))
}

func fluxbbRedirect(x *Exchange, said, to string) {
	p := x.newPage(x)
	p.Said, p.Onward = said, to
	x.Page(http.StatusOK, "redirect", p)
}

const fluxbbNoRight = "You do not have permission to access this page."

func fluxbbReply(x *Exchange, thread int) {
	t, ok := x.topic(thread)
	switch {
	case !ok:
		x.Message(http.StatusNotFound, "Bad request. The link you followed is incorrect or outdated.")
		return
	case x.User.ID == 0 || t.Locked && !x.User.Staff():
		x.Message(http.StatusForbidden, fluxbbNoRight)
		return
	case x.User.Banned:
		x.Message(http.StatusOK, "You are banned from this forum.")
		return
	}
	f := Form{Text: x.Form.Get("req_message")}
	if x.R.Method != http.MethodPost || !x.Form.Has("form_sent") || x.Form.Has("preview") {
		fluxbbForm(x, t, f)
		return
	}
	if !x.referred("post.php") && !x.referred("viewtopic.php") {
		x.Message(http.StatusOK, "Bad HTTP_REFERER. You were referred to this page from an unauthorized source. If the problem persists please make sure that 'Base URL' is correctly set in Admin/Options and that you are visiting the forum by navigating to that URL.")
		return
	}
	switch m := x.reply(sending{thread: thread, text: f.Text, plain: x.Form.Has("hide_smilies")}); m.verdict {
	case stored:
		fluxbbRedirect(x, "Post entered. Redirecting …", fmt.Sprintf("%sviewtopic.php?pid=%d#p%d", x.newPage(x).Base, m.post, m.post))
		return
	case queued:
		fluxbbRedirect(x, "Post entered. It will need to be approved by a moderator. Redirecting …", fmt.Sprintf("%sviewtopic.php?id=%d", x.newPage(x).Base, thread))
		return
	case tooSoon:
		f.Error = fmt.Sprintf("At least %d seconds have to pass between posts. Please wait %d seconds and try posting again.", int(x.Flood.Seconds()), int(m.wait.Seconds()))
	case empty:
		f.Error = "You must enter a message."
	case tooLong:
		f.Error = fmt.Sprintf("Posts cannot be longer than %d bytes.", x.Limit)
	case malformed:
		f.Error = fmt.Sprintf("[%s] was found without a matching [/%[1]s]", m.stray)
		if closed, ok := strings.CutPrefix(m.stray, "/"); ok {
			f.Error = fmt.Sprintf("[/%s] was found without a matching [%[1]s]", closed)
		}
	}
	fluxbbForm(x, t, f)
}

func fluxbbForm(x *Exchange, t Thread, f Form) {
	f.Action, f.Hidden, f.Review = fmt.Sprintf("post.php?action=post&tid=%d", t.ID), []Field{{"form_sent", "1"}}, x.review(t.ID)
	p := x.form(t.Title, f)
	p.Thread = t
	x.Page(http.StatusOK, "form", p)
}
