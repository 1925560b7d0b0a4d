package letter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"arroba/orders"
)

// FuzzRead holds what Read promises of any bytes: no panic, text in normal form, within the limits, and no line of a
// letter that is not a person's.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		plain("", "HELP\n> quoted\n-- \nIvan"), htmlLetter("<p>HELP<blockquote>x</blockquote><div hidden>y"),
		plain("Content-Type: multipart/mixed; boundary=x", "--x\nContent-Type: text/plain; charset=utf-7\n\n+BBI-\n--x\nContent-Type: message/delivery-status\n\nStatus: 5.1.1\n--x--"),
		plain("Content-Type: text/plain; format=flowed; charset=utf-16\nContent-Transfer-Encoding: base64", "SABFAEwAUAA="),
		daemon("failure notice", "", "Hi. This is the qmail-send program\n<a@b.example>:\n"), "From: =?utf-8?B?0JjQ?= =?utf-8?Q?=B2?= <a@b>, (c) \"d\r\n\r\n",
		plain("Authentication-Results: mx; dmarc=pass (a) header.from=\"b\"", "On Mon, Feb 2 2026 A <a@b> wrote:\n\nx"), "\xff\xfe\x00\r\n\n", "A\n B: c\r\r\n\r\nbegin 644 a\n",
	} {
		f.Add([]byte(seed))
	}
	files, err := filepath.Glob("testdata/*.eml")
	if err != nil || len(files) == 0 {
		f.Fatal("no letters in testdata: ", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		l := Read(raw, Options{AuthservID: "mx", Domain: "games.example", Own: Addresses("gm@games.example")})
		if l.Class != Orders && len(l.Lines) > 0 {
			t.Errorf("class %q has lines", l.Class)
		}
		if l.Class == Orders && l.From == "" {
			t.Error("orders of nobody")
		}
		if len(l.Lines) > DefaultMaxLines {
			t.Errorf("%d lines", len(l.Lines))
		}
		for _, line := range l.Lines {
			if line != orders.Clean(line) {
				t.Errorf("line %q is not in normal form", line)
			}
			if strings.ContainsAny(line, "\n\r\x00") {
				t.Errorf("line %q holds a line end", line)
			}
		}
		for _, s := range append(append([]string{l.From, l.FromName, l.MessageID, l.InReplyTo, l.Subject}, l.To...), l.Problems...) {
			if !utf8.ValidString(s) {
				t.Errorf("%q is not UTF-8", s)
			}
		}
		if b := l.Bounce; (b != nil) != (l.Class == Bounced) || b != nil && !utf8.ValidString(b.Recipient+b.Action+b.Status+b.Reason+b.MessageID) {
			t.Errorf("class %q with the bounce %+v", l.Class, b)
		}
		if l.Over != "" && l.Class == Orders {
			t.Errorf("orders over the limit of %s", l.Over)
		}
		if len(l.Fingerprint) != 64 {
			t.Errorf("fingerprint %q", l.Fingerprint)
		}
	})
}
