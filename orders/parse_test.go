package orders

import (
	"fmt"
	"slices"
	"strings"
	"testing"
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
