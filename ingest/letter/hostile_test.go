package letter

import (
	"strings"
	"testing"
)

// TestHostile reads what would take minutes if any step looked back or ahead without bounds.
func TestHostile(t *testing.T) {
	const mb = 1 << 20
	many := func(s string) string { return strings.Repeat(s, mb/len(s)*9/10) }
	for name, raw := range map[string]string{
		"half encoded words":  strings.Replace(plain("", "HELP"), "my move", many("=?a?q?x"), 1),
		"escaped quotes":      strings.Replace(plain("", "HELP"), "gm@games.example", "\""+many("\\\""), 1),
		"open quotes":         strings.Replace(plain("", "HELP"), "gm@games.example", many("\"<"), 1),
		"open comments":       strings.Replace(plain("", "HELP"), "gm@games.example", many("("), 1),
		"colons":              strings.Replace(plain("", "HELP"), "gm@games.example", many("a:;"), 1),
		"parameters":          plain("Content-Type: text/plain"+many("; a=\"\\\""), "HELP"),
		"results":             plain("Authentication-Results: mx; \""+many("\\\""), "HELP"),
		"junk lines":          strings.Replace(plain("X-A: b", "HELP"), "MIME-Version", many("junk\r\n")+"MIME-Version", 1),
		"delimiters in a row": plain("Content-Type: multipart/mixed; boundary=x", "--x\n\n"+many("a--x")),
		"lines of delimiters": plain("Content-Type: multipart/mixed; boundary=x", "--x\n\n"+many("\n--xy")),
		"soft breaks":         plain("Content-Transfer-Encoding: quoted-printable", many("=          ")),
		"flowed":              plain("Content-Type: text/plain; format=flowed", many("a \n")),
		"header blocks":       plain("", many("To: x\n\n\n\n\n\n\n\n\n\n")),
		"attributions":        plain("", many("On 1 x\nwrote@:\n")),
		"blank lines":         plain("", many("\n")),
		"one line":            plain("", many("a")),
		"begin":               plain("", many("-----BEGIN X-----\n")),
		"style":               htmlLetter("<style>" + many(".a{") + "</style>HELP"),
		"attributes":          htmlLetter("<p " + many("a=b ") + ">HELP"),
		"end tags":            htmlLetter("<i>" + many("<b></i>")),
		"paragraphs":          htmlLetter(many("<p>")),
		"entities":            htmlLetter(many("&amp")),
		"less thans":          htmlLetter(many("<")),
		"cells in a row":      htmlLetter("<table><tr>" + many("<td><p>a")),
		"rules of one class":  htmlLetter("<style>" + many(".a{color:red}") + "</style><p class=a>HELP"),
		"selectors":           htmlLetter("<style>" + many("a,.b #c,") + "{color:red}</style>HELP"),
		"classes":             htmlLetter("<p class='" + many("a ") + "'>HELP"),
		"declarations":        htmlLetter("<p style='" + many("color:#fff;") + "'>HELP"),
		"rows":                htmlLetter(many("<tr><td>")),
		"carriage returns":    plain("", "") + many("a\r"),
		"disclaimers":         plain("", many("this message is not one of those that are so long that nobody\n")),
		"signatures":          plain("", many("sent from\n\n")),
		"signatures in a row": plain("", many("sent from\n")),
		"links":               plain("", many("a<b:a>")),
		"open links":          plain("", many("a<")),
		"armour":              plain("", many("-----BEGIN PGP SIGNED MESSAGE-----\n\n")),
		"quoted From":         plain("", many(">From a\n\n")),
		"signed in pieces":    plain("Content-Type: application/pkcs7-mime", "0\x80"+oidSignedData+oidData+"\xa0\x80\x24\x80"+many("\x04\x01a")),
		"lengths":             plain("Content-Type: application/pkcs7-mime", "0\x80"+oidSignedData+oidData+"\xa0\x84\xff\xff\xff\xff\x04\x84\xff\xff\xff\xff"),
		"HTML after HTML":     mixed("mixed", strings.Repeat("Content-Type: text/html\n\n"+strings.Repeat("<br>a", 2000)+"\n--=_b\n", 90)+"\n"+strings.Repeat("a\n", 9000)),
		"zero bytes":          plain("", many("\x00")),
		"shifts":              plain("Content-Type: text/plain; charset=utf-7", many("+A")),
		"escapes":             plain("", many("\x1b$")),
	} {
		t.Run(name, func(t *testing.T) {
			l := Read([]byte(raw), Options{AuthservID: "mx"})
			if l.Fingerprint == "" || l.From != "ivan@players.example" {
				t.Errorf("class %q from %q", l.Class, l.From)
			}
		})
	}
}
