package letter

import (
	"strings"
	"testing"
)

func TestHTML(t *testing.T) {
	for _, tc := range []struct{ name, body, want string }{
		{"line breaks", "HELP<br>WHO<BR/>STATUS<br />DEADLINE", "HELP\nWHO\nSTATUS\nDEADLINE"},
		{"paragraphs without ends", "<p>HELP<p>WHO", "HELP\nWHO"},
		{"divs", "<div>HELP</div><div><div>WHO</div></div>", "HELP\nWHO"},
		{"inline markup", "PAY 3<b>0</b> <i>T</i>O An<span style='color:red'>na</span>", "PAY 30 TO Anna"},
		{"source lines are blanks", "<p>PAY 30\nTO\n  Anna</p>", "PAY 30 TO Anna"},
		{"entities", "PAY&nbsp;30&#32;TO &Eacute;mile &amp; &lt;Anna&gt; &#x41;", "PAY 30 TO Émile & <Anna> A"},
		{"table", "<table><tr><td>PAY</td><td>30</td></tr><tr><td>HELP</td></tr></table>", "PAY 30\nHELP"},
		{"table without ends", "<table><tr><td>PAY<td>30<tr><td>HELP</table>", "PAY 30\nHELP"},
		{"list", "<ol><li>HELP<li>WHO</ol>", "HELP\nWHO"},
		{"pre", "<pre>PAY  30\nHELP\n</pre>", "PAY 30\nHELP"},
		{"link", "<a href='http://x.example/HELP'>HELP</a>", "HELP"},
		{"names with marks", "<p>PAY 30 TO baron_oleg *x*</p>", "PAY 30 TO baron_oleg *x*"},
		{"unclosed", "<div><b>HELP", "HELP"},
		{"nothing but markup", "<div><br></div>", ""},
		{"document", "<!DOCTYPE html><html><head><title>" + trap + "</title><style>p{}</style></head><body>HELP</body></html>", "HELP"},
		{"head without end", "<html><head><meta name=a><title>x</title><body><p>HELP", "HELP"},
		{"document within", "HELP<html><body>WHO</body></html>", "HELP\nWHO"},
		{"Word", `<!--[if gte mso 9]><xml>` + trap + `</xml><![endif]--><p class="MsoNormal">HELP<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>`, "HELP"},
		{"upper case", "<DIV STYLE='DISPLAY:NONE'>" + trap + "</DIV><P>HELP</P>", "HELP"},
	} {
		t.Run(tc.name, func(t *testing.T) { checkOwn(t, htmlLetter(tc.body), tc.want) })
	}
}

func TestHTMLNobodySees(t *testing.T) {
	for _, hidden := range []string{
		"<div style='display:none'>" + trap + "</div>", "<div style='color:red; DISPLAY : none !important'><p>" + trap + "</p></div>",
		"<span style='visibility:hidden'>" + trap + "</span>", "<span style='font-size:0px'>" + trap + "</span>", "<span style='font-size: 0'>" + trap + "</span>",
		"<span style='opacity:0.0'>" + trap + "</span>", "<span style='mso-hide:all'>" + trap + "</span>", "<div style='max-height:0;overflow:hidden'>" + trap + "</div>",
		"<style>@media print { .c { color: red } } .a, p.b { display: none }</style><p class='x b'>" + trap + "</p>", "<p style='font-size:1px'>" + trap + "</p>",
		"<p style='position:absolute;left:-9999px'>" + trap + "</p>",
		"<p><s>" + trap + "</s></p>", "<p><span style='text-decoration:line-through'>" + trap + "</span></p>",
		"<p hidden>" + trap + "</p>", "<p hidden=''>" + trap, "<!-- " + trap + " -->", "<script>" + trap + "</script>", "<style>" + trap + "</style>",
		"<template>" + trap + "</template>", "<noscript>" + trap + "</noscript>", "<select><option>" + trap + "</select>", "<textarea>" + trap + "</textarea>",
		"<img alt='" + trap + "'>", "<div hidden><b>x</div>",
		"<div class=gmail_signature>" + trap + "</div>", "<div class='moz-signature'>-- <br>" + trap + "</div>",
	} {
		t.Run(hidden, func(t *testing.T) { checkOwn(t, htmlLetter("<p>HELP</p>"+hidden+"<p>WHO</p>"), "HELP\nWHO") })
	}
	checkOwn(t, htmlLetter("<style>@media print { .a { display: none } }</style><p class=a>HELP</p>"), "HELP")
	checkOwn(t, htmlLetter("<span style='font-size:0.9em;opacity:0.5'>HELP</span>"), "HELP")
}

func TestHTMLQuotes(t *testing.T) {
	header := "<b>From:</b> Master &lt;gm@games.example&gt;<br><b>Sent:</b> Monday, February 2, 2026<br><b>To:</b> Ivan<br><b>Subject:</b> turn 6"
	for name, below := range map[string]string{
		"blockquote":       "<blockquote><p>" + trap + "</p></blockquote>",
		"Gmail":            `<div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, Feb 2, 2026 Master wrote:<br></div><blockquote class="gmail_quote"><div>` + trap + `</div></blockquote></div>`,
		"Gmail, no block":  `<div class="gmail_quote">On Mon, Feb 2, 2026 Master wrote:<br>` + trap + `</div>`,
		"Gmail forward":    `<div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: Anna &lt;a@x.example&gt;<br>Subject: x<br></div><div>` + trap + `</div></div>`,
		"Thunderbird":      `<div class="moz-cite-prefix">On 2/2/26 09:00, Master wrote:<br></div><blockquote type="cite">` + trap + `</blockquote>`,
		"Thunderbird fwd":  `<div class="moz-forward-container">-------- Forwarded Message --------<table class="moz-email-headers-table"><tr><th>Subject: </th><td>x</td></tr></table>` + trap + `</div>`,
		"Outlook web":      `<div id="appendonsend"></div><hr><div id="divRplyFwdMsg" dir="ltr"><font>` + header + `</font></div><div>` + trap + `</div>`,
		"Outlook x_":       `<div id="x_divRplyFwdMsg">` + header + `</div><div>` + trap + `</div>`,
		"Outlook desktop":  `<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal">` + header + `</p></div><p class=MsoNormal>` + trap + `</p>`,
		"Outlook phone":    `<div id="ms-outlook-mobile-signature">Get Outlook for iOS</div><hr><div id="divRplyFwdMsg">` + header + `</div><div>` + trap + `</div>`,
		"Outlook ru":       `<div><p><b>От:</b> Master<br><b>Отправлено:</b> 2 февраля 2026 г. 9:00<br><b>Кому:</b> Иван<br><b>Тема:</b> ход 6</p></div><p>` + trap + `</p>`,
		"Apple":            `<div><br><blockquote type="cite"><div>On 2 Feb 2026, at 09:00, Master wrote:</div><div>` + trap + `</div></blockquote></div>`,
		"Apple forward":    `<div>Begin forwarded message:</div><div><b>From: </b>Anna</div><div>` + trap + `</div>`,
		"Yahoo":            `<div id="yahoo_quoted_1" class="yahoo_quoted"><div>On Monday, Master wrote:</div><div>` + trap + `</div></div>`,
		"Proton":           `<div class="protonmail_quote">On Monday, Master wrote:<br><blockquote class="protonmail_quote">` + trap + `</blockquote></div>`,
		"mail.ru":          `<blockquote style="border-left:1px solid #08F">Понедельник, 2 февраля 2026 от Master:<br>` + trap + `</blockquote>`,
		"Yandex":           `<div>02.02.2026, 09:00, "Master" &lt;gm@games.example&gt;:</div><blockquote><p>` + trap + `</p></blockquote>`,
		"text marks":       `<div>&gt; ` + trap + `</div>`,
		"badly nested":     `<b><blockquote></b>` + trap + `</blockquote>`,
		"quote not closed": `<blockquote>` + trap,
	} {
		t.Run(name, func(t *testing.T) {
			checkOwn(t, htmlLetter("<div>CHALLENGE Boris</div><div>PAY 30 TO Anna</div><br>"+below), orders2)
		})
	}
	t.Run("between quotes", func(t *testing.T) {
		checkOwn(t, htmlLetter(`<div class="gmail_quote"><div class="gmail_attr">On Monday Master wrote:</div><blockquote class="gmail_quote">`+trap+
			`</blockquote><div>CHALLENGE Boris</div><blockquote class="gmail_quote">`+trap+`</blockquote><div>PAY 30 TO Anna</div></div>`), orders2)
	})
}

func TestHTMLDepth(t *testing.T) {
	const n = 20000
	checkOwn(t, htmlLetter(strings.Repeat("<div>", n)+"HELP"+strings.Repeat("</div>", n)), "HELP")
	checkOwn(t, htmlLetter("<i>"+strings.Repeat("<b>", n)+"HELP"+strings.Repeat("</i>", n)), "HELP")
}

func TestHTMLCharset(t *testing.T) {
	checkOwn(t, plain("Content-Type: text/html", "<html><head><meta http-equiv=Content-Type content=\"text/html; charset=koi8-r\"></head><body>\xe8\xef\xe4</body></html>"), "ХОД")
}
