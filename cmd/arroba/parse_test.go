package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// parseFiles runs the command on a folder of its own that holds the given files.
func parseFiles(t *testing.T, files map[string]string, stdin string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	cmd := parseCommand()
	cmd.SetArgs(args)
	cmd.SetIn(strings.NewReader(stdin))
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	err = cmd.Execute()
	return out.String(), errs.String(), err
}

func rows(t *testing.T, out string) []parsed {
	t.Helper()
	var rows []parsed
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var row parsed
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		rows = append(rows, row)
	}
	return rows
}

const parseLetter = "From: Ivan <ivan@players.example>\nMessage-ID: <1@players.example>\nSubject: my <move>\n\n1. HELP\n\n- PAY 30 \\\nTO Anna\n> WHO\n"

func TestParseJSON(t *testing.T) {
	out, errs, err := parseFiles(t, map[string]string{"a.eml": parseLetter}, "", "--json", "a.eml")
	if err != nil || errs != "" {
		t.Fatalf("%v, %s", err, errs)
	}
	want := `{"file":"a.eml","class":"orders","from":"ivan@players.example","message_id":"<1@players.example>","subject":"my <move>",` +
		`"lines":["HELP","PAY 30 \\","TO Anna"],"attachments":[],"authenticated":"none","problems":[]}` + "\n"
	if out != want {
		t.Errorf("got  %swanted %s", out, want)
	}
}

func TestParseManyFiles(t *testing.T) {
	out, errs, err := parseFiles(t, map[string]string{
		"d/b.eml": parseLetter, "d/a.eml": "Delivered-To: gm@games.example\n" + parseLetter, "d/c.txt": "no mail", "odd": "\xff\x00",
		"auto1.eml": "Auto-Submitted: auto-replied\n" + parseLetter, "auto2.eml": "Auto-Submitted: auto-replied\n" + parseLetter,
	}, parseLetter, "--json", "missing.eml", "auto1.eml", "auto2.eml", "d", "-", "odd")
	if err == nil || !strings.Contains(errs, "missing.eml") || !strings.Contains(errs, "check the name") {
		t.Errorf("the missing file was not told: %v, %q", err, errs)
	}
	var got []string
	for _, r := range rows(t, out) {
		got = append(got, r.File+" "+string(r.Class))
		if r.Class != "orders" && len(r.Lines) > 0 {
			t.Errorf("%s has lines %q", r.File, r.Lines)
		}
	}
	want := []string{"auto1.eml auto-reply", "auto2.eml auto-reply", "d/a.eml orders", "d/b.eml duplicate", "- duplicate", "odd malformed"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, wanted %q", got, want)
	}
}

func TestParseStandardInput(t *testing.T) {
	out, _, err := parseFiles(t, nil, "Authentication-Results: mx.games.example; dmarc=pass header.from=players.example\n"+parseLetter, "--json", "--authserv-id", "mx.games.example")
	if r := rows(t, out); err != nil || len(r) != 1 || r[0].File != "-" || r[0].Authenticated != "pass" {
		t.Errorf("got %s, %v", out, err)
	}
}

func TestParseForPeople(t *testing.T) {
	out, _, err := parseFiles(t, map[string]string{"a.eml": parseLetter}, "", "a.eml")
	for _, want := range []string{"a.eml: orders, from ivan@players.example", "Subject: my <move>", "| PAY 30 \\", "| TO Anna"} {
		if !strings.Contains(out, want) {
			t.Errorf("%v, lacks %q:\n%s", err, want, out)
		}
	}
}
