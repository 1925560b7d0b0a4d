package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"arroba/forum"
	"arroba/ingest"
	"arroba/ingest/letter"
	"arroba/outbox"
	"arroba/rules"
	"arroba/store"
	"arroba/templates"
	"arroba/turns"
)

// stage follows a game and shows, scene by scene, what happened since the last one.
type stage struct {
	db     *store.DB
	engine *turns.Engine
	game   string
	input  int64 // the last one shown
	seq    int64 // the last item of the outbox shown

	reader templates.Reader  // of the game's language and zone
	nicks  map[string]string // by mail address and by seat
	paint  bool              // for a terminal that shows colours

	month string // that the chronicle is in
	tally tally  // of the chronicle
}

// newStage returns a stage on which everything up to now has been shown.
func newStage(ctx context.Context, db *store.DB, engine *turns.Engine, game string) (*stage, error) {
	g, err := turns.LoadGame(ctx, db.Read(), game)
	if err != nil {
		return nil, err
	}
	s := &stage{db: db, engine: engine, game: game, input: -1, reader: templates.Reader{Language: g.Language, Zone: g.Zone}, nicks: map[string]string{}}
	s.meet(g)
	for _, a := range g.Copies {
		s.nicks[strings.ToLower(a.Address)] = s.who("copies")
	}
	_, err = s.next(ctx, "", nil)
	return s, err
}

// meet learns what the members are called, and their addresses.
func (s *stage) meet(g *turns.Game) {
	for _, m := range g.Members {
		s.nicks["member:"+string(m.Seat)] = m.Nick
		for _, a := range m.Addresses {
			s.nicks[strings.ToLower(a)] = m.Nick
		}
	}
}

// through runs a clock to an instant, with a halt at all at which something falls due before. It halts a moment after
// each: what comes at that very instant comes before what falls due.
func (s *stage) through(ctx context.Context, to time.Time, moment time.Duration, halt func(time.Time) error) error {
	for at := (time.Time{}); ; {
		g, err := turns.LoadGame(ctx, s.db.Read(), s.game)
		if err != nil {
			return err
		}
		due := nextOf(g)
		next := due.Add(moment)
		if due.IsZero() || g.Held != "" || !next.After(at) || !next.Before(to) {
			return halt(to)
		}
		at = next
		if err := halt(at); err != nil {
			return err
		}
	}
}

// nextOf is when something of a game is due next, zero when nothing is.
func nextOf(g *turns.Game) time.Time {
	if g.NextDue.IsZero() || !g.RegisterDue.IsZero() && g.RegisterDue.Before(g.NextDue) {
		return g.RegisterDue
	}
	return g.NextDue
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
	aside  string      // what else a post shows
	marks  []string    // of the posts in the Tavern's thread
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

// next returns what happened since the last scene; the letter of this id, if one is given, is what it came of. What came
// of later letters, known by id and by Message-ID, is left for their scenes.
func (s *stage) next(ctx context.Context, letter string, later map[string]bool) (scene, error) {
	sc := scene{Orders: []ruled{}, Events: []turns.Event{}, Out: []told{}}
	if err := s.happened(ctx, &sc, letter, later); err != nil {
		return sc, err
	}
	items, err := outbox.Since(ctx, s.db.Read(), s.seq)
	if err != nil {
		return sc, err
	}
	for _, it := range items {
		if it.Input > s.input || later["<"+it.InReplyTo+">"] {
			break
		}
		sc.tell(it)
		s.seq = it.Seq
	}
	if letter == "" {
		return sc, s.held(ctx)
	}
	row, err := ingest.Show(ctx, s.db.Read(), letter)
	if err != nil {
		return sc, err
	}
	if row.Seat != "" {
		sc.By = &row.Seat
	}
	sc.letter = &row
	return sc, s.held(ctx)
}

// happened adds to a scene what the game's log has since the last one.
func (s *stage) happened(ctx context.Context, sc *scene, letter string, later map[string]bool) error {
	for {
		inputs, err := turns.Inputs(ctx, s.db.Read(), s.game, s.input, 100)
		if err != nil || len(inputs) == 0 {
			return err
		}
		for _, in := range inputs {
			if later[in.Inbox] {
				return nil
			}
			if err := sc.add(in, letter); err != nil {
				return err
			}
			s.input = in.N
		}
	}
}

// held returns an error when the game is held: then its story cannot go on. Else it meets who has joined.
func (s *stage) held(ctx context.Context) error {
	g, err := turns.LoadGame(ctx, s.db.Read(), s.game)
	if err != nil {
		return err
	}
	if g.Held != "" {
		return fmt.Errorf("the game is held: %s", g.Held)
	}
	s.meet(g)
	return nil
}

func (sc *scene) add(in turns.Input, letter string) error {
	events, err := in.DecodeEvents()
	if err != nil {
		return err
	}
	sc.Events = append(sc.Events, events...)
	if letter == "" || in.Inbox != letter || in.Kind != "letter" {
		return nil
	}
	body, err := in.DecodeLetter()
	for _, r := range body.Orders {
		sc.Orders = append(sc.Orders, ruled{r.Line, string(r.Verdict), r.Rule, r.Reason})
	}
	return err
}

func (sc *scene) tell(it outbox.Item) {
	if it.Via == "forum" { // what the web board's post says, once more
		sc.marks = append(sc.marks, it.Marker)
		return
	}
	t := told{At: it.Date, To: it.To, Via: it.Via, Text: it.Text}
	if it.Via == "mail" {
		t.Kind, t.Subject = it.Kind, it.Subject
	}
	sc.Out = append(sc.Out, t)
}

// The colours of a play, as terminals know them.
const (
	bold   = "\x1b[1m"
	faint  = "\x1b[2m"
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

// in colours a text where colours are wanted.
func (s *stage) in(colour, text string) string {
	if !s.paint || text == "" {
		return text
	}
	return colour + text + plain
}

const playWidth = 78

// write shows a scene to a person: who wrote, what was ruled, what followed, who was told.
func (s *stage) write(ctx context.Context, w io.Writer, sc scene) error {
	var b strings.Builder
	head := "== " + sc.At.In(s.reader.Zone).Format("Monday, 2 January 2006, 15:04 MST") + " "
	b.WriteString(s.in(bold, head+strings.Repeat("=", max(playWidth-len(head), 2))) + "\n\n")
	s.writeLetter(&b, sc)
	s.writeOrders(&b, sc)
	for _, ev := range sc.Events {
		if err := s.writeEvent(ctx, &b, ev); err != nil {
			return err
		}
	}
	s.writeMail(&b, sc)
	if sc.letter != nil && len(sc.Orders)+len(sc.Events)+len(sc.Out) == 0 {
		b.WriteString("  " + s.in(faint, unanswered(sc.letter)) + "\n\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// unanswered says why nothing came of a letter.
func unanswered(row *ingest.Row) string {
	switch {
	case row.Class == string(letter.Duplicate):
		return "The same letter came before: it is not obeyed twice."
	case row.Class != string(letter.Orders):
		return fmt.Sprintf("A machine's mail (%s): it is kept, not obeyed and not answered.", row.Class)
	case row.Note != "":
		return fmt.Sprintf("Nothing is carried out: %s.", row.Note)
	}
	return "Nothing happens."
}

func (s *stage) writeLetter(b *strings.Builder, sc scene) {
	if sc.letter == nil {
		b.WriteString("Nobody writes; time passes.\n\n")
		return
	}
	who, verb := s.author(sc), "writes"
	text := letter.Read(sc.letter.Raw, letter.Options{}).Lines
	if sc.letter.Via == "post" {
		verb = "posts in the Tavern"
		if r, err := forum.ReadRecord(sc.letter.Raw); err == nil {
			text = r.Lines
		}
	}
	fmt.Fprintf(b, "%s %s: %s\n\n", s.in(bold, who), verb, sc.letter.Subject)
	lines := 0
	for _, line := range turns.Masked(text) {
		if line != "" {
			b.WriteString(s.in(faint, "    | ") + line + "\n")
			lines++
		}
	}
	if lines > 0 {
		b.WriteByte('\n')
	}
	if sc.aside != "" {
		b.WriteString(s.in(faint, indented(sc.aside, "    ")) + "\n")
	}
}

// author names who wrote the letter of a scene.
func (s *stage) author(sc scene) string {
	if sc.By != nil {
		return s.who("member:" + *sc.By)
	}
	return cmp.Or(s.nicks[sc.letter.Sender], sc.letter.Sender)
}

func (s *stage) writeOrders(b *strings.Builder, sc scene) {
	colours := map[string]string{"accepted": green, "refused": red, "unclear": yellow}
	for _, o := range sc.Orders {
		fmt.Fprintf(b, "  %s  %s%s\n", s.in(colours[o.Verdict], fmt.Sprintf("%-8s", o.Verdict)), o.Line, s.in(faint, inBrackets(o.Rule)))
		if o.Reason != "" {
			b.WriteString(indented(o.Reason, "            "))
		}
	}
	if len(sc.Orders) > 0 {
		b.WriteByte('\n')
	}
}

func (s *stage) writeEvent(ctx context.Context, b *strings.Builder, ev turns.Event) error {
	var data rules.Data
	if err := json.Unmarshal(ev.Data, &data); err != nil {
		return err
	}
	text, err := s.engine.EventText(ctx, s.game, s.reader, ev.Type, ev.At, data)
	if err != nil {
		return err
	}
	var told []string
	for _, a := range ev.Audience {
		told = append(told, s.who(a))
	}
	b.WriteString("  *" + indented(text, "    ")[3:])
	b.WriteString(s.in(faint, indented("-> "+strings.Join(told, ", ")+inBrackets(ev.Rule), "      ")) + "\n")
	return nil
}

// who names one of an audience.
func (s *stage) who(audience string) string {
	switch audience {
	case "tavern":
		return "the Tavern"
	case "gm":
		return "the GM"
	case "copies":
		return "the archive"
	}
	if nick := s.nicks[audience]; nick != "" {
		return nick
	}
	return strings.TrimPrefix(audience, "member:")
}

// answered tells whether an order was accepted whose answer stands in the receipt alone.
func (sc *scene) answered() bool {
	return slices.ContainsFunc(sc.Orders, func(o ruled) bool {
		return o.Verdict == "accepted" && slices.Contains([]string{"E-HELP", "E-STATUS", "E-HISTORY", "E-WHO", "E-DEADLINE", "E-TEST"}, o.Rule)
	})
}

// writeMail lists what was sent. What it says was shown above, but for questions, press, and answers to HELP and its like.
func (s *stage) writeMail(b *strings.Builder, sc scene) {
	for _, t := range sc.Out {
		if t.Via != "mail" {
			continue
		}
		to := t.To
		if nick := s.nicks[strings.ToLower(t.To)]; nick != "" {
			to = nick
		}
		fmt.Fprintf(b, "  mail to %-20s %-8s %s\n", to, t.Kind, t.Subject)
		if t.Kind == outbox.Question || t.Kind == outbox.Press || t.Kind == outbox.Receipt && sc.answered() {
			text, _, _ := strings.Cut(t.Text, "\n-- \n") // what stands below is the same in every mail
			for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
				b.WriteString(strings.TrimRight("      | "+line, " \n") + "\n")
			}
		}
	}
	for _, mark := range sc.marks {
		fmt.Fprintf(b, "  post in %-20s marked   %s\n", s.who("tavern"), mark)
	}
	if len(sc.Out) > 0 {
		b.WriteByte('\n')
	}
}

func inBrackets(rule string) string {
	if rule == "" {
		return ""
	}
	return " (" + rule + ")"
}

// indented wraps a text at playWidth, each line begun by the margin.
func indented(text, margin string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		row := margin
		for _, word := range strings.Fields(line) {
			if len([]rune(row))+len([]rune(word)) > playWidth && strings.TrimSpace(row) != "" {
				b.WriteString(strings.TrimRight(row, " ") + "\n")
				row = margin
			}
			row += word + " "
		}
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	return b.String()
}
