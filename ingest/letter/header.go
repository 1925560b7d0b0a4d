package letter

import (
	"errors"
	"strings"
)

// field is one header field. Its value is as it stood in the mail, folds and all.
type field struct{ name, value string }

type header []field

// get returns the first value of that name, unfolded, or "".
func (h header) get(name string) string {
	for _, f := range h {
		if len(f.name) == len(name) && strings.EqualFold(f.name, name) {
			return unfold(f.value)
		}
	}
	return ""
}

// all returns every value of that name, unfolded, the topmost first.
func (h header) all(name string) []string {
	var vs []string
	for _, f := range h {
		if len(f.name) == len(name) && strings.EqualFold(f.name, name) {
			vs = append(vs, unfold(f.value))
		}
	}
	return vs
}

func (h header) has(name string) bool {
	for _, f := range h {
		if len(f.name) == len(name) && strings.EqualFold(f.name, name) {
			return true
		}
	}
	return false
}

var unfolder = strings.NewReplacer("\r", "", "\n", " ", "\x00", "")

func unfold(v string) string {
	if strings.IndexByte(v, '\n') >= 0 || strings.IndexByte(v, '\r') >= 0 || strings.IndexByte(v, 0) >= 0 {
		v = unfolder.Replace(v)
	}
	return strings.TrimSpace(v)
}

// unixLines gives every line of a mail that knows carriage returns only an end that the rest of the reader knows.
func unixLines(s string) string {
	if strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\r') >= 0 {
		return strings.ReplaceAll(s, "\r", "\n")
	}
	return s
}

// cutLine takes the first line off s, without its end.
func cutLine(s string) (line, rest string) {
	i := strings.IndexByte(s, '\n')
	if i < 0 {
		return strings.TrimRight(s, "\r"), ""
	}
	return strings.TrimRight(s[:i], "\r"), s[i+1:]
}

// readHeader parts the header fields from the body. Lines that are no fields (what gateways put in, an mbox's From
// line, a field with an impossible name) are stepped over while known fields follow; where none follow any more, the
// body begins, blank line or not. The error tells that a limit was reached.
func readHeader(s string) (header, string, error) {
	s = strings.TrimLeft(strings.TrimPrefix(s, "\xef\xbb\xbf"), "\r\n")
	h := make(header, 0, 24)
	lastKnown := -1 // where the last known field begins, once that had to be asked
	start := -1     // where the value of the field at hand begins; -1 when a line was stepped over
	for at := 0; at < len(s); {
		line, rest := cutLine(s[at:])
		next := len(s) - len(rest)
		if next > maxHeader || len(h) > maxFields {
			return h, "", errors.New("the header is over the limit")
		}
		name, colon := fieldName(line)
		switch {
		case line == "":
			return h, rest, nil
		case strings.TrimSpace(line) == "" && !knownFieldLine(rest):
			return h, rest, nil
		case start >= 0 && continues(line, s[start:at]):
			h[len(h)-1].value = s[start:next]
		case name != "":
			start = at + colon + 1
			h = append(h, field{name, s[start : at+len(line)]})
		default:
			if lastKnown < 0 {
				lastKnown = at + findLastKnown(s[at:])
			}
			if at >= lastKnown {
				return h, s[at:], nil
			}
			if line[0] != ' ' && line[0] != '\t' {
				start = -1
			}
		}
		at = next
	}
	return h, "", nil
}

// continues tells whether a line goes on with the field before it: it is indented, or it is a parameter that a
// program forgot to indent.
func continues(line, value string) bool {
	if line[0] == ' ' || line[0] == '\t' {
		return true
	}
	if !strings.HasSuffix(strings.TrimRight(value, " \t\r\n"), ";") {
		return false
	}
	eq := strings.IndexByte(line, '=')
	return eq > 0 && strings.IndexFunc(line[:eq], func(r rune) bool { return r != '*' && r != '-' && !isAlnum(r) }) < 0
}

func isAlnum(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// fieldName returns the name of the field that a line begins and where its colon stands, or "".
func fieldName(line string) (name string, colon int) {
	colon = strings.IndexByte(line, ':')
	if colon <= 0 || colon > 76 {
		return "", 0
	}
	name = strings.TrimRight(line[:colon], " \t")
	for i := 0; i < len(name); i++ {
		if name[i] <= ' ' || name[i] > '~' {
			return "", 0
		}
	}
	if name == ">From" {
		return "", 0
	}
	return name, colon
}

// knownNames are fields that mail programs write, beside those told by their beginning.
var knownNames = map[string]bool{
	"from": true, "to": true, "cc": true, "bcc": true, "subject": true, "date": true, "sender": true,
	"reply-to": true, "message-id": true, "in-reply-to": true, "references": true, "mime-version": true,
	"received": true, "return-path": true, "delivered-to": true, "user-agent": true, "auto-submitted": true,
	"precedence": true, "authentication-results": true, "importance": true, "priority": true, "thread-topic": true,
	"thread-index": true, "envelope-to": true, "delivery-date": true, "accept-language": true, "comments": true,
	"keywords": true, "organization": true, "errors-to": true, "status": true, "received-spf": true,
	"dkim-signature": true, "autocrypt": true, "mailing-list": true, "disposition-notification-to": true,
}

func known(name string) bool {
	name = strings.ToLower(name)
	for _, p := range []string{"x-", "content-", "list-", "arc-", "resent-"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return knownNames[name]
}

// knownFieldLine tells whether s begins with a known field.
func knownFieldLine(s string) bool {
	line, _ := cutLine(s[:min(len(s), 200)])
	name, _ := fieldName(line)
	return name != "" && known(name)
}

// findLastKnown returns where the last known field before the first blank line begins, or -1.
func findLastKnown(s string) int {
	last := -1
	for at := 0; at < len(s) && at < maxHeader; {
		line, rest := cutLine(s[at:])
		if line == "" {
			break
		}
		if name, _ := fieldName(line); name != "" && known(name) {
			last = at
		}
		at = len(s) - len(rest)
	}
	return last
}
