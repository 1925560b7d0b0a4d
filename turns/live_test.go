package turns

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestTheLogPlaysOnToTheSameState(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	for i := range 40 {
		r.say("anna@x.example", "lands@play.example", fmt.Sprintf("ADD %d\nBELL b%d 90\nADD 0\nNAME w%d\nWHO\nCANCEL 1\nUSE nothing", i+1, i, i))
	}
	before := r.encoded("lands")
	r.forget("lands")
	if after := r.encoded("lands"); !bytes.Equal(before, after) {
		t.Errorf("the state read afresh is another one:\n%s\n%s", before, after)
	}
	if err := CheckChain(t.Context(), r.DB.Read(), "lands"); err != nil {
		t.Error(err)
	}
}

func (r *rig) encoded(game string) []byte {
	r.Helper()
	var out []byte
	err := r.look(r.Context(), game, func(g *live) (err error) {
		out, err = g.state.Encode()
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
	return out
}

func TestSnapshotsAreWrittenWhenTheLogOutgrowsThem(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	letter := strings.Repeat("ADD 1\n", 500)
	for range 8 {
		r.say("anna@x.example", "lands@play.example", letter)
	}
	if n := r.count(`SELECT COUNT(*) FROM snapshot`); n < 2 || n > 8 {
		t.Errorf("%d snapshots", n)
	}
	r.forget("lands")
	if got := r.sum("lands"); got != 4000 {
		t.Errorf("sum %d, want 4000", got)
	}
}

func TestAChangedLogIsFound(t *testing.T) {
	for name, change := range map[string]string{
		"an order":   `UPDATE input SET body = REPLACE(body, 'ADD 1', 'ADD 9') WHERE n = 2`,
		"an event":   `UPDATE input SET events = REPLACE(events, 'Anna', 'Anya') WHERE n = 2`,
		"a hash":     `UPDATE input SET chain = x'00' WHERE n = 2`,
		"a gap":      `DELETE FROM input WHERE n = 2`,
		"the number": `UPDATE input SET n = 7 WHERE n = 3`,
	} {
		r := newRig(t)
		r.game("lands")
		for range 3 {
			r.say("anna@x.example", "lands@play.example", "ADD 1")
		}
		if err := CheckChain(t.Context(), r.DB.Read(), "lands"); err != nil {
			t.Errorf("unchanged: %v", err)
		}
		r.exec(change)
		if err := CheckChain(t.Context(), r.DB.Read(), "lands"); err == nil {
			t.Errorf("%s was changed and nobody saw it", name)
		}
	}
}

func TestAGameThatCannotBeReadIsHeldAndItsLettersWait(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.game("marches")
	r.say("anna@x.example", "lands@play.example", "ADD 1")
	r.exec(`UPDATE input SET events = REPLACE(events, 'Anna', 'Anya') WHERE n = 1 AND game = 'lands'`)
	r.forget("lands")
	r.sent()
	if got := r.say("anna@x.example", "lands@play.example", "ADD 1"); got.Status != "waiting" {
		t.Errorf("status %s", got.Status)
	}
	equal(t, "told", r.told(), "question gm@lands.example", "alarm ops@x.example")
	if got := r.say("anna@x.example", "marches@play.example", "ADD 1"); got.Status != "done" {
		t.Errorf("the other game: status %s", got.Status)
	}
}

func TestTheOldestLiveGameGoesFirst(t *testing.T) {
	r := newRig(t)
	for i := range maxLive + 3 {
		r.game(fmt.Sprintf("g%d", i), "all@play.example")
	}
	if n := len(r.live); n != maxLive {
		t.Errorf("%d games in memory, want %d", n, maxLive)
	}
	if r.live["g0"] != nil || r.live[fmt.Sprintf("g%d", maxLive+2)] == nil {
		t.Error("the wrong games went")
	}
	if got := r.sum("g0"); got != 0 {
		t.Errorf("sum %d", got)
	}
}
