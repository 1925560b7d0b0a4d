package orders

import (
	"strconv"
	"strings"
	"time"
)

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
func (d Date) In(zone *time.Location, like time.Time) time.Time {
	hour, minute, sec := d.Hour, d.Min, d.Sec
	switch {
	case d.HasTime:
	case like.IsZero():
		hour, minute, sec = 23, 59, 59
	default:
		hour, minute, sec = like.In(zone).Clock()
	}
	wall := time.Date(d.Year, time.Month(d.Month), d.Day, hour, minute, sec, 0, time.UTC)
	if d.HasZone {
		return wall.Add(-time.Duration(d.Offset) * time.Second).In(zone)
	}
	return fromWall(wall, zone)
}

// fromWall finds the instant at which the clocks of a zone show what wall shows in UTC. The zone's offsets near that
// instant are those before and after the changes next to it.
func fromWall(wall time.Time, zone *time.Location) time.Time {
	at := func(offset int) time.Time { return wall.Add(-time.Duration(offset) * time.Second).In(zone) }
	offset := func(t time.Time) int { _, o := t.Zone(); return o }
	now := wall.In(zone)
	start, end := now.ZoneBounds()
	offsets := []int{offset(now)}
	if !start.IsZero() {
		offsets = append([]int{offset(start.Add(-time.Second))}, offsets...)
	}
	if !end.IsZero() {
		offsets = append(offsets, offset(end))
	}
	var latest time.Time
	for _, o := range offsets {
		if t := at(o); offset(t) == o && (latest.IsZero() || t.After(latest)) {
			latest = t
		}
	}
	if !latest.IsZero() {
		return latest
	}
	// The clocks skip it. By the offset before the change it lies after the change, by the one after it before.
	for i := 1; i < len(offsets); i++ {
		change := end
		if i == 1 && !start.IsZero() {
			change = start
		}
		if before, after := at(offsets[i-1]), at(offsets[i]); !before.Before(change) && after.Before(change) {
			return before
		}
	}
	return at(offsets[0])
}

// ParseDate reads 2026-03-01, 01.03.2026, either followed by 10:30 or 10:30:00, or RFC 3339.
func ParseDate(s string) (Date, bool) {
	if len(s) < len("2006-01-02") || s[0] < '0' || s[0] > '9' || strings.Contains(s, ",") {
		return Date{}, false
	}
	if t, err := time.Parse(time.RFC3339, strings.ToUpper(s)); err == nil && t.Nanosecond() == 0 {
		_, offset := t.Zone()
		d := dateOf(t)
		d.HasTime, d.HasZone, d.Offset = true, true, offset
		return d, true
	}
	for _, day := range []string{"2006-01-02", "02.01.2006"} {
		if t, err := time.Parse(day, s); err == nil {
			return dateOf(t), true
		}
		for _, clock := range []string{" 15:04", " 15:04:05"} {
			if t, err := time.Parse(day+clock, s); err == nil && t.Nanosecond() == 0 {
				d := dateOf(t)
				d.HasTime = true
				return d, true
			}
		}
	}
	return Date{}, false
}

func dateOf(t time.Time) Date {
	return Date{Year: t.Year(), Month: int(t.Month()), Day: t.Day(), Hour: t.Hour(), Min: t.Minute(), Sec: t.Second()}
}

// ParseDuration reads 90m, 36h or 2d.
func ParseDuration(s string) (time.Duration, bool) {
	if s == "" {
		return 0, false
	}
	unit := time.Minute
	switch s[len(s)-1] {
	case 'm', 'M':
	case 'h', 'H':
		unit = time.Hour
	case 'd', 'D':
		unit = 24 * time.Hour
	default:
		return 0, false
	}
	n, err := strconv.ParseUint(s[:len(s)-1], 10, 63)
	if err != nil || n > uint64((1<<63-1)/int64(unit)) {
		return 0, false
	}
	return time.Duration(n) * unit, true
}
