package turns

import (
	"testing"
	"time"
)

func TestNextRegister(t *testing.T) {
	london, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, after, want string
		zone              *time.Location
	}{
		{"in the middle of a month", "2026-01-15T12:00:00Z", "2026-02-01T07:00:00Z", time.UTC},
		{"early on the first", "2026-02-01T06:59:59Z", "2026-02-01T07:00:00Z", time.UTC},
		{"at the hour itself", "2026-02-01T07:00:00Z", "2026-03-01T07:00:00Z", time.UTC},
		{"at the end of a long month", "2026-01-31T23:00:00Z", "2026-02-01T07:00:00Z", time.UTC},
		{"over the end of a year", "2026-12-02T00:00:00Z", "2027-01-01T07:00:00Z", time.UTC},
		{"by the game's clock", "2026-06-30T23:30:00Z", "2026-07-01T06:00:00Z", london},
	} {
		after, err := time.Parse(time.RFC3339, c.after)
		if err != nil {
			t.Fatal(err)
		}
		if got := nextRegister(after, c.zone).UTC().Format(time.RFC3339); got != c.want {
			t.Errorf("%s: after %s it is %s, not %s", c.name, c.after, got, c.want)
		}
	}
}
