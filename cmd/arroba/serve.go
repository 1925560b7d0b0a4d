package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"arroba/turns"
)

func serveCommand(w world) *cobra.Command {
	var file string
	var once bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the daemon: read letters, rule on them, answer, announce",
		Long: `Run the daemon until it is told to stop (Ctrl-C or SIGTERM), which it does within five seconds at any point and
without losing anything. SIGHUP makes it read its config again; a config with a fault is reported and the old one kept.

With --once it does one full pass (read, tick, send) and ends, for cron.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			conf, err := readConfig(file, w.getenv)
			if err != nil {
				return err
			}
			if once {
				return serveOnce(cmd.Context(), conf, cmd.ErrOrStderr())
			}
			return serve(cmd.Context(), conf, cmd.ErrOrStderr())
		},
	}
	c.Flags().StringVarP(&file, "config", "c", "arroba.toml", "the config `FILE`")
	c.Flags().BoolVar(&once, "once", false, "do one full pass and end")
	return c
}

func serveOnce(ctx context.Context, c *config, logTo io.Writer) error {
	d, err := c.open(ctx, c.logger(logTo))
	if err != nil {
		return err
	}
	defer d.close()
	return d.once(ctx)
}

// serve runs the config's daemon until ctx ends, and another one of the config as it then is whenever SIGHUP comes.
func serve(ctx context.Context, c *config, logTo io.Writer) error {
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	defer signal.Stop(hup)
	for ctx.Err() == nil {
		log := c.logger(logTo)
		d, err := c.open(ctx, log)
		if err != nil {
			return err
		}
		games, err := turns.ListGames(ctx, d.db.Read())
		if err != nil {
			return errors.Join(err, d.close())
		}
		log.Info("arroba runs", "config", c.file, "games", len(games), "sources", len(c.Sources), "sinks", len(c.Sinks))
		if len(games) == 0 {
			log.Warn("there is no game yet; 'arroba game create FILE' begins one", "database", c.path(c.Database))
		}
		running, stop := context.WithCancel(ctx)
		next := make(chan *config, 1)
		go func() {
			defer stop()
			next <- c.awaitNext(running, hup, d)
		}()
		err = d.run(running)
		stop()
		if closing := d.close(); err == nil {
			err = closing
		}
		if err != nil {
			return err
		}
		c = <-next
	}
	c.logger(logTo).Info("arroba has ended")
	return nil
}

// awaitNext waits for SIGHUP with a config that has no fault, and returns that; when ctx ends, the config as it is.
func (c *config) awaitNext(ctx context.Context, hup <-chan os.Signal, d *daemon) *config {
	for {
		select {
		case <-ctx.Done():
			return c
		case <-hup:
		}
		fresh, err := readConfig(c.file, c.getenv)
		if err == nil {
			d.log.Info("the config was read again")
			return fresh
		}
		d.log.Error("the config has a fault, and the old one is kept", "error", err)
		d.engine.Tell(ctx, "Arroba: the config has a fault", "The config was to be read again and has a fault; the old one is kept.\n\n"+err.Error()+"\n")
	}
}

// logger is the log as the config wants it.
func (c *config) logger(to io.Writer) *slog.Logger {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "warn": slog.LevelWarn, "error": slog.LevelError}
	options := &slog.HandlerOptions{Level: levels[c.Log.Level]}
	if c.Log.Format == "json" {
		return slog.New(slog.NewJSONHandler(to, options))
	}
	return slog.New(slog.NewTextHandler(to, options))
}
