package heroeslands

// The rosters of a war and its mode (HL-50, HL-55, HL-56): named, closed and filled.

var rosterReasons = []reason{}

var rosterForms = []form{}
