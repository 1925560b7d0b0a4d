package templates

import "testing"

func TestEveryTextExistsInBothLanguages(t *testing.T) {
	x, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tm := range x.base["en"].Templates() {
		if x.base["ru"].Lookup(tm.Name()) == nil {
			t.Errorf("no Russian text %q", tm.Name())
		}
	}
	for _, tm := range x.base["ru"].Templates() {
		if x.base["en"].Lookup(tm.Name()) == nil {
			t.Errorf("no English text %q", tm.Name())
		}
	}
}
