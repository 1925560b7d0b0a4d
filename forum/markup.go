package forum

import (
	"regexp"
	"strings"
)

// bbcode writes plain text for boards of BBCode. What could begin a tag or a link, call somebody or become a smiley stands in
// a pair of tags of its own: it looks almost the same, and reads the same to a program. Zero-width characters and entities
// would not do: some boards take the ones out, and show the others as they are.
type bbcode struct {
	smilies bool // the form cannot switch them off
}

var (
	// linked are places within addresses without which no board makes a link of them.
	linked = regexp.MustCompile(`(?i)\[|@|^/(?:me|slap)\b|:(?://)|\b(?:mailto|magnet|news|irc|tel|data|javascript)(:)|\b(?:www|ftp)(\.)`)
	smiled = regexp.MustCompile(`[:;=8BxX][-^']?[)(\]DdPpOo0|/\\*$@?3sS!]|:[A-Za-z_]\w*:|[oO]_[oO]|\([yn]\)|<3|>:`)
)

func (m bbcode) write(text string) string {
	return boxed(text, "[code]\n", "\n[/code]", codeEnd, m.line)
}

// codeEnd is what would end a code box.
var codeEnd = regexp.MustCompile(`(?i)\[/?\s*(?:code|php)`)

func (m bbcode) line(line string) string {
	held := map[int]bool{}
	mark := func(pattern *regexp.Regexp) {
		for _, at := range pattern.FindAllStringSubmatchIndex(line, -1) {
			from := at[0]
			for i := 2; i < len(at); i += 2 {
				if at[i] >= 0 {
					from = at[i]
				}
			}
			held[from] = true
		}
	}
	mark(linked)
	if m.smilies {
		mark(smiled)
	}
	var b strings.Builder
	for i, r := range line {
		if held[i] {
			b.WriteString("[i]" + string(r) + "[/i]")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// markdown writes plain text for boards of Markdown: signs that mean something are escaped; names, tags, emoji,
// characters by their names and addresses that would be found without any sign are broken up by a character without width.
type markdown struct{}

const noWidth = "\u200b"

var (
	inlineSigns = regexp.MustCompile("[\\\\`*_\\[\\]<>~|^]")
	lineSigns   = regexp.MustCompile(`^(?:\d+([.)])(?:\s|$)|([-+#])|(!)\[)`)
	foundAlone  = regexp.MustCompile(`(?i)[@#](\S)|:([)(\]|/\\*$@?!a-z_+'-])|;([)-])|8([)-])|\d*\pL[\pL\d-]*(\.)\pL|>:|<(3)|&(?:#|\w+;)`)
)

func (m markdown) write(text string) string {
	return boxed(text, "", "", nil, m.line)
}

func (m markdown) line(line string) string {
	line = strings.TrimSpace(line)
	line = broken(line)
	begin := ""
	if at := lineSigns.FindStringSubmatchIndex(line); at != nil {
		sign := at[0]
		for group := 1; 2*group < len(at); group++ {
			if at[2*group] >= 0 {
				sign = at[2*group]
			}
		}
		begin, line = line[:sign]+`\`+line[sign:sign+1], line[sign+1:]
	}
	line = inlineSigns.ReplaceAllString(line, `\$0`)
	if strings.HasPrefix(line, "=") { // it would make a heading of the line before, and is not to be escaped everywhere
		begin = noWidth
	}
	return begin + line
}

// broken breaks up what a board would find in a text without signs.
func broken(line string) string {
	var b strings.Builder
	for line != "" {
		at := foundAlone.FindStringSubmatchIndex(line)
		if at == nil {
			break
		}
		cut := at[0] + 1 // behind the sign
		if at[10] >= 0 { // before the dot of an address
			cut = at[10]
		}
		b.WriteString(line[:cut] + noWidth)
		line = line[cut:]
	}
	return b.String() + line
}

// boxed writes lines one by one, and those that form a table in a code box, unless something in them would end it.
func boxed(text, begin, end string, forbidden *regexp.Regexp, line func(string) string) string {
	var out []string
	lines := strings.Split(strings.ReplaceAll(strings.TrimRight(text, "\n"), "\t", "    "), "\n")
	for len(lines) > 0 {
		n := table(lines)
		block := strings.Join(lines[:max(n, 1)], "\n")
		switch {
		case n > 0 && begin == "":
			fence := strings.Repeat("`", max(3, longestRun(block, '`')+1))
			out = append(out, fence+"text", block, fence)
		case n > 0 && !forbidden.MatchString(block):
			out = append(out, begin+block+end)
		default:
			n = 1
			out = append(out, line(lines[0]))
		}
		lines = lines[max(n, 1):]
	}
	return strings.Join(out, "\n")
}

var (
	columns = regexp.MustCompile(`\S {2,}\S`)
	ruled   = regexp.MustCompile(`^\s*[-=+| ]{3,}\s*$`)
)

// table is how many of the first lines form a table: at least two with columns, which are parted by runs of blanks.
func table(lines []string) int {
	n, rows := 0, 0
	for _, line := range lines {
		if columns.MatchString(line) {
			rows++
		} else if !ruled.MatchString(line) || strings.TrimSpace(line) == "" {
			break
		}
		n++
	}
	if rows < 2 {
		return 0
	}
	return n
}

// longestRun is the length of the longest run of a character.
func longestRun(s string, c rune) int {
	n, most := 0, 0
	for _, r := range s {
		if r == c {
			n++
			most = max(most, n)
		} else {
			n = 0
		}
	}
	return most
}
