package main

import (
	"database/sql"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"arroba/ingest"
	"arroba/turns"
)

const inboxLines = 200

func inboxCommand(w world) *cobra.Command {
	c := &cobra.Command{Use: "inbox", Short: "Look at the letters that came, handle or settle those that wait; works beside a running daemon"}
	file := configFlag(c)
	var status string
	list := &cobra.Command{
		Use:   "list",
		Short: "List the newest letters, with what became of them",
		Long: `List the newest letters, with what became of them: done, waiting (their game is held), desk (for a person to
read) or failed (they could not be read, or a rule failed on them).`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error { return listInbox(cmd, e, status) })
		},
	}
	list.Flags().StringVar(&status, "status", "", "only letters of this `STATUS`: done, waiting, desk or failed")
	show := &cobra.Command{
		Use:   "show ID",
		Short: "Print a letter as it came, byte for byte",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error { return showLetter(cmd, e, args[0]) })
		},
	}
	retry := &cobra.Command{
		Use:   "retry ID…",
		Short: "Handle letters again that wait on the desk or failed",
		Long: `Handle letters again that wait on the desk or failed: after a game that was held goes on, a member was added, or a
limit was raised. They are judged by when they came. Letters whose orders were carried out are left alone.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error {
				return eachID(args, func(id string) error { return retryLetter(cmd, e, id) })
			})
		},
	}
	var why string
	drop := &cobra.Command{
		Use:   "drop ID…",
		Short: "Settle letters that wait or failed: nothing will come of them; they are kept",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error {
				return eachID(args, func(id string) error { return e.Drop(cmd.Context(), id, why) })
			})
		},
	}
	drop.Flags().StringVar(&why, "why", "", "a `NOTE` to be kept with the letters")
	c.AddCommand(list, show, retry, drop)
	c.AddCommand(attachmentCommands(w, file)...)
	return c
}

func listInbox(cmd *cobra.Command, e *turns.Engine, status string) error {
	switch status {
	case "", ingest.Done, ingest.Waiting, ingest.Desk, ingest.Failed:
	default:
		return &exitError{2, fmt.Errorf("%q is no status; write done, waiting, desk or failed", status)}
	}
	letters, err := ingest.List(cmd.Context(), e.DB.Read(), status, "", inboxLines)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tARRIVED\tSTATUS\tGAME\tFROM\tSUBJECT\tNOTE")
	for _, l := range letters {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%.40q\t%s\n", l.ID, l.Arrived.Format("2006-01-02 15:04:05"), l.Status, l.Game, l.Sender, l.Subject, l.Note)
	}
	return t.Flush()
}

// eachID does something with every letter, whatever becomes of the others.
func eachID(ids []string, f func(id string) error) error {
	var errs []error
	for _, id := range ids {
		err := f(id)
		if errors.Is(err, turns.ErrNoLetter) {
			err = unknownLetter(id)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func unknownLetter(id string) error {
	return fmt.Errorf("there is no letter %s; 'arroba inbox list' shows the ids", id)
}

func retryLetter(cmd *cobra.Command, e *turns.Engine, id string) error {
	o, err := e.Retry(cmd.Context(), id)
	if err != nil {
		return err
	}
	l, err := ingest.Show(cmd.Context(), e.DB.Read(), o.Inbox)
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s\t%s\t%s\t%s\n", l.ID, l.Status, l.Game, l.Note)
	return nil
}

func showLetter(cmd *cobra.Command, e *turns.Engine, id string) error {
	l, err := ingest.Show(cmd.Context(), e.DB.Read(), id)
	if errors.Is(err, sql.ErrNoRows) {
		return unknownLetter(id)
	}
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(l.Raw)
	return err
}
