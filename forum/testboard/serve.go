package testboard

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// Exchange is one request and what is answered to it. It is buffered, so that a fault may still change it.
type Exchange struct {
	*Board
	R    *http.Request
	Form url.Values // of the body, in UTF-8
	JSON []byte     // the body when it is no form
	User User       // who is logged in; ID 0 for a guest

	Status int
	Header http.Header
	Body   bytes.Buffer

	cut     bool // the connection breaks in the middle of the answer
	session *session
	shown   string // session id that links show
}

// session is one visit.
type session struct {
	id     string
	user   int
	logins time.Time         // of the last attempt to log in
	fields map[string]string // hidden fields with random names
}

// Asked is a line of the log of requests.
type Asked struct {
	At      time.Time
	Method  string
	Address string // path and query
	Agent   string
	Referer string
	Header  http.Header
	Form    url.Values
}

// Log returns all requests that came, in their order.
func (b *Board) Log() []Asked {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Asked(nil), b.asked...)
}

// ServeHTTP answers as a board of the skin's kind does. Fields of an address may be parted by semicolons.
func (b *Board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	http.AllowQuerySemicolons(http.HandlerFunc(b.serve)).ServeHTTP(w, r)
}

func (b *Board) serve(w http.ResponseWriter, r *http.Request) {
	x := &Exchange{Board: b, R: r, Status: http.StatusOK, Header: http.Header{}}
	x.readBody()
	b.mu.Lock()
	b.asked = append(b.asked, Asked{b.Now(), r.Method, r.RequestURI, r.UserAgent(), r.Referer(), r.Header.Clone(), x.Form})
	b.mu.Unlock()
	if b.Before != nil {
		b.Before(r)
	}
	x.Header.Set("Date", b.Now().UTC().Format(http.TimeFormat))
	fault := b.meet(r)
	switch {
	case fault != nil && fault.Instead != nil:
		fault.Instead(x)
	default:
		x.answer()
	}
	if fault != nil && fault.Change != nil {
		fault.Change(x)
	}
	for name, values := range x.Header {
		w.Header()[name] = values
	}
	if x.cut {
		w.Header().Set("Content-Length", strconv.Itoa(x.Body.Len()+1))
		w.WriteHeader(x.Status)
		_, _ = w.Write(x.Body.Bytes()[:x.Body.Len()/2])
		panic(http.ErrAbortHandler)
	}
	w.WriteHeader(x.Status)
	_, _ = w.Write(x.Body.Bytes()) // the one who asked may be gone
}

// readBody reads the form that was sent, out of the board's charset.
func (x *Exchange) readBody() {
	kind := x.R.Header.Get("Content-Type")
	switch {
	case strings.HasPrefix(kind, "multipart/form-data"):
		_ = x.R.ParseMultipartForm(8 << 20) // what cannot be parsed is no field of the form
		x.Form = x.R.PostForm
	case strings.HasPrefix(kind, "application/x-www-form-urlencoded"):
		_ = x.R.ParseForm()
		x.Form = x.R.PostForm
	default:
		x.JSON, _ = io.ReadAll(io.LimitReader(x.R.Body, 8<<20)) // what is cut off is no JSON
	}
	if c := charset(x.Skin.Charset); c != nil {
		for _, values := range x.Form {
			for i, v := range values {
				if s, err := c.NewDecoder().String(v); err == nil {
					values[i] = s
				}
			}
		}
	}
}

// charset is an encoding by its name, nil for UTF-8.
func charset(name string) encoding.Encoding {
	if name == "" || strings.EqualFold(name, "utf-8") {
		return nil
	}
	c, err := htmlindex.Get(name)
	if err != nil {
		panic("testboard: " + err.Error())
	}
	return c
}

// answer does what the board does.
func (x *Exchange) answer() {
	if x.R.URL.Path == "/robots.txt" {
		x.robotsTxt()
		return
	}
	x.visit()
	if x.Skin.Serve != nil && x.Skin.Serve(x) {
		return
	}
	if want := x.Skin.Ask(x.R, x.size()); want != nil {
		if x.Members && x.User.ID == 0 {
			x.askLogin()
			return
		}
		x.threadPage(*want)
		return
	}
	if x.R.URL.Path == "/" || strings.HasPrefix(x.R.URL.Path, "/index") {
		x.index()
		return
	}
	x.Message(http.StatusNotFound, "The page that you asked for does not exist.")
}

func (x *Exchange) robotsTxt() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.Header.Set("Content-Type", "text/plain")
	if x.robots == "" {
		x.Status = http.StatusNotFound
		return
	}
	x.Body.WriteString(x.robots)
}

// visit finds the session, or begins one.
func (x *Exchange) visit() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if c, err := x.R.Cookie(x.cookie()); err == nil && x.sessions[c.Value] != nil {
		x.session = x.sessions[c.Value]
	} else {
		x.session = &session{id: x.random()[:32], fields: map[string]string{}}
		x.sessions[x.session.id] = x.session
		x.setCookie()
		x.shown = x.session.id
	}
	if x.session.user > 0 {
		x.User = *x.user(x.session.user)
	}
}

func (x *Exchange) setCookie() {
	x.Header.Add("Set-Cookie", (&http.Cookie{Name: x.cookie(), Value: x.session.id, Path: "/", HttpOnly: true}).String())
}

func (x *Exchange) cookie() string {
	if x.Skin.Cookie != "" {
		return x.Skin.Cookie
	}
	return "sid"
}

// random is a word that nobody else has: 40 hex digits. The lock is held.
func (b *Board) random() string {
	b.serial++
	sum := sha1.Sum(fmt.Append(nil, "testboard ", b.serial))
	return hex.EncodeToString(sum[:])
}

// threadPage answers with a page of a thread.
func (x *Exchange) threadPage(want Want) {
	p, none := x.Board.threadPage(x, want)
	switch none {
	case missing:
		m := x.Skin.Missing
		if m.Status == 0 {
			m.Status = http.StatusNotFound
		}
		if m.Template == "" {
			m.Template = "message"
		}
		p.Said, p.Form = m.Said, &Form{Error: m.Said}
		x.Page(m.Status, m.Template, p)
	case moved:
		x.Redirect(http.StatusMovedPermanently, x.Skin.Address(p.Thread.Moved, 1))
	case pastEnd:
		p.Said = "No posts exist for this topic"
		x.Page(http.StatusOK, "message", p)
	case redirectEnd:
		x.Redirect(http.StatusSeeOther, x.Skin.Address(p.Thread.ID, p.Pages))
	case found:
		x.Page(http.StatusOK, "thread", p)
	}
}

// Page answers with a page of a template, or a thread as the skin writes it.
func (x *Exchange) Page(status int, name string, p *Page) {
	var out []byte
	var err error
	kind := "text/html; charset=" + p.Charset
	if x.Skin.Write != nil {
		kind, out, err = x.Skin.Write(p)
	} else {
		out, err = p.render(name)
	}
	if err != nil {
		panic("testboard: " + err.Error()) // a template is wrong
	}
	if c := charset(x.Skin.Charset); c != nil {
		out, err = encoding.HTMLEscapeUnsupported(c.NewEncoder()).Bytes(out)
		if err != nil {
			panic("testboard: " + err.Error())
		}
	}
	x.Status = status
	x.Header.Set("Content-Type", kind)
	x.Body.Write(out)
}

// Message answers with the board's message page.
func (x *Exchange) Message(status int, said string) {
	p := x.newPage(x)
	p.Said = said
	x.Page(status, "message", p)
}

// Answer answers with JSON.
func (x *Exchange) Answer(status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic("testboard: " + err.Error())
	}
	x.Status = status
	x.Header.Set("Content-Type", "application/json; charset=utf-8")
	x.Body.Write(b)
}

// Redirect sends somewhere else.
func (x *Exchange) Redirect(status int, address string) {
	x.Status = status
	x.Header.Set("Location", address)
}

var indexPage = template.Must(template.New("index").Parse(`<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{{.Title}}</title>
<style>body { max-width: 60em; margin: 2em auto; font: 16px/1.5 Verdana, Helvetica, Arial, sans-serif; } a { color: #6b3e1d; }</style></head>
<body><h1>{{.Title}}</h1><ul>
{{range .Threads}}<li><a href="{{.Address}}">{{.Title}}</a></li>
{{end}}</ul></body></html>
`))

// index lists the threads, for people who look at the board.
func (x *Exchange) index() {
	type entry struct{ Address, Title string }
	var list []entry
	x.mu.Lock()
	for _, t := range x.threads {
		if t.Moved == 0 {
			list = append(list, entry{x.Skin.Address(t.ID, 1), t.Title})
		}
	}
	x.mu.Unlock()
	x.Header.Set("Content-Type", "text/html; charset=utf-8")
	if err := indexPage.Execute(&x.Body, struct {
		Title   string
		Threads []entry
	}{x.Title, list}); err != nil {
		panic("testboard: " + err.Error())
	}
}
