package letter

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"
	"unsafe"
)

// walk goes through the parts of one mail and keeps what it finds.
type walk struct {
	plain, html []textPart // running text
	files       []textPart // attached files of orders
	attachments []Attachment
	problems    []error
	parts       int
	alternative int // the multipart/alternative at hand, by the number of its part; 0 for none
	maxParts    int
	maxLines    int
	over        Limit   // that was reached
	calendar    bool    // an invitation or an answer to one
	opaque      string  // why the text cannot be read: it is encrypted, or in Outlook's own format
	report      string  // report-type of a multipart/report
	bounce      *Bounce // what a delivery-status part says
	original    string  // Message-ID of the letter that a report returns
}

// textPart is one part with text, decoded to UTF-8.
type textPart struct {
	text            string
	flowed, delSp   bool
	at, alternative int // the number of the part, and of the outermost alternative it stands in; 0 for none
}

// part reads one part and those in it. parent is the media type of the multipart it stands in.
func (w *walk) part(h header, body string, depth int, parent string) {
	if w.parts++; w.parts > w.maxParts {
		w.exceed(LimitParts, fmt.Errorf("the letter has more than %d parts", w.maxParts))
		return
	}
	ct := parseParams(h.get("Content-Type"))
	switch {
	case strings.HasPrefix(ct.value, "multipart/"):
		w.multipart(h, ct, body, depth)
	case strings.HasPrefix(ct.value, "message/") || ct.value == "text/rfc822-headers" || ct.value == "" && parent == "multipart/digest":
		w.message(h, ct, body)
	default:
		if isSMIME(ct.value) {
			if inner, ok := signedContent(decodeTransfer(body, h.get("Content-Transfer-Encoding"))); ok {
				h, text, _ := partHeader(inner)
				w.part(h, text, depth+1, parent)
				return
			}
		}
		w.leaf(h, ct, body, parent)
	}
}

func isSMIME(t string) bool { return t == "application/pkcs7-mime" || t == "application/x-pkcs7-mime" }

// exceed notes that a limit was reached, once.
func (w *walk) exceed(limit Limit, err error) {
	if w.over == "" {
		w.problems = append(w.problems, err)
		w.over = limit
	}
}

func (w *walk) multipart(h header, ct params, body string, depth int) {
	if depth >= maxDepth {
		w.exceed(LimitParts, fmt.Errorf("the letter's parts are nested more than %d deep", maxDepth))
		return
	}
	switch ct.value {
	case "multipart/report":
		w.report = strings.ToLower(ct.get("report-type"))
	case "multipart/encrypted":
		w.opaque = "the letter is encrypted"
	case "multipart/alternative":
		if w.alternative == 0 {
			w.alternative = w.parts
			defer func() { w.alternative = 0 }()
		}
	}
	parts := splitParts(body, ct.get("boundary"), w.maxParts)
	if parts == nil { // a gateway may have put a boundary of its own, or encoded the whole
		body = decodeTransfer(body, h.get("Content-Transfer-Encoding"))
		if parts = splitParts(body, ct.get("boundary"), w.maxParts); parts == nil {
			parts = splitParts(body, "", w.maxParts)
		}
	}
	if parts == nil {
		w.problems = append(w.problems, errors.New("a multipart without its boundary was read as text"))
		w.leaf(nil, params{}, body, ct.value)
		return
	}
	for _, p := range parts {
		h, text, err := partHeader(p)
		if err != nil {
			w.exceed(LimitParts, err)
		}
		w.part(h, text, depth+1, ct.value)
		if w.over != "" {
			return
		}
	}
}

// partHeader reads a part's header. A part that does not begin with a known field has none, whatever its first line
// looks like.
func partHeader(p string) (header, string, error) {
	if !knownFieldLine(p) {
		if line, rest := cutLine(p); line == "" {
			return nil, rest, nil
		}
		return nil, p, nil
	}
	return readHeader(p)
}

// splitParts cuts a multipart's body at its delimiter lines; nil when there is none. What comes before the first and
// after the closing one belongs to nobody. A boundary that was not declared is taken from the first line that looks
// like one. More than most parts are not looked for.
func splitParts(body, boundary string, most int) []string {
	if boundary == "" {
		if boundary = guessBoundary(body); boundary == "" {
			return nil
		}
	}
	delim := "--" + boundary
	var parts []string
	begin := -1 // where the part at hand begins
	for at := 0; at <= len(body) && len(parts) <= most; {
		i := strings.Index(body[at:], delim)
		if i < 0 {
			break
		}
		i += at
		if at = i + len(delim); i > 0 && body[i-1] != '\n' {
			continue
		}
		line, rest := cutLine(body[i:])
		tail := strings.TrimRight(line[min(len(delim), len(line)):], " \t")
		if tail != "" && tail != "--" {
			continue
		}
		if begin >= 0 {
			parts = append(parts, strings.TrimSuffix(body[begin:max(begin, i)], "\n")) // which belongs to the delimiter
		}
		begin = len(body) - len(rest)
		at = begin
		if tail == "--" {
			return parts
		}
	}
	if begin >= 0 {
		parts = append(parts, body[begin:])
	}
	return parts
}

func guessBoundary(body string) string {
	for rest := body; rest != ""; {
		var line string
		line, rest = cutLine(rest)
		if len(line) > 2 && strings.HasPrefix(line, "--") && !strings.HasPrefix(line, "-- ") && knownFieldLine(rest) {
			return strings.TrimRight(line[2:], " \t")
		}
	}
	return ""
}

// message keeps a mail within the mail as a file: what it says was said to others. Of reports it takes the facts.
func (w *walk) message(h header, ct params, body string) {
	switch ct.value {
	case "message/delivery-status", "message/global-delivery-status":
		w.bounce = deliveryStatus(decodeTransfer(body, h.get("Content-Transfer-Encoding")))
	case "message/rfc822", "message/global", "text/rfc822-headers", "message/rfc822-headers":
		inner, _, _ := readHeader(decodeTransfer(body, h.get("Content-Transfer-Encoding")))
		w.original = messageID(inner.get("Message-ID"))
	}
	w.attach(h, ct, decodeTransfer(body, h.get("Content-Transfer-Encoding")))
}

// leaf reads a part that holds no others.
func (w *walk) leaf(h header, ct params, body, parent string) {
	data := decodeTransfer(body, h.get("Content-Transfer-Encoding"))
	disposition := parseParams(h.get("Content-Disposition"))
	name := fileName(ct, disposition)
	attached := disposition.value == "attachment" || name != ""
	isHTML, plain := ct.value == "text/html" || ct.value == "application/xhtml+xml", isPlain(ct.value)
	if plain && isPage(data) {
		isHTML, plain = true, false
	}
	if isHTML && disposition.value != "attachment" && len(w.plain)+len(w.html) == 0 {
		attached = false // the letter itself, which some programs give a name
	}
	switch {
	case !attached && (plain || isHTML) && len(data) > maxText:
		w.exceed(LimitParts, fmt.Errorf("a text of the letter is over the limit of %d MB", maxText>>20))
	case !attached && plain:
		w.running(data, ct)
	case !attached && isHTML:
		w.html = append(w.html, w.place(newHTMLPart(data, ct)))
	case ct.value == "text/calendar" && (parent == "" || parent == "multipart/alternative"):
		w.calendar = true
		w.attach(h, ct, data)
	case plain || isOrderFile(name):
		w.orderFile(data, ct)
		w.attach(h, ct, data)
	default:
		w.noteOpaque(ct)
		w.attach(h, ct, data)
	}
}

// isPage tells HTML by how it begins.
func isPage(data string) bool {
	data = strings.TrimLeft(data[:min(len(data), 200)], "\ufeff \t\r\n")
	if data == "" || data[0] != '<' {
		return false
	}
	begin := strings.ToLower(data)
	return strings.HasPrefix(begin, "<!doctype html") || strings.HasPrefix(begin, "<html")
}

// running keeps a part of running text, without the files that old programs wrote into it by uuencode.
func (w *walk) running(data string, ct params) {
	if without, name, file, ok := cutUU(data); ok {
		data = without
		w.keep(Attachment{Name: baseName(name), Type: "application/octet-stream"}, file)
		if isOrderFile(name) {
			w.orderFile(file, params{})
		}
	}
	if strings.Contains(data, "-----BEGIN PGP MESSAGE-----") {
		w.opaque = "a part of the letter is encrypted"
	}
	w.plain = append(w.plain, w.place(newTextPart(data, ct)))
}

// place notes where a text stands.
func (w *walk) place(p textPart) textPart {
	p.at, p.alternative = w.parts, w.alternative
	return p
}

func (w *walk) noteOpaque(ct params) {
	switch {
	case ct.value == "application/ms-tnef", ct.value == "application/vnd.ms-tnef":
		w.opaque = "the letter is in Outlook's own format (winmail.dat)"
	case isSMIME(ct.value):
		w.opaque = "the letter is encrypted or signed in a form that cannot be read (S/MIME)"
	}
}

// isPlain tells media types whose text is read as it stands. Types that are none at all ("text", "plain") are what
// broken programs write for it.
func isPlain(t string) bool {
	switch t {
	case "", "text/plain", "text/markdown", "text/x-markdown":
		return true
	}
	return !strings.Contains(t, "/")
}

func isOrderFile(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".txt" || ext == ".ord"
}

// orderFile reads an attached file of orders, if it is text and no novel.
func (w *walk) orderFile(data string, ct params) {
	if len(data) > maxOrderFile {
		w.problems = append(w.problems, fmt.Errorf("an attached text of more than %d KB was not read for orders", maxOrderFile>>10))
		return
	}
	p := newTextPart(data, ct)
	if strings.ContainsFunc(p.text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f' && r != 0x1a }) {
		return
	}
	w.files = append(w.files, p)
}

func newTextPart(data string, ct params) textPart {
	return textPart{
		text:   decodeText(data, ct.get("charset")),
		flowed: strings.EqualFold(ct.get("format"), "flowed"),
		delSp:  strings.EqualFold(ct.get("delsp"), "yes"),
	}
}

// newHTMLPart lets the document say its charset where the mail does not.
func newHTMLPart(data string, ct params) textPart {
	charset := ct.get("charset")
	if charset == "" {
		charset = metaCharset(data)
	}
	return textPart{text: decodeText(data, charset)}
}

func metaCharset(data string) string {
	head := strings.ToLower(data[:min(len(data), 2048)])
	_, after, ok := strings.Cut(head, "charset=")
	if !ok {
		return ""
	}
	after = strings.TrimLeft(after, `"' `)
	if end := strings.IndexAny(after, `"'> ;/`); end >= 0 {
		return after[:end]
	}
	return ""
}

func (w *walk) attach(h header, ct params, data string) {
	w.keep(Attachment{Name: fileName(ct, parseParams(h.get("Content-Disposition"))), Type: ct.value}, data)
}

// keep keeps an attachment with its bytes, which it shares with the letter.
func (w *walk) keep(a Attachment, data string) {
	a.Data = unsafe.Slice(unsafe.StringData(data), len(data))
	sum := sha256.Sum256(a.Data)
	a.SHA256 = hex.EncodeToString(sum[:])
	w.attachments = append(w.attachments, a)
}
