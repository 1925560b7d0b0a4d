package kingmaker

// Journeys of nobles, armies, ships and fleets (MOVES).

var moveForms []form

var moveReasons []reason
