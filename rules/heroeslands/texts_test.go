package heroeslands

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"time"

	"arroba/orders"
	"arroba/rules"
	"arroba/rules/rulestest"
	"arroba/templates"
)

var (
	textsAt     = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	textsTill   = time.Date(2026, 7, 31, 23, 59, 59, 0, time.UTC)
	english     = templates.Reader{Language: "en", Zone: time.UTC}
	textGrammar = grammar()
	russian     = templates.Reader{Language: "ru", Zone: time.UTC}
)

// sample is data that every key of the refusals and events has a value in.
var sample = rules.Data{
	"nick": "Oleg", "land": "HL3", "rank": "count", "suzerain": "Olga", "suzerain_rank": "marquis", "own_rank": "duke",
	"allowed": []string{"marquis", "count", "baron"}, "places": 2, "continent": "Tower", "home": "Dungeon",
	"clan": "Wolves", "amount": 1000, "gold": -20, "duel": 12, "kind": "mine", "most": 3, "item": "Boots", "level": 3,
	"until": textsTill, "due": textsTill, "latest": textsTill, "target": "Boris", "office": "krt", "n": 0, "least": 1,
	"feud": "Ashford", "owner": "magistrate", "date": textsTill, "slot": "land", "choices": []string{"HL3", "HL4"},
	"issued": textsTill, "sent": textsTill, "closed": textsTill, "pair": 2, "opponent": "Boris", "replaces": nil,
	"file": "Oleg_save1.gm1", "hash": strings.Repeat("9f86d081", 8), "with": nil, "before": 3, "decided": false, "saves": []any{
		map[string]any{"side": "attacker", "nick": "Oleg", "file": nil, "hash": nil, "days": 30, "points": 500, "received": textsTill},
		map[string]any{"side": "defender", "nick": "Olga", "file": "Olga_save1", "hash": "9f86d081", "days": 31, "points": 1, "received": textsTill}},
	"name": "x y", "vassal": "Ivan", "initiator": "Oleg", "from": "Oleg", "to": "magistrate", "by": "Ivan",
	"stake": map[string]any{"initiator_feud": "Ashford", "target_feud": "Brook", "stand_in_feud": nil, "gold": 100},
	"items": []string{"Boots", "Sawmill"}, "tourney": "Spring", "place": 1, "days": 31, "points": 502, "common": true,
	"suzerains": []string{"Oleg", "Olga"}, "earliest": textsTill, "on": "2026-07-31T23:59:59Z", "rosters_due": textsTill, "buy_out_until": textsTill, "postpone_until": textsTill,
	"doubled": true, "vassals": []string{"Boris", "Ivan"}, "war": 2, "attacker": []any{"Oleg", nil},
	"defender": []any{"Olga", "Ivan"}, "participants": 2, "mode": "feudal", "begin": textsTill, "end": textsTill,
	"roster": []any{"Oleg", nil}, "filled": []string{"Ivan"}, "consent": true, "fine": 500, "save": 2, "winner": "Oleg",
	"result": "attacker", "loser": "Boris", "second": false, "lapses": textsTill, "tourneys": 4, "met": true, "bonus": 10, "address": "foma@example.org", "unpaid": []string{"Lazar"}, "left": 15, "void": false, "reason": "fine",
}

func with(changes rules.Data) rules.Data {
	d := maps.Clone(sample)
	maps.Copy(d, changes)
	return d
}

// variants are the events of the ruleset with every variant that its texts tell apart.
var variants = map[string][]rules.Data{
	"rank-changed":          each("to", "landless", "knight", "baron", "count", "marquis", "duke", "king"),
	"vassalage-offered":     {{}, {"by": "Olga"}},
	"vassalage-agreed":      {{}},
	"vassalage-declined":    {{}},
	"offer-lapsed":          {{}},
	"vassalage-announced":   {{}, {"by": "Olga", "second": true}},
	"vassalage-begun":       each("kind", "voluntary", "duel", "override"),
	"vassal-freed":          each("reason", "released", "landless", "duel", "equal-rank", "higher-rank", "rank-lost", "window-missed", "override"),
	"equal-rank":            {{}},
	"window-opened":         {{"allowed": 0}, {"allowed": 1}, {"allowed": 2}, {"allowed": 5}},
	"window-closed":         {{"met": true}, {"met": false}},
	"flag-gained":           {{}},
	"flag-lost":             {{}},
	"duel-declared":         each("kind", "vassalage", "independence"),
	"duel-called":           {{}, {"stake": map[string]any{"initiator_feud": nil, "target_feud": nil, "stand_in_feud": nil, "gold": 5}}},
	"duel-accepted":         {{}},
	"duel-declined":         {{}},
	"duel-stood-in":         {{}},
	"duel-postponed":        {{}},
	"duel-due":              {{}},
	"duel-closed":           results("kind", "vassalage", "independence", "ordinary"),
	"duel-lapsed":           each("kind", "ordinary", "independence", "vassalage"),
	"duel-annulled":         {{}},
	"immunity-begun":        {{}},
	"immunity-ended":        {{}},
	"protection-asked":      {{}},
	"protection-declined":   {{}},
	"playthrough-asked":     {{}},
	"gold-held":             {{}},
	"gold-returned":         {{}},
	"gold-moved":            each("reason", "fine", "stake", "bonus", "prize", "gift", "buy-out", "postponement", "war-stake", "costs", "credit", "debit"),
	"feud-moved":            each("reason", "stake", "gift", "buy-out", "war-stake", "grant", "taken"),
	"feud-missing":          {{"war": nil}, {"duel": nil}},
	"property-inserted":     {{"war": nil}, {"duel": nil}},
	"property-moved":        each("reason", "duel", "war", "gift", "grant", "confiscated"),
	"property-returned":     {{}},
	"tourney-closed":        {{"common": true}, {"common": false, "bonus": 0}},
	"placed":                {{}},
	"bonus-paid":            {{"doubled": true}, {"doubled": false, "unpaid": []string{}}},
	"war-declared":          {{"attacker": "Oleg", "defender": "Olga"}, {"attacker": "Oleg", "defender": "Olga", "mode": "clan"}},
	"roster-named":          {{}, {"roster": []any{}}},
	"rosters-closed":        {{}, {"filled": []string{}}},
	"clan-rules-said":       {{"consent": true}, {"consent": false}},
	"war-mode":              each("mode", "feudal", "clan"),
	"begin-proposed":        {{}},
	"begin-set":             {{}, {"by": "magistrate"}},
	"war-postponed":         {{}},
	"stake-proposed":        each("kind", "feuds", "gold"),
	"stake-changed":         each("kind", "feuds", "gold"),
	"war-bought-out":        each("kind", "feuds", "gold"),
	"saves-issued":          {{}},
	"saves-sent":            {{}},
	"save-assigned":         {{}},
	"property-closed":       {{}},
	"saves-overdue":         {{}},
	"war-begun":             {{}, {"filled": []string{}}},
	"save-received":         {{}, {"replaces": textsAt, "file": nil, "hash": nil}, {"opponent": nil}},
	"pair-saves":            {{}},
	"box-opened":            {{}},
	"pair-decided":          {{"result": "attacker"}, {"result": "defender"}, {"result": "draw", "winner": nil}},
	"war-ended":             {{"attacker": 2, "defender": 1}, {"attacker": 1, "defender": 1, "winner": nil}},
	"war-immunity":          {{"tourneys": 0}, {"tourneys": 1}, {"tourneys": 4}},
	"war-annulled":          {{}},
	"office-begun":          {{"office": "magister", "until": nil}, {"office": "junior"}, {"office": "krt"}},
	"office-ended":          {{}},
	"clan-joined":           {{}},
	"clan-left":             {{}},
	"inhabitant-registered": {{}},
}

func each(key string, values ...string) (list []rules.Data) {
	for _, v := range values {
		list = append(list, rules.Data{key: v})
	}
	return list
}

func results(key string, values ...string) (list []rules.Data) {
	for _, v := range values {
		for _, void := range []bool{false, true} {
			list = append(list, rules.Data{key: v, "result": "initiator", "winner": "Oleg", "void": void},
				rules.Data{key: v, "result": "target", "winner": "Boris", "void": void},
				rules.Data{key: v, "result": "draw", "winner": nil, "void": void})
		}
	}
	return list
}

func texts(t *testing.T) *templates.Texts {
	t.Helper()
	x, err := templates.New(Ruleset(), textGrammar)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// readable complains of what no reader should see.
func readable(t *testing.T, name, text string) {
	t.Helper()
	for _, bad := range []string{"<no value>", "<nil>", "map[", "%!", "  ", " .", " ,", "..", "\t", "{{", "0001"} {
		if strings.Contains(text, bad) {
			t.Errorf("%s: %q in %q", name, bad, text)
		}
	}
	if text == "" {
		t.Errorf("%s is empty", name)
	}
}

func TestEveryRefusalHasItsText(t *testing.T) {
	x := texts(t)
	for _, reason := range refusals {
		data := rules.Data{}
		for _, key := range reason.keys {
			if sample[key] == nil {
				t.Fatalf("the sample has no %q", key)
			}
			data[key] = sample[key]
		}
		ru := rules.Refuse(reason.rule, reason.why, data)
		if reason.rule == "" {
			ru = rules.Unclear(reason.why, data)
		}
		tellReason(t, x, ru)
		if _, ok := data["until"]; ok {
			data["until"] = nil
			if reason.rule == "HL-46" {
				tellReason(t, x, ru)
			}
		}
	}
}

func tellReason(t *testing.T, x *templates.Texts, ru rules.Ruling) {
	t.Helper()
	seen := map[string]bool{}
	for _, r := range []templates.Reader{english, russian} {
		name := r.Language + " " + ru.Rule + " " + ru.Why
		text, err := x.Reason(r, ru)
		if err != nil {
			t.Error(err)
			continue
		}
		readable(t, name, text)
		if strings.Contains(text, "\n") || !strings.ContainsAny(text[len(text)-1:], ".?") {
			t.Errorf("%s is no sentence in one line: %q", name, text)
		}
		if ru.Rule != "" && strings.Contains(text, ru.Rule) {
			t.Errorf("%s repeats the rule: %q", name, text)
		}
		if seen[text] {
			t.Errorf("%s is the same in both languages", name)
		}
		seen[text] = true
	}
}

// TestEveryEventHasItsTexts tells every variant of every event twice: with data as the rules give them and as they
// come back from JSON.
func TestEveryEventHasItsTexts(t *testing.T) {
	x := texts(t)
	for typ, list := range variants {
		for _, changes := range list {
			data := with(changes)
			for _, r := range []templates.Reader{english, russian} {
				name := r.Language + " " + typ
				text, err := x.Event(r, typ, textsAt, data)
				if err != nil {
					t.Error(err)
					continue
				}
				readable(t, name, text)
				head, err := x.Headline(r, typ, textsAt, data)
				if err != nil {
					t.Error(err)
				}
				readable(t, name+" headline", head)
				if n := len([]rune(head)); n > 60 {
					t.Errorf("%s: a headline of %d letters: %s", name, n, head)
				}
				if again, err := x.Event(r, typ, textsAt, throughJSON(t, data)); err != nil || again != text {
					t.Errorf("%s after JSON: %v\n%s\n%s", name, err, text, again)
				}
				noOrders(t, x, r, name, text)
			}
		}
	}
}

func throughJSON(t *testing.T, data rules.Data) (back rules.Data) {
	t.Helper()
	b, err := json.Marshal(data)
	if err == nil {
		err = json.Unmarshal(b, &back)
	}
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// noOrders complains of a line of a mail that reads like an order when it comes back unmarked.
func noOrders(t *testing.T, x *templates.Texts, r templates.Reader, name, text string) {
	t.Helper()
	_, mail, err := x.Mail(r, templates.Mail{Kind: "results", Game: "lands", To: "Oleg", News: []string{text}})
	if err != nil {
		t.Fatal(err)
	}
	own, _, _ := strings.Cut(mail, "\n-- \n")
	names := orders.Lexicon{}
	for kind, list := range map[string][]string{
		"nick": {"Oleg", "Olga", "Boris", "Ivan"}, "land": {"HL3", "HL4"}, "clan": {"Wolves"}, "feud": {"Ashford", "Brook"},
		"item": {"Boots", "Sawmill"},
	} {
		names[kind] = &orders.Names{}
		for _, n := range list {
			names[kind].Add(n)
		}
	}
	for _, line := range strings.Split(own, "\n") {
		if line == "" || strings.HasPrefix(line, ">") {
			continue
		}
		if !textGrammar.Parse(orders.Clean(line), names, false).Prose() {
			t.Errorf("%s: a line reads like an order: %s", name, line)
		}
	}
}

// TestReasonsSayWhatWouldHaveBeenAllowed shows what a refusal reads like.
func TestReasonsSayWhatWouldHaveBeenAllowed(t *testing.T) {
	x := texts(t)
	ru := rules.Refuse("HL-33", "pair", rules.Data{"nick": "Ivan", "rank": "marquis", "own_rank": "count", "allowed": []string{"baron", "knight"}})
	for r, want := range map[string]string{
		"en": "You are a count and may challenge only barons and knights for vassalage; Ivan is a marquis.",
		"ru": "Ваш титул — граф, и вызывать за вассалитет вы можете лишь баронов и рыцарей, а Ivan — маркиз.",
	} {
		if got, err := x.Reason(templates.Reader{Language: r}, ru); err != nil || got != want {
			t.Errorf("%s: %v, %q", r, err, got)
		}
	}
}

// TestStatus shows the answer to STATUS in a small game: one's own in full, of others what is public.
func TestStatus(t *testing.T) {
	g := rulestest.Open(t, Ruleset(), rulestest.World(`
[world]
lands = ["HL3"]
[world.magistrate]
gold = 0
[world.inhabitants.Oleg]
gold = 2500
feuds = { HL3 = ["Ashford", "Brook", "Cray", "Dene", "Elm"] }
offices = { magister = true, krt = 2026-05-01T00:00:00Z }
immunity = { HL3 = 2026-04-01T00:00:00Z }
property = [ { name = "Sawmill", kind = "mine" } ]
[world.inhabitants.Boris]
clan = "Wolves"
[world.inhabitants.Ivan]
feuds = { HL3 = 1 }
suzerain = { HL3 = "Oleg" }
[world.inhabitants.Lazar]
feuds = { HL3 = 3 }
[world.inhabitants.Petra]
feuds = { HL3 = 2 }
`, rulestest.Members("gm:Magistrate", "Oleg", "Boris", "Ivan", "Lazar", "Petra")...))
	at := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	for who, line := range map[string]string{"Oleg": "CHALLENGE Lazar", "Petra": "SERVE Oleg"} {
		if a := g.Mail(at, who, line); a.Verdict != orders.Accepted {
			t.Fatalf("%s: %+v", line, a)
		}
	}
	x := texts(t)
	for _, c := range []struct {
		reader templates.Reader
		nick   string
		role   rules.Role
		has    []string
		not    []string
	}{
		{english, "Oleg", rules.Player, []string{
			"You have 1500 @ free and 1000 @ held until the results of duels. Your office: Knight of the Round Table, until Friday, 1 May 2026, 00:00 (UTC). Your office: magister. Your property: Sawmill.\n",
			"In HL3 you are a count, with 5 feuds: Ashford, Brook, Cray, Dene and Elm. Your vassals: Ivan. You cannot be challenged for vassalage until Wednesday, 1 April 2026, 00:00 (UTC).\n",
			"Your open duels:\n\nNo. 1 in HL3: Oleg against Lazar for vassalage; due on Wednesday, 4 February 2026, 10:00 (UTC).",
			"Open offers of vassalage:\n\nPetra to serve Oleg in HL3: consent of Petra; it lapses on Wednesday, 4 February 2026, 10:00 (UTC).",
			"The lords of HL3:\n\nIvan: knight, 1 feud; serves Oleg\nLazar: baron, 3 feuds\nOleg: count, 5 feuds; vassals: Ivan\nPetra: knight, 2 feuds"},
			[]string{"treasury"}},
		{russian, "Oleg", rules.Player, []string{"У вас свободно 1500 @, удержано до итогов дуэлей 1000 @.", "ваш титул — граф, у вас 5 феодов: Ashford", "№ 1, Земля HL3: Oleg — Lazar, за вассалитет", "Petra — вассал", "Ivan: рыцарь, 1 феод; сюзерен — Oleg"}, nil},
		{english, "Boris", rules.Player, []string{"You have 0 @ free. Your clan: Wolves.\n", "In HL3 you are landless.\n", "Open duels:\n\nNo. 1 in HL3: Oleg against Lazar"}, []string{"Petra to serve", "1500"}},
		{english, "Magistrate", rules.GM, []string{"The treasury holds 0 @.", "Petra to serve", "The lords of HL3:"}, []string{"You have"}},
	} {
		v, err := g.State.View(rules.Viewer{Seat: rules.Seat(c.nick), GM: c.role == rules.GM})
		if err != nil {
			t.Fatal(err)
		}
		data := throughJSON(t, rules.Data{"nick": c.nick, "seat": c.nick, "role": c.role, "view": v})
		got, err := x.Say(c.reader, "status", map[string]any(data))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range c.has {
			if !strings.Contains(got+"\n", s) {
				t.Errorf("%s's status lacks %q:\n%s", c.nick, s, got)
			}
		}
		for _, s := range c.not {
			if strings.Contains(got, s) {
				t.Errorf("%s's status has %q:\n%s", c.nick, s, got)
			}
		}
		noOrders(t, x, c.reader, "status", got)
	}
}
