package kingmaker

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"arroba/orders"
	"arroba/rules"
)

// Tables that a GM pastes as the players keep them: locations (KM-0.1) and crown items (KM-0.2), with a line of headings
// and a row for each. A row adds what is not there yet and changes what is; either all rows hold, or nothing is done.

var tableForms = []form{
	{do: pasteTable(locationTable), Form: orders.Form{ID: "world-locations", Rule: "KM-0.1", Who: forGM, Say: say{
		"en": {"WORLD LOCATIONS"},
		"ru": {"МИР МЕСТА"},
	}, End: tableEnd, Help: help{
		"en": "A table of locations follows, down to END: headings (name, space, type, controller, sea, garrison, capacity, lat, lon, aliases), then a row each.",
		"ru": "Дальше, до строки КОНЕЦ, — таблица мест: заголовки (name, space, type, controller, sea, garrison, capacity, lat, lon, aliases) и по строке на место.",
	}}},
	{do: pasteTable(itemTable), Form: orders.Form{ID: "world-items", Rule: "KM-0.2", Who: forGM, Say: say{
		"en": {"WORLD ITEMS"},
		"ru": {"МИР ПОЖАЛОВАНИЯ"},
	}, End: tableEnd, Help: help{
		"en": "A table of crown items follows, down to END: headings (name, kind, troops, area, area troops, lords, commons, location, holder, aliases), then a row each.",
		"ru": "Дальше, до строки КОНЕЦ, — таблица пожалований: заголовки (name, kind, troops, area, area troops, lords, commons, location, holder, aliases) и по строке на пожалование.",
	}}},
}

var tableEnd = map[string]string{"en": "END", "ru": "КОНЕЦ"}

var tableReasons = []reason{
	{"KM-0.1", "empty", nil},                            // no table, or no rows in it
	{"KM-0.1", "heading", []string{"heading", "known"}}, // a heading that is none
	{"KM-0.1", "no-name", []string{"known"}},            // no column of names
	{"KM-0.1", "rows", []string{"faults"}},              // rows that do not hold
}

// table is a kind of table: its columns, and what a row of it does to the world.
type table struct {
	list    string // the key of the world file that its faults are about
	columns map[string]string
	rows    func(w *World) int
	put     func(t *pasted, row map[string]string) (at int)
}

// pasted is a table being taken over into a copy of the world.
type pasted struct {
	*act
	world   *World
	added   []string
	changed []string
	control map[string]string // new controllers, by location
	holders map[string]string // new holders, by item
	faults  []rules.Data
	row     int
	rowOf   map[int]int // rows by the index in the world's list
}

// fault notes what does not hold in the row at hand.
func (t *pasted) fault(column, value, what string) {
	t.faults = append(t.faults, rules.Data{"row": t.row, "column": column, "value": value, "what": what})
}

// columnsOf are headings with the key that each stands for: the key itself, in any case.
func columnsOf(keys ...string) map[string]string {
	m := map[string]string{}
	for _, k := range keys {
		m[orders.Fold(k)] = k
	}
	return m
}

var locationTable = &table{
	list:    "location",
	columns: columnsOf("name", "space", "type", "controller", "sea", "garrison", "capacity", "lat", "lon", "aliases"),
	rows:    func(w *World) int { return len(w.Locations) },
	put:     (*pasted).location,
}

var itemTable = &table{
	list:    "item",
	columns: columnsOf("name", "kind", "troops", "area", "area troops", "lords", "commons", "location", "holder", "aliases"),
	rows:    func(w *World) int { return len(w.Items) },
	put:     (*pasted).item,
}

// cellBreak is what stands between the cells of a row. Blanks and tabs part none: a letter's lines have single blanks.
var cellBreak = regexp.MustCompile(`\s*[|;]\s*`)

// rulerLine is a line under headings, of strokes and hyphens alone.
var rulerLine = regexp.MustCompile(`^[\s|+:=-]+$`)

// cells cuts a line of a table into its cells.
func cells(line string) []string {
	return cellBreak.Split(strings.Trim(strings.TrimSpace(line), "|"), -1)
}

// pasteTable takes a table over.
func pasteTable(kind *table) func(*act, orders.Order) (string, *rules.Ruling) {
	return func(a *act, o orders.Order) (string, *rules.Ruling) {
		lines := slices.DeleteFunc(strings.Split(o.Text, "\n"), func(l string) bool { return rulerLine.MatchString(l + " ") })
		if len(lines) < 2 {
			return "", no("KM-0.1", "empty", nil)
		}
		heads, r := kind.headings(cells(lines[0]))
		if r != nil {
			return "", r
		}
		t := &pasted{act: a, world: a.World.copied(), control: map[string]string{}, holders: map[string]string{}, rowOf: map[int]int{}}
		for i, line := range lines[1:] {
			t.row = i + 1
			t.take(kind, heads, cells(line))
		}
		t.check(kind)
		if t.faults != nil {
			return "", no("KM-0.1", "rows", rules.Data{"faults": t.faults})
		}
		t.carryOver(kind)
		return done, nil
	}
}

// headings are the keys of the columns.
func (k *table) headings(line []string) (keys []string, refused *rules.Ruling) {
	known := slices.Sorted(maps.Values(k.columns))
	for _, h := range line {
		key, ok := k.columns[orders.Fold(strings.TrimSpace(h))]
		if !ok {
			return nil, no("KM-0.1", "heading", rules.Data{"heading": h, "known": known})
		}
		keys = append(keys, key)
	}
	if !slices.Contains(keys, "name") {
		return nil, no("KM-0.1", "no-name", rules.Data{"known": known})
	}
	return keys, nil
}

// take takes a row.
func (t *pasted) take(kind *table, heads, line []string) {
	if len(line) > len(heads) {
		t.fault("name", line[0], fmt.Sprintf("the row has %d cells, and there are %d headings", len(line), len(heads)))
		return
	}
	row := map[string]string{}
	for i, c := range line {
		row[heads[i]] = strings.TrimSpace(c)
	}
	at := kind.put(t, row)
	if before, twice := t.rowOf[at]; twice {
		t.fault("name", row["name"], fmt.Sprintf("row %d is about it already", before))
		return
	}
	t.rowOf[at] = t.row
}

// copied is the world with its lists of locations and items to be changed.
func (w *World) copied() *World {
	c := *w
	c.Locations, c.Items, c.index = slices.Clone(w.Locations), slices.Clone(w.Items), nil
	return &c
}

// location takes a row about a location.
func (t *pasted) location(row map[string]string) int {
	i := slices.IndexFunc(t.world.Locations, func(d LocationData) bool { return d.Name == row["name"] })
	if i < 0 {
		i = len(t.world.Locations)
		t.world.Locations = append(t.world.Locations, LocationData{Name: row["name"], Space: row["space"], Type: row["type"]})
		t.added = append(t.added, row["name"])
	} else {
		t.changed = append(t.changed, row["name"])
	}
	d := &t.world.Locations[i]
	t.same("space", row["space"], d.Space)
	t.same("type", row["type"], d.Type)
	d.Garrison, d.Capacity = t.numberOr("garrison", row, d.Garrison), t.numberOr("capacity", row, d.Capacity)
	d.Lat, d.Lon = t.degreesOr("lat", row, d.Lat), t.degreesOr("lon", row, d.Lon)
	d.Sea, d.Aliases = namesOr(row["sea"], d.Sea), namesOr(row["aliases"], d.Aliases)
	if c := row["controller"]; c != "" {
		t.control[d.Name] = c
		d.Controller = c
	} else {
		d.Controller = t.Control[d.Name]
	}
	return i
}

// item takes a row about a crown item.
func (t *pasted) item(row map[string]string) int {
	i := slices.IndexFunc(t.world.Items, func(d ItemData) bool { return d.Name == row["name"] })
	if i < 0 {
		i = len(t.world.Items)
		t.world.Items = append(t.world.Items, ItemData{Name: row["name"], Kind: row["kind"], Location: row["location"]})
		t.added = append(t.added, row["name"])
	} else {
		t.changed = append(t.changed, row["name"])
	}
	d := &t.world.Items[i]
	t.same("kind", row["kind"], d.Kind)
	t.same("location", row["location"], d.Location)
	d.Troops = *t.numberOr("troops", row, &d.Troops)
	d.Votes = Votes{*t.numberOr("lords", row, &d.Votes.Lords), *t.numberOr("commons", row, &d.Votes.Commons)}
	d.Aliases = namesOr(row["aliases"], d.Aliases)
	if area := row["area"]; area != "" {
		zero := 0
		d.Limited = []LimitedData{{area, *t.numberOr("area troops", row, &zero)}}
	}
	if h := row["holder"]; h != "" {
		t.holders[d.Name], d.Holder = h, h
	}
	return i
}

// same looks whether a row leaves alone what does not change in a game that runs.
func (t *pasted) same(column, now, was string) {
	if now != "" && now != was {
		t.fault(column, now, fmt.Sprintf("it is %q and stays so while the game runs", was))
	}
}

// numberOr is the number in a cell, or what was there before when the cell is empty.
func (t *pasted) numberOr(column string, row map[string]string, was *int) *int {
	if row[column] == "" {
		return was
	}
	n, err := strconv.Atoi(row[column])
	if err != nil {
		t.fault(column, row[column], "a whole number is needed")
	}
	return &n
}

// degreesOr is the coordinate in a cell, or what was there before.
func (t *pasted) degreesOr(column string, row map[string]string, was *float64) *float64 {
	if row[column] == "" {
		return was
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(row[column], ",", "."), 64)
	if err != nil {
		t.fault(column, row[column], "degrees are needed, as 53.96")
	}
	return &v
}

// namesOr are the names in a cell, parted by commas, or what was there before.
func namesOr(cell string, was []string) []string {
	if cell == "" {
		return was
	}
	var names []string
	for _, n := range strings.Split(cell, ",") {
		if n = strings.TrimSpace(n); n != "" {
			names = append(names, n)
		}
	}
	return names
}

// atIndex finds the list and the index in the path of a fault.
var atIndex = regexp.MustCompile(`^world\.(\w+)\[(\d+)\]\.?(.*)$`)

// check holds the world as it would be against what a world file must keep to. Each fault is
// told with its row.
func (t *pasted) check(kind *table) {
	o := &opener{State: &State{World: t.world, Nobles: t.Nobles, Ships: t.Ships}}
	o.names()
	o.lands()
	each(t.world.Items, "item", o.item)
	for _, f := range o.faults {
		m := atIndex.FindStringSubmatch(f.path)
		if m == nil || m[1] != kind.list {
			continue
		}
		i, _ := strconv.Atoi(m[2])
		if row, ours := t.rowOf[i]; ours {
			t.row = row
			t.fault(m[3], "", f.what)
		}
	}
	for item, h := range t.holders {
		if !t.inPlay(h) {
			t.row = t.rowOf[slices.IndexFunc(t.world.Items, func(d ItemData) bool { return d.Name == item })]
			t.fault("holder", h, "no noble of that name is in play")
		}
	}
	slices.SortStableFunc(t.faults, func(a, b rules.Data) int { return a["row"].(int) - b["row"].(int) })
}

// carryOver makes the world of the table that of the game.
func (t *pasted) carryOver(kind *table) {
	t.State.World, t.State.cache = t.world, cache{}
	t.say("world-changed", done, t.public(), rules.Data{"list": kind.list, "added": list(t.added), "changed": list(t.changed)})
	for _, d := range t.world.Locations {
		if c := t.control[d.Name]; c != "" {
			t.setControl(d.Name, c)
		}
	}
	for _, d := range t.world.Items {
		if h := t.holders[d.Name]; h != "" && t.Holders[d.Name] != h {
			t.Holders[d.Name] = h
			t.say("awarded", done, t.public(), rules.Data{"item": d.Name, "to": h})
			if d.Location != "" {
				t.setControl(d.Location, t.of(h))
			}
		}
	}
}
