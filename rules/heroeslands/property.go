package heroeslands

import (
	"maps"
	"slices"
	"strconv"

	"arroba/orders"
	"arroba/rules"
)

// held tells whether an item is held for something.
func (i *Item) held() bool { return i.Duel != 0 || i.War != 0 }

// heldFor says for what an item is held, as the state shows it; "" when for nothing.
func (i *Item) heldFor() string {
	switch {
	case i.Duel != 0:
		return "duel " + strconv.Itoa(i.Duel)
	case i.War != 0:
		return "war " + strconv.Itoa(i.War)
	}
	return ""
}

// moveItem gives an item to another owner, free of what it was held for. What it is about, if anything, is told with it.
func (a *act) moveItem(name, to, reason, rule string, about rules.Data) {
	i := a.Items[name]
	from := i.Owner
	i.Owner, i.Duel, i.War = to, 0, 0
	d := rules.Data{"item": name, "from": from, "to": to, "reason": reason}
	maps.Copy(d, about)
	a.say("property-moved", rule, a.gm(from, to), d)
}

// returnItems frees what was held for a duel.
func (a *act) returnItems(d *Duel) {
	if len(d.Property) == 0 {
		return
	}
	for _, i := range d.Property {
		a.Items[i].Duel = 0
	}
	a.say("property-returned", "HL-37", a.gm(d.Target), duelData(d, rules.Data{"items": d.Property, "owner": d.Target}))
}

// ownFreeItems looks whether all named are the writer's, free, and named once (HL-86).
func (a *act) ownFreeItems(items []string) *rules.Ruling {
	return a.freeItems(items, a.me, func(name string) *rules.Ruling {
		return no("HL-86", "item-not-yours", rules.Data{"item": name})
	})
}

// freeItems looks whether all named are somebody's, free, and named once; not makes the refusal of one that is not his.
func (a *act) freeItems(items []string, owner string, not func(string) *rules.Ruling) *rules.Ruling {
	for n, name := range items {
		switch i := a.Items[name]; {
		case i.Owner != owner:
			return not(name)
		case i.held():
			return no("HL-86", "item-held", rules.Data{"item": name, "duel": i.Duel, "war": i.War})
		case slices.Contains(items[:n], name):
			return no("HL-86", "item-twice", rules.Data{"item": name})
		}
	}
	return nil
}

func giveProperty(a *act, o orders.Order) (string, *rules.Ruling) {
	item, to := o.ID("item"), o.ID("nick")
	if r := first(a.notOneself(to), a.ownFreeItems([]string{item})); r != nil {
		return "", r
	}
	a.moveItem(item, to, "gift", "HL-76", nil)
	return "HL-76", nil
}

// grantedItem finds which item an order grants; of a new one it must say the kind.
func (a *act) grantedItem(o orders.Order) (string, *rules.Ruling) {
	name, r := a.newName(o.Arg("item").Text, "item")
	if r == nil && itemKind(o) == "" && a.Items[name] == nil {
		r = unclear("item-kind", rules.Data{"item": name})
	}
	return name, r
}

func grantProperty(a *act, o orders.Order) (string, *rules.Ruling) {
	name, r := a.grantedItem(o)
	if r != nil {
		return "", r
	}
	kind, level, old := itemKind(o), 0, a.Items[name]
	if kind == "artifact" || kind == "unit" {
		if r := bounded(o.N("level"), 1, 9); r != nil {
			return "", r
		}
		level = int(o.N("level"))
	}
	switch {
	case old == nil:
		a.addName("item", name)
		a.Items[name] = &Item{Kind: kind, Level: level, Owner: magistrate}
	case old.Owner != magistrate:
		return "", no("HL-86", "item-owned", rules.Data{"item": name, "owner": old.Owner})
	case kind != "" && (kind != old.Kind || level != old.Level):
		return "", no("HL-86", "item-kind", rules.Data{"item": name, "kind": old.Kind, "level": old.Level})
	}
	a.moveItem(name, o.ID("nick"), "grant", "HL-37", nil)
	return "HL-37", nil
}

// itemKind returns the kind of item an order names, "" when none.
func itemKind(o orders.Order) string {
	for _, k := range []string{"mine", "artifact", "unit"} {
		if o.Is(k) {
			return k
		}
	}
	return ""
}

func confiscate(a *act, o orders.Order) (string, *rules.Ruling) {
	items, from := o.IDs("item"), o.ID("nick")
	r := a.freeItems(items, from, func(name string) *rules.Ruling {
		return no("HL-86", "item-not-his", rules.Data{"item": name, "nick": from})
	})
	if r != nil {
		return "", r
	}
	for _, i := range items {
		a.moveItem(i, magistrate, "confiscated", "HL-37", nil)
	}
	return "HL-37", nil
}

var propertyForms = []form{
	{do: giveProperty, Form: orders.Form{ID: "give-property", Rule: "HL-76", Who: forPlayer, Say: say{
		"en": {"GIVE PROPERTY <item> TO <nick>"},
		"ru": {"ПЕРЕДАТЬ ИМУЩЕСТВО <item> ИГРОКУ <nick>"},
	}, Help: help{
		"en": "You give a mine, an artifact or a unit to someone.",
		"ru": "Вы передаёте игроку шахту, артефакт или отряд.",
	}}},
	{do: grantProperty, asks: asking((*act).grantedItem), Form: orders.Form{ID: "grant-property", Rule: "HL-37", Who: forGM, Say: say{
		"en": {"GRANT PROPERTY <item:title> [MINE#mine | ARTIFACT#artifact <level:number> | UNIT#unit <level:number>] TO <nick>"},
		"ru": {"ДАТЬ ИМУЩЕСТВО <item:title> [ШАХТА#mine | АРТЕФАКТ#artifact <level:number> | ОТРЯД#unit <level:number>] ИГРОКУ <nick>"},
	}, Help: help{
		"en": "Gives property from the store, or new one of a kind and level.",
		"ru": "Выдаёт имущество из запаса или новое, указанного вида и уровня.",
	}}},
	{do: confiscate, Form: orders.Form{ID: "confiscate", Rule: "HL-37", Who: forGM, Say: say{
		"en": {"CONFISCATE <item>,* FROM <nick>"},
		"ru": {"КОНФИСКОВАТЬ <item>,* У <nick>"},
	}, Help: help{
		"en": "Takes property into the store.",
		"ru": "Забирает имущество в запас.",
	}}},
}
