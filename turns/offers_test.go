package turns

import (
	"net/url"
	"strings"
	"testing"

	"arroba/outbox"
	"arroba/rules"
)

// link returns the link in a mail that opens a letter with orders: whom the letter is to, and what it says.
func link(t *testing.T, it outbox.Item) (to, body string) {
	t.Helper()
	for line := range strings.Lines(it.Text) {
		if u, err := url.Parse(strings.TrimSpace(line)); err == nil && u.Scheme == "mailto" {
			return u.Opaque, u.Query().Get("body")
		}
	}
	t.Fatalf("no link in\n%s", it.Text)
	return "", ""
}

func TestMailsEndWithWhatOneCanDo(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("anna@x.example", "lands@play.example", "ADD 1")
	for _, it := range r.sent() {
		if strings.Contains(it.Text, "mailto:") || strings.Contains(it.Text, "can do now") {
			t.Errorf("to %s, who can do nothing:\n%s", it.To, it.Text)
		}
	}
	r.say("boris@x.example", "lands@play.example", "NAME ladder\nTELL Anna\nNOTE IT\nADD 2")
	for _, it := range r.sent() {
		switch want := "What you can do now:\n\n> USE ladder\n> ADD <n>\n"; {
		case it.Kind == outbox.Copy && it.To != "gm@lands.example", it.Via == viaPost:
			if strings.Contains(it.Text, "> USE") {
				t.Errorf("to %s, who gives no orders:\n%s", it.To, it.Text)
			}
			continue
		case it.Kind == outbox.Receipt:
			want = "Что вы можете сделать сейчас:\n\n> USE ladder\n> ADD <число>\n"
			fallthrough
		default:
			if !strings.Contains(it.Text, want) {
				t.Errorf("to %s:\n%s", it.To, it.Text)
			}
		}
		to, body := link(t, it)
		if to != "lands@play.example" {
			t.Errorf("orders go to %q", to)
		}
		// sent as it is it orders nothing, with a mark taken off it does
		from := it.To
		r.say(from, to, body)
		if it.Kind == outbox.Results {
			was := r.sum("lands")
			r.say(from, to, strings.Replace(body, "> ADD <n>", "ADD 5", 1))
			if got := r.sum("lands"); got != was+5 {
				t.Errorf("the sum went from %d to %d", was, got)
			}
		}
	}
	if n := r.count(`SELECT COUNT(*) FROM input WHERE kind = 'letter'`); n != 3 {
		t.Errorf("%d letters ordered something", n)
	}
}

func TestWhoLeavesIsOfferedNothing(t *testing.T) {
	r := newRig(t)
	r.game("lands")
	r.say("boris@x.example", "lands@play.example", "NAME ladder")
	r.sent()
	r.say("anna@x.example", "lands@play.example", "LEAVE GAME")
	for _, it := range r.sent() {
		if it.Kind == outbox.Receipt && strings.Contains(it.Text, "> USE") {
			t.Errorf("to %s, who has left:\n%s", it.To, it.Text)
		}
	}
}

// TestNoLinkShowsAToken: what a member passes on to others, text and page, gives nobody his seat; he answers the mail.
func TestNoLinkShowsAToken(t *testing.T) {
	for seat, answer := range map[rules.Seat]string{"Anna": "answer this mail with its line", "Boris": "ответьте на это письмо его строкой"} {
		r := newRig(t)
		r.game("lands", `authentication = "token"`)
		m := r.load("lands").seat(seat)
		token := m.token
		r.say(m.mail(), "lands+"+token+"@play.example", "NAME ladder")
		it := r.sent()[0]
		if strings.Contains(it.Text, token) || strings.Contains(it.Text, "mailto:") || !strings.Contains(it.Text, answer) || !strings.Contains(it.Text, "> USE ladder") {
			t.Errorf("%s", it.Text)
		}
		page, err := r.Outlook(t.Context(), "lands", seat)
		if err != nil || len(page.Offers) != 2 || page.Offers[0].Link != "" {
			t.Errorf("%+v, %v", page, err)
		}
		r.say("elsewhere@x.example", it.ReplyTo, "ADD 5")
		if got := r.sum("lands"); got != 5 {
			t.Errorf("sum %d", got)
		}
	}
}
