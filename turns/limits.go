package turns

import (
	"cmp"
	"fmt"

	"arroba/ingest"
	"arroba/ingest/letter"
	"arroba/rules"
)

// Limits bound what a letter and its sender may cost. A zero is no limit; of what a letter may have, it is the reader's
// own.
type Limits struct {
	Size  int64 // bytes of a letter
	Parts int   // parts of a letter, attachments among them
	Lines int   // lines of a letter's own text

	Unclear     int // unclear lines that a receipt lists; all are counted
	Guesses     int // wrong tokens and passwords in a member's name within an hour, after which none is looked at
	Letters     int // that one sender's orders are taken from in an hour; those above wait on the desk
	PressDay    int // of a member's letters to others, but a GM's, that are passed on in a day (UTC)
	AnswersHour int // that one address gets
	AnswersDay  int
	ErrorsHour  int // of those that say of everything that it could not be done
}

// limits are those of a game.
func (e *Engine) limits(game string) Limits {
	if l, ok := e.GameLimits[game]; ok {
		return l
	}
	return e.Limits
}

// tooMany puts a letter on the desk whose sender has written too many within an hour, by their arrival. He is told
// with the first of them, and the GM too.
func (w *work) tooMany(a *arrival, game *Game) (bool, error) {
	limit := w.e.limits(game.Name).Letters
	if limit == 0 || a.retried || a.entry.Via != viaMail {
		return false, nil
	}
	n := w.counted(tallyOf(lettersHour, a.entry.Sender, a.entry.Arrived, hour))
	if n < limit {
		return false, nil
	}
	a.settle(ingest.Desk, fmt.Sprintf("over the limit of %d letters an hour", limit))
	if n > limit {
		return true, nil
	}
	w.brakeClosed(game.Name, a.entry.Sender, lettersHour, limit)
	return true, w.sayOver(a, game, a.seat, map[string]any{"over": "letters", "limit": limit})
}

// unread keeps a letter that cannot be read, and shows it to a person. If it is over a limit, its writer is told which
// and what to do.
func (w *work) unread(a *arrival, b *book) error {
	a.settle(ingest.Failed, a.problems())
	if err := w.showUnread(a, b); err != nil {
		return err
	}
	if a.entry.Class == string(letter.Duplicate) {
		return nil
	}
	game := b.byName(a.entry.Game)
	if a.lost && game != nil { // the server keeps it from us: that is for the operator
		w.alarm("letter-unread", a.shown())
	}
	if a.read.Over == "" || game == nil {
		return nil
	}
	return w.sayOver(a, game, b.writer(a, game.Name), w.e.overLimit(a))
}

// overLimit is the limit that a letter is over, as its writer is told it.
func (e *Engine) overLimit(a *arrival) map[string]any {
	over := string(a.read.Over)
	switch {
	case a.read.Over == letter.LimitParts:
		return map[string]any{"over": over, "limit": cmp.Or(e.Limits.Parts, letter.DefaultMaxParts)}
	case a.read.Over == letter.LimitLines:
		return map[string]any{"over": over, "limit": cmp.Or(e.Limits.Lines, letter.DefaultMaxLines)}
	case a.maxSize < 1<<20:
		return map[string]any{"over": over, "limit": a.maxSize >> 10, "kb": true}
	}
	return map[string]any{"over": over, "limit": a.maxSize >> 20, "kb": false}
}

// sayOver tells the writer of a letter, if he is a member, which limit it is over.
func (w *work) sayOver(a *arrival, game *Game, seat rules.Seat, over map[string]any) error {
	g, err := w.members(game.Name)
	if err != nil {
		return err
	}
	if m := g.seat(seat); m != nil && m.mail() != "" {
		over["subject"], over["arrived"] = a.read.Subject, a.entry.Arrived
		w.ask(g, m, a.answerTo(m), a, "letter-over", over)
	}
	return nil
}

// shown is what is told of a letter to the person who is to look at it.
func (a *arrival) shown() map[string]any {
	return map[string]any{"from": a.read.From, "subject": a.read.Subject, "why": a.entry.Note, "id": a.entry.ID, "arrived": a.entry.Arrived}
}
