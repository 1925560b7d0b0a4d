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
	ruledLine  = regexp.MustCompile(`(?m)^  (?:accepted ([A-Z]{2}-[A-Za-z0-9.]+):|refused ([A-Z]{2}-[A-Za-z0-9.]+):|\S+ [a-z-]+ ([A-Z]{2}-[A-Za-z0-9.]+) ->)`)
	rulesLines = regexp.MustCompile(`(?m)^Rules: (.*)$`)
	ruleID     = regexp.MustCompile(`[A-Z]{2}-[A-Za-z0-9.]*[A-Za-z0-9]`)
)

// ruleIDs are the rules of the rulesets, as their pages number them.
func ruleIDs() (ids []string) {
	for n := 1; n <= 88; n++ {
		ids = append(ids, fmt.Sprintf("HL-%02d", n))
	}
	ids = append(ids, "KM-0.1", "KM-0.2", "KM-0.3")
	for class := 1; class <= 5; class++ {
		for n := range 8 {
			ids = append(ids, fmt.Sprintf("KM-%d.%d", class, n))
		}
	}
	for n := 1; n <= 9; n++ {
		ids = append(ids, fmt.Sprintf("KM-P%d", n))
	}
	return append(ids, strings.Fields(`KM-A1 KM-A2a KM-A2b KM-A2c KM-A3 KM-A4a KM-A4b KM-A4c KM-A5 KM-A6a KM-A6b KM-A6c KM-A6d
		KM-A7.i KM-A7.ii KM-A7.iii KM-A7.iv KM-A7.v KM-A7.vi KM-A7.vii KM-A8 KM-A9 KM-A10 KM-A11 KM-A12a KM-A12b`)...)
}

// TestEveryRuleHasAScenario lists the rules that no scenario checks. A rule that neither an order nor an event cites is
// named by a line "Rules:" at the head of a scenario that plays it.
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
	for _, id := range ruleIDs() {
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
