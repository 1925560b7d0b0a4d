package main

import (
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"arroba/turns"
)

func createCommand(w world, file *string) *cobra.Command {
	var invite bool
	c := &cobra.Command{
		Use:   "create FILE",
		Short: "Begin a game from its opening file",
		Long: `Begin a game from its opening file, which is read this once.

The game is opened at once, unless its file says [join] open = true, or --invite is given: then it gathers its players
first. Those whom the file names are invited by mail; in an open game whoever writes JOIN and the game's name, and
confirms it, gets a free seat or a place on the waiting list. 'arroba game start' opens it.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := readConfig(*file, w.getenv)
			if err != nil {
				return err
			}
			return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error { return createGame(cmd, c, e, args[0], invite) })
		},
	}
	c.Flags().BoolVar(&invite, "invite", false, "gather the players first: invite the members by mail, and open the game with 'arroba game start'")
	return c
}

// gatherGame begins a game that gathers its players first.
func gatherGame(cmd *cobra.Command, e *turns.Engine, game *turns.GameFile) error {
	if err := e.Gather(cmd.Context(), game); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "The game %s gathers its players. Members are invited by mail as soon as 'arroba serve' runs; 'arroba game start %[1]s' opens it.\n", game.Name)
	if err := e.Check(game); err != nil {
		fmt.Fprintf(out, "With the members it has now it could not be opened: %v\n(Once [world] is mended in the file, 'arroba game start --world FILE' reads it anew.)\n", err)
	}
	return nil
}

func startCommand(w world, file *string) *cobra.Command {
	var anyway bool
	var opening string
	c := w.about(file, "start NAME", "Open a game that has gathered its players, and tell them", func(cmd *cobra.Command, e *turns.Engine, name string) error {
		return startGame(cmd, e, name, opening, anyway)
	})
	c.Flags().BoolVar(&anyway, "anyway", false, "even if nobody sits in some of its seats")
	c.Flags().StringVar(&opening, "world", "", "read [world] from this `FILE`, and no longer from the one that the game was created from")
	return c
}

func startGame(cmd *cobra.Command, e *turns.Engine, name, opening string, anyway bool) error {
	if opening != "" {
		if err := newWorld(cmd, e, name, opening); err != nil {
			return err
		}
	}
	err := e.Start(cmd.Context(), name, anyway)
	var empty turns.EmptySeats
	if errors.Is(err, turns.ErrOpening) {
		return remedy(err, "mend [world] in the file, and write --world and its name")
	}
	if errors.As(err, &empty) {
		return remedy(err, "wait for somebody to join, or write --anyway: those seats stay empty until somebody is given them")
	}
	if err != nil {
		return unknownGame(err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "The game %s is open. Its members are told by mail as soon as 'arroba serve' runs.\n", name)
	return nil
}

// newWorld lets a game open with [world] of another file.
func newWorld(cmd *cobra.Command, e *turns.Engine, name, file string) error {
	game, err := readGame(file)
	if err != nil {
		return err
	}
	return unknownGame(e.NewWorld(cmd.Context(), name, game))
}

func inviteCommand(w world, file *string) *cobra.Command {
	return w.about(file, "invite NAME", "Invite again those members of a game that gathers its players who have not answered", inviteAgain)
}

func inviteAgain(cmd *cobra.Command, e *turns.Engine, name string) error {
	nicks, err := e.Invite(cmd.Context(), name)
	switch {
	case err != nil:
		return unknownGame(err)
	case len(nicks) == 0:
		fmt.Fprintln(cmd.OutOrStdout(), "Everybody who was invited has answered.")
	default:
		fmt.Fprintf(cmd.OutOrStdout(), "Invited again: %s.\n", strings.Join(nicks, ", "))
	}
	return nil
}

func waitingCommand(w world, file *string) *cobra.Command {
	return w.about(file, "waiting NAME", "List who waits for a seat in a game, and what they wish", listWaiting)
}

func listWaiting(cmd *cobra.Command, e *turns.Engine, name string) error {
	list, err := e.Waiting(cmd.Context(), name)
	if err != nil {
		return unknownGame(err)
	}
	if len(list) == 0 {
		fmt.Fprintln(cmd.OutOrStdout(), "Nobody waits for a seat.")
		return nil
	}
	t := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "SINCE\tADDRESS\tNAME\tLANGUAGE\tWISHES")
	for _, who := range list {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", who.Since.UTC().Format(minutes), who.Address, who.Name, who.Language, strings.Join(strings.Fields(who.Wishes), " "))
	}
	return t.Flush()
}
