package rules

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"testing"
)

// A draw is what anyone can work out with the seed.
func TestDrawCanBeChecked(t *testing.T) {
	d := NewDice("seed", "lands", nil)
	d.Draw(3, "battle", 6)
	got := d.Draw(3, "battle", 6)
	mac := hmac.New(sha256.New, []byte("seed"))
	mac.Write([]byte("lands\x003\x00battle\x002"))
	want := Draw{Purpose: "battle", Counter: 2, Of: 6, Value: binary.BigEndian.Uint64(mac.Sum(nil)) % 6}
	if got != want {
		t.Errorf("drew %+v, want %+v", got, want)
	}
}

// The order of draws for different purposes and rounds does not matter, and counters go on where they stood.
func TestDrawsAreNamed(t *testing.T) {
	a, b := NewDice("seed", "lands", nil), NewDice("seed", "lands", nil)
	a1, a2 := a.Draw(1, "x", 1000), a.Draw(1, "y", 1000)
	b2, b1 := b.Draw(1, "y", 1000), b.Draw(1, "x", 1000)
	if a1 != b1 || a2 != b2 {
		t.Errorf("the order matters: %v %v, %v %v", a1, a2, b1, b2)
	}
	if other := a.Draw(2, "x", 1000); other.Counter != 1 {
		t.Errorf("another round counts on: %+v", other)
	}
	on := NewDice("seed", "lands", maps.Clone(a.counters))
	if x, y := on.Draw(1, "x", 1000), a.Draw(1, "x", 1000); x != y || x.Counter != 2 {
		t.Errorf("a game read afresh draws %+v, the live one %+v", x, y)
	}
	if x, y := NewDice("seed", "lands", nil).Draw(1, "x", 1<<62), NewDice("seed", "seas", nil).Draw(1, "x", 1<<62); x == y {
		t.Error("two games draw the same")
	}
}

// Every value comes up, about as often as the others.
func TestDrawIsFair(t *testing.T) {
	d := NewDice("seed", "lands", nil)
	counts := map[uint64]int{}
	const draws = 6000
	for range draws {
		counts[d.Draw(0, "die", 6).Value]++
	}
	for v := range uint64(6) {
		if n := counts[v]; n < 850 || n > 1150 {
			t.Errorf("%d came up %d times of %d", v, n, draws)
		}
	}
	if len(counts) != 6 {
		t.Errorf("drew %v", counts)
	}
}

// A number that is not below the largest multiple of `of` is drawn again, with the next counter.
func TestDrawAgain(t *testing.T) {
	const of = 1<<63 + 1 // its only multiple is itself, so about half of all numbers are drawn again
	d := NewDice("seed", "lands", nil)
	again := 0
	for range 100 {
		before := d.counters["0/x"]
		got := d.Draw(0, "x", of)
		for n := before + 1; n < got.Counter; n++ {
			again++
			if d.number(0, "x", n) < of {
				t.Errorf("counter %d was passed over with a number below %d", n, uint64(of))
			}
		}
		if v := d.number(0, "x", got.Counter); v != got.Value || v >= of {
			t.Errorf("counter %d gave %d, drawn was %d", got.Counter, v, got.Value)
		}
	}
	if again < 50 || again > 200 {
		t.Errorf("%d numbers were drawn again in 100 draws", again)
	}
	if v := NewDice("seed", "lands", nil).Draw(0, "x", 1); v.Value != 0 || v.Counter != 1 {
		t.Errorf("of one there is only 0: %+v", v)
	}
}

func TestDrawOfNothing(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a draw of nothing was made")
		}
	}()
	NewDice("seed", "lands", nil).Draw(0, "x", 0)
}
