package orders

import (
	"math"
	"strconv"
	"strings"
)

// Arg returns what filled a slot first; a zero Arg when nothing did.
func (o Order) Arg(slot string) Arg {
	if a := o.Args[slot]; len(a) > 0 {
		return a[0]
	}
	return Arg{}
}

// Has tells whether a slot was filled.
func (o Order) Has(slot string) bool { return len(o.Args[slot]) > 0 }

// ID returns the name that filled a slot, "" when none did.
func (o Order) ID(slot string) string { return o.Arg(slot).ID }

// IDs returns the names of a list.
func (o Order) IDs(slot string) []string {
	var ids []string
	for _, a := range o.Args[slot] {
		ids = append(ids, a.ID)
	}
	return ids
}

// N returns the number that filled a slot, 0 when none did.
func (o Order) N(slot string) int64 { return o.Arg(slot).N }

// Is tells whether a literal word with this tag was matched.
func (o Order) Is(tag string) bool {
	for _, t := range o.Tags {
		if t == tag {
			return true
		}
	}
	return false
}

// readValue reads what a built-in kind accepts.
func readValue(kind, raw string) (Arg, bool) {
	arg := Arg{Text: raw, Kind: kind}
	ok := false
	switch kind {
	case kindNumber:
		arg.N, ok = readNumber(raw)
	case kindDate:
		var d Date
		if d, ok = ParseDate(raw); ok {
			arg.Date = &d
		}
	case kindDuration:
		d, fits := ParseDuration(raw)
		arg.Secs, ok = int64(d.Seconds()), fits
	case kindAddress:
		arg.Text, ok = readAddress(raw)
	}
	return arg, ok
}

// readNumber reads digits with an optional sign, saturating.
func readNumber(s string) (int64, bool) {
	digits := strings.TrimLeft(s, "+-")
	if digits == "" || len(s)-len(digits) > 1 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil && s[0] == '-' {
		return math.MinInt64, true
	} else if err != nil {
		return math.MaxInt64, true
	}
	return n, true
}

// readAddress reads a bare mail address, or one in angle brackets.
func readAddress(s string) (string, bool) {
	if strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") {
		s = s[1 : len(s)-1]
	}
	local, domain, ok := strings.Cut(s, "@")
	if !ok || local == "" || domain == "" || strings.ContainsAny(s, " ,;:<>()[]\"\\") || strings.Contains(domain, "@") ||
		strings.Contains(s, "..") || strings.Trim(domain, ".-") != domain || strings.Trim(local, ".") != local {
		return s, false
	}
	return s, true
}
