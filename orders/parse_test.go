package orders

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// brief writes a result in one line: the form with its slots and tags, or why it is unclear.
func brief(r Result) string {
	switch {
	case r.Order != nil:
		parts := []string{r.Order.Form}
		var slots []string
		for s := range r.Order.Args {
			slots = append(slots, s)
		}
		slices.Sort(slots)
		for _, s := range slots {
			var vals []string
			for _, a := range r.Order.Args[s] {
				switch {
				case a.ID != "":
					vals = append(vals, a.ID)
				case a.Kind == kindNumber:
					vals = append(vals, fmt.Sprint(a.N))
				case a.Date != nil:
					vals = append(vals, fmt.Sprintf("%d-%02d-%02d", a.Date.Year, a.Date.Month, a.Date.Day))
				case a.Kind == kindDuration:
					vals = append(vals, fmt.Sprint(a.Secs))
				default:
					vals = append(vals, "'"+a.Text+"'")
				}
			}
			parts = append(parts, s+"="+strings.Join(vals, "+"))
		}
		for _, t := range r.Order.Tags {
			parts = append(parts, "#"+t)
		}
		return strings.Join(parts, " ")
	case r.Unclear != nil:
		u := r.Unclear
		s := "?" + u.Why + " " + u.Form
		if u.Slot != "" {
			s += " " + u.Slot
		}
		if u.Text != "" {
			s += " '" + u.Text + "'"
		}
		if u.Near != nil {
			s += " ~" + strings.Join(u.Near, ",")
		}
		return s
	}
	return "prose"
}

func TestParse(t *testing.T) {
	g, names := MustGrammar(testSpec()), testLexicon()
	for _, c := range []struct{ line, want string }{
		{"CHALLENGE Boris", "challenge lord=Boris"},
		{"challenge  boris in hl3 for independence", "challenge land=HL3 lord=Boris #independence"},
		{"CHALLENGE Ivan the Terrible VERSION 3 FOR VASSALAGE OF Black Knight", "challenge land=HL3 lord=Ivan the Terrible of=Black Knight"},
		{"CHALLENGE Ivan FOR VASSALAGE", "challenge lord=Ivan"},
		{"ВЫЗВАТЬ петр В HL3 ЗА НЕЗАВИСИМОСТЬ", "challenge land=HL3 lord=Пётр #independence"},
		{"Вызов Пeтp за вассалитет", "challenge lord=Пётр"},
		{"CALL OUT Boris FOR FEUD Ashford AGAINST Mill in the Marsh AND 5 @", "call his=Mill in the Marsh lord=Boris mine=Ashford n=5"},
		{"CALL OUT Boris IN HL3 FOR 5@", "call land=HL3 lord=Boris n=5"},
		{"ДУЭЛЬ С Boris НА ФЕОД Ashford ПРОТИВ Brook И 5 арроб", "call his=Brook lord=Boris mine=Ashford n=5"},
		{"GIVE 5 @ TO Boris", "give n=5 to=Boris"},
		{"GIVE 5@ TO Boris", "give n=5 to=Boris"},
		{"GIVE 5 TO Boris", "give n=5 to=Boris"},
		{"give 5arrobas to boris", "give n=5 to=Boris"},
		{"GIVE -5 @ TO Ivan", "give n=-5 to=Ivan"},
		{"GIVE +5 @ TO Ivan", "give n=5 to=Ivan"},
		{"GIVE 99999999999999999999 TO Ivan", "give n=9223372036854775807 to=Ivan"},
		{"GIVE -99999999999999999999 TO Ivan", "give n=-9223372036854775808 to=Ivan"},
		{"ПЕРЕДАТЬ 4 @ ИГРОКУ boris", "give n=4 to=Boris"},
		{"передать 4арроб игроку boris", "give n=4 to=Boris"},
		{"GIVE FEUD Mill in the Marsh IN HL3 TO Ivan", "give-feud feud=Mill in the Marsh land=HL3 to=Ivan"},
		{"GRANT FEUD New Town IN HL3 TO Ivan", "grant-feud feud='New Town' land=HL3 to=Ivan"},
		{"CLAIM BONUS IN CT-12 FOR Ivan 1, Boris 2 and Black Knight 3", "claim place=1+2+3 tourney=CT-12 vassal=Ivan+Boris+Black Knight"},
		{"БОНУС ЗА Spring ВАССАЛЫ Ivan 1, Пётр 2 и Boris 3", "claim place=1+2+3 tourney=Spring vassal=Ivan+Пётр+Boris"},
		{"CHANGE STAKE TO 4 FEUDS OF WAR 2", "stake n=4 war=2 #feuds"},
		{"CHANGE STAKE TO 1500 @", "stake n=1500 #gold"},
		{"ИЗМЕНИТЬ СТАВКУ НА 1500@ В ВОЙНЕ 2", "stake n=1500 war=2 #gold"},
		{"SAVE Oleg_save1.gm1 DAYS 40 POINTS 100", "save d=40 p=100 title='Oleg_save1.gm1'"},
		{"DAY 40 POINTS 100", "save d=40 p=100"},
		{"POINTS 100 DAYS 40", "save d=40 p=100"},
		{"СЕЙВ Олег сейв № 2 ДЕНЬ 4 ОЧКО 1", "save d=4 p=1 title='Олег сейв № 2'"},
		{"REGISTER New Man", "register new='New Man'"},
		{"REGISTER New Man new.man@example.org RACE elf CONTINENT Tower", "register address='new.man@example.org' continent='Tower' new='New Man' race='elf'"},
		{"APPOINT Ivan round table UNTIL 2026-03-01", "appoint date=2026-03-01 nick=Ivan #krt"},
		{"APPOINT Ivan KRT UNTIL 01.03.2026 10:30", "appoint date=2026-03-01 nick=Ivan #krt"},
		{"BEGIN EARLY ON 2026-03-01T10:30:00+03:00 IN WAR 2", "begin date=2026-03-01 war=2"},
		{"Percy MOVES FROM Castleton TO York IN Vale of York BY ROAD", "moves area=Vale of York from=Castleton to=York unit=Percy #road"},
		{"Earl of the North MOVES TO Road to York OFF ROAD", "moves to=Road to York unit=Percy #offroad"},
		{"MOVE Клиффорд TO Castleton", "moves to=Castleton unit=Clifford"},
		{"ARMY 1 MOVES TO York", "moves to=York unit=ARMY 1"},
		{"Перси ИДЁТ ИЗ Йорк В Каслтон", "moves from=York to=Castleton unit=Percy"},
		{"Swan плывет в York без дороги", "moves to=York unit=Swan #offroad"},
		{"Percy, Clifford AND Swan FORM ARMY IN York", "army in=York units=Percy+Clifford+Swan"},
		{"Percy & Clifford FORM ARMY IN York", "army in=York units=Percy+Clifford"},
		{"Percy, and Clifford FORM ARMY IN York", "army in=York units=Percy+Clifford"},
		{"Перси и Клиффорд образуют армию в Йорк", "army in=York units=Percy+Clifford"},
		{"FORM ARMY OF Percy, Clifford IN York", "army in=York units=Percy+Clifford"},
		{"Percy, ARMY 1 BESIEGE York", "besiege location=York units=Percy+ARMY 1"},
		{"BESIEGE York WITH Percy", "besiege location=York units=Percy"},
		{"PERMIT Red PASS, DOCK AT York STANDING", "permit faction=Red location=York #pass #dock #standing"},
		{"PERMIT Red ALL AT York", "permit faction=Red location=York #all"},
		{"CALL Jester: You laughed at my horse: twice.", "piece-challenge piece=Jester words='You laughed at my horse: twice.'"},
		{"CALL Jester :hm", "piece-challenge piece=Jester words='hm'"},
		{"CALL Old Tower", "piece-challenge piece=Old Tower"},
		{"NOTIFY Jester, Old Tower: come at once", "notify pieces=Jester+Old Tower words='come at once'"},
		{"ASK Have you read the letter?", "ask question='Have you read the letter?'"},
		{"ASK Is it secret? PUBLIC", "ask question='Is it secret?' #public"},
		{"ВОПРОС Ты видел Королеву? ПУБЛИЧНО", "ask question='Ты видел Королеву?' #public"},
		{"ANSWER DON’T KNOW", "answer #unknown"},
		{"ответ не знаю", "answer #unknown"},
		{"MOVE e2 e4", "chess from=e2 to=e4"},
		{"MOVE e7-e8 Q", "chess from=e7 to=e8 #queen"},
		{"e2-e4", "chess from=e2 to=e4"},
		{"ХОД e2 — e4", "chess from=e2 to=e4"},
		{"EXTEND 36h", "extend by=129600"},
		{"ПРОДЛИТЬ НА 2d", "extend by=172800"},
		{"ADDRESS <oleg@example.org>", "address address='oleg@example.org'"},
		{"ADDRESS o-leg@ex-ample.org", "address address='o-leg@ex-ample.org'"},
		{"PRESS TO Boris, Ivan", "press to=Boris+Ivan"},
		{"PRESS TO ALL BUT Ivan", "press but=Ivan #all"},
		{"GIVE 5 TO “Black Knight”", "give n=5 to=Black Knight"},
		{"WAIT", "wait"},
		{"RESEND 5", "resend n=5"},

		{"GIVE five @ TO Ivan", "?number give n 'five'"},
		{"GIVE 16 @ TO Zebediah", "?name give to 'Zebediah'"},
		{"GIVE five @ TO Zebediah", "?number give n 'five'"},
		{"GIVE 1 000 @ TO Ivan", "?number give n '1 000'"},
		{"GIVE – 5 @ TO Ivan", "?number give n '- 5'"},
		{"GIVE my 5 @ TO Ivan", "prose"},
		{"GIVE 16 @ TO Borris", "?name give to 'Borris' ~Boris"},
		{"GIVE 16 @ TO Bartolomev", "?name give to 'Bartolomev' ~Bartholomew"},
		{"CHALLENGE Nobody", "?name challenge lord 'Nobody'"},
		{"CHALLENGE Nobody IN HL3", "?name challenge lord 'Nobody'"},
		{"CHALLENGE Boris IN HL9", "?name challenge land 'HL9' ~HL3"},
		{"CHALENGE Ivan", "?verb challenge 'CHALENGE'"},
		{"CHALENGE Ivan now please", "?verb challenge 'CHALENGE'"},
		{"Challenge accepted!", "?name challenge lord 'accepted!'"},
		{"CHALLENGE", "?form challenge"},
		{"CHALLENGE Boris because he lied to me", "?form challenge 'because he lied to me'"},
		{"Call out the guards, and quickly at that", "?form call 'the guards, and quickly at that'"},
		{"ВЫЗВАТЬ Никого", "?name challenge lord 'Никого'"},
		{"Lord N MOVES TO York", "?ambiguous moves unit 'Lord N' ~Neville,Norris"},
		{"Persy MOVES TO York", "?name moves unit 'Persy' ~Percy"},
		{"Persy MOVS TO York", "?name moves unit 'Persy' ~Percy"},
		{"Percy MOVS TO York", "?verb moves 'MOVS'"},
		{"Клиффорд ИДОТ В Йорк", "?verb moves 'ИДОТ'"},
		{"Percy, Clifford MOVES TO York", "?name moves unit 'Percy, Clifford' ~Percy,Clifford"},
		{"MOVE Percy, Swan AND ARMY 1 TO York", "?name moves unit 'Percy, Swan AND ARMY 1' ~Percy,Swan,ARMY 1"},
		{"Percy, Cliford BESIEGE York", "?name besiege units 'Cliford' ~Clifford"},
		{"Percy, my friend, MOVES TO York", "prose"},
		{"GIVE 5 @ TO Ivan, and be quick", "?form give ', and be quick'"},
		{"GIVE 5 @ TO Boris, Ivan", "?name give to 'Boris, Ivan' ~Boris,Ivan"},
		{"GIVR 5 @ TO Boris", "?verb give 'GIVR'"},
		{"Percy MOVES York", "?form moves 'York'"},
		{"Percy MOVES TO Lundun", "?name moves to 'Lundun'"},
		{"EXTEND a day", "?duration extend by 'a day'"},
		{"ADDRESS oleg at home", "?form address 'oleg at home'"},
		{"ADDRESS oleg", "?address address address 'oleg'"},
		{"BEGIN EARLY ON Monday", "?date begin date 'Monday'"},
		{"BEGIN EARLY ON 2026-02-30", "?date begin date '2026-02-30'"},
		{"CLAIM BONUS IN CT-12 FOR Ivan first", "?number claim place 'first'"},
		{"PRESS TO Boris, Nobody", "?name press to 'Nobody'"},
		{"e2-e9", "?name chess to 'e9' ~e1,e2,e3,e4,e5"},

		{"", "prose"},
		{"Give him my best wishes", "prose"},
		{"give him 5", "prose"},
		{"Give thanks to God", "prose"},
		{"I would give more if I had it.", "prose"},
		{"Order of the day: rest", "prose"},
		{"She moves to London", "prose"},
		{"The moves to come are hard", "prose"},
		{"Percy rode home", "prose"},
		{"With kind regards", "prose"},
		{"Wait for me", "prose"},
		{"Dear Boris, here is what I owe you.", "prose"},
		{"I shall be away for a while", "prose"},
		{"10:30", "prose"},
		{"Дорогой Пётр, вот что я тебе должен", "prose"},
		{"- , : @ &", "prose"},
	} {
		if got := brief(g.Parse(c.line, names, false)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}

func TestParseInBlock(t *testing.T) {
	g, names := MustGrammar(testSpec()), testLexicon()
	for _, c := range []struct{ line, want string }{
		{"GIVE 1 @ TO Boris", "give n=1 to=Boris"},
		{"Give him my best wishes", "?form give 'him my best wishes'"},
		{"Hello", "?block  'Hello'"},
		{"She moves to York", "?name moves unit 'She'"},
		{"Wait for me", "?form wait 'for me'"},
		{"KIVE 1 @ TO Boris", "?verb give 'KIVE'"},
		{"10:30", "?block  '10:30'"},
	} {
		if got := brief(g.Parse(c.line, names, true)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}

// TestUnclear shows all that is said of a line that was not understood.
func TestUnclear(t *testing.T) {
	g, names := MustGrammar(testSpec()), testLexicon()
	for _, c := range []struct {
		line string
		want Unclearness
	}{
		{"Перси ИДЁТ В Йорг", Unclearness{Why: WhyName, Form: "moves", Slot: "to", Kind: "place", Text: "Йорг", Near: []string{"York"}, Mended: []string{"Перси ИДЁТ В York"},
			Show: "<unit> ИДЁТ|ПЛЫВЁТ [ИЗ <from>] В <to> [В ОБЛАСТИ <area>] [ПО ДОРОГЕ | БЕЗ ДОРОГИ]"}},
		{"MOVE Prcy TO York", Unclearness{Why: WhyName, Form: "moves", Slot: "unit", Kind: "noble|ship|group", Text: "Prcy", Near: []string{"Percy"}, Mended: []string{"MOVE Percy TO York"},
			Show: "MOVE <unit> [FROM <from>] TO <to> [IN <area>] [BY ROAD | OFF ROAD]"}},
		{"EXTENT 36h", Unclearness{Why: WhyVerb, Form: "extend", Text: "EXTENT", Show: "EXTEND <by>", Mended: []string{"EXTEND 36h"}}},
		{"РЕГИСТР", Unclearness{}},
	} {
		r := g.Parse(c.line, names, false)
		switch {
		case c.want.Why == "" && r.Prose():
		case r.Unclear == nil || fmt.Sprint(*r.Unclear) != fmt.Sprint(c.want):
			t.Errorf("%s\n got %+v\nwant %+v", c.line, r.Unclear, c.want)
		}
	}
}

// TestAmbiguousKinds shows that a name in two lists of a slot is asked back, and one person in both is not.
func TestAmbiguousKinds(t *testing.T) {
	g := MustGrammar(Spec{Forms: []Form{{ID: "award", Say: map[string][]string{"en": {"AWARD <what:noble|ship> TO <to:member|nick>"}}}}})
	names := Lexicon{"noble": {}, "ship": {}, "member": {}, "nick": {}}
	names["noble"].Add("Swan of York", "Swan")
	names["ship"].Add("Swan")
	names["member"].Add("Ivan")
	names["nick"].Add("Ivan")
	for _, c := range []struct{ line, want string }{
		{"AWARD Swan TO Ivan", "?ambiguous award what 'Swan' ~Swan of York,Swan"},
		{"AWARD Swan of York TO Ivan", "award to=Ivan what=Swan of York"},
	} {
		if got := brief(g.Parse(c.line, names, false)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, c.want)
		}
	}
	if a := g.Parse("AWARD Swan of York TO ivan", names, false).Order.Arg("to"); a.Kind != "member" || a.Text != "ivan" {
		t.Errorf("got %+v", a)
	}
}

// TestNearerVerb shows that a word that is a form's is not taken for another form's, one letter off.
func TestNearerVerb(t *testing.T) {
	g := MustGrammar(Spec{Forms: []Form{
		{ID: "second", Say: map[string][]string{"en": {"SECOND YES"}}},
		{ID: "seconds", Say: map[string][]string{"en": {"SECONDS <who:piece>,*"}}},
	}})
	for line, want := range map[string]string{
		"SECONDS YES":     "?name seconds who 'YES'",
		"SECOND Jester":   "?verb seconds 'SECOND'",
		"SECONDT Jester":  "?verb seconds 'SECONDT'",
		"SECOND YES, sir": "?form second ', sir'",
	} {
		if got := brief(g.Parse(line, testLexicon(), false)); got != want {
			t.Errorf("%s is %s, want %s", line, got, want)
		}
	}
}

// TestResultsSurviveJSON parses lines made of the words of forms and names, in any order, and reads the results back.
func TestResultsSurviveJSON(t *testing.T) {
	g, names := MustGrammar(testSpec()), testLexicon()
	words := rapid.SampledFrom(strings.Fields(`GIVE 5 @ TO Boris CHALLENGE Nobody IN HL3 FOR INDEPENDENCE e2 - e4 Lord N MOVES York , AND
		EXTEND 36h 2d 2026-03-01 10:30 2026-03-01T10:30:00+03:00 BEGIN EARLY ON WAR 99999999999999999999 ASK PUBLIC SAVE DAYS POINTS Пётр ВЫЗВАТЬ В «»`))
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(words, 0, 9).Draw(t, "words"), " ")
		r := g.Parse(line, names, rapid.Bool().Draw(t, "in a block"))
		if r.Order != nil && r.Unclear != nil {
			t.Fatalf("%q is an order and unclear", line)
		}
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back Result
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(r, back) {
			t.Fatalf("%q: %+v came back as %+v (%v)", line, r, back, err)
		}
	})
}

// TestEverySpelling shows that a name is found however it is typed, and kept as it was typed.
func TestEverySpelling(t *testing.T) {
	g, names := MustGrammar(testSpec()), testLexicon()
	for lord := range names["nick"].keys {
		for _, typed := range []string{lord, strings.ToUpper(lord), strings.ToLower(lord), norm.NFD.String(lord), strings.ReplaceAll(lord, "o", "о")} {
			r := g.Parse("challenge "+typed+" in homm3", names, false)
			if r.Order == nil || r.Order.ID("lord") != lord || r.Order.Arg("lord").Text != norm.NFC.String(typed) {
				t.Errorf("%s is %s", typed, brief(r))
			}
		}
	}
}

// TestLongLines shows that a line's length does not blow the work up: each of these would never end otherwise.
func TestLongLines(t *testing.T) {
	g, names := MustGrammar(testSpec()), testLexicon()
	for _, line := range []string{
		strings.Repeat("Percy, ", 4_000) + "FORM ARMY IN Nowhere",
		"FORM ARMY OF " + strings.Repeat("Percy and ", 4_000) + "Nobody IN York",
		"ASK " + strings.Repeat("PUBLIC ", 4_000) + "is it",
		"REGISTER " + strings.Repeat("a ", 4_000),
		"CLAIM BONUS IN CT-12 FOR " + strings.Repeat("Ivan 1, ", 4_000) + "Ivan x",
		"CHALLENGE " + strings.Repeat("a-", 10_000),
		strings.Repeat("e2-", 10_000),
		strings.Repeat("a", 100_000),
	} {
		g.Parse(line, names, false)
		g.Parse(line, names, true)
	}
}

func FuzzParse(f *testing.F) {
	g, names := MustGrammar(testSpec()), testLexicon()
	for _, s := range []string{"GIVE 5@ TO Boris", "Percy, Clifford & ARMY 1 BESIEGE York", "CLAIM BONUS IN CT-12 FOR Ivan 1, Boris x",
		"ASK a PUBLIC SECRET", "SAVE x DAYS 1 POINTS 2", "e2-e4", "CALL Jester: : :", `GIVE 1 TO "`, "REGISTER a b@c RACE d", "\xff, @ \u0301"} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, line string, inBlock bool) {
		r := g.Parse(line, names, inBlock)
		switch {
		case r.Order != nil && r.Order.Line != Clean(line):
			t.Fatalf("the line became %q", r.Order.Line)
		case r.Order != nil && r.Unclear != nil, inBlock && r.Prose() && Clean(line) != "":
			t.Fatalf("%q gives %+v", line, r)
		}
		if again := g.Parse(line, names, inBlock); !reflect.DeepEqual(r, again) {
			t.Fatalf("%q gives %+v and %+v", line, r, again)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	g, names := MustGrammar(testSpec()), testLexicon()
	names["nick"], names["noble"] = manyNames(10_000), manyNames(10_000)
	for _, c := range []struct{ name, line string }{
		{"order", "CHALLENGE Lord 77 of Zcville IN HL3 FOR INDEPENDENCE"},
		{"name first", "Lord 5 of Fаville MOVES FROM York TO Castleton BY ROAD"},
		{"prose", "I should be glad to hear from you before the week is out, if the roads allow it."},
		{"Russian prose", "Буду рад получить от вас весточку до конца недели, если позволят дороги."},
		{"unclear name", "CHALLENGE Lord 5 of Faville's IN HL3"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g.Parse(c.line, names, false)
			}
		})
	}
}

func BenchmarkScan(b *testing.B) {
	g := MustGrammar(testSpec())
	letter := lines(strings.Repeat("Dear Boris, here is what I owe you.\n1. GIVE 5 @ TO Boris\nPRESS TO Boris\nHello\nEND PRESS\n", 20))
	b.ReportAllocs()
	for b.Loop() {
		g.Scan(letter)
	}
}

// TestLooks reads a kind that is told by its looks: a line that has not these looks is prose, or names the wrong thing.
func TestLooks(t *testing.T) {
	g := MustGrammar(Spec{
		Looks: map[string]*regexp.Regexp{"file": regexp.MustCompile(`^.+[_ ]save *[0-9]+$`)},
		Forms: []Form{
			{ID: "save", Say: map[string][]string{"en": {"[SAVE <title:file>] DAYS <days:number>"}}},
			{ID: "bare", Alone: true, Say: map[string][]string{"en": {"SAVE <title:file>"}}},
		},
	})
	for line, want := range map[string]string{
		"save Oleg_Save1 days 30":         "save days=30 title='Oleg_Save1'",
		"SAVE Lord Oleg save 12 DAYS 3":   "save days=3 title='Lord Oleg save 12'",
		"DAYS 30":                         "save days=30",
		"Save Oleg_save1":                 "bare title='Oleg_save1'",
		"SAVE Oleg DAYS 30":               "?name save title 'Oleg'",
		"Save us from the siege, my lord": "prose",
		"Save your strength":              "prose",
		"Save Oleg":                       "prose",
	} {
		if got := brief(g.Parse(line, nil, false)); got != want {
			t.Errorf("%s\n\tis %s, not %s", line, got, want)
		}
	}
}
