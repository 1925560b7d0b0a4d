package letter

import "strings"

// Object identifiers of the cryptographic message syntax (RFC 5652), with tag and length.
const (
	oidSignedData = "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
	oidData       = "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01"
)

// signedContent takes the signed part out of S/MIME in one piece (application/pkcs7-mime). It is in the clear there;
// ok is false for what is encrypted. The signature proves nothing here: a letter is believed for other reasons.
func signedContent(data string) (part string, ok bool) {
	kind := strings.Index(data[:min(len(data), 64)], oidSignedData)
	if kind < 0 {
		return "", false
	}
	at := strings.Index(data, oidData)
	if at < kind {
		return "", false
	}
	tag, _, rest := berHead(data[at+len(oidData):])
	if tag != 0xa0 {
		return "", false
	}
	tag, size, rest := berHead(rest)
	switch tag {
	case 0x04: // an octet string
		return rest[:size], true
	case 0x24: // one in pieces
		var b strings.Builder
		for tag, size, rest = berHead(rest); tag == 0x04; tag, size, rest = berHead(rest[size:]) {
			b.WriteString(rest[:size])
		}
		return b.String(), true
	}
	return "", false
}

// berHead reads the tag and length before a value. A length that is left open, or too long, is that of the rest.
func berHead(s string) (tag byte, size int, rest string) {
	if len(s) < 2 {
		return 0, 0, ""
	}
	tag, first, rest := s[0], s[1], s[2:]
	size = int(first)
	if first > 0x80 && int(first&0x7f) <= min(4, len(rest)) {
		size = 0
		for ; first > 0x80; first-- {
			size = size<<8 | int(rest[0])
			rest = rest[1:]
		}
	} else if first >= 0x80 {
		size = len(rest)
	}
	return tag, min(size, len(rest)), rest
}
