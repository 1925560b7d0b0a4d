package kingmaker

import "testing"

func TestBoards(t *testing.T) {
	for _, s := range []script{
		{"KM-1.5 to KM-5.4 embarking", theMarch, `
			d0+13h Anna: Ayton EMBARKS ON Tern => KM-2.5
			d0+13h Anna: Aske EMBARKS ON Tern => refused KM-P2 no-port
			d0+13h Anna: Ayton EMBARKS ON Auk => refused KM-P2 no-port
			d0+13h Anna: Ayton EMBARKS ON Bittern => refused KM-P3 ship
			d0+13h Anna: Ayton, Aske EMBARK ON Tern => unclear one-unit
			d0+13h Anna: EMBARK Ayton ON Tern => KM-2.5
			d0+13h Gareth: PLACE Ayton AT Wykeport => KM-P8
			d0+13h Gareth: PLACE Tern AT Wykeport => KM-P8
			d0+13h Anna: Ayton EMBARKS ON Tern => refused KM-5.4 permission
			d0+13h Boris: PERMIT Red LEAVE AT Wykeport => KM-5.0
			d0+13h Anna: Ayton EMBARKS ON Tern => KM-5.4
			d0+13h Gareth: CONTROL Wykeport BY NOBODY => KM-P8
			d0+13h Anna: Ayton EMBARKS ON Tern => refused KM-4.4
			d0+13h Gareth: CONTROL Wykeport BY Red => KM-P8
			d0+13h Anna: Ayton EMBARKS ON Tern => KM-1.5
			+ READY => KM-P1
			d0+14h
			! turn-closed embarked turn-began
		`},
		{"KM-2.5 the ship is full, and limited troops do not count aboard", at(`capacity = 40, at = "Cold Sea"`, `capacity = 150, at = "Gullhaven"`, `capacity = 150, at = "Gullhaven"`, `capacity = 149, at = "Gullhaven"`, `troops = 100, at = "Crag"`, `troops = 100, at = "Gullness"`, `{ name = "the Uplands", spaces = ["Upmoor", "Hazeldene"] }`, `{ name = "the Uplands", spaces = ["Gullness"] }`), `
			? nobles.Aske.strength = 250
			d0+13h Anna: Aske EMBARKS ON Tern => refused KM-2.5 capacity
			d0+13h Anna: Aske EMBARKS ON Auk => KM-2.5
			d0+13h Anna: Ayton EMBARKS ON Auk => refused KM-2.5 capacity
		`},
		{"a noble goes by ship, and ashore by himself", theMarch, `
			d0+13h Anna: Ayton EMBARKS ON Tern => KM-2.5
			d0+13h Anna: Ayton EMBARKS ON Tern => KM-2.5
			d0+13h Anna: Tern MOVES TO Cold Sea => KM-2.4
			d0+13h Anna: READY => KM-P1
			d0+14h
			! turn-closed embarked moved turn-began
			d0+14h Gareth: PLACE Edmund WITH Ayton => KM-P8
			? heirs.Edmund.space = "Cold Sea"
			d0+14h Gareth: PLACE Tern AT Gullhaven => KM-P8
			? heirs.Edmund.location = ""
			? heirs.Edmund.space = "Gullness"
			d0+14h Gareth: PLACE Tern AT Cold Sea => KM-P8
			? nobles.Ayton.ship = "Tern"
			? nobles.Ayton.space = "Cold Sea"
			? nobles.Ayton.location = ""
			? ships.Tern.passengers = ["Ayton"]
			d0+14h Boris: READY => KM-P1
			d0+15h Boris: PERMIT Red DOCK AT Wykeport STANDING => KM-5.0
			d0+15h Clara: READY => KM-P1
			d0+16h Anna: Ayton DISEMBARKS => refused KM-P2 at-sea
			d0+16h Anna: Ayton EMBARKS ON Auk => refused KM-P2 no-port
			d0+16h Anna: Tern MOVES TO Wykeport => KM-5.3
			d0+16h Anna: Ayton DISEMBARKS INTO Wykeport => refused KM-5.6 permission
			d0+16h Anna: READY => KM-P1
			d0+17h
			! turn-closed moved disembarked turn-began
			@ disembarked auto = true
			@ disembarked .to = "Sandwyke"
			@ disembarked rule = KM-5.6
			? nobles.Ayton.location = ""
			? nobles.Ayton.space = "Sandwyke"
			? nobles.Ayton.moved = false
			? ships.Tern.moved = true
		`},
		{"KM-1.6 to KM-5.6 disembarking", at(`troops = 50, at = "Gullhaven"`, `troops = 50, at = "Tern"`, `troops = 40, at = "Birkrigg"`, `troops = 40, at = "Bittern"`), `
			d0+13h Anna: Aske DISEMBARKS => refused KM-P2 ashore
			d0+13h Anna: Ayton DISEMBARKS FROM Auk => refused KM-P2 other-ship
			d0+13h Anna: Ayton DISEMBARKS INTO Wykeport => refused KM-P2 other-port
			d0+13h Anna: Ayton DISEMBARKS INTO Gullhaven => KM-2.6
			d0+13h Anna: DISEMBARK Ayton FROM Tern => KM-2.6
			d0+13h Anna: Ayton MOVES TO Thornrigg => refused KM-P5 moved
			d0+13h Gareth: PLACE Carnaby AT Gullhaven => KM-P8
			d0+13h Anna: Ayton DISEMBARKS INTO Gullhaven => refused KM-2.6 occupied
			d0+13h Anna: Ayton DISEMBARKS => KM-2.6
			+ READY => KM-P1
			d0+14h
			@ disembarked auto = false
			@ disembarked .to = "Gullness"
			d0+14h Boris: Bolam DISEMBARKS INTO Wykeport => KM-1.6
			d0+14h Gareth: CONTROL Wykeport BY NOBODY => KM-P8
			d0+14h Boris: Bolam DISEMBARKS INTO Wykeport => refused KM-4.6
			d0+14h Boris: Bolam DISEMBARKS => KM-4.6
			d0+14h Boris: Bolam MOVES TO Kingsmead => refused KM-P5 moved
		`},
		{"KM-P5 boarding is a journey, and leaving a ship is one", at(`troops = 50, at = "Gullhaven"`, `troops = 50, at = "Tern"`), `
			d0+13h Anna: Ayton DISEMBARKS => KM-2.6
			d0+13h Anna: Ayton MOVES TO Thornrigg => refused KM-P5 moved
			d0+13h Anna: Ayton EMBARKS ON Tern => refused KM-P5 moved
			d0+13h Anna: READY => KM-P1
			d0+14h
			? nobles.Ayton.moved = true
		`},
		{"in Russian", at(`troops = 100, at = "Crag"`, `troops = 100, at = "Gullness"`), `
			d0+13h Anna: Аск САДИТСЯ НА Крачка => KM-2.5
			+ Аск ВЫСАЖИВАЕТСЯ С Крачка В Gullhaven => KM-2.6
			+ Аск ВЫСАЖИВАЕТСЯ => KM-2.6
		`},
		{"KM-P7 heirs go where their holders go", theMarch, `
			d0+13h Anna: Aske CAPTURES Edmund => refused KM-P7 elsewhere
			d0+13h Gareth: PLACE Ayton AT Birkrigg => KM-P8
			d0+13h Anna: Ayton CAPTURES Rosamund => KM-P7
			d0+13h Anna: CAPTURE Rosamund WITH Ayton => KM-P7
			d0+13h Anna: Ayton, Aske CAPTURES Rosamund => unclear one-unit
			d0+13h Anna: Ayton MOVES TO Oxton => KM-3.2
			d0+13h Anna: READY => KM-P1
			d0+14h
			! turn-closed heir-captured moved turn-began
			? heirs.Rosamund.holder = "Ayton"
			? heirs.Rosamund.location = "Oxton"
			d0+14h Boris: Bolam CAPTURES Rosamund => refused KM-P7 held
			d0+14h Boris: READY => KM-P1
			d0+15h Clara: Clavering CAPTURES Edmund => KM-P7
			d0+15h Clara: Clavering ЗАХВАТЫВАЕТ Edmund => KM-P7
			d0+15h Gareth: REMOVE Edmund => KM-P8
			d0+15h Clara: Clavering CAPTURES Edmund => refused KM-P7 gone
		`},
		{"KM-P7 not from inside into the open, nor from aboard", at(`{ name = "Rosamund", house = "Crag", at = "Birkrigg" }`, `{ name = "Rosamund", house = "Crag", at = "Gullness" }`), `
			d0+13h Anna: Ayton CAPTURES Rosamund => refused KM-P7 elsewhere
			d0+13h Gareth: PLACE Ayton AT Gullness => KM-P8
			d0+13h Anna: Ayton CAPTURES Rosamund => KM-P7
			d0+13h Anna: Ayton EMBARKS ON Tern => KM-2.5
			d0+13h Anna: Ayton CAPTURES Rosamund => refused KM-P7 aboard
		`},
	} {
		s.run(t)
	}
}
