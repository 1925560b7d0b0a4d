package letter

import (
	"encoding/base64"
	"html"
	"mime/quotedprintable"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

const utf8Text = "Content-Type: text/plain; charset=utf-8"

const quotedTraps = "> " + trap + "\n> " + trap + "\n"

// unmarked joins the lines of a header and puts a text without quote marks below.
func unmarked(lines ...string) string { return strings.Join(lines, "\n") + "\n\n" + trap + "\n" }

// replies are what mail programs all over the world put under the writer's lines.
var replies = map[string]string{
	"Outlook 365 en":              unmarked("________________________________", "From: Master <gm@games.example>", "Sent: 02 February 2026 09:00", "To: Ivan <ivan@players.example>", "Cc: Anna <anna@players.example>; Boris <boris@players.example>", "Subject: turn 6"),
	"Outlook for Mac":             unmarked("From: Master <gm@games.example>", "Date: Monday, 2 February 2026 at 09:00", "To: Ivan <ivan@players.example>", "Subject: turn 6"),
	"Outlook for Mac de":          unmarked("Von: Master <gm@games.example>", "Datum: Montag, 2. Februar 2026 um 09:00", "An: Ivan <ivan@players.example>", "Betreff: Runde 6"),
	"Outlook phone ru":            unmarked("Загрузить Outlook для iOS<https://aka.ms/o0ukef>", "________________________________", "От: Master <gm@games.example>", "Отправлено: Monday, February 2, 2026 9:00:00 AM", "Кому: Иван", "Тема: ход 6"),
	"Outlook phone de":            unmarked("Outlook für Android<https://aka.ms/x> herunterladen", "________________________________", "Von: Master <gm@games.example>", "Gesendet: Montag, 2. Februar 2026", "An: Ivan", "Betreff: Runde 6"),
	"Outlook nl":                  unmarked("Van: Master <gm@games.example>", "Verzonden: maandag 2 februari 2026 09:00", "Aan: Ivan", "Onderwerp: beurt 6"),
	"Outlook sv":                  unmarked("Från: Master <gm@games.example>", "Skickat: den 2 februari 2026 09:00", "Till: Ivan", "Ämne: drag 6"),
	"Outlook cs":                  unmarked("Od: Master <gm@games.example>", "Odesláno: pondělí 2. února 2026 9:00", "Komu: Ivan", "Předmět: tah 6"),
	"Outlook pt":                  unmarked("De: Master <gm@games.example>", "Enviada em: segunda-feira, 2 de fevereiro de 2026 09:00", "Para: Ivan", "Assunto: jogada 6"),
	"Outlook da":                  unmarked("Fra: Master <gm@games.example>", "Sendt: 2. februar 2026 09:00", "Til: Ivan", "Emne: tur 6"),
	"Outlook tr":                  unmarked("Kimden: Master <gm@games.example>", "Gönderildi: 2 Şubat 2026 Pazartesi 09:00", "Kime: Ivan", "Konu: tur 6"),
	"Outlook Express ru":          unmarked("----- Original Message ----- ", "From: \"Master\" <gm@games.example>", "To: \"Иван\" <ivan@players.example>", "Sent: Monday, February 02, 2026 9:00 AM", "Subject: ход 6"),
	"Outlook Express quoted":      "----- Original Message -----\nFrom: \"Master\" <gm@games.example>\nTo: <ivan@players.example>\n\n" + quotedTraps,
	"Hotmail old":                 unmarked("Date: Mon, 2 Feb 2026 09:00:00 +0000", "From: gm@games.example", "To: ivan@players.example", "Subject: turn 6"),
	"Windows Mail":                unmarked("Sent from Mail for Windows", "", "From: Master", "Sent: Monday, 2 February 2026 09:00", "To: Ivan", "Subject: turn 6"),
	"Windows Mail ru":             unmarked("Отправлено из приложения \"Почта\" для Windows", "", "От: Master", "Отправлено: 2 февраля 2026 г. в 9:00", "Кому: Иван", "Тема: ход 6"),
	"Exchange appointment":        unmarked("-----Original Appointment-----", "From: Master <gm@games.example>", "Sent: Monday", "When: Monday"),
	"Gmail da":                    "Den man. 2. feb. 2026 kl. 09.00 skrev Master <gm@games.example>:\n\n" + quotedTraps,
	"Gmail no, broken":            "man. 2. feb. 2026 kl. 09:00 skrev The Very Long Name of a Master <\ngm@games.example>:\n\n" + quotedTraps,
	"Gmail sv":                    "Den mån 2 feb. 2026 kl 09:00 skrev Master <gm@games.example>:\n\n" + quotedTraps,
	"Gmail nl":                    "Op ma 2 feb 2026 om 09:00 schreef Master <gm@games.example>:\n\n" + quotedTraps,
	"Gmail cs":                    "po 2. 2. 2026 v 9:00 odesílatel Master <gm@games.example>\nnapsal:\n\n" + quotedTraps,
	"Gmail de, broken":            "Am Mo., 2. Feb. 2026 um 09:00 Uhr schrieb Master der Spiele <\ngm@games.example>:\n\n" + quotedTraps,
	"Gmail es, broken":            "El lun, 2 feb 2026 a las 9:00, Master de los Juegos Grandes\n(<gm@games.example>) escribió:\n\n" + quotedTraps,
	"Gmail fr, broken":            "Le lun. 2 févr. 2026 à 09:00, Master des Grands Jeux <gm@games.example>\na écrit :\n\n" + quotedTraps,
	"Gmail it, broken":            "Il giorno lun 2 feb 2026 alle ore 09:00 Master dei Grandi Giochi <\ngm@games.example> ha scritto:\n\n" + quotedTraps,
	"Gmail ru, broken":            "пн, 2 февр. 2026 г. в 09:00, Мастер очень больших и долгих игр <\ngm@games.example>:\n\n" + quotedTraps,
	"Gmail ru old":                "2 февраля 2026 г., 9:00 пользователь Master <gm@games.example>\nнаписал:\n\n" + quotedTraps,
	"Gmail uk, broken":            "пн, 2 лют. 2026 р. о 09:00 Master <gm@games.example>\nпише:\n\n" + quotedTraps,
	"Gmail tr":                    "Master <gm@games.example>, 2 Şub 2026 Pzt, 09:00 tarihinde şunu yazdı:\n\n" + quotedTraps,
	"Gmail zh":                    "Master <gm@games.example> 于2026年2月2日周一 09:00写道：\n\n" + quotedTraps,
	"Apple de bare":               "Am 02.02.2026 um 09:00 schrieb Master <gm@games.example>:\n\n" + trap,
	"Apple fr":                    "Le 2 févr. 2026 à 09:00, Master <gm@games.example> a écrit :\n\n" + quotedTraps,
	"Apple zh":                    "2026年2月2日 上午9:00，Master <gm@games.example> 写道：\n\n" + trap,
	"Apple ru forward":            unmarked("Начало переадресованного сообщения:", "", "От: Anna <anna@players.example>", "Тема: приказы", "Дата: 2 февраля 2026 г., 09:00:00 MSK", "Кому: Иван"),
	"Apple es forward":            unmarked("Inicio del mensaje reenviado:", "", "De: Anna <anna@players.example>", "Asunto: órdenes"),
	"Thunderbird es":              "El 02/02/2026 a las 09:00, Master escribió:\n" + quotedTraps,
	"Thunderbird fr":              "Le 02/02/2026 à 09:00, Master a écrit :\n" + quotedTraps,
	"Thunderbird cs":              "Dne 02. 02. 26 v 9:00 Master napsal(a):\n" + quotedTraps,
	"Thunderbird sv":              "Den 2026-02-02 kl. 09:00, skrev Master:\n" + quotedTraps,
	"Thunderbird uk":              "02.02.26 09:00, Master пише:\n" + quotedTraps,
	"Thunderbird nl":              "Op 2-2-2026 om 09:00 schreef Master:\n" + quotedTraps,
	"Thunderbird pt":              "Em 02/02/2026 09:00, Master escreveu:\n" + quotedTraps,
	"The Bat! ru initials":        "Вы писали 2 февраля 2026 г., 9:00:00:\n\nМ> " + trap + "\nМС> " + trap + "\n\n-- \nС уважением,\n Иван                          mailto:ivan@players.example\n",
	"The Bat! ru day":             "Понедельник, 2 февраля 2026 г., 9:00:00, Вы писали:\n\n> " + trap + "\n",
	"The Bat! you wrote":          "Вы писали:\n\n> " + trap + "\n",
	"mail.ru phone":               "--\nОтправлено из Mail.ru для Android\nпонедельник, 02 февраля 2026г., 09:00 +03:00 от Master gm@games.example:\n\n" + trap,
	"Yandex phone":                "Отправлено из мобильной Яндекс.Почты: http://m.ya.ru/ymail\n\n02.02.2026, 09:00, Master <gm@games.example>:\n" + quotedTraps,
	"Yandex signature":            "-- \nОтправлено из Яндекс.Почты для мобильных\n\n09:00, 2 февраля 2026 г., Master <gm@games.example>:\n" + quotedTraps,
	"Rambler web":                 "-------- Исходное письмо --------\nОт: Master <gm@games.example>\n\n" + trap,
	"GMX phone":                   "--\nDiese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.\nAm 02.02.26, 09:00, Master <gm@games.example> schrieb:\n\n" + trap,
	"Open-Xchange":                "> Master <gm@games.example> hat am 02.02.2026 09:00 CET geschrieben:\n>\n" + quotedTraps,
	"Open-Xchange bare":           "Master <gm@games.example> hat am 02.02.2026 09:00 CET geschrieben:\n\n" + trap,
	"T-Online":                    unmarked("-----Original-Nachricht-----", "Betreff: Runde 6", "Datum: 2026-02-02T09:00:00+0100", "Von: \"Master\" <gm@games.example>", "An: \"Ivan\""),
	"freenet":                     "--- Original Nachricht ---\nMaster <gm@games.example>\n\n" + trap,
	"Orange":                      "> Message du 02/02/26 09:00\n> De : \"Master\" <gm@games.example>\n>\n" + quotedTraps,
	"Free":                        "----- Mail original -----\nMaster <gm@games.example>\n\n" + trap,
	"Libero":                      unmarked("----Messaggio originale----", "Da: gm@games.example", "Data: 2-feb-2026 9.00", "A: <ivan@players.example>", "Ogg: turno 6"),
	"onet":                        "Dnia 2 lutego 2026 09:00 Master <gm@games.example> napisał(a):\n\n" + quotedTraps,
	"interia":                     unmarked("Od: \"Master\" <gm@games.example>", "Do: ivan@players.example;", "Wysłane: 9:00 Poniedziałek 2026-02-02", "Temat: tura 6"),
	"Seznam":                      unmarked("---------- Původní e-mail ----------", "Od: Master <gm@games.example>", "Komu: ivan@players.example", "Datum: 2. 2. 2026 9:00:00", "Předmět: tah 6"),
	"Yahoo 2000s":                 unmarked("--- On Mon, 2/2/26, Master <gm@games.example> wrote:", "", "From: Master <gm@games.example>", "Subject: turn 6"),
	"Yahoo pt":                    "Em segunda-feira, 2 de fevereiro de 2026 09:00:00 BRT, Master <gm@games.example> escreveu:\n\n" + trap,
	"AOL":                         "In a message dated 2/2/2026 9:00:00 AM Eastern Standard Time, gm@games.example writes:\n\n" + trap,
	"Zoho":                        "---- On Mon, 02 Feb 2026 09:00:00 +0100 Master <gm@games.example> wrote ----\n\n" + trap,
	"Zoho short":                  " ---- Master wrote ----\n\n" + trap,
	"Notes web":                   unmarked("-----Master/Games wrote: -----", "", "To: Ivan", "From: Master/Games", "Date: 02/02/2026 09:00AM", "Subject: turn 6"),
	"Notes forward de":            unmarked("----- Weitergeleitet von Anna/Games am 02.02.2026 09:00 -----", "", "Anna/Games", "02.02.2026 08:00"),
	"Notes forward fr":            unmarked("----- Transféré par Anna/Games le 02/02/2026 09:00 -----", "", "Anna/Games"),
	"Notes forward ru":            unmarked("----- Переслано: Anna/Games дата: 02.02.2026 09:00 -----", "", "Anna/Games"),
	"Eudora":                      "At 09:00 AM 2/2/2026, Master wrote:\n>" + trap + "\n",
	"Pegasus":                     "On 2 Feb 2026 at 9:00, Master wrote:\n\n> " + trap + "\n",
	"mutt":                        "On Mon, Feb 02, 2026 at 09:00:00AM +0000, Master wrote:\n" + quotedTraps,
	"mutt ru":                     "* Master <gm@games.example> [2026-02-02 09:00:00 +0300]:\n\n" + quotedTraps,
	"Gnus":                        "Master <gm@games.example> writes:\n\n" + quotedTraps,
	"KMail":                       "On Monday, 2 February 2026 09:00:00 CET Master wrote:\n" + quotedTraps,
	"KMail forward":               unmarked("----------  Forwarded Message  ----------", "", "Subject: my orders", "Date: Monday, 2 February 2026", "From: Anna"),
	"Evolution":                   "On Mon, 2026-02-02 at 09:00 +0000, Master wrote:\n" + quotedTraps,
	"Roundcube":                   "On 2026-02-02 09:00, Master wrote:\n\n" + quotedTraps,
	"SquirrelMail":                unmarked("---------------------------- Original Message ----------------------------", "Subject: turn 6", "From:    \"Master\" <gm@games.example>", "Date:    Mon, February 2, 2026 9:00 am"),
	"Zimbra":                      unmarked("From: \"Master\" <gm@games.example>", "To: \"Ivan\" <ivan@players.example>", "Sent: Monday, 2 February, 2026 09:00:00", "Subject: turn 6"),
	"Proton ru":                   "------- Original Message -------\nВ понедельник, 2 февраля 2026 г. в 09:00, Master <gm@games.example> писал(а):\n\n" + quotedTraps,
	"Tutanota":                    "2. Feb. 2026, 09:00 von gm@games.example:\n\n" + quotedTraps,
	"Tutanota en":                 "Feb 2, 2026, 09:00 by gm@games.example:\n\n" + quotedTraps,
	"eM Client":                   unmarked("------ Original Message ------", "From \"Master\" <gm@games.example>", "To ivan@players.example", "Date 02.02.2026 09:00:00", "Subject turn 6"),
	"Foxmail":                     unmarked("------------------ 原始邮件 ------------------", "发件人: \"Master\" <gm@games.example>;", "发送时间: 2026年2月2日 上午9:00", "收件人: \"Ivan\";", "主题: turn 6"),
	"unmarked, with marks within": "On Monday, February 2, 2026 at 09:00:00 AM GMT+1, Master <gm@games.example> wrote:\n\n" + trap + "\n> PAY 30 TO Anna\n" + trap + "\n",
	"AOL, with marks within":      "In a message dated 2/2/2026 9:00:00 AM, gm@games.example writes:\n\n" + trap + "\n> PAY 30 TO Anna\n" + trap + "\n",
	"mail.ru, with marks within":  "Понедельник, 2 февраля 2026, 9:00 +03:00 от Master <gm@games.example>:\n\n" + trap + "\n> PAY 30 TO Anna\n" + trap + "\n",
	"Outlook el":                  unmarked("Από: Master <gm@games.example>", "Στάλθηκε: Δευτέρα, 2 Φεβρουαρίου 2026 9:00 πμ", "Προς: Ivan", "Θέμα: turn 6"),
	"Outlook he":                  unmarked("מאת: Master <gm@games.example>", "נשלח: יום שני 02 פברואר 2026 09:00", "אל: Ivan", "נושא: turn 6"),
	"Outlook ro":                  unmarked("De la: Master <gm@games.example>", "Trimis: luni, 2 februarie 2026 09:00", "Către: Ivan", "Subiect: turn 6"),
	"Outlook bg":                  unmarked("От: Master <gm@games.example>", "Изпратено: понеделник, 2 февруари 2026 г. 9:00", "До: Ivan", "Относно: turn 6"),
	"Outlook ko":                  unmarked("보낸 사람: Master", "보낸 날짜: 2026년 2월 2일 월요일 오전 9:00", "받는 사람: Ivan", "제목: turn 6"),
	"Gmail ja":                    "2026年2月2日(月) 9:00 Master <gm@games.example>:\n\n" + trap,
	"Outlook with links":          unmarked("From: Master <gm@games.example<mailto:gm@games.example>>", "Sent: Monday", "To: Ivan <ivan@players.example<mailto:ivan@players.example>>", "Subject: turn 6"),
	"Gmail with links":            "On Mon, Feb 2, 2026 at 9:00 AM Master <gm@games.example<mailto:gm@games.example>> wrote:\n\n" + trap,
	"dashes and blanks":           unmarked("- - - - Original Message - - - -", "Master", "turn 6"),
	"in brackets":                 unmarked("[Original Message]", "Master", "turn 6"),
	"in arrows":                   unmarked("<<< Original message >>>", "Master", "turn 6"),
	"Huawei":                      unmarked("-------- 原始邮件 --------", "发件人：Master"),
	"Samsung ru":                  unmarked("Отправлено со смартфона Samsung Galaxy.", "", "-------- Исходное сообщение --------", "От: Master <gm@games.example>", "Дата: 02.02.2026 09:00 (GMT+03:00)", "Кому: Иван", "Тема: ход 6"),
	"Samsung es":                  unmarked("Enviado desde mi Samsung Galaxy", "", "-------- Mensaje original --------", "De: Master <gm@games.example>", "Fecha: 2/2/26 9:00 (GMT+01:00)"),
	"BlackBerry":                  unmarked("Sent from my BlackBerry 10 smartphone.", "", "From: Master", "Sent: Monday, February 2, 2026 09:00", "To: Ivan", "Subject: turn 6"),
	"quote after a hard blank":    "\u00a0> " + trap + "\n\u200b>> " + trap + "\n",
	"mark that is not a blank":    "\ufeff> " + trap,
	"greeting then signature":     "--\u00a0\nИван\n" + trap,
}

func TestRepliesOfPrograms(t *testing.T) {
	for name, below := range replies {
		t.Run(name, func(t *testing.T) { checkOwn(t, plain(utf8Text, orders2+"\n\n"+below), orders2) })
	}
}

// TestRepliesInEveryForm sends every reply in the forms in which programs send text.
func TestRepliesInEveryForm(t *testing.T) {
	for form, wrap := range forms {
		t.Run(form, func(t *testing.T) {
			for name, below := range replies {
				t.Run(name, func(t *testing.T) { checkOwn(t, wrap(orders2+"\n\n"+below), orders2) })
			}
		})
	}
}

// TestAnswersInEveryForm holds text between quotes.
func TestAnswersInEveryForm(t *testing.T) {
	for form, wrap := range forms {
		for name, body := range map[string]string{
			"below":       "On Mon, Feb 2, 2026 at 9:00 AM Master <gm@games.example> wrote:\n> " + trap + "\n>\n> " + trap + "\n\n" + orders2,
			"between":     "02.02.2026 09:00, Master пишет:\n> " + trap + "\nCHALLENGE Boris\n> " + trap + "\n\nPAY 30 TO Anna\n\n> " + trap,
			"around":      "CHALLENGE Boris\n\nAm 02.02.26 um 09:00 schrieb Master:\n\n> " + trap + "\n\nPAY 30 TO Anna\n",
			"two quotes":  "Anna wrote:\n> " + trap + "\nCHALLENGE Boris\n\nMaster wrote:\n> " + trap + "\nPAY 30 TO Anna",
			"deep quotes": ">>> " + trap + "\n>> " + trap + "\n> " + trap + "\nCHALLENGE Boris\n> > " + trap + "\nPAY 30 TO Anna",
			"initials":    "Здравствуйте, Мастер.\n\nВы писали 2 февраля 2026 г., 9:00:00:\n\nМ> " + trap + "\nCHALLENGE Boris\nМ>> " + trap + "\nPAY 30 TO Anna\n\n-- \n" + trap,
		} {
			want := orders2
			if name == "initials" {
				want = "Здравствуйте, Мастер.\n" + want
			}
			t.Run(form+", "+name, func(t *testing.T) { checkOwn(t, wrap(body), want) })
		}
	}
}

// TestOwnTextInEveryForm does so with what the writer wrote himself.
func TestOwnTextInEveryForm(t *testing.T) {
	for form, wrap := range forms {
		t.Run(form, func(t *testing.T) {
			for name, body := range writersOwn {
				t.Run(name, func(t *testing.T) { checkOwn(t, wrap(body), strings.ReplaceAll(body, "\n\n", "\n")) })
			}
		})
	}
}

// forms make a letter of a text.
var forms = map[string]func(string) string{
	"base64": func(s string) string {
		return plain(utf8Text+"\nContent-Transfer-Encoding: base64", base64.StdEncoding.EncodeToString([]byte(crlf(s))))
	},
	"quoted-printable": func(s string) string {
		var b strings.Builder
		w := quotedprintable.NewWriter(&b)
		w.Write([]byte(crlf(s)))
		w.Close()
		return plain(utf8Text+"\nContent-Transfer-Encoding: quoted-printable", b.String())
	},
	"LF, blanks at line ends": func(s string) string {
		return strings.ReplaceAll(plain(utf8Text, strings.ReplaceAll(s, "\n", "  \n")), "\r", "")
	},
	"mixed": func(s string) string {
		return mixed("mixed", utf8Text+"\n\n"+s, "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw==")
	},
	"signed": func(s string) string {
		return plain("Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64", base64.StdEncoding.EncodeToString([]byte(signedData(crlf(utf8Text+"\n\n"+s)))))
	},
	"order file": func(s string) string {
		return mixed("mixed", "Content-Type: application/octet-stream; name=orders.txt\nContent-Transfer-Encoding: base64\n\n"+base64.StdEncoding.EncodeToString([]byte("\ufeff"+crlf(s))))
	},
	"HTML of divs": func(s string) string {
		return htmlLetter("<html><body><div>" + strings.ReplaceAll(html.EscapeString(s), "\n", "</div>\n<div>") + "</div></body></html>")
	},
	"HTML of breaks": func(s string) string {
		return htmlLetter("<p>" + strings.ReplaceAll(strings.ReplaceAll(html.EscapeString(s), "\n", "<br>\n"), "  ", "&nbsp; ") + "</p>")
	},
	"HTML of Word": func(s string) string {
		return htmlLetter("<div class=WordSection1><p class=MsoNormal><span lang=EN-US>" + strings.ReplaceAll(html.EscapeString(s), "\n", "<o:p></o:p></span></p>\n\n<p class=MsoNormal><span\nlang=EN-US>") + "</span></p></div>")
	},
	"HTML, preformatted": func(s string) string { return htmlLetter("<pre>" + html.EscapeString(s) + "</pre>") },
}

// writersOwn is what people write that looks like a mark of quoting, a signature or a banner, and is none.
var writersOwn = map[string]string{
	"From and To in a line":           "From: York to Hull\nCHALLENGE Boris",
	"road":                            "From York to Hull:\n30 knights ride\nCHALLENGE Boris",
	"greater than within":             "PAY 30 > 20 TO Anna\nCHALLENGE Boris",
	"arrow without blanks":            "York>Hull: 30 knights\nAB>CD\nCHALLENGE Boris",
	"arrow":                           "York -> Hull\nA->B\n-> CHALLENGE Boris",
	"dashes within":                   "CHALLENGE Boris -- he knows why\nPAY 30 TO Anna",
	"dashes before":                   "-- CHALLENGE Boris\nPAY 30 TO Anna",
	"date that works":                 "Date: Monday works for me\nCHALLENGE Boris",
	"a form of orders":                "From: York\nTo: Hull\nDate: Monday\nCHALLENGE Boris",
	"a form in one line":              "From: York To: Hull Date: Monday\nCHALLENGE Boris",
	"wrote in prose":                  "Hi,\nyou know what Boris wrote:\nCHALLENGE Boris\nPAY 30 TO Anna",
	"time, then wrote":                "At 12:00 we ride to York\nPAY 30 TO Anna\nas you wrote:\nCHALLENGE Boris",
	"time, then wrote, ru":            "В 12:00 выступаем на Йорк\nПЛАТИТЬ 30 Анне\nКак ты писал:\nВЫЗОВ Борис",
	"on and a time, then wrote":       "On the 3rd at 12:00 we ride\nas you wrote:\nCHALLENGE Boris",
	"sent from":                       "Sent from York with love, Anna.\nCHALLENGE Boris",
	"sent with":                       "PRESS TO Anna\nSent with my rider are 30 coins.\nEND PRESS",
	"sent, ru":                        "ПИСЬМО Анна\nОтправлено с гонцом золото.\nКОНЕЦ ПИСЬМА",
	"confidential":                    "This message is confidential.\nCHALLENGE Boris\nPAY 30 TO Anna",
	"confidential, long":              "This message is confidential, so please never tell Boris about it.\nCHALLENGE Boris\nPAY 30 TO Anna",
	"confidential in press":           "PRESS TO Anna\nThis message is confidential: I attack at dawn.\nEND PRESS\nPAY 30 TO Anna",
	"confidential, ru":                "Это письмо конфиденциально, никому его не показывай, пожалуйста.\nВЫЗОВ Борис",
	"caution":                         "Caution: this road is dangerous.\nCHALLENGE Boris",
	"warning":                         "CHALLENGE Boris\nWarning: this email is my last.\nPAY 30 TO Anna",
	"subject and to":                  "Subject: peace\nTo: all\nCHALLENGE Boris",
	"rule of equals":                  "=====\nCHALLENGE Boris\n=====",
	"stars":                           "* * *\nCHALLENGE Boris\n***\nPAY 30 TO Anna",
	"forwarded by a rider":            "Forwarded by my rider, I hope.\nCHALLENGE Boris",
	"numbers with a colon":            "Turn 2026, orders of 12:00:\nCHALLENGE Boris",
	"weekday with a colon":            "On Monday 2026-02-02:\nCHALLENGE Boris",
	"a comparison of times":           "Mon 12:00-13:00:\nCHALLENGE Boris",
	"begin in a sentence":             "begin 644 years of peace\nCHALLENGE Boris",
	"address alone":                   "ADDRESS ivan2@players.example\nCHALLENGE Boris",
	"write above this line":           "Nobody reads what is above this line of hills\nCHALLENGE Boris",
	"pipe":                            "York|Hull\nCHALLENGE Boris",
	"underscores":                     "CHALLENGE baron_oleg\n_____\nPAY 30 TO Anna",
	"Hi with a comma, then a heading": "Hi,\n\nHere is what I want:\n\nCHALLENGE Boris\n\nThanks,\nIvan",
	"press like a letter":             "PRESS TO ALL\nTo: all lords\nOn this day I say: hail!\nEND PRESS\nCHALLENGE Boris",
	"cite with a colon":               "Anna wrote yesterday (see the board):\n\"CHALLENGE Boris\"\nI say no.",
	"a time range":                    "Sent: 30 riders\nFrom: York\nCHALLENGE Boris",
}

func TestWritersOwn(t *testing.T) {
	for name, body := range writersOwn {
		t.Run(name, func(t *testing.T) {
			want := strings.ReplaceAll(body, "\n\n", "\n")
			checkOwn(t, plain(utf8Text, body), want)
			checkOwn(t, plain(utf8Text, body+"\n\nOn Mon, Feb 2, 2026 at 9:00 AM Master <gm@games.example> wrote:\n> "+trap+"\n"), want)
		})
	}
	checkOwn(t, plain("", "CHALLENGE Boris\n>From York to Hull we ride.\nPAY 30 TO Anna"), "CHALLENGE Boris\nFrom York to Hull we ride.\nPAY 30 TO Anna")
	checkOwn(t, plain("", orders2+"\n\nMaster wrote:\n>From York\n"), orders2)
}

// TestNotesHeader holds that of a header without colons nothing is taken below "To".
func TestNotesHeader(t *testing.T) {
	const name = "Master/Games\n02.02.2026 09:00\n"
	checkOwn(t, plain(utf8Text, orders2+"\n\n"+name+"\nAn\nIvan <ivan@players.example>\nKopie\n\nThema\nRunde 6\n\n"+trap), orders2+"\n"+strings.TrimSpace(name))
	checkOwn(t, plain(utf8Text, "At 12:00\nto\nYork\nCHALLENGE Boris"), "At 12:00\nto\nYork\nCHALLENGE Boris")
}

// TestAppendedLines puts what programs append for their makers or their owners.
func TestAppendedLines(t *testing.T) {
	for _, s := range []string{
		"Von meiner Galaxy gesendet", "Gesendet von Outlook für Android", "Verzonden met mijn telefoon", "Skickat med Outlook", "Загрузить Outlook для Android",
		"Получить BlueMail для Android", "Get TypeApp for Android", "Secured with Tuta Mail:\nhttps://tuta.example", "Sicher versendet mit Tuta Mail:\nhttps://tuta.example",
		"Envoyé à partir de Outlook pour Android", "Enviado do Yahoo Mail no Android", "Inviato dal mio smartphone Android", "Wysłano z telefonu Samsung",
		"Отправлено с моего iPad", "Отправлено с myMail для iOS", "Отправлено из Почты Mail для Android", "Отправлено с устройства Huawei", "Надіслано з мого телефону",
		"(Sent from my iPhone)", "- Sent from my mobile", "_Sent from Mail for Windows_", "发自我的iPhone", "Изпратено от моя iPhone",
		"Virenfrei. www.avast.com", "Не содержит вирусов. www.avast.com", "Garanti sans virus. www.avast.com", "Privo di virus. www.avast.com", "Без вирусов. www.avast.ru",
		"This e-mail and any files transmitted with it are confidential and intended solely for the use\nof the addressee. If you are not the intended recipient please notify the sender and delete it.\nAny copying is forbidden.",
		"Ce message et ses pièces jointes sont confidentiels et destinés à leur seul destinataire.",
		"Настоящее сообщение содержит конфиденциальную информацию и предназначено только для адресата.\nЕсли вы получили его по ошибке, удалите его.",
		"Este mensaje es confidencial y va dirigido exclusivamente a su destinatario.",
	} {
		t.Run(s, func(t *testing.T) { checkOwn(t, plain(utf8Text, orders2+"\n\n"+s), orders2) })
	}
	for _, s := range []string{
		"Sent from my iPhone", "Отправлено с iPhone", "Von meinem iPhone gesendet",
	} {
		t.Run(s+" above", func(t *testing.T) { checkOwn(t, plain(utf8Text, s+"\n\n"+orders2), orders2) })
	}
}

// TestHTMLOfPrograms reads HTML as programs make it, with the writer's two orders in it.
func TestHTMLOfPrograms(t *testing.T) {
	const two = "<div>CHALLENGE Boris</div><div>PAY 30 TO Anna</div>"
	for name, body := range map[string]string{
		"white on white":                two + `<p style="color:#ffffff">` + trap + `</p>`,
		"white font":                    two + `<font color="white">` + trap + `</font>`,
		"white, rgb":                    two + `<span style="color: rgb(255, 255, 255)">` + trap + `</span>`,
		"transparent":                   two + `<span style="color:transparent">` + trap + `</span>`,
		"black on black":                two + `<div style="background-color:#000;color:black">` + trap + `</div>`,
		"white on dark":                 `<body bgcolor="#202020"><div style="color:#fff">` + two + `</div></body>`,
		"white on a dark style":         `<div style="background:#202020 url(x.png);color:white">` + two + `</div>`,
		"black within white":            `<div style="color:white"><div style="color:#000">` + two + `</div></div>`,
		"size within no size":           `<table><tr><td style="font-size:0"><div style="font-size:14px">` + two + `</div></td></tr></table>`,
		"style sheet, white":            `<style>.w{color:#FFF}</style>` + two + `<p class=w>` + trap + `</p>`,
		"style sheet, id":               `<style>#w{display:none}</style>` + two + `<p id=w>` + trap + `</p>`,
		"style sheet in a comment":      `<style><!-- .w { visibility : hidden } --></style>` + two + `<p class=w>` + trap + `</p>`,
		"no height":                     two + `<div style="height:0;overflow:hidden">` + trap + `</div>`,
		"clipped":                       two + `<div style="position:absolute;clip:rect(0,0,0,0)">` + trap + `</div>`,
		"scaled":                        two + `<div style="transform:scale(0)">` + trap + `</div>`,
		"preheader":                     `<div style="display:none !important;visibility:hidden;mso-hide:all;font-size:1px;max-height:0px">` + trap + `</div>` + two,
		"font of no size in em":         two + `<span style="font-size:0.0em">` + trap + `</span>`,
		"short font":                    two + `<span style="font:0/0 a">` + trap + `</span>`,
		"closed dialog":                 two + `<dialog>` + trap + `</dialog>`,
		"Office conditional":            `<!--[if mso]><p>` + trap + `</p><![endif]--><![if !mso]>` + two + `<![endif]>`,
		"Word list":                     `<p class="MsoListParagraph"><![if !supportLists]><span style='mso-list:Ignore'>1.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span><![endif]>CHALLENGE Boris<o:p></o:p></p><p class="MsoListParagraph"><span style='mso-list:Ignore'>o<span>&nbsp;&nbsp; </span></span>PAY 30 TO Anna</p>`,
		"spans as lines":                `<span style="display:block">CHALLENGE Boris</span><span style="display:block">PAY 30 TO Anna</span>`,
		"breaks in a pre":               "<pre>CHALLENGE Boris<br>PAY 30 TO Anna</pre>",
		"pre-wrap":                      "<div style=\"white-space: pre-wrap\">CHALLENGE Boris\nPAY 30 TO Anna</div>",
		"pre-line by sheet":             "<style>.t{white-space:pre-line}</style><div class=t>CHALLENGE Boris\nPAY 30 TO Anna</div>",
		"plaintext of Apple":            `<html><head><meta charset="UTF-8"></head><body dir="auto">CHALLENGE Boris<div>PAY 30 TO Anna<br><br id="lineBreakAtBeginningOfSignature"><div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br><blockquote type="cite">On 2 Feb 2026, at 09:00, Master &lt;gm@games.example&gt; wrote:<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">` + trap + `</div></blockquote></div></body></html>`,
		"Spark":                         `<div name="messageBodySection">` + two + `</div><div name="messageSignatureSection">` + trap + `</div><div name="messageReplySection">On Feb 2, 2026, 09:00 +0100, Master wrote:<br><blockquote>` + trap + `</blockquote></div>`,
		"GMX":                           two + `<div name="quote" style="border-left:2px solid"><div><b>Gesendet:</b>&nbsp;Montag, 2. Februar 2026 um 09:00 Uhr<br/><b>Von:</b>&nbsp;Master<br/></div><div name="quoted-content">` + trap + `</div></div>`,
		"Zoho":                          two + `<div class="zmail_extra"><div id="Zm-_Id_-Sgn1">---- On Mon, 02 Feb 2026 Master wrote ----</div><blockquote>` + trap + `</blockquote></div>`,
		"Zimbra":                        two + `<hr id="zwchr" data-marker="__DIVIDER__"><div>` + trap + `</div>`,
		"Notes":                         two + `<font size=1 color=#5f5f5f>From: &nbsp; &nbsp;</font><font size=1>Master/Games</font><br><font size=1>To: &nbsp;</font><font size=1>Ivan</font><br><font size=1>Date: &nbsp;</font><font size=1>02.02.2026 09:00</font><br><font size=1>Subject: &nbsp;</font><font size=1>turn 6</font><hr><div>` + trap + `</div>`,
		"Outlook desktop ru":            `<p class=MsoNormal><span lang=RU>CHALLENGE Boris<o:p></o:p></span></p><p class=MsoNormal>PAY 30 TO Anna</p><div><div style='border:none;border-top:solid #B5C4DF 1.0pt'><p class=MsoNormal><b>From:</b> Master [mailto:gm@games.example] <br><b>Sent:</b> Monday, February 02, 2026 9:00 AM<br><b>To:</b> Иван<br><b>Subject:</b> ход 6</p></div></div><p>` + trap + `</p>`,
		"Outlook app":                   two + `<div id="ms-outlook-mobile-signature">Get Outlook for Android</div><div id="mail-editor-reference-message-container"><hr><div>` + trap + `</div></div>`,
		"Thunderbird signature":         two + `<pre class="moz-signature" cols="72">-- ` + "\n" + trap + `</pre>`,
		"Yandex":                        `<div>CHALLENGE Boris</div><div>PAY 30 TO Anna</div><div> </div><div>02.02.2026, 09:00, "Master" &lt;gm@games.example&gt;:</div><blockquote><div>` + trap + `</div></blockquote><div>-- <br />` + trap + `</div>`,
		"mail.ru":                       `<HTML><BODY><p>CHALLENGE Boris</p><p>PAY 30 TO Anna</p><br><br>Понедельник, 2 февраля 2026, 9:00 +03:00 от Master &lt;gm@games.example&gt;:<br><blockquote style="border-left:1px solid #0857A6; margin:10px; padding:0 0 0 10px;">` + trap + `</blockquote><br>-- <br>Иван</BODY></HTML>`,
		"table of orders":               `<table><tbody><tr><td><p>CHALLENGE</p></td><td><p>Boris</p></td></tr></tbody></table><div>PAY 30 TO Anna</div>`,
		"entities":                      `&#67;HALLENGE&ensp;Boris<br>PAY&thinsp;30&#160;TO&zwnj; An&shy;na`,
		"words broken by wbr and marks": `CHAL<wbr>LENGE B<u></u>oris<br>PAY 30 TO An<span></span>na`,
		"white on a picture":            `<div style="background-image:url(x.png);color:white">` + two + `</div>`,
		"white on a page's picture":     `<body background=x.png text=white>` + two,
		"K-9":                           two + `<div class='k9mail-signature'>` + trap + `</div><div class="gmail_quote">On Feb 2 Master wrote:<blockquote class="gmail_quote">` + trap + `</blockquote></div>`,
		"Outlook, renamed twice":        two + `<div id="x_x_divRplyFwdMsg">From: Master</div><div>` + trap + `</div>`,
		"Yahoo, renamed":                two + `<div id="ydp34yahoo_quoted_567" class="ydp34yahoo_quoted"><div>Master:</div><div>` + trap + `</div></div>`,
		"Samsung":                       two + `<div id="composer_signature">` + trap + `</div><div><div>-------- Original message --------</div><div>From: Master</div></div><div>` + trap + `</div>`,
		"Fastmail":                      two + `<div>On Mon, 2 Feb 2026, at 9:00 AM, Master wrote:<br></div><blockquote type="cite" id="qt">` + trap + `</blockquote><div id="sig1"><div class="signature">` + trap + `</div></div>`,
		"link with tracking":            `<a href="https://x.example/?u=SURRENDER">CHALLENGE Boris</a><br>PAY 30 TO <a href="mailto:anna@x.example">Anna</a>`,
		"image with text":               `<img src=x alt="` + trap + `" title="` + trap + `">` + two,
		"doctype and xml":               `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>` + trap + `</title></head><body>` + two + `</body></html>`,
		"gmail bottom posting":          `<div class="gmail_quote"><div class="gmail_attr">On Mon Master wrote:<br></div><blockquote class="gmail_quote">` + trap + `</blockquote></div><div>CHALLENGE Boris</div><div>PAY 30 TO Anna</div>`,
		"Superhuman":                    two + `<div class="sh-signature">` + `</div><br/><div class="gmail_quote">On Mon, Feb 02, 2026 at 9:00 AM, Master <span>&lt;gm@games.example&gt;</span> wrote:<br/><blockquote class="gmail_quote">` + trap + `</blockquote></div>`,
		"KMail":                         `<p style="margin-top:0">CHALLENGE Boris</p><p>PAY 30 TO Anna</p><p>On Monday, 2 February 2026 09:00:00 CET Master wrote:</p><p>&gt; ` + trap + `</p>`,
		"inserted and deleted":          `<ins>CHALLENGE Boris</ins><br><del>` + trap + `</del><br>PAY 30 TO Anna`,
	} {
		t.Run(name, func(t *testing.T) {
			checkOwn(t, htmlLetter(body), orders2)
		})
	}
	checkOwn(t, htmlLetter("<dialog open>HELP</dialog><div style='height:0'>WHO</div><span style='color:#fff;background:navy'>STATUS</span>"), "HELP\nWHO\nSTATUS")
}

// TestHardShapes reads whole letters whose form is odd.
func TestHardShapes(t *testing.T) {
	text := func(s string) string { return utf8Text + "\n\n" + s }
	page := func(s string) string { return "Content-Type: text/html; charset=utf-8\n\n" + s }
	within := func(kind, b string, parts ...string) string {
		return "Content-Type: multipart/" + kind + "; boundary=\"" + b + "\"\n\n--" + b + "\n" + strings.Join(parts, "\n--"+b+"\n") + "\n--" + b + "--\n"
	}
	const picture = "Content-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\n\niVBORw=="
	b64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	for _, tc := range []struct{ name, raw, want string }{
		{"footer behind HTML", mixed("mixed", page("<p>HELP</p>"), text("Scanned by Scanner: no virus found.")), "HELP"},
		{"footer behind an alternative without text", mixed("mixed", within("alternative", "in", text(" \n"), page("<p>HELP</p>")), text("No virus found.")), "HELP"},
		{"text behind HTML", mixed("mixed", page("<p>HELP</p>"), picture, text("WHO")), "HELP\nWHO"},
		{"the same twice without alternative", mixed("mixed", text("HELP"), page("<p>HELP</p>")), "HELP"},
		{"the same twice, HTML first", mixed("mixed", page("<p>PAY 30 TO Anna</p>"), text("PAY 30 TO Anna")), "PAY 30 TO Anna"},
		{"alternative, HTML first", mixed("alternative", page("<p>SURRENDER</p>"), text("HELP")), "HELP"},
		{"Apple: pictures in the HTML only", mixed("alternative", text("HELP\nWHO"), within("mixed", "in", page("HELP"), picture, page("WHO"))), "HELP\nWHO"},
		{"Apple: HTML, picture, HTML", mixed("mixed", page("HELP"), picture, page("WHO")), "HELP\nWHO"},
		{"related in alternative in mixed", mixed("mixed", within("alternative", "a", text("HELP"), within("related", "r", page("<p>NO</p>"), picture)), picture), "HELP"},
		{"alternative in related", mixed("related", within("alternative", "a", text("HELP"), page("NO")), picture), "HELP"},
		{"one boundary for both", plain("Content-Type: multipart/mixed; boundary=x", "--x\nContent-Type: multipart/alternative; boundary=x\n\n--x\n"+text("HELP")+"\n--x\n"+page("<p>HELP</p>")+"\n--x--\n--x--"), "HELP"},
		{"boundary within boundary", plain("Content-Type: multipart/mixed; boundary=x", "--x\n"+within("alternative", "xy", text("HELP"), page("NO"))+"\n--x\n"+picture+"\n--x--"), "HELP"},
		{"boundary that is another", plain("Content-Type: multipart/alternative; boundary=\"wrong\"", "--right\n"+text("HELP")+"\n\n--right\n"+page("NO")+"\n--right--"), "HELP"},
		{"base64 over a multipart", plain("Content-Type: multipart/mixed; boundary=x\nContent-Transfer-Encoding: base64", b64(crlf("--x\n"+text("HELP")+"\n--x--"))), "HELP"},
		{"boundary with blanks behind", plain("Content-Type: multipart/mixed; boundary=\"x y  \"", "--x y  \n"+text("HELP")+"\n--x y  --"), "HELP"},
		{"boundary of signs", plain("Content-Type: multipart/mixed; boundary=\"=_?'()+,-./:=\"", "--=_?'()+,-./:=\n"+text("HELP")+"\n--=_?'()+,-./:=--"), "HELP"},
		{"boundary in single quotes", plain("Content-Type: multipart/mixed; boundary='x'", "--x\n"+text("HELP")+"\n--x--"), "HELP"},
		{"blank within the delimiter line", plain("Content-Type: multipart/mixed; boundary=x", "--x \t\n"+text("HELP")+"\n--x-- \n"+trap), "HELP"},
		{"preamble that looks like text", plain("Content-Type: multipart/mixed; boundary=x", trap+"\n--x\n"+text("HELP")+"\n--x--\n"+trap), "HELP"},
		{"report type said of a person's part", mixed("mixed", text("HELP"), "Content-Type: message/rfc822; name=x.eml\nContent-Disposition: attachment\n\n"+plain("", trap)), "HELP"},
		{"forwarded as a file .eml", mixed("mixed", text("HELP"), "Content-Type: application/octet-stream; name=x.eml\n\n"+plain("", trap)), "HELP"},
		{"mail only", plain("Content-Type: message/rfc822", "From: a@b.example\n\n"+trap), ""},
		{"HTML with a name", plain("Content-Type: text/html; charset=utf-8; name=\"mail.html\"\nContent-Disposition: inline; filename=mail.html", "<p>HELP"), "HELP"},
		{"HTML file", mixed("mixed", text("HELP"), "Content-Type: text/html; name=map.html\nContent-Disposition: attachment; filename=map.html\n\n<p>"+trap), "HELP"},
		{"body marked as a file", plain("Content-Type: text/plain; charset=utf-8\nContent-Disposition: attachment", "HELP"), "HELP"},
		{"order file with a Russian name", mixed("mixed", text("см. файл"), "Content-Type: application/octet-stream; name=\"=?windows-1251?B?"+b64(encode(t, charmap.Windows1251, "приказы.txt"))+"?=\"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment\n\n"+b64(encode(t, charmap.CodePage866, "ВЫЗОВ Борис\r\nПЛАТИТЬ 30 Анне\r\n"))), "см. файл\nВЫЗОВ Борис\nПЛАТИТЬ 30 Анне"},
		{"order file in UTF-16", mixed("mixed", text("a"), "Content-Type: application/octet-stream; name=o.ord\nContent-Transfer-Encoding: base64\n\n"+b64("\xff\xfeH\x00E\x00L\x00P\x00\r\x00\n\x00")), "a\nHELP"},
		{"files of other kinds", mixed("mixed", text("HELP"), "Content-Type: application/vnd.openxmlformats; name=o.docx\n\n"+trap, "Content-Type: text/x-vcard; name=i.vcf\n\n"+trap, "Content-Type: text/rtf\n\n"+trap), "HELP"},
		{"clearsigned with a signature", plain("", "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nHELP\n- -- \nIvan\n"+trap+"\n-----BEGIN PGP SIGNATURE-----\nVersion: x\n\nabcd\n-----END PGP SIGNATURE-----\n"), "HELP"},
		{"clearsigned bullets", plain("", "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n- - HELP\n- - WHO\n-----BEGIN PGP SIGNATURE-----\n\nabcd\n-----END PGP SIGNATURE-----\n"), "- HELP\n- WHO"},
		{"clearsigned forward", plain("", "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nHELP\n\n- -----Original Message-----\n"+trap+"\n-----BEGIN PGP SIGNATURE-----\n\nabcd\n-----END PGP SIGNATURE-----\n"), "HELP"},
		{"S/MIME signed", plain("Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\nContent-Transfer-Encoding: base64", b64(signedData(crlf(text("HELP"))))), "HELP"},
		{"S/MIME signed in pieces", plain("Content-Type: application/x-pkcs7-mime; name=smime.p7m\nContent-Transfer-Encoding: base64", b64(signedPieces(crlf(text("HELP")+"\nWHO")))), "HELP\nWHO"},
		{"links told twice", plain(utf8Text, "ADDRESS ivan2@players.example<mailto:ivan2@players.example>\nCHALLENGE www.boris.example<http://www.boris.example>\nPAY 30 TO Anna<https://x.example/anna>"), "ADDRESS ivan2@players.example\nCHALLENGE www.boris.example\nPAY 30 TO Anna<https://x.example/anna>"},
		{"bold in Gmail's text", mixed("alternative", text("*CHALLENGE Boris*\nPAY *30* TO *Anna*\n* HELP\n*WHO"), page("<b>CHALLENGE Boris</b><br>PAY <b>30</b> TO <b>Anna</b>")), "CHALLENGE Boris\nPAY 30 TO Anna\n* HELP\nWHO"},
		{"stars of the writer", mixed("alternative", text("PAY 30 TO *Anna*"), page("PAY 30 TO *Anna*")), "PAY 30 TO *Anna*"},
		{"flowed quote after flowed text", plain("Content-Type: text/plain; format=flowed; delsp=yes", "CHALLENGE  \nBoris\n>SURRENDER  \n>ALL\n> >ALL\nPAY 30 TO Anna\n-- \n"+trap), orders2},
		{"flowed attribution", plain("Content-Type: text/plain; format=flowed", orders2+"\n\nOn Mon, Feb 2, 2026 at 9:00 AM Master <gm@games.example> \nwrote:\n> SURRENDER \n> ALL"), orders2},
		{"body in one line of base64", plain("Content-Type: text/plain; charset=\"utf-8\"\nContent-Transfer-Encoding: base64", b64(strings.Repeat("HELP\n", 3))), "HELP\nHELP\nHELP"},
		{"type without a semicolon", plain("Content-Type: text/plain charset=koi8-r\nContent-Transfer-Encoding: 8bit", "") + encode(t, charmap.KOI8R, "ВЫЗОВ Борис"), "ВЫЗОВ Борис"},
		{"Ukrainian without a label", plain("Content-Type: text/plain", "") + encode(t, charmap.Windows1251, "Привіт, їду до Львова.\r\nВИКЛИК Борис"), "Привіт, їду до Львова.\nВИКЛИК Борис"},
		{"one Russian name in koi8-r", plain("Content-Type: text/plain", "") + encode(t, charmap.KOI8R, "CHALLENGE Борис\r\nPAY 30 TO Anna"), "CHALLENGE Борис\nPAY 30 TO Anna"},
		{"8-bit under 7bit", plain("Content-Type: text/plain\nContent-Transfer-Encoding: 7bit", "") + encode(t, charmap.Windows1251, "ВЫЗОВ Борис"), "ВЫЗОВ Борис"},
		{"single quotes about the charset", plain("Content-Type: text/plain; charset='koi8-r'", "") + encode(t, charmap.KOI8R, "ход"), "ход"},
		{"utf-16 under base64 with mark, big endian", plain("Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64", b64("\xfe\xff\x00H\x00E\x00L\x00P")), "HELP"},
		{"body CR CR LF", strings.ReplaceAll(plain("", "HELP\nWHO"), "\r\n", "\r\r\n"), "HELP\nWHO"},
		{"bare CR in the body", plain("", "") + "HELP\rWHO\rSTATUS", "HELP\nWHO\nSTATUS"},
		{"footer of single words below base64", plain(utf8Text+"\nContent-Transfer-Encoding: base64", b64("ВЫЗОВ Борис\n")+"\n\nAvast\nVirusfree\n"), "ВЫЗОВ Борис"},
		{"footer right below base64", plain(utf8Text+"\nContent-Transfer-Encoding: base64", b64("ВЫЗОВ Борис\n")+"\nVirusfree\n"), "ВЫЗОВ Борис"},
		{"base64 with blank lines", plain(utf8Text+"\nContent-Transfer-Encoding: base64", b64("PAY 30 TO Anna and ")+"\n\n"+b64("to Boris, who waits\n")+"\n"), "PAY 30 TO Anna and to Boris, who waits"},
		{"HTML under text/plain", plain(utf8Text, "<!DOCTYPE html>\n<html><body><p>HELP</p><p style='display:none'>"+trap+"</p></body></html>"), "HELP"},
		{"text under text/html", plain("Content-Type: text/html; charset=utf-8", "HELP\nPAY 30 TO Anna\n\n> "+trap), "HELP\nPAY 30 TO Anna"},
		{"text with entities under text/html", plain("Content-Type: text/html; charset=utf-8", "PAY&nbsp;30 TO\nAnna"), "PAY 30 TO Anna"},
		{"order file alone", plain("Content-Type: application/octet-stream; name=orders.txt\nContent-Transfer-Encoding: base64", b64("HELP\r\nWHO")), "HELP\nWHO"},
		{"charset by RFC 2231", plain("Content-Type: text/plain; charset*=us-ascii'en'koi8-r", "") + encode(t, charmap.KOI8R, "ход Ж7"), "ход Ж7"},
		{"base64 letter by letter", plain("Content-Transfer-Encoding: base64", "S\nE\nV\n M\n U\nA\n =\n="), "HELP"},
		{"preamble of one long line", plain("Content-Type: multipart/mixed; boundary=x", strings.Repeat("p", 70000)+"\n--x\n"+text("HELP")+"\n--x--"), "HELP"},
		{"uuencoded file without end", plain("", "HELP\n\nbegin 644 a.txt\n$2$5,4```\nWHO"), "HELP\nbegin 644 a.txt\n$2$5,4```\nWHO"},
	} {
		t.Run(tc.name, func(t *testing.T) { checkOwn(t, tc.raw, tc.want) })
	}
}

// der makes one DER value.
func der(tag byte, content string) string {
	n := len(content)
	return string([]byte{tag, 0x82, byte(n >> 8), byte(n)}) + content
}

// signedData wraps a part as S/MIME signs it, with the content in one piece.
func signedData(part string) string {
	content := der(0x30, oidData+der(0xa0, der(0x04, part)))
	return der(0x30, oidSignedData+der(0xa0, der(0x30, "\x02\x01\x01"+der(0x31, "")+content+der(0x31, "certificate "+oidData+" signature"))))
}

// signedPieces does it as Outlook does: lengths left open, the content cut into pieces.
func signedPieces(part string) string {
	half := len(part) / 2
	pieces := "\x24\x80" + der(0x04, part[:half]) + der(0x04, part[half:]) + "\x00\x00"
	content := "\x30\x80" + oidData + "\xa0\x80" + pieces + "\x00\x00\x00\x00"
	return "\x30\x80" + oidSignedData + "\xa0\x80\x30\x80\x02\x01\x01" + der(0x31, "") + content + der(0x31, "") + "\x00\x00\x00\x00\x00\x00"
}

// TestMachinesAndPeople tells machines from people who look like them.
func TestMachinesAndPeople(t *testing.T) {
	subject := func(s string) string { return strings.Replace(plain("", "HELP"), "my move", s, 1) }
	for name, raw := range map[string]string{
		"office, ru":             subject("Отсутствую на работе: ход 6"),
		"leave, de":              subject("Ich bin im Urlaub: Runde 6"),
		"away, en":               subject("I am out of the office"),
		"away, short":            subject("I'm out of office until Monday"),
		"answering machine, ru":  subject("Автоответчик: ход 6"),
		"Exchange, encoded":      subject("=?utf-8?B?" + base64.StdEncoding.EncodeToString([]byte("Автоматический ответ: ход 6")) + "?="),
		"read receipt":           plain("Content-Type: multipart/report; boundary=r; report-type=\"disposition-notification\"", "--r\n\nHELP\n--r\nContent-Type: message/disposition-notification\n\nDisposition: automatic-action/MDN-sent-automatically; displayed\n--r--"),
		"list":                   plain("List-Id: Talk <talk.lists.example>\nPrecedence: list", "HELP"),
		"auto, folded":           plain("Auto-Submitted:\n auto-replied", "HELP"),
		"auto, in capitals":      plain("AUTO-SUBMITTED: Auto-Generated", "HELP"),
		"Exchange system sender": strings.Replace(subject("ход 6"), "<ivan@players.example>\r\nTo", "<MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@players.example>\r\nTo", 1),
	} {
		t.Run(name, func(t *testing.T) { checkNotTaken(t, raw, AutoReply) })
	}
	for name, raw := range map[string]string{
		"gold":           subject("I am out of gold"),
		"patience":       subject("I'm out of patience, Boris"),
		"auto":           subject("Automatic crossbows"),
		"office":         subject("Office of the King"),
		"holiday, ru":    subject("ОТПУСК 2026-03-01 ДО 2026-03-10"),
		"absence, fr":    subject("Absence de Boris"),
		"not there, ru":  subject("Нет на месте мостов"),
		"no, folded":     plain("Auto-Submitted:\n no", "HELP"),
		"suppress":       plain("X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply", "HELP"),
		"urgent":         plain("Precedence: special-delivery\nX-Priority: 1\nImportance: high", "HELP"),
		"anti-virus":     plain("X-Antivirus: Avast\nX-Antivirus-Status: Clean\nX-Spam-Status: No", "HELP"),
		"receipt wanted": plain("Disposition-Notification-To: ivan@players.example\nReturn-Receipt-To: ivan@players.example", "HELP"),
	} {
		t.Run(name, func(t *testing.T) { checkOwn(t, raw, "HELP") })
	}
}

// TestAuthorsInQuotes reads addresses as some programs put them.
func TestAuthorsInQuotes(t *testing.T) {
	for from, want := range map[string]string{
		"'ivan@players.example'":                                                  "ivan@players.example",
		"'ivan@players.example' <ivan@players.example>":                           "ivan@players.example",
		"Ivan <'ivan@players.example'>":                                           "ivan@players.example",
		"Ivan <ivan@players.example>,":                                            "ivan@players.example",
		"\"Ivan <boris@else.example>\" <ivan@players.example>":                    "ivan@players.example",
		"=?utf-8?B?SXZhbiA8Ym9yaXNAZWxzZS5leGFtcGxlPg==?= <ivan@players.example>": "ivan@players.example",
		"=?utf-8?B?SXZhbiA8aXZhbkBwbGF5ZXJzLmV4YW1wbGU+?=":                        "",
		"undisclosed-recipients:;":                                                "",
	} {
		l := Read([]byte(strings.Replace(plain("", "HELP"), "Ivan <ivan@players.example>\r\nTo", from+"\r\nTo", 1)), Options{})
		if l.From != want {
			t.Errorf("%s: got %q", from, l.From)
		}
	}
	l := Read([]byte(plain("Authentication-Results: \"mx.games.example\" 1;\n dmarc=pass header.from=players.example", "HELP")), Options{AuthservID: "mx.games.example"})
	if l.Authenticated != "pass" {
		t.Errorf("quoted server: %q", l.Authenticated)
	}
}
