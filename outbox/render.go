package outbox

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

const (
	lineLimit = 76  // columns of a line, where there is a blank to fold at
	wordLimit = 45  // bytes of text in one encoded word
	idLimit   = 900 // bytes of a Message-ID: a line holds 998
	lastRefs  = 10  // kept of a long thread, besides its first letter
)

// Render writes an item as a mail, with lines ended by CRLF. The same item gives the same bytes, today and after an
// upgrade of any library. What strangers wrote (subjects, names, Message-IDs) can neither begin a field nor break
// the mail; an address that is none is an ErrPermanent.
func Render(it Item) ([]byte, error) {
	from, err := Address(it.From)
	if err != nil {
		return nil, fmt.Errorf("render item %s: from: %w", it.ID, err)
	}
	to, err := Address(it.To)
	if err != nil {
		return nil, fmt.Errorf("render item %s: to: %w", it.ID, err)
	}
	replyTo := ""
	if it.ReplyTo != "" {
		a, err := Address(it.ReplyTo)
		if err != nil {
			return nil, fmt.Errorf("render item %s: reply-to: %w", it.ID, err)
		}
		replyTo = "<" + a + ">"
	}
	encoding, body := encodeBody(it.Text)
	var b bytes.Buffer
	field := func(name, value string) {
		if value != "" {
			writeField(&b, name, value)
		}
	}
	field("Date", it.Date.UTC().Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	field("From", mailbox(it.FromName, from))
	field("Reply-To", replyTo)
	field("To", "<"+to+">")
	field("Subject", phrase(it.Subject))
	field("Message-ID", angled(it.MessageID))
	field("In-Reply-To", angled(it.InReplyTo))
	field("References", references(it))
	field("Auto-Submitted", auto(it.Auto))
	field("X-Auto-Response-Suppress", "All")
	field("X-Arroba-Loop", from)
	field("X-Arroba-Game", phrase(it.Game))
	field("MIME-Version", "1.0")
	if len(it.Files) > 0 {
		field("Content-Type", `multipart/mixed; boundary="`+boundary(it)+`"`)
		b.WriteString("\r\n--" + boundary(it) + "\r\n")
	}
	field("Content-Type", "text/plain; charset=utf-8")
	field("Content-Transfer-Encoding", encoding)
	b.WriteString("\r\n")
	b.Write(body)
	writeFiles(&b, it)
	return b.Bytes(), nil
}

// boundary parts the text of a mail from its files. No encoded body has a line like it.
func boundary(it Item) string { return "=_" + it.ID }

// writeFiles writes the files of a mail after its text.
func writeFiles(b *bytes.Buffer, it Item) {
	for _, f := range it.Files {
		b.WriteString("--" + boundary(it) + "\r\n")
		kind, shown := "application/octet-stream", "attachment"
		if f.Type != "" {
			kind, shown = f.Type, "inline"
		}
		writeField(b, "Content-Type", kind)
		writeField(b, "Content-Transfer-Encoding", "base64")
		writeField(b, "Content-Disposition", shown+"; filename*=utf-8''"+url.PathEscape(fileName(f.Name)))
		b.WriteString("\r\n")
		b.Write(base64Lines(string(f.Data)))
	}
	if len(it.Files) > 0 {
		b.WriteString("--" + boundary(it) + "--\r\n")
	}
}

// fileName is a name that a file may have anywhere: of what strangers wrote, no folders and nothing unseen.
func fileName(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || strings.ContainsRune(`/\:`, r) {
			return '_'
		}
		return r
	}, strings.ToValidUTF8(s, "_"))
	for len(s) > 150 {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return cmp.Or(strings.TrimLeft(s, "."), "file")
}

// Address is a mail address as it stands in a mail and its envelope: the domain in ASCII. An error is an
// ErrPermanent.
func Address(s string) (string, error) {
	a, err := mail.ParseAddress("<" + s + ">")
	if err != nil || a.Address != s || strings.ContainsFunc(s, unicode.IsControl) {
		return "", fmt.Errorf("%q is no mail address: %w", s, ErrPermanent)
	}
	at := strings.LastIndexByte(s, '@')
	if !strings.ContainsFunc(s[at:], func(r rune) bool { return r > unicode.MaxASCII }) {
		return s, nil
	}
	domain, err := idna.Lookup.ToASCII(s[at+1:])
	if err != nil {
		return "", fmt.Errorf("the domain of %q is none: %w", s, ErrPermanent)
	}
	return s[:at+1] + domain, nil
}

// writeField writes a field, folded at its blanks.
func writeField(b *bytes.Buffer, name, value string) {
	b.WriteString(name)
	b.WriteByte(':')
	column := len(name) + 1
	for i, word := range strings.Split(value, " ") {
		if i > 0 && column+1+len(word) > lineLimit {
			b.WriteString("\r\n")
			column = 0
		}
		b.WriteByte(' ')
		b.WriteString(word)
		column += 1 + len(word)
	}
	b.WriteString("\r\n")
}

// phrase is text as it may stand in a field: on one line, in encoded words where it is not plain.
func phrase(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, ""), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if plain(s) {
		return s
	}
	var words []string
	for s != "" {
		n := min(len(s), wordLimit)
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n--
		}
		words = append(words, "=?utf-8?b?"+base64.StdEncoding.EncodeToString([]byte(s[:n]))+"?=")
		s = s[n:]
	}
	return strings.Join(words, " ")
}

// plain says whether words can stand as they are: ASCII, none that looks encoded, none too long to fold.
func plain(s string) bool {
	if strings.Contains(s, "=?") || strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) {
		return false
	}
	return !slices.ContainsFunc(strings.Fields(s), func(w string) bool { return len(w) > lineLimit-10 })
}

func mailbox(name, address string) string {
	name = phrase(name)
	switch {
	case name == "":
		return "<" + address + ">"
	case plain(name):
		name = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
	}
	return name + " <" + address + ">"
}

// angled is a Message-ID in its brackets, "" for one that could break the mail.
func angled(id string) string {
	bad := func(r rune) bool { return r <= ' ' || r >= unicode.MaxASCII || r == '<' || r == '>' }
	if id == "" || len(id) > idLimit || strings.ContainsFunc(id, bad) {
		return ""
	}
	return "<" + id + ">"
}

// references is the thread of an item: its first letter and the last ones, that which it answers at the end.
func references(it Item) string {
	var ids []string
	for _, id := range append(slices.Clone(it.References), it.InReplyTo) {
		if id := angled(id); id != "" {
			ids = append(slices.DeleteFunc(ids, func(s string) bool { return s == id }), id)
		}
	}
	if len(ids) > 1+lastRefs {
		ids = slices.Delete(ids, 1, len(ids)-lastRefs)
	}
	return strings.Join(ids, " ")
}

func auto(s string) string {
	if s == "auto-replied" {
		return s
	}
	return "auto-generated"
}

// encodeBody encodes text for a line of 76 columns, in the encoding that comes out smaller.
func encodeBody(text string) (encoding string, body []byte) {
	text = strings.NewReplacer("\r\n", "\r\n", "\r", "\r\n", "\n", "\r\n").Replace(text)
	if !strings.HasSuffix(text, "\r\n") {
		text += "\r\n"
	}
	var qp bytes.Buffer
	w := quotedprintable.NewWriter(&qp)
	w.Write([]byte(text)) // a bytes.Buffer takes all
	w.Close()
	if b64 := base64Lines(text); len(b64) < qp.Len() {
		return "base64", b64
	}
	return "quoted-printable", qp.Bytes()
}

func base64Lines(text string) []byte {
	var b bytes.Buffer
	for line := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString([]byte(text))), lineLimit) {
		b.Write(line)
		b.WriteString("\r\n")
	}
	return b.Bytes()
}
