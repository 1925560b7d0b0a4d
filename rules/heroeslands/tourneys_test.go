package heroeslands

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/rules"
	"arroba/rules/rulestest"
	"arroba/templates"
)

// field is two suzerains with vassals, a presenter who is an inhabitant, and one who serves nobody.
const field = `
[world]
lands = ["HL3"]
presenter = "Petra"
[world.magistrate]
gold = 1000
[world.inhabitants.Oleg]
feuds = { HL3 = 8 }
[world.inhabitants.Boris]
feuds = { HL3 = 2 }
suzerain = { HL3 = "Oleg" }
[world.inhabitants.Ivan]
feuds = { HL3 = 3 }
suzerain = { HL3 = "Oleg" }
[world.inhabitants.Karl]
feuds = { HL3 = 16 }
war_immunity = { HL3 = 2 }
[world.inhabitants.Lazar]
feuds = { HL3 = 4 }
suzerain = { HL3 = "Karl" }
[world.inhabitants.Vera]
feuds = { HL3 = 1 }
war_immunity = { HL3 = 1 }
[world.inhabitants.Petra]
gold = 100
feuds = { HL3 = 1 }
`

func TestTourneys(t *testing.T) {
	for _, s := range []script{
		{"HL-09 HL-10 HL-11 closed, placed, claimed for", field, `
			d1 Petra: CLOSE TOURNEY Spring => HL-09
			! tourney-closed war-immunity
			@ tourney-closed to = tavern,gm,copies
			@ tourney-closed tourney = "Spring"
			@ tourney-closed land = "HL3"
			@ tourney-closed common = true
			+ PLACE 1 Boris DAYS 30 POINTS 500 => HL-10
			+ PLACE 2 Lazar DAYS 31 POINTS 900 GOLD 7 => HL-10
			@ placed to = tavern,gm,copies,Lazar
			@ placed rule = HL-10
			@ placed place = 2
			@ placed nick = "Lazar"
			@ placed days = 31
			@ placed points = 900
			@ placed gold = 7
			+ место 2 Vera дней 31 очков 900 золота 6 => HL-10
			+ PLACE 4 Ivan DAYS 40 POINTS 0 => HL-10
			? tourneys.0.closed = "2026-01-02T00:00:00Z"
			? tourneys.0.claims_until = "2026-01-09T00:00:00Z"
			? tourneys.0.best = ["Oleg"]
			? tourneys.0.results.0 = {"place":1,"nick":"Boris","days":30,"points":500,"gold":0,"suzerain":"Oleg","feuds":2,"paid":false}
			? tourneys.0.results.2.suzerain = null
			d2 Oleg: CLAIM BONUS IN spring FOR Boris 1, Ivan 3, Vera 2 => HL-09
			! bonus-paid gold-moved
			@ bonus-paid rule = HL-11
			@ bonus-paid to = gm,Petra,Oleg
			@ bonus-paid amount = 40
			@ bonus-paid doubled = true
			@ bonus-paid vassals = ["Boris"]
			@ bonus-paid unpaid = ["Ivan","Vera"]
			@ gold-moved rule = HL-09
			@ gold-moved reason = "bonus"
			@ gold-moved to = gm,Oleg
			? tourneys.0.paid = {"Oleg":40}
			? tourneys.0.shared = {"Oleg":0}
			d3 Oleg: CLAIM BONUS IN Spring FOR Boris 1 => refused HL-12 nobody
			d3 Oleg: БОНУС ЗА Spring ВАССАЛЫ Boris 1, Ivan 4 и Ivan 4 => HL-09
			@ bonus-paid amount = 60
			@ bonus-paid vassals = ["Ivan"]
			d3 Karl: CLAIM BONUS IN Spring FOR Lazar 2 => HL-09
			@ bonus-paid rule = HL-09
			@ bonus-paid amount = 40
			@ bonus-paid doubled = false
			? tourneys.0.paid = {"Oleg":100,"Karl":40}
			? magistrate.gold = 860
		`},
		{"HL-09 HL-12 HL-82 HL-84 claims refused, in their order", field, `
			d1 Magistrate: CLOSE TOURNEY Spring => HL-09
			+ PLACE 1 Lazar DAYS 3 POINTS 5 => HL-10
			d1 Magistrate: CLOSE TOURNEY Autumn OTHER => HL-09
			! tourney-closed
			@ tourney-closed common = false
			+ PLACE 1 Boris DAYS 3 POINTS 5 => HL-10
			d1 Oleg: CLAIM BONUS IN Winter FOR Boris 1 => unclear
			d1 Oleg: CLAIM BONUS IN Spring FOR Boris first => unclear
			d1 Magistrate: CLAIM BONUS IN Spring FOR Boris 0 => refused HL-81 player
			d1 Oleg: CLAIM BONUS IN Spring FOR Boris 1, Ivan 0 => refused HL-84
			d1 Oleg: CLAIM BONUS IN Spring FOR Boris 1 => refused HL-09 vassals
			d1 Oleg: CLAIM BONUS IN Autumn FOR Boris 1 => refused HL-09 other
			d1 Karl: CLAIM BONUS IN Autumn FOR Lazar 1 => refused HL-09 vassals
			d1 Karl: CLAIM BONUS IN Spring FOR Lazar 2 => refused HL-12 nobody
			d1 Karl: CLAIM BONUS IN Spring FOR Boris 1 => refused HL-12 nobody
		`},
		{"HL-09 no rate, no bonus", field + "[world.bonus]\nHL4 = 20\n", `
			d1 Petra: CLOSE TOURNEY Spring => HL-09
			+ PLACE 1 Lazar DAYS 3 POINTS 5 => HL-10
			d1 Karl: CLAIM BONUS IN Spring FOR Lazar 1 => refused HL-09 rate
		`},
		{"HL-12 the last instant counts", field, `
			d1 Petra: CLOSE TOURNEY Spring => HL-09
			+ PLACE 1 Lazar DAYS 3 POINTS 5 => HL-10
			+ PLACE 2 Boris DAYS 3 POINTS 5 => HL-10
			d8 Karl: CLAIM BONUS IN Spring FOR Lazar 1 => HL-09
			d8+1s Oleg: CLAIM BONUS IN Spring FOR Boris 2 => refused HL-12 late
			d8+1s Oleg: БОНУС ЗА Spring ВАССАЛ Boris 1 => refused HL-12 late
		`},
		{"HL-10 fewer days, then more points, then more gold; all equal, all are best", field, `
			d1 Petra: CLOSE TOURNEY A => HL-09
			+ PLACE 1 Boris DAYS 3 POINTS 5 => HL-10
			? tourneys.0.best = []
			+ PLACE 1 Ivan DAYS 2 POINTS 1 => HL-10
			? tourneys.0.best = []
			+ PLACE 1 Lazar DAYS 3 POINTS 6 => HL-10
			? tourneys.0.best = ["Oleg"]
			d1 Petra: CLOSE TOURNEY B => HL-09
			+ PLACE 1 Boris DAYS 3 POINTS 5 => HL-10
			+ PLACE 1 Lazar DAYS 3 POINTS 6 => HL-10
			? tourneys.1.best = ["Karl"]
			d1 Petra: CLOSE TOURNEY C => HL-09
			+ PLACE 1 Boris DAYS 3 POINTS 5 GOLD 8 => HL-10
			+ PLACE 1 Vera DAYS 1 POINTS 9 GOLD 9 => HL-10
			+ PLACE 1 Lazar DAYS 3 POINTS 5 => HL-10
			? tourneys.2.best = ["Oleg"]
			d1 Petra: CLOSE TOURNEY D => HL-09
			+ PLACE 1 Boris DAYS 3 POINTS 5 GOLD 8 => HL-10
			+ PLACE 1 Lazar DAYS 3 POINTS 5 GOLD 8 => HL-10
			? tourneys.3.best = ["Karl","Oleg"]
			d2 Karl: CLAIM BONUS IN D FOR Lazar 1 => HL-09
			@ bonus-paid amount = 80
			d2 Oleg: CLAIM BONUS IN D FOR Boris 1 => HL-09
			@ bonus-paid amount = 40
		`},
		{"HL-10 HL-11 with one suzerain nothing doubles", field, `
			d1 Petra: CLOSE TOURNEY A => HL-09
			+ PLACE 1 Boris DAYS 3 POINTS 5 => HL-10
			d2 Oleg: CLAIM BONUS IN A FOR Boris 1 => HL-09
			@ bonus-paid doubled = false
			@ bonus-paid amount = 20
		`},
		{"HL-09 suzerains and feuds are those of the closing", field, `
			d1 Magistrate: CLOSE TOURNEY A => HL-09
			+ OVERRIDE FREE Boris => HL-30
			+ TAKE FEUD Boris1 FROM Boris => HL-01
			+ TAKE FEUD Ivan1 FROM Ivan => HL-01
			+ OVERRIDE VASSAL Vera OF Karl => HL-30
			+ PLACE 1 Boris DAYS 3 POINTS 5 => HL-10
			+ PLACE 2 Ivan DAYS 3 POINTS 5 => HL-10
			+ PLACE 3 Vera DAYS 3 POINTS 5 => HL-10
			? tourneys.0.results.0.suzerain = "Oleg"
			? tourneys.0.results.0.feuds = 2
			? tourneys.0.results.1.feuds = 3
			? tourneys.0.results.2.suzerain = null
			d1 Magistrate: OVERRIDE FREE Ivan => HL-30
			d2 Oleg: CLAIM BONUS IN A FOR Boris 1, Ivan 2 => HL-09
			@ bonus-paid amount = 50
			d2 Oleg: TRANSFER PRIZE OF A 5 TO Boris => refused HL-13 vassal
		`},
		{"HL-81 HL-82 HL-84 HL-88 closing and placing refused, in their order", field, `
			d1 Boris: CLOSE TOURNEY A => refused HL-81 presenter
			d1 Olga: CLOSE TOURNEY A => refused HL-81 presenter
			d1 Boris: PLACE 0 Boris DAYS 1 POINTS 1 => refused HL-81 presenter
			d1 Petra: CREDIT 5 TO Petra => refused HL-81 gm
			d1 Petra: OVERRIDE WAR IMMUNITY Petra 4 => refused HL-81 gm
			d1 Petra: CLOSE TOURNEY A B => unclear
			d1 Petra: CLOSE TOURNEY --- => unclear new-tourney
			d1 Petra: PLACE 1 Boris DAYS 1 POINTS 1 => refused HL-82 placing
			d1 Petra: CLOSE TOURNEY A => HL-09
			+ PLACE 0 Boris DAYS 1 POINTS 1 => refused HL-84
			+ PLACE 1 Boris DAYS 0 POINTS 1 => refused HL-84
			+ PLACE 1 Boris DAYS 1 POINTS -1 => refused HL-84
			+ PLACE 1 Boris DAYS 1 POINTS 1 GOLD -1 => refused HL-84
			+ PLACE 1000000007 Boris DAYS 1 POINTS 1 => refused HL-84
			+ PLACE 1 Nobody DAYS 1 POINTS 1 => unclear
			+ PLACE 1000000000 Boris DAYS 1000000000 POINTS 0 GOLD 1000000000 => HL-10
			+ PLACE 2 Boris DAYS 1 POINTS 1 => refused HL-88 placed
			+ PLACE 0 Boris DAYS 1 POINTS 1 => refused HL-84
			d1 Petra: PLACE 1 Ivan DAYS 1 POINTS 1 => refused HL-82 placing
			d1 Petra: CLOSE TOURNEY A => refused HL-88 tourney
			+ PLACE 1 Ivan DAYS 1 POINTS 1 => refused HL-82 placing
			d1 Petra: PLACE 0 Ivan DAYS 1 POINTS 1 => refused HL-84
			d2 Magistrate: PLACE 1 Ivan DAYS 1 POINTS 1 => refused HL-82 placing
			d2 Magistrate: CLOSE TOURNEY a => refused HL-88 tourney
			+ PLACE 1 Ivan DAYS 1 POINTS 1 => refused HL-82 placing
			d2 Magistrate: ЗАКРЫТЬ ТУРНИР Весна-2026 ДРУГОЙ => HL-09
			@ tourney-closed tourney = "Весна-2026"
			@ tourney-closed common = false
		`},
		{"HL-82 places stand below the line that closes their tourney", twoLands, `
			d1 Magistrate: CLOSE TOURNEY Spring => unclear which-land
			+ PLACE 1 Ivan DAYS 1 POINTS 1 => refused HL-82 placing
			d1 Magistrate: CLOSE TOURNEY Spring IN HL3 => HL-09
			+ PLACE 1 Ivan DAYS 1 POINTS 1 => HL-10
			+ CLOSE TOURNEY Spring IN HL4 => refused HL-88 tourney
			+ PLACE 1 Boris DAYS 1 POINTS 1 => refused HL-82 placing
			d1 Magistrate: CLOSE TOURNEY Summer IN HL3 => HL-09
			+ CLOSE TOURNEY Summer Cup IN HL4 => unclear
			+ PLACE 1 Boris DAYS 1 POINTS 1 => refused HL-82 placing
			+ CLOSE TOURNEY Autumn IN HL4 OTHER => HL-09
			+ PLACE 2 Boris DAYS 1 POINTS 1 => HL-10
			? tourneys.1.results = []
			? tourneys.2.results.0.nick = "Boris"
		`},
		{"HL-13 HL-83 HL-84 HL-85 the prize is passed on", field, `
			d1 Petra: CLOSE TOURNEY A => HL-09
			+ PLACE 1 Boris DAYS 3 POINTS 5 => HL-10
			+ PLACE 2 Ivan DAYS 3 POINTS 5 => HL-10
			d2 Oleg: TRANSFER PRIZE OF A 1 TO Boris => refused HL-13 more
			d2 Oleg: CLAIM BONUS IN A FOR Ivan 2 => HL-09
			d2 Oleg: TRANSFER PRIZE OF B 1 TO Boris => unclear
			d2 Oleg: TRANSFER PRIZE OF A 0 TO Oleg => refused HL-84
			d2 Oleg: TRANSFER PRIZE OF A 1 TO Oleg => refused HL-83
			d2 Oleg: TRANSFER PRIZE OF A 1 TO Lazar => refused HL-13 vassal
			d2 Oleg: TRANSFER PRIZE OF A 31 @ TO Boris => refused HL-13 more
			d2 Oleg: TRANSFER PRIZE OF A 20 @ TO Boris => HL-13
			! gold-moved
			@ gold-moved rule = HL-13
			@ gold-moved reason = "prize"
			@ gold-moved to = gm,Oleg,Boris
			? tourneys.0.shared = {"Oleg":20}
			d2 Oleg: TRANSFER PRIZE OF A 11 @ TO Boris => refused HL-13 more
			d2 Oleg: GIVE 5 TO Lazar => HL-18
			d2 Oleg: ПЕРЕДАТЬ ПРИЗ A 10 @ ИГРОКУ Ivan => refused HL-85
			d9 Oleg: ПЕРЕДАТЬ ПРИЗ A 5 арроб ИГРОКУ Ivan => HL-13
			? inhabitants.Oleg.gold = 0
		`},
		{"HL-78 war immunity is counted down at Common Tourneys of the Land", field, `
			? inhabitants.Karl.war_immunity.HL3 = 2
			d1 Petra: CLOSE TOURNEY A OTHER => HL-09
			? inhabitants.Karl.war_immunity.HL3 = 2
			d1 Petra: CLOSE TOURNEY B => HL-09
			! tourney-closed war-immunity
			@ war-immunity nick = "Vera"
			@ war-immunity tourneys = 0
			@ war-immunity to = tavern,gm,copies,Vera
			? inhabitants.Karl.war_immunity.HL3 = 1
			? inhabitants.Vera.war_immunity.HL3 = 0
			d2 Magistrate: OVERRIDE WAR IMMUNITY Karl -1 => refused HL-84
			d2 Magistrate: OVERRIDE WAR IMMUNITY Karl 100 => refused HL-84
			d2 Magistrate: OVERRIDE WAR IMMUNITY Karl 99 => HL-78
			! war-immunity
			@ war-immunity rule = HL-78
			@ war-immunity tourneys = 99
			d2 Magistrate: РЕШЕНИЕ ВОЕННАЯ ЗАЩИТА Karl 0 => HL-78
			@ war-immunity tourneys = 0
			d3 Petra: CLOSE TOURNEY C => HL-09
			! tourney-closed
			? inhabitants.Karl.war_immunity.HL3 = 0
		`},
	} {
		s.run(t)
	}
}

// closeSpring closes a tourney in the field as of an instant.
func closeSpring(t *testing.T, g *rulestest.Game, at time.Time) {
	t.Helper()
	lines := []string{"CLOSE TOURNEY Spring", "PLACE 1 Boris DAYS 3 POINTS 5", "PLACE 2 Lazar DAYS 3 POINTS 5", "PLACE 3 Ivan DAYS 9 POINTS 5", "PLACE 4 Vera DAYS 9 POINTS 4"}
	for i, line := range lines {
		if a := g.Line(rulestest.Step{At: at, By: "Petra", Line: line, More: i < len(lines)-1}); !a.OK() {
			t.Fatalf("%s: %+v", line, a)
		}
	}
}

// What a suzerain has to claim is his deadline and is offered to him, until it is claimed or lost; nobody else hears of it.
func TestClaimsAreDueAndOffered(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(field, theCast...))
	at := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	closeSpring(t, g, at)
	bonuses := func(nick string) []string {
		return slices.DeleteFunc(offered(t, g, rules.Viewer{Seat: rules.Seat(nick)}), func(line string) bool {
			return !strings.Contains(line, "BONUS") && !strings.Contains(line, "PRIZE")
		})
	}
	oleg, karl := "01-09T10:00:00 claim [Oleg]", "01-09T10:00:00 claim [Karl]"
	for _, c := range []struct {
		by, line  string
		after     time.Duration
		deadlines map[string][]string
		offers    map[string][]string
	}{
		{"", "", 0, map[string][]string{"Magistrate": {karl, oleg}, "Oleg": {oleg}, "Karl": {karl}, "Boris": nil, "Vera": nil, "Petra": nil, "": nil},
			map[string][]string{"Oleg": {"CLAIM BONUS IN Spring FOR Boris 1, Ivan 3"}, "Karl": {"CLAIM BONUS IN Spring FOR Lazar 2"}, "Boris": nil, "Vera": nil}},
		{"Oleg", "CLAIM BONUS IN Spring FOR Boris 1", time.Hour, map[string][]string{"Oleg": {oleg}},
			map[string][]string{"Oleg": {"CLAIM BONUS IN Spring FOR Ivan 3", "TRANSFER PRIZE OF Spring <amount> TO Boris"}}},
		{"Oleg", "CLAIM BONUS IN Spring FOR Ivan 3", time.Hour, map[string][]string{"Magistrate": {karl}, "Oleg": nil},
			map[string][]string{"Oleg": {"TRANSFER PRIZE OF Spring <amount> TO Boris"}}},
		{"Karl", "LEAVE CLAN", 7 * day, map[string][]string{"Karl": {karl}}, nil},
		{"Karl", "LEAVE CLAN", 7*day + time.Second, map[string][]string{"Karl": nil, "Magistrate": nil}, map[string][]string{"Karl": nil, "Oleg": nil}},
	} {
		g.Until(at.Add(c.after))
		if a := g.Mail(at.Add(c.after), c.by, c.line); !a.OK() && c.by != "" && c.line != "LEAVE CLAN" {
			t.Fatalf("%s: %+v", c.line, a.Ruling)
		}
		for nick, want := range c.deadlines {
			if got := seenDeadlines(t, g, nick); !slices.Equal(got, want) {
				t.Errorf("after %q %s sees the deadlines %q, want %q", c.line, nick, got, want)
			}
		}
		for nick, want := range c.offers {
			if got := bonuses(nick); !slices.Equal(got, want) {
				t.Errorf("after %q %s is offered %q, want %q", c.line, nick, got, want)
			}
		}
	}
}

// A hold moves the end of claims that go on, and of no others. Nothing is late while it lasts.
func TestClaimsMoveWithAHold(t *testing.T) {
	g := rulestest.Open(t, ruleset, rulestest.World(field, theCast...))
	at := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	closeSpring(t, g, at)
	g.Mail(at.Add(day), "Petra", "CLOSE TOURNEY Summer")
	g.Until(at.Add(8 * day)) // the claims for Spring are over, those for Summer in their last instant
	g.Control(at.Add(8*day), "Magistrate", rules.Control{Kind: rules.Hold})
	g.Until(at.Add(10 * day))
	g.Control(at.Add(10*day), "Magistrate", rules.Control{Kind: rules.Shift})
	v := seen(t, g)
	for i, want := range []time.Time{at.Add(7 * day), at.Add(10 * day)} {
		if got := v.Tourneys[i].ClaimsUntil; !got.Equal(want) {
			t.Errorf("the claims for %s end at %v, want %v", v.Tourneys[i].Name, got, want)
		}
	}
	g = rulestest.Open(t, ruleset, rulestest.World(field, theCast...))
	closeSpring(t, g, at)
	g.Control(at.Add(6*day), "Magistrate", rules.Control{Kind: rules.Hold})
	if a := g.Mail(at.Add(9*day), "Oleg", "CLAIM BONUS IN Spring FOR Boris 1"); !a.OK() {
		t.Errorf("while the game is held a claim is refused: %+v", a.Ruling)
	}
}

// A claim that was read late, when others had been lost already, is judged by its arrival.
func TestClaimsArriveWhenTheyArrive(t *testing.T) {
	at := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	for after, want := range map[time.Duration]string{7 * day: "HL-09", 7*day + time.Second: "refused HL-12 late"} {
		g := rulestest.Open(t, ruleset, rulestest.World(field, theCast...))
		closeSpring(t, g, at)
		g.Until(at.Add(8 * day))
		g.Mail(at.Add(8*day), "Petra", "STATUS")
		if got := rulestest.Verdict(g.Mail(at.Add(after), "Oleg", "CLAIM BONUS IN Spring FOR Boris 1")); got != want {
			t.Errorf("after %v it was %s, want %s", after, got, want)
		}
	}
}

// What others were paid, and for whom, is shown to nobody else.
func TestBonusesAreSecret(t *testing.T) {
	at := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	g := rulestest.Open(t, ruleset, rulestest.World(field, theCast...))
	closeSpring(t, g, at)
	for _, line := range []string{"CLAIM BONUS IN Spring FOR Boris 1", "TRANSFER PRIZE OF Spring 17 TO Ivan"} {
		if a := g.Mail(at, "Oleg", line); !a.OK() {
			t.Fatalf("%s: %+v", line, a)
		}
	}
	for nick, want := range map[string]string{
		"Oleg":       `{"paid":{"Oleg":40},"shared":{"Oleg":17}} [true hidden false hidden]`,
		"Karl":       `{"paid":{},"shared":{}} [hidden false hidden hidden]`,
		"Boris":      `{"paid":{},"shared":{}} [hidden hidden hidden hidden]`,
		"Magistrate": `{"paid":{"Oleg":40},"shared":{"Oleg":17}} [true false false false]`,
	} {
		v, err := g.State.View(rules.Viewer{Seat: rules.Seat(nick), GM: nick == "Magistrate"})
		if err != nil {
			t.Fatal(err)
		}
		spring := v.(view).Tourneys[0]
		var paid []any
		for _, r := range spring.Results {
			if r.Paid == nil {
				paid = append(paid, "hidden")
			} else {
				paid = append(paid, *r.Paid)
			}
		}
		b, _ := json.Marshal(map[string]any{"paid": spring.Paid, "shared": spring.Shared})
		if got := fmt.Sprint(string(b), " ", paid); got != want {
			t.Errorf("%s sees %s, want %s", nick, got, want)
		}
	}
}

func TestStatusTellsOfTourneys(t *testing.T) {
	at := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	g := rulestest.Open(t, ruleset, rulestest.World(field, theCast...))
	closeSpring(t, g, at)
	for _, line := range []string{"CLAIM BONUS IN Spring FOR Boris 1", "TRANSFER PRIZE OF Spring 17 TO Ivan"} {
		g.Mail(at, "Oleg", line)
	}
	for _, c := range []struct {
		nick string
		r    templates.Reader
		has  []string
	}{
		{"Oleg", english, []string{"The latest tourneys:\n\nSpring in HL3, a Common Tourney, closed on Friday, 2 January 2026, 10:00 (UTC); places: 1 Boris, 2 Lazar, 3 Ivan, 4 Vera. The best suzerains: Karl and Oleg. You have received 40 @ and passed 17 @ on.\n"}},
		{"Karl", russian, []string{"Последние турниры:\n\nSpring (Земля HL3), общий; закрыт: ", "места: 1 Boris, 2 Lazar, 3 Ivan, 4 Vera. Лучшие сюзерены: Karl и Oleg.\n", "Объявить вам войну можно будет, когда здесь закроется ещё 1 общий турнир."}},
	} {
		v, err := g.State.View(rules.Viewer{Seat: rules.Seat(c.nick)})
		if err != nil {
			t.Fatal(err)
		}
		data := throughJSON(t, rules.Data{"nick": c.nick, "seat": c.nick, "role": "player", "view": v})
		got, err := texts(t).Say(c.r, "status", map[string]any(data))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range c.has {
			if !strings.Contains(got+"\n", s) {
				t.Errorf("%s's status lacks %q:\n%s", c.nick, s, got)
			}
		}
		noOrders(t, texts(t), c.r, "status", got)
	}
}
