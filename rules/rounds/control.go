package rounds

import (
	"slices"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// Control does what the engine's orders want of the phase, and refuses them under a ruleset's ids where there is nothing
// of the kind.
func (r *Rounds) Control(c rules.Control, e rules.Env, ids rules.EngineIDs) ([]rules.Event, rules.Ruling) {
	no := func(why string) rules.Ruling { return rules.Refuse(ids.Nothing, why, nil) }
	switch c.Kind {
	case rules.Hold:
		if r.HeldSince == nil {
			r.HeldSince = new(e.At.UTC())
		}
		return nil, rules.Accept("")
	case rules.Shift:
		r.shift(c.By, e)
		return nil, rules.Accept("")
	case rules.Reopen:
		if r.Phase.Name != "" {
			r.begin(e)
		}
		r.Reopened = c.Sent
		if r.HeldSince = nil; c.Held {
			r.HeldSince = new(e.At.UTC())
		}
		return nil, rules.Accept("")
	case rules.Cancel:
		return nil, r.cancel(c.N, e, ids)
	}
	switch {
	case r.Phase.Name == "":
		return nil, no("no-phase")
	case c.Sent.Before(r.Opened) && !c.Sent.Equal(r.Reopened):
		return nil, rules.Refuse(ids.Nothing, "earlier-phase", rules.Data{"round": r.Phase.Round, "began": r.Opened})
	}
	switch c.Kind {
	case rules.Ready:
		return nil, r.ready(e, no)
	case rules.Wait:
		return nil, r.wait(e, no)
	case rules.Close:
		return nil, r.close(e, no)
	case rules.SetDeadline:
		return r.setDeadline(c, e, ids)
	}
	return nil, no("no-phase")
}

func (r *Rounds) ready(e rules.Env, no func(string) rules.Ruling) rules.Ruling {
	switch {
	case r.Held():
		return no("held")
	case !r.Awaits(e.By.Seat):
		return no("not-awaited")
	}
	r.say(e.By.Seat, e)
	data := rules.Data{"round": r.Phase.Round, "pending": r.Pending}
	if r.Early != nil {
		data["closes"], data["now"] = r.Early.At, !r.Early.After
	}
	return accepted("ready", data)
}

func (r *Rounds) wait(e rules.Env, no func(string) rules.Ruling) rules.Ruling {
	if !r.IsReady(e.By.Seat) {
		return no("not-ready")
	}
	delete(r.Ready, e.By.Seat)
	r.reckon(e)
	return accepted("wait", rules.Data{"round": r.Phase.Round})
}

// close lets the phase close when the letter that says so has been read to its end. One that waits for nobody and for no
// instant closes by what the GM does in it.
func (r *Rounds) close(e rules.Env, no func(string) rules.Ruling) rules.Ruling {
	switch {
	case r.Held():
		return no("held")
	case r.Deadline == nil && len(r.Phase.Awaits) == 0:
		return no("no-close")
	}
	r.Early = &Early{e.At.UTC(), ByGM, false}
	return accepted("close", rules.Data{"round": r.Phase.Round})
}

func (r *Rounds) setDeadline(c rules.Control, e rules.Env, ids rules.EngineIDs) ([]rules.Event, rules.Ruling) {
	switch {
	case r.Held():
		return nil, rules.Refuse(ids.Nothing, "held", nil)
	case r.Deadline == nil:
		return nil, rules.Refuse(ids.Nothing, "no-deadline", nil)
	}
	at := c.At.UTC()
	if c.At.IsZero() {
		at = r.Deadline.Add(c.By)
	}
	if at.Before(e.At) {
		return nil, rules.Refuse(ids.Past, "past", rules.Data{"deadline": at})
	}
	r.Deadline, r.Set = &at, e.At.UTC()
	return []rules.Event{{Type: "deadline-set", To: r.everybody(), Data: rules.Data{"deadline": at, "round": r.Phase.Round}}}, rules.Accept("")
}

// cancel takes back one's own order of a number, or all of them.
func (r *Rounds) cancel(n int, e rules.Env, ids rules.EngineIDs) rules.Ruling {
	var gone []int
	r.Orders = slices.DeleteFunc(r.Orders, func(o Order) bool {
		mine := o.Seat == e.By.Seat && (n == 0 || o.N == n)
		if mine {
			gone = append(gone, o.N)
		}
		return mine
	})
	switch {
	case gone == nil && n == 0:
		return rules.Refuse(ids.Nothing, "no-orders", nil)
	case gone == nil:
		return rules.Refuse(ids.Nothing, "no-order", rules.Data{"n": n})
	}
	data := rules.Data{"orders": gone, "round": r.Phase.Round}
	if r.stillReady(e.By.Seat, e) {
		data["ready"] = true
	}
	return accepted("cancel", data)
}

// shift ends a hold: what falls due moves by its length, or since the phase was reopened in it. A phase that was held
// because too many were missing closes at once, unless the GM gives it more time in the same letter.
func (r *Rounds) shift(by time.Duration, e rules.Env) {
	if r.HeldSince != nil {
		by = min(by, e.At.Sub(*r.HeldSince))
	}
	r.HeldSince = nil
	if r.Early != nil {
		r.Early.At = r.Early.At.Add(by)
	}
	if r.Deadline != nil {
		r.Deadline = new(r.Deadline.Add(by))
	}
}

// accepted accepts an order of the engine's under the engine's id, and says what became of it.
func accepted(why string, data rules.Data) rules.Ruling {
	return rules.Ruling{Verdict: orders.Accepted, Why: why, Data: data}
}
