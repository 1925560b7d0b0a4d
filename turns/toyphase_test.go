package turns

import (
	"slices"
	"time"

	"arroba/rules"
)

// toyPhase is a phase of the toy, with a deadline after which the next one begins.
type toyPhase struct {
	N      int
	Began  time.Time
	Set    time.Time // when the deadline was
	Length time.Duration
	Ready  []rules.Seat
}

const toyOver = 1_000_000

func (s *toy) add(d rules.Due) {
	s.Timers = append(s.Timers, d)
	slices.SortStableFunc(s.Timers, func(a, b rules.Due) int {
		if !a.At.Equal(b.At) {
			return a.At.Compare(b.At)
		}
		return map[bool]int{true: 1}[a.After] - map[bool]int{true: 1}[b.After]
	})
}

func (s *toy) deadline() *rules.Due {
	i := slices.IndexFunc(s.Timers, func(d rules.Due) bool { return d.Kind == "phase" })
	if i < 0 {
		return nil
	}
	return &s.Timers[i]
}

// close ends the phase and begins the next one, which is never over before anybody could write.
func (s *toy) close(by string, e rules.Env) []rules.Event {
	s.Timers = slices.DeleteFunc(s.Timers, func(d rules.Due) bool { return d.Kind == "phase" })
	ev := rules.Event{Type: "closed", Rule: "T-10", To: rules.Audience{Tavern: true, GM: true},
		Data: rules.Data{"n": s.Phase.N, "by": by, "ready": append([]rules.Seat{}, s.Phase.Ready...), "now": e.Now}}
	s.Phase.N++
	s.Phase.Began, s.Phase.Set, s.Phase.Ready = e.At, e.Now, nil
	next := e.At.Add(s.Phase.Length)
	for !next.After(e.Now) {
		next = next.Add(s.Phase.Length)
	}
	s.add(rules.Due{At: next, Kind: "phase", After: true})
	return []rules.Event{ev}
}

func toyFire(s *toy, d rules.Due, e rules.Env) (*toy, []rules.Event) {
	switch d.Kind {
	case "fuse":
		panic("the fuse burnt down")
	case "phase":
		return s, s.close("deadline", e)
	}
	s.Timers = s.Timers[1:]
	if d.Kind == "snare" {
		s.Held = true
		return s, []rules.Event{{Type: rules.Held, Rule: "T-11", To: rules.Audience{Tavern: true, GM: true}, Data: rules.Data{"reason": "a snare"}}}
	}
	return s, []rules.Event{{Type: "rang", Rule: "T-4", To: rules.Audience{Tavern: true, GM: true}, Data: rules.Data{"id": d.ID}}}
}

func toyControl(s *toy, c rules.Control, e rules.Env) (*toy, []rules.Event, rules.Ruling) {
	phase := s.deadline()
	switch c.Kind {
	case rules.Hold:
		s.Held = true
		return s, nil, rules.Accept("")
	case rules.Shift:
		s.Held = false
		for i := range s.Timers {
			s.Timers[i].At = s.Timers[i].At.Add(c.By)
		}
		return s, nil, rules.Accept("")
	case rules.Reopen:
		return s, nil, rules.Accept("")
	}
	if phase == nil || c.Sent.Before(s.Phase.Began) {
		return s, nil, rules.Refuse("T-9", "", nil)
	}
	switch c.Kind {
	case rules.Ready:
		s.Phase.Ready = append(s.Phase.Ready, e.By.Seat)
		return s, nil, rules.Accept("T-12")
	case rules.Close:
		return s, s.close("gm", e), rules.Accept("")
	case rules.SetDeadline:
		if phase.At = phase.At.Add(c.By); !c.At.IsZero() {
			phase.At = c.At
		}
		at := phase.At
		s.Phase.Set = e.At
		slices.SortStableFunc(s.Timers, func(a, b rules.Due) int { return a.At.Compare(b.At) })
		return s, []rules.Event{{Type: "deadline-set", To: rules.Audience{Tavern: true, GM: true, Copies: true}, Data: rules.Data{"deadline": at}}}, rules.Accept("")
	}
	return s, nil, rules.Refuse("T-9", "", nil)
}

func toyWaits(s *toy, _ rules.Viewer) []rules.Deadline {
	if s.deadline() == nil || s.Held {
		return nil
	}
	var waits []rules.Seat
	for _, seat := range []rules.Seat{"Anna", "Boris", "Clara"} {
		if !slices.Contains(s.Phase.Ready, seat) {
			waits = append(waits, seat)
		}
	}
	var list []rules.Deadline
	for _, d := range s.Timers {
		if d.Kind == "phase" || d.Kind == "second" {
			list = append(list, rules.Deadline{At: d.At, Kind: d.Kind, Data: rules.Data{"n": s.Phase.N}, Waits: waits, Set: s.Phase.Set})
		}
	}
	return list
}
