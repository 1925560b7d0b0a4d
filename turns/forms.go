package turns

import (
	"strings"

	"arroba/orders"
	"arroba/rules"
)

// engineOrder is one of the orders that every ruleset has: a question, which is answered inside the receipt, something
// that the ruleset's Control acts on, or something that the engine does itself.
type engineOrder struct {
	rule    string
	gm      bool                                     // only the GM may give it
	later   bool                                     // understood, so that nothing else is taken for it, and refused: this version does not do it
	check   func(orders.Order) (why string, ok bool) // nil: always good
	answer  func(*cause, *Member, orders.Order) (string, error)
	do      func(*cause, *Member, *orders.Order)          // what it changes besides the state
	events  func(orders.Order, rules.Actor) []rules.Event // that it causes by itself
	control func(orders.Order) rules.Control
}

// The forms that decide how the rest of a letter is taken.
const (
	formAs    = "e-as"
	formTest  = "e-test"
	formPress = "e-press"
)

// engineOrders are the engine's own orders by the IDs of their forms.
var engineOrders = map[string]engineOrder{
	"e-help":       {rule: "E-HELP", answer: (*cause).help},
	"e-status":     {rule: "E-STATUS", answer: (*cause).status},
	"e-history":    {rule: "E-HISTORY", check: historyLength, answer: (*cause).history},
	"e-who":        {rule: "E-WHO", answer: (*cause).who},
	"e-deadline":   {rule: "E-DEADLINE", answer: (*cause).deadline},
	"e-cancel":     {rule: "E-CANCEL", control: func(o orders.Order) rules.Control { return rules.Control{Kind: "cancel", N: int(o.N("n"))} }},
	"e-cancel-all": {rule: "E-CANCEL", control: func(orders.Order) rules.Control { return rules.Control{Kind: "cancel"} }},
	"e-ready":      {rule: "E-READY", control: func(orders.Order) rules.Control { return rules.Control{Kind: "ready"} }},
	"e-wait":       {rule: "E-WAIT", control: func(orders.Order) rules.Control { return rules.Control{Kind: "wait"} }},
	"e-language":   {rule: "E-LANGUAGE", check: knownLanguage, do: (*cause).language},
	formPress:      {rule: "E-PRESS", check: goodPress, do: (*cause).address, events: pressed},
	formTest:       {rule: "E-TEST"},
	formAs:         {rule: "E-AS", gm: true},

	"e-vacation":  {rule: "E-VACATION", later: true},
	"e-address":   {rule: "E-ADDRESS", later: true},
	"e-leave":     {rule: "E-LEAVE", later: true},
	"e-resend":    {rule: "E-RESEND", later: true},
	"e-link":      {rule: "E-LINK", later: true},
	"e-hold":      {rule: "E-HOLD", gm: true, later: true},
	"e-resume":    {rule: "E-RESUME", gm: true, later: true},
	"e-extend":    {rule: "E-EXTEND", gm: true, later: true},
	"e-set":       {rule: "E-DEADLINE", gm: true, later: true},
	"e-process":   {rule: "E-PROCESS", gm: true, later: true},
	"e-rollback":  {rule: "E-ROLLBACK", gm: true, later: true},
	"e-redo":      {rule: "E-REDO", gm: true, later: true},
	"e-replace":   {rule: "E-REPLACE", gm: true, later: true},
	"e-broadcast": {rule: "E-BROADCAST", gm: true, later: true},
	"e-ruling":    {rule: "E-RULING", gm: true, later: true},
}

// engineGrammar is the forms of the engine's own orders.
func engineGrammar() *orders.Grammar {
	return orders.MustGrammar(orders.Spec{Forms: append(ownForms(), laterForms()...)})
}

// ownForms are those that this version carries out.
func ownForms() []orders.Form {
	form := func(id, en, ru, helpEn, helpRu string, alone bool) orders.Form {
		f := said(id, en, ru)
		f.Who, f.Alone, f.Help = "member", alone, map[string]string{"en": helpEn, "ru": helpRu}
		if engineOrders[id].gm {
			f.Who = "gm"
		}
		return f
	}
	return []orders.Form{
		form("e-help", "HELP [<verb:word>] || HELP <verb:word> <verb:word>", "ПОМОЩЬ [<verb:word>] || ПОМОЩЬ <verb:word> <verb:word>",
			"Lists the orders you may give, or tells more about those that begin with a word.",
			"Перечисляет приказы, которые вы можете отдать, или рассказывает о тех, что начинаются с данного слова.", true),
		form("e-status", "STATUS", "СТАТУС", "Shows your own position, and of the others what is public.",
			"Показывает ваше положение, а о других то, что известно всем.", false),
		form("e-history", "HISTORY [<n:number>]", "ИСТОРИЯ [<n:number>]", "Lists the last events you may know of, 20 when no number is given.",
			"Перечисляет последние события, о которых вам можно знать: 20, если число не указано.", false),
		form("e-who", "WHO", "КТО", "Lists the members of the game.", "Перечисляет участников игры.", true),
		form("e-deadline", "DEADLINE", "СРОК", "Tells when the game's next deadline is.", "Говорит, когда в игре ближайший срок.", false),
		form("e-cancel", "CANCEL <n:number>", "ОТМЕНА <n:number>", "Takes back one of your orders that was not carried out yet.",
			"Отменяет один ваш приказ, который ещё не исполнен.", false),
		form("e-cancel-all", "CANCEL ALL", "ОТМЕНА ВСЁ", "Takes back all your orders that were not carried out yet.",
			"Отменяет все ваши приказы, которые ещё не исполнены.", false),
		form("e-ready", "READY", "ГОТОВ", "Says that you have given all your orders of this round.",
			"Сообщает, что вы отдали все приказы этого раунда.", true),
		form("e-wait", "WAIT", "ЖДУ", "Takes READY back.", "Отменяет слово ГОТОВ.", true),
		form("e-language", "LANGUAGE <language:word>", "ЯЗЫК <language:word>", "Writes to you in English (en) or in Russian (ru) from now on.",
			"Отныне пишет вам по-английски (en) или по-русски (ru).", false),
		ending(form(formPress, "PRESS TO <members:member>,* || PRESS TO ALL#all [BUT <members:member>,*] || PRESS ANONYMOUS#anonymous TO <members:member>,* || PRESS ANONYMOUS#anonymous TO ALL#all [BUT <members:member>,*]",
			"ПИСЬМО <members:member>,* || ПИСЬМО ВСЕМ#all [КРОМЕ <members:member>,*] || ПИСЬМО АНОНИМНО#anonymous <members:member>,* || ПИСЬМО АНОНИМНО#anonymous ВСЕМ#all [КРОМЕ <members:member>,*]",
			"Passes a text on to other members, and to nobody else.", "Передаёт текст другим участникам и никому больше.", false), "END PRESS", "КОНЕЦ ПИСЬМА"),
		form(formTest, "TEST", "ПРОБА", "On the first line of a letter: tries its orders, shows what would come of them, and carries nothing out.",
			"В первой строке письма: примеряет его приказы, показывает, что из них вышло бы, и ничего не исполняет.", true),
		form(formAs, "AS <member:member>", "ОТ ИМЕНИ <member:member>", "The orders that follow are given on a member's behalf; AS and your own nick ends it.",
			"Следующие приказы отдаются от имени участника; ОТ ИМЕНИ и ваше собственное имя это прекращает.", false),
	}
}

// laterForms are those that this version only understands. HELP does not list them.
func laterForms() []orders.Form {
	alone := func(f orders.Form) orders.Form { f.Alone = true; return f }
	return []orders.Form{
		ending(said("e-broadcast", "BROADCAST", "ОБЪЯВЛЕНИЕ"), "END BROADCAST", "КОНЕЦ ОБЪЯВЛЕНИЯ"),
		said("e-vacation", "VACATION <from:date> TO <until:date>", "ОТПУСК <from:date> ДО <until:date>"),
		said("e-address", "ADDRESS <address:address>", "АДРЕС <address:address>"),
		alone(said("e-leave", "LEAVE GAME", "УЙТИ ИЗ ИГРЫ")),
		alone(said("e-resend", "RESEND [<n:number>]", "ПОВТОРИ [<n:number>]")),
		alone(said("e-link", "LINK NEW", "НОВАЯ ССЫЛКА")),
		said("e-hold", "HOLD [<reason:text>]", "ПАУЗА [<reason:text>]"),
		alone(said("e-resume", "RESUME", "ПРОДОЛЖИТЬ")),
		said("e-extend", "EXTEND <duration:duration>", "ПРОДЛИТЬ НА <duration:duration>"),
		said("e-set", "DEADLINE <date:date>", "СРОК <date:date>"),
		said("e-process", "PROCESS NOW", "РЕШИТЬ СЕЙЧАС"),
		said("e-rollback", "ROLLBACK TO (ROUND|EVENT) <n:number>", "ОТКАТ К (РАУНДУ|СОБЫТИЮ) <n:number>"),
		said("e-redo", "REDO ALL || REDO <n:number>,*", "ВЕРНУТЬ ВСЁ || ВЕРНУТЬ <n:number>,*"),
		said("e-replace", "REPLACE <member:member> BY <nick:title> <address:address>", "ЗАМЕНИТЬ <member:member> НА <nick:title> <address:address>"),
		said("e-ruling", "RULING <text:text>", "ПОСТАНОВЛЕНИЕ <text:text>"),
	}
}

// ending gives a form a long text with its end lines.
func ending(f orders.Form, en, ru string) orders.Form {
	f.End = map[string]string{"en": en, "ru": ru}
	return f
}

// said is a form with its patterns, which two strokes part.
func said(id, en, ru string) orders.Form {
	return orders.Form{ID: id, Rule: engineOrders[id].rule,
		Say: map[string][]string{"en": strings.Split(en, " || "), "ru": strings.Split(ru, " || ")}}
}
