package turns

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"arroba/orders"
	"arroba/rules/all"
)

// TestEveryFormIsFilled: a form of the engine's or of a ruleset's whose slots are filled is an order of that form,
// whatever may be left out of it.
func TestEveryFormIsFilled(t *testing.T) {
	_, own := compileOwn()
	for name, set := range all.Rulesets {
		grammar, err := orders.Join(own, set.Grammar)
		if err != nil {
			t.Fatal(err)
		}
		names := orders.Lexicon{}
		for _, f := range grammar.Forms() {
			for _, lang := range []string{"en", "ru"} {
				for _, s := range grammar.Slots(f.ID, lang) {
					for kind := range strings.SplitSeq(s.Kind, "|") {
						names[kind] = &orders.Names{}
						names[kind].Add("Some " + kind)
					}
				}
			}
		}
		rapid.Check(t, func(t *rapid.T) {
			f := rapid.SampledFrom(grammar.Forms()).Draw(t, "form")
			lang := rapid.SampledFrom([]string{"en", "ru"}).Draw(t, "language")
			args := map[string]string{}
			for _, s := range grammar.Slots(f.ID, lang) {
				if !s.Optional || rapid.Bool().Draw(t, s.Name) {
					args[s.Name] = valueOf(s.Kind)
				}
			}
			line := grammar.Fill(f.ID, lang, args)
			o := grammar.Parse(line, names, false).Order
			if o == nil || o.Form != f.ID {
				t.Fatalf("%s: %s with %v is %q, which is no order of that form", name, f.ID, args, line)
			}
			var filled []string
			for slot := range o.Args {
				filled = append(filled, slot)
			}
			if len(filled) != len(args) || slices.ContainsFunc(filled, func(s string) bool { return o.Arg(s).Text != args[s] }) {
				t.Fatalf("%s: %q fills %v, and %v was meant", name, line, o.Args, args)
			}
		})
	}
}

// valueOf is what fills a slot of a kind.
func valueOf(kind string) string {
	one, _, _ := strings.Cut(kind, "|")
	for fits, value := range map[string]string{"number": "7", "date": "2026-03-01", "duration": "36h", "address": "a@x.example", "word": "word", "text": "some text", "title": "Ashen", "save": "Oleg_save1"} {
		if one == fits {
			return value
		}
	}
	return "Some " + one
}
