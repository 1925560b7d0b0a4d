package kingmaker

import (
	"slices"
	"testing"

	"arroba/rules"
	"arroba/rules/rulestest"
)

func TestPermissions(t *testing.T) {
	for _, s := range []script{
		{"KM-5.0 permissions are the controller's to give, at any time", theMarch, `
			d0 Boris: PERMIT Red DOCK AT Wykeport => KM-5.0
			! permission-given
			@ permission-given kinds = ["dock"]
			@ permission-given to = gm,Boris,Anna
			? permissions = [{"from":"Blue","to":"Red","location":"Wykeport","kind":"dock","standing":false}]
			d0 Boris: PERMIT Green ENTER, pass AND leave AT Mirehold STANDING => KM-5.0
			@ permission-given kinds = ["pass","enter","leave"]
			@ permission-given standing = true
			d0 Boris: PERMIT Grey ALL AT Wykeport => KM-5.0
			@ permission-given to = gm,Boris
			@ permission-given kinds = ["pass","enter","dock","leave"]
			d0 Anna: PERMIT Blue PASS AT Wykeport => refused KM-5.0 control
			d0 Anna: PERMIT Blue PASS AT Birkby => refused KM-5.0 control
			d0 Boris: PERMIT Blue PASS AT Wykeport => refused KM-5.0 self
			d0 Boris: PERMIT Red SLEEP AT Wykeport => unclear
			d0 Dora: PERMIT Red PASS AT Wykeport => refused KM-P8 player
			d0 Gareth: PERMIT Red PASS AT Wykeport => refused KM-P8 player
		`},
		{"KM-5.0 in Russian", theMarch, `
			d0 Boris: РАЗРЕШИТЬ Красные ПРИЧАЛ, вход В Уайкпорт ПОСТОЯННО => KM-5.0
			@ permission-given kinds = ["enter","dock"]
			d0 Boris: РАЗРЕШИТЬ Зелёные ВСЁ В Уайкпорт => KM-5.0
			d0 Boris: ОТОЗВАТЬ Красные ПРИЧАЛ В Уайкпорт => KM-5.0
			@ permission-ended kinds = ["dock"]
			d0 Boris: ОТОЗВАТЬ Зелёные В Уайкпорт => KM-5.0
			@ permission-ended kinds = ["pass","enter","dock","leave"]
		`},
		{"KM-5.0 a later one replaces the earlier", theMarch, `
			d0 Boris: PERMIT Red DOCK, LEAVE AT Wykeport STANDING => KM-5.0
			d0 Boris: PERMIT Red DOCK AT Wykeport => KM-5.0
			! permission-given
			? permissions.0.standing = true
			? permissions.0.kind = "leave"
			? permissions.1.standing = false
			d0 Boris: REVOKE Red AT Wykeport => KM-5.0
			! permission-ended permission-ended
			@ permission-ended why = "revoked"
			? permissions = []
			d0 Boris: REVOKE Red AT Wykeport => refused KM-5.0 nothing
			d0 Anna: REVOKE Blue AT Wykeport => refused KM-5.0 control
			d0 Boris: REVOKE Blue AT Wykeport => refused KM-5.0 nothing
		`},
		{"KM-5.0 what does not stand ends with its Round", theMarch, `
			d0+12h Boris: PERMIT Red DOCK AT Wykeport => KM-5.0
			d0+12h Boris: PERMIT Red LEAVE AT Wykeport STANDING => KM-5.0
			d0+13h Anna: READY => KM-P1
			d0+14h Boris: READY => KM-P1
			d0+15h Clara: READY => KM-P1
			d0+16h
			@ permission-ended kinds = ["dock"]
			@ permission-ended why = "round"
			@ permission-ended to = gm,Boris,Anna
			? permissions = [{"from":"Blue","to":"Red","location":"Wykeport","kind":"leave","standing":true}]
		`},
		{"KM-A12b defending is for allies, with one's own nobles", theMarch, `
			d0+13h Anna: Aske DEFEND WITH Blue => refused KM-A12b
			d0+13h Anna: Aske, Ayton DEFEND WITH Blue => refused KM-A12b
			d0+13h Anna: Bewick DEFENDS WITH Blue => refused KM-P3 not-yours
			d0+13h Anna: Delaval DEFENDS WITH Blue => refused KM-P3
			d0+13h Anna: Tern DEFENDS WITH Blue => refused KM-A12b ship
			d0+13h Anna: Aske DEFENDS WITH Blue IN Oxton => refused KM-P2 defend
			d0+13h Anna: ARMY 3 DEFENDS WITH Blue => refused KM-P3 group
			d0+13h Anna: DEFEND WITH Blue WITH Aske => refused KM-A12b
			d0+13h Anna: Аск ЗАЩИЩАЕТ Синие => refused KM-A12b
			d0+13h Gareth: Aske DEFENDS WITH Blue => refused KM-P8 player
		`},
		{"KM-A4c nothing waits", theMarch, `
			d0+13h Anna: CONFIRM ORDER 1 => refused KM-A4c
			d0+13h Anna: ОТКЛОНИТЬ ПРИКАЗ 99999999999999999999 => refused KM-A4c
			d0+13h Gareth: CONFIRM ORDER 1 => refused KM-P8 player
		`},
		{"KM-P1 READY is for whose turn it is", theMarch, `
			d0 Anna: READY => refused KM-P9 no-phase
			d0+13h Boris: READY => refused KM-P1 ready
			d0+13h Anna: READY => KM-P1
			+ WAIT => KM-P1
			d0+14h
			! -
			d1+13h
			! turn-closed nmr turn-began
			@ nmr faction = "Red"
			@ nmr to = tavern,gm,copies,Anna
			@ turn-closed by = "deadline"
			@ turn-began turn = "Blue"
			d1+13h Boris: READY => KM-P1
			d1+13h1m Gareth: PROCESS NOW => E
			@ turn-began turn = "Green"
			d1+13h2m
			! turn-closed round-began turn-began
			@ round-began round = 2
		`},
	} {
		s.run(t)
	}
}

// Every reason stands in the lists once, and waits in the lists with a rule of this game.
func TestRefusalsListed(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range refusals {
		name := r.rule + " " + r.why
		if seen[name] {
			t.Errorf("%q stands twice", name)
		}
		seen[name] = true
	}
}

// A change of control ends the permissions at the place, whoever it goes to (KM-5.0).
func TestControlEndsPermissions(t *testing.T) {
	a := begin(opened(t, theMarch), rules.Env{})
	a.Permissions = []Permission{{From: "Blue", To: "Red", Location: "Wykeport", Kind: "dock", Standing: true}, {From: "Blue", To: "Red", Location: "Mirehold", Kind: "pass"}}
	a.setControl("Wykeport", "Blue")
	if len(a.events) > 0 {
		t.Errorf("nothing changes, and still there is %v", a.events)
	}
	a.setControl("Wykeport", "")
	if got := rulestest.Types(a.events); !slices.Equal(got, []string{"control-changed", "permission-ended"}) || len(a.Permissions) != 1 || a.Control["Wykeport"] != "" {
		t.Errorf("events are %v, and left are %v", got, a.Permissions)
	}
}
