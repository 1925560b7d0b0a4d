package kingmaker

import (
	"slices"
	"strings"

	"arroba/rules"
)

// reason is one way to refuse an order, or to ask back: there is a text for each in every language.
type reason struct {
	rule, why string   // rule "" for an unclear order
	keys      []string // the data its text may use
}

// refusals lists every reason. The lists of each kind of orders stand with them.
var refusals = slices.Concat(reasons, matrixReasons(), moveReasons, boardReasons, captureReasons, groupReasons, combatReasons, allianceReasons, confirmReasons, permissionReasons, defendReasons, deskReasons, tableReasons)

// reasons are those that several kinds of orders share.
var reasons = []reason{
	{"KM-P1", "turn", []string{"turn"}},                        // it is another faction's turn; "" before the start
	{"KM-P1", "phase", []string{"turn"}},                       // it is the phase rulings
	{"KM-P3", "", []string{"unit"}},                            // the unit is not in play
	{"KM-P3", "stranger", []string{"unit", "faction"}},         // it is another's who is no ally
	{"KM-P3", "group", []string{"n"}},                          // there is no such army or fleet
	{"KM-A4a", "", []string{"unit", "faction", "space"}},       // an ally's unit that shares no space with one of the sender's
	{"KM-A4b", "", []string{"unit", "kind"}},                   // an ally's unit that had an order of the kind in this Round
	{"KM-A5", "", []string{"unit", "kind"}},                    // it had an order of the kind in an earlier turn of the Round
	{"KM-A6d", "", []string{"unit", "n", "senior", "faction"}}, // the army or fleet, or a member of it, takes orders from another
	{"KM-A8", "", []string{"unit", "n", "senior"}},             // a member alone that had orders in an earlier turn of the Round
	{"KM-P8", "", nil},                                         // the order is another role's (also the engine's own)
	{"KM-P8", "gm", nil},                                       // the order is the GM's
	{"KM-P8", "player", nil},                                   // the order is a faction's, and the writer has none
	{"KM-P9", "", nil},                                         // there is nothing of the kind (also the engine's own)
	{"", "one-unit", []string{"form"}},                         // a list where one unit stands
}

// matrixReasons are those of the decision matrix, one for each cell that may refuse.
func matrixReasons() (list []reason) {
	keys := []string{"location", "faction", "class", "controller", "kind", "load", "room"}
	seen := map[string]bool{}
	add := func(rule, why string) {
		if id := rule + " " + why; !seen[id] {
			seen[id] = true
			list = append(list, reason{rule, why, keys})
		}
	}
	for _, row := range matrix {
		for _, c := range row {
			if c.needs&(never|onlyOccupied) != 0 {
				add(c.rule, "")
			}
			if c.needs&notOccupied != 0 {
				add(c.rule, "occupied")
			}
			if c.needs&(pass|enter|dock|leave) != 0 {
				add(c.rule, "permission")
			}
			if c.needs&(capacity|shipCapacity) != 0 {
				add(c.rule, "capacity")
			}
		}
	}
	return list
}

// no refuses an order for one of the reasons above.
func no(rule, why string, data rules.Data) *rules.Ruling {
	r := rules.Refuse(rule, why, data)
	return &r
}

// unclear asks back for one of the reasons above.
func unclear(why string, data rules.Data) *rules.Ruling {
	r := rules.Unclear(why, data)
	return &r
}

// first returns the first refusal, nil when nothing speaks against an order.
func first(checks ...*rules.Ruling) *rules.Ruling {
	for _, r := range checks {
		if r != nil {
			return r
		}
	}
	return nil
}

// textOf is the name of the text of a refusal, for those that are told in an event.
func textOf(r *rules.Ruling) string { return strings.TrimSpace("refused " + r.Rule + " " + r.Why) }
