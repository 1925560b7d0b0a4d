package testboard

import (
	"fmt"
	"net/http"
	"path"
	"strconv"
)

// phpbbServe answers ucp.php and posting.php of phpBB 3.
func phpbbServe(x *Exchange) bool {
	q := x.R.URL.Query()
	switch page := path.Base(x.R.URL.Path); {
	case page == "ucp.php" && q.Get("mode") == "login":
		phpbbLogin(x)
	case page == "ucp.php" && q.Get("mode") == "logout":
		x.logOut()
		x.Redirect(http.StatusFound, "./index.php")
	case page == "posting.php" && q.Get("mode") == "reply":
		phpbbReply(x, numberOf(q.Get("t")), "")
	case page == "posting.php" && q.Get("mode") == "quote":
		phpbbQuote(x, numberOf(q.Get("p")))
	default:
		return false
	}
	return true
}

const phpbbInvalid = "The submitted form was invalid. Try submitting again."

// phpbbToken makes the fields that guard a form. They are good from the next second on, for two hours.
func phpbbToken(x *Exchange, form string) []Field {
	created := strconv.FormatInt(x.Now().Unix(), 10)
	return []Field{{"creation_time", created}, {"form_token", x.signed(created, form)}}
}

func phpbbTokenGood(x *Exchange, form string) bool {
	created := x.Form.Get("creation_time")
	at, err := strconv.ParseInt(created, 10, 64)
	age := x.Now().Unix() - at
	return err == nil && age > 0 && age <= 7200 && x.Form.Get("form_token") == x.signed(created, form)
}

func phpbbLogin(x *Exchange) {
	if x.R.Method != http.MethodPost {
		phpbbAskLogin(x, "", "./index.php", "")
		return
	}
	back := x.Form.Get("redirect")
	switch {
	case !x.Form.Has("login") || !phpbbTokenGood(x, "login") || x.Form.Get("sid") != x.session.id:
		phpbbAskLogin(x, phpbbInvalid, back, x.Form.Get("username"))
	case !x.logIn(x.Form.Get("username"), x.Form.Get("password")):
		phpbbAskLogin(x, "You have specified an incorrect password. Please check your password and try again.", back, x.Form.Get("username"))
	default:
		if back == "" {
			back = "./index.php"
		}
		x.Redirect(http.StatusFound, back)
	}
}

// phpbbAskLogin shows the log-in page; why is its heading, or the error of an attempt.
func phpbbAskLogin(x *Exchange, why, back, name string) {
	f := Form{Action: "./ucp.php?mode=login", Hidden: append([]Field{{"redirect", back}}, phpbbToken(x, "login")...), Subject: name, Error: why}
	f.Hidden = append(f.Hidden, Field{"sid", x.session.id})
	x.Page(http.StatusOK, "login", x.form("Login", f))
}

// phpbbQuote shows the form to reply with a post quoted in it.
func phpbbQuote(x *Exchange, post int) {
	p, ok := x.public(post)
	if !ok {
		x.Message(http.StatusNotFound, "The requested post does not exist.")
		return
	}
	quote := fmt.Sprintf("[quote=%s post_id=%d time=%d user_id=%d]%s[/quote]\n", p.Author.Name, post, p.Posted.Unix(), p.Author.ID, p.Text)
	phpbbReply(x, p.Thread, quote)
}

// phpbbReply shows the form to reply, with some text in it, or takes what it sends.
func phpbbReply(x *Exchange, thread int, text string) {
	t, ok := x.topic(thread)
	switch {
	case !ok:
		x.Message(http.StatusNotFound, "The requested topic does not exist.")
		return
	case x.User.ID == 0:
		phpbbAskLogin(x, "You need to login in order to reply to topics within this forum.", x.R.URL.RequestURI(), "")
		return
	case x.User.Banned:
		x.Message(http.StatusOK, "You have been permanently banned from this board.")
		return
	case t.Locked && !x.User.Staff():
		x.Message(http.StatusOK, "This topic is locked, you cannot edit posts or make further replies.")
		return
	}
	if x.R.Method != http.MethodPost || !x.Form.Has("post") {
		phpbbForm(x, t, Form{Subject: "Re: " + t.Title, Text: text + x.Form.Get("message")})
		return
	}
	f := Form{Subject: x.Form.Get("subject"), Text: x.Form.Get("message")}
	if !phpbbTokenGood(x, "posting") {
		f.Error = phpbbInvalid
		phpbbForm(x, t, f)
		return
	}
	seen := numberOf(x.Form.Get("topic_cur_post_id"))
	if seen == 0 { // a form without it is not looked at for newer posts
		seen = x.lastPost(thread)
	}
	switch m := x.reply(sending{thread: thread, subject: f.Subject, text: f.Text, plain: x.Form.Has("disable_smilies"), seen: seen}); m.verdict {
	case stored:
		x.Redirect(http.StatusFound, fmt.Sprintf("%sviewtopic.php?p=%d#p%d", x.newPage(x).Base, m.post, m.post))
		return
	case queued:
		p := x.newPage(x)
		p.Said = "This message has been submitted successfully, but it will need to be approved by a moderator before it is publicly viewable. You will be notified when your post has been approved."
		p.Onward = fmt.Sprintf("%sviewtopic.php?t=%d", p.Base, thread)
		x.Page(http.StatusOK, "message", p)
		return
	case newer:
		f.Newer = m.newer
	case tooSoon:
		f.Error = "You cannot make another post so soon after your last."
	case empty:
		f.Error = "Your message contains too few characters."
	case tooLong:
		f.Error = fmt.Sprintf("Your message contains too many characters. The maximum number of allowed characters is %d.", x.Limit)
	}
	phpbbForm(x, t, f)
}

func phpbbForm(x *Exchange, t Thread, f Form) {
	f.Action = fmt.Sprintf("./posting.php?mode=reply&t=%d", t.ID)
	f.Hidden = append([]Field{{"topic_cur_post_id", strconv.Itoa(x.lastPost(t.ID))}, {"show_panel", "options-panel"}}, phpbbToken(x, "posting")...)
	f.Review = x.review(t.ID)
	p := x.form(t.Title, f)
	p.Thread = t
	x.Page(http.StatusOK, "form", p)
}
