package heroeslands

// Tourneys (HL-09 to HL-13): closed, placed, claimed for, and the prize passed on.

var tourneyReasons = []reason{}

var tourneyForms = []form{}
