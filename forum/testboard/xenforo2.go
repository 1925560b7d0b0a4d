package testboard

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// xenforo2 is XenForo 2.
var xenforo2 = &Skin{
	Name: "xenforo2", Family: "xenforo", Size: 20, Cookie: "xf_session",
	Address: xenforoAddress, Ask: xenforoAsk, Date: xenforoDate, Noted: xenforoNoted, Markup: xenforo2Markup, Serve: xenforoServe, Key: xenforoToken,
	PastEnd: EndRedirect, Trash: true, Missing: Missing{Said: "The requested thread could not be found."},
}

var xenforoReply = regexp.MustCompile(`^/threads/(?:[^/]*\.)?(\d+)/(reply|add-reply)$`)

var xenforo2Markup = Markup{
	Tags: map[string]func(arg, inner string) string{
		"b": around("<b>", "</b>"), "i": around("<i>", "</i>"), "u": around("<u>", "</u>"), "s": around("<s>", "</s>"), "color": withArg(`<span style="color: %s">`, "</span>"), "plain": around("", ""),
		"spoiler": func(arg, inner string) string {
			return `<div class="bbCodeSpoiler"><button type="button" class="bbCodeSpoiler-button button--longText button"><span class="button-text"><span>Spoiler: <span class="bbCodeSpoiler-button-title">` + escaped(arg) + `</span></span></span></button>
<div class="bbCodeSpoiler-content"><div class="bbCodeBlock bbCodeBlock--spoiler"><div class="bbCodeBlock-content">` + inner + `</div></div></div></div>`
		},
		"img": func(_, inner string) string {
			return `<img src="` + stripTags.ReplaceAllString(inner, "") + `" class="bbImage" alt="" loading="lazy" />`
		},
	},
	Quote: func(q Quoted) string {
		title, source := "", ""
		if q.Name != "" {
			title = `<div class="bbCodeBlock-title">` + q.Name + ` said:</div>`
			if q.Post > 0 {
				source = fmt.Sprintf("post: %d", q.Post)
				title = fmt.Sprintf(`<div class="bbCodeBlock-title"><a href="/goto/post?id=%d" class="bbCodeBlock-sourceJump" data-xf-click="attribution">%s said:</a></div>`, q.Post, q.Name)
			}
		}
		return `<blockquote data-attributes="" data-quote="` + q.Name + `" data-source="` + source + `" class="bbCodeBlock bbCodeBlock--expandable bbCodeBlock--quote js-expandWatch">
` + title + `
<div class="bbCodeBlock-content"><div class="bbCodeBlock-expandContent js-expandContent ">` + q.Inner + `</div><div class="bbCodeBlock-expandLink js-expandLink"><a role="button" tabindex="0">Click to expand...</a></div></div>
</blockquote>`
	},
	Code: func(text string) string {
		return `<div class="bbCodeBlock bbCodeBlock--screenLimited bbCodeBlock--code"><div class="bbCodeBlock-title">Code:</div><div class="bbCodeBlock-content" dir="ltr"><pre class="bbCodeCode" dir="ltr" data-xf-init="code-block" data-lang=""><code>` + text + `</code></pre></div></div>`
	},
	List: items,
	Link: func(href, text string) string {
		return `<a href="` + href + `" target="_blank" class="link link--external" rel="noopener">` + text + `</a>`
	},
	Smilies: map[string]string{
		":)": `<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" class="smilie smilie--sprite smilie--sprite1" alt=":)" title="Smile    :)" loading="lazy" data-shortname=":)" />`,
		"8)": `<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" class="smilie smilie--sprite smilie--sprite6" alt="8)" title="Cool    8)" loading="lazy" data-shortname="8)" />`,
	},
	Mention: func(u User) string {
		return fmt.Sprintf(`<a href="/members/%d/" class="username" data-xf-init="member-tooltip" data-user-id="%[1]d" data-username="@%s">@%[2]s</a>`, u.ID, escaped(u.Name))
	},
	Break: "<br />\n", Stray: StrayPrinted,
}

// xenforoServe answers the log-in, the reply form, and the API.
func xenforoServe(x *Exchange) bool {
	path := x.R.URL.Path
	switch m := xenforoReply.FindStringSubmatch(path); {
	case strings.HasPrefix(path, "/login"):
		xenforoLogin(x)
	case m != nil:
		xenforoTake(x, numberOf(m[1]), m[2] == "add-reply" && x.R.Method == http.MethodPost)
	case strings.HasPrefix(path, "/api/"):
		xenforoAPI(x)
	default:
		return false
	}
	return true
}

// xenforoToken is made of the time and a secret of the session. It stands in the page's html element too.
func xenforoToken(x *Exchange) string {
	now := strconv.FormatInt(x.Now().Unix(), 10)
	return now + "," + x.signed("csrf", now)[:32]
}

func xenforoTokenGood(x *Exchange) bool {
	now, sum, _ := strings.Cut(x.Form.Get("_xfToken"), ",")
	at, err := strconv.ParseInt(now, 10, 64)
	return err == nil && sum == x.signed("csrf", now)[:32] && x.Now().Sub(time.Unix(at, 0)) < 24*time.Hour
}

// xenforoSay says what went wrong, as a page or as JSON, as it was asked for.
func xenforoSay(x *Exchange, status int, said string) {
	if x.Form.Get("_xfResponseType") == "json" {
		x.Answer(status, map[string]any{"status": "error", "errors": []string{said}, "errorHtml": map[string]string{"content": `<div class="blockMessage">` + escaped(said) + `</div>`}})
		return
	}
	x.Message(status, said)
}

const xenforoSecurity = "Security error occurred. Please press back, refresh the page, and try again."

func xenforoLogin(x *Exchange) {
	f := Form{Action: "/login/login"}
	if x.R.Method == http.MethodPost {
		switch f.Subject = x.Form.Get("login"); {
		case !xenforoTokenGood(x):
			xenforoSay(x, http.StatusBadRequest, xenforoSecurity)
			return
		case x.logIn(f.Subject, x.Form.Get("password")):
			x.Redirect(http.StatusSeeOther, cmp.Or(x.Form.Get("_xfRedirect"), "/"))
			return
		}
		f.Error = "Incorrect password. Please try again."
	}
	f.Hidden = []Field{{"_xfRedirect", x.newPage(x).Base}, {"_xfToken", xenforoToken(x)}}
	x.Page(http.StatusOK, "login", x.form("Log in", f))
}

// xenforoTake shows the form for a reply, or takes one that is sent.
func xenforoTake(x *Exchange, thread int, sent bool) {
	t, ok := x.topic(thread)
	switch {
	case !ok:
		xenforoSay(x, http.StatusNotFound, "The requested thread could not be found.")
		return
	case sent && !xenforoTokenGood(x):
		xenforoSay(x, http.StatusBadRequest, xenforoSecurity)
		return
	case x.User.ID == 0:
		f := Form{Action: "/login/login", Error: "You must be logged-in to do that.", Hidden: []Field{{"_xfRedirect", x.R.URL.Path}, {"_xfToken", xenforoToken(x)}}}
		x.Page(http.StatusForbidden, "login", x.form("Log in", f))
		return
	case x.User.Banned:
		xenforoSay(x, http.StatusForbidden, "You have been banned.")
		return
	case t.Locked && !x.User.Staff():
		xenforoSay(x, http.StatusForbidden, "You do not have permission to view this page or perform this action. The thread is not open for further replies.")
		return
	}
	if !sent {
		last := strconv.FormatInt(x.lastDate(thread).Unix(), 10)
		f := Form{Action: fmt.Sprintf("/threads/thread.%d/add-reply", thread), Review: x.review(thread), Hidden: []Field{
			{"attachment_hash", x.fresh()[:32]}, {"attachment_hash_combined", `{"type":"post","hash":""}`}, {"last_date", last}, {"last_known_date", last}, {"_xfToken", xenforoToken(x)},
		}}
		p := x.form(t.Title, f)
		p.Thread = t
		x.Page(http.StatusOK, "form", p)
		return
	}
	text := cmp.Or(x.Form.Get("message"), stripTags.ReplaceAllString(x.Form.Get("message_html"), ""))
	switch m := x.reply(sending{thread: thread, text: text, form: x.Form.Get("attachment_hash")}); m.verdict {
	case stored:
		to := fmt.Sprintf("%sthreads/thread.%d/post-%d", x.newPage(x).Base, thread, m.post)
		if x.Form.Get("_xfResponseType") == "json" {
			x.Answer(http.StatusOK, map[string]any{"status": "ok", "message": "Your message has been posted.", "redirect": to})
			return
		}
		x.Redirect(http.StatusSeeOther, to)
	case queued:
		xenforoSay(x, http.StatusOK, "Your message has been submitted and will be displayed pending approval by a moderator.")
	case already:
		xenforoSay(x, http.StatusOK, "This message has already been posted. Please refresh the page.")
	case tooSoon:
		xenforoSay(x, http.StatusOK, xenforoWait(m))
	case empty:
		xenforoSay(x, http.StatusOK, "Please enter a valid message.")
	case tooLong:
		xenforoSay(x, http.StatusOK, fmt.Sprintf("Please enter a message with no more than %d characters.", x.Limit))
	}
}

func xenforoWait(m made) string {
	return fmt.Sprintf("You must wait at least %d seconds before performing this action.", int(m.wait.Seconds()))
}

// lastDate is when the last public post of a thread was made.
func (x *Exchange) lastDate(thread int) time.Time {
	x.mu.Lock()
	defer x.mu.Unlock()
	all := x.of(thread)
	if len(all) == 0 {
		return x.Now()
	}
	return all[len(all)-1].Posted
}

var xenforoPosts = regexp.MustCompile(`^/api/threads/(\d+)/posts/?$`)

// xenforoAPI answers the REST API.
func xenforoAPI(x *Exchange) {
	fail := func(status int, code, said string) {
		x.Answer(status, map[string]any{"errors": []any{map[string]any{"code": code, "message": said, "params": []any{}}}})
	}
	if !x.keyed(x.R.Header.Get("XF-Api-Key")) {
		fail(http.StatusUnauthorized, "api_key_not_found", "API key provided in request was not found.")
		return
	}
	if m := xenforoPosts.FindStringSubmatch(x.R.URL.Path); m != nil && x.R.Method == http.MethodGet {
		p, none := x.Board.threadPage(x, Want{Thread: numberOf(m[1]), Page: numberOf(x.R.URL.Query().Get("page"))})
		if none != found {
			fail(http.StatusNotFound, "requested_thread_not_found", "The requested thread could not be found.")
			return
		}
		posts := []any{}
		for _, s := range p.Posts {
			posts = append(posts, xenforoJSON(s))
		}
		x.Answer(http.StatusOK, map[string]any{"posts": posts, "pagination": map[string]int{"current_page": p.Number, "last_page": p.Pages, "per_page": p.Size, "shown": len(posts), "total": p.Total}})
		return
	}
	if strings.TrimSuffix(x.R.URL.Path, "/") != "/api/posts" || x.R.Method != http.MethodPost {
		fail(http.StatusNotFound, "endpoint_not_found", "The requested API endpoint does not exist.")
		return
	}
	if id := x.R.Header.Get("XF-Api-User"); id != "" { // the key of a super user writes for others
		if u, ok := x.member(numberOf(id)); ok {
			x.User = u
		}
	}
	switch m := x.reply(sending{thread: numberOf(x.Form.Get("thread_id")), text: x.Form.Get("message")}); m.verdict {
	case stored, queued:
		x.Answer(http.StatusOK, map[string]any{"success": true, "post": xenforoJSON(x.showPost(m.post))})
	case noThread:
		fail(http.StatusNotFound, "requested_thread_not_found", "The requested thread could not be found.")
	case tooSoon:
		fail(http.StatusBadRequest, "you_must_wait_at_least_x_seconds_before_performing_this_action", xenforoWait(m))
	case empty:
		fail(http.StatusBadRequest, "please_enter_valid_message", "Please enter a valid message.")
	case tooLong:
		fail(http.StatusBadRequest, "please_enter_message_with_no_more_than_x_characters", fmt.Sprintf("Please enter a message with no more than %d characters.", x.Limit))
	default:
		fail(http.StatusForbidden, "do_not_have_permission", "You do not have permission to view this page or perform this action.")
	}
}

func xenforoJSON(s Shown) map[string]any {
	state, edited := "visible", int64(0)
	switch {
	case s.Waiting:
		state = "moderated"
	case s.Deleted:
		state = "deleted"
	}
	if n := len(s.Edits); n > 0 {
		edited = s.Edits[n-1].At.Unix()
	}
	return map[string]any{
		"post_id": s.ID, "thread_id": s.Thread, "user_id": s.Author.ID, "username": s.Author.Name, "post_date": s.Posted.Unix(), "last_edit_date": edited,
		"message": s.Text, "message_parsed": string(s.Body), "message_state": state, "position": s.Number - 1, "attach_count": len(s.Attachments),
	}
}
