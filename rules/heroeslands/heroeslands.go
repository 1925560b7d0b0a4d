// Package heroeslands is the ruleset of the Heroes Lands: vassalage and vassal duels among feudal lords, played by
// letter.
//
// Its promise: every order is ruled on when it arrives, by the first rule that speaks against it; what it moves, it
// moves wholly or not at all; gold is never made or lost, and what is held for a duel is held once. It keeps it by one
// shape for all orders: a function first looks for a refusal and only then changes anything, and what follows from
// moved feuds and ended vassalages is worked out in one place, in fixed steps, when all moves of the order are done.
package heroeslands

import (
	"embed"
	"io/fs"
	"time"

	"arroba/orders"
	"arroba/rules"
)

//go:embed texts
var files embed.FS

// Ruleset returns the ruleset "heroeslands".
func Ruleset() *rules.Ruleset {
	texts, err := fs.Sub(files, "texts")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return rules.New(rules.Rules[*State]{
		Name:    "heroeslands",
		Version: 1,
		IDs:     rules.EngineIDs{Role: "HL-81", Nothing: "HL-82", Past: "HL-87"},
		Keeps:   keeps(),
		Texts:   texts,
		Grammar: grammar(),
		Open:    openWorld,
		Names:   func(s *State) orders.Lexicon { return s.names() },
		Take:    take,
		Implied: implied,
		Read:    read,
		Brings:  newcomer,
		Control: control,
		Next:    next,
		Fire:    fire,
		Waits:   deadlines,
		Offers:  offers,
		May:     may,
		View:    func(s *State, v rules.Viewer) any { return s.view(v) },
		Picture: pictures,
		Shows:   shows,
	})
}

// keeps is how games keep time: there are no rounds and no deadlines of the calendar, only terms of the rules' own.
func keeps() rules.Calendar {
	vacation := 30
	return rules.Calendar{Grace: 12 * time.Hour, VacationDays: &vacation}
}
