package orders

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
