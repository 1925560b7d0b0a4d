package main

import (
	"strings"
	"testing"

	"arroba/ingest"
)

func TestSafeNames(t *testing.T) {
	for name, want := range map[string]string{
		"Oleg_save1.gm1": "Oleg_save1.gm1", "../../etc/passwd": "_.._etc_passwd", `C:\save.gm1`: "C__save.gm1", "..": "file 3", "": "file 3",
		".bashrc": "bashrc", "a\x00b\nc.txt": "ab c.txt", "сейв.gm1": "сейв.gm1", "<x>|?*": "_x____", "save.gm1. ": "save.gm1",
		strings.Repeat("x", 300) + ".gm1": strings.Repeat("x", 96) + ".gm1",
	} {
		if got := safeName(ingest.Attached{Name: name, Ord: 3}); got != want {
			t.Errorf("%q is saved as %q, want %q", name, got, want)
		}
	}
}
