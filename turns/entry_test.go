package turns

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestEntriesDoNotNameWhoWroteWithoutAName(t *testing.T) {
	const press = "PRESS ANONYMOUS TO ALL\nmoonstone\nEND PRESS"
	for letter, want := range map[string]struct {
		by, events string
		lines      int
	}{
		press:                                   {"", "press", 0},
		"ADD 5\n" + press + "\nADD 2":           {"Anna", "added added", 2},
		"ADD 5":                                 {"Anna", "added", 1},
		"PRESS TO Boris\nx\nEND PRESS":          {"Anna", "press", 1},
		"TEST\n" + press:                        {"Anna", "", 1},
		"PRESS ANONYMOUS TO Anna\nx\nEND PRESS": {"", "", 0},
	} {
		r := newRig(t)
		r.game("lands", "anonymous_press = true")
		r.say("anna@x.example", "lands@play.example", letter)
		in := r.last("lands")
		e, err := in.Entry("lands")
		if err != nil {
			t.Fatal(err)
		}
		var events []string
		for _, ev := range e.Events {
			events = append(events, ev.Type)
		}
		if string(e.By) != want.by || strings.Join(events, " ") != want.events || len(e.Orders) != want.lines {
			t.Errorf("%q is shown as by %q, %v, %v", letter, e.By, events, e.Orders)
		}
		b, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if want.by == "" && strings.Contains(strings.ToLower(string(b)), "anna") || want.by != "" && strings.Contains(string(b), "moonstone") {
			t.Errorf("%q is shown as %s", letter, b)
		}
		if signed := !strings.Contains(letter, "ANONYMOUS"); signed != (e.Receipt != "") {
			t.Errorf("%q has the receipt %q", letter, e.Receipt)
		}
	}
}
