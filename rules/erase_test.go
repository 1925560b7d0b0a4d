package rules

import (
	"errors"
	"strings"
	"testing"
	"time"

	"arroba/orders"
)

// counter is a ruleset whose state counts orders and draws; the order "boom" panics.
type counter struct{ Orders, Drawn int }

func counting() *Ruleset {
	return New(Rules[*counter]{
		Name: "counting", Version: 3, IDs: EngineIDs{Role: "C-1", Nothing: "C-2", Past: "C-3"},
		Open: func(w World, _ *Dice) (*counter, []Event, error) {
			if w.Game == "" {
				return nil, nil, errors.New("no name")
			}
			return &counter{}, []Event{{Type: "opened"}}, nil
		},
		Names: func(*counter) orders.Lexicon { return orders.Lexicon{"nick": nil} },
		Take: func(c *counter, o orders.Order, e Env) (*counter, []Event, Ruling) {
			switch o.Form {
			case "boom":
				panic("no such order")
			case "no":
				return c, nil, Refuse("C-9", "why", nil)
			}
			c.Orders++
			c.Drawn = int(e.Dice.Draw(0, "x", 1000).Value)
			return c, []Event{{Type: "counted"}}, Accept("C-4")
		},
		Next: func(c *counter) (Due, bool) {
			return Due{At: time.Unix(int64(c.Orders), 0), Kind: "tick"}, c.Orders > 0
		},
		Fire: func(c *counter, _ Due, _ Env) (*counter, []Event) { c.Orders = 0; return c, []Event{{Type: "ticked"}} },
		View: func(c *counter, v Viewer) any { return c.Orders },
	})
}

func opened(t *testing.T) (*Ruleset, *State) {
	t.Helper()
	r := counting()
	s, ev, err := r.Open(World{Game: "g"}, "seed")
	if err != nil || len(ev) != 1 {
		t.Fatalf("%v %v", ev, err)
	}
	return r, s
}

func (s *State) mustTake(t *testing.T, form string) Ruling {
	t.Helper()
	_, ru, err := s.Take(orders.Order{Form: form}, Env{Dice: s.Dice("seed", "g")})
	if err != nil {
		t.Fatal(err)
	}
	return ru
}

func encoded(t *testing.T, s *State) string {
	t.Helper()
	b, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A state read afresh goes on as the live one does, its dice too.
func TestStateSurvivesEncoding(t *testing.T) {
	r, live := opened(t)
	live.mustTake(t, "count")
	kept := encoded(t, live)
	if want := `{"state":{"Orders":1,"Drawn":`; !strings.HasPrefix(kept, want) || !strings.Contains(kept, `"counters":{"0/x":1}`) {
		t.Errorf("kept as %s", kept)
	}
	fresh, err := r.Decode([]byte(kept))
	if err != nil {
		t.Fatal(err)
	}
	live.mustTake(t, "count")
	fresh.mustTake(t, "count")
	if a, b := encoded(t, live), encoded(t, fresh); a != b {
		t.Errorf("the live state is %s, the one read afresh %s", a, b)
	}
	if d, ok, err := fresh.Next(); err != nil || !ok || d.Kind != "tick" || d.At.Unix() != 2 {
		t.Errorf("next is %v %v %v", d, ok, err)
	}
	if ev, err := fresh.Fire(Due{}, Env{}); err != nil || ev[0].Type != "ticked" {
		t.Errorf("%v %v", ev, err)
	}
	if v, err := fresh.View(Viewer{}); err != nil || v != 0 {
		t.Errorf("the view is %v, %v", v, err)
	}
	if l, err := fresh.Names(); err != nil || len(l) != 1 {
		t.Errorf("names %v, %v", l, err)
	}
}

func TestDecodeSaysWhatItRead(t *testing.T) {
	for _, text := range []string{"", "{", `{"state":5}`} {
		if _, err := counting().Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), "counting") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A rule that panics becomes an error that holds what it said and where.
func TestPanicBecomesError(t *testing.T) {
	_, s := opened(t)
	_, _, err := s.Take(orders.Order{Form: "boom"}, Env{})
	var p *PanicError
	if !errors.As(err, &p) || p.Value != "no such order" || !strings.Contains(p.Stack, "erase_test.go") || !strings.Contains(err.Error(), "no such order") {
		t.Errorf("%v", err)
	}
	if _, _, err := s.Take(orders.Order{}, Env{}); !errors.As(err, &p) {
		t.Errorf("dice that are missing: %v", err)
	}
}

// What a ruleset leaves out has a plain answer.
func TestLeftOut(t *testing.T) {
	_, s := opened(t)
	before := encoded(t, s)
	if ev, err := s.Read(Letter{}, Env{}); ev != nil || err != nil {
		t.Errorf("Read: %v %v", ev, err)
	}
	if ev, ru, err := s.Control(Control{Kind: "ready"}, Env{}); ev != nil || err != nil || ru.OK() || ru.Rule != "C-2" {
		t.Errorf("Control: %v %v %v", ev, ru, err)
	}
	if p, err := s.Pictures(Viewer{}); p != nil || err != nil {
		t.Errorf("Pictures: %v %v", p, err)
	}
	if over, err := s.Over(); over || err != nil {
		t.Errorf("Over: %v %v", over, err)
	}
	if encoded(t, s) != before {
		t.Error("the state changed")
	}
}

func TestOpenFails(t *testing.T) {
	if _, _, err := counting().Open(World{}, "seed"); err == nil {
		t.Error("a world without a name was taken")
	}
}

func TestRulings(t *testing.T) {
	_, s := opened(t)
	if ru := s.mustTake(t, "count"); !ru.OK() || ru.Rule != "C-4" {
		t.Errorf("%+v", ru)
	}
	if ru := s.mustTake(t, "no"); ru.OK() || ru.Verdict != orders.Refused || ru.Rule != "C-9" || ru.Why != "why" {
		t.Errorf("%+v", ru)
	}
	if ru := Unclear("which", Data{"x": 1}); ru.OK() || ru.Verdict != orders.Unclear || ru.Data["x"] != 1 {
		t.Errorf("%+v", ru)
	}
}
