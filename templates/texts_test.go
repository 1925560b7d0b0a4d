package templates

import (
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"arroba/orders"
	"arroba/rules"
)

var readers = []Reader{{Language: "en", Zone: time.UTC}, {Language: "ru", Zone: time.UTC}}

func engineTexts(t *testing.T) *Texts {
	t.Helper()
	x, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestEveryTextExistsInBothLanguages(t *testing.T) {
	x := engineTexts(t)
	for _, pair := range [][2]string{{"en", "ru"}, {"ru", "en"}} {
		for _, found := range x.base[pair[0]].Templates() {
			if name := found.Name(); !strings.HasSuffix(name, ".tmpl") && name != pair[0] && x.base[pair[1]].Lookup(name) == nil {
				t.Errorf("%q is in %q but not in %q", name, pair[0], pair[1])
			}
		}
	}
}

// sample has every datum that the engine's events and sayings ask for.
var sample = map[string]any{
	"title": "The Lands", "n": 3, "began": "2026-03-01T10:00:00Z",
	"from": "Oleg", "to": []string{"Boris", "Ivan"}, "text": "One.\nTwo.", "reason": "a journey", "round": 3, "event": 12,
	"deadline": "2026-03-01T10:00:00Z", "member": "Oleg", "nick": "Olga", "hash": strings.Repeat("ab", 32), "seed": "dawn",
	"subject": "Challenge", "why": "a part is broken", "id": "01J", "arrived": time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC),
	"game": "lands", "how": "with the word", "games": []string{"lands", "crown"}, "address": "oleg@example.org",
	"source": "post", "since": "2026-01-05T10:00:00Z", "attempts": 5, "anonymous": false,
	"copied": true, "limit": 20, "role": "gm", "code": "confirm-0123456789abcdef", "utc": "2026-03-01 10:00:00 UTC",
}

var undecided = map[string]any{"nick": "Oleg", "subject": "Challenge", "id": "01J", "link": "https://b.example/1", "why": "straddles", "text": "One.",
	"lines": []string{"ORDERS", "AS Oleg", "MARCH", "END"}, "from": "2026-01-05T10:00:00Z", "to": "2026-01-05T10:00:59Z", "due": "2026-01-05T10:00:30Z"}

// own are names with data of another kind than the sample's.
var own = map[string]map[string]any{
	"rolled-back": {"event": 12, "undone": 3}, "refused E-REDO": {"n": 12},
	"refused E-ROLLBACK event": {"last": 9}, "refused E-ROLLBACK round": {"last": 9},

	"post-changed":   {"from": "Oleg", "subject": "Challenge", "why": "late", "id": "01J", "arrived": "2026-01-05T10:00:00Z", "text": "One.\nTwo.", "link": "https://b.example/1", "lines": []string{"ORDERS", "AS Oleg", "MARCH", "END"}},
	"post-undecided": undecided, "post-waits": undecided, "post doubt": undecided,
	"post-taken-back": {"subject": "Challenge", "lines": []string{"MARCH"}, "gone": true},
	"post-replaced":   {"lines": []string{"MARCH"}},
	"post-stays":      {"lines": []string{"MARCH"}},
	"post-refused":    {"thread": "board/7", "subject": "The round closes", "part": "1/3", "marker": "lands-3-abcdef-1", "why": "the topic is locked", "text": "One.\nTwo."},
	"post-undated":    {"at": "2026-01-05T10:00:00Z"},
	"post-delayed":    {"posted": "2026-01-05T10:00:00Z", "seen": "2026-01-05T16:00:00Z"},
	"post-tags":       {"tags": []string{"[b]", "[/i]"}},
	"post-account":    {"author": "Oleg", "board": "phpbb", "user": "17", "nick": "Oleg", "game": "lands", "link": "https://b.example/1", "id": "01J"},

	"reminder":        due(22 * time.Minute),
	"pause unread":    {"game": "lands", "at": "2026-01-05T10:00:00Z", "due": "2026-01-05T10:00:00Z", "why": "unread", "sources": []string{"post"}},
	"held":            {"reason": "a journey"},
	"held unread":     {"due": "2026-01-05T10:00:00Z"},
	"pause clock":     {"game": "lands", "at": "2026-01-05T10:00:00Z", "is": "2026-01-06T10:00:00Z"},
	"clock-ahead":     {"was": "2026-01-05T10:00:00Z", "is": "2026-01-06T10:00:00Z", "by": 24 * time.Hour, "games": []string{"lands"}, "more": 2},
	"clock-back":      {"was": "2026-01-05T10:00:00Z", "is": "2026-01-04T10:00:00Z", "by": 24 * time.Hour},
	"vacation":        {"from": "2026-01-05T10:00:00Z", "to": "2026-01-15T10:00:00Z", "member": "Oleg"},
	"letter-unproved": {"from": "oleg@example.org", "subject": "Challenge", "arrived": "2026-01-05T10:00:00Z", "lack": "wrong", "how": "with the word"},
	"secrets-guessed": {"nick": "Olga", "n": 5},
	"confirm-join":    {"title": "The Lands", "code": "confirm-x", "full": false},
	"joined":          {"title": "The Lands", "nick": "Olga", "role": "player", "gms": []string{"Gareth"}, "link": "", "authentication": "none", "forming": false},
	"member-joined":   {"nick": "Olga", "address": "olga@example.org", "name": "Olga P.", "text": "I like\nwars.", "left": 1, "forming": true, "game": "lands"},
	"member-waits":    {"address": "olga@example.org", "name": "", "text": "", "n": 1, "game": "lands"},
	"declined":        {"nick": "Olga", "named": true},
	"join-waits":      {"title": "The Lands", "n": 2},
	"invitation":      {"title": "The Lands", "nick": "Olga", "role": "player", "gms": []string{"Gareth"}, "link": "https://b.example/m/x", "authentication": "token", "copied": false},
	"game-forming":    {"game": "lands", "invited": []string{"Olga"}, "open": true, "players": 2, "seats": 3},
	"welcome":         {"title": "The Lands", "nick": "Olga", "role": "player", "gms": []string{"Gareth"}, "authentication": "none", "copied": true, "deadline": "2026-01-05T10:00:00Z"},
	"setting-changed": {"key": "press_copies", "was": "false", "now": "true"},
	"commanded":       {"who": "root", "lines": []Line{{Line: "ADD 0", Verdict: orders.Refused, Rule: "T-1", Reason: "Not below 1."}}},
	"attached":        {"nick": "Olga", "id": "01J", "files": []map[string]any{{"name": "save.gm1", "size": 1234}, {"name": "", "size": 1}}},
	"letter-over":     {"subject": "Challenge", "arrived": "2026-01-05T10:00:00Z", "over": "size", "limit": 25, "kb": false},
	"brake-closed":    {"address": "boris@example.org", "limit": 100, "what": "answers a day"},
	"mail-bounces":    {"nick": "Boris", "address": "boris@example.org", "why": "550 5.1.1 no such user", "mails": 3, "hard": false},
	"digest":          {"due": "2026-01-06T07:00:00Z", "events": []map[string]any{{"at": "2026-01-05T10:00:00Z", "text": "Oleg adds 1."}}},
	"accepted kept":   {"n": 7, "round": 3, "replaced": []int{4, 5}, "missed": 2, "closed": "2026-03-01T10:00:00Z", "ready": true},
	"accepted cancel": {"orders": []int{7}, "round": 3},
	"accepted ready":  {"round": 3, "closes": "2026-03-01T10:00:00Z", "now": false, "pending": false},
	"mail-stuck":      {"to": "boris@example.org", "subject": "news", "attempts": 2, "why": "no such mailbox"},

	"vacation-asked":          {"from": "2026-01-05T10:00:00Z", "to": "2026-01-15T10:00:00Z", "nick": "Oleg", "line": "VACATION 2026-01-05 TO 2026-01-15", "year": 2026, "left": 3, "most": 10},
	"source-stopped":          {"source": "tavern/42", "kind": "challenge", "why": "a guard"},
	"thread-stopped":          {"source": "tavern/42", "kind": "closed", "why": "the board is closed"},
	"resent":                  {"n": 2},
	"welcome-seat":            {"title": "lands", "nick": "Olga", "member": "Oleg", "role": "player", "link": "https://x.example/m/1", "authentication": "token"},
	"refused E-VACATION days": {"nick": "Oleg", "year": 2026, "left": 3, "most": 10},
}

// parts are templates that others use, with data of their own, or pages' words.
var parts = regexp.MustCompile(`^(back .*|stopped by|gm|gm's|mail|mail receipt|help.*|expected|ready|choices|unclear .*|still ready|numbers|kind .*|slot .*|how .*|brake|subject.*|role|as whom|believed|who|history|deadlines|when|held why|tested|on-behalf|given|verdict|offers|order form|kept|in force|board\..*|..|.*\.tmpl)$`)

func TestEveryTextIsTold(t *testing.T) {
	x, game := engineTexts(t), gameTexts(t)
	told := 0
	for _, found := range x.base["en"].Templates() {
		name := found.Name()
		if parts.MatchString(name) {
			continue
		}
		data := own[strings.TrimSuffix(name, " headline")]
		if data == nil {
			data = sample
		}
		seen := map[string]bool{}
		for _, r := range readers {
			text, err := x.Event(r, name, time.Unix(0, 0), data)
			if err != nil {
				t.Error(err)
				continue
			}
			readable(t, r.Language+" "+name, text)
			_, mail, err := game.Mail(r, Mail{Kind: "results", Game: "march", News: []string{text}})
			if err != nil {
				t.Error(err)
			}
			if !strings.HasSuffix(name, " headline") && !strings.HasPrefix(name, "refused ") {
				noOrders(t, r.Language+" "+name, mail)
			}
			if seen[text] {
				t.Errorf("%q is the same in both languages", name)
			}
			seen[text] = true
		}
		told++
	}
	if told < 40 {
		t.Errorf("only %d texts were told", told)
	}
}

// readable complains of what no reader should see.
func readable(t *testing.T, name, text string) {
	t.Helper()
	for _, bad := range []string{"<no value>", "<nil>", "map[", "%!", "  ", " .", " ,", "..", "{{"} {
		if strings.Contains(text, bad) {
			t.Errorf("%s: %q in %q", name, bad, text)
		}
	}
	if text == "" {
		t.Errorf("%s is empty", name)
	}
}

func TestUnclear(t *testing.T) {
	x := engineTexts(t)
	show := "CHALLENGE <nick> [IN <land>]"
	for _, why := range []string{orders.WhyForm, orders.WhyVerb, orders.WhyName, orders.WhyAmbiguous, orders.WhyNumber,
		orders.WhyDate, orders.WhyDuration, orders.WhyAddress, orders.WhyBlock, orders.WhyEnd} {
		for _, r := range readers {
			got, err := x.Unclear(r, orders.Unclearness{Why: why, Show: show, Slot: "nick", Kind: "nick", Text: "Bors", Near: []string{"Boris", "Borus"}})
			if err != nil {
				t.Error(err)
				continue
			}
			readable(t, r.Language+" "+why, got)
			if !strings.Contains(got, "CHALLENGE <") {
				t.Errorf("%s %s shows no form: %s", r.Language, why, got)
			}
			if why == orders.WhyName && !strings.Contains(got, "Boris") {
				t.Errorf("%s: no name it may have meant: %s", r.Language, got)
			}
			if got, err = x.Unclear(r, orders.Unclearness{Why: why}); err != nil {
				t.Errorf("%s with nothing known: %v, %s", why, err, got)
			}
		}
	}
}

func TestReason(t *testing.T) {
	x := engineTexts(t)
	r := readers[0]
	if got, err := x.Reason(r, rules.Accept("E-PRESS")); got != "" || err != nil {
		t.Errorf("accepted: %q, %v", got, err)
	}
	if got, err := x.Reason(r, rules.Refuse("E-PRESS", "self", nil)); !strings.Contains(got, "yourself") || err != nil {
		t.Errorf("its variant: %q, %v", got, err)
	}
	if got, err := x.Reason(r, rules.Refuse("E-PRESS", "unheard-of", nil)); !strings.Contains(got, "cannot be sent") || err != nil {
		t.Errorf("the rule's only text: %q, %v", got, err)
	}
	kept := rules.Ruling{Verdict: orders.Accepted, Rule: "XX-1", Why: "kept", Data: rules.Data{"round": 4}}
	text := fstest.MapFS{"en/x.tmpl": {Data: []byte(`{{define "accepted XX-1 kept"}}Kept for round {{number .round}}.{{end}}`)}, "ru/x.tmpl": {}}
	own, err := New(&rules.Ruleset{Texts: text})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := own.Reason(r, kept); got != "Kept for round 4." || err != nil {
		t.Errorf("what became of an accepted one: %q, %v", got, err)
	}
	for _, ru := range []rules.Ruling{rules.Refuse("XX-1", "", nil), rules.Unclear("unheard-of", nil), kept} {
		if got, err := x.Reason(r, ru); err == nil {
			t.Errorf("a reason without a text: %q", got)
		}
	}
}

func TestHelp(t *testing.T) {
	g := orders.MustGrammar(orders.Spec{Forms: []orders.Form{
		{ID: "move", Rule: "XX-1", Who: "player", Say: map[string][]string{"en": {"MARCH <nick> TO <word>", "MARCH TO <word>"}, "ru": {"ПОХОД <nick>"}},
			Help: map[string]string{"en": "Marches.", "ru": "Идёт."}},
		{ID: "write", Rule: "XX-2", Who: "member", Say: map[string][]string{"en": {"WRITE TO <nick>"}}, End: map[string]string{"en": "END WRITE"},
			Help: map[string]string{"en": "Writes."}},
		{ID: "rule", Rule: "XX-3", Who: "gm", Say: map[string][]string{"en": {"DECREE"}, "ru": {"УКАЗ"}}, Help: map[string]string{"en": "Decrees.", "ru": "Решает."}},
	}})
	x := engineTexts(t)
	for _, c := range []struct {
		lang string
		who  []string
		verb string
		has  []string
		not  []string
	}{
		{"en", []string{"player", "member"}, "", []string{"For every player:", "> MARCH <nick> TO <word>\n(XX-1) Marches.", "For everybody", "> WRITE TO <nick>\n> ...\n> END WRITE\n(XX-2) Writes."}, []string{"DECREE", "MARCH TO"}},
		{"ru", []string{"player", "member"}, "", []string{"> ПОХОД <имя>\n(XX-1) Идёт.", "> WRITE TO <имя>\n> ...\n> END WRITE"}, []string{"УКАЗ"}},
		{"en", []string{"gm"}, "", []string{"For the Game Master:", "> DECREE\n(XX-3) Decrees."}, []string{"MARCH"}},
		{"en", []string{"player"}, "march", []string{"> MARCH <nick> TO <word>\n> MARCH TO <word>\n(XX-1)"}, []string{"WRITE", "one a line", "example"}},
		{"en", []string{"member"}, "write", []string{"(XX-2) Writes.\nFor example:\n> WRITE TO Boris"}, []string{"MARCH", "one a line"}},
		{"en", []string{"player"}, "поход", []string{"> MARCH <nick> TO <word>"}, nil},
		{"en", []string{"player"}, "DECREE", []string{"one a line", "MARCH"}, []string{"> DECREE"}},
		{"en", []string{"player"}, "unheard-of", []string{"one a line", "MARCH"}, nil},
	} {
		names := orders.Lexicon{"nick": &orders.Names{}}
		names["nick"].Add("Anna")
		names["nick"].Add("Boris")
		got, all, err := x.Help(Reader{Language: c.lang}, g, "Anna", Help{Forms: g.Forms(), Who: c.who, Verb: c.verb, Names: names, Offers: []string{"HALT"}})
		if strings.Contains(got, "> HALT") != all {
			t.Errorf("HELP %s: what can be done now is told: %v", c.verb, !all)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range c.has {
			if !strings.Contains(got, s) {
				t.Errorf("HELP %s for %v in %s lacks %q:\n%s", c.verb, c.who, c.lang, s, got)
			}
		}
		for _, s := range c.not {
			if strings.Contains(got, s) {
				t.Errorf("HELP %s for %v in %s has %q:\n%s", c.verb, c.who, c.lang, s, got)
			}
		}
	}
}

func due(left time.Duration) map[string]any {
	return map[string]any{"deadlines": []map[string]any{{"text": "Orders are due.", "at": time.Unix(0, 0), "utc": "early", "left": left}}}
}

func TestAnswers(t *testing.T) {
	x := engineTexts(t)
	who := map[string]any{"copies": false, "members": []map[string]any{{"nick": "Oleg", "seat": "Oleg", "role": "player", "lost": false, "gone": false}, {"nick": "Olga", "seat": "Olga", "role": "gm", "lost": false, "gone": false}}}
	some := map[string]any{"copies": true, "members": []map[string]any{{"nick": "Oleg", "seat": "Oleg", "role": "player", "lost": true, "gone": true},
		{"nick": "Olga", "seat": "Vera", "role": "observer", "lost": false, "gone": false, "from": time.Unix(0, 0), "until": time.Unix(60, 0)}}}
	history := []map[string]any{{"n": 11, "at": time.Unix(0, 0), "text": "One.\nTwo.", "undone": false}, {"n": 12, "at": time.Unix(60, 0), "text": "Three.", "undone": false},
		{"n": 13, "at": time.Unix(60, 0), "text": "Four.", "undone": true}}
	for _, c := range []struct {
		lang, name string
		data       any
		want       string
	}{
		{"en", "who", who, "Members of this game:\n\nOleg, player\nOlga, Game Master"},
		{"ru", "who", who, "Участники этой игры:\n\nOleg, игрок\nOlga, ведущий"},
		{"en", "who", some, "Members of this game:\n\nOleg, player; has left, the seat waits for somebody else; mail to him comes back\n" +
			"Olga, observer; has the seat of Vera; away from Thursday, 1 January 1970, 00:00 (UTC) to Thursday, 1 January 1970, 00:01 (UTC)\n\nThe Game Master gets a copy of every letter that members send each other by PRESS."},
		{"ru", "who", some, "Участники этой игры:\n\nOleg, игрок; игру покинул, место ждёт замены; письма к нему возвращаются\n" +
			"Olga, наблюдатель; занимает место участника Vera; в отъезде с четверга, 1 января 1970 г., 00:00 (UTC) до четверга, 1 января 1970 г., 00:01 (UTC)\n\nВедущий получает копию каждого письма, которое участники посылают друг другу приказом ПИСЬМО."},
		{"en", "history", history[:2], "No. 11, Thursday, 1 January 1970, 00:00 (UTC):\nOne.\nTwo.\n\nNo. 12, Thursday, 1 January 1970, 00:01 (UTC):\nThree."},
		{"ru", "history", history[1:2], "№ 12, четверг, 1 января 1970 г., 00:01 (UTC):\nThree."},
		{"en", "history", history[2:], "No. 13, Thursday, 1 January 1970, 00:01 (UTC), undone since:\nFour."},
		{"ru", "history", history[2:], "№ 13, четверг, 1 января 1970 г., 00:01 (UTC), с тех пор отменено:\nFour."},
		{"en", "history", history[:0], "Nothing has happened yet that you may know of."},
		{"ru", "deadlines", map[string]any{"deadlines": []string{}}, "Сейчас никакого срока нет."},
		{"en", "deadlines", map[string]any{"held": time.Unix(0, 0)}, "The game is held since Thursday, 1 January 1970, 00:00 (UTC). Until it goes on nothing falls due."},
		{"en", "deadlines", due(27 * time.Hour), "Orders are due.\nWhen: Thursday, 1 January 1970, 00:00 (UTC), which is early.\nTime left: 1 day, 3 hours."},
		{"ru", "deadlines", due(22 * time.Minute), "Orders are due.\nКогда: четверг, 1 января 1970 г., 00:00 (UTC), то есть early.\nОсталось: 22 минуты."},
		{"en", "deadlines", due(-time.Second), "Orders are due.\nWhen: Thursday, 1 January 1970, 00:00 (UTC), which is early.\nIt is past; it takes effect when every letter that came by then has been read."},
	} {
		if got, err := x.Say(Reader{Language: c.lang}, c.name, c.data); err != nil || got != c.want {
			t.Errorf("%s in %s: %v\n%s", c.name, c.lang, err, got)
		}
	}
}

func TestReadersAtOnce(t *testing.T) {
	x := engineTexts(t)
	zones := []*time.Location{time.UTC, zone(t, "Europe/Moscow"), zone(t, "Asia/Tokyo")}
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			z := zones[i%3]
			got, err := x.Event(Reader{readers[i%2].Language, z}, "deadline-set", time.Time{}, sample)
			if err != nil || !strings.Contains(got, "("+z.String()+")") {
				t.Errorf("%v: %q, %v", z, got, err)
			}
		})
	}
	all.Wait()
}
