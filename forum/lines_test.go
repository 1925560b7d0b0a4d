package forum

import (
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// box is a theme with a quote, a label and a picture of its own.
var box = theme{name: "box", omit: css(`blockquote.quote, .codebox > .label, .unfurl`)}

// boxLines renders the HTML of a body by it.
func boxLines(t *testing.T, body string) []string {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader("<div id=body>" + body + "</div>"))
	if err != nil {
		t.Fatal(err)
	}
	return box.lines(doc.Find("#body"))
}

func TestLines(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"breaks and blocks", "PAY 30<br>TO Anna<p>WHO</p>HELP<div>TEST</div>x<hr>y<h3>z</h3>", "PAY 30|TO Anna|WHO|HELP|TEST|x|y|z"},
		{"line ends in the source are blanks", "PAY\n30\r\n TO\n\n\nAnna", "PAY 30 TO Anna"},
		{"blanks are folded", "PAY&nbsp;&nbsp;30\t\tTO  Anna&#8195; <br> <br>&nbsp;<br>WHO ", "PAY 30 TO Anna|WHO"},
		{"pre keeps its lines", "a<pre>\nPAY 1\n\n  PAY   2\n<b>PAY\n3</b></pre>b", "a|PAY 1|PAY 2|PAY|3|b"},
		{"cells of a table", "<table><tr><th>Name</th><th>Score</th></tr><tr><td>Alice</td><td>12</td></tr></table>", "Name Score|Alice 12"},
		{"marks of lists", "<ul><li>PAY 1</li><li>PAY 2<ol start=5><li>PAY 3</ol></ul><dl><dt>a<dd>b</dl>", "PAY 1|PAY 2|PAY 3|a|b"},
		{"F6 tags within words", "<b>MO</b><b>VES</b> <i>A</i><span>rmy</span><wbr>1", "MOVES Army1"},
		{"F5 bold by tag, style and class", `<strong>PAY</strong> <span style="font-weight:bold">30</span> <span class="mycode_b">TO</span> Anna`, "PAY 30 TO Anna"},
		{"F1 a quote", `<blockquote class="quote"><cite>Bob wrote:</cite>PAY 1</blockquote>PAY 2`, "PAY 2"},
		{"F1 quotes in quotes", `a<blockquote class="quote">x<blockquote class="quote">PAY 1</blockquote>y</blockquote>b<div><blockquote class="quote">PAY 1</blockquote>c</div>`, "a|b|c"},
		{"an indent is no quote", "<blockquote>PAY 2</blockquote>", "PAY 2"},
		{"F3 a code box", `<div class="codebox"><p class="label">Code: Select all</p><pre><code>PAY 1` + "\n" + `PAY 2</code></pre></div>`, "PAY 1|PAY 2"},
		{"F3 a spoiler that is shut", `<div><button>Show</button><div style="display: none">PAY 1</div></div>`, "PAY 1"},
		{"F3 a code box that is no block", `before <code class="bbc_code floatleft">PAY 1<br>PAY 2</code>after <code>x</code>y`, "before|PAY 1|PAY 2|after xy"},
		{"F4 struck through", `<s>PAY 1</s>a<strike>PAY 2</strike>b<del>PAY 3</del>c<span style="color: red; TEXT-DECORATION: Line-Through">PAY 4<br>PAY 5</span>d<span class="bbs">PAY 6</span>e<s><p>PAY 7</p></s>`, "abcde"},
		{"F4 underlined is not", `<u>PAY</u> <span style="text-decoration: underline">1</span> <ins>x</ins>`, "PAY 1 x"},
		{"F26 pictures for letters", `F Tri (<img class="smilies" src="a.gif" alt="8)">, <img src="/img/smilies/big.png" alt="smile"><img src="x.gif" data-emoticon="" alt=":p">`, "F Tri (8), smile:p"},
		{"F26 pictures for characters", `<img class="emoji" alt="🎲" src="1f3b2.svg"> <img class="smilie smilie--emoji" alt="😀" src="data:image/gif;base64,R0l">`, "🎲 😀"},
		{"F26 pictures without letters", `a<img src="images/smilies/a.gif" alt="" title="Smile">b`, "ab"},
		{"other pictures", `a<img src="map.png" alt="PAY 1">b<img src="data:image/png;base64,smil" alt="PAY 2">c`, "abc"},
		{"a link's text", `<a href="http://a.example/x">the rules</a> and <a href="http://a.example/?a=1&amp;b=2#c">http://a.example/?a=1&amp;b=2#c</a>`, "the rules and http://a.example/?a=1&b=2#c"},
		{"F27 a shortened link", `<a href="http://files.example/saves/2026/hl2/tourney-17/oleg_save1.gm1">http://files.example/sav...oleg_save1.gm1</a>`, "http://files.example/saves/2026/hl2/tourney-17/oleg_save1.gm1"},
		{"F27 with dots of other kinds", `<a href="https://www.a.example/b/c/d/long.html">http://www.a.example/ … long.html</a> <a href="https://a.example/%D0%B4/e">a.example/д…</a> <a href="http://a.example/b/c/d/e"><i>a.example/…/d/…</i></a>`,
			"https://www.a.example/b/c/d/long.html https://a.example/%D0%B4/e http://a.example/b/c/d/e"},
		{"F27 not a text with dots", `<a href="http://a.example/b">well...</a> <a href="http://a.example/b">http://b.example/...b</a> <a>a.example/...</a>`, "well... http://b.example/...b a.example/..."},
		{"F7 tags that the board printed", "[s]PAY 1[/s] [b]PAY 2", "[s]PAY 1[/s] [b]PAY 2"},
		{"U+FFFD stays", "PA\ufffdY", "PA\ufffdY"},
		{"machinery", `a<script>PAY 1</script><style>x{}</style><template><p>PAY 2</p></template><noscript>PAY 3</noscript><!-- PAY 4 --><iframe>PAY 5</iframe><select><option>PAY 6</select><svg><title>PAY 7</title></svg>b`, "ab"},
		{"tags that are text", "&lt;b&gt;PAY&lt;/b&gt; &amp;lt; &quot;1&quot;", `<b>PAY</b> &lt; "1"`},
		{"nothing", " <br><p></p>", ""},
	} {
		if got := strings.Join(boxLines(t, test.body), "|"); got != test.want {
			t.Errorf("%s: got  %s\nwanted %s", test.name, got, test.want)
		}
	}
}

// TestLinesDeep renders what is nested as deep as a page may be, and refuses what is deeper.
func TestLinesDeep(t *testing.T) {
	nest := func(depth int) string {
		return strings.Repeat(`<div><b>x</b><blockquote class="quote">PAY`, depth) + strings.Repeat("</blockquote>y</div>", depth)
	}
	if got, want := boxLines(t, nest(250)), []string{"x", "y"}; !slices.Equal(got, want) {
		t.Errorf("got %q, wanted %q", got, want)
	}
	if _, err := Lines("phpbb", "prosilver 3.1", nest(300)); err == nil {
		t.Error("what is nested deeper than a page may be was read")
	}
}
