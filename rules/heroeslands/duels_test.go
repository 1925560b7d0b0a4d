package heroeslands

import "testing"

// A count, a baron, a knight, a landless, a king, a clan member.
const people = `
[world]
lands = ["HL3"]
clans = ["Wolves"]
[world.inhabitants.Oleg]
gold = 1500
feuds = { HL3 = 5 }
[world.inhabitants.Boris]
gold = 100
feuds = { HL3 = 3 }
property = [ { name = "Mill", kind = "mine" }, { name = "Pit", kind = "mine" }, { name = "Quarry", kind = "mine" }, { name = "Forge", kind = "mine" },
  { name = "Boots", kind = "artifact", level = 1 }, { name = "Ring", kind = "artifact", level = 2 }, { name = "Crown", kind = "artifact", level = 3 } ]
[world.inhabitants.Ivan]
feuds = { HL3 = 1 }
[world.inhabitants.Lazar]
[world.inhabitants.Karl]
gold = 5000
feuds = { HL3 = 16 }
[world.inhabitants.Vera]
clan = "Bears"
feuds = { HL3 = 3 }
`

func TestVassalDuels(t *testing.T) {
	for _, s := range []script{
		{"HL-32 HL-42 a challenge opens a duel and holds 1000 @", people, `
			d4 Oleg: CHALLENGE Boris => HL-32
			! duel-declared gold-held
			@ duel-declared rule = HL-42
			@ duel-declared to = tavern,gm,copies,Boris
			@ duel-declared kind = "vassalage"
			@ duel-declared due = "2026-02-04T00:00:00Z"
			@ gold-held to = gm,Oleg
			@ gold-held target = "Boris"
			? inhabitants.Oleg.gold = 500
			? inhabitants.Oleg.held = 1000
			? duels.0.id = 1
			? duels.0.status = "open"
			? duels.0.stand_in = null
			? duels.0.stake = null
			? duels.0.property = []
			d5 Magistrate: RESULT DUEL 1 WINNER Oleg => HL-31
			! duel-closed gold-returned vassalage-begun
			@ duel-closed rule = HL-36
			@ duel-closed to = tavern,gm,copies,Oleg,Boris
			@ duel-closed result = "initiator"
			@ duel-closed winner = "Oleg"
			@ duel-closed loser = "Boris"
			@ duel-closed land = "HL3"
			@ duel-closed void = false
			@ vassalage-begun rule = HL-36
			@ vassalage-begun kind = "duel"
			? inhabitants.Boris.suzerain.HL3 = "Oleg"
			? inhabitants.Oleg.vassals.HL3 = ["Boris"]
			? inhabitants.Oleg.gold = 1500
			? inhabitants.Oleg.held = 0
			? duels.0.closed = "2026-01-06T00:00:00Z"
		`},
		{"HL-36 HL-38 a lost duel costs 1000 @ and makes immune, the last instant included", people, `
			2026-08-31T10:00:00Z Oleg: ВЫЗОВ Boris ЗА ВАССАЛИТЕТ => HL-32
			2026-08-31T10:00:00Z Magistrate: ИТОГ ДУЭЛИ 1 ПОБЕДА Boris => HL-31
			! duel-closed gold-moved gold-moved immunity-begun
			@ gold-moved rule = HL-36
			@ gold-moved to = gm,Oleg,Boris
			@ gold-moved amount = 500
			@ immunity-begun until = "2027-02-28T10:00:00Z"
			? inhabitants.Oleg.gold = 500
			? inhabitants.Oleg.held = 0
			? inhabitants.Boris.gold = 600
			? magistrate.gold = 500
			? inhabitants.Boris.immunity.HL3 = "2027-02-28T10:00:00Z"
			2027-02-28T10:00:00Z Karl: CHALLENGE Boris => refused HL-33 pair
			2027-02-28T10:00:00Z Magistrate: CREDIT 500 TO Oleg => HL-18
			2027-02-28T10:00:00Z Oleg: CHALLENGE Boris => refused HL-38
			2027-02-28T10:00:01Z Oleg: CHALLENGE Boris => HL-32
			! immunity-ended duel-declared gold-held
			@ immunity-ended to = gm,Boris
			? inhabitants.Boris.immunity.HL3 = null
		`},
		{"HL-36 a drawn duel is paid for like a lost one", people, `
			d1 Oleg: CHALLENGE Boris FOR VASSALAGE OF Boris => HL-32
			d2 Magistrate: RESULT DUEL DRAW => HL-31
			@ duel-closed result = "draw"
			@ duel-closed winner = null
			? inhabitants.Oleg.gold = 500
			? magistrate.gold = 500
		`},
		{"HL-36 1000 @ are needed", people, `
			d1 Magistrate: DEBIT 501 FROM Oleg => HL-18
			d1 Oleg: CHALLENGE Boris => refused HL-36
			d1 Magistrate: CREDIT 1 TO Oleg => HL-18
			d1 Oleg: CHALLENGE Boris => HL-32
			? inhabitants.Oleg.gold = 0
			d1 Oleg: CHALLENGE Ivan => refused HL-36
		`},
		{"HL-36 without cover the fine is paid into debt", people + "[world.rules]\nduel_cover = false\n[world.magistrate]\ngold = -3", `
			d1 Magistrate: DEBIT 1400 FROM Oleg => HL-18
			d1 Oleg: CHALLENGE Boris => HL-32
			! duel-declared
			d2 Magistrate: RESULT DUEL 1 WINNER Boris => HL-31
			? inhabitants.Oleg.gold = -900
			? inhabitants.Boris.gold = 600
			? magistrate.gold = 1897
		`},
		{"HL-36 a victory without a free place is void", people, `
			d1 Oleg: CHALLENGE Boris => HL-32
			d1 Magistrate: OVERRIDE VASSAL Ivan OF Oleg => HL-30
			d1 Magistrate: GRANT FEUD Fen TO Lazar => HL-01
			d1 Magistrate: OVERRIDE VASSAL Lazar OF Oleg => HL-30
			d2 Magistrate: RESULT DUEL 1 WINNER Oleg => HL-31
			! duel-closed gold-returned
			@ duel-closed void = true
			? inhabitants.Boris.suzerain.HL3 = null
			? inhabitants.Boris.immunity.HL3 = null
			? inhabitants.Oleg.gold = 1500
		`},
		{"HL-36 void too when HL-01, 02, 07 or 39 no longer allows it", people, `
			d1 Oleg: CHALLENGE Boris => HL-32
			d1 Magistrate: OVERRIDE VASSAL Boris OF Karl => HL-30
			d1 Magistrate: RESULT DUEL 1 WINNER Oleg => HL-31
			@ duel-closed void = true
			? inhabitants.Boris.suzerain.HL3 = "Karl"
			d2 Oleg: CHALLENGE Ivan => HL-32
			d2 Magistrate: TAKE FEUD Ivan1 FROM Ivan => HL-01
			d2 Magistrate: RESULT DUEL 2 WINNER Oleg => HL-31
			@ duel-closed void = true
			d3 Magistrate: GRANT FEUD Ivan1 TO Ivan => HL-01
			d3 Oleg: CHALLENGE Ivan => HL-32
			d3 Magistrate: TAKE FEUD Oleg5 FROM Oleg => HL-01
			d3 Magistrate: RESULT DUEL 3 WINNER Oleg => HL-31
			@ duel-closed void = true
		`},
		{"HL-45 nobody fights for a third", people, `
			d1 Oleg: CHALLENGE Boris FOR VASSALAGE OF Ivan => refused HL-45
			d1 Oleg: ВЫЗВАТЬ Boris ЗА ВАССАЛИТЕТ Ivan => refused HL-45
		`},
		{"HL-39 a vassal is not challenged for vassalage, not even one's own", people, `
			d1 Magistrate: OVERRIDE VASSAL Ivan OF Oleg => HL-30
			d1 Karl: CHALLENGE Ivan => refused HL-39
			d1 Oleg: CHALLENGE Ivan => refused HL-39
		`},
		{"HL-32 a clan member is not challenged", people, `
			d1 Oleg: CHALLENGE Vera => refused HL-32
			d1 Ivan: JOIN CLAN Bears => HL-07
			d1 Oleg: CHALLENGE Ivan => refused HL-32
		`},
		{"HL-33 who challenges whom", people, `
			d1 Ivan: CHALLENGE Lazar => refused HL-33 challenger
			d1 Boris: CHALLENGE Ivan => refused HL-33 challenger
			d1 Oleg: CHALLENGE Karl => refused HL-33 pair
			d1 Oleg: CHALLENGE Lazar => refused HL-33 landless
			d1 Karl: CHALLENGE Ivan => refused HL-33 pair
			d1 Karl: CHALLENGE Oleg => HL-32
			d1 Oleg: CHALLENGE Ivan => HL-32
		`},
		{"HL-46 one in office is not challenged, and may challenge", people, `
			d1 Magistrate: APPOINT Boris ROUND TABLE => HL-46
			@ office-begun office = "krt"
			@ office-begun until = "2026-05-02T00:00:00Z"
			d1 Oleg: CHALLENGE Boris => refused HL-46
			2026-05-02T00:00:00Z Oleg: CHALLENGE Boris => refused HL-46
			2026-05-02T00:00:01Z Oleg: CHALLENGE Boris => HL-32
			! office-ended duel-declared gold-held
			2026-05-03T00:00:00Z Magistrate: APPOINT Oleg MAGISTER => HL-46
			@ office-begun until = null
			2026-05-03T00:00:00Z Karl: CHALLENGE Oleg => refused HL-46
			2026-05-03T00:00:00Z Magistrate: НАЗНАЧИТЬ Oleg МЛАДШИЙ МАГИСТР ДО 10.05.2026 => HL-46
			@ office-begun until = "2026-05-10T23:59:59Z"
			2026-05-04T00:00:00Z Magistrate: DISMISS Oleg FROM KRT => refused HL-82 office
			2026-05-04T00:00:00Z Magistrate: DISMISS Oleg => HL-46
			! office-ended office-ended
			2026-05-04T00:00:00Z Magistrate: СНЯТЬ Oleg => refused HL-82 no-office
			2026-05-04T00:00:00Z Magistrate: APPOINT Ivan KRT UNTIL 2026-05-03 => refused HL-87
			2026-05-04T00:00:00Z Magistrate: RESULT DUEL WINNER Boris => HL-31
		`},
		{"HL-44 the challenged is not challenged again, and may challenge", people + "[world.inhabitants.Anna]\ngold = 1000\nfeuds = { HL3 = 5 }\n", `
			d1 Oleg: CHALLENGE Boris => HL-32
			d1 Anna: CHALLENGE Boris => refused HL-44 challenge
			d1 Karl: CHALLENGE Anna => HL-32
			d1 Anna: CHALLENGE Ivan => HL-32
			d1 Ivan: SERVE Karl => refused HL-44 service
			d1 Boris: JOIN CLAN Bears => refused HL-44 clan
			d1 Magistrate: ANNUL DUEL 3 => HL-30
			d1 Ivan: SERVE Karl => HL-03
		`},
		{"HL-04 a place is needed", people + "[world.inhabitants.Anna]\nfeuds = { HL3 = 1 }\n", `
			d1 Magistrate: OVERRIDE VASSAL Ivan OF Oleg => HL-30
			d1 Magistrate: OVERRIDE VASSAL Anna OF Oleg => HL-30
			d1 Oleg: CHALLENGE Boris => refused HL-04 place
			d1 Oleg: RELEASE Anna => HL-25
			d1 Oleg: CHALLENGE Boris => HL-32
		`},
		{"HL-40 HL-41 a lost duel for independence", people, `
			d1 Magistrate: OVERRIDE VASSAL Ivan OF Oleg => HL-30
			d1 Ivan: CHALLENGE Karl FOR INDEPENDENCE => refused HL-40 suzerain
			d1 Ivan: CHALLENGE Oleg => HL-40
			! duel-declared
			@ duel-declared kind = "independence"
			d1 Ivan: CHALLENGE Oleg => refused HL-44 challenge
			d1 Karl: CHALLENGE Oleg => refused HL-44 challenge
			d2 Magistrate: RESULT DUEL 1 WINNER Oleg => HL-31
			! duel-closed gold-moved
			@ duel-closed rule = HL-41
			@ duel-closed result = "target"
			@ gold-moved rule = HL-41
			? inhabitants.Ivan.gold = -500
			? inhabitants.Oleg.gold = 2000
			? inhabitants.Ivan.independence_bar.HL3 = "2026-07-03T00:00:00Z"
			2026-07-03T00:00:00Z Ivan: CHALLENGE Oleg FOR INDEPENDENCE => refused HL-41
			2026-07-03T00:00:01Z Ivan: CHALLENGE Oleg FOR INDEPENDENCE => HL-40
			! duel-declared
			? inhabitants.Ivan.independence_bar.HL3 = null
		`},
		{"HL-27 HL-38 a draw for independence frees", people, `
			d1 Magistrate: OVERRIDE VASSAL Ivan OF Oleg => HL-30
			d1 Ivan: ВЫЗВАТЬ Oleg ЗА НЕЗАВИСИМОСТЬ => HL-40
			d2 Magistrate: RESULT DUEL DRAW => HL-31
			! duel-closed vassal-freed immunity-begun
			@ vassal-freed rule = HL-27
			@ vassal-freed reason = "duel"
			? inhabitants.Ivan.suzerain.HL3 = null
			? inhabitants.Ivan.gold = 0
			d3 Oleg: CHALLENGE Ivan => refused HL-38
		`},
		{"HL-40 the duel lapses with its vassalage", people, `
			d1 Magistrate: OVERRIDE VASSAL Ivan OF Oleg => HL-30
			d1 Ivan: CHALLENGE Oleg FOR INDEPENDENCE => HL-40
			d2 Oleg: RELEASE Ivan => HL-25
			! vassal-freed duel-lapsed
			@ duel-lapsed rule = HL-40
			? duels.0.status = "lapsed"
			d40
			! -
		`},
		{"HL-43 the challenged postpones once, by a calendar month at most", people, `
			d1 Oleg: CHALLENGE Boris => HL-32
			d1 Oleg: POSTPONE DUEL 1 BY 5 DAYS => refused HL-43 initiator
			d1 Karl: POSTPONE DUEL 1 BY 5 DAYS => refused HL-82 duel
			d1 Karl: POSTPONE DUEL BY 5 DAYS => refused HL-82 no-duel
			d1 Boris: POSTPONE DUEL BY 0 DAYS => refused HL-43 earlier
			d1 Boris: POSTPONE DUEL BY -99999999999999999999 DAYS => refused HL-43 earlier
			d1 Boris: POSTPONE DUEL BY 99999999999999999999 DAYS => refused HL-43 month
			d1 Boris: POSTPONE DUEL BY five DAYS => unclear
			d1 Boris: POSTPONE DUEL TO 2026-02-01 => refused HL-43 earlier
			d1 Boris: POSTPONE DUEL 1 TO 2026-03-02 => refused HL-43 month
			d31 Boris: ОТЛОЖИТЬ ДУЭЛЬ ДО 01.03.2026 => HL-43
			! duel-postponed
			@ duel-postponed to = tavern,gm,copies,Oleg
			@ duel-postponed due = "2026-03-01T00:00:00Z"
			d31 Boris: POSTPONE DUEL BY 1 DAY => refused HL-43 twice
			2026-03-01T00:00:00Z
			! -
			2026-03-01T00:00:01Z
			! duel-due
			@ duel-due to = gm,Oleg,Boris
			2026-04-01T00:00:00Z
			! -
		`},
		{"HL-43 until it is due, that instant included", people, `
			d1 Oleg: CHALLENGE Boris => HL-32
			d31+1s Boris: POSTPONE DUEL BY 3 DAYS => refused HL-43 late
			! duel-due
		`},
		{"HL-37 property in the starting save", people, `
			d1 Oleg: CHALLENGE Boris => HL-32
			d1 Oleg: INSERT Mill INTO DUEL => refused HL-37 initiator
			d1 Boris: INSERT Mill, Pit, Quarry, Forge INTO DUEL 1 => refused HL-37 limit
			d1 Boris: INSERT Boots and Ring INTO DUEL => refused HL-37 limit
			d1 Boris: INSERT Crown INTO DUEL => refused HL-37 level
			d1 Boris: INSERT Mill, Mill INTO DUEL => refused HL-86 item-twice
			d1 Boris: ВСТАВИТЬ Pit, Boots, Mill В ДУЭЛЬ 1 => HL-37
			! property-inserted
			@ property-inserted to = gm,Boris
			@ property-inserted items = ["Boots","Mill","Pit"]
			? property.Boots.held = "duel 1"
			? duels.0.property = ["Boots","Mill","Pit"]
			d1 Boris: INSERT Ring INTO DUEL => refused HL-37 limit
			d1 Boris: INSERT Mill INTO DUEL => refused HL-86 item-held
			d1 Boris: GIVE PROPERTY Mill TO Ivan => refused HL-86 item-held
			d1 Magistrate: CONFISCATE Mill FROM Boris => refused HL-86 item-held
			d2 Magistrate: RESULT DUEL 1 WINNER Oleg => HL-31
			! duel-closed gold-returned vassalage-begun property-moved property-moved property-moved
			@ property-moved rule = HL-37
			@ property-moved reason = "duel"
			? property.Boots.owner = "Oleg"
			? property.Boots.held = null
			? property.Ring.owner = "Boris"
		`},
		{"HL-37 what is not won is returned", people, `
			d1 Oleg: CHALLENGE Boris => HL-32
			d1 Boris: INSERT Boots INTO DUEL => HL-37
			d2 Magistrate: RESULT DUEL 1 DRAW => HL-31
			! duel-closed gold-moved gold-moved property-returned immunity-begun
			? property.Boots.owner = "Boris"
			? property.Boots.held = null
		`},
		{"HL-30 an annulled duel leaves nothing behind", people, `
			d1 Oleg: CHALLENGE Boris => HL-32
			d1 Boris: INSERT Boots INTO DUEL => HL-37
			d2 Magistrate: ANNUL DUEL 1 => HL-30
			! duel-annulled gold-returned property-returned
			? inhabitants.Oleg.gold = 1500
			? property.Boots.held = null
			? duels.0.status = "annulled"
			d2 Magistrate: ANNUL DUEL 1 => refused HL-82 not-open
			d2 Magistrate: RESULT DUEL 1 DRAW => refused HL-82 not-open
			d2 Magistrate: RESULT DUEL DRAW => refused HL-82 no-duel
		`},
		{"HL-40 no property in a duel for independence", people, `
			d1 Magistrate: OVERRIDE VASSAL Boris OF Oleg => HL-30
			d1 Boris: CHALLENGE Oleg => HL-40
			d1 Boris: INSERT Boots INTO DUEL => refused HL-40 property
			d1 Oleg: POSTPONE DUEL BY 3 DAYS => HL-43
		`},
		{"HL-82 which duel a result means", people + "[world.inhabitants.Anna]\ngold = 1000\nfeuds = { HL3 = 5 }\n", `
			d1 Oleg: CHALLENGE Boris => HL-32
			d1 Anna: CHALLENGE Ivan => HL-32
			d2 Magistrate: RESULT DUEL DRAW => unclear which-duel
			d2 Magistrate: RESULT DUEL WINNER Karl => refused HL-82 no-duel
			d2 Magistrate: RESULT DUEL 1 WINNER Karl => refused HL-82 fighter
			d2 Magistrate: RESULT DUEL 7 DRAW => refused HL-82 not-open
			d2 Magistrate: RESULT DUEL -1 DRAW => refused HL-82 not-open
			d2 Magistrate: RESULT DUEL WINNER Ivan => HL-31
			d2 Magistrate: RESULT DUEL DRAW => HL-31
			? duels.1.status = "closed"
		`},
		{"HL-38 the Magistrate sets immunities", people, `
			d1 Magistrate: OVERRIDE IMMUNITY Boris UNTIL 2026-01-09 => HL-38
			@ immunity-begun until = "2026-01-09T23:59:59Z"
			d1 Oleg: CHALLENGE Boris => refused HL-38
			d1 Magistrate: OVERRIDE IMMUNITY Boris UNTIL 2026-01-01 => refused HL-87
			d1 Magistrate: OVERRIDE IMMUNITY Boris UNTIL 9999-12-31T23:59:59-12:00 => unclear far-date
			d1 Magistrate: РЕШЕНИЕ ЗАЩИТА Boris НЕТ => HL-38
			! immunity-ended
			d1 Oleg: CHALLENGE Boris => HL-32
		`},
	} {
		s.run(t)
	}
}
