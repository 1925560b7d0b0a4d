package heroeslands

import "testing"

func TestRuleset(t *testing.T) { Ruleset() }
