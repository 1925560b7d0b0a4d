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
		{Form: alone(form(formReady, "E-READY", forMember, "READY", "ГОТОВ", "Says that you have given all your orders of this round.",
			"Сообщает, что вы отдали все приказы этого раунда.")), settle: (*cause).whileRunning, control: saying(rules.Ready)},
		{Form: alone(form("e-wait", "E-WAIT", forMember, "WAIT", "ЖДУ", "Takes READY back.", "Отменяет слово ГОТОВ.")), control: saying(rules.Wait)},
		{Form: form("e-hold", "E-HOLD", forGM, "HOLD [<reason:text>]", "ПАУЗА [<reason:text>]", "Stops the game's time: nothing falls due until RESUME; orders are taken.",
			"Останавливает время игры: до слова ПРОДОЛЖИТЬ сроки не наступают; приказы принимаются."), settle: (*cause).holding, control: saying(rules.Hold), events: heldEvents, do: (*cause).hold},
		{Form: alone(form("e-resume", "E-RESUME", forGM, "RESUME", "ПРОДОЛЖИТЬ", "Lets the game go on; everything that falls due is later by as long as it was held.",
			"Продолжает игру; все сроки сдвигаются на время остановки.")), settle: (*cause).resuming, control: shifting, events: resumedEvents, do: (*cause).resume},
		{Form: form("e-extend", "E-EXTEND", forGM, "EXTEND <duration:duration>", "ПРОДЛИТЬ НА <duration:duration>", "Moves the deadline by a length of time, such as 90m, 36h or 2d.",
			"Отодвигает срок на указанное время, например 90m, 36h или 2d."), settle: (*cause).extending, control: extended},
		{Form: form("e-set", "E-DEADLINE", forGM, "DEADLINE <date:date>", "СРОК <date:date>", "Moves the deadline to a date; without a time of day it keeps its own.",
			"Переносит срок на дату; время суток, если не указано, остаётся прежним."), settle: (*cause).dating, control: dated},
		{Form: form("e-process", "E-PROCESS", forGM, "PROCESS NOW", "РЕШИТЬ СЕЙЧАС", "Closes the phase at once, as if its deadline had come.",
			"Закрывает фазу сразу, как если бы наступил её срок."), settle: (*cause).processing, control: saying(rules.Close)},
	}
}

func cancelling(o orders.Order, _ rules.Env) rules.Control {
	return rules.Control{Kind: rules.Cancel, N: int(o.N("n"))}
}

func saying(kind string) func(orders.Order, rules.Env) rules.Control {
	return func(orders.Order, rules.Env) rules.Control { return rules.Control{Kind: kind} }
}
