package heroeslands

// Ordinary duels (HL-15, HL-16, HL-19, HL-20, HL-34): called, taken up, declined, stood in for.

var calloutReasons = []reason{}

var calloutForms = []form{}
