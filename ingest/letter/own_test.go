package letter

import (
	"strings"
	"testing"
)

const orders2 = "CHALLENGE Boris\nPAY 30 TO Anna"

// trap stands in every text that is not the writer's.
const trap = "SURRENDER ALL"

// TestQuoting puts what mail programs write below, above and between the writer's lines.
func TestQuoting(t *testing.T) {
	quoted := "> " + trap + "\n> \n>> " + trap + "\n"
	block := func(lines ...string) string { return strings.Join(lines, "\n") + "\n\n" + trap + "\n" }
	for name, below := range map[string]string{
		"Gmail en":       "On Mon, Feb 2, 2026 at 9:00 AM Master <gm@games.example> wrote:\n" + quoted,
		"Gmail broken":   "On Mon, Feb 2, 2026 at 9:00 AM The Very Long Name of a Master <\ngm@games.example> wrote:\n" + quoted,
		"Gmail 3 lines":  "On Mon, Feb 2, 2026 at 9:00 AM The Very Long Name\nof a Master of Games\n<gm@games.example> wrote:\n\n" + quoted,
		"Gmail de":       "Am Mo., 2. Feb. 2026 um 09:00 Uhr schrieb Master <gm@games.example>:\n" + quoted,
		"Gmail fr":       "Le lun. 2 févr. 2026 à 09:00, Master <gm@games.example> a écrit :\n" + quoted,
		"Gmail es":       "El lun, 2 feb 2026 a las 9:00, Master (<gm@games.example>) escribió:\n" + quoted,
		"Gmail it":       "Il giorno lun 2 feb 2026 alle ore 09:00 Master <gm@games.example> ha scritto:\n" + quoted,
		"Gmail pl":       "pon., 2 lut 2026 o 09:00 Master <gm@games.example> napisał(a):\n" + quoted,
		"Gmail ru":       "пн, 2 февр. 2026 г. в 09:00, Master <gm@games.example>:\n" + quoted,
		"Gmail uk":       "пн, 2 лют. 2026 р. о 09:00 Master <gm@games.example> пише:\n" + quoted,
		"Gmail pt":       "Em seg., 2 de fev. de 2026 às 09:00, Master <gm@games.example> escreveu:\n" + quoted,
		"Apple en":       "> On 2 Feb 2026, at 09:00, Master <gm@games.example> wrote:\n> \n" + quoted,
		"Apple unquoted": "On 2 Feb 2026, at 09:00, Master <gm@games.example> wrote:\n\n" + trap,
		"Apple ru":       "> 2 февр. 2026 г., в 09:00, Master <gm@games.example> написал(а):\n> \n" + quoted,
		"Thunderbird en": "On 2/2/26 09:00, Master wrote:\n" + quoted,
		"Thunderbird de": "Am 02.02.26 um 09:00 schrieb Master:\n" + quoted,
		"Thunderbird ru": "02.02.2026 09:00, Master пишет:\n" + quoted,
		"Thunderbird pl": "W dniu 2.02.2026 o 09:00, Master pisze:\n" + quoted,
		"The Bat! ru":    "Вы писали 2 февраля 2026 г., 9:00:00:\n\n" + "M> " + trap + "\nGM>> " + trap + "\n",
		"The Bat! en":    "Monday, February 2, 2026, 9:00:00 AM, you wrote:\n\n" + "M> " + trap + "\n",
		"mail.ru":        "Понедельник, 2 февраля 2026, 9:00 +03:00 от Master <gm@games.example>:\n" + quoted,
		"mail.ru bare":   "Понедельник, 2 февраля 2026, 9:00 +03:00 от Master <gm@games.example>:\n\n" + trap,
		"Rambler":        "Понедельник, 02 февраля 2026, 09:00 +03:00 от Master:\n" + quoted,
		"ukr.net":        "2 лютого 2026, 09:00:00, від \"Master\" <gm@games.example>:\n\n" + quoted,
		"Horde":          "Quoting Master <gm@games.example>:\n\n" + quoted,
		"Gmail phone de": "Master <gm@games.example> schrieb am Mo., 2. Feb. 2026,\n09:00:\n\n" + quoted,
		"K-9":            "Am 2. Februar 2026 09:00:00 MEZ schrieb Master <gm@games.example>:\n" + quoted,
		"WP":             "W dniu 2026-02-02 09:00:00 użytkownik Master <gm@games.example> napisał:\n" + quoted,
		"GMX":            block("Gesendet: Montag, 02. Februar 2026 um 09:00 Uhr", "Von: \"Master\" <gm@games.example>", "An: ivan@players.example", "Betreff: Runde 6"),
		"Samsung":        block("-------- Original message --------", "From: Master <gm@games.example> ", "Date: 02/02/2026 09:00 (GMT+01:00) ", "To: ivan@players.example ", "Subject: turn 6 "),
		"in one line":    block("From: Master <gm@games.example> Sent: Monday, February 2, 2026 To: Ivan Subject: turn 6"),
		"Yandex":         "02.02.2026, 09:00, \"Master\" <gm@games.example>:\n" + quoted,
		"Proton":         "On Monday, February 2nd, 2026 at 9:00 AM, Master <gm@games.example> wrote:\n\n" + quoted,
		"Proton old":     "‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐\nOn Monday, February 2nd, 2026 at 9:00 AM, Master <gm@games.example> wrote:\n\n" + trap,
		"Outlook en":     block("-----Original Message-----", "From: Master <gm@games.example>", "Sent: Monday", "To: Ivan", "Subject: turn 6"),
		"Outlook rule":   block("________________________________", "From: Master <gm@games.example>", "Sent: Monday, February 2, 2026 9:00 AM", "To: Ivan", "Subject: turn 6"),
		"Outlook phone":  block("Get Outlook for iOS<https://aka.ms/x>", "________________________________", "From: Master <gm@games.example>", "Sent: Monday", "To: Ivan", "Subject: turn 6"),
		"Outlook bold":   block("*From:* Master <gm@games.example>", "*Sent:* Monday, February 2, 2026", "*To:* Ivan", "*Subject:* turn 6"),
		"Outlook de":     block("-----Ursprüngliche Nachricht-----", "Von: Master <gm@games.example>", "Gesendet: Montag, 2. Februar 2026 09:00", "An: Ivan", "Betreff: Runde 6"),
		"Outlook de raw": block("Von: Master <gm@games.example>", "Gesendet: Montag, 2. Februar 2026 09:00", "An: Ivan", "Betreff: Runde 6"),
		"Outlook fr":     block("De : Master <gm@games.example>", "Envoyé : lundi 2 février 2026 09:00", "À : Ivan", "Objet : tour 6"),
		"Outlook es":     block("De: Master <gm@games.example>", "Enviado el: lunes, 2 de febrero de 2026 9:00", "Para: Ivan", "Asunto: turno 6"),
		"Outlook it":     block("Da: Master <gm@games.example>", "Inviato: lunedì 2 febbraio 2026 09:00", "A: Ivan", "Oggetto: turno 6"),
		"Outlook pl":     block("Od: Master <gm@games.example>", "Wysłano: poniedziałek, 2 lutego 2026 09:00", "Do: Ivan", "Temat: tura 6"),
		"Outlook ru":     block("От: Master <gm@games.example>", "Отправлено: 2 февраля 2026 г. 9:00", "Кому: Иван", "Тема: ход 6"),
		"Outlook uk":     block("Від: Master <gm@games.example>", "Надіслано: 2 лютого 2026 р. 9:00", "Кому: Іван", "Тема: хід 6"),
		"Outlook ru old": block("-----Исходное сообщение-----", "От: Master", "Отправлено: 2 февраля 2026 г. 9:00", "Кому: Иван", "Тема: ход 6"),
		"Outlook Express": block("----- Original Message -----", "From: \"Master\" <gm@games.example>", "To: <ivan@players.example>",
			"Sent: Monday, February 02, 2026 9:00 AM", "Subject: turn 6"),
		"header in paragraphs":   block("From: Master <gm@games.example>", "", "Sent: Monday", "", "To: Ivan", "", "Subject: turn 6"),
		"wrapped To":             block("From: Master <gm@games.example>", "To: Ivan <ivan@players.example>, Anna Karenina", "<anna@players.example>", "Subject: turn 6"),
		"Lotus":                  block("----- Forwarded by Master/Games on 02.02.2026 09:00 -----", "Master", "02.02.2026 08:00"),
		"forward Gmail":          block("---------- Forwarded message ---------", "From: Anna <anna@players.example>", "Date: Mon, Feb 2, 2026", "Subject: my orders", "To: Ivan"),
		"forward Apple":          block("Begin forwarded message:", "", "From: Anna <anna@players.example>", "Subject: my orders", "Date: 2 February 2026", "To: Ivan"),
		"forward Thunderbird":    block("-------- Forwarded Message --------", "Subject: \tmy orders", "Date: \tMon, 2 Feb 2026", "From: \tAnna <anna@players.example>", "To: \tIvan"),
		"forward Thunderbird ru": block("-------- Пересылаемое сообщение --------", "Тема: приказы", "Дата: Mon, 2 Feb 2026", "От: Анна", "Кому: Иван"),
		"forward mail.ru":        block("-------- Пересылаемое сообщение --------", "От: Анна <anna@players.example>", "Кому: Иван", "Дата: Понедельник, 2 февраля 2026"),
		"forward Yandex":         block("-------- Пересылаемое сообщение --------", "02.02.2026, 09:00, \"Anna\" <anna@players.example>:"),
		"forward Apple de":       block("Anfang der weitergeleiteten Nachricht:", "", "Von: Anna <anna@players.example>", "Betreff: Befehle", "Datum: 2. Februar 2026"),
		"forward fr":             block("---------- Message transféré ---------", "De : Anna <anna@players.example>"),
		"marker":                 "## Please reply above this line ##\n" + trap,
		"marker ru":              "--- Пишите, пожалуйста, выше этой линии ---\n" + trap,
		"signature":              "-- \nIvan\n" + trap,
		"signature, no blank":    "--\nIvan\n" + trap,
		"bars":                   "| " + trap + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			checkOwn(t, plain("Content-Type: text/plain; charset=utf-8", orders2+"\n\n"+below), orders2)
		})
	}
}

func TestOwnTextBetweenQuotes(t *testing.T) {
	for name, body := range map[string]string{
		"below the quote":   "On Mon, Feb 2, 2026 Master wrote:\n> " + trap + "\n\n" + orders2,
		"between quotes":    "On Mon, Feb 2, 2026 Master wrote:\n> first\nCHALLENGE Boris\n> " + trap + "\nPAY 30 TO Anna\n> last",
		"around":            "CHALLENGE Boris\n\nOn Mon, Feb 2, 2026 Master wrote:\n> " + trap + "\n\nPAY 30 TO Anna",
		"Master wrote only": "Master wrote:\n> " + trap + "\n" + orders2,
		"nothing to cut":    orders2,
	} {
		t.Run(name, func(t *testing.T) { checkOwn(t, plain("", body), orders2) })
	}
}

// TestProseStays holds what looks a little like the marks of quoting and is the writer's own.
func TestProseStays(t *testing.T) {
	for name, body := range map[string]string{
		"colon":                   "My orders:\nCHALLENGE Boris",
		"order before the quote":  "CHALLENGE Boris\nPAY 30 TO Anna",
		"rule of dashes":          "----------\nCHALLENGE Boris\n----------",
		"heading between dashes":  "--- ORDERS ---\nCHALLENGE Boris",
		"From in a sentence":      "From: the North\nCHALLENGE Boris",
		"letter within a letter":  "PRESS TO Anna\nTo: the Queen\nI wrote to you.\nEND PRESS",
		"wrote in a sentence":     "As I wrote yesterday:\nCHALLENGE Boris",
		"wrote with a number":     "Boris wrote 3 times:\nCHALLENGE Boris",
		"on with a number":        "On 3 occasions you wrote:\nCHALLENGE Boris",
		"address before a colon":  "The new address is ivan2@players.example, from 2026 on:\nCHALLENGE Boris",
		"numbers":                 "1. CHALLENGE Boris\n2) PAY 30 TO Anna",
		"continued line":          "CHALLENGE \\\nBoris",
		"this message":            "This message is for the Queen.\nCHALLENGE Boris",
		"date first":              "2 knights ride.\nCHALLENGE Boris",
		"forwarded in a sentence": "Forwarded message follows tomorrow.\nCHALLENGE Boris",
		"rows of a table":         "| Name | Space |\n|------|-------|\n| York | Vale of York |\nCHALLENGE Boris",
		"original in a sentence":  "- Original message was lost\nCHALLENGE Boris",
	} {
		t.Run(name, func(t *testing.T) { checkOwn(t, plain("", body), body) })
	}
}

func TestPhoneSignaturesAndBanners(t *testing.T) {
	for _, s := range []string{
		"Sent from my iPhone", "Sent from Yahoo Mail on Android", "Sent from Mail for Windows 10", "Sent with Proton Mail secure email.",
		"Get Outlook for Android", "Von meinem iPhone gesendet", "Gesendet von Mail für Windows", "Envoyé de mon iPhone", "Enviado desde mi iPhone",
		"Inviato da iPhone", "Wysłane z iPhone’a", "Отправлено с iPhone", "Отправлено из мобильной Почты Mail.ru", "Отправлено из Mail.ru для Android",
		"Надіслано з iPhone", "Скачать Outlook для Android",
	} {
		t.Run(s, func(t *testing.T) {
			checkOwn(t, plain("Content-Type: text/plain; charset=utf-8", orders2+"\n\n"+s), orders2)
		})
	}
	for _, s := range []string{
		"[EXTERNAL EMAIL] Do not click links unless you know the sender.",
		"CAUTION: This email originated from outside of the organization.",
		"You don't often get email from ivan@players.example. Learn why this is important",
		"ВНИМАНИЕ! Внешняя почта.",
	} {
		t.Run(s, func(t *testing.T) {
			checkOwn(t, plain("Content-Type: text/plain; charset=utf-8", s+"\n\n"+orders2), orders2)
		})
	}
	for _, s := range []string{
		"CONFIDENTIALITY NOTICE: this message and what is attached are for the addressee only.\nIf you are not, delete it.",
		"This email has been checked for viruses by Scanner.",
		"Diese E-Mail enthält vertrauliche Informationen und ist nur für den Empfänger bestimmt.",
		"Это сообщение проверено на вирусы.",
	} {
		t.Run(s, func(t *testing.T) {
			checkOwn(t, plain("Content-Type: text/plain; charset=utf-8", orders2+"\n\n"+s), orders2)
		})
	}
}

func TestFlowed(t *testing.T) {
	for _, tc := range []struct{ name, params, body, want string }{
		{"joined", "", "PAY 30 \nTO Anna\nHELP", "PAY 30 TO Anna\nHELP"},
		{"joined without the blank", "; delsp=yes", "PAY 30 TO An \nna", "PAY 30 TO Anna"},
		{"stuffed", "", " HELP\n >not quoted\n From here", "HELP\n>not quoted\nFrom here"},
		{"quoted", "", "HELP\n> SURRENDER \n> ALL\n>> more \nWHO", "HELP\nWHO"},
		{"signature", "", "HELP \n-- \nSURRENDER ALL", "HELP"},
		{"ends softly", "", "HELP ", "HELP"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkOwn(t, plain("Content-Type: text/plain; format=Flowed"+tc.params, tc.body), tc.want)
		})
	}
}

func TestNormalForm(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"quotes and dashes", "PRESS “let’s go – now…” «да»", `PRESS "let's go - now..." "да"`},
		{"blanks", "\u00a0PAY\u2003 30\t TO\u202fAnna ", "PAY 30 TO Anna"},
		{"marks", "\u200eHELP\u200f\n\u2067PAY\u2069\u200b 30\n\ufeffWHO\u00ad", "HELP\nPAY 30\nWHO"},
		{"full width", "ＰＡＹ ３０", "PAY 30"},
		{"decomposed", "бои\u0306кий", "бойкий"},
		{"NUL", "PA\x00Y 30\x00", "PAY 30"},
		{"other line ends", "HELP\u2028WHO\x0bSTATUS\x0cHISTORY\rDEADLINE", "HELP\nWHO\nSTATUS\nHISTORY\nDEADLINE"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkOwn(t, plain("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit", "")+tc.body, tc.want)
		})
	}
}

func TestWithoutBullet(t *testing.T) {
	for in, want := range map[string]string{
		"- HELP": "HELP", "* HELP": "HELP", "• HELP": "HELP", "1. HELP": "HELP", "12) HELP": "HELP", "-HELP": "HELP",
		"1.HELP": "HELP", "HELP": "HELP", "-5": "-5", "30 knights": "30 knights", "1.5 miles": "1.5 miles", "- - HELP": "- HELP",
		"2026. HELP": "2026. HELP", "": "", "-": "-", "1.": "1.",
	} {
		if got := WithoutBullet(in); got != want {
			t.Errorf("%q: got %q, wanted %q", in, got, want)
		}
	}
}

func TestParagraphsStay(t *testing.T) {
	l := Read([]byte(plain("", "\n\nPRESS TO Anna\n\n\nDear Anna,\n\nhello\n\n")), Options{})
	if got, want := strings.Join(l.Lines, "|"), "PRESS TO Anna||Dear Anna,||hello"; got != want {
		t.Errorf("got %q, wanted %q", got, want)
	}
}

func TestSignedText(t *testing.T) {
	checkOwn(t, plain("", "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nPAY 30 TO Anna\n-----BEGIN PGP SIGNATURE-----\n\nabcd\n-----END PGP SIGNATURE-----\n"), "PAY 30 TO Anna")
}
