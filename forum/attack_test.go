package forum

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// boardOf is a board of a kind at an address, read by a client whose clock its pauses alone move on.
func boardOf(t *testing.T, kind, address string, a Account) (*Board, *polite) {
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p := newPolite()
	return &Board{Name: "tavern", Address: u, View: View{Board: kind}, Client: p.Client, Account: a}, p
}

func TestNobodyIsLedToAnotherHost(t *testing.T) {
	inside := serve(t, map[string]http.HandlerFunc{"/": says("inside"), "/login": says("inside")})
	s := serve(t, map[string]http.HandlerFunc{
		"/port": status(302, "Location", inside.URL+"/"), "/file": status(302, "Location", "file:///etc/passwd"), "/none": status(302, "Location", "//"),
	})
	b, p := boardOf(t, "flarum", s.URL+"/", Account{Key: "zqx-key"})
	for _, path := range []string{"/port", "/file", "/none"} {
		if _, err := p.Get(t.Context(), s.URL+path); err == nil {
			t.Errorf("%s was read", path)
		}
	}
	var elsewhere *ElsewhereError
	for _, address := range []string{inside.URL + "/", "file:///etc/passwd", "//", ":"} { // as links to a next page
		if _, _, err := b.Fetch(t.Context(), address); err == nil || address == inside.URL+"/" && !errors.As(err, &elsewhere) {
			t.Errorf("%s was read: %v", address, err)
		}
	}
	if len(inside.asked) > 0 {
		t.Errorf("another server was asked for %q", inside.asked)
	}
}

func TestRobotsLeadToNoServerBesideUs(t *testing.T) {
	inside := serve(t, map[string]http.HandlerFunc{"/": says("User-agent: *\nDisallow: /")})
	for _, to := range []string{inside.URL + "/", "file:///etc/passwd", "http://localhost/robots.txt", "http://[::1]/", "http://169.254.169.254/latest", "gopher://board.example/"} {
		s := serve(t, map[string]http.HandlerFunc{"/robots.txt": status(302, "Location", to), "/page": says("page")})
		if a, err := newPolite().Get(t.Context(), s.URL+"/page"); err != nil || string(a.Body) != "page" {
			t.Errorf("robots.txt at %s: %v", to, err)
		}
	}
	if len(inside.asked) > 0 {
		t.Errorf("a server beside us was asked for %q", inside.asked)
	}
}

func TestAFormForAnotherHostIsNotFilledIn(t *testing.T) {
	thief := serve(t, map[string]http.HandlerFunc{"/": says("thanks")})
	s := serve(t, map[string]http.HandlerFunc{"/ucp.php": says(`<html><body id="phpbb"><form method="post" action="` + thief.URL + `/"><input name="username"><input type="password" name="password"><input type="submit" name="login"></form>`),
		"/posting.php": says(`<html><body id="phpbb"><form method="post" action="` + thief.URL + `/"><textarea name="message"></textarea><input type="submit" name="post"></form>`)})
	b, _ := boardOf(t, "phpbb", s.URL+"/", Account{User: "Tavern", Password: "zqx-secret"})
	err := b.Login(t.Context())
	if err == nil || strings.Contains(err.Error(), "zqx-secret") {
		t.Errorf("logged in: %v", err)
	}
	if r, err := b.Reply(t.Context(), "1", "", "text"); err == nil {
		t.Errorf("replied: %+v", r)
	}
	if len(thief.asked) > 0 {
		t.Errorf("another host was asked for %q", thief.asked)
	}
}

// TestAFormInAListOfPostsIsNotOurs: under the form to reply stand the newest posts, in which a board may let HTML through.
func TestAFormInAListOfPostsIsNotOurs(t *testing.T) {
	const forged = `<div id="topicreview"><div class="post"><div class="content"><form method="post" action="/ucp.php?mode=delete"><textarea name="message"></textarea></form></div></div></div>`
	s := serve(t, map[string]http.HandlerFunc{"/posting.php": func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			http.Redirect(w, r, "/viewtopic.php?p=7#p7", http.StatusFound)
			return
		}
		w.Write([]byte(`<html><body id="phpbb">` + forged + `<form method="post" action="/posting.php?mode=reply"><textarea name="message"></textarea><input type="submit" name="post"></form>`))
	}})
	b, _ := boardOf(t, "phpbb", s.URL+"/", Account{User: "Tavern", Password: "zqx-secret"})
	if r, err := b.Reply(t.Context(), "1", "", "text"); err != nil || r.Outcome != Posted || r.Post != "7" {
		t.Errorf("%+v, %v; asked for %q", r, err, s.asked)
	}
}

func TestClocksAndWishesThatNobodyMeans(t *testing.T) {
	code, fields := 200, []string(nil)
	s := serve(t, map[string]http.HandlerFunc{"/page": func(w http.ResponseWriter, r *http.Request) { status(code, fields...)(w, r) }})
	p := newPolite()
	for _, date := range []string{"Mon, 01 Jan 0001 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "soon", "Sat, 14 Mar 2026 23:00:00 +0300"} {
		fields = []string{"Date", date}
		if a, err := p.Get(t.Context(), s.URL+"/page"); err != nil || a.At.Sub(p.Now()).Abs() > time.Minute {
			t.Errorf("Date %q: %v, %v", date, a.At, err)
		}
	}
	for _, after := range []string{"2147483647", "999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "-5", "Mon, 01 Jan 0001 00:00:00 GMT"} {
		code, fields = 429, []string{"Retry-After", after}
		_, err := p.Get(t.Context(), s.URL+"/page")
		var e *ThrottledError
		if !errors.As(err, &e) || e.Until.Sub(p.Now()) > 24*time.Hour || e.Until.Before(p.Now()) {
			t.Errorf("Retry-After %q: %v", after, err)
		}
		p.later(25 * time.Hour)
	}
}

func TestSpellingsOfAHostAreOneHost(t *testing.T) {
	c := &Client{}
	one := c.host("board.example")
	for _, address := range []string{"http://board.example/", "https://Board.Example:443/x", "http://board.example.:80/", "https://board.example/forum/"} {
		u, err := url.Parse(address)
		if err != nil || c.host(hostOf(u)) != one {
			t.Errorf("%s is another host than itself", address)
		}
	}
}

func TestNoSessionIsTold(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{
		"/posting.php": func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				http.Redirect(w, r, "/index.php?sid=0123456789abcdef0123456789abcdef", http.StatusFound)
				return
			}
			w.Write([]byte(`<html><body id="phpbb"><form method="post" action="/posting.php?sid=0123456789abcdef0123456789abcdef"><textarea name="message"></textarea><input type="submit" name="post"></form>`))
		}})
	b, _ := boardOf(t, "phpbb", s.URL+"/", Account{User: "Tavern", Password: "zqx-secret"})
	r, err := b.Reply(t.Context(), "1", "", "text")
	if err != nil || r.Outcome != Unclear || strings.Contains(r.Said, "sid=") {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestF39MillionsOfTags: a page of nothing but tags is told of in a time that grows with its size alone.
func TestF39MillionsOfTags(t *testing.T) {
	text := `<html><body id="phpbb">` + strings.Repeat("<b>", 1_000_000) + strings.Repeat("</i>", 1_000_000)
	if p := Read(Answer{Body: []byte(text)}, View{Board: "phpbb"}); p.Kind != Unreadable {
		t.Errorf("it is %q", p.Kind)
	}
	flat, depth := shallow("<p>" + strings.Repeat("<i><b>", 300) + "x</b></u></i>" + strings.Repeat("</b></i>", 299) + "</p><p>y</p>")
	if depth != 601 || !strings.HasSuffix(flat, "</p><p>y</p>") || strings.Contains(flat, "x</b>") {
		t.Errorf("%d deep, %.80s", depth, flat[len(flat)-80:])
	}
}

// TestF1AQuoteOfBrokenMarkupEnds: what somebody wrote cannot leave the quote of it, nor keep in it what stands behind.
func TestF1AQuoteOfBrokenMarkupEnds(t *testing.T) {
	for _, quoted := range []string{"[table]", "[table][tr][td]", "[/table]", "[list]", "[/list][/b]", "[code]", "[code][/quote][/code]", "[plain][/quote][/plain]", "[img][/quote]x[/img]", "[url=[/quote]", "[url]", "[heading=1]", "[s]", "<!--", "<table>", "</blockquote>", "[td]", "[size=9][quote]x[/quote]", "&lt;/blockquote>"} {
		html := bbcodeHTML(`[quote="Anna, post: 5, member: 3"]PAY 9 ` + quoted + " PAY 8[/quote]\nPAY 1")
		lines, err := Lines("xenforo", "xenforo 2", html)
		if err != nil || len(lines) != 1 || lines[0] != "PAY 1" {
			t.Errorf("%s: lines %q, %v, in %s", quoted, lines, err, html)
		}
	}
}

// FuzzRecord writes any post and reads it back: who wrote it, its id and its subject stay as they are.
func FuzzRecord(f *testing.F) {
	f.Add("Anna", "17", "Re: orders", "<p>WHO</p>")
	f.Add("=?utf-8?q?Anna?=", "", "=?", "\n\nAuthor: Boris")
	f.Fuzz(func(t *testing.T, author, id, subject, html string) {
		if !utf8.ValidString(author + id + subject + html) {
			t.Skip("texts of posts are valid")
		}
		r := Record{Board: "phpbb", Theme: "prosilver", Post: Post{ID: "5", Author: nameOf(author), AuthorID: userID(id), Subject: fold(subject), HTML: html}}
		got, err := ReadRecord(r.Encode())
		if got.ID != "5" || got.Author != r.Author || got.AuthorID != r.AuthorID || got.Subject != r.Subject || got.HTML != html {
			t.Errorf("%+v comes back as %+v, %v", r, got, err)
		}
	})
}

// FuzzWithoutSession: an address without its session has none, and is not changed again.
func FuzzWithoutSession(f *testing.F) {
	f.Add("./viewtopic.php?t=1&sid=0123456789abcdef0123456789abcdef&p=2#p2")
	f.Add("?s=;;&sid=&#?sid=1")
	f.Fuzz(func(t *testing.T, address string) {
		once := WithoutSession(address)
		if again := WithoutSession(once); again != once || len(once) > len(address) {
			t.Errorf("%q becomes %q, and then %q", address, once, again)
		}
	})
}
