package rules

import (
	"slices"
	"time"

	"arroba/orders"
)

// Calendar is how a game keeps time. What is zero or nil was not said.
type Calendar struct {
	Days         []time.Weekday  `json:"days,omitempty"`          // on which deadlines fall; nil: on every day
	At           *Clock          `json:"at,omitempty"`            // the wall-clock time of deadlines, in the game's zone
	Least        time.Duration   `json:"least,omitempty"`         // a round lasts at least so long after the one before was resolved
	Grace        time.Duration   `json:"grace,omitempty"`         // how long a source may stay unread past a deadline before the game is held
	ReadyDelay   time.Duration   `json:"ready_delay,omitempty"`   // from the last READY to the early closing: time to change one's mind
	MaxMissing   *int            `json:"max_missing,omitempty"`   // more players than these without orders hold the round
	Remind       []time.Duration `json:"remind,omitempty"`        // before a deadline
	VacationDays *int            `json:"vacation_days,omitempty"` // in a calendar year, without the GM's approval
}

// Clock is a wall-clock time.
type Clock struct {
	Hour   int `json:"hour"`
	Minute int `json:"minute"`
}

// Over returns the calendar with what it leaves out taken from another.
func (c Calendar) Over(d Calendar) Calendar {
	if c.Days == nil {
		c.Days = d.Days
	}
	if c.At == nil {
		c.At = d.At
	}
	if c.Least == 0 {
		c.Least = d.Least
	}
	if c.Grace == 0 {
		c.Grace = d.Grace
	}
	if c.ReadyDelay == 0 {
		c.ReadyDelay = d.ReadyDelay
	}
	if c.MaxMissing == nil {
		c.MaxMissing = d.MaxMissing
	}
	if c.Remind == nil {
		c.Remind = d.Remind
	}
	if c.VacationDays == nil {
		c.VacationDays = d.VacationDays
	}
	return c
}

// Says tells whether the calendar says when deadlines fall. Where it does not, a ruleset gives its phases a length.
func (c Calendar) Says() bool { return c.At != nil }

// Next returns the first instant of a calendar that says when deadlines fall, in a zone, that is later than an instant,
// and not less than Least after it. The wall clock counts across changes of the clocks: an instant that they skip is
// read by the offset before the change, one that they repeat is the later.
func (c Calendar) Next(after time.Time, zone *time.Location) time.Time {
	soonest := after.Add(c.Least)
	year, month, first := soonest.In(zone).AddDate(0, 0, -1).Date()
	for n := 0; ; n++ {
		day := time.Date(year, month, first+n, 0, 0, 0, 0, time.UTC)
		if len(c.Days) > 0 && !slices.Contains(c.Days, day.Weekday()) {
			continue
		}
		wall := orders.Date{Year: day.Year(), Month: int(day.Month()), Day: day.Day(), Hour: c.At.Hour, Min: c.At.Minute, HasTime: true}
		if at := wall.In(zone, time.Time{}).UTC(); at.After(after) && !at.Before(soonest) {
			return at
		}
	}
}
