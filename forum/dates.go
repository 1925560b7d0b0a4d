package forum

import (
	"strings"
	"time"
)

// dating is what the dates of a page are read by.
type dating struct {
	at    time.Time // the answer's Date: today, and now
	zone  *time.Location
	order order
}

func (r *reader) dates() dating {
	zone := r.view.Zone
	if zone == nil {
		zone = time.UTC
	}
	return dating{r.at, zone, r.theme.dates}
}

// readDate reads what a board writes for an instant, the zero Instant when it cannot be told.
func readDate(s string, d dating) Instant {
	if t, err := time.Parse(time.RFC3339, strings.TrimSpace(s)); err == nil {
		return exactly(t)
	}
	return Instant{}
}
