package kingmaker

// Battles and sieges.

var combatForms []form

var combatReasons []reason

// What a combat is: "battle" or "siege".

// declare declares the battles and sieges whose orders held in this closing.
func (a *act) declare() {}
