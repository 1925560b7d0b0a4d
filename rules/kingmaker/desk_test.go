package kingmaker

import "testing"

func TestDesk(t *testing.T) {
	for _, s := range []script{
		{"KM-P8 the desk is the GM's", theMarch, `
			d0 Anna: EVENT Snow in the Uplands => refused KM-P8 gm
			d0 Anna: CROWN Edmund => refused KM-P8 gm
			d0 Olga: DRAW events => refused KM-P8 gm
			d0 Gareth: EVENT Snow in the Uplands => KM-P8
			@ gm-event text = "Snow in the Uplands"
			@ gm-event to = tavern,gm,copies
			d0 Gareth: СОБЫТИЕ Снег на севере => KM-P8
		`},
		{"ships forced into port", theMarch, `
			d0 Gareth: EVENT FORCE Auk INTO Wykeport => KM-P8
			@ ship-forced to = tavern,gm,copies,Anna
			@ ship-forced port = "Wykeport"
			? ships.Auk.forced = true
			? ships.Auk.at = "Wykeport"
			? ships.Auk.moved = false
			d0 Gareth: FORCE Auk INTO Crag => refused KM-P2 port
			d0 Gareth: ЗАГНАТЬ Крачка В Уайкпорт => KM-P8
			d0+13h Anna: Auk MOVES TO Cold Sea => refused KM-5.5 permission
			d0+13h Boris: PERMIT Red LEAVE AT Wykeport => KM-5.0
			d0+13h Anna: Auk MOVES TO Cold Sea => KM-5.5
			+ READY => KM-P1
			d0+14h
			? ships.Auk.forced = false
		`},
		{"KM-0.2, KM-2.0, KM-3.0 control, and items that are places", theMarch, `
			d0 Gareth: CONTROL Birkby BY Red => refused KM-2.0
			d0 Gareth: CONTROL Oxton BY Red => refused KM-3.0
			d0 Gareth: CONTROL Thornkeep BY Red => KM-P8
			@ control-changed from = ""
			@ control-changed .to = "Red"
			d0 Gareth: CONTROL Thornkeep BY NOBODY => KM-P8
			d0 Gareth: ВЛАСТЬ Thornkeep У Красные => KM-P8
			d0 Gareth: ВЛАСТЬ Thornkeep НИ У КОГО => KM-P8
			d0 Gareth: AWARD Town of Hazelburgh TO Bewick => KM-P8
			! awarded control-changed
			? locations.Hazelburgh.controller = "Blue"
			? nobles.Bewick.items = ["Town of Hazelburgh"]
			d0 Gareth: TAKE Town of Hazelburgh FROM Bolam => refused KM-P9 item
			d0 Gareth: TAKE Town of Hazelburgh FROM Bewick => KM-P8
			! taken control-changed
			? locations.Hazelburgh.controller = ""
			d0 Gareth: AWARD Marshal of England TO Delaval => refused KM-P3
			d0 Gareth: ПОЖАЛОВАТЬ Marshal of England КОМУ Бьюик => KM-P8
			? nobles.Bewick.strength = 160
			d0 Gareth: ОТНЯТЬ Marshal of England У Бьюик => KM-P8
		`},
		{"nobles and ships change sides", theMarch, `
			d0 Gareth: AWARD Delaval TO Grey => KM-P8
			? nobles.Delaval.faction = "Grey"
			? nobles.Delaval.strength = 20
			d0 Gareth: AWARD Bittern TO Red => KM-P8
			@ awarded to = tavern,gm,copies,Anna
			? ships.Bittern.faction = "Red"
		`},
		{"crowns", theMarch, `
			d0 Gareth: UNCROWN Edmund => refused KM-P9 uncrowned
			d0 Gareth: CROWN Edmund => KM-P8
			? heirs.Edmund.crowned = true
			d0 Gareth: РАЗВЕНЧАТЬ Edmund => KM-P8
			! uncrowned
			d0 Gareth: КОРОНОВАТЬ Edmund => KM-P8
			d0 Gareth: REMOVE Edmund => KM-P8
			d0 Gareth: CROWN Edmund => refused KM-P3 gone
		`},
		{"what is put somewhere", theMarch, `
			d0 Gareth: PLACE Aske AT Cold Sea => refused KM-P2 noble-at-sea
			d0 Gareth: PLACE Edmund AT Cold Sea => refused KM-P2 noble-at-sea
			d0 Gareth: PLACE Tern AT Crag => refused KM-P2 ship-on-land
			d0 Gareth: PLACE Tern AT Kingsmead => refused KM-P2 ship-on-land
			d0 Gareth: PLACE Edmund WITH Aske => KM-P8
			? heirs.Edmund.location = "Crag"
			? heirs.Edmund.holder = "Aske"
			d0 Gareth: ПОМЕСТИТЬ Edmund С Бьюик => KM-P8
			d0 Gareth: PLACE Edmund WITH Delaval => refused KM-P3
			d0 Gareth: PLACE Aske AT Oxlea => KM-P8
			? nobles.Aske.moved = false
			d0 Gareth: ПОМЕСТИТЬ Крачка В Холодное море => KM-P8
			? ships.Tern.at = "Cold Sea"
			d0 Gareth: PLACE Edmund AT Thornkeep => KM-P8
			? heirs.Edmund.holder = ""
			d0 Gareth: PLACE Aske AT Auk => KM-P8
			? nobles.Aske.ship = "Auk"
			? nobles.Aske.space = "Cold Sea"
			d0 Gareth: PLACE Edmund AT Auk => refused KM-P2 only-nobles
			d0 Gareth: PLACE Auk AT Tern => refused KM-P2 only-nobles
			d0 Gareth: REMOVE Bittern => KM-P8
			d0 Gareth: PLACE Aske AT Bittern => refused KM-P3
		`},
		{"who leaves the game", at(`troops = 50, at = "Gullhaven"`, `troops = 50, at = "Auk"`, `troops = 60, at = "Mirehold"`, `troops = 60, at = "Bittern"`), `
			d0 Gareth: PLACE Edmund WITH Aske => KM-P8
			d0 Gareth: REMOVE Aske => KM-P8
			! removed
			@ removed items = ["Warden of the Northern Marches"]
			@ removed to = tavern,gm,copies,Anna
			? nobles.Aske.items = []
			? nobles.Aske.removed = true
			? heirs.Edmund.holder = ""
			? heirs.Edmund.location = "Crag"
			d0 Gareth: REMOVE Aske => refused KM-P3 gone
			d0 Gareth: PLACE Aske AT Crag => refused KM-P3 gone
			d0 Gareth: AWARD Aske TO Blue => refused KM-P3 gone
			d0 Gareth: REMOVE Auk => refused KM-P2 sinks
			d0 Gareth: УБРАТЬ Bittern => KM-P8
			! disembarked removed
			? nobles.Bewick.space = "Sandwyke"
			d0 Gareth: FORCE Bittern INTO Wykeport => refused KM-P3
			d0+13h Anna: Aske MOVES TO Hazeldene => refused KM-P3
		`},
		{"KM-0.2 a place is nobody's when its holder leaves the game", theMarch, `
			d0 Gareth: AWARD Town of Hazelburgh TO Bewick => KM-P8
			d0 Gareth: REMOVE Bewick => KM-P8
			! removed control-changed
			? locations.Hazelburgh.controller = ""
		`},
		{"decks", theMarch, `
			d0 Gareth: DRAW events => KM-P8
			! draw drawn
			@ draw purpose = "deck:events"
			@ draw of = 3
			d0 Gareth: ТЯНУТЬ events => KM-P8
			@ draw of = 2
			d0 Gareth: DRAW events => KM-P8
			! drawn
			? decks.events = []
			d0 Gareth: DRAW events => refused KM-P9 deck
			d0 Gareth: RESHUFFLE events => KM-P8
			? decks.events = ["Plague in Oxton","Storm at sea","Parliament"]
			d0 Gareth: ПЕРЕТАСОВАТЬ events => KM-P8
		`},
		{"KM-P8 the Senior Officer of one's own army", at(`troops = 50, at = "Gullhaven"`, `troops = 50, at = "Upmoor"`), `
			d0+13h Anna: Aske, Ayton FORM ARMY IN Crag => KM-A6a
			+ READY => KM-P1
			d0+14h Gareth: SENIOR OFFICER Aske => refused KM-P8 not-joint
		`},
	} {
		s.run(t)
	}
}
