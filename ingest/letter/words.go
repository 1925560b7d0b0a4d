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

// maxWord is how long an encoded word may be. The standard says 75; some programs put a whole subject into one.
const maxWord = 4096

// encodedWord reads the encoded word that s begins with.
func encodedWord(s string) (charset, data string, size int, ok bool) {
	s = s[:min(len(s), maxWord)]
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

// base64Decoder decodes base64 chunk by chunk, each padded or not, and steps over what is no base64.
type base64Decoder struct {
	out  []byte
	quad [4]byte
	n    int // of quad
}

func (d *base64Decoder) add(s string) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case isBase64(c):
			d.quad[d.n] = c
			if d.n++; d.n == 4 {
				d.flush()
			}
		case c == '=':
			d.flush()
		}
	}
}

// flush decodes the letters at hand; a single one is too few for a byte.
func (d *base64Decoder) flush() {
	var three [3]byte
	n, _ := base64.RawStdEncoding.Decode(three[:], d.quad[:d.n])
	d.out = append(d.out, three[:n]...)
	d.n = 0
}

func decodeBase64(s string) string {
	d := base64Decoder{out: make([]byte, 0, len(s)*3/4+3)}
	d.add(s)
	d.flush()
	return string(d.out)
}

func isBase64(c byte) bool { return isAlnum(rune(c)) || c == '+' || c == '/' }
