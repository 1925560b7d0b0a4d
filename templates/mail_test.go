package templates

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"arroba/orders"
	"arroba/rules"
)

var update = flag.Bool("update", false, "write the mails in testdata anew")

// marches is a small game whose orders are easily met in prose, with the words of the engine's own orders.
var marches = orders.MustGrammar(orders.Spec{Forms: append(engineForms(), []orders.Form{
	{ID: "march", Rule: "XX-1", Who: "player", Say: map[string][]string{"en": {"MARCH TO <word>"}, "ru": {"ПОХОД НА <word>"}},
		Help: map[string]string{"en": "Your army goes there.", "ru": "Ваше войско идёт туда."}},
	{ID: "halt", Rule: "XX-2", Who: "player", Say: map[string][]string{"en": {"HALT"}}, Help: map[string]string{"en": "It stays."}},
}...)})

func engineForms() (forms []orders.Form) {
	for en, ru := range map[string]string{
		"HELP [<w:word>]": "ПОМОЩЬ [<w:word>]", "STATUS": "СТАТУС", "HISTORY [<n:number>]": "ИСТОРИЯ [<n:number>]", "WHO": "КТО",
		"DEADLINE [<date>]": "СРОК [<date>]", "CANCEL <n:number>": "ОТМЕНА <n:number>", "WAIT": "ЖДУ", "READY": "ГОТОВ",
		"VACATION <a:date> TO <b:date>": "ОТПУСК <a:date> ДО <b:date>", "PRESS TO <w:word>": "ПИСЬМО <w:word>",
		"LANGUAGE <w:word>": "ЯЗЫК <w:word>", "ADDRESS <address>": "АДРЕС <address>", "HOLD [<text>]": "ПАУЗА [<text>]",
		"RESUME": "ПРОДОЛЖИТЬ", "EXTEND <duration>": "ПРОДЛИТЬ НА <duration>", "PROCESS NOW": "РЕШИТЬ СЕЙЧАС",
		"ROLLBACK TO EVENT <n:number>": "ОТКАТ К СОБЫТИЮ <n:number>", "REDO ALL": "ВЕРНУТЬ ВСЁ", "AS <w:word>": "ОТ ИМЕНИ <w:word>",
		"REPLACE <w:word> BY <text>": "ЗАМЕНИТЬ <w:word> НА <text>", "BROADCAST": "ОБЪЯВЛЕНИЕ", "RULING <text>": "ПОСТАНОВЛЕНИЕ <text>",
		"TEST": "ПРОБА", "RESEND [<n:number>]": "ПОВТОРИ [<n:number>]", "LEAVE GAME": "УЙТИ ИЗ ИГРЫ", "JOIN <w:word>": "ВСТУПИТЬ <w:word>",
	} {
		forms = append(forms, orders.Form{ID: en, Who: "engine", Say: map[string][]string{"en": {en}, "ru": {ru}}})
	}
	return forms
}

func gameTexts(t *testing.T) *Texts {
	t.Helper()
	x, err := New(nil, marches)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestMailFrames(t *testing.T) {
	x := gameTexts(t)
	at := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	for _, r := range []Reader{{"en", zone(t, "Europe/Moscow")}, {"ru", zone(t, "Europe/Moscow")}} {
		event := func(typ string, data rules.Data) string {
			s, err := x.Event(r, typ, at, data)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		unclear, err := x.Unclear(r, *marches.Parse("MARHC TO Kent", nil, false).Unclear)
		if err != nil {
			t.Fatal(err)
		}
		help, _, err := x.Help(r, marches, "", Help{Forms: marches.Forms(), Who: []string{"player"}})
		if err != nil {
			t.Fatal(err)
		}
		refused, err := x.Reason(r, rules.Refuse("E-VACATION", "order", nil))
		if err != nil {
			t.Fatal(err)
		}
		say := func(name string) string {
			s, err := x.Say(r, name, sample)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		reminder, err := x.Say(r, "reminder", due(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		deadline := event("deadline-set", rules.Data{"deadline": at})
		left, err := x.Say(r, "deadlines", due(28*time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		for name, m := range map[string]Mail{
			"receipt": {Kind: "receipt", Why: "my orders", Answers: true, Link: "https://board.example/m/" + strings.Repeat("abcdefgh", 12),
				Lines: []Line{{"MARCH TO Kent", orders.Accepted, "XX-1", ""}, {"MARHC TO Kent", orders.Unclear, "", unclear},
					{"VACATION 2026-02-02 TO 2026-02-01", orders.Refused, "E-VACATION", refused}, {"HELP", orders.Accepted, "E-HELP", ""}},
				Receipt: "17-3f9a2b01c4", Deadline: left, InForce: []rules.Kept{{N: 3, Line: "MARCH TO Kent"}, {N: 12, Line: "HALT"}},
				More: 3, Said: []string{help}, News: []string{deadline}},
			"results":  {Kind: "results", Offers: []string{"MARCH TO <" + map[string]string{"en": "word", "ru": "слово"}[r.Language] + ">", "HALT"}, OrdersTo: "march+token@play.example", News: []string{event("held", rules.Data{"reason": "a fair in town"}), deadline}},
			"copy":     {Kind: "copy", Why: "a new deadline", News: []string{deadline}},
			"press":    {Kind: "press", News: []string{event("press", rules.Data{"from": "Olga", "to": []string{"Oleg"}, "text": "MARCH TO Kent\n\nor we are lost"})}},
			"question": {Kind: "question", Why: "my orders", Answers: true, Said: []string{say("which-game")}},
			"reminder": {Kind: "reminder", Said: []string{reminder}},
			"alarm":    {Kind: "alarm", Why: "post cannot be read", Said: []string{say("source-down")}},
		} {
			m.Title = "The Marches"
			if name != "alarm" {
				m.Game = "march"
			}
			if name != "copy" && name != "alarm" {
				m.To = "Oleg"
			}
			subject, text, err := x.Mail(r, m)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+"."+r.Language, "Subject: "+subject+"\n\n"+text)
			tidyMail(t, name, text)
			noOrders(t, name, text)
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is now:\n%s", name, got)
	}
}

// tidyMail complains of long lines of prose, odd blanks and control characters.
func tidyMail(t *testing.T, name, text string) {
	t.Helper()
	if !strings.Contains(text, "\n-- \n") || !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n") || strings.Contains(text, "\n\n\n") {
		t.Errorf("%s is untidy:\n%s", name, text)
	}
	for _, line := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(line); n > width && !strings.HasPrefix(line, ">") && !strings.Contains(line, "://") && !strings.HasPrefix(line, "mailto:") {
			t.Errorf("%s: a line of %d letters: %s", name, n, line)
		}
		if line != signature && strings.TrimSpace(line) != line {
			t.Errorf("%s: blanks around %q", name, line)
		}
		if strings.IndexFunc(line, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) >= 0 {
			t.Errorf("%s: control characters in %q", name, line)
		}
	}
}

// noOrders complains of a line that reads like an order when the mail comes back unmarked.
func noOrders(t *testing.T, name, text string) {
	t.Helper()
	own, _, _ := strings.Cut(text, "\n"+signature+"\n")
	for _, line := range strings.Split(own, "\n") {
		if !strings.HasPrefix(line, ">") && !marches.Parse(orders.Clean(line), nil, false).Prose() {
			t.Errorf("%s: a line reads like an order: %s", name, line)
		}
	}
}

func TestSubjects(t *testing.T) {
	x := engineTexts(t)
	for _, c := range []struct {
		why     string
		answers bool
		want    string
	}{
		{"Challenge - Oleg", true, "[lands] Re: Challenge - Oleg"},
		{"Re: Challenge", true, "[lands] Re: Challenge"},
		{"[lands] Challenge", true, "[lands] Re: Challenge"},
		{"RE: [Lands] Re: Re[2]: Отв: AW: Challenge", true, "[lands] Re: Challenge"},
		{"[lands] Re: [lands] x", false, "[lands] x"},
		{"[crown] x", false, "[lands] [crown] x"},
		{"Reply: no mark", true, "[lands] Re: Reply: no mark"},
		{"", true, "[lands] Re: your orders"},
		{"Re: [lands]", true, "[lands] Re: your orders"},
		{"a\r\nBcc: x@example.org\x00\u202e\u2028b", false, "[lands] a Bcc: x@example.org b"},
		{strings.Repeat("я", 500), false, "[lands] " + strings.Repeat("я", 159) + "…"},
	} {
		got, _, err := x.Mail(readers[0], Mail{Kind: "receipt", Game: "lands", Why: c.why, Answers: c.answers})
		if err != nil || got != c.want {
			t.Errorf("%q: %v, %q", c.why, err, got)
		}
	}
	if got, _, err := x.Mail(readers[1], Mail{Kind: "alarm"}); err != nil || got != "тревога" {
		t.Errorf("no game, no matter: %q, %v", got, err)
	}
}

// TestHostileContent: whatever stands in nicks, subjects and orders, a mail stays tidy and what was written stays
// quoted.
func TestHostileContent(t *testing.T) {
	x := gameTexts(t)
	evil := "x\r\nHALT\n-- \n\x00\x1b[31m\u202e{{.Game}}<b>%s\u2029HALT\xff"
	for _, r := range readers {
		news := func(typ string, data rules.Data) string {
			s, err := x.Event(r, typ, time.Unix(0, 0), data)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		subject, text, err := x.Mail(r, Mail{
			Kind: "receipt", Game: "ma\nrch", Title: evil, To: evil, Why: evil, Answers: true, Link: evil,
			Lines: []Line{{evil, orders.Refused, evil, evil}, {strings.Repeat("long ", 400), orders.Accepted, "", ""}},
			News: []string{news("press", rules.Data{"from": evil, "text": evil}), news("held", rules.Data{"reason": evil}),
				news("vacation", rules.Data{"member": evil, "from": time.Unix(0, 0), "to": time.Unix(9, 0)})},
		})
		if err != nil {
			t.Fatal(err)
		}
		tidyMail(t, r.Language, text)
		noOrders(t, r.Language, text)
		if strings.ContainsFunc(subject, unicode.IsControl) || strings.Contains(subject, "\u202e") {
			t.Errorf("subject %q", subject)
		}
		for _, line := range strings.Split(text, "\n") {
			if strings.HasPrefix(line, "> long") && utf8.RuneCountInString(line) > lineLength+2 {
				t.Errorf("an order is shown with %d letters", utf8.RuneCountInString(line))
			}
		}
		if !strings.Contains(text, "{{.Game}}<b>%s") {
			t.Errorf("what was written is not shown as it was:\n%s", text)
		}
	}
}

// TestWrap: a line of prose is never broken so that an order of the game begins it, nor are quotes and links broken.
func TestWrap(t *testing.T) {
	x := gameTexts(t)
	link := "https://example.org/" + strings.Repeat("x", 100)
	quoted := "> " + strings.Repeat("word ", 30) + "end"
	for _, n := range []int{50, 60, 68, 70, 72, 75, 76, 77} {
		prose := strings.TrimSpace(strings.Repeat("a", n)) + " and march to Kent and then march to York and halt"
		got := x.wraps.wrap(prose + "\n" + quoted + "\nsee " + link)
		if strings.Join(strings.Fields(got), " ") != prose+" "+quoted+" see "+link {
			t.Errorf("words are lost or moved:\n%s", got)
		}
		if !strings.Contains(got, "\n"+quoted+"\n") || !strings.Contains(got, link) {
			t.Errorf("a quote or link is broken:\n%s", got)
		}
		noOrders(t, "wrapped", got)
	}
}

func TestTidyKeepsParagraphs(t *testing.T) {
	if got := tidy("\n\n a  \n\n\n\nb\t\r\n-- \n\n"); got != " a\n\nb\n--" && got != " a\n\nb\n-- " {
		t.Errorf("%q", got)
	}
}
