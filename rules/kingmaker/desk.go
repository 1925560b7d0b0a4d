package kingmaker

// The GM's desk.

var deskForms []form

var deskReasons []reason
