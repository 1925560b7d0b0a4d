package templates

import (
	"regexp"
	"slices"
	"strings"

	"arroba/orders"
)

// formHelp is what the template "help form" sees.
type formHelp struct {
	Shows []string // its patterns in the reader's language
	Does  string   // one sentence
	Rule  string
	End   string // the line that ends the long text after it, "" for none
}

// helpGroup is what the template "help" sees of those who may give the same orders.
type helpGroup struct {
	Who   string // the ruleset's word
	Forms []formHelp
}

// Help returns the answer to HELP: all forms that the role may use, or one verb's. A verb that no form of theirs has
// gives all.
func (t *Texts) Help(r Reader, g *orders.Grammar, who []string, verb string) (string, error) {
	if t.base[r.Language] == nil {
		r.Language = languages[0]
	}
	may := func(f orders.Form) bool { return slices.Contains(who, f.Who) }
	if verb != "" {
		var found []formHelp
		for _, f := range g.Matching(verb) {
			if may(f) {
				found = append(found, t.help(r, g, f, true))
			}
		}
		if found != nil {
			return t.render(r, found, "help verb")
		}
	}
	var groups []helpGroup
	for _, f := range g.Forms() {
		if !may(f) {
			continue
		}
		i := slices.IndexFunc(groups, func(h helpGroup) bool { return h.Who == f.Who })
		if i < 0 {
			i, groups = len(groups), append(groups, helpGroup{Who: f.Who})
		}
		groups[i].Forms = append(groups[i].Forms, t.help(r, g, f, false))
	}
	return t.render(r, groups, "help")
}

// help is what is said of one form: all its patterns or only the first.
func (t *Texts) help(r Reader, g *orders.Grammar, f orders.Form, all bool) formHelp {
	h := formHelp{Shows: g.Shows(f.ID, r.Language), Does: f.Help[r.Language], Rule: f.Rule, End: f.End[r.Language]}
	if !all {
		h.Shows = h.Shows[:min(1, len(h.Shows))]
	}
	for i, show := range h.Shows {
		h.Shows[i] = t.Slots(r, show)
	}
	if h.Does == "" {
		h.Does = f.Help[languages[0]]
	}
	if h.End == "" {
		h.End = f.End[languages[0]]
	}
	return h
}

var slot = regexp.MustCompile(`<[a-z_]+>`)

// Slots is a pattern, or a line with open slots, with these named in the reader's language: the template "slot NAME",
// else NAME itself.
func (t *Texts) Slots(r Reader, pattern string) string {
	return slot.ReplaceAllStringFunc(pattern, func(s string) string {
		name, err := t.render(r, nil, "slot "+strings.Trim(s, "<>"))
		if err != nil {
			return s
		}
		return "<" + name + ">"
	})
}
