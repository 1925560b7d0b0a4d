package heroeslands

import (
	"sync"
	"testing"

	"arroba/rules/rulestest"
)

var ruleset = Ruleset()

// theCast are the members of the games in tests.
var theCast = rulestest.Members("gm:Magistrate", "observer:Olga", "Petra", "Oleg", "Boris", "Ivan", "Lazar", "Karl", "Vera", "Anna")

// written reads the names of the ruleset's texts, once.
var written = sync.OnceValue(func() *rulestest.Stage {
	return &rulestest.Stage{Suite: rulestest.NewSuite(ruleset), Cast: theCast, Check: func(t rulestest.T, g *rulestest.Game) { balanced(t, seen(t, g)) }}
})

// script is a game in a test, in the manner of rulestest.Script.
type script struct{ name, world, play string }

func (s script) run(t *testing.T) {
	t.Helper()
	written().Run(t, rulestest.Script{Name: s.name, World: s.world, Play: s.play})
}
