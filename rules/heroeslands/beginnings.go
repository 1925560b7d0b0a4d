package heroeslands

import (
	"time"

	"arroba/orders"
	"arroba/rules"
)

// When a war begins (HL-58 to HL-61): early by consent of both, postponed by the defender, set by the Magistrate.

// mostPostponed is by how many days a defender may postpone a war, once, for so much for each begun fortnight (HL-60).
const (
	mostPostponed   = 56
	fortnight       = 14
	postponementFee = 500
)

// begin returns the date of an order about the beginning of a war; without a time it is the beginning's own.
func (a *act) beginOf(w *War, o orders.Order) time.Time {
	return o.Arg("date").Date.In(a.Env.Zone, w.Begin).UTC()
}

func beginEarly(a *act, o orders.Order) (string, *rules.Ruling) {
	w, r := a.suzerainsWar(o)
	if r != nil {
		return "", r
	}
	begin := a.beginOf(w, o)
	if r := a.mayBeginAt(w, begin); r != nil {
		return "", r
	}
	mine, his := w.sideOf(a.me), w.against(a.me)
	if his.BeginEarly == nil || !his.BeginEarly.Equal(begin) {
		mine.BeginEarly = &begin
		a.say("begin-proposed", "HL-59", a.gm(his.Suzerain), warData(w, rules.Data{"begin": begin, "by": a.me,
			"on": begin.Format(time.RFC3339)})) // as the other may write it
		return "HL-59", nil
	}
	mine.BeginEarly, his.BeginEarly = nil, nil
	a.retime(w, func() { w.Begin, w.BeginNamed = begin, false })
	a.say("begin-set", "HL-59", a.suzerains(w), warData(w, rules.Data{"begin": begin, "end": w.end(), "by": a.me}))
	return "HL-59", nil
}

// mayBeginAt looks whether both may agree that a war begins at an instant (HL-59).
func (a *act) mayBeginAt(w *War, begin time.Time) *rules.Ruling {
	switch {
	case w.Status == begun:
		return no("HL-59", "begun", rules.Data{"war": w.ID})
	case !begin.After(a.At):
		return no("HL-59", "past", rules.Data{"war": w.ID, "begin": w.Begin})
	case !begin.Before(w.Begin):
		return no("HL-59", "late", rules.Data{"war": w.ID, "begin": w.Begin})
	}
	return nil
}

func postponeWar(a *act, o orders.Order) (string, *rules.Ruling) {
	w, r := a.suzerainsWar(o)
	if r != nil {
		return "", r
	}
	days := postponedBy(o)
	fee := postponementFee * ((days + fortnight - 1) / fortnight)
	if r := first(a.mayPostpone(w, days), a.canPay(fee)); r != nil {
		return "", r
	}
	a.retime(w, func() {
		w.Postponed = int(days)
		w.Begin = w.Begin.Add(day * time.Duration(days))
	})
	a.say("war-postponed", "HL-60", a.tavern(w.Attacker.Suzerain), warData(w, rules.Data{"days": days, "fine": fee, "begin": w.Begin}))
	a.pay(a.me, magistrate, fee, "postponement", "HL-60", warData(w, nil))
	return "HL-60", nil
}

// postponedBy returns by how many days an order postpones a war, 0 when by none or by more than any war may be.
func postponedBy(o orders.Order) int64 {
	days := o.N("days")
	if days < 1 || days > mostPostponed {
		return 0
	}
	if o.Is("weeks") {
		days *= 7
	}
	if days > mostPostponed {
		return 0
	}
	return days
}

// mayPostpone looks whether the writer may postpone a war (HL-60, HL-61).
func (a *act) mayPostpone(w *War, days int64) *rules.Ruling {
	until := w.since(postponeDays)
	switch {
	case w.Attacker.Suzerain == a.me:
		return no("HL-60", "attacker", rules.Data{"war": w.ID})
	case days == 0:
		return no("HL-60", "days", rules.Data{"most": mostPostponed})
	case w.Status == begun:
		return no("HL-61", "begun", rules.Data{"war": w.ID})
	case w.Postponed > 0:
		return no("HL-61", "twice", rules.Data{"war": w.ID})
	case a.At.After(until):
		return no("HL-61", "late", rules.Data{"war": w.ID, "until": until})
	}
	return nil
}

// setBegin sets the beginning of a war by the Magistrate's word; days for which it was postponed come on top (HL-58).
func setBegin(a *act, o orders.Order) (string, *rules.Ruling) {
	w, r := a.anyWar(o)
	if r != nil {
		return "", r
	}
	date := a.beginOf(w, o)
	if r := a.maySetBegin(w, date); r != nil {
		return "", r
	}
	a.retime(w, func() {
		w.Begin, w.BeginNamed = date.Add(day*time.Duration(w.Postponed)), true
	})
	a.say("begin-set", "HL-58", a.suzerains(w), warData(w, rules.Data{"begin": w.Begin, "end": w.end(), "by": magistrate}))
	return "HL-58", nil
}

// maySetBegin looks whether the Magistrate may name a date for the beginning of a war (HL-58).
func (a *act) maySetBegin(w *War, date time.Time) *rules.Ruling {
	earliest, latest := w.since(firstBegin), w.since(lastBegin)
	switch {
	case w.Status == begun:
		return no("HL-58", "begun", rules.Data{"war": w.ID})
	case date.Before(earliest) || date.After(latest):
		return no("HL-58", "bounds", rules.Data{"war": w.ID, "earliest": earliest, "latest": latest})
	case date.Before(a.At):
		return no("HL-58", "past", rules.Data{"war": w.ID, "latest": latest})
	}
	return nil
}

// beginDeadline is that of the beginning of a war, until when the saves may be dealt out anew. It waits for nobody.
func beginDeadline(w *War) rules.Deadline {
	return rules.Deadline{At: w.Begin, Kind: "war-begins", Set: w.Declared, Data: warData(w, nil)}
}

var beginReasons = []reason{
	{"HL-58", "begun", []string{"war"}},                        // SET BEGIN: it has begun
	{"HL-58", "bounds", []string{"war", "earliest", "latest"}}, // out of the days on which it may begin
	{"HL-58", "past", []string{"war", "latest"}},               // one of these days, but past
	{"HL-59", "begun", []string{"war"}},                        // BEGIN EARLY: it has begun
	{"HL-59", "past", []string{"war", "begin"}},                // not later than now
	{"HL-59", "late", []string{"war", "begin"}},                // not earlier than it begins anyway
	{"HL-60", "attacker", []string{"war"}},                     // the writer is the attacker
	{"HL-60", "days", []string{"most"}},                        // no such number of days
	{"HL-61", "begun", []string{"war"}},                        // it has begun
	{"HL-61", "twice", []string{"war"}},                        // he did so once
	{"HL-61", "late", []string{"war", "until"}},                // only until then
}

var beginForms = []form{
	{do: beginEarly, asks: asking((*act).suzerainsWar), Form: orders.Form{ID: "begin-early", Rule: "HL-59", Who: forPlayer, Say: say{
		"en": {"BEGIN EARLY ON <date> $W"},
		"ru": {"НАЧАТЬ РАНЬШЕ <date> $W"},
	}, Help: help{
		"en": "You propose that a war begin earlier; if the other suzerain proposes the same instant, it is set.",
		"ru": "Вы предлагаете начать войну раньше; если другой сюзерен предложит то же время, оно назначено.",
	}}},
	{do: postponeWar, asks: asking((*act).suzerainsWar), Form: orders.Form{ID: "postpone-war", Rule: "HL-60", Who: forPlayer, Say: say{
		"en": {"POSTPONE WAR [<war:number>] BY <days:number> (DAYS | WEEKS#weeks)"},
		"ru": {"ОТЛОЖИТЬ ВОЙНУ [<war:number>] НА <days:number> (ДНЕЙ | НЕДЕЛЬ#weeks)"},
	}, Help: help{
		"en": "If war was declared on you, you may postpone its beginning once, by 56 days at most, for 500 @ per 14 days or part of them.",
		"ru": "Если войну объявили вам, вы можете один раз отложить её начало, не больше чем на 56 дней, по 500 @ за каждые начатые 14 дней.",
	}}},
	{do: setBegin, asks: asking((*act).anyWar), Form: orders.Form{ID: "set-begin", Rule: "HL-58", Who: forGM, Say: say{
		"en": {"SET BEGIN $W TO <date>"},
		"ru": {"НАЧАЛО ВОЙНЫ [<war:number>] <date>"},
	}, Help: help{
		"en": "Sets when a war begins, 35 to 49 days after its declaration.",
		"ru": "Назначает начало войны, через 35–49 дней после её объявления.",
	}}},
}
