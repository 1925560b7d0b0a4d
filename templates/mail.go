package templates

import (
	"regexp"
	"slices"
	"strings"

	"arroba/orders"
	"arroba/rules"
)

// Line is one order in a receipt.
type Line struct {
	Line    string
	Verdict orders.Verdict
	Rule    string
	Reason  string
}

// Mail is what a mail to one person holds.
type Mail struct {
	Kind        string       // an outbox kind
	Game        string       // the game's name, for the tag in the subject; "" for alarms of the whole engine
	Title       string       // the game's title
	To          string       // the reader's nick, "" for a copy address
	Why         string       // the subject's matter: a headline or the subject of the letter it answers
	Answers     bool         // the subject is that of the letter it answers, after "Re: "
	Lines       []Line       // receipt: orders in the order they were sent, at most 200
	More        int          // receipt: orders beyond those
	Hidden      int          // receipt: unclear lines that are not among them either
	Receipt     string       // receipt: its number and hash, "" for a test's
	Deadline    string       // receipt: by when the reader must do something, and how long that is; "" for no deadline
	InForce     []rules.Kept // receipt: the reader's orders that wait for their round
	Said        []string     // what a question, reminder or alarm says, and a receipt before what happened
	News        []string     // what happened, from Texts.Event
	Asked       []string     // receipt: answers to HELP, STATUS and their like
	Offers      []string     // orders that the reader could give now, as lines
	OffersAbove bool         // they stand in an answer to HELP already
	OrdersTo    string       // address that his orders go to; "" where he is to answer the mail
	Link        string       // address of the member's own page, "" for none

	// worked out by Mail
	Accepted, Refused, Unclear int    // of Lines
	OrderForm                  string // a link that opens a letter with the offers
}

// Mail renders a mail in the frame of its kind: its subject without line breaks, its text with lines ended by \n.
func (t *Texts) Mail(r Reader, m Mail) (subject, text string, err error) {
	v := m
	v.Accepted, v.Refused, v.Unclear = 0, 0, 0
	v.Game, v.Title, v.To, v.Link = oneLine(m.Game), oneLine(m.Title), oneLine(m.To), oneLine(m.Link)
	v.Lines = make([]Line, len(m.Lines))
	for i, l := range m.Lines {
		v.Lines[i] = Line{cut(oneLine(l.Line), lineLength), l.Verdict, oneLine(l.Rule), reason(l.Reason)}
		switch l.Verdict {
		case orders.Accepted:
			v.Accepted++
		case orders.Refused:
			v.Refused++
		default:
			v.Unclear++
		}
	}
	v.InForce = make([]rules.Kept, len(m.InForce))
	for i, k := range m.InForce {
		v.InForce[i] = rules.Kept{N: k.N, Line: cut(oneLine(k.Line), lineLength)}
	}
	v.Offers = make([]string, len(m.Offers))
	for i, line := range m.Offers {
		v.Offers[i] = cut(oneLine(line), lineLength)
	}
	if v.OrderForm, err = t.orderForm(r, v); err != nil {
		return "", "", err
	}
	body, err := t.render(r, &v, "mail")
	if err != nil {
		return "", "", err
	}
	why, err := t.why(r, m)
	if err != nil {
		return "", "", err
	}
	return subjectOf(v.Game, why, m.Answers), t.wraps.wrap(body) + "\n", nil
}

// reason is a reason in one line, and behind it the lines that it quotes.
func reason(s string) string {
	var said, quoted []string
	for line := range strings.Lines(clean(s)) {
		if line = oneLine(line); strings.HasPrefix(line, "> ") {
			quoted = append(quoted, line)
		} else if line != "" {
			said = append(said, line)
		}
	}
	return strings.Join(append([]string{strings.Join(said, " ")}, quoted...), "\n")
}

// why is the subject's matter; a mail without one says its kind.
func (t *Texts) why(r Reader, m Mail) (string, error) {
	if why := bare(m.Why, m.Game); why != "" {
		return why, nil
	}
	return t.render(r, nil, "subject "+m.Kind, "subject")
}

func subjectOf(game, why string, answers bool) string {
	subject := cut(oneLine(why), subjectLength)
	if answers {
		subject = "Re: " + subject
	}
	if game != "" {
		subject = "[" + game + "] " + subject
	}
	return subject
}

var answerMark = regexp.MustCompile(`(?i)^(re|aw|sv|отв|ответ|на)(\[\d+\])?\s*:\s*`)

// bare is a subject without the marks that answering puts before it: "Re:", and the game's tag.
func bare(subject, game string) string {
	s := oneLine(subject)
	tag := "[" + strings.ToLower(game) + "]"
	for {
		was := s
		s = strings.TrimSpace(answerMark.ReplaceAllString(s, ""))
		if game != "" && len(s) >= len(tag) && strings.ToLower(s[:len(tag)]) == tag {
			s = strings.TrimSpace(s[len(tag):])
		}
		if s == was {
			return s
		}
	}
}

// risky tells whether a line of ours reads like an order.
func (t *Texts) risky(line string) bool {
	return slices.ContainsFunc(t.grammars, func(g *orders.Grammar) bool { return !g.Parse(line, nil, false).Prose() })
}
