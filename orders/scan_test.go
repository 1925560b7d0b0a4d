package orders

import (
	"fmt"
	"strings"
	"testing"
)

// pieces writes what Scan found: a line each, "#" for lines in blocks, the text in brackets, "!" without its end.
func pieces(ps []Piece) string {
	var b strings.Builder
	for _, p := range ps {
		if p.InBlock {
			b.WriteString("# ")
		}
		b.WriteString(p.Line)
		if p.Text != nil {
			fmt.Fprintf(&b, " [%s]", strings.Join(p.Text, "/"))
		}
		if p.NoEnd {
			b.WriteString(" !")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestScan(t *testing.T) {
	g := MustGrammar(testSpec())
	for _, c := range []struct{ name, letter, want string }{
		{"bullets, numbers and stops", `
			1. GIVE 1 @ TO Boris
			2) GIVE 2 @ TO Boris;
			- GIVE 3 @ TO Boris.
			* GIVE 4 @ TO Boris
			• GIVE 5 @ TO Boris
			•GIVE 6 @ TO Boris
			— GIVE 7 @ TO Boris
			-GIVE 8 @ TO Boris
			12.give 9 @ TO Boris ;`, `
			GIVE 1 @ TO Boris
			GIVE 2 @ TO Boris
			GIVE 3 @ TO Boris
			GIVE 4 @ TO Boris
			GIVE 5 @ TO Boris
			GIVE 6 @ TO Boris
			GIVE 7 @ TO Boris
			GIVE 8 @ TO Boris
			give 9 @ TO Boris`},
		{"what is no bullet", `
			-5 @ for Boris
			2.Guards MOVE TO York
			4th Guards MOVE TO York
			2026. A good year
			1.5 days
			01.03.2026
			1) e4
			1. e2-e4
			.
			-`, `
			-5 @ for Boris
			2.Guards MOVE TO York
			4th Guards MOVE TO York
			2026. A good year
			1.5 days
			01.03.2026
			e4
			e2-e4`},
		{"continued lines", `
			GIVE 8 @ \
			TO \
			  Boris
			GIVE 9 @\
			TO Boris
			GIVE 1 \`, `
			GIVE 8 @ TO Boris
			GIVE 9 @ TO Boris
			GIVE 1`},
		{"a block", `
			GIVE 1 @ TO Boris
			Orders:
			1. GIVE 2 @ TO Boris
			hello
			END.
			GIVE 16 @ TO Boris`, `
			# GIVE 2 @ TO Boris
			# hello`},
		{"two blocks, the second without an end", `
			ORDERS
			GIVE 1 @ TO Boris
			КОНЕЦ
			prose
			ПРИКАЗЫ
			GIVE 2 @ TO Boris`, `
			# GIVE 1 @ TO Boris
			# GIVE 2 @ TO Boris`},
		{"an empty block", `
			GIVE 1 @ TO Boris
			ORDERS
			END`, ``},
		{"a block's words within a sentence", `
			My orders for today
			ORDERS are orders
			THE END
			GIVE 1 @ TO Boris`, `
			My orders for today
			ORDERS are orders
			THE END
			GIVE 1 @ TO Boris`},
		{"what steers is not joined", `
			ORDERS
			GIVE 1 @ TO Boris \
			END
			GIVE 2 @ TO Boris`, `
			# GIVE 1 @ TO Boris`},
		{"press", `
			PRESS TO Boris, Ivan
			- Stay at home.
			GIVE 1 @ TO Boris \
			END PRESS
			GIVE 2 @ TO Boris
			Письмо всем
			ORDERS
			END
			конец письма.
			GIVE 3 @ TO Boris`, `
			PRESS TO Boris, Ivan [- Stay at home./GIVE 1 @ TO Boris \]
			GIVE 2 @ TO Boris
			Письмо всем [ORDERS/END]
			GIVE 3 @ TO Boris`},
		{"press in a block", `
			ORDERS
			PRESS TO ALL:
			END
			END PRESS
			GIVE 1 @ TO Boris
			END`, `
			# PRESS TO ALL [END]
			# GIVE 1 @ TO Boris`},
		{"press without its end", `
			PRESS TO Nobody
			GIVE 1 @ TO Boris
			END`, `
			PRESS TO Nobody [GIVE 1 @ TO Boris/END] !`},
		{"a slip in the press line", `
			PRES TO Boris
			GIVE 1 @ TO Boris
			END PRESS
			PRESS FOR Boris
			GIVE 2 @ TO Boris
			END PRESS`, `
			PRES TO Boris [GIVE 1 @ TO Boris]
			PRESS FOR Boris [GIVE 2 @ TO Boris]`},
		{"prose that begins like press", `
			Press on, my friends
			GIVE 1 @ TO Boris
			PRESS TO Boris
			Hello
			END PRESS`, `
			Press on, my friends
			GIVE 1 @ TO Boris
			PRESS TO Boris [Hello]`},
		{"broadcast", `
			Broadcast it widely
			BROADCAST:
			PRESS TO Boris
			END BROADCAST
			END PRESS
			GIVE 1 @ TO Boris`, `
			Broadcast it widely
			BROADCAST [PRESS TO Boris]
			GIVE 1 @ TO Boris`},
	} {
		want := strings.ReplaceAll(strings.TrimPrefix(c.want+"\n", "\n"), "\t", "")
		if got := pieces(g.Scan(lines(c.letter))); got != want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, want)
		}
	}
}

func lines(letter string) []string {
	var ls []string
	for l := range strings.SplitSeq(strings.Trim(letter, "\n\t"), "\n") {
		ls = append(ls, strings.TrimSpace(l))
	}
	return ls
}

// TestScanBlankLines shows that blank lines are no pieces but stay in a text.
func TestScanBlankLines(t *testing.T) {
	g := MustGrammar(testSpec())
	got := pieces(g.Scan([]string{"", "GIVE 1 @ TO Boris", " ", "PRESS TO Boris", "a", "", "b", "END PRESS"}))
	if want := "GIVE 1 @ TO Boris\nPRESS TO Boris [a//b]\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzScan(f *testing.F) {
	g, names := MustGrammar(testSpec()), testLexicon()
	f.Add("ORDERS\n1. GIVE 5 @ \\\nTO Boris\nEND")
	f.Add("PRES TO Boris\n\\\nEND PRESS\n\\")
	f.Add("Press on\nBROADCAST:\nORDERS\nEND BROADCAST.\nКОНЕЦ")
	f.Add("- \n1.\n2) .;\n\\\n\\\n")
	f.Fuzz(func(t *testing.T, letter string) {
		ls := strings.Split(letter, "\n")
		for i := range ls {
			ls[i] = Clean(ls[i])
		}
		for _, p := range g.Scan(ls) {
			if p.Line == "" || p.Line != strings.TrimSpace(p.Line) {
				t.Fatalf("%q is no line", p.Line)
			}
			if len(p.Text) >= len(ls) {
				t.Fatalf("a text of %d lines from a letter of %d", len(p.Text), len(ls))
			}
			if r := g.Parse(p.Line, names, p.InBlock); p.InBlock && r.Prose() {
				t.Fatalf("%q is prose in a block", p.Line)
			}
		}
	})
}
