package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"arroba/ingest"
	"arroba/rules"
	"arroba/templates"
	"arroba/turns"
)

func showCommand(w world, file *string) *cobra.Command {
	return w.about(file, "show NAME", "Show how a game stands: its deadlines, whom it waits for, what stops it, and letters and mail in trouble", showGame)
}

func showGame(cmd *cobra.Command, e *turns.Engine, name string) error {
	o, err := e.Overview(cmd.Context(), name)
	if err != nil {
		return unknownGame(err)
	}
	t := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
	row := func(what, format string, args ...any) { fmt.Fprintf(t, "%s\t%s\n", what, fmt.Sprintf(format, args...)) }
	row("game", "%s, %q, of %s", o.Name, o.Title, o.Ruleset)
	row("created", "%s", o.Created.In(o.Zone).Format(minutes))
	if !o.Forming() {
		row("opened", "%s", o.Started.In(o.Zone).Format(minutes))
	}
	row("language, zone", "%s, %s", o.Language, o.Zone)
	row("letters to", "%s", o.Mailbox)
	for _, t := range o.Settings.Threads {
		row("thread", "%s", t)
	}
	row("members", "%s", roles(o.Game))
	row("log", "%d inputs, %d events", max(o.LastInput, 0), o.LastN)
	row("state", "%s", standing(o))
	if err := showPhase(cmd, e, o, row); err != nil {
		return err
	}
	for _, r := range o.Reads {
		until := "never read yet"
		if !r.Until.IsZero() {
			until = "read up to " + r.Until.In(o.Zone).Format("2006-01-02 15:04:05 MST")
		}
		row("source", "%s, %s", r.Source, until)
	}
	showLetters(o, row)
	return t.Flush()
}

// roles counts the members of each role.
func roles(g *turns.Game) string {
	var list []string
	for _, role := range []rules.Role{rules.Player, rules.GM, rules.Observer} {
		n := 0
		for _, m := range g.Members {
			if m.Role == role {
				n++
			}
		}
		if n > 0 {
			list = append(list, fmt.Sprintf("%d %s", n, role))
		}
	}
	return strings.Join(list, ", ")
}

// standing says what stops a game, if anything does.
func standing(o *turns.Overview) string {
	state := "runs"
	switch {
	case o.Held != "":
		state = "held by a fault; letters wait: " + o.Held
	case o.Forming():
		state = "gathers its players"
	case !o.Paused.IsZero():
		state = pausedSince(o.Game)
	}
	if o.Unread != nil {
		state += "; its state cannot be read: " + o.Unread.Error()
	}
	return state
}

// showPhase shows the round and the deadlines, with who is awaited.
func showPhase(cmd *cobra.Command, e *turns.Engine, o *turns.Overview, row func(string, string, ...any)) error {
	if o.Unread != nil || o.Forming() {
		return nil
	}
	view, err := e.View(cmd.Context(), o.Name, rules.Viewer{GM: true})
	if err != nil {
		return err
	}
	var fields map[string]any
	if err := json.Unmarshal(view, &fields); err != nil {
		return fmt.Errorf("reading the game's view: %w", err)
	}
	for _, key := range []string{"round", "phase", "turn"} {
		switch v := fields[key].(type) {
		case string, float64:
			row(key, "%v", v)
		}
	}
	texts, err := e.Texts(o.Ruleset)
	if err != nil {
		return err
	}
	for _, d := range o.Deadlines {
		what, err := texts.Say(templates.Reader{Language: "en", Zone: o.Zone}, "deadline "+d.Kind, map[string]any(d.Data))
		if err != nil {
			return err
		}
		awaited := ""
		if len(d.Waits) > 0 {
			awaited = "; awaited: " + nicks(o.Game, d.Waits)
		}
		row("deadline", "%s: %s%s", d.At.In(o.Zone).Format(minutes), what, awaited)
	}
	if len(o.Deadlines) == 0 && !o.NextDue.IsZero() && o.Paused.IsZero() {
		row("next", "%s", o.NextDue.In(o.Zone).Format(minutes))
	}
	return nil
}

// nicks are what members are called.
func nicks(g *turns.Game, seats []rules.Seat) string {
	var list []string
	for _, seat := range seats {
		i := slices.IndexFunc(g.Members, func(m turns.Member) bool { return m.Seat == seat })
		if i < 0 {
			list = append(list, string(seat))
			continue
		}
		list = append(list, g.Members[i].Nick)
	}
	return strings.Join(list, ", ")
}

// showLetters shows which letters wait for somebody, and which addresses mail comes back from.
func showLetters(o *turns.Overview, row func(string, string, ...any)) {
	for _, kind := range [][3]string{{ingest.Waiting, "waiting", "until the game goes on"},
		{ingest.Desk, "on the desk", "for a person to read: 'arroba inbox list --status desk'"},
		{ingest.Failed, "failed", "'arroba inbox list --status failed'"}} {
		if n := o.Letters[kind[0]]; n > 0 {
			row(kind[1], "%d, %s", n, kind[2])
		}
	}
	for _, m := range o.Members {
		for _, a := range m.Addresses {
			if t := o.Troubles[strings.ToLower(a)]; t.Lasting() {
				row("mail comes back", "%s at %s: %s", m.Nick, a, cmp.Or(t.Reason, t.Status, "-"))
			}
		}
	}
	for _, c := range o.Copies {
		if t := o.Troubles[strings.ToLower(c.Address)]; t.Lasting() {
			row("mail comes back", "%s: %s", c.Address, cmp.Or(t.Reason, t.Status, "-"))
		}
	}
}

func membersCommand(w world, file *string) *cobra.Command {
	var remove string
	c := w.about(file, "members NAME", "List the members of a game, or take an address off one's file", func(cmd *cobra.Command, e *turns.Engine, name string) error {
		g, err := turns.LoadGame(cmd.Context(), e.DB.Read(), name)
		switch {
		case err != nil:
			return unknownGame(err)
		case remove != "":
			return removeAddress(cmd, e, g, remove)
		}
		return listMembers(cmd.OutOrStdout(), g)
	})
	c.Flags().StringVar(&remove, "remove-address", "", "take this `ADDRESS` off the file of whose it is")
	return c
}

func removeAddress(cmd *cobra.Command, e *turns.Engine, g *turns.Game, address string) error {
	for _, m := range g.Members {
		if slices.ContainsFunc(m.Addresses, func(a string) bool { return strings.EqualFold(a, address) }) {
			if err := e.RemoveAddress(cmd.Context(), g.Name, string(m.Seat), address); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s is no address of %s any more.\n", address, m.Nick)
			return nil
		}
	}
	return fmt.Errorf("%s is nobody's address in %s; 'arroba game members %s' lists them", address, g.Name, g.Name)
}

func listMembers(w io.Writer, g *turns.Game) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "NICK\tSEAT\tROLE\tADDRESSES\tLANGUAGE\tZONE\tABSENCE")
	for _, m := range g.Members {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", m.Nick, m.Seat, m.Role, cmp.Or(strings.Join(m.Addresses, ", "), "-"), m.Language, m.Zone, absence(m, g.Zone))
	}
	return t.Flush()
}

func accountCommand(w world, file *string) *cobra.Command {
	var remove bool
	c := &cobra.Command{
		Use:   "account NAME [MEMBER ACCOUNT]",
		Short: "List from which accounts on forums members post, or write one down",
		Long: `List from which accounts on forums the members post; write one down, or with --remove take it off its member's file. An
account is the name of the forum source in the config, a colon, and the number of the user there, as the links to his
profile have it; a name alone counts only where the game says forum_names = true, and never makes anybody a GM.

  arroba game account lands Anna phpbb:17`,
		Args: cobra.MatchAll(cobra.RangeArgs(1, 3), func(_ *cobra.Command, args []string) error {
			if len(args) == 2 || remove && len(args) == 1 {
				return errors.New("name a member and an account of his, as Anna phpbb:17")
			}
			return nil
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			var a turns.Account
			var err error
			if len(args) == 3 {
				if a, err = turns.ParseAccount(args[2]); err != nil {
					return &exitError{2, err}
				}
			}
			return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error {
				switch {
				case len(args) == 1:
				case remove:
					err = e.RemoveAccount(cmd.Context(), args[0], args[1], a)
				default:
					err = e.AddAccount(cmd.Context(), args[0], args[1], a)
				}
				if err != nil {
					return unknownGame(err)
				}
				g, err := turns.LoadGame(cmd.Context(), e.DB.Read(), args[0])
				if err != nil {
					return unknownGame(err)
				}
				return listAccounts(cmd.OutOrStdout(), g)
			})
		},
	}
	c.Flags().BoolVar(&remove, "remove", false, "take the account off the member's file")
	return c
}

// listAccounts lists the accounts on forums of the members.
func listAccounts(w io.Writer, g *turns.Game) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "NICK\tROLE\tACCOUNTS")
	for _, m := range g.Members {
		var list []string
		for _, a := range m.Accounts {
			list = append(list, a.String())
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", m.Nick, m.Role, cmp.Or(strings.Join(list, ", "), "-"))
	}
	return t.Flush()
}

// absence says whether a member is away or has left, "-" when neither.
func absence(m turns.Member, zone *time.Location) string {
	switch {
	case !m.Gone.IsZero():
		return "left " + m.Gone.In(zone).Format(minutes) + "; the seat waits for a successor"
	case !m.AwayUntil.IsZero():
		return "away " + m.AwayFrom.In(zone).Format(minutes) + " to " + m.AwayUntil.In(zone).Format(minutes)
	}
	return "-"
}
