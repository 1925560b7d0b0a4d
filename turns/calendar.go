package turns

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"arroba/orders"
	"arroba/rules"
)

// calendarTable is [calendar] as it is written.
type calendarTable struct {
	Days         []string `toml:"days"`
	At           string   `toml:"at"`
	Least        string   `toml:"least"`
	Grace        string   `toml:"grace"`
	ReadyDelay   string   `toml:"ready_delay"`
	MaxMissing   *int     `toml:"max_missing"`
	Remind       []string `toml:"remind"`
	VacationDays *int     `toml:"vacation_days"`
}

func (f *GameFile) readCalendar(t *gameTable) (err error) {
	c, in := &f.Settings.Calendar, &t.Calendar
	if c.Days, err = f.weekdays(in.Days); err != nil {
		return err
	}
	if in.At != "" {
		at, err := time.Parse("15:04", in.At)
		if err != nil {
			return f.at("calendar.at", "%q is no time of day; write one as \"20:00\"", in.At)
		}
		c.At = &rules.Clock{Hour: at.Hour(), Minute: at.Minute()}
	}
	for key, d := range map[string]struct {
		text string
		into *time.Duration
	}{"least": {in.Least, &c.Least}, "grace": {in.Grace, &c.Grace}, "ready_delay": {in.ReadyDelay, &c.ReadyDelay}} {
		if d.text == "" {
			continue
		}
		if *d.into, err = f.length("calendar."+key, d.text); err != nil {
			return err
		}
	}
	if in.Remind != nil {
		c.Remind = []time.Duration{}
	}
	for i, text := range in.Remind {
		before, err := f.length(fmt.Sprintf("calendar.remind.%d", i), text)
		if err != nil {
			return err
		}
		c.Remind = append(c.Remind, before)
	}
	c.MaxMissing, c.VacationDays = in.MaxMissing, in.VacationDays
	for key, n := range map[string]*int{"max_missing": in.MaxMissing, "vacation_days": in.VacationDays} {
		if n != nil && *n < 0 {
			return f.at("calendar."+key, "%d is below 0; write a whole number from 0 on", *n)
		}
	}
	return nil
}

// weekdays reads days of the week.
func (f *GameFile) weekdays(names []string) (days []time.Weekday, err error) {
	if names != nil && len(names) == 0 {
		return nil, f.at("calendar.days", "names no day; write days, as [\"Mon\", \"Thu\"], or leave it out for every day")
	}
	for i, name := range names {
		key := fmt.Sprintf("calendar.days.%d", i)
		day := slices.IndexFunc(dayNames[:], func(names []string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return orders.Fold(n) == orders.Fold(name) })
		})
		switch {
		case day < 0:
			return nil, f.at(key, "%q is no day of the week; write one as \"Mon\" or \"Monday\"", name)
		case slices.Contains(days, time.Weekday(day)):
			return nil, f.at(key, "%q stands there twice; take one out", name)
		}
		days = append(days, time.Weekday(day))
	}
	return days, nil
}

// dayNames are what the days of the week may be called, from Sunday on.
var dayNames = [7][]string{
	{"Sunday", "Sun", "воскресенье", "вс"}, {"Monday", "Mon", "понедельник", "пн"}, {"Tuesday", "Tue", "вторник", "вт"},
	{"Wednesday", "Wed", "среда", "ср"}, {"Thursday", "Thu", "четверг", "чт"}, {"Friday", "Fri", "пятница", "пт"},
	{"Saturday", "Sat", "суббота", "сб"},
}

// length reads a length of time. What is left out is the ruleset's, so a length of nothing would say nothing.
func (f *GameFile) length(key, text string) (time.Duration, error) {
	d, ok := orders.ParseDuration(strings.TrimSpace(text))
	if !ok || d <= 0 || d > longest {
		return 0, f.at(key, "%q is no length of time; write one as \"90m\", \"36h\" or \"2d\", of at most 366 days", text)
	}
	return d, nil
}

const longest = 366 * 24 * time.Hour

// calendarWords are the keys of [calendar] with what a calendar says for each, in the words of game.toml; "" for what it
// does not say.
func calendarWords(c rules.Calendar) [][2]string {
	var days []string
	for _, d := range c.Days {
		days = append(days, dayNames[d][1])
	}
	var remind []string
	for _, d := range c.Remind {
		remind = append(remind, lengthWord(d))
	}
	at := ""
	if c.At != nil {
		at = fmt.Sprintf("%02d:%02d", c.At.Hour, c.At.Minute)
	}
	number := func(n *int) string {
		if n == nil {
			return ""
		}
		return fmt.Sprint(*n)
	}
	return [][2]string{{"days", strings.Join(days, ", ")}, {"at", at}, {"least", lengthWord(c.Least)}, {"grace", lengthWord(c.Grace)},
		{"ready_delay", lengthWord(c.ReadyDelay)}, {"max_missing", number(c.MaxMissing)}, {"remind", strings.Join(remind, ", ")},
		{"vacation_days", number(c.VacationDays)}}
}

// lengthWord is a length of time as game.toml writes it, "" for none.
func lengthWord(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case d%(24*time.Hour) == 0:
		return fmt.Sprintf("%dd", d/(24*time.Hour))
	case d%time.Hour == 0:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dm", d/time.Minute)
}
