package letter

import "strings"

// authenticate reads the topmost Authentication-Results field (RFC 8601) that our own server wrote. Only it is
// believed: anyone can put such a field into his letter, but nobody above those of our server, which takes away
// strange ones with its name. Pass is dmarc=pass for the domain of From, and fail is whatever else it says.
func authenticate(h header, authservID, from string) (verdict, domain string) {
	if authservID == "" {
		return "none", ""
	}
	for _, v := range h.all("Authentication-Results") {
		s := authScanner{rest: v}
		id := strings.TrimPrefix(s.word(), "\"")
		if !strings.EqualFold(id, authservID) {
			continue
		}
		fromDomain := from[strings.LastIndexByte(from, '@')+1:]
		if fromDomain != "" && s.dmarcPass(fromDomain) {
			return "pass", fromDomain
		}
		return "fail", ""
	}
	return "none", ""
}

// authScanner cuts the field into words, leaving out blanks and comments.
type authScanner struct{ rest string }

// word returns the next token or quoted string, or one of ; = / as itself, or "" at the end.
func (s *authScanner) word() string {
	for s.rest != "" && (s.rest[0] == ' ' || s.rest[0] == '\t' || s.rest[0] == '(') {
		if s.rest[0] == '(' {
			s.rest = s.rest[closeComment(s.rest, 0):]
			continue
		}
		s.rest = s.rest[1:]
	}
	if s.rest == "" {
		return ""
	}
	end := strings.IndexAny(s.rest, " \t(;=/\"")
	switch {
	case end < 0:
		end = len(s.rest)
	case s.rest[0] == '"':
		if end = closing(s.rest, 0, '"'); end == 1 {
			end = len(s.rest) // it is never closed
		}
		w := s.rest[:end]
		s.rest = s.rest[end:]
		return "\"" + unquote(w) // marked, so that no quoted text is taken for a sign
	case end == 0:
		end = 1
	}
	w := s.rest[:end]
	s.rest = s.rest[end:]
	return w
}

// dmarcPass tells whether the first dmarc result is a pass for that domain.
func (s *authScanner) dmarcPass(domain string) bool {
	for w := s.word(); w != ""; w = s.word() {
		if w != ";" {
			continue
		}
		method, result, fromDomain := s.result()
		if method == "dmarc" {
			return result == "pass" && (fromDomain == "" || fromDomain == domain)
		}
	}
	return false
}

// result reads "method[/version]=result [reason=…] [ptype.property=value …]" up to the next semicolon, which it
// leaves standing.
func (s *authScanner) result() (method, result, fromDomain string) {
	method = strings.ToLower(s.word())
	key := method
	for {
		before := s.rest
		w := s.word()
		if w == "" || w == ";" {
			s.rest = before
			return method, result, fromDomain
		}
		if w != "=" {
			key = strings.ToLower(w)
			continue
		}
		val := strings.ToLower(strings.TrimPrefix(s.word(), "\""))
		switch {
		case result == "" && (key == method || len(key) < 3):
			result = val
		case key == "header.from":
			fromDomain = val[strings.LastIndexByte(val, '@')+1:]
		}
	}
}
