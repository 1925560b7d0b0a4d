package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"arroba/turns"
)

func replayCommand(w world) *cobra.Command {
	var raw bool
	c := &cobra.Command{
		Use:   "replay GAME",
		Short: "Play a whole game again from its log, and compare all that comes of it; works beside a running daemon",
		Long: `Play every input of a game's log again, from the state that it was opened with, and compare byte by byte: the
events, the snapshots on the way, and the state in which the game stands; and the chain of hashes that seals the log.

The exit code is 1 when something comes out otherwise; the first difference is named: the input, what the log has, and
what came now. With --raw the kept letters are read again too, and it is said where today's reader finds other lines or
orders than the log has; that changes nothing, and is no failure.`,
		Args: cobra.ExactArgs(1),
	}
	file := configFlag(c)
	c.Flags().BoolVar(&raw, "raw", false, "read the kept letters again as well")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error { return replayGame(cmd, e, args[0], raw) })
	}
	return c
}

func replayGame(cmd *cobra.Command, e *turns.Engine, game string, raw bool) error {
	out := cmd.OutOrStdout()
	var heard func(string)
	differ := 0
	if raw {
		heard = func(said string) {
			differ++
			fmt.Fprintln(out, said)
		}
	}
	begin := time.Now()
	r, err := e.Replay(cmd.Context(), game, heard)
	if err != nil {
		return unknownGame(err)
	}
	fmt.Fprintf(out, "Inputs played again: %d. Events: %d. Snapshots: %d. Seconds: %.2f. Everything is as the log has it.\n",
		r.Inputs, r.Events, r.Snapshots, time.Since(begin).Seconds())
	if raw {
		fmt.Fprintf(out, "Letters that today's reader reads otherwise: %d.\n", differ)
	}
	return nil
}
