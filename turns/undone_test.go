package turns

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// marks are what the log shows of the game lands as undone: events by their numbers, and lines.
func (r *rig) marks() (events []int64, lines []string) {
	r.Helper()
	u, err := r.Undone(r.Context(), r.load("lands"))
	if err != nil {
		r.Fatal(err)
	}
	list, err := Inputs(r.Context(), r.DB.Read(), "lands", -1, 1000)
	if err != nil {
		r.Fatal(err)
	}
	for i := range list {
		e, err := list[i].Entry("lands")
		if err != nil {
			r.Fatal(err)
		}
		u.Mark(&e)
		events = append(events, e.Undone...)
		for _, o := range e.Orders {
			if o.Undone {
				lines = append(lines, o.Line)
			}
		}
	}
	return events, lines
}

// What is undone is marked in the log and in HISTORY; what was said, and what concerns people, is not undone.
func TestWhatIsUndoneIsMarked(t *testing.T) {
	tests := []struct {
		name    string
		letters []string
		events  []int64
		lines   []string
	}{
		{"nothing", []string{"ADD 1"}, nil, nil},
		{"half a letter", []string{"ADD 1\nADD 2\nSTATUS", "ADD 4", "ROLLBACK TO EVENT 2", "ADD 8"}, []int64{3, 4}, []string{"ADD 2", "ADD 4"}},
		{"of an order of several events", []string{"ADD 1\nTELL Boris\nADD 2", "ROLLBACK TO EVENT 3"}, []int64{4}, []string{"ADD 2"}},
		{"but not press", []string{"ADD 1", "PRESS TO Boris\nhello\nEND PRESS\nADD 2", "ROLLBACK TO EVENT 2"}, []int64{4}, []string{"ADD 2"}},
		{"twice", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2", "ADD 4", "ROLLBACK TO EVENT 4", "ADD 8"}, []int64{3, 5}, []string{"ADD 2", "ADD 4"}},
		{"further back", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2", "ADD 4", "ROLLBACK TO EVENT 1"}, []int64{2, 3, 4, 5}, []string{"ADD 1", "ADD 2", "ADD 4"}},
		{"and in force again", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2", "ADD 4", "ROLLBACK TO EVENT 3"}, []int64{4, 5}, []string{"ADD 4"}},
		{"what was given again", []string{"ADD 1", "ADD 2", "ROLLBACK TO EVENT 2", "REDO ALL", "ROLLBACK TO EVENT 4"}, []int64{3, 5}, []string{"ADD 2", "ADD 2"}},
		{"to a round", []string{"ADD 1\nTURN OVER\nADD 2", "ADD 4", "ROLLBACK TO ROUND 2"}, []int64{3, 4}, []string{"ADD 2", "ADD 4"}},
		{"to the opening", []string{"ADD 1", "ROLLBACK TO ROUND 1"}, []int64{2}, []string{"ADD 1"}},
		{"twice in a letter", []string{"ADD 1", "ADD 2", "ADD 4", "ROLLBACK TO EVENT 3\nAS Anna\nADD 8\nAS Gareth\nROLLBACK TO EVENT 2"}, []int64{3, 4, 5, 6}, []string{"ADD 2", "ADD 4", "ADD 8"}},
		{"no test", []string{"ADD 1", "TEST\nADD 2", "ROLLBACK TO EVENT 1"}, []int64{2}, []string{"ADD 1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.game("lands")
			for _, l := range tt.letters {
				if strings.HasPrefix(l, "R") {
					r.gm(l)
				} else {
					r.anna(l)
				}
			}
			events, lines := r.marks()
			equal(t, "events", events, tt.events...)
			equal(t, "lines", lines, tt.lines...)
			r.sent()
			r.gm("HISTORY")
			text := r.sent()[0].Text
			for n := int64(1); n <= r.load("lands").LastN; n++ {
				if !strings.Contains(text, fmt.Sprintf("No. %d,", n)) {
					continue // not for the GM
				}
				_, rest, _ := strings.Cut(text, fmt.Sprintf("No. %d,", n))
				head, _, _ := strings.Cut(rest, "\n")
				if strings.Contains(head, "undone since") != slices.Contains(events, n) {
					t.Errorf("HISTORY says of event %d: %s", n, head)
				}
			}
			r.same("lands")
		})
	}
}
