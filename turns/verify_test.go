package turns

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// diced is a game with draws in two rounds, and over a rollback.
func diced(t *testing.T) *rig {
	r := newRig(t)
	r.game("lands", `seed = "dawn"`)
	r.anna("DRAW 6\nDRAW 52\nTURN OVER\nDRAW 6")
	r.gm("ROLLBACK TO EVENT 2")
	r.anna("DRAW 52\nDRAW 9223372036854775807")
	return r
}

func (r *rig) verify(seed string) (Checked, error) {
	return VerifyDice("lands", seed, func(f func(Event) error) error { return EachEvent(r.Context(), r.DB.Read(), "lands", f) })
}

func TestVerifyDice(t *testing.T) {
	r := diced(t)
	c, err := r.verify("dawn")
	if err != nil || c.Draws != 5 || len(c.Wrong) > 0 {
		t.Fatalf("%+v, %v", c, err)
	}
	if _, err := r.verify(""); err != ErrSeedSecret {
		t.Errorf("before the seed is shown: %v", err)
	}
	if c, err = r.verify("dusk"); err != nil || c.Draws != 1 || len(c.Wrong) != 5 { // one is the same by chance
		t.Errorf("with another seed: %+v, %v", c, err)
	}
	for old, new := range map[string]string{`"counter":1,"of":6`: `"counter":2,"of":6`, `"round":1`: `"round":0`, `a card for Anna`: `a card for Boris`} {
		r := diced(t)
		r.exec(`UPDATE input SET events = REPLACE(events, $1, $2)`, old, new)
		if c, err := r.verify("dawn"); err != nil || len(c.Wrong) == 0 {
			t.Errorf("%s for %s was not found: %v", new, old, err)
		}
	}
	left := diced(t)
	left.exec(`UPDATE input SET events = '[]' WHERE n = 2`)
	if c, err := left.verify("dawn"); err != nil || c.Draws != 5 || len(c.Wrong)+len(c.Unseen) > 0 {
		t.Errorf("without the rollback: %+v, %v", c, err)
	}
	left.exec(`UPDATE input SET events = REPLACE(events, '"counter":1,"of":6', '"counter":null,"of":6') WHERE n = 1`)
	if c, err := left.verify("dawn"); err != nil || c.Draws != 3 || len(c.Wrong) > 0 || len(c.Unseen) != 1 {
		t.Errorf("with a draw left out: %+v, %v", c, err)
	}
	shown := diced(t)
	shown.exec(`UPDATE input SET events = '[{"n":99,"type":"seed-shown","at":"2026-03-01T00:00:00Z","rule":"","audience":["tavern"],"data":{"seed":"dawn"}}]' WHERE n = 2`)
	if c, err := shown.verify(""); err != nil || c.Draws != 5 || len(c.Wrong) > 0 {
		t.Errorf("with the seed that was shown: %+v, %v", c, err)
	}
}

// The script of docs/DICE.md does the same, on the events of an export and on the log.
func TestDrawsAreCheckedFromOutside(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("ARROBA_REAL") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	doc, err := os.ReadFile("../docs/DICE.md")
	if err != nil {
		t.Fatal(err)
	}
	script := regexp.MustCompile("(?s)```python\n(.*?)```").FindSubmatch(doc)[1]
	r := diced(t)
	a, err := OpenArchive(r.export())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	events, err := a.read(archiveEvents)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	list, err := Inputs(t.Context(), r.DB.Read(), "lands", -1, 100)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		e, err := list[i].Entry("lands")
		if err == nil {
			err = line(&log, e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, in := range [][]byte{events, log.Bytes()} {
		for seed, good := range map[string]int{"dawn": 6, "dusk": 1} {
			cmd := exec.CommandContext(t.Context(), python, "-c", string(script), "lands", seed)
			cmd.Stdin = bytes.NewReader(in)
			out, err := cmd.CombinedOutput()
			if err != nil || strings.Count(string(out), "good ") != good || strings.Count(string(out), "WRONG ") != 6-good {
				t.Errorf("with the seed %s it says %v\n%s", seed, err, out)
			}
		}
	}
	var n int
	if err := a.EachEvent(func(Event) error { n++; return nil }); err != nil || n != int(r.load("lands").LastN) {
		t.Errorf("%d events, %v", n, err)
	}
}
