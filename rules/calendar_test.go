package rules

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func zoneOf(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestNext(t *testing.T) {
	at := func(h, m int) *Clock { return &Clock{h, m} }
	for _, c := range []struct {
		name        string
		zone        string
		calendar    Calendar
		after, want string
	}{
		{"every day", "UTC", Calendar{At: at(20, 0)}, "2026-03-01T12:00:00Z", "2026-03-01T20:00:00Z"},
		{"the instant itself is not later", "UTC", Calendar{At: at(20, 0)}, "2026-03-01T20:00:00Z", "2026-03-02T20:00:00Z"},
		{"a week until the next Monday", "UTC", Calendar{Days: []time.Weekday{time.Monday}, At: at(20, 0)}, "2026-03-02T20:00:00Z", "2026-03-09T20:00:00Z"},
		{"the nearer of two days", "UTC", Calendar{Days: []time.Weekday{time.Monday, time.Thursday}, At: at(20, 0)}, "2026-03-02T20:00:01Z", "2026-03-05T20:00:00Z"},
		{"the weekday is the zone's", "Europe/Moscow", Calendar{Days: []time.Weekday{time.Tuesday}, At: at(1, 0)}, "2026-03-02T12:00:00Z", "2026-03-02T22:00:00Z"},
		{"least", "UTC", Calendar{At: at(20, 0), Least: 12 * time.Hour}, "2026-03-01T12:00:00Z", "2026-03-02T20:00:00Z"},
		{"just least", "UTC", Calendar{At: at(20, 0), Least: 24 * time.Hour}, "2026-03-01T20:00:00Z", "2026-03-02T20:00:00Z"},
		{"least beyond a day of the calendar", "UTC", Calendar{Days: []time.Weekday{time.Monday, time.Thursday}, At: at(20, 0), Least: 73 * time.Hour}, "2026-03-02T20:00:00Z", "2026-03-09T20:00:00Z"},
		{"into summer time", "Europe/Madrid", Calendar{At: at(20, 0)}, "2026-03-28T19:00:00Z", "2026-03-29T18:00:00Z"},
		{"out of summer time", "Europe/Madrid", Calendar{At: at(20, 0)}, "2026-10-24T18:00:00Z", "2026-10-25T19:00:00Z"},
		{"skipped: by the offset before", "Europe/Madrid", Calendar{At: at(2, 30)}, "2026-03-28T12:00:00Z", "2026-03-29T01:30:00Z"},
		{"repeated: the later", "Europe/Madrid", Calendar{At: at(2, 30)}, "2026-10-24T12:00:00Z", "2026-10-25T01:30:00Z"},
		{"repeated, asked between the two", "Europe/Madrid", Calendar{At: at(2, 30)}, "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"},
		{"New York, spring", "America/New_York", Calendar{Days: []time.Weekday{time.Sunday}, At: at(2, 0)}, "2026-03-07T12:00:00Z", "2026-03-08T07:00:00Z"},
		{"New York, autumn", "America/New_York", Calendar{Days: []time.Weekday{time.Sunday}, At: at(1, 0)}, "2026-10-31T12:00:00Z", "2026-11-01T06:00:00Z"},
		{"half an hour skipped", "Australia/Lord_Howe", Calendar{At: at(2, 15)}, "2026-10-03T00:00:00Z", "2026-10-03T15:45:00Z"},
		{"half an hour repeated", "Australia/Lord_Howe", Calendar{At: at(1, 45)}, "2026-04-04T00:00:00Z", "2026-04-04T15:15:00Z"},
		{"Moscow stood still in 2014", "Europe/Moscow", Calendar{At: at(1, 30)}, "2014-10-25T12:00:00Z", "2014-10-25T22:30:00Z"},
		{"Moscow has no summer time", "Europe/Moscow", Calendar{At: at(20, 0)}, "2026-03-28T17:00:00Z", "2026-03-29T17:00:00Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			after, err := time.Parse(time.RFC3339, c.after)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.calendar.Next(after, zoneOf(t, c.zone)).Format(time.RFC3339); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// Whenever one asks, the next deadline is later and far enough, stands on the calendar, and none lies before it that
// would do as well.
func TestNextIsTheFirst(t *testing.T) {
	zones := []*time.Location{time.UTC, zoneOf(t, "Europe/Madrid"), zoneOf(t, "America/New_York"), zoneOf(t, "Australia/Lord_Howe"),
		zoneOf(t, "Europe/Moscow"), zoneOf(t, "Pacific/Auckland"), zoneOf(t, "America/Santiago")}
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom(zones).Draw(t, "zone")
		c := Calendar{
			Days:  rapid.SliceOfDistinct(rapid.Custom(func(t *rapid.T) time.Weekday { return time.Weekday(rapid.IntRange(0, 6).Draw(t, "day")) }), rapid.ID).Draw(t, "days"),
			At:    &Clock{rapid.IntRange(0, 23).Draw(t, "hour"), rapid.IntRange(0, 59).Draw(t, "minute")},
			Least: time.Duration(rapid.SampledFrom([]int{0, 0, 1, 24, 100, 500}).Draw(t, "least")) * time.Hour,
		}
		after := time.Unix(begin+rapid.Int64Range(0, 2*366*24*3600).Draw(t, "after"), 0)
		next := c.Next(after, zone)
		if !next.After(after) || next.Before(after.Add(c.Least)) {
			t.Fatalf("%v is not later than %v by %v", next, after, c.Least)
		}
		fits := func(at time.Time) bool {
			local := at.In(zone)
			return local.Hour() == c.At.Hour && local.Minute() == c.At.Minute && local.Second() == 0 &&
				(len(c.Days) == 0 || slices.Contains(c.Days, local.Weekday()))
		}
		skipped := func(at time.Time) bool { // a change of the clocks just before it took the wall-clock time away
			start, _ := at.In(zone).ZoneBounds()
			_, before := start.Add(-time.Second).In(zone).Zone()
			local := at.Add(time.Duration(before) * time.Second).UTC()
			return at.Sub(start) < 2*time.Hour && local.Hour() == c.At.Hour && local.Minute() == c.At.Minute
		}
		if !fits(next) && !skipped(next) {
			t.Fatalf("%v does not stand on %+v", next.In(zone), c)
		}
		first := after.Add(max(c.Least, time.Second)).Truncate(time.Minute)
		for at := first; at.Before(next); at = at.Add(time.Minute) {
			if at.After(after) && !at.Before(after.Add(c.Least)) && fits(at) && !fits(at.Add(time.Hour)) && !fits(at.Add(30*time.Minute)) {
				t.Fatalf("%v stands on %+v before %v", at.In(zone), c, next.In(zone))
			}
		}
	})
}
