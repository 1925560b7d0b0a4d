package heroeslands

import (
	"slices"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// The saves of a war (HL-64 to HL-66): issued, dealt out anew, fed with property, and sent out.

// For so long after the issue property may be asked for (HL-65), and by then the saves are to be sent out (HL-66).
const (
	propertyTime = 7 * day
	sendingTime  = 14 * day
)

func issueSaves(a *act, o orders.Order) (string, *rules.Ruling) {
	w, r := a.anyWar(o)
	switch {
	case r != nil:
		return "", r
	case w.SavesIssued != nil:
		return "", no("HL-64", "issued", rules.Data{"war": w.ID, "issued": *w.SavesIssued})
	case w.RostersClosed == nil:
		return "", no("HL-64", "rosters", rules.Data{"war": w.ID, "due": w.RostersDue})
	}
	now := a.At.UTC()
	a.retime(w, func() { w.SavesIssued, w.PropertyDue, w.SavesDue = &now, now.Add(propertyTime), now.Add(sendingTime) })
	a.say("saves-issued", "HL-64", a.gm(w.suzerains()...), warData(w, rules.Data{"until": w.PropertyDue}))
	return "HL-64", nil
}

func sendSaves(a *act, o orders.Order) (string, *rules.Ruling) {
	w, r := a.anyWar(o)
	switch {
	case r != nil:
		return "", r
	case w.SavesIssued == nil:
		return "", no("HL-66", "issue", rules.Data{"war": w.ID})
	case w.SavesSent != nil:
		return "", no("HL-66", "sent", rules.Data{"war": w.ID, "sent": *w.SavesSent})
	}
	now := a.At.UTC()
	a.retime(w, func() { w.SavesSent, w.SavesDue = &now, time.Time{} })
	a.say("saves-sent", "HL-66", a.gm(w.people()...), warData(w, rules.Data{"begin": w.Begin, "end": w.end()}))
	return "HL-66", nil
}

// closeProperty ends the time in which property may be asked for (HL-65).
func (a *act) closeProperty(w *War) {
	w.PropertyDue = time.Time{}
	a.say("property-closed", "HL-65", a.gm(w.suzerains()...), warData(w, nil))
}

// remindOfSaves tells the Magistrate that saves are not sent out; nothing waits for it (HL-66).
func (a *act) remindOfSaves(w *War) {
	w.SavesDue = time.Time{}
	a.say("saves-overdue", "HL-66", a.gm(), warData(w, nil))
}

// suzerains are the nicks of both.
func (w *War) suzerains() []string { return []string{w.Attacker.Suzerain, w.Defender.Suzerain} }

// assignSave lets a participant and the holder of a save change places (HL-64).
func assignSave(a *act, o orders.Order) (string, *rules.Ruling) {
	w, side, r := a.ownWar(o)
	if r != nil {
		return "", r
	}
	n, nick := o.N("save"), o.ID("nick")
	from := slices.Index(side.Roster, nick)
	switch {
	case len(side.Roster) == 0:
		return "", no("HL-64", "no-roster", rules.Data{"war": w.ID})
	case w.Status == begun:
		return "", no("HL-64", "begun", rules.Data{"war": w.ID})
	case !w.hasSave(n):
		return "", a.noSave(w, n)
	case from < 0:
		return "", no("HL-64", "stranger", rules.Data{"war": w.ID, "nick": nick})
	}
	to := int(n) - 1
	with := side.Roster[to]
	a.retime(w, func() { side.Roster[from], side.Roster[to] = with, nick })
	for _, i := range []int{from, to} {
		if w.Pairs != nil {
			*w.Pairs[i].half(side == &w.Attacker).nick = side.Roster[i]
		}
	}
	a.say("save-assigned", "HL-64", a.gm(nick, with), warData(w, rules.Data{"save": n, "nick": nick, "with": orNull(with), "before": from + 1}))
	return "HL-64", nil
}

// hasSave tells whether a war has a save of that number.
func (w *War) hasSave(n int64) bool { return n >= 1 && n <= int64(w.Participants) }

func (a *act) noSave(w *War, n int64) *rules.Ruling {
	return no("HL-64", "number", rules.Data{"war": w.ID, "n": n, "most": w.Participants})
}

// insertIntoSave holds property for a save of the writer's side (HL-65).
func insertIntoSave(a *act, o orders.Order) (string, *rules.Ruling) {
	w, side, r := a.ownWar(o)
	if r != nil {
		return "", r
	}
	owner, n, items := a.me, o.N("save"), o.IDs("item")
	if o.Has("nick") {
		owner = o.ID("nick")
	}
	switch {
	case w.SavesIssued == nil:
		return "", no("HL-65", "issue", rules.Data{"war": w.ID})
	case w.PropertyDue.IsZero():
		return "", no("HL-65", "late", rules.Data{"war": w.ID})
	case owner != a.me && !slices.Contains(side.Roster, owner):
		return "", no("HL-65", "stranger", rules.Data{"war": w.ID, "nick": owner})
	case !w.hasSave(n):
		return "", a.noSave(w, n)
	}
	property := w.Pairs[n-1].half(side == &w.Attacker).property
	if r := first(a.saveWithinLimits(w, n, union(*property, items)), a.freeForSave(items, owner)); r != nil {
		return "", r
	}
	for _, i := range items {
		a.Items[i].War = w.ID
	}
	*property = union(*property, items)
	slices.Sort(items)
	a.say("property-inserted", "HL-65", a.gm(a.me, owner), warData(w, rules.Data{"save": n, "items": items, "owner": owner}))
	return "HL-65", nil
}

// saveWithinLimits looks at kinds and levels of what would be in a save (HL-52).
func (a *act) saveWithinLimits(w *War, n int64, items []string) *rules.Ruling {
	switch why, item := a.overLimits(items); why {
	case "limit":
		return no("HL-52", "limit", rules.Data{"war": w.ID, "save": n})
	case "level":
		return no("HL-52", "level", rules.Data{"item": item, "level": a.Items[item].Level, "most": mostLevel})
	}
	return nil
}

// freeForSave looks whether all named are the owner's, free, and named once (HL-86). Of another's property the suzerain does
// not hear what it is held for.
func (a *act) freeForSave(items []string, owner string) *rules.Ruling {
	if owner == a.me {
		return a.ownFreeItems(items)
	}
	for n, name := range items {
		switch i := a.Items[name]; {
		case i.Owner != owner || i.held():
			return no("HL-86", "item-not-free", rules.Data{"item": name, "nick": owner})
		case slices.Contains(items[:n], name):
			return no("HL-86", "item-twice", rules.Data{"item": name})
		}
	}
	return nil
}

// half is what one side has in a pair.
type half struct {
	nick     *string
	save     **Save
	property *[]string
}

// half returns the attacker's half of a pair, or the defender's.
func (p *Pair) half(attacker bool) half {
	if attacker {
		return half{&p.Attacker, &p.AttackerSave, &p.AttackerProperty}
	}
	return half{&p.Defender, &p.DefenderSave, &p.DefenderProperty}
}

var saveReasons = slices.Concat([]reason{
	{"HL-52", "limit", []string{"war", "save"}},           // too many items of a kind
	{"HL-52", "level", []string{"item", "level", "most"}}, // above level 2
	{"HL-64", "issued", []string{"war", "issued"}},        // they are issued already
	{"HL-64", "rosters", []string{"war", "due"}},          // the rosters are open until due
	{"HL-64", "no-roster", []string{"war"}},               // the writer named no roster yet
	{"HL-64", "begun", []string{"war"}},                   // the war has begun
	{"HL-64", "number", []string{"war", "n", "most"}},     // no such save: 1 to most
	{"HL-64", "stranger", []string{"war", "nick"}},        // nick is not on the writer's roster
	{"HL-65", "issue", []string{"war"}},                   // the saves are not issued yet
	{"HL-65", "late", []string{"war"}},                    // more than seven days after the issue
	{"HL-65", "stranger", []string{"war", "nick"}},        // nick does not fight on the writer's side
	{"HL-66", "issue", []string{"war"}},                   // the saves are not issued yet
	{"HL-66", "sent", []string{"war", "sent"}},            // they are sent already
	{"HL-86", "item-not-free", []string{"item", "nick"}},  // not nick's, or held
}, letterReasons, resultReasons)

var saveForms = slices.Concat([]form{
	{do: issueSaves, asks: asking((*act).anyWar), Form: orders.Form{ID: "issue-saves", Rule: "HL-64", Who: forGM, Say: say{
		"en": {"ISSUE SAVES $W", "ISSUE SAVE $W"},
		"ru": {"ВЫДАТЬ СЕЙВЫ $W", "ВЫДАТЬ СЕЙВ $W"},
	}, Help: help{
		"en": "Issues the saves of a war; for seven days suzerains may have property put into them.",
		"ru": "Выдаёт сейвы войны; семь дней сюзерены могут вкладывать в них имущество.",
	}}},
	{do: sendSaves, asks: asking((*act).anyWar), Form: orders.Form{ID: "send-saves", Rule: "HL-66", Who: forGM, Say: say{
		"en": {"SEND SAVES $W", "SEND SAVE $W"},
		"ru": {"РАЗОСЛАТЬ СЕЙВЫ $W", "РАЗОСЛАТЬ СЕЙВ $W"},
	}, Help: help{
		"en": "Says that the saves of a war are sent out.",
		"ru": "Сообщает, что сейвы войны разосланы.",
	}}},
	{do: assignSave, asks: ownWarAsks, Form: orders.Form{ID: "assign-save", Rule: "HL-64", Who: forPlayer, Say: say{
		"en": {"ASSIGN SAVE <save:number> TO <nick> $W"},
		"ru": {"НАЗНАЧИТЬ СЕЙВ <save:number> ИГРОКУ <nick> $W"},
	}, Help: help{
		"en": "Until the war begins you, its suzerain, may deal the saves out anew: the two change places.",
		"ru": "Пока война не началась, вы, сюзерен, можете перераспределить сейвы: двое меняются местами.",
	}}},
	{do: insertIntoSave, asks: ownWarAsks, Form: orders.Form{ID: "insert-save", Rule: "HL-65", Who: forPlayer, Say: say{
		"en": {"INSERT <item>,* [FROM <nick>] INTO SAVE <save:number> $W"},
		"ru": {"ВСТАВИТЬ <item>,* [ОТ <nick>] В СЕЙВ <save:number> $W"},
	}, Help: help{
		"en": "Within seven days of the issue you have property of yours, or of a participant of your side, put into a save.",
		"ru": "В течение семи дней после выдачи вы вкладываете в сейв своё имущество или имущество участника с вашей стороны.",
	}}},
}, letterForms, resultForms)
