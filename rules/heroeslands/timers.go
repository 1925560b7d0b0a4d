package heroeslands

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"arroba/rules"
)

// timer is something that happens by itself: what falls due, and what to do then.
type timer struct {
	at    time.Time
	kind  int // place in timerKinds, which also orders what falls due at one instant
	num   int // of a duel, a war or a tourney, from 1
	nick  string
	land  string
	with  string // the suzerain of an offer, the office of a term
	offer *Offer // that lapses
}

// The kinds of timers, in the order in which they fire at one instant. The first opens a time, and does so before whatever
// arrives at its instant; the others close one, and let that come first.
const (
	warBegins = iota
	rostersClose
	warEnds
	windowEnds
	offerLapses
	callLapses
	duelDue
	propertyCloses
	savesOverdue
	immunityEnds
	barEnds
	officeEnds
	claimsEnd
)

var timerKinds = []string{"war-begins", "rosters-close", "war-ends", "window", "offer", "call", "duel-due", "property-closes", "saves-overdue", "immunity", "bar", "office", "claims"}

// due describes a timer to the engine.
func (t timer) due() rules.Due {
	id := fmt.Sprintf("%d/%s/%s/%s", t.num, t.land, t.nick, t.with)
	return rules.Due{At: t.at, Kind: timerKinds[t.kind], ID: id, After: t.kind != warBegins}
}

// compare orders timers: by their instants, then by what they are about, and of one sort by id or nick.
func (t timer) compare(u timer) int {
	return cmp.Or(t.at.Compare(u.at), cmp.Compare(t.sort(), u.sort()), cmp.Compare(t.num, u.num), cmp.Compare(t.nick, u.nick),
		cmp.Compare(t.kind, u.kind), cmp.Compare(t.land, u.land), cmp.Compare(t.with, u.with))
}

// sort is what a timer is about: those of saves are of one sort, and so are the ends of what somebody holds for a time.
func (t timer) sort() int {
	switch t.kind {
	case savesOverdue:
		return propertyCloses
	case barEnds, officeEnds:
		return immunityEnds
	}
	return t.kind
}

// The timers of all that falls due.

func officeTimer(nick, office string, until time.Time) timer {
	return timer{at: until, kind: officeEnds, nick: nick, with: office}
}

func immunityTimer(land, nick string, im *Immunity) timer {
	return timer{at: im.Until, kind: immunityEnds, nick: nick, land: land}
}

func barTimer(land, nick string, until time.Time) timer {
	return timer{at: until, kind: barEnds, nick: nick, land: land}
}

func windowTimer(land, nick string, w Window) timer {
	return timer{at: w.Due, kind: windowEnds, nick: nick, land: land}
}

func offerTimer(f *Offer) timer {
	return timer{at: f.Lapses, kind: offerLapses, nick: f.Vassal, land: f.Land, with: f.Suzerain, offer: f}
}

// duelTimer is that of a duel: when a call lapses, or when it is due.
func duelTimer(d *Duel) timer {
	kind := duelDue
	if d.Status == called {
		kind = callLapses
	}
	return timer{at: d.Due, kind: kind, num: d.ID}
}

// warTimers are those of an open war, as it stands. When something moves them, the old ones are cancelled before and the
// new ones scheduled after.
func warTimers(w *War) (ts []timer) {
	add := func(kind int, at time.Time) { ts = append(ts, timer{at: at, kind: kind, num: w.ID}) }
	if w.Status == declared {
		add(warBegins, w.Begin)
	}
	if w.Status == begun {
		add(warEnds, w.end())
	}
	if w.isOpen() && w.RostersClosed == nil {
		add(rostersClose, w.RostersDue)
	}
	if w.isOpen() && !w.PropertyDue.IsZero() {
		add(propertyCloses, w.PropertyDue)
	}
	if w.isOpen() && !w.SavesDue.IsZero() {
		add(savesOverdue, w.SavesDue)
	}
	return ts
}

// retime changes a war, and moves its timers accordingly; who is in it is noted anew.
func (s *State) retime(w *War, change func()) {
	for _, t := range warTimers(w) {
		s.cancel(t)
	}
	s.unindexWar(w)
	change()
	s.indexWar(w)
	for _, t := range warTimers(w) {
		s.schedule(t)
	}
}

// timers returns all that falls due, the next first. They are looked for once and then kept up by schedule and cancel.
func (s *State) timers() []timer {
	if s.cache.timers != nil {
		return s.cache.timers
	}
	ts := []timer{}
	for nick, p := range s.Inhabitants {
		for office, o := range p.Offices {
			if o.Until != nil {
				ts = append(ts, officeTimer(nick, office, *o.Until))
			}
		}
		for land, st := range p.In {
			if st.Immunity != nil {
				ts = append(ts, immunityTimer(land, nick, st.Immunity))
			}
			if st.Bar != nil {
				ts = append(ts, barTimer(land, nick, *st.Bar))
			}
			for _, w := range st.Windows {
				ts = append(ts, windowTimer(land, nick, w))
			}
		}
	}
	for _, f := range s.Offers {
		ts = append(ts, offerTimer(f))
	}
	for _, d := range s.Duels {
		if d.Status == called || d.Status == open && !d.Reminded {
			ts = append(ts, duelTimer(d))
		}
	}
	for _, w := range s.Wars {
		ts = append(ts, warTimers(w)...)
	}
	ts = append(ts, s.claimTimers()...)
	slices.SortFunc(ts, timer.compare)
	s.cache.timers = ts
	return ts
}

// schedule adds a timer.
func (s *State) schedule(t timer) {
	if s.cache.timers != nil {
		i, _ := slices.BinarySearchFunc(s.cache.timers, t, timer.compare)
		s.cache.timers = slices.Insert(s.cache.timers, i, t)
	}
}

// cancel takes a timer away; it does nothing when there is none.
func (s *State) cancel(t timer) {
	if i, ok := slices.BinarySearchFunc(s.cache.timers, t, timer.compare); ok {
		s.cache.timers = slices.Delete(s.cache.timers, i, i+1)
	}
}

// next tells what happens by itself next.
func next(s *State) (rules.Due, bool) {
	if ts := s.timers(); len(ts) > 0 {
		return ts[0].due(), true
	}
	return rules.Due{}, false
}

// fire makes happen what next told.
func fire(s *State, d rules.Due, e rules.Env) (*State, []rules.Event) {
	for _, t := range s.timers() {
		if u := t.due(); u.At.Equal(d.At) && u.Kind == d.Kind && u.ID == d.ID {
			a := begin(s, e)
			a.fire(t)
			a.follow()
			return s, a.events
		}
	}
	return s, nil
}

func (a *act) fire(t timer) {
	a.cancel(t)
	switch t.kind {
	case warBegins:
		a.beginWar(a.war(int64(t.num)))
	case rostersClose:
		a.closeRosters(a.war(int64(t.num)))
	case warEnds:
		a.settle(a.war(int64(t.num)), "")
	case propertyCloses:
		a.closeProperty(a.war(int64(t.num)))
	case savesOverdue:
		a.remindOfSaves(a.war(int64(t.num)))
	case windowEnds:
		a.missWindow(t.land, t.nick)
	case offerLapses:
		f := t.offer
		a.dropOffers(func(x *Offer) bool { return x == f })
		a.say("offer-lapsed", "HL-03", a.only(f.Suzerain, f.Vassal), offerData(f, nil))
	case callLapses:
		a.lapseCall(a.duel(int64(t.num)))
	case duelDue:
		d := a.duel(int64(t.num))
		d.Reminded = true
		a.say("duel-due", "HL-43", a.gm(d.Initiator, d.fighter()), duelData(d, rules.Data{"due": d.Due}))
	case immunityEnds:
		a.setImmunity(t.land, t.nick, nil)
	case barEnds:
		a.in(t.land, t.nick).Bar = nil
	case officeEnds:
		a.endOffice(t.nick, t.with)
	case claimsEnd:
		a.Tourneys[t.num-1].Over = true
	}
}

// missWindow frees all vassals of one who kept too many, and closes all his windows (HL-06).
func (a *act) missWindow(land, lord string) {
	st := a.in(land, lord)
	for _, v := range union(st.Vassals, nil) {
		a.free(land, v, "window-missed")
	}
	for _, w := range st.Windows {
		a.windowClosed(land, lord, w, false)
	}
	st.Windows = nil
}

// shift moves all that falls due, but the dates that the Magistrate named.
func (s *State) shift(by time.Duration) {
	s.cache.timers = nil
	for _, p := range s.Inhabitants {
		for _, st := range p.In {
			if st.Immunity != nil && !st.Immunity.Named {
				st.Immunity.Until = st.Immunity.Until.Add(by)
			}
			if st.Bar != nil {
				t := st.Bar.Add(by)
				st.Bar = &t
			}
			for i := range st.Windows {
				st.Windows[i].Due = st.Windows[i].Due.Add(by)
			}
		}
	}
	for _, f := range s.Offers {
		f.Lapses = f.Lapses.Add(by)
	}
	for _, d := range s.Duels {
		if d.Status == called || d.Status == open && !d.Reminded {
			d.Due = d.Due.Add(by)
		}
	}
	for _, t := range s.Tourneys {
		t.shift(by)
	}
	for _, w := range s.Wars {
		w.shift(by)
	}
}

// shift moves what falls due in an open war.
func (w *War) shift(by time.Duration) {
	if !w.isOpen() {
		return
	}
	w.Shifted += by
	w.RostersDue = w.RostersDue.Add(by)
	if w.Status == begun || !w.BeginNamed {
		w.Begin = w.Begin.Add(by)
	}
	if !w.PropertyDue.IsZero() {
		w.PropertyDue = w.PropertyDue.Add(by)
	}
	if !w.SavesDue.IsZero() {
		w.SavesDue = w.SavesDue.Add(by)
	}
}
