package heroeslands

import "testing"

// A count with a vassal who has one of his own, a rival of the same clan as the count, and a rival of none.
const courtyard = `
[world]
lands = ["HL3"]
[world.inhabitants.Oleg]
gold = 300
clan = "Wolves"
feuds = { HL3 = 5 }
[world.inhabitants.Boris]
gold = 200
feuds = { HL3 = 3 }
suzerain = { HL3 = "Oleg" }
[world.inhabitants.Ivan]
gold = 100
feuds = { HL3 = 2 }
suzerain = { HL3 = "Boris" }
[world.inhabitants.Vera]
gold = 1000
clan = "Wolves"
feuds = { HL3 = 3 }
[world.inhabitants.Karl]
gold = 1000
feuds = { HL3 = 2 }
[world.inhabitants.Lazar]
`

func TestOrdinaryDuels(t *testing.T) {
	for _, s := range []script{
		{"HL-34 a call is made for feuds and @", courtyard, `
			d0 Karl: CALL OUT Boris FOR FEUD Karl1 AGAINST Boris1 AND 50 @ => HL-34
			! duel-called
			@ duel-called to = tavern,gm,copies,Boris,Oleg
			@ duel-called rule = HL-34
			@ duel-called stake = {"gold":50,"initiator_feud":"Karl1","stand_in_feud":null,"target_feud":"Boris1"}
			@ duel-called due = "2026-01-15T00:00:00Z"
			? duels.0.status = "called"
			? duels.0.kind = "ordinary"
			? inhabitants.Karl.gold = 1000
			? inhabitants.Karl.held = 0
		`},
		{"HL-34 a call is refused in the order of the page", courtyard, `
			d0 Karl: CALL OUT Karl FOR 0 @ => refused HL-84
			d0 Karl: CALL OUT Karl FOR 5 @ => refused HL-83
			d0 Karl: CALL OUT Boris FOR FEUD Vera1 AGAINST Boris1 => refused HL-86 feud-not-yours
			d0 Karl: CALL OUT Boris FOR FEUD Karl1 AGAINST Vera1 AND 5000 @ => refused HL-86 feud-not-his
			d0 Karl: CALL OUT Boris FOR FEUD Karl1 AGAINST Boris1 AND 5000 @ => refused HL-85
			d0 Karl: CALL OUT Boris FOR -5 @ => refused HL-84
			d0 Magistrate: CALL OUT Boris FOR 5 @ => refused HL-81 player
		`},
		{"HL-34 whoever was called out takes it up, and the loser gives what he staked", courtyard, `
			d0 Karl: CALL OUT Boris FOR FEUD Karl1 AGAINST Boris3 AND 150 @ => HL-34
			d1 Karl: ACCEPT DUEL 1 => refused HL-34
			d1 Vera: ACCEPT DUEL 1 => refused HL-82 call
			d1 Vera: ACCEPT DUEL => refused HL-82 no-duel
			d2 Boris: ACCEPT DUEL => HL-34
			! duel-accepted
			@ duel-accepted to = tavern,gm,copies,Karl
			? duels.0.status = "open"
			? duels.0.due = "2026-02-02T00:00:00Z"
			d3 Boris: ACCEPT DUEL 1 => refused HL-82 call
			d5 Magistrate: RESULT DUEL WINNER Karl => HL-34
			! duel-closed feud-moved gold-moved rank-changed rank-changed equal-rank window-opened
			@ duel-closed rule = HL-34
			@ feud-moved reason = "stake"
			@ gold-moved from = "Boris"
			? inhabitants.Karl.gold = 1150
			? inhabitants.Boris.gold = 50
			? inhabitants.Karl.feuds.HL3 = ["Karl1","Karl2","Boris3"]
		`},
		{"HL-34 a draw moves nothing", courtyard, `
			d0 Karl: CALL OUT Boris FOR 100 @ => HL-34
			d0 Boris: ACCEPT DUEL => HL-34
			d1 Magistrate: RESULT DUEL 1 DRAW => HL-34
			! duel-closed
			? duels.0.result = "draw"
			? duels.0.winner = null
		`},
		{"HL-34 a feud that is gone is missing, and @ go into debt", courtyard, `
			d0 Karl: CALL OUT Boris FOR FEUD Karl1 AGAINST Boris3 AND 150 @ => HL-34
			d0 Boris: ACCEPT DUEL => HL-34
			d1 Magistrate: TAKE FEUD Boris3 FROM Boris => HL-01
			d1 Magistrate: DEBIT 200 @ FROM Boris => HL-18
			d2 Magistrate: RESULT DUEL WINNER Karl => HL-34
			! duel-closed feud-missing gold-moved
			@ feud-missing to = gm
			@ feud-missing rule = HL-34
			@ feud-missing duel = 1
			? inhabitants.Boris.gold = -150
		`},
		{"HL-34 taking up needs the feud and the @", courtyard, `
			d0 Karl: CALL OUT Boris FOR FEUD Karl1 AGAINST Boris3 AND 150 @ => HL-34
			d1 Magistrate: DEBIT 100 @ FROM Boris => HL-18
			d1 Boris: ACCEPT DUEL => refused HL-85
			d1 Magistrate: TAKE FEUD Boris3 FROM Boris => HL-01
			d1 Boris: ACCEPT DUEL => refused HL-86 feud-not-yours
			d1 Boris: DECLINE DUEL => HL-34
			! duel-declined
			@ duel-declined to = tavern,gm,copies,Karl
			? duels.0.status = "declined"
		`},
		{"HL-15 a call lapses after its days, its last instant included", courtyard, `
			d0 Karl: CALL OUT Boris FOR 100 @ => HL-34
			d0 Karl: CALL OUT Ivan FOR 100 @ => HL-34
			d14 Boris: ACCEPT DUEL => HL-34
			d14+1s Ivan: ACCEPT DUEL => refused HL-82 no-duel
			! duel-lapsed
			@ duel-lapsed rule = HL-34
			@ duel-lapsed to = tavern,gm,copies,Karl,Ivan
			? duels.0.status = "open"
			? duels.1.status = "lapsed"
		`},
		{"several calls must be told apart", courtyard, `
			d0 Karl: CALL OUT Boris FOR 100 @ => HL-34
			d0 Vera: CALL OUT Boris FOR 100 @ => HL-34
			d1 Boris: DECLINE DUEL => unclear which-duel
			d1 Boris: DECLINE DUEL 2 => HL-34
			d1 Boris: ACCEPT DUEL => HL-34
		`},
		{"HL-19 a vassal asks for protection, and his suzerain alone hears of it", courtyard, `
			d0 Karl: CALL OUT Boris FOR 100 @ => HL-34
			d1 Boris: ASK PROTECTION => HL-19
			! protection-asked
			@ protection-asked to = Oleg
			d2 Oleg: DECLINE PROTECTION TO Boris => HL-19
			! protection-declined
			@ protection-declined to = Boris
			? duels.0.status = "called"
			d2 Oleg: DECLINE PROTECTION TO Oleg => refused HL-83
			d2 Vera: DECLINE PROTECTION TO Boris => refused HL-19 stranger
			d2 Oleg: DECLINE PROTECTION TO Ivan => refused HL-82 no-duel
		`},
		{"HL-19 nobody is protected against his suzerain's clan, or by nobody", courtyard, `
			d0 Vera: CALL OUT Boris FOR 100 @ => HL-34
			d0 Karl: CALL OUT Vera FOR 100 @ => HL-34
			d0 Oleg: CALL OUT Boris FOR 100 @ => HL-34
			d1 Boris: ASK PROTECTION IN DUEL 1 => refused HL-19 clan
			d1 Vera: ASK PROTECTION => refused HL-19 nobody
			d1 Boris: ASK PROTECTION OF DUEL 3 => refused HL-19 challenger
			d1 Boris: ASK PROTECTION DUEL 2 => refused HL-82 call
			d1 Oleg: STAND IN FOR Boris IN DUEL 1 => refused HL-15 clan
			d1 Oleg: STAND IN FOR Boris IN DUEL 3 => refused HL-83 stand-in
		`},
		{"HL-15 HL-16 a suzerain who stands in and wins has the feud, his vassal the @", courtyard, `
			d0 Karl: CALL OUT Boris FOR FEUD Karl1 AGAINST Boris1 AND 50 @ => HL-34
			d1 Oleg: STAND IN FOR Boris => refused HL-16
			d1 Oleg: STAND IN FOR Boris WITH FEUD Vera1 => refused HL-16 foreign
			d1 Oleg: STAND IN FOR Boris WITH FEUD Oleg5 => HL-15
			! duel-stood-in
			@ duel-stood-in to = tavern,gm,copies,Karl,Boris
			? duels.0.stand_in = "Oleg"
			? duels.0.stake.stand_in_feud = "Oleg5"
			? duels.0.due = "2026-02-01T00:00:00Z"
			d2 Magistrate: RESULT DUEL 1 WINNER Boris => refused HL-82 fighter
			d2 Magistrate: RESULT DUEL 1 WINNER Oleg => HL-34
			! duel-closed feud-moved gold-moved
			@ duel-closed rule = HL-16
			@ duel-closed result = "target"
			@ duel-closed winner = "Oleg"
			@ duel-closed to = tavern,gm,copies,Karl,Boris,Oleg
			@ feud-moved to = tavern,gm,copies,Karl,Oleg
			@ gold-moved rule = HL-16
			? inhabitants.Boris.gold = 250
			? inhabitants.Karl.gold = 950
		`},
		{"HL-16 HL-18 when he loses, both are his loss", courtyard, `
			d0 Karl: CALL OUT Boris FOR FEUD Karl1 AGAINST Boris1 AND 50 @ => HL-34
			d1 Oleg: STAND IN FOR Boris WITH FEUD Oleg5 => HL-15
			d2 Magistrate: RESULT DUEL 1 WINNER Karl => HL-34
			? inhabitants.Oleg.gold = 250
			? inhabitants.Boris.gold = 200
			? inhabitants.Karl.feuds.HL3 = ["Karl1","Karl2","Oleg5"]
		`},
		{"HL-16 no feud is named where none is staked; HL-80 a vassal's vassal is not protected", courtyard, `
			d0 Karl: CALL OUT Ivan FOR 250 @ => HL-34
			d1 Oleg: STAND IN FOR Ivan => refused HL-80 protect
			d1 Vera: STAND IN FOR Ivan => refused HL-15 stranger
			d1 Boris: STAND IN FOR Ivan WITH FEUD Boris1 => refused HL-16 none
			d1 Boris: STAND IN FOR Ivan => refused HL-85
			d1 Boris: STAND IN FOR Boris => refused HL-83
			d2 Magistrate: ANNUL DUEL 1 => HL-30
			! duel-annulled
			? duels.0.status = "annulled"
		`},
		{"HL-20 a playthrough is asked of the suzerain", courtyard, `
			d0 Boris: ASK PLAYTHROUGH => refused HL-20 tourney
			d0 Karl: ASK PLAYTHROUGH => refused HL-20 nobody
			d1 Magistrate: CLOSE TOURNEY Spring => HL-09
			d2 Boris: ASK PLAYTHROUGH => HL-20
			! playthrough-asked
			@ playthrough-asked to = Oleg
			@ playthrough-asked tourney = "Spring"
		`},
		{"in Russian", courtyard, `
			d0 Karl: ДУЭЛЬ С Boris НА ФЕОД Karl1 ПРОТИВ Boris1 И 50 арроб => HL-34
			d0 Karl: дуэль с Boris на 10@ => HL-34
			d0 Karl: ДУЭЛЬ С Ivan НА 10 @ => HL-34
			d1 Boris: ПРОШУ ЗАЩИТЫ В ДУЭЛИ 1 => HL-19
			d1 Oleg: ОТКАЗАТЬ В ЗАЩИТЕ Boris ДУЭЛЬ 1 => HL-19
			d1 Oleg: ЗАСТУПИТЬСЯ ЗА Boris ДУЭЛЬ 1 ФЕОДОМ Oleg1 => HL-15
			d1 Boris: ОТКЛОНИТЬ ДУЭЛЬ => HL-34
			d1 Ivan: ПРИНЯТЬ ДУЭЛЬ 3 => HL-34
			d1 Boris: ПРОШУ ПРОХОЖДЕНИЕ => refused HL-20 tourney
		`},
	} {
		s.run(t)
	}
}
