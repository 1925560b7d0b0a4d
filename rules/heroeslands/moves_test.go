package heroeslands

import "testing"

func TestMoves(t *testing.T) {
	for _, s := range []script{
		{"HL-81 orders of another role", people, `
			d1 Magistrate: SERVE Oleg => refused HL-81 player
			d1 Ivan: GRANT FEUD Fen TO Ivan => refused HL-81 gm
			d1 Ivan: ИТОГ ДУЭЛИ 1 НИЧЬЯ => refused HL-81 gm
			d1 Olga: SERVE Oleg => refused HL-81 observer
			d1 Olga: CREDIT 5 TO Oleg => refused HL-81 observer
			d1 Ivan: LEAVE CLAN => refused HL-82 clan
			d1 Ivan: CREDIT five TO Oleg => unclear
			d1 Stranger: LEAVE CLAN => refused HL-81 player
		`},
		{"HL-81 comes after what is unclear", twoLands, `
			d1 Magistrate: SERVE Oleg => unclear which-land
			d1 Magistrate: SERVE Oleg IN HL3 => refused HL-81 player
			d1 Magistrate: CHALLENGE Boris => unclear which-land
			d1 Magistrate: POSTPONE DUEL BY 3 DAYS => refused HL-81 player
			d1 Olga: INVITE Ivan => unclear which-land
			d1 Ivan: GRANT FEUD Marsh TO Ivan => unclear which-land
			d1 Ivan: GRANT FEUD Marsh IN HL4 TO Ivan => refused HL-81 gm
			d1 Ivan: GRANT PROPERTY Anvil TO Ivan => unclear item-kind
			d1 Oleg: CHALLENGE Boris IN HL3 => HL-32
			d1 Oleg: CHALLENGE Ivan IN HL3 => HL-32
			d1 Oleg: RESULT DUEL DRAW => unclear which-duel
			d1 Oleg: RESULT DUEL WINNER Ivan => refused HL-81 gm
			d1 Oleg: RESULT DUEL 2 WINNER Ivan => refused HL-81 gm
			? duels.1.status = "open"
			? inhabitants.Oleg.held = 2000
		`},
		{"HL-18 HL-83 HL-84 HL-85 gifts of @", people, `
			d1 Oleg: GIVE 0 @ TO Boris => refused HL-84
			d1 Oleg: GIVE -5 @ TO Oleg => refused HL-84
			d1 Oleg: GIVE 1000000007 TO Boris => refused HL-84
			d1 Oleg: GIVE 99999999999999999999999 TO Boris => refused HL-84
			d1 Oleg: GIVE 5000 @ TO Oleg => refused HL-83
			d1 Oleg: GIVE 1501 @ TO Boris => refused HL-85
			d1 Oleg: GIVE five @ TO Boris => unclear
			d1 Oleg: GIVE 500@ TO Boris => HL-18
			! gold-moved
			@ gold-moved to = gm,Oleg,Boris
			@ gold-moved reason = "gift"
			@ gold-moved rule = HL-18
			d1 Oleg: GIVE 100 arrobas TO Boris => HL-18
			d1 Oleg: ПЕРЕДАТЬ 100 арроб ИГРОКУ Boris => HL-18
			d1 Oleg: GIVE 200 TO MAGISTRATE => HL-18
			@ gold-moved to = gm,Oleg
			@ gold-moved to = gm,Oleg
			d1 Oleg: ПЕРЕДАТЬ 100 @ ИГРОКУ МАГИСТРАТ => HL-18
			? magistrate.gold = 300
			? inhabitants.Oleg.gold = 500
			? inhabitants.Boris.gold = 800
		`},
		{"HL-18 the treasury pays and takes, into debt", people, `
			d1 Magistrate: CREDIT 700 @ TO Lazar => HL-18
			! gold-moved
			@ gold-moved from = "magistrate"
			@ gold-moved to = gm,Lazar
			? magistrate.gold = -700
			d1 Magistrate: СПИСАТЬ 1000 У Lazar => HL-18
			? inhabitants.Lazar.gold = -300
			d1 Magistrate: CREDIT 0 TO Lazar => refused HL-84
			d1 Magistrate: DEBIT -1 @ FROM Lazar => refused HL-84
			d1 Lazar: GIVE 1 @ TO Oleg => refused HL-85
		`},
		{"HL-01 feuds granted and taken", people + "[world.magistrate]\nfeuds = { HL3 = [\"Waste\"] }\n", `
			d1 Magistrate: GRANT FEUD waste TO Lazar => HL-01
			! feud-moved rank-changed
			@ feud-moved feud = "Waste"
			@ feud-moved from = "magistrate"
			@ feud-moved to = tavern,gm,copies,Lazar
			? magistrate.feuds.HL3 = []
			d1 Magistrate: GRANT FEUD Waste TO Oleg => refused HL-86 feud-owned
			d1 Magistrate: TAKE FEUD Waste FROM Oleg => refused HL-86 feud-not-his
			d1 Magistrate: TAKE FEUD Nowhere FROM Oleg => unclear
			d1 Magistrate: ДАТЬ ФЕОД Старый Мост ИГРОКУ Lazar => HL-01
			? inhabitants.Lazar.feuds.HL3 = ["Waste","Старый Мост"]
			d1 Magistrate: ЗАБРАТЬ ФЕОД старый мост У Lazar => HL-01
			? magistrate.feuds.HL3 = ["Старый Мост"]
		`},
		{"HL-76 HL-86 feuds given to one's own vassals", people, `
			d1 Karl: GIVE FEUD Oleg1 TO Oleg => refused HL-86 feud-not-yours
			d1 Karl: GIVE FEUD Karl1 TO Oleg => refused HL-76
			d1 Karl: GIVE FEUD Karl1 TO Karl => refused HL-83
			d1 Magistrate: OVERRIDE VASSAL Oleg OF Karl => HL-30
			d1 Karl: ПЕРЕДАТЬ ФЕОД Karl1 ИГРОКУ Oleg => HL-76
			! feud-moved rank-changed
			@ feud-moved reason = "gift"
			@ rank-changed nick = "Karl"
			? inhabitants.Oleg.feuds.HL3 = ["Oleg1","Oleg2","Oleg3","Oleg4","Oleg5","Karl1"]
		`},
		{"HL-76 feuds given to anyone", people + "[world.rules]\nfeud_gifts = \"anyone\"\n", `
			d1 Karl: GIVE FEUD Karl16 TO Lazar => HL-76
			! feud-moved rank-changed rank-changed
		`},
		{"HL-76 HL-86 property given", people, `
			d1 Boris: GIVE PROPERTY Mill TO Boris => refused HL-83
			d1 Oleg: GIVE PROPERTY Mill TO Boris => refused HL-86 item-not-yours
			d1 Boris: ПЕРЕДАТЬ ИМУЩЕСТВО Mill ИГРОКУ Oleg => HL-76
			! property-moved
			@ property-moved to = gm,Boris,Oleg
			@ property-moved rule = HL-76
			? inhabitants.Oleg.property = ["Mill"]
		`},
		{"HL-37 HL-84 HL-86 property granted and confiscated", people, `
			d1 Magistrate: GRANT PROPERTY Sword TO Oleg => unclear item-kind
			d1 Magistrate: GRANT PROPERTY Sword ARTIFACT 10 TO Oleg => refused HL-84
			d1 Magistrate: GRANT PROPERTY Sword ARTIFACT 0 TO Oleg => refused HL-84
			d1 Magistrate: GRANT PROPERTY Sword ARTIFACT 9 TO Oleg => HL-37
			? property.Sword = {"kind":"artifact","level":9,"owner":"Oleg","held":null}
			d1 Magistrate: GRANT PROPERTY Sword UNIT 1 TO Ivan => refused HL-86 item-owned
			d1 Magistrate: ДАТЬ ИМУЩЕСТВО Золотой рудник ШАХТА ИГРОКУ Ivan => HL-37
			? property.Золотой рудник.level = 0
			d1 Magistrate: CONFISCATE Sword, Mill FROM Oleg => refused HL-86 item-not-his
			d1 Magistrate: CONFISCATE Sword, Sword FROM Oleg => refused HL-86 item-twice
			d1 Magistrate: КОНФИСКОВАТЬ Sword У Oleg => HL-37
			@ property-moved reason = "confiscated"
			? magistrate.property = ["Sword"]
			d1 Magistrate: GRANT PROPERTY Sword MINE TO Ivan => refused HL-86 item-kind
			d1 Magistrate: GRANT PROPERTY Sword TO Ivan => HL-37
		`},
		{"HL-46 offices in any case of Russian", people, `
			d1 Magistrate: НАЗНАЧИТЬ Boris МЛАДШИЙ МАГИСТР ДО 01.03.2026 => HL-46
			@ office-begun office = "junior"
			@ office-begun until = "2026-03-01T23:59:59Z"
			d1 Magistrate: НАЗНАЧИТЬ Boris магистром => HL-46
			@ office-begun office = "magister"
			d1 Magistrate: НАЗНАЧИТЬ Boris КРУГЛЫЙ СТОЛ => HL-46
			@ office-begun office = "krt"
			d1 Magistrate: СНЯТЬ Boris С младшего магистра => HL-46
			@ office-ended office = "junior"
			d1 Magistrate: СНЯТЬ Boris С КРУГЛОГО СТОЛА => HL-46
			? inhabitants.Boris.offices = {"magister":null}
		`},
		{"HL-07 HL-88 clans", people, `
			d1 Oleg: JOIN CLAN Bears => HL-07
			@ clan-joined to = tavern,gm,copies,Oleg
			d1 Oleg: JOIN CLAN Bears => refused HL-88 clan
			d1 Oleg: ВСТУПИТЬ В КЛАН Wolves => HL-07
			! clan-left clan-joined
			d1 Oleg: ПОКИНУТЬ КЛАН => HL-07
			? inhabitants.Oleg.clan = ""
			d1 Magistrate: OVERRIDE VASSAL Ivan OF Oleg => HL-30
			d1 Ivan: JOIN CLAN Bears => refused HL-07 clan
			d1 Oleg: JOIN CLAN Bears => HL-07
		`},
		{"HL-47 HL-88 a new inhabitant", people + "[world.races]\nwizard = \"Tower\"\n", `
			d1 Magistrate: REGISTER Sir John RACE wizard => HL-47
			! inhabitant-registered
			@ inhabitant-registered to = tavern,gm,copies
			? inhabitants.Sir John.continent = "Tower"
			? inhabitants.Sir John.rank.HL3 = "landless"
			d1 Magistrate: REGISTER Lady Jane RACE Wizard CONTINENT TOWER => HL-47
			? inhabitants.Lady Jane.race = "wizard"
			? inhabitants.Lady Jane.continent = "Tower"
			d1 Magistrate: REGISTER oleg => refused HL-88 nick
			d1 Magistrate: REGISTER Petra => refused HL-88 nick
			d1 Magistrate: REGISTER Olga => refused HL-88 nick
			d1 Magistrate: REGISTER Magistrate => refused HL-88 nick
			d1 Magistrate: REGISTER Foma foma@ => unclear new-nick
			d1 Magistrate: REGISTER Foma Bear foma@example.org RACE bear => HL-47
			! inhabitant-registered
			@ inhabitant-registered to = tavern,gm,copies
			? inhabitants.Foma Bear.race = "bear"
			d1 Magistrate: REGISTER 17 => unclear new-nick
			d1 Magistrate: GRANT FEUD 17 TO Oleg => unclear new-name
			d1 Magistrate: GRANT PROPERTY A, B MINE TO Oleg => unclear new-name
			d1 Magistrate: ЗАРЕГИСТРИРОВАТЬ Фома РАСА гном КОНТИНЕНТ Север => HL-47
			? inhabitants.Фома.continent = "Север"
			d1 Magistrate: GRANT FEUD Fen TO Фома => HL-01
			d1 Magistrate: CREDIT 5 TO Sir John => HL-18
		`},
		{"prose stays prose, and near orders are unclear", people, `
			d1 Oleg: I shall be away for a while => prose
			d1 Oleg: CHALENGE Ivan => unclear
			d1 Oleg: CHALLENGE Nobody => unclear
			d1 Oleg: challenge boris! => unclear
			d1 Oleg: challenge boris => HL-32
		`},
	} {
		s.run(t)
	}
}

// feuds of two Lands: Fen is in both, Marsh in the store of one, what else there is in one only.
const twoStores = twoLands + `
[world.magistrate]
feuds = { HL4 = ["Marsh"] }
`

func TestMovesInSeveralLands(t *testing.T) {
	for _, s := range []script{
		{"a feud tells its Land where it is in one only", twoStores, `
			d1 Boris: GIVE FEUD Fen TO Ivan => unclear which-land
			d1 Boris: GIVE FEUD Dale TO Ivan => refused HL-76
			d1 Boris: GIVE FEUD Boris1 TO Ivan => refused HL-76
			d1 Boris: GIVE FEUD Fen IN HL3 TO Boris => refused HL-83
			d1 Boris: GIVE FEUD Fen IN HL3 TO Ivan => refused HL-86 feud-not-yours
			d1 Boris: GIVE FEUD Marsh TO Ivan => refused HL-86 feud-not-yours
			d1 Boris: GIVE FEUD Dale IN HL3 TO Ivan => refused HL-86 feud-not-yours
			d1 Oleg: GIVE FEUD Oleg1 TO Boris => unclear which-land
			d1 Oleg: GIVE FEUD Oleg1 IN HL3 TO Boris => refused HL-76
			d1 Oleg: ПЕРЕДАТЬ ФЕОД Oleg1 ВЕРСИЯ HOMM4 ИГРОКУ Boris => HL-76
			! feud-moved rank-changed rank-changed
			@ feud-moved land = "HL4"
			@ feud-moved rule = HL-76
			@ feud-moved to = tavern,gm,copies,Oleg,Boris
			? inhabitants.Boris.feuds.HL4 = ["Fen","Dale","Oleg1"]
			d1 Magistrate: TAKE FEUD Fen FROM Ivan => unclear which-land
			d1 Magistrate: TAKE FEUD Fen IN HL4 FROM Ivan => refused HL-86 feud-not-his
			d1 Magistrate: TAKE FEUD Fen IN 3 FROM Ivan => HL-01
			! feud-moved rank-changed
			@ feud-moved reason = "taken"
			? magistrate.feuds = {"HL3":["Fen"],"HL4":["Marsh"]}
			d1 Magistrate: GRANT FEUD Heath TO Ivan => unclear which-land
			d1 Magistrate: GRANT FEUD Fen TO Ivan => unclear which-land
			d1 Magistrate: GRANT FEUD Dale TO Ivan => refused HL-86 feud-owned
			d1 Magistrate: GRANT FEUD Fen IN HL4 TO Ivan => refused HL-86 feud-owned
			d1 Magistrate: GRANT FEUD marsh TO Ivan => HL-01
			@ feud-moved feud = "Marsh"
			@ feud-moved land = "HL4"
			@ feud-moved reason = "grant"
			d1 Magistrate: GRANT FEUD Marsh VERSION HMM3 TO Ivan => HL-01
			? inhabitants.Ivan.feuds = {"HL3":["Marsh"],"HL4":["Ivan1","Marsh"]}
			? magistrate.feuds = {"HL3":["Fen"],"HL4":[]}
			d1 Magistrate: OVERRIDE WAR IMMUNITY Ivan 5 => unclear which-land
			d1 Magistrate: OVERRIDE WAR IMMUNITY Ivan IN HL3 5 => HL-78
			? inhabitants.Ivan.war_immunity = {"HL3":5,"HL4":0}
			d1 Magistrate: CLOSE TOURNEY Frost IN HL4 => HL-09
			? inhabitants.Ivan.war_immunity = {"HL3":5,"HL4":0}
		`},
		{"HL-07 HL-44 HL-88 clans look at every Land", twoLands + "[world.inhabitants.Vera]\nclan = \"Wolves\"\nfeuds = { HL3 = 3 }\n", `
			d1 Boris: JOIN CLAN Wolves => refused HL-07 clan
			d1 Magistrate: OVERRIDE FREE Boris => unclear which-land
			d1 Magistrate: OVERRIDE FREE Boris IN HL4 => HL-30
			d1 Oleg: CHALLENGE Boris IN HL3 => HL-32
			d1 Boris: JOIN CLAN Wolves => refused HL-44 clan
			d1 Vera: JOIN CLAN Wolves => refused HL-88 clan
			d1 Vera: LEAVE CLAN => HL-07
			! clan-left
			@ clan-left clan = "Wolves"
			@ clan-left to = tavern,gm,copies,Vera
			d1 Vera: LEAVE CLAN => refused HL-82 clan
		`},
	} {
		s.run(t)
	}
}
