package turns

import (
	"crypto/subtle"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/crypto/bcrypt"

	"arroba/ingest"
	"arroba/ingest/letter"
	"arroba/rules"
)

// secretive tells whether letters to a game may be expected to hold secrets.
func (s Settings) secretive() bool {
	return s.Authentication == AuthToken || s.Authentication == AuthPassword
}

// proof is whose a letter is and how far that is proved.
type proof struct {
	seat rules.Seat // "" when nobody is known
	lack string     // what is wrong with the proof, one of the words below; "" when it is good
}

func (p proof) good() bool { return p.seat != "" && p.lack == "" }

const (
	lackMissing = "missing"
	lackWrong   = "wrong"  // a token or password fits nobody
	lackBraked  = "braked" // there were too many wrong ones, so none is looked at
)

// wrongHour is what counts wrong tokens and passwords in a member's name, or in nobody's.
const wrongHour = "wrong secrets an hour"

// prove finds out whose a letter to a game is. A token or password shows its member whatever address it came from, and
// one that is wrong spoils every other proof. Without one the writer is who From says, as far as the game believes that.
func (w *work) prove(a *arrival, b *book, g *Game) (proof, error) {
	from := b.writer(a, g.Name)
	if a.entry.Via == viaPost {
		return proof{seat: from}, nil
	}
	keys, err := w.keysOf(g.Name, b)
	if err != nil {
		return proof{}, err
	}
	a.hideTokens(keys)
	k := keyring{keys: keys, from: from}
	if k.gives(a, g) {
		wrong, limit := tallyOf(wrongHour, g.Name+"/"+string(from), a.entry.Arrived, hour), w.e.limits(g.Name).Guesses
		if limit > 0 && !a.retried && w.e.counts[wrong]+w.counts[wrong] >= limit {
			return proof{from, lackBraked}, nil
		}
		shown, ok := k.open(a, g)
		first := b.seen[ingest.Print{Game: g.Name, Fingerprint: a.entry.Fingerprint}] == ""
		switch {
		case !ok && first && w.counted(wrong)+1 == limit:
			return proof{from, lackWrong}, w.tellOfGuesses(g, from, limit)
		case !ok:
			return proof{from, lackWrong}, nil
		case shown != "":
			return proof{seat: shown}, nil
		}
	}
	if from == "" || a.believed(g.Settings) {
		return proof{seat: from}, nil
	}
	return proof{from, lackMissing}, nil
}

// believed tells whether a game believes what From says.
func (a *arrival) believed(s Settings) bool {
	switch s.Authentication {
	case AuthNone:
		return true
	case AuthDMARC:
		if a.by != s.AuthservID { // read under another mail server's name
			a.by = s.AuthservID
			a.read.Authenticated = letter.Read(a.entry.Raw, letter.Options{AuthservID: s.AuthservID}).Authenticated
		}
		return a.read.Authenticated == "pass"
	}
	return false
}

// key is what a member can show himself by.
type key struct {
	seat            rules.Seat
	token, password string
}

// keysOf returns those of the members of a game.
func (w *work) keysOf(game string, b *book) ([]key, error) {
	if keys, ok := b.keys[game]; ok {
		return keys, nil
	}
	rows, err := w.tx.QueryContext(w.ctx, `SELECT seat, token, password FROM member WHERE game = $1 AND gone = 0 AND (token <> '' OR password <> '') ORDER BY ord`, game)
	if err != nil {
		return nil, fmt.Errorf("reading tokens and passwords: %w", err)
	}
	defer rows.Close()
	var keys []key
	for rows.Next() {
		var k key
		if err := rows.Scan(&k.seat, &k.token, &k.password); err != nil {
			return nil, fmt.Errorf("reading tokens and passwords: %w", err)
		}
		keys = append(keys, k)
	}
	b.keys[game] = keys
	return keys, rows.Err()
}

// gamesOfTokens returns the games in which each of some words is a member's token.
func (w *work) gamesOfTokens(words []string) (map[string][]string, error) {
	games := map[string][]string{}
	words = slices.DeleteFunc(words, func(word string) bool { return word == "" })
	if len(words) == 0 {
		return games, nil
	}
	in, args := placeholders(words[:min(len(words), maxPlaceholders)])
	rows, err := w.tx.QueryContext(w.ctx, `SELECT DISTINCT token, game FROM member WHERE token <> '' AND gone = 0 AND token IN (`+in+`) ORDER BY game`, args...)
	if err != nil {
		return nil, fmt.Errorf("looking for tokens: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var token, game string
		if err := rows.Scan(&token, &game); err != nil {
			return nil, fmt.Errorf("looking for tokens: %w", err)
		}
		games[token] = append(games[token], game)
	}
	return games, rows.Err()
}

// keyring is the keys of a game, held against a letter.
type keyring struct {
	keys []key
	from rules.Seat // the member whose address the letter came from, "" for nobody's
}

// uses tells whether any member of the game has a key of a kind. Where none has, such a line means nothing.
func (k keyring) uses(kind string) bool {
	return slices.ContainsFunc(k.keys, func(m key) bool {
		return kind == lineToken && m.token != "" || kind == linePassword && m.password != ""
	})
}

// gives tells whether a letter gives anything that is to be held against the keys.
func (k keyring) gives(a *arrival, g *Game) bool {
	return slices.ContainsFunc(a.secrets, func(s secret) bool { return k.uses(s.kind) }) ||
		k.uses(lineToken) && len(a.extensions(g)) > 0
}

// open returns the member that the letter's secrets show, "" when it gives none, and false when one of them fits
// nobody, or two of them different members.
func (k keyring) open(a *arrival, g *Game) (shown rules.Seat, ok bool) {
	ok = true
	show := func(seats []rules.Seat) {
		if len(seats) != 1 || shown != "" && shown != seats[0] {
			ok = false
		} else {
			shown = seats[0]
		}
	}
	extensions := a.extensions(g)
	for _, ext := range extensions {
		if seats := k.fitting(ext); len(seats) > 0 {
			show(seats)
		}
	}
	for _, s := range a.secrets {
		switch {
		case !k.uses(s.kind):
		case s.kind == lineToken:
			show(k.fitting(s.word))
		default:
			show(k.known(s.word, shown))
		}
	}
	if shown == "" && len(extensions) > 0 && g.Settings.Authentication == AuthToken {
		ok = false
	}
	return shown, ok
}

// fitting returns the member whose token it is, if any. Comparing takes the same time whatever fits.
func (k keyring) fitting(token string) []rules.Seat {
	var seats []rules.Seat
	for _, m := range k.keys {
		if sameSecret(m.token, token) {
			seats = append(seats, m.seat)
		}
	}
	return seats
}

func sameSecret(kept, given string) bool {
	return kept != "" && subtle.ConstantTimeCompare([]byte(kept), []byte(given)) == 1
}

// known returns the members whose password it is: the one that a token has shown alone, if there is one; else him
// whom it came from if it is his, else all others, of whom there must be one.
func (k keyring) known(password string, shown rules.Seat) []rules.Seat {
	var seats []rules.Seat
	own := k.from
	if shown != "" {
		own = shown
	}
	for _, m := range k.keys {
		if m.seat == own && m.opens(password) {
			return []rules.Seat{m.seat}
		}
	}
	for _, m := range k.keys {
		if shown == "" && m.seat != own && m.opens(password) {
			seats = append(seats, m.seat)
		}
	}
	return seats
}

func (m key) opens(password string) bool {
	return m.password != "" && bcrypt.CompareHashAndPassword([]byte(m.password), []byte(password)) == nil
}

// extension returns what an address has after a mailbox and a +: of "lands+x@play.example" it is "x".
func extension(address, mailbox string) (string, bool) {
	local, domain, _ := strings.Cut(foldAddress(mailbox), "@")
	l, d, _ := strings.Cut(address, "@")
	ext, ok := strings.CutPrefix(l, local+"+")
	return ext, ok && d == domain && ext != ""
}

// afterName returns what an extension has after the name of a game: of "lands-x" and "lands.x" it is "x".
func afterName(ext, game string) (string, bool) {
	if len(ext) <= len(game)+1 || !strings.EqualFold(ext[:len(game)], game) || ext[len(game)] != '-' && ext[len(game)] != '.' {
		return "", false
	}
	return ext[len(game)+1:], true
}

// extensions returns what may be tokens in the addresses that a letter came to: what stands there after the mailbox of
// the game and a +, and after its name.
func (a *arrival) extensions(g *Game) []string {
	var list []string
	for _, to := range a.read.To {
		ext, ok := extension(to, g.Mailbox)
		if !ok || strings.EqualFold(ext, g.Name) {
			continue
		}
		if rest, ok := afterName(ext, g.Name); ok {
			list = append(list, rest)
		}
		list = append(list, ext)
	}
	return list
}

// byExtension returns the game of an address with more after the + than a game's name: the one of whose members it
// holds a token, the one that it names, or the only one of that mailbox.
func (w *work) byExtension(parts []parted, b *book) (*Game, error) {
	var open, named, all []*Game
	for _, p := range parts {
		tokens := []string{p.ext}
		begun := b.begun(p)
		for _, g := range begun {
			rest, _ := afterName(p.ext, g.Name)
			tokens = append(tokens, rest)
		}
		found, err := w.gamesOfTokens(tokens)
		if err != nil {
			return nil, err
		}
		for i, token := range tokens {
			for _, name := range found[token] {
				g := b.byName(name)
				if g != nil && foldAddress(g.Mailbox) == p.box && !slices.Contains(open, g) && (i == 0 || g == begun[i-1]) {
					open = append(open, g)
				}
			}
		}
		named, all = append(named, begun...), append(all, p.games...)
	}
	for _, list := range [][]*Game{open, named, all} {
		if len(list) == 1 {
			return list[0], nil
		}
	}
	return nil, nil
}

// begun returns the games whose name, and a - or a stop after it, begin what stands after the +.
func (d *directory) begun(p parted) (list []*Game) {
	for i, c := range p.ext {
		if c != '-' && c != '.' {
			continue
		}
		g := d.byName(p.ext[:i])
		if g == nil || foldAddress(g.Mailbox) != p.box {
			continue
		}
		if _, ok := afterName(p.ext, g.Name); ok {
			list = append(list, g)
		}
	}
	return list
}

// byToken returns the game that TOKEN lines of a letter open, nil when none or several do.
func (w *work) byToken(a *arrival, b *book) (*Game, error) {
	var words []string
	for _, s := range a.secrets {
		if s.kind == lineToken {
			words = append(words, s.word)
		}
	}
	games, err := w.gamesOfTokens(words)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, list := range games {
		for _, game := range list {
			if !slices.Contains(found, game) {
				found = append(found, game)
			}
		}
	}
	if len(found) != 1 {
		return nil, nil
	}
	return b.byName(found[0]), nil
}

// answersProve tells whether the address that a member answers to holds his token.
func (g *Game) answersProve(m *Member) bool {
	return m != nil && m.token != "" && (g.Settings.Authentication == AuthToken || g.Settings.Authentication == AuthPassword && m.password == "")
}

// replyTo is the address that a member answers to, "" when it is the one that the mail is from.
func (g *Game) replyTo(m *Member) string {
	switch {
	case g.answersProve(m):
		local, domain, _ := strings.Cut(g.Mailbox, "@")
		return local + "+" + m.token + "@" + domain
	case foldAddress(g.Mailbox) != foldAddress(g.Sender):
		return g.Mailbox
	}
	return ""
}

// has tells whether an address is on file for a member.
func (m *Member) has(address string) bool {
	return slices.ContainsFunc(m.Addresses, func(a string) bool { return foldAddress(a) == foldAddress(address) })
}

// copied tells whether the same letter came before, settles it if so, and notes it if not. A letter that was not proved
// is a copy of one like it, and of one that was: what it says was obeyed. It makes none a copy that is proved: a forged
// one must not keep out the true one that comes after it.
func (a *arrival) copied(seen map[ingest.Print]string, seat rules.Seat, proved bool) bool {
	print := ingest.Print{Game: a.entry.Game, Fingerprint: a.entry.Fingerprint, Seat: string(seat)}
	if !proved && seen[print] == "" {
		print.Seat = ""
	}
	if first := seen[print]; first == "" || first == a.entry.ID {
		seen[print] = a.entry.ID
		return false
	}
	a.entry.Class = string(letter.Duplicate)
	a.settle(ingest.Done, "the same letter came before")
	return true
}

// refuse settles a letter in a member's name that was not proved to be his, and tells him.
func (w *work) refuse(a *arrival, g *Game, p proof) error {
	if p.lack == lackMissing {
		a.settle(ingest.Desk, "no proof of the sender: "+a.lacks(g.Settings))
	} else {
		a.settle(ingest.Desk, map[string]string{lackWrong: "a wrong token or password", lackBraked: "too many wrong tokens or passwords came before"}[p.lack])
	}
	return w.askForProof(a, g, p)
}

// askForProof tells a member, at his first address, of a letter in his name that nothing was carried out of.
func (w *work) askForProof(a *arrival, game *Game, p proof) error {
	g, err := w.members(game.Name)
	if err != nil {
		return err
	}
	m := g.seat(p.seat)
	if m == nil || m.mail() == "" || !w.mayAnswer(a, g.Name, m.mail(), true) {
		return nil
	}
	a.cover(&g.Game)
	how, err := w.e.alarms.Say(m.reader(), "how "+g.Settings.Authentication, nil)
	if err != nil {
		return fmt.Errorf("asking for proof: %w", err)
	}
	w.ask(g, m, m.mail(), nil, "letter-unproved", map[string]any{
		"from": a.read.From, "subject": a.read.Subject, "arrived": a.entry.Arrived, "how": how, "lack": p.lack})
	return nil
}

// lacks says which proof is not there.
func (a *arrival) lacks(s Settings) string {
	if s.Authentication == AuthDMARC {
		return "dmarc " + a.read.Authenticated
	}
	return "no " + s.Authentication
}

// tellOfGuesses tells the GMs that somebody tries tokens or passwords.
func (w *work) tellOfGuesses(g *Game, from rules.Seat, limit int) error {
	full, err := w.members(g.Name)
	if err != nil {
		return err
	}
	nick := ""
	if m := full.seat(from); m != nil {
		nick = m.Nick
	}
	w.tellGMs(full, "secrets-guessed", map[string]any{"nick": nick, "n": limit})
	return nil
}
