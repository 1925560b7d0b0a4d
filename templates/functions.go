package templates

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"text/template"
	"time"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// functions are what templates may call, for one reader; set is the reader's templates, nil while they are parsed.
//
//	date X          an instant with its weekday and zone
//	till X          the same as it stands after "до": in Russian the weekday is declined
//	from X          the same with "с" or "со" before it
//	day X           its day alone
//	span D          a length of time in its two largest units, of days, hours and minutes
//	list XS         A, B and C
//	number X        a whole number in digits
//	plural N W…     N with the word that goes with it: English one, other; Russian one (1), few (2), many (5)
//	word N W…       that word alone
//	gold N          N @
//	kind K          what a kind of name or slot is called: the template "kind K", else K itself; of A|B the first that has one
//	say NAME DATA   another text as a value
//	each NAME XS    the texts of that name for each of XS, as a list
//	cap S           S with a capital letter
//	quote S         S with every line behind "> "
//	same A B        whether two values read alike
func functions(r Reader, set *template.Template) template.FuncMap {
	say := func(name string, data any) (string, error) {
		found := set.Lookup(name)
		if found == nil {
			return "", fmt.Errorf("no text %q", name)
		}
		var b strings.Builder
		err := found.Execute(&b, data)
		return strings.TrimSpace(b.String()), err
	}
	return template.FuncMap{
		"date": func(v any) (string, error) { return formatted(v, r, date) },
		"from": func(v any) (string, error) { return formatted(v, r, from) },
		"till": func(v any) (string, error) { return formatted(v, r, till) },
		"day":  func(v any) (string, error) { return formatted(v, r, day) },
		"span": func(d time.Duration) string { return span(d, r.Language) },
		"list": func(v any) (string, error) { return list(r.Language, v) },
		"number": func(v any) (string, error) {
			n, err := whole(v)
			return strconv.FormatInt(n, 10), err
		},
		"plural": func(v any, words ...string) (string, error) {
			n, w, err := pluralWord(r.Language, v, words)
			return strconv.FormatInt(n, 10) + " " + w, err
		},
		"word": func(v any, words ...string) (string, error) {
			_, w, err := pluralWord(r.Language, v, words)
			return w, err
		},
		"gold": func(v any) (string, error) {
			n, err := whole(v)
			return strconv.FormatInt(n, 10) + " @", err
		},
		"kind": func(k string) (string, error) {
			for one := range strings.SplitSeq(k, "|") { // of several kinds the first that has a name stands for all
				if set.Lookup("kind "+one) != nil {
					return say("kind "+one, nil)
				}
			}
			return k, nil
		},
		"say": say,
		"each": func(name string, xs any) ([]string, error) {
			var texts []string
			err := eachOf(xs, func(x any) error {
				text, err := say(name, x)
				texts = append(texts, text)
				return err
			})
			return texts, err
		},
		"cap":   capital,
		"quote": quote,
		"same":  func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) },
	}
}

// formatted formats an instant given as a time or as RFC 3339 text in the reader's zone.
func formatted(v any, r Reader, format func(time.Time, string) string) (string, error) {
	at, err := instant(v)
	if err != nil {
		return "", err
	}
	zone := r.Zone
	if zone == nil {
		zone = time.UTC
	}
	return format(at.In(zone), r.Language), nil
}

func instant(v any) (time.Time, error) {
	switch v := v.(type) {
	case time.Time:
		return v, nil
	case *time.Time:
		if v != nil {
			return *v, nil
		}
	case string:
		at, err := time.Parse(time.RFC3339, v)
		if err != nil {
			return time.Time{}, fmt.Errorf("%q is no instant", v)
		}
		return at, nil
	}
	return time.Time{}, fmt.Errorf("%v (%T) is no instant", v, v)
}

type weekdays [7]string

var (
	weekdaysRu = weekdays{"воскресенье", "понедельник", "вторник", "среда", "четверг", "пятница", "суббота"}
	genitiveRu = weekdays{"воскресенья", "понедельника", "вторника", "среды", "четверга", "пятницы", "субботы"}
	monthsRu   = [...]string{"января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября",
		"октября", "ноября", "декабря"}
)

// day writes "Monday, 2 February 2026", "понедельник, 2 февраля 2026 г.".
func day(at time.Time, lang string) string { return dayIn(at, lang, weekdaysRu) }

func dayIn(at time.Time, lang string, ru weekdays) string {
	if lang == "ru" {
		return fmt.Sprintf("%s, %d %s %d г.", ru[at.Weekday()], at.Day(), monthsRu[at.Month()-1], at.Year())
	}
	return at.Format("Monday, 2 January 2006")
}

// date writes the day, the time of day (seconds when they are not 0) and the zone, with the offset where the clocks
// show that time twice.
func date(at time.Time, lang string) string { return day(at, lang) + timeOfDay(at) }

func till(at time.Time, lang string) string { return dayIn(at, lang, genitiveRu) + timeOfDay(at) }

// from writes till with the preposition before it, which depends on the weekday.
func from(at time.Time, lang string) string {
	with := map[time.Weekday]string{time.Tuesday: "со ", time.Wednesday: "со "}[at.Weekday()]
	if lang == "ru" {
		return cmp.Or(with, "с ") + till(at, lang)
	}
	return "from " + till(at, lang)
}

func timeOfDay(at time.Time) string {
	clock := ", 15:04"
	if at.Second() != 0 {
		clock = ", 15:04:05"
	}
	zone := at.Location().String()
	if twice(at) {
		zone += at.Format(", UTC-07:00")
	}
	return at.Format(clock) + " (" + zone + ")"
}

func twice(at time.Time) bool {
	const wall = "2006-01-02 15:04:05"
	return at.Add(time.Hour).Format(wall) == at.Format(wall) || at.Add(-time.Hour).Format(wall) == at.Format(wall)
}

var units = []struct {
	of     time.Duration
	en, ru []string
}{
	{24 * time.Hour, []string{"day", "days"}, []string{"день", "дня", "дней"}},
	{time.Hour, []string{"hour", "hours"}, []string{"час", "часа", "часов"}},
	{time.Minute, []string{"minute", "minutes"}, []string{"минута", "минуты", "минут"}},
}

// span writes "2 days, 3 hours", "3 часа", to the minute; what is less than that is "less than a minute".
func span(d time.Duration, lang string) string {
	d = d.Round(time.Minute)
	var parts []string
	for _, u := range units {
		n := int64(d / u.of)
		if d -= time.Duration(n) * u.of; n > 0 {
			words := u.en
			if lang == "ru" {
				words = u.ru
			}
			_, word, _ := pluralWord(lang, n, words)
			parts = append(parts, strconv.FormatInt(n, 10)+" "+word)
		} else if len(parts) > 0 {
			break
		}
		if len(parts) == 2 {
			break
		}
	}
	if len(parts) == 0 {
		return map[string]string{"en": "less than a minute", "ru": "меньше минуты"}[lang]
	}
	return strings.Join(parts, ", ")
}

// list writes "A, B and C" of a slice of any type.
func list(lang string, v any) (string, error) {
	var items []string
	err := eachOf(v, func(x any) error {
		items = append(items, oneLine(fmt.Sprint(x)))
		return nil
	})
	last := len(items) - 1
	if err != nil || last < 1 {
		return strings.Join(items, ""), err
	}
	and := map[string]string{"en": " and ", "ru": " и "}[lang]
	return strings.Join(items[:last], ", ") + and + items[last], nil
}

// eachOf calls f with every element of a slice of any type.
func eachOf(v any, f func(any) error) error {
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Slice {
		return fmt.Errorf("%v (%T) is no list", v, v)
	}
	for i := range rv.Len() {
		if err := f(rv.Index(i).Interface()); err != nil {
			return err
		}
	}
	return nil
}

// whole reads a whole number of any of the types that JSON and rules give.
func whole(v any) (int64, error) {
	rv := reflect.ValueOf(v)
	switch {
	case v == nil:
	case rv.CanInt():
		return rv.Int(), nil
	case rv.CanUint():
		return int64(rv.Uint()), nil
	case rv.CanFloat() && rv.Float() == float64(int64(rv.Float())):
		return int64(rv.Float()), nil
	}
	if n, ok := v.(json.Number); ok {
		return n.Int64()
	}
	return 0, fmt.Errorf("%v (%T) is no whole number", v, v)
}

// pluralWord returns a number and which of the words goes with it: one, other; in Russian one, few, many.
func pluralWord(lang string, v any, words []string) (int64, string, error) {
	n, err := whole(v)
	if err != nil {
		return 0, "", err
	}
	tag, want := language.English, []plural.Form{plural.One, plural.Other}
	if lang == "ru" {
		tag, want = language.Russian, []plural.Form{plural.One, plural.Few, plural.Many}
	}
	if len(words) != len(want) {
		return 0, "", fmt.Errorf("a plural in %q takes %d words, not %d", lang, len(want), len(words))
	}
	abs := n
	if abs < 0 {
		abs = -abs
	}
	form := plural.Cardinal.MatchPlural(tag, int(abs), 0, 0, 0, 0)
	for i, f := range want {
		if f == form {
			return n, words[i], nil
		}
	}
	return n, words[len(words)-1], nil
}
