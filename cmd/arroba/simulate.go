package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"arroba/ingest"
	"arroba/rules"
	"arroba/rules/all"
	"arroba/store"
	"arroba/turns"
)

func simulateCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "simulate FILE…",
		Short: "Play scenarios with a clock of their own, and leave nothing behind",
		Long: `Play scenarios and show who wrote, what was ruled and who was told what.

A scenario is a txtar archive: a game.toml, then one file a step, named "<id> <time> mail|post|tick". There is no
network, and no database is left behind. With --json each scenario's outcome is one JSON object a line.

The exit code is 2 when a scenario is malformed; the reason then names file and step.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, file := range args {
				if err := simulate(cmd.Context(), all.Rulesets, cmd.OutOrStdout(), file, asJSON); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print what came of it as JSON")
	return c
}

// simulate plays one scenario and prints what came of it.
func simulate(ctx context.Context, rulesets map[string]*rules.Ruleset, out io.Writer, file string, asJSON bool) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return &exitError{2, fmt.Errorf("reading the scenario: %w", err)}
	}
	s, err := readScenario(file, data)
	if err != nil {
		return &exitError{2, err}
	}
	p, err := newPlay(ctx, s, rulesets)
	if err != nil {
		return &exitError{2, err}
	}
	defer p.db.Close()
	return p.run(ctx, file, out, asJSON)
}

// play is a scenario on its way.
type play struct {
	*stage
	scenario *scenario
	clock    time.Time
	mailbox  string
}

// newPlay opens the scenario's game in a database in memory. It begins at the first step; its clock is its own.
func newPlay(ctx context.Context, s *scenario, rulesets map[string]*rules.Ruleset) (*play, error) {
	p := &play{scenario: s, clock: time.Unix(0, 0).UTC(), mailbox: s.game.Mailbox}
	if len(s.steps) > 0 {
		p.clock = s.steps[0].At
	}
	for _, m := range s.game.Members {
		if m.Role == rules.GM && p.mailbox == "" {
			p.mailbox = m.Addresses[0]
		}
	}
	s.game.Seed = cmp.Or(s.game.Seed, s.game.Name)
	s.game.Settings.Register = cmp.Or(s.game.Settings.Register, turns.RegisterOff) // what simulate shows holds mails that letters and due things cause
	db, err := store.Open(ctx, ":memory:")
	if err != nil {
		return nil, err
	}
	letters := 0
	newID := func(time.Time) string { // the same in every run
		letters++
		return fmt.Sprintf("letter-%d", letters)
	}
	questions := 0
	newCode := func() string {
		questions++
		return fmt.Sprintf("%016d", questions)
	}
	engine, err := turns.New(turns.Config{DB: db, Rulesets: rulesets, Now: func() time.Time { return p.clock },
		Mailbox: p.mailbox, Sender: "arroba@scenario.invalid", NoHints: true, NewID: newID, NewCode: newCode})
	if err == nil {
		err = engine.Create(ctx, s.game)
	}
	if err == nil {
		p.stage, err = newStage(ctx, db, engine, s.game.Name)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return p, nil
}

// outcome is what simulate prints as JSON.
type outcome struct {
	Game  string          `json:"game"`
	Steps []scene         `json:"steps"`
	State json.RawMessage `json:"state"`
}

func (p *play) run(ctx context.Context, file string, out io.Writer, asJSON bool) error {
	o := outcome{Game: p.game, Steps: []scene{}}
	for _, st := range p.scenario.steps {
		s, err := p.step(ctx, st)
		if err != nil {
			return fmt.Errorf("%s: step %s: %w", file, st.ID, err)
		}
		if asJSON {
			o.Steps = append(o.Steps, s)
		} else if err := p.write(ctx, out, s); err != nil {
			return err
		}
	}
	if !asJSON {
		return nil
	}
	var err error
	if o.State, err = p.engine.View(ctx, p.game, rules.Viewer{GM: true}); err != nil {
		return err
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(o)
}

// step runs the clock to a step's time, lets everything due fire, and brings the letter, if there is one.
func (p *play) step(ctx context.Context, st step) (scene, error) {
	err := p.through(ctx, st.At, time.Microsecond, func(at time.Time) error {
		p.clock = at
		for _, t := range p.scenario.game.Settings.Threads {
			if _, err := p.engine.Handle(ctx, t.Name(), ingest.Batch{Until: at}); err != nil {
				return err
			}
		}
		_, err := p.engine.Tick(ctx)
		return err
	})
	if err != nil {
		return scene{}, err
	}
	letter := ""
	if st.Kind != "tick" {
		source := "scenario"
		if threads := p.scenario.game.Settings.Threads; st.Kind == "post" && len(threads) > 0 {
			source = threads[0].Name()
		}
		h, err := p.engine.Handle(ctx, source, ingest.Batch{Messages: []ingest.Message{st.message(p.mailbox)}})
		if err != nil {
			return scene{}, err
		}
		letter = h.Letters[len(h.Letters)-1].Inbox
	}
	s, err := p.next(ctx, letter, nil)
	s.ID, s.At, s.aside = st.ID, st.At, st.aside()
	return s, err
}
