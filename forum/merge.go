package forum

import (
	"regexp"
	"strings"
)

var (
	rule     = regexp.MustCompile(`(?i)<hr\b[^>]*>`)
	lastStop = regexp.MustCompile(`(?i)(?:\s|&nbsp;|<br\s*/?>)+$`)
)

// AddedTo returns the first line of what a board put into a post that had this hash before: MyBB makes one post of two
// that somebody writes within an hour, with a rule between them. It is 0 when the post was changed in another way.
func (r Record) AddedTo(hash string) int {
	t := themeNamed(r.Board, r.Theme)
	for _, at := range rule.FindAllStringIndex(r.HTML, -1) {
		before := lastStop.ReplaceAllString(r.HTML[:at[0]], "")
		if body, err := bodyOf(before); err != nil || t.hash(body) != hash {
			continue
		}
		old, err := Lines(r.Board, r.Theme, before)
		if err != nil || strings.Join(old, "\n") != strings.Join(r.Lines[:min(len(old), len(r.Lines))], "\n") {
			return 0
		}
		return len(old)
	}
	return 0
}
