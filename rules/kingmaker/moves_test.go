package kingmaker

import "testing"

// at is theMarch with a noble somewhere else than at its opening, and so on: pairs of the old text and the new one.
func at(pairs ...string) string { return swap(theMarch, pairs...) }

func TestMoves(t *testing.T) {
	for _, s := range []script{
		{"KM-P1 whose turn it is", theMarch, `
			d0 Anna: Aske MOVES TO Hazeldene => refused KM-P1 turn
			d0+13h Boris: Bolam MOVES TO Oxlea => refused KM-P1 turn
			d0+13h Anna: Aske MOVES TO Hazeldene => KM-P4
			? orders = [{"n":1,"by":"Red","line":"Aske MOVES TO Hazeldene","status":"kept","asks":[]}]
			d1+12h Anna: Ayton MOVES TO Thornrigg => KM-P4
			d1+12h1s Anna: Ayton MOVES TO Birkrigg => refused KM-P1 turn
			! turn-closed moved moved turn-began
			? orders = []
			? nobles.Aske.space = "Hazeldene"
			? nobles.Aske.moved = true
			? nobles.Bolam.moved = false
		`},
		{"KM-P2 where a unit is and goes", theMarch, `
			d0+13h Anna: Aske MOVES FROM Hazelburgh TO Birkrigg => refused KM-P2 from
			d0+13h Anna: Aske MOVES FROM Upmoor TO Hazeldene => KM-P4
			d0+13h Anna: Aske MOVES FROM Crag TO Hazeldene IN the Uplands => KM-P4
			d0+13h Anna: Aske MOVES TO Birkrigg IN the Uplands => refused KM-P2 in
			d0+13h Anna: Aske MOVES TO Crag => refused KM-P2 there
			d0+13h Anna: Aske MOVES TO Cold Sea => refused KM-P2 sea
			d0+13h Anna: Tern MOVES TO Crag => refused KM-P2 land
			d0+13h Anna: Tern MOVES TO Gullness => refused KM-P2 land
			d0+13h Anna: Tern MOVES FROM Gull Bay TO Cold Sea => KM-2.4
			d0+13h Anna: Auk MOVES TO Gull Bay IN Cold Sea => refused KM-P2 in
			d0+13h Anna: Aske MOVES TO Nowhere => unclear
			d0+13h Anna: Aske, Ayton MOVES TO Birkrigg => unclear one-unit
			d0+13h Anna: ARMY 1 MOVES TO Birkrigg => refused KM-P3 group
			d0+13h Anna: АРМИЯ 7 ИДЁТ В Биркригг => refused KM-P3 group
		`},
		{"KM-P2 who is not on the map yet", at(`{ name = "Delaval", troops = 20, at = "Oxlea" }`, `{ name = "Delaval", troops = 20 }`), `
			d0+13h Gareth: AWARD Delaval TO Red => KM-P8
			d0+13h Anna: Delaval MOVES TO Upmoor => refused KM-P2 nowhere
			d0+13h Anna: Delaval, Aske FORM ARMY IN Crag => refused KM-P2 not-here
			d0+13h Anna: Delaval BATTLES Blue IN Oxlea => refused KM-P2 attacker
			d0+13h Anna: Delaval EMBARKS ON Tern => refused KM-P2 no-port
			d0+13h Anna: Delaval CAPTURES Edmund => refused KM-P7 elsewhere
		`},
		{"KM-P3 whose unit it is", theMarch, `
			d0+13h Anna: Bolam MOVES TO Oxlea => refused KM-P3 stranger
			d0+13h Anna: Delaval MOVES TO Kingsmead => refused KM-P3
			d0+13h Dora: Delaval MOVES TO Kingsmead => refused KM-P8 player
			d0+13h Gareth: Aske MOVES TO Hazeldene => refused KM-P8 player
		`},
		{"KM-P4 by road as far as one likes, off road two steps", theMarch, `
			d0+13h Anna: Aske MOVES TO Hazeldene BY ROAD => KM-P4
			d0+13h Anna: Aske MOVES TO Birkrigg OFF ROAD => KM-P4
			d0+13h Anna: Aske MOVES TO Oxlea OFF ROAD => refused KM-P4 offroad
			d0+13h Anna: Ayton MOVES TO Mirefold => KM-P4
			d0+13h Anna: Ayton MOVES TO Mirefold BY ROAD => refused KM-P4 road
			d0+13h Anna: Aske MOVES TO Mirefold => refused KM-P4 way
		`},
		{"KM-P4 a limit of the road", at(`faction = [`, "limits = { road = 2, offroad = 1 }\nfaction = ["), `
			d0+13h Anna: Aske MOVES TO Hazeldene => KM-P4
			d0+13h Anna: Aske MOVES TO Birkrigg BY ROAD => refused KM-4.1
			d0+13h Anna: Aske MOVES TO Oxlea BY ROAD => refused KM-P4 road
			d0+13h Anna: Ayton MOVES TO Mirefold => refused KM-P4 way
		`},
		{"KM-1.1 to KM-5.1 what stands on the road", at(`name = "Aske", faction = "Red", troops = 100, at = "Crag"`, `name = "Aske", faction = "Red", troops = 100, at = "Birkby"`), `
			d0+13h Anna: Aske MOVES TO Kingsmead => KM-3.1
			d0+13h Anna: Aske MOVES TO Sandwyke => refused KM-5.1 permission
			d0+13h Anna: Aske MOVES TO Upmoor BY ROAD => refused KM-4.1
			d0+13h Anna: Aske MOVES TO Upmoor => KM-P4
			d0+13h Clara: PERMIT Red PASS AT Mead City => KM-5.0
			d0+13h Anna: Aske MOVES TO Sandwyke => KM-5.1
			d0+14h Anna: READY => KM-P1
			d0+15h
			@ moved through = ["Oxton","Mead City"]
			@ moved mode = "road"
			@ moved from = "Birkby"
			@ moved .to = "Sandwyke"
			@ moved rule = KM-5.1
			@ moved to = tavern,gm,copies
		`},
		{"KM-2.1 an occupied town stops, and its own and allied nobles do not", at(`name = "Carnaby", faction = "Green", troops = 30, at = "Birkrigg"`, `name = "Carnaby", faction = "Green", troops = 30, at = "Birkby"`, `at = "Gullhaven", aliases = ["Крачка"]`, `at = "Gull Bay", aliases = ["Крачка"]`), `
			d0+13h Anna: Ayton MOVES TO Oxlea BY ROAD => refused KM-4.1
			d0+13h Gareth: PLACE Ayton AT Thornkeep => KM-P8
			d0+13h Anna: Ayton MOVES TO Oxlea BY ROAD => refused KM-2.1 occupied
			d0+13h Anna: Ayton MOVES TO Oxlea => KM-P4
			d0+13h Anna: Ayton MOVES TO Birkby => refused KM-2.2 occupied
			d0+13h Anna: Ayton MOVES TO Birkrigg => KM-P4
			d0+13h Gareth: PLACE Ayton AT Birkby => KM-P8
			d0+13h Gareth: REMOVE Carnaby => KM-P8
			d0+13h Anna: Aske MOVES TO Hazelburgh => refused KM-4.2
		`},
		{"KM-1.2 to KM-5.2 entering, and the room inside", theMarch, `
			d0+13h Anna: Ayton MOVES TO Thornkeep => refused KM-4.2
			d0+13h Anna: Ayton MOVES TO Birkby BY ROAD => refused KM-4.1
			d0+13h Gareth: CONTROL Thornkeep BY Red => KM-P8
			d0+13h Anna: Ayton MOVES TO Thornkeep => KM-1.2
			d0+13h Anna: Ayton MOVES TO Birkby => KM-2.2
			d0+13h Anna: Ayton MOVES TO Oxton => KM-3.2
			d0+13h Anna: Ayton MOVES TO Mead City => refused KM-5.2 permission
			d0+13h Clara: PERMIT Red ENTER AT Mead City => KM-5.0
			d0+13h Anna: Ayton MOVES TO Mead City => KM-5.2
		`},
		{"KM-1.2 no room", at(`type = "noble", controller = "Red"`, `type = "noble", controller = "Red", capacity = 299`, `name = "Ayton", faction = "Red", troops = 50, at = "Gullhaven"`, `name = "Ayton", faction = "Red", troops = 50, at = "Hazeldene"`), `
			d0+13h Anna: Ayton MOVES TO Crag => refused KM-1.2 capacity
			d0+13h Anna: Ayton MOVES TO Upmoor => KM-P4
			d0+13h Gareth: TAKE Warden of the Northern Marches FROM Aske => KM-P8
			d0+13h Anna: Ayton MOVES TO Crag => KM-1.2
		`},
		{"KM-P5 one journey a turn, and the order that replaces another", theMarch, `
			d0+13h Anna: Aske MOVES TO Hazeldene => KM-P4
			+ MOVE Aske TO Birkrigg => KM-P4
			? orders.0.n = 2
			d0+13h Anna: Ayton EMBARKS ON Tern => KM-2.5
			d0+13h Anna: Ayton MOVES TO Thornrigg => refused KM-P5 aboard
			d0+13h Anna: CANCEL 3 => E
			d0+13h Anna: Ayton MOVES TO Thornrigg => KM-P4
			d0+13h Anna: Ayton EMBARKS ON Tern => refused KM-P2 no-port
			d0+13h Anna: READY => KM-P1
			d0+14h
			! turn-closed moved moved turn-began
		`},
		{"KM-A5 one order of a kind in a Round", theMarch, `
			d0+13h Anna: Aske MOVES TO Hazeldene => KM-P4
			+ READY => KM-P1
			d0+14h Boris: READY => KM-P1
			d0+15h Clara: READY => KM-P1
			d0+16h Anna: Aske MOVES TO Birkrigg => KM-P4
		`},
		{"KM-1.3 to KM-5.5 ships in and out of ports", theMarch, `
			d0+13h Anna: Auk MOVES TO Wykeport => refused KM-5.3 permission
			d0+13h Anna: Auk MOVES TO Gullhaven => KM-2.3
			d0+13h Boris: PERMIT Red DOCK AT Wykeport => KM-5.0
			d0+13h Anna: Auk MOVES TO Wykeport => KM-5.3
			d0+13h Anna: READY => KM-P1
			d0+14h
			@ moved mode = "sea"
			@ moved from = "Cold Sea"
			@ moved .to = "Wykeport"
			d0+14h Gareth: CONTROL Wykeport BY NOBODY => KM-P8
			! control-changed permission-ended
			d0+14h Boris: Bittern MOVES TO Cold Sea => KM-4.5
			+ READY => KM-P1
			d0+15h
			d0+15h Clara: READY => KM-P1
			d0+16h Boris: READY => refused KM-P1 ready
			d0+16h Anna: Auk MOVES TO Cold Sea => KM-4.5
			d0+16h Gareth: CONTROL Wykeport BY Blue => KM-P8
			d0+16h Anna: Auk MOVES TO Cold Sea => refused KM-5.5 permission
			d0+16h Anna: READY => KM-P1
			d0+17h
			! turn-closed order-failed turn-began
			@ order-failed rule = KM-5.5
			d0+17h Boris: Bittern MOVES TO Wykeport => KM-1.3
			? ships.Auk.at = "Wykeport"
		`},
		{"KM-P4 three seas at most", at(`sea = [ { name = "Cold Sea", adjacent = ["Gull Bay"]`, `sea = [ { name = "A", adjacent = ["Gull Bay", "B"] }, { name = "B", adjacent = ["C"] }, { name = "C" }, { name = "Cold Sea", adjacent = ["Gull Bay"]`), `
			d0+13h Anna: Tern MOVES TO B => KM-2.4
			d0+13h Anna: Tern MOVES TO C => refused KM-P4 sea
			d0+13h Anna: Auk MOVES TO B => KM-P4
			d0+13h Anna: Auk MOVES TO Gullhaven => KM-2.3
		`},
		{"KM-2.3 strict ports are barred by anybody inside", at(`odds = [`, "rules = { strict_occupied_ports = true }\nodds = ["), `
			d0+13h Anna: Auk MOVES TO Gullhaven => refused KM-2.3 occupied
			d0+13h Gareth: PLACE Ayton AT Gullness => KM-P8
			d0+13h Anna: Auk MOVES TO Gullhaven => KM-2.3
		`},
		{"in Russian", theMarch, `
			d0+13h Anna: Аск ИДЁТ ИЗ Crag В Hazeldene В ОБЛАСТИ the Uplands ПО ДОРОГЕ => KM-P4
			d0+13h Anna: Аск ИДЁТ В Биркригг БЕЗ ДОРОГИ => KM-P4
			d0+13h Anna: Крачка ПЛЫВЁТ В Холодное море => KM-2.4
			d0+13h Anna: Ayton САДИТСЯ НА Крачка => refused KM-P2 no-port
		`},
	} {
		s.run(t)
	}
}
