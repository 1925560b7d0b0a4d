package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if point := os.Getenv("ARROBA_DIE_AT"); point != "" {
		fmt.Fprintln(os.Stderr, "it is alive:", dieAt(point))
		os.Exit(1)
	}
	if os.Getenv("ARROBA_PASS_ONCE") != "" {
		if err := passOnce(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	testscript.Main(m, map[string]func(){
		"arroba":        main,
		"cat-letters":   func() { eachLetter(func(text []byte) { os.Stdout.Write(text) }) },
		"count-letters": func() { n := 0; eachLetter(func([]byte) { n++ }); fmt.Println(n) },
	})
}

// eachLetter visits the letters in the folder that a script names.
func eachLetter(visit func(text []byte)) {
	files, err := filepath.Glob(filepath.Join(os.Args[1], "*.eml"))
	if err != nil || len(files) == 0 {
		fmt.Fprintln(os.Stderr, "no letters in", os.Args[1], err)
		os.Exit(1)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		visit(text)
	}
}

// age makes files look a minute old: a folder's newest files may still be being written, and are left for later.
func age(ts *testscript.TestScript, _ bool, files []string) {
	old := time.Now().Add(-time.Minute)
	for _, f := range files {
		ts.Check(os.Chtimes(ts.MkAbs(f), old, old))
	}
}

// letterID sets a variable to the id of the letter with a subject, in the list that was printed last.
func letterID(ts *testscript.TestScript, _ bool, args []string) {
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		if strings.Contains(line, strconv.Quote(args[1])) {
			ts.Setenv(args[0], strings.Fields(line)[0])
			return
		}
	}
	ts.Fatalf("no letter %q is listed", args[1])
}

// TestScripts runs commands as a person would, each script in a folder of its own.
func TestScripts(t *testing.T) {
	data, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Setup: func(e *testscript.Env) error {
		e.Setenv("DATA", data)
		return nil
	}, Cmds: map[string]func(*testscript.TestScript, bool, []string){"age": age, "letter": letterID}})
}
