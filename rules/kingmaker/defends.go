package kingmaker

// Defending with an ally (DEFEND, KM-A12b).

var defendForms []form

var defendReasons []reason
