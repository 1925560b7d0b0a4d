package main

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"arroba/turns"
)

func receiptCommand(w world, file *string) *cobra.Command {
	return &cobra.Command{
		Use:   "receipt NAME NUMBER-HASH",
		Short: "Say whether a receipt stands in a game's log, and print its lines",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			number, hash, _ := strings.Cut(args[1], "-")
			n, err := strconv.ParseInt(number, 10, 64)
			if err != nil || hash == "" {
				return &exitError{2, fmt.Errorf("%q is no receipt; write it as the mail has it, for example 17-3f9a2b01c4", args[1])}
			}
			return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error {
				return showReceipt(cmd, e, args[0], n, hash)
			})
		},
	}
}

func showReceipt(cmd *cobra.Command, e *turns.Engine, game string, n int64, hash string) error {
	r, err := e.CheckReceipt(cmd.Context(), game, n, hash)
	if err != nil {
		return unknownGame(err)
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "Receipt %s stands in the log of %s: a letter of %s, ruled on as of %s.\n", r, game, r.Seat, r.At.Format("2006-01-02 15:04:05 UTC"))
	t := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, l := range r.Lines {
		fmt.Fprintf(t, "  %s\t%s\t%s\n", l.Verdict, l.Rule, l.Line)
	}
	return t.Flush()
}
