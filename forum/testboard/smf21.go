package testboard

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// smf21 is Simple Machines Forum 2.1.
var smf21 = &Skin{
	Name: "smf21", Family: "smf", Size: 15, Cookie: "PHPSESSID", Linked: "PHPSESSID",
	Address: smfAddress(15), Ask: smfAsk, Date: smf21Date, Noted: smfNoted, Markup: smf21Markup, Serve: smfServe,
	PastEnd: EndLast, Lost: true,
	Missing: Missing{Status: http.StatusOK, Template: "login", Said: smfMissing},
}

const smfMissing = "The topic or board you are looking for appears to be either missing or off limits to you."

// smf21Date is HTML.
func smf21Date(t, now time.Time, _ string) string {
	switch t.Format(time.DateOnly) {
	case now.Format(time.DateOnly):
		return "<strong>Today</strong> at " + t.Format("03:04 PM")
	case now.AddDate(0, 0, -1).Format(time.DateOnly):
		return "<strong>Yesterday</strong> at " + t.Format("03:04 PM")
	}
	return t.Format("Jan 02, 2006, 03:04 PM")
}

var smf21Markup = Markup{
	Tags: map[string]func(arg, inner string) string{
		"b": around("<b>", "</b>"), "i": around("<i>", "</i>"), "u": around("<u>", "</u>"), "s": around("<s>", "</s>"),
		"color": withArg(`<span style="color: %s;" class="bbc_color">`, "</span>"), "center": around(`<div class="centertext">`, `</div>`), "tt": around(`<span class="bbc_tt">`, `</span>`), "pre": around("<pre>", "</pre>"),
		"nobbc": around("", ""),
		"img": func(_, inner string) string {
			return `<img src="` + stripTags.ReplaceAllString(inner, "") + `" alt="" class="bbc_img" loading="lazy">`
		},
	},
	Quote: func(q Quoted) string {
		cite := ""
		if q.Name != "" {
			cite = "<cite>Quote from: " + q.Name + "</cite>"
			if q.Post > 0 {
				cite = fmt.Sprintf(`<cite><a href="/index.php?msg=%d">Quote from: %s on %s</a></cite>`, q.Post, q.Name, q.Date)
			}
		}
		return `<blockquote class="bbc_standard_quote">` + cite + q.Inner + `</blockquote>`
	},
	Code: func(text string) string {
		text = strings.NewReplacer("\n", "<br>", "  ", "&nbsp; ", "\t", `<span style="white-space: pre;">`+"\t"+`</span>`).Replace(text)
		return `<div class="codeheader"><span class="code floatleft">Code</span> <a class="codeoperation smf_select_text">Select</a></div><code class="bbc_code">` + text + `</code>`
	},
	List: func(list []string, _ bool) string {
		return `<ul class="bbc_list"><li type="disc">` + strings.Join(list, `</li><li type="disc">`) + `</li></ul>`
	},
	Link: func(href, text string) string {
		return `<a href="` + href + `" class="bbc_link" target="_blank" rel="noopener">` + text + `</a>`
	},
	Smilies: map[string]string{
		":)": `<img src="/Smileys/fugue/smiley.png" alt="&#58;&#41;" title="Smiley" class="smiley">`,
		"8)": `<img src="/Smileys/fugue/cool.png" alt="8&#41;" title="Cool" class="smiley">`,
	},
	Break: "<br>", Stray: StrayClosed,
}

// smfServe answers the actions of index.php.
func smfServe(x *Exchange) bool {
	q := x.R.URL.Query()
	switch q.Get("action") {
	case "login":
		smfAskLogin(x, http.StatusOK, "", "")
	case "login2":
		smfLogin(x, q)
	case "post":
		smfReply(x, numberOf(strings.TrimSuffix(q.Get("topic"), ".0")))
	case "post2":
		smfReply(x, numberOf(x.Form.Get("topic")))
	default:
		return false
	}
	return true
}

// smfField is a hidden field whose name is random too.
func smfField(x *Exchange, what string) Field {
	return Field{string("cdefab"[len(what)%6]) + x.field(what + " name")[:8], x.field(what)[:32]}
}

func smfSession(x *Exchange) Field { return smfField(x, "session") }

// smfAskLogin shows the log-in page; why is a notice, wrong the error of an attempt.
func smfAskLogin(x *Exchange, status int, why, wrong string) {
	p := x.form("Log in", Form{Error: wrong, Hidden: []Field{smfSession(x), smfField(x, "token")}, Subject: x.Form.Get("user")})
	p.Said = why
	x.Page(status, "login", p)
}

func smfLogin(x *Exchange, q url.Values) {
	if x.R.Method != http.MethodPost {
		if q.Get("sa") == "check" && x.User.ID > 0 {
			x.Redirect(http.StatusFound, x.newPage(x).Base+"index.php")
			return
		}
		smfAskLogin(x, http.StatusOK, "", "")
		return
	}
	session, token := smfSession(x), smfField(x, "token")
	x.drop("token")
	x.drop("token name")
	x.mu.Lock()
	soon := x.Now().Sub(x.session.logins) < 2*time.Second
	x.session.logins = x.Now()
	x.mu.Unlock()
	switch {
	case soon:
		smfFatal(x, "login_threshold_fail", "Sorry, you cannot login again so soon. Please wait 2 seconds and try again.")
	case x.Form.Get(session.Name) != session.Value:
		smfFatal(x, "session_verify_fail", "Session verification failed. Please try logging out and back in again, and then try again.")
	case x.Form.Get(token.Name) != token.Value:
		smfFatal(x, "token_verify_fail", "Token verification failed. Please go back and try again.")
	case !x.logIn(x.Form.Get("user"), x.Form.Get("passwrd")):
		smfAskLogin(x, http.StatusOK, "", "Password incorrect.")
	default:
		x.Redirect(http.StatusFound, fmt.Sprintf("%sindex.php?action=login2;sa=check;member=%d", x.newPage(x).Base, x.User.ID))
	}
}

// smfFatal says what is wrong, and names it in no language.
func smfFatal(x *Exchange, code, said string) {
	p := x.newPage(x)
	p.Code, p.Said = "error_"+code, said
	x.Page(http.StatusForbidden, "message", p)
}

func smfReply(x *Exchange, thread int) {
	t, ok := x.topic(thread)
	switch {
	case !ok:
		x.Message(http.StatusNotFound, smfMissing)
		return
	case x.User.ID == 0:
		smfAskLogin(x, http.StatusOK, "You are not allowed to post replies in this board. Only registered members may do that.", "")
		return
	case x.User.Banned:
		smfFatal(x, "your_ban", "Sorry, you are banned from posting on this forum.")
		return
	case t.Locked && !x.User.Staff():
		smfFatal(x, "topic_locked", "This topic is locked, you are not allowed to post here.")
		return
	}
	f := Form{Subject: "Re: " + t.Title, Text: x.Form.Get("message")}
	if x.R.Method != http.MethodPost || x.Form.Has("preview") {
		smfForm(x, t, f)
		return
	}
	if x.R.Referer() != "" && !x.referred("") {
		smfFatal(x, "verify_url_fail", "Unable to verify referring url. Please go back and try again.")
		return
	}
	f.Subject = x.Form.Get("subject")
	if session := smfSession(x); x.Form.Get(session.Name) != session.Value {
		f.Error = "Your session timed out while posting. Please try to re-submit your message."
		smfForm(x, t, f)
		return
	}
	form := "seqnum " + x.session.id + " " + x.Form.Get("seqnum")
	switch m := x.reply(sending{thread: thread, subject: f.Subject, text: f.Text, plain: x.Form.Has("ns"), seen: numberOf(x.Form.Get("last_msg")), form: form}); m.verdict {
	case stored, queued:
		x.Redirect(http.StatusFound, fmt.Sprintf("%sindex.php?topic=%d.new#new", x.newPage(x).Base, thread))
		return
	case already:
		smfFatal(x, "form_already_submitted", "You have already submitted this post!  You might have accidentally double clicked or tried to refresh the page.")
		return
	case tooSoon:
		smfFatal(x, "postWaitTime_broken", fmt.Sprintf("The last posting from your IP was less than %d seconds ago. Please try again later.", int(x.Flood.Seconds())))
		return
	case newer:
		f.Error = fmt.Sprintf("Warning - while you were typing %d new replies have been posted. You may wish to review your post.", len(m.newer))
	case empty:
		f.Error = "The message body was left empty."
	case tooLong:
		f.Error = fmt.Sprintf("The message exceeds the maximum allowed length (%d characters).", x.Limit)
	}
	smfForm(x, t, f)
}

func smfForm(x *Exchange, t Thread, f Form) {
	f.Hidden = []Field{{"last_msg", strconv.Itoa(x.lastPost(t.ID))}, {"additional_options", "0"}, smfSession(x), {"seqnum", x.count()}}
	f.Review = x.review(t.ID)
	p := x.form(t.Title, f)
	p.Thread = t
	if (x.Moderate || x.User.New) && !x.User.Staff() {
		p.Form.Hidden = append(p.Form.Hidden, Field{"not_approved", "1"})
		p.Said = "NOTE: This post will not display until it has been approved by a moderator."
	}
	x.Page(http.StatusOK, "form", p)
}
