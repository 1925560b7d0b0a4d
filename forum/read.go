package forum

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// Read understands an answer. It never fails: what cannot be understood is a page of kind Unreadable with its Problems.
func Read(a Answer, v View) Page {
	if a.URL == "" {
		a.URL = a.Asked
	}
	text, problems, err := decode(a, v)
	if err != nil {
		return unreadable(err.Error())
	}
	p := readText(a, v, text)
	p.Problems = append(problems, p.Problems...)
	if older := disorder(p.Posts); len(older) > 0 {
		p.Problems = append(p.Problems, fmt.Sprintf("older than a post with a smaller id: post %s; are the dates read rightly, or were threads merged?", strings.Join(older, ", ")))
	}
	if len(problems) > 0 {
		for _, post := range p.Posts {
			if strings.Contains(post.HTML, "\ufffd") {
				p.Problems = append(p.Problems, fmt.Sprintf("post %s: U+FFFD stands in its text", post.ID))
			}
		}
	}
	return p
}

// readText reads JSON, XML or HTML.
func readText(a Answer, v View, text string) Page {
	isData, err := data(text)
	if err != nil {
		return unreadable(err.Error())
	}
	if !isData {
		return readHTML(a, v, text)
	}
	for _, f := range families {
		if f.data == nil || v.Board != "" && v.Board != f.name {
			continue
		}
		if p, ok := f.data(f, a, text); ok {
			p.Board = f.name
			return p
		}
	}
	return unreadable("it is data, and nothing in it tells of what kind of board it is")
}

func unreadable(why string) Page { return Page{Kind: Unreadable, Total: -1, Problems: []string{why}} }

// parse builds the tree of a page. It fails when elements are nested too deep.
func parse(text string) (*goquery.Document, error) {
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	return goquery.NewDocumentFromNode(root), nil
}

func readHTML(a Answer, v View, text string) Page {
	doc, err := parse(text)
	if err != nil {
		return tooDeep(a, v, text)
	}
	r := newReader(doc, a, v)
	if r == nil {
		return unknown(doc, a, v)
	}
	return r.page()
}

// newReader finds out who made a page; it is nil when nothing knows it.
func newReader(doc *goquery.Document, a Answer, v View) *reader {
	f, t := recognise(doc, v)
	if f == nil {
		return nil
	}
	address, err := url.Parse(a.URL)
	if err != nil {
		address = &url.URL{}
	}
	return &reader{doc: doc, theme: t.with(v.Selectors), family: f, view: v, at: a.At, address: address}
}

// recognise finds the family and the theme of a page, nil when nothing knows it.
func recognise(doc *goquery.Document, v View) (*family, *theme) {
	for _, f := range families {
		if v.Board != "" && v.Board != f.name {
			continue
		}
		for i := range f.themes {
			if known := f.themes[i].known; known != nil && first(doc.Selection, known).Length() > 0 {
				return f, &f.themes[i]
			}
		}
	}
	return configured(doc, v)
}

// configured is the theme of a page that shows no mark of the board that it is said to be of, but posts where the config
// looks for them; nil when it does not.
func configured(doc *goquery.Document, v View) (*family, *theme) {
	f := familyNamed(v.Board)
	if f == nil || len(f.themes) == 0 || v.Selectors["post"] == "" {
		return nil, nil
	}
	if post, err := cascadia.Compile(v.Selectors["post"]); err != nil || first(doc.Selection, post).Length() == 0 {
		return nil, nil
	}
	return f, &f.themes[0]
}

// reader reads one page of HTML.
type reader struct {
	doc     *goquery.Document
	family  *family
	theme   theme
	view    View
	at      time.Time // Date of the answer
	address *url.URL
	base    *url.URL // that its links count from; nil until the first link is read
}

func (r *reader) page() Page {
	pieces, nested := r.posts()
	p := r.frame()
	p.Problems = nested
	var dates []string
	for _, one := range pieces {
		post, date, problems := r.post(one)
		p.Problems = append(p.Problems, problems...)
		if post.ID != "" {
			p.Posts, dates = append(p.Posts, post), append(dates, date)
		}
	}
	r.date(&p, dates)
	p.Thread = r.thread(p)
	if len(p.Posts) > 0 {
		p.Kind, p.Next = Thread, r.next()
		return p
	}
	p.Kind, p.Said = r.kind()
	if p.Kind == Unreadable {
		p.Problems = append(p.Problems, fmt.Sprintf("it is a page of %s, and none of its selectors finds anything: its theme may have been changed", r.family.name))
	}
	return p
}

// frame is what a page tells of itself around its posts.
func (r *reader) frame() Page {
	p := Page{Board: r.family.name, Theme: r.theme.name, Total: -1}
	p.Title = fold(r.text(r.doc.Selection, r.theme.title))
	p.Address = r.link(r.text(r.doc.Selection, r.theme.canonical))
	p.Mark, p.Total = number(r.text(r.doc.Selection, r.theme.mark), 0), number(r.text(r.doc.Selection, r.theme.total), -1)
	if r.theme.count != nil {
		p.Total = number(r.theme.count(r.doc), -1)
	}
	return p
}

// thread is the thread that a page is of by what stands on it, or else by the address that it has: the address of a post
// does not tell, or tells what was asked for.
func (r *reader) thread(p Page) string {
	shown := r.text(r.doc.Selection, r.theme.thread)
	if id := digits.FindString(shown); id != "" && !strings.ContainsAny(shown, "?/") {
		return id
	}
	links := []string{shown, p.Address, r.address.String()}
	if len(p.Posts) > 0 {
		links = []string{shown, p.Address, p.Posts[0].Permalink, r.address.String()}
	}
	for _, link := range links {
		if id := r.family.threadOf(link); id != "" {
			return id
		}
	}
	return ""
}

// piece is a post on the page, and its body, which was taken out of it.
type piece struct {
	post, body *goquery.Selection
	id         string
	edited     bool
	attached   int
}

// posts returns the posts, without those to skip, and takes their bodies off the page: nothing that somebody wrote is then
// found where the board's own word is looked for, be it a post, an author, a date or a link. Problems tell of posts within
// posts, which no board has.
func (r *reader) posts() (list []piece, problems []string) {
	if r.theme.post == nil {
		return nil, nil
	}
	seen := map[*html.Node]bool{}
	r.doc.FindMatcher(r.theme.post).Each(func(_ int, s *goquery.Selection) {
		inner := s.Get(0)
		if r.theme.nearest != nil {
			s = s.ClosestMatcher(r.theme.nearest)
		}
		if s.Length() == 0 || seen[s.Get(0)] {
			return
		}
		within := r.theme.nearest == nil && hasAncestor(inner, seen) || !hasAncestor(inner, map[*html.Node]bool{r.doc.Get(0): true})
		seen[s.Get(0)] = true
		one := r.piece(s)
		switch {
		case within:
			problems = append(problems, fmt.Sprintf("in a post stands what looks like a post of its own, %q; it is not read as one", r.text(s, r.theme.id)))
		case (r.theme.not == nil || !s.IsMatcher(r.theme.not)) && s.ClosestMatcher(reviews).Length() == 0:
			list = append(list, one)
		}
		one.takeOut()
	})
	return list, problems
}

func hasAncestor(n *html.Node, among map[*html.Node]bool) bool {
	for n = n.Parent; n != nil; n = n.Parent {
		if among[n] {
			return true
		}
	}
	return false
}

// piece looks for what may stand in the body or on it.
func (r *reader) piece(s *goquery.Selection) piece {
	one := piece{post: s, body: first(s, r.theme.body)}
	if r.theme.idOf != nil {
		one.id = r.theme.idOf(s)
	} else {
		one.id = postID(r.text(s, r.theme.id))
	}
	one.edited = r.theme.editOf != nil && r.theme.editOf(s) || r.theme.edited != nil && first(s, r.theme.edited).Length() > 0
	if r.theme.attached != nil {
		one.attached = s.FindMatcher(r.theme.attached).Length()
	}
	return one
}

// takeOut leaves an empty element where the body was.
func (p piece) takeOut() {
	for _, n := range p.body.Nodes {
		n.Parent.InsertBefore(&html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Attr: n.Attr}, n)
		n.Parent.RemoveChild(n)
	}
}

var (
	digits   = regexp.MustCompile(`\d+`)
	idOfPost = regexp.MustCompile(`^[^\d/]*(\d+)`)
)

// postID is the number in the id of an element. An address is none: it is of a post on another server.
func postID(s string) string { return submatch(idOfPost, s) }

// post reads one post, all but its date, which is returned as it stands there. Problems are what could not be told of it.
func (r *reader) post(one piece) (p Post, date string, problems []string) {
	s := one.post
	p.ID, p.Edited, p.Attachments = one.id, one.edited, one.attached
	p.Author = nameOf(r.text(s, r.theme.author))
	p.AuthorID = userID(r.text(s, r.theme.authorID))
	if r.theme.userOf != nil {
		p.AuthorID = userID(r.theme.userOf(s))
	}
	p.Subject = fold(r.text(s, r.theme.subject))
	if r.theme.about != nil {
		p.Subject = fold(r.theme.about(s))
	}
	p.Permalink = r.link(r.text(s, r.theme.permalink))
	date = r.text(s, r.theme.date)
	if r.theme.dateOf != nil {
		date = r.theme.dateOf(s, r.doc)
	}
	r.theme.fill(&p, one.body, r.address.Host)
	if p.ID == "" {
		return p, "", []string{fmt.Sprintf("a post has no id, so that nothing can be told of it: %q", fold(s.Text()))}
	}
	if p.Author == "" {
		problems = append(problems, fmt.Sprintf("post %s: it has no author", p.ID))
	}
	if one.body.Length() == 0 {
		problems = append(problems, fmt.Sprintf("post %s: its text is not where this board keeps it", p.ID))
	}
	return p, date, problems
}

// first finds the first element in a selection, and looks no further.
func first(in *goquery.Selection, m goquery.Matcher) *goquery.Selection {
	for _, n := range in.Nodes {
		for d := range n.Descendants() {
			if d.Type == html.ElementNode && m.Match(d) {
				return in.FindNodes(d)
			}
		}
	}
	return in.FindNodes()
}

// text returns what stands at a spot, "" when nothing does.
func (r *reader) text(in *goquery.Selection, s spot) string {
	if s == (spot{}) {
		return ""
	}
	if s.at != nil {
		in = first(in, s.at)
	}
	if s.attr != "" {
		return in.AttrOr(s.attr, "")
	}
	return in.Text()
}

// profile is where the number of a user stands in the link to his profile: behind his name, or before it. A name may hold a stop
// and digits too.
var profile = regexp.MustCompile(`(?:^|[/?&;])(?:members/[^/]*\.(\d+)/|(?:(?:u|uid|userid|user_id|id|showuser)=|(?:u|user|users|member|members|profile|uid)[/-]|member\.php[/?])(\d+)(?:[^\pL\d]|$))`)

// userID is the number of a user in the link to his profile, or the text itself when that is a number. Nobody has the number
// 0: boards write it for guests.
func userID(s string) string {
	id := ""
	if m := profile.FindStringSubmatch(s); m != nil {
		id = m[1] + m[2]
	} else if s = strings.TrimSpace(s); digits.FindString(s) == s {
		id = s
	}
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}

// link is an address on the page, whole where the page's own is known, and without session ids; "" for none.
func (r *reader) link(href string) string {
	if href = strings.TrimSpace(href); href == "" || *r.address == (url.URL{}) {
		return WithoutSession(href)
	}
	if r.base == nil {
		r.base = r.address
		if base, err := r.address.Parse(first(r.doc.Selection, baseElement).AttrOr("href", "")); err == nil {
			r.base = base
		}
	}
	u, err := r.base.Parse(href)
	if err != nil {
		return ""
	}
	return WithoutSession(u.String())
}

var baseElement = css(`base[href]`)

func (r *reader) next() string {
	if r.theme.nextOf != nil {
		return r.link(r.theme.nextOf(r.doc, r.address))
	}
	return r.link(r.text(r.doc.Selection, r.theme.next))
}

// session is a parameter with the id of a session. What is named s is one on some boards and a word to search for on others.
var session = regexp.MustCompile(`(?i)^(?:(?:sid|PHPSESSID)=.*|s=(?:[0-9a-f]{32})?)$`)

// WithoutSession takes the id of a session out of an address.
func WithoutSession(address string) string {
	address, fragment, hash := strings.Cut(address, "#")
	address, query, _ := strings.Cut(address, "?")
	kept := ""
	for query != "" {
		end := strings.IndexAny(query+"&", "&;")
		parameter := query[:end]
		after := min(end+1, len(query))
		if !session.MatchString(parameter) {
			kept += query[:after]
		}
		query = query[after:]
	}
	if kept = strings.TrimRight(kept, "&;"); kept != "" {
		address += "?" + kept
	}
	if hash {
		address += "#" + fragment
	}
	return address
}

// stripSessions takes the ids of sessions out of the links in a body that lead to the board itself.
func stripSessions(body *goquery.Selection, host string) {
	for _, in := range body.Nodes {
		for n := range in.Descendants() {
			for i, a := range n.Attr {
				if a.Key != "href" && a.Key != "src" && a.Key != "cite" || !strings.Contains(a.Val, "=") {
					continue
				}
				if u, err := url.Parse(a.Val); err == nil && (u.Host == "" || u.Host == host) {
					n.Attr[i].Val = WithoutSession(a.Val)
				}
			}
		}
	}
}

// fill puts what a body on a page of a host says into a post. A body that was not found leaves it without lines and hash:
// nothing can be told of what it says.
func (t theme) fill(p *Post, body *goquery.Selection, host string) {
	if body.Length() == 0 {
		return
	}
	if t.unsign != nil {
		t.unsign(body.Remove())
	}
	stripSessions(body, host)
	p.HTML = inner(body)
	p.Hash = t.hash(body)
	p.Lines = t.lines(body)
}

// usual is about how many bytes a post has.
const usual = 4 << 10

// inner is the HTML in a body.
func inner(body *goquery.Selection) string {
	var b strings.Builder
	b.Grow(usual)
	for _, n := range body.Nodes {
		for c := range n.ChildNodes() {
			html.Render(&b, c) // a builder takes everything
		}
	}
	return b.String()
}

// hash is the hash of a body with its quotes: of its text, elements, links and styles. It leaves out what a board writes anew
// for each visit: what the theme says, the note of an edit, how long ago something was, numbers of elements and what scripts
// need.
func (t theme) hash(body *goquery.Selection) string {
	without := matchers{aside, t.passing, t.edited}
	b := make([]byte, 0, usual)
	for _, n := range body.Nodes {
		for c := range n.ChildNodes() {
			b = canonical(b, c, without)
		}
	}
	sum := sha256.Sum256(folded(b))
	return hex.EncodeToString(sum[:8])
}

var aside = css(`script, style`)

// matchers find what one of them finds. Those that are nil find nothing.
type matchers []goquery.Matcher

func (m matchers) match(n *html.Node) bool {
	return slices.ContainsFunc(m, func(one goquery.Matcher) bool { return one != nil && one.Match(n) })
}

// canonical appends what counts of a node.
func canonical(b []byte, n *html.Node, without matchers) []byte {
	switch {
	case n.Type == html.TextNode:
		return append(b, n.Data...)
	case n.Type != html.ElementNode || without.match(n):
		return b
	}
	b = append(append(b, '<'), n.Data...)
	for _, a := range n.Attr {
		switch {
		case a.Key == "href" && strings.Contains(a.Val, "/email-protection#"): // drawn anew for each visit
		case a.Key == "href", a.Key == "alt", a.Key == "style", a.Key == "datetime", a.Key == "class" && n.Data == "span":
			b = append(append(append(b, ' '), a.Key...), '=')
			b = strconv.AppendQuote(b, a.Val)
		}
	}
	b = append(b, '>')
	if n.Data != "time" { // it may say how long ago
		for c := range n.ChildNodes() {
			b = canonical(b, c, without)
		}
	}
	return append(append(append(b, "</"...), n.Data...), '>')
}

// nameOf is a name as it is shown. Hard and other blanks in it are its own: one that has them is another's.
func nameOf(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n\f\v", r) }), " ")
}

// fold makes one line of a text, its blanks single ones.
func fold(s string) string {
	blank := true // there is one before what comes, or nothing
	for _, r := range s {
		space := unicode.IsSpace(r)
		if space && (blank || r != ' ') {
			return string(folded([]byte(s)))
		}
		blank = space
	}
	return strings.TrimSuffix(s, " ")
}

// folded makes one line of a text, in its own place: words only move to the front.
func folded(text []byte) []byte {
	line := text[:0]
	for word := range bytes.FieldsSeq(text) {
		if len(line) > 0 {
			line = append(line, ' ')
		}
		line = append(line, word...)
	}
	return line
}

// grouped is a number as people write it: 1204, 1,204, 1.204, 1 204.
var grouped = regexp.MustCompile(`\d{1,3}(?:[,.\x{2019}\x{a0}\x{202f}]\d{3})+\b|\d+`)

// number is the last number in a text, or what to take for none.
func number(s string, none int) int {
	all := grouped.FindAllString(s, -1)
	if len(all) == 0 {
		return none
	}
	n := 0
	for _, c := range all[len(all)-1] {
		if c < '0' || '9' < c {
			continue
		}
		if n = n*10 + int(c-'0'); n > 1<<40 {
			return none
		}
	}
	return n
}
