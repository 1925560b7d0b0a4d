package forum

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// declaredIn is how far into a page what it says of its charset is looked for.
const declaredIn = 8 << 10

// decode turns the bytes of an answer into text. The charset is the first that holds: the configured one; UTF-8 if the
// bytes are valid; the header's if they decode cleanly; the page's own word; the board's default. Problems tell of bytes that
// are not of that charset: U+FFFD stands in their place, as it may stand in a page by itself.
func decode(a Answer, v View) (text string, problems []string, err error) {
	text, name, lost, err := convertAs(a, v)
	if err != nil {
		return "", nil, err
	}
	if strings.TrimSpace(text) == "" {
		return "", nil, errors.New("the answer is empty")
	}
	if strings.ContainsRune(text, 0) {
		return "", nil, errors.New("the answer is no text")
	}
	if lost > 0 {
		problems = append(problems, fmt.Sprintf("%d places on the page are not in the charset %s and were replaced by U+FFFD", lost, name))
	}
	return text, problems, nil
}

func convertAs(a Answer, v View) (text, name string, lost int, err error) {
	if v.Charset != "" {
		enc, name := lookup(v.Charset)
		if enc == nil {
			return "", "", 0, fmt.Errorf("no charset is named %q", v.Charset)
		}
		text, lost = convert(a.Body, enc)
		return text, name, lost, nil
	}
	if name := utf16(a.Body); name != "" {
		enc, _ := lookup(name)
		text, lost = convert(a.Body, enc)
		return text, name, lost, nil
	}
	if utf8.Valid(a.Body) && !bytes.Contains(a.Body, []byte{0}) {
		return strings.TrimPrefix(string(a.Body), "\ufeff"), "utf-8", 0, nil
	}
	enc, header := lookup(headerCharset(a))
	if enc != nil {
		if text, lost = convert(a.Body, enc); lost == 0 {
			return text, header, 0, nil
		}
	}
	for _, label := range []string{declared(a.Body), defaultCharset(a, v), header, "windows-1252"} {
		if enc, name = lookup(label); enc != nil {
			break
		}
	}
	text, lost = convert(a.Body, enc)
	return text, name, lost, nil
}

// utf16 names the charset of bytes that begin with a byte order mark of UTF-16, "" for others.
func utf16(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		return "utf-16le"
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return "utf-16be"
	}
	return ""
}

// lookup finds an encoding by what pages call it: ISO-8859-1 means windows-1252. It is nil for a name that nothing has.
func lookup(label string) (encoding.Encoding, string) {
	enc, name := charset.Lookup(label)
	if enc == nil || name == "replacement" {
		return nil, ""
	}
	return enc, name
}

// convert decodes bytes and counts the places where U+FFFD stands because of it.
func convert(b []byte, enc encoding.Encoding) (text string, lost int) {
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil { // no decoder of a charset of the Web fails: they replace
		return "", 1
	}
	lost = bytes.Count(out, []byte("\ufffd"))
	if enc == unicode.UTF8 {
		lost -= bytes.Count(b, []byte("\ufffd"))
	}
	return strings.TrimPrefix(string(out), "\ufeff"), lost
}

func headerCharset(a Answer) string {
	_, params, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return params["charset"]
}

var (
	ofXML  = regexp.MustCompile(`^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w:.-]+)["']`)
	ofMeta = regexp.MustCompile(`(?i)charset\s*=\s*["']?\s*([\w:.-]+)`)
)

// declared is the charset that a page names in its meta elements, or XML in its declaration, "" for none. One that could not
// have been read as it stands, UTF-16, means UTF-8.
func declared(body []byte) string {
	head := body[:min(len(body), declaredIn)]
	name := ""
	if m := ofXML.FindSubmatch(head); m != nil {
		name = string(m[1])
	}
	for z := html.NewTokenizer(bytes.NewReader(head)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		if label := metaCharset(z.Token()); label != "" {
			name = label
			break
		}
	}
	if strings.HasPrefix(strings.ToLower(name), "utf-16") {
		return "utf-8"
	}
	return name
}

// metaCharset is the charset that a meta element names.
func metaCharset(t html.Token) string {
	if t.Data != "meta" {
		return ""
	}
	content := ""
	for _, attr := range t.Attr {
		switch {
		case attr.Key == "charset":
			return strings.TrimSpace(attr.Val)
		case attr.Key == "content":
			content = attr.Val
		}
	}
	if m := ofMeta.FindStringSubmatch(content); m != nil {
		return m[1]
	}
	return ""
}

// cyrillic tells bytes of windows-1251 from those of windows-1252: whole words are letters above ASCII, and not one here and
// there.
func cyrillic(text []byte) bool {
	words, accents, run := 0, 0, 0
	for _, c := range text {
		if c >= 0xc0 || c == 0xa8 || c == 0xb8 { // А to я, Ё, ё
			run++
			continue
		}
		switch {
		case run > 2:
			words += run
		case run > 0:
			accents += run
		}
		run = 0
	}
	return words > accents
}

// defaultCharset is that of the board's family, or what the text looks like where it has none. Where the config does not
// name the family its marks tell it: they are ASCII.
func defaultCharset(a Answer, v View) string {
	f := familyNamed(v.Board)
	if f == nil {
		enc, _ := lookup("windows-1252")
		text, _ := convert(a.Body, enc)
		if doc, err := parse(text); err == nil {
			f, _ = recognise(doc, v)
		}
	}
	switch {
	case f != nil && f.charset != "":
		return f.charset
	case cyrillic(a.Body):
		return "windows-1251"
	}
	return ""
}
