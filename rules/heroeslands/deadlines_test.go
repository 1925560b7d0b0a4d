package heroeslands

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"arroba/rules"
	"arroba/rules/rulestest"
	"arroba/templates"
)

// courts is a world in which somebody can be called to everything that has a deadline.
const courts = `
[world]
lands = ["HL3"]
[world.rules]
continent_rule = "off"
offer_days = 10
[world.capacity]
count = 4
marquis = 5
[world.inhabitants.Oleg]
gold = 3000
feuds = { HL3 = ["O1", "O2", "O3", "O4", "O5"] }
[world.inhabitants.Boris]
gold = 1000
feuds = { HL3 = ["B1", "B2", "B3"] }
suzerain = { HL3 = "Oleg" }
[world.inhabitants.Ivan]
feuds = { HL3 = 1 }
offices = { krt = 2026-01-03T00:00:00Z }
immunity = { HL3 = 2026-01-03T00:00:00Z }
independence_bar = { HL3 = 2026-01-03T00:00:00Z }
[world.inhabitants.Lazar]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Oleg" }
`

// seenDeadlines lists the deadlines that a viewer may know of, and for whom they wait.
func seenDeadlines(t *testing.T, g *rulestest.Game, nick string) (list []string) {
	t.Helper()
	all, err := g.State.Waits(rules.Viewer{Seat: rules.Seat(nick), GM: nick == "Magistrate"})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		list = append(list, fmt.Sprint(d.At.Format("01-02T15:04:05 "), d.Kind, " ", d.Waits))
	}
	return list
}

func TestDeadlines(t *testing.T) {
	everybody := []string{"", "Olga", "Magistrate", "Oleg", "Boris", "Ivan", "Lazar", "Observer"}
	type step struct{ at, by, line string }
	for _, c := range []struct {
		name  string
		steps []step
		want  []string
		known []string // to whom, besides the Magistrate
	}{
		{"the opening: an immunity, a bar and a term of office", nil, nil, nil},
		{"HL-03 an offer waits for the other's consent", []step{{"02T10:00:00", "Ivan", "SERVE Oleg"}},
			[]string{"01-12T10:00:00 consent [Oleg]"}, []string{"Ivan", "Oleg"}},
		{"HL-03 an invitation does", []step{{"02T10:00:00", "Oleg", "INVITE Ivan"}},
			[]string{"01-12T10:00:00 consent [Ivan]"}, []string{"Ivan", "Oleg"}},
		{"HL-03 then for both announcements", []step{{"02T10:00:00", "Ivan", "SERVE Oleg"}, {"03T10:00:00", "Oleg", "INVITE Ivan"}},
			[]string{"01-12T10:00:00 announcement [Ivan Oleg]"}, []string{"Ivan", "Oleg"}},
		{"HL-03 and for the second one, up to its last instant", []step{{"02T10:00:00", "Ivan", "SERVE Oleg"}, {"03T10:00:00", "Oleg", "INVITE Ivan"},
			{"04T10:00:00", "Ivan", "ANNOUNCE VASSALAGE WITH Oleg"}, {"12T10:00:00", "Ivan", "LEAVE CLAN"}},
			[]string{"01-12T10:00:00 announcement [Oleg]"}, []string{"Ivan", "Oleg"}},
		{"HL-03 an offer that has lapsed waits for nobody", []step{{"02T10:00:00", "Ivan", "SERVE Oleg"}, {"12T10:00:01", "Ivan", "LEAVE CLAN"}}, nil, nil},
		{"HL-03 nor does one that was declined", []step{{"02T10:00:00", "Ivan", "SERVE Oleg"}, {"02T11:00:00", "Oleg", "DECLINE VASSALAGE WITH Ivan"}}, nil, nil},
		{"HL-06 a window waits for the fallen lord", []step{{"02T10:00:00", "Magistrate", "TAKE FEUD O1 FROM Oleg"}, {"02T10:00:00", "Magistrate", "TAKE FEUD O2 FROM Oleg"},
			{"02T10:00:00", "Magistrate", "TAKE FEUD O3 FROM Oleg"}}, []string{"01-09T10:00:00 window [Oleg]"}, []string{"Oleg"}},
		{"HL-06 one that is met waits for nobody", []step{{"02T10:00:00", "Magistrate", "TAKE FEUD O1 FROM Oleg"}, {"02T10:00:00", "Magistrate", "TAKE FEUD O2 FROM Oleg"},
			{"02T10:00:00", "Magistrate", "TAKE FEUD O3 FROM Oleg"}, {"03T10:00:00", "Oleg", "RELEASE Lazar"}}, nil, nil},
		{"HL-43 a duel waits for both and the Magistrate", []step{{"02T10:00:00", "Boris", "CHALLENGE Oleg FOR INDEPENDENCE"}},
			[]string{"02-01T10:00:00 duel [Boris Magistrate Oleg]"}, []string{"Boris", "Oleg"}},
		{"HL-43 a postponed one later", []step{{"02T10:00:00", "Boris", "CHALLENGE Oleg FOR INDEPENDENCE"}, {"03T10:00:00", "Oleg", "POSTPONE DUEL BY 5 DAYS"}},
			[]string{"02-06T10:00:00 duel [Boris Magistrate Oleg]"}, []string{"Boris", "Oleg"}},
		{"HL-43 at its last instant still", []step{{"02T10:00:00", "Boris", "CHALLENGE Oleg FOR INDEPENDENCE"}, {"32T10:00:00", "Ivan", "LEAVE CLAN"}},
			[]string{"02-01T10:00:00 duel [Boris Magistrate Oleg]"}, []string{"Boris", "Oleg"}},
		{"HL-43 one that is due has no deadline any more", []step{{"02T10:00:00", "Boris", "CHALLENGE Oleg FOR INDEPENDENCE"}, {"32T10:00:01", "Ivan", "LEAVE CLAN"}}, nil, nil},
		{"HL-41 nor has one that is over", []step{{"02T10:00:00", "Boris", "CHALLENGE Oleg FOR INDEPENDENCE"}, {"03T10:00:00", "Magistrate", "RESULT DUEL 1 DRAW"}}, nil, nil},
		{"the next first", []step{{"02T10:00:00", "Boris", "CHALLENGE Oleg FOR INDEPENDENCE"}, {"02T11:00:00", "Ivan", "SERVE Oleg"}},
			[]string{"01-12T11:00:00 consent [Oleg]", "02-01T10:00:00 duel [Boris Magistrate Oleg]"}, []string{"Oleg"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := rulestest.Open(t, ruleset, rulestest.World(courts, theCast...))
			for _, s := range c.steps {
				var day int
				var clock string
				if _, err := fmt.Sscanf(s.at, "%dT%s", &day, &clock); err != nil {
					t.Fatal(err)
				}
				at, err := time.Parse(time.RFC3339, "2026-01-01T"+clock+"Z")
				if err != nil {
					t.Fatal(err)
				}
				g.Until(at.AddDate(0, 0, day-1))
				if a := g.Mail(at.AddDate(0, 0, day-1), s.by, s.line); !a.OK() && s.line != "LEAVE CLAN" {
					t.Fatalf("%s: %+v", s.line, a.Ruling)
				}
			}
			if got := seenDeadlines(t, g, "Magistrate"); !slices.Equal(got, c.want) {
				t.Errorf("the Magistrate sees %q, want %q", got, c.want)
			}
			for _, nick := range everybody {
				got := seenDeadlines(t, g, nick)
				if known := slices.Contains(c.known, nick); known && !slices.Equal(got, c.want) || !known && nick != "Magistrate" && len(c.want) < 2 && got != nil {
					t.Errorf("%q sees %q", nick, got)
				}
			}
		})
	}
}

// Nobody is reminded of a deadline as of before it was set.
func TestDeadlinesAreSet(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(courts, theCast...))
	at := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	for i, o := range []struct{ by, line string }{
		{"Magistrate", "TAKE FEUD O1 FROM Oleg"}, {"Lazar", "CHALLENGE Oleg FOR INDEPENDENCE"}, {"Oleg", "POSTPONE DUEL BY 5 DAYS"},
		{"Magistrate", "GRANT FEUD O1 TO Oleg"}, {"Ivan", "SERVE Oleg"}, {"Magistrate", "TAKE FEUD O1 FROM Oleg"}, {"Magistrate", "TAKE FEUD O2 FROM Oleg"},
		{"Magistrate", "TAKE FEUD O3 FROM Oleg"},
	} {
		if a := g.Mail(at.Add(time.Duration(i)*time.Hour), o.by, o.line); !a.OK() {
			t.Fatalf("%s: %+v", o.line, a.Ruling)
		}
	}
	list, err := g.State.Waits(rules.Viewer{GM: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range list {
		got = append(got, d.Kind+d.Set.Format(" 15"))
	}
	if want := []string{"window 17", "consent 14", "duel 12"}; !slices.Equal(got, want) {
		t.Errorf("they were set as %q, want %q", got, want)
	}
}

// Two falls at one instant open two windows and are one deadline, the strictest.
func TestWindowsOfOneInstant(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(courts+"[world.inhabitants.Karl]\nfeuds = { HL3 = 1 }\nsuzerain = { HL3 = \"Oleg\" }", theCast...))
	at := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	g.Mail(at, "Magistrate", "OVERRIDE VASSAL Ivan OF Oleg")
	for _, feud := range []string{"O1", "O2", "O3"} {
		if a := g.Mail(at, "Magistrate", "TAKE FEUD "+feud+" FROM Oleg"); !a.OK() {
			t.Fatalf("%+v", a.Ruling)
		}
	}
	if n := len(seen(t, g).Inhabitants["Oleg"].Windows["HL3"]); n != 2 {
		t.Fatalf("there are %d windows", n)
	}
	list, err := g.State.Waits(rules.Viewer{Seat: "Oleg"})
	if err != nil || len(list) != 1 || list[0].Data["allowed"] != 0 {
		t.Errorf("%+v %v", list, err)
	}
}

func TestDeadlineTexts(t *testing.T) {
	x := texts(t)
	for _, c := range []struct {
		kind    string
		changes rules.Data
		en, ru  string
	}{
		{"window", rules.Data{"allowed": 2}, "Olga has to release vassals until no more than 2 are left in HL3; otherwise all of them are free then.",
			"Olga: до этого срока нужно отпустить стольких вассалов в Земле HL3, чтобы осталось не больше чем 2 вассала, иначе свободны будут все."},
		{"window", rules.Data{"allowed": 0}, "Olga has to release all vassals in HL3; if not, they are free then anyway.",
			"Olga: до этого срока нужно отпустить всех вассалов в Земле HL3, иначе они и так будут свободны."},
		{"consent", rules.Data{"missing": []string{"Ivan"}}, "The offer that Ivan serve Olga in HL3 lapses unless Ivan consents.",
			"Предложение вассалитета в Земле HL3 (сюзерен — Olga, вассал — Ivan) истечёт, если до этого срока не согласится Ivan."},
		{"announcement", rules.Data{"missing": []string{"Ivan"}}, "The service of Ivan to Olga in HL3, to which both have consented, comes to nothing unless Ivan announces it.",
			"Согласованный вассалитет в Земле HL3 (сюзерен — Olga, вассал — Ivan) не состоится, если до этого срока о нём не объявит Ivan."},
		{"announcement", rules.Data{"missing": []string{"Ivan", "Olga"}}, "The service of Ivan to Olga in HL3, to which both have consented, comes to nothing unless Ivan and Olga announce it.",
			"Согласованный вассалитет в Земле HL3 (сюзерен — Olga, вассал — Ivan) не состоится, если до этого срока о нём не объявят Ivan и Olga."},
		{"duel", nil, "Duel 12 (Oleg against Boris, HL3) falls due: it is to be fought by then, and the Magistrate to have its result.",
			"К этому сроку должна быть сыграна дуэль 12 (Oleg — Boris, HL3), а её итог — известен Магистрату."},
	} {
		d := rules.Deadline{At: textsTill, Kind: c.kind, Data: throughJSON(t, with(c.changes))}
		for _, r := range []templates.Reader{english, russian} {
			want := map[string]string{"en": c.en, "ru": c.ru}[r.Language]
			got, err := x.Deadline(r, d)
			if err != nil || got != want {
				t.Errorf("%s: %v\n got %s\nwant %s", c.kind, err, got, want)
			}
			noOrders(t, x, r, c.kind, got)
		}
	}
}
