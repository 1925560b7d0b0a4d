package forum

import (
	"regexp"
	"strings"
	"time"
)

// verdicts are what boards say to a reply, in the languages in which it is known, by what it means. Words are looked for
// only where a page's shape does not tell, the first that fits counts, and what nothing fits stays unclear.
var verdicts = []struct {
	outcome Outcome
	words   *regexp.Regexp
}{
	// That a form was sent before says that its text may stand in the thread.
	{Unclear, anyOf(`already_submitted`, `already (posted|submitted)`, `bereits (abgeschickt|gesendet|veröffentlicht)`, `уже (отправ|опублик|размещ)`)},
	{Again, anyOf(`submitted form was invalid`, `(code|token|csrf\S*|hash) (is |was )?(mismatch|invalid|expired|missing|bad)`, `(bad|invalid|wrong|missing|expired) (csrf|token|http_referer|hash|session)`,
		`session (verification failed|timed out|has expired|expired)`, `verify referring`, `security error`, `error_(session|token)\w*`, `error_verify_\w+`,
		`formular (war|ist) ungültig`, `sitzung(sprüfung)? .*(abgelaufen|fehlgeschlagen|ungültig)`, `sicherheitsfehler`,
		`форма .*(недействительн|неверн|некорректн)`, `(сессия|сеанс)\S* .*(истек|истёк|устарел|не прошл)`, `ошибка безопасности`, `le formulaire .*invalide`, `formulario .*(no válid|inválid)`, `formulier .*ongeldig`)},
	{Wait, anyOf(`error_\w*waittime\w*`, `so soon after`, `too (quickly|fast|often)`, `seconds? (have|has) to pass`, `posting from your ip was less than`, `must wait`, `please wait`, `try again in \d`, `too many (replies|posts|requests)`, `more than \d+ consecutive`,
		`so (schnell|kurz) (nach|hinter)`, `zu schnell`, `weniger als \d+ sekunden`, `sekunden (vergehen|warten)`, `musst? .*warten`,
		`(сразу|так скоро|слишком быстро) после`, `слишком (быстро|часто)`, `менее \d+ секунд`, `должн[оы] (пройти|подождать)`, `подождите`,
		`si (tôt|rapidement|peu de temps) après`, `patienter`, `tan (pronto|rápido)`, `debes? esperar`, `così presto`, `attendere`, `zo snel`, `wachten`, `tak szybko`, `odczekaj`)},
	{Queued, anyOf(`approved? by (a|an|the) (moderator|administrator)`, `(need|needs|has|have|must|required?) (to|be) .*approv`, `(pending|awaiting|until) .*approv`, `approval`, `moderation queue`,
		`freigegeben`, `freischalt`, `freigabe`, `(провер|одобр|утвержд)\S* .*(модератор|администр)`, `(модератор|администратор)\S* .*(провер|одобр|утверд)`, `премодерац`, `на модерац`,
		`(approuvé|validé)e? par`, `aprobad[oa] por`, `pendiente de aprobación`, `approvato da`, `goedgekeurd`, `zatwierdzon|zaakceptowan`)},
	{Refused, anyOf(`error_(topic_locked|cannot_\w+|no_access|\w*ban\w*)`, `(topic|thread|discussion|forum)( is| has been|'s)? (locked|closed|archived)`, `is (locked|closed)`, `closed by a moderator`, `not (authori[sz]ed|permitted|allowed)`, `(no|not have|without) (the )?permission`, `insufficient privileges`,
		`(cannot|can not|can't|may not) (post|reply)`, `banned`, `(does not|doesn't|do not|no longer) exist`, `(invalid|no such|specified) (topic|thread)`, `missing or off limits`, `requested (topic|thread|discussion)`,
		`without a matching`, `too (long|short|many characters|few characters|similar)`, `is empty`, `left empty`, `no message`, `(enter|contain) a .*message`, `minimum|maximum`, `characters`,
		`gesperrt`, `geschlossen`, `keine (berechtigung|rechte)`, `nicht (berechtigt|befugt|erlaubt|gestattet)`, `existiert nicht`, `gebannt`, `zu (lang|kurz)`, `keine nachricht`,
		`(тема|форум)\S* (закрыт|заблокирован)`, `закрыт[аоы]?( |\.|$)`, `заблокирован`, `(нет|недостаточно|не имеете) (прав|доступ)`, `не (можете|имеете права) (отвечать|писать|размещать|оставлять)`, `не существует`, `забанен`, `слишком (длинн|коротк|мало|много)`, `пуст(ое|ая)`,
		`verrouillé`, `fermée?`, `pas (autorisé|la permission)`, `n'existe pas`, `banni`, `bloquead[oa]`, `cerrad[oa]`, `no (tiene|tienes) permiso`, `no existe`, `bloccat[oa]`, `chius[oa]`, `non (sei|hai) (autorizzat|il permesso)`, `non esiste`,
		`gesloten|vergrendeld`, `geen (toestemming|rechten)`, `bestaat niet`, `zamknięt|zablokowan`, `nie masz uprawnień`, `nie istnieje`)},
}

func anyOf(words ...string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:` + strings.Join(words, "|") + `)`)
}

// judgeWords reads what a board says to a reply; the outcome is "" when it cannot be told.
func judgeWords(said string) Reply {
	said = straight.Replace(said)
	for _, v := range verdicts {
		if v.words.MatchString(said) {
			r := Reply{Outcome: v.outcome}
			if r.Outcome == Wait {
				r.Wait = span(said)
			}
			return r
		}
	}
	return Reply{}
}

var (
	spans = regexp.MustCompile(`(?i)(\d+)\s*(s\b|sec|sek|сек|seg|second|m\b|min|мин|h\b|hour|stund|час|heure|hora)`)

	closures = anyOf(`(board|forum|forums|site|community)( is|s are)? (currently |temporarily )*(closed|disabled|offline|unavailable|down)`, `maintenance`, `currently (closed|unavailable|disabled)`,
		`wartung`, `(forum|board) ist .*(geschlossen|deaktiviert|abgeschaltet)`, `(форум|конференц|сайт)\S* (временно )?(закрыт|отключ|недоступ)`, `техническ\S+ (работ|обслуж)`, `обслуживани`,
		`en maintenance`, `mantenimiento`, `manutenzione`, `onderhoud`)
)

// span is the longest time that a text speaks of, 0 for none.
func span(said string) time.Duration {
	var longest time.Duration
	for _, m := range spans.FindAllStringSubmatch(said, -1) {
		unit := time.Second
		switch []rune(strings.ToLower(m[2]))[0] {
		case 'm', 'м':
			unit = time.Minute
		case 'h', 'ч':
			unit = time.Hour
		}
		if strings.HasPrefix(strings.ToLower(m[2]), "stund") {
			unit = time.Hour
		}
		longest = max(longest, time.Duration(min(number(m[1], 0), 1<<20))*unit)
	}
	return longest
}

// closed tells whether a message says that the board is closed, to all or to us.
func closed(said string) bool { return closures.MatchString(straight.Replace(said)) }
