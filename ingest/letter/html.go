package letter

import (
	"strconv"
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
	unseen map[string]bool // classes that a style sheet hides
	below  bool            // an Outlook reply mark was passed: all that follows is the mail replied to
}

type element struct {
	name                  string
	block, hidden, quoted bool
	pre                   bool
	loose                 bool // the writer's own text may follow a quote within this quoted element (Gmail)
}

// inlineSearch is how far up the stack an end tag looks for its element among inline ones; people's mail has a dozen.
const inlineSearch = 64

func htmlLines(s string) []line {
	r := htmlReader{opened: map[string]int{}, unseen: map[string]bool{}}
	z := html.NewTokenizer(strings.NewReader(s))
	z.SetMaxBuf(maxText + 1)
	for {
		switch z.Next() {
		case html.ErrorToken:
			r.endLine(false)
			return r.lines
		case html.TextToken:
			switch e := r.top(); {
			case e.name == "style":
				r.styleSheet(string(z.Raw()))
			case !e.hidden:
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
		r.endLine(false)
		r.quoted = quoted
	}
	if !e.pre {
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
var unseenTags = words("del s strike head script style title template noscript iframe object select textarea svg math audio video map noembed noframes xmp")

func (r *htmlReader) start(z *html.Tokenizer) {
	tag, more := z.TagName()
	name := string(tag)
	e := r.top()
	e.name, e.block, e.loose = name, blockTags[name], false
	e.hidden = e.hidden || unseenTags[name]
	e.pre = e.pre || name == "pre" || name == "listing"
	if e.block {
		parent := r.closeImplied(name)
		e.hidden = parent.hidden || unseenTags[name]
		e.quoted, e.pre = parent.quoted, parent.pre || name == "pre"
		if name != "td" && name != "th" {
			r.endLine(false)
		} else {
			r.text.WriteByte(' ')
		}
	}
	e.quoted = e.quoted || name == "blockquote"
	for more {
		var key, val []byte
		key, val, more = z.TagAttr()
		r.attribute(&e, string(key), string(val))
	}
	switch {
	case name == "br":
		r.endLine(true)
	case !voidTags[name]:
		r.stack = append(r.stack, e)
		r.opened[name]++
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
		e.hidden = true
	case "style":
		e.hidden = e.hidden || hiddenStyle(val)
	case "class", "id":
		for _, c := range strings.Fields(strings.ToLower(val)) {
			c = strings.TrimPrefix(c, "x_") // Outlook's renaming of what it quotes
			switch {
			case replyMarks[c]:
				r.endLine(false)
				r.below = true
			case c == "gmail_quote" || c == "gmail_quote_container":
				e.loose = !e.quoted
				e.quoted = true
			case quoteClasses[c]:
				e.quoted = true
			case signatureClasses[c], key == "class" && r.unseen[c]:
				e.hidden = true
			}
		}
	}
}

// Classes and ids by which mail programs mark what is not the writer's.
var (
	replyMarks       = words("divrplyfwdmsg appendonsend stopspelling olk_src_body_section zwchr replysplit")
	quoteClasses     = words("gmail_attr gmail_extra moz-cite-prefix moz-forward-container moz-email-headers-table yahoo_quoted yahoo_quoted_begin protonmail_quote tutanota_quote zmail_extra mail-editor-reference-message-container ms-outlook-mobile-reference-message mailru-blockquote isfwdcontent replyheader")
	signatureClasses = words("gmail_signature gmail_signature_prefix moz-signature protonmail_signature_block protonmail_signature_block-user signature applemailsignature ms-outlook-mobile-signature")
)

// styleSheet keeps the classes that a style sheet hides on every screen. Rules within @media and the like are left
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
		if depth == 1 && hiddenStyle(before) {
			for _, s := range strings.FieldsFunc(selector, func(r rune) bool { return r == ',' || r <= ' ' }) {
				if dot := strings.LastIndexByte(s, '.'); dot >= 0 {
					r.unseen[strings.ToLower(s[dot+1:])] = true
				}
			}
		}
		depth = max(0, depth-1)
	}
}

var styleBlanks = strings.NewReplacer(" ", "", "\t", "", "\n", "", "\r", "")

// hiddenStyle tells styles that leave nothing to see, or that strike out.
func hiddenStyle(style string) bool {
	style = styleBlanks.Replace(strings.ToLower(style))
	for _, decl := range strings.Split(style, ";") {
		prop, val, _ := strings.Cut(decl, ":")
		val = strings.TrimSuffix(val, "!important")
		switch prop {
		case "text-decoration", "text-decoration-line":
			if strings.Contains(val, "line-through") {
				return true
			}
		case "display":
			if val == "none" {
				return true
			}
		case "visibility":
			if val == "hidden" || val == "collapse" {
				return true
			}
		case "mso-hide":
			if val == "all" {
				return true
			}
		case "opacity", "max-height", "max-width":
			if size, ok := cssSize(val); ok && size == 0 {
				return true
			}
		case "font-size":
			if size, ok := cssSize(val); ok && (size == 0 || size <= 1 && (strings.HasSuffix(val, "px") || strings.HasSuffix(val, "pt"))) {
				return true
			}
		case "text-indent", "left", "top", "margin-left":
			if size, ok := cssSize(val); ok && size <= -500 {
				return true // moved out of the page
			}
		}
	}
	return false
}

// cssSize returns the number of a size, whatever its unit.
func cssSize(val string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimRight(val, "abcdefghijklmnopqrstuvwxyz%"), 64)
	return n, err == nil
}

func (r *htmlReader) end(name string) {
	block := blockTags[name]
	if block && name != "td" && name != "th" {
		r.endLine(name == "p")
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
	}
	was := r.stack[i]
	r.stack = r.stack[:i]
	if i > 0 && was.name == "blockquote" && r.stack[i-1].loose {
		r.stack[i-1].quoted = false
	}
}
