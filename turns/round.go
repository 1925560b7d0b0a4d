package turns

import (
	"arroba/orders"
	"arroba/rules"
)

// roundOrders are those about orders that wait for their round, and about the round's time.
func roundOrders() []engineOrder {
	return []engineOrder{
		{Form: form("e-cancel", "E-CANCEL", forMember, "CANCEL <n:number>", "ОТМЕНА <n:number>", "Takes back one of your orders that was not carried out yet.",
			"Отменяет один ваш приказ, который ещё не исполнен."), control: cancelling},
		{Form: form("e-cancel-all", "E-CANCEL", forMember, "CANCEL ALL", "ОТМЕНА ВСЁ", "Takes back all your orders that were not carried out yet.",
			"Отменяет все ваши приказы, которые ещё не исполнены."), control: cancelling},
		{Form: alone(form("e-ready", "E-READY", forMember, "READY", "ГОТОВ", "Says that you have given all your orders of this round.",
			"Сообщает, что вы отдали все приказы этого раунда.")), control: saying(rules.Ready)},
		{Form: alone(form("e-wait", "E-WAIT", forMember, "WAIT", "ЖДУ", "Takes READY back.", "Отменяет слово ГОТОВ.")), control: saying(rules.Wait)},
		later("e-hold", "E-HOLD", forGM, "HOLD [<reason:text>]", "ПАУЗА [<reason:text>]"),
		aloneLater(later("e-resume", "E-RESUME", forGM, "RESUME", "ПРОДОЛЖИТЬ")),
		later("e-extend", "E-EXTEND", forGM, "EXTEND <duration:duration>", "ПРОДЛИТЬ НА <duration:duration>"),
		later("e-set", "E-DEADLINE", forGM, "DEADLINE <date:date>", "СРОК <date:date>"),
		later("e-process", "E-PROCESS", forGM, "PROCESS NOW", "РЕШИТЬ СЕЙЧАС"),
	}
}

func cancelling(o orders.Order, _ rules.Env) rules.Control {
	return rules.Control{Kind: rules.Cancel, N: int(o.N("n"))}
}

func saying(kind string) func(orders.Order, rules.Env) rules.Control {
	return func(orders.Order, rules.Env) rules.Control { return rules.Control{Kind: kind} }
}
