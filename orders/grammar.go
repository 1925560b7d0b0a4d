package orders

import (
	"fmt"
	"regexp"
	"slices"
	"sync"
)

// Grammar is a compiled set of forms. It is immutable and safe for concurrent use.
type Grammar struct {
	forms    []Form
	byID     map[string]int
	patterns []*pattern          // in the order of their forms
	byFirst  map[string][]int    // patterns by a word they may begin with
	byVerb   map[string][]int    // patterns that may begin with a name, by the word that follows it
	firsts   []verb              // byFirst, to be looked through
	verbs    []verb              // byVerb
	bare     []int               // patterns that may have no literal word at all
	long     []int               // patterns that a long text follows
	steering map[string]steering // what lines that are no orders do, by their folded text
	matchers *sync.Pool          // that were used before: one for each line would be half of the garbage
}

// Spec is what a grammar is made of.
type Spec struct {
	Forms []Form
	Parts map[string]map[string]string // by language, then name: patterns that $NAME stands for
	Same  map[string][]string          // literal words that are the same: "DAYS": {"DAY"}, "ДНЕЙ": {"ДЕНЬ", "ДНЯ"}
	Looks map[string]*regexp.Regexp    // kinds that are told by their looks: what words of them match, folded
}

// NewGrammar compiles a spec. The error names form and pattern that cannot be read, or an ID used twice.
func NewGrammar(s Spec) (*Grammar, error) {
	var patterns []*pattern
	same := sameWords(s.Same)
	for i, f := range s.Forms {
		if len(f.Say) == 0 {
			return nil, fmt.Errorf("form %q has no pattern", f.ID)
		}
		for _, lang := range languages(f.Say) {
			for _, text := range f.Say[lang] {
				p, err := compile(text, s.Parts[lang], same, s.Looks)
				if err != nil {
					return nil, fmt.Errorf("form %q, pattern %q: %w", f.ID, text, err)
				}
				p.form, p.lang = i, lang
				patterns = append(patterns, p)
			}
		}
	}
	return index(s.Forms, patterns)
}

// languages returns the languages of a form in a fixed order.
func languages(say map[string][]string) []string {
	var langs []string
	for lang := range say {
		langs = append(langs, lang)
	}
	slices.Sort(langs)
	return langs
}

// sameWords maps the folded spelling of each word to all the words that are the same as it.
func sameWords(same map[string][]string) map[string][]string {
	all := map[string][]string{}
	for word, others := range same {
		group := append([]string{word}, others...)
		for _, w := range group {
			all[Fold(w)] = append(all[Fold(w)], group...)
		}
	}
	return all
}

// index makes a grammar of compiled patterns.
func index(forms []Form, patterns []*pattern) (*Grammar, error) {
	g := &Grammar{matchers: &sync.Pool{New: func() any { return &matcher{} }}, forms: forms, byID: map[string]int{}, patterns: patterns,
		byFirst: map[string][]int{}, byVerb: map[string][]int{}, steering: steers(forms)}
	for i, f := range forms {
		if _, twice := g.byID[f.ID]; twice || f.ID == "" {
			return nil, fmt.Errorf("form ID %q is empty or used twice", f.ID)
		}
		g.byID[f.ID] = i
	}
	for i, p := range patterns {
		for w := range p.first {
			g.byFirst[w] = append(g.byFirst[w], i)
		}
		for w := range p.verbs {
			g.byVerb[w] = append(g.byVerb[w], i)
		}
		if forms[p.form].End != nil {
			g.long = append(g.long, i)
		}
		if p.bare {
			g.bare = append(g.bare, i)
		}
	}
	g.firsts, g.verbs = verbsOf(g.byFirst), verbsOf(g.byVerb)
	return g, nil
}

func verbsOf(patterns map[string][]int) []verb {
	var verbs []verb
	for word, ps := range patterns {
		verbs = append(verbs, verb{word, letters(word), ps})
	}
	return verbs
}

// MustGrammar is NewGrammar for grammars written in code: it panics with the error.
func MustGrammar(s Spec) *Grammar {
	g, err := NewGrammar(s)
	if err != nil {
		panic(err)
	}
	return g
}

// Join makes one grammar of several, the forms of the first ones first: the engine's orders and a ruleset's.
// An ID used twice is an error.
func Join(gs ...*Grammar) (*Grammar, error) {
	var forms []Form
	var patterns []*pattern
	for _, g := range gs {
		for _, p := range g.patterns {
			moved := *p
			moved.form += len(forms)
			patterns = append(patterns, &moved)
		}
		forms = append(forms, g.forms...)
	}
	return index(forms, patterns)
}

// Forms returns the forms in their order, for HELP.
func (g *Grammar) Forms() []Form { return g.forms }

// Matching returns the forms that have this word as their verb, in either language: the first word, or the word
// after the name that the form begins with.
func (g *Grammar) Matching(word string) []Form {
	word = Fold(word)
	var forms []Form
	last := -1
	found := slices.Concat(g.byFirst[word], g.byVerb[word])
	slices.Sort(found)
	for _, i := range found {
		if p := g.patterns[i]; p.form != last {
			forms = append(forms, g.forms[p.form])
			last = p.form
		}
	}
	return forms
}

// Show returns a form's first pattern in a language as people read it ("CHALLENGE <lord> [IN <land>]"), parts put in,
// kinds and tags left off. A form without that language is shown in English.
func (g *Grammar) Show(id, lang string) string {
	if all := g.Shows(id, lang); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Shows returns all of a form's patterns in a language as Show does the first.
func (g *Grammar) Shows(id, lang string) []string {
	var all []string
	for _, p := range g.of(id, lang) {
		all = append(all, p.show)
	}
	return all
}

// of returns a form's patterns in a language, in English when it has none in that.
func (g *Grammar) of(id, lang string) []*pattern {
	i, known := g.byID[id]
	if !known {
		return nil
	}
	if len(g.forms[i].Say[lang]) == 0 {
		lang = "en"
	}
	var all []*pattern
	for _, p := range g.patterns {
		if p.form == i && p.lang == lang {
			all = append(all, p)
		}
	}
	return all
}
