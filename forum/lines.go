package forum

import (
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Lines reads the writer's own lines again out of the HTML of a post's body, as a board's theme keeps it.
func Lines(board, themeName, body string) ([]string, error) {
	doc, err := goquery.NewDocumentFromReader(strings.NewReader("<body><div>" + body + "</div>"))
	if err != nil {
		return nil, err
	}
	t := theme{}
	if f := familyNamed(board); f != nil {
		for i := range f.themes {
			if f.themes[i].name == themeName {
				t = f.themes[i]
			}
		}
	}
	return t.lines(doc.Find("body > div").First()), nil
}

// lines renders a body: what its writer wrote, one entry a line.
func (t theme) lines(body *goquery.Selection) []string {
	body = body.Clone()
	if t.omit != nil {
		body.FindMatcher(t.omit).Remove()
	}
	if t.cut != nil {
		t.cut(body)
	}
	var w lineWriter
	for _, n := range body.Nodes {
		w.node(n, false)
	}
	lines := w.end()
	if t.trim != nil {
		lines = t.trim(lines)
	}
	return lines
}

// lineWriter turns elements into lines.
type lineWriter struct {
	lines []string
	line  strings.Builder
}

// blocks are the elements that stand on lines of their own.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Li: true, atom.Ul: true, atom.Ol: true, atom.Tr: true, atom.Table: true, atom.Pre: true, atom.Blockquote: true, atom.Hr: true,
	atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true, atom.Dd: true, atom.Dt: true, atom.Dl: true, atom.Br: true,
}

func (w *lineWriter) node(n *html.Node, pre bool) {
	switch {
	case n.Type == html.TextNode && pre:
		for i, s := range strings.Split(n.Data, "\n") {
			if i > 0 {
				w.newline()
			}
			w.line.WriteString(s)
		}
		return
	case n.Type == html.TextNode:
		w.line.WriteString(n.Data)
		return
	case n.Type != html.ElementNode && n.Type != html.DocumentNode:
		return
	}
	block := blocks[n.DataAtom]
	if block {
		w.newline()
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c, pre || n.DataAtom == atom.Pre)
	}
	if block {
		w.newline()
	}
}

func (w *lineWriter) newline() {
	if s := fold(w.line.String()); s != "" {
		w.lines = append(w.lines, s)
	}
	w.line.Reset()
}

func (w *lineWriter) end() []string {
	w.newline()
	return w.lines
}
