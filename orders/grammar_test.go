package orders

import (
	"strings"
	"testing"
)

// testSpec has forms of every shape that a ruleset needs: names first, lists, groups, free text, tags, parts, end
// lines, optional beginnings, and Russian with its cases.
func testSpec() Spec {
	return Spec{
		Parts: map[string]map[string]string{
			"en": {"L": "[IN <land>|VERSION <land>]", "W": "[[IN|OF|FOR] WAR <war:number>]"},
			"ru": {"L": "[В <land>|ВЕРСИЯ <land>]", "W": "[[В] ВОЙНА <war:number>]"},
		},
		Same: map[string][]string{
			"@":    {"arrobas", "arroba", "арроб", "арроба", "арробы"},
			"DAYS": {"DAY"}, "ДНЕЙ": {"ДЕНЬ", "ДНЯ"}, "POINTS": {"POINT"}, "ОЧКОВ": {"ОЧКО", "ОЧКА"},
			"ВОЙНА": {"ВОЙНЕ", "ВОЙНУ", "ВОЙНЫ"}, "ДУЭЛЬ": {"ДУЭЛИ"},
			"KRT": {"ROUND TABLE"},
		},
		Forms: []Form{
			{ID: "challenge", Say: map[string][]string{
				"en": {"CHALLENGE <lord:nick> $L [FOR (VASSALAGE [OF <of:nick>]|INDEPENDENCE#independence)]"},
				"ru": {"ВЫЗВАТЬ|ВЫЗОВ <lord:nick> $L [ЗА (ВАССАЛИТЕТ [<of:nick>]|НЕЗАВИСИМОСТЬ#independence)]"}}},
			{ID: "call", Say: map[string][]string{
				"en": {"CALL OUT <lord:nick> $L FOR FEUD <mine:feud> AGAINST <his:feud> [AND <n:number> @]", "CALL OUT <lord:nick> $L FOR <n:number> @"},
				"ru": {"ДУЭЛЬ С <lord:nick> $L НА ФЕОД <mine:feud> ПРОТИВ <his:feud> [И <n:number> @]", "ДУЭЛЬ С <lord:nick> $L НА <n:number> @"}}},
			{ID: "give", Say: map[string][]string{
				"en": {"GIVE <n:number> [@] TO <to:nick>"},
				"ru": {"ПЕРЕДАТЬ <n:number> [@] ИГРОКУ <to:nick>"}}},
			{ID: "give-feud", Say: map[string][]string{
				"en": {"GIVE FEUD <feud> $L TO <to:nick>"},
				"ru": {"ПЕРЕДАТЬ ФЕОД <feud> $L ИГРОКУ <to:nick>"}}},
			{ID: "grant-feud", Say: map[string][]string{
				"en": {"GRANT FEUD <feud:title> $L TO <to:nick>"},
				"ru": {"ДАТЬ ФЕОД <feud:title> $L ИГРОКУ <to:nick>"}}},
			{ID: "claim", Say: map[string][]string{
				"en": {"CLAIM BONUS IN <tourney> FOR {<vassal:nick> <place:number>},*"},
				"ru": {"БОНУС ЗА <tourney> ВАССАЛЫ {<vassal:nick> <place:number>},*"}}},
			{ID: "stake", Say: map[string][]string{
				"en": {"CHANGE STAKE TO <n:number> (FEUDS#feuds|@#gold) $W"},
				"ru": {"ИЗМЕНИТЬ СТАВКУ НА <n:number> (ФЕОДОВ#feuds|@#gold) $W"}}},
			{ID: "save", Say: map[string][]string{
				"en": {"[SAVE <title>] DAYS <d:number> POINTS <p:number>", "[SAVE <title>] POINTS <p:number> DAYS <d:number>"},
				"ru": {"[СЕЙВ <title>] ДНЕЙ <d:number> ОЧКОВ <p:number>", "[СЕЙВ <title>] ОЧКОВ <p:number> ДНЕЙ <d:number>"}}},
			{ID: "register", Say: map[string][]string{
				"en": {"REGISTER <new:title> [<address>] [RACE <race:word>] [CONTINENT <continent:word>]"}}},
			{ID: "appoint", Say: map[string][]string{
				"en": {"APPOINT <nick> (MAGISTER#magister|JUNIOR MAGISTER#junior|KRT#krt) [UNTIL <date>]"}}},
			{ID: "begin", Say: map[string][]string{
				"en": {"BEGIN EARLY ON <date> $W"}, "ru": {"НАЧАТЬ РАНЬШЕ <date> $W"}}},
			{ID: "moves", Say: map[string][]string{
				"en": {"<unit:noble|ship|group> MOVES [FROM <from:place>] TO <to:place> [IN <area:place>] [BY ROAD#road|OFF ROAD#offroad]",
					"MOVE <unit:noble|ship|group> [FROM <from:place>] TO <to:place> [IN <area:place>] [BY ROAD#road|OFF ROAD#offroad]"},
				"ru": {"<unit:noble|ship|group> ИДЁТ|ПЛЫВЁТ [ИЗ <from:place>] В <to:place> [В ОБЛАСТИ <area:place>] [ПО ДОРОГЕ#road|БЕЗ ДОРОГИ#offroad]"}}},
			{ID: "army", Say: map[string][]string{
				"en": {"<units:noble|ship>,* FORM ARMY IN <in:place>", "FORM ARMY OF <units:noble|ship>,* IN <in:place>"},
				"ru": {"<units:noble|ship>,* ОБРАЗУЮТ АРМИЮ В <in:place>"}}},
			{ID: "besiege", Say: map[string][]string{
				"en": {"<units:noble|group>,* BESIEGE <location:place>", "BESIEGE <location:place> WITH <units:noble|group>,*"},
				"ru": {"<units:noble|group>,* ОСАЖДАЕТ|ОСАЖДАЮТ <location:place>"}}},
			{ID: "permit", Say: map[string][]string{
				"en": {"PERMIT <faction> ({PASS#pass|ENTER#enter|DOCK#dock|LEAVE#leave},*|ALL#all) AT <location:place> [STANDING#standing]"}}},
			{ID: "piece-challenge", Say: map[string][]string{
				"en": {"CALL <piece>[: <words:text>]"}, "ru": {"ВЫЗЫВАЮ <piece>[: <words:text>]"}}},
			{ID: "notify", Say: map[string][]string{
				"en": {"NOTIFY <pieces:piece>,*: <words:text>"}}},
			{ID: "ask", Say: map[string][]string{
				"en": {"ASK <question:text> [SECRET#secret|PUBLIC#public]"}, "ru": {"ВОПРОС <question:text> [ТАЙНО#secret|ПУБЛИЧНО#public]"}}},
			{ID: "answer", Say: map[string][]string{
				"en": {"ANSWER (YES#yes|NO#no|DON'T KNOW#unknown)"}, "ru": {"ОТВЕТ (ДА#yes|НЕТ#no|НЕ ЗНАЮ#unknown)"}}},
			{ID: "chess", Say: map[string][]string{
				"en": {"MOVE <from:square> <to:square> [Q#queen|R#rook|B#bishop|N#knight]", "[MOVE] <from:square>-<to:square> [Q#queen|R#rook|B#bishop|N#knight]"},
				"ru": {"ХОД <from:square> [-] <to:square>"}}},
			{ID: "extend", Say: map[string][]string{"en": {"EXTEND <by:duration>"}, "ru": {"ПРОДЛИТЬ НА <by:duration>"}}},
			{ID: "address", Say: map[string][]string{"en": {"ADDRESS <address>"}, "ru": {"АДРЕС <address>"}}},
			{ID: "press", Say: map[string][]string{
				"en": {"PRESS TO <to:nick>,*", "PRESS TO ALL#all [BUT <but:nick>,*]"},
				"ru": {"ПИСЬМО <to:nick>,*", "ПИСЬМО ВСЕМ#all [КРОМЕ <but:nick>,*]"}},
				End: map[string]string{"en": "END PRESS", "ru": "КОНЕЦ ПИСЬМА"}},
			{ID: "broadcast", Say: map[string][]string{"en": {"BROADCAST"}, "ru": {"ОБЪЯВЛЕНИЕ"}},
				End: map[string]string{"en": "END BROADCAST", "ru": "КОНЕЦ ОБЪЯВЛЕНИЯ"}},
			{ID: "wait", Alone: true, Say: map[string][]string{"en": {"WAIT"}, "ru": {"ЖДУ"}}},
			{ID: "resend", Alone: true, Say: map[string][]string{"en": {"RESEND [<n:number>]"}, "ru": {"ПОВТОРИ [<n:number>]"}}},
		},
	}
}

func testLexicon() Lexicon {
	list := func(ids ...string) *Names {
		n := &Names{}
		for _, id := range ids {
			n.Add(id)
		}
		return n
	}
	l := Lexicon{
		"nick":    list("Oleg", "Boris", "Ivan", "Anna", "Пётр", "Black Knight", "Ivan the Terrible", "Bartholomew"),
		"land":    &Names{},
		"feud":    list("Ashford", "Mill in the Marsh", "Brook"),
		"tourney": list("CT-12", "Spring"),
		"noble":   &Names{},
		"ship":    list("Swan", "Grey Heron"),
		"group":   list("ARMY 1", "FLEET 2"),
		"place":   &Names{},
		"faction": list("Red", "Blue"),
		"piece":   list("Jester", "Old Tower", "d5"),
		"square":  &Names{},
	}
	l["land"].Add("HL3", "3", "HMM3", "HOMM3")
	l["noble"].Add("Percy", "Перси", "Earl of the North")
	l["noble"].Add("Clifford", "Клиффорд")
	l["noble"].Add("Neville", "Lord N")
	l["noble"].Add("Norris", "Lord N")
	l["place"].Add("York", "Йорк")
	l["place"].Add("Castleton", "Каслтон")
	l["place"].Add("Vale of York")
	l["place"].Add("Road to York")
	for _, file := range "abcdefgh" {
		for _, rank := range "12345678" {
			l["square"].Add(string(file) + string(rank))
		}
	}
	return l
}

func TestBadPatterns(t *testing.T) {
	for pattern, want := range map[string]string{
		"":                         "it is empty",
		"[GIVE]":                   "it may be empty",
		"GIVE [<n>":                `a ']' is missing`,
		"GIVE <n":                  "<n is no slot",
		"GIVE <:x>":                "<:x is no slot",
		"GIVE <n:a|>":              "<n:a| is no slot",
		"GIVE (A|)":                `nothing stands before a ')'`,
		"GIVE {<n> <m>}":           "{ } needs ,* after it",
		"GIVE )":                   `')' stands where a word should`,
		"GIVE A | B":               "outside brackets",
		"GIVE A|":                  "it ends with |",
		"|GIVE":                    "outside brackets",
		"GIVE $X":                  "there is no part $X",
		"GIVE $LOOP":               "parts go round in a circle",
		"GIVE #tag":                `'#' stands where a word should`,
		"GIVE A#":                  "neither a word",
		"<what:text> GIVE":         "would take whatever is written",
		"[GIVE] <what:title> TO X": "would take whatever is written",
	} {
		_, err := NewGrammar(Spec{
			Forms: []Form{{ID: "give", Say: map[string][]string{"en": {pattern}}}},
			Parts: map[string]map[string]string{"en": {"LOOP": "A $LOOP"}},
		})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `form "give"`) {
			t.Errorf("%q: error %v, want %q", pattern, err, want)
		}
	}
}

func TestBadForms(t *testing.T) {
	form := func(id string) Form { return Form{ID: id, Say: map[string][]string{"en": {"GIVE " + id}}} }
	for name, forms := range map[string][]Form{
		"an ID twice": {form("a"), form("b"), form("a")},
		"no ID":       {{Say: map[string][]string{"en": {"GIVE"}}}},
		"no pattern":  {{ID: "a"}},
	} {
		if _, err := NewGrammar(Spec{Forms: forms}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("MustGrammar did not panic")
		}
	}()
	MustGrammar(Spec{Forms: []Form{{ID: "a"}}})
}

func TestJoin(t *testing.T) {
	form := func(id, say string) Form { return Form{ID: id, Say: map[string][]string{"en": {say}}} }
	engine := MustGrammar(Spec{Forms: []Form{form("join-game", "JOIN <x:word>"), form("who", "WHO")}})
	game := MustGrammar(Spec{Forms: []Form{form("join-clan", "JOIN CLAN <x:word>"), form("join", "JOIN <y:word>")}})
	g, err := Join(engine, game)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{"JOIN us": "join-game x='us'", "JOIN CLAN us": "join-clan x='us'", "WHO": "who"} {
		if got := brief(g.Parse(line, nil, false)); got != want {
			t.Errorf("%s is %s, want %s", line, got, want)
		}
	}
	if n := len(g.Forms()); n != 4 {
		t.Errorf("%d forms", n)
	}
	if _, err := Join(engine, game, engine); err == nil {
		t.Error("an ID used twice is no error")
	}
}

func TestShow(t *testing.T) {
	g := MustGrammar(testSpec())
	for _, c := range []struct{ id, lang, want string }{
		{"challenge", "en", "CHALLENGE <lord> [IN <land> | VERSION <land>] [FOR (VASSALAGE [OF <of>] | INDEPENDENCE)]"},
		{"challenge", "ru", "ВЫЗВАТЬ|ВЫЗОВ <lord> [В <land> | ВЕРСИЯ <land>] [ЗА (ВАССАЛИТЕТ [<of>] | НЕЗАВИСИМОСТЬ)]"},
		{"claim", "en", "CLAIM BONUS IN <tourney> FOR <vassal> <place>[, <vassal> <place>…]"},
		{"army", "en", "<units>[, <units>…] FORM ARMY IN <in>"},
		{"notify", "en", "NOTIFY <pieces>[, <pieces>…]: <words>"},
		{"notify", "ru", "NOTIFY <pieces>[, <pieces>…]: <words>"},
		{"piece-challenge", "en", "CALL <piece>[: <words>]"},
		{"ask", "en", "ASK <question> [SECRET|PUBLIC]"},
		{"permit", "en", "PERMIT <faction> (PASS|ENTER|DOCK|LEAVE[, PASS|ENTER|DOCK|LEAVE…] | ALL) AT <location> [STANDING]"},
		{"answer", "en", "ANSWER (YES | NO | DON'T KNOW)"},
		{"give", "en", "GIVE <n> [@] TO <to>"},
		{"nothing", "en", ""},
	} {
		if got := g.Show(c.id, c.lang); got != c.want {
			t.Errorf("Show(%s, %s)\n got %s\nwant %s", c.id, c.lang, got, c.want)
		}
	}
	if all := g.Shows("moves", "en"); len(all) != 2 || !strings.HasPrefix(all[1], "MOVE <unit>") {
		t.Errorf("Shows(moves) = %q", all)
	}
}

func TestMatching(t *testing.T) {
	g := MustGrammar(testSpec())
	for word, want := range map[string]string{
		"challenge": "challenge",
		"ВЫЗОВ":     "challenge",
		"give":      "give give-feud",
		"move":      "moves chess",
		"MOVES":     "moves",
		"ОСАЖДАЕТ":  "besiege",
		"form":      "army",
		"ИДЕТ":      "moves",
		"and":       "",
		"IN":        "",
		"xyz":       "",
	} {
		var ids []string
		for _, f := range g.Matching(word) {
			ids = append(ids, f.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("Matching(%s) = %q, want %q", word, got, want)
		}
	}
}
