package letter

import (
	"strconv"
	"strings"

	"arroba/orders"
)

// params is a header value with parameters: "text/plain; charset=utf-8".
type params struct {
	value string // in lower case
	list  []param
}

type param struct{ name, value string }

// get returns a parameter, its RFC 2231 pieces put together, or "".
func (p params) get(name string) string {
	for _, q := range p.list {
		if q.name == name {
			return decodeWords(q.value)
		}
	}
	for _, q := range p.list {
		if q.name == name+"*" {
			return decodeExtended(q.value)
		}
	}
	return p.pieces(name)
}

// pieces joins name*0, name*1* and so on.
func (p params) pieces(name string) string {
	var b strings.Builder
	extended := false
	for i := 0; i < maxParams; i++ {
		key := name + "*" + strconv.Itoa(i)
		found := false
		for _, q := range p.list {
			if q.name == key || q.name == key+"*" {
				b.WriteString(q.value)
				extended = extended || q.name == key+"*"
				found = true
				break
			}
		}
		if !found {
			break
		}
	}
	if extended {
		return decodeExtended(b.String())
	}
	return decodeRaw(b.String())
}

// decodeExtended decodes charset'language'percent-encoded text.
func decodeExtended(v string) string {
	charset := ""
	if parts := strings.SplitN(v, "'", 3); len(parts) == 3 {
		charset, v = parts[0], parts[2]
	}
	out := make([]byte, 0, len(v))
	for i := 0; i < len(v); i++ {
		if v[i] == '%' && i+2 < len(v) && hexDigit(v[i+1]) >= 0 && hexDigit(v[i+2]) >= 0 {
			out = append(out, byte(hexDigit(v[i+1])<<4|hexDigit(v[i+2])))
			i += 2
			continue
		}
		out = append(out, v[i])
	}
	return decodeText(string(out), charset)
}

// parseParams reads a value with parameters, quoted or not, with blanks and raw 8-bit bytes in it or not. Of a
// parameter given twice the first counts.
func parseParams(v string) params {
	value, rest, _ := strings.Cut(v, ";")
	value, _, _ = strings.Cut(value, "(")
	if i := strings.IndexAny(strings.TrimSpace(value), " \t,"); i >= 0 {
		value = strings.TrimSpace(value)[:i]
	}
	p := params{value: strings.ToLower(strings.Trim(value, " \t\"'"))}
	for rest != "" && len(p.list) < maxParams {
		var item string
		item, rest = cutParam(rest)
		name, val, ok := strings.Cut(item, "=")
		if !ok {
			continue
		}
		p.list = append(p.list, param{strings.ToLower(strings.TrimSpace(name)), unquote(strings.TrimSpace(val))})
	}
	return p
}

// cutParam cuts at the first semicolon outside quotes.
func cutParam(s string) (item, rest string) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i = closing(s, i, '"') - 1
		case '\\':
			i++
		case ';':
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

func unquote(v string) string {
	if v == "" || v[0] != '"' {
		return v
	}
	end := closing(v, 0, '"')
	if end == 1 {
		return v[1:]
	}
	v = v[1 : end-1]
	if strings.IndexByte(v, '\\') < 0 {
		return v
	}
	out := make([]byte, 0, len(v))
	for i := 0; i < len(v); i++ {
		if v[i] == '\\' && i+1 < len(v) && (v[i+1] == '"' || v[i+1] == '\\') {
			i++
		}
		out = append(out, v[i])
	}
	return string(out)
}

// fileName returns the name of an attached file without the folders it may claim.
func fileName(ct, disposition params) string {
	name := disposition.get("filename")
	if name == "" {
		name = ct.get("name")
	}
	return baseName(name)
}

func baseName(name string) string {
	name = orders.Clean(name)
	return name[strings.LastIndexAny(name, `/\`)+1:]
}
