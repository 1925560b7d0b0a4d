package letter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCorpus reads whole letters as programs send them. Beside each NAME.eml stands NAME.want: class and author, then
// the writer's own lines.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/*.eml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no letters: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(file, ".eml") + ".want")
			if err != nil {
				t.Fatal(err)
			}
			l := Read(raw, Options{Own: Addresses("gm@games.example"), Domain: "games.example"})
			got := strings.TrimSpace(string(l.Class) + " " + l.From + "\n" + own(l))
			if got != strings.TrimSpace(string(want)) {
				t.Errorf("got\n%s\nwanted\n%s", got, want)
			}
		})
	}
}
