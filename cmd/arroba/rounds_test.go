package main

import (
	"encoding/json"
	"strings"
	"testing"

	"arroba/rules"
)

// TestTheRounds plays three Rounds of Kingmaker by post and forum, and holds how they end against what was reckoned by hand.
func TestTheRounds(t *testing.T) {
	t.Parallel() // its daemon waits for its post office
	th, out := playedTale(t, roundsStory)
	raw, err := th.engine.View(t.Context(), th.story.game.Name, rules.Viewer{GM: true})
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Round  int
		Turn   string
		Nobles map[string]struct {
			Location, Space, Ship string
			Removed               bool
		}
		Ships     map[string]struct{ At string }
		Heirs     map[string]struct{ Holder string }
		Locations map[string]struct{ Controller string }
		Alliances []struct{ Status string }
		Truces    []struct{ Breaker string }
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	for what, is := range map[string]bool{
		"it is the Red Rose's turn in Round 4":     v.Round == 4 && v.Turn == "Red Rose",
		"Coventry fell to the White Rose":          v.Locations["Coventry"].Controller == "White Rose" && v.Nobles["Neville"].Location == "Coventry",
		"Durham held":                              v.Locations["Durham"].Controller == "" && v.Nobles["Percy"].Space == "Palatinate",
		"nobody controls Doncaster, which fell":    v.Locations["Doncaster"].Controller == "" && v.Nobles["Clifford"].Location == "Doncaster",
		"Roos is at sea with Richard in his hands": v.Nobles["Roos"].Ship == "Grace Dieu" && v.Heirs["Richard Duke of York"].Holder == "Roos",
		"the storm threw the Marie into Dublin":    v.Ships["Marie"].At == "Dublin",
		"Herbert fell before Dublin":               v.Nobles["Herbert"].Removed,
		"the alliance is broken by the Red Rose":   v.Alliances[0].Status == "ended" && len(v.Truces) == 1 && v.Truces[0].Breaker == "Red Rose",
	} {
		if !is {
			t.Errorf("it is not so that %s", what)
		}
	}
	for _, want := range []string{
		"refused   ARMY 1 BESIEGES Doncaster (KM-A6d)",
		"Their units have acted together, and so it is known: Red Rose and White",
		"unclear   Стэнли ИДОТ В Честер",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the story lacks %q", want)
		}
	}
}
