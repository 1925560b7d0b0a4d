package heroeslands

// Saves (HL-64 to HL-69): issued, dealt out, fed with property, sent, and mailed back.

var saveReasons = []reason{}

var saveForms = []form{}
