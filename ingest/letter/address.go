package letter

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"arroba/orders"
)

type mailbox struct{ name, addr string }

// author finds the one mailbox of the From fields. Where there is none, or more than one, nobody can be believed.
func author(h header) (mailbox, error) {
	var found []mailbox
	for _, v := range h.all("From") {
		boxes, err := mailboxes(v)
		if err != nil {
			return mailbox{}, err
		}
		for _, b := range boxes {
			if len(found) == 0 || found[0].addr != b.addr {
				found = append(found, b)
			}
		}
	}
	switch len(found) {
	case 0:
		return mailbox{}, errors.New("the From field names no address")
	case 1:
		return found[0], nil
	}
	return mailbox{}, errors.New("the From field names more than one address")
}

// recipientFields are where the game's address may stand: what the writer put, and what the servers on the way noted.
var recipientFields = []string{"To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "Apparently-To", "Resent-To"}

func recipients(h header) []string {
	var to []string
	for _, name := range recipientFields {
		for _, v := range h.all(name) {
			boxes, _ := mailboxes(v)
			for _, b := range boxes {
				if !slices.Contains(to, b.addr) && len(to) < maxParams {
					to = append(to, b.addr)
				}
			}
		}
	}
	return to
}

// mailboxes reads an address field as programs write it: unquoted commas and at signs in names, angle brackets that
// are missing or doubled, raw 8-bit names. A name never becomes an address: what stands in quotes, in a comment, in
// an encoded word or before an angle bracket is name. The error tells of a group or of two angle addresses for one
// mailbox, of which either could be meant.
func mailboxes(v string) ([]mailbox, error) {
	var boxes []mailbox
	var err error
	for _, seg := range segments(v) {
		b, segErr := oneMailbox(seg)
		if segErr != nil {
			err = segErr
		}
		if b.addr != "" {
			boxes = append(boxes, b)
		}
	}
	if isGroup(v) {
		err = errors.New("the address field names a group")
	}
	return boxes, err
}

// isGroup tells a group ("name: a@x, b@x;") from a name that holds a colon.
func isGroup(v string) bool {
	colon := strings.IndexByte(v, ':')
	return colon > 0 && strings.HasSuffix(v, ";") && !strings.ContainsAny(v[:colon], "<@\"")
}

// segment is one entry of an address list: what stood between angle brackets, and the rest without comments.
type segment struct {
	angles  []string
	outside string // quoted strings stand here with their quotes
	comment string
}

// segments cuts an address list at commas and semicolons that stand in no quotes, comment or brackets.
func segments(v string) []segment {
	if open := strings.IndexByte(v, '<'); open >= 0 && strings.IndexByte(v, '>') == len(v)-1 && !strings.ContainsAny(v, "\"\\(,;") && strings.LastIndexByte(v, '<') == open {
		return []segment{{angles: []string{v[open+1 : len(v)-1]}, outside: strings.TrimSpace(v[:open])}} // nearly always
	}
	var segs []segment
	var seg segment
	var out, comment strings.Builder
	flush := func() {
		seg.outside, seg.comment = strings.TrimSpace(out.String()), strings.TrimSpace(comment.String())
		if seg.outside != "" || len(seg.angles) > 0 {
			segs = append(segs, seg)
		}
		seg = segment{}
		out.Reset()
		comment.Reset()
	}
	for i := 0; i < len(v); i++ {
		switch c := v[i]; c {
		case '"':
			end := closing(v, i, '"')
			out.WriteString(v[i:end])
			i = end - 1
		case '\\':
			out.WriteString(v[i:min(len(v), i+2)])
			i++
		case '(':
			end := closeComment(v, i)
			comment.WriteString(v[i+1 : max(i+1, end-1)])
			i = end - 1
		case '<':
			end := strings.IndexByte(v[i:], '>')
			if end < 0 {
				end = len(v) - i
			}
			seg.angles = append(seg.angles, v[i+1:i+end])
			i += end
		case ',', ';':
			flush()
		default:
			out.WriteByte(c)
		}
	}
	flush()
	return segs
}

// closing returns the index after the quote that closes the one at v[i], or after that at i where none does.
func closing(v string, i int, quote byte) int {
	for j := i + 1; j < len(v); j++ {
		switch v[j] {
		case '\\':
			j++
		case quote:
			return j + 1
		}
	}
	return i + 1
}

// closeComment returns the index after the comment that begins at v[i], or the end of v.
func closeComment(v string, i int) int {
	depth := 0
	for j := i; j < len(v); j++ {
		switch v[j] {
		case '\\':
			j++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return j + 1
			}
		}
	}
	return len(v)
}

func oneMailbox(seg segment) (mailbox, error) {
	if len(seg.angles) > 1 {
		return mailbox{}, errors.New("an entry of the address field has two addresses in angle brackets")
	}
	if len(seg.angles) == 1 {
		addr := cleanAddr(seg.angles[0])
		if addr == "" {
			return mailbox{}, nil
		}
		return mailbox{displayName(seg.outside), addr}, nil
	}
	addr := cleanAddr(strings.TrimSuffix(seg.outside, ">"))
	if addr == "" { // "Oleg oleg@example.org>": the opening bracket is missing
		if i := strings.LastIndexAny(seg.outside, " \t"); i >= 0 && strings.HasSuffix(seg.outside, ">") {
			return mailbox{displayName(seg.outside[:i]), cleanAddr(seg.outside[i+1 : len(seg.outside)-1])}, nil
		}
	}
	return mailbox{displayName(seg.comment), addr}, nil
}

func displayName(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
		s = strings.ReplaceAll(s[1:len(s)-1], `\`, "")
	}
	return orders.Clean(decodeWords(s))
}

var addrBlanks = strings.NewReplacer(" @ ", "@", " @", "@", "@ ", "@", " .", ".", ". ", ".")

// cleanAddr returns an addr-spec in lower case, or "" where s is none.
func cleanAddr(s string) string {
	s = strings.TrimSpace(s)
	if strings.ContainsRune(s, ' ') {
		s = addrBlanks.Replace(s)
	}
	if len(s) > 1 && s[0] == '\'' && s[len(s)-1] == '\'' {
		s = s[1 : len(s)-1]
	}
	s = strings.TrimPrefix(strings.TrimPrefix(s, "mailto:"), "MAILTO:")
	if strings.HasPrefix(s, "@") { // a source route
		_, s, _ = strings.Cut(s, ":")
	}
	at := strings.LastIndexByte(s, '@')
	if at <= 0 || !utf8.ValidString(s) || len(s) > 320 {
		return ""
	}
	local, domain := s[:at], strings.TrimSuffix(s[at+1:], ".")
	if !validLocal(local) || !validDomain(domain) {
		return ""
	}
	return strings.ToLower(local + "@" + domain)
}

func validLocal(s string) bool {
	if len(s) > 2 && s[0] == '"' && closing(s, 0, '"') == len(s) {
		return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r == 0x7f || strings.ContainsRune(`()<>[]:;@\,"`, r)
	})
}

func validDomain(s string) bool {
	if strings.HasPrefix(s, "[") {
		return strings.HasSuffix(s, "]") && !strings.ContainsAny(s, " \t\x00")
	}
	if s == "" || s[0] == '.' || strings.Contains(s, "..") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && r != '.' && r != '-' && r != '_' && !isAlnum(r) })
}
