package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"arroba/ingest"
	"arroba/outbox"
	"arroba/store"
	"arroba/turns"
)

// stage follows a game and shows, scene by scene, what happened since the last one.
type stage struct {
	db     *store.DB
	engine *turns.Engine
	game   string
	input  int64 // the last one shown
	seq    int64 // the last item of the outbox shown
}

// newStage returns a stage on which everything up to now has been shown.
func newStage(ctx context.Context, db *store.DB, engine *turns.Engine, game string) (*stage, error) {
	s := &stage{db: db, engine: engine, game: game, input: -1}
	_, err := s.next(ctx, nil)
	return s, err
}

// scene is what came of one letter or one tick. Its JSON is a public interface.
type scene struct {
	ID     string        `json:"id"`
	At     time.Time     `json:"at"`
	By     *string       `json:"by"`
	Orders []ruled       `json:"orders"`
	Events []turns.Event `json:"events"`
	Out    []told        `json:"out"`

	letter *ingest.Row // nil for a tick
}

type ruled struct {
	Line    string `json:"line"`
	Verdict string `json:"verdict"`
	Rule    string `json:"rule"`
	Reason  string `json:"reason"`
}

type told struct {
	At      time.Time `json:"at"`
	To      string    `json:"to"`
	Via     string    `json:"via"`
	Kind    string    `json:"kind,omitempty"`
	Subject string    `json:"subject,omitempty"`
	Text    string    `json:"text"`
}

// next returns what happened since the last scene; the letter, if one is given, is what it came of.
func (s *stage) next(ctx context.Context, letter *turns.Outcome) (scene, error) {
	sc := scene{Orders: []ruled{}, Events: []turns.Event{}, Out: []told{}}
	for {
		inputs, err := turns.Inputs(ctx, s.db.Read(), s.game, s.input, 100)
		if err != nil {
			return sc, err
		}
		if len(inputs) == 0 {
			break
		}
		for _, in := range inputs {
			if err := sc.add(in, letter); err != nil {
				return sc, err
			}
			s.input = in.N
		}
	}
	items, err := outbox.Since(ctx, s.db.Read(), s.seq)
	if err != nil {
		return sc, err
	}
	for _, it := range items {
		sc.tell(it)
		s.seq = it.Seq
	}
	if letter == nil {
		return sc, s.held(ctx)
	}
	if letter.Seat != "" {
		by := string(letter.Seat)
		sc.By = &by
	}
	entry, err := ingest.Show(ctx, s.db.Read(), letter.Inbox)
	if err != nil {
		return sc, err
	}
	sc.letter = &entry
	return sc, s.held(ctx)
}

// held returns an error when the game is held: then its story cannot go on.
func (s *stage) held(ctx context.Context) error {
	g, err := turns.LoadGame(ctx, s.db.Read(), s.game)
	if err == nil && g.Held != "" {
		err = fmt.Errorf("the game is held: %s", g.Held)
	}
	return err
}

func (sc *scene) add(in turns.Input, letter *turns.Outcome) error {
	events, err := in.DecodeEvents()
	if err != nil {
		return err
	}
	sc.Events = append(sc.Events, events...)
	if letter == nil || in.Kind != "letter" || in.N != letter.Input {
		return nil
	}
	body, err := in.DecodeLetter()
	for _, r := range body.Orders {
		sc.Orders = append(sc.Orders, ruled{r.Line, string(r.Verdict), r.Rule, r.Reason})
	}
	return err
}

func (sc *scene) tell(it outbox.Item) {
	t := told{At: it.Date, To: it.To, Via: it.Via, Text: it.Text}
	if it.Via == "mail" {
		t.Kind, t.Subject = it.Kind, it.Subject
	}
	sc.Out = append(sc.Out, t)
}

// write shows the scene to a person.
func (sc *scene) write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "═══ %s  %s ", sc.ID, sc.At.Format("Monday, 2 January 2006, 15:04:05 MST"))
	b.WriteString(strings.Repeat("═", 20) + "\n\n")
	sc.writeLetter(&b)
	for _, o := range sc.Orders {
		fmt.Fprintf(&b, "    %-9s %s%s\n", o.Verdict, o.Line, inBrackets(o.Rule))
		if o.Reason != "" {
			fmt.Fprintf(&b, "              %s\n", o.Reason)
		}
	}
	if len(sc.Orders) > 0 {
		b.WriteByte('\n')
	}
	for _, ev := range sc.Events {
		fmt.Fprintf(&b, "  * %s%s %s\n", ev.Type, inBrackets(ev.Rule), facts(ev.Data))
	}
	if len(sc.Events) > 0 {
		b.WriteByte('\n')
	}
	for _, t := range sc.Out {
		t.write(&b)
	}
	if len(sc.Events)+len(sc.Out) == 0 {
		b.WriteString("  Nothing happens.\n\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (sc *scene) writeLetter(b *strings.Builder) {
	if sc.letter == nil {
		b.WriteString("  Time passes.\n\n")
		return
	}
	who := sc.letter.Sender
	if sc.By != nil {
		who = *sc.By
	}
	verb := "writes"
	if sc.letter.Via == "post" {
		verb = "posts"
	}
	fmt.Fprintf(b, "  %s %s: %q\n", who, verb, sc.letter.Subject)
	if sc.letter.Note != "" {
		fmt.Fprintf(b, "    (%s)\n", sc.letter.Note)
	}
	b.WriteByte('\n')
}

func (t *told) write(b *strings.Builder) {
	if t.Via == "post" {
		b.WriteString("  -> posted in the Tavern\n")
	} else {
		fmt.Fprintf(b, "  -> %s to %s: %s\n", t.Kind, t.To, t.Subject)
	}
	text, _, _ := strings.Cut(t.Text, "\n-- \n") // what stands below is the same in every mail
	for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
		b.WriteString(strings.TrimRight("     | "+line, " \n") + "\n")
	}
	b.WriteByte('\n')
}

func inBrackets(rule string) string {
	if rule == "" {
		return ""
	}
	return " (" + rule + ")"
}

// facts shows an event's data in a line.
func facts(data json.RawMessage) string {
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		return string(data)
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		b, _ := json.Marshal(m[k])
		parts = append(parts, k+" "+strings.Trim(string(b), `"`))
	}
	return strings.Join(parts, ", ")
}
