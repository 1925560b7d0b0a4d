package turns

import (
	"encoding/json"
	"testing"

	"arroba/rules"
)

// What a letter's lines mean because of the lines above them, they mean whenever the letter is played again, and no line of
// another letter means it, though it comes at the same instant.
func TestLinesBelongToTheirLetter(t *testing.T) {
	r := feudal(t)
	const gm, lands = "gm@lands.example", "lands@play.example"
	h := r.take(r.mail(gm, lands, "CLOSE TOURNEY Spring\nPLACE 1 Anna DAYS 3 POINTS 5\n\nPLACE 2 Boris DAYS 4 POINTS 5"),
		r.mail(gm, lands, "PLACE 3 Anna DAYS 3 POINTS 5"), r.mail(gm, lands, "CLOSE TOURNEY Summer"))
	equal(t, "the first", r.verdicts(h.Letters[0]), "accepted HL-09", "accepted HL-10", "accepted HL-10")
	equal(t, "the second", r.verdicts(h.Letters[1]), "refused HL-82")
	equal(t, "the third", r.verdicts(h.Letters[2]), "accepted HL-09")
	equal(t, "taken back to the middle of it", r.verdicts(r.gm("ROLLBACK TO EVENT 3\nPLACE 2 Boris DAYS 4 POINTS 5")), "accepted E-ROLLBACK", "refused HL-82")
	equal(t, "and to before it", r.verdicts(r.gm("ROLLBACK TO EVENT 1\nREDO ALL")), "accepted E-ROLLBACK", "accepted E-REDO")
	equal(t, "each tourney is there once", r.verdicts(r.gm("CLOSE TOURNEY Spring\nCLOSE TOURNEY Summer")), "refused HL-88", "refused HL-88")
	b, err := r.View(t.Context(), "lands", rules.Viewer{})
	var v struct {
		Tourneys []struct{ Results []any }
	}
	if err == nil {
		err = json.Unmarshal(b, &v)
	}
	if err != nil || len(v.Tourneys) != 2 || len(v.Tourneys[0].Results) != 2 || len(v.Tourneys[1].Results) != 0 {
		t.Errorf("%v, the tourneys are %+v", err, v.Tourneys)
	}
	r.same("lands")
}
