package turns

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"arroba/rules"
)

func TestGameFilesThatAreMalformed(t *testing.T) {
	good := "name = \"lands\"\nruleset = \"toy\"\nmailbox = \"lands@play.example\"\ngm = { nick = \"Gareth\", email = \"gm@x.example\" }\n"
	anna := "[[member]]\nnick = \"Anna\"\nemail = [\"anna@x.example\"]\n"
	for text, want := range map[string]string{
		good + "nmae = 1\n":                                                      "t.toml:5: nmae: this key is not known here; take it out",
		good + "timezone = \"Mars\"\n":                                           "t.toml:5: timezone: \"Mars\" is no time zone",
		good + "language = \"de\"\n":                                             "t.toml:5: language: \"de\" is not known; write \"en\" or \"ru\"",
		good + "authentication = \"dmarc\"\n":                                    "t.toml:1: authserv_id: is missing",
		good + "authentication = \"trust\"\n":                                    "t.toml:5: authentication: \"trust\" is not known",
		good + "copies = \"nobody\"\n":                                           "t.toml:5: copies.0: write a mail address",
		good + "[join]\nseats = 0\n":                                             "t.toml:6: join.seats: 0 is too few; write how many players there may be",
		good + "[join]\nwaiting = -1\n":                                          "t.toml:6: join.waiting: -1 is too few",
		good + "[join]\nseats = 1\n" + anna + "[[member]]\nnick = \"Bo\"\n":      "t.toml:6: join.seats: 1 is too few",
		good + anna + "forum = [\"a\", \"\"]\n":                                  "t.toml:8: member.0.forum.1: write a name in quotes",
		good + anna + "forum = { board = \"b\", name = \"a\" }\n":                "t.toml:8: member.0.forum: write a name in quotes",
		good + "[tavern]\nsource = \"forum\"\n":                                  "t.toml:5: tavern.thread: write the thread's number",
		good + "[tavern]\nthread = 42\n":                                         "t.toml:5: tavern.source: \"\" is no source",
		good + "[[thread]]\nsource = \"square\"\nthread = 42.5\n":                "t.toml:7: thread.0.thread: write the thread's number",
		good + "[[thread]]\nsource = \"square\"\nthread = 42\nedits = \"no\"\n":  "t.toml:8: thread.0.edits: \"no\" is not known",
		good + "[calendar]\ndays = 3\n":                                          "t.toml:6: calendar.days: integer does not fit here; write a list",
		good + "[calendar]\ndays = [\"Mon\", 4]\n":                               "t.toml:6: calendar.days: integer does not fit here; write a text in quotes",
		good + "[calendar]\nat = \"20:00\"\ndays = [\"Mon\", \"Someday\"]\n":     "t.toml:7: calendar.days.1: \"Someday\" is no day of the week; write one as \"Mon\"",
		good + "[calendar]\ndays = [\"Mon\",\n\"monday\"]\nat = \"20:00\"\n":     "t.toml:7: calendar.days.1: \"monday\" stands there twice",
		good + "[calendar]\ndays = []\nat = \"20:00\"\n":                         "t.toml:6: calendar.days: names no day",
		good + "[calendar]\ndays = [\"Mon\"]\n":                                  "t.toml:5: calendar.at: is missing; write the time of day",
		good + "[calendar]\nat = \"25:00\"\n":                                    "t.toml:6: calendar.at: \"25:00\" is no time of day; write one as \"20:00\"",
		good + "[calendar]\nat = 20:00:00\n":                                     "t.toml:6: calendar.at: ",
		good + "[calendar]\nleast = \"1w\"\n":                                    "t.toml:6: calendar.least: \"1w\" is no length of time; write one as \"90m\"",
		good + "[calendar]\ngrace = \"0h\"\n":                                    "t.toml:6: calendar.grace: \"0h\" is no length of time",
		good + "[calendar]\nready_delay = 3\n":                                   "t.toml:6: calendar.ready_delay: integer does not fit here; write a text in quotes",
		good + "[calendar]\nmax_missing = -1\n":                                  "t.toml:6: calendar.max_missing: -1 is below 0",
		good + "[calendar]\nmax_missing = 1.5\n":                                 "t.toml:6: calendar.max_missing: ",
		good + "[calendar]\nvacation_days = -2\n":                                "t.toml:6: calendar.vacation_days: -2 is below 0",
		good + "[calendar]\nremind = [\"24h\", \"soon\"]\n":                      "t.toml:6: calendar.remind.1: \"soon\" is no length of time",
		good + "[calendar]\nat = \"20:00\"\nhour = 5\n":                          "t.toml:7: calendar.hour: this key is not known here; take it out, or write one of days, at",
		good + anna + "role = \"king\"\n":                                        "t.toml:8: member.0.role: \"king\" is not known",
		good + anna + "password = \"open sesame\"\n":                             "t.toml:8: member.0.password: this is no password; write one word",
		good + anna + "token = \"a+b\"\n":                                        "t.toml:8: member.0.token: this is no token; write up to 40 letters",
		good + anna + "token = \"b-0123\"\n":                                     "t.toml:8: member.0.token: this is no token",
		good + anna + "token = \"LANDS\"\n":                                      "t.toml:8: member.0.token: it is the game's name too",
		good + anna + "[[member]]\nnick = \"ANNA\"\n":                            "t.toml:9: member.1.nick: \"ANNA\" reads like \"Anna\"",
		good + anna + "[[member]]\nnick = \"Eve\"\nemail = \"Anna@X.example\"\n": "t.toml:10: member.1.email: Anna@X.example is an address of Anna already",
		good + anna + "forum = [{ board = \"b\" }]\n":                            "t.toml:8: member.0.forum.0: write a name in quotes, as \"Anna\", or a table",
		good + "[[member]]\nemail = \"a@x.example\"\n":                           "t.toml:5: member.0.nick: \"\" is no nick",
		good + "[[member]]\nnick = \"A\"\nemail = \"a\"":                         "t.toml:7: member.0.email: \"a\" is no mail address",
		good + "[world]\nsun = 1\n":                                              "t.toml:6: world.sun: this key is not known here; take it out, or write one of sum",
		good + "[world]\nsum = \"1\"\n":                                          "t.toml:6: world.sum: string does not fit here; write a whole number",
		good + "[world]\nsum = -1\n":                                             "t.toml:6: world.sum: must not be below 0",
		"ruleset = \"toy\"\n":                                                    "t.toml:1: name: \"\" is no name for a game",
		"name = \"the lands\"\nruleset = \"toy\"\n":                              "t.toml:1: name: \"the lands\" is no name for a game",
		"name = \"lands\"\n":                                                     "t.toml:1: ruleset: is missing",
		"name = \"lands\"\nruleset = \"toy\"\n":                                  "t.toml:1: gm: is missing",
		"name = \"lands\"\nruleset = \"toy\"\ngm = \"Gareth\"\n":                 "t.toml:3: gm: write a table",
		strings.Replace(good, "toy", "chess", 1):                                 "t.toml:2: ruleset: \"chess\" is not known; write one of \"heroeslands\", \"muster\", \"toy\"",
	} {
		r := newRig(t)
		f, err := ReadGameFile("t.toml", []byte(text))
		if err == nil {
			err = r.Check(f)
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s…", text, err, want)
		}
	}
}

func TestAGameFileIsReadAsWritten(t *testing.T) {
	f, err := ReadGameFile("t.toml", []byte(`name = "lands"
ruleset = "toy"
title = "The Lands"
timezone = "Europe/Madrid"
language = "ru"
mailbox = "lands@play.example"
gm = [ { nick = "Gareth", email = ["gm@x.example", "gareth@x.example"] }, { nick = "Gwen", email = "gwen@x.example", language = "en" } ]
copies = [ "a@x.example", { email = "b@x.example", scope = ["public", "added"] }, { email = "c@x.example", digest = true } ]
[tavern]
name = "Inn"
[[member]]
nick = "Anna"
email = "anna@x.example"
forum = ["anna1", { board = "phpbb.example", id = 17 }]
[[member]]
nick = "Olaf"
role = "observer"
timezone = "UTC"
`))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	if err := r.Create(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	g := r.load("lands")
	if g.Title != "The Lands" || g.Zone.String() != "Europe/Madrid" || g.Settings.Tavern != "Inn" || g.Sender != "lands@play.example" {
		t.Errorf("%+v", g)
	}
	var got []string
	for _, m := range g.Members {
		got = append(got, m.Nick+" "+string(m.Role)+" "+m.Language+" "+m.Zone.String()+" "+strings.Join(m.Addresses, ",")+" "+fmt.Sprint(m.Accounts))
	}
	equal(t, "members", got, "Gareth gm ru Europe/Madrid gm@x.example,gareth@x.example [Gareth]", "Gwen gm en Europe/Madrid gwen@x.example [Gwen]",
		"Anna player ru Europe/Madrid anna@x.example [anna1 phpbb.example:17]", "Olaf observer ru UTC  [Olaf]")
	equal(t, "copies", []string{g.Copies[0].String(), g.Copies[1].String(), g.Copies[2].String()},
		"a@x.example", "b@x.example for public added", "c@x.example once a day")
	equal(t, "the opening is told", r.told(), "results anna@x.example", "copy gm@x.example", "copy gwen@x.example", "copy a@x.example", "copy b@x.example", "copy c@x.example", "post tavern")
	if _, m, err := MemberByLink(t.Context(), r.DB.Read(), g.Members[2].Link); err != nil || m.Nick != "Anna" {
		t.Errorf("the link is %v's, %v", m, err)
	}
	if err := r.Create(t.Context(), f); err == nil || !strings.Contains(err.Error(), "t.toml:1: name: a game called \"lands\" is there already") {
		t.Errorf("opened twice: %v", err)
	}
}

const calendarFile = `name = "lands"
ruleset = "toy"
mailbox = "lands@play.example"
gm = { nick = "Gareth", email = "gm@x.example" }
[calendar]
days = ["Mon", "thursday", "Вс", "суббота"]
at = "7:05"
least = "36h"
ready_delay = "90m"
max_missing = 0
remind = ["2d", "12h"]
`

// What [calendar] says counts over what the ruleset keeps, and check tells where file and game differ.
func TestCalendarIsReadAndKept(t *testing.T) {
	f, err := ReadGameFile("t.toml", []byte(calendarFile))
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	r.kits["toy"].Keeps = rules.Calendar{Grace: time.Hour, Least: time.Hour}
	if err := r.Create(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	g, none := r.load("lands"), 0
	want := rules.Calendar{Days: []time.Weekday{time.Monday, time.Thursday, time.Sunday, time.Saturday}, At: &rules.Clock{Hour: 7, Minute: 5},
		Least: 36 * time.Hour, ReadyDelay: 90 * time.Minute, MaxMissing: &none, Remind: []time.Duration{48 * time.Hour, 12 * time.Hour}, Grace: time.Hour}
	if !reflect.DeepEqual(g.Settings.Calendar, want) {
		t.Errorf("%+v\nwant %+v", g.Settings.Calendar, want)
	}
	equal(t, "differences", f.Differences(g))
	text := strings.NewReplacer("36h", "1d", "thursday", "Fri", "\"2d\", ", "", "max_missing = 0", "vacation_days = 3").Replace(calendarFile)
	if f, err = ReadGameFile("t.toml", []byte(text)); err != nil {
		t.Fatal(err)
	}
	equal(t, "differences", f.Differences(g),
		`calendar.days is "Mon, Fri, Sun, Sat" in t.toml and "Mon, Thu, Sun, Sat" in the game; the game's counts`,
		`calendar.least is "1d" in t.toml and "36h" in the game; the game's counts`,
		`calendar.remind is "12h" in t.toml and "2d, 12h" in the game; the game's counts`,
		`calendar.vacation_days is "3" in t.toml and "" in the game; the game's counts`)
}
