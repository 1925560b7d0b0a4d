package letter

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// decodeRaw makes text of a header value that holds raw 8-bit bytes.
func decodeRaw(v string) string {
	if utf8.ValidString(v) {
		return v
	}
	return decodeText(v, "")
}

// decodeWords decodes the encoded words (RFC 2047) of a header value, quoted or not. Words that stand next to each
// other in one charset are joined before they are decoded, since programs cut in the middle of a letter. What
// cannot be decoded stays as it is.
func decodeWords(v string) string {
	v = decodeRaw(v)
	if !strings.Contains(v, "=?") {
		return v
	}
	var out, pending strings.Builder
	charset := ""
	flush := func() {
		if pending.Len() > 0 {
			out.WriteString(decodeText(pending.String(), charset))
			pending.Reset()
		}
	}
	for v != "" {
		start := strings.Index(v, "=?")
		if start < 0 {
			break
		}
		cs, data, size, ok := encodedWord(v[start:])
		if !ok {
			flush()
			out.WriteString(v[:start+2])
			v = v[start+2:]
			continue
		}
		between := v[:start]
		if strings.TrimSpace(between) != "" || pending.Len() == 0 {
			flush()
			out.WriteString(between)
		} else if !strings.EqualFold(cs, charset) {
			flush()
		}
		charset = cs
		pending.WriteString(data)
		v = v[start+size:]
	}
	flush()
	out.WriteString(v)
	return out.String()
}

// encodedWord reads the encoded word that s begins with.
func encodedWord(s string) (charset, data string, size int, ok bool) {
	q1 := strings.IndexByte(s[2:], '?')
	if q1 < 0 || q1 > 60 || len(s) < 2+q1+4 || s[2+q1+2] != '?' {
		return
	}
	charset, _, _ = strings.Cut(s[2:2+q1], "*") // a language may follow (RFC 2231)
	encoding, text := s[2+q1+1], s[2+q1+3:]
	end := strings.Index(text, "?=")
	if end < 0 {
		return
	}
	size = 2 + q1 + 3 + end + 2
	switch encoding {
	case 'b', 'B':
		return charset, decodeBase64(text[:end]), size, true
	case 'q', 'Q':
		return charset, decodeQ(strings.ReplaceAll(text[:end], "_", " ")), size, true
	}
	return
}

// decodeBase64 decodes chunk by chunk, each padded or not, and steps over what is no base64.
func decodeBase64(s string) string {
	out := make([]byte, 0, len(s)*3/4+3)
	var quad [4]byte
	n := 0
	flush := func() {
		if n > 1 {
			var three [3]byte
			m, _ := base64.RawStdEncoding.Decode(three[:], quad[:n])
			out = append(out, three[:m]...)
		}
		n = 0
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isBase64(c):
			quad[n] = c
			if n++; n == 4 {
				flush()
			}
		case c == '=':
			flush()
		}
	}
	flush()
	return string(out)
}

func isBase64(c byte) bool { return isAlnum(rune(c)) || c == '+' || c == '/' }
