// Package kingmaker is the ruleset of Kingmaker, the Wars of the Roses by forum and mail: factions lead nobles, armies and
// ships over a map, take towns and castles, and form alliances in secret.
//
// Its promise: an order of the turn is judged when it comes as it will be at the close, and carried out there in the one
// order that the rules fix; who moves where is decided by one table; and an alliance is known to nobody but its members and
// the GM until its units act together. It keeps it by one function for each kind of order that judges and carries out, on a
// copy of the state when the order comes and on the state itself at the close.
package kingmaker

import (
	"embed"
	"io/fs"
	"time"

	"arroba/orders"
	"arroba/rules"
)

//go:embed texts
var files embed.FS

// ids are the rules under which the engine's own orders are refused, and a GM's accepted.
var ids = rules.EngineIDs{Role: "KM-P8", Nothing: "KM-P9", Past: "KM-P9", GM: "KM-P8"}

// Ruleset returns the ruleset "kingmaker".
func Ruleset() *rules.Ruleset {
	texts, err := fs.Sub(files, "texts")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return rules.New(rules.Rules[*State]{
		Name:    "kingmaker",
		Version: 1,
		IDs:     ids,
		Keeps:   rules.Calendar{Grace: 12 * time.Hour},
		Texts:   texts,
		Grammar: grammar(),
		Open:    openWorld,
		Names:   func(s *State) orders.Lexicon { return s.names() },
		Take:    take,
		Control: control,
		Next:    next,
		Fire:    fire,
		Round:   func(s *State) int { return s.Rounds.Phase.Round },
		Waits:   deadlines,
		Kept:    func(s *State, v rules.Viewer) []rules.Kept { return s.Rounds.Kept(v) },
		Offers:  offers,
		Picture: pictures,
		Shows:   shows,
		View:    func(s *State, v rules.Viewer) any { return s.view(v) },
	})
}

// deadlines is the end of the phase. Windows for answers are told in the questions themselves.
func deadlines(s *State, v rules.Viewer) []rules.Deadline { return s.Rounds.Waits(v) }
