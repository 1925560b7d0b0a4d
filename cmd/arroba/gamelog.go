package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"arroba/rules"
	"arroba/templates"
	"arroba/turns"
)

func logCommand(w world, file *string) *cobra.Command {
	var from int64
	var asJSON bool
	c := w.about(file, "log NAME", "Print the log of a game: every input, what was ruled on it, and what came of it", func(cmd *cobra.Command, e *turns.Engine, name string) error {
		g, err := turns.LoadGame(cmd.Context(), e.DB.Read(), name)
		if err != nil {
			return unknownGame(err)
		}
		return printLog(cmd, e, g, from, asJSON)
	})
	c.Long = `Print the log of a game: every input with its number, when it came, who gave it, its orders with their verdicts, what
came of them, and the number and hash that its receipt has; and what a rollback has undone since. Who wrote a letter
without a name is not told.
With --json each input is one JSON object a line.`
	c.Flags().Int64Var(&from, "from", 0, "the `NUMBER` of the first input that is printed")
	c.Flags().BoolVar(&asJSON, "json", false, "print each input as JSON, one a line")
	return c
}

func printLog(cmd *cobra.Command, e *turns.Engine, g *turns.Game, from int64, asJSON bool) error {
	print, err := logPrinter(cmd.OutOrStdout(), e, g, asJSON)
	if err != nil {
		return err
	}
	undone, err := e.Undone(cmd.Context(), g)
	if err != nil {
		return err
	}
	for after := from - 1; ; {
		list, err := turns.Inputs(cmd.Context(), e.DB.Read(), g.Name, after, 500)
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			entry, err := list[i].Entry(g.Name)
			if err == nil {
				undone.Mark(&entry)
				err = print(entry)
			}
			if err != nil {
				return err
			}
			after = list[i].N
		}
	}
}

// logPrinter is how an entry of the log is printed.
func logPrinter(w io.Writer, e *turns.Engine, g *turns.Game, asJSON bool) (func(turns.Entry) error, error) {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return func(entry turns.Entry) error { return enc.Encode(entry) }, nil
	}
	texts, err := e.Texts(g.Ruleset)
	return func(entry turns.Entry) error {
		s, err := entryText(texts, g, entry)
		if err == nil {
			_, err = io.WriteString(w, s)
		}
		return err
	}, err
}

// entryText is an entry of the log for a person to read.
func entryText(texts *templates.Texts, g *turns.Game, in turns.Entry) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%d  %s  %s\n", in.N, in.At.In(g.Zone).Format("2006-01-02 15:04:05 MST"), inputTitle(g, in))
	for _, o := range in.Orders {
		line := o.Line
		if o.For != "" {
			line = "for " + nicks(g, []rules.Seat{o.For}) + ": " + line
		}
		fmt.Fprintf(&b, "    %-8s  %s%s%s\n", o.Verdict, line, inBrackets(o.Rule), undoneSince(o.Undone))
		if o.Reason != "" {
			b.WriteString(indented(o.Reason, "              "))
		}
	}
	for _, line := range in.Back {
		fmt.Fprintf(&b, "    taken back  %s\n", line)
	}
	for _, ev := range in.Events {
		var data rules.Data
		if err := json.Unmarshal(ev.Data, &data); err != nil {
			return "", fmt.Errorf("reading event %d: %w", ev.N, err)
		}
		text, err := texts.Event(templates.Reader{Language: "en", Zone: g.Zone}, ev.Type, ev.At, data)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "    event %d, %s%s%s%s\n%s", ev.N, ev.Type, inBrackets(ev.Rule), toldTo(ev), undoneSince(slices.Contains(in.Undone, ev.N)), indented(text, "        "))
	}
	return b.String() + "\n", nil
}

// inputTitle says what an input is and who gave it.
func inputTitle(g *turns.Game, in turns.Entry) string {
	switch {
	case in.Due != nil:
		return strings.TrimSpace("due: " + in.Due.Kind + " " + in.Due.ID)
	case in.Changes != nil:
		return "settings, changed by " + in.Who
	case in.Back != nil:
		return "changed post of " + nicks(g, []rules.Seat{in.By})
	case in.Kind != "letter":
		return in.Kind
	case in.By == "":
		return "letter without a name"
	}
	title := cmp.Or(in.Via, "letter") + " of " + nicks(g, []rules.Seat{in.By})
	if in.Who != "" {
		title += ", given by " + in.Who
	}
	if in.Test {
		title += ", a test"
	}
	if in.Receipt != "" && in.Who == "" {
		title += ", receipt " + in.Receipt
	}
	return title
}

// undoneSince says that a rollback has taken something back.
func undoneSince(undone bool) string {
	if undone {
		return ", undone since"
	}
	return ""
}

// toldTo says who may know of an event.
func toldTo(ev turns.Event) string {
	if len(ev.Audience) == 0 {
		return ""
	}
	return " -> " + strings.Join(ev.Audience, ", ")
}
