package turns

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"arroba/orders"
	"arroba/outbox"
	"arroba/rules"
)

// Entry is an input of the log as people are shown it. Its JSON is what "arroba game log --json" prints.
type Entry struct {
	N       int64       `json:"n"`
	Kind    string      `json:"kind"` // open, letter, due, set, pause or back
	At      time.Time   `json:"at"`
	By      rules.Seat  `json:"by,omitempty"`     // the writer, "" for one who wrote without a name
	Who     string      `json:"who,omitempty"`    // did it at the command line
	Via     string      `json:"via,omitempty"`    // mail, post or command
	Letter  string      `json:"letter,omitempty"` // id in the inbox
	Test    bool        `json:"test,omitempty"`
	Receipt string      `json:"receipt,omitempty"`
	Due     *rules.Due  `json:"due,omitempty"`
	Orders  []RuledLine `json:"orders,omitempty"`
	Back    []string    `json:"back,omitempty"`    // orders that were taken back because the post that gave them says so no more
	Changes []Changed   `json:"changes,omitempty"` // of settings
	Events  []Event     `json:"events"`
	Undone  []int64     `json:"undone,omitempty"` // numbers of those that a rollback has undone since, once marked
}

// RuledLine is a line of a letter with what became of it.
type RuledLine struct {
	Line    string         `json:"line"`
	Verdict orders.Verdict `json:"verdict"`
	Rule    string         `json:"rule"`
	Reason  string         `json:"reason"`
	For     rules.Seat     `json:"for,omitempty"`    // on whose behalf a GM gave it
	Undone  bool           `json:"undone,omitempty"` // by a rollback since, once marked

	order *orders.Order
	at    point // just after it
}

// Entry is the input as people are shown it. Who wrote a letter without a name is not told: of a letter with other
// orders too, that part and what came of it are left out; of any other, the writer is.
func (in *Input) Entry(game string) (Entry, error) {
	e := Entry{N: in.N, Kind: in.Kind, At: in.At}
	var err error
	if e.Events, err = in.DecodeEvents(); err != nil {
		return e, err
	}
	switch in.Kind {
	case kindDue:
		e.Due = &rules.Due{}
		err = json.Unmarshal(in.Body, e.Due)
	case kindLetter:
		err = in.letterEntry(game, &e)
	case kindBack:
		var b BackBody
		err = json.Unmarshal(in.Body, &b)
		e.By, e.Via, e.Letter, e.Back = in.Seat, viaPost, in.Inbox, backLines(b.Orders)
	case kindSet:
		var b SetBody
		b, err = in.DecodeSet()
		e.Who, e.Via, e.Changes = b.Who, viaCommand, b.Changes
	}
	if err != nil {
		return e, fmt.Errorf("reading input %d: %w", in.N, err)
	}
	return e, nil
}

func (in *Input) letterEntry(game string, e *Entry) error {
	body, err := in.DecodeLetter()
	if err != nil {
		return err
	}
	unsigned := false
	for i, r := range body.Orders {
		if r.Order != nil && r.Order.Form == formPress && r.Order.Is("anonymous") {
			unsigned = true
			continue
		}
		l := RuledLine{Line: r.Line, Verdict: r.Verdict, Rule: r.Rule, Reason: r.Reason, order: r.Order, at: point{in.N, i + 1}}
		if r.By != nil {
			l.For = r.By.Seat
		}
		e.Orders = append(e.Orders, l)
		for _, a := range r.Again {
			for _, given := range a.Orders {
				e.Orders = append(e.Orders, RuledLine{Line: given.Line, Verdict: given.Verdict, Rule: given.Rule, Reason: given.Reason, For: given.By.Seat,
					order: given.Order, at: point{in.N, i + 1}})
			}
		}
	}
	if unsigned && len(e.Orders) == 0 {
		for i := range e.Events {
			e.Events[i].Audience = nil // it lacks him
		}
		return nil
	}
	if unsigned {
		e.Events = slices.DeleteFunc(e.Events, func(ev Event) bool { return ev.unsigned() })
	}
	e.By, e.Who, e.Via, e.Letter, e.Test = in.Seat, body.Who, body.Via, in.Inbox, body.Test
	if !body.Test && !unsigned {
		e.Receipt = Receipt{Game: game, N: in.N, Seat: in.Seat, Lines: body.Orders}.String()
	}
	return nil
}

// unsigned tells whether an event is a letter without a name.
func (ev Event) unsigned() bool {
	var data struct {
		Anonymous bool `json:"anonymous"`
	}
	return ev.Type == outbox.Press && json.Unmarshal(ev.Data, &data) == nil && data.Anonymous
}
