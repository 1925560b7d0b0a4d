package turns

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/crypto/bcrypt"

	"arroba/ingest/letter"
	"arroba/orders"
	"arroba/outbox"
)

// The kinds of lines that say where a letter belongs and who wrote it. They are no orders and are passed on to nobody.
const (
	lineGame     = "game"
	lineToken    = "token"
	linePassword = "password"
)

// steering are the first words of such lines, as orders.Fold spells them.
var steering = map[string]string{
	orders.Fold("GAME"): lineGame, orders.Fold("ИГРА"): lineGame,
	orders.Fold("PASSWORD"): linePassword, orders.Fold("ПАРОЛЬ"): linePassword,
	orders.Fold("TOKEN"): lineToken, orders.Fold("КЛЮЧ"): lineToken,
}

// secretWords are those that a slip makes no other word of.
var secretWords = func() *orders.Names {
	n := &orders.Names{}
	for _, w := range []string{"PASSWORD", "ПАРОЛЬ", "TOKEN"} {
		n.Add(w)
	}
	return n
}()

// secret is a token or a password that a letter gives.
type secret struct {
	kind string // lineToken or linePassword
	word string // in the form of secretForm
}

// secretForm is the spelling in which secrets are kept and compared: mail programs change quotes and dashes, put a
// stop at the end of a line, and write addresses, which tokens stand in, in any case.
func secretForm(kind, s string) string {
	s = strings.Trim(orders.Clean(s), `"'.;`)
	if kind == lineToken {
		s = strings.ToLower(s)
	}
	return s
}

// steer takes the steering lines out of a letter: what they say is kept, and what only looks like a secret is masked.
func (a *arrival) steer() {
	a.games, a.secrets = nil, nil
	var rest []string
	for _, line := range a.read.Lines {
		if l := cutLine(line); l.steers() {
			a.steered(l)
		} else {
			rest = append(rest, l.masked(false))
		}
	}
	a.read.Lines = rest
	if l := cutSubject(a.read.Subject); l.steers() && l.kind != lineGame {
		a.steered(l)
	}
	a.read.Subject = maskSubject(a.read.Subject)
	a.entry.Subject = a.read.Subject
}

func (a *arrival) steered(l wordLine) {
	if l.kind == lineGame {
		a.games = append(a.games, strings.TrimRight(l.rest, ".;"))
		return
	}
	a.secrets = append(a.secrets, secret{l.kind, secretForm(l.kind, l.rest)})
}

// Masked are the lines of a letter as they may be shown: without steering lines and what looks like a secret.
func Masked(lines []string) []string {
	a := arrival{read: letter.Letter{Lines: lines}}
	a.steer()
	return a.read.Lines
}

// wordLine is a line cut after its first word.
type wordLine struct {
	before, word, sign, rest string // bullet or tags; word; blanks and a colon or sign of equality; what follows
	kind                     string // of steering, "" for none
}

func cutLine(line string) wordLine {
	bare := letter.WithoutBullet(line)
	return cutWord(line[:len(line)-len(bare)], bare)
}

// subjectHead is what stands before the matter of a subject.
var subjectHead = regexp.MustCompile(`(?i)^(\s*(re|fwd?|отв|на)\s*(\[\d+\])?\s*:|\s*\[[^\[\]]*\])*\s*`)

func cutSubject(s string) wordLine {
	head := subjectHead.FindString(s)
	return cutWord(head, s[len(head):])
}

func cutWord(before, s string) wordLine {
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if end <= 0 {
		return wordLine{before: before, rest: s}
	}
	rest := strings.TrimLeft(s[end:], " :=")
	l := wordLine{before: before, word: s[:end], sign: s[end : len(s)-len(rest)], rest: strings.TrimSpace(rest)}
	l.kind = steering[orders.Fold(l.word)]
	return l
}

// steers tells whether the line is a steering line: a word and one more. A colon between the two does not hide a
// secret, and makes no GAME line of prose.
func (l wordLine) steers() bool {
	return l.kind != "" && l.sign != "" && l.rest != "" && !strings.Contains(l.rest, " ") &&
		(l.kind != lineGame || !strings.ContainsAny(l.sign, ":="))
}

const mask = "***"

// masked is the line without what may be a secret: what one word after PASSWORD or a slip of it is, or what stands
// after it and a colon. Where secrets are in use, whatever follows such a word at the beginning may be one.
func (l wordLine) masked(inUse bool) string {
	secretive := l.kind == lineToken || l.kind == linePassword || len(secretWords.Near(l.word)) > 0
	if secretive && l.sign != "" && l.rest != "" && (inUse || !strings.Contains(l.rest, " ") || strings.ContainsAny(l.sign, ":=")) {
		return l.before + l.word + l.sign + mask
	}
	s := l.before + l.word + l.sign + l.rest
	if inUse {
		s = toldSecret.ReplaceAllString(s, "${1}"+mask)
	}
	return s
}

// toldSecret is a secret told in a sentence.
var toldSecret = regexp.MustCompile(`(?i)((?:^|[^\pL])(?:password|token|пароль|ключ)(?:\s+is\s+|\s*[:=]\s*))\S+`)

func maskSubject(s string) string { return cutSubject(s).masked(true) }

// cover masks what may be a secret of this game in a letter: where secrets are in use, all that looks like one, and
// every token that stands in it, be it in an address.
func (a *arrival) cover(g *Game) {
	var tokens []string
	for _, m := range g.Members {
		tokens = append(tokens, m.token)
	}
	hide := hiding(tokens)
	for i, line := range a.read.Lines {
		if g.Settings.secretive() {
			line = cutLine(line).masked(true)
		}
		a.read.Lines[i] = hide(line)
	}
	for i := range a.read.Attachments {
		a.read.Attachments[i].Name = hide(a.read.Attachments[i].Name)
	}
	a.read.Subject = hide(a.read.Subject)
	a.entry.Subject = a.read.Subject
}

// hideTokens masks the tokens of a game in the subject of a letter that is shown whether or not it is obeyed.
func (a *arrival) hideTokens(keys []key) {
	var tokens []string
	for _, k := range keys {
		tokens = append(tokens, k.token)
	}
	a.read.Subject = hiding(tokens)(a.read.Subject)
	a.entry.Subject = a.read.Subject
}

// shortToken is the length below which a token may well be a word of the game, and is not looked for in texts.
const shortToken = 8

// hiding returns a function that masks tokens in a text.
func hiding(tokens []string) func(string) string {
	var list []string
	for _, t := range tokens {
		if len(t) >= shortToken {
			list = append(list, regexp.QuoteMeta(t))
		}
	}
	if list == nil {
		return func(s string) string { return s }
	}
	pattern := regexp.MustCompile(`(?i)` + strings.Join(list, "|"))
	return func(s string) string { return pattern.ReplaceAllString(s, mask) }
}

// newToken draws a token: 80 bits, short enough for an address.
func newToken() string { return strings.ToLower(rand.Text())[:16] }

// maxPassword is how many bytes of a password bcrypt looks at.
const maxPassword = 72

// lock draws the tokens that the members of a new game lack, and hashes their passwords at a cost of bcrypt.
func (g *Game) lock(cost int) error {
	for i := range g.Members {
		m := &g.Members[i]
		if m.token == "" && g.Settings.Authentication == AuthToken {
			m.token = newToken()
		}
		if m.password == "" {
			continue
		}
		hash, err := bcrypt.GenerateFromPassword([]byte(m.password), cost)
		if err != nil {
			return fmt.Errorf("keeping the password of %s: %w", m.Nick, err)
		}
		m.password = string(hash)
	}
	return nil
}

// readSecrets reads the token and the password of a member.
func (f *GameFile) readSecrets(key string, t memberTable, m *Member) error {
	m.token, m.password = secretForm(lineToken, t.Token), secretForm(linePassword, t.Password)
	good := func(r rune) bool {
		return r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z'
	}
	switch {
	case t.Token != "" && (m.token != strings.ToLower(t.Token) || len(m.token) > 40 || strings.ContainsFunc(m.token, func(r rune) bool { return !good(r) })),
		outbox.VERPItem("x+"+m.token+"@x") != "":
		return f.at(key+".token", "this is no token; write up to 40 letters of a to z, digits, - and _, not beginning with b-, for it stands in a mail address, or leave it out: one is drawn")
	case t.Password != "" && (m.password == "" || len(m.password) > maxPassword || strings.Contains(m.password, " ")):
		return f.at(key+".password", "this is no password; write one word of at most %d bytes", maxPassword)
	}
	return nil
}

// checkTokens finds a token that two members have, or that is the game's name.
func (f *GameFile) checkTokens() error {
	seen := map[string]string{strings.ToLower(f.Name): "the game's name"}
	for i, m := range f.Members {
		if m.token == "" {
			continue
		}
		if other := seen[m.token]; other != "" {
			return f.at(f.memberKey(i)+".token", "it is %s too; write another, or leave it out: one is drawn", other)
		}
		seen[m.token] = "the token of " + m.Nick
	}
	return nil
}

// Unprovable lists the members who have no way to show that a letter is theirs.
func (f *GameFile) Unprovable() []string {
	return f.nicks(func(m Member) bool {
		return f.Settings.Authentication == AuthPassword && m.password == "" && m.token == ""
	})
}

// ShortTokens lists the members whose token is too short to be a secret.
func (f *GameFile) ShortTokens() []string {
	return f.nicks(func(m Member) bool { return m.token != "" && len(m.token) < shortToken })
}

func (f *GameFile) nicks(of func(Member) bool) []string {
	var list []string
	for _, m := range f.Members {
		if of(m) {
			list = append(list, m.Nick)
		}
	}
	return list
}
