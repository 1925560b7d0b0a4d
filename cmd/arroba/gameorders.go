package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"

	"github.com/spf13/cobra"

	"arroba/orders"
	"arroba/turns"
)

// desk are the commands by which who runs the server gives a GM's orders.
type desk struct {
	world
	file *string // the config
	gm   string  // in whose name; "" for the game's first
	yes  bool    // do not ask
}

// orderCommands are those that give a GM's orders. They are ruled on as a letter of his would be, logged with the name
// of who gave them, and whom they concern is told.
func orderCommands(w world, file *string) []*cobra.Command {
	d := &desk{world: w, file: file}
	list := []*cobra.Command{
		d.order("order NAME LINE…", "Give a GM's orders, one a line: put each line in quotes", cobra.MinimumNArgs(2), func(_ *cobra.Command, words []string) ([]string, error) {
			return words, nil
		}),
		d.order("hold NAME [REASON]", "Let nothing fall due until the game is resumed; orders are taken all the same", cobra.MinimumNArgs(1), saying("HOLD")),
		d.order("extend NAME DURATION", "Move the deadline by a length of time, as 36h or 2d", cobra.ExactArgs(2), saying("EXTEND")),
		d.order("deadline NAME DATE", "Set the deadline, as \"2026-03-01 20:00\" in the game's time zone", cobra.RangeArgs(2, 3), saying("DEADLINE")),
		d.order("ruling NAME TEXT", "Tell everybody how a question was ruled on", cobra.MinimumNArgs(2), saying("RULING")),
		d.order("broadcast NAME FILE", "Announce the text of a file, or of - for the standard input, to everybody", cobra.ExactArgs(2), announcement),
		d.asking(d.order("process NAME", "Resolve the phase now", cobra.ExactArgs(1), saying("PROCESS NOW")),
			"This resolves the phase with the orders that there are"),
		d.rollback(),
	}
	list[0].Long = `Give a GM's orders, one a line: put each line in quotes. What is ordered for somebody else stands below an AS.

  arroba game order lands "AS Anna" "READY"
  arroba game order lands "REPLACE Boris BY Olga olga@example.org"
  arroba game order lands HELP

They are ruled on as a GM's letter would be, and stand in the log with your name; the GM and whom they concern are told.
The exit code is 1 when one is not accepted.`
	for _, c := range list {
		c.Flags().StringVar(&d.gm, "gm", "", "in whose name the orders are given: the `NICK` of a GM; the game's first when left out")
	}
	return list
}

// order is a command whose words after the game's name make a GM's orders.
func (d *desk) order(use, short string, args cobra.PositionalArgs, lines func(*cobra.Command, []string) ([]string, error)) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: args, RunE: func(cmd *cobra.Command, args []string) error {
		list, err := lines(cmd, args[1:])
		if err != nil {
			return err
		}
		return d.withEngine(cmd.Context(), *d.file, func(e *turns.Engine) error { return d.give(cmd, e, args[0], list) })
	}}
}

// saying makes one order of a verb and what follows it.
func saying(verb string) func(*cobra.Command, []string) ([]string, error) {
	return func(_ *cobra.Command, words []string) ([]string, error) {
		return []string{strings.TrimSpace(verb + " " + strings.Join(strings.Fields(strings.Join(words, " ")), " "))}, nil
	}
}

const maxAnnouncement = 1 << 20

// announcement makes an order of a text. A line in it that would end it is refused: what stands below would be orders.
func announcement(cmd *cobra.Command, words []string) ([]string, error) {
	in := cmd.InOrStdin()
	if words[0] != "-" {
		f, err := os.Open(words[0])
		if err != nil {
			return nil, &exitError{2, fmt.Errorf("reading the announcement: %w", err)}
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxAnnouncement+1))
	switch {
	case err != nil:
		return nil, &exitError{2, fmt.Errorf("reading the announcement: %w", err)}
	case len(text) > maxAnnouncement:
		return nil, &exitError{2, errors.New("the announcement has more than 1 MB; write a shorter one")}
	}
	lines := []string{"BROADCAST"}
	for line := range strings.Lines(string(text)) {
		lines = append(lines, orders.Clean(strings.TrimRight(line, "\r\n")))
	}
	lines = append(lines, "END BROADCAST")
	if !turns.Announces(lines) {
		return nil, &exitError{2, errors.New("a line of the announcement reads END BROADCAST, which would end it; write it otherwise")}
	}
	return lines, nil
}

func (d *desk) rollback() *cobra.Command {
	var round, event int64
	c := d.asking(d.order("rollback NAME --round N|--event N", "Take the game back to the beginning of a round, or to just after an event", cobra.ExactArgs(1),
		func(cmd *cobra.Command, _ []string) ([]string, error) {
			if cmd.Flags().Changed("round") {
				return []string{fmt.Sprintf("ROLLBACK TO ROUND %d", round)}, nil
			}
			return []string{fmt.Sprintf("ROLLBACK TO EVENT %d", event)}, nil
		}), "This takes back all that was done since, and tells all members")
	c.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed("round") == cmd.Flags().Changed("event") {
			return &exitError{2, errors.New("say how far back: either --round N or --event N; 'arroba game log NAME' shows the numbers")}
		}
		return nil
	}
	c.Flags().Int64Var(&round, "round", 0, "the `NUMBER` of the round, as it began")
	c.Flags().Int64Var(&event, "event", 0, "the `NUMBER` of the last event that stays")
	return c
}

// asking makes a command ask first whether it is meant.
func (d *desk) asking(c *cobra.Command, what string) *cobra.Command {
	c.Flags().BoolVarP(&d.yes, "yes", "y", false, "do not ask whether it is meant")
	run := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if !d.yes {
			fmt.Fprintf(cmd.OutOrStdout(), "%s, in the game %s. Go on? Type yes: ", what, args[0])
			answer, _ := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
			if !strings.EqualFold(strings.TrimSpace(answer), "yes") {
				return errors.New("nothing was done; answer yes, or call it with --yes")
			}
		}
		return run(cmd, args)
	}
	return c
}

// operator is the name under which the log has who calls the program.
func (w world) operator() string {
	name := ""
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return cmp.Or(w.getenv("SUDO_USER"), name, w.getenv("USER"), "somebody")
}

// give gives orders and prints what became of them. What is not accepted makes the command fail.
func (d *desk) give(cmd *cobra.Command, e *turns.Engine, game string, lines []string) error {
	out, err := e.Command(cmd.Context(), game, d.operator(), d.gm, lines)
	switch {
	case errors.Is(err, turns.ErrNoGM):
		return remedy(err, "'arroba game members NAME' names them")
	case errors.Is(err, turns.ErrNoOrders):
		return &exitError{2, remedy(err, "'arroba game order NAME HELP' lists the orders")}
	case err != nil:
		return unknownGame(err)
	}
	printCommanded(cmd.OutOrStdout(), out)
	if out.Refused() {
		return &exitError{code: 1}
	}
	return nil
}

func printCommanded(w io.Writer, out turns.Commanded) {
	for _, l := range out.Lines {
		fmt.Fprintf(w, "%-8s  %s%s\n", l.Verdict, l.Line, inBrackets(l.Rule))
		if l.Reason != "" {
			fmt.Fprint(w, indented(l.Reason, "          "))
		}
	}
	for _, text := range append(out.Answers, out.News...) {
		fmt.Fprintf(w, "\n%s\n", text)
	}
	switch {
	case out.Told == 1:
		fmt.Fprintln(w, "\nOne mail tells of it; it goes out while 'arroba serve' runs.")
	case out.Told > 1:
		fmt.Fprintf(w, "\n%d mails tell of it; they go out while 'arroba serve' runs.\n", out.Told)
	}
}

func setCommand(w world, file *string) *cobra.Command {
	return &cobra.Command{
		Use:   "set NAME KEY=VALUE…",
		Short: "Change settings of a game, as its file would have them",
		Long: `Change settings of a game while it goes on. Keys and values are those of the opening file; a text needs no quotes, and
a list may be texts parted by commas: arroba game set lands "title=The Lands" "calendar.remind=24h, 2h".

The change stands in the game's log; its GMs are told, and its members where it concerns them.`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			var list []turns.Setting
			for _, arg := range args[1:] {
				key, value, ok := strings.Cut(arg, "=")
				if !ok {
					return &exitError{2, fmt.Errorf("%q is no setting; write KEY=VALUE", arg)}
				}
				list = append(list, turns.Setting{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
			}
			return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error {
				changes, err := e.Set(cmd.Context(), args[0], w.operator(), list)
				if err != nil {
					return unknownGame(err)
				}
				for _, c := range changes {
					fmt.Fprintf(cmd.OutOrStdout(), "%s is now %q; it was %q.\n", c.Key, c.Now, c.Was)
				}
				return nil
			})
		},
	}
}
