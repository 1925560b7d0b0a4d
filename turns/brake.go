package turns

import "time"

// brake limits how many answers an address gets in an hour: two machines that answer each other must come to an end.
// Letters are ruled on all the same. It is kept in memory; a restart lets go of it.
type brake struct {
	hour  time.Time
	count map[string]int
}

// pass tells whether one more answer may go to an address, and counts it. A limit of 0 lets all pass.
func (b *brake) pass(address string, now time.Time, limit int) bool {
	if limit == 0 {
		return true
	}
	if hour := now.Truncate(time.Hour); !hour.Equal(b.hour) {
		b.hour, b.count = hour, map[string]int{}
	}
	b.count[foldAddress(address)]++
	return b.count[foldAddress(address)] <= limit
}

// mayAnswer applies the engine's brake, and logs an answer that it stops.
func (w *work) mayAnswer(game, address string) bool {
	if w.e.brake.pass(address, w.now, w.e.Answers) {
		return true
	}
	w.e.Log.Warn("an answer is not sent: there were too many to this address within an hour", "game", game, "to", address, "limit", w.e.Answers)
	return false
}
