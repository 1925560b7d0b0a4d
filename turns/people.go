package turns

import (
	"arroba/orders"
	"arroba/rules"
)

// peopleOrders are those about the members themselves.
func peopleOrders() []engineOrder {
	return []engineOrder{
		{Form: form("e-language", "E-LANGUAGE", forMember, "LANGUAGE <language:word>", "ЯЗЫК <language:word>", "Writes to you in English (en) or in Russian (ru) from now on.",
			"Отныне пишет вам по-английски (en) или по-русски (ru)."), settle: knownLanguage, do: (*cause).language},
		{Form: form("e-vacation", "E-VACATION", forMember, "VACATION <from:date> TO <until:date>", "ОТПУСК <from:date> ДО <until:date>",
			"Says that you will be away; the others see it by WHO. No deadline moves by itself for that.",
			"Сообщает, что вас не будет; остальным это покажет КТО. Сроки от этого сами не сдвигаются."), settle: (*cause).vacationAllowed, events: away, do: (*cause).vacation},
		{Form: form("e-address", "E-ADDRESS", forMember, "ADDRESS <address:address>", "АДРЕС <address:address>", "Adds a mail address of yours and writes to it first from now on.",
			"Добавляет ваш почтовый адрес и отныне пишет сперва на него."), settle: (*cause).addressFree, do: (*cause).readdress, answer: (*cause).readdressed},
		{Form: alone(form("e-leave", "E-LEAVE", forMember, "LEAVE GAME", "УЙТИ ИЗ ИГРЫ", "Leaves the game for good: you hear nothing more of it, and your seat waits for somebody else.",
			"Вы покидаете игру навсегда: больше вам о ней не пишут, а ваше место ждёт замены.")), settle: mayLeave, events: left, do: (*cause).leave},
		{Form: alone(form("e-resend", "E-RESEND", forMember, "RESEND [<n:number>]", "ПОВТОРИ [<n:number>]", "Sends you the last letter once more, or as many as you say, up to 100.",
			"Присылает вам ещё раз последнее письмо или столько последних, сколько указано, до 100.")), settle: resendLength, answer: (*cause).resend},
		{Form: alone(form("e-link", "E-LINK", forMember, "LINK NEW", "НОВАЯ ССЫЛКА", "Gives your own page a new address; the old one leads nowhere from then on.",
			"Даёт вашей странице новый адрес; прежний с этого мига никуда не ведёт.")), do: (*cause).newPage, answer: (*cause).newPageTold},
		{Form: form("e-replace", "E-REPLACE", forGM, "REPLACE <member:member> BY <nick:title> <address:address>", "ЗАМЕНИТЬ <member:member> НА <nick:title> <address:address>",
			"Gives a member's seat to somebody else. Whoever had it hears so once, and nothing after it.",
			"Отдаёт место участника другому. Прежнему об этом сообщается один раз, и больше ничего."), settle: (*cause).mayReplace, events: replaced, do: (*cause).replace},
	}
}

func knownLanguage(_ *cause, _ *Member, o *orders.Order, _ rules.Env) *rules.Ruling {
	if languageOf(*o) == "" {
		return refused("E-LANGUAGE", "")
	}
	return nil
}

// languageOf is the language that an order names, "" for one that is not known.
func languageOf(o orders.Order) string {
	for known, names := range map[string][]string{"en": {"en", "English", "английский"}, "ru": {"ru", "Russian", "русский"}} {
		for _, name := range names {
			if orders.Fold(o.Arg("language").Text) == orders.Fold(name) {
				return known
			}
		}
	}
	return ""
}

// language changes what language a member is written to in, from this letter's receipt on.
func (c *cause) language(m *Member, o *orders.Order) {
	c.g.seat(m.Seat).Language = languageOf(*o)
	c.changed = append(c.changed, m.Seat)
}
