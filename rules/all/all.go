// Package all is the one list of rulesets: what a game.toml may name as its ruleset.
package all

import (
	"arroba/rules"
	"arroba/rules/heroeslands"
	"arroba/rules/kingmaker"
)

// Rulesets holds every ruleset by its name.
var Rulesets = byName(
	heroeslands.Ruleset(),
	kingmaker.Ruleset(),
)

func byName(list ...*rules.Ruleset) map[string]*rules.Ruleset {
	m := map[string]*rules.Ruleset{}
	for _, r := range list {
		m[r.Name] = r
	}
	return m
}
