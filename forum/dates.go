package forum

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// dating is what the dates of a page are read by.
type dating struct {
	at    time.Time      // the answer's Date: today, and now
	zone  *time.Location // in which the board shows times
	other *time.Location // in which it may show them as well, for the page says so; nil when it agrees
	order order          // of day and month in dates of digits, where it is certain
	usual order          // of this kind of board, where nothing makes it certain
	lang  string         // of the page
}

// stamp is a date as it was understood, before it is an instant.
type stamp struct {
	days  []time.Time // midnight in UTC of the day; of two days the usual one is first, unless open
	open  bool        // which of the two it is cannot be told
	clock time.Duration
	span  time.Duration // of what is shown: a second, a minute, an hour, a day
	zone  *time.Location
}

// readDate reads what a board writes for an instant, the zero Instant when it cannot be told. One without At, but with
// Early and Late, is one of two.
func readDate(s string, d dating) Instant {
	return d.read(written(s))
}

// date is one as it stands on a page, brought into a form that can be read.
type date struct {
	machine Instant // of one that a program wrote; then there is no text
	text    string
}

func written(s string) date {
	if i := machineDate(strings.TrimSpace(s)); !i.IsZero() {
		return date{machine: i}
	}
	return date{text: plainDate(s)}
}

func (d dating) read(w date) Instant {
	if !w.machine.IsZero() {
		return w.machine
	}
	s := w.text
	st, rest := d.stamp(s)
	if len(st.days) > 0 {
		return d.instant(st)
	}
	if d.at.IsZero() || rest == "" {
		return Instant{}
	}
	if i := d.ago(s); !i.IsZero() {
		return i
	}
	if st.days = d.nearDay(rest); len(st.days) > 0 {
		return d.instant(st)
	}
	return Instant{}
}

var machineDates = []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700"}

// machineDate reads what programs write: ISO 8601 with a zone, and Unix seconds or milliseconds.
func machineDate(s string) Instant {
	if len(s) > 4 && s[4] == '-' {
		for _, layout := range machineDates {
			if t, err := time.Parse(layout, s); err == nil && sane(t) {
				return exactly(t)
			}
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil:
		return Instant{}
	case len(s) >= 12:
		n /= 1000
	}
	if t := time.Unix(n, 0); sane(t) {
		return exactly(t)
	}
	return Instant{}
}

// sane tells whether a post of a board may be as old as that.
func sane(t time.Time) bool { return t.Year() >= 1990 && t.Year() < 2100 }

// Signs of years, months and days in Asia.
var (
	afterYear = regexp.MustCompile(`(\d)\s?[年月년월]`)
	afterDay  = regexp.MustCompile(`(\d)\s?[日일]`)
	dashes    = strings.NewReplacer("−", "-", "–", "-")
)

// plainDate brings a date into the form that the rest of this file reads: small letters, plain digits, single blanks.
func plainDate(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.Is(unicode.Nd, r):
			return '0' + digitOf(r)
		}
		return unicode.ToLower(r)
	}, norm.NFC.String(s))
	return fold(afterDay.ReplaceAllString(afterYear.ReplaceAllString(dashes.Replace(s), "$1-"), "$1 "))
}

// digitOf is the value of a decimal digit: they stand in runs of ten from a zero on.
func digitOf(r rune) rune {
	n := rune(0)
	for unicode.Is(unicode.Nd, r-n-1) && n < 9 {
		n++
	}
	return n
}

var (
	digitDate = regexp.MustCompile(`(\d{1,4})\s?([-./])\s?(\d{1,2})\s?([-./])\s?(\d{1,4})`)
	clocks    = []*regexp.Regexp{
		regexp.MustCompile(`(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?`),
		regexp.MustCompile(`(\d{1,2})\s?h\s?(\d{2})()`),
		regexp.MustCompile(`(\d{1,2})\.(\d{2})(?:\.(\d{2}))?`),
		regexp.MustCompile(`(\d{1,2})()()\s?[ap]\.?\s?m\b`),
	}
	zoneName = regexp.MustCompile(`^\s*\(?(?:(?:(?:utc|gmt)\s?)?([+-])(\d{2}):?(\d{2})\b|(?:utc|gmt)\s?([+-])\s?(\d{1,2})\b|(?:utc|gmt|z)\b)`)
	dateWord = regexp.MustCompile(`#?\d+|[\pL\pM]+`)
)

// stamp finds the parts of a date. What of it is no part of a day or a clock is the rest.
func (d dating) stamp(s string) (st stamp, rest string) {
	rest = s
	for _, at := range digitDate.FindAllStringSubmatchIndex(s, -1) {
		part := func(i int) string { return s[at[2*i]:at[2*i+1]] }
		if isolated(s, at[0], at[1]) && part(2) == part(4) {
			if st.days, st.open = d.digits(part(1), part(3), part(5), part(2)); len(st.days) > 0 {
				rest = s[:at[0]] + " " + s[at[1]:]
				break
			}
		}
	}
	st.span = day
	for _, shape := range clocks {
		at := shape.FindStringSubmatchIndex(rest)
		if at == nil || !isolated(rest, at[0], at[1]) {
			continue
		}
		part := func(i int) int {
			if at[2*i] < 0 || at[2*i] == at[2*i+1] {
				return -1
			}
			n, _ := strconv.Atoi(rest[at[2*i]:at[2*i+1]])
			return n
		}
		before, behind := rest[:at[0]], rest[at[1]:]
		if shape == clocks[3] {
			behind = rest[at[3]:]
		}
		var ok bool
		if st.clock, st.span, behind, ok = clockOf(part(1), part(2), part(3), before, behind); !ok {
			return stamp{}, ""
		}
		if m := zoneName.FindStringSubmatch(behind); m != nil {
			st.zone, behind = fixed(m[1]+m[4], m[2]+m[5], m[3]), behind[len(m[0]):]
		}
		rest = before + " " + behind
		break
	}
	if len(st.days) == 0 && !(st.span == day && d.relative(rest)) {
		st.days = d.named(rest)
	}
	return st, rest
}

// isolated tells whether what stands from one place of a text to another is no part of a longer number.
func isolated(s string, from, to int) bool {
	digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	return !digit(from-1) && !digit(to)
}

// clockOf is a time of day; h is of twelve hours when a word before or behind it says so. What is not shown is below 0.
func clockOf(h, m, sec int, before, behind string) (clock, span time.Duration, rest string, ok bool) {
	span = time.Second
	if sec < 0 {
		sec, span = 0, time.Minute
	}
	if m < 0 {
		m, span = 0, time.Hour
	}
	half, late := "", false
	trimmed := strings.TrimLeft(behind, " ")
	for word, second := range halves {
		if strings.HasPrefix(trimmed, word) && !startsWithLetter(trimmed[len(word):]) {
			half, late, behind = word, second, strings.TrimPrefix(trimmed[len(word):], ".")
		}
	}
	for word, second := range halvesBefore {
		if strings.HasSuffix(strings.TrimSpace(before), word) {
			half, late = word, second
		}
	}
	if half != "" && h == 12 {
		h = 0
	}
	if late && h < 12 {
		h += 12
	}
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(sec)*time.Second, span, behind, h < 24 && m < 60 && sec < 60
}

func startsWithLetter(s string) bool {
	for _, r := range s {
		return unicode.IsLetter(r)
	}
	return false
}

// fixed is the zone of an offset from UTC.
func fixed(sign, hours, minutes string) *time.Location {
	h, _ := strconv.Atoi(hours)
	m, _ := strconv.Atoi(minutes)
	offset := h*3600 + m*60
	if sign == "-" {
		offset = -offset
	}
	if offset == 0 {
		return time.UTC
	}
	return time.FixedZone("", offset)
}

// digits is a date of three numbers. It is two days when the numbers leave it open which of them is the month; open tells
// that the usual order of the board does not say so either.
func (d dating) digits(a, b, c, sign string) (days []time.Time, open bool) {
	x, _ := strconv.Atoi(a)
	y, _ := strconv.Atoi(b)
	z, _ := strconv.Atoi(c)
	if len(a) == 4 || x > 31 {
		if days = dayOf(x, y, z); days == nil {
			days = dayOf(x, z, y)
		}
		return days, false
	}
	if len(c) != 4 && len(c) != 2 || len(c) == 2 && sign == "-" && d.order == undecided && d.usual == undecided {
		return nil, false
	}
	month, dom := dayOf(z, x, y), dayOf(z, y, x)
	switch {
	case d.order == monthFirst:
		return month, false
	case d.order == dayFirst, month == nil, sign == "." && dom != nil:
		return dom, false
	case dom == nil, month[0].Equal(dom[0]):
		return month, false
	case d.usual == dayFirst:
		return append(dom, month...), false
	}
	return append(month, dom...), d.usual == undecided
}

// dayOf is a day, nil when there is none. Years of two digits are of this century.
func dayOf(year, month, dom int) []time.Time {
	if year < 100 {
		year += 2000
	}
	t := time.Date(year, time.Month(month), dom, 0, 0, 0, 0, time.UTC)
	if !sane(t) || t.Day() != dom || int(t.Month()) != month {
		return nil
	}
	return []time.Time{t}
}

// between are words that stand between day, month and year.
var between = strings.Fields("de del of the th st nd rd d den er ta a o")

// named is a date whose month has a name.
func (d dating) named(s string) []time.Time {
	all := slices.DeleteFunc(dateWord.FindAllString(s, -1), func(w string) bool { return w[0] == '#' || slices.Contains(between, w) })
	month, at := d.monthIn(all)
	if month == 0 {
		return nil
	}
	num := func(i, digits int) int {
		if i < 0 || i >= len(all) || len(all[i]) > digits {
			return 0
		}
		n, _ := strconv.Atoi(all[i])
		return n
	}
	year, dom := 0, num(at-1, 2)
	for i := range all {
		if n := num(i, 4); len(all[i]) == 4 && n > 0 {
			year = n
			break
		}
	}
	next := at + 1
	if dom == 0 {
		dom, next = num(at+1, 2), at+2
	}
	if year == 0 {
		year = num(next, 2)
	}
	if year > 0 {
		return dayOf(year, int(month), dom)
	}
	return d.lately(month, dom)
}

// monthIn finds the one month that words name, and where. What names a day of the week as well (mar, in France) counts
// only when nothing else names a month.
func (d dating) monthIn(all []string) (found time.Month, at int) {
	weak := false
	for i, w := range all {
		m := names().monthOf(w, d.lang)
		if m == 0 || w[0] <= '9' {
			continue
		}
		isDay := names().dayish[w]
		switch {
		case found == 0, weak && !isDay:
			found, at, weak = m, i, isDay
		case isDay && !weak:
		case m != found:
			return 0, 0
		case isDay:
			at = i
		}
	}
	return found, at
}

// lately is the last such day, of a board that leaves out the year of days that are near.
func (d dating) lately(month time.Month, dom int) []time.Time {
	if d.at.IsZero() {
		return nil
	}
	year := d.at.In(d.zone).Year()
	days := dayOf(year, int(month), dom)
	if days == nil || days[0].After(d.at.Add(day)) {
		days = dayOf(year-1, int(month), dom)
	}
	return days
}

// nearDay is a day that is named by how far it is from today, or the last one of a day of the week.
func (d dating) nearDay(s string) []time.Time {
	y, m, dom := d.at.In(d.zone).Date()
	today := time.Date(y, m, dom, 0, 0, 0, 0, time.UTC)
	if phrase := longest(s, nearDays); phrase != "" {
		return []time.Time{today.AddDate(0, 0, nearDays[phrase])}
	}
	for _, w := range dateWord.FindAllString(s, -1) {
		if weekday, ok := names().days[w]; ok && weekday != today.Weekday() {
			return []time.Time{today.AddDate(0, 0, -int(today.Weekday()-weekday+7)%7)}
		}
	}
	return nil
}

// relative tells whether a text says how long ago something was.
func (d dating) relative(s string) bool {
	return hasAny(s, justNow) || hasAny(s, agoWords) && slices.ContainsFunc(dateWord.FindAllString(s, -1), func(w string) bool { return unitOf(w) > 0 })
}

// ago is an instant that is told by how long ago it was. Boards cut or round what they tell.
func (d dating) ago(s string) Instant {
	if hasAny(s, justNow) {
		return d.before(0, time.Minute)
	}
	if !d.relative(s) {
		return Instant{}
	}
	sum, smallest, n := time.Duration(0), time.Duration(0), time.Duration(-1)
	for _, w := range dateWord.FindAllString(s, -1) {
		if i, err := strconv.Atoi(w); err == nil && i < 1000 {
			n = time.Duration(i)
			continue
		}
		unit := unitOf(w)
		if unit == 0 {
			continue
		}
		if strings.HasPrefix(w, "годин") && hasPhrase(s, "преди") { // a year in Bulgaria, an hour in Ukraine
			return Instant{}
		}
		if n < 0 {
			n = 1
		}
		sum, smallest, n = sum+n*unit, unit, -1
	}
	if hasAny(s, lessWords) {
		return d.before(0, sum)
	}
	return d.before(sum, smallest)
}

func (d dating) before(ago, unit time.Duration) Instant {
	t := d.at.UTC().Truncate(time.Second).Add(-ago)
	late := t.Add(min(ago, unit) / 2)
	return Instant{At: t, Early: t.Add(-unit), Late: late}
}

// instant is when a stamp was, in the zone that it is of. Of two days one that is still to come is ruled out.
func (d dating) instant(st stamp) Instant {
	zones := []*time.Location{d.zone, d.other}
	if st.zone != nil {
		zones = []*time.Location{st.zone}
	}
	var all []Instant
	days := 0
	for _, of := range st.days {
		var shown []Instant
		for _, zone := range zones {
			if zone != nil {
				shown = append(shown, moments(of, st.clock, st.span, zone)...)
			}
		}
		if len(shown) > 0 && (len(st.days) == 1 || !d.ahead(shown[0])) {
			all = append(all, shown...)
			days++
		}
	}
	if len(all) == 0 {
		return Instant{}
	}
	i := all[0]
	for _, other := range all[1:] {
		if other.Early.Before(i.Early) {
			i.Early = other.Early
		}
		if other.Late.After(i.Late) {
			i.Late = other.Late
		}
	}
	if st.open && days > 1 {
		i.At = time.Time{}
	}
	return i
}

// skew is how far a board's clock may be ahead of the Date of its answers.
const skew = 5 * time.Minute

// ahead tells whether an instant is after the answer that shows it.
func (d dating) ahead(i Instant) bool { return !d.at.IsZero() && i.Early.After(d.at.Add(skew)) }

// moments are the instants at which clocks of a zone showed something: two in an hour that summer time repeats, none in
// one that it skips.
func moments(dayAt time.Time, clock, span time.Duration, zone *time.Location) []Instant {
	if span == day {
		y, m, dom := dayAt.Date()
		from, to := time.Date(y, m, dom, 0, 0, 0, 0, zone), time.Date(y, m, dom+1, 0, 0, 0, 0, zone)
		return []Instant{spanning(from, to.Sub(from))}
	}
	wall := dayAt.Add(clock)
	var all []Instant
	for _, near := range []time.Duration{-day, day} {
		_, offset := wall.Add(near).In(zone).Zone()
		t := wall.Add(-time.Duration(offset) * time.Second)
		_, real := t.In(zone).Zone()
		if i := spanning(t, span); real == offset && !slices.Contains(all, i) {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(a, b Instant) int { return cmp.Compare(a.At.Unix(), b.At.Unix()) })
	return all
}
