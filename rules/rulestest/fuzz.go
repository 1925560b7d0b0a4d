package rulestest

import (
	"strings"
	"testing"
	"time"
)

// Fuzz sends letters of any text to a game: nothing that anybody writes may crash a rule, a refusal leaves the state as it
// was, and what the stage checks holds after every line. Seeds are letters to begin with.
func (st *Stage) Fuzz(f *testing.F, world string, seeds ...string) {
	for i, seed := range seeds {
		f.Add(seed, uint8(i), i%3 == 0)
	}
	f.Fuzz(func(t *testing.T, text string, writer uint8, post bool) {
		g := Open(t, st.r, st.World(world))
		at := g.w.Start.AddDate(0, 0, 1)
		g.Until(at)
		by := string(st.Cast[int(writer)%len(st.Cast)].Seat)
		for i, line := range strings.Split(text, "\n") {
			if i == 40 {
				break
			}
			at = at.Add(time.Minute)
			g.Until(at)
			before := g.Bytes()
			a := g.Line(Step{At: at, By: by, Line: line, Post: post})
			if a.Order != nil && !a.OK() && g.Bytes() != before {
				t.Fatalf("%q was refused (%s %s) and changed the state", line, a.Rule, a.Why)
			}
			if st.Check != nil {
				st.Check(t, g)
			}
		}
		g.Until(at.AddDate(0, 3, 0))
	})
}
