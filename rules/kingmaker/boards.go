package kingmaker

// Boarding ships and leaving them (EMBARKS, DISEMBARKS).

var boardForms []form

var boardReasons []reason

// goAshore puts a noble who is aboard a ship that lies in a port into the open ground beside it.
func (a *act) goAshore(noble, ship string) {
	n, port := a.Nobles[noble], a.Ships[ship].Place
	n.Ship, n.Place = "", Place{Space: port.Space}
	a.say("disembarked", "", a.public(), map[string]any{"noble": noble, "ship": ship, "to": port.Space, "auto": true})
}
