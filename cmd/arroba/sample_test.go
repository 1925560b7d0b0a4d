package main

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"arroba/forum"
)

// The sample config names every key that there is.
func TestTheSampleConfigNamesEveryKey(t *testing.T) {
	text, err := os.ReadFile("sample/arroba.toml")
	if err != nil {
		t.Fatal(err)
	}
	var look func(table reflect.Type)
	look = func(table reflect.Type) {
		for i := range table.NumField() {
			f := table.Field(i)
			key := f.Tag.Get("toml")
			switch {
			case f.Anonymous:
				look(f.Type)
			case key != "" && !regexp.MustCompile(`(?m)\b`+key+`\b`).Match(text):
				t.Errorf("the sample config does not tell of %s", key)
			}
		}
	}
	look(reflect.TypeFor[config]())
	look(reflect.TypeFor[sourceConfig]())
	look(reflect.TypeFor[sinkConfig]())
}

// docs/FORUMS.md says of every kind of board whether it can be posted to, and by what it knows us.
func TestTheGuideToForumsSaysWhatIsSo(t *testing.T) {
	text, err := os.ReadFile("../../docs/FORUMS.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, " | "); len(cells) == 6 && strings.HasPrefix(line, "| `") && cells[0] != "| `board`" {
			rows[strings.Trim(cells[0], "| `")] = cells
		}
	}
	if len(rows) != len(forum.Boards()) {
		t.Errorf("%d boards stand there, and there are %d", len(rows), len(forum.Boards()))
	}
	for _, board := range forum.Boards() {
		cells, takes := rows[board], forum.AccountsOf(board)
		if cells == nil {
			t.Errorf("%s does not stand there", board)
			continue
		}
		for _, c := range []struct {
			cell, word string
			want       bool
		}{
			{cells[3], "password", takes.Login}, {cells[3], "key", takes.Key}, {cells[3], "guests only", !takes.Login && !takes.Key},
			{cells[4], "yes", takes.Replies}, {cells[5], "number", takes.IDs},
		} {
			if strings.Contains(c.cell, c.word) != c.want {
				t.Errorf("%s: %q stands there, and that it says %q should be %t", board, c.cell, c.word, c.want)
			}
		}
	}
}
