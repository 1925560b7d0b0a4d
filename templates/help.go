package templates

import (
	"regexp"
	"slices"
	"strings"

	"arroba/orders"
)

// Help is what HELP is answered from.
type Help struct {
	Forms  []orders.Form  // in the order in which they are told
	Who    []string       // of which those are told that somebody of these may give
	Also   []string       // the IDs of further forms that the reader may give
	Verb   string         // what more is asked about, "" for all
	Offers []string       // orders that the reader could give now, as lines
	Names  orders.Lexicon // for examples
}

// formHelp is what the template "help form" sees.
type formHelp struct {
	Shows   []string // its patterns in the reader's language
	Does    string   // one sentence
	Rule    string
	End     string // the line that ends the long text after it, "" for none
	Example string // with names of the game; "" for none
}

// helpGroup is what the template "help" sees of those who may give the same orders.
type helpGroup struct {
	Who   string // the ruleset's word
	Forms []formHelp
}

// Help returns the answer to HELP: all forms, or those of one verb with examples that do not name the reader. A verb that
// no form has gives all, which is told.
func (t *Texts) Help(r Reader, g *orders.Grammar, reader string, h Help) (text string, all bool, err error) {
	if t.base[r.Language] == nil {
		r.Language = languages[0]
	}
	may := func(f orders.Form) bool { return slices.Contains(h.Who, f.Who) || slices.Contains(h.Also, f.ID) }
	if h.Verb != "" {
		var found []formHelp
		for _, f := range g.Matching(h.Verb) {
			if may(f) {
				one := t.help(r, g, f, true)
				one.Example = oneLine(g.Example(f.ID, r.Language, h.Names, reader))
				found = append(found, one)
			}
		}
		if found != nil {
			text, err = t.render(r, found, "help verb")
			return text, false, err
		}
	}
	data := struct {
		Offers []string
		Groups []helpGroup
	}{Offers: make([]string, len(h.Offers))}
	for i, line := range h.Offers {
		data.Offers[i] = cut(oneLine(line), lineLength)
	}
	for _, f := range h.Forms {
		if !may(f) {
			continue
		}
		i := slices.IndexFunc(data.Groups, func(h helpGroup) bool { return h.Who == f.Who })
		if i < 0 {
			i, data.Groups = len(data.Groups), append(data.Groups, helpGroup{Who: f.Who})
		}
		data.Groups[i].Forms = append(data.Groups[i].Forms, t.help(r, g, f, false))
	}
	text, err = t.render(r, data, "help")
	return text, true, err
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
