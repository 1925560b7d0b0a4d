package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"arroba/turns"
)

func exportCommand(w world, file *string) *cobra.Command {
	return &cobra.Command{
		Use:   "export NAME FILE",
		Short: "Write a whole game into one file, to keep it or to bring it to another machine",
		Long: `Write a whole game into one file, a ZIP: its members, every letter as it came, every input, event and state, and all
that was sent or is to be sent. Nothing of other games is in it. The file holds what must stay secret: the seed, the
members' tokens, and everybody's letters. Only you may read it (mode 0600).

Before the game goes on on another machine, stop it here: both would send what is still to be sent.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error { return exportGame(cmd, e, args[0], args[1]) })
		},
	}
}

func exportGame(cmd *cobra.Command, e *turns.Engine, game, name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return &exitError{2, fmt.Errorf("%s is there already; name a file that is not", name)}
	}
	if err != nil {
		return fmt.Errorf("making the archive: %w", err)
	}
	err = errors.Join(e.Export(cmd.Context(), game, f), f.Sync(), f.Close())
	if err != nil {
		return errors.Join(unknownGame(err), os.Remove(name))
	}
	fmt.Fprintf(cmd.OutOrStdout(), "The game %s is in %s. It holds what must stay secret: the seed, the members' tokens and everybody's letters.\n", game, name)
	return nil
}

func importCommand(w world, file *string) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Bring a game back from a file that export wrote",
		Long: `Bring a game back from a file that export wrote: as it was then, with what was sent as sent, and what was to be sent to
be sent. A letter that had come by then is known and not obeyed again. A file that was changed is refused, and so is
one whose game is here already, or whose ruleset this program lacks.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := openArchive(args[0])
			if err != nil {
				return err
			}
			defer a.Close()
			return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error {
				if err := e.Import(cmd.Context(), a); err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "The game %s is back, as it stood after input %d. 'arroba replay %[1]s' plays it again.\n", a.Game, a.Input)
				return nil
			})
		},
	}
}

// openArchive opens a file that export wrote.
func openArchive(name string) (*turns.Archive, error) {
	a, err := turns.OpenArchive(name)
	if err != nil {
		return nil, &exitError{2, remedy(err, "name a file that 'arroba game export' wrote")}
	}
	return a, nil
}
