package turns

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"arroba/rules"
)

// Checked is what VerifyDice found.
type Checked struct {
	Draws  int      // that the seed gives
	Wrong  []string // what it does not give, in sentences
	Unseen []string // draws that were made and that no event tells of, likewise

	dice     *rules.Dice // which draws along, to see what is left out
	counters map[string]uint64
}

// ErrSeedSecret says that the seed of a game was not shown yet.
var ErrSeedSecret = errors.New("the game has not shown its seed: that happens when it ends")

// VerifyDice works out again every draw that events tell of, and whether the hash that the game published at its
// opening is that of its seed; "" is the seed that the game has shown. Events calls its argument for all events of the
// game, and is called twice.
func VerifyDice(game, seed string, events func(func(Event) error) error) (c Checked, err error) {
	if seed == "" {
		err := events(func(ev Event) error {
			if ev.Type != "seed-shown" {
				return nil
			}
			var shown struct{ Seed string }
			err := json.Unmarshal(ev.Data, &shown)
			seed = shown.Seed
			return err
		})
		if err != nil {
			return c, fmt.Errorf("looking for the seed of %s: %w", game, err)
		}
		if seed == "" {
			return c, ErrSeedSecret
		}
	}
	c.counters = map[string]uint64{}
	c.dice = rules.NewDice(seed, game, c.counters)
	committed := ""
	err = events(func(ev Event) error { return c.see(game, seed, ev, &committed) })
	if err != nil {
		return c, fmt.Errorf("checking the draws of %s: %w", game, err)
	}
	sum := sha256.Sum256([]byte(seed))
	switch hash := hex.EncodeToString(sum[:]); {
	case committed == "":
		c.Wrong = append(c.Wrong, "The game published no hash of its seed.")
	case committed != hash:
		c.Wrong = append(c.Wrong, fmt.Sprintf("The hash of the seed is %s, and the game published %s.", hash, committed))
	}
	return c, nil
}

// see looks at one event.
func (c *Checked) see(game, seed string, ev Event, committed *string) error {
	var d struct {
		Round              int
		Purpose            *string
		Counter, Of, Value *uint64
		Hash               string
	}
	switch err := json.Unmarshal(ev.Data, &d); {
	case ev.Type == "seed-committed":
		*committed = d.Hash
		return err
	case err != nil || d.Purpose == nil || d.Counter == nil || d.Of == nil || d.Value == nil:
		return nil // no draw
	}
	draw := rules.Draw{Purpose: *d.Purpose, Counter: *d.Counter, Of: *d.Of, Value: *d.Value}
	if draw.Holds(seed, game, d.Round) {
		c.Draws++
		c.follow(ev.N, d.Round, draw)
		return nil
	}
	c.Wrong = append(c.Wrong, fmt.Sprintf("Event %d: the seed does not give %d of %d for draw %d of %q in round %d.",
		ev.N, draw.Value, draw.Of, draw.Counter, draw.Purpose, d.Round))
	return nil
}

// follow looks whether a draw is the one that comes after those before it.
func (c *Checked) follow(n int64, round int, draw rules.Draw) {
	if c.dice.Draw(round, draw.Purpose, draw.Of) != draw {
		c.Unseen = append(c.Unseen, fmt.Sprintf("Event %d: draw %d of %q in round %d is not the next one; no event tells of what was drawn between.",
			n, draw.Counter, draw.Purpose, round))
	}
	c.counters[fmt.Sprintf("%d/%s", round, draw.Purpose)] = draw.Counter
}

// EachEvent calls f for every event of a game's log, in their order.
func EachEvent(ctx context.Context, q Queryer, game string, f func(Event) error) error {
	for after := int64(-1); ; {
		list, err := Inputs(ctx, q, game, after, 500)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			events, err := list[i].DecodeEvents()
			if err != nil {
				return err
			}
			for _, ev := range events {
				if err := f(ev); err != nil {
					return err
				}
			}
			after = list[i].N
		}
	}
}
