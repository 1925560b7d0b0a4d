package roundstest

import (
	"testing"
	"time"

	"arroba/rules"
	"arroba/rules/rulestest"
)

const world = `
[world]
rounds = 4
places = [ { name = "Bridge", worth = 3 }, { name = "Mill", worth = 2 } ]
`

// playing builds a game whose calendar says what is given.
func playing(c rules.Calendar) rules.World {
	w := rulestest.World(world, rulestest.Members("gm:Gareth", "Anna", "Boris", "Clara", "observer:Olga")...)
	w.Calendar = c
	return w
}

// A play has secrets that are for good, and orders that are until their round closes.
func plays() []rulestest.Play {
	one := 1
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(h int) time.Time { return start.Add(time.Duration(h) * time.Hour) }
	steps := []rulestest.Step{
		{At: at(1), By: "Anna", Line: "WATCHWORD zebra"}, {At: at(1), By: "Anna", Line: "SEND 6 TO Bridge"}, {At: at(2), By: "Boris", Line: "ПОСЛАТЬ 6 В Bridge"},
		{At: at(2), By: "Boris", Line: "SPY ON Bridge"}, {At: at(2), By: "Boris", Line: "SEND 5 TO Mill"}, {At: at(2), By: "Olga", Line: "SEND 5 TO Mill"},
		{At: at(3), By: "Gareth", Line: "AWARD 2 TO Clara"}, {At: at(3), By: "Clara", Line: "AWARD 2 TO Clara"}, {At: at(4), By: "Anna", Control: rules.Control{Kind: rules.Ready}},
		{At: at(5), By: "Anna", Line: "SEND 7 TO Bridge"}, {At: at(5), By: "Boris", Control: rules.Control{Kind: rules.Ready}}, {At: at(5), By: "Clara", Control: rules.Control{Kind: rules.Ready}},
		{At: at(6), By: "Clara", Control: rules.Control{Kind: rules.Wait}}, {At: at(30), By: "Gareth", Control: rules.Control{Kind: rules.SetDeadline, By: 24 * time.Hour}},
		{At: at(31), By: "Clara", Line: "WATCHWORD gnu"}, {At: at(90), By: "Clara", Line: "SEND 1 TO Mill"},
	}
	secrets := []rulestest.Secret{{Marker: "zebra", Knows: []rules.Seat{"Anna"}}, {Marker: "gnu", Knows: []rules.Seat{"Clara"}}}
	return []rulestest.Play{
		{Name: "rounds of two days", World: playing(rules.Calendar{}), Steps: steps, Secrets: secrets},
		{Name: "a calendar", World: playing(rules.Calendar{Days: []time.Weekday{time.Monday, time.Friday}, At: &rules.Clock{Hour: 20}, Least: 12 * time.Hour,
			ReadyDelay: 2 * time.Hour, MaxMissing: &one}), Steps: steps, Secrets: secrets},
	}
}

func TestPromises(t *testing.T) { rulestest.Run(t, Ruleset(), Reasons, plays()) }
