package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"arroba/draw"
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
	c.AddCommand(worldCheckCommand(), worldDrawCommand())
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

func worldDrawCommand() *cobra.Command {
	var ruleset, language string
	c := &cobra.Command{
		Use:   "draw FILE",
		Short: "Draw the map of a world file as SVG",
		Long:  `Draws the map of a world file, with everybody where the file puts him, as SVG to the standard output.`,
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			st, err := openWorldFile(ruleset, args[0])
			if err != nil {
				return err
			}
			list, err := st.Pictures(rules.Viewer{})
			if err != nil {
				return err
			}
			if len(list) == 0 {
				return fmt.Errorf("%s has no coordinates to draw by; give its places lat and lon", args[0])
			}
			pen, err := draw.NewPen()
			if err != nil {
				return err
			}
			return pen.SVG(cmd.OutOrStdout(), list[0], language)
		},
	}
	addRuleset(c, &ruleset)
	c.Flags().StringVar(&language, "language", "en", "the `LANGUAGE` of the words on it, en or ru")
	return c
}
