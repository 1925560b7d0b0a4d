package orders

import "time"

// Date is a date as written: without a zone it is the game's, without a time of day it takes that of the thing moved.
type Date struct {
	Year    int  `json:"y"`
	Month   int  `json:"m"`
	Day     int  `json:"d"`
	Hour    int  `json:"h,omitempty"`
	Min     int  `json:"min,omitempty"`
	Sec     int  `json:"s,omitempty"`
	HasTime bool `json:"t,omitempty"`
	HasZone bool `json:"z,omitempty"`
	Offset  int  `json:"o,omitempty"` // seconds east of UTC, with HasZone
}

// In returns the instant the date means in a zone. Without a time of day it takes the wall-clock time of like, and
// 23:59:59 when like is zero. An instant that the clocks skip is read by the offset before the change, one that they
// repeat is the later.
func (d Date) In(zone *time.Location, like time.Time) time.Time { return time.Time{} }

// ParseDate reads 2026-03-01, 01.03.2026, either followed by 10:30 or 10:30:00, or RFC 3339.
func ParseDate(s string) (Date, bool) { return Date{}, false }

// ParseDuration reads 90m, 36h or 2d.
func ParseDuration(s string) (time.Duration, bool) { return 0, false }
