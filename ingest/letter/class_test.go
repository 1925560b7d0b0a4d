package letter

import (
	"fmt"
	"strings"
	"testing"
)

func TestMachines(t *testing.T) {
	for _, field := range []string{
		"Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated (rejected)", "Auto-Submitted: AUTO-NOTIFIED", "Auto-Submitted: (x) auto-replied; owner=x",
		"Precedence: bulk", "Precedence: List", "Precedence: junk", "Precedence: auto_reply",
		"List-Id: <talk.lists.example>", "List-Unsubscribe: <mailto:x@lists.example>", "Mailing-List: contact x@lists.example", "X-BeenThere: talk@lists.example",
		"X-Autoreply: yes", "X-Autorespond: vacation", "X-Auto-Response: 1", "X-FC-MachineGenerated: true", "X-Arroba-Loop: gm@games.example", "Delivered-To: autoresponder",
	} {
		t.Run(field, func(t *testing.T) { checkNotTaken(t, plain(field, "HELP"), AutoReply) })
	}
	for _, rp := range []string{"<>", "", "<MAILER-DAEMON>", "MAILER-DAEMON", "< >"} {
		t.Run("Return-Path "+rp, func(t *testing.T) {
			checkNotTaken(t, strings.Replace(plain("", "HELP"), "<ivan@players.example>", rp, 1), AutoReply)
		})
	}
	for _, local := range []string{"postmaster", "no-reply", "noreply", "DoNotReply", "do-not-reply", "bounces+1", "list-bounces", "owner-talk"} {
		t.Run("From "+local, func(t *testing.T) {
			checkNotTaken(t, strings.Replace(plain("", "HELP"), "Ivan <ivan@", "<"+local+"@", 1), AutoReply)
		})
	}
}

func checkNotTaken(t *testing.T, raw string, class Class) {
	t.Helper()
	l := Read([]byte(raw), Options{})
	if l.Class != class || len(l.Lines) > 0 {
		t.Errorf("class %q, lines %q, problems %q", l.Class, l.Lines, l.Problems)
	}
}

func TestSubjectsOfAutomaticAnswers(t *testing.T) {
	for _, s := range []string{
		"Out of Office: turn 6", "Out of office", "Out of the office (until Monday)", "Automatic reply: turn 6", "Auto: turn 6", "AUTO: Ivan is out of the office",
		"Autoreply: turn 6", "Out of Office AutoReply: turn 6", "Re: turn 6 (out of office)", "Automatische Antwort: Runde 6", "Abwesenheitsnotiz: Runde 6",
		"Réponse automatique : tour 6", "Respuesta automática: turno 6", "Risposta automatica: turno 6", "Odpowiedź automatyczna: tura 6",
		"Автоответ: ход 6", "Автоматический ответ: ход 6", "Нет на месте: ход 6", "Автоматична відповідь: хід 6", "Resposta automática: x", "Automatisch antwoord: x",
		"自动回复: x", "Re: Automatic reply: turn 6",
	} {
		t.Run(s, func(t *testing.T) {
			checkNotTaken(t, strings.Replace(plain("", "HELP"), "my move", s, 1), AutoReply)
		})
	}
}

// TestPeople holds letters that look a little like a machine's.
func TestPeople(t *testing.T) {
	for _, field := range []string{
		"Auto-Submitted: no", "Auto-Submitted: No (a person)", "X-Auto-Response-Suppress: All", "Precedence: first-class", "X-Loop-Count: 1", "X-Priority: 1",
		"Reply-To: noreply@x.example", "Sender: postmaster@x.example",
	} {
		t.Run(field, func(t *testing.T) { checkOwn(t, plain(field, "HELP"), "HELP") })
	}
	for _, s := range []string{"Out of office next week", "Vacation", "ОТПУСК 2026-03-01 ДО 2026-03-10", "Re: turn 6", "Warning: I will attack", "Delivery of the tribute", "Automatic war", ""} {
		t.Run(s, func(t *testing.T) { checkOwn(t, strings.Replace(plain("", "HELP"), "my move", s, 1), "HELP") })
	}
	if !Read([]byte(plain("X-Auto-Response-Suppress: OOF", "HELP")), Options{}).Quiet {
		t.Error("X-Auto-Response-Suppress was not noted")
	}
}

func TestOwnMail(t *testing.T) {
	raw := []byte(plain("", "HELP"))
	for name, o := range map[string]Options{
		"address": {Own: Addresses("gm@games.example", "Ivan@players.example")},
		"domain":  {Domain: "players.example"},
	} {
		if l := Read(raw, o); l.Class != AutoReply {
			t.Errorf("%s: class %q", name, l.Class)
		}
	}
	checkNotTaken(t, strings.Replace(plain("", "HELP"), "Ivan <ivan@players.example>", "gm@games.example", 1), AutoReply)
	checkNotTaken(t, strings.Replace(plain("Delivered-To: gm@games.example", "HELP"), "Ivan <ivan@players.example>", "gm@games.example", 1), AutoReply)
	checkOwn(t, plain("Cc: ivan@players.example", "HELP"), "HELP")
	if l := Read(raw, Options{Own: Addresses("gm@games.example"), Domain: "games.example"}); l.Class != Orders {
		t.Errorf("a player's letter: class %q", l.Class)
	}
}

func TestLoop(t *testing.T) {
	checkNotTaken(t, strings.Repeat("Received: from a by b; Mon, 2 Feb 2026 08:00:00 +0000\r\n", 60)+plain("", "HELP"), Spam)
}

// daemon makes a mail of a mail server.
func daemon(subject, fields, body string) string {
	return "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example (Mail Delivery System)\r\nTo: gm@games.example\r\nSubject: " + subject + "\r\n" + crlf(fields) + "\r\n" + crlf(body)
}

func TestBounces(t *testing.T) {
	ours := "From: gm@games.example\nTo: ivan@players.example\nSubject: turn 6\nMessage-ID: <t6@games.example>\n\nHELP\n"
	report := "--r\nContent-Type: text/plain\n\nIt did not arrive.\nHELP\n\n--r\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n" +
		"Final-Recipient: rfc822; anna@players.example\nAction: delivered\nStatus: 2.0.0\n\nOriginal-Recipient: rfc822;ivan@players.example\nFinal-Recipient: RFC822;<Ivan@players.example>\nAction: failed\nStatus: 5.1.1 (no such user)\nDiagnostic-Code: smtp; 550 5.1.1 no\n such user here\n\n--r\nContent-Type: %s\n\n" + ours + "\n--r--"
	for _, tc := range []struct {
		name, raw string
		want      Bounce
	}{
		{"report", daemon("Undelivered Mail Returned to Sender", "Content-Type: multipart/report; report-type=delivery-status; boundary=r", fmt.Sprintf(report, "message/rfc822")),
			Bounce{"ivan@players.example", "failed", "5.1.1", "550 5.1.1 no such user here", "<t6@games.example>"}},
		{"report with the header only", daemon("x", "Content-Type: multipart/report; boundary=r", fmt.Sprintf(report, "text/rfc822-headers")),
			Bounce{"ivan@players.example", "failed", "5.1.1", "550 5.1.1 no such user here", "<t6@games.example>"}},
		{"report with our Message-ID and nothing of ours", daemon("x", "Content-Type: multipart/report; report-type=delivery-status; boundary=r",
			"--r\nContent-Type: message/delivery-status\n\nOriginal-Message-ID: <t6@games.example>\n\nFinal-Recipient: rfc822; ivan@players.example\nAction: delayed\nStatus: 4.4.1\n\n--r--"),
			Bounce{"ivan@players.example", "delayed", "4.4.1", "", "<t6@games.example>"}},
		{"qmail", daemon("failure notice", "", "Hi. This is the qmail-send program at mx.example.\nI'm afraid I wasn't able to deliver your message.\n\n<ivan@players.example>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\n"+ours),
			Bounce{"ivan@players.example", "failed", "5.1.1", "Sorry, no mailbox here by that name. (#5.1.1)", "<t6@games.example>"}},
		{"exim", daemon("Mail delivery failed: returning message to sender", "X-Failed-Recipients: ivan@players.example\nAuto-Submitted: auto-replied", "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered.\n\n  ivan@players.example\n    Unrouteable address\n\n"+ours),
			Bounce{"ivan@players.example", "failed", "", "", "<t6@games.example>"}},
		{"exim with an answer of the other server", daemon("Mail delivery failed", "X-Failed-Recipients: ivan@players.example", "  ivan@players.example\n    host mx.players.example [192.0.2.1]:\n    550 unknown user\n\n"+ours),
			Bounce{"ivan@players.example", "failed", "5.0.0", "550 unknown user", "<t6@games.example>"}},
		{"sendmail", daemon("Returned mail: see transcript for details", "", "The original message was received at Mon, 2 Feb 2026\n\n   ----- The following addresses had permanent fatal errors -----\n<ivan@players.example>\n    (reason: 550 5.1.1 User unknown)\n\n"+ours),
			Bounce{"ivan@players.example", "failed", "5.1.1", "(reason: 550 5.1.1 User unknown)", "<t6@games.example>"}},
		{"Exchange", strings.Replace(daemon("Undeliverable: turn 6", "", "Delivery has failed to these recipients or groups:\n\nivan@players.example\n"), "MAILER-DAEMON", "postmaster", 1),
			Bounce{"ivan@players.example", "failed", "", "", ""}},
		{"delay", daemon("Warning: message delayed 24 hours", "", "Your message to ivan@players.example could not be delivered yet. 4.4.1"),
			Bounce{"ivan@players.example", "delayed", "4.4.1", "Your message to ivan@players.example could not be delivered yet. 4.4.1", ""}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkNotTaken(t, tc.raw, Bounced)
			if b := Read([]byte(tc.raw), Options{}).Bounce; b != nil && *b != tc.want {
				t.Errorf("got %+v, wanted %+v", *b, tc.want)
			}
		})
	}
}

func TestReceiptIsNoBounce(t *testing.T) {
	checkNotTaken(t, plain("Content-Type: multipart/report; report-type=disposition-notification; boundary=r",
		"--r\n\nYour mail was read.\nHELP\n--r\nContent-Type: message/disposition-notification\n\nDisposition: manual-action/MDN-sent-manually; displayed\n--r--"), AutoReply)
}

func TestAuthentication(t *testing.T) {
	const ours = "mx.games.example"
	for _, tc := range []struct{ name, fields, want string }{
		{"none", "X-A: b", "none"},
		{"pass", "Authentication-Results: mx.games.example; dkim=pass header.d=x.example; dmarc=pass header.from=players.example", "pass"},
		{"pass with comments", "Authentication-Results: (ours) MX.games.example (v1) 1 (x); dmarc (policy) = pass (p=none dis=none) header.from = players.example", "pass"},
		{"pass folded", "Authentication-Results: mx.games.example;\n\tspf=pass smtp.mailfrom=ivan@players.example;\n\tdmarc=pass (p=reject)\n\t header.from=players.example", "pass"},
		{"pass without domain", "Authentication-Results: mx.games.example; dmarc=pass", "pass"},
		{"version", "Authentication-Results: mx.games.example 1; dmarc/1=pass header.from=players.example", "pass"},
		{"quoted domain", "Authentication-Results: mx.games.example; dmarc=pass header.from=\"players.example\"", "pass"},
		{"fail", "Authentication-Results: mx.games.example; dmarc=fail header.from=players.example", "fail"},
		{"spf only", "Authentication-Results: mx.games.example; spf=pass smtp.mailfrom=players.example", "fail"},
		{"no results", "Authentication-Results: mx.games.example; none", "fail"},
		{"another domain", "Authentication-Results: mx.games.example; dmarc=pass header.from=else.example", "fail"},
		{"another server", "Authentication-Results: mx.else.example; dmarc=pass header.from=players.example", "none"},
		{"server with ours at its end", "Authentication-Results: evil.mx.games.example; dmarc=pass header.from=players.example", "none"},
		{"forged below", "Authentication-Results: mx.games.example; dmarc=fail\nAuthentication-Results: mx.games.example; dmarc=pass header.from=players.example", "fail"},
		{"first result counts", "Authentication-Results: mx.games.example; dmarc=fail; dmarc=pass header.from=players.example", "fail"},
		{"pass in a comment", "Authentication-Results: mx.games.example; dmarc=fail (dmarc=pass; dmarc=pass) header.from=players.example", "fail"},
		{"pass in a reason", "Authentication-Results: mx.games.example; dmarc=fail reason=\"; dmarc=pass\" header.from=players.example", "fail"},
		{"pass in an address", "Authentication-Results: mx.games.example; spf=fail smtp.mailfrom=\"; dmarc=pass header.from=players.example\"", "fail"},
		{"id in a comment", "Authentication-Results: (mx.games.example) mx.else.example; dmarc=pass", "none"},
		{"nested comment", "Authentication-Results: mx.games.example; dmarc=fail (a (b) dmarc=pass) header.from=players.example", "fail"},
		{"bestguesspass", "Authentication-Results: mx.games.example; dmarc=bestguesspass header.from=players.example", "fail"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			raw := []byte(plain(tc.fields, "HELP"))
			l := Read(raw, Options{AuthservID: ours})
			if l.Authenticated != tc.want || (l.AuthDomain == "players.example") != (tc.want == "pass") {
				t.Errorf("got %q for %q, wanted %q", l.Authenticated, l.AuthDomain, tc.want)
			}
			if l := Read(raw, Options{}); l.Authenticated != "none" {
				t.Errorf("without a server of our own: %q", l.Authenticated)
			}
		})
	}
}
