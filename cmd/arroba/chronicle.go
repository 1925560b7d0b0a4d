package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"arroba/forum"
	"arroba/ingest/letter"
	"arroba/rules"
	"arroba/turns"
)

// chronicle tells a scene in a few lines below the name of its month: who wrote, what was ruled, what came of it. What fell
// due by itself before is told first, each instant on its own.
func (s *stage) chronicle(ctx context.Context, w io.Writer, sc scene) error {
	var b strings.Builder
	s.tally.add(sc)
	before, after := sc.Events, []turns.Event(nil)
	if sc.letter != nil {
		at := slices.IndexFunc(sc.Events, func(ev turns.Event) bool { return !ev.At.Before(sc.letter.Arrived) })
		if at < 0 {
			at = len(sc.Events)
		}
		before, after = sc.Events[:at], sc.Events[at:]
	}
	if err := s.fellDue(ctx, &b, before); err != nil {
		return err
	}
	s.news(&b, sc)
	if sc.letter != nil {
		s.day(&b, sc.letter.Arrived, s.in(bold, s.author(sc))+s.opening(sc))
		s.rulings(&b, sc)
		if len(sc.Orders)+len(after) == 0 {
			b.WriteString(chronicled + s.in(faint, unanswered(sc.letter)) + "\n")
		}
		if err := s.headlines(ctx, &b, after); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// news tells of mails that come by the calendar where nobody wrote, as the monthly register does. They are dated to the hour;
// what tells of things that fell due is dated when it is sent, a moment after them.
func (s *stage) news(b *strings.Builder, sc scene) {
	for _, t := range sc.Out {
		if sc.letter == nil && t.Via == "mail" && t.At.Equal(t.At.Truncate(time.Hour)) {
			s.day(b, t.At, s.in(faint, "(to "+cmp.Or(s.nicks[strings.ToLower(t.To)], t.To)+") ")+t.Subject)
		}
	}
}

// tally counts what came and went in a chronicle.
type tally struct {
	letters, posts, mails, announced int
	orders                           map[string]int // by verdict
}

func (t *tally) add(sc scene) {
	switch {
	case sc.letter == nil:
	case sc.letter.Via == "post":
		t.posts++
	default:
		t.letters++
	}
	if t.orders == nil {
		t.orders = map[string]int{}
	}
	for _, o := range sc.Orders {
		t.orders[o.Verdict]++
	}
	for _, out := range sc.Out {
		if out.Via == "mail" {
			t.mails++
		}
	}
	t.announced += len(sc.marks)
}

// yearsEnd tells what came and went, and how the Lands stand: lords of rank, with their vassals.
func (s *stage) yearsEnd(ctx context.Context, w io.Writer) error {
	raw, err := s.engine.View(ctx, s.game, rules.Viewer{GM: true})
	if err != nil {
		return err
	}
	var v struct {
		Lands       []string
		Magistrate  struct{ Gold int64 }
		Inhabitants map[string]struct {
			Feuds   map[string][]string
			Rank    map[string]string
			Vassals map[string][]string
		}
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return fmt.Errorf("reading the state of the Lands: %w", err)
	}
	head := "AT THE YEAR'S END "
	fmt.Fprintf(w, "\n%s\n\n", s.in(bold, head+strings.Repeat("=", playWidth-len(head))))
	t := s.tally
	fmt.Fprintf(w, "%d letters and %d posts came. Of their orders %d were carried out,\n%d refused and %d not understood. %d mails went out, and %d announcements stand in\nthe Tavern.\nThe treasury holds %d @.\n",
		t.letters, t.posts, t.orders["accepted"], t.orders["refused"], t.orders["unclear"], t.mails, t.announced, v.Magistrate.Gold)
	for _, land := range v.Lands {
		fmt.Fprintf(w, "\n  %s\n", s.in(bold, land))
		lords := slices.Sorted(maps.Keys(v.Inhabitants))
		slices.SortStableFunc(lords, func(a, b string) int {
			return cmp.Compare(len(v.Inhabitants[b].Feuds[land]), len(v.Inhabitants[a].Feuds[land]))
		})
		for _, l := range lords {
			p := v.Inhabitants[l]
			if vassals := p.Vassals[land]; len(vassals) > 0 {
				fmt.Fprint(w, indented(fmt.Sprintf("%s, %s of %d feuds, has %s.", l, p.Rank[land], len(p.Feuds[land]), strings.Join(vassals, ", ")), "    "))
			}
		}
	}
	_, err = fmt.Fprintln(w)
	return err
}

// chronicled is the margin of what is told of a day.
const chronicled = "        "

// day begins what is told of an instant, with the name of the month when it is another.
func (s *stage) day(b *strings.Builder, at time.Time, what string) {
	at = at.In(s.reader.Zone)
	if month := at.Format("January 2006"); month != s.month {
		s.month = month
		fmt.Fprintf(b, "\n%s\n\n", s.in(bold, strings.ToUpper(month)+" "+strings.Repeat("=", playWidth-len(month)-1)))
	}
	fmt.Fprintf(b, "%4d.   %s\n", at.Day(), what)
}

// opening is how a letter begins, shortened to its line: what its writer says before his first order.
func (s *stage) opening(sc scene) string {
	lines := letter.Read(sc.letter.Raw, letter.Options{}).Lines
	verb := " writes"
	if sc.letter.Via == "post" {
		verb = " posts"
		if r, err := forum.ReadRecord(sc.letter.Raw); err == nil {
			lines = r.Lines
		}
	}
	for _, line := range turns.Masked(lines) {
		line = strings.TrimSpace(line)
		if slices.ContainsFunc(sc.Orders, func(o ruled) bool { return o.Line == line }) {
			break
		}
		if line != "" {
			return verb + ": " + s.in(faint, "“"+line+"”")
		}
	}
	return verb + ": " + s.in(faint, sc.letter.Subject)
}

// rulings tells what was ruled on each order.
func (s *stage) rulings(b *strings.Builder, sc scene) {
	colours := map[string]string{"accepted": green, "refused": red, "unclear": yellow}
	for _, o := range sc.Orders {
		verdict := ""
		if o.Verdict != "accepted" {
			verdict = s.in(colours[o.Verdict], o.Verdict) + "  "
		}
		b.WriteString(chronicled + verdict + o.Line + s.in(faint, inBrackets(o.Rule)) + "\n")
		if o.Reason != "" {
			b.WriteString(s.in(faint, indented(gist(o.Reason), chronicled+"  ")))
		}
	}
}

// gist is the beginning of a reason, with the first line that it proposes.
func gist(reason string) string {
	text, more, _ := strings.Cut(reason, "\n")
	for line := range strings.Lines(more) {
		if strings.HasSuffix(text, ":") && strings.HasPrefix(line, ">") {
			return text + " " + strings.TrimSpace(line[1:])
		}
	}
	return text
}

// fellDue tells what happened by itself, each day on its own.
func (s *stage) fellDue(ctx context.Context, b *strings.Builder, events []turns.Event) error {
	for len(events) > 0 {
		n := slices.IndexFunc(events, func(ev turns.Event) bool { return !ev.At.Equal(events[0].At) })
		if n < 0 {
			n = len(events)
		}
		s.day(b, events[0].At, "It falls due:")
		if err := s.headlines(ctx, b, events[:n]); err != nil {
			return err
		}
		events = events[n:]
	}
	return nil
}

// headlines tells what happened in a few words each; of what is not for everybody, whom it was told.
func (s *stage) headlines(ctx context.Context, b *strings.Builder, events []turns.Event) error {
	for _, ev := range events {
		var data rules.Data
		if err := json.Unmarshal(ev.Data, &data); err != nil {
			return err
		}
		text, err := s.engine.EventHeadline(ctx, s.game, s.reader, ev.Type, ev.At, data)
		if err != nil {
			return err
		}
		to := ""
		if !slices.Contains(ev.Audience, "tavern") {
			var who []string
			for _, a := range ev.Audience {
				if who = append(who, s.who(a)); a != "gm" || len(ev.Audience) == 1 {
					continue
				}
				who = who[:len(who)-1] // the Magistrate is told besides
			}
			to = s.in(faint, "(to "+strings.Join(who, ", ")+") ")
		}
		b.WriteString(chronicled + "- " + to + text + "\n")
	}
	return nil
}
