package rules

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
)

// Dice draws by chance, in a way that anyone who has the seed can check: each draw is named by its round and purpose,
// so that the order of draws does not matter. Counters are part of a game's state and go on where they stood.
type Dice struct {
	seed     string
	game     string
	counters map[string]uint64 // by round and purpose, of draws made
}

// NewDice returns the dice of a game. Counters may be nil; they are changed in place by Draw.
func NewDice(seed, game string, counters map[string]uint64) *Dice {
	if counters == nil {
		counters = map[string]uint64{}
	}
	return &Dice{seed: seed, game: game, counters: counters}
}

// Draw is one draw, as a game's log shows it.
type Draw struct {
	Purpose string `json:"purpose"`
	Counter uint64 `json:"counter"`
	Of      uint64 `json:"of"`
	Value   uint64 `json:"value"`
}

// Draw returns a value from 0 to of-1. It panics when of is 0. The round is 0 in games without rounds.
func (d *Dice) Draw(round int, purpose string, of uint64) Draw {
	if of == 0 {
		panic("rules: a draw of nothing: " + purpose)
	}
	key := fmt.Sprintf("%d/%s", round, purpose)
	limit := ^uint64(0) - (^uint64(0)%of+1)%of // the last value below the largest multiple of `of`
	for {
		d.counters[key]++
		n := d.counters[key]
		if v := d.number(round, purpose, n); v <= limit {
			return Draw{Purpose: purpose, Counter: n, Of: of, Value: v % of}
		}
	}
}

// Holds tells whether the draw is the one that a seed gives in a game's round.
func (d Draw) Holds(seed, game string, round int) bool {
	if d.Of == 0 || d.Counter == 0 {
		return false
	}
	before := map[string]uint64{fmt.Sprintf("%d/%s", round, d.Purpose): d.Counter - 1}
	return NewDice(seed, game, before).Draw(round, d.Purpose, d.Of) == d
}

// number is the first 8 bytes of HMAC-SHA-256(seed, game 0 round 0 purpose 0 counter), big endian.
func (d *Dice) number(round int, purpose string, counter uint64) uint64 {
	mac := hmac.New(sha256.New, []byte(d.seed))
	mac.Write([]byte(d.game + "\x00" + strconv.Itoa(round) + "\x00" + purpose + "\x00" + strconv.FormatUint(counter, 10)))
	return binary.BigEndian.Uint64(mac.Sum(nil))
}
