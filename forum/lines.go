package forum

import (
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Lines reads the writer's own lines again out of the HTML of a post's body, as a board's theme keeps it.
func Lines(board, themeName, body string) ([]string, error) {
	content, err := bodyOf(body)
	if err != nil {
		return nil, err
	}
	return themeNamed(board, themeName).lines(content), nil
}

// bodyOf is the element of a body that has this HTML in it.
func bodyOf(body string) (*goquery.Selection, error) {
	div := &html.Node{Type: html.ElementNode, DataAtom: atom.Div, Data: "div"}
	nodes, err := html.ParseFragment(strings.NewReader(body), div)
	if err != nil {
		return nil, err
	}
	for _, n := range nodes {
		div.AppendChild(n)
	}
	return goquery.NewDocumentFromNode(div).Selection, nil
}

// lines renders a body: what its writer wrote, one entry a line. The body is used up by it.
func (t theme) lines(body *goquery.Selection) []string {
	if t.cut != nil {
		t.cut(body)
	}
	w := lineWriter{omit: matchers{t.omit}}
	for _, n := range body.Nodes {
		w.block(n, false)
	}
	if t.trim != nil {
		return t.trim(w.lines)
	}
	return w.lines
}

// lineWriter turns elements into lines. It goes as deep as the elements do, which html.Parse keeps below 512.
type lineWriter struct {
	omit  matchers
	lines []string
	line  []byte
}

// blocks are the elements that stand on lines of their own.
var blocks = elements("address article aside blockquote body br caption center dd details dir div dl dt fieldset figcaption figure footer form " +
	"h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol p pre section summary table tbody tfoot textarea thead tr ul")

// silent are the elements in which nothing is written: what was taken back, machinery, and what shows only where something fails.
var silent = elements("s strike del button script style template noscript select iframe object audio video canvas svg math head")

func elements(names string) map[atom.Atom]bool {
	set := map[atom.Atom]bool{}
	for _, name := range strings.Fields(names) {
		set[atom.Lookup([]byte(name))] = true
	}
	return set
}

func (w *lineWriter) node(n *html.Node, pre bool) {
	switch {
	case n.Type == html.TextNode:
		w.text(n.Data, pre)
	case n.Type != html.ElementNode:
	case w.omit.match(n) || silent[n.DataAtom] || struck(n):
		if blocks[n.DataAtom] {
			w.newline()
		}
	case n.DataAtom == atom.Img:
		w.line = append(w.line, smiley(n)...)
	case n.DataAtom == atom.A && shortened(n):
		w.line = append(w.line, attribute(n, "href")...)
	case blocks[n.DataAtom] || n.DataAtom == atom.Code && hasClass(n, "bbc_code"):
		w.block(n, pre)
	case n.DataAtom == atom.Td || n.DataAtom == atom.Th:
		w.line = append(w.line, ' ')
		w.inside(n, pre)
		w.line = append(w.line, ' ')
	default:
		w.inside(n, pre)
	}
}

// block renders an element on lines of its own.
func (w *lineWriter) block(n *html.Node, pre bool) {
	w.newline()
	w.inside(n, pre || n.DataAtom == atom.Pre || n.DataAtom == atom.Textarea)
	w.newline()
}

func (w *lineWriter) inside(n *html.Node, pre bool) {
	for c := range n.ChildNodes() {
		w.node(c, pre)
	}
}

func (w *lineWriter) text(s string, pre bool) {
	for pre {
		line, rest, more := strings.Cut(s, "\n")
		if !more {
			break
		}
		w.line = append(w.line, line...)
		w.newline()
		s = rest
	}
	w.line = append(w.line, s...)
}

func (w *lineWriter) newline() {
	if s := string(folded(w.line)); s != "" {
		w.lines = append(w.lines, s)
	}
	w.line = w.line[:0]
}

// struck tells whether an element strikes out what is in it by its looks.
func struck(n *html.Node) bool {
	return n.DataAtom == atom.Span && hasClass(n, "bbs") || strings.Contains(strings.ToLower(attribute(n, "style")), "line-through")
}

// smiley is what a picture says: its alt where it stands for a few letters, else nothing.
func smiley(img *html.Node) string {
	known := false
	for _, a := range img.Attr {
		switch a.Key {
		case "data-emoticon":
			known = true
		case "class", "src", "data-src":
			known = known || ofSmiley(a.Val) && !strings.HasPrefix(a.Val, "data:")
		}
	}
	if !known {
		return ""
	}
	return attribute(img, "alt")
}

// ofSmiley tells whether the class or the address of a picture says that it is a smiley.
func ofSmiley(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "smil") || strings.Contains(s, "emoji") || strings.Contains(s, "emoticon")
}

// shortened tells whether a link's text is its address with dots in place of a part of it.
func shortened(a *html.Node) bool {
	head, tail, ok := strings.Cut(strings.ReplaceAll(fold(textOf(a)), "...", "…"), "…")
	if i := strings.LastIndex(tail, "…"); i >= 0 {
		tail = tail[i+len("…"):]
	}
	if !ok || !strings.ContainsAny(head, ".:") {
		return false
	}
	address, head, tail := bare(attribute(a, "href")), bare(strings.TrimSpace(head)), bare(strings.TrimSpace(tail))
	return len(head) > 2 && len(head)+len(tail) <= len(address) && strings.HasPrefix(address, head) && strings.HasSuffix(address, tail)
}

// bare is an address, or a part of one, without what boards show in one way and link in another.
func bare(address string) string {
	if plain, err := url.PathUnescape(address); err == nil {
		address = plain
	}
	address = strings.ToLower(address)
	address = strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://")
	return strings.TrimPrefix(address, "www.")
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := range n.ChildNodes() {
		b.WriteString(textOf(c))
	}
	return b.String()
}

func hasClass(n *html.Node, class string) bool {
	for c := range strings.FieldsSeq(attribute(n, "class")) {
		if c == class {
			return true
		}
	}
	return false
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
