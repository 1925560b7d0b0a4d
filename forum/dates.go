package forum

import (
	"fmt"
	"strings"
	"time"
)

// dating is what the dates of a page are read by.
type dating struct {
	at    time.Time      // the answer's Date: today, and now
	zone  *time.Location // in which the board shows times
	order order          // of day and month in dates of digits
}

// date reads the dates of a page's posts, all of them by the same rule.
func (r *reader) date(p *Page, texts []string) {
	zone := r.view.Zone
	if zone == nil {
		zone = time.UTC
	}
	d := dating{at: r.at, zone: zone, order: r.theme.dates}
	for i, text := range texts {
		post := &p.Posts[i]
		if post.Posted = readDate(text, d); post.Posted.IsZero() {
			p.Problems = append(p.Problems, fmt.Sprintf("post %s: its date %q cannot be read", post.ID, fold(text)))
		}
	}
}

// readDate reads what a board writes for an instant, the zero Instant when it cannot be told.
func readDate(s string, d dating) Instant {
	if t, err := time.Parse(time.RFC3339, strings.TrimSpace(s)); err == nil {
		return exactly(t)
	}
	return Instant{}
}
