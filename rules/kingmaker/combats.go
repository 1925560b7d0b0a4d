package kingmaker

// Battles and sieges.

var combatForms []form

var combatReasons []reason

// declare declares the battles and sieges whose orders held in this closing.
func (a *act) declare() {}
