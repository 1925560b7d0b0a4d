package testboard

import (
	"regexp"
	"strings"
)

// markdown renders the Markdown that the boards know which have it. A line end is one in the HTML too.
func (m Markup) markdown(text string, b *Board, p *Page) string {
	r := &blocks{m: m, b: b, p: p, lines: strings.Split(text, "\n")}
	return r.render()
}

// blocks renders lines of Markdown.
type blocks struct {
	m     Markup
	b     *Board
	p     *Page
	lines []string
}

var (
	fence    = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	heading  = regexp.MustCompile(`^ {0,3}(#{1,6})\s+(.*?)\s*#*$`)
	rule     = regexp.MustCompile(`^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$`)
	bullet   = regexp.MustCompile(`^ {0,3}([-*+]|\d{1,9}[.)])\s+(.*)$`)
	quoted   = regexp.MustCompile(`^ {0,3}> ?(.*)$`)
	quoteTag = regexp.MustCompile(`(?i)^\s*\[quote(?:=([^\]]*))?\]\s*$`)
	indented = regexp.MustCompile(`^(?: {4}|\t)(.*)$`)
)

func (r *blocks) render() string {
	var w strings.Builder
	for len(r.lines) > 0 {
		line := r.lines[0]
		switch {
		case strings.TrimSpace(line) == "":
			r.lines = r.lines[1:]
		case fence.MatchString(line):
			w.WriteString(r.fenced())
		case indented.MatchString(line):
			w.WriteString(r.m.Code(escaped(strings.Join(r.take(indented), "\n"))))
		case heading.MatchString(line):
			h := heading.FindStringSubmatch(line)
			n := string(rune('0' + len(h[1])))
			w.WriteString("<h" + n + ">" + r.inline(h[2]) + "</h" + n + ">\n")
			r.lines = r.lines[1:]
		case rule.MatchString(line):
			w.WriteString("<hr>\n")
			r.lines = r.lines[1:]
		case quoted.MatchString(line):
			inner := &blocks{r.m, r.b, r.p, r.take(quoted)}
			w.WriteString("<blockquote>\n" + inner.render() + "</blockquote>\n")
		case quoteTag.MatchString(line) && r.m.Quote != nil:
			w.WriteString(r.quote())
		case bullet.MatchString(line):
			w.WriteString(r.bullets())
		default:
			w.WriteString("<p>" + r.inline(strings.Join(r.paragraph(), "\n")) + "</p>\n")
		}
	}
	return w.String()
}

// take takes lines as long as they match, without their mark.
func (r *blocks) take(mark *regexp.Regexp) []string {
	var list []string
	for len(r.lines) > 0 {
		m := mark.FindStringSubmatch(r.lines[0])
		if m == nil {
			break
		}
		list = append(list, m[1])
		r.lines = r.lines[1:]
	}
	return list
}

func (r *blocks) fenced() string {
	mark := fence.FindStringSubmatch(r.lines[0])[1]
	r.lines = r.lines[1:]
	var list []string
	for len(r.lines) > 0 {
		line := r.lines[0]
		r.lines = r.lines[1:]
		if m := fence.FindStringSubmatch(line); m != nil && strings.HasPrefix(m[1], mark) {
			break
		}
		list = append(list, line)
	}
	return r.m.Code(escaped(strings.Join(list, "\n")))
}

func (r *blocks) quote() string {
	arg := quoteTag.FindStringSubmatch(r.lines[0])[1]
	r.lines = r.lines[1:]
	depth := 1
	var list []string
	for len(r.lines) > 0 {
		line := r.lines[0]
		r.lines = r.lines[1:]
		switch {
		case quoteTag.MatchString(line):
			depth++
		case strings.EqualFold(strings.TrimSpace(line), "[/quote]"):
			depth--
		}
		if depth == 0 {
			break
		}
		list = append(list, line)
	}
	inner := &blocks{r.m, r.b, r.p, list}
	q := &bbcode{m: r.m, b: r.b, p: r.p}
	return r.m.Quote(q.quoted(token{arg: arg}, inner.render()))
}

func (r *blocks) bullets() string {
	ordered := bullet.FindStringSubmatch(r.lines[0])[1][0] >= '0'
	var list []string
	for len(r.lines) > 0 {
		m := bullet.FindStringSubmatch(r.lines[0])
		if m == nil || rule.MatchString(r.lines[0]) {
			break
		}
		list = append(list, r.inline(m[2]))
		r.lines = r.lines[1:]
	}
	return items(list, ordered) + "\n"
}

// paragraph takes the lines up to the next block.
func (r *blocks) paragraph() []string {
	var list []string
	for len(r.lines) > 0 {
		line := r.lines[0]
		begins := fence.MatchString(line) || heading.MatchString(line) || rule.MatchString(line) || quoted.MatchString(line) || bullet.MatchString(line) || quoteTag.MatchString(line) && r.m.Quote != nil
		if strings.TrimSpace(line) == "" || begins && len(list) > 0 {
			break
		}
		list = append(list, strings.TrimSpace(line))
		r.lines = r.lines[1:]
	}
	return list
}

// span is a way to mark words within a line.
type span struct {
	mark, before, after string
}

var spans = []span{{"**", "<strong>", "</strong>"}, {"__", "<strong>", "</strong>"}, {"~~", "<s>", "</s>"}, {"*", "<em>", "</em>"}, {"_", "<em>", "</em>"}}

var (
	namedLink = regexp.MustCompile(`^\[([^\]]*)\]\(([^)\s]*)\)`)
	emojiName = regexp.MustCompile(`^:[a-z0-9_+-]+:`)
	rawTag    = regexp.MustCompile(`(?i)^</?(?:b|i|s|u|del|ins|em|strong|kbd|small|big|sub|sup|code|pre|p|br|hr|blockquote|details|summary)>`)
	comment   = regexp.MustCompile(`(?s)^<!--.*?-->`)
	entity    = regexp.MustCompile(`^&(?:#\d+|#x[0-9A-Fa-f]+|[A-Za-z]+);`)
	codeSpan  = regexp.MustCompile("^(`+)[^`]")
)

// inline renders the marks within lines.
func (r *blocks) inline(s string) string {
	var w, text strings.Builder
	flush := func() {
		w.WriteString(r.m.text(text.String(), r.b))
		text.Reset()
	}
	put := func(html string) {
		flush()
		w.WriteString(html)
	}
	for i := 0; i < len(s); {
		rest := s[i:]
		switch c := s[i]; {
		case c == '\\' && len(rest) > 1 && strings.ContainsRune("\\`*_{}[]()#+-.!|<>~@:&\"'$%,/;=?^", rune(rest[1])):
			put(escaped(rest[1:2]))
			i += 2
			continue
		case c == '`' && codeSpan.MatchString(rest):
			mark := codeSpan.FindStringSubmatch(rest)[1]
			if end := strings.Index(rest[len(mark):], mark); end > 0 {
				put("<code>" + escaped(strings.TrimSpace(rest[len(mark):len(mark)+end])) + "</code>")
				i += end + 2*len(mark)
				continue
			}
		case c == '[' && namedLink.MatchString(rest) && r.m.Link != nil:
			l := namedLink.FindStringSubmatch(rest)
			put(r.m.Link(escaped(l[2]), r.inline(l[1])))
			i += len(l[0])
			continue
		case c == ':' && r.m.Emoji != nil && emojiName.MatchString(rest):
			name := emojiName.FindString(rest)
			put(r.m.Emoji(name))
			i += len(name)
			continue
		case c == '<' && comment.MatchString(rest):
			i += len(comment.FindString(rest))
			continue
		case c == '<' && rawTag.MatchString(rest):
			put(rawTag.FindString(rest))
			i += len(rawTag.FindString(rest))
			continue
		case c == '&' && entity.MatchString(rest):
			put(entity.FindString(rest))
			i += len(entity.FindString(rest))
			continue
		case strings.IndexByte("*_~", c) >= 0:
			if html, n := r.span(rest, i > 0 && isWord(s[i-1])); n > 0 {
				put(html)
				i += n
				continue
			}
		}
		text.WriteByte(s[i])
		i++
	}
	flush()
	return w.String()
}

// span renders marked words at the beginning of a text. Underscores within a word mark nothing.
func (r *blocks) span(s string, inWord bool) (html string, n int) {
	for _, sp := range spans {
		inner, ok := strings.CutPrefix(s, sp.mark)
		if !ok || inner == "" || inner[0] == ' ' || inner[0] == '\n' || inWord && sp.mark[0] == '_' {
			continue
		}
		end := strings.Index(inner, sp.mark)
		if end <= 0 || inner[end-1] == ' ' || inner[end-1] == '\\' {
			continue
		}
		if after := end + len(sp.mark); sp.mark[0] == '_' && after < len(inner) && isWord(inner[after]) {
			continue
		}
		return sp.before + r.inline(inner[:end]) + sp.after, end + 2*len(sp.mark)
	}
	return "", 0
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}
