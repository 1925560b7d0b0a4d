package turns

import (
	"slices"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// span is a stretch of time.
type span struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
}

// vacationOf is when a vacation is: its days are whole ones, by the game's clock, where no time of day was written.
func vacationOf(o orders.Order, zone *time.Location) span {
	from, until := *o.Arg("from").Date, *o.Arg("until").Date
	from.HasTime = true // 00:00:00 when it was not written
	return span{from.In(zone, time.Time{}), until.In(zone, time.Time{})}
}

// vacationAllowed refuses a vacation that is none, and one that is longer than the game allows, unless the GM grants it
// by giving the order for the member. The GM is sent the lines that do.
func (c *cause) vacationAllowed(m *Member, o *orders.Order, env rules.Env) *rules.Ruling {
	v := vacationOf(*o, env.Zone)
	switch {
	case !v.Until.After(v.From):
		return refused("E-VACATION", "order")
	case !v.Until.After(env.At):
		return refused("E-VACATION", "past")
	case m.Role == rules.GM || env.By.GM != "":
		return nil
	}
	most := c.g.Settings.Calendar.VacationDays
	if most == nil {
		return nil
	}
	year, left, enough := m.daysLeft(v, env, *most)
	if enough {
		return nil
	}
	g, w := c.g, c.w
	data := map[string]any{"nick": m.Nick, "from": v.From, "to": v.Until, "line": o.Line, "year": year, "left": left, "most": *most}
	c.after = append(c.after, func() error {
		w.tellGMs(g, "vacation-asked", data)
		return nil
	})
	ru := rules.Refuse("E-VACATION", "days", rules.Data{"most": *most, "year": year, "left": left, "nick": m.Nick})
	return &ru
}

// daysLeft tells whether a member may be away for as long as he asks. If not, it says in which calendar year it would be
// too long, and how many days of that year he has left.
func (m *Member) daysLeft(v span, env rules.Env, most int) (year, left int, enough bool) {
	past := m.vacationsUntil(env.At)
	taken, both := daysAway(env.Zone, past), daysAway(env.Zone, append(past, v))
	for year := v.From.In(env.Zone).Year(); year <= v.Until.In(env.Zone).Year() && both[year] > 0; year++ {
		if both[year] > most && both[year] > taken[year] {
			return year, max(most-taken[year], 0), false
		}
	}
	return 0, 0, true
}

// vacationsUntil are the vacations that a member took, with the last one as if it ended at an instant: a later one
// replaces it.
func (m *Member) vacationsUntil(at time.Time) []span {
	list := slices.Clone(m.taken)
	last := span{m.AwayFrom, m.AwayUntil}
	if last.Until.After(at) {
		last.Until = at
	}
	if last.Until.After(last.From) {
		list = append(list, last)
	}
	return list
}

// daysAway counts the days of vacations by calendar year, a day of several of them once. Of a very long one the first
// years tell enough.
func daysAway(zone *time.Location, list []span) map[int]int {
	days := map[string]bool{}
	years := map[int]int{}
	for _, s := range list {
		y, m, d := s.From.In(zone).Date()
		for day, end := time.Date(y, m, d, 0, 0, 0, 0, time.UTC), s.From.AddDate(3, 0, 0); ; day = day.AddDate(0, 0, 1) {
			begin := orders.Date{Year: day.Year(), Month: int(day.Month()), Day: day.Day(), HasTime: true}.In(zone, time.Time{})
			if !begin.Before(s.Until) || begin.After(end) {
				break
			}
			if key := day.Format(time.DateOnly); !days[key] {
				days[key] = true
				years[day.Year()]++
			}
		}
	}
	return years
}

// vacation keeps when a member is away.
func (c *cause) vacation(m *Member, o *orders.Order) {
	own, v := c.g.seat(m.Seat), vacationOf(*o, c.g.Zone)
	own.taken = own.vacationsUntil(c.letter.entry.Arrived)
	own.AwayFrom, own.AwayUntil = v.From, v.Until
	c.changed = append(c.changed, own.Seat)
}

// away is a vacation as an event.
func away(o orders.Order, env rules.Env) []rules.Event {
	v := vacationOf(o, env.Zone)
	return []rules.Event{{Type: "vacation", Rule: "E-VACATION", To: rules.Audience{GM: true, Members: []rules.Seat{env.By.Seat}},
		Data: rules.Data{"member": string(env.By.Seat), "from": v.From.UTC(), "to": v.Until.UTC()}}}
}
