package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"arroba/rules/all"
	"arroba/turns"
)

// What init writes can be opened as it is: each sample game begins.
func TestInitWritesGamesThatBegin(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	if code := run(t.Context(), []string{"init", dir}, nothing, nil, &out, &out); code != 0 {
		t.Fatalf("exit code %d: %s", code, out.String())
	}
	for _, name := range []string{"lands", "realms", "roses"} {
		file := filepath.Join(dir, "games", name+".toml")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		game, err := turns.ReadGameFile(file, text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := newPlay(t.Context(), &scenario{game: game, steps: []step{{ID: "1", Kind: "tick"}}}, all.Rulesets)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p.db.Close()
	}
}
