package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"arroba/ingest"
	"arroba/store"
	"arroba/turns"
)

// The exit codes by which mail servers know what to do with a letter (sysexits.h).
const (
	exUsage    = 64
	exDataErr  = 65
	exTempFail = 75 // a fault of the config as well: the letter is not to blame and can wait until it is mended
)

func receiveCommand(w world) *cobra.Command {
	var file, source, from string
	var to []string
	c := &cobra.Command{
		Use:   "receive",
		Short: "Take one letter on standard input, for a mail server's pipe",
		Long: `Take one letter on standard input, from a mail server: it is kept and ruled on before the command ends. What there is
to answer is sent by 'arroba serve', which may run meanwhile. The letter belongs to a [[source]] of kind "pipe".

The exit code tells the mail server what to do:
   0  the letter was taken
  75  try again later: the database is busy or cannot be reached, the disk is full, or the config is at fault ('arroba
      check' says how)
  65  the letter is empty or too big: send it back
  64  the command was called wrongly
Postfix sends the letter back for every code but 0 and 75; Exim keeps it for those that its temp_errors names.

A letter that is handed over again acts once. In Postfix's master.cf:

  arroba unix - n n - 1 pipe flags=q user=arroba null_sender=
    argv=/usr/local/bin/arroba receive -c /etc/arroba/arroba.toml --from=${sender} --to=${original_recipient}

In a .procmailrc:

  :0 w
  | arroba receive -c /etc/arroba/arroba.toml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := cobra.NoArgs(cmd, args); err != nil {
				return &exitError{exUsage, err}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			conf, s, err := w.pipe(file, source)
			if err != nil {
				return err
			}
			raw, err := readLetter(cmd.InOrStdin(), s.MaxSize)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("from") {
				raw = ingest.Stamp(raw, "Return-Path", "<"+strings.Trim(from, "<>")+">")
			}
			if err := conf.receive(cmd.Context(), s.Name, raw, to, cmd.ErrOrStderr()); err != nil {
				return &exitError{exTempFail, err}
			}
			return nil
		},
	}
	c.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &exitError{exUsage, fmt.Errorf("%w; see '%s --help'", err, cmd.CommandPath())}
	})
	c.Flags().StringVarP(&file, "config", "c", "arroba.toml", "the config `FILE`")
	c.Flags().StringVar(&source, "source", "", "the `NAME` of the source that the letter belongs to; the only one of kind \"pipe\" when left out")
	c.Flags().StringVar(&from, "from", "", "the `ADDRESS` of the envelope's sender, for Return-Path; empty for reports of failed mail")
	c.Flags().StringArrayVar(&to, "to", nil, "an `ADDRESS` that the letter was delivered to, for Delivered-To; with +game it tells the game; may be repeated")
	return c
}

// pipe reads the config and finds the source in it that letters on standard input belong to.
func (w world) pipe(file, name string) (*config, sourceConfig, error) {
	c, err := readConfig(file, w.getenv)
	if err != nil {
		return nil, sourceConfig{}, &exitError{exTempFail, err}
	}
	var found []sourceConfig
	for _, s := range c.Sources {
		if s.Kind == kindPipe && (name == "" || s.Name == name) {
			found = append(found, s)
		}
	}
	switch {
	case len(found) == 1:
		return c, found[0], nil
	case len(found) > 1:
		return nil, sourceConfig{}, &exitError{exUsage, errors.New("the config has several sources of kind \"pipe\"; name one with --source")}
	case name != "":
		return nil, sourceConfig{}, &exitError{exUsage, fmt.Errorf("%s has no source %q of kind \"pipe\"; name one with --source", file, name)}
	}
	return nil, sourceConfig{}, &exitError{exTempFail, fmt.Errorf("%s has no source of kind \"pipe\"; write a [[source]] with name, kind = \"pipe\" and address", file)}
}

// readLetter reads a letter of at most so many bytes. An mbox's line before it is taken off.
func readLetter(in io.Reader, limit int64) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, &exitError{exTempFail, fmt.Errorf("reading the letter: %w", err)}
	}
	if int64(len(raw)) > limit {
		io.Copy(io.Discard, in) // mail servers do not like to be cut off
		return nil, &exitError{exDataErr, fmt.Errorf("the letter is too big: the limit is %.1f MB", float64(limit)/(1<<20))}
	}
	if len(raw) == 0 {
		return nil, &exitError{exDataErr, errors.New("there is no letter on standard input")}
	}
	if strings.HasPrefix(string(raw[:min(len(raw), 5)]), "From ") {
		_, rest, _ := strings.Cut(string(raw), "\n")
		raw = []byte(rest)
	}
	return raw, nil
}

// receive keeps a letter and rules on it, for each of its recipients, who may be none that are known.
func (c *config) receive(ctx context.Context, source string, raw []byte, to []string, logTo io.Writer) error {
	db, err := store.Open(ctx, c.path(c.Database))
	if err != nil {
		return err
	}
	defer db.Close()
	settings := c.engine(db)
	settings.Log = c.logger(logTo)
	e, err := turns.New(settings)
	if err != nil {
		return err
	}
	if len(to) == 0 {
		return take(ctx, e, source, ingest.HandedOver(raw, time.Now()))
	}
	for _, address := range to {
		m := ingest.HandedOver(ingest.Stamp(raw, "Delivered-To", address), time.Now())
		if err := take(ctx, e, source, m); err != nil {
			return err
		}
	}
	return nil
}
