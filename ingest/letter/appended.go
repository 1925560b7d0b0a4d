package letter

import "strings"

// isAppended tells the line by which a program advertises itself from a sentence that begins like one: it names the
// program, or nothing of the writer's follows.
func (c *cutter) isAppended(i int) bool {
	t := c.in[i].text
	if len(t) >= 200 {
		return false
	}
	low := strings.ToLower(t)
	for _, w := range programWords {
		if strings.Contains(low, w) {
			return true
		}
	}
	for i++; i < len(c.in) && !c.in[i].quoted; i++ {
		if c.in[i].text == "--" || c.isSeparator(i) || c.isHeaderBlock(i) {
			return true
		}
		if n, _ := c.attribution(i); n > 0 {
			return true
		}
		if c.in[i].text != "" {
			return false
		}
	}
	return true
}

// disclaimer returns how many lines from i on are a lawyer's or a scanner's, 0 where it is a sentence that begins like
// one: such a paragraph has several of their words. It goes on as long as lines are broken at the margin.
func (c *cutter) disclaimer(i int) int {
	if sureDisclaimers.begin(c.in[i].text) {
		return 1
	}
	n := 0
	found := map[string]bool{}
	for i+n < len(c.in) && !c.in[i+n].quoted && c.in[i+n].text != "" && n < maxDisclaimer {
		t := c.in[i+n].text
		low, before := strings.ToLower(t), len(found)
		for _, w := range disclaimerWords {
			if strings.Contains(low, w) {
				found[w] = true
			}
		}
		if n > 0 {
			above := c.in[i+n-1].text
			if len(above) < 50 || strings.ContainsAny(above[len(above)-1:], ".!?") && len(found) == before && len(t) < 50 {
				break
			}
		}
		n++
	}
	if len(found) < 2 {
		c.prose = i + n
		return 0
	}
	return n
}

// maxDisclaimer is how many lines a disclaimer may have.
const maxDisclaimer = 40

// isMarker knows the line of our own mails that asks to answer above it, in any wording.
func isMarker(t string) bool {
	if len(t) > 200 {
		return false
	}
	i := strings.Index(t, "this line")
	if i > 0 {
		low := strings.ToLower(t)
		return strings.Contains(low, "above this line") && (strings.Contains(low, "reply") || strings.Contains(low, "write") || strings.Contains(low, "answer") || strings.Contains(low, "type"))
	}
	if isASCII(t) || !strings.Contains(t, "выше эт") {
		return false
	}
	return strings.Contains(t, "выше этой линии") || strings.Contains(t, "выше этой строки") || strings.Contains(t, "выше этой черты")
}
