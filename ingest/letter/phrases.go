package letter

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// phrases is a list of beginnings, by their first byte, so that an ordinary line is compared with few of them.
type phrases [256][]string

// newPhrases reads a list, one phrase a line, in lower case.
func newPhrases(list string) *phrases {
	var p phrases
	for _, s := range strings.Split(strings.TrimSpace(list), "\n") {
		first, size := utf8.DecodeRuneInString(s)
		p[s[0]] = append(p[s[0]], s)
		if upper := strings.ToUpper(s[:size]); unicode.ToUpper(first) != first && upper[0] != s[0] {
			p[upper[0]] = append(p[upper[0]], s)
		}
	}
	return &p
}

// begin tells whether a line begins with one of the phrases, whatever its case.
func (p *phrases) begin(t string) bool {
	if t == "" {
		return false
	}
	for _, s := range p[t[0]] {
		if len(t) >= len(s) && (t[1]|0x20 == s[1] || s[1] >= utf8.RuneSelf) && strings.EqualFold(t[:len(s)], s) {
			return true
		}
	}
	return false
}

// words makes a set of a list parted by blanks.
func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// forwardings part the writer's text from a mail replied to or forwarded, between dashes or before a colon.
var forwardings = newPhrases(`
original message
original appointment
original-nachricht
ursprüngliche nachricht
ursprungliche nachricht
weitergeleitete nachricht
anfang der weitergeleiteten
message d'origine
message original
message transféré
message transfere
message transmis
début du message
mensaje original
mensaje reenviado
inicio del mensaje reenviado
messaggio originale
messaggio inoltrato
inizio messaggio inoltrato
mensagem original
mensagem encaminhada
mensagem reencaminhada
wiadomość oryginalna
oryginalna wiadomość
wiadomość przekazana
przekazana wiadomość
przekazywana wiadomość
treść przekazanej wiadomości
początek przekazywanej wiadomości
początek wiadomości przekazanej
исходное сообщение
исходное письмо
исходное сообщение
оригинальное сообщение
оригинал сообщения
пересылаемое сообщение
пересылаемое письмо
пересланное сообщение
пересланное письмо
перенаправленное сообщение
перенаправленное письмо
переадресованное сообщение
начало переадресованного сообщения
начало пересылаемого сообщения
это пересылаемое сообщение
вихідне повідомлення
оригінальне повідомлення
переслане повідомлення
переадресоване повідомлення
пересланий лист
початок переадресованого повідомлення
forwarded message
forwarded by
forwarded mail
mail original
original nachricht
weitergeleitet von
transféré par
réacheminé par
reenviado por
inoltrato da
przesłane przez
переслано
переадресовано
原始邮件
转发邮件
转发的邮件
begin forwarded message
start of forwarded message
oorspronkelijk bericht
doorgestuurd bericht
ursprungligt meddelande
ursprungsmeddelande
vidarebefordrat meddelande
oprindelig meddelelse
opprinnelig melding
videresendt meddelelse
videresendt melding
alkuperäinen viesti
původní zpráva
přeposlaná zpráva
pôvodná správa
eredeti üzenet
továbbított üzenet
özgün ileti
iletilen mesaj
mesaj original
`)

// phoneSignatures are the lines by which programs advertise themselves under what people write.
var phoneSignatures = newPhrases(`
sent from
sent with
sent using
sent via
get outlook for
get bluemail
get typeapp
secured with
sicher versendet
von meinem
von meiner
gesendet von
gesendet mit
diese nachricht wurde von meinem
outlook für
holen sie sich outlook
envoyé de
envoyé depuis
envoyé à partir
envoyé avec
télécharger outlook
obtenir outlook
obtenez outlook
enviado desde
enviado de
enviado con
enviado do
enviado a partir
enviada do
obtener outlook
descargar outlook
inviato da
inviato con
scarica outlook
ottieni outlook
wysłane z
wysłano z
wysłano za
pobierz outlook
отправлено с
отправлено из
отправлено через
отправлено при помощи
послано с
загрузить outlook
получить bluemail
скачать outlook
скачайте outlook
получить outlook
получите outlook
надіслано з
надіслано через
відправлено з
завантажити outlook
отримати outlook
verzonden vanaf
verzonden met
verstuurd vanaf
skickat från
skickat med
sendt fra
lähetetty
изпратено от
trimis de pe
elküldve
发自
odesláno z
poslané z
gönderildi
`)

// programWords stand in the lines by which programs advertise themselves: what they are, or what they run on.
var programWords = []string{
	"phone", "ipad", "ipod", "android", "samsung", "galaxy", "huawei", "xiaomi", "redmi", "nokia", "blackberry", "windows", "outlook", "mail", "yahoo", "proton", "tuta", "typeapp",
	"pixel", "xperia", "oneplus", "honor", "realme", "handy", "telefon", "mobil", "tablet", "почт", "телефон", "смартфон", "планшет", "яндекс",
}

// banners are the lines that gateways put above a mail.
var banners = newPhrases(`
[external
[ext]
[внешн
***external
*** external
external email
external mail
external sender
caution: this email
caution: this e-mail
caution: this message
caution: external
warning: this email
warning: external
this email originated from outside
this message originated from outside
this message was sent from outside
this email was sent from outside
you don't often get email from
some people who received this message don't often get email
achtung: externe
externe e-mail
attention: external
attention : ce
внимание! внешн
внимание: внешн
внешняя почта
внешний отправитель
вы нечасто получаете
некоторые пользователи, получившие это сообщение
sie erhalten nicht oft
einige personen, die diese nachricht
vous n'obtenez pas souvent
no suele recibir
nieczęsto otrzymujesz
`)

// sureDisclaimers begin lines that only scanners append.
var sureDisclaimers = newPhrases(sureLines)

const sureLines = `
virus-free
no virus found
virenfrei
keine viren gefunden
l'absence de virus
garanti sans virus
libre de virus
privo di virus
sem vírus
wolny od wirusów
virusvrij
без вирусов
не содержит вирусов
проверено на вирус
перевірено на вірус
please consider the environment
please think of the environment`

// disclaimers begin the paragraphs that lawyers and scanners append; two disclaimerWords must stand in them too.
var disclaimers = newPhrases(sureLines + `
confidentiality
confidential
this e-mail
this email
this message
this communication
this transmission
the information contained
the information in this
the contents of this
disclaimer
if you are not the intended
scanned by
checked by
diese e-mail
diese nachricht
der inhalt dieser
wichtiger hinweis
ce message
ce courriel
cet e-mail
ce mail
avis de confidentialité
este mensaje
este correo
esta mensagem
este e-mail
aviso legal
aviso de confidencialidad
questo messaggio
questa e-mail
le informazioni contenute
ta wiadomość
niniejsza wiadomość
wiadomość ta
treść tej wiadomości
это сообщение
это письмо
это электронное
данное сообщение
данное письмо
данное электронное
настоящее сообщение
настоящее электронное
информация, содержащаяся
конфиденциальн
письмо проверено
це повідомлення
цей лист
цей електронний
конфіденційн
`)

var disclaimerWords = []string{
	"confidential", "privileged", "addressee", "intended", "recipient", "delete", "disclos", "copying", "notify", "unauthor", "virus", "malware", "scan", "check",
	"vertraulich", "empfänger", "bestimmt", "irrtümlich", "viren", "geprüft", "confidentiel", "destinat", "confidencial", "riservat", "poufn", "adresat", "wirus", "sprawdz",
	"вирус", "вірус", "провер", "перевір", "конфиденциал", "конфіденц", "предназнач", "адресат", "получател", "удалите", "ошибк",
}

// wroteWords mean "wrote" in attributions.
var wroteWords = words("wrote writes schrieb schreibt geschrieben écrit ecrit escribió escribio escribía escreveu scritto scrisse scrive napisał napisała napisał(a) napisal pisze pisał пишет писал писала писали пишете написал написала написали написано пише писав написав написала написали schreef skrev skreiv kirjoitti napsal napsala napísal písal yazdı írta scris rakstīja rašė 写道 έγραψε napisao napisala написа kirjutas")

// attributionStarts are the words an attribution that is broken over lines may begin with.
var attributionStarts = words(`on am le el il em op den dne dnia w lunes martes
mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday sunday
montag dienstag mittwoch donnerstag freitag samstag sonntag mo di mi do fr sa so
lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim
miércoles jueves viernes sábado domingo mié jue vie sáb dom
lunedì martedì mercoledì giovedì venerdì sabato domenica gio sab
pon wt śr czw pt sob niedz poniedziałek wtorek środa czwartek piątek sobota niedziela pon
в во пн вт ср чт пт сб вс понедельник вторник среда среду четверг пятница пятницу суббота субботу воскресенье
нд понеділок вівторок середа середу четвер п'ятниця п'ятницю субота суботу неділя неділю
вы ты you`)

// monthStarts are the first three letters of months.
var monthStarts = words(`jan feb mar apr may jun jul aug sep oct nov dec mär mai okt dez fév avr jui aoû déc ene abr ago dic
gen mag giu lug set ott sty lut kwi maj cze lip sie wrz paź lis gru
янв фев мар апр мая май июн июл авг сен окт ноя дек січ лют бер кві тра чер лип сер вер жов лис гру`)

// headerLabels are the names of the fields in quoted headers.
var headerLabels = newLabels(map[byte]string{
	'f': "from|von|de|da|od|от|от кого|від|від кого|van|från|fra|lähettäjä|feladó|kimden|gönderen|expéditeur|mittente|remitente|nadawca|отправитель|відправник|absender|发件人|差出人|寄件者|보낸 사람|από|מאת|من|de la|ад",
	'd': "sent|date|gesendet|datum|gesendet am|envoyé|enviado|enviada|enviado el|enviada em|fecha|inviato|data|wysłano|wysłane|отправлено|дата|дата отправки|надіслано|відправлено|verzonden|skickat|sendt|dato|odesláno|odoslané|elküldve|dátum|tarih|lähetetty|päivämäärä|время|发送时间|日期|送信日時|日時|寄件日期|보낸 날짜|στάλθηκε|נשלח|تم الإرسال|trimis|изпратено|poslano|poslato",
	't': "to|an|à|a|para|per|do|кому|до|aan|till|til|vastaanottaja|címzett|kime|pour|komu|destinataire|destinatario|odbiorca|получатель|одержувач|empfänger|收件人|宛先|收件者|받는 사람|προς|אל|إلى|către|prima|za",
	's': "subject|betreff|thema|objet|asunto|oggetto|temat|тема|onderwerp|ämne|emne|aihe|předmět|predmet|tárgy|konu|assunto|sujet|subiect|主题|件名|主旨|제목|θέμα|נושא|الموضوع|относно|naslov",
	'c': "cc|kopie|kopia|copie|копия|копія|dw|bcc|reply-to|antwort an|répondre à|responder a|rispondi a|odpowiedz do|ответить|attachments|anlagen|вложения|importance|wichtigkeit|message-id|organization|организация",
})

func newLabels(lists map[byte]string) map[string]byte {
	m := map[string]byte{}
	for kind, list := range lists {
		for _, name := range strings.Split(list, "|") {
			m[name] = kind
		}
	}
	return m
}
