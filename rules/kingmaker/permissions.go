package kingmaker

import (
	"slices"

	"arroba/orders"
	"arroba/rules"
)

// Permissions at locations (PERMIT, REVOKE, KM-5.0).

// permissionKinds are the kinds of permissions, in the order in which they are told.
var permissionKinds = []string{"pass", "enter", "dock", "leave"}

var permissionForms = []form{
	{do: permit, Form: orders.Form{ID: "permit", Rule: "KM-5.0", Who: forPlayer, Say: say{
		"en": {"PERMIT <faction> (ALL#all | { PASS#pass | ENTER#enter | DOCK#dock | LEAVE#leave },*) AT <location> [STANDING#standing]"},
		"ru": {"РАЗРЕШИТЬ <faction> (ВСЁ#all | { ПРОХОД#pass | ВХОД#enter | ПРИЧАЛ#dock | ВЫХОД#leave },*) В <location> [ПОСТОЯННО#standing]"},
	}, Help: help{
		"en": "You let a faction use a place that you control: pass by road, enter, dock with ships, leave by ship. It holds for this Round, with STANDING until you revoke it.",
		"ru": "Вы разрешаете стороне пользоваться местом, которое держите: проходить по дороге, входить, причаливать, выходить в море. Разрешение действует до конца Раунда, со словом ПОСТОЯННО — пока Вы его не отзовёте.",
	}}},
	{do: revoke, Form: orders.Form{ID: "revoke", Rule: "KM-5.0", Who: forPlayer, Say: say{
		"en": {"REVOKE <faction> [ALL#all | { PASS#pass | ENTER#enter | DOCK#dock | LEAVE#leave },*] AT <location>"},
		"ru": {"ОТОЗВАТЬ <faction> [ВСЁ#all | { ПРОХОД#pass | ВХОД#enter | ПРИЧАЛ#dock | ВЫХОД#leave },*] В <location>"},
	}, Help: help{
		"en": "You take a permission back; all of them where you name no kind.",
		"ru": "Вы отзываете разрешение; все разрешения, если вид не назван.",
	}}},
}

var permissionReasons = []reason{
	{"KM-5.0", "control", []string{"location", "controller"}},       // the place is not the writer's
	{"KM-5.0", "self", []string{"location", "faction"}},             // nobody permits himself
	{"KM-5.0", "nothing", []string{"location", "faction", "kinds"}}, // there is no such permission
}

// kindsSaid are the kinds that an order names, all of them when it names none.
func kindsSaid(o orders.Order) (kinds []string) {
	for _, k := range permissionKinds {
		if o.Is(k) {
			kinds = append(kinds, k)
		}
	}
	if kinds == nil {
		return permissionKinds
	}
	return kinds
}

// controls looks whether a place is the writer's to give permissions at.
func (a *act) controls(location string) *rules.Ruling {
	if c := a.Control[location]; c != a.me {
		return no("KM-5.0", "control", rules.Data{"location": location, "controller": c})
	}
	return nil
}

// another looks whether a permission is for another faction.
func (a *act) another(location, to string) *rules.Ruling {
	if to == a.me {
		return no("KM-5.0", "self", rules.Data{"location": location, "faction": to})
	}
	return nil
}

// permit gives a permission; it replaces earlier ones of the same kinds.
func permit(a *act, o orders.Order) (string, *rules.Ruling) {
	to, location, standing := o.ID("faction"), o.ID("location"), o.Is("standing")
	if r := first(a.controls(location), a.another(location, to)); r != nil {
		return "", r
	}
	kinds := kindsSaid(o)
	a.Permissions = slices.DeleteFunc(a.Permissions, func(p Permission) bool {
		return p.To == to && p.Location == location && slices.Contains(kinds, p.Kind)
	})
	for _, k := range kinds {
		a.Permissions = append(a.Permissions, Permission{From: a.me, To: to, Location: location, Kind: k, Standing: standing})
	}
	a.say("permission-given", "KM-5.0", a.secret(a.me, to), rules.Data{"from": a.me, "to": to, "location": location, "kinds": kinds, "standing": standing})
	return "KM-5.0", nil
}

// revoke takes permissions back.
func revoke(a *act, o orders.Order) (string, *rules.Ruling) {
	to, location, kinds := o.ID("faction"), o.ID("location"), kindsSaid(o)
	if r := a.controls(location); r != nil {
		return "", r
	}
	meant := func(p Permission) bool {
		return p.From == a.me && p.To == to && p.Location == location && slices.Contains(kinds, p.Kind)
	}
	if !slices.ContainsFunc(a.Permissions, meant) {
		return "", no("KM-5.0", "nothing", rules.Data{"location": location, "faction": to, "kinds": kinds})
	}
	a.endPermissions("revoked", meant)
	return "KM-5.0", nil
}

// endPermissions ends the permissions that are meant; it is told once for each giver, receiver, place, and standing or not.
func (a *act) endPermissions(why string, meant func(Permission) bool) {
	type bundle struct {
		from, to, location string
		standing           bool
	}
	var order []bundle
	kinds := map[bundle][]string{}
	a.Permissions = slices.DeleteFunc(a.Permissions, func(p Permission) bool {
		if !meant(p) {
			return false
		}
		b := bundle{p.From, p.To, p.Location, p.Standing}
		if kinds[b] == nil {
			order = append(order, b)
		}
		kinds[b] = append(kinds[b], p.Kind)
		return true
	})
	for _, b := range order {
		slices.SortFunc(kinds[b], func(x, y string) int { return slices.Index(permissionKinds, x) - slices.Index(permissionKinds, y) })
		a.say("permission-ended", "KM-5.0", a.secret(b.from, b.to), rules.Data{"from": b.from, "to": b.to, "location": b.location,
			"kinds": kinds[b], "standing": b.standing, "why": why})
	}
}

// endRoundPermissions ends those that do not stand, with their Round.
func (a *act) endRoundPermissions() {
	a.endPermissions("round", func(p Permission) bool { return !p.Standing })
}

// setControl makes a faction, or with "" nobody, the controller of a location. The permissions there end.
func (a *act) setControl(location, to string) {
	from := a.Control[location]
	if from == to {
		return
	}
	if a.Control[location] = to; to == "" {
		delete(a.Control, location)
	}
	a.say("control-changed", "KM-P8", a.public(), rules.Data{"location": location, "from": from, "to": to})
	a.endPermissions("control", func(p Permission) bool { return p.Location == location })
}
