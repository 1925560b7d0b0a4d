package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// sample is what init writes: a config and a game that say what every key is for, and games of forty lords and of three factions.
//
//go:embed sample
var sample embed.FS

func initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init DIR",
		Short: "Write a commented config and sample games",
		Long:  "Write a commented arroba.toml, three sample games and a folder for secrets into DIR. Nothing that is there already is touched.",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := writeSample(args[0]); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), `Written:
  %[1]s/arroba.toml        the server's configuration
  %[1]s/games/lands.toml   a sample game
  %[1]s/games/realms.toml  another, of forty lords in three Lands
  %[1]s/games/roses.toml   a third, of Kingmaker on a map of England
  %[1]s/secrets/           for passwords, readable by you alone

Next:
  1. Edit both files, and write the mailbox's password into %[1]s/secrets/mail.
  2. arroba check -c %[1]s/arroba.toml
  3. arroba game create -c %[1]s/arroba.toml %[1]s/games/lands.toml
  4. arroba serve -c %[1]s/arroba.toml
`, args[0])
			return nil
		},
	}
}

// writeSample writes the sample files below a folder. A file that is there already is an error, and nothing is written.
func writeSample(dir string) error {
	files := map[string]string{
		"sample/arroba.toml":      filepath.Join(dir, "arroba.toml"),
		"sample/lands.toml":       filepath.Join(dir, "games", "lands.toml"),
		"sample/heroeslands.toml": filepath.Join(dir, "games", "realms.toml"),
		"sample/roses.toml":       filepath.Join(dir, "games", "roses.toml"),
	}
	for _, to := range files {
		switch _, err := os.Lstat(to); {
		case err == nil:
			return fmt.Errorf("%s is there already and is left as it is; name another folder, or move it away", to)
		case !errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("looking what is there: %w; name another folder", err)
		}
	}
	for _, d := range []string{filepath.Join(dir, "games"), filepath.Join(dir, "secrets")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return fmt.Errorf("making a folder: %w", err)
		}
	}
	for from, to := range files {
		text, err := sample.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o600); err != nil {
			return fmt.Errorf("writing the sample: %w", err)
		}
	}
	return nil
}
