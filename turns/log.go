package turns

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"arroba/orders"
	"arroba/rules"
	"arroba/store"
	"arroba/templates"
)

// The kinds of inputs.
const (
	kindOpen   = "open"
	kindLetter = "letter"
	kindDue    = "due"
	kindSet    = "set"   // settings were changed
	kindPause  = "pause" // the engine made one
	kindBack   = "back"  // orders of a post were taken back, because it says so no more
)

// Input is one entry of a game's log: what came in and what came of it.
type Input struct {
	N      int64 // from 1; 0 is the opening
	Kind   string
	At     time.Time
	Inbox  string     // of a letter: its row
	Seat   rules.Seat // of a letter: the writer
	Body   []byte     // JSON: an OpenBody, a LetterBody, a DueBody, a SetBody, a PauseBody or a BackBody
	Events []byte     // JSON: a list of Events
	Chain  []byte     // SHA-256 over the chain before and all of the above but N

	letter *LetterBody // decoded ahead; nil when it was not
	lastN  int64       // number of the last event up to here
	round  int         // that the game stood in after it, 0 in games without rounds
}

// Event is an event of the log, in the shape that simulate prints.
type Event struct {
	N        int64           `json:"n"`
	Type     string          `json:"type"`
	At       time.Time       `json:"at"`
	Rule     string          `json:"rule"`
	Audience []string        `json:"audience"` // tavern, gm, copies, member:<seat>
	Data     json.RawMessage `json:"data"`

	asked []rules.Seat // whom it asks something; known only when it has just happened
}

// LetterBody is what the log keeps of a letter: all that is needed to play it again.
type LetterBody struct {
	Via    string       `json:"via"`           // mail, post or command
	Who    string       `json:"who,omitempty"` // gave the orders at the command line, in the writer's seat
	Role   rules.Role   `json:"role"`
	Letter rules.Letter `json:"letter"`
	Orders []Ruled      `json:"orders"`
	Test   bool         `json:"test,omitempty"`   // it was tried on a copy, and nothing came of it
	Barred bool         `json:"barred,omitempty"` // all of it was refused, for where or when it stands
	Done   []Said       `json:"done,omitempty"`   // lines of it that were carried out when the post that it is said less: they are not ruled on again
	Now    time.Time    `json:"now,omitzero"`     // when the engine came to it, of a letter that was read late
}

// DueBody is what the log keeps of what happened by itself.
type DueBody struct {
	rules.Due
	Now time.Time `json:",omitzero"` // when the engine came to it, of what fired late
}

// PauseBody is what the log keeps of a pause that the engine made.
type PauseBody struct {
	Players []rules.Seat `json:"players"` // who was mailed of it
	Data    rules.Data   `json:"data"`    // of the event
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
	Again   []Again             `json:"again,omitempty"`  // of a REDO: what it gave again, and what came of it
}

// line is the line as receipts and pages show it.
func (r Ruled) line(reason string) templates.Line {
	return templates.Line{Line: r.Line, Verdict: r.Verdict, Rule: r.Rule, Reason: reason}
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
		out[i] = Event{N: n + int64(i) + 1, Type: ev.Type, At: at.UTC(), Rule: ev.Rule, Audience: audience(ev.To), Data: b, asked: ev.To.Asked}
	}
	return out, nil
}

// chained is the hash over the log up to this input, which binds all of it.
func (in *Input) chained(before []byte) []byte {
	h := sha256.New()
	at := strconv.AppendInt(nil, store.Micro(in.At), 10)
	for _, part := range [][]byte{before, []byte(in.Kind), at, []byte(in.Inbox), []byte(in.Seat), in.Body, in.Events} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		h.Write(part)
	}
	return h.Sum(nil)
}

// OpenBody is what the log keeps of the opening: the hash of the state that it begins with, which snapshot 0 holds.
type OpenBody struct {
	State string `json:"state"` // SHA-256 in hex
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
	rows, err := q.QueryContext(ctx, `SELECT n, kind, at, inbox, seat, last_n, round, body, events, chain FROM input WHERE `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("reading the log: %w", err)
	}
	defer rows.Close()
	var list []Input
	for rows.Next() {
		var in Input
		var at int64
		if err := rows.Scan(&in.N, &in.Kind, &at, &in.Inbox, &in.Seat, &in.lastN, &in.round, &in.Body, &in.Events, &in.Chain); err != nil {
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

// decodeAhead decodes a letter for a DecodeLetter to come, which says what is wrong with it.
func (in *Input) decodeAhead() {
	if in.Kind != kindLetter {
		return
	}
	if body, err := in.DecodeLetter(); err == nil {
		in.letter = &body
	}
}

// DecodeLetter returns what the log keeps of a letter.
func (in *Input) DecodeLetter() (LetterBody, error) {
	if in.letter != nil {
		return *in.letter, nil
	}
	var body LetterBody
	if err := json.Unmarshal(in.Body, &body); err != nil {
		return body, fmt.Errorf("reading the letter of input %d: %w", in.N, err)
	}
	return body, nil
}

// DecodeSet returns what the log keeps of a change of settings.
func (in *Input) DecodeSet() (SetBody, error) {
	var body SetBody
	if err := json.Unmarshal(in.Body, &body); err != nil {
		return body, fmt.Errorf("reading the settings of input %d: %w", in.N, err)
	}
	return body, nil
}

// CheckLog is CheckChain on the game as it stands at one moment, whatever is written to it meanwhile.
func (e *Engine) CheckLog(ctx context.Context, game string) error {
	tx, err := e.DB.Read().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("checking the log of %s: %w", game, err)
	}
	defer tx.Rollback()
	return CheckChain(ctx, tx, game)
}

// CheckChain reads the whole log of a game and compares its hashes. The error names the first input that was changed
// after it was written.
func CheckChain(ctx context.Context, q Queryer, game string) error {
	g, err := LoadGame(ctx, q, game)
	if err != nil {
		return err
	}
	if g.Forming() {
		return nil
	}
	if err := g.checkOpening(ctx, q); err != nil {
		return err
	}
	var last Input
	for next := int64(0); ; {
		list, err := Inputs(ctx, q, game, next-1, 500)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return g.checkEnd(&last)
		}
		for i := range list {
			if err := list[i].check(next, last.Chain); err != nil {
				return fmt.Errorf("the log of %s: %w", game, err)
			}
			last, next = list[i], next+1
		}
	}
}

// check compares an input with the number and the hash that it should have.
func (in *Input) check(n int64, before []byte) error {
	if in.N != n {
		return fmt.Errorf("input %d is not there", n)
	}
	if !bytes.Equal(in.Chain, in.chained(before)) {
		return fmt.Errorf("input %d was changed after it was written", n)
	}
	return nil
}

// checkEnd compares the last input of the log with where the game stands.
func (g *Game) checkEnd(last *Input) error {
	if last.N != g.LastInput || !bytes.Equal(last.Chain, g.chain) {
		return fmt.Errorf("the log of %s ends at input %d, and the game stands after input %d", g.Name, last.N, g.LastInput)
	}
	if last.lastN != g.LastN {
		return fmt.Errorf("the log of %s ends at event %d, and the game stands after event %d", g.Name, last.lastN, g.LastN)
	}
	return nil
}

// checkOpening compares the state that the game was opened with with its hash in the log.
func (g *Game) checkOpening(ctx context.Context, q Queryer) error {
	var body, state []byte
	err := q.QueryRowContext(ctx, `SELECT input.body, snapshot.state FROM input JOIN snapshot ON snapshot.game = input.game AND snapshot.n = input.n
		WHERE input.game = $1 AND input.n = 0`, g.Name).Scan(&body, &state)
	if err != nil {
		return fmt.Errorf("reading the opening of %s: %w", g.Name, err)
	}
	var open OpenBody
	if err := json.Unmarshal(body, &open); err != nil {
		return fmt.Errorf("reading the opening of %s: %w", g.Name, err)
	}
	if sum := sha256.Sum256(state); open.State != hex.EncodeToString(sum[:]) {
		return fmt.Errorf("the state that %s was opened with was changed after it was written", g.Name)
	}
	return nil
}
