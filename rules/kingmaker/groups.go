package kingmaker

// Armies and fleets (FORM, KM-A6).

var groupForms []form

var groupReasons []reason

// joint tells whether an army's nobles, or a fleet's ships, are of two or more factions.
func (s *State) joint(g *Group) bool {
	for _, m := range g.Members {
		if s.of(m) != s.of(g.Members[0]) {
			return true
		}
	}
	return false
}
