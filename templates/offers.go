package templates

import (
	"net/url"
	"strings"
)

// longestLink is how long a link may be for mail programs to open it whole, in bytes.
const longestLink = 1900

// OrderLink returns a link that opens a letter with one order, ready to be sent.
func (t *Texts) OrderLink(r Reader, game, to, line string) (string, error) {
	subject, err := t.render(r, nil, "subject orders")
	return mailto(to, subjectOf(game, subject, false), line), err
}

// orderForm returns a link that opens a letter with orders to choose from: one is ready to be sent; of several those
// count that the writer takes the mark off, so that a letter sent unread orders nothing. What would make the link too
// long is left out.
func (t *Texts) orderForm(r Reader, m Mail) (string, error) {
	if len(m.Offers) == 0 || m.OrdersTo == "" {
		return "", nil
	}
	if len(m.Offers) == 1 {
		return t.OrderLink(r, m.Game, m.OrdersTo, m.Offers[0])
	}
	subject, err := t.render(r, nil, "subject orders")
	if err != nil {
		return "", err
	}
	how, err := t.render(r, nil, "order form")
	link := mailto(m.OrdersTo, subjectOf(m.Game, subject, false), how+"\n")
	for _, line := range m.Offers {
		longer := link + hfvalue("\r\n> "+line)
		if len(longer) > longestLink {
			break
		}
		link = longer
	}
	return link, err
}

// mailto writes a link as RFC 6068 has it.
func mailto(to, subject, body string) string {
	return "mailto:" + addressMarks.Replace(url.PathEscape(to)) + "?subject=" + hfvalue(subject) +
		"&body=" + hfvalue(strings.ReplaceAll(body, "\n", "\r\n"))
}

// addressMarks are the marks of an address that PathEscape leaves and that mean something in a link.
var addressMarks = strings.NewReplacer("&", "%26", ";", "%3B", "=", "%3D")

func hfvalue(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
