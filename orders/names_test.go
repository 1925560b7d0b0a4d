package orders

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNames(t *testing.T) {
	var n Names
	if ids := n.Find("Ivan"); ids != nil {
		t.Errorf("an empty list found %q", ids)
	}
	for _, c := range []struct {
		id        string
		spellings []string
		clash     string
	}{
		{"Пётр", []string{"Peter"}, ""},
		{"Oleg", nil, ""},
		{"OLEG", nil, "Oleg"},
		{"Оlеg", nil, "OLEG"}, // a Cyrillic О and е
		{"Ivan Jr.", []string{"Ваня"}, ""},
		{"Ivanov", []string{"Ваня"}, ""},
		{"Oleg", []string{"Олег"}, "OLEG"},
	} {
		if got := n.Add(c.id, c.spellings...); got != c.clash {
			t.Errorf("Add(%q) = %q, want %q", c.id, got, c.clash)
		}
	}
	n.Remove("OLEG")
	n.Remove("Оlеg")
	n.Remove("nobody")
	for _, c := range []struct {
		text string
		want []string
	}{
		{"петр", []string{"Пётр"}},
		{"Пeтp", []string{"Пётр"}}, // a Latin e and p
		{"ПЕТР", []string{"Пётр"}},
		{"peter", []string{"Пётр"}},
		{"ivan  jr", []string{"Ivan Jr."}},
		{`"Ivan Jr."`, []string{"Ivan Jr."}},
		{"олег", []string{"Oleg"}},
		{"OLEG", []string{"Oleg"}},
		{"ваня", []string{"Ivan Jr.", "Ivanov"}},
		{"Iva", nil},
		{"", nil},
	} {
		if got := n.Find(c.text); !slices.Equal(got, c.want) {
			t.Errorf("Find(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestQuietNamesAreFoundAndNeverProposed(t *testing.T) {
	n := Names{Quiet: true}
	n.Add("Moonstone")
	if got := n.Find("moonstone"); !slices.Equal(got, []string{"Moonstone"}) {
		t.Errorf("found %v", got)
	}
	if got := n.Near("moonston"); got != nil {
		t.Errorf("proposed %v", got)
	}
}

func TestNear(t *testing.T) {
	var n Names
	for _, id := range []string{"Boris", "Borin", "Al", "X", "Bartholomew", "Пётр", "Cat", "Bat", "Hat", "Mat", "Rat", "Sat"} {
		n.Add(id)
	}
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Borris", []string{"Boris"}},
		{"Bors", []string{"Boris"}},
		{"Boirs", []string{"Boris"}},
		{"Borix", []string{"Borin", "Boris"}},
		{"Bo", nil},
		{"Barthlomev", []string{"Bartholomew"}},
		{"Brathloomew", []string{"Bartholomew"}},
		{"Bartlomev", nil},
		{"Пёрт", []string{"Пётр"}},
		{"Y", nil},
		{"at", []string{"Al", "Bat", "Cat", "Hat", "Mat"}},
		{"cat", []string{"Cat", "Bat", "Hat", "Mat", "Rat"}},
		{"", nil},
	} {
		if got := n.Near(c.text); !slices.Equal(got, c.want) {
			t.Errorf("Near(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// edits is the textbook's distance with exchanged neighbours.
func edits(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

func TestDistance(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abñя")), 0, 7, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		want := edits([]rune(a), []rune(b))
		got, ok := distance([]rune(a), []rune(b), 2)
		if ok != (want <= 2) || ok && got != want {
			t.Fatalf("distance %d %v, want %d", got, ok, want)
		}
		if got := oneOff(a, b); got != (want == 1) {
			t.Fatalf("oneOff %v, distance %d", got, want)
		}
	})
}

func TestNamesKeepTheirIndex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var n Names
		kept := map[string]bool{}
		name := rapid.SampledFrom([]string{"A", "a", "Bo", "Во", "Ёж", "еж", "C D"})
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			id := name.Draw(t, "id")
			if rapid.Bool().Draw(t, "remove") {
				n.Remove(id)
				delete(kept, id)
			} else {
				n.Add(id, name.Draw(t, "spelling"))
				kept[id] = true
			}
		}
		for _, id := range []string{"A", "a", "Bo", "Во", "Ёж", "еж", "C D"} {
			if got := slices.Contains(n.Find(id), id); got != kept[id] {
				t.Fatalf("%q found: %v, kept: %v", id, got, kept[id])
			}
		}
	})
}

func BenchmarkNear(b *testing.B) {
	names := manyNames(10_000)
	b.ReportAllocs()
	for b.Loop() {
		names.Near("Lord of Nowhere")
	}
}

func manyNames(n int) *Names {
	var names Names
	for i := range n {
		names.Add(fmt.Sprintf("Lord %d of %c%cville", i, 'A'+i%26, 'a'+i/26%26))
	}
	return &names
}

func TestWith(t *testing.T) {
	base := &Names{}
	base.Add("Anna")
	base.Add("Boris")
	with := base.With(map[string][]string{"Anna": {"Dora Dee the Third"}})
	base.Add("Clara")
	for text, want := range map[string]string{"dora dee the third": "Anna", "anna": "Anna", "Boris": "Boris", "Clara": "Clara", "Zed": ""} {
		if got := strings.Join(with.Find(text), ","); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
	if got := base.Find("Dora Dee the Third"); got != nil {
		t.Errorf("the list below knows %v", got)
	}
	if got := strings.Join(with.Near("Dora Dee the Thrd"), ",") + " " + strings.Join(with.Near("Boriss"), ","); got != "Anna Boris" {
		t.Errorf("near are %q", got)
	}
	if got := (Lexicon{"nick": with}).words([]string{"nick"}); got != 4 {
		t.Errorf("the longest has %d words", got)
	}
}
