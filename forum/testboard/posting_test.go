package testboard

import (
	"bytes"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"arroba/forum"
)

// visitor is somebody with a browser on a board of a skin. Redirects are not followed.
type visitor struct {
	t      *testing.T
	b      *Board
	now    *time.Time
	server *httptest.Server
	http   *http.Client
	thread int
	user   User
}

// visit opens a board with a thread of two posts, and somebody who is not logged in yet.
func visit(t *testing.T, s *Skin) *visitor {
	now := noon
	b := New(s, func() time.Time { return now })
	other := b.AddUser(User{Name: "Alice", Password: "rabbit hole"})
	user := b.AddUser(User{Name: "Herald", Password: "tabard & trumpet", Key: "key-1"})
	thread := b.AddThread("Lands")
	b.Post(thread, other.ID, "Round 1 begins.")
	now = now.Add(time.Hour)
	b.Post(thread, other.ID, "Round 1 goes on.")
	now = now.Add(time.Hour)
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := server.Client()
	client.Jar = jar
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &visitor{t, b, &now, server, client, thread, user}
}

func (v *visitor) later(d time.Duration) { *v.now = v.now.Add(d) }

// shown is a page that was answered.
type shown struct {
	*http.Response
	address string
	doc     *goquery.Document
	text    string
}

func (v *visitor) get(address string) shown { return v.do(http.MethodGet, address, nil, "") }

func (v *visitor) do(method, address string, form url.Values, referer string) shown {
	v.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = v.server.URL + address
	}
	r, err := http.NewRequest(method, address, strings.NewReader(form.Encode()))
	if err != nil {
		v.t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if referer != "" {
		r.Header.Set("Referer", referer)
	}
	return v.send(r)
}

func (v *visitor) send(r *http.Request) shown {
	v.t.Helper()
	resp, err := v.http.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(resp.Body); err != nil {
		v.t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(body.Bytes()))
	if err != nil { // it is nested too deep
		doc = goquery.NewDocumentFromNode(&html.Node{Type: html.DocumentNode})
	}
	return shown{resp, r.URL.String(), doc, body.String()}
}

// kind is what package forum takes a page for.
func (s shown) kind(family string) forum.Kind {
	return forum.Read(forum.Answer{URL: s.address, Header: s.Header, Body: []byte(s.text)}, forum.View{Board: family}).Kind
}

// fill takes the form that a selector finds, with all its fields and more.
func (v *visitor) fill(s shown, selector string, more url.Values) (address string, form url.Values) {
	v.t.Helper()
	f := s.doc.Find(selector).First()
	if f.Length() == 0 {
		v.t.Fatalf("there is no form %s on %s:\n%s", selector, s.address, s.text)
	}
	form = url.Values{}
	f.Find(`input[type="hidden"], input[type="text"], input[checked]`).Each(func(_ int, in *goquery.Selection) {
		form.Add(in.AttrOr("name", ""), in.AttrOr("value", ""))
	})
	for name, values := range more {
		form[name] = values
	}
	base, err := url.Parse(s.address)
	if err != nil {
		v.t.Fatal(err)
	}
	u, err := base.Parse(f.AttrOr("action", ""))
	if err != nil {
		v.t.Fatal(err)
	}
	return u.String(), form
}

// post fills a form after some time and sends it.
func (v *visitor) post(s shown, selector string, more url.Values) shown {
	v.t.Helper()
	address, form := v.fill(s, selector, more)
	v.later(2 * time.Second)
	return v.do(http.MethodPost, address, form, s.address)
}

// texts are the texts of the thread's posts.
func (v *visitor) texts() []string {
	var list []string
	for _, p := range v.b.Posts(v.thread) {
		list = append(list, p.Text)
	}
	return list
}

func (v *visitor) wantPosts(n int) {
	v.t.Helper()
	if got := v.texts(); len(got) != n {
		v.t.Errorf("the thread has the posts %q, want %d", got, n)
	}
}

func (v *visitor) wantSaid(s shown, status int, text string) {
	v.t.Helper()
	if s.StatusCode != status || !strings.Contains(s.text, text) {
		v.t.Errorf("%s answers %d, want %d and %q:\n%s", s.address, s.StatusCode, status, text, s.text)
	}
}

// phpbbIn logs in on phpBB.
func phpbbIn(v *visitor) {
	v.t.Helper()
	got := v.post(v.get("/ucp.php?mode=login"), "#login", url.Values{"username": {"Herald"}, "password": {"tabard & trumpet"}, "login": {"Login"}})
	if got.StatusCode != http.StatusFound {
		v.t.Fatalf("logging in answers %d:\n%s", got.StatusCode, got.text)
	}
}

func phpbbSays(text string) url.Values {
	return url.Values{"message": {text}, "post": {"Submit"}}
}

func TestPhpBBTakesAReplyOnce(t *testing.T) {
	v := visit(t, phpbb33)
	const reply = "/posting.php?mode=reply&t=1"
	if guest := v.get(reply); guest.StatusCode != http.StatusOK || guest.kind("phpbb") != forum.Login {
		t.Errorf("a guest who wants to reply sees %d and a %s", guest.StatusCode, guest.kind("phpbb"))
	}
	wrong := v.post(v.get("/ucp.php?mode=login"), "#login", url.Values{"username": {"Herald"}, "password": {"wrong"}, "login": {"Login"}})
	v.wantSaid(wrong, http.StatusOK, "incorrect password")
	phpbbIn(v)
	form := v.get(reply)
	if form.kind("phpbb") != forum.Form {
		t.Fatalf("the form is a %s:\n%s", form.kind("phpbb"), form.text)
	}
	address, fields := v.fill(form, "#postform", phpbbSays("Hear ye!"))
	soon := v.do(http.MethodPost, address, fields, form.address)
	v.wantSaid(soon, http.StatusOK, "The submitted form was invalid")
	v.wantPosts(2)
	v.later(2 * time.Second)
	posted := v.do(http.MethodPost, address, fields, form.address)
	if posted.StatusCode != http.StatusFound || !strings.HasSuffix(posted.Header.Get("Location"), "/viewtopic.php?p=3#p3") {
		t.Errorf("posting answers %d to %s:\n%s", posted.StatusCode, posted.Header.Get("Location"), posted.text)
	}
	v.wantPosts(3)
	again := v.do(http.MethodPost, address, fields, form.address)
	v.wantSaid(again, http.StatusOK, "At least one new post has been made")
	v.wantPosts(3)
	v.later(3 * time.Hour)
	v.wantSaid(v.do(http.MethodPost, address, fields, form.address), http.StatusOK, "The submitted form was invalid")
	v.wantPosts(3)
}

func TestPhpBBQueuesWaitsAndRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(v *visitor)
		text   string
		say    string
		posts  int
	}{
		{"queued", func(v *visitor) { v.b.Moderate = true }, "Hear ye!", "approved by a moderator", 3},
		{"a new user", func(v *visitor) { v.b.Change(v.user.ID, func(u *User) { u.New = true }) }, "Hear ye!", "approved by a moderator", 3},
		{"flood", func(v *visitor) { v.b.Flood = time.Minute; v.b.Post(v.thread, v.user.ID, "Hm.") }, "Hear ye!", "cannot make another post so soon", 3},
		{"empty", func(v *visitor) {}, " ", "too few characters", 2},
		{"too long", func(v *visitor) { v.b.Limit = 20 }, strings.Repeat("long ", 10), "too many characters", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := visit(t, phpbb33)
			phpbbIn(v)
			c.change(v)
			v.wantSaid(v.post(v.get("/posting.php?mode=reply&t=1"), "#postform", phpbbSays(c.text)), http.StatusOK, c.say)
			v.wantPosts(c.posts)
		})
	}
	v := visit(t, phpbb33)
	phpbbIn(v)
	form := v.get("/posting.php?mode=reply&t=1")
	v.b.Lock(v.thread)
	v.wantSaid(v.post(form, "#postform", phpbbSays("Hear ye!")), http.StatusOK, "This topic is locked")
	v.b.LogOut()
	if got := v.post(form, "#postform", phpbbSays("Hear ye!")).kind("phpbb"); got != forum.Login {
		t.Errorf("whose session is over sees a %s", got)
	}
	v.wantPosts(2)
}

func TestPhpBBQuotesAndLogsOut(t *testing.T) {
	v := visit(t, phpbb33)
	const quote = "/posting.php?mode=quote&p=2"
	if guest := v.get(quote); guest.kind("phpbb") != forum.Login {
		t.Errorf("a guest who wants to quote sees a %s", guest.kind("phpbb"))
	}
	phpbbIn(v)
	v.wantSaid(v.get("/posting.php?mode=quote&p=3"), http.StatusNotFound, "does not exist")
	form := v.get(quote)
	text := form.doc.Find("textarea").Text()
	if want := regexp.MustCompile(`^\[quote=Alice post_id=2 time=\d+ user_id=2\]Round 1 goes on\.\[/quote\]\n$`); !want.MatchString(text) {
		t.Errorf("the form holds %q", text)
	}
	v.post(form, "#postform", phpbbSays(text+"Indeed."))
	if got := v.get("/viewtopic.php?t=1").doc.Find("#p3 blockquote").Text(); !strings.Contains(got, "Alice wrote:") || !strings.Contains(got, "goes on.") {
		t.Errorf("the post quotes %q", got)
	}
	if out := v.get("/ucp.php?mode=logout"); out.StatusCode != http.StatusFound {
		t.Errorf("logging out answers %d", out.StatusCode)
	}
	if guest := v.get(quote); guest.kind("phpbb") != forum.Login {
		t.Errorf("who has logged out sees a %s", guest.kind("phpbb"))
	}
}

func TestWaitingPostsAreSeenByModeratorsOnly(t *testing.T) {
	v := visit(t, phpbb33)
	phpbbIn(v)
	v.b.Moderate = true
	v.post(v.get("/posting.php?mode=reply&t=1"), "#postform", phpbbSays("Hear ye!"))
	if s := v.get("/viewtopic.php?t=1"); strings.Contains(s.text, "Hear ye!") {
		t.Error("a waiting post is public")
	}
	v.b.Approve(3)
	if s := v.get("/viewtopic.php?t=1"); !strings.Contains(s.text, "Hear ye!") {
		t.Error("an approved post is not public")
	}
}

// fluxbbIn logs in on FluxBB.
func fluxbbIn(v *visitor) {
	v.t.Helper()
	v.wantSaid(v.post(v.get("/login.php"), "form#login", url.Values{"req_username": {"Herald"}, "req_password": {"tabard & trumpet"}}), http.StatusOK, "Logged in successfully")
}

func TestFluxBBStoresAFormAgainAndLooksAtTheReferer(t *testing.T) {
	v := visit(t, fluxbb15)
	const reply = "/post.php?tid=1"
	v.wantSaid(v.get(reply), http.StatusForbidden, "do not have permission")
	v.wantSaid(v.post(v.get("/login.php"), "form#login", url.Values{"req_username": {"Herald"}, "req_password": {"wrong"}}), http.StatusOK, "Wrong username and/or password")
	fluxbbIn(v)
	form := v.get(reply)
	address, fields := v.fill(form, "form#post", url.Values{"req_message": {"Hear ye!"}, "submit": {"Submit"}})
	v.wantSaid(v.do(http.MethodPost, address, fields, ""), http.StatusOK, "Bad HTTP_REFERER")
	v.wantSaid(v.do(http.MethodPost, address, fields, form.address), http.StatusOK, "viewtopic.php?pid=3#p3")
	v.wantPosts(3)
	if again := v.do(http.MethodPost, address, fields, form.address); again.kind("fluxbb") != forum.Message {
		t.Errorf("the same form again is answered with a %s", again.kind("fluxbb"))
	}
	v.wantPosts(4)
	for text, said := range map[string]string{"[b]bold": "[b] was found without a matching [/b]", "so[/quote]": "[/quote] was found without a matching [quote]", " ": "You must enter a message"} {
		got := v.post(v.get(reply), "form#post", url.Values{"req_message": {text}})
		v.wantSaid(got, http.StatusOK, said)
		if got.kind("fluxbb") != forum.Form {
			t.Errorf("a text that is refused gives a %s", got.kind("fluxbb"))
		}
	}
	v.b.Flood = time.Minute
	v.wantSaid(v.post(v.get(reply), "form#post", url.Values{"req_message": {"Too soon"}}), http.StatusOK, "seconds have to pass between posts")
	v.b.Lock(v.thread)
	v.wantSaid(v.post(form, "form#post", url.Values{"req_message": {"Too late"}}), http.StatusForbidden, "do not have permission")
	v.wantPosts(4)
}

// mybbIn logs in on MyBB.
func mybbIn(v *visitor) {
	v.t.Helper()
	v.wantSaid(v.post(v.get("/member.php?action=login"), "form#login", url.Values{"username": {"Herald"}, "password": {"tabard & trumpet"}}), http.StatusOK, "successfully been logged in")
}

func TestMyBBKnowsAFormAgainAndMergesPosts(t *testing.T) {
	v := visit(t, mybb18)
	const reply = "/newreply.php?tid=1"
	v.wantSaid(v.get(reply), http.StatusOK, "either not logged in")
	v.wantSaid(v.post(v.get("/member.php?action=login"), "form#login", url.Values{"username": {"Herald"}, "password": {"wrong"}}), http.StatusOK, "combination you entered is invalid")
	mybbIn(v)
	form := v.get(reply)
	address, fields := v.fill(form, `form[name="input"]`, url.Values{"message": {"Hear ye!"}, "submit": {"Post Reply"}})
	bad := url.Values{}
	for name, values := range fields {
		bad[name] = values
	}
	bad.Set("my_post_key", "0")
	v.wantSaid(v.do(http.MethodPost, address, bad, form.address), http.StatusOK, "Authorization code mismatch")
	posted := v.do(http.MethodPost, address, fields, form.address)
	v.wantSaid(posted, http.StatusOK, "showthread.php?tid=1&amp;pid=3#pid3")
	if posted.kind("mybb") != forum.Message {
		t.Errorf("posting is answered with a %s", posted.kind("mybb"))
	}
	v.wantPosts(3)
	v.wantSaid(v.do(http.MethodPost, address, fields, form.address), http.StatusOK, "already posted this reply")
	v.wantPosts(3)
	v.later(10 * time.Minute)
	v.wantSaid(v.post(v.get(reply), `form[name="input"]`, url.Values{"message": {"And hear more!"}}), http.StatusOK, "pid=3#pid3")
	v.wantPosts(3)
	page := v.get("/showthread.php?tid=1")
	if got := page.doc.Find("#pid_3 hr").Length(); got != 1 || page.doc.Find("#edited_by_3 .edited_post").Length() != 1 {
		t.Errorf("the merged post has %d rules:\n%s", got, page.text)
	}
	v.later(2 * time.Hour)
	v.b.Moderate = true
	v.wantSaid(v.post(v.get(reply), `form[name="input"]`, url.Values{"message": {"Third"}}), http.StatusOK, "require moderation")
	v.wantPosts(4)
	v.b.Flood = time.Minute
	v.wantSaid(v.post(v.get(reply), `form[name="input"]`, url.Values{"message": {"Fourth"}}), http.StatusOK, "too quickly after posting a previous message")
	v.b.Lock(v.thread)
	v.wantSaid(v.get(reply), http.StatusOK, "closed by a moderator")
	v.wantPosts(4)
}

// smfIn logs in on SMF.
func smfIn(v *visitor) {
	v.t.Helper()
	got := v.post(v.get("/index.php?action=login"), "#frmLogin", url.Values{"user": {"Herald"}, "passwrd": {"tabard & trumpet"}, "cookielength": {"3153600"}})
	if got.StatusCode != http.StatusFound {
		v.t.Fatalf("logging in answers %d:\n%s", got.StatusCode, got.text)
	}
}

func TestSMFGuardsItsFormAndThrottlesLogins(t *testing.T) {
	v := visit(t, smf21)
	const reply = "/index.php?action=post;topic=1.0"
	if got := v.get(reply); got.StatusCode != http.StatusOK || got.kind("smf") != forum.Login {
		t.Errorf("a guest sees %d and a %s", got.StatusCode, got.kind("smf"))
	}
	login := v.get("/index.php?action=login")
	v.wantSaid(v.post(login, "#frmLogin", url.Values{"user": {"Herald"}, "passwrd": {"wrong"}}), http.StatusOK, "Password incorrect")
	v.later(-time.Second)
	v.wantSaid(v.post(v.get("/index.php?action=login"), "#frmLogin", url.Values{"user": {"Herald"}, "passwrd": {"tabard & trumpet"}}), http.StatusForbidden, "cannot login again so soon")
	v.later(time.Minute)
	v.wantSaid(v.post(login, "#frmLogin", url.Values{"user": {"Herald"}, "passwrd": {"tabard & trumpet"}}), http.StatusForbidden, "Token verification failed")
	v.later(time.Minute)
	smfIn(v)
	form := v.get(reply)
	if form.kind("smf") != forum.Form {
		t.Fatalf("the form is a %s:\n%s", form.kind("smf"), form.text)
	}
	address, fields := v.fill(form, "#postmodify", url.Values{"message": {"Hear ye!"}, "post": {"Post"}})
	posted := v.do(http.MethodPost, address, fields, form.address)
	if posted.StatusCode != http.StatusFound || !strings.HasSuffix(posted.Header.Get("Location"), "topic=1.new#new") {
		t.Errorf("posting answers %d to %s:\n%s", posted.StatusCode, posted.Header.Get("Location"), posted.text)
	}
	v.wantPosts(3)
	v.wantSaid(v.do(http.MethodPost, address, fields, form.address), http.StatusForbidden, "already submitted this post")
	form = v.get(reply)
	v.b.Post(v.thread, 2, "In between.")
	stale := v.post(form, "#postmodify", url.Values{"message": {"Stale"}})
	v.wantSaid(stale, http.StatusOK, "1 new replies have been posted")
	v.wantPosts(4)
	v.wantSaid(v.post(form, "#postmodify", url.Values{"message": {" "}}), http.StatusOK, "left empty")
	v.b.Moderate = true
	v.wantSaid(v.get(reply), http.StatusOK, "approved by a moderator")
	if got := v.post(stale, "#postmodify", url.Values{"message": {"Queued"}}); got.StatusCode != http.StatusFound {
		t.Errorf("a post that waits answers %d", got.StatusCode)
	}
	v.wantPosts(5)
	form = v.get(reply)
	v.b.Flood = time.Minute
	v.wantSaid(v.post(form, "#postmodify", url.Values{"message": {"Soon"}}), http.StatusForbidden, "Please try again later")
	v.b.Lock(v.thread)
	v.wantSaid(v.post(form, "#postmodify", url.Values{"message": {"Late"}}), http.StatusForbidden, "This topic is locked")
	v.b.LogOut()
	if got := v.post(form, "#postmodify", url.Values{"message": {"Out"}}).kind("smf"); got != forum.Login {
		t.Errorf("whose session is over sees a %s", got)
	}
	v.wantPosts(5)
}

// xenforoIn logs in on XenForo.
func xenforoIn(v *visitor) {
	v.t.Helper()
	got := v.post(v.get("/login/"), "form#login", url.Values{"login": {"Herald"}, "password": {"tabard & trumpet"}})
	if got.StatusCode != http.StatusSeeOther {
		v.t.Fatalf("logging in answers %d:\n%s", got.StatusCode, got.text)
	}
}

func TestXenForoTakesAReplyByForm(t *testing.T) {
	v := visit(t, xenforo2)
	const reply = "/threads/thread.1/reply"
	if got := v.get(reply); got.StatusCode != http.StatusForbidden || got.kind("xenforo") != forum.Login {
		t.Errorf("a guest sees %d and a %s", got.StatusCode, got.kind("xenforo"))
	}
	v.wantSaid(v.post(v.get("/login/"), "form#login", url.Values{"login": {"Herald"}, "password": {"wrong"}}), http.StatusOK, "Incorrect password")
	xenforoIn(v)
	form := v.get(reply)
	address, fields := v.fill(form, "form#reply", url.Values{"message": {"Hear ye!"}})
	if fields.Get("_xfToken") != form.doc.Find("html").AttrOr("data-csrf", "") {
		t.Error("the token of the form is not that of the page")
	}
	posted := v.do(http.MethodPost, address, fields, form.address)
	if posted.StatusCode != http.StatusSeeOther || !strings.HasSuffix(posted.Header.Get("Location"), "/post-3") {
		t.Errorf("posting answers %d to %s:\n%s", posted.StatusCode, posted.Header.Get("Location"), posted.text)
	}
	v.wantSaid(v.do(http.MethodPost, address, fields, form.address), http.StatusOK, "already been posted")
	v.wantPosts(3)
	fields.Set("_xfToken", "1,0")
	fields.Set("_xfResponseType", "json")
	v.wantSaid(v.do(http.MethodPost, address, fields, form.address), http.StatusBadRequest, `"status":"error"`)
	v.wantSaid(v.post(v.get(reply), "form#reply", url.Values{"message": {"More"}, "_xfResponseType": {"json"}}), http.StatusOK, `"status":"ok"`)
	v.b.Moderate = true
	v.wantSaid(v.post(v.get(reply), "form#reply", url.Values{"message": {"Third"}}), http.StatusOK, "pending approval by a moderator")
	v.b.Flood = time.Minute
	v.wantSaid(v.post(v.get(reply), "form#reply", url.Values{"message": {"Fourth"}}), http.StatusOK, "You must wait at least")
	v.b.Lock(v.thread)
	v.wantSaid(v.get(reply), http.StatusForbidden, "not open for further replies")
	v.wantPosts(5)
}

// ask sends a request to an API, with headers given as names and values in turn.
func (v *visitor) ask(method, address, kind, body string, headers ...string) shown {
	v.t.Helper()
	r, err := http.NewRequest(method, v.server.URL+address, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return v.send(r)
}

func TestXenForoTakesAReplyByItsAPI(t *testing.T) {
	v := visit(t, xenforo2)
	say := func(key string) shown {
		return v.ask("POST", "/api/posts/", "application/x-www-form-urlencoded", "thread_id=1&message=Hear+ye%21", "XF-Api-Key", key)
	}
	v.wantSaid(say("wrong"), http.StatusUnauthorized, "api_key_not_found")
	v.wantSaid(say("key-1"), http.StatusOK, `"post_id":3`)
	v.wantSaid(say("key-1"), http.StatusOK, `"post_id":4`)
	v.wantSaid(v.ask("GET", "/api/threads/1/posts", "", "", "XF-Api-Key", "key-1"), http.StatusOK, `"message":"Hear ye!"`)
	v.b.Lock(v.thread)
	v.wantSaid(say("key-1"), http.StatusForbidden, "do_not_have_permission")
	v.wantPosts(4)
}

func TestDiscourseTakesAReplyByItsAPI(t *testing.T) {
	v := visit(t, discourse)
	say := func(text string, headers ...string) shown {
		if headers == nil {
			headers = []string{"Api-Key", "key-1", "Api-Username", "herald"}
		}
		return v.ask("POST", "/posts.json", "application/json", `{"topic_id":1,"raw":"`+text+`"}`, headers...)
	}
	v.wantSaid(say("Hear ye!", "Api-Key", "wrong"), http.StatusForbidden, "invalid_access")
	v.wantSaid(say("Hear ye!", "Api-Key", "key-1", "Api-Username", "Alice"), http.StatusForbidden, "invalid_access")
	v.wantSaid(say("Hear ye!"), http.StatusOK, `"post_number":3`)
	v.wantSaid(say("Hear ye!"), http.StatusUnprocessableEntity, "too similar")
	v.b.Alone = 1
	v.wantSaid(say("Hear more!"), http.StatusUnprocessableEntity, "consecutive replies")
	v.b.Alone = 0
	v.b.Flood = time.Minute
	if got := say("Hear more!"); got.StatusCode != http.StatusTooManyRequests || got.Header.Get("Retry-After") != "60" {
		t.Errorf("a reply too soon is answered %d, Retry-After %q", got.StatusCode, got.Header.Get("Retry-After"))
	}
	v.later(time.Hour)
	v.b.Moderate = true
	v.wantSaid(say("Hear more!"), http.StatusOK, `"action":"enqueued"`)
	v.later(time.Hour)
	v.wantSaid(say(""), http.StatusUnprocessableEntity, "can't be blank")
	v.b.Lock(v.thread)
	v.wantSaid(say("Too late"), http.StatusForbidden, "invalid_access")
	v.wantPosts(4)
}

func TestFlarumTakesAReplyByItsAPI(t *testing.T) {
	v := visit(t, flarum)
	login := v.ask("POST", "/api/token", "application/json", `{"identification":"Herald","password":"tabard & trumpet"}`)
	v.wantSaid(login, http.StatusOK, `"token":"key-1"`)
	v.wantSaid(v.ask("POST", "/api/token", "application/json", `{"identification":"Herald","password":"wrong"}`), http.StatusUnauthorized, "not_authenticated")
	say := func(authorization string) shown {
		body := `{"data":{"type":"posts","attributes":{"content":"Hear ye!"},"relationships":{"discussion":{"data":{"type":"discussions","id":"1"}}}}}`
		return v.ask("POST", "/api/posts", "application/json", body, "Authorization", authorization)
	}
	v.wantSaid(say(""), http.StatusBadRequest, "csrf_token_mismatch")
	v.wantSaid(say("Token wrong"), http.StatusUnauthorized, "not_authenticated")
	v.wantSaid(say("Token key-1"), http.StatusCreated, `"id":"3"`)
	v.b.Flood = 10 * time.Second
	v.wantSaid(say("Token key-1"), http.StatusTooManyRequests, "too_many_requests")
	v.later(time.Minute)
	v.b.Moderate = true
	v.wantSaid(say("Token key-1"), http.StatusCreated, `"isApproved":false`)
	v.later(time.Minute)
	v.b.Lock(v.thread)
	v.wantSaid(say("Token key-1"), http.StatusForbidden, "permission_denied")
	v.wantPosts(4)
}
