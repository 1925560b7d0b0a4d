package letter

import (
	"bytes"
	"fmt"
	"io"
	"net/mail"
	"strings"
	"testing"
	"time"
)

// ordinary is a letter as most are: plain text of 2.3 KB without quotes.
func ordinary() []byte {
	var b strings.Builder
	for i := range 24 {
		fmt.Fprintf(&b, "MOVE army%02d FROM york TO lancaster\n", i)
	}
	b.WriteString("\nDear master, these are my orders for this turn. I hope that they arrive in time, for the roads are bad.\n")
	fields := "Received: from mail.players.example (mail.players.example [192.0.2.1]) by mx.games.example with ESMTPS id 4X; Mon, 2 Feb 2026 08:00:01 +0000\n" +
		"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=players.example; s=s1;\n h=from:to:subject:date:message-id; bh=" + strings.Repeat("A", 43) + "=;\n b=" + strings.Repeat("B", 340) + "=\n" +
		"User-Agent: Mozilla Thunderbird\nContent-Language: en-US\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 7bit\n"
	return []byte(plain(fields, b.String()))
}

// BenchmarkRead reads an ordinary letter, and in the same run lets net/mail read its header and body; the ratio is how
// many letters this package reads in the time in which net/mail reads one.
func BenchmarkRead(b *testing.B) {
	raw := ordinary()
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	var ours, theirs time.Duration
	for b.Loop() {
		start := time.Now()
		l := Read(raw, Options{})
		mid := time.Now()
		m, err := mail.ReadMessage(bytes.NewReader(raw))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadAll(m.Body); err != nil {
			b.Fatal(err)
		}
		theirs += time.Since(mid)
		ours += mid.Sub(start)
		if len(l.Lines) != 26 {
			b.Fatalf("%d lines", len(l.Lines))
		}
	}
	b.ReportMetric(float64(theirs)/float64(ours), "x-net/mail")
	b.ReportMetric(float64(b.N)/ours.Seconds(), "letters/s")
}

// BenchmarkReadNested reads what costs other readers seconds: many parts or elements within each other.
func BenchmarkReadNested(b *testing.B) {
	var parts strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&parts, "--d%d\r\nContent-Type: multipart/mixed; boundary=d%d\r\n\r\n", i, i+1)
	}
	for name, raw := range map[string]string{
		"10000 parts": plain("Content-Type: multipart/mixed; boundary=d0", parts.String()),
		"20000 divs":  htmlLetter(strings.Repeat("<div>", 20000) + "HELP"),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				Read([]byte(raw), Options{})
			}
		})
	}
}

// BenchmarkReadHTML reads a reply in HTML with a quote below.
func BenchmarkReadHTML(b *testing.B) {
	raw := []byte(htmlLetter(strings.Repeat("<div>MOVE percy TO york</div>", 30) + `<div class="gmail_quote"><blockquote>` + strings.Repeat("<p>old text</p>", 50) + "</blockquote></div>"))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		Read(raw, Options{})
	}
}
