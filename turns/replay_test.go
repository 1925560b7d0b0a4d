package turns

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"
)

// played is a game with a bit of everything.
func played(t testing.TB) *rig {
	r := newRig(t)
	r.game("lands")
	r.anna("NAME lamp\nUSE lamp\nADD 1\nADD 0\nADD many\nBELL a 90")
	r.now = r.now.Add(time.Hour)
	r.say("boris@x.example", "lands@play.example", "TEST\nADD 2\nNAME oil\nUSE oil")
	r.gm("AS Anna\nADD 4\nPRESS TO Boris\nThe moonstone.\nEND PRESS")
	r.gm("ROLLBACK TO EVENT 2")
	r.anna("ADD 8\nHELP\nADD 16")
	r.gm("REDO 1")
	return r
}

func TestReplay(t *testing.T) {
	r := played(t)
	letter := strings.Repeat("ADD 1\n", 500)
	for range 4 { // enough for a snapshot
		r.anna(letter)
	}
	got, err := r.Replay(t.Context(), "lands", func(said string) { t.Error(said) })
	if err != nil {
		t.Fatal(err)
	}
	if want := int64(r.count(`SELECT MAX(n) FROM input`)); got.Inputs != want {
		t.Errorf("%d inputs, want %d", got.Inputs, want)
	}
	if want := r.load("lands").LastN; got.Events != want {
		t.Errorf("%d events, want %d", got.Events, want)
	}
	if want := int64(r.count(`SELECT COUNT(*) FROM snapshot WHERE n > 0`)); got.Snapshots != want || want < 2 {
		t.Errorf("%d snapshots, want %d", got.Snapshots, want)
	}
}

// rechain makes the chain of hashes whole again, as somebody would who changes a log and knows how it is made.
func (r *rig) rechain(game string) {
	r.Helper()
	list, err := Inputs(r.Context(), r.DB.Read(), game, -1, 1000)
	if err != nil {
		r.Fatal(err)
	}
	var before []byte
	for i := range list {
		before = list[i].chained(before)
		r.exec(`UPDATE input SET chain = $1 WHERE game = $2 AND n = $3`, before, game, list[i].N)
	}
	r.exec(`UPDATE game SET chain = $1 WHERE name = $2`, before, game)
	r.forget(game)
}

func TestReplayNamesTheFirstDifference(t *testing.T) {
	tests := []struct {
		name, change string
		rechain      bool
		input        int64
		says         []string
	}{
		{"an order, not sealed again", `UPDATE input SET body = REPLACE(body, '"n":8', '"n":9') WHERE n = 6`, false, 0, []string{"input 6 was changed"}},
		{"an order", `UPDATE input SET body = REPLACE(body, '"n":8', '"n":9') WHERE n = 6`, true, 6, []string{`"n":8,"sum":9`, `"n":9,"sum":10`}},
		{"an event that was not", `UPDATE input SET events = '[]' WHERE n = 2`, true, 2, []string{"no further event", `"rang"`}},
		{"a verdict", `UPDATE input SET body = REPLACE(body, '"verdict":"accepted"', '"verdict":"refused"') WHERE n = 4`, true, 4, []string{`"sum":5`, "no further event"}},
		{"what was given again", `UPDATE input SET body = REPLACE(body, '"again"', '"nothing"') WHERE n = 7`, true, 7, []string{"the snapshot after it", "Timers"}},
		{"the round of an input", `UPDATE input SET round = round + 1 WHERE n = 3`, false, 3, []string{"round 2 after it", "round 1"}},
		{"the number of the last event", `UPDATE game SET last_n = last_n + 1`, false, 0, []string{"the log of lands ends at event"}},
		{"the seed", `UPDATE game SET seed = 'noon'`, false, 0, []string{"the seed of the game is not the one"}},
		{"that it was taken back", `DELETE FROM turn WHERE again = ''`, false, 5, []string{"turned back"}},
		{"where it was taken back to", `UPDATE turn SET to_line = to_line + 1 WHERE again = ''`, false, 5, []string{"turned back"}},
		{"a turn that never was", `INSERT INTO turn (game, n, line, to_n, to_line, again) VALUES ('lands', 9, 1, 1, 1, '')`, false, 9, []string{"or none"}},
		{"a snapshot", `UPDATE snapshot SET state = REPLACE(CAST(state AS TEXT), 'lamp', 'limp') WHERE n = 5`, false, 0, []string{"snapshot after input 5 was changed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := played(t)
			before := r.count(`SELECT COUNT(*) FROM input`)
			r.exec(tt.change)
			if tt.rechain {
				r.rechain("lands")
			}
			_, err := r.Replay(t.Context(), "lands", nil)
			if err == nil || before == 0 {
				t.Fatal("nothing was found")
			}
			var d *Difference
			if errors.As(err, &d) != (tt.input > 0) || d != nil && d.Input != tt.input {
				t.Errorf("%v, want it at input %d", err, tt.input)
			}
			for _, s := range tt.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%v; want it to say %q", err, s)
				}
			}
		})
	}
}

func TestReplayOfOtherRules(t *testing.T) {
	r := played(t)
	r.exec(`UPDATE game SET version = 7`)
	if _, err := r.Replay(t.Context(), "lands", nil); err == nil || !strings.Contains(err.Error(), "version 7") {
		t.Error(err)
	}
	if _, err := r.Replay(t.Context(), "moors", nil); !errors.Is(err, ErrUnknownGame) {
		t.Error(err)
	}
}

// What the reader of letters does better today shows, and changes nothing.
func TestReplayReadsTheRawLettersAgain(t *testing.T) {
	for name, tt := range map[string]struct{ change, says string }{
		"another order": {`UPDATE inbox SET raw = REPLACE(CAST(raw AS TEXT), 'ADD 8', 'ADD 7') WHERE id = (SELECT inbox FROM input WHERE n = 6)`, `input 6, letter .*the order add in "ADD 8".*the order add in "ADD 7"`},
		"a line more": {`UPDATE inbox SET raw = REPLACE(CAST(raw AS TEXT), 'ADD 16', 'ADD 16
ADD 1') WHERE id = (SELECT inbox FROM input WHERE n = 6)`, `no further line.*"ADD 1"`},
		"a line less": {`UPDATE inbox SET raw = REPLACE(CAST(raw AS TEXT), 'ADD 16', 'Bye.') WHERE id = (SELECT inbox FROM input WHERE n = 6)`, `"ADD 16".*no further line`},
		"no letter":   {`DELETE FROM inbox WHERE id = (SELECT inbox FROM input WHERE n = 6)`, `is not kept`},
	} {
		r := played(t)
		r.exec(strings.ReplaceAll(tt.change, `\n`, "\n"))
		var said []string
		if _, err := r.Replay(t.Context(), "lands", func(s string) { said = append(said, s) }); err != nil {
			t.Fatal(err)
		}
		if len(said) != 1 || !regexp.MustCompile(tt.says).MatchString(said[0]) {
			t.Errorf("%s: said %q, want one that fits %s", name, said, tt.says)
		}
	}
}
