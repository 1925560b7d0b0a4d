package orders

import (
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"
)

func TestParseDate(t *testing.T) {
	for _, c := range []struct {
		text string
		want Date
	}{
		{"2026-03-01", Date{Year: 2026, Month: 3, Day: 1}},
		{"01.03.2026", Date{Year: 2026, Month: 3, Day: 1}},
		{"29.02.2024", Date{Year: 2024, Month: 2, Day: 29}},
		{"2026-03-01 10:30", Date{Year: 2026, Month: 3, Day: 1, Hour: 10, Min: 30, HasTime: true}},
		{"01.03.2026 10:30:05", Date{Year: 2026, Month: 3, Day: 1, Hour: 10, Min: 30, Sec: 5, HasTime: true}},
		{"2026-03-01 00:00", Date{Year: 2026, Month: 3, Day: 1, HasTime: true}},
		{"2026-03-01T10:30:00Z", Date{Year: 2026, Month: 3, Day: 1, Hour: 10, Min: 30, HasTime: true, HasZone: true}},
		{"2026-03-01t10:30:00z", Date{Year: 2026, Month: 3, Day: 1, Hour: 10, Min: 30, HasTime: true, HasZone: true}},
		{"2026-03-01T10:30:00-05:30", Date{Year: 2026, Month: 3, Day: 1, Hour: 10, Min: 30, HasTime: true, HasZone: true, Offset: -19800}},
	} {
		if got, ok := ParseDate(c.text); !ok || got != c.want {
			t.Errorf("ParseDate(%q) = %+v, %v", c.text, got, ok)
		}
	}
	for _, text := range []string{"", "today", "2026-02-30", "31.04.2026", "29.02.2026", "2026-3-1", "1.3.2026", "2026-03-01 25:00", "2026-03-01 10:60",
		"2026-03-01T10:30:00.5Z", "2026-03-01 10:30:00.5", "2026-03-01 10:30:00,5", "2026-03-01T10:30", "2026/03/01", "03-01-2026", "+2026-03-01"} {
		if got, ok := ParseDate(text); ok {
			t.Errorf("ParseDate(%q) = %+v, want none", text, got)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{"90m": 90 * time.Minute, "36h": 36 * time.Hour, "2d": 48 * time.Hour, "0h": 0, "2D": 48 * time.Hour} {
		if got, ok := ParseDuration(text); !ok || got != want {
			t.Errorf("ParseDuration(%q) = %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "m", "5", "-5h", "+5h", "1.5h", "5s", "5 h", "1d12h", "99999999999999999999m", "106752d"} {
		if got, ok := ParseDuration(text); ok {
			t.Errorf("ParseDuration(%q) = %v, want none", text, got)
		}
	}
}

func zone(t testing.TB, name string) *time.Location {
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestDateIn(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	like := time.Date(2025, 7, 1, 16, 15, 10, 0, time.UTC) // 18:15:10 in Berlin
	for _, c := range []struct {
		text string
		like time.Time
		want string
	}{
		{"2026-01-10 12:00", like, "2026-01-10T11:00:00Z"},
		{"2026-01-10", like, "2026-01-10T17:15:10Z"},
		{"2026-01-10", time.Time{}, "2026-01-10T22:59:59Z"},
		{"2026-01-10T12:00:00+09:00", like, "2026-01-10T03:00:00Z"},
		{"2026-03-29 02:30", like, "2026-03-29T01:30:00Z"}, // skipped
		{"2026-03-29 02:00", like, "2026-03-29T01:00:00Z"},
		{"2026-03-29 03:00", like, "2026-03-29T01:00:00Z"},
		{"2026-10-25 02:30", like, "2026-10-25T01:30:00Z"}, // repeated
		{"2026-10-25 01:59", like, "2026-10-24T23:59:00Z"},
		{"2026-10-25 03:00", like, "2026-10-25T02:00:00Z"},
	} {
		d, ok := ParseDate(c.text)
		if !ok {
			t.Fatalf("ParseDate(%q) failed", c.text)
		}
		if got := d.In(berlin, c.like).UTC().Format(time.RFC3339); got != c.want {
			t.Errorf("%s means %s, want %s", c.text, got, c.want)
		}
	}
}

// TestDateInAnyZone compares with a search of all instants that a zone's clocks may mean.
func TestDateInAnyZone(t *testing.T) {
	names := []string{"UTC", "Europe/Moscow", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu", "Africa/Casablanca", "Antarctica/Troll"}
	rapid.Check(t, func(t *rapid.T) {
		z, err := time.LoadLocation(rapid.SampledFrom(names).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		near := time.Unix(rapid.Int64Range(1_000_000_000, 2_000_000_000).Draw(t, "near"), 0).In(z)
		if _, change := near.ZoneBounds(); !change.IsZero() && rapid.Bool().Draw(t, "at a change") {
			near = change.Add(time.Duration(rapid.IntRange(-200, 200).Draw(t, "minutes")) * time.Minute)
		}
		near = near.Truncate(time.Minute).UTC()
		d := Date{Year: near.Year(), Month: int(near.Month()), Day: near.Day(), Hour: near.Hour(), Min: near.Minute(), HasTime: true}
		wall := time.Date(d.Year, time.Month(d.Month), d.Day, d.Hour, d.Min, 0, 0, time.UTC)
		shows := func(u time.Time) time.Time {
			l := u.In(z)
			return time.Date(l.Year(), l.Month(), l.Day(), l.Hour(), l.Minute(), l.Second(), 0, time.UTC)
		}
		var want time.Time
		before := 0
		for u := wall.Add(-28 * time.Hour); u.Before(wall.Add(28 * time.Hour)); u = u.Add(time.Minute) {
			if s := shows(u); s.Equal(wall) {
				want = u
			} else if s.Before(wall) && want.IsZero() {
				_, before = u.In(z).Zone()
			}
		}
		if want.IsZero() {
			want = wall.Add(-time.Duration(before) * time.Second)
		}
		if got := d.In(z, time.Time{}); !got.Equal(want) {
			t.Fatalf("%v in %v is %v, want %v", wall, z, got.UTC(), want)
		}
	})
}
