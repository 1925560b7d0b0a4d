package forum

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// show is an instant as At, or Early..Late when it is no second: "2026-11-30T14:00:00Z", "… ±minute".
func (i Instant) show() string {
	const layout = "2006-01-02T15:04:05"
	at := "open"
	if !i.IsZero() {
		at = i.At.Format(layout)
	}
	switch {
	case i == Instant{}:
		return "untold"
	case i.Late.Equal(i.Early) && i.At.Equal(i.Early):
		return at
	case i.Early.Equal(i.At) && i.Late.Sub(i.Early) == 59*time.Second:
		return at[:16]
	case i.Early.Equal(i.At) && i.Late.Sub(i.Early) == 24*time.Hour-time.Second:
		return at + " day"
	}
	return fmt.Sprintf("%s %s..%s", at, i.Early.Format(layout), i.Late.Format(layout))
}

func zoneOf(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestReadDate(t *testing.T) {
	at := time.Date(2026, 11, 30, 14, 17, 3, 0, time.UTC) // a Monday
	for _, test := range []struct{ zone, date, want string }{
		// Of programs.
		{"Asia/Tokyo", "2025-10-26T13:53:17+00:00", "2025-10-26T13:53:17"},
		{"Asia/Tokyo", "2026-03-13T18:00:00+0100", "2026-03-13T17:00:00"},
		{"Asia/Tokyo", "2026-05-13T12:35:39-05:00", "2026-05-13T17:35:39"},
		{"Asia/Tokyo", "2026-02-08T21:14:05.987Z", "2026-02-08T21:14:05"},
		{"Asia/Tokyo", "1773421200", "2026-03-13T17:00:00"},
		{"Asia/Tokyo", "1773421200999", "2026-03-13T17:00:00"},
		{"Asia/Tokyo", "2026-02-08T21:14:05", "2026-02-08T12:14:05"},
		{"Asia/Tokyo", "Tue, 05 May 2026 12:00:00 GMT", "2026-05-05T12:00:00"},
		{"Asia/Tokyo", "2026-05-05 12:00:00 +0200", "2026-05-05T10:00:00"},
		{"Asia/Tokyo", "5 May 2026 12:00 UTC+3", "2026-05-05T09:00"},
		{"UTC", "17", "untold"},
		// As boards show them.
		{"UTC", "Sun Oct 26, 2025 1:53 pm", "2025-10-26T13:53"},
		{"Europe/Berlin", "Fri Jul 03, 2026 12:05 am", "2026-07-02T22:05"},
		{"Europe/Moscow", "Вс 26 Окт, 2025 17:08", "2025-10-26T14:08"},
		{"Europe/Moscow", "Пн 30 Nov, 2026 2:01", "2026-11-29T23:01"},
		{"UTC", "2025-10-26 13:59:03", "2025-10-26T13:59:03"},
		{"UTC", "Today 00:01:00", "2026-11-30T00:01:00"},
		{"UTC", "Yesterday 23:59:00", "2026-11-29T23:59:00"},
		{"UTC", "10-26-2025, 02:16 PM", "2025-10-26T14:16"},
		{"UTC", "26-10-2025, 02:16 PM", "2025-10-26T14:16"},
		{"UTC", "Yesterday, 11:59 PM", "2026-11-29T23:59"},
		{"UTC", "Oct 26, 2025, 01:59 PM", "2025-10-26T13:59"},
		{"UTC", "Today at 12:01 AM", "2026-11-30T00:01"},
		{"UTC", "March 01, 2026, 06:00:00 PM", "2026-03-01T18:00:00"},
		{"UTC", "Reply #3 on: March 01, 2026, 06:00:00 PM", "2026-03-01T18:00:00"},
		{"America/New_York", "Oct 30, 2014 at 10:48 PM", "2014-10-31T02:48"},
		{"UTC", "2016-02-01, 02:21", "2016-02-01T02:21"},
		{"UTC", "2016/02/01 02:21", "2016-02-01T02:21"},
		{"America/New_York", "06-17-2026, 09:30 PM", "2026-06-18T01:30"},
		{"America/New_York", "Today, 08:55 AM", "2026-11-30T13:55"},
		{"UTC", "December 25th, 2009", "2009-12-25T00:00:00 day"},
		{"UTC", "01.02.2026, 17:05", "2026-02-01T17:05"},
		{"Europe/Moscow", "Сегодня, 10:15", "2026-11-30T07:15"},
		{"UTC", "26 October 2014 - 10:15 AM", "2014-10-26T10:15"},
		{"UTC", "26 Oct", "2026-10-26T00:00:00 day"},
		{"UTC", "26 Dec, 14:05", "2025-12-26T14:05"},
		{"UTC", "Friday at 5:30 PM", "2026-11-27T17:30"},
		{"UTC", "Monday at 5:30 PM", "untold"},
		{"UTC", "14.05.26 10:15", "2026-05-14T10:15"},
		{"UTC", "26 Oct 25, 10:15", "2025-10-26T10:15"},
		// Half days: twelve is the first hour.
		{"UTC", "Oct 26, 2025 12:00 am", "2025-10-26T00:00"},
		{"UTC", "Oct 26, 2025 12:00 pm", "2025-10-26T12:00"},
		{"UTC", "Oct 26, 2025 12:30 P.M.", "2025-10-26T12:30"},
		{"UTC", "Oct 26, 2025 5 pm", "2025-10-26T17:00:00 2025-10-26T17:00:00..2025-10-26T17:59:59"},
		{"UTC", "2025年10月26日 下午 3:05", "2025-10-26T15:05"},
		{"UTC", "2025년 10월 26일 오전 12:05", "2025-10-26T00:05"},
		// Today and yesterday are the viewer's.
		{"Asia/Tokyo", "Today, 23:55", "untold"},
		{"Pacific/Auckland", "Today, 02:15 AM", "2026-11-30T13:15"},
		{"Pacific/Auckland", "Yesterday, 11:15 PM", "2026-11-30T10:15"},
		{"Pacific/Honolulu", "Yesterday, 11:15 PM", "2026-11-30T09:15"},
		{"UTC", "Avant-hier, 10:15", "2026-11-28T10:15"},
		// How long ago.
		{"UTC", "13 minutes ago", "2026-11-30T14:04:03 2026-11-30T14:03:03..2026-11-30T14:04:33"},
		{"UTC", "vor 13 Minuten", "2026-11-30T14:04:03 2026-11-30T14:03:03..2026-11-30T14:04:33"},
		{"UTC", "11 hours ago", "2026-11-30T03:17:03 2026-11-30T02:17:03..2026-11-30T03:47:03"},
		{"UTC", "1 hour, 5 minutes ago", "2026-11-30T13:12:03 2026-11-30T13:11:03..2026-11-30T13:12:33"},
		{"UTC", "an hour ago", "2026-11-30T13:17:03 2026-11-30T12:17:03..2026-11-30T13:47:03"},
		{"UTC", "Less than 1 minute ago", "2026-11-30T14:17:03 2026-11-30T14:16:03..2026-11-30T14:17:03"},
		{"UTC", "A moment ago", "2026-11-30T14:17:03 2026-11-30T14:16:03..2026-11-30T14:17:03"},
		{"UTC", "менее минуты назад", "2026-11-30T14:17:03 2026-11-30T14:16:03..2026-11-30T14:17:03"},
		{"UTC", "15 ago 2025, 10:00", "2025-08-15T10:00"},
		// What summer time repeats is either, what it skips is nothing.
		{"Europe/Berlin", "2025-10-26 02:30:00", "2025-10-26T00:30:00 2025-10-26T00:30:00..2025-10-26T01:30:00"},
		{"Europe/Berlin", "2026-03-29 02:30:00", "untold"},
		{"Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00 2026-03-28T23:00:00..2026-03-29T21:59:59"},
		// No dates.
		{"UTC", "", "untold"},
		{"UTC", "31 February 2026, 10:15", "untold"},
		{"UTC", "26 Oct 2025 25:61", "untold"},
		{"UTC", "Fooday, 10:15", "untold"},
		{"UTC", "13 foobar ago", "untold"},
		{"UTC", "32.10.2025 10:15", "untold"},
		{"UTC", "Oct 26 Nov 27 2025", "untold"},
		{"UTC", "2 Xyz 2025 10:15", "untold"},
	} {
		d := dating{at: at, zone: zoneOf(t, test.zone)}
		i := readDate(test.date, d)
		if d.ahead(i) {
			i = Instant{}
		}
		if got := i.show(); got != test.want {
			t.Errorf("%s: %q: got %s, wanted %s", test.zone, test.date, got, test.want)
		}
	}
}

// TestReadDateLanguages reads the same day as boards write it in the languages of their users, and today, yesterday and ago.
func TestReadDateLanguages(t *testing.T) {
	d := dating{at: time.Date(2026, 11, 30, 14, 17, 3, 0, time.UTC), zone: time.UTC}
	for lang, dates := range map[string]string{
		"en": "Thu May 14, 2026 1:53 pm|14th May 2026, 13:53|Today, 13:53|Yesterday, 13:53|2 hours ago",
		"ru": "14 мая 2026 г., 13:53|Чт май 14, 2026 13:53|Сегодня, 13:53|Вчера в 13:53|2 часа назад",
		"de": "Do 14. Mai 2026, 13:53|Donnerstag, 14. Mai 2026 um 13:53 Uhr|Heute, 13:53|Gestern um 13:53|vor 2 Stunden",
		"fr": "jeu. 14 mai 2026 13:53|jeudi 14 mai 2026, 13h53|Aujourd'hui à 13:53|Hier, 13:53|il y a 2 heures",
		"es": "Jue May 14, 2026 1:53 pm|14 de mayo de 2026, 13:53|Hoy, 13:53|Ayer a las 13:53|hace 2 horas",
		"it": "gio 14 mag 2026, 13:53|14 maggio 2026 - 13:53|oggi, 13:53|ieri, 13:53|2 ore fa",
		"pl": "14 maja 2026, o 13:53|czw maja 14, 2026 1:53 pm|Dzisiaj, 13:53|wczoraj, 13:53|2 godziny temu",
		"pt": "14 de maio de 2026, 13:53|Qui Mai 14, 2026 1:53 pm|Hoje, 13:53|Ontem, 13:53|há 2 horas",
		"nl": "do 14 mei 2026, 13:53|donderdag 14 mei 2026 13:53|Vandaag, 13:53|Gisteren, 13:53|2 uur geleden",
		"cs": "čtv 14. kvě 2026 13:53|14. května 2026, 13:53|Dnes, 13:53|Včera v 13:53|před 2 hodinami",
		"uk": "14 травня 2026, 13:53|Чет трав 14, 2026 1:53 pm|Сьогодні, 13:53|Вчора, 13:53|2 години тому",
		"sv": "14 maj 2026, 13:53|tor 14 maj 2026 13:53|Idag, 13:53|igår 13:53|för 2 timmar sedan",
		"da": "14. maj 2026, 13:53|tors 14. maj 2026 13.53|I dag, 13:53|i går, 13:53|2 timer siden",
		"fi": "14 Touko 2026, 13:53|14. toukokuuta 2026 klo 13.53|Tänään, 13:53|Eilen, 13:53|2 tuntia sitten",
		"hu": "2026.05.14. 13:53|2026. május 14. 13:53|Ma 13:53|Tegnap, 13:53|2 órával ezelőtt",
		"tr": "14 May 2026 13:53|14 Mayıs 2026, 13:53|Bugün, 13:53|Dün, 13:53|2 saat önce",
		"el": "Πέμ 14 Μάιος 2026, 1:53 μμ|14 Μαΐου 2026, 13:53|Σήμερα, 13:53|Χθες, 13:53|πριν 2 ώρες",
		"be": "14 мая 2026, 13:53|14 мая 2026 13:53|Сёння, 13:53|Учора, 13:53|2 гадзіны таму",
		"bg": "14 Май 2026, 13:53|14 май 2026 г. 13:53|Днес, 13:53|Вчера, 13:53|преди 2 часа",
		"hr": "14 svi 2026, 13:53|14. svibnja 2026. 13:53|Danas, 13:53|Jučer, 13:53|prije 2 sata",
		"ro": "14 Mai 2026, 13:53|Joi Mai 14, 2026 1:53 pm|Astăzi, 13:53|Ieri, 13:53|acum 2 ore",
		"zh": "2026年5月14日 13:53|2026-5-14 13:53|今天 13:53|昨天13:53|2 小时前",
		"ja": "2026年5月14日(木) 13:53|2026/05/14 13:53|今日 13:53|昨日 13:53|2 時間前",
		"ko": "2026년 5월 14일 오후 1:53|2026-05-14 13:53|오늘 13:53|어제 13:53|2 시간 전",
		"ar": "14 مايو 2026, 1:53 م|١٤ مايو ٢٠٢٦ ١٣:٥٣|اليوم 13:53|أمس 13:53|",
	} {
		d.lang = lang
		for i, date := range strings.Split(dates, "|") {
			want := []string{"2026-05-14T13:53", "2026-05-14T13:53", "2026-11-30T13:53", "2026-11-29T13:53", "2026-11-30T12:17:03 2026-11-30T11:17:03..2026-11-30T12:47:03"}[i]
			if got := readDate(date, d).show(); got != want && date != "" {
				t.Errorf("%s: %q: got %s, wanted %s", lang, date, got, want)
			}
		}
	}
}

// TestMonthsOfLanguages reads months that are called alike in languages that mean different ones.
func TestMonthsOfLanguages(t *testing.T) {
	for _, test := range []struct{ lang, date, want string }{
		{"pl", "14 listopada 2025 10:15", "2025-11-14T10:15"},
		{"hr", "14. listopada 2025. 10:15", "2025-10-14T10:15"},
		{"", "14 listopada 2025 10:15", "untold"},
		{"fr", "mar. 28 oct. 2025, 10:15", "2025-10-28T10:15"},
		{"fr", "mar. 3 mars 2026, 10:15", "2026-03-03T10:15"},
		{"it", "mar 3 mar 2026, 10:15", "2026-03-03T10:15"},
		{"es", "mar mar 03, 2026 10:15 am", "2026-03-03T10:15"},
		{"hu", "Szer. Okt. 29, 2025 10:15", "2025-10-29T10:15"},
		{"fi", "Maa Loka 27, 2025 10:15", "2025-10-27T10:15"},
	} {
		if got := readDate(test.date, dating{zone: time.UTC, lang: test.lang}).show(); got != test.want {
			t.Errorf("%s: %q: got %s, wanted %s", test.lang, test.date, got, test.want)
		}
	}
}

// datedPage is a page of posts with such dates, with ids that grow, and what the board says of its clock.
func datedPage(t *testing.T, dates []string, clock, now string, usual order, v View) Page {
	t.Helper()
	f := &family{name: "dated", themes: []theme{{
		name: "plain", known: css("#board"), post: css(".post"), id: spot{attr: "id"}, author: spot{css(".author"), ""}, date: spot{css(".date"), ""}, body: css(".body"),
		clock: spot{css("#clock"), ""}, now: spot{css("#clock"), "title"}, dates: usual,
	}}}
	saved := families
	families = []*family{f}
	defer func() { families = saved }()
	var b strings.Builder
	b.WriteString(`<html lang="en"><body id="board">`)
	for i, date := range dates {
		fmt.Fprintf(&b, `<div class="post" id="p%d"><b class="author">Ada</b><i class="date">%s</i><div class="body">WHO</div></div>`, 100+i, date)
	}
	fmt.Fprintf(&b, `<p id="clock" title="%s">%s</p>`, now, clock)
	return Read(Answer{At: time.Date(2026, 11, 30, 14, 17, 3, 0, time.UTC), Body: []byte(b.String())}, v)
}

func TestDatesOfPage(t *testing.T) {
	berlin, utc := zoneOf(t, "Europe/Berlin"), time.UTC
	for _, test := range []struct {
		name    string
		dates   string // of the posts
		clock   string
		now     string
		usual   order
		zone    *time.Location
		set     string // order, by the config
		want    string // of the posts
		problem string
	}{
		{name: "F12 a day over 12 decides for all", dates: "05-06-2026 10:15|05-14-2026 10:15", zone: utc, want: "2026-05-06T10:15|2026-05-14T10:15"},
		{name: "F12 the same with the day first", dates: "05-06-2026 10:15|14-06-2026 10:15", zone: utc, want: "2026-06-05T10:15|2026-06-14T10:15"},
		{name: "F12 the page's clock decides", dates: "05-06-2026 10:15", clock: "Current time: 30-11-2026, 02:17 PM", zone: utc, want: "2026-06-05T10:15"},
		{name: "F12 what is to come is not meant", dates: "05-12-2026 10:15", zone: utc, want: "2026-05-12T10:15"},
		{name: "F12 dates grow with ids", dates: "01-02-2026 10:15|02-02-2026 10:15|03-02-2026 10:15|01-03-2026 10:15", zone: utc,
			want: "2026-02-01T10:15|2026-02-02T10:15|2026-02-03T10:15|2026-03-01T10:15"},
		{name: "F12 nothing decides", dates: "05-06-2026 10:15", zone: utc, want: "open 2026-05-06T10:15:00..2026-06-05T10:15:59", problem: "which is the day and which the month"},
		{name: "F12 the board's habit is shown, both are kept", dates: "05-06-2026 10:15", usual: monthFirst, zone: utc, want: "2026-05-06T10:15:00 2026-05-06T10:15:00..2026-06-05T10:15:59"},
		{name: "F12 either is the same day", dates: "05-05-2026 10:15", zone: utc, want: "2026-05-05T10:15"},

		{name: "the page's zone", dates: "Nov 30, 2026 12:15", clock: "All times are UTC-05:00", want: "untold", problem: "ahead of the page's own"},
		{name: "the page's zone stands in", dates: "Nov 30, 2026 08:15", clock: "All times are UTC-05:00", want: "2026-11-30T13:15"},
		{name: "summer time in brackets", dates: "Nov 30, 2026 15:15", clock: "All times are UTC + 1 hour [ DST ]", want: "2026-11-30T13:15"},
		{name: "a zone in Russian", dates: "Nov 30, 2026 16:15", clock: "Часовой пояс: GMT + 3 Hours", want: "2026-11-30T13:15"},
		{name: "a zone with its time", dates: "Nov 30, 2026 08:15", clock: "All times are GMT -5. The time now is 09:17 AM.", want: "2026-11-30T13:15"},
		{name: "what the clock shows counts", dates: "Nov 30, 2026 08:15", clock: "All times are GMT -6. The time now is 09:17 AM.", want: "2026-11-30T13:15"},
		{name: "a clock over midnight", dates: "Dec 1, 2026 02:15", clock: "All times are GMT +13. The time now is 03:17.", want: "2026-11-30T13:15"},
		{name: "a clock alone", dates: "Nov 30, 2026 19:15", clock: "Current time: 11-30-2026, 07:47 PM", want: "2026-11-30T13:45"},
		{name: "a clock beside its instant", dates: "Nov 30, 2026, 05:15 PM", clock: "Nov 30, 2026, 06:00 PM", now: "2026-11-30T14:00:10Z", want: "2026-11-30T13:15"},
		{name: "a clock that stands is not believed", dates: "Nov 30, 2026 13:15", clock: "Current time: 11-30-2026, 01:40 PM", want: "2026-11-30T13:15"},
		{name: "no zone at all", dates: "Nov 30, 2026 13:15", want: "2026-11-30T13:15"},
		{name: "page and config agree", dates: "Oct 1, 2026 14:15|Nov 30, 2026 14:15", clock: "All times are UTC+1", zone: berlin, want: "2026-10-01T12:15|2026-11-30T13:15"},
		{name: "page and config differ", dates: "Nov 29, 2026 14:15", clock: "All times are UTC-5", zone: berlin,
			want: "2026-11-29T13:15:00 2026-11-29T13:15:00..2026-11-29T19:15:59", problem: "its clock is -5:00 off UTC, and that of Europe/Berlin is +1:00"},

		{name: "F12 the config tells the order", dates: "3/4/2026 13:15", set: DayFirst, zone: utc, want: "2026-04-03T13:15"},
		{name: "F12 and the other", dates: "3/4/2026 13:15", set: MonthFirst, zone: utc, want: "2026-03-04T13:15"},
		{name: "F12 against what is usual", dates: "03-04-2026 13:15", set: DayFirst, usual: monthFirst, zone: utc, want: "2026-04-03T13:15"},
		{name: "F12 the config is wrong", dates: "3/4/2026 13:15|3/25/2026 13:15", set: DayFirst, zone: utc, want: "2026-04-03T13:15|untold", problem: "its dates are not day-first"},
		{name: "F14 another language", dates: "30 Xyz 2026 13:15", zone: utc, want: "untold", problem: `post 100: its date "30 Xyz 2026 13:15" cannot be read`},
		{name: "F14 a date of the future", dates: "Nov 30, 2026 18:15", zone: utc, want: "untold", problem: "ahead of the page's own"},
		{name: "older than a smaller id", dates: "Nov 28, 2026 18:15|Nov 27, 2026 18:15|Nov 29, 2026 18:15", zone: utc, want: "2026-11-28T18:15|2026-11-27T18:15|2026-11-29T18:15", problem: "post 101"},
	} {
		dates := strings.Split(test.dates, "|")
		p := datedPage(t, dates, test.clock, test.now, test.usual, View{Zone: test.zone, Dates: test.set})
		var got []string
		for _, post := range p.Posts {
			got = append(got, post.Posted.show())
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("%s: got %s, wanted %s", test.name, strings.Join(got, "|"), test.want)
		}
		if !strings.Contains(strings.Join(p.Problems, "\n"), test.problem) || test.problem == "" && len(p.Problems) > 0 {
			t.Errorf("%s: problems %q, wanted %q", test.name, p.Problems, test.problem)
		}
		if p.Kind != Thread || len(p.Posts) != len(dates) {
			t.Errorf("%s: a page of kind %s with %d posts", test.name, p.Kind, len(p.Posts))
		}
	}
}

func TestDisorder(t *testing.T) {
	at := func(id string, minute int) Post {
		return Post{ID: id, Posted: spanning(time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC), time.Minute)}
	}
	newestFirst := []Post{at("12", 9), at("10", 5), at("9", 5), {ID: "11"}, at("8", 1)}
	if got := disorder(newestFirst); len(got) > 0 {
		t.Errorf("of posts in order, %q are not", got)
	}
	if got := disorder([]Post{at("1", 1), at("2", 9), at("3", 3), at("4", 4), at("5", 10)}); !slices.Equal(got, []string{"3", "4"}) {
		t.Errorf("got %q", got)
	}
}

// FuzzDate reads any text for a date, in any order and zone: it never panics, and what it tells is an interval.
func FuzzDate(f *testing.F) {
	for _, date := range []string{"Sun Oct 26, 2025 1:53 pm", "05-06-2026, 02:17 PM", "Сегодня, 10:15", "vor 13 Minuten", "2026年11月30日 下午 2:17", "٢٦ أكتوبر ٢٠٢٥", "All times are UTC + 1 hour [ DST ]", "The time now is 00:08.", "1773421200", "99999999999999999999 ago"} {
		f.Add(date, uint8(0))
	}
	zones := []*time.Location{time.UTC, zoneOf(f, "Europe/Berlin"), zoneOf(f, "America/St_Johns"), zoneOf(f, "Pacific/Apia")}
	f.Fuzz(func(t *testing.T, date string, how uint8) {
		d := dating{at: time.Date(2026, 11, 30, 14, 17, 3, 0, time.UTC), zone: zones[how/9%4], order: order(how % 3), usual: order(how / 3 % 3)}
		if offset, known := d.offset(plainDate(date), d.at); known && offset.Abs() > 100*time.Hour {
			t.Errorf("a clock of %v", offset)
		}
		i := readDate(date, d)
		if i.Early.After(i.Late) || !i.IsZero() && (i.At.Before(i.Early) || i.At.After(i.Late)) {
			t.Errorf("%q: %v is not from %v to %v", date, i.At, i.Early, i.Late)
		}
		if i.At.Nanosecond() != 0 {
			t.Errorf("%q: %v has fractions", date, i.At)
		}
	})
}

// TestMonthsOfBoards reads the short names of months as language packs of boards have them.
func TestMonthsOfBoards(t *testing.T) {
	for lang, months := range map[string]string{
		"en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", "de": "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez", "at": "Jän Feb Mrz Apr Mai Juni Juli Aug Sept Okt Nov Dez",
		"ru": "янв фев мар апр май июн июл авг сен окт ноя дек", "Ru": "Января Февраля Марта Апреля Мая Июня Июля Августа Сентября Октября Ноября Декабря",
		"fr": "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.", "Fr": "Jan Fév Mar Avr Mai Juin Juil Aoû Sep Oct Nov Déc",
		"es": "Ene Feb Mar Abr May Jun Jul Ago Sep Oct Nov Dic", "it": "gen feb mar apr mag giu lug ago set ott nov dic", "pl": "sty lut mar kwie maj cze lip sie wrz paź lis gru",
		"pt": "Jan Fev Mar Abr Mai Jun Jul Ago Set Out Nov Dez", "nl": "jan feb mrt apr mei jun jul aug sep okt nov dec", "cs": "led úno bře dub kvě čer črc srp zář říj lis pro",
		"uk": "січ лют бер квіт трав черв лип серп вер жовт лист груд", "sv": "jan feb mar apr maj jun jul aug sep okt nov dec", "fi": "Tammi Helmi Maalis Huhti Touko Kesä Heinä Elo Syys Loka Marras Joulu",
		"hu": "Jan. Feb. Már. Ápr. Máj. Jún. Júl. Aug. Szept. Okt. Nov. Dec.", "tr": "Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara", "el": "Ιαν Φεβ Μαρ Απρ Μάιος Ιουν Ιουλ Αύγ Σεπ Οκτ Νοέμ Δεκ",
		"ro": "Ian Feb Mar Apr Mai Iun Iul Aug Sep Oct Noi Dec", "bg": "Яну Фев Мар Апр Май Юни Юли Авг Сеп Окт Ное Дек", "hr": "sij velj ožu tra svi lip srp kol ruj lis stu pro",
		"sk": "Jan Feb Mar Apr Máj Jún Júl Aug Sep Okt Nov Dec", "sl": "Jan Feb Mar Apr Maj Jun Jul Avg Sep Okt Nov Dec", "sr": "јан феб мар апр мај јун јул авг сеп окт нов дец",
		"lt": "Sau Vas Kov Bal Geg Bir Lie Rgp Rgs Spa Lap Grd", "lv": "Jan Feb Mar Apr Mai Jūn Jūl Aug Sep Okt Nov Dec", "et": "Jaan Veebr Märts Apr Mai Juuni Juuli Aug Sept Okt Nov Dets",
		"be": "сту лют сак кра май чэр ліп жні вер кас ліс сне", "ca": "gen. feb. març abr. maig juny jul. ag. set. oct. nov. des.", "da": "jan feb mar apr maj jun jul aug sep okt nov dec",
	} {
		for i, month := range strings.Fields(months) {
			want := fmt.Sprintf("2025-%02d-14T10:15", i+1)
			if got := readDate("14 "+month+" 2025, 10:15", dating{zone: time.UTC, lang: strings.ToLower(lang)}).show(); got != want {
				t.Errorf("%s: %s: got %s, wanted %s", lang, month, got, want)
			}
		}
	}
}
