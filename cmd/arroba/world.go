package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"arroba/rules"
	"arroba/rules/all"
	"arroba/turns"
)

// worldCommand looks at a world file by itself, without a game.
func worldCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "world",
		Short: "Look at a world file: a map that a game.toml may name",
	}
	c.AddCommand(worldCheckCommand())
	return c
}

func worldCheckCommand() *cobra.Command {
	var ruleset string
	c := &cobra.Command{
		Use:   "check FILE",
		Short: "Say what is wrong with a world file, with file, line and key",
		Long: `Reads a world file strictly, as a game would that names it with [world] file. The error names file, line and key and says
what to write. Who plays is not looked at: the game's own file says that.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := openWorldFile(ruleset, args[0]); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s is good.\n", args[0])
			return err
		},
	}
	addRuleset(c, &ruleset)
	return c
}

func addRuleset(c *cobra.Command, ruleset *string) {
	c.Flags().StringVar(ruleset, "ruleset", "kingmaker", "the `RULESET` that the file is for")
}

// openWorldFile opens the world of a file, for nobody.
func openWorldFile(ruleset, name string) (*rules.State, error) {
	r := all.Rulesets[ruleset]
	if r == nil {
		var names []string
		for n := range all.Rulesets {
			names = append(names, n)
		}
		slices.Sort(names)
		return nil, fmt.Errorf("there is no ruleset %q; write one of %s", ruleset, strings.Join(names, ", "))
	}
	text, err := readFile(name)
	if err != nil {
		return nil, err
	}
	w, err := turns.ReadWorldFile(name, text)
	if err != nil {
		return nil, err
	}
	return w.Open(r, time.Now())
}

// readFile reads a file, - for the standard input.
func readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(os.Stdin)
	}
	return os.ReadFile(name)
}
