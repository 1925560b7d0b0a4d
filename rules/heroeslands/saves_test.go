package heroeslands

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/rules"
	"arroba/rules/rulestest"
)

// warOfTwo is the world of two camps with property, at war: two against two, begun on day 35.
const warOfTwo = `
[world]
lands = ["HL3"]
[world.inhabitants.Oleg]
gold = 100
feuds = { HL3 = 5 }
property = [ { name = "Mill", kind = "mine" }, { name = "Pit", kind = "mine" }, { name = "Boots", kind = "artifact", level = 2 }, { name = "Ring", kind = "artifact", level = 1 },
  { name = "Crown", kind = "artifact", level = 3 } ]
[world.inhabitants.Boris]
feuds = { HL3 = 2 }
suzerain = { HL3 = "Oleg" }
property = [ { name = "Quarry", kind = "mine" }, { name = "Pikemen", kind = "unit", level = 1 } ]
[world.inhabitants.Ivan]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Oleg" }
[world.inhabitants.Karl]
gold = 3000
feuds = { HL3 = 8 }
property = [ { name = "Sawmill", kind = "mine" } ]
[world.inhabitants.Vera]
feuds = { HL3 = 5 }
suzerain = { HL3 = "Karl" }
[world.inhabitants.Petra]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Karl" }
[world.inhabitants.Lazar]
feuds = { HL3 = 1 }
property = [ { name = "Forge", kind = "mine" } ]
`

// declaredWar is how the scripts begin: the rosters are named, and closed at the end of day 7.
const declaredWar = `
	d0 Oleg: DECLARE WAR ON Karl WITH 2 => HL-48
	d0 Oleg: ROSTER Boris, Ivan => HL-56
	d0 Karl: ROSTER Karl, Vera => HL-56
`

func TestSaves(t *testing.T) {
	for _, s := range []script{
		{"HL-64 saves are issued once, when the rosters are closed", warOfTwo, declaredWar + `
			d7 Magistrate: ISSUE SAVES => refused HL-64 rosters
			d7+1s Magistrate: ВЫДАТЬ СЕЙВЫ ВОЙНЫ 1 => HL-64
			! rosters-closed saves-issued
			@ saves-issued rule = HL-64
			@ saves-issued to = gm,Oleg,Karl
			@ saves-issued war = 1
			? wars.0.saves_issued = "2026-01-08T00:00:01Z"
			d8 Magistrate: ISSUE SAVES FOR WAR 1 => refused HL-64 issued
			d8 Oleg: ISSUE SAVES => refused HL-81 gm`},
		{"HL-66 they are sent once, after the issue; else the Magistrate is reminded", warOfTwo, declaredWar + `
			d8 Magistrate: SEND SAVES => refused HL-66 issue
			d8 Magistrate: ISSUE SAVES => HL-64
			d15
			! -
			d15+1s
			! property-closed
			@ property-closed rule = HL-65
			@ property-closed to = gm,Oleg,Karl
			d22
			! -
			d22+1s
			! saves-overdue
			@ saves-overdue rule = HL-66
			@ saves-overdue to = gm
			@ saves-overdue war = 1
			d23 Magistrate: РАЗОСЛАТЬ СЕЙВЫ => HL-66
			! saves-sent
			@ saves-sent to = gm,Oleg,Boris,Ivan,Karl,Vera
			? wars.0.saves_sent = "2026-01-24T00:00:00Z"
			d23 Magistrate: SEND SAVES => refused HL-66 sent`},
		{"HL-66 no reminder when they are sent in time", warOfTwo, declaredWar + `
			d8 Magistrate: ISSUE SAVES => HL-64
			d22 Magistrate: SEND SAVES => HL-66
			d23
			! -`},
		{"HL-64 the suzerain deals them out anew until the war begins", warOfTwo, `
			d0 Oleg: DECLARE WAR ON Karl WITH 2 => HL-48
			d0 Oleg: ASSIGN SAVE 1 TO Ivan => refused HL-64 no-roster
			d0 Oleg: ROSTER Boris, Ivan => HL-56
			d0 Karl: ROSTER Karl, Vera => HL-56
			d1 Oleg: ASSIGN SAVE 1 TO Ivan => HL-64
			! save-assigned
			@ save-assigned to = gm,Ivan,Boris
			@ save-assigned save = 1
			@ save-assigned nick = "Ivan"
			@ save-assigned rule = HL-64
			? wars.0.attacker.roster = ["Ivan","Boris"]
			d8 Oleg: НАЗНАЧИТЬ СЕЙВ 2 ИГРОКУ Ivan ВОЙНА 1 => HL-64
			? wars.0.attacker.roster = ["Boris","Ivan"]
			? wars.0.pairs.1.attacker = "Ivan"
			? wars.0.pairs.0.attacker = "Boris"
			d8 Karl: ASSIGN SAVE 1 TO Vera => HL-64
			? wars.0.pairs.0.defender = "Vera"
			? wars.0.pairs.0.attacker = "Boris"
			d8 Oleg: ASSIGN SAVE 0 TO Ivan => refused HL-64 number
			d8 Oleg: ASSIGN SAVE 3 TO Ivan => refused HL-64 number
			d8 Oleg: ASSIGN SAVE 1 TO Karl => refused HL-64 stranger
			d8 Ivan: ASSIGN SAVE 1 TO Ivan => refused HL-23
			d8 Lazar: ASSIGN SAVE 1 TO Ivan => refused HL-82 no-war
			d35 Oleg: ASSIGN SAVE 1 TO Ivan => refused HL-64 begun
			d35 Oleg: ASSIGN SAVE 9 TO Ivan => refused HL-64 begun`},
		{"HL-65 HL-52 HL-86 property in saves", warOfTwo, declaredWar + `
			d8 Oleg: INSERT Mill INTO SAVE 1 => refused HL-65 issue
			d8 Magistrate: ISSUE SAVES => HL-64
			d8 Oleg: INSERT Mill, Boots INTO SAVE 1 => HL-65
			! property-inserted
			@ property-inserted rule = HL-65
			@ property-inserted to = gm,Oleg
			@ property-inserted items = ["Boots","Mill"]
			@ property-inserted owner = "Oleg"
			@ property-inserted war = 1
			@ property-inserted save = 1
			? property.Mill.held = "war 1"
			? wars.0.pairs.0.attacker_property = ["Boots","Mill"]
			? wars.0.pairs.0.defender_property = []
			d9 Oleg: INSERT Ring INTO SAVE 1 => refused HL-52 limit
			d9 Oleg: INSERT Crown INTO SAVE 2 => refused HL-52 level
			d9 Oleg: INSERT Mill INTO SAVE 2 => refused HL-86 item-held
			d9 Oleg: INSERT Pit, Pit INTO SAVE 2 => refused HL-86 item-twice
			d9 Oleg: INSERT Sawmill INTO SAVE 2 => refused HL-86 item-not-yours
			d9 Oleg: INSERT Quarry FROM Karl INTO SAVE 1 => refused HL-65 stranger
			d9 Oleg: INSERT Quarry FROM Lazar INTO SAVE 9 => refused HL-65 stranger
			d9 Oleg: INSERT Sawmill FROM Boris INTO SAVE 3 => refused HL-64 number
			d9 Oleg: INSERT Sawmill FROM Boris INTO SAVE 2 => refused HL-86 item-not-free
			d9 Oleg: INSERT Quarry, Quarry FROM Boris INTO SAVE 2 => refused HL-86 item-twice
			d9 Boris: INSERT Quarry INTO SAVE 1 => refused HL-23
			d15 Oleg: ВСТАВИТЬ Quarry, Pikemen ОТ Boris В СЕЙВ 2 => HL-65
			@ property-inserted to = gm,Oleg,Boris
			@ property-inserted owner = "Boris"
			? property.Quarry.held = "war 1"
			d15+1s Oleg: INSERT Pit INTO SAVE 1 => refused HL-65 late
			d16 Oleg: GIVE PROPERTY Mill TO Ivan => refused HL-86 item-held`},
		{"HL-65 property for a war that begins within the seven days", warOfTwo, declaredWar + `
			d30 Magistrate: ISSUE SAVES => HL-64
			d36 Oleg: INSERT Pit INTO SAVE 2 => HL-65
			d37 Oleg: INSERT Mill INTO SAVE 2 => HL-65
			d37+1s Oleg: INSERT Mill INTO SAVE 2 => refused HL-65 late`},
	} {
		s.run(t)
	}
}

// TestSaveLetters holds what is refused, and when (HL-68, HL-69).
func TestSaveLetters(t *testing.T) {
	for _, s := range []script{
		{"HL-68 HL-69 a save counts from the beginning to the end of the war", warOfTwo, declaredWar + `
			d34 Boris: SAVE Oleg_save1 DAYS 30 POINTS 500 => refused HL-69 early
			d35 Boris: SAVE Oleg_save1 DAYS 30 POINTS 500 => HL-68
			! war-begun save-received
			@ save-received rule = HL-68
			@ save-received to = gm,Boris
			@ save-received war = 1
			@ save-received save = 1
			@ save-received nick = "Boris"
			@ save-received opponent = "Karl"
			@ save-received days = 30
			@ save-received points = 500
			@ save-received replaces = null
			? wars.0.pairs.0.attacker_save = {"received":"2026-02-05T00:00:00Z","days":30,"points":500}
			d36 Boris: СЕЙВ oleg сейв №1 ОЧКОВ 600 ДНЕЙ 28 => HL-68
			@ save-received replaces = "2026-02-05T00:00:00Z"
			? wars.0.pairs.0.attacker_save = {"received":"2026-02-06T00:00:00Z","days":28,"points":600}
			d36 Boris: SAVE Oleg_save2 DAYS 30 POINTS 500 => refused HL-68
			d36 Boris: SAVE Karl_save1 DAYS 30 POINTS 500 => refused HL-68
			d36 Boris: SAVE Oleg_save9 DAYS 30 POINTS 500 => refused HL-68
			d36 Boris: SAVE Oleg_save0 DAYS 30 POINTS 500 => refused HL-68
			d36 Oleg: SAVE Oleg_save1 DAYS 30 POINTS 500 => refused HL-68
			d36 Lazar: SAVE Oleg_save1 DAYS 30 POINTS 500 => refused HL-68
			d36 Boris: SAVE Oleg_save1 DAYS 0 POINTS 500 => refused HL-84
			d36 Boris: SAVE Oleg_save1 DAYS 1 POINTS -1 => refused HL-84
			d36 Boris: SAVE Oleg_save2 DAYS 2000000000 POINTS 1 => refused HL-84
			d36 Boris: SAVE Nobody_save1 DAYS 1 POINTS 1 => unclear save-title
			d36 Boris: DAYS 30 POINTS 500 => unclear no-save-title
			d36 Boris: SAVE Oleg_save1 => unclear save-figures
			d36 Magistrate: SAVE Oleg_save1 DAYS 1 POINTS 1 => refused HL-81 player
			d36 Karl: POINTS 1 DAYS 1 => unclear no-save-title
			d37 Karl: SAVE karl_SAVE_1.gm1 DAYS 1 POINTS 0 => HL-68
			! save-received pair-saves
			@ pair-saves to = gm
			@ pair-saves save = 1
			d70 Boris: SAVE Oleg_save1 DAYS 1 POINTS 1 => HL-68
			d70+1s Boris: SAVE Oleg_save1 DAYS 1 POINTS 0 => refused HL-69 late`},
	} {
		s.run(t)
	}
}

// TestSaveTitles reads titles in every spelling (HL-68).
func TestSaveTitles(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(warOfTwo+"[world.inhabitants.\"Lord Anna\"]\n", theCast...))
	for _, line := range strings.Split(strings.TrimSpace(strings.ReplaceAll(declaredWar, "\t", "")), "\n") {
		who, say, _ := strings.Cut(strings.TrimPrefix(line, "d0 "), ": ")
		say, _, _ = strings.Cut(say, " =>")
		if a := g.Mail(rulestest.Instant(t, "d0"), who, say); !a.OK() {
			t.Fatalf("%s: %+v", line, a)
		}
	}
	at := rulestest.Instant(t, "d36")
	g.Until(at)
	for _, title := range []string{"Oleg_save1", "oleg save1", "OLEG SAVE 1", "Oleg_save_1", "Oleg_save №1", "Oleg_save № 1", "Oleg save #1", "Oleg_save1.gm1",
		"Oleg_save01.GM1.zip", "Oleg_сейв1", "Oleg сейв №1", "ОLЕG_СЕЙВ_1.gm1", "Oleg_Save__1"} {
		for _, line := range []string{"SAVE %s DAYS 30 POINTS 500", "сейв %s очков 500 дней 30", "Save %s points 1 day 1", "СЕЙВ %s ДЕНЬ 1 ОЧКО 1"} {
			if a := g.Mail(at, "Boris", fmt.Sprintf(line, title)); !a.OK() {
				t.Errorf(line+": %s %+v", title, rulestest.Verdict(a), a.Unclear)
			}
		}
		if a := g.Mail(at, "Boris", "SAVE "+title); rulestest.Verdict(a) != "unclear save-figures" {
			t.Errorf("SAVE %s: %s", title, rulestest.Verdict(a))
		}
	}
	for _, line := range []string{"Save your strength for the war.", "Save me", "Oleg_save1", "Save the date", "сейв пришлю завтра", "Save1 is the hardest"} {
		if a := g.Mail(at, "Boris", line); !a.Prose() {
			t.Errorf("%s: %s %+v", line, rulestest.Verdict(a), a.Unclear)
		}
	}
}

// TestSaveByFileOrSubject takes the title from the files, else from the subject, and tells what a letter says by them (HL-68).
func TestSaveByFileOrSubject(t *testing.T) {
	for _, c := range []struct {
		name    string
		line    string // "" for a letter without a line
		subject string
		files   []string
		want    string // the verdict, or the line that is implied
		file    string // of the save that was taken
	}{
		{"the file's name", "DAYS 30 POINTS 500", "my turn", []string{"readme.txt", "Oleg_save1.gm1"}, "HL-68", "Oleg_save1.gm1"},
		{"the subject", "DAYS 30 POINTS 500", "Oleg_save1", nil, "HL-68", ""},
		{"the file before the subject", "DAYS 30 POINTS 500", "Oleg_save2", []string{"Oleg_save1.gm1"}, "HL-68", "Oleg_save1.gm1"},
		{"the line before the file", "SAVE Oleg_save1 DAYS 30 POINTS 500", "Oleg_save2", []string{"Oleg_save2.gm1", "x"}, "HL-68", ""},
		{"the only file, however it is called", "SAVE Oleg_save1 DAYS 30 POINTS 500", "", []string{"victory.gm1"}, "HL-68", "victory.gm1"},
		{"the same title twice", "DAYS 30 POINTS 500", "", []string{"oleg save 1.gm1", "Oleg_save1.txt"}, "HL-68", "oleg save 1.gm1"},
		{"two titles", "DAYS 30 POINTS 500", "", []string{"Oleg_save1.gm1", "Oleg_save2.gm1"}, "unclear save-titles", ""},
		{"another's", "DAYS 30 POINTS 500", "Oleg_save2", nil, "refused HL-68", ""},
		{"nobody's", "DAYS 30 POINTS 500", "Nobody_save1", []string{"Mine_save1.gm1"}, "unclear no-save-title", ""},
		{"a file without figures", "", "hello", []string{"Oleg_save1.gm1"}, "SAVE Oleg_save1.gm1", ""},
		{"a subject without figures", "", "Oleg_save1", nil, "SAVE Oleg_save1", ""},
		{"two files without figures", "", "", []string{"Oleg_save2.gm1", "Oleg_save1.gm1"}, "SAVE Oleg_save1.gm1", ""},
		{"nothing", "", "hello", []string{"photo_save1.jpg"}, "", ""},
		{"a successor's in the line", "SAVE Nina the Bold_save1 DAYS 30 POINTS 500", "", nil, "HL-68", ""},
		{"a successor's file", "DAYS 30 POINTS 500", "", []string{"nina_the_bold_save1.gm1"}, "HL-68", "nina_the_bold_save1.gm1"},
		{"a successor's subject without figures", "", "Nina the Bold_save1", nil, "SAVE Nina the Bold_save1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &State{Inhabitants: map[string]*Inhabitant{"Oleg": {}, "Boris": {}, "Karl": {}}, Lands: []string{"HL3"}}
			w := &War{ID: 1, Land: "HL3", Status: begun, Participants: 2, Attacker: Side{Suzerain: "Oleg", Roster: []string{"Boris", "Oleg"}},
				Defender: Side{Suzerain: "Karl", Roster: []string{"Karl", ""}}, Pairs: []Pair{{Attacker: "Boris", Defender: "Karl"}, {Attacker: "Oleg"}}}
			s.Wars = []*War{w}
			l := rules.Letter{Subject: c.subject, Nicks: map[string]rules.Seat{"Nina the Bold": "Oleg"}}
			for i, f := range c.files {
				l.Attachments = append(l.Attachments, rules.Attachment{Name: f, Hash: fmt.Sprint("hash", i)})
			}
			by := rules.Actor{Seat: "Boris", Role: rules.Player}
			if c.line == "" {
				want := []string{c.want}
				if c.want == "" {
					want = nil
				}
				if got := implied(s, l, by, []string{"e-help"}); !slices.Equal(got, want) {
					t.Errorf("it says %q", got)
				}
				for _, form := range []string{"save", "save-title"} {
					if got := implied(s, l, by, []string{form}); got != nil {
						t.Errorf("beside a line of the form %s it says %q", form, got)
					}
				}
				if got := implied(s, l, rules.Actor{Seat: "Magistrate", Role: rules.GM}, nil); got != nil {
					t.Errorf("by the Magistrate it says %q", got)
				}
				return
			}
			res := textGrammar.Parse(c.line, s.names(), false)
			if res.Order == nil {
				t.Fatalf("it is no order: %+v", res.Unclear)
			}
			_, ev, ru := take(s, *res.Order, rules.Env{At: textsAt, Zone: time.UTC, By: by, Letter: &l})
			if got := rulestest.Verdict(rulestest.Answer{Order: res.Order, Ruling: ru}); got != c.want {
				t.Fatalf("it was %s %v", got, ru.Data)
			}
			if !ru.OK() {
				return
			}
			if save := w.Pairs[0].AttackerSave; save.Name != c.file || (save.Hash != "") != (c.file != "") {
				t.Errorf("its file is %q %q", save.Name, save.Hash)
			}
			if e := rulestest.Find(ev, "save-received"); e.Data["file"] != orNull(c.file) {
				t.Errorf("it is told with the file %v", e.Data["file"])
			}
		})
	}
}
