package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"arroba/draw"
	"arroba/rules/all"
	"arroba/store"
	"arroba/turns"
)

// configFlag adds the flag that names the config.
func configFlag(c *cobra.Command) *string {
	return c.PersistentFlags().StringP("config", "c", "arroba.toml", "the config `FILE`")
}

func gameCommand(w world) *cobra.Command {
	c := &cobra.Command{Use: "game", Short: "Begin games, look at them, and give a GM's orders; works beside a running daemon"}
	file := configFlag(c)
	c.AddCommand(
		createCommand(w, file),
		inviteCommand(w, file),
		waitingCommand(w, file),
		startCommand(w, file),
		&cobra.Command{
			Use:   "list",
			Short: "List the games, what each waits for and what is wrong with it",
			Args:  cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error { return listGames(cmd, e) })
			},
		},
		resumeCommand(w, file),
		showCommand(w, file),
		membersCommand(w, file),
		accountCommand(w, file),
		logCommand(w, file),
		setCommand(w, file),
		receiptCommand(w, file),
		exportCommand(w, file),
		importCommand(w, file),
	)
	c.AddCommand(orderCommands(w, file)...)
	return c
}

// about is a command about one game, whose name f gets.
func (w world) about(file *string, use, short string, f func(cmd *cobra.Command, e *turns.Engine, name string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
		return w.withEngine(cmd.Context(), *file, func(e *turns.Engine) error { return f(cmd, e, args[0]) })
	}}
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
		Mailbox: c.mailSource().Address, Sender: c.mailSink().From, Forums: c.boardsForGames(), Draw: draw.ForMail,
	}
	t.Limits, t.GameLimits = c.Limits.forGames()
	t.MaxAttachment = int64(c.Limits.AttachmentMB) << 20
	for _, s := range c.Sources {
		if s.handedOver() || s.Kind == kindForum { // threads are the games' own
			continue
		}
		t.Feeds = append(t.Feeds, turns.Feed{Name: s.Name, Address: s.Address})
	}
	return t
}

// readGame reads a game's opening file.
func readGame(file string) (*turns.GameFile, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &exitError{2, fmt.Errorf("reading the game's file: %w", err)}
	}
	game, err := turns.ReadGameFile(file, text)
	if err != nil {
		return nil, &exitError{2, err}
	}
	return game, nil
}

func createGame(cmd *cobra.Command, c *config, e *turns.Engine, file string, invite bool) error {
	game, err := readGame(file)
	if err != nil {
		return err
	}
	if err := c.checkThreads(game); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if invite || game.Settings.Join.Open {
		return gatherGame(cmd, e, game)
	}
	if err := e.Create(cmd.Context(), game); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "The game %s is open. Its members are told by mail as soon as 'arroba serve' runs.\n", game.Name)
	return nil
}

// unknownGame makes of an error that says so a plain one, with where the names of games stand.
func unknownGame(err error) error {
	if !errors.Is(err, turns.ErrUnknownGame) {
		return err
	}
	for inner := errors.Unwrap(err); inner != nil && inner != turns.ErrUnknownGame; inner = errors.Unwrap(err) {
		err = inner
	}
	return remedy(err, "'arroba game list' names those there are")
}

func resumeCommand(w world, file *string) *cobra.Command {
	d := &desk{world: w, file: file}
	c := w.about(file, "resume NAME", "Let a game go on that a fault holds, or that is paused", d.resume)
	c.Long = `Let a game go on. One that a fault holds rules on the letters that waited; of one that is paused, by a GM's HOLD or
by the engine, everything that falls due moves by the length of the pause.`
	c.Flags().StringVar(&d.gm, "gm", "", "in whose name a pause is ended: the `NICK` of a GM; the game's first when left out")
	return c
}

// resume takes off a game what stops it: a fault, then a pause.
func (d *desk) resume(cmd *cobra.Command, e *turns.Engine, name string) error {
	g, err := turns.LoadGame(cmd.Context(), e.DB.Read(), name)
	if err != nil {
		return unknownGame(err)
	}
	if g.Held == "" && g.Paused.IsZero() {
		return fmt.Errorf("the game %s is neither held by a fault nor paused: it goes on already", name)
	}
	if g.Held != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "A fault held the game: %s.\n", g.Held)
		if err := resumeFault(cmd, e, name); err != nil {
			return err
		}
	}
	if g.Paused.IsZero() {
		return nil
	}
	fmt.Fprintf(cmd.OutOrStdout(), "The game was %s.\n", pausedSince(g))
	return d.give(cmd, e, name, []string{"RESUME"})
}

// pausedSince says since when a game is paused, and why.
func pausedSince(g *turns.Game) string {
	since := "paused since " + g.Paused.In(g.Zone).Format(minutes)
	if g.PauseWhy != "" {
		since += ": " + g.PauseWhy
	}
	return since
}

// minutes is how an instant is shown.
const minutes = "2006-01-02 15:04 MST"

// resumeFault lets a game go on that a fault held, and says what became of it.
func resumeFault(cmd *cobra.Command, e *turns.Engine, name string) error {
	r, err := e.Resume(cmd.Context(), name)
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
	fmt.Fprintf(out, "No fault holds the game %s any more.\n", name)
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
			next = g.NextDue.In(g.Zone).Format(minutes)
		}
		switch {
		case g.Held != "":
			state = "held by a fault: " + g.Held
		case g.Forming():
			state = "gathers its players"
		case !g.Paused.IsZero():
			next, state = "-", pausedSince(&g)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t%s\n", g.Name, g.Ruleset, len(g.Members), max(g.LastInput, 0), next, state)
	}
	return t.Flush()
}
