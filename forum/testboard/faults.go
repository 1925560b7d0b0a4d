package testboard

import (
	"bytes"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// Fault is something that goes wrong with requests that come in. Faults meet requests in the order in which they were
// switched on; a request meets one. The faults of this package are values to be bent: b.Fail(Challenge.Times(2)),
// b.Fail(CutAfter.On(Posting)).
type Fault struct {
	Name    string
	Count   int                        // how many requests it meets; 0 for all
	Meets   func(r *http.Request) bool // which; nil for all but robots.txt
	Instead func(x *Exchange)          // answers in place of the board
	Change  func(x *Exchange)          // changes what is answered

	met int
}

// Times is the fault for so many requests.
func (f Fault) Times(n int) Fault {
	f.Count = n
	return f
}

// On is the fault for some requests only.
func (f Fault) On(meets func(r *http.Request) bool) Fault {
	f.Meets = meets
	return f
}

// Posting tells whether a request sends something: a log-in, a reply.
func Posting(r *http.Request) bool { return r.Method == http.MethodPost }

// Reading tells whether a request asks for a page.
func Reading(r *http.Request) bool { return r.Method == http.MethodGet && r.URL.Path != "/robots.txt" }

// At tells whether a request's address holds a text.
func At(text string) func(r *http.Request) bool {
	return func(r *http.Request) bool { return strings.Contains(r.URL.RequestURI(), text) }
}

// Fail switches a fault on.
func (b *Board) Fail(f Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = append(b.faults, &f)
}

// Clear switches all faults off.
func (b *Board) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = nil
}

// Robots sets what robots.txt says; there is none when it is "".
func (b *Board) Robots(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.robots = text
}

// LogOut ends all sessions.
func (b *Board) LogOut() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.sessions)
}

// meet returns the fault that a request meets, nil for none.
func (b *Board) meet(r *http.Request) *Fault {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.faults {
		if f.Count > 0 && f.met >= f.Count {
			continue
		}
		if f.Meets == nil && r.URL.Path == "/robots.txt" || f.Meets != nil && !f.Meets(r) {
			continue
		}
		f.met++
		return f
	}
	return nil
}

// Faults in place of the board's answer.
var (
	Challenge = Fault{Name: "challenge page", Instead: func(x *Exchange) {
		x.html(http.StatusOK, `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head>
<body><div class="main-wrapper" role="main"><h1>Checking that you are a person</h1><form id="challenge-form" method="post" action="/"><input type="hidden" name="md" value="1"></form>
<noscript>Enable JavaScript and cookies to continue</noscript></div></body></html>`)
	}}
	ProofOfWork = Fault{Name: "challenge page that makes the browser work", Instead: func(x *Exchange) {
		x.html(http.StatusOK, `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Making sure you&#39;re not a bot!</title></head>
<body><main><h1>Making sure you&#39;re not a bot!</h1><script id="anubis_challenge" type="application/json">{"rules":{"difficulty":4},"challenge":"00"}</script></main></body></html>`)
	}}
	AskLogin = Fault{Name: "login page", Instead: func(x *Exchange) {
		x.visit()
		x.askLogin()
	}}
	Closed = Fault{Name: "board closed", Instead: func(x *Exchange) {
		x.Message(http.StatusOK, "This board is currently closed. Please check back later.")
	}}
	Banned = Fault{Name: "banned", Instead: func(x *Exchange) {
		x.Message(http.StatusOK, "You have been permanently banned from this board.")
	}}
	Down        = Status(http.StatusServiceUnavailable)
	RobotsError = Status(http.StatusInternalServerError).On(func(r *http.Request) bool { return r.URL.Path == "/robots.txt" })
)

// askLogin shows in place of a page that one must log in.
func (x *Exchange) askLogin() {
	p := x.newPage(x)
	p.Said, p.Code = "You must log in to read this.", "not_logged_in"
	p.Form = &Form{Error: p.Said}
	switch t := templates()[x.Skin.Name]; {
	case t != nil && t.Lookup("login") != nil:
		x.Page(http.StatusOK, "login", p)
	case t != nil:
		x.Page(http.StatusForbidden, "message", p)
	default:
		x.Page(http.StatusUnauthorized, "message", p)
	}
}

// Status is a server that answers with an error of its own.
func Status(code int) Fault {
	return Fault{Name: http.StatusText(code), Instead: func(x *Exchange) {
		x.html(code, "<html><head><title>"+strconv.Itoa(code)+" "+http.StatusText(code)+"</title></head><body><h1>"+http.StatusText(code)+"</h1></body></html>")
	}}
}

// TooMany answers 429; after is the Retry-After, seconds or a date, none when "".
func TooMany(after string) Fault {
	f := Status(http.StatusTooManyRequests)
	f.Change = func(x *Exchange) {
		if after != "" {
			x.Header.Set("Retry-After", after)
		}
	}
	return f
}

// Slow keeps a request waiting until wait returns.
func Slow(wait func()) Fault {
	return Fault{Name: "slow answer", Change: func(*Exchange) { wait() }}
}

// Faults of the connection. The board has not seen what CutBefore cuts; it has done everything that CutAfter and CutAnswer cut.
var (
	CutBefore = Fault{Name: "connection cut before the board has seen the request", Instead: func(*Exchange) { panic(http.ErrAbortHandler) }}
	CutAfter  = Fault{Name: "connection cut after it, before an answer", Change: func(*Exchange) { panic(http.ErrAbortHandler) }}
	CutAnswer = Fault{Name: "connection cut in the middle of the answer", Change: func(x *Exchange) { x.cut = true }}
)

// Faults of what is answered.
var (
	Renamed = Fault{Name: "theme with other names", Change: func(x *Exchange) {
		x.change(func(b []byte) []byte {
			at := body.FindIndex(b)
			if at != nil { // the body keeps its own names, and so the board's mark
				rest := names.ReplaceAllFunc(b[at[1]:], func(m []byte) []byte {
					if forLogin.Match(m) { // the board's own scripts look for these
						return m
					}
					i := bytes.IndexByte(m, '"') + 1
					return append(append(bytes.Clone(m[:i]), "my-"...), bytes.ReplaceAll(m[i:], []byte(" "), []byte(" my-"))...)
				})
				b = append(b[:at[1]:at[1]], rest...)
			}
			return []byte(strings.NewReplacer(`"post_stream"`, `"stream_of_posts"`, `"data":`, `"content":`, "<article ", "<piece ", "</article>", "</piece>").Replace(string(b)))
		})
	}}
	TooDeep = Fault{Name: "page nested too deep", Change: func(x *Exchange) {
		x.change(func(b []byte) []byte {
			at := body.FindIndex(b)
			if at == nil {
				return []byte(strings.Repeat("[", 100_000))
			}
			return append(append(bytes.Clone(b[:at[1]]), strings.Repeat("<div>", 600)...), b[at[1]:]...)
		})
	}}
	BrokenOff = Fault{Name: "page that breaks off", Change: func(x *Exchange) {
		x.change(func(b []byte) []byte { return b[:len(b)/2] })
	}}
	Modified = Fault{Name: "Last-Modified: now", Change: func(x *Exchange) {
		x.Header.Set("Last-Modified", x.Now().UTC().Format(http.TimeFormat))
	}}
	NoCharset = Fault{Name: "charset that is told nowhere", Change: func(x *Exchange) {
		x.Header.Set("Content-Type", "text/html")
		x.change(func(b []byte) []byte { return charsets.ReplaceAll(b, nil) })
	}}
)

// SaysCharset is a server whose header names a charset that the page is not in.
func SaysCharset(name string) Fault {
	return Fault{Name: "header of charset " + name, Change: func(x *Exchange) { x.Header.Set("Content-Type", "text/html; charset="+name) }}
}

// Faults are those that need nothing else to be said, for tests that go through all.
func Faults() []Fault {
	return []Fault{Challenge, ProofOfWork, AskLogin, Closed, Banned, Down, RobotsError, CutBefore, CutAfter, CutAnswer, Renamed, TooDeep, BrokenOff, Modified, NoCharset}
}

var (
	names    = regexp.MustCompile(`\b(?:class|id|component|data-role|data-content)="[^"]*"`)
	forLogin = regexp.MustCompile(`"(?:header|[^"]*(?i:login|signin|guest|navbar_)[^"]*)"`)
	body     = regexp.MustCompile(`<body[^>]*>`)
	charsets = regexp.MustCompile(`(?i)<meta [^>]*charset[^>]*>`)
)

func (x *Exchange) html(code int, page string) {
	x.Status = code
	x.Header.Set("Content-Type", "text/html; charset=utf-8")
	x.Body.WriteString(page)
}

func (x *Exchange) change(f func([]byte) []byte) {
	b := f(bytes.Clone(x.Body.Bytes()))
	x.Body.Reset()
	x.Body.Write(b)
}
