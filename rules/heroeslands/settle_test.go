package heroeslands

import (
	"strings"
	"testing"
)

// TestPairs decides pairs (HL-67, HL-69, HL-70): a save is "days/points", "" for none.
func TestPairs(t *testing.T) {
	for _, c := range []struct {
		rule, attacker, defender, opened, ruled, want string
	}{
		{"HL-70", "30/500", "31/900", "", "", byAttacker},
		{"HL-70", "31/900", "30/500", "", "", byDefender},
		{"HL-70", "30/501", "30/500", "", "", byAttacker},
		{"HL-70", "30/500", "30/501", "", "", byDefender},
		{"HL-70", "30/500", "30/500", "", "", drawn},
		{"HL-69", "30/500", "", "", "", byAttacker},
		{"HL-69", "", "30/500", "", "", byDefender},
		{"HL-69", "", "", "", "", drawn},
		{"HL-70", "30/500", "31/900", "", byDefender, byDefender},
		{"HL-70", "", "", "", drawn, drawn},
		{"HL-67", "30/500", "31/900", "Boris", "", byDefender},
		{"HL-67", "30/500", "31/900", "Boris", byAttacker, byDefender},
		{"HL-67", "", "31/900", "Karl", "", byAttacker},
		{"HL-67", "30/500", "31/900", "Karl Boris", byAttacker, drawn},
	} {
		p := Pair{Attacker: "Boris", Defender: "Karl", AttackerSave: saveOf(t, c.attacker, 0), DefenderSave: saveOf(t, c.defender, 0), Opened: strings.Fields(c.opened), Result: c.ruled}
		if got := p.decide(); got != (decision{c.want, c.rule}) {
			t.Errorf("%+v\n\tis %+v", c, got)
		}
	}
}

func saveOf(t *testing.T, text string, order int) *Save {
	t.Helper()
	if text == "" {
		return nil
	}
	var s Save
	s.Order = order
	days, points, _ := strings.Cut(text, "/")
	for to, from := range map[*int64]string{&s.Days: days, &s.Points: points} {
		for _, c := range from {
			*to = *to*10 + int64(c-'0')
		}
	}
	return &s
}

// TestOutcomes decides wars (HL-71). A pair is its result and when the attacker's and the defender's save came, "." for none:
// "a 1 2" went to the attacker, whose save came first of all.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct{ name, pairs, want string }{
		{"more pairs", "a 1 2, a 3 4, d 5 6", byAttacker},
		{"more pairs, others drawn", "d 1 2, = 3 4, = 5 6", byDefender},
		{"equal: the attacker's first save", "a 3 1, d 4 2", byAttacker},
		{"equal: the attacker's first save, in the other pair", "a 4 1, d 3 2", byDefender},
		{"that was drawn: the defender's first among the others", "= 1 9, a 2 8, d 3 7", byDefender},
		{"drawn too: the attacker's again", "= 1 9, = 8 2, a 3 7, d 4 6", byAttacker},
		{"the defender's first save was in the pair looked at already", "= 1 2, a 5 4, d 6 3", byDefender},
		{"the attacker sent none: he is skipped", "d . 2, a . ., = . 1", byDefender},
		{"the defender has none left: he is skipped", "= 1 ., a 2 ., d . .", byAttacker},
		{"a pair won without a save that decides nothing", "a . ., d . 1", byDefender},
		{"neither sent any", "a . ., d . .", drawn},
		{"all drawn", "= 1 2, = 3 4", drawn},
		{"nothing at all", "= . .", drawn},
		{"four pairs, turn and turn about", "= 1 8, = 3 2, = 4 6, a 7 5, d 9 10", byAttacker},
	} {
		w := &War{}
		for _, one := range strings.Split(c.pairs, ", ") {
			f := strings.Fields(one)
			p := Pair{Result: map[string]string{"a": byAttacker, "d": byDefender, "=": drawn}[f[0]]}
			for i, side := range []bool{true, false} {
				if order := f[i+1]; order != "." {
					*p.half(side).save = saveOf(t, "1/1", int(saveOf(t, order, 0).Days))
				}
			}
			w.Pairs = append(w.Pairs, p)
		}
		if got := w.outcome(); got != c.want {
			t.Errorf("%s: %s is %s", c.name, c.pairs, got)
		}
	}
}

// TestSettlement plays wars to their end: what changes hands, in which order (HL-67 to HL-78).
func TestSettlement(t *testing.T) {
	for _, s := range []script{
		{"HL-71 to HL-78 the attacker wins: units, property, costs, immunity, and then what follows", warOfTwo, declaredWar + `
			d8 Magistrate: ISSUE SAVES => HL-64
			d9 Oleg: INSERT Mill INTO SAVE 1 => HL-65
			d9 Oleg: INSERT Quarry FROM Boris INTO SAVE 2 => HL-65
			d9 Karl: INSERT Sawmill INTO SAVE 2 => HL-65
			d36 Boris: SAVE Oleg_save1 DAYS 30 POINTS 500 => HL-68
			d36 Ivan: SAVE Oleg_save2 DAYS 30 POINTS 500 => HL-68
			d37 Karl: SAVE Karl_save1 DAYS 31 POINTS 900 => HL-68
			d37 Vera: SAVE Karl_save2 DAYS 29 POINTS 1 => HL-68
			d70
			! -
			d70+1s
			! pair-decided pair-decided war-ended feud-moved feud-moved property-moved property-returned property-returned gold-moved war-immunity war-immunity rank-changed rank-changed equal-rank
			@ pair-decided rule = HL-70
			@ pair-decided to = tavern,gm,copies,Boris,Karl
			@ pair-decided save = 1
			@ pair-decided result = "attacker"
			@ pair-decided winner = "Boris"
			@ war-ended rule = HL-71
			@ war-ended to = tavern,gm,copies,Oleg,Boris,Ivan,Karl,Vera
			@ war-ended result = "attacker"
			@ war-ended winner = "Oleg"
			@ war-ended attacker = 1
			@ war-ended defender = 1
			@ feud-moved rule = HL-72
			@ feud-moved reason = "war-stake"
			@ feud-moved from = "Karl"
			@ feud-moved to = tavern,gm,copies,Karl,Boris
			@ feud-moved feud = "Karl8"
			@ property-moved rule = HL-75
			@ property-moved item = "Sawmill"
			@ property-moved reason = "war"
			@ property-moved to = gm,Karl,Oleg
			@ property-returned rule = HL-75
			@ property-returned owner = "Boris"
			@ gold-moved rule = HL-77
			@ gold-moved reason = "costs"
			@ gold-moved from = "Karl"
			@ gold-moved amount = 500
			@ war-immunity nick = "Oleg"
			@ war-immunity tourneys = 4
			@ war-immunity rule = HL-78
			? wars.0.status = "ended"
			? wars.0.result = "attacker"
			? wars.0.winner = "Oleg"
			? wars.0.closed = "2026-03-12T00:00:00Z"
			? wars.0.pairs.1.result = "defender"
			? inhabitants.Boris.feuds.HL3 = ["Boris1","Boris2","Karl8"]
			? inhabitants.Oleg.feuds.HL3 = ["Oleg1","Oleg2","Oleg3","Oleg4","Oleg5","Karl7"]
			? inhabitants.Karl.feuds.HL3 = ["Karl1","Karl2","Karl3","Karl4","Karl5","Karl6"]
			? inhabitants.Karl.gold = 2500
			? inhabitants.Karl.war_immunity.HL3 = 4
			? property.Sawmill.owner = "Oleg"
			? property.Sawmill.held = null
			? property.Quarry.held = null
			? property.Mill.owner = "Oleg"`},
		{"HL-69 HL-71 nothing was sent: all drawn, the attacker pays the costs, and nothing else moves", warOfTwo, declaredWar + `
			d8 Magistrate: ISSUE SAVES => HL-64
			d9 Karl: INSERT Sawmill INTO SAVE 2 => HL-65
			d70+1s
			! property-closed saves-overdue war-begun pair-decided pair-decided war-ended property-returned gold-moved war-immunity war-immunity
			@ pair-decided rule = HL-69
			@ pair-decided winner = null
			@ war-ended result = "draw"
			@ war-ended winner = null
			@ gold-moved from = "Oleg"
			@ gold-moved to = gm,Oleg
			? inhabitants.Oleg.gold = -400
			? wars.0.winner = null
			? property.Sawmill.owner = "Karl"
			? property.Sawmill.held = null`},
		{"HL-67 HL-70 boxes and the Magistrate's results", warOfTwo, declaredWar + `
			d34 Magistrate: BOX OPENED BY Boris => refused HL-82 not-begun
			d34 Magistrate: RESULT PAIR 1 DRAW => refused HL-82 not-begun
			d34 Magistrate: RESULT WAR DRAW => refused HL-82 not-begun
			d36 Magistrate: BOX OPENED BY Oleg => refused HL-82 plays
			d36 Magistrate: BOX OPENED BY Boris => HL-67
			! box-opened
			@ box-opened rule = HL-67
			@ box-opened to = gm,Boris,Karl,Oleg
			@ box-opened nick = "Boris"
			@ box-opened save = 1
			? wars.0.pairs.0.opened = ["Boris"]
			d36 Magistrate: ОТКРЫЛ ЯЩИК Boris ВОЙНА 1 => refused HL-88 box
			d36 Magistrate: RESULT PAIR 1 WINNER Boris => HL-70
			! -
			? wars.0.pairs.0.result = "attacker"
			d36 Magistrate: ИТОГ ПАРЫ 2 ВОЙНЫ 1 НИЧЬЯ => HL-70
			d36 Magistrate: RESULT PAIR 3 DRAW => refused HL-82 pair
			d36 Magistrate: RESULT PAIR 0 DRAW => refused HL-82 pair
			d36 Magistrate: RESULT PAIR 2 WINNER Boris => refused HL-82 in-pair
			d36 Boris: RESULT PAIR 1 WINNER Boris => refused HL-81 gm
			d71
			! pair-decided pair-decided war-ended feud-moved feud-moved gold-moved war-immunity war-immunity rank-changed
			@ pair-decided rule = HL-67
			@ pair-decided result = "defender"
			@ war-ended result = "defender"
			@ feud-moved from = "Boris"
			@ gold-moved from = "Oleg"
			? wars.0.pairs.1.result = "draw"`},
		{"HL-71 the Magistrate ends a war, its pairs as they stand", warOfTwo, declaredWar + `
			d36 Boris: SAVE Oleg_save1 DAYS 30 POINTS 500 => HL-68
			d36 Magistrate: RESULT WAR WINNER Boris => refused HL-82 war-lord
			d36 Magistrate: RESULT WAR 2 WINNER Karl => refused HL-82 war
			d36 Magistrate: ИТОГ ВОЙНЫ 1 ПОБЕДА Karl => HL-71
			@ war-ended result = "defender"
			@ war-ended winner = "Karl"
			@ war-ended attacker = 1
			@ war-ended defender = 0
			? wars.0.closed = "2026-02-06T00:00:00Z"
			? inhabitants.Karl.feuds.HL3 = ["Karl1","Karl2","Karl3","Karl4","Karl5","Karl6","Karl7","Karl8","Oleg5"]
			? inhabitants.Oleg.feuds.HL3 = ["Oleg1","Oleg2","Oleg3"]
			? inhabitants.Vera.feuds.HL3 = ["Vera1","Vera2","Vera3","Vera4","Vera5","Oleg4"]
			d71
			! -
			d71 Magistrate: RESULT WAR 1 DRAW => refused HL-82 war`},
		{"HL-72 HL-73 an @ stake is paid by the suzerain alone, into debt", warOfTwo, declaredWar + `
			d1 Oleg: CHANGE STAKE TO 3000 @ => HL-63
			d1 Karl: CHANGE STAKE TO 3000 @ => HL-63
			d36 Magistrate: RESULT PAIR 1 WINNER Karl => HL-70
			d36 Magistrate: RESULT PAIR 2 WINNER Ivan => HL-70
			d36 Magistrate: RESULT WAR DRAW => HL-71
			! pair-decided pair-decided war-ended gold-moved war-immunity war-immunity
			d36 Oleg: DECLARE WAR ON Karl WITH 1 => refused HL-78`},
		{"HL-18 HL-72 the suzerain gets the unit of a pair that his participant lost", warOfTwo, declaredWar + `
			d1 Oleg: CHANGE STAKE TO 3000 @ => HL-63
			d1 Karl: CHANGE STAKE TO 3000 @ => HL-63
			d36 Magistrate: RESULT PAIR 1 WINNER Boris => HL-70
			d36 Magistrate: RESULT PAIR 2 WINNER Ivan => HL-70
			d36 Magistrate: RESULT WAR WINNER Karl => HL-71
			! pair-decided pair-decided war-ended gold-moved gold-moved gold-moved war-immunity war-immunity
			@ gold-moved rule = HL-72
			@ gold-moved reason = "war-stake"
			@ gold-moved from = "Oleg"
			@ gold-moved to = gm,Oleg,Karl
			@ gold-moved amount = 1500
			? inhabitants.Oleg.gold = -3400
			? inhabitants.Karl.gold = 6000
			? inhabitants.Vera.gold = 0`},
		{"HL-73 the suzerain gives what the participant has not, and what nobody has is passed over", warOfTwo, declaredWar + `
			d1 Oleg: CHANGE STAKE TO 20 FEUDS => HL-63
			d1 Karl: CHANGE STAKE TO 20 FEUDS => HL-63
			d36 Magistrate: RESULT PAIR 1 WINNER Karl => HL-70
			d36 Magistrate: RESULT PAIR 2 DRAW => HL-70
			d36 Magistrate: RESULT WAR WINNER Karl => HL-71
			@ feud-moved feud = "Boris2"
			@ feud-missing rule = HL-73
			@ feud-missing to = gm
			@ feud-missing from = "Oleg"
			@ feud-missing war = 1
			? inhabitants.Boris.feuds.HL3 = []
			? inhabitants.Oleg.feuds.HL3 = []
			? inhabitants.Ivan.feuds.HL3 = ["Ivan1"]
			? inhabitants.Boris.suzerain.HL3 = null
			? inhabitants.Ivan.suzerain.HL3 = null`},
	} {
		s.run(t)
	}
}
