package templates

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"arroba/rules"
)

// inTemplate renders one line as a ruleset's text.
func inTemplate(t *testing.T, r Reader, line string, data rules.Data) (string, error) {
	t.Helper()
	text := []byte(`{{define "x"}}` + line + `{{end}}{{define "upper"}}<{{.}}>{{end}}`)
	x, err := New(&rules.Ruleset{Texts: fstest.MapFS{"en/x.tmpl": {Data: text}, "ru/x.tmpl": {Data: text}}})
	if err != nil {
		t.Fatal(err)
	}
	return x.Event(r, "x", time.Time{}, data)
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestFunctions(t *testing.T) {
	moscow, berlin := zone(t, "Europe/Moscow"), zone(t, "Europe/Berlin")
	feb := time.Date(2026, 2, 2, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		lang string
		zone *time.Location
		line string
		v    any
		want string
	}{
		{"en", moscow, "{{date .v}}", feb, "Monday, 2 February 2026, 13:00 (Europe/Moscow)"},
		{"ru", moscow, "{{date .v}}", feb, "понедельник, 2 февраля 2026 г., 13:00 (Europe/Moscow)"},
		{"en", nil, "{{date .v}}", "2026-02-02T10:00:00Z", "Monday, 2 February 2026, 10:00 (UTC)"},
		{"en", nil, "{{date .v}}", "2026-12-31T23:59:59.5+01:00", "Thursday, 31 December 2026, 22:59:59 (UTC)"},
		{"ru", moscow, "до {{till .v}}", feb.Add(48 * time.Hour), "до среды, 4 февраля 2026 г., 13:00 (Europe/Moscow)"},
		{"ru", moscow, "{{from .v}}", feb.Add(48 * time.Hour), "со среды, 4 февраля 2026 г., 13:00 (Europe/Moscow)"},
		{"ru", moscow, "{{from .v}}", feb, "с понедельника, 2 февраля 2026 г., 13:00 (Europe/Moscow)"},
		{"en", moscow, "until {{till .v}}", feb, "until Monday, 2 February 2026, 13:00 (Europe/Moscow)"},
		{"ru", berlin, "{{day .v}}", feb.Add(14 * time.Hour), "вторник, 3 февраля 2026 г."},
		{"en", berlin, "{{date .v}}", "2026-10-25T00:30:00Z", "Sunday, 25 October 2026, 02:30 (Europe/Berlin, UTC+02:00)"},
		{"en", berlin, "{{date .v}}", "2026-10-25T01:30:00Z", "Sunday, 25 October 2026, 02:30 (Europe/Berlin, UTC+01:00)"},
		{"fr", nil, "{{day .v}}", feb, "Monday, 2 February 2026"},

		{"en", nil, "{{span .v}}", 50*time.Hour + 59*time.Minute, "2 days, 2 hours"},
		{"en", nil, "{{span .v}}", 24*time.Hour + 59*time.Second, "1 day"},
		{"en", nil, "{{span .v}}", 24*time.Hour - time.Second, "1 day"},
		{"en", nil, "{{span .v}}", 61 * time.Minute, "1 hour, 1 minute"},
		{"en", nil, "{{span .v}}", 29 * time.Second, "less than a minute"},
		{"ru", nil, "{{span .v}}", 5*24*time.Hour + 21*time.Hour, "5 дней, 21 час"},
		{"ru", nil, "{{span .v}}", time.Second, "меньше минуты"},

		{"en", nil, "{{list .v}}", []string{"A"}, "A"},
		{"en", nil, "{{list .v}}", []any{"A", 2}, "A and 2"},
		{"en", nil, "{{list .v}}", []rules.Seat{"A", "B", "C"}, "A, B and C"},
		{"ru", nil, "{{list .v}}", []string{"A", "Б", "В"}, "A, Б и В"},
		{"en", nil, "{{list .v}}", []string{}, ""},
		{"en", nil, `{{list (each "upper" .v)}}`, []string{"a", "b"}, "<a> and <b>"},

		{"en", nil, "{{gold .v}}", 1000, "1000 @"},
		{"en", nil, "{{gold .v}}", int64(-20), "-20 @"},
		{"en", nil, "{{gold .v}}", 1e9, "1000000000 @"},
		{"en", nil, "{{number .v}}", json.Number("12"), "12"},
		{"en", nil, "{{number .v}}", uint8(7), "7"},
		{"en", nil, `{{cap .v}}`, "élan", "Élan"},
		{"en", nil, `{{kind .v}}`, "nick", "player"},
		{"en", nil, `{{kind .v}}`, "unheard-of", "unheard-of"},
		{"en", nil, `{{same .v "count"}}`, rules.Role("count"), "true"},
	} {
		got, err := inTemplate(t, Reader{c.lang, c.zone}, c.line, rules.Data{"v": c.v})
		if err != nil || got != c.want {
			t.Errorf("%s of %v in %s: %v\n got %q\nwant %q", c.line, c.v, c.lang, err, got, c.want)
		}
	}
}

func TestPlurals(t *testing.T) {
	for lang, c := range map[string]struct {
		line string
		of   map[int]string
	}{
		"en": {`{{plural .v "duel" "duels"}}`, map[int]string{0: "0 duels", 1: "1 duel", 2: "2 duels", 11: "11 duels", 21: "21 duels", 101: "101 duels", 10000001: "10000001 duels"}},
		"ru": {`{{plural .v "дуэль" "дуэли" "дуэлей"}}`, map[int]string{
			0: "0 дуэлей", 1: "1 дуэль", 2: "2 дуэли", 4: "4 дуэли", 5: "5 дуэлей", 10: "10 дуэлей", 11: "11 дуэлей",
			12: "12 дуэлей", 14: "14 дуэлей", 15: "15 дуэлей", 20: "20 дуэлей", 21: "21 дуэль", 22: "22 дуэли",
			25: "25 дуэлей", 101: "101 дуэль", 111: "111 дуэлей", 112: "112 дуэлей", 1000: "1000 дуэлей", 1001: "1001 дуэль",
			-1: "-1 дуэль", -3: "-3 дуэли", 1000000021: "1000000021 дуэль"}},
	} {
		for n, want := range c.of {
			if got, err := inTemplate(t, Reader{Language: lang}, c.line, rules.Data{"v": n}); err != nil || got != want {
				t.Errorf("%d in %s: %v, %q", n, lang, err, got)
			}
		}
	}
}

func TestQuote(t *testing.T) {
	got, err := inTemplate(t, Reader{Language: "en"}, "{{quote .text}}", rules.Data{"text": "a\r\nb\n\n"})
	if err != nil || got != "> a\n> b" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestFaults: a text that cannot be told is an error, never a half text.
func TestFaults(t *testing.T) {
	for line, want := range map[string]string{
		"{{.missing}}":             "missing",
		"{{date .v}}":              "no instant",
		"{{number .v}}":            "no whole number",
		"{{gold .half}}":           "no whole number",
		"{{list .v}}":              "no list",
		`{{plural 3 "duel"}}`:      "takes",
		`{{say "unheard-of" .}}`:   "no text",
		`{{template "upper" .no}}`: "no",
	} {
		_, err := inTemplate(t, Reader{Language: "en"}, line, rules.Data{"v": "Oleg", "half": 0.5})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `"x"`) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestNewNamesTheBrokenFile(t *testing.T) {
	_, err := New(&rules.Ruleset{Texts: fstest.MapFS{
		"en/broken.tmpl": {Data: []byte("{{define \"x\"}}\n{{if}}{{end}}{{end}}")}, "ru/x.tmpl": {Data: []byte("")}}})
	if err == nil || !strings.Contains(err.Error(), "broken.tmpl:2") {
		t.Errorf("broken text: %v", err)
	}
	_, err = New(&rules.Ruleset{Texts: fstest.MapFS{"en/x.tmpl": {Data: []byte("")}}})
	if err == nil || !strings.Contains(err.Error(), `"ru"`) {
		t.Errorf("missing language: %v", err)
	}
}
