package forum

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/PuerkitoBio/goquery"
)

// posting is how replies go to the boards of a family: by forms, by an API, or by either.
type posting struct {
	login func(base *url.URL) string                // address of the form to log in
	form  func(base *url.URL, thread string) string // address of the form to reply; nil: there is an API alone

	user, password   string  // fields to log in with
	stay             []field // fields of the log-in form that make a session last
	subject, message string  // fields of a reply
	send             string  // button that sends it
	plain            string  // box that switches smilies off
	newest           string  // hidden field that holds the thread's last post
	waits            string  // hidden field of a form whose posts wait for a moderator

	guest goquery.Matcher          // only on pages that guests see
	wrong goquery.Matcher          // says what is wrong with a form that is shown again
	code  string                   // attribute values that begin so, within a message, name what is wrong in no language
	post  func(to *url.URL) string // the post that an address leads to, "" for none
	held  func(to *url.URL) bool   // the address that a post leads to that waits for a moderator
	api   func(b *Board, ctx context.Context, thread, text string) (Reply, error)

	markup func(text string) string
	limit  int // characters of a text: fewer than the board takes, since markup makes it longer
}

// Outcome is what a board made of a reply.
type Outcome string

// The outcomes of a reply. Only Posted and Queued say that it was taken, only Unclear that it may have been.
const (
	Posted  Outcome = "posted"  // it stands in the thread
	Queued  Outcome = "queued"  // accepted; a moderator will look at it. Never to be sent again
	Wait    Outcome = "wait"    // too soon after another
	Again   Outcome = "again"   // token or form refused: get the form afresh, once
	LogIn   Outcome = "login"   // the session is over: log in, once
	Refused Outcome = "refused" // for good: locked, no right, banned, text not accepted
	Unclear Outcome = "unclear" // it may stand in the thread or not
)

// Reply is the answer to a reply.
type Reply struct {
	Outcome Outcome
	Post    string        // id of the post, where the board tells
	Wait    time.Duration // how long to leave it alone, where the board tells
	Said    string        // by the board, for people
	Held    bool          // the board had said before it was sent that it would wait for a moderator
}

// A LoginError says that a board does not let us in. After one we wait, longer each time: boards count tries.
type LoginError struct {
	Board string
	Said  string // by the board
	Again time.Time
}

func (e *LoginError) Error() string {
	return fmt.Sprintf("%s does not let us in (%s); look at user and password. The next try is at %s", e.Board, cmp.Or(e.Said, "it says nothing"), e.Again.UTC().Format(time.RFC3339))
}

// A PageError says that a board showed something else in place of a form. Nothing was sent.
type PageError struct {
	Address string
	Kind    Kind
	Said    string
	Closed  bool // the board is closed, for all or for us
}

func (e *PageError) Error() string {
	return fmt.Sprintf("in place of what was asked for %s shows a page of the kind %q: %s", WithoutSession(e.Address), e.Kind, cmp.Or(e.Said, "it says nothing"))
}

const (
	formRest   = 2 * time.Second // between a form and sending it: phpBB refuses one that was made in the same second
	firstRetry = 15 * time.Minute
	lastRetry  = 24 * time.Hour
)

func (b *Board) posting() (*posting, error) {
	f := familyNamed(b.View.Board)
	if f == nil || f.posting == nil {
		return nil, fmt.Errorf("%s: replies cannot be sent to a %s board", b.Name, b.View.Board)
	}
	return f.posting, nil
}

// byAPI tells whether replies go through the board's API.
func (b *Board) byAPI(p *posting) bool { return p.api != nil && (p.form == nil || b.Account.Key != "") }

// Login begins a session. It asks only once the time after the last failure is over.
func (b *Board) Login(ctx context.Context) error {
	p, err := b.posting()
	if err != nil {
		return err
	}
	b.entry.Lock() // several threads of a board are read at once
	defer b.entry.Unlock()
	if now := b.Client.Now(); now.Before(b.noLogin) {
		return &LoginError{b.Name, b.noEntry, b.noLogin}
	}
	said, ok, err := b.login(ctx, p)
	if err != nil {
		return fmt.Errorf("log in to %s: %w", b.Name, err)
	}
	if ok {
		b.failures = 0
		return nil
	}
	b.noLogin = b.Client.Now().Add(min(firstRetry<<min(b.failures, 10), lastRetry))
	b.failures, b.noEntry = b.failures+1, said
	return &LoginError{b.Name, said, b.noLogin}
}

// login fills the form to log in. Where a key is our account nothing can be done when it is refused.
func (b *Board) login(ctx context.Context, p *posting) (said string, ok bool, err error) {
	if b.byAPI(p) || b.Account.User == "" {
		return "the account is not let in", false, nil
	}
	s, err := b.show(ctx, p.login(b.Address))
	if err != nil {
		return "", false, err
	}
	f := s.form(p.password)
	if f == nil {
		if s.kind == Thread || s.kind == Message || s.kind == Unreadable && !s.has(p.guest) {
			return "", true, nil // who is in already is shown another page
		}
		return "", false, &PageError{s.URL, s.kind, s.said, closed(s.said)}
	}
	f.set(p.user, b.Account.User)
	f.set(p.password, b.Account.Password)
	for _, stay := range p.stay {
		if f.has(stay.name) {
			f.set(stay.name, stay.value)
		}
	}
	f.press("")
	a, err := b.send(ctx, f)
	if err != nil {
		return "", false, err
	}
	if a.redirect() != nil {
		return "", true, nil
	}
	s = b.read(a)
	if s.form(p.password) != nil || a.Status >= 400 {
		return cmp.Or(s.text(p.wrong), s.said), false, nil
	}
	return "", true, nil
}

// Reply sends a reply to a thread, once. An error says that nothing was sent.
func (b *Board) Reply(ctx context.Context, thread, subject, text string) (Reply, error) {
	p, err := b.posting()
	if err != nil {
		return Reply{}, err
	}
	if thread = b.ThreadID(thread); thread == "" {
		return Reply{}, fmt.Errorf("%s: the address of the thread does not tell its id", b.Name)
	}
	if b.byAPI(p) {
		return p.api(b, ctx, thread, text)
	}
	s, err := b.show(ctx, p.form(b.Address, thread))
	if err != nil {
		return Reply{}, fmt.Errorf("get the form: %w", err)
	}
	f := s.form(p.message)
	if s.has(p.guest) || f == nil && s.kind == Login {
		return Reply{Outcome: LogIn, Said: s.said}, nil
	}
	if f == nil {
		return s.noForm(p)
	}
	f.reply(p, subject, text)
	held := p.waits != "" && f.has(p.waits)
	a, err := b.send(ctx, f)
	if err != nil && unsent(err) {
		return Reply{}, fmt.Errorf("send the reply: %w", err)
	}
	r := b.judge(p, f, a, err)
	if r.Outcome == Posted && held {
		r.Outcome = Queued
	}
	r.Held = held
	return r, nil
}

// noForm says what a page means that is shown in place of the form to reply.
func (s *shown) noForm(p *posting) (Reply, error) {
	said := cmp.Or(s.said, s.text(p.wrong))
	if s.kind == Message && !closed(said) {
		switch r := judgeWords(said + " " + s.codes(p.code)); {
		case r.Outcome == Refused, r.Outcome == Wait:
			r.Said = said
			return r, nil
		case s.Status == http.StatusNotFound || s.Status == http.StatusForbidden:
			return Reply{Outcome: Refused, Said: said}, nil
		}
	}
	return Reply{}, &PageError{s.URL, s.kind, said, s.kind == Message && closed(said)}
}

// judge reads the answer to a form that was sent, by what it is before what it says.
func (b *Board) judge(p *posting, f *form, a Answer, err error) Reply {
	var busy *ThrottledError
	switch {
	case errors.As(err, &busy) && busy.Status == http.StatusTooManyRequests:
		return Reply{Outcome: Wait, Wait: busy.Until.Sub(b.Client.Now()), Said: err.Error()}
	case err != nil:
		return Reply{Outcome: Unclear, Said: err.Error()}
	}
	if to := a.redirect(); to != nil {
		return b.judgeAddress(p, to, "it sends to "+WithoutSession(to.String()))
	}
	s := b.read(a)
	said := cmp.Or(s.text(p.wrong), s.said)
	again := s.form(p.message)
	switch {
	case s.kind == Challenge || s.kind == Thread:
		return Reply{Outcome: Unclear, Said: said}
	case s.has(p.guest) || again == nil && s.kind == Login:
		return Reply{Outcome: LogIn, Said: said}
	case again == nil && s.onward() != nil:
		r := b.judgeAddress(p, s.onward(), said)
		if r.Post == "" && judgeWords(said).Outcome == Queued {
			r.Outcome = Queued
		}
		return r
	}
	if r := judgeWords(said + " " + s.codes(p.code)); r.Outcome != "" {
		r.Said = said
		return r
	}
	if again != nil && p.newest != "" && again.get(p.newest) != f.get(p.newest) {
		return Reply{Outcome: Again, Said: said} // others were faster: a new form, without another look at theirs
	}
	return Reply{Outcome: Unclear, Said: said}
}

// judgeAddress reads where a board sends to after a reply: to the post, or to its thread when there is nothing to be seen of
// it yet.
func (b *Board) judgeAddress(p *posting, to *url.URL, said string) Reply {
	r := Reply{Outcome: Unclear, Said: said, Post: p.post(to)}
	switch {
	case p.held != nil && p.held(to):
		r.Outcome = Queued
	case r.Post != "":
		r.Outcome = Posted
	case strings.Contains(strings.ToLower(to.RequestURI()), "login"):
		r.Outcome = LogIn
	case p.held == nil && familyNamed(b.View.Board).threadID(to) != "":
		r.Outcome = Posted
	}
	return r
}

// shown is a page of a board that forms are looked for in.
type shown struct {
	Answer
	doc     *goquery.Document
	kind    Kind
	said    string
	charset string
}

// show asks for a page.
func (b *Board) show(ctx context.Context, address string) (*shown, error) {
	address, err := b.own(address)
	if err != nil {
		return nil, err
	}
	a, err := b.Client.get(ctx, b.cookies(), request{address: address})
	if err != nil {
		return nil, err
	}
	return b.read(a), nil
}

// read makes a page of an answer, one without anything in it of what cannot be parsed.
func (b *Board) read(a Answer) *shown {
	page := Read(a, b.View)
	text, charset, _, err := convertAs(a, b.View)
	if err != nil {
		text = ""
	}
	doc, err := parse(text)
	if err != nil {
		doc, _ = parse("")
	}
	return &shown{a, doc, page.Kind, page.Said, formCharset(a, b.View, charset)}
}

// formCharset is the charset that the forms of a page are to be sent in: the one that it was read in, or, where a page of
// ASCII alone would be the same in any, the one that it says it is in.
func formCharset(a Answer, v View, read string) string {
	ascii := !bytes.ContainsFunc(a.Body, func(r rune) bool { return r >= utf8.RuneSelf })
	if v.Charset != "" || !ascii {
		return read
	}
	return cmp.Or(headerCharset(a), declared(a.Body), read)
}

func (s *shown) has(m goquery.Matcher) bool { return m != nil && s.doc.FindMatcher(m).Length() > 0 }

// text is what stands in all elements that a matcher finds.
func (s *shown) text(m goquery.Matcher) string {
	if m == nil {
		return ""
	}
	var all []string
	s.doc.FindMatcher(m).Each(func(_ int, e *goquery.Selection) { all = append(all, e.Text()) })
	return fold(strings.Join(all, " "))
}

// codes are the ids of elements that begin with a word.
func (s *shown) codes(prefix string) string {
	if prefix == "" {
		return ""
	}
	var all []string
	s.doc.Find(`[id^="` + prefix + `"]`).Each(func(_ int, e *goquery.Selection) { all = append(all, e.AttrOr("id", "")) })
	return strings.Join(all, " ")
}

// onward is where a page sends to by itself, nil for nowhere.
func (s *shown) onward() *url.URL {
	content := s.doc.Find(`meta[http-equiv="refresh" i]`).First().AttrOr("content", "")
	i := strings.Index(strings.ToLower(content), "url=")
	if i < 0 {
		return nil
	}
	base, err := url.Parse(s.URL)
	if err != nil {
		return nil
	}
	to, err := base.Parse(strings.Trim(strings.TrimSpace(content[i+len("url="):]), `'"`))
	if err != nil {
		return nil
	}
	return to
}

// send sends a form, some time after it was shown.
func (b *Board) send(ctx context.Context, f *form) (Answer, error) {
	action, err := b.own(f.action)
	if err != nil {
		return Answer{}, &unsentError{err}
	}
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Referer": {f.page}}
	return b.Client.do(ctx, b.cookies(), request{method: http.MethodPost, address: action, header: header, body: []byte(f.encode()), after: b.Client.Now().Add(formRest)})
}

// keys are the fields by which an API knows us.
func (b *Board) keys() http.Header {
	f := familyNamed(b.View.Board)
	if f == nil || f.keys == nil || b.Account.Key == "" {
		return nil
	}
	return f.keys(b.Account)
}

// Limit is how many characters a text may have to go into one reply.
func (b *Board) Limit() int {
	p, err := b.posting()
	if err != nil {
		return 0
	}
	return p.limit
}

// Markup writes a plain text in the markup of the board, so that it shows as it is: nothing in it is taken for a tag, a
// quote, a name that is called, a smiley, a heading or a link. Lines that form a table go into a code box.
func (b *Board) Markup(text string) string {
	p, err := b.posting()
	if err != nil {
		return text
	}
	return p.markup(text)
}

func queryOf(name string) func(*url.URL) string {
	return func(u *url.URL) string { return digits.FindString(u.Query().Get(name)) }
}

// threadAlone tells of an address whether it is of a thread and of no post.
func threadAlone(thread func(*url.URL) bool, post func(*url.URL) string) func(*url.URL) bool {
	return func(u *url.URL) bool { return thread(u) && post(u) == "" }
}
