package kingmaker

// Heirs: who takes them, and where they go (CAPTURES, KM-P7).

const verbCapture = "captures"

var captureForms []form

var captureReasons []reason
