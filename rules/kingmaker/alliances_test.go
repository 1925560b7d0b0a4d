package kingmaker

import "testing"

// allied is an alliance of Red and Blue, agreed upon before the first turn.
const allied = `
	d0 Anna: ALLY WITH Blue => KM-A1
	d0 Boris: CONFIRM ALLIANCE => KM-A2a
`

func TestAlliances(t *testing.T) {
	for _, s := range []script{
		{"KM-A1 whom one may ask", theMarch, `
			d0 Anna: ALLY WITH Red => refused KM-A1 self
			d0 Anna: ALLY WITH Grey => refused KM-A1 no-player
			d0 Anna: ALLY WITH Blue, Grey => refused KM-A1 no-player
			? alliances = []
			d0 Anna: ALLY WITH Blue, Green AND Blue => KM-A1
			! alliance-proposed
			@ alliance-proposed asked = ["Blue","Green"]
			@ alliance-proposed rule = KM-A2a
			@ alliance-proposed to = gm,Anna,Boris,Clara
			d0 Anna: ALLY WITH Blue => refused KM-A1 open
			d0 Boris: ALLY WITH Red => refused KM-A1 open
			d0 Boris: ALLY WITH Green => KM-A1
			d0 Boris: CONFIRM ALLIANCE 1 => KM-A2a
			! alliance-answered
			@ alliance-answered to = gm,Anna,Boris
			@ alliance-answered answer = "yes"
			? alliances.0.answers = {"Blue":"yes"}
			? alliances.0.status = "proposed"
			d0 Dora: ALLY WITH Red => refused KM-P8 player
			d0 Gareth: СОЮЗ С Красные => refused KM-P8 player
		`},
		{"KM-A3 settled when all have answered", theMarch, `
			d0 Anna: ALLY WITH Blue, Green => KM-A1
			d0 Boris: CONFIRM ALLIANCE WITH Red => KM-A2a
			d0 Boris: CONFIRM ALLIANCE => refused KM-A3
			d0 Clara: REFUSE ALLIANCE 1 => KM-A2a
			! alliance-answered alliance-formed
			@ alliance-formed members = ["Red","Blue"]
			@ alliance-formed to = gm,Anna,Boris
			? alliances.0.status = "formed"
			? alliances.0.public = false
			d0 Anna: ALLY WITH Blue => refused KM-A1 allied
			d0 Clara: ПОДТВЕРДИТЬ СОЮЗ 1 => refused KM-A3
		`},
		{"KM-A3 the window, its last instant in it", theMarch, `
			d0+13h Anna: ALLY WITH Blue, Green => KM-A1
			d1+13h Boris: CONFIRM ALLIANCE => KM-A2a
			! turn-closed nmr turn-began alliance-answered
			d1+13h1s
			! alliance-formed
			d1+13h1s Clara: CONFIRM ALLIANCE => refused KM-A3
			d1+14h Clara: ALLY WITH Red => KM-A1
			d2+14h
			! turn-closed nmr turn-began
			d2+14h1s
			! alliance-failed
			@ alliance-failed to = gm,Clara
			? alliances.1.status = "failed"
			? alliances.1.members = []
		`},
		{"KM-A3 until the next closing", at(`odds = [`, "rules = { alliance_window = \"deadline\" }\nodds = ["), `
			d0+13h Anna: ALLY WITH Blue => KM-A1
			@ alliance-proposed due = null
			d0+14h Boris: CONFIRM ALLIANCE => KM-A2a
			d0+15h Clara: ALLY WITH Red => KM-A1
			d1+13h
			! turn-closed nmr alliance-failed turn-began
		`},
		{"KM-A3 which of several", theMarch, `
			d0 Anna: ALLY WITH Green => KM-A1
			d0 Boris: ALLY WITH Green => KM-A1
			d0 Clara: CONFIRM ALLIANCE => unclear which-alliance
			d0 Clara: CONFIRM ALLIANCE WITH Blue => KM-A2a
			d0 Clara: CONFIRM ALLIANCE 3 => refused KM-A3
			d0 Clara: CONFIRM ALLIANCE => KM-A2a
			? alliances.0.status = "formed"
			? alliances.1.status = "formed"
		`},
		{"KM-A10 on one's own turn at once, with a truce", theMarch, allied + `
			d0+13h Anna: BREAK ALLIANCE WITH Green => refused KM-A10
			d0+13h Anna: BREAK ALLIANCE => KM-A10
			! alliance-broken truce-began
			@ alliance-broken to = gm,Anna,Boris
			@ alliance-broken former = ["Blue"]
			@ alliance-broken standing = []
			@ truce-began round = 2
			@ truce-began to = gm,Anna,Boris
			? truces = [{"factions":["Red","Blue"],"breaker":"Red","round":2}]
			? alliances.0.status = "ended"
			d0+13h Anna: BREAK ALLIANCE => refused KM-A10
			d0+13h Anna: READY => KM-P1
			d0+14h Boris: READY => KM-P1
			d0+15h Clara: READY => KM-P1
			d0+16h
			! turn-closed round-began truce-ended turn-began
			? truces = []
		`},
		{"KM-A10 at another time when one's next turn begins", theMarch, allied + `
			d0+13h Boris: BREAK ALLIANCE => KM-A10
			! round-began turn-began break-held
			@ break-held to = gm,Boris
			@ break-held with = ["Red"]
			d0+13h Boris: CANCEL ALL => E
			d0+13h Boris: BREAK ALLIANCE WITH Red => KM-A10
			d0+13h Boris: РАЗОРВАТЬ СОЮЗ С Красные => KM-A10
			? alliances.0.status = "formed"
			d0+13h Anna: READY => KM-P1
			d0+14h
			! turn-closed alliance-broken truce-began turn-began
			@ truce-began breaker = "Blue"
			@ truce-began round = 2
			? alliances.0.status = "ended"
			d0+14h Boris: CANCEL ALL => refused KM-P9 no-orders
		`},
		{"KM-A10 in several alliances it must be said which; KM-A11 the others stay allied", theMarch, `
			d0 Anna: ALLY WITH Blue, Green => KM-A1
			d0 Boris: CONFIRM ALLIANCE => KM-A2a
			d0 Clara: CONFIRM ALLIANCE => KM-A2a
			d0 Boris: ALLY WITH Green => refused KM-A1 allied
			d0+13h
			d0+13h Anna: BREAK ALLIANCE => KM-A10
			! alliance-broken truce-began truce-began
			@ alliance-broken standing = ["Blue","Green"]
			? alliances.0.members = ["Blue","Green"]
			? alliances.0.status = "formed"
			d0+13h Anna: ALLY WITH Blue => KM-A1
			d0+13h Boris: CONFIRM ALLIANCE => KM-A2a
			d0+13h Boris: BREAK ALLIANCE => unclear which-ally
			d0+13h Boris: BREAK ALLIANCE WITH Green => KM-A10
			d0+13h Anna: READY => KM-P1
			d0+14h
			! turn-closed alliance-broken truce-began turn-began
			@ alliance-broken former = ["Green"]
		`},
		{"KM-A12a who was an ally twice over has one truce", theMarch, allied + `
			d0 Clara: ALLY WITH Red, Blue => KM-A1
			d0 Anna: CONFIRM ALLIANCE => KM-A2a
			d0 Boris: CONFIRM ALLIANCE => KM-A2a
			d0+13h
			d0+13h Anna: BREAK ALLIANCE WITH Blue => KM-A10
			! alliance-broken truce-began alliance-broken truce-began
			? truces = [{"factions":["Red","Blue"],"breaker":"Red","round":2},{"factions":["Red","Green"],"breaker":"Red","round":2}]
			? alliances.0.status = "ended"
			? alliances.1.members = ["Green","Blue"]
		`},
		{"KM-A2c acting together makes it known", at(`troops = 100, at = "Crag"`, `troops = 100, at = "Birkrigg"`), allied + `
			d0+13h Anna: Bolam MOVES TO Oxlea => KM-A4c
			! round-began turn-began order-pending
			@ order-pending asks = ["Blue"]
			@ order-pending to = gm,Anna,Boris
			? orders.0.status = "pending"
			d0+13h Clara: CONFIRM ORDER 1 => refused KM-A4c
			d0+13h Boris: CONFIRM ORDER 1 => KM-A4c
			@ order-confirmed to = gm,Anna,Boris
			? orders.0.status = "kept"
			d0+13h Anna: READY => KM-P1
			d0+14h
			! turn-closed moved alliance-public turn-began
			@ alliance-public to = tavern,gm,copies,Anna,Boris
			? alliances.0.public = true
			? nobles.Bolam.moved = true
			d0+14h Boris: Bolam MOVES TO Kingsmead => refused KM-A5
			d0+14h Boris: BREAK ALLIANCE => KM-A10
			@ alliance-broken to = tavern,gm,copies,Anna,Boris
			@ truce-began to = tavern,gm,copies,Boris,Anna
		`},
		{"KM-A2c an ally's castle entered", at(`troops = 50, at = "Gullhaven"`, `troops = 50, at = "Mirefold"`), allied + `
			d0+13h Anna: Ayton MOVES TO Mirehold => KM-1.2
			+ READY => KM-P1
			d0+14h
			! turn-closed moved alliance-public turn-began
		`},
		{"KM-A2c an ally's ship boarded, though his port is not", at(`name = "Bittern", faction = "Blue", capacity = 100, at = "Wykeport"`, `name = "Bittern", faction = "Blue", capacity = 100, at = "Gullhaven"`), allied + `
			d0+13h Anna: Ayton EMBARKS ON Bittern => KM-2.5
			+ READY => KM-P1
			d0+14h
			! turn-closed embarked alliance-public turn-began
		`},
		{"KM-A2c own ways betray nothing", theMarch, allied + `
			d0+13h Anna: Aske MOVES TO Hazeldene => KM-P4
			+ READY => KM-P1
			d0+14h
			! turn-closed moved turn-began
		`},
		{"KM-A4a, A4b an ally's units", at(`troops = 100, at = "Crag"`, `troops = 100, at = "Birkrigg"`), allied + `
			d0+13h Anna: Bewick MOVES TO Thornrigg => refused KM-A4a
			d0+13h Anna: Carnaby MOVES TO Thornrigg => refused KM-P3 stranger
			d0+13h Anna: Bolam MOVES TO Thornrigg => KM-A4c
			+ READY => KM-P1
			d0+14h
			! -
			d0+14h Boris: REFUSE ORDER 1 => KM-A4c
			@ order-declined to = gm,Anna,Boris
			d0+15h
			! turn-closed turn-began
			d0+15h Boris: Bolam MOVES TO Oxlea => KM-P4
			+ READY => KM-P1
			d0+16h Clara: READY => KM-P1
			d0+17h Gareth: PLACE Bolam AT Birkrigg => KM-P8
			d0+17h Anna: Bolam MOVES TO Oxlea => KM-A4c
			d1+17h
			! turn-closed order-void turn-began
			@ order-void n = 3
			? nobles.Bolam.moved = false
			d1+17h Boris: Bolam MOVES TO Oxlea => KM-P4
		`},
		{"KM-A4b no second order of the kind", at(`troops = 100, at = "Crag"`, `troops = 100, at = "Birkrigg"`, `name = "Blue", player = "Boris"`, `name = "Grey Blue", player = "Dora" }, { name = "Blue", player = "Boris"`), `
			d0 Boris: ALLY WITH Green => KM-A1
			d0 Clara: CONFIRM ALLIANCE => KM-A2a
			d0+13h Anna: READY => KM-P1
			d0+14h Dora: READY => KM-P1
			d0+15h Boris: Bolam MOVES TO Oxlea => KM-P4
			+ READY => KM-P1
			d0+16h Gareth: PLACE Carnaby AT Oxlea => KM-P8
			d0+16h Clara: Bolam MOVES TO Kingsmead => refused KM-A4b
			d0+16h Clara: Bolam BATTLE Red IN Oxlea => refused KM-P6
		`},
	} {
		s.run(t)
	}
}
