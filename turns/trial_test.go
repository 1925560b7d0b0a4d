package turns

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"arroba/ingest"
	"arroba/outbox"
	"arroba/rules"
)

// kept is all that the database holds of people and games, but for the log, what was sent and what was taken in.
func (r *rig) kept() string {
	r.Helper()
	var tables []string
	rows, err := r.DB.Read().QueryContext(r.Context(), `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
	if err != nil {
		r.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			r.Fatal(err)
		}
		if !slices.Contains([]string{"inbox", "inbox_more", "source", "input", "snapshot", "outbox", "goose_db_version"}, name) {
			tables = append(tables, name)
		}
	}
	var b strings.Builder
	for _, table := range tables {
		rows, err := r.DB.Read().QueryContext(r.Context(), `SELECT * FROM `+table)
		if err != nil {
			r.Fatal(err)
		}
		columns, _ := rows.Columns()
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				r.Fatal(err)
			}
			for i, c := range columns {
				if !slices.Contains([]string{"last_input", "chain", "digested"}, c) {
					fmt.Fprintf(&b, "%s.%s = %v\n", table, c, *values[i].(*any))
				}
			}
		}
		rows.Close()
	}
	return b.String()
}

// differing lists the lines that only one of two texts has.
func differing(was, now string) string {
	lines := func(s string) []string { return strings.Split(s, "\n") }
	var list []string
	for _, l := range lines(was) {
		if !slices.Contains(lines(now), l) {
			list = append(list, "- "+l)
		}
	}
	for _, l := range lines(now) {
		if !slices.Contains(lines(was), l) {
			list = append(list, "+ "+l)
		}
	}
	return strings.Join(list, "\n")
}

// TestATestCarriesNothingOut: whatever order a letter tries, the engine's own among them, a GM's or a player's, nothing
// comes of it but the receipt.
func TestATestCarriesNothingOut(t *testing.T) {
	_, grammar := compileOwn()
	r := newRig(t)
	r.game("lands", `authentication = "token"`)
	filled := map[string]string{"n": "1", "member": "Clara", "members": "Boris", "nick": "Dora", "address": "new@x.example", "language": "ru",
		"from": "2026-04-01", "until": "2026-04-03", "duration": "36h", "date": "2026-04-01", "text": "so be it", "reason": "a fair", "verb": "ADD"}
	accepted := 0
	for _, o := range ownOrders() {
		args := map[string]string{}
		for _, s := range grammar.Slots(o.ID, "en") {
			args[s.Name] = filled[s.Name]
		}
		line := grammar.Fill(o.ID, "en", args)
		if o.ID == formTest || o.ID == formAs {
			continue
		}
		if end := o.End["en"]; end != "" {
			line += "\nsome text\n" + end
		}
		for _, by := range []rules.Seat{"Anna", "Gareth"} {
			writer := r.load("lands").seat(by)
			was, state := r.kept(), r.encoded("lands")
			letter := r.say(writer.Addresses[0], "lands+"+writer.token+"@play.example", "TEST\nBELL one 5\n"+line+"\nAS Anna\n"+line)
			if letter.Status != ingest.Done {
				t.Errorf("%s tries %q: %+v", by, line, letter)
			}
			items := r.sent()
			if len(items) != 1 || items[0].Kind != outbox.Receipt || items[0].To != writer.Addresses[0] {
				t.Errorf("%s tries %q, and %d mails come of it", by, line, len(items))
			}
			accepted += strings.Count(items[0].Text, "Verdict: accepted (E-")
			if now := r.kept(); now != was {
				t.Errorf("%s tries %q, and the database has changed:\n%s", by, line, differing(was, now))
			}
			if !slices.Equal(r.encoded("lands"), state) {
				t.Errorf("%s tries %q, and the state has changed", by, line)
			}
			live, loaded := r.live["lands"].Game, *r.load("lands")
			if !reflect.DeepEqual(live, loaded) {
				t.Errorf("%s tries %q, and the game in memory has changed from\n%+v\nto\n%+v", by, line, loaded, live)
			}
		}
	}
	if accepted < 20 {
		t.Errorf("only %d orders were accepted", accepted)
	}
}
