package turns

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"arroba/ingest"
	"arroba/ingest/letter"
	"arroba/orders"
	"arroba/rules"
	"arroba/store"
)

// Some orders are carried out only when their writer has shown that he reads the mail of an address: a question with a
// code that nobody can guess is sent there, and a letter from there that answers it, or holds the code, says yes. What
// else it says is read as any letter is. One that says only NO says no.

// pending is a question that waits for its answer.
type pending struct {
	what  string     // one of the words below
	seat  rules.Seat // whom it concerns, "" for somebody unknown
	asked string     // the address that it is sent to
	body  any        // what is to be done, as JSON

	code, game string // await gives them
	raw        []byte // the body as it was kept
}

// What questions are about.
const (
	pendingAddress = "address"
	pendingJoin    = "join"
)

// pendingFor is how long an answer counts.
const pendingFor = 7 * day

// codeMark stands before the code wherever it is shown.
const codeMark = "confirm-"

var codes = regexp.MustCompile(`(?i)\b` + codeMark + `([a-z0-9]{16})\b`)

// await asks somebody to confirm something, and keeps what is to be done then. It takes the place of what he, or the
// address when he is nobody known, was asked of that kind before. The text sees the code as .code; its headline must
// show it. The letter is what it was asked in.
func (w *work) await(g *live, q pending, a *arrival, m *Member, text string, data map[string]any) error {
	if !w.mayAnswer(a, g.Name, q.asked, false) {
		return nil
	}
	code := w.e.NewCode()
	data["code"] = codeMark + code
	it, ok := w.question(g, m, q.asked, nil, text, data)
	if !ok {
		return nil
	}
	_, domain, _ := strings.Cut(g.Sender, "@")
	it.MessageID = codeMark + code + "@" + domain
	w.items = append(w.items, it)
	body, err := plain(q.body)
	if err != nil {
		return err
	}
	_, err = w.tx.ExecContext(w.ctx, `DELETE FROM pending WHERE expires < $1 OR game = $2 AND what = $3 AND seat = $4 AND (seat <> '' OR asked = $5)`,
		store.Micro(w.now), g.Name, q.what, string(q.seat), foldAddress(q.asked))
	if err == nil {
		_, err = w.tx.ExecContext(w.ctx, `INSERT INTO pending (code, game, what, seat, asked, body, expires) VALUES ($1,$2,$3,$4,$5,$6,$7)`,
			code, g.Name, q.what, string(q.seat), foldAddress(q.asked), string(body), store.Micro(w.now.Add(pendingFor)))
	}
	if err != nil {
		return fmt.Errorf("keeping a question to %s: %w", q.asked, err)
	}
	return nil
}

// answersOurs is what becomes of a letter that does nothing but answer a question of ours.
const answersOurs = "it answers a question of ours"

// takeAnswer looks whether a letter answers a question that waits, and does what it is about. A letter that says no is
// settled by it. Where it reads like an absent person's machine, which quotes the subject of whatever it answers, the
// question waits on.
func (w *work) takeAnswer(a *arrival) error {
	q, err := w.pendingOf(a)
	if err != nil || q == nil || letter.SpeaksByItself(a.read.Lines) {
		return err
	}
	if _, err := w.tx.ExecContext(w.ctx, `DELETE FROM pending WHERE code = $1`, q.code); err != nil {
		return fmt.Errorf("taking an answer: %w", err)
	}
	g, err := w.game(q.game)
	if isFault(err) { // who is a member of a game does not hang on its rules
		err = w.holdUnread(q.game, err)
		g = w.games[q.game]
	}
	if err != nil {
		return err
	}
	a.answers, a.entry.Game = true, g.Name
	if a.declines() {
		a.seat, a.entry.Seat = q.seat, string(q.seat)
		a.settle(ingest.Done, answersOurs+" with no")
		return nil
	}
	switch q.what {
	case pendingAddress:
		return w.addressConfirmed(g, q, a)
	case pendingJoin:
		return w.joinConfirmed(g, q, a)
	}
	return nil
}

// pendingOf returns the question that a letter answers, nil for none.
func (w *work) pendingOf(a *arrival) (*pending, error) {
	given := a.codes()
	if len(given) == 0 || a.entry.Via != viaMail {
		return nil, nil
	}
	in, args := placeholders(given, a.entry.Sender, store.Micro(a.entry.Arrived))
	var q pending
	err := w.tx.QueryRowContext(w.ctx, `SELECT code, game, what, seat, asked, body FROM pending WHERE asked = $1 AND expires >= $2 AND code IN (`+in+`) LIMIT 1`, args...).
		Scan(&q.code, &q.game, &q.what, &q.seat, &q.asked, &q.raw)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for the question that a letter answers: %w", err)
	}
	return &q, nil
}

// codes are those that a letter gives: by the mails that it answers, in its subject, and in its text.
func (a *arrival) codes() (found []string) {
	texts := append([]string{a.read.InReplyTo, a.read.Subject}, a.read.References...)
	for _, s := range append(texts, a.read.Lines...) {
		for _, m := range codes.FindAllStringSubmatch(s, -1) {
			if len(found) < maxReferences {
				found = append(found, strings.ToLower(m[1]))
			}
		}
	}
	return found
}

// declines tells whether a letter says NO and nothing else.
func (a *arrival) declines() bool {
	said := strings.TrimRight(orders.Fold(strings.TrimSpace(strings.Join(a.read.Lines, "\n"))), ".!")
	return said == orders.Fold("NO") || said == orders.Fold("НЕТ")
}

// decode reads what is to be done.
func (q *pending) decode(into any) error {
	if err := json.Unmarshal(q.raw, into); err != nil {
		return fmt.Errorf("reading what %s was asked: %w", q.asked, err)
	}
	return nil
}
