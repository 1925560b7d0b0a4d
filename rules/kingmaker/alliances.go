package kingmaker

import "arroba/rules"

// Alliances (KM-A1 to A3, A10 to A12).

var allianceForms []form

var allianceReasons []reason

// windows are the ends of the windows for answers.
func (s *State) windows() []rules.Due { return nil }

// settleWindow settles the proposal whose window ends.
func (a *act) settleWindow(id string) {}

// closedWindows settles the proposals whose window ends with this closing.
func (a *act) closedWindows() {}

// endTruces ends the truces that last until the turn that begins now.
func (a *act) endTruces(round int) {}

// breakHeld carries out the breaks that the faction whose turn begins has held.
func (a *act) breakHeld() {}

// takeBackBreaks takes back the breaks that the writer holds, and tells whether there were any.
func (a *act) takeBackBreaks() bool { return false }
