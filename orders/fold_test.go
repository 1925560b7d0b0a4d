package orders

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestFold(t *testing.T) {
	for _, c := range [][2]string{
		{"GIVE", "give"},
		{"  Black   Knight ", "black knight"},
		{"ПЁТР", "Пётр"},
		{"Петр", "Пётр"},
		{"Пе\u0308тр", "Пётр"}, // е and a combining diaeresis
		{"TPOH", "трон"},       // Latin letters
		{"и\u0306", "й"},
		{"ΟΔΥΣΣΕΥΣ", "Οδυσσευς"},
		{"ÉCOLE", "e\u0301cole"},
		{"", " "},
	} {
		if Fold(c[0]) != Fold(c[1]) {
			t.Errorf("Fold(%q) = %q, Fold(%q) = %q", c[0], Fold(c[0]), c[1], Fold(c[1]))
		}
	}
	for _, c := range [][2]string{{"й", "и"}, {"Ivan", "Iván"}, {"a b", "ab"}, {"ж", "х"}} {
		if Fold(c[0]) == Fold(c[1]) {
			t.Errorf("%q and %q fold alike", c[0], c[1])
		}
	}
}

func TestClean(t *testing.T) {
	for _, c := range [][2]string{
		{" GIVE\u00a05\u2003@\tTO  Boris ", "GIVE 5 @ TO Boris"},
		{"“Black Knight” and «Рыцарь» – DON’T…", `"Black Knight" and "Рыцарь" - DON'T...`},
		{"e2—e4 \u2212 5", "e2-e4 - 5"},
		{"ＧＩＶＥ\u3000５", "GIVE 5"},
		{"\u202aGI\u200bVE\u00ad\u2069\ufeff", "GIVE"},
		{"и\u0306 е\u0308", "й ё"},
		{"e\u200d\u0301", "é"},
		{"a\x00b\x7f\u0085c", "ab c"},
		{"• GIVE", "• GIVE"},
		{"a\xffb", "a\ufffdb"},
		{"\u037e", ";"},
		{"", ""},
	} {
		if got := Clean(c[0]); got != c[1] {
			t.Errorf("Clean(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"GIVE 5 @ TO Пётр", "“e\u200d\u0301”…", "\xff ", " \u0301", "İıſẞΐ", strings.Repeat("\u0301", 40)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		clean := Clean(s)
		if !utf8.ValidString(clean) || !norm.NFC.IsNormalString(clean) {
			t.Fatalf("Clean(%q) = %q is no text in NFC", s, clean)
		}
		if again := Clean(clean); again != clean {
			t.Fatalf("Clean(%q) = %q, and again %q", s, clean, again)
		}
		if strings.TrimSpace(clean) != clean || strings.Contains(clean, "  ") {
			t.Fatalf("Clean(%q) = %q leaves blanks", s, clean)
		}
		fold := Fold(s)
		if again := Fold(fold); again != fold {
			t.Fatalf("Fold(%q) = %q, and again %q", s, fold, again)
		}
	})
}
