package templates

import (
	"net/url"
	"strings"
	"testing"
)

// opened is what a link opens.
func opened(t *testing.T, link string) (to, subject, body string) {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "mailto" {
		t.Fatalf("%q: %v", link, err)
	}
	if to, err = url.PathUnescape(u.Opaque); err != nil {
		t.Fatal(err)
	}
	return to, u.Query().Get("subject"), u.Query().Get("body")
}

func TestOrderLink(t *testing.T) {
	link, err := gameTexts(t).OrderLink(readers[1], "march", "a&b+token=1@play.example", "ПОХОД НА Кент & 100% + <слово>?")
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(link, " <>\"+") && !strings.Contains(link, "+token") || strings.Count(link, "&") != 1 || strings.Count(link, "?") != 1 {
		t.Errorf("not encoded: %s", link)
	}
	to, subject, body := opened(t, link)
	if to != "a&b+token=1@play.example" || subject != "[march] приказы" || body != "ПОХОД НА Кент & 100% + <слово>?" {
		t.Errorf("it opens a letter to %q, subject %q:\n%s", to, subject, body)
	}
}

// TestOrderForm: a letter with one order is ready to be sent; of several those count that the mark is taken off, so that
// sent as it is it orders nothing.
func TestOrderForm(t *testing.T) {
	x := gameTexts(t)
	form := func(offers ...string) string {
		t.Helper()
		link, err := x.orderForm(readers[0], Mail{Game: "march", OrdersTo: "march@play.example", Offers: offers})
		if err != nil {
			t.Fatal(err)
		}
		return link
	}
	if got := form(); got != "" {
		t.Errorf("of nothing: %q", got)
	}
	if _, _, body := opened(t, form("HALT")); body != "HALT" {
		t.Errorf("of one: %q", body)
	}
	_, _, body := opened(t, form("HALT", "MARCH TO <word>"))
	if want := "Only lines without > count.\r\n\r\n> HALT\r\n> MARCH TO <word>"; body != want {
		t.Errorf("of two: %q", body)
	}
	noOrders(t, "order form", body)
	link := form(strings.Split(strings.Repeat("ПОХОД НА Переславль-Залесский,", 40), ",")...)
	if _, _, body = opened(t, link); len(link) > longestLink || strings.Count(body, "\n> ") < 5 {
		t.Errorf("a link of %d bytes with %q", len(link), body)
	}
}
