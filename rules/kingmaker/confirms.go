package kingmaker

// Answers to orders that take an ally's units (CONFIRM ORDER, REFUSE ORDER, KM-A4c).

var confirmForms []form

var confirmReasons []reason
