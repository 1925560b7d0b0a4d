package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// The register tells everybody how the Lands stand, and nobody but the Magistrate what is in the treasury.
func TestRegister(t *testing.T) {
	var o outcome
	if err := json.Unmarshal(played(t, "testdata/scenarios/register.txtar"), &o); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ to, has, lacks string }{
		{"aldous@keep.example", "The treasury: 750 @.\n\nSunday, 10 May 2026: Rosamund to the treasury, 50 @, gift; then 750 @.", "1850"},
		{"aldous@keep.example", "No. 1 in HL3: Rosamund against Мирон for vassalage", "800 @"},
		{"rosamund@hill.example", "Rosamund, count, 5 feuds", "treasury"},
		{"miron@les.example", "Rosamund, граф, 5 феодов", "750"},
		{"miron@les.example", "Сроки:\n\nвторник, 9 июня 2026 г.", "1850"},
	} {
		var text string
		for _, m := range o.Steps[2].Out {
			if m.To == c.to {
				text = m.Text
			}
		}
		if text = strings.ReplaceAll(text, "\r", ""); !strings.Contains(text, c.has) || strings.Contains(text, c.lacks) {
			t.Errorf("to %s it has not %q, or it has %q:\n%s", c.to, c.has, c.lacks, text)
		}
	}
}
