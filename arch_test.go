// Package arroba holds nothing but the tests of the tree itself: who may import whom, and why.
package arroba

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers is the table of docs/ARCHITECTURE.md: what a folder may import of ours, the folder of the first matching
// line counting. A name ending in /* stands for the folders below it.
var layers = []struct {
	folder string
	may    []string
	why    string
}{
	{"orders", nil, "the order language knows no mail and no game"},
	{"rules/rulestest", []string{"orders", "rules", "templates"}, "it tests a ruleset through the seam alone, and reads its texts as people do"},
	{"rules/all", []string{"rules", "rules/*"}, "it is the one list of rulesets"},
	{"rules/canvas", []string{"rules"}, "it draws plain shapes for every ruleset"},
	{"rules/*", []string{"orders", "rules", "rules/rounds", "rules/rulestest", "rules/canvas"}, "a ruleset is pure: it knows neither mail nor database"},
	{"rules", []string{"orders"}, "what a ruleset is does not depend on how it is run"},
	{"store", nil, "the database knows nobody's queries"},
	{"ingest/*", []string{"store", "orders", "ingest", "ingest/*", "forum"}, "sources bring letters and know no game"},
	{"ingest", []string{"store", "orders"}, "the inbox knows no game"},
	{"outbox/*", []string{"store", "outbox", "outbox/*", "forum"}, "sinks send what they are given"},
	{"outbox", []string{"store"}, "sending knows no game"},
	{"mailrig", nil, "the real mail servers of the tests know nobody"},
	{"forum/*", []string{"forum"}, "a test board serves pages of its own and knows nobody"},
	{"forum", nil, "board families are read and written the same by everybody"},
	{"templates", []string{"orders", "rules"}, "texts are made of orders and events, not of mail"},
	{"turns", []string{"orders", "rules", "rules/*", "ingest", "ingest/*", "outbox", "outbox/*", "templates", "store", "forum", "worlds"}, "the engine joins the others and knows no command"},
	{"worlds", nil, "the world files that come with the program are data"},
	{"draw", []string{"rules"}, "a picture is drawn the same for everybody"},
	{"board", []string{"store", "draw", "templates", "rules", "rules/*", "turns", "outbox"}, "the web board only reads"},
	{"cmd/arroba", []string{"*"}, "commands wire everything"},
}

// banned are the packages of the standard library that would make a rule depend on where and when it runs.
var banned = map[string]string{
	"os": "files and environment", "net": "the network", "net/http": "the network", "math/rand": "chance that nobody can check",
	"math/rand/v2": "chance that nobody can check", "crypto/rand": "chance that nobody can check", "os/exec": "other programs",
	"database/sql": "the database", "log/slog": "the log", "log": "the log",
}

// clocks are the calls by which code would look at a clock of its own.
var clocks = []string{"time.Now(", "time.Since(", "time.Until(", "time.After(", "time.Tick(", "time.NewTimer(", "time.Sleep("}

func TestImports(t *testing.T) {
	eachFile(t, func(file, folder string, src string, imports []string) {
		test := strings.HasSuffix(file, "_test.go")
		for _, imp := range imports {
			if ours, ok := strings.CutPrefix(imp, "arroba/"); ok && !test && !allowed(t, folder, ours) {
				t.Errorf("%s: %s may not import %s: %s", file, folder, ours, why(folder))
			}
			if what := banned[imp]; what != "" && pure(folder) && !test {
				t.Errorf("%s: orders and rules may not import %s (%s): the same letters must give the same results for ever", file, imp, what)
			}
		}
	})
}

func TestPureCodeReadsNoClock(t *testing.T) {
	eachFile(t, func(file, folder string, src string, imports []string) {
		if strings.HasSuffix(file, "_test.go") || !(pure(folder) || folder == "templates" || folder == "ingest/letter") {
			return
		}
		for _, call := range clocks {
			if strings.Contains(src, call) {
				t.Errorf("%s: calls %s): only the engine's steps read the clock, once each", file, call)
			}
		}
	})
}

func TestEveryPackageStatesItsPromise(t *testing.T) {
	comments := map[string]int{}
	eachFile(t, func(file, folder string, src string, imports []string) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if f.Doc != nil {
			comments[folder]++
		} else {
			comments[folder] += 0
		}
	})
	for folder, n := range comments {
		if n != 1 {
			t.Errorf("%s has %d package comments, want one that states its promise and how it keeps it", folder, n)
		}
	}
}

func pure(folder string) bool {
	return folder == "orders" || folder == "rules" || strings.HasPrefix(folder, "rules/") && folder != "rules/rulestest"
}

// eachFile visits every Go file of the project.
func eachFile(t *testing.T, visit func(file, folder, src string, imports []string)) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if path.Ext(p) != ".go" || path.Dir(filepath.ToSlash(p)) == "." {
			return nil
		}
		seen++
		src, imports := read(t, p)
		visit(filepath.ToSlash(p), path.Dir(filepath.ToSlash(p)), src, imports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 20 {
		t.Fatalf("only %d Go files found: the walk is broken", seen)
	}
}

func allowed(t *testing.T, folder, imp string) bool {
	for _, l := range layers {
		if match(l.folder, folder) {
			return slices.ContainsFunc(l.may, func(m string) bool { return m == "*" || match(m, imp) })
		}
	}
	t.Errorf("%s is in no line of the table of layers: add it there and to docs/ARCHITECTURE.md", folder)
	return true
}

func why(folder string) string {
	for _, l := range layers {
		if match(l.folder, folder) {
			return l.why
		}
	}
	return ""
}

func match(pattern, folder string) bool {
	if below, ok := strings.CutSuffix(pattern, "/*"); ok {
		return strings.HasPrefix(folder, below+"/")
	}
	return pattern == folder
}

func unquote(s string) string {
	u, err := strconv.Unquote(s)
	if err != nil {
		return s
	}
	return u
}

func read(t *testing.T, file string) (src string, imports []string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, b, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range f.Imports {
		imports = append(imports, unquote(i.Path.Value))
	}
	return string(b), imports
}
