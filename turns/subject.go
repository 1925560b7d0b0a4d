package turns

import (
	"regexp"
	"strings"

	"arroba/orders"
)

var (
	answered   = regexp.MustCompile(`(?i)^\s*(re|fwd|fw|отв|на)\s*(\[\d+\])?\s*:`)
	bracketed  = regexp.MustCompile(`\[[^\[\]]*\]`)
	emptyMarks = regexp.MustCompile(`(?i)\s*(\(-\)|\*nm\*)\s*$`)
)

// orderSubject is a subject as a line that may be an order: without tags, the marks of posts without a body, and the
// writer's nick at its end. It is "" for a subject that only answers or forwards.
func orderSubject(s string, g *Game) string {
	if answered.MatchString(s) {
		return ""
	}
	s = strings.TrimSpace(bracketed.ReplaceAllString(s, " "))
	if answered.MatchString(s) { // with a tag before it
		return ""
	}
	s = emptyMarks.ReplaceAllString(s, "")
	if i := strings.LastIndex(s, " - "); i >= 0 {
		for _, m := range g.Members {
			if orders.Fold(m.Nick) == orders.Fold(strings.TrimSpace(s[i+3:])) {
				s = s[:i]
				break
			}
		}
	}
	return orders.Clean(s)
}
