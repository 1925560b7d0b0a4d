package turns

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"arroba/orders"
	"arroba/rules"
	"arroba/store"
)

// The kinds of inputs.
const (
	kindOpen   = "open"
	kindLetter = "letter"
	kindDue    = "due"
)

// Input is one entry of a game's log: what came in and what came of it.
type Input struct {
	N      int64 // from 1; 0 is the opening
	Kind   string
	At     time.Time
	Inbox  string     // of a letter: its row
	Seat   rules.Seat // of a letter: the writer
	Body   []byte     // JSON: a LetterBody, or a rules.Due
	Events []byte     // JSON: a list of Events
	Chain  []byte     // SHA-256 over the chain before, Body and Events
}

// Event is an event of the log, in the shape that simulate prints.
type Event struct {
	N        int64           `json:"n"`
	Type     string          `json:"type"`
	At       time.Time       `json:"at"`
	Rule     string          `json:"rule"`
	Audience []string        `json:"audience"` // tavern, gm, copies, member:<seat>
	Data     json.RawMessage `json:"data"`
}

// LetterBody is what the log keeps of a letter: all that is needed to play it again.
type LetterBody struct {
	Via    string       `json:"via"`
	Role   rules.Role   `json:"role"`
	Letter rules.Letter `json:"letter"`
	Orders []Ruled      `json:"orders"`
	Test   bool         `json:"test,omitempty"` // it was tried on a copy, and nothing came of it
}

// Ruled is one line of a letter with what became of it: an order that was understood, or an unclear one.
type Ruled struct {
	Line    string              `json:"line"`
	Order   *orders.Order       `json:"order,omitempty"`
	Unclear *orders.Unclearness `json:"unclear,omitempty"`
	Verdict orders.Verdict      `json:"verdict"`
	Rule    string              `json:"rule"`
	Why     string              `json:"why,omitempty"`
	Data    rules.Data          `json:"data,omitempty"`
	Reason  string              `json:"reason,omitempty"` // as the writer read it
	By      *rules.Actor        `json:"by,omitempty"`     // of an order given on a member's behalf
}

const memberPrefix = "member:"

// audience lists who may learn of an event.
func audience(a rules.Audience) []string {
	list := []string{}
	if a.Tavern {
		list = append(list, "tavern")
	}
	if a.GM {
		list = append(list, "gm")
	}
	if a.Copies {
		list = append(list, "copies")
	}
	for _, s := range a.Members {
		list = append(list, memberPrefix+string(s))
	}
	return list
}

// numbered makes events of the log out of what the rules produced, numbered after n.
func numbered(list []rules.Event, n int64, at time.Time) ([]Event, error) {
	out := make([]Event, len(list))
	for i, ev := range list {
		data := ev.Data
		if data == nil {
			data = rules.Data{}
		}
		b, err := plain(data)
		if err != nil {
			return nil, fmt.Errorf("writing the event %s: %w", ev.Type, err)
		}
		out[i] = Event{N: n + int64(i) + 1, Type: ev.Type, At: at.UTC(), Rule: ev.Rule, Audience: audience(ev.To), Data: b}
	}
	return out, nil
}

// chained is the hash over the log up to an input.
func chained(before, body, events []byte) []byte {
	h := sha256.New()
	h.Write(before)
	h.Write(body)
	h.Write(events)
	return h.Sum(nil)
}

// plain encodes without HTML escapes, so that the log reads as it was written.
func plain(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Queryer is a transaction or a pool.
type Queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Inputs returns the inputs of a game numbered above after, oldest first, at most limit.
func Inputs(ctx context.Context, q Queryer, game string, after int64, limit int) ([]Input, error) {
	return inputs(ctx, q, `game = $1 AND n > $2 ORDER BY n LIMIT $3`, game, after, limit)
}

// LastInputs returns the inputs of a game numbered up to last, newest first, at most limit.
func LastInputs(ctx context.Context, q Queryer, game string, last int64, limit int) ([]Input, error) {
	return inputs(ctx, q, `game = $1 AND n <= $2 ORDER BY n DESC LIMIT $3`, game, last, limit)
}

func inputs(ctx context.Context, q Queryer, where string, args ...any) ([]Input, error) {
	rows, err := q.QueryContext(ctx, `SELECT n, kind, at, inbox, seat, body, events, chain FROM input WHERE `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("reading the log: %w", err)
	}
	defer rows.Close()
	var list []Input
	for rows.Next() {
		var in Input
		var at int64
		if err := rows.Scan(&in.N, &in.Kind, &at, &in.Inbox, &in.Seat, &in.Body, &in.Events, &in.Chain); err != nil {
			return nil, fmt.Errorf("reading the log: %w", err)
		}
		in.At = store.Time(at)
		list = append(list, in)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading the log: %w", err)
	}
	return list, nil
}

// DecodeEvents returns the events of an input.
func (in *Input) DecodeEvents() ([]Event, error) {
	var list []Event
	if err := json.Unmarshal(in.Events, &list); err != nil {
		return nil, fmt.Errorf("reading the events of input %d: %w", in.N, err)
	}
	return list, nil
}

// DecodeLetter returns what the log keeps of a letter.
func (in *Input) DecodeLetter() (LetterBody, error) {
	var body LetterBody
	if err := json.Unmarshal(in.Body, &body); err != nil {
		return body, fmt.Errorf("reading the letter of input %d: %w", in.N, err)
	}
	return body, nil
}

// CheckChain reads the whole log of a game and compares its hashes. The error names the first input that was changed
// after it was written.
func CheckChain(ctx context.Context, q Queryer, game string) error {
	var before []byte
	for next := int64(0); ; {
		list, err := Inputs(ctx, q, game, next-1, 500)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, in := range list {
			if in.N != next {
				return fmt.Errorf("the log of %s lacks input %d", game, next)
			}
			if !bytes.Equal(in.Chain, chained(before, in.Body, in.Events)) {
				return fmt.Errorf("the log of %s was changed at input %d", game, in.N)
			}
			before, next = in.Chain, next+1
		}
	}
}
