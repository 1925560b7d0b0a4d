package letter

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

const top = "Return-Path: <ivan@players.example>\r\nReceived: from a by b; Mon, 2 Feb 2026 08:00:00 +0000\r\n" +
	"From: Ivan <ivan@players.example>\r\nTo: gm@games.example\r\nSubject: my move\r\n" +
	"Date: Mon, 2 Feb 2026 10:00:00 +0200\r\nMessage-ID: <1@players.example>\r\nMIME-Version: 1.0\r\n"

// plain makes a letter of further header fields and a body.
func plain(fields, body string) string {
	return top + crlf(fields) + "\r\n" + crlf(body)
}

func crlf(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
	if s != "" && !strings.HasSuffix(s, "\r\n") {
		s += "\r\n"
	}
	return s
}

func htmlLetter(body string) string {
	return plain("Content-Type: text/html; charset=utf-8", body)
}

func encode(t testing.TB, enc encoding.Encoding, s string) string {
	t.Helper()
	out, err := enc.NewEncoder().String(s)
	if err != nil {
		t.Fatalf("encoding %q: %v", s, err)
	}
	return out
}

// own returns the lines without those that part paragraphs.
func own(l Letter) string {
	var lines []string
	for _, line := range l.Lines {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func checkOwn(t *testing.T, raw, want string) {
	t.Helper()
	l := Read([]byte(raw), Options{})
	if l.Class != Orders {
		t.Errorf("class %q, problems %q", l.Class, l.Problems)
	}
	if got := own(l); got != want {
		t.Errorf("own lines:\n%s\nwanted:\n%s", got, want)
	}
}

const russian = "Добрый день, посылаю ход.\nВЫЗОВ Борис\nПЛАТИТЬ 30 Анне"

func TestCharsets(t *testing.T) {
	utf16le := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	utf16be := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	utf16bom := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	for _, tc := range []struct {
		name, label string
		enc         encoding.Encoding
		text        string
	}{
		{"koi8-r", "koi8-r", charmap.KOI8R, russian},
		{"koi8-r in capitals and underscores", "KOI8_R", charmap.KOI8R, russian},
		{"koi-8-r", "koi-8-r", charmap.KOI8R, russian},
		{"koi8-u", "koi8-u", charmap.KOI8U, "Добрий день, їду в ґарний край\nВИКЛИК Борис"},
		{"cp-1251", "cp-1251", charmap.Windows1251, russian},
		{"x-cp1251", "x-cp1251", charmap.Windows1251, russian},
		{"ansi-1251", "ansi-1251", charmap.Windows1251, russian},
		{"cp866", "cp866", charmap.CodePage866, russian},
		{"iso-8859-5", "ISO_8859-5", charmap.ISO8859_5, russian},
		{"mac-cyrillic", "mac-cyrillic", charmap.MacintoshCyrillic, russian},
		{"x-mac-cyrillic", "x-mac-cyrillic", charmap.MacintoshCyrillic, russian},
		{"iso-8859-2", "iso-8859-2", charmap.ISO8859_2, "Zażółć gęślą jaźń\nPAY 3 TO Łukasz"},
		{"windows-1250", "windows-1250", charmap.Windows1250, "Zażółć gęślą jaźń"},
		{"latin 1", "iso-8859-1", charmap.ISO8859_1, "Grüße aus Köln\nCHALLENGE Jürgen"},
		{"latin 1 without a label", "", charmap.ISO8859_1, "Grüße aus Köln\nCHALLENGE Jürgen"},
		{"windows-1252", "windows-1252", charmap.Windows1252, "Où est René?"},
		{"iso-2022-jp", "iso-2022-jp", japanese.ISO2022JP, "お願いします"},
		{"iso-2022-jp-1", "iso-2022-jp-1", japanese.ISO2022JP, "お願いします"},
		{"cp932", "cp932", japanese.ShiftJIS, "お願いします"},
		{"utf-16 little endian without mark", "utf-16", utf16le, "CHALLENGE Boris\nPAY 30 TO Anna"},
		{"utf-16 big endian without mark", "utf-16", utf16be, "CHALLENGE Boris\nPAY 30 TO Anna"},
		{"utf-16 with mark", "utf-16", utf16bom, russian},
		{"utf-16 Cyrillic without mark", "utf-16le", utf16le, russian},
		{"utf-16 labelled utf-8", "utf-8", utf16bom, russian},
		{"utf-16 labelled nothing", "", utf16le, "CHALLENGE Boris\nPAY 30 TO Anna"},
		{"utf-16be", "utf-16be", utf16be, russian},
		{"utf-32", "utf-32", utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), russian},
		{"utf-32be", "utf-32be", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), russian},
		{"unlabelled koi8-r", "", charmap.KOI8R, russian},
		{"unlabelled windows-1251", "", charmap.Windows1251, russian},
		{"unlabelled cp866", "", charmap.CodePage866, russian},
		{"unlabelled iso-8859-5", "", charmap.ISO8859_5, russian},
		{"unlabelled mac-cyrillic", "", charmap.MacintoshCyrillic, russian},
		{"windows-1251 under utf-8", "utf-8", charmap.Windows1251, russian},
		{"koi8-r under us-ascii", "us-ascii", charmap.KOI8R, russian},
		{"windows-1251 under iso-8859-1", "iso-8859-1", charmap.Windows1251, russian},
		{"koi8-r under windows-1252", "windows-1252", charmap.KOI8R, russian},
		{"koi8-r under unknown-8bit", "unknown-8bit", charmap.KOI8R, russian},
		{"windows-1251 under x-unknown", "x-unknown", charmap.Windows1251, russian},
		{"windows-1251 under default", "default", charmap.Windows1251, russian},
		{"cp866 under nonsense", "foo-bar-9", charmap.CodePage866, russian},
		{"utf-8 under koi8-r", "koi8-r", encoding.Nop, russian},
		{"utf-8 under windows-1251", "windows-1251", encoding.Nop, russian},
		{"utf-8 under iso-8859-1", "iso-8859-1", encoding.Nop, russian},
		{"utf-8 under unicode", "unicode", encoding.Nop, russian},
		{"ascii under utf-16", "utf-16", encoding.Nop, "CHALLENGE Boris"},
		{"windows-1251 under koi8-r", "koi8-r", charmap.Windows1251, russian},
		{"koi8-r under windows-1251", "windows-1251", charmap.KOI8R, russian},
		{"cp866 under windows-1251", "windows-1251", charmap.CodePage866, russian},
		{"capitals in koi8-r", "koi8-r", charmap.KOI8R, "ВЫЗОВ БОРИС\nПЛАТИТЬ 30 АННЕ\nХОД КОРОЛЬ Ж7"},
		{"capitals in windows-1251", "windows-1251", charmap.Windows1251, "ВЫЗОВ БОРИС\nПЛАТИТЬ 30 АННЕ\nХОД КОРОЛЬ Ж7"},
		{"odd words in windows-1251", "windows-1251", charmap.Windows1251, "эЭэ Щъёж Фыфущ Юхюхю\nЦЦЦ Жжж Чщшъ"},
		{"UTF_8", "UTF_8", encoding.Nop, russian},
		{"utf8", "utf8", encoding.Nop, russian},
		{"utf-8 under nothing", "", encoding.Nop, russian},
		{"utf-8 with mark", "utf-8", unicode.UTF8BOM, russian},
		{"short unlabelled windows-1251", "", charmap.Windows1251, "ВЫЗОВ Борис"},
		{"short unlabelled koi8-r", "", charmap.KOI8R, "ВЫЗОВ Борис"},
		{"short unlabelled cp866", "", charmap.CodePage866, "ВЫЗОВ Борис"},
		{"short capitals in koi8-r", "", charmap.KOI8R, "СТАТУС\nПОМОЩЬ"},
		{"short capitals in windows-1251", "", charmap.Windows1251, "СТАТУС\nПОМОЩЬ"},
		{"small letters in koi8-r", "", charmap.KOI8R, "вызов борис\nплатить 30 анне"},
		{"small letters in windows-1251", "", charmap.Windows1251, "вызов борис\nплатить 30 анне"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bytes := encode(t, tc.enc, tc.text)
			ct := "Content-Type: text/plain"
			if tc.label != "" {
				ct += "; charset=\"" + tc.label + "\""
			}
			checkOwn(t, plain(ct+"\nContent-Transfer-Encoding: base64", base64.StdEncoding.EncodeToString([]byte(bytes))), tc.text)
		})
	}
	t.Run("damaged utf-8", func(t *testing.T) {
		checkOwn(t, plain("Content-Type: text/plain; charset=utf-8", "ВЫЗОВ Борис\nПЛАТИТЬ 30 \xd0Анне\nСТАТУС"), "ВЫЗОВ Борис\nПЛАТИТЬ 30 \ufffdАнне\nСТАТУС")
	})
	t.Run("a stray byte of windows-1252", func(t *testing.T) {
		checkOwn(t, plain("Content-Type: text/plain; charset=utf-8", "PRESS let\x92s go"), "PRESS let's go")
	})
	t.Run("utf-7", func(t *testing.T) {
		checkOwn(t, plain("Content-Type: text/plain; charset=utf-7", "+BBIEFgQaBB4EEg- +BBEEPgRABDgEQQ-\n1 +- 1"), "ВЖКОВ Борис\n1 + 1")
	})
}

func TestTransferEncodings(t *testing.T) {
	b64 := base64.StdEncoding.EncodeToString
	for _, tc := range []struct{ name, cte, body, want string }{
		{"footer below base64", "base64", b64([]byte("PAY 30 TO Anna\r\n")) + "\r\n\r\n-- \r\nThis mail was checked by Scanner 3.\r\n", "PAY 30 TO Anna"},
		{"missing padding", "base64", strings.TrimRight(b64([]byte("PAY 30 TO Boris")), "="), "PAY 30 TO Boris"},
		{"chunks padded one by one", "base64", b64([]byte("PAY 30 ")) + b64([]byte("TO Anna\n")) + "\n" + b64([]byte("HELP")), "PAY 30 TO Anna\nHELP"},
		{"plain text under base64", "base64", "PAY 30 TO Anna, please!\nIt is due.\n", "PAY 30 TO Anna, please!\nIt is due."},
		{"a damaged byte", "base64", "UEFZIDMw!IFRPIEFubmEgZm9yIHRoZSBob3JzZSBhbmQgdGhlIGNhcnQ=", "PAY 30 TO Anna for the horse and the cart"},
		{"comment after the label", "base64 (really)", b64([]byte("HELP")), "HELP"},
		{"label in capitals", "BASE64", b64([]byte("HELP")), "HELP"},
		{"soft break with blanks", "quoted-printable", "PAY 30 =  \nTO Anna", "PAY 30 TO Anna"},
		{"small hex digits", "Quoted-Printable;", "PAY=2030 TO =c3=89mile", "PAY 30 TO Émile"},
		{"control bytes", "quoted-printable", "PAY\x01 30\x0c\nTO=20Anna=\x02", "PAY 30\nTO Anna="},
		{"bad escapes", "quoted-printable", "a = b =XY =\nc", "a = b =XY c"},
		{"8-bit", "8-bit", "HELP", "HELP"},
		{"charset in the wrong field", "utf-8", "HELP", "HELP"},
		{"uuencode", "x-uuencode", "begin 644 a.txt\n,2$5,4\"!#2$%,3$4`\n`\nend\n", "HELP CHALLE"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkOwn(t, plain("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: "+tc.cte, tc.body), tc.want)
		})
	}
}

func TestHeaders(t *testing.T) {
	for _, tc := range []struct{ name, raw string }{
		{"mbox line first", "From ivan@players.example Mon Feb  2 10:00:00 2026\r\n" + plain("", "HELP")},
		{"quoted mbox line first", ">From ivan@players.example Mon Feb  2 10:00:00 2026\r\n" + plain("", "HELP")},
		{"mark before the first field", "\xef\xbb\xbf" + plain("", "HELP")},
		{"blank lines before the first field", "\r\n\r\n" + plain("", "HELP")},
		{"blank before the first field", " strange\r\n" + plain("", "HELP")},
		{"CR CR LF", strings.ReplaceAll(plain("", "HELP"), "\r\n", "\r\r\n")},
		{"LF", strings.ReplaceAll(plain("", "HELP"), "\r\n", "\n")},
		{"CR", strings.ReplaceAll(plain("", "HELP"), "\r\n", "\r")},
		{"name that is not ASCII", "Тема: ход\r\n" + plain("", "HELP")},
		{"line without colon", "Be careful with this mail\r\n" + plain("", "HELP")},
		{"blank before the colon", strings.Replace(plain("", "HELP"), "From:", "From :", 1)},
		{"names in capitals", strings.Replace(strings.Replace(plain("", "HELP"), "From:", "FROM:", 1), "Subject:", "SUBJECT:", 1)},
		{"parameter that is not indented", plain("Content-Type: multipart/mixed;\nboundary=\"a:b\"", "--a:b\n\nHELP\n--a:b--")},
		{"line of blanks within", plain("X-A: 1\n \nX-B: 2", "HELP")},
		{"no blank line before the body", strings.Replace(plain("", "HELP"), "1.0\r\n\r\n", "1.0\r\n", 1)},
		{"NUL in a field", strings.Replace(plain("", "HELP"), "my move", "my\x00 move", 1)},
		{"a long field", plain("X-Long: "+strings.Repeat("x", 100000), "HELP")},
		{"two Content-Types", plain("Content-Type: text/plain\nContent-Type: text/html", "HELP")},
		{"Content-Type without type", plain("Content-Type: ; charset=utf-8", "HELP")},
		{"Content-Type text", plain("Content-Type: text", "HELP")},
		{"charset twice", plain("Content-Type: text/plain; charset=utf-8; charset=koi8-r", "HELP")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			checkOwn(t, tc.raw, "HELP")
			l := Read([]byte(tc.raw), Options{})
			if l.From != "ivan@players.example" || l.Subject != "my move" || l.MessageID != "<1@players.example>" {
				t.Errorf("from %q, subject %q, id %q", l.From, l.Subject, l.MessageID)
			}
		})
	}
}

func TestAuthor(t *testing.T) {
	for _, tc := range []struct{ from, addr, name string }{
		{"ivan@players.example", "ivan@players.example", ""},
		{"<ivan@players.example>", "ivan@players.example", ""},
		{"Ivan <IVAN@Players.Example>", "ivan@players.example", "Ivan"},
		{`"Doe, Ivan" <ivan@players.example>`, "ivan@players.example", "Doe, Ivan"},
		{`Doe, Ivan <ivan@players.example>`, "ivan@players.example", "Ivan"},
		{`"Ivan \"the\" Doe" <ivan@players.example>`, "ivan@players.example", `Ivan "the" Doe`},
		{"ivan@players.example (Ivan)", "ivan@players.example", "Ivan"},
		{"Ivan (at home) <ivan@players.example>", "ivan@players.example", "Ivan"},
		{"Ivan <ivan@players.example", "ivan@players.example", "Ivan"},
		{"Ivan ivan@players.example>", "ivan@players.example", "Ivan"},
		{"Ivan < ivan @ players.example >", "ivan@players.example", "Ivan"},
		{"boris@else.example <ivan@players.example>", "ivan@players.example", "boris@else.example"},
		{`"boris@else.example" <ivan@players.example>`, "ivan@players.example", "boris@else.example"},
		{"(boris@else.example) ivan@players.example", "ivan@players.example", "boris@else.example"},
		{"=?koi8-r?B?6dfBzg==?= <ivan@players.example>", "ivan@players.example", "Иван"},
		{`"=?utf-8?Q?=D0=98=D0=B2=D0=B0=D0=BD?=" <ivan@players.example>`, "ivan@players.example", "Иван"},
		{"=?utf-8?B?0JjQ?= =?utf-8?B?stCw0L0=?= <ivan@players.example>", "ivan@players.example", "Иван"},
		{"=?bogus-7?Q?abc?= <ivan@players.example>", "ivan@players.example", "abc"},
		{"=?utf-8?Q?boris=40else.example?= <ivan@players.example>", "ivan@players.example", "boris@else.example"},
		{"\xc9\xd7\xc1\xce <ivan@players.example>", "ivan@players.example", "иван"},
		{"<mailto:ivan@players.example>", "ivan@players.example", ""},
		{"<@relay.example:ivan@players.example>", "ivan@players.example", ""},
		{"ivan@players.example, Ivan <ivan@players.example>", "ivan@players.example", ""},
		{"Иван <иван@почта.рф>", "иван@почта.рф", "Иван"},
		{"", "", ""},
		{"<>", "", ""},
		{"Ivan", "", ""},
		{"Ivan <ivan>", "", ""},
		{"Ivan <ivan@players.example>, Boris <boris@else.example>", "", ""},
		{"ivan@players.example; boris@else.example", "", ""},
		{"Ivan <ivan@players.example> <boris@else.example>", "", ""},
		{"players: ivan@players.example;", "", ""},
		{"players: ivan@players.example, boris@else.example;", "", ""},
		{"Ivan <ivan@players.example@else.example>", "", ""},
		{"ivan@players.example boris@else.example", "", ""},
	} {
		t.Run(tc.from, func(t *testing.T) {
			l := Read([]byte(strings.Replace(plain("", "HELP"), "Ivan <ivan@players.example>\r\nTo", tc.from+"\r\nTo", 1)), Options{})
			if l.From != tc.addr || l.FromName != tc.name {
				t.Errorf("got %q, name %q", l.From, l.FromName)
			}
			if wantClass := map[bool]Class{true: Orders, false: Malformed}[tc.addr != ""]; l.Class != wantClass {
				t.Errorf("class %q, wanted %q", l.Class, wantClass)
			}
			if l.From == "" && len(l.Lines) > 0 {
				t.Errorf("lines %q of nobody", l.Lines)
			}
		})
	}
	t.Run("two From fields", func(t *testing.T) {
		l := Read([]byte("From: Boris <boris@else.example>\r\n"+plain("", "HELP")), Options{})
		if l.Class != Malformed || l.From != "" {
			t.Errorf("class %q from %q", l.Class, l.From)
		}
	})
	t.Run("no From but Sender", func(t *testing.T) {
		l := Read([]byte(strings.Replace(plain("", "HELP"), "From:", "Sender:", 1)), Options{})
		if l.Class != Malformed || l.From != "" {
			t.Errorf("class %q from %q", l.Class, l.From)
		}
	})
}

func TestRecipients(t *testing.T) {
	raw := plain("Cc: Anna <anna@x.example>, players: b@x.example, c@x.example;\nDelivered-To: gm+lands@games.example\nX-Original-To: GM@games.example", "HELP")
	got := fmt.Sprint(Read([]byte(raw), Options{}).To)
	for _, want := range []string{"gm@games.example", "anna@x.example", "gm+lands@games.example"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
}
