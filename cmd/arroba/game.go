package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"arroba/rules/all"
	"arroba/store"
	"arroba/turns"
)

// configFlag adds the flag that names the config.
func configFlag(c *cobra.Command) *string {
	return c.PersistentFlags().StringP("config", "c", "arroba.toml", "the config `FILE`")
}

func gameCommand(w world) *cobra.Command {
	c := &cobra.Command{Use: "game", Short: "Begin, list and resume games; works beside a running daemon"}
	file := configFlag(c)
	c.AddCommand(
		&cobra.Command{
			Use:   "create FILE",
			Short: "Begin a game from its opening file",
			Args:  cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error { return createGame(cmd, e, args[0]) })
			},
		},
		&cobra.Command{
			Use:   "list",
			Short: "List the games, what each waits for and what is wrong with it",
			Args:  cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error { return listGames(cmd, e) })
			},
		},
		&cobra.Command{
			Use:   "resume NAME",
			Short: "Let a game that is held go on, and rule on the letters that waited",
			Args:  cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error { return resumeGame(cmd, e, args[0]) })
			},
		},
		receiptCommand(w, file),
	)
	return c
}

// withEngine runs f with an engine on the config's database, and nothing running.
func (w world) withEngine(ctx context.Context, file string, f func(*turns.Engine) error) error {
	c, err := readConfig(file, w.getenv)
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, c.path(c.Database))
	if err != nil {
		return err
	}
	defer db.Close()
	e, err := turns.New(c.engine(db))
	if err != nil {
		return err
	}
	return f(e)
}

// engine is how the config wants its games run.
func (c *config) engine(db *store.DB) turns.Config {
	t := turns.Config{
		DB: db, Rulesets: all.Rulesets, Now: time.Now, Operator: c.Operator, BoardURL: c.Board.URL,
		Mailbox: c.Sources[0].Address, Sender: c.Sinks[0].From,
	}
	t.Limits, t.GameLimits = c.Limits.forGames()
	t.MaxAttachment = int64(c.Limits.AttachmentMB) << 20
	for _, s := range c.Sources {
		if s.handedOver() {
			continue
		}
		t.Feeds = append(t.Feeds, turns.Feed{Name: s.Name, Address: s.Address})
	}
	return t
}

func createGame(cmd *cobra.Command, e *turns.Engine, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return &exitError{2, fmt.Errorf("reading the game's file: %w", err)}
	}
	game, err := turns.ReadGameFile(file, text)
	if err != nil {
		return &exitError{2, err}
	}
	if err := e.Create(cmd.Context(), game); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "The game %s is open. Its GM is told by mail as soon as 'arroba serve' runs.\n", game.Name)
	return nil
}

// resumeGame lets a game go on, and says what became of it.
func resumeGame(cmd *cobra.Command, e *turns.Engine, name string) error {
	r, err := e.Resume(cmd.Context(), name)
	if errors.Is(err, turns.ErrUnknownGame) {
		return remedy(err, "'arroba game list' names those there are")
	}
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "Letters that waited and were ruled on: %d.\n", r.Ruled)
	if len(r.Failed) > 0 {
		fmt.Fprintln(out, "Letters that failed, and are not tried again by themselves ('arroba inbox show ID' prints one, 'arroba inbox retry ID' handles it again):")
		for _, l := range r.Failed {
			fmt.Fprintf(out, "  %s  %s  %s  %s\n", l.ID, l.Arrived.Format("2006-01-02 15:04:05"), l.Sender, l.Note)
		}
	}
	if r.Held != "" {
		return fmt.Errorf("the game %s is held again: %s", name, r.Held)
	}
	fmt.Fprintf(out, "The game %s goes on.\n", name)
	return nil
}

func listGames(cmd *cobra.Command, e *turns.Engine) error {
	games, err := turns.ListGames(cmd.Context(), e.DB.Read())
	if err != nil {
		return err
	}
	if len(games) == 0 {
		fmt.Fprintln(cmd.OutOrStdout(), "There is no game yet; 'arroba game create FILE' begins one.")
		return nil
	}
	t := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "NAME\tRULESET\tMEMBERS\tINPUTS\tNEXT\tSTATE")
	for _, g := range games {
		next, state := "-", "runs"
		if !g.NextDue.IsZero() {
			next = g.NextDue.In(g.Zone).Format("2006-01-02 15:04 MST")
		}
		if g.Held != "" {
			state = "held: " + g.Held
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t%s\n", g.Name, g.Ruleset, len(g.Members), g.LastInput, next, state)
	}
	return t.Flush()
}
