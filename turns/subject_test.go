package turns

import "testing"

// What of a subject may be an order or a title.
func TestOrderSubject(t *testing.T) {
	g := &Game{Name: "lands", Members: []Member{{Nick: "Oleg"}}}
	for subject, want := range map[string]string{
		"CHALLENGE Boris":              "CHALLENGE Boris",
		"[lands] CHALLENGE Boris":      "CHALLENGE Boris",
		"[lands] Oleg_save1 [urgent]":  "Oleg_save1",
		"CHALLENGE Boris (-)":          "CHALLENGE Boris",
		"CHALLENGE Boris *NM*":         "CHALLENGE Boris",
		"CHALLENGE Boris - Oleg":       "CHALLENGE Boris",
		"Re: CHALLENGE Boris":          "",
		"RE[2]: CHALLENGE Boris":       "",
		"Отв: CHALLENGE Boris":         "",
		"[lands] Re: CHALLENGE Boris":  "",
		"[lands] Fwd: Oleg_save1":      "",
		"[lands] На: Oleg_save1":       "",
		" [lands]  RE: [x] Oleg_save1": "",
		"Regarding: a duel":            "Regarding: a duel",
		"":                             "",
	} {
		if got := orderSubject(subject, g); got != want {
			t.Errorf("%q says %q", subject, got)
		}
	}
}
