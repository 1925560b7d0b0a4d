// Package rounds serves rulesets whose orders are collected until a phase closes: it keeps the orders and the clock.
//
// Its promise: an order that was kept counts once, at the close of the phase it was kept in, unless its writer took it
// back or replaced it; a phase closes at its deadline, that instant included, or before it when all who are awaited are
// READY or the GM says so, and never by a word that meant an earlier phase; and no outage of the engine burns a round.
//
// Rounds is plain data that stands in a ruleset's state. The ruleset begins each phase with Begin, keeps orders with
// Keep, hands Control on, joins Next to what else falls due, and gives what falls due under the kind Due to Fire. Fire
// says that the phase closed and how; the ruleset resolves the orders, tells of it in its own words, and begins the
// next phase. The texts of what Keep and Control answer are the engine's.
package rounds

import (
	"slices"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// Rounds is where a game stands in its rounds.
type Rounds struct {
	Calendar  rules.Calendar
	Players   []rules.Seat // who is mailed what everybody may know
	Phase     Phase
	Began     time.Time
	Opened    time.Time                // when people could know of it: Began, or later after an outage
	Reopened  time.Time                // when the letter came that went back to this phase: what else it says means this one
	Deadline  *time.Time               // nil: the phase has none
	Set       time.Time                // when the deadline was
	Ready     map[rules.Seat]time.Time // who said READY, and when he last gave an order or said so
	Pending   bool                     // orders wait for somebody's word: READY does not close the phase meanwhile
	Early     *Early                   // how the phase closes before its deadline; nil: it does not
	HeldSince *time.Time               // since when nothing falls due; nil: things do
	Asked     bool                     // the phase was held once because too many were missing
	Orders    []Order                  // by number
	Last      int                      // number of the last order that was ever kept
	Before    *Closing                 // how the phase before closed
}

// Phase is a part of a round.
type Phase struct {
	Round  int
	Name   string        // "": none has begun, or the game is over
	Awaits []rules.Seat  // who must order in it
	Lasts  time.Duration // where the calendar does not say when deadlines fall; 0: it has no deadline
}

// Early is how a phase closes before its deadline.
type Early struct {
	At    time.Time
	By    string // ByReady or ByGM
	After bool   // what arrives at that very instant comes first
}

// Order is an order that waits for the close of its phase.
type Order struct {
	N     int
	Seat  rules.Seat
	Kind  string
	Units []string
	Order orders.Order
}

// Closing is how a phase closed.
type Closing struct {
	Phase
	At      time.Time
	By      string
	Missing []rules.Seat // who was awaited and had neither an order nor a READY
}

// What closes a phase.
const (
	ByDeadline = "deadline"
	ByReady    = "ready"
	ByGM       = "gm"
)

// Due is the kind of what falls due here.
const Due = "round"

// New returns the rounds of a game in which no phase has begun.
func New(w rules.World) Rounds {
	r := Rounds{Calendar: w.Calendar}
	for _, m := range w.Members {
		if m.Role == rules.Player {
			r.Players = append(r.Players, m.Seat)
		}
	}
	return r
}

// Begin begins a phase: orders and words of the one before are gone.
func (r *Rounds) Begin(p Phase, e rules.Env) {
	r.Phase, r.Orders = p, nil
	r.begin(e)
}

// End ends the last phase.
func (r *Rounds) End() {
	*r = Rounds{Calendar: r.Calendar, Players: r.Players, Last: r.Last, Before: r.Before}
}

// tooLate is how late the engine may come to something without its being an outage.
const tooLate = 10 * time.Minute

// begin gives the phase its full length.
func (r *Rounds) begin(e rules.Env) {
	r.Began, r.Opened = e.At.UTC(), e.At.UTC()
	if e.Now.After(e.At) {
		r.Opened = e.Now.UTC()
	}
	r.Set = r.Opened
	from := e.At
	if e.Now.Sub(e.At) > tooLate {
		from = e.Now
	}
	r.Deadline, r.Ready, r.Pending, r.Early, r.Asked = nil, nil, false, nil, false
	switch {
	case r.Phase.Lasts == 0:
	case r.Calendar.Says():
		r.Deadline = new(r.Calendar.Next(from, e.Zone))
	default:
		r.Deadline = new(from.Add(max(r.Phase.Lasts, r.Calendar.Least)).UTC())
	}
}

// Awaits tells whether the phase waits for a seat.
func (r *Rounds) Awaits(s rules.Seat) bool { return slices.Contains(r.Phase.Awaits, s) }

// Held tells whether the game stands still.
func (r *Rounds) Held() bool { return r.HeldSince != nil }

// IsReady tells whether a seat's READY stands.
func (r *Rounds) IsReady(s rules.Seat) bool { return !r.Ready[s].IsZero() }

// missing are those who were awaited and have neither an order nor a READY.
func (r *Rounds) missing() (list []rules.Seat) {
	for _, s := range r.Phase.Awaits {
		if !r.IsReady(s) && len(r.Of(s)) == 0 {
			list = append(list, s)
		}
	}
	return list
}

// Of returns the kept orders of a seat.
func (r *Rounds) Of(s rules.Seat) (list []Order) {
	for _, o := range r.Orders {
		if o.Seat == s {
			list = append(list, o)
		}
	}
	return list
}

// Keep keeps an order that nothing speaks against until the phase closes, and accepts it under a rule. It replaces
// those of the same seat and kind that share a unit with it; without units, those of the kind.
func (r *Rounds) Keep(rule string, o orders.Order, e rules.Env, kind string, units ...string) rules.Ruling {
	seat := e.By.Seat
	data := rules.Data{"round": r.Phase.Round}
	if b := r.Before; b != nil {
		if i := slices.Index(b.Missing, seat); i >= 0 {
			data["missed"], data["closed"] = b.Round, b.At
			b.Missing = slices.Delete(b.Missing, i, i+1) // he is told once
		}
	}
	var replaced []int
	r.Orders = slices.DeleteFunc(r.Orders, func(k Order) bool {
		again := k.Seat == seat && k.Kind == kind && (len(units) == 0 || slices.ContainsFunc(units, func(u string) bool { return slices.Contains(k.Units, u) }))
		if again {
			replaced = append(replaced, k.N)
		}
		return again
	})
	r.Last++
	r.Orders = append(r.Orders, Order{r.Last, seat, kind, units, o})
	data["n"] = r.Last
	if replaced != nil {
		data["replaced"] = replaced
	}
	if r.stillReady(seat, e) {
		data["ready"] = true
	}
	return rules.Ruling{Verdict: orders.Accepted, Rule: rule, Why: "kept", Data: data}
}

// stillReady tells whether a seat has said READY and now gives or takes back an order: READY stands, said anew. In the
// letter that said it, that goes without saying.
func (r *Rounds) stillReady(s rules.Seat, e rules.Env) bool {
	said := r.Ready[s]
	if said.IsZero() {
		return false
	}
	r.say(s, e)
	return said.Before(e.At)
}

// say takes a seat for READY from now on: there is the whole delay again to change one's mind.
func (r *Rounds) say(s rules.Seat, e rules.Env) {
	if r.Ready == nil {
		r.Ready = map[rules.Seat]time.Time{}
	}
	r.Ready[s] = e.At.UTC()
	r.reckon(e)
}

// SetPending tells whether orders wait for somebody's word. When none does any more, the phase closes if all are READY.
func (r *Rounds) SetPending(pending bool, e rules.Env) {
	r.Pending = pending
	r.reckon(e)
}

// reckon finds out when the phase closes before its deadline.
func (r *Rounds) reckon(e rules.Env) {
	if r.Early != nil && r.Early.By == ByGM {
		return
	}
	r.Early = nil
	if r.Pending || len(r.Phase.Awaits) == 0 {
		return
	}
	var last time.Time
	for _, s := range r.Phase.Awaits {
		if !r.IsReady(s) {
			return
		}
		if r.Ready[s].After(last) {
			last = r.Ready[s]
		}
	}
	at, now := last.Add(r.Calendar.ReadyDelay), e.At.UTC()
	if at.After(now) {
		r.Early = &Early{at, ByReady, true}
	} else {
		r.Early = &Early{now, ByReady, false}
	}
}

// Next tells when the phase closes.
func (r *Rounds) Next() (rules.Due, bool) {
	switch early := r.Early; {
	case r.Phase.Name == "" || r.Held():
		return rules.Due{}, false
	case early != nil && (r.Deadline == nil || !early.At.After(*r.Deadline)):
		return rules.Due{At: early.At, Kind: Due, ID: early.By, After: early.After}, true
	case r.Deadline != nil:
		return rules.Due{At: *r.Deadline, Kind: Due, ID: ByDeadline, After: true}, true
	}
	return rules.Due{}, false
}

// Fire closes the phase. Nil instead of a Closing says that it was held, because more players than the calendar's
// MaxMissing had sent nothing by the deadline; the events tell of that, once for each phase.
func (r *Rounds) Fire(d rules.Due, e rules.Env) (*Closing, []rules.Event) {
	c := &Closing{Phase: r.Phase, At: e.At.UTC(), By: d.ID, Missing: r.missing()}
	if most := r.Calendar.MaxMissing; c.By == ByDeadline && most != nil && len(c.Missing) > *most && !r.Asked {
		r.Asked, r.HeldSince = true, &c.At
		return nil, []rules.Event{{Type: rules.Held, Rule: "E-HOLD", To: r.everybody(), Data: rules.Data{
			"reason": "too many are missing", "missing": len(c.Missing), "awaited": len(c.Awaits), "round": c.Round}}}
	}
	kept := *c
	kept.Missing = slices.Clone(c.Missing)
	r.Before = &kept
	return c, nil
}

// everybody is who learns of what is public, the players by mail.
func (r *Rounds) everybody() rules.Audience {
	return rules.Audience{Tavern: true, GM: true, Copies: true, Members: slices.Clone(r.Players)}
}

// Waits is what a ruleset's Waits says of the phase: its deadline, and who has sent nothing yet, which others than the GM
// are told of themselves only.
func (r *Rounds) Waits(v rules.Viewer) []rules.Deadline {
	if r.Deadline == nil || r.Held() {
		return nil
	}
	d := rules.Deadline{At: *r.Deadline, Kind: r.Phase.Name, Data: rules.Data{"round": r.Phase.Round}, Set: r.Set}
	for _, s := range r.missing() {
		if v.GM || s == v.Seat {
			d.Waits = append(d.Waits, s)
		}
	}
	return []rules.Deadline{d}
}

// Kept is what a ruleset's Kept says: a seat's own orders, or all of them for a GM.
func (r *Rounds) Kept(v rules.Viewer) (list []rules.Kept) {
	for _, o := range r.Orders {
		if v.GM || o.Seat == v.Seat {
			list = append(list, rules.Kept{N: o.N, Line: o.Order.Line})
		}
	}
	return list
}
