// Package templates holds the engine's texts for people, in English and Russian, and the frame of every mail.
//
// Its promise: whoever reads a text reads his language and his own clock, a text that is missing or that fails on its
// data is an error at once, so that it is found before anything commits, and no line of a mail can be taken for an
// order when it comes back in an answer.
//
// A ruleset brings its own texts (rules.Ruleset.Texts); New parses them over the engine's, so a ruleset may also put
// the engine's words in its own (the template "gm" says what the game master is called). Each reader's language and
// zone have a copy of their own whose functions know both. What people wrote stands behind "> ", which every reader
// of letters cuts; prose is wrapped so that no line of it begins like an order of the game.
package templates

import (
	"embed"
	"fmt"
	"strings"
	"sync"
	"text/template"
	"time"

	"arroba/orders"
	"arroba/rules"
)

//go:embed en/*.tmpl ru/*.tmpl
var files embed.FS

// Languages are those that every text exists in; the first serves readers of any other.
var languages = []string{"en", "ru"}

// Texts are the texts of one ruleset and the engine, in every language. They are safe for concurrent use.
type Texts struct {
	grammars []*orders.Grammar             // whose orders prose must not look like
	base     map[string]*template.Template // by language
	wraps    wrapper
	readers  sync.Map // readerKey to *template.Template with that reader's functions
}

// Reader is whom a text is for.
type Reader struct {
	Language string         // "en" or "ru"; any other reads English
	Zone     *time.Location // one that has an IANA name; nil is UTC
}

type readerKey struct{ language, zone string }

// New compiles the texts of a ruleset; nil gives the engine's alone. Prose in mails is kept from reading like an order
// of the grammars. The error names the file and what is wrong.
func New(r *rules.Ruleset, grammars ...*orders.Grammar) (*Texts, error) {
	t := &Texts{grammars: grammars, base: map[string]*template.Template{}}
	t.wraps.risky = t.risky
	texts, err := shared()
	if err != nil {
		return nil, err
	}
	for lang, base := range texts {
		if r != nil && r.Texts != nil {
			if base, err = base.Clone(); err == nil {
				_, err = base.ParseFS(r.Texts, lang+"/*.tmpl")
			}
			if err != nil {
				return nil, fmt.Errorf("reading the texts in %q: %w", lang, err)
			}
		}
		t.base[lang] = base
	}
	return t, nil
}

// shared compiles the engine's texts, by language. They are the same for all rulesets.
var shared = sync.OnceValues(func() (map[string]*template.Template, error) {
	texts := map[string]*template.Template{}
	for _, lang := range languages {
		base := template.New(lang).Option("missingkey=error").Funcs(functions(Reader{Language: lang}, nil))
		if _, err := base.ParseFS(files, lang+"/*.tmpl"); err != nil {
			return nil, fmt.Errorf("reading the engine's texts in %q: %w", lang, err)
		}
		texts[lang] = base
	}
	return texts, nil
})

// reader returns the templates with the functions of a reader.
func (t *Texts) reader(r Reader) (*template.Template, error) {
	if t.base[r.Language] == nil {
		r.Language = languages[0]
	}
	if r.Zone == nil {
		r.Zone = time.UTC
	}
	key := readerKey{r.Language, r.Zone.String()}
	if set, ok := t.readers.Load(key); ok {
		return set.(*template.Template), nil
	}
	set, err := t.base[r.Language].Clone()
	if err != nil {
		return nil, fmt.Errorf("preparing the texts for %v: %w", key, err)
	}
	set.Funcs(functions(r, set))
	kept, _ := t.readers.LoadOrStore(key, set)
	return kept.(*template.Template), nil
}

// render executes the first of the named templates that exists.
func (t *Texts) render(r Reader, data any, names ...string) (string, error) {
	set, err := t.reader(r)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if found := set.Lookup(name); found != nil {
			var b strings.Builder
			if err := found.Execute(&b, data); err != nil {
				return "", fmt.Errorf("rendering the text %q in %q: %w", name, r.Language, err)
			}
			return tidy(b.String()), nil
		}
	}
	return "", fmt.Errorf("no text %q in %q", names[0], r.Language)
}

// Event returns what happened in a sentence or more: the template named like the event's type. Data has the event's
// fields as JSON gives them back (numbers as float64 or int64, times as RFC 3339 text or time.Time); the template
// sees the event's instant as .at besides.
func (t *Texts) Event(r Reader, typ string, at time.Time, data rules.Data) (string, error) {
	return t.render(r, eventData(at, data), typ)
}

// Tells tells whether there are texts for a type of event.
func (t *Texts) Tells(typ string) bool {
	set := t.base[languages[0]]
	return set.Lookup(typ) != nil && set.Lookup(typ+" headline") != nil
}

// Headline returns what happened in a few words, for subjects and lists: "<type> headline".
func (t *Texts) Headline(r Reader, typ string, at time.Time, data rules.Data) (string, error) {
	s, err := t.render(r, eventData(at, data), typ+" headline")
	return cut(oneLine(s), headlineLength), err
}

// eventData is the data of an event and its instant.
func eventData(at time.Time, data rules.Data) rules.Data {
	clean := inLines(data)
	clean["at"] = at
	return clean
}

// inLines is data without line breaks in anything but "text", which templates quote.
func inLines(data map[string]any) rules.Data {
	clean := make(rules.Data, len(data)+1)
	for k, v := range data {
		if s, ok := v.(string); ok && k != "text" {
			v = oneLine(s)
		}
		clean[k] = v
	}
	return clean
}

// Deadline returns what a deadline is, in a sentence: the ruleset's template "deadline <kind>", or the engine's words.
func (t *Texts) Deadline(r Reader, d rules.Deadline) (string, error) {
	return t.render(r, eventData(d.At, d.Data), "deadline "+d.Kind, "deadline")
}

// Reason returns why an order was refused or is unclear, in one sentence that says what would have been allowed; of an
// accepted one with a Why what became of it, "" without. A refusal's text is the first there is of "refused <rule>
// <why>", "refused <why>" (the engine's refusals, whose id is each ruleset's own) and "refused <rule>"; that of an
// unclear order "unclear <why>", that of an accepted one "accepted <rule> <why>" or "accepted <why>". It does not
// repeat the rule's id: the frame shows it.
func (t *Texts) Reason(r Reader, ru rules.Ruling) (string, error) {
	data := eventData(time.Time{}, ru.Data)
	switch ru.Verdict {
	case orders.Refused:
		if ru.Why == "" {
			return t.render(r, data, "refused "+ru.Rule)
		}
		return t.render(r, data, "refused "+ru.Rule+" "+ru.Why, "refused "+ru.Why, "refused "+ru.Rule)
	case orders.Unclear:
		return t.render(r, data, "unclear "+ru.Why)
	case orders.Accepted:
		if ru.Why != "" {
			return t.render(r, data, "accepted "+ru.Rule+" "+ru.Why, "accepted "+ru.Why)
		}
	}
	return "", nil
}

// Unclear returns what was expected of a line that was not understood, and behind "> " the line as it may have been
// meant, else the nearest form as an example.
func (t *Texts) Unclear(r Reader, u orders.Unclearness) (string, error) {
	mended := make([]string, len(u.Mended))
	for i, line := range u.Mended {
		mended[i] = oneLine(line)
	}
	return t.render(r, rules.Data{
		"show": t.Slots(r, oneLine(u.Show)), "slot": u.Slot, "kind": u.Kind, "text": cut(oneLine(u.Text), textLength), "near": u.Near,
		"mended": mended,
	}, "unclear "+u.Why)
}

// Say renders one of the engine's own texts by its name; with a map for data the template sees it without line breaks
// in anything but "text".
func (t *Texts) Say(r Reader, name string, data any) (string, error) {
	if m, ok := data.(map[string]any); ok {
		data = inLines(m)
	}
	return t.render(r, data, name)
}
