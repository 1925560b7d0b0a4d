package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

const (
	pipeSource = "[[source]]\nname = \"a\"\nkind = \"pipe\"\naddress = \"gm@example.org\"\n"
	outSink    = "[[sink]]\nname = \"b\"\nkind = \"folder\"\nfrom = \"gm@example.org\"\nfolder = \"out\"\n"
)

// TestReceiveTellsTheMailServer holds each way that a letter can take against the exit code that a mail server goes by.
func TestReceiveTellsTheMailServer(t *testing.T) {
	const letter = "From: a@example.org\n\nHELP\n"
	top := "operator = \"op@example.org\"\n"
	folderSource := strings.Replace(pipeSource, "kind = \"pipe\"", "kind = \"folder\"\nfolder = \"in\"", 1)
	for _, c := range []struct {
		name, config string
		args         []string
		stdin        io.Reader
		code         int
		says         string
	}{
		{"taken", top + pipeSource + outSink, nil, strings.NewReader(letter), 0, ""},
		{"taken, with all that is known", top + pipeSource + outSink, []string{"--source", "a", "--from", "a@example.org", "--to", "gm+x@example.org", "--to", "gm+y@example.org"}, strings.NewReader(letter), 0, ""},
		{"a letter of nonsense is a letter", top + pipeSource + outSink, nil, strings.NewReader("\x00\xff"), 0, ""},
		{"just of the limit", top + pipeSource + "max_size = 26\n" + outSink, nil, strings.NewReader(letter), 0, ""},
		{"too big", top + pipeSource + "max_size = 25\n" + outSink, nil, strings.NewReader(letter), 65, "too big"},
		{"empty", top + pipeSource + outSink, nil, strings.NewReader(""), 65, "no letter on standard input"},
		{"broken off", top + pipeSource + outSink, nil, io.MultiReader(strings.NewReader(letter), iotest.ErrReader(errors.New("broken pipe"))), 75, "broken pipe"},
		{"no database", "database = \"missing/a.db\"\n" + top + pipeSource + outSink, nil, strings.NewReader(letter), 75, "missing/a.db"},
		{"a broken config", "oprator = 1\n", nil, strings.NewReader(letter), 75, "oprator"},
		{"no source of the kind", top + folderSource + outSink, nil, strings.NewReader(letter), 75, "write a [[source]]"},
		{"two sources", top + pipeSource + strings.Replace(pipeSource, "\"a\"", "\"c\"", 1) + outSink, nil, strings.NewReader(letter), 64, "name one with --source"},
		{"an unknown source", top + pipeSource + outSink, []string{"--source", "x"}, strings.NewReader(letter), 64, "no source \"x\""},
		{"an unknown flag", top + pipeSource + outSink, []string{"--sender", "x"}, strings.NewReader(letter), 64, "unknown flag"},
		{"an argument", top + pipeSource + outSink, []string{"letter.eml"}, strings.NewReader(letter), 64, "letter.eml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "arroba.toml")
			if err := os.WriteFile(file, []byte(c.config), 0o600); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			code := run(t.Context(), append([]string{"receive", "-c", file}, c.args...), nothing, c.stdin, &out, &errs)
			if code != c.code || !strings.Contains(errs.String(), c.says) || out.Len() > 0 {
				t.Errorf("exit code %d, want %d; said %q %q, want %q", code, c.code, out.String(), errs.String(), c.says)
			}
		})
	}
}
