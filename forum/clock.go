package forum

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// date reads the dates of a page's posts, all of them by the same rule.
func (r *reader) date(p *Page, texts []string) {
	d := dating{at: r.at, zone: r.view.Zone, usual: r.theme.dates, lang: r.lang()}
	clock := plainDate(r.text(r.doc.Selection, r.theme.clock))
	now := r.at
	if i := machineDate(r.text(r.doc.Selection, r.theme.now)); !i.IsZero() {
		now = i.At
	}
	dates := make([]date, len(texts))
	for i, text := range texts {
		dates[i] = written(text)
	}
	d.order = d.orderOf(p.Posts, dates, clock, now)
	if set := orderNamed(r.view.Dates); set != undecided {
		if d.order != undecided && d.order != set {
			p.Problems = append(p.Problems, fmt.Sprintf("its dates are not %s, as the config has it: set the order in which the board shows day and month", r.view.Dates))
		}
		d.order = set
	}
	offset, known := d.offset(clock, now)
	if known {
		p.Zone = time.FixedZone("UTC"+hours(offset), int(offset/time.Second))
	}
	if d.zone == nil {
		d.zone = cmp.Or(p.Zone, time.UTC)
	} else if _, own := now.In(d.zone).Zone(); known && own != int(offset/time.Second) {
		d.other = p.Zone
		p.Problems = append(p.Problems, fmt.Sprintf("its clock is %s off UTC, and that of %s is %s: set the zone in which the board shows times", hours(offset), d.zone, hours(time.Duration(own)*time.Second)))
	}
	for i, text := range texts {
		post := &p.Posts[i]
		post.Posted = d.read(dates[i])
		switch {
		case d.ahead(post.Posted):
			p.Problems = append(p.Problems, fmt.Sprintf("post %s: its date %q is ahead of the page's own: is it of another zone?", post.ID, fold(text)))
			post.Posted = Instant{}
		case post.Posted.IsZero() && !post.Posted.Early.IsZero():
			p.Problems = append(p.Problems, fmt.Sprintf("post %s: of its date %q it cannot be told which is the day and which the month", post.ID, fold(text)))
		case post.Posted.IsZero():
			p.Problems = append(p.Problems, fmt.Sprintf("post %s: its date %q cannot be read", post.ID, fold(text)))
		}
	}
}

func hours(d time.Duration) string {
	sign := "+"
	if d < 0 {
		sign, d = "-", -d
	}
	return fmt.Sprintf("%s%d:%02d", sign, d/time.Hour, d%time.Hour/time.Minute)
}

// lang is the language that a page says it is in.
func (r *reader) lang() string {
	for n := range r.doc.Get(0).ChildNodes() {
		if lang := attribute(n, "lang"); lang != "" {
			lang, _, _ = strings.Cut(strings.ToLower(lang), "-")
			return lang
		}
	}
	return ""
}

// orderOf tells what a page makes certain about the order of day and month: the other one would have days that are none,
// posts of the future, a clock of another day, or posts that grow older as their ids grow.
func (d dating) orderOf(posts []Post, dates []date, clock string, now time.Time) order {
	if !slices.ContainsFunc(dates, date.ofDigits) {
		return undecided
	}
	if d.zone == nil {
		d.zone = time.UTC
	}
	fits := func(o order) bool {
		d := d
		d.order = o
		if st, _ := d.stamp(clock); len(st.days) == 0 && written(clock).ofDigits() || len(st.days) > 0 && !now.IsZero() && now.Sub(st.days[0].Add(st.clock)).Abs() > 15*time.Hour {
			return false
		}
		for _, w := range dates {
			if i := d.read(w); i.IsZero() && w.ofDigits() || !d.at.IsZero() && i.Early.After(d.at.Add(day)) {
				return false
			}
		}
		return true
	}
	grows := func(o order) bool {
		d := d
		d.order = o
		list := slices.Clone(posts)
		for i, w := range dates {
			list[i].Posted = d.read(w)
		}
		return len(list) > 2 && len(disorder(list)) == 0
	}
	for _, tells := range []func(order) bool{fits, grows} {
		switch month, dom := tells(monthFirst), tells(dayFirst); {
		case month && !dom:
			return monthFirst
		case dom && !month:
			return dayFirst
		}
	}
	return undecided
}

// ofDigits tells whether a date is of digits, with the year last.
func (w date) ofDigits() bool {
	m := digitDate.FindStringSubmatch(w.text)
	return m != nil && len(m[1]) < 3 && m[2] == m[4]
}

// disorder returns the ids of posts that are older than one with a smaller id.
func disorder(posts []Post) (ids []string) {
	list := slices.DeleteFunc(slices.Clone(posts), func(p Post) bool { return p.Posted.IsZero() || number(p.ID, -1) < 0 })
	slices.SortStableFunc(list, func(a, b Post) int { return number(a.ID, 0) - number(b.ID, 0) })
	var latest time.Time
	for _, p := range list {
		if p.Posted.Late.Before(latest) {
			ids = append(ids, p.ID)
		}
		if p.Posted.Early.After(latest) {
			latest = p.Posted.Early
		}
	}
	return ids
}

// stated is what a page says of its zone, in brackets whether it is summer time: "UTC + 1 hour [ DST ]".
var stated = regexp.MustCompile(`(?:utc|gmt)(?:\s*([+-])\s*(\d{1,2})(?::?(\d{2}))?)?(?:\s*\pL+\.?)?(\s*\[\s*\pL)?`)

// offset is that of the board's clock from UTC: by what it shows now, else as the page says.
func (d dating) offset(clock string, now time.Time) (offset time.Duration, known bool) {
	if m := stated.FindStringSubmatch(clock); m != nil {
		known = true
		h, _ := strconv.Atoi(m[2])
		minutes, _ := strconv.Atoi(m[3])
		offset = time.Duration(h)*time.Hour + time.Duration(minutes)*time.Minute
		if m[1] == "-" {
			offset = -offset
		}
		if m[4] != "" {
			offset += time.Hour
		}
		clock = strings.Replace(clock, m[0], " ", 1)
	}
	shown, ok := d.shownOffset(clock, now, offset, known)
	if ok {
		return shown, true
	}
	return offset, known
}

// shownOffset is the offset by what the board's clock shows now, to a quarter of an hour. A clock of hours alone is taken
// for that which is nearest to what is known.
func (d dating) shownOffset(clock string, now time.Time, stated time.Duration, known bool) (time.Duration, bool) {
	st, _ := d.stamp(clock)
	if now.IsZero() || st.span == day || st.span == 0 {
		return 0, false
	}
	now = now.UTC()
	if !known && d.zone != nil {
		_, own := now.In(d.zone).Zone()
		stated = time.Duration(own) * time.Second
	}
	if len(st.days) == 0 {
		today := now.Add(stated).Truncate(day)
		st.days = []time.Time{today.Add(-day), today, today.Add(day)}
	}
	best := time.Duration(1 << 62)
	for _, of := range st.days {
		if off := of.Add(st.clock).Sub(now); (off - stated).Abs() < (best - stated).Abs() {
			best = off
		}
	}
	off := (best + st.span/2).Round(15 * time.Minute)
	return off, off.Abs() <= 14*time.Hour && (best+st.span/2-off).Abs() <= 3*time.Minute
}
