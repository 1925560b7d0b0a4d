// Package outboxtest holds the promises that every sink of mail keeps. A sink's own test calls Run.
package outboxtest

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"arroba/outbox"
)

// Rig is a sink and the world behind it.
type Rig struct {
	Sink    outbox.Sink
	Arrived func() [][]byte      // the mails that came out at the other end, as they came
	Refuse  func(permanent bool) // makes the world refuse the next mail; nil where it cannot
}

// Mail returns an ordinary item.
func Mail() outbox.Item {
	return outbox.Item{
		ID: "0s3t27t25008sdtfb9qhdye59c", Game: "lands", Via: "mail", Kind: outbox.Receipt,
		To: "oleg@example.org", Subject: "Re: Challenge - Oleg", Text: "Your orders:\n\n  CHALLENGE Boris: accepted (HL-32)\n",
		Date: time.Date(2026, 1, 5, 10, 11, 12, 0, time.UTC), From: "magistrate@lands.example", FromName: "The Magistrate",
		MessageID: "0s3t27t25008sdtfb9qhdye59c@lands.example", InReplyTo: "letter-2@example.org",
		References: []string{"letter-1@example.org", "letter-2@example.org"}, Auto: "auto-replied",
	}
}

// Run checks a sink. Each part gets a rig of its own.
func Run(t *testing.T, start func(t *testing.T) Rig) {
	t.Run("an ordinary mail", func(t *testing.T) {
		rig, it := start(t), Mail()
		receipt, err := rig.Sink.Send(t.Context(), it)
		if err != nil || receipt == "" {
			t.Fatalf("receipt %q, %v", receipt, err)
		}
		got := only(t, rig)
		check(t, got, it)
		for name, want := range map[string]string{
			"Date":        "Mon, 05 Jan 2026 10:11:12 +0000",
			"From":        `"The Magistrate" <magistrate@lands.example>`,
			"To":          "<oleg@example.org>",
			"Message-Id":  "<" + it.MessageID + ">",
			"In-Reply-To": "<letter-2@example.org>", "References": "<letter-1@example.org> <letter-2@example.org>",
			"Auto-Submitted": "auto-replied", "X-Arroba-Loop": it.From, "X-Arroba-Game": "lands", "Mime-Version": "1.0",
			"X-Auto-Response-Suppress": "All", "Content-Type": "text/plain; charset=utf-8",
		} {
			if v := got.Header.Get(name); v != want {
				t.Errorf("%s: %s; want %s", name, v, want)
			}
		}
	})
	for _, c := range hostile() {
		t.Run(c.about, func(t *testing.T) {
			rig := start(t)
			if _, err := rig.Sink.Send(t.Context(), c.item); err != nil {
				t.Fatal(err)
			}
			check(t, only(t, rig), c.item)
		})
	}
	t.Run("equal bytes again", func(t *testing.T) {
		rig := start(t)
		for attempt, it := range []outbox.Item{Mail(), Mail(), Mail()} {
			it.Attempts = attempt
			if _, err := rig.Sink.Send(t.Context(), it); err != nil {
				t.Fatal(err)
			}
		}
		mails := rig.Arrived()
		for _, m := range mails[1:] {
			if !bytes.Equal(m, mails[0]) {
				t.Errorf("sent\n%s\nand again\n%s", mails[0], m)
			}
		}
	})
	t.Run("a long thread is trimmed", func(t *testing.T) {
		rig, it := start(t), Mail()
		it.References = nil
		for i := range 200 {
			it.References = append(it.References, fmt.Sprintf("letter-%d@example.org", i))
		}
		it.InReplyTo = it.References[199]
		if _, err := rig.Sink.Send(t.Context(), it); err != nil {
			t.Fatal(err)
		}
		refs := strings.Fields(only(t, rig).Header.Get("References"))
		if len(refs) != 11 || refs[0] != "<letter-0@example.org>" || refs[1] != "<letter-190@example.org>" || refs[10] != "<letter-199@example.org>" {
			t.Errorf("References: %v; want the first and the last ten", refs)
		}
	})
	t.Run("no such address can be", func(t *testing.T) {
		for _, to := range []string{"", "tavern", "a@b@c", "oleg@example.org\r\nBcc: all@example.org", "oleg@example.org>, <x@y", "a b@example.org"} {
			rig, it := start(t), Mail()
			it.To = to
			if _, err := rig.Sink.Send(t.Context(), it); !errors.Is(err, outbox.ErrPermanent) {
				t.Errorf("to %q: %v, want ErrPermanent", to, err)
			}
			if n := len(rig.Arrived()); n != 0 {
				t.Errorf("to %q: %d mails", to, n)
			}
		}
	})
	t.Run("stopped before it began", func(t *testing.T) {
		rig := start(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := rig.Sink.Send(ctx, Mail()); err == nil || errors.Is(err, outbox.ErrPermanent) || errors.Is(err, outbox.ErrUnsure) {
			t.Errorf("got %v, want an error that lets it be tried again", err)
		}
		if n := len(rig.Arrived()); n != 0 {
			t.Errorf("%d mails", n)
		}
	})
	t.Run("refused", func(t *testing.T) {
		for _, permanent := range []bool{true, false} {
			rig := start(t)
			if rig.Refuse == nil {
				t.Skip("nothing refuses here")
			}
			rig.Refuse(permanent)
			_, err := rig.Sink.Send(t.Context(), Mail())
			if err == nil || errors.Is(err, outbox.ErrPermanent) != permanent || errors.Is(err, outbox.ErrUnsure) || errors.Is(err, outbox.ErrDown) {
				t.Errorf("permanent %v: %v", permanent, err)
			}
			if _, err := rig.Sink.Send(t.Context(), Mail()); err != nil {
				t.Errorf("the mail after a refused one: %v", err)
			}
			only(t, rig)
		}
	})
}

type hostileCase struct {
	about string
	item  outbox.Item
}

// hostile are items made of what strangers may write.
func hostile() (cases []hostileCase) {
	add := func(about string, change func(*outbox.Item)) {
		it := Mail()
		change(&it)
		cases = append(cases, hostileCase{about, it})
	}
	add("Cyrillic", func(it *outbox.Item) {
		it.Subject = "Вызов на поединок: Олег против Бориса, владыки Северных Пределов и хранителя ключей"
		it.FromName, it.Text = "Судья", strings.Repeat("Борис вызван на поединок. Срок ответа: 12 января.\n", 40)
	})
	add("a subject that would begin a field", func(it *outbox.Item) { it.Subject = "x\r\nBcc: all@example.org\r\n\r\nbody" })
	add("a subject with NUL, tabs and bad UTF-8", func(it *outbox.Item) { it.Subject = "a\x00b\tc\xff d\u2028e" })
	add("a subject that looks encoded", func(it *outbox.Item) { it.Subject = "=?utf-8?b?0JTQsA==?= and =?x" })
	add("a subject of one long word", func(it *outbox.Item) { it.Subject = strings.Repeat("x", 3000) })
	add("a subject of emoji", func(it *outbox.Item) { it.Subject = strings.Repeat("🏰", 100) })
	add("no subject", func(it *outbox.Item) { it.Subject = "" })
	add("a name that would begin a field", func(it *outbox.Item) { it.FromName = "x\r\nBcc: all@example.org" })
	add("a name with quotes", func(it *outbox.Item) { it.FromName = `O"Neil \ <king@example.org>, (x) ` })
	add("a long name", func(it *outbox.Item) { it.FromName = strings.Repeat("Ъ", 600) })
	add("no name", func(it *outbox.Item) { it.FromName = "" })
	add("hostile threads", func(it *outbox.Item) {
		it.InReplyTo = strings.Repeat("m", 1100) + "@example.org"
		it.References = []string{"a b@example.org", "x>\r\nBcc: all@example.org", "", "<q@example.org>", "ключ@example.org", "n\x00@example.org", strings.Repeat("r", 800)}
	})
	add("no thread", func(it *outbox.Item) { it.InReplyTo, it.References = "", nil })
	add("a long line", func(it *outbox.Item) { it.Text = strings.Repeat("word ", 1000) + "\n" })
	add("lines that mean something to servers", func(it *outbox.Item) { it.Text = ".\n..\n.QUIT\nFrom me\n-- \n=41=\n\n \n\t\n" })
	add("bare CR and no end", func(it *outbox.Item) { it.Text = "a\rb\r\nc" })
	add("no text", func(it *outbox.Item) { it.Text = "" })
	add("a domain outside ASCII", func(it *outbox.Item) { it.To = "oleg@почта.рф" })
	return cases
}

// fields are those that a mail may have.
var fields = []string{"Date", "From", "To", "Subject", "Message-Id", "In-Reply-To", "References", "Auto-Submitted",
	"X-Auto-Response-Suppress", "X-Arroba-Loop", "X-Arroba-Game", "Mime-Version", "Content-Type", "Content-Transfer-Encoding"}

type arrived struct {
	*mail.Message
	raw []byte
}

// only returns the one mail that arrived.
func only(t *testing.T, rig Rig) arrived {
	t.Helper()
	mails := rig.Arrived()
	if len(mails) != 1 {
		t.Fatalf("%d mails arrived, want 1", len(mails))
	}
	m, err := mail.ReadMessage(bytes.NewReader(mails[0]))
	if err != nil {
		t.Fatalf("%v in\n%s", err, mails[0])
	}
	return arrived{m, mails[0]}
}

// check says whether a mail is a sound one and tells what its item says.
func check(t *testing.T, m arrived, it outbox.Item) {
	t.Helper()
	for line := range bytes.Lines(m.raw) {
		if !bytes.HasSuffix(line, []byte("\r\n")) || len(line) > 1000 {
			t.Errorf("a line of %d bytes, or not ended by CRLF: %q", len(line), line[:min(len(line), 100)])
		}
		if bytes.ContainsFunc(line, func(r rune) bool { return r > '~' || r < ' ' && !strings.ContainsRune("\r\n\t", r) }) {
			t.Errorf("not plain ASCII: %q", line)
		}
	}
	for name, values := range m.Header {
		if !slices.Contains(fields, name) || len(values) != 1 {
			t.Errorf("field %s: %q", name, values)
		}
	}
	decoder := new(mime.WordDecoder)
	if s, err := decoder.DecodeHeader(m.Header.Get("Subject")); err != nil || s != oneLine(it.Subject) {
		t.Errorf("subject %q, %v; want %q", s, err, oneLine(it.Subject))
	}
	if a, err := mail.ParseAddress(m.Header.Get("From")); err != nil || a.Address != it.From || a.Name != oneLine(it.FromName) {
		t.Errorf("from %v, %v; want %q <%s>", a, err, it.FromName, it.From)
	}
	if id := m.Header.Get("Message-ID"); id != "<"+it.MessageID+">" {
		t.Errorf("Message-ID %s", id)
	}
	for _, id := range strings.Fields(m.Header.Get("References") + " " + m.Header.Get("In-Reply-To")) {
		if !strings.HasPrefix(id, "<") || !strings.HasSuffix(id, ">") || strings.ContainsAny(id[1:len(id)-1], "<>") {
			t.Errorf("Message-ID %q in the thread", id)
		}
	}
	if got, want := text(t, m), lines(it.Text); got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}

// oneLine is what can be left of s in a field.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\u2028' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return strings.Join(strings.Fields(s), " ")
}

// lines is text as it arrives: lines ended by CRLF, the last one too.
func lines(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	return strings.ReplaceAll(strings.TrimSuffix(s, "\n")+"\n", "\n", "\r\n")
}

func text(t *testing.T, m arrived) string {
	t.Helper()
	var r io.Reader
	switch e := m.Header.Get("Content-Transfer-Encoding"); e {
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, m.Body)
	case "quoted-printable":
		r = quotedprintable.NewReader(m.Body)
	default:
		t.Fatalf("Content-Transfer-Encoding %q", e)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Errorf("decode the text: %v", err)
	}
	return string(b)
}
