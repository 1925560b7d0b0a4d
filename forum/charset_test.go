package forum

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// in writes a text in an eight-bit charset.
func in(t *testing.T, c *charmap.Charmap, s string) string {
	t.Helper()
	b, err := c.NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestF28TheCharsetIsTheFirstThatHolds(t *testing.T) {
	cyrillic := in(t, charmap.Windows1251, "АРМИЯ 1 ОСАЖДАЕТ")
	koi := in(t, charmap.KOI8R, "АРМИЯ 1 ОСАЖДАЕТ")
	blanks := strings.Repeat(" ", 4000)
	for _, c := range []struct {
		name, body, header, board, charset, want string
		lost                                     bool
	}{
		{"the configured one, whatever the page says", `<meta charset="utf-8">` + cyrillic, "text/html; charset=koi8-r", "", "windows-1251", "АРМИЯ 1 ОСАЖДАЕТ", false},
		{"UTF-8, whatever header and page say", `<meta charset="windows-1251">АРМИЯ`, "text/html; charset=koi8-r", "", "", "АРМИЯ", false},
		{"UTF-8 with its mark", "\ufeffАРМИЯ", "", "", "", "АРМИЯ", false},
		{"the header's", `<meta charset="windows-1251">` + koi, "text/html; charset=KOI8-R", "", "", "АРМИЯ 1 ОСАЖДАЕТ", false},
		{"the page's, where the header's does not fit", `<meta charset="windows-1251">` + cyrillic, "text/html; charset=utf-8", "", "", "АРМИЯ 1 ОСАЖДАЕТ", false},
		{"the page's, in the old way", `<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1251">` + cyrillic, "", "", "", "АРМИЯ 1 ОСАЖДАЕТ", false},
		{"the page's, late", blanks + `<meta charset="windows-1251">` + cyrillic, "", "", "", "АРМИЯ 1 ОСАЖДАЕТ", false},
		{"XML's", `<?xml version="1.0" encoding="windows-1251"?><a>` + cyrillic, "", "", "", "АРМИЯ 1 ОСАЖДАЕТ", false},
		{"no charset at all: windows-1252", "caf\xe9 \x93quoted\x94", "", "", "", "café “quoted”", false},
		{"no charset at all, in Russian", in(t, charmap.Windows1251, "Я и ты: вперёд, АРМИЯ 1 ОСАЖДАЕТ"), "", "invision", "", "вперёд, АРМИЯ 1 ОСАЖДАЕТ", false},
		{"no charset at all, in French", in(t, charmap.Windows1252, "Je préfère être créé à Noël"), "", "invision", "", "préfère être créé à Noël", false},
		{"no charset at all, on a board that is UTF-8", "АРМИЯ \xd0", "", "nodebb", "", "АРМИЯ \ufffd", true},
		{"ISO-8859-1 means windows-1252", "\x93quoted\x94", "text/html; charset=ISO-8859-1", "", "", "“quoted”", false},
		{"an unknown name does not hold", `<meta charset="windows-1251">` + cyrillic, "text/html; charset=klingon", "", "", "АРМИЯ 1 ОСАЖДАЕТ", false},
		{"UTF-16 with its mark", "\xff\xfeM\x00O\x00V\x00E\x00", "", "", "", "MOVE", false},
		{"a broken byte in a page that says UTF-8", `<meta charset="utf-8">АРМИЯ ` + "\xd0", "", "", "", "АРМИЯ \ufffd", true},
		{"a broken byte where only the header says UTF-8", "АРМИЯ \xd0", "text/html; charset=utf-8", "", "", "АРМИЯ \ufffd", true},
		{"U+FFFD that stands in the page stays", "a\ufffdb", "", "", "", "a\ufffdb", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Answer{Body: []byte(c.body), Header: http.Header{"Content-Type": {c.header}}}
			text, problems, err := decode(a, View{Board: c.board, Charset: c.charset})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(text, c.want) || c.want == "" {
				t.Errorf("read %q, wanted %q", text, c.want)
			}
			if (len(problems) > 0) != c.lost {
				t.Errorf("problems are %q", problems)
			}
		})
	}
}

func TestF28PostsWithLostLettersAreNamed(t *testing.T) {
	page := `<meta charset="utf-8">` + prosilver(prosilverPost(1, "READY \xd0")+prosilverPost(2, "READY \xd0\xb4"))
	p := read(page)
	if p.Kind != Thread || len(p.Problems) != 2 || !strings.Contains(p.Problems[0], "utf-8") || !strings.Contains(p.Problems[1], "post 1:") {
		t.Errorf("%s, problems %q", p.Kind, p.Problems)
	}
	if p := read(`<meta charset="utf-8">` + prosilver(prosilverPost(1, "READY \ufffd"))); len(p.Problems) > 0 {
		t.Errorf("of what stands in the page itself: %q", p.Problems)
	}
}

func TestBytesThatAreNoText(t *testing.T) {
	for name, body := range map[string]string{"nothing": "", "blanks": " \n", "a mark alone": "\ufeff", "a picture": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"} {
		if p := Read(Answer{Body: []byte(body)}, View{}); p.Kind != Unreadable || len(p.Problems) != 1 {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if p := Read(Answer{Body: []byte("text")}, View{Charset: "klingon"}); p.Kind != Unreadable || !strings.Contains(p.Problems[0], "klingon") {
		t.Errorf("%+v", p)
	}
}
