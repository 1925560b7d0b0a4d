package orders

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFill(t *testing.T) {
	g := MustGrammar(testSpec())
	for _, c := range []struct {
		form, lang string
		args       map[string]string
		want       string
	}{
		{"challenge", "en", nil, "CHALLENGE <lord>"},
		{"challenge", "en", map[string]string{"lord": "Boris", "land": "HL3"}, "CHALLENGE Boris IN HL3"},
		{"challenge", "ru", map[string]string{"lord": "Пётр", "of": "Boris"}, "ВЫЗВАТЬ Пётр ЗА ВАССАЛИТЕТ Boris"},
		{"give", "en", map[string]string{"n": "5"}, "GIVE 5 TO <to>"},
		{"stake", "en", map[string]string{"war": "2"}, "CHANGE STAKE TO <n> FEUDS WAR 2"},
		{"press", "en", map[string]string{"but": "Boris"}, "PRESS TO ALL BUT Boris"},
		{"piece-challenge", "en", map[string]string{"piece": "Jester", "words": "come"}, "CALL Jester: come"},
		{"notify", "en", nil, "NOTIFY <pieces>: <words>"},
		{"permit", "ru", map[string]string{"faction": "Red"}, "PERMIT Red PASS AT <location>"},
		{"unheard-of", "en", nil, ""},
	} {
		if got := g.Fill(c.form, c.lang, c.args); got != c.want {
			t.Errorf("%s in %s with %v: %q, want %q", c.form, c.lang, c.args, got, c.want)
		}
	}
}

// TestFilledFormsParse: a form whose slots are filled is an order of that form, with what filled them.
func TestFilledFormsParse(t *testing.T) {
	g, names := MustGrammar(testSpec()), testLexicon()
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(g.Forms()).Draw(t, "form")
		lang := rapid.SampledFrom([]string{"en", "ru"}).Draw(t, "language")
		args := map[string]string{}
		for _, s := range g.Slots(f.ID, lang) {
			if s.Optional && rapid.Bool().Draw(t, "left out") {
				continue
			}
			args[s.Name] = rapid.SampledFrom(fitting(s.Kind, names)).Draw(t, s.Name)
		}
		line := g.Fill(f.ID, lang, args)
		o := g.Parse(line, names, false).Order
		if o == nil || o.Form != f.ID {
			t.Fatalf("%s with %v is %q, which is %s", f.ID, args, line, brief(g.Parse(line, names, false)))
		}
		for slot, want := range args {
			if a := o.Arg(slot); a.Text != want {
				t.Fatalf("%q: %s is %q", line, slot, a.Text)
			}
		}
	})
}

// fitting are texts that a slot of a kind takes.
func fitting(kind string, names Lexicon) []string {
	if e := example(kind, nil, ""); e != "" {
		return []string{e}
	}
	if n := names[strings.Split(kind, "|")[0]]; n != nil {
		var ids []string
		for id := range n.keys {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		return ids
	}
	return []string{"Ashen"}
}

func TestMended(t *testing.T) {
	g, names := MustGrammar(testSpec()), testLexicon()
	for _, c := range []struct {
		line string
		want []string
	}{
		{"CHALENGE Boris", []string{"CHALLENGE Boris"}},
		{"challenge Boriss in hl3", []string{"challenge Boris in hl3"}},
		{"CHALENGE Boriss", []string{"CHALLENGE Boris"}},
		{"GIVE 5@ TO Olegg", []string{"GIVE 5@ TO Oleg"}},
		{"GIVE FEUD Ashfrd TO Olegg", []string{"GIVE FEUD Ashford TO Oleg"}},
		{"MOVE Lord N TO York", []string{"MOVE Neville TO York", "MOVE Norris TO York"}},
		{"ПЕРЕДАТЬ 5 ИГРОКУ Петр и Борис", nil},
		{"ВЫЗВАТЬ Петт", []string{"ВЫЗВАТЬ Пётр"}},
		{"ВЫЗВТЬ Петр", []string{"ВЫЗВАТЬ Петр"}},
		{"CHALLENGE Nobody", nil},
		{"GIVE five TO Boris", nil},
		{"CHALLENGE Boris, Ivan", []string{"CHALLENGE Boris", "CHALLENGE Ivan"}},
		{"CHALLENGE Boriss FOR VASSALAGE OF " + strings.Repeat("x", 400), nil},
	} {
		u := g.Parse(c.line, names, true).Unclear
		if u == nil {
			t.Errorf("%s is not unclear", c.line)
		} else if !slices.Equal(u.Mended, c.want) {
			t.Errorf("%s: mended as %q, want %q (%+v)", c.line, u.Mended, c.want, u)
		}
	}
}

func TestComplete(t *testing.T) {
	g, names := MustGrammar(testSpec()), testLexicon()
	for _, c := range []struct {
		line, slot string
		choices    []string
		want       []string
	}{
		{"CHALLENGE Boris", "land", []string{"HL3"}, []string{"CHALLENGE Boris IN HL3"}},
		{"CHALLENGE Boris FOR VASSALAGE", "land", []string{"HL3"}, []string{"CHALLENGE Boris IN HL3 FOR VASSALAGE"}},
		{"challenge boris for vassalage of Boris", "land", []string{"HL3"}, []string{"challenge boris IN HL3 for vassalage of Boris"}},
		{"ВЫЗВАТЬ Петр ЗА НЕЗАВИСИМОСТЬ", "land", []string{"HL3"}, []string{"ВЫЗВАТЬ Петр В HL3 ЗА НЕЗАВИСИМОСТЬ"}},
		{"GIVE FEUD Ashford TO Oleg", "land", []string{"HL3", "HL9"}, []string{"GIVE FEUD Ashford IN HL3 TO Oleg"}}, // there is no HL9
		{"GIVE FEUD Ashford TO Oleg", "nick", []string{"Boris"}, nil},                                               // it is not open
		{"GIVE 5 @ TO Oleg", "land", []string{"HL3"}, nil},
		{"CHALLENGE Boris FOR VASSALAGE OF Boris", "land", nil, nil},
		{"CHALLENGE " + strings.Repeat(" ", 400) + "Boris", "land", []string{"HL3"}, nil},
	} {
		o := g.Parse(c.line, names, true).Order
		if o == nil {
			t.Errorf("%s is no order", c.line)
			continue
		}
		if len(c.line) > longestMend {
			o.Line = c.line
		}
		if got := g.Complete(*o, names, c.slot, c.choices); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}

// TestMendedParses: whatever is written, what a line is mended to is an order of the form that was meant.
func TestMendedParses(t *testing.T) {
	g, names := MustGrammar(testSpec()), testLexicon()
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(g.Forms()).Draw(t, "form")
		args := map[string]string{}
		for _, s := range g.Slots(f.ID, "en") {
			args[s.Name] = rapid.SampledFrom(fitting(s.Kind, names)).Draw(t, s.Name)
		}
		line := []rune(g.Fill(f.ID, "en", args))
		for range rapid.IntRange(1, 2).Draw(t, "letters lost") {
			at := rapid.IntRange(0, len(line)-1).Draw(t, "at")
			line = slices.Delete(line, at, at+1)
		}
		u := g.Parse(string(line), names, true).Unclear
		if u == nil {
			return
		}
		for _, m := range u.Mended {
			if o := g.Parse(m, names, false).Order; o == nil || o.Form != u.Form {
				t.Fatalf("%q is mended to %q, which is no order of the form %s", string(line), m, u.Form)
			}
		}
		if len(u.Mended) > nearMost {
			t.Fatalf("%q: %d lines are proposed", string(line), len(u.Mended))
		}
	})
}

func TestExample(t *testing.T) {
	g, names := MustGrammar(testSpec()), testLexicon()
	names["piece"].Quiet = true
	for form, want := range map[string]string{
		"challenge": "CHALLENGE Bartholomew", "give": "GIVE 2 TO Bartholomew", "extend": "EXTEND 36h", "address": "ADDRESS name@example.org",
		"grant-feud": "", "piece-challenge": "", "wait": "",
	} {
		if got := g.Example(form, "en", names, "Anna"); got != want {
			t.Errorf("%s: %q, want %q", form, got, want)
		}
	}
}
