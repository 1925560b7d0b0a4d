package turns

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestVacationIsRuledOn(t *testing.T) {
	tests := []struct{ line, want, from, until string }{ // it is noon of 1 March 2026
		{"VACATION 2026-04-01 TO 2026-04-09", "accepted E-VACATION", "2026-04-01T00:00:00Z", "2026-04-09T23:59:59Z"},
		{"ОТПУСК 01.04.2026 ДО 09.04.2026 10:30", "accepted E-VACATION", "2026-04-01T00:00:00Z", "2026-04-09T10:30:00Z"},
		{"VACATION 2026-04-01T12:00:00+02:00 TO 2026-04-01", "accepted E-VACATION", "2026-04-01T10:00:00Z", "2026-04-01T23:59:59Z"},
		{"VACATION 2026-02-01 TO 2026-03-02", "accepted E-VACATION", "2026-02-01T00:00:00Z", "2026-03-02T23:59:59Z"},
		{"VACATION 2026-04-09 TO 2026-04-01", "refused E-VACATION", "", ""},
		{"VACATION 2026-04-09 10:00 TO 2026-04-09 10:00", "refused E-VACATION", "", ""},
		{"VACATION 2026-02-01 TO 2026-02-28", "refused E-VACATION", "", ""},
		{"VACATION 2026-02-01 TO 2026-03-01 12:00", "refused E-VACATION", "", ""},
		{"VACATION soon TO later", "unclear", "", ""},
		{"TEST\nVACATION 2026-04-01 TO 2026-04-09", "accepted E-TEST accepted E-VACATION", "", ""},
	}
	for _, tt := range tests {
		r := newRig(t)
		r.game("lands")
		equal(t, tt.line, []string{strings.Join(r.verdicts(r.say("boris@x.example", "lands@play.example", tt.line)), " ")}, tt.want)
		m := r.load("lands").seat("Boris")
		for _, is := range [][2]string{{instantOf(m.AwayFrom), tt.from}, {instantOf(m.AwayUntil), tt.until}} {
			if is[0] != is[1] {
				t.Errorf("%q: %v", tt.line, is)
			}
		}
		if tt.from == "" {
			continue
		}
		equal(t, "told", r.told(), "receipt boris@x.example", "copy gm@lands.example")
		before := r.encoded("lands")
		r.forget("lands")
		if string(before) != string(r.encoded("lands")) {
			t.Errorf("%q: played again it comes out otherwise", tt.line)
		}
	}
}

func instantOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

func TestVacationDays(t *testing.T) {
	const granted = "AS Anna\n"
	tests := []struct {
		name    string
		letters []string // those of GMs begin with AS; "+3" lets days pass
		want    string   // the last verdict
		left    int
	}{
		{"as many as there are", []string{"VACATION 2026-04-01 TO 2026-04-10"}, "accepted", 0},
		{"one more", []string{"VACATION 2026-04-01 TO 2026-04-11"}, "refused", 10},
		{"a part of a day is a day", []string{"VACATION 2026-04-01 22:00 TO 2026-04-11 01:00"}, "refused", 10},
		{"over two years", []string{"VACATION 2026-12-22 TO 2027-01-10"}, "accepted", 0},
		{"too long in the second year", []string{"VACATION 2026-12-31 TO 2027-01-11"}, "refused", 10},
		{"for ages", []string{"VACATION 2026-04-01 TO 9998-01-01"}, "refused", 10},
		{"a later one replaces one that has not begun", []string{"VACATION 2026-04-01 TO 2026-04-10", "VACATION 2026-05-01 TO 2026-05-10"}, "accepted", 0},
		{"what was taken counts", []string{"VACATION 2026-03-02 TO 2026-03-06", "+10", "VACATION 2026-05-01 TO 2026-05-06"}, "refused", 5},
		{"and leaves the rest", []string{"VACATION 2026-03-02 TO 2026-03-06", "+10", "VACATION 2026-05-01 TO 2026-05-05"}, "accepted", 0},
		{"what was taken before a change counts", []string{"VACATION 2026-03-02 TO 2026-03-11", "+4", "VACATION 2026-05-01 TO 2026-05-07"}, "refused", 6},
		{"a longer one of the same days", []string{"VACATION 2026-03-02 TO 2026-03-06", "+4", "VACATION 2026-03-02 TO 2026-03-11"}, "accepted", 0},
		{"granted", []string{granted + "VACATION 2026-04-01 TO 2026-04-30"}, "accepted", 0},
		{"the GM's own", []string{"GM VACATION 2026-04-01 TO 2026-04-30"}, "accepted", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.game("lands", "calendar = { vacation_days = 10 }")
			var last Outcome
			for _, letter := range tt.letters {
				var days int
				if n, _ := fmt.Sscanf(letter, "+%d", &days); n == 1 {
					r.now = r.now.Add(time.Duration(days) * day)
					continue
				}
				r.sent()
				from := "anna@x.example"
				if own, ok := strings.CutPrefix(letter, "GM "); ok || strings.HasPrefix(letter, granted) {
					from, letter = "gm@lands.example", own
				}
				last = r.say(from, "lands@play.example", letter)
			}
			got := r.verdicts(last)
			equal(t, "verdict", got[len(got)-1:], tt.want+" E-VACATION")
			if tt.want == "accepted" {
				return
			}
			items := r.sent()
			if len(items) != 2 || items[0].To != "anna@x.example" || items[1].To != "gm@lands.example" {
				t.Fatalf("told %+v", items)
			}
			if want := fmt.Sprintf("you have %d days left", tt.left); !strings.Contains(strings.Join(strings.Fields(items[0].Text), " "), want) {
				t.Errorf("no %q in\n%s", want, items[0].Text)
			}
			if want := "> AS Anna\n> " + tt.letters[len(tt.letters)-1] + "\n"; !strings.Contains(items[1].Text, want) {
				t.Errorf("the GM reads\n%s", items[1].Text)
			}
		})
	}
}

func TestWhoTellsWhoIsAway(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "VACATION 2026-03-05 TO 2026-03-09")
	for i, want := range []bool{true, false} {
		r.sent()
		r.say("clara@x.example", "lands@play.example", "WHO")
		text := strings.Join(strings.Fields(r.sent()[0].Text), " ")
		if got := strings.Contains(text, "Anna, player; away from Thursday, 5 March 2026, 00:00 (UTC) to Monday, 9 March 2026, 23:59:59 (UTC)"); got != want || strings.Contains(text, "anna@") {
			t.Errorf("asked %d times: %s", i+1, text)
		}
		r.now = r.now.Add(20 * day)
	}
}
