package letter

import (
	"strings"

	"golang.org/x/net/html"
)

// htmlReader turns HTML into lines, token by token, so that nesting costs nothing. Block elements and <br> end a
// line, a table cell begins with a blank, <pre> keeps its lines, inline markup leaves no trace. What mail programs mark
// as quoted comes out quoted; what no reader sees does not come out.
type htmlReader struct {
	lines  []line
	text   strings.Builder // of the line at hand
	quoted bool            // it
	stack  []element
	opened map[string]int  // how many of a name are on the stack
	sheet  map[string]look // what a style sheet says of ".class", "#id" and "tag"
	below  bool            // an Outlook reply mark was passed: all that follows is the mail replied to
	cell   int             // how many lines there were when the table cell at hand began; -1 for none in this row
	held   string          // the line of the cells before it, which goes on
}

type element struct {
	name   string
	look   look
	block  bool // by its name
	quoted bool
	loose  bool // the writer's own text may follow a quote within this quoted element (Gmail)
}

// inlineSearch is how far up the stack an end tag looks for its element among inline ones; people's mail has a dozen.
const inlineSearch = 64

func htmlLines(s string) []line {
	r := htmlReader{opened: map[string]int{}, sheet: map[string]look{}, cell: -1}
	z := html.NewTokenizer(strings.NewReader(s))
	z.SetMaxBuf(maxText + 1)
	for {
		switch z.Next() {
		case html.ErrorToken:
			r.endRow()
			r.endLine(false)
			return r.lines
		case html.TextToken:
			switch e := r.top(); {
			case e.name == "style":
				r.styleSheet(string(z.Raw()))
			case !e.look.unseen():
				r.addText(html.UnescapeString(string(z.Raw())))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			r.start(z)
		case html.EndTagToken:
			name, _ := z.TagName()
			r.end(string(name))
		}
	}
}

func (r *htmlReader) top() element {
	if len(r.stack) == 0 {
		return element{}
	}
	return r.stack[len(r.stack)-1]
}

func (r *htmlReader) addText(t string) {
	e := r.top()
	quoted := e.quoted || r.below
	if strings.TrimSpace(t) != "" && quoted != r.quoted {
		r.endRow()
		r.endLine(false)
		r.quoted = quoted
	}
	if e.look.wrap <= 0 {
		r.text.WriteString(blanks.Replace(t))
		return
	}
	for {
		before, after, more := strings.Cut(t, "\n")
		r.text.WriteString(before)
		if !more {
			return
		}
		r.endLine(true)
		t = after
	}
}

var blanks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")

// endLine ends the line at hand; an empty one counts only when it is wanted.
func (r *htmlReader) endLine(wanted bool) {
	t := r.text.String()
	r.text.Reset()
	blank := strings.TrimSpace(t) == ""
	if r.held != "" {
		if blank && !wanted {
			return
		}
		t, blank, r.held = r.held+" "+t, false, ""
	}
	if blank && (!wanted || len(r.lines) > 0 && r.lines[len(r.lines)-1].text == "") {
		return
	}
	if blank {
		t = ""
	}
	eachLine(t+"\n", func(t string) { r.lines = append(r.lines, line{t, r.quoted || isQuoted(t)}) })
}

var blockTags = words("address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul caption")
var voidTags = words("area base br col embed hr img input link meta source track wbr param")

// unseenTags hold what no reader sees, or what the writer struck out.
var unseenTags = words("del s strike head script style title template noscript iframe object select textarea svg math audio video map noembed noframes xmp dialog")

func (r *htmlReader) start(z *html.Tokenizer) {
	tag, more := z.TagName()
	name := string(tag)
	e := r.top()
	block := blockTags[name]
	if block {
		e = r.closeImplied(name)
		r.beginBlock(name)
	}
	e.name, e.block, e.loose = name, block, false
	e.quoted = e.quoted || name == "blockquote"
	e.look.block = false
	if len(r.sheet) > 0 {
		e.look = r.sheet[name].over(e.look)
	}
	if name == "pre" || name == "listing" {
		e.look.wrap = 1
	}
	hidden := e.look.hidden
	e.look.hidden = hidden || unseenTags[name]
	var style look
	for more {
		var key, val []byte
		key, val, more = z.TagAttr()
		switch k := string(key); k {
		case "style":
			style = parseLook(string(val))
		case "open":
			e.look.hidden = hidden || e.look.hidden && name != "dialog"
		default:
			r.attribute(&e, k, string(val))
		}
	}
	e.look = style.over(e.look)
	if e.look.block {
		r.endLine(false)
	}
	switch {
	case name == "br":
		r.endLine(true)
	case !voidTags[name]:
		r.stack = append(r.stack, e)
		r.opened[name]++
	}
}

// beginBlock ends the line before an element that stands in lines of its own. A table cell goes on in the line of the
// one before it, even if that ended its paragraph.
func (r *htmlReader) beginBlock(name string) {
	if name != "td" && name != "th" {
		if name == "tr" {
			r.endRow()
		}
		r.endLine(false)
		return
	}
	last := len(r.lines) - 1
	if r.cell >= 0 && last == r.cell && r.text.Len() == 0 && r.lines[last].quoted == r.quoted && len(r.lines[last].text) < maxCell {
		r.held = r.lines[last].text
		r.lines = r.lines[:last]
	}
	r.text.WriteByte(' ')
	r.cell = len(r.lines)
}

// maxCell is how long a line may be for a table cell to go on in it.
const maxCell = 500

// endRow lets no line go on from one row of a table into the next.
func (r *htmlReader) endRow() {
	r.cell = -1
	if r.held != "" {
		r.endLine(true)
	}
}

// closers are the elements that a new one of a name ends when they stand open.
var closers = map[string]string{"body": " head p ", "li": " li p ", "td": " td th p ", "th": " td th p ", "tr": " td th tr p ", "dt": " dt dd p ", "dd": " dt dd p "}

// closeImplied ends the elements whose end tag people leave out, and returns the one that then is open.
func (r *htmlReader) closeImplied(name string) element {
	ends := closers[name]
	if ends == "" {
		ends = " p "
	}
	for i := len(r.stack) - 1; i >= max(0, len(r.stack)-inlineSearch); i-- {
		e := r.stack[i]
		if !e.block {
			continue
		}
		if !strings.Contains(ends, " "+e.name+" ") {
			break
		}
		r.popTo(i)
	}
	return r.top()
}

func (r *htmlReader) attribute(e *element, key, val string) {
	switch key {
	case "hidden":
		e.look.hidden = true
	case "color", "text":
		e.look.color = parseColour(strings.ToLower(val))
	case "background":
		e.look.bg = unknown
	case "bgcolor":
		e.look.bg = parseColour(strings.ToLower(val))
	case "name":
		switch val = strings.ToLower(val); {
		case val == "quote", val == "quoted-content", val == "messagereplysection":
			e.quoted = true
		case val == "messagesignaturesection":
			e.look.hidden = true
		}
	case "class", "id":
		mark := map[string]string{"class": ".", "id": "#"}[key]
		for _, c := range strings.Fields(strings.ToLower(val)) {
			if len(r.sheet) > 0 {
				e.look = r.sheet[mark+c].over(e.look)
			}
			for strings.HasPrefix(c, "x_") { // Outlook's renaming of what it quotes
				c = c[2:]
			}
			switch {
			case replyMarks[c]:
				r.endLine(false)
				r.below = true
			case c == "gmail_quote" || c == "gmail_quote_container":
				e.loose = !e.quoted
				e.quoted = true
			case quoteClasses[c], strings.HasSuffix(c, "yahoo_quoted"):
				e.quoted = true
			case signatureClasses[c]:
				e.look.hidden = true
			}
		}
	}
}

// Classes and ids by which mail programs mark what is not the writer's.
var (
	replyMarks       = words("divrplyfwdmsg appendonsend stopspelling olk_src_body_section zwchr replysplit")
	quoteClasses     = words("gmail_attr gmail_extra moz-cite-prefix moz-forward-container moz-email-headers-table yahoo_quoted yahoo_quoted_begin protonmail_quote tutanota_quote zmail_extra mail-editor-reference-message-container ms-outlook-mobile-reference-message mailru-blockquote isfwdcontent replyheader")
	signatureClasses = words("gmail_signature gmail_signature_prefix moz-signature protonmail_signature_block protonmail_signature_block-user k9mail-signature composer_signature signature applemailsignature ms-outlook-mobile-signature")
)

// styleSheet keeps what a style sheet says for every screen of one class, id or tag, whatever it stands in. Rules within @media and the like are left
// alone, for they hide one form of a text to show another.
func (r *htmlReader) styleSheet(css string) {
	depth := 0
	for selector := ""; css != ""; {
		i := strings.IndexAny(css, "{}")
		if i < 0 {
			return
		}
		before, brace := css[:i], css[i]
		css = css[i+1:]
		if brace == '{' {
			selector = before
			depth++
			continue
		}
		if depth == 1 {
			r.rule(selector, parseLook(before))
		}
		depth = max(0, depth-1)
	}
}

// rule keeps one rule. Of a selector its last part counts; a tag within others, and states, are left alone.
func (r *htmlReader) rule(selector string, l look) {
	if l == (look{}) {
		return
	}
	for s := range strings.SplitSeq(strings.ToLower(selector), ",") {
		parts := strings.Fields(strings.TrimPrefix(strings.TrimSpace(s), "<!--"))
		if len(parts) == 0 || strings.ContainsAny(s, ":[") {
			continue
		}
		last := parts[len(parts)-1]
		if mark := strings.LastIndexAny(last, ".#"); mark >= 0 {
			last = last[mark:]
		} else if len(parts) > 1 || last == "*" {
			continue
		}
		r.sheet[last] = l.over(r.sheet[last])
	}
}

func (r *htmlReader) end(name string) {
	block := blockTags[name]
	if name == "tr" || name == "table" {
		r.endRow()
	}
	if block && name != "td" && name != "th" {
		r.endLine(name == "p" && r.held == "")
	}
	if name == "br" {
		r.endLine(true)
	}
	if r.opened[name] == 0 {
		return
	}
	for i := len(r.stack) - 1; i >= 0; i-- {
		e := r.stack[i]
		if e.name == name {
			r.popTo(i)
			return
		}
		if !block && (e.block || len(r.stack)-i > inlineSearch) {
			return // an inline end tag never ends a block
		}
	}
}

// popTo takes the element at i and all above it off the stack.
func (r *htmlReader) popTo(i int) {
	for _, e := range r.stack[i:] {
		r.opened[e.name]--
		if e.look.block {
			r.endLine(false)
		}
	}
	was := r.stack[i]
	r.stack = r.stack[:i]
	if i > 0 && was.name == "blockquote" && r.stack[i-1].loose {
		r.stack[i-1].quoted = false
	}
}
