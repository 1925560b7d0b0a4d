package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	ruledLine  = regexp.MustCompile(`(?m)^  (?:accepted (HL-\d+):|refused (HL-\d+):|\S+ [a-z-]+ (HL-\d+) ->)`)
	rulesLines = regexp.MustCompile(`(?m)^Rules: (.*)$`)
	ruleID     = regexp.MustCompile(`HL-\d+`)
)

// TestEveryRuleHasAScenario lists the rules of the Heroes Lands that no scenario checks. A rule that neither an order
// nor an event cites is named by a line "Rules:" at the head of a scenario that plays it.
func TestEveryRuleHasAScenario(t *testing.T) {
	cited, named := map[string]bool{}, map[string]string{}
	for _, text := range texts(t, "testdata/scenarios/*.want") {
		for _, m := range ruledLine.FindAllString(text, -1) {
			cited[ruleID.FindString(m)] = true
		}
	}
	for file, text := range texts(t, "testdata/scenarios/*.txtar") {
		head, _, _ := strings.Cut(text, "\n-- ")
		for _, m := range rulesLines.FindAllString(head, -1) {
			for _, id := range ruleID.FindAllString(m, -1) {
				named[id] = file
			}
		}
	}
	for n := 1; n <= 88; n++ {
		id := fmt.Sprintf("HL-%02d", n)
		switch file := named[id]; {
		case !cited[id] && file == "":
			t.Errorf("no scenario checks %s", id)
		case cited[id] && file != "":
			t.Errorf("%s names %s, which verdicts or events cite anyway", file, id)
		}
	}
}

func texts(t *testing.T, pattern string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no files", pattern, err)
	}
	read := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		read[file] = string(text)
	}
	return read
}
