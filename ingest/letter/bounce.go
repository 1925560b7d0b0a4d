package letter

import (
	"cmp"
	"regexp"
	"strings"

	"arroba/orders"
)

// deliveryStatus reads the fields of a message/delivery-status part (RFC 3464): of the first recipient that failed,
// or of the first at all.
func deliveryStatus(body string) *Bounce {
	var best *Bounce
	var id string
	for body != "" {
		var group header
		group, body, _ = readHeader(body)
		if len(group) == 0 {
			break
		}
		if id == "" {
			id = messageID(cmp.Or(group.get("Original-Message-ID"), group.get("X-Original-Message-ID")))
		}
		recipient := group.get("Final-Recipient")
		if recipient == "" {
			recipient = group.get("Original-Recipient")
		}
		b := &Bounce{
			Recipient: cleanAddr(strings.Trim(recipient[strings.IndexByte(recipient, ';')+1:], " <>")),
			Action:    firstToken(group.get("Action")),
			Status:    firstToken(group.get("Status")),
			Reason:    reason(group.get("Diagnostic-Code")),
		}
		if b.Recipient == "" && b.Action == "" && b.Status == "" {
			continue
		}
		if best == nil || best.Action != "failed" && b.Action == "failed" {
			best = b
		}
	}
	if best != nil {
		best.MessageID = id
	}
	return best
}

// maxReason is how much of a server's words is kept.
const maxReason = 300

// reason is what a server says, without the name of the protocol that it says it in.
func reason(s string) string {
	if kind, words, ok := strings.Cut(s, ";"); ok && !strings.ContainsAny(strings.TrimSpace(kind), " <@") {
		s = words
	}
	s = orders.Clean(decodeRaw(s))
	return strings.ToValidUTF8(s[:min(len(s), maxReason)], "")
}

var (
	bounceSubject = regexp.MustCompile(`(?i)^(failure notice|undeliver|undelivered mail|delivery (status|failure|has failed|report|notification|problem|incomplete)|mail (delivery )?(failed|failure|system error)|mail delivery|message delivery|returned (mail|email|message)|warning: (message|could not)|message (could not|not|undeliver)|non[- ]?delivery|nondeliverable|unzustellbar|nicht zustellbar|mail nicht|non remis|échec de|notification d'échec|no se puede entregar|no entregado|error de entrega|mancato recapito|impossibile (recapitare|consegnare)|niedostarcz|nie można dostarczyć|zwrot|недоставлен|не доставлен|сообщение не|письмо не|не удалось доставить|не уда[её]тся доставить|возврат|недоставлене|не вдалося доставити|delayed|delivery delayed)`)
	bounceSender  = regexp.MustCompile(`^(mailer-?daemon|postmaster|mail-?daemon|mmdf|mailerdaemon|mail delivery|maildelivery|smtp|uucp|root|amavis|mdaemon)(@|$)`)
	bounceText    = regexp.MustCompile(`(?i)^(hi\. this is the |this is the (qmail-send|mail (system|delivery))|this message was created automatically by mail delivery|this is the postfix|the original message was received at|i'm sorry to have to inform you|your message (did not reach|to .{1,200} (couldn't|could not)|could not be delivered|was not delivered)|delivery to the following recipient|delivery has failed to these|this is a delivery (status|failure)|this is an automatically generated delivery status|a message that you sent could not|unable to deliver message|the following message to|message from .{1,100} was undeliverable|your mail message to the following)`)
	bouncedTo     = regexp.MustCompile(`(?:^|[\s<;:])([^\s<>@:;,"()]+@[A-Za-z0-9.-]+\.[A-Za-z0-9-]+)[>:,.;]?`)
	replyLine     = regexp.MustCompile(`(?m)^.*\b([45])\d\d[ -].*$`)
	statusCode    = regexp.MustCompile(`\b([245]\.\d{1,3}\.\d{1,3})\b`)
	originalID    = regexp.MustCompile(`(?im)^[> ]*message-id:\s*(<[^>\r\n]+>)`)
)

// bounceOf tells what a letter reports when it reports that ours did not arrive, or nil. Reports by the standard are
// known by their parts, older ones by who sends them and how they begin.
func bounceOf(l *Letter, h header, w *walk) *Bounce {
	b := w.bounce
	if b == nil {
		if w.report != "delivery-status" && !looksLikeBounce(l, h, w) {
			return nil
		}
		b = bounceFromText(l, h, w)
	}
	if b.MessageID == "" {
		b.MessageID = w.original
	}
	return b
}

func looksLikeBounce(l *Letter, h header, w *walk) bool {
	if h.has("X-Failed-Recipients") {
		return true
	}
	sender := bounceSender.MatchString(l.From) || l.From == "" && nullSender(h)
	if !sender && !nullSender(h) {
		return false
	}
	return bounceSubject.MatchString(l.Subject) || bounceText.MatchString(strings.TrimSpace(w.firstText()))
}

// firstText returns the beginning of the first text, where old reports say what they are.
func (w *walk) firstText() string {
	for _, p := range w.plain {
		return p.text[:min(len(p.text), 16<<10)]
	}
	return ""
}

// bounceFromText reads what qmail, exim, sendmail and others write for people: the first address, which is the
// recipient's, the first status code, and the Message-ID of the letter below.
func bounceFromText(l *Letter, h header, w *walk) *Bounce {
	text := w.firstText()
	b := &Bounce{Action: "failed", Recipient: cleanAddr(firstToken(h.get("X-Failed-Recipients")))}
	if strings.HasPrefix(strings.ToLower(l.Subject), "warning") || strings.Contains(strings.ToLower(l.Subject), "delayed") {
		b.Action = "delayed"
	}
	if m := bouncedTo.FindStringSubmatch(text); m != nil && b.Recipient == "" {
		b.Recipient = cleanAddr(m[1])
	}
	if m := originalID.FindStringSubmatchIndex(text); m != nil {
		b.MessageID = text[m[2]:m[3]]
		text = text[:m[0]] // below are our own words
	}
	b.Status, b.Reason = StatusIn(text)
	return b
}

// StatusIn finds the status in words for people, as "5.1.1", and the line that it stands in. Where there is only the three
// figures of an SMTP answer, the first of them tells as much as need be known.
func StatusIn(text string) (status, why string) {
	if at := statusCode.FindStringIndex(text); at != nil {
		begin := strings.LastIndexByte(text[:at[0]], '\n') + 1
		line, _ := cutLine(text[begin:])
		return text[at[0]:at[1]], reason(line)
	}
	if m := replyLine.FindStringSubmatch(text); m != nil {
		return m[1] + ".0.0", reason(m[0])
	}
	return "", ""
}
