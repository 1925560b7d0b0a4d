package turns

import (
	"cmp"
	"time"

	"arroba/ingest/letter"
	"arroba/outbox"
	"arroba/store"
)

// tally is something counted for an address in a stretch of time.
type tally struct {
	what  string
	who   string // folded
	since int64  // when the hour or day began, in seconds since 1970
}

// What is counted.
const (
	answersHour = "answers an hour"
	answersDay  = "answers a day"
	errorsHour  = "errors an hour" // answers that say of everything that it could not be done
	lettersHour = "letters an hour"
	brakeTold   = "told of the brake"
)

const (
	hour = time.Hour
	day  = 24 * time.Hour
)

func tallyOf(what, address string, at time.Time, window time.Duration) tally {
	return tally{what, foldAddress(address), at.Truncate(window).Unix()}
}

// counted is how often something was counted, and counts it once more.
func (w *work) counted(t tally) int {
	n := w.e.counts[t] + w.counts[t]
	w.counts[t]++
	return n
}

// keepCounts adds what a transaction counted, once it has committed: a letter that is taken up again after a failure
// counts once. What is older than two days is let go when there is much.
func (e *Engine) keepCounts(w *work) {
	for t, n := range w.counts {
		e.counts[t] += n
	}
	if len(e.counts) < maxCounts {
		return
	}
	old := w.now.Add(-2 * day).Unix()
	for t := range e.counts {
		if t.since < old {
			delete(e.counts, t)
		}
	}
}

const maxCounts = 10000

// mayAnswer is the gate that every answer to a letter passes: machines are not answered, and two that answer each other
// must come to an end all the same, so one address gets only so many answers. Brakes stop answers, never orders. Failed
// is an answer that says of everything that it could not be done. The GM is told when a brake closes, once a day.
func (w *work) mayAnswer(a *arrival, game, to string, failed bool) bool {
	if !a.person() || letter.Robot(to) {
		w.e.Log.Info("a machine is not answered", "game", game, "to", to, "letter", a.entry.ID)
		return false
	}
	l := w.e.limits(game)
	var open []tally
	for _, b := range []struct {
		limit  int
		window time.Duration
		what   string
	}{{l.AnswersHour, hour, answersHour}, {l.AnswersDay, day, answersDay}, {l.ErrorsHour, hour, errorsHour}} {
		if b.limit == 0 || b.what == errorsHour && !failed {
			continue
		}
		t := tallyOf(b.what, to, a.entry.Arrived, b.window)
		w.remember(t, to, b.window)
		if w.e.counts[t]+w.counts[t] >= b.limit {
			w.brakeClosed(game, to, b.what, b.limit)
			return false
		}
		open = append(open, t)
	}
	for _, t := range open {
		w.counts[t]++
	}
	return true
}

// person tells whether a letter is a person's. One that cannot be read may be, and is none of the machines' that are
// known as such.
func (a *arrival) person() bool {
	class := letter.Class(cmp.Or(a.entry.Class, string(a.read.Class)))
	return class == letter.Orders || class == letter.Malformed
}

// remember counts what an address was answered before this program started, as far as its last thousand mails tell.
func (w *work) remember(t tally, to string, window time.Duration) {
	if _, known := w.e.counts[t]; known {
		return
	}
	kind := outbox.Question
	if t.what != errorsHour {
		kind = ""
	}
	since := time.Unix(t.since, 0)
	var n int
	err := w.tx.QueryRowContext(w.ctx, `SELECT COUNT(*) FROM (SELECT kind, created, item FROM outbox WHERE recipient = $1 ORDER BY seq DESC LIMIT 1000) AS last
		WHERE created >= $2 AND created < $3 AND (kind = $4 OR $4 = '') AND item LIKE '%"auto":"auto-replied"%'`, to, store.Micro(since), store.Micro(since.Add(window)), kind).Scan(&n)
	if err != nil { // the transaction will not commit either
		w.e.Log.Error("earlier answers could not be counted", "to", to, "error", err)
	}
	w.e.counts[t] = n
}

// brakeClosed logs that an answer was stopped, and tells the GMs of it once a day for each address.
func (w *work) brakeClosed(game, to, what string, limit int) {
	w.e.Log.Warn("an answer is not sent: there were too many to this address", "game", game, "to", to, "brake", what, "limit", limit)
	if w.counted(tallyOf(brakeTold, to, w.now, day)) > 0 {
		return
	}
	data := map[string]any{"address": to, "limit": limit, "what": what}
	if game == "" {
		w.alarm("brake-closed", data)
		return
	}
	if err := w.tellGMsOf(game, "brake-closed", data); err != nil {
		w.e.Log.Error("the GM cannot be told of a brake", "game", game, "error", err)
	}
}
