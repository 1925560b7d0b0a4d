package turns

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"arroba/orders"
	"arroba/rules"
	"arroba/templates"
)

// maxListed is how many orders a receipt lists; the rest are counted.
const maxListed = 200

// receipt puts the verdicts and answers of the letter into a mail to its writer, and what is in force now.
func (t *telling) receipt(m *templates.Mail, writer *Member) (err error) {
	m.Why, m.Answers = t.letter.read.Subject, t.letter.read.Subject != ""
	for _, a := range t.said {
		if len(t.said) > 1 || len(m.News) > 0 { // so that one sees which answer is whose
			a.text = "> " + a.line + "\n\n" + a.text
		}
		m.Asked = append(m.Asked, a.text)
	}
	listed := t.listed()
	m.Hidden = len(t.ruled) - len(listed)
	m.More = max(len(listed)-maxListed, 0)
	for _, r := range listed[:len(listed)-m.More] {
		m.Lines = append(m.Lines, r.line(r.Reason))
	}
	m.Link = writer.page(t.w.e.BoardURL)
	if !t.tried && !t.g.Forming() {
		m.Receipt = Receipt{Game: t.g.Name, N: t.own, Seat: writer.Seat, Lines: t.ruled}.String()
	}
	if m.InForce, err = t.g.state.Kept(rules.Viewer{Seat: writer.Seat}); err != nil {
		return err
	}
	m.OffersAbove = t.helped
	m.Deadline, err = t.g.nextDeadline(writer, t.paused().since, t.w.now)
	if slices.ContainsFunc(t.said, func(a answer) bool { return a.text == m.Deadline }) { // he asked for it
		m.Deadline = ""
	}
	return err
}

// listed are the lines that a receipt is to list: of unclear ones, only so many.
func (t *telling) listed() []Ruled {
	left := t.w.e.limits(t.g.Name).Unclear
	if left == 0 {
		return t.ruled
	}
	return slices.DeleteFunc(slices.Clone(t.ruled), func(r Ruled) bool {
		if r.Verdict == orders.Unclear {
			left--
		}
		return r.Verdict == orders.Unclear && left < 0
	})
}

// Receipt is what a letter was answered, as the log has it.
type Receipt struct {
	Game  string
	N     int64 // the input
	At    time.Time
	Seat  rules.Seat // the writer
	Lines []Ruled
}

// String is the number of the receipt and, behind a dash, a short hash of what was accepted.
func (r Receipt) String() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%d\n%s\n", r.Game, r.N, r.Seat)
	for _, l := range r.Lines {
		if l.Verdict == orders.Accepted {
			io.WriteString(h, l.Line+"\n")
		}
	}
	return fmt.Sprintf("%d-%s", r.N, hex.EncodeToString(h.Sum(nil))[:10])
}

// ErrNoReceipt says that a receipt does not stand in the log.
var ErrNoReceipt = errors.New("this receipt does not stand in the log")

// CheckReceipt returns the receipt that the log of a game has under a number; ErrNoReceipt when there is none, or when
// its hash is another one.
func (e *Engine) CheckReceipt(ctx context.Context, game string, n int64, hash string) (*Receipt, error) {
	if _, err := LoadGame(ctx, e.DB.Read(), game); err != nil {
		return nil, err
	}
	list, err := LastInputs(ctx, e.DB.Read(), game, n, 2)
	if err != nil {
		return nil, err
	}
	if len(list) < 2 || list[0].N != n || list[0].Kind != kindLetter {
		return nil, fmt.Errorf("%w: input %d of %s is no letter", ErrNoReceipt, n, game)
	}
	in := list[0]
	if err := in.check(n, list[1].Chain); err != nil {
		return nil, fmt.Errorf("the log of %s: %w", game, err)
	}
	body, err := in.DecodeLetter()
	if err != nil {
		return nil, err
	}
	if body.Test {
		return nil, fmt.Errorf("%w: letter %d of %s was a test, of which nothing came", ErrNoReceipt, n, game)
	}
	r := &Receipt{Game: game, N: n, At: in.At, Seat: in.Seat, Lines: body.Orders}
	if fmt.Sprintf("%d-%s", n, hash) != r.String() {
		return nil, fmt.Errorf("%w: letter %d of %s has the receipt %s", ErrNoReceipt, n, game, r)
	}
	return r, nil
}
