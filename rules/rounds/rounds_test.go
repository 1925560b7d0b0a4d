package rounds

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"arroba/orders"
	"arroba/rules"
)

var (
	ids   = rules.EngineIDs{Role: "X-R", Nothing: "X-N", Past: "X-P"}
	start = time.Date(2026, 3, 2, 20, 0, 0, 0, time.UTC) // a Monday
)

const hour = time.Hour

// table is a game at which phases are played by hand. Hours are counted from the beginning.
type table struct {
	*testing.T
	Rounds
}

func begin(t *testing.T, c rules.Calendar, p Phase) *table {
	w := rules.World{Calendar: c, Members: []rules.Member{{Seat: "Anna", Role: rules.Player}, {Seat: "Boris", Role: rules.Player}, {Seat: "Gareth", Role: rules.GM}}}
	x := &table{t, New(w)}
	if p.Name == "" {
		p = Phase{Round: 1, Name: "orders", Awaits: x.Players, Lasts: 48 * hour}
	}
	x.Begin(p, x.env(0))
	return x
}

func at(h float64) time.Time { return start.Add(time.Duration(h * float64(hour))) }

func (x *table) env(h float64) rules.Env {
	return rules.Env{At: at(h), Now: at(h), Zone: time.UTC}
}

func (x *table) by(h float64, seat rules.Seat) rules.Env {
	e := x.env(h)
	e.By.Seat = seat
	return e
}

// give keeps an order and returns what its receipt is told.
func (x *table) give(h float64, seat rules.Seat, line, kind string, units ...string) rules.Data {
	x.Helper()
	ru := x.Keep("X-1", orders.Order{Line: line}, x.by(h, seat), kind, units...)
	if !ru.OK() || ru.Rule != "X-1" || ru.Why != "kept" {
		x.Fatalf("%s: %+v", line, ru)
	}
	return ru.Data
}

// say passes one of the engine's orders on, sent when it came, and returns what became of it.
func (x *table) say(h float64, seat rules.Seat, kind string) rules.Ruling {
	x.Helper()
	return x.control(h, seat, rules.Control{Kind: kind, Sent: at(h)})
}

func (x *table) control(h float64, seat rules.Seat, c rules.Control) rules.Ruling {
	x.Helper()
	before := x.bytes()
	ev, ru := x.Control(c, x.by(h, seat), ids)
	if !ru.OK() && (len(ev) > 0 || x.bytes() != before) {
		x.Errorf("%s was refused (%s) and did something", c.Kind, ru.Why)
	}
	return ru
}

func (x *table) bytes() string {
	b, err := json.Marshal(x.Rounds)
	if err != nil {
		x.Fatal(err)
	}
	return string(b)
}

// falls looks when the phase closes next, and for what.
func (x *table) falls(h float64, by string) {
	x.Helper()
	if d, ok := x.Next(); !ok || d.ID != by || !d.At.Equal(at(h)) {
		x.Errorf("next is %s at %v (%v), want %s at %v", d.ID, d.At, ok, by, at(h))
	}
}

// close fires what falls due next, late by so many hours, and returns how the phase closed.
func (x *table) fire(late float64) (*Closing, []rules.Event) {
	x.Helper()
	d, ok := x.Next()
	if !ok {
		x.Fatal("nothing falls due")
	}
	return x.Fire(d, rules.Env{At: d.At, Now: d.At.Add(time.Duration(late * float64(hour))), Zone: time.UTC})
}

func refusedAs(t *testing.T, ru rules.Ruling, rule, why string) {
	t.Helper()
	if ru.OK() || ru.Rule != rule || ru.Why != why {
		t.Errorf("%+v, want refused %s %s", ru, rule, why)
	}
}

func kept(x *table, v rules.Viewer) (lines []string) {
	for _, k := range x.Kept(v) {
		lines = append(lines, k.Line)
	}
	return lines
}

func TestOrdersReplaceThoseOfTheSameUnitAndKind(t *testing.T) {
	x := begin(t, rules.Calendar{}, Phase{})
	x.give(1, "Anna", "Percy moves", "move", "Percy")
	x.give(1, "Anna", "Percy fights", "fight", "Percy")
	x.give(1, "Boris", "Percy moves too", "move", "Percy")
	x.give(1, "Anna", "Swan moves", "move", "Swan")
	if d := x.give(2, "Anna", "both move", "move", "Percy", "Swan"); !reflect.DeepEqual(d["replaced"], []int{1, 4}) || d["n"] != 5 || d["round"] != 1 {
		t.Errorf("%v", d)
	}
	x.give(2, "Anna", "a motto", "motto")
	if d := x.give(2, "Anna", "another motto", "motto"); !reflect.DeepEqual(d["replaced"], []int{6}) {
		t.Errorf("%v", d)
	}
	if got := kept(x, rules.Viewer{Seat: "Anna"}); !slices.Equal(got, []string{"Percy fights", "both move", "another motto"}) {
		t.Errorf("Anna's are %q", got)
	}
	if got := kept(x, rules.Viewer{}); got != nil {
		t.Errorf("everybody sees %q", got)
	}
	if got := kept(x, rules.Viewer{GM: true}); len(got) != 4 {
		t.Errorf("the GM sees %q", got)
	}
}

func TestCancelTakesOnesOwn(t *testing.T) {
	x := begin(t, rules.Calendar{}, Phase{})
	x.give(1, "Anna", "a", "a")
	x.give(1, "Boris", "b", "b")
	x.give(1, "Boris", "c", "c")
	refusedAs(t, x.control(2, "Anna", rules.Control{Kind: rules.Cancel, N: 2}), "X-N", "no-order")
	refusedAs(t, x.control(2, "Gareth", rules.Control{Kind: rules.Cancel}), "X-N", "no-orders")
	if ru := x.control(2, "Anna", rules.Control{Kind: rules.Cancel, N: 1}); !ru.OK() || !reflect.DeepEqual(ru.Data["orders"], []int{1}) {
		t.Errorf("%+v", ru)
	}
	if ru := x.control(2, "Boris", rules.Control{Kind: rules.Cancel}); !ru.OK() || !reflect.DeepEqual(ru.Data["orders"], []int{2, 3}) {
		t.Errorf("%+v", ru)
	}
	if d := x.give(3, "Anna", "d", "d"); d["n"] != 4 {
		t.Errorf("a number is given twice: %v", d)
	}
}

func TestDeadlinesFollowTheCalendar(t *testing.T) {
	x := begin(t, rules.Calendar{}, Phase{})
	x.falls(48, ByDeadline)
	if d, _ := x.Next(); !d.After {
		t.Error("a deadline includes its own instant")
	}
	begin(t, rules.Calendar{Least: 60 * hour}, Phase{}).falls(60, ByDeadline)
	thursday := rules.Calendar{Days: []time.Weekday{time.Thursday}, At: &rules.Clock{Hour: 18}}
	begin(t, thursday, Phase{}).falls(70, ByDeadline)
	if _, ok := begin(t, thursday, Phase{Round: 1, Name: "rulings"}).Next(); ok {
		t.Error("a phase without a deadline closes")
	}
	x = begin(t, rules.Calendar{}, Phase{})
	x.End()
	if _, ok := x.Next(); ok {
		t.Error("after the end something falls due")
	}
	refusedAs(t, x.say(1, "Anna", rules.Ready), "X-N", "no-phase")
}

func TestAllReadyCloseEarly(t *testing.T) {
	x := begin(t, rules.Calendar{ReadyDelay: 2 * hour}, Phase{})
	refusedAs(t, x.say(1, "Gareth", rules.Ready), "X-N", "not-awaited")
	refusedAs(t, x.say(1, "Anna", rules.Wait), "X-N", "not-ready")
	if ru := x.say(1, "Anna", rules.Ready); !ru.OK() || ru.Data["closes"] != nil {
		t.Errorf("%+v", ru)
	}
	x.falls(48, ByDeadline)
	if ru := x.say(5, "Boris", rules.Ready); !ru.OK() || ru.Data["closes"] != at(7) || ru.Data["now"] != false {
		t.Errorf("%+v", ru)
	}
	x.falls(7, ByReady)
	if ru := x.say(6, "Anna", rules.Wait); !ru.OK() {
		t.Errorf("%+v", ru)
	}
	x.falls(48, ByDeadline)
	x.say(6.5, "Anna", rules.Ready)
	x.falls(8.5, ByReady)
	if d := x.give(8, "Boris", "second thoughts", "a"); d["ready"] != true {
		t.Errorf("%v", d)
	}
	x.falls(10, ByReady) // the whole delay again
	if d, _ := x.Next(); !d.After {
		t.Error("the end of the delay is part of it")
	}
	x.control(9, "Boris", rules.Control{Kind: rules.Cancel})
	x.falls(11, ByReady)
	if c, ev := x.fire(0); c == nil || c.By != ByReady || len(c.Missing) > 0 || len(ev) > 0 {
		t.Errorf("%+v %v", c, ev)
	}
	y := begin(t, rules.Calendar{ReadyDelay: 100 * hour}, Phase{})
	y.say(1, "Anna", rules.Ready)
	y.say(1, "Boris", rules.Ready)
	y.falls(48, ByDeadline) // which comes first
}

func TestReadyWithoutDelayClosesWithItsLetter(t *testing.T) {
	x := begin(t, rules.Calendar{}, Phase{})
	x.say(1, "Anna", rules.Ready)
	if ru := x.say(5, "Boris", rules.Ready); ru.Data["now"] != true {
		t.Errorf("%+v", ru)
	}
	x.give(5, "Boris", "further down in the letter", "a")
	x.falls(5, ByReady)
	if d, _ := x.Next(); d.After {
		t.Error("what comes at the same instant would still count")
	}
}

func TestReadyWaitsForConfirmations(t *testing.T) {
	x := begin(t, rules.Calendar{}, Phase{Round: 2, Name: "orders", Awaits: []rules.Seat{"Boris"}, Lasts: 24 * hour})
	x.SetPending(true, x.env(1))
	if ru := x.say(2, "Boris", rules.Ready); ru.Data["pending"] != true || ru.Data["closes"] != nil {
		t.Errorf("%+v", ru)
	}
	x.falls(24, ByDeadline)
	x.SetPending(false, x.env(9))
	x.falls(9, ByReady)
}

func TestTheGMClosesAndMovesTheDeadline(t *testing.T) {
	x := begin(t, rules.Calendar{}, Phase{})
	ev, ru := x.Control(rules.Control{Kind: rules.SetDeadline, By: 24 * hour, Sent: at(1)}, x.by(1, "Gareth"), ids)
	if !ru.OK() || len(ev) != 1 || ev[0].Type != "deadline-set" || ev[0].Data["deadline"] != at(72) || !ev[0].To.Tavern || len(ev[0].To.Members) != 2 {
		t.Errorf("%v %v", ev, ru)
	}
	x.falls(72, ByDeadline)
	refusedAs(t, x.control(10, "Gareth", rules.Control{Kind: rules.SetDeadline, At: at(9), Sent: at(10)}), "X-P", "past")
	x.control(10, "Gareth", rules.Control{Kind: rules.SetDeadline, At: at(10), Sent: at(10)})
	x.falls(10, ByDeadline)
	x.control(10, "Gareth", rules.Control{Kind: rules.SetDeadline, At: at(30), Sent: at(10)})
	x.say(11, "Gareth", rules.Close)
	x.falls(11, ByGM)
	x.give(11, "Anna", "in the same letter", "a")
	c, _ := x.fire(0)
	if c == nil || c.By != ByGM || !slices.Equal(c.Missing, []rules.Seat{"Boris"}) {
		t.Errorf("%+v", c)
	}
	y := begin(t, rules.Calendar{}, Phase{Round: 1, Name: "rulings"})
	refusedAs(t, y.say(1, "Gareth", rules.Close), "X-N", "no-close")
	refusedAs(t, y.control(1, "Gareth", rules.Control{Kind: rules.SetDeadline, By: hour, Sent: at(1)}), "X-N", "no-deadline")
}

func TestWordsForAnEarlierPhaseAreRefused(t *testing.T) {
	x := begin(t, rules.Calendar{}, Phase{})
	x.fire(1.5) // the engine came to it an hour and a half late
	e := x.env(48)
	e.Now = at(49.5)
	x.Begin(Phase{Round: 2, Name: "orders", Awaits: x.Players, Lasts: 48 * hour}, e)
	for _, c := range []rules.Control{{Kind: rules.Ready}, {Kind: rules.Wait}, {Kind: rules.Close}, {Kind: rules.SetDeadline, By: hour}} {
		c.Sent = at(49)
		refusedAs(t, x.control(50, "Anna", c), "X-N", "earlier-phase")
	}
	if ru := x.control(50, "Anna", rules.Control{Kind: rules.Ready, Sent: at(49.5)}); !ru.OK() {
		t.Errorf("%+v", ru)
	}
}

func TestAnOutageBurnsNoRound(t *testing.T) {
	daily := rules.Calendar{At: &rules.Clock{Hour: 20}, Least: 12 * hour}
	for late, want := range map[float64]float64{0: 48, 0.15: 48, 1: 48, 11: 48, 13: 72, 100: 144} {
		x := begin(t, daily, Phase{})
		x.fire(late)
		e := x.env(24)
		e.Now = at(24 + late)
		x.Begin(Phase{Round: 2, Name: "orders", Awaits: x.Players, Lasts: 48 * hour}, e)
		if !x.Rounds.Deadline.Equal(at(want)) {
			t.Errorf("%v hours late: the next deadline is %v, want %v", late, x.Rounds.Deadline, at(want))
		}
	}
	x := begin(t, rules.Calendar{}, Phase{})
	e := x.env(48)
	e.Now = at(60)
	x.Begin(Phase{Round: 2, Name: "orders", Awaits: x.Players, Lasts: 48 * hour}, e)
	x.falls(108, ByDeadline)
}

func TestLateLettersAreToldSoOnce(t *testing.T) {
	x := begin(t, rules.Calendar{}, Phase{})
	x.give(1, "Anna", "in time", "a")
	x.fire(0)
	x.Begin(Phase{Round: 2, Name: "orders", Awaits: x.Players, Lasts: 48 * hour}, x.env(48))
	if d := x.give(49, "Anna", "early", "a"); d["missed"] != nil || d["round"] != 2 {
		t.Errorf("%v", d)
	}
	if d := x.give(49, "Boris", "late", "a"); d["missed"] != 1 || d["closed"] != at(48) || d["round"] != 2 {
		t.Errorf("%v", d)
	}
	x.control(49, "Boris", rules.Control{Kind: rules.Cancel})
	if d := x.give(49, "Boris", "more", "b"); d["missed"] != nil {
		t.Errorf("%v", d)
	}
}

func TestTooManyMissingHoldOnce(t *testing.T) {
	one := 1
	x := begin(t, rules.Calendar{MaxMissing: &one}, Phase{})
	c, ev := x.fire(0)
	if c != nil || len(ev) != 1 || ev[0].Type != rules.Held || ev[0].Data["missing"] != 2 || !ev[0].To.Tavern {
		t.Fatalf("%+v %v", c, ev)
	}
	if _, ok := x.Next(); ok {
		t.Error("something falls due in a game that is held")
	}
	refusedAs(t, x.say(50, "Anna", rules.Ready), "X-N", "held")
	refusedAs(t, x.control(50, "Gareth", rules.Control{Kind: rules.SetDeadline, By: hour, Sent: at(50)}), "X-N", "held")
	x.give(50, "Anna", "taken all the same", "a")
	x.control(60, "Gareth", rules.Control{Kind: rules.Shift, By: 12 * hour})
	x.falls(60, ByDeadline)
	more := *x
	if c, _ := more.fire(0); c == nil || !slices.Equal(c.Missing, []rules.Seat{"Boris"}) {
		t.Errorf("it closes as it is: %+v", c)
	}
	x.control(60, "Gareth", rules.Control{Kind: rules.SetDeadline, By: 24 * hour, Sent: at(60)})
	x.falls(84, ByDeadline)
	if c, _ := x.fire(0); c == nil {
		t.Error("it was held twice")
	}
	w := begin(t, rules.Calendar{MaxMissing: &one}, Phase{})
	w.fire(0)
	w.control(60, "Gareth", rules.Control{Kind: rules.Shift, By: 12 * hour})
	if c, _ := w.fire(0); c == nil || len(c.Missing) != 2 {
		t.Errorf("it was held twice: %+v", c)
	}
	y := begin(t, rules.Calendar{MaxMissing: &one}, Phase{})
	y.say(1, "Anna", rules.Ready) // and so she is not missing
	if c, _ := y.fire(0); c == nil || len(c.Missing) != 1 {
		t.Errorf("%+v", c)
	}
	z := begin(t, rules.Calendar{MaxMissing: &one}, Phase{})
	z.say(1, "Gareth", rules.Close)
	if c, _ := z.fire(0); c == nil {
		t.Error("PROCESS NOW was held")
	}
}

func TestAHoldMovesWhatFallsDue(t *testing.T) {
	x := begin(t, rules.Calendar{ReadyDelay: 5 * hour}, Phase{})
	x.say(1, "Anna", rules.Ready)
	x.say(1, "Boris", rules.Ready)
	x.say(2, "Gareth", rules.Hold)
	if len(x.Waits(rules.Viewer{GM: true})) > 0 {
		t.Error("there is a deadline in a game that is held")
	}
	refusedAs(t, x.say(3, "Gareth", rules.Close), "X-N", "held")
	x.control(12, "Gareth", rules.Control{Kind: rules.Shift, By: 10 * hour})
	x.falls(16, ByReady)
	x.say(13, "Anna", rules.Wait)
	x.falls(58, ByDeadline)
}

func TestAReopenedPhaseHasItsFullLength(t *testing.T) {
	x := begin(t, rules.Calendar{}, Phase{})
	x.give(1, "Anna", "a", "a")
	x.say(1, "Anna", rules.Ready)
	x.say(1, "Boris", rules.Ready)
	x.control(100, "Gareth", rules.Control{Kind: rules.Reopen})
	x.falls(148, ByDeadline)
	if len(x.Orders) != 1 {
		t.Error("orders are gone")
	}
	e := x.by(101, "Gareth")
	e.Now = at(102) // the letter that goes back was read late
	for h, why := range map[float64]string{101: "", 101.5: "earlier-phase", 102: ""} {
		y := *x
		y.Control(rules.Control{Kind: rules.Reopen, Sent: at(101)}, e, ids)
		if ru := y.control(102, "Anna", rules.Control{Kind: rules.Ready, Sent: at(h)}); ru.OK() != (why == "") || !ru.OK() && ru.Why != why {
			t.Errorf("READY of %v: %+v", h, ru)
		}
	}
	x.say(101, "Gareth", rules.Hold)
	x.control(110, "Gareth", rules.Control{Kind: rules.Reopen, Held: true})
	x.control(120, "Gareth", rules.Control{Kind: rules.Shift, By: 19 * hour}) // since 101
	x.falls(168, ByDeadline)
}

func TestWaitsTellNobodyWhoIsMissing(t *testing.T) {
	x := begin(t, rules.Calendar{}, Phase{})
	x.give(1, "Anna", "a", "a")
	for _, c := range []struct {
		v    rules.Viewer
		want []rules.Seat
	}{{rules.Viewer{}, nil}, {rules.Viewer{Seat: "Anna"}, nil}, {rules.Viewer{Seat: "Boris"}, []rules.Seat{"Boris"}}, {rules.Viewer{GM: true}, []rules.Seat{"Boris"}}} {
		list := x.Waits(c.v)
		if len(list) != 1 || !list[0].At.Equal(at(48)) || !slices.Equal(list[0].Waits, c.want) {
			t.Errorf("%+v is told %+v", c.v, list)
		}
	}
}
