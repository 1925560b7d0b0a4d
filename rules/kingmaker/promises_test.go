package kingmaker

import (
	"testing"

	"arroba/rules"
	"arroba/rules/rulestest"
)

func TestPromises(t *testing.T) {
	var reasons []string
	for _, r := range refusals {
		reasons = append(reasons, rulestest.ReasonText(r.rule, r.why))
	}
	at := rulestest.Instant(t, "d0+13h")
	world := stage().World(theMarch)
	rulestest.Run(t, ruleset, reasons, []rulestest.Play{{Name: "the march", World: world}})
	t.Run("KM-A2b an alliance is its members' to know", func(t *testing.T) {
		stage().Keep(t, rulestest.Play{World: world, Secrets: []rulestest.Secret{{Marker: `"asked":["Green"]`, Knows: []rules.Seat{"Anna", "Clara"}}}, Steps: []rulestest.Step{
			{At: at, By: "Anna", Line: "ALLY WITH Green"}, {At: at, By: "Clara", Line: "CONFIRM ALLIANCE"}, {At: at, By: "Boris", Line: "ALLY WITH Grey"},
			{At: at, By: "Boris", Line: "BREAK ALLIANCE"}, {At: at, By: "Dora", Line: "CONFIRM ALLIANCE"}, {At: at, By: "Anna", Line: "BREAK ALLIANCE"}}})
	})
}
