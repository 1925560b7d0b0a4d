package forum

import (
	"fmt"
	"testing"
)

func TestF11AddedTo(t *testing.T) {
	const first = "CHALLENGE Boris<br>\nat noon"
	for _, c := range []struct {
		html string
		want int
	}{
		{first, 0},
		{first + "<br>\n<hr>\nMUSTER", 2},
		{first + "<br />\n<br />\n<hr class=\"mycode_hr\"/>MUSTER", 2},
		{first + "<br>\n<hr>\nMUSTER<br>\n<hr>\nVOTE yes", 2},
		{"CHALLENGE Igor<br>\nat noon<br>\n<hr>\nMUSTER", 0},
		{first + "<br>\nand I mean it<hr>MUSTER", 0},
	} {
		r := Record{Board: "phpbb", Theme: families[0].themes[0].name}
		r.HTML = c.html
		r.Lines, _ = Lines(r.Board, r.Theme, r.HTML)
		body, err := bodyOf(first)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.AddedTo(families[0].themes[0].hash(body)); got != c.want {
			t.Errorf("%s: %d, want %d", fmt.Sprintf("%.40q", c.html), got, c.want)
		}
	}
}
