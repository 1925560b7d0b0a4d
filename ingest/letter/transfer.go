package letter

import "strings"

// decodeTransfer undoes a Content-Transfer-Encoding. Labels are read leniently, and what is unknown passes as it is:
// the text in it is more often plain than not.
func decodeTransfer(body, encoding string) string {
	if i := strings.IndexAny(encoding, " \t;(,"); i >= 0 {
		encoding = encoding[:i]
	}
	switch strings.ToLower(strings.Trim(encoding, `"'`)) {
	case "base64", "base-64", "b":
		return decodeBase64Body(body)
	case "quoted-printable", "quotedprintable", "quoted-printeable", "qp", "q":
		return decodeQ(body)
	case "uuencode", "x-uuencode", "uue", "x-uue", "uu":
		if data, ok := decodeUU(body); ok {
			return data
		}
	}
	return body
}

// decodeBase64Body decodes a body in base64. Lines that are evidently none (footers that mailing lists and virus
// scanners append) are left out; a body that begins with one was never encoded.
func decodeBase64Body(body string) string {
	d := base64Decoder{out: make([]byte, 0, len(body)*3/4+3)}
	begun, shortest := false, 0 // a line below what looks like the end must be as long as that, in whole groups
	for rest := body; rest != ""; {
		var line string
		line, rest = cutLine(rest)
		line = strings.TrimSpace(line)
		switch {
		case !looksBase64(line):
			if !begun {
				return body
			}
		case line == "":
			if begun {
				shortest = 16
			}
		case shortest > 0 && (len(line) < shortest || len(line)%4 != 0): // a word of a footer
		default:
			d.add(line)
			begun = true
			if line[len(line)-1] == '=' {
				shortest = max(shortest, 4)
			}
		}
	}
	d.flush()
	return shared(d.out)
}

// looksBase64 allows one strange byte in twenty, which the wire may have damaged.
func looksBase64(line string) bool {
	strange := 0
	for i := 0; i < len(line); i++ {
		if c := line[i]; !isBase64(c) && c != '=' {
			strange++
		}
	}
	return strange*20 <= len(line)
}

// decodeQ decodes quoted-printable. Escapes that are none stay as they stand.
func decodeQ(s string) string {
	if strings.IndexByte(s, '=') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '=' {
			out = append(out, s[i])
			continue
		}
		if i+2 < len(s) && hexDigit(s[i+1]) >= 0 && hexDigit(s[i+2]) >= 0 {
			out = append(out, byte(hexDigit(s[i+1])<<4|hexDigit(s[i+2])))
			i += 2
			continue
		}
		end := i + 1
		for end < len(s) && (s[end] == ' ' || s[end] == '\t' || s[end] == '\r') {
			end++
		}
		switch {
		case end == len(s):
			i = end
		case s[end] == '\n':
			i = end
		default:
			out = append(out, '=')
		}
	}
	return shared(out)
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// decodeUU decodes the first uuencoded file in a body; ok tells whether there is one.
func decodeUU(body string) (data string, ok bool) {
	_, _, data, ok = cutUU(body)
	return data, ok
}

// cutUU takes the first uuencoded file ("begin 644 NAME" to "end") out of a text.
func cutUU(text string) (without, name, data string, ok bool) {
	begin := 0
	if !strings.HasPrefix(text, "begin ") {
		if begin = strings.Index(text, "\nbegin ") + 1; begin == 0 {
			return text, "", "", false
		}
	}
	head, rest := cutLine(text[begin:])
	words := strings.SplitN(head, " ", 3)
	if len(words) < 3 || len(words[1]) < 3 || strings.Trim(words[1], "01234567") != "" {
		return text, "", "", false
	}
	var out []byte
	for rest != "" {
		var line string
		line, rest = cutLine(rest)
		switch {
		case line == "end":
			return text[:begin] + rest, words[2], string(out), true
		case !looksUU(line):
			return text, "", "", false
		case line != "":
			out = appendUU(out, line)
		}
	}
	return text, "", "", false
}

// looksUU tells whether a line is as long as its first character says, or shorter by blanks lost on the way.
func looksUU(line string) bool {
	if line == "" {
		return true
	}
	n := int((line[0] - ' ') & 63)
	return line[0] >= ' ' && line[0] <= '`' && len(line) <= 2+(n+2)/3*4
}

// appendUU decodes one line: a length, then four characters for each three bytes.
func appendUU(out []byte, line string) []byte {
	want := len(out) + int((line[0]-' ')&63)
	at := func(i int) byte {
		if i < len(line) {
			return (line[i] - ' ') & 63
		}
		return 0
	}
	for i := 1; len(out) < want && i < len(line); i += 4 {
		a, b, c, d := at(i), at(i+1), at(i+2), at(i+3)
		out = append(out, a<<2|b>>4, b<<4|c>>2, c<<6|d)
	}
	return out[:min(len(out), want)]
}
