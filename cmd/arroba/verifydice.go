package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"arroba/turns"
)

func verifyDiceCommand(w world) *cobra.Command {
	var seed, export string
	c := &cobra.Command{
		Use:   "verify-dice [GAME]",
		Short: "Check every draw of a game from its seed",
		Long: `Work out again every draw that a game's events tell of, from the seed that it shows when it ends, and whether the hash
that it published at its opening is that of the seed. The game is one of the database, or one that 'arroba game export'
wrote. docs/DICE.md tells how the same is done without this program. The exit code is 1 when a draw is not what the seed
gives. Draws that no event tells of are named too.`,
		Args: cobra.MaximumNArgs(1),
	}
	file := configFlag(c)
	c.Flags().StringVar(&seed, "seed", "", "the `SEED`; the one that the game has shown when left out")
	c.Flags().StringVar(&export, "export", "", "look into this `FILE`, which 'arroba game export' wrote, and into no database")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if (export == "") == (len(args) == 0) {
			return &exitError{2, errors.New("name either a game or, with --export, a file")}
		}
		if export != "" {
			a, err := openArchive(export)
			if err != nil {
				return err
			}
			defer a.Close()
			return verifyDice(cmd, a.Game, seed, a.EachEvent)
		}
		return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error {
			g, err := turns.LoadGame(cmd.Context(), e.DB.Read(), args[0])
			if err != nil {
				return unknownGame(err)
			}
			return verifyDice(cmd, g.Name, seed, func(f func(turns.Event) error) error {
				return turns.EachEvent(cmd.Context(), e.DB.Read(), g.Name, f)
			})
		})
	}
	return c
}

func verifyDice(cmd *cobra.Command, game, seed string, events func(func(turns.Event) error) error) error {
	c, err := turns.VerifyDice(game, seed, events)
	if errors.Is(err, turns.ErrSeedSecret) {
		return remedy(err, "give the seed with --seed if you know it")
	}
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	for _, s := range slices.Concat(c.Wrong, c.Unseen) {
		fmt.Fprintln(out, s)
	}
	if len(c.Wrong) > 0 {
		return fmt.Errorf("not everything in %s is what the seed gives", game)
	}
	fmt.Fprintf(out, "Draws checked: %d. All are what the seed gives, and its hash is the one that was published.\n", c.Draws)
	return nil
}
