package letter

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// mixed makes a multipart of parts, each with its own header.
func mixed(kind string, parts ...string) string {
	return plain("Content-Type: multipart/"+kind+"; boundary=\"=_b\"", "This is a mail of several parts.\n--=_b\n"+strings.Join(parts, "\n--=_b\n")+"\n--=_b--\nepilogue\n")
}

func TestShapes(t *testing.T) {
	text := func(s string) string { return "Content-Type: text/plain; charset=utf-8\n\n" + s }
	page := func(s string) string { return "Content-Type: text/html; charset=utf-8\n\n" + s }
	file := func(ct, name, s string) string {
		return "Content-Type: " + ct + "\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=\"" + name + "\"\n\n" + base64.StdEncoding.EncodeToString([]byte(s))
	}
	const picture = "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw=="
	for _, tc := range []struct{ name, raw, want string }{
		{"alternative", mixed("alternative", text("HELP"), page("<p>SURRENDER</p>")), "HELP"},
		{"alternative with blank text", mixed("alternative", text(" \n\u00a0\n"), page("<p>HELP</p>")), "HELP"},
		{"HTML only", mixed("related", page("<p>HELP</p>"), picture), "HELP"},
		{"alternative in mixed", mixed("mixed", "Content-Type: multipart/alternative; boundary=in\n\n--in\n"+text("HELP")+"\n--in\n"+page("<p>NO</p>")+"\n--in--", picture), "HELP"},
		{"text, picture, text", mixed("mixed", text("HELP"), picture, text("WHO")), "HELP\nWHO"},
		{"signature in the first part", mixed("mixed", text("HELP\n-- \nIvan"), picture, text("WHO")), "HELP\nWHO"},
		{"forwarded in the first part", mixed("mixed", text("HELP\n\nBegin forwarded message:\n\nFrom: a@b.example\nSubject: x\n\n"+trap), picture, text(trap)), "HELP"},
		{"order file", mixed("mixed", text("see file"), file("application/octet-stream", "orders.txt", "\ufeffHELP\r\nWHO\r\n")), "see file\nHELP\nWHO"},
		{"order file .ORD", mixed("mixed", file("application/x-whatever", "turn 6.ORD", "HELP")), "HELP"},
		{"order file, text inline by name", mixed("mixed", text("a"), "Content-Type: text/plain; name=o.txt\nContent-Disposition: inline; filename=o.txt\n\nHELP"), "a\nHELP"},
		{"order file in windows-1251", mixed("mixed", file("text/plain", "ход.txt", encode(t, charmap.Windows1251, "ВЫЗОВ Борис\r\n"))), "ВЫЗОВ Борис"},
		{"file of another kind", mixed("mixed", text("HELP"), file("application/pdf", "a.pdf", trap), file("text/csv", "a.csv", trap)), "HELP"},
		{"binary under .txt", mixed("mixed", text("HELP"), file("application/octet-stream", "a.txt", "\x01\x02"+trap+"\x03")), "HELP"},
		{"mail within", mixed("mixed", text("HELP"), "Content-Type: message/rfc822\n\nFrom: a@b.example\nContent-Type: text/plain\n\n"+trap), "HELP"},
		{"digest", mixed("digest", "\nFrom: a@b.example\n\n"+trap, text("HELP")), "HELP"},
		{"signed", mixed("signed; micalg=pgp-sha256", text("HELP"), "Content-Type: application/pgp-signature; name=s.asc\n\n-----BEGIN PGP SIGNATURE-----\n"), "HELP"},
		{"part without header", mixed("mixed", "\nHELP"), "HELP"},
		{"part without blank line", mixed("mixed", "HELP\nWHO"), "HELP\nWHO"},
		{"empty parts", mixed("mixed", "", "", text("HELP"), ""), "HELP"},
		{"no closing delimiter", strings.Replace(mixed("mixed", text("HELP")), "--=_b--\r\nepilogue\r\n", "", 1), "HELP"},
		{"blanks after the delimiter", strings.ReplaceAll(mixed("mixed", text("HELP")), "--=_b\r\n", "--=_b \t\r\n"), "HELP"},
		{"boundary not declared", strings.Replace(mixed("mixed", text("HELP")), "; boundary=\"=_b\"", "", 1), "HELP"},
		{"boundary in pieces", strings.Replace(mixed("mixed", text("HELP")), "boundary=\"=_b\"", "boundary*0=\"=\"; boundary*1=_b", 1), "HELP"},
		{"boundary unquoted", strings.Replace(mixed("mixed", text("HELP")), "\"=_b\"", "=_b", 1), "HELP"},
		{"boundary that begins like another", plain("Content-Type: multipart/mixed; boundary=x", "--x\nContent-Type: multipart/alternative; boundary=x1\n\n--x1\n\nHELP\n--x1--\n--x\n\nWHO\n--x--"), "HELP\nWHO"},
		{"encoded multipart", strings.Replace(mixed("mixed", text("HELP")), "MIME-Version", "Content-Transfer-Encoding: base64\r\nMIME-Version", 1), "HELP"},
		{"multipart that is none", plain("Content-Type: multipart/mixed; boundary=zz", "HELP"), "HELP"},
		{"uuencoded file in the text", plain("", "see file\n\nbegin 644 orders.txt\n$2$5,4```\n`\nend\nWHO"), "see file\nWHO\nHELP"},
		{"begin in a sentence", plain("", "begin 100 years of peace\nHELP"), "begin 100 years of peace\nHELP"},
		{"calendar file", mixed("mixed", text("HELP"), "Content-Type: text/calendar\nContent-Disposition: attachment; filename=a.ics\n\nSUMMARY:x"), "HELP"},
		{"attachments only", mixed("mixed", file("application/octet-stream", "save1.gm1", "x")), ""},
		{"nothing at all", plain("", ""), ""},
		{"only quoted", plain("", "> HELP"), ""},
	} {
		t.Run(tc.name, func(t *testing.T) { checkOwn(t, tc.raw, tc.want) })
	}
}

func TestUnreadable(t *testing.T) {
	for _, tc := range []struct {
		name, raw string
		class     Class
	}{
		{"invitation", mixed("alternative", "\nIvan invites you.", "Content-Type: text/calendar; method=REQUEST\n\nSUMMARY:HELP"), Spam},
		{"invitation alone", plain("Content-Type: text/calendar; method=REPLY", "SUMMARY:HELP"), Spam},
		{"winmail.dat", mixed("mixed", "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\neJ8+"), Malformed},
		{"encrypted", mixed("encrypted", "Content-Type: application/pgp-encrypted\n\nVersion: 1", "Content-Type: application/octet-stream\n\n-----BEGIN PGP MESSAGE-----"), Malformed},
		{"S/MIME", plain("Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", "MIAG"), Malformed},
		{"nothing", "", Malformed},
		{"noise", "\x00\x01\x02\xff\xfe", Malformed},
		{"text", "HELP\r\n", Malformed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := Read([]byte(tc.raw), Options{})
			if l.Class != tc.class || len(l.Lines) > 0 || len(l.Problems) == 0 {
				t.Errorf("class %q, lines %q, problems %q", l.Class, l.Lines, l.Problems)
			}
		})
	}
}

func TestAttachments(t *testing.T) {
	for _, tc := range []struct{ disposition, want string }{
		{`filename="save 1.gm1"`, "save 1.gm1"},
		{`filename=save 1.gm1`, "save 1.gm1"},
		{`filename="=?koi8-r?B?yM/ELmdtMQ==?="`, "ход.gm1"},
		{`filename*=koi8-r''%C8%CF%C4.gm1`, "ход.gm1"},
		{`filename*0*=utf-8''%D1%85%D0%BE; filename*1=д.gm1`, "ход.gm1"},
		{`filename="ход.gm1"`, "ход.gm1"},
		{`filename="..\..\etc/save1.gm1"`, "save1.gm1"},
		{`filename="a\"b.gm1"`, `a"b.gm1`},
		{`filename="open.gm1`, "open.gm1"},
	} {
		l := Read([]byte(mixed("mixed", "\nHELP", "Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; "+tc.disposition+"\n\nAAECAw==")), Options{})
		if len(l.Attachments) != 1 || l.Attachments[0].Name != tc.want || string(l.Attachments[0].Data) != "\x00\x01\x02\x03" {
			t.Errorf("%s: got %+v", tc.disposition, l.Attachments)
		}
	}
}

// TestLimits holds that a letter over the limits gives no orders, and that the work stays within bounds: the number of
// parts read is counted, not the time.
func TestLimits(t *testing.T) {
	nested := func(n int) string {
		var b strings.Builder
		b.WriteString(plain("Content-Type: multipart/mixed; boundary=d0", ""))
		for i := range n {
			fmt.Fprintf(&b, "--d%d\r\nContent-Type: multipart/mixed; boundary=d%d\r\n\r\n", i, i+1)
		}
		fmt.Fprintf(&b, "--d%d\r\n\r\nHELP\r\n", n)
		return b.String()
	}
	checkOwn(t, nested(maxDepth-1), "HELP")
	for name, raw := range map[string]string{
		"nested":       nested(maxDepth),
		"nested 10000": nested(10000),
		"many parts":   mixed("mixed", strings.Repeat("\nHELP\n--=_b\n", 5000)),
		"big header":   strings.Repeat("X-Long: abc\r\n", 100000) + plain("", "HELP"),
		"many fields":  strings.Repeat("X: a\r\n", maxFields+10) + plain("", "HELP"),
		"many lines":   plain("", strings.Repeat("HELP\n", DefaultMaxLines+1)),
	} {
		t.Run(name, func(t *testing.T) {
			l := Read([]byte(raw), Options{})
			if l.Class != Malformed || len(l.Lines) > 0 || len(l.Problems) == 0 {
				t.Errorf("class %q, %d lines, problems %q", l.Class, len(l.Lines), l.Problems)
			}
		})
	}
	t.Run("parts read", func(t *testing.T) {
		h, body, _ := readHeader(nested(10000))
		w := walk{maxParts: DefaultMaxParts}
		w.part(h, body, 0, "")
		if w.parts > maxDepth+1 {
			t.Errorf("%d parts were read", w.parts)
		}
	})
	t.Run("too big", func(t *testing.T) {
		l := Read([]byte(plain("", strings.Repeat("HELP\n", 1000))), Options{MaxSize: 1000})
		if l.Class != Malformed || l.From != "ivan@players.example" || len(l.Lines) > 0 {
			t.Errorf("class %q from %q", l.Class, l.From)
		}
	})
	for name, tt := range map[string]struct {
		raw string
		o   Options
	}{
		"size":  {plain("", strings.Repeat("HELP\n", 1000)), Options{MaxSize: 1000}},
		"parts": {mixed("mixed", strings.Repeat("\nHELP\n--=_b\n", 9)), Options{MaxParts: 8}},
		"lines": {plain("", "HELP\nHELP\nHELP"), Options{MaxLines: 2}},
		"":      {plain("", "HELP\nHELP"), Options{MaxLines: 2}},
	} {
		if l := Read([]byte(tt.raw), tt.o); string(l.Over) != name || (l.Class == Malformed) != (name != "") {
			t.Errorf("class %q, over %q, want %q", l.Class, l.Over, name)
		}
	}
	t.Run("long line", func(t *testing.T) {
		for _, line := range Read([]byte(plain("", strings.Repeat("я", maxLine))), Options{}).Lines {
			if len(line) > maxLine {
				t.Errorf("a line of %d bytes", len(line))
			}
		}
	})
}

func TestFingerprint(t *testing.T) {
	fp := func(raw string) string { return Read([]byte(raw), Options{}).Fingerprint }
	a := plain("", "HELP\nWHO")
	for name, raw := range map[string]string{
		"other way":      "Received: from c by d; Mon, 2 Feb 2026 09:00:00 +0000\r\nDelivered-To: x@y.example\r\n" + a,
		"line ends":      strings.ReplaceAll(a, "\r\n", "\n"),
		"other encoding": plain("Content-Transfer-Encoding: quoted-printable", "H=45LP  \n\nWHO"),
	} {
		if fp(raw) != fp(a) {
			t.Errorf("%s: another fingerprint", name)
		}
	}
	for name, raw := range map[string]string{
		"other text":   plain("", "HELP\nSTATUS"),
		"other writer": strings.Replace(a, "ivan@players.example>\r\nTo", "anna@players.example>\r\nTo", 1),
		"other id":     strings.Replace(a, "<1@", "<2@", 1),
	} {
		if fp(raw) == fp(a) {
			t.Errorf("%s: the same fingerprint", name)
		}
	}
	without := strings.Replace(a, "Message-ID: <1@players.example>\r\n", "", 1)
	if copied := strings.Clone(without); fp(without) != fp(copied) || fp(without) == fp(without+"\r\n") {
		t.Error("a letter without Message-ID is not known by its bytes")
	}
	empty := plain("", "")
	if fp(empty) == fp(strings.Replace(empty, "my move", "your move", 1)) {
		t.Error("letters without text are not told apart by their subjects")
	}
}

func TestOddMessageIDs(t *testing.T) {
	for _, id := range []string{"<ivan laptop 5/1 @ home>", "abc", "<a@b> (comment)", "<>"} {
		l := Read([]byte(strings.Replace(plain("", "HELP"), "<1@players.example>", id, 1)), Options{})
		if l.MessageID != id || l.Class != Orders {
			t.Errorf("%q: got %q, class %q", id, l.MessageID, l.Class)
		}
	}
}

func TestThreads(t *testing.T) {
	l := Read([]byte(plain("In-Reply-To: Your message <b@x.example>\nReferences: <a@x.example>\n <b@x.example>", "HELP")), Options{})
	if l.InReplyTo != "<b@x.example>" || fmt.Sprint(l.References) != "[<a@x.example> <b@x.example>]" {
		t.Errorf("in reply to %q, references %q", l.InReplyTo, l.References)
	}
}

func TestDates(t *testing.T) {
	for v, zero := range map[string]bool{"Mon, 2 Feb 2026 10:00:00 +0200": false, "2 Feb 2026 10:00 GMT": false, "Fri, 31 Dec 2999 23:59:59 +0000": false, "yesterday": true, "": true} {
		l := Read([]byte(strings.Replace(plain("", "HELP"), "Mon, 2 Feb 2026 10:00:00 +0200", v, 1)), Options{})
		if l.Date.IsZero() != zero || l.Class != Orders {
			t.Errorf("%q: date %v, class %q", v, l.Date, l.Class)
		}
	}
}
